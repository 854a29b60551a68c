//! In: a trace. Out: its [`Telling`]: what it says of the failure that it tells, without its lines and frames. It is the same
//! each time the trace is printed, and is kept where that is known beforehand.

use super::fingerprint::{Fingerprint, own_frame};
use super::of_task::tells_of_stage;
use super::{effect, wrapper};
use crate::fact::{Frame, Language, Owner, Throwable, Trace};

/// What a trace says of its failure.
#[derive(Debug, Clone)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is one thing that was seen of the trace, in any combination"
)]
pub(super) struct Telling {
    pub(super) print: Fingerprint,
    /// Whether nothing is told below the root, and the root says something.
    pub(super) deepest: bool,
    /// The user's innermost frame of the root.
    pub(super) own: Option<Frame>,
    /// The user's innermost frame of what wraps the root.
    pub(super) around: Option<Frame>,
    /// The user's line on the driver.
    pub(super) action: Option<Frame>,
    pub(super) last_word: LastWord,
    /// Whether it is of a shutdown, or of what an interpreter ignores.
    pub(super) of_the_end: bool,
    /// Whether only tasks call what it was thrown in.
    pub(super) in_task: bool,
    /// Whether it tells why a stage failed, where the scheduler tells it.
    pub(super) of_stage: bool,
    pub(super) streaming: bool,
    /// Whether Spark or the bridge to it has a part in it.
    pub(super) speaks_spark: bool,
    /// How much it tells: the driver's own traceback shows the action and every wrapper.
    pub(super) tells: u32,
}

/// Whose last word a trace is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LastWord {
    /// Nobody's.
    None,
    /// The main thread's, or an interpreter's.
    Main,
    /// Another thread's.
    Thread,
}

impl Telling {
    /// Of a trace.
    pub(super) fn of(trace: &Trace) -> Self {
        let chain = &trace.chain;
        let at = wrapper::root(chain);
        let root = &chain[at];
        let mut frames = chain.iter().flat_map(|t| &t.frames);
        Self {
            print: Fingerprint::of(root),
            deepest: at + 1 == chain.len() && wrapper::says_something(root),
            own: own_frame(&root.frames).cloned(),
            around: (chain[..at].iter().rev())
                .find_map(|t| own_frame(&t.frames))
                .cloned(),
            action: trace.action().cloned(),
            last_word: match trace.thread.as_deref() {
                Some("main") => LastWord::Main,
                Some(_) => LastWord::Thread,
                None if trace.bare => LastWord::Main,
                None => LastWord::None,
            },
            of_the_end: trace.ignored
                || effect::is_of_shutdown(root)
                || !trace.bare && root.frames.iter().any(stops_the_context),
            in_task: frames.clone().any(Frame::runs_in_task),
            of_stage: tells_of_stage(trace),
            streaming: frames.any(Frame::is_of_stream)
                || chain.iter().any(|t| {
                    t.short_class() == "StreamingQueryException"
                        || t.message.starts_with("[STREAM_FAILED]")
                }),
            speaks_spark: chain.iter().any(|t| {
                let spark = |f: &Frame| matches!(f.owner, Owner::Spark | Owner::Py4j);
                t.language == Language::Jvm || t.frames.iter().any(spark)
            }),
            tells: tells(trace, root),
        }
    }
}

/// What is only logged on the way through this ended nothing.
fn stops_the_context(frame: &Frame) -> bool {
    &*frame.class == "org.apache.spark.SparkContext" && &*frame.function == "stop"
}

fn tells(trace: &Trace, root: &Throwable) -> u32 {
    let driver = u32::from(trace.bare && trace.python) * 1_000;
    let frames = u32::from(!root.frames.is_empty()) * 100;
    driver + frames + u32::try_from(trace.chain.len().min(50)).unwrap_or(50)
}
