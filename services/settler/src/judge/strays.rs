//! Chips that moved on wagers that nobody made, and in rounds that nobody was told of in full.

use catwalk_events::Timestamp;
use catwalk_events::audit::Finding;
use catwalk_events::body::Body;
use catwalk_rules::floor::Cents;
use catwalk_rules::{Settled, Settlement, Verdict};

use super::mispays::{Judged, mispays};
use super::{Bench, book, due, evidence};
use crate::fault::Fault;
use crate::games::{self, Folder};
use crate::round::{RoundFold, Stray, StrayHow, WagerFold, is_of_play};
use crate::settler::{Laws, Output};
use crate::standing::Standing;
use crate::table::Gap;

/// Chips that moved in a round in which nobody bet, at a table whose feed tells of bets.
pub(crate) fn raise_unstaked(
    bench: Bench<'_>,
    round: &RoundFold,
    at: Timestamp,
    laws: &Laws,
    out: &mut Vec<Output>,
) {
    let folder = games::folder(&round.rules.game);
    let are_told = folder.is_some_and(|folder| folder.tells_every_stake(round));
    if !are_told || !round.wagers.is_empty() || !round.is_told() || round.opened_untold {
        return;
    }
    for fault in of_strays(round, &round.strays, "in a round in which nobody bet") {
        out.push(Output::Finding(Box::new(
            fault.into_finding(&bench, round, at, laws),
        )));
    }
}

/// What was paid on wagers that nobody made, in a round in which no word alone is a stake. A bonus beside
/// the odds of any wager may go by a name of its own.
pub(super) fn strays(
    folder: &dyn Folder,
    round: &RoundFold,
    settlement: &Settlement,
) -> Vec<Fault> {
    let are_told = !round.wagers.is_empty() && folder.tells_every_stake(round);
    let is_bonus = |stray: &&Stray| {
        let mut bonuses = settlement.bonuses().iter();
        bonuses.any(|bonus| bonus.amount == stray.paid)
    };
    let mut unclaimed = unclaimed(round, settlement);
    let strays = round.strays.iter();
    let strays = strays.filter(|stray| are_told && !is_bonus(stray));
    let unknown = strays.filter(|stray| {
        let its = unclaimed.iter().position(|due| fits(stray, due));
        its.map(|its| unclaimed.swap_remove(its)).is_none()
    });
    of_strays(round, unknown, "on a wager that nobody made")
}

/// Bets were paid or taken, and nothing tells how the round ended: they are open by its document, and no payment on
/// them differs from what is due.
pub(super) fn undecided(
    folder: &dyn Folder,
    round: &RoundFold,
    settlement: &Settlement,
    seq: u64,
) -> Option<Fault> {
    let is_moved = |wager: &&WagerFold| wager.paid != wager.undue || wager.collected.is_some();
    let is_open = |wager: &&WagerFold| {
        due(settlement, &wager.id)
            .is_some_and(|due| due.result == Verdict::Open && due.hangs_on.is_empty())
    };
    let moved: Vec<&WagerFold> = round.wagers.iter().filter(is_moved).collect();
    let may_wait = folder.run().is_some() || round.rules.game == "poker";
    let is_shown = round.play.iter().any(|(_, body)| tells_end(body));
    if moved.is_empty() || !moved.iter().all(is_open) || may_wait || is_shown {
        return None;
    }
    let message = format!(
        "{} bets of the round were paid or taken, and nothing tells how it ended",
        moved.len()
    );
    Some(Fault::new("round.unsettled", evidence(round, seq), message))
}

/// A dispute ends no round.
fn tells_end(body: &Body) -> bool {
    match body {
        Body::Irregularity(told) => told.kind != "dispute",
        body => is_of_play(body) || matches!(body, Body::HandSet(_)),
    }
}

/// What is due on stakes that only a word told of, and that nobody paid or took: what happens to them may go by a
/// name that nobody was told.
fn unclaimed<'a>(round: &RoundFold, settlement: &'a Settlement) -> Vec<&'a Settled> {
    let is_word = |wager: &&WagerFold| wager.announced || wager.told_with.is_some();
    let words = round.wagers.iter().filter(is_word);
    let left = words.filter(|wager| !wager.is_touched());
    left.filter_map(|wager| due(settlement, &wager.id))
        .collect()
}

/// Is this what was to be done with a stake?
fn fits(stray: &Stray, due: &Settled) -> bool {
    match stray.how {
        StrayHow::Paid => [due.win, due.returned, due.win - due.commission].contains(&stray.paid),
        StrayHow::Collected => due.result == Verdict::Lose,
        StrayHow::GivenBack => matches!(due.result, Verdict::Push | Verdict::Void),
        StrayHow::Commission => due.commission == stray.paid,
    }
}

/// Chips moved on wagers that nobody made, or that events may have told of which never came.
pub(super) fn of_strays<'a>(
    round: &RoundFold,
    strays: impl IntoIterator<Item = &'a Stray>,
    how: &str,
) -> Vec<Fault> {
    let mut lost = round.lost_before.clone();
    let fault = |stray: &Stray| match lost.take(&stray.wager) {
        Some(gap) => of_lost(stray, gap),
        None => of_stray(stray, how),
    };
    strays.into_iter().map(fault).collect()
}

/// Is it about a wager of which an event may have told that never came?
pub(crate) fn is_of_lost(finding: &Finding) -> bool {
    finding.code == "round.unjudged" && finding.wager.is_some()
}

/// What was missed of an earlier round may have told of the wager, and may not: nobody can say what was due.
fn of_lost(stray: &Stray, gap: Gap) -> Fault {
    let (amount, word) = moved(stray);
    let never = match gap.to - gap.from {
        0 => format!("event {}, which never came", gap.from),
        _ => format!("events {} to {}, which never came", gap.from, gap.to),
    };
    let message = format!(
        "{amount} was {word} on a wager that was lost sight of for want of {never}: it is not judged"
    );
    Fault {
        exposure: sign(stray),
        ..Fault::new("round.unjudged", vec![gap.from, gap.to, stray.seq], message)
    }
    .of_wager(&stray.wager)
}

fn moved(stray: &Stray) -> (String, &'static str) {
    let amount = match (stray.paid, stray.how) {
        (amount, StrayHow::Commission) => format!("A commission of {amount}"),
        (Cents::ZERO, _) => "A stake".to_owned(),
        (amount, _) => amount.to_string(),
    };
    let word = match stray.how {
        StrayHow::Paid => "paid",
        StrayHow::GivenBack => "given back",
        StrayHow::Collected => "collected",
        StrayHow::Commission => "taken",
    };
    (amount, word)
}

/// What the house lost by it.
pub(super) fn sign(stray: &Stray) -> Cents {
    match stray.how.is_taken() {
        false => stray.paid,
        true => -stray.paid,
    }
}

/// Chips moved on a wager that nobody made.
fn of_stray(stray: &Stray, how: &str) -> Fault {
    let (amount, word) = moved(stray);
    let code = match stray.how.is_taken() {
        false => "pay.undue",
        true => "pay.under",
    };
    let paid = sign(stray);
    let message = format!("{amount} was {word} {how}");
    Fault {
        due: Some(Cents::ZERO),
        paid: Some(paid),
        exposure: paid,
        ..Fault::new(code, vec![stray.seq], message).of_wager(&stray.wager)
    }
}

/// What the house lost on wagers that nobody made, of what was said of a round.
pub(crate) fn astray(said: &[Output]) -> Cents {
    let rounds = said.iter().filter_map(|output| match output {
        Output::Settlement(round) => Some(round),
        _ => None,
    });
    let made: Vec<&str> = rounds
        .flat_map(|round| round.wagers.iter().map(|wager| wager.id.as_str()))
        .collect();
    let findings = said.iter().filter_map(|output| match output {
        Output::Finding(finding) if finding.due.is_some() || is_of_lost(finding) => Some(finding),
        _ => None,
    });
    let is_astray = |wager: &Option<String>| {
        let named = wager.as_deref();
        named.is_some_and(|wager| !made.contains(&wager))
    };
    let astray = findings.filter(|finding| is_astray(&finding.wager));
    astray.map(|finding| finding.exposure).sum()
}

/// A round of which events are missing, settled as far as it was told.
pub(super) struct Missing<'a> {
    pub(super) round: &'a RoundFold,
    pub(super) settlement: &'a Settlement,
    pub(super) standing: &'a Standing,
}

impl Missing<'_> {
    /// What the missing events may hide: so much more, or less, was paid than was due as far as it was told.
    pub(super) fn hide(
        &self,
        bench: Bench<'_>,
        folder: &dyn Folder,
        (seq, at): (u64, Timestamp),
        laws: &Laws,
    ) -> Option<Fault> {
        let judged = &Judged {
            round: self.round,
            settlement: self.settlement,
            standing: self.standing,
            folder,
            book: book(laws, self.round),
        };
        let is_touched = |wager: &WagerFold| wager.is_touched() && wager.judged.is_none();
        let mispaid = mispays(bench, judged, is_touched, at, &mut Vec::new());
        let (most, _) = mispaid.iter().max_by_key(|(_, lost)| lost.get().abs())?;
        let most = &judged.round.wagers[*most];
        let lost =
            |mispaid: &[(usize, Cents)]| mispaid.iter().map(|(_, lost)| *lost).sum::<Cents>();
        let (total, largest) = (
            lost(&mispaid),
            mispaid.iter().map(|(_, lost)| lost.get().abs()).max()?,
        );
        let message = format!(
            "Events of the round are missing and it is not judged: as it was told, {} of {} wagers differ from \
             what was due, the house is out {total}, the largest {} on {} at seat {}",
            mispaid.len(),
            judged.round.wagers.len(),
            Cents::new(largest),
            most.kind,
            most.seat
        );
        let fault = Fault {
            exposure: total,
            ..Fault::new("round.unjudged", evidence(judged.round, seq), message)
        };
        Some(fault.at_seat(most.seat))
    }
}
