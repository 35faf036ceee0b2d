//! Pai gow poker, with vigorish and without: the table, its wagers and its meter.

mod deal;

use std::collections::BTreeMap;

use catwalk_events::body::{Body, DealingMethod, ShoeEnded, ShoeStarted};
use catwalk_rules::Settlement;
use catwalk_rules::floor::Cents;
use rand::RngExt;
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;
use serde_json::{Value, json};

use super::{Bank, Banking, miscount, new_dice};
use crate::deck::retired;
use crate::fault::FaultKind;
use crate::games::shoes::new_set;
use crate::games::{Dealt, GameSim};
use crate::meters::Linked;
use crate::table::wager_of;

/// A deck is changed after so many rounds, well within its hours.
const ROUNDS_PER_DECK: u32 = 100;
const METER: i64 = 1_000_000;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::games) enum Variant {
    Vigorish,
    CommissionFree,
}

#[derive(Debug)]
pub(in crate::games) struct PaiGowPoker {
    variant: Variant,
    ohio: bool,
    options: Value,
    rounds: u32,
    /// Rounds that the button has gone round for.
    turns: u32,
    /// Cards lie on the table, and dice where they are used.
    ready: bool,
    dice_sets: u32,
    left: Option<u32>,
    /// A reader knows every card that is dealt.
    reads: bool,
    banking: Banking,
    meter: i64,
}

impl GameSim for PaiGowPoker {
    fn sign(&self) -> &'static str {
        match self.variant {
            Variant::Vigorish => "PP",
            Variant::CommissionFree => "PC",
        }
    }

    fn open(&mut self, rng: &mut ChaCha8Rng) -> (&'static str, Value) {
        self.ohio = self.variant == Variant::CommissionFree || rng.random_range(0..3) == 0;
        let mut options = json!({});
        let mut choose = |key: &str, values: &[&str]| {
            options[key] = json!(values.choose(rng));
        };
        let massachusetts = ["dice", "rng", "left_first", "button"];
        choose(
            "start_method",
            if self.ohio {
                &["dice", "rng", "button"]
            } else {
                &massachusetts
            },
        );
        if self.variant == Variant::Vigorish {
            choose("vig_rounding", &["none", "up_25c"]);
        }
        if !self.ohio {
            choose("house_way", &["standard", "as_set"]);
            choose("low_straight", &["second_highest", "lowest"]);
            choose("royal_match", &["king_queen", "ace_king_natural"]);
            choose("insurance_paytable", &["A", "B", "C", "D", "E"]);
            choose("seven_card_paytable", &["A", "B"]);
        }
        let start = options["start_method"]
            .as_str()
            .unwrap_or_default()
            .to_owned();
        // The button goes round with an automated shoe alone.
        options["deal_method"] = match (start.as_str(), self.ohio) {
            ("button", _) => json!("auto_shoe"),
            (_, true) => json!(["hand", "auto_shoe"].choose(rng)),
            (_, false) => json!(["shoe", "hand", "auto_shoe"].choose(rng)),
        };
        options["side_bets"] = match (self.variant, self.ohio, start.as_str()) {
            (Variant::CommissionFree, ..) => {
                json!(["fortune_bonus", "fortune_progressive", "tiger_9"])
            }
            (_, true, _) => json!(["fortune_bonus", "fortune_progressive"]),
            (_, _, "rng") => json!(["number", "progressive"]),
            (_, _, "dice" | "button") => json!(["bonus", "insurance", "progressive"]),
            _ => json!(["three_card_bonus", "seven_card_bonus", "progressive"]),
        };
        if !self.ohio {
            options["progressive_wager"] = json!([100, 500].choose(rng));
            self.banking.post(&mut options, rng);
        }
        self.reads = options["deal_method"] == "auto_shoe" || rng.random_range(0..3) > 0;
        self.options = options.clone();
        let edition = if self.ohio {
            "oh-jack-2017"
        } else {
            "mgc-2017"
        };
        (edition, options)
    }

    /// The deck is shuffled before every round.
    fn prepare(&mut self, _: &mut ChaCha8Rng) -> Vec<Body> {
        let mut events: Vec<Body> = Vec::new();
        let shoe = format!("deal-{}", self.rounds);
        if let Some(left) = self.left {
            let remaining = Some(left);
            events.push(ShoeEnded { shoe, remaining }.into());
        }
        let is_ready = std::mem::replace(&mut self.ready, true);
        if !is_ready && self.options["start_method"] == "dice" {
            self.dice_sets += 1;
            events.extend(new_dice(self.dice_sets));
        }
        if self.rounds.is_multiple_of(ROUNDS_PER_DECK) {
            if is_ready {
                events.extend(retired(&self.set(), "scheduled"));
            }
            self.rounds += 1;
            self.banking.start_anew();
            events.extend(new_set(&self.set(), 1, "blue"));
        } else {
            self.rounds += 1;
        }
        let started = ShoeStarted {
            shoe: format!("deal-{}", self.rounds),
            set: self.set(),
            decks: 1,
            method: match self.options["deal_method"].as_str() {
                Some("hand") => DealingMethod::Hand,
                Some("auto_shoe") => DealingMethod::AutoShoe,
                _ => DealingMethod::Shoe,
            },
            shuffler: None,
            cut: None,
        };
        events.push(started.into());
        events
    }

    fn close(&mut self) {
        self.banking.forget();
    }

    fn renew(&mut self) {
        self.ready = false;
        self.left = None;
        // The next round has a new deck, and a new deck has a new name.
        self.rounds = self.rounds.next_multiple_of(ROUNDS_PER_DECK);
    }

    fn shoe(&self) -> Option<String> {
        Some(format!("deal-{}", self.rounds))
    }

    fn cannot(&self) -> &'static [FaultKind] {
        match self.variant {
            Variant::Vigorish => &[],
            Variant::CommissionFree => &[FaultKind::WrongCommission],
        }
    }

    fn round(&mut self, seats: &[u32], rng: &mut ChaCha8Rng) -> Dealt {
        let bank = self
            .banks()
            .then(|| self.banking.offer(seats, rng))
            .flatten();
        let (mut play, mut before) = (json!({}), Vec::new());
        let mut wagers = self.bets(seats, bank, rng);
        if let Some(bank) = bank {
            bank.take(&mut wagers, &mut before, &mut play);
        }
        let mut events = Vec::new();
        self.turns += 1;
        let start = self.start(bank, &wagers, &mut play, &mut events, rng);
        let drawn = events.len();
        let hands = self.deal(start, &wagers, bank, rng);
        let first_three = self.tell_deal(&hands, &wagers, bank, &mut events);
        play["remaining"] = json!(hands.left);
        self.left = Some(hands.left);
        self.tell_settings(&hands, &wagers, bank, &mut play, &mut events, rng);
        play["meters"] = json!({"progressive": self.meter});
        let decided = wagers.iter().enumerate().filter_map(|(index, bet)| {
            let after = match bet["kind"].as_str()? {
                "number" => drawn,
                "three_card_bonus" => first_three,
                _ => return None,
            };
            Some((index, after))
        });
        let progressive = wagers
            .iter()
            .enumerate()
            .filter(|(_, bet)| is_progressive(bet));
        Dealt {
            decided: decided.collect(),
            lifted: progressive.map(|(index, _)| index).collect(),
            wagers,
            play,
            events,
            before,
            banker: bank.map(|bank| bank.seat),
            meters: Some(BTreeMap::from([(
                "progressive".to_owned(),
                Cents::new(self.meter),
            )])),
            ..Dealt::default()
        }
    }

    /// Main wagers are paid before what lies beside them, and premium hands and envy last.
    fn arrange(&self, dealt: &Dealt, payments: &mut Vec<(usize, Body)>) {
        payments.sort_by_key(|(after, body)| {
            let wager = wager_of(body);
            let bet = dealt.wagers.iter().find(|bet| bet["id"].as_str() == wager);
            let kind = bet.and_then(|bet| bet["kind"].as_str());
            let turn = match (body, kind) {
                (Body::WagerPaid(_), Some("envy")) => 3,
                (Body::WagerPaid(paid), Some("bonus" | "fortune_bonus"))
                    if paid.amount.get() >= 25 * stake_of(bet) =>
                {
                    3
                }
                (Body::WagerPaid(_), Some("pai_gow_poker" | "bank" | "dealer_vs_bank")) => 1,
                (Body::WagerPaid(_) | Body::JackpotPaid(_), _) => 2,
                _ => 0,
            };
            (*after, turn)
        });
    }

    /// Dice that were miscounted, a dealer who does not set the house way, a surrender that the
    /// player's other wagers forbid.
    fn misplay(&mut self, round: &mut Dealt, rng: &mut ChaCha8Rng) -> Option<Vec<&'static str>> {
        let codes: [&'static str; 2] = match self.variant {
            Variant::Vigorish => ["pai_gow_poker.wrong_start", "pai_gow_poker.house_way_error"],
            Variant::CommissionFree => [
                "commission_free_pai_gow_poker.wrong_start",
                "commission_free_pai_gow_poker.house_way_error",
            ],
        };
        if rng.random_range(0..2) == 0 {
            return miscount(round, codes[0]).or_else(|| self.misset(round, codes[1]));
        }
        self.misset(round, codes[1])
    }

    /// The tables of a game and an edition with the same chip are one link.
    fn linked(&self) -> Vec<Linked> {
        let unit = &self.options["progressive_wager"];
        let linked = Linked {
            link: format!("{}-{}-{unit}", self.sign(), self.ohio),
            meter: "progressive".to_owned(),
            shown: Cents::new(self.meter),
            reset: Cents::new(METER),
        };
        vec![linked]
    }

    fn show_meter(&mut self, _: &str, shown: Cents) {
        self.meter = shown.get();
    }

    fn settled(&mut self, dealt: &Dealt, settlement: &Settlement) -> Vec<Body> {
        self.banking.follow(dealt, "pai_gow_poker");
        let unit = self.options["progressive_wager"].as_i64().unwrap_or(100);
        for (bet, row) in dealt.wagers.iter().zip(settlement.wagers()) {
            if !is_progressive(bet) {
                continue;
            }
            self.meter += unit * 3 / 10;
            let payout = row.returned.get();
            let per_dollar = payout * 100 / unit;
            let off_meter = match self.ohio {
                true => payout > 50_000,
                false => per_dollar == 2_500 || per_dollar >= 5_000,
            };
            if off_meter {
                self.meter = (self.meter - payout).max(METER);
            }
        }
        Vec::new()
    }
}

impl PaiGowPoker {
    pub(in crate::games) fn new(variant: Variant) -> PaiGowPoker {
        PaiGowPoker {
            variant,
            ohio: false,
            options: Value::Null,
            rounds: 0,
            turns: 0,
            ready: false,
            dice_sets: 0,
            left: None,
            reads: false,
            banking: Banking::default(),
            meter: METER,
        }
    }

    fn set(&self) -> String {
        format!(
            "deck-{}",
            self.rounds.saturating_sub(1) / ROUNDS_PER_DECK + 1
        )
    }

    fn is_left_first(&self) -> bool {
        self.options["start_method"] == "left_first"
    }

    fn banks(&self) -> bool {
        !self.ohio && !self.is_left_first()
    }

    fn bets(&self, seats: &[u32], bank: Option<Bank>, rng: &mut ChaCha8Rng) -> Vec<Value> {
        let mut wagers: Vec<Value> = Vec::new();
        let mut place = |seat: u32, kind: &str, amount: i64, more: Option<(&str, Value)>| {
            let id = format!("w{}", wagers.len() + 1);
            let mut bet = json!({"id": id, "seat": seat, "kind": kind, "amount": amount});
            if let Some((key, value)) = more {
                bet[key] = value;
            }
            wagers.push(bet);
            id
        };
        let offered: Vec<&str> = self.options["side_bets"]
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(Value::as_str)
            .collect();
        for &seat in seats
            .iter()
            .filter(|&&seat| Some(seat) != bank.map(|bank| bank.seat))
        {
            place(seat, "pai_gow_poker", rng.random_range(2..=60) * 500, None);
            for &kind in &offered {
                if rng.random_range(0..3) > 0 {
                    continue;
                }
                match kind {
                    "progressive" | "fortune_progressive" => {
                        let unit = self.options["progressive_wager"].as_i64().unwrap_or(100);
                        place(seat, kind, unit, None);
                    }
                    "number" => {
                        let number = rng.random_range(1..=7);
                        let stake = rng.random_range(1..=10) * 200;
                        place(seat, kind, stake, Some(("number", json!(number))));
                    }
                    "bonus" | "fortune_bonus" => {
                        let stake = rng.random_range(1..=20) * 100;
                        let id = place(seat, kind, stake, None);
                        if stake >= 500 {
                            place(seat, "envy", 0, Some(("on", json!(id))));
                        }
                    }
                    _ => drop(place(seat, kind, rng.random_range(1..=20) * 100, None)),
                }
            }
        }
        wagers
    }
}

fn stake_of(bet: Option<&Value>) -> i64 {
    bet.and_then(|bet| bet["amount"].as_i64()).unwrap_or(1)
}

/// Its chip goes into the float before the deal.
fn is_progressive(bet: &Value) -> bool {
    bet["kind"]
        .as_str()
        .is_some_and(|kind| kind.ends_with("progressive"))
}
