//! What the rules of all games stand on: the things of the [`floor`], the evaluators of poker
//! [`hands`], and how a document is read or refused by its place ([`refusal`], [`json`]).
//! `catwalk_rules` shows them as its own.
//!
//! They are a crate of their own because this is where exact enumeration spends its time: it is
//! optimised in every profile, the tests' included. And whoever needs no rules, such as events and
//! their archive, needs only this crate: the edit of a game does not reach them.

#![warn(clippy::float_arithmetic)]

pub mod exact;
pub mod floor;
pub mod hands;
pub mod json;
pub mod refusal;

/// Bytes in hexadecimal, as hashes and ids are written.
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
