//! How to reach Kafka.

use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

use rdkafka::ClientConfig;

use crate::{Error, Result, Topic};

/// How to reach Kafka.
#[derive(Clone, PartialEq, Eq)]
pub struct KafkaConfig {
    /// `host:port`, several with commas between.
    pub bootstrap: String,
    /// Comes before the names of topics, groups and transactions, where several floors share a cluster.
    pub prefix: String,
    /// Settings of librdkafka, as they are: `security.protocol`, `sasl.mechanisms`, `ssl.ca.location`,
    /// `compression.type`, ... All clients get them.
    pub settings: BTreeMap<String, String>,
    /// Settings of the topics that are created: `retention.ms`, `min.insync.replicas`, ... Without them a topic keeps
    /// what it has.
    pub topic_settings: BTreeMap<String, String>,
    /// Copies of the topics that are created. `None`: as many as the brokers keep by default.
    pub replication: Option<i32>,
    /// How long a broker may take to do anything.
    pub timeout: Duration,
}

/// Settings that decide whether anything is lost or twice.
const RESERVED: [&str; 13] = [
    "bootstrap.servers",
    "metadata.broker.list",
    "group.id",
    "group.protocol",
    "partition.assignment.strategy",
    "transactional.id",
    "enable.idempotence",
    "enable.auto.commit",
    "enable.auto.offset.store",
    "enable.partition.eof",
    "isolation.level",
    "partitioner",
    "auto.offset.reset",
];

const TRANSACTION_TIMEOUT_MS: u64 = 15_000;

impl KafkaConfig {
    pub fn new(bootstrap: impl Into<String>) -> KafkaConfig {
        KafkaConfig {
            bootstrap: bootstrap.into(),
            prefix: String::new(),
            settings: BTreeMap::new(),
            topic_settings: BTreeMap::new(),
            replication: None,
            timeout: Duration::from_secs(30),
        }
    }

    /// The settings that all clients have in common.
    pub(super) fn client(&self) -> Result<ClientConfig> {
        let mut client = ClientConfig::new();
        client.set("client.id", "catwalk");
        client.set("bootstrap.servers", &self.bootstrap);
        for (name, value) in &self.settings {
            if RESERVED.contains(&name.as_str()) {
                let name = name.clone();
                return Err(Error::ReservedSetting { name });
            }
            client.set(name, value);
        }
        Ok(client)
    }

    /// For what may be chosen otherwise.
    pub(super) fn default(&self, client: &mut ClientConfig, name: &str, value: &str) {
        if !self.settings.contains_key(name) {
            client.set(name, value);
        }
    }

    pub(super) fn producer(&self) -> Result<ClientConfig> {
        let mut client = self.client()?;
        client.set("enable.idempotence", "true");
        // Kafka's Java client sends keys to the same places.
        client.set("partitioner", "murmur2_random");
        self.default(&mut client, "compression.type", "lz4");
        Ok(client)
    }

    pub(super) fn transactional(&self, id: &str) -> Result<ClientConfig> {
        let mut client = self.producer()?;
        client.set("transactional.id", id);
        // What a worker that vanished had begun is in the way of readers for so long.
        let timeout_ms = TRANSACTION_TIMEOUT_MS.to_string();
        self.default(&mut client, "transaction.timeout.ms", &timeout_ms);
        // A commit sends a batch and waits for it: more records will not come.
        self.default(&mut client, "linger.ms", "0");
        Ok(client)
    }

    pub(super) fn consumer(&self, group: &str) -> Result<ClientConfig> {
        let mut client = self.client()?;
        client.set("group.id", group);
        client.set("enable.auto.commit", "false");
        client.set("enable.auto.offset.store", "false");
        client.set("isolation.level", "read_committed");
        client.set("partition.assignment.strategy", "cooperative-sticky");
        // With any other, whoever begins passes over what is there.
        client.set("auto.offset.reset", "earliest");
        // After so long another worker takes over from one that vanished.
        self.default(&mut client, "session.timeout.ms", "10000");
        self.default(&mut client, "heartbeat.interval.ms", "1000");
        Ok(client)
    }

    /// How long it may take until an open transaction is decided: the broker ends one that has been
    /// open for too long, when it next looks.
    pub(super) fn decision_timeout(&self) -> Duration {
        let set = self.settings.get("transaction.timeout.ms");
        let transaction_ms = set.and_then(|value| value.parse().ok());
        let transaction = Duration::from_millis(transaction_ms.unwrap_or(TRANSACTION_TIMEOUT_MS));
        transaction + self.timeout
    }

    pub(super) fn topic(&self, topic: Topic) -> String {
        format!("{}{topic}", self.prefix)
    }

    pub(super) fn topic_named(&self, name: &str) -> Option<Topic> {
        Topic::named(name.strip_prefix(&self.prefix)?)
    }
}

impl fmt::Debug for KafkaConfig {
    /// Leaves out the values of the settings: there are passwords among them.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("KafkaConfig")
            .field("bootstrap", &self.bootstrap)
            .field("prefix", &self.prefix)
            .field("settings", &self.settings.keys())
            .field("topic_settings", &self.topic_settings)
            .field("replication", &self.replication)
            .field("timeout", &self.timeout)
            .finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with(name: &str, value: &str) -> KafkaConfig {
        let mut config = KafkaConfig::new("localhost:9092");
        config.settings.insert(name.to_owned(), value.to_owned());
        config
    }

    #[test]
    fn settings_are_passed_through() {
        let config = with("compression.type", "zstd");
        let client = config.producer().unwrap();
        assert_eq!(client.get("compression.type"), Some("zstd"));
        let config = with("security.protocol", "SASL_SSL");
        let client = config.consumer("settler").unwrap();
        assert_eq!(client.get("security.protocol"), Some("SASL_SSL"));
    }

    #[test]
    fn librdkafka_knows_tls_sasl_and_the_compressions() {
        let mut config = with("security.protocol", "SASL_SSL");
        for (name, value) in [
            ("sasl.mechanisms", "SCRAM-SHA-512"),
            ("sasl.username", "floor"),
            ("sasl.password", "secret"),
        ] {
            config.settings.insert(name.to_owned(), value.to_owned());
        }
        for compression in ["lz4", "zstd"] {
            let setting = ("compression.type".to_owned(), compression.to_owned());
            config.settings.extend([setting]);
            let producer = config.producer().unwrap();
            let created: rdkafka::error::KafkaResult<rdkafka::producer::BaseProducer> =
                producer.create();
            assert!(created.is_ok(), "{:?}", created.err());
        }
    }

    #[test]
    fn settings_that_would_break_the_promises_are_refused() {
        let refused = with("isolation.level", "read_uncommitted").consumer("settler");
        let message = refused.unwrap_err().to_string();
        assert!(message.contains("isolation.level"), "{message}");
    }

    #[test]
    fn passwords_are_not_shown() {
        let shown = format!("{:?}", with("sasl.password", "secret"));
        assert!(
            shown.contains("sasl.password") && !shown.contains("secret"),
            "{shown}"
        );
    }
}
