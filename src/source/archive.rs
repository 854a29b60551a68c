//! In: a bundle: a zip or a tar. Out: its members, each admitted as a file of its own would be.
//!
//! Nothing is unpacked to a named path, so a member's name can do no harm, whatever it is; links are passed over.
//! Every size that a bundle claims may be a lie: members, bytes and depth are all counted here.

use super::admit::{Arrival, is_hopeless};
use super::content::ContentReader;
use super::keep::most_decoded;
use super::open::by_number;
use super::source::Sources;
use crate::text::{beginning, visible_line};
use std::io::{self, BufReader, Read};

/// Members of one bundle that are read.
const MOST_MEMBERS: usize = 10_000;
/// Bundles within bundles that are followed.
const DEEPEST: usize = 2;
/// Longer names of members are cut.
const LONGEST_NAME: usize = 1_024;

/// How a bundle is laid out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Archive {
    Zip,
    Tar,
}

impl Archive {
    /// The layout of a bundle that begins like this.
    pub(super) fn told_by(head: &[u8]) -> Option<Self> {
        const TAR_MAGIC_AT: usize = 257;
        if head.starts_with(b"PK\x03\x04") || head.starts_with(b"PK\x05\x06") {
            Some(Self::Zip)
        } else if head
            .get(TAR_MAGIC_AT..)
            .is_some_and(|rest| rest.starts_with(b"ustar"))
        {
            Some(Self::Tar)
        } else {
            None
        }
    }

    /// The word for people.
    fn word(self) -> &'static str {
        match self {
            Self::Zip => "zip",
            Self::Tar => "tar",
        }
    }
}

impl Sources {
    /// Admits every member of a bundle of that many bytes.
    ///
    /// # Errors
    /// Where the bundle cannot be read at all, or nothing can be kept.
    pub(super) fn admit_members(
        &mut self,
        bundle: &Arrival,
        archive: Archive,
        bytes: u64,
    ) -> io::Result<()> {
        let words = [Archive::Zip.word(), Archive::Tar.word()];
        let depth = bundle.packings.iter().filter(|p| words.contains(p)).count();
        if depth >= DEEPEST {
            self.refuse(
                &bundle.name,
                "it is a bundle within a bundle within a bundle; unpack it yourself and open that",
            );
            return Ok(());
        }
        let mut members = Members {
            bundle,
            archive,
            left: most_decoded(bytes).min(bundle.most),
            seen: 0,
        };
        let content = bundle.content.reader();
        let before = (self.list.len(), self.refused.len());
        match archive {
            Archive::Zip => members.zip(self, content)?,
            Archive::Tar => members.tar(self, content)?,
        }
        if before == (self.list.len(), self.refused.len()) {
            self.refuse(&bundle.name, "there is no file in it that says anything");
        }
        Ok(())
    }
}

/// The members of a bundle, while they are read.
struct Members<'b> {
    bundle: &'b Arrival,
    archive: Archive,
    /// Bytes that the rest may unpack to.
    left: u64,
    seen: usize,
}

impl Members<'_> {
    fn zip(&mut self, sources: &mut Sources, content: ContentReader) -> io::Result<()> {
        let mut zip = zip::ZipArchive::new(BufReader::new(content))?;
        let mut order: Vec<(String, usize)> = (0..zip.len())
            .map(|i| {
                let name = zip.by_index_data(i).and_then(|entry| {
                    let name = entry.name()?.into_owned();
                    Ok(name)
                });
                (name.unwrap_or_else(|_| format!("member {i}")), i)
            })
            .collect();
        order.sort_by(|a, b| by_number(&a.0, &b.0));
        for (name, i) in order {
            match zip.by_index(i) {
                Ok(file) if file.is_dir() || file.is_symlink() => {}
                Ok(file) => {
                    if !self.take(sources, &name, file) {
                        break;
                    }
                }
                Err(error) => sources.refuse(
                    &self.name_of(&name),
                    &format!("it cannot be unpacked: {error}; unpack it yourself and open that"),
                ),
            }
        }
        Ok(())
    }

    fn tar(&mut self, sources: &mut Sources, content: ContentReader) -> io::Result<()> {
        let mut tar = tar::Archive::new(BufReader::new(content));
        for entry in tar.entries()? {
            let entry = match entry {
                Ok(entry) => entry,
                Err(error) => {
                    sources.refuse(
                        &self.bundle.name,
                        &format!("it is damaged; only what comes before is read: {error}"),
                    );
                    break;
                }
            };
            if !entry.header().entry_type().is_file() {
                continue;
            }
            let name = String::from_utf8_lossy(&entry.path_bytes()).into_owned();
            if !self.take(sources, &name, entry) {
                break;
            }
        }
        Ok(())
    }

    /// Admits a member; false where no further one is to be read.
    fn take(&mut self, sources: &mut Sources, name: &str, member: impl Read) -> bool {
        if is_hidden(name) {
            return true;
        }
        self.seen += 1;
        if self.seen > MOST_MEMBERS || self.left == 0 {
            sources.refuse(
                &self.name_of(name),
                &format!(
                    "this and further members are left out: {MOST_MEMBERS} of a bundle are read at most, and no more than a bundle of its size can hold; unpack it yourself and open a part"
                ),
            );
            return false;
        }
        let name = self.name_of(name);
        let before = sources.attic.kept();
        match sources
            .attic
            .keep(member, self.left, |head| is_hopeless(head, head))
        {
            Ok(kept) => {
                if let Some(reason) = &kept.cut_short_by {
                    sources.refuse(&name, reason);
                }
                let length = kept.content.len().unwrap_or(0);
                if length > 0 {
                    let mut packings = self.bundle.packings.clone();
                    packings.push(self.archive.word());
                    sources.admit(&Arrival {
                        name,
                        path: None,
                        content: kept.content,
                        packings,
                        most: self.left.saturating_sub(length),
                    });
                }
                // What the member itself was unpacked to counts as well.
                let all = sources.attic.kept().saturating_sub(before);
                self.left = self.left.saturating_sub(all);
            }
            Err(error) => sources.refuse(&name, &format!("it cannot be unpacked: {error}")),
        }
        true
    }

    /// A member's name as shown.
    fn name_of(&self, member: &str) -> String {
        let member = beginning(member, LONGEST_NAME);
        format!("{}!{}", self.bundle.name, visible_line(member))
    }
}

/// What no person put into the bundle: hidden files, checksums, what a Mac adds, and Spark's empty marks.
fn is_hidden(name: &str) -> bool {
    let name = name.trim_end_matches('/');
    let last = name.rsplit('/').next().unwrap_or(name);
    let is_crc = last
        .rsplit_once('.')
        .is_some_and(|(_, ending)| ending == "crc");
    last.starts_with('.')
        || is_crc
        || last.starts_with("appstatus_")
        || name.split('/').any(|folder| folder == "__MACOSX")
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test fails by it")]

    use super::*;
    use std::io::{Cursor, Write};
    use zip::write::SimpleFileOptions;

    const EVENT: &[u8] = b"{\"Event\":\"SparkListenerLogStart\",\"Spark Version\":\"4.0.5\"}\n";

    fn zip_of(members: &[(&str, &[u8])]) -> Vec<u8> {
        let mut zip = zip::ZipWriter::new(Cursor::new(Vec::new()));
        for (name, bytes) in members {
            zip.start_file(*name, SimpleFileOptions::default()).unwrap();
            zip.write_all(bytes).unwrap();
        }
        zip.finish().unwrap().into_inner()
    }

    fn tar_of(members: &[(&str, &[u8])]) -> Vec<u8> {
        let mut tar = tar::Builder::new(Vec::new());
        for (name, bytes) in members {
            let mut header = tar::Header::new_ustar();
            header.set_size(bytes.len() as u64);
            // `set_path` refuses names that a hostile bundle may well have.
            header.as_old_mut().name[..name.len()].copy_from_slice(name.as_bytes());
            header.set_cksum();
            tar.append(&header, *bytes).unwrap();
        }
        let mut link = tar::Header::new_ustar();
        link.set_entry_type(tar::EntryType::Symlink);
        link.set_size(0);
        link.set_path("link").unwrap();
        link.set_link_name("/etc/passwd").unwrap();
        link.set_cksum();
        tar.append(&link, io::empty()).unwrap();
        tar.into_inner().unwrap()
    }

    fn opened(bytes: &[u8]) -> Sources {
        let mut sources = Sources::default();
        sources.add_memory("b", bytes.to_vec());
        sources
    }

    fn told(sources: &Sources) -> Vec<(&str, &str)> {
        let told = sources.list.iter();
        told.map(|s| (s.name.as_str(), s.format.as_str())).collect()
    }

    #[test]
    fn members_of_bundles_are_inputs() {
        let members: &[(&str, &[u8])] = &[
            ("v2/events_10_a", EVENT),
            ("v2/events_9_a", EVENT),
            ("v2/appstatus_a", b""),
            (".DS_Store", b"x"),
            ("../../etc/evil", b"Caused by: x\n"),
            ("empty", b""),
        ];
        let expected = [
            ("b!../../etc/evil", "zip"),
            ("b!v2/events_9_a", "zip"),
            ("b!v2/events_10_a", "zip"),
        ];
        assert_eq!(told(&opened(&zip_of(members))), expected);
        let sources = opened(&tar_of(members));
        assert_eq!(sources.list.len(), 3);
        assert!(sources.list.iter().all(|s| s.format == "tar"));
    }

    #[test]
    fn bundles_are_followed_one_level_down() {
        let inner = zip_of(&[("log", EVENT)]);
        let middle = tar_of(&[("inner.zip", &inner)]);
        assert_eq!(told(&opened(&middle)), [("b!inner.zip!log", "tar > zip")]);
        let outer = opened(&zip_of(&[("middle.tar", &middle)]));
        assert!(outer.list.is_empty());
        assert!(outer.refused[0].reason.contains("within a bundle"));
    }

    #[test]
    fn damaged_bundles_are_named_and_never_fatal() {
        let zip = zip_of(&[("a", EVENT), ("b", EVENT)]);
        let tar = tar_of(&[("a", EVENT), ("b", EVENT)]);
        for bundle in [&zip, &tar] {
            for at in 0..bundle.len() {
                opened(&bundle[..at]);
                let mut flipped = bundle.clone();
                flipped[at] ^= 0x81;
                opened(&flipped);
            }
        }
        assert!(!opened(&zip[..zip.len() - 9]).refused.is_empty());
    }

    #[test]
    fn a_bomb_is_cut_at_what_a_bundle_of_its_size_can_hold() {
        let bundle = Arrival::new(
            "b".to_owned(),
            None,
            super::super::content::Content::Memory([].into()),
        );
        let mut members = Members {
            bundle: &bundle,
            archive: Archive::Zip,
            left: 10,
            seen: 0,
        };
        let mut sources = Sources::default();
        assert!(members.take(&mut sources, "small", &b"12345678"[..]));
        assert!(members.take(&mut sources, "large", io::repeat(b'a')));
        assert!(
            sources.refused[0].reason.contains("cannot be unpacked")
                || sources.refused[0].reason.contains("more than")
        );
        members.left = 0;
        assert!(!members.take(&mut sources, "next", &b"x"[..]));
    }
}
