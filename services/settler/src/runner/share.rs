//! One partition in the hands of a runner: its tables, and how far they are written down.

use std::time::Duration;

use catwalk_events::Event;
use catwalk_events::audit::Finding;
use catwalk_log::{Log, Partition, Record, Topic};
use catwalk_rules::book::Severity;
use catwalk_rules::floor::Cents;
use catwalk_wire::Formats;
use serde::{Deserialize, Serialize};

use super::door::{self, Refused};
use super::lane::{Lane, Lanes};
use super::outputs::Outputs;
use super::{RunnerError, RunnerSpec};
use crate::by_table::ByTable;
use crate::registry::{self, Doorkeeper, Heard};
use crate::settler::Settler;
use crate::snapshot;

/// The key of the marker among the snapshots. A table's key begins with a number.
const MARKER: &str = "consumed";
/// How long a restart waits for an event that it has to fold again.
const REPLAY_PATIENCE: Duration = Duration::from_secs(10);

/// A partition's tables.
#[derive(Debug)]
pub(super) struct Share {
    partition: Partition,
    lanes: Lanes,
    marker: Marker,
    /// Tables that changed since they were written down, with what came first since then.
    changed: ByTable<Place>,
    replay_offsets: u64,
    max_tables: usize,
    /// Notes whom it hears, for the registry.
    door: Doorkeeper,
}

/// How far all outputs are on the log, and from where on tables may have changed since their
/// snapshots.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
struct Marker {
    /// Records taken so far, to know that none is missing from a replay.
    records: u64,
    /// The offset of the record to come next.
    consumed: u64,
    /// This offset, and so many records before the next, are to be folded again.
    replay_from: u64,
    replay_records: u64,
    /// That there are too many tables was said.
    full: bool,
}

/// A record's offset, and how many records were before it.
#[derive(Clone, Copy, Debug)]
struct Place {
    offset: u64,
    ordinal: u64,
}

/// A snapshot on the log.
#[derive(Debug, Serialize, Deserialize)]
struct Snapshot {
    /// All events of the table before this offset are in it.
    consumed: u64,
    #[serde(with = "serde_bytes")]
    table: Vec<u8>,
}

impl Share {
    pub(super) fn new(partition: Partition, settler: &Settler, spec: &RunnerSpec) -> Share {
        Share {
            partition,
            lanes: Lanes::new(settler),
            marker: Marker::default(),
            changed: ByTable::default(),
            replay_offsets: spec.replay_offsets,
            max_tables: spec.max_tables,
            door: Doorkeeper::default(),
        }
    }

    /// Takes the partition over from where its last holder had left off.
    pub(super) fn restore(&mut self, log: &dyn Log, formats: &Formats) -> Result<(), RunnerError> {
        let partition = self.partition;
        let mut written = ByTable::default();
        for record in log.latest(Topic::State.partition(partition.index))? {
            let key = String::from_utf8_lossy(record.key.as_deref().unwrap_or_default());
            let faulty = |source| RunnerError::Snapshot {
                partition,
                table: key.clone().into_owned(),
                source,
            };
            let value = record.value.unwrap_or_default();
            if key == MARKER {
                self.marker = snapshot::read(&value).map_err(faulty)?;
                continue;
            }
            if key.starts_with(registry::KEYS) {
                let heard: Heard = snapshot::read(&value).map_err(faulty)?;
                self.door.know(&heard);
            }
            // What stands behind the settlers keeps its state there too.
            if !key.starts_with(|first: char| first.is_ascii_digit()) {
                continue;
            }
            let snapshot: Snapshot = snapshot::read(&value).map_err(faulty)?;
            let (property, table) = self.lanes.restore(&snapshot.table).map_err(faulty)?;
            written.insert(property, table, snapshot.consumed);
        }
        super::check_behind(log, partition, self.marker.consumed)?;
        self.replay(log, &written, formats)
    }

    /// The offset of the record to come next.
    pub(super) fn consumed(&self) -> u64 {
        self.marker.consumed
    }

    /// Has any table changed since it was written down?
    pub(super) fn is_behind(&self) -> bool {
        !self.changed.is_empty()
    }

    /// Takes the next record, of which the batch has the place `at`, with the event that it was read
    /// as. The event waits in its [lane](Share::busy).
    pub(super) fn take(
        &mut self,
        (at, record): (usize, &Record),
        event: Result<Event, Refused>,
        formats: &Formats,
        outputs: &mut Outputs,
    ) -> Result<(), RunnerError> {
        let place = self.step_over(record);
        outputs.count_event();
        if let Ok(event) = &event {
            self.note(event, outputs)?;
        }
        match event {
            Ok(event) if self.is_full_for(&event) => {
                if !std::mem::replace(&mut self.marker.full, true) {
                    outputs.find(&too_many_tables(&event, self.max_tables), record, formats)?;
                }
                let reason = format!(
                    "{} has {} tables, no more are kept",
                    self.partition, self.max_tables
                );
                outputs.quarantine(record, Some(&event), reason, formats)
            }
            Ok(event) => {
                self.change(&event, place);
                self.lanes.queue(event, at);
                Ok(())
            }
            Err(Refused { event, reason }) => {
                outputs.quarantine(record, event.as_deref(), reason, formats)
            }
        }
    }

    /// Notes whom an event is the first of.
    fn note(&mut self, event: &Event, outputs: &mut Outputs) -> Result<(), RunnerError> {
        for heard in self.door.hear(event) {
            let value = snapshot::write(&heard).map_err(|source| RunnerError::Snapshot {
                partition: self.partition,
                table: event.table.clone(),
                source,
            })?;
            outputs.keep(self.partition.index, &heard.key(), value);
        }
        Ok(())
    }

    /// The lanes in which events wait that were taken from a batch.
    pub(super) fn busy(&mut self) -> impl Iterator<Item = &mut Lane> {
        self.lanes.busy()
    }

    /// Writes down the tables whose snapshots have fallen behind, and the marker.
    pub(super) fn write_stale(&mut self, outputs: &mut Outputs) -> Result<(), RunnerError> {
        let oldest = self.marker.consumed.saturating_sub(self.replay_offsets);
        self.write(|place| place.offset < oldest, outputs)
    }

    /// Writes down every table that has changed, and the marker.
    pub(super) fn write_all(&mut self, outputs: &mut Outputs) -> Result<(), RunnerError> {
        self.write(|_| true, outputs)
    }

    fn write(
        &mut self,
        is_due: impl Fn(&Place) -> bool,
        outputs: &mut Outputs,
    ) -> Result<(), RunnerError> {
        for (property, table) in self.changed.take_if(is_due) {
            let faulty = |source| RunnerError::Snapshot {
                partition: self.partition,
                table: table.clone(),
                source,
            };
            let Some(state) = self.lanes.snapshot(&property, &table).map_err(faulty)? else {
                continue;
            };
            let snapshot = Snapshot {
                consumed: self.marker.consumed,
                table: state,
            };
            let value = snapshot::write(&snapshot).map_err(faulty)?;
            outputs.keep(self.partition.index, &key(&property, &table), value);
            outputs.count_snapshot();
        }
        let first = self.changed.values().min_by_key(|place| place.offset);
        let (from, ordinal) = first.map_or((self.marker.consumed, self.marker.records), |place| {
            (place.offset, place.ordinal)
        });
        self.marker.replay_from = from;
        self.marker.replay_records = self.marker.records - ordinal;
        let faulty = |source| RunnerError::Snapshot {
            partition: self.partition,
            table: MARKER.to_owned(),
            source,
        };
        let value = snapshot::write(&self.marker).map_err(faulty)?;
        outputs.keep(self.partition.index, MARKER, value);
        Ok(())
    }

    fn step_over(&mut self, record: &Record) -> Place {
        let place = Place {
            offset: record.offset,
            ordinal: self.marker.records,
        };
        self.marker.consumed = record.offset + 1;
        self.marker.records += 1;
        place
    }

    fn change(&mut self, event: &Event, place: Place) {
        self.changed
            .get_or_insert_with(&event.property, &event.table, || place);
    }

    fn is_full_for(&self, event: &Event) -> bool {
        self.lanes.tables() >= self.max_tables && !self.lanes.knows(&event.property, &event.table)
    }

    /// Folds again what tables had taken in since their snapshots. The outputs are on the log already.
    fn replay(
        &mut self,
        log: &dyn Log,
        written: &ByTable<u64>,
        formats: &Formats,
    ) -> Result<(), RunnerError> {
        let end = self.marker;
        self.marker.records -= end.replay_records;
        let mut reader = match end.replay_records {
            0 => return Ok(()),
            _ => log.reader(self.partition, end.replay_from)?,
        };
        while self.marker.records < end.records {
            let records = reader.read(REPLAY_PATIENCE)?;
            let known = records
                .iter()
                .take_while(|record| record.offset < end.consumed);
            let mut count = 0;
            for record in known {
                count += 1;
                let place = self.step_over(record);
                let Ok(event) = door::admit(record, formats)? else {
                    continue;
                };
                let written = written.get(&event.property, &event.table);
                let in_snapshot = written.is_some_and(|next| record.offset < *next);
                if !in_snapshot && !self.is_full_for(&event) {
                    self.change(&event, place);
                    self.lanes.fold(event, record);
                }
            }
            if count == 0 {
                return Err(RunnerError::Gone {
                    partition: self.partition,
                    wanted: end.replay_records,
                    missing: end.records - self.marker.records,
                });
            }
        }
        self.marker = end;
        Ok(())
    }
}

/// A table's key among the snapshots: no two tables share one.
fn key(property: &str, table: &str) -> String {
    format!("{} {property} {table}", property.len())
}

fn too_many_tables(event: &Event, most: usize) -> Finding {
    Finding {
        id: String::new(),
        code: "feed.too_many_tables".to_owned(),
        severity: Severity::Warn,
        property: event.property.clone(),
        table: event.table.clone(),
        game: None,
        round: None,
        wager: None,
        seat: None,
        dealer: None,
        at: event.at,
        due: None,
        paid: None,
        exposure: Cents::ZERO,
        message: format!(
            "The feed names more than {most} tables: {} is left out",
            event.table
        ),
        cites: Vec::new(),
        evidence: vec![event.seq],
        rules: None,
        resolves: None,
        player: None,
        trial: None,
    }
    .seal()
}
