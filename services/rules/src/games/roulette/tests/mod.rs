//! Roulette: every cell, every position of the layout, every refusal, and the exact house edges.

mod coupons_and_odds;

use serde_json::{Value, json};

use super::Roulette;
use crate::Edition::{self, Mgc2017, OhJack2017};
use crate::settlement::Verdict;
use crate::testkit::TestTable;

const OPTIONAL: [&str; 5] = [
    "five_adjacent",
    "six_numbers_color",
    "seven_numbers_color",
    "eight_numbers_color",
    "seven_numbers",
];

fn pockets(wheel: &str) -> Vec<String> {
    let numbers = (0..=36).map(|number| number.to_string());
    let double_zero = (wheel == "double").then(|| "00".to_owned());
    numbers.chain(double_zero).collect()
}

fn one_bet(
    table: &TestTable<Roulette>,
    edition: Edition,
    options: Value,
    selection: &Value,
    pocket: &str,
) -> Value {
    let mut wager = json!({"id": "w1", "seat": 1, "amount": 1000});
    for (key, value) in selection.as_object().unwrap() {
        wager[key] = value.clone();
    }
    table.document(
        edition,
        options,
        json!([wager]),
        json!({"spins": [{"pocket": pocket}]}),
    )
}

#[test]
fn every_cell_of_the_odds_pays_what_is_filed() {
    let table = TestTable::<Roulette>::open();
    table.assert_cells(include_str!("../cells.txt"), |cell| {
        let (selection, pocket) = match cell.row {
            "straight" => (json!({"kind": "straight", "numbers": ["17"]}), "17"),
            "split" => (json!({"kind": "split", "numbers": ["17", "20"]}), "17"),
            "three_numbers" => (
                json!({"kind": "three_numbers", "numbers": ["16", "17", "18"]}),
                "17",
            ),
            "four_numbers" => (
                json!({"kind": "four_numbers", "numbers": ["17", "18", "20", "21"]}),
                "17",
            ),
            "first_five" => (json!({"kind": "first_five"}), "00"),
            "six_numbers" => {
                let numbers = ["16", "17", "18", "19", "20", "21"];
                (json!({"kind": "six_numbers", "numbers": numbers}), "17")
            }
            "seven_numbers" => (json!({"kind": "seven_numbers"}), "33"),
            "eight_numbers" => (json!({"kind": "eight_numbers_color", "color": "gold"}), "5"),
            "column" => (json!({"kind": "column", "column": 2}), "17"),
            "dozen" => (json!({"kind": "dozen", "dozen": 2}), "17"),
            "black" | "odd" | "low" => (json!({"kind": cell.row}), "17"),
            _ => (json!({"kind": cell.row}), "36"),
        };
        let optional: &[&str] = match cell.row {
            "seven_numbers" => &["seven_numbers"],
            "eight_numbers" => &["eight_numbers_color"],
            _ => &[],
        };
        one_bet(
            &table,
            cell.edition,
            json!({"optional_wagers": optional}),
            &selection,
            pocket,
        )
    });
}

/// How many pockets of the wheel win the bet, how many push it to half, and what a win pays.
fn play_every_pocket(
    table: &TestTable<Roulette>,
    options: &Value,
    wheel: &str,
    selection: &Value,
) -> i64 {
    let net = |pocket: String| {
        let document = one_bet(table, Mgc2017, options.clone(), selection, &pocket);
        table.wager(&document, "w1").returned.get() - 1000
    };
    pockets(wheel).into_iter().map(net).sum()
}

#[test]
fn the_house_edge_of_every_wager_is_the_published_one() {
    let table = TestTable::<Roulette>::open();
    let numbers = |kind: &str, numbers: &[&str]| json!({"kind": kind, "numbers": numbers});
    // Net of a stake of 1000 over all pockets: two stakes lost of 38 are 5.26%, one of 37 2.70%,
    // three of 38 (the first five) 7.89%, half the zeros of 38 back 2.63%.
    let everywhere = [
        numbers("straight", &["0"]),
        numbers("split", &["0", "2"]),
        numbers("three_numbers", &["0", "1", "2"]),
        numbers("four_numbers", &["1", "2", "4", "5"]),
        numbers("six_numbers", &["31", "32", "33", "34", "35", "36"]),
        json!({"kind": "column", "column": 3}),
        json!({"kind": "dozen", "dozen": 3}),
    ];
    let even_money =
        ["red", "black", "odd", "even", "low", "high"].map(|kind| json!({"kind": kind}));
    for bet in everywhere.iter().chain(&even_money) {
        let net = |wheel: &str| play_every_pocket(&table, &json!({"wheel": wheel}), wheel, bet);
        assert_eq!((net("double"), net("single")), (-2000, -1000), "{bet}");
    }
    for bet in &even_money {
        assert_eq!(
            play_every_pocket(&table, &json!({"zero_rule": "half"}), "double", bet),
            -1000
        );
    }
    let offer = |kind: &str, wheel: &str| json!({"wheel": wheel, "optional_wagers": [kind]});
    let optional = [
        (json!({"kind": "first_five"}), json!({}), "double", -3000),
        (
            json!({"kind": "seven_numbers"}),
            offer("seven_numbers", "double"),
            "double",
            -3000,
        ),
        (
            json!({"kind": "seven_numbers"}),
            offer("seven_numbers", "single"),
            "single",
            -2000,
        ),
        (
            json!({"kind": "six_numbers_color", "color": "gold"}),
            offer("six_numbers_color", "double"),
            "double",
            -2000,
        ),
        (
            json!({"kind": "seven_numbers_color", "color": "gold"}),
            offer("seven_numbers_color", "single"),
            "single",
            -2000,
        ),
        (
            json!({"kind": "eight_numbers_color", "color": "gold"}),
            offer("eight_numbers_color", "double"),
            "double",
            -6000,
        ),
        (
            json!({"kind": "five_adjacent", "center": "00"}),
            offer("five_adjacent", "double"),
            "double",
            -2000,
        ),
    ];
    for (bet, options, wheel, expected) in optional {
        assert_eq!(
            play_every_pocket(&table, &options, wheel, &bet),
            expected,
            "{bet} {wheel}"
        );
    }
}

/// Every set of so many pockets, as strings.
fn groups(size: usize, of: usize) -> Vec<Vec<String>> {
    fn choose(
        all: &[String],
        size: usize,
        from: usize,
        group: &mut Vec<String>,
        out: &mut Vec<Vec<String>>,
    ) {
        if group.len() == size {
            return out.push(group.clone());
        }
        for index in from..all.len() {
            group.push(all[index].clone());
            choose(all, size, index + 1, group, out);
            group.pop();
        }
    }
    let mut out = Vec::new();
    let all = &pockets("double")[..of];
    choose(all, size, 0, &mut Vec::new(), &mut out);
    out
}

#[test]
fn the_layout_has_exactly_its_splits_and_rows() {
    // Splits: 24 across and 33 down; at the zeros 5 on the double-zero layout, 3 on the single-zero
    // one, 2 with the 00 covered. Trios: 12 rows and 3, 1, 1.
    assert_layout("split", 2, 38, [62, 60, 59]);
    assert_layout("three_numbers", 3, 38, [15, 13, 13]);
}

#[test]
fn the_layout_has_exactly_its_corners() {
    // Two a row on the first four rows and the zeros.
    assert_layout("four_numbers", 4, 14, [6, 6, 6]);
}

#[test]
#[ignore = "73,815 groups of four on three layouts"]
fn the_layout_has_no_corner_elsewhere() {
    assert_layout("four_numbers", 4, 38, [22, 22, 22]);
}

/// How many groups of the first so many pockets a wager may cover, by wheel.
fn assert_layout(kind: &str, size: usize, pockets: usize, expected: [usize; 3]) {
    let table = TestTable::<Roulette>::open();
    let wheels = ["double", "single", "double_as_single"];
    for (wheel, expected) in wheels.into_iter().zip(expected) {
        let wagers: Vec<Value> = groups(size, pockets)
                .into_iter()
                .enumerate()
                .map(|(i, group)| json!({"id": format!("w{i}"), "seat": 1, "kind": kind, "amount": 1, "numbers": group}))
                .collect();
        let legal: usize = wagers
            .chunks(1000)
            .map(|wagers| {
                let document = table.document(
                    Mgc2017,
                    json!({"wheel": wheel}),
                    json!(wagers),
                    json!({"spins": []}),
                );
                let settlement = table.settle(&document);
                settlement
                    .wagers()
                    .iter()
                    .filter(|w| w.result == Verdict::Open)
                    .count()
            })
            .sum();
        assert_eq!(legal, expected, "{wheel} {kind}");
    }
}

#[test]
fn a_void_wager_raises_only_the_first_code_that_applies() {
    let table = TestTable::<Roulette>::open();
    let cases: [(Edition, Value, Value, &[&str]); 7] = [
        (
            Mgc2017,
            json!({}),
            json!({"kind": "seven_numbers", "late": true}),
            &["wager.not_offered"],
        ),
        (
            OhJack2017,
            json!({}),
            json!({"kind": "seven_numbers", "late": true}),
            &["wager.not_permissible"],
        ),
        (
            Mgc2017,
            json!({"wheel": "single"}),
            json!({"kind": "first_five", "late": true}),
            &["wager.not_permissible"],
        ),
        (
            Mgc2017,
            json!({"optional_wagers": ["six_numbers_color"]}),
            json!({"kind": "red", "late": true}),
            &["roulette.excluded_bets_offered"],
        ),
        (
            Mgc2017,
            json!({"optional_wagers": ["six_numbers_color"]}),
            json!({"kind": "dozen", "dozen": 1, "late": true}),
            &["wager.late"],
        ),
        (
            Mgc2017,
            json!({"wheel": "double_as_single", "optional_wagers": ["five_adjacent"]}),
            json!({"kind": "five_adjacent", "center": "13"}),
            &["wager.not_permissible"],
        ),
        (
            Mgc2017,
            json!({"limits": {"default": {"min": 5000}}}),
            json!({"kind": "split", "numbers": ["1", "1"]}),
            &["wager.not_permissible"],
        ),
    ];
    for (edition, options, selection, expected) in cases {
        let document = one_bet(&table, edition, options, &selection, "7");
        assert_eq!(table.violations(&document), expected, "{document}");
        assert_eq!(table.wager(&document, "w1").result, Verdict::Void);
    }
}

#[test]
fn bets_wait_until_a_spin_counts() {
    let table = TestTable::<Roulette>::open();
    let wagers = json!([{"id": "w1", "seat": 1, "kind": "red", "amount": 7},
                        {"id": "w2", "seat": 1, "kind": "red", "amount": 7, "late": true}]);
    let spins = json!({"spins": [{"no_spin": "floater"}, {"revolutions": 2}]});
    let options = json!({"limits": {"red": {"min": 100}}});
    let document = table.document(Mgc2017, options, wagers, spins);
    assert_eq!(table.wager(&document, "w1").result, Verdict::Open);
    assert_eq!(table.wager(&document, "w2").result, Verdict::Void);
    assert_eq!(
        table.violations(&document),
        [
            "roulette.invalid_spin_accepted",
            "wager.late",
            "wager.under_min"
        ]
    );
}

#[test]
fn what_describes_nothing_is_refused_by_its_place() {
    let table = TestTable::<Roulette>::open();
    let bet = |selection: Value| one_bet(&table, Mgc2017, json!({}), &selection, "7");
    let options = |options: Value| one_bet(&table, Mgc2017, options, &json!({"kind": "red"}), "7");
    let ohio = |options: Value| one_bet(&table, OhJack2017, options, &json!({"kind": "red"}), "7");
    let spins = |options: Value, spins: Value| {
        table.document(Mgc2017, options, json!([]), json!({"spins": spins}))
    };
    let cases = [
        (
            bet(json!({"kind": "straight"})),
            "wagers[0].numbers: this kind needs its numbers",
        ),
        (
            bet(json!({"kind": "straight", "numbers": ["37"]})),
            "wagers[0].numbers[0]: \"37\" is not a pocket",
        ),
        (
            bet(json!({"kind": "straight", "numbers": [7]})),
            "wagers[0].numbers[0]: 7 is not a pocket: write a string",
        ),
        (
            bet(json!({"kind": "straight", "numbers": "7"})),
            "wagers[0].numbers: this kind needs its numbers",
        ),
        (
            bet(json!({"kind": "five_adjacent"})),
            "wagers[0].center: null is not a pocket",
        ),
        (
            bet(json!({"kind": "column", "column": "2"})),
            "wagers[0].column: this kind needs 1, 2 or 3",
        ),
        (
            bet(json!({"kind": "column", "column": 4})),
            "wagers[0].column: this kind needs 1, 2 or 3",
        ),
        (
            bet(json!({"kind": "dozen"})),
            "wagers[0].dozen: this kind needs 1, 2 or 3",
        ),
        (
            bet(json!({"kind": "six_numbers_color", "color": "pruple"})),
            "wagers[0].color: \"pruple\" is not a colour of this bet; did you mean \"purple\"?",
        ),
        (
            bet(json!({"kind": "five_adjacent", "center": "000"})),
            "wagers[0].center: \"000\" is not a pocket",
        ),
        (
            bet(json!({"kind": "straigt"})),
            "wagers[0].kind: \"straigt\" is not a wager of roulette; did you mean \"straight\"?",
        ),
        (
            bet(json!({"kind": "red", "laet": true})),
            "wagers[0].laet: \"laet\" is not a known key here",
        ),
        (
            options(json!({"wheel": "triple"})),
            "options.wheel: \"triple\" cannot be read",
        ),
        (
            options(json!({"wheel": "single", "zero_rule": "half"})),
            "options.zero_rule: ",
        ),
        (
            ohio(json!({"zero_rule": "half"})),
            "options.zero_rule: \"half\" cannot be read",
        ),
        (
            ohio(json!({"pays": {"seven_numbers": "4:1"}})),
            "options.pays: \"seven_numbers\" is no row of the odds in oh-jack-2017",
        ),
        (
            options(json!({"pays": {"straigth": "36:1"}})),
            "options.pays",
        ),
        (
            options(json!({"pays": {"straight": "36"}})),
            "options.pays.straight: \"36\" are not odds",
        ),
        (
            options(json!({"limits": {"reed": {"min": 1}}})),
            "options.limits",
        ),
        (
            options(json!({"limits": {"red": {"min": 2, "max": 1}}})),
            "options.limits: red: min is above max",
        ),
        (
            options(json!({"limits": {"red": {"min": -2}}})),
            "options.limits.red.min: -2 cents",
        ),
        (
            options(json!({"chip_unit": 0})),
            "options.chip_unit: 0 cannot be read",
        ),
        (
            options(json!({"optional_wagers": ["red"]})),
            "options.optional_wagers: ",
        ),
        (
            spins(json!({}), json!([{"pocket": "1"}, {"pocket": "2"}])),
            "play.spins[0]: the first valid spin",
        ),
        (
            spins(json!({}), json!([{}])),
            "play.spins[0]: a valid spin needs its pocket",
        ),
        (
            spins(
                json!({"wheel": "single"}),
                json!([{"pocket": "00", "no_spin": "floater"}]),
            ),
            "play.spins[0]: 00 is no pocket",
        ),
        (
            spins(json!({}), json!([{"revolutions": -1}])),
            "play.spins[0].revolutions: ",
        ),
        (
            spins(json!({}), json!([{"no_spin": "bored"}])),
            "play.spins[0].no_spin: \"bored\" is not a known word",
        ),
    ];
    for (document, expected) in cases {
        let refusal = table.refusal(&document);
        assert!(
            refusal.starts_with(expected),
            "expected {expected}\ngot      {refusal}"
        );
    }
}

#[test]
fn ohio_offers_no_optional_wager_even_if_its_table_lists_them() {
    let table = TestTable::<Roulette>::open();
    for kind in OPTIONAL {
        let selection = match kind {
            "five_adjacent" => json!({"kind": kind, "center": "5"}),
            "seven_numbers" => json!({"kind": kind}),
            _ => json!({"kind": kind, "color": "gold"}),
        };
        let document = one_bet(
            &table,
            OhJack2017,
            json!({"optional_wagers": [kind]}),
            &selection,
            "5",
        );
        assert_eq!(
            table.violations(&document),
            ["config.optional_wagers", "wager.not_permissible"]
        );
    }
}
