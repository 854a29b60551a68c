//! In: a colour of a theme and what the terminal can show. Out: the nearest colour it can show.

use ratatui::style::Color;

/// How many colours the terminal shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Depth {
    /// 24 bits.
    True,
    /// The 256 of xterm.
    Indexed,
    /// The 16 of the console.
    Sixteen,
    /// None: bold, underlined and reversed only.
    Mono,
}

impl Depth {
    /// Told by the environment; `get` looks up a variable.
    pub fn detect(get: impl Fn(&str) -> Option<String>) -> Self {
        let is_set = |name| get(name).is_some_and(|v: String| !v.is_empty());
        let term = get("TERM").unwrap_or_default();
        if is_set("NO_COLOR") || term == "dumb" {
            return Self::Mono;
        }
        let wide = get("COLORTERM").is_some_and(|v| v == "truecolor" || v == "24bit");
        if wide || term.ends_with("-direct") {
            return Self::True;
        }
        // Anything that is not known to be poor shows the 256 colours: ssh does not forward COLORTERM.
        let poor = ["linux", "ansi", "vt100", "vt220", "xterm-16color", "screen"];
        if poor.contains(&term.as_str()) {
            Self::Sixteen
        } else {
            Self::Indexed
        }
    }

    /// In words.
    pub fn word(self) -> &'static str {
        match self {
            Self::True => "16 million",
            Self::Indexed => "256",
            Self::Sixteen => "16",
            Self::Mono => "none",
        }
    }

    /// The nearest colour that can be shown; `None` where none can.
    pub fn nearest(self, color: Color) -> Option<Color> {
        let Color::Rgb(r, g, b) = color else {
            return (self != Self::Mono).then_some(color);
        };
        let rgb = [r, g, b];
        match self {
            Self::True => Some(color),
            Self::Indexed => Some(Color::Indexed(nearest_indexed(rgb))),
            Self::Sixteen => Some(nearest_of_sixteen(rgb)),
            Self::Mono => None,
        }
    }
}

/// A colour whose parts differ more than this is a tint, not a grey.
const TINTED: u8 = 32;

/// The steps of the 6 × 6 × 6 cube.
const STEPS: [u8; 6] = [0, 95, 135, 175, 215, 255];

fn nearest_indexed(rgb: [u8; 3]) -> u8 {
    let step = |v: u8| {
        (0u8..6)
            .min_by_key(|i| STEPS[usize::from(*i)].abs_diff(v))
            .unwrap_or(0)
    };
    let [r0, g0, b0] = rgb;
    let [r, g, b] = rgb.map(step);
    let cube = [r, g, b].map(|i| STEPS[usize::from(i)]);
    // A dark red is nearer to a dark grey than to any red of the cube, and yet it would no longer be red, which says that
    // something failed. A dark blue or green says nothing, and would become a bright one.
    let spread = rgb
        .iter()
        .max()
        .zip(rgb.iter().min())
        .map_or(0, |(max, min)| max - min);
    let red = r0 >= g0.max(b0);
    if spread > TINTED && red {
        let [r, g, b] = tinted(rgb, [r, g, b]);
        return 16 + 36 * r + 6 * g + b;
    }
    let mean = rgb.iter().map(|v| u16::from(*v)).sum::<u16>() / 3;
    let grey = u8::try_from((mean.saturating_sub(3) / 10).min(23)).unwrap_or(23);
    let level = 8 + 10 * grey;
    if distance(rgb, [level; 3]) < distance(rgb, cube) {
        232 + grey
    } else {
        16 + 36 * r + 6 * g + b
    }
}

/// Steps that are not all the same: the strongest part is raised where they are.
fn tinted(rgb: [u8; 3], steps: [u8; 3]) -> [u8; 3] {
    let mut steps = steps;
    if steps[0] == steps[1] && steps[1] == steps[2] {
        let strongest = (0..3).max_by_key(|i| rgb[*i]).unwrap_or(0);
        steps[strongest] = (steps[strongest] + 1).min(5);
    }
    steps
}

fn nearest_of_sixteen(rgb: [u8; 3]) -> Color {
    const SIXTEEN: [([u8; 3], Color); 16] = [
        ([0, 0, 0], Color::Black),
        ([170, 0, 0], Color::Red),
        ([0, 170, 0], Color::Green),
        ([170, 85, 0], Color::Yellow),
        ([0, 0, 170], Color::Blue),
        ([170, 0, 170], Color::Magenta),
        ([0, 170, 170], Color::Cyan),
        ([170, 170, 170], Color::Gray),
        ([85, 85, 85], Color::DarkGray),
        ([255, 85, 85], Color::LightRed),
        ([85, 255, 85], Color::LightGreen),
        ([255, 255, 85], Color::LightYellow),
        ([85, 85, 255], Color::LightBlue),
        ([255, 85, 255], Color::LightMagenta),
        ([85, 255, 255], Color::LightCyan),
        ([255, 255, 255], Color::White),
    ];
    SIXTEEN
        .iter()
        .min_by_key(|(value, _)| distance(rgb, *value))
        .map_or(Color::Reset, |(_, color)| *color)
}

/// How far apart two colours look: green weighs most, blue least.
fn distance(a: [u8; 3], b: [u8; 3]) -> u32 {
    let square = |i: usize| u32::from(a[i].abs_diff(b[i])).pow(2);
    3 * square(0) + 4 * square(1) + 2 * square(2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_environment_tells_the_depth() {
        let depth = |pairs: &[(&str, &str)]| {
            Depth::detect(|name| {
                pairs
                    .iter()
                    .find(|(n, _)| *n == name)
                    .map(|(_, v)| (*v).to_owned())
            })
        };
        assert_eq!(depth(&[("TERM", "xterm-256color")]), Depth::Indexed);
        assert_eq!(
            depth(&[("TERM", "tmux-256color"), ("COLORTERM", "truecolor")]),
            Depth::True
        );
        assert_eq!(depth(&[("TERM", "linux")]), Depth::Sixteen);
        assert_eq!(
            depth(&[("COLORTERM", "truecolor"), ("NO_COLOR", "1")]),
            Depth::Mono
        );
        assert_eq!(
            depth(&[("TERM", "xterm"), ("NO_COLOR", "")]),
            Depth::Indexed
        );
    }

    #[test]
    fn nearest_colours_are_near() {
        let nearest = |depth: Depth, r, g, b| depth.nearest(Color::Rgb(r, g, b));
        assert_eq!(
            nearest(Depth::Indexed, 255, 0, 0),
            Some(Color::Indexed(196))
        );
        assert_eq!(
            nearest(Depth::Indexed, 128, 128, 128),
            Some(Color::Indexed(244))
        );
        assert_eq!(
            nearest(Depth::Indexed, 0x4a, 0x1a, 0x1e),
            Some(Color::Indexed(52)),
            "a dark red stays red"
        );
        assert_eq!(
            nearest(Depth::Indexed, 0x00, 0x2b, 0x36),
            Some(Color::Indexed(234)),
            "a dark ground becomes no bright one"
        );
        assert_eq!(nearest(Depth::Sixteen, 250, 90, 80), Some(Color::LightRed));
        assert_eq!(nearest(Depth::Mono, 1, 2, 3), None);
    }
}
