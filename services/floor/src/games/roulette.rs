//! Roulette on the floor.

use catwalk_events::body::{Body, Inspection, Irregularity, WheelInspected, WheelSpun};
use rand::RngExt;
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;
use serde_json::{Value, json};

use super::bias::Bias;
use super::{Dealt, GameSim};
use crate::fault::FaultKind;

const COLOURS: [&str; 6] = ["purple", "green", "black", "blue", "gold", "red"];

#[derive(Debug, Default)]
pub(super) struct Roulette {
    wheel: Wheel,
    ohio: bool,
    optional: Vec<&'static str>,
    /// Match play coupons are taken.
    coupons: bool,
    inspected: bool,
    bias: Bias,
    /// How often a spin is called off that the players would lose.
    spares: Bias,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Wheel {
    #[default]
    Double,
    Single,
    /// A double-zero wheel whose 00 does not count.
    Covered,
}

impl GameSim for Roulette {
    fn sign(&self) -> &'static str {
        "RO"
    }

    fn open(&mut self, rng: &mut ChaCha8Rng) -> (&'static str, Value) {
        self.wheel =
            [Wheel::Double, Wheel::Double, Wheel::Single, Wheel::Covered][rng.random_range(0..4)];
        let wheel = match self.wheel {
            Wheel::Double => "double",
            Wheel::Single => "single",
            Wheel::Covered => "double_as_single",
        };
        let pays = match rng.random_range(0..3) {
            0 => json!({"straight": "36:1", "six_numbers": "6:1"}),
            _ => json!({}),
        };
        let value_chips = ["permit", "limit", "prohibit"].choose(rng);
        let match_play = rng.random_range(0..2) == 0;
        self.ohio = rng.random_range(0..3) == 0;
        self.coupons = match_play && !self.ohio;
        if self.ohio {
            let options = json!({"wheel": wheel, "pays": pays, "value_chips": value_chips,
                "match_play": match_play});
            return ("oh-jack-2017", options);
        }
        let colours = match self.wheel {
            Wheel::Double => "eight_numbers_color",
            Wheel::Single => "seven_numbers_color",
            Wheel::Covered => "six_numbers_color",
        };
        self.optional = [
            "five_adjacent",
            "seven_numbers",
            "six_numbers_color",
            colours,
        ]
        .into_iter()
        .filter(|_| rng.random_range(0..3) == 0)
        .collect();
        self.optional.dedup();
        let half = self.wheel == Wheel::Double && rng.random_range(0..2) == 0;
        let zero_rule = if half { "half" } else { "lose" };
        let options = json!({"wheel": wheel, "zero_rule": zero_rule, "pays": pays,
            "optional_wagers": self.optional, "value_chips": value_chips, "match_play": match_play});
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

    fn renew(&mut self) {
        self.inspected = false;
    }

    fn favour(&mut self, kind: FaultKind, per_mille: u32) -> bool {
        match kind {
            FaultKind::BiasedWheel => self.bias = Bias::of(per_mille),
            FaultKind::SparingDealer => self.spares = Bias::of(per_mille),
            _ => return false,
        }
        true
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
            if self.coupons && rng.random_range(0..8) == 0 {
                add_coupon(&mut wagers, "colour_chips");
            }
        }
        let mut spins = Vec::new();
        let mut events: Vec<Body> = Vec::new();
        while rng.random_range(0..40) == 0 {
            let reason = *["short_spin", "same_direction", "foreign_object", "floater"]
                .choose(rng)
                .unwrap_or(&"short_spin");
            let turns = if reason == "short_spin" { 2 } else { 6 };
            spins.push(json!({"no_spin": reason, "revolutions": turns}));
            events.push(spin(String::new(), false, turns));
            events.push(irregular(reason));
        }
        // Of what lies on single numbers nearly every pocket loses.
        while self.spares.shows(rng) {
            let pocket = self.pocket(rng);
            spins.push(json!({"pocket": pocket, "no_spin": "foreign_object", "revolutions": 6}));
            events.push(spin(pocket, false, 6));
            events.push(irregular("foreign_object"));
        }
        let mut pocket = match self.bias.shows(rng) {
            true => "17".to_owned(),
            false => self.pocket(rng),
        };
        while self.wheel == Wheel::Covered && rng.random_range(0..38) == 0 {
            spins.push(json!({"pocket": "00", "no_spin": "double_zero", "revolutions": 7}));
            events.push(spin("00".into(), false, 7));
            events.push(irregular("double_zero"));
            pocket = self.pocket(rng);
        }
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

    /// The dealer lets a spin of three turns stand, or one along with the wheel, calls a good spin off,
    /// or takes a bet that the layout does not have.
    fn misplay(&mut self, dealt: &mut Dealt, rng: &mut ChaCha8Rng) -> Option<Vec<&'static str>> {
        let last = dealt.play["spins"].as_array_mut()?.last_mut()?;
        let Some(Body::WheelSpun(spun)) = dealt.events.last_mut() else {
            return None;
        };
        match rng.random_range(0..7) {
            5 => {
                dealt.wagers.push(
                    json!({"id": "extra", "seat": 1, "kind": "odd", "amount": 500,
                    "form": "coupon"}),
                );
                // Other chips of the seat may lie there.
                let is_odd = |wager: &Value| wager["seat"] == 1 && wager["kind"] == "odd";
                let alone = dealt.wagers.iter().filter(|wager| is_odd(wager)).count() == 1;
                let code = "wager.match_play_not_allowed";
                match alone || !self.coupons {
                    true => Some(vec![code]),
                    false => {
                        dealt.wagers.pop();
                        None
                    }
                }
            }
            6 if self.coupons => {
                let is_coupon = |wager: &Value| wager.get("form").is_some();
                if dealt.wagers.iter().any(is_coupon) {
                    return None;
                }
                add_coupon(&mut dealt.wagers, "value_chips");
                Some(vec!["chips.match_play_with_value_chip"])
            }
            0 => {
                spun.revolutions = Some(3);
                last["revolutions"] = json!(3);
                Some(vec!["roulette.invalid_spin_accepted"])
            }
            1 => {
                last["direction"] = json!("same");
                dealt.events.push(irregular("same_direction"));
                Some(vec!["roulette.invalid_spin_accepted"])
            }
            2 => {
                let mut off = last.clone();
                off["no_spin"] = json!("short_spin");
                dealt.play["spins"].as_array_mut()?.insert(0, off);
                let mut called = spun.clone();
                called.valid = false;
                dealt.insert(0, called.into());
                dealt.insert(1, irregular("short_spin"));
                Some(vec!["roulette.no_spin_unfounded"])
            }
            3 if self.optional.iter().any(|kind| kind.ends_with("_color")) => {
                dealt
                    .wagers
                    .push(json!({"id": "extra", "seat": 1, "kind": "red", "amount": 500}));
                Some(vec!["roulette.excluded_bets_offered"])
            }
            _ => {
                dealt
                    .wagers
                    .push(json!({"id": "extra", "seat": 1, "kind": "split",
                    "numbers": ["12", "13"], "amount": 500}));
                Some(vec!["wager.not_permissible"])
            }
        }
    }
}

/// A match play coupon with the chips of the last wager.
fn add_coupon(wagers: &mut Vec<Value>, chips: &str) {
    let number = wagers.len() + 1;
    if let Some(wager) = wagers.last_mut() {
        wager["form"] = json!(chips);
        let mut coupon = wager.clone();
        coupon["id"] = json!(format!("w{number}"));
        coupon["form"] = json!("coupon");
        wagers.push(coupon);
    }
}

fn irregular(kind: &str) -> Body {
    Irregularity {
        kind: kind.to_owned(),
        detail: None,
        ruling: "no spin".to_owned(),
    }
    .into()
}

fn spin(result: String, valid: bool, turns: u32) -> Body {
    WheelSpun {
        result,
        valid,
        revolutions: Some(turns),
        wheel: Some("wheel-1".to_owned()),
        ..WheelSpun::default()
    }
    .into()
}

impl Roulette {
    fn pocket(&self, rng: &mut ChaCha8Rng) -> String {
        match rng.random_range(0..if self.wheel == Wheel::Double { 38 } else { 37 }) {
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
        let colours = self.optional.iter().any(|kind| kind.ends_with("_color"));
        let dozens = !self
            .optional
            .iter()
            .any(|kind| matches!(*kind, "seven_numbers_color" | "eight_numbers_color"));
        let amount = rng.random_range(1..=40) * 500;
        let mut bet = match rng.random_range(0..13) {
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
            7 if dozens => json!({"kind": "dozen", "dozen": rng.random_range(1..=3)}),
            8 => match self.optional.choose(rng) {
                Some(&"five_adjacent") => {
                    // On a wheel with 00 covered, some groups hold it.
                    json!({"kind": "five_adjacent", "center": "5"})
                }
                Some(kind) if kind.ends_with("_color") => {
                    json!({"kind": kind, "color": COLOURS.choose(rng)})
                }
                Some(kind) => json!({"kind": kind}),
                None => json!({"kind": "odd"}),
            },
            9 if self.wheel == Wheel::Double => json!({"kind": "first_five"}),
            10 => {
                // Around the zeros.
                let mut groups = vec![vec!["0", "1"], vec!["0", "2"], vec!["0", "1", "2"]];
                match self.wheel {
                    Wheel::Double => groups.extend([
                        vec!["0", "00"],
                        vec!["00", "2"],
                        vec!["00", "3"],
                        vec!["0", "2", "00"],
                        vec!["00", "2", "3"],
                    ]),
                    Wheel::Single => groups.push(vec!["0", "3"]),
                    Wheel::Covered => {}
                }
                let group = groups.choose(rng);
                let is_split = group.is_some_and(|group| group.len() == 2);
                let kind = if is_split { "split" } else { "three_numbers" };
                json!({"kind": kind, "numbers": group})
            }
            _ => {
                let even = ["odd", "even", "low", "high", "red", "black"];
                let kinds = if colours { &even[..4] } else { &even[..] };
                json!({"kind": kinds.choose(rng)})
            }
        };
        bet["amount"] = json!(amount);
        bet
    }
}
