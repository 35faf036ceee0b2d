//! Envy: a bonus for the hand of another player that is missing, or that was paid for a hand that gives none.

use catwalk_rules::Verdict;
use catwalk_rules::floor::{Card, Cents};
use serde_json::{Map, Value, json};

use super::causes::Case;
use super::table::at;
use super::{Form, Stud};
use crate::fault::Fault;
use crate::games::End;
use crate::judge::due;
use crate::round::WagerFold;

impl Stud {
    /// Is a wrong prize explained by envy: by a bonus that is missing, or by one for a hand that gives
    /// this player none?
    pub(super) fn check_envy(&self, end: &End<'_>, case: &Case<'_>, faults: &mut Vec<Fault>) {
        let (Some(prizes), Some(document)) = (&self.prizes, end.document) else {
            return;
        };
        if case.wager.kind != "progressive" || case.wager.pushed.is_some() {
            return;
        }
        let envy = |hand: Vec<Value>| self.envy_of(end, document, case.wager, &hand);
        let others = self.hands_of(document, |seat| seat != case.wager.seat);
        let others: Vec<Cents> = others.into_iter().map(envy).collect();
        let all: Cents = others.iter().copied().sum();
        // Whether the chip was lifted may not have been told.
        let stake = case.wager.amount;
        let explains = |envy: Cents, difference: Cents| {
            let told = [difference - stake, difference, difference + stake];
            envy.is_positive() && told.contains(&envy)
        };
        if case.is_over() {
            let own = self.hands_of(document, |seat| seat == case.wager.seat);
            let dealer = document["play"]["dealer"].as_array();
            let dealer = dealer.map(|cards| cards.iter().take(self.laid.hand).cloned().collect());
            let of_nobody_else = own.into_iter().chain(dealer).map(envy);
            let mut given = others.into_iter().chain([all]).chain(of_nobody_else);
            if given.any(|envy| explains(envy, case.exposure)) {
                faults.push(case.fault(prizes.envy_undue));
            }
        } else if let Some(code) = prizes.envy_missed {
            let mut missing = others.into_iter().chain([all]);
            if case.is(Verdict::Win) && missing.any(|envy| explains(envy, -case.exposure)) {
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
        let mains = || end.round.wagers.iter().filter(|w| w.kind == self.laid.main);
        let plays = |wager: &&WagerFold| {
            let last = self.laid.later.last().copied().unwrap_or(self.laid.main);
            at(end.round, wager.seat, last).is_some()
        };
        let Some(model) = mains().find(plays).or_else(|| mains().next()) else {
            return Cents::ZERO;
        };
        let used = [hand, &self.hands_of(document, |_| true).concat()].concat();
        let unused = Card::deck().map(|card| json!(card.to_string()));
        let unused = unused.filter(|card| !used.contains(card));
        let plain: Vec<Value> = unused.take(self.laid.hand).collect();
        let prize = |seats: &[(u32, &[Value])]| {
            let stage = self.stage(document, model, envious.amount, seats);
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

    /// The document with these hands alone, each staked like that of the model, which stays in; the second seat has
    /// a progressive wager.
    fn stage(
        &self,
        document: &Value,
        model: &WagerFold,
        chip: Cents,
        seats: &[(u32, &[Value])],
    ) -> Value {
        let of_model =
            |wager: &&Value| wager["seat"] == model.seat && wager["kind"] != "progressive";
        let models: Vec<&Value> = document["wagers"]
            .as_array()
            .into_iter()
            .flatten()
            .filter(of_model)
            .collect();
        let mut wagers =
            vec![json!({"id": ENVIOUS, "seat": 2, "kind": "progressive", "amount": chip})];
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
            // What a seat that gave up did not put up.
            let stake = model.amount.times(self.laid.multiple.unwrap_or(1));
            let has = |kind: &str| models.iter().any(|wager| wager["kind"] == kind);
            let untold = self.laid.later.iter().filter(|kind| !has(kind));
            wagers.extend(untold.map(|kind| {
                json!({"id": format!("{kind}/{seat}"), "seat": seat, "kind": kind, "amount": stake,
                    "on": format!("{}/{seat}", model.id)})
            }));
        }
        let mut stage = document.clone();
        stage["wagers"] = json!(wagers);
        // Envy belongs to one table of caribbean stud alone.
        if self.game == "caribbean_stud" {
            stage["options"]["progressive_paytable"] = json!("D");
        } else {
            // Whether its chip is a wager at all is another question.
            stage["options"]["progressive_bet"] = json!(chip);
        }
        // What the hands win themselves is the same with and without the other.
        let mut play = Map::from_iter([("meters".to_owned(), json!({"progressive": 0}))]);
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
