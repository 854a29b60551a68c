//! [`Hooks`]: what a load tells while it runs, and how it is called off.

use super::case::Case;
use std::sync::atomic::{AtomicBool, Ordering};

/// How far reading has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Progress {
    /// Bytes that were read.
    pub done: u64,
    /// Bytes that are known to be there; grows while a stream arrives.
    pub total: u64,
    /// Whether a stream is still arriving.
    pub arriving: bool,
}

/// What a load tells while it runs, and whether it is still wanted.
#[derive(Clone, Copy)]
pub(super) struct Hooks<'h> {
    /// Set to call the load off.
    pub(super) cancel: &'h AtomicBool,
    /// Called every block.
    pub(super) progress: &'h dyn Fn(Progress),
    /// Called with an answer that more reading may change.
    pub(super) draft: &'h dyn Fn(Case),
}

impl Hooks<'_> {
    pub(super) fn cancelled(&self) -> bool {
        self.cancel.load(Ordering::Relaxed)
    }
}
