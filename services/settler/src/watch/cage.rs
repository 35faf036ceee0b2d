//! Chips outside of play: counted and impressed in time.
//!
//! The place of a count is its `location`. One whose name has the word `sealed` is a locked and sealed
//! compartment, which is counted once a year; `commingled` is a mixed sample, counted every six months;
//! any other is counted every month. A deadline runs from a count that was told of.

use std::collections::BTreeMap;

use catwalk_events::body::Body;
use catwalk_events::{Event, Timestamp};
use catwalk_rules::equipment::ChipRule;
use serde::{Deserialize, Serialize};

use super::{AtTable, DAY, Sighting, is_past, make_room};

/// So many places are kept, the one counted longest ago first to go.
const MAX_PLACES: usize = 64;

/// The last count and the last impressment of each place.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct Cage {
    counted: BTreeMap<String, Done>,
    impressed: BTreeMap<String, Done>,
}

#[derive(Debug, Serialize, Deserialize)]
struct Done {
    at: Timestamp,
    seq: u64,
    told: bool,
}

impl Cage {
    /// A count may be among what is missing.
    pub(super) fn lose(&mut self) {
        *self = Cage::default();
    }

    pub(super) fn see(&mut self, event: &Event, table: &AtTable<'_>, seen: &mut Vec<Sighting>) {
        let Some(rule) = &table.chapter.chips else {
            return;
        };
        let now = || Done {
            at: event.at,
            seq: event.seq,
            told: false,
        };
        for (place, done) in &mut self.counted {
            let days = days(rule, place);
            let message =
                format!("The chips of {place} were not counted for more than {days} days");
            done.check("chips.inventory_overdue", place, days, message, event, seen);
        }
        for (place, done) in &mut self.impressed {
            let days = rule.impress_days;
            let message =
                format!("The chips of {place} were not impressed for more than {days} days");
            done.check("chips.impress_overdue", place, days, message, event, seen);
        }
        match &event.body {
            Body::ChipsCounted(counted) => {
                let place = counted.location.as_deref().unwrap_or("the house");
                self.counted.insert(place.to_owned(), now());
                make_room(&mut self.counted, MAX_PLACES, |done| done.seq);
            }
            Body::Impressment(impressed) => {
                let place = impressed.location.as_deref().unwrap_or("the table");
                self.impressed.insert(place.to_owned(), now());
                make_room(&mut self.impressed, MAX_PLACES, |done| done.seq);
            }
            _ => {}
        }
    }

    pub(super) fn turn_back(&mut self, now: Timestamp, table: &AtTable<'_>) {
        let Some(rule) = &table.chapter.chips else {
            return;
        };
        let counted = self.counted.iter_mut();
        let counted = counted.map(|(place, done)| (days(rule, place), done));
        let impressed = self.impressed.values_mut();
        for (days, done) in counted.chain(impressed.map(|done| (rule.impress_days, done))) {
            done.told &= is_past(done.at, now, days * DAY);
        }
    }
}

impl Done {
    fn check(
        &mut self,
        code: &'static str,
        place: &str,
        days: i64,
        message: String,
        event: &Event,
        seen: &mut Vec<Sighting>,
    ) {
        if !self.told && is_past(self.at, event.at, days * DAY) {
            self.told = true;
            let evidence = vec![self.seq, event.seq];
            seen.push(Sighting::overdue(code, place, evidence, message));
        }
    }
}

fn days(rule: &ChipRule, place: &str) -> i64 {
    let has = |word: &str| place.to_ascii_lowercase().contains(word);
    match place {
        _ if has("sealed") => rule.sealed_days,
        _ if has("commingled") => rule.commingled_days,
        _ => rule.inventory_days,
    }
}
