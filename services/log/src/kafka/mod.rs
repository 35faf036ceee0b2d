//! The log on Apache Kafka.

mod config;
mod producer;
mod reader;
mod worker;

use std::collections::BTreeMap;
use std::fmt;
use std::ops::Range;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use futures_executor::block_on;
use rdkafka::admin::{AdminClient, AdminOptions, NewTopic, TopicReplication};
use rdkafka::client::DefaultClientContext;
use rdkafka::consumer::{BaseConsumer, Consumer};
use rdkafka::error::{KafkaError, RDKafkaErrorCode};
use rdkafka::message::{BorrowedMessage, Message as _};
use rdkafka::producer::BaseRecord;
use rdkafka::types::RDKafkaRespErr;

pub use self::config::KafkaConfig;
use self::producer::KafkaProducer;
use self::reader::KafkaReader;
use self::worker::KafkaWorker;
use crate::{
    Error, Log, Message, Partition, Producer, Reader, Record, Result, Topic, TopicSpec, Worker,
    WorkerSpec,
};

/// A broker that answers is given this time at least.
const LEAST_PATIENCE: Duration = Duration::from_millis(100);

/// Kafka compacts closed segments alone, and a restart reads all that is left.
const SNAPSHOTS: &[(&str, &str)] = &[
    ("cleanup.policy", "compact"),
    ("segment.bytes", "67108864"),
    ("segment.ms", "600000"),
];
/// What a broker would remove after a week is what everything is derived from.
const EVIDENCE: &[(&str, &str)] = &[
    ("cleanup.policy", "delete"),
    ("retention.ms", "-1"),
    ("retention.bytes", "-1"),
];

/// The log on Apache Kafka. Clones share it.
#[derive(Clone)]
pub struct KafkaLog {
    config: Arc<KafkaConfig>,
    /// Asks where committed records end.
    committed: Arc<BaseConsumer>,
    /// Asks where records end, those of open transactions included.
    uncommitted: Arc<BaseConsumer>,
}

impl fmt::Debug for KafkaLog {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("KafkaLog")
            .field("config", &self.config)
            .finish_non_exhaustive()
    }
}

impl KafkaLog {
    /// Checks the settings and that a broker answers.
    pub fn connect(config: KafkaConfig) -> Result<KafkaLog> {
        let client = config.client()?;
        let asking = |isolation| -> Result<Arc<BaseConsumer>> {
            let mut client = client.clone();
            client.set("isolation.level", isolation);
            Ok(Arc::new(client.create()?))
        };
        let log = KafkaLog {
            committed: asking("read_committed")?,
            uncommitted: asking("read_uncommitted")?,
            config: Arc::new(config),
        };
        log.committed.fetch_metadata(
            Some(&log.config.topic(Topic::FloorEvents)),
            log.config.timeout,
        )?;
        Ok(log)
    }

    /// Where a partition ends, as `asking` sees it.
    fn end_for(&self, asking: &BaseConsumer, partition: Partition) -> Result<u64> {
        Ok(self.bounds_for(asking, partition)?.end)
    }

    /// From the first record that is still there to the end.
    fn bounds_for(&self, asking: &BaseConsumer, partition: Partition) -> Result<Range<u64>> {
        let count = self.partitions(partition.topic)?;
        if partition.index >= count {
            return Err(Error::NoPartition { partition, count });
        }
        let name = self.config.topic(partition.topic);
        let index = kafka_index(partition);
        let deadline = Instant::now() + self.config.timeout;
        loop {
            match asking.fetch_watermarks(&name, index, self.config.timeout) {
                Ok((begin, end)) => {
                    let offset = |offset| u64::try_from(offset).unwrap_or(0);
                    return Ok(offset(begin)..offset(end));
                }
                Err(error) if moves(&error) && Instant::now() < deadline => {
                    thread::sleep(Duration::from_millis(50));
                }
                Err(error) => return Err(error.into()),
            }
        }
    }

    fn partitions_within(&self, topic: Topic, patience: Duration) -> Result<u32> {
        let name = self.config.topic(topic);
        let metadata = self.committed.fetch_metadata(Some(&name), patience)?;
        let found = metadata.topics().iter().find(|found| found.name() == name);
        let found = found.ok_or(Error::NoTopic { topic })?;
        match found.error() {
            None => Ok(u32::try_from(found.partitions().len()).unwrap_or(u32::MAX)),
            Some(RDKafkaRespErr::RD_KAFKA_RESP_ERR_UNKNOWN_TOPIC_OR_PART) => {
                Err(Error::NoTopic { topic })
            }
            Some(error) => Err(KafkaError::MetadataFetch(error.into()).into()),
        }
    }

    fn create_missing(&self, missing: &[TopicSpec]) -> Result<()> {
        let admin: AdminClient<DefaultClientContext> = self.config.client()?.create()?;
        let names: Vec<String> = missing
            .iter()
            .map(|spec| self.config.topic(spec.topic))
            .collect();
        let replication = self.config.replication.unwrap_or(-1);
        let topics: Vec<NewTopic<'_>> = missing
            .iter()
            .zip(&names)
            .map(|(spec, name)| {
                let partitions = i32::try_from(spec.partitions.max(1)).unwrap_or(i32::MAX);
                let mut topic =
                    NewTopic::new(name, partitions, TopicReplication::Fixed(replication));
                let settings = if spec.topic.is_compacted() {
                    SNAPSHOTS
                } else {
                    EVIDENCE
                };
                for (setting, value) in settings {
                    if !self.config.topic_settings.contains_key(*setting) {
                        topic = topic.set(setting, value);
                    }
                }
                if spec.topic.is_timed_by_log() {
                    topic = topic.set("message.timestamp.type", "LogAppendTime");
                }
                for (setting, value) in &self.config.topic_settings {
                    topic = topic.set(setting, value);
                }
                topic
            })
            .collect();
        let options = AdminOptions::new().operation_timeout(Some(self.config.timeout));
        for created in block_on(admin.create_topics(&topics, &options))? {
            match created {
                // Another process was faster.
                Ok(_) | Err((_, RDKafkaErrorCode::TopicAlreadyExists)) => {}
                Err((_, code)) => return Err(KafkaError::AdminOp(code).into()),
            }
        }
        Ok(())
    }
}

impl Log for KafkaLog {
    fn create(&self, topics: &[TopicSpec]) -> Result<()> {
        let missing: Vec<TopicSpec> = topics
            .iter()
            .filter(|spec| matches!(self.partitions(spec.topic), Err(Error::NoTopic { .. })))
            .copied()
            .collect();
        if !missing.is_empty() {
            self.create_missing(&missing)?;
        }
        let deadline = Instant::now() + self.config.timeout;
        for spec in topics {
            let wanted = spec.partitions.max(1);
            let found = loop {
                match self.partitions(spec.topic) {
                    // Brokers learn of a new topic one after the other.
                    Err(Error::NoTopic { .. }) if Instant::now() < deadline => {
                        thread::sleep(Duration::from_millis(50));
                    }
                    found => break found?,
                }
            };
            if found != wanted {
                let topic = spec.topic;
                return Err(Error::PartitionCount {
                    topic,
                    wanted,
                    found,
                });
            }
        }
        Ok(())
    }

    fn partitions(&self, topic: Topic) -> Result<u32> {
        self.partitions_within(topic, self.config.timeout)
    }

    fn shape(&self, patience: Duration) -> Result<BTreeMap<Topic, u32>> {
        let deadline = Instant::now() + patience;
        let mut shape = BTreeMap::new();
        for topic in Topic::ALL {
            let left = deadline.saturating_duration_since(Instant::now());
            match self.partitions_within(topic, left.max(LEAST_PATIENCE)) {
                Ok(count) => drop(shape.insert(topic, count)),
                Err(Error::NoTopic { .. }) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(shape)
    }

    fn producer(&self) -> Result<Box<dyn Producer>> {
        Ok(Box::new(KafkaProducer::new(Arc::clone(&self.config))?))
    }

    fn worker(&self, spec: &WorkerSpec) -> Result<Box<dyn Worker>> {
        let counts = spec.inputs.iter();
        let counts = counts.map(|topic| Ok((*topic, self.partitions(*topic)?)));
        let counts = counts.collect::<Result<BTreeMap<Topic, u32>>>()?;
        let config = Arc::clone(&self.config);
        Ok(Box::new(KafkaWorker::join(config, spec, counts)?))
    }

    fn reader(&self, partition: Partition, from: u64) -> Result<Box<dyn Reader>> {
        self.end(partition)?;
        Ok(Box::new(KafkaReader::new(&self.config, partition, from)?))
    }

    fn end(&self, partition: Partition) -> Result<u64> {
        self.end_for(&self.committed, partition)
    }

    fn decided_end(&self, partition: Partition) -> Result<u64> {
        let written = self.end_for(&self.uncommitted, partition)?;
        let deadline = Instant::now() + self.config.decision_timeout();
        loop {
            let end = self.end(partition)?;
            if end >= written {
                return Ok(end);
            }
            if Instant::now() >= deadline {
                return Err(Error::Timeout {
                    what: format!("a transaction that is open on {partition}"),
                    limit_ms: self.config.decision_timeout().as_millis(),
                });
            }
            thread::sleep(Duration::from_millis(20));
        }
    }

    fn removed(&self, partition: Partition, next: u64) -> Result<Option<Range<u64>>> {
        let begin = self.bounds_for(&self.committed, partition)?.start;
        // Behind the last record that was read lies the mark of its transaction.
        Ok((begin > next + 1).then_some(next..begin))
    }

    fn latest(&self, partition: Partition) -> Result<Vec<Record>> {
        if !partition.topic.is_compacted() {
            let topic = partition.topic;
            return Err(Error::NotCompacted { topic });
        }
        // The former holder's last transaction may be decided, and its offsets visible, while its end
        // has not been marked in this partition yet: reading committed records would miss the snapshot
        // that belongs to those offsets. Whatever is in the partition by now has to be decided first.
        self.decided_end(partition)?;
        let mut reader = KafkaReader::new(&self.config, partition, 0)?;
        reader.latest(self.config.timeout)
    }
}

/// Whether a partition is new, or is on the way from one broker to another.
fn moves(error: &KafkaError) -> bool {
    matches!(
        error.rdkafka_error_code(),
        Some(
            RDKafkaErrorCode::NotLeaderForPartition
                | RDKafkaErrorCode::LeaderNotAvailable
                | RDKafkaErrorCode::UnknownTopicOrPartition
                | RDKafkaErrorCode::UnknownPartition
        )
    )
}

/// Records as the broker has them. `None`: it is of a topic that nobody asked for.
fn record(config: &KafkaConfig, message: &BorrowedMessage<'_>) -> Option<Record> {
    let topic = config.topic_named(message.topic())?;
    Some(Record {
        partition: topic.partition(u32::try_from(message.partition()).ok()?),
        offset: u64::try_from(message.offset()).ok()?,
        key: message.key().map(<[u8]>::to_vec),
        value: message.payload().map(<[u8]>::to_vec),
        timestamp_ms: message.timestamp().to_millis().unwrap_or(0),
    })
}

fn base_record<'a>(name: &'a str, message: &'a Message) -> BaseRecord<'a, [u8], [u8]> {
    let mut record = BaseRecord::to(name).key(message.key.as_slice());
    if let Some(value) = &message.value {
        record = record.payload(value.as_slice());
    }
    if let Some(index) = message.partition {
        record = record.partition(kafka_index(message.topic.partition(index)));
    }
    if let Some(timestamp_ms) = message.timestamp_ms {
        record = record.timestamp(timestamp_ms);
    }
    record
}

/// Kafka counts partitions in an `i32`; one beyond that is refused by the broker as unknown.
fn kafka_index(partition: Partition) -> i32 {
    i32::try_from(partition.index).unwrap_or(i32::MAX)
}
