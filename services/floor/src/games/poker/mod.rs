//! The poker room on the floor: every form, with antes, blinds, kills, all-ins and side pots.
//!
//! | file | subject |
//! | --- | --- |
//! | `forms` | how the forms are dealt and what a hand is worth to its player |
//! | `hand` | one hand from the posts to the showdown |
//! | `betting` | who acts, and what he may do |
//! | `cheat` | what a dealer or player can do wrong |

mod betting;
mod cheat;
mod forms;
mod hand;

use std::collections::BTreeMap;

use catwalk_events::Role;
use catwalk_events::body::{
    Body, DealingMethod, JackpotDropTaken, JackpotPaid, PotAwarded, RakeTaken, WagerPushed,
};
use catwalk_rules::Settlement;
use catwalk_rules::floor::Cents;
use rand::RngExt;
use rand::seq::{IndexedRandom, SliceRandom};
use rand_chacha::ChaCha8Rng;
use serde_json::{Value, json};

use super::{Dealt, GameSim};
use crate::deck::{Dealing, Decks};
use crate::fault::FaultKind;
use crate::table::person;
use forms::{FORMS, Family, Form};

/// A table of the room.
#[derive(Debug, Default)]
pub(super) struct Poker {
    form: Form,
    sign: Sign,
    decks: Decks,
    /// The table knows its cards when they are dealt.
    reader: bool,
    /// Chips in front of each seat.
    stacks: BTreeMap<u32, i64>,
    bought: Vec<(u32, Cents)>,
    button: u32,
    kill: u32,
    fund: i64,
    /// Events until the first cards lie, and wagers until then.
    first_deal: usize,
    posts: usize,
}

/// What the posted sign says.
#[derive(Debug, Default)]
struct Sign {
    /// The least and the most of a bet, by betting round.
    limits: Vec<(i64, Option<i64>)>,
    ante: i64,
    blinds: Vec<i64>,
    forced: i64,
    straddle: Option<i64>,
    kill: Option<i64>,
    max_raises: Option<i64>,
    check_raise: bool,
    /// A raise is at least the last full one.
    previous_increment: bool,
    /// How far a bet must have grown before who answered it may raise again.
    reopen: &'static str,
    pot_limit: bool,
    /// What a player pays for time, where there is no rake.
    time: Option<i64>,
    fund: bool,
}

impl GameSim for Poker {
    fn sign(&self) -> &'static str {
        "PK"
    }

    fn open(&mut self, rng: &mut ChaCha8Rng) -> (&'static str, Value) {
        self.form = FORMS.choose(rng).copied().unwrap_or_default();
        self.reader = rng.random_range(0..2) == 0;
        let two = rng.random_range(0..2) == 0;
        self.decks = Decks::new(Dealing {
            method: DealingMethod::Hand,
            alternates: two,
            joker: false,
            count_every: Some(6),
            cut: None,
        });
        // 6(e)4: in hold'em and the omahas the stub is enough.
        self.decks.counts_whole = self.form.family != Family::Board;
        self.fund = rng.random_range(1_000..5_000) * 1_000;
        let amended = self.form.amended || rng.random_range(0..2) == 0;
        let options = self.post(rng);
        let mut seats: Vec<u32> = (1..=self.form.players.min(8)).collect();
        seats.shuffle(rng);
        seats.truncate(rng.random_range(2..=self.form.most()));
        self.stacks = seats.into_iter().map(|seat| (seat, 0)).collect();
        (if amended { "mgc-amended" } else { "mgc-2017" }, options)
    }

    fn of_play(&self) -> &'static [&'static str] {
        &["form"]
    }

    fn prepare(&mut self, rng: &mut ChaCha8Rng) -> Vec<Body> {
        self.decks.shuffle(rng)
    }

    fn closes_at_night(&self) -> bool {
        false
    }

    fn renew(&mut self) {
        self.decks.renew();
    }

    fn shoe(&self) -> Option<String> {
        Some(self.decks.name())
    }

    fn buy_ins(&mut self) -> Option<Vec<(u32, Cents)>> {
        Some(std::mem::take(&mut self.bought))
    }

    fn round(&mut self, _: &[u32], rng: &mut ChaCha8Rng) -> Dealt {
        let dealt_in = self.seat(rng);
        self.play_hand(&dealt_in, rng)
    }

    fn misplay(&mut self, dealt: &mut Dealt, rng: &mut ChaCha8Rng) -> Option<Vec<&'static str>> {
        self.misdeal(dealt, rng)
    }

    fn cheat(
        &mut self,
        kind: FaultKind,
        dealt: &mut Dealt,
        payments: &mut Vec<Body>,
        rng: &mut ChaCha8Rng,
    ) -> Option<(Cents, Vec<&'static str>)> {
        self.steal(kind, dealt, payments, rng)
    }

    fn settled(&mut self, dealt: &Dealt, settlement: &Settlement) -> Vec<Body> {
        let Some(pots) = settlement.pots() else {
            return Vec::new();
        };
        let mut events: Vec<Body> = Vec::new();
        let stacks = &mut self.stacks;
        let mut give = |seat: u16, amount: Cents| {
            *stacks.entry(u32::from(seat)).or_default() += amount.get();
        };
        for wager in &dealt.wagers {
            let seat = wager["seat"].as_u64().unwrap_or_default();
            give(
                u16::try_from(seat).unwrap_or_default(),
                Cents::new(-super::holdem::amount(wager)),
            );
        }
        for refund in &pots.refunds {
            give(refund.seat.number(), refund.amount);
            // The last wager of the seat is what comes back, all or part of it.
            let of_seat = |wager: &&Value| wager["seat"] == u64::from(refund.seat.number());
            let last = dealt.wagers.iter().rev().find(of_seat);
            let id = last.and_then(|wager| wager["id"].as_str());
            events.extend(id.map(|id| {
                Body::from(WagerPushed {
                    wager: id.to_owned(),
                    amount: Some(refund.amount),
                })
            }));
        }
        let time: Cents = pots.time_charges.iter().map(|charge| charge.amount).sum();
        for charge in &pots.time_charges {
            give(charge.seat.number(), -charge.amount);
        }
        let rake = pots.rake + time;
        if rake.is_positive() {
            events.push(RakeTaken { amount: rake }.into());
        }
        if pots.jackpot_drop.is_positive() {
            let amount = pots.jackpot_drop;
            events.push(JackpotDropTaken { amount }.into());
        }
        for award in &pots.awards {
            give(award.seat.number(), award.amount);
            events.push(
                PotAwarded {
                    pot: u32::from(award.pot),
                    seat: u32::from(award.seat.number()),
                    amount: award.amount,
                }
                .into(),
            );
        }
        self.fund += pots.jackpot_drop.get();
        for share in &pots.bad_beat {
            self.fund -= share.amount.get();
            let of_seat = |wager: &&Value| wager["seat"] == u64::from(share.seat.number());
            let wager = dealt.wagers.iter().find(of_seat);
            let wager = wager
                .and_then(|wager| wager["id"].as_str())
                .unwrap_or_default();
            events.push(
                JackpotPaid {
                    meter: "bad_beat".to_owned(),
                    wager: wager.to_owned(),
                    amount: share.amount,
                    by: person("m-1", Role::ShiftManager),
                    witness: None,
                }
                .into(),
            );
        }
        self.kill = u32::from(pots.kill_button);
        events
    }
}

impl Poker {
    /// The sign of the table, and the options that say it.
    fn post(&mut self, rng: &mut ChaCha8Rng) -> Value {
        let form = self.form;
        let small = [200, 400, 500].choose(rng).copied().unwrap_or(400);
        let betting = match form.family {
            Family::Board => ["limit", "pot_limit", "no_limit"].choose(rng).copied(),
            _ => Some("limit"),
        };
        let betting = betting.unwrap_or("limit");
        let spread = betting == "limit" && rng.random_range(0..4) == 0;
        let mut limits = Vec::new();
        for round in 0..form.rounds {
            let min = if round >= form.rounds / 2 {
                small * 2
            } else {
                small
            };
            let max = match (betting, spread) {
                ("limit", false) => Some(min),
                ("limit", true) => Some(min * 5),
                _ => None,
            };
            limits.push((min, max));
        }
        let mut sign = Sign {
            limits,
            check_raise: rng.random_range(0..4) > 0,
            max_raises: (betting == "limit").then_some(4),
            pot_limit: betting == "pot_limit",
            previous_increment: rng.random_range(0..3) == 0,
            reopen: ["any", "full", "half"]
                .choose(rng)
                .copied()
                .unwrap_or("any"),
            ..Sign::default()
        };
        let odd_chip = ["card_by_suit", "first_seat"].choose(rng);
        let unit = [100, 50, 25].choose(rng);
        let min_raise = match sign.previous_increment {
            true => "previous_increment",
            false => "posted_min",
        };
        let mut options = json!({"form": form.name, "betting": betting, "bet_limits": sign.limits,
            "check_raise": sign.check_raise, "min_raise": min_raise, "reopen": sign.reopen,
"odd_chip": odd_chip, "chip_unit": unit});
        if let Some(most) = sign.max_raises {
            options["max_raises"] = json!(most);
        }
        if form.is_stud() {
            sign.ante = [50, 100].choose(rng).copied().unwrap_or(100);
            sign.forced = small / 2;
            options["forced_bet"] = json!(sign.forced);
        } else {
            sign.blinds = vec![small / 2, small];
            options["blinds"] = json!(sign.blinds);
            sign.ante = [0, 0, 100].choose(rng).copied().unwrap_or(0);
        }
        options["ante"] = json!(sign.ante);
        if form.kills && rng.random_range(0..2) == 0 {
            sign.kill = Some(small * 10);
            options["kill"] = json!({"type": "kill", "amount": small * 10});
        } else if form.straddles && rng.random_range(0..2) == 0 {
            sign.straddle = Some(small * 2);
            options["straddle"] = json!(small * 2);
        }
        if rng.random_range(0..5) == 0 {
            sign.time = Some(500);
            options["rake"] = json!([{"method": "time", "basis": "per_player", "hourly": 1000,
                "interval": 30}]);
        } else {
            let percent = json!({"method": "percent", "rate_bp": 1000, "cap": 500, "unit": 100});
            let levels = json!({"method": "incremental",
                "levels": [[1000, 100], [2000, 100], [4000, 100]], "cap": 300});
            let method = [percent, levels].choose(rng).cloned();
            options["rake"] = json!([method]);
            options["no_flop_no_drop"] = json!(rng.random_range(0..2) == 0);
        }
        if form.is_high && rng.random_range(0..2) == 0 {
            sign.fund = true;
            let weakest = match form.family {
                Family::Mambo => vec!["QS", "QH", "2C"],
                _ => vec!["TS", "TH", "TD", "2C", "2S"],
            };
            options["jackpot"] = json!({"drop": {"method": "fixed", "amount": 100, "min_pot": 2000},
                "pay": {"qualifier": weakest, "hole_cards": 0,
                    "shares": {"loser": 50, "winner": 25, "table": 25}}});
        }
        self.sign = sign;
        options
    }

    /// Who plays the next hand: players without enough chips buy in, some sit a hand out.
    fn seat(&mut self, rng: &mut ChaCha8Rng) -> Vec<u32> {
        let min = self.sign.limits.first().map_or(0, |limits| limits.0);
        let enough = self.sign.ante + min * 8;
        self.bought.clear();
        let mut dealt_in = Vec::new();
        let rests = self.stacks.len() > 3 && self.kill == 0;
        for (&seat, stack) in &mut self.stacks {
            if *stack < enough {
                let amount = min * rng.random_range(10..60);
                *stack += amount;
                self.bought.push((seat, Cents::new(amount)));
            }
            if !(rests && rng.random_range(0..12) == 0) {
                dealt_in.push(seat);
            }
        }
        if dealt_in.len() < 2 {
            dealt_in = self.stacks.keys().copied().collect();
        }
        let next = dealt_in.iter().find(|&&seat| seat > self.button);
        self.button = next.or(dealt_in.first()).copied().unwrap_or_default();
        dealt_in
    }
}
