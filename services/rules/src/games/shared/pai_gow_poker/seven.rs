//! What seven cards make for the wagers on all seven, and the rows of their pay tables.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::book::{BookError, EditionBook};
use crate::floor::{Card, Rank};
use crate::hands::joker::{self, Category, LowStraight};
use crate::hands::two;

/// Which two cards beside a royal flush make the royal match: 3(f)2.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum RoyalMatch {
    #[default]
    KingQueen,
    AceKingNatural,
}

/// Seven cards, looked at as every five and two of them.
#[derive(Debug)]
pub(crate) struct Seven {
    cards: [Card; 7],
    fives: Vec<Five>,
}

/// Five of the seven cards and the two left over.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Five {
    category: Category,
    /// Without the joker.
    is_natural: bool,
    left: [Card; 2],
}

impl Five {
    /// Are the five this hand? A higher hand is also what it contains: a straight flush is a flush
    /// and a straight, four of a kind are three of a kind.
    pub(crate) fn make(&self, wanted: Category) -> bool {
        use Category::*;
        match wanted {
            ThreeOfAKind => matches!(
                self.category,
                ThreeOfAKind | FullHouse | FourOfAKind | FiveAces
            ),
            FourOfAKind => matches!(self.category, FourOfAKind | FiveAces),
            Straight => matches!(self.category, Straight | StraightFlush | RoyalFlush),
            Flush => matches!(self.category, Flush | StraightFlush | RoyalFlush),
            StraightFlush => matches!(self.category, StraightFlush | RoyalFlush),
            other => self.category == other,
        }
    }

    pub(crate) fn make_naturally(&self, wanted: Category) -> bool {
        self.is_natural && self.make(wanted)
    }

    /// Are the two left over a pair? An ace and the joker are.
    pub(crate) fn with_pair(&self) -> bool {
        two::rank(&self.left).category() == two::Category::Pair
    }

    fn leave(&self, ranks: [Rank; 2]) -> bool {
        let [a, b] = self.left;
        let suited = a.suit().is_some() && a.suit() == b.suit();
        suited
            && [[a, b], [b, a]]
                .iter()
                .any(|pair| pair.map(Card::rank) == ranks.map(Some))
    }
}

impl Seven {
    /// `None` unless there are seven cards with at most one joker.
    pub(crate) fn of(cards: &[Card]) -> Option<Seven> {
        let cards: [Card; 7] = cards.try_into().ok()?;
        let mut fives = Vec::with_capacity(21);
        for one in 0..7 {
            for other in one + 1..7 {
                let mut rest = (0..7).filter(|&at| at != one && at != other);
                let five = [(); 5].map(|()| rest.next().map_or(Card::JOKER, |at| cards[at]));
                fives.push(Five {
                    // Straights count alike wherever A-2-3-4-5 stands among them.
                    category: joker::rank(&five, LowStraight::SecondHighest)?.category(),
                    is_natural: !five.contains(&Card::JOKER),
                    left: [cards[one], cards[other]],
                });
            }
        }
        Some(Seven { cards, fives })
    }

    /// Is there a way to take five for which this holds?
    pub(crate) fn can(&self, holds: impl Fn(&Five) -> bool) -> bool {
        self.fives.iter().any(holds)
    }

    pub(crate) fn cards(&self) -> &[Card; 7] {
        &self.cards
    }

    /// All seven suited and in sequence, ace high or low, the joker as the seventh.
    fn is_straight_flush_of_seven(&self) -> bool {
        let suit = self.cards.iter().find_map(|card| card.suit());
        let naturals = || self.cards.iter().filter(|card| !card.is_joker());
        if naturals().any(|card| card.suit() != suit) {
            return false;
        }
        // Ace low is bit 0, ace high bit 13.
        let ranks =
            naturals()
                .filter_map(|card| card.rank())
                .fold(0u16, |ranks, rank| match rank {
                    Rank::Ace => ranks | 1 | 1 << 13,
                    rank => ranks | 2 << rank.index(),
                });
        let needed = naturals().count() as u32;
        (0..=7).any(|lowest| (ranks >> lowest & 0b111_1111).count_ones() == needed)
    }

    fn has_joker(&self) -> bool {
        self.cards.contains(&Card::JOKER)
    }

    fn is_royal_with_match(&self, royal_match: RoyalMatch) -> bool {
        let ranks = match royal_match {
            RoyalMatch::KingQueen => [Rank::King, Rank::Queen],
            RoyalMatch::AceKingNatural => [Rank::Ace, Rank::King],
        };
        self.can(|five| five.make(Category::RoyalFlush) && five.leave(ranks))
    }
}

/// Do seven cards make four of a kind or better, which envy is paid for?
pub fn is_premium(cards: &[Card]) -> bool {
    Seven::of(cards).is_some_and(|seven| {
        let mut rows = FortuneRow::ALL.iter().filter(|row| row.is_premium());
        rows.any(|row| row.is_made_by(&seven, RoyalMatch::KingQueen))
    })
}

/// Rows of a pay table, from the top.
pub(crate) trait Rows: Copy + Ord + DeserializeOwned + std::fmt::Debug + 'static {
    const ALL: &'static [Self];
}

/// A table with all of its rows.
pub(crate) fn full_table<R: Rows, P: DeserializeOwned>(
    book: &EditionBook<'_>,
    id: &str,
) -> Result<BTreeMap<R, P>, BookError> {
    full(book, id, book.table(id)?)
}

/// The same where it is the least that may be paid.
pub(crate) fn full_minimum_table<R: Rows, P: DeserializeOwned>(
    book: &EditionBook<'_>,
    id: &str,
) -> Result<BTreeMap<R, P>, BookError> {
    full(book, id, book.minimum_table(id)?)
}

fn full<R: Rows, P>(
    book: &EditionBook<'_>,
    id: &str,
    table: BTreeMap<R, P>,
) -> Result<BTreeMap<R, P>, BookError> {
    match R::ALL.iter().find(|row| !table.contains_key(row)) {
        Some(row) => Err(book.error(format!("table {id} has no row {row:?}"))),
        None => Ok(table),
    }
}

/// Rows of the bonus and the fortune wager. Four of a kind and better are premium hands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum FortuneRow {
    SevenCardStraightFlush,
    RoyalFlushRoyalMatch,
    SevenCardStraightFlushJoker,
    FiveAces,
    RoyalFlush,
    StraightFlush,
    FourOfAKind,
    FullHouse,
    Flush,
    ThreeOfAKind,
    Straight,
}

impl Rows for FortuneRow {
    const ALL: &'static [FortuneRow] = &[
        FortuneRow::SevenCardStraightFlush,
        FortuneRow::RoyalFlushRoyalMatch,
        FortuneRow::SevenCardStraightFlushJoker,
        FortuneRow::FiveAces,
        FortuneRow::RoyalFlush,
        FortuneRow::StraightFlush,
        FortuneRow::FourOfAKind,
        FortuneRow::FullHouse,
        FortuneRow::Flush,
        FortuneRow::ThreeOfAKind,
        FortuneRow::Straight,
    ];
}

impl FortuneRow {
    pub(crate) fn is_made_by(self, seven: &Seven, royal_match: RoyalMatch) -> bool {
        let five = |category| seven.can(|five| five.make(category));
        match self {
            FortuneRow::SevenCardStraightFlush => {
                !seven.has_joker() && seven.is_straight_flush_of_seven()
            }
            FortuneRow::RoyalFlushRoyalMatch => seven.is_royal_with_match(royal_match),
            FortuneRow::SevenCardStraightFlushJoker => {
                seven.has_joker() && seven.is_straight_flush_of_seven()
            }
            FortuneRow::FiveAces => five(Category::FiveAces),
            FortuneRow::RoyalFlush => five(Category::RoyalFlush),
            FortuneRow::StraightFlush => five(Category::StraightFlush),
            FortuneRow::FourOfAKind => five(Category::FourOfAKind),
            FortuneRow::FullHouse => five(Category::FullHouse),
            FortuneRow::Flush => five(Category::Flush),
            FortuneRow::ThreeOfAKind => five(Category::ThreeOfAKind),
            FortuneRow::Straight => five(Category::Straight),
        }
    }

    /// Paid last, and seen by the holders of envy markers.
    pub(crate) fn is_premium(self) -> bool {
        self <= FortuneRow::FourOfAKind
    }
}

/// Rows of the Fortune Pai Gow Progressive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum FortuneProgressiveRow {
    /// With or without the joker.
    SevenCardStraightFlush,
    FiveAces,
    RoyalFlush,
    StraightFlush,
    FourOfAKind,
    FullHouse,
}

impl Rows for FortuneProgressiveRow {
    const ALL: &'static [FortuneProgressiveRow] = &[
        FortuneProgressiveRow::SevenCardStraightFlush,
        FortuneProgressiveRow::FiveAces,
        FortuneProgressiveRow::RoyalFlush,
        FortuneProgressiveRow::StraightFlush,
        FortuneProgressiveRow::FourOfAKind,
        FortuneProgressiveRow::FullHouse,
    ];
}

impl FortuneProgressiveRow {
    /// The uppermost row that the cards make.
    pub(crate) fn best(seven: &Seven) -> Option<FortuneProgressiveRow> {
        let five = |category| seven.can(|five| five.make(category));
        FortuneProgressiveRow::ALL
            .iter()
            .copied()
            .find(|row| match row {
                FortuneProgressiveRow::SevenCardStraightFlush => seven.is_straight_flush_of_seven(),
                FortuneProgressiveRow::FiveAces => five(Category::FiveAces),
                FortuneProgressiveRow::RoyalFlush => five(Category::RoyalFlush),
                FortuneProgressiveRow::StraightFlush => five(Category::StraightFlush),
                FortuneProgressiveRow::FourOfAKind => five(Category::FourOfAKind),
                FortuneProgressiveRow::FullHouse => five(Category::FullHouse),
            })
    }
}
