//! Irregularities and what was ruled, in whatever words a feed has for them.

use catwalk_events::body::Irregularity;
use catwalk_rules::games::blackjack::VoidRound;
use serde_json::Value;

use crate::games::verification::seat_of;
use crate::games::wording::Words;

/// Words that say what was ruled, and not why.
const NO_REASON: [&str; 10] = [
    "all", "called", "dead", "hand", "hands", "is", "off", "round", "void", "voided",
];

/// What of the round is called off: its `hands`, or `all` of it. The detail says so, or the kind and the ruling where
/// it is of no seat alone. Who only says that the round is void, and not for what, calls nothing off: to void a round
/// is no reason for it.
pub(super) fn voids(told: &Irregularity) -> Option<VoidRound> {
    let detail = detail(told);
    let kind = told.kind.as_str();
    match detail["void_round"].as_str() {
        Some(word) if word.ends_with("hands") => return Some(VoidRound::Hands),
        Some(word) if word.ends_with("all") || word.ends_with("round") => {
            return Some(VoidRound::All);
        }
        _ => {}
    }
    let said = Words::of(&[kind, &told.ruling]);
    let has_reason = !Words::of(&[kind]).are_all(&NO_REASON);
    let is_called_off = said.any(&["dead", "void", "voided"]) && said.is_plain();
    let is_of_all = is_called_off && seat_of(told).is_none();
    match (said.any(&["hands"]), said.any(&["round"])) {
        (true, _) if is_of_all => Some(VoidRound::Hands),
        (_, true) if is_of_all && has_reason => Some(VoidRound::All),
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

pub(super) fn detail(told: &Irregularity) -> Value {
    let detail = told.detail.as_ref().map(|detail| detail.value());
    detail.unwrap_or_default()
}
