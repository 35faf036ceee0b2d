//! What of a round shows a fault: the bets, cards and signs without which it would not be there.
//!
//! Nobody has to write down for each of some hundred faults where it shows. The round is settled again without one
//! seat, one bet, one sign at a time: what takes the fault with it is what the fault is about.

use std::collections::BTreeSet;

use catwalk_rules::Rulebook;
use catwalk_rules::book::{Allowed, Book};
use catwalk_rules::floor::Cents;
use serde_json::Value;

/// So often is a round settled again at most.
const MAX_TRIES: u32 = 120;
/// So much is told of it at most, and of one name.
const MAX_CHARS: usize = 240;
const MAX_NAME: usize = 40;
/// Keys of a round whose values are hands of seats.
const OF_SEATS: [&str; 6] = ["hands", "boxes", "seats", "decisions", "players", "folds"];

/// What shows a fault, in words, and the seat and the bet that it is about if it is about one.
#[derive(Debug, PartialEq, Eq)]
pub(in crate::judge) struct Shown {
    pub(in crate::judge) text: String,
    pub(in crate::judge) seat: Option<u32>,
    pub(in crate::judge) wager: Option<String>,
}

struct Search<'a> {
    code: &'a str,
    document: &'a Value,
    rulebook: &'a Rulebook,
    book: Option<&'a Book>,
    left: u32,
}

/// Looks for what a fault is about. `document` shows it.
pub(super) fn shown(
    code: &str,
    document: &Value,
    rulebook: &Rulebook,
    book: Option<&Book>,
) -> Shown {
    let mut search = Search {
        code,
        document,
        rulebook,
        book,
        left: MAX_TRIES,
    };
    let signs = search.signs();
    let posted = crate::fault::is_of_posting(code);
    let seats = if posted { Vec::new() } else { search.seats() };
    let wagers = if posted {
        Vec::new()
    } else {
        search.wagers(&seats)
    };
    let mut parts: Vec<String> = wagers.iter().map(|at| search.bet(*at)).collect();
    for seat in &seats {
        let has_bet = wagers.iter().any(|at| search.wager(*at)["seat"] == *seat);
        if !has_bet {
            parts.extend(search.bets_of(*seat));
        }
        parts.extend(search.hand_of(*seat));
    }
    let places = if posted {
        Vec::new()
    } else {
        search.places(&seats)
    };
    parts.extend(places.iter().map(|key| search.place(key)));
    if parts.is_empty() && !posted {
        parts = search.all();
    }
    parts.extend(signs);
    if parts.is_empty() {
        parts = search.posted();
    }
    if parts.is_empty() && posted {
        parts.push("posted nothing but what the rules have".to_owned());
    }
    let one_wager = match wagers[..] {
        [at] => search.wager(at)["id"].as_str().map(str::to_owned),
        _ => None,
    };
    let one_seat = match seats[..] {
        [seat] => u32::try_from(seat).ok(),
        _ => None,
    };
    Shown {
        text: cut(&parts.join(", "), MAX_CHARS),
        seat: one_seat,
        wager: one_wager,
    }
}

impl Search<'_> {
    /// Is the fault not in this document? Where it cannot be settled nobody knows.
    fn is_gone(&mut self, document: &Value) -> bool {
        let Some(left) = self.left.checked_sub(1) else {
            return false;
        };
        self.left = left;
        let settled = self.rulebook.settle_value(document);
        settled.is_ok_and(|settled| settled.violations().iter().all(|code| code != self.code))
    }

    /// What the table posts that the fault hangs on.
    fn signs(&mut self) -> Vec<String> {
        let mut signs = Vec::new();
        for key in keys(&self.document["options"]) {
            let mut without = self.document.clone();
            if let Some(options) = without["options"].as_object_mut() {
                options.remove(&key);
            }
            if self.is_gone(&without) {
                let value = &self.document["options"][&key];
                let is_money = self.is_money(&key) || key == "limits";
                signs.push(format!("posted {} {}", plain(&key), told(value, is_money)));
            }
        }
        signs
    }

    /// All that the table posts.
    fn posted(&self) -> Vec<String> {
        let posted = entries(&self.document["options"]).into_iter();
        let told = posted.map(|(key, value)| {
            format!("posted {} {}", plain(key), told(value, self.is_money(key)))
        });
        told.collect()
    }

    fn is_money(&self, key: &str) -> bool {
        let mut options = self.book.map(Book::options).unwrap_or_default().iter();
        options.any(|option| option.key == key && option.value == Allowed::Cents)
    }

    /// The seats that the fault hangs on.
    fn seats(&mut self) -> Vec<u64> {
        let mut all: BTreeSet<u64> = BTreeSet::new();
        let bets = list(&self.document["wagers"]);
        all.extend(bets.iter().filter_map(|wager| wager["seat"].as_u64()));
        for (_, value) in entries(&self.document["play"]) {
            let of_list = list(value)
                .iter()
                .filter_map(|entry| entry["seat"].as_u64());
            all.extend(of_list);
            all.extend(keys(value).iter().filter_map(|key| key.parse::<u64>().ok()));
        }
        let is_its = |seat: &u64| self.is_gone(&without_seat(self.document, *seat));
        let its: Vec<u64> = all.into_iter().filter(is_its).collect();
        // A fault that goes with whoever leaves is not about one of them.
        if its.len() > 2 { Vec::new() } else { its }
    }

    /// The bets that it hangs on.
    fn wagers(&mut self, seats: &[u64]) -> Vec<usize> {
        let mut its = Vec::new();
        for (at, wager) in list(&self.document["wagers"]).iter().enumerate() {
            let is_meant = wager["seat"]
                .as_u64()
                .is_some_and(|seat| seats.contains(&seat));
            if !seats.is_empty() && !is_meant {
                continue;
            }
            let mut without = self.document.clone();
            if let Some(wagers) = without["wagers"].as_array_mut() {
                wagers.remove(at);
            }
            if self.is_gone(&without) {
                its.push(at);
            }
        }
        if its.len() > 3 { Vec::new() } else { its }
    }

    /// What else of the play it hangs on, or is about by its name.
    fn places(&mut self, seats: &[u64]) -> Vec<String> {
        let mut its = Vec::new();
        for (key, _) in entries(&self.document["play"]) {
            if !seats.is_empty() && OF_SEATS.contains(&key.as_str()) {
                continue;
            }
            if is_about(self.code, key) {
                its.push(key.clone());
                continue;
            }
            let mut without = self.document.clone();
            if let Some(play) = without["play"].as_object_mut() {
                play.remove(key);
            }
            let mut shorter = self.document.clone();
            if self.is_gone(&without)
                || shorten(&mut shorter["play"][key]) && self.is_gone(&shorter)
            {
                its.push(key.clone());
            }
        }
        its
    }

    /// The whole play, and the bets if there are few.
    fn all(&self) -> Vec<String> {
        let mut parts: Vec<String> = entries(&self.document["play"])
            .iter()
            .map(|(key, _)| self.place(key))
            .collect();
        let bets = list(&self.document["wagers"]).len();
        if parts.is_empty() || bets <= 2 {
            parts.extend((0..bets.min(3)).map(|at| self.bet(at)));
        }
        parts
    }

    fn wager(&self, at: usize) -> &Value {
        &self.document["wagers"][at]
    }

    fn place(&self, key: &str) -> String {
        let value = told(&self.document["play"][key], is_amount(key));
        match key {
            "cards" => value,
            "irregularities" | "irregularity" | "incidents" => format!("told as {value}"),
            key => format!("{} {value}", plain(key)),
        }
    }

    /// A bet, and the one that it lies on.
    fn bet(&self, at: usize) -> String {
        let wager = self.wager(at);
        let said = format!("seat {}'s {}", wager["seat"], stake(wager));
        let bets = list(&self.document["wagers"]);
        let on = bets.iter().find(|other| {
            wager["on"].is_string() && other["id"] == wager["on"] && other["id"] != wager["id"]
        });
        match on {
            Some(on) => format!("{said} on the {}", stake(on)),
            None => {
                let beside = bets.iter().enumerate().filter(|(other, bet)| {
                    *other != at && bet["seat"] == wager["seat"] && self.is_base(bet)
                });
                match beside.map(|(_, bet)| stake(bet)).next() {
                    Some(beside) => format!("{said} beside the {beside}"),
                    None => said,
                }
            }
        }
    }

    /// Is it the bet that others of its seat are measured by?
    fn is_base(&self, wager: &Value) -> bool {
        matches!(
            wager["kind"].as_str(),
            Some("ante" | "main" | "bank" | "original" | "bet" | "pass" | "bet_1")
        )
    }

    fn bets_of(&self, seat: u64) -> Option<String> {
        let bets = list(&self.document["wagers"]).iter();
        let its: Vec<String> = bets
            .filter(|wager| wager["seat"] == seat)
            .map(stake)
            .collect();
        (!its.is_empty()).then(|| format!("seat {seat}'s {}", its.join(" and ")))
    }

    /// The cards and the decisions of a seat.
    fn hand_of(&self, seat: u64) -> Option<String> {
        let mut parts = Vec::new();
        for (key, value) in entries(&self.document["play"]) {
            if let Some(entry) = list(value).iter().find(|entry| entry["seat"] == seat) {
                let mut entry = entry.clone();
                if let Some(entry) = entry.as_object_mut() {
                    entry.remove("seat");
                }
                parts.push(told(&entry, false));
            } else if let Some(entry) = value.get(seat.to_string()) {
                let name = if key == "hands" { "" } else { key.as_str() };
                parts.push(format!("{} {}", plain(name), told(entry, false)));
            }
        }
        parts.retain(|part| !part.trim().is_empty());
        let said = parts.iter().map(|part| part.trim()).collect::<Vec<_>>();
        (!said.is_empty()).then(|| format!("seat {seat} had {}", said.join(", ")))
    }
}

/// Is a fault about this part of the play by its name?
fn is_about(code: &str, key: &str) -> bool {
    let family = code.split('.').next().unwrap_or_default();
    match key {
        "dealer" => family == "dealer" || code.contains("house_way"),
        "player" | "banker" => matches!(family, "baccarat" | "chemin"),
        "decision" => code == "chemin.illegal_decision",
        "spins" => matches!(family, "roulette" | "bigsix"),
        "tosses" => family == "sicbo",
        "rolls" => family == "craps" && code.ends_with("unfounded"),
        "burned" | "burns" | "burn" => code.contains("burn"),
        "irregularities" | "irregularity" => matches!(family, "deck" | "deal"),
        "deal" => code.contains("start"),
        "button" | "form" => family == "form" || code.contains("wrong_seat"),
        _ => false,
    }
}

fn without_seat(document: &Value, seat: u64) -> Value {
    let mut without = document.clone();
    if let Some(wagers) = without["wagers"].as_array_mut() {
        wagers.retain(|wager| wager["seat"] != seat);
    }
    let Some(play) = without["play"].as_object_mut() else {
        return without;
    };
    for value in play.values_mut() {
        match value {
            Value::Array(entries) => entries.retain(|entry| {
                !entry.is_object() || entry.get("seat").is_none_or(|its| *its != seat)
            }),
            Value::Object(entries) => {
                entries.remove(&seat.to_string());
            }
            _ => {}
        }
    }
    without
}

/// Leaves the last card, or whatever it is, away; false where there is none.
fn shorten(value: &mut Value) -> bool {
    match value {
        Value::Array(entries) => entries.pop().is_some(),
        Value::Object(entries) => match entries.get_mut("cards") {
            Some(Value::Array(cards)) => cards.pop().is_some(),
            _ => false,
        },
        Value::Bool(is) => {
            *is = !*is;
            true
        }
        _ => false,
    }
}

/// An amount and what it was bet on.
fn stake(wager: &Value) -> String {
    let amount = Cents::new(wager["amount"].as_i64().unwrap_or_default());
    let kind = plain(wager["kind"].as_str().unwrap_or_default());
    let named = match wager.get("number").filter(|number| number.is_u64()) {
        Some(number) => format!("{kind} {number}"),
        None => kind,
    };
    if named.starts_with("bet") {
        return format!("{amount} {named}");
    }
    format!("{amount} {named} bet")
}

/// A value as people say it.
fn told(value: &Value, is_money: bool) -> String {
    match value {
        Value::Null => "not seen".to_owned(),
        Value::Bool(true) => "yes".to_owned(),
        Value::Bool(false) => "no".to_owned(),
        Value::Number(number) => match number.as_i64().filter(|_| is_money) {
            Some(cents) => Cents::new(cents).to_string(),
            None => number.to_string(),
        },
        Value::String(text) => plain(text),
        Value::Array(entries) => {
            let is_flat = entries.iter().all(|entry| !entry.is_object());
            let between = if is_flat { " " } else { "; " };
            let entries: Vec<String> = entries.iter().map(|entry| told(entry, is_money)).collect();
            match entries[..] {
                [] => "none".to_owned(),
                _ => entries.join(between),
            }
        }
        Value::Object(entries) => {
            let parts = entries.iter().map(|(key, value)| {
                let value = told(value, is_money || is_amount(key));
                match key.as_str() {
                    "cards" | "tiles" | "dice" | "do" | "act" | "code" | "kind" => value,
                    key if key.parse::<u64>().is_ok() => format!("seat {key} {value}"),
                    key => format!("{} {value}", plain(key)),
                }
            });
            parts.collect::<Vec<_>>().join(" ")
        }
    }
}

fn is_amount(key: &str) -> bool {
    let last = key.rsplit('_').next().unwrap_or(key);
    matches!(
        last,
        "amount"
            | "stack"
            | "min"
            | "max"
            | "bid"
            | "chips"
            | "limit"
            | "reset"
            | "meters"
            | "raked"
    )
}

/// Without the signs that no person says.
fn plain(text: &str) -> String {
    let said: String = text
        .chars()
        .map(|sign| match sign {
            '_' => ' ',
            sign if sign.is_control() => ' ',
            sign => sign,
        })
        .collect();
    cut(&said, MAX_NAME)
}

fn cut(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map(Vec::as_slice).unwrap_or_default()
}

fn entries(value: &Value) -> Vec<(&String, &Value)> {
    value.as_object().into_iter().flatten().collect()
}

fn keys(value: &Value) -> Vec<String> {
    entries(value)
        .into_iter()
        .map(|(key, _)| key.clone())
        .collect()
}
