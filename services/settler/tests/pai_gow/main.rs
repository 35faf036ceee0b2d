//! Pai gow with tiles and with cards from its events.

#![allow(
    clippy::unwrap_used,
    reason = "clippy knows tests by their attribute alone"
)]

mod bank;
mod feeds;
mod payments;
mod poker;
mod tiles;
mod unseen;
