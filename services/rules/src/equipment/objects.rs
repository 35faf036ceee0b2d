//! Dice, wheels and layouts.

use std::collections::BTreeMap;

use serde::Deserialize;

/// The dice of a game.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DiceRule {
    pub(super) game: String,
    set_at_least: Option<u32>,
    set_exactly: Option<u32>,
    pub thrown: usize,
    pub cite: String,
}

impl DiceRule {
    pub fn permits_set(&self, count: u32) -> bool {
        self.set_at_least.is_none_or(|least| count >= least)
            && self.set_exactly.is_none_or(|exactly| count == exactly)
    }
}

/// The wheel of a game.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WheelRule {
    pub(super) game: String,
    /// Inspected before each opening.
    pub inspected: bool,
    /// Where a wheel's sections are not all alike: how many there are of each.
    #[serde(default)]
    pub sections: BTreeMap<String, u32>,
    pub cite: String,
}

/// The positions of a layout.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Positions {
    pub(super) game: String,
    variant: Option<String>,
    variation: Option<String>,
    /// The wager that has so many areas, where others have none.
    kind: Option<String>,
    pub(super) count: u32,
}

impl Positions {
    pub(super) fn fits(&self, kind: &str, posted: &impl Fn(&str, &str) -> bool) -> bool {
        let variant = self.variant.as_ref();
        let variation = self.variation.as_ref();
        variant.is_none_or(|name| posted("variant", name))
            && variation.is_none_or(|name| posted("variation", name))
            && self.kind.as_ref().is_none_or(|known| known == kind)
    }
}
