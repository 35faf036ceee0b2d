//! Events in, settlements and findings out.
//!
//! A [`Settler`] folds each table's events into rounds and the table's standing state, settles a round
//! when it closes, compares with what was paid, collected and pushed, and says what does not agree.
//! It takes time and configuration only from events: the same events give the same settlements,
//! findings and ids, to the byte.
//!
//! A [`Runner`] is a settler on the event log: it reads the floor's events, and commits what comes of
//! them exactly once. What only shows in several tables is found behind it, by [`Uniformity`], and on
//! the log by a [`UniformityStage`]: tables that differ where a house must be alike, and tables and devices
//! that no floor registered, by [`Registry`].

mod by_table;
mod fault;
mod games;
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
mod uniformity;
mod wagers;
mod watch;

pub use catwalk_events::audit::{Finding, SettledWager};
pub use options::Options;
pub use registry::Registry;
pub use round::{RoundFold, WagerFold};
pub use runner::{
    Committed, Counters, GROUP, MAX_EVENT_BYTES, MAX_NAME_BYTES, MAX_RECORD_BYTES, Meter, Runner,
    RunnerError, RunnerSpec, Totals,
};
pub use settler::{DataError, Output, SettledRound, Settler, Unread};
pub use snapshot::SnapshotError;
pub use table::RulesInForce;
pub use uniformity::{Terms, Uniformity, UniformityStage, is_registered};
