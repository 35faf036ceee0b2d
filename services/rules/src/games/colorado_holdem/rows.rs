//! The rows of the pay tables, and the hands that make them.

use serde::Deserialize;

use super::Pairs;
use crate::floor::{Card, Odds, Rank};
use crate::hands::five::{Category, Hand};
use crate::hands::three;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Row {
    RoyalFlush,
    StraightFlush,
    FourOfAKind,
    FullHouse,
    Flush,
    Straight,
    InstantThreeCardStraightFlush,
    InstantThreeOfAKind,
    ThreeOfAKind,
    TwoPair,
    HighPair,
}

impl Row {
    /// The row of two pair or better.
    fn of_category(category: Category) -> Option<Row> {
        match category {
            Category::RoyalFlush => Some(Row::RoyalFlush),
            Category::StraightFlush => Some(Row::StraightFlush),
            Category::FourOfAKind => Some(Row::FourOfAKind),
            Category::FullHouse => Some(Row::FullHouse),
            Category::Flush => Some(Row::Flush),
            Category::Straight => Some(Row::Straight),
            Category::ThreeOfAKind => Some(Row::ThreeOfAKind),
            Category::TwoPair => Some(Row::TwoPair),
            Category::Pair | Category::HighCard => None,
        }
    }

    /// The instant winner in three dealt cards. A-K-Q and A-2-3 are straights, K-A-2 is none. s.3
    pub(super) fn instant(cards: &[Card]) -> Option<Row> {
        match three::rank(cards)?.category() {
            three::Category::StraightFlush => Some(Row::InstantThreeCardStraightFlush),
            three::Category::ThreeOfAKind => Some(Row::InstantThreeOfAKind),
            _ => None,
        }
    }

    /// The row of the bonus, whose lowest is the pair `least_pair`; `None` where it loses.
    pub(super) fn of_bonus(hand: Hand, least_pair: u8) -> Option<Row> {
        match pair_of(hand) {
            Some(pair) => (pair >= least_pair).then_some(Row::HighPair),
            None => Row::of_category(hand.category()),
        }
    }
}

/// How a five-card hand stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Standing {
    Wins(Row),
    Pushes,
    Loses,
}

impl Standing {
    /// s.10(e)-(g), 11(e)-(g)
    pub(super) fn of(hand: Hand, pairs: &Pairs) -> Standing {
        match (pair_of(hand), Row::of_category(hand.category())) {
            (Some(pair), _) if pair >= pairs.wins_from => Standing::Wins(Row::HighPair),
            (Some(pair), _) if pair >= pairs.pushes_from => Standing::Pushes,
            (None, Some(row)) => Standing::Wins(row),
            _ => Standing::Loses,
        }
    }
}

/// The rank of the pair as a number, if the hand is a pair and nothing better.
fn pair_of(hand: Hand) -> Option<u8> {
    let [pair, ..]: [Rank; 5] = hand.ranks();
    (hand.category() == Category::Pair).then_some(pair.index() + 2)
}

/// What a row of the bonus gives: odds, or only the stake. `Push` counts less than any odds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(try_from = "String")]
pub(super) enum BonusPay {
    Push,
    Odds(Odds),
}

impl TryFrom<String> for BonusPay {
    type Error = String;

    fn try_from(text: String) -> Result<BonusPay, String> {
        if text == "push" {
            return Ok(BonusPay::Push);
        }
        let odds = text.parse().map(BonusPay::Odds);
        odds.map_err(|error| format!("{error}, or \"push\""))
    }
}
