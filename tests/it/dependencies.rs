//! In: what cargo says of the crates that the program is made of. Out: whether each may be used, and none is there twice
//! unnoticed.
//!
//! Known holes of crates are told by `.ci/advisories`.

use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

use crate::terminal::run;

/// Licences that ask for no more than that their text is kept.
const ALLOWED: [&str; 10] = [
    "0BSD",
    "Apache-2.0",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "CC0-1.0",
    "ISC",
    "MIT",
    "MIT-0",
    "Unlicense",
    "Zlib",
];

/// Others, each of one crate and for a reason.
const EXCEPTIONS: [(&str, &str, &str); 5] = [
    (
        "unicode-ident",
        "Unicode-3.0",
        "tables of the Unicode standard, used while compiling; asks for its notice only",
    ),
    (
        "clipboard-win",
        "BSL-1.0",
        "on Windows, which is not supported; binaries need not even carry its notice",
    ),
    ("error-code", "BSL-1.0", "as clipboard-win"),
    (
        "webpki-root-certs",
        "CDLA-Permissive-2.0",
        "certificates as data, on Android only; asks for its text where the data is shared",
    ),
    (
        "rustls-webpki",
        "ISC",
        "allowed anyway; named because it decides whom a connection trusts",
    ),
];

/// Crates that are there in two versions, because what we use does not agree yet; each is small.
const TWICE: [&str; 8] = [
    "base64",
    "foldhash",
    "getrandom",
    "hashbrown",
    "signal-hook",
    "syn",
    "thiserror",
    "thiserror-impl",
];

/// Name, version and licence of each crate that goes into the program, or is run to build it, for `target`.
fn crates(target: &str) -> BTreeSet<(String, String, String)> {
    let mut cargo = Command::new(env!("CARGO"));
    cargo.current_dir(env!("CARGO_MANIFEST_DIR"));
    cargo.args([
        "tree",
        "--locked",
        "--offline",
        "--edges",
        "normal,build",
        "--prefix",
        "none",
    ]);
    cargo.args(["--target", target, "--format", "{p}|{l}"]);
    let told = run(&mut cargo);
    let crates = told.lines().filter_map(|line| {
        let (package, licence) = line.trim_end_matches(" (*)").split_once('|')?;
        let mut words = package.split(' ');
        let (name, version) = (words.next()?, words.next()?);
        (name != "causedby").then(|| (name.to_owned(), version.to_owned(), licence.to_owned()))
    });
    crates.collect()
}

/// Whether a licence, or one of those to choose from, is among `allowed`; of several that hold together each has to be.
fn is_allowed(licence: &str, allowed: &dyn Fn(&str) -> bool) -> bool {
    let choice = licence.replace('/', " OR ").replace(['(', ')'], "");
    choice.split(" AND ").all(|part| {
        part.split(" OR ").any(|one| {
            let one = one.trim();
            allowed(one.split(" WITH ").next().unwrap_or(one))
        })
    })
}

#[test]
fn every_crate_has_a_licence_that_allows_its_use() {
    let all = crates("all");
    assert!(all.len() > 100, "{}", all.len());
    for (name, version, licence) in &all {
        let allowed = |one: &str| {
            let excepted =
                |(crate_, licence, _): &(&str, &str, &str)| crate_ == name && *licence == one;
            ALLOWED.contains(&one) || EXCEPTIONS.iter().any(excepted)
        };
        assert!(
            is_allowed(licence, &allowed),
            "{name} {version} is under {licence}"
        );
    }
    // What is excepted is there, so that the list stays true.
    for (name, ..) in EXCEPTIONS {
        assert!(
            all.iter().any(|(known, ..)| known == name),
            "{name} is not used any more"
        );
    }
    // What is shipped for the machines the program is made for is under licences of the list alone.
    for (name, _, licence) in crates("x86_64-unknown-linux-gnu") {
        let listed = is_allowed(&licence, &|one| ALLOWED.contains(&one));
        assert!(listed || name == "unicode-ident", "{name}: {licence}");
    }
}

#[test]
fn no_crate_is_there_twice_unnoticed_or_from_elsewhere() {
    let mut versions: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (name, version, _) in crates("x86_64-unknown-linux-gnu") {
        versions.entry(name).or_default().insert(version);
    }
    let twice: Vec<&str> = versions
        .iter()
        .filter(|(_, versions)| versions.len() > 1)
        .map(|(name, _)| name.as_str())
        .collect();
    for name in twice {
        assert!(TWICE.contains(&name), "{name}: {:?}", versions[name]);
    }
    let lock = include_str!("../../Cargo.lock");
    let elsewhere = lock.lines().find(|line| {
        line.starts_with("source = ")
            && !line.contains("registry+https://github.com/rust-lang/crates.io-index")
    });
    assert_eq!(elsewhere, None);
}
