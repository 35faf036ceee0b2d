//! A game by a house's own edition: the edition that it stands on, and over it what differs.
//!
//! Options, wagers, tables, figures and findings are named by their keys; what is said of one replaces what the base
//! says, with a cite of the house's own text. What the code of a game cannot do is refused by its place: an entry that
//! the base does not have, a field that no code reads from the data file, what is laxer than the text of the base.

use serde_json::{Map, Value};
use sha2::{Digest, Sha256};

use super::bounds::{Bound, pays_less};
use super::layout::MAIN_WINDOW;
use super::options::Allowed;
use super::{Book, BookError};
use crate::floor::{Cents, Severity};
use crate::{Edition, hex};

/// A list of a data file whose entries a house may change.
struct Section {
    name: &'static str,
    /// The field that names an entry.
    key: &'static str,
    /// What a house may say of an entry beside its cite.
    fields: &'static [&'static str],
}

const SECTIONS: [Section; 5] = [
    Section {
        name: "options",
        key: "key",
        fields: &["default", "value", "lawful", "meaning"],
    },
    Section {
        name: "wagers",
        key: "kind",
        fields: &["remove", "meaning"],
    },
    Section {
        name: "tables",
        key: "id",
        fields: &["title", "rows"],
    },
    Section {
        name: "figures",
        key: "key",
        fields: &["value", "meaning"],
    },
    Section {
        name: "findings",
        key: "code",
        fields: &["severity", "meaning"],
    },
];

/// The book of a game at the tables of a house.
#[derive(Debug)]
pub struct Overlaid {
    pub(crate) book: Book,
    /// The wagers of the base that the house does not offer.
    pub(crate) removed: Vec<String>,
}

impl Book {
    /// The book as a house has it whose edition stands on `base`: what `changes` says, and otherwise the base.
    pub(crate) fn overlaid(
        &self,
        base: Edition,
        text: &str,
        changes: Option<&str>,
    ) -> Result<Overlaid, BookError> {
        let mut merged = self.alone(base)?;
        merged["editions"][0]["text"] = Value::from(text);
        let mut removed = Vec::new();
        if let Some(changes) = changes {
            let changes: Map<String, Value> =
                toml::from_str(changes).map_err(|error| self.error(error.to_string()))?;
            removed = overlay(&mut merged, changes).map_err(|what| self.error(what))?;
        }
        close_empty_windows(&mut merged);
        let mut book: Book =
            serde_json::from_value(merged).map_err(|error| self.error(error.to_string()))?;
        book.hash = match changes {
            Some(changes) => hex(&Sha256::digest(format!("{}\n{base}\n{changes}", self.hash))),
            None => self.hash.clone(),
        };
        book.check().map_err(|error| error.without(&removed))?;
        Ok(Overlaid { book, removed })
    }

    /// What holds in one edition, as data that belongs to no other.
    fn alone(&self, edition: Edition) -> Result<Value, BookError> {
        let book = self.in_edition(Some(edition));
        let mut book = serde_json::to_value(book).map_err(|error| self.error(error.to_string()))?;
        if let Value::Object(sections) = &mut book {
            sections.remove("hash");
            let lists = sections.values_mut().filter_map(Value::as_array_mut);
            for entry in lists.flatten().filter_map(Value::as_object_mut) {
                entry.remove("editions");
            }
        }
        forget_strangers(
            &mut book,
            "wagers",
            &["limit", "counts_to"],
            ("options", "key"),
        );
        forget_strangers(
            &mut book,
            "options",
            &["flag", "uniform"],
            ("findings", "code"),
        );
        Ok(book)
    }
}

/// An entry of several editions may name another that only some of them have: what this one does not have means
/// nothing in it.
fn forget_strangers(book: &mut Value, list: &str, fields: &[&str], (named, key): (&str, &str)) {
    let known = book[named].as_array().into_iter().flatten();
    let known: Vec<Value> = known.map(|entry| entry[key].clone()).collect();
    for entry in book[list].as_array_mut().into_iter().flatten() {
        for field in fields {
            if !known.contains(&entry[*field]) {
                entry[*field] = Value::Null;
            }
        }
    }
}

/// Where a house took the last wager of a betting window off its layout, no street closes that window.
fn close_empty_windows(book: &mut Value) {
    let wagers = book["wagers"].as_array().into_iter().flatten();
    let windows = wagers.filter_map(|wager| wager["window"].as_str().map(str::to_owned));
    let windows: Vec<String> = windows.chain([MAIN_WINDOW.to_owned()]).collect();
    let layouts = book["layouts"].as_array_mut().into_iter().flatten();
    let streets = layouts.filter_map(|layout| layout["streets"].as_array_mut());
    for street in streets.flatten() {
        let closes = street["closes"].as_str();
        if closes.is_some_and(|window| windows.iter().all(|known| known != window)) {
            street["closes"] = Value::Null;
        }
    }
}

/// Puts the changes into a book. `Err` says what cannot be, and at which place of the file.
fn overlay(book: &mut Value, changes: Map<String, Value>) -> Result<Vec<String>, String> {
    let mut removed = Vec::new();
    for (name, entries) in changes {
        let Value::Array(entries) = entries else {
            return Err(format!("{name}: a list of entries is expected"));
        };
        if name == "readings" {
            add_readings(book, entries)?;
            continue;
        }
        let section = SECTIONS.iter().find(|section| section.name == name);
        let Some(section) = section else {
            let known = SECTIONS.map(|section| section.name).join(", ");
            let what = "a house changes what is data";
            return Err(format!("{name}: {what}: {known} and readings"));
        };
        for entry in entries {
            section.change(book, entry, &mut removed)?;
        }
    }
    Ok(removed)
}

fn add_readings(book: &mut Value, readings: Vec<Value>) -> Result<(), String> {
    for (at, reading) in readings.into_iter().enumerate() {
        let cite = reading.get("cite").and_then(Value::as_str);
        if cite.is_none() {
            return Err(format!("readings[{at}] has no cite"));
        }
        if let Some(list) = book["readings"].as_array_mut() {
            list.push(reading);
        }
    }
    Ok(())
}

impl Section {
    fn change(
        &self,
        book: &mut Value,
        entry: Value,
        removed: &mut Vec<String>,
    ) -> Result<(), String> {
        let name = entry.get(self.key).and_then(Value::as_str);
        let Some(name) = name.map(str::to_owned) else {
            return Err(format!("{}: each entry has its {}", self.name, self.key));
        };
        let place = format!("{}.{name}", self.name);
        let entry = self.checked(entry, &place)?;
        let list = book[self.name].as_array_mut();
        let list = list.ok_or_else(|| format!("{place}: the base has none"))?;
        let at = list.iter().position(|known| known[self.key] == name);
        let Some(at) = at else {
            let what = "the base has no such entry, and no code would read it";
            return Err(format!("{place}: {what}"));
        };
        if list[at]["fixed"] == Value::Bool(true) {
            let what = "the game is built on it, and no house has another";
            return Err(format!("{place}: {what}"));
        }
        if entry.get("remove") == Some(&Value::Bool(true)) {
            list.remove(at);
            removed.push(name);
            return Ok(());
        }
        for (field, value) in entry {
            let place = format!("{place}.{field}");
            match field.as_str() {
                "rows" => change_rows(&mut list[at], value, &place)?,
                "value" if self.name == "options" => {
                    check_narrower(&list[at]["value"], &value, &place)?;
                    list[at][&field] = value;
                }
                "value" => {
                    check_figure(&list[at], &value, &place)?;
                    list[at][&field] = value;
                }
                "severity" => {
                    check_severity(&list[at]["severity"], &value, &place)?;
                    list[at][&field] = value;
                }
                "default" => {
                    check_limit(&list[at]["minimum"], &value, &place)?;
                    list[at][&field] = value;
                }
                "remove" => {}
                _ => list[at][&field] = value,
            }
        }
        Ok(())
    }

    /// The entry, if it says only what a house may say, and cites its text.
    fn checked(&self, entry: Value, place: &str) -> Result<Map<String, Value>, String> {
        let Value::Object(entry) = entry else {
            return Err(format!("{place}: an entry is expected"));
        };
        let may_say =
            |field: &str| field == self.key || field == "cite" || self.fields.contains(&field);
        if let Some(field) = entry.keys().find(|field| !may_say(field)) {
            let fields = self.fields.join(", ");
            return Err(format!("{place}.{field}: a house may change {fields}"));
        }
        let cite = entry.get("cite").and_then(Value::as_str);
        if cite.is_none_or(|cite| cite.trim().is_empty()) {
            return Err(format!("{place} has no cite"));
        }
        Ok(entry)
    }
}

/// Rows that pay something else than in the base, by their keys. Where the base pays "at least" what it prints, a house
/// may not pay less.
fn change_rows(table: &mut Value, rows: Value, place: &str) -> Result<(), String> {
    let is_minimum = table.get("minimum") == Some(&Value::Bool(true));
    let Value::Array(rows) = rows else {
        return Err(format!("{place}: a list of rows is expected"));
    };
    let known = table["rows"].as_array_mut();
    let known = known.ok_or_else(|| format!("{place}: the base has none"))?;
    for row in rows {
        let key = row.get("key").and_then(Value::as_str).unwrap_or_default();
        let place = format!("{place}.{key}");
        let Some(filed) = known.iter_mut().find(|filed| filed["key"] == key) else {
            return Err(format!("{place}: the base has no such row"));
        };
        let fields = row.as_object().into_iter().flatten();
        for (field, value) in fields {
            match field.as_str() {
                "key" => {}
                "pays" => {
                    let is_less = is_minimum && pays_less(value, &filed["pays"], &place)?;
                    if is_less {
                        let least = &filed["pays"];
                        return Err(format!("{place}: {least} is the least that may be paid"));
                    }
                    filed["pays"] = value.clone();
                }
                "when" => filed["when"] = value.clone(),
                _ => return Err(format!("{place}.{field}: a row has pays and when")),
            }
        }
    }
    Ok(())
}

/// A limit that is posted where a table says nothing is no lower than the text allows.
fn check_limit(minimum: &Value, value: &Value, place: &str) -> Result<(), String> {
    let least = minimum["amount"].as_i64();
    match least.zip(value.as_i64()) {
        Some((least, posted)) if posted < least => Err(format!(
            "{place}: {} is the least that the base allows",
            Cents::new(least)
        )),
        _ => Ok(()),
    }
}

/// A figure that bounds something bounds the house too.
fn check_figure(filed: &Value, value: &Value, place: &str) -> Result<(), String> {
    let base = &filed["value"];
    if filed["minimum"] == Value::Bool(true) {
        Bound::Least.check(base, value, place)?;
    }
    let bound = filed["key"].as_str().and_then(Bound::of);
    bound.map_or(Ok(()), |bound| bound.check(base, value, place))
}

/// A house may take a fault more gravely than its base, and not more lightly.
fn check_severity(base: &Value, value: &Value, place: &str) -> Result<(), String> {
    let read = |value: &Value| serde_json::from_value::<Severity>(value.clone());
    let posted = read(value).map_err(|error| format!("{place}: {error}"))?;
    let filed = read(base).map_err(|error| format!("{place}: {error}"))?;
    match posted < filed {
        true => Err(format!("{place}: {base} is the least that the base allows")),
        false => Ok(()),
    }
}

/// An option of a house has values that the code reads: some of those of the base.
fn check_narrower(base: &Value, value: &Value, place: &str) -> Result<(), String> {
    let read = |value: &Value| serde_json::from_value::<Allowed>(value.clone());
    let value = read(value).map_err(|error| format!("{place}: {error}"))?;
    let base = read(base).map_err(|error| format!("{place}: {error}"))?;
    if value.is_within(&base) {
        return Ok(());
    }
    Err(format!("{place}: not within the base, which has {base}"))
}
