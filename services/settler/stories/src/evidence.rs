//! What a document says and no event told.

use std::collections::BTreeSet;

use catwalk_rules::floor::Card;
use serde_json::Value;

use crate::settle;

/// Cards in the documents of a table that none of its events told of: a card that nobody saw is written as such.
pub fn invented(bodies: &[Value]) -> Vec<String> {
    let mut told = BTreeSet::new();
    bodies.iter().for_each(|body| collect(body, &mut told));
    let (_, rounds) = settle(bodies);
    let mut written = BTreeSet::new();
    let documents = rounds.iter().filter_map(|round| round.document.as_ref());
    documents.for_each(|document| collect(&document["play"], &mut written));
    written.difference(&told).cloned().collect()
}

fn collect(value: &Value, cards: &mut BTreeSet<String>) {
    match value {
        Value::String(text) if text.parse::<Card>().is_ok() => drop(cards.insert(text.clone())),
        Value::Array(list) => list.iter().for_each(|entry| collect(entry, cards)),
        Value::Object(entries) => entries.values().for_each(|entry| collect(entry, cards)),
        _ => {}
    }
}
