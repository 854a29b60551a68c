//! The rules: every family has one, each is well formed, and messages as they are really printed get the
//! right bucket and family while near misses get none.

use causedby::diagnosis::{Bucket, Diagnosis, FAMILIES, NOTHING, Rulebook, StepKind};
use causedby::fact::{Frame, Owner};
use causedby::incident::{
    Cause, Evidence, Incident, Phase, Relation, Role, Side, SparkInfo, Story,
};
use causedby::text::{Place, SourceId, Symbol};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::io::Write as _;
use std::process::{Command, Stdio};

use crate::rules_table as table;

pub(crate) fn place(line: u64) -> Place {
    Place {
        source: SourceId(0),
        start: line * 80,
        bytes: 80,
        line,
        part: 0,
    }
}

pub(crate) fn cause(relation: Relation, class: &str, message: &str) -> Cause {
    let text = match (class, message) {
        ("", message) => message.to_owned(),
        (class, "") => class.to_owned(),
        (class, message) => format!("{class}: {message}"),
    };
    let sqlstate = message
        .split_once("SQLSTATE: ")
        .map(|(_, rest)| Symbol::new(rest.get(..5).unwrap_or_default()));
    Cause {
        relation,
        side: None,
        class: Symbol::new(class),
        message: message.into(),
        condition: None,
        sqlstate,
        place: place(7),
        text: text.into(),
        frames: Vec::new(),
    }
}

fn side(word: &str) -> Option<Side> {
    Some(match word {
        "python-driver" => Side::PythonDriver,
        "jvm-driver" => Side::JvmDriver,
        "python-worker" => Side::PythonWorker,
        "jvm-executor" => Side::JvmExecutor,
        "cluster" => Side::Cluster,
        _ => return None,
    })
}

fn phase(word: &str) -> Option<Phase> {
    Some(match word {
        "startup" => Phase::Startup,
        "analysis" => Phase::Analysis,
        "execution" => Phase::Execution,
        "write" => Phase::Write,
        "streaming" => Phase::Streaming,
        "shutdown" => Phase::Shutdown,
        _ => return None,
    })
}

/// A user's frame, `orders.py:88 parse_age`.
pub(crate) fn user_frame() -> Frame {
    Frame {
        class: Symbol::new(""),
        function: Symbol::new("parse_age"),
        file: Symbol::new("/home/etl/orders.py"),
        line: Some(88),
        code: Some("return int(value)".into()),
        owner: Owner::User,
        place: place(6),
    }
}

pub(crate) fn incident(chain: Vec<Cause>, side_word: &str, phase_word: &str) -> Incident {
    let root = chain.len() - 1;
    Incident {
        role: Role::Fatal,
        chain,
        root,
        evidence: Evidence::Root,
        next: Vec::new(),
        side: side(side_word),
        phase: phase(phase_word),
        user_frame: side_word.starts_with("python").then(user_frame),
        action_frame: None,
        task: None,
        attempts: Vec::new(),
        others: Vec::new(),
        verdict: None,
        trace: Vec::new(),
        occurrences: Vec::new(),
        count: 1,
        first: None,
        last: None,
        effect_of: None,
    }
}

pub(crate) fn story(incident: Incident, version: &str) -> Story {
    Story {
        spark: SparkInfo {
            version: (!version.is_empty()).then(|| version.to_owned()),
            ..SparkInfo::default()
        },
        incidents: vec![incident],
        ..Story::default()
    }
}

pub(crate) fn said_of(class: &str, message: &str, side_word: &str, phase_word: &str) -> Diagnosis {
    let chain = vec![cause(Relation::Top, class, message)];
    let story = story(incident(chain, side_word, phase_word), "3.5.1");
    Rulebook::built_in().diagnose(&story, &[]).remove(0)
}

#[test]
fn the_built_in_rules_can_be_used() {
    Rulebook::built_in().compile().expect("patterns compile");
    assert!(Rulebook::built_in().rules().count() >= 40);
}

#[test]
fn every_family_has_a_rule() {
    let covered: BTreeSet<&str> = Rulebook::built_in().rules().map(|r| r.family).collect();
    let missing: Vec<&str> = FAMILIES
        .iter()
        .map(|f| f.name)
        .filter(|name| *name != NOTHING && !covered.contains(name))
        .collect();
    assert_eq!(missing, Vec::<&str>::new());
}

#[test]
fn real_messages_get_their_bucket_and_family() {
    let mut wrong = String::new();
    for row in table::rows() {
        let [class, message, side, phase, bucket, family] = row;
        let said = said_of(class, message, side, phase);
        let got = said.fixes.first().map_or("-", |f| f.family.as_str());
        let got_bucket = said.bucket.map_or("-", Bucket::word);
        if (got, got_bucket) != (*family, *bucket) {
            let rule = said.fixes.first().map_or("-", |f| f.rule.as_str());
            let _ = writeln!(
                wrong,
                "{class}: {message:.90}\n    want {bucket} {family}, got {got_bucket} {got} by {rule}"
            );
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
    assert!(table::rows().count() >= 120);
}

#[test]
fn near_misses_get_no_fix() {
    for [class, message, side, phase] in table::NEAR_MISSES {
        let said = said_of(class, message, side, phase);
        let rules: Vec<&str> = said.fixes.iter().map(|f| f.rule.as_str()).collect();
        assert!(rules.is_empty(), "{class}: {message}: {rules:?}");
    }
}

#[test]
fn no_text_has_a_hole() {
    for row in table::rows() {
        let [class, message, side, phase, ..] = row;
        for version in ["", "4.0.1"] {
            let chain = vec![cause(Relation::Top, class, message)];
            let story = story(incident(chain, side, phase), version);
            let said = Rulebook::built_in().diagnose(&story, &[]).remove(0);
            for fix in &said.fixes {
                let kinds: Vec<StepKind> = fix.steps.iter().map(|s| s.kind).collect();
                assert!(kinds.is_sorted(), "{}: {kinds:?}", fix.rule);
                for kind in [StepKind::Check, StepKind::Fix, StepKind::Guard] {
                    assert!(kinds.contains(&kind), "{}: no {}", fix.rule, kind.word());
                }
                let texts = [&fix.title, &fix.why, &said.explanation];
                for text in texts
                    .into_iter()
                    .chain(fix.steps.iter().map(|step| &step.text))
                {
                    assert!(!text.trim().is_empty(), "{}", fix.rule);
                    assert!(!text.contains("``"), "{}: {text}", fix.rule);
                }
                assert!(!fix.evidence.is_empty(), "{}", fix.rule);
            }
        }
    }
}

#[test]
fn values_of_the_incident_are_filled_in() {
    let message = "[UNRESOLVED_COLUMN.WITH_SUGGESTION] A column or function parameter with name `custmer_id` cannot be resolved. Did you mean one of the following? [`customer_id`, `order_id`].;";
    let said = said_of("AnalysisException", message, "jvm-driver", "analysis");
    assert_eq!(
        said.fixes[0].title,
        "Write `customer_id` instead of `custmer_id`"
    );
    let said = said_of(
        "",
        "Container killed by YARN for exceeding physical memory limits. 8.2 GB of 8 GB physical memory used.",
        "cluster",
        "execution",
    );
    assert!(
        said.fixes[0].why.contains("8.2 GB of 8 GB"),
        "{:?}",
        said.fixes[0].why
    );
}

#[test]
fn the_root_wins_over_its_wrappers() {
    let chain = vec![
        cause(
            Relation::Top,
            "py4j.protocol.Py4JJavaError",
            "An error occurred while calling o41.collect.",
        ),
        cause(
            Relation::Wrapped,
            "org.apache.spark.SparkException",
            "Job aborted due to stage failure: Task 3 in stage 1.0 failed 4 times",
        ),
        cause(Relation::Worker, "ZeroDivisionError", "division by zero"),
    ];
    let story = story(incident(chain, "python-worker", "execution"), "3.5.1");
    let said = Rulebook::built_in().diagnose(&story, &[]).remove(0);
    assert_eq!(said.bucket, Some(Bucket::UserCode));
    assert_eq!(said.fixes[0].family, "guard-udf-input");
}

#[test]
fn an_unknown_failure_gets_no_fix() {
    let said = said_of("com.acme.Unheard", "wibble 7", "jvm-executor", "execution");
    assert_eq!(said.bucket, None);
    assert!(said.fixes.is_empty());
    // The SQLSTATE of a condition without a rule still tells the bucket, and a general step.
    let said = said_of(
        "SparkRuntimeException",
        "[NEGATIVE_VALUES_IN_FREQUENCY_EXPRESSION] x SQLSTATE: 22003",
        "jvm-executor",
        "execution",
    );
    assert_eq!(said.bucket, Some(Bucket::Data));
    assert_eq!(said.fixes[0].rule, "sqlstate-values");
}

#[test]
fn a_persons_own_rule_comes_before_built_in_ones_that_are_no_closer() {
    let folder = tempfile::tempdir().expect("a folder");
    let rule = |when: &str| {
        format!(
            "[[rule]]\nid = \"ours\"\nfamily = \"slow-down-requests\"\nbucket = \"io\"\ntitle = \"Ask for quota\"\n\
             means = \"m\"\nwhy = \"w\"\nwhen = [{{ {when} }}]\ncheck = [{{ text = \"c\" }}]\n\
             fix = [{{ text = \"f\" }}]\nguard = [{{ text = \"g\" }}]\n"
        )
    };
    let best = |when: &str, class: &str, message: &str| {
        std::fs::write(folder.path().join("own.toml"), rule(when)).expect("write");
        let book = Rulebook::with_own(folder.path()).expect("a good folder");
        let root = cause(Relation::Top, class, message);
        let run = story(incident(vec![root], "python-worker", "execution"), "4.1.0");
        book.diagnose(&run, &[])[0].fixes[0].rule.clone()
    };
    let limited = "rate limit exceeded: quota 0 left, retry after 180s";
    let ours = r#"class = ["RuntimeError"], message = "rate limit exceeded""#;
    assert_eq!(best(ours, "RuntimeError", limited), "ours");
    let unresolved =
        "[UNRESOLVED_COLUMN.WITH_SUGGESTION] A column `a` cannot be resolved. Did you mean [`b`]?";
    let broad = r#"class = ["AnalysisException"]"#;
    assert_ne!(best(broad, "AnalysisException", unresolved), "ours");
}

#[test]
fn a_folder_of_rules_overrides_by_id_and_names_what_is_wrong() {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |text: &str| std::fs::write(folder.path().join("own.toml"), text).expect("write");
    let rule = |when: &str, more: &str| {
        format!(
            "[[rule]]\nid = \"unresolved-column\"\nfamily = \"rename-column\"\nbucket = \"schema\"\n\
             title = \"Ours\"\nmeans = \"m\"\nwhy = \"w\"\nwhen = [{when}]\ncheck = [{{ text = \"c\" }}]\n\
             fix = [{{ text = \"f\" }}]\nguard = [{{ text = \"g\" }}]\n{more}"
        )
    };
    write(&rule("{ class = [\"Acme\"] }", ""));
    let book = Rulebook::with_own(folder.path()).expect("a good folder");
    assert_eq!(book.rules().count(), Rulebook::built_in().rules().count());
    let story = story(
        incident(
            vec![cause(Relation::Top, "Acme", "x")],
            "jvm-driver",
            "analysis",
        ),
        "",
    );
    assert_eq!(book.diagnose(&story, &[])[0].fixes[0].title, "Ours");

    for (text, rule_id, part) in [
        (rule("{ clas = [\"A\"] }", ""), "unresolved-column", "clas"),
        (
            rule("{ message = '(' }", ""),
            "unresolved-column",
            "when.message",
        ),
        (
            rule("{ class = [\"A\"] }", "weigth = 3\n"),
            "unresolved-column",
            "weigth",
        ),
        (
            rule("{ side = [\"moon\"] }", ""),
            "unresolved-column",
            "when.side",
        ),
        (rule("{ }", ""), "unresolved-column", "matches everything"),
        (
            rule("{ class = [\"A\"] }", "").replace("\"w\"", "\"{nowhere}\""),
            "unresolved-column",
            "nowhere",
        ),
        (
            rule("{ class = [\"A\"] }", "").replace("rename-column", "renam"),
            "unresolved-column",
            "family",
        ),
        ("x = 1".to_owned(), "?", "rule"),
    ] {
        write(&text);
        let error = Rulebook::with_own(folder.path())
            .expect_err(&text)
            .to_string();
        assert!(
            error.contains("own.toml") && error.contains(rule_id) && error.contains(part),
            "{error}"
        );
    }
}

/// Runs a checker over all snippets of a language at once; what it prints is what is wrong.
fn check_snippets(lang: &str, command: &[&str], script: impl Fn(&str, &str) -> String) {
    let snippets = Rulebook::built_in().snippets();
    let mut input = String::new();
    for (at, _, code) in snippets.iter().filter(|(_, l, _)| *l == lang) {
        input.push_str(&script(at, code));
    }
    assert!(!input.is_empty(), "no {lang} at all");
    let child = Command::new(command[0])
        .args(&command[1..])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn();
    // A machine without the interpreter cannot check its language; CI has both.
    let Ok(mut child) = child else { return };
    child
        .stdin
        .take()
        .expect("piped")
        .write_all(input.as_bytes())
        .expect("the checker reads all");
    let output = child.wait_with_output().expect("the checker ends");
    let said = String::from_utf8_lossy(&output.stdout).into_owned()
        + &String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && said.trim().is_empty(), "{said}");
}

#[test]
fn python_in_the_rules_parses() {
    let checker = "import ast, json, sys\n\
        for line in sys.stdin:\n    at, code = json.loads(line)\n    try:\n        ast.parse(code)\n    \
        except SyntaxError as e:\n        print(at, e, code)\n";
    check_snippets("python", &["python3", "-c", checker], |at, code| {
        serde_json::to_string(&(at, code)).expect("strings") + "\n"
    });
}

/// Names that mean the same in every script, and nothing without their import.
const IMPORTED: &str = "F T Window SparkSession SparkFiles StorageLevel pd np ps os re sys json time random requests inspect \
                        functools socket resource subprocess timeit cloudpickle";

#[test]
fn python_in_the_rules_imports_what_it_names() {
    let checker = "import ast, json, sys\n\
        wanted = set(sys.argv[1].split())\n\
        for line in sys.stdin:\n    at, code = json.loads(line)\n    nodes = list(ast.walk(ast.parse(code)))\n    \
        bound = {(a.asname or a.name).split('.')[0] for n in nodes if isinstance(n, (ast.Import, ast.ImportFrom)) for a in n.names}\n    \
        used = {n.id for n in nodes if isinstance(n, ast.Name)}\n    missing = (used & wanted) - bound\n    \
        if missing:\n        print(at, sorted(missing), code)\n";
    check_snippets(
        "python",
        &["python3", "-c", checker, IMPORTED],
        |at, code| serde_json::to_string(&(at, code)).expect("strings") + "\n",
    );
}

#[test]
fn shell_in_the_rules_parses() {
    check_snippets("shell", &["bash", "-n"], |at, code| {
        format!("# {at}\nif true; then\n{code}\nfi\n")
    });
}

#[test]
fn values_with_quotes_stay_out_of_code() {
    let said = said_of(
        "AnalysisException",
        "[PATH_NOT_FOUND] Path does not exist: file:/a';$(touch x).parquet SQLSTATE: 42K03",
        "jvm-driver",
        "analysis",
    );
    let code: BTreeMap<_, _> = said
        .fixes
        .iter()
        .flat_map(|f| &f.steps)
        .filter_map(|s| Some((s.text.clone(), s.code.clone()?)))
        .collect();
    assert!(!code.is_empty());
    for code in code.values() {
        assert!(!code.contains("touch"), "{code}");
    }
}
