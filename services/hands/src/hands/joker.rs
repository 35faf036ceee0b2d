//! Five cards with a semi-wild joker, and the best five of six or seven: pai gow poker.
//!
//! The joker completes a straight, a flush, a straight flush or a royal flush; otherwise it is an ace.
//! In a flush it is the highest rank that the flush does not hold yet.

use super::hand::{self, category_of, rank_at, score, with_place};
use super::ranks::{Held, bit, highest, highest_cards, once, straight_ranks, straight_top_with};
use super::table::{LazyTable, SuitTable};
use super::tally::{Tally, suited_cards, suited_set};
use super::{five, pick, three};
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
    /// Four aces and the joker.
    FiveAces,
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
        Category::FiveAces,
    ];
}

/// Where A-2-3-4-5 stands among the straights and the straight flushes. It also decides what the
/// joker makes of 2-3-4-5.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LowStraight {
    /// Below A-K-Q-J-T and above all others.
    SecondHighest,
    Lowest,
}

pub type Hand = hand::Hand<Category, 5>;
pub type Made = hand::Made<Category, 5>;

/// The best five of five to seven cards. `None` for other numbers of cards, or with two jokers.
#[cfg_attr(not(debug_assertions), inline(always))]
pub fn rank(cards: &[Card], low: LowStraight) -> Option<Hand> {
    let tally = Tally::of_cards(cards)?;
    rank_tally(tally, cards.len(), low, |suit| {
        suited_cards(cards, tally.held_of(suit), suit)
    })
}

/// The best five of a set of five to seven cards. `None` for other sets.
#[cfg_attr(not(debug_assertions), inline(always))]
pub fn rank_set(set: CardSet, low: LowStraight) -> Option<Hand> {
    let tally = Tally::of_set(set);
    let cards = tally.len() + tally.jokers() as usize;
    rank_tally(tally, cards, low, |suit| suited_set(set, suit))
}

/// As [`rank`], with the five cards that make the hand.
pub fn best(cards: &[Card], low: LowStraight) -> Option<Made> {
    rank(cards, low)?;
    pick::best(cards, |five: &[Card; 5]| rank(five, low))
}

/// Three cards with the same joker: it completes a straight flush, a straight or a flush, or is an
/// ace. `None` with two jokers.
pub fn rank_three(cards: &[Card; 3]) -> Option<three::Hand> {
    let Some(at) = cards.iter().position(|card| card.is_joker()) else {
        return three::rank(cards);
    };
    let completed = |card: Card| {
        let mut three = *cards;
        three[at] = card;
        let hand = three::rank(&three)?;
        let completes = matches!(
            hand.category(),
            three::Category::StraightFlush | three::Category::Straight | three::Category::Flush
        );
        (completes || card.rank() == Some(crate::floor::Rank::Ace)).then_some(hand)
    };
    Card::deck()
        .filter(|card| !cards.contains(card))
        .filter_map(completed)
        .max()
}

#[inline(always)]
fn rank_tally(
    tally: Tally,
    cards: usize,
    low: LowStraight,
    suited_counts: impl Fn(u32) -> u64,
) -> Option<Hand> {
    let counts = tally.counts;
    let joker = tally.jokers();
    let unsuited = match (cards, joker) {
        (_, 0) => five::unsuited_score(counts, cards)?,
        (5, 1) => WITH_FOUR.get(counts),
        (6, 1) => WITH_FIVE.get(counts),
        (7, 1) => WITH_SIX.get(counts),
        _ => return None,
    };
    let mut score = placed(unsuited, counts, joker, low);
    if let Some(suit) = tally.suit_of(5 - joker) {
        let counts = suited_counts(suit);
        let suited = if joker == 0 {
            five::SUITED.get(counts)
        } else {
            SUITED_WITH.get(counts)
        };
        score = score.max(placed(suited, counts, joker, low));
    }
    Some(Hand::from_score(score))
}

static SUITED_WITH: SuitTable = SuitTable::new(suited_with);
static WITH_FOUR: LazyTable<{ 1 << 9 }, { 1 << 12 }> = LazyTable::new(&[4], unsuited_with);
static WITH_FIVE: LazyTable<{ 1 << 10 }, { 1 << 13 }> = LazyTable::new(&[5], unsuited_with);
static WITH_SIX: LazyTable<{ 1 << 12 }, { 1 << 15 }> = LazyTable::new(&[6], unsuited_with);

/// The best five of the joker and these ranks if no four of them are suited.
fn unsuited_with(counts: u64) -> u32 {
    let held = Held::new(counts);
    if held.four & bit(ACE) != 0 {
        return score(Category::FiveAces as u32, [ACE; 5]);
    }
    let as_ace = five::unsuited(counts + (1 << (4 * ACE)));
    let completed = straight_top_with(held.once, 5, 1)
        .map(|top| score(Category::Straight as u32, straight_ranks::<5>(top)));
    completed.map_or(as_ace, |straight| straight.max(as_ace))
}

/// The best straight flush, else flush, of the joker and four or more cards of one suit.
fn suited_with(counts: u64) -> u32 {
    let ranks = once(counts);
    match straight_top_with(ranks, 5, 1) {
        Some(ACE) => score(Category::RoyalFlush as u32, straight_ranks::<5>(ACE)),
        Some(top) => score(Category::StraightFlush as u32, straight_ranks::<5>(top)),
        None => {
            let joker = highest(!ranks & 0x1fff).unwrap_or(ACE);
            let counts = counts + (1 << (4 * joker));
            score(Category::Flush as u32, highest_cards::<5>(counts))
        }
    }
}

/// Puts a straight or straight flush in its place, and takes A-2-3-4-5 for it where that is higher.
/// A hand of another category stays what it is: no better straight makes it one.
#[inline]
fn placed(score: u32, counts: u64, joker: u32, low: LowStraight) -> u32 {
    let category = category_of(score);
    let is_straight =
        category == Category::Straight as usize || category == Category::StraightFlush as usize;
    if low == LowStraight::Lowest || !is_straight {
        return score;
    }
    if rank_at(score, 5, 0) == ACE {
        return with_place(score, 2);
    }
    if (once(counts) & LOW_RANKS).count_ones() + joker < 5 {
        return score;
    }
    let low_straight = hand::score(category as u32, straight_ranks::<5>(FIVE));
    with_place(low_straight, 1)
}

const ACE: u8 = 12;
const FIVE: u8 = 3;
/// A, 2, 3, 4 and 5.
const LOW_RANKS: u16 = 0b1_0000_0000_1111;
