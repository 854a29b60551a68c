//! In: a path, the person's own lines, and the classes of a chain that could not parse what is there. Out: the values `reader`
//! and `reader_options`: the method of `spark.read` for the format, and the options that decide how its text is cut into
//! records.

use crate::diagnosis::scene::Scene;
use crate::diagnosis::template::Values;
use crate::incident::Cause;
use regex::Regex;
use std::sync::LazyLock;

/// `spark.read.schema(s).json(path)`: the method that reads.
static READS: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"\.read\b.*\.(?<reader>csv|json|parquet|orc|text)\(")
        .expect("a constant pattern compiles")
});

/// Formats of text: what names of files hold, what classes of their parsers hold, the method, its options.
const FORMATS: [(&str, &str, &str, &str); 3] = [
    (
        ".csv",
        "csv",
        "csv",
        "option(\"header\", True).option(\"sep\", \";\").option(\"multiLine\", True)",
    ),
    (
        ".tsv",
        "univocity",
        "csv",
        "option(\"header\", True).option(\"sep\", \"\\t\").option(\"multiLine\", True)",
    ),
    (".json", "json", "json", "option(\"multiLine\", True)"),
];

/// Adds both, as far as the path tells, else the person's line, else a class of the chain.
pub(super) fn put(scene: &Scene<'_>, values: &mut Values) {
    let mut lines = scene.own_lines().map(|(line, _)| line);
    let own = lines.find_map(|line| Some(READS.captures(line)?.name("reader")?.as_str()));
    of(&scene.incident.chain, own, values);
}

fn of(chain: &[Cause], own: Option<&str>, values: &mut Values) {
    let path = values.get("path").map(String::as_str).unwrap_or_default();
    // What packs a file comes last: `orders.csv.gz`.
    let name = path.rsplit('/').next().unwrap_or_default().to_lowercase();
    let by_path = FORMATS.iter().find(|format| name.contains(format.0));
    let by_class = || {
        let classes = || chain.iter().map(|cause| cause.class.to_lowercase());
        FORMATS
            .iter()
            .find(|format| classes().any(|class| class.contains(format.1)))
    };
    let by_line = || FORMATS.iter().find(|format| Some(format.2) == own);
    if let Some(own) = own.filter(|_| by_path.is_none()) {
        values.insert("reader".to_owned(), own.to_owned());
    }
    if let Some((.., reader, options)) = by_path.or_else(by_line).or_else(by_class) {
        values.insert("reader".to_owned(), (*reader).to_owned());
        values.insert("reader_options".to_owned(), (*options).to_owned());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_tells_its_reader_whatever_packs_it() {
        for (path, reader) in [
            ("s3a://b/orders.csv", Some("csv")),
            ("/data/orders.CSV.gz", Some("csv")),
            ("/data/clicks/part-2.json", Some("json")),
            ("/data/clicks.jsonl", Some("json")),
            ("/data.csv/part-0", None),
            ("/data/part-0", None),
        ] {
            let mut values = Values::from([("path".to_owned(), path.to_owned())]);
            of(&[], None, &mut values);
            assert_eq!(values.get("reader").map(String::as_str), reader, "{path}");
        }
    }

    #[test]
    fn the_persons_own_line_tells_where_the_path_does_not() {
        let line = "df = spark.read.schema(s).orc(\"/data/orders\")";
        let own = READS.captures(line).map(|found| found["reader"].to_owned());
        assert_eq!(own.as_deref(), Some("orc"));
        let mut values = Values::from([("path".to_owned(), "/data/orders".to_owned())]);
        of(&[], Some("orc"), &mut values);
        assert_eq!(values.get("reader").map(String::as_str), Some("orc"));
        of(&[], Some("json"), &mut values);
        assert!(values.contains_key("reader_options"));
    }
}
