//! In: nothing of the machine's own settings. Out: a home for one test, the program under test, and what it
//! is expected to say.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use portable_pty::CommandBuilder;
use tempfile::TempDir;

/// The program under test.
pub(crate) fn program() -> &'static str {
    env!("CARGO_BIN_EXE_causedby")
}

/// The root cause of the built-in incident, as the program itself prints it without a screen.
pub(crate) fn root_line() -> String {
    let printed = run(Command::new(program()).args(["root", "--demo"]));
    printed.trim_end().to_owned()
}

/// Fails the test where a program is missing, and says which package brings it.
pub(crate) fn need(program: &str, package: &str) {
    let found = Command::new("sh")
        .args(["-c", &format!("command -v {program}")])
        .stdout(Stdio::null())
        .status()
        .is_ok_and(|status| status.success());
    assert!(
        found,
        "this test runs {program}, which is not installed: apt-get install {package}"
    );
}

/// What a command prints; the test fails where the command does.
pub(crate) fn run(command: &mut Command) -> String {
    let output = command.stdin(Stdio::null()).output().expect("it starts");
    assert!(
        output.status.success(),
        "{command:?}: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8(output.stdout).expect("UTF-8")
}

/// The texts that a stream of bytes asks a terminal to put into its clipboard, in order.
pub(crate) fn clipboard_writes(bytes: &[u8]) -> Vec<String> {
    let stream = String::from_utf8_lossy(bytes);
    stream
        .split("\x1b]52;")
        .skip(1)
        .filter_map(|rest| rest.split(['\x07', '\x1b']).next())
        .map(|write| {
            // tmux before 3.4 drops the selector on the way.
            let payload = write.trim_start_matches('c').trim_start_matches(';');
            let text = STANDARD.decode(payload).expect("base64, whole");
            String::from_utf8(text).expect("UTF-8")
        })
        .collect()
}

/// A folder that is the home, the state folder and the place of sockets of one test.
pub(crate) struct Home(TempDir);

impl Home {
    pub(crate) fn new() -> Self {
        let folder = tempfile::Builder::new()
            .prefix("cb")
            .tempdir()
            .expect("a folder");
        // GNU screen insists.
        fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o700)).expect("ours");
        Self(folder)
    }

    pub(crate) fn path(&self) -> &Path {
        self.0.path()
    }

    pub(crate) fn file(&self, name: &str) -> PathBuf {
        self.path().join(name)
    }

    pub(crate) fn read(&self, name: &str) -> String {
        fs::read_to_string(self.file(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    /// A command with this home and nothing else in its environment that would change what it does.
    pub(crate) fn command(&self, program: &str, arguments: &[&str]) -> CommandBuilder {
        let mut command = CommandBuilder::new(program);
        command.args(arguments);
        command.env_clear();
        command.cwd(self.path());
        for (name, value) in self.variables() {
            command.env(name, value);
        }
        command
    }

    /// The same without a terminal.
    pub(crate) fn plain(&self, program: &str, arguments: &[&str]) -> Command {
        let mut command = Command::new(program);
        command.args(arguments).env_clear().current_dir(self.path());
        command.envs(self.variables());
        command
    }

    fn variables(&self) -> [(&'static str, String); 9] {
        let home = self.path().display().to_string();
        let path = std::env::var("PATH").unwrap_or_default();
        [
            ("PATH", format!("{path}:/usr/sbin:/usr/bin:/bin")),
            ("HOME", home.clone()),
            ("XDG_STATE_HOME", home.clone()),
            ("XDG_CONFIG_HOME", home.clone()),
            ("TMUX_TMPDIR", home.clone()),
            ("SCREENDIR", home),
            ("SHELL", "/bin/sh".into()),
            ("TERM", "xterm-256color".into()),
            ("LANG", "C.UTF-8".into()),
        ]
    }
}
