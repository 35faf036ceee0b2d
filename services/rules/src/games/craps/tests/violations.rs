//! Each finding that a document shows, with a lawful twin.

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
    let late = json!({"late": true, "in_air": true});
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
            fire(json!({"late": false})),
            "wager.late",
        ),
        (
            Mgc2017,
            json!({}),
            fire(json!({"late": false})),
            "wager.in_air_unconfirmed",
        ),
        (
            Mgc2017,
            json!({}),
            fire(json!({"late": false, "in_air": false})),
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

#[test]
fn contract_bets_stay_up() {
    let table = TestTable::<Craps>::open();
    let cut = |before: i64| json!({"number": 5, "changes": [{"before": before, "to": 0}]});
    let contract: &[&str] = &["craps.contract_bet_removed"];
    let cases: [(&str, u8, i64, &[&str]); 9] = [
        ("pass", 0, 0, &[]),
        ("pass", 0, 1, contract),
        // Put up on the point, and frozen at once.
        ("pass", 9, 0, contract),
        ("come", 9, 0, &[]),
        ("come", 9, 1, contract),
        ("put", 9, 0, &[]),
        ("put", 9, 1, &["craps.put_removed"]),
        ("fire", 0, 0, &["craps.fire_changed"]),
        ("dont_come", 9, 1, &[]),
    ];
    for (kind, point, before, expected) in cases {
        let wagers = json!([bet(kind, 500, cut(before))]);
        let document = round(&table, OhJack2017, wagers, play(point, "4-4 1-1"));
        assert_eq!(table.violations(&document), expected, "{document}");
        let taken_down = expected.is_empty();
        assert_eq!(
            results(&table, &document)[0] == Void,
            taken_down,
            "{document}"
        );
    }
    // A decided bet cannot be changed any more, and nobody is blamed for it.
    let document = round(
        &table,
        OhJack2017,
        json!([bet("pass", 500, cut(2))]),
        play(0, "4-4 4-4"),
    );
    assert!(table.violations(&document).is_empty());
}

#[test]
fn odds_are_limited_by_their_flat_bet() {
    let table = TestTable::<Craps>::open();
    let judge = |options: &Value, dont: bool, point: u8, flat: i64, odds: &[i64]| {
        let kind = if dont { "dont_pass" } else { "pass" };
        let mut wagers = vec![bet(kind, flat, json!({"placed": -1}))];
        for (index, &amount) in odds.iter().enumerate() {
            let keys = json!({"id": format!("odds{index}"), "on": "w1"});
            wagers.push(bet(&format!("{kind}_odds"), amount, keys));
        }
        let document = table.document(Mgc2017, options.clone(), json!(wagers), play(point, "1-1"));
        let violations = table.violations(&document);
        assert!(
            violations.is_empty() || violations == ["craps.odds_over_max"],
            "{document}"
        );
        violations.is_empty()
    };
    let single = json!({});
    for (dont, point, flat, odds, in_order) in [
        // 3:2 pays dollars on even dollars only: 600 on a flat bet of 500.
        (false, 5, 500, 500, true),
        (false, 5, 500, 600, true),
        (false, 5, 500, 550, false),
        (false, 5, 500, 700, false),
        (false, 4, 500, 600, false),
        // 6:5 on multiples of five dollars.
        (false, 6, 600, 1000, true),
        (false, 6, 600, 900, false),
        // Laid odds: winnings of 500 need 1000 on 4, 750 on 5, 600 on 6, or what pays in dollars.
        (true, 4, 500, 1000, true),
        (true, 4, 500, 1100, false),
        (true, 4, 500, 1200, false),
        (true, 5, 500, 750, true),
        (true, 5, 500, 900, true),
        (true, 5, 500, 800, false),
        (true, 6, 500, 600, true),
        (true, 6, 700, 1200, true),
        (true, 6, 700, 841, false),
    ] {
        assert_eq!(
            judge(&single, dont, point, flat, &[odds]),
            in_order,
            "{dont} {point} {odds}"
        );
    }
    assert!(judge(&single, false, 4, 1000, &[500, 500]));
    assert!(!judge(&single, false, 4, 1000, &[500, 600]));
    let by_point = json!({"odds_multiple": {"4": 3, "5": 4}});
    assert!(judge(&by_point, false, 4, 500, &[1500]));
    assert!(!judge(&by_point, false, 10, 500, &[1500]));
}

#[test]
fn odds_multiples_out_of_order_are_flagged_and_read_as_the_nearest_lawful_one() {
    let table = TestTable::<Craps>::open();
    let judge = |edition: Edition, multiple: Value, odds: i64| {
        let wagers = json!([
            bet("pass", 100, json!({"placed": -1})),
            bet("pass_odds", odds, json!({"id": "w2", "on": "w1"})),
        ]);
        let options = json!({"odds_multiple": multiple});
        table.violations(&table.document(edition, options, wagers, play(4, "1-1")))
    };
    let config = "config.odds_multiple";
    assert!(judge(Mgc2017, json!(100), 10_000).is_empty());
    assert_eq!(judge(Mgc2017, json!(101), 10_000), [config]);
    assert_eq!(
        judge(Mgc2017, json!(101), 10_100),
        [config, "craps.odds_over_max"]
    );
    assert!(judge(OhJack2017, json!(101), 10_100).is_empty());
    assert!(judge(OhJack2017, json!(i64::MAX), 10_100).is_empty());
    assert!(judge(OhJack2017, json!(u64::MAX), 10_100).is_empty());
    assert_eq!(judge(Mgc2017, json!(-3), 100), [config]);
    assert_eq!(judge(OhJack2017, json!({"4": 2, "9": 0}), 200), [config]);
}

#[test]
fn standing_odds_are_not_judged_again_but_after_a_cut_of_the_flat_bet() {
    let table = TestTable::<Craps>::open();
    let judge = |cut: Value, words: &str| {
        let wagers = json!([
            bet("dont_pass", 1000, json!({"placed": -1, "changes": cut})),
            bet(
                "dont_pass_odds",
                2100,
                json!({"id": "w2", "on": "w1", "placed": -1})
            ),
        ]);
        table.violations(&round(&table, Mgc2017, wagers, play(4, words)))
    };
    assert!(judge(json!([]), "1-1 1-1").is_empty());
    assert_eq!(
        judge(json!([{"before": 1, "to": 900}]), "1-1 1-1"),
        ["craps.odds_over_max"]
    );
    assert_eq!(
        judge(json!([{"before": 2, "to": 900}]), "1-1 1-1"),
        ["craps.odds_over_max"]
    );
    assert!(judge(json!([{"before": 2, "to": 0}]), "1-1 1-1").is_empty());
}

#[test]
fn the_shooter_needs_a_line_bet_on_a_come_out() {
    let table = TestTable::<Craps>::open();
    let code: &[&str] = &["craps.shooter_without_line_bet"];
    let judge = |wager: Value, point: u8, roll: Value| {
        let start = match point {
            0 => json!({}),
            point => json!({"point": point}),
        };
        let play = json!({"start": start, "rolls": [roll]});
        table.violations(&round(&table, Mgc2017, json!([wager]), play))
    };
    let roll = |keys: Value| {
        let mut roll = json!({"dice": [1, 1], "shooter": 1});
        merge(&mut roll, keys);
        roll
    };
    let field = bet("field", 500, json!({}));
    assert!(judge(bet("dont_pass", 500, json!({})), 0, roll(json!({}))).is_empty());
    assert!(judge(bet("pass", 500, json!({})), 0, roll(json!({}))).is_empty());
    assert_eq!(
        judge(bet("pass", 500, json!({"seat": 2})), 0, roll(json!({}))),
        code
    );
    assert_eq!(judge(field.clone(), 0, roll(json!({}))), code);
    assert_eq!(
        judge(field.clone(), 0, roll(json!({"no_roll": "short"}))),
        code
    );
    assert!(judge(field.clone(), 6, roll(json!({}))).is_empty());
    assert!(judge(field.clone(), 0, roll(json!({"decision_only": true}))).is_empty());
    assert!(judge(field, 0, json!({"dice": [1, 1]})).is_empty());
}

#[test]
fn tournaments_have_rules_of_their_own() {
    let table = TestTable::<Craps>::open();
    let code: &[&str] = &["craps.tournament_rule"];
    let carried = |kind: &str, keys: Value| {
        let mut wager = bet(kind, 500, json!({"placed": -1}));
        merge(&mut wager, keys);
        wager
    };
    let pass = || carried("pass", json!({"id": "pass"}));
    let place = |number: u8| bet("place", 600, json!({"id": "place", "number": number}));
    let buy = |number: u8| bet("buy", 500, json!({"id": "buy", "number": number}));
    let lay = |number: u8| bet("lay", 600, json!({"id": "lay", "number": number}));
    let come = |point: u8| carried("come", json!({"id": "come", "point": point}));
    let waiting = |kind: &str| bet(kind, 500, json!({"id": kind}));
    let cases: [(Value, &[&str]); 12] = [
        (json!([pass()]), &[]),
        (json!([place(6)]), code),
        (json!([pass(), carried("dont_pass", json!({}))]), code),
        (json!([pass(), waiting("come"), waiting("dont_come")]), code),
        (
            json!([
                pass(),
                waiting("come"),
                carried("dont_come", json!({"point": 4}))
            ]),
            &[],
        ),
        // The point is 9.
        (json!([pass(), lay(9)]), code),
        (json!([pass(), lay(8)]), &[]),
        (json!([pass(), come(8), lay(8)]), code),
        (json!([pass(), place(8), buy(8)]), &[]),
        (json!([pass(), place(9), buy(9)]), code),
        (json!([pass(), come(8), place(8), buy(8)]), code),
        (
            json!([pass(), bet("put", 500, json!({"number": 4})), lay(4)]),
            code,
        ),
    ];
    for (wagers, expected) in cases {
        for (tournament, expected) in [(true, expected), (false, &[][..])] {
            let options = json!({"tournament": tournament});
            let document = table.document(OhJack2017, options, wagers.clone(), play(9, "1-1"));
            assert_eq!(table.violations(&document), expected, "{document}");
        }
    }
    // Each seat is judged by itself, and only at a throw.
    let wagers = json!([pass(), carried("dont_pass", json!({"seat": 2}))]);
    let options = json!({"tournament": true});
    let document = table.document(OhJack2017, options.clone(), wagers, play(9, "1-1"));
    assert!(table.violations(&document).is_empty());
    let document = table.document(OhJack2017, options, json!([place(6)]), play(9, ""));
    assert!(table.violations(&document).is_empty());
}

#[test]
fn options_and_seats_are_judged_whatever_was_bet() {
    let table = TestTable::<Craps>::open();
    let judge = |edition: Edition, options: Value, wagers: Value| {
        table.violations(&table.document(edition, options, wagers, play(0, "")))
    };
    let below: &[&str] = &["config.odds_below_minimum"];
    let cases: [(Edition, Value, &[&str]); 9] = [
        (
            Mgc2017,
            json!({"pays": {"field_12": "3:1", "pass": "2:2"}}),
            &[],
        ),
        (Mgc2017, json!({"pays": {"field_12": "199:100"}}), below),
        (Mgc2017, json!({"pays": {"fire_4": "24:1"}}), &[]),
        (
            Mgc2017,
            json!({"pays": {"fire_4": "24:1"}, "fire_table": "B"}),
            below,
        ),
        (
            Mgc2017,
            json!({"pays": {"fire_6": "998:1"}, "variant": "mini_craps"}),
            below,
        ),
        (
            OhJack2017,
            json!({"pays": {"six_seven_eight_hard": "1:1"}}),
            below,
        ),
        (Mgc2017, json!({"buy_vig_bp": 500, "lay_vig_bp": 500}), &[]),
        (Mgc2017, json!({"buy_vig_bp": 501}), &["craps.vig_over_cap"]),
        (
            OhJack2017,
            json!({"lay_vig_bp": 501}),
            &["craps.vig_over_cap"],
        ),
    ];
    for (edition, options, expected) in cases {
        assert_eq!(
            judge(edition, options.clone(), json!([])),
            expected,
            "{edition} {options}"
        );
    }
    let seat: &[&str] = &["table.seat"];
    let mini = json!({"variant": "mini_craps"});
    let pass = |seat: u16| json!([bet("pass", 500, json!({"seat": seat}))]);
    let fire = |seat: u16| json!([bet("fire", 500, json!({"seat": seat, "placed": -1}))]);
    assert!(judge(Mgc2017, mini.clone(), pass(9)).is_empty());
    assert_eq!(judge(Mgc2017, mini, pass(10)), seat);
    assert!(judge(Mgc2017, json!({}), pass(17)).is_empty());
    for edition in [Mgc2017, OhJack2017] {
        assert!(judge(edition, json!({}), fire(16)).is_empty());
        assert_eq!(judge(edition, json!({}), fire(17)), seat);
    }
}
