//! Table stakes: what a seat bought in for, less what it put in, and what it won.

use std::collections::{BTreeMap, BTreeSet};

use catwalk_events::body::Body;
use catwalk_rules::Pots;
use catwalk_rules::floor::{Cents, Seat};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::told::Told;
use crate::round::{RoundFold, WagerFold};

/// So many seats are kept; a table has fewer.
const MAX_SEATS: usize = 32;
/// A stack that nobody told is more than enough for what was bet.
const PLENTY: Cents = Cents::new(10_000_000);

#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct Stakes {
    by_seat: BTreeMap<u32, Stack>,
    /// The feed tells what a seat buys, and so what lies before it from hand to hand.
    #[serde(default)]
    tells_bought: bool,
    /// Chips were bought by nobody knows whom: any seat may have more than is known.
    #[serde(default)]
    is_open: bool,
}

#[derive(Debug, Default, Serialize, Deserialize)]
struct Stack {
    /// `None` where chips came or went that no event told of.
    chips: Option<Cents>,
    player: Option<String>,
    /// Bought in again over chips of its own: perhaps another player, and then it is less.
    at_most: bool,
}

impl Stakes {
    pub(super) fn buy_in(&mut self, seat: Option<u32>, amount: Cents) {
        let Some(seat) = seat else {
            self.is_open = true;
            return;
        };
        self.tells_bought = true;
        if self.by_seat.len() >= MAX_SEATS && !self.by_seat.contains_key(&seat) {
            return;
        }
        let fresh = Stack {
            chips: Some(Cents::ZERO),
            ..Stack::default()
        };
        let stack = self.by_seat.entry(seat).or_insert(fresh);
        stack.at_most |= stack.chips.is_some_and(Cents::is_positive);
        stack.chips = stack.chips.map(|chips| chips + amount);
    }

    /// What was bought before the cards plays in the round; the rest counts from the next one on.
    pub(super) fn add_bought(&mut self, round: &RoundFold, before_cards: bool) {
        let of_nobody =
            |(_, body): &(u64, Body)| matches!(body, Body::BuyIn(buy) if buy.seat.is_none());
        self.is_open |= round.play.iter().any(of_nobody);
        let bought = bought(round);
        for bought in bought.filter(|bought| (bought.when == When::Before) == before_cards) {
            self.buy_in(Some(bought.seat), bought.amount);
        }
    }

    /// `play.seats` of the document.
    pub(super) fn seats(&self, round: &RoundFold, told: &Told<'_>) -> Vec<Value> {
        let seats: BTreeSet<u32> = told.dealt.iter().chain(&told.not_dealt).copied().collect();
        let entry = |seat: u32| {
            let mut entry = json!({"seat": seat, "stack": self.stack(round, told, seat)});
            if !told.dealt.contains(&seat) {
                entry["in"] = json!(false);
            }
            entry
        };
        seats.into_iter().map(entry).collect()
    }

    fn stack(&self, round: &RoundFold, told: &Told<'_>, seat: u32) -> Cents {
        if let Some(spoken) = spoken(round, seat) {
            return spoken;
        }
        let put_in = put_in_less(round, &told.change, seat);
        // Nobody who had too little to be dealt in is taken for all-in by a guess. 7(c)3
        let all_in = put_in >= needed(round, told, seat);
        let said = told.said_all_in.contains(&seat);
        let guess = match said || all_in && told.all_in.contains(&seat) {
            true => put_in,
            false => put_in + PLENTY,
        };
        let stack = self.known(seat).filter(|stack| stack.is_of(round, seat));
        let more: Cents = bought(round)
            .filter(|bought| bought.seat == seat && bought.when == When::Before)
            .map(|bought| bought.amount)
            .sum();
        let sits_down = more.is_positive() && !self.is_open && !self.by_seat.contains_key(&seat);
        let known = match stack {
            Some(stack) => stack.chips.map(|chips| (chips + more, stack.at_most)),
            None => sits_down.then_some((more, false)),
        };
        match known {
            Some((chips, true)) => guess.min(chips.max(put_in)),
            Some((chips, false)) => chips,
            None if all_in && told.idle.contains(&seat) => put_in,
            None => guess,
        }
    }

    fn known(&self, seat: u32) -> Option<&Stack> {
        self.by_seat.get(&seat).filter(|_| !self.is_open)
    }

    /// Is it known that a seat put in all it had?
    pub(super) fn is_all_in(&self, round: &RoundFold, change: &Change, seat: u32) -> bool {
        let known = self.known(seat).filter(|stack| !stack.at_most);
        let known = known.and_then(|stack| stack.chips);
        let stack = spoken(round, seat).or(known);
        stack.is_some_and(|stack| stack <= put_in_less(round, change, seat))
    }

    /// May a seat have chips left, by what is known of it?
    pub(super) fn has_more(&self, round: &RoundFold, change: &Change, seat: u32) -> bool {
        let known = self.known(seat).and_then(|stack| stack.chips);
        let stack = spoken(round, seat).or(known);
        stack.is_some_and(|stack| stack > put_in_less(round, change, seat))
    }

    /// The hand is over: chips went into the pots and out of them.
    pub(super) fn settle(&mut self, round: &RoundFold, pots: &Pots) {
        // Chips of a seat that never bought in came from elsewhere.
        self.forget_unless(round, |stakes, seat| stakes.by_seat.contains_key(&seat));
        let divided = pots
            .time_charges
            .iter()
            .any(|charge| charge.seat == Seat::HOUSE);
        let carried = self.tells_bought;
        for (&seat, stack) in &mut self.by_seat {
            if !stack.is_of(round, seat) {
                stack.chips = None;
            }
            let time = pots.time_charges.iter();
            let time = time.filter(|charge| u32::from(charge.seat.number()) == seat);
            let time: Cents = time.map(|charge| charge.amount).sum();
            // Where stakes are spoken and never bought, chips may come before the next hand.
            let before = match spoken(round, seat) {
                Some(spoken) => Some(spoken).filter(|_| carried),
                None => stack.chips,
            };
            let after = |chips| chips + received(round, pots, seat) - put_in(round, seat) - time;
            stack.chips = before.map(after).filter(|chips| !chips.is_negative());
            stack.at_most |= divided;
            let wager = round.wagers.iter().find(|wager| wager.seat == seat);
            if let Some(player) = wager.and_then(|wager| wager.player.clone()) {
                stack.player = Some(player);
            }
        }
    }

    /// Seats that played or bought in before and were not dealt in now. Nobody tells who left.
    pub(super) fn resting(&self, told: &Told<'_>) -> impl Iterator<Item = u32> {
        let seats = self.by_seat.keys().copied();
        seats.filter(|seat| !told.dealt.contains(seat))
    }

    /// Who rests may have paid for time.
    pub(super) fn charge_resting(&mut self, told: &Told<'_>) {
        let resting: Vec<u32> = self.resting(told).collect();
        for seat in resting {
            if let Some(stack) = self.by_seat.get_mut(&seat) {
                stack.at_most = true;
            }
        }
    }

    /// Nothing is known any more of the seats that bet in a round.
    pub(super) fn forget(&mut self, round: &RoundFold) {
        self.forget_unless(round, |_, _| false);
    }

    fn forget_unless(&mut self, round: &RoundFold, known: impl Fn(&Stakes, u32) -> bool) {
        let bettors = round.wagers.iter().map(|wager| wager.seat);
        let seats: BTreeSet<u32> = bettors
            .chain(super::money::awarded(round).into_keys())
            .collect();
        for seat in seats {
            if !known(self, seat)
                && (self.by_seat.len() < MAX_SEATS || self.by_seat.contains_key(&seat))
            {
                self.by_seat.insert(seat, Stack::default());
            }
        }
    }
}

impl Stack {
    /// Does the seat still belong to the player who bought these chips?
    fn is_of(&self, round: &RoundFold, seat: u32) -> bool {
        let now = round.wagers.iter().find(|wager| wager.seat == seat);
        let now = now.and_then(|wager| wager.player.as_ref());
        match (&self.player, now) {
            (Some(known), Some(now)) => known == now,
            _ => true,
        }
    }
}

/// Chips bought during the round; they do not play. 7(c)1
pub(super) fn changes(round: &RoundFold) -> Vec<Value> {
    bought(round)
        .filter(|bought| bought.when == When::During && put_in(round, bought.seat).is_positive())
        .map(|bought| json!({"seat": bought.seat, "amount": bought.amount}))
        .collect()
}

/// When chips were bought that a round tells of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum When {
    Before,
    During,
    After,
}

struct Bought {
    seat: u32,
    amount: Cents,
    when: When,
}

/// A hand begins with the first card, and for who posts with his post; it is over when a pot is awarded.
fn bought(round: &RoundFold) -> impl Iterator<Item = Bought> {
    let told = round.play.iter().enumerate();
    told.filter_map(|(at, (_, body))| {
        let Body::BuyIn(buy_in) = body else {
            return None;
        };
        let seat = buy_in.seat?;
        let before = &round.play[..at];
        let has = |is: fn(&Body) -> bool| before.iter().any(|(_, body)| is(body));
        let posted = |wager: &WagerFold| wager.seat == seat && wager.after_play <= at;
        let when = if has(|body| matches!(body, Body::PotAwarded(_))) {
            When::After
        } else if has(|body| matches!(body, Body::CardDealt(_))) || round.wagers.iter().any(posted)
        {
            When::During
        } else {
            When::Before
        };
        let amount = buy_in.amount;
        Some(Bought { seat, amount, when })
    })
}

/// The table stakes that the detail of a wager tells.
fn spoken(round: &RoundFold, seat: u32) -> Option<Cents> {
    let first = round.wagers.iter().find(|wager| wager.seat == seat)?;
    let stack = first.detail.as_ref()?.value().get("stack")?.as_i64();
    stack.map(Cents::new)
}

/// What a seat must have to be dealt in: what it has to post, and one minimum bet. 7(c)3
fn needed(round: &RoundFold, told: &Told<'_>, seat: u32) -> Cents {
    let posted = |key: &str| {
        let posted = round.rules.option(key);
        Cents::new(posted.and_then(|amount| amount.as_i64()).unwrap_or(0))
    };
    let blinds = super::played(round).filter(|wager| wager.seat == seat);
    let blinds = blinds.filter(|wager| matches!(wager.kind.as_str(), "blind" | "kill_blind"));
    let blinds: Cents = blinds.map(|wager| wager.amount).sum();
    let least = super::walk::least(round).first().copied();
    let forced = match told.form.is_stud() {
        true => posted("forced_bet"),
        false => blinds,
    };
    let is_on = |key: &str| round.rules.option(key) == Some(json!(true));
    if is_on("tournament") {
        return Cents::ZERO;
    }
    let antes = super::played(round).any(|wager| wager.seat == seat && wager.kind == "ante");
    let each = round.rules.option("ante_by").is_none_or(|by| by == "each");
    let ante = match each || antes {
        true => posted("ante"),
        false => Cents::ZERO,
    };
    ante + forced + Cents::new(least.unwrap_or(0))
}

/// Chips that came back at once, by seat.
pub(super) type Change = BTreeMap<u32, Cents>;

fn put_in_less(round: &RoundFold, change: &Change, seat: u32) -> Cents {
    put_in(round, seat) - change.get(&seat).copied().unwrap_or_default()
}

pub(super) fn put_in(round: &RoundFold, seat: u32) -> Cents {
    let wagers = super::played(round).filter(|wager| wager.seat == seat);
    wagers.map(|wager| wager.amount).sum()
}

/// What went to a seat: as the events tell it, and what was due where they tell nothing.
fn received(round: &RoundFold, pots: &Pots, seat: u32) -> Cents {
    let is_seat = |other: Seat| u32::from(other.number()) == seat;
    let awarded = super::money::awarded(round);
    let due = pots.awards.iter().filter(|award| is_seat(award.seat));
    let due: Cents = due.map(|award| award.amount).sum();
    let back = pots.refunds.iter().filter(|refund| is_seat(refund.seat));
    let back: Cents = back.map(|refund| refund.amount).sum();
    let pushed = super::money::pushed_back(round, seat);
    // Who owes pays it, or gets so much less of the pots.
    let owed = super::money::owed(pots, seat);
    let got = awarded.get(&seat).copied();
    // A refund may be told with the award, by itself, or not at all.
    match got {
        Some(got) if got == due + back => got,
        Some(got) => got + pushed.max(back),
        None if awarded.is_empty() => due + back - owed,
        None => pushed.max(back) - owed,
    }
}
