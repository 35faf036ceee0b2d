//! The log in a folder of this machine.

mod codec;
#[cfg(test)]
mod damage;
mod examine;
mod files;
mod folder;
mod group;
mod journal;
mod marks;
mod salvage;
mod store;
mod syncer;
mod worker;

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

pub use self::salvage::{Salvaged, salvage};
use self::store::Store;
use self::worker::EmbeddedWorker;
use crate::{
    Error, Log, Message, Partition, Producer, Reader, Record, Result, Topic, TopicSpec, Worker,
    WorkerSpec,
};

/// When what was written is safe from a power failure. A process that is killed loses nothing under
/// any of them, and whatever is lost is lost from the end: consumption never survives its outputs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Durability {
    /// As soon as a commit or a flush returns.
    Commit,
    /// Within this time.
    Within(Duration),
    /// Whenever the operating system likes.
    Os,
}

/// The log in a folder of this machine.
///
/// One process owns the folder, and nobody else writes there. Clones share the log: hand one to each thread.
#[derive(Debug, Clone)]
pub struct EmbeddedLog(Arc<Store>);

impl EmbeddedLog {
    /// Opens the log in `folder`, which is created if it is not there.
    ///
    /// A torn end, as a process leaves it that is killed while it writes, is cut off, and
    /// [`repaired`](EmbeddedLog::repaired) says so.
    ///
    /// # Errors
    /// [`Error::Locked`] if the folder is open already, here or in another process; [`Error::Damaged`] if
    /// it has less than it had, with the place and what lies behind it. Then nothing is written.
    pub fn open(folder: impl AsRef<Path>, durability: Durability) -> Result<EmbeddedLog> {
        Ok(EmbeddedLog(Arc::new(Store::open(
            folder.as_ref(),
            durability,
        )?)))
    }

    /// Opens the log in `folder` if it is there: for whoever only reads.
    ///
    /// # Errors
    /// As [`open`](EmbeddedLog::open), and [`Error::NoLog`] if there is none; nothing is made then.
    pub fn open_existing(folder: impl AsRef<Path>, durability: Durability) -> Result<EmbeddedLog> {
        let store = Store::open_existing(folder.as_ref(), durability)?;
        Ok(EmbeddedLog(Arc::new(store)))
    }

    /// Whether a process has the log in `folder` open. Nothing is made.
    pub fn is_in_use(folder: impl AsRef<Path>) -> Result<bool> {
        let folder = folder.as_ref();
        if folder::existing(folder).is_err() {
            return Ok(false);
        }
        match folder::lock(folder) {
            Ok(_) => Ok(false),
            Err(Error::Locked { .. }) => Ok(true),
            Err(error) => Err(error),
        }
    }

    /// What was put right when the log was opened, a sentence each.
    pub fn repaired(&self) -> &[String] {
        self.0.repaired()
    }

    /// Records that were lost before the log was salvaged, by partition and offset.
    pub fn lost(&self) -> Vec<(Partition, Range<u64>)> {
        self.0.holes().iter().collect()
    }

    /// Reads every record of a partition, and says how many there are.
    ///
    /// # Errors
    /// [`Error::Damaged`] at the first that is missing or not as it was written.
    pub fn verify(&self, partition: Partition) -> Result<u64> {
        if partition.topic.is_compacted() {
            return Ok(self.0.latest(partition)?.len() as u64);
        }
        let end = self.end(partition)?;
        let (mut count, mut from) = (0, 0);
        while from < end {
            let (records, next) = self.0.read(partition, from, end, READ_RECORDS)?;
            count += records.len() as u64;
            from = next;
        }
        Ok(count)
    }
}

impl Log for EmbeddedLog {
    fn create(&self, topics: &[TopicSpec]) -> Result<()> {
        self.0.create(topics)
    }

    fn partitions(&self, topic: Topic) -> Result<u32> {
        self.0.shared().partitions(topic)
    }

    fn shape(&self, _: Duration) -> Result<BTreeMap<Topic, u32>> {
        let shared = self.0.shared();
        let counts = Topic::ALL.map(|topic| Some((topic, shared.partitions(topic).ok()?)));
        Ok(counts.into_iter().flatten().collect())
    }

    fn producer(&self) -> Result<Box<dyn Producer>> {
        Ok(Box::new(EmbeddedProducer(Arc::clone(&self.0))))
    }

    fn worker(&self, spec: &WorkerSpec) -> Result<Box<dyn Worker>> {
        Ok(Box::new(EmbeddedWorker::join(Arc::clone(&self.0), spec)?))
    }

    fn reader(&self, partition: Partition, from: u64) -> Result<Box<dyn Reader>> {
        self.end(partition)?;
        Ok(Box::new(EmbeddedReader {
            store: Arc::clone(&self.0),
            partition,
            position: from,
            caught_up: false,
        }))
    }

    fn end(&self, partition: Partition) -> Result<u64> {
        self.0.shared().end(partition)
    }

    fn latest(&self, partition: Partition) -> Result<Vec<Record>> {
        if !partition.topic.is_compacted() {
            return Err(Error::NotCompacted {
                topic: partition.topic,
            });
        }
        let mut records = self.0.latest(partition)?;
        records.retain(|record| record.value.is_some());
        Ok(records)
    }
}

/// Writes at once: there is nothing on the way.
#[derive(Debug)]
struct EmbeddedProducer(Arc<Store>);

impl Producer for EmbeddedProducer {
    fn send(&mut self, messages: &[Message]) -> Result<()> {
        self.0.append(messages)
    }

    fn flush(&mut self) -> Result<()> {
        self.0.sync()
    }
}

#[derive(Debug)]
struct EmbeddedReader {
    store: Arc<Store>,
    partition: Partition,
    position: u64,
    caught_up: bool,
}

/// The most records that one read gives.
const READ_RECORDS: usize = 1000;

impl Reader for EmbeddedReader {
    fn read(&mut self, timeout: Duration) -> Result<Vec<Record>> {
        let deadline = Instant::now() + timeout;
        loop {
            let end = {
                let mut shared = self.store.shared();
                loop {
                    let end = shared.end(self.partition)?;
                    let left = deadline.saturating_duration_since(Instant::now());
                    if end > self.position || left.is_zero() {
                        break end;
                    }
                    shared = self.store.wait(shared, left);
                }
            };
            let (records, next) =
                self.store
                    .read(self.partition, self.position, end, READ_RECORDS)?;
            self.position = self.position.max(next);
            self.caught_up = self.position >= end;
            if !records.is_empty() || Instant::now() >= deadline {
                return Ok(records);
            }
        }
    }

    fn caught_up(&self) -> bool {
        self.caught_up
    }

    fn position(&self) -> u64 {
        self.position
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_belongs_to_one_owner() {
        let folder = tempfile::tempdir().unwrap();
        let log = EmbeddedLog::open(folder.path(), Durability::Os).unwrap();
        let error = EmbeddedLog::open(folder.path(), Durability::Os).unwrap_err();
        assert!(matches!(error, Error::Locked { .. }), "{error}");
        assert!(error.to_string().contains("is in use"), "{error}");
        drop(log);
        EmbeddedLog::open(folder.path(), Durability::Os).unwrap();
    }

    #[test]
    fn a_log_that_syncs_now_and_then_closes_at_once() {
        let folder = tempfile::tempdir().unwrap();
        let within = Durability::Within(Duration::from_secs(3600));
        let log = EmbeddedLog::open(folder.path(), within).unwrap();
        log.create(&[Topic::FloorEvents.with_partitions(1)])
            .unwrap();
        let message = Message::new(Topic::FloorEvents, "BJ-07", "an event");
        log.producer().unwrap().send(&[message]).unwrap();
        drop(log);
        let log = EmbeddedLog::open(folder.path(), within).unwrap();
        assert_eq!(log.end(Topic::FloorEvents.partition(0)).unwrap(), 1);
    }
}
