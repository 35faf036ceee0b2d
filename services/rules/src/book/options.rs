//! What a licensee option may be, and whether a value is that.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::entries::OptionEntry;
use crate::floor::{Cents, Odds};

/// The readable values of an option.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Allowed {
    /// `true` or `false`.
    Bool,
    /// An amount of money that is not negative.
    Cents,
    /// Odds as `"3:2"`.
    Odds,
    /// A whole number between two bounds, both included.
    Integer { min: i64, max: i64 },
    /// One of these words or numbers.
    OneOf(Vec<Value>),
    /// A list of some of these, each at most once.
    Subset(Vec<Value>),
    /// A form of its own, in words here; the game reads it.
    Form(String),
}

impl OptionEntry {
    /// `Err` says what was expected and what was found.
    pub(super) fn check(&self, value: &Value) -> Result<(), String> {
        if value.is_null() && self.nullable || self.value.holds(value) {
            return Ok(());
        }
        let or_null = if self.nullable { " or null" } else { "" };
        Err(format!(
            "{value} cannot be read; write {}{or_null}",
            self.value
        ))
    }

    pub(super) fn check_default(&self) -> Result<(), String> {
        match &self.default {
            Some(value) => self
                .check(value)
                .map_err(|what| format!("{}: default {what}", self.key)),
            None => Ok(()),
        }
    }
}

impl Allowed {
    /// Is every value of this one of the other's?
    pub(super) fn is_within(&self, other: &Allowed) -> bool {
        match (self, other) {
            (Allowed::OneOf(these), Allowed::OneOf(those))
            | (Allowed::Subset(these), Allowed::Subset(those)) => {
                these.iter().all(|value| those.contains(value))
            }
            (Allowed::OneOf(these), other) => these.iter().all(|value| other.holds(value)),
            (
                Allowed::Integer { min, max },
                Allowed::Integer {
                    min: least,
                    max: most,
                },
            ) => least <= min && max <= most,
            (these, those) => these == those,
        }
    }

    fn holds(&self, value: &Value) -> bool {
        match self {
            Allowed::Bool => value.is_boolean(),
            Allowed::Cents => value
                .as_i64()
                .is_some_and(|cents| (0..=Cents::LIMIT.get()).contains(&cents)),
            Allowed::Odds => value
                .as_str()
                .is_some_and(|text| text.parse::<Odds>().is_ok()),
            Allowed::Integer { min, max } => value
                .as_i64()
                .is_some_and(|number| (*min..=*max).contains(&number)),
            Allowed::OneOf(known) => known.contains(value),
            Allowed::Subset(known) => value.as_array().is_some_and(|list| {
                let fresh = |(at, value): (usize, &Value)| {
                    known.contains(value) && !list[..at].contains(value)
                };
                list.iter().enumerate().all(fresh)
            }),
            Allowed::Form(_) => true,
        }
    }
}

impl std::fmt::Display for Allowed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let words = |list: &[Value]| {
            list.iter()
                .map(|value| value.to_string())
                .collect::<Vec<_>>()
                .join(", ")
        };
        match self {
            Allowed::Bool => f.write_str("true or false"),
            Allowed::Cents => f.write_str("cents"),
            Allowed::Odds => f.write_str("odds such as \"3:2\""),
            Allowed::Integer { min, max: i64::MAX } => write!(f, "a whole number from {min}"),
            Allowed::Integer { min, max } => write!(f, "a whole number from {min} to {max}"),
            Allowed::OneOf(list) => write!(f, "one of {}", words(list)),
            Allowed::Subset(list) => write!(f, "a list of some of {}", words(list)),
            Allowed::Form(text) => f.write_str(text),
        }
    }
}
