//! Five cards with fully wild cards: DJ Wild, where the deuces and the joker are wild.
//!
//! A wild card stands for any rank and suit; in a flush for the highest rank that is not in it yet.
//! Wild and natural cards count alike in a comparison.

use super::five;
use super::hand::{self, category_of, score};
use super::ranks::{Held, bit, highest, highest_cards, straight_ranks, straight_top_with};
use super::table::LazyTable;
use super::tally::Tally;
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
    FiveOfAKind,
    RoyalFlush,
    FiveWilds,
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
        Category::FiveOfAKind,
        Category::RoyalFlush,
        Category::FiveWilds,
    ];
}

/// The four deuces and the joker.
pub const DEUCES_AND_JOKER: CardSet = match CardSet::from_bits(0b1111 | 1 << 52) {
    Some(wilds) => wilds,
    None => CardSet::EMPTY,
};

pub type Hand = hand::Hand<Category, 5>;

/// Ranks five cards of which those in `wilds` are wild. `None` for another number of cards, or with a
/// joker that is not wild.
#[cfg_attr(not(debug_assertions), inline(always))]
pub fn rank(cards: &[Card], wilds: CardSet) -> Option<Hand> {
    let five: &[Card; 5] = cards.try_into().ok()?;
    let mut natural = [Card::JOKER; 5];
    let mut naturals = 0;
    for &card in five {
        natural[naturals] = card;
        naturals += usize::from(!wilds.contains(card));
    }
    rank_natural(Tally::of_cards(&natural[..naturals])?, naturals)
}

/// Ranks a set of five cards of which those in `wilds` are wild.
#[cfg_attr(not(debug_assertions), inline(always))]
pub fn rank_set(set: CardSet, wilds: CardSet) -> Option<Hand> {
    let natural = set.without(wilds);
    if set.len() != 5 {
        return None;
    }
    let tally = Tally::of_set(natural);
    rank_natural(tally, tally.len())
}

/// Ranks five cards as they are, with no card wild. `None` for another number of cards, or with a
/// joker.
pub fn rank_plain(cards: &[Card]) -> Option<Hand> {
    rank(cards, CardSet::EMPTY)
}

/// Whether the hand is of its category without the help of a wild card (DJ Wild 13.F): it has no
/// joker, and read plainly it is of the same category.
pub fn is_natural(cards: &[Card], wilds: CardSet) -> bool {
    match (rank(cards, wilds), rank_plain(cards)) {
        (Some(best), Some(plain)) => best.category() == plain.category(),
        _ => false,
    }
}

#[inline(always)]
fn rank_natural(natural: Tally, naturals: usize) -> Option<Hand> {
    if natural.jokers() != 0 {
        return None;
    }
    let suited = natural.suit_of(naturals as u32).is_some();
    let table = if suited { &SUITED } else { &UNSUITED };
    Some(Hand::from_score(table.get(natural.counts)))
}

type Table = LazyTable<{ 1 << 11 }, { 1 << 14 }>;
static UNSUITED: Table = Table::new(&[0, 1, 2, 3, 4, 5], |counts| read(counts, false));
static SUITED: Table = Table::new(&[0, 1, 2, 3, 4, 5], |counts| read(counts, true));

/// The best reading of up to five natural cards and as many wild ones as are missing: the steps of
/// DJ Wild, section 7.
fn read(counts: u64, suited: bool) -> u32 {
    let held = Held::new(counts);
    let cards: u32 = (0..13)
        .map(|rank| (counts >> (4 * rank) & 0xf) as u32)
        .sum();
    let wilds = 5 - cards;
    let Some(top) = highest(held.once) else {
        return score(Category::FiveWilds as u32, [ACE; 5]);
    };
    let distinct = held.twice == 0;
    let straight = straight_top_with(held.once, 5, wilds).filter(|_| distinct);
    let of_straight = |category: Category, top| score(category as u32, straight_ranks::<5>(top));
    if suited && straight == Some(ACE) {
        return of_straight(Category::RoyalFlush, ACE);
    }
    if wilds > 0 && held.once == bit(top) {
        return score(Category::FiveOfAKind as u32, [top; 5]);
    }
    if suited && let Some(top) = straight {
        return of_straight(Category::StraightFlush, top);
    }
    if wilds == 0 {
        let plain = if suited {
            five::unsuited(counts).max(five::suited(counts))
        } else {
            five::unsuited(counts)
        };
        return plain;
    }
    // The wilds join the rank that is held most often.
    let group = [held.thrice, held.twice, held.once]
        .into_iter()
        .find_map(highest)
        .unwrap_or(top);
    let grouped = five::unsuited(counts + (u64::from(wilds) << (4 * group)));
    if category_of(grouped) >= Category::FullHouse as usize {
        return grouped;
    }
    if suited {
        let standing_for = (0..wilds).fold(counts, |counts, _| {
            let missing = highest(!super::ranks::once(counts) & 0x1fff).unwrap_or(ACE);
            counts + (1 << (4 * missing))
        });
        return score(Category::Flush as u32, highest_cards::<5>(standing_for));
    }
    match straight {
        Some(top) => of_straight(Category::Straight, top),
        None => grouped,
    }
}

const ACE: u8 = 12;
