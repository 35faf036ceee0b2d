//! The floor's history as Delta Lake tables.
//!
//! An [`Archive`] is a folder or an object store with the [`TABLES`], one Delta table each, partitioned
//! by [gaming day](GamingDayRule). Whoever reads Delta Lake reads it: DataFusion here, and DuckDB, Polars,
//! Spark or Trino elsewhere.
//!
//! An [`Archiver`] follows the topics of the event log and appends what they bring. The offsets that a
//! commit has consumed travel in it as application transactions, so that after a crash nothing is lost
//! and nothing is there twice. Several share the partitions of the log as a [`Crew`]. A [`Reader`] gives the
//! tables to whoever asks, at versions that belong together.

mod archive;
mod archiver;
mod column;
mod compact;
mod crew;
mod cut;
mod disk;
mod erase;
mod error;
mod gaming_day;
mod item;
mod ledger;
mod looks;
mod merge;
mod patron;
mod pending;
mod progress;
mod reader;
mod rows;
mod seal;
mod share;
mod tables;
mod turns;
mod upgrade;

pub use archive::Archive;
pub use archiver::{Archiver, Settings};
pub use column::{Column, Kind};
pub use compact::{CompactSettings, Compacted};
pub use crew::Crew;
pub use erase::{Erased, Erasure, Held};
pub use error::Error;
pub use gaming_day::{GamingDayRule, GamingDays};
pub use looks::Look;
pub use progress::{Progress, TableProgress};
pub use reader::{DataFile, Reader, TableVersion, Tables};
pub use seal::{
    Checked, DayHeads, Lane, OnRecord, SealError, SealSettings, SealedRow, Standing, Trust,
    Verified, VerifyProgress, Which, Wrong, day_heads, keep_stamp, key_notes, lanes, make_key,
    read_key, rotate, sealed_rows, sha256_hex, trusted_keys, verify,
};
pub use tables::{PARTITION, TABLES, Table};
pub use upgrade::Upgraded;

/// What a call of this crate gives.
pub type Result<T> = std::result::Result<T, Error>;
