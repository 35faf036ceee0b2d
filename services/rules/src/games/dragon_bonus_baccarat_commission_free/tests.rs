//! Dragon Bonus Baccarat - Commission Free: every cell, every refusal, every violation. The
//! mathematics of the shoe is tested with the hands that the games of the family share.

use serde_json::{Value, json};

use super::DragonBonusBaccaratCommissionFree as CommissionFree;
use crate::Edition::OhJack2017;
use crate::games::shared::baccarat::house::testkit::{self, banker_bet, plain_play};
use crate::settlement::Verdict;
use crate::testkit::TestTable;

fn round(options: Value, wagers: Value, play: Value) -> Value {
    TestTable::<CommissionFree>::open().document(OhJack2017, options, wagers, play)
}

#[test]
fn every_cell_of_every_pay_table_pays_what_is_filed() {
    testkit::assert_cells::<CommissionFree>(include_str!("cells.txt"));
}

#[test]
fn faults_that_every_table_flags_are_flagged() {
    testkit::assert_common_violations::<CommissionFree>(OhJack2017);
}

#[test]
fn a_round_without_a_decision_gives_everything_back() {
    testkit::assert_no_decision_voids_all::<CommissionFree>(OhJack2017);
}

#[test]
fn a_tie_is_never_due_less_than_eight_to_one() {
    testkit::assert_tie_minimum::<CommissionFree>(OhJack2017);
}

#[test]
fn a_seat_that_the_layout_does_not_have_is_flagged_and_settled() {
    testkit::assert_seats::<CommissionFree>(OhJack2017, 18);
}

#[test]
fn what_is_not_offered_goes_back() {
    let offers = testkit::assert_offers::<CommissionFree>;
    let no_dragon = json!({"dragon_bonus": "off"});
    offers(OhJack2017, "dragon_bonus_player", json!({}), no_dragon);
    offers(
        OhJack2017,
        "fortune_7",
        json!({}),
        json!({"fortune_7": false}),
    );
    // Wagers of the sister games are known by name.
    let table = TestTable::<CommissionFree>::open();
    for kind in ["dragon_7", "panda_8", "house_money", "house_money_press"] {
        let wagers = json!([{"id": "w1", "seat": 1, "kind": kind, "amount": 50}]);
        let document = round(json!({}), wagers, plain_play());
        assert_eq!(table.violations(&document), ["wager.not_offered"]);
        assert_eq!(table.wager(&document, "w1").result, Verdict::Void);
    }
}

#[test]
fn a_bonus_needs_a_dollar_and_a_main_wager_of_its_seat() {
    let table = TestTable::<CommissionFree>::open();
    for kind in ["fortune_7", "dragon_bonus_player", "dragon_bonus_banker"] {
        for (amount, main_seat, code) in [
            (100, 1, None),
            (99, 1, Some("wager.under_min")),
            (100, 2, Some("wager.side_without_main")),
        ] {
            for main in ["player", "banker", "tie"] {
                let wagers = json!([{"id": "w1", "seat": 1, "kind": kind, "amount": amount},
                                    {"id": "w2", "seat": main_seat, "kind": main, "amount": 5}]);
                let document = round(json!({}), wagers, plain_play());
                let expected: Vec<&str> = code.into_iter().collect();
                assert_eq!(table.violations(&document), expected, "{document}");
                assert_ne!(table.wager(&document, "w1").result, Verdict::Void);
            }
        }
        // What is not offered asks for neither.
        let wagers = json!([{"id": "w1", "seat": 1, "kind": kind, "amount": 1}]);
        let options = json!({"dragon_bonus": "off", "fortune_7": false});
        let document = round(options, wagers, plain_play());
        assert_eq!(table.violations(&document), ["wager.not_offered"]);
    }
}

#[test]
fn a_tournament_seat_bets_on_one_side() {
    let table = TestTable::<CommissionFree>::open();
    let wager = |seat: u16, kind: &str| json!({"id": format!("{seat}{kind}"), "seat": seat, "kind": kind, "amount": 500});
    for (wagers, expected) in [
        (
            json!([wager(1, "player"), wager(2, "banker"), wager(2, "tie")]),
            vec![],
        ),
        (
            json!([wager(1, "player"), wager(1, "banker")]),
            vec!["tournament.both_sides"],
        ),
        (
            json!([wager(1, "player"), wager(2, "tie")]),
            vec!["tournament.no_main_bet"],
        ),
    ] {
        let document = round(json!({"tournament": true}), wagers.clone(), plain_play());
        assert_eq!(table.violations(&document), expected, "{document}");
        let outside = round(json!({}), wagers, plain_play());
        assert_eq!(table.violations(&outside), Vec::<&str>::new());
    }
}

#[test]
fn a_tournament_leaves_the_three_card_seven_and_the_tie_as_they_are() {
    let table = TestTable::<CommissionFree>::open();
    let options = json!({"tournament": true, "tie_pays": "9:1"});
    let seven = json!({"player": ["3S", "3H"], "banker": ["5C", "KD", "2H"]});
    let document = round(options.clone(), banker_bet(), seven);
    assert_eq!(table.wager(&document, "w1").result, Verdict::Push);
    let tied = json!({"player": ["KS", "7H"], "banker": ["KC", "7D"]});
    let wagers = json!([{"id": "w1", "seat": 1, "kind": "tie", "amount": 100},
                        {"id": "w2", "seat": 1, "kind": "player", "amount": 100}]);
    let document = round(options, wagers, tied);
    assert_eq!(table.wager(&document, "w1").returned.get(), 1000);
}

#[test]
fn a_four_deck_batch_is_lawful_with_a_shuffler_only() {
    let table = TestTable::<CommissionFree>::open();
    for (decks, shuffler, lawful) in [
        (4, true, true),
        (3, true, false),
        (8, true, true),
        (9, true, false),
        (5, false, false),
        (6, false, true),
        (9, false, false),
    ] {
        let options = json!({"decks": decks, "shuffler": shuffler});
        let document = round(options, banker_bet(), plain_play());
        let expected: &[&str] = if lawful { &[] } else { &["deck.illegal_count"] };
        assert_eq!(table.violations(&document), expected, "{document}");
    }
}

#[test]
fn what_describes_nothing_is_refused_by_its_place() {
    testkit::assert_common_refusals::<CommissionFree>(OhJack2017);
    let table = TestTable::<CommissionFree>::open();
    let patron = json!([{"id": "w1", "seat": 1, "kind": "tie", "amount": 5, "patron": "p"}]);
    for (document, expected) in [
        (
            round(
                json!({"vigorish_rounding": "up"}),
                banker_bet(),
                plain_play(),
            ),
            r#"options.vigorish_rounding: "vigorish_rounding" is not an option of"#,
        ),
        (
            round(json!({"dragon_bonus": "B"}), banker_bet(), plain_play()),
            r#"options.dragon_bonus: "B" cannot be read"#,
        ),
        (
            round(json!({}), patron, plain_play()),
            r#"wagers[0].patron: "patron" is not a known key here"#,
        ),
    ] {
        let refusal = table.refusal(&document);
        assert!(refusal.starts_with(expected), "{expected}\ngot {refusal}");
    }
}
