//! Two cards, as they lie behind the five in pai gow poker.

use super::hand::{self, score};
use crate::floor::Card;

/// Weakest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Category {
    HighCard,
    Pair,
}

impl hand::Category for Category {
    const ALL: &'static [Category] = &[Category::HighCard, Category::Pair];
}

pub type Hand = hand::Hand<Category, 2>;

/// Ranks two cards. A joker is always an ace here.
pub fn rank(cards: &[Card; 2]) -> Hand {
    let [a, b] = cards.map(|card| card.rank().map_or(ACE, |rank| rank.index()));
    let category = if a == b {
        Category::Pair
    } else {
        Category::HighCard
    };
    Hand::from_score(score(category as u32, [a.max(b), a.min(b)]))
}

const ACE: u8 = 12;
