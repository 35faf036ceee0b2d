//! The baccarat games from their events.

#![allow(
    clippy::unwrap_used,
    reason = "clippy knows tests by their attribute alone"
)]

mod chemin_de_fer;
mod chemin_words;
mod dealing;
mod house_money;
mod payments;
mod unseen;
