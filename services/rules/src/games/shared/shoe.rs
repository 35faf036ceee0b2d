//! The cards of a shoe: which are foreign to it, and how often each may lie on the table.

use crate::floor::{Card, CardCounts};
use crate::refusal::Refusal;
use crate::settlement::Violations;

/// Refuses a joker, which counts nothing: it may only lie among the burned cards.
pub(crate) fn refuse_jokers(cards: &[Card], place: &str) -> Result<(), Refusal> {
    match cards.iter().position(|card| card.is_joker()) {
        Some(index) => Err(joker_at(format!("{place}[{index}]"))),
        None => Ok(()),
    }
}

pub(crate) fn joker_at(place: impl Into<String>) -> Refusal {
    Refusal::at(
        place,
        "\"JK\" is not a card of this game; a stray one belongs into `burned`",
    )
}

/// Flags a card that lies more often than the shoe has decks, and jokers that had to be burned.
pub(crate) fn flag_cards(
    cards: impl IntoIterator<Item = Card>,
    decks: i64,
    violations: &mut Violations,
) {
    // No round shows a card 255 times, so more decks than that cannot matter.
    let mut shoe = CardCounts::shoe(decks.clamp(0, 255) as u8, 0);
    for card in cards {
        if card.is_joker() {
            violations.add("deck.foreign_card");
        } else if !shoe.take(card) {
            violations.add("deck.duplicate_card");
        }
    }
}
