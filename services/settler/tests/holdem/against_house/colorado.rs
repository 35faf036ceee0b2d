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

/// Seats 1 and 2 play queens and eights; the last seat is turned and settled first.
pub(super) const TWO: &str = "
    open s1
    bet a1 1 ante 1000
    bet a2 2 ante 1000
    no-more-bets
    card seat 1 ??
    card seat 2 ??
    card community KS
    card seat 1 ??
    card seat 2 ??
    card community 9D
    card seat 1 ??
    card seat 2 ??
    card community 2H
    bet b1 1 bet 1000
    bet b2 2 bet 1000
    show community 0 KS
    show community 1 9D
    show community 2 2H
    show seat 2 0 3S
    show seat 2 1 4D
    take a2
    take b2
    show seat 1 0 QS
    show seat 1 1 QD
    pay a1 1000
    pay b1 1000
    close";

/// s.10(b),(d): decisions go clockwise, the settlement counterclockwise.
#[test]
fn hands_are_decided_clockwise_and_settled_the_other_way() {
    let hands = [
        "show seat 1 0 QS\n    show seat 1 1 QD\n    ",
        "show seat 2 0 3S\n    show seat 2 1 4D\n    ",
    ];
    let taken = "take a2\n    take b2\n    ";
    let paid = "pay a1 1000\n    pay b1 1000\n";
    let turned = &format!("{}{taken}{}", hands[1], hands[0]);
    let cases: [(&str, &str, &[&str]); 4] = [
        (
            "bet b1 1 bet 1000\n    bet b2 2 bet 1000\n",
            "bet b2 2 bet 1000\n    bet b1 1 bet 1000\n",
            &["colorado.turn_order"],
        ),
        (
            &format!("{taken}{}{paid}", hands[0]),
            &format!("{}{paid}    {taken}", hands[0]),
            &["settle.order"],
        ),
        (
            turned,
            &format!("{}{}{taken}", hands[0], hands[1]),
            &["settle.order"],
        ),
        // All hands may be turned before the first is settled.
        (turned, &format!("{}{}{taken}", hands[1], hands[0]), &[]),
    ];
    assert_cases("colorado_holdem", &json!({}), TWO, &cases);
}

/// s.14(g)
#[test]
fn a_device_that_is_used_no_more_has_left_the_table() {
    let shoe = |method: &str, shuffler: Option<&str>| {
        let mut shoe =
            json!({"type": "shoe_started", "shoe": "s", "set": "A", "decks": 1, "method": method});
        shoe["shuffler"] = json!(shuffler);
        shoe.to_string()
    };
    let removed = |device: &str, kind: &str| {
        json!({"type": "device_adjusted", "device": device, "kind": kind, "removed": true})
            .to_string()
    };
    let found = |lines: &[String]| {
        let lines = lines.join("\n");
        let mut found = super::codes(&super::table("colorado_holdem", json!({}), &lines));
        found.retain(|code| code == "device.not_removed");
        found.len()
    };
    let (by_machine, by_hand) = (shoe("shoe", Some("m1")), shoe("shoe", None));
    let automated = shoe("auto_shoe", None);
    assert_eq!(found(&[by_machine.clone(), by_machine.clone()]), 0);
    assert_eq!(
        found(&[by_machine.clone(), by_hand.clone(), by_hand.clone()]),
        1
    );
    let other = removed("m2", "shuffler");
    assert_eq!(found(&[by_machine.clone(), other, by_hand.clone()]), 1);
    assert_eq!(
        found(&[by_machine, removed("m1", "shuffler"), by_hand.clone()]),
        0
    );
    assert_eq!(found(&[automated.clone(), by_hand.clone()]), 1);
    assert_eq!(found(&[automated, removed("a1", "shoe"), by_hand]), 0);
}
