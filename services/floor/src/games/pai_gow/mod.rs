//! Pai gow with cards and with tiles, on the floor.

mod poker;
mod tiles;

use std::collections::BTreeMap;

use catwalk_events::body::{Body, Decision, HandSet};
use rand::RngExt;
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;
use serde_json::{Value, json};

use super::{Dealt, dice};

pub(super) use self::poker::{PaiGowPoker, Variant};
pub(super) use self::tiles::PaiGow;

/// Who may bank: not in the first round, not twice running, and only who wagered in the last round
/// without a bank.
#[derive(Debug, Default)]
struct Banking {
    rounds: u32,
    banked: Option<u32>,
    wagered: BTreeMap<u32, i64>,
    /// Players do not bank here.
    closed: bool,
    /// The house covers no half of a bank.
    alone: bool,
    /// The dealer's wager against a bank is another than its last.
    approved: bool,
}

/// The bank of a round.
#[derive(Clone, Copy, Debug)]
struct Bank {
    seat: u32,
    with_house: bool,
    /// What it last wagered against the dealer.
    last_wager: i64,
    /// What the dealer wagers against it.
    dealer_wager: i64,
}

impl Banking {
    /// The table has closed: nobody has wagered or banked yet.
    fn forget(&mut self) {
        self.rounds = 0;
        self.banked = None;
        self.wagered.clear();
    }

    /// Other tiles are laid out, or cards spread: the game starts anew, with the same players.
    fn start_anew(&mut self) {
        self.rounds = 0;
    }

    /// What the table says of banks.
    fn post(&mut self, options: &mut Value, rng: &mut ChaCha8Rng) {
        self.closed = rng.random_range(0..5) == 0;
        self.alone = rng.random_range(0..4) == 0;
        self.approved = rng.random_range(0..4) == 0;
        options["banking"] = json!(!self.closed);
        options["co_banking"] = json!(!self.alone);
        let rule = if self.approved {
            "approved"
        } else {
            "last_wager"
        };
        options["dealer_bank_wager_rule"] = json!(rule);
    }

    /// Now and then somebody takes the bank.
    fn offer(&self, seats: &[u32], rng: &mut ChaCha8Rng) -> Option<Bank> {
        if self.closed || self.rounds == 0 || seats.len() < 2 || rng.random_range(0..4) > 0 {
            return None;
        }
        let may = |seat: &&u32| Some(**seat) != self.banked && self.wagered.contains_key(seat);
        let candidates: Vec<&u32> = seats.iter().filter(may).collect();
        let seat = **candidates.choose(rng)?;
        let last_wager = self.wagered.get(&seat).copied()?;
        Some(Bank {
            seat,
            with_house: !self.alone && rng.random_range(0..3) == 0,
            last_wager,
            dealer_wager: last_wager + if self.approved { 500 } else { 0 },
        })
    }

    /// Keeps who banked and who wagered.
    fn follow(&mut self, dealt: &Dealt, main: &str) {
        self.rounds += 1;
        self.banked = dealt.banker;
        if dealt.banker.is_none() {
            let mains = dealt.wagers.iter().filter(|bet| bet["kind"] == main);
            self.wagered = mains
                .map(|bet| (seat_of(bet), bet["amount"].as_i64().unwrap_or_default()))
                .collect();
        }
    }
}

impl Bank {
    /// Its entry, the dealer's wager against it, what is said of it, and its keys of `play`.
    fn take(&self, wagers: &mut Vec<Value>, said: &mut Vec<Body>, play: &mut Value) {
        let mut place = |seat: u32, kind: &str, amount: i64| {
            let id = format!("w{}", wagers.len() + 1);
            wagers.push(json!({"id": id, "seat": seat, "kind": kind, "amount": amount}));
        };
        place(self.seat, "bank", 0);
        if self.with_house {
            said.push(says(self.seat, "co_bank"));
        } else {
            place(0, "dealer_vs_bank", self.dealer_wager);
        }
        play["mode"] = json!(if self.with_house { "co_bank" } else { "bank" });
        play["bank_seat"] = json!(self.seat);
        play["bank_check"] = json!({"first_round": false, "banked_last_round": false,
            "last_wager": self.last_wager});
    }
}

fn seat_of(wager: &Value) -> u32 {
    let seat = wager["seat"].as_u64().unwrap_or_default();
    u32::try_from(seat).unwrap_or_default()
}

fn says(seat: u32, action: &str) -> Body {
    Decision {
        seat,
        hand: None,
        action: action.to_owned(),
        amount: None,
    }
    .into()
}

/// A hand is set: of the dealer, the bank or a seat.
fn sets(position: u32, bank: Option<u32>, high: Vec<String>, low: Vec<String>) -> Body {
    let to = match position {
        0 => "dealer",
        seat if Some(seat) == bank => "bank",
        _ => "seat",
    };
    HandSet {
        to: to.to_owned(),
        seat: (position > 0).then_some(position),
        high,
        low,
    }
    .into()
}

/// Three dice for the shaker come to the table.
fn new_dice(number: u32) -> [Body; 2] {
    dice::new_dice(number, 3)
}

fn shake(rng: &mut ChaCha8Rng) -> Vec<u8> {
    (0..3).map(|_| rng.random_range(1..=6)).collect()
}

/// Turns a die so that the start falls on another position: the codes that tell of it.
fn miscount(round: &mut Dealt, code: &'static str) -> Option<Vec<&'static str>> {
    let roll = round.events.iter_mut().find_map(|body| match body {
        Body::DiceRolled(roll) => Some(roll),
        _ => None,
    })?;
    roll.dice[0] = roll.dice[0] % 6 + 1;
    round.play["deal"]["dice"] = json!(roll.dice);
    Some(vec![code])
}

/// Replaces a setting of the play, in its events and in its document.
fn set_again(round: &mut Dealt, high: Vec<String>, low: Vec<String>) {
    round.play["dealer"]["high"] = json!(high);
    round.play["dealer"]["low"] = json!(low);
    for body in &mut round.events {
        if let Body::HandSet(set) = body
            && set.to == "dealer"
        {
            (set.high, set.low) = (high.clone(), low.clone());
        }
    }
}

fn texts<T: ToString>(pieces: &[T]) -> Vec<String> {
    pieces.iter().map(T::to_string).collect()
}
