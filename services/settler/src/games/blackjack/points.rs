//! What cards count, as far as the fold must know it.

use catwalk_rules::floor::{Card, Rank};

/// The total, and whether an ace counts eleven in it.
pub(super) fn total(cards: &[Card]) -> (u32, bool) {
    let hard: u32 = cards.iter().map(|&card| points(card)).sum();
    let soft = hard <= 11 && cards.iter().any(|card| card.rank() == Some(Rank::Ace));
    (if soft { hard + 10 } else { hard }, soft)
}

/// An ace and a ten-card, and nothing else.
pub(super) fn is_blackjack(cards: &[Card]) -> bool {
    cards.len() == 2 && total(cards) == (21, true)
}

pub(super) fn is_ace(card: Card) -> bool {
    card.rank() == Some(Rank::Ace)
}

/// May the dealer who shows this card have blackjack? Where decks have no tens, a stray ten is none.
pub(super) fn threatens(card: Card, without_tens: bool) -> bool {
    is_ace(card) || points(card) == 10 && !(without_tens && card.rank() == Some(Rank::Ten))
}

pub(super) fn is_seven(card: &str) -> bool {
    card.starts_with('7')
}

fn points(card: Card) -> u32 {
    match card.rank() {
        Some(Rank::Ace) => 1,
        Some(rank) if rank < Rank::Ten => u32::from(rank.index()) + 2,
        Some(_) => 10,
        None => 0,
    }
}
