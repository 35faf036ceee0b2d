//! Pockets of a roulette wheel.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A pocket of a roulette wheel: `0`, `00`, `1` to `36`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Pocket(u8);

impl Pocket {
    pub const ZERO: Pocket = Pocket(0);
    pub const DOUBLE_ZERO: Pocket = Pocket(37);

    /// Pockets 0 to 36. The double zero has no number.
    pub const fn new(number: u8) -> Option<Pocket> {
        if number <= 36 {
            Some(Pocket(number))
        } else {
            None
        }
    }

    /// 1 to 36, or `None` for the zeros.
    pub const fn number(self) -> Option<u8> {
        if self.is_zero() { None } else { Some(self.0) }
    }

    /// Zero or double zero.
    pub const fn is_zero(self) -> bool {
        self.0 == 0 || self.0 == 37
    }

    /// 0 to 36, and 37 for the double zero.
    pub const fn index(self) -> u8 {
        self.0
    }
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not a pocket: pockets are \"0\", \"00\" and \"1\" to \"36\"")]
pub struct ParsePocketError(String);

impl FromStr for Pocket {
    type Err = ParsePocketError;

    fn from_str(text: &str) -> Result<Pocket, ParsePocketError> {
        let fail = || ParsePocketError(text.to_owned());
        match text.as_bytes() {
            b"00" => Ok(Pocket::DOUBLE_ZERO),
            [b'0'..=b'9'] | [b'1'..=b'3', b'0'..=b'9'] => {
                text.parse().ok().and_then(Pocket::new).ok_or_else(fail)
            }
            _ => Err(fail()),
        }
    }
}

impl fmt::Display for Pocket {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if *self == Pocket::DOUBLE_ZERO {
            f.write_str("00")
        } else {
            self.0.fmt(f)
        }
    }
}

impl fmt::Debug for Pocket {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl Serialize for Pocket {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Pocket {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Pocket, D::Error> {
        String::deserialize(deserializer)?
            .parse()
            .map_err(serde::de::Error::custom)
    }
}

/// A set of pockets, as bits of [`Pocket::index`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PocketSet(u64);

impl PocketSet {
    pub const fn len(self) -> u32 {
        self.0.count_ones()
    }

    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    pub const fn contains(self, pocket: Pocket) -> bool {
        self.0 >> pocket.0 & 1 == 1
    }

    pub const fn with(self, pocket: Pocket) -> PocketSet {
        PocketSet(self.0 | 1 << pocket.0)
    }
}

impl FromIterator<Pocket> for PocketSet {
    fn from_iter<I: IntoIterator<Item = Pocket>>(pockets: I) -> PocketSet {
        pockets
            .into_iter()
            .fold(PocketSet::default(), PocketSet::with)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pockets_read_as_they_are_written() {
        for index in 0..=37 {
            let pocket = Pocket(index);
            assert_eq!(pocket.to_string().parse(), Ok(pocket));
        }
        for text in ["", "37", "000", "01", "+1", "-1", " 1", "1 "] {
            assert!(text.parse::<Pocket>().is_err(), "{text}");
        }
    }
}
