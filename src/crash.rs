//! In: a fault of the program itself, a panic. Out: one line that says so, and a file to send that holds nothing of any log.

use causedby::text::{Masking, masking, sanitise_line};
use causedby::ui::terminal::tell_later;
use etcetera::BaseStrategy as _;
use std::backtrace::Backtrace;
use std::fmt::Write as _;
use std::io::{self, Write as _};
use std::panic::{self, PanicHookInfo};
use std::path::{Path, PathBuf};

/// Set to anything: the file also holds the fault's own message, in which a line of a log may be quoted.
const WITH_MESSAGE: &str = "CAUSEDBY_CRASH_MESSAGE";

/// From now on a panic is told so, not in the words of the language.
pub(crate) fn tell_panics() {
    panic::set_hook(Box::new(|fault| {
        let kept = place().filter(|path| keep(path, &bundle(fault)).is_ok());
        let told = told(fault, kept.as_deref());
        if !tell_later(&told) {
            // Nothing more can be done where standard error is closed.
            let _ = writeln!(io::stderr(), "{told}");
        }
    }));
}

/// `causedby/crash.txt` in the user's state folder.
fn place() -> Option<PathBuf> {
    let folders = etcetera::choose_base_strategy().ok()?;
    let state = folders.state_dir().unwrap_or_else(|| folders.cache_dir());
    Some(state.join("causedby").join("crash.txt"))
}

/// Its owner's alone, like every temporary file; a link in its place is replaced, not followed.
fn keep(path: &Path, bundle: &str) -> io::Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    std::fs::create_dir_all(folder)?;
    let mut file = tempfile::NamedTempFile::new_in(folder)?;
    file.write_all(bundle.as_bytes())?;
    file.persist(path)?;
    Ok(())
}

/// What is said of it at once.
fn told(fault: &PanicHookInfo<'_>, kept: Option<&Path>) -> String {
    let at = fault
        .location()
        .map_or_else(String::new, |at| format!(" ({at})"));
    let (message, _) = masking(Masking::default(), || {
        sanitise_line(&message(fault)).into_owned()
    });
    let mut told = format!("causedby: a fault in causedby itself{at}: {message}");
    if let Some(path) = kept {
        let path = path.display().to_string();
        let _ = write!(
            told,
            "\ncausedby: what to send with a bug report is in {}; it holds nothing of your logs",
            sanitise_line(&path)
        );
    }
    told
}

/// What helps to mend it. A backtrace names functions and lines of the program; arguments, paths and messages, in which a
/// log may be quoted, are left out.
fn bundle(fault: &PanicHookInfo<'_>) -> String {
    let mut text = format!(
        "causedby {} on {} {}\n",
        env!("CARGO_PKG_VERSION"),
        std::env::consts::OS,
        std::env::consts::ARCH
    );
    let thread = std::thread::current();
    let _ = writeln!(text, "thread {}", thread.name().unwrap_or("without a name"));
    if let Some(at) = fault.location() {
        let _ = writeln!(text, "at {at}");
    }
    let literal = fault.payload().downcast_ref::<&'static str>();
    if std::env::var_os(WITH_MESSAGE).is_some() {
        let _ = writeln!(text, "message {}", sanitise_line(&message(fault)));
    } else if let Some(literal) = literal {
        // A literal of the program's own source.
        let _ = writeln!(text, "message {literal}");
    } else {
        let _ = writeln!(text, "message left out; {WITH_MESSAGE}=1 keeps it");
    }
    let _ = writeln!(text, "\n{}", Backtrace::force_capture());
    text
}

fn message(fault: &PanicHookInfo<'_>) -> String {
    let payload = fault.payload();
    let literal = payload
        .downcast_ref::<&'static str>()
        .map(|text| (*text).to_owned());
    literal
        .or_else(|| payload.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "no reason was given".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Mutex;

    /// What is told, and what is kept, of a fault.
    fn of(fault: impl FnOnce() + panic::UnwindSafe) -> (String, String) {
        static TOLD: Mutex<(String, String)> = Mutex::new((String::new(), String::new()));
        static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
        let _held = ONE_AT_A_TIME.lock().expect("no panic is left");
        let before = panic::take_hook();
        panic::set_hook(Box::new(|fault| {
            let kept = Some(Path::new("/x/crash.txt"));
            *TOLD.lock().expect("held by nobody") = (told(fault, kept), bundle(fault));
        }));
        let _ = panic::catch_unwind(fault);
        panic::set_hook(before);
        TOLD.lock().expect("held by nobody").clone()
    }

    #[test]
    fn a_bundle_holds_nothing_of_a_log() {
        let line = "password=hunter2 \x1b[2J of a log".to_owned();
        let (told, bundle) = of(move || panic!("cannot cut {line:?}"));
        assert!(
            told.contains("src/crash.rs") && told.contains("/x/crash.txt"),
            "{told}"
        );
        assert!(
            !told.contains("hunter2") && !told.contains('\x1b'),
            "{told}"
        );
        assert!(
            bundle.contains(env!("CARGO_PKG_VERSION")) && bundle.contains("left out"),
            "{bundle}"
        );
        assert!(
            !bundle.contains("hunter2") && !bundle.contains("of a log"),
            "{bundle}"
        );
        let (_, bundle) = of(|| panic!("never more than three"));
        assert!(bundle.contains("message never more than three"), "{bundle}");
    }

    #[test]
    fn the_file_is_the_owners_alone() {
        use std::os::unix::fs::PermissionsExt as _;
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a/crash.txt");
        keep(&path, "told").expect("written");
        let mode = std::fs::metadata(&path)
            .expect("there")
            .permissions()
            .mode();
        assert_eq!(mode & 0o777, 0o600);
    }
}
