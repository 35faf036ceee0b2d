//! The archive on a real log: what a simulated floor sends is there once, whatever happens meanwhile.

#![allow(
    clippy::unwrap_used,
    reason = "clippy knows tests by their attribute alone"
)]

mod attacks;
#[path = "../../../../tests/broker.rs"]
mod broker;
mod crash;
mod crew;
mod edits;
mod erase;
mod lies;
mod others;
#[path = "../../../../tests/played.rs"]
mod played;
mod rows;
mod sealed;
mod support;
mod trees;
mod upgrade;
