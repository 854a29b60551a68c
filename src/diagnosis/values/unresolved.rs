//! In: what Spark says of a name that does not resolve, with the plan that it prints below. Out: the values `own_alias`, the name
//! where the same query gives it to something, and `at_hand`, another column that the query names and its input has.

use crate::diagnosis::template::Values;
use regex::Regex;
use std::collections::HashSet;
use std::sync::LazyLock;

/// A column that a plan knows, with the number Spark gave it: `segment#34`; behind `AS` it is one that the query makes.
static KNOWN: LazyLock<Regex> =
    LazyLock::new(|| constant(r"(?P<alias>\bAS )?(?P<name>[A-Za-z_][\w.]*)#\d+"));

/// A column that the query names, not resolved yet: `'amount`, `'o.amount`. What calls a function is none.
static NAMED: LazyLock<Regex> =
    LazyLock::new(|| constant(r"[\[(,][ ]?'(?:\w+\.)?(?P<name>[A-Za-z_]\w*)(?P<call>\(?)"));

fn constant(pattern: &str) -> Regex {
    Regex::new(pattern).expect("a constant pattern compiles")
}

/// Adds both, as far as the plan tells.
pub(super) fn put<'m>(messages: impl IntoIterator<Item = &'m str>, values: &mut Values) {
    let Some(column) = values.get("column_name").cloned() else {
        return;
    };
    let has_plan = |message: &&str| message.contains(&column) && message.contains('\n');
    let Some(plan) = messages.into_iter().find(has_plan) else {
        return;
    };
    let mut known = HashSet::new();
    for found in KNOWN.captures_iter(plan) {
        if found.name("alias").is_none() {
            known.insert(found["name"].to_owned());
        } else if found["name"].eq_ignore_ascii_case(&column) {
            values.insert("own_alias".to_owned(), column.clone());
        }
    }
    let at_hand = NAMED
        .captures_iter(plan)
        .filter(|found| found["call"].is_empty() && found["name"] != *column)
        .find(|found| known.contains(&found["name"]));
    if let Some(found) = at_hand {
        values.insert("at_hand".to_owned(), found["name"].to_owned());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(column: &str, plan: &str) -> (Option<String>, Option<String>) {
        let mut values = Values::from([("column_name".to_owned(), column.to_owned())]);
        let message = format!("`{column}` cannot be resolved\n{plan}");
        put([&*message], &mut values);
        (
            values.get("own_alias").cloned(),
            values.get("at_hand").cloned(),
        )
    }

    #[test]
    fn a_plan_tells_names_that_are_there() {
        let view =
            "+- SubqueryAlias orders\n   +- View (`orders`, [customer_id#30L, segment#34])\n";
        let other = of(
            "country",
            &format!("'Aggregate ['country], ['country, 'sum('amount) AS revenue#1]\n{view}"),
        );
        assert_eq!(other, (None, None));
        let near = of(
            "country",
            &format!("'Project ['country, 'o.segment]\n{view}"),
        );
        assert_eq!(near, (None, Some("segment".into())));
        let alias = of(
            "twice",
            &format!("'Project [('customer_id * 2) AS twice#25]\n+- 'Filter ('twice > 4)\n{view}"),
        );
        assert_eq!(alias, (Some("twice".into()), Some("customer_id".into())));
    }
}
