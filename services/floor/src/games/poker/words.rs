//! What players say of the chips that they put in. 7(d)-(g)

use catwalk_events::body::{Body, Decision};
use catwalk_rules::floor::Cents;
use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use serde_json::{Value, json};

use crate::games::Dealt;

/// What a player says of the chips that he puts in, if he says anything: the word, and the amount.
pub(super) fn say(kind: &'static str, amount: i64, rng: &mut ChaCha8Rng) -> Option<Words> {
    (rng.random_range(0..8) == 0).then(|| {
        let announced = (kind != "call" && rng.random_range(0..2) == 0).then_some(amount);
        let in_two = kind != "call" && amount >= 400 && rng.random_range(0..3) == 0;
        let is_short = announced.is_some() && !in_two && rng.random_range(0..3) == 0;
        Words {
            amount: announced,
            is_aloud: rng.random_range(0..2) == 0,
            in_two,
            short: is_short.then_some(100).filter(|short| *short < amount),
            change: 0,
        }
    })
}

/// A call with one chip that is larger than the bet: the change goes back. 7(i)
pub(super) fn one_chip(
    kind: &'static str,
    amount: i64,
    left: i64,
    rng: &mut ChaCha8Rng,
) -> Option<Words> {
    let chip = [500, 2_500, 10_000]
        .into_iter()
        .find(|&chip| chip > amount)?;
    let change = chip - amount;
    let is_so = kind == "call" && left > change && rng.random_range(0..12) == 0;
    is_so.then_some(Words {
        amount: None,
        is_aloud: false,
        in_two: false,
        short: None,
        change,
    })
}

pub(super) struct Words {
    amount: Option<i64>,
    /// The feed tells it as a decision of its own, too.
    is_aloud: bool,
    /// What he said he puts in by two motions. 7(g)
    in_two: bool,
    /// What is missing of the announced amount, until the dealer says so. 7(e)
    short: Option<i64>,
    /// What of the one chip that he puts in is too much.
    change: i64,
}

/// Chips go into the pot: the actions that this is.
pub(super) fn put_in(
    dealt: &mut Dealt,
    seat: u32,
    kind: &str,
    amount: i64,
    words: Option<Words>,
) -> Vec<Value> {
    let mut parts = vec![amount];
    if words.as_ref().is_some_and(|words| words.in_two) {
        let first = amount / 200 * 100;
        parts = vec![first, amount - first];
    }
    if let Some(words) = words.as_ref().filter(|words| words.is_aloud) {
        dealt.events.push(announce(seat, kind, words.amount));
    }
    let mut made = Vec::new();
    for (part, &amount) in parts.iter().enumerate() {
        let change = words.as_ref().map_or(0, |words| words.change);
        let index = dealt.bet(seat, kind, amount + change);
        if change > 0 {
            dealt.wagers[index]["single_chip"] = json!(true);
        }
        if let Some(words) = words.as_ref().filter(|_| part == 0 && change == 0) {
            if let Some(short) = words.short {
                dealt.made_good.insert(index, Cents::new(amount - short));
            }
            dealt.wagers[index]["verbal"] = json!(kind);
            if let Some(amount) = words.amount {
                dealt.wagers[index]["announced"] = json!(amount);
            }
        }
        dealt.added.push((index, dealt.events.len()));
        made.push(json!({"seat": seat, "act": "wager", "id": dealt.wagers[index]["id"]}));
    }
    made
}

/// A player says what he does, and perhaps how much.
pub(super) fn announce(seat: u32, word: &str, amount: Option<i64>) -> Body {
    Decision {
        seat,
        hand: None,
        action: word.to_owned(),
        amount: amount.map(Cents::new),
    }
    .into()
}
