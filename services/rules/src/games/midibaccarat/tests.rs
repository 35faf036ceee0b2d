//! Midibaccarat: every cell, every refusal, every violation. The mathematics of the shoe is tested with
//! the hands that the games of the family share.

use serde_json::json;

use super::Midibaccarat;
use crate::Edition::Mgc2017;
use crate::games::shared::baccarat::house::testkit;

#[test]
fn every_cell_of_every_pay_table_pays_what_is_filed() {
    testkit::assert_cells::<Midibaccarat>(include_str!("cells.txt"));
}

#[test]
fn faults_that_every_table_flags_are_flagged() {
    testkit::assert_common_violations::<Midibaccarat>(Mgc2017);
}

#[test]
fn a_round_without_a_decision_gives_everything_back() {
    testkit::assert_no_decision_voids_all::<Midibaccarat>(Mgc2017);
}

#[test]
fn a_house_money_payout_is_pressed_once_on_the_seats_own_wager_for_the_filed_portion() {
    testkit::assert_presses::<Midibaccarat>(Mgc2017);
    testkit::assert_presses_share_the_fate::<Midibaccarat>(Mgc2017);
    testkit::assert_presses_beyond_the_portion::<Midibaccarat>(Mgc2017);
}

#[test]
fn a_tie_is_never_due_less_than_eight_to_one() {
    testkit::assert_tie_minimum::<Midibaccarat>(Mgc2017);
}

#[test]
fn a_seat_that_the_layout_does_not_have_is_flagged_and_settled() {
    testkit::assert_seats::<Midibaccarat>(Mgc2017, 9);
}

#[test]
fn what_is_not_offered_goes_back() {
    testkit::assert_offers_of_handled_cards::<Midibaccarat>();
}

#[test]
fn six_decks_are_the_fewest_and_there_is_no_upper_limit() {
    let decks = [(1, false), (5, false), (6, true), (12, true), (1000, true)];
    testkit::assert_decks::<Midibaccarat>(&json!({}), &decks);
}

#[test]
fn what_describes_nothing_is_refused_by_its_place() {
    testkit::assert_common_refusals::<Midibaccarat>(Mgc2017);
    testkit::assert_refusals_of_handled_cards::<Midibaccarat>("player_handling");
}
