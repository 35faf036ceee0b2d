//! A topic of the log as it grows.

use std::time::Duration;

use catwalk_events::audit::Finding;
use catwalk_log::{Log, Reader, Topic};
use catwalk_wire::Formats;

/// How long a follower waits for something new before it looks around.
pub(crate) const PATIENCE: Duration = Duration::from_millis(20);

/// Where to begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum From {
    Start,
    /// So many of those that are there, and then those that come.
    Last(u64),
}

/// Follows the findings of all partitions.
pub(crate) struct Findings {
    readers: Vec<Box<dyn Reader>>,
    formats: Formats,
    /// Of what the first look brings, so many of the latest are given.
    first: Option<u64>,
}

/// Follows the findings on a log.
pub(crate) fn findings(log: &dyn Log, formats: Formats, from: From) -> anyhow::Result<Findings> {
    let mut readers = Vec::new();
    for index in 0..log.partitions(Topic::Findings)? {
        let partition = Topic::Findings.partition(index);
        let from = match from {
            From::Start => 0,
            From::Last(count) => log.end(partition)?.saturating_sub(count),
        };
        readers.push(log.reader(partition, from)?);
    }
    let first = match from {
        From::Last(count) => Some(count),
        From::Start => None,
    };
    Ok(Findings {
        readers,
        formats,
        first,
    })
}

impl Findings {
    /// What has come; after `patience` without anything, nothing. A record that cannot be read is
    /// left out.
    pub(crate) fn next(&mut self, patience: Duration) -> anyhow::Result<Vec<Finding>> {
        let mut findings = Vec::new();
        for reader in &mut self.readers {
            for record in reader.read(Duration::ZERO)? {
                let value = record.value.as_deref();
                findings.extend(value.and_then(|bytes| self.formats.findings.decode(bytes).ok()));
            }
        }
        if findings.is_empty() {
            std::thread::sleep(patience);
        }
        findings.sort_by_key(|finding| finding.at);
        if let Some(count) = self.first.take() {
            let count = usize::try_from(count).unwrap_or(usize::MAX);
            findings.drain(..findings.len().saturating_sub(count));
        }
        Ok(findings)
    }
}
