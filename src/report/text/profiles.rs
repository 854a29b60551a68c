//! In: the profiles of an outline. Out: their lines of the text report.

use super::page::{Ink, Page};
use super::telling::Most;
use crate::report::outline::{Outline, ProfileTold};
use crate::report::spot::Spot;

/// Profiles, and rows of each, without `--all`.
const FEW: (usize, usize) = (3, 3);

pub(super) fn profiles(page: &mut Page, outline: &Outline, most: &Most) {
    if outline.profiles.is_empty() {
        return;
    }
    let (profiles, rows) = if most.whole {
        (usize::MAX, usize::MAX)
    } else {
        FEW
    };
    page.heading("PROFILES", "");
    for profile in outline.profiles.iter().take(profiles) {
        one(page, profile, rows, most.whole);
    }
    let left_out = outline.profiles.len().saturating_sub(profiles);
    page.more("  ", left_out, "profile", "profiles");
}

fn one(page: &mut Page, profile: &ProfileTold, rows: usize, with_spots: bool) {
    let lead = format!("  {}  ", profile.whose);
    page.row(
        &lead,
        profile.text.as_str(),
        Ink::Heading,
        &spot(profile.spot.as_ref()),
    );
    for (index, hot) in profile.hot.iter().take(rows).enumerate() {
        let lead = if index == 0 {
            "     hot  "
        } else {
            "          "
        };
        let ink = if hot.own { Ink::Yours } else { Ink::Plain };
        // In short, the table's own spot leads to its rows.
        let right = spot(hot.spot.as_ref().filter(|_| with_spots));
        page.row(lead, hot.text.as_str(), ink, &right);
        if let Some(code) = &hot.code {
            page.code("            ", code.as_str(), 1);
        }
    }
    let left_out = profile.hot.len().saturating_sub(rows);
    page.more("          ", left_out, "row", "rows");
}

fn spot(spot: Option<&Spot>) -> String {
    spot.map(ToString::to_string).unwrap_or_default()
}
