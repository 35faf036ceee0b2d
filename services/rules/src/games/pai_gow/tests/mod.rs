//! Pai gow: the cell, and what the other tests share.

mod bank;
mod checks;
mod delivery;
mod documents;
mod tiles;
mod unseen;

use serde_json::{Value, json};

use super::PaiGow;
use crate::Edition::Mgc2017;
use crate::testkit::TestTable;

type Table = TestTable<PaiGow>;

/// Eight in front and one behind.
const DEALER: &str = "6-4 5-3 / 2-2 6-1";
/// Nine and four.
const WINNER: &str = "6-6 5-2 / 4-4 5-1";

/// A hand that is written as `"high / low"`.
fn hand(seat: u16, text: &str) -> Value {
    let (high, low) = text.split_once('/').unwrap();
    let high: Vec<&str> = high.split_whitespace().collect();
    let low: Vec<&str> = low.split_whitespace().collect();
    json!({"seat": seat, "tiles": ([&high[..], &low].concat()), "high": high, "low": low})
}

fn dealer(text: &str) -> Value {
    let mut hand = hand(0, text);
    hand.as_object_mut().unwrap().remove("seat");
    hand
}

fn wager(id: &str, seat: u16, kind: &str, amount: i64) -> Value {
    json!({"id": id, "seat": seat, "kind": kind, "amount": amount})
}

fn main_wager() -> Value {
    wager("w", 1, "pai_gow", 1000)
}

fn round(options: Value, wagers: Value, more: Value) -> Value {
    let mut play = json!({"dealer": dealer(DEALER), "hands": [hand(1, WINNER)]});
    for (key, value) in more.as_object().unwrap() {
        play[key] = value.clone();
    }
    Table::open().document(Mgc2017, options, wagers, play)
}

/// A lawful round with the value at a JSON pointer replaced.
fn with(pointer: &str, value: Value) -> Value {
    let mut document = round(json!({}), json!([main_wager()]), json!({}));
    let (parent, key) = pointer.rsplit_once('/').unwrap();
    match document.pointer_mut(parent).unwrap() {
        Value::Array(list) if key == "-" => list.push(value),
        Value::Array(list) => list[key.parse::<usize>().unwrap()] = value,
        object => object[key] = value,
    }
    document
}

#[test]
fn the_cell_of_the_pay_table_pays_what_the_regulation_says() {
    let document = |_: &_| round(json!({}), json!([main_wager()]), json!({}));
    Table::open().assert_cells(include_str!("../cells.txt"), document);
}
