//! Ultimate Texas Hold'em.

use serde_json::json;

use super::{assert_cases, codes, table};
use catwalk_stories::settle;

/// Seat 1 wins with queens after the flop; seat 2 folds on the river; the dealer has sixes.
pub(super) const ULTIMATE: &str = "
    open s1
    bet a1 1 ante 1000
    bet b1 1 blind 1000
    bet t1 1 trips 500
    bet a2 2 ante 1000
    bet b2 2 blind 1000
    no-more-bets
    card dealer ??
    card seat 1 QC
    card seat 2 ??
    card dealer ??
    card seat 1 7D
    card seat 2 ??
    say 1 check
    say 2 check
    card community QH up
    card community 9C up
    card community 5D up
    bet p1 1 play 2000
    say 2 check
    card community 3S up
    card community 2H up
    say 2 fold
    take a2
    take b2
    show dealer 0 6D
    show dealer 1 6S
    pay a1 1000
    push b1
    pay p1 2000
    take t1
    close";

#[test]
fn a_play_wager_belongs_to_the_street_on_which_it_was_made() {
    let (findings, rounds) = settle(&table("ultimate_texas_holdem", json!({}), ULTIMATE));
    assert_eq!(findings, []);
    let document = rounds[0].document.as_ref().unwrap();
    let play = &document["wagers"][5];
    assert_eq!(
        (&play["stage"], &play["on"]),
        (&json!("flop"), &json!("a1"))
    );
    // Nobody saw the folded cards; they decide nothing.
    let hands = &document["play"]["hands"];
    assert_eq!(hands[0]["cards"], json!(["QC", "7D"]));
    assert_eq!(
        (&hands[1]["decision"], &hands[1]["cards"]),
        (&json!("fold"), &json!(["??", "??"]))
    );
}

/// The stake in the decision, beside the wager or alone; a fold that only the chips tell.
#[test]
fn a_play_may_be_told_by_its_decision_and_a_fold_by_its_chips() {
    let spoken = r#"{"type": "decision", "seat": 1, "action": "play", "amount": 2000}"#;
    let both = format!("bet p1 1 play 2000\n    {spoken}\n");
    let cases: [(&str, &str, &[&str]); 3] = [
        ("bet p1 1 play 2000\n", &both, &[]),
        ("bet p1 1 play 2000\n", &format!("{spoken}\n"), &[]),
        ("say 2 fold\n", "", &[]),
    ];
    assert_cases("ultimate_texas_holdem", &json!({}), ULTIMATE, &cases);
}

#[test]
fn ultimate_texas_holdem_out_of_its_order_is_found() {
    let cases: [(&str, &str, &[&str]); 13] = [
        // A card of the dealer is seen early, and the round goes on to its last wagers.
        (
            "say 1 check\n    say 2 check\n    card community QH up\n    card community 9C up\n    card community 5D up\n    bet p1 1 play 2000\n    say 2 check\n    card community 3S up\n    card community 2H up\n    say 2 fold\n    take a2\n    take b2\n",
            "show dealer 0 6D\n    say 1 check\n    say 2 check\n    card community QH up\n    card community 9C up\n    card community 5D up\n    bet p1 1 play 2000\n    say 2 check\n    card community 3S up\n    card community 2H up\n    bet p2 2 play 1000\n    show seat 2 0 JC\n    show seat 2 1 8D\n    take p2\n    take a2\n    take b2\n",
            &["deal.dealer_exposed_not_voided"],
        ),
        (
            "say 1 check\n    say 2 check\n    card community QH up\n",
            "show dealer 0 6D\n    say 1 check\n    say 2 check\n    card community QH up\n",
            &["deal.dealer_exposed_not_voided"],
        ),
        // A four-fold wager when the flop is seen; a wager while the last cards are turned.
        (
            "bet p1 1 play 2000\n",
            "bet p1 1 play 4000\n",
            &["uth.play_multiple", "pay.under"],
        ),
        (
            "bet p1 1 play 2000\n    say 2 check\n    card community 3S up\n",
            "say 2 check\n    card community 3S up\n    bet p1 1 play 1000\n",
            &["uth.play_out_of_stage", "pay.over"],
        ),
        (
            "show dealer 0 6D\n",
            "show dealer 0 6D\n    bet p2 2 play 1000\n    push p2\n",
            // Nobody saw what the wager stood on.
            &["uth.play_out_of_stage", "uth.decision_mismatch"],
        ),
        (
            "say 2 fold\n",
            "raise p1 4000\n    say 2 fold\n",
            &["uth.play_twice", "wager.capped"],
        ),
        (
            "say 2 fold\n",
            "remove p1\n    say 2 fold\n",
            &["wager.pinched"],
        ),
        (
            "say 1 check\n    say 2 check\n",
            "say 2 check\n    say 1 check\n",
            &["uth.turn_order"],
        ),
        (
            "card dealer ??\n    card seat 1 QC\n",
            "card seat 1 QC\n    card dealer ??\n",
            &["deal.order"],
        ),
        (
            "push b1\n",
            "pay b1 1000\n",
            &["pay.over", "uth.blind_paid_below_straight"],
        ),
        ("close", "close\n    open s1\n    close", &[]),
        ("say 2 fold\n", "say 2 check\n", &["uth.no_final_decision"]),
        (
            "close",
            "close\n    open s1\n    card seat 1 QC\n    close",
            &["round.unsettled"],
        ),
    ];
    assert_cases("ultimate_texas_holdem", &json!({}), ULTIMATE, &cases);
}

#[test]
fn an_ante_is_neither_paid_nor_taken_when_the_dealer_has_no_pair() {
    let unqualified = ULTIMATE
        .replace("0 6D", "0 8D")
        .replace("pay a1 1000", "push a1");
    let cases: [(&str, &str, &[&str]); 2] = [
        (
            "push a1\n",
            "pay a1 1000\n",
            &["pay.over", "uth.ante_paid_unqualified"],
        ),
        (
            "push a1\n",
            "take a1\n",
            &["pay.under", "uth.ante_paid_unqualified"],
        ),
    ];
    assert_cases("ultimate_texas_holdem", &json!({}), &unqualified, &cases);
}

/// Seat 2 folds and leaves three fives under the trips wager.
#[test]
fn trips_stays_when_the_cards_are_left_under_it() {
    let honest = "
        open s1
        bet a 2 ante 500
        bet b 2 blind 500
        bet t 2 trips 500
        card dealer QD
        card seat 2 5D
        card dealer TS
        card seat 2 3C
        say 2 check
        card community 5H up
        card community 5C up
        card community KD up
        say 2 check
        card community 9S up
        card community 2H up
        say 2 fold_keep_trips
        take a
        take b
        show dealer 0 QD
        show dealer 1 TS
        pay t 1500
        close";
    let cases: [(&str, &str, &[&str]); 1] = [(
        "pay t 1500\n",
        "take t\n",
        &["pay.unpaid", "uth.trips_taken_on_kept_fold"],
    )];
    assert_cases("ultimate_texas_holdem", &json!({}), honest, &cases);
}

/// A card of the dealer is seen before the flop: nobody sees his other one, nor hands without side wagers.
#[test]
fn a_round_that_is_void_in_part_settles_trips_alone() {
    let honest = r#"
        open s1
        bet a1 1 ante 1000
        bet b1 1 blind 1000
        bet t1 1 trips 500
        bet a2 2 ante 1000
        bet b2 2 blind 1000
        card dealer ??
        card seat 1 ??
        card seat 2 ??
        card dealer ??
        card seat 1 ??
        card seat 2 ??
        say 1 check
        bet p2 2 play 4000
        show dealer 0 6D
        {"type": "irregularity", "kind": "hole_card_exposed", "ruling": "void"}
        card community QH up
        card community 9C up
        card community QS up
        card community 3S up
        card community 2H up
        show seat 1 0 QC
        show seat 1 1 7D
        pay t1 1500
        push a1
        push b1
        push a2
        push b2
        push p2
        close"#;
    let found_face_up = r#""face_up_card", "detail": {"count": 2, "when": "community"}"#;
    let cases: [(&str, &str, &[&str]); 4] = [
        ("pay t1 1500\n", "push t1\n", &["pay.unpaid"]),
        ("push p2\n", "take p2\n", &["pay.under"]),
        ("\"hole_card_exposed\"", found_face_up, &[]),
        ("show seat 1 0 QC\n        show seat 1 1 7D\n", "", &[]),
    ];
    assert_cases("ultimate_texas_holdem", &json!({}), honest, &cases);
}

/// Seat 3 had folded on the river when the dealer's card was seen: its trips is settled all the same, and by
/// cards that nobody saw nobody can say what it was worth.
#[test]
fn trips_is_not_judged_on_cards_that_nobody_saw() {
    let honest = r#"
        open s1
        bet a1 1 ante 1000
        bet b1 1 blind 1000
        bet t1 1 trips 500
        bet a3 3 ante 500
        bet b3 3 blind 500
        bet t3 3 trips 500
        card dealer ??
        card seat 1 9C
        card seat 3 ??
        card dealer ??
        card seat 1 8D
        card seat 3 ??
        bet p1 1 play 4000
        say 3 check
        card community 7H up
        card community 6C up
        card community 5D up
        say 3 check
        card community KS up
        card community 2H up
        say 3 fold
        show dealer 0 7D
        {"type": "irregularity", "kind": "hole_card_exposed", "ruling": "void"}
        push a3
        push b3
        take t3
        push a1
        push b1
        push p1
        pay t1 2000
        close"#;
    let shown = "show dealer 0 7D\n        show seat 3 0 KH\n        show seat 3 1 QS\n";
    let cases: [(&str, &str, &[&str]); 6] = [
        ("take t3\n", "push t3\n", &[]),
        ("take t3\n", "pay t3 1500\n", &[]),
        // What was seen, and what goes back whatever the cards are, is judged.
        ("pay t1 2000\n", "take t1\n", &["pay.unpaid"]),
        ("push a3\n", "take a3\n", &["pay.under"]),
        ("show dealer 0 7D\n", shown, &[]),
        (
            "show dealer 0 7D\n        {\"type\": \"irregularity\", \"kind\": \"hole_card_exposed\", \"ruling\": \"void\"}\n        push a3\n        push b3\n        take t3\n",
            &format!(
                "{shown}{{\"type\": \"irregularity\", \"kind\": \"hole_card_exposed\", \"ruling\": \"void\"}}\npush a3\npush b3\npay t3 1500\n"
            ),
            &["pay.undue"],
        ),
    ];
    assert_cases("ultimate_texas_holdem", &json!({}), honest, &cases);

    // The board of an automated shoe lies there from the first card, and need not have been turned.
    let hidden = ["7H up", "6C up", "5D up", "KS up", "2H up"];
    let hidden = hidden.into_iter().fold(honest.to_owned(), |lines, card| {
        lines.replace(&format!("card community {card}"), "card community ??")
    });
    let cases: [(&str, &str, &[&str]); 3] = [
        ("pay t1 2000\n", "take t1\n", &[]),
        ("pay t1 2000\n", "push t1\n", &[]),
        ("push p1\n", "take p1\n", &["pay.under"]),
    ];
    assert_cases("ultimate_texas_holdem", &json!({}), &hidden, &cases);
    // One that was never dealt is another matter: trips has a right to it.
    let undealt = hidden.replace("card community ??", "");
    let returned = undealt.replace("pay t1 2000", "push t1");
    let returned = returned.replace("take t3", "push t3");
    let found = codes(&table("ultimate_texas_holdem", json!({}), &returned));
    assert_eq!(found, ["round.unsettled"]);
}

/// The feed has no word for it, but the chips tell: the dealer's card was seen, and all wagers went back.
#[test]
fn a_round_that_was_given_back_for_a_card_of_the_dealer_was_void() {
    let honest = "
        open s1
        bet a1 1 ante 1000
        bet b1 1 blind 1000
        bet a2 2 ante 500
        bet b2 2 blind 500
        card dealer ??
        card seat 1 9C
        card seat 2 KH
        card dealer ??
        card seat 1 8D
        card seat 2 QS
        show dealer 0 7D
        bet p1 1 play 4000
        push a1
        push b1
        push p1
        push a2
        push b2
        close";
    let cases: [(&str, &str, &[&str]); 1] = [(
        "push b2\n",
        "take b2\n",
        &["round.unsettled", "deal.dealer_exposed_not_voided"],
    )];
    assert_cases("ultimate_texas_holdem", &json!({}), honest, &cases);
}

/// The word of the dealer's card is no void round: what went on as usual is not only paid wrongly.
#[test]
fn a_card_that_is_told_as_seen_voids_the_round() {
    let told = r#"{"type": "irregularity", "kind": "hole_card_exposed", "ruling": "noted"}"#;
    let lines = ULTIMATE.replace("bet p1 1", &format!("{told}\n    bet p1 1"));
    let found = codes(&table("ultimate_texas_holdem", json!({}), &lines));
    let of = |code: &str| found.iter().filter(|found| *found == code).count();
    assert_eq!((of("pay.over"), of("pay.under")), (2, 2), "{found:?}");
    assert_eq!(of("deal.dealer_exposed_not_voided"), 1);
    assert_eq!(found.len(), 5);
    let voided = lines.replace("take a2\n    take b2\n", "").replace(
        "pay a1 1000\n    push b1\n    pay p1 2000\n",
        "push a1\n    push b1\n    push p1\n    push a2\n    push b2\n",
    );
    assert_cases(
        "ultimate_texas_holdem",
        &json!({}),
        &voided,
        &[
            ("push a2\n", "take a2\n", &["pay.under"]),
            ("push a1\n", "pay a1 1000\n", &["pay.over"]),
        ],
    );
}

/// An automated shoe deals the board first; a feed may tell its cards when they are turned.
#[test]
fn a_board_may_be_told_when_it_is_turned() {
    let stacks = ULTIMATE.replacen(
        "card dealer ??\n    card seat 1 QC\n    card seat 2 ??\n    card dealer ??\n    card seat 1 7D\n    card seat 2 ??\n",
        "card dealer ??\n    card dealer ??\n    card seat 1 QC\n    card seat 1 7D\n    card seat 2 ??\n    card seat 2 ??\n",
        1,
    );
    let cases: [(&str, &str, &[&str]); 1] = [(
        "card dealer ??\n    card dealer ??\n    card seat 1 QC\n",
        "card dealer ??\n    card seat 1 QC\n    card dealer ??\n",
        &["deal.order"],
    )];
    let options = json!({"dealing": "automated_shoe"});
    assert_cases("ultimate_texas_holdem", &options, &stacks, &cases);
}

/// Three cards at a seat void the round: whoever was taken from or paid has not got his wagers back.
#[test]
fn a_round_that_is_called_off_gives_the_wagers_back() {
    let honest = r#"
        open s1
        bet a 1 ante 1000
        bet b 1 blind 1000
        bet t 1 trips 500
        card dealer ??
        card seat 1 ??
        card dealer ??
        card seat 1 ??
        card seat 1 ??
        {"type": "irregularity", "kind": "card_count", "detail": {"seat": 1, "dealt": 3}, "ruling": "void"}
        push a
        push b
        push t
        {"type": "round_voided"}
        {"type": "clock"}"#;
    let told = "{\"type\": \"irregularity\", \"kind\": \"card_count\", \"detail\": {\"seat\": 1, \"dealt\": 3}, \"ruling\": \"void\"}\n";
    let cases: [(&str, &str, &[&str]); 5] = [
        ("push a\n        push b\n        push t\n", "", &[]),
        ("push a\n", "take a\n", &["pay.under"]),
        ("push t\n", "take t\n", &["pay.under"]),
        ("push a\n", "pay a 1000\n", &["pay.over"]),
        // Why it is void was not told: trips may have been settled, the ante may not.
        (told, "", &[]),
    ];
    assert_cases("ultimate_texas_holdem", &json!({}), honest, &cases);
    let untold = honest.replace(told, "").replace("push t", "take t");
    let cases: [(&str, &str, &[&str]); 1] = [("push b\n", "take b\n", &["pay.under"])];
    assert_cases("ultimate_texas_holdem", &json!({}), &untold, &cases);
}

/// A straight lies on the board, and nobody saw whether the hand that was folded under trips made more of it.
#[test]
fn a_board_alone_does_not_tell_what_trips_was_worth() {
    let honest = r#"
        open s1
        bet a 1 ante 1000
        bet b 1 blind 1000
        bet t 1 trips 500
        card dealer ??
        card seat 1 ??
        card dealer ??
        card seat 1 ??
        say 1 check
        card community 7H up
        card community 6H up
        card community 5H up
        say 1 check
        card community 9S up
        card community 8D up
        say 1 fold
        show dealer 0 7D
        {"type": "irregularity", "kind": "hole_card_exposed", "ruling": "void"}
        push a
        push b
        pay t 3500
        close"#;
    let cases: [(&str, &str, &[&str]); 2] = [
        ("pay t 3500\n", "pay t 2000\n", &[]),
        (
            "push b\n",
            "take b\n",
            &["pay.under", "deal.dealer_exposed_not_voided"],
        ),
    ];
    assert_cases("ultimate_texas_holdem", &json!({}), honest, &cases);
}

/// A feed may know the dealer's cards when he turns them, and not before.
#[test]
fn a_dealers_cards_may_be_told_when_they_are_turned() {
    let turned = ULTIMATE
        .replace("    card dealer ??\n", "")
        .replace("show dealer 0 6D", "card dealer 6D up")
        .replace("show dealer 1 6S", "card dealer 6S up");
    let cases: [(&str, &str, &[&str]); 1] = [(
        "card seat 1 QC\n    card seat 2 ??\n    card seat 1 7D\n",
        "card seat 2 ??\n    card seat 1 QC\n    card seat 1 7D\n",
        &["deal.order"],
    )];
    assert_cases("ultimate_texas_holdem", &json!({}), &turned, &cases);
}

/// A feed that knows all cards turns none: who loses his ante before anybody is settled with has folded.
#[test]
fn an_ante_that_goes_first_is_a_fold() {
    let mut told = ULTIMATE.replace("    show dealer 0 6D\n    show dealer 1 6S\n", "");
    for card in ["6D", "6S"] {
        told = told.replacen("card dealer ??", &format!("card dealer {card}"), 1);
    }
    let honest = told.replace("    say 2 fold\n", "");
    let cases: [(&str, &str, &[&str]); 1] = [(
        "take a2\n    take b2\n    pay a1 1000\n    push b1\n    pay p1 2000\n    take t1\n",
        "pay a1 1000\n    push b1\n    pay p1 2000\n    take t1\n    take a2\n    take b2\n",
        &["uth.no_final_decision"],
    )];
    assert_cases("ultimate_texas_holdem", &json!({}), &honest, &cases);
}
