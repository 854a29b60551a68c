//! In: a name (a class, a method, a host). Out: a [`Symbol`], shared by all that carry the same name.

use foldhash::fast::RandomState;
use std::borrow::Borrow;
use std::cmp::Ordering;
use std::collections::HashSet;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::Deref;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

/// A name that occurs again and again: cheap to clone, compared by content, read like a `str`.
#[derive(Clone)]
pub struct Symbol(Name);

/// A frame has three names, and a log of failures millions of frames: threads that count references to the same names
/// would wait for one another.
#[derive(Clone)]
enum Name {
    /// One that is kept as long as the program runs.
    Shared(&'static str),
    /// One of too many.
    Own(Arc<str>),
}

/// Names kept for sharing; beyond this many, further names are simply not shared, so that a log made
/// to fill memory with names cannot do so through this table.
const MOST_SHARED: usize = 1 << 16;
/// Longer names are not shared either: they are rarely repeated.
const LONGEST_SHARED: usize = 256;

static SHARED: LazyLock<Mutex<HashSet<&'static str, RandomState>>> = LazyLock::new(Mutex::default);

impl Symbol {
    /// The symbol of `name`.
    pub fn new(name: &str) -> Self {
        if name.is_empty() {
            return Self(Name::Shared(""));
        }
        if name.len() > LONGEST_SHARED {
            return Self(Name::Own(name.into()));
        }
        let mut shared = SHARED.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = shared.get(name) {
            return Self(Name::Shared(known));
        }
        if shared.len() >= MOST_SHARED {
            return Self(Name::Own(name.into()));
        }
        let known = Box::leak(Box::<str>::from(name));
        shared.insert(known);
        Self(Name::Shared(known))
    }

    /// The name itself.
    pub fn as_str(&self) -> &str {
        match &self.0 {
            Name::Shared(name) => name,
            Name::Own(name) => name,
        }
    }
}

impl PartialEq for Symbol {
    fn eq(&self, other: &Self) -> bool {
        self.as_str() == other.as_str()
    }
}

impl Eq for Symbol {}

impl PartialOrd for Symbol {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Symbol {
    fn cmp(&self, other: &Self) -> Ordering {
        self.as_str().cmp(other.as_str())
    }
}

impl Hash for Symbol {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.as_str().hash(state);
    }
}

impl Deref for Symbol {
    type Target = str;
    fn deref(&self) -> &str {
        self.as_str()
    }
}

impl Borrow<str> for Symbol {
    fn borrow(&self) -> &str {
        self.as_str()
    }
}

impl From<&str> for Symbol {
    fn from(name: &str) -> Self {
        Self::new(name)
    }
}

impl fmt::Display for Symbol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self)
    }
}

impl fmt::Debug for Symbol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_names_are_kept_once() {
        let (a, b) = (
            Symbol::new("java.io.EOFException"),
            Symbol::new("java.io.EOFException"),
        );
        assert!(std::ptr::eq(a.as_str(), b.as_str()));
        assert_eq!(a, b);
    }
}
