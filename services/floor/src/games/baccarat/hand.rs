//! Counting and drawing at the baccarat games.

use catwalk_events::body::{Body, CardDealt, CardPlace, Face};
use catwalk_rules::floor::{Card, Rank};

pub(in crate::games) fn dealt(to: CardPlace, card: Card, face: Face) -> Body {
    let card = Some(card.to_string());
    CardDealt {
        to,
        seat: None,
        hand: None,
        card,
        face,
        back: None,
    }
    .into()
}

pub(in crate::games) fn text(cards: &[Card]) -> Vec<String> {
    cards.iter().map(Card::to_string).collect()
}

pub(in crate::games) fn value(card: Card) -> u8 {
    match card.rank() {
        Some(Rank::Ace) => 1,
        Some(rank) if rank < Rank::Ten => rank.index() + 2,
        _ => 0,
    }
}

pub(super) fn burn_value(card: Card) -> u8 {
    match value(card) {
        0 => 10,
        value => value,
    }
}

pub(in crate::games) fn points(hand: &[Card]) -> u8 {
    hand.iter().map(|&card| value(card)).sum::<u8>() % 10
}

/// How a dealer learns it: by the Banker's count, the third cards of the Player that make it draw.
pub(in crate::games) fn banker_draws(count: u8, third: Option<u8>) -> bool {
    let Some(third) = third else {
        return count <= 5;
    };
    match count {
        0..=2 => true,
        3 => third != 8,
        4 => (2..=7).contains(&third),
        5 => (4..=7).contains(&third),
        6 => (6..=7).contains(&third),
        _ => false,
    }
}
