//! The order of things at tables where one call closes the betting and losers are collected before
//! winners are paid, and what the house reports itself.

use catwalk_events::Json;
use catwalk_events::body::{Body, Irregularity, WagerForm, WagerPlaced};
use serde_json::Value;

use super::Scene;
use crate::fault::Fault;
use crate::round::{RoundFold, WagerFold};

/// Does this event pay or take a wager?
pub(super) fn settles(body: &Body) -> bool {
    matches!(body, Body::WagerPaid(_) | Body::WagerCollected(_))
}

/// Raises a code, once a round.
pub(super) fn raise(scene: &Scene<'_>, code: &'static str, message: &str, faults: &mut Vec<Fault>) {
    if scene.is_fresh(code) {
        faults.push(Fault::new(code, vec![scene.seq], message.to_owned()));
    }
}

/// A winner was paid before the losers were collected. Who takes a payment back collects no loser.
pub(super) fn collection(scene: &Scene<'_>, code: &'static str, faults: &mut Vec<Fault>) {
    let Body::WagerCollected(collected) = scene.body else {
        return;
    };
    let is_paid = |wager: &WagerFold| wager.paid.is_positive();
    let is_taken_back = scene.round.wager(&collected.wager).is_some_and(is_paid);
    let mut paid = scene.round.wagers.iter().filter(|wager| is_paid(wager));
    if let Some(winner) = paid.next().filter(|_| !is_taken_back) {
        let loser = scene.round.wager(&collected.wager);
        let loser = loser.map_or("a loser".to_owned(), |loser| {
            format!("the loser at seat {}", loser.seat)
        });
        let (seat, kind) = (winner.seat, winner.kind.replace('_', " "));
        let message = format!(
            "Seat {seat} was paid {} on {kind} before {loser} was collected",
            winner.paid
        );
        raise(scene, code, &message, faults);
    }
}

/// Raises what the house reports in one of its own words.
pub(super) fn reported(
    scene: &Scene<'_>,
    told: &Irregularity,
    words: &[(&str, &'static str)],
    faults: &mut Vec<Fault>,
) {
    let Some((word, code)) = words.iter().find(|(word, _)| told.kind == *word) else {
        return;
    };
    let detail = told.detail.as_ref().map(Json::value).unwrap_or_default();
    let message = format!("The house reports {}", word.replace('_', " "));
    let mut fault = Fault::new(code, vec![scene.seq], message);
    fault.wager = detail["wager"].as_str().map(str::to_owned);
    fault.seat = detail["seat"]
        .as_u64()
        .and_then(|seat| u32::try_from(seat).ok());
    faults.push(fault);
}

/// Why an outcome was called off. Feeds give the reason as the kind of what is irregular, or in the
/// detail where the kind is no more than `call`.
pub(super) fn reason(said: &Irregularity, call: &str) -> String {
    let is_plain = said.kind.replace([' ', '-'], "_") == call;
    let detail = said.detail.as_ref().map(Json::value);
    let word = detail.and_then(|detail| match detail {
        Value::Object(mut detail) => detail.remove("reason"),
        word => Some(word),
    });
    match word {
        Some(Value::String(word)) if is_plain => word,
        _ => said.kind.clone(),
    }
}

/// Does this ruling take an outcome back?
pub(super) fn calls_off(ruling: &str) -> bool {
    let ruling = ruling.to_lowercase().replace(['-', '_'], " ");
    ["no roll", "void", "invalid", "called off"]
        .iter()
        .any(|word| ruling.contains(word))
}

/// Has a wheel or its ball made fewer turns than the text asks of a valid spin?
pub(super) fn is_short(round: &RoundFold, turns: Option<u32>) -> bool {
    let least = round.rules.figure("least_turns").and_then(Value::as_u64);
    turns
        .zip(least)
        .is_some_and(|(turns, least)| u64::from(turns) < least)
}

/// A spoken bet with cash that the dealer did not confirm.
pub(super) fn unconfirmed(scene: &Scene<'_>, placed: &WagerPlaced, faults: &mut Vec<Fault>) {
    let detail = placed.detail.as_ref().map(Json::value).unwrap_or_default();
    let is_spoken = placed.form == Some(WagerForm::Cash) || detail["verbal"] == true;
    if is_spoken && detail["confirmed"] == false {
        let message = format!(
            "{} on {} was spoken, and the dealer did not confirm it",
            placed.amount, placed.kind
        );
        let fault = Fault::new("wager.verbal_unconfirmed", vec![scene.seq], message);
        faults.push(fault.of_wager(&placed.wager).at_seat(placed.seat));
    }
}
