//! In: one opened content with its name. Out: a [`Source`] of it, unpacked and told what it is, or a reason why not.

use super::archive::Archive;
use super::binary::binary;
use super::codec::Codec;
use super::content::Content;
use super::keep::{Attic, most_decoded};
use super::kind::{Kind, Labels};
use super::rotation::piece_of;
use super::source::{Refusal, Source, Sources};
use super::spool::{Origin, Spool};
use super::utf16::{self, Utf16};
use crate::text::SourceId;
use std::collections::HashMap;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

/// Bytes at the beginning of an input by which it is told what it is.
pub(super) const SNIFFED_HEAD: usize = 64 << 10;
/// Bytes at its end.
const SNIFFED_TAIL: usize = 32 << 10;
/// Bytes at its end by which it is told later whether it only grew.
const REMEMBERED_END: usize = 64;
/// Compressed files within compressed files are followed this deep.
const DEEPEST_PACKING: usize = 4;
/// Refusals that are kept; past that only their number is.
const MOST_REFUSALS: usize = 1_000;

/// Something opened, not yet looked into.
#[derive(Debug, Clone)]
pub(super) struct Arrival {
    /// Its name as shown.
    pub(super) name: String,
    /// The file it came from.
    pub(super) path: Option<PathBuf>,
    /// Its bytes.
    pub(super) content: Content,
    /// What was unpacked to come here, outermost first: `zip`, `gzip`.
    pub(super) packings: Vec<&'static str>,
    /// Bytes that it may be unpacked to at most: what is left of what its bundle may.
    pub(super) most: u64,
}

impl Arrival {
    pub(super) fn new(name: String, path: Option<PathBuf>, content: Content) -> Self {
        Self {
            name,
            path,
            content,
            packings: Vec::new(),
            most: u64::MAX,
        }
    }

    fn format(&self) -> String {
        match self.packings.as_slice() {
            [] => "plain".to_owned(),
            packings => packings.join(" > "),
        }
    }
}

impl Sources {
    /// Adds a built-in or pasted text.
    pub fn add_memory(&mut self, name: &str, bytes: Vec<u8>) {
        let content = Content::Memory(bytes.into());
        self.admit(&Arrival::new(name.to_owned(), None, content));
        self.arrange();
    }

    /// Adds a stream that is read while it arrives: whoever owns threads
    /// must call [`Spool::fill`], and [`Sources::settled`] when it has ended.
    pub fn add_stream(&mut self, name: &str, origin: Origin) -> Arc<Spool> {
        let spool = Arc::new(Spool::new(origin));
        self.push(Source {
            id: SourceId(0),
            name: name.to_owned(),
            kind: Kind::DriverLog,
            labels: Labels::default(),
            format: "plain".to_owned(),
            bytes: 0,
            path: None,
            content: Content::Spool(Arc::clone(&spool)),
            end: Arc::default(),
            index: OnceLock::new(),
        });
        spool
    }

    /// The same inputs, with every stream that has ended looked into as a file would be: unpacked,
    /// and told what it is.
    #[must_use]
    pub fn settled(&self) -> Self {
        let mut settled = Self {
            list: Vec::new(),
            refused: self.refused.clone(),
            attic: Attic::default(),
            opened: self.opened.clone(),
        };
        for source in &self.list {
            match source.spool().filter(|spool| spool.ended()) {
                Some(spool) => {
                    if let Some(reason) = spool.cut_short_by() {
                        settled.refuse(&source.name, &reason);
                    }
                    let content = source.content.clone();
                    settled.admit(&Arrival::new(source.name.clone(), None, content));
                }
                None => settled.push(source.clone()),
            }
        }
        settled.arrange();
        settled
    }

    /// Looks into what was opened: unpacks it, refuses what is no text, tells what the rest is.
    pub(super) fn admit(&mut self, arrival: &Arrival) {
        // A fault that one input brings about does not keep the others from being read.
        match catch_unwind(AssertUnwindSafe(|| self.try_to_admit(arrival))) {
            Ok(Ok(())) => {}
            Ok(Err(error)) => self.refuse(&arrival.name, &format!("it cannot be read: {error}")),
            Err(_) => self.blame(
                &arrival.name,
                "a fault in causedby keeps it from being opened".to_owned(),
            ),
        }
    }

    fn try_to_admit(&mut self, arrival: &Arrival) -> io::Result<()> {
        let content = &arrival.content;
        let bytes = content.len()?;
        let head = content.head(SNIFFED_HEAD)?;
        if let Some(codec) = Codec::told_by(&head) {
            if arrival.packings.len() >= DEEPEST_PACKING {
                self.refuse(
                    &arrival.name,
                    "it is packed too many times; unpack it yourself and open that",
                );
                return Ok(());
            }
            let reader = codec.decoder(io::BufReader::with_capacity(64 << 10, content.reader()));
            return self.admit_decoded(arrival, reader, bytes, codec.word());
        }
        if let Some(archive) = Archive::told_by(&head) {
            if is_library(&arrival.name) {
                self.refuse(&arrival.name, "it is a library, not a log");
                return Ok(());
            }
            return self.admit_members(arrival, archive, bytes);
        }
        if let Some(order) = utf16::told_by(&head) {
            return self.admit_decoded(
                arrival,
                Utf16::new(content.reader(), order),
                bytes,
                "UTF-16",
            );
        }
        let mut tail = vec![0; SNIFFED_TAIL];
        let n = content.fill_at(bytes.saturating_sub(SNIFFED_TAIL as u64), &mut tail)?;
        // It may have grown since its length was asked for.
        let n = usize::try_from(bytes).map_or(n, |bytes| n.min(bytes));
        let tail = &tail[..n];
        if let Some(reason) = binary(&head, tail) {
            self.refuse(&arrival.name, &reason);
            return Ok(());
        }
        let unwritten = content.unwritten();
        if unwritten > 0 {
            let reason = format!("its last {unwritten} bytes were never written and are not read");
            self.refuse(&arrival.name, &reason);
        }
        let kind = Kind::told_by(&arrival.name, &head, tail);
        self.push(Source {
            id: SourceId(0),
            name: arrival.name.clone(),
            kind,
            labels: Labels::told_by(&arrival.name, kind, &head),
            format: arrival.format(),
            bytes,
            path: arrival.path.clone(),
            content: arrival.content.clone(),
            end: tail[n.saturating_sub(REMEMBERED_END)..].into(),
            index: OnceLock::new(),
        });
        Ok(())
    }

    /// Keeps what a decoder gives and looks into that.
    fn admit_decoded(
        &mut self,
        packed: &Arrival,
        decoder: impl io::Read,
        packed_bytes: u64,
        word: &'static str,
    ) -> io::Result<()> {
        let most = most_decoded(packed_bytes).min(packed.most);
        let kept = self
            .attic
            .keep(decoder, most, |head| is_hopeless(head, head))?;
        if let Some(reason) = &kept.cut_short_by {
            self.refuse(&packed.name, reason);
        }
        let mut arrival = packed.clone();
        arrival.content = kept.content;
        arrival.packings.push(word);
        self.try_to_admit(&arrival)
    }

    pub(super) fn refuse(&mut self, name: &str, reason: &str) {
        let refusal = |reason: String| Refusal {
            name: name.to_owned(),
            reason,
            fault: false,
        };
        match self.refused.len() {
            n if n < MOST_REFUSALS => self.refused.push(refusal(reason.to_owned())),
            MOST_REFUSALS => self.refused.push(refusal(
                "this and further ones are left out; open a smaller folder to see why".to_owned(),
            )),
            _ => {}
        }
    }

    pub(super) fn push(&mut self, mut source: Source) {
        source.id = SourceId(u32::try_from(self.list.len()).unwrap_or(u32::MAX));
        self.list.push(source);
    }

    /// Brings the inputs into the order they are read in: drivers' logs first, then what else tells what
    /// happened, then what only describes the job; the pieces of a log that was rotated as they were written. Ids
    /// change, so nothing may hold one yet.
    pub(super) fn arrange(&mut self) {
        self.arrange_pieces();
        self.list.sort_by_key(|source| match source.kind {
            Kind::DriverLog => 0,
            Kind::Trace => 1,
            Kind::ExecutorLog => 2,
            Kind::Other => 3,
            Kind::EventLog => 4,
            Kind::Settings => 5,
            Kind::Schema | Kind::Plan => 6,
            Kind::JobSource => 7,
        });
        for (source, id) in self.list.iter_mut().zip(0..) {
            source.id = SourceId(id);
        }
    }

    /// Puts the pieces of a rotated log where the first of them stands.
    fn arrange_pieces(&mut self) {
        let mut logs: HashMap<String, usize> = HashMap::new();
        let mut turns: Vec<_> = Vec::with_capacity(self.list.len());
        for (place, source) in self.list.iter().enumerate() {
            let (log, turn) = piece_of(&source.name);
            turns.push((*logs.entry(log).or_insert(place), turn, place));
        }
        if logs.len() < self.list.len() {
            let mut pieces: Vec<_> = turns.into_iter().zip(self.list.drain(..)).collect();
            pieces.sort_by(|a, b| a.0.cmp(&b.0));
            self.list
                .extend(pieces.into_iter().map(|(_, source)| source));
        }
    }
}

/// Whether bytes that begin like this have to be unpacked, or are none that are read.
pub(super) fn is_packed(content: &Content) -> bool {
    content.head(SNIFFED_HEAD).is_ok_and(|head| {
        Codec::told_by(&head).is_some()
            || Archive::told_by(&head).is_some()
            || utf16::told_by(&head).is_some()
            || binary(&head, &head).is_some()
    })
}

/// Whether what begins like this, and goes on like that, is worth no more reading: it will be refused, however long it is.
pub(super) fn is_hopeless(head: &[u8], later: &[u8]) -> bool {
    Codec::told_by(head).is_none()
        && Archive::told_by(head).is_none()
        && utf16::told_by(head).is_none()
        && binary(head, later).is_some()
}

/// Libraries are zips, too, and may well lie beside a log.
fn is_library(name: &str) -> bool {
    let name = name.to_lowercase();
    [".jar", ".war", ".whl", ".egg"]
        .iter()
        .any(|end| name.ends_with(end))
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "tests")]
    use super::*;
    use std::io::Write;

    fn gzip(plain: &[u8]) -> Vec<u8> {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        encoder.write_all(plain).unwrap();
        encoder.finish().unwrap()
    }

    fn opened(bytes: &[u8]) -> Sources {
        let mut sources = Sources::default();
        sources.add_memory("x", bytes.to_vec());
        sources
    }

    #[test]
    fn packed_text_is_unpacked() {
        let sources = opened(&gzip(&gzip(b"Caused by: x\n")));
        assert_eq!(sources.list[0].format, "gzip > gzip");
        assert_eq!(sources.list[0].content.head(99).unwrap(), b"Caused by: x\n");
        let utf16: Vec<u8> = "\u{feff}Traceback\n"
            .encode_utf16()
            .flat_map(u16::to_le_bytes)
            .collect();
        let sources = opened(&utf16);
        assert_eq!(sources.list[0].format, "UTF-16");
        assert_eq!(sources.list[0].content.head(99).unwrap(), b"Traceback\n");
    }

    #[test]
    fn a_cut_stream_is_read_as_far_as_it_goes_and_told() {
        let plain = (0..20_000)
            .map(|n| format!("{n}\n"))
            .collect::<Vec<_>>()
            .concat();
        let packed = gzip(plain.as_bytes());
        let sources = opened(&packed[..packed.len() / 2]);
        assert!(sources.list[0].bytes > 1_000);
        assert!(sources.refused[0].reason.contains("damaged"));
    }

    #[test]
    fn holes_and_lost_marks_do_not_keep_a_log_from_being_read() {
        let log = "24/01/02 03:04:05 ERROR Job: failed\nValueError: x\n".repeat(3);
        let unmarked: Vec<u8> = log.encode_utf16().flat_map(u16::to_be_bytes).collect();
        assert_eq!(
            opened(&unmarked).list[0].content.head(999).unwrap(),
            log.as_bytes()
        );
        let holed = [&vec![0; 70_000], log.as_bytes()].concat();
        assert_eq!(opened(&holed).list[0].bytes, holed.len() as u64);
    }

    #[test]
    fn what_is_no_text_is_refused_with_its_reason() {
        for (bytes, reason) in [
            (&b"\x89PNG\r\n\x1a\n\0\0"[..], "image"),
            (b"PAR1\x15\0", "Parquet"),
            (b"a\0b", "binary"),
        ] {
            let sources = opened(bytes);
            assert!(sources.list.is_empty());
            assert!(sources.refused[0].reason.contains(reason));
        }
        assert_eq!(opened(b"ORC is a format\n").list.len(), 1);
    }

    #[test]
    fn a_stream_is_looked_into_once_it_has_ended() {
        let mut sources = Sources::default();
        let spool = sources.add_stream("stdin", Origin::StandardInput);
        assert!(
            sources.settled().list[0]
                .spool()
                .is_some_and(|s| !s.ended())
        );
        spool.fill_from(&gzip(b"{\"Event\":\"SparkListenerLogStart\"}\n")[..]);
        let settled = sources.settled();
        assert_eq!(settled.list[0].kind, Kind::EventLog);
        assert_eq!(settled.list[0].format, "gzip");
        assert_eq!(settled.list[0].name, "stdin");
    }
}
