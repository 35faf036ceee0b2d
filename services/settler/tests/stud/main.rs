//! The stud games and those of an ante and a play from their events.

#![allow(
    clippy::unwrap_used,
    reason = "clippy knows tests by their attribute alone"
)]

mod ante_and_play;
mod ante_and_play_payments;
mod cards;
mod corners;
mod dealing;
mod feeds;
mod limits;
mod limits_in_force;
mod ohio;
mod prizes;
mod samples;
mod short_hands;
mod streets;
mod unseen;
mod withdrawals;
