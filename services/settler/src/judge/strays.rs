//! Chips that moved on wagers that nobody made, and in rounds that nobody was told of in full.

use catwalk_events::Timestamp;
use catwalk_rules::Settlement;
use catwalk_rules::floor::Cents;

use super::mispays::{Judged, mispays};
use super::{Bench, book, evidence};
use crate::fault::Fault;
use crate::games::{self, Folder};
use crate::round::{RoundFold, Stray, StrayHow, WagerFold};
use crate::settler::{Laws, Output};
use crate::standing::Standing;

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
    for stray in &round.strays {
        let fault = of_stray(stray, "in a round in which nobody bet");
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
    let strays = round.strays.iter();
    let strays = strays.filter(|stray| are_told && !is_bonus(stray));
    strays
        .map(|stray| of_stray(stray, "on a wager that nobody made"))
        .collect()
}

/// Money went out on a wager that nobody made.
pub(super) fn of_stray(stray: &Stray, how: &str) -> Fault {
    let amount = match stray.paid {
        Cents::ZERO => "A stake".to_owned(),
        amount => amount.to_string(),
    };
    let (code, word, paid) = match stray.how {
        StrayHow::Paid => ("pay.undue", "paid", stray.paid),
        StrayHow::GivenBack => ("pay.undue", "given back", stray.paid),
        StrayHow::Collected => ("pay.under", "collected", -stray.paid),
    };
    let message = format!("{amount} was {word} {how}");
    Fault {
        due: Some(Cents::ZERO),
        paid: Some(paid),
        exposure: paid,
        ..Fault::new(code, vec![stray.seq], message).of_wager(&stray.wager)
    }
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
        Some(Fault::new("round.unjudged", evidence(judged.round, seq), message).at_seat(most.seat))
    }
}
