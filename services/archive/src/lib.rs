//! The floor's history as Delta Lake tables.
//!
//! An [`Archive`] is a folder or an object store with the [`TABLES`], one Delta table each, partitioned
//! by [gaming day](GamingDayRule). Whoever reads Delta Lake reads it: DataFusion here, and DuckDB, Polars,
//! Spark or Trino elsewhere.
//!
//! An [`Archiver`] follows the topics of the event log and appends what they bring. The offsets that a
//! commit has consumed travel in it as application transactions, so that after a crash nothing is lost
//! and nothing is there twice.

mod archive;
mod archiver;
mod column;
mod compact;
mod disk;
mod error;
mod gaming_day;
mod item;
mod ledger;
mod progress;
mod rows;
mod tables;

pub use archive::Archive;
pub use archiver::{Archiver, Settings};
pub use column::{Column, Kind};
pub use compact::{CompactSettings, Compacted};
pub use error::Error;
pub use gaming_day::{GamingDayRule, GamingDays};
pub use progress::{Progress, TableProgress};
pub use tables::{PARTITION, TABLES, Table};

/// What a call of this crate gives.
pub type Result<T> = std::result::Result<T, Error>;
