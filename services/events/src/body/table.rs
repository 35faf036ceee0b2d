//! The table: opening, dealers, notices, rules and limits.

use std::collections::BTreeMap;

use catwalk_hands::floor::Cents;
use serde::{Deserialize, Serialize};

use crate::event::{Json, Person, PostedLimit};
use crate::time::Timestamp;

/// What a notice announces.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NoticeChange {
    Rules,
    Limits,
    Requirement,
}

/// A table opens for play under a game's rules.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TableOpened {
    /// The game, as the rulebook names it.
    pub game: String,
    /// The edition of the rules.
    pub edition: String,
    /// The licensee options that differ from the default, an object.
    pub options: Json,
    /// Posted limits by wager kind.
    pub limits: Vec<PostedLimit>,
    /// Value of the chips in the tray.
    pub opening_inventory: Cents,
    /// The dealer's id.
    pub dealer: String,
    /// Betting positions of the layout.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub positions: Option<u32>,
    /// The wheel in use.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wheel: Option<String>,
    /// Tournament play.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tournament: Option<bool>,
    /// A field trial of a game or option.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trial: Option<bool>,
    /// The pit that the table stands in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pit: Option<String>,
    /// Number of the table as an asset.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub asset: Option<String>,
    /// The layout on it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub layout: Option<String>,
    /// Number of the table inventory slip.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub slip: Option<String>,
    /// Chips of the tray by value in cents.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub denominations: Option<BTreeMap<String, u32>>,
    /// Who counted the tray.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<Person>,
    /// Who counted with them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub witness: Option<Person>,
    /// The tournament that it is opened for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tournament_id: Option<String>,
    /// The field trial that it is opened for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trial_id: Option<String>,
}

/// A table closes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TableClosed {
    /// Value of the chips in the tray.
    pub closing_inventory: Cents,
    /// Number of the table inventory slip.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub slip: Option<String>,
    /// Chips by value in cents.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub denominations: Option<BTreeMap<String, u32>>,
    /// Who counted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<Person>,
    /// Who counted with them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub witness: Option<Person>,
    /// Why.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// Another dealer takes the table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DealerChanged {
    /// The dealer's id.
    pub dealer: String,
}

/// A sign announces a change.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NoticePosted {
    /// The notice's id, for the change to name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub notice: Option<String>,
    /// What will change.
    pub change: NoticeChange,
    /// When the change takes effect.
    pub effective_at: Timestamp,
    /// Announced to the patrons at the table.
    pub announced: bool,
    /// The Bureau was notified.
    pub bureau_notified: bool,
    /// The words of the sign.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// When the Bureau was notified.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub notified_at: Option<Timestamp>,
    /// Who at the Bureau was notified.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub recipient: Option<String>,
    /// The approval of the sign.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub approval: Option<String>,
}

/// Other options or another edition come into force.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RulesChanged {
    /// The edition of the rules.
    pub edition: String,
    /// The licensee options that differ from the default, an object.
    pub options: Json,
    /// The notice that announced it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub notice: Option<String>,
}

/// Other limits come into force.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LimitsChanged {
    /// Posted limits by wager kind.
    pub limits: Vec<PostedLimit>,
    /// The notice that announced it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub notice: Option<String>,
}

/// A heartbeat, so that time limits pass on a quiet table too.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Clock {}

/// A floor says what it consists of.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FloorRegistered {
    /// The casino.
    pub property: String,
    /// Its tables.
    pub tables: Vec<String>,
    /// Its devices.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub devices: Option<Vec<String>>,
    /// The editions of the rules that it plays by.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub editions: Option<Vec<String>>,
}

/// A supervisor takes over the table, or tables.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SupervisorAssigned {
    /// The supervisor's id.
    pub supervisor: String,
    /// All tables that are theirs now; this one if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tables: Option<Vec<String>>,
}

/// A patron takes a seat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PatronSeated {
    /// The seat.
    pub seat: u32,
    /// The patron, where known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub player: Option<String>,
}

/// A patron leaves a seat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PatronLeft {
    /// The seat.
    pub seat: u32,
    /// The patron, where known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub player: Option<String>,
}
