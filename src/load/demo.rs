//! In: nothing. Out: the [`Sources`] of the built-in incident: a failed run that shows every part of the program at work.

use crate::source::Sources;
use include_dir::{Dir, include_dir};

static DEMO: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/assets/demo");

/// A job whose UDF meets a value it cannot parse: driver log, an executor's log, event log, packed as Spark packs them, and
/// the job's source.
pub fn demo() -> Sources {
    let mut sources = Sources::default();
    let mut folders = vec![&DEMO];
    while let Some(folder) = folders.pop() {
        for file in folder.files() {
            let name = file.path().display().to_string();
            // Packed it takes a tenth of the room; what it is called on a node it is called here.
            let name = name.strip_suffix(".gz").unwrap_or(&name);
            sources.add_memory(name, file.contents().to_vec());
        }
        folders.extend(folder.dirs());
    }
    sources
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_whole_folder_travels_in_the_binary() {
        let sources = demo();
        let names: Vec<&str> = sources.list.iter().map(|s| s.name.as_str()).collect();
        assert_eq!(names.len(), 4, "{names:?}");
        assert!(names.contains(&"driver.log") && names.contains(&"enrich_orders.py"));
        assert!(names.iter().any(|name| name.ends_with("/stderr")));
    }
}
