//! The end of a round: settle it, and compare with what was paid.

use catwalk_events::Timestamp;
use catwalk_rules::book::{Book, Severity};
use catwalk_rules::floor::Cents;
use catwalk_rules::{Settled, Settlement, Verdict};
use serde_json::Value;

use crate::fault::Fault;
use crate::finding::Finding;
use crate::games::{self, Case, End, Folder, Vigorish};
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
    mut round: RoundFold,
    voided: bool,
    (seq, at): (u64, Timestamp),
    laws: &Laws,
    standing: &mut Standing,
    out: &mut Vec<Output>,
) -> Vec<WagerFold> {
    let folder = games::folder(&round.rules.game);
    let mut faults = Vec::new();
    let settled = match (folder, voided) {
        (_, true) => Err(None),
        (None, _) => Err(None),
        (Some(folder), false) => {
            look_back(folder, &mut round, laws, standing, &mut faults).map_err(Some)
        }
    };
    let is_told = round.is_told();
    if is_told {
        raise(
            bench,
            &mut round,
            std::mem::take(&mut faults),
            at,
            laws,
            out,
        );
    }
    let settled = match settled {
        Ok(_) if round.incomplete => None,
        Ok((document, settlement)) => {
            if is_told {
                violations(bench, &round, &settlement, (seq, at), laws, out);
                let trial = Trial::new(&round, standing, &document, &settlement);
                trial.mispays(bench, |wager| wager.judged.is_none(), at, laws, out);
            }
            Some((document, settlement))
        }
        Err(reason) => {
            if let Some(reason) = reason.filter(|_| is_told && !explained(&round)) {
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
    let before = standing.clone();
    let end = End {
        round: &round,
        before: &before,
        settlement: settled.as_ref().map(|(_, settlement)| settlement),
        voided,
        seq,
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
    if is_told {
        for fault in faults {
            let finding = fault.into_finding(&bench, &round, at, laws);
            out.push(Output::Finding(Box::new(finding)));
        }
    }
    let settled = settled.filter(|_| is_told);
    out.push(settled_round(
        bench,
        &round,
        &before,
        voided,
        (seq, at),
        settled,
    ));
    stay
}

/// Holds what was paid until now against what was due, in a round whose wagers are decided one after
/// the other. Wagers that nobody touched may still be paid.
pub(crate) fn judge_so_far(
    bench: Bench<'_>,
    round: &mut RoundFold,
    (seq, at): (u64, Timestamp),
    laws: &Laws,
    standing: &Standing,
    out: &mut Vec<Output>,
) {
    let Some(folder) = games::folder(&round.rules.game) else {
        return;
    };
    if !round.is_told() {
        return;
    }
    let mut faults = Vec::new();
    // What cannot be settled is said at the end of the round.
    let Ok((document, settlement)) = look_back(folder, round, laws, standing, &mut faults) else {
        return;
    };
    raise(bench, round, faults, at, laws, out);
    let certain = settlement.violations().iter();
    let certain = certain.filter(|code| folder.is_certain(code) && !has_raised(round, code));
    let mut raised: Vec<&str> = Vec::new();
    for code in certain {
        let evidence = evidence(round, seq);
        let finding = violation(bench, round, code, at, evidence, book(laws, round));
        out.push(Output::Finding(Box::new(finding)));
        raised.push(code);
    }
    let due_now = |wager: &WagerFold| wager.is_touched() && wager.judged.is_none();
    let trial = Trial::new(round, standing, &document, &settlement);
    trial.mispays(bench, due_now, at, laws, out);
    round.raised.extend(raised.into_iter().map(str::to_owned));
    let after_play = round.play.len();
    for wager in round.wagers.iter_mut().filter(|wager| due_now(wager)) {
        let due = settlement.wagers().iter();
        let mut due = due.filter(|due| due.id.as_str() == wager.id);
        let is_open = due.any(|due| due.result == Verdict::Open);
        if is_open && wager.collected.is_none() {
            // It was paid before its time and is still up.
            wager.undue = wager.paid;
        } else {
            wager.judged = Some(after_play);
        }
    }
}

/// Makes findings of faults, and remembers them.
pub(crate) fn raise(
    bench: Bench<'_>,
    round: &mut RoundFold,
    faults: Vec<Fault>,
    at: Timestamp,
    laws: &Laws,
    out: &mut Vec<Output>,
) {
    for fault in faults {
        round.raised.push(fault.code.to_owned());
        let finding = fault.into_finding(&bench, round, at, laws);
        out.push(Output::Finding(Box::new(finding)));
    }
}

/// How a wager has ended by now, if it has and nobody has settled it.
pub(crate) fn outcome(
    round: &RoundFold,
    id: &str,
    laws: &Laws,
    standing: &Standing,
) -> Option<Verdict> {
    let folder = games::folder(&round.rules.game).filter(|_| round.is_told())?;
    let is_open = |wager: &&WagerFold| !wager.is_touched() && wager.judged.is_none();
    round.wager(id).filter(is_open)?;
    let (_, settlement) = settle(folder, round, laws, standing).ok()?;
    let due = settlement
        .wagers()
        .iter()
        .find(|due| due.id.as_str() == id)?;
    (due.result != Verdict::Open).then_some(due.result)
}

/// Settles a round as its payments show it: in a run, an undecided wager that was given back was taken
/// down.
fn look_back(
    folder: &dyn Folder,
    round: &mut RoundFold,
    laws: &Laws,
    standing: &Standing,
    faults: &mut Vec<Fault>,
) -> Result<(Value, Settlement), String> {
    folder.look_back(round, faults);
    let settled = settle(folder, round, laws, standing)?;
    let after_play = round.play.len();
    let mut changed = false;
    for wager in &mut round.wagers {
        let due = settled.1.wagers().iter();
        let is_open = due
            .clone()
            .any(|due| due.id.as_str() == wager.id && due.result == Verdict::Open);
        if folder.is_run()
            && is_open
            && wager.paid == wager.undue
            && wager.collected.is_none()
            && let Some(part) = wager.pushed.take()
        {
            let left = wager.stake() - part.unwrap_or(wager.stake());
            wager.lowered.retain(|&(at, _)| at < after_play);
            wager.lowered.push((after_play, left));
            changed = true;
        }
    }
    if changed {
        return settle(folder, round, laws, standing);
    }
    Ok(settled)
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

fn has_raised(round: &RoundFold, code: &str) -> bool {
    round.raised.iter().any(|raised| raised == code)
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
        if !has_raised(round, code) {
            let finding = violation(bench, round, code, at, evidence(round, seq), book);
            out.push(Output::Finding(Box::new(finding)));
        }
    }
}

/// A round, and what its wagers were due.
struct Trial<'a> {
    round: &'a RoundFold,
    standing: &'a Standing,
    settlement: &'a Settlement,
    deferred: bool,
}

impl<'a> Trial<'a> {
    fn new(
        round: &'a RoundFold,
        standing: &'a Standing,
        document: &Value,
        settlement: &'a Settlement,
    ) -> Trial<'a> {
        Trial {
            round,
            standing,
            settlement,
            deferred: deferred(document),
        }
    }

    /// What was paid, collected or pushed against what was due, wager by wager.
    fn mispays(
        &self,
        bench: Bench<'_>,
        of: impl Fn(&WagerFold) -> bool,
        at: Timestamp,
        laws: &Laws,
        out: &mut Vec<Output>,
    ) {
        let Some(folder) = games::folder(&self.round.rules.game) else {
            return;
        };
        let book = book(laws, self.round);
        for wager in self.round.wagers.iter().filter(|wager| of(wager)) {
            let Some((due, mispay)) = self.mispay(folder, wager) else {
                continue;
            };
            let case = Case {
                round: self.round,
                standing: self.standing,
                wager,
                due: &due,
                code: mispay.code,
            };
            if let Some(code) = folder.name(&case) {
                let evidence = wager.evidence.clone();
                let finding = violation(bench, self.round, code, at, evidence, book);
                let finding = Finding {
                    wager: Some(wager.id.clone()),
                    seat: Some(wager.seat),
                    ..finding
                };
                out.push(Output::Finding(Box::new(finding.seal())));
            }
            let finding = mispay.into_pay_finding(&bench, self.round, wager, at, book);
            out.push(Output::Finding(Box::new(finding)));
        }
    }

    /// What does not agree; a late wager may be given back whatever its outcome.
    fn mispay(&self, folder: &dyn Folder, wager: &WagerFold) -> Option<(Settled, Mispay)> {
        let (due, staked) = self.due(wager)?;
        let vigorish = match folder.vigorish(self.round, wager) {
            Vigorish::OutOfWin if self.deferred => Vigorish::Deferred,
            vigorish => vigorish,
        };
        let mispay = compare(wager, staked, &due, vigorish)?;
        let given_back = given_back(&due, staked);
        let is_given_back = wager.late && compare(wager, staked, &given_back, vigorish).is_none();
        (!is_given_back).then_some((due, mispay))
    }

    /// What a wager was due together with the parts that raised it, and what was staked.
    fn due(&self, wager: &WagerFold) -> Option<(Settled, Staked)> {
        let settled = |id: &str| {
            let mut due = self.settlement.wagers().iter();
            due.find(|due| due.id.as_str() == id)
        };
        if wager.part_of.is_some() {
            return None;
        }
        let mut due = settled(&wager.id)?.clone();
        let mut staked = Staked::of(wager);
        let is_part = |part: &&WagerFold| part.part_of.as_ref() == Some(&wager.id);
        for part in self.round.wagers.iter().filter(is_part) {
            let added = settled(&part.id)?;
            due.win += added.win;
            due.commission += added.commission;
            due.returned += added.returned;
            staked.amount += part.amount;
            staked.up += part.stake();
        }
        Some((due, staked))
    }
}

/// Chips that a wager brought to the table, and what of them was still up when it was settled.
#[derive(Clone, Copy)]
struct Staked {
    amount: Cents,
    up: Cents,
}

impl Staked {
    fn of(wager: &WagerFold) -> Staked {
        Staked {
            amount: wager.amount,
            up: wager.stake(),
        }
    }
}

fn given_back(due: &Settled, staked: Staked) -> Settled {
    Settled {
        id: due.id.clone(),
        result: Verdict::Void,
        win: Cents::ZERO,
        commission: Cents::ZERO,
        returned: staked.amount,
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
        "dice.wrong_number",
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
fn compare(wager: &WagerFold, staked: Staked, due: &Settled, vigorish: Vigorish) -> Option<Mispay> {
    let Staked { amount: stake, up } = staked;
    let (paid, commission) = (wager.paid - wager.undue, wager.commission);
    let mispay = |code, due, paid, exposure| {
        Some(Mispay {
            code,
            due,
            paid,
            exposure,
        })
    };
    if due.result == Verdict::Open {
        return match wager.collected {
            _ if paid.is_positive() => mispay("pay.undue", Cents::ZERO, paid, paid),
            Some(part) => {
                let taken = -part.unwrap_or(up);
                mispay("pay.under", Cents::ZERO, taken, taken)
            }
            None if vigorish == Vigorish::Beside && commission != due.commission => {
                let owed = due.commission;
                mispay("commission.wrong", owed, commission, owed - commission)
            }
            None => None,
        };
    }
    // What of the stake went back: what was pushed, or what was not collected.
    let stake_back = match (wager.pushed, wager.collected) {
        (Some(Some(part)), _) => stake - up + part,
        (Some(None), None) => stake,
        // All that was to be collected, also where chips were taken down that had to stay.
        (None, Some(None)) if due.result == Verdict::Lose => due.returned.min(stake - up),
        (Some(None), Some(part)) | (None, Some(part)) => stake - part.unwrap_or(up),
        (None, None) if paid.is_positive() => stake,
        (None, None) => return untouched(staked, due),
    };
    let charged = match vigorish {
        Vigorish::Beside | Vigorish::BesideBefore => Cents::ZERO,
        Vigorish::OutOfWin | Vigorish::Deferred => commission,
    };
    let returned = stake_back + paid - charged;
    let difference = returned - due.returned;
    let beyond = |returned: Cents| returned - stake;
    let as_won = due.result == Verdict::Win && paid == due.win && stake_back == stake;
    let as_lost =
        vigorish == Vigorish::Beside && due.result == Verdict::Lose && difference == Cents::ZERO;
    if as_won || as_lost {
        let owed = match vigorish {
            Vigorish::Deferred if commission == Cents::ZERO => commission,
            Vigorish::BesideBefore => commission,
            _ => due.commission,
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
fn untouched(staked: Staked, due: &Settled) -> Option<Mispay> {
    let stake = staked.amount;
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
            "pay.undue" => "was paid without having won",
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
    standing: &Standing,
    voided: bool,
    (last_seq, at): (u64, Timestamp),
    settled: Option<(Value, Settlement)>,
) -> Output {
    let trial = settled.as_ref().map(|(document, settlement)| {
        let trial = Trial::new(round, standing, document, settlement);
        (games::folder(&round.rules.game), trial)
    });
    let wagers = round
        .wagers
        .iter()
        .map(|wager| {
            let settled = settled.as_ref();
            let due = settled.and_then(|(_, settlement)| {
                let mut due = settlement.wagers().iter();
                due.find(|due| due.id.as_str() == wager.id)
            });
            let difference = trial.as_ref().map(|(folder, trial)| {
                let mispay = folder.and_then(|folder| trial.mispay(folder, wager));
                wager.undue + mispay.map_or(Cents::ZERO, |(_, mispay)| mispay.exposure)
            });
            SettledWager {
                id: wager.id.clone(),
                seat: wager.seat,
                player: wager.player.clone(),
                kind: wager.kind.clone(),
                amount: wager.amount,
                due: due.cloned(),
                paid: wager.paid,
                commission_taken: wager.commission,
                collected: wager.collected.map(|part| part.unwrap_or(wager.stake())),
                pushed: wager.pushed.map(|part| part.unwrap_or(wager.stake())),
                difference: due.and(difference),
            }
        })
        .collect();
    let (document, settlement) = settled.unzip();
    Output::Settlement(Box::new(SettledRound {
        round: round.id.clone(),
        property: bench.property.to_owned(),
        table: bench.table.to_owned(),
        rules: round.rules.clone(),
        opened_at: round.opened_at,
        at,
        first_seq: round.opened_seq,
        last_seq,
        dealer: round.dealer.clone(),
        complete: round.is_told(),
        voided,
        document,
        wagers,
        cards: round.dealt(),
        settlement,
    }))
}
