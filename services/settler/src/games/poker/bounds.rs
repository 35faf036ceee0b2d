//! What is certain of a hand that cannot be settled, where its bets were told: no more comes out of the pots than
//! went in and is owed, and no more is raked than all of it would give.

use catwalk_events::body::Body;
use catwalk_rules::floor::Cents;
use serde_json::{Value, json};

use super::money::{self, awarded, dropped, has_time, most_rake, raked};
use super::told::{Form, Told};
use crate::fault::Fault;
use crate::games::End;
use crate::round::{RoundFold, WagerFold};

/// `document` is that of the hand, where it can be told at all.
pub(super) fn check(end: &End<'_>, document: Option<Value>, faults: &mut Vec<Fault>) {
    let round = end.round;
    let is_bet = |wager: &WagerFold| matches!(wager.kind.as_str(), "bet" | "call" | "raise");
    if has_time(&round.rules) || !super::played(round).any(is_bet) {
        return;
    }
    // Nobody knows how much may be in the pots.
    let Some(owed) = owed(end, document) else {
        return;
    };
    let staked: Cents = super::played(round).map(|wager| wager.amount).sum();
    let in_pots = staked + owed;
    let raked = raked(round);
    let most = most_rake(round, in_pots);
    if raked > most {
        let codes = ("rake.over", "rake.under");
        money::compare_taken(end, raked, most, codes, "the rake", faults);
    }
    let awarded: Cents = awarded(round).into_values().sum();
    let left = in_pots - raked.min(most) - dropped(round);
    if awarded > left {
        let message = format!("{awarded} was pushed out of pots of {left}");
        faults.push(Fault {
            due: Some(left),
            paid: Some(awarded),
            exposure: awarded - left,
            ..Fault::new("pot.over_award", vec![round.opened_seq, end.seq], message)
        });
    }
}

/// What players bound themselves to and did not put in: it lies in the pots whatever the cards are, so the hand is
/// settled as if all but one had conceded. `None` where that cannot be done and something may be owed. 7(e), 15(j)2
fn owed(end: &End<'_>, document: Option<Value>) -> Option<Cents> {
    let form = Form::of(end.round).ok();
    let Some(told) = form.map(|form| Told::read(end.round, form)) else {
        return (!is_said(end.round)).then_some(Cents::ZERO);
    };
    let settled = document.and_then(|mut document| {
        document["play"]["showdown"] = conceded(&told);
        end.rulebook.settle_value(&document).ok()
    });
    match settled.as_ref().and_then(|settled| settled.pots()) {
        Some(pots) => Some(pots.owed.iter().map(|owed| owed.amount).sum()),
        // Who throws away the hand that has to open owes the forced bet without a word.
        None => (!told.form.is_stud() && !is_said(end.round)).then_some(Cents::ZERO),
    }
}

/// All but one who are still in concede.
fn conceded(told: &Told<'_>) -> Value {
    let is_in = |seat: &&u32| !told.folded.contains(seat);
    let players = told.dealt.iter().filter(is_in).enumerate();
    let acts = players.map(|(turn, seat)| {
        let act = if turn == 0 { "show" } else { "muck" };
        json!({"seat": seat, "act": act})
    });
    acts.collect()
}

/// Did somebody say more than he did?
fn is_said(round: &RoundFold) -> bool {
    let mut wagers = super::played(round);
    let with_chips = wagers.any(|wager| {
        let detail = wager.detail.as_ref().map(|detail| detail.value());
        detail.is_some_and(|said| said.get("verbal").or(said.get("announced")).is_some())
    });
    let mut play = round.play.iter();
    let aloud = play.any(|(_, body)| match body {
        Body::Decision(said) => super::walk::is_spoken(&said.action),
        _ => false,
    });
    with_chips || aloud
}
