//! Slips: fills, credits, and the papers that go with them.

use std::collections::BTreeMap;

use catwalk_hands::floor::Cents;
use serde::{Deserialize, Serialize};

use crate::event::Person;

/// What a slip documents.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SlipKind {
    Fill,
    Credit,
    Opener,
    Closer,
    Marker,
    Jackpot,
}

/// A part of a slip.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SlipPart {
    Original,
    Duplicate,
    Triplicate,
    Quadruplicate,
    Stub,
}

/// Chips come to the table from the cage.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fill {
    /// Number of the slip.
    pub slip: String,
    /// How much.
    pub amount: Cents,
    /// Chips by value in cents.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub denominations: Option<BTreeMap<String, u32>>,
    /// Number of the request that asked for it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub request: Option<String>,
    /// Who prepared the chips, or is to receive them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prepared_by: Option<Person>,
    /// Who carried them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub carried_by: Option<Person>,
    /// The dealer who signed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dealer: Option<String>,
    /// The supervisor who signed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub supervisor: Option<String>,
}

/// Chips go from the table to the cage.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Credit {
    /// Number of the slip.
    pub slip: String,
    /// How much.
    pub amount: Cents,
    /// Chips by value in cents.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub denominations: Option<BTreeMap<String, u32>>,
    /// Number of the request that asked for it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub request: Option<String>,
    /// Who prepared the chips, or is to receive them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prepared_by: Option<Person>,
    /// Who carried them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub carried_by: Option<Person>,
    /// The dealer who signed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dealer: Option<String>,
    /// The supervisor who signed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub supervisor: Option<String>,
}

/// Chips are asked for, or asked to be taken.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SlipRequested {
    /// Number of the request.
    pub request: String,
    /// What for.
    pub kind: SlipKind,
    /// How much.
    pub amount: Cents,
    /// Chips by value in cents.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub denominations: Option<BTreeMap<String, u32>>,
    /// Who asks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<Person>,
}

/// A slip does not count.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SlipVoided {
    /// Number of the slip.
    pub slip: String,
    /// Why.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Who voided it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<Person>,
    /// Who signed with them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub witness: Option<Person>,
}

/// A part of a slip arrives where it is kept.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SlipFiled {
    /// Number of the slip.
    pub slip: String,
    /// What it documents.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<SlipKind>,
    /// Which part.
    pub part: SlipPart,
    /// The amount on it.
    pub amount: Cents,
    /// Who filed it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<Person>,
}
