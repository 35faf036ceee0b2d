//! What blackjack, Spanish 21 and Free Bet Blackjack share: what cards count, how the steps of a box
//! replay, when the dealer draws, what a wager refers to, and the order in which a hand is judged.

mod boxes;
mod dealer;
mod fate;
mod layout;
mod match_the_dealer;
mod points;
mod reach;
mod stakes;
mod steps;
#[cfg(test)]
mod unseen;

use serde::{Deserialize, Serialize};

use crate::book::Pay;
use crate::floor::{Card, Cents};

pub(crate) use boxes::{Act, BoxRecord, Dead, Hand, PlayedBox, Purse, table_play};
pub use dealer::DealerCards;
pub(crate) use dealer::{Dealer, DealerHand, Duties};
pub(crate) use fate::{Fate, Judged, half_back};
pub(crate) use layout::{Layout, pay};
pub(crate) use match_the_dealer::{MatchTables, no_table};
pub(crate) use points::{
    is_ace, is_ace_or_ten_card, is_blackjack, one_color, one_suit, points, total,
};
pub(crate) use reach::{Looks, Sight};
pub(crate) use stakes::{BoxRights, BoxWager, Insurance, Role, SideRules, Stakes};
pub(crate) use steps::first_hand;
pub use steps::{Step, ToldBox};

/// What the table's rules allow, as far as steps and the dealer's draw depend on it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct HouseRules {
    pub(crate) hits_soft_17: bool,
    pub(crate) hole_card: HoleCard,
    pub(crate) surrender: Surrender,
    /// Most hands of a box by splitting.
    pub(crate) max_hands: usize,
    /// May a pair of aces be split on a hand born of a split?
    pub(crate) resplit_aces: bool,
    /// Do split aces get one card each and no more?
    pub(crate) one_card_to_split_aces: bool,
    pub(crate) doubling: Doubling,
    /// Up cards with which the dealer may have blackjack.
    pub(crate) threatens: fn(Card) -> bool,
}

/// What the rules say of giving a hand up for half of its stake.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Surrender {
    /// They know of none: the hand plays on.
    Unknown,
    /// They settle one that was taken, but this table does not offer it.
    Barred,
    Offered,
}

/// Where a hand may be doubled.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Doubling {
    /// On the first two cards only, or on more as well?
    pub(crate) two_cards_only: bool,
    pub(crate) after_split: bool,
    pub(crate) on_blackjack: bool,
    /// On a total of nine, ten or eleven only?
    pub(crate) nine_to_eleven: bool,
}

/// How the dealer's second card is handled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum HoleCard {
    /// Dealt face up after all decisions.
    None,
    /// Dealt face down; nobody looks.
    Down,
    /// Dealt face down and put into the card reader on an ace or ten-card.
    Reader,
    /// Dealt face up with the first cards.
    Exposed,
}

/// What was called off.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum VoidRound {
    /// All hands are dead; wagers that the first cards decide stand.
    Hands,
    All,
}

/// How the cards are shuffled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Shuffler {
    Manual,
    Automated,
    Continuous,
}

/// A row that pays an amount, whatever the stake.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(try_from = "Pay")]
pub(crate) struct Dollars(pub(crate) Cents);

impl TryFrom<Pay> for Dollars {
    type Error = String;

    fn try_from(pay: Pay) -> Result<Dollars, String> {
        match pay {
            Pay::Fixed(amount) => Ok(Dollars(amount)),
            other => Err(format!("{other} is no amount of money")),
        }
    }
}
