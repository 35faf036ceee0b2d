//! The two hands of a table. Whoever turns the cards, a hand is not his: a seat that is told with one is
//! that of the player who handles it.

use catwalk_events::body::{Body, CardPlace};

use super::points::count;
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

/// Did the Player get a third card against the rules, which nobody saw? Unless the Banker has to take it,
/// it is the first card of the next hand, whatever it is.
pub(super) fn has_unseen_stray(round: &RoundFold) -> bool {
    let counts = [CardPlace::Player, CardPlace::Banker].map(|place| {
        let cards = hand(round, place);
        cards.get(..2).and_then(count)
    });
    let [Some(player), Some(banker)] = counts else {
        return false;
    };
    let is_bound_to_stay = player >= 6 || banker >= 8;
    is_bound_to_stay && hand(round, CardPlace::Player).get(2) == Some(&None)
}
