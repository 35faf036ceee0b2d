//! How a wager ended, and how much a fault weighs.

use serde::{Deserialize, Serialize};

/// How a wager ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    Win,
    Lose,
    /// The stake goes back by the outcome of the game.
    Push,
    /// The stake goes back because the wager or the round does not count.
    Void,
    /// Not decided yet.
    Open,
}

/// How much a fault weighs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    Info,
    Warn,
    Critical,
}
