//! Big six: every cell, every refusal and violation, the wheel, and the exact house edges.

use serde_json::{Value, json};

use super::BigSix;
use crate::Edition::{self, Mgc2017, OhJack2017};
use crate::settlement::Verdict;
use crate::testkit::TestTable;

fn one_bet(
    table: &TestTable<BigSix>,
    edition: Edition,
    options: Value,
    kind: &str,
    spins: Value,
) -> Value {
    let wagers = json!([{"id": "w1", "seat": 1, "kind": kind, "amount": 1000}]);
    table.document(edition, options, wagers, json!({"spins": spins}))
}

fn symbol(kind: &str) -> &str {
    kind.trim_start_matches("insignia_")
}

#[test]
fn every_cell_of_the_odds_pays_what_is_filed() {
    let table = TestTable::<BigSix>::open();
    table.assert_cells(include_str!("cells.txt"), |cell| {
        let spins = json!([{"stop": symbol(cell.row)}]);
        one_bet(&table, cell.edition, json!({}), cell.row, spins)
    });
}

#[test]
fn the_house_edge_of_every_wager_is_the_published_one() {
    let table = TestTable::<BigSix>::open();
    // Stakes kept of 54: 6 are 11.11%, 8 14.81%, 9 16.67%, 10 18.52%, 12 22.22%.
    let massachusetts = [
        ("insignia_1", 23, 8),
        ("insignia_2", 15, 9),
        ("insignia_5", 8, 6),
        ("insignia_10", 4, 10),
        ("insignia_20", 2, 12),
        ("joker", 1, 8),
        ("flag", 1, 8),
    ];
    let ohio = [
        ("insignia_1", 24, 6),
        ("insignia_2", 15, 9),
        ("insignia_5", 7, 12),
        ("insignia_10", 4, 10),
        ("insignia_20", 2, 12),
        ("joker", 1, 8),
        ("casino_name", 1, 8),
    ];
    for (edition, wheel) in [(Mgc2017, massachusetts), (OhJack2017, ohio)] {
        assert_eq!(
            wheel.iter().map(|(_, sections, _)| sections).sum::<i64>(),
            54
        );
        for (kind, _, edge) in wheel {
            let kept: i64 = wheel
                .iter()
                .map(|(other, sections, _)| {
                    let spins = json!([{"stop": symbol(other)}]);
                    let document = one_bet(&table, edition, json!({}), kind, spins);
                    sections * (1000 - table.wager(&document, "w1").returned.get())
                })
                .sum();
            assert_eq!(kept, edge * 1000, "{edition} {kind}");
        }
    }
}

#[test]
fn symbols_lie_side_by_side_as_on_the_wheel() {
    let table = TestTable::<BigSix>::open();
    let symbols = ["1", "2", "5", "10", "20", "joker", "flag"];
    // Each pair once, in the order of the symbols above.
    let neighbours = [
        ("1", "2"),
        ("1", "5"),
        ("1", "10"),
        ("1", "20"),
        ("1", "joker"),
        ("1", "flag"),
        ("2", "5"),
        ("2", "flag"),
    ];
    for passed in symbols {
        for next in symbols {
            let spins = json!([{"passed": passed, "next": next}]);
            let document = one_bet(&table, Mgc2017, json!({}), "insignia_1", spins);
            let close =
                neighbours.contains(&(passed, next)) || neighbours.contains(&(next, passed));
            let expected: &[&str] = if close {
                &[]
            } else {
                &["bigsix.not_neighbours"]
            };
            assert_eq!(table.violations(&document), expected, "{passed} {next}");
        }
    }
    // The Ohio text prescribes no order.
    let spins = json!([{"passed": "20", "next": "20"}]);
    let document = one_bet(&table, OhJack2017, json!({}), "joker", spins);
    assert!(table.violations(&document).is_empty());
}

#[test]
fn each_fault_of_a_spin_is_flagged_and_its_lawful_twin_is_not() {
    let table = TestTable::<BigSix>::open();
    let accepted: &[&str] = &["bigsix.short_spin_accepted"];
    let unfounded: &[&str] = &["bigsix.no_spin_unfounded"];
    let between: &[&str] = &["bigsix.between_wrong"];
    let walks: &[&str] = &["bigsix.walk_spins_missing"];
    let respin = || json!({"between": "respin"});
    let cases: [(Edition, Value, Value, &[&str], Verdict); 18] = [
        (
            Mgc2017,
            json!({}),
            json!({"stop": "1", "revolutions": 3}),
            &[],
            Verdict::Win,
        ),
        (
            Mgc2017,
            json!({}),
            json!({"stop": "1", "revolutions": 2}),
            accepted,
            Verdict::Open,
        ),
        (
            Mgc2017,
            json!({}),
            json!({"revolutions": 2}),
            accepted,
            Verdict::Open,
        ),
        (
            OhJack2017,
            json!({}),
            json!({"stop": "1", "revolutions": 0}),
            &[],
            Verdict::Win,
        ),
        (
            Mgc2017,
            json!({}),
            json!({"no_spin": "short_spin", "revolutions": 2}),
            &[],
            Verdict::Open,
        ),
        (
            Mgc2017,
            json!({}),
            json!({"no_spin": "short_spin"}),
            &[],
            Verdict::Open,
        ),
        (
            Mgc2017,
            json!({}),
            json!({"no_spin": "short_spin", "revolutions": 3}),
            unfounded,
            Verdict::Open,
        ),
        (
            Mgc2017,
            json!({}),
            json!({"no_spin": "noise", "revolutions": 3}),
            &[],
            Verdict::Open,
        ),
        (
            OhJack2017,
            json!({}),
            json!({"no_spin": "short_spin", "revolutions": 3}),
            &[],
            Verdict::Open,
        ),
        (
            Mgc2017,
            json!({}),
            json!({"passed": "1"}),
            &[],
            Verdict::Win,
        ),
        (
            Mgc2017,
            respin(),
            json!({"passed": "1"}),
            &[],
            Verdict::Open,
        ),
        (
            Mgc2017,
            json!({}),
            json!({"passed": "1", "no_spin": "stuck"}),
            between,
            Verdict::Open,
        ),
        (
            Mgc2017,
            respin(),
            json!({"passed": "1", "no_spin": "stuck"}),
            &[],
            Verdict::Open,
        ),
        (
            Mgc2017,
            json!({}),
            json!({"passed": "1", "no_spin": "x", "revolutions": 2}),
            &[],
            Verdict::Open,
        ),
        (
            OhJack2017,
            json!({}),
            json!({"passed": "1", "no_spin": "x", "revolutions": 2}),
            between,
            Verdict::Open,
        ),
        (
            OhJack2017,
            json!({}),
            json!({"stop": "1", "walk_spins": 2}),
            &[],
            Verdict::Win,
        ),
        (
            OhJack2017,
            json!({}),
            json!({"no_spin": "x", "walk_spins": 1}),
            walks,
            Verdict::Open,
        ),
        (
            Mgc2017,
            json!({}),
            json!({"stop": "1", "walk_spins": 0}),
            &[],
            Verdict::Win,
        ),
    ];
    for (edition, options, spin, expected, result) in cases {
        let document = one_bet(&table, edition, options, "insignia_1", json!([spin]));
        assert_eq!(table.violations(&document), expected, "{document}");
        assert_eq!(table.wager(&document, "w1").result, result, "{document}");
    }
}

#[test]
fn posted_odds_are_due_from_the_minimum_up_or_with_an_approval() {
    let table = TestTable::<BigSix>::open();
    let below: &[&str] = &["config.odds_below_minimum"];
    let unapproved: &[&str] = &["payout.unapproved_odds"];
    let cases: [(Edition, &str, bool, i64, &[&str]); 8] = [
        (Mgc2017, "20:1", false, 21_000, &[]),
        (Mgc2017, "61:3", false, 21_334, &[]),
        (Mgc2017, "19:1", false, 21_000, below),
        (OhJack2017, "40:2", false, 21_000, &[]),
        (OhJack2017, "21:1", false, 21_000, unapproved),
        (OhJack2017, "19:1", false, 21_000, unapproved),
        (OhJack2017, "21:1", true, 22_000, &[]),
        (OhJack2017, "19:1", true, 20_000, &[]),
    ];
    for (edition, posted, approved, returned, expected) in cases {
        let mut options = json!({"pays": {"insignia_20": posted}});
        if edition == OhJack2017 {
            options["odds_approved"] = json!(approved);
        }
        let spins = json!([{"stop": "20"}]);
        let document = one_bet(&table, edition, options, "insignia_20", spins);
        assert_eq!(table.violations(&document), expected, "{document}");
        assert_eq!(
            table.wager(&document, "w1").returned.get(),
            returned,
            "{document}"
        );
    }
}

#[test]
fn a_void_wager_raises_only_the_first_code_that_applies() {
    let table = TestTable::<BigSix>::open();
    let strict = json!({"limits": {"default": {"min": 5000}, "flag": {"max": 1}}});
    for (edition, kind, late, code, result) in [
        (
            Mgc2017,
            "casino_name",
            true,
            "wager.not_permissible",
            Verdict::Void,
        ),
        (
            OhJack2017,
            "flag",
            true,
            "wager.not_permissible",
            Verdict::Void,
        ),
        (Mgc2017, "joker", true, "wager.late", Verdict::Void),
        (Mgc2017, "joker", false, "wager.under_min", Verdict::Open),
        (Mgc2017, "flag", false, "wager.over_max", Verdict::Open),
    ] {
        let wagers = json!([{"id": "w1", "seat": 1, "kind": kind, "amount": 1000, "late": late}]);
        let document = table.document(edition, strict.clone(), wagers, json!({"spins": []}));
        assert_eq!(table.violations(&document), [code], "{document}");
        assert_eq!(table.wager(&document, "w1").result, result, "{document}");
    }
}

#[test]
fn what_describes_nothing_is_refused_by_its_place() {
    let table = TestTable::<BigSix>::open();
    let options =
        |edition: Edition, options: Value| one_bet(&table, edition, options, "joker", json!([]));
    let spins = |spins: Value| one_bet(&table, Mgc2017, json!({}), "joker", spins);
    let cases = [
        (
            one_bet(&table, Mgc2017, json!({}), "jocker", json!([])),
            "wagers[0].kind: \"jocker\" is not a wager of big_six; did you mean \"joker\"?",
        ),
        (
            options(OhJack2017, json!({"between": "respin"})),
            "options.between: ",
        ),
        (
            options(Mgc2017, json!({"odds_approved": true})),
            "options.odds_approved: ",
        ),
        (
            options(Mgc2017, json!({"pays": {"casino_name": "45:1"}})),
            "options.pays: ",
        ),
        (
            options(OhJack2017, json!({"pays": {"flag": "45:1"}})),
            "options.pays: ",
        ),
        (
            options(Mgc2017, json!({"pays": {"joker": "45"}})),
            "options.pays.joker: \"45\" are not odds",
        ),
        (
            options(Mgc2017, json!({"limits": {"jocker": {}}})),
            "options.limits",
        ),
        (
            options(Mgc2017, json!({"limits": {"joker": {"min": -1}}})),
            "options.limits.joker.min: ",
        ),
        (spins(json!([{"stop": "3"}])), "play.spins[0].stop: "),
        (spins(json!([{"stop": 5}])), "play.spins[0].stop: "),
        (
            spins(json!([{"stop": "casino_name", "no_spin": "x"}])),
            "play.spins[0].stop: this text's wheel",
        ),
        (
            spins(json!([{"passed": "1", "next": "casino_name"}])),
            "play.spins[0].next: this text's wheel",
        ),
        (
            spins(json!([{"passed": "casino_name"}])),
            "play.spins[0].passed: this text's wheel",
        ),
        (
            spins(json!([{"stop": "1", "passed": "2"}])),
            "play.spins[0]: a clapper stops",
        ),
        (
            spins(json!([{}])),
            "play.spins[0]: a valid spin needs its section",
        ),
        (
            spins(json!([{"stop": "2", "next": "1"}])),
            "play.spins[0].next: ",
        ),
        (
            spins(json!([{"stop": "1", "revolutions": -1}])),
            "play.spins[0].revolutions: ",
        ),
        (
            spins(json!([{"stop": "1", "walk_spins": -1}])),
            "play.spins[0].walk_spins: ",
        ),
        (
            spins(json!([{"no_spin": ""}])),
            "play.spins[0].no_spin: a spin called off needs",
        ),
        (
            spins(json!([{"stop": "1"}, {"no_spin": "x"}])),
            "play.spins[1]: the round ended",
        ),
        (
            spins(json!([{"stop": "1", "turns": 4}])),
            "play.spins[0].turns: ",
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
