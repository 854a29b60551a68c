//! In: settings, keys, themes, rules and layouts as nobody in his senses writes them. Out: the program goes on without them or says
//! what is wrong; it waits for nothing, takes no memory beyond its bounds, and prints nothing raw.

use std::fs;
use std::process::{Command, Stdio};

use crate::terminal::{Home, Pty, program, run};

const BOUNDED: &str = "ulimit -v 1048576; ulimit -t 40; exec \"$0\" \"$@\"";

/// What such a file may hold.
fn texts() -> Vec<(&'static str, Vec<u8>)> {
    vec![
        ("nothing", Vec::new()),
        ("too long", "# a remark\n".repeat(200_000).into_bytes()),
        ("no text", b"\xff\xfe\0\x01".repeat(99)),
        ("deep", format!("a = {}", "[".repeat(200_000)).into_bytes()),
        (
            "deep tables",
            format!("[{}a]\n", "a.".repeat(100_000)).into_bytes(),
        ),
        (
            "escapes",
            b"\"\\u001b]0;OWNED\\u0007\" = \"\\u001b[2J\\u202e\"\n".to_vec(),
        ),
        ("raw escapes", b"\x1b]0;OWNED\x07 = 1\n".to_vec()),
        (
            "many",
            (0..20_000)
                .flat_map(|n| {
                    format!(
                        "k{n} = {n}
"
                    )
                    .into_bytes()
                })
                .collect(),
        ),
    ]
}

/// Says what the program does with such a file; it may be used or refused.
fn told(home: &Home, arguments: &[&str]) -> (i32, String) {
    let mut command = home.plain("sh", &["-c", BOUNDED, program()]);
    command.args(arguments).stdin(Stdio::null());
    let output = command.output().expect("it starts");
    let status = output.status.code().expect("no signal ends it");
    let said = String::from_utf8(output.stderr).expect("UTF-8");
    for text in [&said, &String::from_utf8(output.stdout).expect("UTF-8")] {
        let raw = text
            .chars()
            .find(|c| c.is_control() && *c != '\n' || *c == '\u{202e}');
        assert_eq!(raw, None, "{arguments:?}: {text}");
    }
    assert!(
        !said.contains("a fault in causedby"),
        "{arguments:?}: {said}"
    );
    assert!(
        status == 0 || status == 2 && !said.is_empty(),
        "{arguments:?}: {status} {said}"
    );
    (status, said)
}

/// Each kind of file, and what reads it.
const KINDS: [(&str, &[&str]); 5] = [
    ("config.toml", &["--print-config", "--demo"]),
    ("keymap.toml", &["--print-keys", "--demo"]),
    (
        "themes/own.toml",
        &["--theme", "own", "--print-config", "--demo"],
    ),
    ("rules/own.toml", &["report", "--demo"]),
    ("formats/own.toml", &["report", "--demo"]),
];

#[test]
fn whatever_ones_own_files_hold_is_used_or_refused() {
    for (name, arguments) in KINDS {
        let home = Home::new();
        let path = home.file("causedby").join(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        for (what, text) in texts() {
            fs::write(&path, text).expect("room");
            println!("{name}: {what}: {:?}", told(&home, arguments));
        }
    }
}

#[test]
fn what_is_no_file_in_the_place_of_ones_own_is_not_waited_for() {
    for (name, arguments) in KINDS {
        let home = Home::new();
        let path = home.file("causedby").join(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        run(Command::new("mkfifo").arg(&path));
        for other in ["a pipe", "/dev/zero", "/nowhere"] {
            if other.starts_with('/') {
                fs::remove_file(&path).expect("ours");
                std::os::unix::fs::symlink(other, &path).expect("a link");
            }
            // Nor is it passed over in silence.
            let (_, said) = told(&home, arguments);
            assert!(said.contains(name), "{name}, {other}: {said}");
        }
    }
    let home = Home::new();
    run(Command::new("mkfifo").arg(home.file("fifo")));
    for option in ["--theme", "--keymap"] {
        for path in ["./fifo", "/dev/zero"] {
            let (status, said) = told(&home, &[option, path, "--print-keys", "--demo"]);
            assert!(status == 2 || said.is_empty(), "{option} {path}: {said}");
        }
    }
}

/// Patterns that cost a lot to compile or, elsewhere, to match.
const HEAVY: [&str; 6] = [
    "(a+)+$",
    "(.*)*(.*)*(.*)*x",
    "((a{100}){100}){100}",
    r"(\w{0,300}x){40}",
    "(.{0,500}b){3}",
    "(",
];

#[test]
fn heavy_patterns_of_rules_and_layouts_are_refused_or_cheap() {
    let home = Home::new();
    let log = home.file("driver.log");
    let long = "a".repeat(200_000);
    let failures = (0..200).fold(String::new(), |log, n| {
        log + &format!("24/01/02 03:04:05 ERROR Job: failed\ncom.acme.A{}Exception: {}\n\tat a.B.c(B.java:1)\n", "x".repeat(n), &long[..16_000])
    });
    fs::write(&log, failures).expect("a log");
    let rules = home.file("causedby/rules");
    let formats = home.file("causedby/formats");
    fs::create_dir_all(&rules).expect("a folder");
    fs::create_dir_all(&formats).expect("a folder");
    for pattern in HEAVY {
        let rule = format!(
            "[[rule]]\nid = \"heavy\"\nfamily = \"handle-external-errors\"\nbucket = \"io\"\ntitle = \"x\"\nmeans = \"x\"\nwhy = \"x\"\n\
             when = [{{ message = '{pattern}' }}]\ncheck = [{{ text = \"x\" }}]\nfix = [{{ text = \"x\" }}]\nguard = [{{ text = \"x\" }}]\n"
        );
        fs::write(rules.join("own.toml"), rule).expect("room");
        println!("{pattern}: {:?}", told(&home, &["report", "driver.log"]));
        fs::remove_file(rules.join("own.toml")).expect("ours");
        let layout = format!(
            "name = \"heavy\"\nabout = \"x\"\nhead = '^{pattern}'\n\n[[sample]]\nline = \"aaa\"\nmessage = \"aaa\"\n"
        );
        fs::write(formats.join("own.toml"), layout).expect("room");
        println!("{pattern}: {:?}", told(&home, &["report", "driver.log"]));
        fs::remove_file(formats.join("own.toml")).expect("ours");
    }
}

#[test]
fn what_is_wrong_in_one_file_of_rules_leaves_the_others_in_use() {
    let home = Home::new();
    let rules = home.file("causedby/rules");
    fs::create_dir_all(&rules).expect("a folder");
    let rule = |id: &str, more: &str| {
        format!(
            "[[rule]]\nid = \"{id}\"\nfamily = \"handle-external-errors\"\nbucket = \"io\"\ntitle = \"Call the vendor\"\nmeans = \"x\"\nwhy = \"x\"\n\
             when = [{{ class = [\"com.vendor.WibbleException\"] }}]\ncheck = [{{ text = \"x\" }}]\nfix = [{{ text = \"x\" }}]\nguard = [{{ text = \"x\" }}]\n{more}"
        )
    };
    fs::write(rules.join("good.toml"), rule("mine", "")).expect("room");
    fs::write(rules.join("broken.toml"), "[[rule]\n").expect("room");
    fs::write(rules.join("twice.toml"), rule("mine", "")).expect("room");
    fs::write(
        rules.join("alone.toml"),
        rule("alone", "also = [\"not-there\"]\n"),
    )
    .expect("room");
    let log = home.file("driver.log");
    fs::write(
        &log,
        "26/01/05 10:00:02 ERROR Main: failed\ncom.vendor.WibbleException: odd\n\tat a.B.c(B.java:1)\n",
    )
    .expect("room");
    let (status, said) = told(&home, &["report", "driver.log"]);
    assert_eq!(status, 0, "{said}");
    let (status, checked) = told(&home, &["rules", "check"]);
    assert_eq!(status, 2, "{checked}");
    for said in [&said, &checked] {
        for name in ["broken.toml:1", "twice.toml", "alone.toml"] {
            assert!(said.contains(name), "{name}: {said}");
        }
        assert!(!said.contains("good.toml"), "{said}");
    }
    let report = run(home
        .plain(program(), &["report", "driver.log"])
        .current_dir(home.path()));
    assert!(report.contains("Call the vendor"), "{report}");
    let page = run(&mut home.plain(program(), &["doctor"]));
    assert!(
        page.contains("not used") && page.contains("broken.toml:1"),
        "{page}"
    );
    let mut pty = Pty::start(home.command(program(), &["--demo"]));
    pty.wait_for(&["FAILED", "not used, and 2 more (`causedby doctor`)"]);
    pty.press("q");
    assert!(pty.end().success());
}
