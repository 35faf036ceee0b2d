//! The envelope of an event, and what several bodies share.

use std::fmt;

use catwalk_hands::floor::Cents;
use serde::de::value::MapAccessDeserializer;
use serde::de::{self, IntoDeserializer, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
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
    /// Of the gaming day, as the house names it.
    #[serde(default)]
    pub shift: Option<String>,
    /// When the house's system received it.
    #[serde(default)]
    pub received_at: Option<Timestamp>,
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

/// A person on the floor. Where only the role is known, JSON may have it alone: `"by": "dealer"`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Person {
    pub id: String,
    pub role: Role,
    /// Number of the licence or registration.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub licence: Option<String>,
    /// Did they sign?
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub signed: Option<bool>,
}

impl Person {
    /// Somebody of whom no more is told.
    pub fn new(id: impl Into<String>, role: Role) -> Person {
        Person {
            id: id.into(),
            role,
            licence: None,
            signed: None,
        }
    }
}

impl<'de> Deserialize<'de> for Person {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Person, D::Error> {
        deserializer.deserialize_any(PersonVisitor)
    }
}

struct PersonVisitor;

impl<'de> Visitor<'de> for PersonVisitor {
    type Value = Person;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a person, such as {\"id\":\"d-114\",\"role\":\"dealer\"}, or a role")
    }

    fn visit_str<E: de::Error>(self, role: &str) -> Result<Person, E> {
        Ok(Person::new(
            role,
            Role::deserialize(role.into_deserializer())?,
        ))
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Person, A::Error> {
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
        struct Named {
            id: String,
            role: Role,
            #[serde(default)]
            licence: Option<String>,
            #[serde(default)]
            signed: Option<bool>,
        }
        let named = Named::deserialize(MapAccessDeserializer::new(map))?;
        Ok(Person {
            id: named.id,
            role: named.role,
            licence: named.licence,
            signed: named.signed,
        })
    }
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
    /// Whoever plays.
    #[serde(alias = "player")]
    Patron,
    Maintenance,
    ChipBank,
    MainBank,
    CountTeam,
    BureauAgent,
    Controller,
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
