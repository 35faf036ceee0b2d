//! Hands of baccarat, and the shoe that they come from.

use serde_json::{Value, json};

use crate::{Story, cards, closed};

pub const NOTHING: [&str; 0] = [];

/// The Banker wins 7 to 6 without a third card.
pub fn banker_wins() -> Vec<Value> {
    cards(&["player 5S", "banker 3C", "player AH", "banker 4D"])
}

/// A hand with these wagers before the cards and these payments after them.
pub fn hand(wagers: &[Value], cards: Vec<Value>, payments: &[Value]) -> Vec<Value> {
    [wagers, &[closed()], &cards, payments].concat()
}

pub fn table(options: Value) -> Story {
    Story::at("baccarat", "mgc-2017", options)
}

pub fn codes_of(options: Value, bodies: Vec<Value>) -> Vec<String> {
    let mut story = table(options);
    story.round(bodies);
    story.codes().into_iter().map(str::to_owned).collect()
}

pub fn shoe(number: u32, cut: u32) -> Value {
    json!({"type": "shoe_started", "shoe": format!("s{number}"), "set": format!("m{number}"), "decks": 6,
        "method": "shoe", "cut": cut})
}

pub fn with_cards(options: Value, number: u32, story: Option<Story>) -> Story {
    let mut story = story.unwrap_or_else(|| table(options));
    let set = format!("m{number}");
    story
        .aside(json!({"type": "cards_delivered", "set": set, "decks": 6, "preshuffled": false}))
        .aside(json!({"type": "cards_inspected", "set": set, "missing": [], "extra": [], "unsuitable": [],
            "dealer": "d-1", "supervisor": "s-1"}))
        .aside(json!({"type": "cards_opened", "set": set}));
    story
}

pub fn says(seat: u32, action: &str) -> Value {
    json!({"type": "decision", "seat": seat, "action": action})
}
