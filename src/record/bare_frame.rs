//! In: a line's bytes. Out: its text, where it is a frame of a JVM's stack trace and nothing else.
//!
//! A log of failures is frames for nine tenths. There is nothing to take off from such a line and no head to find in it,
//! so it is passed on as it stands; a test holds what comes of that against what comes of the long way.

/// What class, method, file and number are made of: nothing that a shipper, an encoder or a terminal writes.
const NAME: [bool; 256] = {
    let mut name = [false; 256];
    let mut b = 0_u8;
    while b < 128 {
        name[b as usize] = b.is_ascii_alphanumeric()
            || matches!(
                b,
                b'.' | b'_' | b'$' | b'/' | b'<' | b'>' | b'-' | b':' | b'@'
            );
        b += 1;
    }
    name
};

/// What each begins with.
pub(super) const BEGINS: &[u8] = b"\tat ";

/// The line as text: a tab, `at`, names, and one pair of brackets at its end. That of a source that wears a dress may
/// be more than it looks like.
pub(super) fn text(bytes: &[u8]) -> Option<&str> {
    let rest = bytes.strip_prefix(BEGINS)?.strip_suffix(b")")?;
    let named = rest.iter().take_while(|b| NAME[usize::from(**b)]).count();
    let inside = rest.get(named..)?.strip_prefix(b"(")?;
    let whole = named > 0
        && (matches!(inside, b"Unknown Source" | b"Native Method")
            || inside.iter().all(|b| NAME[usize::from(*b)]));
    // Nothing but ASCII got here.
    whole.then(|| std::str::from_utf8(bytes).ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::dress::Dress;
    use crate::record::layout::LAYOUTS;
    use crate::record::undress::{Role, Undressed};
    use crate::record::{Cutter, RawLine, Record, aggregate};
    use crate::text::SourceId;
    use proptest::prelude::*;

    fn frame() -> impl Strategy<Value = String> {
        let name = r"[a-zA-Z0-9_.$/<>@:-]{1,30}";
        let inside = prop_oneof![
            r"[A-Z][a-z]{1,9}\.(java|scala):[0-9]{1,4}",
            "[a-zA-Z0-9_.$/<>@:-]{0,20}",
            Just("Unknown Source".to_owned()),
            Just("Native Method".to_owned()),
        ];
        (name, inside).prop_map(|(name, inside)| format!("\tat {name}({inside})"))
    }

    proptest! {
        #[test]
        fn the_long_way_finds_nothing_in_it_either(line in frame()) {
            let dress = Dress::default();
            prop_assert_eq!(text(line.as_bytes()), Some(line.as_str()));
            let long = Undressed::taken_apart(line.as_bytes(), dress);
            prop_assert_eq!(&long, &Undressed::new(line.as_bytes(), dress));
            prop_assert_eq!(long.pieces.len(), 1);
            prop_assert_eq!(&long.pieces[0].text, &line);
            prop_assert_eq!(&long.pieces[0].role, &Role::Plain);
            prop_assert!(long.lane.is_empty() && !long.partial && !long.prose);
            prop_assert!(LAYOUTS.find(&line).is_none());
            prop_assert!(aggregate::heading(&line).is_none() && !aggregate::goes_on(&line));
        }

        #[test]
        fn records_are_cut_the_same_the_long_way(
            lines in prop::collection::vec(prop_oneof![
                4 => frame(),
                1 => Just("24/01/02 03:04:05 ERROR Executor: Exception in task 1.0".to_owned()),
                1 => Just("24/01/02 03:04:05 INFO X: y".to_owned()),
                1 => Just("Traceback (most recent call last):".to_owned()),
                1 => Just("\tat a.b(C.java:1) at d.e(F.java:2)".to_owned()),
                1 => Just("Container: container_1_2_01_000003 on dn7".to_owned()),
                1 => Just("2024-01-02T03:04:05.678Z stdout P half".to_owned()),
                1 => Just("java.io.IOException: gone".to_owned()),
            ], 0..30),
        ) {
            let cut = |short: bool| {
                let mut cutter = Cutter::new(SourceId(0), Dress::default());
                cutter.frames_as_they_stand = short;
                let (mut records, mut start) = (Vec::new(), 0);
                for (number, line) in (1..).zip(&lines) {
                    cutter.feed(RawLine { start, line: number, bytes: line.as_bytes() }, &mut records);
                    start += line.len() as u64 + 1;
                }
                cutter.finish(&mut records);
                records.iter().map(Record::unfolded).collect::<Vec<_>>()
            };
            prop_assert_eq!(cut(true), cut(false));
        }
    }

    #[test]
    fn what_is_more_than_a_frame_goes_the_long_way() {
        for line in [
            "\tat a.b(C.java:1) ~[c.jar:?]",
            "\tat a.b(C.java:1) at d.e(F.java:2)",
            "\tat a.b(C.java:1)\r",
            "\tat a.<b>(größe.java:1)",
            "\tat a.&lt;init&gt;(C.java:1)",
            "    at a.b(C.java:1)",
            "\tat (C.java:1)",
            "\tat a.b(C.java:1))",
            "\tat a.b",
        ] {
            assert_eq!(text(line.as_bytes()), None, "{line}");
        }
    }
}
