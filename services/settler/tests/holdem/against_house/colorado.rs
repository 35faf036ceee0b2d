//! Colorado Hold'em Poker.

use serde_json::json;

use super::assert_cases;

/// Seat 1 plays queens, seat 2 declares an instant winner.
pub(super) const COLORADO: &str = "
    open s1
    bet a1 1 ante 1000
    bet a2 2 ante 1000
    no-more-bets
    card seat 1 ??
    card seat 2 6H
    card community KS
    card seat 1 ??
    card seat 2 7H
    card community 9D
    card seat 1 ??
    card seat 2 8H
    card community 2H
    bet b1 1 bet 1000
    say 1 play
    say 2 instant
    pay a2 5000
    show community 0 KS
    show community 1 9D
    show community 2 2H
    show seat 1 0 QS
    show seat 1 1 QD
    pay a1 1000
    pay b1 1000
    close";

#[test]
fn colorado_holdem_out_of_its_order_is_found() {
    let cases: [(&str, &str, &[&str]); 11] = [
        ("say 2 instant\n", "say 2 declare_instant_winner\n", &[]),
        ("say 2 instant\n", "say 2 declare\n", &[]),
        ("say 2 instant\n", "say 2 immediate_winner\n", &[]),
        // The discard is told by word instead of being the card that nobody saw.
        (
            "show seat 1 1 QD\n",
            "show seat 1 1 QD\n    show seat 1 2 5C\n    say 1 discard~5C\n",
            &[],
        ),
        (
            "bet b1 1 bet 1000\n    say 1 play\n    say 2 instant\n    pay a2 5000\n    show community 0 KS\n",
            "say 1 play\n    say 2 instant\n    pay a2 5000\n    show community 0 KS\n    bet b1 1 bet 1000\n",
            &["colorado.bet_late"],
        ),
        (
            "say 2 instant\n    pay a2 5000\n    show community 0 KS\n",
            "show community 0 KS\n    say 2 instant\n    pay a2 5000\n",
            &[
                "colorado.instant_after_board",
                "deal.community_exposed_early",
            ],
        ),
        (
            "pay a1 1000\n",
            "raise b1 5000\n    pay a1 1000\n",
            &["wager.capped"],
        ),
        (
            "card seat 1 ??\n    card seat 2 6H\n",
            "card seat 2 6H\n    card seat 1 ??\n",
            &["deal.order"],
        ),
        ("pay a2 5000\n", "pay a2 3000\n", &["pay.under"]),
        // One card is put down, and then another.
        (
            "say 1 play\n",
            "say 1 discard~5C\n    say 1 discard~5C\n",
            &[],
        ),
        (
            "say 1 play\n",
            "say 1 discard~5C\n    say 1 discard~QS\n",
            &["colorado.discard_count"],
        ),
    ];
    assert_cases("colorado_holdem", &json!({}), COLORADO, &cases);
}

/// s.10(b)2: the ante of who folds goes before the community cards are turned.
#[test]
fn an_ante_that_goes_before_the_community_cards_is_a_fold() {
    let honest = COLORADO.replace("say 2 instant\n    pay a2 5000\n", "take a2\n");
    let late = "show community 2 2H\n    take a2\n";
    let cases: [(&str, &str, &[&str]); 1] = [(
        "take a2\n    show community 0 KS\n    show community 1 9D\n    show community 2 2H\n",
        &format!("show community 0 KS\n    show community 1 9D\n    {late}"),
        &["colorado.no_decision", "pay.under"],
    )];
    assert_cases("colorado_holdem", &json!({}), &honest, &cases);
}

/// Without a bet the hand is played by its cards alone, also where the feed tells what others said.
#[test]
fn two_cards_that_are_turned_were_played() {
    let honest = COLORADO
        .replace("    bet b1 1 bet 1000\n    say 1 play\n", "")
        .replace("    pay b1 1000\n", "");
    let cases: [(&str, &str, &[&str]); 1] = [("pay a1 1000\n", "push a1\n", &["pay.unpaid"])];
    let options = json!({"version": "permissible"});
    assert_cases("colorado_holdem", &options, &honest, &cases);
}
