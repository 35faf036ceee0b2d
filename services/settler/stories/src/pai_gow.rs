//! Hands of the pai gow games, dealt and set.

use serde_json::{Value, json};

use crate::{Story, bet, closed};

pub const NOTHING: [&str; 0] = [];

pub fn says(seat: u32, action: &str) -> Value {
    json!({"type": "decision", "seat": seat, "action": action})
}

pub fn words(text: &str) -> Vec<&str> {
    text.split_whitespace().collect()
}

/// `"2S 3S 4S 5S 7S | KD QD"`: front and back.
pub fn set(to: &str, seat: Option<u32>, text: &str) -> Value {
    let (high, low) = text.split_once('|').unwrap();
    json!({"type": "hand_set", "to": to, "seat": seat, "high": words(high), "low": words(low)})
}

/// Seven cards to a place, known or not.
pub fn seven(to: &str, seat: Option<u32>, cards: Option<&str>) -> Vec<Value> {
    let dealt = |card: Option<&str>| {
        json!({"type": "card_dealt", "to": to, "seat": seat, "card": card,
            "face": "down"})
    };
    match cards {
        Some(cards) => words(cards)
            .into_iter()
            .map(|card| dealt(Some(card)))
            .collect(),
        None => (0..7).map(|_| dealt(None)).collect(),
    }
}

pub fn tiles(to: &str, seat: Option<u32>, tiles: Option<&str>) -> Value {
    json!({"type": "tiles_dealt", "to": to, "seat": seat, "tiles": tiles.map(words)})
}

pub fn dice(dice: [u8; 3]) -> Value {
    json!({"type": "dice_rolled", "dice": dice, "valid": true})
}

/// The dealer's tiles in the first example of the rules, and how the house way sets them.
pub const DEALER_TILES: &str = "6-1 6-5 2-2 6-4";
pub const DEALER_SET: &str = "6-1 6-5 | 2-2 6-4";

/// Seat 1 sets these tiles against the dealer's.
pub fn at_tiles(own: &str, more: &[Value], payment: Value) -> Vec<String> {
    let mut story = Story::at("pai_gow", "mgc-2017", json!({}));
    let mut bodies = vec![bet("w", 1, "pai_gow", 5000), closed()];
    bodies.push(tiles("dealer", None, Some(DEALER_TILES)));
    bodies.push(tiles("seat", Some(1), Some(&own.replace('|', ""))));
    bodies.push(set("seat", Some(1), own));
    bodies.push(set("dealer", None, DEALER_SET));
    bodies.extend_from_slice(more);
    bodies.push(payment);
    story.round(bodies);
    story.codes().into_iter().map(str::to_owned).collect()
}
