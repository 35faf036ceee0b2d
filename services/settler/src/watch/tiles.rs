//! Sets of tiles on the table: inspected twice, complete, and for how long.

use std::collections::BTreeMap;

use catwalk_events::body::Body;
use catwalk_events::{Event, Role, SourceKind, Timestamp};
use catwalk_rules::equipment::TileLife;
use catwalk_rules::floor::Tile;
use serde::{Deserialize, Serialize};

use super::{AtTable, HOUR, Sighting, is_past, make_room, once};

/// So many sets are kept; those that left the table first make room.
const MAX_SETS: usize = 64;

/// A set from its introduction until others need its place, and the tiles of one round.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct TileSets {
    sets: BTreeMap<String, TileSet>,
    /// Tiles seen in this round.
    seen: BTreeMap<String, u8>,
}

#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
struct TileSet {
    introduced: Option<(Timestamp, u64)>,
    by_floor: bool,
    by_surveillance: bool,
    incomplete: bool,
    dealt: bool,
    /// Events are missing: the set may be gone, or inspected.
    uncertain: bool,
    last_seq: u64,
    raised: Vec<String>,
}

impl TileSets {
    pub(super) fn see(&mut self, event: &Event, table: &AtTable<'_>, seen: &mut Vec<Sighting>) {
        if let Some(life) = &table.chapter.tile_life {
            self.check_hours(event, life, seen);
        }
        let seq = event.seq;
        match &event.body {
            Body::TilesIntroduced(introduced) => {
                let set = self.set(&introduced.set, seq);
                let flawed = is_flawed(introduced.missing.as_ref(), introduced.extra.as_ref());
                // Surveillance may have looked at the tiles before they came to the table.
                let by_surveillance = set.by_surveillance && set.introduced.is_none();
                *set = TileSet {
                    introduced: Some((event.at, seq)),
                    by_surveillance,
                    incomplete: flawed,
                    last_seq: seq,
                    ..TileSet::default()
                };
            }
            Body::TilesInspected(inspected) => {
                let set = self.set(&inspected.set, seq);
                let person = inspected.by.as_ref().map(|person| person.role);
                let by_surveillance = match person {
                    Some(role) => role == Role::Surveillance,
                    None => event.source.kind == SourceKind::Surveillance,
                };
                match by_surveillance {
                    true => set.by_surveillance = true,
                    false => set.by_floor = true,
                }
                set.incomplete = is_flawed(inspected.missing.as_ref(), inspected.extra.as_ref());
                // A set that is found short before it is dealt is replaced, and that is all (146.53(6)).
                if set.dealt {
                    self.check_whole(&inspected.set, inspected.missing.as_ref(), seq, seen);
                }
            }
            Body::TilesRemoved(removed) => {
                self.check_whole(&removed.set, removed.missing.as_ref(), seq, seen);
                self.take_away(&removed.set);
            }
            Body::TilesCollected(collected) => {
                self.check_whole(&collected.set, collected.missing.as_ref(), seq, seen);
                self.take_away(&collected.set);
            }
            Body::TilesDestroyed(destroyed) => {
                self.check_whole(&destroyed.set, destroyed.missing.as_ref(), seq, seen);
                self.sets.remove(&destroyed.set);
            }
            Body::RoundOpened(_) => self.seen.clear(),
            Body::TilesDealt(dealt) => {
                self.deal(seq, seen);
                for tile in dealt.tiles.iter().flatten() {
                    self.name(tile, seq, seen);
                }
            }
            _ => {}
        }
    }

    /// A set has all its 32 tiles; one that was never dealt is found short in time.
    fn check_whole(
        &mut self,
        name: &str,
        missing: Option<&Vec<String>>,
        seq: u64,
        seen: &mut Vec<Sighting>,
    ) {
        const CODE: &str = "tiles.missing_tile";
        let set = self.set(name, seq);
        if let Some(missing) = missing.filter(|missing| !missing.is_empty())
            && once(&mut set.raised, CODE)
        {
            let message = format!("Set {name} lacks {}", missing.join(", "));
            let mut sighting = Sighting::new(CODE, vec![seq], message).about(name);
            sighting.in_time = !set.dealt;
            seen.push(sighting);
        }
    }

    /// Tiles come from a set on the table. Where there are several, from one that is in order if there
    /// is any.
    fn deal(&mut self, seq: u64, seen: &mut Vec<Sighting>) {
        for set in self.sets.values_mut() {
            set.dealt |= set.introduced.is_some();
        }
        let on_table = || self.sets.values().filter(|set| set.introduced.is_some());
        let is_faultless = |set: &TileSet| set.faults().iter().all(|(broken, ..)| !broken);
        if on_table().any(|set| set.uncertain || is_faultless(set)) {
            return;
        }
        let on_table = self
            .sets
            .iter_mut()
            .filter(|(_, set)| set.introduced.is_some());
        for (name, set) in on_table {
            for (broken, code, what) in set.faults() {
                if broken && once(&mut set.raised, code) {
                    let introduced = set.introduced.map(|(_, seq)| seq);
                    let evidence = introduced.into_iter().chain([seq]).collect();
                    let message = format!("Set {name} was dealt {what}");
                    seen.push(Sighting::new(code, evidence, message).about(name));
                }
            }
        }
    }

    fn name(&mut self, tile: &str, seq: u64, seen: &mut Vec<Sighting>) {
        let Ok(known) = tile.parse::<Tile>() else {
            let message = format!("{tile} is no tile of a set");
            return seen.push(Sighting::new("tiles.foreign_tile", vec![seq], message));
        };
        let count = self.seen.entry(tile.to_owned()).or_default();
        *count = count.saturating_add(1);
        if *count > known.copies() {
            let message = format!(
                "{tile} was seen {count} times; a set holds it {} times",
                known.copies()
            );
            seen.push(Sighting::new("tiles.duplicate_tile", vec![seq], message));
        }
    }

    fn check_hours(&mut self, event: &Event, life: &TileLife, seen: &mut Vec<Sighting>) {
        for (name, set) in self.sets.iter_mut().filter(|(_, set)| !set.uncertain) {
            if let Some(seq) = set.overdue(life, event.at)
                && once(&mut set.raised, "tiles.overdue")
            {
                let hours = life.on_table_hours;
                let message = format!("Set {name} is on the table for more than {hours} hours");
                let evidence = vec![seq, event.seq];
                seen.push(Sighting::overdue("tiles.overdue", name, evidence, message));
            }
        }
    }

    /// What was done with a set may be among what is missing.
    pub(super) fn lose(&mut self) {
        self.seen.clear();
        for set in self.sets.values_mut() {
            set.uncertain = true;
        }
    }

    /// The clock was wrong: hours that have not passed by the right one are still to come.
    pub(super) fn turn_back(&mut self, now: Timestamp, table: &AtTable<'_>) {
        let Some(life) = &table.chapter.tile_life else {
            return;
        };
        for set in self.sets.values_mut() {
            let is_overdue = set.overdue(life, now).is_some();
            set.raised
                .retain(|code| is_overdue || code != "tiles.overdue");
        }
    }

    /// What is kept of a set, from now on if it was not known.
    fn set(&mut self, name: &str, seq: u64) -> &mut TileSet {
        if !self.sets.contains_key(name) {
            make_room(&mut self.sets, MAX_SETS - 1, |set| {
                (set.introduced.is_some(), set.last_seq)
            });
        }
        let set = self.sets.entry(name.to_owned()).or_default();
        set.last_seq = seq;
        set
    }

    fn take_away(&mut self, name: &str) {
        if let Some(set) = self.sets.get_mut(name) {
            // What comes back is inspected again.
            let raised = std::mem::take(&mut set.raised);
            *set = TileSet {
                dealt: set.dealt,
                last_seq: set.last_seq,
                raised,
                ..TileSet::default()
            };
        }
    }
}

impl TileSet {
    fn faults(&self) -> [(bool, &'static str, &'static str); 3] {
        [
            (
                !self.by_floor,
                "tiles.not_inspected",
                "without an inspection by the floor",
            ),
            (
                !self.by_surveillance,
                "tiles.no_surveillance_check",
                "without an inspection by surveillance",
            ),
            (
                self.incomplete,
                "tiles.failed_inspection",
                "although it was found incomplete",
            ),
        ]
    }

    /// Where it was introduced, if that is too long ago.
    fn overdue(&self, life: &TileLife, now: Timestamp) -> Option<u64> {
        let (since, seq) = self.introduced?;
        is_past(since, now, life.on_table_hours * HOUR).then_some(seq)
    }
}

fn is_flawed(missing: Option<&Vec<String>>, extra: Option<&Vec<String>>) -> bool {
    let has_any = |list: Option<&Vec<String>>| list.is_some_and(|list| !list.is_empty());
    has_any(missing) || has_any(extra)
}
