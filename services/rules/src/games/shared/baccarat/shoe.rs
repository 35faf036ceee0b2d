//! The shoe: how many decks it may have, and which cards can come out of it.

use serde::Deserialize;

use crate::floor::{Card, CardCounts};
use crate::refusal::Refusal;
use crate::settlement::Violations;

/// How many decks a shoe may have.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct LawfulDecks {
    fewest: i64,
    /// Left out where the rules set no upper limit.
    most: Option<i64>,
}

impl LawfulDecks {
    fn allow(self, decks: i64) -> bool {
        decks >= self.fewest && self.most.is_none_or(|most| decks <= most)
    }
}

/// Flags a number of decks that is not lawful, and a card that came out of the shoe more often than
/// there are decks.
pub(crate) fn flag_shoe<'a>(
    decks: i64,
    lawful: LawfulDecks,
    mut dealt: impl Iterator<Item = &'a Card>,
    violations: &mut Violations,
) {
    violations.add_if(!lawful.allow(decks), "deck.illegal_count");
    let mut shoe = CardCounts::shoe(u8::try_from(decks).unwrap_or(u8::MAX), 0);
    violations.add_if(!dealt.all(|&card| shoe.take(card)), "deck.duplicate_card");
}

/// Refuses the joker, which no baccarat deck has.
pub(crate) fn refuse_jokers(cards: &[Card], place: &str) -> Result<(), Refusal> {
    match cards.iter().position(|card| card.is_joker()) {
        Some(index) => Err(Refusal::at(
            format!("{place}[{index}]"),
            "\"JK\" is not a card of this game: its decks have no joker",
        )),
        None => Ok(()),
    }
}
