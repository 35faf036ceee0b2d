//! The sample rounds that each game carries.

use anyhow::Context;
use catwalk_rules::AnyGame;
use serde::Deserialize;
use serde_json::Value;

/// A sample round and the settlement written beside it.
#[derive(Deserialize)]
pub(crate) struct Sample {
    pub(crate) name: String,
    pub(crate) document: Value,
    pub(crate) settlement: Value,
}

impl Sample {
    /// True for a document that is there to be refused.
    pub(crate) fn is_refused(&self) -> bool {
        self.settlement.get("error").is_some()
    }
}

pub(crate) fn of_game(game: &dyn AnyGame) -> anyhow::Result<Vec<Sample>> {
    let read = |line| {
        serde_json::from_str(line).with_context(|| format!("a sample round of {}", game.name()))
    };
    game.examples().lines().map(read).collect()
}
