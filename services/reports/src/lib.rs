//! The reports of revenue auditors: A1 to A13.
//!
//! A [`Report`] is a list of [named queries](catwalk_query::named) and how their answers are laid out. [`draw`] asks
//! them; what it gives is written for a terminal, as CSV, or as a workbook whose totals are formulas. Nothing is worked
//! out here that a query could say: whoever doubts a figure asks the query by its name.
//!
//! What is not final stands on top of every form: days that are still open, boxes that were not counted, rounds that
//! were not judged, events that are missing.

mod catalog;
mod csv;
mod draw;
mod edges;
mod error;
mod formula;
pub mod http;
mod paper;
mod period;
mod text;
mod xlsx;

pub use catalog::{Report, all, find};
pub use draw::{House, draw};
pub use edges::{Appraiser, tell_edges};
pub use error::Error;
pub use paper::{Caveat, Cell, Column, ColumnKind, Paper, Part};
pub use period::{Asked, Period};

/// What a call of this crate gives.
pub type Result<T> = std::result::Result<T, Error>;
