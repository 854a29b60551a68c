//! In: what the fuzzer runs on, over the cases, over bytes put together of them, and over what the fuzzer once found.
//! Out: the same must hold as there, in every run of the tests.

#[path = "../fuzz/targets.rs"]
mod targets;

use proptest::prelude::*;
use std::fs;
use std::path::{Path, PathBuf};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Every file below a folder, in order.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display())) {
        let path = entry.expect("readable").path();
        if path.is_dir() {
            found.extend(files(&path));
        } else {
            found.push(path);
        }
    }
    found.sort();
    found
}

#[test]
fn what_the_fuzzer_found_is_mended() {
    for (name, target) in targets::ALL {
        let kept = root().join("tests/fuzz/kept").join(name);
        let kept = if kept.is_dir() {
            files(&kept)
        } else {
            Vec::new()
        };
        for path in kept {
            println!("{}", path.display());
            target(&fs::read(&path).expect("readable"));
        }
    }
}

#[test]
fn every_target_holds_over_the_cases() {
    let cases = files(&root().join("tests/cases"));
    assert!(cases.len() > 100, "{}", cases.len());
    // All of them for all targets would take minutes; each target has its own share.
    for (at, (name, target)) in targets::ALL.iter().enumerate() {
        for path in cases.iter().skip(at).step_by(targets::ALL.len()) {
            let bytes = fs::read(path).expect("readable");
            println!("{name} {}", path.display());
            target(&bytes[..bytes.len().min(12_000)]);
        }
    }
}

/// Pieces of logs of all kinds, and of nothing.
fn piece() -> impl Strategy<Value = Vec<u8>> {
    let known: &[&[u8]] = &[
        b"24/01/02 03:04:05 ERROR Job: failed\n",
        b"java.io.IOException: gone\n",
        b"\tat a.b.C.d(C.java:1)\n",
        b"Caused by: java.net.SocketException: reset\n",
        b"\tSuppressed: a.B: c\n",
        b"Traceback (most recent call last):\n",
        b"  File \"a.py\", line 3, in f\n    g()\n",
        b"ValueError: password=hunter2 \x1b[31m\n",
        b"During handling of the above exception, another exception occurred:\n\n",
        b"{\"Event\":\"SparkListenerTaskEnd\",\"Stage ID\":1,\"Task End Reason\":{\"Reason\":\"ExceptionFailure\"}}\n",
        b"2024-01-02T03:04:05.000000001Z stderr P ",
        b"svc-1  | ",
        b"{\"log\":\"Error\\n\\tat x\",\"stream\":\"stderr\"}\n",
        b"\\n\\tat a.b.C.d(C.java:1)",
        b"\xef\xbb\xbf",
        b"\r",
    ];
    prop_oneof![
        4 => (0..known.len()).prop_map(move |i| known[i].to_vec()),
        1 => prop::collection::vec(any::<u8>(), 0..30),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn every_target_holds_over_what_is_put_together(pieces in prop::collection::vec(piece(), 0..30)) {
        let bytes = pieces.concat();
        for (_, target) in targets::ALL {
            target(&bytes);
        }
    }
}
