//! In: any bytes. Out: nothing, or a panic where something does not hold that has to. The fuzzer runs these over what it makes
//! up, the ordinary tests over the cases and over what the fuzzer once found.

use causedby::diagnosis::Rulebook;
use causedby::fact;
use causedby::load::{self, Case, Options};
use causedby::record::{Cutter, Dress, RawLine, is_head, logical_text};
use causedby::report::{self, Format, Manner};
use causedby::source::Sources;
use causedby::text::{MARK, SourceId, expand_tabs, sanitise, sanitise_line, visible_line};
use causedby::ui::terminal::{Keyboard, Read};
use causedby::ui::{App, Depth, Effect, Event, Keymap, Theme};
use crossterm::event::{Event as Input, KeyCode};
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use std::io::Write as _;
use std::num::NonZero;
use std::sync::{Arc, LazyLock};
use std::time::{Duration, Instant};

/// From here on a byte is in no text.
const NO_TEXT: u8 = 0xf8;

/// Takes any bytes; panics where something does not hold.
pub(super) type Target = fn(&[u8]);

/// What can be fuzzed, by name.
pub(super) const ALL: &[(&str, Target)] = &[
    ("layouts", layouts),
    ("throwables", throwables),
    ("tracebacks", tracebacks),
    ("event_logs", event_logs),
    ("codecs", packed),
    ("archives", packed),
    ("rules", rules),
    ("sanitiser", sanitiser),
    ("keys", keys),
];

/// Lines are cut into records whatever they look like, and every place is within the source.
fn layouts(data: &[u8]) {
    for record in records(data) {
        for line in &record.lines {
            let end = line.place.start + u64::from(line.place.bytes);
            assert!(
                end <= data.len() as u64,
                "{:?} of {} bytes",
                line.place,
                data.len()
            );
        }
    }
}

/// Every record can be asked what it says.
fn throwables(data: &[u8]) {
    let mut facts = Vec::new();
    for record in records(data) {
        fact::read(&record, &mut facts);
    }
    for fact in &facts {
        assert!(fact.place.start <= data.len() as u64);
        let _ = fact.message();
    }
}

/// A log is told the same whatever the size of the blocks it is read in, and nothing raw is told.
fn tracebacks(data: &[u8]) {
    let case = case_of(data, 1 << 20);
    let told = check(&case);
    assert_eq!(
        told,
        check(&case_of(data, 4 << 10)),
        "another answer in other blocks"
    );
}

fn event_logs(data: &[u8]) {
    let mut log = b"{\"Event\":\"SparkListenerLogStart\",\"Spark Version\":\"3.5.1\"}\n".to_vec();
    log.extend_from_slice(data);
    check(&case_of(&log, 1 << 20));
}

/// Whatever is packed in whatever way is opened or refused with a reason, and can be read where it was opened.
fn packed(data: &[u8]) {
    let mut sources = Sources::default();
    sources.add_memory("x", data.to_vec());
    for source in &sources.list {
        let mut buffer = [0; 512];
        let _ = source.fill_at(source.bytes / 2, &mut buffer);
        assert!(
            source
                .fill_at(source.bytes, &mut buffer)
                .is_ok_and(|n| n == 0)
        );
    }
    assert!(
        sources
            .refused
            .iter()
            .all(|refusal| !refusal.reason.is_empty())
    );
    assert!(!sources.list.is_empty() || !sources.refused.is_empty());
}

/// A file of rules can be used on the built-in incident, or the message says why not.
fn rules(data: &[u8]) {
    static CASE: LazyLock<Case> = LazyLock::new(|| load::load(load::demo(), &Options::default()));
    let Ok(text) = std::str::from_utf8(data) else {
        return;
    };
    match Rulebook::with_own(written(text).path()) {
        Ok(book) => {
            book.diagnose(&CASE.story, &[]);
        }
        Err(error) => assert_safe(&expand_tabs(&sanitise(&error.to_string()))),
    }
}

/// What is sanitised holds nothing that a terminal acts on, and stays as it is when it is sanitised again.
fn sanitiser(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let block = sanitise(&text);
    assert_safe(&expand_tabs(&block));
    let line = sanitise_line(&text);
    assert_safe(&expand_tabs(&line));
    assert!(!line.contains('\n'));
    assert_eq!(visible_line(&line), line);
    // What is masked does not come back, and nothing else goes.
    let again = sanitise_line(&line);
    assert!(again.matches(MARK).count() >= line.matches(MARK).count());
    if !line.contains(MARK) {
        assert_eq!(line, visible_line(&text));
    }
}

/// What a terminal sends breaks neither the keyboard nor the screen, at any size; a keymap is used or refused. A byte that is in
/// no UTF-8 is a new size, and after some also a while without a key; the bytes between two of them come at once.
fn keys(data: &[u8]) {
    static CASE: LazyLock<Arc<Case>> =
        LazyLock::new(|| Arc::new(load::load(load::demo(), &Options::default())));
    static KEYMAP: LazyLock<Keymap> = LazyLock::new(Keymap::built_in);
    static THEME: LazyLock<Theme> =
        LazyLock::new(|| Theme::named("dark", Depth::True).expect("a built-in theme"));
    const SIZES: [(u16, u16); 7] = [
        (80, 24),
        (1, 1),
        (40, 12),
        (200, 3),
        (120, 40),
        (7, 60),
        (160, 50),
    ];
    if let Some(keymap) = data.strip_prefix(b"#")
        && let Ok(text) = std::str::from_utf8(keymap)
    {
        let _ = Keymap::with_file(written(text).path());
    }
    let mut app = App::new(Arc::clone(&CASE), KEYMAP.clone(), THEME.clone());
    let mut terminal = Terminal::new(TestBackend::new(80, 24)).expect("no I/O");
    let mut now = Instant::now();
    let mut keyboard = Keyboard::new(now);
    let sent = &data[..data.len().min(400)];
    for read in sent.split_inclusive(|byte| *byte >= NO_TEXT) {
        let (bytes, size) = match read.split_last() {
            Some((last, bytes)) if *last >= NO_TEXT => (bytes, usize::from(last - NO_TEXT)),
            _ => (read, SIZES.len()),
        };
        keyboard.take(bytes, now);
        if size >= SIZES.len() {
            now += Duration::from_secs(3);
        }
        while let Some(read) = keyboard.next(now) {
            let input = match read {
                Read::Event(input) => input,
                Read::CutPaste(text) => Input::Paste(text),
                Read::Status => continue,
            };
            if !update(&mut app, Event::Input(input)) {
                return;
            }
        }
        if let Some(&(columns, rows)) = SIZES.get(size) {
            terminal.backend_mut().resize(columns, rows);
            if !update(&mut app, Event::Input(Input::Resize(columns, rows))) {
                return;
            }
        }
        terminal.draw(|frame| app.draw(frame)).expect("no I/O");
    }
    // After a while a key is a key again, whatever came before.
    now += Duration::from_secs(3);
    while keyboard.next(now).is_some() {}
    keyboard.take(b"q", now);
    assert!(matches!(
        keyboard.next(now),
        Some(Read::Event(Input::Key(key))) if key.code == KeyCode::Char('q')
    ));
}

/// Lets the screen take an event, and what it asks for be done; whether it stays open.
fn update(app: &mut App, event: Event) -> bool {
    let mut effects = app.update(event);
    while let Some(effect) = effects.pop() {
        match effect {
            Effect::Quit => return false,
            Effect::Scan {
                generation,
                filter,
                incident,
                query,
            } => {
                let lines = query.answer(app.case(), incident, filter);
                effects.extend(app.update(Event::Scanned {
                    generation,
                    filter,
                    lines,
                }));
            }
            _ => {}
        }
    }
    true
}

/// The records of bytes taken for a log.
fn records(data: &[u8]) -> Vec<causedby::record::Record> {
    let dress = Dress::of(data);
    let mut cutter = Cutter::new(SourceId(0), dress);
    let mut records = Vec::new();
    let mut start = 0;
    for (line, bytes) in (1..).zip(data.split(|byte| *byte == b'\n')) {
        let _ = (
            is_head(bytes, dress),
            logical_text(bytes, 0, dress),
            logical_text(bytes, 3, dress),
        );
        cutter.feed(RawLine { start, line, bytes }, &mut records);
        start += bytes.len() as u64 + 1;
    }
    cutter.finish(&mut records);
    records
}

fn case_of(data: &[u8], block: usize) -> Case {
    let mut sources = Sources::default();
    sources.add_memory("driver.log", data.to_vec());
    let threads = NonZero::<usize>::MIN.get();
    load::load(
        sources,
        &Options {
            block,
            threads,
            ..Options::default()
        },
    )
}

/// The JSON report of a case, after all reports were found safe.
fn check(case: &Case) -> String {
    let all = Manner {
        all: true,
        ..Manner::default()
    };
    for format in [Format::Text, Format::Markdown] {
        assert_safe(&report::render(case, format, all));
    }
    let json = report::render(case, Format::Json, all);
    assert_safe(&json);
    let value: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    let lines = value["inputs"][0]["lines"].as_u64().unwrap_or(0);
    for incident in value["incidents"].as_array().expect("a list") {
        assert!(
            incident["root"]["line"]
                .as_u64()
                .is_none_or(|line| line >= 1 && line <= lines.max(1)),
            "{incident}"
        );
    }
    json
}

/// A file of that text, as the program reads rules and keys.
fn written(text: &str) -> tempfile::NamedTempFile {
    let mut file = tempfile::Builder::new()
        .suffix(".toml")
        .tempfile()
        .expect("a file");
    file.write_all(text.as_bytes()).expect("room");
    file
}

fn assert_safe(text: &str) {
    let raw = text.chars().find(|c| {
        c.is_control() && *c != '\n'
            || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{2028}')
    });
    assert_eq!(raw, None, "{text:?}");
}
