//! [`Source`]: one opened input, decoded, readable at any offset; [`Sources`]: all of them.

use super::admit::SNIFFED_HEAD;
use super::archive::Archive;
use super::codec::Codec;
use super::content::Content;
use super::index::LineIndex;
use super::keep::Attic;
use super::kind::{Kind, Labels};
use super::open::Opened;
use super::spool::Spool;
use crate::text::{Place, SourceId};
use std::io::{self, Read};
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

/// One opened input. Cheap to clone: clones share the bytes.
#[derive(Debug, Clone)]
pub struct Source {
    /// Its id: its index.
    pub id: SourceId,
    /// Its name as shown: the path below what was opened, with members of archives behind `!`.
    pub name: String,
    /// What it is.
    pub kind: Kind,
    /// Whose log it is, as far as that is known.
    pub labels: Labels,
    /// How it was packed and laid out, for people: `plain`, `zstd`, `lz4 (Spark)`.
    pub format: String,
    /// Size of the decoded content in bytes when it was opened; of what had arrived, for a stream.
    pub bytes: u64,
    /// The file it came from, where there is one.
    pub path: Option<PathBuf>,
    pub(super) content: Content,
    /// The last bytes it had when it was opened, few: by them it is told whether it only grew.
    pub(super) end: Arc<[u8]>,
    /// Where its lines are, once they have been counted.
    pub(super) index: OnceLock<Arc<LineIndex>>,
}

impl Source {
    /// Reads into `buffer` from `offset` of the decoded content; returns how many bytes were read, 0 at the end.
    ///
    /// # Errors
    /// What the operating system says.
    pub fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        self.content.read_at(offset, buffer)
    }

    /// Reads until `buffer` is full or the content ends; returns how many bytes were read.
    ///
    /// # Errors
    /// What the operating system says.
    pub fn fill_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        self.content.fill_at(offset, buffer)
    }

    /// Up to `most` bytes from `offset` on; fewer where the content ends or cannot be read.
    pub fn some(&self, offset: u64, most: u64) -> Vec<u8> {
        let most = most.min(self.arrived().saturating_sub(offset));
        let mut bytes = vec![0; usize::try_from(most).unwrap_or(0)];
        let n = self.fill_at(offset, &mut bytes).unwrap_or(0);
        bytes.truncate(n);
        bytes
    }

    /// Bytes that are there by now: more than `bytes` while a stream arrives.
    pub fn arrived(&self) -> u64 {
        self.spool().map_or(self.bytes, |spool| spool.len())
    }

    /// Its decoded content from the beginning.
    pub fn reader(&self) -> impl Read + '_ {
        self.content.reader()
    }

    /// Whether it is still packed, as a stream is whose end has not arrived.
    pub fn is_packed(&self) -> bool {
        let head = self.content.head(SNIFFED_HEAD).unwrap_or_default();
        Codec::told_by(&head).is_some() || Archive::told_by(&head).is_some()
    }

    /// The stream that still fills this source, where it is one.
    pub fn spool(&self) -> Option<&Arc<Spool>> {
        match &self.content {
            Content::Spool(spool) => Some(spool),
            _ => None,
        }
    }

    /// Where its lines are; `None` while they have not been counted.
    pub fn line_index(&self) -> Option<&Arc<LineIndex>> {
        self.index.get()
    }

    /// Keeps where its lines are; the first index that is given stays.
    pub fn set_line_index(&self, index: LineIndex) {
        let _ = self.index.set(Arc::new(index));
    }
}

/// An input that could not be opened, or not be read to its end.
#[derive(Debug, Clone)]
pub struct Refusal {
    /// Its name as given.
    pub name: String,
    /// Why, and what to do.
    pub reason: String,
    /// Whether a fault of the program itself is to blame, and not the input.
    pub fault: bool,
}

/// All opened inputs.
#[derive(Debug, Default, Clone)]
pub struct Sources {
    /// The inputs, drivers' logs first; a [`SourceId`] is an index into them.
    pub list: Vec<Source>,
    /// What could not be opened or only in part.
    pub refused: Vec<Refusal>,
    /// Where what was unpacked is kept.
    pub(super) attic: Attic,
    /// What they were opened from.
    pub(super) opened: Opened,
}

impl Sources {
    /// Notes that a fault of the program itself stopped the reading of an input.
    pub fn blame(&mut self, name: &str, reason: String) {
        self.refused.push(Refusal {
            name: name.to_owned(),
            reason,
            fault: true,
        });
    }

    /// The source of an id.
    pub fn get(&self, id: SourceId) -> Option<&Source> {
        self.list.get(id.0 as usize)
    }

    /// The bytes of a place, read again from its source; shorter where the file has shrunk.
    pub fn bytes(&self, place: &Place) -> Vec<u8> {
        let mut bytes = vec![0; place.bytes as usize];
        let filled = self
            .get(place.source)
            .and_then(|source| source.fill_at(place.start, &mut bytes).ok())
            .unwrap_or(0);
        bytes.truncate(filled);
        bytes
    }
}
