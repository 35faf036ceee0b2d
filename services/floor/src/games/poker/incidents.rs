//! What goes wrong at an honest table, and is ruled on as it should be. 15(i)-(o)

use catwalk_events::body::Body;
use rand::RngExt;
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;
use serde_json::{Value, json};

use super::Poker;
use super::forms::Family;
use super::hand::Table;
use crate::games::holdem::irregularity;

/// One hand in so many has an incident of a kind.
const RARELY: u32 = 40;

impl Poker {
    /// Whose first hole card is turned up in the dealing.
    pub(super) fn expose_hole_card(&self, order: &[usize], rng: &mut ChaCha8Rng) -> Option<usize> {
        // The later text asks for concealment.
        let happens = self.form.is_stud() && !self.amended && rng.random_range(0..RARELY) == 0;
        order.choose(rng).copied().filter(|_| happens)
    }

    /// Whose last card of seven-card stud, or third of mambo, is turned up.
    pub(super) fn expose_last_card(
        &self,
        table: &Table,
        round: usize,
        order: &[usize],
        rng: &mut ChaCha8Rng,
    ) -> Option<usize> {
        let is_last = match self.form.family {
            Family::SevenCardStud => round == 4,
            Family::Mambo => round == 1,
            _ => false,
        };
        let happens = is_last
            && !self.amended
            && table.incidents.is_empty()
            && rng.random_range(0..RARELY) == 0;
        order.choose(rng).copied().filter(|_| happens)
    }

    /// Whose last card of the first deal is turned up in hold'em or an omaha.
    pub(super) fn expose_down_card(&self, order: &[usize], rng: &mut ChaCha8Rng) -> Option<usize> {
        let happens = self.form.family == Family::Board && !self.amended;
        let happens = happens && rng.random_range(0..RARELY) == 0;
        order.choose(rng).copied().filter(|_| happens)
    }

    /// A card falls off the table: it is out of the round.
    pub(super) fn drop_card(&mut self, table: &mut Table, rng: &mut ChaCha8Rng) {
        if !table.incidents.is_empty() || rng.random_range(0..RARELY) > 0 {
            return;
        }
        let Some(card) = self.card_of_the_stub(&table.dealt.events) else {
            return;
        };
        let incident = json!({"kind": "off_table", "cards": [card]});
        table.dealt.insert(self.first_deal, told(&incident));
        table.incidents.push(incident);
    }

    /// A card that nobody was dealt; it is counted with the stub.
    pub(super) fn card_of_the_stub(&mut self, events: &[Body]) -> Option<String> {
        let card = self.decks.draw()?.to_string();
        let is_out = |body: &&Body| matches!(body, Body::CardDealt(_) | Body::CardBurned(_));
        self.decks.put_back(events.iter().filter(is_out).count());
        Some(card)
    }
}

impl Table {
    pub(super) fn tell(&mut self, incident: &Value) {
        self.dealt.events.push(told(incident));
        self.incidents.push(incident.clone());
    }

    /// Who has his last card exposed bets no more, or goes on as if nothing had been.
    pub(super) fn elect(&mut self, exposed: Option<usize>, rng: &mut ChaCha8Rng) {
        let Some(place) = exposed else { return };
        let stops = rng.random_range(0..2) == 0;
        self.players[place].is_stopped = stops;
        let elects = if stops { "stop" } else { "continue" };
        let seat = self.players[place].seat;
        self.tell(&json!({"kind": "last_hole_exposed", "seat": seat, "elects": elects}));
    }
}

/// The event that tells of an incident. When it was noticed, its place in the feed says.
pub(super) fn told(incident: &Value) -> Body {
    let mut detail = incident.clone();
    if let Some(detail) = detail.as_object_mut() {
        let kind = detail.remove("kind").unwrap_or_default();
        detail.insert("code".into(), kind);
        detail.remove("round");
        detail.remove("after");
    }
    irregularity(&detail)
}

/// Does a player who gives up lose his hand in another way? Whom nobody acted before might have opened.
pub(super) fn loses_hand(incidents: &[Value], rounds: &[Vec<Value>], rng: &mut ChaCha8Rng) -> bool {
    let acted = rounds.last().is_some_and(|actions| !actions.is_empty());
    acted && incidents.is_empty() && rng.random_range(0..RARELY) == 0
}

/// A hand that its player left, that the dealer took up, or that was fouled. 15(i)
pub(super) fn lost_hand(seat: u32, round: usize, after: usize, rng: &mut ChaCha8Rng) -> Value {
    let (kind, protected) = match rng.random_range(0..4) {
        0 => ("left_table", false),
        1 => ("hand_collected", false),
        2 => ("hand_fouled", false),
        _ => ("hand_fouled", true),
    };
    json!({"kind": kind, "seat": seat, "round": round, "after": after, "protected": protected})
}
