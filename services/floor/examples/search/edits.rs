//! What is done to an honest stream: money moved against the rules, and what may cover it.

use std::collections::BTreeSet;

use catwalk_rules::{Refusal, Rulebook};
use serde_json::{Value, json};

use super::late;

/// One of every event type.
const SAMPLES: &str = include_str!("../../../../schemas/samples.jsonl");
/// What is moved against the rules, in cents.
const MOVED: i64 = 50_000;
/// No wager of the floor has this name.
const NOBODYS: &str = "w-none";
/// In the place of a number: this event has the number of the one before it.
pub(crate) const AGAIN: &str = "again";

/// A change of an honest stream, at the place of one of its events.
pub(crate) struct Edit {
    pub(crate) at: usize,
    pub(crate) change: Change,
}

pub(crate) enum Change {
    /// This comes in its place.
    Replace(Value),
    /// It does not come.
    Remove,
    /// This comes before it.
    Before(Value),
}

/// Money moved, and how.
pub(crate) struct Moved {
    pub(crate) how: &'static str,
    /// The kind of the bet, and of the event.
    pub(crate) of: String,
    pub(crate) edit: Edit,
    /// What belongs to it.
    pub(crate) more: Vec<Edit>,
    /// A stake of a kind that the house takes in before the deal is not told as taken.
    pub(crate) is_of_box: bool,
}

/// Every word for an irregularity that any game's sample rounds have.
pub(crate) fn words(rulebook: &Rulebook) -> Vec<String> {
    let mut words: BTreeSet<String> = ["dispute", "round void", "misdeal", "card_exposed"]
        .into_iter()
        .map(str::to_owned)
        .collect();
    let examples = rulebook.games().flat_map(|game| game.examples().lines());
    for example in examples.filter_map(|line| serde_json::from_str::<Value>(line).ok()) {
        let play = &example["document"]["play"];
        let listed = play["irregularities"].as_array().into_iter().flatten();
        for one in listed.chain([&play["irregularity"], &play["void"]]) {
            let word = [one, &one["code"], &one["kind"]].map(Value::as_str);
            words.extend(word.into_iter().flatten().map(str::to_owned));
        }
    }
    words.into_iter().collect()
}

/// The kinds of bets that go into the house's box before the deal.
pub(crate) fn boxed(rulebook: &Rulebook, game: &str) -> Result<Vec<String>, Refusal> {
    let wagers = rulebook.game(game)?.book().wagers().iter();
    let boxed = wagers.filter(|wager| wager.stake_stays);
    Ok(boxed.map(|wager| wager.kind.clone()).collect())
}

/// Money against the rules, in every round but the first and the last.
pub(crate) fn moves(honest: &[&Value], boxed: &[String]) -> Vec<Moved> {
    let rounds = rounds(honest);
    let inner = rounds.get(1..rounds.len().saturating_sub(1));
    let inner = inner.unwrap_or_default();
    let mut moves = Vec::new();
    for (at, event) in honest.iter().enumerate() {
        if !inner.contains(&&event["round"]) {
            continue;
        }
        let stake = placed(honest, event)["amount"].as_i64();
        for (how, change) in moves_of(event, stake.unwrap_or_default()) {
            let is_of_box = matches!(change, Change::Remove)
                && event["body"]["type"] == "wager_collected"
                && boxed
                    .iter()
                    .any(|kind| placed(honest, event)["kind"] == kind.as_str());
            if matches!(change, Change::Remove) && is_told_otherwise(honest, event) {
                continue;
            }
            let kind = placed(honest, event)["kind"].as_str();
            moves.push(Moved {
                how,
                of: kind.unwrap_or("no bet").to_owned(),
                edit: Edit { at, change },
                more: Vec::new(),
                is_of_box,
            });
        }
        moves.extend(late::after_result(honest, at, stake.unwrap_or_default()));
    }
    moves
}

/// The bet that an event of its round is about, as it was made; nothing for one that is about none.
pub(super) fn placed<'a>(honest: &[&'a Value], event: &Value) -> &'a Value {
    let mut placed = honest.iter().filter(|other| {
        other["body"]["type"] == "wager_placed"
            && other["round"] == event["round"]
            && other["body"]["wager"] == event["body"]["wager"]
    });
    placed.next().map_or(&Value::Null, |placed| &placed["body"])
}

/// Does another event tell of the same chips? What is added to a bet lies on its stack and is taken with it, and what
/// is won and added to a bet was paid.
fn is_told_otherwise(honest: &[&Value], event: &Value) -> bool {
    let mut presses = honest.iter().filter(|other| {
        other["round"] == event["round"] && other["body"]["kind"] == "house_money_press"
    });
    presses.any(|press| {
        let press = &press["body"];
        let wager = &event["body"]["wager"];
        match event["body"]["type"].as_str() {
            Some("wager_paid") => press["detail"]["from"] == *wager,
            Some("wager_collected") => press["wager"] == *wager,
            _ => false,
        }
    })
}

/// Does a loser keep the stake by this, so that it could still be taken at this place?
fn is_kept(moved: &Edit, at: usize) -> bool {
    match &moved.change {
        Change::Remove => true,
        Change::Replace(event) => event["body"]["type"] == "wager_pushed" && at > moved.at,
        Change::Before(_) => false,
    }
}

/// What can be done to the money of one event about a bet of this stake.
fn moves_of(event: &Value, stake: i64) -> Vec<(&'static str, Change)> {
    let body = &event["body"];
    let wager = &body["wager"];
    let replaced = |body: Value| Change::Replace(with_body(event, body));
    let with_amount = |amount: i64| {
        let mut other = body.clone();
        other["amount"] = json!(amount);
        replaced(other)
    };
    let amount = body["amount"].as_i64().unwrap_or_default();
    let paid = |amount| json!({"type": "wager_paid", "wager": wager, "amount": amount});
    let taken = |amount| json!({"type": "wager_collected", "wager": wager, "amount": amount});
    let back = |amount| json!({"type": "wager_pushed", "wager": wager, "amount": amount});
    // Of a bank and of a marker, on which nothing lies, nothing moves unless it is said how much.
    let (all_taken, all_back) = match stake {
        0 => (taken(MOVED), back(MOVED)),
        _ => (
            json!({"type": "wager_collected", "wager": wager}),
            json!({"type": "wager_pushed", "wager": wager}),
        ),
    };
    match body["type"].as_str().unwrap_or_default() {
        "wager_paid" => vec![
            ("a win is paid too high", with_amount(amount + MOVED)),
            ("a win is paid twice over", with_amount(amount * 2)),
            ("half a win is paid", with_amount(amount / 2)),
            ("a winner is taken", replaced(all_taken)),
            ("a winner is not paid", Change::Remove),
        ],
        "wager_collected" => {
            let mut moves = vec![
                ("a loser is paid", replaced(paid(MOVED))),
                ("a loser gets the stake back", replaced(all_back)),
                ("more than a loser is taken", replaced(taken(stake + MOVED))),
            ];
            if stake > 0 {
                moves.push(("a loser keeps the stake", Change::Remove));
            }
            moves
        }
        "wager_pushed" => vec![
            ("a push is paid", replaced(paid(MOVED))),
            ("a push is taken", replaced(all_taken)),
            ("more than a push goes back", replaced(back(stake + MOVED))),
        ],
        "commission_collected" => vec![
            ("too much commission is taken", with_amount(amount + MOVED)),
            ("a commission is not taken", Change::Remove),
        ],
        "jackpot_paid" => vec![
            ("a jackpot is paid too high", with_amount(amount + MOVED)),
            ("a jackpot is not paid", Change::Remove),
        ],
        "rake_taken" => vec![
            ("too much rake is taken", with_amount(amount + MOVED)),
            ("no rake is taken", Change::Remove),
        ],
        "pot_awarded" => vec![
            ("half a pot is kept", with_amount(amount / 2)),
            ("more than a pot is given", with_amount(amount + MOVED)),
            ("a pot is kept", Change::Remove),
        ],
        "round_closed" => {
            let paid = json!({"type": "wager_paid", "wager": NOBODYS, "amount": MOVED});
            let more = Change::Before(another(event, paid));
            vec![("a bet that nobody made is paid", more)]
        }
        _ => Vec::new(),
    }
}

fn with_body(event: &Value, body: Value) -> Value {
    let mut other = event.clone();
    other["body"] = body;
    other
}

/// One more event beside this one.
pub(super) fn another(event: &Value, body: Value) -> Value {
    let mut other = with_body(event, body);
    other["id"] = json!(format!("{}-more", event["id"].as_str().unwrap_or_default()));
    other
}

/// The rounds of a stream in their order.
fn rounds<'a>(stream: &[&'a Value]) -> Vec<&'a Value> {
    let mut rounds: Vec<&Value> = Vec::new();
    for round in stream.iter().map(|event| &event["round"]) {
        if round.is_string() && !rounds.contains(&round) {
            rounds.push(round);
        }
    }
    rounds
}

/// The event of a stream with its money moved; `None` where that is not told at all.
fn told(moved: &Edit) -> Option<&Value> {
    match &moved.change {
        Change::Replace(event) | Change::Before(event) => Some(event),
        Change::Remove => None,
    }
}

impl Moved {
    pub(crate) fn edits(&self) -> impl Iterator<Item = &Edit> {
        [&self.edit].into_iter().chain(&self.more)
    }
}

impl Edit {
    /// Does it change the event at its place, and not what comes before it?
    pub(crate) fn is_of_event(&self) -> bool {
        !matches!(self.change, Change::Before(_))
    }

    fn again(&self) -> Edit {
        let change = match &self.change {
            Change::Replace(event) => Change::Replace(event.clone()),
            Change::Before(event) => Change::Before(event.clone()),
            Change::Remove => Change::Remove,
        };
        Edit {
            at: self.at,
            change,
        }
    }
}

/// Every second edit: what it is called, and both together.
pub(crate) fn covers(
    honest: &[&Value],
    moved: &Edit,
    words: &[String],
) -> Vec<(String, Vec<Edit>)> {
    let mut covers = Vec::new();
    put_in(honest, moved, words, &mut covers);
    leave_out(honest, moved, &mut covers);
    disguise(honest, moved, &mut covers);
    covers
}

/// Is this an event of the round that money moved in?
fn is_of_round(honest: &[&Value], moved: &Edit, other: &Value) -> bool {
    other["round"] == honest[moved.at]["round"]
}

/// An event of every type, and an irregularity in every word, at every kind of place.
fn put_in(
    honest: &[&Value],
    moved: &Edit,
    words: &[String],
    covers: &mut Vec<(String, Vec<Edit>)>,
) {
    let event = told(moved).unwrap_or(honest[moved.at]);
    let last = honest
        .iter()
        .rposition(|other| is_of_round(honest, moved, other));
    let last = last.unwrap_or(moved.at);
    let places = [
        ("before it", moved.at),
        ("after it", moved.at + 1),
        ("before the round's end", last),
        ("after the round's end", last + 1),
    ];
    let stake = &placed(honest, honest[moved.at])["amount"];
    let mut add = |what: &str, body: &Value, in_round: bool| {
        for (place, at) in places.iter().filter(|(_, at)| *at < honest.len()) {
            let mut new = another(honest[at - 1], body.clone());
            if let Some(new) = new.as_object_mut() {
                new.remove("round");
            }
            if in_round {
                new["round"] = event["round"].clone();
            }
            let cover = Edit {
                at: *at,
                change: Change::Before(new),
            };
            let both = match *at == moved.at {
                true => vec![cover, moved.again()],
                false => vec![moved.again(), cover],
            };
            // Who takes a loser after all hides nothing.
            let is_taken = body["type"] == "wager_collected" && body["amount"] == *stake;
            if !(is_taken && is_kept(moved, *at)) {
                covers.push((format!("{what} {place}"), both));
            }
        }
    };
    for sample in SAMPLES.lines() {
        let Ok(sample) = serde_json::from_str::<Value>(sample) else {
            continue;
        };
        let mut body = sample["body"].clone();
        for key in ["wager", "seat"] {
            if body.get(key).is_some() && event["body"].get(key).is_some() {
                body[key] = event["body"][key].clone();
            }
        }
        let name = body["type"].as_str().unwrap_or_default().to_owned();
        add(&name, &body, sample["round"].is_string());
    }
    for word in words {
        let body = json!({"type": "irregularity", "kind": word, "ruling": "it stands"});
        add(&format!("the irregularity {word:?}"), &body, true);
    }
}

/// Every other event of the round left out, or come after its end, or with its card unseen.
fn leave_out(honest: &[&Value], moved: &Edit, covers: &mut Vec<(String, Vec<Edit>)>) {
    let last = honest
        .iter()
        .rposition(|other| is_of_round(honest, moved, other));
    for (at, other) in honest.iter().enumerate() {
        if !is_of_round(honest, moved, other) || at == moved.at {
            continue;
        }
        let name = other["body"]["type"].as_str().unwrap_or_default();
        let without = Edit {
            at,
            change: Change::Remove,
        };
        covers.push((format!("no {name}"), vec![moved.again(), without]));
        if let Some(last) = last.filter(|last| at < *last && last + 1 < honest.len()) {
            let without = Edit {
                at,
                change: Change::Remove,
            };
            let later = Edit {
                at: last + 1,
                change: Change::Before((*other).clone()),
            };
            let all = vec![moved.again(), without, later];
            covers.push((format!("{name} told after the round's end"), all));
        }
        if other["body"]["card"].is_string() {
            let mut unseen = (*other).clone();
            if let Some(body) = unseen["body"].as_object_mut() {
                body.remove("card");
            }
            let unseen = Edit {
                at,
                change: Change::Replace(unseen),
            };
            covers.push((format!("{name} unseen"), vec![moved.again(), unseen]));
        }
    }
}

/// The same payment under another name, of another round or of none, when its round is over, or under a number that was
/// sent before.
fn disguise(honest: &[&Value], moved: &Edit, covers: &mut Vec<(String, Vec<Edit>)>) {
    let Some(event) = told(moved) else {
        return;
    };
    let as_told = |event: Value| Edit {
        at: moved.at,
        change: match moved.change {
            Change::Before(_) => Change::Before(event),
            _ => Change::Replace(event),
        },
    };
    for (key, name) in [
        ("property", json!("ebh2")),
        ("table", json!("XX-99")),
        ("round", json!("XX-99-000001")),
        ("round", rounds(honest)[0].clone()),
        ("round", Value::Null),
    ] {
        let mut other = event.clone();
        other[key] = name.clone();
        if name.is_null()
            && let Some(other) = other.as_object_mut()
        {
            other.remove(key);
        }
        covers.push((format!("the {key} {name}"), vec![as_told(other)]));
    }
    let mut again = event.clone();
    again["seq"] = json!(AGAIN);
    let twice = Edit {
        at: moved.at + 1,
        change: Change::Before(again),
    };
    covers.push(("sending it twice".to_owned(), vec![moved.again(), twice]));
    let last = honest
        .iter()
        .rposition(|other| is_of_round(honest, moved, other));
    if let Some(last) = last.filter(|last| last + 1 < honest.len()) {
        let later = Edit {
            at: last + 1,
            change: Change::Before(event.clone()),
        };
        let instead = Edit {
            at: moved.at,
            change: Change::Remove,
        };
        let mut all = vec![later];
        if matches!(moved.change, Change::Replace(_)) {
            all.push(instead);
        }
        covers.push(("doing it after the round's end".to_owned(), all));
    }
}
