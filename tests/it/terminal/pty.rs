//! In: a command and keys. Out: what a terminal shows of it, and every byte it was sent.

use std::io::{Read, Write};
use std::num::NonZero;
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use portable_pty::{Child, CommandBuilder, ExitStatus, MasterPty, PtySize, native_pty_system};

/// Far more than anything takes on an idle machine: tests run beside each other and beside the compiler.
pub(crate) const DEADLINE: Duration = Duration::from_secs(180);

/// Between two looks; also what the bytes of a process that has ended need to arrive.
const PAUSE: Duration = Duration::from_millis(50);

/// A terminal of 100 × 30 with a process in it.
pub(crate) struct Pty {
    master: Box<dyn MasterPty + Send>,
    keys: Box<dyn Write + Send>,
    child: Box<dyn Child + Send + Sync>,
    seen: Arc<Mutex<Seen>>,
}

struct Seen {
    bytes: Vec<u8>,
    screen: vt100::Parser,
}

impl Pty {
    pub(crate) fn start(command: CommandBuilder) -> Self {
        Self::over(command, 4_096, Duration::ZERO)
    }

    /// At the end of a slow line: so many bytes arrive, then none for a while.
    pub(crate) fn slow(command: CommandBuilder, bytes: usize, pause: Duration) -> Self {
        Self::over(command, bytes, pause)
    }

    fn over(command: CommandBuilder, bytes: usize, pause: Duration) -> Self {
        let size = PtySize {
            rows: 30,
            cols: 100,
            pixel_width: 0,
            pixel_height: 0,
        };
        let pair = native_pty_system().openpty(size).expect("a terminal");
        let child = pair.slave.spawn_command(command).expect("it starts");
        let mut output = pair.master.try_clone_reader().expect("its output");
        let seen = Arc::new(Mutex::new(Seen {
            bytes: Vec::new(),
            screen: vt100::Parser::default(),
        }));
        let pty = Self {
            keys: pair.master.take_writer().expect("its input"),
            master: pair.master,
            child,
            seen: Arc::clone(&seen),
        };
        // The terminal had its size before the process began: told again, it would undo what the process says of it.
        pty.show(size.cols, size.rows);
        thread::spawn(move || {
            let mut buffer = vec![0; bytes];
            while let Ok(count @ 1..) = output.read(&mut buffer) {
                let mut seen = seen.lock().expect("no panic while it was held");
                seen.bytes.extend_from_slice(&buffer[..count]);
                seen.screen.process(&buffer[..count]);
                drop(seen);
                thread::sleep(pause);
            }
        });
        pty
    }

    /// Types.
    pub(crate) fn press(&mut self, keys: &str) {
        self.keys.write_all(keys.as_bytes()).expect("it is read");
        self.keys.flush().expect("it is read");
    }

    pub(crate) fn resize(&self, cols: u16, rows: u16) {
        self.show(cols, rows);
        let size = PtySize {
            rows,
            cols,
            pixel_width: 0,
            pixel_height: 0,
        };
        self.master.resize(size).expect("a new size");
    }

    /// What shows the bytes gets a size.
    fn show(&self, cols: u16, rows: u16) {
        let (high, wide) = (NonZero::new(rows), NonZero::new(cols));
        self.with(|seen| {
            let screen = seen.screen.screen_mut();
            screen.set_size(high.expect("a row"), wide.expect("a column"));
        });
    }

    /// What is on the screen.
    pub(crate) fn text(&self) -> String {
        self.with(|seen| seen.screen.screen().contents())
    }

    /// What is on the screen, cell by cell.
    pub(crate) fn screen(&self) -> vt100::Screen {
        self.with(|seen| seen.screen.screen().clone())
    }

    /// All that was ever sent.
    pub(crate) fn bytes(&self) -> Vec<u8> {
        self.with(|seen| seen.bytes.clone())
    }

    /// Waits until the screen shows all of `parts`.
    pub(crate) fn wait_for(&mut self, parts: &[&str]) {
        self.wait_until(&format!("{parts:?} on the screen"), |pty| {
            let text = pty.text();
            parts.iter().all(|part| text.contains(part))
        });
    }

    /// Waits until `holds`; the test fails with the screen's text where that takes too long or the process
    /// ends before.
    pub(crate) fn wait_until(&mut self, what: &str, mut holds: impl FnMut(&mut Self) -> bool) {
        let start = Instant::now();
        while !holds(self) {
            let ended = self.child.try_wait().expect("ours").is_some();
            thread::sleep(PAUSE);
            assert!(
                start.elapsed() < DEADLINE && (!ended || holds(self)),
                "no {what} within {DEADLINE:?} or until the process ended; the screen shows:\n{}",
                self.text()
            );
        }
    }

    /// Types the same again and again until the process ends, or for as long as a test waits for anything.
    pub(crate) fn press_until_it_ends(&mut self, keys: &str, pause: Duration) {
        let start = Instant::now();
        while self.child.try_wait().expect("ours").is_none() && start.elapsed() < DEADLINE {
            // It may end before it has read this.
            let _ = self.keys.write_all(keys.as_bytes());
            thread::sleep(pause);
        }
    }

    /// Waits for the process to end.
    pub(crate) fn end(&mut self) -> ExitStatus {
        let start = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().expect("ours") {
                // What it said last may still be on its way.
                thread::sleep(PAUSE);
                return status;
            }
            assert!(
                start.elapsed() < DEADLINE,
                "it does not end; the screen shows:\n{}",
                self.text()
            );
            thread::sleep(PAUSE);
        }
    }

    /// The modes that the program has turned on and not off again.
    pub(crate) fn modes_left_on(&self) -> Vec<&'static str> {
        self.with(|seen| {
            let screen = seen.screen.screen();
            let modes = [
                (screen.alternate_screen(), "alternate screen"),
                (screen.hide_cursor(), "hidden cursor"),
                (screen.bracketed_paste(), "bracketed paste"),
                (
                    screen.mouse_protocol_mode() != vt100::MouseProtocolMode::None,
                    "mouse",
                ),
                (
                    screen.inverse() || screen.bold() || screen.fgcolor() != vt100::Color::Default,
                    "attributes",
                ),
            ];
            let on = modes.into_iter().filter(|(on, _)| *on);
            on.map(|(_, name)| name).collect()
        })
    }

    fn with<T>(&self, look: impl FnOnce(&mut Seen) -> T) -> T {
        look(&mut self.seen.lock().expect("no panic while it was held"))
    }
}

impl Drop for Pty {
    fn drop(&mut self) {
        // Already gone where the test went well.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
