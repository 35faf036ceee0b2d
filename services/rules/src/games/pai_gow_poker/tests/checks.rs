//! What a round shows to be wrong: each code with a lawful twin.

use serde_json::{Value, json};

use super::{WINNER, assert_violation, hand, hand_with, main_wager, mgc, ohio, side};
use crate::games::PaiGowPoker;
use crate::settlement::Verdict;
use crate::testkit::TestTable;

#[test]
fn options_outside_their_bounds_are_flagged_and_count_as_the_nearest_lawful_value() {
    let wagers = json!([main_wager("w1", 1, 1000)]);
    let at_the_edge = json!({
        "max_areas_per_player": 2, "max_payout_bonus": 4_000_000, "max_payout_seven_card": 5_000_000,
        "number_odds": "6:1", "progressive_reset": 1_000_000, "progressive_rate": 21,
        "seven_card_overrides": {"flush": "4:1"}, "three_card_paytable": {"pair": "2:1"},
        "progressive_overrides": {"flush": 300},
    });
    let lawful = mgc(at_the_edge, wagers.clone(), WINNER, json!({}));
    assert_eq!(
        TestTable::<PaiGowPoker>::open().violations(&lawful),
        [""; 0]
    );
    for (option, code) in [
        (json!({"max_areas_per_player": 3}), "config.max_areas"),
        (
            json!({"max_payout_bonus": 3_999_999}),
            "config.payout_limit_too_low",
        ),
        (
            json!({"max_payout_seven_card": 4_999_999}),
            "config.payout_limit_too_low",
        ),
        (json!({"number_odds": "5:1"}), "config.number_odds"),
        (json!({"number_odds": "61:10"}), "config.number_odds"),
        (
            json!({"progressive_reset": 999_999}),
            "config.progressive_too_low",
        ),
        (
            json!({"progressive_rate": 20}),
            "config.progressive_too_low",
        ),
        (
            json!({"progressive_rate": 26, "progressive_wager": 500}),
            "config.progressive_too_low",
        ),
        (
            json!({"seven_card_overrides": {"flush": "39:10"}}),
            "config.odds_below_minimum",
        ),
        (
            json!({"three_card_paytable": {"pair": "1:2"}}),
            "config.odds_below_minimum",
        ),
        (
            json!({"progressive_overrides": {"flush": 299}}),
            "config.odds_below_minimum",
        ),
        (
            json!({"progressive_overrides": {"flush": 300}, "progressive_wager": 500}),
            "config.odds_below_minimum",
        ),
        (
            json!({"side_bets": ["bonus", "seven_card_bonus"]}),
            "config.exclusive_side_bets",
        ),
    ] {
        let document = mgc(option, wagers.clone(), WINNER, json!({}));
        assert_violation(&document, code, Verdict::Win);
    }
    let hand = "AS AH TD 8C 3S / QS 9H";
    for (option, code) in [
        (json!({"max_areas_per_player": 4}), "config.max_areas"),
        (
            json!({"max_payout_fortune": 4_999_999}),
            "config.payout_limit_too_low",
        ),
    ] {
        let document = ohio(option, wagers.clone(), hand, json!({}));
        assert_violation(&document, code, Verdict::Win);
    }
}

#[test]
fn wagers_that_cannot_stand_go_back_and_are_flagged() {
    let main = main_wager("m", 1, 1000);
    let mut elsewhere = side("w", "insurance", 100);
    elsewhere["seat"] = json!(4);
    let number = |number: i64| json!({"id": "w", "seat": 1, "kind": "number", "amount": 100, "number": number});
    for (wagers, code) in [
        (
            json!([side("w", "tiger_9", 100), main]),
            "wager.not_offered",
        ),
        (
            json!([side("w", "fortune_bonus", 100), main]),
            "wager.not_offered",
        ),
        (json!([elsewhere, main]), "wager.side_without_main"),
        (
            json!([side("w", "progressive", 101), main]),
            "wager.progressive_amount",
        ),
        (json!([number(3), main]), "wager.number_invalid"),
        (
            json!([{"id": "w", "seat": 0, "kind": "dealer_vs_bank", "amount": 100}, main]),
            "pai_gow_poker.dealer_bank_wager",
        ),
        (
            json!([{"id": "w", "seat": 1, "kind": "envy", "amount": 0, "on": "m"}, main]),
            "envy.marker_undue",
        ),
    ] {
        assert_violation(
            &mgc(json!({}), wagers, WINNER, json!({})),
            code,
            Verdict::Void,
        );
    }
    let drawn = json!({"deal": {"number": 3}});
    let off_the_wheel = mgc(json!({}), json!([number(8), main]), WINNER, drawn.clone());
    assert_violation(&off_the_wheel, "wager.number_invalid", Verdict::Void);
    let table = TestTable::<PaiGowPoker>::open();
    let lawful = mgc(
        json!({}),
        json!([number(3), number(3), main]),
        WINNER,
        drawn,
    );
    let mut lawful = lawful;
    lawful["wagers"][1]["id"] = json!("w2");
    // 100 at 11 to 2 is 550 cents, paid as five dollars; several number wagers are allowed.
    assert_eq!(table.violations(&lawful), [""; 0]);
    assert_eq!(table.wager(&lawful, "w2").win.get(), 500);

    // The bank is no wager of Ohio, and the second of a kind goes back even if the first was void.
    let bank = json!([{"id": "w", "seat": 1, "kind": "bank", "amount": 0}, main]);
    let hand = "AS AH TD 8C 3S / QS 9H";
    assert_violation(
        &ohio(json!({}), bank, hand, json!({})),
        "wager.not_offered",
        Verdict::Void,
    );
    let wagers = json!([
        side("w", "fortune_progressive", 99),
        side("v", "fortune_progressive", 100),
        main
    ]);
    let document = ohio(json!({}), wagers, hand, json!({}));
    assert_eq!(
        table.violations(&document),
        ["wager.duplicate_kind", "wager.progressive_amount"]
    );
    assert_eq!(table.wager(&document, "v").result, Verdict::Void);
    // A chip of another size without the main wager breaks both conditions: P 1.A, 4.
    for (amount, codes) in [
        (100, vec!["wager.side_without_main"]),
        (
            500,
            vec!["wager.progressive_amount", "wager.side_without_main"],
        ),
    ] {
        let chip = json!({"id": "w", "seat": 4, "kind": "fortune_progressive", "amount": amount});
        let document = ohio(json!({}), json!([chip, main]), hand, json!({}));
        assert_eq!(table.violations(&document), codes);
        assert_eq!(table.wager(&document, "w").result, Verdict::Void);
    }
}

#[test]
fn an_envy_marker_goes_with_five_dollars_at_its_own_area() {
    let table = TestTable::<PaiGowPoker>::open();
    let settle = |bonus: i64, markers: Value| {
        let mut wagers = vec![main_wager("m", 1, 1000), side("b", "bonus", bonus)];
        wagers.extend(markers.as_array().unwrap().clone());
        table.violations(&mgc(json!({}), json!(wagers), WINNER, json!({})))
    };
    let marker =
        |id: &str, on: &str| json!({"id": id, "seat": 1, "kind": "envy", "amount": 0, "on": on});
    assert_eq!(settle(500, json!([marker("e", "b")])), [""; 0]);
    assert_eq!(settle(499, json!([])), [""; 0]);
    assert_eq!(settle(500, json!([])), ["envy.marker_missing"]);
    assert_eq!(
        settle(499, json!([marker("e", "b")])),
        ["envy.marker_undue"]
    );
    assert_eq!(settle(99, json!([])), ["wager.under_min"]);
    // A second marker is a duplicate, not an undue one.
    assert_eq!(
        settle(500, json!([marker("e", "b"), marker("f", "b")])),
        ["wager.duplicate_kind"]
    );
    // A marker that went back still shows that the wager had one.
    let mut away = marker("e", "b");
    away["seat"] = json!(3);
    assert_eq!(settle(500, json!([away])), ["wager.side_without_main"]);
}

#[test]
fn table_limits_are_for_the_main_wager() {
    let options = json!({"table_min": 1000, "table_max": 2000});
    for (amount, code) in [(999, "wager.under_min"), (2001, "wager.over_max")] {
        let wagers = json!([main_wager("w", 1, amount)]);
        assert_violation(
            &mgc(options.clone(), wagers, WINNER, json!({})),
            code,
            Verdict::Win,
        );
    }
    let wagers = json!([main_wager("w", 1, 1000), side("i", "insurance", 100)]);
    let lawful = mgc(options, wagers, WINNER, json!({}));
    assert_eq!(
        TestTable::<PaiGowPoker>::open().violations(&lawful),
        [""; 0]
    );
}

#[test]
fn a_start_at_the_wrong_position_voids_the_round() {
    let wagers = json!([main_wager("w", 1, 1000)]);
    let started = |deal: Value| mgc(json!({}), wagers.clone(), WINNER, json!({"deal": deal}));
    let table = TestTable::<PaiGowPoker>::open();
    for deal in [
        json!({"dice": [2, 3, 3], "first": 0}),
        json!({"dice": [4, 5, 5], "first": 6}),
        json!({"number": 7, "first": 6}),
        json!({"button": 5, "first": 5}),
        json!({"method": "left_first", "first": 1}),
        json!({"method": "dice", "first": 4}),
        json!({"first": 4}),
    ] {
        assert_eq!(table.violations(&started(deal.clone())), [""; 0], "{deal}");
    }
    for deal in [
        json!({"dice": [2, 3, 3], "first": 1}),
        json!({"number": 7, "first": 0}),
        json!({"button": 5, "first": 4}),
        json!({"method": "left_first", "first": 2}),
    ] {
        assert_violation(&started(deal), "pai_gow_poker.wrong_start", Verdict::Void);
    }
    // Declared void by the house, it is no violation any more.
    let mut declared = started(json!({"number": 7, "first": 0}));
    declared["play"]["irregularities"] = json!([{"type": "wrong_start"}]);
    assert_eq!(table.violations(&declared), [""; 0]);
    assert_eq!(table.wager(&declared, "w").result, Verdict::Void);
    // In a banked round the count begins at the bank: 3 + 12 - 1 is position 0.
    let banked = json!([{"id": "b", "seat": 3, "kind": "bank", "amount": 0}]);
    let play = json!({"mode": "bank", "bank_seat": 3, "deal": {"dice": [3, 4, 5], "first": 0},
        "hands": [hand(3, WINNER)]});
    assert_eq!(
        table.violations(&mgc(json!({}), banked, WINNER, play)),
        [""; 0]
    );
}

#[test]
fn the_start_is_found_in_a_way_that_the_text_and_the_table_know() {
    let main = main_wager("m", 1, 1000);
    let code = "pai_gow_poker.start_method";
    let settle = |options: Value, wagers: Value, method: &str| {
        let deal = match method {
            "rng" => json!({"method": method, "number": 2}),
            _ => json!({"method": method}),
        };
        mgc(options, wagers, WINNER, json!({"deal": deal}))
    };
    let table = TestTable::<PaiGowPoker>::open();
    let plain = json!([main]);
    let three = json!([main, side("t", "three_card_bonus", 100)]);
    let offer = |bets: &[&str]| json!({"side_bets": bets});
    for (options, wagers, method, lawful) in [
        (json!({}), plain.clone(), "dice", true),
        (json!({}), three.clone(), "left_first", true),
        (json!({}), three.clone(), "dice", false),
        // A wager that goes back changes nothing.
        (json!({"side_bets": []}), three.clone(), "dice", true),
        (json!({"side_bets": []}), three, "left_first", false),
        // What is offered decides, bet or not; where nobody says what is, nothing does.
        (offer(&["seven_card_bonus"]), plain.clone(), "button", false),
        (offer(&["three_card_bonus"]), plain.clone(), "dice", false),
        (
            offer(&["three_card_bonus"]),
            plain.clone(),
            "left_first",
            true,
        ),
        (offer(&["bonus"]), plain.clone(), "left_first", false),
        (offer(&["bonus"]), plain.clone(), "dice", true),
        (json!({}), plain.clone(), "left_first", true),
        (
            json!({"deal_method": "auto_shoe"}),
            plain.clone(),
            "button",
            true,
        ),
        (
            json!({"deal_method": "shoe"}),
            plain.clone(),
            "button",
            false,
        ),
        (json!({"start_method": "rng"}), plain.clone(), "rng", true),
        (json!({"start_method": "rng"}), plain, "dice", false),
    ] {
        let document = settle(options, wagers, method);
        assert_eq!(
            !table.settle(&document).violations().contains(code),
            lawful,
            "{document}"
        );
    }
}

#[test]
fn cards_that_do_not_make_the_deck_void_the_round() {
    let wagers = json!([main_wager("w", 1, 1000)]);
    let table = TestTable::<PaiGowPoker>::open();
    let left = |remaining: i64, method: Option<&str>| {
        let mut play = json!({"remaining": remaining});
        if let Some(method) = method {
            play["deal"] = json!({"method": method});
        }
        mgc(json!({}), wagers.clone(), WINNER, play)
    };
    for lawful in [left(4, None), left(39, Some("left_first"))] {
        assert_eq!(table.violations(&lawful), [""; 0]);
        assert_eq!(table.wager(&lawful, "w").result, Verdict::Win);
    }
    assert_violation(&left(3, None), "deck.missing_card", Verdict::Void);
    assert_violation(&left(5, None), "deck.extra_card", Verdict::Void);
    assert_violation(
        &left(40, Some("left_first")),
        "deck.extra_card",
        Verdict::Void,
    );

    let dealt = |cards: Value| {
        let mut document = mgc(json!({}), wagers.clone(), WINNER, json!({}));
        document["play"]["hands"][0] = json!({"seat": 1, "cards": cards});
        document
    };
    let twice = json!(["9S", "9H", "7D", "5C", "2S", "8S", "JC"]);
    assert_violation(&dealt(twice), "deck.duplicate_card", Verdict::Void);
    let jokers = json!(["9S", "9H", "7D", "5C", "JK", "JK", "JC"]);
    assert_violation(&dealt(jokers), "deck.foreign_card", Verdict::Void);
    let eight = json!(["9S", "9H", "7D", "5C", "2S", "AD", "JC", "4D"]);
    assert_violation(&dealt(eight), "deal.card_count", Verdict::Void);
    // One card too few in a hand and one too many left over: misdealt, but the deck is whole.
    let mut misdealt = dealt(json!(["9S", "9H", "7D", "5C", "2S", "AD"]));
    misdealt["play"]["remaining"] = json!(5);
    assert_violation(&misdealt, "deal.card_count", Verdict::Void);
}

#[test]
fn irregularities_void_the_round_the_hand_or_nothing() {
    let table = TestTable::<PaiGowPoker>::open();
    let number = json!({"id": "n", "seat": 1, "kind": "number", "amount": 200, "number": 2});
    let wagers = json!([
        main_wager("w", 1, 1000),
        number,
        side("i", "insurance", 100)
    ]);
    let with_all = |irregularities: &[Value]| {
        let play = json!({"deal": {"number": 2}, "irregularities": irregularities});
        let settlement = table.settle(&mgc(json!({}), wagers.clone(), WINNER, play));
        assert_eq!(settlement.violations().iter().count(), 0);
        let results: Vec<Verdict> = settlement.wagers().iter().map(|w| w.result).collect();
        results
    };
    let with = |irregularity: Value| with_all(&[irregularity]);
    // A number wager stands in a void round and with a void hand.
    let void = [Verdict::Void, Verdict::Win, Verdict::Void];
    let played = [Verdict::Win, Verdict::Win, Verdict::Lose];
    for kind in [
        "wrong_start",
        "dealer_card_exposed",
        "wrong_card_count",
        "deck_count_wrong",
        "stack_card_exposed",
        "stack_deal_error",
        "shoe_failure",
    ] {
        assert_eq!(with(json!({"type": kind})), void, "{kind}");
    }
    for kind in ["no_roll", "card_drawn_in_error", "shuffler_failure"] {
        assert_eq!(with(json!({"type": kind})), played, "{kind}");
    }
    assert_eq!(with(json!({"type": "face_up_in_shoe", "count": 2})), void);
    let one_face_up = json!({"type": "face_up_in_shoe", "count": 1});
    assert_eq!(with(one_face_up.clone()), played);
    // Two records of one card are two cards.
    assert_eq!(with_all(&[one_face_up.clone(), one_face_up]), void);
    let exposed = |seat: u16, choice: &str| json!({"type": "player_card_exposed", "seat": seat, "choice": choice});
    assert_eq!(with(exposed(1, "void")), void);
    assert_eq!(with(exposed(1, "play")), played);

    let wagers = json!([main_wager("w", 1, 1000), side("f", "fortune_bonus", 100)]);
    let in_ohio = |irregularity: Value| {
        let play = json!({"irregularities": [irregularity]});
        let document = ohio(json!({}), wagers.clone(), "AS AH AD 8C 3S / QS 9H", play);
        let settlement = table.settle(&document);
        settlement
            .wagers()
            .iter()
            .map(|w| w.result)
            .collect::<Vec<_>>()
    };
    let off =
        |seat: u16, ruling: &str| json!({"type": "card_off_table", "seat": seat, "ruling": ruling});
    for irregularity in [off(0, "dead"), off(1, "dead")] {
        assert_eq!(in_ohio(irregularity), [Verdict::Void; 2]);
    }
    for irregularity in [
        off(0, "play"),
        off(2, "dead"),
        json!({"type": "verification_malfunction"}),
        json!({"type": "dice_stacked"}),
    ] {
        assert_eq!(in_ohio(irregularity), [Verdict::Win; 2]);
    }
}

#[test]
fn areas_of_one_player_are_adjacent_and_not_too_many() {
    let table = TestTable::<PaiGowPoker>::open();
    let areas = [
        "AS AH TD 8C 3S / QS 9H",
        "KS KH TS 8D 3H / QH 9C",
        "JS JH 9S 7D 3D / QC TC",
        "6S 6H 5H 4H 2C / AC 9D",
    ];
    let codes = |seats: &[u16]| {
        let wagers: Vec<Value> = seats
            .iter()
            .map(|&seat| main_wager(&format!("w{seat}"), seat, 1000))
            .collect();
        let hands: Vec<Value> = seats
            .iter()
            .zip(areas)
            .map(|(&seat, cards)| hand_with(seat, cards, json!({"player": "eve"})))
            .collect();
        let document = ohio(json!({}), json!(wagers), WINNER, json!({"hands": hands}));
        table.violations(&document)
    };
    assert_eq!(codes(&[1, 2]), [""; 0]);
    assert_eq!(codes(&[1, 3]), ["wager.too_many_areas"]);
    assert_eq!(codes(&[1, 2, 3]), [""; 0]);
    assert_eq!(codes(&[1, 2, 3, 4]), ["wager.too_many_areas"]);
    // A hand without a wager.
    let idle = json!({"hands": [hand(1, areas[0]), {"seat": 4, "cards": ["6S", "6H", "5H", "4H", "2C", "AC", "9D"]}]});
    let document = ohio(json!({}), json!([main_wager("w", 1, 1000)]), WINNER, idle);
    assert_violation(&document, "deal.hand_without_wager", Verdict::Win);
}
