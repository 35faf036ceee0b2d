//! Five cards, and the best five of six or seven, in the standard ranking.

use super::hand::{self, score};
use super::key::{Key, MOST};
use super::ranks::{
    Held, bit, highest, highest_cards, highest_of, once, straight_ranks, straight_top,
};
use super::table::{KeyTable, LazyTable, SuitTable};
use super::tally::{Tally, suited_cards, suited_set};
use super::{Board, pick};
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
#[cfg_attr(not(debug_assertions), inline(always))]
pub fn rank(cards: &[Card]) -> Option<Hand> {
    let key = Key::of_cards(cards)?;
    rank_key(key, cards.len(), |suit| {
        suited_cards(cards, key.held_of(suit), suit)
    })
}

/// The best five of a set of five to seven cards. `None` for other sets, or with a joker.
#[cfg_attr(not(debug_assertions), inline(always))]
pub fn rank_set(set: CardSet) -> Option<Hand> {
    let tally = Tally::of_set(set);
    rank_tally(tally, tally.len(), |suit| suited_set(set, suit))
}

/// The best five of a board of five to seven different cards. `None` for other boards, or with a
/// joker.
#[cfg_attr(not(debug_assertions), inline(always))]
pub fn rank_board(board: Board) -> Option<Hand> {
    let key = board.key();
    // Mostly a board is asked when it is full.
    if key.is_plain(7) {
        return Some(Hand::from_score(SEVEN_BY_KEY.get_built(key)));
    }
    let cards = key.sound_cards();
    match key.long_suit() {
        // Five suited of seven different cards leave no room for four of a kind or a full house.
        Some(suit) if cards <= MOST => Some(Hand::from_score(SUITED.of_ranks(board.suited(suit)))),
        Some(_) => None,
        None => rank_plain(key, cards),
    }
}

/// What a full board is ranked by.
#[inline(always)]
pub(super) fn ensure_tables() {
    SEVEN_BY_KEY.ensure();
}

/// As [`rank`], with the five cards that make the hand.
pub fn best(cards: &[Card]) -> Option<Made> {
    rank(cards)?;
    pick::best(cards, |five: &[Card; 5]| rank(five))
}

#[inline(always)]
fn rank_tally(tally: Tally, cards: usize, suited_counts: impl Fn(u32) -> u64) -> Option<Hand> {
    if tally.jokers() != 0 {
        return None;
    }
    let mut score = unsuited_score(tally.counts, cards)?;
    if let Some(suit) = tally.suit_of(5) {
        score = score.max(SUITED.get(suited_counts(suit)));
    }
    Some(Hand::from_score(score))
}

/// Of so many cards; `None` if the key does not say that they are sound.
#[inline(always)]
fn rank_key(key: Key, cards: usize, suited_counts: impl Fn(u32) -> u64) -> Option<Hand> {
    if key.is_plain(cards) {
        return rank_plain(key, cards);
    }
    let suit = key.long_suit().filter(|_| key.sound_cards() == cards)?;
    let suited = Hand::from_score(SUITED.get(suited_counts(suit)));
    rank_plain(key, cards).map(|unsuited| unsuited.max(suited))
}

/// Of so many cards, no five of them suited.
#[inline(always)]
fn rank_plain(key: Key, cards: usize) -> Option<Hand> {
    let score = match cards {
        7 => SEVEN_BY_KEY.get(key),
        6 => SIX_BY_KEY.get(key),
        5 => FIVE_BY_KEY.get(key),
        _ => return None,
    };
    Some(Hand::from_score(score))
}

/// The best five of five to seven cards if no five of them are suited.
#[inline(always)]
pub(super) fn unsuited_score(counts: u64, cards: usize) -> Option<u32> {
    match cards {
        5 => Some(OF_FIVE.get(counts)),
        6 => Some(OF_SIX.get(counts)),
        7 => Some(OF_SEVEN.get(counts)),
        _ => None,
    }
}

pub(super) static SUITED: SuitTable = SuitTable::new(suited);
static OF_FIVE: LazyTable<{ 1 << 10 }, { 1 << 13 }> = LazyTable::new(&[5], unsuited);
static OF_SIX: LazyTable<{ 1 << 12 }, { 1 << 15 }> = LazyTable::new(&[6], unsuited);
static OF_SEVEN: LazyTable<{ 1 << 13 }, { 1 << 16 }> = LazyTable::new(&[7], unsuited);
static FIVE_BY_KEY: KeyTable<{ 1 << 10 }, { 1 << 13 }> = KeyTable::new(5, unsuited);
static SIX_BY_KEY: KeyTable<{ 1 << 12 }, { 1 << 15 }> = KeyTable::new(6, unsuited);
static SEVEN_BY_KEY: KeyTable<{ 1 << 13 }, { 1 << 16 }> = KeyTable::new(7, unsuited);

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
