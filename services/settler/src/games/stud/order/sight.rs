//! Cards of the house that were seen before their time, or out of their order.

use catwalk_events::body::{Body, CardRevealed, Decision, Face};

use super::super::Stud;
use super::super::table::{Verb, at, is_house};
use super::{Order, dealt, once};
use crate::fault::Fault;
use crate::games::{Scene, Staking};
use crate::round::RoundFold;

impl Stud {
    pub(super) fn breaks_sight(&self, order: Order, scene: &Scene<'_>) -> Option<Fault> {
        let (round, body) = (scene.round, scene.body);
        match (order, body) {
            (Order::BoardLeftToRight, Body::CardRevealed(card)) if is_house(card.to) => {
                self.opened_out_of_order(scene, card)
            }
            (Order::BoardAfterDecisions, body) => self.decides_late(round, body, scene.seq),
            (Order::DealerHidden, _) if self.decides(body) => {
                let open = self.exposed(round).len();
                // What is put up when all of them are open is late.
                let late = matches!(body, Body::WagerPlaced(_)) && open >= self.laid.hand;
                let seen = open > 0 && !late && !self.is_told_face_up(round);
                let message = "A card of the dealer was seen before the last decision";
                told_once(scene, seen, "deal.dealer_card_exposed", message)
            }
            (Order::HoleCardsHidden, _) => {
                let message = "A hole card was seen before the betting was over";
                told_once(
                    scene,
                    self.is_hole_card_seen(scene),
                    HOLE_CARD_EXPOSED,
                    message,
                )
            }
            _ => None,
        }
    }

    fn opened_out_of_order(&self, scene: &Scene<'_>, card: &CardRevealed) -> Option<Fault> {
        let last = self.exposed(scene.round).last().map(|&(index, _)| index)?;
        let from_the_top = self.is_stack(scene.round) && (last, card.index) == (1, 0);
        if card.index as usize >= last || from_the_top {
            return None;
        }
        let message = "The board was not turned over from left to right".to_owned();
        Some(Fault::new(
            "deal.wrong_community_order",
            vec![scene.seq],
            message,
        ))
    }

    /// Was a hole card seen before the second call, or by who decides now?
    fn is_hole_card_seen(&self, scene: &Scene<'_>) -> bool {
        let round = scene.round;
        let open = self.exposed(round).len();
        match scene.body {
            Body::BettingClosed(call) => {
                let second = self.is_second_call(round, call.window.as_deref());
                let shown = |(_, body): &(u64, Body)| matches!(body, Body::CardRevealed(_));
                second && open > self.up_cards && round.play.iter().any(shown)
            }
            body => {
                let one = open == self.up_cards && self.laid.multiple.is_some();
                one && self.decides(body) && !self.is_told_face_up(round)
            }
        }
    }

    /// A decision on a street whose card lies open already. Of a bet that names no amount the chips say which street
    /// it is on: with those of the next one the seat has left a street out.
    fn decides_late(&self, round: &RoundFold, body: &Body, seq: u64) -> Option<Fault> {
        let verb = |said: &Decision| Verb::of(&said.action);
        let is_open_bet =
            |said: &Decision| verb(said) == Some(Verb::Play) && self.staked(round, said).is_none();
        let open = self.exposed(round).len();
        let street = self.laid.later.get(open.checked_sub(1)?)?;
        let next = self.laid.later.get(open).copied();
        let (said, seq) = match (round.play.last(), body) {
            (_, Body::Decision(said)) if !is_open_bet(said) => (said, seq),
            (Some((_, Body::Decision(said))), Body::WagerPlaced(placed))
                if placed.seat == said.seat && Some(&*placed.kind) == next =>
            {
                return None;
            }
            (Some((seq, Body::Decision(said))), _) if is_open_bet(said) => (said, *seq),
            _ => return None,
        };
        if !matches!(verb(said)?, Verb::Play | Verb::Fold) || !once(round, "deal.community_early") {
            return None;
        }
        let seat = said.seat;
        let has = |street: &str| at(round, seat, street).is_some();
        let decided = has(street) || is_open_bet(said) && next.is_some_and(has);
        let folded = self.told(round, seat) == Some(Verb::Fold);
        let skipped = self.laid.later[..open - 1]
            .iter()
            .any(|before| !has(before));
        // With its own street decided the seat speaks of the next one.
        if decided || folded || skipped {
            return None;
        }
        let message = format!("A card of the board was open before seat {seat} had decided");
        Some(Fault::new("deal.community_early", vec![seq], message).at_seat(seat))
    }

    /// Let it ride 9(c) in Massachusetts: an automated shoe deals the board as a stack whose top card comes to
    /// lie at the right, so that its places may be told from either end.
    pub(in crate::games::stud) fn is_stack(&self, round: &RoundFold) -> bool {
        let dealing = round.rules.option("dealing");
        let automated = dealing.is_some_and(|way| way == "automated_shoe");
        self.game == "let_it_ride" && automated && round.rules.edition.starts_with("mgc-")
    }

    /// A feed that tells every card face up says nothing about what players saw.
    pub(in crate::games::stud) fn is_told_face_up(&self, round: &RoundFold) -> bool {
        let mut hands = dealt(round)
            .filter(|(_, card)| !is_house(card.to))
            .peekable();
        hands.peek().is_some() && hands.all(|(_, card)| card.face == Face::Up)
    }
}

fn told_once(scene: &Scene<'_>, seen: bool, code: &'static str, message: &str) -> Option<Fault> {
    let fault = || Fault::new(code, vec![scene.seq], message.to_owned());
    (seen && once(scene.round, code)).then(fault)
}

/// What the rules know of a hole card that was seen.
pub(in crate::games::stud) const HOLE_CARD_EXPOSED: &str = "deal.hole_card_exposed";
