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
    mut round: RoundFold,
    voided: bool,
    (seq, at): (u64, Timestamp),
    laws: &Laws,
    standing: &mut Standing,
    out: &mut Vec<Output>,
) -> Vec<WagerFold> {
    let folder = games::folder(&round.rules.game);
    if let Some(folder) = folder {
        let untold = folder.untold(&round);
        round.wagers.extend(untold);
    }
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
            if let Some(folder) = folder {
                let judged = Judged {
                    round: &round,
                    document: &document,
                    settlement: &settlement,
                };
                mispaid = mispays(bench, folder, &judged, at, laws, out);
            }
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
    out.push(settled_round(
        bench,
        &round,
        voided,
        (seq, at),
        settled,
        &mispaid,
    ));
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

/// A round, its document and what is due by it.
struct Judged<'a> {
    round: &'a RoundFold,
    document: &'a Value,
    settlement: &'a Settlement,
}

/// What was paid, collected or pushed against what was due, wager by wager: the places of those that
/// differ, with what the house lost by each.
fn mispays(
    bench: Bench<'_>,
    folder: &dyn Folder,
    judged: &Judged<'_>,
    at: Timestamp,
    laws: &Laws,
    out: &mut Vec<Output>,
) -> Vec<(usize, Cents)> {
    let Judged {
        round, settlement, ..
    } = *judged;
    let deferred = deferred(judged.document);
    let doubt = folder.doubt(round, judged.document);
    let doubt = doubt.and_then(|document| laws.rulebook.settle(&document.to_string()).ok());
    let mut found = Vec::new();
    // The chips of the poker room lie in its pots.
    if settlement.pots().is_some() {
        return found;
    }
    for (index, wager) in round.wagers.iter().enumerate() {
        let settled = due(settlement, &wager.id);
        let doubtful = doubt.as_ref().is_some_and(|other| {
            let returned = |due: Option<&Settled>| due.map(|due| due.returned);
            returned(due(other, &wager.id)) != returned(settled)
        });
        // A stake that only a decision tells of has no name that a payment could call.
        let untold = wager.announced && wager.paid_seq.is_none() || wager.told_with.is_some();
        if doubtful || untold || folder.is_paid_elsewhere(round, wager) {
            continue;
        }
        let Some((wager, due)) = with_untold(wager, settled, round, settlement) else {
            continue;
        };
        let terms = Terms {
            commission_deferred: deferred,
            stake_stays: folder.keeps_stake(&wager.kind),
        };
        let compare = |due: Due| compare(&wager, due, terms);
        let beside = beside(&wager, round, settlement);
        let fits = |more: &Cents| compare(due.with_bonus(*more)).is_none();
        // A late wager may be given back whatever its outcome.
        let given_back = || wager.late && compare(Due::given_back(&wager)).is_none();
        if let Some(mispay) = compare(due.with_bonus(beside[0]))
            && !beside.iter().any(fits)
            && !given_back()
        {
            found.push((index, mispay.exposure));
            let finding = mispay.into_pay_finding(&bench, round, &wager, at, book(laws, round));
            out.push(Output::Finding(Box::new(finding)));
        }
    }
    found
}

/// A wager and what is due on it, with the stakes on top of it that only decisions told of; one that
/// the document leaves out is to be given back. `None` where stakes on top ended otherwise than the
/// wager itself: nobody can tell then what was paid for which.
fn with_untold(
    wager: &WagerFold,
    settled: Option<&Settled>,
    round: &RoundFold,
    settlement: &Settlement,
) -> Option<(WagerFold, Due)> {
    let mut whole = wager.clone();
    let Some(settled) = settled else {
        return Some((whole, Due::given_back(wager)));
    };
    let mut all = Due::of(settled);
    let is_on_top = |other: &&WagerFold| other.told_with.as_ref() == Some(&wager.id);
    for other in round.wagers.iter().filter(is_on_top) {
        let theirs = due(settlement, &other.id)?;
        if theirs.result != settled.result {
            return None;
        }
        whole.amount += other.amount;
        all.win += theirs.win;
        all.returned += theirs.returned;
    }
    Some((whole, all))
}

/// What may be paid on a wager beside its odds: first what is owed on it, then the same with bonuses
/// that go to others because of it, or to its player because of others. Nothing of a toke pool is paid
/// to a player.
fn beside(wager: &WagerFold, round: &RoundFold, settlement: &Settlement) -> [Cents; 4] {
    let player = |wager: &WagerFold| {
        let seated = format!("p{}", wager.seat);
        wager.player.clone().unwrap_or(seated)
    };
    let mine = player(wager);
    let sum = |on_it: bool, to_me: bool| -> Cents {
        let bonuses = settlement.bonuses().iter();
        let of_these = bonuses.filter(|bonus| {
            let on = round.wager(bonus.on.as_str());
            (bonus.on.as_str() == wager.id) == on_it
                && (bonus.to == mine) == to_me
                && on.is_some()
                && bonus.to != "toke_pool"
        });
        of_these.map(|bonus| bonus.amount).sum()
    };
    let owed = sum(true, true);
    let (to_others, from_others) = (sum(true, false), sum(false, true));
    [
        owed,
        owed + from_others,
        owed + to_others,
        owed + to_others + from_others,
    ]
}

/// What a settlement says of a wager.
pub(crate) fn due<'a>(settlement: &'a Settlement, id: &str) -> Option<&'a Settled> {
    let mut wagers = settlement.wagers().iter();
    wagers.find(|due| due.id.as_str() == id)
}

fn is_undecided(wager: &WagerFold, settlement: Option<&Settlement>) -> bool {
    match settlement {
        Some(settlement) => {
            due(settlement, &wager.id).is_some_and(|due| due.result == Verdict::Open)
        }
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
        "dealer.third_card_missing",
        "red_dog.third_card_missing",
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

/// What is due on a wager.
#[derive(Clone, Copy)]
struct Due {
    result: Verdict,
    win: Cents,
    commission: Cents,
    returned: Cents,
}

impl Due {
    fn of(settled: &Settled) -> Due {
        Due {
            result: settled.result,
            win: settled.win,
            commission: settled.commission,
            returned: settled.returned,
        }
    }

    /// The same with a bonus paid on top of it.
    fn with_bonus(self, bonus: Cents) -> Due {
        Due {
            win: self.win + bonus,
            returned: self.returned + bonus,
            ..self
        }
    }

    fn given_back(wager: &WagerFold) -> Due {
        Due {
            result: Verdict::Void,
            win: Cents::ZERO,
            commission: Cents::ZERO,
            returned: wager.amount,
        }
    }
}

/// How the payments of a wager are meant.
#[derive(Clone, Copy)]
struct Terms {
    commission_deferred: bool,
    /// The payment is all that the player gets.
    stake_stays: bool,
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
fn compare(wager: &WagerFold, due: Due, terms: Terms) -> Option<Mispay> {
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
    // What of the stake went back: what was pushed, or what was not collected. What nobody covered
    // is not on the layout any more.
    let on_layout = stake - wager.uncovered;
    let stake_back = match (wager.pushed, wager.collected) {
        _ if terms.stake_stays && due.result != Verdict::Void => boxed_stake_back(wager, due),
        (Some(Some(part)), _) => part.max(stake.min(part + wager.uncovered)),
        (Some(None), None) => stake,
        (Some(None), Some(_)) if terms.stake_stays => stake,
        (Some(None), Some(part)) | (None, Some(part)) => stake - part.unwrap_or(on_layout),
        (None, None) if paid.is_positive() => stake,
        (None, None) => return untouched(wager, due),
    };
    let returned = stake_back + paid - commission;
    // Where vigorish is collected later, a payment may be whole or net of it already.
    let later = terms.commission_deferred && commission == Cents::ZERO && returned != due.returned;
    let due_back = if later {
        due.returned + due.commission
    } else {
        due.returned
    };
    let difference = returned - due_back;
    let beyond = |returned: Cents| returned - stake;
    if due.result == Verdict::Win && paid == due.win && stake_back == stake {
        let owed = if later { commission } else { due.commission };
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
        (true, _, true) if terms.stake_stays && wager.pushed.is_some() && difference == stake => {
            "progressive.stake_returned"
        }
        (true, true, true) => "pay.undue",
        (true, true, false) => "pay.uncollected",
        (true, false, _) => "pay.over",
        (false, _, false) if due.win.is_positive() => "pay.unpaid",
        (false, _, _) => "pay.under",
    };
    mispay(code, beyond(due_back), beyond(returned), difference)
}

/// What goes back of a stake that lies in the house's box since it was made: nothing, unless it was
/// handed back. A prize may be told whole or less the stake that it is for.
fn boxed_stake_back(wager: &WagerFold, due: Due) -> Cents {
    let (stake, paid) = (wager.amount, wager.paid);
    let is_whole = paid == due.returned || wager.from_meter.is_positive();
    match (wager.pushed, wager.collected) {
        (Some(part), _) => part.unwrap_or(stake),
        _ if paid.is_positive() && paid == due.win => stake,
        (None, None) if paid.is_positive() && !is_whole => stake,
        _ => Cents::ZERO,
    }
}

/// A wager that was neither paid nor collected nor pushed: fine only if its stake stays.
fn untouched(wager: &WagerFold, due: Due) -> Option<Mispay> {
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
            "progressive.stake_returned" => "got its stake back with its prize",
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
        let (severity, cite) = laws.filed(Some(&round.rules.game), self.code);
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
    voided: bool,
    (last_seq, at): (u64, Timestamp),
    settled: Option<(Value, Settlement)>,
    mispaid: &[(usize, Cents)],
) -> Output {
    let (document, settlement) = settled.unzip();
    let due = |id: &str| due(settlement.as_ref()?, id);
    let wagers = round
        .wagers
        .iter()
        .enumerate()
        .map(|(index, wager)| {
            let due = due(&wager.id);
            let wrong = mispaid.iter().find(|(of, _)| *of == index);
            let difference = wrong.map_or(Cents::ZERO, |(_, exposure)| *exposure);
            SettledWager {
                id: wager.id.clone(),
                seat: wager.seat,
                player: wager.player.clone(),
                kind: wager.kind.clone(),
                amount: wager.amount,
                due: due.cloned(),
                paid: wager.paid,
                commission_taken: wager.commission,
                collected: wager.collected.map(|part| part.unwrap_or(wager.amount)),
                pushed: wager.pushed.map(|part| part.unwrap_or(wager.amount)),
                difference: due.map(|_| difference),
            }
        })
        .collect();
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
        complete: !round.incomplete,
        voided,
        document,
        wagers,
        cards: round.dealt(),
        settlement,
    }))
}
