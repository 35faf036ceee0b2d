//! The hold'em games against the house and the poker room from their events.

#![allow(
    clippy::unwrap_used,
    reason = "clippy knows tests by their attribute alone"
)]

mod against_house;
mod course;
mod poker;
