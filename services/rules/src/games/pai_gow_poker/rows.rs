//! The rows of the Massachusetts side wagers and the cards that make them.

use serde::Deserialize;

use crate::floor::{Card, Rank};
use crate::games::shared::pai_gow_poker::{Rows, Seven};
use crate::hands::joker::Category;

/// Insurance: the highest card of a pai gow.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum InsuranceRow {
    Nine,
    Ten,
    Jack,
    Queen,
    King,
    Ace,
}

impl Rows for InsuranceRow {
    const ALL: &'static [InsuranceRow] = &[
        InsuranceRow::Nine,
        InsuranceRow::Ten,
        InsuranceRow::Jack,
        InsuranceRow::Queen,
        InsuranceRow::King,
        InsuranceRow::Ace,
    ];
}

impl InsuranceRow {
    /// Seven cards without pair, straight or flush. The joker is a plain ace here: 3(h).
    pub(super) fn of(cards: &[Card; 7]) -> Option<InsuranceRow> {
        let ranks = cards
            .iter()
            .map(|card| card.rank().unwrap_or(Rank::Ace))
            .fold(0, |ranks, rank| ranks | ladder(rank));
        let highest = *Rank::ALL.iter().rfind(|&&rank| ranks & ladder(rank) != 0)?;
        let different = (ranks & !LOW_ACE).count_ones() == 7;
        let straight = (0..=9).any(|lowest| ranks >> lowest & 0b1_1111 == 0b1_1111);
        let flush = cards.iter().any(|card| {
            let suited = |other: &&Card| !card.is_joker() && other.suit() == card.suit();
            cards.iter().filter(suited).count() >= 5
        });
        if !different || straight || flush {
            return None;
        }
        match highest {
            Rank::Nine => Some(InsuranceRow::Nine),
            Rank::Ten => Some(InsuranceRow::Ten),
            Rank::Jack => Some(InsuranceRow::Jack),
            Rank::Queen => Some(InsuranceRow::Queen),
            Rank::King => Some(InsuranceRow::King),
            Rank::Ace => Some(InsuranceRow::Ace),
            // Seven ranks up to an eight are a straight.
            _ => None,
        }
    }
}

const LOW_ACE: u16 = 1;

/// A rank as a bit from the low ace up; an ace is both ends.
fn ladder(rank: Rank) -> u16 {
    match rank {
        Rank::Ace => LOW_ACE | 1 << 13,
        rank => 2 << rank.index(),
    }
}

/// The three-card bonus.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum ThreeCardRow {
    StraightFlushNatural,
    ThreeOfAKind,
    StraightFlushJoker,
    Straight,
    Flush,
    Pair,
}

impl Rows for ThreeCardRow {
    const ALL: &'static [ThreeCardRow] = &[
        ThreeCardRow::StraightFlushNatural,
        ThreeCardRow::ThreeOfAKind,
        ThreeCardRow::StraightFlushJoker,
        ThreeCardRow::Straight,
        ThreeCardRow::Flush,
        ThreeCardRow::Pair,
    ];
}

impl ThreeCardRow {
    /// The joker completes a straight or flush, or is an ace.
    pub(super) fn is_made_by(self, cards: [Card; 3]) -> bool {
        let joker = cards.contains(&Card::JOKER);
        let naturals = || cards.iter().filter(|card| !card.is_joker());
        let ranks = naturals().filter_map(|card| card.rank());
        let ranks = ranks.fold(0, |ranks, rank| ranks | ladder(rank));
        let needed = naturals().count() as u32;
        let straight = (0..=11).any(|lowest| (ranks >> lowest & 0b111u16).count_ones() == needed);
        let suit = naturals().find_map(|card| card.suit());
        let flush = naturals().all(|card| card.suit() == suit);
        let one_rank = (ranks & !LOW_ACE).count_ones() == 1;
        let has_ace = ranks & LOW_ACE != 0;
        match self {
            ThreeCardRow::StraightFlushNatural => straight && flush && !joker,
            ThreeCardRow::StraightFlushJoker => straight && flush && joker,
            ThreeCardRow::Straight => straight,
            ThreeCardRow::Flush => flush,
            ThreeCardRow::ThreeOfAKind => one_rank && (!joker || has_ace),
            ThreeCardRow::Pair => (ranks & !LOW_ACE).count_ones() < needed || joker && has_ace,
        }
    }
}

/// The seven-card bonus. Table A pays both straight flushes alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum SevenCardRow {
    FiveAces,
    RoyalFlush,
    StraightFlushNatural,
    StraightFlushJoker,
    FourOfAKind,
    FullHouse,
    Flush,
    ThreeOfAKind,
    Straight,
}

impl Rows for SevenCardRow {
    const ALL: &'static [SevenCardRow] = &[
        SevenCardRow::FiveAces,
        SevenCardRow::RoyalFlush,
        SevenCardRow::StraightFlushNatural,
        SevenCardRow::StraightFlushJoker,
        SevenCardRow::FourOfAKind,
        SevenCardRow::FullHouse,
        SevenCardRow::Flush,
        SevenCardRow::ThreeOfAKind,
        SevenCardRow::Straight,
    ];
}

impl SevenCardRow {
    pub(super) fn is_made_by(self, seven: &Seven) -> bool {
        let make = |category| seven.can(|five| five.make(category));
        match self {
            SevenCardRow::FiveAces => make(Category::FiveAces),
            SevenCardRow::RoyalFlush => make(Category::RoyalFlush),
            SevenCardRow::StraightFlushNatural => {
                seven.can(|five| five.make_naturally(Category::StraightFlush))
            }
            SevenCardRow::StraightFlushJoker => seven.can(|five| {
                five.make(Category::StraightFlush) && !five.make_naturally(Category::StraightFlush)
            }),
            SevenCardRow::FourOfAKind => make(Category::FourOfAKind),
            SevenCardRow::FullHouse => make(Category::FullHouse),
            SevenCardRow::Flush => make(Category::Flush),
            SevenCardRow::ThreeOfAKind => make(Category::ThreeOfAKind),
            SevenCardRow::Straight => make(Category::Straight),
        }
    }
}

/// The progressive: five cards, and for "and pair" the two others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum ProgressiveRow {
    NaturalRoyalFlushPair,
    FiveAcesPair,
    NaturalRoyalFlush,
    FiveAces,
    RoyalFlushPair,
    RoyalFlush,
    StraightFlushPair,
    StraightFlush,
    FourOfAKindPair,
    FourOfAKind,
    FullHousePair,
    FullHouse,
    FlushPair,
    Flush,
    StraightPair,
    Straight,
    ThreeOfAKind,
}

impl Rows for ProgressiveRow {
    const ALL: &'static [ProgressiveRow] = &[
        ProgressiveRow::NaturalRoyalFlushPair,
        ProgressiveRow::FiveAcesPair,
        ProgressiveRow::NaturalRoyalFlush,
        ProgressiveRow::FiveAces,
        ProgressiveRow::RoyalFlushPair,
        ProgressiveRow::RoyalFlush,
        ProgressiveRow::StraightFlushPair,
        ProgressiveRow::StraightFlush,
        ProgressiveRow::FourOfAKindPair,
        ProgressiveRow::FourOfAKind,
        ProgressiveRow::FullHousePair,
        ProgressiveRow::FullHouse,
        ProgressiveRow::FlushPair,
        ProgressiveRow::Flush,
        ProgressiveRow::StraightPair,
        ProgressiveRow::Straight,
        ProgressiveRow::ThreeOfAKind,
    ];
}

impl ProgressiveRow {
    pub(super) fn is_made_by(self, seven: &Seven) -> bool {
        use Category as Is;
        let make = |category| seven.can(|five| five.make(category));
        let with_pair = |category| seven.can(|five| five.make(category) && five.with_pair());
        match self {
            ProgressiveRow::NaturalRoyalFlushPair => {
                seven.can(|five| five.make_naturally(Is::RoyalFlush) && five.with_pair())
            }
            ProgressiveRow::NaturalRoyalFlush => {
                seven.can(|five| five.make_naturally(Is::RoyalFlush))
            }
            ProgressiveRow::FiveAcesPair => with_pair(Is::FiveAces),
            ProgressiveRow::FiveAces => make(Is::FiveAces),
            ProgressiveRow::RoyalFlushPair => with_pair(Is::RoyalFlush),
            ProgressiveRow::RoyalFlush => make(Is::RoyalFlush),
            ProgressiveRow::StraightFlushPair => with_pair(Is::StraightFlush),
            ProgressiveRow::StraightFlush => make(Is::StraightFlush),
            ProgressiveRow::FourOfAKindPair => with_pair(Is::FourOfAKind),
            ProgressiveRow::FourOfAKind => make(Is::FourOfAKind),
            ProgressiveRow::FullHousePair => with_pair(Is::FullHouse),
            ProgressiveRow::FullHouse => make(Is::FullHouse),
            ProgressiveRow::FlushPair => with_pair(Is::Flush),
            ProgressiveRow::Flush => make(Is::Flush),
            ProgressiveRow::StraightPair => with_pair(Is::Straight),
            ProgressiveRow::Straight => make(Is::Straight),
            ProgressiveRow::ThreeOfAKind => make(Is::ThreeOfAKind),
        }
    }

    /// Straight flushes come off the meter whatever they pay: 14(e).
    pub(super) fn is_straight_flush(self) -> bool {
        matches!(
            self,
            ProgressiveRow::StraightFlush | ProgressiveRow::StraightFlushPair
        )
    }
}
