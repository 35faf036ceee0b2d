//! How a poker table deals and shuffles, as its options say.

use serde::Deserialize;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Dealing {
    Hand,
    ManualShoe,
    AutomatedShoe,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Shuffler {
    None,
    Automated,
    /// One that also counts the deck.
    AutomatedCounting,
}
