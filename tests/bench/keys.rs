//! How long a key takes to become a finished frame, and how many bytes that sends, with a large log open: the real program
//! in a real terminal of 120 × 36, while it reads and after.
//!
//! `cargo bench --bench keys -- [--kind WORD] [--mib N] [--keys N] [--seed N]`: N MiB (1024) of a log made from the seed below
//! `target/`, a driver's chatter if not another kind; N keys (400) of each sort. Prints the median and the 99th percentile of each, and bytes per key.

mod synthetic;

use anyhow::Context as _;
use portable_pty::{CommandBuilder, MasterPty, PtySize, native_pty_system};
use std::io::{Read as _, Write};
use std::num::NonZero;
use std::path::Path;
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};
use synthetic::Kind;

/// What the program sends behind each frame.
const FRAME_END: &[u8] = b"\x1b[?2026l";
/// Longer than any frame takes.
const PATIENCE: Duration = Duration::from_secs(60);
/// So long nothing comes once a key's frames are through.
const QUIET: Duration = Duration::from_millis(3);

fn main() -> anyhow::Result<()> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let number = |name: &str, otherwise: u64| -> anyhow::Result<u64> {
        let at = words.iter().position(|word| word == name);
        match at.and_then(|at| words.get(at + 1)) {
            Some(text) => text
                .parse()
                .with_context(|| format!("{name} wants a number, not {text}")),
            None => Ok(otherwise),
        }
    };
    let mib = number("--mib", 1024)?;
    let keys = usize::try_from(number("--keys", 400)?)?;
    let seed = number("--seed", 1)?;
    let named = words.iter().position(|word| word == "--kind");
    let named = named
        .and_then(|at| words.get(at + 1))
        .map_or("chatter", String::as_str);
    let kind = Kind::ALL.into_iter().find(|kind| kind.word() == named);
    let kind = kind.with_context(|| format!("there is no kind of log called {named}"))?;
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{named}-{mib}-{seed}.log"));
    synthetic::write(&path, kind, mib << 20, seed).context("the log could not be made")?;

    println!("{mib} MiB of {named}, {keys} keys of each sort, 120 × 36");
    println!(
        "{:<34} {:>9} {:>9} {:>11}",
        "", "median", "p99", "bytes/key"
    );
    let mut screen = Screen::open(&path)?;
    let mut reading = Figures::default();
    // As many as come before all was read.
    while !screen.has_read_all() && reading.times.len() < 100_000 {
        let key = if reading.times.len() % 40 < 20 {
            "j"
        } else {
            "k"
        };
        reading.add(screen.press(key)?);
    }
    reading.print("while reading: along the trace");
    for (what, before, walk) in [
        ("along the trace", "3", ["j", "k"]),
        ("along the incidents", "1", ["j", "k"]),
        ("along the fixes", "6", ["j", "k"]),
        ("from stage to stage", "5", ["]s", "[s"]),
        ("along the log", "v", ["j", "k"]),
        ("the log by pages", "", ["\x06", "\x02"]),
        ("to the log's ends", "", ["G", "g"]),
    ] {
        if !before.is_empty() {
            screen.press(before)?;
        }
        let mut figures = Figures::default();
        for n in 0..keys {
            figures.add(screen.press(if n % 40 < 20 { walk[0] } else { walk[1] })?);
        }
        figures.print(what);
    }
    screen.press("g")?;
    for (what, query) in [
        ("the first match", kind.looked_for()),
        ("no match in all of it", "nowhere in it"),
    ] {
        screen.press("/")?;
        screen.press(query)?;
        let asked = Instant::now();
        screen.press("\r")?;
        screen.wait_for(|text| !text.contains("searching the log"))?;
        println!(
            "{:<34} {:>6.1} ms",
            format!("a search: {what}"),
            millis(asked.elapsed())
        );
        screen.press("\x1b")?;
    }
    screen.press("q")?;
    Ok(())
}

/// Times and bytes of keys of one kind.
#[derive(Default)]
struct Figures {
    times: Vec<Duration>,
    bytes: usize,
}

impl Figures {
    fn add(&mut self, (time, bytes): (Duration, usize)) {
        self.times.push(time);
        self.bytes += bytes;
    }

    fn print(mut self, what: &str) {
        self.times.sort_unstable();
        let n = self.times.len();
        let Some(last) = n.checked_sub(1) else {
            return println!("{what:<34} nothing was measured: it was read too soon");
        };
        let (median, p99) = (self.times[n / 2], self.times[last.min(n * 99 / 100)]);
        println!(
            "{what:<34} {:>6.1} ms {:>6.1} ms {:>9} B   n = {n}",
            millis(median),
            millis(p99),
            self.bytes / n
        );
    }
}

fn millis(time: Duration) -> f64 {
    time.as_secs_f64() * 1_000.0
}

/// The program in a terminal.
struct Screen {
    keys: Box<dyn Write + Send>,
    output: Receiver<(Instant, Vec<u8>)>,
    page: vt100::Parser,
    _terminal: Box<dyn MasterPty + Send>,
}

impl Screen {
    fn open(log: &Path) -> anyhow::Result<Self> {
        let size = PtySize {
            rows: 36,
            cols: 120,
            pixel_width: 0,
            pixel_height: 0,
        };
        let pair = native_pty_system().openpty(size)?;
        let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_causedby"));
        command.arg(log);
        command.env("TERM", "xterm-256color");
        pair.slave.spawn_command(command)?;
        let mut reader = pair.master.try_clone_reader()?;
        let (give, output) = channel();
        thread::spawn(move || {
            let mut buffer = vec![0; 64 << 10];
            while let Ok(n @ 1..) = reader.read(&mut buffer) {
                if give.send((Instant::now(), buffer[..n].to_vec())).is_err() {
                    return;
                }
            }
        });
        let mut page = vt100::Parser::default();
        let (rows, cols) = (NonZero::new(size.rows), NonZero::new(size.cols));
        (page.screen_mut()).set_size(rows.context("rows")?, cols.context("columns")?);
        let mut screen = Self {
            keys: pair.master.take_writer()?,
            output,
            page,
            _terminal: pair.master,
        };
        screen.wait_for(|text| text.contains("causedby"))?;
        Ok(screen)
    }

    /// Presses a key; how long its frame took, and how many bytes came until it was quiet again.
    fn press(&mut self, key: &str) -> anyhow::Result<(Duration, usize)> {
        // What came meanwhile belongs to no key.
        while let Ok((_, bytes)) = self.output.try_recv() {
            self.page.process(&bytes);
        }
        let pressed = Instant::now();
        self.keys.write_all(key.as_bytes())?;
        self.keys.flush()?;
        let (mut sent, mut tail, mut finished) = (0, Vec::new(), None);
        loop {
            let patience = if finished.is_some() { QUIET } else { PATIENCE };
            match self.output.recv_timeout(patience) {
                Ok((at, bytes)) => {
                    sent += bytes.len();
                    tail.extend_from_slice(&bytes);
                    if finished.is_none() && tail.windows(FRAME_END.len()).any(|w| w == FRAME_END) {
                        finished = Some(at.duration_since(pressed));
                    }
                    self.page.process(&bytes);
                }
                Err(_) => return Ok((finished.context("no frame came for a key")?, sent)),
            }
        }
    }

    /// Whether the header says no longer that anything may change: how the run ended, with a question mark, or how far it is.
    fn has_read_all(&self) -> bool {
        let page = self.page.screen().contents();
        let header = page.lines().next().unwrap_or("");
        !header.contains("reading ") && !header.contains("? ")
    }

    fn wait_for(&mut self, holds: impl Fn(&str) -> bool) -> anyhow::Result<()> {
        while !holds(&self.page.screen().contents()) {
            let (_, bytes) = self
                .output
                .recv_timeout(PATIENCE)
                .context("the screen stays as it is")?;
            self.page.process(&bytes);
        }
        Ok(())
    }
}
