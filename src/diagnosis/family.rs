//! In: nothing. Out: the [`Family`] list: every kind of fix that a rule may name.

/// A kind of fix. Several rules may share one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Family {
    /// Its word in rules and reports.
    pub name: &'static str,
    /// What is done about the fault, in a few words.
    pub meaning: &'static str,
}

impl Family {
    /// The family of that name.
    pub fn named(name: &str) -> Option<&'static Self> {
        FAMILIES.iter().find(|f| f.name == name)
    }
}

/// The word for "there is nothing to fix"; no rule names it.
pub const NOTHING: &str = "none";

const fn family(name: &'static str, meaning: &'static str) -> Family {
    Family { name, meaning }
}

/// All families, grouped by the kind of fault they mostly answer.
pub const FAMILIES: &[Family] = &[
    family("rename-column", "use the name of a column that exists"),
    family("qualify-column", "say which of several columns is meant"),
    family("fix-table-name", "name, create or refresh the table"),
    family("align-columns", "make number and order of columns agree"),
    family("align-types", "cast before the operation"),
    family("merge-schema", "merge, evolve or rewrite differing schemas"),
    family("fix-group-by", "group by the column or aggregate it"),
    family("drop-duplicate-column", "keep each column name once"),
    family("fix-declared-schema", "declare what the data is"),
    family("fix-view-shadowing", "rename or drop the view in the way"),
    family("use-try-cast", "let bad values become null, set them aside"),
    family(
        "guard-division",
        "divide only where the divisor is not zero",
    ),
    family("widen-type", "compute in a wider type"),
    family(
        "fix-datetime-pattern",
        "write the pattern for the new parser",
    ),
    family("tolerate-bad-records", "keep malformed records apart"),
    family("replace-corrupt-file", "make the damaged file again"),
    family("dedupe-keys", "make keys unique first"),
    family("fix-input-data", "mend the values at their source"),
    family("reset-offsets", "decide where the stream goes on"),
    family("add-connector-package", "add the data source's package"),
    family("add-jdbc-driver", "add the database's driver"),
    family("add-filesystem-package", "add the file system's package"),
    family("add-missing-jar", "ship the jar that holds the class"),
    family("align-jar-versions", "use libraries built for this Spark"),
    family("match-java-version", "run on the Java it was built for"),
    family("ship-python-module", "send the module along with the job"),
    family("install-python-package", "install or raise the package"),
    family("match-python-version", "one Python on both sides"),
    family(
        "make-serializable",
        "keep what cannot be sent out of closures",
    ),
    family("handle-skew", "spread the heavy key"),
    family("raise-executor-memory", "more heap for each task"),
    family("raise-memory-overhead", "more room outside the heap"),
    family("raise-driver-memory", "more heap for the driver"),
    family("reduce-collect", "bring less to the driver"),
    family("limit-broadcast", "do not broadcast that side"),
    family("free-disk", "more or cleaner local disks"),
    family("raise-open-files", "more handles or threads"),
    family("raise-kryo-buffer", "a larger serialiser buffer"),
    family("raise-size-limit", "smaller pieces or a higher limit"),
    family("cut-lineage", "checkpoint or split the plan"),
    family("raise-timeout", "find the stall, then allow more time"),
    family("find-executor-death", "find out why the executor died"),
    family("get-more-resources", "ask for what the cluster can give"),
    family("fix-sql-syntax", "mend the statement"),
    family("register-function", "name or register the function"),
    family("fix-function-arguments", "pass what the function takes"),
    family("restructure-query", "say it in a way Spark supports"),
    family("guard-udf-input", "handle those values in the function"),
    family("handle-null", "expect null there"),
    family("fix-udf-return", "return what was declared"),
    family("fix-user-code", "mend that line"),
    family(
        "use-spark-on-driver-only",
        "keep Spark objects out of tasks",
    ),
    family("keep-session-open", "one session, stopped once, at the end"),
    family("handle-external-errors", "expect the outer service to fail"),
    family("fix-path", "name a path that exists"),
    family("choose-write-mode", "say what to do with what is there"),
    family("grant-permission", "grant it, or act as who may"),
    family("renew-credentials", "new token, ticket or key"),
    family("refresh-files", "list the files again, stop the overwrite"),
    family("fix-endpoint", "reach the right host and port"),
    family("slow-down-requests", "ask the store less often"),
    family("resolve-write-conflict", "one writer at a time"),
    family("fix-metastore", "mend or reach the metastore"),
    family("reset-checkpoint", "a checkpoint that fits the query"),
    family("fix-service-query", "mend the statement for the database"),
    family("recreate-jvm-object", "make the object again"),
    family("fix-jvm-call", "call what exists in the JVM"),
    family("find-jvm-death", "find out why the JVM died"),
    family("fix-config-value", "set a value that is accepted"),
    family("set-at-startup", "set it before the session starts"),
    family("fix-jvm-options", "options this JVM accepts"),
    family("fix-java-home", "install Java or point at it"),
    family("fix-submit-arguments", "mend the submit command"),
    family("free-port", "free the port or use another"),
    family("set-driver-host", "let executors reach the driver"),
    family("install-winutils", "Hadoop's helper for Windows"),
    family("enable-pandas-option", "set the pandas-on-Spark option"),
    family("tolerate-node-loss", "survive the loss of nodes"),
    family("fix-image", "mend the container image"),
    family("upgrade-native-library", "another version of native code"),
    family("read-other-log", "open the log that holds the cause"),
    family("fix-stuck-query", "find what does not move"),
    family(NOTHING, "nothing to fix"),
];
