//! In: the arguments. Out: what is wanted, as a [`Cli`]. Only this file knows clap.
#![expect(
    clippy::doc_markdown,
    reason = "these comments are the help, read in terminals"
)]

use crate::{refused, say};
use causedby::report::Format;
use causedby::text::{Masking, expand_tabs, sanitise};
use causedby::ui::copy::How;
use causedby::ui::{At, Theme};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::error::ErrorKind;
use clap::{Args, CommandFactory, Parser, Subcommand, ValueEnum};
use std::io;
use std::path::PathBuf;
use std::process::ExitCode;

/// Opens a Spark or PySpark failure and puts its root cause first.
///
/// Give it what you have: a driver log, a pasted trace, an executor's log, an event log, a folder or an archive of them.
/// In a terminal it opens the explorer; into a pipe it prints the text report.
#[derive(Debug, Parser)]
#[command(
    version,
    max_term_width = 100,
    subcommand_precedence_over_arg = true,
    after_help = "\
Examples:
  causedby driver-stderr.log                       explore a driver log
  causedby application_42.zip                      a bundle: driver, executors, event log
  yarn logs -applicationId ID | causedby           explore what is piped in
  causedby http://history:18080                    choose from what a History Server knows
  causedby http://history:18080 application_1_42   its event logs; add driver.log to see more
  causedby --follow driver.log                     explore a log while it is written
  causedby --demo                                  explore the built-in incident
  causedby driver.log | less                       the text report
  causedby report --format markdown logs/ > t.md   a ticket
  causedby report --format json --fail driver.log  for CI: status 1 where a fatal incident is found
  causedby root driver.log                         the root cause's line alone

A file that is called like a command is opened as ./report."
)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Option<Command>,
    #[command(flatten)]
    pub(crate) opened: Opened,
    #[command(flatten)]
    pub(crate) look: Look,
    #[command(flatten)]
    pub(crate) screen: Screen,
}

/// The explorer.
#[derive(Debug, Args)]
pub(crate) struct Screen {
    /// The explorer's colours, or a file of them [default: what fits the terminal]
    #[arg(long, value_name = "NAME", long_help = themes())]
    pub(crate) theme: Option<String>,
    /// Go on with logs that grow, are rotated or come to a folder; F in the program begins and ends it
    #[arg(long, short)]
    pub(crate) follow: bool,
    /// A file of keys over the built-in ones [default: keymap.toml in the configuration folder]
    #[arg(long, value_name = "FILE")]
    pub(crate) keymap: Option<PathBuf>,
    /// Leave the mouse to the terminal
    #[arg(long)]
    pub(crate) no_mouse: bool,
    /// Stand on the Nth incident at first
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..), conflicts_with = "at")]
    pub(crate) incident: Option<u32>,
    /// Stand on a spot at first, as the command `share` of the explorer prints it
    #[arg(long, value_name = "SPOT")]
    pub(crate) at: Option<At>,
    /// Neither go to where you left these logs the last time, nor remember it
    #[arg(long)]
    pub(crate) no_session: bool,
    #[command(flatten)]
    pub(crate) print: Printed,
}

/// What is printed instead of exploring.
#[derive(Debug, Args)]
pub(crate) struct Printed {
    /// Print what the explorer goes by here and where that is set, and end
    #[arg(long = "print-config")]
    pub(crate) config: bool,
    /// Print the keys in use as a keymap to start your own from, and end
    #[arg(long = "print-keys", conflicts_with = "config")]
    pub(crate) keys: bool,
}

fn themes() -> String {
    format!(
        "The explorer's colours: {}, one of your own in the folder `themes` of the configuration folder, or a file \
         [default: what fits the terminal]",
        Theme::names().join(", ")
    )
}

/// What is opened.
#[derive(Debug, Args)]
pub(crate) struct Opened {
    /// Files, folders and archives, or a History Server's address and the id of an application; `-` is standard input, which is also read where nothing is named and something is piped in
    #[arg(value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,
    /// Open the built-in incident
    #[arg(long, conflicts_with = "paths")]
    pub(crate) demo: bool,
    /// Accept whatever certificate a History Server shows
    #[arg(long)]
    pub(crate) insecure: bool,
}

/// How it looks.
#[derive(Debug, Clone, Copy, Args)]
pub(crate) struct Look {
    /// When to use colours; NO_COLOR in the environment is `never` unless this says otherwise
    #[arg(long, value_name = "WHEN", default_value = "auto", global = true)]
    pub(crate) color: Colour,
    /// How copies travel [default: auto, the best way from where it runs; CAUSEDBY_CLIPBOARD sets another]
    #[arg(long, value_name = "HOW", value_parser = way_to_copy(), global = true)]
    pub(crate) clipboard: Option<How>,
    /// Do not mask passwords, keys and tokens in what is shown, reported and copied
    #[arg(long, global = true)]
    pub(crate) show_secrets: bool,
    /// Mask e-mail addresses, too
    #[arg(long, global = true, conflicts_with = "show_secrets")]
    pub(crate) mask_emails: bool,
}

/// The names of [`How`], for help and completion.
fn way_to_copy() -> impl TypedValueParser<Value = How> {
    PossibleValuesParser::new(How::ALL.map(How::name)).try_map(|name| name.parse::<How>())
}

impl Look {
    /// What is masked.
    pub(crate) fn masking(self) -> Masking {
        Masking {
            secrets: !self.show_secrets,
            emails: self.mask_emails,
        }
    }
}

/// When to use colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Colour {
    /// On a terminal
    Auto,
    /// Also into a pipe
    Always,
    /// Not at all
    Never,
}

/// What is wanted instead of exploring.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Print the root cause and what follows from it
    #[command(after_help = "\
Exit status:
  0  it reported, whatever the outcome
  1  a fatal incident was found and --fail was given
  2  it could not read what it was given

Examples:
  causedby report driver.log
  causedby report --format json logs/ | jq -r '.incidents[0].root.text'
  spark-submit job.py 2>&1 | causedby report -
  causedby report --all --incident 2 driver.log")]
    Report(Report),
    /// Print the line of the root cause alone
    #[command(after_help = "\
Exit status:
  0  the line was printed
  1  nothing fatal was found, nothing was printed
  2  it could not read what it was given")]
    Root(Opened),
    /// Print what a screen and a copy find in this terminal, tmux, SSH and desktop
    #[command(after_help = "\
Exit status:
  0  always; with --copy, 1 where the copy may not have arrived

Examples:
  causedby doctor
  causedby doctor --copy                           then paste: did it arrive?
  causedby doctor --copy --clipboard osc52         another way")]
    Doctor {
        /// Also copy a line for trial
        #[arg(long)]
        copy: bool,
    },
    /// Say what a class, an error condition, an exit code or a setting means
    #[command(after_help = "\
Exit status:
  0  it is known
  1  it is not known

Examples:
  causedby explain org.apache.spark.SparkException
  causedby explain UNRESOLVED_COLUMN.WITH_SUGGESTION
  causedby explain exit code 137
  causedby explain spark.sql.ansi.enabled")]
    Explain {
        /// As the log prints it
        #[arg(required = true, allow_negative_numbers = true)]
        name: Vec<String>,
    },
    /// List the rules behind the fixes, show one, check and test your own
    #[command(after_help = "\
Examples:
  causedby rules list
  causedby rules show unresolved-column
  causedby rules check my-rules/
  causedby rules test mine.toml driver.log")]
    Rules {
        #[command(subcommand)]
        wanted: Rules,
    },
    /// Print the manual page, of the program or of one of its commands
    #[command(after_help = "\
Examples:
  causedby man | man -l -
  causedby man > ~/.local/share/man/man1/causedby.1
  causedby man report > ~/.local/share/man/man1/causedby-report.1")]
    Man {
        /// A command of these
        #[arg(value_parser = ["report", "root", "doctor", "explain", "rules", "man", "completions"])]
        command: Option<String>,
    },
    /// Print completions for a shell
    #[command(after_help = "\
Example:
  causedby completions bash > ~/.local/share/bash-completion/completions/causedby")]
    Completions {
        /// Which shell
        shell: clap_complete::Shell,
    },
}

/// What is wanted of the rules.
#[derive(Debug, Subcommand)]
pub(crate) enum Rules {
    /// One line a rule: id, family, bucket, file
    List,
    /// A rule as it stands in its file
    Show {
        /// Its id
        id: String,
    },
    /// Say whether rules can be used, and what in them would do nothing
    #[command(after_help = "\
Exit status:
  0  every rule can be used
  2  one cannot: the message names file, line, column, rule and field")]
    Check {
        /// A file, or a folder of *.toml files [default: rules in the configuration folder]
        path: Option<PathBuf>,
    },
    /// Say which rules hold for the failures of a log, those of a file among them
    #[command(after_help = "\
Exit status:
  0  a rule of the file is the best one for some failure
  1  none is
  2  a rule cannot be used, or a log cannot be read")]
    Test {
        /// The file with your rules
        file: PathBuf,
        #[command(flatten)]
        opened: Opened,
    },
}

/// What to report, and how.
#[derive(Debug, Args)]
pub(crate) struct Report {
    #[command(flatten)]
    pub(crate) opened: Opened,
    /// How to write it
    #[arg(long, short, default_value = "text")]
    format: Form,
    /// End with status 1 where a fatal incident was found
    #[arg(long)]
    pub(crate) fail: bool,
    /// Tell of the Nth incident instead of the first (text and markdown)
    #[arg(long, value_name = "N")]
    pub(crate) incident: Option<usize>,
    /// Leave nothing out, however long it gets (text and markdown)
    #[arg(long)]
    pub(crate) all: bool,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Form {
    /// For a terminal and a mail
    Text,
    /// For scripts: every field is described in the README
    Json,
    /// For a ticket
    Markdown,
}

impl Report {
    /// The format asked for.
    pub(crate) fn format(&self) -> Format {
        match self.format {
            Form::Text => Format::Text,
            Form::Json => Format::Json,
            Form::Markdown => Format::Markdown,
        }
    }
}

/// Reads the arguments; help, the version and mistakes are printed here and end the program with the status returned.
pub(crate) fn parse() -> Result<Cli, ExitCode> {
    let stray = |cli: Cli| {
        if cli.command.is_some() && (cli.opened.demo || !cli.opened.paths.is_empty()) {
            return Err(Cli::command().error(
                ErrorKind::ArgumentConflict,
                "paths and `--demo` go behind the command: causedby report driver.log",
            ));
        }
        Ok(cli)
    };
    Cli::try_parse().and_then(stray).map_err(|answer| {
        if answer.use_stderr() {
            // What was typed is quoted in the message, so it is cleaned like anything else that is shown.
            let told = answer.render().to_string();
            eprint!("{}", expand_tabs(&sanitise(&told)));
            return ExitCode::from(2);
        }
        say::written(|| answer.print())
            .map_or_else(|failure| refused(&failure), |()| ExitCode::SUCCESS)
    })
}

/// The manual page of the program, or of one of its commands.
pub(crate) fn manual(command: Option<&str>) -> io::Result<Vec<u8>> {
    let mut all = Cli::command();
    // Built, a command knows the whole of its name.
    all.build();
    let wanted = command.and_then(|name| all.find_subcommand(name)).cloned();
    let mut page = Vec::new();
    clap_mangen::Man::new(wanted.unwrap_or(all)).render(&mut page)?;
    Ok(page)
}

/// The completion script of a shell.
pub(crate) fn completions(shell: clap_complete::Shell) -> Vec<u8> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "causedby", &mut script);
    script
}
