//! Minibaccarat: every cell, every refusal, every violation of its two editions.

use serde_json::{Value, json};

use super::Minibaccarat;
use crate::Edition::{self, Mgc2017, OhJack2017};
use crate::games::shared::baccarat::house::testkit::{self, banker_bet, plain_play};
use crate::settlement::Verdict;
use crate::testkit::TestTable;

#[test]
fn every_cell_of_every_pay_table_pays_what_is_filed() {
    testkit::assert_cells::<Minibaccarat>(include_str!("cells.txt"));
}

#[test]
fn faults_that_every_table_flags_are_flagged_in_both_editions() {
    testkit::assert_common_violations::<Minibaccarat>(Mgc2017);
    testkit::assert_common_violations::<Minibaccarat>(OhJack2017);
}

#[test]
fn a_round_without_a_decision_gives_everything_back() {
    testkit::assert_no_decision_voids_all::<Minibaccarat>(Mgc2017);
    testkit::assert_no_decision_voids_all::<Minibaccarat>(OhJack2017);
}

#[test]
fn a_house_money_payout_is_pressed_once_on_the_seats_own_wager_for_the_filed_portion() {
    testkit::assert_presses::<Minibaccarat>(Mgc2017);
    testkit::assert_presses_share_the_fate::<Minibaccarat>(Mgc2017);
    testkit::assert_presses_beyond_the_portion::<Minibaccarat>(Mgc2017);
}

#[test]
fn a_tie_is_never_due_less_than_eight_to_one() {
    testkit::assert_tie_minimum::<Minibaccarat>(Mgc2017);
    testkit::assert_tie_minimum::<Minibaccarat>(OhJack2017);
}

#[test]
fn a_seat_that_the_layout_does_not_have_is_flagged_and_settled() {
    testkit::assert_seats::<Minibaccarat>(Mgc2017, 9);
    testkit::assert_seats::<Minibaccarat>(OhJack2017, 18);
}

#[test]
fn what_is_not_offered_goes_back() {
    let off = || json!({"dragon_bonus": "off", "house_money": false});
    let offers = testkit::assert_offers::<Minibaccarat>;
    offers(Mgc2017, "dragon_bonus_player", json!({}), off());
    offers(Mgc2017, "house_money", json!({}), off());
    offers(Mgc2017, "dragon_7", json!({"ez_baccarat": true}), json!({}));
    offers(Mgc2017, "panda_8", json!({"ez_baccarat": true}), json!({}));
    let ohio_off = json!({"dragon_bonus": "off"});
    offers(OhJack2017, "dragon_bonus_player", json!({}), ohio_off);
}

fn round(edition: Edition, options: Value, wagers: Value, play: Value) -> Value {
    TestTable::<Minibaccarat>::open().document(edition, options, wagers, play)
}

#[test]
fn what_describes_nothing_is_refused_by_its_place() {
    testkit::assert_common_refusals::<Minibaccarat>(Mgc2017);
    testkit::assert_common_refusals::<Minibaccarat>(OhJack2017);
    let table = TestTable::<Minibaccarat>::open();
    let cases = [
        (
            round(
                OhJack2017,
                json!({"dragon_bonus": "B"}),
                banker_bet(),
                plain_play(),
            ),
            r#"options.dragon_bonus: "B" cannot be read; write one of "off", "A" (oh-jack-2017)"#,
        ),
        (
            round(
                OhJack2017,
                json!({"ez_baccarat": true}),
                banker_bet(),
                plain_play(),
            ),
            r#"options.ez_baccarat: "ez_baccarat" is not an option of minibaccarat in oh-jack-2017"#,
        ),
        (
            round(
                Mgc2017,
                json!({"house_money_press_percent": 101}),
                banker_bet(),
                plain_play(),
            ),
            "options.house_money_press_percent: 101 cannot be read",
        ),
        (
            round(
                Mgc2017,
                json!({}),
                banker_bet(),
                json!({"error_card_disclosed": true}),
            ),
            "play.error_card_disclosed: a key of oh-jack-2017 only",
        ),
        (
            round(Edition::MgcAmended, json!({}), banker_bet(), plain_play()),
            r#"edition: "mgc-amended" is not an edition of minibaccarat"#,
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
fn standing_violations_show_in_void_rounds_too() {
    let table = TestTable::<Minibaccarat>::open();
    let document = round(
        OhJack2017,
        json!({"decks": 5, "tie_pays": "7:1", "tournament": true}),
        json!([{"id": "w1", "seat": 1, "kind": "dragon_bonus_player", "amount": 50, "patron": "p"},
               {"id": "w2", "seat": 2, "kind": "player", "amount": 50, "patron": "p"},
               {"id": "w3", "seat": 2, "kind": "banker", "amount": 50},
               {"id": "w4", "seat": 2, "kind": "dragon_7", "amount": 50},
               {"id": "w5", "seat": 2, "kind": "fortune_7", "amount": 50}]),
        json!({"void": "insufficient_cards", "player": ["5S"]}),
    );
    assert_eq!(
        table.violations(&document),
        [
            "config.odds_below_minimum",
            "deck.illegal_count",
            "tournament.both_sides",
            "tournament.no_main_bet",
            "wager.multi_position",
            "wager.not_offered",
            "wager.side_without_main",
            "wager.under_min",
        ]
    );
    assert!(
        table
            .settle(&document)
            .wagers()
            .iter()
            .all(|w| w.result == Verdict::Void)
    );
}

#[test]
fn a_four_deck_batch_is_lawful_only_in_ohio_and_with_a_shuffler() {
    let table = TestTable::<Minibaccarat>::open();
    let play = json!({"player": ["5S", "AH"], "banker": ["3C", "4D"]});
    for (edition, shuffler, lawful) in [
        (OhJack2017, true, true),
        (OhJack2017, false, false),
        (Mgc2017, true, false),
    ] {
        let options = json!({"decks": 4, "shuffler": shuffler});
        let document = round(edition, options, banker_bet(), play.clone());
        let expected: &[&str] = if lawful { &[] } else { &["deck.illegal_count"] };
        assert_eq!(
            table.violations(&document),
            expected,
            "{edition} shuffler {shuffler}"
        );
    }
}

#[test]
fn five_equal_cards_need_five_decks() {
    let table = TestTable::<Minibaccarat>::open();
    let play = json!({"player": ["2S", "2S", "2S"], "banker": ["2S", "2S", "2H"]});
    for (decks, expected) in [(4, vec!["deck.duplicate_card"]), (5, vec![])] {
        let options = json!({"decks": decks, "shuffler": true});
        let document = round(OhJack2017, options, banker_bet(), play.clone());
        assert_eq!(table.violations(&document), expected, "{decks} decks");
    }
}

#[test]
fn ohio_codes_are_raised_by_the_wagers_that_break_them_only() {
    let table = TestTable::<Minibaccarat>::open();
    let wager = |id: &str, seat: u16, kind: &str, amount: i64, patron: &str| json!({"id": id, "seat": seat, "kind": kind, "amount": amount, "patron": patron});
    let cases = [
        (
            "wager.side_without_main",
            json!([
                wager("a", 1, "dragon_bonus_player", 100, "p"),
                wager("b", 2, "tie", 100, "q")
            ]),
            json!([
                wager("a", 1, "dragon_bonus_player", 100, "p"),
                wager("b", 1, "tie", 100, "p")
            ]),
        ),
        (
            "wager.under_min",
            json!([
                wager("a", 1, "dragon_bonus_banker", 99, "p"),
                wager("b", 1, "player", 99, "p")
            ]),
            json!([
                wager("a", 1, "dragon_bonus_banker", 100, "p"),
                wager("b", 1, "player", 99, "p")
            ]),
        ),
        (
            "wager.multi_position",
            json!([
                wager("a", 1, "player", 100, "p"),
                wager("b", 2, "player", 100, "p")
            ]),
            json!([
                wager("a", 1, "player", 100, "p"),
                wager("b", 2, "player", 100, "q")
            ]),
        ),
        (
            "tournament.both_sides",
            json!([
                wager("a", 1, "player", 100, "p"),
                wager("b", 1, "banker", 100, "p")
            ]),
            json!([
                wager("a", 1, "player", 100, "p"),
                wager("b", 2, "banker", 100, "q")
            ]),
        ),
        (
            "tournament.no_main_bet",
            json!([
                wager("a", 1, "tie", 100, "p"),
                wager("b", 2, "banker", 100, "q")
            ]),
            json!([
                wager("a", 1, "tie", 100, "p"),
                wager("b", 1, "banker", 100, "p")
            ]),
        ),
    ];
    for (code, raising, lawful) in cases {
        let options = json!({"tournament": code.starts_with("tournament")});
        let codes = |wagers: Value| {
            table.violations(&round(OhJack2017, options.clone(), wagers, plain_play()))
        };
        assert_eq!(codes(raising.clone()), [code]);
        assert_eq!(codes(lawful), Vec::<&str>::new(), "twin of {code}");
        // The Massachusetts text asks none of it.
        let massachusetts = round(Mgc2017, json!({}), raising, plain_play());
        assert_eq!(table.violations(&massachusetts), Vec::<&str>::new());
    }
}

#[test]
fn a_fourth_card_is_ignored() {
    let table = TestTable::<Minibaccarat>::open();
    let play = json!({"player": ["KS", "2H", "3D", "9C"], "banker": ["3C", "4D"]});
    let document = round(Mgc2017, json!({}), banker_bet(), play);
    assert_eq!(table.violations(&document), ["baccarat.too_many_cards"]);
    assert_eq!(table.wager(&document, "w1").result, Verdict::Win);
}

#[test]
fn missing_third_cards_are_flagged_and_the_round_settled_as_it_lies() {
    let table = TestTable::<Minibaccarat>::open();
    let play = json!({"player": ["KS", "2H"], "banker": ["3C", "2D"]});
    let document = round(Mgc2017, json!({}), banker_bet(), play);
    assert_eq!(
        table.violations(&document),
        [
            "baccarat.banker_missing_third_card",
            "baccarat.player_missing_third_card"
        ]
    );
    assert_eq!(table.wager(&document, "w1").returned.get(), 1950);
}

#[test]
fn a_house_charges_banker_wins_or_banker_ties_and_a_tournament_neither() {
    let table = TestTable::<Minibaccarat>::open();
    let tied = json!({"player": ["7S", "JH"], "banker": ["9C", "8D"]});
    let won = plain_play();
    let wagers = json!([{"id": "w1", "seat": 1, "kind": "banker", "amount": 4410}]);
    for (options, on_tie, on_win) in [
        (json!({}), 0, 220),
        (json!({"vigorish_rounding": "up"}), 0, 225),
        (json!({"vigorish_type": "tie_25pct"}), 1102, 0),
        (
            json!({"vigorish_type": "tie_25pct", "vigorish_rounding": "up"}),
            1105,
            0,
        ),
        (json!({"tournament": true}), 0, 0),
        (
            json!({"tournament": true, "vigorish_type": "tie_25pct"}),
            0,
            0,
        ),
    ] {
        for (play, stake_and_win, verdict, charge) in [
            (&tied, 4410, Verdict::Push, on_tie),
            (&won, 8820, Verdict::Win, on_win),
        ] {
            let document = round(OhJack2017, options.clone(), wagers.clone(), play.clone());
            let wager = table.wager(&document, "w1");
            assert_eq!(
                (wager.result, wager.commission.get(), wager.returned.get()),
                (verdict, charge, stake_and_win - charge),
                "{document}"
            );
        }
    }
}
