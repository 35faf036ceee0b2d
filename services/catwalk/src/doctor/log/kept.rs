//! How long the brokers keep what is on the topics.

use catwalk_log::Topic;
use futures::executor::block_on;
use rdkafka::ClientConfig;
use rdkafka::admin::{AdminClient, AdminOptions, ConfigResource, ResourceSpecifier};
use rdkafka::client::DefaultClientContext;
use rdkafka::error::KafkaError;

use super::PATIENCE;
use crate::config::Config;
use crate::doctor::Report;

const CHECK: &str = "retention";
const A_DAY_MS: i64 = 24 * 60 * 60 * 1000;

pub(super) fn examine(report: &mut Report, config: &Config, topics: &[Topic]) {
    let prefix = &config.log.kafka.prefix;
    let names: Vec<String> = topics
        .iter()
        .map(|topic| format!("{prefix}{topic}"))
        .collect();
    let settings = match ask(config, &names) {
        Ok(settings) => settings,
        Err(error) => {
            report.not_looked_at(
                CHECK,
                &format!("the brokers do not tell the settings of the topics: {error}"),
                "let this user describe the configuration of topics, or see them with kafka-configs.sh",
            );
            return;
        }
    };
    let (mut wrong, mut short) = (Vec::new(), Vec::new());
    for (topic, settings) in topics.iter().zip(&settings) {
        match kept(*topic, settings) {
            Kept::AllOfIt => {}
            Kept::For(how_long) => short.push(format!("{topic} {how_long}")),
            Kept::Wrongly(why) => wrong.push(format!("{topic} {why}")),
        }
    }
    match (wrong.is_empty(), short.is_empty()) {
        (false, _) => report.wrong(
            CHECK,
            wrong.join("; "),
            "set cleanup.policy right at once (kafka-configs.sh): records are removed that are needed",
        ),
        (_, false) => report.warn(
            CHECK,
            format!("what is older or more is removed: {}", short.join("; ")),
            "what was not settled and archived by then is lost, and an archive cannot be made again from the log: see \
             that retention.ms and retention.bytes are what your regulator asks (kafka-configs.sh)",
        ),
        _ => report.ok(CHECK, "the topics keep what they have"),
    }
}

fn ask(config: &Config, names: &[String]) -> Result<Vec<ConfigResource>, KafkaError> {
    let kafka = &config.log.kafka;
    let mut client = ClientConfig::new();
    client.set("client.id", "catwalk-doctor");
    client.extend(kafka.settings.clone());
    client.set("bootstrap.servers", &kafka.bootstrap);
    let client: AdminClient<DefaultClientContext> = client.create()?;
    let asked: Vec<ResourceSpecifier<'_>> = names
        .iter()
        .map(|name| ResourceSpecifier::Topic(name))
        .collect();
    let options = AdminOptions::new().request_timeout(Some(PATIENCE));
    let answered = block_on(client.describe_configs(&asked, &options))?;
    answered
        .into_iter()
        .map(|told| told.map_err(KafkaError::AdminOp))
        .collect()
}

/// What becomes of the records of a topic.
#[derive(Debug, PartialEq, Eq)]
enum Kept {
    AllOfIt,
    For(String),
    Wrongly(&'static str),
}

fn kept(topic: Topic, settings: &ConfigResource) -> Kept {
    let text = |name: &str| settings.get(name).and_then(|entry| entry.value.as_deref());
    let limit = |name: &str| text(name).and_then(|value| value.parse::<i64>().ok());
    let policy = text("cleanup.policy").unwrap_or_default();
    let (compacts, deletes) = (policy.contains("compact"), policy.contains("delete"));
    match (topic.is_compacted(), compacts, deletes) {
        (true, true, false) => return Kept::AllOfIt,
        (true, ..) => {
            return Kept::Wrongly(
                "loses what services need to go on: its cleanup.policy must be compact",
            );
        }
        (false, true, _) => {
            return Kept::Wrongly(
                "keeps the last record of a key alone: its cleanup.policy must be delete",
            );
        }
        (false, false, _) => {}
    }
    match (limit("retention.ms"), limit("retention.bytes")) {
        (Some(-1), Some(-1)) => Kept::AllOfIt,
        (Some(-1), Some(bytes)) => Kept::For(format!("keeps {bytes} bytes of a partition")),
        (Some(ms), _) => Kept::For(format!("keeps {}", days(ms))),
        (None, _) => Kept::For("does not say how long it keeps records".to_owned()),
    }
}

fn days(ms: i64) -> String {
    match ms / A_DAY_MS {
        0 => format!("{} hours", ms * 24 / A_DAY_MS),
        1 => "1 day".to_owned(),
        days => format!("{days} days"),
    }
}

#[cfg(test)]
mod tests {
    use rdkafka::admin::{ConfigEntry, ConfigSource, OwnedResourceSpecifier};

    use super::*;

    fn settings(pairs: &[(&str, &str)]) -> ConfigResource {
        let entries = pairs.iter().map(|(name, value)| ConfigEntry {
            name: (*name).to_owned(),
            value: Some((*value).to_owned()),
            source: ConfigSource::DynamicTopic,
            is_read_only: false,
            is_default: false,
            is_sensitive: false,
        });
        ConfigResource {
            specifier: OwnedResourceSpecifier::Topic("floor.events".to_owned()),
            entries: entries.collect(),
        }
    }

    #[test]
    fn what_removes_records_is_told() {
        let of = |topic: Topic, policy: &str, ms: &str, bytes: &str| {
            let pairs = [
                ("cleanup.policy", policy),
                ("retention.ms", ms),
                ("retention.bytes", bytes),
            ];
            kept(topic, &settings(&pairs))
        };
        let kept_for = |text: &str| Kept::For(text.to_owned());
        assert_eq!(of(Topic::FloorEvents, "delete", "-1", "-1"), Kept::AllOfIt);
        assert_eq!(
            of(Topic::FloorEvents, "delete", "604800000", "-1"),
            kept_for("keeps 7 days")
        );
        assert_eq!(
            of(Topic::Findings, "delete", "7200000", "-1"),
            kept_for("keeps 2 hours")
        );
        assert_eq!(
            of(Topic::Findings, "delete", "-1", "500"),
            kept_for("keeps 500 bytes of a partition")
        );
        assert!(matches!(
            of(Topic::FloorEvents, "compact", "-1", "-1"),
            Kept::Wrongly(_)
        ));
        assert!(matches!(
            of(Topic::State, "compact,delete", "-1", "-1"),
            Kept::Wrongly(_)
        ));
        assert_eq!(
            of(Topic::State, "compact", "604800000", "-1"),
            Kept::AllOfIt
        );
        assert!(matches!(kept(Topic::Cases, &settings(&[])), Kept::For(_)));
    }
}
