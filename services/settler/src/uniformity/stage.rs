//! The fold of all tables on the event log, exactly once.
//!
//! A [`UniformityStage`] reads `audit.settlements`, where every settler writes its rounds, and commits
//! what it finds to `audit.findings`. It stands behind the settlers: no finding of a table waits for it,
//! and they share nothing but the log.
//!
//! Beside the settlements it reads what the settlers note of whom they hear, in `audit.state`, and holds it against
//! what the floors registered.
//!
//! It needs all partitions in one place, so of the stages of a group one works, wherever the settlers
//! are: the one that holds the [post](POST). The post is a partition of a quiet topic, which the group
//! gives to one member at a time and to another when that one is gone; its records mean nothing here.
//! The settlements are read by readers, which belong to no group.
//!
//! Each commit holds, all or nothing, the findings, every table that has changed since the last, and how
//! far each partition was read, and it counts the post as consumed: the log refuses it from a stage that
//! does not hold the post any more. Whoever takes the post over finds the whole state in `audit.state`,
//! and goes on from the offsets that lie there. A table is a few hundred bytes, and only those of games
//! with an option that must be uniform are there, so nothing is ever folded again.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use catwalk_events::audit::Finding;
use catwalk_log::{
    Consumed, Log, Message, Partition, Polled, Reader, Record, Topic, Worker, WorkerSpec,
};
use catwalk_rules::Rulebook;
use catwalk_wire::Formats;
use serde::{Deserialize, Serialize};

use super::Uniformity;
use crate::quarantine;
use crate::registry::{self, Heard, Registry};
use crate::runner::{self, Committed, Meter, RunnerError};
use crate::snapshot::{self, SnapshotError};

/// The group of the stages, of which one works.
const GROUP: &str = "uniformity";
/// Who holds it works. Operators write a few records a day there.
const POST: Partition = Topic::Dispositions.partition(0);
/// Where the state is. Settlers keep tables there too, under other keys.
const STATE: Partition = Topic::State.partition(0);
/// What the keys of the state begin with; those of the settlers begin with a number.
const KEYS: &str = "uniformity";
/// The key of the marker.
const MARKER: &str = "uniformity consumed";
/// A commit is due with so many messages.
const MAX_MESSAGES: usize = 2_000;
/// Rounds that change nothing, of games whose tables may differ, are counted as read after so long: until
/// then they would be read again after a crash.
const UNCHANGED_FOR: Duration = Duration::from_secs(1);
/// How long a quiet stage waits before it looks again.
const PATIENCE: Duration = Duration::from_millis(100);

/// One of the stages that could hold the tables against each other.
pub struct UniformityStage {
    log: Arc<dyn Log>,
    worker: Box<dyn Worker>,
    rulebook: Arc<Rulebook>,
    formats: Formats,
    meter: Arc<dyn Meter>,
    /// While it holds the post.
    desk: Option<Desk>,
}

/// What the holder of the post works with.
#[derive(Debug)]
struct Desk {
    tables: Uniformity,
    registry: Registry,
    /// One for each partition of the state, where the settlers note whom they hear.
    notes: Vec<Box<dyn Reader>>,
    /// One for each partition of the settlements.
    readers: Vec<Box<dyn Reader>>,
    marker: Marker,
    /// There was something to read the last time.
    is_busy: bool,
    /// Rounds that were read since the last commit.
    uncommitted: u64,
    /// When that was.
    since: Instant,
    ready: Vec<Message>,
    /// What is ready is counted as.
    counted: Committed,
}

/// How far everything is on the log.
#[derive(Debug, Default, Serialize, Deserialize)]
struct Marker {
    /// By partition of the settlements, the offset of the record to come next.
    settlements: Vec<u64>,
    /// The same of the post.
    post: u64,
    /// The same of the state, by partition.
    #[serde(default)]
    notes: Vec<u64>,
}

impl UniformityStage {
    /// Joins the group under a name that is its own there, and the same again after a restart.
    pub fn join(
        log: Arc<dyn Log>,
        name: &str,
        rulebook: Arc<Rulebook>,
        formats: Formats,
        meter: Arc<dyn Meter>,
    ) -> Result<UniformityStage, RunnerError> {
        let spec = WorkerSpec::new(GROUP, name, [POST.topic]);
        Ok(UniformityStage {
            worker: log.worker(&spec)?,
            log,
            rulebook,
            formats,
            meter,
            desk: None,
        })
    }

    /// Holds the tables against each other, whenever it has the post, until it is told to stop.
    pub fn run(&mut self, stop: &AtomicBool) -> Result<(), RunnerError> {
        while !stop.load(Ordering::Acquire) {
            self.step(PATIENCE)?;
        }
        self.commit()
    }

    /// Takes all rounds that are on the log now, alone in its group, and stops.
    pub fn run_until_caught_up(&mut self) -> Result<(), RunnerError> {
        for index in 0..self.log.partitions(Topic::Settlements)? {
            self.log.decided_end(Topic::Settlements.partition(index))?;
        }
        if let Some(desk) = &mut self.desk {
            // A reader that was at the end says so until it reads again.
            desk.readers = readers(&*self.log, Topic::Settlements, &desk.marker.settlements)?;
            desk.notes = readers(&*self.log, Topic::State, &desk.marker.notes)?;
        }
        while !self.desk.as_ref().is_some_and(Desk::has_caught_up) {
            self.step(PATIENCE)?;
        }
        self.commit()
    }

    /// Takes one step: a change of hands, or what there is to read on each partition.
    pub fn step(&mut self, patience: Duration) -> Result<(), RunnerError> {
        let patience = match self.desk.as_ref().is_some_and(|desk| desk.is_busy) {
            true => Duration::ZERO,
            false => patience,
        };
        match self.worker.poll(patience)? {
            Polled::Assigned(partitions) if partitions.contains(&POST) => {
                let desk = Desk::take_over(&*self.log, &self.rulebook)?;
                for (index, next) in (0..).zip(&desk.marker.settlements) {
                    let partition = Topic::Settlements.partition(index);
                    if let Some(gone) = self.log.removed(partition, *next)? {
                        self.meter.removed(partition, gone);
                    }
                }
                self.desk = Some(desk);
                Ok(())
            }
            // What is not committed is read again by the next holder.
            Polled::Revoked(partitions) | Polled::Lost(partitions)
                if partitions.contains(&POST) =>
            {
                self.desk = None;
                Ok(())
            }
            Polled::Records(records) => {
                if let Some(desk) = &mut self.desk {
                    desk.step_over(&records);
                }
                self.compare()
            }
            _ => Ok(()),
        }
    }

    /// Reads on, each partition in turn, and commits if that says or changes anything.
    fn compare(&mut self) -> Result<(), RunnerError> {
        let mut read = 0;
        let partitions = self.desk.as_ref().map_or(0, |desk| desk.readers.len());
        for index in 0..partitions {
            let Some(desk) = &mut self.desk else { break };
            let records = desk.readers[index].read(Duration::ZERO)?;
            read += records.len();
            for record in records {
                // A commit that fails takes the desk away, and all that was read with it.
                let Some(desk) = &mut self.desk else { break };
                desk.take(&record, &self.formats)?;
                if desk.ready.len() >= MAX_MESSAGES {
                    self.commit()?;
                }
            }
        }
        let Some(desk) = &mut self.desk else {
            return Ok(());
        };
        read += desk.read_notes(&self.formats)?;
        desk.is_busy = read > 0;
        desk.write_changed()?;
        match !desk.ready.is_empty() || desk.since.elapsed() >= UNCHANGED_FOR {
            true => self.commit(),
            false => Ok(()),
        }
    }

    /// Commits what was read.
    fn commit(&mut self) -> Result<(), RunnerError> {
        let Some(desk) = self.desk.as_mut().filter(|desk| desk.uncommitted > 0) else {
            return Ok(());
        };
        desk.write_changed()?;
        let marker = snapshot::write(&desk.marker).map_err(|source| faulty(MARKER, source))?;
        desk.ready.push(state(MARKER, marker));
        let mut consumed = Consumed::default();
        consumed.reach(POST, desk.marker.post);
        match self.worker.commit(&desk.ready, &consumed) {
            Ok(()) => {
                self.meter.committed(&desk.committed());
                Ok(())
            }
            // Nothing of it is there: the next polls take the post away and give it back.
            Err(catwalk_log::Error::Aborted { .. } | catwalk_log::Error::NotHeld { .. }) => {
                self.desk = None;
                Ok(())
            }
            Err(error) => Err(error.into()),
        }
    }
}

impl Desk {
    /// Goes on from where the last holder of the post had left off.
    fn take_over(log: &dyn Log, rulebook: &Rulebook) -> Result<Desk, RunnerError> {
        let mut tables = Uniformity::new(rulebook);
        let mut registry = Registry::default();
        let mut marker = Marker::default();
        for record in log.latest(STATE)? {
            let key = String::from_utf8_lossy(record.key.as_deref().unwrap_or_default());
            let value = record.value.as_deref().unwrap_or_default();
            let read = match &*key {
                MARKER => snapshot::read(value).map(|read| marker = read),
                key if key.starts_with(KEYS) => tables.restore(value),
                _ => Ok(()),
            };
            read.map_err(|source| faulty(&key, source))?;
        }
        let partitions = log.partitions(Topic::Settlements)?;
        marker.settlements.resize(partitions as usize, 0);
        for (index, read) in (0..).zip(&marker.settlements) {
            runner::check_behind(log, Topic::Settlements.partition(index), *read)?;
        }
        let partitions = log.partitions(Topic::State)?;
        marker.notes.resize(partitions as usize, 0);
        for (index, read) in (0..).zip(&marker.notes) {
            let partition = Topic::State.partition(index);
            // What was noted before was judged before.
            for record in log
                .latest(partition)?
                .iter()
                .filter(|record| record.offset < *read)
            {
                if let Some(heard) = note(record)? {
                    registry.receive(heard);
                }
            }
        }
        Ok(Desk {
            tables,
            registry,
            readers: readers(log, Topic::Settlements, &marker.settlements)?,
            notes: readers(log, Topic::State, &marker.notes)?,
            marker,
            is_busy: true,
            uncommitted: 0,
            since: Instant::now(),
            ready: Vec::new(),
            counted: Committed::default(),
        })
    }

    fn has_caught_up(&self) -> bool {
        let mut readers = self.readers.iter().chain(&self.notes);
        readers.all(|reader| reader.caught_up())
    }

    /// Reads whom the settlers heard. Snapshots lie between the notes, and are stepped over: that alone is nothing to
    /// commit.
    fn read_notes(&mut self, formats: &Formats) -> Result<usize, RunnerError> {
        let mut read = 0;
        for index in 0..self.notes.len() {
            for record in self.notes[index].read(Duration::ZERO)? {
                self.marker.notes[index] = record.offset + 1;
                let Some(heard) = note(&record)? else {
                    continue;
                };
                read += 1;
                self.uncommitted += 1;
                for finding in self.registry.receive(heard) {
                    self.find(&finding, &record, formats)?;
                }
            }
        }
        Ok(read)
    }

    /// Records of the post mean nothing here.
    fn step_over(&mut self, records: &[Record]) {
        for record in records.iter().filter(|record| record.partition == POST) {
            self.marker.post = self.marker.post.max(record.offset + 1);
        }
    }

    /// Takes the next settlement of its partition.
    fn take(&mut self, record: &Record, formats: &Formats) -> Result<(), RunnerError> {
        let value = record.value.as_deref().unwrap_or_default();
        match formats.settlements.decode(value) {
            Ok(settlement) => {
                for finding in self.tables.receive(&settlement) {
                    self.find(&finding, record, formats)?;
                }
            }
            Err(error) => {
                let quarantined = quarantine::put_aside(record, None, error.to_string());
                let value = formats.quarantine.encode(&quarantined)?;
                let key = quarantined.table.unwrap_or_default();
                self.ready.push(Message::new(Topic::Quarantine, key, value));
                self.counted.quarantined += 1;
            }
        }
        self.marker.settlements[record.partition.index as usize] = record.offset + 1;
        self.uncommitted += 1;
        Ok(())
    }

    fn find(
        &mut self,
        finding: &Finding,
        record: &Record,
        formats: &Formats,
    ) -> Result<(), RunnerError> {
        let value = formats.findings.encode(finding)?;
        let message = Message::new(Topic::Findings, finding.table.as_str(), value);
        self.ready.push(message);
        let count = self.counted.findings.entry(finding.code.clone());
        *count.or_default() += 1;
        self.counted.decided_ms.push(record.timestamp_ms);
        Ok(())
    }

    /// Makes what has changed of the tables ready.
    fn write_changed(&mut self) -> Result<(), RunnerError> {
        let changed = self.tables.write_changed();
        for (table, value) in changed.map_err(|source| faulty(KEYS, source))? {
            self.ready.push(state(&format!("{KEYS} {table}"), value));
        }
        Ok(())
    }

    /// What was ready is on the log.
    fn committed(&mut self) -> Committed {
        let ready = std::mem::take(&mut self.ready);
        self.uncommitted = 0;
        self.since = Instant::now();
        let next = (0..).zip(self.marker.settlements.iter().copied());
        Committed {
            bytes_out: ready.iter().map(runner::bytes).sum(),
            compared: next.collect(),
            ..std::mem::take(&mut self.counted)
        }
    }
}

/// What a settler noted of whom it heard, if it is that.
fn note(record: &Record) -> Result<Option<Heard>, RunnerError> {
    let key = String::from_utf8_lossy(record.key.as_deref().unwrap_or_default());
    let value = record.value.as_deref();
    let Some(value) = value.filter(|_| key.starts_with(registry::KEYS)) else {
        return Ok(None);
    };
    let heard = snapshot::read(value).map_err(|source| faulty(&key, source))?;
    Ok(Some(heard))
}

/// Has a floor registered on this log, as far as the settlers have read it?
pub fn is_registered(log: &dyn Log) -> Result<bool, RunnerError> {
    for index in 0..log.partitions(Topic::State)? {
        for record in log.latest(Topic::State.partition(index))? {
            if matches!(note(&record)?, Some(Heard::Floor(_))) {
                return Ok(true);
            }
        }
    }
    Ok(false)
}

fn readers(log: &dyn Log, topic: Topic, next: &[u64]) -> catwalk_log::Result<Vec<Box<dyn Reader>>> {
    let places = (0..).map(|index| topic.partition(index));
    let places = places.zip(next);
    places
        .map(|(partition, next)| log.reader(partition, *next))
        .collect()
}

fn state(key: &str, value: Vec<u8>) -> Message {
    Message::new(STATE.topic, key, value).to_partition(STATE.index)
}

fn faulty(key: &str, source: SnapshotError) -> RunnerError {
    RunnerError::Snapshot {
        partition: STATE,
        table: key.to_owned(),
        source,
    }
}

impl std::fmt::Debug for UniformityStage {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("UniformityStage")
            .field("worker", &self.worker)
            .field("desk", &self.desk)
            .finish_non_exhaustive()
    }
}
