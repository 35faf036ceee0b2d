//! Rounds that are called off when everybody knows how they ended.

use catwalk_events::Timestamp;
use catwalk_events::body::Body;
use catwalk_rules::book::Severity;
use catwalk_rules::floor::Cents;
use catwalk_rules::{Settled, Verdict};
use serde::{Deserialize, Serialize};

use super::{Bench, due, evidence, settle};
use crate::fault::Fault;
use crate::games;
use crate::round::{RoundFold, WagerFold};
use crate::settler::{Laws, Output};
use crate::standing::Standing;
use crate::watch::doubts::Doubt;

/// What calling a round off takes back of a result that was known.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(crate) struct Undone {
    lost: Cents,
    won: Cents,
    /// Of the event that called it off.
    seq: u64,
}

impl Undone {
    /// To call a lost round off is to give a stake away, and to call a won one off is to keep a prize: `None` where
    /// something was told that may void it, where nobody knew the result, and where it changes nothing.
    pub(crate) fn of(
        round: &RoundFold,
        seq: u64,
        laws: &Laws,
        standing: &Standing,
    ) -> Option<Undone> {
        let folder = games::folder(&round.rules.game)?;
        if !round.is_told() || !is_shown(round) || is_excused(round, laws) {
            return None;
        }
        let (_, settlement) = settle(folder, round, laws, standing).ok()?;
        let mut broken = settlement.violations().iter();
        if settlement.pots().is_some() || broken.any(|code| is_grave(code, round, laws)) {
            return None;
        }
        let is_decided = |due: &&Settled| {
            matches!(due.result, Verdict::Win | Verdict::Lose) && due.hangs_on.is_empty()
        };
        let goes_back = |wager: &&WagerFold| {
            let is_open = wager.judged.is_none() && !wager.late;
            is_open && folder.gives_back(round, wager)
        };
        let (mut lost, mut won) = (Cents::ZERO, Cents::ZERO);
        for wager in round.wagers.iter().filter(goes_back) {
            let Some(due) = due(&settlement, &wager.id).filter(is_decided) else {
                continue;
            };
            lost += (wager.amount - due.returned).max(Cents::ZERO);
            won += (due.returned - wager.amount).max(Cents::ZERO);
        }
        (lost.is_positive() || won.is_positive()).then_some(Undone { lost, won, seq })
    }

    pub(crate) fn raise(
        self,
        bench: Bench<'_>,
        round: &RoundFold,
        at: Timestamp,
        laws: &Laws,
        out: &mut Vec<Output>,
    ) {
        let told = match (self.lost, self.won) {
            (lost, Cents::ZERO) => format!("{lost} that was lost goes back"),
            (Cents::ZERO, won) => format!("{won} that was won is not paid"),
            (lost, won) => {
                format!("{lost} that was lost goes back, {won} that was won is not paid")
            }
        };
        let message = format!(
            "The round was called off when its result was known, and nothing was told to be irregular: {told}"
        );
        let fault = Fault {
            exposure: self.lost - self.won,
            ..Fault::new("round.decided_void", evidence(round, self.seq), message)
        };
        let finding = fault.into_finding(&bench, round, at, laws);
        out.push(Output::Finding(Box::new(finding)));
    }
}

/// What a spin or a toss that was just called off would have cost the players together. `None` where they would have
/// won by it, or nothing hung on it. Where nobody can tell it counts, with no amount.
pub(crate) fn spared(round: &RoundFold, laws: &Laws, standing: &Standing) -> Option<Doubt> {
    if round.wagers.is_empty() {
        return None;
    }
    let unknown = Some(Doubt::default());
    let Some(folder) = games::folder(&round.rules.game).filter(|folder| folder.run().is_none())
    else {
        return unknown;
    };
    let mut as_if = round.clone();
    match as_if.play.last_mut() {
        Some((_, Body::WheelSpun(spun))) => spun.valid = true,
        Some((_, Body::DiceRolled(rolled))) => rolled.valid = true,
        _ => return unknown,
    }
    let Ok((_, settlement)) = settle(folder, &as_if, laws, standing) else {
        return unknown;
    };
    let lost = |wager: &WagerFold| {
        let due = due(&settlement, &wager.id)?;
        Some((wager.seat, wager.amount - due.returned))
    };
    let lost: Vec<(u32, Cents)> = as_if.wagers.iter().filter_map(lost).collect();
    let amount: Cents = lost.iter().map(|(_, lost)| *lost).sum();
    let losers = lost.iter().filter(|(_, lost)| lost.is_positive());
    let mut seats: Vec<u32> = losers.map(|(seat, _)| *seat).collect();
    seats.sort_unstable();
    seats.dedup();
    amount.is_positive().then_some(Doubt { amount, seats })
}

/// Did the table show its result: a ball that fell, dice that lie, or a wager that was settled by it?
fn is_shown(round: &RoundFold) -> bool {
    round.play.iter().any(|(_, body)| is_result(body))
        || round.wagers.iter().any(WagerFold::is_touched)
}

fn is_result(body: &Body) -> bool {
    match body {
        Body::WheelSpun(spun) => spun.valid,
        Body::DiceRolled(rolled) => rolled.valid,
        _ => false,
    }
}

/// Was anything told to be irregular, or found to be? What was irregular before a result that was accepted all the
/// same, such as an earlier toss, is no reason to take that back.
fn is_excused(round: &RoundFold, laws: &Laws) -> bool {
    let result = round.play.iter().rposition(|(_, body)| is_result(body));
    let since = result.map_or(0, |at| at + 1);
    let mut told = round.play.iter().skip(since);
    let mut raised = round.raised.iter();
    told.any(|(_, body)| matches!(body, Body::Irregularity(_)))
        || raised.any(|code| is_grave(code, round, laws))
}

fn is_grave(code: &str, round: &RoundFold, laws: &Laws) -> bool {
    let filed = laws.filed(Some(&round.rules), code);
    filed.is_some_and(|filed| filed.severity >= Severity::Warn)
}
