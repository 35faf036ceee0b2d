//! The log: its files, or the brokers and their topics.

mod kept;

use std::collections::BTreeSet;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use catwalk_log::{Durability, EmbeddedLog, Error, Log, Topic};
use rdkafka::ClientConfig;
use rdkafka::consumer::{BaseConsumer, Consumer as _};
use rdkafka::metadata::{Metadata, MetadataTopic};

use super::{Report, own_uid};
use crate::config::{Config, Home};
use crate::log::told;
use crate::log_files;

/// How long the brokers and the registry may take to answer.
const PATIENCE: Duration = Duration::from_secs(10);

/// How the log was found.
pub(super) enum Found {
    Open(Arc<dyn Log>),
    /// Another program has it open.
    InUse,
    /// There is none.
    Missing,
    Unknown,
}

pub(super) fn examine(report: &mut Report, config: &Config) -> Found {
    match config.log.home {
        Home::Embedded => embedded(report, &config.log.embedded.folder),
        Home::Kafka => {
            registry(report, &config.schema_registry.url);
            kafka(report, config)
        }
    }
}

fn embedded(report: &mut Report, folder: &Path) -> Found {
    let shown = folder.display();
    let owner = match folder.metadata() {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            return missing(report, folder);
        }
        owner => owner.and_then(|meta| Ok((meta.uid(), own_uid()?))),
    };
    let (owner, own) = match owner {
        Ok(both) => both,
        Err(error) => {
            report.wrong(
                "log",
                format!("{shown}: {error}"),
                "let this user read the folder",
            );
            return Found::Unknown;
        }
    };
    if owner != own {
        // Opening puts right what a crash left, in files that would then belong to somebody else.
        let why = format!("{shown} belongs to the user with the number {owner}, and this is {own}");
        report.not_looked_at(
            "log",
            &why,
            format!("run this as its owner: sudo -u '#{owner}' catwalk doctor"),
        );
        return Found::Unknown;
    }
    match EmbeddedLog::is_in_use(folder) {
        Ok(false) => whole(report, folder),
        Ok(true) => {
            let why = format!("a running program has the log in {shown} open");
            report.not_looked_at(
                "log",
                &why,
                format!("stop it and run this again, or `catwalk log check {shown}` on a copy, to read every record"),
            );
            Found::InUse
        }
        Err(error) => {
            report.wrong(
                "log",
                error.to_string(),
                "let this user read and write the folder",
            );
            Found::Unknown
        }
    }
}

fn missing(report: &mut Report, folder: &Path) -> Found {
    report.warn(
        "log",
        format!("there is no log in {}", folder.display()),
        "nothing, if nothing was ever started here: the first start makes it. If there was one, bring it back from a \
         backup before you start",
    );
    Found::Missing
}

/// Reads every record, as `catwalk log check` does.
fn whole(report: &mut Report, folder: &Path) -> Found {
    let shown = folder.display();
    let log = match EmbeddedLog::open_existing(folder, Durability::Commit) {
        Ok(log) => told(log),
        // A folder that was made for it.
        Err(Error::NoLog { .. }) => return missing(report, folder),
        Err(error) => {
            report.wrong(
                "log",
                error.to_string(),
                format!(
                    "restore the folder from a backup, or `catwalk log salvage {shown} --into NEW`"
                ),
            );
            return Found::Unknown;
        }
    };
    let checked = log_files::verify(&log);
    let records: u64 = checked.topics.iter().map(|(_, records, _)| records).sum();
    let missing = Topic::ALL.len() - checked.topics.len();
    if let Some(error) = checked.errors.first() {
        report.wrong(
            "log",
            format!(
                "{} partitions are damaged; the first: {error}",
                checked.errors.len()
            ),
            format!(
                "restore the folder from a backup, or `catwalk log salvage {shown} --into NEW`"
            ),
        );
    } else if missing > 0 {
        report.wrong(
            "log",
            format!("{shown}: {missing} of {} topics are not there", Topic::ALL.len()),
            "if a start was cut off, start again: it makes them; if records were there, restore the folder",
        );
    } else {
        report.ok(
            "log",
            format!("{shown}: {records} records, each read and as it was written"),
        );
    }
    for (partition, lost) in log.lost() {
        report.warn(
            "log",
            format!(
                "records {} to {} of {partition} were lost before it was salvaged",
                lost.start,
                lost.end - 1
            ),
            "know it when you answer for that time; the log stays as it is",
        );
    }
    Found::Open(Arc::new(log))
}

fn registry(report: &mut Report, url: &str) {
    if url.is_empty() {
        return;
    }
    let asked = format!("{}/subjects", url.trim_end_matches('/'));
    let agent = ureq::Agent::config_builder().timeout_global(Some(PATIENCE));
    match ureq::Agent::from(agent.build()).get(&asked).call() {
        Ok(_) => report.ok(
            "registry",
            format!("{url} answers; its schemas were not compared"),
        ),
        Err(error) => report.wrong(
            "registry",
            format!("{url}: {error}"),
            "start the registry, or put schema_registry.url right",
        ),
    }
}

fn kafka(report: &mut Report, config: &Config) -> Found {
    let kafka = &config.log.kafka;
    let asked = || {
        let mut client = ClientConfig::new();
        client.set("client.id", "catwalk-doctor");
        client.extend(kafka.settings.clone());
        client.set("bootstrap.servers", &kafka.bootstrap);
        let client: BaseConsumer = client.create()?;
        // Of all topics: to ask for one by its name could make it.
        client.fetch_metadata(None, PATIENCE)
    };
    let metadata = match asked() {
        Ok(metadata) => metadata,
        Err(error) => {
            report.wrong(
                "log",
                format!("Kafka at {}: {error}", kafka.bootstrap),
                "see whether the brokers run, whether this machine reaches them, and log.kafka.settings",
            );
            return Found::Unknown;
        }
    };
    let brokers = metadata.brokers().len();
    report.ok(
        "log",
        format!("Kafka at {} answers: {brokers} brokers", kafka.bootstrap),
    );
    topics(report, config, &metadata)
}

fn topics(report: &mut Report, config: &Config, metadata: &Metadata) -> Found {
    let prefix = &config.log.kafka.prefix;
    let named = |topic: Topic| {
        let name = format!("{prefix}{topic}");
        metadata.topics().iter().find(|found| found.name() == name)
    };
    let there: Vec<(Topic, &MetadataTopic)> = Topic::ALL
        .into_iter()
        .filter_map(|topic| Some((topic, named(topic)?)))
        .collect();
    if there.is_empty() {
        report.warn(
            "topics",
            format!(
                "none of the {} topics with the prefix {prefix:?} is there, or may be seen",
                Topic::ALL.len()
            ),
            "nothing, if nothing was ever started here: the first start makes them",
        );
        return Found::Missing;
    }
    let missing = Topic::ALL.iter().filter(|topic| named(**topic).is_none());
    let missing: Vec<String> = missing.map(|topic| format!("{prefix}{topic}")).collect();
    if !missing.is_empty() {
        report.wrong(
            "topics",
            format!("not there, or not to be seen by this user: {}", missing.join(", ")),
            "if they were deleted, see docs/disaster-recovery.md before you start: a start makes them anew, empty",
        );
    }
    let wanted = config.log.partitions as usize;
    let other: Vec<String> = there
        .iter()
        .filter(|(_, found)| found.partitions().len() != wanted)
        .map(|(topic, found)| format!("{topic} has {}", found.partitions().len()))
        .collect();
    match other.is_empty() {
        true => report.ok(
            "partitions",
            format!("{wanted} of each of {} topics", there.len()),
        ),
        false => report.wrong(
            "partitions",
            format!("log.partitions = {wanted}; {}", other.join(", ")),
            "set log.partitions to what the topics have: with another number no service starts",
        ),
    }
    copies(report, &there, metadata.brokers().len());
    kept::examine(
        report,
        config,
        &there.iter().map(|(topic, _)| *topic).collect::<Vec<_>>(),
    );
    if !missing.is_empty() {
        return Found::Unknown;
    }
    match config.log_choice().open_existing() {
        Ok(log) => Found::Open(log),
        Err(error) => {
            report.wrong("log", format!("{error:#}"), "see log.kafka.settings");
            Found::Unknown
        }
    }
}

/// How often each record is kept, and whether all copies are up to date.
fn copies(report: &mut Report, topics: &[(Topic, &MetadataTopic)], brokers: usize) {
    let partitions = || topics.iter().flat_map(|(_, topic)| topic.partitions());
    let counts: BTreeSet<usize> = partitions().map(|one| one.replicas().len()).collect();
    let headless = partitions().filter(|one| one.leader() < 0).count();
    let behind = partitions().filter(|one| one.isr().len() < one.replicas().len());
    let (behind, fewest) = (behind.count(), counts.first().copied().unwrap_or(0));
    if headless > 0 {
        report.wrong(
            "replication",
            format!("{headless} partitions have no leader: nothing can be written to them"),
            "bring the brokers back that have their copies",
        );
    } else if behind > 0 {
        report.warn(
            "replication",
            format!("{behind} partitions have copies that are not up to date"),
            "see which broker is down or slow: one more failure may stop the floor's events",
        );
    } else if fewest < 2 {
        report.warn(
            "replication",
            format!(
                "some topics are kept once, on {brokers} brokers: a lost disk is lost evidence"
            ),
            "give the topics three copies (log.kafka.replication is for those that are made)",
        );
    } else {
        report.ok(
            "replication",
            format!("{fewest} copies or more of each partition, all up to date"),
        );
    }
}
