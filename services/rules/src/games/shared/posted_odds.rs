//! The `pays` option of several games: odds that the house posts above those of the rules.

use std::collections::BTreeMap;
use std::fmt;

use serde::de::{self, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};

use super::minimum::at_least;
use crate::floor::Odds;

/// Posted odds by wager and row. Names that the rules do not have are read too: posting odds where
/// none may be changed is a finding, not a slip of the pen.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(transparent)]
pub(crate) struct PostedOdds(BTreeMap<String, Posted>);

#[derive(Clone, Debug, PartialEq, Eq)]
enum Posted {
    Rows(BTreeMap<String, Odds>),
    /// Odds without a row. No wager whose odds may be raised has so few rows.
    Bare,
}

impl PostedOdds {
    /// The rows posted for a wager.
    pub(crate) fn rows(&self, wager: &str) -> impl Iterator<Item = (&str, Odds)> {
        let rows = match self.0.get(wager) {
            Some(Posted::Rows(rows)) => Some(rows),
            _ => None,
        };
        rows.into_iter()
            .flatten()
            .map(|(row, &odds)| (row.as_str(), odds))
    }

    /// What a row pays: odds may be raised, never lowered.
    pub(crate) fn raised(&self, wager: &str, row: &str, listed: Odds) -> Odds {
        let posted = self.rows(wager).find(|&(key, _)| key == row);
        posted.map_or(listed, |(_, odds)| at_least(odds, listed).due)
    }

    /// Is a row posted below its listed odds, or one that is not listed at all?
    pub(crate) fn breaks(&self, listed: impl Fn(&str, &str) -> Option<Odds>) -> bool {
        self.0.iter().any(|(wager, posted)| match posted {
            Posted::Bare => true,
            Posted::Rows(rows) => rows
                .iter()
                .any(|(row, &odds)| listed(wager, row).is_none_or(|listed| odds < listed)),
        })
    }
}

impl<'de> Deserialize<'de> for Posted {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Posted, D::Error> {
        struct OddsOrRows;
        impl<'de> Visitor<'de> for OddsOrRows {
            type Value = Posted;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("odds by row, such as {\"suited\": \"12:1\"}")
            }
            fn visit_str<E: de::Error>(self, text: &str) -> Result<Posted, E> {
                text.parse::<Odds>()
                    .map(|_| Posted::Bare)
                    .map_err(E::custom)
            }
            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Posted, A::Error> {
                BTreeMap::deserialize(de::value::MapAccessDeserializer::new(map)).map(Posted::Rows)
            }
        }
        deserializer.deserialize_any(OddsOrRows)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn odds_may_be_raised_but_never_lowered() {
        let posted: PostedOdds = serde_json::from_value(
            json!({"streak": {"2": "4:1", "3": "6:1", "9": "9:1"}, "main": "2:1"}),
        )
        .unwrap();
        let odds = |text: &str| text.parse::<Odds>().unwrap();
        assert_eq!(posted.raised("streak", "2", odds("3:1")), odds("4:1"));
        assert_eq!(posted.raised("streak", "3", odds("7:1")), odds("7:1"));
        assert_eq!(posted.raised("streak", "4", odds("17:1")), odds("17:1"));
        assert!(
            posted.breaks(|_, _| Some(odds("3:1"))),
            "odds without a row"
        );
        let rows: PostedOdds =
            serde_json::from_value(json!({"streak": {"2": "4:1", "3": "7:1"}})).unwrap();
        assert!(!rows.breaks(|_, row| Some(odds(if row == "2" { "3:1" } else { "7:1" }))));
        assert!(rows.breaks(|_, row| (row == "2").then(|| odds("3:1"))));
        assert!(rows.breaks(|_, _| Some(odds("5:1"))));
    }
}
