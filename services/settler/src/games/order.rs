//! The order of things at tables where one call closes the betting and losers are collected before
//! winners are paid.

use catwalk_events::body::Body;

use super::Scene;
use crate::fault::Fault;

/// Does this event pay or take a wager?
pub(super) fn settles(body: &Body) -> bool {
    matches!(body, Body::WagerPaid(_) | Body::WagerCollected(_))
}

/// Raises a code, once a round.
pub(super) fn raise(scene: &Scene<'_>, code: &'static str, message: &str, faults: &mut Vec<Fault>) {
    if !scene.round.raised.iter().any(|raised| raised == code) {
        faults.push(Fault::new(code, vec![scene.seq], message.to_owned()));
    }
}

/// No more bets was not called before the outcome was on its way.
pub(super) fn call(scene: &Scene<'_>, code: &'static str, faults: &mut Vec<Fault>) {
    if !scene.round.is_closed(crate::round::MAIN_WINDOW) {
        raise(scene, code, "No more bets was not called", faults);
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
