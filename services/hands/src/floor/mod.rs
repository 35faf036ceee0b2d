//! The things of the floor: money, odds, cards, dice, tiles, wheels, seats, wagers and verdicts.

mod cards;
mod dice;
mod money;
mod odds;
mod seats;
mod tiles;
mod verdict;
mod wheel;

pub use cards::{Card, CardCounts, CardSet, ParseCardError, Rank, Suit};
pub use dice::{Die, NotADie};
pub use money::{Cents, MoneyError, Rounding};
pub use odds::{Odds, ParseOddsError};
pub use seats::{Seat, WagerId};
pub use tiles::{ParseTileError, Tile, TileCounts};
pub use verdict::{Severity, Verdict};
pub use wheel::{ParsePocketError, Pocket, PocketSet};
