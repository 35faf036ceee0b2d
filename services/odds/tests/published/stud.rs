//! The stud games: main wagers by the best play, side wagers by counting.

use serde_json::json;

use super::super::{Lines, assert_sound, edge, millionths, sheet};
use catwalk_odds::Basis;

#[test]
fn the_best_play_of_three_card_poker_costs_the_published_share() {
    let sheet = sheet("three_card_poker", "mgc-2017", json!({}));
    assert_sound(&sheet);
    let ante = sheet.line("ante");
    assert_eq!(ante.basis, Basis::OptimalPlay);
    // 3.3730% of the ante, and 2.01% of all that is staked.
    assert_eq!(millionths(ante), 33_729);
    let risk = ante.figures.as_ref().unwrap().element_of_risk.as_ref();
    assert_eq!(risk.unwrap().percent(), "2.0147%");
}

#[test]
fn pair_plus_and_the_six_card_bonus_have_their_published_edges() {
    // 35-35-25-5-3-1 costs 12.80% of the stake, 40-30-6-3-1 the published 7.28%.
    for (edition, published) in [
        ("mgc-2017", 1279),
        ("mgc-amended", 1279),
        ("oh-jack-2017", 727),
    ] {
        let sheet = sheet("three_card_poker", edition, json!({}));
        assert_eq!(
            millionths(sheet.line("pair_plus")) / 100,
            published,
            "{edition}"
        );
    }
    // 10.22%, 15.28%, 6.74%, 8.56% and 15.28%.
    for (table, published) in [
        ("tcp_6b1", 1_022),
        ("tcp_6b2", 1_527),
        ("tcp_6b3", 674),
        ("tcp_6b4", 856),
    ] {
        let options = json!({"six_card_table": table});
        let sheet = sheet("three_card_poker", "mgc-amended", options);
        assert_eq!(
            millionths(sheet.line("six_card_bonus")) / 100,
            published,
            "{table}"
        );
    }
    let ohio = sheet("three_card_poker", "oh-jack-2017", json!({}));
    assert_eq!(millionths(ohio.line("six_card_bonus")) / 100, 1_527);
}

#[test]
fn aces_up_and_queens_up_have_their_published_edges() {
    let four = sheet("four_card_poker", "oh-jack-2017", json!({}));
    assert_eq!(
        *edge(four.line("aces_up")),
        catwalk_odds::Exact::new(101_144, 2_598_960)
    );
    let crazy = sheet("crazy_four_poker", "oh-jack-2017", json!({}));
    assert_eq!(
        *edge(crazy.line("queens_up")),
        catwalk_odds::Exact::new(138_200, 2_598_960)
    );
}

#[test]
fn the_games_of_streets_cost_their_published_shares() {
    let ride = sheet("let_it_ride", "mgc-2017", json!({}));
    // 3.51% of one bet.
    assert!((35_050..35_100).contains(&millionths(ride.line("bet_1"))));
    let double = sheet("double_down_stud", "mgc-2017", json!({}));
    assert_eq!(millionths(double.line("bet")) / 100, 474);
    let mississippi = sheet("mississippi_stud", "oh-jack-2017", json!({}));
    assert_eq!(millionths(mississippi.line("ante")) / 100, 491);
    for sheet in [ride, double, mississippi] {
        assert_sound(&sheet);
    }
}

#[test]
fn the_bonuses_of_let_it_ride_and_mississippi_stud_have_their_published_edges() {
    for (table, published) in ["A", "B", "C", "D", "E", "F"]
        .into_iter()
        .zip([231, 557, 727, 213, 539, 709])
    {
        let options = json!({"three_card_bonus_paytable": table});
        let sheet = sheet("let_it_ride", "mgc-2017", options);
        assert_eq!(
            millionths(sheet.line("three_card_bonus")) / 100,
            published,
            "{table}"
        );
    }
    let ohio = sheet("let_it_ride", "oh-jack-2017", json!({}));
    assert_eq!(millionths(ohio.line("three_card_bonus")) / 100, 727);
    let mississippi = sheet("mississippi_stud", "oh-jack-2017", json!({}));
    assert_eq!(millionths(mississippi.line("three_card_bonus")) / 100, 727);
    // What is returned of the chip, in hundredths of a percent.
    for (edition, returned) in [("mgc-2017", 7_592), ("oh-jack-2017", 6_486)] {
        let sheet = sheet("let_it_ride", edition, json!({}));
        let kept = edge(sheet.line("let_it_ride_bonus")).approximate();
        assert_eq!(((1.0 - kept) * 10_000.0) as i64, returned, "{edition}");
    }
}

#[test]
fn the_games_against_five_cards_cost_their_published_shares() {
    // 5.224%, 3.419%, 3.467% and 2.79% of the ante.
    for (game, edition, published) in [
        ("caribbean_stud", "mgc-2017", 52_243),
        ("crazy_four_poker", "oh-jack-2017", 34_188),
        ("dj_wild", "oh-jack-2017", 34_673),
        ("four_card_poker", "oh-jack-2017", 27_878),
    ] {
        let sheet = sheet(game, edition, json!({}));
        assert_sound(&sheet);
        assert_eq!(millionths(sheet.line("ante")), published, "{game}");
    }
}

#[test]
fn what_is_kept_is_told_of_the_options_as_filed_alone() {
    let sheet = sheet(
        "dj_wild",
        "oh-jack-2017",
        json!({"payout_limit": 100_000_000}),
    );
    let ante = sheet.line("ante");
    assert_eq!(ante.figures, None);
    assert!(matches!(&ante.basis, Basis::NotComputed(why) if why.contains("--long")));
}
