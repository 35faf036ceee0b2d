//! Crapless craps: every cell, what differs from craps, and the house edges of its own bets. The
//! engine has its tests in craps.

use serde_json::{Value, json};

use super::CraplessCraps;
use crate::Edition::OhJack2017;
use crate::games::shared::craps::testkit::{
    Felt, Ratio, STAKE, bet, bet_with, merge, play, results, round, w1, winning_round,
};
use crate::settlement::Verdict::{Lose, Open, Void, Win};
use crate::testkit::TestTable;

const POINTS: [u8; 10] = [2, 3, 4, 5, 6, 8, 9, 10, 11, 12];

#[test]
fn every_cell_pays_what_is_filed() {
    let table = TestTable::<CraplessCraps>::open();
    table.assert_cells(include_str!("cells.txt"), |cell| {
        let (options, wagers, play) = winning_round(cell);
        table.document(cell.edition, options, wagers, play)
    });
}

#[test]
fn composite_bets_are_paid_as_their_parts() {
    let table = TestTable::<CraplessCraps>::open();
    // Net of a stake of four or five units of 100 on 2, 3, 7, 11, 12.
    let cases = [
        ("horn", 400, 0, [2700, 1200, -400, 1200, 2700]),
        ("horn_high", 500, 2, [5700, 1100, -500, 1100, 2600]),
        ("horn_high", 500, 3, [2600, 2700, -500, 1100, 2600]),
        ("horn_high", 500, 11, [2600, 1100, -500, 2700, 2600]),
        ("horn_high", 500, 12, [2600, 1100, -500, 1100, 5700]),
        ("world", 500, 0, [2600, 1100, 0, 1100, 2600]),
    ];
    for (kind, stake, number, net) in cases {
        for (words, net) in ["1-1", "1-2", "5-2", "5-6", "6-6"].into_iter().zip(net) {
            let wagers = json!([bet_with(kind, stake, json!({"number": number}))]);
            let document = round(&table, OhJack2017, wagers, play(8, words));
            let returned = table.wager(&document, "w1").returned.get();
            assert_eq!(returned - stake, net, "{document}");
        }
    }
}

#[test]
fn every_total_but_seven_is_a_point() {
    let table = TestTable::<CraplessCraps>::open();
    for point in POINTS {
        let first = if point > 7 { 6 } else { 1 };
        let throw = format!("{first}-{}", point - first);
        for (last, expected) in [(throw.as_str(), Win), ("3-4", Lose)] {
            let pass = json!([bet("pass", 500, json!({}))]);
            let document = round(
                &table,
                OhJack2017,
                pass,
                play(0, &format!("{throw} {last}")),
            );
            assert_eq!(results(&table, &document), [expected], "{document}");
            let come = json!([bet("come", 500, json!({}))]);
            let other = if point == 8 { 9 } else { 8 };
            let document = round(
                &table,
                OhJack2017,
                come,
                play(other, &format!("{throw} {last}")),
            );
            assert_eq!(results(&table, &document), [expected], "{document}");
        }
    }
}

#[test]
fn the_house_edge_of_every_wager_is_the_published_one() {
    let felt = Felt::<CraplessCraps>::at(OhJack2017, json!({}));
    // 5.382%.
    let pass = felt.edge_of_line(&bet("pass", STAKE, json!({})), 0, |point| {
        (bet("pass", STAKE, json!({"placed": -1})), point)
    });
    assert_eq!(pass, Ratio(373, 6930));
    let come = felt.edge_of_line(&bet("come", STAKE, json!({})), 8, |number| {
        let other = if number == 8 { 9 } else { 8 };
        (
            bet("come", STAKE, json!({"placed": -1, "point": number})),
            other,
        )
    });
    assert_eq!(come, Ratio(373, 6930));
    let place = [14, 16, 15, 25, 66, 66, 25, 15, 16, 14];
    for (number, of) in POINTS.into_iter().zip(place) {
        let other = if number == 8 { 9 } else { 8 };
        let wager = bet("place", STAKE, json!({"number": number}));
        assert_eq!(felt.edge(&wager, other), Ratio(1, of), "{wager}");
        let wager = bet("buy", STAKE, json!({"number": number}));
        assert_eq!(felt.edge(&wager, other), Ratio(0, 1), "{wager}");
    }
    let one_roll = [
        (bet("field", STAKE, json!({})), Ratio(2, 36)),
        (bet("any_seven", STAKE, json!({})), Ratio(6, 36)),
        (bet("any_craps", STAKE, json!({})), Ratio(4, 36)),
        (bet("craps_two", STAKE, json!({})), Ratio(5, 36)),
        (bet("craps_three", STAKE, json!({})), Ratio(4, 36)),
        (bet("craps_twelve", STAKE, json!({})), Ratio(5, 36)),
        (bet("eleven", STAKE, json!({})), Ratio(4, 36)),
        (bet("horn", STAKE, json!({})), Ratio(18, 144)),
        (bet("world", STAKE, json!({})), Ratio(24, 180)),
        (bet("hop", STAKE, json!({"dice": [1, 4]})), Ratio(4, 36)),
        (bet("hop", STAKE, json!({"dice": [3, 3]})), Ratio(5, 36)),
    ];
    for (wager, edge) in one_roll {
        assert_eq!(felt.edge(&wager, 8), edge, "{wager}");
    }
}

#[test]
fn void_wagers_raise_the_first_code_that_applies() {
    let table = TestTable::<CraplessCraps>::open();
    let late = json!({"late": true, "number": 7, "dice": [1, 1], "on": "w9"});
    let cases = [
        ("dont_pass", "crapless.dont_bet"),
        ("dont_come", "crapless.dont_bet"),
        ("dont_pass_odds", "crapless.dont_bet"),
        ("dont_come_odds", "crapless.dont_bet"),
        ("lay", "crapless.dont_bet"),
        ("place_lose", "crapless.dont_bet"),
        ("c_and_e", "wager.not_permissible"),
        ("whirl", "wager.not_permissible"),
        ("six_seven_eight", "wager.not_permissible"),
        ("fire", "wager.not_permissible"),
        ("place", "wager.not_permissible"),
        ("buy", "wager.not_permissible"),
        ("put", "wager.not_permissible"),
        ("hop", "wager.not_permissible"),
        ("horn_high", "wager.not_permissible"),
        ("field", "wager.not_offered"),
        ("come", "wager.late"),
        ("pass_odds", "wager.late"),
    ];
    for (kind, code) in cases {
        let options = json!({"not_offered": ["field", "place", "fire", "lay"]});
        let wagers = json!([bet_with(kind, 1, late.clone())]);
        let document = table.document(OhJack2017, options, wagers, play(0, "1-1"));
        assert_eq!(table.violations(&document), [code], "{document}");
        assert_eq!(results(&table, &document), [Void], "{document}");
    }
}

#[test]
fn what_craps_flags_and_this_text_does_not() {
    let table = TestTable::<CraplessCraps>::open();
    let lawful = [
        // In the air is in time, and nobody's word is needed: the names are not even read.
        (
            bet(
                "field",
                150,
                json!({"in_air": true, "confirmed_by": ["nobody"]}),
            ),
            0,
        ),
        (bet("pass", 150, json!({"seat": 17})), 9),
        (bet("place", 100, json!({"number": 12})), 9),
        (bet("put", 100, json!({"number": 2})), 9),
    ];
    for (wager, point) in lawful {
        let document = round(&table, OhJack2017, json!([wager]), play(point, "1-2"));
        assert!(table.violations(&document).is_empty(), "{document}");
    }
    let points = json!({"odds_multiple": {"2": 1000, "12": 1}, "buy_vig_on_win": [2, 12]});
    let document = table.document(OhJack2017, points, json!([]), play(2, ""));
    assert!(table.violations(&document).is_empty());
}

#[test]
fn only_a_pass_bet_is_a_line_bet() {
    let table = TestTable::<CraplessCraps>::open();
    for (kind, expected) in [
        ("pass", &[][..]),
        ("field", &["craps.shooter_without_line_bet"]),
    ] {
        let play = json!({"rolls": [{"dice": [1, 1], "shooter": 1}]});
        let document = round(&table, OhJack2017, json!([bet(kind, 500, json!({}))]), play);
        assert_eq!(table.violations(&document), expected);
    }
}

#[test]
fn odds_on_two_and_three_have_limits_like_the_others() {
    let table = TestTable::<CraplessCraps>::open();
    for (point, odds, in_order) in [
        (2, 500, true),
        (2, 600, false),
        (11, 500, true),
        (11, 501, false),
    ] {
        let wagers = json!([
            bet("pass", 500, json!({"placed": -1})),
            bet("pass_odds", odds, json!({"id": "w2", "on": "w1"})),
        ]);
        for (options, in_order) in [
            (json!({"odds_multiple": 1}), in_order),
            (json!({"odds_multiple": {"5": 1}}), true),
            (json!({}), true),
        ] {
            let document = table.document(OhJack2017, options, wagers.clone(), play(point, ""));
            assert_eq!(
                table.violations(&document).is_empty(),
                in_order,
                "{document}"
            );
        }
    }
}

#[test]
fn come_only_rolls_set_no_point() {
    let table = TestTable::<CraplessCraps>::open();
    let come = bet("come", 500, json!({"placed": -1, "point": 12}));
    let place = bet("place", 500, json!({"id": "w2", "number": 3}));
    let only = |dice: Value| json!({"dice": dice, "decision_only": true});
    let play = json!({"rolls": [only(json!([1, 2])), only(json!([1, 2])), only(json!([6, 6]))]});
    let document = round(&table, OhJack2017, json!([come, place]), play);
    assert_eq!(results(&table, &document), [Win, Open]);
}

#[test]
fn vigorish_of_a_buy_bet_is_of_its_stake() {
    let table = TestTable::<CraplessCraps>::open();
    let wagers = json!([bet("buy", 2000, json!({"number": 12}))]);
    let made = round(&table, OhJack2017, wagers.clone(), play(8, "6-6"));
    assert_eq!(w1(&table, &made), (Win, 12_000, 100, 14_000));
    let options = json!({"buy_vig_on_win": [12]});
    let won = table.document(OhJack2017, options, wagers, play(8, "6-6"));
    assert_eq!(w1(&table, &won), (Win, 12_000, 100, 13_900));
}

#[test]
fn what_describes_nothing_is_refused_by_its_place() {
    let table = TestTable::<CraplessCraps>::open();
    let at = |options: Value, wagers: Value, play: Value| {
        json!({"game": "crapless_craps", "edition": "oh-jack-2017",
               "options": options, "wagers": wagers, "play": play})
    };
    let empty = || json!({"rolls": []});
    let options = [
        (json!({"variant": "craps"}), "options.variant: "),
        (json!({"fire_table": "A"}), "options.fire_table: "),
        (json!({"lay_vig_bp": 500}), "options.lay_vig_bp: "),
        (json!({"lay_vig_on_win": []}), "options.lay_vig_on_win: "),
        (json!({"tournament": false}), "options.tournament: "),
        (
            json!({"pays": {"dont_pass": "1:1"}}),
            "options.pays.dont_pass: this text has no such row",
        ),
        (json!({"pays": {"fire_4": "25:1"}}), "options.pays.fire_4: "),
        (
            json!({"pays": {"place_7": "1:1"}}),
            "options.pays.place_7: ",
        ),
        (
            json!({"buy_vig_on_win": [7]}),
            "options.buy_vig_on_win: 7 is no point",
        ),
        (
            json!({"odds_multiple": {"7": 1}}),
            "options.odds_multiple: 7 is no point",
        ),
    ];
    for (options, expected) in options {
        let refusal = table.refusal(&at(options, json!([]), empty()));
        assert!(
            refusal.starts_with(expected),
            "expected {expected}\ngot      {refusal}"
        );
    }
    let wagers = [
        (
            bet("passs", 1, json!({})),
            "wagers[0].kind: \"passs\" is not a wager of crapless_craps",
        ),
        (
            bet("place", 1, json!({"number": 13})),
            "wagers[0].number: 13 is not a total",
        ),
        (bet("come", 1, json!({"placed": -1})), "wagers[0].point: "),
        (
            bet("come", 1, json!({"placed": -1, "point": 7})),
            "wagers[0].point: 7 is no point",
        ),
    ];
    for (wager, expected) in wagers {
        let refusal = table.refusal(&at(json!({}), json!([wager]), empty()));
        assert!(
            refusal.starts_with(expected),
            "expected {expected}\ngot      {refusal}"
        );
    }
    let start = json!({"start": {"point": 7}, "rolls": []});
    assert!(
        table
            .refusal(&at(json!({}), json!([]), start))
            .starts_with("play.start.point: ")
    );
    let mut massachusetts = at(json!({}), json!([]), empty());
    merge(&mut massachusetts, json!({"edition": "mgc-2017"}));
    assert!(table.refusal(&massachusetts).starts_with("edition: "));
}
