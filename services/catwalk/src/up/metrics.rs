//! What Prometheus is told.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::{Arc, Mutex};

use catwalk_archive::Progress;
use catwalk_log::{Error, Log, Partition, Topic};
use catwalk_settler::{Committed, Meter};
use jiff::Timestamp;
use prometheus::{
    Encoder, Histogram, HistogramOpts, IntCounter, IntCounterVec, IntGauge, IntGaugeVec, Opts,
    Registry, TextEncoder,
};

use super::left_out::LeftOut;
use super::lock;
use super::log_watch::State;

/// From a millisecond to a minute: an alarm is due within a blink.
const DELAY_BUCKETS: [f64; 14] = [
    0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 5.0, 10.0, 30.0, 60.0,
];

/// All metrics of this process.
pub(crate) struct Metrics {
    registry: Registry,
    events: IntCounter,
    rounds: IntCounter,
    findings: IntCounterVec,
    quarantined: IntCounter,
    snapshots: IntCounter,
    delay: Histogram,
    lag: IntGaugeVec,
    /// By partition of `floor.events`, the offset to come next.
    positions: Mutex<BTreeMap<u32, u64>>,
    uniformity_lag: IntGaugeVec,
    /// The same of `audit.settlements`.
    compared: Mutex<BTreeMap<u32, u64>>,
    archived: IntGaugeVec,
    archive_bytes: IntGaugeVec,
    archive_files: IntGaugeVec,
    last_flush: IntGauge,
    log_up: IntGauge,
    pub(super) left_out: LeftOut,
    log: Mutex<Option<State>>,
    page: Mutex<()>,
    archive: Mutex<Option<Arc<Progress>>>,
}

impl Metrics {
    pub(crate) fn new() -> Result<Metrics, prometheus::Error> {
        let registry = Registry::new();
        let counter = |name: &str, help: &str| {
            let counter = IntCounter::new(name, help)?;
            registry.register(Box::new(counter.clone()))?;
            Ok::<_, prometheus::Error>(counter)
        };
        let gauges = |name: &str, help: &str, label: &str| {
            let gauges = IntGaugeVec::new(Opts::new(name, help), &[label])?;
            registry.register(Box::new(gauges.clone()))?;
            Ok::<_, prometheus::Error>(gauges)
        };
        let by_code = Opts::new("catwalk_findings_total", "Findings by code.");
        let findings = IntCounterVec::new(by_code, &["code"])?;
        registry.register(Box::new(findings.clone()))?;
        let delay = Histogram::with_opts(
            HistogramOpts::new(
                "catwalk_event_to_finding_seconds",
                "From the writing of the deciding event to the commit of its finding.",
            )
            .buckets(DELAY_BUCKETS.to_vec()),
        )?;
        registry.register(Box::new(delay.clone()))?;
        let last_flush = IntGauge::new(
            "catwalk_archive_last_flush_timestamp_seconds",
            "When rows were last written to the archive.",
        )?;
        registry.register(Box::new(last_flush.clone()))?;
        let log_up = IntGauge::new(
            "catwalk_log_up",
            "1: the log answers and its topics are as they were; 0: not, and /readyz says what is wrong.",
        )?;
        log_up.set(1);
        registry.register(Box::new(log_up.clone()))?;
        Ok(Metrics {
            events: counter("catwalk_events_total", "Events read from the floor.")?,
            rounds: counter("catwalk_rounds_settled_total", "Rounds settled.")?,
            quarantined: counter("catwalk_quarantined_total", "Events put into quarantine.")?,
            snapshots: counter("catwalk_snapshots_total", "Tables written down.")?,
            lag: gauges(
                "catwalk_partition_lag",
                "Events of a partition that are not settled yet.",
                "partition",
            )?,
            uniformity_lag: gauges(
                "catwalk_uniformity_lag",
                "Rounds of a partition that are not held against those of other tables yet; on Kafka the \
                 end of a transaction counts as one.",
                "partition",
            )?,
            archived: gauges(
                "catwalk_archive_rows_written",
                "Rows written since the start.",
                "table",
            )?,
            archive_bytes: gauges("catwalk_archive_bytes", "Size of a table's files.", "table")?,
            archive_files: gauges("catwalk_archive_files", "Files of a table.", "table")?,
            findings,
            delay,
            last_flush,
            log_up,
            left_out: LeftOut::new(&registry)?,
            log: Mutex::default(),
            page: Mutex::default(),
            positions: Mutex::default(),
            compared: Mutex::default(),
            archive: Mutex::default(),
            registry,
        })
    }

    /// The archiver whose progress is told from now on.
    pub(crate) fn follow(&self, archive: Arc<Progress>) {
        self.tell_left_out();
        *lock(&self.archive) = Some(archive);
    }

    pub(crate) fn archive(&self) -> Option<Arc<Progress>> {
        lock(&self.archive).clone()
    }

    pub(super) fn log_is(&self, state: &State) {
        self.log_up.set(i64::from(*state == State::AsItWas));
        *lock(&self.log) = Some(state.clone());
    }

    /// Partitions with the offset to come next, as far as it is known.
    pub(super) fn read_up_to(&self) -> Vec<(Topic, u32, u64)> {
        let of = |topic: Topic, positions: &Mutex<BTreeMap<u32, u64>>| {
            let positions = lock(positions).clone();
            let positions = positions.into_iter();
            positions.map(move |(index, next)| (topic, index, next))
        };
        let events = of(Topic::FloorEvents, &self.positions);
        events
            .chain(of(Topic::Settlements, &self.compared))
            .collect()
    }

    /// How far each partition is behind. What the log does not tell is left out: an old lag is none.
    fn lags(&self, log: &dyn Log) -> Vec<(Topic, u32, i64)> {
        let state = lock(&self.log).clone();
        let added = match state {
            Some(State::Silent(_)) => return Vec::new(),
            Some(State::Changed { added, .. }) => added,
            Some(State::AsItWas) | None => 0..0,
        };
        // Nobody reads what was added.
        let added = added.map(|index| (Topic::FloorEvents, index, 0));
        let mut lags = Vec::new();
        for (topic, index, next) in self.read_up_to().into_iter().chain(added) {
            match log.end(topic.partition(index)) {
                Ok(end) => {
                    let behind = i64::try_from(end.saturating_sub(next));
                    lags.push((topic, index, behind.unwrap_or(i64::MAX)));
                }
                Err(Error::NoTopic { .. } | Error::NoPartition { .. }) => {}
                // Each more would wait as long.
                Err(_) => break,
            }
        }
        lags
    }

    fn show_lags(&self, lags: &[(Topic, u32, i64)]) {
        self.lag.reset();
        self.uniformity_lag.reset();
        for (topic, index, behind) in lags {
            let gauges = match topic {
                Topic::FloorEvents => &self.lag,
                _ => &self.uniformity_lag,
            };
            let index = index.to_string();
            gauges.with_label_values(&[&index]).set(*behind);
        }
    }

    pub(crate) fn rounds(&self) -> u64 {
        self.rounds.get()
    }

    pub(crate) fn events(&self) -> u64 {
        self.events.get()
    }

    /// The page that Prometheus reads.
    pub(crate) fn page(&self, log: &dyn Log) -> anyhow::Result<String> {
        let lags = self.lags(log);
        let _one_page_at_a_time = lock(&self.page);
        self.show_lags(&lags);
        if let Some(archive) = self.archive() {
            for (table, progress) in archive.tables() {
                let set = |gauges: &IntGaugeVec, value: u64| {
                    let value = i64::try_from(value).unwrap_or(i64::MAX);
                    gauges.with_label_values(&[table.name]).set(value);
                };
                set(&self.archived, progress.rows());
                set(&self.archive_bytes, progress.bytes());
                set(&self.archive_files, progress.files());
            }
            self.last_flush.set(archive.last_flush_ms() / 1000);
        }
        let mut page = Vec::new();
        TextEncoder::new().encode(&self.registry.gather(), &mut page)?;
        Ok(String::from_utf8(page)?)
    }
}

impl Meter for Metrics {
    fn removed(&self, partition: Partition, records: Range<u64>) {
        self.left_out.removed(partition, &records);
    }

    fn committed(&self, committed: &Committed) {
        self.events.inc_by(committed.events);
        self.rounds.inc_by(committed.rounds);
        self.quarantined.inc_by(committed.quarantined);
        self.snapshots.inc_by(committed.snapshots);
        for (code, count) in &committed.findings {
            self.findings.with_label_values(&[code]).inc_by(*count);
        }
        for delay in committed.delays(Timestamp::now().as_millisecond()) {
            self.delay.observe(delay.as_secs_f64());
        }
        lock(&self.positions).extend(committed.positions.iter().copied());
        lock(&self.compared).extend(committed.compared.iter().copied());
    }
}
