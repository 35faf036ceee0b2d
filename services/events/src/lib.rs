//! What can happen on a floor.
//!
//! An [`Event`] is one thing that happened at one table; [`audit`] has what the pipeline makes of
//! events. [`json`] is their form for people, vendors and files. How they travel on the log is
//! `catwalk_wire`; the schemas are in `schemas/`, one file a record.

pub mod audit;
pub mod body;
mod event;
pub mod json;
mod time;

pub use body::Body;
pub use event::{Event, Json, Person, PostedLimit, Role, Source, SourceKind};
pub use time::{ParseTimestampError, Timestamp};
