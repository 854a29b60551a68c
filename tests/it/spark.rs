//! In: a version of Spark. Out: where `.ci/spark` installed it, and commands that run it.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::terminal::{Home, need};

/// PySpark of one version, in a Python environment of its own.
pub(crate) struct Spark {
    folder: PathBuf,
}

impl Spark {
    /// Fails the test where that version is not installed, and says what installs it.
    pub(crate) fn version(version: &str) -> Self {
        need("java", "openjdk-17-jre-headless");
        let cache = || {
            let home = PathBuf::from(std::env::var_os("HOME").expect("a home"));
            std::env::var_os("XDG_CACHE_HOME").map_or(home.join(".cache"), PathBuf::from)
        };
        let folder = std::env::var_os("CAUSEDBY_TEST_SPARK")
            .map_or_else(|| cache().join("causedby-tests"), PathBuf::from)
            .join(format!("pyspark-{version}"));
        assert!(
            folder.join("installed").is_file(),
            "this test runs Spark {version}, which is not in {}: .ci/spark {version}",
            folder.display()
        );
        Self { folder }
    }

    /// The environment's Python, to run a job with it in a home of its own. The event log goes to a folder
    /// `events` beside the job where there is one; the driver binds to this machine alone.
    pub(crate) fn job(&self, home: &Home, job: &Path) -> Command {
        let mut settings = String::from(
            "--conf spark.ui.enabled=false --conf spark.driver.bindAddress=127.0.0.1 \
             --conf spark.driver.host=127.0.0.1 --driver-memory 512m",
        );
        let events = job.with_file_name("events");
        if events.is_dir() {
            let _ = write!(
                settings,
                " --conf spark.eventLog.enabled=true --conf spark.eventLog.dir={}",
                events.display()
            );
        }
        let mut command = home.plain(&self.folder.join("bin/python").display().to_string(), &[]);
        command
            .arg(job)
            .env("PYSPARK_PYTHON", self.folder.join("bin/python"))
            .env("PYSPARK_SUBMIT_ARGS", format!("{settings} pyspark-shell"))
            .env("SPARK_LOCAL_IP", "127.0.0.1");
        command
    }

    /// A shell in which `spark-submit` and the environment's Python are found, in that home.
    pub(crate) fn shell(&self, home: &Home, script: &str) -> Command {
        let bin = self.folder.join("bin");
        let path = std::env::var("PATH").unwrap_or_default();
        let mut command = home.plain("bash", &["-c", script]);
        command
            .current_dir(home.path())
            .env("PATH", format!("{}:{path}", bin.display()))
            .env("PYSPARK_PYTHON", bin.join("python"))
            .env("SPARK_LOCAL_IP", "127.0.0.1");
        command
    }

    /// Java with Spark's classes; what to run comes last.
    pub(crate) fn java(&self, home: &Home) -> Command {
        let mut command = home.plain("java", &[]);
        command
            .arg("-cp")
            .arg(self.folder_of_pyspark().join("jars/*"));
        // What Spark's own launcher opens, and the class path alone does not.
        for package in ["java.lang", "java.nio", "sun.nio.ch"] {
            command.arg(format!("--add-opens=java.base/{package}=ALL-UNNAMED"));
        }
        command.arg("-Xmx512m").env("SPARK_LOCAL_IP", "127.0.0.1");
        command
    }

    fn folder_of_pyspark(&self) -> PathBuf {
        let lib = self.folder.join("lib");
        let pythons = std::fs::read_dir(&lib).expect("an environment");
        let found = pythons
            .flatten()
            .map(|python| python.path().join("site-packages/pyspark"))
            .find(|folder| folder.is_dir());
        found.unwrap_or_else(|| panic!("no PySpark in {}", lib.display()))
    }
}
