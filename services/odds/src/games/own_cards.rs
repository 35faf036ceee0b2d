//! Wagers on cards alone: a round for each class of hand, and how many hands it stands for.

use std::collections::BTreeMap;

use catwalk_rules::exact::for_each_up_to_suits;
use catwalk_rules::floor::Card;
use catwalk_rules::hands::{five, four, three};
use serde_json::Value;

/// Hands that a pay table cannot tell apart, by one of them.
pub(crate) struct Class {
    pub(crate) cards: Vec<Card>,
    pub(crate) ways: u128,
}

/// The classes of all hands of so many of the 52 cards.
pub(crate) fn classes(cards: u32, class: fn(&[Card]) -> u32) -> Vec<Class> {
    let mut classes: BTreeMap<u32, Class> = BTreeMap::new();
    for_each_up_to_suits(cards, &mut |cards, ways| {
        let class = classes.entry(class(cards)).or_insert_with(|| Class {
            cards: cards.to_vec(),
            ways: 0,
        });
        class.ways += u128::from(ways);
    });
    classes.into_values().collect()
}

/// Classes with a few suited hands apart by suit: the royal of one suit, which some tables pay more.
pub(crate) fn threes() -> Vec<Class> {
    let mut found = Vec::new();
    for class in classes(3, three_class) {
        let royal = three::rank(&class.cards).is_some_and(three::Hand::is_mini_royal);
        if !royal {
            found.push(class);
            continue;
        }
        for suit in 0..4 {
            let suited = |card: &Card| Card::from_index(card.index() / 4 * 4 + suit);
            found.push(Class {
                cards: class.cards.iter().filter_map(suited).collect(),
                ways: class.ways / 4,
            });
        }
    }
    found
}

pub(crate) fn three_class(cards: &[Card]) -> u32 {
    three::rank(cards).map_or(0, |hand| {
        20 * hand.category() as u32 + u32::from(hand.ranks()[0].index())
    })
}

pub(crate) fn four_class(cards: &[Card]) -> u32 {
    four::rank(cards).map_or(0, |hand| {
        20 * hand.category() as u32 + u32::from(hand.ranks()[0].index())
    })
}

pub(crate) fn five_class(cards: &[Card]) -> u32 {
    five::rank(cards).map_or(0, |hand| {
        20 * hand.category() as u32 + u32::from(hand.ranks()[0].index())
    })
}

/// The class of the best five of six.
pub(crate) fn six_class(cards: &[Card]) -> u32 {
    five::rank(cards).map_or(0, |hand| hand.category() as u32)
}

/// So many cards that lie beside these.
pub(crate) fn others(known: &[Card], count: usize) -> Vec<Card> {
    // An order in which no neighbours make a hand.
    let order = (0..52u8)
        .map(|at| at * 11 % 52)
        .filter_map(Card::from_index);
    order
        .filter(|card| !known.contains(card))
        .take(count)
        .collect()
}

/// The cards as documents write them.
pub(crate) fn names(cards: &[Card]) -> Value {
    cards.iter().map(Card::to_string).collect()
}

/// Hands drawn from the first cards of the deck, always the same.
#[cfg(test)]
pub(crate) fn drawn(deck: u8, cards: usize, hands: usize) -> Vec<Vec<Card>> {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut next = move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    };
    let mut hand = || {
        let mut deck: Vec<Card> = (0..deck).filter_map(Card::from_index).collect();
        let mut hand = Vec::new();
        for _ in 0..cards {
            hand.push(deck.swap_remove(next() as usize % deck.len()));
        }
        hand
    };
    (0..hands).map(|_| hand()).collect()
}
