//! In: files made to hurt whoever opens them. Out: an answer or a refusal, in the report and on the screen, within bounds
//! that the kernel keeps: 40 seconds of work, 1 GiB of addresses. Nothing raw comes out, and nothing is written.

use std::fmt::Write as _;
use std::fs;
use std::io::{Cursor, Write as _};
use std::path::Path;
use std::process::{Output, Stdio};

use flate2::Compression;
use flate2::write::GzEncoder;
use zip::write::SimpleFileOptions;

use crate::terminal::{Home, Pty, program};

/// Runs the arguments behind it under the bounds. A second more than forty ends it with a signal, which no test accepts.
const BOUNDED: &str = "ulimit -v 1048576; ulimit -t 40; exec \"$0\" \"$@\"";

/// Clears the screen, sets the clipboard and the title of a terminal that is told so.
const RAW: &str = "\x1b[2J\x1b]52;c;QUJD\x07\x1b]0;OWNED\x07\u{202e}\u{9b}31m";

fn head(n: usize) -> String {
    format!("24/01/02 03:{:02}:{:02} ", n / 60 % 60, n % 60)
}

/// A failure, told with [`RAW`] wherever a log lets it.
fn failure() -> String {
    format!(
        "{0}INFO SparkContext: Running Spark version 3.5.1\n{0}ERROR Job{RAW}: failed\n\
         java.lang.IllegalStateException: no such table {RAW}\n\tat com.acme.Job$.main(Job.scala:12)\n\
         Caused by: java.io.IOException: deep{RAW}\n\tat com.acme.{RAW}.b(A.java:1)\n",
        head(1)
    )
}

fn gzip(plain: &[u8], times: usize) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    for _ in 0..times {
        encoder.write_all(plain).expect("memory");
    }
    encoder.finish().expect("memory")
}

fn zip(members: impl IntoIterator<Item = (String, Vec<u8>)>) -> Vec<u8> {
    let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in members {
        writer
            .start_file(name, SimpleFileOptions::default())
            .expect("memory");
        writer.write_all(&bytes).expect("memory");
    }
    writer.finish().expect("memory").into_inner()
}

/// A zip whose members all unpack the same bytes of it, with a size of its own making.
fn overlapping(members: u32, plain: &[u8], claimed: u32) -> Vec<u8> {
    let mut deflate = flate2::write::DeflateEncoder::new(Vec::new(), Compression::best());
    deflate.write_all(plain).expect("memory");
    let packed = deflate.finish().expect("memory");
    let mut crc = flate2::Crc::new();
    crc.update(plain);
    let size = u32::try_from(packed.len()).expect("small");
    let shared: Vec<u8> = [20_u16, 0, 8, 0, 33]
        .iter()
        .flat_map(|n| n.to_le_bytes())
        .collect();
    let sizes: Vec<u8> = [crc.sum(), size, claimed]
        .iter()
        .flat_map(|n| n.to_le_bytes())
        .collect();
    let mut bytes = [
        b"PK\x03\x04",
        &shared[..],
        &sizes,
        &1_u16.to_le_bytes(),
        &[0; 2],
        b"k",
        &packed,
    ]
    .concat();
    let directory = bytes.len();
    for n in 0..members {
        let name = format!("m{n:05}");
        let length = u16::try_from(name.len()).expect("small").to_le_bytes();
        bytes.extend(
            [
                b"PK\x01\x02\x14\0",
                &shared[..],
                &sizes,
                &length,
                &[0; 16],
                name.as_bytes(),
            ]
            .concat(),
        );
    }
    let length = u32::try_from(bytes.len() - directory).expect("small");
    let at = u32::try_from(directory).expect("small");
    let count = u16::try_from(members).expect("few").to_le_bytes();
    bytes.extend(
        [
            b"PK\x05\x06\0\0\0\0",
            &count[..],
            &count,
            &length.to_le_bytes(),
            &at.to_le_bytes(),
            &[0; 2],
        ]
        .concat(),
    );
    bytes
}

/// A tar of everything but files, and of a file that says it is a terabyte.
fn odd_tar() -> Vec<u8> {
    let mut builder = tar::Builder::new(Vec::new());
    let kinds = [
        tar::EntryType::Char,
        tar::EntryType::Block,
        tar::EntryType::Fifo,
        tar::EntryType::Symlink,
        tar::EntryType::Link,
    ];
    for (n, kind) in kinds.into_iter().enumerate() {
        let mut header = tar::Header::new_gnu();
        header.set_entry_type(kind);
        header.set_size(0);
        header.set_path(format!("odd{n}")).expect("a name");
        header.set_link_name("/etc/passwd").expect("a name");
        header.set_cksum();
        builder.append(&header, &[][..]).expect("memory");
    }
    let log = failure();
    let mut header = tar::Header::new_gnu();
    header.as_mut_bytes()[..13].copy_from_slice(b"../../ESCAPED");
    header.set_size(log.len() as u64);
    header.set_cksum();
    builder.append(&header, log.as_bytes()).expect("memory");
    header.set_size(1 << 40);
    header.set_cksum();
    let mut bytes = builder.into_inner().expect("memory");
    bytes.truncate(bytes.len() - 1024);
    bytes.extend_from_slice(header.as_bytes());
    bytes.extend_from_slice(&[b'x'; 700]);
    bytes
}

fn letters(n: usize) -> String {
    n.to_string()
        .bytes()
        .map(|digit| char::from(digit - b'0' + b'a'))
        .collect()
}

fn lines(count: usize, line: impl Fn(usize) -> String) -> String {
    let mut log = failure();
    for n in 0..count {
        log += &line(n);
    }
    log
}

/// Names and bytes of what is opened.
fn attacks() -> Vec<(&'static str, Vec<u8>)> {
    let log = failure().into_bytes();
    let nested = (0..12).fold(log.clone(), |inner, n| zip([(format!("in{n}.zip"), inner)]));
    let packed = (0..12).fold(log.clone(), |inner, _| gzip(&inner, 1));
    let wrapped = (0..12).fold("a.b.CException: x".to_owned(), |inner, _| {
        serde_json::json!({ "log": format!("{inner}\n") }).to_string()
    });
    let utf16 = |bytes: fn(u16) -> [u8; 2]| failure().encode_utf16().flat_map(bytes).collect();
    let zeros = gzip(&vec![0; 1 << 20], 1_024);
    vec![
        ("raw.log", log.clone()),
        ("bomb.gz", zeros.repeat(16)),
        ("bomb-of-text.gz", gzip(&b"java.lang.Error: x\n".repeat(2_000), 4)),
        ("one-line.gz", gzip(&vec![b'a'; 1 << 20], 8)),
        ("line-ends.gz", gzip(&vec![b'\n'; 1 << 20], 2)),
        ("returns.gz", gzip(&vec![b'\r'; 1 << 20], 2)),
        ("many.zip", zip((0..11_000).map(|n| (format!("m{n}/stderr"), b"x\n".to_vec())))),
        ("paths.zip", zip(["../../ESCAPED", "/tmp/ESCAPED", "..\\x", RAW, "con"].map(|name| (name.to_owned(), log.clone())))),
        ("overlapping.zip", overlapping(500, &b"java.lang.Error: x\n".repeat(100), 1_900)),
        ("lying.zip", overlapping(3, &log, 7)),
        ("nested.zip", nested),
        ("nested.gz", packed),
        ("odd.tar", odd_tar()),
        ("cut.gz", gzip(&log, 400)[..900].to_vec()),
        ("lying.lz4", [b"LZ4Block\x2f\x64\0\0\0\xff\xff\xff\x7f\0\0\0\0", &[0xff; 99][..]].concat()),
        ("lying.snappy", [b"\x82SNAPPY\0\0\0\0\x01\0\0\0\x01\x7f\xff\xff\xff", &[0xff; 99][..]].concat()),
        ("lying.zst", [b"\x28\xb5\x2f\xfd\xc4", &[0xff; 99][..]].concat()),
        ("holes.log", [&vec![0; 5_000], &log[..]].concat()),
        ("nothing.log", vec![0; 9 << 20]),
        ("unmarked-le", utf16(u16::to_le_bytes)),
        ("unmarked-be", utf16(u16::to_be_bytes)),
        ("empty", Vec::new()),
        ("magic.gz", b"\x1f\x8b\x08".to_vec()),
        ("magic.zip", b"PK\x03\x04".to_vec()),
        ("causes.log", lines(20_000, |n| format!("Caused by: a.b.C{n}: m{n}\n\tat x.Y.z(Y.java:{n})\n")).into_bytes()),
        ("suppressed.log", lines(2_000, |n| format!("{0}Suppressed: a.b.C: m{n}\n{0}\tat x.Y.z(Y.java:1)\n", "\t".repeat(n))).into_bytes()),
        ("frames.log", lines(50_000, |n| format!("\tat x.Y{n}.z(Y.java:{n})\n")).into_bytes()),
        ("distinct.log", lines(4_000, |n| format!("{}ERROR J: f\ncom.acme.{}Exception: boom\n\tat com.acme.F.run(F.java:1)\n", head(n), letters(n).to_uppercase())).into_bytes()),
        ("stages.log", lines(6_000, |n| format!("{}INFO DAGScheduler: ResultStage {n} (count at x.py:{n}) failed in 1.2 s due to boom {}\n", head(n), letters(n))).into_bytes()),
        ("executors.log", lines(6_000, |n| format!("{}ERROR TaskSchedulerImpl: Lost executor {n} on h{n}: Container killed {}\n", head(n), letters(n))).into_bytes()),
        ("services.log", lines(6_000, |n| format!("svc{n} | {}ERROR X: boom\nsvc{n} | a.b.CException: x\n", head(n))).into_bytes()),
        ("escapes.log", lines(2, |n| format!("{}ERROR X: {}n\\tat a.b.C.d(E.java:1)\n", head(n), "\\".repeat(500_000))).into_bytes()),
        ("joined.log", lines(1, |n| format!("{}ERROR X: a.b.CException: x{}\n", head(n), "\\n\\tat a.b.C.d(E.java:1)".repeat(40_000))).into_bytes()),
        ("json.log", lines(20, |_| format!("{wrapped}\n")).into_bytes()),
        ("deep.json", format!("{{\"Event\":\"SparkListenerLogStart\",\"Spark Version\":\"3.5.1\"}}\n{{\"Event\":\"SparkListenerJobStart\",\"x\":{}\n", "[".repeat(500_000)).into_bytes()),
        ("marks.log", format!("{}{}ERROR X: a.b.CException: {}\n", failure(), head(2), "\u{301}".repeat(100_000)).into_bytes()),
        ("ends.log", ends()),
    ]
}

/// An event log of very many attempts that all failed differently.
fn ends() -> Vec<u8> {
    let mut log = "{\"Event\":\"SparkListenerLogStart\",\"Spark Version\":\"3.5.1\"}\n".to_owned();
    for n in 0..4_000 {
        let _ = writeln!(
            log,
            "{{\"Event\":\"SparkListenerTaskEnd\",\"Stage ID\":{n},\"Stage Attempt ID\":0,\"Task Type\":\"ResultTask\",\
             \"Task End Reason\":{{\"Reason\":\"ExceptionFailure\",\"Class Name\":\"a.b.C{}\",\"Description\":\"d{n}\",\"Stack Trace\":[],\
             \"Full Stack Trace\":\"a.b.C: d\\n\\tat x\"}},\"Task Info\":{{\"Task ID\":{n},\"Index\":{n},\"Attempt\":0,\"Launch Time\":1,\
             \"Executor ID\":\"{n}\",\"Host\":\"h{n}\",\"Finish Time\":2,\"Failed\":true,\"Killed\":false}}}}",
            letters(n)
        );
    }
    log.into_bytes()
}

/// A home whose folder for temporary files is its own, to see what is left in it.
fn home() -> Home {
    let home = Home::new();
    fs::create_dir(home.file("tmp")).expect("a folder");
    home
}

fn report(home: &Home, format: &str, path: &Path) -> Output {
    let mut command = home.plain(
        "sh",
        &[
            "-c",
            BOUNDED,
            program(),
            "report",
            "--all",
            "--format",
            format,
        ],
    );
    command
        .arg(path)
        .env("TMPDIR", home.file("tmp"))
        .stdin(Stdio::null());
    command.output().expect("it starts")
}

/// What is below a folder, by name.
fn below(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("a folder");
    let mut names: Vec<String> = entries
        .map(|entry| {
            entry
                .expect("readable")
                .file_name()
                .to_string_lossy()
                .into_owned()
        })
        .collect();
    names.sort();
    names
}

fn assert_clean(bytes: &[u8], what: &str) {
    let text = std::str::from_utf8(bytes).unwrap_or_else(|error| panic!("{what}: {error}"));
    let raw = text
        .chars()
        .find(|c| c.is_control() && *c != '\n' || *c == '\u{202e}');
    assert_eq!(raw, None, "{what}");
}

#[test]
fn every_attack_is_reported_or_refused_within_bounds() {
    let home = home();
    let outside = below(home.path().parent().expect("a folder"));
    assert!(!outside.iter().any(|name| name.contains("ESCAPED")));
    for (name, bytes) in attacks() {
        let path = home.file(name);
        fs::write(&path, bytes).expect("room");
        // What is raw in it is what the forms could differ in.
        let formats = if name == "raw.log" || name == "paths.zip" {
            &["json", "text", "markdown"][..]
        } else {
            &["json"]
        };
        for format in formats {
            let output = report(&home, format, &path);
            let said = String::from_utf8_lossy(&output.stderr);
            let what = format!("{name} as {format}: {:?} {said}", output.status);
            println!("{what}");
            assert!(matches!(output.status.code(), Some(0 | 2)), "{what}");
            assert!(output.status.success() || !said.is_empty(), "{what}");
            assert_clean(&output.stdout, &what);
            assert_clean(&output.stderr, &what);
            assert_eq!(below(&home.file("tmp")), [""; 0], "{what}");
        }
        fs::remove_file(&path).expect("ours");
        // No member was unpacked beside it, and nothing was kept.
        assert_eq!(below(home.path()), ["tmp"], "{name}");
    }
}

#[test]
fn every_attack_leaves_the_terminal_as_it_was() {
    for (name, bytes) in attacks() {
        let home = home();
        let path = home.file(name);
        fs::write(&path, bytes).expect("room");
        let script = format!(
            "stty -a >before; sh -c '{BOUNDED}' \"$program\" \"$log\" 2>said; echo $? >status; stty -a >after"
        );
        let mut command = home.command("sh", &["-c", &script]);
        command.env("program", program());
        command.env("log", &path);
        command.env("TMPDIR", home.file("tmp"));
        command.env("CAUSEDBY_COPY_FILE", "");
        let mut pty = Pty::start(command);
        let ended = |home: &Home| home.file("after").is_file();
        pty.wait_until("a screen or a refusal", |pty| {
            pty.text().contains("causedby") || ended(&home)
        });
        for keys in [
            "j", "G", "]c", "zR", "v", "G", "g", "v", "6", "/x\r", "n", "S",
        ] {
            if !ended(&home) {
                pty.press(keys);
                std::thread::sleep(std::time::Duration::from_millis(20));
            }
        }
        pty.wait_until("an end", |pty| {
            let ended = ended(&home);
            if !ended {
                pty.press("\x1b");
                std::thread::sleep(std::time::Duration::from_millis(150));
                pty.press("q");
            }
            ended
        });
        pty.end();
        let status = home.read("status");
        let said = home.read("said");
        println!("{name}: {} {said}", status.trim());
        assert!(
            ["0", "2"].contains(&status.trim()),
            "{name}: {status} {said}"
        );
        assert_eq!(home.read("before"), home.read("after"), "{name}");
        assert_eq!(pty.modes_left_on(), [""; 0], "{name}");
        let sent = pty.bytes();
        for raw in ["\x1b[2J\x1b]52", "\x1b]0;OWNED", "\u{202e}", "\u{9b}"] {
            let found = sent.windows(raw.len()).any(|bytes| bytes == raw.as_bytes());
            assert!(!found, "{name} sent {raw:?}");
        }
        assert_eq!(below(&home.file("tmp")), [""; 0], "{name}");
    }
}

#[test]
fn a_case_is_told_within_192_mebibytes_of_addresses() {
    let home = home();
    let path = home.file("driver.log");
    // Large enough for all threads and buffers, and for what is searched rather than read.
    fs::write(
        &path,
        lines(60_000, |n| {
            format!("{}INFO DAGScheduler: nothing\n", head(n))
        }),
    )
    .expect("room");
    // Each thread that allocates reserves 64 MiB of addresses, whatever it uses of them.
    let bounded = "ulimit -v 196608; exec \"$0\" \"$@\"";
    let mut command = home.plain("sh", &["-c", bounded, program(), "report"]);
    let output = command
        .arg(&path)
        .stdin(Stdio::null())
        .output()
        .expect("it starts");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
    assert!(
        String::from_utf8_lossy(&output.stdout).contains("IOException"),
        "{said}"
    );
}

#[test]
fn what_was_never_written_at_the_end_of_a_file_is_not_read() {
    let home = home();
    let path = home.file("driver.log");
    fs::write(&path, failure()).expect("room");
    // A tebibyte that takes no room.
    let file = fs::OpenOptions::new().write(true).open(&path);
    file.and_then(|file| file.set_len(1 << 40))
        .expect("a sparse file");
    let mut command = home.plain("sh", &["-c", BOUNDED, program(), "report"]);
    let output = command.arg(&path).stdin(Stdio::null()).output();
    let output = output.expect("it starts");
    let (told, said) = (
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr),
    );
    assert!(output.status.success(), "{said}");
    assert!(
        told.contains("IOException: deep") && !told.contains('␀'),
        "{told}"
    );
    assert!(said.contains("bytes were never written"), "{said}");
}

#[test]
fn a_folder_of_what_is_no_file_is_never_waited_for() {
    let home = home();
    let folder = home.file("logs");
    fs::create_dir_all(folder.join("deep")).expect("a folder");
    fs::write(folder.join("driver.log"), failure()).expect("room");
    let make = format!(
        "cd '{}' && mkfifo pipe && ln -s . loop && ln -s /dev/zero zero && ln -s nowhere gone && ln -s ../.. deep/up",
        folder.display()
    );
    crate::terminal::run(std::process::Command::new("sh").args(["-c", &make]));
    let _socket = std::os::unix::net::UnixListener::bind(folder.join("socket")).expect("a socket");
    let output = report(&home, "json", &folder);
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
    let told: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(told["outcome"], "failed", "{told}");
}

#[test]
fn a_log_that_changes_under_the_screen_does_it_no_harm() {
    let home = home();
    let path = home.file("driver.log");
    fs::write(&path, lines(5_000, |n| format!("{}INFO X: y\n", head(n)))).expect("room");
    let script = "stty -a >before; \"$program\" driver.log; echo $? >status; stty -a >after";
    let mut command = home.command("sh", &["-c", script]);
    command.env("program", program());
    let mut pty = Pty::start(command);
    pty.wait_for(&["IOException"]);
    pty.press("v");
    pty.wait_for(&["driver.log"]);
    let changes: [&dyn Fn(); 4] = [
        &|| fs::write(&path, "").expect("shrunk"),
        &|| fs::write(&path, failure().repeat(2_000)).expect("grown"),
        &|| fs::write(&path, vec![0; 9_000]).expect("another"),
        &|| fs::remove_file(&path).expect("gone"),
    ];
    for change in changes {
        change();
        for keys in ["G", "g", "j", "v", "zR", "G", "v", "/x\r", "n"] {
            pty.press(keys);
            std::thread::sleep(std::time::Duration::from_millis(30));
        }
    }
    // Reading again what is no longer there is told.
    pty.press("\x12");
    std::thread::sleep(std::time::Duration::from_millis(300));
    pty.wait_until("an end", |pty| {
        pty.press("q");
        std::thread::sleep(std::time::Duration::from_millis(100));
        home.file("after").is_file()
    });
    pty.end();
    assert_eq!(home.read("status").trim(), "0");
    assert_eq!(home.read("before"), home.read("after"));
}
