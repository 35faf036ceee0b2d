//! Findings of what was seen in a round.

use catwalk_events::Timestamp;
use catwalk_events::audit::Finding;
use catwalk_rules::book::{Book, Severity};
use catwalk_rules::floor::Cents;
use serde_json::Value;

use super::compare::Mispay;
use super::{Bench, book, words};
use crate::fault::Fault;
use crate::laws;
use crate::round::{RoundFold, WagerFold};
use crate::settler::Laws;

/// What a player came away with, in the words of a sentence.
fn fared(paid: Cents, got: &str) -> String {
    match paid.is_negative() {
        true => format!("lost {}", -paid),
        false => format!("{got} {paid}"),
    }
}

/// What a bet is on, in words of the table.
fn named(kind: &str) -> String {
    match kind.strip_prefix("insignia_") {
        Some(number) => format!("the {number}"),
        None => kind.replace('_', " "),
    }
}

impl Mispay {
    /// One sentence with the numbers of the case.
    pub(super) fn told(&self, wager: &WagerFold) -> String {
        let (seat, stake) = (wager.seat, wager.amount);
        let on = named(&wager.kind);
        let (due, paid, lost) = (self.due, self.paid, Cents::new(self.exposure.get().abs()));
        let was_due = match due.is_negative() {
            true => format!("was to lose {} of", -due),
            false => format!("was due {due} on"),
        };
        let got = fared(paid, "got");
        if self.is_bound {
            let bound = if self.exposure.is_positive() {
                "most"
            } else {
                "least"
            };
            let given = fared(paid, "was given");
            let due = match due.is_negative() {
                true => format!("a loss of {}", -due),
                false => due.to_string(),
            };
            return format!(
                "Seat {seat} {given} on a {stake} bet on {on}; whatever was not seen, at {bound} {due} was due: \
                 {lost} is wrong"
            );
        }
        match self.code {
            "pay.undue" if due.is_negative() => format!(
                "Seat {seat} lost {stake} on {on} but was paid {paid}: the house is out {lost}"
            ),
            "pay.over" => format!(
                "Seat {seat} {was_due} a {stake} bet on {on} and {got}: the house is out {lost}"
            ),
            "pay.under" => format!(
                "Seat {seat} {was_due} a {stake} bet on {on} and {got}: the player is out {lost}"
            ),
            "pay.unpaid" => format!(
                "Seat {seat} won {due} on a {stake} bet on {on} and was not paid: the player is out {lost}"
            ),
            "pay.uncollected" => {
                format!("Seat {seat} lost {stake} on {on} and kept it: the house is out {lost}")
            }
            "progressive.stake_returned" => format!(
                "Seat {seat} got the {stake} stake on {on} back with its prize: the house is out {lost}"
            ),
            // A bank has no stake of its own.
            "commission.wrong" if stake == Cents::ZERO => {
                format!("Seat {seat} ({on}) owed {due} commission; {paid} was taken")
            }
            "commission.wrong" => {
                format!(
                    "Seat {seat} owed {due} commission on a {stake} bet on {on}; {paid} was taken"
                )
            }
            _ => format!("Seat {seat} {was_due} a {stake} bet on {on} and {got}"),
        }
    }

    /// The commission on a win, where it is so many whole per cent of it.
    pub(super) fn of_win(&self, win: Cents) -> Option<String> {
        let (due, paid, of) = (self.due, self.paid, win.get());
        let percent = due.get().checked_mul(100)?.checked_div(of)?;
        (percent > 0 && percent * of == due.get() * 100)
            .then(|| format!("{percent} % of {win} is {due}; {paid} was taken"))
    }

    pub(super) fn into_pay_finding(
        self,
        bench: &Bench<'_>,
        round: &RoundFold,
        wager: &WagerFold,
        at: Timestamp,
        book: Option<&Book>,
    ) -> Finding {
        let message = self.told(wager);
        let wagers = book.map(Book::wagers).unwrap_or_default().iter();
        let its = wagers.filter(|entry| entry.kind == wager.kind);
        let cites = its
            .filter(|entry| round.rules.is_of(&entry.editions))
            .filter_map(|entry| round.rules.cite(&entry.cite))
            .chain(round.rules.of_house.cites(&wager.kind));
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
            player: wager.patron(),
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
        let wager = self.wager.as_deref().and_then(|id| round.wager(id));
        let about = (wager, self.seat);
        let message = words::with_numbers(self.message, round, about, &self.evidence);
        let blank = blank(bench, round, self.code, severity, message, at, book);
        Finding {
            due: self.due,
            paid: self.paid,
            exposure: self.exposure,
            cites: cite.into_iter().collect(),
            evidence: self.evidence,
            seat: self.seat.or(wager.map(|wager| wager.seat)),
            player: wager.and_then(WagerFold::patron),
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
    (document, laws): (&Value, &Laws),
) -> Finding {
    let book = book(laws, round);
    let its = (&*laws.rulebook, book);
    let mut told = words::told(code, document, &round.rules, its);
    if code == "deal.card_count" && !round.voided && words::voids_miscounted(&round.rules) {
        told.text += "; the round should have been voided";
    }
    let seat = told.seat;
    let wager = told.wager.filter(|id| round.wager(id).is_some());
    Finding {
        seat,
        wager,
        ..filed(bench, round, (code, told.text), at, evidence, book)
    }
    .seal()
}

/// A finding that the text of the game has a code for.
fn filed(
    bench: Bench<'_>,
    round: &RoundFold,
    (code, message): (&str, String),
    at: Timestamp,
    evidence: Vec<u64>,
    book: Option<&Book>,
) -> Finding {
    let filed = book.and_then(|book| laws::finding(book, &round.rules, code));
    let severity = filed.map_or(Severity::Warn, |entry| entry.severity);
    Finding {
        cites: filed
            .and_then(|entry| round.rules.cite(&entry.cite))
            .into_iter()
            .collect(),
        evidence,
        ..blank(&bench, round, code, severity, message, at, book)
    }
}

/// A fault that the payment of a wager shows.
pub(super) fn of_wager(
    bench: Bench<'_>,
    round: &RoundFold,
    told: (&str, String),
    wager: &WagerFold,
    at: Timestamp,
    book: Option<&Book>,
) -> Finding {
    Finding {
        wager: Some(wager.id.clone()),
        seat: Some(wager.seat),
        player: wager.patron(),
        ..filed(bench, round, told, at, wager.evidence.clone(), book)
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
        player: None,
        trial: None,
    }
}
