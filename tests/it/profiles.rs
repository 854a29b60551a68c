//! Profiles that a log holds: their pane on terminals of each size, its order, and where its rows lead.

use crate::screens::Screen;
use causedby::load::{Case, Options, load};
use causedby::source::Sources;
use insta::assert_snapshot;
use std::path::Path;
use std::sync::Arc;

/// A run of Spark that printed profiles, with its event log and the job's source beside its log.
fn profiled() -> Arc<Case> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases/ok-slow-udf-3.5/input");
    Arc::new(load(Sources::open(&[folder]), &Options::default()))
}

#[test]
fn where_nothing_failed_profiles_are_what_is_shown() {
    let case = profiled();
    for (width, height) in [(120, 36), (80, 24), (40, 12)] {
        let screen = Screen::of(&case, width, height);
        assert_snapshot!(format!("profiles_{width}x{height}"), screen.text());
    }
}

#[test]
fn the_key_sorts_and_enter_leads_to_the_log_and_to_the_source() {
    let case = profiled();
    let first = |screen: Screen| {
        let text = screen.text();
        let line = text.lines().find(|line| line.contains(" % ")).unwrap_or("");
        line.to_owned()
    };
    let screen = || Screen::of(&case, 120, 36);
    assert!(first(screen()).contains("smooth"));
    let by_all = first(screen().keys("O"));
    assert!(
        by_all.contains("corrected") && by_all.contains("100 %"),
        "{by_all}"
    );
    let log = screen().keys("j Enter").text();
    assert!(
        log.contains("driver.log") && log.contains("tide_rates.py:11(smooth)"),
        "{log}"
    );
    let source = screen().keys("j j Enter").text();
    assert!(
        source.contains("tide_rates.py") && source.contains("return total"),
        "{source}"
    );
}
