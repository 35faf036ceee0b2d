//! What an archiver has done, for whoever watches it.

use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};

use crate::ledger::Written;
use crate::{TABLES, Table};

/// Counters of an archiver. Those that count things done begin at zero when it is opened.
#[derive(Debug)]
pub struct Progress {
    records: AtomicU64,
    log_bytes: AtomicU64,
    unreadable: AtomicU64,
    commits: AtomicU64,
    last_flush_ms: AtomicI64,
    tables: [TableProgress; TABLES.len()],
}

/// Counters of one table.
#[derive(Debug, Default)]
pub struct TableProgress {
    rows: AtomicU64,
    files: AtomicU64,
    bytes: AtomicU64,
}

impl Progress {
    pub(crate) fn new() -> Progress {
        Progress {
            records: AtomicU64::new(0),
            log_bytes: AtomicU64::new(0),
            unreadable: AtomicU64::new(0),
            commits: AtomicU64::new(0),
            last_flush_ms: AtomicI64::new(0),
            tables: Default::default(),
        }
    }

    /// Records taken from the log.
    pub fn records(&self) -> u64 {
        self.records.load(Ordering::Relaxed)
    }

    /// Their size on the log.
    pub fn log_bytes(&self) -> u64 {
        self.log_bytes.load(Ordering::Relaxed)
    }

    /// Records that could not be read. The settler puts them into quarantine; the archive goes on.
    pub fn unreadable(&self) -> u64 {
        self.unreadable.load(Ordering::Relaxed)
    }

    /// Commits to any table.
    pub fn commits(&self) -> u64 {
        self.commits.load(Ordering::Relaxed)
    }

    /// When the last flush ended, in milliseconds since 1970; 0 before the first.
    pub fn last_flush_ms(&self) -> i64 {
        self.last_flush_ms.load(Ordering::Relaxed)
    }

    /// The tables, each with its counters.
    pub fn tables(&self) -> impl Iterator<Item = (&'static Table, &TableProgress)> {
        TABLES.into_iter().zip(&self.tables)
    }

    pub(crate) fn took(&self, bytes: usize) {
        self.records.fetch_add(1, Ordering::Relaxed);
        self.log_bytes.fetch_add(bytes as u64, Ordering::Relaxed);
    }

    pub(crate) fn could_not_read(&self) {
        self.unreadable.fetch_add(1, Ordering::Relaxed);
    }

    pub(crate) fn committed(&self, table: usize, rows: usize, standing: Written) {
        self.commits.fetch_add(1, Ordering::Relaxed);
        if let Some(progress) = self.tables.get(table) {
            progress.rows.fetch_add(rows as u64, Ordering::Relaxed);
            progress.stands(standing);
        }
    }

    pub(crate) fn stands(&self, table: usize, standing: Written) {
        if let Some(progress) = self.tables.get(table) {
            progress.stands(standing);
        }
    }

    pub(crate) fn flushed(&self) {
        let now = jiff::Timestamp::now().as_millisecond();
        self.last_flush_ms.store(now, Ordering::Relaxed);
    }
}

impl TableProgress {
    /// Rows written since the archiver was opened.
    pub fn rows(&self) -> u64 {
        self.rows.load(Ordering::Relaxed)
    }

    /// Parquet files that make the table now.
    pub fn files(&self) -> u64 {
        self.files.load(Ordering::Relaxed)
    }

    /// Their size.
    pub fn bytes(&self) -> u64 {
        self.bytes.load(Ordering::Relaxed)
    }

    fn stands(&self, standing: Written) {
        self.files.store(standing.files, Ordering::Relaxed);
        self.bytes.store(standing.bytes, Ordering::Relaxed);
    }
}
