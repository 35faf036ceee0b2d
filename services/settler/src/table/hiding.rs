//! What would hide a payment: numbers used twice, acts in rounds that are over, rounds that are never closed, rounds
//! that are paid and not played, and a table that opens again without having closed.

use catwalk_events::audit::Finding;
use catwalk_events::body::{Body, RoundOpened, TableOpened};
use catwalk_events::{Event, Timestamp};
use catwalk_rules::book::Severity;
use catwalk_rules::floor::Cents;
use serde::{Deserialize, Serialize};

use super::{PlayedWith, Table};
use crate::fault::Fault;
use crate::round::{RoundFold, WagerFold, is_of_play};
use crate::sequence::Arrival;
use crate::settler::{Laws, Output};
use crate::table::RulesInForce;

/// A round of which nothing was heard for so long is judged as far as it was told.
const LEFT_OPEN_MICROS: i64 = 60 * 60 * 1_000_000;
/// So many rounds that were paid and not played are kept until the feed tells of play.
const MAX_UNPLAYED: usize = 16;

/// A round in which money moved and nothing was told that decides it, at a table that had not told of play yet.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Unplayed {
    round: String,
    evidence: Vec<u64>,
    at: Timestamp,
    paid: Cents,
}

impl Table {
    /// A number was used twice, and the second event says something else: nobody knows which is true.
    pub(super) fn contradict(&mut self, arrival: Arrival, out: &mut Vec<Output>) {
        let event = &arrival.event;
        let told = event.body.type_name().replace('_', " ");
        let message = match money(&event.body) {
            Some(amount) => format!(
                "Event {} was sent again and says something else: a {told} of {amount}",
                event.seq
            ),
            None => format!(
                "Event {} was sent again and says something else: a {told}",
                event.seq
            ),
        };
        let finding = Finding {
            severity: Severity::Critical,
            round: event.round.clone(),
            ..self.finding("feed.contradiction", event.at, vec![event.seq], message)
        };
        out.push(Output::Finding(Box::new(finding.seal())));
        let reason = format!("event {} was another before", event.seq);
        out.push(Output::Unread(arrival.unread(reason)));
    }

    /// What is done in a round that is not open: chips that move, bets and cards. That a round is played on is said
    /// once.
    pub(super) fn act_too_late(&mut self, event: &Event, round: &str, out: &mut Vec<Output>) {
        let has_ended = self.openings.has_ended(round);
        // What begins a round that nobody opened may lie among what is missing.
        if !has_ended && (self.rules.is_none() || self.openings.is_blind()) {
            return;
        }
        let state = match has_ended {
            true => "which had ended",
            false => "which is not open",
        };
        let (code, message) = match &event.body {
            Body::RoundVoided(_) if has_ended => (
                "round.late_void",
                format!("Round {round} was declared void after it had ended: it stands as it was"),
            ),
            body if is_of_play(body) && has_ended => {
                if !self.openings.play_on(round) {
                    return;
                }
                let message = format!("Play went on in round {round}, {state}");
                ("round.late_act", message)
            }
            // A table that is closed takes no bets: that is said of it.
            Body::WagerPlaced(_) if !has_ended => return,
            body => match told_act(body) {
                Some(act) => ("round.late_act", format!("{act} in round {round}, {state}")),
                None => return,
            },
        };
        let (wager, seat) = of_bet(&event.body);
        let exposure = lost_by(&event.body);
        self.watch.tray.stray(exposure);
        let finding = Finding {
            round: Some(round.to_owned()),
            wager,
            seat,
            exposure,
            ..self.finding(code, event.at, vec![event.seq], message)
        };
        out.push(Output::Finding(Box::new(finding.seal())));
    }

    /// Chips move, and no round is named: nobody knows for what.
    pub(super) fn act_outside(&mut self, event: &Event, out: &mut Vec<Output>) {
        let Some(act) = told_act(&event.body) else {
            return;
        };
        if self.rules.is_none() || self.openings.is_blind() {
            return;
        }
        let (wager, seat) = of_bet(&event.body);
        let exposure = lost_by(&event.body);
        self.watch.tray.stray(exposure);
        let message = format!("{act} outside of any round");
        let finding = Finding {
            wager,
            seat,
            exposure,
            ..self.finding("round.late_act", event.at, vec![event.seq], message)
        };
        out.push(Output::Finding(Box::new(finding.seal())));
    }

    /// Chips move in a round of a table that nobody opened: by which rules it plays nobody knows, so nothing of it is
    /// judged. That is said once of a table, with the first payment.
    pub(super) fn pay_unopened(&mut self, event: &Event, round: &str, out: &mut Vec<Output>) {
        let paid = match &event.body {
            Body::WagerPaid(paid) => paid.amount,
            Body::PotAwarded(awarded) => awarded.amount,
            Body::JackpotPaid(paid) => paid.amount,
            Body::WagerPushed(pushed) => pushed.amount.unwrap_or_default(),
            _ => return,
        };
        if self.rules.is_some() || std::mem::replace(&mut self.told_unopened, true) {
            return;
        }
        let message = format!(
            "{paid} was paid in round {round} of {}, a table that nobody opened: none of its rounds can be judged",
            self.table
        );
        let finding = Finding {
            round: Some(round.to_owned()),
            exposure: paid,
            ..self.finding("table.unopened", event.at, vec![event.seq], message)
        };
        out.push(Output::Finding(Box::new(finding.seal())));
    }

    /// A round of which nothing was heard for long is over, closed or not.
    pub(super) fn judge_left_open(&mut self, event: &Event, laws: &Laws, out: &mut Vec<Output>) {
        let is_left = |round: &&RoundFold| {
            let last = round.last_at.unwrap_or(round.opened_at);
            let since = event.at.micros().saturating_sub(last.micros());
            since > LEFT_OPEN_MICROS && event.round.as_ref() != Some(&round.id)
        };
        let left = self.rounds.values().filter(is_left);
        let mut left: Vec<(u64, String)> = left
            .map(|round| (round.opened_seq, round.id.clone()))
            .collect();
        left.sort();
        for (_, id) in left {
            self.give_up(&id, (event.seq, event.at), laws, out);
        }
    }

    /// Judges a round that nobody closed.
    pub(super) fn give_up(
        &mut self,
        id: &str,
        moment: (u64, Timestamp),
        laws: &Laws,
        out: &mut Vec<Output>,
    ) {
        let Some(round) = self.rounds.remove(id) else {
            return;
        };
        let staked: Cents = round.wagers.iter().map(|wager| wager.amount).sum();
        let message = format!(
            "Round {id} was never closed: {} wagers of {staked} in all are judged as far as they were told",
            round.wagers.len()
        );
        let evidence = vec![round.opened_seq, moment.0];
        self.feed_finding("round.abandoned", moment.1, evidence, message, out);
        self.end_round(round, false, moment, laws, out);
    }

    /// Remembers a round that was paid and not played, while the feed has told of no play.
    pub(super) fn note_unplayed(&mut self, round: &RoundFold, (seq, at): (u64, Timestamp)) {
        let is_paid = round.wagers.iter().any(WagerFold::is_touched);
        let may_tell = round.is_told() && !round.opened_untold && round.rules.game != "poker";
        if self.tells_play || !is_paid || !may_tell || self.unplayed.len() >= MAX_UNPLAYED {
            return;
        }
        self.unplayed.push(Unplayed {
            round: round.id.clone(),
            evidence: vec![round.opened_seq, seq],
            at,
            paid: round.wagers.iter().map(|wager| wager.paid).sum(),
        });
    }

    /// The feed tells of play after all: these rounds were paid without.
    pub(super) fn tell_unplayed(&mut self, laws: &Laws, out: &mut Vec<Output>) {
        for unplayed in std::mem::take(&mut self.unplayed) {
            let message = format!(
                "{} was paid in round {}, and nothing tells how it was dealt",
                unplayed.paid, unplayed.round
            );
            let code = "round.unsettled";
            let filed = laws.everywhere(code);
            let finding = Finding {
                round: Some(unplayed.round),
                cites: filed
                    .and_then(|filed| filed.cite.clone())
                    .into_iter()
                    .collect(),
                ..self.finding(code, unplayed.at, unplayed.evidence, message)
            };
            out.push(Output::Finding(Box::new(finding.seal())));
        }
    }

    /// A table that is open opens again: it may tell again what it told, and nothing else.
    pub(super) fn reopen(
        &mut self,
        event: &Event,
        opened: &TableOpened,
        posted: &RulesInForce,
        out: &mut Vec<Output>,
    ) {
        let is_retold = self.rules.as_ref() == Some(posted) && self.rounds.is_empty();
        if !self.is_open || is_retold || self.openings.is_blind() {
            return;
        }
        let open: Vec<&str> = self.rounds.keys().map(String::as_str).collect();
        let and = match open.len() {
            0 => "under other rules".to_owned(),
            _ => format!("while {} was open", open.join(", ")),
        };
        let message = format!(
            "The table was opened again with {} in the tray, without having closed, {and}",
            opened.opening_inventory
        );
        self.feed_finding("table.reopened", event.at, vec![event.seq], message, out);
    }

    /// A round that is open is opened again: what it opened with stays.
    pub(super) fn open_again(
        &mut self,
        event: &Event,
        id: &str,
        (opened, played_with): (RoundOpened, PlayedWith),
        out: &mut Vec<Output>,
    ) {
        let Some(round) = self.rounds.get_mut(id) else {
            return;
        };
        let is_other = round.opened.banker != opened.banker || round.opened.shoe != opened.shoe;
        if round.opened_untold || !is_other {
            round.opened = opened;
            round.played_with = played_with;
            return;
        }
        let seat = |banker: Option<u32>| {
            banker.map_or("the house".to_owned(), |seat| format!("seat {seat}"))
        };
        let message = format!(
            "Round {id} was opened again with {} as banker; it had opened with {}",
            seat(opened.banker),
            seat(round.opened.banker)
        );
        let evidence = vec![round.opened_seq, event.seq];
        let finding = Finding {
            round: Some(id.to_owned()),
            ..self.finding("round.opened_twice", event.at, evidence, message)
        };
        out.push(Output::Finding(Box::new(finding.seal())));
    }
}

/// What was done with a bet. A payment has a finding of its own.
fn told_act(body: &Body) -> Option<String> {
    let of = |amount: Option<Cents>| match amount {
        Some(amount) => format!("{amount} of "),
        None => String::new(),
    };
    Some(match body {
        Body::WagerPushed(pushed) => {
            format!("{}wager {} was given back", of(pushed.amount), pushed.wager)
        }
        Body::WagerCollected(taken) => {
            format!("{}wager {} was collected", of(taken.amount), taken.wager)
        }
        Body::CommissionCollected(taken) => {
            format!(
                "{} commission was taken on wager {}",
                taken.amount, taken.wager
            )
        }
        Body::WagerPlaced(placed) => format!(
            "Seat {} bet {} on {}",
            placed.seat,
            placed.amount,
            placed.kind.replace('_', " ")
        ),
        _ => return None,
    })
}

/// What the house lost by it, as far as it is told.
fn lost_by(body: &Body) -> Cents {
    match body {
        Body::WagerPushed(pushed) => pushed.amount.unwrap_or_default(),
        Body::WagerCollected(taken) => -taken.amount.unwrap_or_default(),
        Body::CommissionCollected(taken) => -taken.amount,
        _ => Cents::ZERO,
    }
}

fn of_bet(body: &Body) -> (Option<String>, Option<u32>) {
    match body {
        Body::WagerPushed(pushed) => (Some(pushed.wager.clone()), None),
        Body::WagerCollected(taken) => (Some(taken.wager.clone()), None),
        Body::CommissionCollected(taken) => (Some(taken.wager.clone()), None),
        Body::WagerPlaced(placed) => (Some(placed.wager.clone()), Some(placed.seat)),
        _ => (None, None),
    }
}

/// The chips that an event moves.
fn money(body: &Body) -> Option<Cents> {
    match body {
        Body::WagerPlaced(placed) => Some(placed.amount),
        Body::WagerChanged(changed) => Some(changed.amount),
        Body::WagerPaid(paid) => Some(paid.amount),
        Body::WagerCollected(collected) => collected.amount,
        Body::WagerPushed(pushed) => pushed.amount,
        Body::CommissionCollected(collected) => Some(collected.amount),
        Body::PotAwarded(awarded) => Some(awarded.amount),
        Body::JackpotPaid(paid) => Some(paid.amount),
        _ => None,
    }
}

/// Pots and rake move in the poker room alone, and nothing is paid on a bet there.
pub(super) fn foreign(round: &RoundFold, event: &Event) -> Option<Fault> {
    let (code, amount, message) = match &event.body {
        Body::PotAwarded(awarded) => (
            "pay.undue",
            awarded.amount,
            format!(
                "{} was given to seat {} as pot {}, and this game has no pots",
                awarded.amount, awarded.seat, awarded.pot
            ),
        ),
        Body::RakeTaken(taken) => (
            "pay.under",
            -taken.amount,
            format!("{} was taken as rake, and this game has none", taken.amount),
        ),
        Body::WagerPaid(paid) => (
            "pay.undue",
            paid.amount,
            format!(
                "{} was paid on wager {}, and the poker room pays no bets: its chips lie in pots",
                paid.amount, paid.wager
            ),
        ),
        _ => return None,
    };
    let is_of_poker = matches!(event.body, Body::WagerPaid(_));
    if (round.rules.game == "poker") != is_of_poker {
        return None;
    }
    let seat = match &event.body {
        Body::PotAwarded(awarded) => Some(awarded.seat),
        _ => None,
    };
    Some(Fault {
        due: Some(Cents::ZERO),
        paid: Some(amount),
        exposure: amount,
        seat,
        ..Fault::new(code, vec![event.seq], message)
    })
}
