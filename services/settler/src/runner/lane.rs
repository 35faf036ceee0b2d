//! The tables of a partition, dealt out to lanes that can be settled at the same time.

use catwalk_events::Event;
use catwalk_log::Record;
use catwalk_wire::Formats;

use super::RunnerError;
use super::outputs::Outputs;
use crate::settler::{Output, Settler};
use crate::snapshot::{self, SnapshotError};
use crate::table::Table;

/// More than a machine has cores for: tables are not equally busy. Always the same number, so that the
/// outputs of a batch have the same order on every machine.
const LANES: usize = 16;

/// All tables of a partition. A table is always in the same lane, so its events are folded in order.
#[derive(Debug)]
pub(super) struct Lanes(Vec<Lane>);

/// Some tables of a partition.
#[derive(Debug)]
pub(super) struct Lane {
    settler: Settler,
    /// Events to fold, each with the place of its record in the batch.
    waiting: Vec<(Event, usize)>,
}

impl Lanes {
    /// Lanes without tables.
    pub(super) fn new(settler: &Settler) -> Lanes {
        let lane = || Lane {
            settler: settler.without_tables(),
            waiting: Vec::new(),
        };
        Lanes((0..LANES).map(|_| lane()).collect())
    }

    pub(super) fn tables(&self) -> usize {
        self.0.iter().map(|lane| lane.settler.tables()).sum()
    }

    pub(super) fn knows(&self, property: &str, table: &str) -> bool {
        self.0[lane_of(property, table)]
            .settler
            .knows(property, table)
    }

    pub(super) fn snapshot(
        &self,
        property: &str,
        table: &str,
    ) -> Result<Option<Vec<u8>>, SnapshotError> {
        self.0[lane_of(property, table)]
            .settler
            .snapshot(property, table)
    }

    /// Goes on with a table from its snapshot. Gives its property and name.
    pub(super) fn restore(&mut self, snapshot: &[u8]) -> Result<(String, String), SnapshotError> {
        let table: Table = snapshot::read(snapshot)?;
        let (property, name) = table.name();
        self.0[lane_of(&property, &name)].settler.put(table);
        Ok((property, name))
    }

    /// Folds an event at once.
    pub(super) fn fold(&mut self, event: Event, record: &Record) -> Vec<Output> {
        let lane = &mut self.0[lane_of(&event.property, &event.table)];
        lane.fold(event, record)
    }

    /// Keeps an event for [`Lane::settle`], with the place of its record in the batch.
    pub(super) fn queue(&mut self, event: Event, at: usize) {
        let lane = &mut self.0[lane_of(&event.property, &event.table)];
        lane.settler.meet(&event);
        lane.waiting.push((event, at));
    }

    /// The lanes in which events wait.
    pub(super) fn busy(&mut self) -> impl Iterator<Item = &mut Lane> {
        self.0.iter_mut().filter(|lane| !lane.waiting.is_empty())
    }
}

impl Lane {
    /// Folds what waits.
    pub(super) fn settle(
        &mut self,
        records: &[Record],
        formats: &Formats,
    ) -> Result<Outputs, RunnerError> {
        let mut outputs = Outputs::default();
        for (event, at) in std::mem::take(&mut self.waiting) {
            let record = &records[at];
            for output in self.fold(event, record) {
                outputs.take(output, record, formats)?;
            }
        }
        Ok(outputs)
    }

    fn fold(&mut self, event: Event, record: &Record) -> Vec<Output> {
        let bytes = record.value.as_ref().map_or(0, Vec::len);
        self.settler.receive_at(event, record.offset, bytes)
    }
}

/// The lane of a table: FNV-1a of its names, folded. The order of a batch's outputs hangs on it, so it
/// must be the same in every build of every version; std's hashers promise that of no two releases.
fn lane_of(property: &str, table: &str) -> usize {
    const BASIS: u64 = 0xcbf2_9ce4_8422_2325;
    const PRIME: u64 = 0x0000_0100_0000_01b3;
    // No UTF-8 has this byte: names that only join alike are told apart.
    let names = property.bytes().chain([0xff]).chain(table.bytes());
    let hash = names.fold(BASIS, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(PRIME)
    });
    ((hash ^ (hash >> 32)) % LANES as u64) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_is_in_the_same_lane_in_every_build() {
        let lanes = [
            ("ebh", "MB-01", 1),
            ("ebh", "MB-02", 8),
            ("ebh", "BJ-07", 9),
            ("eb", "hMB-01", 6),
        ];
        for (property, table, lane) in lanes {
            assert_eq!(lane_of(property, table), lane, "{property} {table}");
        }
    }

    #[test]
    fn the_tables_of_a_pit_are_dealt_out_to_all_lanes() {
        let mut tables = [0; LANES];
        for number in 1..=160 {
            tables[lane_of("ebh", &format!("BJ-{number:02}"))] += 1;
        }
        assert!(
            tables.iter().all(|tables| (4..=20).contains(tables)),
            "{tables:?}"
        );
    }
}
