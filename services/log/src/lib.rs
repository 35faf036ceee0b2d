//! The event log.
//!
//! A [`Log`] holds the [topics](Topic) through which the services speak with each other. It has two
//! homes: Apache Kafka ([`KafkaLog`]), where many machines share the work, and a folder of this
//! machine ([`EmbeddedLog`]). The same pipeline runs on either:
//!
//! - a [`Producer`] writes what happens on the floor;
//! - a [`Worker`] shares the input topics with the other workers of its group, and commits what it
//!   made of them: outputs, snapshots of its state and what it consumed, all or nothing. After a crash
//!   or a change of hands nothing is lost and nothing is there twice;
//! - a [`Reader`] follows one partition from any offset and belongs to no group;
//! - [`Log::latest`] restores state: the last value of each key of a compacted topic.
//!
//! Every call blocks; none needs an async runtime.
//!
//! ```
//! use std::time::Duration;
//! use catwalk_log::{Consumed, Durability, EmbeddedLog, Log, Message, Polled, Topic, WorkerSpec};
//!
//! # let folder = tempfile::tempdir()?;
//! let log = EmbeddedLog::open(folder.path(), Durability::Commit)?;
//! log.create(&Topic::ALL.map(|topic| topic.with_partitions(4)))?;
//! log.producer()?.send(&[Message::new(Topic::FloorEvents, "BJ-07", "an event")])?;
//!
//! let mut worker = log.worker(&WorkerSpec::new("settler", "one", [Topic::FloorEvents]))?;
//! let mut consumed = Consumed::default();
//! while consumed.is_empty() {
//!     match worker.poll(Duration::from_secs(1))? {
//!         Polled::Assigned(_) => {} // restore the state of these partitions with `Log::latest`
//!         Polled::Revoked(_) => {}  // commit what is ready, then forget them
//!         Polled::Lost(_) => {}     // forget them
//!         Polled::Records(records) => records.iter().for_each(|record| consumed.add(record)),
//!     }
//! }
//! worker.commit(&[Message::new(Topic::Findings, "BJ-07", "a finding")], &consumed)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod embedded;
mod error;
#[cfg(feature = "kafka")]
mod kafka;
mod log;
mod murmur2;
mod record;
mod topic;

pub use embedded::{Durability, EmbeddedLog, Salvaged, salvage};
pub use error::Error;
#[cfg(feature = "kafka")]
pub use kafka::{KafkaConfig, KafkaLog};
pub use log::{Log, Polled, Producer, Reader, Worker, WorkerSpec};
pub use murmur2::partition_of;
pub use record::{Consumed, Message, Record};
pub use topic::{Partition, Topic, TopicSpec};

/// What a call of this crate gives.
pub type Result<T> = std::result::Result<T, Error>;
