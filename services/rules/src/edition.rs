//! Editions: dated texts of the rules, side by side.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A dated text of the rules. Each game has those that its data file names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Edition {
    /// Massachusetts Gaming Commission, rules of the game as published in 2017.
    #[serde(rename = "mgc-2017")]
    Mgc2017,
    /// The Commission's later texts of single games.
    #[serde(rename = "mgc-amended")]
    MgcAmended,
    /// The rules that an Ohio licensee filed in 2016 and 2017.
    #[serde(rename = "oh-jack-2017")]
    OhJack2017,
}

impl Edition {
    pub const ALL: [Edition; 3] = [Edition::Mgc2017, Edition::MgcAmended, Edition::OhJack2017];

    pub const fn name(self) -> &'static str {
        match self {
            Edition::Mgc2017 => "mgc-2017",
            Edition::MgcAmended => "mgc-amended",
            Edition::OhJack2017 => "oh-jack-2017",
        }
    }

    pub fn from_name(name: &str) -> Option<Edition> {
        Edition::ALL
            .into_iter()
            .find(|edition| edition.name() == name)
    }
}

impl fmt::Display for Edition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
