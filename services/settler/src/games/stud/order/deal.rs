//! Cards that were dealt out of their turn or with the wrong face.

use catwalk_events::body::{Body, CardDealt, Face};

use super::super::Stud;
use super::super::table::is_house;
use super::{Order, dealt, is_irregular, once};
use crate::fault::Fault;
use crate::games::{Scene, Windows};
use crate::round::{MAIN_WINDOW, RoundFold};

impl Stud {
    pub(super) fn breaks_deal(&self, order: Order, scene: &Scene<'_>) -> Option<Fault> {
        let round = scene.round;
        match (order, scene.body) {
            (Order::DealAfterTheCall, Body::BettingClosed(call)) => {
                let window = self.called(round, call.window.as_deref());
                let closes = window == MAIN_WINDOW && !self.laid.first_card_closes(round);
                dealt_before_call(scene, closes)
            }
            (Order::Deal { house_may_lead }, Body::CardDealt(card)) => {
                self.dealt_out_of_turn(scene, card, house_may_lead)
            }
            (Order::LastCardUp, Body::CardDealt(card)) if is_house(card.to) => {
                let house: Vec<Face> = house_faces(round);
                let hidden = house.iter().all(|face| *face == Face::Down);
                let early = card.face == Face::Up && house.len() < 5 && hidden;
                let last = dealt(round).last().map(|(_, card)| card.to);
                let apart = house.len() == 5 && !last.is_some_and(is_house) && !is_irregular(round);
                self.misplaced_up_card(scene, early || apart)
            }
            // A card that was told face down may be turned over, but before anybody decides.
            (Order::LastCardUp, Body::Decision(_)) => {
                let hidden = house_faces(round).len() > 5 && self.exposed(round).is_empty();
                self.misplaced_up_card(scene, hidden)
            }
            (Order::FirstCardUp, Body::CardDealt(card)) if is_house(card.to) => {
                let way = round.rules.option("dealing");
                let stack = way.is_some_and(|way| way == "automated_shoe");
                let wrong = is_first_other(round, card, Face::Up);
                let wrong = wrong && !stack && !self.is_told_face_up(round);
                let message = "The dealer's open card is not his first";
                wrong.then(|| Fault::new("deal.order", vec![scene.seq], message.to_owned()))
            }
            (Order::FirstCardDown, Body::CardDealt(card)) if is_house(card.to) => {
                let wrong = is_first_other(round, card, Face::Down);
                let message = "The hidden common card is not the first";
                wrong.then(|| Fault::new("deal.order", vec![scene.seq], message.to_owned()))
            }
            _ => None,
        }
    }

    fn dealt_out_of_turn(
        &self,
        scene: &Scene<'_>,
        card: &CardDealt,
        house_may_lead: bool,
    ) -> Option<Fault> {
        let round = scene.round;
        let leads = house_may_lead && house_leads(round);
        let broken =
            self.breaks_turn(round, card, leads) || leads && self.is_stack_after_hands(round, card);
        // Beside a board that lies open a hand is told as it is shown.
        let open = |face: &Face| *face == Face::Up;
        let shown = self.laid.board && open(&card.face) && house_faces(round).iter().all(open);
        (broken && !shown && once(round, "deal.order")).then(|| {
            let message = "Not dealt clockwise from the first seat, the house in its turn";
            Fault::new("deal.order", vec![scene.seq], message.to_owned())
        })
    }

    fn misplaced_up_card(&self, scene: &Scene<'_>, misplaced: bool) -> Option<Fault> {
        const CODE: &str = "deal.upcard";
        let wrong = misplaced && once(scene.round, CODE) && !self.is_told_face_up(scene.round);
        let message = "The dealer's open card is not his sixth, right after the fifth";
        wrong.then(|| Fault::new(CODE, vec![scene.seq], message.to_owned()))
    }

    /// Is this card out of its turn? Hands may come card by card or as a stack.
    fn breaks_turn(&self, round: &RoundFold, card: &CardDealt, house_may_lead: bool) -> bool {
        let place = |card: &CardDealt| {
            if is_house(card.to) {
                u32::MAX
            } else {
                card.seat.unwrap_or(0)
            }
        };
        let now = place(card);
        let mut turn: Vec<u32> = Vec::new();
        let mut had: Vec<u32> = Vec::new();
        for (_, card) in dealt(round) {
            let next = place(card);
            if turn.last() == Some(&next) {
                continue;
            }
            // After the house, or with somebody who had a card in this turn already, it begins again.
            if turn.contains(&next) || turn.last() == Some(&u32::MAX) && had.contains(&next) {
                turn.clear();
            }
            turn.push(next);
            had.push(next);
        }
        if is_irregular(round) {
            return false;
        }
        // Within a turn the seats rise and the house is last. Who is passed over has a card too few, which
        // is no matter of the order.
        match turn.last() {
            None => false,
            Some(&last) if last == now || turn.contains(&now) => false,
            Some(&u32::MAX) if had.contains(&now) => false,
            Some(&last) => now < last && !(house_may_lead && turn == [u32::MAX]),
        }
    }

    /// The dealer's stack is the first of an automated shoe (three card poker §9.B): is this a card of it after
    /// stacks of the players, at a table that says that it has such a shoe? A hand that is told as it is shown says
    /// nothing of its turn.
    fn is_stack_after_hands(&self, round: &RoundFold, card: &CardDealt) -> bool {
        let dealing = round.rules.option("dealing");
        if dealing.is_none_or(|way| way != "automated_shoe") {
            return false;
        }
        let before: Vec<&CardDealt> = dealt(round).map(|(_, card)| card).collect();
        let is_stack = |stack: &[&CardDealt]| {
            let is_of_it = |card: &&CardDealt| {
                !is_house(card.to) && card.seat == stack[0].seat && card.face == Face::Down
            };
            stack.len() == self.laid.hand && stack.iter().all(is_of_it)
        };
        let mut play = round.play.iter();
        let is_decided = play.any(|(_, body)| self.decides(body));
        is_house(card.to)
            && card.face == Face::Down
            && !before.is_empty()
            && before.chunks(self.laid.hand).all(is_stack)
            && !is_decided
            && !is_irregular(round)
    }
}

fn dealt_before_call(scene: &Scene<'_>, main: bool) -> Option<Fault> {
    const CODE: &str = "deal.before_close";
    let round = scene.round;
    let first = dealt(round).next().map(|(seq, _)| seq)?;
    // Who calls again while he deals has called before.
    let told = once(round, CODE) && main && !round.main_called;
    let message = "Cards were dealt before the betting was closed".to_owned();
    told.then(|| Fault::new(CODE, vec![first, scene.seq], message))
}

/// Does this card lie so as the first of the house should, which all before it do not?
fn is_first_other(round: &RoundFold, card: &CardDealt, face: Face) -> bool {
    let house = house_faces(round);
    !house.is_empty() && card.face == face && house.iter().all(|before| *before != face)
}

/// In Ohio an automated shoe, which is what a table has unless it says otherwise, deals the house first.
fn house_leads(round: &RoundFold) -> bool {
    let dealing = round.rules.option("dealing");
    let automated = dealing.is_none_or(|way| way == "automated_shoe");
    round.rules.edition.starts_with("oh-") && automated
}

fn house_faces(round: &RoundFold) -> Vec<Face> {
    dealt(round)
        .filter(|(_, card)| is_house(card.to))
        .map(|(_, card)| card.face)
        .collect()
}
