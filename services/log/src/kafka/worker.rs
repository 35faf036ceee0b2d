//! A member of a consumer group with a transactional producer.
//!
//! A partition changes hands in two steps: the revocation is reported by one poll and carried out by
//! the next, so that what is ready can be committed in between. A commit of a worker that was
//! put out of the group meanwhile is refused by the broker, which knows the generation of the group.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use rdkafka::client::ClientContext;
use rdkafka::consumer::{BaseConsumer, Consumer, ConsumerContext};
use rdkafka::error::{KafkaError, KafkaResult, RDKafkaErrorCode};
use rdkafka::producer::{DefaultProducerContext, Producer as _, ThreadedProducer};
use rdkafka::types::RDKafkaRespErr;
use rdkafka::{Offset, TopicPartitionList};

use super::producer::{drain, hand_over};
use super::reader::passes;
use super::{KafkaConfig, kafka_index, record};
use crate::{
    Consumed, Error, Message, Partition, Polled, Record, Result, Topic, Worker, WorkerSpec,
};

pub(super) struct KafkaWorker {
    config: Arc<KafkaConfig>,
    name: String,
    consumer: BaseConsumer<Rebalances>,
    producer: ThreadedProducer<DefaultProducerContext>,
    max_records: usize,
    /// How many partitions the inputs had when the worker joined.
    counts: BTreeMap<Topic, u32>,
    held: BTreeSet<Partition>,
    /// Revoked by the last poll, to be given up by the next.
    leaving: Option<TopicPartitionList>,
    start_over: StartOver,
    /// Why nothing more can be done.
    ended: Option<Ended>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum StartOver {
    No,
    /// A commit has failed.
    Lose,
    /// The worker knows; the partitions are to be given again.
    Assign,
}

#[derive(Debug, Clone, Copy)]
enum Ended {
    Fenced,
    InDoubt,
}

impl KafkaWorker {
    /// `counts`: how many partitions the inputs have.
    pub(super) fn join(
        config: Arc<KafkaConfig>,
        spec: &WorkerSpec,
        counts: BTreeMap<Topic, u32>,
    ) -> Result<KafkaWorker> {
        let group = format!("{}{}", config.prefix, spec.group);
        let transactional = config.transactional(&format!("{group}.{}", spec.name))?;
        let producer: ThreadedProducer<DefaultProducerContext> = transactional.create()?;
        // Ends what a former worker of this name has begun, and shuts it out.
        retry(config.timeout, || {
            producer.init_transactions(config.timeout)
        })?;
        let consumer = config.consumer(&group)?;
        let consumer: BaseConsumer<Rebalances> =
            consumer.create_with_context(Rebalances::default())?;
        let topics: Vec<String> = spec.inputs.iter().map(|t| config.topic(*t)).collect();
        let topics: Vec<&str> = topics.iter().map(String::as_str).collect();
        consumer.subscribe(&topics)?;
        Ok(KafkaWorker {
            config,
            name: spec.name.clone(),
            consumer,
            producer,
            max_records: spec.max_records.max(1),
            counts,
            held: BTreeSet::new(),
            leaving: None,
            start_over: StartOver::No,
            ended: None,
        })
    }

    fn check_ended(&self) -> Result<()> {
        let worker = self.name.clone();
        match self.ended {
            None => Ok(()),
            Some(Ended::Fenced) => Err(Error::Fenced { worker }),
            Some(Ended::InDoubt) => Err(Error::InDoubt { worker }),
        }
    }

    /// Gives up what was revoked the last time.
    fn give_up(&mut self) -> Result<()> {
        if let Some(leaving) = self.leaving.take() {
            self.consumer.incremental_unassign(&leaving)?;
        }
        Ok(())
    }

    /// A change of what the worker holds.
    fn change(&mut self) -> Result<Option<Polled>> {
        match self.start_over {
            StartOver::Lose if !self.held.is_empty() => {
                self.start_over = StartOver::Assign;
                return Ok(Some(Polled::Lost(self.held.iter().copied().collect())));
            }
            StartOver::Assign if !self.held.is_empty() => {
                self.rewind()?;
                self.start_over = StartOver::No;
                return Ok(Some(Polled::Assigned(self.held.iter().copied().collect())));
            }
            _ => self.start_over = StartOver::No,
        }
        let Some(change) = self.consumer.context().changes().pop_front() else {
            return Ok(None);
        };
        Ok(Some(match change {
            Change::Assigned(list) => {
                let partitions = self.partitions(&list);
                self.check_counts(&partitions)?;
                self.held.extend(&partitions);
                Polled::Assigned(partitions)
            }
            Change::Revoked(list) => {
                let partitions = self.partitions(&list);
                self.leaving = Some(list);
                Polled::Revoked(partitions)
            }
            Change::Lost(list) => {
                let partitions = self.partitions(&list);
                self.held.retain(|held| !partitions.contains(held));
                Polled::Lost(partitions)
            }
            Change::Failed(error) => return Err(error.into()),
        }))
    }

    /// Refuses partitions that came to be later: keys go to other places since then, where nothing is known of what
    /// was before.
    fn check_counts(&self, partitions: &[Partition]) -> Result<()> {
        for &Partition { topic, index } in partitions {
            let wanted = self.counts.get(&topic).copied().unwrap_or(0);
            if index >= wanted {
                let found = index + 1;
                return Err(Error::PartitionCount {
                    topic,
                    wanted,
                    found,
                });
            }
        }
        Ok(())
    }

    /// Goes back to what was committed, on all partitions.
    fn rewind(&self) -> Result<()> {
        let mut list = TopicPartitionList::new();
        for partition in &self.held {
            let name = self.config.topic(partition.topic);
            list.add_partition(&name, kafka_index(*partition));
        }
        let timeout = self.config.timeout;
        let committed = self.consumer.committed_offsets(list, timeout)?;
        let mut places = TopicPartitionList::new();
        for place in committed.elements() {
            place.error()?;
            let offset = match place.offset() {
                Offset::Invalid => Offset::Beginning,
                offset => offset,
            };
            places.add_partition_offset(place.topic(), place.partition(), offset)?;
        }
        let deadline = Instant::now() + timeout;
        loop {
            let sought = self.consumer.seek_partitions(places.clone(), timeout);
            let sought = sought.and_then(|list| {
                list.elements()
                    .iter()
                    .try_for_each(rdkafka::topic_partition_list::TopicPartitionListElem::error)
            });
            match sought {
                Ok(()) => return Ok(()),
                // A partition that was assigned a moment ago cannot be moved yet.
                Err(error) if Instant::now() >= deadline => return Err(error.into()),
                Err(_) => thread::sleep(Duration::from_millis(20)),
            }
        }
    }

    fn partitions(&self, list: &TopicPartitionList) -> Vec<Partition> {
        let mut partitions: Vec<Partition> = list
            .elements()
            .iter()
            .filter_map(|place| {
                let topic = self.config.topic_named(place.topic())?;
                Some(topic.partition(u32::try_from(place.partition()).ok()?))
            })
            .collect();
        partitions.sort_unstable();
        partitions
    }

    /// Records until there are no more at hand, or a change comes in between.
    fn records(&self, deadline: Instant) -> Result<Vec<Record>> {
        let mut records = Vec::new();
        loop {
            let wait = match records.is_empty() {
                true => deadline.saturating_duration_since(Instant::now()),
                false => Duration::ZERO,
            };
            match self.consumer.poll(wait) {
                Some(Ok(message)) => records.extend(record(&self.config, &message)),
                Some(Err(error)) if passes(&error) => {}
                Some(Err(error)) => return Err(error.into()),
                None if wait.is_zero() => return Ok(records),
                None => {}
            }
            if records.len() >= self.max_records || !self.consumer.context().changes().is_empty() {
                return Ok(records);
            }
        }
    }

    /// One transaction, up to the point where it can only be committed.
    fn prepare(&self, outputs: &[Message], consumed: &Consumed) -> Result<()> {
        self.producer.begin_transaction()?;
        for message in outputs {
            hand_over(&self.producer, &self.config, message)?;
        }
        // Offsets only go in when all records are in: whoever sees these offsets, or waits for them to
        // be decided, can be sure that the snapshots are on the log before it looks for them.
        drain(&self.producer, self.config.timeout)?;
        if consumed.is_empty() {
            return Ok(());
        }
        let mut offsets = TopicPartitionList::new();
        for (partition, next) in consumed.iter() {
            let name = self.config.topic(partition.topic);
            let offset = Offset::Offset(i64::try_from(next).unwrap_or(i64::MAX));
            offsets.add_partition_offset(&name, kafka_index(partition), offset)?;
        }
        let group = self.consumer.group_metadata();
        let group = group.ok_or_else(|| Error::Aborted {
            reason: "the worker is in no group".to_owned(),
        })?;
        retry(self.config.timeout, || {
            self.producer
                .send_offsets_to_transaction(&offsets, &group, self.config.timeout)
        })
    }

    /// Says what became of a transaction that could not be prepared or committed.
    fn abort(&mut self, error: Error) -> Error {
        let worker = self.name.clone();
        if is_fenced(&error) || self.producer.client().fatal_error().is_some() {
            self.ended = Some(Ended::Fenced);
            return Error::Fenced { worker };
        }
        let timeout = self.config.timeout;
        let aborted = retry(timeout, || self.producer.abort_transaction(timeout));
        match aborted {
            Ok(()) => Error::Aborted {
                reason: error.to_string(),
            },
            Err(abort) if is_fenced(&abort) => {
                self.ended = Some(Ended::Fenced);
                Error::Fenced { worker }
            }
            Err(_) => {
                self.ended = Some(Ended::InDoubt);
                Error::InDoubt { worker }
            }
        }
    }

    fn transact(&mut self, outputs: &[Message], consumed: &Consumed) -> Result<()> {
        if let Err(error) = self.prepare(outputs, consumed) {
            return Err(self.abort(error));
        }
        let timeout = self.config.timeout;
        match retry(timeout, || self.producer.commit_transaction(timeout)) {
            Ok(()) => Ok(()),
            Err(Error::Kafka(KafkaError::Transaction(error))) if error.is_retriable() => {
                // It may have been committed or not; aborting now could contradict the broker.
                self.ended = Some(Ended::InDoubt);
                let worker = self.name.clone();
                Err(Error::InDoubt { worker })
            }
            Err(error) => Err(self.abort(error)),
        }
    }
}

impl Worker for KafkaWorker {
    fn poll(&mut self, timeout: Duration) -> Result<Polled> {
        let deadline = Instant::now() + timeout;
        self.check_ended()?;
        if let Some(leaving) = &self.leaving {
            let gone = self.partitions(leaving);
            self.held.retain(|held| !gone.contains(held));
            self.give_up()?;
        }
        if let Some(change) = self.change()? {
            return Ok(change);
        }
        let records = self.records(deadline)?;
        if records.is_empty()
            && let Some(change) = self.change()?
        {
            return Ok(change);
        }
        Ok(Polled::Records(records))
    }

    fn commit(&mut self, outputs: &[Message], consumed: &Consumed) -> Result<()> {
        self.check_ended()?;
        let mut partitions = consumed.iter().map(|(partition, _)| partition);
        let committed = match partitions.find(|partition| !self.held.contains(partition)) {
            Some(partition) => Err(Error::NotHeld { partition }),
            None if outputs.is_empty() && consumed.is_empty() => Ok(()),
            None => self.transact(outputs, consumed),
        };
        if committed.is_err() {
            self.start_over = StartOver::Lose;
        }
        committed
    }
}

impl Drop for KafkaWorker {
    fn drop(&mut self) {
        // The consumer leaves the group when it is dropped, which waits until all is given up.
        let context = Arc::clone(self.consumer.context());
        context.closing.store(true, Ordering::Release);
        let unheard = std::mem::take(&mut *context.changes());
        let revoked = unheard.into_iter().filter_map(|change| match change {
            Change::Revoked(list) => Some(list),
            _ => None,
        });
        for list in self.leaving.take().into_iter().chain(revoked) {
            // It can only fail where the group is gone anyway.
            let _ = self.consumer.incremental_unassign(&list);
        }
    }
}

impl fmt::Debug for KafkaWorker {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("KafkaWorker")
            .field("name", &self.name)
            .field("held", &self.held)
            .field("start_over", &self.start_over)
            .field("ended", &self.ended)
            .finish_non_exhaustive()
    }
}

/// Collects what the group decides. It is called within the worker's poll.
#[derive(Default)]
struct Rebalances {
    changes: Mutex<VecDeque<Change>>,
    closing: AtomicBool,
}

enum Change {
    Assigned(TopicPartitionList),
    Revoked(TopicPartitionList),
    Lost(TopicPartitionList),
    Failed(KafkaError),
}

impl Rebalances {
    fn changes(&self) -> MutexGuard<'_, VecDeque<Change>> {
        self.changes.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl ClientContext for Rebalances {}

impl ConsumerContext for Rebalances {
    fn rebalance(
        &self,
        consumer: &BaseConsumer<Self>,
        what: RDKafkaRespErr,
        list: &mut TopicPartitionList,
    ) {
        let assigned = what == RDKafkaRespErr::RD_KAFKA_RESP_ERR__ASSIGN_PARTITIONS;
        let lost = consumer.assignment_lost() || self.closing.load(Ordering::Acquire);
        let (done, change) = if assigned {
            let done = consumer.incremental_assign(list);
            (done, Change::Assigned(list.clone()))
        } else if lost || list.count() == 0 {
            let done = consumer.incremental_unassign(list);
            (done, Change::Lost(list.clone()))
        } else {
            (Ok(()), Change::Revoked(list.clone()))
        };
        let mut changes = self.changes();
        if list.count() > 0 {
            changes.push_back(change);
        }
        if let Err(error) = done {
            changes.push_back(Change::Failed(error));
        }
    }
}

/// Tries again while the client says that it makes sense.
fn retry(patience: Duration, mut attempt: impl FnMut() -> KafkaResult<()>) -> Result<()> {
    let deadline = Instant::now() + patience;
    loop {
        match attempt() {
            Ok(()) => return Ok(()),
            Err(KafkaError::Transaction(error))
                if error.is_retriable() && Instant::now() < deadline =>
            {
                thread::sleep(Duration::from_millis(20));
            }
            Err(error) => return Err(error.into()),
        }
    }
}

/// Whether another worker has taken the name.
fn is_fenced(error: &Error) -> bool {
    let Error::Kafka(error) = error else {
        return false;
    };
    let fatal = matches!(error, KafkaError::Transaction(error) if error.is_fatal());
    let code = error.rdkafka_error_code();
    fatal
        || matches!(
            code,
            Some(
                RDKafkaErrorCode::ProducerFenced
                    | RDKafkaErrorCode::Fenced
                    | RDKafkaErrorCode::InvalidProducerEpoch
            )
        )
}
