//! In: a failure. Out: where it happened: which [`Side`] raised it, in which [`Phase`] of the run.

use super::cause::Side;
use super::effect;
use super::failure::Failure;
use super::incident::Phase;
use super::phase_names::{
    ANALYSIS_CLASSES, ANALYSIS_FRAMES, LAUNCHER, STARTUP_FRAMES, WRITE_CLASSES, WRITE_FRAMES,
    WRITERS,
};
use crate::fact::{Language, Owner, Relation, Stand, Throwable};
use crate::record::Level;

/// Whether it stands in the banner that a JVM prints when it crashes.
fn of_jvm(message: &str) -> bool {
    message.trim_start().starts_with('#') || message.contains("Java Runtime Environment")
}

/// Who raised it.
pub(super) fn side(failure: &Failure) -> Side {
    let root = failure.root();
    if let Some(said) = failure.said {
        return match said.stand {
            Stand::Cluster | Stand::Launch | Stand::Service => Side::Cluster,
            Stand::Program => Side::PythonDriver,
            Stand::Statement => Side::JvmDriver,
            Stand::Native if failure.in_task => Side::JvmExecutor,
            Stand::Native if of_jvm(&root.message) => Side::JvmDriver,
            Stand::Native => Side::PythonWorker,
        };
    }
    if root.language == Language::Jvm && root.message.contains("Python worker") {
        return Side::PythonWorker;
    }
    match root.language {
        Language::Python if in_worker(failure) => Side::PythonWorker,
        Language::Python if effect::is_unanswered_connect(root) => Side::PythonDriver,
        // PySpark raises again what the JVM raised.
        Language::Python if captured(root) => {
            if failure.in_task {
                Side::JvmExecutor
            } else {
                Side::JvmDriver
            }
        }
        Language::Python if of_the_jvm(root) => Side::JvmDriver,
        // Airflow waits for a job from outside; its Python is not the driver's.
        Language::Python if root.short_class() == "AirflowException" => Side::Cluster,
        Language::Python => Side::PythonDriver,
        Language::Jvm if root.short_class() == "ExecutorLostFailure" => Side::Cluster,
        // What launches containers runs programs, and Hadoop's own file systems do, within a task.
        Language::Jvm if root.short_class() == "ExitCodeException" && !failure.in_task => {
            Side::Cluster
        }
        Language::Jvm if root.short_class() == "MetadataFetchFailedException" => Side::JvmExecutor,
        Language::Jvm if failure.in_task && !only_the_scheduler(failure) => Side::JvmExecutor,
        Language::Jvm if starts_an_executor(&failure.chain) => Side::JvmExecutor,
        Language::Jvm if launches(&failure.chain) => Side::Cluster,
        Language::Jvm => Side::JvmDriver,
    }
}

/// When it happened.
pub(super) fn phase(failure: &Failure, side: Side) -> Phase {
    if failure.while_stopping && failure.last_word.is_none() {
        return Phase::Shutdown;
    }
    if failure.streaming
        || failure
            .root()
            .message
            .contains("your streaming query to fail")
    {
        return Phase::Streaming;
    }
    match failure.said.map(|said| said.stand) {
        Some(Stand::Launch) => return Phase::Startup,
        Some(Stand::Statement) => return Phase::Analysis,
        // The status of an application master whose driver never made a context.
        Some(Stand::Cluster) if crate::fact::exit_code(&failure.root().message) == Some(13) => {
            return Phase::Startup;
        }
        _ => {}
    }
    if !failure.in_task && is_at_startup(failure) {
        return Phase::Startup;
    }
    if !failure.in_task && plans_in_a_worker(failure) {
        return Phase::Analysis;
    }
    if failure.in_task || matches!(side, Side::PythonWorker | Side::JvmExecutor) {
        return Phase::Execution;
    }
    let frames = || failure.chain.iter().flat_map(|t| &t.frames);
    let commits = failure
        .chain
        .iter()
        .any(|t| WRITE_CLASSES.contains(&t.short_class()))
        || frames().any(|f| WRITE_FRAMES.iter().any(|p| f.class.starts_with(p)));
    if commits || gives_up_a_write(failure.root()) {
        return Phase::Write;
    }
    let root = failure.root();
    let raised_by_spark = root
        .frames
        .first()
        .is_some_and(|f| f.owner != Owner::User && f.file.contains("pyspark"));
    let calls_the_jvm =
        failure.chain.iter().any(|t| {
            t.language == Language::Python && t.frames.iter().any(|f| f.owner == Owner::Py4j)
        }) || captured(root);
    let looks_at_columns = looks_at_columns(failure);
    let trains = failure
        .logger
        .as_deref()
        .is_some_and(|logger| logger.ends_with("Instrumentation"));
    if trains && !looks_at_columns {
        return Phase::Execution;
    }
    let analysis = failure
        .chain
        .iter()
        .any(|t| ANALYSIS_CLASSES.contains(&t.short_class()) && !is_of_another_parser(t))
        || frames().any(|f| ANALYSIS_FRAMES.iter().any(|p| f.class.starts_with(p)))
        || looks_at_columns
        || !calls_past_pyspark(failure)
            && (captured(root)
                || (calls_the_jvm || raised_by_spark)
                    && !runs_an_action(failure)
                    && !of_an_rdd(root));
    // Where the bridge itself broke, the run was past its planning, whatever was asked last.
    let bridge_broke = failure
        .chain
        .iter()
        .any(|t| t.short_class() == "Py4JNetworkError")
        || effect::is_unanswered_call(root);
    if bridge_broke || frames().any(|f| &*f.function == "signal_handler") {
        return Phase::Execution;
    }
    if analysis
        && !failure
            .chain
            .iter()
            .any(|t| t.message.starts_with("Job aborted"))
    {
        return Phase::Analysis;
    }
    if frames().any(|f| f.class.starts_with("org.apache.spark.deploy.SparkSubmit"))
        && !frames().any(|f| f.owner == Owner::User)
    {
        return Phase::Startup;
    }
    Phase::Execution
}

/// Whether it was thrown before there was a context: by what launches the run, or makes the context.
fn is_at_startup(failure: &Failure) -> bool {
    let frames = || failure.chain.iter().flat_map(|t| &t.frames);
    let starting = frames().any(|f| {
        STARTUP_FRAMES.iter().any(|s| match s.rsplit_once('.') {
            Some((class, function)) => f.class.ends_with(class) && &*f.function == function,
            None => &*f.function == *s,
        })
    });
    let connects = frames().any(|f| {
        &*f.function == "getOrCreate" && f.file.ends_with("pyspark/sql/connect/session.py")
    });
    let registers = frames().any(|f| {
        f.class
            .starts_with("org.apache.spark.deploy.client.StandaloneAppClient")
    });
    // The one exception that a context logs is that of its own beginning.
    let beginning = failure
        .logger
        .as_deref()
        .is_some_and(|logger| logger.ends_with("SparkContext"))
        && failure.level >= Some(Level::Error);
    let unresolved = || {
        failure.root().message.contains("unresolved dependency: ")
            // The first class of a starting context that reaches into Java's own modules.
            || failure.root().message.starts_with("class org.apache.spark.storage.StorageUtils$ ")
            || failure.chain.iter().any(|t| {
                t.message
                    .ends_with("calling None.org.apache.spark.api.java.JavaSparkContext.")
            })
    };
    // Where a context on Kubernetes looks for its own driver's pod, and where sparklyr waits for its gateway.
    let text = &failure.root().text;
    let before_spark = launches(&failure.chain)
        || text.contains("failed to run spark-submit")
        || text.contains("Operation: [get]  for kind: [Pod]")
        || text.contains("Failed during initialize_connection")
        || LAUNCHER.iter().any(|name| text.contains(name))
        || failure
            .root()
            .message
            .contains("Java gateway process exited");
    starting || connects || registers || beginning || before_spark || unresolved()
}

/// Whether an estimator looks at the columns, which it does first; what it does then runs jobs.
fn looks_at_columns(failure: &Failure) -> bool {
    failure.chain.iter().flat_map(|t| &t.frames).any(|f| {
        f.class.starts_with("org.apache.spark.ml.")
            && (f.function.contains("Schema") || f.class.contains("SchemaUtils"))
    }) || failure
        .root()
        .message
        .starts_with("requirement failed: Column ")
}

/// Whether a script, or a module of it, ends at an import of its own: those stand above all else.
pub(super) fn fails_to_import(failure: &Failure) -> bool {
    let root = failure.root();
    let imports = |code: &str| code.starts_with("import ") || code.starts_with("from ");
    matches!(root.short_class(), "ModuleNotFoundError" | "ImportError")
        && root.frames.iter().any(|f| {
            f.owner == Owner::User
                && &*f.function == "<module>"
                && f.code.as_deref().is_some_and(imports)
        })
}

/// A class that PySpark raises for what the JVM raised; notebooks print it without its module.
fn captured(throwable: &Throwable) -> bool {
    const NAMES: &[&str] = &[
        "AnalysisException",
        "ParseException",
        "QueryExecutionException",
        "StreamingQueryException",
        "IllegalArgumentException",
        "NumberFormatException",
        "ArithmeticException",
        "DateTimeException",
        "ArrayIndexOutOfBoundsException",
        "SparkRuntimeException",
        "SparkUpgradeException",
        "UnsupportedOperationException",
    ];
    if throwable.language == Language::Python && NAMES.contains(&&*throwable.class) {
        return true;
    }
    throwable
        .class
        .starts_with("pyspark.errors.exceptions.captured.")
        || throwable
            .class
            .starts_with("pyspark.errors.exceptions.connect.")
        || throwable.class.starts_with("pyspark.sql.utils.")
}

/// A Java class as a notebook prints it, without its package and without a traceback: Python's own end in `Error`.
fn of_the_jvm(root: &Throwable) -> bool {
    const OF_PYTHON: &[&str] = &["Exception", "PythonException", "AirflowException"];
    root.frames.is_empty()
        && !root.class.contains('.')
        && root.class.ends_with("Exception")
        && !OF_PYTHON.contains(&&*root.class)
}

/// Whether an executor threw while it started: no task of its ran.
fn starts_an_executor(chain: &[Throwable]) -> bool {
    chain.iter().flat_map(|t| &t.frames).any(|f| {
        f.class
            .starts_with("org.apache.spark.executor.CoarseGrainedExecutorBackend")
            || f.class
                .starts_with("org.apache.spark.internal.plugin.ExecutorPluginContainer")
            || f.class
                .starts_with("com.nvidia.spark.rapids.RapidsExecutorPlugin")
            || f.class
                .starts_with("com.nvidia.spark.rapids.GpuDeviceManager")
            || &*f.class == "org.apache.spark.executor.Executor" && &*f.function == "<init>"
    })
}

/// Whether what threw submits applications or starts a notebook's interpreter: Spark itself is not up.
fn launches(chain: &[Throwable]) -> bool {
    const SUBMITTERS: &[&str] = &[
        "org.apache.spark.deploy.k8s.submit.",
        "org.apache.spark.deploy.kubernetes.Client",
        "org.apache.spark.deploy.yarn.Client",
        "org.apache.spark.deploy.rest.RestSubmissionClient",
        // EMR's own.
        "aws157.instancecontroller.",
    ];
    const NOTEBOOKS: &[&str] = &[
        "org.apache.zeppelin.",
        "org.apache.livy.",
        "org.apache.kyuubi.engine.",
        "org.apache.kyuubi.operation.LaunchEngine",
        "org.apache.kyuubi.session.",
        "org.apache.toree.",
    ];
    // What a client of Livy's says of a session that did not come up, and a service of what it installs before.
    let no_session = |t: &Throwable| {
        [
            "SessionNotStart",
            "ibrary installation failed",
            " engine with /",
        ]
        .iter()
        .any(|words| t.message.contains(words))
            || t.text.contains("ibrary installation attempted")
    };
    if chain
        .iter()
        .any(|t| no_session(t) || t.short_class() == "SessionNotStartException")
    {
        return true;
    }
    let frames = || chain.iter().flat_map(|t| &t.frames);
    let any = |prefixes: &[&str]| frames().any(|f| prefixes.iter().any(|p| f.class.starts_with(p)));
    let up = || frames().any(|f| f.owner == Owner::Spark || f.owner == Owner::User);
    let context = || frames().any(|f| f.class.starts_with("org.apache.spark.SparkContext"));
    any(SUBMITTERS) && !context() || any(NOTEBOOKS) && !up()
}

fn in_worker(failure: &Failure) -> bool {
    failure.chain[..=failure.root]
        .iter()
        .any(|t| t.relation == Relation::Worker && !proxy(&failure.chain))
        || failure.root().frames.iter().any(|f| {
            let wraps = matches!(&*f.function, "func" | "pipeline_func");
            f.file.ends_with("pyspark/worker.py") || wraps && f.file.ends_with("/rdd.py")
        })
}

/// Whether the JVM called back into the driver's Python: `foreachBatch` and listeners.
fn proxy(chain: &[Throwable]) -> bool {
    chain.iter().any(|t| {
        t.message.contains("raised by the Python Proxy")
            || t.short_class() == "ForeachBatchUserFuncException"
    })
}

/// Whether the scheduler itself raised it for its tasks: too large results, too many failures.
fn only_the_scheduler(failure: &Failure) -> bool {
    let root = failure.root();
    root.own_message()
        .starts_with("Job aborted due to stage failure: Total size")
}

/// Whether a writer itself raised it.
fn gives_up_a_write(root: &Throwable) -> bool {
    root.frames
        .iter()
        .find(|f| !f.class.starts_with("org.apache.spark.sql.errors."))
        .is_some_and(|f| WRITERS.iter().any(|w| f.class.starts_with(w)))
}

/// Whether a method of an RDD raised it: nothing of that is analysed.
fn of_an_rdd(root: &Throwable) -> bool {
    root.frames.first().is_some_and(|f| {
        f.file.ends_with("pyspark/rdd.py") || f.file.ends_with("pyspark/core/rdd.py")
    })
}

/// Whether Spark asked a worker's Python while it planned, and says so: what a table function returns, what a data source reads.
fn plans_in_a_worker(failure: &Failure) -> bool {
    failure.chain[..failure.root].iter().any(|t| {
        matches!(
            t.short_class(),
            "AnalysisException" | "ExtendedAnalysisException"
        )
    })
}

/// Whether the user's own line called the bridge, and no method of PySpark that plans anything.
fn calls_past_pyspark(failure: &Failure) -> bool {
    failure.chain.iter().any(|t| {
        let own = t.frames.iter().position(|f| f.owner == Owner::User);
        let called = own.and_then(|own| t.frames.get(own.checked_sub(1)?));
        t.language == Language::Python && called.is_some_and(|f| f.owner == Owner::Py4j)
    })
}

/// Whether the driver's traceback goes through an action, which runs tasks.
fn runs_an_action(failure: &Failure) -> bool {
    const ACTIONS: &[&str] = &[
        "collect",
        "show",
        "count",
        "first",
        "take",
        "head",
        "toPandas",
        "toLocalIterator",
        "foreach",
        "foreachPartition",
        "save",
        "saveAsTable",
        "insertInto",
        "_show_string",
        "isEmpty",
        "reduce",
        "sum",
        "awaitTermination",
        "runJob",
        "fit",
        "to_pandas",
        "checkpoint",
        "cache",
    ];
    let frames = || failure.chain.iter().flat_map(|t| &t.frames);
    frames().any(|f| {
        f.file.contains("pyspark") && ACTIONS.contains(&&*f.function)
            || f.code
                .as_deref()
                .is_some_and(|code| code.contains(".write"))
    })
}

/// Whether it is what a reader of files says of one that it cannot parse, by the name that Spark's parser of SQL has for its own.
fn is_of_another_parser(throwable: &Throwable) -> bool {
    let class = &throwable.class;
    throwable.short_class() == "ParseException"
        && class.contains('.')
        && !["org.apache.spark.", "pyspark."]
            .iter()
            .any(|of| class.starts_with(of))
}
