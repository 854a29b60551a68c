//! In: text. Out: a file that grows to a size, and numbers from a seed.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

/// Room that is left at the end for what closes a log.
const END: u64 = 64 << 10;

pub(crate) struct Writer {
    out: BufWriter<File>,
    left: u64,
    seed: u64,
    seconds: u64,
}

impl Writer {
    pub(crate) fn create(path: &Path, size: u64, seed: u64) -> io::Result<Self> {
        Ok(Self {
            out: BufWriter::with_capacity(1 << 20, File::create(path)?),
            left: size,
            seed: seed | 1,
            seconds: 0,
        })
    }

    /// A number below `bound`, from a 64-bit xorshift.
    pub(crate) fn below(&mut self, bound: u64) -> u64 {
        self.seed ^= self.seed << 13;
        self.seed ^= self.seed >> 7;
        self.seed ^= self.seed << 17;
        self.seed % bound
    }

    pub(crate) fn raw(&mut self, text: &str) -> io::Result<()> {
        self.left = self.left.saturating_sub(text.len() as u64);
        self.out.write_all(text.as_bytes())
    }

    /// A line as Spark's own layout writes it.
    pub(crate) fn log(&mut self, text: &str) -> io::Result<()> {
        let s = self.seconds();
        let (day, hour, minute) = (1 + s / 86_400 % 28, s / 3_600 % 24, s / 60 % 60);
        self.raw(&format!(
            "24/05/{day:02} {hour:02}:{minute:02}:{:02} {text}\n",
            s % 60
        ))
    }

    /// The clock, which moves on now and then.
    pub(crate) fn seconds(&mut self) -> u64 {
        self.seconds += u64::from(self.below(40) == 0);
        self.seconds
    }

    /// Whether there is room for more than what closes the log.
    pub(crate) fn has_room(&self) -> bool {
        self.left > END
    }

    pub(crate) fn finish(mut self) -> io::Result<()> {
        self.out.flush()
    }
}
