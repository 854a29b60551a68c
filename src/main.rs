//! The program: arguments in, a screen or a report out, an exit status at the end.

mod cli;
mod crash;
mod layouts;
mod open;
mod rules;
mod say;

use causedby::diagnosis;
use causedby::incident::{Incident, Role};
use causedby::load::{self, Case};
use causedby::report::{self, Format, Manner, Safe};
use causedby::source::Sources;
use causedby::text::{masking, sanitise, visible_line};
use causedby::ui::copy::How;
use causedby::ui::doctor::Doctor;
use causedby::ui::{self, At, Depth, Explore, Settings};
use cli::{Cli, Colour, Command, Look, Opened, Screen};
use open::{Ask, Named};
use say::{complain, print, tell};
use signal_hook::consts::SIGXFSZ;
use std::io::{self, IsTerminal as _};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;
use std::sync::Arc;

/// What could not be opened is told one by one so often; a folder may hold thousands of programs and pictures.
const REFUSALS_TOLD: usize = 8;

/// What could not be done, for the person at the other end: what, where, what to do.
type Failure = anyhow::Error;

fn main() -> ExitCode {
    crash::tell_panics();
    // A file that may grow no further is told as such, and does not end the program.
    let _ = signal_hook::flag::register(SIGXFSZ, Arc::default());
    let cli = match cli::parse() {
        Ok(cli) => cli,
        Err(status) => return status,
    };
    let masked = cli.look.masking();
    // Whatever is told, also of a failure, is told under it.
    let told = || {
        masking(masked, || {
            run(cli).unwrap_or_else(|failure| refused(&failure))
        })
    };
    // A fault was told by now; to scripts it is one of the ways in which nothing could be read.
    catch_unwind(AssertUnwindSafe(told)).map_or(ExitCode::from(2), |(status, _)| status)
}

fn refused(failure: &Failure) -> ExitCode {
    complain(&format!("{failure:#}"));
    ExitCode::from(2)
}

fn run(cli: Cli) -> Result<ExitCode, Failure> {
    match cli.command {
        None if cli.screen.print.config => {
            let options = options(cli.look, cli.screen)?;
            complain_of(&options.wrong);
            tell(&ui::print_config(&options)?)?;
            Ok(ExitCode::SUCCESS)
        }
        None if cli.screen.print.keys => {
            tell(&ui::print_keys(&options(cli.look, cli.screen)?)?)?;
            Ok(ExitCode::SUCCESS)
        }
        None => explore(&cli.opened, cli.look, cli.screen),
        Some(Command::Report(report)) => {
            let case = read(&Named::of(&report.opened)?, &reading_told())?;
            is_there(&case, report.incident)?;
            let manner = Manner {
                all: report.all,
                colour: coloured(cli.look),
                incident: report.incident,
            };
            tell(&report::render(&case, report.format(), manner))?;
            let failed = ExitCode::from(u8::from(report.fail && fatal(&case).is_some()));
            Ok(whole(&case, failed))
        }
        Some(Command::Root(opened)) => {
            complain_of(&layouts::add_own());
            let case = read(&Named::of(&opened)?, &without_rules())?;
            match fatal(&case) {
                Some(incident) => {
                    tell(&format!("{}\n", Safe::line(&incident.root().text)))?;
                    Ok(whole(&case, ExitCode::SUCCESS))
                }
                None => Ok(whole(&case, ExitCode::FAILURE)),
            }
        }
        Some(Command::Doctor { copy }) => {
            let how = clipboard(cli.look, &Settings::load()?)?;
            tell(&Doctor::examine(how).to_string())?;
            for wrong in reading().1 {
                tell(&format!("{:<16} {}\n", "not used", sanitise(&wrong)))?;
            }
            if !copy {
                return Ok(ExitCode::SUCCESS);
            }
            let trial = Doctor::try_copy(how);
            tell(&format!("{:<16} {}\n", "trial", sanitise(&trial.said)))?;
            Ok(ExitCode::from(u8::from(trial.doubtful)))
        }
        Some(Command::Explain { name }) => {
            let name = name.join(" ");
            if let Some(meaning) = diagnosis::explain(&name) {
                tell(&format!("{}\n", sanitise(meaning.trim())))?;
                return Ok(ExitCode::SUCCESS);
            }
            let like = match diagnosis::like(&name) {
                Some(like) => format!("did you mean {like}?"),
                None => "a class, an error condition, an SQLSTATE, an exit code or a setting of Spark is".to_owned(),
            };
            complain(&format!(
                "`{}` is not known; {like}",
                Safe::short(&name, 120)
            ));
            Ok(ExitCode::FAILURE)
        }
        Some(Command::Rules { wanted }) => rules::run(wanted),
        Some(Command::Man { command }) => {
            print(&cli::manual(command.as_deref())?)?;
            Ok(ExitCode::SUCCESS)
        }
        Some(Command::Completions { shell }) => {
            print(&cli::completions(shell))?;
            Ok(ExitCode::SUCCESS)
        }
    }
}

/// Without a terminal to draw on, the report is what can be shown.
fn explore(opened: &Opened, look: Look, screen: Screen) -> Result<ExitCode, Failure> {
    let mut named = Named::of(opened)?;
    if !io::stdout().is_terminal() {
        if let Some((server, listing)) = named.choice()? {
            tell(&report::listing(&server, &listing))?;
            return Ok(ExitCode::SUCCESS);
        }
        let case = read(&named, &reading_told())?;
        let incident = screen.incident.map(|n| n as usize);
        is_there(&case, incident)?;
        let manner = Manner {
            colour: coloured(look),
            incident,
            ..Manner::default()
        };
        tell(&report::render(&case, Format::Text, manner))?;
        return Ok(whole(&case, ExitCode::SUCCESS));
    }
    let mut options = options(look, screen)?;
    if let Some((server, listing)) = named.choice()? {
        match ui::choose(&server, &listing, &options)? {
            Some(run) => named.choose(run),
            None => return Ok(ExitCode::SUCCESS),
        }
    }
    options.again = named.words();
    let open = named.opening(Ask::Now)?;
    let reopen = || {
        anyhow::ensure!(!named.is_piped(), "what was piped in cannot be read again");
        named.opening(Ask::WhenRead)
    };
    if let Some(nothing) = ui::explore(open, &reopen, options)? {
        tell_unopened(&nothing)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// What was asked for, else what the person's own settings say.
fn options(look: Look, screen: Screen) -> Result<Explore, Failure> {
    let settings = Settings::load()?;
    let (reading, wrong) = reading();
    let depth = match look.color {
        Colour::Never => Depth::Mono,
        Colour::Auto => Depth::detect(|name| std::env::var(name).ok()),
        Colour::Always => {
            Depth::detect(|name| std::env::var(name).ok().filter(|_| name != "NO_COLOR"))
        }
    };
    Ok(Explore {
        clipboard: clipboard(look, &settings)?,
        theme: screen.theme.or(settings.theme),
        depth,
        mouse: !screen.no_mouse && settings.mouse.unwrap_or(true),
        wrap: settings.wrap.unwrap_or(false),
        sessions: !screen.no_session && settings.sessions.unwrap_or(true),
        again: None,
        keymap: screen.keymap,
        wrong,
        at: screen
            .at
            .or(screen.incident.map(|n| At::incident(n as usize))),
        ticket: |case, incident| {
            let manner = Manner {
                incident: Some(incident + 1),
                ..Manner::default()
            };
            report::render(case, Format::Markdown, manner)
        },
        reading: load::Options {
            follow: screen.follow,
            ..reading
        },
    })
}

fn clipboard(look: Look, settings: &Settings) -> Result<How, Failure> {
    How::chosen(look.clipboard, settings.clipboard).map_err(Failure::msg)
}

/// Opens and reads everything; what could not be opened is told, and an error where that was all.
fn read(named: &Named, options: &load::Options) -> Result<Case, Failure> {
    if let Some((server, listing)) = named.choice()? {
        let listing = report::listing(&server, &listing);
        anyhow::bail!("which application of {server}?\n\n{listing}");
    }
    let sources = named.opening(Ask::Now)?();
    tell_unopened(&sources)?;
    let told = sources.refused.len();
    let case = load::load(sources, options);
    // What is piped in is looked into only when all of it has arrived.
    tell_refusals(&case.sources, told)?;
    anyhow::ensure!(
        !named.is_piped() || case.sources.list.iter().any(|source| source.bytes > 0),
        "nothing arrived on standard input: name a log, a folder or an archive; `causedby --help` shows how"
    );
    Ok(case)
}

/// Says what could not be opened; an error where nothing could be.
fn tell_unopened(sources: &Sources) -> Result<(), Failure> {
    tell_refusals(sources, 0)?;
    anyhow::ensure!(
        !sources.list.is_empty(),
        "there is nothing to read in what was named: no file in it"
    );
    Ok(())
}

/// Says which inputs were not read, or not to their end, past the first `told`; an error where there are no others.
fn tell_refusals(sources: &Sources, told: usize) -> Result<(), Failure> {
    let refused = sources.refused.get(told..).unwrap_or_default();
    for refusal in refused.iter().take(REFUSALS_TOLD) {
        let told = format!("{}: {}", refusal.name, refusal.reason);
        anyhow::ensure!(
            !sources.list.is_empty(),
            "cannot read {}",
            visible_line(&told)
        );
        complain(&format!("not read: {}", Safe::line(&told)));
    }
    let more = refused.len().saturating_sub(REFUSALS_TOLD);
    if more > 0 {
        complain(&format!(
            "not read: {more} more; `causedby report --all` lists them"
        ));
    }
    Ok(())
}

/// By the person's own layouts and rules beside those that are built in; and what is to be said of those that cannot be used.
fn reading() -> (load::Options, Vec<String>) {
    let mut wrong = layouts::add_own();
    let (rules, of_rules) = rules::own();
    wrong.extend(of_rules);
    let options = load::Options {
        rules,
        ..load::Options::default()
    };
    (options, wrong)
}

/// The same with all said where there is no screen to say it on.
fn reading_told() -> load::Options {
    let (options, wrong) = reading();
    complain_of(&wrong);
    options
}

fn complain_of(wrong: &[String]) {
    for wrong in wrong {
        complain(&format!("not used: {wrong}"));
    }
}

/// What happened, without what to do about it.
fn without_rules() -> load::Options {
    load::Options {
        diagnose: false,
        ..load::Options::default()
    }
}

/// `status`, but where a fault of the program itself left something out, which was told by then.
fn whole(case: &Case, status: ExitCode) -> ExitCode {
    if case.met_fault() {
        ExitCode::from(2)
    } else {
        status
    }
}

/// Whether there is such an incident, where one is asked for.
fn is_there(case: &Case, incident: Option<usize>) -> anyhow::Result<()> {
    let known = case.story.incidents.len();
    if let Some(n) = incident {
        let were = if known == 1 { "was" } else { "were" };
        anyhow::ensure!(
            (1..=known).contains(&n),
            "there is no incident {n}: {known} {were} found; `--incident` counts them from 1"
        );
    }
    Ok(())
}

/// The incident that ended the run.
fn fatal(case: &Case) -> Option<&Incident> {
    case.story
        .incidents
        .iter()
        .find(|incident| incident.role == Role::Fatal)
}

fn coloured(look: Look) -> bool {
    match look.color {
        Colour::Always => true,
        Colour::Never => false,
        Colour::Auto => {
            let refused = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
            !refused && io::stdout().is_terminal()
        }
    }
}
