//! What a key sends to the terminal: somebody's SSH line carries it. Counted in bytes, which are the same on every machine.

use causedby::load::{self, Case, Options};
use causedby::source::Sources;
use causedby::ui::{App, Depth, Event, Keymap, Theme};
use crossterm::event::{Event as Input, KeyCode, KeyEvent, KeyModifiers};
use ratatui::Terminal;
use ratatui::backend::{Backend as _, CrosstermBackend, TestBackend};
use ratatui::buffer::Buffer;
use std::cell::Cell;
use std::fmt::Write as _;
use std::io;
use std::rc::Rc;
use std::sync::{Arc, LazyLock};

/// Bytes that a step in a list may send on average, on a screen of 120 × 36 in full colour.
const MOST_ON_AVERAGE: usize = 2 << 10;
/// And where it changes nearly all of the screen, which has 4,320 cells.
const MOST_OF_A_SCREEN: usize = 9 << 10;
const STEPS: usize = 24;

static DEMO: LazyLock<Arc<Case>> =
    LazyLock::new(|| Arc::new(load::load(load::demo(), &Options::default())));

/// A driver's log with many failures, each with a long trace and a message of its own.
static MANY: LazyLock<Arc<Case>> = LazyLock::new(|| {
    let mut log = String::new();
    for n in 0..60 {
        let _ = writeln!(
            log,
            "24/05/01 10:{n:02}:00 ERROR Gauge{n}: no reading\njava.lang.IllegalStateException: gauge of kind {} is dry",
            "abcdefghij".repeat(n % 7 + 1)
        );
        for frame in 0..30 {
            let _ = writeln!(
                log,
                "\tat com.acme.tides.Gauge{n}.step{frame}(Gauge{n}.java:{})",
                frame + 10
            );
        }
    }
    let mut sources = Sources::default();
    sources.add_memory("driver.log", log.into_bytes());
    Arc::new(load::load(sources, &Options::default()))
});

struct Counted(Rc<Cell<usize>>);

impl io::Write for Counted {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.set(self.0.get() + bytes.len());
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

struct Screen {
    app: App,
    terminal: Terminal<TestBackend>,
    before: Buffer,
    sent: Rc<Cell<usize>>,
    wire: CrosstermBackend<Counted>,
}

impl Screen {
    fn of(case: &Arc<Case>) -> Self {
        let theme = Theme::named("dark", Depth::True).expect("a built-in theme");
        let sent = Rc::new(Cell::new(0));
        let mut screen = Self {
            app: App::new(Arc::clone(case), Keymap::built_in(), theme),
            terminal: Terminal::new(TestBackend::new(120, 36)).expect("a buffer"),
            before: Buffer::default(),
            wire: CrosstermBackend::new(Counted(Rc::clone(&sent))),
            sent,
        };
        screen.draw();
        screen
    }

    /// Draws, and returns how many bytes the terminal is sent for it.
    fn draw(&mut self) -> usize {
        let frame = self
            .terminal
            .draw(|frame| self.app.draw(frame))
            .expect("a buffer");
        let now = frame.buffer.clone();
        if self.before.area != now.area {
            self.before = Buffer::empty(now.area);
        }
        self.sent.set(0);
        let changed = self.before.diff(&now);
        if !changed.is_empty() {
            self.wire.draw(changed.into_iter()).expect("counted");
        }
        self.before = now;
        self.sent.get()
    }

    fn press(&mut self, key: char) -> usize {
        let key = KeyEvent::new(KeyCode::Char(key), KeyModifiers::NONE);
        let effects = self.app.update(Event::Input(Input::Key(key)));
        assert!(effects.is_empty(), "a step asks for {effects:?}");
        self.draw()
    }
}

#[test]
fn a_step_in_a_list_sends_little() {
    crossterm::style::force_color_output(true);
    let (mut told, mut averages) = (String::new(), Vec::new());
    for (name, case) in [("the demo", &*DEMO), ("many failures", &*MANY)] {
        for (list, keys) in [
            ("incidents", "1"),
            ("causes", "2"),
            ("the trace", "3"),
            ("the open trace", "3="),
            ("attempts", "4"),
            ("stages", "5"),
            ("fixes", "6"),
            ("the log", "v"),
        ] {
            let mut screen = Screen::of(case);
            keys.chars().for_each(|key| {
                screen.press(key);
            });
            let steps = "j".repeat(STEPS) + &"k".repeat(STEPS);
            let sent = steps.chars().map(|key| screen.press(key));
            // Steps beyond the ends of a short list send nothing and would hide what the others do.
            let sent: Vec<usize> = sent.filter(|bytes| *bytes > 0).collect();
            if !sent.is_empty() {
                let average = sent.iter().sum::<usize>() / sent.len();
                let _ = writeln!(told, "{average:>6} B  {list} of {name}");
                averages.push(average);
            }
        }
    }
    let average = averages.iter().sum::<usize>() / averages.len();
    println!("{told}{average:>6} B  on average");
    assert!(
        average < MOST_ON_AVERAGE,
        "\n{told}{average:>6} B  on average"
    );
    // Another incident is another screen.
    assert!(
        averages.iter().all(|average| *average < MOST_OF_A_SCREEN),
        "\n{told}"
    );
}
