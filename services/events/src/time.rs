//! Moments, to the microsecond.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// A moment in UTC, in microseconds since 1970. Written as `2026-11-15T20:01:02.123456Z`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Timestamp(i64);

impl Timestamp {
    pub const fn from_micros(micros: i64) -> Timestamp {
        Timestamp(micros)
    }

    pub const fn micros(self) -> i64 {
        self.0
    }
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not a moment: write \"2026-11-15T20:01:02.123456Z\"")]
pub struct ParseTimestampError(String);

impl FromStr for Timestamp {
    type Err = ParseTimestampError;

    fn from_str(text: &str) -> Result<Timestamp, ParseTimestampError> {
        let moment: jiff::Timestamp = text
            .parse()
            .map_err(|_| ParseTimestampError(text.to_owned()))?;
        Ok(Timestamp(moment.as_microsecond()))
    }
}

impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match jiff::Timestamp::from_microsecond(self.0) {
            Ok(moment) => write!(f, "{moment:.6}"),
            Err(_) => write!(f, "{} microseconds since 1970", self.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_moment_reads_as_it_is_written() {
        let text = "2026-11-15T20:01:02.123456Z";
        assert_eq!(text.parse::<Timestamp>().unwrap().to_string(), text);
        let rounded: Timestamp = "2026-11-15T21:01:02+01:00".parse().unwrap();
        assert_eq!(rounded.to_string(), "2026-11-15T20:01:02.000000Z");
        assert!("yesterday".parse::<Timestamp>().is_err());
    }
}
