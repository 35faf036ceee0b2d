//! What the rules of all games stand on: the things of the [`floor`], and the evaluators of poker
//! [`hands`]. `catwalk_rules` shows both as its own.
//!
//! They are a crate of their own because this is where exact enumeration spends its time: it is
//! optimised in every profile, the tests' included.

#![warn(clippy::float_arithmetic)]

pub mod exact;
pub mod floor;
pub mod hands;
