//! In: bytes that come once: a stream, what a decoder gives. Out: [`Room`]: the same bytes at any offset, from an unnamed
//! temporary file, or from a bounded piece of memory where no such file can be made.

use std::fs::{File, Permissions};
use std::io;
use std::os::unix::fs::{FileExt, PermissionsExt};
use std::sync::{PoisonError, RwLock};

/// Bytes that are kept in memory where there is no folder for temporary files: enough for most logs, and far from what
/// a machine runs out of.
pub(super) const MOST_WITHOUT_FILE: usize = 64 << 20;

/// Where bytes are kept.
#[derive(Debug)]
pub(super) enum Room {
    /// A temporary file without a name, which goes with the program however that ends, and which its owner alone could
    /// read if it had one.
    File(File),
    /// Memory, and why there is no file.
    Memory(RwLock<Vec<u8>>, io::Error),
}

impl Room {
    /// A file where one can be made.
    pub(super) fn new() -> Self {
        match private_file() {
            Ok(file) => Self::File(file),
            Err(error) => Self::Memory(RwLock::default(), error),
        }
    }

    /// Keeps `bytes` from `offset` on, which is not beyond what is kept.
    ///
    /// # Errors
    /// Where there is no room for them, with the reason; none or some of them may be kept then.
    pub(super) fn write_all_at(&self, bytes: &[u8], offset: u64) -> io::Result<()> {
        match self {
            Self::File(file) => file.write_all_at(bytes, offset),
            Self::Memory(kept, why) => {
                let mut kept = kept.write().unwrap_or_else(PoisonError::into_inner);
                let full = || {
                    io::Error::new(
                        why.kind(),
                        format!("no temporary file can be made ({why}), and memory takes 64 MiB"),
                    )
                };
                let at = usize::try_from(offset).map_err(|_| full())?;
                let end = at.checked_add(bytes.len()).ok_or_else(full)?;
                if end > MOST_WITHOUT_FILE {
                    return Err(full());
                }
                if kept.len() < end {
                    kept.resize(end, 0);
                }
                kept[at..end].copy_from_slice(bytes);
                Ok(())
            }
        }
    }

    /// Reads once, as `pread` does; 0 at the end.
    pub(super) fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        match self {
            Self::File(file) => file.read_at(buffer, offset),
            Self::Memory(kept, _) => {
                let kept = kept.read().unwrap_or_else(PoisonError::into_inner);
                let rest = usize::try_from(offset)
                    .ok()
                    .and_then(|offset| kept.get(offset..))
                    .unwrap_or_default();
                let n = rest.len().min(buffer.len());
                buffer[..n].copy_from_slice(&rest[..n]);
                Ok(n)
            }
        }
    }
}

fn private_file() -> io::Result<File> {
    let file = tempfile::tempfile()?;
    file.set_permissions(Permissions::from_mode(0o600))?;
    Ok(file)
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "tests")]
    use super::*;

    #[test]
    fn memory_keeps_as_a_file_does_and_says_when_it_is_full() {
        let memory = Room::Memory(RwLock::default(), io::ErrorKind::NotFound.into());
        for room in [Room::new(), memory] {
            room.write_all_at(b"first ", 0).unwrap();
            room.write_all_at(b"last", 6).unwrap();
            let mut buffer = [0; 16];
            assert_eq!(room.read_at(&mut buffer, 3).unwrap(), 7);
            assert_eq!(&buffer[..7], b"st last");
            assert_eq!(room.read_at(&mut buffer, 99).unwrap(), 0);
            let past = room.write_all_at(b"x", MOST_WITHOUT_FILE as u64);
            match &room {
                Room::File(_) => past.unwrap(),
                Room::Memory(..) => assert!(past.unwrap_err().to_string().contains("64 MiB")),
            }
        }
    }
}
