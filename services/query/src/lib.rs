//! SQL over the archive.
//!
//! A [`Session`] has the tables of an [`Archive`](catwalk_archive::Archive) and answers SQL with
//! DataFusion, and the [named queries](named) of `queries/`, whose parameters are bound by type. An
//! [`Answer`] is written in the [forms](Format) that people use.

mod answer;
mod bounds;
mod catalogue;
mod chances;
mod edges;
mod error;
pub mod http;
mod most;
pub mod named;
mod own;
mod postgres;
mod rates;
mod record;
mod room;
mod scan;
mod session;
mod watch;
mod xlsx;

pub use answer::{Answer, Format, Money, Sheet, SheetColumn};
pub use bounds::Bounds;
pub use catalogue::Catalogue;
pub use edges::{Edge, Worth};
pub use error::Error;
pub use most::Most;
pub use named::{DefaultValue, HeaderError, NamedQuery, Parameter, ParameterKind};
pub use postgres::{RunningSql, SqlServer};
pub use record::{Asked, Ledger, Question};
pub use room::ReadingRoom;
pub use scan::ToldScan;
pub use session::Session;

pub use datafusion::common::ScalarValue;

/// What a call of this crate gives.
pub type Result<T> = std::result::Result<T, Error>;
