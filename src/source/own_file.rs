//! In: the path of a file that a person writes for the program: settings, keys, themes, rules, layouts. Out: its text, or why
//! not: such a file is small, and reading it neither waits for another process nor takes more memory than it may.

use super::content::open_file;
use std::io::{self, Read as _};
use std::path::Path;

/// Bytes of such a file, at most: a hundred times what travels with the program.
pub const LARGEST_OWN: u64 = 1 << 20;

/// The text of a file that a person wrote for the program.
///
/// # Errors
/// What the operating system says; where it is no file, no text, or longer than [`LARGEST_OWN`].
pub fn own_text(path: &Path) -> io::Result<String> {
    let mut text = String::new();
    open_file(path)?
        .take(LARGEST_OWN + 1)
        .read_to_string(&mut text)?;
    if text.len() as u64 > LARGEST_OWN {
        return Err(io::Error::new(
            io::ErrorKind::FileTooLarge,
            "it is longer than 1 MiB, which no file of yours for causedby should be",
        ));
    }
    Ok(text)
}

/// Whether anything has that name, be it no file or a link that leads nowhere: what a person meant to be read is not passed over
/// in silence.
pub fn is_there(path: &Path) -> bool {
    path.symlink_metadata().is_ok()
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "tests")]
    use super::*;

    #[test]
    fn nothing_but_a_small_file_of_text_is_read() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.toml");
        std::fs::write(&path, "a = 1\n").unwrap();
        assert_eq!(own_text(&path).unwrap(), "a = 1\n");
        std::fs::write(&path, vec![b'a'; 2 << 20]).unwrap();
        assert!(own_text(&path).unwrap_err().to_string().contains("1 MiB"));
        std::fs::write(&path, b"\xff").unwrap();
        assert!(own_text(&path).is_err());
        assert!(own_text(Path::new("/dev/zero")).is_err());
        assert!(own_text(folder.path()).is_err());
        std::fs::remove_file(&path).unwrap();
        rustix::fs::mknodat(
            rustix::fs::CWD,
            &path,
            rustix::fs::FileType::Fifo,
            rustix::fs::Mode::RUSR,
            0,
        )
        .unwrap();
        // Nobody writes to it, and nobody waits for that.
        assert!(own_text(&path).unwrap_err().to_string().contains("no file"));
    }
}
