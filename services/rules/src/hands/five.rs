//! Five cards, and the best five of six or seven, in the standard ranking.

use std::sync::LazyLock;

use super::hand::{self, score};
use super::pick;
use super::ranks::{
    Held, bit, highest, highest_cards, highest_of, once, straight_ranks, straight_top,
};
use super::table::RankTable;
use super::tally::{Tally, suited_cards, suited_set};
use crate::floor::{Card, CardSet};

/// Weakest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Category {
    HighCard,
    Pair,
    TwoPair,
    ThreeOfAKind,
    Straight,
    Flush,
    FullHouse,
    FourOfAKind,
    StraightFlush,
    RoyalFlush,
}

impl hand::Category for Category {
    const ALL: &'static [Category] = &[
        Category::HighCard,
        Category::Pair,
        Category::TwoPair,
        Category::ThreeOfAKind,
        Category::Straight,
        Category::Flush,
        Category::FullHouse,
        Category::FourOfAKind,
        Category::StraightFlush,
        Category::RoyalFlush,
    ];
}

pub type Hand = hand::Hand<Category, 5>;
pub type Made = hand::Made<Category, 5>;

/// The best five of five to seven cards. `None` for other numbers of cards, or with a joker.
#[inline]
pub fn rank(cards: &[Card]) -> Option<Hand> {
    let tally = Tally::of_cards(cards)?;
    rank_tally(tally, cards.len(), |suit| suited_cards(cards, suit))
}

/// The best five of a set of five to seven cards. `None` for other sets, or with a joker.
#[inline]
pub fn rank_set(set: CardSet) -> Option<Hand> {
    let tally = Tally::of_set(set);
    rank_tally(tally, tally.len(), |suit| suited_set(set, suit))
}

/// As [`rank`], with the five cards that make the hand.
pub fn best(cards: &[Card]) -> Option<Made> {
    rank(cards)?;
    pick::best(cards, |five: &[Card; 5]| rank(five))
}

#[inline(always)]
fn rank_tally(tally: Tally, cards: usize, suited_counts: impl Fn(u32) -> u64) -> Option<Hand> {
    if tally.jokers() != 0 || !(5..=7).contains(&cards) {
        return None;
    }
    let mut score = unsuited_score(tally.counts, cards);
    if let Some(suit) = tally.suit_of(5) {
        score = score.max(suited(suited_counts(suit)));
    }
    Some(Hand::from_score(score))
}

/// The best five of five to seven cards if no five of them are suited.
#[inline(always)]
pub(super) fn unsuited_score(counts: u64, cards: usize) -> u32 {
    match cards {
        5 => OF_FIVE.get(counts),
        6 => OF_SIX.get(counts),
        _ => OF_SEVEN.get(counts),
    }
}

static OF_FIVE: LazyLock<RankTable<{ 1 << 10 }, { 1 << 13 }>> =
    LazyLock::new(|| RankTable::build([5], unsuited));
static OF_SIX: LazyLock<RankTable<{ 1 << 12 }, { 1 << 15 }>> =
    LazyLock::new(|| RankTable::build([6], unsuited));
static OF_SEVEN: LazyLock<RankTable<{ 1 << 13 }, { 1 << 16 }>> =
    LazyLock::new(|| RankTable::build([7], unsuited));

/// The best five of these ranks if no five of them are suited.
pub(super) fn unsuited(counts: u64) -> u32 {
    let held = Held::new(counts);
    if let Some(four) = highest(held.four) {
        let side = held.once & !bit(four) | held.five & bit(four);
        let [side] = highest_of(side);
        return score(Category::FourOfAKind as u32, [four, four, four, four, side]);
    }
    let three = highest(held.thrice);
    if let Some(three) = three
        && let Some(pair) = highest(held.twice & !bit(three))
    {
        return score(
            Category::FullHouse as u32,
            [three, three, three, pair, pair],
        );
    }
    if let Some(top) = straight_top(held.once, 5) {
        return straight(Category::Straight, top);
    }
    if let Some(three) = three {
        let [a, b] = highest_of(held.once & !bit(three));
        return score(Category::ThreeOfAKind as u32, [three, three, three, a, b]);
    }
    match (held.twice.count_ones(), highest_of(held.twice)) {
        (0, _) => score(Category::HighCard as u32, highest_of::<5>(held.once)),
        (1, [pair, _]) => {
            let [a, b, c] = highest_of(held.once & !bit(pair));
            score(Category::Pair as u32, [pair, pair, a, b, c])
        }
        (_, [high, low]) => {
            let [side] = highest_of(held.once & !bit(high) & !bit(low));
            score(Category::TwoPair as u32, [high, high, low, low, side])
        }
    }
}

/// The best straight flush, else flush, of five or more cards of one suit.
pub(super) fn suited(counts: u64) -> u32 {
    match straight_top(once(counts), 5) {
        Some(12) => straight(Category::RoyalFlush, 12),
        Some(top) => straight(Category::StraightFlush, top),
        None => score(Category::Flush as u32, highest_cards::<5>(counts)),
    }
}

pub(super) fn straight(category: Category, top: u8) -> u32 {
    score(category as u32, straight_ranks::<5>(top))
}
