//! The wagers of a round, event by event: made, changed, taken back, paid, collected; and the windows
//! in which that may be done.

use catwalk_events::body::{Body, WagerChanged, WagerPlaced};

use crate::fault::Fault;
use crate::games::Folder;
use crate::round::{MAIN_WINDOW, MAX_PLAY_EVENTS, RoundFold, WagerFold};

/// Folds an event into its round.
pub(crate) fn fold(
    round: &mut RoundFold,
    folder: Option<&dyn Folder>,
    seq: u64,
    body: Body,
    faults: &mut Vec<Fault>,
) {
    match body {
        Body::WagerPlaced(placed) => place(round, folder, &placed, seq, faults),
        Body::WagerChanged(changed) => change(round, folder, &changed, seq, faults),
        Body::WagerRemoved(removed) => remove(round, folder, &removed.wager, seq, faults),
        Body::BettingClosed(closed) => {
            let window = closed.window.as_deref().unwrap_or(MAIN_WINDOW);
            close(round, window, seq, faults);
        }
        Body::WagerPaid(paid) => touch(round, &paid.wager, seq, |wager| {
            wager.paid += paid.amount;
            wager.commission += paid.commission.unwrap_or_default();
        }),
        Body::JackpotPaid(paid) => {
            touch(round, &paid.wager, seq, |wager| {
                wager.paid += paid.amount;
                wager.from_meter += paid.amount;
            });
            play(round, folder, seq, Body::JackpotPaid(paid), faults);
        }
        Body::WagerCollected(collected) => touch(round, &collected.wager, seq, |wager| {
            wager.collected = Some(collected.amount);
        }),
        Body::WagerPushed(pushed) => touch(round, &pushed.wager, seq, |wager| {
            wager.pushed = Some(pushed.amount);
        }),
        Body::CommissionCollected(commission) => {
            touch(round, &commission.wager, seq, |wager| {
                wager.commission += commission.amount;
            });
        }
        body => play(round, folder, seq, body, faults),
    }
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
        close(round, window, seq, faults);
    }
    if let Some(window) = folder.and_then(|folder| folder.opens(round, &body)) {
        round.closed_windows.retain(|closed| closed != window);
    }
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

/// May a wager of this kind that was made be changed no more?
fn is_fixed(round: &RoundFold, folder: Option<&dyn Folder>, kind: &str) -> bool {
    is_closed(round, folder, kind) || folder.is_some_and(|folder| folder.stands(kind))
}

fn place(
    round: &mut RoundFold,
    folder: Option<&dyn Folder>,
    placed: &WagerPlaced,
    seq: u64,
    faults: &mut Vec<Fault>,
) {
    let late = is_closed(round, folder, &placed.kind);
    if late {
        let message = format!(
            "{} on {} was made after betting had closed",
            placed.amount, placed.kind
        );
        let fault = Fault::new("wager.late", vec![seq], message).of_wager(&placed.wager);
        faults.push(fault.at_seat(placed.seat));
    }
    let wager = WagerFold::new(placed, seq, round.play.len(), late);
    // A wager that stayed from an earlier round may be told again.
    match round.wager_mut(&placed.wager).filter(|known| known.carried) {
        Some(known) => {
            let evidence = std::mem::take(&mut known.evidence);
            *known = wager;
            known.evidence.splice(0..0, evidence);
        }
        None => round.wagers.push(wager),
    }
}

/// A stake that is raised or lowered after the cut-off does not count as changed.
fn change(
    round: &mut RoundFold,
    folder: Option<&dyn Folder>,
    changed: &WagerChanged,
    seq: u64,
    faults: &mut Vec<Fault>,
) {
    let closed = round
        .wager(&changed.wager)
        .is_some_and(|wager| is_fixed(round, folder, &wager.kind));
    let after_play = round.play.len();
    let Some(wager) = round.wager_mut(&changed.wager) else {
        return;
    };
    wager.evidence.push(seq);
    let (before, after) = (wager.amount, changed.amount);
    if !closed {
        match folder {
            Some(folder) => folder.restake(wager, after, after_play),
            None => wager.amount = after,
        }
    } else if before != after {
        let (code, word) = if after > before {
            ("wager.capped", "raised")
        } else {
            ("wager.pinched", "lowered")
        };
        let message = format!(
            "{before} on {} was {word} to {after} after betting had closed",
            wager.kind
        );
        faults.push(Fault::new(code, wager.evidence.clone(), message).of_wager(&wager.id));
    }
}

fn remove(
    round: &mut RoundFold,
    folder: Option<&dyn Folder>,
    id: &str,
    seq: u64,
    faults: &mut Vec<Fault>,
) {
    let closed = round
        .wager(id)
        .is_some_and(|wager| is_fixed(round, folder, &wager.kind));
    let after_play = round.play.len();
    let Some(wager) = round.wager_mut(id) else {
        return;
    };
    wager.evidence.push(seq);
    if closed {
        let message = format!(
            "{} on {} was taken back after betting had closed",
            wager.amount, wager.kind
        );
        let fault = Fault::new("wager.pinched", wager.evidence.clone(), message);
        faults.push(fault.of_wager(&wager.id));
    } else if folder.is_none_or(|folder| folder.take_back(wager, after_play)) {
        round.wagers.retain(|wager| wager.id != id);
    }
}

/// Closes a window; with the main one, stakes are held against the posted limits.
fn close(round: &mut RoundFold, window: &str, seq: u64, faults: &mut Vec<Fault>) {
    if round.is_closed(window) {
        return;
    }
    round.close_window(window);
    if window != MAIN_WINDOW {
        return;
    }
    for wager in round.wagers.iter().filter(|wager| !wager.carried) {
        let limits = &round.rules.limits;
        let Some(limit) = limits.iter().find(|limit| limit.kind == wager.kind) else {
            continue;
        };
        let evidence = || [wager.evidence.as_slice(), &[seq]].concat();
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

fn touch(round: &mut RoundFold, id: &str, seq: u64, act: impl FnOnce(&mut WagerFold)) {
    if let Some(wager) = round.wager_mut(id) {
        wager.evidence.push(seq);
        act(wager);
    }
}
