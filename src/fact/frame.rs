//! In: the printed form of one stack frame. Out: a [`Frame`] and the [`Owner`] of its code.

use crate::text::{Place, Symbol};

/// Whose code a frame runs: what decides whether it stands out or is folded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Owner {
    /// The code of the person who wrote the job.
    User,
    /// A library: neither the user's nor one of the following.
    Library,
    /// Spark's Scala, Java and Python code.
    Spark,
    /// The bridge between Python and the JVM.
    Py4j,
    /// Hadoop, its file systems and YARN.
    Hadoop,
    /// The Scala library.
    Scala,
    /// The Java runtime.
    Jvm,
    /// Python's standard library and interpreter.
    Python,
}

impl Owner {
    /// As it stands in a fold: `⋯ 40 Spark frames`.
    pub fn name(self) -> &'static str {
        match self {
            Self::User => "your",
            Self::Library => "library",
            Self::Spark => "Spark",
            Self::Py4j => "Py4J",
            Self::Hadoop => "Hadoop",
            Self::Scala => "Scala",
            Self::Jvm => "JVM",
            Self::Python => "Python",
        }
    }
}

/// One stack frame.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Frame {
    /// The JVM class or the Python module's file, as printed.
    pub class: Symbol,
    /// The method or function; empty where none is printed (`<module>` stays as printed).
    pub function: Symbol,
    /// The source file as printed; empty where unknown.
    pub file: Symbol,
    /// The 1-based line in that file.
    pub line: Option<u32>,
    /// The source line that Python prints under its frames.
    pub code: Option<Box<str>>,
    /// Whose code it is.
    pub owner: Owner,
    /// Where the frame is printed.
    pub place: Place,
}

impl Frame {
    /// Whether it is the same call, wherever each was printed.
    pub fn is_like(&self, other: &Self) -> bool {
        let of = |frame: &Self| (frame.line, frame.owner);
        of(self) == of(other)
            && (&self.class, &self.function, &self.file, &self.code)
                == (&other.class, &other.function, &other.file, &other.code)
    }

    /// Whether only a task calls this: it runs one, or takes an RDD's partition from where it is computed.
    pub fn runs_in_task(&self) -> bool {
        // What a task's thread runs, and what it asks for rows of a query: no driver does.
        const OF_TASKS: &[&str] = &[
            "org.apache.spark.scheduler.Task",
            "org.apache.spark.scheduler.ResultTask",
            "org.apache.spark.scheduler.ShuffleMapTask",
            "org.apache.spark.sql.execution.BufferedRowIterator",
            "org.apache.spark.sql.execution.datasources.FileScanRDD$$anon$1",
            "org.apache.spark.sql.execution.datasources.v2.DataWritingSparkTask$",
            "org.apache.spark.sql.execution.datasources.v2.WritingSparkTask",
        ];
        // What sorts, spills, aggregates and writes a task's rows, and what polls Kafka for them.
        const PREFIXES: &[&str] = &[
            "com.datastax.spark.connector.writer.TableWriter",
            "org.apache.hudi.common.util.queue.",
            "org.apache.spark.TaskContext$$anon$",
            "org.apache.spark.TaskContextImpl",
            "org.apache.spark.executor.Executor$TaskRunner",
            "org.apache.spark.shuffle.ShuffleWriteProcessor",
            "org.apache.spark.shuffle.sort.",
            "org.apache.spark.sql.catalyst.expressions.GeneratedClass$GeneratedIterator",
            "org.apache.spark.sql.catalyst.util.FailureSafeParser",
            "org.apache.spark.sql.execution.UnsafeKVExternalSorter",
            "org.apache.spark.sql.execution.aggregate.TungstenAggregationIterator",
            "org.apache.spark.sql.kafka010.CachedKafkaConsumer",
            "org.apache.spark.sql.kafka010.InternalKafkaConsumer",
            "org.apache.spark.sql.kafka010.KafkaDataConsumer",
            "org.apache.spark.streaming.kafka010.CachedKafkaConsumer",
            "org.apache.spark.streaming.kafka010.InternalKafkaConsumer",
            "org.apache.spark.util.collection.ExternalSorter",
            "org.apache.spark.util.collection.unsafe.sort.",
        ];
        const OF_PARTITIONS: &[&str] = &["iterator", "computeOrReadCheckpoint", "getOrCompute"];
        let class = &*self.class;
        OF_TASKS.contains(&class)
            || PREFIXES.iter().any(|prefix| class.starts_with(prefix))
            || class == "org.apache.spark.rdd.RDD" && OF_PARTITIONS.contains(&&*self.function)
            || class == "org.apache.spark.rdd.RDD" && of_a_partition(&self.function)
            || class.starts_with("org.apache.spark.rdd.RDD$$anonfun$")
                && class.contains("$$anonfun$apply$")
            || class.contains("RDD$$anon$")
                && matches!(&*self.function, "getNext" | "hasNext" | "next")
            || class.contains("BasePythonRunner$ReaderIterator")
            || class.ends_with("RDD") && &*self.function == "compute"
            || class.ends_with("JdbcUtils$") && &*self.function == "savePartition"
    }

    /// Whether a streaming query calls this.
    pub fn is_of_stream(&self) -> bool {
        ["MicroBatchExecution", "StreamExecution"]
            .iter()
            .any(|class| self.class.contains(class))
    }

    /// Whether Spark's SQL shell calls this.
    pub(super) fn is_of_sql_shell(&self) -> bool {
        self.class.ends_with("SparkSQLCLIDriver")
    }
}
/// Whether a function of `RDD` is what it does with the rows of a partition: the first of its name builds the RDD.
fn of_a_partition(function: &str) -> bool {
    ["map", "flatMap", "filter", "foreach"].iter().any(|name| {
        function
            .strip_prefix("$anonfun$")
            .and_then(|rest| rest.strip_prefix(name))
            .is_some_and(|rest| rest.contains("$2"))
    })
}
