//! In: an incident whose chain names a version of class files. Out: the values `needed_java` and `running_java`; and of a class
//! that lacks a member, `own_class` where it is neither Spark's nor a known library's.

use crate::diagnosis::scene::{Scene, said};
use crate::diagnosis::template::Values;
use crate::fact::{Owner, owner_of_class};
use crate::text::pattern;
use regex::Regex;
use std::sync::LazyLock;

static CLASS_FILE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"class file version (\d+)\.\d+.*?(?:up to (\d+)\.\d+)?$|class file major version (\d+)|Unsupported major\.minor version (\d+)")
        .expect("a constant pattern compiles")
});

/// Adds them, of the innermost link that names one.
pub(super) fn put(scene: &Scene<'_>, values: &mut Values) {
    for cause in scene.incident.chain.iter().rev() {
        let Some(found) = CLASS_FILE.captures(said(cause).lines().next().unwrap_or("")) else {
            continue;
        };
        let needed = found.get(1).or(found.get(3)).or(found.get(4));
        for (name, group) in [("needed_java", needed), ("running_java", found.get(2))] {
            if let Some(java) = group.and_then(|g| java_of(g.as_str())) {
                values.insert(name.to_owned(), java.to_string());
            }
        }
        return;
    }
}

/// Adds the class that is the company's own: no release of a library mends it.
pub(super) fn complete(values: &mut Values) {
    let class = values.get("member_class");
    let own = class.filter(|c| c.contains('.') && owner_of_class(c) == Owner::User);
    if let Some(own) = own.cloned() {
        values.insert("own_class".to_owned(), own);
    }
}

/// Java's version from the version of its class files: 52 is Java 8.
fn java_of(class_file: &str) -> Option<u32> {
    let version: u32 = class_file.parse().ok()?;
    (45..=99).contains(&version).then(|| version - 44)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn class_files_name_their_java() {
        assert_eq!(java_of("65"), Some(21));
        assert_eq!(java_of("4"), None);
    }
}
