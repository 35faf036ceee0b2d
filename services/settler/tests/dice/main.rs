//! Craps, sic bo and the wheels from their events.

#![allow(
    clippy::unwrap_used,
    reason = "clippy knows tests by their attribute alone"
)]

mod craps;
mod sic_bo_and_wheels;
mod worked_examples;
