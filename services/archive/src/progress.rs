//! What an archiver has done, for whoever watches it.

use std::ops::Range;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use catwalk_log::{Partition, Record, Topic};

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
    /// What was left out and not told yet.
    untold: Mutex<LeftOut>,
}

/// Records that are in no table and nowhere else.
#[derive(Debug, Default)]
pub struct LeftOut {
    pub records: u64,
    /// Where they are missing, a sentence each.
    pub places: Vec<String>,
}

/// So many places of what was left out wait to be told; of more there is the number.
const MOST_UNTOLD: usize = 20;

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
            untold: Mutex::default(),
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

    /// What was left out since this was asked last: it was removed from the log before it was read, or one of our own
    /// services should have written it and it is no record of its topic.
    pub fn untold(&self) -> LeftOut {
        std::mem::take(&mut *self.lock())
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

    pub(crate) fn could_not_read(&self, record: &Record) {
        self.unreadable.fetch_add(1, Ordering::Relaxed);
        let Partition { topic, .. } = record.partition;
        // The settler puts the floor's aside.
        if topic != Topic::FloorEvents {
            let place = format!("record {} of {}", record.offset, record.partition);
            self.leave_out(
                1,
                format!("{place} is no record of {topic}: it is in no table"),
            );
        }
    }

    /// Records were removed from the log; of an archive that begins it is no loss, but it has to be known.
    pub(crate) fn removed(&self, partition: Partition, records: &Range<u64>) {
        let (from, to) = (records.start, records.end - 1);
        let count = if from > 0 { records.end - from } else { 0 };
        self.leave_out(
            count,
            format!("records {from} to {to} of {partition} were removed from the log before they were archived"),
        );
    }

    fn leave_out(&self, count: u64, place: String) {
        let mut untold = self.lock();
        untold.records += count;
        if untold.places.len() < MOST_UNTOLD {
            untold.places.push(place);
        }
    }

    fn lock(&self) -> MutexGuard<'_, LeftOut> {
        // It is whole after each change, whoever panics.
        self.untold.lock().unwrap_or_else(PoisonError::into_inner)
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
