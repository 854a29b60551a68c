//! The log of a driver: the chatter of a long run, now and then a task that is lost and tried again, and a failure at
//! the end that no earlier line shows.

use super::writer::Writer;
use std::io;

pub(super) fn write(out: &mut Writer) -> io::Result<()> {
    out.log("INFO SparkContext: Running Spark version 3.5.1")?;
    out.log("INFO SparkContext: Submitted application: nightly_orders")?;
    out.log(
        "INFO Client: Submitting application application_1710000000000_0042 to ResourceManager",
    )?;
    let mut run = Run { out, tid: 0 };
    let mut number = 0;
    while run.out.has_room() {
        run.stage(number)?;
        number += 1;
    }
    run.failure(number)
}

struct Run<'w> {
    out: &'w mut Writer,
    tid: u64,
}

impl Run<'_> {
    fn stage(&mut self, stage: u64) -> io::Result<()> {
        let tasks = 200 + self.out.below(1_800);
        self.out.log(&format!("INFO DAGScheduler: Got job {stage} (parquet at NativeMethodAccessorImpl.java:0) with {tasks} output partitions"))?;
        self.out.log(&format!("INFO DAGScheduler: Submitting {tasks} missing tasks from ResultStage {stage} (MapPartitionsRDD[{stage}] at parquet at NativeMethodAccessorImpl.java:0) (first 15 tasks are for partitions Vector(0, 1, 2))"))?;
        self.out.log(&format!("INFO TaskSchedulerImpl: Adding task set {stage}.0 with {tasks} tasks resource profile 0"))?;
        for task in 0..tasks {
            if !self.out.has_room() {
                return Ok(());
            }
            self.tid += 1;
            let (tid, executor, took) = (self.tid, self.out.below(40), 200 + self.out.below(9_000));
            self.out.log(&format!("INFO TaskSetManager: Starting task {task}.0 in stage {stage}.0 (TID {tid}) (dn{executor}.example.com, executor {executor}, partition {task}, NODE_LOCAL, 9113 bytes) "))?;
            let free = self.out.below(900);
            self.out.log(&format!("INFO BlockManagerInfo: Added broadcast_{stage}_piece0 in memory on dn{executor}.example.com:45454 (size: 34.1 KiB, free: {free}.2 MiB)"))?;
            if self.out.below(4_000) == 0 {
                self.lost(stage, task, tid, executor)?;
            }
            self.out.log(&format!("INFO TaskSetManager: Finished task {task}.0 in stage {stage}.0 (TID {tid}) in {took} ms on dn{executor}.example.com (executor {executor}) ({}/{tasks})", task + 1))?;
            if self.out.below(20) == 0 {
                self.out
                    .log(&format!("INFO ContextCleaner: Cleaned accumulator {tid}"))?;
            }
        }
        self.out.log(&format!("INFO DAGScheduler: ResultStage {stage} (parquet at NativeMethodAccessorImpl.java:0) finished in 12.345 s"))?;
        self.out.log(&format!("INFO DAGScheduler: Job {stage} finished: parquet at NativeMethodAccessorImpl.java:0, took 12.5 s"))
    }

    fn lost(&mut self, stage: u64, task: u64, tid: u64, executor: u64) -> io::Result<()> {
        self.out.log(&format!("WARN TaskSetManager: Lost task {task}.0 in stage {stage}.0 (TID {tid}) (dn{executor}.example.com executor {executor}): java.io.IOException: Connection from dn3.example.com/10.0.0.3:7337 closed"))?;
        for frame in [
            "org.apache.spark.network.client.TransportResponseHandler.channelInactive(TransportResponseHandler.java:147)",
            "org.apache.spark.network.server.TransportChannelHandler.channelInactive(TransportChannelHandler.java:117)",
            "io.netty.channel.AbstractChannelHandlerContext.invokeChannelInactive(AbstractChannelHandlerContext.java:305)",
            "java.lang.Thread.run(Thread.java:750)",
        ] {
            self.out.raw(&format!("\tat {frame}\n"))?;
        }
        self.out
            .raw("Caused by: java.net.SocketException: Connection reset by peer\n\t... 4 more\n")
    }

    fn failure(&mut self, stage: u64) -> io::Result<()> {
        let worker = "Traceback (most recent call last):\n  File \"/srv/jobs/enrich_orders.py\", line 88, in parse_age\n    return int(text)\nValueError: invalid literal for int() with base 10: 'unknown'\n";
        for attempt in 0..4 {
            let head = if attempt == 0 { "WARN" } else { "ERROR" };
            self.out.log(&format!("{head} TaskSetManager: Lost task 37.{attempt} in stage {stage}.0 (TID {attempt}) (dn7.example.com executor 7): org.apache.spark.api.python.PythonException: {worker}"))?;
            self.out.raw("\tat org.apache.spark.api.python.BasePythonRunner$ReaderIterator.handlePythonException(PythonRunner.scala:572)\n\tat java.lang.Thread.run(Thread.java:750)\n\n")?;
        }
        self.out.log(&format!(
            "ERROR TaskSetManager: Task 37 in stage {stage}.0 failed 4 times; aborting job"
        ))?;
        self.out.raw("Traceback (most recent call last):\n  File \"/srv/jobs/enrich_orders.py\", line 142, in <module>\n    main()\n  File \"/srv/jobs/enrich_orders.py\", line 131, in main\n    orders.write.parquet(out)\n")?;
        self.out.raw(&format!("pyspark.errors.exceptions.captured.PythonException: \n  An exception was thrown from the Python worker. Please see the stack trace below.\n{worker}\n"))?;
        self.out
            .log("INFO SparkContext: SparkContext is stopping with exitCode 0.")?;
        self.out
            .log("INFO SparkContext: Successfully stopped SparkContext")
    }
}
