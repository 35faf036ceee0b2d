//! The big six wheel on the floor.

use catwalk_events::body::{Body, Inspection, WheelInspected, WheelSpun};
use rand::RngExt;
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;
use serde_json::{Value, json};

use super::{Dealt, GameSim, WITHOUT_CARDS};
use crate::fault::FaultKind;

/// Sections of each symbol, of 54.
const SECTIONS: [(&str, usize); 7] = [
    ("1", 23),
    ("2", 15),
    ("5", 8),
    ("10", 4),
    ("20", 2),
    ("joker", 1),
    ("flag", 1),
];

#[derive(Debug, Default)]
pub(super) struct BigSix {
    inspected: bool,
}

impl GameSim for BigSix {
    fn sign(&self) -> &'static str {
        "B6"
    }

    fn open(&mut self, _: &mut ChaCha8Rng) -> (&'static str, Value) {
        ("mgc-2017", json!({}))
    }

    fn prepare(&mut self, _: &mut ChaCha8Rng) -> Vec<Body> {
        if std::mem::replace(&mut self.inspected, true) {
            return Vec::new();
        }
        let inspected = WheelInspected {
            wheel: "wheel-6".into(),
            result: Inspection::Pass,
            by: None,
        };
        vec![inspected.into()]
    }

    fn cannot(&self) -> &'static [FaultKind] {
        &WITHOUT_CARDS
    }

    fn round(&mut self, seats: &[u32], rng: &mut ChaCha8Rng) -> Dealt {
        let kinds = [
            "insignia_1",
            "insignia_2",
            "insignia_5",
            "insignia_10",
            "insignia_20",
            "joker",
            "flag",
        ];
        let mut wagers = Vec::new();
        for &seat in seats {
            for _ in 0..rng.random_range(1..=3) {
                let id = format!("w{}", wagers.len() + 1);
                let amount = rng.random_range(1..=40) * 100;
                wagers.push(
                    json!({"id": id, "seat": seat, "kind": kinds.choose(rng), "amount": amount}),
                );
            }
        }
        let wheel: Vec<&str> = SECTIONS
            .iter()
            .flat_map(|&(symbol, count)| std::iter::repeat_n(symbol, count))
            .collect();
        let stop = wheel[rng.random_range(0..wheel.len())];
        let turns = rng.random_range(4..9);
        let play = json!({"spins": [{"stop": stop, "revolutions": turns}]});
        let spin = WheelSpun {
            result: stop.to_owned(),
            valid: true,
            revolutions: Some(turns),
        };
        Dealt {
            wagers,
            play,
            events: vec![spin.into()],
            ..Dealt::default()
        }
    }

    /// The wheel is let stop after one turn.
    fn misplay(&mut self, dealt: &mut Dealt, _: &mut ChaCha8Rng) -> Option<Vec<&'static str>> {
        match dealt.events.last_mut() {
            Some(Body::WheelSpun(spin)) => spin.revolutions = Some(1),
            _ => return None,
        }
        dealt.play["spins"][0]["revolutions"] = json!(1);
        Some(vec!["bigsix.short_spin_accepted"])
    }
}
