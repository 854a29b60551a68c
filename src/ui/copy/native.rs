//! In: a text. Out: the text in the clipboard of the desktop the program runs on, or the reason why not.

use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender, bounded, unbounded};

/// An X server that does not answer takes seconds to say so; the screen must not wait for it.
const DEADLINE: Duration = Duration::from_millis(500);
/// How long leaving may take while the text is handed to the desktop's clipboard manager.
const HAND_OVER: Duration = Duration::from_millis(300);

/// A connection to the desktop's clipboard, made at the first copy and kept, because on X11 and Wayland
/// the program that copied is asked for the text when somebody pastes.
#[derive(Debug, Default)]
pub(super) struct Desktop {
    worker: Option<Worker>,
}

#[derive(Debug)]
struct Worker {
    texts: Sender<String>,
    answers: Receiver<Result<(), String>>,
    thread: JoinHandle<()>,
}

impl Desktop {
    /// Hands the text to the desktop.
    ///
    /// # Errors
    /// With the reason, as the end of a sentence, where the desktop has not confirmed within the deadline.
    pub(super) fn copy(&mut self, text: &str) -> Result<(), String> {
        let gone = "the desktop's clipboard is gone";
        if self.worker.is_none() {
            self.worker = Some(Worker::start()?);
        }
        let Some(worker) = &self.worker else {
            return Err(gone.into());
        };
        // An answer that came too late for the copy before is not the answer to this one.
        while worker.answers.try_recv().is_ok() {}
        let answer = worker
            .texts
            .send(text.to_owned())
            .map_err(|_| gone.to_owned())
            .and_then(|()| {
                worker
                    .answers
                    .recv_timeout(DEADLINE)
                    .map_err(|_| "the desktop's clipboard did not answer".to_owned())
            });
        match answer {
            Ok(told) => told,
            Err(reason) => {
                // The next copy starts afresh; the silent thread ends with its channel.
                self.worker = None;
                Err(reason)
            }
        }
    }
}

impl Worker {
    fn start() -> Result<Self, String> {
        let (texts, to_copy) = unbounded::<String>();
        let (told, answers) = bounded(1);
        let thread = thread::Builder::new()
            .name("clipboard".into())
            .spawn(move || serve(&to_copy, &told))
            .map_err(|error| format!("no thread for the clipboard: {error}"))?;
        Ok(Self {
            texts,
            answers,
            thread,
        })
    }
}

/// Copies what comes until the channel closes; the connection closes after that, which is when arboard
/// hands the text to a clipboard manager, if the desktop has one.
fn serve(to_copy: &Receiver<String>, told: &Sender<Result<(), String>>) {
    let mut clipboard = None;
    for text in to_copy {
        let copied = match &mut clipboard {
            Some(clipboard) => arboard::Clipboard::set_text(clipboard, text),
            none => arboard::Clipboard::new().and_then(|made| none.insert(made).set_text(text)),
        };
        let answer = copied.map_err(|error| match error {
            arboard::Error::Unknown { description } => description,
            error => error.to_string(),
        });
        if told.send(answer).is_err() {
            return;
        }
    }
}

impl Drop for Desktop {
    fn drop(&mut self) {
        let Some(Worker { texts, thread, .. }) = self.worker.take() else {
            return;
        };
        drop(texts);
        let start = Instant::now();
        while !thread.is_finished() && start.elapsed() < HAND_OVER {
            std::thread::sleep(Duration::from_millis(5));
        }
    }
}
