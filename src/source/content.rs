//! [`Content`]: where the decoded bytes of a source are, readable at any offset; [`ContentReader`] reads it in order.

use super::room::Room;
use super::spool::Spool;
use rustix::fs::{OFlags, SeekFrom as Stretch, seek};
use rustix::io::Errno;
use std::fs::{File, Metadata, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom};
use std::os::unix::fs::{FileExt, MetadataExt as _, OpenOptionsExt};
use std::path::Path;
use std::sync::Arc;

/// Where decoded bytes are. Cheap to clone: clones share the bytes.
#[derive(Debug, Clone)]
pub(super) enum Content {
    /// In the open file that was named.
    File(Arc<File>),
    /// In a private room that holds other contents too.
    Stretch {
        /// The room.
        room: Arc<Room>,
        /// Where in it the content begins.
        start: u64,
        /// How long it is.
        length: u64,
    },
    /// In a file that is opened for each read, so that a folder of thousands does not hold thousands open.
    Closed(Arc<Path>),
    /// In memory: small, or built in.
    Memory(Arc<[u8]>),
    /// In a private room that is still being filled.
    Spool(Arc<Spool>),
}

impl Content {
    /// How many bytes there are by now.
    pub(super) fn len(&self) -> io::Result<u64> {
        Ok(match self {
            Self::File(file) => written(file, &file.metadata()?)?,
            Self::Stretch { length, .. } => *length,
            Self::Closed(path) => {
                let file = std::fs::metadata(path)?;
                if is_sparse(&file) {
                    written(&open_file(path)?, &file)?
                } else {
                    file.len()
                }
            }
            Self::Memory(bytes) => bytes.len() as u64,
            Self::Spool(spool) => spool.len(),
        })
    }

    /// Bytes at its end that were never written, where there are many: they are no part of it.
    pub(super) fn unwritten(&self) -> u64 {
        let named = match self {
            Self::File(file) => file.metadata(),
            Self::Closed(path) => std::fs::metadata(path),
            _ => return 0,
        };
        let length = self.len().unwrap_or(0);
        named.map_or(0, |file| file.len().saturating_sub(length))
    }

    /// Whether both are the same bytes, and not only equal ones; more of them may have come meanwhile.
    pub(super) fn is_same(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::File(a), Self::File(b)) => Arc::ptr_eq(a, b),
            (
                Self::Stretch { room: a, start, .. },
                Self::Stretch {
                    room: b, start: s, ..
                },
            ) => Arc::ptr_eq(a, b) && start == s,
            (Self::Closed(a), Self::Closed(b)) => Arc::ptr_eq(a, b),
            (Self::Memory(a), Self::Memory(b)) => Arc::ptr_eq(a, b),
            (Self::Spool(a), Self::Spool(b)) => Arc::ptr_eq(a, b),
            _ => false,
        }
    }

    /// Reads once, as `pread` does; 0 at the end.
    pub(super) fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            Self::File(file) => file.read_at(buffer, offset),
            Self::Stretch {
                room,
                start,
                length,
            } => {
                let rest = usize::try_from(length.saturating_sub(offset)).unwrap_or(usize::MAX);
                let n = rest.min(buffer.len());
                room.read_at(&mut buffer[..n], start.saturating_add(offset))
            }
            Self::Closed(path) => open_file(path)?.read_at(buffer, offset),
            Self::Memory(bytes) => {
                let rest = usize::try_from(offset)
                    .ok()
                    .and_then(|o| bytes.get(o..))
                    .unwrap_or_default();
                let n = rest.len().min(buffer.len());
                buffer[..n].copy_from_slice(&rest[..n]);
                Ok(n)
            }
            Self::Spool(spool) => spool.read_at(offset, buffer),
        }
    }

    /// Reads until `buffer` is full or the content ends; returns how many bytes were read.
    pub(super) fn fill_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        let mut filled = 0;
        while filled < buffer.len() {
            match self.read_at(offset + filled as u64, &mut buffer[filled..]) {
                Ok(0) => break,
                Ok(n) => filled += n,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(filled)
    }

    /// The first bytes, at most `most`.
    pub(super) fn head(&self, most: usize) -> io::Result<Vec<u8>> {
        let mut head = vec![0; most];
        let n = self.fill_at(0, &mut head)?;
        head.truncate(n);
        Ok(head)
    }

    /// Reads it from its beginning.
    pub(super) fn reader(&self) -> ContentReader {
        ContentReader {
            content: self.clone(),
            at: 0,
        }
    }
}

/// Bytes that are missing on the disk at least, where a file is looked through for stretches that were never written.
const SPARSE: u64 = 64 << 20;
/// Bytes of a block of a disk at most.
const LARGEST_BLOCK: usize = 64 << 10;
/// Stretches of it that are looked at; one with more is read as it is.
const MOST_STRETCHES: usize = 4_096;

/// Whether much of a file was never written, or its disk packs it.
fn is_sparse(file: &Metadata) -> bool {
    file.len().saturating_sub(file.blocks().saturating_mul(512)) >= SPARSE
}

/// The length of a file, but for what was never written at its end: a file can be made of any length in no time.
fn written(file: &File, named: &Metadata) -> io::Result<u64> {
    if !is_sparse(named) {
        return Ok(named.len());
    }
    let mut end = 0;
    for _ in 0..MOST_STRETCHES {
        end = match seek(file, Stretch::Data(end)) {
            Ok(data) => seek(file, Stretch::Hole(data))?,
            Err(Errno::NXIO) => return behind_last_byte(file, end),
            Err(_) => break,
        };
    }
    Ok(named.len())
}

/// Where the zeros begin that fill the last block up to `end`.
fn behind_last_byte(file: &File, end: u64) -> io::Result<u64> {
    let mut block = vec![0; LARGEST_BLOCK];
    let start = end.saturating_sub(LARGEST_BLOCK as u64);
    let n = file.read_at(&mut block, start)?;
    let n = usize::try_from(end - start).map_or(n, |most| n.min(most));
    let last = block[..n].iter().rposition(|byte| *byte != 0);
    Ok(start + last.map_or(0, |last| last as u64 + 1))
}

/// Opens a file for reading. Whatever took its place since it was looked at is refused, and a pipe there is not waited for.
///
/// # Errors
/// What the operating system says; where it is no file.
pub(super) fn open_file(path: &Path) -> io::Result<File> {
    let flags = i32::try_from(OFlags::NONBLOCK.bits()).unwrap_or(0);
    let file = OpenOptions::new()
        .read(true)
        .custom_flags(flags)
        .open(path)?;
    if file.metadata()?.is_file() {
        Ok(file)
    } else {
        Err(io::Error::new(io::ErrorKind::InvalidInput, "it is no file"))
    }
}

/// A position in a [`Content`].
#[derive(Debug)]
pub(super) struct ContentReader {
    content: Content,
    at: u64,
}

impl Read for ContentReader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let n = self.content.read_at(self.at, buffer)?;
        self.at += n as u64;
        Ok(n)
    }
}

impl Seek for ContentReader {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let target = match to {
            SeekFrom::Start(offset) => Some(offset),
            SeekFrom::Current(by) => self.at.checked_add_signed(by),
            SeekFrom::End(by) => self.content.len()?.checked_add_signed(by),
        };
        self.at = target.ok_or(io::ErrorKind::InvalidInput)?;
        Ok(self.at)
    }
}
