//! The big six wheel on the floor.

use catwalk_events::Json;
use catwalk_events::body::{Body, Decision, Inspection, Irregularity, WheelInspected, WheelSpun};
use catwalk_rules::Edition;
use catwalk_rules::book::Book;
use rand::RngExt;
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;
use serde_json::{Value, json};

use super::bias::Bias;
use super::{Dealt, GameSim};
use crate::fault::FaultKind;

#[derive(Debug, Default)]
pub(super) struct BigSix {
    inspected: bool,
    ohio: bool,
    respins: bool,
    bias: Bias,
}

impl GameSim for BigSix {
    fn sign(&self) -> &'static str {
        "B6"
    }

    fn open(&mut self, rng: &mut ChaCha8Rng) -> (&'static str, Value) {
        self.ohio = rng.random_range(0..2) == 0;
        let raised = rng.random_range(0..2) == 0;
        let pays = if raised {
            json!({"joker": "47:1"})
        } else {
            json!({})
        };
        if self.ohio {
            let options = json!({"pays": pays, "odds_approved": raised});
            return ("oh-jack-2017", options);
        }
        self.respins = rng.random_range(0..2) == 0;
        let between = if self.respins { "respin" } else { "previous" };
        ("mgc-2017", json!({"pays": pays, "between": between}))
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

    fn renew(&mut self) {
        self.inspected = false;
    }

    fn favour(&mut self, kind: FaultKind, per_mille: u32) -> bool {
        let is_meant = kind == FaultKind::BiasedWheel;
        if is_meant {
            self.bias = Bias::of(per_mille);
        }
        is_meant
    }

    fn round(&mut self, seats: &[u32], rng: &mut ChaCha8Rng) -> Dealt {
        let special = if self.ohio { "casino_name" } else { "flag" };
        let kinds = [
            "insignia_1",
            "insignia_2",
            "insignia_5",
            "insignia_10",
            "insignia_20",
            "joker",
            special,
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
        let (mut spins, mut events) = (Vec::new(), Vec::new());
        while rng.random_range(0..40) == 0 {
            let short = WheelSpun {
                result: String::new(),
                valid: false,
                revolutions: Some(rng.random_range(0..3)),
                wheel: Some("wheel-6".to_owned()),
                ..WheelSpun::default()
            };
            spins.push(json!({"revolutions": short.revolutions, "no_spin": "short_spin"}));
            events.push(short.into());
        }
        while !self.spin(&mut spins, &mut events, rng) {}
        Dealt {
            wagers,
            play: json!({ "spins": spins }),
            events,
            ..Dealt::default()
        }
    }

    /// The wheel is let stop after one turn, a stuck clapper is spun again although the section passed
    /// last decides, the dealer spares himself the walk-spins, or takes a bet of another wheel.
    fn misplay(&mut self, dealt: &mut Dealt, rng: &mut ChaCha8Rng) -> Option<Vec<&'static str>> {
        let last = dealt.play["spins"].as_array()?.len() - 1;
        match rng.random_range(0..4) {
            0 if !self.ohio => {
                match dealt.events.iter_mut().rev().find(|body| is_spin(body)) {
                    Some(Body::WheelSpun(spin)) => spin.revolutions = Some(1),
                    _ => return None,
                }
                dealt.play["spins"][last]["revolutions"] = json!(1);
                Some(vec!["bigsix.short_spin_accepted"])
            }
            1 if !self.respins => {
                let stuck = json!({"passed": "1", "next": "2", "revolutions": 5,
                    "no_spin": "clapper_between"});
                dealt.play["spins"].as_array_mut()?.insert(0, stuck);
                let spin = WheelSpun {
                    result: "1".into(),
                    valid: false,
                    revolutions: Some(5),
                    wheel: Some("wheel-6".to_owned()),
                    ..WheelSpun::default()
                };
                dealt.insert(0, spin.into());
                dealt.insert(1, between("1", "2"));
                Some(vec!["bigsix.between_wrong"])
            }
            2 if self.ohio => {
                let walks = |body: &Body| matches!(body, Body::Decision(_));
                let spun = dealt.events.iter().rposition(is_spin)?;
                let before = dealt.events[..spun].iter().rev();
                for _ in 1..before.take_while(|body| walks(body)).count() {
                    let at = dealt.events.iter().rposition(walks)?;
                    dealt.remove(at);
                }
                dealt.play["spins"][last]["walk_spins"] = json!(1);
                Some(vec!["bigsix.walk_spins_missing"])
            }
            _ => {
                let foreign = if self.ohio { "flag" } else { "casino_name" };
                dealt
                    .wagers
                    .push(json!({"id": "extra", "seat": 1, "kind": foreign, "amount": 500}));
                Some(vec!["wager.not_permissible"])
            }
        }
    }
}

fn is_spin(body: &Body) -> bool {
    matches!(body, Body::WheelSpun(_))
}

fn between(passed: &str, next: &str) -> Body {
    let detail = json!({"passed": passed, "next": next});
    Irregularity {
        kind: "clapper_between".into(),
        detail: Some(Json::new(&detail)),
        ruling: "by the posted rule".into(),
    }
    .into()
}

impl BigSix {
    /// The wheel clockwise, or where the text has no order its sections.
    fn sections(&self) -> Vec<&'static str> {
        let edition = match self.ohio {
            true => Edition::OhJack2017,
            false => Edition::Mgc2017,
        };
        let figure = |key: &str| Book::of("big_six")?.figure(edition, key);
        if let Some(order) = figure("wheel_order").and_then(Value::as_array) {
            return order.iter().filter_map(Value::as_str).collect();
        }
        let sections = figure("sections").and_then(Value::as_object);
        let sections = sections.into_iter().flatten();
        sections
            .flat_map(|(symbol, count)| {
                let count = count.as_u64().and_then(|count| usize::try_from(count).ok());
                std::iter::repeat_n(symbol.as_str(), count.unwrap_or_default())
            })
            .collect()
    }

    /// One spin; true if it has a result.
    fn spin(&self, spins: &mut Vec<Value>, events: &mut Vec<Body>, rng: &mut ChaCha8Rng) -> bool {
        let wheel = self.sections();
        let joker = wheel.iter().position(|symbol| *symbol == "joker");
        let at = match joker.filter(|_| self.bias.shows(rng)) {
            Some(joker) => joker,
            None => rng.random_range(0..wheel.len()),
        };
        let (stop, turns) = (wheel[at], rng.random_range(4..9));
        let mut entry = json!({"revolutions": turns});
        if self.ohio {
            let walks = rng.random_range(2..=3);
            for _ in 0..walks {
                let walk = Decision {
                    seat: 0,
                    hand: None,
                    action: "walk_spin".into(),
                    amount: None,
                };
                events.push(walk.into());
            }
            entry["walk_spins"] = json!(walks);
        }
        let is_stuck = rng.random_range(0..40) == 0;
        let spin = WheelSpun {
            result: stop.to_owned(),
            valid: true,
            revolutions: Some(turns),
            wheel: Some("wheel-6".to_owned()),
            ..WheelSpun::default()
        };
        events.push(spin.into());
        if is_stuck {
            let next = wheel[(at + 1) % wheel.len()];
            events.push(between(stop, next));
            entry["passed"] = json!(stop);
            entry["next"] = json!(next);
        } else {
            entry["stop"] = json!(stop);
        }
        spins.push(entry);
        !(is_stuck && self.respins)
    }
}
