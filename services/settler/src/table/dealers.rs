//! What the rounds of a table show of its dealers.

use catwalk_events::Timestamp;
use catwalk_events::audit::Finding;
use catwalk_events::body::Body;
use catwalk_rules::Verdict;
use catwalk_rules::book::Severity;
use catwalk_rules::floor::Cents;

use super::Table;
use crate::judge;
use crate::settler::{Laws, Output, SettledRound};
use crate::watch::doubts::{Doubt, Tally};

/// Is this a spin, a toss or a roll, and was it called off?
pub(super) fn is_called_off(body: &Body) -> Option<bool> {
    match body {
        Body::WheelSpun(spun) => Some(!spun.valid),
        Body::DiceRolled(rolled) => Some(!rolled.valid),
        _ => None,
    }
}

impl Table {
    /// Counts what a round showed of its dealer: the outputs from `said` on are of it.
    pub(super) fn hold_against(
        &mut self,
        dealer: String,
        said: usize,
        (seq, at): (u64, Timestamp),
        laws: &Laws,
        out: &mut Vec<Output>,
    ) {
        let (mut decided, mut wrong) = (0, 0);
        let mut unseen = None;
        for output in &out[said..] {
            match output {
                Output::Settlement(round) => {
                    let results = round.wagers.iter().filter_map(|wager| wager.result);
                    decided += results.filter(|result| *result != Verdict::Open).count();
                    unseen = unseen.or(unjudged(round));
                }
                Output::Finding(finding) => wrong += usize::from(finding.due.is_some()),
                Output::Unread(_) => {}
            }
        }
        if (decided > 0 || unseen.is_some())
            && let Some(doubted) = self.watch.doubts.judged(&dealer, unseen)
        {
            let Tally {
                came, all, amount, ..
            } = doubted.tally;
            let message = format!(
                "With {dealer} dealing, {came} of {all} rounds hung on a card that nobody saw: {amount} in bets \
                 cannot be judged{}",
                most(doubted.tally)
            );
            let strong = doubted.strong;
            let told = ("statistics.unseen", strong, message);
            self.suspect(&dealer, told, (seq, at), laws, out);
        }
        let Some(suspected) = self.watch.statistics.judged(&dealer, decided, wrong) else {
            return;
        };
        let message = format!(
            "{dealer} has erred too often in {} wagers",
            suspected.wagers
        );
        let told = ("statistics.dealer", suspected.strong, message);
        self.suspect(&dealer, told, (seq, at), laws, out);
    }

    /// Counts a spin, toss or roll of a round, called off or not.
    pub(super) fn count_call(
        &mut self,
        id: &str,
        is_off: bool,
        moment: (u64, Timestamp),
        laws: &Laws,
        out: &mut Vec<Output>,
    ) {
        let Some(round) = self.rounds.get(id) else {
            return;
        };
        let Some(dealer) = round.dealer.clone().or_else(|| self.dealer.clone()) else {
            return;
        };
        let spared = is_off.then(|| judge::spared(round, laws, &self.standing));
        let Some(doubted) = self.watch.doubts.called(&dealer, spared.flatten()) else {
            return;
        };
        let Tally {
            came, all, amount, ..
        } = doubted.tally;
        let lost = match *amount {
            Cents::ZERO => String::new(),
            amount => format!(", with {amount} that the players would have lost"),
        };
        let message = format!(
            "{dealer} called {came} of {all} results off{lost}{}",
            most(doubted.tally)
        );
        let told = ("statistics.called_off", doubted.strong, message);
        self.suspect(&dealer, told, moment, laws, out);
    }

    fn suspect(
        &self,
        dealer: &str,
        (code, strong, message): (&str, bool, String),
        (seq, at): (u64, Timestamp),
        laws: &Laws,
        out: &mut Vec<Output>,
    ) {
        let filed = laws.everywhere(code);
        let severity = filed.map_or(Severity::Info, |filed| filed.severity);
        let finding = Finding {
            severity: if strong { Severity::Warn } else { severity },
            dealer: Some(dealer.to_owned()),
            cites: filed
                .and_then(|filed| filed.cite.clone())
                .into_iter()
                .collect(),
            ..self.finding(code, at, vec![seq], message)
        };
        out.push(Output::Finding(Box::new(finding.seal())));
    }
}

/// The bets of a round that hang on what nobody saw.
fn unjudged(round: &SettledRound) -> Option<Doubt> {
    let settlement = round.settlement.as_ref()?;
    // Whose cards are thrown away unseen is the players' affair where they play for each other's chips.
    let settled = settlement.wagers().iter();
    let settled = settled.filter(|_| settlement.pots().is_none());
    let hangs: Vec<&str> = settled
        .filter(|due| !due.hangs_on.is_empty())
        .map(|due| due.id.as_str())
        .collect();
    let its = round
        .wagers
        .iter()
        .filter(|wager| hangs.contains(&wager.id.as_str()));
    let its: Vec<_> = its.collect();
    (!its.is_empty()).then(|| Doubt {
        amount: its.iter().map(|wager| wager.amount).sum(),
        seats: its.iter().map(|wager| wager.seat).collect(),
    })
}

/// For whom it was most often.
fn most(tally: &Tally) -> String {
    match tally.favourite() {
        Some((seat, times)) => format!(", {times} times for seat {seat}"),
        None => String::new(),
    }
}
