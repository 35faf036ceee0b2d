//! Events in, settlements and findings out.
//!
//! A [`Settler`] folds each table's events into rounds and the table's standing state, settles a round
//! when it closes, compares with what was paid, collected and pushed, and says what does not agree.
//! It takes time and configuration only from events: the same events give the same settlements,
//! findings and ids, to the byte.
//!
//! A [`Runner`] is a settler on the event log: it reads the floor's events, and commits what comes of
//! them exactly once.

mod by_table;
mod fault;
mod finding;
mod formats;
mod games;
mod house;
mod judge;
mod laws;
mod options;
pub mod quarantine;
mod record;
mod registry;
mod round;
mod runner;
mod sequence;
mod settler;
mod snapshot;
mod standing;
mod table;
mod wagers;
mod watch;

pub use finding::Finding;
pub use formats::{Formats, Unreadable};
pub use house::House;
pub use options::Options;
pub use registry::{Registry, RegistryError};
pub use round::{RoundFold, WagerFold};
pub use runner::{
    Committed, Counters, GROUP, MAX_EVENT_BYTES, MAX_NAME_BYTES, MAX_RECORD_BYTES, Meter, Runner,
    RunnerError, RunnerSpec, Totals,
};
pub use settler::{DataError, Output, SettledRound, SettledWager, Settler, Unread};
pub use snapshot::SnapshotError;
pub use table::RulesInForce;
