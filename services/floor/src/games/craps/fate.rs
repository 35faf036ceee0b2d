//! A bet that is up, and what a throw does to it: the dealer's view, not the rulebook's.

use catwalk_rules::Edition;
use catwalk_rules::book::Book;
use serde_json::{Map, Value, json};

#[derive(Debug, Clone)]
pub(super) struct Live {
    /// Its place in the document of the round.
    pub(super) index: usize,
    pub(super) id: String,
    pub(super) seat: u32,
    pub(super) kind: &'static str,
    /// What is up now, in cents.
    pub(super) stake: i64,
    pub(super) number: Option<u8>,
    pub(super) dice: Option<[u8; 2]>,
    pub(super) on: Option<String>,
    /// Called on for good.
    pub(super) working: bool,
    /// What it is made of, where that matters.
    pub(super) form: Option<&'static str>,
    /// The stake with which it got its number.
    pub(super) original: i64,
    /// The number of a line or come bet.
    pub(super) point: Option<u8>,
    pub(super) made: Vec<u8>,
    /// A valid roll was thrown while it was up.
    pub(super) rolled: bool,
    /// The roll of this round that it was made for.
    pub(super) born: Option<usize>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fate {
    Stays,
    Travels(u8),
    Made(u8),
    Over,
}

#[derive(Debug)]
pub(super) struct Throw {
    pub(super) total: u8,
    pub(super) point: Option<u8>,
}

impl Throw {
    pub(super) fn new(dice: [u8; 2], point: Option<u8>) -> Throw {
        Throw {
            total: dice[0] + dice[1],
            point,
        }
    }
}

pub(super) fn can_be_off(kind: &str) -> bool {
    let book = Book::of("craps");
    let off = book.and_then(|book| book.figure(Edition::OhJack2017, "off_on_come_out"));
    let off = off.and_then(Value::as_array);
    off.is_some_and(|off| off.iter().any(|it| it == kind))
}

pub(super) fn is_odds(kind: &str) -> bool {
    let wager = Book::of("craps").and_then(|book| book.wager(kind));
    wager.is_some_and(|wager| wager.on.is_some())
}

impl Live {
    /// Odds go with their flat bet.
    pub(super) fn fate(&self, throw: &Throw, crapless: bool, called_on: bool) -> Fate {
        let total = throw.total;
        let over = |is_over: bool| if is_over { Fate::Over } else { Fate::Stays };
        match self.kind {
            "pass" | "come" | "dont_pass" | "dont_come" => match self.point {
                Some(point) => over(total == point || total == 7),
                None if crapless && total != 7 => Fate::Travels(total),
                None if matches!(total, 2 | 3 | 7 | 11 | 12) => Fate::Over,
                None => Fate::Travels(total),
            },
            "fire" => match throw.point {
                Some(point) if point == total => Fate::Made(total),
                Some(_) => over(total == 7),
                None => Fate::Stays,
            },
            kind if is_odds(kind) => Fate::Stays,
            kind if can_be_off(kind) && throw.point.is_none() && !self.working && !called_on => {
                Fate::Stays
            }
            "place" | "buy" | "hard" | "put" | "lay" | "place_lose" => {
                over(total == 7 || Some(total) == self.number)
            }
            _ => Fate::Over,
        }
    }

    /// Contract bets stay as they are.
    pub(super) fn is_free(&self) -> bool {
        match self.kind {
            "pass" | "come" | "put" | "fire" => false,
            kind => is_odds(kind) || self.rolled,
        }
    }

    /// What a document has of it when it is made.
    pub(super) fn document(&self, placed: i64) -> Value {
        let mut wager = Map::new();
        let mut set = |key: &str, value: Value| drop(wager.insert(key.into(), value));
        set("id", json!(self.id));
        set("seat", json!(self.seat));
        set("kind", json!(self.kind));
        set("amount", json!(self.stake));
        set("placed", json!(placed));
        if let Some(number) = self.number {
            set("number", json!(number));
        }
        if let Some(dice) = self.dice {
            set("dice", json!(dice));
        }
        if let Some(on) = &self.on {
            set("on", json!(on));
        }
        if self.working {
            set("working", json!(true));
        }
        if let Some(form) = self.form {
            set("form", json!(form));
        }
        Value::Object(wager)
    }

    /// What the next document has of it. One that waits for its first roll is as good as new.
    pub(super) fn carried(&self) -> Value {
        let waits = matches!(self.kind, "come" | "dont_come" | "put" | "put_odds") && !self.rolled;
        let mut wager = self.document(if waits { 0 } else { -1 });
        if matches!(self.kind, "come" | "dont_come") && !waits {
            wager["point"] = json!(self.point);
        }
        if self.kind.starts_with("dont_") && self.original > self.stake {
            wager["original"] = json!(self.original);
        }
        if self.kind == "fire" {
            let mut made = self.made.clone();
            made.sort_unstable();
            wager["made"] = json!(made);
        }
        wager
    }
}
