//! The envelope of an event, and what several bodies share.

use catwalk_rules::floor::Cents;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::body::Body;
use crate::time::Timestamp;

/// One thing that happened at a table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Event {
    /// Unique over all tables and time.
    pub id: String,
    /// The casino.
    pub property: String,
    pub table: String,
    /// Rises by one per table without gaps.
    pub seq: u64,
    pub at: Timestamp,
    pub source: Source,
    /// The round it belongs to.
    #[serde(default)]
    pub round: Option<String>,
    pub body: Body,
}

/// Where an event comes from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Source {
    pub kind: SourceKind,
    /// The device, or the person's badge.
    pub id: String,
}

/// Who or what sends an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SourceKind {
    Device,
    Dealer,
    Supervisor,
    Cage,
    CountRoom,
    Security,
    Accounting,
    Surveillance,
    System,
}

/// A person on the floor.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Person {
    pub id: String,
    pub role: Role,
}

/// What a person does on the floor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    Dealer,
    Boxperson,
    Floorperson,
    Supervisor,
    PitBoss,
    ShiftManager,
    Security,
    Cage,
    Accounting,
    Surveillance,
}

/// Posted limits of one wager kind.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PostedLimit {
    pub kind: String,
    pub min: Cents,
    pub max: Cents,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub increment: Option<Cents>,
}

/// A part of an event whose shape the game decides, kept as JSON text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Json(String);

impl Json {
    pub fn new(value: &Value) -> Json {
        Json(value.to_string())
    }

    pub fn text(&self) -> &str {
        &self.0
    }

    /// The value; a text that is no JSON is taken as a string.
    pub fn value(&self) -> Value {
        serde_json::from_str(&self.0).unwrap_or_else(|_| Value::String(self.0.clone()))
    }
}
