//! The players: what they bet, on what, and when they take it down.

use catwalk_events::body::{Body, WagerChanged, WagerRemoved};
use catwalk_events::{Person, Role};
use catwalk_rules::floor::Cents;
use rand::RngExt;
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;
use serde_json::{Value, json};

use super::fate::{Live, can_be_off, is_odds};
use super::{Craps, Hand, prepaid, said};

/// Bets that may be made at any time, the common ones more than once.
const ANY_TIME: [&str; 22] = [
    "place",
    "place",
    "place",
    "buy",
    "buy",
    "lay",
    "place_lose",
    "hard",
    "hard",
    "field",
    "field",
    "any_seven",
    "any_craps",
    "craps_two",
    "craps_three",
    "craps_twelve",
    "eleven",
    "c_and_e",
    "horn",
    "horn_high",
    "hop",
    "six_seven_eight",
];

impl Craps {
    /// The bets of all seats before a roll, and what they take down.
    pub(super) fn bet(
        &mut self,
        seats: &[u32],
        hand: &mut Hand,
        come_only: bool,
        rng: &mut ChaCha8Rng,
    ) {
        self.take_down(hand, rng);
        let chance = |rng: &mut ChaCha8Rng, per_cent: u32| rng.random_range(0..100) < per_cent;
        let mut seats: Vec<u32> = seats.to_vec();
        seats.extend(self.shooter.filter(|shooter| !seats.contains(shooter)));
        if self.tournament {
            return self.bet_in_tournament(seats, hand, rng);
        }
        for &seat in &seats {
            let flat = *[500, 1000, 1000, 1500, 2500].choose(rng).unwrap_or(&500);
            if self.point.is_none() && !come_only {
                let has_line =
                    |live: &Live| live.seat == seat && matches!(live.kind, "pass" | "dont_pass");
                let must = self.shooter == Some(seat);
                if !self.live.iter().any(has_line) && (must || chance(rng, 60)) {
                    let dont = self.has("dont_pass") && chance(rng, 20);
                    let kind = if dont { "dont_pass" } else { "pass" };
                    let mut line = Live::flat(seat, kind, flat);
                    line.form = (!self.ohio && chance(rng, 5)).then_some("coupon");
                    self.put(hand, line);
                }
                if self.comeouts == 0 && self.has("fire") && chance(rng, 15) {
                    let stake = rng.random_range(1..=5) * 100;
                    self.put(hand, Live::flat(seat, "fire", stake));
                }
            }
            if let Some(point) = self.point {
                if self.ohio && chance(rng, 4) {
                    let mut late = Live::flat(seat, "pass", flat);
                    late.point = Some(point);
                    self.put(hand, late);
                }
                for (kind, per_cent) in [("come", 12), ("dont_come", 5), ("put", 5)] {
                    if self.has(kind) && chance(rng, per_cent) {
                        let mut bet = Live::flat(seat, kind, flat);
                        bet.number = match kind {
                            "put" => self.points().choose(rng).copied(),
                            _ => None,
                        };
                        self.put(hand, bet);
                    }
                }
            }
            self.back_with_odds(seat, hand, rng);
            if chance(rng, 30) {
                self.bet_any_time(seat, hand, rng);
            }
        }
    }

    /// In a tournament every participant has a bet on the line at every roll, and no other that could
    /// offset it. ma s.13.B
    fn bet_in_tournament(&mut self, seats: Vec<u32>, hand: &mut Hand, rng: &mut ChaCha8Rng) {
        self.participants.extend(seats);
        for seat in self.participants.clone() {
            let is_line = |live: &Live| live.seat == seat && live.kind == "pass";
            if !self.live.iter().any(is_line) {
                let mut line = Live::flat(seat, "pass", rng.random_range(1..=5) * 500);
                line.point = self.point;
                self.put(hand, line);
            }
            self.back_with_odds(seat, hand, rng);
            if rng.random_range(0..100) < 30 {
                let kind = *["field", "any_seven", "eleven", "hard"]
                    .choose(rng)
                    .unwrap_or(&"field");
                let mut side = Live::flat(seat, kind, rng.random_range(1..=4) * 500);
                side.number = match kind {
                    "hard" => [4, 6, 8, 10].choose(rng).copied(),
                    _ => None,
                };
                self.put(hand, side);
            }
        }
    }

    /// Odds behind every flat bet that has its number, more often than not.
    fn back_with_odds(&mut self, seat: u32, hand: &mut Hand, rng: &mut ChaCha8Rng) {
        let backed: Vec<&String> = self
            .live
            .iter()
            .filter_map(|live| live.on.as_ref())
            .collect();
        let flats: Vec<(String, &'static str, i64)> = self
            .live
            .iter()
            .filter(|live| live.seat == seat && !backed.contains(&&live.id))
            .filter_map(|live| {
                let odds = match live.kind {
                    "pass" if live.point.is_some() => "pass_odds",
                    "come" if live.point.is_some() => "come_odds",
                    "dont_pass" if live.point.is_some() => "dont_pass_odds",
                    "dont_come" if live.point.is_some() => "dont_come_odds",
                    "put" => "put_odds",
                    _ => return None,
                };
                let flat = match live.kind.starts_with("dont_") {
                    true => live.original,
                    false => live.stake,
                };
                Some((live.id.clone(), odds, flat))
            })
            .collect();
        for (flat, kind, stake) in flats {
            if rng.random_range(0..100) < 50 {
                let most = self.odds_multiple * stake / 100;
                let mut odds = Live::flat(seat, kind, rng.random_range(1..=most) * 100);
                odds.on = Some(flat);
                self.put(hand, odds);
            }
        }
    }

    fn bet_any_time(&mut self, seat: u32, hand: &mut Hand, rng: &mut ChaCha8Rng) {
        let composite = if self.ohio { "world" } else { "whirl" };
        let kind = match rng.random_range(0..20) {
            0 => composite,
            _ => *ANY_TIME.choose(rng).unwrap_or(&"field"),
        };
        if !self.has(kind) {
            return;
        }
        let times = rng.random_range(1..=4);
        let mut bet = Live::flat(seat, kind, 0);
        bet.number = match kind {
            "place" | "buy" => self.points().choose(rng).copied(),
            "lay" | "place_lose" => [4, 5, 6, 8, 9, 10].choose(rng).copied(),
            "hard" => [4, 6, 8, 10].choose(rng).copied(),
            "horn_high" => [2, 3, 11, 12].choose(rng).copied(),
            _ => None,
        };
        let hops = [
            [2, 2],
            [5, 5],
            [1, 3],
            [1, 6],
            [3, 4],
            [2, 6],
            [4, 5],
            [4, 6],
        ];
        bet.dice = match kind {
            "hop" => hops.choose(rng).copied(),
            _ => None,
        };
        bet.working = can_be_off(kind) && rng.random_range(0..10) == 0;
        bet.stake = bet.unit() * times;
        self.put(hand, bet);
    }

    /// While the dice roll: confirmed by both who must, or at crapless craps as a matter of course.
    pub(super) fn bet_in_the_air(&mut self, seats: &[u32], hand: &mut Hand, rng: &mut ChaCha8Rng) {
        let may = self.crapless || !self.ohio;
        let seat = seats
            .first()
            .filter(|_| may && rng.random_range(0..40) == 0);
        if let Some(&seat) = seat {
            let index = self.put(hand, Live::flat(seat, "field", 500));
            let wager = &mut hand.dealt.wagers[index];
            wager["in_air"] = json!(true);
            if !self.crapless {
                let second = if self.mini {
                    "floorperson"
                } else {
                    "boxperson"
                };
                wager["confirmed_by"] = json!(["dealer", second]);
            }
            // It is told in the course of the roll, the first one too.
            let after = hand.dealt.events.len();
            hand.dealt.added.retain(|&(bet, _)| bet != index);
            hand.dealt.added.push((index, after));
        }
    }

    /// On a come-out, a player may call his bets on.
    pub(super) fn call_on(&mut self, seats: &[u32], hand: &mut Hand, rng: &mut ChaCha8Rng) {
        if self.point.is_some() {
            return;
        }
        for &seat in seats {
            let has = |live: &Live| live.seat == seat && can_be_off(live.kind);
            if self.live.iter().any(has) && rng.random_range(0..12) == 0 {
                hand.dealt.events.push(said(seat, "working"));
                self.on.insert(seat);
            }
        }
    }

    /// Puts a bet on the table; its place in the document.
    pub(super) fn put(&mut self, hand: &mut Hand, mut live: Live) -> usize {
        self.bets += 1;
        live.id = format!("b{}", self.bets);
        live.index = hand.dealt.wagers.len();
        let roll = hand.rolls.len();
        live.born = Some(roll);
        hand.dealt.wagers.push(live.document(roll as i64));
        let is_prepaid =
            |kind: &str, number| prepaid(&self.buy_on_win, self.lay_on_win, kind, number);
        hand.on_table(&live, is_prepaid);
        let after = hand.dealt.events.len();
        hand.dealt.added.push((live.index, after));
        let index = live.index;
        self.live.push(live);
        index
    }

    /// Free bets are lowered or taken down now and then.
    fn take_down(&mut self, hand: &mut Hand, rng: &mut ChaCha8Rng) {
        let roll = hand.rolls.len();
        let mut down: Vec<String> = Vec::new();
        for at in 0..self.live.len() {
            let live = self.live[at].clone();
            if !live.is_free()
                || live.born == Some(roll)
                || rng.random_range(0..40) != 0
                || down.iter().any(|flat| Some(flat) == live.on.as_ref())
            {
                continue;
            }
            let half = live.stake / 2 / live.unit() * live.unit();
            let lowers = rng.random_range(0..2) == 0 && half > 0 && half < live.stake;
            let to = if lowers { half } else { 0 };
            hand.dealt.events.push(taken(&live, to));
            let wager = &mut hand.dealt.wagers[live.index];
            let change = json!({"before": roll, "to": to});
            match wager.get_mut("changes").and_then(Value::as_array_mut) {
                Some(changes) => changes.push(change),
                None => wager["changes"] = json!([change]),
            }
            if lowers {
                self.live[at].stake = to;
            } else {
                down.push(live.id);
            }
        }
        let after = hand.dealt.events.len();
        let is_down = |live: &Live| {
            down.contains(&live.id) || live.on.as_ref().is_some_and(|on| down.contains(on))
        };
        for live in self.live.iter().filter(|live| is_down(live)) {
            hand.dealt.decided.push((live.index, after));
        }
        self.live.retain(|live| !is_down(live));
    }
}

fn taken(live: &Live, to: i64) -> Body {
    let by = Person::new(format!("p-{}", live.seat), Role::Dealer);
    let wager = live.id.clone();
    match to {
        0 => WagerRemoved { wager, by }.into(),
        to => WagerChanged {
            wager,
            amount: Cents::new(to),
            by,
        }
        .into(),
    }
}

impl Live {
    /// Stakes in multiples of this pay in whole dollars, and are no less than what tables post.
    fn unit(&self) -> i64 {
        match (self.kind, self.number) {
            ("place", Some(6 | 8)) => 600,
            ("place", Some(3 | 11)) => 400,
            ("place_lose", Some(4 | 10)) => 1100,
            ("place_lose", Some(5 | 9)) => 800,
            ("buy" | "lay", _) => 2000,
            ("horn", _) => 400,
            ("c_and_e", _) => 200,
            (kind, _) if is_odds(kind) => 100,
            _ => 500,
        }
    }

    pub(super) fn flat(seat: u32, kind: &'static str, stake: i64) -> Live {
        Live {
            index: 0,
            id: String::new(),
            seat,
            kind,
            stake,
            number: None,
            dice: None,
            on: None,
            working: false,
            form: None,
            original: 0,
            point: None,
            made: Vec::new(),
            rolled: false,
            born: None,
        }
    }
}
