//! Sic bo on the floor.

use catwalk_events::Json;
use catwalk_events::body::{Body, Decision, DeviceAdjusted, DeviceKind, DiceRolled, Irregularity};
use rand::RngExt;
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;
use serde_json::{Map, Value, json};

use super::bias::Bias;
use super::dice::new_dice;
use super::{Dealt, GameSim};
use crate::fault::FaultKind;

#[derive(Debug, Default)]
pub(super) struct SicBo {
    ready: bool,
    dice_sets: u32,
    automated: bool,
    not_offered: Vec<&'static str>,
    /// The lights failed in the last round.
    is_broken: bool,
    bias: Bias,
}

impl GameSim for SicBo {
    fn sign(&self) -> &'static str {
        "SB"
    }

    fn open(&mut self, rng: &mut ChaCha8Rng) -> (&'static str, Value) {
        self.automated = rng.random_range(0..2) == 0;
        let may_lack = ["one_of_a_kind", "any_three_of_a_kind", "combination"];
        let lacks = |_: &&str| rng.random_range(0..5) == 0;
        self.not_offered = may_lack.into_iter().filter(lacks).collect();
        let pays = match rng.random_range(0..2) {
            0 => json!({}),
            _ => json!({"three_of_a_kind": "180:1", "total_4": "60:1", "small": "1:1"}),
        };
        let options = json!({"pays": pays, "not_offered": self.not_offered});
        ("mgc-2017", options)
    }

    fn prepare(&mut self, _: &mut ChaCha8Rng) -> Vec<Body> {
        if std::mem::take(&mut self.is_broken) {
            let repaired = DeviceAdjusted {
                removed: None,
                device: "lights".into(),
                kind: DeviceKind::Display,
                result: None,
                by: None,
            };
            return vec![repaired.into()];
        }
        if std::mem::replace(&mut self.ready, true) {
            return Vec::new();
        }
        self.dice_sets += 1;
        new_dice(self.dice_sets, 3).into()
    }

    fn renew(&mut self) {
        self.ready = false;
    }

    fn favour(&mut self, kind: FaultKind, per_mille: u32) -> bool {
        let is_meant = kind == FaultKind::LoadedDice;
        if is_meant {
            self.bias = Bias::of(per_mille);
        }
        is_meant
    }

    fn round(&mut self, seats: &[u32], rng: &mut ChaCha8Rng) -> Dealt {
        let mut wagers = Vec::new();
        for &seat in seats {
            for _ in 0..rng.random_range(1..=4) {
                let mut wager = bet(rng);
                if self.not_offered.iter().any(|kind| wager["kind"] == *kind) {
                    wager = json!({"kind": "big"});
                }
                wager["id"] = json!(format!("w{}", wagers.len() + 1));
                wager["seat"] = json!(seat);
                wager["amount"] = json!(rng.random_range(1..=50) * 500);
                wagers.push(wager);
            }
        }
        let mut play = Map::new();
        let mut tosses = Vec::new();
        let mut events = Vec::new();
        if self.automated {
            play.insert("shaker".into(), json!("automated"));
        }
        let fails = self.automated && rng.random_range(0..100) == 0;
        if fails {
            events.push(house("activate"));
            events.push(irregular("shaker_failure", None, "round void"));
            tosses.push(json!({"shaker_failure": true}));
        } else {
            while rng.random_range(0..40) == 0 {
                self.toss(false, &mut tosses, &mut events, rng);
            }
            self.toss(true, &mut tosses, &mut events, rng);
            if rng.random_range(0..100) == 0 {
                self.is_broken = true;
                events.push(irregular("device_malfunction", None, "settled by hand"));
                play.insert("device_malfunction".into(), json!(true));
            }
        }
        play.insert("tosses".into(), json!(tosses));
        Dealt {
            wagers,
            play: Value::Object(play),
            events,
            ..Dealt::default()
        }
    }

    /// Too few shakes, other faces keyed in than fell, a toss called off for no reason, or a bet that
    /// has no price.
    fn misplay(&mut self, dealt: &mut Dealt, rng: &mut ChaCha8Rng) -> Option<Vec<&'static str>> {
        let is_roll = |body: &Body| matches!(body, Body::DiceRolled(rolled) if rolled.valid);
        let at = dealt.events.iter().position(is_roll)?;
        let last = dealt.play["tosses"].as_array()?.len() - 1;
        let toss = &mut dealt.play["tosses"][last];
        match rng.random_range(0..4) {
            0 if !self.automated => {
                let is_shake = |body: &Body| matches!(body, Body::Decision(_));
                let from = dealt.events[..at].iter().rposition(|body| !is_shake(body));
                let from = from.map_or(0, |from| from + 1);
                dealt.events.drain(from + 2..at);
                toss["shakes"] = json!(2);
                Some(vec!["sicbo.too_few_shakes"])
            }
            1 => {
                let first = toss["dice"][0].as_i64()?;
                let entered = json!([first % 6 + 1, toss["dice"][1], toss["dice"][2]]);
                toss["entered"] = entered.clone();
                let detail = json!({ "entered": entered });
                let keyed = irregular("entry_mismatch", Some(detail), "the dice decide");
                dealt.insert(at + 1, keyed);
                Some(vec!["sicbo.entry_mismatch"])
            }
            2 => {
                let dice = toss["dice"].clone();
                let tosses = dealt.play["tosses"].as_array_mut()?;
                tosses.insert(0, json!({"no_roll": "improper", "dice": dice}));
                let Some(Body::DiceRolled(mut rolled)) = dealt.events.get(at).cloned() else {
                    return None;
                };
                rolled.valid = false;
                dealt.insert(0, rolled.into());
                dealt.insert(1, irregular("improper", None, "no roll"));
                Some(vec!["sicbo.no_roll_unfounded"])
            }
            _ => {
                let ways = [
                    (
                        json!({"kind": "total", "number": 18}),
                        "wager.not_permissible",
                    ),
                    (json!({"kind": "big", "form": "cash"}), "wager.verbal_cash"),
                    (
                        json!({"kind": "big", "form": "coupon"}),
                        "wager.match_play_not_allowed",
                    ),
                ];
                let (mut extra, code) = ways.choose(rng)?.clone();
                extra["id"] = json!("extra");
                extra["seat"] = json!(1);
                extra["amount"] = json!(500);
                dealt.wagers.push(extra);
                Some(vec![code])
            }
        }
    }
}

impl SicBo {
    /// Shaken, and valid unless a die leans.
    fn toss(
        &self,
        flat: bool,
        tosses: &mut Vec<Value>,
        events: &mut Vec<Body>,
        rng: &mut ChaCha8Rng,
    ) {
        let dice: Vec<u8> = (0..3).map(|_| self.bias.die(rng)).collect();
        let mut toss = json!({ "dice": dice });
        if self.automated {
            events.push(house("activate"));
        } else {
            let shakes = rng.random_range(3..=5);
            events.extend((0..shakes).map(|_| house("shake")));
            toss["shakes"] = json!(shakes);
        }
        let rolled = DiceRolled {
            dice,
            valid: flat,
            serials: None,
        };
        events.push(rolled.into());
        if !flat {
            events.push(irregular("not_flat", None, "no roll"));
            toss["no_roll"] = json!("not_flat");
        }
        tosses.push(toss);
    }
}

fn house(action: &str) -> Body {
    Decision {
        seat: 0,
        hand: None,
        action: action.to_owned(),
        amount: None,
    }
    .into()
}

fn irregular(kind: &str, detail: Option<Value>, ruling: &str) -> Body {
    Irregularity {
        kind: kind.to_owned(),
        detail: detail.as_ref().map(Json::new),
        ruling: ruling.to_owned(),
    }
    .into()
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
