//! That whatever a case holds is at most three keys from its first screen.

use std::collections::BTreeSet;

use causedby::fact::Owner;
use causedby::ui::Depth;

use crate::screens::{DEMO, Screen};

/// Ways that begin with a pane, a step along a structure, or letters on the rows: each at most three keys.
fn ways() -> Vec<String> {
    const LETTERS: &str = "fjdkslaghrueiwoqptyvncmbxz";
    let mut ways = Vec::new();
    let steps = [
        "] c", "[ c", "] f", "[ f", "] r", "[ r", "] s", "[ s", "] x", "[ x", "] i", "[ i",
    ];
    ways.extend(steps.map(str::to_owned));
    for pane in ["1", "2", "3", "4", "5", "6"] {
        for way in ["g", "G", "j", "k", "g j", "G k", "j j", "k k", "^d", "^u"] {
            ways.push(format!("{pane} {way}"));
        }
        ways.extend(LETTERS.chars().map(|letter| format!("{pane} f {letter}")));
    }
    ways.extend(["e", "E", "e e", "E E", "e e e"].map(str::to_owned));
    for first in LETTERS.chars() {
        ways.push(format!("f {first}"));
        // On a large screen rows have two letters.
        ways.extend(
            LETTERS[..4]
                .chars()
                .map(|second| format!("f {second} {first}")),
        );
    }
    ways
}

#[test]
fn whatever_there_is_is_three_keys_away() {
    let fatal = &DEMO.story.incidents[0];
    let own = |owner| owner == Owner::User;
    // Files are told beside their numbers: `o 1`. What libraries called is one key further, for it is folded.
    for (width, height) in [(120, 36), (80, 24)] {
        let mut reached = BTreeSet::new();
        let mut frames = BTreeSet::new();
        for way in ways() {
            let screen = Screen::themed(&DEMO, width, height, Depth::Mono).keys(&way);
            let at = screen.app.selection();
            reached.extend(at.incident.map(|n| ("incident", n)));
            if at.incident == Some(0) {
                reached.extend(at.cause.map(|n| ("cause", n)));
                reached.extend(at.attempt.map(|n| ("attempt", n)));
                reached.extend(at.fix.map(|n| ("fix", n)));
                frames.extend(at.cause.zip(at.frame));
            }
            reached.extend(at.stage.map(|n| ("stage", n)));
        }
        let all = [
            ("incident", DEMO.story.incidents.len()),
            ("cause", fatal.chain.len()),
            ("attempt", fatal.attempts.len()),
            ("stage", DEMO.story.stages.len()),
            ("fix", DEMO.remedies(Some(0)).len()),
        ];
        for (what, many) in all {
            for n in 0..many {
                assert!(
                    reached.contains(&(what, n)),
                    "{what} {n} at {width}x{height}: {reached:?}"
                );
            }
        }
        for (c, cause) in fatal.chain.iter().enumerate() {
            for (f, frame) in cause.frames.iter().enumerate() {
                assert!(
                    !own(frame.owner) || frames.contains(&(c, f)),
                    "{} at {width}x{height}: {frames:?}",
                    frame.function
                );
            }
        }
    }
}
