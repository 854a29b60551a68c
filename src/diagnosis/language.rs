//! In: an incident. Out: the [`Language`] the job is written in, where its trace tells, so that advice comes in it.

use crate::fact::{Frame, Owner};
use crate::incident::{Cause, Incident, Story};

/// What the person writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Language {
    Python,
    /// Scala or Java.
    Scala,
    /// Statements at the prompt of a shell, or sent to the Thrift server.
    Sql,
    /// C# or F#.
    Dotnet,
}

impl Language {
    /// Python where any line or class of it is in the trace, .NET likewise; Scala where the person's own frames are the JVM's;
    /// SQL where the trace goes through who takes nothing else, or its shell printed the error.
    pub(super) fn of(incident: &Incident, story: &Story) -> Option<Self> {
        let chain = &incident.chain;
        let frames = || chain.iter().flat_map(|cause| &cause.frames);
        let is_python = |frame: &Frame| frame.file.ends_with(".py") || frame.file.starts_with('<');
        let of_python = |class: &str| class.starts_with("pyspark.") || class.starts_with("py4j.");
        let own = [&incident.user_frame, &incident.action_frame];
        let mut own = own.into_iter().flatten();
        if frames().any(is_python)
            || own.clone().any(is_python)
            || chain.iter().any(|cause| of_python(&cause.class))
        {
            return Some(Self::Python);
        }
        let of_dotnet = |frame: &Frame| {
            frame.file.ends_with(".cs")
                || frame.file.ends_with(".fs")
                || frame.class.starts_with("Microsoft.Spark.")
        };
        if frames().any(of_dotnet) || own.clone().any(of_dotnet) {
            return Some(Self::Dotnet);
        }
        let of_jvm = |frame: &Frame| {
            let kind = frame.file.rsplit_once('.').map(|(_, kind)| kind);
            frame.owner == Owner::User && matches!(kind, Some("scala" | "java" | "kt"))
        };
        if own.any(of_jvm) || frames().any(of_jvm) {
            return Some(Self::Scala);
        }
        let takes_sql = |frame: &Frame| {
            frame
                .class
                .starts_with("org.apache.spark.sql.hive.thriftserver.")
        };
        // The shell names its application so, and prints a statement's error without its class, below the statement. Alone it may
        // as well be the message of an exception, pasted without its class.
        let app = story.spark.app_name.as_deref();
        let of_shell = app.is_some_and(|name| name.starts_with("SparkSQL::"));
        let by_shell = |cause: &Cause| {
            cause.text.starts_with("Error in query: ")
                || (cause.class.is_empty() && cause.text.starts_with('[') && cause.place.line > 1)
        };
        let takes_sql =
            of_shell || frames().any(takes_sql) || (chain.len() == 1 && chain.iter().any(by_shell));
        takes_sql.then_some(Self::Sql)
    }

    /// The key of a step's code in this language.
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Python => "python",
            Self::Scala => "scala",
            Self::Sql => "sql",
            Self::Dotnet => "csharp",
        }
    }

    /// Whether what others write is of no use: there is no place where it could be pasted.
    pub(super) fn is_apart(self) -> bool {
        matches!(self, Self::Sql | Self::Dotnet)
    }

    /// A piece of Python in this language, where it says the same there.
    pub(super) fn translated(self, python: &str) -> Option<String> {
        match self {
            Self::Python => None,
            Self::Scala => reads_as_scala(python).then(|| python.to_owned()),
            Self::Sql => as_sql(python),
            Self::Dotnet => by_line(python, |line| {
                let (key, value) = setting(line)?;
                Some(format!("spark.Conf().Set(\"{key}\", \"{value}\");"))
            }),
        }
    }

    /// Whether code in `lang` is for people who write another language; SQL is for all.
    pub(super) fn is_foreign(self, lang: &str) -> bool {
        matches!(lang, "python" | "scala") && lang != self.word()
    }
}

/// Whether a piece of Python reads the same in Scala: calls on one line each, with texts and numbers as arguments.
fn reads_as_scala(code: &str) -> bool {
    const SAME: [&str; 3] = ["spark.conf.set(\"", "df.explain(", "df.printSchema()"];
    code.lines().all(|line| {
        SAME.iter().any(|call| line.starts_with(call)) && line.ends_with(')') && !line.contains('#')
    })
}

/// A piece of Python that only sets what a session can be told, or looks at a table, as statements.
fn as_sql(code: &str) -> Option<String> {
    by_line(code, |line| {
        if let Some((key, value)) = setting(line) {
            return Some(format!("SET {key} = {value};"));
        }
        let table = line.strip_prefix("df = ").unwrap_or(line);
        let table = table.strip_prefix("spark.table(\"")?;
        let schema = table.strip_suffix("\").printSchema()");
        let rows = table.strip_suffix("\")");
        let schema = schema.map(|table| format!("DESCRIBE TABLE {table};"));
        schema.or_else(|| rows.map(|table| format!("SELECT * FROM {table};")))
    })
}

/// What a line of Python sets in the session.
fn setting(line: &str) -> Option<(&str, &str)> {
    let set = line
        .strip_prefix("spark.conf.set(\"")?
        .strip_suffix("\")")?;
    let (key, value) = set.split_once("\", \"")?;
    (!value.contains('"')).then_some((key, value))
}

/// Each line in other words; `None` where one has none.
fn by_line(code: &str, say: impl Fn(&str) -> Option<String>) -> Option<String> {
    let lines: Option<Vec<String>> = code.lines().map(say).collect();
    Some(lines?.join("\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_sets_a_session_is_a_statement_too() {
        assert_eq!(
            as_sql("spark.conf.set(\"spark.sql.ansi.enabled\", \"false\")").as_deref(),
            Some("SET spark.sql.ansi.enabled = false;")
        );
        assert_eq!(
            as_sql("spark.table(\"tides\").printSchema()").as_deref(),
            Some("DESCRIBE TABLE tides;")
        );
        assert_eq!(
            as_sql("df = spark.table(\"dw.tides\")").as_deref(),
            Some("SELECT * FROM dw.tides;")
        );
        assert_eq!(as_sql("df.show()"), None);
        let set = "spark.conf.set(\"spark.sql.ansi.enabled\", \"false\")";
        assert_eq!(
            Language::Dotnet.translated(set).as_deref(),
            Some("spark.Conf().Set(\"spark.sql.ansi.enabled\", \"false\");")
        );
    }

    #[test]
    fn what_both_languages_write_alike_is_known() {
        assert!(reads_as_scala(
            "spark.conf.set(\"spark.sql.shuffle.partitions\", \"800\")\ndf.explain(\"formatted\")"
        ));
        assert!(!reads_as_scala("df = df.repartition(800)"));
        assert!(!reads_as_scala(
            "spark.conf.set(\"a\", \"true\")  # loses rows"
        ));
    }
}
