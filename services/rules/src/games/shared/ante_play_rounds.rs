//! Test rounds of the games of [`super::ante_play`], written in a line a seat.

use serde_json::{Value, json};

use crate::testkit::TestTable;
use crate::{Edition, Game};

/// A round at this table. A seat is `"1 play AS KS QS: ante 1000, play 1000"`: its number, its
/// decision (`-` for none), its cards, its wagers. A wager has the id `seat.kind`.
pub(crate) fn round<G: Game>(
    table: &TestTable<G>,
    edition: Edition,
    options: Value,
    dealer: &str,
    seats: &[&str],
) -> Value {
    let (mut wagers, mut hands) = (Vec::new(), Vec::new());
    for line in seats {
        let (hand, stakes) = line.split_once(':').unwrap();
        let words: Vec<&str> = hand.split_whitespace().collect();
        let seat: u16 = words[0].parse().unwrap();
        let decision = Some(words[1]).filter(|&word| word != "-");
        hands.push(json!({"seat": seat, "cards": words[2..], "decision": decision}));
        for stake in stakes.split(',').filter(|stake| !stake.trim().is_empty()) {
            let (kind, amount) = stake.trim().split_once(' ').unwrap();
            let amount: i64 = amount.parse().unwrap();
            let id = format!("{seat}.{kind}");
            let mut wager = json!({"id": id, "seat": seat, "kind": kind, "amount": amount});
            if kind == "play" {
                wager["on"] = json!(format!("{seat}.ante"));
            }
            wagers.push(wager);
        }
    }
    let dealer: Vec<&str> = dealer.split_whitespace().collect();
    let play = json!({"dealer": dealer, "hands": hands});
    table.document(edition, options, json!(wagers), play)
}

/// Verdict, win and return of the wager `id`, as `"win 1000 2000"`.
pub(crate) fn verdict<G: Game>(table: &TestTable<G>, document: &Value, id: &str) -> String {
    let settled = table.wager(document, id);
    let result = serde_json::to_value(settled.result).unwrap();
    let (win, returned) = (settled.win.get(), settled.returned.get());
    format!("{} {win} {returned}", result.as_str().unwrap())
}

/// The document with another value at a place that it has.
pub(crate) fn changed(mut document: Value, pointer: &str, value: Value) -> Value {
    *document.pointer_mut(pointer).unwrap() = value;
    document
}

/// The document with a key more.
pub(crate) fn with_key(mut document: Value, pointer: &str, key: &str, value: Value) -> Value {
    document.pointer_mut(pointer).unwrap()[key] = value;
    document
}

pub(crate) fn with_irregularities(document: Value, entries: Value) -> Value {
    with_key(document, "/play", "irregularities", entries)
}
