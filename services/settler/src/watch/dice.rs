//! Sets of dice on the table: how many, inspected, and for how long.

use std::collections::BTreeMap;

use catwalk_events::body::{Body, DiceIntroduced, DiceRolled, Inspection};
use catwalk_events::{Event, Timestamp};
use catwalk_rules::equipment::DiceLife;
use serde::{Deserialize, Serialize};

use super::{AtTable, HOUR, Sighting, is_past, make_room, once};

/// So many sets are kept; those that left the table first make room.
const MAX_SETS: usize = 64;
/// No set has more dice than this.
const MAX_SERIALS: usize = 32;

/// A set from its inspection or introduction until it is destroyed.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct DiceSets {
    sets: BTreeMap<String, DiceSet>,
    /// Events are missing, and no dice were inspected and no round began or ended since.
    lost: bool,
}

#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
struct DiceSet {
    introduced: Option<(Timestamp, u64)>,
    inspection: Option<Inspection>,
    serials: Vec<String>,
    /// They lay on the table for use, and are not to come back from storage.
    used: bool,
    reason: Option<String>,
    collected: Option<(Timestamp, u64)>,
    /// Events are missing: the set may be gone, or inspected.
    uncertain: bool,
    /// Events were missing before it came, and its inspection may be among them.
    may_be_seen: bool,
    last_seq: u64,
    raised: Vec<String>,
}

impl DiceSets {
    pub(super) fn see(&mut self, event: &Event, table: &AtTable<'_>, seen: &mut Vec<Sighting>) {
        if let Some(life) = &table.chapter.dice_life {
            self.check_hours(event, life, seen);
        }
        let seq = event.seq;
        match &event.body {
            Body::DiceIntroduced(introduced) => self.introduce(introduced, event, table, seen),
            Body::DiceInspected(inspected) => {
                self.lost = false;
                let set = self.set(&inspected.set, seq);
                set.inspection = Some(inspected.result);
            }
            Body::RoundOpened(_) | Body::RoundClosed(_) | Body::RoundVoided(_) => self.lost = false,
            Body::DiceRemoved(removed) => {
                let set = self.set(&removed.set, seq);
                set.reason.clone_from(&removed.reason);
                set.take_away();
            }
            Body::DiceCollected(collected) => {
                let set = self.set(&collected.set, seq);
                set.collected.get_or_insert((event.at, seq));
                set.reason = collected.reason.clone().or(set.reason.take());
                set.take_away();
            }
            Body::DiceDestroyed(destroyed) => drop(self.sets.remove(&destroyed.set)),
            Body::DiceRolled(rolled) => {
                check_number(rolled, table, seq, seen);
                self.roll(rolled.serials.as_deref().unwrap_or_default(), seq, seen);
            }
            _ => {}
        }
    }

    fn introduce(
        &mut self,
        introduced: &DiceIntroduced,
        event: &Event,
        table: &AtTable<'_>,
        seen: &mut Vec<Sighting>,
    ) {
        let (name, seq, lost) = (&introduced.set, event.seq, self.lost);
        let set = self.set(name, seq);
        let serials = introduced.serials.iter().flatten();
        *set = DiceSet {
            introduced: Some((event.at, seq)),
            inspection: set.inspection,
            serials: serials.take(MAX_SERIALS).cloned().collect(),
            used: true,
            may_be_seen: lost,
            last_seq: seq,
            ..DiceSet::default()
        };
        let rule = table
            .rules
            .and_then(|rules| table.chapter.dice(&rules.game));
        if let Some(rule) = rule.filter(|rule| !rule.permits_set(introduced.count)) {
            let message = format!("Set {name} has {} dice", introduced.count);
            let sighting = Sighting::new("dice.set_size", vec![seq], message);
            seen.push(sighting.cited(&rule.cite).about(name));
        }
    }

    fn roll(&mut self, serials: &[String], seq: u64, seen: &mut Vec<Sighting>) {
        let on_table = || self.sets.values().filter(|set| set.introduced.is_some());
        let is_sure = on_table().all(|set| !set.serials.is_empty() && !set.uncertain);
        let known: Vec<&String> = on_table().flat_map(|set| &set.serials).collect();
        if is_sure
            && !known.is_empty()
            && let Some(stray) = serials.iter().find(|serial| !known.contains(serial))
        {
            let message = format!("Die {stray} is not of a set on this table");
            seen.push(Sighting::new("dice.foreign", vec![seq], message));
        } else if let Some(one) = twice(serials) {
            let message = format!("Two dice with the number {one} were thrown");
            seen.push(Sighting::new("dice.foreign", vec![seq], message));
        }
        for (name, set) in self
            .sets
            .iter_mut()
            .filter(|(_, set)| set.introduced.is_some())
        {
            if set.uncertain {
                continue;
            }
            let (code, what) = match set.inspection {
                None if set.may_be_seen => continue,
                None => ("dice.not_inspected", "was never inspected"),
                Some(Inspection::Fail) => ("dice.failed_inspection", "had failed its inspection"),
                Some(Inspection::Pass) => continue,
            };
            if once(&mut set.raised, code) {
                let introduced = set.introduced.map(|(_, seq)| seq);
                let evidence = introduced.into_iter().chain([seq]).collect();
                let message = format!("Set {name} was thrown and {what}");
                seen.push(Sighting::new(code, evidence, message).about(name));
            }
        }
    }

    fn check_hours(&mut self, event: &Event, life: &DiceLife, seen: &mut Vec<Sighting>) {
        for (name, set) in self.sets.iter_mut().filter(|(_, set)| !set.uncertain) {
            let evidence = |since: u64| vec![since, event.seq];
            if let Some(seq) = set.overdue(life, event.at)
                && once(&mut set.raised, "dice.overdue")
            {
                let hours = life.on_table_hours;
                let message = format!("Set {name} is on the table for more than {hours} hours");
                seen.push(Sighting::overdue(
                    "dice.overdue",
                    name,
                    evidence(seq),
                    message,
                ));
            }
            if let Some(seq) = set.overdue_for_destruction(life, event.at)
                && once(&mut set.raised, "dice.not_destroyed")
            {
                let hours = life.destroy_after_collection_hours;
                let message = format!("Set {name} was not destroyed within {hours} hours");
                let code = "dice.not_destroyed";
                seen.push(Sighting::overdue(code, name, evidence(seq), message));
            }
        }
    }

    /// What was done with a set may be among what is missing.
    pub(super) fn lose(&mut self) {
        self.lost = true;
        for set in self.sets.values_mut() {
            set.uncertain = true;
        }
    }

    /// The clock was wrong: hours that have not passed by the right one are still to come.
    pub(super) fn turn_back(&mut self, now: Timestamp, table: &AtTable<'_>) {
        let Some(life) = &table.chapter.dice_life else {
            return;
        };
        for set in self.sets.values_mut() {
            let on_table = set.overdue(life, now).is_some();
            let kept = set.overdue_for_destruction(life, now).is_some();
            set.raised.retain(|code| match code.as_str() {
                "dice.overdue" => on_table,
                "dice.not_destroyed" => kept,
                _ => true,
            });
        }
    }

    /// What is kept of a set, from now on if it was not known.
    fn set(&mut self, name: &str, seq: u64) -> &mut DiceSet {
        if !self.sets.contains_key(name) {
            make_room(&mut self.sets, MAX_SETS - 1, |set| {
                (set.introduced.is_some(), set.last_seq)
            });
        }
        let set = self.sets.entry(name.to_owned()).or_default();
        set.last_seq = seq;
        set
    }
}

impl DiceSet {
    fn take_away(&mut self) {
        self.introduced = None;
        self.inspection = None;
    }

    /// Where it was introduced, if that is too long ago.
    fn overdue(&self, life: &DiceLife, now: Timestamp) -> Option<u64> {
        let (since, seq) = self.introduced?;
        is_past(since, now, life.on_table_hours * HOUR).then_some(seq)
    }

    /// Where it was collected, if it should have been destroyed by now. Evidence is kept, and a reserve may
    /// go back to storage. 146.46(6)(c)10-12
    fn overdue_for_destruction(&self, life: &DiceLife, now: Timestamp) -> Option<u64> {
        let (since, seq) = self.collected?;
        let is_kept = matches!(
            self.reason.as_deref(),
            Some("evidence" | "reserve_returned")
        );
        let due = self.used && !is_kept && self.introduced.is_none();
        let late = is_past(since, now, life.destroy_after_collection_hours * HOUR);
        (due && late).then_some(seq)
    }
}

/// As many dice as the game throws. Of a throw that does not count not every die can be read.
fn check_number(rolled: &DiceRolled, table: &AtTable<'_>, seq: u64, seen: &mut Vec<Sighting>) {
    let rule = table
        .rules
        .and_then(|rules| table.chapter.dice(&rules.game));
    let thrown = rolled.dice.len();
    if let Some(rule) = rule
        && (thrown > rule.thrown || thrown < rule.thrown && rolled.valid)
    {
        let message = format!("{thrown} dice were thrown instead of {}", rule.thrown);
        let sighting = Sighting::new("dice.wrong_number", vec![seq], message);
        seen.push(sighting.cited(&rule.cite));
    }
}

/// A number that is there more than once.
fn twice(serials: &[String]) -> Option<&String> {
    let mut rest = serials.iter().enumerate();
    let found = rest.find(|(at, serial)| serials[at + 1..].contains(serial));
    found.map(|(_, serial)| serial)
}
