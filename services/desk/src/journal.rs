//! The room's daily log: numbered entries, apart from the files of incidents. Nobody edits one; a correction is
//! another entry. A shift is handed over by two of them, by two people.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use catwalk_events::Timestamp;
use catwalk_events::audit::{Action, Disposition, EntryKind, LogEntry};
use serde::{Deserialize, Serialize};

use crate::act::{Person, Role};

/// So many entries are kept to be looked at, over all properties; older ones are in the archive.
const KEPT: usize = 5_000;

/// An entry and who wrote it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    /// Its own, so that one that was sent twice counts once.
    pub id: String,
    pub property: String,
    pub table: Option<String>,
    pub by: Person,
    pub at: Timestamp,
    /// Of a hand-over: who takes over.
    pub to: Option<String>,
    pub said: LogEntry,
}

/// Why an entry is not taken.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotWritten {
    #[error("{0} is the id of another entry: make a new one")]
    OtherEntry(String),
    #[error("there is no entry {number} of {property} to refer to")]
    Unknown { property: String, number: u64 },
    #[error("entry {0} is no hand-over")]
    NoHandOver(u64),
    #[error("the hand-over {number} is to {to}, who takes it over, or a supervisor")]
    ToAnother { number: u64, to: String },
    #[error("{0} cannot take over from oneself: a hand-over is by two people")]
    FromOneself(String),
    #[error("the hand-over {number} was taken over by {by}")]
    Taken { number: u64, by: String },
}

/// All entries that are kept, and what is needed to go on.
#[derive(Debug, Default)]
pub struct Journal {
    /// The last number of each property: it outlives the entry.
    pub(crate) last: BTreeMap<String, u64>,
    entries: BTreeMap<Place, Entry>,
    of_id: HashMap<String, Place>,
    /// In the order in which they came, oldest first.
    order: BTreeSet<(Timestamp, Place)>,
    pub(crate) changed: BTreeSet<Place>,
    pub(crate) gone: BTreeSet<Place>,
}

/// A property and a number.
pub(crate) type Place = (String, u64);

impl Journal {
    /// May this be written? Gives it with its number, or the entry that it is once more.
    pub fn may(&self, mut entry: Entry) -> Result<Entry, NotWritten> {
        if let Some(known) = self.known(&entry.id) {
            return match known.is_sent_again_as(&entry) {
                true => Ok(known.clone()),
                false => Err(NotWritten::OtherEntry(entry.id)),
            };
        }
        if let Some(number) = entry.said.refers_to {
            self.may_refer(&entry, number)?;
        }
        entry.said.number = self.last(&entry.property) + 1;
        Ok(entry)
    }

    fn may_refer(&self, entry: &Entry, number: u64) -> Result<(), NotWritten> {
        let property = &entry.property;
        if number == 0 || number > self.last(property) {
            let property = property.clone();
            return Err(NotWritten::Unknown { property, number });
        }
        if entry.said.kind != EntryKind::TakeOver {
            return Ok(());
        }
        let offered = self.entries.get(&(property.clone(), number));
        let Some(offered) = offered.filter(|one| one.said.kind == EntryKind::HandOver) else {
            return Err(NotWritten::NoHandOver(number));
        };
        let me = &entry.by;
        if offered.by.id == me.id {
            return Err(NotWritten::FromOneself(me.id.clone()));
        }
        let is_mine = offered.to.as_ref() == Some(&me.id);
        if !is_mine && me.role < Role::SurveillanceSupervisor {
            let to = offered.to.clone().unwrap_or_default();
            return Err(NotWritten::ToAnother { number, to });
        }
        match self.taken_over(property, number) {
            Some(taken) => {
                let by = taken.by.id.clone();
                Err(NotWritten::Taken { number, by })
            }
            None => Ok(()),
        }
    }

    /// Who took a hand-over over.
    pub(crate) fn taken_over(&self, property: &str, number: u64) -> Option<&Entry> {
        let after = self.entries.range((property.to_owned(), number)..);
        let mut own = after.take_while(|((of, _), _)| of == property);
        let takes = |entry: &Entry| {
            entry.said.kind == EntryKind::TakeOver && entry.said.refers_to == Some(number)
        };
        own.find(|(_, entry)| takes(entry)).map(|(_, entry)| entry)
    }

    /// An entry of the log. One that was taken before changes nothing.
    pub fn take(&mut self, entry: Entry) -> bool {
        let place = entry.place();
        if self.of_id.contains_key(&entry.id) || self.entries.contains_key(&place) {
            return false;
        }
        self.put(place.clone(), entry);
        self.changed.insert(place);
        while self.order.len() > KEPT {
            let Some((_, oldest)) = self.order.pop_first() else {
                break;
            };
            if let Some(entry) = self.entries.remove(&oldest) {
                self.of_id.remove(&entry.id);
            }
            self.changed.remove(&oldest);
            self.gone.insert(oldest);
        }
        true
    }

    fn put(&mut self, place: Place, entry: Entry) {
        let last = self.last.entry(place.0.clone()).or_default();
        *last = place.1.max(*last);
        self.of_id.insert(entry.id.clone(), place.clone());
        self.order.insert((entry.at, place.clone()));
        self.entries.insert(place, entry);
    }

    /// Takes back one that was written down.
    pub(crate) fn restore(&mut self, entry: Entry) {
        self.put(entry.place(), entry);
    }

    pub(crate) fn restore_numbers(&mut self, last: BTreeMap<String, u64>) {
        for (property, number) in last {
            let last = self.last.entry(property).or_default();
            *last = number.max(*last);
        }
    }

    pub fn known(&self, id: &str) -> Option<&Entry> {
        self.entries.get(self.of_id.get(id)?)
    }

    pub(crate) fn at(&self, place: &Place) -> Option<&Entry> {
        self.entries.get(place)
    }

    /// By property and number.
    pub fn entries(&self) -> impl DoubleEndedIterator<Item = &Entry> {
        self.entries.values()
    }

    fn last(&self, property: &str) -> u64 {
        self.last.get(property).copied().unwrap_or_default()
    }
}

impl Entry {
    pub(crate) fn place(&self) -> Place {
        (self.property.clone(), self.said.number)
    }

    fn is_sent_again_as(&self, other: &Entry) -> bool {
        let what = |entry: &Entry| {
            let said = LogEntry {
                number: 0,
                ..entry.said.clone()
            };
            let whose = (entry.by.id.clone(), entry.property.clone());
            (whose, entry.table.clone(), entry.to.clone(), said)
        };
        what(self) == what(other)
    }

    /// As it is appended.
    pub(crate) fn to_disposition(&self) -> Disposition {
        Disposition {
            finding: String::new(),
            operator: self.by.id.clone(),
            action: Action::Entry,
            note: None,
            at: self.at,
            property: Some(self.property.clone()),
            table: self.table.clone(),
            id: Some(self.id.clone()),
            incident: None,
            role: Some(self.by.role.name().to_owned()),
            station: self.by.station.clone(),
            seen_acts: None,
            seen_findings: None,
            to: self.to.clone(),
            undoes: None,
            verdict: None,
            recovered_cents: None,
            case: None,
            reviewer: None,
            video: None,
            notified: Vec::new(),
            entry: Some(self.said.clone()),
        }
    }

    /// The entry that was appended; `None` for what is none.
    pub(crate) fn of_disposition(said: &Disposition) -> Option<Entry> {
        Some(Entry {
            id: said.id.clone()?,
            property: said.property.clone()?,
            table: said.table.clone(),
            by: Person {
                id: said.operator.clone(),
                role: Role::named(said.role.as_deref()?)?,
                station: said.station.clone(),
            },
            at: said.at,
            to: said.to.clone(),
            said: said.entry.clone()?,
        })
    }
}
