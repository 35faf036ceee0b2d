//! The sections that an entry rests on.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};

use crate::Edition;

/// What an entry cites: the same words in every edition that has it, or `{ mgc-2017 = "4(b)", oh-jack-2017 = "5.B" }`
/// where each edition has a text of its own. `"-"` where one has no section that says so.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Cite {
    Everywhere(String),
    Each(BTreeMap<Edition, String>),
}

const NONE: &str = "-";

impl Cite {
    /// What it cites at tables of an edition.
    pub fn of(&self, edition: Edition) -> Option<&str> {
        let cite = match self {
            Cite::Everywhere(cite) => Some(cite),
            Cite::Each(cites) => cites.get(&edition),
        };
        cite.map(String::as_str).filter(|cite| *cite != NONE)
    }

    /// What it cites, whatever the edition: the first text that it names.
    pub fn first(&self) -> Option<&str> {
        let mut editions = Edition::ALL.into_iter();
        editions.find_map(|edition| self.of(edition))
    }

    pub(super) fn narrow(&mut self, edition: Edition) {
        let cite = self.of(edition).unwrap_or(NONE);
        *self = Cite::Everywhere(cite.to_owned());
    }

    /// What is wrong with it for an entry of these editions.
    pub(super) fn fault(&self, editions: &[Edition]) -> Option<String> {
        let (mut cites, named): (Vec<&String>, Option<Vec<Edition>>) = match self {
            Cite::Everywhere(cite) => (vec![cite], None),
            Cite::Each(cites) => (
                cites.values().collect(),
                Some(cites.keys().copied().collect()),
            ),
        };
        cites.retain(|cite| cite.trim().is_empty());
        if !cites.is_empty() {
            return Some("has no cite".to_owned());
        }
        let is_other = |named: &Vec<Edition>| named.as_slice() != editions;
        let other = named.filter(is_other);
        other.map(|_| "cites by edition: one for each that has it".to_owned())
    }
}

impl fmt::Display for Cite {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Cite::Everywhere(cite) => f.pad(cite),
            Cite::Each(cites) => {
                let cites = cites.iter().filter(|(_, cite)| *cite != NONE);
                let cites = cites.map(|(edition, cite)| format!("{edition} {cite}"));
                f.pad(&cites.collect::<Vec<String>>().join("; "))
            }
        }
    }
}
