//! What is done at a box, as documents write it.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::floor::Card;

/// A decision or a card after the first two. `V` are the words of one game.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Step<V> {
    #[serde(default = "first_hand")]
    pub hand: u32,
    #[serde(rename = "do")]
    pub verb: V,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub card: Option<Card>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub new_hand: Option<u32>,
}

/// A box of any of these games, as a feed tells it.
pub trait ToldBox: DeserializeOwned {
    type Verb: DeserializeOwned;
    /// What is said of the box, with its cards.
    #[must_use]
    fn dealt(self, cards: Vec<Card>, steps: Vec<Step<Self::Verb>>) -> Self;
}

/// Hands are numbered by the document; the one that a box starts with is 1.
pub(crate) const fn first_hand() -> u32 {
    1
}
