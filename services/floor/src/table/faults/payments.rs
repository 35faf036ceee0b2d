//! Wagers that are paid, collected or charged wrongly.

use std::collections::BTreeMap;

use catwalk_events::body::{Body, RoundVoided, WagerPaid};
use catwalk_rules::book::Pay;
use catwalk_rules::floor::{Cents, Odds, Rounding};
use catwalk_rules::{Edition, Rulebook, Settled, Settlement, Verdict};
use rand::RngExt;
use rand::seq::IndexedRandom;
use serde_json::Value;

use crate::fault::{FaultKind, Label};
use crate::games::Dealt;
use crate::table::Table;
use crate::table::payments::{seat_and_amount, wager_of};

/// A friend is paid no more than this beyond his due.
const LITTLE: i64 = 2_500;

impl Table {
    /// Pays or takes wrongly.
    pub(in crate::table) fn mispay(
        &mut self,
        kind: FaultKind,
        round: &str,
        dealt: &Dealt,
        settlement: &Settlement,
        payments: &mut Vec<(usize, Body)>,
        fees: &mut BTreeMap<usize, Cents>,
    ) -> Option<Label> {
        let suits = |settled: &Settled| match kind {
            FaultKind::Overpaid
            | FaultKind::Underpaid
            | FaultKind::Unpaid
            | FaultKind::EnvyUnpaid
            | FaultKind::Collusion => settled.result == Verdict::Win && settled.win.get() > 100,
            FaultKind::WrongCommission => {
                matches!(settled.result, Verdict::Win | Verdict::Lose)
                    && settled.commission.get() > 1
            }
            _ => settled.result == Verdict::Lose && settled.returned == Cents::ZERO,
        };
        // A stake that lies in the house's box cannot be left on the table, nor can none at all.
        let boxed = |index: usize, wager: &Value| {
            let kept = self
                .game
                .keeps_stake(wager["kind"].as_str().unwrap_or_default());
            kind == FaultKind::Uncollected && (kept || dealt.lifted.contains(&index))
        };
        // A payout that is added to another wager need not be told as paid.
        let added = |wager: &Value| {
            let mut presses = dealt.wagers.iter();
            kind == FaultKind::Unpaid && presses.any(|press| press["from"] == wager["id"])
        };
        // Who has left has another friend of the dealer sit down.
        let seats: Vec<u32> = dealt
            .wagers
            .iter()
            .map(|wager| seat_and_amount(wager).0)
            .collect();
        let friend = self.mischief.friend.filter(|seat| seats.contains(seat));
        let is_meant = |wager: &Value| match kind {
            FaultKind::EnvyUnpaid => wager["kind"] == "envy",
            FaultKind::Collusion => friend.is_none_or(|seat| seat_and_amount(wager).0 == seat),
            _ => true,
        };
        let candidates: Vec<&Settled> = dealt
            .wagers
            .iter()
            .zip(settlement.wagers())
            .enumerate()
            .filter(|(index, (wager, settled))| suits(settled) && !boxed(*index, wager))
            .filter(|(_, (wager, _))| is_meant(wager) && !added(wager))
            .map(|(_, pair)| pair)
            .filter(|(wager, settled)| {
                settled.result == Verdict::Win || seat_and_amount(wager).1.is_positive()
            })
            .map(|(_, settled)| settled)
            .collect();
        let victim = *candidates.choose(&mut self.rng)?;
        let id = victim.id.as_str();
        let stake = dealt
            .wagers
            .iter()
            .find(|wager| wager["id"] == id)
            .map(|wager| seat_and_amount(wager).1)?;
        let at = payments
            .iter()
            .rposition(|(_, body)| wager_of(body) == Some(id))?;
        let index = dealt.wagers.iter().position(|wager| wager["id"] == id);
        let is_lifted = index.is_some_and(|index| dealt.lifted.contains(&index));
        let mut part = Cents::new(self.rng.random_range(1..=(victim.win.get() / 100).max(1)) * 50);
        if kind == FaultKind::Collusion {
            part = Cents::new(part.get().min(LITTLE));
            let wager = index.and_then(|index| dealt.wagers.get(index));
            self.mischief.friend = wager.map(|wager| seat_and_amount(wager).0);
        }
        if is_lifted && part == stake {
            // A prize less its stake is a way to tell the prize.
            part = Cents::new(part.get() / 2);
        }
        let won = index.and_then(|index| dealt.wagers[index]["kind"].as_str());
        let is_share = won.is_some_and(|won| self.game.keeps_stake(won)) && is_tenth(dealt, victim);
        let (amount, mut codes) = match (kind, &mut payments[at].1) {
            (FaultKind::Overpaid | FaultKind::Collusion, Body::WagerPaid(paid)) => {
                paid.amount += part;
                (part, vec!["pay.over"])
            }
            (FaultKind::Underpaid, Body::WagerPaid(paid)) => {
                paid.amount -= part;
                (-part, vec!["pay.under"])
            }
            (FaultKind::Unpaid | FaultKind::EnvyUnpaid, _) => {
                payments.remove(at);
                let owed = match is_lifted {
                    true => victim.returned,
                    false => victim.returned - stake,
                };
                (-owed, vec!["pay.unpaid"])
            }
            (FaultKind::WrongCommission, _)
                if index.is_some_and(|index| dealt.prepaid.contains(&index)) =>
            {
                // Of a stake that was lowered, no event tells what of its fee went back.
                let index = index.filter(|&at| dealt.wagers[at].get("changes").is_none())?;
                let fee = fees.get_mut(&index)?;
                *fee = Cents::new(fee.get() / 2);
                (victim.commission - *fee, vec!["commission.wrong"])
            }
            (FaultKind::WrongCommission, Body::WagerPaid(paid)) => {
                let half = Cents::new((victim.commission.get() / 2).max(1));
                paid.commission = Some(half);
                (victim.commission - half, vec!["commission.wrong"])
            }
            (FaultKind::UnduePaid, body) => {
                *body = WagerPaid {
                    wager: id.to_owned(),
                    amount: stake,
                    commission: None,
                }
                .into();
                (stake.times(2), vec!["pay.undue"])
            }
            (FaultKind::Uncollected, _) => {
                payments.remove(at);
                (stake, vec!["pay.uncollected"])
            }
            _ => return None,
        };
        if is_share && matches!(codes[0], "pay.over" | "pay.under") {
            codes.push("progressive.meter_mismatch");
        }
        Some(self.label(kind, round, Some(id), amount, codes))
    }

    /// Pays a stake of a round that will be called off.
    pub(in crate::table) fn pay_before_void(
        &mut self,
        round: &str,
        dealt: &Dealt,
    ) -> Option<Label> {
        let is_plain = |wager: &&Value| {
            let kind = wager["kind"].as_str().unwrap_or_default();
            !self.game.keeps_stake(kind) && seat_and_amount(wager).1.is_positive()
        };
        let wager = dealt.wagers.iter().find(is_plain)?;
        let id = wager["id"].as_str()?.to_owned();
        let amount = seat_and_amount(wager).1;
        let paid = WagerPaid {
            wager: id.clone(),
            amount,
            commission: None,
        };
        self.send(Some(round), paid.into());
        let codes = vec!["pay.over"];
        Some(self.label(FaultKind::VoidedPayment, round, Some(&id), amount, codes))
    }

    /// Declares a round void that is over.
    pub(in crate::table) fn void_late(&mut self, round: &str) -> Label {
        let reason = Some("misdeal".to_owned());
        self.send(Some(round), RoundVoided { reason }.into());
        let codes = vec!["round.late_void"];
        self.label(FaultKind::LateVoid, round, None, Cents::ZERO, codes)
    }

    /// Pays a winner by another row of his pay table.
    pub(in crate::table) fn misread_row(
        &mut self,
        rulebook: &Rulebook,
        round: &str,
        dealt: &Dealt,
        settlement: &Settlement,
        payments: &mut [(usize, Body)],
    ) -> Option<Label> {
        let mut wrong: Vec<(usize, String, Cents)> = Vec::new();
        for (index, (wager, settled)) in dealt.wagers.iter().zip(settlement.wagers()).enumerate() {
            let kind = wager["kind"].as_str().unwrap_or_default();
            let is_won = settled.result == Verdict::Win && settled.win.is_positive();
            let charged = settled.commission != Cents::ZERO;
            if !is_won || charged || dealt.lifted.contains(&index) {
                continue;
            }
            let (_, stake) = seat_and_amount(wager);
            let at = payments.iter().rposition(|(_, body)| {
                matches!(body, Body::WagerPaid(_)) && wager_of(body) == Some(settled.id.as_str())
            });
            let Some(at) = at else { continue };
            let id = settled.id.to_string();
            let wins = self.rows(rulebook, kind).into_iter();
            let wins = wins.map(|odds| odds.win_on(stake, Rounding::Down(Cents::new(1))));
            let others = wins.filter(|win| win.is_positive() && *win != settled.win);
            wrong.extend(others.map(|win| (at, id.clone(), win)));
        }
        let (at, id, win) = wrong.choose(&mut self.rng)?.clone();
        let Body::WagerPaid(paid) = &mut payments[at].1 else {
            return None;
        };
        let amount = win - paid.amount;
        paid.amount = win;
        let code = match amount.is_positive() {
            true => "pay.over",
            false => "pay.under",
        };
        Some(self.label(FaultKind::WrongBonus, round, Some(&id), amount, vec![code]))
    }

    /// The odds of a kind of wager that pays by a scale.
    fn rows(&self, rulebook: &Rulebook, kind: &str) -> Vec<Odds> {
        let (Ok(game), Some(edition)) = (
            rulebook.game(self.game_name),
            Edition::from_name(self.edition),
        ) else {
            return Vec::new();
        };
        let mut wagers = game.book().wagers().iter();
        let wager = wagers.find(|wager| wager.kind == kind && wager.editions.holds(edition));
        let scales = wager.into_iter().flat_map(|wager| &wager.pays);
        let tables = scales.flat_map(|scale| {
            let tables = game.book().tables().iter();
            tables.filter(move |table| table.id == *scale && table.editions.holds(edition))
        });
        let rows = tables.flat_map(|table| &table.rows);
        rows.filter_map(|row| match row.pays {
            Pay::Odds(odds) => Some(odds),
            _ => None,
        })
        .collect()
    }
}

/// Is this as much as the least share of a meter?
fn is_tenth(dealt: &Dealt, settled: &Settled) -> bool {
    let mut meters = dealt.meters.iter().flatten();
    meters.any(|(_, stood)| settled.returned >= Cents::new(stood.get() / 10))
}
