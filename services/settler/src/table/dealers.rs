//! What the rounds of a table show of its dealers.

use catwalk_events::Timestamp;
use catwalk_events::audit::Finding;
use catwalk_rules::Verdict;
use catwalk_rules::book::Severity;

use super::Table;
use crate::settler::{Laws, Output};

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
        for output in &out[said..] {
            match output {
                Output::Settlement(round) => {
                    let results = round.wagers.iter().filter_map(|wager| wager.result);
                    decided += results.filter(|result| *result != Verdict::Open).count();
                }
                Output::Finding(finding) => wrong += usize::from(finding.due.is_some()),
                Output::Unread(_) => {}
            }
        }
        let Some(suspected) = self.watch.statistics.judged(&dealer, decided, wrong) else {
            return;
        };
        let code = "statistics.dealer";
        let filed = laws.equipment.finding(code);
        let message = format!(
            "{dealer} has erred too often in {} wagers",
            suspected.wagers
        );
        let severity = filed.map_or(Severity::Info, |filed| filed.severity);
        let finding = Finding {
            severity: if suspected.strong {
                Severity::Warn
            } else {
                severity
            },
            dealer: Some(dealer),
            cites: filed.map(|filed| filed.cite.clone()).into_iter().collect(),
            ..self.finding(code, at, vec![seq], message)
        };
        out.push(Output::Finding(Box::new(finding.seal())));
    }
}
