//! Messages as Spark, Hadoop, YARN, Kubernetes, Python and the services around them print them, and what is
//! to be said of each.

/// Class, message, side, phase; bucket and family that are wanted.
pub(super) const ROWS: &[[&str; 6]] = &[[
    "org.apache.spark.sql.AnalysisException",
    "cannot resolve '`nme`' given input columns: [name, id]; line 1 pos 7;",
    "jvm-driver",
    "analysis",
    "schema",
    "rename-column",
]];

/// Class, message, side, phase that look like something known and are not.
pub(super) const NEAR_MISSES: &[[&str; 4]] = &[[
    "com.acme.Unheard",
    "the weather cannot be resolved",
    "jvm-driver",
    "execution",
]];
