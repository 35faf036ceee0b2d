//! What was awarded, raked and dropped, against what was due.

use std::collections::{BTreeMap, BTreeSet};

use catwalk_events::body::{Body, RakeTaken};
use catwalk_rules::floor::{Cents, Seat};
use catwalk_rules::{Pots, Refund};
use serde_json::Value;

use super::{Poker, refunds, uncalled};
use crate::fault::Fault;
use crate::games::{End, Payments, Scene};
use crate::round::{RoundFold, WagerFold};
use crate::table::RulesInForce;

impl Payments for Poker {
    /// Chips of a void round lie in its pots, which are compared as a whole.
    fn gives_back(&self, _: &RoundFold, _: &WagerFold) -> bool {
        false
    }
}

/// What the order of taking and giving shows. 6(e)5-6, 14(e), 19(c)
pub(super) fn see(scene: &Scene<'_>, faults: &mut Vec<Fault>) {
    let play = &scene.round.play;
    let awarded = || {
        play.iter()
            .any(|(_, body)| matches!(body, Body::PotAwarded(_)))
    };
    let dropped = || {
        play.iter()
            .any(|(_, body)| matches!(body, Body::JackpotDropTaken(_)))
    };
    let mut raise = |code, message: String| {
        faults.push(Fault::new(code, vec![scene.seq], message));
    };
    match scene.body {
        Body::RakeTaken(rake) if awarded() && !is_time_only(scene.round) => {
            let message = format!(
                "{} of rake was taken after a pot had been awarded",
                rake.amount
            );
            raise("rake.after_award", message);
        }
        Body::RakeTaken(rake) if is_misplaced(rake, &scene.round.rules) => {
            let message = format!(
                "{} of rake was not put where the house says that it goes",
                rake.amount
            );
            raise("rake.misplaced", message);
        }
        Body::JackpotDropTaken(drop) if awarded() => {
            let message = format!(
                "A contribution of {} was taken after a pot had been awarded",
                drop.amount
            );
            raise("rake.after_award", message);
        }
        Body::RakeTaken(rake) if dropped() => {
            let message = format!(
                "The contribution to the jackpot was taken before the rake of {}",
                rake.amount
            );
            raise("jackpot.drop_before_rake", message);
        }
        Body::PotAwarded(award) => {
            let lower = |(_, body): &(u64, Body)| matches!(body, Body::PotAwarded(other) if other.pot < award.pot);
            let raised = scene
                .round
                .raised
                .iter()
                .any(|code| code == "pot.award_order");
            if play.iter().any(lower) && !raised {
                let message = format!(
                    "Pot {} of {} was awarded when a pot before it had been",
                    award.pot, award.amount
                );
                raise("pot.award_order", message);
            }
        }
        Body::Irregularity(told) if told.kind == "rake_not_secured" => raise(
            "rake.not_secured",
            "The rake of the last round lay in its area when this one began".to_owned(),
        ),
        Body::Irregularity(told) if told.kind == "opened_uninspected" => raise(
            "table.opened_uninspected",
            "Play began without the inspection, the wash, the shuffle and the cut".to_owned(),
        ),
        _ => {}
    }
}

/// 14(b), 205 CMR 146.07(2)
fn is_misplaced(rake: &RakeTaken, rules: &RulesInForce) -> bool {
    let posted = rules.rake_to();
    rake.to
        .zip(posted)
        .is_some_and(|(told, posted)| told != posted)
}

/// What the seats, the rake and the jackpot got, against the settlement. `resting` players are known at the
/// table and were not dealt in.
pub(super) fn compare(end: &End<'_>, pots: &Pots, resting: usize, faults: &mut Vec<Fault>) {
    compare_awards(end, pots, faults);
    refunds::compare(end, pots, faults);
    compare_rake(end, pots, resting, faults);
    let drop = dropped(end.round);
    let codes = ("jackpot.drop_over", "jackpot.drop_under");
    compare_taken(end, drop, pots.jackpot_drop, codes, "the jackpot", faults);
    compare_bad_beat(end, pots, faults);
}

/// A round that was called off gives every chip back to who put it in: nobody wins, and nothing of it is
/// raked. 15(e), 15(g)
pub(super) fn compare_void(end: &End<'_>, faults: &mut Vec<Fault>) {
    let round = end.round;
    let staked: BTreeSet<u32> = super::played(round).map(|wager| wager.seat).collect();
    let refunds = staked.into_iter().filter_map(|seat| {
        Some(Refund {
            seat: Seat::new(u16::try_from(seat).ok()?),
            reason: "misdeal",
            amount: super::stakes::put_in(round, seat),
        })
    });
    let pots = Pots {
        refunds: refunds.collect(),
        ..Pots::default()
    };
    compare_awards(end, &pots, faults);
    refunds::compare(end, &pots, faults);
    if !has_time(&round.rules) {
        let codes = ("rake.over", "rake.under");
        compare_taken(end, raked(round), Cents::ZERO, codes, "the rake", faults);
    }
    let codes = ("jackpot.drop_over", "jackpot.drop_under");
    compare_taken(
        end,
        dropped(round),
        Cents::ZERO,
        codes,
        "the jackpot",
        faults,
    );
}

/// By seat, since feeds may number pots in their own way.
fn compare_awards(end: &End<'_>, pots: &Pots, faults: &mut Vec<Fault>) {
    let round = end.round;
    let awarded = awarded(round);
    let mut due: BTreeMap<u32, Cents> = BTreeMap::new();
    for award in &pots.awards {
        *due.entry(u32::from(award.seat.number())).or_default() += award.amount;
    }
    let evidence: Vec<u64> = round
        .play
        .iter()
        .filter(|(_, body)| matches!(body, Body::PotAwarded(_)))
        .map(|(seq, _)| *seq)
        .chain([round.opened_seq, end.seq])
        .collect();
    let seats: BTreeSet<u32> = due.keys().chain(awarded.keys()).copied().collect();
    for seat in seats {
        let of = |amounts: &BTreeMap<u32, Cents>| amounts.get(&seat).copied().unwrap_or_default();
        // A winner who himself owes gets so much less. 7(e), 15(j)2
        let due = (of(&due) - owed(pots, seat)).max(Cents::ZERO);
        let paid = of(&awarded);
        let back = pots
            .refunds
            .iter()
            .filter(|refund| u32::from(refund.seat.number()) == seat);
        let back: Cents = back.map(|refund| refund.amount).sum();
        // Chips that go back may be pushed with the pot, all or what was not told to be.
        let pushed = pushed_back(round, seat).min(back);
        let with_refund = [due + back - pushed, due + back];
        if paid == due || with_refund.contains(&paid) {
            continue;
        }
        // A winner whose sum is nearer to all of it was pushed them with the pot.
        let gap = |sum: Cents| (sum - paid).get().abs();
        let whole = with_refund[0];
        let due = match due.is_positive() && gap(whole) < gap(due) {
            true => whole,
            false => due,
        };
        let (code, word) = match () {
            () if paid > due && due == Cents::ZERO => ("pot.wrong_seat", "and had not won"),
            () if paid > due => ("pot.over_award", "too much"),
            () => ("pot.under_award", "too little"),
        };
        let message = format!("Seat {seat} was pushed {paid} of the pots, {word}: due {due}");
        faults.push(Fault {
            due: Some(due),
            paid: Some(paid),
            exposure: paid - due,
            ..Fault::new(code, evidence.clone(), message).at_seat(seat)
        });
    }
}

/// What a seat bound itself to and did not put in.
pub(super) fn owed(pots: &Pots, seat: u32) -> Cents {
    let owed = pots.owed.iter();
    let owed = owed.filter(|owed| u32::from(owed.seat.number()) == seat);
    owed.map(|owed| owed.amount).sum()
}

fn compare_rake(end: &End<'_>, pots: &Pots, resting: usize, faults: &mut Vec<Fault>) {
    let taken = raked(end.round);
    let time = charged(pots);
    if is_time_only(end.round) {
        if taken.is_positive() && !is_of_resting(pots, taken - time, resting) {
            compare_taken(
                end,
                taken,
                time,
                ("time.over", "time.missed"),
                "time",
                faults,
            );
        }
    } else if !holds_time(end, pots, taken, resting) {
        if end
            .document
            .is_some_and(|document| uncalled::explains(document, pots, taken - time))
        {
            let message =
                format!("{taken} of rake was taken as if the uncalled bet were in the pot");
            let evidence = vec![end.round.opened_seq, end.seq];
            faults.push(Fault::new("rake.on_uncalled", evidence, message));
        }
        compare_taken(
            end,
            taken - time,
            pots.rake,
            ("rake.over", "rake.under"),
            "the rake",
            faults,
        );
    }
}

/// Where a room takes rake and time: were both taken in this round? 14(b)
fn holds_time(end: &End<'_>, pots: &Pots, taken: Cents, resting: usize) -> bool {
    let Some(document) = end.document.filter(|_| has_time(&end.round.rules)) else {
        return false;
    };
    let mut with_time = document.clone();
    with_time["play"]["time_due"] = Value::Bool(true);
    let with_time = end.rulebook.settle_value(&with_time).ok();
    let pots_charged = with_time.as_ref().and_then(|settlement| settlement.pots());
    pots_charged.is_some_and(|with_time| {
        let over = taken - pots.rake - charged(with_time);
        over == Cents::ZERO || is_of_resting(with_time, over, resting)
    })
}

/// Was so much more taken because seated players who rest are charged too? 14(b)3
fn is_of_resting(pots: &Pots, over: Cents, resting: usize) -> bool {
    let first = pots.time_charges.first().map(|charge| charge.seat);
    let of_first = pots.time_charges.iter();
    let of_first =
        of_first.filter(|charge| Some(charge.seat) == first && charge.seat != Seat::HOUSE);
    let each: Cents = of_first.map(|charge| charge.amount).sum();
    (1..=resting).any(|players| over == each.times(players as i64)) && each.is_positive()
}

/// The charges for time of a settlement.
fn charged(pots: &Pots) -> Cents {
    pots.time_charges.iter().map(|charge| charge.amount).sum()
}

/// Was more taken than the players of the hand owed, where time is charged?
pub(super) fn may_charge_resting(round: &RoundFold, pots: &Pots) -> bool {
    has_time(&round.rules) && raked(round) > pots.rake + charged(pots)
}

pub(super) fn dropped(round: &RoundFold) -> Cents {
    sum(round, |body| match body {
        Body::JackpotDropTaken(taken) => Some(taken.amount),
        _ => None,
    })
}

pub(super) fn raked(round: &RoundFold) -> Cents {
    sum(round, |body| match body {
        Body::RakeTaken(rake) => Some(rake.amount),
        _ => None,
    })
}

pub(super) fn compare_taken(
    end: &End<'_>,
    taken: Cents,
    due: Cents,
    (over, under): (&'static str, &'static str),
    what: &str,
    faults: &mut Vec<Fault>,
) {
    if taken == due {
        return;
    }
    let code = if taken > due { over } else { under };
    let is_taking = |body: &Body| matches!(body, Body::RakeTaken(_) | Body::JackpotDropTaken(_));
    let evidence = end.round.play.iter().filter(|(_, body)| is_taking(body));
    let evidence = evidence
        .map(|(seq, _)| *seq)
        .chain([end.round.opened_seq, end.seq]);
    let message = format!("{taken} was taken for {what} instead of {due}");
    faults.push(Fault {
        due: Some(due),
        paid: Some(taken),
        exposure: due - taken,
        ..Fault::new(code, evidence.collect(), message)
    });
}

/// Shares of the bad beat fund, by seat where the wager tells it, and in all where it does not.
fn compare_bad_beat(end: &End<'_>, pots: &Pots, faults: &mut Vec<Fault>) {
    let round = end.round;
    let mut paid: BTreeMap<Option<u32>, Cents> = BTreeMap::new();
    let mut evidence = vec![round.opened_seq, end.seq];
    for (seq, body) in &round.play {
        if let Body::JackpotPaid(award) = body {
            let seat = round.wager(&award.wager).map(|wager| wager.seat);
            *paid.entry(seat).or_default() += award.amount;
            evidence.push(*seq);
        }
    }
    let mut due: BTreeMap<Option<u32>, Cents> = BTreeMap::new();
    for share in &pots.bad_beat {
        *due.entry(Some(u32::from(share.seat.number()))).or_default() += share.amount;
    }
    if paid.contains_key(&None) {
        let total = |shares: BTreeMap<Option<u32>, Cents>| shares.into_values().sum::<Cents>();
        paid = BTreeMap::from([(None, total(paid))]);
        due = BTreeMap::from([(None, total(due))]);
    }
    let seats: BTreeSet<Option<u32>> = paid.keys().chain(due.keys()).copied().collect();
    for seat in seats {
        let of =
            |shares: &BTreeMap<Option<u32>, Cents>| shares.get(&seat).copied().unwrap_or_default();
        let (paid, due) = (of(&paid), of(&due));
        let code = match () {
            () if paid > due => "bad_beat.over",
            () if paid < due => "bad_beat.unpaid",
            () => continue,
        };
        let message = format!("{paid} of the bad beat fund was paid instead of {due}");
        faults.push(Fault {
            due: Some(due),
            paid: Some(paid),
            exposure: paid - due,
            seat,
            ..Fault::new(code, evidence.clone(), message)
        });
    }
}

/// What each seat was pushed, all pots together.
pub(super) fn awarded(round: &RoundFold) -> BTreeMap<u32, Cents> {
    let mut awarded: BTreeMap<u32, Cents> = BTreeMap::new();
    for (_, body) in &round.play {
        if let Body::PotAwarded(award) = body {
            *awarded.entry(award.seat).or_default() += award.amount;
        }
    }
    awarded
}

/// What of its own wagers a seat was given back.
pub(super) fn pushed_back(round: &RoundFold, seat: u32) -> Cents {
    let wagers = super::played(round).filter(|wager| wager.seat == seat);
    let pushed = wagers.filter_map(|wager| wager.pushed.map(|part| part.unwrap_or(wager.amount)));
    pushed.sum()
}

/// Was more taken than the rake, where it may be a charge for time that nobody can tell from it?
pub(super) fn may_hold_time(round: &RoundFold, pots: &Pots) -> bool {
    has_time(&round.rules) && !is_time_only(round) && raked(round) != pots.rake + charged(pots)
}

/// Is a time charge collected now? A table without another rake takes nothing else; at one with a rake, a
/// taking of just the charge for these players is known by it where no rake could be as much.
pub(super) fn is_time_due(round: &RoundFold, players: usize) -> bool {
    let mut taken = round.play.iter().filter_map(|(_, body)| match body {
        Body::RakeTaken(taken) => Some(taken.amount.get()),
        _ => None,
    });
    if is_time_only(round) {
        return taken.next().is_some();
    }
    let posted = posted(&round.rules);
    let staked: Cents = super::played(round).map(|wager| wager.amount).sum();
    let most = most_rake(round, staked).get();
    let (mut charge, mut each) = (0, 0);
    for method in posted.iter().filter(|method| method["method"] == "time") {
        let number = |key: &str| method[key].as_i64().unwrap_or_default();
        let amount = number("hourly") * number("interval") / 60;
        match method["basis"] == "per_player" {
            true => each += amount,
            false => charge += amount,
        }
    }
    charge += each * i64::try_from(players).unwrap_or_default();
    // Who rests in his seat is charged too.
    let is_charge = |taken: i64| {
        let over = taken - charge;
        over == 0 || each > 0 && over > 0 && over % each == 0
    };
    charge > most && taken.any(|taken| taken >= charge && is_charge(taken))
}

/// What is raked of so many chips at most: as if they had all been put in at once.
pub(super) fn most_rake(round: &RoundFold, staked: Cents) -> Cents {
    let posted = posted(&round.rules);
    let methods = posted.iter();
    Cents::new(
        methods
            .map(|method| uncalled::rake(method, &[staked.get()]))
            .sum(),
    )
}

/// How often a room that takes nothing but time collects it, in minutes.
pub(super) fn time_interval(round: &RoundFold) -> Option<i64> {
    let posted = round.rules.option("rake").filter(|_| is_time_only(round))?;
    posted[0]["interval"].as_i64()
}

fn is_time_only(round: &RoundFold) -> bool {
    let methods = methods(&round.rules);
    !methods.is_empty() && methods.iter().all(|method| method == "time")
}

pub(super) fn has_time(rules: &RulesInForce) -> bool {
    methods(rules).iter().any(|method| method == "time")
}

fn methods(rules: &RulesInForce) -> Vec<String> {
    let posted = posted(rules);
    let words = posted.iter().filter_map(|method| method["method"].as_str());
    words.map(str::to_owned).collect()
}

/// The methods of the posted rake. 14(b)
fn posted(rules: &RulesInForce) -> Vec<Value> {
    match rules.option("rake") {
        Some(Value::Array(methods)) => methods,
        _ => Vec::new(),
    }
}

fn sum(round: &RoundFold, amount: impl Fn(&Body) -> Option<Cents>) -> Cents {
    round.play.iter().filter_map(|(_, body)| amount(body)).sum()
}
