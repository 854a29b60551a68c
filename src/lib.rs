//! `causedby` opens a Spark or PySpark failure and puts its root cause first. This page is the map of its code.
//!
//! # Floors
//!
//! Each folder of `src` is a floor named after what it produces. A floor uses floors below it and never
//! one above; `report` and `ui` are neighbours and never meet. `tests/it/floors.rs` keeps the walls.
//!
//! ```text
//!             main ─ cli
//!       report        ui            tell it / let it be explored
//!             load                  run the floors below over the input: threads, progress, cancel → Case
//!           diagnosis               rules applied to incidents → bucket, fixes, evidence
//!           incident                facts linked: chains, attempts, stages, executors; what is root and what is effect
//!             fact                  what a record says: threw, task lost, stage failed, executor lost, container killed …
//!            record                 bytes cut into log records by a detected layout, shippers' prefixes taken off
//!           source                  where bytes come from: file, folder, stdin, archive, codec; what each file is
//!             text                  places, symbols, moments, sanitising — knows nothing of Spark
//! ```
//!
//! # Data flow
//!
//! ```text
//! paths, stdin ─→ Sources ─→ Record ─→ Fact ─→ Story ─→ Diagnosis ─→ Case ─→ report: text, Markdown, JSON
//!                    ↑                                                 └───→ ui: Selection, panes
//!                    └── Place ── the text of a line is read again where it is shown
//! ```
//!
//! 1. [`source`] opens what is named, unpacks it and tells by its content what it is.
//! 2. [`load`] walks over the bytes of every log once and looks for needles. Only the records around a hit are cut out by
//!    [`record`], which takes off what shippers put in front of a line and tells where a record begins.
//! 3. [`fact`] says what a record tells: a throwable with its chain, a lost task, a failed stage, a killed container, an
//!    event of an event log, a profile that was printed.
//! 4. [`incident`] links facts to a [`Story`](incident::Story): the same failure once, however often it was logged; what is
//!    root and what is effect; how the run ended.
//! 5. [`diagnosis`] applies rules, which are data, and fills their texts with the incident's own values.
//! 6. [`report`] tells the [`Case`](load::Case); [`ui`] lets it be explored. Both read it and change nothing.
//!
//! # What always holds
//!
//! - Reading a log never fails and never panics. What was not understood is counted and told.
//! - The same input makes the same case, whatever the size of blocks and the number of threads.
//! - Text stays in the file. A case holds places, shared names and one capped exemplar of each failure, so memory grows with
//!   what went wrong and not with the bytes read.
//! - What no needle touches is not parsed, and no regular expression runs over every line of a large log.
//! - A failure that repeats itself, in whatever language, costs a look into a table for each of its lines, and tells the same as if it had been read.
//! - A claim carries its evidence: places. An unknown line gives no signal rather than a wrong one.
//! - Everything from a log that is shown, printed or copied goes through [`text::sanitise`] or [`text::sanitise_line`].
//! - Only [`source`] opens logs, and only its `history` knows the network, which is not used unless an address is given; only [`load`] and the loop of [`ui`] start threads; only [`ui`] knows the terminal; only
//!   `cli` knows clap.
//! - The JSON report is a contract, described in the README.
//!
//! # Caps
//!
//! Where the input drives memory or time there is a cap; what goes beyond it is counted or cut, never an error.
//!
//! | of | at most |
//! |---|---|
//! | files of a folder, members of an archive | 10 000 each; folders 32 deep, archives 2 deep |
//! | bytes that are unpacked | 16 GiB of one input; beyond 256 MiB, 300 times the packed ones |
//! | standard input | 64 GiB, in a private file; 64 MiB in memory where none can be made; 16 MiB of what is no text |
//! | a paste | 64 MiB; 2 s without a byte; half a key: half a second |
//! | what is on the way to a terminal that tells how far it is | a frame and 2 KiB; 10 s for its answer, 3 s on the way out |
//! | a file that a person writes for the program | 1 MiB; 256 KiB for one of its patterns, compiled |
//! | what a History Server sends | 4 GiB of an archive, 64 MiB of a list; 60 s without a byte |
//! | a line | 1 MiB is read of it; 16 KiB are shown |
//! | a record | 20 000 lines, 1 000 more within a trace, or 4 MiB, then it is cut; of thousands of lines that begin with one class the first 4 096 are kept |
//! | streams that a shipper mixed | 256 with an open record |
//! | a throwable | 16 KiB of its message, 1 024 frames; 256 in a chain; 4 000 printed lines of a trace |
//! | distinct failures | 20 000 while reading, 500 told; 1 000 places of each |
//! | attempts, stages, executors | 200 000, 50 000, 20 000; jobs and SQL executions 50 000 each; settings 10 000 |
//! | an event log | 64 MiB a line, 100 000 endings of tasks |
//! | profiles | 100, of each 500 rows |
//! | fixes of an incident | 4 |
//!
//! # Memory
//!
//! What a case takes beside the bare process grows with what is distinct in the input, never with its bytes:
//!
//! | for | takes |
//! |---|---|
//! | reading | 3 MiB a thread for blocks that wait; below 2 MiB for the end of the last block and the longest line; the records of 3 MiB of lines between the thread that cuts them and the one that reads them, and room of as many that were read, for the next ones |
//! | a source | 16 bytes a mark for where its lines are, and a bounded number of marks |
//! | a distinct failure | one exemplar within the caps above; 32 bytes a place it was logged at |
//! | a task in an event log | 17 bytes and 8 for each figure that is not zero in its stage: 33 to 113; twice that while it grows |
//! | a failed attempt in a log | below 120 bytes, and once for all that ended alike what they ended with |
//! | a stage in an event log | about 2 KiB, and its tasks |
//! | a name (class, method, host) | once, however often it occurs, of the first 65 536 |
//! | frames that are remembered | 8 192 of them, below 4 MiB; how they follow one another, below 2 MiB |
//! | shapes of lines that are remembered | 4 096 of them, below 3 MiB; how they follow one another: 16 384 steps, and 1 024 failures told by those, below 2 MiB |
//! | what is unpacked | 1 MiB of each input and 64 MiB in all; a private file holds the rest |
//!
//! [`load::Case::work`] counts what reading took in steps; a test holds it to what a log of each kind needs.
//!
//! # Words
//!
//! | word | is |
//! |---|---|
//! | place | a line of an input: where its bytes are, and its number |
//! | record | a log line with a head (time, level, logger), and the lines that continue it |
//! | dress | what a shipper put around the lines of a source |
//! | layout | how a record's head is written |
//! | throwable, frame | an exception as printed, and a line of its stack; a frame has an owner: the user, Spark, Py4J … |
//! | cause, chain | a link of an exception chain; the chain from the outermost wrapper to the root |
//! | root | the deepest cause that says something: what the user has to know first |
//! | effect | a failure that another one set off; it never outranks it |
//! | incident | one failure with everything linked to it; fatal, recovered or noise |
//! | attempt | one try of a task; its attempts together say whether data, chance or machines are to blame |
//! | profile | what was measured of Python code: time by function, memory by line |
//! | finding | what is remarkable about a stage: skew, spill, stragglers … |
//! | bucket, family | which kind of fault, which kind of fix |
//! | case | the whole answer |

pub mod diagnosis;
pub mod fact;
pub mod incident;
pub mod load;
pub mod record;
pub mod report;
pub mod source;
pub mod text;
pub mod ui;
