//! A pit whose tables change their minds about options that must be uniform.

use std::collections::BTreeMap;

use catwalk_events::{Event, Timestamp, json};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde_json::{Value, json};

/// In seconds.
pub(crate) const DAY: i64 = 24 * 60 * 60;

/// Its tables play, one event after the other.
pub(crate) struct Pit {
    rng: ChaCha8Rng,
    /// Seconds since the beginning.
    now: i64,
    events: Vec<Event>,
    /// By table, the last event.
    seqs: BTreeMap<String, u64>,
}

/// Game, edition, and the options between which its tables change. The last game has no option that must
/// be uniform.
fn game(table: usize) -> (&'static str, &'static str, Vec<Value>) {
    let pays = |row: &str| json!({"pays": {row: "3:1"}});
    match table % 4 {
        0 => (
            "minibaccarat",
            "oh-jack-2017",
            ["win_5pct", "tie_25pct"]
                .map(|kind| json!({"vigorish_type": kind}))
                .into(),
        ),
        1 => (
            "craps",
            "mgc-2017",
            vec![json!({}), pays("field_12"), pays("field_2")],
        ),
        2 => (
            "colorado_holdem",
            "mgc-2017",
            vec![json!({}), json!({"version": "permissible"})],
        ),
        _ => ("red_dog", "mgc-2017", vec![json!({}), json!({})]),
    }
}

impl Pit {
    /// Without tables.
    pub(crate) fn new(seed: u64) -> Pit {
        Pit {
            rng: ChaCha8Rng::seed_from_u64(seed),
            now: 0,
            events: Vec::new(),
            seqs: BTreeMap::new(),
        }
    }

    /// What has happened.
    pub(crate) fn events(&self) -> &[Event] {
        &self.events
    }

    /// Lets so many seconds pass.
    pub(crate) fn wait(&mut self, seconds: i64) {
        self.now += seconds;
    }

    /// Plays at so many tables. Rarely do all close for more than a day, and often do two tables do
    /// something at the same moment.
    pub(crate) fn play(seed: u64, tables: usize, steps: usize) -> Vec<Event> {
        let mut pit = Pit::new(seed);
        for table in 0..tables {
            pit.open(table, 0);
        }
        for _ in 0..steps {
            let table = pit.rng.random_range(0..tables);
            pit.now += match pit.rng.random_range(0..100) {
                0 => DAY + 1,
                1..30 => 0,
                _ => pit.rng.random_range(1..90),
            };
            match pit.rng.random_range(0..12) {
                0 => pit.change(table),
                1 => {
                    pit.send(
                        table,
                        json!({"type": "table_closed", "closing_inventory": 1}),
                    );
                    let options = pit.rng.random_range(0..2);
                    pit.open(table, options);
                }
                _ => pit.round(table),
            }
        }
        pit.events
    }

    pub(crate) fn open(&mut self, table: usize, options: usize) {
        let (game, edition, values) = game(table);
        let body = json!({"type": "table_opened", "game": game, "edition": edition,
            "options": values[options], "limits": [], "opening_inventory": 1, "dealer": "d-1"});
        self.send(table, body);
    }

    fn change(&mut self, table: usize) {
        let (_, edition, values) = game(table);
        let options = &values[self.rng.random_range(0..values.len())];
        let body = json!({"type": "rules_changed", "edition": edition, "options": options});
        self.send(table, body);
    }

    pub(crate) fn round(&mut self, table: usize) {
        self.send(table, json!({"type": "round_opened"}));
        let void = json!({"type": "round_voided", "reason": "fire alarm"});
        self.send(table, void);
    }

    fn send(&mut self, table: usize, body: Value) {
        let table = format!("T-{table}");
        let seq = self.seqs.entry(table.clone()).or_default();
        *seq += 1;
        let start: Timestamp = "2026-11-15T20:00:00Z".parse().unwrap();
        let at = Timestamp::from_micros(start.micros() + self.now * 1_000_000);
        let mut event = json!({
            "id": format!("{table}/{seq}"), "property": "ebh", "table": table, "seq": *seq,
            "at": at.to_string(), "body": body, "source": {"kind": "device", "id": "d"},
        });
        match body["type"].as_str() {
            Some("round_opened") => event["round"] = json!(format!("{table}-{seq}")),
            Some("round_voided") => event["round"] = json!(format!("{table}-{}", *seq - 1)),
            _ => {}
        }
        self.events.push(json::read(&event.to_string()).unwrap());
    }
}

/// The same events of each table in the same order, the tables in another: in turns, or each in lots.
pub(crate) fn interleaved(events: &[Event], rng: &mut ChaCha8Rng) -> Vec<Event> {
    let mut tables: BTreeMap<&str, Vec<&Event>> = BTreeMap::new();
    for event in events.iter().rev() {
        tables.entry(&event.table).or_default().push(event);
    }
    let mut rest: Vec<Vec<&Event>> = tables.into_values().collect();
    let lot = [1, 2, 30, usize::MAX][rng.random_range(0..4)];
    let mut order = Vec::new();
    while !rest.is_empty() {
        let table = rng.random_range(0..rest.len());
        let count = rest[table].len().min(lot);
        for _ in 0..count {
            order.extend(rest[table].pop().cloned());
        }
        if rest[table].is_empty() {
            rest.swap_remove(table);
        }
    }
    order
}
