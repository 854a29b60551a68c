//! In: files that may not be read, are none, change while they are open, or find no room to be unpacked. Out: nobody waits for
//! them, nothing breaks, and what was read is still told.

use std::fs::{self, File};
use std::io::Write as _;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::Duration;

use crate::terminal::{Home, Pty, need, program, run};

const FATAL: &str = "24/01/02 03:04:05 ERROR Job: failed\njava.lang.IllegalStateException: no such table\n\
                     \tat com.acme.Job$.main(Job.scala:12)\n";

/// A failure, and so much that says nothing behind it.
fn log(lines: usize) -> String {
    FATAL.to_owned()
        + &"24/01/02 03:04:06 INFO DAGScheduler: looking for newly runnable stages\n".repeat(lines)
}

fn make_fifo(path: &Path) {
    run(Command::new("mkfifo").arg(path));
}

fn report(command: &mut Command) -> (Option<i32>, String, String) {
    let Output {
        status,
        stdout,
        stderr,
    } = command.output().expect("it starts");
    let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
    (status.code(), text(stdout), text(stderr))
}

#[test]
fn what_is_no_file_is_named_and_never_waited_for() {
    let home = Home::new();
    make_fifo(&home.file("fifo.log"));
    let socket = std::os::unix::net::UnixListener::bind(home.file("socket.log")).expect("a socket");
    std::os::unix::fs::symlink("loop.log", home.file("loop.log")).expect("a link");
    std::os::unix::fs::symlink("/dev/zero", home.file("zero.log")).expect("a link");
    for (path, reason) in [
        ("fifo.log", "a pipe"),
        ("socket.log", "a socket"),
        ("loop.log", "cannot be read"),
        ("zero.log", "a device"),
        ("/dev/urandom", "a device"),
        ("/proc/self/mem", "cannot"),
        ("none.log", "no such file"),
    ] {
        let (status, told, said) = report(&mut home.plain(program(), &["report", path]));
        assert_eq!(status, Some(2), "{path}: {told}{said}");
        assert!(said.contains(reason), "{path}: {said}");
    }
    drop(socket);
    // Beside them a log is read, and they are named.
    fs::write(home.file("a.log"), log(9)).expect("a log");
    let folder = home.path().display().to_string();
    let (status, told, said) = report(&mut home.plain(program(), &["report", &folder]));
    assert_eq!(status, Some(0), "{said}");
    assert!(told.contains("no such table"), "{told}");
    assert!(
        said.contains("fifo.log") && said.contains("socket.log"),
        "{said}"
    );
}

#[test]
fn who_may_not_read_everything_is_told_what_was_left_out() {
    need("setpriv", "util-linux");
    let home = Home::new();
    let folder = tempfile::tempdir().expect("a folder");
    let open = |path: &Path, mode| {
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).expect("ours");
    };
    open(folder.path(), 0o755);
    let ours = folder.path().join("causedby");
    fs::copy(program(), &ours).expect("room");
    let logs = folder.path().join("logs");
    fs::create_dir_all(logs.join("closed")).expect("a folder");
    fs::write(logs.join("driver.log"), log(9)).expect("a log");
    fs::write(logs.join("closed/stderr"), log(9)).expect("a log");
    fs::write(logs.join("other.log"), log(9)).expect("a log");
    open(&logs.join("closed"), 0o000);
    open(&logs.join("other.log"), 0o000);
    let is_root = fs::metadata("/proc/self").expect("a process").uid() == 0;
    let as_nobody = |path: &Path| {
        let mut command = if is_root {
            let mut command = home.plain(
                "setpriv",
                &["--reuid=65534", "--regid=65534", "--clear-groups"],
            );
            command.arg(&ours);
            command
        } else {
            home.plain(ours.to_str().expect("UTF-8"), &[])
        };
        command.current_dir("/").env("TMPDIR", "/none");
        // Its home is somebody else's, too.
        command.arg("report").arg(path);
        report(&mut command)
    };
    let (status, told, said) = as_nobody(&logs);
    assert_eq!(status, Some(0), "{said}");
    assert!(told.contains("no such table"), "{told}");
    for left_out in ["closed", "other.log"] {
        let named = said
            .lines()
            .any(|line| line.contains(left_out) && line.contains("may not be read by you"));
        assert!(named, "{left_out}: {said}");
    }
    for path in [logs.join("other.log"), logs.join("closed")] {
        let (status, _, said) = as_nobody(&path);
        assert_eq!(status, Some(2), "{said}");
        assert!(said.contains("may not be read by you"), "{said}");
    }
    open(&logs.join("closed"), 0o755);
}

/// The log again, packed.
fn packed(path: &Path, plain: &[u8]) {
    let file = File::create(path).expect("a file");
    let mut gzip = flate2::write::GzEncoder::new(file, flate2::Compression::fast());
    gzip.write_all(plain).expect("room");
    gzip.finish().expect("room");
}

#[test]
fn where_a_disk_is_full_what_was_kept_before_is_told() {
    let home = Home::new();
    fs::create_dir(home.file("tmp")).expect("a folder");
    let plain = log(80_000);
    fs::write(home.file("driver.log"), &plain).expect("a log");
    packed(&home.file("driver.log.gz"), plain.as_bytes());
    // No file may grow past 2 MiB: what a full disk says, without one.
    for (script, reason) in [
        (
            "cat driver.log | \"$program\" report -",
            "because they cannot be kept",
        ),
        ("\"$program\" report driver.log.gz", "cannot be kept"),
    ] {
        let script = format!("ulimit -f 4096; {script}");
        let mut command = home.plain("sh", &["-c", &script]);
        command
            .env("program", program())
            .env("TMPDIR", home.file("tmp"));
        let output = command.stdin(Stdio::null()).output().expect("it starts");
        let told = String::from_utf8_lossy(&output.stdout);
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(0), "{said}");
        assert!(told.contains("no such table"), "{told}");
        for part in ["only its first", reason, "set TMPDIR"] {
            assert!(said.contains(part), "`{part}` is not in {said}");
        }
    }
}

#[test]
fn what_brings_no_text_without_an_end_is_given_up() {
    let home = Home::new();
    for device in ["/dev/zero", "/dev/urandom"] {
        let mut command = home.plain(program(), &["report", "-"]);
        command.stdin(File::open(device).expect("a device"));
        let (status, told, said) = report(&mut command);
        assert_eq!(status, Some(2), "{device}: {told}{said}");
        assert!(said.contains("cannot read stdin"), "{device}: {said}");
    }
}

#[test]
fn without_a_folder_for_temporary_files_memory_takes_their_place_up_to_a_limit() {
    let home = Home::new();
    for (lines, whole) in [(60_000, true), (1_000_000, false)] {
        fs::write(home.file("driver.log"), log(lines)).expect("a log");
        let mut command = home.plain("sh", &["-c", "cat driver.log | \"$program\" report -"]);
        command.env("program", program()).env("TMPDIR", "/none");
        let (status, told, said) = report(&mut command);
        assert_eq!(status, Some(0), "{said}");
        assert!(told.contains("no such table"), "{told}");
        assert_eq!(said.is_empty(), whole, "{said}");
        if !whole {
            for part in ["only its first", "memory takes 64 MiB", "set TMPDIR"] {
                assert!(said.contains(part), "`{part}` is not in {said}");
            }
        }
    }
}

#[test]
fn a_log_that_shrinks_goes_or_becomes_something_else_under_the_screen_breaks_nothing() {
    let home = Home::new();
    let path = home.file("driver.log");
    fs::write(&path, log(40_000)).expect("a log");
    let script = "stty -a >before; \"$program\" driver.log; echo $? >status; stty -a >after";
    let mut command = home.command("sh", &["-c", script]);
    command.env("program", program());
    let mut pty = Pty::start(command);
    pty.wait_for(&["no such table"]);
    let look = |pty: &mut Pty| {
        for keys in [
            "v",
            "G",
            "g",
            "/stages\r",
            "n",
            "v",
            "3",
            "G",
            "zR",
            "4",
            "6",
            "y",
            "1",
        ] {
            pty.press(keys);
            std::thread::sleep(Duration::from_millis(30));
        }
    };
    // Cut short in the middle of what is shown, then to nothing.
    let file = File::options().write(true).open(&path).expect("ours");
    for length in [70, 0] {
        file.set_len(length).expect("ours");
        look(&mut pty);
    }
    fs::write(&path, log(9)).expect("a log");
    pty.press("\x1b[15~");
    pty.wait_for(&["no such table"]);
    fs::set_permissions(&path, fs::Permissions::from_mode(0o000)).expect("ours");
    pty.press("\x1b[15~");
    look(&mut pty);
    fs::remove_file(&path).expect("ours");
    look(&mut pty);
    pty.press("\x1b[15~");
    look(&mut pty);
    // Followed, while a pipe, a folder and another log take its place.
    pty.press("F");
    make_fifo(&path);
    look(&mut pty);
    fs::remove_file(&path).expect("ours");
    fs::create_dir(&path).expect("ours");
    look(&mut pty);
    fs::remove_dir(&path).expect("ours");
    fs::write(&path, log(2)).expect("a log");
    pty.press("\x1b[15~");
    pty.wait_for(&["no such table"]);
    pty.press("q");
    pty.end();
    assert_eq!(home.read("status").trim(), "0");
    assert_eq!(home.read("before"), home.read("after"));
    assert_eq!(pty.modes_left_on(), [""; 0]);
}

#[test]
fn a_pipe_in_the_place_of_one_of_very_many_logs_is_not_waited_for() {
    let home = Home::new();
    let logs = home.file("logs");
    fs::create_dir(&logs).expect("a folder");
    // So many are not held open.
    for n in 0..230 {
        fs::write(
            logs.join(format!("a{n}.log")),
            "24/01/02 03:04:05 INFO X: y\n",
        )
        .expect("a log");
    }
    let last = logs.join("z.log");
    fs::write(&last, log(9)).expect("a log");
    let mut pty = Pty::start(home.command(program(), &["logs"]));
    pty.wait_for(&["no such table"]);
    fs::remove_file(&last).expect("ours");
    make_fifo(&last);
    for keys in ["v", "G", "v", "3", "zR", "G", "S", "S", "y"] {
        pty.press(keys);
        std::thread::sleep(Duration::from_millis(50));
    }
    pty.press("q");
    assert!(pty.end().success());
}
