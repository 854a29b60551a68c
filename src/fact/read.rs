//! In: a [`Record`]. Out: the [`Fact`]s it tells.

use super::fact::{Fact, FactKind};
use super::memory::Memory;
use super::order::Order;
use super::profile;
use super::telling::Telling;
use super::told::Told;
use crate::record::Record;

/// Reads what a record says; the facts come in the order of its lines, but for profiles, which come last.
pub fn read(record: &Record, out: &mut Vec<Fact>) {
    read_by(&mut Memory::default(), record, out);
}

/// The same of the next record of a log: a trace that is known by `memory` is not read again.
pub fn read_by(memory: &mut Memory, record: &Record, out: &mut Vec<Fact>) {
    let Some((profiles, mut rest)) = profile::take(record) else {
        return read_lines(memory, record, out);
    };
    // What is left of it is not the record that would be read in full.
    for line in &mut rest.lines {
        line.shape = None;
    }
    read_lines(memory, &rest, out);
    out.extend(profiles.into_iter().map(|profile| Fact {
        place: profile.place,
        text: "".into(),
        time: None,
        level: None,
        logger: None,
        thread: None,
        message_at: 0,
        kind: FactKind::Profile(Box::new(profile)),
    }));
}

/// Reads a record without profiles.
fn read_lines(memory: &mut Memory, record: &Record, out: &mut Vec<Fact>) {
    let Some(first) = record.lines.first() else {
        return;
    };
    let order = Order::of(&record.lines);
    let mut telling = Telling::of(record, first, out);
    telling.head();
    let traces = if telling.is_last_word() {
        let mut traces = Told::all(record, &order);
        // Unless an interpreter's own traceback was printed behind it, or it repeats all of it, with its frames.
        traces.retain(|told| {
            told.bare && told.is_python() && told.spot.start > 0 || told.is_with_frames()
        });
        traces
    } else {
        Told::by_memory(memory, record, &order)
    };
    let attempt = telling.attempt(traces.first());
    let (beside, covered) = telling.traces(traces, attempt);
    let below_heading = telling.lines(beside);
    let status = telling.exit();
    telling.first_line();
    telling.output(covered, [status, below_heading]);
    telling.cleared_bars();
    telling.end(&order);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fact::RunLine;
    use crate::record::records;

    fn facts(log: &str) -> Vec<Fact> {
        let mut out = Vec::new();
        for record in &records(log) {
            read(record, &mut out);
        }
        out
    }

    #[test]
    fn the_state_of_a_failed_query_is_no_output() {
        let facts = facts(
            "24/01/02 03:04:05 ERROR MicroBatchExecution: Query [id = a] terminated with error\n\
             Traceback (most recent call last):\n  File \"/jobs/tides.py\", line 6, in <module>\n    q.awaitTermination()\n\
             pyspark.errors.exceptions.captured.StreamingQueryException: [STREAM_FAILED] Query terminated\n\
             === Streaming Query ===\nIdentifier: [id = a]\n\nCurrent State: ACTIVE\nThread State: RUNNABLE\n\n\
             Logical Plan:\nWriteToMicroBatchDataSource x",
        );
        let output = facts
            .iter()
            .find(|fact| matches!(fact.kind, FactKind::Plain));
        assert!(output.is_none(), "{output:?}");
    }

    #[test]
    fn a_status_that_was_asked_for_is_no_output() {
        let log = "24/01/02 03:04:05 WARN Tides: ebb\n$ echo $?\n143";
        let facts = facts(log);
        let has = |of: fn(&FactKind) -> bool| facts.iter().any(|fact| of(&fact.kind));
        assert!(
            has(|kind| matches!(kind, FactKind::Run(RunLine::Exit(143)))),
            "{facts:?}"
        );
        assert!(!has(|kind| matches!(kind, FactKind::Plain)), "{facts:?}");
    }

    #[test]
    fn a_messages_own_lines_are_no_output() {
        let facts = facts(
            "26/11/30 04:35:03 ERROR Executor: Exception in task 0.3 in stage 0.0 (TID 3)\n\
             org.apache.spark.SparkArithmeticException: [DIVIDE_BY_ZERO] Division by zero.\n\
             == DataFrame ==\n\
             \"__truediv__\" was called from\n\
             /home/etl/run/unit_price.py:9\n\n\
             \tat org.apache.spark.sql.errors.QueryExecutionErrors$.divideByZeroError(QueryExecutionErrors.scala:198)\n",
        );
        let kinds: Vec<_> = facts
            .iter()
            .map(|f| (f.place.line, std::mem::discriminant(&f.kind)))
            .collect();
        assert_eq!(kinds.len(), 1, "{facts:#?}");
    }
}
