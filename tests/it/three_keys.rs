//! That whatever a case holds is at most three keys from its first screen; on the smallest, where one pane at a time is shown
//! and seven rows of it, at most four.

use std::collections::BTreeSet;

use causedby::fact::Owner;
use causedby::ui::{Depth, Role, Theme};
use ratatui::buffer::Cell;

use crate::screens::{DEMO, Screen};

/// Ways that begin with a pane, a step along a structure, or letters on the rows: each at most three keys.
fn ways(width: u16, height: u16) -> Vec<String> {
    let smallest = height < 16;
    let mut ways = Vec::new();
    let steps = [
        "] c", "[ c", "] f", "[ f", "] r", "[ r", "] s", "[ s", "] x", "[ x", "] i", "[ i",
    ];
    ways.extend(steps.map(str::to_owned));
    ways.extend(by_letters("f", width, height));
    for pane in ["1", "2", "3", "4", "5", "6"] {
        for way in ["g", "G", "j", "k", "g j", "G k", "j j", "k k", "^d", "^u"] {
            ways.push(format!("{pane} {way}"));
        }
        ways.extend(by_letters(&format!("{pane} f"), width, height));
        if smallest {
            ways.extend(
                ["^f ^f", "^f ^f ^f", "G ^b", "G ^b ^b", "j j j", "k k k"]
                    .map(|way| format!("{pane} {way}")),
            );
        }
    }
    if smallest {
        for step in ["] x", "[ r"] {
            ways.push(format!("{step} {step}"));
        }
    }
    ways.extend(["e", "E", "e e", "E E", "e e e"].map(str::to_owned));
    ways
}

/// `keys`, then the letters of each row as they stand on the screen; none where that is more than three keys.
fn by_letters(keys: &str, width: u16, height: u16) -> Vec<String> {
    let screen = Screen::of(&DEMO, width, height).keys(keys);
    let theme = Theme::named("dark", Depth::True).expect("a built-in theme");
    let marked = theme.style(Role::Match).bg;
    let mut ways = Vec::new();
    for line in screen.buffer().content.chunks(width.into()) {
        let of_a_label = |cell: &&Cell| Some(cell.bg) == marked;
        for label in line.split(|cell| !of_a_label(&cell)) {
            let letters: Vec<_> = label.iter().map(Cell::symbol).collect();
            let way = format!("{keys} {}", letters.join(" "));
            if !letters.is_empty() && way.split(' ').count() <= 3 {
                ways.push(way);
            }
        }
    }
    ways
}

#[test]
fn whatever_there_is_is_three_keys_away() {
    let fatal = &DEMO.story.incidents[0];
    let own = |owner| owner == Owner::User;
    // Files are told beside their numbers: `o 1`. What libraries called is one key further, for it is folded.
    for (width, height) in [(200, 50), (120, 36), (80, 24), (40, 12)] {
        let all = [
            ("incident", DEMO.story.incidents.len()),
            ("cause", fatal.chain.len()),
            ("attempt", fatal.attempts.len()),
            ("stage", DEMO.story.stages.len()),
            ("fix", DEMO.remedies(Some(0)).len()),
        ];
        let mut missing: BTreeSet<_> = all
            .iter()
            .flat_map(|(what, many)| (0..*many).map(|n| (*what, n, 0)))
            .collect();
        for (c, cause) in fatal.chain.iter().enumerate() {
            let frames = (0..).zip(&cause.frames).filter(|(_, f)| own(f.owner));
            missing.extend(frames.map(|(f, _)| ("frame", c, f)));
        }
        for way in ways(width, height) {
            let mut screen = Screen::themed(&DEMO, width, height, Depth::Mono);
            for (n, key) in way.split(' ').enumerate() {
                if n > 0 {
                    screen.draw();
                }
                screen.press(key);
            }
            let at = screen.app.selection();
            let mut reach = |what, n: Option<usize>, of| n.map(|n| missing.remove(&(what, n, of)));
            reach("incident", at.incident, 0);
            reach("stage", at.stage, 0);
            if at.incident == Some(0) {
                reach("cause", at.cause, 0);
                reach("attempt", at.attempt, 0);
                reach("fix", at.fix, 0);
                reach("frame", at.cause, at.frame.unwrap_or(usize::MAX));
            }
            if missing.is_empty() {
                break;
            }
        }
        assert!(missing.is_empty(), "{width}x{height}: {missing:?}");
    }
}
