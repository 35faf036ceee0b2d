//! Cards that were dealt face up and that nobody saw.
//!
//! What lies face down and what is burned may go away unseen, and so may the cards of a round that was called off. A
//! table that has never told of any card that it dealt face up which one it was has a feed that cannot tell, and is
//! not held to it.

use catwalk_events::Event;
use catwalk_events::body::{Body, CardDealt, CardPlace, CardRevealed, Face};
use serde::{Deserialize, Serialize};

use super::Sighting;

/// So many cards of a round are kept.
const MAX_CARDS: usize = 1_024;

/// The cards of the round that is dealt.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct Faces {
    round: Option<String>,
    lying: Vec<Lying>,
    /// The table tells which cards it deals face up.
    tells: bool,
    /// Events of the round are missing.
    blind: bool,
}

#[derive(Debug, Serialize, Deserialize)]
struct Lying {
    to: CardPlace,
    seat: Option<u32>,
    hand: u32,
    face: Face,
    is_seen: bool,
    seq: u64,
}

impl Faces {
    pub(super) fn lose(&mut self) {
        self.blind = true;
    }

    pub(super) fn see(&mut self, event: &Event, seen: &mut Vec<Sighting>) {
        match &event.body {
            Body::RoundOpened(_) => self.begin(event),
            Body::CardDealt(dealt) => {
                if self.round != event.round {
                    self.begin(event);
                }
                self.deal(dealt, event.seq);
            }
            Body::CardRevealed(shown) => self.turn(shown),
            // Who sets a hand tells all of its cards.
            Body::HandSet(set) => {
                let of_it = |one: &&mut Lying| one.seat == set.seat;
                self.lying
                    .iter_mut()
                    .filter(of_it)
                    .for_each(|one| one.is_seen = true);
            }
            Body::RoundVoided(_) => self.lying.clear(),
            Body::RoundClosed(_) if self.round == event.round => {
                let evidence: Vec<u64> = self.unseen().map(|(_, one)| one.seq).collect();
                if let Some(message) = self.message().filter(|_| self.tells && !self.blind) {
                    seen.push(Sighting::new("deal.card_unseen", evidence, message));
                }
                self.lying.clear();
            }
            _ => {}
        }
    }

    fn begin(&mut self, event: &Event) {
        self.round.clone_from(&event.round);
        self.lying.clear();
        self.blind = false;
    }

    fn deal(&mut self, dealt: &CardDealt, seq: u64) {
        let is_seen = dealt.card.is_some();
        self.tells |= is_seen && dealt.face == Face::Up;
        if self.lying.len() < MAX_CARDS {
            self.lying.push(Lying {
                to: dealt.to,
                seat: dealt.seat,
                hand: dealt.hand.unwrap_or(1),
                face: dealt.face,
                is_seen,
                seq,
            });
        }
    }

    /// A card is turned over. Feeds count the cards of a split hand in more ways than one, and name seats or do
    /// not: what is no place of an unseen card means one of the same seat, or else of the same side.
    fn turn(&mut self, shown: &CardRevealed) {
        let of_side = |one: &Lying| one.to == shown.to;
        let of_seat = |one: &Lying| of_side(one) && one.seat == shown.seat;
        let hand = shown.hand.unwrap_or(1);
        let places = || self.lying.iter().enumerate();
        let of_hand = places().filter(|(_, one)| of_seat(one) && one.hand == hand);
        let named = of_hand.map(|(at, _)| at).nth(shown.index as usize);
        let unseen = |is_it: &dyn Fn(&Lying) -> bool| {
            let mut unseen = places().filter(|(_, one)| !one.is_seen && is_it(one));
            unseen.next().map(|(at, _)| at)
        };
        let named = named.filter(|&at| !self.lying[at].is_seen);
        let at = named
            .or_else(|| unseen(&of_seat))
            .or_else(|| unseen(&of_side));
        if let Some(one) = at.and_then(|at| self.lying.get_mut(at)) {
            self.tells |= one.face == Face::Up;
            one.is_seen = true;
        }
    }

    /// With the number of each within its hand.
    fn unseen(&self) -> impl Iterator<Item = (usize, &Lying)> {
        let numbered = self.lying.iter().enumerate().map(|(at, one)| {
            let earlier = self.lying[..at].iter();
            let of_hand = earlier.filter(|other| other.hand_of() == one.hand_of());
            (of_hand.count() + 1, one)
        });
        numbered.filter(|(_, one)| one.face == Face::Up && !one.is_seen)
    }

    fn message(&self) -> Option<String> {
        let mut unseen = self.unseen();
        let (number, first) = unseen.next()?;
        let first = first.named(number);
        Some(match unseen.count() {
            0 => format!("{first} was dealt face up and nobody saw it"),
            1 => format!("{first} and another were dealt face up and nobody saw them"),
            more => format!("{first} and {more} others were dealt face up and nobody saw them"),
        })
    }
}

impl Lying {
    fn hand_of(&self) -> (CardPlace, Option<u32>, u32) {
        (self.to, self.seat, self.hand)
    }

    fn named(&self, number: usize) -> String {
        const ORDINALS: [&str; 7] = [
            "first", "second", "third", "fourth", "fifth", "sixth", "seventh",
        ];
        let ordinal = number.checked_sub(1).and_then(|at| ORDINALS.get(at));
        let card = match ordinal {
            Some(ordinal) => format!("{ordinal} card"),
            None => format!("card {number}"),
        };
        match (self.to, self.seat) {
            (CardPlace::Dealer, _) => format!("The dealer's {card}"),
            (CardPlace::Player, _) => format!("The Player's {card}"),
            (CardPlace::Banker, _) => format!("The Banker's {card}"),
            (CardPlace::Community, _) => format!("The {card} on the layout"),
            (CardPlace::Seat, Some(seat)) => format!("The {card} of seat {seat}"),
            (CardPlace::Seat, None) => format!("The {card} of a player"),
        }
    }
}
