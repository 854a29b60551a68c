//! In: the body of an answer. Out: [`Paced`], the same, which gives up on a server that only drips, and on one that never ends.

use std::io::{self, Read};
use std::time::{Duration, Instant};

/// So long a server may be slow before its pace counts.
const GRACE: Duration = Duration::from_secs(20);
/// Fewer bytes a second than this are no transfer: an archive of 1 MiB would take over a quarter of an hour.
const SLOWEST: u64 = 1 << 10;

/// A body whose pace and length are watched from its first byte on.
pub(super) struct Paced<R> {
    body: R,
    most: u64,
    began: Option<Instant>,
    bytes: u64,
}

impl<R: Read> Paced<R> {
    /// Watches `body`, which may have so many bytes.
    pub(super) fn new(body: R, most: u64) -> Self {
        Self {
            body,
            most,
            began: None,
            bytes: 0,
        }
    }
}

impl<R: Read> Read for Paced<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let n = self.body.read(buffer)?;
        let took = self.began.get_or_insert_with(Instant::now).elapsed();
        self.bytes += n as u64;
        if self.bytes > self.most {
            return Err(io::Error::new(
                io::ErrorKind::FileTooLarge,
                format!("the server sends more than {} GiB", self.most >> 30),
            ));
        }
        if n > 0 && drips(self.bytes, took) {
            return Err(io::Error::new(
                io::ErrorKind::TimedOut,
                "the server sends less than 1 KiB a second",
            ));
        }
        Ok(n)
    }
}

/// Whether so few bytes in that time are no transfer.
fn drips(bytes: u64, took: Duration) -> bool {
    took > GRACE && bytes < SLOWEST * took.as_secs()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_drip_is_told_from_a_slow_line() {
        let seconds = Duration::from_secs;
        assert!(drips(130, seconds(30)));
        assert!(drips(30 << 10, seconds(60)));
        assert!(!drips(130, seconds(10)));
        assert!(!drips(70 << 10, seconds(60)));
    }

    #[test]
    fn what_comes_is_passed_on() {
        let mut read = Vec::new();
        let n = Paced::new(&b"PK\x03\x04"[..], 4).read_to_end(&mut read);
        assert_eq!(n.ok(), Some(4));
        assert_eq!(read, b"PK\x03\x04");
    }

    #[test]
    fn what_never_ends_is_given_up_on_and_told() {
        let mut body = Paced::new(io::repeat(b'x'), 3 << 30);
        body.bytes = (3 << 30) - 10;
        let mut buffer = [0; 8];
        assert_eq!(body.read(&mut buffer).ok(), Some(8));
        let error = body.read(&mut buffer).expect_err("too long");
        assert_eq!(error.to_string(), "the server sends more than 3 GiB");
    }
}
