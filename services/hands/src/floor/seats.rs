//! Seats and wager ids.

use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

/// A numbered place at a table. Most games count from 1; where a page gives 0 a meaning (the house,
/// the dealer), the game allows it itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Seat(u16);

impl Seat {
    pub const HOUSE: Seat = Seat(0);

    pub const fn new(number: u16) -> Seat {
        Seat(number)
    }

    pub const fn number(self) -> u16 {
        self.0
    }
}

impl fmt::Display for Seat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// What a wager is called in its round. Cheap to clone.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct WagerId(Arc<str>);

impl WagerId {
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl From<&str> for WagerId {
    fn from(text: &str) -> WagerId {
        WagerId(text.into())
    }
}

impl fmt::Display for WagerId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl fmt::Debug for WagerId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl Serialize for WagerId {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.0)
    }
}

impl<'de> Deserialize<'de> for WagerId {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<WagerId, D::Error> {
        struct Text;
        impl serde::de::Visitor<'_> for Text {
            type Value = WagerId;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("the id of a wager, a string")
            }
            fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<WagerId, E> {
                Ok(text.into())
            }
        }
        deserializer.deserialize_str(Text)
    }
}
