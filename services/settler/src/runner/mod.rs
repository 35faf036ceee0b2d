//! The settler on the event log, exactly once.
//!
//! A [`Runner`] is one worker of the settlers' group. It reads `floor.events`, folds each table, and
//! commits in one step what came of a batch: settlements, findings, quarantined records, how far it
//! has come, and now and then snapshots of tables. Several runners, in one process or on many
//! machines, share the partitions.
//!
//! A snapshot of every changed table in every commit would be many times the size of the events
//! themselves. So a table is written down only when its last snapshot has fallen
//! [`replay_offsets`](RunnerSpec::replay_offsets) behind, or when the runner ends or gives the partition away. Each
//! commit writes a small marker
//! beside its outputs: up to which offset all outputs are on the log (`consumed`), and from which
//! offset on a table may have changed since its snapshot (`replay_from`). Whoever takes the partition
//! over restores the snapshots, folds `replay_from..consumed` again and throws the outputs away, since
//! they are on the log already; then it goes on. The fold is deterministic, so the tables are what they
//! were, to the byte. The marker is the truth about what was consumed: records before it are skipped
//! even where the group's own offsets were lost.
//!
//! A large batch is committed while the next one is folded, if the next is at hand already: a commit mostly
//! waits for the disk or the broker. If it fails, what was folded meanwhile is thrown away with it. A small
//! one is committed at once: nothing waits behind it, and what was found should be known.

mod door;
mod lane;
mod meter;
mod outputs;
mod share;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use catwalk_log::{Consumed, Log, Message, Partition, Polled, Record, Topic, Worker, WorkerSpec};
use catwalk_rules::Rulebook;
use catwalk_wire::{AvroError, Formats, RegistryError};
use rayon::prelude::*;

pub use self::door::{MAX_EVENT_BYTES, MAX_NAME_BYTES};
pub use self::meter::{Committed, Counters, Meter, Totals};
pub use self::outputs::MAX_RECORD_BYTES;
use self::outputs::Outputs;
use self::share::Share;
use crate::settler::{DataError, Settler};
use crate::snapshot::SnapshotError;

/// The group that settlers share the floor's events in.
pub const GROUP: &str = "settler";
/// One thread reads at least so many records of a batch: fewer are not worth waking another.
const READ_TOGETHER: usize = 64;
/// A batch of fewer events is small: its fold takes no time beside its commit.
const SMALL_BATCH: usize = 1_000;
/// How long a quiet runner waits before it looks whether it is to stop.
const PATIENCE: Duration = Duration::from_millis(100);

#[derive(Debug, thiserror::Error)]
pub enum RunnerError {
    #[error(transparent)]
    Log(#[from] catwalk_log::Error),
    #[error(transparent)]
    Data(#[from] DataError),
    #[error(transparent)]
    Registry(#[from] RegistryError),
    #[error("a record cannot be written: {0}")]
    Avro(#[from] AvroError),
    #[error("{partition}, table {table}: {source}")]
    Snapshot {
        partition: Partition,
        table: String,
        source: SnapshotError,
    },
    #[error(
        "{state} has {found} partitions and {events} has {wanted}: a snapshot lies beside its events, so \
        both need the same number",
        state = Topic::State, events = Topic::FloorEvents
    )]
    Partitions { wanted: u32, found: u32 },
    #[error("the log gives events of {partition}, which it has not assigned")]
    NotAssigned { partition: Partition },
    #[error(
        "{missing} of the {wanted} events that {partition} needs to restore its tables are gone: keep \
        events longer than a settler may be down"
    )]
    Gone {
        partition: Partition,
        wanted: u64,
        missing: u64,
    },
    #[error(
        "{partition} was read up to record {consumed}, and ends at {end}: the log has lost records, or it is \
        not the log of this state"
    )]
    AheadOfLog {
        partition: Partition,
        consumed: u64,
        end: u64,
    },
}

/// A state that is ahead of its log would pass over what comes next, as if it had it already.
pub(crate) fn check_behind(
    log: &dyn Log,
    partition: Partition,
    consumed: u64,
) -> Result<(), RunnerError> {
    if consumed <= log.end(partition)? {
        return Ok(());
    }
    match log.decided_end(partition)? {
        end if consumed > end => Err(RunnerError::AheadOfLog {
            partition,
            consumed,
            end,
        }),
        _ => Ok(()),
    }
}

/// Who a runner is, and its bounds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunnerSpec {
    /// Its own among the settlers, and the same again after a restart.
    pub name: String,
    /// The most events of one commit; they are in memory until then.
    pub max_events: usize,
    /// A table is written down when its last snapshot is so many offsets behind: so much is folded
    /// again after a crash, in a fraction of a second.
    pub replay_offsets: u64,
    /// So many tables of one partition are kept; events of further ones go into quarantine.
    pub max_tables: usize,
}

impl RunnerSpec {
    pub fn new(name: impl Into<String>) -> RunnerSpec {
        RunnerSpec {
            name: name.into(),
            max_events: 16_000,
            replay_offsets: 10_000,
            max_tables: 10_000,
        }
    }
}

/// One settler among those that share the log.
pub struct Runner {
    spec: RunnerSpec,
    log: Arc<dyn Log>,
    worker: Box<dyn Worker>,
    /// Without tables: what the shares are made from.
    settler: Settler,
    formats: Formats,
    shares: BTreeMap<Partition, Share>,
    /// What came of the last batch, not committed yet.
    ready: Option<Batch>,
    meter: Arc<dyn Meter>,
}

/// What is committed in one step.
#[derive(Debug, Default)]
struct Batch {
    outputs: Outputs,
    consumed: Consumed,
}

/// What became of a commit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fate {
    Committed,
    /// Nothing of it is there: the next polls take the partitions away and give them back.
    Aborted,
}

impl Runner {
    /// Joins the group.
    pub fn join(
        log: Arc<dyn Log>,
        spec: RunnerSpec,
        rulebook: Arc<Rulebook>,
        formats: Formats,
        meter: Arc<dyn Meter>,
    ) -> Result<Runner, RunnerError> {
        let wanted = log.partitions(Topic::FloorEvents)?;
        let found = log.partitions(Topic::State)?;
        if wanted != found {
            return Err(RunnerError::Partitions { wanted, found });
        }
        let worker = WorkerSpec {
            max_records: spec.max_events,
            ..WorkerSpec::new(GROUP, &spec.name, [Topic::FloorEvents])
        };
        Ok(Runner {
            worker: log.worker(&worker)?,
            spec,
            settler: Settler::new(rulebook)?,
            log,
            formats,
            shares: BTreeMap::new(),
            ready: None,
            meter,
        })
    }

    /// Settles what comes until it is told to stop. What is underway is committed, and every table is
    /// written down, so that the next start needs no replay.
    pub fn run(&mut self, stop: &AtomicBool) -> Result<(), RunnerError> {
        while !stop.load(Ordering::Acquire) {
            self.step(PATIENCE)?;
        }
        self.write_down(None)
    }

    /// Settles all that is on the log now, alone in its group, and stops.
    pub fn run_until_caught_up(&mut self) -> Result<(), RunnerError> {
        let mut ends = BTreeMap::new();
        for index in 0..self.log.partitions(Topic::FloorEvents)? {
            let partition = Topic::FloorEvents.partition(index);
            ends.insert(partition, self.log.end(partition)?);
        }
        loop {
            let consumed = |of: &Partition| self.shares.get(of).map(Share::consumed);
            ends.retain(|partition, end| consumed(partition).is_none_or(|offset| offset < *end));
            if ends.is_empty() {
                return self.write_down(None);
            }
            let held = |partition: &Partition| Some((*partition, consumed(partition)?));
            let before: Vec<(Partition, u64)> = ends.keys().filter_map(held).collect();
            self.step(PATIENCE)?;
            for (partition, next) in before {
                let stood = self.shares.get(&partition).map(Share::consumed) == Some(next);
                if stood && !self.has_more(partition, next)? {
                    ends.remove(&partition);
                }
            }
        }
    }

    /// Are there records from an offset on? Not every offset is one: a log keeps marks of commits among them.
    fn has_more(&self, partition: Partition, from: u64) -> Result<bool, RunnerError> {
        let mut reader = self.log.reader(partition, from)?;
        loop {
            if !reader.read(PATIENCE)?.is_empty() {
                return Ok(true);
            }
            if reader.caught_up() {
                return Ok(false);
            }
        }
    }

    /// Takes one step: a change of hands, or a batch of events. What came of a large batch is committed by
    /// the next step.
    pub fn step(&mut self, patience: Duration) -> Result<(), RunnerError> {
        let patience = match self.ready {
            Some(_) => Duration::ZERO,
            None => patience,
        };
        match self.worker.poll(patience)? {
            Polled::Assigned(partitions) => {
                for partition in partitions {
                    let mut share = Share::new(partition, &self.settler, &self.spec);
                    share.restore(&*self.log, &self.formats)?;
                    if let Some(gone) = self.log.removed(partition, share.consumed())? {
                        self.meter.removed(partition, gone);
                    }
                    self.shares.insert(partition, share);
                }
                Ok(())
            }
            Polled::Revoked(partitions) => {
                let written = self.write_down(Some(&partitions));
                self.forget(&partitions);
                written
            }
            Polled::Lost(partitions) => {
                self.forget(&partitions);
                // Now, before they may be given back: what is ready of a lost partition is refused,
                // and all starts over.
                self.commit_ready().map(|_| ())
            }
            Polled::Records(records) if records.is_empty() => self.commit_ready().map(|_| ()),
            Polled::Records(records) => self.settle(&records),
        }
    }

    fn forget(&mut self, partitions: &[Partition]) {
        for partition in partitions {
            self.shares.remove(partition);
        }
    }

    /// Folds a batch, while the one before is committed if that is not done yet.
    fn settle(&mut self, records: &[Record]) -> Result<(), RunnerError> {
        let Some(ready) = self.ready.take() else {
            self.ready = fold(&mut self.shares, records, &self.formats)?;
            return match records.len() < SMALL_BATCH {
                true => self.commit_ready().map(|_| ()),
                false => Ok(()),
            };
        };
        let (shares, formats) = (&mut self.shares, &self.formats);
        let (worker, meter) = (&mut *self.worker, &*self.meter);
        let mut folded = Ok(None);
        // The pool folds; this thread, which is not of the pool, waits for the commit.
        let committed = rayon::in_place_scope(|pool| {
            pool.spawn(|_| folded = fold(shares, records, formats));
            commit(worker, meter, ready)
        });
        if committed? == Fate::Committed {
            self.ready = folded?;
        }
        Ok(())
    }

    fn commit_ready(&mut self) -> Result<Fate, RunnerError> {
        match self.ready.take() {
            Some(ready) => commit(&mut *self.worker, &*self.meter, ready),
            None => Ok(Fate::Committed),
        }
    }

    /// Commits what is ready, and then snapshots of all tables that changed since theirs, of some
    /// partitions or of all.
    fn write_down(&mut self, of: Option<&[Partition]>) -> Result<(), RunnerError> {
        if self.commit_ready()? == Fate::Aborted {
            return Ok(());
        }
        let mut batch = Batch::default();
        for (partition, share) in &mut self.shares {
            if of.is_none_or(|of| of.contains(partition)) && share.is_behind() {
                share.write_all(&mut batch.outputs)?;
                batch.consumed.reach(*partition, share.consumed());
            }
        }
        match batch.consumed.is_empty() {
            true => Ok(()),
            false => commit(&mut *self.worker, &*self.meter, batch).map(|_| ()),
        }
    }
}

/// Folds a batch into the tables of its partitions. `None` if all of it was consumed before.
fn fold(
    shares: &mut BTreeMap<Partition, Share>,
    records: &[Record],
    formats: &Formats,
) -> Result<Option<Batch>, RunnerError> {
    let mut batch = Batch::default();
    let events: Vec<_> = records
        .par_iter()
        .with_min_len(READ_TOGETHER)
        .map(|record| door::admit(record, formats))
        .collect();
    for ((at, record), event) in records.iter().enumerate().zip(events) {
        let partition = record.partition;
        let share = shares.get_mut(&partition);
        let share = share.ok_or(RunnerError::NotAssigned { partition })?;
        if record.offset < share.consumed() {
            continue;
        }
        share.take((at, record), event?, formats, &mut batch.outputs)?;
        batch.consumed.add(record);
    }
    if batch.consumed.is_empty() {
        return Ok(None);
    }
    let busy: Vec<_> = shares.values_mut().flat_map(Share::busy).collect();
    let settled: Vec<_> = busy
        .into_par_iter()
        .with_max_len(1)
        .map(|lane| lane.settle(records, formats))
        .collect();
    for outputs in settled {
        batch.outputs.append(outputs?);
    }
    for (partition, _) in batch.consumed.iter() {
        if let Some(share) = shares.get_mut(&partition) {
            share.write_stale(&mut batch.outputs)?;
        }
    }
    Ok(Some(batch))
}

fn commit(worker: &mut dyn Worker, meter: &dyn Meter, batch: Batch) -> Result<Fate, RunnerError> {
    let (messages, mut committed) = batch.outputs.into_parts();
    match worker.commit(&messages, &batch.consumed) {
        Ok(()) => {
            let positions = batch.consumed.iter();
            committed.positions = positions.map(|(p, next)| (p.index, next)).collect();
            committed.bytes_out = messages.iter().map(bytes).sum();
            meter.committed(&committed);
            Ok(Fate::Committed)
        }
        Err(catwalk_log::Error::Aborted { .. } | catwalk_log::Error::NotHeld { .. }) => {
            Ok(Fate::Aborted)
        }
        Err(error) => Err(error.into()),
    }
}

impl std::fmt::Debug for Runner {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Runner")
            .field("worker", &self.worker)
            .field("partitions", &self.shares.keys())
            .finish_non_exhaustive()
    }
}

pub(crate) fn bytes(message: &Message) -> u64 {
    let value = message.value.as_ref().map_or(0, Vec::len);
    (message.key.len() + value) as u64
}
