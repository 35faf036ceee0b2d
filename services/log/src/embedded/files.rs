//! The keyspaces of the storage, and what they say of the log when it is opened.

use std::any::Any;
use std::collections::{BTreeMap, HashMap};
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use fjall::{Database, Keyspace, KeyspaceCreateOptions, PersistMode};

use super::codec::{self, in_meta, record_key, topic_key, unchecked_key};
use super::marks::Extent;
use crate::{Error, Partition, Result, Topic};

/// Opens the storage, also one in a state in which it panics.
pub(super) fn storage(data: &Path) -> Result<Database> {
    let opened = catch_unwind(AssertUnwindSafe(|| Database::builder(data).open()));
    let what = match opened {
        Ok(Ok(db)) => return Ok(db),
        Ok(Err(error)) => error.to_string(),
        Err(panic) => panic_text(&*panic),
    };
    Err(Error::Damaged {
        place: data.display().to_string(),
        what: format!("the storage cannot be opened ({what})"),
    })
}

fn panic_text(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
    text.unwrap_or("without saying why").to_owned()
}

pub(super) struct Files {
    pub(super) db: Database,
    pub(super) meta: Keyspace,
    pub(super) offsets: Keyspace,
    pub(super) records: HashMap<Topic, Keyspace>,
    /// Where the latest record of each key of a compacted topic is.
    pub(super) latest: HashMap<Topic, Keyspace>,
}

/// What the storage says that the log has.
#[derive(Debug, Default)]
pub(super) struct Found {
    pub(super) version: u8,
    pub(super) extent: Extent,
    pub(super) partitions: BTreeMap<Topic, u32>,
    pub(super) unchecked: HashMap<Partition, u64>,
    pub(super) holes: Holes,
}

/// Records that were lost, and are known to be.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(super) struct Holes(BTreeMap<Partition, Vec<Range<u64>>>);

impl Holes {
    pub(super) fn add(&mut self, partition: Partition, hole: Range<u64>) {
        self.0.entry(partition).or_default().push(hole);
    }

    /// The first offset from this one on that is in no hole.
    pub(super) fn after(&self, partition: Partition, offset: u64) -> u64 {
        let holes = self.0.get(&partition).map_or(&[][..], Vec::as_slice);
        let hole = holes.iter().find(|hole| hole.contains(&offset));
        hole.map_or(offset, |hole| hole.end)
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (Partition, Range<u64>)> + '_ {
        let all = self.0.iter();
        all.flat_map(|(partition, holes)| holes.iter().map(|hole| (*partition, hole.clone())))
    }

    fn end(&self, partition: Partition) -> u64 {
        let holes = self.0.get(&partition).into_iter().flatten();
        holes.map(|hole| hole.end).max().unwrap_or(0)
    }
}

impl Files {
    pub(super) fn open(data: &Path) -> Result<Files> {
        let db = storage(data)?;
        let open = |name: &str| db.keyspace(name, KeyspaceCreateOptions::default);
        let (mut records, mut latest) = (HashMap::new(), HashMap::new());
        for topic in Topic::ALL {
            records.insert(topic, open(topic.name())?);
            if topic.is_compacted() {
                latest.insert(topic, open(&format!("{topic}.keys"))?);
            }
        }
        Ok(Files {
            meta: open("meta")?,
            offsets: open("offsets")?,
            records,
            latest,
            db,
        })
    }

    /// Takes from the storage how many partitions the topics have and where each ends.
    pub(super) fn found(&self, folder: &Path) -> Result<Found> {
        let damaged = |what: String| Error::Damaged {
            place: folder.display().to_string(),
            what,
        };
        let version = self.meta.get("version")?;
        let version = match version.as_deref() {
            Some(&[version @ (codec::UNCHECKED_VERSION | codec::VERSION)]) => version,
            Some(version) => {
                return Err(Error::Corrupt {
                    place: folder.display().to_string(),
                    reason: format!("layout {version:?}, this is layout {}", codec::VERSION),
                });
            }
            None => return Err(damaged("the version of its layout is missing".to_owned())),
        };
        let mut found = Found {
            version,
            ..Found::default()
        };
        if let Some(batches) = self.meta.get("batches")? {
            let batches = codec::number(&batches);
            found.extent.batches =
                batches.ok_or_else(|| damaged("how many batches it has".to_owned()))?;
        }
        for topic in Topic::ALL {
            let Some(count) = self.meta.get(topic_key(topic.name()))? else {
                continue;
            };
            let count = codec::short(&count);
            let count = count.ok_or_else(|| damaged(format!("the partitions of {topic}")))?;
            found.partitions.insert(topic, count);
            for index in 0..count {
                self.find_partition(topic.partition(index), &mut found)?;
            }
        }
        Ok(found)
    }

    fn find_partition(&self, partition: Partition, found: &mut Found) -> Result<()> {
        for entry in self.meta.prefix(in_meta("hole/", partition)) {
            let (key, to) = entry.into_inner()?;
            let from = key
                .len()
                .checked_sub(8)
                .and_then(|at| codec::number(&key[at..]));
            if let (Some(from), Some(to)) = (from, codec::number(&to)) {
                found.holes.add(partition, from..to);
            }
        }
        if let Some(unchecked) = self.meta.get(unchecked_key(partition))? {
            let unchecked = codec::number(&unchecked).unwrap_or(0);
            found.unchecked.insert(partition, unchecked);
        }
        let all = record_key(partition.index, 0)..=record_key(partition.index, u64::MAX);
        let last = self.records[&partition.topic].range(all).next_back();
        let last = last.map(fjall::Guard::key).transpose()?;
        let end = last.and_then(|key| codec::offset_of(&key));
        let end = end.map_or(0, |last| last.saturating_add(1));
        let end = end.max(found.holes.end(partition));
        if found.version == codec::UNCHECKED_VERSION {
            found.unchecked.insert(partition, end);
        }
        if end > 0 {
            found.extent.ends.insert(partition, end);
        }
        Ok(())
    }

    /// Makes the layout of a log the one of this version.
    pub(super) fn upgrade(&self, found: &Found) -> Result<()> {
        if found.version == codec::VERSION {
            return Ok(());
        }
        let mut batch = self.db.batch().durability(Some(PersistMode::SyncAll));
        for (partition, unchecked) in &found.unchecked {
            batch.insert(
                &self.meta,
                unchecked_key(*partition),
                unchecked.to_be_bytes(),
            );
        }
        batch.insert(&self.meta, "version", [codec::VERSION]);
        Ok(batch.commit()?)
    }
}
