//! What the tests of the stud games have in common.

use serde_json::{Value, json};

use crate::Verdict;
use crate::game::{AnyGame, Game};
use crate::testkit::TestTable;

/// Each document is refused with an error that starts so.
pub(crate) fn assert_refused<'a, G: Game>(cases: impl IntoIterator<Item = (Value, &'a str)>) {
    let table = TestTable::<G>::open();
    for (document, expected) in cases {
        let refusal = table.refusal(&document);
        assert!(
            refusal.starts_with(expected),
            "expected {expected}\ngot      {refusal}"
        );
    }
}

/// Two rounds that differ in one point: the first raises the code and no other, the second none.
pub(crate) fn assert_twins<G: Game>(cases: impl IntoIterator<Item = (&'static str, Value, Value)>) {
    let table = TestTable::<G>::open();
    for (code, broken, lawful) in cases {
        assert_eq!(table.violations(&broken), [code], "{broken}");
        let none: [&str; 0] = [];
        assert_eq!(table.violations(&lawful), none, "{code}: {lawful}");
    }
}

/// `document` with one more key, or another value for it, below the key `part`.
pub(crate) fn with(mut document: Value, part: &str, key: &str, value: Value) -> Value {
    document[part][key] = value;
    document
}

/// `document` with a further wager.
pub(crate) fn and_wager(mut document: Value, wager: Value) -> Value {
    if let Some(wagers) = document["wagers"].as_array_mut() {
        wagers.push(wager);
    }
    document
}

/// What is missing in a round is refused by its list, what is too much voids it, and what contradicts the table or
/// itself is refused. `lawful` is a round in which seat 1 needs its hand and the `house` all of its cards.
pub(crate) fn assert_lists<G: Game>(lawful: &Value, house: &str, deck: u32) {
    let table = TestTable::<G>::open();
    let play = |key: &str, value: Value| with(lawful.clone(), "play", key, value);
    let irregular = |document: Value, told: Value| with(document, "play", "irregularities", told);
    let cards = |list: &Value| list.as_array().unwrap().clone();
    let own = cards(&lawful["play"]["hands"]["1"]);
    let common = cards(&lawful["play"][house]);
    let place = format!("play.{house}: ");
    let seat = "play.hands.1: ";
    let mut cases = vec![
        (play("hands", json!({})), seat),
        (play("hands", json!({"1": []})), seat),
        (play("hands", json!({"1": own[1..]})), seat),
        (play(house, json!([])), place.as_str()),
        (play(house, json!(common[1..])), place.as_str()),
    ];
    let told = |told: Value| irregular(lawful.clone(), json!([told]));
    let right = json!({"code": "card_count", "seat": 1, "dealt": own.len()});
    cases.push((told(right), "play.irregularities[0].dealt: "));
    let right = json!({"code": "card_count", "area": house, "dealt": common.len()});
    cases.push((told(right), "play.irregularities[0].dealt: "));
    let whole = json!({"code": "deck_count", "found": deck});
    cases.push((told(whole), "play.irregularities[0].found: "));
    let failed = told(json!({"code": "shoe_failure"}));
    cases.push((failed.clone(), "play.irregularities[0].code: "));
    assert_refused::<G>(cases);

    // An entry that says what happened is enough.
    let said = json!([{"code": "card_count", "area": house, "dealt": 9}]);
    for (key, list) in [("hands", json!({})), (house, json!([]))] {
        let document = irregular(play(key, list), said.clone());
        assert_eq!(table.violations(&document), ["deal.card_count"]);
        assert!(is_void(&table, &document));
    }
    let surplus = |cards: &[Value]| [cards, &[json!("6D")]].concat();
    for (key, list) in [
        ("hands", json!({"1": surplus(&own)})),
        (house, json!(surplus(&common))),
    ] {
        let document = play(key, list);
        assert_eq!(table.violations(&document), ["deal.card_count"]);
        assert!(is_void(&table, &document));
    }
    if deals_from_automated_shoe(&table) {
        let document = with(failed, "options", "dealing", json!("automated_shoe"));
        assert!(is_void(&table, &document));
    }
}

fn is_void<G: Game>(table: &TestTable<G>, document: &Value) -> bool {
    let settlement = table.settle(document);
    let mut wagers = settlement.wagers().iter();
    wagers.all(|wager| wager.result == Verdict::Void)
}

fn deals_from_automated_shoe<G: Game>(table: &TestTable<G>) -> bool {
    table.game.book().irregularity("shoe_failure").is_some()
}
