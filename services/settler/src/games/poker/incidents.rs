//! Irregularities of a hand as they are told. 15

use std::sync::LazyLock;

use catwalk_events::body::{Body, Irregularity};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::told::{Family, Form};
use super::{Document, figure};
use crate::fault::Fault;
use crate::round::RoundFold;

/// An incident as the rulebook has it, and what it tells.
#[derive(Deserialize)]
struct Row {
    incident: String,
    keys: Vec<String>,
    #[serde(default)]
    optional: Vec<String>,
}

static ROWS: LazyLock<Vec<Row>> = LazyLock::new(|| figure("incidents"));

/// The incident of the document; where it does not say when it was noticed, it was noticed now. A feed may tell more
/// than the rules ask for.
pub(super) fn told(told: &Irregularity, street: usize, after: usize) -> Option<Document> {
    let row = ROWS.iter().find(|row| row.incident == told.kind)?;
    let mut entry = match told.detail.as_ref().map(|detail| detail.value()) {
        Some(Value::Object(detail)) => detail,
        _ => Map::new(),
    };
    let tells = |key: &str| {
        row.keys
            .iter()
            .chain(&row.optional)
            .any(|known| known == key)
    };
    entry.retain(|key, _| tells(key));
    entry.insert("kind".into(), json!(told.kind));
    if tells("round") && !entry.contains_key("round") {
        entry.insert("round".into(), json!(street));
        entry.entry("after").or_insert(json!(after));
    }
    Some(entry)
}

/// The card that a seat was dealt face up and got another one for. 15(o)
pub(super) fn exchanged(incident: &Value) -> Option<(u32, &str)> {
    let is = incident["kind"] == "exposed_down_card";
    let seat = incident["seat"].as_u64().filter(|_| is)?;
    Some((u32::try_from(seat).ok()?, incident["card"].as_str()?))
}

/// Does an incident tell that a card of this seat was seen?
pub(super) fn exposes(incident: &Value, seat: u32) -> bool {
    let kinds = ["exposed_down_card", "hole_exposed", "last_hole_exposed"];
    incident["seat"] == seat && kinds.iter().any(|kind| incident["kind"] == *kind)
}

/// What incidents are called in a hand that was called off, for them or not: it has no settlement to say so.
pub(super) fn faults(round: &RoundFold) -> Vec<Fault> {
    let mut faults: Vec<Fault> = Vec::new();
    for (seq, body) in &round.play {
        let Body::Irregularity(irregularity) = body else {
            continue;
        };
        let incident = told(irregularity, 0, 0);
        let found = incident.as_ref().and_then(|incident| name(incident));
        if let Some((code, message)) = found.filter(|(code, _)| !round.has_raised(code))
            && faults.iter().all(|fault| fault.code != code)
        {
            faults.push(Fault::new(code, vec![*seq], message.to_owned()));
        }
    }
    faults
}

fn name(incident: &Document) -> Option<(&'static str, &'static str)> {
    let found = match incident.get("kind").and_then(Value::as_str)? {
        "deck_count" => match incident.get("count")?.as_u64()? {
            52 => return None,
            ..52 => ("deck.missing_card", "Fewer than 52 cards were counted"),
            _ => ("deck.extra_card", "More than 52 cards were counted"),
        },
        "not_shuffled" => ("deck.not_shuffled", "The deck was not shuffled and cut"),
        "face_up_in_deck" => ("deal.face_up_card", "A card lay face up in the deck"),
        "wrong_start" => ("deal.wrong_start", "The deal began at the wrong seat"),
        "player_not_dealt" => ("deal.player_skipped", "A player was not dealt in"),
        "dealt_to_ineligible" => (
            "deal.ineligible_player",
            "Cards were dealt to somebody who was not in the round",
        ),
        _ => return None,
    };
    Some(found)
}

/// The seat that is out of the hand by this incident. 15(i), 15(k)
pub(super) fn loses_its_hand(form: &Form, incident: &Document) -> Option<u32> {
    let is = |key: &str| incident.get(key) == Some(&Value::Bool(true));
    let cards = incident.get("cards").and_then(Value::as_array);
    let is_out = match incident.get("kind").and_then(Value::as_str)? {
        "player_not_dealt" | "hand_collected" => true,
        "hand_fouled" => !is("reconstructed"),
        "left_table" => !is("protected"),
        "hole_exposed" => {
            form.family == Family::SevenCardStud && cards.is_some_and(|cards| cards.len() > 1)
        }
        _ => false,
    };
    let seat = incident.get("seat").filter(|_| is_out)?.as_u64()?;
    u32::try_from(seat).ok()
}
