//! The baccarat family, from a whole shoe.

use serde_json::json;

use super::super::{Lines, assert_sound, edge, millionths, sheet};
use catwalk_odds::{Basis, Exact};

/// 416 x 415 x 414 x 413 x 412 x 411 ordered draws of six cards from eight decks.
const DRAWS: i64 = 4_998_398_275_503_360;

#[test]
fn eight_decks_have_the_published_edges() {
    for game in ["baccarat", "midibaccarat", "minibaccarat"] {
        let sheet = sheet(game, "mgc-2017", json!({}));
        assert_sound(&sheet);
        // Published: Player 1.2351%, Banker 1.0579%, Tie 14.3596%.
        assert_eq!(millionths(sheet.line("player")), 12_350);
        assert_eq!(millionths(sheet.line("banker")), 10_579);
        assert_eq!(millionths(sheet.line("tie")), 143_596);
        let player = sheet.line("player").figures.as_ref().unwrap();
        assert_eq!(
            player.probability("win"),
            Exact::new(2_230_518_282_592_256_i64, DRAWS)
        );
        assert_eq!(
            player.probability("lose"),
            Exact::new(2_292_252_566_437_888_i64, DRAWS)
        );
        assert_eq!(
            player.probability("push"),
            Exact::new(475_627_426_473_216_i64, DRAWS)
        );
        assert_eq!(edge(sheet.line("player")).percent(), "1.2351%");
        assert_eq!(sheet.line("player").basis, Basis::Exact);
    }
}

#[test]
fn without_commission_and_with_it_on_ties_the_banker_has_the_published_edges() {
    // EZ Banker 1.0183%, Dragon 7 and Fortune 7 7.61%, Panda 8 10.19%.
    let ez = sheet("minibaccarat", "mgc-2017", json!({"ez_baccarat": true}));
    assert_eq!(millionths(ez.line("banker")), 10_183);
    assert_eq!(millionths(ez.line("dragon_7")), 76_113);
    assert_eq!(millionths(ez.line("panda_8")), 101_876);
    let free = sheet(
        "dragon_bonus_baccarat_commission_free",
        "oh-jack-2017",
        json!({}),
    );
    assert_eq!(millionths(free.line("banker")), 10_183);
    assert_eq!(millionths(free.line("fortune_7")), 76_113);
    let options = json!({"vigorish_type": "tie_25pct"});
    let on_ties = sheet("minibaccarat", "oh-jack-2017", options);
    assert_eq!(millionths(on_ties.line("banker")), 11_438);
}

#[test]
fn the_dragon_bonus_has_the_published_edges_by_each_table() {
    for (table, player, banker) in [
        ("A", 26_516, 93_730),
        ("B", 25_822, 88_473),
        ("C", 24_996, 85_305),
    ] {
        let sheet = sheet("minibaccarat", "mgc-2017", json!({"dragon_bonus": table}));
        assert_eq!(millionths(sheet.line("dragon_bonus_player")), player);
        assert_eq!(millionths(sheet.line("dragon_bonus_banker")), banker);
    }
    let off = sheet("minibaccarat", "mgc-2017", json!({"dragon_bonus": "off"}));
    let line = off.line("dragon_bonus_player");
    assert!(matches!(&line.basis, Basis::NotComputed(why) if why.contains("does not take it")));
    assert_eq!(line.figures, None);
}

#[test]
fn house_money_meets_as_many_pairs_as_combinatorics_counts() {
    let sheet = sheet("minibaccarat", "mgc-2017", json!({}));
    let figures = sheet.line("house_money").figures.as_ref().unwrap();
    // One hand a pair: 31 of 415; both, by whether the other pair is of the same rank.
    let same = 31 * 30 * 29;
    let other = 31 * 12 * 32 * 31;
    let both = Exact::new(same + other, 415 * 414 * 413_i64);
    assert_eq!(figures.rows[0].probability, both);
    assert_eq!(figures.rows[0].rows, ["both_pairs"]);
}

#[test]
fn the_free_choice_on_five_costs_what_was_counted() {
    let sheet = sheet("chemin_de_fer", "mgc-2017", json!({}));
    let punt = |said: &str| {
        let line = sheet.lines.iter().find(|line| {
            line.wager == "punt" && matches!(&line.basis, Basis::Declared(it) if it.contains(said))
        });
        millionths(line.unwrap())
    };
    assert_eq!((punt("stay"), punt("draw")), (15_241, 12_374));
}
