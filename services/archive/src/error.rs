//! What can go wrong with the archive.

use std::path::PathBuf;

use catwalk_log::{Partition, Topic};
use catwalk_wire::{AvroError, Unreadable};
use deltalake::DeltaTableError;

/// What can go wrong with the archive.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    #[error(
        "{0}: rows are erased in folders of this machine only: an object store keeps versions that cannot be reached \
         from here"
    )]
    NoErasure(String),

    #[error("{location:?} is neither a folder nor a URL: {reason}")]
    Location { location: String, reason: String },

    #[error("no time zone is called {name:?}: write it as the IANA does, such as America/New_York")]
    TimeZone { name: String },

    #[error("a gaming day begins at an hour from 0 to 23, not at {hour}")]
    GamingDayHour { hour: i8 },

    #[error(
        "table {table} of the archive has other columns than this version writes ({columns}): \
         archive into another folder"
    )]
    Columns {
        table: &'static str,
        columns: String,
    },

    /// Whoever wrote it uses a part of Delta Lake that this reader does not have; to pass over it would show rows
    /// that are not there, or not show some that are.
    #[error(
        "table {table} of the archive uses {feature}, which this version does not read: nothing was answered"
    )]
    NotRead {
        table: &'static str,
        feature: &'static str,
    },

    /// What says which versions of the tables belong together is not as it should be.
    #[error("{location}: {wrong}")]
    Cut { location: String, wrong: String },

    /// A commit is there in name only, as a failing power supply leaves one.
    #[error(
        "{} is empty, and the rows that it had are not in the table: an archiver that starts reads them from the \
         log again (`catwalk up`)",
        path.display()
    )]
    EmptyCommit { path: PathBuf },

    /// Somebody else has committed offsets of the same topics meanwhile.
    #[error("another archiver writes table {table} too: stop one of them")]
    AnotherArchiver { table: &'static str },

    /// The log has given a partition to somebody else, who does not write this archive.
    #[error(
        "nobody brings partition {0} of the log into this archive: an archiver of the same group writes another one; \
         they must all see the same folder (`_turns`)"
    )]
    Unshared(u32),

    /// The log has lost records, or it is another one.
    #[error(
        "table {table} of the archive has {partition} up to record {archived}, and the log ends at {end}: \
         it has lost records, or it is not the log of this archive"
    )]
    AheadOfLog {
        table: &'static str,
        partition: Partition,
        archived: u64,
        end: u64,
    },

    /// A rewrite would have changed the table; nothing of it was committed.
    #[error("compaction of {table} read {read} rows and wrote {written}: nothing was changed")]
    RowsDiffer {
        table: &'static str,
        read: u64,
        written: u64,
    },

    #[error("{}: {error}", path.display())]
    Disk {
        path: PathBuf,
        error: std::io::Error,
    },

    #[error("cannot begin: {0}")]
    Runtime(std::io::Error),

    #[error(transparent)]
    Seal(#[from] crate::SealError),

    #[error(transparent)]
    Row(#[from] serde_arrow::Error),

    #[error(transparent)]
    Json(#[from] serde_json::Error),

    #[error(
        "a record of {topic} was written with a schema that this version does not know ({error}): \
         archive with the version that wrote it"
    )]
    NewerRecord { topic: Topic, error: AvroError },

    #[error(transparent)]
    Unreadable(#[from] Unreadable),

    #[error(transparent)]
    Log(#[from] catwalk_log::Error),

    #[error(transparent)]
    Delta(#[from] DeltaTableError),

    #[error(transparent)]
    Arrow(#[from] arrow::error::ArrowError),

    #[error(transparent)]
    Parquet(#[from] parquet::errors::ParquetError),
}
