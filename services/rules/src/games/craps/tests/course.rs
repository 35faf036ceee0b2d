//! The way of a bet through the rolls: what is off, what is frozen, what travels, what goes back.

use serde_json::{Value, json};

use crate::Edition::{Mgc2017, OhJack2017};
use crate::games::Craps;
use crate::games::shared::craps::testkit::{bet, bet_with, merge, play, results, rolls, round, w1};
use crate::settlement::Verdict::{Lose, Open, Push, Void, Win};
use crate::testkit::TestTable;

#[test]
fn a_barred_twelve_stands_off_in_one_text_and_is_handed_back_in_the_other() {
    let table = TestTable::<Craps>::open();
    for (edition, result) in [(Mgc2017, Push), (OhJack2017, Void)] {
        let come_out = json!([bet("dont_pass", 1000, json!({}))]);
        let document = round(&table, edition, come_out, play(0, "6-6"));
        assert_eq!(w1(&table, &document), (result, 0, 0, 1000));
        let come = json!([bet("dont_come", 1000, json!({}))]);
        let document = round(&table, edition, come, play(9, "6-6"));
        assert_eq!(w1(&table, &document), (result, 0, 0, 1000));
        // The 12 is barred on the first roll only, and a come-out 12 leaves a number alone.
        let carried = json!([bet("dont_come", 1000, json!({"placed": -1, "point": 5}))]);
        let document = round(&table, edition, carried, play(0, "6-6 3-4"));
        assert_eq!(w1(&table, &document), (Win, 1000, 0, 2000));
    }
}

#[test]
fn place_buy_and_hardway_bets_sleep_on_a_come_out_unless_called_on() {
    let table = TestTable::<Craps>::open();
    for kind in ["place", "buy", "hard"] {
        for (working, words, expected) in [
            (json!(false), "3-3", Open),
            (json!(false), "3-4", Open),
            (json!(true), "3-3", Win),
            (json!([0]), "3-4", Lose),
            (json!([1]), "3-3", Open),
            // A point comes on the first roll, and the bet works from the second on.
            (json!([]), "4-4 3-3", Win),
        ] {
            let wagers = json!([bet(kind, 1200, json!({"number": 6, "working": working}))]);
            let document = round(&table, Mgc2017, wagers, play(0, words));
            assert_eq!(results(&table, &document), [expected], "{document}");
        }
    }
    for kind in ["place_lose", "lay"] {
        let wagers = json!([bet(kind, 6600, json!({"number": 6}))]);
        let seven = round(&table, Mgc2017, wagers.clone(), play(0, "3-4"));
        let hit = round(&table, Mgc2017, wagers, play(0, "3-3"));
        assert_eq!(results(&table, &seven), [Win]);
        assert_eq!(results(&table, &hit), [Lose]);
    }
}

#[test]
fn come_odds_are_off_on_a_come_out_and_dont_come_odds_are_not() {
    let table = TestTable::<Craps>::open();
    let pair = |flat: &str, odds: &str, keys: Value| {
        let mut supplement = bet(odds, 1000, json!({"id": "w2", "on": "w1", "placed": -1}));
        merge(&mut supplement, keys);
        json!([
            bet_with(flat, 1000, json!({"placed": -1, "point": 4, "number": 4})),
            supplement
        ])
    };
    let cases = [
        ("come", "come_odds", json!({}), "2-2", [Win, Push]),
        ("come", "come_odds", json!({}), "3-4", [Lose, Push]),
        (
            "come",
            "come_odds",
            json!({"working": true}),
            "2-2",
            [Win, Win],
        ),
        (
            "come",
            "come_odds",
            json!({"working": [0]}),
            "3-4",
            [Lose, Lose],
        ),
        ("put", "put_odds", json!({}), "3-1", [Win, Push]),
        (
            "put",
            "put_odds",
            json!({"working": [0]}),
            "3-1",
            [Win, Win],
        ),
        ("dont_come", "dont_come_odds", json!({}), "3-4", [Win, Win]),
        (
            "dont_come",
            "dont_come_odds",
            json!({}),
            "2-2",
            [Lose, Lose],
        ),
    ];
    for (flat, odds, keys, words, expected) in cases {
        let off = json!({"come_odds_on_comeout": "off"});
        let document = table.document(OhJack2017, off, pair(flat, odds, keys), play(0, words));
        assert_eq!(results(&table, &document), expected, "{document}");
    }
    // The text of Ohio does not name them among what is off.
    for on in [json!({"come_odds_on_comeout": "on"}), json!({})] {
        let wagers = pair("come", "come_odds", json!({}));
        let document = table.document(OhJack2017, on, wagers, play(0, "3-4"));
        assert_eq!(results(&table, &document), [Lose, Lose]);
    }
    let wagers = pair("come", "come_odds", json!({}));
    let document = round(&table, Mgc2017, wagers, play(0, "3-4"));
    assert_eq!(results(&table, &document), [Lose, Push]);
}

#[test]
fn a_no_roll_changes_nothing() {
    let table = TestTable::<Craps>::open();
    let reasons = [
        "off_table",
        "stacked",
        "on_bank",
        "in_cup",
        "on_rail",
        "cocked_suspended",
        "two_sides_resting",
        "not_simultaneous",
        "short",
        "cheating",
        "improper",
        "dispute",
    ];
    for reason in reasons {
        let wagers = json!([
            bet("field", 500, json!({})),
            bet(
                "put",
                500,
                json!({"id": "w2", "number": 5, "changes": [{"before": 1, "to": 0}]})
            ),
        ]);
        let rolls = json!([{"no_roll": reason}, {"dice": [1, 2]}]);
        let play = json!({"start": {"point": 6}, "rolls": rolls});
        let document = round(&table, OhJack2017, wagers, play);
        assert_eq!(results(&table, &document), [Win, Void], "{document}");
        assert!(table.violations(&document).is_empty());
    }
}

#[test]
fn a_line_bet_ends_the_come_only_rolls() {
    let table = TestTable::<Craps>::open();
    let come = bet("come", 500, json!({"placed": -1, "point": 10}));
    let pass = bet("pass", 500, json!({"id": "w2", "placed": 1}));
    let place = bet("place", 500, json!({"id": "w3", "number": 5}));
    let mut rolls = rolls("2-2 3-2 3-2 6-4");
    for roll in &mut rolls[..2] {
        merge(roll, json!({"decision_only": true}));
    }
    // The first roll sets no point; on the second the pass bet does, and the place bet works then.
    let play = json!({"rolls": rolls});
    let document = round(&table, Mgc2017, json!([come, pass, place]), play);
    assert_eq!(results(&table, &document), [Win, Win, Win]);
}

#[test]
fn a_seven_on_a_come_only_roll_is_no_loser_seven() {
    let table = TestTable::<Craps>::open();
    let fire = bet("fire", 500, json!({"placed": -1, "made": [4, 5, 6, 8]}));
    let come = bet("come", 500, json!({"id": "w2", "placed": -1, "point": 10}));
    let mut rolls = rolls("3-4");
    merge(&mut rolls[0], json!({"decision_only": true}));
    let play = json!({"start": {"fresh_shooter": false}, "rolls": rolls});
    let document = round(&table, Mgc2017, json!([fire, come]), play);
    assert_eq!(results(&table, &document), [Open, Lose]);
}

#[test]
fn a_fire_bet_runs_on_with_the_next_shooter() {
    let table = TestTable::<Craps>::open();
    let fire = bet("fire", 500, json!({"placed": -1, "made": [4, 5, 6]}));
    let fresh = bet("fire", 500, json!({"id": "w2", "placed": 2}));
    // 8 is made by the first shooter, then the dice are passed on: four points for the pending bet,
    // none for the new one.
    let mut rolls = rolls("4-4 5-3 4-5 3-4");
    merge(&mut rolls[2], json!({"new_shooter": true}));
    let play = json!({"start": {"fresh_shooter": false}, "rolls": rolls});
    let document = round(&table, Mgc2017, json!([fire, fresh]), play);
    assert_eq!(w1(&table, &document), (Win, 12_000, 0, 12_500));
    assert_eq!(results(&table, &document), [Win, Lose]);
    assert!(table.violations(&document).is_empty());
}

#[test]
fn the_same_point_counts_once_for_the_fire_bet() {
    let table = TestTable::<Craps>::open();
    let fire = json!([bet("fire", 500, json!({"placed": -1, "made": [4, 5, 6]}))]);
    let document = round(&table, Mgc2017, fire, play(4, "2-2 3-1 2-2 5-5 4-3"));
    assert_eq!(results(&table, &document), [Lose]);
}

#[test]
fn odds_come_down_with_their_flat_bet() {
    let table = TestTable::<Craps>::open();
    let flat = bet(
        "dont_pass",
        1000,
        json!({"placed": -1, "changes": [{"before": 1, "to": 0}]}),
    );
    let odds = bet(
        "dont_pass_odds",
        1200,
        json!({"id": "w2", "on": "w1", "placed": -1,
        "changes": [{"before": 0, "to": 600}]}),
    );
    let document = round(&table, Mgc2017, json!([flat, odds]), play(6, "1-1 3-4"));
    let settlement = table.settle(&document);
    let returned: Vec<i64> = settlement
        .wagers()
        .iter()
        .map(|w| w.returned.get())
        .collect();
    assert_eq!(results(&table, &document), [Void, Void]);
    assert_eq!(returned, [1000, 1200]);
}

#[test]
fn what_a_reduction_hands_back_is_in_what_returns() {
    let table = TestTable::<Craps>::open();
    let cut = json!([{"before": 0, "to": 600}, {"before": 1, "to": 300}]);
    let place = |words: &str| {
        let wagers = json!([bet("place", 1200, json!({"number": 6, "changes": cut}))]);
        round(&table, Mgc2017, wagers, play(9, words))
    };
    assert_eq!(w1(&table, &place("1-1 3-3")), (Win, 350, 0, 1550));
    assert_eq!(w1(&table, &place("1-1 3-4")), (Lose, 0, 0, 900));
    assert_eq!(w1(&table, &place("1-1 1-2")), (Open, 0, 0, 900));
    assert_eq!(w1(&table, &place("3-3 1-2")), (Win, 700, 0, 1900));
}

#[test]
fn vigorish_is_rounded_to_its_unit_and_never_passes_the_cap() {
    let table = TestTable::<Craps>::open();
    let cases = [
        // 5% of 4390 is 219.5: down 219 cents, and no rounding may pass it.
        (json!({}), 4390, 219),
        (json!({"vig_rounding": "nearest"}), 4390, 219),
        (json!({"vig_rounding": "up"}), 4390, 219),
        (json!({"vig_unit": 25}), 4390, 200),
        // 3% of 4390 is 131.7: room to round up to 150 below the cap of 219.
        (json!({"buy_vig_bp": 300, "vig_unit": 25}), 4390, 125),
        (
            json!({"buy_vig_bp": 300, "vig_unit": 25, "vig_rounding": "nearest"}),
            4390,
            125,
        ),
        (
            json!({"buy_vig_bp": 300, "vig_unit": 25, "vig_rounding": "up"}),
            4390,
            150,
        ),
        (
            json!({"buy_vig_bp": 300, "vig_unit": 25, "vig_rounding": "nearest"}),
            4600,
            150,
        ),
        (json!({"vig_unit": 100}), 1900, 0),
        (json!({"buy_vig_bp": 0}), 1900, 0),
        (json!({"buy_vig_bp": 700, "vig_rounding": "up"}), 2000, 100),
    ];
    for (options, amount, vigorish) in cases {
        let wagers = json!([bet("buy", amount, json!({"number": 4}))]);
        let document = table.document(Mgc2017, options, wagers, play(9, "3-4"));
        assert_eq!(w1(&table, &document), (Lose, 0, vigorish, 0), "{document}");
    }
}

#[test]
fn prepaid_vigorish_goes_back_with_the_stake_only_where_posted() {
    let table = TestTable::<Craps>::open();
    let round = |refund: bool, to: i64, words: &str| {
        let keys = json!({"number": 4, "changes": [{"before": 1, "to": to}]});
        let options = json!({"refund_vig_on_removal": refund});
        table.document(
            Mgc2017,
            options,
            json!([bet("buy", 2000, keys)]),
            play(9, words),
        )
    };
    assert_eq!(
        w1(&table, &round(false, 0, "1-1 2-2")),
        (Void, 0, 100, 2000)
    );
    assert_eq!(w1(&table, &round(true, 0, "1-1 2-2")), (Void, 0, 0, 2000));
    assert_eq!(
        w1(&table, &round(false, 1000, "1-1 2-2")),
        (Win, 2000, 100, 4000)
    );
    assert_eq!(
        w1(&table, &round(true, 1000, "1-1 2-2")),
        (Win, 2000, 50, 4000)
    );
    assert_eq!(
        w1(&table, &round(true, 1000, "1-1 1-1")),
        (Open, 0, 50, 1000)
    );
}

#[test]
fn lay_vigorish_is_of_the_stake_or_of_the_payoff() {
    let table = TestTable::<Craps>::open();
    let wagers = json!([bet("lay", 1001, json!({"number": 5}))]);
    // 2:3 of 1001 is 667.33, paid as 668; 5% of the exact payoff is 33.37.
    for (edition, vigorish) in [(Mgc2017, 50), (OhJack2017, 33)] {
        let document = round(&table, edition, wagers.clone(), play(9, "3-4"));
        assert_eq!(w1(&table, &document), (Win, 668, vigorish, 1669));
        let options = json!({"lay_vig_on_win": [5]});
        let document = table.document(edition, options, wagers.clone(), play(9, "3-4"));
        assert_eq!(w1(&table, &document), (Win, 668, vigorish, 1669 - vigorish));
    }
}

#[test]
fn a_fraction_of_a_cent_goes_up() {
    let table = TestTable::<Craps>::open();
    let cases = [
        ("place", 8, "4-4", 1, 2, 3),
        ("buy", 8, "4-4", 1, 2, 3),
        ("lay", 8, "3-4", 1, 1, 2),
    ];
    for (kind, number, words, stake, win, returned) in cases {
        let wagers = json!([bet(kind, stake, json!({"number": number}))]);
        let document = round(&table, Mgc2017, wagers, play(9, words));
        assert_eq!(w1(&table, &document), (Win, win, 0, returned), "{document}");
    }
    // Of a composite bet only the sum goes up: a quarter of 3 cents at 15:1 brings 12 cents back.
    let document = round(
        &table,
        Mgc2017,
        json!([bet("horn", 3, json!({}))]),
        play(9, "5-6"),
    );
    assert_eq!(w1(&table, &document), (Win, 9, 0, 12));
    let document = round(
        &table,
        Mgc2017,
        json!([bet("whirl", 3, json!({}))]),
        play(9, "5-6"),
    );
    assert_eq!(w1(&table, &document), (Win, 7, 0, 10));
}
