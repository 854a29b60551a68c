//! In: physical lines in order, with gaps where nothing was of interest. Out: [`Record`]s.

use super::aggregate::{self, Heading};
use super::bare_frame;
use super::dress::Dress;
use super::frames::Stretch;
use super::held::Held;
use super::layout::LAYOUTS;
use super::limit::MOST_BYTES;
use super::open_record::{OpenRecord, Speech};
use super::record::{LastBar, Line, Record};
use super::room::Room;
use super::shape::{self, Shape};
use super::stack::Stack;
use super::undress::{Piece, Role, Undressed, goes_on_in};
use crate::text::{Place, SourceId, Symbol};

/// So many streams have a record open at once; one more closes the one that was quiet longest.
const MOST_OPEN: usize = 256;

/// A line as it stands in the file, without its `\n`.
#[derive(Debug, Clone, Copy)]
pub struct RawLine<'b> {
    /// Offset of its first byte.
    pub start: u64,
    /// 1-based number.
    pub line: u64,
    /// Its bytes.
    pub bytes: &'b [u8],
}

/// Cuts the lines of one source into records, for each stream on its own where a shipper mixed several.
#[derive(Debug, Clone)]
pub struct Cutter {
    source: SourceId,
    dress: Dress,
    /// The container whose logs follow in aggregated logs, then the log of it that follows.
    container: String,
    log: String,
    /// The open records, the one written to last at the end.
    open: Vec<OpenRecord>,
    /// Lines that a shipper cut, as far as they were read.
    halves: Vec<Half>,
    /// Lines of a source that tells the newest first: they are turned round at its end.
    held: Held,
    /// What the last line that was the log's own shows of a progress bar, and the stream that shows one.
    bar: LastBar,
    bar_of: String,
    /// The blocks of code so far.
    fences: aggregate::Fences,
    /// What records took that were read.
    room: Room,
    /// Whether bare frames go the short way, so that a test can compare.
    #[cfg(test)]
    pub(super) frames_as_they_stand: bool,
}

/// The beginning of a line that a shipper cut.
#[derive(Debug, Clone)]
struct Half {
    lane: String,
    place: Place,
    bytes: Vec<u8>,
}

/// A logical line that was cut out of its source's.
struct Cut {
    place: Place,
    piece: Piece,
    /// Whether it stands outside of the log.
    prose: bool,
}

/// Whether a line is more than a heading between logs.
fn says(text: &str) -> bool {
    !text.trim().is_empty() && aggregate::heading(text).is_none()
}

impl Cutter {
    /// For a source that wears `dress`.
    pub fn new(source: SourceId, dress: Dress) -> Self {
        Self {
            source,
            dress,
            container: String::new(),
            log: String::new(),
            open: Vec::new(),
            halves: Vec::new(),
            held: Held::default(),
            bar: LastBar::None,
            bar_of: String::new(),
            fences: aggregate::Fences::new(dress.is_fenced()),
            room: Room::default(),
            #[cfg(test)]
            frames_as_they_stand: true,
        }
    }

    /// What the last line shows of a console progress bar; what somebody wrote around the log counts for none.
    pub fn last_bar(&self) -> LastBar {
        self.bar
    }

    /// The next line; records that are complete go to `out`, in the order in which they ended. The lines of a
    /// source that tells the newest first are kept until [`finish`](Self::finish) and turned round.
    pub fn feed(&mut self, raw: RawLine<'_>, out: &mut Vec<Record>) {
        if !self.dress.is_newest_first() {
            return self.cut(raw, out);
        }
        self.held.add(raw);
        if self.held.is_full() {
            self.turn(out);
        }
    }

    /// Takes what records took that were read, for others.
    pub fn make_room(&mut self, room: Room) {
        self.room.add(room);
    }

    /// Cuts the lines that wait, the oldest row first.
    fn turn(&mut self, out: &mut Vec<Record>) {
        let held = std::mem::take(&mut self.held);
        held.oldest_first(self.dress, |line| self.cut(line, out));
    }

    fn cut(&mut self, raw: RawLine<'_>, out: &mut Vec<Record>) {
        let place = Place {
            source: self.source,
            start: raw.start,
            bytes: u32::try_from(raw.bytes.len()).unwrap_or(u32::MAX),
            line: raw.line,
            part: 0,
        };
        if self.dress.is_beside(raw.bytes) || self.frames(raw, out).lines > 0 {
            return;
        }
        let plain = self.dress == Dress::default() && self.halves.is_empty();
        if plain
            && self
                .open
                .last_mut()
                .is_some_and(|open| open.is_of("") && open.counts(raw.bytes))
        {
            self.bar = LastBar::None;
            return;
        }
        if plain && let Some((text, shape)) = shape::recall(raw.bytes) {
            let piece = Piece::plain(self.room.text(text));
            if says(&piece.text) && !shape.begins_record(text) {
                self.bar = LastBar::None;
            }
            let piece = Cut {
                place,
                piece,
                prose: false,
            };
            return self.add_piece("", "", piece, Some(&shape), out);
        }
        let undressed = Undressed::by_shape(raw.bytes, self.dress);
        let half = self
            .halves
            .iter()
            .position(|half| goes_on_in(&half.lane, &undressed.lane));
        match half.map(|at| self.halves.remove(at)) {
            None if undressed.partial => self.halves.push(Half {
                lane: undressed.lane,
                place,
                bytes: raw.bytes.to_owned(),
            }),
            None => self.add(place, undressed, out),
            Some(mut half) => {
                let end = raw.start.saturating_add(raw.bytes.len() as u64);
                let bytes = end.saturating_sub(half.place.start);
                half.place.bytes = u32::try_from(bytes).unwrap_or(u32::MAX);
                half.bytes.push(b'\n');
                half.bytes.extend_from_slice(raw.bytes);
                if undressed.partial && half.bytes.len() < MOST_BYTES {
                    self.halves.push(half);
                } else {
                    self.add(half.place, Undressed::new(&half.bytes, self.dress), out);
                }
            }
        }
        if self.halves.len() > MOST_OPEN {
            self.close_half(out);
        }
    }

    /// Closes what is open: the end of the source, or a gap.
    pub fn finish(&mut self, out: &mut Vec<Record>) {
        self.turn(out);
        while !self.halves.is_empty() {
            self.close_half(out);
        }
        let from = out.len();
        for open in self.open.drain(..) {
            open.close(out);
        }
        out[from..].sort_by_key(|record| record.lines.first().map(|line| line.place));
        if self.dress.is_newest_first() {
            out[from..].reverse();
        }
    }

    /// Whether what comes next may belong to a record that others were written into the middle of.
    pub fn waits(&self) -> bool {
        self.open.iter().any(OpenRecord::waits)
    }

    fn close_half(&mut self, out: &mut Vec<Record>) {
        let half = self.halves.remove(0);
        let undressed = Undressed::new(&half.bytes, self.dress);
        self.add(half.place, undressed, out);
    }

    /// Takes as many of `lines`, from the first on, as are bare frames and clearly belong to the open record. It makes no
    /// difference whether they come by [`feed`](Self::feed).
    pub fn frames(&mut self, lines: RawLine<'_>, out: &mut Vec<Record>) -> Stretch {
        #[cfg(test)]
        if !self.frames_as_they_stand {
            return Stretch::default();
        }
        let begins = lines.bytes.starts_with(bare_frame::BEGINS);
        if !begins || self.dress != Dress::default() || !self.halves.is_empty() {
            return Stretch::default();
        }
        let Some(open) = self.open.last_mut().filter(|open| open.is_of("")) else {
            return Stretch::default();
        };
        self.bar = LastBar::None;
        open.take_frames(lines, self.source, &mut self.room, out)
    }

    /// Adds the logical lines of a line to the open record of its lane, or begins others.
    fn add(&mut self, place: Place, undressed: Undressed, out: &mut Vec<Record>) {
        // Loggers write between two drawings, what a program prints comes behind the last.
        let is_log = undressed.begins_record();
        let Undressed {
            stream,
            lane,
            prose,
            bar,
            ..
        } = undressed;
        let shows = bar != LastBar::None;
        // What another program says tells nothing of the one that shows a bar.
        let other = self.bar != LastBar::None && self.bar_of != stream;
        let told = || !other && !is_log && undressed.pieces.iter().any(|piece| says(&piece.text));
        if !prose && (shows || told()) {
            self.bar = bar;
            self.bar_of.clone_from(&stream);
        }
        let shape = undressed.shape.as_deref();
        for (part, piece) in (0..).zip(undressed.pieces) {
            let piece = Cut {
                place: Place { part, ..place },
                piece,
                prose,
            };
            self.add_piece(&lane, &stream, piece, shape, out);
        }
    }

    /// Adds one of them.
    fn add_piece(
        &mut self,
        lane: &str,
        stream: &str,
        Cut {
            place,
            piece,
            prose,
        }: Cut,
        shape: Option<&Shape>,
        out: &mut Vec<Record>,
    ) {
        let heading = piece.role == Role::Plain && self.enter(&piece.text);
        let (head, message_at) = match piece.role {
            Role::First(head) => (Some(head), 0),
            Role::Plain => shape
                .map_or_else(
                    || LAYOUTS.find(&piece.text),
                    |shape| shape.head(&piece.text),
                )
                .map_or((None, 0), |(head, at)| (Some(head), at)),
            Role::Rest => (None, 0),
        };
        let speech = shape.map_or_else(|| Speech::of(&piece.text), |shape| shape.speech);
        let line = Line {
            place,
            prose: self.fences.between(&piece.text)
                || prose
                || heading
                || aggregate::goes_on(&piece.text),
            behind: piece.behind,
            text: piece.text,
            event: piece.event,
            below: Stack::default(),
            shape: shape.map(|shape| shape.number),
        };
        let is_open = self.bring_forward(lane);
        let open = self.open.last_mut().filter(|_| is_open);
        let head = match (head, open) {
            (head, None) => head,
            (head, Some(open)) => {
                let head = head.filter(|head| !open.quotes(head));
                if head.is_none() && open.takes(&line.text, heading) {
                    open.settle(&line.text, out);
                    return open.push(line, speech);
                }
                head
            }
        };
        let record = Record {
            head,
            stream: self.stream_of(stream),
            lines: self.room.lines(),
            message_at,
        };
        let mut next = OpenRecord::new(lane, record, line, speech, heading);
        if let Some(done) = self.open.pop_if(|_| is_open) {
            next.follow(done, out);
        }
        self.open.push(next);
        if self.open.len() > MOST_OPEN {
            self.open.remove(0).close(out);
        }
    }

    /// Puts the open record of a lane behind the others; whether there is one.
    fn bring_forward(&mut self, lane: &str) -> bool {
        let Some(at) = self.open.iter().rposition(|open| open.is_of(lane)) else {
            return false;
        };
        self.open[at..].rotate_left(1);
        true
    }

    /// Whose output follows: as the shipper says, else the aggregated log that is being read.
    fn stream_of(&self, shipped: &str) -> Symbol {
        if shipped.is_empty() && !self.log.is_empty() {
            return Symbol::new(format!("{} {}", self.container, self.log).trim_start());
        }
        Symbol::new(shipped)
    }

    /// Notes whose log follows, where `text` is a heading; whether it is one.
    fn enter(&mut self, text: &str) -> bool {
        match aggregate::heading(text) {
            Some(Heading::Container(id)) => {
                id.clone_into(&mut self.container);
                self.log.clear();
            }
            Some(Heading::Log(name)) => name.clone_into(&mut self.log),
            Some(Heading::End) => self.log.clear(),
            None => return false,
        }
        true
    }
}

/// The records of a log that wears nothing, read line by line.
#[cfg(test)]
pub(crate) fn records(log: &str) -> Vec<Record> {
    let mut cutter = Cutter::new(SourceId(0), Dress::default());
    let (mut out, mut start) = (Vec::new(), 0);
    for (line, text) in (1..).zip(log.lines()) {
        let bytes = text.as_bytes();
        cutter.feed(RawLine { start, line, bytes }, &mut out);
        start += text.len() as u64 + 1;
    }
    cutter.finish(&mut out);
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::{Level, logical_text};

    fn texts(record: &Record) -> Vec<String> {
        let lines = record.unfolded().lines.into_iter();
        lines.map(|line| line.text).collect()
    }

    #[test]
    fn lines_without_a_head_continue_the_record() {
        let log = "mid\n24/01/02 03:04:05 ERROR Tides: ebb\n\tat a.B.c(B.java:1)\n\n24/01/02 03:04:06 INFO X: y";
        let records = records(log);
        assert_eq!(records.len(), 3);
        assert_eq!(records[0].head, None);
        assert_eq!(records[1].message(), "ebb");
        assert_eq!(texts(&records[1])[1..], ["\tat a.B.c(B.java:1)", ""]);
        assert_eq!(records[2].lines[0].place.line, 5);
    }

    #[test]
    fn an_event_in_json_is_one_record_whatever_its_message_says() {
        let log = concat!(
            r#"{"ts":"2024-01-02T03:04:05.678Z","level":"ERROR","msg":"a\n24/01/02 03:04:05 ERROR X: quoted","logger":"Tides"}"#,
            "\nTraceback (most recent call last):"
        );
        let records = records(log);
        assert_eq!(records.len(), 1);
        let head = records[0].head.as_ref().expect("a head");
        assert_eq!(head.level, Some(Level::Error));
        assert_eq!(texts(&records[0])[1], "24/01/02 03:04:05 ERROR X: quoted");
        assert_eq!(records[0].lines[1].place.part, 1);
        assert_eq!(records[0].lines[2].place.line, 2);
    }

    #[test]
    fn streams_are_told_apart() {
        let log = concat!(
            "[pod/a/x] 24/01/02 03:04:05 ERROR A: a\n[pod/b/x] 24/01/02 03:04:05 ERROR B: b\n",
            "[pod/a/x] \tat a.A.a(A.java:1)\n[pod/b/x] \tat b.B.b(B.java:1)"
        );
        let records = records(log);
        assert_eq!(records.len(), 2);
        assert_eq!((&*records[0].stream, &*records[1].stream), ("a/x", "b/x"));
        assert_eq!(texts(&records[0])[1], "\tat a.A.a(A.java:1)");
        assert_eq!(texts(&records[1])[1], "\tat b.B.b(B.java:1)");
    }

    #[test]
    fn lines_that_a_shipper_cut_are_joined() {
        let time = "2024-01-02T03:04:05.678901234Z";
        let log = format!(
            "{time} stderr P 24/01/02 03:04:05 ERR\n{time} stdout F other\n{time} stderr F OR Tides: ebb"
        );
        let records = records(&log);
        assert_eq!(records.len(), 2);
        let joined = records.iter().find(|r| r.head.is_some()).expect("a record");
        assert_eq!(joined.message(), "ebb");
        let place = joined.lines[0].place;
        assert_eq!((place.line, place.bytes as usize), (1, log.len()));
        assert_eq!(
            logical_text(log.as_bytes(), 0, Dress::default()),
            joined.lines[0].text
        );
    }

    #[test]
    fn a_message_that_quotes_a_log_stays_whole() {
        let log = concat!(
            "24/06/02 03:04:05 ERROR Executor: boom\na.B: Traceback (most recent call last):\n",
            "TideError: rejected\n23/01/01 00:00:00 ERROR Exporter: truncated\n\tat a.B.c(B.java:1)\n",
            "24/06/02 03:04:06 INFO X: y\n23/01/01 00:00:00 ERROR Late: not quoted"
        );
        let records = records(log);
        let lengths: Vec<_> = records.iter().map(Record::len).collect();
        assert_eq!(lengths, [5, 1, 1]);
    }

    #[test]
    fn a_line_of_another_thread_does_not_tear_a_trace() {
        let log = concat!(
            "24/06/02 03:04:05 ERROR Executor: boom\na.B: m\n\tat a.B.c(B.java:1)\n",
            "24/06/02 03:04:05 WARN Netty: too many pings\n\tat a.B.d(B.java:2)\nCaused by: a.C: n\n",
            "24/06/02 03:04:05 WARN Netty: a.D: own\n\tat a.D.e(D.java:3)"
        );
        let records = records(log);
        let mut lengths: Vec<_> = records.iter().map(Record::len).collect();
        lengths.sort_unstable();
        assert_eq!(lengths, [1, 2, 5]);
    }

    #[test]
    fn aggregated_logs_are_streams() {
        let id = "container_1700000000000_0042_01_000003";
        let log = format!(
            "Container: {id} on dn7_45454\n{}\nLogType:stderr\nLogLength:9\nLogContents:\nKilled\nEnd of LogType:stderr\n\nLogType:stdout\nLogContents:\n24/01/02 03:04:05 INFO X: y",
            "=".repeat(60)
        );
        let records = records(&log);
        let all: Vec<_> = records
            .iter()
            .map(|r| (&*r.stream, r.lines.len()))
            .collect();
        let (stderr, stdout) = (format!("{id} stderr"), format!("{id} stdout"));
        assert_eq!(all[1], (&*stderr, 1));
        assert_eq!(records[1].message(), "Killed");
        assert!(records[0].lines.iter().all(|line| line.prose) && !records[1].lines[0].prose);
        assert_eq!(all.last(), Some(&(&*stdout, 1)));
    }
}
