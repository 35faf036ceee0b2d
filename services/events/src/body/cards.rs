//! Sets of cards, from delivery to destruction.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::event::Person;

/// The store that cards come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CardsOrigin {
    Primary,
    Secondary,
    Poker,
    PitReserve,
    Vendor,
}

/// How cards are dealt and shuffled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DealingMethod {
    Hand,
    Shoe,
    AutoShoe,
    Continuous,
}

/// What was counted: the whole set, or the cards left after a deal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CountScope {
    Set,
    Stub,
}

/// A set of cards comes to the table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CardsDelivered {
    /// The set of cards: one or more decks that stay together.
    pub set: String,
    /// Decks in the set.
    pub decks: u32,
    /// Colour of the backs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub colour: Option<String>,
    /// Inspected and shuffled before delivery.
    pub preshuffled: bool,
    /// Number of the container's seal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seal: Option<String>,
    /// Where it comes from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<CardsOrigin>,
    /// Who brings it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<Person>,
    /// Who watches.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub witness: Option<Person>,
}

/// A set is inspected before use.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CardsInspected {
    /// The set of cards: one or more decks that stay together.
    pub set: String,
    /// Cards that the set lacks.
    pub missing: Vec<String>,
    /// Cards that it has too often.
    pub extra: Vec<String>,
    /// Cards that must be replaced.
    pub unsuitable: Vec<String>,
    /// The dealer who inspects.
    pub dealer: String,
    /// The supervisor who verifies.
    pub supervisor: String,
}

/// The seal of a set is broken.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CardsOpened {
    /// The set of cards: one or more decks that stay together.
    pub set: String,
    /// The shift manager approved use beyond the usual hours.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub extended_use: Option<bool>,
    /// A receipt for pre-shuffled cards was signed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub receipt: Option<bool>,
    /// The seal was whole.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seal_intact: Option<bool>,
    /// Who opens it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<Person>,
}

/// A shuffled set starts to be dealt.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ShoeStarted {
    /// This run of the set, from shuffle to shuffle.
    pub shoe: String,
    /// The set of cards: one or more decks that stay together.
    pub set: String,
    /// Decks in the shoe.
    pub decks: u32,
    /// How it is dealt.
    pub method: DealingMethod,
    /// The shuffling device.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shuffler: Option<String>,
    /// Cards behind the cutting card.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cut: Option<u32>,
}

/// A card leaves the shoe unplayed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CardBurned {
    /// The card, where it was shown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub card: Option<String>,
    /// Colour of its back.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub back: Option<String>,
}

/// A damaged card of a set is replaced by an equal one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CardReplaced {
    /// The set of cards: one or more decks that stay together.
    pub set: String,
    /// The card.
    pub card: String,
}

/// Cards are counted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CardsCounted {
    /// The set of cards: one or more decks that stay together.
    pub set: String,
    /// How many there are.
    pub count: u32,
    /// How often each card is there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub composition: Option<BTreeMap<String, u32>>,
    /// What was counted; the set if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scope: Option<CountScope>,
    /// They were sorted into decks and suits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sorted: Option<bool>,
}

/// A shoe is dealt out or taken away.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ShoeEnded {
    /// The shoe.
    pub shoe: String,
    /// Cards left in it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub remaining: Option<u32>,
}

/// A set leaves the table.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CardsRemoved {
    /// The set of cards: one or more decks that stay together.
    pub set: String,
    /// Why.
    pub reason: String,
    /// Who takes it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<Person>,
    /// Who watches.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub witness: Option<Person>,
}

/// Security collects a set.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CardsCollected {
    /// The set of cards: one or more decks that stay together.
    pub set: String,
    /// The container.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub container: Option<String>,
    /// Who collects it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<Person>,
    /// Number of the seal of the container.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seal: Option<String>,
    /// What is written on the container.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
}

/// A set is inspected after use.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CardsReinspected {
    /// The set of cards: one or more decks that stay together.
    pub set: String,
    /// Cards that the set lacks.
    pub missing: Vec<String>,
    /// Cards that it has too often.
    pub extra: Vec<String>,
    /// Cards that show tampering.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unsuitable: Option<Vec<String>>,
    /// By hand or by machine.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub method: Option<String>,
    /// A sample stands for the whole.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sample: Option<bool>,
    /// Who inspects.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<Person>,
}

/// A set is destroyed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CardsDestroyed {
    /// The set of cards: one or more decks that stay together.
    pub set: String,
    /// Shredded or drilled.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub how: Option<String>,
    /// Cards destroyed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub count: Option<u32>,
    /// Who destroys it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<Person>,
    /// The container that they came in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub container: Option<String>,
    /// Who attests it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub witness: Option<Person>,
    /// What was written on the container.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
}
