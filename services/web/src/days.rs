//! Gaming days that somebody may see.

use std::fmt;

use jiff::civil::Date;
use serde::{Deserialize, Serialize};

/// From one gaming day to another, both included; what is left out has no end.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Written", into = "Written")]
pub struct Days {
    pub from: Option<Date>,
    pub until: Option<Date>,
}

impl Days {
    pub fn is_all(&self) -> bool {
        *self == Days::default()
    }

    /// The days that are of both.
    pub(crate) fn and(self, other: Days) -> Days {
        let later = |one: Option<Date>, two: Option<Date>| one.max(two);
        let earlier = |one: Option<Date>, two: Option<Date>| match (one, two) {
            (Some(one), Some(two)) => Some(one.min(two)),
            (one, two) => one.or(two),
        };
        Days {
            from: later(self.from, other.from),
            until: earlier(self.until, other.until),
        }
    }

    pub(crate) fn is_within(self, other: Days) -> bool {
        self.and(other) == self
    }

    /// Whether there is a day between the two ends.
    pub(crate) fn has_a_day(self) -> bool {
        !matches!((self.from, self.until), (Some(from), Some(until)) if from > until)
    }
}

impl fmt::Display for Days {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.from, self.until) {
            (None, None) => write!(f, "all"),
            (Some(from), None) => write!(f, "from {from}"),
            (None, Some(until)) => write!(f, "until {until}"),
            (Some(from), Some(until)) => write!(f, "{from} to {until}"),
        }
    }
}

/// As it is in the users file.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    from: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    until: Option<String>,
}

impl From<Days> for Written {
    fn from(days: Days) -> Written {
        let told = |day: Date| day.to_string();
        Written {
            from: days.from.map(told),
            until: days.until.map(told),
        }
    }
}

impl TryFrom<Written> for Days {
    type Error = String;

    fn try_from(written: Written) -> Result<Days, String> {
        let read = |day: Option<String>| {
            let read = |day: String| day.parse().map_err(|_| format!("{day:?} is not a day"));
            day.map(read).transpose()
        };
        Ok(Days {
            from: read(written.from)?,
            until: read(written.until)?,
        })
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    fn days(from: &str, until: &str) -> Days {
        let read = |day: &str| (!day.is_empty()).then(|| day.parse().unwrap());
        Days {
            from: read(from),
            until: read(until),
        }
    }

    #[test]
    fn days_of_both_are_never_more_than_those_of_one() {
        let all = Days::default();
        let november = days("2026-11-01", "2026-11-30");
        assert_eq!(all.and(november), november);
        assert_eq!(november.and(all), november);
        let late = november.and(days("2026-11-15", ""));
        assert_eq!(late, days("2026-11-15", "2026-11-30"));
        assert!(late.is_within(november) && !november.is_within(late));
        assert!(!all.is_within(november) && november.is_within(all));
        assert!(!november.and(days("2026-12-01", "")).has_a_day());
        let written = serde_json::to_string(&late).unwrap();
        assert_eq!(written, r#"{"from":"2026-11-15","until":"2026-11-30"}"#);
        assert_eq!(serde_json::from_str::<Days>(&written).unwrap(), late);
        assert!(serde_json::from_str::<Days>(r#"{"from":"soon"}"#).is_err());
    }
}
