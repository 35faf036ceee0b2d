//! The end of a round: settle it, and compare with what was paid.

mod compare;
mod finding;
mod mispays;
mod run;
mod strays;
mod voided;
mod words;

use std::cmp::Ordering;

use catwalk_events::Timestamp;
use catwalk_events::audit::SettledWager;
use catwalk_events::body::Body;
use catwalk_rules::book::Book;
use catwalk_rules::floor::Cents;
use catwalk_rules::{Edition, Rulebook, Settled, Settlement, Verdict};
use serde_json::Value;

use crate::fault::{Fault, is_of_posting, shows_in_posting};
use crate::games::{self, Document, End, Folder, Telling};
use crate::round::{RoundFold, WagerFold};
use crate::settler::{Laws, Output, SettledRound};
use crate::standing::Standing;
use crate::table::RulesInForce;
use finding::violation;
use mispays::{Judged, mispays};

pub(crate) use mispays::{is_paid_apart, leave_decided, not_given_back};
pub(crate) use run::{judge_so_far, outcome};
use strays::{Missing, of_strays, strays, undecided};
pub(crate) use strays::{astray, is_of_lost, raise_unstaked};
pub(crate) use voided::{Undone, spared};

/// One sentence about a violation of a document.
pub(crate) fn told(
    code: &str,
    document: &Value,
    rules: &RulesInForce,
    its: (&Rulebook, Option<&Book>),
) -> String {
    words::told(code, document, rules, its).text
}

/// The table that a round is judged for.
#[derive(Clone, Copy)]
pub(crate) struct Bench<'a> {
    pub(crate) property: &'a str,
    pub(crate) table: &'a str,
}

/// How a round ends.
#[derive(Clone, Copy)]
pub(crate) struct Close {
    pub(crate) voided: bool,
    /// Nothing tells how it was played.
    pub(crate) untold: bool,
    /// The event that ends it.
    pub(crate) moment: (u64, Timestamp),
}

/// Settles a round that has ended and says what does not agree. What comes back are the wagers that
/// stay for the next round.
pub(crate) fn judge(
    bench: Bench<'_>,
    mut round: RoundFold,
    close: Close,
    laws: &Laws,
    standing: &mut Standing,
    out: &mut Vec<Output>,
) -> Vec<WagerFold> {
    let Close {
        voided,
        untold,
        moment: (seq, at),
    } = close;
    let folder = games::folder(&round.rules.game);
    if let Some(folder) = folder {
        let untold = folder.untold(&round);
        round.wagers.extend(untold);
    }
    let mut faults = Vec::new();
    let settled = match (folder, voided) {
        (_, true) => Err(None),
        _ if untold => Err(None),
        (None, _) => Err(None),
        (Some(folder), false) => {
            run::look_back(folder, &mut round, laws, standing, &mut faults).map_err(Some)
        }
    };
    let settled = settled.map(|(document, settlement)| (document(), settlement));
    if let (Some(folder), Ok((_, settlement))) = (folder, &settled) {
        folder.share_out(&mut round, settlement, standing);
    }
    let is_told = round.is_told();
    if is_told {
        raise(bench, &mut round, faults, at, laws, out);
    }
    if let Some(folder) = folder.filter(|_| voided && is_told) {
        incidents(bench, folder, &round, (seq, at), laws, out);
    }
    let mut faults = Vec::new();
    let mut mispaid = Vec::new();
    let settled = match settled {
        Ok((_, settlement)) if round.incomplete => {
            let missing = Missing {
                round: &round,
                settlement: &settlement,
                standing,
            };
            faults.extend(folder.and_then(|folder| missing.hide(bench, folder, (seq, at), laws)));
            None
        }
        Ok((document, settlement)) => {
            if let Some(folder) = folder.filter(|_| is_told) {
                let is_shown = |code: &str| folder.is_shown(&round, standing, code);
                violations(
                    bench,
                    &round,
                    (&document, &settlement),
                    &is_shown,
                    (seq, at),
                    laws,
                    out,
                );
                let judged = Judged {
                    round: &round,
                    settlement: &settlement,
                    standing,
                    folder,
                    book: book(laws, &round),
                };
                faults.extend(strays(folder, &round, &settlement));
                faults.extend(undecided(folder, &round, &settlement, seq));
                let are_due = |wager: &WagerFold| wager.judged.is_none();
                mispaid = mispays(bench, &judged, are_due, at, out);
            }
            Some((document, settlement))
        }
        Err(reason) => {
            let reason = reason.filter(|_| is_told && !is_explained(folder, &round, laws));
            faults.extend(reason.map(|reason| unsettled(&round, seq, &reason)));
            None
        }
    };
    let end = End {
        round: &round,
        settlement: settled.as_ref().map(|(_, settlement)| settlement),
        voided,
        untold,
        seq,
        mispaid: &mispaid,
        document: settled.as_ref().map(|(document, _)| document),
        rulebook: &laws.rulebook,
    };
    let stay = folder.map(|folder| staying(folder, &end, standing));
    if let Some(folder) = folder {
        folder.end(&end, standing, &mut faults);
    }
    // Of a table whose standing is in doubt nothing is said.
    let is_new = |fault: &Fault| !is_of_posting(fault.code) || !round.has_raised(fault.code);
    for fault in faults
        .into_iter()
        .filter(|_| !round.doubtful)
        .filter(is_new)
        .filter(|fault| !laws.is_of_others(&round.rules, fault.code))
    {
        let finding = fault.into_finding(&bench, &round, at, laws);
        out.push(Output::Finding(Box::new(finding)));
    }
    let settled = settled.filter(|_| is_told);
    out.push(settled_round(
        bench,
        &round,
        voided,
        (seq, at),
        settled,
        &mispaid,
    ));
    stay.unwrap_or_default()
}

fn unsettled(round: &RoundFold, seq: u64, reason: &str) -> Fault {
    let message = format!("The round cannot be settled: {}", words::plain(reason));
    Fault::new("round.unsettled", evidence(round, seq), message)
}

/// Is it known already why the round cannot be settled?
fn is_explained(folder: Option<&dyn Folder>, round: &RoundFold, laws: &Laws) -> bool {
    let is_excused = folder.is_some_and(|folder| folder.is_excused(round));
    is_excused || explained(round) || !is_authorized(&round.rules, laws)
}

/// The wagers that the round did not decide and that stay for the next one.
fn staying(folder: &dyn Folder, end: &End<'_>, standing: &Standing) -> Vec<WagerFold> {
    let mut stay = Vec::new();
    let rules = &end.round.rules;
    let (book, edition) = (Book::of(&rules.game), Edition::from_name(&rules.edition));
    for wager in &end.round.wagers {
        let can_stay = book.is_some_and(|book| book.stays(&wager.kind, edition));
        let mut wager = wager.clone();
        if can_stay
            && is_undecided(&wager, end.settlement)
            && folder.carry(end, standing, &mut wager)
        {
            wager.carried = true;
            stay.push(wager);
        }
    }
    stay
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
        if is_of_posting(fault.code) && round.has_raised(fault.code) {
            continue;
        }
        round.raised.push(fault.code.to_owned());
        if !laws.is_of_others(&round.rules, fault.code) {
            let finding = fault.into_finding(&bench, round, at, laws);
            out.push(Output::Finding(Box::new(finding)));
        }
    }
}

fn settle(
    folder: &dyn Folder,
    round: &RoundFold,
    laws: &Laws,
    standing: &Standing,
) -> Result<(Document, Settlement), String> {
    let told = Telling {
        folder,
        round,
        standing,
        rulebook: &laws.rulebook,
    };
    if let Some(settled) = folder.settle(told) {
        return settled.map_err(|refusal| refusal.to_string());
    }
    let mut document = games::document(folder, round, standing)?;
    let mut settlement = laws.rulebook.settle_value(&document);
    // A bet that the game does not have was told when it was made: the others are settled without it.
    if settlement.is_err() && leave_out_unknown(&mut document, book(laws, round)) {
        settlement = laws.rulebook.settle_value(&document);
    }
    let settlement = settlement.map_err(|refusal| refusal.to_string())?;
    Ok((Box::new(move || document), settlement))
}

/// Leaves out wagers of a kind that the game does not have; true if there are any.
fn leave_out_unknown(document: &mut Value, book: Option<&Book>) -> bool {
    let Some(wagers) = document["wagers"].as_array_mut() else {
        return false;
    };
    let before = wagers.len();
    wagers.retain(|wager| {
        let kind = wager["kind"].as_str();
        kind.is_none_or(|kind| has_kind(book, kind))
    });
    wagers.len() < before
}

/// Does the game have wagers of this kind, in any edition?
fn has_kind(book: Option<&Book>, kind: &str) -> bool {
    book.is_none_or(|book| book.wager(kind).is_some())
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
    (document, settlement): (&Value, &Settlement),
    is_shown: &dyn Fn(&str) -> bool,
    (seq, at): (u64, Timestamp),
    laws: &Laws,
    out: &mut Vec<Output>,
) {
    for code in settlement.violations().iter() {
        if !round.has_raised(code) && is_shown(code) {
            let evidence = evidence(round, seq);
            let finding = match miscount(code, round, laws) {
                // The count itself said so.
                Some((code, _)) if round.has_raised(code) => continue,
                Some((code, message)) => {
                    Fault::new(code, evidence, message).into_finding(&bench, round, at, laws)
                }
                None => violation(bench, round, code, at, evidence, (document, laws)),
            };
            out.push(Output::Finding(Box::new(finding)));
        }
    }
}

/// What was told to be irregular in a round that was called off, in the words of its text. What the table posts
/// was told when it opened.
fn incidents(
    bench: Bench<'_>,
    folder: &dyn Folder,
    round: &RoundFold,
    moment: (u64, Timestamp),
    laws: &Laws,
    out: &mut Vec<Output>,
) {
    let Some(document) = folder.incidents(round) else {
        return;
    };
    if let Ok(settlement) = laws.rulebook.settle_value(&document) {
        let is_shown = |code: &str| !shows_in_posting(code);
        let seen = (&document, &settlement);
        violations(bench, round, seen, &is_shown, moment, laws, out);
    }
}

/// A set that was counted short or long has the same name at every table, whatever the text of its game
/// calls it.
fn miscount(code: &str, round: &RoundFold, laws: &Laws) -> Option<(&'static str, String)> {
    let size = match code {
        "deck.count_wrong" => laws.cards(&round.rules)?.cards_and_jokers(),
        _ => return None,
    };
    let found = round.play.iter().find_map(|(_, body)| match body {
        Body::Irregularity(told) if told.kind == "deck_count" => {
            told.detail.as_ref()?.value()["found"].as_u64()
        }
        _ => None,
    })?;
    let code = match found.cmp(&u64::from(size)) {
        Ordering::Less => "deck.missing_card",
        Ordering::Greater => "deck.extra_card",
        Ordering::Equal => return None,
    };
    Some((
        code,
        format!("{found} cards were counted of a deck of {size}"),
    ))
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
    let game = round.rules.game_in(&laws.rulebook).ok()?;
    Some(game.book())
}

/// Was something raised already that no document can hold, such as a card of another deck?
fn explained(round: &RoundFold) -> bool {
    let beyond_documents = [
        "deck.foreign_card",
        "dice.wrong_number",
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

/// What no rulebook authorises was told when the table opened, or when its rules changed.
fn is_authorized(rules: &RulesInForce, laws: &Laws) -> bool {
    let options = games::rules_options(rules).to_string();
    let game = rules.game_in(&laws.rulebook);
    game.and_then(|game| game.check_options(rules.posted_edition(), &options))
        .is_ok()
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
    let due = |wager: &WagerFold| due(settlement.as_ref()?, &wager.id);
    let wagers = round.wagers.iter().enumerate().map(|(index, wager)| {
        let wrong = mispaid.iter().find(|(of, _)| *of == index);
        let found = wrong.map_or(Cents::ZERO, |(_, exposure)| *exposure);
        settled_wager(wager, due(wager), found)
    });
    let owed = match round.rules.defers_vigorish() {
        true => {
            let left = |wager| due(wager).map(|due| wager.vigorish_left(due));
            round.wagers.iter().filter_map(left).sum()
        }
        false => Cents::ZERO,
    };
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
        wagers: wagers.collect(),
        owed,
        cards: round.dealt(),
        settlement,
        banker: round.opened.banker,
        played_with: round.played_with.clone(),
    }))
}

/// A late wager that was given back, whatever its outcome would have been: nothing else is due on it.
fn given_back(wager: &WagerFold, due: &Settled) -> Option<Settled> {
    let nothing_else = wager.paid == Cents::ZERO && wager.collected.is_none();
    let back = wager.pushed.map(|part| part.unwrap_or(wager.stake()));
    let is_whole = back == Some(wager.amount) && due.returned != wager.amount;
    (wager.late && nothing_else && is_whole).then(|| Settled {
        result: Verdict::Void,
        win: Cents::ZERO,
        commission: Cents::ZERO,
        returned: wager.amount,
        hangs_on: Vec::new(),
        ..due.clone()
    })
}

/// `found` is what was given too much when the round ended. What hangs on something that nobody saw has no
/// amount that would be due, and differs from none unless it is beyond all that could be.
fn settled_wager(wager: &WagerFold, due: Option<&Settled>, found: Cents) -> SettledWager {
    let differs = found != Cents::ZERO;
    let given_back = due.filter(|_| !differs).map(|due| given_back(wager, due));
    let given_back = given_back.flatten();
    let due = given_back.as_ref().or(due);
    let known = due.filter(|due| due.hangs_on.is_empty());
    SettledWager {
        id: wager.id.clone(),
        seat: wager.seat,
        player: wager.patron(),
        kind: wager.kind.clone(),
        amount: wager.amount,
        result: due.map(|due| due.result),
        win: known.map(|due| due.win),
        commission: known.map(|due| due.commission),
        returned: known.map(|due| due.returned),
        paid: wager.paid,
        commission_taken: wager.commission,
        collected: wager.collected.map(|part| part.unwrap_or(wager.stake())),
        pushed: wager.pushed.map(|part| part.unwrap_or(wager.stake())),
        difference: due
            .filter(|_| known.is_some() || differs)
            .map(|_| wager.mispaid + found),
        form: wager.form,
        placed_at: wager.placed_at,
        late_by_ms: wager.late_by_ms,
        detail: wager.detail.clone(),
    }
}
