//! What goes wrong in the dealing, the betting and the showing of a hand that was lawful.

use catwalk_events::body::Body;
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;
use serde_json::{Value, json};

use super::incidents::told;
use crate::games::Dealt;

/// The dealer takes up the protected hand of a player who would have folded: his chips go back. 15(i)3
pub(super) fn take_up_hand(dealt: &mut Dealt) -> Option<Vec<&'static str>> {
    if !dealt.play["incidents"].is_null() {
        return None;
    }
    let rounds = dealt.play["rounds"].as_array()?;
    let mut folds = 0;
    let mut found = None;
    for (round, actions) in rounds.iter().enumerate() {
        for (after, action) in actions.as_array()?.iter().enumerate() {
            if action["act"] == "fold" && found.is_none() {
                found = (after > 0).then_some((round, after, folds));
                folds += 1;
            }
        }
    }
    let (round, after, nth) = found?;
    let mut said = (0..dealt.events.len())
        .filter(|&at| matches!(&dealt.events[at], Body::Decision(said) if said.action == "fold"));
    let at = said.nth(nth)?;
    let actions = dealt.play["rounds"][round].as_array_mut()?;
    let seat = actions.remove(after)["seat"].clone();
    let incident = json!({"kind": "hand_collected", "seat": seat, "round": round, "after": after,
        "protected": true});
    dealt.events[at] = told(&incident);
    dealt.play["incidents"] = json!([incident]);
    Some(vec!["deal.protected_hand_collected"])
}

/// Two cards are burned before one deal and none before another.
pub(super) fn move_burn(dealt: &mut Dealt) -> Option<Vec<&'static str>> {
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
pub(super) fn show_out_of_order(dealt: &mut Dealt) -> Option<Vec<&'static str>> {
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
pub(super) fn string_bet(dealt: &mut Dealt, rng: &mut ChaCha8Rng) -> Option<Vec<&'static str>> {
    let rounds = dealt.play["rounds"].as_array()?;
    let mut bets: Vec<(usize, usize)> = Vec::new();
    for (round, actions) in rounds.iter().enumerate() {
        for (at, action) in actions.as_array()?.iter().enumerate() {
            // After words the next chips belong to the same bet. 7(g)1, 7(g)3
            let of_seat = |other: &Value| other["seat"] == action["seat"];
            let before = at.checked_sub(1).and_then(|before| actions.get(before));
            let is_alone = !before.is_some_and(of_seat);
            let more = actions.get(at + 1).is_some_and(|next| !of_seat(next));
            let made = dealt
                .wagers
                .iter()
                .find(|wager| wager["id"] == action["id"]);
            let is_silent = |said: &Value| said["verbal"].is_null() && said["announced"].is_null();
            let is_silent = is_silent(action) && made.is_some_and(is_silent);
            let voluntary =
                made.is_some_and(|wager| wager["kind"] == "bet" || wager["kind"] == "raise");
            if more && voluntary && is_alone && is_silent {
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
