//! Hands of three cards, and the pay tables whose rows they are.

use serde::Deserialize;

use crate::floor::{Card, Rank, Suit};
use crate::hands::three::{self, Category, Hand};

/// A row of a pay table, the highest first. The mini royal is ace, king and queen of one suit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Row {
    MiniRoyal,
    StraightFlush,
    ThreeOfAKind,
    Straight,
    Flush,
    Pair,
}

impl Row {
    pub(super) const ALL: [Row; 6] = [
        Row::MiniRoyal,
        Row::StraightFlush,
        Row::ThreeOfAKind,
        Row::Straight,
        Row::Flush,
        Row::Pair,
    ];
}

/// A pay table; a row that it does not have pays nothing by itself.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct HandTable<P> {
    mini_royal_spades: Option<P>,
    mini_royal: Option<P>,
    straight_flush: Option<P>,
    three_of_a_kind: Option<P>,
    straight: Option<P>,
    flush: Option<P>,
    pair: Option<P>,
}

impl<P: Copy> HandTable<P> {
    /// What three cards earn by the most specific row that the table has.
    pub(super) fn pays(&self, cards: &[Card]) -> Option<P> {
        let hand = three::rank(cards)?;
        let in_spades = || cards.iter().all(|card| card.suit() == Some(Suit::Spades));
        let spades = self
            .mini_royal_spades
            .filter(|_| hand.is_mini_royal() && in_spades());
        spades.or_else(|| self.pays_hand(hand))
    }

    /// The same for a hand whose suit does not matter.
    pub(super) fn pays_hand(&self, hand: Hand) -> Option<P> {
        self.row(row_of(hand)?)
    }

    /// A mini royal is paid as a straight flush where it has no row of its own.
    pub(super) fn row(&self, row: Row) -> Option<P> {
        match row {
            Row::MiniRoyal => self.mini_royal.or(self.straight_flush),
            Row::StraightFlush => self.straight_flush,
            Row::ThreeOfAKind => self.three_of_a_kind,
            Row::Straight => self.straight,
            Row::Flush => self.flush,
            Row::Pair => self.pair,
        }
    }
}

/// `None` for a hand below a pair.
pub(super) fn row_of(hand: Hand) -> Option<Row> {
    Some(match hand.category() {
        Category::StraightFlush if hand.is_mini_royal() => Row::MiniRoyal,
        Category::StraightFlush => Row::StraightFlush,
        Category::ThreeOfAKind => Row::ThreeOfAKind,
        Category::Straight => Row::Straight,
        Category::Flush => Row::Flush,
        Category::Pair => Row::Pair,
        Category::HighCard => return None,
    })
}

/// The dealer plays with queen high or better.
pub(super) fn qualifies(dealer: Hand) -> bool {
    dealer.category() > Category::HighCard || dealer.ranks()[0] >= Rank::Queen
}
