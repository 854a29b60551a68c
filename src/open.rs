//! In: what the arguments name: files, or a History Server and one of its runs. Out: what opens it as [`Sources`].

use crate::cli::Opened;
use anyhow::Context as _;
use causedby::load;
use causedby::source::history::{Address, Listing, RunId, Server, Trust};
use causedby::source::{Origin, Sources};
use causedby::ui::Opening;
use std::io::{self, IsTerminal as _};
use std::path::PathBuf;
use std::sync::Arc;

/// What was named, taken apart but not opened.
pub(crate) struct Named {
    demo: bool,
    paths: Vec<PathBuf>,
    server: Option<Arc<Server>>,
    /// The server's address, and how it is trusted, as they were typed.
    address: Vec<String>,
    run: Option<RunId>,
}

/// When a server is asked.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ask {
    /// At once, so that a failure ends the program with its message.
    Now,
    /// When the logs are read, so that nothing waits for it before.
    WhenRead,
}

impl Named {
    /// Takes the arguments apart.
    ///
    /// # Errors
    /// Where nothing was named, an address cannot be used, or runs of more than one kind are meant.
    pub(crate) fn of(opened: &Opened) -> anyhow::Result<Self> {
        let mut named = Self {
            demo: opened.demo,
            paths: Vec::new(),
            server: None,
            address: Vec::new(),
            run: None,
        };
        for path in &opened.paths {
            match path.to_str() {
                Some(text) if Address::is_one(text) => {
                    anyhow::ensure!(
                        named.server.is_none(),
                        "only one History Server can be asked at a time"
                    );
                    let address = Address::parse(text)?;
                    let trust = if opened.insecure {
                        Trust::Any
                    } else {
                        Trust::OfMachine
                    };
                    named.server = Some(Arc::new(Server::new(&address, trust, |name| {
                        std::env::var(name).ok()
                    })?));
                    named.run = address.run;
                    named.address = vec![text.to_owned()];
                    if opened.insecure {
                        named.address.push("--insecure".to_owned());
                    }
                }
                // Behind an address, what is no file names a run.
                Some(text) if named.server.is_some() && !path.exists() => {
                    let run = RunId::parse(text).with_context(|| {
                        format!("`{text}` is neither a file nor the id of an application")
                    })?;
                    anyhow::ensure!(
                        named.run.is_none(),
                        "only one application can be opened at a time: tasks and stages of several would be taken \
                         for those of one"
                    );
                    named.run = Some(run);
                }
                _ => named.paths.push(path.clone()),
            }
        }
        if opened.paths.is_empty() && !opened.demo {
            anyhow::ensure!(
                !io::stdin().is_terminal(),
                "nothing to open: name a log, a folder or an archive, pipe a log in, or try `causedby --demo`; \
                 `causedby --help` shows how"
            );
            named.paths.push("-".into());
        }
        Ok(named)
    }

    /// Whether standard input is read: only once.
    pub(crate) fn is_piped(&self) -> bool {
        self.paths.contains(&"-".into())
    }

    /// The words of a command line that opens the same again, in any folder; `None` where there are none: for what is
    /// piped in, and for an address with a password in it.
    pub(crate) fn words(&self) -> Option<Vec<String>> {
        if self.demo {
            return Some(vec!["--demo".to_owned()]);
        }
        if self.is_piped() || self.address.iter().any(|word| word.contains('@')) {
            return None;
        }
        let paths = self.paths.iter().map(|path| {
            let whole = path.canonicalize().or_else(|_| std::path::absolute(path));
            Some(whole.ok()?.to_str()?.to_owned())
        });
        let mut words: Vec<String> = paths.collect::<Option<_>>()?;
        words.extend(self.address.iter().cloned());
        let named = |run: &String| !self.address.iter().any(|word| word.contains(run));
        words.extend(self.run.as_ref().map(RunId::to_string).filter(named));
        Some(words)
    }

    /// What the server knows, where no run of it was named.
    pub(crate) fn choice(&self) -> anyhow::Result<Option<(String, Listing)>> {
        match (&self.server, &self.run) {
            (Some(server), None) => Ok(Some((server.name(), server.applications()?))),
            _ => Ok(None),
        }
    }

    /// Takes that run.
    pub(crate) fn choose(&mut self, run: RunId) {
        self.run = Some(run);
    }

    /// What opens what was named. A server is asked by then, where it is to be.
    ///
    /// # Errors
    /// Where the server does not give the logs.
    pub(crate) fn opening(&self, ask: Ask) -> anyhow::Result<Opening> {
        if self.demo {
            return Ok(Box::new(load::demo));
        }
        let logs = self.logs(ask)?;
        let paths = self.paths.clone();
        Ok(Box::new(move || {
            let mut sources = Sources::open(&paths);
            if let Some((name, origin)) = logs {
                sources.add_stream(&name, origin);
            }
            sources
        }))
    }

    /// The name and the origin of what the server gives, where one was named.
    fn logs(&self, ask: Ask) -> anyhow::Result<Option<(String, Origin)>> {
        if let (Some(server), Some(run)) = (&self.server, &self.run) {
            let name = format!("{}.zip", run.to_string().replace('/', "_"));
            let origin = match ask {
                Ask::Now => {
                    let logs = server.logs(run)?;
                    Origin::started(move || Ok(logs))
                }
                Ask::WhenRead => {
                    let (server, run) = (Arc::clone(server), run.clone());
                    Origin::started(move || server.logs(&run).map_err(|error| error.to_string()))
                }
            };
            return Ok(Some((name, origin)));
        }
        Ok(None)
    }
}
