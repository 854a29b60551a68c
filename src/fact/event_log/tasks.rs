//! In: `TaskEnd` events of one stage attempt. Out: [`StageTasks`]: how many ended how, and their figures in columns.

use super::column::Column;
use super::event::{TaskEnd, TaskMetrics};
use crate::text::{Place, Symbol};
use std::collections::HashMap;

/// The tasks of one stage attempt. Rows of the columns are the tasks that carry metrics, in the order of
/// their ends; a task whose executor was lost carries none.
#[derive(Debug, Clone, Default)]
pub struct StageTasks {
    /// Attempts that finished.
    pub succeeded: u64,
    /// Attempts that failed or were lost.
    pub failed: u64,
    /// Attempts that were killed.
    pub killed: u64,
    /// Attempts that were started beside slow ones.
    pub speculative: u64,
    /// Index of each row's task in its task set.
    pub index: Vec<u32>,
    /// Attempt of each row's task.
    pub attempt: Vec<u16>,
    /// TID of each row's task.
    pub tid: Vec<u64>,
    /// Whether each row's task finished.
    pub ok: Vec<bool>,
    /// Each row's executor: an index of [`StageTasks::executors`].
    pub executor: Vec<u16>,
    /// Executors that ran tasks, with their hosts.
    pub executors: Vec<(Symbol, Symbol)>,
    known: HashMap<Symbol, u16>,
    /// Launch, milliseconds since 1970.
    pub launched: Column,
    /// Finish minus launch, milliseconds.
    pub task_ms: Column,
    /// Time in the task's own code, milliseconds.
    pub run_ms: Column,
    /// Garbage collection while it ran, milliseconds.
    pub gc_ms: Column,
    /// Bytes read from shuffles, remote and local.
    pub shuffle_read: Column,
    /// Bytes written to shuffles.
    pub shuffle_write: Column,
    /// Bytes spilled to disk.
    pub spill_disk: Column,
    /// Bytes spilled, as they were in memory.
    pub spill_memory: Column,
    /// Bytes read from storage.
    pub input: Column,
    /// Bytes written to storage.
    pub output: Column,
    /// Records read, from storage and shuffles.
    pub records_in: Column,
    /// Records written, to storage and shuffles.
    pub records_out: Column,
}

impl StageTasks {
    /// Whether no task ended with metrics.
    pub fn is_empty(&self) -> bool {
        self.index.is_empty()
    }

    /// Executor and host of a row.
    pub fn ran_on(&self, row: usize) -> Option<&(Symbol, Symbol)> {
        self.executors.get(usize::from(*self.executor.get(row)?))
    }

    /// Rows of the task of that index.
    pub fn rows_of(&self, index: u32) -> impl Iterator<Item = usize> + '_ {
        (0..self.index.len()).filter(move |row| self.index[*row] == index)
    }

    fn executor_index(&mut self, executor: &str, host: &str) -> u16 {
        if let Some(known) = self.known.get(executor) {
            return *known;
        }
        let index = u16::try_from(self.executors.len()).unwrap_or(u16::MAX);
        let executor = Symbol::new(executor);
        self.executors.push((executor.clone(), Symbol::new(host)));
        self.known.insert(executor, index);
        index
    }

    /// Adds the end of a task that carries metrics.
    pub(super) fn push(&mut self, end: &TaskEnd<'_>, metrics: &TaskMetrics, place: Place) {
        let task = &end.task;
        let executor = self.executor_index(&task.executor, &task.host);
        self.executor.push(executor);
        self.index.push(task.index);
        self.attempt
            .push(u16::try_from(task.attempt).unwrap_or(u16::MAX));
        self.tid.push(task.tid);
        self.ok.push(end.reason.reason == "Success");
        let count = |n: i64| u64::try_from(n).unwrap_or(0);
        let read = &metrics.shuffle_read;
        let (input, output) = (&metrics.input, &metrics.output);
        for (column, value) in [
            (&mut self.launched, task.launched),
            (
                &mut self.task_ms,
                task.finished.saturating_sub(task.launched),
            ),
            (&mut self.run_ms, metrics.run_ms),
            (&mut self.gc_ms, metrics.gc_ms),
            (
                &mut self.shuffle_read,
                read.remote.max(0).saturating_add(read.local.max(0)),
            ),
            (&mut self.shuffle_write, metrics.shuffle_write.bytes),
            (&mut self.spill_disk, metrics.spill_disk),
            (&mut self.spill_memory, metrics.spill_memory),
            (&mut self.input, input.bytes),
            (&mut self.output, output.bytes),
            (
                &mut self.records_in,
                input.records.max(0).saturating_add(read.records.max(0)),
            ),
            (
                &mut self.records_out,
                output
                    .records
                    .max(0)
                    .saturating_add(metrics.shuffle_write.records.max(0)),
            ),
        ] {
            column.push(count(value), place);
        }
    }
}
