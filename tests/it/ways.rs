//! Ways about the screen: to a row by its letters, to a file, to another incident and back, to anything by way of the help.

use crate::screens::{DEMO, Screen};
use causedby::load::{self, Case, Options};
use causedby::source::{Kind, Sources};
use causedby::text::Place;
use causedby::ui::Wanted;
use insta::assert_snapshot;
use std::path::Path;
use std::sync::{Arc, LazyLock};

/// The real log of a task whose attempts each failed of something else.
static FLAKY: LazyLock<Arc<Case>> = LazyLock::new(|| {
    let log = include_bytes!("../cases/flaky-udf-4.1/input/driver.log");
    let mut sources = Sources::default();
    sources.add_memory("driver.log", log.to_vec());
    Arc::new(load::load(sources, &Options::default()))
});

#[test]
fn chain_and_trace_are_those_of_the_attempt_that_ended_in_another_way() {
    let first = Screen::of(&FLAKY, 120, 36);
    let second = Screen::of(&FLAKY, 120, 36).keys("4 [ r [ r");
    let text = second.text();
    for told in [
        "2 Causes of attempt 2 of 4",
        "3 Trace of attempt 2 of 4",
        "│▶ ConnectionResetError: [Errno 104] Connection reset by peer",
        " attempt 2 of 4 (retry 1): task 1.1 in stage 3.0, TID 6, driver · another cause, shown here; r: back",
    ] {
        assert!(text.contains(told), "{told}:\n{text}");
    }
    assert_eq!(second.app.selection().incident, Some(0), "{text}");
    // A spot in words leads there, too, and a fold is found again as it was left.
    let mut there = Screen::of(&FLAKY, 120, 36);
    there.app.open_at(&second.app.at());
    assert_eq!(there.app.selection(), second.app.selection());
    let unfolded = second.keys("3 z R").text();
    assert!(!unfolded.contains("⋯"), "{unfolded}");
    let back = there.keys("3 z R r 4 [ r [ r 3");
    assert!(!back.text().contains("⋯"), "{}", back.text());
    assert_eq!(back.keys("r").text(), first.keys("4 3 r").text());
}

#[test]
fn attempts_of_other_tasks_lead_to_the_trace_that_the_drivers_log_prints() {
    let bundle =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases/pandas-udf-length-4.1/input");
    let case = load::load(Sources::open(&[bundle]), &Options::default());
    let of_log = |place: &Place| {
        let source = case.sources.get(place.source);
        source.is_some_and(|source| source.kind == Kind::DriverLog)
    };
    let others = &case.story.incidents[0].others;
    assert!(others.len() > 1, "{others:?}");
    for other in others {
        // Duration and memory are told by the event log alone.
        assert!(other.launched.is_some(), "{other:?}");
        assert!(other.place.as_ref().is_some_and(of_log), "{other:?}");
    }
    let screen = Screen::of(&Arc::new(case.clone()), 100, 40).keys("4");
    let text = screen.text();
    let heading = text.find("other tasks that failed").expect(&text);
    let first = format!(" {} ✗", others[0].number());
    assert!(text[heading..].contains(&first), "{text}");
    assert!(!text[..heading].contains(&first), "{text}");
}

#[test]
fn the_steps_of_a_fix_are_walked_with_their_code_in_view() {
    // The pane opens where the code is that mends, on every screen, and says which step that is.
    for (width, height) in [(200, 50), (120, 36), (80, 24), (40, 12)] {
        let text = Screen::of(&DEMO, width, height).keys("6").text();
        assert!(text.contains("│     return "), "{text}");
        assert!(
            width < 80 || text.contains("fix 1 of 2 · step 3 of 4"),
            "{text}"
        );
        assert!(text.contains("▾ Guard the input"), "{text}");
    }
    let copied = Screen::of(&DEMO, 80, 24).keys("6 y");
    let code = "try:\n    return int(text.strip())\nexcept ValueError:\n    return None\n";
    assert_eq!(copied.copied(), Some(&Wanted::Text(code.to_owned())));
    let earlier = copied.keys("h y");
    let code = "parse_age(\"unknown\")\n";
    assert_eq!(earlier.copied(), Some(&Wanted::Text(code.to_owned())));
    let end = earlier.keys("l l l l l l l l l l");
    let text = end.text();
    assert!(
        text.contains("no further step of this fix; ]x goes to the next fix"),
        "{text}"
    );
    let second = end.keys("] x");
    let text = second.text();
    assert!(
        text.contains("2 ▾ Cast in Spark") && text.contains("fix 2 of 2"),
        "{text}"
    );
    // Round, from the first to the last.
    let text = second.keys("[ x [ x").text();
    assert!(text.contains("fix 2 of 2"), "{text}");
}

/// Where to look comes before any fix there; the steps lead from it into the first.
#[test]
fn where_only_a_symptom_is_known_the_fixes_open_at_where_to_look() {
    let input = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases/executor-killed-4.1/input");
    let case = Arc::new(load::load(Sources::open(&[input]), &Options::default()));
    let shown = |keys: &str| Screen::of(&case, 80, 24).keys(keys).text();
    for (keys, told) in [
        ("6", ">look next"),
        ("6 l", ">1 ▾ "),
        ("6 ] x", " fix 1 of "),
        ("6 ] x ] x", " fix 2 of "),
        ("6 ] x ] x [ x", " fix 1 of "),
    ] {
        let text = shown(keys);
        assert!(text.contains(told), "{keys}: {text}");
    }
    for keys in ["6 ] x", "6 ] x ] x [ x"] {
        assert!(!shown(keys).contains(">look next"), "{keys}");
    }
}

/// What is slow comes first where nothing failed, with what to do about it.
#[test]
fn a_slow_run_that_went_well() {
    let log = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/data/event_logs/skew.zstd");
    let case = Arc::new(load::load(Sources::open(&[log]), &Options::default()));
    let screen = Screen::of(&case, 120, 36);
    assert_snapshot!(screen.text());
    // A remark leads to its stage.
    let stage = screen.app.selection().stage;
    assert!(stage.is_some_and(|stage| !case.story.stages[stage].findings.is_empty()));
}

const NESTED: &str = r#"24/05/01 10:00:05 ERROR Executor: Exception in task 3.0 in stage 2.0 (TID 41)
java.lang.IllegalStateException: the service said {"error":{"code":429,"reason":"too many in this minute"},"retry":true,"path":"/tides"}
	at com.acme.tides.Gauge.read(Gauge.java:41)
Caused by: com.acme.tides.DryException: 
the gauge of the northern harbour is dry, which it must not be between two spring tides of the same year
	at com.acme.tides.Gauge.dry(Gauge.java:12)
"#;

#[test]
fn what_messages_nest_is_laid_out_and_the_roots_is_told_whole() {
    let mut sources = Sources::default();
    sources.add_memory("executor.log", NESTED.as_bytes().to_vec());
    let case = Arc::new(load::load(sources, &Options::default()));
    let text = Screen::of(&case, 80, 30).keys("g").text();
    // Not the root's alone.
    assert!(
        text.contains(r#"┃          "reason": "too many in this minute""#),
        "{text}"
    );
    // Below a class that stands in a line of its own.
    assert!(text.contains("of the same year"), "{text}");
}

#[test]
fn what_keys_did_is_said() {
    for (keys, said) in [
        ("m", "┏ mark ━"),
        ("' a", "nothing is marked as a"),
        ("Enter ^o", " ]j goes the other way"),
        (
            "& K e y E Enter",
            " 1 of 4 incidents pass; ]i goes to the next, Esc ends the filter",
        ),
        (
            "& n o n e Enter",
            "no record of this trace passes the filter",
        ),
        ("4 z a", "no fold in this row of the trace; zR unfolds all"),
        ("p h o", "1 line so far"),
    ] {
        let text = Screen::of(&FLAKY, 80, 24).keys(keys).text();
        assert!(text.contains(said), "{keys}: {said}\n{text}");
    }
    // The trace is unfolded from any pane.
    let text = Screen::of(&FLAKY, 80, 24).keys("4 z R").text();
    assert!(!text.contains("⋯"), "{text}");
}

/// The first screen stands on the last attempt, the last cause and the first incident: the key that the help names first has to
/// lead somewhere from there.
#[test]
fn steps_go_round_and_say_where_there_is_nothing_to_go_to() {
    let pressed = |keys: &str| Screen::of(&DEMO, 120, 36).keys(keys);
    let first = pressed("] r");
    assert_eq!(first.app.selection().attempt, Some(0));
    assert!(first.text().contains(" attempt 1 of 4: "));
    assert_eq!(first.keys("[ r").app.selection().attempt, Some(3));
    for (keys, said, step) in [
        ("] c", "from the last cause round to the first", "0 of 2"),
        ("E", "from the first incident round to the last", "2 of 3"),
    ] {
        let screen = pressed(keys);
        let at = screen.app.selection();
        let told = match keys {
            "E" => at.incident.map(|i| format!("{i} of 3")),
            _ => at.cause.map(|c| format!("{c} of 2")),
        };
        assert_eq!(told.as_deref(), Some(step));
        assert!(screen.text().contains(said), "{}", screen.text());
    }
    let mut sources = Sources::default();
    let log = "java.lang.IllegalStateException: the gauge is dry\n\tat com.acme.tides.Gauge.dry(Gauge.java:12)\n";
    sources.add_memory("driver.log", log.as_bytes().to_vec());
    let alone = Arc::new(load::load(sources, &Options::default()));
    for (keys, said) in [
        ("] r", "no attempt of a task is told of"),
        ("[ r", "no attempt of a task is told of"),
        ("] c", "this is the only cause"),
        ("] i", "this is the only incident"),
        ("] s", "no stages are told of"),
    ] {
        let text = Screen::of(&alone, 120, 36).keys(keys).text();
        assert!(text.contains(said), "{keys}: {text}");
    }
    let text = pressed("1 & Q Q Enter ] i").text();
    assert!(
        text.contains("no other incident passes the filter"),
        "{text}"
    );
}

/// On a screen that shows one pane a step brings what it leads to.
#[test]
fn a_step_is_seen_whatever_pane_had_the_screen() {
    let text = |keys: &str| Screen::of(&DEMO, 40, 12).keys(keys).text();
    for (keys, seen) in [
        ("6 [ r", "┏ 3 Trace"),
        ("6 [ c", "┏ 3 Trace"),
        ("2 [ c", "┏ 2 Causes"),
        ("4 [ r", "┏ 4 Attempts"),
        ("6 [ s", "┏ 5 Stages"),
    ] {
        assert!(text(keys).contains(seen), "{keys}: {}", text(keys));
    }
    let zoomed = text("+");
    assert!(zoomed.contains("the pane has the whole screen") && !text("+ j").contains("all panes"));
    // And the others are named, in the order of Tab.
    assert!(
        text("3").contains("4 Attempts  5 Stages  6 Fixes"),
        "{}",
        text("3")
    );
    assert!(
        text("6").contains("7 SQL  1 Incidents  2 Causes"),
        "{}",
        text("6")
    );
    let text = Screen::of(&DEMO, 120, 36).keys("+").text();
    assert!(
        text.contains("4 Attempts  5 Stages  6 Fixes  7 SQL  1 Incidents  2 Causes ━"),
        "{text}"
    );
}

/// What is told of another attempt below the trace is searched, too.
#[test]
fn a_search_steps_through_what_is_told_of_an_attempt() {
    let screen = Screen::of(&DEMO, 120, 36).keys("[ r / r e a s o n Enter");
    let text = screen.text();
    assert!(text.contains("match 1 of 1"), "{text}");
}

/// To most terminals `^i` is Tab.
#[test]
fn tab_goes_forward_again_right_behind_a_jump_back() {
    let left = Screen::of(&DEMO, 120, 36).keys("Enter");
    let log = left.text();
    let back = left.keys("^o");
    assert!(back.text().contains("┏ 3 Trace"));
    let forward = back.keys("Tab");
    let body = |text: &str| text.lines().take(35).map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(body(&forward.text()), body(&log));
    // There is nothing further forward: Tab is Tab again.
    let pane = forward.keys("^o j Tab").text();
    assert!(pane.contains("┏ 4 Attempts"), "{pane}");
}

#[test]
fn a_key_that_the_help_lists_closes_it_and_acts() {
    let pressed = |keys: &str| Screen::of(&DEMO, 120, 36).keys(keys).text();
    for keys in ["4", "[ r", "6", "z R", "y", "v", "r"] {
        assert_eq!(pressed(&format!("? {keys}")), pressed(keys), "{keys}");
    }
    // Moving stays in the list, and a key that is in no list says so.
    let moved = pressed("? j G");
    assert!(moved.contains(" Keys "), "{moved}");
    let unknown = pressed("? u");
    assert!(
        unknown.contains(" Keys ") && unknown.contains("u does nothing here"),
        "{unknown}"
    );
}

#[test]
fn what_is_said_is_said_whole_on_a_narrow_screen() {
    let text = Screen::of(&FLAKY, 60, 24).keys("4 [ r").text();
    let said: Vec<&str> = text.lines().rev().take(2).map(str::trim).collect();
    let said: Vec<&str> = said.into_iter().rev().collect();
    assert_eq!(
        said.join(" "),
        "attempt 3 of 4 (retry 2): task 1.2 in stage 3.0, TID 7, driver · another cause, shown here; r: back to the root"
    );
}

/// Letters on every row, one each where they are enough.
#[test]
fn letters_on_the_rows() {
    assert_snapshot!(Screen::of(&DEMO, 80, 24).keys("f").text());
}

/// What was opened, with what it is, and where the root cause lies.
#[test]
fn the_files() {
    assert_snapshot!(Screen::of(&DEMO, 100, 26).keys("o").text());
}

/// What the run was given, beside what Spark takes without it; a row leads to where that was said.
#[test]
fn the_settings() {
    let screen = Screen::of(&DEMO, 100, 26).keys("s");
    assert_snapshot!(screen.text());
    let there = screen.keys("Enter").text();
    assert!(there.contains("SparkListenerLogStart"), "{there}");
}

#[test]
fn the_letters_of_a_row_and_the_number_of_a_file_lead_there() {
    let screen = Screen::of(&DEMO, 120, 36).keys("f");
    let text = screen.text();
    let row = text
        .lines()
        .find(|line| line.contains("ConnectionResetError"));
    let letters: Vec<String> = row
        .expect("an incident")
        .chars()
        .skip(1)
        .take(2)
        .map(String::from)
        .collect();
    let there = screen.keys(&letters.join(" "));
    assert_eq!(there.app.selection().incident, Some(1));
    let back = there.keys("^o");
    assert_eq!(back.app.selection().incident, Some(0));
    let given_up = back.keys("f Esc").text();
    assert!(
        given_up.contains("▶ ValueError") && given_up.contains("1/3 incidents"),
        "{given_up}"
    );
    let screen = Screen::of(&DEMO, 120, 36);
    for (n, source) in DEMO.sources.list.iter().enumerate() {
        let text = Screen::of(&DEMO, 120, 36)
            .keys(&format!("o {}", n + 1))
            .text();
        assert!(text.contains(&format!("┏ {} ", source.name)), "{text}");
    }
    assert_eq!(
        screen.keys("o 1 Esc").text(),
        Screen::of(&DEMO, 120, 36).text()
    );
}

#[test]
fn panes_are_found_as_they_were_left_when_another_incident_was_seen() {
    let first = Screen::of(&DEMO, 120, 36).text();
    let left = Screen::of(&DEMO, 120, 36).keys("z R g j j j");
    let seen = left.text();
    assert_ne!(seen, first);
    let other = left.keys("] i");
    assert!(other.text().contains("2/3 incidents"));
    let other = other.keys("G");
    let there = other.text();
    let back = other.keys("[ i");
    assert_eq!(back.text(), seen);
    assert_eq!(back.keys("] i").text(), there);
}

#[test]
fn what_the_help_lists_can_be_done_from_it() {
    let screen = Screen::of(&DEMO, 120, 36);
    assert_eq!(screen.app.selection().attempt, Some(3));
    let screen = screen.keys("? / ( r e t r y ) Enter j Enter");
    assert_eq!(screen.app.selection().attempt, Some(2));
    assert!(!screen.text().contains("Keys"), "{}", screen.text());
    let of_pane = |keys: &str| Screen::of(&DEMO, 120, 36).keys(keys).text();
    for (keys, here) in [
        ("?", "Here, in Trace"),
        ("4 ?", "Here, in Attempts"),
        ("v ?", "Here, in the log"),
    ] {
        let text = of_pane(keys);
        let place = text.find(here).expect("the pane's keys");
        let wanted = text.find("What people come for").expect("a group");
        assert!(place < wanted, "{text}");
    }
    assert!(of_pane("?").contains("Y 5  Copy the code of this step"));
}
