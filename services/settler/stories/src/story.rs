//! A table and what happens there, told in short: bodies of events as JSON, and the findings.

use std::collections::BTreeSet;

use catwalk_events::json;
use catwalk_rules::floor::{Card, Tile};
use catwalk_settler::{Finding, SettledRound, Settler};
use serde_json::{Value, json};

use crate::{assert_told_apart, heard, settler};

/// One table.
#[derive(Debug)]
pub struct Story {
    settler: Settler,
    seq: u64,
    rounds: u32,
    told: BTreeSet<String>,
    pub findings: Vec<Finding>,
    pub settled: Vec<SettledRound>,
}

impl Story {
    /// Opens a table of a game.
    pub fn at(game: &str, edition: &str, options: Value) -> Story {
        let mut story = Story {
            settler: settler(),
            seq: 0,
            rounds: 0,
            told: BTreeSet::new(),
            findings: Vec::new(),
            settled: Vec::new(),
        };
        let opened = json!({"type": "table_opened", "game": game, "edition": edition,
            "options": options, "limits": [], "opening_inventory": 5000000, "dealer": "d-1"});
        story.aside(opened);
        story
    }

    /// Something happens that is of no round.
    pub fn aside(&mut self, body: Value) -> &mut Story {
        self.tell(None, body)
    }

    /// An event never comes.
    pub fn lose(&mut self) -> &mut Story {
        self.seq += 1;
        self
    }

    /// Something happens in the round of this number, from 1.
    pub fn of_round(&mut self, round: u32, body: Value) -> &mut Story {
        self.tell(Some(round), body)
    }

    /// A whole round: opened with these keys, told, and closed.
    pub fn round_opened_with(
        &mut self,
        mut opened: Value,
        bodies: impl IntoIterator<Item = Value>,
    ) -> &mut Story {
        self.rounds += 1;
        opened["type"] = json!("round_opened");
        let round = Some(self.rounds);
        self.tell(round, opened);
        for body in bodies {
            self.tell(round, body);
        }
        self.tell(round, json!({"type": "round_closed"}))
    }

    pub fn round(&mut self, bodies: impl IntoIterator<Item = Value>) -> &mut Story {
        self.round_opened_with(json!({}), bodies)
    }

    fn tell(&mut self, round: Option<u32>, body: Value) -> &mut Story {
        self.seq += 1;
        pieces(&body, &mut self.told);
        let (minute, second) = (self.seq / 60, self.seq % 60);
        let mut event = json!({"id": format!("e{}", self.seq), "property": "ebh", "table": "T-1",
            "seq": self.seq, "at": format!("2026-11-15T20:{minute:02}:{second:02}Z"),
            "source": {"kind": "device", "id": "d"}, "body": body});
        if let Some(round) = round {
            event["round"] = json!(format!("r{round}"));
        }
        let event = json::read(&event.to_string()).unwrap();
        let (findings, settled) = heard(self.settler.receive(event));
        self.findings.extend(findings);
        self.settled.extend(settled);
        assert_told_apart(&self.findings);
        self
    }

    /// The codes found until now. What later events put right of them is told in `watch/resolutions`.
    pub fn codes(&self) -> Vec<&str> {
        let codes = self.findings.iter().map(|finding| finding.code.as_str());
        codes.filter(|code| *code != "finding.resolved").collect()
    }

    /// Cards and tiles in the documents that no event told: of a piece that nobody saw there is no name.
    pub fn invented(&self) -> Vec<String> {
        let mut written = BTreeSet::new();
        let documents = self
            .settled
            .iter()
            .filter_map(|round| round.document.as_ref());
        documents.for_each(|document| pieces(&document["play"], &mut written));
        written.difference(&self.told).cloned().collect()
    }

    /// The one finding of a code.
    pub fn finding(&self, code: &str) -> &Finding {
        let mut of_code = self.findings.iter().filter(|finding| finding.code == code);
        match (of_code.next(), of_code.next()) {
            (Some(finding), None) => finding,
            _ => panic!("{code} is not found once: {:?}", self.codes()),
        }
    }
}

/// The cards and tiles in a value.
fn pieces(value: &Value, found: &mut BTreeSet<String>) {
    match value {
        Value::String(text) if text.parse::<Card>().is_ok() || text.parse::<Tile>().is_ok() => {
            found.insert(text.clone());
        }
        Value::Array(list) => list.iter().for_each(|entry| pieces(entry, found)),
        Value::Object(entries) => entries.values().for_each(|entry| pieces(entry, found)),
        _ => {}
    }
}

pub fn bet(id: &str, seat: u32, kind: &str, amount: i64) -> Value {
    json!({"type": "wager_placed", "wager": id, "seat": seat, "kind": kind, "amount": amount})
}

pub fn closed() -> Value {
    json!({"type": "betting_closed"})
}

pub fn card(to: &str, card: &str) -> Value {
    json!({"type": "card_dealt", "to": to, "card": card, "face": "up"})
}

/// Cards of one hand after the other: `"player 5S"`.
pub fn cards(told: &[&str]) -> Vec<Value> {
    let dealt = told.iter().map(|told| {
        let (to, name) = told.split_once(' ').unwrap();
        card(to, name)
    });
    dealt.collect()
}

pub fn paid(id: &str, amount: i64) -> Value {
    json!({"type": "wager_paid", "wager": id, "amount": amount})
}

pub fn paid_less(id: &str, amount: i64, commission: i64) -> Value {
    json!({"type": "wager_paid", "wager": id, "amount": amount, "commission": commission})
}

pub fn collected(id: &str) -> Value {
    json!({"type": "wager_collected", "wager": id})
}

pub fn pushed(id: &str) -> Value {
    json!({"type": "wager_pushed", "wager": id})
}

pub fn irregularity(kind: &str, detail: Value) -> Value {
    json!({"type": "irregularity", "kind": kind, "detail": detail, "ruling": "as the rules say"})
}
