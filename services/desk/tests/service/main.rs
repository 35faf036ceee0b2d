//! The desk on the event log: people who act at once, processes that are killed, and the floor's findings.

#![allow(
    clippy::unwrap_used,
    reason = "clippy knows tests by their attribute alone"
)]

mod api;
#[path = "../../../../tests/broker.rs"]
mod broker;
mod crash;
mod duties;
mod floor;
mod hostile;
mod journal;
mod model;
mod named;
mod outbox;
mod patterns;
mod receivers;
mod support;
