//! Texas Hold'em Bonus.

use catwalk_odds::Basis;
use serde_json::json;

use super::super::{Lines, assert_exact, assert_sound, edge, sheet};

const GAME: &str = "texas_holdem_bonus";
const EDITION: &str = "oh-jack-2017";

/// Of 1,326 hands: what each row gives by its minimum odds.
#[test]
fn the_bonus_keeps_what_its_rows_leave() {
    let sheet = sheet(GAME, EDITION, json!({}));
    // 6 x 30, 4 x 25, 8 x 20, 12 x 15, 18 x 10, 24 x 5 and 54 x 3 are won; the other 1,200 are lost.
    assert_exact(sheet.line("bonus"), 1_200 - 1_082, 1_326);
    assert_sound(&sheet);
}

#[test]
fn a_prize_for_aces_on_both_sides_takes_the_place_of_their_row() {
    let sheet = sheet(GAME, EDITION, json!({"bonus_both_aces": "1000:1"}));
    // Each of 6 x 1 pairs of hands among 1,326 x 1,225 pays 970 more.
    assert_exact(
        sheet.line("bonus"),
        (1_200 - 1_082) * 1_225 - 6 * 970,
        1_326 * 1_225,
    );
}

/// 2.04 % are published for the best play of all three streets. Who bets by what lies there, and not by what may come,
/// loses more: 3.4 %.
#[test]
fn the_hand_by_its_declared_strategy_keeps_more_than_by_the_best_play() {
    let sheet = sheet(GAME, EDITION, json!({}));
    let ante = sheet.line("ante");
    let Basis::Sampled { rounds, .. } = ante.basis else {
        panic!("{ante:?}")
    };
    let error = ante.standard_error.unwrap();
    assert!(error < 0.002, "{error} of {rounds} rounds");
    let keeps = edge(ante).approximate();
    assert!(keeps > 0.0204 + 3.0 * error, "{keeps} with {error}");
    assert!((keeps - 0.0336).abs() < 0.0001, "{keeps}");
    assert!(sheet.line("flop").figures.is_none());
}

/// What was drawn is settled by what the table posts: an ante that only a flush pays costs more.
#[test]
fn an_ante_that_pays_from_a_flush_on_costs_what_straights_won() {
    let edge_of = |options| {
        let sheet = sheet(GAME, EDITION, options);
        edge(sheet.line("ante")).approximate()
    };
    let costs = edge_of(json!({"ante_qualifier": "flush"})) - edge_of(json!({}));
    assert!(costs > 0.02 && costs < 0.05, "{costs}");
}
