//! Posted limits of a table, as several games' `limits` option has them.

use std::collections::BTreeMap;

use serde::de::{self, value::StrDeserializer};
use serde::{Deserialize, Deserializer};

use crate::floor::{Cents, Odds};
use crate::settlement::Violations;

/// The least and the most that may be staked; either may be missing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Limits {
    pub min: Option<Cents>,
    pub max: Option<Cents>,
}

impl Limits {
    /// Flags a stake outside the limits. An accepted wager is settled in full all the same.
    pub fn flag(self, amount: Cents, violations: &mut Violations) {
        violations.add_if(self.min.is_some_and(|min| amount < min), "wager.under_min");
        violations.add_if(self.max.is_some_and(|max| amount > max), "wager.over_max");
    }
}

/// 147.07(1): with a minimum of so much or less, the maximum of a wager that pays no more than these odds is at
/// least so many times as high.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct LimitsRatio {
    up_to_minimum: i64,
    up_to_odds: Odds,
    times: i64,
}

impl LimitsRatio {
    /// Flags limits that are too narrow. `highest` are the highest odds in force of a kind, none where it is paid
    /// by no odds.
    pub(crate) fn flag<K: Copy>(
        self,
        limits: &BTreeMap<K, Limits>,
        highest: impl Fn(K) -> Option<Odds>,
        violations: &mut Violations,
    ) {
        let is_bound = |kind: K| highest(kind).is_some_and(|odds| odds <= self.up_to_odds);
        let is_narrow = |limits: &Limits| {
            let (Some(min), Some(max)) = (limits.min, limits.max) else {
                return false;
            };
            min.get() <= self.up_to_minimum && max < min.times(self.times)
        };
        let broken = |(&kind, limits): (&K, &Limits)| is_narrow(limits) && is_bound(kind);
        violations.add_if(limits.iter().any(broken), "limits.ratio");
    }
}

/// Limits by wager kind, with `default` for the kinds that have no entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PostedLimits<K> {
    by_kind: Vec<(K, Limits)>,
    default: Limits,
}

impl<K: PartialEq> PostedLimits<K> {
    pub fn of(&self, kind: K) -> Limits {
        self.by_kind
            .iter()
            .find(|(key, _)| *key == kind)
            .map_or(self.default, |&(_, limits)| limits)
    }
}

impl<'de, K: Deserialize<'de>> Deserialize<'de> for PostedLimits<K> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<PostedLimits<K>, D::Error> {
        let mut posted = PostedLimits {
            by_kind: Vec::new(),
            default: Limits::default(),
        };
        for (key, limits) in BTreeMap::<String, Limits>::deserialize(deserializer)? {
            if matches!(limits, Limits { min: Some(min), max: Some(max) } if min > max) {
                return Err(de::Error::custom(format!("{key}: min is above max")));
            }
            match key.as_str() {
                "default" => posted.default = limits,
                kind => {
                    let kind = K::deserialize(StrDeserializer::<D::Error>::new(kind))?;
                    posted.by_kind.push((kind, limits));
                }
            }
        }
        Ok(posted)
    }
}
