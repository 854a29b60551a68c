//! In: paths as a person names them. Out: [`Sources`]: files, and the files of folders; what cannot be read is named.

use super::source::{Content, Kind, Refusal, Source, Sources};
use crate::text::SourceId;
use std::fs::{self, File};
use std::path::{Path, PathBuf};

impl Sources {
    /// Opens files and folders.
    pub fn open(paths: &[PathBuf]) -> Self {
        let mut sources = Self::default();
        for path in paths {
            if path.is_dir() {
                sources.add_folder(path, path);
            } else {
                let name = path
                    .file_name()
                    .unwrap_or(path.as_os_str())
                    .to_string_lossy()
                    .into_owned();
                sources.add_file(path, name);
            }
        }
        sources
    }

    /// Adds a built-in or pasted text.
    pub fn add_memory(&mut self, name: &str, bytes: Vec<u8>) {
        self.push(
            name.to_owned(),
            bytes.len() as u64,
            None,
            Content::Memory(bytes.into_boxed_slice()),
        );
    }

    fn add_folder(&mut self, root: &Path, folder: &Path) {
        let mut entries: Vec<_> = match fs::read_dir(folder) {
            Ok(entries) => entries.flatten().map(|e| e.path()).collect(),
            Err(error) => return self.refuse(folder, &error.to_string()),
        };
        entries.sort();
        for path in entries {
            if path.is_dir() {
                self.add_folder(root, &path);
            } else {
                let name = path
                    .strip_prefix(root)
                    .unwrap_or(&path)
                    .to_string_lossy()
                    .into_owned();
                self.add_file(&path, name);
            }
        }
    }

    fn add_file(&mut self, path: &Path, name: String) {
        match File::open(path).and_then(|file| Ok((file.metadata()?.len(), file))) {
            Ok((bytes, file)) => self.push(name, bytes, Some(path.to_owned()), Content::File(file)),
            Err(error) => self.refuse(path, &error.to_string()),
        }
    }

    fn refuse(&mut self, path: &Path, reason: &str) {
        self.refused.push(Refusal {
            name: path.display().to_string(),
            reason: reason.to_owned(),
        });
    }

    fn push(&mut self, name: String, bytes: u64, path: Option<PathBuf>, content: Content) {
        let id = SourceId(u32::try_from(self.list.len()).unwrap_or(u32::MAX));
        self.list.push(Source {
            id,
            name,
            kind: Kind::DriverLog,
            format: "plain".into(),
            bytes,
            path,
            content,
        });
    }
}
