//! What goes wrong on purpose: cards that are exchanged, wagers that are paid wrongly or touched when the
//! outcome is known, events that are lost on their way.

use std::collections::BTreeMap;

use catwalk_events::body::{Body, CardBurned, CardRevealed, WagerChanged, WagerPaid, WagerPushed};
use catwalk_events::{Person, Role};
use catwalk_rules::floor::Cents;
use catwalk_rules::{Settled, Settlement, Verdict};
use rand::RngExt;
use rand::seq::IndexedRandom;
use serde_json::{Value, json};

use super::Table;
use super::payments::{seat_and_amount, wager_of};
use crate::fault::{FaultKind, Label};
use crate::games::Dealt;

/// Wagers that no player can slip in, raise or lower: the dealer makes them, or they stand for a role.
pub(super) const NOT_BET: [&str; 4] = ["house_money_press", "bank", "dealer_vs_bank", "envy"];

impl Table {
    /// Exchanges a card on the table or lets one through that no deck of the game holds.
    pub(super) fn spoil_cards(
        &mut self,
        kind: FaultKind,
        dealt: &mut Dealt,
    ) -> Option<&'static str> {
        let is_named = |body: &Body| match body {
            Body::CardDealt(dealt) => dealt.card.is_some(),
            body => matches!(body, Body::CardRevealed(_)),
        };
        let named: Vec<usize> = (0..dealt.events.len())
            .filter(|&at| is_named(&dealt.events[at]))
            .collect();
        let at = *named.choose(&mut self.rng)?;
        let other = |card: &str| if card == "AS" { "KH" } else { "AS" }.to_owned();
        let (body, code): (Body, _) = match (kind, dealt.events[at].clone()) {
            (FaultKind::SwitchedCard, Body::CardDealt(victim)) => {
                let is_same = |body: &&Body| {
                    matches!(body, Body::CardDealt(other) if other.to == victim.to
                        && other.seat == victim.seat && other.hand == victim.hand)
                };
                let index = dealt.events[..at].iter().filter(is_same).count();
                let revealed = CardRevealed {
                    to: victim.to,
                    seat: victim.seat,
                    hand: victim.hand,
                    index: u32::try_from(index).ok()?,
                    card: other(&victim.card?),
                };
                (revealed.into(), "deck.switched_card")
            }
            (FaultKind::SwitchedCard, Body::CardRevealed(mut victim)) => {
                victim.card = other(&victim.card);
                (victim.into(), "deck.switched_card")
            }
            _ => {
                let foreign = CardBurned {
                    card: Some("XX".to_owned()),
                    back: None,
                };
                (foreign.into(), "deck.foreign_card")
            }
        };
        dealt.insert(at + 1, body);
        Some(code)
    }

    /// Pays or takes wrongly.
    pub(super) fn mispay(
        &mut self,
        kind: FaultKind,
        round: &str,
        dealt: &Dealt,
        settlement: &Settlement,
        payments: &mut Vec<(usize, Body)>,
        fees: &mut BTreeMap<usize, Cents>,
    ) -> Option<Label> {
        let suits = |settled: &Settled| match kind {
            FaultKind::Overpaid | FaultKind::Underpaid | FaultKind::Unpaid => {
                settled.result == Verdict::Win && settled.win.get() > 100
            }
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
        let candidates: Vec<&Settled> = dealt
            .wagers
            .iter()
            .zip(settlement.wagers())
            .enumerate()
            .filter(|(index, (wager, settled))| suits(settled) && !boxed(*index, wager))
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
        if is_lifted && part == stake {
            // A prize less its stake is a way to tell the prize.
            part = Cents::new(part.get() / 2);
        }
        let (amount, codes) = match (kind, &mut payments[at].1) {
            (FaultKind::Overpaid, Body::WagerPaid(paid)) => {
                paid.amount += part;
                (part, vec!["pay.over"])
            }
            (FaultKind::Underpaid, Body::WagerPaid(paid)) => {
                paid.amount -= part;
                (-part, vec!["pay.under"])
            }
            (FaultKind::Unpaid, _) => {
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
        Some(self.label(kind, round, Some(id), amount, codes))
    }

    /// Adds, raises or lowers a wager when the outcome is known.
    pub(super) fn tamper(
        &mut self,
        kind: FaultKind,
        round: &str,
        dealt: &Dealt,
        settlement: &Settlement,
    ) -> Option<Label> {
        let wanted = if kind == FaultKind::Pinched {
            Verdict::Lose
        } else {
            Verdict::Win
        };
        let is_bet = |wager: &Value| {
            let kind = wager["kind"].as_str();
            !kind.is_some_and(|kind| NOT_BET.contains(&kind))
        };
        let candidates: Vec<&Value> = dealt
            .wagers
            .iter()
            .zip(settlement.wagers())
            .filter(|(wager, settled)| settled.result == wanted && is_bet(wager))
            // A stake of nothing can be neither raised nor lowered.
            .filter(|(wager, _)| seat_and_amount(wager).1.is_positive())
            .map(|(wager, _)| wager)
            .collect();
        let wager = (*candidates.choose(&mut self.rng)?).clone();
        let (seat, stake) = seat_and_amount(&wager);
        let by = Person {
            id: format!("p-{seat}"),
            role: Role::Dealer,
        };
        let id = wager["id"].as_str()?.to_owned();
        let (body, code): (Body, _) = match kind {
            FaultKind::PastPosted => {
                let mut late = wager.clone();
                late["id"] = json!("late");
                let kind = wager["kind"].as_str().unwrap_or_default();
                (dealt.placed(&late).into(), self.game.late_code(kind))
            }
            FaultKind::Capped => {
                let amount = stake.times(2);
                (
                    WagerChanged {
                        wager: id.clone(),
                        amount,
                        by,
                    }
                    .into(),
                    "wager.capped",
                )
            }
            _ => {
                let amount = Cents::new(stake.get() / 2);
                (
                    WagerChanged {
                        wager: id.clone(),
                        amount,
                        by,
                    }
                    .into(),
                    "wager.pinched",
                )
            }
        };
        self.send(Some(round), body);
        let seq = self.seq;
        if kind == FaultKind::PastPosted {
            // Taken back in time: the audit saw it all the same.
            let pushed = WagerPushed {
                wager: "late".into(),
                amount: None,
            };
            self.send(Some(round), pushed.into());
        }
        // Where the game has a word of its own for a play wager out of time, that is said.
        let codes = match code {
            "wager.late" if wager["kind"] == "play" => vec![code, "wager.play_late"],
            _ => vec![code],
        };
        let mut label = self.label(kind, round, Some(&id), Cents::ZERO, codes);
        label.seqs = vec![seq];
        Some(label)
    }

    /// Loses, repeats or swaps events of the round on their way.
    pub(super) fn disturb(&mut self, kind: FaultKind, round: &str, first: u64) -> Option<Label> {
        let of_round: Vec<usize> = (0..self.outbox.len())
            .filter(|&at| self.outbox[at].seq >= first)
            .collect();
        let at = *of_round.get(self.rng.random_range(1..of_round.len() - 1))?;
        let seq = self.outbox[at].seq;
        let code = match kind {
            FaultKind::LostEvent => {
                self.outbox.remove(at);
                "feed.gap"
            }
            FaultKind::RepeatedEvent => {
                self.outbox.insert(at, self.outbox[at].clone());
                "feed.duplicate"
            }
            _ => {
                self.outbox.swap(at, at + 1);
                "feed.reordered"
            }
        };
        let mut label = self.label(kind, round, None, Cents::ZERO, vec![code]);
        label.seqs = vec![seq];
        Some(label)
    }
}

pub(super) fn is_of_payment(kind: FaultKind) -> bool {
    matches!(
        kind,
        FaultKind::Overpaid
            | FaultKind::Underpaid
            | FaultKind::Unpaid
            | FaultKind::UnduePaid
            | FaultKind::Uncollected
            | FaultKind::WrongCommission
    )
}

pub(super) fn is_of_cards(kind: FaultKind) -> bool {
    matches!(kind, FaultKind::SwitchedCard | FaultKind::ForeignCard)
}

pub(super) fn is_of_wager(kind: FaultKind) -> bool {
    matches!(
        kind,
        FaultKind::PastPosted | FaultKind::Capped | FaultKind::Pinched
    )
}

pub(super) fn is_of_feed(kind: FaultKind) -> bool {
    matches!(
        kind,
        FaultKind::LostEvent | FaultKind::RepeatedEvent | FaultKind::SwappedEvents
    )
}
