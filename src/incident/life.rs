//! [`Life`]: the last signs that a run went on, each by when it was read.

/// Signs that the run went on.
#[derive(Debug, Default, Clone, Copy)]
pub(super) struct Life {
    /// The last output of the program's own.
    pub(super) output: u64,
    /// The last stage that was submitted, or job that finished.
    pub(super) work: u64,
    /// When the context began to stop.
    pub(super) stopping: Option<u64>,
    /// The last announcement that tasks wait for resources.
    pub(super) waiting: u64,
    /// The last task that ended, however it did.
    pub(super) task: u64,
    /// Whether the driver's first warnings were seen: about its host's name, and native code that is not there.
    pub(super) begun: bool,
}
