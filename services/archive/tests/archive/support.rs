//! Archives of a simulated floor, and their rows.

use std::collections::BTreeMap;
use std::fs::File;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use arrow::util::display::{ArrayFormatter, FormatOptions};
use catwalk_archive::{
    Archive, Archiver, CompactSettings, DataFile, SealSettings, Settings, TABLES, Table,
    TableVersion,
};
use catwalk_floor::Config;
use catwalk_log::Log;
use catwalk_wire::Formats;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;

/// A floor with many faults.
pub(crate) fn floor(rounds: u64, seed: u64) -> Config {
    Config {
        seed,
        rounds,
        tables: 12,
        faults_per_mille: 100,
        ..Config::default()
    }
}

/// Settings that make many small commits, and compact often.
pub(crate) fn hasty() -> Settings {
    Settings {
        flush_bytes: 20_000,
        flush_interval: Duration::from_millis(5),
        note_after_records: 50,
        sync: false,
        idle: Duration::from_millis(1),
        compact: CompactSettings {
            files: 4,
            ..CompactSettings::default()
        },
        ..Settings::default()
    }
}

/// Sealed with a key beside the archive.
pub(crate) fn sealed(settings: Settings, folder: &Path) -> Settings {
    Settings {
        seal: Some(SealSettings {
            key: folder.join("key"),
            name: "catwalk.example/ebh".to_owned(),
            folder: None,
            interval: Duration::from_millis(20),
        }),
        ..settings
    }
}

/// Archives all that is on the log, step by step, and flushes.
pub(crate) fn archive_all(log: &dyn Log, archive: &Archive, settings: Settings) -> Archiver {
    let mut archiver = Archiver::open(log, archive, Formats::plain().unwrap(), settings).unwrap();
    catch_up(&mut archiver);
    archiver
}

pub(crate) fn catch_up(archiver: &mut Archiver) {
    archiver.run_until_caught_up().unwrap();
}

/// All rows of all tables, as text, in the order of their tables.
pub(crate) fn rows(archive: &Archive) -> BTreeMap<&'static str, Vec<String>> {
    let rows = rows_found(archive);
    assert_eq!(rows.len(), TABLES.len(), "{:?}", rows.keys());
    rows
}

/// The same of those tables that are there.
pub(crate) fn rows_found(archive: &Archive) -> BTreeMap<&'static str, Vec<String>> {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let tables = runtime.block_on(archive.reader().newest()).unwrap();
    let rows_of = |version: &Arc<TableVersion>| {
        let table = Table::named(&version.table).unwrap();
        let folder = archive.folder().unwrap().join(table.name);
        let files = version.files.iter();
        let mut rows: Vec<String> = files
            .flat_map(|file| file_rows(table, &folder, file))
            .collect();
        rows.sort();
        (table.name, rows)
    };
    tables.found.iter().map(rows_of).collect()
}

/// The rows of a file in the order that it has them.
pub(crate) fn file_rows(table: &Table, folder: &Path, file: &DataFile) -> Vec<String> {
    let day = file.gaming_day.clone().unwrap();
    let opened = File::open(folder.join(&file.path)).unwrap();
    let reader = ParquetRecordBatchReaderBuilder::try_new(opened).unwrap();
    let options = FormatOptions::new().with_null("-");
    let mut rows = Vec::new();
    for batch in reader.build().unwrap() {
        let batch = batch.unwrap();
        let columns = table.columns[1..].iter();
        let columns = columns.map(|column| batch.column_by_name(column.name));
        let cells = columns.map(|column| Some(ArrayFormatter::try_new(column?, &options).unwrap()));
        let cells: Vec<_> = cells.collect();
        rows.extend((0..batch.num_rows()).map(|row| {
            let cell = |cell: &Option<ArrayFormatter<'_>>| match cell {
                Some(cell) => cell.value(row).to_string(),
                None => "-".to_owned(),
            };
            let cells: Vec<String> = cells.iter().map(cell).collect();
            format!("{day} | {}", cells.join(" | "))
        }));
    }
    rows
}
