//! Settlements and findings as records of the log.

use catwalk_events::{Json, audit};
use catwalk_rules::Settlement;
use serde::Serialize;

use crate::finding::Finding;
use crate::settler::{SettledRound, SettledWager};

impl From<&SettledRound> for audit::Settlement {
    fn from(round: &SettledRound) -> audit::Settlement {
        let settlement = round.settlement.as_ref();
        let bonuses = settlement.map(Settlement::bonuses).unwrap_or_default();
        let violations = settlement.map(|settlement| settlement.violations().iter());
        audit::Settlement {
            property: round.property.clone(),
            table: round.table.clone(),
            round: round.round.clone(),
            game: round.rules.game.clone(),
            edition: round.rules.edition.clone(),
            options: round.rules.options.text().clone(),
            opened_at: round.opened_at,
            closed_at: round.at,
            dealer: round.dealer.clone(),
            complete: round.complete,
            voided: round.voided,
            first_seq: round.first_seq,
            last_seq: round.last_seq,
            rules: settlement.map(|settlement| settlement.rules_hash().to_owned()),
            violations: violations
                .into_iter()
                .flatten()
                .map(str::to_owned)
                .collect(),
            document: round.document.as_ref().map(Json::new),
            bonuses: Some(bonuses).filter(|list| !list.is_empty()).map(json),
            pots: settlement.and_then(Settlement::pots).map(json),
            wagers: round.wagers.iter().map(SettledWager::record).collect(),
            cards: round.cards.clone(),
        }
    }
}

impl SettledWager {
    fn record(&self) -> audit::SettledWager {
        let due = self.due.as_ref();
        audit::SettledWager {
            id: self.id.clone(),
            seat: self.seat,
            player: self.player.clone(),
            kind: self.kind.clone(),
            amount: self.amount,
            result: due.map(|due| due.result),
            win: due.map(|due| due.win),
            commission: due.map(|due| due.commission),
            returned: due.map(|due| due.returned),
            paid: self.paid,
            commission_taken: self.commission_taken,
            collected: self.collected,
            pushed: self.pushed,
            difference: self.difference,
        }
    }
}

impl From<&Finding> for audit::Finding {
    fn from(finding: &Finding) -> audit::Finding {
        let finding = finding.clone();
        audit::Finding {
            id: finding.id,
            code: finding.code,
            severity: finding.severity,
            property: finding.property,
            table: finding.table,
            game: finding.game,
            round: finding.round,
            wager: finding.wager,
            seat: finding.seat,
            dealer: finding.dealer,
            at: finding.at,
            due: finding.due,
            paid: finding.paid,
            exposure: finding.exposure,
            message: finding.message,
            cites: finding.cites,
            evidence: finding.evidence,
            rules: finding.rules,
            resolves: finding.resolves,
        }
    }
}

/// Lists and objects of the rules have no form that JSON could refuse.
fn json<T: Serialize + ?Sized>(value: &T) -> Json {
    Json::new(&serde_json::to_value(value).unwrap_or_default())
}
