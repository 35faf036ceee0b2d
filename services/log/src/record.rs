//! Records, before and after they are on the log.

use std::collections::BTreeMap;
use std::time::{SystemTime, UNIX_EPOCH};

use crate::{Partition, Topic};

/// A record to be written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message {
    pub topic: Topic,
    /// `None`: the key decides, as [`partition_of`](crate::partition_of) says.
    pub partition: Option<u32>,
    pub key: Vec<u8>,
    /// `None` on a compacted topic removes the key.
    pub value: Option<Vec<u8>>,
    /// Milliseconds since 1970. `None`: the time of writing.
    pub timestamp_ms: Option<i64>,
}

impl Message {
    pub fn new(topic: Topic, key: impl Into<Vec<u8>>, value: impl Into<Vec<u8>>) -> Message {
        Message {
            topic,
            partition: None,
            key: key.into(),
            value: Some(value.into()),
            timestamp_ms: None,
        }
    }

    /// Removes `key` from a compacted topic.
    pub fn removal(topic: Topic, key: impl Into<Vec<u8>>) -> Message {
        Message {
            value: None,
            ..Message::new(topic, key, [])
        }
    }

    /// Sends it to this partition, whatever the key: a snapshot goes where its input came from, so
    /// that whoever is assigned the one finds the other.
    #[must_use]
    pub fn to_partition(mut self, index: u32) -> Message {
        self.partition = Some(index);
        self
    }

    #[must_use]
    pub fn at(mut self, timestamp_ms: i64) -> Message {
        self.timestamp_ms = Some(timestamp_ms);
        self
    }

    pub(crate) fn bytes(&self) -> usize {
        self.key.len() + self.value.as_ref().map_or(0, Vec::len)
    }
}

/// A record on the log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Record {
    pub partition: Partition,
    /// Rises within the partition, though not always by one.
    pub offset: u64,
    /// `None` only where something else than this crate has written it.
    pub key: Option<Vec<u8>>,
    /// `None`: the key was removed.
    pub value: Option<Vec<u8>>,
    /// Milliseconds since 1970.
    pub timestamp_ms: i64,
}

/// How far a worker has come: the offset after the last record, by partition.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Consumed(BTreeMap<Partition, u64>);

impl Consumed {
    /// Counts a record as consumed, and all before it in its partition.
    pub fn add(&mut self, record: &Record) {
        self.reach(record.partition, record.offset + 1);
    }

    /// Counts all records of a partition before this offset as consumed.
    pub fn reach(&mut self, partition: Partition, next: u64) {
        let known = self.0.entry(partition).or_default();
        *known = (*known).max(next);
    }

    /// Forgets a partition: it was revoked or lost.
    pub fn forget(&mut self, partition: Partition) {
        self.0.remove(&partition);
    }

    pub fn clear(&mut self) {
        self.0.clear();
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The partitions, each with the offset of the record to come next.
    pub fn iter(&self) -> impl Iterator<Item = (Partition, u64)> + '_ {
        self.0.iter().map(|(partition, next)| (*partition, *next))
    }
}

impl<'a> FromIterator<&'a Record> for Consumed {
    fn from_iter<I: IntoIterator<Item = &'a Record>>(records: I) -> Consumed {
        let mut consumed = Consumed::default();
        records.into_iter().for_each(|record| consumed.add(record));
        consumed
    }
}

pub(crate) fn now_ms() -> i64 {
    let since_1970 = SystemTime::now().duration_since(UNIX_EPOCH);
    since_1970.map_or(0, |time| {
        i64::try_from(time.as_millis()).unwrap_or(i64::MAX)
    })
}
