//! Sic bo: every cell, every refusal and violation, and the exact house edges.

use serde_json::{Value, json};

use super::SicBo;
use crate::Edition::Mgc2017;
use crate::settlement::Verdict;
use crate::testkit::TestTable;

fn bet(kind: &str, keys: &Value) -> Value {
    let mut wager = json!({"id": "w1", "seat": 1, "kind": kind, "amount": 1000});
    for (key, value) in keys.as_object().unwrap() {
        wager[key] = value.clone();
    }
    wager
}

fn round(table: &TestTable<SicBo>, options: Value, wager: Value, tosses: Value) -> Value {
    table.document(Mgc2017, options, json!([wager]), json!({"tosses": tosses}))
}

#[test]
fn every_cell_of_the_odds_pays_what_is_filed() {
    let table = TestTable::<SicBo>::open();
    table.assert_cells(include_str!("cells.txt"), |cell| {
        let number = json!({"number": 5});
        let (kind, keys, dice) = match cell.row {
            "three_of_a_kind" => (cell.row, number, [5, 5, 5]),
            "two_of_a_kind" => (cell.row, number, [5, 2, 5]),
            "any_three_of_a_kind" => (cell.row, json!({}), [3, 3, 3]),
            "combination" => (cell.row, json!({"numbers": [5, 2]}), [2, 4, 5]),
            "small" => (cell.row, json!({}), [1, 1, 2]),
            "big" => (cell.row, json!({}), [6, 6, 5]),
            "one_of_a_kind_1" => ("one_of_a_kind", number, [5, 2, 4]),
            "one_of_a_kind_2" => ("one_of_a_kind", number, [5, 2, 5]),
            "one_of_a_kind_3" => ("one_of_a_kind", number, [5, 5, 5]),
            total => {
                let total: u8 = total.strip_prefix("total_").unwrap().parse().unwrap();
                let first = (total - 2).min(6);
                let second = (total - first - 1).min(6);
                let dice = [first, second, total - first - second];
                ("total", json!({"number": total}), dice)
            }
        };
        round(&table, json!({}), bet(kind, &keys), json!([{"dice": dice}]))
    });
}

/// What the house keeps of a stake of 1000 over all 216 tosses, in stakes.
fn kept(table: &TestTable<SicBo>, kind: &str, keys: Value) -> i64 {
    let faces = || 1..=6u8;
    let tosses = faces().flat_map(|a| faces().flat_map(move |b| faces().map(move |c| [a, b, c])));
    let kept = tosses.map(|dice| {
        let document = round(table, json!({}), bet(kind, &keys), json!([{"dice": dice}]));
        1000 - table.wager(&document, "w1").returned.get()
    });
    let kept: i64 = kept.sum();
    assert_eq!(kept % 1000, 0);
    kept / 1000
}

#[test]
fn the_house_edge_of_every_wager_is_the_published_one() {
    let table = TestTable::<SicBo>::open();
    // Of 216 stakes: 6 are 2.78%, 17 7.87%, 36 16.67%, 65 30.09%, 66 30.56%, 72 33.33%.
    for (kind, edge) in [("small", 6), ("big", 6), ("any_three_of_a_kind", 66)] {
        assert_eq!(kept(&table, kind, json!({})), edge, "{kind}");
    }
    for number in 1..=6 {
        for (kind, edge) in [
            ("three_of_a_kind", 65),
            ("two_of_a_kind", 72),
            ("one_of_a_kind", 17),
        ] {
            assert_eq!(
                kept(&table, kind, json!({"number": number})),
                edge,
                "{kind} {number}"
            );
        }
        for other in number + 1..=6 {
            let numbers = json!({"numbers": [other, number]});
            assert_eq!(kept(&table, "combination", numbers), 36, "{number} {other}");
        }
    }
    // 29.17%, 47.22%, 30.56%, 9.72%, 12.50%, 18.98%, 12.50%.
    for (low, edge) in (4..=10).zip([63, 102, 66, 21, 27, 41, 27]) {
        for total in [low, 21 - low] {
            assert_eq!(
                kept(&table, "total", json!({"number": total})),
                edge,
                "total {total}"
            );
        }
    }
}

#[test]
fn a_void_wager_raises_only_the_first_code_that_applies() {
    let table = TestTable::<SicBo>::open();
    let all = json!({"late": true, "verbal": true, "form": "cash"});
    let with = |key: &str, selection: Value| {
        let mut all = all.clone();
        all[key] = selection;
        all
    };
    let coupon = "wager.match_play_not_allowed";
    let cases = [
        (
            bet("total", &with("number", json!(3))),
            "wager.not_permissible",
        ),
        (
            bet("combination", &with("numbers", json!([2, 2]))),
            "wager.not_permissible",
        ),
        (bet("small", &all), "wager.not_offered"),
        (bet("big", &all), "wager.late"),
        (bet("big", &json!({"verbal": true})), "wager.verbal_cash"),
        (bet("big", &json!({"form": "cash"})), "wager.verbal_cash"),
        (
            bet("big", &json!({"form": "coupon", "late": true})),
            "wager.late",
        ),
        (bet("big", &json!({"form": "coupon"})), coupon),
    ];
    for (wager, code) in cases {
        let options = json!({"not_offered": ["small", "total", "combination"],
                             "limits": {"default": {"min": 5000}}});
        // Void whatever the dice show, and without any dice.
        for tosses in [json!([{"dice": [6, 5, 4]}]), json!([])] {
            let document = round(&table, options.clone(), wager.clone(), tosses);
            assert_eq!(table.violations(&document), [code], "{document}");
            assert_eq!(table.wager(&document, "w1").result, Verdict::Void);
        }
    }
    for lawful in [
        bet(
            "total",
            &json!({"number": 17, "numbers": [], "verbal": false}),
        ),
        bet("big", &json!({"form": "value_chips"})),
        bet("big", &json!({"form": "plaque"})),
    ] {
        let document = round(&table, json!({}), lawful, json!([]));
        assert!(table.violations(&document).is_empty(), "{document}");
    }
}

#[test]
fn bets_wait_for_a_toss_that_counts_and_go_back_if_the_shaker_fails() {
    let table = TestTable::<SicBo>::open();
    let small = bet("small", &json!({}));
    let limits = json!({"limits": {"small": {"max": 500}}});
    let cases = [
        (json!([]), Verdict::Open),
        (json!([{"no_roll": "not_flat"}]), Verdict::Open),
        (
            json!([{"no_roll": "not_flat", "dice": [6, 6, 5]}, {"dice": [1, 1, 2]}]),
            Verdict::Win,
        ),
        (
            json!([{"shaker_failure": false, "dice": [1, 1, 2]}]),
            Verdict::Win,
        ),
    ];
    for (tosses, expected) in cases {
        let document = round(&table, limits.clone(), small.clone(), tosses);
        assert_eq!(table.wager(&document, "w1").result, expected, "{document}");
        assert_eq!(
            table.violations(&document),
            ["wager.over_max"],
            "{document}"
        );
    }
    let tosses = json!([{"no_roll": "not_flat"}, {"shaker_failure": true}]);
    let play = json!({"shaker": "automated", "tosses": tosses});
    let document = table.document(Mgc2017, limits, json!([small]), play);
    assert_eq!(table.wager(&document, "w1").result, Verdict::Void);
    assert_eq!(table.violations(&document), ["wager.over_max"]);
}

#[test]
fn each_fault_of_a_toss_is_flagged_and_its_lawful_twin_is_not() {
    let table = TestTable::<SicBo>::open();
    let few: &[&str] = &["sicbo.too_few_shakes"];
    let mismatch: &[&str] = &["sicbo.entry_mismatch"];
    let unfounded: &[&str] = &["sicbo.no_roll_unfounded"];
    let dice = [1, 2, 2];
    let cases: [(&str, Value, &[&str]); 10] = [
        ("manual", json!([{"dice": dice, "shakes": 3}]), &[]),
        ("manual", json!([{"dice": dice, "shakes": 2}]), few),
        ("automated", json!([{"dice": dice, "shakes": 0}]), &[]),
        ("manual", json!([{"no_roll": "not_flat", "shakes": 2}]), few),
        (
            "automated",
            json!([{"shaker_failure": true, "shakes": 0}]),
            &[],
        ),
        ("manual", json!([{"dice": dice, "entered": [2, 1, 2]}]), &[]),
        (
            "manual",
            json!([{"dice": dice, "entered": [1, 1, 2]}]),
            mismatch,
        ),
        (
            "manual",
            json!([{"no_roll": "not_flat", "dice": dice, "entered": [1, 1, 1]}]),
            &[],
        ),
        ("manual", json!([{"no_roll": "not_flat"}]), &[]),
        ("manual", json!([{"no_roll": "noise"}]), unfounded),
    ];
    for (shaker, tosses, expected) in cases {
        let play = json!({"shaker": shaker, "tosses": tosses, "device_malfunction": true});
        let document = table.document(Mgc2017, json!({}), json!([]), play);
        assert_eq!(table.violations(&document), expected, "{document}");
    }
}

#[test]
fn posted_odds_are_due_but_never_less_than_the_minimum() {
    let table = TestTable::<SicBo>::open();
    let cases = [
        ("1:1", 2000, &[][..]),
        ("7:3", 3334, &[]),
        ("1:10", 2000, &["config.odds_below_minimum"]),
    ];
    for (posted, returned, expected) in cases {
        let options = json!({"pays": {"one_of_a_kind_1": posted}});
        let wager = bet("one_of_a_kind", &json!({"number": 4}));
        let document = round(&table, options, wager, json!([{"dice": [4, 5, 6]}]));
        assert_eq!(table.wager(&document, "w1").returned.get(), returned);
        assert_eq!(table.violations(&document), expected);
    }
}

#[test]
fn what_describes_nothing_is_refused_by_its_place() {
    let table = TestTable::<SicBo>::open();
    let wager = |kind: &str, keys: Value| round(&table, json!({}), bet(kind, &keys), json!([]));
    let options = |options: Value| round(&table, options, bet("big", &json!({})), json!([]));
    let tosses = |tosses: Value| round(&table, json!({}), bet("big", &json!({})), tosses);
    let automated = |tosses: Value| {
        let play = json!({"shaker": "automated", "tosses": tosses});
        table.document(Mgc2017, json!({}), json!([]), play)
    };
    let cases = [
        (
            wager("bigg", json!({})),
            "wagers[0].kind: \"bigg\" is not a wager of sic_bo; did you mean \"big\"?",
        ),
        (wager("big", json!({"laet": true})), "wagers[0].laet: "),
        (
            wager("three_of_a_kind", json!({})),
            "wagers[0].number: this kind needs a face",
        ),
        (
            wager("two_of_a_kind", json!({"number": 7})),
            "wagers[0].number: this kind needs a face",
        ),
        (
            wager("one_of_a_kind", json!({"number": 0})),
            "wagers[0].number: this kind needs a face",
        ),
        (
            wager("total", json!({"number": 2})),
            "wagers[0].number: this kind needs a total",
        ),
        (
            wager("total", json!({"number": 19})),
            "wagers[0].number: this kind needs a total",
        ),
        (
            wager("total", json!({"number": -250})),
            "wagers[0].number: this kind needs a total",
        ),
        (
            wager("combination", json!({"numbers": [1]})),
            "wagers[0].numbers: this kind needs two",
        ),
        (
            wager("combination", json!({"numbers": [1, 7]})),
            "wagers[0].numbers: this kind needs two",
        ),
        (
            wager("combination", json!({})),
            "wagers[0].numbers: this kind needs two",
        ),
        (options(json!({"shaker": "manual"})), "options.shaker: "),
        (
            options(json!({"pays": {"total_3": "200:1"}})),
            "options.pays",
        ),
        (
            options(json!({"pays": {"total_04": "60:1"}})),
            "options.pays",
        ),
        (
            options(json!({"pays": {"big": "1"}})),
            "options.pays.big: \"1\" are not odds",
        ),
        (
            options(json!({"not_offered": ["bog"]})),
            "options.not_offered[0]: ",
        ),
        (options(json!({"limits": {"bog": {}}})), "options.limits"),
        (
            options(json!({"limits": {"big": {"min": 2, "max": 1}}})),
            "options.limits: big: min is above max",
        ),
        (
            tosses(json!([{}])),
            "play.tosses[0]: a toss that counts needs its dice",
        ),
        (tosses(json!([{"dice": [1, 2]}])), "play.tosses[0].dice"),
        (
            tosses(json!([{"dice": [1, 2, 7]}])),
            "play.tosses[0].dice[2]: 7 is not a face",
        ),
        (
            tosses(json!([{"dice": [1, 2, 3], "entered": [1, 2, 3, 4]}])),
            "play.tosses[0].entered",
        ),
        (
            tosses(json!([{"dice": [1, 2, 3], "shakes": -1}])),
            "play.tosses[0].shakes: ",
        ),
        (
            tosses(json!([{"no_roll": ""}])),
            "play.tosses[0].no_roll: a no roll needs its reason",
        ),
        (
            tosses(json!([{"dice": [1, 2, 3]}, {"no_roll": "not_flat"}])),
            "play.tosses[1]: the round ended",
        ),
        (
            tosses(json!([{"shaker_failure": true}])),
            "play.tosses[0].shaker_failure: only an automated",
        ),
        (
            automated(json!([{"shaker_failure": true}, {"dice": [1, 2, 3]}])),
            "play.tosses[1]: the round ended",
        ),
        (
            automated(json!([{"shaker_failure": true, "dice": [1, 2, 3]}])),
            "play.tosses[0].shaker_failure: a shaker that failed",
        ),
        (
            automated(json!([{"shaker_failure": true, "no_roll": "not_flat"}])),
            "play.tosses[0].shaker_failure: a shaker that failed",
        ),
        (
            automated(json!([{"shaker_failure": true, "entered": [1, 2, 3]}])),
            "play.tosses[0].shaker_failure: a shaker that failed",
        ),
    ];
    for (document, expected) in cases {
        let refusal = table.refusal(&document);
        assert!(
            refusal.starts_with(expected),
            "expected {expected}\ngot      {refusal}"
        );
    }
    let play = json!({"shaker": "robot", "tosses": []});
    let document = table.document(Mgc2017, json!({}), json!([]), play);
    assert!(table.refusal(&document).starts_with("play.shaker: "));
}

#[test]
fn what_would_be_ignored_is_refused() {
    let table = TestTable::<SicBo>::open();
    for (kind, keys, place) in [
        ("small", json!({"number": 3}), "number"),
        ("any_three_of_a_kind", json!({"numbers": [3, 4]}), "numbers"),
        (
            "combination",
            json!({"numbers": [3, 4], "number": 3}),
            "number",
        ),
        ("total", json!({"number": 9, "numbers": [3, 4]}), "numbers"),
        ("big", json!({"verbal": true, "form": "plaque"}), "form"),
        ("big", json!({"form": "colour_chips"}), "form"),
    ] {
        let document = round(&table, json!({}), bet(kind, &keys), json!([]));
        let refusal = table.refusal(&document);
        assert!(
            refusal.starts_with(&format!("wagers[0].{place}: ")),
            "{refusal}"
        );
    }
}
