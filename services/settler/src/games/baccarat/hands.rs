//! The two hands of a table. Whoever turns the cards, a hand is not his: a seat that is told with one is
//! that of the player who handles it.

use catwalk_events::body::{Body, CardPlace, Face};
use catwalk_rules::Edition;
use catwalk_rules::floor::Card;
use catwalk_rules::games::are_baccarat_hands_complete;

use super::words::plain;
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

/// Has a hand fewer than its first two cards?
pub(super) fn is_short(round: &RoundFold) -> bool {
    let places = [CardPlace::Player, CardPlace::Banker];
    places.iter().any(|&place| hand(round, place).len() < 2)
}

/// Did both hands get every card that was due to them? Nobody can say where a card was not seen.
pub(super) fn are_complete(round: &RoundFold) -> bool {
    let seen = |place| -> Option<Vec<Card>> {
        let cards = hand(round, place).into_iter();
        cards.map(|card| card?.parse().ok()).collect()
    };
    let is_ohio = round.rules.edition == Edition::OhJack2017.name();
    let stray_to_banker = !is_ohio || is_undisclosed(round);
    let hands = seen(CardPlace::Player).zip(seen(CardPlace::Banker));
    hands.is_some_and(|(player, banker)| {
        are_baccarat_hands_complete(&player, &banker, stray_to_banker)
    })
}

/// Was the Player's third card dealt so that nobody saw it? One that lay face down and was turned later is the
/// Banker's unless he drew his own. 14.B, 14.C of Ohio
pub(super) fn is_undisclosed(round: &RoundFold) -> bool {
    let mut told = round.irregularities();
    let is_told = told.any(|told| plain(&told.kind) == "undisclosed_card");
    let dealt = round.play.iter().filter_map(|(_, body)| match body {
        Body::CardDealt(dealt) if dealt.to == CardPlace::Player => Some(dealt.face),
        _ => None,
    });
    let lay_down = dealt.skip(2).take(1).any(|face| face == Face::Down);
    let was_turned = round.play.iter().any(|(_, body)| match body {
        Body::CardRevealed(shown) => shown.to == CardPlace::Player && shown.index == 2,
        _ => false,
    });
    let has_drawn = || hand(round, CardPlace::Banker).len() > 2;
    is_told || lay_down && !(was_turned && has_drawn())
}
