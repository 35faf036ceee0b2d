//! The order in which a dealer settles: from the last seat to the first, player by player or losers before winners.

use std::cmp::Reverse;

use catwalk_events::body::Body;

use super::Dealt;
use crate::table::wager_of;

/// Losers are taken when the hands are compared, from the last seat to the first, and winners paid after that alike.
pub(super) fn losers_first(dealt: &Dealt, payments: &mut [(usize, Body)]) {
    let played = dealt.events.len();
    payments.sort_by_key(|(after, body)| match *after >= played {
        false => (0, Reverse(None)),
        true if matches!(body, Body::WagerCollected(_)) => (1, Reverse(seat_of(dealt, body))),
        true => (2, Reverse(seat_of(dealt, body))),
    });
}

fn seat_of(dealt: &Dealt, body: &Body) -> Option<u64> {
    let id = wager_of(body)?;
    let wager = dealt.wagers.iter().find(|wager| wager["id"] == id);
    wager.and_then(|wager| wager["seat"].as_u64())
}

/// Puts what is taken and paid after the play into that order. Prizes from a meter come after it: as the
/// hands were dealt, or from the last seat too.
pub(super) fn from_the_last(dealt: &Dealt, payments: &mut [(usize, Body)], prizes_too: bool) {
    let played = dealt.events.len();
    let seat = |body: &Body| {
        let id = match body {
            Body::JackpotPaid(paid) => prizes_too.then_some(paid.wager.as_str()),
            body => wager_of(body),
        };
        let wager = id.and_then(|id| dealt.wagers.iter().find(|wager| wager["id"] == id));
        wager.and_then(|wager| wager["seat"].as_u64())
    };
    payments.sort_by_key(|(after, body)| match *after >= played {
        false => (0, Reverse(None)),
        true if matches!(body, Body::JackpotPaid(_)) => (2, Reverse(seat(body))),
        true => (1, Reverse(seat(body))),
    });
}
