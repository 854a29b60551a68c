//! In: a data source, a class, a scheme or a JDBC address, and the versions of the run. Out: the coordinate of
//! the package that brings it.

use crate::diagnosis::version::Version;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// Which package brings what, as data.
static TABLE: &str = include_str!("../../../assets/packages.toml");

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    /// Hadoop's version in each line of Spark's own builds.
    hadoop: BTreeMap<String, String>,
    package: Vec<Package>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Package {
    /// Names that ask for it: whole data source names, schemes and `jdbc:` kinds, or heads of class names.
    names: Vec<String>,
    /// `group:artifact_{scala}:{version}`, with `{scala}`, `{spark}`, `{line}` and `{hadoop}` filled in.
    coordinate: String,
    /// Other coordinates by line of Spark.
    #[serde(default)]
    by_spark: BTreeMap<String, String>,
}

static PACKAGES: LazyLock<Table> =
    LazyLock::new(|| toml::from_str(TABLE).expect("the table of packages is checked by a test"));

/// The versions that coordinates are made of; a person can see which one is not known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Versions {
    /// `3.5.1`, or a placeholder.
    pub(super) spark: String,
    /// `3.5`, where known.
    pub(super) line: Option<String>,
    /// `2.12`, or a placeholder.
    pub(super) scala: String,
    /// `3.3.4`, or a placeholder.
    pub(super) hadoop: String,
}

impl Versions {
    /// From what the logs tell. Where they do not name Scala's version, that of Spark's default build counts:
    /// 2.12 for Spark 3, 2.13 from Spark 4 on.
    pub(super) fn of(spark: Option<Version>, scala: Option<&str>) -> Self {
        let line = spark.map(Version::line);
        let scala = match (scala.and_then(Version::parse), spark.map(Version::major)) {
            (Some(scala), _) => scala.line(),
            (None, Some(2)) => "2.11".to_owned(),
            (None, Some(3)) => "2.12".to_owned(),
            (None, Some(4..)) => "2.13".to_owned(),
            (None, _) => "<Scala of that Spark>".to_owned(),
        };
        let hadoop = line
            .as_ref()
            .and_then(|line| PACKAGES.hadoop.get(line))
            .cloned()
            .unwrap_or_else(|| "<your Hadoop version>".to_owned());
        Self {
            spark: spark.map_or_else(|| "<your Spark version>".to_owned(), |v| v.to_string()),
            line,
            scala,
            hadoop,
        }
    }
}

/// The coordinate of the package that brings `name`; `None` where none is known.
pub(super) fn coordinate(name: &str, versions: &Versions) -> Option<String> {
    let name = name.trim().to_ascii_lowercase();
    let found = PACKAGES
        .package
        .iter()
        .flat_map(|package| package.names.iter().map(move |n| (n, package)))
        .filter(|(known, _)| {
            let known = known.to_ascii_lowercase();
            name == known
                || (known.contains('.')
                    && name
                        .strip_prefix(&known)
                        .is_some_and(|rest| rest.starts_with(['.', '$'])))
        })
        .max_by_key(|(known, _)| known.len())?
        .1;
    let coordinate = versions
        .line
        .as_ref()
        .and_then(|line| found.by_spark.get(line))
        .unwrap_or(&found.coordinate);
    let line = versions.line.as_deref().unwrap_or("<your Spark line>");
    Some(
        coordinate
            .replace("{scala}", &versions.scala)
            .replace("{spark}", &versions.spark)
            .replace("{line}", line)
            .replace("{hadoop}", &versions.hadoop),
    )
}

/// The name under which a module is installed, where it differs from the one it is imported by.
pub(super) fn pip_name(module: &str) -> &str {
    match module {
        "sklearn" => "scikit-learn",
        "skimage" => "scikit-image",
        "cv2" => "opencv-python-headless",
        "yaml" => "PyYAML",
        "PIL" => "Pillow",
        "bs4" => "beautifulsoup4",
        "dateutil" => "python-dateutil",
        "Crypto" => "pycryptodome",
        "psycopg2" => "psycopg2-binary",
        "MySQLdb" => "mysqlclient",
        "dotenv" => "python-dotenv",
        "google" => "google-api-python-client",
        "delta" => "delta-spark",
        "grpc" => "grpcio",
        "grpc_status" => "grpcio-status",
        "attr" => "attrs",
        "jwt" => "PyJWT",
        "kafka" => "kafka-python",
        other => other,
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "tests")]
    use super::*;

    fn versions(spark: Option<&str>) -> Versions {
        Versions::of(spark.and_then(Version::parse), None)
    }

    #[test]
    fn coordinates_follow_the_versions() {
        let known = versions(Some("3.5.1-amzn-0"));
        let of = |name| coordinate(name, &known);
        assert_eq!(
            of("kafka").unwrap(),
            "org.apache.spark:spark-sql-kafka-0-10_2.12:3.5.1"
        );
        assert_eq!(
            of("org.apache.hadoop.fs.s3a.S3AFileSystem").unwrap(),
            "org.apache.hadoop:hadoop-aws:3.3.4"
        );
        assert!(
            of("delta")
                .unwrap()
                .starts_with("io.delta:delta-spark_2.12:3.")
        );
        assert!(
            of("org.postgresql.Driver")
                .unwrap()
                .starts_with("org.postgresql:postgresql:")
        );
        assert_eq!(of("com.acme.Thing"), None);
        assert_eq!(of("org.postgresqlish.Driver"), None);
    }

    #[test]
    fn an_unknown_version_can_be_seen_as_such() {
        assert_eq!(
            coordinate("avro", &versions(None)).unwrap(),
            "org.apache.spark:spark-avro_<Scala of that Spark>:<your Spark version>"
        );
        assert!(
            coordinate("avro", &versions(Some("4.0.0")))
                .unwrap()
                .ends_with("spark-avro_2.13:4.0.0")
        );
    }
}
