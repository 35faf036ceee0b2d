//! What can happen on a floor.
//!
//! An [`Event`] is one thing that happened at one table. It has two forms: a JSON object
//! ([`json`]), for people, vendors and files, and Avro ([`avro`]), for the log. The schemas are in
//! `schemas/`, one file a record; all past versions of them are kept and can still be read. [`audit`]
//! has what the pipeline makes of events, for the log too.

pub mod audit;
pub mod avro;
pub mod body;
mod event;
pub mod json;
mod time;

pub use body::Body;
pub use event::{Event, Json, Person, PostedLimit, Role, Source, SourceKind};
pub use time::{ParseTimestampError, Timestamp};
