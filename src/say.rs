//! In: bytes and text for standard output, messages for standard error. Out: they are written, or why not; a tab is written as
//! spaces, so that no control character but the end of a line reaches a terminal.

use crate::Failure;
use causedby::text::{expand_tabs, sanitise};
use std::io::{self, Write as _};

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
