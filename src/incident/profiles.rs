//! In: profiles in the order of the logs. Out: those of the run, each once, what is hot in them, and the operator of a plan
//! that one belongs to.

use super::sql::{PlanRow, Sql};
use super::story::Story;
use crate::fact::{Measure, Owner, PROFILE_ROWS_CAP, Profile, ProfileRow, Profiled};
use crate::text::{Bytes, Millis, SourceId};

/// Profiles that are kept.
const PROFILES_CAP: usize = 100;

/// The profiles that were read so far.
#[derive(Debug, Default, Clone)]
pub(super) struct Profiles {
    kept: Vec<Profile>,
    /// Where the rows go on that a line of the log was written into.
    last: Option<usize>,
}

impl Profiles {
    /// Takes one in. What is printed again holds what was printed before: the one that tells more is kept.
    pub(super) fn add(&mut self, profile: &Profile) {
        if profile.goes_on {
            let last = self.last.and_then(|last| self.kept.get_mut(last));
            let last = last.filter(|last| {
                last.measure == profile.measure && last.place.source == profile.place.source
            });
            if let Some(last) = last {
                last.left_out += profile.left_out;
                for row in &profile.rows {
                    if last.rows.len() < PROFILE_ROWS_CAP {
                        last.rows.push(row.clone());
                    } else {
                        last.left_out += 1;
                    }
                }
            }
            return;
        }
        let known = self
            .kept
            .iter()
            .position(|known| key(known) == key(profile));
        self.last = match known {
            Some(at) if self.kept[at].total > profile.total => None,
            Some(at) => {
                self.kept[at] = profile.clone();
                Some(at)
            }
            None if self.kept.len() < PROFILES_CAP => {
                self.kept.push(profile.clone());
                Some(self.kept.len() - 1)
            }
            None => None,
        };
    }

    /// All of them: those of time first, of each kind the largest.
    pub(super) fn told(self) -> Vec<Profile> {
        let mut told = self.kept;
        told.retain(|profile| !profile.rows.is_empty());
        told.sort_by(|a, b| {
            let order = a.measure.cmp(&b.measure).then(b.total.total_cmp(&a.total));
            order.then(a.place.cmp(&b.place))
        });
        told
    }
}

/// See [`key`].
type Key<'p> = (Measure, Profiled, SourceId, Option<(&'p str, Option<u32>)>);

/// What tells whether two prints are of the same: the id in their source; without one, what their first rows are about.
fn key(profile: &Profile) -> Key<'_> {
    let row = match profile.of {
        Profiled::Program => profile.rows.first(),
        Profiled::Udf(_) | Profiled::Rdd(_) => None,
    };
    let first = row.map(|row| (&*row.file, row.line));
    (profile.measure, profile.of, profile.place.source, first)
}

impl Profile {
    /// The rows that take anything by themselves, the hottest first.
    pub fn hot(&self) -> Vec<&ProfileRow> {
        let mut hot: Vec<&ProfileRow> = self.rows.iter().filter(|row| row.own > 0.0).collect();
        hot.sort_by(|a, b| b.own.total_cmp(&a.own));
        hot
    }

    /// The user's function that all the rest was called from, as far as the rows tell.
    pub fn entry(&self) -> Option<&ProfileRow> {
        let own = self.rows.iter().filter(|row| row.owner == Owner::User);
        match self.measure {
            Measure::Time => own.max_by(|a, b| a.cumulative.total_cmp(&b.cumulative)),
            Measure::Memory => self.rows.iter().find(|row| !row.function.is_empty()),
        }
    }

    /// `UDF 12`, `RDD 3`, or what made it.
    pub fn whose(&self) -> String {
        match (self.of, self.measure) {
            (Profiled::Udf(id), _) => format!("UDF {id}"),
            (Profiled::Rdd(id), _) => format!("RDD {id}"),
            (Profiled::Program, Measure::Time) => "cProfile".to_owned(),
            (Profiled::Program, Measure::Memory) => "memory_profiler".to_owned(),
        }
    }

    /// An amount of what it measures, as people read it.
    pub fn amount(&self, amount: f64) -> String {
        match self.measure {
            Measure::Time => Millis(amount * 1_000.0).to_string(),
            Measure::Memory => Bytes(amount * 1_024.0 * 1_024.0).to_string(),
        }
    }

    /// What a row takes: `smooth (tides.py:22), 83 % of 12 s`, `line 39 of scaled (tides.py), 11 MiB of 12 MiB`.
    pub fn told(&self, row: &ProfileRow) -> String {
        let spot = row.spot();
        let spot = match (self.measure, spot.is_empty()) {
            (_, true) => row.function.to_string(),
            (Measure::Time, false) => format!("{} ({spot})", row.function),
            (Measure::Memory, false) => {
                let of = match &*row.function {
                    "" => String::new(),
                    function => format!(" of {function}"),
                };
                format!("line {}{of} ({})", row.line.unwrap_or(0), row.file_name())
            }
        };
        let all = self.amount(self.total);
        let taken = match self.measure {
            Measure::Time => format!("{:.0} % of {all}", self.share(row.own) * 100.0),
            Measure::Memory => format!("{} of {all}", self.amount(row.own)),
        };
        format!("{spot}, {taken}")
    }

    /// How large a part of all an amount is, from 0 to 1.
    pub fn share(&self, amount: f64) -> f64 {
        if self.total > 0.0 {
            (amount / self.total).clamp(0.0, 1.0)
        } else {
            0.0
        }
    }
}

impl Story {
    /// The name of the function that a profile is of, as its plan or its rows tell; empty where neither does.
    pub fn name_of<'s>(&'s self, profile: &'s Profile) -> &'s str {
        let entry = || profile.entry().map_or("", |row| &row.function);
        self.node_of(profile)
            .map_or_else(entry, |(_, _, name)| name)
    }

    /// The operator of a plan that ran the UDF of a profile, its execution, and the UDF's name there.
    pub fn node_of(&self, profile: &Profile) -> Option<(&Sql, &PlanRow, &str)> {
        let Profiled::Udf(id) = profile.of else {
            return None;
        };
        self.sql.iter().find_map(|sql| {
            sql.plan.iter().find_map(|row| {
                let python = row.operator.is_python();
                let name = called(&row.operator.detail, id).filter(|_| python)?;
                Some((sql, row, name))
            })
        })
    }
}

/// The name of the function that a plan shows with this id: `f` of `f(x#1, g(y#2)#11)#12` for 12.
fn called(detail: &str, id: u64) -> Option<&str> {
    let mark = format!(")#{id}");
    let ends = detail.match_indices(&mark).map(|(at, _)| at);
    let mut ends = ends.filter(|at| {
        let behind = detail[at + mark.len()..].bytes().next();
        !behind.is_some_and(|byte| byte.is_ascii_digit())
    });
    let end = ends.next()?;
    let mut depth = 0;
    let open = detail[..=end].char_indices().rev().find_map(|(at, c)| {
        match c {
            ')' => depth += 1,
            '(' => depth -= 1,
            _ => {}
        }
        (depth == 0).then_some(at)
    })?;
    let before = &detail[..open];
    let name = before
        .char_indices()
        .rev()
        .take_while(|(_, c)| c.is_alphanumeric() || matches!(c, '_' | '<' | '>'));
    let start = name.last().map(|(at, _)| at)?;
    Some(&before[start..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plan_names_the_function_of_an_id() {
        let detail = "[smooth(level#2, corrected(id#0L)#11)#12], [pythonUDF0#20], 100";
        assert_eq!(called(detail, 12), Some("smooth"));
        assert_eq!(called(detail, 11), Some("corrected"));
        // A column's id, and an id that only begins so.
        assert_eq!(called(detail, 2), None);
        assert_eq!(called("f(x#1)#123", 12), None);
        assert_eq!(called("<lambda>(x#1)#7L", 7), Some("<lambda>"));
    }
}
