//! In: the program under the eye of strace. Out: what it reached for beyond what it was given to open: nothing.

use std::fs;
use std::io::Write as _;
use std::os::unix::fs::MetadataExt as _;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::terminal::{DEADLINE, Home, Pty, need, program};

/// What reaches out, is run, or changes a file.
const WATCHED: &str = "trace=%network,execve,open,openat,openat2,creat,unlink,unlinkat,rename,renameat,renameat2,mkdir,mkdirat,\
                       symlink,symlinkat,link,linkat,truncate,chmod,fchmod,fchmodat,mknod,mknodat,ptrace,mount";

/// The calls that the program makes under strace, each on a line; those that failed are left out.
fn calls(home: &Home, arguments: &[&str]) -> Vec<String> {
    need("strace", "strace");
    let mut command = home.plain(
        "strace",
        &["-f", "-qq", "-e", WATCHED, "-o", "calls", program()],
    );
    fs::create_dir_all(home.file("tmp")).expect("a folder");
    command.args(arguments).env("TMPDIR", home.file("tmp"));
    let output = command.stdin(Stdio::null()).output().expect("it starts");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(
        output.status.code().is_some_and(|code| code < 3),
        "{:?} {said}",
        output.status
    );
    let calls = home.read("calls");
    assert!(calls.contains("execve("), "nothing was traced: {said}");
    calls
        .lines()
        .filter(|call| !call.contains(" = -1 "))
        .map(str::to_owned)
        .collect()
}

/// Whether a call only reads, or writes where it may: a nameless file in the folder for temporary ones, made its owner's alone.
fn is_harmless(call: &str) -> bool {
    let opens = call.contains("openat(") || call.contains("open(");
    let reads = opens
        && call.contains("O_RDONLY")
        && !["O_CREAT", "O_TRUNC"]
            .iter()
            .any(|flag| call.contains(flag));
    let nameless = call.contains("/tmp\"") && call.contains("O_TMPFILE");
    let private = call.contains("fchmod(") && call.contains(", 0600)");
    let terminal = call.contains("\"/dev/tty\"") || call.contains("\"/dev/null\"");
    let ended = call.contains("+++")
        || call.contains("---")
        || call.contains("resumed>")
        || call.contains("<unfinished");
    reads || nameless || private || terminal || ended
}

#[test]
fn nothing_is_run_called_or_written_beyond_what_was_asked_for() {
    let home = Home::new();
    let log = home.file("driver.log");
    let hostile = "Traceback (most recent call last):\n  File \"$(touch OWNED)\", line 1, in `touch OWNED`\n\
                   ConnectionError: http://127.0.0.1:9/x ; touch OWNED\n";
    fs::write(&log, hostile).expect("a log");
    let packed = home.file("logs.gz");
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    // Large enough to be kept in a file.
    gzip.write_all(hostile.repeat(20_000).as_bytes())
        .expect("memory");
    fs::write(&packed, gzip.finish().expect("memory")).expect("a file");
    for arguments in [
        &["report", "--all", log.to_str().expect("UTF-8")][..],
        &[
            "report",
            "--format",
            "json",
            packed.to_str().expect("UTF-8"),
        ],
        &["report", "--demo"],
        &["root", log.to_str().expect("UTF-8")],
        &["explain", "exit code 137"],
        &["rules"],
    ] {
        let calls = calls(&home, arguments);
        let mut started = 0;
        for call in &calls {
            if call.contains("execve(") {
                started += 1;
                continue;
            }
            assert!(is_harmless(call), "{arguments:?}: {call}");
        }
        assert_eq!(started, 1, "{arguments:?} ran another program");
        assert!(!home.file("OWNED").exists());
        assert_eq!(fs::read_dir(home.file("tmp")).expect("a folder").count(), 0);
    }
}

/// Whether a call is one of those with which the screen talks to itself, keeps a copy or where it stood, in its own folder.
fn is_the_screens(call: &str, own: &str) -> bool {
    let itself = call.contains("socketpair(AF_UNIX")
        || (call.contains("sendto(") || call.contains("recvfrom(")) && call.contains("NULL");
    let makes = ["openat(", "rename(", "renameat", "unlink", "mkdir"]
        .iter()
        .any(|name| call.contains(name));
    let paths: Vec<&str> = call.split('"').skip(1).step_by(2).collect();
    itself || makes && !paths.is_empty() && paths.iter().all(|path| path.starts_with(own))
}

#[test]
fn the_screen_runs_calls_and_writes_nothing_beyond_what_was_asked_for() {
    need("strace", "strace");
    let home = Home::new();
    fs::create_dir(home.file("tmp")).expect("a folder");
    let hostile = "Traceback (most recent call last):\n  File \"job.py\", line 1, in `touch OWNED`\n    f()\n\
                   ConnectionError: http://127.0.0.1:9/x ; touch OWNED\n";
    fs::write(home.file("driver.log"), hostile).expect("a log");
    fs::write(home.file("job.py"), "f('$(touch OWNED)')\n").expect("a source");
    let watched = ["-f", "-qq", "-e", WATCHED, "-o", "calls", program()];
    let mut command = home.command("strace", &watched);
    command.args(["--clipboard", "osc52", "driver.log", "job.py"]);
    command.env("TMPDIR", home.file("tmp"));
    let mut pty = Pty::start(command);
    pty.wait_for(&["ConnectionError"]);
    // The log, a search in it and a filter; the code view; every copy; the way back here; following; all panes.
    for keys in [
        "v", "G", "/touch\r", "n", "&boom\r", "&\r", "v", "3", "\r", "\x1b", "K", "\x1b", "y",
        "Y1", "Y2", "Y3", "Y4", "Y5", "Y6", "Y7", "Y8", ":share\r", "\x1b", "F", "4", "5", "6",
        "7", "1", "F", "\x1b[15~", "S", "?", "\x1b", "zR", "G",
    ] {
        pty.press(keys);
        std::thread::sleep(Duration::from_millis(120));
    }
    pty.wait_until("an end", |pty| {
        pty.press("\x1b");
        std::thread::sleep(Duration::from_millis(200));
        pty.press("q");
        std::thread::sleep(Duration::from_millis(200));
        !pty.modes_left_on().contains(&"alternate screen")
    });
    pty.end();
    let own = home.file("causedby").display().to_string();
    let calls = home.read("calls");
    let done = calls.lines().filter(|call| !call.contains(" = -1 "));
    let mut started = 0;
    for call in done {
        if call.contains("execve(") {
            started += 1;
            continue;
        }
        assert!(is_harmless(call) || is_the_screens(call, &own), "{call}");
    }
    assert_eq!(started, 1, "it ran another program");
    assert!(calls.contains("last-copy.txt"), "nothing was copied");
    assert!(!home.file("OWNED").exists());
    assert_eq!(fs::read_dir(home.file("tmp")).expect("a folder").count(), 0);
    // What it wrote is its owner's alone.
    for entry in fs::read_dir(home.file("causedby"))
        .expect("its folder")
        .flatten()
    {
        let found = entry.metadata().expect("there");
        assert!(
            found.is_dir() || found.mode().trailing_zeros() >= 6,
            "{:?}",
            entry.path()
        );
    }
}

#[test]
fn what_is_piped_in_is_kept_where_nobody_else_reads_it_and_goes_however_it_ends() {
    for signal in ["TERM", "KILL"] {
        let home = Home::new();
        fs::create_dir(home.file("tmp")).expect("a folder");
        let mut command = home.plain(program(), &["report", "-"]);
        command
            .env("TMPDIR", home.file("tmp"))
            .stdin(Stdio::piped())
            .stdout(Stdio::null());
        let mut child = command.spawn().expect("it starts");
        let mut pipe = child.stdin.take().expect("a pipe");
        pipe.write_all(b"ValueError: x\n").expect("it is read");
        let spool = await_spool(child.id());
        assert_eq!(spool.mode() & 0o777, 0o600);
        assert_eq!(spool.nlink(), 0, "it has a name");
        assert_eq!(fs::read_dir(home.file("tmp")).expect("a folder").count(), 0);
        let kill = format!("kill -{signal} {}", child.id());
        assert!(
            Command::new("sh")
                .args(["-c", &kill])
                .status()
                .expect("a shell")
                .success()
        );
        assert!(!child.wait().expect("ours").success());
        assert_eq!(fs::read_dir(home.file("tmp")).expect("a folder").count(), 0);
    }
}

/// The file in which a process keeps what is piped in, once it has one.
fn await_spool(process: u32) -> fs::Metadata {
    let start = Instant::now();
    loop {
        let open = fs::read_dir(format!("/proc/{process}/fd"))
            .into_iter()
            .flatten()
            .flatten();
        let mut files = open.filter_map(|entry| fs::metadata(entry.path()).ok());
        if let Some(spool) = files.find(|file| file.is_file() && file.len() == 14) {
            return spool;
        }
        assert!(start.elapsed() < DEADLINE, "nothing is kept");
        std::thread::sleep(Duration::from_millis(20));
    }
}
