//! Cards as they lie on a poker table, wrong ones included.

use std::collections::BTreeMap;
use std::fmt;

use serde::de::{self, Visitor};
use serde::{Deserialize, Deserializer};

use crate::floor::{Card, CardCounts, Seat};
use crate::refusal::Refusal;
use crate::settlement::Violations;

/// A card on the table: one of the 52, or a foreign one such as a joker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TableCard(Option<Card>);

impl<'de> Deserialize<'de> for TableCard {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<TableCard, D::Error> {
        struct CardCode;
        impl Visitor<'_> for CardCode {
            type Value = TableCard;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a card such as \"TD\"")
            }
            fn visit_str<E: de::Error>(self, text: &str) -> Result<TableCard, E> {
                let card = text.parse().ok().filter(|card: &Card| !card.is_joker());
                Ok(TableCard(card))
            }
        }
        deserializer.deserialize_str(CardCode)
    }
}

/// The cards of the deck among these; all of them in a round without a foreign card.
pub(crate) fn of_deck(cards: &[TableCard]) -> Vec<Card> {
    cards.iter().filter_map(|card| card.0).collect()
}

/// Flags what cannot come from so many decks. False if a card is foreign: then the decks are not
/// those of the rules.
pub(crate) fn check_deck<'a>(
    cards: impl Iterator<Item = &'a TableCard>,
    decks: u8,
    violations: &mut Violations,
) -> bool {
    let mut left = CardCounts::shoe(decks, 0);
    let mut foreign = false;
    for card in cards {
        match card.0 {
            Some(card) => violations.add_if(!left.take(card), "deck.duplicate_card"),
            None => foreign = true,
        }
    }
    violations.add_if(foreign, "deck.foreign_card");
    !foreign
}

/// Does a card lie there that is of no deck?
pub(crate) fn has_foreign<'a>(mut cards: impl Iterator<Item = &'a TableCard>) -> bool {
    cards.any(|card| card.0.is_none())
}

/// Where a hand lies whose seat the document does not say: at no position of the table.
pub(crate) fn no_position() -> Seat {
    Seat::HOUSE
}

/// The hands by seat. A seat is dealt one hand, so a second one describes nothing.
pub(crate) fn by_seat<H>(
    hands: &[H],
    seat_of: impl Fn(&H) -> Seat,
) -> Result<BTreeMap<Seat, &H>, Refusal> {
    let mut by_seat = BTreeMap::new();
    for (index, hand) in hands.iter().enumerate() {
        let seat = seat_of(hand);
        if by_seat.insert(seat, hand).is_some() {
            return Err(Refusal::at(
                format!("play.hands[{index}].seat"),
                format!("seat {seat} has two hands"),
            ));
        }
    }
    Ok(by_seat)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cards(codes: &str) -> Vec<TableCard> {
        serde_json::from_value(codes.split_whitespace().collect()).unwrap()
    }

    fn checked(codes: &str, decks: u8) -> (bool, Vec<&'static str>) {
        let mut violations = Violations::default();
        let whole = check_deck(cards(codes).iter(), decks, &mut violations);
        (whole, violations.iter().collect())
    }

    #[test]
    fn a_card_may_lie_as_often_as_there_are_decks() {
        assert_eq!(checked("9S 9D 9H", 1), (true, vec![]));
        assert_eq!(checked("9S 9D 9S", 1), (true, vec!["deck.duplicate_card"]));
        assert_eq!(checked("9S 9D 9S", 2), (true, vec![]));
    }

    #[test]
    fn jokers_and_other_codes_are_foreign() {
        for code in ["JK", "1S", "9s", "", "RULES"] {
            let lie = serde_json::from_value(serde_json::json!(["9S", code])).unwrap();
            let lie: Vec<TableCard> = lie;
            let mut violations = Violations::default();
            assert!(!check_deck(lie.iter(), 8, &mut violations), "{code}");
            assert!(violations.contains("deck.foreign_card"));
            assert_eq!(of_deck(&lie).len(), 1);
        }
    }
}
