//! Names of classes and methods by which the phase of a failure is known.
//!
//! In: nothing. Out: the lists that `placing` looks into.

/// Classes that the analyser, the parser and the planner raise before a task runs.
pub(super) const ANALYSIS_CLASSES: &[&str] = &[
    "AnalysisException",
    "ExtendedAnalysisException",
    "ParseException",
    "NoSuchTableException",
    "NoSuchDatabaseException",
    "NoSuchNamespaceException",
    "TableAlreadyExistsException",
    "TempTableAlreadyExistsException",
    "PySparkTypeError",
    "PySparkValueError",
    "PySparkAttributeError",
    "PandasNotImplementedError",
];

/// Frames of analysis and planning.
pub(super) const ANALYSIS_FRAMES: &[&str] = &[
    "org.apache.spark.sql.catalyst.analysis.",
    "org.apache.spark.sql.catalyst.parser.",
    "org.apache.spark.sql.execution.datasources.DataSource",
    "org.apache.spark.sql.catalyst.optimizer.",
    "org.apache.spark.sql.execution.SparkStrategies",
    "org.apache.spark.sql.DataFrameReader",
    "org.apache.spark.sql.classic.DataFrameReader",
    "org.apache.spark.sql.execution.datasources.jdbc.JDBCOptions",
    "org.apache.spark.sql.RelationalGroupedDataset",
    "org.apache.spark.sql.hive.",
    "org.apache.spark.sql.execution.datasources.jdbc.JDBCRelation",
    "org.apache.spark.sql.execution.datasources.jdbc.JdbcRelationProvider",
    "org.apache.hadoop.hive.metastore.",
    "org.apache.hadoop.hive.ql.metadata.",
    "org.apache.hadoop.hive.ql.session.SessionState",
];

/// Classes that a commit raises on the driver.
pub(super) const WRITE_CLASSES: &[&str] = &[
    "CommitFailedException",
    "CommitStateUnknownException",
    "ConcurrentAppendException",
    "ConcurrentDeleteDeleteException",
    "ConcurrentDeleteReadException",
    "ConcurrentTransactionException",
    "ConcurrentWriteException",
    "DeltaConcurrentModificationException",
    "MetadataChangedException",
    "ProtocolChangedException",
    "HoodieCommitException",
    "HoodieInsertException",
    "HoodieUpsertException",
    "HoodieWriteConflictException",
];

/// Frames of writers and of what commits for them.
pub(super) const WRITE_FRAMES: &[&str] = &[
    "org.apache.hudi.HoodieSparkSqlWriter",
    "org.apache.hudi.client.SparkRDDWriteClient",
    "org.apache.iceberg.SnapshotProducer",
    "org.apache.iceberg.spark.source.SparkWrite",
    "org.apache.hadoop.mapreduce.lib.output.FileOutputCommitter",
    "org.apache.spark.internal.io.HadoopMapReduceCommitProtocol",
    "com.google.cloud.spark.bigquery.BigQueryWriteHelper",
];

/// Who gives up a job that writes; what goes wrong below them may be any step of the query.
pub(super) const WRITERS: &[&str] = &[
    "org.apache.spark.internal.io.SparkHadoopWriter",
    "org.apache.spark.sql.execution.datasources.FileFormatWriter",
    "org.apache.spark.sql.execution.datasources.v2.V2TableWriteExec",
];

/// The class that puts the command of a run together, as classes and as class files are named.
pub(super) const LAUNCHER: [&str; 2] = [
    "org.apache.spark.launcher.Main",
    "org/apache/spark/launcher/Main",
];

/// Methods that bring a context or a session up.
pub(super) const STARTUP_FRAMES: &[&str] = &[
    "SparkContext.<init>",
    "JavaSparkContext.<init>",
    "SparkSession$Builder.getOrCreate",
    "SparkEnv$.create",
    "BlockManagerMasterEndpoint.<init>",
    "launch_gateway",
    "_launch_gateway",
    "SparkInterpreter.open",
    "SparkContext$.org$apache$spark$SparkContext$$createTaskScheduler",
    "SparkSQLEnv$.init",
    "HiveThriftServer2$.main",
    "ContextLauncher$ChildProcess$1.run",
    "DriverRunner.runDriver",
    "SparkSubmit.runMain",
    "SparkSubmitUtils$.resolveMavenCoordinates",
    "_ensure_initialized",
    "_initialize_context",
];
