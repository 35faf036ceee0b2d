//! Five cards out of a shoe of several decks, and the best five of six or seven: fast action hold'em.
//!
//! Cards may repeat, so five cards of one suit can also be a pair or more; each of these is a category
//! of its own. A plain flush ranks below four of a kind, a flush with a repeated rank above it.

use super::hand::{self, recategorised};
use super::ranks::Held;
use super::tally::Tally;
use super::{five, pick};
use crate::floor::Card;

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
    FlushPair,
    FlushTwoPair,
    FlushThreeOfAKind,
    /// Five of a rank in several suits.
    FiveOfAKind,
    FlushFullHouse,
    StraightFlush,
    FlushFourOfAKind,
    RoyalFlush,
    /// Five times the same card.
    FlushFiveOfAKind,
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
        Category::FlushPair,
        Category::FlushTwoPair,
        Category::FlushThreeOfAKind,
        Category::FiveOfAKind,
        Category::FlushFullHouse,
        Category::StraightFlush,
        Category::FlushFourOfAKind,
        Category::RoyalFlush,
        Category::FlushFiveOfAKind,
    ];
}

pub type Hand = hand::Hand<Category, 5>;
pub type Made = hand::Made<Category, 5>;

/// The best five of five to seven cards. `None` for other numbers of cards, or with a joker.
pub fn rank(cards: &[Card]) -> Option<Hand> {
    let (hand, _) = pick::strongest(playable(cards)?, rank_five)?;
    Some(hand)
}

/// As [`rank`], with the five cards that make the hand.
pub fn best(cards: &[Card]) -> Option<Made> {
    pick::best(playable(cards)?, rank_five)
}

/// At most seven cards, and no joker among them.
fn playable(cards: &[Card]) -> Option<&[Card]> {
    (cards.len() <= 7 && !cards.contains(&Card::JOKER)).then_some(cards)
}

fn rank_five(cards: &[Card; 5]) -> Option<Hand> {
    let tally = Tally::of_cards(cards)?;
    let unsuited = five::unsuited_score(tally.counts, 5)?;
    let suited = tally.suit_of(5).is_some();
    let category = match (five::Hand::from_score(unsuited).category(), suited) {
        (five::Category::FourOfAKind, _) => {
            let all_of_a_rank = Held::new(tally.counts).five != 0;
            match (all_of_a_rank, suited) {
                (true, true) => Category::FlushFiveOfAKind,
                (true, false) => Category::FiveOfAKind,
                (false, true) => Category::FlushFourOfAKind,
                (false, false) => Category::FourOfAKind,
            }
        }
        (five::Category::FullHouse, true) => Category::FlushFullHouse,
        (five::Category::FullHouse, false) => Category::FullHouse,
        (five::Category::Straight, true) => match hand::rank_at(unsuited, 5, 0) {
            ACE => Category::RoyalFlush,
            _ => Category::StraightFlush,
        },
        (five::Category::Straight, false) => Category::Straight,
        (five::Category::ThreeOfAKind, true) => Category::FlushThreeOfAKind,
        (five::Category::ThreeOfAKind, false) => Category::ThreeOfAKind,
        (five::Category::TwoPair, true) => Category::FlushTwoPair,
        (five::Category::TwoPair, false) => Category::TwoPair,
        (five::Category::Pair, true) => Category::FlushPair,
        (five::Category::Pair, false) => Category::Pair,
        (_, true) => Category::Flush,
        (_, false) => Category::HighCard,
    };
    Some(Hand::from_score(recategorised(unsuited, category as u32)))
}

const ACE: u8 = 12;
