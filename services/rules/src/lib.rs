//! The rulebook of the floor and the settlement of one round.
//!
//! A pure library: no I/O, no clock, no async. A round document goes in, a settlement comes out:
//!
//! ```
//! let rulebook = catwalk_rules::Rulebook::load()?;
//! let settlement = rulebook.settle(
//!     r#"{"game":"minibaccarat","edition":"mgc-2017",
//!         "wagers":[{"id":"w1","seat":1,"kind":"banker","amount":10000}],
//!         "play":{"player":["5S","AH"],"banker":["3C","4D"]}}"#,
//! )?;
//! assert_eq!(
//!     serde_json::to_string(&settlement)?,
//!     r#"{"game":"minibaccarat","wagers":[{"id":"w1","result":"win","win":10000,"commission":500,"returned":19500}],"violations":[]}"#,
//! );
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Pay tables, options, finding codes and their citations are data beside each game's code
//! ([`book`]), and so is what each jurisdiction asks of equipment ([`equipment`]); what a game does with them
//! is its [`Game`] implementation; [`games`] lists them.

#![warn(clippy::float_arithmetic)]

pub mod book;
mod difference;
mod edition;
pub mod equipment;
mod game;
pub mod games;
mod house;
mod limits;
pub mod round;
mod rulebook;
mod settlement;
#[cfg(test)]
mod testkit;
mod unseen;

pub use catwalk_hands::refusal::{self, Refusal};
pub use catwalk_hands::{exact, floor, hands, hex, json};
pub use difference::{Difference, Said};
pub use edition::Edition;
pub use game::{AnyGame, Game, Loaded};
pub use house::House;
pub use limits::{Limits, PostedLimits};
pub use round::{Round, Shown, Told, Wager};
pub use rulebook::Rulebook;
pub use settlement::{
    Award, BadBeat, BeatRole, Bonus, Outcome, Paid, Pots, Range, Refund, Settled, Settlement,
    TimeCharge, Verdict, Violations,
};
pub use unseen::{Reach, UNSEEN};
