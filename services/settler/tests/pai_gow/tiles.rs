//! Pai gow with tiles: rounds as devices tell them, and what only events show.

use catwalk_stories::pai_gow::{
    DEALER_SET, DEALER_TILES, NOTHING, at_tiles, dice, says, set, tiles,
};
use catwalk_stories::{Story, bet, closed, collected, irregularity, paid_less, pushed};
use serde_json::{Value, json};

const HIGH_TILES: &str = "6-6 6-3 4-4 5-2";
const HIGH_SET: &str = "6-6 6-3 | 4-4 5-2";

/// Seat 1 wins from the dealer: the page's own first example.
fn tiles_win(said: Vec<Value>, payment: Value) -> Vec<Value> {
    let mut bodies = vec![bet("w", 1, "pai_gow", 5000), closed(), dice([2, 3, 3])];
    // Eight is the dead hand's place.
    bodies.push(tiles("dead_hand", None, None));
    bodies.push(tiles("dealer", None, Some(DEALER_TILES)));
    bodies.push(tiles("seat", Some(1), Some(HIGH_TILES)));
    bodies.extend(said.into_iter().chain([payment]));
    bodies
}

fn tile_settings() -> Vec<Value> {
    vec![
        set("seat", Some(1), HIGH_SET),
        set("dealer", None, DEALER_SET),
    ]
}

#[test]
fn tiles_are_settled_from_their_events() {
    let mut story = Story::at("pai_gow", "mgc-2017", json!({}));
    story.round(tiles_win(tile_settings(), paid_less("w", 5000, 250)));
    assert_eq!(story.codes(), NOTHING);
    let document = story.settled[0].document.as_ref().unwrap();
    assert_eq!(
        document["play"]["deal"],
        json!({"dice": [2, 3, 3], "first": 7})
    );
}

#[test]
fn tiles_are_surrendered_after_the_dealer_has_set() {
    let settled = |early: bool| {
        let mut said = tile_settings();
        said.insert(if early { 1 } else { 2 }, says(1, "surrender"));
        let mut story = Story::at("pai_gow", "mgc-2017", json!({}));
        story.round(tiles_win(said, collected("w")));
        story
            .codes()
            .into_iter()
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    assert_eq!(settled(false), NOTHING);
    assert_eq!(settled(true), ["pai_gow.surrender_late"]);
}

#[test]
fn a_hand_is_not_surrendered_once_it_is_told() {
    let settled = |said: Vec<Value>| {
        let mut story = Story::at("pai_gow", "mgc-2017", json!({}));
        story.round(tiles_win(said, collected("w")));
        let codes = story.codes().into_iter().map(str::to_owned);
        codes.collect::<Vec<_>>()
    };
    let [own, dealer] = [tile_settings()[0].clone(), tile_settings()[1].clone()];
    let surrender = says(1, "surrender");
    let in_time = vec![dealer.clone(), surrender.clone()];
    assert_eq!(settled(in_time), NOTHING);
    let exposed = vec![dealer, own, surrender];
    assert_eq!(settled(exposed), ["pai_gow.surrender_late"]);
}

#[test]
fn tiles_that_are_given_up_are_never_seen() {
    for dealt in [Some(tiles("seat", Some(1), None)), None] {
        let mut bodies = vec![bet("w", 1, "pai_gow", 5000), closed()];
        bodies.push(tiles("dealer", None, Some(DEALER_TILES)));
        bodies.extend(dealt);
        bodies.extend([
            set("dealer", None, DEALER_SET),
            says(1, "surrender"),
            collected("w"),
        ]);
        let mut story = Story::at("pai_gow", "mgc-2017", json!({}));
        story.round(bodies);
        assert_eq!(story.codes(), NOTHING);
        let hand = &story.settled[0].document.as_ref().unwrap()["play"]["hands"][0];
        assert_eq!(hand["tiles"], json!(["??", "??", "??", "??"]));
        assert_eq!(story.invented(), NOTHING);
    }
}

#[test]
fn a_wash_that_was_too_short_is_told_by_who_saw_it() {
    let own = "6-6 6-3 | 4-4 5-2";
    let short = [irregularity("wash_short", Value::Null)];
    assert_eq!(at_tiles(own, &[], paid_less("w", 5000, 250)), NOTHING);
    let codes = at_tiles(own, &short, paid_less("w", 5000, 250));
    assert_eq!(codes, ["pai_gow.wash_short"]);
}

/// Seat 1 banks against seat 4, which loses 5000 to it.
fn banked(said: Vec<Value>) -> Vec<Value> {
    let bank =
        json!({"type": "wager_placed", "wager": "k", "seat": 1, "kind": "bank", "amount": 0});
    let mut bodies = vec![bank, bet("w", 4, "pai_gow", 5000)];
    bodies.extend(said);
    bodies.extend([
        tiles("bank", Some(1), Some(HIGH_TILES)),
        tiles("seat", Some(4), Some(DEALER_TILES)),
        set("seat", Some(4), DEALER_SET),
        set("bank", None, HIGH_SET),
        collected("w"),
        paid_less("k", 5000, 250),
    ]);
    bodies
}

#[test]
fn who_banks_has_wagered_and_does_not_bank_again() {
    let unbanked = || tiles_win(tile_settings(), paid_less("w", 5000, 250));
    let mut first = Story::at("pai_gow", "mgc-2017", json!({}));
    first.round(banked(vec![closed()]));
    assert_eq!(first.codes(), ["pai_gow.bank_first_round"]);
    let mut story = Story::at("pai_gow", "mgc-2017", json!({}));
    story.round(unbanked()).round(banked(vec![closed()]));
    assert_eq!(story.codes(), NOTHING);
    story.round(banked(vec![closed()]));
    assert_eq!(story.codes(), ["pai_gow.bank_consecutive"]);
}

#[test]
fn a_bank_chooses_the_delivery_when_betting_has_closed() {
    let unbanked = || tiles_win(tile_settings(), paid_less("w", 5000, 250));
    for (early, expected) in [(false, 0), (true, 1)] {
        let mut said = vec![says(1, "jung_quat"), closed()];
        if !early {
            said.reverse();
        }
        let mut story = Story::at("pai_gow", "mgc-2017", json!({}));
        story.round(unbanked()).round(banked(said));
        assert_eq!(story.codes(), vec!["pai_gow.style_not_offered"; expected]);
    }
    // A feed that tells no call tells nothing of when it was.
    let mut story = Story::at("pai_gow", "mgc-2017", json!({}));
    story
        .round(unbanked())
        .round(banked(vec![says(1, "jung_quat")]));
    assert_eq!(story.codes(), NOTHING);
}

#[test]
fn an_equal_side_is_not_won() {
    let copy = "6-6 6-3 | 2-2 6-4";
    assert_eq!(at_tiles(copy, &[], pushed("w")), NOTHING);
    assert_eq!(
        at_tiles(copy, &[], paid_less("w", 5000, 250)),
        ["pay.over", "payout.copy_paid"]
    );
}

#[test]
fn a_low_side_of_nothing_is_not_won() {
    let nothing = "6-6 6-3 | 5-5 6-4";
    assert_eq!(at_tiles(nothing, &[], pushed("w")), NOTHING);
    assert_eq!(
        at_tiles(nothing, &[], paid_less("w", 5000, 250)),
        ["pay.over", "payout.zero_low_paid"]
    );
}

#[test]
fn a_bank_is_offered_counterclockwise() {
    let offered = |refused: [u32; 2]| {
        let mut story = Story::at("pai_gow", "mgc-2017", json!({}));
        let bank =
            json!({"type": "wager_placed", "wager": "k", "seat": 4, "kind": "bank", "amount": 0});
        let [one, other] = refused.map(|seat| says(seat, "decline_bank"));
        story.round([one, other, bank]);
        let codes = story.codes().into_iter().map(str::to_owned);
        codes.filter(|code| code == "pai_gow.bank_order").count()
    };
    assert_eq!(offered([2, 3]), 0);
    assert_eq!(offered([6, 1]), 0);
    assert_eq!(offered([3, 2]), 1);
    assert_eq!(offered([5, 6]), 0);
}

#[test]
fn the_dice_are_shaken_three_times() {
    let rolled = |shakes: usize| {
        let mut story = Story::at("pai_gow", "mgc-2017", json!({}));
        let mut bodies = vec![bet("w", 1, "pai_gow", 5000), closed()];
        bodies.extend(vec![says(0, "shake"); shakes]);
        bodies.push(json!({"type": "dice_rolled", "dice": [2, 3, 3], "valid": true}));
        bodies.push(tiles("dealer", None, Some(DEALER_TILES)));
        bodies.push(tiles("seat", Some(1), Some(HIGH_TILES)));
        bodies.push(set("seat", Some(1), HIGH_SET));
        bodies.push(set("dealer", None, DEALER_SET));
        bodies.push(paid_less("w", 5000, 250));
        story.round(bodies);
        let codes = story.codes().into_iter().map(str::to_owned);
        codes.filter(|code| code == "pai_gow.shake_short").count()
    };
    assert_eq!([rolled(0), rolled(3), rolled(4)], [0; 3]);
    assert_eq!([rolled(1), rolled(2)], [1; 2]);
}

#[test]
fn the_dice_are_shaken_again_after_a_roll_that_was_none() {
    let own = "6-6 6-3 | 4-4 5-2";
    let told = |before: Vec<Value>| {
        let mut story = Story::at("pai_gow", "mgc-2017", json!({}));
        let mut bodies = vec![bet("w", 1, "pai_gow", 5000), closed()];
        bodies.extend(before);
        bodies.push(dice([2, 3, 3]));
        bodies.extend(tiles_win(tile_settings(), paid_less("w", 5000, 250)).split_off(3));
        story.round(bodies);
        let codes = story.codes().into_iter().map(str::to_owned);
        codes.collect::<Vec<_>>()
    };
    let shakes = |number: i64| {
        let mut shake = says(0, "shake");
        shake["amount"] = json!(number);
        shake
    };
    let none = json!({"type": "dice_rolled", "dice": [1, 1, 6], "valid": false});
    assert_eq!(told(vec![shakes(3)]), NOTHING);
    assert_eq!(told(vec![shakes(2)]), ["pai_gow.shake_short"]);
    assert_eq!(told(vec![shakes(3), none.clone(), shakes(4)]), NOTHING);
    assert_eq!(
        told(vec![shakes(3), none, shakes(1)]),
        ["pai_gow.shake_short"]
    );
    let seen = [irregularity("shake_short", Value::Null)];
    assert_eq!(
        at_tiles(own, &seen, paid_less("w", 5000, 250)),
        ["pai_gow.shake_short"]
    );
}

#[test]
fn the_shaker_is_shaken_after_the_deal_where_the_feed_tells_of_it() {
    let rounds = |last: &[&[bool]]| {
        let mut story = Story::at("pai_gow", "mgc-2017", json!({}));
        for &[before, after] in last
            .iter()
            .map(|told| <&[bool; 2]>::try_from(*told).unwrap())
        {
            let mut bodies = tiles_win(tile_settings(), paid_less("w", 5000, 250));
            if after {
                bodies.insert(6, says(0, "shake"));
            }
            if before {
                bodies.splice(2..2, vec![says(0, "shake"); 3]);
            }
            story.round(bodies);
        }
        let codes = story.codes().into_iter().map(str::to_owned);
        codes.collect::<Vec<_>>()
    };
    let (whole, short, silent) = (&[true, true], &[true, false], &[false, false]);
    assert_eq!(rounds(&[short, short, whole, silent]), NOTHING);
    assert_eq!(rounds(&[whole, short]), ["pai_gow.shake_short"]);
}

#[test]
fn tiles_are_washed_in_eight_circles() {
    let washed = |circles: i64, between: bool| {
        let mut wash = says(0, "wash");
        wash["amount"] = json!(circles);
        let mut story = Story::at("pai_gow", "mgc-2017", json!({}));
        let mut bodies = tiles_win(tile_settings(), paid_less("w", 5000, 250));
        match between {
            true => drop(story.aside(wash)),
            false => bodies.insert(0, wash),
        }
        story.round(bodies);
        let codes = story.codes().into_iter().map(str::to_owned);
        codes.collect::<Vec<_>>()
    };
    for between in [false, true] {
        assert_eq!(washed(8, between), NOTHING);
        assert_eq!(washed(7, between), ["pai_gow.wash_short"]);
    }
}

#[test]
fn a_hand_that_is_set_is_not_changed_but_may_be_told_again() {
    let told = |more: &[&str]| {
        let mut bodies = tiles_win(tile_settings(), paid_less("w", 5000, 250));
        let more = more.iter().map(|again| set("seat", Some(1), again));
        bodies.splice(7..7, more);
        let mut story = Story::at("pai_gow", "mgc-2017", json!({}));
        story.round(bodies);
        let codes = story.codes().into_iter().map(str::to_owned);
        codes.collect::<Vec<_>>()
    };
    assert_eq!(told(&[HIGH_SET]), NOTHING);
    assert_eq!(told(&["5-2 4-4 | 6-3 6-6"]), NOTHING);
    let changed = told(&["6-6 4-4 | 6-3 5-2", HIGH_SET]);
    assert_eq!(changed, ["pai_gow.set_order"; 2]);
}

#[test]
fn every_surrender_that_came_too_early_is_found() {
    let mut story = Story::at("pai_gow", "mgc-2017", json!({}));
    story.round([
        bet("a", 1, "pai_gow", 1000),
        bet("b", 2, "pai_gow", 1000),
        closed(),
        tiles("dealer", None, Some(DEALER_TILES)),
        says(1, "surrender"),
        says(2, "surrender"),
        set("dealer", None, DEALER_SET),
        collected("a"),
        collected("b"),
    ]);
    assert_eq!(story.codes(), ["pai_gow.surrender_late"; 2]);
}

/// Seat 1 banks, and the dealer wagers 5000 against it, which wins.
fn dealer_against_bank(wagers: &[Value], after_call: &[Value]) -> Vec<Value> {
    let bank =
        json!({"type": "wager_placed", "wager": "k", "seat": 1, "kind": "bank", "amount": 0});
    let tiles_of = |to: &str, seat: Option<u32>, text: &str| tiles(to, seat, Some(text));
    let play = [
        tiles_of("bank", Some(1), HIGH_TILES),
        tiles_of("dealer", None, "3-1 3-1 1-1 5-1"),
        set("dealer", None, "3-1 3-1 | 1-1 5-1"),
        set("bank", None, HIGH_SET),
    ];
    [&[bank][..], wagers, &[closed()], after_call, &play].concat()
}

#[test]
fn the_dealers_wager_against_a_bank_lies_when_the_deal_begins() {
    let settled = |wagers: &[Value], after_call: &[Value], last: &[Value], win: i64| {
        let mut story = Story::at("pai_gow", "mgc-2017", json!({}));
        story.round(tiles_win(tile_settings(), paid_less("w", 5000, 250)));
        let mut bodies = dealer_against_bank(wagers, after_call);
        bodies.extend_from_slice(last);
        let taken = json!({"type": "wager_collected", "wager": "k", "amount": win});
        bodies.extend([
            json!({"type": "wager_paid", "wager": "d", "amount": win}),
            taken,
        ]);
        story.round(bodies);
        let codes = story.codes().into_iter().map(str::to_owned);
        codes.collect::<Vec<_>>()
    };
    let wager = || bet("d", 0, "dealer_vs_bank", 5000);
    let lowered = json!({"type": "wager_changed", "wager": "d", "amount": 3000, "by": "patron"});
    assert_eq!(settled(&[wager()], &[], &[], 5000), NOTHING);
    assert_eq!(settled(&[], &[wager()], &[], 5000), NOTHING);
    assert_eq!(
        settled(&[wager()], std::slice::from_ref(&lowered), &[], 3000),
        NOTHING
    );
    assert_eq!(
        settled(&[wager()], &[], &[lowered], 5000),
        ["wager.pinched"]
    );
}

#[test]
fn a_side_that_is_only_equal_to_the_banks_is_not_won() {
    let settled = |payments: [Value; 2]| {
        let mut story = Story::at("pai_gow", "mgc-2017", json!({}));
        story.round(tiles_win(tile_settings(), paid_less("w", 5000, 250)));
        let bank =
            json!({"type": "wager_placed", "wager": "k", "seat": 1, "kind": "bank", "amount": 0});
        let mut bodies = vec![bank, bet("v", 4, "pai_gow", 2000), closed()];
        bodies.extend([
            tiles("bank", Some(1), Some("1-1 6-3 6-5 6-4")),
            tiles("seat", Some(4), Some("1-1 5-4 6-5 5-5")),
            set("seat", Some(4), "1-1 5-4 | 6-5 5-5"),
            set("bank", None, "1-1 6-3 | 6-5 6-4"),
        ]);
        bodies.extend(payments);
        story.round(bodies);
        let codes = story.codes().into_iter().map(str::to_owned);
        codes.filter(|code| code == "payout.copy_paid").count()
    };
    assert_eq!(settled([pushed("v"), pushed("k")]), 0);
    let taken = json!({"type": "wager_collected", "wager": "k", "amount": 2000});
    assert_eq!(settled([paid_less("v", 2000, 100), taken]), 1);
}

#[test]
fn nobody_banks_the_first_round_with_other_tiles() {
    let banks = |rounds_between: u32, reserve: bool| {
        let mut story = Story::at("pai_gow", "mgc-2017", json!({}));
        let unbanked = || tiles_win(tile_settings(), paid_less("w", 5000, 250));
        story.aside(json!({"type": "tiles_introduced", "set": "t1"}));
        if reserve {
            story.aside(json!({"type": "tiles_introduced", "set": "r1"}));
        }
        story.round(unbanked());
        let left = if reserve { "r1" } else { "t1" };
        story.aside(json!({"type": "tiles_removed", "set": left}));
        story.aside(json!({"type": "tiles_introduced", "set": "t2"}));
        for _ in 0..rounds_between {
            story.round(unbanked());
        }
        story.round(banked(vec![closed()]));
        let codes = story.codes().into_iter();
        codes
            .filter(|code| *code == "pai_gow.bank_first_round")
            .count()
    };
    assert_eq!(banks(0, false), 1);
    assert_eq!(banks(1, false), 0);
    assert_eq!(banks(0, true), 0);
}

#[test]
fn a_set_of_tiles_is_whole_inspected_and_leaves_in_time() {
    let table = |events: &[Value], dealt: bool| {
        let mut story = Story::at("pai_gow", "mgc-2017", json!({}));
        story.aside(json!({"type": "tiles_introduced", "set": "t1"}));
        let (inspections, rest) = events.split_at(1);
        for event in inspections {
            story.aside(event.clone());
        }
        if dealt {
            let bets = [bet("w", 1, "pai_gow", 5000), closed()];
            let play = [
                tiles("dealer", None, Some(DEALER_TILES)),
                tiles("seat", Some(1), Some(HIGH_TILES)),
                set("seat", Some(1), HIGH_SET),
                set("dealer", None, DEALER_SET),
                paid_less("w", 5000, 250),
            ];
            story.round([&bets[..], &play].concat());
        }
        for event in rest {
            story.aside(event.clone());
        }
        let found = story.findings.iter();
        let found = found.filter(|finding| finding.code.starts_with("tiles."));
        found
            .map(|finding| (finding.code.clone(), format!("{:?}", finding.severity)))
            .collect::<Vec<_>>()
    };
    let inspected =
        |missing: &[&str]| json!({"type": "tiles_inspected", "set": "t1", "missing": missing});
    let gathered =
        |missing: &[&str]| json!({"type": "tiles_collected", "set": "t1", "missing": missing});
    let only = |found: Vec<(String, String)>, code: &str| {
        let mut found = found.into_iter().filter(|(found, _)| found == code);
        found.next().map(|(_, severity)| severity)
    };
    let honest = table(&[inspected(&[]), gathered(&[])], true);
    assert_eq!(only(honest.clone(), "tiles.missing_tile"), None);
    assert_eq!(only(honest, "tiles.not_inspected"), None);
    let short = table(&[inspected(&[]), gathered(&["6-6"])], true);
    assert_eq!(only(short, "tiles.missing_tile").unwrap(), "Critical");
    let in_time = table(&[inspected(&["6-6"])], false);
    assert_eq!(only(in_time, "tiles.missing_tile"), None);
    let blind = table(&[json!({"type": "clock"})], true);
    assert_eq!(only(blind, "tiles.not_inspected").unwrap(), "Critical");
}

#[test]
fn a_tile_that_lies_open_where_nobody_wagers_voids_all_hands() {
    let own = "6-6 6-3 | 4-4 5-2";
    let exposed = |seat: u32| {
        [irregularity(
            "player_tile_exposed",
            json!({"seat": seat, "choice": "play"}),
        )]
    };
    assert_eq!(
        at_tiles(own, &exposed(1), paid_less("w", 5000, 250)),
        NOTHING
    );
    assert_eq!(at_tiles(own, &exposed(4), pushed("w")), NOTHING);
    assert_eq!(
        at_tiles(own, &exposed(4), paid_less("w", 5000, 250)),
        ["pay.over", "pai_gow.void_not_declared"]
    );
}

#[test]
fn a_hand_of_three_tiles_is_told_and_nothing_is_judged_by_it() {
    let mut story = Story::at("pai_gow", "mgc-2017", json!({}));
    story.round(vec![
        bet("w", 1, "pai_gow", 5000),
        closed(),
        tiles("dealer", None, Some(DEALER_TILES)),
        tiles("seat", Some(1), Some("6-6 6-3 4-4")),
        set("dealer", None, DEALER_SET),
        paid_less("w", 5000, 250),
    ]);
    assert_eq!(story.codes(), ["deal.tile_count"]);
    assert!(story.settled[0].settlement.is_none());
}
