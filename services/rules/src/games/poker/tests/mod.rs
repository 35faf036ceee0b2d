//! Poker: what is refused here; faults in `violations`, pots, rake and odd chips in `money`, rankings
//! in `rankings`, incidents and draws in `dealing`, who acts first in `openers`, cards that nobody saw in
//! `unseen`, what is said in `words`, compulsory bets in `posts`.

mod dealing;
mod money;
mod openers;
mod posts;
mod rankings;
mod unseen;
mod violations;
mod words;

use std::sync::LazyLock;

use serde_json::{Value, json};

use super::Poker;
use crate::Edition::MgcAmended;
use crate::testkit::TestTable;

static TABLE: LazyLock<TestTable<Poker>> = LazyLock::new(TestTable::open);

/// A round in shorthand. Posts are `seat kind amount`; actions are `seat f`old, `x` check, `c`all,
/// `b`et, `r`aise or `F`orced bet with an amount, and `!call @900` where call and 900 were said. `rest` goes
/// into the play.
fn round(
    form: &str,
    options: Value,
    seats: &[(u16, i64)],
    posts: &str,
    rounds: &[&str],
    rest: Value,
) -> Value {
    let mut wagers = Vec::new();
    let mut put_in = |seat: u16, kind: &str, amount: i64, said: Value| {
        let id = format!("w{}", wagers.len() + 1);
        let mut wager = json!({"id": id, "seat": seat, "kind": kind, "amount": amount});
        say(&mut wager, said);
        wagers.push(wager);
        id
    };
    let entries = |text: &str| -> Vec<Vec<String>> {
        let words = |entry: &str| entry.split_whitespace().map(String::from).collect();
        text.split(',')
            .map(words)
            .filter(|words: &Vec<String>| !words.is_empty())
            .collect()
    };
    for post in entries(posts) {
        let amount = post[2].parse().unwrap();
        put_in(post[0].parse().unwrap(), &post[1], amount, json!({}));
    }
    let mut action = |mut words: Vec<String>| {
        let mut said = json!({});
        words.retain(|word| {
            if let Some(verbal) = word.strip_prefix('!') {
                said["verbal"] = json!(verbal);
            } else if let Some(amount) = word.strip_prefix('@') {
                said["announced"] = json!(amount.parse::<i64>().unwrap());
            }
            !word.starts_with(['!', '@'])
        });
        let seat: u16 = words[0].parse().unwrap();
        let passes = |act: &str, said: Value| {
            let mut action = json!({"seat": seat, "act": act});
            say(&mut action, said);
            action
        };
        let kind = match &*words[1] {
            "f" => return passes("fold", said),
            "x" => return passes("check", said),
            "c" => "call",
            "b" => "bet",
            "r" => "raise",
            _ => "forced_bet",
        };
        let id = put_in(seat, kind, words[2].parse().unwrap(), said);
        json!({"seat": seat, "act": "wager", "id": id})
    };
    let rounds: Vec<Vec<Value>> = rounds
        .iter()
        .map(|text| entries(text).into_iter().map(&mut action).collect())
        .collect();
    let seat = |&(seat, stack): &(u16, i64)| json!({"seat": seat, "stack": stack});
    let seats: Vec<Value> = seats.iter().map(seat).collect();
    let mut play = json!({"form": form, "seats": seats, "rounds": rounds});
    if !form.contains("stud") {
        play["button"] = json!(1);
    }
    for (key, value) in rest.as_object().unwrap() {
        play[key] = value.clone();
    }
    TABLE.document(MgcAmended, options, json!(wagers), play)
}

fn say(of: &mut Value, said: Value) {
    for (key, value) in said.as_object().unwrap() {
        of[key] = value.clone();
    }
}

fn limits(rounds: usize) -> Value {
    json!(vec![[400, 400]; rounds])
}

const THREE: &[(u16, i64)] = &[(1, 20_000), (2, 20_000), (3, 20_000)];
const BLINDS: &str = "2 blind 200, 3 blind 400";
const LIMPED: &str = "1 c 400, 2 c 200, 3 x";
const CHECKED: &str = "2 x, 3 x, 1 x";

fn sign() -> Value {
    json!({"bet_limits": limits(4), "blinds": [200, 400]})
}

/// Aces in seat 1 beat kings and queens.
fn hands() -> Value {
    json!({"hands": {"1": ["AS", "AD"], "2": ["KS", "KD"], "3": ["QS", "QD"]},
           "board": ["2C", "5D", "7H", "JS", "3H"]})
}

/// Hold'em between three, checked through.
fn holdem() -> Value {
    holdem_with(sign(), BLINDS, &[LIMPED, CHECKED, CHECKED, CHECKED])
}

fn holdem_with(options: Value, posts: &str, rounds: &[&str]) -> Value {
    round("holdem_high", options, THREE, posts, rounds, hands())
}

fn stud_sign() -> Value {
    json!({"bet_limits": limits(5), "forced_bet": 200})
}

/// Seven-card stud between two, called once and checked through; the two opens, then the king.
fn stud() -> Value {
    stud_with(&[
        "1 F 200, 2 c 200",
        "2 x, 1 x",
        "2 x, 1 x",
        "2 x, 1 x",
        "2 x, 1 x",
    ])
}

fn stud_with(rounds: &[&str]) -> Value {
    let hands = json!({"hands": {
        "1": {"down": ["AS", "AD", "9C"], "up": ["2H", "7D", "8S", "TC"]},
        "2": {"down": ["QS", "QD", "9H"], "up": ["KH", "6D", "5S", "4C"]}}});
    let seats = &[(1, 20_000), (2, 20_000)];
    round(
        "seven_card_stud_high",
        stud_sign(),
        seats,
        "",
        rounds,
        hands,
    )
}

fn with(mut document: Value, pointer: &str, value: Value) -> Value {
    let (parent, key) = pointer.rsplit_once('/').unwrap();
    match document.pointer_mut(parent).unwrap() {
        Value::Array(list) => list[key.parse::<usize>().unwrap()] = value,
        parent => parent[key] = value,
    }
    document
}

fn without(mut document: Value, parent: &str, key: &str) -> Value {
    let parent = document.pointer_mut(parent).unwrap();
    parent.as_object_mut().unwrap().remove(key);
    document
}

#[test]
fn what_describes_no_round_is_refused_by_its_place() {
    let straddled = with(stud(), "/wagers/0/kind", json!("straddle"));
    let cases = [
        (
            with(holdem(), "/play/form", json!("pineapple")),
            "play.form: \"pineapple\"",
        ),
        (with(holdem(), "/play/rake", json!(1)), "play.rake:"),
        (
            with(holdem(), "/options/bring_in", json!(1)),
            "options.bring_in:",
        ),
        (
            without(holdem(), "/options", "bet_limits"),
            "options.bet_limits: 0 pairs",
        ),
        (
            with(holdem(), "/options/bet_limits", limits(3)),
            "options.bet_limits: 3 pairs",
        ),
        (
            with(
                holdem(),
                "/options/bet_limits",
                json!([[4, 4], [4, null], [4, 4], [4, 4]]),
            ),
            "options.bet_limits[1][1]:",
        ),
        (
            without(holdem(), "/options", "blinds"),
            "options.blinds: missing",
        ),
        (
            with(holdem(), "/options/blinds", json!([])),
            "options.blinds: missing",
        ),
        (
            without(stud(), "/options", "forced_bet"),
            "options.forced_bet: missing",
        ),
        (
            with(holdem(), "/options/chip_unit", json!(5)),
            "options.chip_unit:",
        ),
        (
            with(
                holdem(),
                "/options/rake",
                json!([{"method": "percent", "rate_bp": 20_000}]),
            ),
            "options.rake[0]",
        ),
        (
            with(
                holdem(),
                "/options/rake",
                json!([{"method": "percent", "rate_bp": 1, "levels": []}]),
            ),
            "options.rake[0].levels:",
        ),
        (
            with(holdem(), "/options/kill", json!({"type": "kill"})),
            "options.kill",
        ),
        (without(holdem(), "/play", "button"), "play.button: missing"),
        (
            with(holdem(), "/play/seats/1/seat", json!(1)),
            "play.seats[1].seat: two players",
        ),
        (
            with(holdem(), "/play/hands/x", json!(null)),
            "play.hands: a whole number is expected, not the key \"x\"",
        ),
        (
            with(holdem(), "/play/hands/1", json!({"up": []})),
            "play.hands.1: a hand",
        ),
        (
            with(stud(), "/play/hands/1", json!(["AS"])),
            "play.hands.1: a hand",
        ),
        (
            with(holdem(), "/play/hands/1", json!(["AS", "1D"])),
            "play.hands.1[1]:",
        ),
        (
            with(holdem(), "/wagers/0/kind", json!("big_blind")),
            "wagers[0].kind:",
        ),
        (
            with(holdem(), "/wagers/0/kind", json!("forced_bet")),
            "wagers[0].kind: only a stud",
        ),
        (straddled, "wagers[0].kind: a stud form"),
        (
            with(holdem(), "/play/rounds/0/0/act", json!("pass")),
            "play.rounds[0][0].act:",
        ),
        (
            with(holdem(), "/play/rounds/0/0/id", json!("w9")),
            "play.rounds[0][0].id: there is no",
        ),
        (
            with(holdem(), "/play/rounds/0/1/id", json!("w3")),
            "play.rounds[0][1].id: \"w3\" is made a",
        ),
        (
            with(holdem(), "/play/rounds/0/0/seat", json!(2)),
            "play.rounds[0][0].id: \"w3\" is of seat 1",
        ),
        (
            with(holdem(), "/play/rounds/0/0/id", json!("w1")),
            "play.rounds[0][0].id: \"w1\" is of",
        ),
        (
            with(holdem(), "/play/rounds/0/0/act", json!("check")),
            "play.rounds[0][0].id: only a wager",
        ),
        (
            with(
                holdem(),
                "/play/rounds/0/0",
                json!({"seat": 1, "act": "check"}),
            ),
            "wagers[2].id: \"w3\" is made in no",
        ),
        (
            with(holdem(), "/play/rounds", json!([[], [], [], [], []])),
            "play.rounds: 5 betting rounds",
        ),
        (
            with(holdem(), "/play/draws", json!([[]])),
            "play.draws: 1 draws",
        ),
        (
            with(holdem(), "/play/hands/2", json!(null)),
            "play.hands.2: is shown without",
        ),
        (
            with(holdem(), "/play/hands/2", json!([])),
            "play.hands.2: is shown without",
        ),
        (
            without(holdem(), "/play/hands", "2"),
            "play.hands.2: is shown without",
        ),
        (
            with(holdem(), "/play/board", json!(["2C", "5D", "7H", "JS"])),
            "play.board: 4 of 5",
        ),
        (
            with(stud(), "/play/hands/2/down", json!(null)),
            "play.hands.2: is shown without",
        ),
        (
            with(stud(), "/play/hands/2/up", json!(["KH", "6D"])),
            "play.hands.2.up: 2 up-cards",
        ),
        (
            stud_with(&["1 F 200, 2 F 200"]),
            "play.rounds[0][1].id: a forced bet is the first",
        ),
        (
            stud_with(&["1 F 200, 2 c 200", "2 F 200"]),
            "play.rounds[1][0].id: a forced bet opens",
        ),
        (
            with(holdem(), "/play/incidents", json!([{"kind": "fire"}])),
            "play.incidents[0].kind:",
        ),
        (
            with(holdem(), "/play/incidents", json!([{"kind": "left_table"}])),
            "play.incidents[0].seat: is missing",
        ),
        (
            with(
                holdem(),
                "/play/showdown",
                json!([{"seat": 1, "act": "hide"}]),
            ),
            "play.showdown[0].act:",
        ),
    ];
    for (document, expected) in cases {
        let refusal = TABLE.refusal(&document);
        assert!(refusal.starts_with(expected), "{expected}\ngot {refusal}");
    }
}

/// Incidents tell exactly what their kind has to tell, of players who were dealt in, in forms that know them.
#[test]
fn an_incident_is_read_or_refused() {
    let cases = [
        (
            holdem(),
            json!({"type": "deck_count", "count": 51, "seat": 1}),
            "seat: says nothing",
        ),
        (holdem(), json!({"type": "deck_count"}), "count: is missing"),
        (
            holdem(),
            json!({"type": "not_shuffled", "cards": ["4C"]}),
            "cards: says nothing",
        ),
        (
            holdem(),
            json!({"type": "face_up_in_deck"}),
            "cards: is missing",
        ),
        (
            holdem(),
            json!({"type": "face_up_in_deck", "cards": ["4C"], "count": 2}),
            "count: is not the number",
        ),
        (
            holdem(),
            json!({"type": "off_table", "card": "4C"}),
            "card: says nothing",
        ),
        (
            holdem(),
            json!({"type": "exposed_down_card", "seat": 1}),
            "card: is missing",
        ),
        (
            holdem(),
            json!({"type": "exposed_down_card", "seat": 7, "card": "4C"}),
            "seat: was not dealt in",
        ),
        (
            holdem(),
            json!({"type": "hole_exposed", "seat": 1, "cards": ["4C"]}),
            "kind: does not happen in this form",
        ),
        (
            stud(),
            json!({"type": "exposed_down_card", "seat": 1, "card": "4C"}),
            "kind: does not happen in this form",
        ),
        (
            stud(),
            json!({"type": "hole_exposed", "seat": 2, "cards": ["KH", "KD", "KC"]}),
            "cards: one hole card",
        ),
        (
            holdem(),
            json!({"type": "hand_collected", "seat": 2, "round": 1, "after": 0}),
            "protected: is missing",
        ),
        (
            holdem(),
            json!({"type": "left_table", "seat": 2, "round": 1, "after": 0, "protected": false, "reconstructed": true}),
            "reconstructed: says nothing",
        ),
    ];
    for (document, incident, expected) in cases {
        let refusal = TABLE.refusal(&with(document, "/play/incidents", json!([incident])));
        let expected = format!("play.incidents[0].{expected}");
        assert!(refusal.starts_with(&expected), "{expected}\ngot {refusal}");
    }
}
