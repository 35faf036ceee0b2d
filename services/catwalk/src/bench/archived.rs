//! What archivers take in: without seals, with them, and two of them together.

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use anyhow::Context;
use catwalk_archive::{Archive, Archiver, Crew, Progress, SealSettings, Settings};
use catwalk_log::{Log, Topic};
use catwalk_wire::Formats;
use serde::Serialize;

use super::per_second;

/// What the archive of the same events takes, in time and on the disk.
#[derive(Debug, Serialize)]
pub(super) struct Archived {
    avro_bytes_per_event: u64,
    /// The table of events, each with its salt and the number of its leaf.
    parquet_bytes_per_event: u64,
    /// Parquet in hundredths of Avro.
    parquet_percent: u64,
    tree_bytes_per_event: u64,
    /// All tables and trees.
    bytes_per_event: u64,
    rows: u64,
    unsealed_events_per_second: u64,
    sealed_events_per_second: u64,
    sealed_leaves_per_second: u64,
    /// Two archivers, on as many threads.
    shared_events_per_second: u64,
}

/// Archives what is on a log three times, into folders of their own.
pub(super) fn measure(
    log: &Arc<dyn Log>,
    folder: &Path,
    events: usize,
    avro: u64,
) -> anyhow::Result<Archived> {
    let at = |name: &str| Archive::at(&folder.join(name).join("archive").display().to_string());
    let alone = |name: &str, settings: Settings| -> anyhow::Result<(u64, Arc<Progress>)> {
        let mut archiver = Archiver::open(&**log, &at(name)?, Formats::plain()?, settings)?;
        let speed = per_second(events, || Ok(archiver.run_until_caught_up()?))?;
        Ok((speed, archiver.progress()))
    };
    let (unsealed, _) = alone("unsealed", Settings::default())?;
    let (sealed, progress) = alone("sealed", with_seals(&folder.join("sealed")))?;
    let shared = per_second(events, || {
        share(log, &at("shared")?, &with_seals(&folder.join("shared")))
    })?;
    let (mut rows, mut tables, mut parquet) = (0, 0, 0);
    for (table, of_table) in progress.tables() {
        rows += of_table.rows();
        tables += of_table.bytes();
        if table.name == "events" {
            parquet = of_table.bytes();
        }
    }
    let trees = size_of(&folder.join("sealed/archive/_proof"))?;
    let count = events.max(1) as u64;
    Ok(Archived {
        avro_bytes_per_event: avro / count,
        parquet_bytes_per_event: parquet / count,
        parquet_percent: parquet * 100 / avro.max(1),
        tree_bytes_per_event: trees / count,
        bytes_per_event: (tables + trees) / count,
        rows,
        unsealed_events_per_second: unsealed,
        sealed_events_per_second: sealed,
        sealed_leaves_per_second: sealed * rows / count,
        shared_events_per_second: shared,
    })
}

fn with_seals(folder: &Path) -> Settings {
    Settings {
        seal: Some(SealSettings {
            key: folder.join("key"),
            name: "bench".to_owned(),
            folder: None,
            interval: Duration::from_secs(5),
        }),
        ..Settings::default()
    }
}

/// Two archivers share what is on the log, until they have read all of it.
fn share(log: &Arc<dyn Log>, archive: &Archive, settings: &Settings) -> anyhow::Result<()> {
    let partitions = log.partitions(Topic::FloorEvents)? as usize;
    let (read, stop) = ([const { AtomicUsize::new(0) }; 2], AtomicBool::new(false));
    let work = |index: usize| -> anyhow::Result<()> {
        let (log, formats, settings) = (log.clone(), Formats::plain()?, settings.clone());
        let name = format!("bench-{index}");
        let mut crew = Crew::join(log, &name, archive, formats, settings, |_| {})?;
        while !stop.load(Ordering::Relaxed) {
            let has_read_all = crew.step()? == 0 && crew.caught_up();
            let held = if has_read_all { crew.held() } else { 0 };
            read[index].store(held, Ordering::Relaxed);
            if held > 0 {
                thread::sleep(Duration::from_millis(1));
            }
            let all: usize = read.iter().map(|held| held.load(Ordering::Relaxed)).sum();
            stop.fetch_or(all == partitions, Ordering::Relaxed);
        }
        Ok(crew.flush()?)
    };
    thread::scope(|scope| {
        let ended = [0, 1].map(|index| scope.spawn(move || work(index)));
        let mut all = Ok(());
        for thread in ended {
            let ended = thread.join().ok().context("an archiver ended by a panic");
            // Whoever waits for the other must not wait for good.
            stop.store(true, Ordering::Relaxed);
            all = all.and(ended.flatten());
        }
        all
    })
}

fn size_of(folder: &Path) -> anyhow::Result<u64> {
    let mut size = 0;
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let found = entry.metadata()?;
        size += match found.is_dir() {
            true => size_of(&entry.path())?,
            false => found.len(),
        };
    }
    Ok(size)
}

impl Archived {
    pub(super) fn told(&self) -> String {
        format!(
            "archive: {} bytes an event in Parquet, {}% of Avro's {}; {} of trees, {} in all\n  \
             {} events a second, {} sealed ({} leaves a second, signed heads included), {} sealed by two archivers",
            self.parquet_bytes_per_event,
            self.parquet_percent,
            self.avro_bytes_per_event,
            self.tree_bytes_per_event,
            self.bytes_per_event,
            self.unsealed_events_per_second,
            self.sealed_events_per_second,
            self.sealed_leaves_per_second,
            self.shared_events_per_second,
        )
    }
}
