//! In: a path and the classes of a chain that could not parse what is there. Out: the values `reader` and `reader_options`:
//! the method of `spark.read` for the format, and the options that decide how its text is cut into records.

use super::template::Values;
use crate::incident::Cause;

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

/// Adds both, as far as the path tells, else a class of the chain.
pub(super) fn put(chain: &[Cause], values: &mut Values) {
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
    if let Some((.., reader, options)) = by_path.or_else(by_class) {
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
            put(&[], &mut values);
            assert_eq!(values.get("reader").map(String::as_str), reader, "{path}");
        }
    }
}
