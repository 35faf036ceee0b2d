//! What all of these games watch for: who bets and with what, the order of settlement, the limit of what
//! a hand is paid, the word of an award that waits.
//!
//! A player who leaves, or a wager of somebody who has no seat, may be told by the irregularity
//! `player_left` or `unseated_player` with `seat`; an award that waits for identification by `winner_without_id`.

use catwalk_events::body::{Body, CardPlace, WagerForm};
use catwalk_rules::Settlement;
use catwalk_rules::floor::Cents;
use serde_json::{Value, json};

use super::{laid, special};
use crate::fault::Fault;
use crate::games::verification::{is_deferral, seat_of};
use crate::games::{End, Scene, felt, settling};
use crate::judge;
use crate::round::{RoundFold, WagerFold};

/// A spoken wager with cash, and one of a player who has no seat or gives it up.
pub(super) fn see_bettor(scene: &Scene<'_>, faults: &mut Vec<Fault>) {
    match scene.body {
        Body::WagerPlaced(placed) => {
            let fault = |code, message| {
                let fault = Fault::new(code, vec![scene.seq], message);
                fault.of_wager(&placed.wager).at_seat(placed.seat)
            };
            if placed.form == Some(WagerForm::Cash) {
                let message = format!("{} on {} was bet with cash", placed.amount, placed.kind);
                faults.push(fault("wager.verbal_cash", message));
            }
            let seated = scene.round.wagers.iter();
            let mut seated = seated.filter(|wager| wager.seat == placed.seat);
            let seated = seated.find_map(|wager| wager.player.as_deref());
            if let (Some(seated), Some(player)) = (seated, placed.player.as_deref())
                && seated != player
            {
                let seat = placed.seat;
                let message = format!("{player} bet at seat {seat}, where {seated} sits");
                faults.push(fault("wager.unseated_player", message));
            }
        }
        Body::Irregularity(told) if matches!(&*told.kind, "player_left" | "unseated_player") => {
            let message = match told.kind.as_str() {
                "player_left" => "A player with wagers left during the round",
                _ => "A wager was taken from a player who was not seated",
            };
            let fault = Fault::new("wager.unseated_player", vec![scene.seq], message.to_owned());
            faults.push(match seat_of(told) {
                Some(seat) => fault.at_seat(seat),
                None => fault,
            });
        }
        _ => {}
    }
}

/// An award that waits at the cage because the winner could not say who he is. prog § 6.B
pub(super) fn see_waiting_award(scene: &Scene<'_>, faults: &mut Vec<Fault>) {
    let Body::Irregularity(told) = scene.body else {
        return;
    };
    if !is_deferral(told) {
        return;
    }
    let seat = seat_of(told);
    let whose = seat.map_or(String::new(), |seat| format!(" of seat {seat}"));
    let message = format!("An award{whose} waits at the cage for the winner's identification");
    let fault = Fault::new("progressive.deferred_no_id", vec![scene.seq], message);
    faults.push(match seat {
        Some(seat) => fault.at_seat(seat),
        None => fault,
    });
}

/// Counterclockwise, one player after the other. § 11.H
/// Who did not make the first wager after the deal has folded.
pub(super) fn see_settlement(scene: &Scene<'_>, faults: &mut Vec<Fault>) {
    let later = laid::later(scene.round);
    let Some(stays_in) = later.first() else {
        return;
    };
    let in_turn = |wager: &WagerFold, _: &WagerFold| {
        let stays = felt::wager_of(scene.round, wager.seat, stays_in).is_some();
        stays && wager.kind != super::progressive::KIND
    };
    let shows =
        |body: &Body| matches!(body, Body::CardRevealed(card) if card.to == CardPlace::Dealer);
    settling::check_turns(scene, shows, in_turn, faults);
}

/// A dealer's card was told as seen too early, and the round was settled against him all the same: nobody has
/// his wagers against the dealer back. One that was taken or paid in a void round is a difference alone. § 13.A
pub(super) fn check_told_exposure(end: &End<'_>, faults: &mut Vec<Fault>) {
    let told = end.round.play.iter().find_map(|(seq, body)| match body {
        Body::Irregularity(told) if told.kind == "hole_card_exposed" => Some(*seq),
        _ => None,
    });
    let wagers = end.round.wagers.iter();
    let wagers: Vec<&WagerFold> = wagers
        .filter(|wager| !laid::is_on_own_cards(end.round, wager))
        .collect();
    let is_settled = |wager: &&&WagerFold| wager.paid.is_positive() || wager.collected.is_some();
    let is_settled_seat = |seat: u32| {
        let mut of_seat = wagers.iter().filter(|wager| wager.seat == seat);
        of_seat.any(|wager| is_settled(&wager))
    };
    let settled = wagers.iter().all(|wager| is_settled_seat(wager.seat));
    let first = wagers
        .iter()
        .filter(is_settled)
        .min_by_key(|wager| wager.seat);
    if let (Some(told), Some(wager), true) = (told, first, settled && !end.mispaid.is_empty()) {
        let evidence = [&[told], wager.evidence.as_slice()].concat();
        let message =
            "Wagers against the dealer were settled although a card of his was seen early";
        let code = "deal.dealer_exposed_not_voided";
        faults.push(Fault::new(code, evidence, message.to_owned()).at_seat(wager.seat));
    }
}

/// Had the hand so much to win that the limit may hold it, and was it paid that on its wagers together? The
/// text does not say how a cut is spread over them.
pub(super) fn is_cut_together(
    round: &RoundFold,
    wager: &WagerFold,
    settlement: &Settlement,
) -> bool {
    let Some((kinds, least)) = laid::limited(round) else {
        return false;
    };
    let is_limited =
        |other: &&WagerFold| other.seat == wager.seat && kinds.contains(&other.kind.as_str());
    let hand: Vec<&WagerFold> = round.wagers.iter().filter(is_limited).collect();
    let due = hand
        .iter()
        .filter_map(|other| judge::due(settlement, &other.id));
    let due: Cents = due.map(|due| due.win).sum();
    let paid: Cents = hand.iter().map(|other| other.paid).sum();
    is_limited(&wager)
        && due >= least
        && paid == due
        && hand.iter().all(|other| other.collected.is_none())
}

/// Was more paid on a hand than the limit lets a hand have? The limit holds a hand if twice its stakes
/// would win it no more.
pub(super) fn check_limit(end: &End<'_>, faults: &mut Vec<Fault>) {
    let settled = end.document.zip(end.settlement);
    let limited = laid::limited(end.round);
    let (Some((document, settlement)), Some((kinds, _))) = (settled, limited) else {
        return;
    };
    let limited = |wager: &&WagerFold| kinds.contains(&wager.kind.as_str());
    let mut seats: Vec<u32> = Vec::new();
    for &(at, exposure) in end.mispaid {
        let wager = end.round.wagers.get(at).filter(limited);
        let Some(wager) = wager.filter(|_| exposure.is_positive()) else {
            continue;
        };
        let hand = |other: &&WagerFold| other.seat == wager.seat && limited(other);
        let hand: Vec<&WagerFold> = end.round.wagers.iter().filter(hand).collect();
        let due_of = |of: &Settlement| -> Cents {
            let due = hand.iter().filter_map(|wager| judge::due(of, &wager.id));
            due.map(|due| due.win).sum()
        };
        let paid: Cents = hand.iter().map(|wager| wager.paid).sum();
        let due = due_of(settlement);
        let twice = end.rulebook.settle(&doubled(document, &hand).to_string());
        let is_held = due.is_positive() && twice.is_ok_and(|twice| due_of(&twice) == due);
        if is_held && paid > due && !seats.contains(&wager.seat) {
            seats.push(wager.seat);
            let message = format!("the hand was paid {paid} and may have {due}");
            faults.push(special("payout.limit_exceeded", wager, &message));
        }
    }
}

fn doubled(document: &Value, hand: &[&WagerFold]) -> Value {
    let mut document = document.clone();
    let wagers = document["wagers"].as_array_mut().into_iter().flatten();
    for wager in wagers {
        let is_of_hand = hand.iter().any(|of_hand| wager["id"] == of_hand.id);
        if let Some(amount) = wager["amount"].as_i64().filter(|_| is_of_hand) {
            wager["amount"] = json!(amount.saturating_mul(2));
        }
    }
    document
}
