//! What can go wrong with the log.

use std::path::PathBuf;

use crate::{Partition, Topic};

/// What can go wrong with the log.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    #[error(
        "the log in {} is in use: stop the process that has it open, or share a log through Kafka",
        folder.display()
    )]
    Locked { folder: PathBuf },

    #[error("there is no log in {}{}: nothing was made", folder.display(), seen_in(near))]
    NoLog {
        folder: PathBuf,
        /// Where there is one beneath it.
        near: Option<PathBuf>,
    },

    /// Something was there and is not, or is not as it was written.
    #[error(
        "{place} is damaged: {what}; `catwalk log salvage` makes a new log of what can be read"
    )]
    Damaged { place: String, what: String },

    #[error("topic {topic} does not exist: create the topics first")]
    NoTopic { topic: Topic },

    #[error("{partition} does not exist: topic {} has {count} partitions", partition.topic)]
    NoPartition { partition: Partition, count: u32 },

    #[error("topic {topic} has {found} partitions, {wanted} are asked for: the number is fixed")]
    PartitionCount {
        topic: Topic,
        wanted: u32,
        found: u32,
    },

    #[error("topic {topic} is not compacted: it has no latest values, read it instead")]
    NotCompacted { topic: Topic },

    #[error("a record for {topic} has {bytes} bytes, at most {limit} are taken")]
    TooLarge {
        topic: Topic,
        bytes: usize,
        limit: usize,
    },

    /// A commit names a partition that this worker does not hold. Nothing was written.
    #[error("{partition} is not held by this worker: another one may have it by now")]
    NotHeld { partition: Partition },

    /// A commit did not go through. Nothing of it is there, and the worker starts over from its last
    /// commit.
    #[error("the commit was aborted, nothing of it was written: {reason}")]
    Aborted { reason: String },

    /// Another worker has taken this one's name, or the broker has given up on a commit that took it too
    /// long. Nothing of the commit is there, and nothing more can be done with this worker.
    #[error(
        "worker {worker} was shut out: another of the same name took its place, or it was too slow"
    )]
    Fenced { worker: String },

    /// It is not known whether a commit went through. Nothing more can be done with this worker: a new
    /// one of the same name finds out, and starts from there.
    #[error("worker {worker} does not know what became of its commit: open it again")]
    InDoubt { worker: String },

    #[error("the name of group {group} has more than {limit} bytes")]
    GroupName { group: String, limit: usize },

    #[error("the workers of group {group} do not read the same topics")]
    GroupInputs { group: String },

    #[error("setting {name} belongs to the log itself: leave it out")]
    ReservedSetting { name: String },

    /// A record that was sent did not arrive.
    #[error("a record for {topic} was not delivered: {reason}")]
    NotDelivered { topic: String, reason: String },

    #[error("{what} took longer than {limit_ms} ms")]
    Timeout { what: String, limit_ms: u128 },

    #[error("{place} holds what this version cannot read: {reason}")]
    Corrupt { place: String, reason: String },

    #[error("cannot {what} {}: {source}", path.display())]
    Io {
        what: &'static str,
        path: PathBuf,
        source: std::io::Error,
    },

    #[error("the storage of the embedded log failed: {0}")]
    Storage(#[from] fjall::Error),

    #[cfg(feature = "kafka")]
    #[error("Kafka: {0}")]
    Kafka(#[from] rdkafka::error::KafkaError),
}

fn seen_in(near: &Option<PathBuf>) -> String {
    near.as_ref().map_or_else(String::new, |near| {
        format!("; there is one in {}", near.display())
    })
}
