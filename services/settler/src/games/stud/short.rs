//! Hands that were dealt too few cards. The cards of a hand are known by their events: one that was begun and not
//! finished is a misdeal, whether or not anybody said so, and goes into the document as one.

use catwalk_events::body::{Body, CardPlace};
use serde_json::{Value, json};

use super::table::is_house;
use super::{Form, Stud};
use crate::fault::Fault;
use crate::round::RoundFold;

/// A hand that lacks cards.
pub(super) struct Short {
    /// The seat; the house where there is none.
    pub(super) seat: Option<u32>,
    dealt: usize,
}

impl Stud {
    /// Those of a round that nothing else voids.
    pub(super) fn short_deal(&self, round: &RoundFold) -> Vec<Short> {
        if self.is_void_otherwise(round) {
            return Vec::new();
        }
        let lacks = |cards: usize, due: usize| (1..due).contains(&cards);
        let is_held = |seat: &u32| {
            let has = |kind: &str| {
                round
                    .wagers
                    .iter()
                    .any(|w| w.seat == *seat && w.kind == kind)
            };
            self.form == Form::BySeat || self.laid.is_bought(has)
        };
        let told = |seat: u32| self.has_own_count(round, seat);
        let seats = self.seats(round, &[]).into_iter();
        let hands = seats
            .filter(|seat| is_held(seat) && !told(*seat))
            .map(|seat| Short {
                seat: Some(seat),
                dealt: self.cards_of(round, seat).len(),
            });
        let hands = hands.filter(|short| lacks(short.dealt, self.laid.hand));
        let house = self.house_in_document(round, false).len();
        let is_completed = self.laid.completed == Some(house);
        let lacks_house = lacks(house, self.laid.house_cards) && !is_completed;
        let house = (lacks_house && self.is_house_played(round)).then_some(Short {
            seat: None,
            dealt: house,
        });
        hands.chain(house).collect()
    }

    /// Does it void the round, and not one hand alone?
    pub(super) fn voids_round(&self, short: &Short) -> bool {
        short.seat.is_none() || !self.laid.voids_hand.contains(&CARD_COUNT)
    }

    /// As the document tells of it.
    pub(super) fn short_entry(&self, short: &Short) -> Value {
        match (self.form, short.seat) {
            (Form::Listed, _) => json!({"code": CARD_COUNT}),
            (Form::BySeat, Some(seat)) => {
                json!({"code": CARD_COUNT, "seat": seat, "dealt": short.dealt})
            }
            (Form::BySeat, None) => {
                json!({"code": CARD_COUNT, "area": self.area(), "dealt": short.dealt})
            }
        }
    }

    /// Where the document has no word for it beside the entry that voids the round.
    pub(super) fn tell_short_deal(&self, round: &RoundFold, faults: &mut Vec<Fault>) {
        let short = self.short_deal(round);
        let Some(first) = short.first().filter(|_| self.form == Form::Listed) else {
            return;
        };
        let is_its = |body: &Body| match body {
            Body::CardDealt(card) => match first.seat {
                Some(_) => card.to == CardPlace::Seat && card.seat == first.seat,
                None => is_house(card.to),
            },
            _ => false,
        };
        let cards = round.play.iter().filter(|(_, body)| is_its(body));
        let evidence: Vec<u64> = cards.map(|(seq, _)| *seq).collect();
        let whose = match first.seat {
            Some(seat) => format!("Seat {seat}"),
            None => "The dealer".to_owned(),
        };
        let message = format!("{whose} was dealt {} cards", first.dealt);
        faults.push(Fault::new("deal.card_count", evidence, message));
    }
}

const CARD_COUNT: &str = "card_count";
