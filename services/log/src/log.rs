//! What a home of the log offers.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::Range;
use std::time::Duration;

use crate::{Consumed, Message, Partition, Record, Result, Topic, TopicSpec};

/// The event log. See the [crate] for how it is used.
pub trait Log: Send + Sync + fmt::Debug {
    /// Creates topics. One that exists already is left as it is, and its number of partitions must be
    /// the one asked for.
    fn create(&self, topics: &[TopicSpec]) -> Result<()>;

    fn partitions(&self, topic: Topic) -> Result<u32>;

    /// How many partitions each topic has now; one that is gone is left out. Whoever looks after the log asks this
    /// often: it waits for an answer no longer than `patience`.
    fn shape(&self, patience: Duration) -> Result<BTreeMap<Topic, u32>>;

    fn producer(&self) -> Result<Box<dyn Producer>>;

    /// Joins a group.
    fn worker(&self, spec: &WorkerSpec) -> Result<Box<dyn Worker>>;

    /// Reads a partition from an offset on; 0 is the beginning. An offset that is not there any more
    /// stands for the next one that is.
    fn reader(&self, partition: Partition, from: u64) -> Result<Box<dyn Reader>>;

    /// The offset after the last committed record.
    fn end(&self, partition: Partition) -> Result<u64>;

    /// The same when all that is being written to the partition now is decided: a transaction whose
    /// commit has returned may not be seen yet by [`end`](Log::end).
    fn decided_end(&self, partition: Partition) -> Result<u64> {
        self.end(partition)
    }

    /// Records that were removed by age or size before whoever has read up to `next` could read them. Not every offset
    /// is a record: a log keeps marks of commits among them, and a single offset may be the mark of the last.
    fn removed(&self, partition: Partition, next: u64) -> Result<Option<Range<u64>>> {
        let _ = (partition, next);
        Ok(None)
    }

    /// The latest record of each key of a partition of a compacted topic, in the order of writing.
    /// Removed keys are left out. Called after [`Polled::Assigned`], it sees all that any earlier holder
    /// of the partition has committed.
    fn latest(&self, partition: Partition) -> Result<Vec<Record>>;
}

/// Writes to the log outside of any transaction.
pub trait Producer: Send + fmt::Debug {
    /// Hands records over, in this order. They may still be on the way when this returns.
    ///
    /// # Errors
    /// Says also that a record of an *earlier* call has not arrived.
    fn send(&mut self, messages: &[Message]) -> Result<()>;

    /// Waits until all that was sent is safe.
    fn flush(&mut self) -> Result<()>;
}

/// A member of a group: consumes the input topics together with the other members, and commits.
///
/// Dropping it leaves the group. What it had not committed is given to another.
pub trait Worker: Send + fmt::Debug {
    /// Waits for something to happen, at most for `timeout`; then there are no records.
    ///
    /// It must be called regularly: partitions change hands only here.
    fn poll(&mut self, timeout: Duration) -> Result<Polled>;

    /// Writes outputs and consumption, all or nothing.
    ///
    /// # Errors
    /// If it fails, nothing of it is there, and the worker starts over from its last commit: the next
    /// polls give [`Polled::Lost`] and [`Polled::Assigned`] for all its partitions. The exceptions are
    /// [`Error::Fenced`](crate::Error::Fenced) and [`Error::InDoubt`](crate::Error::InDoubt), after
    /// which the worker is of no more use.
    fn commit(&mut self, outputs: &[Message], consumed: &Consumed) -> Result<()>;
}

/// What a worker meets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Polled {
    /// These partitions are the worker's from now on; records come from where the last commit, of
    /// whichever worker, had left off.
    Assigned(Vec<Partition>),
    /// These partitions go to another worker at the next poll: now is the time to commit what is ready.
    Revoked(Vec<Partition>),
    /// These partitions are gone already: what was not committed has to be forgotten.
    Lost(Vec<Partition>),
    /// Records of any of the worker's partitions, each partition's in order. None: nothing happened.
    Records(Vec<Record>),
}

/// Who a worker is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WorkerSpec {
    pub group: String,
    /// Unique within the group, and the same again after a restart: a worker that comes back under its
    /// name takes the place of the former at once.
    pub name: String,
    /// The same for all workers of a group.
    pub inputs: Vec<Topic>,
    /// The most records that one poll gives.
    pub max_records: usize,
}

impl WorkerSpec {
    pub fn new(
        group: impl Into<String>,
        name: impl Into<String>,
        inputs: impl IntoIterator<Item = Topic>,
    ) -> WorkerSpec {
        WorkerSpec {
            group: group.into(),
            name: name.into(),
            inputs: inputs.into_iter().collect(),
            max_records: 1000,
        }
    }
}

/// Follows one partition.
pub trait Reader: Send + fmt::Debug {
    /// Waits for records that come next, at most for `timeout`. None: there are no more for now.
    fn read(&mut self, timeout: Duration) -> Result<Vec<Record>>;

    /// Whether the last read came to the end of the partition.
    fn caught_up(&self) -> bool;

    /// The offset from which the next read goes on.
    fn position(&self) -> u64;
}
