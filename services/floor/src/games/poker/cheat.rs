//! What a dealer or a player of the poker room can do wrong.

use catwalk_events::body::{Body, Face, PotAwarded, WagerChanged, WagerPlaced, WagerPushed};
use catwalk_events::{Person, Role};
use catwalk_rules::floor::Cents;
use rand::RngExt;
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;
use serde_json::{Value, json};

use super::Poker;
use super::forms::Family;
use super::incidents::told;
use super::misdealt::{move_burn, show_out_of_order, string_bet, take_up_hand};
use super::misposts::has_left;
use super::words::announce;
use crate::fault::FaultKind;
use crate::games::Dealt;
use crate::games::holdem::{amount, decision};

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
                self.rake_wrongly(kind, dealt, payments)
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
                    by: Person::new(format!("p-{}", seat_of(wager)?), Role::Dealer),
                };
                payments.insert(0, changed.into());
                Some((Cents::ZERO, vec![code]))
            }
            _ => None,
        }
    }

    /// Rake twice or not at all; time of which one player pays half as much again, or is forgotten.
    fn rake_wrongly(
        &mut self,
        kind: FaultKind,
        dealt: &Dealt,
        payments: &mut Vec<Body>,
    ) -> Option<(Cents, Vec<&'static str>)> {
        let is_taken = |body: &Body| matches!(body, Body::RakeTaken(_));
        let at = payments.iter().position(is_taken)?;
        let is_twofold = payments.iter().filter(|body| is_taken(body)).count() > 1;
        let Body::RakeTaken(rake) = &mut payments[at] else {
            return None;
        };
        let due = rake.amount;
        // Time charges have their own words. 14(b)3
        if let Some(time) = self.sign.time.filter(|time| !time.beside_rake) {
            let seat = u32::try_from(dealt.play["seats"][0]["seat"].as_u64()?).ok()?;
            let (moved, code) = match kind {
                FaultKind::WrongCommission => (time.charge / 2, "time.over"),
                _ if time.per_table => (-time.charge / 2, "time.missed"),
                _ => (-time.charge, "time.missed"),
            };
            rake.amount += Cents::new(moved);
            if !time.per_table {
                *self.stacks.entry(seat).or_default() -= moved;
            }
            return Some((Cents::new(-moved), vec![code]));
        }
        // Beside a rake that was none the time may be left for later.
        if dealt.play["time_due"] == true && !is_twofold {
            return None;
        }
        if kind == FaultKind::WrongCommission {
            // As much may be what players who sit out are charged for their time.
            let time = self.sign.time;
            if time.is_some_and(|time| due.get() % time.charge == 0) {
                return None;
            }
            rake.amount = due.times(2);
            return Some((-due, vec!["rake.over"]));
        }
        payments.remove(at);
        Some((due, vec!["rake.under"]))
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
        match rng.random_range(0..18) {
            0 => self.skip_ante(dealt),
            1 => move_burn(dealt),
            2 => show_out_of_order(dealt),
            3 => string_bet(dealt, rng),
            4 | 5 => Some(self.call_off(dealt, rng)),
            6 => self.kill_card(dealt, rng),
            7 => self.owe_call(dealt),
            8 => self.check_after_bet(dealt),
            9 => self.announce_more(dealt),
            10 => self.expose_card(dealt),
            11 | 12 => self.fold_all_in(dealt),
            13..=15 => self.post_astray(dealt, rng),
            _ => take_up_hand(dealt),
        }
    }

    /// A misdeal that is noticed before anybody has acted: everything goes back. 15(e)
    fn call_off(&mut self, dealt: &mut Dealt, rng: &mut ChaCha8Rng) -> Vec<&'static str> {
        dealt.events.truncate(self.first_deal);
        let is_told = |body: &Body| !matches!(body, Body::Irregularity(_));
        dealt.events.retain(is_told);
        dealt.wagers.truncate(self.posts);
        dealt.added.clear();
        let seat = &dealt.play["seats"][0]["seat"];
        let (incident, code) = match rng.random_range(0..4) {
            0 => (
                json!({"kind": "face_up_in_deck", "cards": ["2C", "2D"]}),
                "deal.face_up_card",
            ),
            1 => (json!({"kind": "not_shuffled"}), "deck.not_shuffled"),
            2 => (
                json!({"kind": "wrong_start", "round": 0, "after": 0}),
                "deal.wrong_start",
            ),
            _ => (
                json!({"kind": "player_not_dealt", "seat": seat, "round": 0, "after": 0}),
                "deal.player_skipped",
            ),
        };
        let skipped = incident["seat"].as_u64();
        let is_dealt = |body: &Body| !matches!(body, Body::CardDealt(card) if card.seat.map(u64::from) == skipped);
        dealt.events.retain(is_dealt);
        let is_out = |body: &&Body| matches!(body, Body::CardDealt(_) | Body::CardBurned(_));
        self.decks
            .put_back(dealt.events.iter().filter(is_out).count());
        dealt.events.push(told(&incident));
        let play = &mut dealt.play;
        play["rounds"] = json!([[]]);
        play["incidents"] = json!([incident]);
        if let Some(play) = play.as_object_mut() {
            for key in ["board", "draws", "showdown", "burns", "time_due"] {
                play.remove(key);
            }
            play.insert("hands".into(), json!({}));
        }
        vec![code]
    }

    /// One card lies face up in the deck, or is dealt to somebody who does not play: it is dead, and they play
    /// on. 15(f), 15(h)
    fn kill_card(&mut self, dealt: &mut Dealt, rng: &mut ChaCha8Rng) -> Option<Vec<&'static str>> {
        if !dealt.play["incidents"].is_null() {
            return None;
        }
        let card = self.card_of_the_stub(&dealt.events)?;
        let (kind, code) = match rng.random_range(0..2) == 0 {
            true => ("face_up_in_deck", "deal.face_up_card"),
            false => ("dealt_to_ineligible", "deal.ineligible_player"),
        };
        let incident = json!({"kind": kind, "cards": [card]});
        dealt.insert(self.first_deal, told(&incident));
        dealt.play["incidents"] = json!([incident]);
        Some(vec![code])
    }

    /// A player says call and throws his hand away: he owes it. 15(j)2
    fn owe_call(&self, dealt: &mut Dealt) -> Option<Vec<&'static str>> {
        if self.form.family == Family::FiveCardStud {
            return None;
        }
        say_before(dealt, "fold", "call", |_, _| true)?;
        Some(vec!["wager.obligation_unpaid"])
    }

    /// A player says bet and knocks; nobody has bet before him. 15(j)
    fn check_after_bet(&self, dealt: &mut Dealt) -> Option<Vec<&'static str>> {
        if self.form.family == Family::FiveCardStud {
            return None;
        }
        let is_check = |action: &Value| action["act"] == "check";
        say_before(dealt, "check", "bet", |round, before| {
            round > 0 && before.iter().all(is_check)
        })?;
        Some(vec!["action.against_word"])
    }

    /// A player puts in less than he said he would bet. 7(e)
    fn announce_more(&self, dealt: &mut Dealt) -> Option<Vec<&'static str>> {
        let put_in = |seat: &Value| -> i64 {
            let of_seat = dealt.wagers.iter().filter(|wager| wager["seat"] == *seat);
            of_seat.map(amount).sum()
        };
        let seats = dealt.play["seats"].as_array()?;
        let has_more = |seat: &Value| {
            let mut seats = seats.iter().filter(|entry| entry["seat"] == *seat);
            seats.any(|entry| entry["stack"].as_i64() >= Some(put_in(seat) + 100))
        };
        let rounds = dealt.play["rounds"].as_array()?.iter().enumerate();
        let mut actions = rounds.skip(1).flat_map(|(round, actions)| {
            let actions = actions.as_array().into_iter().flatten();
            actions.map(move |action| (round, &action["id"]))
        });
        let at = actions.find_map(|(round, id)| {
            let at = dealt.wagers.iter().position(|wager| wager["id"] == *id)?;
            let wager = &dealt.wagers[at];
            let said = amount(wager) + 100;
            let is_within = match self.limits(round).1 {
                Some(most) => said <= most,
                None => !self.sign.pot_limit,
            };
            // What follows a spoken bet belongs to it.
            let before = at.checked_sub(1).map(|before| &dealt.wagers[before]);
            let follows = before.is_some_and(|before| {
                before["seat"] == wager["seat"] && !before["verbal"].is_null()
            });
            let is_bet = wager["kind"] == "bet" && wager["verbal"].is_null() && !follows;
            (is_bet && is_within && has_more(&wager["seat"])).then_some(at)
        })?;
        let said = amount(&dealt.wagers[at]) + 100;
        dealt.wagers[at]["announced"] = json!(said);
        Some(vec!["wager.announced_mismatch"])
    }

    /// A card that has to be dealt unseen is turned up, where the table knows it anyhow. 6(e)(2)
    fn expose_card(&self, dealt: &mut Dealt) -> Option<Vec<&'static str>> {
        if !self.amended || !self.reader || self.form.is_stud() {
            return None;
        }
        let mut events = dealt.events.iter_mut();
        events.find_map(|body| match body {
            Body::CardDealt(card) if card.seat.is_some() => {
                card.face = Face::Up;
                Some(vec!["deal.card_exposed"])
            }
            _ => None,
        })
    }

    /// A player who has put in all his chips throws his hand away; nobody has asked him. 15(a), 15(d)
    fn fold_all_in(&self, dealt: &mut Dealt) -> Option<Vec<&'static str>> {
        // What was drawn nobody knows of who shows nothing.
        if self.form.family == Family::Draw {
            return None;
        }
        let shown = dealt.play["showdown"].as_array()?.iter();
        let seat = shown
            .filter_map(seat_of)
            .find(|&seat| !has_left(dealt, seat, 0))?;
        let shows = |body: &Body| match body {
            Body::Decision(said) => said.action == "show" || said.action == "muck",
            _ => false,
        };
        let first = dealt.events.iter().position(shows)?;
        let is_his = |body: &Body| match body {
            Body::Decision(said) => said.seat == seat,
            Body::CardRevealed(shown) => shown.seat == Some(seat),
            _ => false,
        };
        for at in (first..dealt.events.len()).rev() {
            if is_his(&dealt.events[at]) {
                dealt.remove(at);
            }
        }
        dealt.insert(first, decision(seat, "fold"));
        let rounds = dealt.play["rounds"].as_array_mut()?;
        let last = rounds.last_mut()?.as_array_mut()?;
        last.push(json!({"seat": seat, "act": "fold"}));
        let shown = dealt.play["showdown"].as_array_mut()?;
        shown.retain(|entry| entry["seat"] != seat);
        if shown.len() < 2 {
            dealt.play.as_object_mut()?.remove("showdown");
        }
        if !self.reader {
            let hand = &mut dealt.play["hands"][seat.to_string()];
            match hand {
                Value::Object(hand) => drop(hand.insert("down".into(), Value::Null)),
                hand => *hand = Value::Null,
            }
        }
        Some(vec!["action.not_due"])
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
        let made_good = std::mem::take(&mut dealt.made_good).into_iter();
        let moved = made_good.map(|(index, first)| (index - usize::from(index > at), first));
        dealt.made_good = moved.collect();
        Some(vec!["ante.missing"])
    }
}

/// A player says something before the first of these acts that will do: of the betting round, and of the actions before
/// it there.
fn say_before(
    dealt: &mut Dealt,
    act: &str,
    word: &str,
    is_right: impl Fn(usize, &[Value]) -> bool,
) -> Option<()> {
    let rounds = dealt.play["rounds"].as_array()?;
    let mut acts = 0;
    let mut found = None;
    for (round, actions) in rounds.iter().enumerate() {
        let actions = actions.as_array()?;
        for (at, action) in actions.iter().enumerate() {
            if action["act"] != act || found.is_some() {
                continue;
            }
            if is_right(round, &actions[..at]) {
                found = Some((round, at, acts));
            }
            acts += 1;
        }
    }
    let (round, at, nth) = found?;
    let mut said = (0..dealt.events.len())
        .filter(|&at| matches!(&dealt.events[at], Body::Decision(said) if said.action == act));
    let event = said.nth(nth)?;
    let action = &mut dealt.play["rounds"][round][at];
    action["verbal"] = json!(word);
    let seat = seat_of(action)?;
    dealt.insert_right_before(event, announce(seat, word, None));
    Some(())
}

pub(super) fn seat_of(wager: &Value) -> Option<u32> {
    wager["seat"]
        .as_u64()
        .and_then(|seat| u32::try_from(seat).ok())
}
