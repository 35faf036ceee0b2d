//! A topic of the log as it grows.

use std::time::{Duration, Instant};

use catwalk_events::audit::Finding;
use catwalk_log::{Log, Partition, Reader, Record, Topic};
use catwalk_wire::Formats;

/// How long a follower waits for something new before it looks around.
pub(crate) const PATIENCE: Duration = Duration::from_millis(20);

/// How long a log may keep silent about what it has.
const SILENCE: Duration = Duration::from_secs(30);

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
    /// What was there before, and is given first.
    before: Vec<Finding>,
}

/// Follows the findings on a log.
pub(crate) fn findings(log: &dyn Log, formats: Formats, from: From) -> anyhow::Result<Findings> {
    let (mut readers, mut before) = (Vec::new(), Vec::new());
    for index in 0..log.partitions(Topic::Findings)? {
        let partition = Topic::Findings.partition(index);
        readers.push(match from {
            From::Start => log.reader(partition, 0)?,
            From::Last(count) => {
                let (reader, findings) = last(log, partition, &formats, count)?;
                before.extend(findings);
                reader
            }
        });
    }
    if let From::Last(count) = from {
        before.sort_by_key(|finding| finding.at);
        keep_last(&mut before, count);
    }
    Ok(Findings {
        readers,
        formats,
        before,
    })
}

/// The last findings of a partition, and a reader of what comes after them. Not every offset is one: a log keeps
/// marks of commits among them.
fn last(
    log: &dyn Log,
    partition: Partition,
    formats: &Formats,
    count: u64,
) -> anyhow::Result<(Box<dyn Reader>, Vec<Finding>)> {
    let end = log.end(partition)?;
    let mut back = count;
    loop {
        let from = end.saturating_sub(back);
        let mut reader = log.reader(partition, from)?;
        let (mut findings, mut heard) = (Vec::new(), Instant::now());
        while count > 0 && reader.position() < end && !reader.caught_up() {
            let records = reader.read(PATIENCE)?;
            if !records.is_empty() {
                heard = Instant::now();
            }
            anyhow::ensure!(
                heard.elapsed() < SILENCE,
                "{partition} does not say what was found before"
            );
            findings.extend(read(&records, formats));
            keep_last(&mut findings, count);
        }
        if from == 0 || findings.len() as u64 >= count {
            return Ok((reader, findings));
        }
        back = back.saturating_mul(4);
    }
}

fn read(records: &[Record], formats: &Formats) -> impl Iterator<Item = Finding> {
    let values = records.iter().filter_map(|record| record.value.as_deref());
    values.filter_map(|bytes| formats.findings.decode(bytes).ok())
}

fn keep_last(findings: &mut Vec<Finding>, count: u64) {
    let count = usize::try_from(count).unwrap_or(usize::MAX);
    findings.drain(..findings.len().saturating_sub(count));
}

impl Findings {
    /// What has come; after `patience` without anything, nothing. A record that cannot be read is
    /// left out.
    pub(crate) fn next(&mut self, patience: Duration) -> anyhow::Result<Vec<Finding>> {
        let mut findings = std::mem::take(&mut self.before);
        for reader in &mut self.readers {
            findings.extend(read(&reader.read(Duration::ZERO)?, &self.formats));
        }
        if findings.is_empty() {
            std::thread::sleep(patience);
        }
        findings.sort_by_key(|finding| finding.at);
        Ok(findings)
    }
}
