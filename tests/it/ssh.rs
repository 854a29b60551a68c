//! Over SSH: a copy reaches the terminal of the machine that the person sits at.

use std::fs;
use std::net::TcpListener;
use std::process::{Child, Command, Stdio};

use crate::terminal::{Home, Pty, clipboard_writes, need, program, root_line, run};

const SSHD: &str = "/usr/sbin/sshd";

/// An SSH server on the loopback for this user, with keys made for the one test.
struct Server {
    process: Child,
    port: u16,
}

impl Server {
    fn start(home: &Home) -> Self {
        for key in ["host", "user"] {
            let file = home.file(key).display().to_string();
            run(Command::new("ssh-keygen").args(["-q", "-t", "ed25519", "-N", "", "-f", &file]));
        }
        // Where sshd is never run as a service, the folder it insists on is missing.
        let _ = fs::create_dir_all("/run/sshd");
        let port = TcpListener::bind("127.0.0.1:0")
            .and_then(|free| free.local_addr())
            .expect("a free port")
            .port();
        let path = |name: &str| home.file(name).display().to_string();
        let config = format!(
            "ListenAddress 127.0.0.1\nPort {port}\nHostKey {}\nAuthorizedKeysFile {}\nPidFile none\n\
             UsePAM no\nStrictModes no\nPasswordAuthentication no\nPermitRootLogin prohibit-password\n",
            path("host"),
            path("user.pub"),
        );
        fs::write(home.file("config"), config).expect("written");
        let process = Command::new(SSHD)
            .args(["-D", "-e", "-f", &path("config")])
            .stdin(Stdio::null())
            .stderr(fs::File::create(home.file("sshd.log")).expect("a file"))
            .spawn()
            .expect("sshd starts");
        Self { process, port }
    }
}

impl Server {
    /// Logs in from a terminal and runs `remote` there.
    fn log_in(&self, home: &Home, remote: &str) -> Pty {
        let user = run(Command::new("id").arg("-un"));
        let mut command = home.command("ssh", &["-tt", "-F", "none"]);
        command.args(["-p", &self.port.to_string(), "-o", "ConnectionAttempts=20"]);
        command.args(["-o", "StrictHostKeyChecking=no", "-o", "LogLevel=ERROR"]);
        command.args([
            "-o",
            "UserKnownHostsFile=/dev/null",
            "-o",
            "IdentitiesOnly=yes",
        ]);
        command.arg("-i");
        command.arg(home.file("user"));
        command.arg(format!("{}@127.0.0.1", user.trim()));
        command.arg(remote);
        Pty::start(command)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Copies the root cause and ends the program; the text must reach the near end.
fn copy_and_quit(home: &Home, mut pty: Pty) {
    pty.wait_for(&["FAILED"]);
    pty.press("ry");
    pty.wait_until("OSC 52 at the near end", |pty| {
        !clipboard_writes(&pty.bytes()).is_empty()
    });
    let written = clipboard_writes(&pty.bytes());
    assert!(written[0].contains(&root_line()), "{written:?}");
    assert_eq!(home.read("causedby/last-copy.txt"), written[0]);
    pty.press("q");
    assert!(pty.end().success(), "{}", home.read("sshd.log"));
    assert_eq!(pty.modes_left_on(), [""; 0]);
}

#[test]
fn a_copy_reaches_the_terminal_at_the_near_end() {
    need("ssh", "openssh-client");
    need(SSHD, "openssh-server");
    let home = Home::new();
    let server = Server::start(&home);
    let folder = home.path().display();
    let remote = format!("XDG_STATE_HOME={folder} exec {} --demo", program());
    copy_and_quit(&home, server.log_in(&home, &remote));
}

#[test]
fn a_copy_from_tmux_on_the_far_machine_reaches_the_terminal_at_the_near_end() {
    need("ssh", "openssh-client");
    need(SSHD, "openssh-server");
    need("tmux", "tmux");
    let home = Home::new();
    let server = Server::start(&home);
    let folder = home.path().display();
    let remote = format!(
        "export XDG_STATE_HOME={folder} TMUX_TMPDIR={folder}; \
         exec tmux -L test -f /dev/null new-session {} --demo",
        program()
    );
    copy_and_quit(&home, server.log_in(&home, &remote));
}
