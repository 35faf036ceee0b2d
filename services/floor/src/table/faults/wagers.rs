//! Wagers that are made, raised or lowered when the outcome is known.

use catwalk_events::body::{Body, WagerChanged, WagerPushed};
use catwalk_events::{Person, Role};
use catwalk_rules::floor::Cents;
use catwalk_rules::{Settlement, Verdict};
use rand::seq::IndexedRandom;
use serde_json::{Value, json};

use crate::fault::{FaultKind, Label};
use crate::games::Dealt;
use crate::table::Table;
use crate::table::payments::seat_and_amount;

/// Wagers that no player can slip in, raise or lower: the dealer makes them, or they stand for a role.
pub(in crate::table) const NOT_BET: [&str; 4] =
    ["house_money_press", "bank", "dealer_vs_bank", "envy"];

impl Table {
    /// Adds, raises or lowers a wager when the outcome is known.
    pub(in crate::table) fn tamper(
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
        let by = Person::new(format!("p-{seat}"), Role::Dealer);
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
}
