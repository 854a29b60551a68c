//! In: a log, read with blocks of any size on any number of threads, at once or bit by bit as it grows. Out: the same case.

#[cfg(test)]
mod tests {
    use super::super::case::Case;
    use super::super::hooks::Hooks;
    use super::super::options::Options;
    use super::super::pipeline::{Reader, load};
    use crate::source::Sources;
    use proptest::prelude::*;
    use std::sync::Arc;
    use std::sync::atomic::AtomicBool;

    fn loaded(text: &str, options: &Options) -> String {
        let mut sources = Sources::default();
        sources.add_memory("driver.log", text.as_bytes().to_vec());
        sources.add_memory("spark-defaults.conf", b"spark.master yarn\n".to_vec());
        let case = load(sources, options);
        format!("{:#?} {:?} {:?}", case.story, case.lines, case.unread)
    }

    fn searched(block: usize, threads: usize) -> Options {
        Options {
            block,
            threads,
            whole_below: 0,
            head: 300,
            tail: 300,
            ..Options::default()
        }
    }

    fn piece() -> impl Strategy<Value = &'static str> {
        prop_oneof![
            8 => Just("24/01/02 03:04:05 INFO TaskSetManager: Starting task 1.0 in stage 0.0 (TID 1) (h, executor 1, partition 1, ANY, 9 bytes)\n"),
            1 => Just("24/01/02 03:04:05 INFO SparkContext: Running Spark version 3.5.1\n"),
            1 => Just("24/01/02 03:04:05 INFO DAGScheduler: Job 0 finished: count at a.py:1, took 1.0 s\n"),
            2 => Just("24/01/02 03:04:05 WARN TaskSetManager: Lost task 1.0 in stage 0.0 (TID 1) (h executor 1): java.io.IOException: gone\n\tat a.b.C.d(C.java:1)\nCaused by: java.net.SocketException: reset\n\t... 9 more\n"),
            1 => Just("24/01/02 03:04:05 ERROR TaskSetManager: Task 1 in stage 0.0 failed 4 times; aborting job\n"),
            1 => Just("Traceback (most recent call last):\n  File \"/srv/größe.py\", line 3, in f\n    g()\nValueError: a\nb\n"),
            2 => Just("Traceback (most recent call last):\n  File \"/srv/a.py\", line 3, in f\n    g()\nValueError: row 17\n"),
            2 => Just("Traceback (most recent call last):\n  File \"/srv/a.py\", line 3, in f\n    g()\nValueError: row 42\n"),
            1 => Just("\nDuring handling of the above exception, another exception occurred:\n\n"),
            1 => Just("output \u{1f6a8} of the program\n"),
            1 => Just("\r[Stage 3:>   (0 + 1) / 1]"),
        ]
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(48))]
        #[test]
        fn the_case_does_not_depend_on_blocks_and_threads(
            pieces in prop::collection::vec(piece(), 0..40),
            block in 1_usize..400,
            threads in 1_usize..4,
        ) {
            let text = pieces.concat();
            prop_assert_eq!(
                loaded(&text, &searched(1 << 20, 1)),
                loaded(&text, &searched(block, threads))
            );
        }
    }

    /// What is known after each of `cuts`, and in the end: read bit by bit as it is written to a file, and at once.
    fn told_bit_by_bit(bytes: &[u8], cuts: &[usize], options: &Options) -> (String, String) {
        let file = tempfile::NamedTempFile::with_suffix("driver.log").expect("a file");
        let never = AtomicBool::new(false);
        let hooks = Hooks {
            cancel: &never,
            progress: &|_| {},
            draft: &|_| {},
        };
        let told = |case: &Case| {
            format!(
                "{:#?} {:?} {:?} {:?}",
                case.story, case.lines, case.unread, case.dresses
            )
        };
        let mut reader = Reader::going_on(options, hooks);
        let mut sources = Arc::new(Sources::open(&[file.path().to_owned()]));
        let mut bit_by_bit = told(&reader.read(&sources));
        let mut written = 0;
        for cut in cuts.iter().copied().chain([bytes.len()]) {
            let next = cut.max(written);
            std::io::Write::write_all(&mut file.as_file(), &bytes[written..next]).expect("written");
            written = next;
            if let Some(again) = sources.again() {
                sources = Arc::new(again);
                bit_by_bit = told(&reader.read(&sources));
            }
        }
        let at_once = told(&load(Sources::open(&[file.path().to_owned()]), options));
        (bit_by_bit, at_once)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn a_log_that_grew_tells_what_it_tells_at_once(
            pieces in prop::collection::vec(piece(), 0..40),
            cuts in prop::collection::vec(any::<prop::sample::Index>(), 0..12),
            block in 1_usize..400,
            whole_below in prop_oneof![Just(0_u64), Just(1_500)],
        ) {
            let bytes = pieces.concat().into_bytes();
            let mut cuts: Vec<usize> = cuts.iter().map(|cut| cut.index(bytes.len() + 1)).collect();
            cuts.sort_unstable();
            let options = Options { whole_below, ..searched(block, 1) };
            let (bit_by_bit, at_once) = told_bit_by_bit(&bytes, &cuts, &options);
            prop_assert_eq!(bit_by_bit, at_once);
        }
    }

    #[test]
    fn a_log_that_grew_is_not_read_again_from_its_beginning() {
        let file = tempfile::NamedTempFile::with_suffix("driver.log").expect("a file");
        let chatter = "24/01/02 03:04:05 INFO DAGScheduler: looking\n";
        std::fs::write(file.path(), chatter.repeat(2_000)).expect("written");
        let never = AtomicBool::new(false);
        let done = std::cell::Cell::new(0);
        let hooks = Hooks {
            cancel: &never,
            progress: &|progress| done.set(progress.done),
            draft: &|_| {},
        };
        let options = searched(1 << 20, 1);
        let mut reader = Reader::going_on(&options, hooks);
        let first = Arc::new(Sources::open(&[file.path().to_owned()]));
        reader.read(&first);
        assert_eq!(done.get(), 90_000);
        let mut log = std::fs::OpenOptions::new()
            .append(true)
            .open(file.path())
            .expect("it");
        std::io::Write::write_all(&mut log, b"ValueError: x\n").expect("written");
        let case = reader.read(&Arc::new(first.again().expect("it grew")));
        // Its end, which is read differently, and what came.
        assert_eq!(done.get(), options.tail + 14);
        assert_eq!(case.lines, [2_001]);
    }

    proptest! {
        #[test]
        fn no_bytes_are_too_strange(
            pieces in prop::collection::vec(prop_oneof![
                prop::collection::vec(any::<u8>(), 0..40),
                piece().prop_map(|piece| piece.as_bytes().to_vec()),
            ], 0..20),
        ) {
            let bytes = pieces.concat();
            let mut sources = Sources::default();
            sources.add_memory("driver.log", bytes.clone());
            let case = load(sources, &searched(64, 2));
            if let Some(source) = case.sources.list.first().filter(|s| s.bytes == bytes.len() as u64) {
                let lines = bytes.split(|b| *b == b'\n').count() - usize::from(bytes.ends_with(b"\n"));
                let lines = if bytes.is_empty() { 0 } else { lines as u64 };
                prop_assert_eq!(case.lines[0], lines, "{}", source.name);
            }
        }
    }
}
