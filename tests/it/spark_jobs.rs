//! In: jobs that a real Spark runs. Out: what is said of the logs they leave.

use std::fs::{self, File};
use std::process::Stdio;

use serde_json::Value;

use crate::spark::Spark;
use crate::terminal::{Home, program, run};

/// One task of four divides by zero; its line number is part of what must be found.
const DIVIDES: &str = r#"from pyspark.sql import SparkSession, functions as F

spark = SparkSession.builder.master("local[2]").appName("divides").getOrCreate()


def inverse(x):
    return 1.0 / (x - 7)


inverse_udf = F.udf(inverse, "double")
print(spark.range(0, 12, 1, 4).select(inverse_udf("id").alias("y")).agg(F.sum("y")).collect())
"#;

#[test]
fn the_logs_of_a_job_that_failed_here_and_now_name_its_cause() {
    let home = Home::new();
    fs::create_dir(home.file("run")).expect("a folder");
    fs::create_dir(home.file("run/events")).expect("a folder");
    fs::write(home.file("run/divides.py"), DIVIDES).expect("written");
    let log = File::create(home.file("run/driver.log")).expect("a file");
    let ended = Spark::version("4.1.4")
        .job(&home, &home.file("run/divides.py"))
        .stdout(Stdio::null())
        .stderr(log)
        .status()
        .expect("Python starts");
    assert!(!ended.success(), "{}", home.read("run/driver.log"));

    let printed = run(home
        .plain(program(), &["report", "--format", "json"])
        .arg(home.file("run")));
    let report: Value = serde_json::from_str(&printed).expect("JSON");
    let fatal = &report["incidents"][0];
    assert_eq!(report["outcome"], "failed");
    assert_eq!(
        fatal["root"]["text"],
        "ZeroDivisionError: float division by zero"
    );
    assert_eq!(fatal["user_frame"]["function"], "inverse");
    assert_eq!(fatal["user_frame"]["line"], 7);
    assert_eq!(fatal["task"]["partition"], 2);
    let stages = report["stages"].as_array().expect("stages");
    let failed = stages.iter().find(|stage| stage["status"] == "failed");
    assert_eq!(failed.expect("a failed stage")["tasks"]["total"], 4);

    let plans = report["sql"].as_array().expect("executions");
    let operators = plans
        .iter()
        .flat_map(|sql| sql["plan"].as_array().expect("operators"));
    let failed: Vec<_> = operators.filter(|row| row["failed"] == true).collect();
    assert_eq!(failed.len(), 1, "{plans:#?}");
    let (name, detail) = (&failed[0]["name"], &failed[0]["detail"]);
    assert!(
        name.as_str().expect("a name").ends_with("EvalPython"),
        "{name}"
    );
    assert!(
        detail.as_str().expect("a text").contains("inverse(id#"),
        "{detail}"
    );
}
