//! Blackjack, its kin and red dog from their events.

#![allow(
    clippy::unwrap_used,
    reason = "clippy knows tests by their attribute alone"
)]

mod corners;
mod dealing;
mod kin;
mod meters;
mod payments;
mod red_dog;
mod shoes;
mod splits;
mod unseen;
