//! An honest stream with any one of its events left out, told twice, told elsewhere, or with one of its fields changed.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::edits::{Change, Edit, another};

/// What chips and counts are changed by.
const MORE: i64 = 50_000;
/// Fields that say what happens to a stake or a tray, or that the round's end depends on, have many values in a
/// stream: of each so many others are tried.
const OTHERS: usize = 2;
/// So deep lie fields in fields.
const DEEPEST: usize = 3;

/// One event changed: where, what it is called, and what comes of it.
pub(crate) struct Altered {
    pub(crate) at: usize,
    pub(crate) what: String,
    pub(crate) edits: Vec<Edit>,
}

/// Every event of a stream, changed in every way.
pub(crate) fn alterations(honest: &[&Value]) -> Vec<Altered> {
    let seen = Seen::of(honest);
    let mut all = Vec::new();
    for (at, event) in honest.iter().enumerate() {
        let name = event["body"]["type"].as_str().unwrap_or_default();
        let mut add = |what: String, edits| all.push(Altered { at, what, edits });
        for (what, edits) in elsewhere(honest, at) {
            add(format!("{name} {what}"), edits);
        }
        for (what, changed) in seen.changed(event) {
            let change = Change::Replace(changed);
            add(format!("{name} with {what}"), vec![Edit { at, change }]);
        }
    }
    all
}

/// The event left out, told twice and told at other places.
fn elsewhere(honest: &[&Value], at: usize) -> Vec<(&'static str, Vec<Edit>)> {
    let event = honest[at];
    let without = || Edit {
        at,
        change: Change::Remove,
    };
    let before = |at: usize, event: Value| Edit {
        at,
        change: Change::Before(event),
    };
    let mut all = vec![
        ("left out", vec![without()]),
        (
            "twice",
            vec![before(at, another(event, event["body"].clone()))],
        ),
    ];
    let is_of_round =
        |other: &&Value| event["round"].is_string() && other["round"] == event["round"];
    let first = honest.iter().position(is_of_round);
    let last = honest.iter().rposition(is_of_round);
    let places = [
        ("after the next", Some(at + 2)),
        ("before the last", at.checked_sub(1)),
        ("when its round begins", first.map(|first| first + 1)),
        ("before its round is over", last),
        ("when its round is over", last.map(|last| last + 1)),
        ("before its round", first),
    ];
    for (what, place) in places {
        // Where it stands in any case nothing changes.
        let Some(place) = place.filter(|place| *place != at && *place != at + 1) else {
            continue;
        };
        if place < honest.len() {
            // It is told when it is told: at the time of what stands there.
            let mut told = event.clone();
            told["at"] = honest[place.saturating_sub(1)]["at"].clone();
            all.push((what, vec![without(), before(place, told)]));
        }
    }
    all
}

/// The values that a stream has for each field.
struct Seen<'a>(BTreeMap<String, Vec<&'a Value>>);

impl<'a> Seen<'a> {
    fn of(honest: &[&'a Value]) -> Seen<'a> {
        let mut seen = Seen(BTreeMap::new());
        for event in honest {
            for key in ["round", "at"] {
                seen.note(key, &event[key]);
            }
            seen.note("source.id", &event["source"]["id"]);
            for (path, value) in leaves(&event["body"]) {
                seen.note(path.last().map_or("", String::as_str), value);
            }
        }
        seen
    }

    fn note(&mut self, key: &str, value: &'a Value) {
        let of_key = self.0.entry(key.to_owned()).or_default();
        if !value.is_null() && !of_key.contains(&value) {
            of_key.push(value);
        }
    }

    /// Other values of this field, beside the one that it has.
    fn others(&self, key: &str, value: &Value) -> impl Iterator<Item = Value> {
        let of_key = self.0.get(key).map(Vec::as_slice).unwrap_or_default();
        let here = of_key.iter().position(|other| *other == value);
        let after = here.map_or(0, |here| here + 1);
        let around = of_key.iter().cycle().skip(after).take(of_key.len());
        let others =
            around.filter(|other| ***other != *value && other.is_string() == value.is_string());
        let others: Vec<Value> = others.take(OTHERS).map(|other| (*other).clone()).collect();
        others.into_iter()
    }

    /// The event with each of its fields changed, and what is changed.
    fn changed(&self, event: &Value) -> Vec<(String, Value)> {
        let mut all = Vec::new();
        for (key, others) in [
            ("table", vec![json!("XX-99")]),
            ("round", self.others("round", &event["round"]).collect()),
            ("property", vec![json!("ebh2")]),
        ] {
            for other in others.into_iter().filter(|_| event[key].is_string()) {
                let mut changed = event.clone();
                changed[key] = other;
                all.push((format!("another {key}"), changed));
            }
        }
        if event["round"].is_string() {
            let mut changed = event.clone();
            changed.as_object_mut().map(|event| event.remove("round"));
            all.push(("no round".to_owned(), changed));
        }
        for other in self.others("source.id", &event["source"]["id"]) {
            let mut changed = event.clone();
            changed["source"]["id"] = other;
            all.push(("another source".to_owned(), changed));
        }
        for (path, value) in leaves(&event["body"]) {
            let name = path.join(".");
            if name == "type" {
                continue;
            }
            let key = path.last().map_or("", String::as_str);
            for (what, other) in self.values(key, value) {
                let mut changed = event.clone();
                if put(&mut changed["body"], &path, other) {
                    all.push((format!("{what} {name}"), changed));
                }
            }
        }
        all
    }

    /// What can stand in the place of a value.
    fn values(&self, key: &str, value: &Value) -> Vec<(&'static str, Option<Value>)> {
        let mut all = vec![("no", None)];
        match value {
            Value::Number(number) => {
                let number = number.as_i64().unwrap_or_default();
                all.push(("one more", Some(json!(number + 1))));
                all.push(("more", Some(json!(number + MORE))));
                all.push(("half the", Some(json!(number / 2))));
                all.push(("twice the", Some(json!(number * 2))));
                all.push(("0 as", Some(json!(0))));
            }
            Value::Bool(is) => all.push(("the other", Some(json!(!is)))),
            Value::String(_) => {
                let others = self.others(key, value);
                all.extend(others.map(|other| ("another", Some(other))));
                all.push(("an unknown", Some(json!("nobody-knows"))));
            }
            Value::Array(list) => {
                all.push(("an empty", Some(json!([]))));
                if let Some((_, fewer)) = list.split_last() {
                    all.push(("a shorter", Some(json!(fewer))));
                }
                let others = self.others(key, value);
                all.extend(others.map(|other| ("another", Some(other))));
            }
            _ => {}
        }
        all
    }
}

/// The fields of an event, and those in them, by their path.
fn leaves(body: &Value) -> Vec<(Vec<String>, &Value)> {
    let mut all = Vec::new();
    let mut open = vec![(Vec::new(), body)];
    while let Some((path, value)) = open.pop() {
        let inner: Vec<(String, &Value)> = match value {
            Value::Object(fields) => fields
                .iter()
                .map(|(key, value)| (key.clone(), value))
                .collect(),
            Value::Array(list) => list
                .iter()
                .enumerate()
                .filter(|(_, one)| one.is_object())
                .map(|(at, one)| (at.to_string(), one))
                .collect(),
            _ => Vec::new(),
        };
        if !value.is_object() {
            all.push((path.clone(), value));
        }
        if path.len() < DEEPEST {
            let inner = inner.into_iter().map(|(key, value)| {
                let path = path.iter().cloned().chain([key]).collect();
                (path, value)
            });
            open.extend(inner);
        }
    }
    all.reverse();
    all
}

/// Puts a value where a path leads, or takes away what is there.
fn put(body: &mut Value, path: &[String], value: Option<Value>) -> bool {
    let Some((last, way)) = path.split_last() else {
        return false;
    };
    let mut place = body;
    for step in way {
        let next = match place {
            Value::Object(fields) => fields.get_mut(step),
            Value::Array(list) => step.parse::<usize>().ok().and_then(|at| list.get_mut(at)),
            _ => None,
        };
        let Some(next) = next else {
            return false;
        };
        place = next;
    }
    let Some(fields) = place.as_object_mut() else {
        return false;
    };
    match value {
        Some(value) => fields.insert(last.clone(), value),
        None => fields.remove(last),
    };
    true
}
