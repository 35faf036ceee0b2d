//! Bets that are void, and stakes out of order: each code with a lawful twin.

use serde_json::{Value, json};

use crate::Edition::{self, Mgc2017, OhJack2017};
use crate::games::Craps;
use crate::games::shared::craps::testkit::{bet, merge, play, results, rolls, round};
use crate::settlement::Verdict::Void;
use crate::testkit::TestTable;

/// The codes of a void wager, in the order in which they are looked for: each case has all faults
/// of the cases after it as well.
#[test]
fn a_void_wager_raises_only_the_first_code_that_applies() {
    let table = TestTable::<Craps>::open();
    let offer = json!({"not_offered": ["fire", "come_odds", "come", "put", "world"]});
    let late = json!({"late": true});
    let fire = |keys: Value| {
        let mut wager = bet("fire", 700, late.clone());
        merge(&mut wager, keys);
        wager
    };
    let mini = |variant: &str| {
        let mut options = offer.clone();
        merge(&mut options, json!({"variant": variant}));
        options
    };
    let cases: [(Edition, Value, Value, &str); 12] = [
        (
            Mgc2017,
            offer.clone(),
            bet("world", 1, late.clone()),
            "wager.not_permissible",
        ),
        (
            OhJack2017,
            offer.clone(),
            bet("whirl", 1, late.clone()),
            "wager.not_permissible",
        ),
        (
            Mgc2017,
            mini("mini_craps"),
            fire(json!({})),
            "craps.fire_in_mini",
        ),
        (Mgc2017, mini("craps"), fire(json!({})), "wager.not_offered"),
        (Mgc2017, json!({}), fire(json!({})), "wager.late"),
        (
            OhJack2017,
            json!({}),
            fire(json!({"late": false, "in_air": true})),
            "wager.late",
        ),
        (
            Mgc2017,
            json!({}),
            fire(json!({"late": false, "in_air": true})),
            "wager.in_air_unconfirmed",
        ),
        (
            Mgc2017,
            json!({}),
            fire(json!({"late": false})),
            "craps.fire_late",
        ),
        (
            Mgc2017,
            json!({}),
            bet("pass", 1, json!({})),
            "craps.pass_after_point",
        ),
        (
            Mgc2017,
            json!({}),
            bet("dont_pass", 1, json!({})),
            "craps.dont_increased",
        ),
        (
            OhJack2017,
            json!({}),
            bet("dont_pass", 1, json!({})),
            "craps.dont_increased",
        ),
        (
            Mgc2017,
            json!({}),
            bet("pass_odds", 1, json!({"late": true})),
            "wager.late",
        ),
    ];
    for (edition, options, wager, code) in cases {
        let document = table.document(edition, options, json!([wager]), play(9, "1-1"));
        assert_eq!(table.violations(&document), [code], "{document}");
        assert_eq!(results(&table, &document), [Void], "{document}");
    }
}

#[test]
fn bets_of_the_other_text_and_numbers_without_a_box_are_not_permissible() {
    let table = TestTable::<Craps>::open();
    let strangers = [
        (Mgc2017, bet("put", 500, json!({"number": 5}))),
        (Mgc2017, bet("put_odds", 500, json!({"on": "w1"}))),
        (Mgc2017, bet("world", 500, json!({}))),
        (OhJack2017, bet("place_lose", 1100, json!({"number": 4}))),
        (OhJack2017, bet("whirl", 500, json!({}))),
        (Mgc2017, bet("place", 500, json!({"number": 7}))),
        (Mgc2017, bet("buy", 500, json!({"number": 2}))),
        (Mgc2017, bet("hard", 500, json!({"number": 5}))),
        (Mgc2017, bet("horn_high", 500, json!({"number": 4}))),
        (OhJack2017, bet("put", 500, json!({"number": 12}))),
        (Mgc2017, bet("hop", 500, json!({"dice": [2, 1]}))),
        (Mgc2017, bet("hop", 500, json!({"dice": [5, 6]}))),
    ];
    for (edition, wager) in strangers {
        let document = round(&table, edition, json!([wager]), play(9, "1-1"));
        assert_eq!(
            table.violations(&document),
            ["wager.not_permissible"],
            "{document}"
        );
    }
    let at_home = [
        (OhJack2017, bet("put", 500, json!({"number": 5}))),
        (OhJack2017, bet("world", 500, json!({}))),
        (OhJack2017, bet("pass", 500, json!({}))),
        (Mgc2017, bet("place_lose", 1100, json!({"number": 4}))),
        (Mgc2017, bet("whirl", 500, json!({}))),
        (Mgc2017, bet("hop", 500, json!({"dice": [4, 1]}))),
    ];
    for (edition, wager) in at_home {
        let document = round(&table, edition, json!([wager]), play(9, "6-2"));
        assert!(table.violations(&document).is_empty(), "{document}");
    }
}

#[test]
fn bets_in_the_air_need_their_two_witnesses() {
    let table = TestTable::<Craps>::open();
    let cases = [
        ("craps", json!(["dealer", "boxperson"]), true),
        ("craps", json!(["dealer", "floorperson"]), false),
        ("craps", json!([]), false),
        (
            "mini_craps",
            json!(["floorperson", "dealer", "boxperson"]),
            true,
        ),
        ("mini_craps", json!(["dealer", "boxperson"]), false),
    ];
    for (variant, confirmed_by, in_time) in cases {
        let wager = bet(
            "field",
            500,
            json!({"in_air": true, "confirmed_by": confirmed_by}),
        );
        let options = json!({"variant": variant});
        let document = table.document(Mgc2017, options, json!([wager]), play(9, "1-1"));
        let expected: &[&str] = if in_time {
            &[]
        } else {
            &["wager.in_air_unconfirmed"]
        };
        assert_eq!(table.violations(&document), expected, "{document}");
    }
}

#[test]
fn odds_need_a_live_flat_bet_with_a_number() {
    let table = TestTable::<Craps>::open();
    let odds = |keys: Value| {
        let mut wager = bet(
            "come_odds",
            500,
            json!({"id": "odds", "placed": 1, "on": "w1"}),
        );
        merge(&mut wager, keys);
        wager
    };
    let come = bet("come", 500, json!({}));
    let cases: [(Value, &str, &[&str]); 7] = [
        (odds(json!({})), "3-3 1-1", &[]),
        (odds(json!({"on": "w9"})), "3-3 1-1", &["craps.odds_orphan"]),
        (
            odds(json!({"kind": "pass_odds"})),
            "3-3 1-1",
            &["craps.odds_orphan"],
        ),
        // Decided on its first roll; not up yet; still on the come line.
        (odds(json!({})), "5-6 1-1", &["craps.odds_orphan"]),
        (
            odds(json!({"placed": -1})),
            "3-3 1-1",
            &["craps.odds_orphan"],
        ),
        (
            odds(json!({"placed": 0})),
            "3-3 1-1",
            &["craps.odds_without_point"],
        ),
        (odds(json!({"placed": 2})), "3-3 1-1", &[]),
    ];
    for (odds, words, expected) in cases {
        let wagers = json!([come, odds]);
        let document = round(&table, Mgc2017, wagers, play(9, words));
        assert_eq!(table.violations(&document), expected, "{document}");
    }
    // A carried pass bet that waits for the come-out has no number for carried odds.
    let wagers = json!([
        bet("pass", 500, json!({"placed": -1})),
        bet(
            "pass_odds",
            500,
            json!({"id": "odds", "placed": -1, "on": "w1"})
        ),
    ]);
    let waiting = round(&table, Mgc2017, wagers.clone(), play(0, "6-6"));
    assert_eq!(table.violations(&waiting), ["craps.odds_without_point"]);
    let with_point = round(&table, Mgc2017, wagers, play(6, "6-6"));
    assert!(table.violations(&with_point).is_empty());
}

#[test]
fn fire_bets_are_taken_before_the_first_come_out_of_a_shooter() {
    let table = TestTable::<Craps>::open();
    let fire = |placed: i64| json!([bet("fire", 500, json!({"placed": placed}))]);
    let code: &[&str] = &["craps.fire_late"];
    let cases: [(i64, &str, &[&str]); 6] = [
        (0, "3-4 1-1", &[]),
        // After a come-out 7 the same shooter throws on.
        (1, "3-4 1-1", code),
        // With a point on; after it was made; after the loser 7.
        (1, "3-3 1-1", code),
        (2, "3-3 3-3 1-1", code),
        (2, "3-3 3-4 1-1", &[]),
        (3, "3-3 3-4 1-1", code),
    ];
    for (placed, words, expected) in cases {
        let document = round(&table, Mgc2017, fire(placed), play(0, words));
        assert_eq!(table.violations(&document), expected, "{document}");
    }
    for (mark, expected) in [(json!({"new_shooter": true}), &[][..]), (json!({}), code)] {
        let mut rolls = rolls("1-1 1-1 1-1");
        merge(&mut rolls[1], mark);
        let document = round(&table, Mgc2017, fire(1), json!({"rolls": rolls}));
        assert_eq!(table.violations(&document), expected, "{document}");
    }
    // A no roll passes the dice all the same, and is no come-out roll.
    let rolls =
        json!([{"dice": [1, 1]}, {"no_roll": "short", "new_shooter": true}, {"dice": [1, 1]}]);
    let document = round(&table, Mgc2017, fire(2), json!({"rolls": rolls}));
    assert!(table.violations(&document).is_empty());
    let stale = json!({"start": {"fresh_shooter": false}, "rolls": []});
    let document = round(&table, Mgc2017, fire(0), stale);
    assert_eq!(table.violations(&document), code);
}

#[test]
fn stakes_out_of_order_are_flagged_and_settled() {
    let table = TestTable::<Craps>::open();
    let bad_units: &[&str] = &["wager.bad_units"];
    let unpayable: &[&str] = &["wager.unpayable_amount"];
    let cases: [(Edition, &str, i64, Value, &[&str]); 22] = [
        (Mgc2017, "horn", 400, json!({}), &[]),
        (Mgc2017, "horn", 500, json!({}), bad_units),
        (Mgc2017, "horn_high", 500, json!({"number": 2}), &[]),
        (Mgc2017, "horn_high", 400, json!({"number": 2}), bad_units),
        (Mgc2017, "whirl", 250, json!({}), bad_units),
        (Mgc2017, "c_and_e", 300, json!({}), bad_units),
        (OhJack2017, "c_and_e", 300, json!({}), &[]),
        (OhJack2017, "world", 300, json!({}), bad_units),
        (OhJack2017, "horn", 300, json!({}), bad_units),
        (Mgc2017, "come", 1050, json!({}), unpayable),
        (OhJack2017, "come", 1050, json!({}), &[]),
        (Mgc2017, "place", 1000, json!({"number": 6}), unpayable),
        (Mgc2017, "place", 1200, json!({"number": 6}), &[]),
        (OhJack2017, "place", 1000, json!({"number": 6}), &[]),
        (Mgc2017, "place_lose", 1000, json!({"number": 4}), unpayable),
        (Mgc2017, "field", 50, json!({}), unpayable),
        (Mgc2017, "six_seven_eight", 50, json!({}), unpayable),
        // Ten cents pay three dollars at 30:1, but a dollar and a half at 15:1.
        (Mgc2017, "hop", 10, json!({"dice": [2, 2]}), &[]),
        (Mgc2017, "hop", 10, json!({"dice": [2, 3]}), unpayable),
        (Mgc2017, "buy", 1050, json!({"number": 6}), &[]),
        (Mgc2017, "lay", 1050, json!({"number": 6}), &[]),
        (Mgc2017, "hard", 50, json!({"number": 4}), unpayable),
    ];
    for (edition, kind, amount, keys, expected) in cases {
        let document = round(
            &table,
            edition,
            json!([bet(kind, amount, keys)]),
            play(9, "1-1"),
        );
        assert_eq!(table.violations(&document), expected, "{document}");
    }
    for (amount, expected) in [
        (100, &[][..]),
        (500, &[]),
        (150, &["craps.fire_amount"]),
        (600, &["craps.fire_amount"]),
    ] {
        let document = round(
            &table,
            OhJack2017,
            json!([bet("fire", amount, json!({}))]),
            play(0, "1-1"),
        );
        assert_eq!(table.violations(&document), expected, "{document}");
    }
}

#[test]
fn carried_and_void_wagers_are_not_judged_by_their_stake() {
    let table = TestTable::<Craps>::open();
    let options = json!({"limits": {"default": {"min": 1000, "max": 5000}}});
    for (keys, expected) in [
        (json!({"placed": -1}), &[][..]),
        (json!({"late": true}), &["wager.late"]),
        (json!({}), &["wager.under_min", "wager.unpayable_amount"]),
    ] {
        let mut wager = bet("place", 50, json!({"number": 6}));
        merge(&mut wager, keys);
        let document = table.document(Mgc2017, options.clone(), json!([wager]), play(9, "1-1"));
        assert_eq!(table.violations(&document), expected, "{document}");
    }
    // Limits are not for odds.
    let wagers = json!([
        bet("pass", 500, json!({"placed": -1})),
        bet("pass_odds", 500, json!({"id": "w2", "on": "w1"})),
    ]);
    let document = table.document(Mgc2017, options, wagers, play(6, "1-1"));
    assert!(table.violations(&document).is_empty());
}
