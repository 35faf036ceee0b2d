//! Wagers of a game whose round is a run of decisions: they stand until one of them decides, may be
//! told again, raised, lowered and left up when they have won.

use catwalk_events::body::{Body, WagerPlaced};
use catwalk_rules::Verdict;
use catwalk_rules::book::Book;
use catwalk_rules::floor::Cents;

/// What an event means in a run: true if that is all that it means.
pub(super) fn take(
    round: &mut RoundFold,
    run: &dyn Run,
    moment: Moment<'_>,
    body: &Body,
    faults: &mut Vec<Fault>,
) -> bool {
    match body {
        Body::WagerPlaced(placed) => place(round, run, moment, placed, faults),
        Body::WagerChanged(changed) => {
            let to = Some(changed.amount);
            change(round, run, moment, &changed.wager, to, faults);
        }
        Body::WagerRemoved(removed) => change(round, run, moment, &removed.wager, None, faults),
        Body::WagerPushed(pushed)
            if pushed.amount.is_none() && is_refused(round, run, moment, &pushed.wager) =>
        {
            forget(round, &pushed.wager);
        }
        body => {
            match run.decides(body) {
                true => decide(round),
                false => leave_up_touched(round, body),
            }
            return false;
        }
    }
    true
}

use super::{Moment, TOO_LATE, at_stake, is_closed, is_fixed, late, told_change};
use crate::fault::Fault;
use crate::games::{Raise, Run};
use crate::round::{RoundFold, WagerFold};

fn place(
    round: &mut RoundFold,
    run: &dyn Run,
    moment: Moment<'_>,
    placed: &WagerPlaced,
    faults: &mut Vec<Fault>,
) {
    let is_up = |known: &WagerFold| {
        (known.seat, &known.kind) == (placed.seat, &placed.kind)
            && !known.is_touched()
            && (known.stake().is_positive() || known.kept_up.is_some())
            && moment.outcome.is_none()
    };
    // A wager that is up may be told again, with another stake or more of its detail.
    if let Some(known) = round.wager_mut(&placed.wager).filter(|known| is_up(known)) {
        known.tell_more(placed.detail.as_ref());
        let to = Some(placed.amount);
        return change(round, run, moment, &placed.wager, to, faults);
    }
    // What was taken or given back is not there any more to be wagered on.
    let can_be_up = |known: &WagerFold| known.collected.is_none() && known.pushed.is_none();
    let entry = Book::of(&round.rules.game).and_then(|book| book.wager(&placed.kind));
    let parent = entry.and_then(|entry| entry.on.as_deref());
    let is_parent = |known: &WagerFold| parent == Some(&*known.kind);
    if let Some(on) = &placed.on
        && round
            .wager(on)
            .is_some_and(|known| can_be_up(known) && is_parent(known))
    {
        leave_up_judged(round, on);
    }
    let mut wager = WagerFold::new(placed, moment.seq, round.play.len(), false);
    wager.late = is_fixed(round, moment.folder, &wager);
    if wager.late {
        faults.push(late(round, moment.folder, placed, moment.seq));
    }
    // The name of a wager that is over may be used again.
    if round.wager(&placed.wager).is_some() {
        retire(round, &placed.wager);
    }
    round.wagers.push(wager);
}

/// A stake that is raised or lowered, or a wager taken back, after the cut-off or when it is decided
/// does not count as changed. One that may not stand and is given back before the dice are thrown was
/// never made.
fn change(
    round: &mut RoundFold,
    run: &dyn Run,
    moment: Moment<'_>,
    id: &str,
    to: Option<Cents>,
    faults: &mut Vec<Fault>,
) {
    if is_over(round, id) {
        if to.is_none() {
            return;
        }
        leave_up(round, id);
    }
    if to.unwrap_or_default() == Cents::ZERO && is_refused(round, run, moment, id) {
        return forget(round, id);
    }
    let Some(wager) = round.wager(id) else {
        return;
    };
    let (before, after) = (whole_stake(round, wager), to.unwrap_or_default());
    let closed = is_closed(round, moment.folder, &wager.kind);
    let is_tampered = match moment.outcome {
        None => closed,
        Some(Verdict::Win) if after > before => true,
        Some(Verdict::Lose) if after < before => true,
        // To raise a wager that has lost or to lower one that has won helps nobody.
        Some(_) => return,
    };
    let is_same = to == Some(before);
    let counts = !is_tampered && !is_same;
    let is_lowered = after < before && moment.outcome.is_none();
    let again = wager.stake() + (after - before);
    let is_put_back = counts && after > before && wager.kept_up >= Some(again);
    let is_too_low = is_lowered || is_put_back && wager.kept_up > Some(again);
    let frozen = || run.frozen(round, moment.standing, wager);
    let frozen = is_too_low.then(frozen).flatten();
    let raise = counts && after > before && !is_put_back;
    let raise = raise.then(|| run.raise(round, moment.standing, wager, after));
    if is_tampered && !is_same {
        faults.push(tampered(wager, moment, before, to));
    }
    if let Some(code) = frozen {
        faults.push(taken_down(code, wager, moment, before, to));
    }
    let left = (wager.stake() - (before - after)).max(Cents::ZERO);
    let is_unmade = counts && frozen.is_none() && is_free(round, run, wager);
    if is_unmade && is_lowered && left == Cents::ZERO {
        return forget(round, id);
    }
    let (after_play, number) = (round.play.len(), parts(round, wager).count() + 1);
    let Some(wager) = round.wager_mut(id) else {
        return;
    };
    wager.evidence.push(moment.seq);
    match raise {
        None if !counts => {}
        None if is_put_back => wager.put_back(after_play, again),
        None if is_unmade => wager.renew(after_play, left),
        None => {
            let whole = frozen.map(|_| wager.stake());
            wager.kept_up = wager.kept_up.or(whole);
            wager.lower(after_play, left);
        }
        Some(Raise::Anew) => wager.renew(after_play, after),
        Some(Raise::Part(kind, detail)) => {
            let mut part = wager.clone();
            part.id = format!("{id}+{number}");
            part.told_with = Some(id.to_owned());
            (part.kind, part.detail) = (kind.to_owned(), detail);
            part.renew(after_play, after - before);
            part.evidence = vec![moment.seq];
            part.commission = Cents::ZERO;
            round.wagers.push(part);
        }
        Some(Raise::Refused(fault)) => faults.push(fault),
    }
}

/// Is a wager given back that may not stand, before the dice are thrown on it?
fn is_refused(round: &RoundFold, run: &dyn Run, moment: Moment<'_>, id: &str) -> bool {
    let wager = round
        .wager(id)
        .filter(|wager| is_undecided(round, run, wager));
    let is_void = moment.outcome == Some(Verdict::Void);
    // Odds that go down with their flat bet stood until then.
    let flat = wager
        .and_then(|wager| wager.on.as_ref())
        .and_then(|on| round.wager(on));
    wager.is_some() && is_void && flat.is_none_or(|flat| flat.stake().is_positive())
}

fn forget(round: &mut RoundFold, id: &str) {
    round.wagers.retain(|wager| wager.id != id);
}

/// Has nothing come since this wager was made that could decide it?
fn is_undecided(round: &RoundFold, run: &dyn Run, wager: &WagerFold) -> bool {
    let mut since = round.play.iter().skip(wager.after_play);
    !wager.carried && !since.any(|(_, body)| run.decides(body))
}

/// A decision comes: what lies there now is what is at stake.
fn decide(round: &mut RoundFold) {
    for wager in &mut round.wagers {
        wager.kept_up = None;
    }
}

/// May this wager be made anew with a lower stake, as nothing hangs on the one that it had?
fn is_free(round: &RoundFold, run: &dyn Run, wager: &WagerFold) -> bool {
    let is_on_it = |other: &WagerFold| other.on.as_ref() == Some(&wager.id);
    is_undecided(round, run, wager)
        && run.forgets_cuts(&wager.kind)
        && wager.commission == Cents::ZERO
        && parts(round, wager).next().is_none()
        && !round.wagers.iter().any(is_on_it)
}

fn taken_down(
    code: &'static str,
    wager: &WagerFold,
    moment: Moment<'_>,
    before: Cents,
    to: Option<Cents>,
) -> Fault {
    told_off(code, wager, moment, (before, to), "and it has to stay")
}

fn tampered(wager: &WagerFold, moment: Moment<'_>, before: Cents, to: Option<Cents>) -> Fault {
    let code = match to {
        Some(to) if to > before => "wager.capped",
        _ => "wager.pinched",
    };
    let when = match moment.outcome {
        None => TOO_LATE,
        Some(_) => "after it was decided",
    };
    told_off(code, wager, moment, (before, to), when)
}

fn told_off(
    code: &'static str,
    wager: &WagerFold,
    moment: Moment<'_>,
    (before, to): (Cents, Option<Cents>),
    when: &str,
) -> Fault {
    let message = told_change(wager, before, to, when);
    let evidence = [wager.evidence.as_slice(), &[moment.seq]].concat();
    let fault = Fault {
        exposure: at_stake(before, to),
        ..Fault::new(code, evidence, message)
    };
    fault.of_wager(&wager.id).at_seat(wager.seat)
}

/// The wagers that raise this one.
fn parts<'a>(round: &'a RoundFold, wager: &'a WagerFold) -> impl Iterator<Item = &'a WagerFold> {
    let parts = round.wagers.iter();
    parts.filter(|part| part.told_with.as_ref() == Some(&wager.id))
}

fn whole_stake(round: &RoundFold, wager: &WagerFold) -> Cents {
    wager.stake() + parts(round, wager).map(WagerFold::stake).sum::<Cents>()
}

/// Gives a wager that is over another name, and the wagers on it as well.
fn retire(round: &mut RoundFold, id: &str) {
    let mut number = 1;
    while round.wager(&format!("{id}#{number}")).is_some() {
        number += 1;
    }
    let retired = format!("{id}#{number}");
    for wager in &mut round.wagers {
        for name in [
            Some(&mut wager.id),
            wager.on.as_mut(),
            wager.told_with.as_mut(),
        ] {
            if let Some(name) = name.filter(|name| name.as_str() == id) {
                name.clone_from(&retired);
            }
        }
    }
}

/// Was it settled by a decision until now?
fn is_over(round: &RoundFold, id: &str) -> bool {
    let wager = round.wager(id);
    wager.is_some_and(|wager| wager.judged.is_some() || wager.is_touched())
}

/// What is paid, collected or given back after another decision was left up by the one before.
fn leave_up_touched(round: &mut RoundFold, body: &Body) {
    let id = match body {
        Body::WagerPaid(paid) => &paid.wager,
        Body::WagerCollected(collected) => &collected.wager,
        Body::WagerPushed(pushed) => &pushed.wager,
        Body::CommissionCollected(commission) => &commission.wager,
        _ => return,
    };
    leave_up_judged(round, id);
}

fn leave_up_judged(round: &mut RoundFold, id: &str) {
    if round.wager(id).is_some_and(|wager| wager.judged.is_some()) {
        leave_up(round, id);
    }
}

/// A wager that is over and heard of again was left up: it is a new one since then.
fn leave_up(round: &mut RoundFold, id: &str) {
    let Some(over) = round.wager(id) else { return };
    let mut wager = over.clone();
    wager.renew(over.judged.unwrap_or(round.play.len()), over.stake());
    (wager.paid, wager.undue, wager.mispaid) = (Cents::ZERO, Cents::ZERO, Cents::ZERO);
    (wager.collected, wager.pushed, wager.judged) = (None, None, None);
    retire(round, id);
    round.wagers.push(wager);
}
