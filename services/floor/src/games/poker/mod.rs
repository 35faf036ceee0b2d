//! The poker room on the floor: every form, with antes, blinds, kills, all-ins and side pots.
//!
//! | file | subject |
//! | --- | --- |
//! | `forms` | how the forms are dealt and what a hand is worth to its player |
//! | `hand` | one hand from the posts to the showdown |
//! | `posts` | the compulsory bets |
//! | `words` | what players say of their chips |
//! | `document` | what the table has seen of the hand |
//! | `betting` | who acts, and what he may do |
//! | `sign` | what the sign posts: limits, kill, rake, time |
//! | `conduct` | players who are barred, and reported or not |
//! | `misdealt` | what goes wrong in dealing, betting and showing |
//! | `misposts` | compulsory bets from the wrong seat |
//! | `incidents` | what goes wrong at an honest table |
//! | `cheat` | what a dealer or player can do wrong |

mod betting;
mod cheat;
mod conduct;
mod document;
mod forms;
mod hand;
mod incidents;
mod misdealt;
mod misposts;
mod posts;
mod sign;
mod words;

use std::collections::{BTreeMap, BTreeSet};

use catwalk_events::Role;
use catwalk_events::body::{
    Body, DealingMethod, JackpotDropTaken, JackpotPaid, PaidFrom, PotAwarded, RakeKind, RakePlace,
    RakeTaken, WagerPushed,
};
use catwalk_rules::Settlement;
use catwalk_rules::floor::{Cents, Seat};
use rand::RngExt;
use rand::seq::{IndexedRandom, SliceRandom};
use rand_chacha::ChaCha8Rng;
use serde_json::Value;

use super::{Dealt, GameSim};
use crate::deck::{Dealing, Decks};
use crate::fault::FaultKind;
use crate::table::person;
use forms::{FORMS, Family, Form};
use sign::Sign;

/// The fund of the bad beat, as meters and boxes name it.
const FUND: &str = "bad_beat";

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
    /// The later text holds at the table.
    amended: bool,
    /// Who plays on although he was barred.
    barred: Option<u32>,
    /// The conduct of a player is kept silent.
    is_silent: bool,
    /// Seats that sat out.
    missed: BTreeSet<u32>,
    /// Events until the first cards lie, and wagers until then.
    first_deal: usize,
    posts: usize,
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
        self.amended = self.form.amended || rng.random_range(0..2) == 0;
        self.missed.clear();
        let options = self.post(rng);
        let mut seats: Vec<u32> = (1..=self.form.players.min(8)).collect();
        seats.shuffle(rng);
        seats.truncate(rng.random_range(2..=self.form.most()));
        self.stacks = seats.into_iter().map(|seat| (seat, 0)).collect();
        let amended = self.amended;
        (if amended { "mgc-amended" } else { "mgc-2017" }, options)
    }

    fn of_play(&self) -> &'static [&'static str] {
        &["form"]
    }

    fn prepare(&mut self, rng: &mut ChaCha8Rng) -> Vec<Body> {
        let mut events = self.show_out(rng);
        events.extend(self.decks.shuffle(rng));
        events
    }

    fn misconduct(
        &mut self,
        kind: FaultKind,
        rng: &mut ChaCha8Rng,
    ) -> Option<(Vec<Body>, Vec<&'static str>)> {
        self.misbehave(kind, rng)
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
        // What the table pays together comes out of pockets.
        let of_seats = pots
            .time_charges
            .iter()
            .filter(|charge| charge.seat != Seat::HOUSE);
        for charge in of_seats {
            give(charge.seat.number(), -charge.amount);
        }
        let to = match self.sign.rake_to_tray {
            true => RakePlace::Tray,
            false => RakePlace::DropBox,
        };
        let taken = [
            (pots.rake, self.sign.raked_by),
            (time, Some(RakeKind::Time)),
        ]
        .into_iter();
        let taken = taken.filter(|(taken, _)| taken.is_positive());
        events.extend(taken.map(|(amount, kind)| {
            Body::from(RakeTaken {
                amount,
                kind,
                to: Some(to),
            })
        }));
        if pots.jackpot_drop.is_positive() {
            let amount = pots.jackpot_drop;
            events.push(
                JackpotDropTaken {
                    amount,
                    fund: Some(FUND.to_owned()),
                    r#box: None,
                }
                .into(),
            );
        }
        // A winner who himself owes gets so much less; another pays it.
        let mut owed: BTreeMap<u16, Cents> = BTreeMap::new();
        for debt in &pots.owed {
            give(debt.seat.number(), -debt.amount);
            owed.insert(debt.seat.number(), debt.amount);
        }
        for award in &pots.awards {
            give(award.seat.number(), award.amount);
            let debt = owed.entry(award.seat.number()).or_default();
            let set_off = award.amount.min(*debt);
            *debt -= set_off;
            if award.amount > set_off {
                events.push(
                    PotAwarded {
                        pot: u32::from(award.pot),
                        seat: u32::from(award.seat.number()),
                        amount: award.amount - set_off,
                    }
                    .into(),
                );
            }
        }
        let withheld = pots.jackpot_drop.get() * self.sign.withheld_bp / 10_000;
        self.fund += pots.jackpot_drop.get() - withheld;
        for share in &pots.bad_beat {
            self.fund -= share.amount.get();
            let of_seat = |wager: &&Value| wager["seat"] == u64::from(share.seat.number());
            let wager = dealt.wagers.iter().find(of_seat);
            let wager = wager
                .and_then(|wager| wager["id"].as_str())
                .unwrap_or_default();
            events.push(
                JackpotPaid {
                    meter: FUND.to_owned(),
                    wager: wager.to_owned(),
                    amount: share.amount,
                    by: person("m-1", Role::ShiftManager),
                    witness: None,
                    paid_from: Some(PaidFrom::Cage),
                    ..JackpotPaid::default()
                }
                .into(),
            );
        }
        self.kill = u32::from(pots.kill_button);
        events
    }

    fn fund(&self) -> Option<(String, Cents)> {
        let holds = || (FUND.to_owned(), Cents::new(self.fund));
        self.sign.fund.then(holds)
    }
}

impl Poker {
    fn least(&self) -> i64 {
        self.sign.limits.first().map_or(0, |limits| limits.0)
    }

    /// With fewer chips a player buys in before he is dealt in.
    fn enough(&self) -> i64 {
        match self.sign.tournament {
            true => 1,
            false => self.sign.ante + self.least() * 8,
        }
    }

    /// Who plays the next hand: players without enough chips buy in, some sit a hand out.
    fn seat(&mut self, rng: &mut ChaCha8Rng) -> Vec<u32> {
        let min = self.least();
        let enough = self.enough();
        let barred = self.barred.take();
        self.bought.clear();
        let mut dealt_in = Vec::new();
        let rests = self.stacks.len() > 3 && self.kill == 0;
        for (&seat, stack) in &mut self.stacks {
            if *stack < enough {
                let amount = min * rng.random_range(10..60);
                *stack += amount;
                self.bought.push((seat, Cents::new(amount)));
            }
            if rests && rng.random_range(0..12) == 0 && barred != Some(seat) {
                self.missed.insert(seat);
            } else {
                dealt_in.push(seat);
            }
        }
        if dealt_in.len() < 2 {
            dealt_in = self.stacks.keys().copied().collect();
            self.missed.clear();
        }
        let next = dealt_in.iter().find(|&&seat| seat > self.button);
        self.button = next.or(dealt_in.first()).copied().unwrap_or_default();
        dealt_in
    }
}
