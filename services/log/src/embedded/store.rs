//! The folder: what is written, and what the threads of the process share.

use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::fs::File;
use std::path::Path;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use fjall::{Database, Keyspace, KeyspaceCreateOptions, OwnedWriteBatch, PersistMode};

use super::Durability;
use super::codec::{self, decode, encode, latest_key, offset_key, record_key, topic_key};
use super::folder::{in_place, lock};
use super::group::{Group, MemberId};
use super::syncer::Syncer;
use crate::record::now_ms;
use crate::{
    Consumed, Error, Message, Partition, Record, Result, Topic, TopicSpec, WorkerSpec, partition_of,
};

/// As Kafka's `message.max.bytes`, so that what one home takes the other takes too.
const RECORD_BYTES: usize = 1_000_000;
/// The storage takes keys of up to 65,535 bytes.
const KEY_BYTES: usize = 32 * 1024;
/// As much as Kafka allows for the name of a topic.
const GROUP_BYTES: usize = 249;
/// What one read holds in memory at most, give or take a record.
const READ_BYTES: usize = 16 * 1024 * 1024;

pub(super) struct Store {
    /// First, so that it ends before the database closes.
    _syncer: Option<Syncer>,
    db: Database,
    meta: Keyspace,
    offsets: Keyspace,
    records: HashMap<Topic, Keyspace>,
    /// Where the latest record of each key of a compacted topic is.
    latest: HashMap<Topic, Keyspace>,
    durability: Durability,
    /// Held by whoever writes: offsets are given out in the order of the journal.
    writing: Mutex<()>,
    shared: Mutex<Shared>,
    changed: Condvar,
    /// Last, so that the folder is free only when the database is closed.
    _lock: Option<File>,
}

/// What readers and workers look at. It changes only after the change is on the disk.
#[derive(Debug, Default)]
pub(super) struct Shared {
    partitions: BTreeMap<Topic, u32>,
    ends: HashMap<Partition, u64>,
    groups: BTreeMap<String, Group>,
    last_member: MemberId,
}

impl fmt::Debug for Store {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Store")
            .field("durability", &self.durability)
            .field("shared", &self.shared)
            .finish_non_exhaustive()
    }
}

impl Store {
    pub(super) fn open(folder: &Path, durability: Durability) -> Result<Store> {
        let lock = lock(folder)?;
        let data = in_place(folder, |new| {
            drop(Store::open_database(folder, new, None, Durability::Commit)?);
            Ok(())
        })?;
        Store::open_database(folder, &data, Some(lock), durability)
    }

    fn open_database(
        folder: &Path,
        data: &Path,
        lock: Option<File>,
        durability: Durability,
    ) -> Result<Store> {
        let db = Database::builder(data).open()?;
        let open = |name: &str| db.keyspace(name, KeyspaceCreateOptions::default);
        let (mut records, mut latest) = (HashMap::new(), HashMap::new());
        for topic in Topic::ALL {
            records.insert(topic, open(topic.name())?);
            if topic.is_compacted() {
                latest.insert(topic, open(&format!("{topic}.keys"))?);
            }
        }
        let syncer = match durability {
            Durability::Within(time) => Some(Syncer::start(db.clone(), time)),
            Durability::Commit | Durability::Os => None,
        };
        let store = Store {
            _syncer: syncer,
            meta: open("meta")?,
            offsets: open("offsets")?,
            records,
            latest,
            db,
            durability,
            writing: Mutex::new(()),
            shared: Mutex::default(),
            changed: Condvar::new(),
            _lock: lock,
        };
        store.check_version(folder)?;
        store.find_topics(folder)?;
        Ok(store)
    }

    pub(super) fn shared(&self) -> MutexGuard<'_, Shared> {
        // Each change of what is shared is one step: a thread that panics leaves it whole.
        self.shared.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until something changes, at most for `timeout`.
    pub(super) fn wait<'a>(
        &self,
        shared: MutexGuard<'a, Shared>,
        timeout: Duration,
    ) -> MutexGuard<'a, Shared> {
        let waited = self.changed.wait_timeout(shared, timeout);
        waited.unwrap_or_else(PoisonError::into_inner).0
    }

    pub(super) fn wake_all(&self) {
        self.changed.notify_all();
    }

    pub(super) fn create(&self, topics: &[TopicSpec]) -> Result<()> {
        let _writing = self.writing();
        let mut batch = self.batch();
        let mut created = Vec::new();
        for spec in topics {
            let wanted = spec.partitions.max(1);
            match self.shared().partitions(spec.topic) {
                Ok(found) if found == wanted => {}
                Ok(found) => {
                    return Err(Error::PartitionCount {
                        topic: spec.topic,
                        wanted,
                        found,
                    });
                }
                Err(_) => {
                    let key = topic_key(spec.topic.name());
                    batch.insert(&self.meta, key, wanted.to_be_bytes());
                    created.push((spec.topic, wanted));
                }
            }
        }
        batch.commit()?;
        self.shared().partitions.extend(created);
        Ok(())
    }

    /// Writes records outside of any commit.
    pub(super) fn append(&self, messages: &[Message]) -> Result<()> {
        let _writing = self.writing();
        let batch = self.db.batch();
        self.write(batch, messages)
    }

    /// Makes sure of all that was written, as far as the policy asks for it.
    pub(super) fn sync(&self) -> Result<()> {
        match self.durability {
            Durability::Commit => Ok(self.db.persist(PersistMode::SyncData)?),
            Durability::Within(_) | Durability::Os => Ok(()),
        }
    }

    /// Writes outputs and consumption of a member of a group in one batch.
    pub(super) fn commit(
        &self,
        (group, member, name): (&str, MemberId, &str),
        outputs: &[Message],
        consumed: &Consumed,
    ) -> Result<()> {
        // No namesake can join while this is held, and only the member itself gives partitions up.
        let _writing = self.writing();
        self.shared().check_holds(group, member, name, consumed)?;
        let mut batch = self.batch();
        for (partition, next) in consumed.iter() {
            let key = offset_key(group, partition);
            batch.insert(&self.offsets, key, next.to_be_bytes());
        }
        self.write(batch, outputs)
    }

    /// Where a group goes on with a partition.
    pub(super) fn committed(&self, group: &str, partition: Partition) -> Result<u64> {
        let Some(bytes) = self.offsets.get(offset_key(group, partition))? else {
            return Ok(0);
        };
        codec::number(&bytes).ok_or_else(|| Error::Corrupt {
            place: format!("the offset of group {group} on {partition}"),
            reason: format!("{} bytes", bytes.len()),
        })
    }

    pub(super) fn join(&self, spec: &WorkerSpec) -> Result<MemberId> {
        if spec.group.len() > GROUP_BYTES {
            return Err(Error::GroupName {
                group: spec.group.clone(),
                limit: GROUP_BYTES,
            });
        }
        let _writing = self.writing();
        let mut shared = self.shared();
        let mut inputs = spec.inputs.clone();
        inputs.sort_unstable();
        inputs.dedup();
        let mut partitions = Vec::new();
        for topic in &inputs {
            let count = shared.partitions(*topic)?;
            partitions.extend((0..count).map(|index| topic.partition(index)));
        }
        shared.last_member += 1;
        let id = shared.last_member;
        let group = shared.groups.entry(spec.group.clone());
        let group = group.or_insert_with(|| Group::new(inputs.clone(), partitions));
        if group.inputs != inputs {
            let group = spec.group.clone();
            return Err(Error::GroupInputs { group });
        }
        group.join(id, &spec.name);
        drop(shared);
        self.wake_all();
        Ok(id)
    }

    pub(super) fn leave(&self, group: &str, member: MemberId) {
        let mut shared = self.shared();
        if let Some(found) = shared.groups.get_mut(group) {
            found.leave(member);
            if found.is_empty() {
                shared.groups.remove(group);
            }
        }
        drop(shared);
        self.wake_all();
    }

    /// Records of `from..end`, at most `limit`, and the offset to go on from.
    pub(super) fn read(
        &self,
        partition: Partition,
        from: u64,
        end: u64,
        limit: usize,
    ) -> Result<(Vec<Record>, u64)> {
        let mut records = Vec::new();
        if from >= end {
            return Ok((records, from));
        }
        let range = record_key(partition.index, from)..record_key(partition.index, end);
        let mut bytes = 0;
        for entry in self.records[&partition.topic].range(range) {
            let (key, value) = entry.into_inner()?;
            bytes += value.len();
            let record = decode(partition, &key, &value)?;
            let next = record.offset + 1;
            records.push(record);
            if records.len() >= limit || bytes >= READ_BYTES {
                return Ok((records, next));
            }
        }
        Ok((records, end))
    }

    fn writing(&self) -> MutexGuard<'_, ()> {
        // It guards no data of its own: offsets are taken from what is shared.
        self.writing.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A batch as safe as the policy asks for.
    fn batch(&self) -> OwnedWriteBatch {
        let mode = match self.durability {
            Durability::Commit => PersistMode::SyncData,
            Durability::Within(_) | Durability::Os => PersistMode::Buffer,
        };
        self.db.batch().durability(Some(mode))
    }

    /// Adds records to a batch, commits it, and only then shows them.
    fn write(&self, mut batch: OwnedWriteBatch, messages: &[Message]) -> Result<()> {
        let (placed, ends) = self.shared().place(messages)?;
        let now_ms = now_ms();
        // Of a compacted topic only the last record of a key is kept, also within a batch.
        let mut last = HashMap::new();
        for (message, partition, offset) in &placed {
            if partition.topic.is_compacted() {
                last.insert((partition, &message.key), *offset);
            }
        }
        for (message, partition, offset) in &placed {
            let records = &self.records[&partition.topic];
            if let Some(latest) = self.latest.get(&partition.topic) {
                if last.get(&(partition, &message.key)) != Some(offset) {
                    continue;
                }
                let key = latest_key(partition.index, &message.key);
                if let Some(former) = latest.get(&key)?.as_deref().and_then(codec::number) {
                    batch.remove(records, record_key(partition.index, former));
                }
                batch.insert(latest, key, offset.to_be_bytes());
            }
            let value = encode(message, message.timestamp_ms.unwrap_or(now_ms));
            batch.insert(records, record_key(partition.index, *offset), value);
        }
        batch.commit()?;
        self.shared().ends.extend(ends);
        self.wake_all();
        Ok(())
    }

    fn check_version(&self, folder: &Path) -> Result<()> {
        match self.meta.get("version")? {
            None => {
                let mut batch = self.db.batch().durability(Some(PersistMode::SyncAll));
                batch.insert(&self.meta, "version", [codec::VERSION]);
                Ok(batch.commit()?)
            }
            Some(version) if *version == [codec::VERSION] => Ok(()),
            Some(version) => Err(Error::Corrupt {
                place: folder.display().to_string(),
                reason: format!("layout {version:?}, this is layout {}", codec::VERSION),
            }),
        }
    }

    /// Takes from the folder how many partitions the topics have and where each ends.
    fn find_topics(&self, folder: &Path) -> Result<()> {
        let mut shared = self.shared();
        for topic in Topic::ALL {
            let Some(count) = self.meta.get(topic_key(topic.name()))? else {
                continue;
            };
            let count = codec::short(&count).ok_or_else(|| Error::Corrupt {
                place: folder.display().to_string(),
                reason: format!("the number of partitions of {topic}"),
            })?;
            shared.partitions.insert(topic, count);
            for index in 0..count {
                let all = record_key(index, 0)..=record_key(index, u64::MAX);
                let Some(last) = self.records[&topic].range(all).next_back() else {
                    continue;
                };
                let (key, value) = last.into_inner()?;
                let record = decode(topic.partition(index), &key, &value)?;
                shared.ends.insert(record.partition, record.offset + 1);
            }
        }
        Ok(())
    }
}

/// A message with its partition and offset.
type Placed<'a> = (&'a Message, Partition, u64);

impl Shared {
    pub(super) fn partitions(&self, topic: Topic) -> Result<u32> {
        let count = self.partitions.get(&topic).copied();
        count.ok_or(Error::NoTopic { topic })
    }

    pub(super) fn end(&self, partition: Partition) -> Result<u64> {
        let count = self.partitions(partition.topic)?;
        if partition.index >= count {
            return Err(Error::NoPartition { partition, count });
        }
        Ok(self.ends.get(&partition).copied().unwrap_or(0))
    }

    pub(super) fn group(&mut self, group: &str) -> Option<&mut Group> {
        self.groups.get_mut(group)
    }

    /// Gives each message its place, and says where the partitions end then.
    fn place<'a>(
        &self,
        messages: &'a [Message],
    ) -> Result<(Vec<Placed<'a>>, HashMap<Partition, u64>)> {
        let mut ends = HashMap::new();
        let mut placed = Vec::with_capacity(messages.len());
        for message in messages {
            check_size(message)?;
            let count = self.partitions(message.topic)?;
            let index = message
                .partition
                .unwrap_or_else(|| partition_of(&message.key, count));
            let partition = message.topic.partition(index);
            let end = match ends.get(&partition) {
                Some(end) => *end,
                None => self.end(partition)?,
            };
            placed.push((message, partition, end));
            ends.insert(partition, end + 1);
        }
        Ok((placed, ends))
    }

    fn check_holds(
        &mut self,
        group: &str,
        member: MemberId,
        name: &str,
        consumed: &Consumed,
    ) -> Result<()> {
        let group = self.group(group).filter(|group| group.has(member));
        let Some(group) = group else {
            let worker = name.to_owned();
            return Err(Error::Fenced { worker });
        };
        let mut partitions = consumed.iter().map(|(partition, _)| partition);
        match partitions.find(|partition| !group.holds(member, *partition)) {
            Some(partition) => Err(Error::NotHeld { partition }),
            None => Ok(()),
        }
    }
}

fn check_size(message: &Message) -> Result<()> {
    let too_large = |bytes, limit| Error::TooLarge {
        topic: message.topic,
        bytes,
        limit,
    };
    if message.key.len() > KEY_BYTES {
        return Err(too_large(message.key.len(), KEY_BYTES));
    }
    if message.bytes() > RECORD_BYTES {
        return Err(too_large(message.bytes(), RECORD_BYTES));
    }
    Ok(())
}
