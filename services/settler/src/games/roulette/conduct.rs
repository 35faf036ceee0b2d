//! What only the events of a roulette table show: the call, invalid spins that are settled, zeros, and
//! whose chips lie on the layout.

use catwalk_events::body::{Body, WagerForm, WagerPlaced};
use catwalk_rules::Verdict;
use catwalk_rules::floor::Pocket;
use catwalk_rules::games::roulette::Spin;

use super::spins;
use crate::fault::Fault;
use crate::games::calls::Calls;
use crate::games::told::Reading;
use crate::games::{Case, Scene, order};
use crate::round::{MAIN_WINDOW, RoundFold, WagerFold};

const EVEN_MONEY: [&str; 6] = ["red", "black", "odd", "even", "low", "high"];
const INSIDE: [&str; 6] = [
    "straight",
    "split",
    "three_numbers",
    "four_numbers",
    "first_five",
    "six_numbers",
];

/// Words of `irregularity` for what the house reports of bets and chips.
pub(super) const REPORTED: [(&str, &str); 3] = [
    ("chips_touched", "roulette.chips_touched"),
    ("verbal_unconfirmed", "wager.verbal_unconfirmed"),
    ("foreign_chips", "roulette.foreign_non_value_chip"),
];

pub(super) fn see(scene: &Scene<'_>, faults: &mut Vec<Fault>) {
    let is_spin = |body: &Body| matches!(body, Body::WheelSpun(spin) if spin.valid);
    let calls: Calls = scene.standing.read();
    calls.see(scene, is_spin, "roulette.no_more_bets_missing", faults);
    match scene.body {
        Body::Irregularity(told) => order::reported(scene, told, &REPORTED, faults),
        Body::WagerPlaced(placed) => {
            order::unconfirmed(scene, placed, faults);
            whose_chips(scene, placed, faults);
        }
        // What was paid is the player's to take.
        Body::WagerRemoved(removed)
            if scene
                .round
                .wager(&removed.wager)
                .is_some_and(WagerFold::is_touched) => {}
        Body::WagerChanged(_) | Body::WagerRemoved(_)
            if is_ohio(scene.round) && scene.round.is_closed(MAIN_WINDOW) =>
        {
            let message = "Chips were touched after no more bets";
            order::raise(scene, "roulette.chips_touched", message, faults);
        }
        body if order::settles(body) => {
            let spins = spins(scene.round, &mut Reading::default());
            if spins.last().is_some_and(|spin| is_void(scene.round, spin)) {
                let message = "A wager was settled on a spin that is not valid";
                order::raise(scene, "roulette.invalid_spin_settled", message, faults);
            }
            order::collection(scene, "roulette.marker_before_collect", faults);
        }
        _ => {}
    }
}

/// A wager that a zero decides and that was settled as if it were another number.
pub(super) fn name(case: &Case<'_>) -> Option<&'static str> {
    let spins = spins(case.round, &mut Reading::default());
    if !spins.last()?.pocket?.is_zero() || case.due.result != Verdict::Lose {
        return None;
    }
    let wager = case.wager;
    let is_even = EVEN_MONEY.contains(&&*wager.kind);
    if wager.paid.is_positive() {
        let outside = is_even || matches!(&*wager.kind, "column" | "dozen");
        return outside.then_some("roulette.zero_paid_even");
    }
    is_even.then_some("roulette.half_not_returned")
}

fn is_ohio(round: &RoundFold) -> bool {
    round.rules.edition == "oh-jack-2017"
}

/// s.2(d), 3(a), 4
fn is_void(round: &RoundFold, spin: &Spin) -> bool {
    let wheel = round.rules.option("wheel");
    let covered = wheel.is_some_and(|wheel| wheel == "double_as_single");
    spin.no_spin.is_some()
        || order::is_short(round, spin.revolutions)
        || spin.direction.is_some()
        || covered && spin.pocket == Some(Pocket::DOUBLE_ZERO)
}

fn whose_chips(scene: &Scene<'_>, placed: &WagerPlaced, faults: &mut Vec<Fault>) {
    let is_other = |other: &&WagerFold| match (&other.player, &placed.player) {
        (Some(other), Some(player)) => other != player,
        _ => other.seat != placed.seat,
    };
    let inside = |kind: &str| INSIDE.contains(&kind);
    let must_differ = |other: &WagerFold| match (placed.form, other.form) {
        (Some(WagerForm::ColourChips), Some(WagerForm::ColourChips)) => true,
        (Some(WagerForm::ValueChips), Some(WagerForm::ValueChips)) => {
            is_ohio(scene.round) && inside(&placed.kind) && inside(&other.kind)
        }
        _ => false,
    };
    let mut others = scene.round.wagers.iter().filter(is_other);
    let shared = others.find(|other| {
        placed.colour.is_some() && other.colour == placed.colour && must_differ(other)
    });
    if let Some(other) = shared {
        let message = format!(
            "Seats {} and {} bet the same chips",
            other.seat, placed.seat
        );
        let evidence = other.evidence.iter().copied().chain([scene.seq]).collect();
        let fault = Fault::new("chips.colour_shared", evidence, message);
        faults.push(fault.of_wager(&placed.wager).at_seat(placed.seat));
    }
}
