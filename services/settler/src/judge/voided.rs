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

/// Did the table show its result: a ball that fell, dice that lie, or a wager that was settled by it?
fn is_shown(round: &RoundFold) -> bool {
    let is_result = |body: &Body| match body {
        Body::WheelSpun(spun) => spun.valid,
        Body::DiceRolled(rolled) => rolled.valid,
        _ => false,
    };
    round.play.iter().any(|(_, body)| is_result(body))
        || round.wagers.iter().any(WagerFold::is_touched)
}

/// Was anything told to be irregular, or found to be?
fn is_excused(round: &RoundFold, laws: &Laws) -> bool {
    let mut raised = round.raised.iter();
    round.irregularities().next().is_some() || raised.any(|code| is_grave(code, round, laws))
}

fn is_grave(code: &str, round: &RoundFold, laws: &Laws) -> bool {
    let filed = laws.filed(Some(&round.rules), code);
    filed.is_some_and(|filed| filed.severity >= Severity::Warn)
}
