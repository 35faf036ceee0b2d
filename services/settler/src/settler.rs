//! All tables together.

use std::sync::Arc;

use catwalk_events::audit::{DealtCard, Finding, SettledWager};
use catwalk_events::{Event, Timestamp};
use catwalk_rules::floor::Cents;
use catwalk_rules::{Rulebook, Settlement};
use serde::{Serialize, Serializer};
use serde_json::{Value, json};

use crate::by_table::ByTable;
pub(crate) use crate::laws::Laws;
use crate::sequence::Arrival;
use crate::snapshot::{self, SnapshotError};
use crate::table::{PlayedWith, RulesInForce, Table};

/// A code that the settler raises by itself is not in the rulebook.
#[derive(Debug, thiserror::Error)]
#[error("the rulebook has no finding {0}")]
pub struct DataError(pub(crate) &'static str);

/// What an event is taken to weigh where nobody says.
const NOMINAL_BYTES: usize = 256;

/// Folds the events of any number of tables.
#[derive(Debug)]
pub struct Settler {
    laws: Arc<Laws>,
    tables: ByTable<Table>,
}

/// What comes out of an event.
#[derive(Debug)]
pub enum Output {
    Finding(Box<Finding>),
    Settlement(Box<SettledRound>),
    /// An event that means nothing where it stands.
    Unread(Unread),
}

/// An event that was read but could not be used, and why.
#[derive(Debug)]
pub struct Unread {
    pub event: Box<Event>,
    pub reason: String,
    /// Where in the feed the event stood, as [`Settler::receive_at`] was told.
    pub offset: u64,
}

impl Unread {
    /// The offset is filled in where it is known.
    pub(crate) fn of(event: Event, reason: String) -> Unread {
        Unread {
            event: Box::new(event),
            reason,
            offset: 0,
        }
    }
}

/// A round that has ended.
#[derive(Debug)]
pub struct SettledRound {
    pub round: String,
    pub property: String,
    pub table: String,
    /// Those in force when it opened.
    pub rules: RulesInForce,
    pub opened_at: Timestamp,
    /// When it ended.
    pub at: Timestamp,
    /// Of the event that opened it.
    pub first_seq: u64,
    /// Of the event that ended it.
    pub last_seq: u64,
    pub dealer: Option<String>,
    /// False where events of it are missing: it was not judged.
    pub complete: bool,
    /// The floor declared it void.
    pub voided: bool,
    /// The round document, and what it settles to; `None` where it was void or cannot be settled.
    pub document: Option<Value>,
    pub settlement: Option<Settlement>,
    /// In the order placed.
    pub wagers: Vec<SettledWager>,
    /// Vigorish of them that is still to be collected, where that may be done later.
    pub owed: Cents,
    /// In the order dealt.
    pub cards: Vec<DealtCard>,
    pub(crate) banker: Option<u32>,
    pub(crate) played_with: PlayedWith,
}

/// One object: what identifies the round, its settlement as `catwalk settle` writes it with what was
/// staked and paid beside each wager, and the document that settles to it.
impl Serialize for SettledRound {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let wagers: Vec<Value> = self.wagers.iter().map(entry).collect();
        let settlement = self.settlement.as_ref();
        json!({
            "round": self.round, "property": self.property, "table": self.table,
            "opened_at": self.opened_at.to_string(), "at": self.at.to_string(),
            "dealer": self.dealer, "complete": self.complete,
            "game": settlement.map(Settlement::game), "wagers": wagers,
            "violations": settlement.map(Settlement::violations),
            "rules": settlement.map(Settlement::rules_hash), "document": self.document,
        })
        .serialize(serializer)
    }
}

fn entry(wager: &SettledWager) -> Value {
    json!({
        "id": wager.id, "seat": wager.seat, "player": wager.player, "kind": wager.kind,
        "amount": wager.amount, "result": wager.result, "win": wager.win,
        "commission": wager.commission, "returned": wager.returned, "paid": wager.paid,
        "commission_taken": wager.commission_taken,
    })
}

impl Settler {
    /// Fails only if the rulebook lacks a code, which the tests catch.
    pub fn new(rulebook: Arc<Rulebook>) -> Result<Settler, DataError> {
        Settler::under(rulebook, true)
    }

    /// One that settles rounds and compares payments, and watches nothing else.
    pub fn without_watch(rulebook: Arc<Rulebook>) -> Result<Settler, DataError> {
        Settler::under(rulebook, false)
    }

    fn under(rulebook: Arc<Rulebook>, watches: bool) -> Result<Settler, DataError> {
        let laws = Laws::new(rulebook, watches)?;
        Ok(Settler {
            laws: Arc::new(laws),
            tables: ByTable::default(),
        })
    }

    /// Another settler under the same rules, without tables.
    pub fn without_tables(&self) -> Settler {
        Settler {
            laws: Arc::clone(&self.laws),
            tables: ByTable::default(),
        }
    }

    /// Takes the next event of the feed.
    pub fn receive(&mut self, event: Event) -> Vec<Output> {
        self.receive_at(event, 0, NOMINAL_BYTES)
    }

    /// The same where the feed is a log: the event's offset there, to name it by where it cannot be
    /// used, and how many bytes it had, to bound what is kept of its table.
    pub fn receive_at(&mut self, event: Event, offset: u64, bytes: usize) -> Vec<Output> {
        let mut out = Vec::new();
        let new = || Table::new(&event);
        let table = self
            .tables
            .get_or_insert_with(&event.property, &event.table, new);
        let arrival = Arrival {
            event,
            offset,
            bytes,
        };
        table.receive(arrival, &self.laws, &mut out);
        out
    }

    /// Says that the feed has ended: gaps that were waited for are given up.
    pub fn finish(&mut self) -> Vec<Output> {
        let mut out = Vec::new();
        for table in self.tables.values_mut() {
            table.finish(&self.laws, &mut out);
            table.end_untold(&self.laws, &mut out);
        }
        out
    }

    /// How many tables are known.
    pub fn tables(&self) -> usize {
        self.tables.len()
    }

    /// Is anything kept of this table?
    pub fn knows(&self, property: &str, table: &str) -> bool {
        self.tables.get(property, table).is_some()
    }

    /// Everything that is kept of a table, to go on from later; `None` for one that is not known.
    pub fn snapshot(&self, property: &str, table: &str) -> Result<Option<Vec<u8>>, SnapshotError> {
        let table = self.tables.get(property, table);
        table.map(snapshot::write).transpose()
    }

    /// Goes on with a table from its snapshot. Gives its property and name.
    pub fn restore(&mut self, snapshot: &[u8]) -> Result<(String, String), SnapshotError> {
        let table: Table = snapshot::read(snapshot)?;
        let name = table.name();
        self.put(table);
        Ok(name)
    }

    /// Knows the table of an event from now on.
    pub(crate) fn meet(&mut self, event: &Event) {
        let new = || Table::new(event);
        self.tables
            .get_or_insert_with(&event.property, &event.table, new);
    }

    pub(crate) fn put(&mut self, table: Table) {
        let (property, name) = table.name();
        self.tables.insert(property, name, table);
    }
}
