//! The screen at four sizes in four depths of colour, each in a state that the others do not show: its text, and which
//! style every cell has.
//!
//! `INSTA_UPDATE=always cargo test --test it looks` accepts what has changed on purpose.

use causedby::load::{self, Options};
use causedby::source::Sources;
use causedby::ui::Depth;
use insta::{Settings, assert_snapshot};
use ratatui::buffer::{Buffer, Cell};
use ratatui::style::Style;
use std::path::Path;
use std::sync::Arc;

use crate::screens::{DEMO, Screen};

/// Width, height, colours, keys, and why this screen is kept.
const LOOKS: [(u16, u16, Depth, &str, &str); 16] = [
    (
        200,
        50,
        Depth::True,
        "6 j",
        "the fixes beside the trace, with code in colours, and the cursor on a step",
    ),
    (
        200,
        50,
        Depth::Indexed,
        "5 G",
        "over ssh: computed colours keep stage, figures and findings apart",
    ),
    (
        200,
        50,
        Depth::Sixteen,
        "z R 3 G",
        "the console: every kind of frame unfolded, told apart by sixteen colours",
    ),
    (
        200,
        50,
        Depth::Mono,
        "4",
        "no colours: the pane with the keys, the selection and the root are still marked",
    ),
    (
        120,
        36,
        Depth::True,
        "/ p a r s e Enter n",
        "matches are marked in every pane, also on the cursor's row",
    ),
    (
        120,
        36,
        Depth::Indexed,
        "1 j",
        "another incident than the first: the root's line follows it",
    ),
    (
        120,
        36,
        Depth::Sixteen,
        "Enter",
        "the log around the root, whose line stands out",
    ),
    (
        120,
        36,
        Depth::Mono,
        "/ p a r s e Enter n",
        "without colours a match differs from the cursor and the root",
    ),
    (
        80,
        24,
        Depth::True,
        "R",
        "root first: the chain from its end, the root on top",
    ),
    (
        80,
        24,
        Depth::Indexed,
        "]",
        "what may follow a prefix lies over the panes",
    ),
    (
        80,
        24,
        Depth::Sixteen,
        "2",
        "a list above the trace, the others in a line",
    ),
    (
        80,
        24,
        Depth::Mono,
        "Y",
        "the menu of copies, its first row chosen",
    ),
    (
        40,
        12,
        Depth::True,
        "w",
        "a split of a split, long lines wrapped",
    ),
    (40, 12, Depth::Indexed, "5", "stages alone on a tiny screen"),
    (40, 12, Depth::Sixteen, "?", "help on a tiny screen"),
    (
        40,
        12,
        Depth::Mono,
        "6",
        "the fix on a tiny screen without colours",
    ),
];

/// The text, then a letter for the style of every cell that shows something, then what the letters mean.
pub(crate) fn look(buffer: &Buffer) -> String {
    let letters: Vec<char> = ('a'..='z').chain('A'..='Z').chain('0'..='9').collect();
    let mut styles: Vec<Style> = Vec::new();
    let (mut text, mut map) = (String::new(), String::new());
    for line in buffer.content.chunks(usize::from(buffer.area.width)) {
        let shown: String = line.iter().map(Cell::symbol).collect();
        text.push_str(shown.trim_end());
        text.push('\n');
        let mut row = String::new();
        for cell in line {
            let style = cell.style();
            let i = styles
                .iter()
                .position(|known| *known == style)
                .unwrap_or_else(|| {
                    styles.push(style);
                    styles.len() - 1
                });
            row.push(letters.get(i).copied().unwrap_or('?'));
        }
        map.push_str(&row);
        map.push('\n');
    }
    let legend: Vec<String> = styles
        .iter()
        .zip(letters)
        .map(|(style, letter)| {
            let color =
                |color: Option<_>| color.map_or_else(String::new, |color| format!("{color}"));
            format!(
                "{letter} {} on {} {:?}",
                color(style.fg),
                color(style.bg),
                style.add_modifier
            )
        })
        .collect();
    format!("{text}\n{map}\n{}", legend.join("\n"))
}

/// A log of `tests/cases`, width, height, colours, keys, and why this screen is kept. What rules say is on none of them: it
/// may change any day.
const LOGS: [(&str, u16, u16, Depth, &str, &str); 8] = [
    (
        "udf-key-error-3.5",
        200,
        50,
        Depth::Indexed,
        "3 +",
        "the job's own source around the line that failed, marked in computed colours",
    ),
    (
        "executor-killed-4.1",
        40,
        12,
        Depth::Sixteen,
        "4 L",
        "where a long row is scrolled, the number of the attempt stays",
    ),
    (
        "executor-killed-4.1",
        120,
        36,
        Depth::Mono,
        "4 +",
        "attempts and the executors that were lost with them, without colours",
    ),
    (
        "executor-killed-4.1",
        80,
        24,
        Depth::True,
        "1 +",
        "incidents: which ended the run, and which followed from it",
    ),
    (
        "stream-keys-changed-4.1",
        120,
        36,
        Depth::True,
        "3 +",
        "a stream's trace: the chain of two machines in one",
    ),
    (
        "stream-keys-changed-4.1",
        80,
        24,
        Depth::Sixteen,
        "2 +",
        "the chain, its long messages cut but for the root's",
    ),
    (
        "missing-s3a-4.0-airflow",
        80,
        24,
        Depth::Mono,
        "v",
        "the log as its scheduler wrapped it, the root's line marked",
    ),
    (
        "missing-s3a-4.0-airflow",
        40,
        12,
        Depth::Indexed,
        "3",
        "the trace of a wrapped log has no prefixes: there is no room for them",
    ),
];

#[test]
fn logs_of_four_kinds() {
    for (name, width, height, depth, keys, reason) in LOGS {
        let input = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("tests/cases")
            .join(name)
            .join("input");
        let case = load::load(Sources::open(&[input]), &Options::default());
        let screen = Screen::themed(&Arc::new(case), width, height, depth).keys(keys);
        let mut settings = Settings::clone_current();
        settings.set_description(reason);
        settings.bind(|| {
            let name = format!("{name}_{width}x{height}_{depth:?}");
            assert_snapshot!(name, look(screen.buffer()));
        });
    }
}

#[test]
fn four_sizes_in_four_depths_of_colour() {
    for (width, height, depth, keys, reason) in LOOKS {
        let screen = Screen::themed(&DEMO, width, height, depth).keys(keys);
        let mut settings = Settings::clone_current();
        settings.set_description(reason);
        settings.bind(|| {
            let name = format!("{width}x{height}_{depth:?}");
            assert_snapshot!(name, look(screen.buffer()));
        });
    }
}
