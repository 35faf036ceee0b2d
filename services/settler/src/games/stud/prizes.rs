//! Prizes from a meter and envy: who verified them, in which order they were paid, from where, for whose
//! hand, and what the meter shows after them.

use std::collections::BTreeMap;

use catwalk_events::body::Body;
use catwalk_rules::floor::{Card, Cents};
use catwalk_rules::{Settlement, Verdict};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::causes::Case;
use super::table::at;
use super::{Form, Stud};
use crate::fault::Fault;
use crate::games::End;
use crate::games::verification::{is_verified, tells_people};
use crate::judge::due;
use crate::round::{RoundFold, WagerFold};
use crate::standing::Standing;

/// What a game calls what is wrong with its prizes.
pub(super) struct Prizes {
    /// Envy that was due and not paid.
    pub(super) envy_missed: Option<&'static str>,
    /// Envy that was paid and not due: for the own hand, the dealer's, one that was given up.
    pub(super) envy_undue: &'static str,
    /// Shares of the meter that were not paid in their order.
    pub(super) order: Option<Turn>,
    /// A share of the meter that was paid out of the tray.
    pub(super) from_tray: Option<&'static str>,
}

/// The order in which shares of a meter are paid, and what another one is called.
#[derive(Clone, Copy)]
pub(super) enum Turn {
    /// As the hands were dealt.
    AsDealt(&'static str),
    /// From the dealer's right to his left.
    FromTheLast(&'static str),
}

/// What of the prizes of a table outlives a round.
#[derive(Debug, Default, Serialize, Deserialize)]
struct Kept {
    /// Meters as they stood before prizes after which nobody has read them yet.
    open: BTreeMap<String, Hit>,
    /// This table tells of prizes from the meter as such.
    tells_jackpots: bool,
    /// It tells who verified them.
    tells_people: bool,
}

/// Prizes that a meter has paid.
#[derive(Debug, Serialize, Deserialize)]
struct Hit {
    stood: Cents,
    /// A share of it was won; else only fixed prizes.
    shared: bool,
    /// What it falls by if it pays a fixed prize, or all of them.
    #[serde(default)]
    falls: Vec<Cents>,
    /// Where it starts again, if it was won whole.
    #[serde(default)]
    reset: Option<Cents>,
    seq: u64,
}

/// So much the wagers of linked tables add to a meter, at most, while a round is settled.
const GROWTH: Cents = Cents::new(100_000);

impl Stud {
    pub(super) fn check_prizes(
        &self,
        end: &End<'_>,
        settlement: &Settlement,
        standing: &mut Standing,
        faults: &mut Vec<Fault>,
    ) {
        let Some(prizes) = &self.prizes else { return };
        let told = |(_, body): &(u64, Body)| matches!(body, Body::JackpotPaid(_));
        let is_prize = |wager: &WagerFold| self.keeps(wager) && wager.paid.is_positive();
        let any = end.round.play.iter().any(told) || end.round.wagers.iter().any(is_prize);
        let mut kept: Kept = standing.read();
        if !any && kept.open.is_empty() {
            return;
        }
        let shares = self.shares(end, settlement);
        self.check_meters(end, &shares, &mut kept, faults);
        if let Some(turn) = prizes.order {
            for (_, kinds) in self.meters {
                let of_meter = shares.iter().filter(|wager| kinds.contains(&&*wager.kind));
                check_turn(turn, of_meter.copied().collect(), faults);
            }
        }
        check_people(end.round, &shares, &mut kept, faults);
        kept.tells_jackpots |= end.round.play.iter().any(told);
        if let Some(code) = prizes.from_tray.filter(|_| kept.tells_jackpots) {
            let from_tray =
                |wager: &&&WagerFold| wager.paid.is_positive() && !wager.from_meter.is_positive();
            for wager in shares.iter().filter(from_tray) {
                let message = format!(
                    "A share of the meter of {} was paid out of the tray at seat {}",
                    wager.paid, wager.seat
                );
                faults.push(of(code, wager, message));
            }
        }
        standing.keep(&kept);
    }

    fn keeps(&self, wager: &WagerFold) -> bool {
        self.stake_stays.contains(&wager.kind.as_str())
    }

    /// Wagers whose prize is a share of a meter: what is due on them changes with what it shows. Where
    /// nobody read a meter nothing is known of its shares.
    fn shares<'a>(&self, end: &End<'a>, settlement: &Settlement) -> Vec<&'a WagerFold> {
        let (Some(document), meters) = (end.document, self.meters_of(end.round)) else {
            return Vec::new();
        };
        // After a prize of the whole meter the next share is one of where it starts again.
        let more = Cents::new(1_000_000);
        let (mut other, mut reset) = (document.clone(), document.clone());
        for (meter, stood) in meters {
            let starts = reset_of(end.round, meter) + more;
            reset["options"][format!("{meter}_reset")] = json!(starts);
            for document in [&mut other, &mut reset] {
                document["play"]["meters"][meter] = json!(stood + more);
            }
        }
        let settle = |document: Value| end.rulebook.settle(&document.to_string());
        let Ok(other) = settle(reset).or_else(|_| settle(other)) else {
            return Vec::new();
        };
        let returned = |of: &Settlement, id: &str| due(of, id).map(|due| due.returned);
        let is_share = |wager: &&WagerFold| {
            self.keeps(wager) && returned(settlement, &wager.id) != returned(&other, &wager.id)
        };
        end.round.wagers.iter().filter(is_share).collect()
    }

    /// A share of a meter comes off it, what is fixed does not. Other tables feed the meter too, so that
    /// only one that is not lower after a share, or lower by just the fixed prizes, is wrong; and one that
    /// did not start again before the round was over in which it was won whole.
    fn check_meters(
        &self,
        end: &End<'_>,
        shares: &[&WagerFold],
        kept: &mut Kept,
        faults: &mut Vec<Fault>,
    ) {
        let opening = end.round.opened.meters.iter().flatten();
        for (name, &now) in opening {
            let meter = self.meter_named(name).unwrap_or_default();
            if let Some(hit) = kept.open.remove(meter) {
                faults.extend(hit.contradicts(now, end.round.opened_seq));
            }
        }
        for (meter, stood) in self.meters_of(end.round) {
            let kinds = self.meters.iter().find(|(name, _)| *name == meter);
            let is_paid = |wager: &&WagerFold| {
                let of_meter = kinds.is_some_and(|(_, kinds)| kinds.contains(&&*wager.kind));
                of_meter && wager.paid.is_positive()
            };
            let paid: Vec<&WagerFold> = end.round.wagers.iter().filter(is_paid).collect();
            let is_share = |wager: &&&WagerFold| shares.iter().any(|share| share.id == wager.id);
            let shared = paid
                .iter()
                .filter(is_share)
                .filter_map(|wager| wager.paid_seq);
            let shared = shared.max();
            let first = paid.iter().filter_map(|wager| wager.paid_seq).min();
            let whole = paid
                .iter()
                .filter(is_share)
                .find(|wager| wager.paid + wager.amount >= stood);
            let won_whole = whole.and_then(|wager| wager.paid_seq);
            let Some(last) = won_whole.or(shared).or(first) else {
                continue;
            };
            let hit = Hit {
                stood,
                shared: shared.is_some(),
                falls: falls(&paid),
                reset: whole.map(|_| reset_of(end.round, meter)),
                seq: last,
            };
            let read = end.round.play.iter().find_map(|(seq, body)| match body {
                Body::MeterRead(read) if *seq > last && self.is_meter(&read.meter, meter) => {
                    Some((*seq, read.amount))
                }
                _ => None,
            });
            match read {
                Some((seq, now)) => {
                    let not_reset = hit.reset.is_some_and(|reset| now > reset + GROWTH);
                    let fault = not_reset.then(|| hit.fault("it was won whole", now, seq));
                    faults.extend(fault.or_else(|| hit.contradicts(now, seq)));
                }
                None => drop(kept.open.insert(meter.to_owned(), hit)),
            }
        }
    }

    fn is_meter(&self, name: &str, meter: &str) -> bool {
        self.meter_named(name) == Some(meter)
    }

    /// Is a wrong prize explained by envy: by a bonus that is missing, or by one for a hand that gives
    /// this player none?
    pub(super) fn check_envy(&self, end: &End<'_>, case: &Case<'_>, faults: &mut Vec<Fault>) {
        let (Some(prizes), Some(document)) = (&self.prizes, end.document) else {
            return;
        };
        if case.wager.kind != "progressive" || case.wager.pushed.is_some() {
            return;
        }
        let others = self.hands_of(document, |seat| seat != case.wager.seat);
        if case.is_over() {
            let own = self.hands_of(document, |seat| seat == case.wager.seat);
            let dealer = document["play"]["dealer"].as_array();
            let dealer = dealer.map(|cards| cards.iter().take(self.hand).cloned().collect());
            let mut hands = own.into_iter().chain(others).chain(dealer);
            // Whether the chip was lifted may not have been told.
            let stake = case.wager.amount;
            let over = [case.exposure - stake, case.exposure, case.exposure + stake];
            let explains = |hand: Vec<Value>| {
                let envy = self.envy_of(end, document, case.wager, &hand);
                envy.is_positive() && over.contains(&envy)
            };
            if hands.any(explains) {
                faults.push(case.fault(prizes.envy_undue));
            }
        } else if let Some(code) = prizes.envy_missed {
            let given: Vec<Cents> = others
                .iter()
                .map(|hand| self.envy_of(end, document, case.wager, hand))
                .collect();
            let missing = -case.exposure;
            let all: Cents = given.iter().copied().sum();
            let is_missing = given.contains(&missing) || all == missing;
            if case.is(Verdict::Win) && is_missing && missing.is_positive() {
                faults.push(case.fault(code));
            }
        }
    }

    /// The hands of these seats in the document.
    fn hands_of(&self, document: &Value, is_meant: impl Fn(u32) -> bool) -> Vec<Vec<Value>> {
        let hands = &document["play"]["hands"];
        let listed = hands.as_array().into_iter().flatten().filter_map(|hand| {
            let seat = hand["seat"].as_u64()?;
            Some((seat, hand["cards"].as_array()?))
        });
        let by_seat = hands.as_object().into_iter().flatten();
        let by_seat =
            by_seat.filter_map(|(seat, cards)| Some((seat.parse().ok()?, cards.as_array()?)));
        listed
            .chain(by_seat)
            .filter(|(seat, _)| u32::try_from(*seat).is_ok_and(&is_meant))
            .map(|(_, cards)| cards.clone())
            .collect()
    }

    /// What a player who has a progressive wager gets for this hand of another: two seats play alone, one
    /// of them with the hand; what the other gets beyond what he gets without it is envy.
    fn envy_of(
        &self,
        end: &End<'_>,
        document: &Value,
        envious: &WagerFold,
        hand: &[Value],
    ) -> Cents {
        let plays = |wager: &&WagerFold| {
            let last = self.later.last().copied().unwrap_or(self.main);
            wager.kind == self.main && at(end.round, wager.seat, last).is_some()
        };
        let Some(model) = end.round.wagers.iter().find(plays) else {
            return Cents::ZERO;
        };
        let used = [hand, &self.hands_of(document, |_| true).concat()].concat();
        let unused = Card::deck().map(|card| json!(card.to_string()));
        let unused = unused.filter(|card| !used.contains(card));
        let plain: Vec<Value> = unused.take(self.hand).collect();
        let prize = |seats: &[(u32, &[Value])]| {
            let stage = self.stage(document, model.seat, envious.amount, seats);
            let settled = end.rulebook.settle(&stage.to_string()).ok()?;
            due(&settled, ENVIOUS).map(|due| due.returned)
        };
        match (
            prize(&[(1, hand), (2, plain.as_slice())]),
            prize(&[(2, plain.as_slice())]),
        ) {
            (Some(with), Some(without)) => with - without,
            _ => Cents::ZERO,
        }
    }

    /// The document with these hands alone, each staked like that of the model; the second seat has a
    /// progressive wager.
    fn stage(
        &self,
        document: &Value,
        model: u32,
        stake: Cents,
        seats: &[(u32, &[Value])],
    ) -> Value {
        let of_model = |wager: &&Value| wager["seat"] == model && wager["kind"] != "progressive";
        let models: Vec<&Value> = document["wagers"]
            .as_array()
            .into_iter()
            .flatten()
            .filter(of_model)
            .collect();
        let mut wagers =
            vec![json!({"id": ENVIOUS, "seat": 2, "kind": "progressive", "amount": stake})];
        for &(seat, _) in seats {
            wagers.extend(models.iter().map(|&wager| {
                let mut wager = wager.clone();
                for key in ["id", "on"] {
                    if let Some(id) = wager[key].as_str() {
                        wager[key] = json!(format!("{id}/{seat}"));
                    }
                }
                wager["seat"] = json!(seat);
                wager
            }));
        }
        let mut stage = document.clone();
        stage["wagers"] = json!(wagers);
        // Envy belongs to one table of caribbean stud alone.
        if self.game == "caribbean_stud" {
            stage["options"]["progressive_paytable"] = json!("D");
        }
        let mut play = Map::new();
        for key in ["dealer", "community"] {
            if let Some(cards) = document["play"].get(key) {
                play.insert(key.to_owned(), cards.clone());
            }
        }
        let hands = match self.form {
            Form::Listed => {
                let hand = |&(seat, cards): &(u32, &[Value])| json!({"seat": seat, "cards": cards, "decision": "play"});
                json!(seats.iter().map(hand).collect::<Vec<Value>>())
            }
            Form::BySeat => {
                let hand = |&(seat, cards): &(u32, &[Value])| (seat.to_string(), json!(cards));
                Value::Object(seats.iter().map(hand).collect())
            }
        };
        play.insert("hands".into(), hands);
        stage["play"] = Value::Object(play);
        stage
    }
}

/// The progressive wager of the stage.
const ENVIOUS: &str = "envious";

impl Hit {
    /// Does the meter show what it cannot show after this?
    fn contradicts(&self, now: Cents, seq: u64) -> Option<Fault> {
        // A meter that was won soon after its last reset starts again where it stood.
        let starts_again = self.reset.is_some_and(|reset| now <= reset + GROWTH);
        let what = match self.shared {
            true if now >= self.stood && !starts_again => "a share of it was won",
            false if self.falls.contains(&(self.stood - now)) => "fixed prizes were paid",
            _ => return None,
        };
        Some(self.fault(what, now, seq))
    }

    fn fault(&self, what: &str, now: Cents, seq: u64) -> Fault {
        let message = format!(
            "The meter stood at {} when {what}, and at {now} after it",
            self.stood
        );
        let fault = Fault::new("progressive.meter_mismatch", vec![self.seq, seq], message);
        Fault {
            due: Some(self.stood),
            paid: Some(now),
            ..fault
        }
    }
}

/// Each of these prizes, and all of them together.
fn falls(paid: &[&WagerFold]) -> Vec<Cents> {
    let each = paid.iter().map(|wager| wager.paid);
    let all = each.clone().sum();
    each.chain([all]).collect()
}

/// What the house filed for a meter that was won whole, $10,000 where it says nothing.
fn reset_of(round: &RoundFold, meter: &str) -> Cents {
    let filed = round.rules.option(&format!("{meter}_reset"));
    Cents::new(filed.and_then(|filed| filed.as_i64()).unwrap_or(1_000_000))
}

/// Shares of one meter are worth less the later they are paid.
fn check_turn(turn: Turn, mut paid: Vec<&WagerFold>, faults: &mut Vec<Fault>) {
    paid.retain(|wager| wager.paid_seq.is_some());
    paid.sort_by_key(|wager| wager.paid_seq);
    let (code, is_wrong): (_, fn(u32, u32) -> bool) = match turn {
        Turn::AsDealt(code) => (code, |first, then| first > then),
        Turn::FromTheLast(code) => (code, |first, then| first < then),
    };
    let wrong = paid
        .windows(2)
        .find(|pair| is_wrong(pair[0].seat, pair[1].seat));
    if let Some(&[first, then]) = wrong {
        let message = format!(
            "Seat {} had its share of the meter before seat {}",
            first.seat, then.seat
        );
        faults.push(of(code, then, message));
    }
}

/// A share of the meter is verified by the floor, and in Ohio by surveillance too. A table that never
/// tells who verified is not judged.
fn check_people(
    round: &RoundFold,
    shares: &[&WagerFold],
    kept: &mut Kept,
    faults: &mut Vec<Fault>,
) {
    let ohio = round.rules.edition.starts_with("oh-");
    for (_, body) in &round.play {
        let Body::JackpotPaid(paid) = body else {
            continue;
        };
        let Some(wager) = shares.iter().find(|share| share.id == paid.wager) else {
            continue;
        };
        kept.tells_people |= tells_people(paid);
        if kept.tells_people && !is_verified(paid, ohio) {
            let message = format!("{} of the meter was paid without verification", paid.amount);
            faults.push(of("progressive.unverified", wager, message));
        }
    }
}

fn of(code: &'static str, wager: &WagerFold, message: String) -> Fault {
    Fault::new(code, wager.evidence.clone(), message).of_wager(&wager.id)
}
