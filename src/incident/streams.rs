//! In: the streams that records of a log came in, where a shipper mixed several. Out: [`Streams`]: whose record is told of,
//! and whether what it prints came after the last failure of the same program.

use crate::text::{Place, Symbol};

/// The stream that is read, and where the last failure was told.
#[derive(Debug, Default, Clone)]
pub(super) struct Streams {
    now: Option<Symbol>,
    /// Whether it is of a container that runs an executor.
    of_executor: bool,
    /// Where the last failure was told, and in which stream.
    failed: Option<(Place, Option<Symbol>)>,
}

impl Streams {
    /// The next record comes in this stream; no name is of the only one.
    pub(super) fn enter(&mut self, stream: &Symbol) {
        if self.now.as_deref().unwrap_or_default() != &**stream {
            self.now = Some(stream).filter(|stream| !stream.is_empty()).cloned();
            self.of_executor = is_executors(stream);
        }
    }

    /// Whether an executor's container printed the record.
    pub(super) fn of_executor(&self) -> bool {
        self.of_executor
    }

    /// A failure is told at `place`.
    pub(super) fn fails(&mut self, place: Place) {
        if self.failed.as_ref().is_none_or(|(last, _)| *last <= place) {
            self.failed = Some((place, self.now.clone()));
        }
    }

    /// Whether output at `place` came after the last failure, of the same program. Another program goes on whatever became
    /// of this one; and a record that no stream is named for may end long after it was printed.
    pub(super) fn goes_on(&self, place: Place) -> bool {
        let Some((failed, stream)) = &self.failed else {
            return true;
        };
        let unnamed = stream.is_none() || self.now.is_none();
        *stream == self.now || unnamed && *failed <= place
    }
}

/// Whether a stream of aggregated logs is of a container that runs an executor: the first one runs the driver, or what
/// asks for the others.
fn is_executors(stream: &str) -> bool {
    let container = stream.split(' ').next().unwrap_or("");
    let number = container
        .strip_prefix("container_")
        .and_then(|id| id.rsplit('_').next());
    number.is_some_and(|number| number.parse::<u32>().is_ok_and(|number| number > 1))
}
