//! Large logs are searched, small ones read line by line: both must find the same.

use causedby::load::{Options, load};
use causedby::source::Sources;
use std::path::Path;

/// What was found: each failure's title, where it was first logged and how often.
fn found(folder: &Path, options: &Options) -> Vec<String> {
    let case = load(Sources::open(&[folder.to_owned()]), options);
    let incidents = case.story.incidents.iter();
    let mut found: Vec<_> = incidents
        .map(|i| format!("{} × {} at {:?}", i.title(), i.count, i.root().place))
        .collect();
    found.sort();
    found
}

#[test]
fn searching_finds_what_reading_finds() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let searched = Options {
        whole_below: 0,
        head: 0,
        tail: 0,
        ..Options::default()
    };
    let mut inputs = vec![root.join("assets/demo")];
    for entry in std::fs::read_dir(root.join("tests/cases")).expect("the folder of cases") {
        let input = entry.expect("a case").path().join("input");
        if input.is_dir() {
            inputs.push(input);
        }
    }
    for input in inputs {
        let read = found(&input, &Options::default());
        assert_eq!(found(&input, &searched), read, "{}", input.display());
    }
    assert!(!found(&root.join("assets/demo"), &searched).is_empty());
}
