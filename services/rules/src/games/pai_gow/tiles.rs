//! Hands of two tiles, and the house way to split four.

use std::cmp::{Ordering, Reverse};

use crate::floor::Tile;

/// Ranks a hand of two tiles; equal ranks are a copy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum HandRank {
    /// No permissible pair: the value, then the better tile; the other tile never matters. 2(d)-(h)
    Points { value: u8, best: Reverse<u8> },
    /// A permissible pair by its place in the list of 2(b).
    Pair(Reverse<u8>),
}

impl HandRank {
    pub(super) fn of(tiles: [Tile; 2]) -> HandRank {
        if let Some(place) = pair_place(tiles) {
            return HandRank::Pair(Reverse(place));
        }
        let [[a, other_a], [b, other_b]] = tiles.map(counts);
        let points = |a: Count, b: Count| HandRank::Points {
            value: (a.pips + b.pips) % 10,
            best: Reverse(a.rank.min(b.rank)),
        };
        points(a, b)
            .max(points(a, other_b))
            .max(points(other_a, b))
            .max(points(other_a, other_b))
    }

    /// A value of zero. A pair whose spots total 10 or 20 has no value at all.
    pub(super) fn is_zero(self) -> bool {
        matches!(self, HandRank::Points { value: 0, .. })
    }

    fn is_pair(self) -> bool {
        matches!(self, HandRank::Pair(_))
    }

    fn is_supreme(self) -> bool {
        self == HandRank::Pair(Reverse(1))
    }

    fn is_seven_to_nine(self) -> bool {
        matches!(self, HandRank::Points { value: 7..=9, .. })
    }
}

/// What a tile may count, and its rank when it does.
#[derive(Clone, Copy)]
struct Count {
    pips: u8,
    rank: u8,
}

const SIX: Count = Count { pips: 6, rank: 15 };
const THREE: Count = Count { pips: 3, rank: 17 };

/// Two ways to count a tile. The tiles of the supreme pair count 6 or 3, with the rank of what they
/// count (2(e)); all others count one way.
fn counts(tile: Tile) -> [Count; 2] {
    match (tile.high(), tile.low()) {
        (4, 2) | (2, 1) => [SIX, THREE],
        _ => {
            [Count {
                pips: tile.pips(),
                rank: tile_rank(tile),
            }; 2]
        }
    }
}

/// The rank of a single tile, the best first: 2(g).
fn tile_rank(tile: Tile) -> u8 {
    if let Some(place) = Tile::TWICE.iter().position(|&other| other == tile) {
        return place as u8 + 1;
    }
    match (tile.high(), tile.low()) {
        (6, 3) | (5, 4) => 12,
        (6, 2) | (5, 3) => 13,
        (5, 2) | (4, 3) => 14,
        (4, 2) => 15,
        (4, 1) | (3, 2) => 16,
        _ => 17,
    }
}

/// The place of a permissible pair: 2(b).
fn pair_place([a, b]: [Tile; 2]) -> Option<u8> {
    if a == b {
        // The kinds that are there twice stand in the order of their pairs.
        let place = Tile::TWICE.iter().position(|&other| other == a)?;
        return Some(place as u8 + 2);
    }
    let mut ends = [a, b].map(|tile| (tile.high(), tile.low()));
    ends.sort_unstable_by(|a, b| b.cmp(a));
    let place = match ends {
        [(4, 2), (2, 1)] => 1,
        [(6, 3), (5, 4)] => 13,
        [(6, 2), (5, 3)] => 14,
        [(5, 2), (4, 3)] => 15,
        [(4, 1), (3, 2)] => 16,
        [(6, 6), (6, 3) | (5, 4)] => 17,
        [(6, 3) | (5, 4), (1, 1)] => 18,
        [(6, 6), (6, 2) | (5, 3) | (4, 4)] => 19,
        [(6, 2) | (5, 3) | (4, 4), (1, 1)] => 20,
        _ => return None,
    };
    Some(place)
}

/// Four tiles as two hands: the better one is the high hand, wherever it lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Setting {
    pub(super) high: HandRank,
    pub(super) low: HandRank,
}

impl Setting {
    pub(super) fn of(one: [Tile; 2], other: [Tile; 2]) -> Setting {
        let (one, other) = (HandRank::of(one), HandRank::of(other));
        Setting {
            high: one.max(other),
            low: one.min(other),
        }
    }
}

/// A way to split four tiles.
pub(super) type Split = [[Tile; 2]; 2];

/// Are these the same two hands?
fn is_same(a: &Split, b: &Split) -> bool {
    let hand = |hand: [Tile; 2]| {
        let mut hand = hand;
        hand.sort_unstable();
        hand
    };
    let hands = |split: &Split| {
        let mut hands = split.map(hand);
        hands.sort_unstable();
        hands
    };
    hands(a) == hands(b)
}

/// The splits that the first rule of 7(d) with any leaves to the dealer.
pub(super) fn allowed(tiles: [Tile; 4]) -> Vec<Split> {
    let [a, b, c, d] = tiles;
    let splits = [[[a, b], [c, d]], [[a, c], [b, d]], [[a, d], [b, c]]];
    let ranks = tiles.map(tile_rank);
    let (best, worst) = (ranks.iter().min(), ranks.iter().max());
    // 7(d)4: natural ranks, whatever the tiles of the supreme pair could count.
    let best_with_worst = |hand: [Tile; 2]| {
        let [one, other] = hand.map(tile_rank);
        Some(&one.min(other)) == best && Some(&one.max(other)) == worst
    };
    let rules: [&dyn Fn([Tile; 2]) -> bool; 4] = [
        &|hand| HandRank::of(hand).is_supreme(),
        &|hand| HandRank::of(hand).is_pair(),
        &|hand| HandRank::of(hand).is_seven_to_nine(),
        &best_with_worst,
    ];
    rules
        .iter()
        .map(|rule| {
            let mut allowed = splits.to_vec();
            allowed.retain(|split| split.iter().any(|&hand| rule(hand)));
            allowed
        })
        .find(|allowed| !allowed.is_empty())
        .unwrap_or_default()
}

pub(super) fn is_allowed(tiles: [Tile; 4], laid: &Split) -> bool {
    allowed(tiles).iter().any(|split| is_same(split, laid))
}

/// Four tiles as the house lays them: the high hand and the low one.
pub fn lay_the_house_way(tiles: [Tile; 4]) -> [[Tile; 2]; 2] {
    let [a, b, c, d] = tiles;
    let best = allowed(tiles)
        .into_iter()
        .max_by_key(|&[one, other]| Setting::of(one, other));
    let [one, other] = best.unwrap_or([[a, b], [c, d]]);
    if HandRank::of(one) >= HandRank::of(other) {
        [one, other]
    } else {
        [other, one]
    }
}

/// How the two sides of a hand stand to those of another, the high one first; nothing for a low side
/// that is worth nothing, which wins of no other. 2(c),(h), 7(h),(i)
pub fn compare_sides(one: [[Tile; 2]; 2], other: [[Tile; 2]; 2]) -> [Option<Ordering>; 2] {
    let [one, other] = [one, other].map(|[a, b]| Setting::of(a, b));
    let low = (!one.low.is_zero()).then(|| one.low.cmp(&other.low));
    [Some(one.high.cmp(&other.high)), low]
}

/// The setting of a hand that the house sets: of several that are allowed, the one with the
/// highest high hand, then the highest low hand.
pub(super) fn house_way(tiles: [Tile; 4]) -> Setting {
    let [a, b, c, d] = tiles;
    allowed(tiles)
        .into_iter()
        .map(|[one, other]| Setting::of(one, other))
        .max()
        .unwrap_or_else(|| Setting::of([a, b], [c, d]))
}
