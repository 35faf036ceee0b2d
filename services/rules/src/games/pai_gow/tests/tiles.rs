//! The mathematics of 32 tiles.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use crate::floor::Tile;
use crate::games::pai_gow::tiles::{self, HandRank, Setting};

fn tile(text: &str) -> Tile {
    text.parse().unwrap()
}

fn rank(one: &str, other: &str) -> HandRank {
    HandRank::of([tile(one), tile(other)])
}

#[test]
fn the_496_hands_of_two_tiles_rank_as_the_list_of_pairs_says() {
    let set: Vec<Tile> = Tile::set().collect();
    let mut pairs: BTreeMap<u8, u32> = BTreeMap::new();
    let mut points = 0;
    for (at, &one) in set.iter().enumerate() {
        for &other in &set[at + 1..] {
            match HandRank::of([one, other]) {
                HandRank::Pair(Reverse(place)) => *pairs.entry(place).or_default() += 1,
                HandRank::Points { .. } => points += 1,
            }
            assert_eq!(HandRank::of([one, other]), HandRank::of([other, one]));
        }
    }
    // Sixteen pairs, one each; two twos or twelves with two nines; with four eights.
    let counts: Vec<u32> = pairs.into_values().collect();
    assert_eq!(counts, [[1; 16].as_slice(), &[4, 4, 8, 8]].concat());
    assert_eq!(points, 496 - 16 - 8 - 16);
}

#[test]
fn the_tiles_of_the_supreme_pair_count_to_the_best_of_their_holder() {
    let points = |value, best| HandRank::Points {
        value,
        best: Reverse(best),
    };
    assert_eq!(rank("4-2", "2-1"), HandRank::Pair(Reverse(1)));
    assert_eq!(rank("2-1", "5-5"), points(6, 5));
    assert_eq!(rank("4-2", "3-2"), points(8, 16));
    assert_eq!(rank("2-1", "3-2"), points(8, 16));
    // As a six the tile ranks 15th, as a three 17th.
    assert_eq!(rank("2-1", "4-1"), points(8, 16));
    assert_eq!(rank("4-2", "6-2"), points(4, 13));
    // A tile that the set has once makes no pair with itself.
    assert_eq!(rank("5-4", "5-4"), points(8, 12));
    assert_eq!(rank("2-1", "2-1"), points(9, 15));
    // Spots of 20, and the two tens that are no pair.
    assert_eq!(rank("5-5", "5-5"), HandRank::Pair(Reverse(6)));
    assert!(rank("5-5", "6-4").is_zero() && !rank("5-5", "5-5").is_zero());
}

#[test]
fn the_house_way_has_a_setting_for_each_of_the_35_960_hands() {
    let set: Vec<Tile> = Tile::set().collect();
    let (mut hands, mut supreme, mut several) = (0, 0, 0);
    for a in 0..32 {
        for b in a + 1..32 {
            for c in b + 1..32 {
                for d in c + 1..32 {
                    let hand = [set[a], set[b], set[c], set[d]];
                    let allowed = tiles::allowed(hand);
                    assert!(!allowed.is_empty(), "{hand:?}");
                    let set_by_house = tiles::house_way(hand);
                    let worths: Vec<Setting> = allowed
                        .iter()
                        .map(|&[one, other]| Setting::of(one, other))
                        .collect();
                    assert!(worths.iter().all(|worth| *worth <= set_by_house));
                    assert!(worths.contains(&set_by_house));
                    assert!(allowed.iter().all(|split| tiles::is_allowed(hand, split)));
                    hands += 1;
                    supreme +=
                        u32::from(hand.contains(&tile("4-2")) && hand.contains(&tile("2-1")));
                    several += u32::from(worths.iter().any(|worth| *worth != set_by_house));
                    if set_by_house.high == HandRank::Pair(Reverse(1)) {
                        assert!(hand.contains(&tile("4-2")) && hand.contains(&tile("2-1")));
                        assert_eq!(allowed.len(), 1);
                    }
                }
            }
        }
    }
    assert_eq!(hands, 35_960);
    // The supreme pair with any two of the other thirty tiles.
    assert_eq!(supreme, 435);
    assert!(several > 0, "the rules leave a choice in some hands");
}

#[test]
fn the_rules_of_the_house_way_apply_in_their_order() {
    let is_allowed = |text: &str| {
        let (one, other) = text.split_once('/').unwrap();
        let two = |text: &str| -> [Tile; 2] {
            let tiles: Vec<Tile> = text.split_whitespace().map(tile).collect();
            tiles.try_into().unwrap()
        };
        let (one, other) = (two(one), two(other));
        tiles::is_allowed([one[0], one[1], other[0], other[1]], &[one, other])
    };
    for (split, allowed) in [
        // The supreme pair comes before another pair.
        ("4-2 2-1 / 6-6 6-3", true),
        ("4-2 6-6 / 2-1 6-3", false),
        // A pair, wong or gong: any of them.
        ("6-6 6-3 / 1-1 6-2", true),
        ("6-6 6-2 / 1-1 6-3", true),
        ("6-6 1-1 / 6-3 6-2", false),
        // Seven, eight or nine.
        ("6-4 5-3 / 2-2 6-1", true),
        ("6-4 6-1 / 2-2 5-3", true),
        ("6-4 2-2 / 5-3 6-1", false),
        // The best with the worst tile.
        ("6-6 4-1 / 5-5 6-4", true),
        ("6-6 5-5 / 4-1 6-4", false),
    ] {
        assert_eq!(is_allowed(split), allowed, "{split}");
    }
}
