//! In: a text. Out: the text in tmux's buffer, and sent by tmux to the terminal it is shown on.
//!
//! A stock tmux drops OSC 52 from the programs inside of it, wrapped or not; its own command always works.

use std::io::{Seek as _, Write as _};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// A server that does not answer within this is treated as not there.
const DEADLINE: Duration = Duration::from_secs(1);

/// How far a text came.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reached {
    /// In the buffer, and tmux sends it to the terminal.
    Terminal,
    /// In the buffer only: tmux before 3.2 has no way to send it on.
    Buffer,
}

/// Loads the text into tmux's newest buffer with `program`, which is `tmux` outside of tests.
///
/// # Errors
/// With the reason, as the end of a sentence, where the text is not in the buffer.
pub(super) fn load(program: &str, text: &str) -> Result<Reached, String> {
    match run(program, &["load-buffer", "-w", "-"], text) {
        Ok(true) => Ok(Reached::Terminal),
        // Before 3.2 the option is unknown; any other failure shows up again without it.
        Ok(false) => match run(program, &["load-buffer", "-"], text) {
            Ok(true) => Ok(Reached::Buffer),
            Ok(false) => Err("tmux refused it".into()),
            Err(reason) => Err(reason),
        },
        Err(reason) => Err(reason),
    }
}

/// Runs the program with `text` as its input; whether it succeeded within the deadline.
fn run(program: &str, arguments: &[&str], text: &str) -> Result<bool, String> {
    // A file rather than a pipe: a server that reads nothing cannot block the write.
    let input = tempfile::tempfile().and_then(|mut file| {
        file.write_all(text.as_bytes())?;
        file.rewind()?;
        Ok(file)
    });
    let input = input.map_err(|error| format!("no temporary file for tmux: {error}"))?;
    let mut child = Command::new(program)
        .args(arguments)
        .stdin(input)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .map_err(|error| format!("tmux could not be run: {error}"))?;
    let start = Instant::now();
    loop {
        match child.try_wait() {
            Ok(Some(status)) => return Ok(status.success()),
            Ok(None) if start.elapsed() < DEADLINE => thread::sleep(Duration::from_millis(2)),
            Ok(None) => {
                let _ = child.kill();
                let _ = child.wait();
                return Err("tmux did not answer within a second".into());
            }
            Err(error) => return Err(format!("tmux was lost: {error}")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_exit_status_decides() {
        assert_eq!(load("true", "x"), Ok(Reached::Terminal));
        assert_eq!(load("false", "x"), Err("tmux refused it".into()));
    }

    #[test]
    fn a_missing_tmux_is_named() {
        let reason = load("/nowhere/tmux", "x").expect_err("there is none");
        assert!(reason.starts_with("tmux could not be run"), "{reason}");
    }

    #[test]
    fn a_silent_server_costs_a_second_at_most() {
        let start = Instant::now();
        assert!(run("sleep", &["10"], "x").is_err());
        assert!(start.elapsed() < DEADLINE * 3);
    }

    #[test]
    fn the_text_is_the_input() {
        let text = "α".repeat(100_000);
        let check = format!("test $(wc -c) -eq {}", text.len());
        assert_eq!(run("sh", &["-c", &check], &text), Ok(true));
    }
}
