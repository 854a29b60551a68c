//! In: a home. Out: Spark's own History Server over event logs of real runs, ended with the test.

use std::fs::{self, File};
use std::io::Cursor;
use std::net::TcpListener;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::spark::Spark;
use crate::terminal::{DEADLINE, Home, run};

/// The archives of two runs that failed.
pub(super) const LOGS: [&str; 2] = ["plain.zip", "rolling.zip"];

pub(super) struct Server {
    process: Child,
    pub(super) port: u16,
    /// Where TLS listens, if it does.
    pub(super) tls_port: u16,
}

impl Server {
    /// Starts one and waits until it answers; with TLS by a certificate that nobody signed, told to `ca.pem`.
    pub(super) fn start(home: &Home, tls: bool) -> Self {
        let logs = home.file("logs");
        fill(&logs);
        let (port, tls_port) = (free_port(), free_port());
        let mut command = Spark::version("4.1.4").java(home);
        let mut set = |name: &str, value: &str| {
            command.arg(format!("-Dspark.{name}={value}"));
        };
        set(
            "history.fs.logDirectory",
            &format!("file://{}", logs.display()),
        );
        set("history.ui.port", &port.to_string());
        if tls {
            certify(home);
            set("ssl.historyServer.enabled", "true");
            set("ssl.historyServer.protocol", "TLSv1.3");
            set("ssl.historyServer.port", &tls_port.to_string());
            set("ssl.historyServer.keyStoreType", "PKCS12");
            set(
                "ssl.historyServer.keyStore",
                &home.file("keys").display().to_string(),
            );
            set("ssl.historyServer.keyStorePassword", "changeit");
            set("ssl.historyServer.keyPassword", "changeit");
        }
        let log = File::create(home.file("server.log")).expect("a file");
        let process = command
            .arg("org.apache.spark.deploy.history.HistoryServer")
            .stdin(Stdio::null())
            .stdout(log.try_clone().expect("a file"))
            .stderr(log)
            .spawn()
            .expect("java starts");
        let server = Self {
            process,
            port,
            tls_port,
        };
        let until = Instant::now() + DEADLINE;
        // It listens once it has found the logs, and tells of them once it has read them.
        while home.read("server.log").matches("Finished parsing").count() < LOGS.len() + 1
            || !home.read("server.log").contains("and started at")
        {
            assert!(Instant::now() < until, "{}", home.read("server.log"));
            thread::sleep(Duration::from_millis(100));
        }
        server
    }

    pub(super) fn address(&self) -> String {
        format!("http://localhost:{}", self.port)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// A folder as Spark writes it: what the archives of a server hold, and a single file.
fn fill(folder: &Path) {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/data/event_logs");
    fs::create_dir_all(folder).expect("a folder");
    for archive in LOGS {
        let bytes = fs::read(data.join(archive)).expect("the archive is there");
        let mut archive = zip::ZipArchive::new(Cursor::new(bytes)).expect("an archive");
        archive.extract(folder).expect("unpacked");
    }
    fs::copy(
        data.join("fetch-failed.zstd"),
        folder.join("fetch-failed.zstd"),
    )
    .expect("copied");
}

/// A key and its certificate, as Java and as everybody else reads them.
fn certify(home: &Home) {
    let keys = home.file("keys").display().to_string();
    let keytool = |arguments: &[&str]| {
        run(Command::new("keytool").args(arguments).args([
            "-alias",
            "history",
            "-keystore",
            &keys,
            "-storetype",
            "PKCS12",
            "-storepass",
            "changeit",
        ]))
    };
    keytool(&[
        "-genkeypair",
        "-keyalg",
        "EC",
        "-validity",
        "30",
        "-dname",
        "CN=localhost",
        "-ext",
        "SAN=dns:localhost",
    ]);
    fs::write(home.file("ca.pem"), keytool(&["-exportcert", "-rfc"])).expect("written");
}

fn free_port() -> u16 {
    TcpListener::bind("127.0.0.1:0")
        .and_then(|free| free.local_addr())
        .expect("a free port")
        .port()
}
