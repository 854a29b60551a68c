//! In: what is explored, and the spot. Out: the command line that opens it again.

use super::at::At;
use crate::text::sanitise_line;

/// `causedby /logs/driver.log --at stage=7,pane=stages`
pub(in crate::ui) fn command_line(again: Option<&[String]>, at: &At) -> String {
    let mut words = vec!["causedby".to_owned()];
    match again {
        Some(again) => words.extend(again.iter().map(|word| quoted(word))),
        // What was piped in has to be piped in again.
        None => words.insert(0, "… |".to_owned()),
    }
    if *at != At::default() {
        words.push(format!("--at {}", quoted(&at.to_string())));
    }
    sanitise_line(&words.join(" ")).into_owned()
}

/// As a shell takes it for one word.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "-_./=:,+@%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shell_takes_every_path_for_one_word() {
        let words = ["/no where/it's.log".to_owned()];
        let at = "incident=2,log=a b:3".parse().expect("a spot");
        assert_eq!(
            command_line(Some(&words), &at),
            r"causedby '/no where/it'\''s.log' --at 'incident=2,log=a b:3'"
        );
        let demo = ["--demo".to_owned()];
        assert_eq!(command_line(Some(&demo), &At::default()), "causedby --demo");
        assert_eq!(command_line(None, &At::default()), "… | causedby");
    }
}
