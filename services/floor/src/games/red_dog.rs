//! Red Dog on the floor.

use catwalk_events::Json;
use catwalk_events::body::{
    BettingClosed, Body, CardDealt, CardPlace, DealingMethod, Face, Irregularity,
};
use catwalk_rules::floor::Card;
use rand::RngExt;
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;
use serde_json::{Value, json};

use super::shoes::{Dealing, Shoes};
use super::{Dealt, GameSim};
use crate::fault::FaultKind;

#[derive(Debug, Default)]
pub(super) struct RedDog {
    shoes: Option<Shoes>,
}

impl GameSim for RedDog {
    fn sign(&self) -> &'static str {
        "RD"
    }

    fn open(&mut self, rng: &mut ChaCha8Rng) -> (&'static str, Value) {
        let decks = *[1, 2, 6, 8].choose(rng).unwrap_or(&1);
        let shufflers = [
            ("manual", DealingMethod::Shoe),
            ("manual", DealingMethod::Shoe),
            ("automated", DealingMethod::AutoShoe),
            ("continuous", DealingMethod::Continuous),
        ];
        let (shuffler, method) = *shufflers.choose(rng).unwrap_or(&shufflers[0]);
        self.shoes = Some(Shoes::new(Dealing {
            decks,
            without_tens: false,
            method,
            alternating: false,
            cut: decks * 13,
            least: 4,
            rounds_per_set: 1_200,
            side: None,
        }));
        let mut options = json!({"decks": decks, "shuffler": shuffler});
        if rng.random_range(0..3) == 0 {
            options["pays"] = json!({"spread": {"1": "6:1", "3": "5:2"}});
        }
        ("mgc-2017", options)
    }

    fn prepare(&mut self, rng: &mut ChaCha8Rng) -> Vec<Body> {
        let shoes = self.shoes.as_mut();
        shoes.map_or_else(Vec::new, |shoes| shoes.prepare(rng))
    }

    fn relieve(&mut self) {
        if let Some(shoes) = &mut self.shoes {
            shoes.relieve();
        }
    }

    fn renew(&mut self) {
        if let Some(shoes) = &mut self.shoes {
            shoes.renew();
        }
    }

    fn shoe(&self) -> Option<String> {
        self.shoes.as_ref().map(Shoes::name)
    }

    fn cannot(&self) -> &'static [FaultKind] {
        &[FaultKind::WrongCommission]
    }

    fn round(&mut self, seats: &[u32], rng: &mut ChaCha8Rng) -> Dealt {
        let mut dealt = Dealt::default();
        for &seat in seats {
            let id = format!("w{}", dealt.wagers.len() + 1);
            let amount = rng.random_range(1..=100) * 500;
            let original = json!({"id": id, "seat": seat, "kind": "original", "amount": amount});
            dealt.wagers.push(original);
        }
        let Some((first, second)) = self.draw().zip(self.draw()) else {
            return dealt;
        };
        let mut cards = vec![first, second];
        dealt.events.extend([card(first), card(second)]);
        let apart = value(first).abs_diff(value(second));
        if apart > 1 {
            raise(&mut dealt, apart - 1, rng);
            let early = rng.random_range(0..40) == 0;
            if early && let Some(seen) = self.draw() {
                expose(&mut dealt, seen, seats, rng);
            } else {
                let closed = BettingClosed {
                    window: Some("raise".into()),
                };
                dealt.events.push(closed.into());
            }
        }
        let gone = dealt.play["voided_seats"].as_array().map_or(0, Vec::len) == seats.len();
        if apart != 1
            && !gone
            && let Some(third) = self.draw()
        {
            cards.push(third);
            dealt.events.push(card(third));
        }
        let text: Vec<String> = cards.iter().map(Card::to_string).collect();
        dealt.play["cards"] = json!(text);
        dealt
    }

    /// The dealer turns a third card that is not due, forgets one that is, or takes a raise that is too
    /// large.
    fn misplay(&mut self, dealt: &mut Dealt, rng: &mut ChaCha8Rng) -> Option<Vec<&'static str>> {
        let raised = dealt
            .wagers
            .iter_mut()
            .find(|wager| wager["kind"] == "raise");
        if let Some(raise) = raised.filter(|_| rng.random_range(0..2) == 0) {
            raise["amount"] = json!(raise["amount"].as_i64()? + 100_000);
            return Some(vec!["wager.raise_over_original"]);
        }
        let cards = dealt.play["cards"].as_array_mut()?;
        let values: Vec<u8> = cards
            .iter()
            .filter_map(|card| card.as_str()?.parse().ok())
            .map(value)
            .collect();
        if values.len() == 2 && values[0].abs_diff(values[1]) == 1 {
            let third = self.shoes.as_mut()?.draw()?;
            cards.push(json!(third.to_string()));
            dealt.events.push(card(third));
            return Some(vec!["red_dog.card_on_consecutive"]);
        }
        None
    }
}

impl RedDog {
    fn draw(&mut self) -> Option<Card> {
        self.shoes.as_mut().and_then(Shoes::draw)
    }
}

/// Players raise on wide spreads, as the mathematics wants from seven on, and some on less.
fn raise(dealt: &mut Dealt, spread: u8, rng: &mut ChaCha8Rng) {
    for index in 0..dealt.wagers.len() {
        let keen = spread >= 7 || rng.random_range(0..8) == 0;
        if !keen {
            continue;
        }
        let original = dealt.wagers[index].clone();
        let whole = original["amount"].as_i64().unwrap_or_default();
        let half = rng.random_range(0..4) == 0 && whole >= 1_000;
        let amount = if half { whole / 1_000 * 500 } else { whole };
        dealt.added.push((dealt.wagers.len(), dealt.events.len()));
        let id = format!("w{}", dealt.wagers.len() + 1);
        dealt
            .wagers
            .push(json!({"id": id, "seat": original["seat"], "kind": "raise",
            "amount": amount, "on": original["id"]}));
    }
}

/// The third card is seen before raises are closed: it is discarded, and each player plays on or takes
/// the wagers back.
fn expose(dealt: &mut Dealt, seen: Card, seats: &[u32], rng: &mut ChaCha8Rng) {
    let back = |_: &&u32| rng.random_range(0..3) == 0;
    let voided: Vec<u32> = seats.iter().filter(back).copied().collect();
    dealt.events.push(card(seen));
    let mut detail = json!({"card": seen.to_string()});
    dealt.play = json!({"exposed_third": seen.to_string(), "burned": [seen.to_string()]});
    if !voided.is_empty() {
        detail["voided_seats"] = json!(voided);
        dealt.play["voided_seats"] = json!(voided);
    }
    let irregularity = Irregularity {
        kind: "exposed_third".into(),
        detail: Some(Json::new(&detail)),
        ruling: "discarded".into(),
    };
    dealt.events.push(irregularity.into());
}

fn card(card: Card) -> Body {
    CardDealt {
        to: CardPlace::Community,
        seat: None,
        hand: None,
        card: Some(card.to_string()),
        face: Face::Up,
        back: None,
    }
    .into()
}

/// Two to ten their number, then jack, queen, king, ace.
fn value(card: Card) -> u8 {
    card.rank().map_or(0, |rank| rank.index() + 2)
}
