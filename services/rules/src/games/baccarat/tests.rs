//! Baccarat: every cell, every refusal, every violation. The mathematics of the shoe is tested with
//! the hands that the games of the family share.

use serde_json::json;

use super::Baccarat;
use crate::Edition::Mgc2017;
use crate::games::shared::baccarat::house::testkit;

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
    testkit::assert_presses_beyond_the_portion::<Baccarat>(Mgc2017);
}

#[test]
fn a_tie_is_never_due_less_than_eight_to_one() {
    testkit::assert_tie_minimum::<Baccarat>(Mgc2017);
}

#[test]
fn a_seat_that_the_layout_does_not_have_is_flagged_and_settled() {
    testkit::assert_seats::<Baccarat>(Mgc2017, 14);
}

#[test]
fn what_is_not_offered_goes_back() {
    testkit::assert_offers_of_handled_cards::<Baccarat>();
}

#[test]
fn a_batch_shuffler_does_not_change_how_many_decks_are_lawful() {
    let decks = [(4, false), (6, true), (8, true), (9, false)];
    testkit::assert_decks::<Baccarat>(&json!({"shuffler": true}), &decks);
    testkit::assert_decks::<Baccarat>(&json!({}), &decks);
}

#[test]
fn what_describes_nothing_is_refused_by_its_place() {
    testkit::assert_common_refusals::<Baccarat>(Mgc2017);
    testkit::assert_refusals_of_handled_cards::<Baccarat>("continuous_shuffler");
}
