//! What a dealer or a player of the poker room can do wrong.

use catwalk_events::body::{Body, PotAwarded, WagerChanged, WagerPlaced, WagerPushed};
use catwalk_events::{Person, Role};
use catwalk_rules::floor::Cents;
use rand::RngExt;
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;
use serde_json::{Value, json};

use super::Poker;
use crate::fault::FaultKind;
use crate::games::Dealt;
use crate::games::holdem::{amount, irregularity};

impl Poker {
    /// Pots pushed wrongly, rake taken wrongly, wagers moved when the hand is over.
    pub(super) fn steal(
        &mut self,
        kind: FaultKind,
        dealt: &Dealt,
        payments: &mut Vec<Body>,
        rng: &mut ChaCha8Rng,
    ) -> Option<(Cents, Vec<&'static str>)> {
        match kind {
            FaultKind::Overpaid
            | FaultKind::Underpaid
            | FaultKind::Unpaid
            | FaultKind::UnduePaid => self.push_wrongly(kind, payments, rng),
            FaultKind::Uncollected | FaultKind::WrongCommission => {
                let at = payments
                    .iter()
                    .position(|body| matches!(body, Body::RakeTaken(_)))?;
                let Body::RakeTaken(rake) = &mut payments[at] else {
                    return None;
                };
                let due = rake.amount;
                // Time charges have their own words: one player pays half as much again, or is forgotten. 14(b)3
                if let Some(charge) = self.sign.time {
                    let seat = u32::try_from(dealt.play["seats"][0]["seat"].as_u64()?).ok()?;
                    let (moved, code) = match kind {
                        FaultKind::WrongCommission => (charge / 2, "time.over"),
                        _ => (-charge, "time.missed"),
                    };
                    rake.amount += Cents::new(moved);
                    *self.stacks.entry(seat).or_default() -= moved;
                    return Some((Cents::new(-moved), vec![code]));
                }
                if kind == FaultKind::WrongCommission {
                    rake.amount = due.times(2);
                    return Some((-due, vec!["rake.over"]));
                }
                payments.remove(at);
                Some((due, vec!["rake.under"]))
            }
            FaultKind::PastPosted => {
                let wager = dealt.wagers.choose(rng)?;
                let seat = seat_of(wager)?;
                let late = WagerPlaced {
                    wager: "late".to_owned(),
                    seat,
                    player: None,
                    kind: "raise".to_owned(),
                    amount: Cents::new(100),
                    on: None,
                    detail: None,
                    form: None,
                    colour: None,
                };
                let back = WagerPushed {
                    wager: "late".to_owned(),
                    amount: None,
                };
                payments.extend([Body::from(late), back.into()]);
                let codes = vec!["action.not_due", "action.not_in_hand", "wager.string_bet"];
                Some((Cents::ZERO, codes))
            }
            FaultKind::Capped | FaultKind::Pinched => {
                let wager = dealt.wagers.choose(rng)?;
                let stake = amount(wager);
                let (amount, code) = match kind {
                    FaultKind::Capped => (stake * 2, "wager.capped"),
                    _ => (stake / 2, "wager.pinched"),
                };
                let changed = WagerChanged {
                    wager: wager["id"].as_str()?.to_owned(),
                    amount: Cents::new(amount),
                    by: Person {
                        id: format!("p-{}", seat_of(wager)?),
                        role: Role::Dealer,
                    },
                };
                payments.insert(0, changed.into());
                Some((Cents::ZERO, vec![code]))
            }
            _ => None,
        }
    }

    fn push_wrongly(
        &mut self,
        kind: FaultKind,
        payments: &mut Vec<Body>,
        rng: &mut ChaCha8Rng,
    ) -> Option<(Cents, Vec<&'static str>)> {
        let awards: Vec<(usize, PotAwarded)> = payments
            .iter()
            .enumerate()
            .filter_map(|(at, body)| match body {
                Body::PotAwarded(award) => Some((at, award.clone())),
                _ => None,
            })
            .collect();
        let (at, award) = awards.choose(rng)?.clone();
        // A part that no chips going back could explain.
        let part = Cents::new(rng.random_range(1..=award.amount.get().max(2) / 2) / 7 * 7 + 3);
        let mut moved = award.clone();
        let (amount, code) = match kind {
            FaultKind::Overpaid => {
                moved.amount += part;
                (part, "pot.over_award")
            }
            FaultKind::Underpaid => {
                moved.amount -= part;
                (-part, "pot.under_award")
            }
            FaultKind::Unpaid => {
                moved.amount = Cents::ZERO;
                (-award.amount, "pot.under_award")
            }
            _ => {
                let winners: Vec<u32> = awards.iter().map(|(_, award)| award.seat).collect();
                let mut others = self.stacks.keys().filter(|seat| !winners.contains(seat));
                moved.seat = *others.next()?;
                (award.amount, "pot.wrong_seat")
            }
        };
        *self.stacks.entry(award.seat).or_default() -= award.amount.get();
        *self.stacks.entry(moved.seat).or_default() += moved.amount.get();
        match moved.amount {
            Cents::ZERO => drop(payments.remove(at)),
            _ => payments[at] = moved.into(),
        }
        Some((amount, vec![code]))
    }

    /// A hand dealt or bet against the rules.
    pub(super) fn misdeal(
        &mut self,
        dealt: &mut Dealt,
        rng: &mut ChaCha8Rng,
    ) -> Option<Vec<&'static str>> {
        match rng.random_range(0..5) {
            0 => self.skip_ante(dealt),
            1 => move_burn(dealt),
            2 => show_out_of_order(dealt),
            3 => string_bet(dealt, rng),
            _ => Some(self.face_up(dealt)),
        }
    }

    /// Two cards lie face up in the deck: everything goes back. 15(e)3
    fn face_up(&mut self, dealt: &mut Dealt) -> Vec<&'static str> {
        dealt.events.truncate(self.first_deal);
        let is_out = |body: &&Body| matches!(body, Body::CardDealt(_) | Body::CardBurned(_));
        self.decks
            .put_back(dealt.events.iter().filter(is_out).count());
        dealt.wagers.truncate(self.posts);
        dealt.added.clear();
        let incident = json!({"code": "face_up_in_deck", "cards": ["2C", "2D"]});
        dealt.events.push(irregularity(&incident));
        let play = &mut dealt.play;
        play["rounds"] = json!([[]]);
        play["incidents"] = json!([{"kind": "face_up_in_deck", "cards": ["2C", "2D"]}]);
        if let Some(play) = play.as_object_mut() {
            for key in ["board", "draws", "showdown", "burns", "time_due"] {
                play.remove(key);
            }
            play.insert("hands".into(), json!({}));
        }
        vec!["deal.face_up_card"]
    }

    /// A player who has chips left is dealt in without the ante.
    fn skip_ante(&self, dealt: &mut Dealt) -> Option<Vec<&'static str>> {
        let put_in = |seat: &Value| -> i64 {
            let of_seat = dealt.wagers.iter().filter(|wager| wager["seat"] == *seat);
            of_seat.map(amount).sum()
        };
        let stack = |seat: &Value| {
            let seats = dealt.play["seats"].as_array()?;
            let entry = seats.iter().find(|entry| entry["seat"] == *seat)?;
            entry["stack"].as_i64()
        };
        let at = dealt.wagers.iter().position(|wager| {
            let seat = &wager["seat"];
            wager["kind"] == "ante" && stack(seat).is_some_and(|stack| stack > put_in(seat))
        })?;
        dealt.wagers.remove(at);
        for (index, _) in &mut dealt.added {
            *index -= usize::from(*index > at);
        }
        Some(vec!["ante.missing"])
    }
}

/// Two cards are burned before one deal and none before another.
fn move_burn(dealt: &mut Dealt) -> Option<Vec<&'static str>> {
    let burns: Vec<usize> = (0..dealt.events.len())
        .filter(|&at| matches!(dealt.events[at], Body::CardBurned(_)))
        .collect();
    let &[first, .., last] = burns.as_slice() else {
        return None;
    };
    let burned = dealt.remove(last);
    dealt.insert(first + 1, burned);
    let counts = dealt.play["burns"].as_array_mut()?;
    counts[0] = json!(2);
    *counts.last_mut()? = json!(0);
    Some(vec!["shoe.burn_count"])
}

/// The last bettor lets another one show first.
fn show_out_of_order(dealt: &mut Dealt) -> Option<Vec<&'static str>> {
    let last = dealt.play["rounds"].as_array()?.last()?.as_array()?.clone();
    let bet = |action: &Value| {
        let made = dealt
            .wagers
            .iter()
            .find(|wager| wager["id"] == action["id"]);
        made.is_some_and(|wager| wager["kind"] == "bet" || wager["kind"] == "raise")
    };
    let rounds = dealt.play["rounds"].as_array()?.len();
    let complete = dealt.play["showdown"]
        .as_array()
        .is_some_and(|shown| shown.len() > 1);
    if !complete || !last.iter().any(bet) || rounds < 2 {
        return None;
    }
    let said: Vec<usize> = (0..dealt.events.len())
        .filter(|&at| {
            matches!(&dealt.events[at], Body::Decision(said) if said.action == "show" || said.action == "muck")
        })
        .collect();
    let &[first, second, ..] = said.as_slice() else {
        return None;
    };
    dealt.events.swap(first, second);
    dealt.play["showdown"].as_array_mut()?.swap(0, 1);
    Some(vec!["showdown.order"])
}

/// A second motion after a bet that others have still to answer. 7(g)
fn string_bet(dealt: &mut Dealt, rng: &mut ChaCha8Rng) -> Option<Vec<&'static str>> {
    let rounds = dealt.play["rounds"].as_array()?;
    let mut bets: Vec<(usize, usize)> = Vec::new();
    for (round, actions) in rounds.iter().enumerate() {
        for (at, action) in actions.as_array()?.iter().enumerate() {
            let more = actions.get(at + 1).is_some();
            let made = dealt
                .wagers
                .iter()
                .find(|wager| wager["id"] == action["id"]);
            let voluntary =
                made.is_some_and(|wager| wager["kind"] == "bet" || wager["kind"] == "raise");
            if more && voluntary {
                bets.push((round, at));
            }
        }
    }
    let &(round, at) = bets.choose(rng)?;
    let first = dealt.play["rounds"][round][at].clone();
    let made = dealt
        .wagers
        .iter()
        .position(|wager| wager["id"] == first["id"])?;
    let &(_, after) = dealt.added.iter().find(|(index, _)| *index == made)?;
    let id = "second-motion";
    let place = dealt.added.iter().position(|(index, _)| *index == made)?;
    dealt.added.insert(place + 1, (dealt.wagers.len(), after));
    let second = json!({"id": id, "seat": first["seat"], "kind": "raise", "amount": 100});
    dealt.wagers.push(second);
    let actions = dealt.play["rounds"][round].as_array_mut()?;
    actions.insert(
        at + 1,
        json!({"seat": first["seat"], "act": "wager", "id": id}),
    );
    Some(vec!["wager.string_bet"])
}

fn seat_of(wager: &Value) -> Option<u32> {
    wager["seat"]
        .as_u64()
        .and_then(|seat| u32::try_from(seat).ok())
}
