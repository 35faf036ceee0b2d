//! The two hands of a table. Whoever turns the cards, a hand is not his: a seat that is told with one is
//! that of the player who handles it.

use catwalk_events::body::{Body, CardPlace, Face};
use catwalk_rules::games::banker_draws;

use super::points::count;
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

/// Where cards lie that were dealt against the rules and that nobody saw. Unless the Banker has to take it,
/// such a card is the first of the next hand, whatever it is.
pub(super) fn unseen_strays(round: &RoundFold) -> Vec<(CardPlace, usize)> {
    let [player, banker] = [CardPlace::Player, CardPlace::Banker].map(|place| hand(round, place));
    let two = |cards: &[Option<&str>]| cards.get(..2).and_then(count);
    let (Some(of_player), Some(of_banker)) = (two(&player), two(&banker)) else {
        return Vec::new();
    };
    let is_natural = of_player >= 8 || of_banker >= 8;
    let stays = is_natural || of_player >= 6;
    let third = player.get(2).filter(|_| !stays);
    let drawn = third.map(|card| card.and_then(|card| card.parse().ok()));
    // What the Banker has to do hangs on a third card that nobody saw.
    if drawn == Some(None) {
        return Vec::new();
    }
    let must_draw = !is_natural && banker_draws(of_banker, drawn.flatten());
    let lawful = |draws: bool| if draws { 3 } else { 2 };
    let of = |place, cards: Vec<Option<&str>>, lawful: usize| {
        let places = cards.into_iter().enumerate().skip(lawful);
        let unseen = places.filter(|(_, card)| card.is_none());
        unseen
            .map(move |(index, _)| (place, index))
            .collect::<Vec<_>>()
    };
    let strays = of(CardPlace::Player, player, lawful(!stays));
    [strays, of(CardPlace::Banker, banker, lawful(must_draw))].concat()
}
