//! [`LeftOut`]: of what there was more than is kept, so that it can be told.

use std::collections::BTreeMap;

/// Of what there was more than is kept, and how many of each are kept.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LeftOut(BTreeMap<&'static str, usize>);

impl LeftOut {
    /// There were more than `most` of them.
    pub fn note(&mut self, what: &'static str, most: usize) {
        self.0.insert(what, most);
    }

    /// What another tells as well.
    pub fn add(&mut self, other: &Self) {
        self.0.extend(&other.0);
    }

    /// What it is, and why not all of it is told.
    pub fn told(&self) -> impl Iterator<Item = (&'static str, String)> + '_ {
        let each = self.0.iter();
        each.map(|(what, most)| {
            (
                *what,
                format!("there are more than {most}; further ones are left out"),
            )
        })
    }
}
