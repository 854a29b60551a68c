//! In: what a History Server knows. Out: a table of it as text, with how to open one of them.

use super::safe::Safe;
use crate::source::history::{Application, Jobs, Listing};
use std::fmt::Write as _;

/// Applications that are told; further ones are counted.
const MOST_TOLD: usize = 40;

/// The applications of a server, what failed first. Ends in a line end.
pub fn listing(server: &str, listing: &Listing) -> String {
    let server = Safe::line(server);
    let all = &listing.applications;
    if all.is_empty() {
        return format!(
            "{server} knows no application. It lists what has an event log: spark.eventLog.enabled=true, and \
             spark.eventLog.dir the folder that the server reads.\n"
        );
    }
    let rows: Vec<[Safe; 5]> = all.iter().take(MOST_TOLD).map(row).collect();
    let widths = [0, 1, 2, 3].map(|column| {
        let widths = rows.iter().map(|row| row[column].as_str().chars().count());
        widths.max().unwrap_or(0)
    });
    let mut text = String::new();
    for [id, state, started, took, name] in &rows {
        let [a, b, c, d] = widths;
        let _ = writeln!(
            text,
            "{id:<a$}  {state:<b$}  {started:<c$}  {took:>d$}  {name}"
        );
    }
    let untold = all.len().saturating_sub(MOST_TOLD);
    if untold > 0 || listing.more {
        let more = if listing.more { " at least" } else { "" };
        let _ = writeln!(text, "and{more} {untold} more");
    }
    let first = all
        .first()
        .map_or(String::new(), |first| first.run.to_string());
    let _ = write!(
        text,
        "\nOpen one by its id: causedby {server} {}\n",
        Safe::line(&first)
    );
    if all
        .iter()
        .any(|application| application.jobs == Jobs::NotAsked)
    {
        text.push_str(
            "`ended` says nothing of success: only the newest are asked for failed jobs, and only as long as the server \
             answers quickly. Asked again, it may tell more.\n",
        );
    }
    text
}

fn row(application: &Application) -> [Safe; 5] {
    let by = if application.user.is_empty() {
        String::new()
    } else {
        format!(" · {}", application.user)
    };
    [
        Safe::line(&application.run.to_string()),
        Safe::line(&application.state()),
        Safe::line(&application.began()),
        Safe::line(&application.took()),
        Safe::short(&format!("{}{by}", application.name), 60),
    ]
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "tests")]
    use super::*;
    use crate::source::history::RunId;
    use crate::text::Moment;

    #[test]
    fn a_list_tells_how_to_open_its_first_and_lets_no_escape_through() {
        let application = |id: &str, jobs| Application {
            run: RunId::parse(id).unwrap(),
            name: "nightly \x1b[31morders".to_owned(),
            user: "ann".to_owned(),
            spark: "4.1.4".to_owned(),
            started: Some(Moment::from_millis(1_796_015_318_494)),
            millis: Some(754_000),
            ended: true,
            jobs,
        };
        let known = Listing {
            applications: vec![
                application("application_1_2/1", Jobs::Failed(2)),
                application("app-7", Jobs::NotAsked),
            ],
            more: false,
        };
        let told = listing("http://h:18080", &known);
        let lines: Vec<_> = told.lines().collect();
        assert_eq!(
            lines[0],
            "application_1_2/1  2 jobs failed  2026-11-30 05:08  13 min  nightly ␛[31morders · ann"
        );
        assert!(
            lines[1].starts_with("app-7              ended          2026"),
            "{told}"
        );
        assert!(told.contains("causedby http://h:18080 application_1_2/1"));
        assert!(told.contains("`ended` says nothing"));
    }
}
