//! The program in a real terminal: it draws, and it leaves the terminal as it was, whatever ends it.

use std::env;
use std::fs;
use std::process::Command;
use std::thread;
use std::time::Duration;

use causedby::ui::terminal::Terminal;

use crate::terminal::{Home, Pty, clipboard_writes, program, root_line, run};

/// As much of the root line as fits into any pane.
fn head(root: &str) -> String {
    root.chars().take(24).collect()
}

/// A shell that notes the modes of its terminal, runs `line`, and notes status and modes again.
fn between_notes(home: &Home, line: &str) -> Pty {
    let script = format!("stty -a >before; {line}; echo $? >status; stty -a >after");
    let mut command = home.command("sh", &["-c", &script]);
    command.env("program", program());
    Pty::start(command)
}

/// The terminal is as the shell left it, and the program ended with `status`.
fn assert_restored(home: &Home, mut pty: Pty, status: &str) {
    pty.end();
    assert_eq!(home.read("status").trim(), status);
    assert_eq!(home.read("before"), home.read("after"));
    assert_eq!(pty.modes_left_on(), [""; 0]);
}

#[test]
fn the_first_screen_names_the_outcome_and_the_root_and_q_leaves_no_trace() {
    let home = Home::new();
    let mut pty = between_notes(&home, "\"$program\" --demo");
    pty.wait_for(&["FAILED", &head(&root_line())]);
    assert!(pty.modes_left_on().contains(&"alternate screen"));
    pty.press("q");
    assert_restored(&home, pty, "0");
}

#[test]
fn a_signal_ends_the_program_and_gives_the_terminal_back() {
    for (signal, status) in [
        ("TERM", "143"),
        ("HUP", "129"),
        ("INT", "130"),
        ("QUIT", "131"),
        ("USR1", "138"),
        ("ALRM", "142"),
        ("XCPU", "152"),
    ] {
        let home = Home::new();
        let mut pty = between_notes(&home, "sh -c 'echo $$ >pid; exec \"$program\" --demo'");
        pty.wait_for(&["FAILED"]);
        let kill = format!("kill -{signal} {}", home.read("pid"));
        run(Command::new("sh").args(["-c", &kill]));
        assert_restored(&home, pty, status);
    }
}

#[test]
fn a_panic_gives_the_terminal_back_before_its_message() {
    const SHOWN: &str = "DRAWN_BEFORE_THE_PANIC";
    if env::var_os("CAUSEDBY_TEST_PANICS").is_some() {
        // This is the process that the other half of this test runs in a terminal.
        let mut terminal = Terminal::open(true).expect("a terminal");
        terminal
            .draw(|frame| frame.render_widget(SHOWN, frame.area()))
            .expect("drawn");
        panic!("the drawing went wrong");
    }
    let home = Home::new();
    let this = env::current_exe().expect("a path");
    let script = "stty -a >before; CAUSEDBY_TEST_PANICS=1 \"$program\" --exact --nocapture \
                  pty::a_panic_gives_the_terminal_back_before_its_message; echo $? >status; stty -a >after";
    let mut command = home.command("sh", &["-c", script]);
    command.env("program", this);
    let mut pty = Pty::start(command);
    pty.end();
    let sent = String::from_utf8_lossy(&pty.bytes()).into_owned();
    let (before, after) = sent.split_once("\x1b[?1049l").expect("left");
    assert!(before.contains(SHOWN), "{sent:?}");
    assert!(!before.contains("went wrong") && after.contains("the drawing went wrong"));
    assert!(pty.text().contains("the drawing went wrong"));
    assert_restored(&home, pty, "101");
}

#[test]
fn keys_come_from_the_terminal_while_the_log_comes_through_a_pipe() {
    let home = Home::new();
    let log = "24/05/01 10:00:00 ERROR ApplicationMaster: User class threw exception: \
               java.lang.IllegalStateException: no such table\n\
               java.lang.IllegalStateException: no such table\n\tat com.acme.Job$.main(Job.scala:12)\n";
    fs::write(home.file("driver.log"), log).expect("written");
    let mut pty = between_notes(&home, "cat driver.log | \"$program\"");
    pty.wait_for(&["IllegalStateException: no such table"]);
    pty.press("q");
    assert_restored(&home, pty, "0");
}

#[test]
fn a_search_in_the_log_goes_round_both_ways_and_any_line_is_a_number_away() {
    let home = Home::new();
    let chatter = "24/05/01 10:00:00 INFO DAGScheduler: looking for more\n".repeat(500);
    let fatal = "24/05/01 10:00:00 ERROR Job: gone\njava.lang.IllegalStateException: gone\n";
    let log = format!("the first ebb\n{chatter}{fatal}{chatter}the last ebb");
    fs::write(home.file("driver.log"), log).expect("written");
    let mut pty = between_notes(&home, "\"$program\" driver.log");
    pty.wait_for(&["IllegalStateException: gone"]);
    pty.press("v/ebb\r");
    pty.wait_for(&["the last ebb", "line 1004 of 1004", "match 2 of 2"]);
    pty.press("n");
    pty.wait_for(&["the first ebb", "line 1 of 1004", "match 1 of 2"]);
    pty.press("N");
    pty.wait_for(&["the last ebb", "line 1004 of 1004", "match 2 of 2"]);
    pty.press(":502\r");
    pty.wait_for(&["ERROR Job: gone", "line 502 of 1004"]);
    pty.press("/flood\r");
    pty.wait_for(&["no match in this log"]);
    pty.press("q");
    assert_restored(&home, pty, "0");
}

#[test]
fn what_is_typed_behind_a_colon_without_end_is_dropped() {
    /// Letters that the line takes.
    const MOST: usize = 257;
    let home = Home::new();
    let chatter = "24/05/01 10:00:00 INFO DAGScheduler: looking for more\n".repeat(500);
    let fatal = "24/05/01 10:00:00 ERROR Job: gone\njava.lang.IllegalStateException: gone\n";
    fs::write(
        home.file("driver.log"),
        format!("{chatter}{fatal}{chatter}"),
    )
    .expect("written");
    let mut pty = between_notes(&home, "\"$program\" driver.log");
    pty.wait_for(&["IllegalStateException: gone"]);
    // Were one more of them kept, it would be left behind the number.
    pty.press(&format!("v:{}{}", "9".repeat(1_000), "\x7f".repeat(MOST)));
    pty.press("502\r");
    pty.wait_for(&["line 502 of 1002"]);
    pty.press("q");
    assert_restored(&home, pty, "0");
}

#[test]
fn a_stopped_program_gives_the_terminal_to_the_shell_and_draws_anew_when_called_back() {
    let home = Home::new();
    let mut command = home.command("bash", &["--norc", "--noprofile", "-i"]);
    command.env("PS1", "ready> ");
    let mut pty = Pty::start(command);
    pty.wait_for(&["ready>"]);
    pty.press(&format!("{} --demo\r", program()));
    pty.wait_for(&["FAILED"]);
    pty.press("\x1a");
    pty.wait_for(&["ready>", "Stopped"]);
    assert!(!pty.modes_left_on().contains(&"alternate screen"));
    assert!(!pty.modes_left_on().contains(&"mouse"));
    // Called into the background, it has no terminal to draw on and stops again.
    pty.press("clear; bg\r");
    pty.wait_for(&["--demo &"]);
    pty.wait_until("a second stop", |pty| {
        pty.press("\r");
        thread::sleep(Duration::from_millis(200));
        pty.text().contains("Stopped")
    });
    pty.press("clear; fg\r");
    pty.wait_for(&["FAILED", &head(&root_line())]);
    pty.press("q");
    pty.wait_for(&["ready>"]);
    pty.press("echo left:$?\r");
    pty.wait_for(&["left:0"]);
    assert!(!pty.modes_left_on().contains(&"alternate screen"));
    pty.press("exit\r");
    pty.end();
}

#[test]
fn while_it_is_stopped_every_mode_is_off_and_on_again_when_it_is_called_back() {
    const ON: [&str; 4] = [
        "alternate screen",
        "hidden cursor",
        "bracketed paste",
        "mouse",
    ];
    let by_key = |pty: &mut Pty, _: &Home| pty.press("\x1a");
    let by_signal = |_: &mut Pty, home: &Home| {
        let stop = format!("kill -TSTP {}", home.read("pid").trim());
        run(Command::new("sh").args(["-c", &stop]));
    };
    for stop in [by_key as fn(&mut Pty, &Home), by_signal] {
        let home = Home::new();
        // A shell that calls jobs back and, unlike one with a prompt, sets no mode of its own.
        let script = "set -m; tty >tty; stty -a >before
            sh -c 'echo $$ >pid; exec \"$program\" --demo'
            stty -a >stopped; echo >lent; read -r line; echo \"$line\" >heard
            fg >job; echo $? >status; stty -a >after";
        let mut command = home.command("bash", &["--norc", "--noprofile", "-c", script]);
        command.env("program", program());
        let mut pty = Pty::start(command);
        for round in 0..2 {
            pty.wait_for(&["FAILED", &head(&root_line())]);
            pty.wait_until("mode", |pty| pty.modes_left_on() == ON);
            let modes = run(Command::new("stty").args(["-a", "-F", home.read("tty").trim()]));
            assert!(
                modes.contains("-icanon") && modes.contains("-isig"),
                "{modes}"
            );
            if round == 0 {
                stop(&mut pty, &home);
                pty.wait_until("a shell", |_| home.file("lent").exists());
                assert_eq!(home.read("stopped"), home.read("before"));
                // What it wrote before it stopped may still be on its way.
                pty.wait_until("end of modes", |pty| pty.modes_left_on().is_empty());
                pty.press("a line\r");
            }
        }
        assert_eq!(home.read("heard"), "a line\n");
        pty.press("q");
        assert_restored(&home, pty, "0");
    }
}

#[test]
fn a_program_that_no_shell_could_call_back_is_not_stopped() {
    let home = Home::new();
    // Started directly, it leads its session.
    let mut pty = Pty::start(home.command(program(), &["--demo"]));
    pty.wait_for(&["FAILED"]);
    pty.press("\x1a");
    pty.press("q");
    assert!(pty.end().success());
}

#[test]
fn a_new_size_is_drawn_and_none_is_too_small() {
    let home = Home::new();
    let mut pty = between_notes(&home, "\"$program\" --demo");
    pty.wait_for(&["FAILED"]);
    for (cols, rows) in [(40, 12), (7, 2), (1, 1), (200, 60), (100, 30)] {
        pty.resize(cols, rows);
        thread::sleep(Duration::from_millis(150));
    }
    pty.wait_for(&["FAILED", &head(&root_line())]);
    pty.press("q");
    assert_restored(&home, pty, "0");
}

#[test]
fn a_terminal_that_tells_no_size_gets_the_usual_one_until_it_tells() {
    let home = Home::new();
    let footer = |pty: &Pty| pty.text().lines().position(|line| line.contains(" q quit"));
    for (told, last) in [("", 23), ("COLUMNS=90 LINES=28", 27)] {
        let line = format!("stty rows 0 cols 0; {told} \"$program\" --demo");
        let mut pty = between_notes(&home, &line);
        pty.wait_until("a footer", |pty| footer(pty) == Some(last));
        pty.resize(100, 30);
        pty.wait_until("a footer in the last line", |pty| footer(pty) == Some(29));
        pty.press("q");
        assert!(pty.end().success());
        assert_eq!(home.read("status").trim(), "0");
        assert_eq!(pty.modes_left_on(), [""; 0]);
    }
}

#[test]
fn a_terminal_that_cannot_place_text_gets_no_escape_sequence() {
    let home = Home::new();
    let mut pty = between_notes(
        &home,
        "TERM=dumb \"$program\" --demo; \"$program\" --demo | cat",
    );
    pty.end();
    assert!(!pty.bytes().contains(&b'\x1b'), "{}", pty.text());
}

#[test]
fn without_any_multiplexer_or_display_a_copy_goes_to_the_terminal_and_to_a_private_file() {
    let home = Home::new();
    let mut pty = between_notes(&home, "\"$program\" --demo");
    pty.wait_for(&["FAILED"]);
    pty.press("y");
    pty.wait_until("OSC 52", |pty| !clipboard_writes(&pty.bytes()).is_empty());
    let written = clipboard_writes(&pty.bytes());
    assert!(written[0].contains(&root_line()), "{written:?}");
    assert_eq!(home.read("causedby/last-copy.txt"), written[0]);
    pty.wait_for(&["OSC 52"]);
    pty.press("q");
    assert_restored(&home, pty, "0");
}

#[test]
fn the_doctor_looks_around_without_a_screen() {
    let home = Home::new();
    let mut pty = between_notes(&home, "\"$program\" doctor --copy");
    pty.end();
    let page = pty.text();
    for line in [
        "xterm-256color",
        "100 columns, 30 rows",
        "auto: to your terminal (OSC 52)",
    ] {
        assert!(page.contains(line), "{line} is missing:\n{page}");
    }
    let written = clipboard_writes(&pty.bytes());
    assert_eq!(written, [home.read("causedby/last-copy.txt")]);
    assert_restored(&home, pty, "0");
}

#[test]
fn a_way_to_copy_that_is_none_is_refused_and_the_flag_goes_before_the_environment() {
    let home = Home::new();
    let doctor = |arguments: &[&str]| {
        let mut command = home.plain(program(), &[&["doctor"], arguments].concat());
        command.env("CAUSEDBY_CLIPBOARD", "pigeon");
        command.output().expect("it starts")
    };
    let refused = doctor(&[]);
    assert_eq!(refused.status.code(), Some(2));
    let said = String::from_utf8_lossy(&refused.stderr);
    assert!(
        said.contains("CAUSEDBY_CLIPBOARD") && said.contains("pigeon"),
        "{said}"
    );
    let page = doctor(&["--clipboard", "file"]).stdout;
    let page = String::from_utf8_lossy(&page);
    assert!(page.contains("file: into no clipboard"), "{page}");
}

#[test]
fn without_colours_what_is_chosen_is_still_marked() {
    let home = Home::new();
    let mut pty = between_notes(&home, "NO_COLOR=1 \"$program\" --demo");
    pty.wait_for(&["FAILED"]);
    pty.press("q");
    pty.end();
    let sent = String::from_utf8_lossy(&pty.bytes()).into_owned();
    let attributes: Vec<&str> = sent
        .split("\x1b[")
        .filter_map(|rest| rest.split_once('m'))
        .map(|(numbers, _)| numbers)
        .filter(|numbers| numbers.bytes().all(|b| b.is_ascii_digit() || b == b';'))
        .collect();
    assert!(attributes.contains(&"7"), "{attributes:?}");
    let coloured = |numbers: &&str| {
        let first = numbers.split(';').next().unwrap_or_default();
        matches!(first.parse(), Ok(30..=38 | 40..=48 | 90..=107))
    };
    assert!(!attributes.iter().any(coloured), "{attributes:?}");
}

/// What a terminal sends of a mouse: a button's number, and where, counted from 1.
fn mouse(button: u8, column: u16, row: u16) -> String {
    format!("\x1b[<{button};{column};{row}M")
}

#[test]
fn the_mouse_selects_a_row_and_drags_a_border_and_can_be_left_to_the_terminal() {
    let home = Home::new();
    let mut pty = between_notes(&home, "\"$program\" --demo");
    pty.wait_for(&["1 Incidents", "ConnectionReset", "1/3 incidents"]);
    let corner = |pty: &Pty| {
        let text = pty.text();
        let line = text.lines().find(|line| line.contains("1 Incidents"));
        line.and_then(|line| line.chars().position(|c| "┐┓".contains(c)))
            .unwrap_or(0)
    };
    let before = corner(&pty);
    // The second incident; then the border beside it, ten columns to the right.
    let text = pty.text();
    let row = text
        .lines()
        .position(|line| line.contains("ConnectionReset"));
    let row = u16::try_from(row.expect("an incident")).expect("on the screen");
    pty.press(&mouse(0, 5, row + 1));
    pty.wait_for(&["2/3 incidents"]);
    let at = u16::try_from(before + 1).expect("on the screen");
    pty.press(&mouse(0, at, row + 1));
    pty.press(&mouse(32, at + 10, row + 1));
    pty.wait_until("a wider list", |pty| corner(pty) == before + 10);
    // A row of a menu: chosen by one click, done by the next.
    pty.press("Y");
    pty.wait_for(&["the code of this step"]);
    let text = pty.text();
    let row = text
        .lines()
        .position(|line| line.contains("the chain of causes"));
    let row = u16::try_from(row.expect("a row")).expect("on the screen");
    pty.press(&mouse(0, 50, row + 1));
    pty.press(&mouse(0, 50, row + 1));
    pty.wait_until("a copy", |pty| !clipboard_writes(&pty.bytes()).is_empty());
    assert!(clipboard_writes(&pty.bytes())[0].contains("caused by: "));
    pty.press("\x1bOQ");
    pty.wait_until("no mouse", |pty| !pty.modes_left_on().contains(&"mouse"));
    pty.press("q");
    assert_restored(&home, pty, "0");
    let mut pty = between_notes(&home, "\"$program\" --demo --no-mouse");
    pty.wait_for(&["FAILED"]);
    assert!(!pty.modes_left_on().contains(&"mouse"));
    pty.press("q");
    assert_restored(&home, pty, "0");
}

#[test]
fn a_failure_that_no_rule_knows_gets_a_rule_to_start_from_which_applies_at_once() {
    let home = Home::new();
    let log = |number| {
        format!(
            "26/01/05 10:00:00 INFO SparkContext: Running Spark version 3.5.1\n\
             26/01/05 10:00:02 ERROR Main: the run failed\n\
             com.vendor.wibble.UnheardException: wibble {number} is odd\n\
             \tat java.base/java.lang.Thread.run(Thread.java:840)\n"
        )
    };
    fs::write(home.file("driver.log"), log(7)).expect("written");
    let mut pty = between_notes(&home, "\"$program\" driver.log");
    pty.wait_for(&["UnheardException", "No rule knows this failure"]);
    pty.press("N");
    pty.wait_for(&[
        "your rule is begun: write in it what to do: ",
        "Your rule own-unheard-exception waits for its fix",
    ]);
    assert!(!pty.text().contains("Say what"), "{}", pty.text());
    pty.press("N");
    pty.wait_for(&["your rule is there already"]);
    // What is written in it meanwhile is told when the logs are read again.
    let rule = "causedby/rules/own-unheard-exception.toml";
    let text = home.read(rule);
    let text = text.replace("Say what to do.", "Call the vendor.");
    fs::write(home.file(rule), text).expect("written");
    pty.press("\x12");
    pty.wait_for(&["▾ Call the vendor."]);
    assert!(!pty.text().contains("Say how"), "{}", pty.text());
    pty.press("q");
    assert_restored(&home, pty, "0");
    // The next failure of its kind classifies itself.
    fs::write(home.file("next.log"), log(8)).expect("written");
    let report = run(home
        .plain(program(), &["report", "--format", "json", "next.log"])
        .current_dir(home.path()));
    assert!(report.contains("\"own-unheard-exception\""), "{report}");
    let other = log(8).replace("is odd", "is even");
    fs::write(home.file("other.log"), other).expect("written");
    let report = run(home
        .plain(program(), &["report", "--format", "json", "other.log"])
        .current_dir(home.path()));
    assert!(!report.contains("\"own-unheard-exception\""), "{report}");
}

#[test]
fn a_filter_over_the_log_shows_whole_records_with_their_traces() {
    let home = Home::new();
    let mut pty = between_notes(&home, "\"$program\" --demo");
    pty.wait_for(&["1/3 incidents"]);
    pty.press("v&Lost task 11\\.\r");
    pty.wait_for(&["lines ·"]);
    pty.press("g");
    pty.wait_for(&["Lost task 11.0", "return band_of(parse_age(text))"]);
    // The records between them, which the whole log shows there, are left out.
    let text = pty.text();
    assert!(!text.contains("Starting task"), "{text}");
    pty.press("&zzzz\r");
    pty.wait_for(&["no record matches the filter"]);
    pty.press("&\r");
    pty.wait_until("the whole log", |pty| !pty.text().contains("&zzzz"));
    pty.press("q");
    assert_restored(&home, pty, "0");
}
