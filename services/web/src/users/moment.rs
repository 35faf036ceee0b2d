//! Moments as files and answers tell them.

use std::fmt;
use std::time::Duration;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

/// A moment in UTC, to the microsecond: `2026-11-15T20:01:02.123456Z`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Moment(Timestamp);

impl Moment {
    pub(crate) fn now() -> Moment {
        Moment(Timestamp::now()).to_the_microsecond()
    }

    /// As it is written: what is read again is the same.
    fn to_the_microsecond(self) -> Moment {
        Moment(Timestamp::from_microsecond(self.0.as_microsecond()).unwrap_or(self.0))
    }

    /// The latest that there is, if it would be beyond that.
    pub(crate) fn after(self, time: Duration) -> Moment {
        Moment(self.0.saturating_add(time).unwrap_or(Timestamp::MAX)).to_the_microsecond()
    }

    pub fn has_passed(self) -> bool {
        self <= Moment::now()
    }

    /// Since 1970.
    pub(crate) fn seconds(self) -> i64 {
        self.0.as_second()
    }

    /// The latest that there is, if it would be beyond that.
    pub(crate) fn at_seconds(seconds: i64) -> Moment {
        Moment(Timestamp::from_second(seconds).unwrap_or(Timestamp::MAX))
    }

    pub(crate) fn left(self) -> Duration {
        Duration::try_from(self.0.duration_since(Timestamp::now())).unwrap_or_default()
    }
}

impl fmt::Display for Moment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.6}", self.0)
    }
}

impl From<Moment> for String {
    fn from(moment: Moment) -> String {
        moment.to_string()
    }
}

impl TryFrom<String> for Moment {
    type Error = String;

    fn try_from(text: String) -> Result<Moment, String> {
        let moment = text.parse().map(Moment);
        moment.map_err(|_| format!("{text:?} is not a moment"))
    }
}
