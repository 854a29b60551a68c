//! Ways about the screen: to a row by its letters, to a file, to another incident and back, to anything by way of the help.

use insta::assert_snapshot;

use crate::screens::{DEMO, Screen};

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
    assert!(of_pane("?").contains("Y 5  Copy the code of the selected fix"));
}
