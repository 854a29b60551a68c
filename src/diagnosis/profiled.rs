//! In: a profile that was printed. Out: what is remarkable about it, in the terms of a finding, where its figures prove it.

use crate::fact::{Frame, Measure, Owner, Profile, ProfileRow, Profiled};
use crate::incident::{Finding, FindingKind, Severity, Story};

/// Part of all from which on something is most of it.
const MOST: f64 = 0.5;
/// Seconds, and MiB, below which nobody has to do anything.
const SECONDS: f64 = 1.0;
const MEBIBYTES: f64 = 100.0;
/// What a function in Python calls to wait for somebody else.
const WAITS: [&str; 10] = [
    "time.sleep",
    "'connect' of '_socket.socket'",
    "'recv' of '_socket.socket'",
    "'recv_into' of '_socket.socket'",
    "'read' of '_ssl._SSLSocket'",
    "'do_handshake' of '_ssl._SSLSocket'",
    "'poll' of 'select.poll'",
    "'poll' of 'select.epoll'",
    "select.select",
    "_socket.getaddrinfo",
];
/// Those of them that the worker itself calls: it waits for its rows.
const OF_WORKER: [&str; 2] = [
    "'recv' of '_socket.socket'",
    "'recv_into' of '_socket.socket'",
];

/// What takes most in a profile, and the user's function that it is about.
pub(super) fn remarkable(story: &Story, profile: &Profile) -> Option<(Finding, Frame)> {
    let (kind, text, row) = match profile.measure {
        Measure::Time => of_time(story, profile)?,
        Measure::Memory => of_memory(story, profile)?,
    };
    let finding = Finding {
        kind,
        severity: Severity::Notable,
        text,
        ratio: None,
        task: None,
        evidence: vec![row.place],
    };
    let frame = Frame {
        class: row.file.clone(),
        function: row.function.clone(),
        file: row.file.clone(),
        line: row.line,
        code: row.code.clone(),
        owner: Owner::User,
        place: row.place,
    };
    Some((finding, frame))
}

fn of_time<'p>(
    story: &Story,
    profile: &'p Profile,
) -> Option<(FindingKind, String, &'p ProfileRow)> {
    if profile.total < SECONDS {
        return None;
    }
    let (whose, all) = (whose(story, profile), profile.amount(profile.total));
    let waits = |row: &&ProfileRow| {
        let of_worker = matches!(profile.of, Profiled::Rdd(_))
            && OF_WORKER.iter().any(|wait| row.function.contains(wait));
        row.owner == Owner::Python
            && !of_worker
            && WAITS.iter().any(|wait| row.function.contains(wait))
    };
    let waiting: f64 = profile.rows.iter().filter(waits).map(|row| row.own).sum();
    if profile.share(waiting) >= MOST {
        let longest = profile.hot().into_iter().find(waits)?;
        let share = profile.share(waiting) * 100.0;
        let times = times(longest);
        let text = format!(
            "{whose} spends {share:.0} % of its {all} waiting for something outside of it: {}{times}",
            longest.function
        );
        return Some((FindingKind::Waiting, text, profile.entry()?));
    }
    let hottest = *profile.hot().first()?;
    let share = profile.share(hottest.own);
    (share >= MOST && hottest.owner == Owner::User).then(|| {
        let text = format!(
            "{whose} spends {:.0} % of its {all} in {} ({}) itself{}",
            share * 100.0,
            hottest.function,
            hottest.spot(),
            times(hottest)
        );
        (FindingKind::HotFunction, text, hottest)
    })
}

fn of_memory<'p>(
    story: &Story,
    profile: &'p Profile,
) -> Option<(FindingKind, String, &'p ProfileRow)> {
    let hottest = *profile.hot().first()?;
    let is_most = profile.total >= MEBIBYTES && profile.share(hottest.own) >= MOST;
    (is_most && hottest.owner == Owner::User).then(|| {
        let text = format!(
            "{} of the {} that {} takes are added by {}:{}: {}",
            profile.amount(hottest.own),
            profile.amount(profile.total),
            whose(story, profile),
            hottest.file_name(),
            hottest.line.unwrap_or(0),
            hottest.code.as_deref().unwrap_or("")
        );
        (FindingKind::HotLine, text, hottest)
    })
}

/// `UDF 12 (corrected)`
fn whose(story: &Story, profile: &Profile) -> String {
    match story.name_of(profile) {
        "" => profile.whose(),
        name => format!("{} ({name})", profile.whose()),
    }
}

fn times(row: &ProfileRow) -> String {
    row.calls
        .map_or_else(String::new, |calls| format!(", in {calls} calls"))
}
