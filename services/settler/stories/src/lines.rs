//! Events of one table from their bodies, and what the settler makes of them.

use catwalk_events::{Event, json};
use catwalk_settler::{Finding, Output, SettledRound};
use serde_json::{Value, json};

use crate::{assert_told_apart, heard, settler};

/// Types that belong to the table and not to a round.
const OF_TABLE: [&str; 15] = [
    "table_opened",
    "table_closed",
    "dealer_changed",
    "shoe_started",
    "shoe_ended",
    "clock",
    "buy_in",
    "cards_inspected",
    "cards_delivered",
    "device_adjusted",
    "dice_inspected",
    "dice_introduced",
    "wheel_inspected",
    "cards_counted",
    "drop_counted",
];

/// Events a second apart; each `round_opened` begins another round, `r1`, `r2` and so on.
pub fn feed(bodies: &[Value]) -> Vec<Event> {
    let mut rounds = 0;
    let mut events = Vec::new();
    for (index, body) in bodies.iter().enumerate() {
        let kind = body["type"].as_str().unwrap();
        rounds += usize::from(kind == "round_opened");
        let mut event = json!({
            "id": format!("e{index}"), "property": "ebh", "table": "T-1", "seq": index + 1,
            "at": format!("2026-11-15T20:{:02}:{:02}.000000Z", index / 60, index % 60),
            "body": body, "source": {"kind": "device", "id": "d"},
        });
        if !OF_TABLE.contains(&kind) {
            event["round"] = json!(format!("r{rounds}"));
        }
        events.push(json::read(&event.to_string()).unwrap());
    }
    events
}

pub fn settle(bodies: &[Value]) -> (Vec<Finding>, Vec<SettledRound>) {
    receive(feed(bodies))
}

pub fn receive(events: Vec<Event>) -> (Vec<Finding>, Vec<SettledRound>) {
    let mut settler = settler();
    let events = events.into_iter();
    let mut outputs: Vec<Output> = events.flat_map(|event| settler.receive(event)).collect();
    outputs.extend(settler.finish());
    let told = heard(outputs);
    assert_told_apart(&told.0);
    told
}

/// The codes that were found, in order. What later events put right of them is told in `watch/resolutions`.
pub fn codes(bodies: &[Value]) -> Vec<String> {
    let (findings, _) = settle(bodies);
    let codes = findings.into_iter().map(|finding| finding.code);
    codes.filter(|code| code != "finding.resolved").collect()
}

pub fn open(game: &str, edition: &str, options: Value) -> Value {
    json!({"type": "table_opened", "game": game, "edition": edition, "options": options,
           "limits": [], "opening_inventory": 5000000, "dealer": "d-114"})
}

/// A table that opens, and what happens at it line by line.
pub fn table(game: &str, edition: &str, options: Value, lines: &str) -> Vec<Value> {
    let mut bodies = vec![open(game, edition, options)];
    bodies.extend(script(lines));
    bodies
}

/// Bodies of a line each: `bet w1 3 ante 1000`, `card seat 3 AC down`, `show dealer 0 AD`, `say 3 fold`,
/// `pay w1 1000`, `take w1`, `push w1`, `jackpot w1 900`, `raise w1 500`, `burn`, `no-more-bets`,
/// `roll 3 4`, `no-roll 3 4`, `spin 17 6`, `no-spin 17 2`, `fee w1 100`, `called off_table`, `open`, `close`;
/// `bet` and `called` may end with their detail as an object. Anything else is a body in JSON.
pub fn script(lines: &str) -> Vec<Value> {
    let lines = lines.lines().map(str::trim);
    lines.filter(|line| !line.is_empty()).map(body).collect()
}

fn body(line: &str) -> Value {
    if line.starts_with('{') {
        return serde_json::from_str(line).unwrap();
    }
    let (line, detail) = match line.find('{') {
        Some(at) => (
            &line[..at],
            serde_json::from_str::<Value>(&line[at..]).unwrap(),
        ),
        None => (line, Value::Null),
    };
    let words: Vec<&str> = line.split_whitespace().collect();
    let number = |word: &str| word.parse::<i64>().unwrap();
    let by = json!({"id": "d-114", "role": "dealer"});
    match words.as_slice() {
        ["open"] => json!({"type": "round_opened"}),
        ["open", shoe] => json!({"type": "round_opened", "shoe": shoe}),
        ["close"] => json!({"type": "round_closed"}),
        ["no-more-bets"] => json!({"type": "betting_closed"}),
        ["burn"] => json!({"type": "card_burned"}),
        ["bet", id, seat, kind, amount] if detail.is_null() => json!({"type": "wager_placed",
            "wager": id, "seat": number(seat), "kind": kind, "amount": number(amount)}),
        ["bet", id, seat, kind, amount] => json!({"type": "wager_placed", "wager": id,
            "seat": number(seat), "kind": kind, "amount": number(amount), "detail": detail}),
        ["bet", id, seat, kind, amount, on] => json!({"type": "wager_placed", "wager": id,
            "seat": number(seat), "kind": kind, "amount": number(amount), "on": on}),
        ["raise", id, amount] => json!({"type": "wager_changed", "wager": id,
            "amount": number(amount), "by": by}),
        ["roll", dice @ ..] => json!({"type": "dice_rolled", "valid": true,
            "dice": dice.iter().map(|die| number(die)).collect::<Vec<_>>()}),
        ["no-roll", dice @ ..] => json!({"type": "dice_rolled", "valid": false,
            "dice": dice.iter().map(|die| number(die)).collect::<Vec<_>>()}),
        ["spin", result, turns] => json!({"type": "wheel_spun", "result": result, "valid": true,
            "revolutions": number(turns)}),
        ["no-spin", result, turns] => json!({"type": "wheel_spun", "result": result,
            "valid": false, "revolutions": number(turns)}),
        ["fee", id, amount] => json!({"type": "commission_collected", "wager": id,
            "amount": number(amount)}),
        ["called", kind] => json!({"type": "irregularity", "kind": kind, "detail": detail,
            "ruling": "no roll"}),
        ["remove", id] => json!({"type": "wager_removed", "wager": id, "by": by}),
        ["say", seat, action] => json!({"type": "decision", "seat": number(seat),
            "action": action.replace('~', " ")}),
        ["card", "seat", seat, "??"] => json!({"type": "card_dealt", "to": "seat",
            "seat": number(seat), "face": "down"}),
        ["card", "seat", seat, card] => json!({"type": "card_dealt", "to": "seat",
            "seat": number(seat), "card": card, "face": "down"}),
        ["card", "seat", seat, card, "up"] => json!({"type": "card_dealt", "to": "seat",
            "seat": number(seat), "card": card, "face": "up"}),
        ["card", to, "??"] => json!({"type": "card_dealt", "to": to, "face": "down"}),
        ["card", to, card] => json!({"type": "card_dealt", "to": to, "card": card,
            "face": "down"}),
        ["card", to, card, "up"] => json!({"type": "card_dealt", "to": to, "card": card,
            "face": "up"}),
        ["show", "seat", seat, index, card] => json!({"type": "card_revealed", "to": "seat",
            "seat": number(seat), "index": number(index), "card": card}),
        ["show", to, index, card] => json!({"type": "card_revealed", "to": to,
            "index": number(index), "card": card}),
        ["pay", id, amount] => json!({"type": "wager_paid", "wager": id,
            "amount": number(amount)}),
        ["jackpot", id, amount] => json!({"type": "jackpot_paid", "meter": "progressive",
            "wager": id, "amount": number(amount)}),
        ["take", id] => json!({"type": "wager_collected", "wager": id}),
        ["push", id] => json!({"type": "wager_pushed", "wager": id}),
        _ => panic!("{line}"),
    }
}
