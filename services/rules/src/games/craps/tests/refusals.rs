//! What describes nothing is refused by its place.

use serde_json::{Value, json};

use crate::Edition::{Mgc2017, OhJack2017};
use crate::games::Craps;
use crate::games::shared::craps::testkit::{bet, merge, play, round};
use crate::testkit::TestTable;

fn assert_refused(table: &TestTable<Craps>, document: &Value, expected: &str) {
    let refusal = table.refusal(document);
    assert!(
        refusal.starts_with(expected),
        "expected {expected}\ngot      {refusal}\n{document}"
    );
}

#[test]
fn wagers_that_describe_nothing() {
    let table = TestTable::<Craps>::open();
    let cases = [
        (
            bet("pas", 500, json!({})),
            "wagers[0].kind: \"pas\" is not a wager of craps; did you mean \"pass\"?",
        ),
        (bet("pass", 500, json!({"placd": 1})), "wagers[0].placd: "),
        (bet("pass", 0, json!({})), "wagers[0].amount: "),
        (bet("pass", 500, json!({"seat": 0})), "wagers[0].seat: "),
        (
            bet("pass", 500, json!({"placed": -2})),
            "wagers[0].placed: -2 is not",
        ),
        (
            bet("pass", 500, json!({"placed": 3})),
            "wagers[0].placed: 3 is not",
        ),
        (
            bet("place", 500, json!({})),
            "wagers[0].number: this kind needs its number",
        ),
        (
            bet("place", 500, json!({"number": 13})),
            "wagers[0].number: 13 is not a total",
        ),
        (
            bet("put", 500, json!({"number": 1})),
            "wagers[0].number: 1 is not a total",
        ),
        (
            bet("hop", 500, json!({})),
            "wagers[0].dice: a hop needs two faces",
        ),
        (
            bet("hop", 500, json!({"dice": [1, 7]})),
            "wagers[0].dice: a hop needs two faces",
        ),
        (
            bet("hop", 500, json!({"dice": [1, 2, 3]})),
            "wagers[0].dice: a hop needs two faces",
        ),
        (
            bet("come", 500, json!({"placed": -1})),
            "wagers[0].point: a carried come bet",
        ),
        (
            bet("dont_come", 500, json!({"placed": -1})),
            "wagers[0].point: a carried come bet",
        ),
        (
            bet("come", 500, json!({"placed": -1, "point": 7})),
            "wagers[0].point: 7 is no point",
        ),
        (
            bet("fire", 500, json!({"placed": -1, "made": [4, 11]})),
            "wagers[0].made: 11 is no point",
        ),
        (
            bet(
                "field",
                500,
                json!({"in_air": true, "confirmed_by": ["dealer", "pit"]}),
            ),
            "wagers[0].confirmed_by[1]: ",
        ),
        (
            bet("place", 500, json!({"number": 6, "working": "on"})),
            "wagers[0].working: ",
        ),
        (
            bet("place", 500, json!({"number": 6, "working": [0, "1"]})),
            "wagers[0].working[1]: ",
        ),
    ];
    for (wager, expected) in cases {
        let document = round(&table, Mgc2017, json!([wager]), play(0, "1-1 1-1"));
        assert_refused(&table, &document, expected);
    }
}

#[test]
fn changes_that_describe_nothing() {
    let table = TestTable::<Craps>::open();
    let cases = [
        (
            json!([{"before": 3, "to": 0}]),
            "wagers[0].changes[0].before: 3 is not from 1 to 2",
        ),
        (
            json!([{"before": 0, "to": 0}]),
            "wagers[0].changes[0].before: 0 is not from 1 to 2",
        ),
        (
            json!([{"before": 2, "to": 100}, {"before": 1, "to": 50}]),
            "wagers[0].changes[1].before: ",
        ),
        (
            json!([{"before": 1, "to": 500}]),
            "wagers[0].changes[0].to: a change lowers",
        ),
        (
            json!([{"before": 1, "to": 100}, {"before": 2, "to": 100}]),
            "wagers[0].changes[1].to: ",
        ),
        (
            json!([{"before": 1, "to": -1}]),
            "wagers[0].changes[0].to: -1 cents",
        ),
        (
            json!([{"before": 1, "to": 1, "by": 2}]),
            "wagers[0].changes[0].by: ",
        ),
    ];
    for (changes, expected) in cases {
        let wager = bet("field", 500, json!({"placed": 1, "changes": changes}));
        let document = round(&table, Mgc2017, json!([wager]), play(0, "1-1 1-1"));
        assert_refused(&table, &document, expected);
    }
}

#[test]
fn rolls_that_describe_nothing() {
    let table = TestTable::<Craps>::open();
    let cases = [
        (
            json!({"rolls": [{}]}),
            "play.rolls[0]: a valid roll needs its dice",
        ),
        (
            json!({"rolls": [{"no_roll": "hit_chips"}]}),
            "play.rolls[0]: a valid roll needs",
        ),
        (
            json!({"rolls": [{"dice": [1, 7]}]}),
            "play.rolls[0].dice[1]: 7 is not a face",
        ),
        (json!({"rolls": [{"dice": [1]}]}), "play.rolls[0].dice"),
        (
            json!({"rolls": [{"dice": [1, 2, 3]}]}),
            "play.rolls[0].dice",
        ),
        (
            json!({"rolls": [{"no_roll": "bored"}]}),
            "play.rolls[0].no_roll: \"bored\" is not a known word",
        ),
        (
            json!({"rolls": [{"dice": [1, 1], "shootr": 1}]}),
            "play.rolls[0].shootr: ",
        ),
        (
            json!({"start": {"point": 7}, "rolls": []}),
            "play.start.point: 7 is no point",
        ),
        (
            json!({"start": {"puck": 7}, "rolls": []}),
            "play.start.puck: ",
        ),
        (json!({"rolls": [], "spins": []}), "play.spins: "),
        (
            json!({"start": {"point": 6}, "rolls": [{"dice": [1, 1], "decision_only": true}]}),
            "play.rolls[0].decision_only: a come-only roll",
        ),
    ];
    for (play, expected) in cases {
        assert_refused(&table, &round(&table, Mgc2017, json!([]), play), expected);
    }
    // With a line bet up the roll is not come-only; a no roll decides nothing.
    let pass = json!([bet("pass", 500, json!({"placed": -1}))]);
    let point_on = |roll: Value| json!({"start": {"point": 6}, "rolls": [roll]});
    let roll = json!({"dice": [1, 1], "decision_only": true});
    table.settle(&round(&table, Mgc2017, pass, point_on(roll.clone())));
    let mut no_roll = roll;
    merge(&mut no_roll, json!({"no_roll": "short"}));
    table.settle(&round(&table, Mgc2017, json!([]), point_on(no_roll)));
}

#[test]
fn options_that_cannot_be_read() {
    let table = TestTable::<Craps>::open();
    let massachusetts = [
        (json!({"variant": "maxi"}), "options.variant: "),
        (json!({"tournament": true}), "options.tournament: "),
        (
            json!({"come_odds_on_comeout": "on"}),
            "options.come_odds_on_comeout: ",
        ),
        (json!({"fire_table": "C"}), "options.fire_table: "),
        (json!({"not_offered": ["bye"]}), "options.not_offered[0]: "),
        (json!({"pays": {"feild_2": "3:1"}}), "options.pays"),
        (
            json!({"pays": {"place_7": "3:1"}}),
            "options.pays.place_7: this text has no such row",
        ),
        (json!({"pays": {"place_04": "3:1"}}), "options.pays"),
        (json!({"pays": {"fire_7": "3:1"}}), "options.pays.fire_7: "),
        (
            json!({"pays": {"field_2": "3"}}),
            "options.pays.field_2: \"3\" are not odds",
        ),
        (
            json!({"pays": {"field_2": "0:1"}}),
            "options.pays.field_2: ",
        ),
        (json!({"buy_vig_bp": -1}), "options.buy_vig_bp: "),
        (json!({"lay_vig_bp": "5%"}), "options.lay_vig_bp: "),
        (
            json!({"buy_vig_on_win": [7]}),
            "options.buy_vig_on_win: 7 is no point",
        ),
        (
            json!({"lay_vig_on_win": [1]}),
            "options.lay_vig_on_win[0]: ",
        ),
        (json!({"vig_unit": 0}), "options.vig_unit: "),
        (json!({"vig_rounding": "away"}), "options.vig_rounding: "),
        (json!({"chip_unit": 0}), "options.chip_unit: "),
        (json!({"odds_multiple": 1.5}), "options.odds_multiple: "),
        (
            json!({"odds_multiple": {"4": "3"}}),
            "options.odds_multiple.4: ",
        ),
        (
            json!({"odds_multiple": {"7": 3}}),
            "options.odds_multiple: 7 is no point",
        ),
        (
            json!({"odds_multiple": {"four": 3}}),
            "options.odds_multiple",
        ),
        (json!({"limits": {"pas": {"min": 1}}}), "options.limits"),
        (
            json!({"limits": {"pass": {"min": 2, "max": 1}}}),
            "options.limits: pass: min is above max",
        ),
        (
            json!({"limits": {"pass": {"min": -1}}}),
            "options.limits.pass.min: ",
        ),
        (
            json!({"composite_areas": ["horn"]}),
            "options.composite_areas: ",
        ),
        (
            json!({"no_roll_callers": ["player"]}),
            "options.no_roll_callers: ",
        ),
    ];
    let ohio = [
        (json!({"variant": "mini_craps"}), "options.variant: "),
        (json!({"fire_table": "B"}), "options.fire_table: "),
        (
            json!({"pays": {"place_lose_4": "1:2"}}),
            "options.pays.place_lose_4: ",
        ),
    ];
    let cases = massachusetts.into_iter().map(|case| (Mgc2017, case));
    for (edition, (options, expected)) in
        cases.chain(ohio.into_iter().map(|case| (OhJack2017, case)))
    {
        let document = table.document(edition, options, json!([]), play(0, ""));
        assert_refused(&table, &document, expected);
    }
}

#[test]
fn keys_that_would_be_ignored() {
    let table = TestTable::<Craps>::open();
    let carried = json!({"placed": -1, "point": 4});
    let come = |keys: Value| {
        let mut wager = bet("dont_come", 500, carried.clone());
        merge(&mut wager, keys);
        wager
    };
    let place = |keys: Value| {
        let mut wager = bet("place", 600, json!({"number": 6, "placed": 1}));
        merge(&mut wager, keys);
        wager
    };
    let cases = [
        (bet("field", 500, json!({"number": 4})), "number"),
        (bet("field", 500, json!({"dice": [2, 2]})), "dice"),
        (
            bet("place", 600, json!({"number": 6, "dice": [2, 2]})),
            "dice",
        ),
        (bet("field", 500, json!({"on": "w2"})), "on"),
        (bet("come", 500, json!({"point": 4})), "point"),
        (bet("pass", 500, json!({"placed": -1, "point": 4})), "point"),
        (bet("fire", 500, json!({"made": [4]})), "made"),
        (bet("dont_come", 500, json!({"original": 500})), "original"),
        (
            bet("dont_pass", 500, json!({"placed": -1, "original": 500})),
            "original",
        ),
        (come(json!({"original": 499})), "original"),
        (bet("field", 500, json!({"working": true})), "working"),
        (
            bet("lay", 600, json!({"number": 6, "working": [0]})),
            "working",
        ),
        (place(json!({"working": [2, 3]})), "working[1]"),
        (place(json!({"working": [0]})), "working[0]"),
        (place(json!({"confirmed_by": ["dealer"]})), "confirmed_by"),
        (place(json!({"in_air": true, "late": true})), "late"),
        (come(json!({"late": true})), "late"),
        (come(json!({"in_air": true})), "in_air"),
        (place(json!({"form": "colour_chips"})), "form"),
    ];
    for (wager, key) in cases {
        let document = round(&table, Mgc2017, json!([wager]), play(0, "1-1 1-1"));
        assert_refused(&table, &document, &format!("wagers[0].{key}: "));
    }
    let nothing = json!({"dice": [], "working": false, "made": [], "in_air": false, "late": false,
                         "confirmed_by": [], "number": null, "changes": []});
    for lawful in [
        bet("field", 500, nothing),
        bet("field", 500, json!({"working": []})),
        come(json!({"original": 500})),
        place(json!({"working": [1, 2]})),
    ] {
        table.settle(&round(&table, Mgc2017, json!([lawful]), play(0, "1-1 1-1")));
    }
    let dont_pass = bet("dont_pass", 500, json!({"placed": -1, "original": 800}));
    table.settle(&round(&table, Mgc2017, json!([dont_pass]), play(4, "1-1")));
}
