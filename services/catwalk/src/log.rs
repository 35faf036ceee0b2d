//! Which event log a command works on.

use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;
use catwalk_log::{Durability, EmbeddedLog, Error, Log, Topic};
#[cfg(feature = "kafka")]
use catwalk_log::{KafkaConfig, KafkaLog};
use catwalk_wire::{Formats, Registry};

/// Partitions of the topics that are created where nobody says how many: as many settlers can share
/// the work.
const PARTITIONS: u32 = 8;
/// What the embedded log may lose when the power fails. A killed process loses nothing.
const SYNC_WITHIN: Duration = Duration::from_millis(100);

/// Where a log lives.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum LogAddress {
    /// `embedded:DIR`: a folder of this machine.
    Embedded(PathBuf),
    /// `kafka://HOST:PORT,...`, or `kafka://HOST:PORT,.../PREFIX` where floors share a cluster.
    Kafka { bootstrap: String, prefix: String },
}

impl FromStr for LogAddress {
    type Err = String;

    fn from_str(text: &str) -> Result<LogAddress, String> {
        let wrong = || {
            format!("{text:?} is no log: write \"embedded:DIR\" or \"kafka://HOST:PORT,HOST:PORT\"")
        };
        if let Some(folder) = text.strip_prefix("embedded:") {
            return match folder {
                "" => Err(wrong()),
                _ => Ok(LogAddress::Embedded(folder.into())),
            };
        }
        let brokers = text.strip_prefix("kafka://").ok_or_else(wrong)?;
        let (bootstrap, prefix) = brokers.split_once('/').unwrap_or((brokers, ""));
        let is_broker = |broker: &str| {
            let (host, port) = broker.rsplit_once(':').unwrap_or_default();
            !host.is_empty() && port.parse::<u16>().is_ok()
        };
        match bootstrap.split(',').all(is_broker) {
            true => Ok(LogAddress::Kafka {
                bootstrap: bootstrap.to_owned(),
                prefix: prefix.to_owned(),
            }),
            false => Err(wrong()),
        }
    }
}

impl fmt::Display for LogAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LogAddress::Embedded(folder) => write!(f, "embedded:{}", folder.display()),
            LogAddress::Kafka { bootstrap, prefix } if prefix.is_empty() => {
                write!(f, "kafka://{bootstrap}")
            }
            LogAddress::Kafka { bootstrap, prefix } => write!(f, "kafka://{bootstrap}/{prefix}"),
        }
    }
}

/// A log and how to open it, from the command line or from a configuration.
#[derive(Clone, Debug)]
pub(crate) struct LogChoice {
    pub(crate) address: LogAddress,
    /// Of the topics, if they have to be created.
    pub(crate) partitions: Option<u32>,
    /// Settings of librdkafka, such as `security.protocol`.
    pub(crate) kafka: BTreeMap<String, String>,
    /// Settings and copies of the topics that Kafka creates.
    pub(crate) topic_settings: BTreeMap<String, String>,
    pub(crate) replication: Option<i32>,
    pub(crate) durability: Durability,
    /// Base address of a schema registry.
    pub(crate) registry: Option<String>,
}

impl LogChoice {
    pub(crate) fn new(address: LogAddress) -> LogChoice {
        LogChoice {
            address,
            partitions: None,
            kafka: BTreeMap::new(),
            topic_settings: BTreeMap::new(),
            replication: None,
            durability: Durability::Within(SYNC_WITHIN),
            registry: None,
        }
    }

    /// Opens the log; topics that are missing are created.
    pub(crate) fn open(&self) -> anyhow::Result<Arc<dyn Log>> {
        let log: Arc<dyn Log> = match &self.address {
            LogAddress::Embedded(folder) => {
                Arc::new(told(EmbeddedLog::open(folder, self.durability)?))
            }
            LogAddress::Kafka { bootstrap, prefix } => self.connect(bootstrap, prefix)?,
        };
        // All topics have as many partitions as the events: a table's records stay together.
        let partitions = match (self.partitions, log.partitions(Topic::FloorEvents)) {
            (Some(wanted), _) => wanted,
            (None, Ok(found)) => found,
            (None, Err(Error::NoTopic { .. })) => PARTITIONS,
            (None, Err(error)) => return Err(error.into()),
        };
        log.create(&Topic::ALL.map(|topic| topic.with_partitions(partitions)))?;
        Ok(log)
    }

    /// Opens a log that is there, for whoever only reads: nothing is made.
    pub(crate) fn open_existing(&self) -> anyhow::Result<Arc<dyn Log>> {
        let log: Arc<dyn Log> = match &self.address {
            LogAddress::Embedded(folder) => {
                Arc::new(told(EmbeddedLog::open_existing(folder, self.durability)?))
            }
            LogAddress::Kafka { bootstrap, prefix } => self.connect(bootstrap, prefix)?,
        };
        for topic in Topic::ALL {
            let there = log.partitions(topic);
            there.with_context(|| format!("{} is no log of catwalk", self.address))?;
        }
        Ok(log)
    }

    #[cfg(feature = "kafka")]
    fn connect(&self, bootstrap: &str, prefix: &str) -> anyhow::Result<Arc<dyn Log>> {
        let mut config = KafkaConfig::new(bootstrap);
        prefix.clone_into(&mut config.prefix);
        config.settings.clone_from(&self.kafka);
        config.topic_settings.clone_from(&self.topic_settings);
        config.replication = self.replication;
        let log = KafkaLog::connect(config).with_context(|| self.address.to_string())?;
        Ok(Arc::new(log))
    }

    #[cfg(not(feature = "kafka"))]
    fn connect(&self, _: &str, _: &str) -> anyhow::Result<Arc<dyn Log>> {
        // What a client would have been told that is not built in.
        let _ = (&self.kafka, &self.topic_settings, self.replication);
        anyhow::bail!(
            "{}: this catwalk was built without Kafka; build it with the feature \"kafka\", or use embedded:DIR",
            self.address
        )
    }

    /// How records are written on it.
    pub(crate) fn formats(&self) -> anyhow::Result<Formats> {
        let prefix = match &self.address {
            LogAddress::Embedded(_) => "",
            LogAddress::Kafka { prefix, .. } => prefix,
        };
        match &self.registry {
            None => Ok(Formats::plain()?),
            Some(url) => Ok(Formats::registered(Registry::at(url), prefix)?),
        }
    }
}

/// Says what was put right when a log was opened.
pub(crate) fn told(log: EmbeddedLog) -> EmbeddedLog {
    for repaired in log.repaired() {
        eprintln!("catwalk: {repaired}");
    }
    for (partition, lost) in log.lost() {
        let (from, to) = (lost.start, lost.end - 1);
        eprintln!(
            "catwalk: records {from} to {to} of {partition} were lost before the log was salvaged"
        );
    }
    log
}

/// The choice on the command line.
#[derive(Clone, clap::Args)]
pub(crate) struct LogArgs {
    /// The event log: embedded:DIR, or kafka://HOST:PORT,... (a path after it comes before the names of
    /// topics).
    #[arg(long, value_name = "LOG")]
    log: Option<LogAddress>,

    /// Partitions of the topics, if they have to be created [default: 8].
    #[arg(long, value_name = "N", requires = "log", value_parser = clap::value_parser!(u32).range(1..))]
    partitions: Option<u32>,

    /// A setting of the Kafka client, such as security.protocol=SSL. May be repeated.
    #[arg(long = "kafka", value_name = "NAME=VALUE", requires = "log", value_parser = setting)]
    kafka: Vec<(String, String)>,

    /// Schema registry, such as http://localhost:8081.
    #[arg(long, value_name = "URL", requires = "log")]
    registry: Option<String>,
}

impl LogArgs {
    /// What was chosen; `None` if nothing was.
    pub(crate) fn choice(&self) -> Option<LogChoice> {
        let address = self.log.clone()?;
        Some(LogChoice {
            partitions: self.partitions,
            kafka: self.kafka.iter().cloned().collect(),
            registry: self.registry.clone(),
            ..LogChoice::new(address)
        })
    }
}

fn setting(text: &str) -> Result<(String, String), String> {
    let (name, value) = text
        .split_once('=')
        .ok_or_else(|| "write NAME=VALUE, such as security.protocol=SSL".to_owned())?;
    Ok((name.to_owned(), value.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_reads_as_it_is_written() {
        for text in [
            "embedded:data/log",
            "kafka://localhost:9092",
            "kafka://a:1,b:2/floor-1.",
        ] {
            assert_eq!(text.parse::<LogAddress>().unwrap().to_string(), text);
        }
    }

    #[test]
    fn what_is_no_address_says_what_would_be() {
        for text in [
            "",
            "embedded:",
            "kafka://",
            "kafka://localhost",
            "kafka://a:1,b",
            "data",
        ] {
            let refused = text.parse::<LogAddress>().unwrap_err();
            assert!(refused.contains("embedded:DIR"), "{refused}");
        }
    }
}
