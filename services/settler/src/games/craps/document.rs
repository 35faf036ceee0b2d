//! Wagers as the document has them. A feed may tell more words than a wager has a use for: those are left out.

use catwalk_events::Json;
use catwalk_events::body::WagerForm;
use catwalk_rules::Refusal;
use catwalk_rules::book::Book;
use catwalk_rules::floor::Cents;
use catwalk_rules::games::craps::{Change, Wager};
use serde_json::{Map, Value, json};

use super::course::{Course, Puck};
use super::placed;
use crate::games::told::Laid;
use crate::round::{RoundFold, WagerFold};

/// What the detail of a wager may have for the document.
const KEYS: [&str; 10] = [
    "number",
    "dice",
    "working",
    "in_air",
    "confirmed_by",
    "late",
    "point",
    "made",
    "original",
    "placed",
];

/// `wagers[i]` of the document.
pub(super) fn wager(
    round: &RoundFold,
    course: &Course<'_>,
    start: &Puck,
    laid: &Laid<'_>,
) -> Result<Wager, Refusal> {
    let wager = laid.fold;
    let placed = placed(round, wager);
    let can_be_off = can_be_off(round, &wager.kind);
    let mut told = keys(wager);
    told.retain(|key, _| match &**key {
        "working" => can_be_off,
        key => has_use(wager, start, placed.is_none(), key),
    });
    tell_moment(wager, placed.is_some(), &mut told);
    if can_be_off {
        tell_calls(course, placed.unwrap_or_default(), wager, &mut told);
    }
    if flat_of(&wager.kind).is_some() {
        let on = || laid.detail(&["on"]).remove("on");
        let on = wager.on.as_ref().map(|on| json!(on)).or_else(on);
        told.extend(on.map(|on| ("on".to_owned(), on)));
    }
    // Colour chips are for roulette: here they are chips.
    if let Some(form) = wager.form.filter(|form| *form != WagerForm::ColourChips) {
        told.insert("form".into(), json!(form));
    }
    Ok(Wager {
        placed: placed.map_or(-1, |roll| roll as i64),
        changes: changes(round, wager),
        ..laid.read(&told)?
    })
}

/// The rolls before which it was lowered, and what was left of it.
fn changes(round: &RoundFold, wager: &WagerFold) -> Vec<Change> {
    let mut changes: Vec<Change> = Vec::new();
    for &(after_play, to) in &wager.lowered {
        let before = Course::roll_at(round, after_play) as i64;
        changes.retain(|change| change.before != before);
        changes.push(Change { before, to });
    }
    changes
}

/// What was originally wagered on a don't bet: the stake with which it got its number. s.6(b),(d)
pub(super) fn original(round: &RoundFold, course: &Course<'_>, wager: &WagerFold) -> Option<Cents> {
    let is_line = wager.kind == "dont_pass";
    if !is_line && wager.kind != "dont_come" {
        return None;
    }
    let first = course.throws.first();
    let point = first.map_or(course.puck.point, |first| first.point);
    let placed = match placed(round, wager) {
        None if !is_line || point.is_some() => {
            let said = keys(wager).get("original").and_then(Value::as_i64);
            return Some(said.map_or(wager.amount, Cents::new));
        }
        placed => placed.unwrap_or_default(),
    };
    let mut rolls = course.valid_from(placed);
    let (roll, ..) = rolls.find(|(_, _, throw)| !throw.come_only || !is_line)?;
    let mut until = changes(round, wager).into_iter().rev();
    let left = until.find(|change| change.before <= roll as i64);
    Some(left.map_or(wager.amount, |change| change.to))
}

/// Off on a come-out unless called on. s.3(e)
pub(super) fn can_be_off(round: &RoundFold, kind: &str) -> bool {
    round.rules.lists("off_on_come_out", kind)
}

/// May it lie there at all, whenever it was made?
pub(super) fn may_stand(round: &RoundFold, wager: &WagerFold) -> bool {
    let rules = &round.rules;
    let is_barred =
        wager.form == Some(WagerForm::Coupon) && !rules.lists("match_play", &wager.kind);
    let withheld = rules.option("not_offered").unwrap_or_default();
    let mut withheld = withheld.as_array().into_iter().flatten();
    !wager.late && !is_barred && !withheld.any(|kind| *kind == *wager.kind)
}

/// The flat bet that an odds bet is on.
pub(super) fn flat_of(kind: &str) -> Option<&'static str> {
    Book::of("craps")?.wager(kind)?.on.as_deref()
}

fn selects(kind: &str) -> Option<&'static str> {
    Book::of("craps")?.wager(kind)?.selects.as_deref()
}

/// Does the document have this of such a wager?
fn has_use(wager: &WagerFold, start: &Puck, carried: bool, key: &str) -> bool {
    let kind = wager.kind.as_str();
    match key {
        "number" | "dice" => selects(kind) == Some(key),
        "point" => carried && matches!(kind, "come" | "dont_come"),
        "made" => carried && kind == "fire",
        "original" => {
            carried && (kind == "dont_come" || kind == "dont_pass" && start.point.is_some())
        }
        "in_air" | "confirmed_by" | "late" => !carried,
        _ => false,
    }
}

/// A late wager is no wager of the air, and only one of the air is confirmed.
fn tell_moment(wager: &WagerFold, is_new: bool, entry: &mut Map<String, Value>) {
    if wager.late && is_new {
        entry.insert("late".into(), json!(true));
    }
    if entry.get("late") == Some(&Value::Bool(true)) {
        entry.remove("in_air");
    }
    if entry.get("in_air") != Some(&Value::Bool(true)) {
        entry.remove("confirmed_by");
    }
}

/// The rolls for which it was called on, by its own words or by those of its seat.
fn tell_calls(
    course: &Course<'_>,
    first: usize,
    wager: &WagerFold,
    entry: &mut Map<String, Value>,
) {
    let is_up = |roll: &Value| {
        let roll = roll.as_u64().and_then(|roll| usize::try_from(roll).ok());
        roll.is_some_and(|roll| (first..=course.throws.len()).contains(&roll))
    };
    match entry.get_mut("working") {
        Some(Value::Array(rolls)) => rolls.retain(is_up),
        Some(_) => {}
        None => {
            let rolls = course.working(wager.seat, first);
            if !rolls.is_empty() {
                entry.insert("working".into(), json!(rolls));
            }
        }
    }
}

/// What the detail of a bet has for the document: an object's keys, or the number or faces alone.
pub(super) fn keys(wager: &WagerFold) -> Map<String, Value> {
    let mut detail = match wager.detail.as_ref().map(Json::value) {
        Some(Value::Object(detail)) => detail,
        Some(Value::Array(faces)) => Map::from_iter([("dice".to_owned(), Value::Array(faces))]),
        Some(Value::String(text)) if text.contains('-') => {
            let faces = text.split('-').map(|face| json!(face)).collect();
            Map::from_iter([("dice".to_owned(), faces)])
        }
        Some(short @ (Value::Number(_) | Value::String(_))) => {
            Map::from_iter([("number".to_owned(), short)])
        }
        _ => Map::new(),
    };
    // Some feeds call the number of any bet its point.
    if selects(&wager.kind) == Some("number")
        && !detail.contains_key("number")
        && let Some(point) = detail.remove("point")
    {
        detail.insert("number".into(), point);
    }
    detail.retain(|key, _| KEYS.contains(&&**key));
    for value in detail.values_mut() {
        match value {
            Value::Array(list) => list.iter_mut().for_each(plain),
            value => plain(value),
        }
    }
    if let Some(Value::String(name)) = detail.get("confirmed_by") {
        let names = json!([name]);
        detail.insert("confirmed_by".into(), names);
    }
    detail
}

/// Numbers may come as text, and people with their role.
fn plain(value: &mut Value) {
    match value {
        Value::String(text) => {
            if let Ok(number) = text.parse::<i64>() {
                *value = json!(number);
            }
        }
        Value::Object(person) => *value = person.remove("role").unwrap_or_default(),
        _ => {}
    }
}
