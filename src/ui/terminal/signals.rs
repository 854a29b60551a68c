//! In: signals from outside, and the wish to be stopped. Out: the terminal given back before the program
//! ends or stops, and taken again when it is continued.

use std::io;
use std::sync::OnceLock;
use std::thread;
use std::time::Duration;

use crossterm::terminal::disable_raw_mode;
use rustix::process::{Signal, getpgrp, getpid, getsid, kill_current_process_group, kill_process};
use rustix::termios::tcgetpgrp;
use signal_hook::consts::{
    SIGALRM, SIGCONT, SIGHUP, SIGINT, SIGIO, SIGPROF, SIGQUIT, SIGTERM, SIGTSTP, SIGUSR1, SIGUSR2,
    SIGVTALRM, SIGXCPU,
};
use signal_hook::iterator::Signals;
use signal_hook::low_level::exit;

use super::hold;

/// A terminal that takes no more bytes must not keep the program alive longer than this.
const LAST_WORDS: Duration = Duration::from_secs(1);

/// What would end the program: asked for by a person, a shell, a limit, or by mistake.
const DEADLY: [i32; 11] = [
    SIGTERM, SIGHUP, SIGINT, SIGQUIT, SIGXCPU, SIGUSR1, SIGUSR2, SIGALRM, SIGVTALRM, SIGPROF, SIGIO,
];

/// Starts to watch, once for the life of the program: what watches can never be taken off again without
/// leaving the signals without any effect.
pub(super) fn watch() -> io::Result<()> {
    static WATCHED: OnceLock<()> = OnceLock::new();
    if WATCHED.get().is_some() {
        return Ok(());
    }
    let mut signals = Signals::new(DEADLY.iter().chain(&[SIGTSTP, SIGCONT]))?;
    thread::Builder::new()
        .name("signals".into())
        .spawn(move || {
            for signal in signals.forever() {
                match signal {
                    SIGCONT => continued(),
                    SIGTSTP => stop(false),
                    deadly => end(deadly),
                }
            }
        })?;
    let _ = WATCHED.set(());
    Ok(())
}

/// Gives the terminal back and stops, as `^z` does in every program; with the whole job where `job`
/// is set, so that a pipeline stops together. Returns at once where there is no shell to go back to.
pub(super) fn stop(job: bool) {
    if !has_shell() || !hold::suspend() {
        return;
    }
    // SIGSTOP, not SIGTSTP: the latter is ours and would come back here.
    let stopped = if job {
        kill_current_process_group(Signal::STOP)
    } else {
        kill_process(getpid(), Signal::STOP)
    };
    if stopped.is_err() {
        hold::resume();
    }
}

/// Job control puts every job into a group of its own: a program in the group of the session's leader
/// was not started by a shell that could continue it, and would be stopped for ever.
fn has_shell() -> bool {
    getsid(None).is_ok_and(|session| session != getpgrp())
}

fn continued() {
    // Continued in the background there is no terminal to draw on: stop until called to the front.
    if tcgetpgrp(io::stdout()).is_ok_and(|front| front != getpgrp()) && has_shell() {
        let _ = kill_process(getpid(), Signal::STOP);
    } else {
        hold::resume();
    }
}

fn end(signal: i32) -> ! {
    let status = 128 + signal;
    let _ = thread::Builder::new().spawn(move || {
        thread::sleep(LAST_WORDS);
        let _ = disable_raw_mode();
        exit(status)
    });
    hold::leave();
    exit(status)
}
