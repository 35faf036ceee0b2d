//! The 32 pai gow tiles: 21 kinds, eleven of them twice.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A kind of tile, written with the higher end first: `6-5`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Tile {
    high: u8,
    low: u8,
}

impl Tile {
    /// Eleven kinds are in the set twice.
    pub const TWICE: [Tile; 11] = [
        Tile::of(6, 6),
        Tile::of(1, 1),
        Tile::of(4, 4),
        Tile::of(3, 1),
        Tile::of(5, 5),
        Tile::of(3, 3),
        Tile::of(2, 2),
        Tile::of(6, 5),
        Tile::of(6, 4),
        Tile::of(6, 1),
        Tile::of(5, 1),
    ];
    /// Ten kinds are in the set once.
    pub const ONCE: [Tile; 10] = [
        Tile::of(6, 3),
        Tile::of(5, 4),
        Tile::of(6, 2),
        Tile::of(5, 3),
        Tile::of(5, 2),
        Tile::of(4, 3),
        Tile::of(4, 2),
        Tile::of(4, 1),
        Tile::of(3, 2),
        Tile::of(2, 1),
    ];

    const fn of(high: u8, low: u8) -> Tile {
        Tile { high, low }
    }

    pub const fn high(self) -> u8 {
        self.high
    }

    pub const fn low(self) -> u8 {
        self.low
    }

    pub const fn pips(self) -> u8 {
        self.high + self.low
    }

    /// How many of this kind a set has.
    pub fn copies(self) -> u8 {
        if Tile::TWICE.contains(&self) { 2 } else { 1 }
    }

    /// All 32 tiles of a set.
    pub fn set() -> impl Iterator<Item = Tile> {
        Tile::TWICE.into_iter().chain(Tile::TWICE).chain(Tile::ONCE)
    }
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not a tile: write the higher end first, as in \"6-5\"")]
pub struct ParseTileError(String);

impl FromStr for Tile {
    type Err = ParseTileError;

    fn from_str(text: &str) -> Result<Tile, ParseTileError> {
        let fail = || ParseTileError(text.to_owned());
        let &[high @ b'1'..=b'6', b'-', low @ b'1'..=b'6'] = text.as_bytes() else {
            return Err(fail());
        };
        if high < low {
            return Err(fail());
        }
        Ok(Tile::of(high - b'0', low - b'0'))
    }
}

impl fmt::Display for Tile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.high, self.low)
    }
}

impl fmt::Debug for Tile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl Serialize for Tile {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Tile {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Tile, D::Error> {
        String::deserialize(deserializer)?
            .parse()
            .map_err(serde::de::Error::custom)
    }
}

/// How often each kind was seen.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TileCounts(std::collections::BTreeMap<Tile, u8>);

impl TileCounts {
    /// The first kind that was seen more often than a set has it.
    pub fn beyond_a_set(&self) -> Option<Tile> {
        self.0
            .iter()
            .find(|&(tile, &count)| count > tile.copies())
            .map(|(&tile, _)| tile)
    }
}

impl FromIterator<Tile> for TileCounts {
    fn from_iter<I: IntoIterator<Item = Tile>>(tiles: I) -> TileCounts {
        let mut counts = TileCounts::default();
        for tile in tiles {
            let count = counts.0.entry(tile).or_default();
            *count = count.saturating_add(1);
        }
        counts
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_has_32_tiles_of_all_21_kinds() {
        let set: Vec<Tile> = Tile::set().collect();
        assert_eq!(set.len(), 32);
        for high in 1..=6 {
            for low in 1..=high {
                let tile = Tile::of(high, low);
                let copies = set.iter().filter(|&&other| other == tile).count();
                assert_eq!(copies, usize::from(tile.copies()), "{tile}");
                assert_eq!(tile.to_string().parse(), Ok(tile));
            }
        }
        assert_eq!(set.into_iter().collect::<TileCounts>().beyond_a_set(), None);
    }

    #[test]
    fn a_tile_is_written_high_end_first() {
        for text in ["1-3", "6-7", "0-0", "66", "6_6", ""] {
            assert!(text.parse::<Tile>().is_err(), "{text}");
        }
    }
}
