//! In: a size and a seed. Out: a driver's log of about that size: the chatter of a long run, now and then a task
//! that is lost and tried again, and a failure at the end that no earlier line shows.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

/// Writes the log, unless it is there already.
pub(crate) fn write(path: &Path, size: u64, seed: u64) -> io::Result<()> {
    if std::fs::metadata(path).is_ok_and(|found| found.len() >= size) {
        return Ok(());
    }
    let unfinished = path.with_extension("part");
    let mut run = Run {
        out: BufWriter::with_capacity(1 << 20, File::create(&unfinished)?),
        written: 0,
        seed: seed | 1,
        seconds: 0,
        tid: 0,
    };
    run.start()?;
    let mut stage = 0;
    while run.written < size.saturating_sub(8 << 10) {
        run.stage(stage, size)?;
        stage += 1;
    }
    run.failure(stage)?;
    run.out.flush()?;
    std::fs::rename(unfinished, path)
}

struct Run {
    out: BufWriter<File>,
    written: u64,
    seed: u64,
    seconds: u64,
    tid: u64,
}

impl Run {
    /// A number below `bound`, from a 64-bit xorshift.
    fn below(&mut self, bound: u64) -> u64 {
        self.seed ^= self.seed << 13;
        self.seed ^= self.seed >> 7;
        self.seed ^= self.seed << 17;
        self.seed % bound
    }

    fn raw(&mut self, text: &str) -> io::Result<()> {
        self.written += text.len() as u64;
        self.out.write_all(text.as_bytes())
    }

    fn log(&mut self, text: &str) -> io::Result<()> {
        self.seconds += u64::from(self.below(40) == 0);
        let s = self.seconds;
        let (day, hour, minute) = (1 + s / 86_400 % 28, s / 3_600 % 24, s / 60 % 60);
        let head = format!("24/05/{day:02} {hour:02}:{minute:02}:{:02} ", s % 60);
        self.raw(&head)?;
        self.raw(text)?;
        self.raw("\n")
    }

    fn start(&mut self) -> io::Result<()> {
        self.log("INFO SparkContext: Running Spark version 3.5.1")?;
        self.log("INFO SparkContext: Submitted application: nightly_orders")?;
        self.log(
            "INFO Client: Submitting application application_1710000000000_0042 to ResourceManager",
        )
    }

    fn stage(&mut self, stage: u64, size: u64) -> io::Result<()> {
        let tasks = 200 + self.below(1_800);
        self.log(&format!("INFO DAGScheduler: Got job {stage} (parquet at NativeMethodAccessorImpl.java:0) with {tasks} output partitions"))?;
        self.log(&format!("INFO DAGScheduler: Submitting {tasks} missing tasks from ResultStage {stage} (MapPartitionsRDD[{stage}] at parquet at NativeMethodAccessorImpl.java:0) (first 15 tasks are for partitions Vector(0, 1, 2))"))?;
        self.log(&format!("INFO TaskSchedulerImpl: Adding task set {stage}.0 with {tasks} tasks resource profile 0"))?;
        for task in 0..tasks {
            if self.written >= size.saturating_sub(8 << 10) {
                return Ok(());
            }
            self.tid += 1;
            let (tid, executor, took) = (self.tid, self.below(40), 200 + self.below(9_000));
            self.log(&format!("INFO TaskSetManager: Starting task {task}.0 in stage {stage}.0 (TID {tid}) (dn{executor}.example.com, executor {executor}, partition {task}, NODE_LOCAL, 9113 bytes) "))?;
            let free = self.below(900);
            self.log(&format!("INFO BlockManagerInfo: Added broadcast_{stage}_piece0 in memory on dn{executor}.example.com:45454 (size: 34.1 KiB, free: {free}.2 MiB)"))?;
            if self.below(4_000) == 0 {
                self.lost(stage, task, tid, executor)?;
            }
            self.log(&format!("INFO TaskSetManager: Finished task {task}.0 in stage {stage}.0 (TID {tid}) in {took} ms on dn{executor}.example.com (executor {executor}) ({}/{tasks})", task + 1))?;
            if self.below(20) == 0 {
                self.log(&format!("INFO ContextCleaner: Cleaned accumulator {tid}"))?;
            }
        }
        self.log(&format!("INFO DAGScheduler: ResultStage {stage} (parquet at NativeMethodAccessorImpl.java:0) finished in 12.345 s"))?;
        self.log(&format!("INFO DAGScheduler: Job {stage} finished: parquet at NativeMethodAccessorImpl.java:0, took 12.5 s"))
    }

    fn lost(&mut self, stage: u64, task: u64, tid: u64, executor: u64) -> io::Result<()> {
        self.log(&format!("WARN TaskSetManager: Lost task {task}.0 in stage {stage}.0 (TID {tid}) (dn{executor}.example.com executor {executor}): java.io.IOException: Connection from dn3.example.com/10.0.0.3:7337 closed"))?;
        for frame in [
            "org.apache.spark.network.client.TransportResponseHandler.channelInactive(TransportResponseHandler.java:147)",
            "org.apache.spark.network.server.TransportChannelHandler.channelInactive(TransportChannelHandler.java:117)",
            "io.netty.channel.AbstractChannelHandlerContext.invokeChannelInactive(AbstractChannelHandlerContext.java:305)",
            "java.lang.Thread.run(Thread.java:750)",
        ] {
            self.raw(&format!("\tat {frame}\n"))?;
        }
        self.raw("Caused by: java.net.SocketException: Connection reset by peer\n\t... 4 more\n")
    }

    fn failure(&mut self, stage: u64) -> io::Result<()> {
        let worker = "Traceback (most recent call last):\n  File \"/srv/jobs/enrich_orders.py\", line 88, in parse_age\n    return int(text)\nValueError: invalid literal for int() with base 10: 'unknown'\n";
        for attempt in 0..4 {
            let head = if attempt == 0 { "WARN" } else { "ERROR" };
            self.log(&format!("{head} TaskSetManager: Lost task 37.{attempt} in stage {stage}.0 (TID {attempt}) (dn7.example.com executor 7): org.apache.spark.api.python.PythonException: {worker}"))?;
            self.raw("\tat org.apache.spark.api.python.BasePythonRunner$ReaderIterator.handlePythonException(PythonRunner.scala:572)\n\tat java.lang.Thread.run(Thread.java:750)\n\n")?;
        }
        self.log(&format!(
            "ERROR TaskSetManager: Task 37 in stage {stage}.0 failed 4 times; aborting job"
        ))?;
        self.raw("Traceback (most recent call last):\n  File \"/srv/jobs/enrich_orders.py\", line 142, in <module>\n    main()\n  File \"/srv/jobs/enrich_orders.py\", line 131, in main\n    orders.write.parquet(out)\n")?;
        self.raw(&format!("pyspark.errors.exceptions.captured.PythonException: \n  An exception was thrown from the Python worker. Please see the stack trace below.\n{worker}\n"))?;
        self.log("INFO SparkContext: SparkContext is stopping with exitCode 0.")?;
        self.log("INFO SparkContext: Successfully stopped SparkContext")
    }
}
