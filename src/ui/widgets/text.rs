//! In: styled lines. Out: the same cut, wrapped and highlighted by their width on the screen, which is neither
//! their bytes nor their characters.

use ratatui::style::{Color, Modifier, Style};
use ratatui::text::{Line, Span};
use regex::Regex;
use unicode_segmentation::UnicodeSegmentation;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// How far in the continuation lines of a wrapped line of the log stand.
pub(crate) const INDENT: usize = 4;

/// Width on the screen, in columns.
pub(crate) fn columns(text: &str) -> usize {
    text.width()
}

/// The pieces of a text that may not be cut, each with its width. A cluster of several wide characters, which terminals
/// draw one behind the other, counts as several pieces: no screen has a cell for it.
fn pieces(text: &str) -> impl Iterator<Item = (&str, usize)> {
    text.graphemes(true)
        .flat_map(|cluster| Pieces(cluster, columns(cluster) > 2))
        .map(|piece| (piece, columns(piece)))
}

/// What is left of a cluster, and whether it has to be taken apart before each character that has a width.
struct Pieces<'a>(&'a str, bool);

impl<'a> Iterator for Pieces<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        if self.0.is_empty() {
            return None;
        }
        let end = self.1.then(|| {
            let wide = |c: char| c.width().is_some_and(|w| w > 0);
            self.0.char_indices().skip(1).find(|&(_, c)| wide(c))
        });
        let (piece, rest) = self
            .0
            .split_at(end.flatten().map_or(self.0.len(), |(i, _)| i));
        self.0 = rest;
        Some(piece)
    }
}

/// The part of a line from column `from` on, `width` columns wide; `…` stands where something was cut off.
pub(crate) fn clip(line: &Line<'_>, from: usize, width: usize) -> Line<'static> {
    let total: usize = line
        .spans
        .iter()
        .flat_map(|s| pieces(&s.content))
        .map(|(_, wide)| wide)
        .sum();
    if width == 0 {
        return Line::default();
    }
    let cut_left = from > 0 && total > 0;
    let cut_right = total > from + width;
    let first = from + usize::from(cut_left);
    let last = from + width - usize::from(cut_right);
    let mut spans = Vec::new();
    if cut_left {
        spans.push(Span::raw("…"));
    }
    let mut column = 0;
    for span in &line.spans {
        let mut kept = String::new();
        for (grapheme, wide) in pieces(&span.content) {
            // A wide character on an edge is left out whole.
            if column >= first && column + wide <= last {
                kept.push_str(grapheme);
            } else if column < first && column + wide > first && first < last {
                kept.push(' ');
            }
            column += wide;
        }
        if !kept.is_empty() {
            spans.push(Span::styled(kept, span.style));
        }
    }
    if cut_right {
        let style = spans.last().map_or(Style::default(), |s| s.style);
        spans.push(Span::styled("…", style));
    }
    Line::from(spans).style(line.style)
}

/// A line whose first `lead` columns stay while what follows them is scrolled by `from` columns, `width` columns wide.
pub(crate) fn slide(line: &Line<'_>, lead: usize, from: usize, width: usize) -> Line<'static> {
    if from == 0 || lead == 0 || lead >= width {
        return clip(line, from, width);
    }
    let (mut head, mut rest) = (Vec::new(), Vec::new());
    let mut column = 0;
    for span in &line.spans {
        for (piece, wide) in pieces(&span.content) {
            let side = if column < lead { &mut head } else { &mut rest };
            side.push(Span::styled(piece.to_owned(), span.style));
            column += wide;
        }
    }
    let used: usize = head.iter().map(|piece| columns(&piece.content)).sum();
    head.extend(clip(&Line::from(rest), from, width.saturating_sub(used)).spans);
    Line::from(head).style(line.style)
}

/// A line as several, none wider than `width`; broken at spaces where there are any near enough, else behind an opening
/// parenthesis, a comma or a slash, or before a call goes on with a dot, else behind any other sign. Those behind the
/// first stand `indent` columns in, where that leaves enough of the width.
pub(crate) fn wrap(line: &Line<'_>, width: usize, indent: usize) -> Vec<Line<'static>> {
    let width = width.max(1);
    let indent = indent.min(width / 3);
    let cells: Vec<(&str, usize, Style)> = line
        .spans
        .iter()
        .flat_map(|s| pieces(&s.content).map(|(piece, wide)| (piece, wide, s.style)))
        .collect();
    let mut lines = Vec::new();
    let mut start = 0;
    while start < cells.len() || lines.is_empty() {
        let lead = if lines.is_empty() { 0 } else { indent };
        let mut used = lead;
        let mut end = start;
        let (mut space, mut joint, mut sign) = (None, None, None);
        while end < cells.len() {
            let wide = cells[end].1;
            if used + wide > width && end > start {
                break;
            }
            if cells[end].0 == " "
                && used > lead + (width - lead) * 2 / 5
                && !is_before_unit(&cells, end)
            {
                space = Some(end + 1);
            }
            if used > lead + (width - lead) / 2 {
                joint = match cells[end].0 {
                    "(" | "," | "/" => Some(end + 1),
                    "." if end > start && cells[end - 1].0 == ")" => Some(end),
                    _ => joint,
                };
                if is_sign(cells[end].0) {
                    sign = Some(end + 1);
                }
            }
            used += wide;
            end += 1;
        }
        if end < cells.len() {
            end = space.or(joint).or(sign).unwrap_or(end);
        }
        let mut spans: Vec<Span<'static>> = Vec::new();
        if lead > 0 {
            spans.push(Span::raw(" ".repeat(lead)));
        }
        for (grapheme, _, style) in &cells[start..end] {
            match spans.last_mut() {
                Some(last) if last.style == *style => last.content.to_mut().push_str(grapheme),
                _ => spans.push(Span::styled((*grapheme).to_owned(), *style)),
            }
        }
        lines.push(Line::from(spans).style(line.style));
        start = end;
    }
    lines
}

/// Whether the space at `at` stands between a number and what it counts: `1.1 s` is one thing.
fn is_before_unit(cells: &[(&str, usize, Style)], at: usize) -> bool {
    const UNITS: [&str; 15] = [
        "ms", "s", "min", "h", "d", "B", "KiB", "MiB", "GiB", "TiB", "KB", "MB", "GB", "%", "×",
    ];
    let number = at.checked_sub(1).and_then(|before| cells.get(before));
    if !number.is_some_and(|(piece, ..)| piece.ends_with(|c: char| c.is_ascii_digit())) {
        return false;
    }
    let word = cells[at + 1..].iter().map(|(piece, ..)| *piece);
    let word: String = word.take_while(|piece| *piece != " ").take(5).collect();
    UNITS.contains(&word.trim_end_matches([',', '.', ';', ':', ')']))
}

/// Whether words end at it: `spark.sql.shuffle.partitions` is better broken at a dot than within a word.
fn is_sign(piece: &str) -> bool {
    piece.len() == 1
        && piece.bytes().all(|b| b.is_ascii_punctuation())
        && !matches!(piece, "'" | "\"" | "`")
}

/// The line with every match of `pattern` in `style`.
pub(crate) fn highlight(line: Line<'static>, pattern: &Regex, style: Style) -> Line<'static> {
    let text: String = line.spans.iter().map(|s| s.content.as_ref()).collect();
    let mut matches = pattern
        .find_iter(&text)
        .map(|m| m.range())
        .filter(|m| !m.is_empty())
        .peekable();
    if matches.peek().is_none() {
        return line;
    }
    let mut spans = Vec::new();
    let mut offset = 0;
    for span in &line.spans {
        let end = offset + span.content.len();
        while offset < end {
            while matches.next_if(|m| m.end <= offset).is_some() {}
            let (stop, matched) = match matches.peek() {
                Some(m) if m.start <= offset => (m.end.min(end), true),
                Some(m) => (m.start.min(end), false),
                None => (end, false),
            };
            let piece = text[offset..stop].to_owned();
            let patched = if matched {
                span.style.patch(style)
            } else {
                span.style
            };
            spans.push(Span::styled(piece, patched));
            offset = stop;
        }
    }
    Line::from(spans).style(line.style)
}

/// The line with the blanks at both ends of its spans left bare: what stands on a ground of its own is what is said, not the gap
/// beside it.
pub(crate) fn bare_gaps(line: Line<'static>) -> Line<'static> {
    let stands_out = |span: &Span<'_>| {
        let style = span.style;
        let lies_on = style.bg.is_some_and(|bg| bg != Color::Reset);
        let blank = span.content.starts_with(' ') || span.content.ends_with(' ');
        blank && (lies_on || style.add_modifier.contains(Modifier::REVERSED))
    };
    if !line.spans.iter().any(stands_out) {
        return line;
    }
    let mut spans = Vec::new();
    for span in line.spans {
        if !stands_out(&span) {
            spans.push(span);
            continue;
        }
        let said = span.content.trim_matches(' ');
        let before = span.content.len() - span.content.trim_start_matches(' ').len();
        let after = span.content.len() - before - said.len();
        let said = Span::styled(said.to_owned(), span.style);
        let gaps = [before, after].map(|gap| Span::raw(" ".repeat(gap)));
        let [before, after] = gaps;
        spans.extend(
            [before, said, after]
                .into_iter()
                .filter(|s| !s.content.is_empty()),
        );
    }
    Line::from(spans).style(line.style)
}

/// Text for one row: its first line that says something, without tabs.
pub(crate) fn one_line(text: &str) -> String {
    let line = text.lines().map(str::trim).find(|l| !l.is_empty());
    crate::text::expand_tabs(&crate::text::sanitise_line(line.unwrap_or(""))).into_owned()
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "tests")]

    use super::*;
    use proptest::prelude::*;

    fn plain(line: &Line<'_>) -> String {
        line.spans.iter().map(|s| s.content.as_ref()).collect()
    }

    #[test]
    fn only_what_is_said_stands_on_a_ground_of_its_own() {
        let marked = Style::new().reversed();
        let line = Line::from(vec![
            Span::styled("  ▸ 87 ", marked),
            Span::styled("  ", marked),
            Span::styled(" plain ", Style::new().bold()),
        ]);
        let bared = bare_gaps(line.clone());
        assert_eq!(plain(&bared), plain(&line));
        let on_ground = bared.spans.iter().filter(|span| span.style == marked);
        let said: Vec<_> = on_ground.map(|span| span.content.as_ref()).collect();
        assert_eq!(said, ["▸ 87"]);
        assert!(bared.spans.contains(&line.spans[2]));
    }

    #[test]
    fn code_is_broken_where_a_person_would_break_it() {
        let code = Line::raw("df.filter(F.col(\"age\").isNull()).groupBy(\"country\").count()");
        let lines: Vec<String> = wrap(&code, 36, 2).iter().map(Line::to_string).collect();
        assert_eq!(
            lines,
            [
                "df.filter(F.col(\"age\").isNull())",
                "  .groupBy(\"country\").count()"
            ]
        );
        let setting = Line::raw("--conf spark.executor.memoryOverheadFactor=0.4");
        let lines: Vec<String> = wrap(&setting, 30, 2).iter().map(Line::to_string).collect();
        assert_eq!(
            lines,
            ["--conf spark.executor.", "  memoryOverheadFactor=0.4"]
        );
        let root = Line::raw("▶ ParseException  [PARSE_SYNTAX_ERROR] Syntax error");
        let lines: Vec<String> = wrap(&root, 34, 4).iter().map(Line::to_string).collect();
        assert_eq!(lines[1], "    [PARSE_SYNTAX_ERROR] Syntax ");
    }

    #[test]
    fn wide_characters_are_never_cut_in_half() {
        let line = Line::from("ab数据cd");
        assert_eq!(plain(&clip(&line, 0, 8)), "ab数据cd");
        assert_eq!(plain(&clip(&line, 0, 6)), "ab数…");
        assert_eq!(plain(&clip(&line, 2, 6)), "… 据cd");
        assert_eq!(plain(&clip(&line, 0, 0)), "");
    }

    #[test]
    fn the_start_of_a_row_stays_when_the_rest_is_scrolled() {
        let line = Line::from("11.2 ✗ executor 2 ValueError: invalid literal");
        assert_eq!(plain(&slide(&line, 7, 11, 20)), "11.2 ✗ …alueError: …");
        assert_eq!(plain(&slide(&line, 7, 0, 12)), "11.2 ✗ exec…");
    }

    #[test]
    fn lines_break_at_spaces() {
        let line = Line::from("one two three four five six seven");
        let wrapped: Vec<String> = wrap(&line, 20, 4).iter().map(plain).collect();
        assert_eq!(wrapped, ["one two three four ", "    five six seven"]);
        assert_eq!(wrap(&Line::default(), 20, 4).len(), 1);
    }

    #[test]
    fn matches_cross_spans() {
        let style = Style::default().bold();
        let line = Line::from(vec![Span::raw("abc"), Span::raw("def")]);
        let marked = highlight(line, &Regex::new("cd").unwrap(), style);
        let bold: String = marked
            .spans
            .iter()
            .filter(|s| s.style == style)
            .map(|s| s.content.as_ref())
            .collect();
        assert_eq!((plain(&marked).as_str(), bold.as_str()), ("abcdef", "cd"));
    }

    #[test]
    fn wide_emoji_are_never_cut_in_half() {
        let text = "👩数👩据👩👩";
        for (from, width) in (0..12).flat_map(|from| (2..12).map(move |width| (from, width))) {
            let cut = plain(&clip(&Line::from(text), from, width));
            assert!(columns(&cut) <= width, "{from} {width}: {cut:?}");
        }
    }

    #[test]
    fn a_cluster_of_several_wide_characters_is_several_pieces() {
        let text = "👩👩\u{301}\u{200d}👩";
        let wrapped: Vec<String> = wrap(&Line::from(text), 2, 0).iter().map(plain).collect();
        assert_eq!(wrapped, ["👩", "👩\u{301}\u{200d}", "👩"]);
    }

    proptest! {
        #[test]
        fn nothing_is_wider_than_asked(text in "[a-z 数据\u{301}e\u{1f469}\u{200d}]{0,60}", from in 0..20usize, width in 2..30usize) {
            let line = Line::from(text.clone());
            prop_assert!(columns(&plain(&clip(&line, from, width))) <= width);
            let mut all = String::new();
            for (i, piece) in wrap(&line, width, 4).iter().enumerate() {
                let piece = plain(piece);
                prop_assert!(columns(&piece) <= width, "{piece:?}");
                let lead = if i > 0 { 4.min(width / 3) } else { 0 };
                all.push_str(&piece[lead..]);
            }
            prop_assert_eq!(all, text);
        }
    }

    #[test]
    fn a_number_stays_with_its_unit() {
        let line = Line::from("the median of 1.1 s without more");
        let lines: Vec<String> = wrap(&line, 18, 0).iter().map(ToString::to_string).collect();
        assert_eq!(lines, ["the median of ", "1.1 s without more"]);
        let line = Line::from("stage 12 failed with 4 tasks");
        let lines: Vec<String> = wrap(&line, 9, 0).iter().map(ToString::to_string).collect();
        assert_eq!(lines[0], "stage 12 ");
    }
}
