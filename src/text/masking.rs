//! [`Masking`]: whether secrets are masked in what is shown or leaves; [`masking`] says it for a while and counts.
//!
//! It holds for the thread that tells. Every text passes [`sanitise`](super::sanitise()), from wherever it is told, so what
//! holds is not handed from hand to hand: whoever forgot to would leak. Where nobody said anything, secrets are masked.

use std::cell::RefCell;
use std::collections::hash_map::DefaultHasher;
use std::collections::{BTreeMap, HashSet};
use std::fmt;
use std::hash::{Hash, Hasher};

/// What is masked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Masking {
    /// Passwords, keys, tokens.
    pub secrets: bool,
    /// E-mail addresses, too.
    pub emails: bool,
}

impl Masking {
    /// Nothing is masked.
    pub const NONE: Self = Self {
        secrets: false,
        emails: false,
    };
}

impl Default for Masking {
    fn default() -> Self {
        Self {
            secrets: true,
            emails: false,
        }
    }
}

/// How many different secrets were masked, by kind.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Masked(BTreeMap<String, usize>);

impl Masked {
    /// Of all kinds.
    pub fn total(&self) -> usize {
        self.0.values().sum()
    }

    /// Kind by kind.
    pub fn kinds(&self) -> impl Iterator<Item = (&str, usize)> {
        self.0.iter().map(|(kind, count)| (kind.as_str(), *count))
    }
}

/// `3 secrets (2 × password, 1 × AWS key id)`.
impl fmt::Display for Masked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let total = self.total();
        let noun = if total == 1 { "secret" } else { "secrets" };
        write!(f, "{total} {noun} (")?;
        for (i, (kind, count)) in self.kinds().enumerate() {
            let comma = if i > 0 { ", " } else { "" };
            write!(f, "{comma}{count} × {kind}")?;
        }
        write!(f, ")")
    }
}

/// What holds now, and what was masked since.
#[derive(Default)]
struct Now {
    masking: Masking,
    /// Secrets that were met, by a hash: they are kept nowhere.
    met: HashSet<u64>,
    masked: Masked,
}

thread_local! {
    static NOW: RefCell<Now> = RefCell::default();
}

/// Runs `tell` while `masking` holds on this thread; also says what was masked meanwhile. What held before holds again
/// afterwards, also where `tell` panics.
pub fn masking<T>(masking: Masking, tell: impl FnOnce() -> T) -> (T, Masked) {
    struct Before(Option<Now>);
    impl Drop for Before {
        fn drop(&mut self) {
            if let Some(before) = self.0.take() {
                NOW.set(before);
            }
        }
    }
    let now = Now {
        masking,
        ..Now::default()
    };
    let before = Before(Some(NOW.replace(now)));
    let told = tell();
    let masked = masked_so_far();
    drop(before);
    (told, masked)
}

/// What was masked since what holds now began to hold.
pub fn masked_so_far() -> Masked {
    NOW.with_borrow(|now| now.masked.clone())
}

/// What holds now.
pub fn held() -> Masking {
    NOW.with_borrow(|now| now.masking)
}

/// Counts a secret that was masked, once however often it is met.
pub(super) fn note(kind: &str, secret: &str) {
    let mut hasher = DefaultHasher::new();
    secret.hash(&mut hasher);
    NOW.with_borrow_mut(|now| {
        if now.met.insert(hasher.finish()) {
            *now.masked.0.entry(kind.to_owned()).or_default() += 1;
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_held_before_holds_again() {
        let ((), masked) = masking(Masking::NONE, || {
            assert_eq!(held(), Masking::NONE);
            let ((), inner) = masking(Masking::default(), || {
                note("password", "a");
                note("password", "a");
                note("token", "b");
            });
            assert_eq!(inner.to_string(), "2 secrets (1 × password, 1 × token)");
            let _ =
                std::panic::catch_unwind(|| masking(Masking::default(), || panic!("on purpose")));
            assert_eq!(held(), Masking::NONE);
        });
        assert_eq!(masked.total(), 0);
        assert_eq!(held(), Masking::default());
    }
}
