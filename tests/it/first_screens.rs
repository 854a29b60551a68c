//! What is seen first, at four sizes in four manners of colour, and each pane where there is little room.
//!
//! `INSTA_UPDATE=always cargo test --test it first_screens` accepts what has changed on purpose.

use causedby::ui::Depth;
use insta::{Settings, assert_snapshot};

use crate::looks::look;
use crate::screens::{DEMO, Screen};

/// A name, the theme and the depth of colour.
type Colours = (&'static str, &'static str, Depth);

const DARK: Colours = ("dark", "dark", Depth::True);
const LIGHT: Colours = ("light", "light", Depth::True);
const INDEXED: Colours = ("256", "dark", Depth::Indexed);
const NONE: Colours = ("none", "dark", Depth::Mono);

/// Width, height, colours, and why this first screen is kept.
const FIRST: [(u16, u16, Colours, &str); 16] = [
    (
        200,
        50,
        DARK,
        "all panes, a fix's code in colours: what the README promises",
    ),
    (
        200,
        50,
        LIGHT,
        "on white every role still differs from the text and from the ground",
    ),
    (
        200,
        50,
        INDEXED,
        "tmux without true colour: the computed colours of all roles at once",
    ),
    (
        200,
        50,
        NONE,
        "all panes told apart by frames and signs alone",
    ),
    (
        120,
        36,
        DARK,
        "the ordinary terminal: the root, its line of code and the verdict without a key",
    ),
    (120, 36, LIGHT, "the ordinary terminal on white"),
    (120, 36, INDEXED, "over ssh: the same in computed colours"),
    (
        120,
        36,
        NONE,
        "with NO_COLOR the pane with the keys has the heavy frame, the row its sign",
    ),
    (
        80,
        24,
        DARK,
        "one pane and a line for the others: the root is still there three times",
    ),
    (
        80,
        24,
        LIGHT,
        "the same on white: the bands of header and root keep their contrast",
    ),
    (80, 24, INDEXED, "a console of 80 × 24 with 256 colours"),
    (80, 24, NONE, "a serial line: nothing depends on a colour"),
    (
        40,
        12,
        DARK,
        "a split of a split: outcome and root before anything else",
    ),
    (40, 12, LIGHT, "the same on white"),
    (
        40,
        12,
        INDEXED,
        "a telephone: few cells, and each of them coloured",
    ),
    (40, 12, NONE, "the least there can be"),
];

/// Width, height, colours, the key of a pane, and why it is kept.
const PANES: [(u16, u16, Colours, &str, &str); 10] = [
    (
        80,
        24,
        LIGHT,
        "1",
        "incidents: the word for what the sign means has room",
    ),
    (
        80,
        24,
        NONE,
        "2",
        "the chain without colours: the root by its sign",
    ),
    (
        80,
        24,
        INDEXED,
        "4",
        "attempts: where, how long and why, the retry at the edge",
    ),
    (80, 24, LIGHT, "5", "stages: numbers stay with their units"),
    (
        80,
        24,
        DARK,
        "6",
        "the fix's code below its title, its step told in the frame",
    ),
    (40, 12, NONE, "1", "incidents alone"),
    (40, 12, LIGHT, "2", "the chain alone"),
    (
        40,
        12,
        DARK,
        "4",
        "attempts alone: executor and retry before the message",
    ),
    (40, 12, NONE, "5", "stages alone: the figures at the edge"),
    (40, 12, LIGHT, "6", "the fix alone: its code begins in view"),
];

fn keep(name: &str, reason: &str, screen: &Screen) {
    let mut settings = Settings::clone_current();
    settings.set_description(reason);
    settings.bind(|| assert_snapshot!(name, look(screen.buffer())));
}

#[test]
fn the_first_screen_at_four_sizes_in_four_manners_of_colour() {
    for (width, height, (name, theme, depth), reason) in FIRST {
        let screen = Screen::in_theme(&DEMO, width, height, theme, depth);
        keep(&format!("{width}x{height}_{name}"), reason, &screen);
    }
}

#[test]
fn every_pane_where_there_is_little_room() {
    for (width, height, (name, theme, depth), key, reason) in PANES {
        let screen = Screen::in_theme(&DEMO, width, height, theme, depth).keys(key);
        keep(&format!("{width}x{height}_{name}_{key}"), reason, &screen);
    }
}
