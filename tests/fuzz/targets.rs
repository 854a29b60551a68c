//! In: any bytes. Out: nothing, or a panic where something does not hold that has to. The fuzzer runs these over what it makes
//! up, the ordinary tests over the cases and over what the fuzzer once found.

use causedby::diagnosis::Rulebook;
use causedby::fact;
use causedby::load::{self, Case, Options};
use causedby::record::{Cutter, Dress, RawLine, is_head, logical_text};
use causedby::report::{self, Format, Manner};
use causedby::source::Sources;
use causedby::text::{MARK, SourceId, expand_tabs, sanitise, sanitise_line, visible_line};
use causedby::ui::{App, Depth, Effect, Event, Keymap, Theme};
use crossterm::event::{Event as Input, KeyCode, KeyEvent, KeyModifiers};
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use std::io::Write as _;
use std::num::NonZero;
use std::sync::{Arc, LazyLock};

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

/// No row of keys breaks the screen, at any size; a keymap is used or refused.
fn keys(data: &[u8]) {
    static CASE: LazyLock<Arc<Case>> =
        LazyLock::new(|| Arc::new(load::load(load::demo(), &Options::default())));
    let (size, typed) = data.split_at(data.len().min(2));
    let [wide, high] = [size.first(), size.get(1)].map(|n| u16::from(*n.unwrap_or(&80)) % 160 + 1);
    if let Some(keymap) = typed.strip_prefix(b"#")
        && let Ok(text) = std::str::from_utf8(keymap)
    {
        let _ = Keymap::with_file(written(text).path());
    }
    let theme = Theme::named("dark", Depth::True).expect("a built-in theme");
    let mut app = App::new(Arc::clone(&CASE), Keymap::built_in(), theme);
    let mut terminal = Terminal::new(TestBackend::new(wide, high)).expect("no I/O");
    for (n, byte) in typed.iter().take(400).enumerate() {
        let mut answers = app.update(Event::Input(input(*byte)));
        while let Some(effect) = answers.pop() {
            match effect {
                Effect::Quit => return,
                Effect::Scan {
                    generation,
                    filter,
                    incident,
                    query,
                } => {
                    let lines = query.answer(app.case(), incident, filter);
                    answers.extend(app.update(Event::Scanned {
                        generation,
                        filter,
                        lines,
                    }));
                }
                _ => {}
            }
        }
        if n % 8 == 0 {
            terminal.draw(|frame| app.draw(frame)).expect("no I/O");
        }
    }
    terminal.draw(|frame| app.draw(frame)).expect("no I/O");
}

/// Printable bytes are themselves, the others the keys that have no letter.
fn input(byte: u8) -> Input {
    let (code, modifiers) = match byte {
        b' '..=b'~' => (KeyCode::Char(char::from(byte)), KeyModifiers::NONE),
        1..=26 => (
            KeyCode::Char(char::from(byte - 1 + b'a')),
            KeyModifiers::CONTROL,
        ),
        0x80 => (KeyCode::Enter, KeyModifiers::NONE),
        0x81 => (KeyCode::Esc, KeyModifiers::NONE),
        0x82 => (KeyCode::Tab, KeyModifiers::NONE),
        0x83 => (KeyCode::Backspace, KeyModifiers::NONE),
        0x84 => (KeyCode::Up, KeyModifiers::NONE),
        0x85 => (KeyCode::Down, KeyModifiers::NONE),
        0x86 => (KeyCode::PageDown, KeyModifiers::NONE),
        0x87 => (KeyCode::F(1), KeyModifiers::NONE),
        0x88 => {
            return Input::Paste("Traceback (most recent call last):\nValueError: x\n".to_owned());
        }
        0x89 => (KeyCode::Char('é'), KeyModifiers::NONE),
        0x8a => (KeyCode::Char('c'), KeyModifiers::ALT),
        n => return Input::Resize(u16::from(n), u16::from(n) / 2),
    };
    Input::Key(KeyEvent::new(code, modifiers))
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
