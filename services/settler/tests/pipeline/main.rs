//! The settler on the event log: the same events give the same settlements and findings, to the byte,
//! in one go, in pieces, after crashes and on either log.

#![allow(
    clippy::unwrap_used,
    reason = "clippy knows tests by their attribute alone"
)]

#[path = "../../../../tests/broker.rs"]
mod broker;
mod crash;
mod floor;
mod pieces;
mod pit;
mod poison;
mod registry;
#[path = "../../../../tests/registry.rs"]
mod shelf;
mod uniformity;
