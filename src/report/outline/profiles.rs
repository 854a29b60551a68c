//! In: the profiles of a case. Out: what a report tells of each: whose it is, how much it measured, what is hot in it.

use crate::fact::{Profile, ProfileRow};
use crate::incident::Story;
use crate::load::Case;
use crate::report::safe::Safe;
use crate::report::spot::Spot;

/// Rows below this share of all are cold.
const COLD: f64 = 0.01;

/// A profile.
#[derive(Debug)]
pub(in crate::report) struct ProfileTold {
    /// `UDF 12`
    pub(in crate::report) whose: String,
    /// `corrected: 12 s in 100000 calls · BatchEvalPython (3) of SQL 0`
    pub(in crate::report) text: Safe,
    pub(in crate::report) spot: Option<Spot>,
    /// Its rows that are not cold, the hottest first.
    pub(in crate::report) hot: Vec<HotTold>,
}

/// A row of it.
#[derive(Debug)]
pub(in crate::report) struct HotTold {
    /// `smooth (tides.py:22), 83 % of 12 s`
    pub(in crate::report) text: Safe,
    pub(in crate::report) spot: Option<Spot>,
    /// The line of code, where it is printed.
    pub(in crate::report) code: Option<Safe>,
    /// Whether it is the user's.
    pub(in crate::report) own: bool,
}

/// Those of a case, in its order.
pub(super) fn profiles(case: &Case) -> Vec<ProfileTold> {
    let told = case.story.profiles.iter().map(|profile| ProfileTold {
        whose: profile.whose(),
        text: Safe::short(&about(&case.story, profile), 200),
        spot: Spot::of(case, &profile.place),
        hot: hot(case, profile),
    });
    told.collect()
}

fn about(story: &Story, profile: &Profile) -> String {
    let name = story.name_of(profile);
    let mut text = match name {
        "" => profile.amount(profile.total),
        name => format!("{name}: {}", profile.amount(profile.total)),
    };
    if let Some(calls) = profile.calls {
        text = format!("{text} in {calls} calls");
    }
    if let Some((sql, row, _)) = story.node_of(profile) {
        let number = row.operator.number;
        let number = number.map_or_else(String::new, |number| format!(" ({number})"));
        text = format!("{text} · {}{number} of SQL {}", row.operator.name, sql.id);
    }
    text
}

fn hot(case: &Case, profile: &Profile) -> Vec<HotTold> {
    let is_hot = |row: &&ProfileRow| profile.share(row.own) >= COLD;
    let told = profile.hot().into_iter().filter(is_hot).map(|row| {
        let calls = row.calls.map_or_else(String::new, |n| format!(", {n}×"));
        HotTold {
            text: Safe::line(&format!("{}{calls}", profile.told(row))),
            spot: Spot::of(case, &row.place),
            code: row.code.as_deref().map(Safe::line),
            own: row.owner == crate::fact::Owner::User,
        }
    });
    told.collect()
}
