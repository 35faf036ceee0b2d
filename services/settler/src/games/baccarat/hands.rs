//! The two hands of a table. Whoever turns the cards, a hand is not his: a seat that is told with one is
//! that of the player who handles it.

use catwalk_events::body::{Body, CardPlace};

use crate::round::RoundFold;

/// The cards of a hand in the order dealt, as they were shown in the end; `None` for one that nobody
/// saw.
pub(in crate::games) fn hand(round: &RoundFold, place: CardPlace) -> Vec<Option<&str>> {
    let mut cards: Vec<Option<&str>> = Vec::new();
    for (_, body) in &round.play {
        match body {
            Body::CardDealt(dealt) if dealt.to == place => cards.push(dealt.card.as_deref()),
            Body::CardRevealed(shown) if shown.to == place => {
                if let Some(card) = cards.get_mut(shown.index as usize) {
                    *card = Some(&shown.card);
                }
            }
            _ => {}
        }
    }
    cards
}

/// Cards that lie in both hands.
pub(super) fn dealt(round: &RoundFold) -> usize {
    let places = [CardPlace::Player, CardPlace::Banker];
    places.iter().map(|&place| hand(round, place).len()).sum()
}
