//! Four cards, and the best four of five or six: four of a kind beats a straight flush, three of a
//! kind beats a flush, a flush beats a straight.

use super::hand::{self, score};
use super::pick;
use super::ranks::{
    Held, bit, highest, highest_cards, highest_of, once, straight_ranks, straight_top,
};
use super::table::{LazyTable, SuitTable};
use super::tally::{Tally, suited_cards, suited_set};
use crate::floor::{Card, CardSet};

/// Weakest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Category {
    HighCard,
    Pair,
    TwoPair,
    Straight,
    Flush,
    ThreeOfAKind,
    StraightFlush,
    FourOfAKind,
}

impl hand::Category for Category {
    const ALL: &'static [Category] = &[
        Category::HighCard,
        Category::Pair,
        Category::TwoPair,
        Category::Straight,
        Category::Flush,
        Category::ThreeOfAKind,
        Category::StraightFlush,
        Category::FourOfAKind,
    ];
}

pub type Hand = hand::Hand<Category, 4>;
pub type Made = hand::Made<Category, 4>;

/// The best four of four to six cards. `None` for other numbers of cards, or with a joker.
#[cfg_attr(not(debug_assertions), inline(always))]
pub fn rank(cards: &[Card]) -> Option<Hand> {
    let tally = Tally::of_cards(cards)?;
    rank_tally(tally, cards.len(), |suit| {
        suited_cards(cards, tally.held_of(suit), suit)
    })
}

/// The best four of a set of four to six cards. `None` for other sets, or with a joker.
#[cfg_attr(not(debug_assertions), inline(always))]
pub fn rank_set(set: CardSet) -> Option<Hand> {
    let tally = Tally::of_set(set);
    rank_tally(tally, tally.len(), |suit| suited_set(set, suit))
}

/// As [`rank`], with the four cards that make the hand.
pub fn best(cards: &[Card]) -> Option<Made> {
    rank(cards)?;
    pick::best(cards, |four: &[Card; 4]| rank(four))
}

#[inline(always)]
fn rank_tally(tally: Tally, cards: usize, suited_counts: impl Fn(u32) -> u64) -> Option<Hand> {
    if tally.jokers() != 0 {
        return None;
    }
    let mut score = match cards {
        4 => OF_FOUR.get(tally.counts),
        5 => OF_FIVE.get(tally.counts),
        6 => OF_SIX.get(tally.counts),
        _ => return None,
    };
    if let Some(suit) = tally.suit_of(4) {
        score = score.max(SUITED.get(suited_counts(suit)));
    }
    Some(Hand::from_score(score))
}

static SUITED: SuitTable = SuitTable::new(suited);
static OF_FOUR: LazyTable<{ 1 << 9 }, { 1 << 12 }> = LazyTable::new(&[4], unsuited);
static OF_FIVE: LazyTable<{ 1 << 10 }, { 1 << 13 }> = LazyTable::new(&[5], unsuited);
static OF_SIX: LazyTable<{ 1 << 12 }, { 1 << 15 }> = LazyTable::new(&[6], unsuited);

/// The best four of these ranks if no four of them are suited.
fn unsuited(counts: u64) -> u32 {
    let held = Held::new(counts);
    if let Some(four) = highest(held.four) {
        return score(Category::FourOfAKind as u32, [four; 4]);
    }
    if let Some(three) = highest(held.thrice) {
        let [side] = highest_of(held.once & !bit(three));
        return score(Category::ThreeOfAKind as u32, [three, three, three, side]);
    }
    if let Some(top) = straight_top(held.once, 4) {
        return score(Category::Straight as u32, straight_ranks::<4>(top));
    }
    match (held.twice.count_ones(), highest_of(held.twice)) {
        (0, _) => score(Category::HighCard as u32, highest_of::<4>(held.once)),
        (1, [pair, _]) => {
            let [a, b] = highest_of(held.once & !bit(pair));
            score(Category::Pair as u32, [pair, pair, a, b])
        }
        (_, [high, low]) => score(Category::TwoPair as u32, [high, high, low, low]),
    }
}

/// The best straight flush, else flush, of four or more cards of one suit.
fn suited(counts: u64) -> u32 {
    match straight_top(once(counts), 4) {
        Some(top) => score(Category::StraightFlush as u32, straight_ranks::<4>(top)),
        None => score(Category::Flush as u32, highest_cards::<4>(counts)),
    }
}
