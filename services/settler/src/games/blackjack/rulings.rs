//! Irregularities and what was ruled, in whatever words a feed has for them.

use catwalk_events::body::{Body, Irregularity};
use serde_json::Value;

/// What of the round is called off: its `hands`, or `all` of it. The detail says so, the kind, or the ruling
/// where it is of no seat alone.
pub(super) fn voids(told: &Irregularity) -> Option<&'static str> {
    let detail = detail(told);
    let kind = told.kind.as_str();
    let by_key = detail["void_round"].as_str();
    let named = by_key.or_else(|| kind.starts_with("void").then_some(kind));
    match named {
        Some(word) if word.ends_with("hands") => return Some("hands"),
        Some(word) if word.ends_with("all") || word.ends_with("round") => return Some("all"),
        _ => {}
    }
    let said = Words::of(&[kind, &told.ruling]);
    let is_called_off = said.any(&["dead", "void", "voided"]) && said.is_plain();
    let is_of_all = is_called_off && seat_in(told).is_none();
    match (said.any(&["hands"]), said.any(&["round"])) {
        (true, _) if is_of_all => Some("hands"),
        (_, true) if is_of_all => Some("all"),
        _ => None,
    }
}

/// Is a hand of the seat that it names called dead? Who was dealt wrongly and has his wager back is out of it,
/// 15(a),(j), 17.H.
pub(super) fn kills_hand(told: &Irregularity) -> bool {
    let dead = &detail(told)["dead"];
    let said = Words::of(&[&told.ruling]);
    let about = Words::of(&[&told.kind]);
    let is_given_back = said.any(&["return", "returned", "back"])
        && said.any(&["wager", "wagers", "bet", "stake"])
        && about.any(&["card", "cards", "hand", "deal", "misdeal"]);
    let is_ruled = said.is_plain() && (said.any(&["dead"]) || is_given_back);
    told.kind.contains("dead") || *dead == true || dead.is_string() || is_ruled
}

/// An award that goes to the cage because the winner cannot show who he is, progressives 6.B.
pub(super) fn is_deferral(body: &Body) -> bool {
    let Body::Irregularity(told) = body else {
        return false;
    };
    let lacks_id = |words: &Words| {
        words.any(&["id", "identification"])
            && words.any(&["no", "without", "missing", "invalid", "lacks"])
    };
    let kind = Words::of(&[&told.kind]);
    let all = Words::of(&[&told.kind, &detail(told).to_string(), &told.ruling]);
    lacks_id(&kind) || lacks_id(&all) && all.any(&["cage"])
}

/// The seat that an irregularity is about.
pub(super) fn seat_in(told: &Irregularity) -> Option<u32> {
    let detail = detail(told);
    let seat = detail["seat"].as_u64().or(detail.as_u64())?;
    u32::try_from(seat).ok()
}

pub(super) fn detail(told: &Irregularity) -> Value {
    let detail = told.detail.as_ref().map(|detail| detail.value());
    detail.unwrap_or_default()
}

/// The words of texts, or of names that are written with underscores.
struct Words(Vec<String>);

impl Words {
    fn of(texts: &[&str]) -> Words {
        let words = texts
            .iter()
            .flat_map(|text| text.split(|c: char| !c.is_alphanumeric()));
        Words(words.map(str::to_lowercase).collect())
    }

    fn any(&self, words: &[&str]) -> bool {
        self.0.iter().any(|word| words.contains(&word.as_str()))
    }

    /// Does it say what is, and neither what is not nor what may be?
    fn is_plain(&self) -> bool {
        !self.any(&["not", "or", "if", "unless"])
    }
}
