//! The wagers of a round, event by event: made, changed, taken back, paid, collected; and the windows
//! in which that may be done.

mod run;

use catwalk_events::body::{Body, Decision, JackpotPaid, WagerPaid, WagerPlaced, WagerPushed};
use catwalk_rules::Verdict;
use catwalk_rules::floor::Cents;

use crate::fault::Fault;
use crate::games::{Folder, Run, change_codes};
use crate::round::{
    MAIN_WINDOW, MAX_PLAY_EVENTS, RoundFold, Stray, StrayHow, WagerFold, is_of_play,
};
use crate::standing::Standing;
use crate::table::RulesInForce;

/// When what is told off as late was done; by how much is put before it where the clock says.
pub(crate) const TOO_LATE: &str = "after betting had closed";
/// So many payments on wagers that nobody made are kept of a round.
const MAX_STRAYS: usize = 16;

/// What an event of a round meets beside the round itself.
#[derive(Clone, Copy)]
pub(crate) struct Moment<'a> {
    pub(crate) folder: Option<&'a dyn Folder>,
    pub(crate) standing: &'a Standing,
    pub(crate) seq: u64,
    /// How the wager that the event is about has ended already, where nobody has settled it yet.
    pub(crate) outcome: Option<Verdict>,
}

impl<'a> Moment<'a> {
    fn run(&self) -> Option<&'a dyn Run> {
        self.folder.and_then(Folder::run)
    }
}

/// Folds an event into its round.
pub(crate) fn fold(round: &mut RoundFold, moment: Moment<'_>, body: Body, faults: &mut Vec<Fault>) {
    if let Some(run) = moment.run()
        && run::take(round, run, moment, &body, faults)
    {
        return;
    }
    let Moment { folder, seq, .. } = moment;
    match body {
        Body::WagerPlaced(placed) => place(round, folder, &placed, seq, faults),
        // A stake of nothing is none.
        Body::WagerChanged(changed) if changed.amount == Cents::ZERO => {
            remove(round, folder, &changed.wager, seq, faults);
        }
        Body::WagerChanged(changed) => {
            change(round, folder, &changed.wager, changed.amount, seq, faults);
        }
        Body::WagerRemoved(removed) => remove(round, folder, &removed.wager, seq, faults),
        Body::BettingClosed(closed) => call(round, folder, closed.window.as_deref(), seq, faults),
        Body::WagerPaid(paid) => pay(round, paid, seq),
        Body::JackpotPaid(paid) => {
            pay_from_meter(round, &paid, seq);
            play(round, folder, seq, Body::JackpotPaid(paid), faults);
        }
        Body::WagerCollected(collected) if round.wager(&collected.wager).is_none() => {
            take_stray(round, &collected.wager, collected.amount, seq);
        }
        Body::WagerCollected(collected) => touch(round, &collected.wager, seq, |wager| {
            wager.collected = Some(taken(wager, collected.amount));
        }),
        Body::WagerPushed(pushed) => push(round, folder, &pushed, seq),
        Body::CommissionCollected(taken) if round.wager(&taken.wager).is_none() => {
            stray(
                round,
                taken.wager,
                taken.amount,
                (seq, StrayHow::Commission),
            );
        }
        Body::CommissionCollected(commission) => {
            touch(round, &commission.wager, seq, |wager| {
                wager.commission += commission.amount;
            });
        }
        Body::Decision(decision) => {
            announce(round, folder, &decision, seq, faults);
            play(round, folder, seq, Body::Decision(decision), faults);
        }
        body => play(round, folder, seq, body, faults),
    }
}

/// No more bets are called.
fn call(
    round: &mut RoundFold,
    folder: Option<&dyn Folder>,
    called: Option<&str>,
    seq: u64,
    faults: &mut Vec<Fault>,
) {
    round.called = true;
    let window = match folder {
        Some(folder) => folder.called(round, called),
        None => called.unwrap_or(MAIN_WINDOW),
    };
    round.main_called |= window == MAIN_WINDOW;
    close(round, folder, window, seq, faults);
}

fn pay(round: &mut RoundFold, paid: WagerPaid, seq: u64) {
    if round.wager(&paid.wager).is_none() {
        return stray(round, paid.wager, paid.amount, (seq, StrayHow::Paid));
    }
    touch(round, &paid.wager, seq, |wager| {
        if !is_prize_retold(wager, paid.amount) {
            wager.paid += paid.amount;
        }
        wager.paid_seq.get_or_insert(seq);
        wager.commission += paid.commission.unwrap_or_default();
    });
}

fn stray(round: &mut RoundFold, wager: String, paid: Cents, (seq, how): (u64, StrayHow)) {
    if round.strays.len() < MAX_STRAYS {
        round.strays.push(Stray {
            wager,
            paid,
            seq,
            how,
        });
    }
}

fn pay_from_meter(round: &mut RoundFold, paid: &JackpotPaid, seq: u64) {
    touch(round, &paid.wager, seq, |wager| {
        if is_told_by_table(wager, paid.amount) {
            wager.paid = Cents::ZERO;
        }
        wager.paid += paid.amount;
        wager.from_meter += paid.amount;
        wager.paid_seq.get_or_insert(seq);
    });
}

fn push(round: &mut RoundFold, folder: Option<&dyn Folder>, pushed: &WagerPushed, seq: u64) {
    if round.wager(&pushed.wager).is_none() {
        let paid = pushed.amount.unwrap_or_default();
        return stray(
            round,
            pushed.wager.clone(),
            paid,
            (seq, StrayHow::GivenBack),
        );
    }
    // What nobody covers may be told as given back.
    let is_back = |part| is_given_back(round, folder, &pushed.wager, part, seq);
    if pushed.amount.is_some_and(is_back) {
        return;
    }
    touch(round, &pushed.wager, seq, |wager| {
        // What was taken whole by mistake is given back; a payment that was taken back is gone.
        if pushed.amount.is_none() {
            let (stake, was_paid) = (wager.stake(), wager.paid.is_positive());
            let is_stake = |taken: Cents| taken == stake && !was_paid;
            wager.collected.take_if(|taken| taken.is_none_or(is_stake));
        }
        wager.pushed = Some(pushed.amount);
    });
}

/// The meter and the table may both tell of a prize, the table with the stake or without it.
fn is_prize_retold(wager: &WagerFold, now: Cents) -> bool {
    let prize = wager.from_meter;
    prize.is_positive() && wager.paid == prize && (now == prize || now + wager.stake() == prize)
}

/// The same where the table tells of it first.
fn is_told_by_table(wager: &WagerFold, prize: Cents) -> bool {
    let told = wager.paid;
    let is_first = told.is_positive() && wager.from_meter == Cents::ZERO;
    is_first && (prize == told || prize == told + wager.stake())
}

/// What was taken of a wager so far. Parts add up, to no more than there was: two devices may tell of
/// the same chips. A dealer who takes a payment back takes more than the stake.
fn taken(wager: &WagerFold, now: Option<Cents>) -> Option<Cents> {
    match (wager.collected.flatten(), now) {
        (Some(before), Some(now)) => {
            let there = wager.stake() + wager.paid - wager.undue;
            Some((before + now).min(there).max(before).max(now))
        }
        // A lammer has no stake that could be taken: what was taken before was a payment.
        (Some(before), None) if wager.stake() == Cents::ZERO => Some(before),
        _ => now,
    }
}

/// What was paid on a wager that nobody made is taken back.
fn take_stray(round: &mut RoundFold, id: &str, amount: Option<Cents>, seq: u64) {
    let is_out = |stray: &Stray| stray.wager == id && !stray.how.is_taken();
    if !round.strays.iter().any(is_out) {
        let taken = amount.unwrap_or_default();
        return stray(round, id.to_owned(), taken, (seq, StrayHow::Collected));
    }
    for stray in round.strays.iter_mut().filter(|stray| is_out(stray)) {
        let taken = amount.unwrap_or(stray.paid).min(stray.paid);
        stray.paid -= taken;
    }
    round
        .strays
        .retain(|stray| stray.how != StrayHow::Paid || stray.paid.is_positive());
}

/// A decision may tell of the stake that it puts up; the wager itself may be told before or after.
fn announce(
    round: &mut RoundFold,
    folder: Option<&dyn Folder>,
    decision: &Decision,
    seq: u64,
    faults: &mut Vec<Fault>,
) {
    let Some(placed) = folder.and_then(|folder| folder.staked(round, decision)) else {
        return;
    };
    if !round
        .wagers
        .iter()
        .any(|wager| is_same_stake(folder, wager, &placed))
    {
        place(round, folder, &placed, seq, faults);
        if let Some(wager) = round.wagers.last_mut() {
            wager.announced = true;
        }
    }
}

fn is_same_stake(folder: Option<&dyn Folder>, wager: &WagerFold, placed: &WagerPlaced) -> bool {
    let named = wager.on.is_some() && placed.on.is_some();
    let same_hand = !named
        || wager.on == placed.on
        || folder.is_some_and(|folder| folder.has_one_hand_a_seat());
    wager.seat == placed.seat && wager.kind == placed.kind && same_hand
}

/// An event of the play itself.
fn play(
    round: &mut RoundFold,
    folder: Option<&dyn Folder>,
    seq: u64,
    body: Body,
    faults: &mut Vec<Fault>,
) {
    if let Some(window) = folder.and_then(|folder| folder.closes(round, &body)) {
        close(round, folder, window, seq, faults);
    }
    if let Some(window) = folder.and_then(|folder| folder.opens(round, &body)) {
        round.closed_windows.retain(|closed| closed != window);
    }
    keep(round, seq, body);
}

pub(crate) fn keep(round: &mut RoundFold, seq: u64, body: Body) {
    if round.play.len() < MAX_PLAY_EVENTS {
        round.play.push((seq, body));
    } else {
        round.incomplete = true;
    }
}

fn is_closed(round: &RoundFold, folder: Option<&dyn Folder>, kind: &str) -> bool {
    let window = folder.map_or(Some(MAIN_WINDOW), |folder| folder.window(kind));
    window.is_some_and(|window| round.is_closed(window))
}

/// May this wager not be touched any more?
fn is_fixed(round: &RoundFold, folder: Option<&dyn Folder>, wager: &WagerFold) -> bool {
    match folder {
        Some(folder) => folder.is_too_late(round, wager),
        None => round.is_closed(MAIN_WINDOW),
    }
}

fn place(
    round: &mut RoundFold,
    folder: Option<&dyn Folder>,
    placed: &WagerPlaced,
    seq: u64,
    faults: &mut Vec<Fault>,
) {
    let told = |wager: &&mut WagerFold| wager.announced && is_same_stake(folder, wager, placed);
    if let Some(wager) = round.wagers.iter_mut().find(told) {
        let evidence = [wager.evidence.as_slice(), &[seq]].concat();
        let (after_play, late, placed_at) = (wager.after_play, wager.late, wager.placed_at);
        let seated = wager.seated.take();
        *wager = WagerFold::new(placed, seq, after_play, late);
        wager.placed_at = placed_at;
        wager.seated = seated;
        wager.evidence = evidence;
        return;
    }
    // A feed may tell of a stake anew where another tells of its change.
    let is_anew = |known: &WagerFold| {
        !known.carried && folder.is_some_and(|folder| folder.is_told_anew(known, placed))
    };
    if round.wagers.iter().any(is_anew) {
        return change(round, folder, &placed.wager, placed.amount, seq, faults);
    }
    // A device that was off the line may tell of a wager again.
    if let Some(wager) = round
        .wagers
        .iter_mut()
        .find(|wager| wager.is_as_placed(placed))
    {
        return wager.evidence.push(seq);
    }
    let mut wager = WagerFold::new(placed, seq, round.play.len(), false);
    wager.late = is_fixed(round, folder, &wager);
    if wager.late {
        faults.push(late(round, folder, placed, seq));
    }
    // A wager that stayed from an earlier round may be told again, with the stake that it has.
    let is_retold = |known: &WagerFold| {
        let same = folder.map_or(known.id == wager.id, |folder| {
            folder.is_retold(known, &wager)
        });
        known.carried && same
    };
    let retold = round.wagers.iter().position(is_retold);
    if let (Some(folder), Some(at), false) = (folder, retold, wager.late) {
        let (known, to) = (&round.wagers[at], wager.amount);
        let codes = folder.change_faults(round, known, Some(to));
        if raise_changes(known, &codes, Some(to), faults) {
            wager.amount = known.amount;
        }
    }
    match retold.map(|at| &mut round.wagers[at]) {
        Some(known) => {
            let evidence = std::mem::take(&mut known.evidence);
            wager.detail = wager.detail.or_else(|| known.detail.take());
            wager.placed_at = known.placed_at;
            wager.seated = known.seated.take();
            *known = wager;
            known.evidence.splice(0..0, evidence);
        }
        None => {
            // Its id is another wager's now: what becomes of it cannot be told any more.
            let is_lost = |known: &WagerFold| known.carried && known.id == wager.id;
            round.wagers.retain(|known| !is_lost(known));
            round.wagers.push(wager);
        }
    }
}

fn late(round: &RoundFold, folder: Option<&dyn Folder>, placed: &WagerPlaced, seq: u64) -> Fault {
    let message = format!(
        "Seat {} bet {} on {} {TOO_LATE}",
        placed.seat,
        placed.amount,
        placed.kind.replace('_', " ")
    );
    let code = folder.map_or("wager.late", |folder| folder.late_code(round, placed));
    let fault = Fault {
        exposure: placed.amount,
        ..Fault::new(code, vec![seq], message)
    };
    fault.of_wager(&placed.wager).at_seat(placed.seat)
}

/// A stake that is raised or lowered after the cut-off does not count as changed.
fn change(
    round: &mut RoundFold,
    folder: Option<&dyn Folder>,
    id: &str,
    to: Cents,
    seq: u64,
    faults: &mut Vec<Fault>,
) {
    let after_play = round.play.len();
    if withdraw(round, folder, id, to, seq) {
        return;
    }
    let codes = change_faults(round, folder, id, Some(to));
    let Some(wager) = round.wager_mut(id) else {
        return;
    };
    wager.evidence.push(seq);
    if !raise_changes(wager, &codes, Some(to), faults) {
        match folder {
            Some(folder) => folder.restake(wager, to, after_play),
            None => wager.amount = to,
        }
    }
}

fn remove(
    round: &mut RoundFold,
    folder: Option<&dyn Folder>,
    id: &str,
    seq: u64,
    faults: &mut Vec<Fault>,
) {
    if withdraw(round, folder, id, Cents::ZERO, seq) {
        return;
    }
    // What was paid or handed back is the player's to take.
    let is_settled = |wager: &WagerFold| wager.is_touched() && wager.collected.is_none();
    if round.wager(id).is_some_and(is_settled) {
        return touch(round, id, seq, |_| {});
    }
    // A late wager is refused by giving it back.
    if round.wager(id).is_some_and(|wager| wager.late) {
        return round.wagers.retain(|wager| wager.id != id);
    }
    let codes = change_faults(round, folder, id, None);
    let (after_play, closed) = (round.play.len(), round.is_closed(MAIN_WINDOW));
    let Some(wager) = round.wager_mut(id) else {
        return;
    };
    wager.evidence.push(seq);
    if raise_changes(wager, &codes, None, faults) {
        wager.is_gone = true;
        return;
    }
    wager.withdrawn = closed;
    if folder.is_none_or(|folder| folder.take_back(wager, after_play)) {
        round.wagers.retain(|wager| wager.id != id);
    }
}

/// Gives back what the rules let go of a stake when betting has closed; true if they do.
fn withdraw(
    round: &mut RoundFold,
    folder: Option<&dyn Folder>,
    id: &str,
    to: Cents,
    seq: u64,
) -> bool {
    let known = folder.zip(round.wager(id));
    let lawful = known.is_some_and(|(folder, wager)| folder.withdraws(round, wager, to));
    if lawful {
        touch(round, id, seq, |wager| wager.uncovered = wager.amount - to);
    }
    lawful
}

/// The same for what is told as given back before the cards; true if it is that.
fn is_given_back(
    round: &mut RoundFold,
    folder: Option<&dyn Folder>,
    id: &str,
    part: Cents,
    seq: u64,
) -> bool {
    let stake = round.wager(id).map(|wager| wager.amount);
    let is_dealt = round.play.iter().any(|(_, body)| is_of_play(body));
    stake.is_some_and(|stake| !is_dealt && withdraw(round, folder, id, stake - part, seq))
}

fn change_faults(
    round: &RoundFold,
    folder: Option<&dyn Folder>,
    id: &str,
    to: Option<Cents>,
) -> Vec<&'static str> {
    match (folder, round.wager(id)) {
        (Some(folder), Some(wager)) => folder.change_faults(round, wager, to),
        (None, Some(wager)) if round.is_closed(MAIN_WINDOW) => change_codes(wager, to),
        _ => Vec::new(),
    }
}

/// True if something is wrong with the change.
fn raise_changes(
    wager: &WagerFold,
    codes: &[&'static str],
    to: Option<Cents>,
    faults: &mut Vec<Fault>,
) -> bool {
    for &code in codes {
        let message = told_change(wager, wager.amount, to, TOO_LATE);
        let fault = Fault {
            exposure: at_stake(wager.amount, to),
            ..Fault::new(code, wager.evidence.clone(), message)
        };
        faults.push(fault.of_wager(&wager.id).at_seat(wager.seat));
    }
    !codes.is_empty()
}

/// What a stake that is raised or lowered too late may cost the house: so much more is paid on it, or less taken.
fn at_stake(before: Cents, to: Option<Cents>) -> Cents {
    Cents::new((to.unwrap_or_default() - before).get().abs())
}

/// What a seat did with a stake, and when.
fn told_change(wager: &WagerFold, before: Cents, to: Option<Cents>, when: &str) -> String {
    let (seat, kind) = (wager.seat, wager.kind.replace('_', " "));
    match to {
        None => format!("Seat {seat} took {before} on {kind} back {when}"),
        Some(to) if to > before => {
            format!("Seat {seat} raised {kind} from {before} to {to} {when}")
        }
        Some(to) => format!("Seat {seat} lowered {kind} from {before} to {to} {when}"),
    }
}

/// Closes a window: the stakes made until then are held against the posted limits.
fn close(
    round: &mut RoundFold,
    folder: Option<&dyn Folder>,
    window: &str,
    seq: u64,
    faults: &mut Vec<Fault>,
) {
    if round.is_closed(window) {
        return;
    }
    round.close_window(window);
    if round.is_closed(MAIN_WINDOW) {
        hold_against_limits(round, folder, seq, faults);
    }
}

/// Each stake once, when it can no longer change; one that stays up and is lowered, by what is left of it.
pub(crate) fn hold_against_limits(
    round: &mut RoundFold,
    folder: Option<&dyn Folder>,
    seq: u64,
    faults: &mut Vec<Fault>,
) {
    let is_limited = |kind: &str| folder.is_none_or(|folder| folder.is_limited(kind));
    let (rules, limits) = (&round.rules, &round.rules.limits);
    for wager in &mut round.wagers {
        let is_judged = std::mem::replace(&mut wager.limited, true);
        let is_lowered = !wager.lowered.is_empty();
        let stake = if is_lowered {
            wager.stake()
        } else {
            wager.amount
        };
        let is_known = is_judged || wager.carried && !is_lowered || stake == Cents::ZERO;
        if is_known || !is_limited(&wager.kind) {
            continue;
        }
        let limit = limits.iter().find(|limit| limit.kind == wager.kind);
        let evidence = || [wager.evidence.as_slice(), &[seq]].concat();
        let kind = wager.kind.replace('_', " ");
        let staked = format_args!("Seat {} bet {stake} on {kind}, which", wager.seat);
        let posted = limit.and_then(|limit| limit.increment);
        let mut steps = [posted, prescribed_step(rules, &wager.kind)]
            .into_iter()
            .flatten();
        if let Some(step) = steps.find(|step| !stake.is_multiple_of(*step)) {
            let message = format!("{staked} is no multiple of {step}");
            faults.push(Fault::new("wager.increment", evidence(), message).of_wager(&wager.id));
        }
        let Some(limit) = limit else { continue };
        let (code, word, bound) = match stake {
            amount if amount < limit.min => ("wager.under_min", "below the minimum", limit.min),
            amount if amount > limit.max => ("wager.over_max", "above the maximum", limit.max),
            _ => continue,
        };
        let message = format!("{staked} is {word} of {bound}");
        faults.push(Fault::new(code, evidence(), message).of_wager(&wager.id));
    }
}

/// The step that the game itself has: that of 6 to 5 blackjack, 3(d).
fn prescribed_step(rules: &RulesInForce, kind: &str) -> Option<Cents> {
    if rules.game != "blackjack" || kind == "blackjack_bonus" {
        return None;
    }
    let variation = rules.option("variation")?;
    let unit = (variation == "six_to_five").then(|| rules.figure("six_to_five_unit"))??;
    unit.as_i64().map(Cents::new)
}

fn touch(round: &mut RoundFold, id: &str, seq: u64, act: impl FnOnce(&mut WagerFold)) {
    if let Some(wager) = round.wager_mut(id) {
        wager.evidence.push(seq);
        act(wager);
    }
}
