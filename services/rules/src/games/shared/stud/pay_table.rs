//! What a hand pays: a row of a table, which the house may raise where the text only sets a minimum.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::book::Pay;
use crate::floor::{Card, Odds, Rank};
use crate::games::shared::minimum;
use crate::hands::{five, three};
use crate::refusal::Refusal;

/// A pay table by rows `R`.
#[derive(Debug, Deserialize)]
#[serde(transparent, bound = "R: Deserialize<'de> + Ord")]
pub(crate) struct PayTable<R>(BTreeMap<R, Pay>);

/// Odds that a house posts instead of the filed ones.
pub(crate) type PostedOdds<R> = BTreeMap<R, Odds>;

impl<R: Copy + Ord + Serialize> PayTable<R> {
    /// What is filed for the row, if the table has it.
    pub(crate) fn filed(&self, row: R) -> Option<Pay> {
        self.0.get(&row).copied()
    }

    /// The posted odds of the row, else the filed ones, which are due where less is posted.
    pub(crate) fn odds(&self, row: R, posted: &PostedOdds<R>) -> Option<Odds> {
        match self.due(row, posted) {
            Some(Pay::Odds(odds)) => Some(odds),
            _ => None,
        }
    }

    fn due(&self, row: R, posted: &PostedOdds<R>) -> Option<Pay> {
        let filed = self.filed(row)?;
        Some(minimum::row_at_least(posted.get(&row).copied(), filed).due)
    }

    /// Refuses posted odds for a row that this table does not pay.
    pub(crate) fn refuse_unfiled(
        &self,
        posted: &PostedOdds<R>,
        place: &str,
    ) -> Result<(), Refusal> {
        let paid = |row: &R| matches!(self.filed(*row), Some(Pay::Odds(_)));
        match posted.keys().find(|row| !paid(row)) {
            Some(row) => {
                let word = serde_json::to_value(row).unwrap_or_default();
                Err(Refusal::at(
                    place,
                    format!("{word} is not a row that this table pays"),
                ))
            }
            None => Ok(()),
        }
    }

    /// Does a house post less than is filed?
    pub(crate) fn is_undercut_by(&self, posted: &PostedOdds<R>) -> bool {
        minimum::any_below(posted, |row| self.filed(row))
    }
}

/// Rows for five cards. Each table names the pairs that it pays in its own way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum FiveCardRow {
    RoyalFlush,
    StraightFlush,
    FourOfAKind,
    FullHouse,
    Flush,
    Straight,
    ThreeOfAKind,
    TwoPair,
    PairJacksOrBetter,
    PairTensOrBetter,
    PairSixesToTens,
    OnePairOrLess,
}

impl PayTable<FiveCardRow> {
    /// The row of a hand, if the table has one for it.
    pub(crate) fn row(&self, hand: five::Hand) -> Option<FiveCardRow> {
        let rows: &[FiveCardRow] = match hand.category() {
            five::Category::RoyalFlush => &[FiveCardRow::RoyalFlush],
            five::Category::StraightFlush => &[FiveCardRow::StraightFlush],
            five::Category::FourOfAKind => &[FiveCardRow::FourOfAKind],
            five::Category::FullHouse => &[FiveCardRow::FullHouse],
            five::Category::Flush => &[FiveCardRow::Flush],
            five::Category::Straight => &[FiveCardRow::Straight],
            five::Category::ThreeOfAKind => &[FiveCardRow::ThreeOfAKind],
            five::Category::TwoPair => &[FiveCardRow::TwoPair],
            five::Category::Pair => match hand.ranks()[0] {
                rank if rank >= Rank::Jack => &[
                    FiveCardRow::PairJacksOrBetter,
                    FiveCardRow::PairTensOrBetter,
                    FiveCardRow::OnePairOrLess,
                ],
                Rank::Ten => &[
                    FiveCardRow::PairTensOrBetter,
                    FiveCardRow::PairSixesToTens,
                    FiveCardRow::OnePairOrLess,
                ],
                rank if rank >= Rank::Six => {
                    &[FiveCardRow::PairSixesToTens, FiveCardRow::OnePairOrLess]
                }
                _ => &[FiveCardRow::OnePairOrLess],
            },
            five::Category::HighCard => &[FiveCardRow::OnePairOrLess],
        };
        rows.iter().copied().find(|row| self.0.contains_key(row))
    }

    /// What the hand pays at the posted odds.
    pub(crate) fn pay(&self, hand: five::Hand, posted: &PostedOdds<FiveCardRow>) -> Pay {
        let row = self.row(hand);
        row.and_then(|row| self.due(row, posted))
            .unwrap_or(Pay::Lose)
    }

    /// What is filed for the hand.
    pub(crate) fn filed_pay(&self, hand: five::Hand) -> Pay {
        self.row(hand)
            .and_then(|row| self.filed(row))
            .unwrap_or(Pay::Lose)
    }
}

/// Rows for three cards. The mini-royal is a row of its own in some tables only; in the others it is
/// paid as the straight flush that it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum ThreeCardRow {
    MiniRoyal,
    StraightFlush,
    ThreeOfAKind,
    Straight,
    Flush,
    Pair,
}

impl PayTable<ThreeCardRow> {
    /// The odds of three cards; none below a pair.
    pub(crate) fn three_card_odds(
        &self,
        cards: &[Card],
        posted: &PostedOdds<ThreeCardRow>,
    ) -> Option<Odds> {
        let hand = three::rank(cards)?;
        let row = match hand.category() {
            three::Category::StraightFlush if hand.is_mini_royal() => {
                return self.mini_royal_odds(posted);
            }
            three::Category::StraightFlush => ThreeCardRow::StraightFlush,
            three::Category::ThreeOfAKind => ThreeCardRow::ThreeOfAKind,
            three::Category::Straight => ThreeCardRow::Straight,
            three::Category::Flush => ThreeCardRow::Flush,
            three::Category::Pair => ThreeCardRow::Pair,
            three::Category::HighCard => return None,
        };
        self.odds(row, posted)
    }

    /// Where it has no row of its own it is a straight flush, whose filed odds are its minimum.
    fn mini_royal_odds(&self, posted: &PostedOdds<ThreeCardRow>) -> Option<Odds> {
        let own = posted.get(&ThreeCardRow::MiniRoyal).copied();
        match (
            self.filed(ThreeCardRow::MiniRoyal),
            self.filed(ThreeCardRow::StraightFlush),
            own,
        ) {
            (None, Some(Pay::Odds(filed)), Some(own)) => Some(minimum::at_least(own, filed).due),
            (None, ..) => self.odds(ThreeCardRow::StraightFlush, posted),
            (Some(_), ..) => self.odds(ThreeCardRow::MiniRoyal, posted),
        }
    }
}
