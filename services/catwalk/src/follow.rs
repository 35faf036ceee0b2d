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
    /// Records that are no finding that this version reads, and were not told yet.
    unread: Vec<String>,
}

/// Follows the findings on a log.
pub(crate) fn findings(log: &dyn Log, formats: Formats, from: From) -> anyhow::Result<Findings> {
    let (mut readers, mut before, mut unread) = (Vec::new(), Vec::new(), Vec::new());
    for index in 0..log.partitions(Topic::Findings)? {
        let partition = Topic::Findings.partition(index);
        readers.push(match from {
            From::Start => log.reader(partition, 0)?,
            From::Last(count) => {
                let (reader, findings) = last(log, partition, &formats, count, &mut unread)?;
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
        unread,
    })
}

/// The last findings of a partition, and a reader of what comes after them. Not every offset is one: a log keeps
/// marks of commits among them.
fn last(
    log: &dyn Log,
    partition: Partition,
    formats: &Formats,
    count: u64,
    unread: &mut Vec<String>,
) -> anyhow::Result<(Box<dyn Reader>, Vec<Finding>)> {
    let end = log.end(partition)?;
    let mut back = count;
    loop {
        let mut odd = Vec::new();
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
            findings.extend(read(&records, formats, &mut odd));
            keep_last(&mut findings, count);
        }
        if from == 0 || findings.len() as u64 >= count {
            unread.extend(odd);
            return Ok((reader, findings));
        }
        back = back.saturating_mul(4);
    }
}

/// The findings among records; what is none is named, for silence would be taken for a floor without fault.
fn read(records: &[Record], formats: &Formats, unread: &mut Vec<String>) -> Vec<Finding> {
    let mut findings = Vec::with_capacity(records.len());
    for record in records {
        let Some(bytes) = record.value.as_deref() else {
            continue;
        };
        match formats.findings.decode(bytes) {
            Ok(finding) => findings.push(finding),
            Err(error) => unread.push(format!(
                "record {} of {} is no finding that this version reads: {error}",
                record.offset, record.partition
            )),
        }
    }
    findings
}

fn keep_last(findings: &mut Vec<Finding>, count: u64) {
    let count = usize::try_from(count).unwrap_or(usize::MAX);
    findings.drain(..findings.len().saturating_sub(count));
}

impl Findings {
    /// What has come; after `patience` without anything, nothing. Records that cannot be read are in
    /// [`unread`](Findings::unread).
    pub(crate) fn next(&mut self, patience: Duration) -> anyhow::Result<Vec<Finding>> {
        let mut findings = std::mem::take(&mut self.before);
        for reader in &mut self.readers {
            let records = reader.read(Duration::ZERO)?;
            findings.extend(read(&records, &self.formats, &mut self.unread));
        }
        if findings.is_empty() {
            std::thread::sleep(patience);
        }
        findings.sort_by_key(|finding| finding.at);
        Ok(findings)
    }

    /// What could not be read since this was asked last.
    pub(crate) fn unread(&mut self) -> Vec<String> {
        std::mem::take(&mut self.unread)
    }
}
