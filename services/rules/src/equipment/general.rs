//! What holds for cards, dice, tiles, chips, limits and notices of all games.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::floor::{Cents, Odds};

/// How long cards are used and kept.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CardLife {
    /// Of games that are not named.
    pub other_games_hours: i64,
    /// Where longer use is approved, and with how many decks at least it can be.
    pub extended_hours: i64,
    pub extended_decks: u32,
    /// A used set is destroyed so many hours after security collected it.
    pub destroy_after_collection_hours: i64,
    /// Where no collection is reported: after removal, a day for it more.
    pub destroy_after_removal_hours: i64,
    pub cite: String,
}

/// How long dice are used and kept.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DiceLife {
    pub on_table_hours: i64,
    pub destroy_after_collection_hours: i64,
    pub cite: String,
}

/// How long tiles are used.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TileLife {
    pub on_table_hours: i64,
    pub cite: String,
}

/// The least that a maximum may be, by its minimum.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LimitRatio {
    pub times: i64,
    /// It holds up to this minimum,
    pub up_to_minimum: Cents,
    /// and up to these odds.
    pub up_to_odds: Odds,
    pub cite: String,
}

/// The time between the announcement of a change and the change.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Notice {
    pub minutes: i64,
    pub cite: String,
}

/// When a tournament is filed.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tournament {
    pub notice_business_days: i64,
    pub cite: String,
}

/// Chips by value, and how often those out of play are counted.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ChipRule {
    pub values: Vec<Cents>,
    pub inventory_days: i64,
    pub commingled_days: i64,
    pub sealed_days: i64,
    pub impress_days: i64,
    pub cite: String,
}

/// A device that is inspected on the gaming day of its use.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DeviceRule {
    pub(super) kind: String,
    /// The games whose devices these are; all if none is named.
    #[serde(default)]
    pub(super) games: Vec<String>,
    pub cite: String,
}

impl DeviceRule {
    pub(super) fn is_of(&self, game: Option<&str>) -> bool {
        let is_it = |known: &String| Some(known.as_str()) == game;
        self.games.is_empty() || self.games.iter().any(is_it)
    }
}

/// Why something is found that no section of a text asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Uncited {
    /// Events are missing, come twice, or contradict each other.
    Feed,
    /// Sums and frequencies that the watch keeps for itself.
    Watch,
    /// What the game's own text says of windows, wagers and payments.
    Game,
}

impl fmt::Display for Uncited {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Uncited::Feed => "feed",
            Uncited::Watch => "watch",
            Uncited::Game => "rules of the game",
        })
    }
}
