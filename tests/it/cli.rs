//! In: arguments and standard input. Out: what the real program prints and how it ends.

use std::io::Write as _;
use std::process::{Command, Output, Stdio};

const PROGRAM: &str = env!("CARGO_BIN_EXE_causedby");

/// Runs the program with `input` piped in; it never has a terminal here.
fn run(arguments: &[&str], input: &str) -> Output {
    let mut child = Command::new(PROGRAM)
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    // A program that refuses its arguments does not read.
    let _ = stdin.write_all(input.as_bytes());
    drop(stdin);
    child.wait_with_output().expect("the program ends")
}

fn out(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("reports are UTF-8")
}

fn err(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).expect("messages are UTF-8")
}

#[test]
fn without_a_terminal_the_report_is_printed() {
    let output = run(&["--demo"], "");
    assert_eq!(output.status.code(), Some(0), "{}", err(&output));
    let text = out(&output);
    assert!(text.starts_with("FAILED\n"), "{text}");
    assert!(text.contains("ValueError"), "{text}");
    assert!(!text.contains('\x1b'), "{text}");
}

#[test]
fn colours_can_be_asked_for() {
    let always = run(&["--demo", "--color", "always"], "");
    assert!(out(&always).contains("\x1b["));
    let never = run(&["--color", "never", "report", "--demo"], "");
    assert!(!out(&never).contains('\x1b'));
}

#[test]
fn what_is_piped_in_is_read() {
    for arguments in [&["report", "-"][..], &["report"], &["-"], &[]] {
        let output = run(arguments, "ValueError: a bare line\n");
        assert_eq!(output.status.code(), Some(0), "{}", err(&output));
        assert!(!out(&output).is_empty());
    }
}

#[test]
fn text_that_no_run_printed_did_not_end_well() {
    for input in ["hello\n", "a note\non several lines\n"] {
        let text = out(&run(&["report"], input));
        assert!(text.starts_with("UNKNOWN\n"), "{text}");
    }
    let printed = "26/11/30 05:02:33 WARN Utils: Set SPARK_LOCAL_IP if you need to bind to another address\nrows: 12\n";
    let text = out(&run(&["report"], printed));
    assert!(text.starts_with("SUCCEEDED\n"), "{text}");
}

#[test]
fn fail_tells_by_the_status() {
    assert_eq!(run(&["report", "--demo"], "").status.code(), Some(0));
    assert_eq!(
        run(&["report", "--demo", "--fail"], "").status.code(),
        Some(1)
    );
    let well = run(
        &["report", "--fail", "-"],
        "25/03/11 02:10:17 INFO SparkContext: Running Spark version 3.5.1\n",
    );
    assert_eq!(well.status.code(), Some(0));
}

#[test]
fn root_prints_one_line() {
    let output = run(&["root", "--demo"], "");
    assert_eq!(
        out(&output),
        "ValueError: invalid literal for int() with base 10: 'unknown'\n"
    );
    let nothing = run(
        &["root", "-"],
        "25/03/11 02:10:17 INFO SparkContext: Running Spark version 3.5.1\n",
    );
    assert_eq!(
        (nothing.status.code(), out(&nothing).as_str()),
        (Some(1), "")
    );
}

#[test]
fn json_has_the_fields_of_the_contract() {
    let output = run(&["report", "--format", "json", "--demo"], "");
    let report: serde_json::Value = serde_json::from_str(&out(&output)).expect("JSON");
    let top = [
        "schema",
        "outcome",
        "spark",
        "inputs",
        "incidents",
        "stages",
        "executors",
    ];
    for field in top {
        assert!(report.get(field).is_some(), "{field}");
    }
    let incident = &report["incidents"][0];
    let fields = [
        "role",
        "title",
        "root",
        "evidence",
        "next",
        "chain",
        "side",
        "phase",
        "bucket",
        "confidence",
        "user_frame",
        "action_frame",
        "task",
        "attempts",
        "retry_verdict",
        "fixes",
        "occurrences",
    ];
    for field in fields {
        assert!(incident.get(field).is_some(), "{field}");
    }
    for field in ["input", "line", "text", "class", "message"] {
        assert!(incident["root"].get(field).is_some(), "root.{field}");
    }
}

#[test]
fn mistakes_end_with_two_and_say_what_to_do() {
    let cases: [(&[&str], &str); 7] = [
        (&["report", "/nowhere/driver.log"], "/nowhere/driver.log"),
        (&["/nowhere/driver.log"], "check the path"),
        (&["--no-such-option"], "--help"),
        (
            &["report", "--incident", "99", "--demo"],
            "there is no incident 99",
        ),
        (
            &["report", "--incident", "0", "--demo"],
            "counts them from 1",
        ),
        (&["driver.log", "report"], "behind the command"),
        (&["report"], "nothing arrived on standard input"),
    ];
    for (arguments, told) in cases {
        let output = run(arguments, "");
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(
            err(&output).contains(told),
            "{arguments:?}: {}",
            err(&output)
        );
        assert!(out(&output).is_empty(), "{arguments:?}");
    }
}

#[test]
fn a_name_cannot_write_to_the_terminal() {
    let output = run(&["report", "/nowhere/\x1b]52;c;AAAA\x07.log"], "");
    assert!(!err(&output).contains('\x1b'), "{}", err(&output));
    let output = run(&["--\x1b[2J"], "");
    assert!(!err(&output).contains('\x1b'), "{}", err(&output));
}

#[test]
fn a_reader_that_goes_away_is_no_failure() {
    let mut child = Command::new(PROGRAM)
        .args(["report", "--format", "json", "--demo"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .stdin(Stdio::null())
        .spawn()
        .expect("the program starts");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("the program ends");
    assert_eq!(output.status.code(), Some(0));
    assert!(output.stderr.is_empty(), "{}", err(&output));
}

#[test]
fn help_teaches_with_examples() {
    for arguments in [&["--help"][..], &["report", "--help"], &["root", "--help"]] {
        let output = run(arguments, "");
        assert_eq!(output.status.code(), Some(0));
        assert!(out(&output).contains("causedby"), "{}", out(&output));
        assert!(out(&output).contains("Ex"), "{}", out(&output));
    }
}

#[test]
fn completions_are_printed_for_every_shell() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let output = run(&["completions", shell], "");
        assert!(out(&output).contains("causedby"), "{shell}");
    }
}

#[test]
fn the_manual_holds_every_option_of_the_help() {
    for command in [&[][..], &["report"], &["doctor"]] {
        let help = out(&run(&[command, &["-h"]].concat(), ""));
        let page = out(&run(&[&["man"], command].concat(), ""));
        let name = [&["causedby"], command].concat().join("-");
        assert!(page.contains(&format!(".TH {name} 1")), "{page}");
        let page = page.replace('\\', "");
        let options = help
            .split_whitespace()
            .filter(|word| word.starts_with("--"));
        for option in options.map(|word| word.trim_end_matches([',', ':', '.', '`'])) {
            assert!(page.contains(option), "{name}: {option}");
        }
    }
    assert_eq!(run(&["man", "nothing"], "").status.code(), Some(2));
}

#[test]
fn doctor_tells_where_a_copy_would_go() {
    let output = run(&["doctor", "--clipboard", "file"], "");
    assert_eq!(output.status.code(), Some(0), "{}", err(&output));
    assert!(out(&output).contains("file"), "{}", out(&output));
    let refused = run(&["doctor", "--clipboard", "pigeon"], "");
    assert_eq!(refused.status.code(), Some(2));
    assert!(err(&refused).contains("osc52"), "{}", err(&refused));
}

#[test]
fn names_are_explained() {
    for name in [
        &["explain", "org.apache.spark.SparkException"][..],
        &["explain", "exit", "code", "137"],
    ] {
        let output = run(name, "");
        assert_eq!(output.status.code(), Some(0), "{name:?}");
        assert!(out(&output).trim().len() > 20, "{name:?}: {}", out(&output));
    }
    let unknown = run(&["explain", "com.acme.\x1b[2JNothing"], "");
    assert_eq!(unknown.status.code(), Some(1));
    assert!(!err(&unknown).contains('\x1b'), "{}", err(&unknown));
}

#[test]
fn rules_are_listed_and_a_folder_of_them_is_checked() {
    let listed = out(&run(&["rules", "list"], ""));
    assert!(listed.lines().count() > 50, "{listed}");
    assert!(listed.contains("guard-udf-input"), "{listed}");
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("mine.toml");
    std::fs::write(&file, "[[rule]]\nid = \"mine\"\nfamliy = \"fix-path\"\n").expect("written");
    let refused = run(
        &["rules", "check", &folder.path().display().to_string()],
        "",
    );
    assert_eq!(refused.status.code(), Some(2));
    assert!(
        err(&refused).contains("mine.toml:3:1: rule `mine`: famliy"),
        "{}",
        err(&refused)
    );
    let shown = out(&run(&["rules", "show", "unresolved-column"], ""));
    assert!(
        shown.starts_with("[[rule]]\nid = \"unresolved-column\""),
        "{shown}"
    );
    assert_eq!(shown.matches("[[rule]]").count(), 1, "{shown}");
    assert_eq!(
        run(&["rules", "show", "nothing"], "").status.code(),
        Some(2)
    );
}

#[test]
fn a_rule_is_tested_on_a_log() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("mine.toml");
    let rule = |class: &str| {
        format!(
            "[[rule]]\nid = \"mine\"\nfamily = \"fix-path\"\nbucket = \"io\"\ntitle = \"t\"\nmeans = \"m\"\nwhy = \"w\"\n\
             when = [{{ class = [\"{class}\"] }}]\ncheck = [{{ text = \"c\" }}]\nfix = [{{ text = \"f\" }}]\nguard = [{{ text = \"g\" }}]\n"
        )
    };
    let log = "Traceback (most recent call last):\n  File \"/srv/job.py\", line 3, in <module>\n    run()\nAcmeError: no rate for SEK\n";
    let test = |class: &str| {
        std::fs::write(&file, rule(class)).expect("written");
        run(&["rules", "test", &file.display().to_string(), "-"], log)
    };
    let holds = test("AcmeError");
    assert_eq!(holds.status.code(), Some(0), "{}", err(&holds));
    assert!(out(&holds).contains("best   mine"), "{}", out(&holds));
    assert_eq!(test("OtherError").status.code(), Some(1));
}

/// What the program says to a log, in JSON, when `file` in its configuration folder says `format`.
fn report_with_own_format(file: &str, format: &str, log: &str) -> Output {
    let home = tempfile::tempdir().expect("a folder");
    let own = home.path().join("causedby/formats").join(file);
    std::fs::create_dir_all(own.parent().expect("it has one")).expect("a folder");
    std::fs::write(&own, format).expect("a file");
    let driver = home.path().join("driver.log");
    std::fs::write(&driver, log).expect("a log");
    Command::new(PROGRAM)
        .args(["report", "--format", "json"])
        .arg(&driver)
        .env("XDG_CONFIG_HOME", home.path())
        .stdin(Stdio::null())
        .output()
        .expect("the program runs")
}

/// That a format was left out in words that name its file and say `why`, and the log read without it.
fn is_refused(read: &Output, why: &str) {
    assert_eq!(read.status.code(), Some(0));
    let said = err(read);
    assert!(said.contains("tides.toml") && said.contains(why), "{said}");
    assert!(out(read).contains("\"schema\": 1"), "{}", out(read));
}

#[test]
fn shippers_of_ones_own_are_read_and_checked() {
    let log = "<<tide-7 Traceback (most recent call last):\n<<tide-8 moon\n<<tide-7   File \"t.py\", line 3, in <module>\n<<tide-8 full\n<<tide-7     ebb()\n<<tide-7 LowWater: 3 cm\n";
    let report = |rest: &str| {
        let shipper = format!(
            "name = \"tides\"\nabout = \"Ours.\"\nprefix = '^<<(?<stream>\\S+) '\nwhen = \"always\"\n\n[[sample]]\nline = '<<gauge low'\nrest = '{rest}'\nstream = 'gauge'\n"
        );
        report_with_own_format("shippers/tides.toml", &shipper, log)
    };
    let read = out(&report("low"));
    assert!(read.contains("\"text\": \"LowWater: 3 cm\""), "{read}");
    is_refused(&report("high"), "is left `low`");
}

#[test]
fn layouts_of_ones_own_are_read_and_checked() {
    let log = "<<WARN>> TaskSetManager >> Lost task 0.0 in stage 1.0 (TID 3) (h executor 1): java.lang.IllegalStateException: ebb\n";
    let report = |level: &str| {
        let layout = format!(
            "name = \"tides\"\nabout = \"Ours.\"\nhead = '''^<<{{level}}>> {{logger}} >> '''\n\n[[sample]]\nline = '''<<WARN>> Gauge >> low'''\nlevel = '''{level}'''\nlogger = '''Gauge'''\nmessage = '''low'''\n"
        );
        report_with_own_format("tides.toml", &layout, log)
    };
    let read = out(&report("WARN"));
    assert!(read.contains("\"executor\": \"1\""), "{read}");
    is_refused(&report("ERROR"), "level is read otherwise");
}

#[test]
fn a_reader_that_has_seen_enough_ends_it_without_a_word() {
    for line in [
        "report --all --demo",
        "report --format json --demo",
        "--demo",
        "man",
        "completions bash",
        "explain exit code 137",
    ] {
        let script = format!(
            "{{ {{ {PROGRAM} {line}; echo status:$? >&3; }} 2>&3 | head -c 1 >/dev/null; }} 3>&1"
        );
        let output = Command::new("sh").args(["-c", &script]).output();
        assert_eq!(out(&output.expect("a shell")), "status:0\n", "{line}");
    }
}

#[test]
fn a_path_with_a_line_end_forges_no_line() {
    let refused = run(&["report", "/nowhere/x\ncausedby: all is well"], "");
    assert_eq!(refused.status.code(), Some(2));
    assert_eq!(
        err(&refused).trim_end().lines().count(),
        1,
        "{}",
        err(&refused)
    );
}

#[test]
fn an_output_that_takes_nothing_is_told_and_ends_with_2() {
    for (line, why) in [
        ("report --demo >/dev/full", "No space left"),
        ("--version >/dev/full", "No space left"),
    ] {
        let script = format!("{PROGRAM} {line}");
        let output = Command::new("sh").args(["-c", &script]).output();
        let output = output.expect("a shell");
        assert_eq!(output.status.code(), Some(2), "{line}");
        assert!(err(&output).contains(why), "{line}: {}", err(&output));
    }
}

#[test]
fn tabs_become_spaces_but_in_json() {
    let log = "24/05/01 10:00:00 ERROR Job: failed\tbadly\njava.lang.IllegalStateException: a\tb\tc\n\tat com.acme.Job.main(Job.scala:12)\n";
    let json = out(&run(&["report", "--format", "json", "-"], log));
    assert!(json.contains(r"IllegalStateException: a\tb\tc"), "{json}");
    for arguments in [
        &["report", "--all", "-"][..],
        &["report", "--format", "markdown", "-"],
        &["root", "-"],
        &["report", "a\tb"],
    ] {
        let output = run(arguments, log);
        let told = out(&output) + &err(&output);
        assert!(!told.contains('\t'), "{arguments:?}: {told}");
        let root = "java.lang.IllegalStateException: a  b   c";
        assert!(told.contains(root) || told.contains("a   b"), "{told}");
    }
}
