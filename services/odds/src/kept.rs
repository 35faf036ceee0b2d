//! Enumerations that take long, kept with the hash of the rules that made them.

use serde::{Deserialize, Serialize};

use crate::games::Results;

/// All of them.
const KEPT: &str = include_str!("../data/kept.json");

/// The enumeration of one game and edition, with its options as filed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Kept {
    pub game: String,
    pub edition: String,
    /// Hash of the data file that settled.
    pub rules: String,
    pub hands: Vec<KeptClass>,
}

/// What a class of the player's hands comes to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeptClass {
    pub class: u32,
    /// Gain and stake on all wagers in cents, and in how many ways of dealing.
    pub results: Vec<(i64, i64, u128)>,
}

/// What the program carries.
pub fn kept() -> Vec<Kept> {
    serde_json::from_str(KEPT).unwrap_or_default()
}

impl KeptClass {
    pub(crate) fn all(results: &Results) -> Vec<KeptClass> {
        let class = |(&class, results): (&u32, &std::collections::BTreeMap<(i64, i64), u128>)| {
            let results = results.iter();
            KeptClass {
                class,
                results: results
                    .map(|(&(gain, staked), &ways)| (gain, staked, ways))
                    .collect(),
            }
        };
        results.iter().map(class).collect()
    }
}

/// What is kept of a game, if it was made by these rules; or why it is not.
pub(crate) fn results(
    game: &str,
    edition: &str,
    rules: &str,
    is_as_filed: bool,
) -> Result<Results, String> {
    const LONG: &str = "it takes minutes, and --long does it";
    let kept = kept();
    let Some(kept) = kept
        .iter()
        .find(|it| it.game == game && it.edition == edition)
    else {
        return Err(format!("no enumeration is kept of this edition; {LONG}"));
    };
    if kept.rules != rules {
        return Err(format!(
            "stale: the enumeration that is kept was made by the rules {}, and {rules} are in force; {LONG}",
            kept.rules
        ));
    }
    if !is_as_filed {
        return Err(format!(
            "an enumeration is kept of the options as filed alone; {LONG}"
        ));
    }
    let class = |class: &crate::kept::KeptClass| {
        let results = class.results.iter();
        let results = results.map(|&(gain, staked, ways)| ((gain, staked), ways));
        (class.class, results.collect())
    };
    Ok(kept.hands.iter().map(class).collect())
}
