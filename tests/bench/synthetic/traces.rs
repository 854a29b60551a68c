//! Logs that are stack traces from end to end: of many failures, or of one that never ends.

use super::writer::Writer;
use std::io;

/// Places of a stack: class and method, file.
const FRAMES: [(&str, &str); 12] = [
    (
        "org.apache.spark.sql.execution.WholeStageCodegenExec$$anon$1.hasNext",
        "WholeStageCodegenExec.scala",
    ),
    (
        "org.apache.spark.sql.catalyst.expressions.GeneratedClass$GeneratedIteratorForCodegenStage2.processNext",
        "Unknown Source",
    ),
    ("com.acme.orders.Enrich$.parseAge", "Enrich.scala"),
    ("com.acme.orders.Enrich$.$anonfun$main$3", "Enrich.scala"),
    ("scala.collection.Iterator$$anon$10.next", "Iterator.scala"),
    (
        "org.apache.spark.shuffle.sort.UnsafeShuffleWriter.write",
        "UnsafeShuffleWriter.java",
    ),
    (
        "org.apache.spark.scheduler.ShuffleMapTask.runTask",
        "ShuffleMapTask.scala",
    ),
    (
        "org.apache.spark.executor.Executor$TaskRunner.$anonfun$run$4",
        "Executor.scala",
    ),
    (
        "org.apache.spark.util.Utils$.tryWithSafeFinally",
        "Utils.scala",
    ),
    (
        "org.apache.hadoop.hdfs.DFSInputStream.readWithStrategy",
        "DFSInputStream.java",
    ),
    (
        "io.netty.channel.AbstractChannelHandlerContext.invokeChannelRead",
        "AbstractChannelHandlerContext.java",
    ),
    (
        "java.util.concurrent.ThreadPoolExecutor$Worker.run",
        "ThreadPoolExecutor.java",
    ),
];

const CAUSES: [&str; 4] = [
    "java.lang.NumberFormatException: For input string: \"unknown\"",
    "java.io.IOException: Filesystem closed",
    "java.lang.IllegalStateException: the rates are closed",
    "java.net.SocketTimeoutException: 60000 millis timeout while waiting for channel to be ready for read",
];

fn stack(out: &mut Writer, deep: u64) -> io::Result<()> {
    for at in 0..deep {
        let frame = if at < 3 { out.below(12) } else { at % 12 };
        let (method, file) = FRAMES[usize::try_from(frame).unwrap_or(0)];
        if file == "Unknown Source" {
            out.raw(&format!("\tat {method}({file})\n"))?;
        } else {
            out.raw(&format!("\tat {method}({file}:{})\n", 40 + frame * 17))?;
        }
    }
    Ok(())
}

/// A task that fails, then the next, to the end.
pub(super) fn write(out: &mut Writer) -> io::Result<()> {
    out.log("INFO SparkContext: Running Spark version 3.5.1")?;
    let mut tid = 0_u64;
    while out.has_room() {
        tid += 1;
        let (stage, executor) = (tid / 5_000, out.below(40));
        let cause = CAUSES[usize::try_from(out.below(4)).unwrap_or(0)];
        out.log(&format!(
            "ERROR Executor: Exception in task {tid}.0 in stage {stage}.0 (TID {tid})"
        ))?;
        out.raw(&format!("org.apache.spark.SparkException: [TASK_WRITE_FAILED] Task failed while writing rows to hdfs://nn/out/part-{tid:06} on executor {executor}.\n"))?;
        stack(out, 30)?;
        out.raw(&format!("Caused by: {cause}\n"))?;
        stack(out, 12)?;
        out.raw("\t... 27 more\n")?;
    }
    out.log("ERROR TaskSetManager: Task 1 in stage 0.0 failed 4 times; aborting job")
}

/// One exception with ever more causes.
pub(super) fn write_giant(out: &mut Writer) -> io::Result<()> {
    out.raw("Exception in thread \"main\" org.apache.spark.SparkException: Job aborted.\n")?;
    while out.has_room() {
        stack(out, 2_000)?;
        let cause = CAUSES[usize::try_from(out.below(4)).unwrap_or(0)];
        out.raw(&format!("Caused by: {cause}\n"))?;
    }
    Ok(())
}
