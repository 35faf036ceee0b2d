//! The table: opening, dealers, notices, rules and limits.

use catwalk_hands::floor::Cents;
use serde::{Deserialize, Serialize};

use crate::event::{Json, PostedLimit};
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
}

/// A table closes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TableClosed {
    /// Value of the chips in the tray.
    pub closing_inventory: Cents,
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
