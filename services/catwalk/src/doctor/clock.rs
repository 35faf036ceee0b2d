//! The clock, against what has come from the floor.

use std::time::{Duration, Instant};

use catwalk_events::Timestamp;
use catwalk_log::{Log, Partition, Topic};
use catwalk_wire::Formats;

use super::Report;
use super::log::Found;
use crate::config::Config;

/// An event that is this much later than the clock is from the future.
const FUTURE_SECONDS: i64 = 5;
/// An event that is older says nothing of the clock: perhaps none has come since.
const FRESH_SECONDS: i64 = 600;
/// How long a partition may take to give its last records.
const PATIENCE: Duration = Duration::from_secs(5);
/// Not every offset is a record: marks of commits lie between.
const LAST_OFFSETS: u64 = 64;

pub(super) fn examine(report: &mut Report, config: &Config, log: &Found) {
    const CHECK: &str = "clock";
    let by_itself = "see with `timedatectl` that it is synchronized";
    let Found::Open(log) = log else {
        report.not_looked_at(
            CHECK,
            "there is no log to hold it against that could be read",
            by_itself,
        );
        return;
    };
    if !config.schema_registry.url.is_empty() {
        // To read events by a registry registers schemas there.
        report.not_looked_at(
            CHECK,
            "events are read by a schema registry, which is left as it is",
            by_itself,
        );
        return;
    }
    let newest = match newest(&**log) {
        Ok(newest) => newest,
        Err(error) => {
            report.not_looked_at(
                CHECK,
                &format!("the last events cannot be read: {error:#}"),
                by_itself,
            );
            return;
        }
    };
    let Some(newest) = newest else {
        report.not_looked_at(
            CHECK,
            "no event is on the log to hold it against",
            by_itself,
        );
        return;
    };
    let now = jiff::Timestamp::now().as_second();
    let age = now - newest.micros().div_euclid(1_000_000);
    if age < -FUTURE_SECONDS {
        report.wrong(
            CHECK,
            format!(
                "the newest event is of {newest}, {} in the future",
                span(-age)
            ),
            "this machine's clock is behind, or a device's is ahead: synchronize both",
        );
    } else if age > FRESH_SECONDS {
        report.warn(
            CHECK,
            format!(
                "the newest event is {} old: the clock cannot be told from it",
                span(age)
            ),
            "see whether the floor is open and its devices send; see `timedatectl`",
        );
    } else {
        report.ok(
            CHECK,
            format!("the newest event is {} old", span(age.max(0))),
        );
    }
}

fn span(seconds: i64) -> String {
    match seconds {
        0..120 => format!("{seconds} seconds"),
        120..7_200 => format!("{} minutes", seconds / 60),
        7_200..172_800 => format!("{} hours", seconds / 3_600),
        _ => format!("{} days", seconds / 86_400),
    }
}

/// When the newest of the last events of each partition happened. What cannot be read as an event is left out.
fn newest(log: &dyn Log) -> anyhow::Result<Option<Timestamp>> {
    let formats = Formats::plain()?;
    let mut newest = None;
    for index in 0..log.partitions(Topic::FloorEvents)? {
        let last = last(log, &formats, Topic::FloorEvents.partition(index))?;
        newest = newest.max(last);
    }
    Ok(newest)
}

fn last(
    log: &dyn Log,
    formats: &Formats,
    partition: Partition,
) -> anyhow::Result<Option<Timestamp>> {
    let end = log.end(partition)?;
    if end == 0 {
        return Ok(None);
    }
    let mut reader = log.reader(partition, end.saturating_sub(LAST_OFFSETS))?;
    let (mut newest, begun) = (None, Instant::now());
    while !reader.caught_up() && reader.position() < end {
        anyhow::ensure!(
            begun.elapsed() < PATIENCE,
            "{partition} does not give its last records"
        );
        for record in reader.read(Duration::from_millis(200))? {
            let event = record
                .value
                .and_then(|bytes| formats.read_event(&bytes).ok());
            newest = newest.max(event.map(|event| event.at));
        }
    }
    Ok(newest)
}
