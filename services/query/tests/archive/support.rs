//! An archive of a simulated floor, and answers as texts.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::Duration;

use arrow::array::RecordBatch;
use arrow::util::display::{ArrayFormatter, FormatOptions};
use catwalk_archive::{Archive, Archiver, CompactSettings, Settings};
use catwalk_floor::{Config, FaultKind};
use catwalk_log::Log;
use catwalk_query::Session;
use catwalk_wire::Formats;

use crate::played::{open, play};

/// A floor that plays the same rounds each time, and has faults of all kinds.
pub(crate) fn floor(rounds: u64, seed: u64) -> Config {
    Config {
        seed,
        rounds,
        tables: 12,
        faults_per_mille: 100,
        ..Config::default()
    }
}

/// Many small commits, and no compaction.
pub(crate) fn hasty() -> Settings {
    Settings {
        flush_bytes: 20_000,
        flush_interval: Duration::from_millis(5),
        note_after_records: 50,
        sync: false,
        idle: Duration::from_millis(1),
        compact: CompactSettings {
            files: usize::MAX,
            ..CompactSettings::default()
        },
        ..Settings::default()
    }
}

pub(crate) fn at(folder: &Path) -> Archive {
    Archive::at(folder.to_str().unwrap()).unwrap()
}

pub(crate) fn archive_all(log: &dyn Log, archive: &Archive, settings: Settings) {
    let formats = Formats::plain().unwrap();
    let mut archiver = Archiver::open(log, archive, formats, settings).unwrap();
    archiver.run_until_caught_up().unwrap();
}

/// The folder of an archive in many files, of which some were compacted.
pub(crate) fn archive() -> &'static Path {
    static ARCHIVE: OnceLock<PathBuf> = OnceLock::new();
    // An archiver blocks, which no test of the runtime may.
    ARCHIVE.get_or_init(|| std::thread::spawn(make).join().unwrap())
}

fn make() -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("asked");
    let _ = std::fs::remove_dir_all(&folder);
    let log = open(&[folder.join("log").to_str().unwrap()]);
    let archive = at(&folder.join("archive"));
    play(&log, floor(150, 5));
    archive_all(&*log, &archive, hasty());
    let runtime = tokio::runtime::Runtime::new().unwrap();
    for table in catwalk_archive::TABLES.into_iter().take(4) {
        runtime.block_on(archive.compact(table, 128 << 20)).unwrap();
    }
    let mispaid = Config {
        fault_kinds: vec![FaultKind::Overpaid, FaultKind::Underpaid],
        ..floor(150, 6)
    };
    play(&log, mispaid);
    archive_all(&*log, &archive, hasty());
    folder.join("archive")
}

/// The rows of an answer, one text each.
pub(crate) async fn ask(session: &Session, sql: &str) -> Vec<String> {
    let answer = session.sql(sql).await;
    let batches = answer.unwrap_or_else(|error| panic!("{sql}: {error}"));
    let batches = batches.collect().await;
    let batches = batches.unwrap_or_else(|error| panic!("{sql}: {error}"));
    batches.iter().flat_map(rows).collect()
}

pub(crate) fn rows(batch: &RecordBatch) -> Vec<String> {
    let options = FormatOptions::new().with_null("-");
    let columns = batch.columns().iter();
    let columns = columns.map(|column| ArrayFormatter::try_new(column, &options).unwrap());
    let columns: Vec<_> = columns.collect();
    let row = |row| {
        let cells = columns.iter().map(|column| column.value(row).to_string());
        cells.collect::<Vec<_>>().join(" | ")
    };
    (0..batch.num_rows()).map(row).collect()
}
