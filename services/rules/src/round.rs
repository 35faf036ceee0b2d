//! The round document: what every game's has in common, and how it is read.

use std::collections::BTreeMap;

use serde::de::value::StrDeserializer;
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;

use crate::Edition;
use crate::floor::{Cents, Seat, WagerId};
use crate::game::Game;
use crate::refusal::{self, Refusal};

/// No round has more wagers than this.
pub const MAX_WAGERS: usize = 1_000;

/// The document's outer keys, with the parts that depend on the game still unread.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Envelope<'a> {
    pub game: String,
    pub edition: String,
    #[serde(borrow)]
    pub options: Option<&'a RawValue>,
    #[serde(borrow)]
    pub wagers: &'a RawValue,
    #[serde(borrow)]
    pub play: &'a RawValue,
}

impl<'a> Envelope<'a> {
    pub fn read(document: &'a str) -> Result<Envelope<'a>, Refusal> {
        let envelope: Envelope<'a> = serde_json::from_str(document).map_err(|error| {
            let fault = refusal::check_json(document).err();
            fault.unwrap_or_else(|| refusal::explain("", &error, "a round document"))
        })?;
        // Serde would take a list for an object and read its keys in their order.
        for (place, text) in [("", document), ("play", envelope.play.get())] {
            if text.trim_start().starts_with('[') {
                return Err(Refusal::at(place, "a list; write an object"));
            }
        }
        Ok(envelope)
    }
}

/// A round of one game, read and checked for what every game demands.
#[derive(Debug)]
pub struct Round<G: Game> {
    pub edition: Edition,
    pub options: G::Options,
    pub wagers: Vec<G::Wager>,
    pub play: G::Play,
}

/// What every wager has. [`common_wager!`](crate::common_wager) implements it for a game's own type.
pub trait Wager {
    fn id(&self) -> &WagerId;
    fn seat(&self) -> Seat;
    fn amount(&self) -> Cents;
    /// True for the kinds that a page enters with amount 0 (an envy marker, a bank).
    fn is_free(&self) -> bool {
        false
    }
}

/// Implements [`Wager`] for a struct with the fields `id`, `seat` and `amount`. A second argument
/// names a method `fn(&Self) -> bool` that tells the kinds without a stake.
#[macro_export]
macro_rules! common_wager {
    ($wager:ty $(, free: $is_free:path)?) => {
        impl $crate::Wager for $wager {
            fn id(&self) -> &$crate::floor::WagerId {
                &self.id
            }
            fn seat(&self) -> $crate::floor::Seat {
                self.seat
            }
            fn amount(&self) -> $crate::floor::Cents {
                self.amount
            }
            $(fn is_free(&self) -> bool {
                $is_free(self)
            })?
        }
    };
}

/// The checks of every game: ids used once, seats that exist, stakes that are positive.
pub(crate) fn check_wagers<W: Wager>(wagers: &[W], lowest_seat: u16) -> Result<(), Refusal> {
    if wagers.len() > MAX_WAGERS {
        let what = format!(
            "{} wagers in one round; at most {MAX_WAGERS} are read",
            wagers.len()
        );
        return Err(Refusal::at("wagers", what));
    }
    for (index, wager) in wagers.iter().enumerate() {
        let refuse = |key: &str, what: String| Refusal::at(format!("wagers[{index}].{key}"), what);
        if wager.seat().number() < lowest_seat {
            return Err(refuse(
                "seat",
                format!("seats are numbered from {lowest_seat}"),
            ));
        }
        match (wager.is_free(), wager.amount().is_positive()) {
            (false, false) => return Err(refuse("amount", "a stake is at least a cent".into())),
            (true, true) => return Err(refuse("amount", "this kind has no stake: write 0".into())),
            _ => {}
        }
        if wagers[..index]
            .iter()
            .any(|earlier| earlier.id() == wager.id())
        {
            return Err(refuse("id", format!("{:?} is used twice", wager.id())));
        }
    }
    Ok(())
}

/// Reads a map whose keys are words of an enum, so that a fault in a value is named with its key:
/// `#[serde(deserialize_with = "by_word")]`.
pub fn by_word<'de, D, K, V>(deserializer: D) -> Result<BTreeMap<K, V>, D::Error>
where
    D: Deserializer<'de>,
    K: Deserialize<'de> + Ord,
    V: Deserialize<'de>,
{
    // Serde's own map would hand the key to the enum unseen, and the place would lose its last step.
    let map = BTreeMap::<String, V>::deserialize(deserializer)?;
    let word = |key: &str| K::deserialize(StrDeserializer::<D::Error>::new(key));
    map.into_iter()
        .map(|(key, value)| Ok((word(&key)?, value)))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_is_no_object() {
        let play = r#"{"game":"x","edition":"y","wagers":[],"play": [["AS"]]}"#;
        let refusal = Envelope::read(play).unwrap_err();
        assert_eq!(refusal.to_string(), "play: a list; write an object");
        let document = r#" ["x","y",{},[],{}]"#;
        let refusal = Envelope::read(document).unwrap_err();
        assert_eq!(refusal.to_string(), "a list; write an object");
    }
}
