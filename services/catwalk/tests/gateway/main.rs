//! A running service takes events.

#![allow(
    clippy::unwrap_used,
    reason = "clippy knows tests by their attribute alone"
)]

mod desk;
mod doors;
mod events;
mod house;
