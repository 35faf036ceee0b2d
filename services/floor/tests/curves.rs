//! The ends of the curves: what is strong is found soon, what is weak later, and what is fair never.

#![allow(clippy::unwrap_used)]

#[path = "../examples/curves/measure.rs"]
mod measure;

use std::sync::Arc;

use catwalk_floor::FaultKind;
use catwalk_rules::Rulebook;
use measure::CASES;

/// So many rounds of a table that cheats as much as it can are enough for a warning.
const SOON: u64 = 400;
/// A dealer deals a third of the time, and his friend does not always win.
const SOON_OF_A_DEALER: u64 = 800;

#[test]
fn what_is_strong_is_found_soon() {
    let rulebook = Arc::new(Rulebook::load().unwrap());
    for case in CASES {
        for seed in 1..=2 {
            let of_dealer = case.kind == FaultKind::CollusiveDealer;
            let soon = if of_dealer { SOON_OF_A_DEALER } else { SOON };
            let delay = case.play(&rulebook, 0.4, seed, soon).unwrap();
            let found = if of_dealer { delay.told } else { delay.strong };
            assert!(
                found.is_some(),
                "{case:?} --seed {seed}: not found within {soon} rounds, {delay:?}"
            );
        }
    }
}

#[test]
fn what_is_fair_is_not_suspected() {
    let rulebook = Arc::new(Rulebook::load().unwrap());
    for case in CASES {
        let delay = case.play(&rulebook, 0.0, 1, 1_000).unwrap();
        assert!(delay.told.is_none(), "{case:?}: {delay:?}");
    }
}

#[test]
fn the_stronger_a_bias_the_sooner_it_is_told() {
    let rulebook = Arc::new(Rulebook::load().unwrap());
    let median = |strength: f64| {
        let mut spins: Vec<u64> = (1..=3)
            .map(|seed| {
                let delay = CASES[0].play(&rulebook, strength, seed, 3_000).unwrap();
                delay.told.map_or(u64::MAX, |point| point.outcomes)
            })
            .collect();
        spins.sort_unstable();
        spins[1]
    };
    let [weak, strong] = [0.1, 0.4].map(median);
    assert!(
        strong < weak && weak < u64::MAX,
        "{strong} and {weak} {}",
        CASES[0].unit
    );
}
