//! All that the desk keeps of one incident, and how it is written down and read again.
//!
//! The state of a desk is in pieces, so that a commit writes what has changed and no more: a file an incident,
//! and the habits of each person.

use std::collections::{BTreeMap, BTreeSet};

use catwalk_events::Timestamp;
use serde::{Deserialize, Serialize};

use crate::act::Act;
use crate::deeds::{Done, Stage};
use crate::desk::{Counts, Desk};
use crate::habits::Habit;
use crate::incident::Incident;
use crate::journal::Place;

/// An incident leads further findings to itself by so many things that they have in common.
const MAX_LEADS: usize = 256;
/// So many acts that were refused are remembered of an incident.
const MAX_REFUSED: usize = 100;
/// The layout of what is written down.
const VERSION: u8 = 1;

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct File {
    pub(crate) incident: Incident,
    /// Acts that counted, and what was before each.
    pub(crate) history: Vec<Done>,
    /// Ids of acts that did not count.
    pub(crate) refused: BTreeSet<String>,
    /// What leads further findings here.
    #[serde(with = "pairs")]
    pub(crate) leads: BTreeMap<Common, Lead>,
    /// Its number among those that were closed.
    pub(crate) closed: Option<u64>,
}

/// What findings of one incident have in common.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub(crate) enum Common {
    Round {
        property: String,
        table: String,
        round: String,
    },
    Condition {
        property: String,
        table: String,
        class: String,
    },
    Hand {
        property: String,
        dealer: String,
        code: String,
    },
}

/// Until when something leads to an incident, and which finding said so: of two, the later is right.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Lead {
    pub(crate) until: Timestamp,
    pub(crate) since: u64,
}

impl File {
    pub(crate) fn of(incident: Incident) -> File {
        File {
            incident,
            history: Vec::new(),
            refused: BTreeSet::new(),
            leads: BTreeMap::new(),
            closed: None,
        }
    }

    pub(crate) fn did(&mut self, act: Act, before: Stage) {
        self.history.push(Done { act, before });
    }

    pub(crate) fn refuse(&mut self, act: &str) {
        if self.refused.len() < MAX_REFUSED {
            self.refused.insert(act.to_owned());
        }
    }

    /// Leads here from now on. Gives the oldest that does no more.
    pub(crate) fn lead(&mut self, common: Common, lead: Lead) -> Option<Common> {
        self.leads.insert(common, lead);
        if self.leads.len() <= MAX_LEADS {
            return None;
        }
        let oldest = self.leads.iter().min_by_key(|(_, lead)| lead.since);
        let oldest = oldest.map(|(common, _)| common.clone())?;
        self.leads.remove(&oldest);
        Some(oldest)
    }
}

/// What could not be written down or read again.
#[derive(Debug, thiserror::Error)]
pub enum StateError {
    #[error(
        "the state of the desk has layout {found}, this version of catwalk reads layout {VERSION}"
    )]
    Version { found: u8 },
    #[error("the state of the desk cannot be read: {0}")]
    Read(#[from] rmp_serde::decode::Error),
    #[error("the state of the desk cannot be written: {0}")]
    Write(#[from] rmp_serde::encode::Error),
}

pub(crate) fn write<T: Serialize>(state: &T) -> Result<Vec<u8>, StateError> {
    let mut bytes = vec![VERSION];
    rmp_serde::encode::write_named(&mut bytes, state)?;
    Ok(bytes)
}

pub(crate) fn read<T: for<'a> Deserialize<'a>>(bytes: &[u8]) -> Result<T, StateError> {
    match bytes {
        [VERSION, state @ ..] => Ok(rmp_serde::from_slice(state)?),
        other => Err(StateError::Version {
            found: other.first().copied().unwrap_or(0),
        }),
    }
}

/// A piece of the state: its key, and what to write there; `None` where the piece is gone.
pub(crate) type Piece = (String, Option<Vec<u8>>);

/// What the keys of pieces begin with.
const FILE: &str = "incident ";
const HABIT: &str = "habit ";
const ENTRY: &str = "entry ";
const NUMBERS: &str = "numbers";
const COUNTS: &str = "counts";

impl Desk {
    /// What has changed since it was last asked for.
    pub fn write_changed(&mut self) -> Result<Vec<Piece>, StateError> {
        let mut pieces = Vec::new();
        for id in std::mem::take(&mut self.gone) {
            pieces.push((format!("{FILE}{id}"), None));
        }
        for id in std::mem::take(&mut self.changed) {
            let Some(file) = self.files.get_mut(&id) else {
                continue;
            };
            // What leads elsewhere by now need not be kept.
            let leads = &self.leads;
            file.leads
                .retain(|common, _| leads.get(common).is_some_and(|(led, _)| *led == id));
            pieces.push((format!("{FILE}{id}"), Some(write(file)?)));
        }
        for habit in std::mem::take(&mut self.habits.gone) {
            pieces.push((habit_key(&habit), None));
        }
        for habit in std::mem::take(&mut self.habits.changed) {
            if let Some(rounds) = self.habits.of.get(&habit) {
                let value = write(&(&habit, rounds))?;
                pieces.push((habit_key(&habit), Some(value)));
            }
        }
        for place in std::mem::take(&mut self.journal.gone) {
            pieces.push((entry_key(&place), None));
        }
        let mut is_written = false;
        for place in std::mem::take(&mut self.journal.changed) {
            if let Some(entry) = self.journal.at(&place) {
                pieces.push((entry_key(&place), Some(write(entry)?)));
                is_written = true;
            }
        }
        if is_written {
            pieces.push((NUMBERS.to_owned(), Some(write(&self.journal.last)?)));
        }
        if !pieces.is_empty() {
            pieces.push((COUNTS.to_owned(), Some(write(&self.counts)?)));
        }
        Ok(pieces)
    }

    /// Takes back a piece that was written down. Pieces may come in any order.
    pub fn restore(&mut self, key: &str, value: &[u8]) -> Result<(), StateError> {
        if key.starts_with(FILE) {
            let file: File = read(value)?;
            let id = file.incident.id.clone();
            for part in &file.incident.findings {
                self.of_finding.insert(part.finding.id.clone(), id.clone());
            }
            for (common, lead) in &file.leads {
                let place = self.leads.entry(common.clone());
                let (led, known) = place.or_insert_with(|| (id.clone(), *lead));
                if known.since <= lead.since {
                    (*led, *known) = (id.clone(), *lead);
                }
            }
            if let Some(number) = file.closed {
                self.closed.insert(number, id.clone());
            }
            self.files.insert(id, file);
        } else if key.starts_with(HABIT) {
            let (habit, rounds) = read(value)?;
            self.habits.of.insert(habit, rounds);
        } else if key.starts_with(ENTRY) {
            self.journal.restore(read(value)?);
        } else if key == NUMBERS {
            self.journal.restore_numbers(read(value)?);
        } else if key == COUNTS {
            self.counts = read::<Counts>(value)?;
        }
        Ok(())
    }
}

fn entry_key((property, number): &Place) -> String {
    format!("{ENTRY}{:?}", (property, number))
}

fn habit_key(habit: &Habit) -> String {
    match habit {
        Habit::Dealer { property, dealer } => format!("{HABIT}{:?}", ("dealer", property, dealer)),
        Habit::Patron { property, player } => format!("{HABIT}{:?}", ("patron", property, player)),
        Habit::Object {
            property,
            object,
            code,
        } => format!("{HABIT}{:?}", ("object", property, object, code)),
    }
}

/// A map whose keys are no text, as a list of pairs.
mod pairs {
    use std::collections::BTreeMap;

    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    use super::{Common, Lead};

    pub(super) fn serialize<S: Serializer>(
        map: &BTreeMap<Common, Lead>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        let pairs: Vec<(&Common, &Lead)> = map.iter().collect();
        pairs.serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<BTreeMap<Common, Lead>, D::Error> {
        let pairs: Vec<(Common, Lead)> = Vec::deserialize(deserializer)?;
        Ok(pairs.into_iter().collect())
    }
}
