//! A simulated casino floor, honest or with labelled cheating.
//!
//! [`Floor`] plays rounds at any number of tables from one seed: the same seed gives the same events, to
//! the byte, on every machine. An honest dealer pays what the rules say; a fault is injected at a
//! chosen rate and labelled, so that what an audit finds can be held against what was done.

mod cage;
mod deck;
mod fault;
mod floor;
mod games;
mod meters;
mod scenario;
pub mod score;
mod shoe;
mod table;

pub use fault::{FaultKind, Label};
pub use floor::{Config, Floor, FloorError, Happening};
pub use games::{GAMES, fault_kinds};
pub use scenario::{DEFAULT_STRENGTH_PER_MILLE, Order, ScenarioError};
pub use table::{StakesError, garble};
