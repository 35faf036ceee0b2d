//! What two dice show together.

use std::fmt;
use std::str::FromStr;

use serde::Deserialize;

use crate::floor::Die;

/// The total of two dice, 2 to 12.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize)]
#[serde(try_from = "i64")]
pub(super) struct Total(u8);

impl Total {
    pub(super) const TWO: Total = Total(2);
    pub(super) const THREE: Total = Total(3);
    pub(super) const SEVEN: Total = Total(7);
    pub(super) const ELEVEN: Total = Total(11);
    pub(super) const TWELVE: Total = Total(12);

    pub(super) fn of(dice: [Die; 2]) -> Total {
        Total(dice[0].face() + dice[1].face())
    }

    pub(super) const fn get(self) -> u8 {
        self.0
    }

    pub(super) fn all() -> impl Iterator<Item = Total> {
        (2..=12).map(Total)
    }
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0} is not a total of two dice: totals are 2 to 12")]
pub(super) struct NotATotal(String);

impl TryFrom<i64> for Total {
    type Error = NotATotal;

    fn try_from(total: i64) -> Result<Total, NotATotal> {
        match u8::try_from(total) {
            Ok(total @ 2..=12) => Ok(Total(total)),
            _ => Err(NotATotal(total.to_string())),
        }
    }
}

/// As a map key: `"4"`.
impl FromStr for Total {
    type Err = NotATotal;

    fn from_str(text: &str) -> Result<Total, NotATotal> {
        Total::all()
            .find(|total| total.to_string() == text)
            .ok_or_else(|| NotATotal(format!("{text:?}")))
    }
}

impl fmt::Display for Total {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl fmt::Debug for Total {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A set of totals.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(from = "Vec<Total>")]
pub(super) struct Totals(u16);

impl Totals {
    pub(super) const fn contains(self, total: Total) -> bool {
        self.0 >> total.0 & 1 == 1
    }

    pub(super) const fn with(self, total: Total) -> Totals {
        Totals(self.0 | 1 << total.0)
    }

    pub(super) const fn len(self) -> u32 {
        self.0.count_ones()
    }

    pub(super) fn iter(self) -> impl Iterator<Item = Total> {
        Total::all().filter(move |&total| self.contains(total))
    }
}

impl FromIterator<Total> for Totals {
    fn from_iter<I: IntoIterator<Item = Total>>(totals: I) -> Totals {
        totals.into_iter().fold(Totals::default(), Totals::with)
    }
}

impl From<Vec<Total>> for Totals {
    fn from(totals: Vec<Total>) -> Totals {
        totals.into_iter().collect()
    }
}
