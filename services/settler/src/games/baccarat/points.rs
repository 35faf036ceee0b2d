//! Point counts, to hold what is said against what lies.

use catwalk_rules::floor::{Card, Rank};

/// Ace 1, two to nine their number, tens and faces 0.
pub(in crate::games) fn value(card: Card) -> u8 {
    match card.rank() {
        Some(Rank::Ace) => 1,
        Some(rank) if rank < Rank::Ten => rank.index() + 2,
        _ => 0,
    }
}

/// What a hand counts; nothing where a card was never seen.
pub(super) fn count(cards: &[Option<&str>]) -> Option<u8> {
    let cards = cards
        .iter()
        .map(|card| card.and_then(|card| card.parse().ok()));
    let values = cards.map(|card: Option<Card>| card.map(value));
    let sum: u8 = values.sum::<Option<u8>>()?;
    Some(sum % 10)
}
