//! In: an incident. Out: the [`Language`] the job is written in, where its trace tells, so that advice comes in it.

use crate::fact::{Frame, Owner};
use crate::incident::Incident;

/// What the person writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Language {
    Python,
    /// Scala or Java.
    Scala,
    /// Statements at the prompt of a shell, or sent to the Thrift server.
    Sql,
}

impl Language {
    /// Python where any line or class of it is in the trace; Scala where the person's own frames are the JVM's; SQL where the
    /// trace goes through who takes nothing else.
    pub(super) fn of(incident: &Incident) -> Option<Self> {
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
        frames().any(takes_sql).then_some(Self::Sql)
    }

    /// The key of a step's code in this language.
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Python => "python",
            Self::Scala => "scala",
            Self::Sql => "sql",
        }
    }

    /// Whether code in `lang` is for people who write another language; SQL is for all.
    pub(super) fn is_foreign(self, lang: &str) -> bool {
        matches!(lang, "python" | "scala") && lang != self.word()
    }
}

/// Whether a piece of Python reads the same in Scala: calls on one line each, with texts and numbers as arguments.
pub(super) fn reads_as_scala(code: &str) -> bool {
    const SAME: [&str; 3] = ["spark.conf.set(\"", "df.explain(", "df.printSchema()"];
    code.lines().all(|line| {
        SAME.iter().any(|call| line.starts_with(call)) && line.ends_with(')') && !line.contains('#')
    })
}

/// A piece of Python that only sets what a session can be told, as statements.
pub(super) fn as_sql(code: &str) -> Option<String> {
    let statements = code.lines().map(|line| {
        let set = line
            .strip_prefix("spark.conf.set(\"")?
            .strip_suffix("\")")?;
        let (key, value) = set.split_once("\", \"")?;
        (!value.contains('"')).then(|| format!("SET {key} = {value};"))
    });
    statements
        .collect::<Option<Vec<_>>>()
        .map(|statements| statements.join("\n"))
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
        assert_eq!(as_sql("df.show()"), None);
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
