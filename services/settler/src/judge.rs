//! The end of a round: settle it, and compare with what was paid.

use catwalk_events::Timestamp;
use catwalk_rules::book::{Book, Severity};
use catwalk_rules::floor::Cents;
use catwalk_rules::{Settled, Settlement, Verdict};
use serde_json::Value;

use crate::fault::Fault;
use crate::finding::Finding;
use crate::games::{self, End, Folder};
use crate::round::{RoundFold, WagerFold};
use crate::settler::{Laws, Output, SettledRound, SettledWager};
use crate::standing::Standing;

/// The table that a round is judged for.
#[derive(Clone, Copy)]
pub(crate) struct Bench<'a> {
    pub(crate) property: &'a str,
    pub(crate) table: &'a str,
}

/// Settles a round that has ended and says what does not agree. What comes back are the wagers that
/// stay for the next round.
pub(crate) fn judge(
    bench: Bench<'_>,
    round: RoundFold,
    voided: bool,
    (seq, at): (u64, Timestamp),
    laws: &Laws,
    standing: &mut Standing,
    out: &mut Vec<Output>,
) -> Vec<WagerFold> {
    let folder = games::folder(&round.rules.game);
    let settled = match (folder, voided) {
        (_, true) => Err(None),
        // Opened and closed again: nothing was dealt.
        _ if round.wagers.is_empty() && round.play.is_empty() => Err(None),
        (None, _) => Err(None),
        (Some(folder), false) => settle(folder, &round, laws, standing).map_err(Some),
    };
    let mut faults = Vec::new();
    let mut mispaid = Vec::new();
    let settled = match settled {
        Ok(_) if round.incomplete => None,
        Ok((document, settlement)) => {
            violations(bench, &round, &settlement, (seq, at), laws, out);
            mispaid = mispays(bench, &round, &document, &settlement, at, laws, out);
            Some((document, settlement))
        }
        Err(reason) => {
            if let Some(reason) = reason.filter(|_| !round.incomplete && !explained(&round)) {
                let message = format!("The round cannot be settled: {reason}");
                faults.push(Fault::new(
                    "round.unsettled",
                    evidence(&round, seq),
                    message,
                ));
            }
            None
        }
    };
    let end = End {
        round: &round,
        settlement: settled.as_ref().map(|(_, settlement)| settlement),
        voided,
        seq,
        mispaid: &mispaid,
        document: settled.as_ref().map(|(document, _)| document),
        rulebook: &laws.rulebook,
    };
    let mut stay = Vec::new();
    if let Some(folder) = folder {
        folder.end(&end, standing, &mut faults);
        for wager in &round.wagers {
            let mut wager = wager.clone();
            if is_undecided(&wager, end.settlement) && folder.carry(&end, &mut wager) {
                wager.carried = true;
                stay.push(wager);
            }
        }
    }
    for fault in faults {
        let finding = fault.into_finding(&bench, &round, at, laws);
        out.push(Output::Finding(Box::new(finding)));
    }
    out.push(settled_round(bench, &round, at, settled));
    stay
}

fn settle(
    folder: &dyn Folder,
    round: &RoundFold,
    laws: &Laws,
    standing: &Standing,
) -> Result<(Value, Settlement), String> {
    let document = games::document(folder, round, standing)?;
    let settlement = laws.rulebook.settle(&document.to_string());
    let settlement = settlement.map_err(|refusal| refusal.to_string())?;
    Ok((document, settlement))
}

/// Every event of the play shows it.
fn evidence(round: &RoundFold, seq: u64) -> Vec<u64> {
    let play = round.play.iter().map(|(seq, _)| *seq);
    play.chain([round.opened_seq, seq]).collect()
}

/// What settlement saw in the round and nobody has raised yet.
fn violations(
    bench: Bench<'_>,
    round: &RoundFold,
    settlement: &Settlement,
    (seq, at): (u64, Timestamp),
    laws: &Laws,
    out: &mut Vec<Output>,
) {
    let book = book(laws, round);
    for code in settlement.violations().iter() {
        if !round.raised.iter().any(|raised| raised == code) {
            let finding = violation(bench, round, code, at, evidence(round, seq), book);
            out.push(Output::Finding(Box::new(finding)));
        }
    }
}

/// What was paid, collected or pushed against what was due, wager by wager: the places of those that
/// differ, with what the house lost by each.
fn mispays(
    bench: Bench<'_>,
    round: &RoundFold,
    document: &Value,
    settlement: &Settlement,
    at: Timestamp,
    laws: &Laws,
    out: &mut Vec<Output>,
) -> Vec<(usize, Cents)> {
    let deferred = deferred(document);
    let folder = games::folder(&round.rules.game);
    let keeps_stake = |kind: &str| folder.is_some_and(|folder| folder.keeps_stake(kind));
    let mut found = Vec::new();
    for (at_wager, (wager, due)) in round.wagers.iter().zip(settlement.wagers()).enumerate() {
        let kept = keeps_stake(&wager.kind);
        let compare = |due: &Settled| compare(wager, due, deferred, kept);
        // A late wager may be given back whatever its outcome.
        let given_back = || compare(&given_back(due, wager));
        if let Some(mispay) = compare(due)
            && !(wager.late && given_back().is_none())
        {
            found.push((at_wager, mispay.exposure));
            let finding = mispay.into_pay_finding(&bench, round, wager, at, book(laws, round));
            out.push(Output::Finding(Box::new(finding)));
        }
    }
    found
}

fn given_back(due: &Settled, wager: &WagerFold) -> Settled {
    Settled {
        id: due.id.clone(),
        result: Verdict::Void,
        win: Cents::ZERO,
        commission: Cents::ZERO,
        returned: wager.amount,
    }
}

fn is_undecided(wager: &WagerFold, settlement: Option<&Settlement>) -> bool {
    let due = |settlement: &Settlement| {
        let due = settlement.wagers().iter();
        due.clone()
            .find(|due| due.id.as_str() == wager.id)
            .map(|due| due.result)
    };
    match settlement {
        Some(settlement) => due(settlement) == Some(Verdict::Open),
        None => wager.paid == Cents::ZERO && wager.collected.is_none() && wager.pushed.is_none(),
    }
}

fn book<'a>(laws: &'a Laws, round: &RoundFold) -> Option<&'a Book> {
    let game = laws.rulebook.game(&round.rules.game).ok()?;
    Some(game.book())
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
/// payment that names none may already be net of it. A meter pays for a stake that the house keeps
/// (`stake_kept`), so that nothing of such a stake goes back with it.
fn compare(
    wager: &WagerFold,
    due: &Settled,
    commission_deferred: bool,
    stake_kept: bool,
) -> Option<Mispay> {
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
        (None, None) if stake_kept && wager.from_meter.is_positive() => {
            // An award that is told less the stake is told rightly too.
            if paid == due.win { stake } else { Cents::ZERO }
        }
        (None, None) if paid.is_positive() => stake,
        // Lost, and in the box since it was made.
        (None, None) if stake_kept && due.returned == Cents::ZERO => return None,
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
        let book = book(laws, round);
        let filed =
            book.and_then(|book| book.findings().iter().find(|entry| entry.code == self.code));
        let common = laws.equipment.finding(self.code);
        let severity = match (filed, common) {
            (Some(filed), Some(common)) => filed.severity.max(common.severity),
            (Some(filed), None) => filed.severity,
            (None, Some(common)) => common.severity,
            (None, None) => Severity::Warn,
        };
        let cite = filed.map(|entry| entry.cite.clone());
        let cite = cite.or_else(|| common.map(|common| common.cite.clone()));
        let wager = self.wager.as_deref().and_then(|id| round.wager(id));
        Finding {
            due: self.due,
            paid: self.paid,
            exposure: self.exposure,
            cites: cite.into_iter().collect(),
            evidence: self.evidence,
            seat: self.seat.or(wager.map(|wager| wager.seat)),
            wager: self.wager,
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
