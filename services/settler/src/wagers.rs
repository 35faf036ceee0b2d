//! The wagers of a round, event by event: made, changed, taken back, paid, collected; and the windows
//! in which that may be done.

use catwalk_events::body::{Body, WagerPlaced};
use catwalk_rules::Verdict;
use catwalk_rules::floor::Cents;

use crate::fault::Fault;
use crate::games::{Amendment, Folder};
use crate::round::{MAIN_WINDOW, MAX_PLAY_EVENTS, RoundFold, WagerFold};
use crate::standing::Standing;

/// What an event of a round meets beside the round itself.
#[derive(Clone, Copy)]
pub(crate) struct Moment<'a> {
    pub(crate) folder: Option<&'a dyn Folder>,
    pub(crate) standing: &'a Standing,
    pub(crate) seq: u64,
    /// How the wager that the event is about has ended already, where nobody has settled it yet.
    pub(crate) outcome: Option<Verdict>,
}

/// Folds an event into its round.
pub(crate) fn fold(round: &mut RoundFold, moment: Moment<'_>, body: Body, faults: &mut Vec<Fault>) {
    match body {
        Body::WagerPlaced(placed) => place(round, moment, &placed, faults),
        Body::WagerChanged(changed) => {
            change(round, moment, &changed.wager, Some(changed.amount), faults);
        }
        Body::WagerRemoved(removed) => change(round, moment, &removed.wager, None, faults),
        Body::BettingClosed(closed) => {
            let window = closed.window.as_deref().unwrap_or(MAIN_WINDOW);
            let window = moment.folder.map_or(window, |folder| folder.called(window));
            close(round, moment, window, faults);
        }
        Body::WagerPaid(paid) => touch(round, moment, &paid.wager, |wager| {
            wager.paid += paid.amount;
            wager.commission += paid.commission.unwrap_or_default();
        }),
        Body::JackpotPaid(paid) => touch(round, moment, &paid.wager, |wager| {
            wager.paid += paid.amount;
        }),
        Body::WagerCollected(collected) => touch(round, moment, &collected.wager, |wager| {
            wager.collected = Some(collected.amount);
        }),
        Body::WagerPushed(pushed) => touch(round, moment, &pushed.wager, |wager| {
            wager.pushed = Some(pushed.amount);
        }),
        Body::CommissionCollected(commission) => touch(round, moment, &commission.wager, |wager| {
            wager.commission += commission.amount;
        }),
        body => play(round, moment, body, faults),
    }
}

/// An event of the play itself.
fn play(round: &mut RoundFold, moment: Moment<'_>, body: Body, faults: &mut Vec<Fault>) {
    let folder = moment.folder;
    if let Some(window) = folder.and_then(|folder| folder.closes(round, &body)) {
        close(round, moment, window, faults);
    }
    if let Some(window) = folder.and_then(|folder| folder.opens(round, &body)) {
        round.closed_windows.retain(|closed| closed != window);
    }
    if round.play.len() < MAX_PLAY_EVENTS {
        round.play.push((moment.seq, body));
    } else {
        round.incomplete = true;
    }
}

fn is_closed(round: &RoundFold, folder: Option<&dyn Folder>, kind: &str) -> bool {
    let window = folder.map_or(Some(MAIN_WINDOW), |folder| folder.window(kind));
    window.is_some_and(|window| round.is_closed(window))
}

fn place(round: &mut RoundFold, moment: Moment<'_>, placed: &WagerPlaced, faults: &mut Vec<Fault>) {
    let seq = moment.seq;
    let is_run = moment.folder.is_some_and(Folder::is_run);
    let is_up = |known: &WagerFold| {
        (known.seat, &known.kind) == (placed.seat, &placed.kind)
            && !known.is_touched()
            && known.stake().is_positive()
            && moment.outcome.is_none()
    };
    // A wager that is up may be told again, with another stake or more of its detail.
    if is_run && let Some(known) = round.wager_mut(&placed.wager).filter(|known| is_up(known)) {
        known.tell_more(placed.detail.as_ref());
        return change(round, moment, &placed.wager, Some(placed.amount), faults);
    }
    if let Some(on) = &placed.on {
        leave_up(round, on);
    }
    let own_words = moment
        .folder
        .is_some_and(|folder| folder.speaks_for_itself(placed));
    let late = !own_words && is_closed(round, moment.folder, &placed.kind);
    if late {
        let message = format!(
            "{} on {} was made after betting had closed",
            placed.amount, placed.kind
        );
        let fault = Fault::new("wager.late", vec![seq], message).of_wager(&placed.wager);
        faults.push(fault.at_seat(placed.seat));
    }
    let wager = WagerFold::new(placed, seq, round.play.len(), late);
    match round.wager_mut(&placed.wager) {
        // A wager that stayed from an earlier round may be told again.
        Some(known) if known.carried && !is_run => {
            let evidence = std::mem::take(&mut known.evidence);
            *known = wager;
            known.evidence.splice(0..0, evidence);
            return;
        }
        // The name of a wager that is over may be used again.
        Some(_) if is_run => retire(round, &placed.wager),
        _ => {}
    }
    round.wagers.push(wager);
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
            wager.part_of.as_mut(),
        ] {
            if let Some(name) = name.filter(|name| name.as_str() == id) {
                name.clone_from(&retired);
            }
        }
    }
}

/// A stake that is raised or lowered, or a wager taken back, after the cut-off does not count as
/// changed.
fn change(
    round: &mut RoundFold,
    moment: Moment<'_>,
    id: &str,
    to: Option<Cents>,
    faults: &mut Vec<Fault>,
) {
    let Some(wager) = round.wager(id) else {
        return;
    };
    let closed = is_closed(round, moment.folder, &wager.kind);
    let (before, after) = (wager.stake(), to.unwrap_or_default());
    // To raise a wager that has lost or to lower one that has won helps nobody.
    let decided = match moment.outcome {
        None => false,
        Some(Verdict::Win) if after > before => true,
        Some(Verdict::Lose) if after < before => true,
        Some(_) => return,
    };
    if (closed || decided) && to != Some(before) {
        let (code, word) = match to {
            None => ("wager.pinched", "taken back".to_owned()),
            Some(to) if to > before => ("wager.capped", format!("raised to {to}")),
            Some(to) => ("wager.pinched", format!("lowered to {to}")),
        };
        let when = if closed {
            "betting had closed"
        } else {
            "it was decided"
        };
        let message = format!("{before} on {} was {word} after {when}", wager.kind);
        let evidence = [wager.evidence.as_slice(), &[moment.seq]].concat();
        faults.push(Fault::new(code, evidence, message).of_wager(id));
    }
    let amendment = match moment.folder.filter(|_| !closed && !decided) {
        Some(folder) => folder.amend(round, moment.standing, wager, after),
        None => Amendment::Plain,
    };
    let after_play = round.play.len();
    let seq = moment.seq;
    let Some(wager) = round.wager_mut(id) else {
        return;
    };
    wager.evidence.push(seq);
    if closed || decided || to == Some(before) {
        return;
    }
    match (amendment, moment.folder) {
        (Amendment::Plain, None) if to.is_some() => wager.amount = after,
        (Amendment::Plain, Some(folder)) if to.is_some() => {
            folder.restake(wager, after, after_play);
        }
        (Amendment::Plain, folder) => {
            if folder.is_none_or(|folder| folder.take_back(wager, after_play)) {
                round.wagers.retain(|wager| wager.id != id);
            }
        }
        (Amendment::Lowered, _) => {
            if wager
                .lowered
                .last()
                .is_some_and(|&(at, _)| at == after_play)
            {
                wager.lowered.pop();
            }
            wager.lowered.push((after_play, after));
        }
        (Amendment::Anew, _) => {
            wager.amount = after;
            wager.after_play = after_play;
            wager.lowered.clear();
            (wager.carried, wager.limited) = (false, false);
        }
        (Amendment::Part(kind, detail), _) => {
            let mut part = wager.clone();
            part.id = format!("{id}+{}", after_play);
            part.part_of = Some(id.to_owned());
            (part.kind, part.detail) = (kind, detail);
            part.amount = after - before;
            part.after_play = after_play;
            part.lowered.clear();
            part.evidence = vec![seq];
            (part.carried, part.limited) = (false, false);
            part.commission = Cents::ZERO;
            round.wagers.push(part);
        }
        (Amendment::Refused(fault), _) => faults.push(fault),
    }
}

/// Closes a window; with the main one, stakes are held against the posted limits.
fn close(round: &mut RoundFold, moment: Moment<'_>, window: &str, faults: &mut Vec<Fault>) {
    if round.is_closed(window) {
        return;
    }
    round.close_window(window);
    if window != MAIN_WINDOW {
        return;
    }
    let is_limited = |kind: &str| moment.folder.is_none_or(|folder| folder.is_limited(kind));
    let limits = &round.rules.limits;
    for wager in round.wagers.iter_mut() {
        if wager.carried || std::mem::replace(&mut wager.limited, true) || !is_limited(&wager.kind)
        {
            continue;
        }
        let Some(limit) = limits.iter().find(|limit| limit.kind == wager.kind) else {
            continue;
        };
        let evidence = || [wager.evidence.as_slice(), &[moment.seq]].concat();
        let stake = format!("{} on {}", wager.amount, wager.kind);
        if let Some(step) = limit.increment
            && !wager.amount.is_multiple_of(step)
        {
            let message = format!("{stake} is no multiple of {step}");
            faults.push(Fault::new("wager.increment", evidence(), message).of_wager(&wager.id));
        }
        let (code, word, bound) = match wager.amount {
            amount if amount < limit.min => ("wager.under_min", "below the minimum", limit.min),
            amount if amount > limit.max => ("wager.over_max", "above the maximum", limit.max),
            _ => continue,
        };
        let message = format!("{stake} is {word} of {bound}");
        faults.push(Fault::new(code, evidence(), message).of_wager(&wager.id));
    }
}

fn touch(round: &mut RoundFold, moment: Moment<'_>, id: &str, act: impl FnOnce(&mut WagerFold)) {
    leave_up(round, id);
    if let Some(wager) = round.wager_mut(id) {
        wager.evidence.push(moment.seq);
        act(wager);
    }
}

/// A wager that was judged in the course of a round and is heard of again was left up: it is a new
/// one since then.
fn leave_up(round: &mut RoundFold, id: &str) {
    let Some(over) = round.wager(id) else { return };
    let Some(since) = over.judged else { return };
    let mut wager = over.clone();
    wager.amount = over.stake();
    wager.lowered.clear();
    wager.after_play = since;
    (wager.paid, wager.undue) = (Cents::ZERO, Cents::ZERO);
    (wager.collected, wager.pushed) = (None, None);
    (wager.carried, wager.judged) = (false, None);
    retire(round, id);
    round.wagers.push(wager);
}
