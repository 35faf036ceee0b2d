//! Roulette on the floor.

use catwalk_events::body::{Body, Inspection, WheelInspected, WheelSpun};
use rand::RngExt;
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;
use serde_json::{Value, json};

use super::{Dealt, GameSim, WITHOUT_CARDS};
use crate::fault::FaultKind;

#[derive(Debug, Default)]
pub(super) struct Roulette {
    single: bool,
    optional: Vec<&'static str>,
    inspected: bool,
}

impl GameSim for Roulette {
    fn sign(&self) -> &'static str {
        "RO"
    }

    fn open(&mut self, rng: &mut ChaCha8Rng) -> (&'static str, Value) {
        self.single = rng.random_range(0..3) == 0;
        let wheel = if self.single { "single" } else { "double" };
        if rng.random_range(0..3) == 0 {
            return ("oh-jack-2017", json!({"wheel": wheel}));
        }
        self.optional = ["five_adjacent", "seven_numbers"]
            .into_iter()
            .filter(|_| rng.random_range(0..2) == 0)
            .collect();
        let half = !self.single && rng.random_range(0..2) == 0;
        let zero_rule = if half { "half" } else { "lose" };
        let options =
            json!({"wheel": wheel, "zero_rule": zero_rule, "optional_wagers": self.optional});
        ("mgc-2017", options)
    }

    fn prepare(&mut self, _: &mut ChaCha8Rng) -> Vec<Body> {
        if std::mem::replace(&mut self.inspected, true) {
            return Vec::new();
        }
        let inspected = WheelInspected {
            wheel: "wheel-1".into(),
            result: Inspection::Pass,
            by: None,
        };
        vec![inspected.into()]
    }

    fn cannot(&self) -> &'static [FaultKind] {
        &WITHOUT_CARDS
    }

    fn round(&mut self, seats: &[u32], rng: &mut ChaCha8Rng) -> Dealt {
        let mut wagers = Vec::new();
        for &seat in seats {
            for _ in 0..rng.random_range(1..=5) {
                let mut wager = self.bet(rng);
                wager["id"] = json!(format!("w{}", wagers.len() + 1));
                wager["seat"] = json!(seat);
                wagers.push(wager);
            }
        }
        let mut spins = Vec::new();
        let mut events: Vec<Body> = Vec::new();
        if rng.random_range(0..50) == 0 {
            spins.push(json!({"no_spin": "short_spin", "revolutions": 2}));
            events.push(spin(String::new(), false, 2));
        }
        let pocket = self.pocket(rng);
        let turns = rng.random_range(4..12);
        spins.push(json!({"pocket": pocket, "revolutions": turns}));
        events.push(spin(pocket, true, turns));
        Dealt {
            wagers,
            play: json!({ "spins": spins }),
            events,
            ..Dealt::default()
        }
    }

    /// The dealer lets a spin of three turns stand.
    fn misplay(&mut self, dealt: &mut Dealt, _: &mut ChaCha8Rng) -> Option<Vec<&'static str>> {
        match dealt.events.last_mut() {
            Some(Body::WheelSpun(spin)) => spin.revolutions = Some(3),
            _ => return None,
        }
        let last = dealt.play["spins"].as_array_mut()?.last_mut()?;
        last["revolutions"] = json!(3);
        Some(vec!["roulette.invalid_spin_accepted"])
    }
}

fn spin(result: String, valid: bool, turns: u32) -> Body {
    WheelSpun {
        result,
        valid,
        revolutions: Some(turns),
    }
    .into()
}

impl Roulette {
    fn pocket(&self, rng: &mut ChaCha8Rng) -> String {
        match rng.random_range(0..if self.single { 37 } else { 38 }) {
            37 => "00".into(),
            number => number.to_string(),
        }
    }

    /// One bet: kind, selection and stake.
    fn bet(&self, rng: &mut ChaCha8Rng) -> Value {
        let row = |rng: &mut ChaCha8Rng, rows: u32| rng.random_range(0..rows) * 3;
        let numbers = |first: u32, steps: &[u32]| -> Vec<String> {
            steps
                .iter()
                .map(|step| (first + step).to_string())
                .collect()
        };
        let amount = rng.random_range(1..=40) * 500;
        let mut bet = match rng.random_range(0..12) {
            0 | 1 => json!({"kind": "straight", "numbers": [self.pocket(rng)]}),
            2 => json!({"kind": "split", "numbers": numbers(rng.random_range(1..=33), &[0, 3])}),
            3 => json!({"kind": "three_numbers", "numbers": numbers(1 + row(rng, 12), &[0, 1, 2])}),
            4 => {
                let first = 1 + row(rng, 11) + rng.random_range(0..2);
                json!({"kind": "four_numbers", "numbers": numbers(first, &[0, 1, 3, 4])})
            }
            5 => {
                let line = numbers(1 + row(rng, 11), &[0, 1, 2, 3, 4, 5]);
                json!({"kind": "six_numbers", "numbers": line})
            }
            6 => json!({"kind": "column", "column": rng.random_range(1..=3)}),
            7 => json!({"kind": "dozen", "dozen": rng.random_range(1..=3)}),
            8 => match self.optional.choose(rng) {
                Some(&"five_adjacent") => {
                    json!({"kind": "five_adjacent", "center": rng.random_range(1..=36).to_string()})
                }
                Some(kind) => json!({"kind": kind}),
                None => json!({"kind": "odd"}),
            },
            9 if !self.single => json!({"kind": "first_five"}),
            _ => {
                let kind = ["red", "black", "odd", "even", "low", "high"].choose(rng);
                json!({"kind": kind})
            }
        };
        bet["amount"] = json!(amount);
        bet
    }
}
