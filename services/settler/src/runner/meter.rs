//! What a runner tells about its work.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use catwalk_log::{Log, Partition, Topic};

/// Hears of each commit, after it is on the log: what was never committed is never counted.
pub trait Meter: Send + Sync {
    fn committed(&self, committed: &Committed);

    /// Records of a partition were removed from the log before they could be read.
    fn removed(&self, partition: Partition, records: Range<u64>) {
        let _ = (partition, records);
    }
}

/// What one commit brought.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Committed {
    /// Records taken from `floor.events`.
    pub events: u64,
    pub rounds: u64,
    /// Findings by code.
    pub findings: BTreeMap<String, u64>,
    pub quarantined: u64,
    /// Snapshots of tables.
    pub snapshots: u64,
    pub bytes_out: u64,
    /// Partitions of `floor.events` with the offset to come next.
    pub positions: Vec<(u32, u64)>,
    /// Partitions of `audit.settlements` with the offset to come next: up to there the tables of a house
    /// are held against each other.
    pub compared: Vec<(u32, u64)>,
    /// For each finding: from the writing of the event that decided it, in milliseconds since 1970, as
    /// the log has it. With the clock of this machine it gives the time from event to finding.
    pub decided_ms: Vec<i64>,
}

impl Committed {
    /// Adds what came of other events of the same commit. Bytes and positions are of the whole.
    pub(super) fn append(&mut self, mut other: Committed) {
        self.events += other.events;
        self.rounds += other.rounds;
        self.quarantined += other.quarantined;
        self.snapshots += other.snapshots;
        for (code, count) in other.findings {
            *self.findings.entry(code).or_default() += count;
        }
        self.decided_ms.append(&mut other.decided_ms);
    }

    /// Time from event to finding, for each finding, at a moment in milliseconds since 1970.
    pub fn delays(&self, now_ms: i64) -> impl Iterator<Item = Duration> + '_ {
        self.decided_ms.iter().map(move |decided| {
            Duration::from_millis(u64::try_from(now_ms.saturating_sub(*decided)).unwrap_or(0))
        })
    }
}

/// A meter that adds up.
#[derive(Debug, Default)]
pub struct Counters(Mutex<Totals>);

/// What was counted so far.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    pub commits: u64,
    pub events: u64,
    pub rounds: u64,
    pub findings: BTreeMap<String, u64>,
    pub quarantined: u64,
    pub snapshots: u64,
    pub bytes_out: u64,
    /// By partition, the offset to come next.
    pub positions: BTreeMap<u32, u64>,
}

impl Counters {
    pub fn totals(&self) -> Totals {
        self.lock().clone()
    }

    /// How many records each partition, of those that were heard of, is behind its end.
    pub fn lag(&self, log: &dyn Log) -> catwalk_log::Result<BTreeMap<u32, u64>> {
        let positions = self.totals().positions;
        let behind = positions.into_iter().map(|(index, next)| {
            let end = log.end(Topic::FloorEvents.partition(index))?;
            Ok((index, end.saturating_sub(next)))
        });
        behind.collect()
    }

    fn lock(&self) -> MutexGuard<'_, Totals> {
        // Sums are whole after each addition, whoever panics.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Meter for Counters {
    fn committed(&self, committed: &Committed) {
        let mut totals = self.lock();
        totals.commits += 1;
        totals.events += committed.events;
        totals.rounds += committed.rounds;
        totals.quarantined += committed.quarantined;
        totals.snapshots += committed.snapshots;
        totals.bytes_out += committed.bytes_out;
        totals.positions.extend(committed.positions.iter().copied());
        for (code, count) in &committed.findings {
            *totals.findings.entry(code.clone()).or_default() += count;
        }
    }
}
