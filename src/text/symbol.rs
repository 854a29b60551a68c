//! In: a name (a class, a method, a host). Out: a [`Symbol`], shared by all that carry the same name.

use std::borrow::Borrow;
use std::collections::HashSet;
use std::fmt;
use std::ops::Deref;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

/// A name that occurs again and again: cheap to clone, compared by content, read like a `str`.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Symbol(Arc<str>);

/// Names kept for sharing; beyond this many, further names are simply not shared, so that a log made
/// to fill memory with names cannot do so through this table.
const MOST_SHARED: usize = 1 << 16;
/// Longer names are not shared either: they are rarely repeated.
const LONGEST_SHARED: usize = 256;

static SHARED: LazyLock<Mutex<HashSet<Symbol>>> = LazyLock::new(Mutex::default);

impl Symbol {
    /// The symbol of `name`.
    pub fn new(name: &str) -> Self {
        if name.len() > LONGEST_SHARED {
            return Self(name.into());
        }
        let mut shared = SHARED.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = shared.get(name) {
            return known.clone();
        }
        let symbol = Self(name.into());
        if shared.len() < MOST_SHARED {
            shared.insert(symbol.clone());
        }
        symbol
    }

    /// The name itself.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl Deref for Symbol {
    type Target = str;
    fn deref(&self) -> &str {
        &self.0
    }
}

impl Borrow<str> for Symbol {
    fn borrow(&self) -> &str {
        &self.0
    }
}

impl From<&str> for Symbol {
    fn from(name: &str) -> Self {
        Self::new(name)
    }
}

impl fmt::Display for Symbol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Debug for Symbol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", &*self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_names_share_one_allocation() {
        let (a, b) = (
            Symbol::new("java.io.EOFException"),
            Symbol::new("java.io.EOFException"),
        );
        assert!(Arc::ptr_eq(&a.0, &b.0));
        assert_eq!(a, b);
    }
}
