//! How the stacks of tiles are delivered.

use serde_json::json;

use super::{Table, round, wager};
use crate::floor::Tile;
use crate::games::pai_gow::delivery::{self, Style};

#[test]
fn stacks_that_lie_elsewhere_are_a_mismatch() {
    let table = Table::open();
    let stacks: Vec<[String; 4]> = {
        let set: Vec<Tile> = Tile::set().collect();
        (0..8)
            .map(|stack| [0, 1, 2, 3].map(|level| set[4 * stack + level].to_string()))
            .collect()
    };
    let code = "pai_gow.delivery_mismatch";
    for (style, name) in STYLES {
        let deliveries: Vec<[Tile; 4]> = {
            let stacks: [[Tile; 4]; 8] = stacks
                .iter()
                .map(|stack| stack.clone().map(|tile| tile.parse().unwrap()))
                .collect::<Vec<_>>()
                .try_into()
                .unwrap();
            (0..8).map(|at| style.deliver(&stacks, at)).collect()
        };
        // Area 3 gets the first delivery: the bank of area 3 and a total of nine.
        let settle = |dealt: &[Tile; 4]| {
            let deal = json!({"dice": [3, 3, 3], "first": 3, "style": name, "stacks": stacks});
            let tiles: Vec<String> = dealt.iter().map(Tile::to_string).collect();
            let play = json!({"mode": "bank", "bank_seat": 3, "deal": deal, "hands": [
                {"seat": 3, "tiles": tiles, "high": tiles[..2], "low": tiles[2..]}], "dealer": null});
            table.violations(&round(json!({}), json!([wager("b", 3, "bank", 0)]), play))
        };
        assert_eq!(settle(&deliveries[0]), [""; 0], "{name}");
        assert_eq!(settle(&deliveries[1]), [code], "{name}");
    }
}

const STYLES: [(Style, &str); 10] = [
    (Style::HouseWayRight, "house_way_right"),
    (Style::HouseWayLeft, "house_way_left"),
    (Style::CupSayRight, "cup_say_right"),
    (Style::CupSayLeft, "cup_say_left"),
    (Style::JungQuat, "jung_quat"),
    (Style::CheeYee, "chee_yee"),
    (Style::PinSayRight, "pin_say_right"),
    (Style::PinSayLeft, "pin_say_left"),
    (Style::DragonPhoenixRight, "dragon_phoenix_right"),
    (Style::DragonPhoenixLeft, "dragon_phoenix_left"),
];

#[test]
fn every_style_delivers_every_tile_once_and_in_its_own_order() {
    for (style, name) in STYLES {
        let mut places: Vec<(usize, usize)> =
            (0..8).flat_map(|at| delivery::places(style, at)).collect();
        places.sort_unstable();
        places.dedup();
        assert_eq!(places.len(), 32, "{name}");
    }
    let first_two = |style| [0, 1].map(|at| delivery::places(style, at));
    // Stacks are counted from 0 here, the top tile is 0.
    assert_eq!(
        first_two(Style::CupSayRight),
        [
            [(0, 0), (0, 1), (1, 0), (1, 1)],
            [(0, 2), (0, 3), (1, 2), (1, 3)]
        ]
    );
    assert_eq!(
        first_two(Style::CupSayLeft)[0],
        [(7, 0), (7, 1), (6, 0), (6, 1)]
    );
    assert_eq!(
        first_two(Style::JungQuat)[0],
        [(3, 0), (3, 1), (4, 0), (4, 1)]
    );
    assert_eq!(
        first_two(Style::CheeYee)[0],
        [(0, 0), (0, 1), (7, 0), (7, 1)]
    );
    assert_eq!(
        first_two(Style::PinSayRight),
        [
            [(0, 0), (1, 0), (2, 0), (3, 0)],
            [(4, 0), (5, 0), (6, 0), (7, 0)]
        ]
    );
    assert_eq!(
        first_two(Style::PinSayLeft)[0],
        [(4, 0), (5, 0), (6, 0), (7, 0)]
    );
    assert_eq!(
        first_two(Style::DragonPhoenixRight),
        [
            [(0, 0), (0, 1), (1, 0), (1, 1)],
            [(4, 0), (5, 0), (6, 0), (7, 0)]
        ]
    );
    // The fifth delivery has reached the lower stacks of the dragon.
    assert_eq!(
        delivery::places(Style::DragonPhoenixRight, 4),
        [(2, 0), (2, 1), (3, 0), (3, 1)]
    );
    assert_eq!(
        delivery::places(Style::DragonPhoenixLeft, 4),
        [(5, 0), (5, 1), (4, 0), (4, 1)]
    );
    assert_eq!(
        delivery::places(Style::DragonPhoenixLeft, 1),
        [(0, 0), (1, 0), (2, 0), (3, 0)]
    );
}
