//! In: a physical plan as Spark prints it, with numbered operators (3.0 and later) or without. Out: its [`Operator`]s.
//!
//! The text is read rather than the tree of the same event: it holds the numbers and the ids of generated code that
//! people know from Spark's own screens, and no depth of nesting in it can make the event unreadable.

use crate::text::beginning;
use std::collections::HashMap;

/// Operators of one plan that are kept.
pub const OPERATORS_CAP: usize = 1_000;
/// Bytes of what an operator works on that are kept.
const DETAIL_CAP: usize = 400;
/// Columns by which a child stands further in than its parent.
const STEP: usize = 3;

/// One operator of a plan.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Operator {
    /// How far below the plan's root.
    pub depth: usize,
    /// Its number in the plan, where operators are numbered.
    pub number: Option<u32>,
    /// What it is: `BatchEvalPython`, `Scan parquet default.orders`.
    pub name: Box<str>,
    /// Which stretch of generated code it is part of.
    pub codegen: Option<u32>,
    /// What it works on: functions with the ids of their columns, keys, conditions; shortened.
    pub detail: Box<str>,
}

impl Operator {
    /// Whether it hands rows to Python.
    pub fn is_python(&self) -> bool {
        const MARKS: [&str; 4] = ["Python", "InPandas", "InArrow", "WithState"];
        MARKS.iter().any(|mark| self.name.contains(mark))
    }

    /// Whether it brings every row of one side together with every row of the other.
    pub fn is_cartesian(&self) -> bool {
        self.name.starts_with("CartesianProduct")
            || self.name.starts_with("BroadcastNestedLoopJoin")
    }

    /// Whether what lies below it runs in a stage of its own; its own writing belongs to that stage.
    pub fn ends_stage(&self) -> bool {
        self.name.ends_with("Exchange")
    }
}

/// The operators of a plan from its root on; of an adaptive plan the newest, which the last of its texts holds.
pub fn operators(text: &str) -> Vec<Operator> {
    const HEADING: &str = "== Physical Plan ==";
    let plan = text
        .rfind(HEADING)
        .map_or(text, |at| &text[at + HEADING.len()..]);
    let mut lines = plan.trim_start_matches(['\n', '\r']).lines();
    let mut operators = Vec::new();
    // Further in than this, an adaptive plan tells what it was before.
    let mut before = None;
    for line in lines.by_ref().take_while(|line| !line.trim().is_empty()) {
        let name_at = line
            .find(|c: char| !" :+-|".contains(c))
            .unwrap_or(line.len());
        let (depth, rest) = (name_at / STEP, &line[name_at..]);
        if before.is_some_and(|limit| depth >= limit) {
            continue;
        }
        before = None;
        if rest.starts_with("== ") {
            before = rest.contains("Initial Plan").then_some(depth);
        } else if operators.len() < OPERATORS_CAP {
            operators.extend(operator(depth, rest));
        }
    }
    let mut details = details(lines);
    for operator in &mut operators {
        let told = operator.number.and_then(|number| details.remove(&number));
        if let Some((codegen, detail)) = told {
            operator.codegen = codegen.or(operator.codegen);
            operator.detail = detail.into();
        }
    }
    operators
}

/// `* Project (3)`, `*(2) Project [id#1L]`, `Scan csv  (1)`
fn operator(depth: usize, text: &str) -> Option<Operator> {
    let mut rest = text.trim();
    let mut codegen = None;
    if let Some(starred) = rest.strip_prefix('*') {
        rest = starred.trim_start();
        if let Some((id, after)) = rest.strip_prefix('(').and_then(|r| r.split_once(')'))
            && let Ok(id) = id.parse()
        {
            (codegen, rest) = (Some(id), after.trim_start());
        }
    }
    let (name, number, detail) = if let Some((name, number)) = numbered(rest) {
        (name, Some(number), "")
    } else {
        let (name, detail) = rest.split_at(name_ends(rest));
        (name.trim_end(), None, detail.trim())
    };
    (!name.is_empty()).then(|| Operator {
        depth,
        number,
        name: beginning(name, DETAIL_CAP).into(),
        codegen,
        detail: beginning(detail, DETAIL_CAP).into(),
    })
}

/// `Scan csv  (1)`, `ShuffleQueryStage (6), Statistics(sizeInBytes=16.0 B)`: the name and the number behind it.
fn numbered(text: &str) -> Option<(&str, u32)> {
    let (name, rest) = match text.split_once("), Statistics(") {
        Some((head, _)) => head.rsplit_once(" (")?,
        None => text.strip_suffix(')')?.rsplit_once(" (")?,
    };
    Some((name.trim_end(), rest.parse().ok()?))
}

/// Where the name of an operator without a number ends and what it works on begins.
fn name_ends(text: &str) -> usize {
    let end = text.find(['[', '(', ' ']).unwrap_or(text.len());
    // `Scan ExistingRDD[id#1]`, `FileScan parquet [id#1]`, `Execute InsertIntoHadoopFsRelationCommand …`
    if text[end..].starts_with(' ')
        && (text[..end].ends_with("Scan") || text[..end].ends_with("Execute"))
    {
        let next = &text[end + 1..];
        return end + 1 + next.find(['[', '(', ' ']).unwrap_or(next.len());
    }
    end
}

/// What stands below the tree: the id of generated code and what the operator works on, by number.
fn details<'t>(lines: impl Iterator<Item = &'t str>) -> HashMap<u32, (Option<u32>, String)> {
    let mut all: HashMap<u32, (Option<u32>, String)> = HashMap::new();
    let mut current = None;
    for line in lines {
        if let Some((number, rest)) = line.strip_prefix('(').and_then(|r| r.split_once(") "))
            && let Ok(number) = number.parse::<u32>()
        {
            let codegen = rest
                .split_once("[codegen id : ")
                .and_then(|(_, id)| id.trim_end().strip_suffix(']')?.parse().ok());
            all.entry(number).or_insert((codegen, String::new()));
            current = Some(number);
        } else if line.trim().is_empty() {
            current = None;
        } else if let Some((_, detail)) = current.and_then(|number| all.get_mut(&number)) {
            let (key, value) = line.split_once(':').unwrap_or(("", line));
            let value = value.trim();
            // Columns that come in and go out are many and say little.
            let plumbing = [
                "Input",
                "Output",
                "Batched",
                "ReadSchema",
                "Aggregate Attributes",
                "Results",
            ];
            if value.is_empty()
                || value == "[]"
                || value.parse::<u64>().is_ok()
                || plumbing.iter().any(|word| key.starts_with(word))
            {
                continue;
            }
            if detail.len() < DETAIL_CAP {
                let key = key.split(" [").next().unwrap_or(key).trim();
                if !detail.is_empty() {
                    detail.push_str(" · ");
                }
                if key != "Arguments" {
                    detail.push_str(key);
                    detail.push(' ');
                }
                detail.push_str(beginning(value, DETAIL_CAP));
            }
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    const ADAPTIVE: &str = "== Physical Plan ==
AdaptiveSparkPlan (12)
+- == Final Plan ==
   * HashAggregate (7)
   +- ShuffleQueryStage (6), Statistics(sizeInBytes=16.0 B)
      +- Exchange (5)
         +- * Project (3)
            +- BatchEvalPython (2)
               +- Scan csv  (1)
+- == Initial Plan ==
   HashAggregate (11)
   +- BatchEvalPython (8)


(1) Scan csv 
Output [1]: [country#46]
Location: InMemoryFileIndex [file:/data/lake/orders.csv]

(2) BatchEvalPython
Input [1]: [country#46]
Arguments: [f(country#46)#48, g(a#1)#2L], [pythonUDF0#61]

(3) Project [codegen id : 1]
Output [1]: [pythonUDF0#61 AS x#51]

(7) HashAggregate [codegen id : 2]
Keys: []
Functions [1]: [max(x#51)]
";

    fn told(text: &str) -> Vec<String> {
        let told = operators(text).into_iter().map(|o| {
            let number = o.number.map_or_else(String::new, |n| format!(" #{n}"));
            let codegen = o.codegen.map_or_else(String::new, |n| format!(" *{n}"));
            format!("{} {}{number}{codegen} | {}", o.depth, o.name, o.detail)
        });
        told.collect()
    }

    #[test]
    fn the_newest_of_an_adaptive_plan_is_read_with_what_its_operators_work_on() {
        assert_eq!(
            told(ADAPTIVE),
            [
                "0 AdaptiveSparkPlan #12 | ",
                "1 HashAggregate #7 *2 | Functions [max(x#51)]",
                "2 ShuffleQueryStage #6 | ",
                "3 Exchange #5 | ",
                "4 Project #3 *1 | ",
                "5 BatchEvalPython #2 | [f(country#46)#48, g(a#1)#2L], [pythonUDF0#61]",
                "6 Scan csv #1 | Location InMemoryFileIndex [file:/data/lake/orders.csv]",
            ]
        );
    }

    #[test]
    fn plans_without_numbers_are_read_too() {
        let text = "== Parsed Logical Plan ==\nProject [x]\n\n== Physical Plan ==\n*(2) HashAggregate(keys=[], functions=[sum(id#0L)])\n+- Exchange SinglePartition\n   +- *(1) Project [id#0L]\n      :- FileScan parquet [id#0L] Batched: true\n      +- BatchEvalPython [f(id#0L)], [id#0L, pythonUDF0#4]\n";
        assert_eq!(
            told(text),
            [
                "0 HashAggregate *2 | (keys=[], functions=[sum(id#0L)])",
                "1 Exchange | SinglePartition",
                "2 Project *1 | [id#0L]",
                "3 FileScan parquet | [id#0L] Batched: true",
                "3 BatchEvalPython | [f(id#0L)], [id#0L, pythonUDF0#4]",
            ]
        );
    }

    #[test]
    fn a_cut_or_foreign_text_gives_what_can_be_read_of_it() {
        for end in 0..ADAPTIVE.len() {
            operators(&ADAPTIVE[..end]);
        }
        assert_eq!(operators(""), []);
        let deep: Vec<_> = (0..3_000)
            .map(|n| format!("{}+- A ({n})", " ".repeat(3 * n)))
            .collect();
        assert_eq!(operators(&deep.join("\n")).len(), OPERATORS_CAP);
    }
}
