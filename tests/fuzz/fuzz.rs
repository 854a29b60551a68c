//! In: bytes that the fuzzer made up. Out: nothing, or a crash. One file for all targets: a binary runs that of its name.
#![no_main]

mod targets;

use std::sync::LazyLock;

static TARGET: LazyLock<targets::Target> = LazyLock::new(|| {
    let name = env!("CARGO_BIN_NAME");
    let target = targets::ALL.iter().find(|(known, _)| *known == name);
    target
        .unwrap_or_else(|| panic!("there is no target {name}"))
        .1
});

libfuzzer_sys::fuzz_target!(|data: &[u8]| TARGET(data));
