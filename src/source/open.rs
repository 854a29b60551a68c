//! In: paths as a person names them. Out: [`Sources`]: files, and the files of folders; what cannot be read is named.

use super::admit::Arrival;
use super::content::{Content, open_file};
use super::source::Sources;
use super::spool::Origin;
use std::cmp::Ordering;
use std::collections::HashSet;
use std::ffi::{OsStr, OsString};
use std::fs::{self, File, FileType, Metadata};
use std::io;
use std::os::fd::AsFd;
use std::os::unix::fs::{FileTypeExt, MetadataExt};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Files that are opened at most; further ones are named as left out.
pub const MOST_FILES: usize = 10_000;
/// Folders within folders that are followed.
pub const DEEPEST_FOLDER: usize = 32;
/// Files that are held open; further ones are opened for each read.
const MOST_HELD_OPEN: usize = 200;

impl Sources {
    /// Opens files and folders; `-` is standard input, of which nothing is read yet: see [`Sources::add_stream`].
    ///
    /// Never fails and never waits for another process: what cannot be read is in `refused`.
    pub fn open(paths: &[PathBuf]) -> Self {
        let mut opening = Opening {
            named: Named::of(paths),
            ..Opening::default()
        };
        for path in paths {
            opening.open(path);
        }
        opening.sources.arrange();
        opening.sources.opened = Opened {
            paths: paths.to_owned(),
            seen: opening.seen,
        };
        opening.sources
    }
}

/// What sources were opened from, for looking there again.
#[derive(Debug, Default, Clone)]
pub(super) struct Opened {
    paths: Vec<PathBuf>,
    seen: HashSet<FileId>,
}

impl Opened {
    /// What lies at the same paths by now and was not there before.
    pub(super) fn newcomers(&mut self) -> Sources {
        let mut opening = Opening {
            seen: std::mem::take(&mut self.seen),
            // It can be opened once, and nothing new comes to it.
            stdin_taken: true,
            named: Named::of(&self.paths),
            ..Opening::default()
        };
        // A file that is being rotated is not there for a moment.
        for path in self.paths.iter().filter(|path| path.exists()) {
            opening.open(path);
        }
        self.seen = opening.seen;
        opening.sources
    }
}

/// Device and inode.
pub(super) type FileId = (u64, u64);

#[derive(Default)]
struct Opening {
    sources: Sources,
    /// What was opened: the same file is never read twice.
    seen: HashSet<FileId>,
    left_out: bool,
    stdin_taken: bool,
    named: Named,
}

/// The paths that were named, for telling those of one name apart.
#[derive(Default)]
struct Named {
    /// File names that more than one has.
    repeated: HashSet<OsString>,
    /// The folder that all lie in.
    folder: PathBuf,
}

impl Named {
    fn of(paths: &[PathBuf]) -> Self {
        let mut seen = HashSet::new();
        let names = paths.iter().filter_map(|path| path.file_name());
        let repeated = names.filter(|name| !seen.insert(*name));
        let mut folders = paths.iter().map(|path| path.parent().unwrap_or(path));
        let first = folders.next().unwrap_or(Path::new(""));
        let folder = folders.fold(first, |common, folder| {
            let mut above = common.ancestors();
            above
                .find(|above| folder.starts_with(above))
                .unwrap_or(Path::new(""))
        });
        Self {
            repeated: repeated.map(OsStr::to_owned).collect(),
            folder: folder.to_owned(),
        }
    }

    /// What a path is called: its last part, or the way to it from the folder that all lie in.
    fn shown<'p>(&self, path: &'p Path) -> &'p Path {
        match path.file_name() {
            Some(name) if self.repeated.contains(name) => {
                path.strip_prefix(&self.folder).unwrap_or(path)
            }
            Some(name) => Path::new(name),
            None => path,
        }
    }
}

impl Opening {
    fn open(&mut self, path: &Path) {
        let name = path.display().to_string();
        if path == Path::new("-") || path == Path::new("/dev/stdin") {
            return self.open_stdin();
        }
        match fs::metadata(path) {
            Ok(found) if found.is_dir() => match fs::canonicalize(path) {
                Ok(root) => self.open_folder(&root, &root, 0),
                Err(error) => self.sources.refuse(&name, &advice(&error)),
            },
            // The shell made the pipe and what writes to it: `causedby <(yarn logs …)`.
            Ok(found) if found.file_type().is_fifo() && is_descriptor(path) => {
                self.open_stream(&name, Origin::Pipe(path.to_owned()));
            }
            Ok(found) => {
                let shown = self.named.shown(path).to_string_lossy().into_owned();
                self.open_file(path, shown, &found);
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound && is_address(&name) => {
                let reason =
                    format!("there is no such file; a History Server is asked by http://{name}");
                self.sources.refuse(&name, &reason);
            }
            Err(error) => self.sources.refuse(&name, &advice(&error)),
        }
    }

    /// A file that standard input was redirected from is read where it is; anything else is a stream.
    fn open_stdin(&mut self) {
        if std::mem::replace(&mut self.stdin_taken, true) {
            return;
        }
        if let Ok(descriptor) = io::stdin().as_fd().try_clone_to_owned() {
            let file = File::from(descriptor);
            if file.metadata().is_ok_and(|found| found.is_file()) {
                let content = Content::File(Arc::new(file));
                return self
                    .sources
                    .admit(&Arrival::new("stdin".to_owned(), None, content));
            }
        }
        self.open_stream("stdin", Origin::StandardInput);
    }

    fn open_stream(&mut self, name: &str, origin: Origin) {
        self.sources.add_stream(name, origin);
    }

    fn open_folder(&mut self, root: &Path, folder: &Path, depth: usize) {
        if depth > DEEPEST_FOLDER {
            return self.refuse(folder, "it lies too deep; open it by its own path");
        }
        let mut entries: Vec<PathBuf> = match fs::read_dir(folder) {
            Ok(entries) => entries.flatten().map(|entry| entry.path()).collect(),
            Err(error) => return self.refuse(folder, &advice(&error)),
        };
        entries.sort_by(|a, b| by_number(&a.to_string_lossy(), &b.to_string_lossy()));
        for path in entries {
            if is_hidden(&path) {
                continue;
            }
            match fs::symlink_metadata(&path) {
                Ok(found) if found.is_symlink() => self.open_link(root, &path),
                Ok(found) if found.is_dir() => self.open_folder(root, &path, depth + 1),
                Ok(found) => self.open_file(&path, below(root, &path), &found),
                Err(error) => self.refuse(&path, &advice(&error)),
            }
        }
    }

    /// A link within a folder: what it leads to is read only where it lies within the folder itself.
    fn open_link(&mut self, root: &Path, path: &Path) {
        match fs::canonicalize(path) {
            Ok(target) if !target.starts_with(root) => {
                self.refuse(
                    path,
                    "it leads out of the opened folder; open it by its own path",
                );
            }
            Ok(target) => match fs::metadata(&target) {
                // A folder is visited where it lies: following the link could go round in circles.
                Ok(found) if found.is_file() => {
                    self.open_file(&target, below(root, path), &found);
                }
                Ok(_) => {}
                Err(error) => self.refuse(path, &advice(&error)),
            },
            Err(error) => self.refuse(path, &advice(&error)),
        }
    }

    fn open_file(&mut self, path: &Path, name: String, found: &Metadata) {
        if let Some(reason) = unreadable(found.file_type()) {
            return self.refuse(path, reason);
        }
        if !self.seen.insert((found.dev(), found.ino())) {
            return;
        }
        if self.seen.len() > MOST_FILES {
            if !std::mem::replace(&mut self.left_out, true) {
                let reason = format!(
                    "this and further files are left out: {MOST_FILES} are read at most; open a smaller folder"
                );
                self.refuse(path, &reason);
            }
            return;
        }
        let file = match open_file(path) {
            Ok(file) => file,
            Err(error) => return self.refuse(path, &advice(&error)),
        };
        let content = if self.seen.len() > MOST_HELD_OPEN {
            Content::Closed(path.into())
        } else {
            Content::File(Arc::new(file))
        };
        self.sources
            .admit(&Arrival::new(name, Some(path.to_owned()), content));
    }

    fn refuse(&mut self, path: &Path, reason: &str) {
        self.sources.refuse(&path.display().to_string(), reason);
    }
}

/// Whether a path names a descriptor that this process was given.
fn is_descriptor(path: &Path) -> bool {
    path.starts_with("/dev/fd") || path.starts_with("/proc/self/fd")
}

/// Why a thing that is no file is not read: reading it could wait for ever, or never end.
fn unreadable(kind: FileType) -> Option<&'static str> {
    if kind.is_file() {
        None
    } else if kind.is_fifo() {
        Some("it is a pipe; give it to standard input: causedby - < PIPE")
    } else if kind.is_socket() {
        Some("it is a socket, not a file")
    } else {
        Some("it is a device, not a file")
    }
}

/// What went wrong, and what to do about it.
fn advice(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => "there is no such file or folder; check the path".to_owned(),
        io::ErrorKind::PermissionDenied => {
            "it may not be read by you; copy it, or open it as somebody who may".to_owned()
        }
        _ => format!("it cannot be read: {error}"),
    }
}

/// `history:18080`, `localhost:18080/history/app-1`: a host and its port, with a path or without.
fn is_address(name: &str) -> bool {
    let (host, rest) = name.split_once(':').unwrap_or_default();
    let port = rest.split('/').next().unwrap_or_default();
    let of_host = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-');
    !host.is_empty() && host.chars().all(of_host) && port.parse::<u16>().is_ok()
}

/// Hidden files, the checksums Hadoop writes beside files and the empty marks Spark writes beside the parts of
/// an event log are no inputs.
fn is_hidden(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    name.starts_with('.') || name.ends_with(".crc") || name.starts_with("appstatus_")
}

fn below(root: &Path, path: &Path) -> String {
    path.strip_prefix(root)
        .unwrap_or(path)
        .to_string_lossy()
        .into_owned()
}

/// Compares names so that `events_2` comes before `events_10`: runs of digits by their value.
pub(super) fn by_number(a: &str, b: &str) -> Ordering {
    let (mut rest_a, mut rest_b) = (a, b);
    while let (Some(x), Some(y)) = (rest_a.chars().next(), rest_b.chars().next()) {
        let order = if x.is_ascii_digit() && y.is_ascii_digit() {
            let number_a = take_digits(&mut rest_a);
            let number_b = take_digits(&mut rest_b);
            (number_a.len().cmp(&number_b.len())).then_with(|| number_a.cmp(number_b))
        } else {
            rest_a = &rest_a[x.len_utf8()..];
            rest_b = &rest_b[y.len_utf8()..];
            x.cmp(&y)
        };
        if order != Ordering::Equal {
            return order;
        }
    }
    rest_a.len().cmp(&rest_b.len()).then_with(|| a.cmp(b))
}

/// Takes the digits at the beginning, without leading zeros.
fn take_digits<'t>(text: &mut &'t str) -> &'t str {
    let end = text
        .find(|c: char| !c.is_ascii_digit())
        .unwrap_or(text.len());
    let (digits, rest) = text.split_at(end);
    *text = rest;
    digits.trim_start_matches('0')
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "tests")]
    use super::*;
    use std::os::unix::fs::symlink;

    fn names(sources: &Sources) -> Vec<&str> {
        sources.list.iter().map(|s| s.name.as_str()).collect()
    }

    #[test]
    fn paths_of_one_file_name_are_told_apart_by_their_folders() {
        let paths = ["/runs/a/driver.log", "/runs/b/driver.log", "/runs/b/job.py"];
        let paths = paths.map(PathBuf::from);
        let named = Named::of(&paths);
        let shown = paths.each_ref().map(|path| named.shown(path));
        assert_eq!(
            shown,
            ["a/driver.log", "b/driver.log", "job.py"].map(Path::new)
        );
        let twice = Named::of(&[paths[0].clone(), paths[0].clone()]);
        assert_eq!(twice.shown(&paths[0]), Path::new("driver.log"));
    }

    #[test]
    fn a_folder_is_read_in_order_and_strange_things_are_named() {
        let outside = tempfile::NamedTempFile::new().unwrap();
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path();
        for folder in ["executors/10", "executors/2", ".git"] {
            fs::create_dir_all(root.join(folder)).unwrap();
        }
        for (name, text) in [
            ("executors/10/stderr", "24/01/02 03:04:05 INFO X: y\n"),
            ("executors/2/stderr", "24/01/02 03:04:05 INFO X: y\n"),
            ("job.py", "pass\n"),
            ("zdriver.log", "24/01/02 03:04:05 INFO DAGScheduler: y\n"),
            (".hidden", "x\n"),
            (".git/config", "x\n"),
            ("a.crc", "x\n"),
            ("image", "\x7fELF\0"),
        ] {
            fs::write(root.join(name), text).unwrap();
        }
        symlink(outside.path(), root.join("out")).unwrap();
        symlink(root, root.join("round")).unwrap();
        symlink(root.join("job.py"), root.join("again.py")).unwrap();
        let socket = std::os::unix::net::UnixListener::bind(root.join("socket")).unwrap();
        let made = std::process::Command::new("mkfifo")
            .arg(root.join("fifo"))
            .status();
        let sources = Sources::open(&[root.to_owned(), root.join("job.py"), root.join("none")]);
        drop(socket);
        assert_eq!(
            names(&sources),
            [
                "zdriver.log",
                "executors/2/stderr",
                "executors/10/stderr",
                "again.py"
            ]
        );
        assert!(sources.list.iter().zip(0..).all(|(s, i)| s.id.0 == i));
        let reason = |name: &str| {
            let found = sources.refused.iter().find(|r| r.name.ends_with(name));
            found.map_or("", |r| r.reason.as_str())
        };
        assert!(reason("out").contains("leads out"));
        assert!(reason("socket").contains("socket"));
        assert!(reason("none").contains("no such"));
        assert!(reason("image").contains("program"));
        if made.is_ok_and(|status| status.success()) {
            assert!(reason("fifo").contains("pipe"));
        }
    }

    #[test]
    fn devices_are_refused_and_stdin_is_opened_once() {
        let sources = Sources::open(&["/dev/zero".into(), "-".into(), "-".into()]);
        assert!(sources.refused[0].reason.contains("device"));
        assert_eq!(names(&sources), ["stdin"]);
    }

    #[test]
    fn an_address_without_its_scheme_is_told_with_it() {
        for (name, is_one) in [
            ("history:18080", true),
            ("10.0.0.7:18480/history/app-1", true),
            ("none", false),
            ("a b:1", false),
            ("log:late", false),
        ] {
            let refused = &Sources::open(&[name.into()]).refused;
            let told = refused[0].reason.contains(&format!("http://{name}"));
            assert_eq!(told, is_one, "{refused:?}");
        }
    }

    #[test]
    fn digits_compare_by_value() {
        let mut names = ["events_10", "events_9", "events_009x", "events", "b"];
        names.sort_by(|a, b| by_number(a, b));
        assert_eq!(
            names,
            ["b", "events", "events_9", "events_009x", "events_10"]
        );
    }
}
