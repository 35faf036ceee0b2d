//! The folder: what is written, and what the threads of the process share.

use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::fs::{self, File};
use std::path::Path;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use fjall::{OwnedWriteBatch, PersistMode};

use super::Durability;
use super::codec::{self, decode, encode, hole_key, latest_key, offset_key, record_key, topic_key};
use super::examine::{check_nothing_was_there, compare, examine};
use super::files::{Files, Holes};
use super::folder::{existing, in_place, io, lock, not_above};
use super::group::{Group, MemberId};
use super::marks::{self, Extent, Marks};
use super::salvage::Salvage;
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
    pub(super) files: Files,
    marks: Arc<Marks>,
    /// The offset before which the records of a partition have no checksum.
    unchecked: HashMap<Partition, u64>,
    holes: Holes,
    repaired: Vec<String>,
    durability: Durability,
    /// Held by whoever writes: offsets are given out in the order of the journal.
    writing: Mutex<()>,
    shared: Mutex<Shared>,
    changed: Condvar,
    /// Last, so that the folder is free only when the database is closed.
    _lock: File,
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
    /// Opens the log in a folder, and makes it if it is not there.
    pub(super) fn open(folder: &Path, durability: Durability) -> Result<Store> {
        not_above(folder)?;
        io("create", folder, fs::create_dir_all(folder))?;
        let lock = lock(folder)?;
        let data = in_place(folder, |new| {
            check_nothing_was_there(folder)?;
            let files = Files::open(new)?;
            files.meta.insert("version", [codec::VERSION])?;
            files.db.persist(PersistMode::SyncAll)?;
            drop(Marks::begin(folder, Extent::default())?);
            Ok(())
        })?;
        Store::open_data(folder, &data, lock, durability)
    }

    /// Opens a log that is there.
    pub(super) fn open_existing(folder: &Path, durability: Durability) -> Result<Store> {
        let data = existing(folder)?;
        let lock = lock(folder)?;
        Store::open_data(folder, &data, lock, durability)
    }

    fn open_data(folder: &Path, data: &Path, lock: File, durability: Durability) -> Result<Store> {
        let due = marks::due(folder)?;
        let mut repaired = examine(folder, data, due.as_ref())?;
        let files = Files::open(data)?;
        let found = files.found(folder)?;
        repaired.extend(compare(folder, &found, due.as_ref())?);
        let marks = Arc::new(Marks::begin(folder, found.extent.clone())?);
        files.upgrade(&found)?;
        let syncer = match durability {
            Durability::Within(time) => {
                Some(Syncer::start(files.db.clone(), Arc::clone(&marks), time))
            }
            Durability::Commit | Durability::Os => None,
        };
        let ends = found.extent.ends.iter();
        Ok(Store {
            _syncer: syncer,
            shared: Mutex::new(Shared {
                ends: ends.map(|(partition, end)| (*partition, *end)).collect(),
                partitions: found.partitions,
                ..Shared::default()
            }),
            unchecked: found.unchecked,
            holes: found.holes,
            files,
            marks,
            repaired,
            durability,
            writing: Mutex::new(()),
            changed: Condvar::new(),
            _lock: lock,
        })
    }

    /// What was put right when the log was opened, a sentence each.
    pub(super) fn repaired(&self) -> &[String] {
        &self.repaired
    }

    pub(super) fn holes(&self) -> &Holes {
        &self.holes
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
                    batch.insert(&self.files.meta, key, wanted.to_be_bytes());
                    created.push((spec.topic, wanted));
                }
            }
        }
        self.put(batch, self.durability == Durability::Commit, [])?;
        self.shared().partitions.extend(created);
        Ok(())
    }

    /// Writes records outside of any commit.
    pub(super) fn append(&self, messages: &[Message]) -> Result<()> {
        let _writing = self.writing();
        let batch = self.files.db.batch();
        self.write(batch, messages, false)
    }

    /// Makes sure of all that was written, as far as the policy asks for it.
    pub(super) fn sync(&self) -> Result<()> {
        match self.durability {
            Durability::Commit => {
                let written = self.marks.written();
                self.files.db.persist(PersistMode::SyncData)?;
                self.marks.safe(written);
                Ok(())
            }
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
            batch.insert(&self.files.offsets, key, next.to_be_bytes());
        }
        self.write(batch, outputs, self.durability == Durability::Commit)
    }

    /// Where a group goes on with a partition.
    pub(super) fn committed(&self, group: &str, partition: Partition) -> Result<u64> {
        let Some(bytes) = self.files.offsets.get(offset_key(group, partition))? else {
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
        let (mut bytes, mut due) = (0, from);
        for entry in self.files.records[&partition.topic].range(range) {
            let (key, value) = entry.into_inner()?;
            bytes += value.len();
            let offset = codec::offset_of(&key);
            let checked = self.is_checked(partition, offset.unwrap_or(u64::MAX));
            let record = decode(partition, &key, &value, checked)?;
            self.check_next(partition, due, record.offset)?;
            due = record.offset + 1;
            records.push(record);
            if records.len() >= limit || bytes >= READ_BYTES {
                return Ok((records, due));
            }
        }
        self.check_next(partition, due, end)?;
        Ok((records, end))
    }

    /// The latest record of each key of a partition of a compacted topic.
    pub(super) fn latest(&self, partition: Partition) -> Result<Vec<Record>> {
        // Nothing is replaced while it is read.
        let _writing = self.writing();
        let end = self.shared().end(partition)?;
        let (mut records, mut from) = (Vec::new(), 0);
        while from < end {
            let (more, next) = self.read(partition, from, end, usize::MAX)?;
            records.extend(more);
            from = next;
        }
        let Some(latest) = self.files.latest.get(&partition.topic) else {
            return Ok(records);
        };
        let mut keys = 0;
        for entry in latest.prefix(partition.index.to_be_bytes()) {
            entry.into_inner()?;
            keys += 1;
        }
        for record in &records {
            let key = record.key.as_deref().unwrap_or_default();
            let found = latest.get(latest_key(partition.index, key))?;
            if found.as_deref().and_then(codec::number) != Some(record.offset) {
                keys = usize::MAX;
            }
        }
        if keys != records.len() {
            return Err(Error::Damaged {
                place: partition.to_string(),
                what: "its keys are not those of its records".to_owned(),
            });
        }
        Ok(records)
    }

    /// Of a topic that is not compacted no record may be missing, but for holes that are known.
    fn check_next(&self, partition: Partition, due: u64, found: u64) -> Result<()> {
        if partition.topic.is_compacted() || self.holes.after(partition, due) >= found {
            return Ok(());
        }
        Err(Error::Damaged {
            place: partition.to_string(),
            what: format!("records {due} to {} are missing", found - 1),
        })
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
        self.files.db.batch().durability(Some(mode))
    }

    /// Adds records to a batch, commits it, and only then shows them.
    fn write(&self, mut batch: OwnedWriteBatch, messages: &[Message], safe: bool) -> Result<()> {
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
            let records = &self.files.records[&partition.topic];
            if let Some(latest) = self.files.latest.get(&partition.topic) {
                if last.get(&(partition, &message.key)) != Some(offset) {
                    continue;
                }
                let key = latest_key(partition.index, &message.key);
                if let Some(former) = latest.get(&key)?.as_deref().and_then(codec::number) {
                    batch.remove(records, record_key(partition.index, former));
                }
                batch.insert(latest, key, offset.to_be_bytes());
            }
            let timestamp_ms = message.timestamp_ms.unwrap_or(now_ms);
            let value = encode(message, timestamp_ms, *partition, *offset);
            batch.insert(records, record_key(partition.index, *offset), value);
        }
        self.put(
            batch,
            safe,
            ends.iter().map(|(partition, end)| (*partition, *end)),
        )?;
        self.shared().ends.extend(ends);
        self.wake_all();
        Ok(())
    }

    /// Commits a batch, counts it, and marks where the log ends now.
    fn put(
        &self,
        mut batch: OwnedWriteBatch,
        safe: bool,
        ends: impl IntoIterator<Item = (Partition, u64)>,
    ) -> Result<()> {
        self.marks.check()?;
        let batches = self.marks.batches() + 1;
        batch.insert(&self.files.meta, "batches", batches.to_be_bytes());
        batch.commit()?;
        self.marks.wrote(ends, safe);
        Ok(())
    }

    /// Takes over what another log had: records with their offsets, what is lost, and how far the groups are.
    pub(super) fn take_over(&self, salvaged: &Salvage) -> Result<()> {
        let _writing = self.writing();
        let mut batch = self.batch();
        for record in &salvaged.records {
            let (partition, offset) = (record.partition, record.offset);
            let message = Message {
                topic: partition.topic,
                partition: Some(partition.index),
                key: record.key.clone().unwrap_or_default(),
                value: record.value.clone(),
                timestamp_ms: Some(record.timestamp_ms),
            };
            let value = encode(&message, record.timestamp_ms, partition, offset);
            let records = &self.files.records[&partition.topic];
            batch.insert(records, record_key(partition.index, offset), value);
            if let Some(latest) = self.files.latest.get(&partition.topic) {
                let key = latest_key(partition.index, &message.key);
                batch.insert(latest, key, offset.to_be_bytes());
            }
        }
        for (partition, hole) in &salvaged.holes {
            let key = hole_key(*partition, hole.start);
            batch.insert(&self.files.meta, key, hole.end.to_be_bytes());
        }
        for (key, next) in &salvaged.consumed {
            batch.insert(&self.files.offsets, key.as_slice(), next.to_be_bytes());
        }
        self.put(batch, false, salvaged.ends())
    }

    /// Whether a record was written with a checksum.
    fn is_checked(&self, partition: Partition, offset: u64) -> bool {
        self.unchecked
            .get(&partition)
            .is_none_or(|unchecked| offset >= *unchecked)
    }
}

impl Drop for Store {
    fn drop(&mut self) {
        // What cannot be made safe now counts as what a machine that stops may lose.
        if self.files.db.persist(PersistMode::SyncAll).is_ok() {
            self.marks.close();
        }
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
