//! Baccarat: every cell, every refusal, every violation. The mathematics of the shoe is tested with
//! the hands that the games of the family share.

use serde_json::{Value, json};

use super::Baccarat;
use crate::Edition::Mgc2017;
use crate::games::shared::baccarat::house::testkit::{self, banker_bet, plain_play};
use crate::testkit::TestTable;

fn round(options: Value, wagers: Value, play: Value) -> Value {
    TestTable::<Baccarat>::open().document(Mgc2017, options, wagers, play)
}

#[test]
fn every_cell_of_every_pay_table_pays_what_is_filed() {
    testkit::assert_cells::<Baccarat>(include_str!("cells.txt"));
}

#[test]
fn faults_that_every_table_flags_are_flagged() {
    testkit::assert_common_violations::<Baccarat>(Mgc2017);
}

#[test]
fn a_round_without_a_decision_gives_everything_back() {
    testkit::assert_no_decision_voids_all::<Baccarat>(Mgc2017);
}

#[test]
fn a_house_money_payout_is_pressed_once_on_the_seats_own_wager_for_the_filed_portion() {
    testkit::assert_presses::<Baccarat>(Mgc2017);
    testkit::assert_presses_share_the_fate::<Baccarat>(Mgc2017);
}

#[test]
fn what_is_not_offered_goes_back() {
    let off = || json!({"dragon_bonus": "off", "house_money": false});
    let offers = testkit::assert_offers::<Baccarat>;
    offers(Mgc2017, "dragon_bonus_player", json!({}), off());
    offers(Mgc2017, "house_money", json!({}), off());
    offers(Mgc2017, "dragon_7", json!({"ez_baccarat": true}), json!({}));
    offers(Mgc2017, "panda_8", json!({"ez_baccarat": true}), json!({}));
    // The commission-free game's wager, and a press where House Money is off.
    let table = TestTable::<Baccarat>::open();
    for kind in ["fortune_7", "house_money_press"] {
        let wagers = json!([{"id": "w1", "seat": 1, "kind": kind, "amount": 1000}]);
        let document = round(off(), wagers, plain_play());
        assert_eq!(table.violations(&document), ["wager.not_offered"]);
        assert_eq!(table.wager(&document, "w1").returned.get(), 1000);
    }
}

#[test]
fn a_batch_shuffler_does_not_change_how_many_decks_are_lawful() {
    let table = TestTable::<Baccarat>::open();
    for (decks, expected) in [
        (4, vec!["deck.illegal_count"]),
        (6, vec![]),
        (8, vec![]),
        (9, vec!["deck.illegal_count"]),
    ] {
        let options = json!({"decks": decks, "shuffler": true});
        let document = round(options, banker_bet(), plain_play());
        assert_eq!(table.violations(&document), expected, "{decks} decks");
    }
}

#[test]
fn what_describes_nothing_is_refused_by_its_place() {
    testkit::assert_common_refusals::<Baccarat>(Mgc2017);
    let table = TestTable::<Baccarat>::open();
    let patron = json!([{"id": "w1", "seat": 1, "kind": "tie", "amount": 5, "patron": "p"}]);
    for (document, expected) in [
        (
            round(
                json!({"continuous_shuffler": true}),
                banker_bet(),
                plain_play(),
            ),
            r#"options.continuous_shuffler: "continuous_shuffler" is not an option of baccarat"#,
        ),
        (
            round(
                json!({"house_money_press_percent": 0}),
                banker_bet(),
                plain_play(),
            ),
            "options.house_money_press_percent: 0 cannot be read",
        ),
        (
            round(json!({}), patron, plain_play()),
            r#"wagers[0].patron: "patron" is not a known key here"#,
        ),
        (
            round(
                json!({}),
                banker_bet(),
                json!({"error_card_disclosed": false}),
            ),
            "play.error_card_disclosed: a key of oh-jack-2017 only",
        ),
    ] {
        let refusal = table.refusal(&document);
        assert!(refusal.starts_with(expected), "{expected}\ngot {refusal}");
    }
}
