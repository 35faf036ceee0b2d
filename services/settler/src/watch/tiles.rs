//! Sets of tiles on the table: inspected twice, complete, and for how long.

use std::collections::BTreeMap;

use catwalk_events::body::Body;
use catwalk_events::{Event, SourceKind, Timestamp};
use catwalk_rules::floor::Tile;
use serde::{Deserialize, Serialize};

use super::{Floor, HOUR, Sighting, is_past, once};

const HOURS_ON_TABLE: i64 = 12;
/// So many sets are kept; those that left the table first make room.
const MAX_SETS: usize = 64;

#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct TileSets {
    sets: BTreeMap<String, TileSet>,
    /// Tiles seen in this round.
    seen: BTreeMap<String, u8>,
}

#[derive(Debug, Default, Serialize, Deserialize)]
struct TileSet {
    introduced: Option<(Timestamp, u64)>,
    by_floor: bool,
    by_surveillance: bool,
    incomplete: bool,
    #[serde(default)]
    dealt: bool,
    raised: Vec<String>,
}

impl TileSets {
    pub(super) fn see(&mut self, event: &Event, _: &Floor<'_>, seen: &mut Vec<Sighting>) {
        self.check_hours(event, seen);
        let seq = event.seq;
        match &event.body {
            Body::TilesIntroduced(introduced) => {
                let set = TileSet {
                    introduced: Some((event.at, seq)),
                    ..TileSet::default()
                };
                self.sets.insert(introduced.set.clone(), set);
                while self.sets.len() > MAX_SETS {
                    let away = self.sets.iter().find(|(_, set)| set.introduced.is_none());
                    let Some(name) = away.map(|(name, _)| name.clone()) else {
                        break;
                    };
                    self.sets.remove(&name);
                }
            }
            Body::TilesInspected(inspected) => {
                let set = self.sets.entry(inspected.set.clone()).or_default();
                match event.source.kind {
                    SourceKind::Surveillance => set.by_surveillance = true,
                    _ => set.by_floor = true,
                }
                let flawed =
                    |list: &Option<Vec<String>>| list.as_ref().is_some_and(|l| !l.is_empty());
                set.incomplete = flawed(&inspected.missing) || flawed(&inspected.extra);
                self.check_whole(&inspected.set, inspected.missing.as_ref(), seq, seen);
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
        let set = self.sets.entry(name.to_owned()).or_default();
        if let Some(missing) = missing.filter(|missing| !missing.is_empty())
            && once(&mut set.raised, CODE)
        {
            let message = format!("Set {name} lacks {}", missing.join(", "));
            let sighting = Sighting::new(CODE, vec![seq], message);
            seen.push(Sighting {
                in_time: !set.dealt,
                ..sighting
            });
        }
    }

    /// Tiles come from a set on the table.
    fn deal(&mut self, seq: u64, seen: &mut Vec<Sighting>) {
        for (name, set) in self
            .sets
            .iter_mut()
            .filter(|(_, set)| set.introduced.is_some())
        {
            set.dealt = true;
            let faults = [
                (
                    !set.by_floor,
                    "tiles.not_inspected",
                    "without an inspection by the floor",
                ),
                (
                    !set.by_surveillance,
                    "tiles.no_surveillance_check",
                    "without an inspection by surveillance",
                ),
                (
                    set.incomplete,
                    "tiles.failed_inspection",
                    "although it was found incomplete",
                ),
            ];
            for (broken, code, what) in faults {
                if broken && once(&mut set.raised, code) {
                    let introduced = set.introduced.map(|(_, seq)| seq);
                    let evidence = introduced.into_iter().chain([seq]).collect();
                    seen.push(Sighting::new(
                        code,
                        evidence,
                        format!("Set {name} was dealt {what}"),
                    ));
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

    fn check_hours(&mut self, event: &Event, seen: &mut Vec<Sighting>) {
        for (name, set) in &mut self.sets {
            if let Some((since, seq)) = set.introduced
                && is_past(since, event.at, HOURS_ON_TABLE * HOUR)
                && once(&mut set.raised, "tiles.overdue")
            {
                let message =
                    format!("Set {name} is on the table for more than {HOURS_ON_TABLE} hours");
                seen.push(Sighting::new(
                    "tiles.overdue",
                    vec![seq, event.seq],
                    message,
                ));
            }
        }
    }

    fn take_away(&mut self, name: &str) {
        if let Some(set) = self.sets.get_mut(name) {
            set.introduced = None;
        }
    }
}
