//! In: what tmux says of itself and of the terminal it is shown on. Out: [`Client`]: whether a copy gets
//! through.

use super::tmux;

/// What is asked, in this order.
const FORMAT: &str =
    "#{version}\t#{client_tty}\t#{client_termname}\t#{client_termfeatures}\t#{set-clipboard}";

/// The tmux around this program and the terminal around tmux.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Client {
    /// The server's version, such as `3.3a`.
    pub version: String,
    /// TERM of the terminal around tmux; empty while nobody is attached.
    pub term: String,
    /// What tmux believes that terminal can do.
    pub features: String,
    /// The option of that name: `external` where it was never set.
    pub set_clipboard: String,
    /// Whether tmux knows a sequence to hand copies to that terminal; `None` where it does not say.
    pub takes_copies: Option<bool>,
}

impl Client {
    /// Asks the tmux of this process; `None` where none answers.
    pub fn here() -> Option<Self> {
        Self::look("tmux")
    }

    /// Whether it is shown inside another multiplexer.
    pub fn is_nested(&self) -> bool {
        self.term.starts_with("tmux") || self.term.starts_with("screen")
    }

    pub(super) fn look(program: &str) -> Option<Self> {
        let question = ["display-message", "-p", FORMAT, ";", "show-messages", "-T"];
        Self::read(&tmux::run(program, &question, "").ok()??)
    }

    /// The first line answers `FORMAT`; then follows a block for each terminal, in which `Ms` is the sequence
    /// for copies.
    fn read(answer: &str) -> Option<Self> {
        let (first, terminals) = answer.split_once('\n')?;
        let mut values = first.split('\t').map(str::to_owned);
        let mut next = || values.next();
        let (version, tty) = (next()?, next()?);
        let mut client = Self {
            version,
            term: next()?,
            features: next()?,
            set_clipboard: next()?,
            takes_copies: None,
        };
        let block = terminals.lines().skip_while(|line| {
            !(line.starts_with("Terminal ") && line.contains(&format!(" for {tty},")))
        });
        client.takes_copies = block
            .skip(1)
            .take_while(|line| !line.starts_with("Terminal "))
            .find_map(|line| line.split_once(" Ms: "))
            .map(|(_, sequence)| sequence != "[missing]");
        Some(client)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ANSWER: &str = "3.3a\t/dev/pts/7\tvt220\tbpaste,title\texternal\n\
        Terminal 0: xterm-256color for /dev/pts/70, flags=0x20:\n 192: Ms: (string) \\033]52;%p1%s;%p2%s\\a\n\
        Terminal 1: vt220 for /dev/pts/7, flags=0x20:\n   0: acsc: (string) x\n 192: Ms: [missing]\n";

    #[test]
    fn the_terminal_of_this_client_is_the_one_that_counts() {
        let client = Client::read(ANSWER).expect("an answer");
        assert_eq!(client.version, "3.3a");
        assert_eq!(client.term, "vt220");
        assert_eq!(client.takes_copies, Some(false));
        let other = ANSWER.replacen("/dev/pts/7\t", "/dev/pts/70\t", 1);
        let client = Client::read(&other).expect("an answer");
        assert_eq!(client.takes_copies, Some(true));
        assert!(!client.is_nested());
        let inner = Client::read(&ANSWER.replacen("vt220", "tmux-256color", 1));
        assert!(inner.expect("an answer").is_nested());
    }

    #[test]
    fn what_tmux_does_not_say_is_not_known() {
        let client = Client::read("3.1\t\t\t\toff\n").expect("an answer");
        assert_eq!(client.takes_copies, None);
        assert_eq!(Client::read(""), None);
        assert_eq!(Client::read("tmux\n"), None);
    }
}
