//! Events in, settlements and findings out.
//!
//! A [`Settler`] folds each table's events into rounds and the table's standing state, settles a round
//! when it closes, compares with what was paid, collected and pushed, and says what does not agree.
//! It takes time and configuration only from events: the same events give the same settlements,
//! findings and ids, to the byte.

mod fault;
mod finding;
mod games;
mod judge;
mod round;
mod sequence;
mod settler;
mod standing;
mod table;
mod wagers;
mod watch;

pub use finding::Finding;
pub use round::{RoundFold, WagerFold};
pub use settler::{DataError, Output, SettledRound, SettledWager, Settler, Unread};
