//! Sets of dice on the table: how many, inspected, and for how long.

use std::collections::BTreeMap;

use catwalk_events::body::{Body, Inspection};
use catwalk_events::{Event, Timestamp};
use serde::{Deserialize, Serialize};

use super::{Floor, HOUR, Sighting, is_past, once};

const HOURS_ON_TABLE: i64 = 24;
/// So many sets are kept; those that left the table first make room.
const MAX_SETS: usize = 64;

#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct DiceSets {
    sets: BTreeMap<String, DiceSet>,
}

#[derive(Debug, Default, Serialize, Deserialize)]
struct DiceSet {
    introduced: Option<(Timestamp, u64)>,
    inspection: Option<Inspection>,
    serials: Vec<String>,
    raised: Vec<String>,
}

impl DiceSets {
    pub(super) fn see(&mut self, event: &Event, floor: &Floor<'_>, seen: &mut Vec<Sighting>) {
        self.check_hours(event, seen);
        let seq = event.seq;
        match &event.body {
            Body::DiceIntroduced(introduced) => {
                let set = self.sets.entry(introduced.set.clone()).or_default();
                set.introduced = Some((event.at, seq));
                set.serials = introduced.serials.clone().unwrap_or_default();
                set.raised.clear();
                let rule = floor.rules.and_then(|rules| floor.equipment.dice(rules));
                if rule.is_some_and(|rule| !rule.permits_set(introduced.count)) {
                    let message = format!("Set {} has {} dice", introduced.set, introduced.count);
                    seen.push(Sighting::new("dice.set_size", vec![seq], message));
                }
                self.forget();
            }
            Body::DiceInspected(inspected) => {
                let set = self.sets.entry(inspected.set.clone()).or_default();
                set.inspection = Some(inspected.result);
                self.forget();
            }
            Body::DiceRemoved(removed) => self.take_away(&removed.set),
            Body::DiceCollected(collected) => self.take_away(&collected.set),
            Body::DiceDestroyed(destroyed) => drop(self.sets.remove(&destroyed.set)),
            Body::DiceRolled(rolled) => {
                let rule = floor.rules.and_then(|rules| floor.equipment.dice(rules));
                if let Some(rule) = rule
                    && rolled.dice.len() != rule.thrown
                {
                    let message = format!(
                        "{} dice were thrown instead of {}",
                        rolled.dice.len(),
                        rule.thrown
                    );
                    seen.push(Sighting::new("dice.wrong_number", vec![seq], message));
                }
                self.roll(rolled.serials.as_deref().unwrap_or_default(), seq, seen);
            }
            _ => {}
        }
    }

    fn roll(&mut self, serials: &[String], seq: u64, seen: &mut Vec<Sighting>) {
        let on_table = || self.sets.values().filter(|set| set.introduced.is_some());
        let known: Vec<&String> = on_table().flat_map(|set| &set.serials).collect();
        if !known.is_empty()
            && let Some(stray) = serials.iter().find(|serial| !known.contains(serial))
        {
            let message = format!("Die {stray} is not of a set on this table");
            seen.push(Sighting::new("dice.foreign", vec![seq], message));
        }
        for (name, set) in self
            .sets
            .iter_mut()
            .filter(|(_, set)| set.introduced.is_some())
        {
            let (code, what) = match set.inspection {
                None => ("dice.not_inspected", "was never inspected"),
                Some(Inspection::Fail) => ("dice.failed_inspection", "had failed its inspection"),
                Some(Inspection::Pass) => continue,
            };
            if once(&mut set.raised, code) {
                let introduced = set.introduced.map(|(_, seq)| seq);
                let evidence = introduced.into_iter().chain([seq]).collect();
                seen.push(Sighting::new(
                    code,
                    evidence,
                    format!("Set {name} was thrown and {what}"),
                ));
            }
        }
    }

    fn check_hours(&mut self, event: &Event, seen: &mut Vec<Sighting>) {
        for (name, set) in &mut self.sets {
            if let Some((since, seq)) = set.introduced
                && is_past(since, event.at, HOURS_ON_TABLE * HOUR)
                && once(&mut set.raised, "dice.overdue")
            {
                let message =
                    format!("Set {name} is on the table for more than {HOURS_ON_TABLE} hours");
                seen.push(Sighting::new("dice.overdue", vec![seq, event.seq], message));
            }
        }
    }

    fn take_away(&mut self, name: &str) {
        if let Some(set) = self.sets.get_mut(name) {
            set.introduced = None;
            set.inspection = None;
        }
    }

    fn forget(&mut self) {
        while self.sets.len() > MAX_SETS {
            let away = self.sets.iter().find(|(_, set)| set.introduced.is_none());
            let Some(name) = away.map(|(name, _)| name.clone()) else {
                return;
            };
            self.sets.remove(&name);
        }
    }
}
