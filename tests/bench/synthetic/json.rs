//! The log of a driver as JSON lines.

use super::writer::Writer;
use std::io;

fn log(out: &mut Writer, level: &str, logger: &str, message: &str, more: &str) -> io::Result<()> {
    let s = out.seconds();
    let (day, hour, minute) = (1 + s / 86_400 % 28, s / 3_600 % 24, s / 60 % 60);
    out.raw(&format!(
        "{{\"ts\":\"2025-05-{day:02}T{hour:02}:{minute:02}:{:02}.123Z\",\"level\":\"{level}\",\"msg\":\"{message}\"{more},\"logger\":\"{logger}\"}}\n",
        s % 60
    ))
}

pub(super) fn write(out: &mut Writer) -> io::Result<()> {
    log(
        out,
        "INFO",
        "SparkContext",
        "Running Spark version 4.1.0",
        "",
    )?;
    let mut tid = 0_u64;
    while out.has_room() {
        tid += 1;
        let (stage, executor, took) = (tid / 1_000, out.below(40), 200 + out.below(9_000));
        let context = format!(
            ",\"context\":{{\"executor_id\":\"{executor}\",\"host\":\"dn{executor}.example.com\",\"stage_id\":\"{stage}\",\"task_id\":\"{tid}\"}}"
        );
        log(
            out,
            "INFO",
            "TaskSetManager",
            &format!(
                "Starting task {tid}.0 in stage {stage}.0 (TID {tid}) (dn{executor}.example.com,executor {executor}, partition {tid}, PROCESS_LOCAL, 9113 bytes) "
            ),
            &context,
        )?;
        if out.below(4_000) == 0 {
            log(
                out,
                "WARN",
                "TaskSetManager",
                &format!(
                    "Lost task {tid}.0 in stage {stage}.0 (TID {tid}) (dn{executor}.example.com executor {executor}): java.io.IOException: Connection reset by peer\\n\\tat sun.nio.ch.SocketDispatcher.read0(SocketDispatcher.java:47)\\n\\tat java.lang.Thread.run(Thread.java:750)\\n"
                ),
                &context,
            )?;
        }
        log(
            out,
            "INFO",
            "TaskSetManager",
            &format!(
                "Finished task {tid}.0 in stage {stage}.0 (TID {tid}) in {took} ms on dn{executor}.example.com (executor {executor}) (1/9)"
            ),
            &context,
        )?;
    }
    let exception = ",\"exception\":{\"class\":\"java.lang.NumberFormatException\",\"msg\":\"For input string: \\\"unknown\\\"\",\"stacktrace\":[{\"class\":\"com.acme.orders.Enrich$\",\"method\":\"parseAge\",\"file\":\"Enrich.scala\",\"line\":88}]}";
    log(
        out,
        "ERROR",
        "Executor",
        "Exception in task 1.0 in stage 0.0 (TID 1)",
        exception,
    )?;
    log(
        out,
        "ERROR",
        "TaskSetManager",
        "Task 1 in stage 0.0 failed 4 times; aborting job",
        "",
    )
}
