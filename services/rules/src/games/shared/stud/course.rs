//! A round of these games, of three card poker and of its kin as a feed tells it.

use std::collections::BTreeMap;

use serde::de::DeserializeOwned;

use super::areas::Players;
use super::deal::BySeat;
use crate::floor::{Card, Cents, Seat};
use crate::games::shared::ante_play::DealtHand;
use crate::games::shared::progressive::Meters;

/// All that their documents have. Each takes of it what its own has.
#[derive(Debug)]
pub struct Course<I> {
    /// By seat.
    pub hands: Vec<DealtHand>,
    /// The cards of the dealer, or those of the board.
    pub house: Vec<Card>,
    pub burned: Option<Vec<Card>>,
    /// What was said of each bet.
    pub rides: Vec<(Seat, BTreeMap<&'static str, &'static str>)>,
    pub abandoned: Vec<Seat>,
    pub ruled_valid: Vec<Seat>,
    /// Nothing where nobody read one.
    pub meters: BTreeMap<&'static str, Option<Cents>>,
    pub irregularities: Vec<I>,
}

/// `play` of such a game.
pub trait StudPlay {
    /// An entry of its irregularities.
    type Irregularity: DeserializeOwned;

    fn of(course: Course<Self::Irregularity>) -> Self;
}

impl<I> Course<I> {
    pub(crate) fn meters(&self) -> Meters {
        Meters {
            progressive: self.meters.get("progressive").copied(),
        }
    }
}

/// Hands as they are written by seat, and who sits there.
pub(crate) fn by_seat(hands: Vec<DealtHand>) -> (BySeat<Vec<Card>>, Players) {
    let (mut cards, mut players) = (BySeat::default(), BySeat::default());
    for hand in hands {
        if !hand.cards.is_empty() {
            cards.0.insert(hand.seat, hand.cards);
        }
        players
            .0
            .extend(hand.player.map(|player| (hand.seat, player)));
    }
    (cards, Players(players))
}

/// Nothing where the list is empty.
pub(crate) fn any<T>(list: Vec<T>) -> Option<Vec<T>> {
    (!list.is_empty()).then_some(list)
}
