//! In: a text. Out: the text in tmux's buffer, and sent by tmux to the terminal it is shown on.
//!
//! A stock tmux drops OSC 52 from the programs inside of it, wrapped or not; its own command always works.

use std::io::{Read as _, Seek as _, Write as _};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use super::tmux_client::Client;

/// A server that does not answer within this is treated as not there.
const DEADLINE: Duration = Duration::from_secs(3);
/// More of an answer is not read.
const LONGEST_ANSWER: u64 = 1 << 20;

/// How far a text came.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Reached {
    /// In the buffer, and tmux sends it to the terminal.
    Terminal,
    /// In the buffer, and sent to a multiplexer around this one, which passes copies on only where it is told to.
    Beyond,
    /// In the buffer; tmux does not say whether a terminal that takes copies shows it.
    Unknown,
    /// In the buffer only, for this reason.
    Buffer(String),
}

/// Loads the text into tmux's newest buffer with `program`, which is `tmux` outside of tests.
///
/// # Errors
/// With the reason, as a sentence of its own, where the text is not in the buffer.
pub(super) fn load(program: &str, text: &str) -> Result<Reached, String> {
    if run(program, &["load-buffer", "-w", "-"], text)?.is_some() {
        let client = Client::look(program);
        return Ok(match client.as_ref().map(|c| (c, c.takes_copies)) {
            Some((client, Some(false))) => Reached::Buffer(format!(
                "tmux does not know that {} takes copies",
                client.term
            )),
            Some((client, _)) if client.is_nested() => Reached::Beyond,
            Some((_, Some(true))) => Reached::Terminal,
            // Nobody is attached, or it is a tmux that tells less.
            Some((_, None)) | None => Reached::Unknown,
        });
    }
    // Before 3.2 the option is unknown; any other failure shows up again without it.
    match run(program, &["load-buffer", "-"], text)? {
        Some(_) => Ok(Reached::Buffer(
            "tmux before 3.2 does not send it on".into(),
        )),
        None => Err("tmux refused it".into()),
    }
}

/// Runs the program with `text` as its input; what it printed, if it succeeded within the deadline, and
/// nothing if it said itself that it failed.
pub(super) fn run(program: &str, arguments: &[&str], text: &str) -> Result<Option<String>, String> {
    // Files rather than pipes: a server that reads nothing cannot block the write, nor one that says
    // much the exit.
    let files = tempfile::tempfile().and_then(|mut input| {
        input.write_all(text.as_bytes())?;
        input.rewind()?;
        let output = tempfile::tempfile()?;
        Ok((input, output.try_clone()?, output))
    });
    let (input, output, mut answer) =
        files.map_err(|error| format!("no temporary file for tmux: {error}"))?;
    let mut child = Command::new(program)
        .args(arguments)
        .stdin(input)
        .stdout(output)
        .stderr(Stdio::null())
        .spawn()
        .map_err(|error| format!("tmux could not be run: {error}"))?;
    let start = Instant::now();
    let status = loop {
        match child.try_wait() {
            Ok(Some(status)) => break status,
            Ok(None) if start.elapsed() < DEADLINE => thread::sleep(Duration::from_millis(2)),
            Ok(None) => {
                let _ = child.kill();
                let _ = child.wait();
                return Err("tmux did not answer".into());
            }
            Err(error) => return Err(format!("tmux was lost: {error}")),
        }
    };
    if !status.success() {
        return Ok(None);
    }
    let mut printed = Vec::new();
    let read = answer
        .rewind()
        .and_then(|()| answer.take(LONGEST_ANSWER).read_to_end(&mut printed));
    read.map_err(|error| format!("the answer of tmux could not be read: {error}"))?;
    Ok(Some(String::from_utf8_lossy(&printed).into_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_exit_status_decides() {
        assert_eq!(load("true", "x"), Ok(Reached::Unknown));
        assert_eq!(load("false", "x"), Err("tmux refused it".into()));
    }

    #[test]
    fn a_missing_tmux_is_named() {
        let reason = load("/nowhere/tmux", "x").expect_err("there is none");
        assert!(reason.starts_with("tmux could not be run"), "{reason}");
    }

    #[test]
    fn a_silent_server_is_not_waited_for() {
        let start = Instant::now();
        assert!(run("sleep", &["100"], "x").is_err());
        assert!(start.elapsed() < Duration::from_secs(100));
    }

    #[test]
    fn the_text_is_the_input() {
        let text = "α".repeat(100_000);
        let check = format!("test $(wc -c) -eq {}", text.len());
        let check = format!("{check} && echo yes");
        assert_eq!(run("sh", &["-c", &check], &text), Ok(Some("yes\n".into())));
    }
}
