//! The order of things at tables where one call closes the betting and losers are collected before
//! winners are paid, and what the house reports itself.

use catwalk_events::Json;
use catwalk_events::body::{Body, Irregularity};

use super::Scene;
use crate::fault::Fault;

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

/// A winner was paid before the losers were collected.
pub(super) fn collection(scene: &Scene<'_>, code: &'static str, faults: &mut Vec<Fault>) {
    let mut wagers = scene.round.wagers.iter();
    if matches!(scene.body, Body::WagerCollected(_)) && wagers.any(|wager| wager.paid.is_positive())
    {
        raise(
            scene,
            code,
            "A winner was paid before all losers were collected",
            faults,
        );
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
