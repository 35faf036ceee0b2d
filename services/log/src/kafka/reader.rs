//! Follows one partition without a group.

use std::collections::HashMap;
use std::fmt;
use std::time::{Duration, Instant};

use rdkafka::consumer::{BaseConsumer, Consumer};
use rdkafka::error::KafkaError;
use rdkafka::{Offset, TopicPartitionList};

use super::{KafkaConfig, kafka_index, record};
use crate::{Error, Partition, Reader, Record, Result};

pub(super) struct KafkaReader {
    config: KafkaConfig,
    partition: Partition,
    consumer: BaseConsumer,
    position: u64,
    caught_up: bool,
}

/// The most records that one read gives.
const READ_RECORDS: usize = 1000;
/// What one read holds in memory at most, give or take a record.
const READ_BYTES: usize = 16 * 1024 * 1024;

impl KafkaReader {
    pub(super) fn new(
        config: &KafkaConfig,
        partition: Partition,
        from: u64,
    ) -> Result<KafkaReader> {
        // The group is never joined and nothing is committed to it, but a consumer must name one.
        let mut client = config.consumer(&format!("{}reader", config.prefix))?;
        client.set("enable.partition.eof", "true");
        // The end is only known when the broker has waited so long for more.
        config.default(&mut client, "fetch.wait.max.ms", "50");
        let consumer: BaseConsumer = client.create()?;
        let mut start = TopicPartitionList::new();
        let offset = Offset::Offset(i64::try_from(from).unwrap_or(i64::MAX));
        let name = config.topic(partition.topic);
        start.add_partition_offset(&name, kafka_index(partition), offset)?;
        consumer.assign(&start)?;
        Ok(KafkaReader {
            config: config.clone(),
            partition,
            consumer,
            position: from,
            caught_up: false,
        })
    }

    /// The latest record of each key, from the position to the end.
    pub(super) fn latest(&mut self, patience: Duration) -> Result<Vec<Record>> {
        let mut latest: HashMap<Vec<u8>, Record> = HashMap::new();
        let mut deadline = Instant::now() + patience;
        while !self.caught_up {
            if Instant::now() >= deadline {
                return Err(Error::Timeout {
                    what: format!("reading {}", self.partition),
                    limit_ms: patience.as_millis(),
                });
            }
            for record in self.read(Duration::from_millis(500))? {
                deadline = Instant::now() + patience;
                let key = record.key.clone().unwrap_or_default();
                if record.value.is_some() {
                    latest.insert(key, record);
                } else {
                    latest.remove(&key);
                }
            }
        }
        let mut records: Vec<Record> = latest.into_values().collect();
        records.sort_unstable_by_key(|record| record.offset);
        Ok(records)
    }
}

impl fmt::Debug for KafkaReader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("KafkaReader")
            .field("partition", &self.partition)
            .field("position", &self.position)
            .field("caught_up", &self.caught_up)
            .finish_non_exhaustive()
    }
}

impl Reader for KafkaReader {
    fn read(&mut self, timeout: Duration) -> Result<Vec<Record>> {
        let deadline = Instant::now() + timeout;
        let (mut records, mut bytes) = (Vec::new(), 0);
        loop {
            let wait = match records.is_empty() {
                true => deadline.saturating_duration_since(Instant::now()),
                false => Duration::ZERO,
            };
            match self.consumer.poll(wait) {
                Some(Ok(message)) => {
                    let Some(record) = record(&self.config, &message) else {
                        continue;
                    };
                    // An offset beyond the end makes the broker start again from the beginning.
                    if record.offset < self.position {
                        continue;
                    }
                    self.position = record.offset + 1;
                    self.caught_up = false;
                    bytes += record.value.as_ref().map_or(0, Vec::len);
                    records.push(record);
                    if records.len() >= READ_RECORDS || bytes >= READ_BYTES {
                        return Ok(records);
                    }
                }
                Some(Err(KafkaError::PartitionEOF(_))) => {
                    self.caught_up = true;
                    return Ok(records);
                }
                Some(Err(error)) if passes(&error) => {}
                Some(Err(error)) => return Err(error.into()),
                None if wait.is_zero() => return Ok(records),
                None => {}
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

/// Whether an error is one that the client gets over by itself: it tries again until it succeeds.
pub(super) fn passes(error: &KafkaError) -> bool {
    use rdkafka::error::RDKafkaErrorCode::{
        AllBrokersDown, BrokerTransportFailure, CoordinatorLoadInProgress, CoordinatorNotAvailable,
        LeaderNotAvailable, NetworkException, NotCoordinator, NotLeaderForPartition,
        OperationTimedOut, RequestTimedOut, Resolve,
    };
    matches!(
        error,
        KafkaError::MessageConsumption(
            AllBrokersDown
                | BrokerTransportFailure
                | CoordinatorLoadInProgress
                | CoordinatorNotAvailable
                | LeaderNotAvailable
                | NetworkException
                | NotCoordinator
                | NotLeaderForPartition
                | OperationTimedOut
                | RequestTimedOut
                | Resolve
        )
    )
}
