//! Prizes from a meter: who verified them, in which order they were paid, from where, and what the meter shows
//! after them.

use std::collections::BTreeMap;

use catwalk_events::Event;
use catwalk_events::body::Body;
use catwalk_rules::Settlement;
use catwalk_rules::floor::Cents;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::Stud;
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
    /// The floor validates fixed prizes too, and a meter that no other table feeds falls by prizes alone.
    pub(super) own_system: bool,
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
    /// The meter that this table alone feeds, as it was last read, if nothing was paid from it since.
    #[serde(default)]
    last_read: Option<(u64, Cents)>,
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
    /// The stakes of the round, of which some may have fed it meanwhile.
    #[serde(default)]
    fed: Cents,
    /// Where it starts again, if it was won whole.
    #[serde(default)]
    reset: Option<Cents>,
    seq: u64,
}

/// So much the wagers of linked tables add to a meter, at most, while a round is settled.
const GROWTH: Cents = Cents::new(100_000);
/// So many shares more than one may be won at other tables between two readings of this one; then it is
/// known better what they fed it.
const MORE_SHARES: usize = 2;
const FED_MEANWHILE: Cents = Cents::new(10_000);
/// By so much another meter shows more, to tell a share of it from a fixed prize.
const TEN_THOUSAND: Cents = Cents::new(1_000_000);
/// A share that is told apart by what it is of another meter is known but for its cents.
const CENTS: Cents = Cents::new(100);

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
        if prizes.own_system {
            faults.extend(self.check_last_reading(end, any, &mut kept));
        }
        if !any && kept.open.is_empty() {
            if prizes.own_system {
                standing.keep(&kept);
            }
            return;
        }
        let shares = self.shares(end, settlement);
        self.check_meters(end, &shares, &mut kept, faults);
        let shares: Vec<&WagerFold> = shares.into_iter().map(|(wager, _)| wager).collect();
        if let Some(turn) = prizes.order {
            for (_, kinds) in &self.laid.meters {
                let of_meter = shares.iter().filter(|wager| kinds.contains(&&*wager.kind));
                check_turn(turn, of_meter.copied().collect(), faults);
            }
        }
        self.check_readings(end, prizes, &shares, faults);
        check_people(end.round, &shares, &mut kept, faults);
        if prizes.own_system {
            self.check_fixed(end.round, &shares, faults);
        }
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

    /// A meter that is lower than at its last reading although no prize was paid between them. One that is linked
    /// to other games may have been won there; one that fell by just a share or a few, at other tables of this game.
    fn check_last_reading(&self, end: &End<'_>, any: bool, kept: &mut Kept) -> Option<Fault> {
        let meter = self.laid.meters.first()?.0;
        let linked = end.round.rules.option("progressive_linked");
        let opening = end.round.opened.meters.iter().flatten();
        let opening = opening.map(|(name, amount)| (end.round.opened_seq, name, *amount));
        let read = end.round.play.iter().filter_map(|(seq, body)| match body {
            Body::MeterRead(read) => Some((*seq, &read.meter, read.amount)),
            _ => None,
        });
        let readings = opening.chain(read);
        let readings: Vec<(u64, Cents)> = readings
            .filter(|(_, name, _)| name.contains(meter))
            .map(|(seq, _, amount)| (seq, amount))
            .collect();
        let before = kept.last_read.take();
        let is_linked = linked.is_some_and(|linked| linked == true);
        if is_linked {
            return None;
        }
        kept.last_read = readings.last().copied().or(before).filter(|_| !any);
        // Where a prize was paid the readings of the round itself are held against it.
        let own = readings.len().min(if any { 1 } else { usize::MAX });
        let read: Vec<(u64, Cents)> = before
            .into_iter()
            .chain(readings[..own].iter().copied())
            .collect();
        let fell = read.windows(2).find(|pair| pair[1].1 < pair[0].1)?;
        let [(last, stood), (seq, now)] = *fell else {
            return None;
        };
        let reset = end.round.rules.option("progressive_reset");
        let reset = reset.and_then(|reset| reset.as_i64()).map(Cents::new);
        let less_a_tenth = |left: &Cents| Some(*left - Cents::new(left.get() / 10));
        let mut shared = std::iter::successors(Some(stood), less_a_tenth).skip(1);
        let stands = |left: Cents, fed: Cents| (left..=left + fed).contains(&now);
        let mut by_one = shared.next().into_iter().chain(reset);
        let mut by_more = shared.take(MORE_SHARES);
        let is_won_elsewhere = by_one.any(|left| stands(left, GROWTH))
            || by_more.any(|left| stands(left, FED_MEANWHILE));
        if is_won_elsewhere {
            return None;
        }
        let message = format!("The meter stood at {stood}, no prize was paid, and it is at {now}");
        let fault = Fault::new("progressive.meter_mismatch", vec![last, seq], message);
        Some(Fault {
            due: Some(stood),
            paid: Some(now),
            ..fault
        })
    }

    /// Fixed prizes of the progressive, and those of the bonus of 500 for 1 or more, that somebody else than
    /// the floor validated (caribbean stud 10(c)(2)iii, (3)ii). Envy needs nobody.
    fn check_fixed(&self, round: &RoundFold, shares: &[&WagerFold], faults: &mut Vec<Fault>) {
        let has_envy = round.rules.option("progressive_paytable");
        let has_envy = has_envy.is_some_and(|table| table == "D");
        for (_, body) in &round.play {
            let Body::JackpotPaid(paid) = body else {
                continue;
            };
            let Some(wager) = round.wager(&paid.wager) else {
                continue;
            };
            let fixed = match wager.kind.as_str() {
                "progressive" => !has_envy,
                _ => paid.amount >= wager.amount.times(500),
            };
            let is_share = shares.iter().any(|share| share.id == wager.id);
            if fixed && !is_share && tells_people(paid) && !is_verified(paid, false) {
                let message = format!("A prize of {} was paid without validation", paid.amount);
                faults.push(of("progressive.unverified", wager, message));
            }
        }
    }

    /// A share that is not what the meter showed at the player's turn (caribbean stud 11(d)4), or that two
    /// winners of one meter were paid as if the other had not been (PC 6.A.i).
    fn check_readings(
        &self,
        end: &End<'_>,
        prizes: &Prizes,
        shares: &[&WagerFold],
        faults: &mut Vec<Fault>,
    ) {
        const CODE: &str = "progressive.meter_mismatch";
        let in_turn = matches!(prizes.order, Some(Turn::AsDealt(CODE)));
        for (_, kinds) in &self.laid.meters {
            let of_meter = |wager: &&&WagerFold| {
                kinds.contains(&&*wager.kind) && wager.paid.is_positive() && wager.pushed.is_none()
            };
            let paid: Vec<&WagerFold> = shares.iter().filter(of_meter).copied().collect();
            if !(prizes.own_system || in_turn && paid.len() > 1) {
                continue;
            }
            for wager in paid {
                let is_it = |index: usize| {
                    end.round
                        .wagers
                        .get(index)
                        .is_some_and(|w| w.id == wager.id)
                };
                let is_wrong = end.mispaid.iter().any(|&(index, _)| is_it(index));
                // Envy that is missing, or that was paid for nothing, says nothing of the meter.
                let is_said = faults.iter().any(|fault| {
                    let named = [CODE, prizes.envy_undue].contains(&fault.code);
                    named && fault.wager.as_ref() == Some(&wager.id)
                });
                if is_wrong && !is_said {
                    let message = format!(
                        "The share of seat {} is not what the meter showed at its turn",
                        wager.seat
                    );
                    faults.push(of(CODE, wager, message));
                }
            }
        }
    }

    fn keeps(&self, wager: &WagerFold) -> bool {
        self.laid.stake_stays.contains(&wager.kind.as_str())
    }

    /// Wagers whose prize is a share of a meter, and what of it they are due for each $10,000 that it shows:
    /// what is due on them changes with it. Where nobody read a meter nothing is known of its shares.
    fn shares<'a>(&self, end: &End<'a>, settlement: &Settlement) -> Vec<(&'a WagerFold, Cents)> {
        let (Some(document), meters) = (end.document, self.meters_of(end.round)) else {
            return Vec::new();
        };
        // After a prize of the whole meter the next share is one of where it starts again.
        let more = TEN_THOUSAND;
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
        let share = |wager: &'a WagerFold| {
            let more = returned(&other, &wager.id)? - returned(settlement, &wager.id)?;
            (self.keeps(wager) && more != Cents::ZERO).then_some((wager, more))
        };
        end.round.wagers.iter().filter_map(share).collect()
    }

    /// A share of a meter comes off it, what is fixed does not. Other tables feed the meter too, so that
    /// only one that is not lower after a share, or lower by just the fixed prizes, is wrong; and one that
    /// did not start again before the round was over in which it was won whole.
    fn check_meters(
        &self,
        end: &End<'_>,
        shares: &[(&WagerFold, Cents)],
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
            let kinds = self.laid.meters.iter().find(|(name, _)| *name == meter);
            let is_paid = |wager: &&WagerFold| {
                let of_meter = kinds.is_some_and(|(_, kinds)| kinds.contains(&&*wager.kind));
                of_meter && wager.paid.is_positive()
            };
            let paid: Vec<&WagerFold> = end.round.wagers.iter().filter(is_paid).collect();
            let is_share =
                |wager: &&&WagerFold| shares.iter().any(|(share, _)| share.id == wager.id);
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
                fed: fed(end.round, kinds.map_or(&[], |(_, kinds)| kinds.as_slice())),
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
                    let not_reset = hit
                        .reset
                        .is_some_and(|reset| now > reset + GROWTH || now < self.least_after(reset));
                    let what = "a share of it was won";
                    let fault = match hit.reset {
                        Some(_) => not_reset.then(|| hit.fault("it was won whole", now, seq)),
                        None => left_after(end.round, meter, stood, shares)
                            .filter(|left| now < *left - CENTS || now > *left + GROWTH)
                            .map(|_| hit.fault(what, now, seq)),
                    };
                    faults.extend(fault.or_else(|| hit.contradicts(now, seq)));
                }
                None => drop(kept.open.insert(meter.to_owned(), hit)),
            }
        }
    }

    /// A meter that is read when the round is over, against the prizes that it has paid: true if this is such
    /// a reading.
    pub(super) fn see_reading(
        &self,
        event: &Event,
        standing: &mut Standing,
        faults: &mut Vec<Fault>,
    ) -> bool {
        let Body::MeterRead(read) = &event.body else {
            return false;
        };
        let Some(meter) = self
            .prizes
            .as_ref()
            .and_then(|_| self.meter_named(&read.meter))
        else {
            return false;
        };
        let mut kept: Kept = standing.read();
        if let Some(hit) = kept.open.remove(meter) {
            faults.extend(hit.contradicts(read.amount, event.seq));
            standing.keep(&kept);
        }
        true
    }

    /// The least that a meter shows soon after it was won whole: a linked one may pay tenths of it elsewhere.
    fn least_after(&self, reset: Cents) -> Cents {
        match self.game {
            "three_card_poker" => reset,
            _ => reset - Cents::new(reset.get() / 5),
        }
    }

    fn is_meter(&self, name: &str, meter: &str) -> bool {
        self.meter_named(name) == Some(meter)
    }
}

impl Hit {
    /// Did it fall by fixed prizes, but for what the wagers of the round added?
    fn is_fall(&self, fall: Cents) -> bool {
        let mut falls = self.falls.iter();
        falls.any(|prize| fall.is_positive() && fall <= *prize && fall + self.fed >= *prize)
    }

    /// Does the meter show what it cannot show after this?
    fn contradicts(&self, now: Cents, seq: u64) -> Option<Fault> {
        // A meter that was won soon after its last reset starts again where it stood.
        let starts_again = self.reset.is_some_and(|reset| now <= reset + GROWTH);
        let what = match self.shared {
            true if now >= self.stood && !starts_again => "a share of it was won",
            false if self.is_fall(self.stood - now) => "fixed prizes were paid",
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

/// What a meter shows after the shares of a round, of which none was the whole, where all of them were paid and
/// nothing else comes off it (PC 1.B.iii(b)).
fn left_after(
    round: &RoundFold,
    meter: &str,
    stood: Cents,
    shares: &[(&WagerFold, Cents)],
) -> Option<Cents> {
    let ohio = round.rules.edition.starts_with("oh-");
    let all_paid = shares.iter().all(|(wager, _)| wager.paid_seq.is_some());
    let is_only = meter == "progressive" && !shares.is_empty();
    let part = |of: Cents| {
        let part = i128::from(of.get()) * i128::from(stood.get()) / i128::from(TEN_THOUSAND.get());
        i64::try_from(part).ok().map(Cents::new)
    };
    let parts: Option<Cents> = shares.iter().map(|(_, of)| part(*of)).sum();
    parts
        .filter(|_| ohio && all_paid && is_only)
        .map(|parts| stood - parts)
}

/// Events of a round are missing, and with them perhaps a prize.
pub(super) fn forget_readings(standing: &mut Standing) {
    let mut kept: Kept = standing.read();
    if kept.last_read.take().is_some() {
        standing.keep(&kept);
    }
}

/// Each of these prizes, and all of them together, told whole or less the stake that they are for.
fn falls(paid: &[&WagerFold]) -> Vec<Cents> {
    let less = paid.iter().map(|wager| wager.paid);
    let whole = paid.iter().map(|wager| wager.paid + wager.amount);
    let all = [less.clone().sum(), whole.clone().sum()];
    less.chain(whole).chain(all).collect()
}

/// The stakes on a meter.
fn fed(round: &RoundFold, kinds: &[&str]) -> Cents {
    let wagers = round.wagers.iter();
    let feeds = wagers.filter(|wager| kinds.contains(&wager.kind.as_str()));
    feeds.map(|wager| wager.amount).sum()
}

/// What the house filed for a meter that was won whole.
fn reset_of(round: &RoundFold, meter: &str) -> Cents {
    let filed = round.rules.in_force(&format!("{meter}_reset"));
    Cents::new(filed.and_then(|filed| filed.as_i64()).unwrap_or_default())
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
    let prizes = || {
        round.play.iter().filter_map(|(_, body)| match body {
            Body::JackpotPaid(paid) => Some((shares.iter().find(|s| s.id == paid.wager)?, paid)),
            _ => None,
        })
    };
    kept.tells_people |= prizes().any(|(_, paid)| tells_people(paid));
    for (wager, paid) in prizes() {
        if kept.tells_people && !is_verified(paid, ohio) {
            let message = format!("{} of the meter was paid without verification", paid.amount);
            faults.push(of("progressive.unverified", wager, message));
        }
    }
}

fn of(code: &'static str, wager: &WagerFold, message: String) -> Fault {
    Fault::new(code, wager.evidence.clone(), message).of_wager(&wager.id)
}
