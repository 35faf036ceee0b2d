//! Writes outside of transactions.

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use rdkafka::client::ClientContext;
use rdkafka::error::{KafkaError, RDKafkaErrorCode};
use rdkafka::message::{DeliveryResult, Message as _};
use rdkafka::producer::{Producer as _, ProducerContext, ThreadedProducer};

use super::{KafkaConfig, base_record};
use crate::{Error, Message, Producer, Result};

pub(super) struct KafkaProducer {
    config: Arc<KafkaConfig>,
    producer: ThreadedProducer<Deliveries>,
}

impl KafkaProducer {
    pub(super) fn new(config: Arc<KafkaConfig>) -> Result<KafkaProducer> {
        let client = config.producer()?;
        let producer = client.create_with_context(Deliveries::default())?;
        Ok(KafkaProducer { config, producer })
    }

    /// What went wrong since the last time.
    fn failure(&self) -> Result<()> {
        self.producer.context().first().take().map_or(Ok(()), Err)
    }
}

impl fmt::Debug for KafkaProducer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("KafkaProducer").finish_non_exhaustive()
    }
}

impl Producer for KafkaProducer {
    fn send(&mut self, messages: &[Message]) -> Result<()> {
        self.failure()?;
        messages
            .iter()
            .try_for_each(|message| hand_over(&self.producer, &self.config, message))
    }

    fn flush(&mut self) -> Result<()> {
        drain(&self.producer, self.config.timeout)?;
        self.failure()
    }
}

impl Drop for KafkaProducer {
    fn drop(&mut self) {
        // Who wants to know whether all has arrived calls `flush`.
        let _ = drain(&self.producer, self.config.timeout);
    }
}

/// Puts a record into the queue, and waits while that is full.
pub(super) fn hand_over<C>(
    producer: &ThreadedProducer<C>,
    config: &KafkaConfig,
    message: &Message,
) -> Result<()>
where
    C: ProducerContext<DeliveryOpaque = ()> + 'static,
{
    let name = config.topic(message.topic);
    let deadline = Instant::now() + config.timeout;
    let mut record = base_record(&name, message);
    loop {
        let Err((error, back)) = producer.send(record) else {
            return Ok(());
        };
        match error {
            KafkaError::MessageProduction(RDKafkaErrorCode::QueueFull)
                if Instant::now() < deadline =>
            {
                record = back;
                thread::sleep(Duration::from_millis(5));
            }
            error => {
                return Err(Error::NotDelivered {
                    topic: name.clone(),
                    reason: error.to_string(),
                });
            }
        }
    }
}

/// Waits until nothing is on the way. The client's own `flush` competes with the producer's thread for the
/// reports of delivery, and then sleeps for up to 100 ms after the last has come.
pub(super) fn drain<C>(producer: &ThreadedProducer<C>, timeout: Duration) -> Result<()>
where
    C: ProducerContext + 'static,
{
    let deadline = Instant::now() + timeout;
    while producer.in_flight_count() > 0 {
        if Instant::now() >= deadline {
            return Err(Error::Timeout {
                what: format!("delivering {} records", producer.in_flight_count()),
                limit_ms: timeout.as_millis(),
            });
        }
        thread::sleep(Duration::from_micros(200));
    }
    Ok(())
}

/// Remembers the first record that did not arrive.
#[derive(Debug, Default)]
struct Deliveries(Mutex<Option<Error>>);

impl Deliveries {
    fn first(&self) -> MutexGuard<'_, Option<Error>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl ClientContext for Deliveries {}

impl ProducerContext for Deliveries {
    type DeliveryOpaque = ();

    fn delivery(&self, delivered: &DeliveryResult<'_>, (): ()) {
        if let Err((error, message)) = delivered {
            self.first().get_or_insert_with(|| Error::NotDelivered {
                topic: message.topic().to_owned(),
                reason: error.to_string(),
            });
        }
    }
}
