//! A new log of what can be read of a damaged one.
//!
//! Offsets are kept: whoever has read the old log goes on with the new one. What is lost is written down as
//! lost, so that nobody waits for it, nobody takes it for whole, and no offset is given twice.

use std::collections::BTreeMap;
use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};

use super::Durability;
use super::codec::{self, record_key};
use super::examine::{check_keyspace, keyspaces};
use super::files::{Files, Found};
use super::folder::{existing, io, lock};
use super::journal::{self, Journal};
use super::marks::{self, Extent};
use super::store::Store;
use crate::{Error, Partition, Record, Result, Topic, TopicSpec};

/// The folder within the new log in which the old one is put together; it is removed at the end.
const WORK: &str = "salvage";
/// How many records are taken over at a time.
const BATCH_RECORDS: usize = 1000;

/// What was salvaged, and what was not.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Salvaged {
    pub kept: BTreeMap<Topic, u64>,
    /// Records that the log had and that cannot be read. Of a compacted topic it is not known.
    pub lost: Vec<(Partition, Range<u64>)>,
    /// Bytes of the journals that are no part of a whole batch.
    pub unreadable_bytes: u64,
    /// What may be lost besides, a sentence each.
    pub doubts: Vec<String>,
}

/// A part of a log that is taken over.
#[derive(Debug, Default)]
pub(super) struct Salvage {
    pub(super) records: Vec<Record>,
    pub(super) holes: Vec<(Partition, Range<u64>)>,
    /// How far the groups are, by the key under which it is kept.
    pub(super) consumed: Vec<(Vec<u8>, u64)>,
}

impl Salvage {
    /// Where the partitions end with it.
    pub(super) fn ends(&self) -> BTreeMap<Partition, u64> {
        let records = self.records.iter();
        let records = records.map(|record| (record.partition, record.offset + 1));
        let holes = self.holes.iter();
        let holes = holes.map(|(partition, hole)| (*partition, hole.end));
        let mut ends = BTreeMap::new();
        for (partition, end) in records.chain(holes) {
            let known = ends.entry(partition).or_insert(0);
            *known = end.max(*known);
        }
        ends
    }
}

/// Makes a new log, in a folder that is not there yet, of what can be read of the log in `from`, which is left
/// as it is.
///
/// # Errors
/// Where the storage itself cannot be opened any more there is nothing to be had.
pub fn salvage(from: impl AsRef<Path>, into: impl AsRef<Path>) -> Result<Salvaged> {
    let (from, into) = (from.as_ref(), into.as_ref());
    let data = existing(from)?;
    let _lock = lock(from)?;
    io("create", into, fs::create_dir(into))?;
    let work = into.join(WORK);
    let mut salvaged = Salvaged::default();
    copy(&data, &work, &mut salvaged)?;
    let had = match marks::due(from) {
        Ok(due) => due.map(|due| due.written),
        Err(error) => {
            salvaged.doubts.push(error.to_string());
            None
        }
    };
    if had.is_none() {
        let doubt = "no marks say what the log had: what its end has lost is not known";
        salvaged.doubts.push(doubt.to_owned());
    }
    for keyspace in keyspaces(&work)? {
        if let Err(error) = check_keyspace(&keyspace) {
            // The rest can be had without it.
            salvaged.doubts.push(error.to_string());
            io("remove", &keyspace, fs::remove_dir_all(&keyspace))?;
        }
    }
    let old = Files::open(&work)?;
    let found = old.found(from)?;
    let new = Store::open(into, Durability::Os)?;
    let partitions = partitions(&found, had.as_ref());
    new.create(&partitions)?;
    for spec in &partitions {
        for index in 0..spec.partitions {
            let partition = spec.topic.partition(index);
            let had = had.as_ref().and_then(|had| had.ends.get(&partition));
            let had = had.copied().unwrap_or(0);
            take_partition(&old, &found, partition, had, &new, &mut salvaged)?;
        }
    }
    take_consumed(&old, &new)?;
    drop((old, new));
    io("remove", &work, fs::remove_dir_all(&work))?;
    Ok(salvaged)
}

/// Copies the files of a log, with of each journal only its whole batches.
fn copy(from: &Path, to: &Path, salvaged: &mut Salvaged) -> Result<()> {
    let journals: Vec<PathBuf> = journal::files(from)?
        .into_iter()
        .map(|(_, path)| path)
        .collect();
    io("create", to, fs::create_dir_all(to))?;
    for entry in io("list", from, fs::read_dir(from))? {
        let path = io("list", from, entry)?.path();
        let target = to.join(path.file_name().unwrap_or_default());
        if journals.contains(&path) {
            let journal = Journal::read(&path)?;
            salvaged.unreadable_bytes += journal.unreadable();
            io("write", &target, fs::write(&target, journal.whole()))?;
        } else if path.is_dir() {
            copy(&path, &target, salvaged)?;
        } else {
            io("copy", &path, fs::copy(&path, &target))?;
        }
    }
    Ok(())
}

/// The topics with as many partitions as either the storage or the marks know.
fn partitions(found: &Found, had: Option<&Extent>) -> Vec<TopicSpec> {
    let mut partitions = found.partitions.clone();
    for partition in had.iter().flat_map(|had| had.ends.keys()) {
        let count = partitions.entry(partition.topic).or_insert(0);
        *count = (partition.index + 1).max(*count);
    }
    let specs = partitions.into_iter();
    specs
        .map(|(topic, count)| topic.with_partitions(count))
        .collect()
}

fn take_partition(
    old: &Files,
    found: &Found,
    partition: Partition,
    had: u64,
    new: &Store,
    salvaged: &mut Salvaged,
) -> Result<()> {
    let end = found
        .extent
        .ends
        .get(&partition)
        .copied()
        .unwrap_or(0)
        .max(had);
    let unchecked = found.unchecked.get(&partition).copied().unwrap_or(0);
    let (mut part, mut due) = (Salvage::default(), 0);
    let mut offset = 0;
    while let Some(record) = next_record(old, partition, offset..end, unchecked) {
        offset = record.offset + 1;
        if record.offset > due && !partition.topic.is_compacted() {
            part.holes.push((partition, due..record.offset));
        }
        due = offset;
        *salvaged.kept.entry(partition.topic).or_default() += 1;
        part.records.push(record);
        if part.records.len() >= BATCH_RECORDS {
            salvaged.lost.extend(part.holes.iter().cloned());
            new.take_over(&std::mem::take(&mut part))?;
        }
    }
    if due < end {
        part.holes.push((partition, due..end));
        if partition.topic.is_compacted() {
            let doubt = format!(
                "{partition} had records up to {end}, the last that is left is before {due}"
            );
            salvaged.doubts.push(doubt);
        }
    }
    salvaged.lost.extend(part.holes.iter().cloned());
    new.take_over(&part)
}

/// The first record in a range that can be read.
fn next_record(
    old: &Files,
    partition: Partition,
    offsets: Range<u64>,
    unchecked: u64,
) -> Option<Record> {
    let records = &old.records[&partition.topic];
    let mut from = offsets.start;
    while from < offsets.end {
        let range = record_key(partition.index, from)..record_key(partition.index, offsets.end);
        match records.range(range).next()?.into_inner() {
            Ok((key, value)) => {
                let offset = codec::offset_of(&key)?;
                let read = codec::decode(partition, &key, &value, offset >= unchecked);
                match read {
                    Ok(record) => return Some(record),
                    Err(_) => from = offset + 1,
                }
            }
            // The block cannot be read, and which records it has is not known: one after the other.
            Err(_) => match records.get(record_key(partition.index, from)) {
                Ok(Some(value)) => {
                    let key = record_key(partition.index, from);
                    match codec::decode(partition, &key, &value, from >= unchecked) {
                        Ok(record) => return Some(record),
                        Err(_) => from += 1,
                    }
                }
                Ok(None) | Err(_) => from += 1,
            },
        }
    }
    None
}

fn take_consumed(old: &Files, new: &Store) -> Result<()> {
    let mut part = Salvage::default();
    for entry in old.offsets.iter() {
        let (key, next) = entry.into_inner()?;
        let next = codec::number(&next).ok_or_else(|| Error::Damaged {
            place: "the offsets of the groups".to_owned(),
            what: format!("{} bytes", next.len()),
        })?;
        part.consumed.push((key.to_vec(), next));
    }
    new.take_over(&part)
}
