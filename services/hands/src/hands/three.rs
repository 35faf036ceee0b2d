//! Three cards, and the best three of four: a straight beats a flush, three of a kind beats both.

use super::hand::{self, score};
use super::pick;
use super::ranks::{
    Held, bit, highest, highest_cards, highest_of, once, straight_ranks, straight_top,
};
use super::table::{LazyTable, SuitTable};
use super::tally::{Tally, suited_cards, suited_set};
use crate::floor::{Card, CardSet, Rank};

/// Weakest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Category {
    HighCard,
    Pair,
    Flush,
    Straight,
    ThreeOfAKind,
    StraightFlush,
}

impl hand::Category for Category {
    const ALL: &'static [Category] = &[
        Category::HighCard,
        Category::Pair,
        Category::Flush,
        Category::Straight,
        Category::ThreeOfAKind,
        Category::StraightFlush,
    ];
}

pub type Hand = hand::Hand<Category, 3>;
pub type Made = hand::Made<Category, 3>;

impl Hand {
    /// A-K-Q of one suit, the highest straight flush.
    pub fn is_mini_royal(self) -> bool {
        self.category() == Category::StraightFlush && self.ranks()[0] == Rank::Ace
    }
}

/// The best three of three or four cards. `None` for other numbers of cards, or with a joker.
#[cfg_attr(not(debug_assertions), inline(always))]
pub fn rank(cards: &[Card]) -> Option<Hand> {
    let tally = Tally::of_cards(cards)?;
    rank_tally(tally, cards.len(), |suit| {
        suited_cards(cards, tally.held_of(suit), suit)
    })
}

/// The best three of a set of three or four cards. `None` for other sets, or with a joker.
#[cfg_attr(not(debug_assertions), inline(always))]
pub fn rank_set(set: CardSet) -> Option<Hand> {
    let tally = Tally::of_set(set);
    rank_tally(tally, tally.len(), |suit| suited_set(set, suit))
}

/// As [`rank`], with the three cards that make the hand.
pub fn best(cards: &[Card]) -> Option<Made> {
    rank(cards)?;
    pick::best(cards, |three: &[Card; 3]| rank(three))
}

#[inline(always)]
fn rank_tally(tally: Tally, cards: usize, suited_counts: impl Fn(u32) -> u64) -> Option<Hand> {
    if tally.jokers() != 0 {
        return None;
    }
    let mut score = match cards {
        3 => OF_THREE.get(tally.counts),
        4 => OF_FOUR.get(tally.counts),
        _ => return None,
    };
    if let Some(suit) = tally.suit_of(3) {
        score = score.max(SUITED.get(suited_counts(suit)));
    }
    Some(Hand::from_score(score))
}

static SUITED: SuitTable = SuitTable::new(suited);
static OF_THREE: LazyTable<{ 1 << 7 }, { 1 << 10 }> = LazyTable::new(&[3], unsuited);
static OF_FOUR: LazyTable<{ 1 << 9 }, { 1 << 12 }> = LazyTable::new(&[4], unsuited);

/// The best three of these ranks if no three of them are suited.
fn unsuited(counts: u64) -> u32 {
    let held = Held::new(counts);
    if let Some(three) = highest(held.thrice) {
        return score(Category::ThreeOfAKind as u32, [three; 3]);
    }
    if let Some(top) = straight_top(held.once, 3) {
        return score(Category::Straight as u32, straight_ranks::<3>(top));
    }
    if let Some(pair) = highest(held.twice) {
        let [side] = highest_of(held.once & !bit(pair));
        return score(Category::Pair as u32, [pair, pair, side]);
    }
    score(Category::HighCard as u32, highest_of::<3>(held.once))
}

/// The best straight flush, else flush, of three or more cards of one suit.
fn suited(counts: u64) -> u32 {
    match straight_top(once(counts), 3) {
        Some(top) => score(Category::StraightFlush as u32, straight_ranks::<3>(top)),
        None => score(Category::Flush as u32, highest_cards::<3>(counts)),
    }
}
