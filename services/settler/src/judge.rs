//! The end of a round: settle it, and compare with what was paid.

use catwalk_events::Timestamp;
use catwalk_rules::book::{Book, Severity};
use catwalk_rules::floor::Cents;
use catwalk_rules::{Settled, Settlement, Verdict};
use serde_json::Value;

use crate::finding::Finding;
use crate::games;
use crate::round::{RoundFold, WagerFold};
use crate::settler::{Laws, Output, SettledRound, SettledWager};
use crate::table::Fault;

/// The table that a round is judged for.
#[derive(Clone, Copy)]
pub(crate) struct Bench<'a> {
    pub(crate) property: &'a str,
    pub(crate) table: &'a str,
}

/// Settles a round that has ended and says what does not agree.
pub(crate) fn judge(
    bench: Bench<'_>,
    round: RoundFold,
    voided: bool,
    (seq, at): (u64, Timestamp),
    laws: &Laws,
    out: &mut Vec<Output>,
) {
    let folder = games::folder(&round.rules.game);
    let document = match folder {
        Some(folder) => games::document(folder, &round),
        None => Err(format!("no rules of {} are known here", round.rules.game)),
    };
    let settled = document.and_then(|document| {
        let settlement = laws
            .rulebook
            .settle(&document.to_string())
            .map_err(|refusal| refusal.to_string())?;
        Ok((document, settlement))
    });
    let evidence = || {
        let play = round.play.iter().map(|(seq, _)| *seq);
        play.chain([round.opened_seq, seq]).collect::<Vec<u64>>()
    };
    match settled {
        _ if voided => out.push(settled_round(bench, &round, at, None)),
        Ok((document, settlement)) if !round.incomplete => {
            let book = laws
                .rulebook
                .game(settlement.game())
                .ok()
                .map(|game| game.book());
            for code in settlement.violations().iter() {
                if !round.raised.iter().any(|raised| raised == code) {
                    let finding = violation(bench, &round, code, at, evidence(), book);
                    out.push(Output::Finding(Box::new(finding)));
                }
            }
            for (wager, due) in round.wagers.iter().zip(settlement.wagers()) {
                if let Some(fault) = compare(wager, due, deferred(&document)) {
                    let finding = fault.into_pay_finding(&bench, &round, wager, at, book);
                    out.push(Output::Finding(Box::new(finding)));
                }
            }
            out.push(settled_round(
                bench,
                &round,
                at,
                Some((document, settlement)),
            ));
        }
        Ok(_) => out.push(settled_round(bench, &round, at, None)),
        Err(reason) => {
            let message = format!("The round cannot be settled: {reason}");
            let fault = Fault {
                code: "round.unsettled",
                wager: String::new(),
                exposure: Cents::ZERO,
                message,
                evidence: evidence(),
            };
            if !round.incomplete && folder.is_some() && !explained(&round) {
                let finding = fault.into_finding(&bench, &round, at, laws);
                out.push(Output::Finding(Box::new(finding)));
            }
            out.push(settled_round(bench, &round, at, None));
        }
    }
}

/// Was something raised already that no document can hold, such as a card of another deck?
fn explained(round: &RoundFold) -> bool {
    let beyond_documents = [
        "deck.foreign_card",
        "wheel.illegal_result",
        "tiles.foreign_tile",
    ];
    round
        .raised
        .iter()
        .any(|code| beyond_documents.contains(&code.as_str()))
}

/// Is vigorish collected later, by the rules of the table?
fn deferred(document: &Value) -> bool {
    document["options"]["vigorish_collection"] == "deferred"
}

/// A difference between what was due and what happened.
struct Mispay {
    code: &'static str,
    due: Cents,
    paid: Cents,
    exposure: Cents,
}

/// Compares one wager with its settlement.
///
/// `wager_paid` is what goes beyond the stake, and a vigorish named with it is taken out of it. A
/// payment that names none may already be net of it.
fn compare(wager: &WagerFold, due: &Settled, commission_deferred: bool) -> Option<Mispay> {
    let stake = wager.amount;
    let (paid, commission) = (wager.paid, wager.commission);
    let mispay = |code, due, paid, exposure| {
        Some(Mispay {
            code,
            due,
            paid,
            exposure,
        })
    };
    if due.result == Verdict::Open {
        return (paid.is_positive()).then_some(Mispay {
            code: "pay.undue",
            due: Cents::ZERO,
            paid,
            exposure: paid,
        });
    }
    // What of the stake went back: what was pushed, or what was not collected.
    let stake_back = match (wager.pushed, wager.collected) {
        (Some(Some(part)), _) => part,
        (Some(None), None) => stake,
        (Some(None), Some(part)) | (None, Some(part)) => stake - part.unwrap_or(stake),
        (None, None) if paid.is_positive() => stake,
        (None, None) => return untouched(wager, due),
    };
    let returned = stake_back + paid - commission;
    let difference = returned - due.returned;
    let beyond = |returned: Cents| returned - stake;
    if due.result == Verdict::Win && paid == due.win && stake_back == stake {
        let owed = if commission_deferred && commission == Cents::ZERO {
            commission
        } else {
            due.commission
        };
        return match commission == owed {
            true => None,
            false => mispay("commission.wrong", owed, commission, owed - commission),
        };
    }
    if difference == Cents::ZERO {
        return None;
    }
    let lost = matches!(due.result, Verdict::Lose) && due.win == Cents::ZERO;
    let code = match (difference.is_positive(), lost, paid.is_positive()) {
        (true, true, true) => "pay.undue",
        (true, true, false) => "pay.uncollected",
        (true, false, _) => "pay.over",
        (false, _, false) if due.win.is_positive() => "pay.unpaid",
        (false, _, _) => "pay.under",
    };
    mispay(code, beyond(due.returned), beyond(returned), difference)
}

/// A wager that was neither paid nor collected nor pushed: fine only if its stake stays.
fn untouched(wager: &WagerFold, due: &Settled) -> Option<Mispay> {
    let stake = wager.amount;
    let exposure = stake - due.returned;
    let code = match due.result {
        _ if exposure == Cents::ZERO => return None,
        _ if exposure.is_negative() => "pay.unpaid",
        _ => "pay.uncollected",
    };
    Some(Mispay {
        code,
        due: due.returned - stake,
        paid: Cents::ZERO,
        exposure,
    })
}

impl Mispay {
    fn into_pay_finding(
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
            "pay.undue" => "lost and was paid",
            "pay.uncollected" => "lost and was not collected",
            _ => "was charged the wrong commission",
        };
        let message = format!(
            "{} on {} at seat {} {what}: due {}, given {}",
            wager.amount, wager.kind, wager.seat, self.due, self.paid
        );
        let cites = book.into_iter().flat_map(|book| {
            book.wagers()
                .iter()
                .filter(|entry| entry.kind == wager.kind)
                .map(|entry| entry.cite.clone())
        });
        Finding {
            due: Some(self.due),
            paid: Some(self.paid),
            exposure: self.exposure,
            cites: cites.collect(),
            evidence: wager.evidence.clone(),
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
        let book = laws
            .rulebook
            .game(&round.rules.game)
            .ok()
            .map(|game| game.book());
        let severity = laws
            .equipment
            .finding(self.code)
            .map_or(Severity::Critical, |filed| filed.severity);
        let wager = round.wager(&self.wager);
        let filed =
            book.and_then(|book| book.findings().iter().find(|entry| entry.code == self.code));
        Finding {
            exposure: self.exposure,
            cites: filed.map(|entry| entry.cite.clone()).into_iter().collect(),
            evidence: self.evidence,
            seat: wager.map(|wager| wager.seat),
            wager: Some(self.wager).filter(|id| !id.is_empty()),
            ..blank(bench, round, self.code, severity, self.message, at, book)
        }
        .seal()
    }
}

/// A fault that settlement saw in the round.
fn violation(
    bench: Bench<'_>,
    round: &RoundFold,
    code: &str,
    at: Timestamp,
    evidence: Vec<u64>,
    book: Option<&Book>,
) -> Finding {
    let filed = book.and_then(|book| book.findings().iter().find(|entry| entry.code == code));
    let severity = filed.map_or(Severity::Warn, |entry| entry.severity);
    let message = filed.map_or_else(|| code.to_owned(), |entry| entry.meaning.clone());
    Finding {
        cites: filed.map(|entry| entry.cite.clone()).into_iter().collect(),
        evidence,
        ..blank(&bench, round, code, severity, message, at, book)
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
    }
}

fn settled_round(
    bench: Bench<'_>,
    round: &RoundFold,
    at: Timestamp,
    settled: Option<(Value, Settlement)>,
) -> Output {
    let (document, settlement) = settled.unzip();
    let due = |id: &str| {
        settlement
            .as_ref()?
            .wagers()
            .iter()
            .find(|due| due.id.as_str() == id)
    };
    let wagers = round
        .wagers
        .iter()
        .map(|wager| SettledWager {
            id: wager.id.clone(),
            seat: wager.seat,
            player: wager.player.clone(),
            kind: wager.kind.clone(),
            amount: wager.amount,
            due: due(&wager.id).cloned(),
            paid: wager.paid,
            commission_taken: wager.commission,
        })
        .collect();
    Output::Settlement(Box::new(SettledRound {
        round: round.id.clone(),
        property: bench.property.to_owned(),
        table: bench.table.to_owned(),
        opened_at: round.opened_at,
        at,
        dealer: round.dealer.clone(),
        complete: !round.incomplete,
        document,
        wagers,
        settlement,
    }))
}
