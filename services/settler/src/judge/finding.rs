//! Findings of what was seen in a round.

use catwalk_events::Timestamp;
use catwalk_events::audit::Finding;
use catwalk_rules::book::{Book, Severity};
use catwalk_rules::floor::Cents;

use super::compare::Mispay;
use super::{Bench, book};
use crate::fault::Fault;
use crate::laws;
use crate::round::{RoundFold, WagerFold};
use crate::settler::Laws;

impl Mispay {
    pub(super) fn into_pay_finding(
        self,
        bench: &Bench<'_>,
        round: &RoundFold,
        wager: &WagerFold,
        at: Timestamp,
        book: Option<&Book>,
    ) -> Finding {
        let what = match self.code {
            "pay.over" => "was paid too much",
            "pay.under" => "was paid too little",
            "pay.unpaid" => "won and was not paid",
            "pay.undue" => "was paid without having won",
            "pay.uncollected" => "lost and was not collected",
            "progressive.stake_returned" => "got its stake back with its prize",
            _ => "was charged the wrong commission",
        };
        let due = match (self.is_bound, self.exposure.is_positive()) {
            (false, _) => format!("due {}", self.due),
            (true, true) => format!("due at most {} whatever was not seen", self.due),
            (true, false) => format!("due at least {} whatever was not seen", self.due),
        };
        let message = format!(
            "{} on {} at seat {} {what}: {due}, given {}",
            wager.amount, wager.kind, wager.seat, self.paid
        );
        let wagers = book.map(Book::wagers).unwrap_or_default().iter();
        let its = wagers.filter(|entry| entry.kind == wager.kind);
        let cites = its
            .filter(|entry| round.rules.is_of(&entry.editions))
            .filter_map(|entry| round.rules.cite(&entry.cite));
        let mut evidence = wager.evidence.clone();
        if wager.carried && !wager.is_touched() {
            // Of this round nothing else tells of it.
            evidence.extend(round.play.iter().map(|(seq, _)| *seq));
        }
        Finding {
            due: Some(self.due),
            paid: Some(self.paid),
            exposure: self.exposure,
            cites: cites.collect(),
            evidence,
            wager: Some(wager.id.clone()),
            seat: Some(wager.seat),
            ..blank(
                bench,
                round,
                self.code,
                Severity::Critical,
                message,
                at,
                book,
            )
        }
        .seal()
    }
}

impl Fault {
    pub(crate) fn into_finding(
        self,
        bench: &Bench<'_>,
        round: &RoundFold,
        at: Timestamp,
        laws: &Laws,
    ) -> Finding {
        let book = book(laws, round);
        let filed = laws.filed(Some(&round.rules), self.code);
        let severity = filed
            .as_ref()
            .map_or(Severity::Warn, |filed| filed.severity);
        let (cite, rules) = filed.map_or((None, None), |filed| (filed.cite, filed.rules));
        let blank = blank(bench, round, self.code, severity, self.message, at, book);
        let wager = self.wager.as_deref().and_then(|id| round.wager(id));
        Finding {
            due: self.due,
            paid: self.paid,
            exposure: self.exposure,
            cites: cite.into_iter().collect(),
            evidence: self.evidence,
            seat: self.seat.or(wager.map(|wager| wager.seat)),
            wager: self.wager,
            // What refused the document of a round are the rules of its game.
            rules: rules.or(blank.rules),
            ..blank
        }
        .seal()
    }
}

/// A fault that settlement saw in the round.
pub(super) fn violation(
    bench: Bench<'_>,
    round: &RoundFold,
    code: &str,
    at: Timestamp,
    evidence: Vec<u64>,
    book: Option<&Book>,
) -> Finding {
    let filed = book.and_then(|book| laws::finding(book, &round.rules, code));
    let severity = filed.map_or(Severity::Warn, |entry| entry.severity);
    let message = filed.map_or_else(|| code.to_owned(), |entry| entry.meaning.clone());
    Finding {
        cites: filed
            .and_then(|entry| round.rules.cite(&entry.cite))
            .into_iter()
            .collect(),
        evidence,
        ..blank(&bench, round, code, severity, message, at, book)
    }
    .seal()
}

/// A fault that the payment of a wager shows.
pub(super) fn of_wager(
    bench: Bench<'_>,
    round: &RoundFold,
    code: &str,
    wager: &WagerFold,
    at: Timestamp,
    book: Option<&Book>,
) -> Finding {
    let finding = violation(bench, round, code, at, wager.evidence.clone(), book);
    Finding {
        wager: Some(wager.id.clone()),
        seat: Some(wager.seat),
        ..finding
    }
    .seal()
}

fn blank(
    bench: &Bench<'_>,
    round: &RoundFold,
    code: &str,
    severity: Severity,
    message: String,
    at: Timestamp,
    book: Option<&Book>,
) -> Finding {
    Finding {
        id: String::new(),
        code: code.to_owned(),
        severity,
        property: bench.property.to_owned(),
        table: bench.table.to_owned(),
        game: Some(round.rules.game.clone()),
        round: Some(round.id.clone()),
        wager: None,
        seat: None,
        dealer: round.dealer.clone(),
        at,
        due: None,
        paid: None,
        exposure: Cents::ZERO,
        message,
        cites: Vec::new(),
        evidence: Vec::new(),
        rules: book.map(|book| book.hash().to_owned()),
        resolves: None,
    }
}
