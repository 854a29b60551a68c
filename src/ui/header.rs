//! What is always in view: how the run ended, the root cause, and the user's own line it points at.

use super::context::Context;
use super::layout::Size;
use super::panes::verdict_line;
use super::theme::Role;
use super::widgets::{clip, columns, one_line, wrap};
use crate::fact::Frame;
use crate::incident::{Evidence, Outcome};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

/// Draws the lines; `reading` says how far the reading is, while it goes on.
pub(super) fn draw(
    cx: &Context<'_>,
    size: Size,
    reading: Option<&str>,
    area: Rect,
    buffer: &mut Buffer,
) {
    let line = |n: u16| {
        Rect {
            y: area.y + n,
            height: 1,
            ..area
        }
        .intersection(area)
    };
    if size == Size::Tiny {
        let mut first = outcome(cx);
        if let Some(reading) = reading {
            first.push(cx.span(Role::Status, format!("{reading} ")));
        }
        if let Some(frame) = cx.incident().and_then(|i| i.user_frame.as_ref()) {
            first.push(cx.span(Role::OwnCode, spot_of(frame)));
        }
        put(first, None, None, line(0), buffer);
        root(cx, line(1), buffer);
        return;
    }
    let mut first = vec![cx.span(Role::Brand, " causedby ")];
    first.extend(outcome(cx));
    let spark = &cx.case.story.spark;
    if let Some(version) = &spark.version {
        first.push(cx.span(Role::Text, format!("Spark {} ", one_line(version))));
    }
    let app = [&spark.app_id, &spark.app_name];
    if let Some(app) = app.into_iter().flatten().next() {
        let apart = if spark.version.is_some() { "· " } else { "" };
        first.push(cx.span(Role::Dim, format!("{apart}{} ", one_line(app))));
    }
    let wide: usize = first.iter().map(|span| columns(&span.content)).sum();
    let right = reading.map_or_else(
        || {
            cx.span(
                Role::Dim,
                opened(cx, usize::from(area.width).saturating_sub(wide)),
            )
        },
        |reading| cx.span(Role::Status, format!(" {reading} ")),
    );
    put(first, Some(right), None, line(0), buffer);
    let last = area.height.saturating_sub(1);
    root(
        cx,
        Rect {
            height: last.saturating_sub(1),
            ..line(1)
        },
        buffer,
    );
    // As in the other lines a column stays free at the right edge.
    let room = area.width.saturating_sub(1);
    put(third(cx, room.into()), None, None, line(last), buffer);
}

/// Columns that the root's line takes at least.
pub(super) fn root_width(cx: &Context<'_>, width: u16) -> usize {
    let (spans, tag) = root_line(cx, false, width);
    let tag = tag.map_or(0, |tag| columns(&tag.content));
    spans.iter().map(|s| columns(&s.content)).sum::<usize>() + tag
}

/// `enrich_orders.py:88 parse_age()`
pub(super) fn spot_of(frame: &Frame) -> String {
    let file = if frame.file.is_empty() {
        &frame.class
    } else {
        &frame.file
    };
    let mut spot = one_line(file.rsplit(['/', '\\']).next().unwrap_or(""));
    if let Some(line) = frame.line {
        spot = format!("{spot}:{line}");
    }
    match &*frame.function {
        "" => spot,
        function if function.starts_with('<') => format!("{spot} {}", one_line(function)),
        function => format!("{spot} {}()", one_line(function)),
    }
}

fn outcome(cx: &Context<'_>) -> Vec<Span<'static>> {
    let outcome = cx.case.story.outcome;
    let ill = matches!(outcome, Outcome::Failed | Outcome::Killed | Outcome::Stuck);
    // An error that a run goes on after shows only later what it was.
    let running = cx.goes_on() && !ill;
    let role = match outcome {
        _ if running => Role::Unknown,
        Outcome::Failed | Outcome::Killed => Role::Failed,
        Outcome::Stuck | Outcome::Recovered => Role::Warning,
        Outcome::Succeeded => Role::Succeeded,
        Outcome::Unknown => Role::Unknown,
    };
    let word = match outcome {
        Outcome::Unknown if cx.case.provisional => "READING".to_owned(),
        _ if running => "RUNNING".to_owned(),
        Outcome::Unknown => "OUTCOME UNKNOWN".to_owned(),
        known => known.word().to_uppercase(),
    };
    // What is said before everything is read, or written, may change.
    let may_change = cx.case.provisional || cx.goes_on() && ill;
    let mark = if may_change { "?" } else { "" };
    vec![cx.span(role, format!(" {word}{mark} ")), Span::raw(" ")]
}

fn root(cx: &Context<'_>, area: Rect, buffer: &mut Buffer) {
    let style = cx.incident().map(|_| cx.style(Role::Root));
    let short = area.width < NARROW;
    let (mut spans, mut tag) = root_line(cx, true, area.width);
    let room = usize::from(area.width)
        - tag
            .as_ref()
            .map_or(0, |t| columns(&t.content).min(area.width.into()));
    if spans.iter().map(|s| columns(&s.content)).sum::<usize>() > room {
        // The message says more than the package.
        spans = root_line(cx, false, area.width).0;
        if short {
            tag = None;
        }
    }
    if area.height < 2 {
        return put(spans, tag, style, area, buffer);
    }
    let lines = wrap(&Line::from(spans), room, 4);
    let last = usize::from(area.height) - 1;
    for (y, line) in (area.y..area.bottom()).zip(lines.clone()) {
        let row = Rect {
            y,
            height: 1,
            ..area
        };
        let mut spans = line.spans;
        if usize::from(y - area.y) == last {
            // What does not fit is cut off here; the indent of further lines is not part of it.
            let rest = lines.iter().skip(last + 1);
            spans.extend(rest.flat_map(|l| l.spans.iter().skip(1).cloned()));
        }
        put(spans, tag.take(), style, row, buffer);
    }
    // A banner is one surface, also where its second line has nothing to say.
    for y in area.y + u16::try_from(lines.len()).unwrap_or(area.height)..area.bottom() {
        put(
            Vec::new(),
            None,
            style,
            Rect {
                y,
                height: 1,
                ..area
            },
            buffer,
        );
    }
}

/// Narrower, the number of incidents goes without the word, and gives way to a message that needs the room.
const NARROW: u16 = 60;
/// From here on how often it was logged is told in words.
const WIDE: u16 = 100;

/// What the banner says, and what stands at its right edge, on a screen of that width.
fn root_line(
    cx: &Context<'_>,
    with_package: bool,
    width: u16,
) -> (Vec<Span<'static>>, Option<Span<'static>>) {
    let Some(incident) = cx.incident() else {
        let text = if cx.case.provisional || cx.goes_on() {
            "  nothing that failed has been found so far"
        } else {
            "  no failure in what was opened"
        };
        return (vec![cx.span(Role::Strong, text)], None);
    };
    let root = incident.root();
    let class = one_line(if with_package {
        &root.class
    } else {
        root.short_class()
    });
    let message = one_line(root.headline());
    let text = match (class.as_str(), message.as_str()) {
        ("", message) => message.to_owned(),
        (class, "") => class.to_owned(),
        (class, message) => format!("{class}: {message}"),
    };
    let mut spans = vec![cx.span(Role::Failed, "▶"), cx.span(Role::Text, " ")];
    if incident.evidence == Evidence::SymptomOnly {
        spans.push(cx.span(Role::Warning, "symptom only: "));
    }
    spans.push(cx.span(Role::Text, text));
    let mut tag = String::new();
    if incident.count > 1 {
        tag = if width < WIDE {
            format!(" ×{}", incident.count)
        } else {
            format!(" logged {} times ", incident.count)
        };
    }
    let all = cx.case.story.incidents.len();
    if all > 1 {
        let n = cx.selection.incident.map_or(0, |i| i + 1);
        tag = format!("{tag}  {n}/{all}");
        if width >= NARROW {
            tag = format!("{tag} incidents");
        }
    }
    (spans, Some(cx.span(Role::Text, format!("{tag} "))))
}

/// The user's own line, else what to look at next, else where it happened. Of a long line of code only so much is
/// shown that what the attempts say together stays in view.
fn third(cx: &Context<'_>, width: usize) -> Vec<Span<'static>> {
    let Some(incident) = cx.incident() else {
        return remark(cx);
    };
    let mut spans = own_line(cx);
    if let Some(next) =
        (incident.next.first()).filter(|_| incident.evidence == Evidence::SymptomOnly)
    {
        spans.push(cx.span(Role::Key, "  look next: "));
        spans.push(cx.span(Role::Warning, one_line(next)));
        return spans;
    }
    let mut rest = Vec::new();
    if let Some(task) = incident.task {
        rest.push(task.to_string());
    }
    rest.extend(verdict_line(cx));
    if rest.is_empty() {
        rest.push(cx.spot(&incident.root().place));
    }
    // One's own line comes before which task it was: the pane Attempts says that, too.
    let spot = incident
        .user_frame
        .as_ref()
        .map_or(0, |frame| columns(&spot_of(frame)) + 4);
    if rest.len() > 1 && spot + columns(&rest.join(" · ")) + 2 > width {
        rest.remove(0);
    }
    let rest = format!("  {}", rest.join(" · "));
    let room = width.saturating_sub(columns(&rest));
    let wide = spans.iter().map(|s| columns(&s.content)).sum::<usize>();
    if wide > room && room > width / 3 {
        spans = clip(&Line::from(spans), 0, room).spans;
    }
    spans.push(cx.span(Role::Dim, rest));
    spans
}

/// Where nothing failed: what is most remarkable about the stages.
fn remark(cx: &Context<'_>) -> Vec<Span<'static>> {
    let story = &cx.case.story;
    let remarks = story.remarks();
    let Some((stage, finding)) = remarks.first().map(|(i, f)| (&story.stages[*i], f)) else {
        return Vec::new();
    };
    let name = format!("  ! {}: ", stage.title());
    vec![
        cx.span(Role::Key, name),
        cx.span(Role::Warning, one_line(&finding.text)),
    ]
}

fn own_line(cx: &Context<'_>) -> Vec<Span<'static>> {
    let Some(frame) = cx.incident().and_then(|i| i.user_frame.as_ref()) else {
        return Vec::new();
    };
    let mut spans = vec![cx.span(Role::OwnCode, format!("  {}", spot_of(frame)))];
    if let Some(code) = &frame.code {
        spans.push(cx.span(Role::OwnSource, format!("  {}", one_line(code))));
    }
    spans
}

/// The file that is told of, how many more were read, and how many were not.
/// What was opened, and how much of it could not be read; in less room that alone.
fn opened(cx: &Context<'_>, room: usize) -> String {
    let list = &cx.case.sources.list;
    let shown = cx
        .incident()
        .and_then(|i| cx.case.sources.get(i.root().place.source))
        .or(list.first());
    let mut files = match (shown, list.len()) {
        (Some(source), 1) => one_line(&source.name),
        (Some(source), 2) => format!("{} +1 file", one_line(&source.name)),
        (Some(source), n) => format!("{} +{} files", one_line(&source.name), n - 1),
        (None, _) => String::new(),
    };
    let mut short = String::new();
    let refused = cx.case.sources.refused.len();
    if refused > 0 {
        files = format!("{files}, {refused} not read");
        short = format!(" {refused} not read ");
    }
    if cx.follows {
        files = format!("following {files}");
    }
    let whole = format!(" {files} ");
    if files.is_empty() || columns(&whole) > room {
        short
    } else {
        whole
    }
}

/// One line, with something at its right edge where there is room for both.
fn put(
    spans: Vec<Span<'static>>,
    right: Option<Span<'static>>,
    style: Option<Style>,
    area: Rect,
    buffer: &mut Buffer,
) {
    let width = usize::from(area.width);
    let mut line = Line::from(spans);
    let wide: usize = line.spans.iter().map(|s| columns(&s.content)).sum();
    let right = right.filter(|r| {
        let room = columns(&r.content);
        room < width / 2 && (wide + room <= width || style.is_some())
    });
    let room = width - right.as_ref().map_or(0, |r| columns(&r.content));
    line = clip(&line, 0, room);
    if let Some(right) = right {
        let used: usize = line.spans.iter().map(|s| columns(&s.content)).sum();
        line.push_span(Span::raw(" ".repeat(room.saturating_sub(used))));
        line.push_span(right);
    }
    if let Some(style) = style {
        buffer.set_style(area, style);
        for span in &mut line.spans {
            span.style = span.style.patch(style);
        }
    }
    if area.height > 0 {
        buffer.set_line(area.x, area.y, &line, area.width);
    }
}
