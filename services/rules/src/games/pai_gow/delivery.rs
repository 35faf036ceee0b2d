//! The ten ways to deliver eight stacks of tiles: 8(k).

use serde::{Deserialize, Serialize};

use crate::floor::Tile;

/// Eight stacks from the dealer's right, each from the top.
pub(super) type Stacks = [[Tile; 4]; 8];

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Style {
    #[default]
    HouseWayRight,
    HouseWayLeft,
    CupSayRight,
    CupSayLeft,
    JungQuat,
    CheeYee,
    PinSayRight,
    PinSayLeft,
    DragonPhoenixRight,
    DragonPhoenixLeft,
}

impl Style {
    /// The hand that is delivered as number `at` (from 0 to 7), each tile by stack and level.
    fn hand(self, at: usize) -> [(usize, usize); 4] {
        let (pair, lower) = (at / 2, at % 2 == 1);
        match self {
            Style::HouseWayRight => [0, 1, 2, 3].map(|level| (at, level)),
            Style::HouseWayLeft => [0, 1, 2, 3].map(|level| (7 - at, level)),
            Style::CupSayRight => half_of(2 * pair, 2 * pair + 1, lower),
            Style::CupSayLeft => half_of(7 - 2 * pair, 6 - 2 * pair, lower),
            Style::JungQuat => half_of(3 - pair, 4 + pair, lower),
            Style::CheeYee => half_of(pair, 7 - pair, lower),
            // Level by level, first the near four stacks, then the far four.
            Style::PinSayRight => slice(if lower { 4 } else { 0 }, pair),
            Style::PinSayLeft => slice(if lower { 0 } else { 4 }, pair),
            // The head: two tiles of each of two stacks of eight. The tail: one of each of four.
            Style::DragonPhoenixRight if !lower => dragon_head([0, 2], [1, 3], pair),
            Style::DragonPhoenixRight => slice(4, pair),
            Style::DragonPhoenixLeft if !lower => dragon_head([7, 5], [6, 4], pair),
            Style::DragonPhoenixLeft => slice(0, pair),
        }
    }

    /// The tiles that are delivered as number `at`.
    pub(super) fn deliver(self, stacks: &Stacks, at: usize) -> [Tile; 4] {
        self.hand(at % 8).map(|(stack, level)| stacks[stack][level])
    }
}

/// The two upper or the two lower tiles of two stacks.
fn half_of(one: usize, other: usize, lower: bool) -> [(usize, usize); 4] {
    let top = if lower { 2 } else { 0 };
    [(one, top), (one, top + 1), (other, top), (other, top + 1)]
}

/// One level of four neighbouring stacks.
fn slice(from: usize, level: usize) -> [(usize, usize); 4] {
    [0, 1, 2, 3].map(|stack| (from + stack, level))
}

/// The next two tiles of two stacks of eight, each made of an upper and a lower stack.
fn dragon_head(one: [usize; 2], other: [usize; 2], turn: usize) -> [(usize, usize); 4] {
    let from = |stack: [usize; 2], depth: usize| (stack[depth / 4], depth % 4);
    let (first, second) = (2 * turn, 2 * turn + 1);
    [
        from(one, first),
        from(one, second),
        from(other, first),
        from(other, second),
    ]
}

#[cfg(test)]
pub(super) fn places(style: Style, at: usize) -> [(usize, usize); 4] {
    style.hand(at)
}
