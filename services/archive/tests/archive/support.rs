//! Archives of a simulated floor, and their rows.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use catwalk_archive::{Archive, Archiver, CompactSettings, Settings, TABLES, Table};
use catwalk_floor::Config;
use catwalk_log::Log;
use catwalk_wire::Formats;
use datafusion::prelude::SessionContext;

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
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let rows_of = |table: &'static Table| {
        let rows = runtime.block_on(table_rows(archive, table));
        (table.name, rows)
    };
    TABLES.into_iter().map(rows_of).collect()
}

async fn table_rows(archive: &Archive, table: &Table) -> Vec<String> {
    let delta = archive.table(table).await.unwrap().unwrap();
    let context = SessionContext::new();
    delta.update_datafusion_session(&context.state()).unwrap();
    let scan = delta.table_provider().build().await.unwrap();
    context.register_table("t", Arc::new(scan)).unwrap();
    let names: Vec<_> = table
        .columns
        .iter()
        .map(|column| format!("\"{}\"", column.name))
        .collect();
    let sql = format!("SELECT {} FROM t", names.join(", "));
    let batches = context.sql(&sql).await.unwrap().collect().await.unwrap();
    let shown = arrow::util::pretty::pretty_format_batches(&batches)
        .unwrap()
        .to_string();
    let mut rows: Vec<String> = shown.lines().map(str::to_owned).collect();
    rows.sort();
    rows
}
