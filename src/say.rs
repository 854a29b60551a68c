//! In: bytes and text for standard output, messages for standard error. Out: they are written, or why not; a tab is written as
//! spaces, so that no control character but the end of a line reaches a terminal.

use crate::Failure;
use causedby::text::{expand_tabs, sanitise};
use rustix::io::fcntl_getfd;
use std::io::{self, Write as _};
use std::sync::atomic::{AtomicBool, Ordering};

/// Whether somebody has closed standard output before the program began.
static CLOSED: AtomicBool = AtomicBool::new(false);

/// Before `main`, the standard library opens the null device in the place of a closed standard output, and what is written
/// there is lost without a word. It is looked at before that.
#[ctor::ctor(unsafe)]
fn look_before_it_is_mended() {
    let closed = fcntl_getfd(rustix::stdio::stdout()).is_err();
    CLOSED.store(closed, Ordering::Relaxed);
}

/// Writes a text to standard output.
pub(crate) fn tell(text: &str) -> Result<(), Failure> {
    print(expand_tabs(text).as_bytes())
}

/// Writes bytes to standard output as they are.
pub(crate) fn print(bytes: &[u8]) -> Result<(), Failure> {
    written(|| {
        let mut out = io::stdout().lock();
        out.write_all(bytes).and_then(|()| out.flush())
    })
}

/// Lets something be written to standard output; a reader that went away has seen enough.
pub(crate) fn written(write: impl FnOnce() -> io::Result<()>) -> Result<(), Failure> {
    anyhow::ensure!(
        !CLOSED.load(Ordering::Relaxed),
        "there is nowhere to write to: standard output is closed"
    );
    match write() {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(Failure::new(error)
            .context("it could not be written to standard output; is its disk full?")),
        _ => Ok(()),
    }
}

/// Says something on standard error; where that is closed too, the status still tells.
pub(crate) fn complain(text: &str) {
    let _ = writeln!(io::stderr(), "causedby: {}", expand_tabs(&sanitise(text)));
}
