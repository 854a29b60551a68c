//! The pictures of the README: in: the real program in a real terminal, and keys. Out: `assets/pictures/*.svg`, in which
//! what the keys bring up is shown one after the other.
//!
//! `CAUSEDBY_PICTURES=write cargo test --test it pictures` draws them anew.

use std::env;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::thread;
use std::time::Duration;

use crate::terminal::{Home, Pty, program, root_line};

const SIZE: (u16, u16) = (116, 34);
/// Width, height and text size of a cell, in pixels.
const CELL: (f32, f32, f32) = (8.0, 16.0, 13.3);
/// Seconds that each screen stays.
const STAYS: u32 = 4;

/// Keys, and what is on the screen once they have done their work.
const STEPS: [(&str, &str); 5] = [
    ("", "1/3 incidents"),
    ("6", "step 4 of 5"),
    ("4k", "11.2 ✗"),
    ("3r\r", " of 704"),
    ("\x1b]i", "2/3 incidents"),
];

struct Looks {
    theme: &'static str,
    ground: &'static str,
    text: &'static str,
}

const LOOKS: [Looks; 2] = [
    Looks {
        theme: "dark",
        ground: "#0d1117",
        text: "#e6e6e6",
    },
    Looks {
        theme: "light",
        ground: "#ffffff",
        text: "#1f2328",
    },
];

#[test]
fn the_pictures_of_the_readme_show_the_real_program() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/pictures");
    let readme = Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md");
    let readme = fs::read_to_string(readme).expect("the README");
    for looks in LOOKS {
        let name = format!("explorer-{}.svg", looks.theme);
        let drawn = record(&looks);
        if env::var_os("CAUSEDBY_PICTURES").is_some_and(|wish| wish == "write") {
            fs::create_dir_all(&folder).expect("a folder");
            fs::write(folder.join(&name), &drawn).expect("written");
        }
        let kept =
            fs::read_to_string(folder.join(&name)).expect("CAUSEDBY_PICTURES=write draws it");
        assert!(kept.len() < 200_000, "{name}: {}", kept.len());
        assert!(
            readme.contains(&format!("assets/pictures/{name}")),
            "{name}"
        );
        // What rules say may change every day; how the screen is built and what it is about may not.
        let parts = |picture: &str| {
            let frames = picture.matches("<g class=\"f").count();
            let root = picture.contains(&escaped(&root_line()));
            let panes = ["1 Incidents", "3 Trace", "6 Fixes"].map(|pane| picture.contains(pane));
            (frames, root, panes)
        };
        assert_eq!(parts(&drawn), (STEPS.len(), true, [true; 3]));
        assert_eq!(
            parts(&kept),
            parts(&drawn),
            "{name} is out of date; CAUSEDBY_PICTURES=write draws it anew"
        );
    }
}

/// One picture of all steps.
fn record(looks: &Looks) -> String {
    let home = Home::new();
    let mut command = home.command(program(), &["--demo", "--theme", looks.theme]);
    command.env("COLORTERM", "truecolor");
    let mut pty = Pty::start(command);
    pty.resize(SIZE.0, SIZE.1);
    let mut styles = Vec::new();
    let mut frames = String::new();
    for (i, (keys, shown)) in STEPS.iter().enumerate() {
        // An escape and a key that follows at once would be taken for one chord.
        for part in keys.split_inclusive('\x1b') {
            pty.press(part);
            thread::sleep(Duration::from_millis(200));
        }
        pty.wait_for(&[shown]);
        thread::sleep(Duration::from_millis(500));
        let _ = writeln!(
            frames,
            "<g class=\"f f{i}\">\n{}</g>",
            frame(&pty.screen(), &mut styles)
        );
    }
    pty.press("q");
    pty.end();
    let (width, height) = (
        f32::from(SIZE.0) * CELL.0 + 16.0,
        f32::from(SIZE.1) * CELL.1 + 16.0,
    );
    let (ground, text) = (looks.ground, looks.text);
    let mut css = format!(
        "text{{font:{}px ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;fill:{text};white-space:pre}}",
        CELL.2
    );
    let steps = u32::try_from(STEPS.len()).expect("a few");
    let share = 100.0 / f64::from(steps);
    let _ = write!(
        css,
        ".f{{visibility:hidden;animation:f {}s step-end infinite}}@keyframes f{{0%{{visibility:visible}}{share}%{{visibility:hidden}}}}",
        steps * STAYS
    );
    for i in 0..steps {
        let _ = write!(css, ".f{i}{{animation-delay:{}s}}", i * STAYS);
    }
    // Where nothing moves, the first screen is what is to be seen.
    css.push_str("@media(prefers-reduced-motion){.f{animation:none}.f0{visibility:visible}}");
    for (i, style) in styles.iter().enumerate() {
        let _ = write!(css, ".s{i}{{{style}}}");
    }
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" xml:space=\"preserve\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\">\n\
         <style>{css}</style>\n<rect width=\"100%\" height=\"100%\" rx=\"8\" fill=\"{ground}\"/>\n\
         <g transform=\"translate(8 8)\">\n{frames}</g>\n</svg>\n"
    )
}

/// A screen as rectangles and texts; styles are shared by all frames.
fn frame(screen: &vt100::Screen, styles: &mut Vec<String>) -> String {
    let mut drawn = String::new();
    for row in 0..SIZE.1 {
        let mut column = 0;
        while column < SIZE.0 {
            let style = style_of(screen, row, column);
            let start = column;
            let mut text = String::new();
            while column < SIZE.0 && style_of(screen, row, column) == style {
                let cell = screen.cell(row, column);
                if !cell.is_some_and(vt100::Cell::is_wide_continuation) {
                    let contents = cell.map_or("", vt100::Cell::contents);
                    text.push_str(if contents.is_empty() { " " } else { contents });
                }
                column += 1;
            }
            run(&mut drawn, styles, (row, start, column), &text, &style);
        }
    }
    drawn
}

/// Text colour and background, where they are not the picture's own, and whether bold, italic and underlined.
type CellStyle = (Option<String>, Option<String>, bool, bool, bool);

fn style_of(screen: &vt100::Screen, row: u16, column: u16) -> CellStyle {
    let Some(cell) = screen.cell(row, column) else {
        return CellStyle::default();
    };
    let hex = |color: vt100::Color| match color {
        vt100::Color::Rgb(r, g, b) => Some(format!("#{r:02x}{g:02x}{b:02x}")),
        _ => None,
    };
    (
        hex(cell.fgcolor()),
        hex(cell.bgcolor()),
        cell.bold(),
        cell.italic(),
        cell.underline(),
    )
}

fn run(
    drawn: &mut String,
    styles: &mut Vec<String>,
    (row, start, end): (u16, u16, u16),
    text: &str,
    (color, ground, bold, italic, underlined): &CellStyle,
) {
    let (x, y) = (f32::from(start) * CELL.0, f32::from(row) * CELL.1);
    if let Some(ground) = ground {
        let width = f32::from(end - start) * CELL.0;
        let _ = writeln!(
            drawn,
            "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{}\" fill=\"{ground}\"/>",
            CELL.1
        );
    }
    let trimmed = text.trim_end();
    let lead = trimmed.chars().take_while(|c| *c == ' ').count();
    let trimmed = trimmed.trim_start();
    if trimmed.is_empty() {
        return;
    }
    let mut css = String::new();
    if let Some(color) = color {
        let _ = write!(css, "fill:{color};");
    }
    for (on, rule) in [
        (bold, "font-weight:bold;"),
        (italic, "font-style:italic;"),
        (underlined, "text-decoration:underline;"),
    ] {
        css.push_str(if *on { rule } else { "" });
    }
    let i = styles
        .iter()
        .position(|known| *known == css)
        .unwrap_or_else(|| {
            styles.push(css);
            styles.len() - 1
        });
    let lead = u16::try_from(lead).expect("within the screen");
    // The width is given, so that columns stay straight in any font.
    let cells = u16::try_from(trimmed.chars().count()).expect("within the screen");
    let _ = writeln!(
        drawn,
        "<text class=\"s{i}\" x=\"{}\" y=\"{}\" textLength=\"{}\">{}</text>",
        x + f32::from(lead) * CELL.0,
        y + CELL.1 - 4.0,
        f32::from(cells) * CELL.0,
        escaped(trimmed)
    );
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}
