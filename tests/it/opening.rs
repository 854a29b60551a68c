//! In: packed logs that take their time to open. Out: a screen that is there meanwhile, can be left, and says at last why nothing
//! can be read.

use std::fs;
use std::io::{Cursor, Write as _};

use flate2::Compression;
use flate2::write::GzEncoder;
use zip::write::SimpleFileOptions;

use crate::terminal::{Home, Pty, program};

const CHATTER: &str = "24/05/01 00:00:00 INFO DAGScheduler: looking for what to run next\n";
const FATAL: &str = "Traceback (most recent call last):\n  File \"job.py\", line 3, in <module>\nValueError: the last word\n";

fn gzip(text: &str) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(text.as_bytes()).expect("in memory");
    encoder.finish().expect("in memory")
}

/// A log of about 800 MB, packed in members that are the same but for the last.
fn large_log(home: &Home) -> String {
    let piece = gzip(&CHATTER.repeat(120_000));
    let mut packed = piece.repeat(100);
    packed.extend(gzip(FATAL));
    fs::write(home.file("large.log.gz"), packed).expect("written");
    "large.log.gz".to_owned()
}

fn open(home: &Home, name: &str) -> Pty {
    let mut command = home.command(program(), &[name]);
    command.cwd(home.path());
    Pty::start(command)
}

#[test]
fn a_packed_log_is_opened_beside_the_screen() {
    let home = Home::new();
    let log = large_log(&home);
    let mut pty = open(&home, &log);
    pty.wait_for(&["READING", "opening"]);
    pty.wait_for(&["the last word"]);
    pty.press("q");
    assert!(pty.end().success());
    assert_eq!(pty.modes_left_on(), [""; 0]);
    let mut pty = open(&home, &log);
    pty.wait_for(&["opening"]);
    pty.press("q");
    assert!(pty.end().success());
    assert!(!pty.text().contains("the last word"));
}

#[test]
fn a_bundle_with_nothing_to_read_ends_the_screen_with_its_reasons() {
    let home = Home::new();
    let program_file = [b"\x7fELF\0\0".to_vec(), vec![0; 300_000]].concat();
    let mut bundle = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for n in 0..300 {
        let name = format!("bin/tool{n}");
        let begun = bundle.start_file(name, SimpleFileOptions::default());
        begun.expect("in memory");
        bundle.write_all(&program_file).expect("in memory");
    }
    let bytes = bundle.finish().expect("in memory").into_inner();
    fs::write(home.file("bundle.zip"), bytes).expect("written");
    let mut pty = open(&home, "bundle.zip");
    assert_eq!(pty.end().exit_code(), 2);
    assert!(pty.text().contains("cannot read bundle.zip!bin/tool0"));
    assert_eq!(pty.modes_left_on(), [""; 0]);
}
