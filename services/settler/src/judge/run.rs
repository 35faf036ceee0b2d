//! A round that is a run of decisions is judged at each of them, not only at its end.

use std::cell::LazyCell;

use catwalk_events::Timestamp;
use catwalk_rules::{Settlement, Verdict};

use super::finding::violation;
use super::mispays::{Judged, mispays};
use super::{Bench, book, due, evidence, raise, settle};
use crate::fault::Fault;
use crate::games::{self, Document, Folder};
use crate::round::{RoundFold, WagerFold};
use crate::settler::{Laws, Output};
use crate::standing::Standing;

/// Holds what was paid until now against what was due. Wagers that nobody touched may still be paid.
pub(crate) fn judge_so_far(
    bench: Bench<'_>,
    round: &mut RoundFold,
    (seq, at): (u64, Timestamp),
    laws: &Laws,
    standing: &Standing,
    out: &mut Vec<Output>,
) {
    let folder = games::folder(&round.rules.game).filter(|_| round.is_told());
    let Some((folder, run)) = folder.and_then(|folder| Some((folder, folder.run()?))) else {
        return;
    };
    let mut faults = Vec::new();
    // What cannot be settled is said at the end of the round.
    let Ok((document, settlement)) = look_back(folder, round, laws, standing, &mut faults) else {
        return;
    };
    raise(bench, round, faults, at, laws, out);
    let document = LazyCell::new(document);
    let certain = settlement.violations().iter();
    for code in certain.filter(|code| run.is_certain(code)) {
        if !round.has_raised(code) {
            let shown_by = evidence(round, seq);
            let finding = violation(bench, round, code, at, shown_by, (&document, laws));
            out.push(Output::Finding(Box::new(finding)));
            round.raised.push(code.to_owned());
        }
    }
    let are_due = |wager: &WagerFold| wager.is_touched() && wager.judged.is_none();
    let judged = Judged {
        round,
        settlement: &settlement,
        standing,
        folder,
        book: book(laws, round),
    };
    let mispaid = mispays(bench, &judged, are_due, at, out);
    for (index, exposure) in mispaid {
        round.wagers[index].mispaid += exposure;
    }
    let after_play = round.play.len();
    for wager in round.wagers.iter_mut().filter(|wager| are_due(wager)) {
        if is_open(&settlement, wager) && wager.collected.is_none() {
            // It was paid before its time and is still up.
            wager.undue = wager.paid;
        } else {
            wager.judged = Some(after_play);
        }
    }
    // A flat bet that neither won nor lost lies where it was: if it is heard of again, it was left up.
    let is_left = |wager: &WagerFold| !wager.is_touched() && wager.on.is_none();
    for wager in round.wagers.iter_mut().filter(|wager| is_left(wager)) {
        let due = due(&settlement, &wager.id);
        if due.is_some_and(|due| due.result == Verdict::Push) {
            wager.judged.get_or_insert(after_play);
        }
    }
}

/// How a wager of a run has ended by now, if it has and nobody has settled it.
pub(crate) fn outcome(
    round: &RoundFold,
    id: &str,
    laws: &Laws,
    standing: &Standing,
) -> Option<Verdict> {
    let folder = games::folder(&round.rules.game).filter(|_| round.is_told())?;
    let is_left = |wager: &&WagerFold| !wager.is_touched() && wager.judged.is_none();
    round.wager(id).filter(is_left)?;
    let (_, settlement) = settle(folder, round, laws, standing).ok()?;
    let result = due(&settlement, id)?.result;
    (result != Verdict::Open).then_some(result)
}

/// Settles a round as its payments show it: in a run, an undecided wager that was given back was taken
/// down.
pub(super) fn look_back(
    folder: &dyn Folder,
    round: &mut RoundFold,
    laws: &Laws,
    standing: &Standing,
    faults: &mut Vec<Fault>,
) -> Result<(Document, Settlement), String> {
    let Some(run) = folder.run() else {
        return settle(folder, round, laws, standing);
    };
    run.look_back(round, faults);
    let settled = settle(folder, round, laws, standing)?;
    let after_play = round.play.len();
    let mut changed = false;
    for wager in &mut round.wagers {
        let is_left = wager.paid == wager.undue && wager.collected.is_none();
        if is_left
            && is_open(&settled.1, wager)
            && let Some(part) = wager.pushed.take()
        {
            let stake = wager.stake();
            wager.lower(after_play, stake - part.unwrap_or(stake));
            changed = true;
        }
    }
    match changed {
        true => settle(folder, round, laws, standing),
        false => Ok(settled),
    }
}

fn is_open(settlement: &Settlement, wager: &WagerFold) -> bool {
    due(settlement, &wager.id).is_some_and(|due| due.result == Verdict::Open)
}
