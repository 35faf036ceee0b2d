//! Sic bo on the floor.

use catwalk_events::body::{Body, DiceInspected, DiceIntroduced, DiceRolled, Inspection};
use rand::RngExt;
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;
use serde_json::{Value, json};

use super::{Dealt, GameSim};
use crate::fault::FaultKind;

#[derive(Debug, Default)]
pub(super) struct SicBo {
    ready: bool,
}

impl GameSim for SicBo {
    fn sign(&self) -> &'static str {
        "SB"
    }

    fn open(&mut self, _: &mut ChaCha8Rng) -> (&'static str, Value) {
        ("mgc-2017", json!({}))
    }

    fn prepare(&mut self, _: &mut ChaCha8Rng) -> Vec<Body> {
        if std::mem::replace(&mut self.ready, true) {
            return Vec::new();
        }
        let set = || "dice-1".to_owned();
        let inspected = DiceInspected {
            set: set(),
            result: Inspection::Pass,
            by: None,
            witness: None,
        };
        let introduced = DiceIntroduced {
            set: set(),
            count: 3,
            serials: None,
            sealed: None,
        };
        vec![inspected.into(), introduced.into()]
    }

    fn cannot(&self) -> &'static [FaultKind] {
        const CANNOT: [FaultKind; 5] = [
            FaultKind::WrongCommission,
            FaultKind::WrongPlay,
            FaultKind::SwitchedCard,
            FaultKind::ForeignCard,
            FaultKind::MissingCard,
        ];
        &CANNOT
    }

    fn round(&mut self, seats: &[u32], rng: &mut ChaCha8Rng) -> Dealt {
        let mut wagers = Vec::new();
        for &seat in seats {
            for _ in 0..rng.random_range(1..=4) {
                let mut wager = bet(rng);
                wager["id"] = json!(format!("w{}", wagers.len() + 1));
                wager["seat"] = json!(seat);
                wager["amount"] = json!(rng.random_range(1..=50) * 500);
                wagers.push(wager);
            }
        }
        let dice: Vec<u8> = (0..3).map(|_| rng.random_range(1..=6)).collect();
        let play = json!({"tosses": [{ "dice": dice }]});
        let events = vec![
            DiceRolled {
                dice,
                valid: true,
                serials: None,
            }
            .into(),
        ];
        Dealt {
            wagers,
            play,
            events,
            ..Dealt::default()
        }
    }

    /// Dice thrown by hand and by eye leave no room for a wrong play that a document shows.
    fn misplay(&mut self, _: &mut Dealt, _: &mut ChaCha8Rng) -> Option<Vec<&'static str>> {
        None
    }
}

fn bet(rng: &mut ChaCha8Rng) -> Value {
    let face = rng.random_range(1..=6);
    match rng.random_range(0..8) {
        0 => json!({"kind": "three_of_a_kind", "number": face}),
        1 => json!({"kind": "two_of_a_kind", "number": face}),
        2 => json!({"kind": "any_three_of_a_kind"}),
        3 => json!({"kind": "total", "number": rng.random_range(4..=17)}),
        4 => {
            let other = face % 6 + 1;
            json!({"kind": "combination", "numbers": [face.min(other), face.max(other)]})
        }
        5 => json!({"kind": "one_of_a_kind", "number": face}),
        _ => {
            let kind = ["small", "big"].choose(rng);
            json!({ "kind": kind })
        }
    }
}
