//! Texas Hold'em Bonus Poker.

use serde_json::json;

use super::{assert_cases, codes, table};

/// Seat 1 bets every street and wins with kings; seat 2 folds A-Q suited over a bonus wager.
const BONUS: &str = "
    open s1
    bet a1 1 ante 500
    bet a2 2 ante 500
    bet x2 2 bonus 200
    no-more-bets
    card seat 1 KC
    card seat 2 ??
    card dealer ??
    card seat 1 7H
    card seat 2 ??
    card dealer ??
    bet f1 1 flop 1000
    say 2 fold
    take a2
    show seat 2 0 AC
    show seat 2 1 QC
    burn
    card community KD up
    card community QH up
    card community 5S up
    bet t1 1 turn 500
    burn
    card community 3C up
    bet r1 1 river 500
    burn
    card community 2D up
    show dealer 0 9S
    show dealer 1 9C
    push a1
    pay f1 1000
    pay t1 500
    pay r1 500
    pay x2 4000
    close";

#[test]
fn texas_holdem_bonus_out_of_its_order_is_found() {
    let cases: [(&str, &str, &[&str]); 9] = [
        // A card of the dealer is seen before the turn, and the round goes on.
        (
            "bet t1 1 turn 500\n",
            "show dealer 0 9S\n    bet t1 1 turn 500\n",
            &["deal.dealer_exposed_not_voided"],
        ),
        (
            "bet t1 1 turn 500\n    burn\n    card community 3C up\n",
            "burn\n    card community 3C up\n    bet t1 1 turn 500\n",
            &["thb.street_late"],
        ),
        (
            "burn\n    card community 2D up\n",
            "card community 2D up\n",
            &["deal.burn"],
        ),
        (
            "push a1\n",
            "pay a1 500\n",
            &["pay.over", "thb.ante_paid_below_qualifier"],
        ),
        (
            "pay x2 4000\n",
            "take x2\n",
            &["pay.unpaid", "thb.bonus_mucked_on_fold"],
        ),
        (
            "pay x2 4000\n",
            "pay x2 200000\n",
            &["pay.over", "thb.both_aces_error"],
        ),
        (
            "say 2 fold\n",
            "raise f1 1500\n    say 2 fold\n",
            &["wager.capped"],
        ),
        // Before the flop nobody is asked in turn.
        (
            "bet f1 1 flop 1000\n    say 2 fold\n",
            "say 2 fold\n    bet f1 1 flop 1000\n",
            &[],
        ),
        (
            "card dealer ??\n    card seat 1 7H\n    card seat 2 ??\n    card dealer ??\n",
            "card seat 1 7H\n    card dealer ??\n    card seat 2 ??\n    card dealer ??\n",
            &["deal.order"],
        ),
    ];
    assert_cases("texas_holdem_bonus", &json!({}), BONUS, &cases);
    // A feed that never tells burns is not judged by them.
    let none: [&str; 0] = [];
    let silent = BONUS.replace("    burn\n", "");
    assert_eq!(
        codes(&table("texas_holdem_bonus", json!({}), &silent)),
        none
    );
}

/// A card of the dealer is seen before the flop, and no other one of his.
#[test]
fn a_round_that_is_void_in_part_settles_the_bonus_alone() {
    let honest = r#"
        open s1
        bet a1 1 ante 500
        bet a2 2 ante 500
        bet x2 2 bonus 200
        no-more-bets
        card seat 1 ??
        card seat 2 ??
        card dealer ??
        card seat 1 ??
        card seat 2 ??
        card dealer ??
        show dealer 0 AS
        {"type": "irregularity", "kind": "hole_card_exposed", "ruling": "void"}
        show seat 2 0 AC
        show seat 2 1 AD
        push a1
        push a2
        pay x2 6000
        close"#;
    let cases: [(&str, &str, &[&str]); 2] = [
        ("pay x2 6000\n", "push x2\n", &["pay.unpaid"]),
        (
            "pay x2 6000\n",
            "show dealer 1 AH\n        pay x2 200000\n",
            &["pay.over", "thb.both_aces_error"],
        ),
    ];
    let options = json!({"bonus_both_aces": "1000:1"});
    assert_cases("texas_holdem_bonus", &options, honest, &cases);
}

#[test]
fn a_bonus_is_not_taken_with_cards_that_nobody_saw() {
    let seen = "    show seat 2 0 AC\n    show seat 2 1 QC\n";
    let mucked = BONUS
        .replace("take a2\n", "take a2\n    take x2\n")
        .replace(seen, "")
        .replace("    pay x2 4000\n", "");
    let found = codes(&table("texas_holdem_bonus", json!({}), &mucked));
    assert_eq!(found, ["thb.bonus_mucked_on_fold"]);
    // Who leaves has lost it, and his cards are nobody's business.
    let left = mucked.replace("say 2 fold", "say 2 abandoned");
    let found = codes(&table("texas_holdem_bonus", json!({}), &left));
    assert_eq!(found, [] as [&str; 0]);
}

/// Everybody has folded, and the dealer shows what he has: no card was seen too early, and an ante that went
/// back was lost.
#[test]
fn a_dealer_may_show_when_everybody_has_folded() {
    let honest = "
        open s1
        bet a 1 ante 500
        no-more-bets
        card seat 1 TC
        card dealer ??
        card seat 1 7D
        card dealer ??
        say 1 fold
        show dealer 0 AS
        show dealer 1 AC
        take a
        close";
    let cases: [(&str, &str, &[&str]); 1] = [("take a\n", "push a\n", &["pay.uncollected"])];
    assert_cases("texas_holdem_bonus", &json!({}), honest, &cases);
}

/// § 11.C, E: on the turn and on the river the dealer asks clockwise.
#[test]
fn turn_and_river_are_asked_for_in_turn() {
    let honest = BONUS
        .replace("    bet x2 2 bonus 200\n", "")
        .replace("    say 2 fold\n    take a2\n", "    bet f2 2 flop 1000\n")
        .replace("bet t1 1 turn 500\n", "say 1 check\n    say 2 check\n")
        .replace("bet r1 1 river 500\n", "say 1 check\n    say 2 check\n")
        .replace("    pay t1 500\n    pay r1 500\n    pay x2 4000\n", "")
        .replace("push a1\n", "push a2\n    pay f2 1000\n    push a1\n");
    let cases: [(&str, &str, &[&str]); 2] = [
        (
            "bet f1 1 flop 1000\n    bet f2 2 flop 1000\n",
            "bet f2 2 flop 1000\n    bet f1 1 flop 1000\n",
            &[],
        ),
        (
            "say 1 check\n    say 2 check\n",
            "say 2 check\n    say 1 check\n",
            &["thb.turn_order"],
        ),
    ];
    assert_cases("texas_holdem_bonus", &json!({}), &honest, &cases);
}

/// A feed that knows all cards turns none: that the ante went before the flop says who folded.
#[test]
fn an_ante_that_goes_before_the_flop_is_a_fold() {
    let told = |lines: &str| {
        let mut lines = lines.to_owned();
        for card in ["9S", "9C"] {
            lines = lines.replacen("card dealer ??", &format!("card dealer {card}"), 1);
        }
        let lines = lines.replace("    show dealer 0 9S\n    show dealer 1 9C\n", "");
        lines.replace("bet f1 1", "say 1 play\n    bet f1 1")
    };
    let honest = told(&BONUS.replace("    say 2 fold\n", ""));
    let cases: [(&str, &str, &[&str]); 1] = [(
        "    take a2\n",
        "",
        &["thb.play_without_decision", "pay.uncollected"],
    )];
    assert_cases("texas_holdem_bonus", &json!({}), &honest, &cases);
}
