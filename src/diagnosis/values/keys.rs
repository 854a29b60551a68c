//! In: the operators that a stage ran. Out: the columns by which it brought rows together, where the plan leaves no doubt.

use regex::Regex;
use std::sync::LazyLock;

/// `Left keys [id#1]` and `Keys [id#1]` of numbered plans, `keys=[id#1]` and `SortMergeJoin [id#1]` of those without.
static KEYS: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?:\bLeft keys |\bKeys |\bkeys=|^(?:SortMergeJoin|ShuffledHashJoin) )\[(?<keys>[^\[\]]+)\]")
        .expect("a constant pattern compiles")
});
static COLUMN: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"^(?<name>\w+)(?:#\d+L?)?$").expect("a constant pattern compiles")
});

/// The names of the keys, in order; empty where there are none or different ones.
pub(super) fn of(plan: &[String]) -> Vec<String> {
    // Where a stage joins, what it groups by before or after that is not what brought the rows to it.
    for kind in ["Join", "Aggregate"] {
        let of_kind = plan.iter().filter(|row| {
            let name = row.split([' ', '(']).next().unwrap_or_default();
            name.contains(kind)
        });
        let mut keys: Vec<Vec<String>> = of_kind.filter_map(|row| names(row)).collect();
        keys.dedup();
        match &mut keys[..] {
            [] => {}
            [only] => return std::mem::take(only),
            _ => return Vec::new(),
        }
    }
    Vec::new()
}

fn names(row: &str) -> Option<Vec<String>> {
    let keys = KEYS.captures(row)?;
    let names = keys["keys"].split(", ").map(|key| {
        let column = COLUMN.captures(key.trim())?;
        Some(column["name"].to_owned())
    });
    names.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys(rows: &[&str]) -> Vec<String> {
        let rows: Vec<String> = rows.iter().map(|row| (*row).to_owned()).collect();
        of(&rows)
    }

    #[test]
    fn keys_are_named_where_the_plan_leaves_no_doubt() {
        assert_eq!(
            keys(&[
                "SortMergeJoin Left keys [id#1, day#2] · Right keys [id#3, day#4] · Join type Inner"
            ]),
            ["id", "day"]
        );
        assert_eq!(keys(&["SortMergeJoin [id#1L], [id#9L], Inner"]), ["id"]);
        assert_eq!(
            keys(&[
                "HashAggregate (keys=[country#1], functions=[sum(v#2)])",
                "Project [v#2]"
            ]),
            ["country"]
        );
        let none: [String; 0] = [];
        assert_eq!(
            keys(&["HashAggregate Keys [upper(a#1)#3] · Functions [count(1)]"]),
            none
        );
        assert_eq!(
            keys(&[
                "SortMergeJoin [a#1], [a#2], Inner",
                "SortMergeJoin [b#1], [b#2], Inner"
            ]),
            none
        );
        assert_eq!(keys(&[]), none);
    }
}
