//! The event log of an application: a start and an end of each task, with the accumulables and metrics that make up most
//! of such a log.

use super::writer::Writer;
use std::io;

const TASKS_OF_A_STAGE: u64 = 2_000;
const BEGAN: u64 = 1_741_659_017_233;

pub(super) fn write(out: &mut Writer) -> io::Result<()> {
    out.raw("{\"Event\":\"SparkListenerLogStart\",\"Spark Version\":\"3.5.1\"}\n")?;
    out.raw(&format!("{{\"Event\":\"SparkListenerApplicationStart\",\"App Name\":\"nightly_orders\",\"App ID\":\"application_1741564800123_0042\",\"Timestamp\":{BEGAN},\"User\":\"etl\"}}\n"))?;
    let mut tid = 0;
    let mut stage = 0;
    while out.has_room() {
        let info = format!(
            "{{\"Stage ID\":{stage},\"Stage Attempt ID\":0,\"Stage Name\":\"parquet at NativeMethodAccessorImpl.java:0\",\"Number of Tasks\":{TASKS_OF_A_STAGE},\"Parent IDs\":[],\"Submission Time\":{}}}",
            BEGAN + tid
        );
        out.raw(&format!("{{\"Event\":\"SparkListenerJobStart\",\"Job ID\":{stage},\"Submission Time\":{},\"Stage Infos\":[{info}],\"Stage IDs\":[{stage}],\"Properties\":{{}}}}\n", BEGAN + tid))?;
        out.raw(&format!("{{\"Event\":\"SparkListenerStageSubmitted\",\"Stage Info\":{info},\"Properties\":{{}}}}\n"))?;
        for index in 0..TASKS_OF_A_STAGE {
            if !out.has_room() {
                break;
            }
            task(out, stage, index, tid, SUCCESS)?;
            tid += 1;
        }
        if out.has_room() {
            let info = info.replace('}', &format!(",\"Completion Time\":{}}}", BEGAN + tid * 9));
            out.raw(&format!(
                "{{\"Event\":\"SparkListenerStageCompleted\",\"Stage Info\":{info}}}\n"
            ))?;
            out.raw(&format!("{{\"Event\":\"SparkListenerJobEnd\",\"Job ID\":{stage},\"Completion Time\":{},\"Job Result\":{{\"Result\":\"JobSucceeded\"}}}}\n", BEGAN + tid * 9))?;
            stage += 1;
        }
    }
    task(out, stage, TASKS_OF_A_STAGE, tid, FAILURE)?;
    let failure = "Job aborted due to stage failure: Task 7 failed 4 times, most recent failure: java.lang.NumberFormatException: For input string: \\\"unknown\\\"";
    out.raw(&format!("{{\"Event\":\"SparkListenerStageCompleted\",\"Stage Info\":{{\"Stage ID\":{stage},\"Stage Attempt ID\":0,\"Stage Name\":\"parquet at NativeMethodAccessorImpl.java:0\",\"Number of Tasks\":{TASKS_OF_A_STAGE},\"Completion Time\":{},\"Failure Reason\":\"{failure}\"}}}}\n", BEGAN + tid * 9))?;
    out.raw(&format!("{{\"Event\":\"SparkListenerJobEnd\",\"Job ID\":{stage},\"Completion Time\":{},\"Job Result\":{{\"Result\":\"JobFailed\",\"Exception\":{{\"Message\":\"{failure}\",\"Stack Trace\":[]}}}}}}\n", BEGAN + tid * 9))?;
    out.raw(&format!(
        "{{\"Event\":\"SparkListenerApplicationEnd\",\"Timestamp\":{}}}\n",
        BEGAN + tid * 9
    ))
}

const SUCCESS: &str = "{\"Reason\":\"Success\"}";
const FAILURE: &str = "{\"Reason\":\"ExceptionFailure\",\"Class Name\":\"java.lang.NumberFormatException\",\"Description\":\"For input string: \\\"unknown\\\"\",\"Stack Trace\":[],\"Full Stack Trace\":\"java.lang.NumberFormatException: For input string: \\\"unknown\\\"\\n\\tat com.acme.orders.Enrich$.parseAge(Enrich.scala:88)\\n\",\"Accumulator Updates\":[]}";

fn task(out: &mut Writer, stage: u64, index: u64, tid: u64, reason: &str) -> io::Result<()> {
    let (executor, took, sum) = (out.below(40), 200 + out.below(9_000), out.below(1 << 40));
    let started = BEGAN + tid * 3;
    let info = format!(
        "\"Task ID\":{tid},\"Index\":{index},\"Attempt\":0,\"Partition ID\":{index},\"Launch Time\":{started},\"Executor ID\":\"{executor}\",\"Host\":\"dn{executor}.example.com\",\"Locality\":\"NODE_LOCAL\",\"Speculative\":false,\"Getting Result Time\":0"
    );
    out.raw(&format!("{{\"Event\":\"SparkListenerTaskStart\",\"Stage ID\":{stage},\"Stage Attempt ID\":0,\"Task Info\":{{{info},\"Finish Time\":0,\"Failed\":false,\"Killed\":false,\"Accumulables\":[]}}}}\n"))?;
    let accumulables = format!(
        "{{\"ID\":100,\"Name\":\"duration\",\"Update\":{took},\"Value\":{sum},\"Internal\":false,\"Count Failed Values\":true,\"Metadata\":\"sql\"}},{{\"ID\":101,\"Name\":\"number of output rows\",\"Update\":{took},\"Value\":{sum},\"Internal\":false,\"Count Failed Values\":true,\"Metadata\":\"sql\"}},{{\"ID\":102,\"Name\":\"internal.metrics.shuffle.read.recordsRead\",\"Update\":{took},\"Value\":{sum},\"Internal\":true,\"Count Failed Values\":true}},{{\"ID\":103,\"Name\":\"internal.metrics.shuffle.read.fetchWaitTime\",\"Update\":{took},\"Value\":{sum},\"Internal\":true,\"Count Failed Values\":true}},{{\"ID\":104,\"Name\":\"internal.metrics.shuffle.read.localBytesRead\",\"Update\":{took},\"Value\":{sum},\"Internal\":true,\"Count Failed Values\":true}},{{\"ID\":105,\"Name\":\"internal.metrics.shuffle.read.remoteBytesRead\",\"Update\":{took},\"Value\":{sum},\"Internal\":true,\"Count Failed Values\":true}},{{\"ID\":106,\"Name\":\"internal.metrics.shuffle.read.localBlocksFetched\",\"Update\":{took},\"Value\":{sum},\"Internal\":true,\"Count Failed Values\":true}},{{\"ID\":107,\"Name\":\"internal.metrics.peakExecutionMemory\",\"Update\":{took},\"Value\":{sum},\"Internal\":true,\"Count Failed Values\":true}},{{\"ID\":108,\"Name\":\"internal.metrics.resultSize\",\"Update\":{took},\"Value\":{sum},\"Internal\":true,\"Count Failed Values\":true}},{{\"ID\":109,\"Name\":\"internal.metrics.jvmGCTime\",\"Update\":{took},\"Value\":{sum},\"Internal\":true,\"Count Failed Values\":true}},{{\"ID\":110,\"Name\":\"internal.metrics.executorCpuTime\",\"Update\":{took},\"Value\":{sum},\"Internal\":true,\"Count Failed Values\":true}},{{\"ID\":111,\"Name\":\"internal.metrics.executorRunTime\",\"Update\":{took},\"Value\":{sum},\"Internal\":true,\"Count Failed Values\":true}},{{\"ID\":112,\"Name\":\"internal.metrics.executorDeserializeCpuTime\",\"Update\":{took},\"Value\":{sum},\"Internal\":true,\"Count Failed Values\":true}},{{\"ID\":113,\"Name\":\"internal.metrics.executorDeserializeTime\",\"Update\":{took},\"Value\":{sum},\"Internal\":true,\"Count Failed Values\":true}},{{\"ID\":114,\"Name\":\"shuffle bytes written\",\"Update\":{took},\"Value\":{sum},\"Internal\":false,\"Count Failed Values\":true,\"Metadata\":\"sql\"}},{{\"ID\":115,\"Name\":\"shuffle write time\",\"Update\":{took},\"Value\":{sum},\"Internal\":false,\"Count Failed Values\":true,\"Metadata\":\"sql\"}},{{\"ID\":116,\"Name\":\"records read\",\"Update\":{took},\"Value\":{sum},\"Internal\":false,\"Count Failed Values\":true,\"Metadata\":\"sql\"}},{{\"ID\":117,\"Name\":\"local blocks read\",\"Update\":{took},\"Value\":{sum},\"Internal\":false,\"Count Failed Values\":true,\"Metadata\":\"sql\"}},{{\"ID\":118,\"Name\":\"fetch wait time\",\"Update\":{took},\"Value\":{sum},\"Internal\":false,\"Count Failed Values\":true,\"Metadata\":\"sql\"}},{{\"ID\":119,\"Name\":\"data size\",\"Update\":{took},\"Value\":{sum},\"Internal\":false,\"Count Failed Values\":true,\"Metadata\":\"sql\"}}"
    );
    out.raw(&format!("{{\"Event\":\"SparkListenerTaskEnd\",\"Stage ID\":{stage},\"Stage Attempt ID\":0,\"Task Type\":\"ShuffleMapTask\",\"Task End Reason\":{reason},\"Task Info\":{{{info},\"Finish Time\":{},\"Failed\":{},\"Killed\":false,\"Accumulables\":[{accumulables}]}},\"Task Executor Metrics\":{{\"JVMHeapMemory\":0,\"JVMOffHeapMemory\":0,\"OnHeapExecutionMemory\":0,\"OffHeapExecutionMemory\":0,\"OnHeapStorageMemory\":0,\"OffHeapStorageMemory\":0,\"OnHeapUnifiedMemory\":0,\"OffHeapUnifiedMemory\":0,\"DirectPoolMemory\":0,\"MappedPoolMemory\":0,\"ProcessTreeJVMVMemory\":0,\"ProcessTreeJVMRSSMemory\":0,\"ProcessTreePythonVMemory\":0,\"ProcessTreePythonRSSMemory\":0,\"ProcessTreeOtherVMemory\":0,\"ProcessTreeOtherRSSMemory\":0,\"MinorGCCount\":0,\"MinorGCTime\":0,\"MajorGCCount\":0,\"MajorGCTime\":0,\"TotalGCTime\":0}},", started + took, reason == FAILURE))?;
    out.raw(&format!("\"Task Metrics\":{{\"Executor Deserialize Time\":7,\"Executor Deserialize CPU Time\":7000000,\"Executor Run Time\":{took},\"Executor CPU Time\":{sum},\"Peak Execution Memory\":{sum},\"Result Size\":4213,\"JVM GC Time\":{},\"Result Serialization Time\":0,\"Memory Bytes Spilled\":0,\"Disk Bytes Spilled\":0,\"Shuffle Read Metrics\":{{\"Remote Blocks Fetched\":40,\"Local Blocks Fetched\":3,\"Fetch Wait Time\":11,\"Remote Bytes Read\":{sum},\"Remote Bytes Read To Disk\":0,\"Local Bytes Read\":{took},\"Total Records Read\":{took},\"Remote Requests Duration\":9,\"Push Based Shuffle\":{{\"Corrupt Merged Block Chunks\":0,\"Merged Fetch Fallback Count\":0,\"Merged Remote Blocks Fetched\":0,\"Merged Local Blocks Fetched\":0,\"Merged Remote Chunks Fetched\":0,\"Merged Local Chunks Fetched\":0,\"Merged Remote Bytes Read\":0,\"Merged Local Bytes Read\":0,\"Merged Remote Requests Duration\":0}}}},\"Shuffle Write Metrics\":{{\"Shuffle Bytes Written\":{sum},\"Shuffle Write Time\":12345678,\"Shuffle Records Written\":{took}}},\"Input Metrics\":{{\"Bytes Read\":{sum},\"Records Read\":{took}}},\"Output Metrics\":{{\"Bytes Written\":0,\"Records Written\":0}},\"Updated Blocks\":[]}}}}\n", took / 20))
}
