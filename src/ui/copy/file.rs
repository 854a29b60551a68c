//! In: a text. Out: the text in a file that only the user can read: the copy that is sure to exist.

use std::env;
use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use etcetera::BaseStrategy as _;

use crate::text::sanitise_line;

/// Names the file to write instead, or none where it is set to nothing.
pub(super) const VARIABLE: &str = "CAUSEDBY_COPY_FILE";

/// `causedby/last-copy.txt` in the user's state folder, or what [`VARIABLE`] says.
pub(in crate::ui) fn place() -> Option<PathBuf> {
    match env::var_os(VARIABLE) {
        Some(path) if path.is_empty() => None,
        Some(path) => Some(path.into()),
        None => {
            let folders = etcetera::choose_base_strategy().ok()?;
            let state = folders.state_dir().unwrap_or_else(|| folders.cache_dir());
            Some(state.join("causedby").join("last-copy.txt"))
        }
    }
}

/// The path for people: from the home folder on, and safe to show.
pub(super) fn name(path: &Path) -> String {
    let home = etcetera::home_dir().ok();
    let short = home.and_then(|home| Some(Path::new("~").join(path.strip_prefix(home).ok()?)));
    sanitise_line(&short.as_deref().unwrap_or(path).to_string_lossy()).into_owned()
}

/// Writes the text; a copy before it is replaced whole or not at all, and a link is replaced, not followed.
pub(in crate::ui) fn write(path: &Path, text: &str) -> io::Result<()> {
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    fs::create_dir_all(folder)?;
    // Temporary files are made for their owner only, and keep that when they are renamed.
    let mut file = tempfile::NamedTempFile::new_in(folder)?;
    file.write_all(text.as_bytes())?;
    file.persist(path)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::{PermissionsExt as _, symlink};

    #[test]
    fn the_file_is_the_owners_alone_and_links_are_not_followed() {
        let folder = tempfile::tempdir().expect("a folder");
        let (victim, path) = (folder.path().join("victim"), folder.path().join("a/b/c"));
        fs::write(&victim, "kept").expect("written");
        fs::create_dir_all(folder.path().join("a/b")).expect("made");
        symlink(&victim, &path).expect("linked");
        write(&path, "copied").expect("written");
        assert_eq!(fs::read_to_string(&path).expect("read"), "copied");
        assert_eq!(fs::read_to_string(&victim).expect("read"), "kept");
        let mode = fs::metadata(&path).expect("there").permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
    }

    #[test]
    fn a_path_is_named_from_the_home_folder_on_and_safely() {
        let home = etcetera::home_dir().expect("a home");
        assert_eq!(name(&home.join("a/b\x1b")), "~/a/b␛");
        assert_eq!(name(Path::new("/nowhere/x")), "/nowhere/x");
    }

    #[test]
    fn a_folder_that_cannot_be_made_is_an_error() {
        assert!(write(Path::new("/dev/null/x/last-copy.txt"), "x").is_err());
    }
}
