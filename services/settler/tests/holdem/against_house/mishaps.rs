//! Cards found face up, and what a supervisor lets stand.

use serde_json::json;

use super::colorado::TWO;
use super::ultimate::ULTIMATE;
use super::{assert_cases, codes, table};

/// s.14(a): one card found face up is put away, two of them void the round, whoever told them.
#[test]
fn cards_found_face_up_add_up() {
    let one = r#"{"type": "irregularity", "kind": "face_up_card", "ruling": "discarded"}"#;
    let found = |lines: String| codes(&table("colorado_holdem", json!({}), &lines));
    let none: [&str; 0] = [];
    let told = |times: usize| {
        TWO.replace(
            "bet b1 1",
            &format!("{}bet b1 1", format!("{one}\n    ").repeat(times)),
        )
    };
    assert_eq!(found(told(1)), none);
    let over = found(told(2));
    assert!(over.contains(&"pay.over".to_owned()), "{over:?}");
    let back = told(2)
        .replace("take a2\n    take b2\n", "push a2\n    push b2\n")
        .replace("pay a1 1000\n    pay b1 1000\n", "push a1\n    push b1\n");
    assert_eq!(found(back), none);
}

/// § 13.B: one card face up in the deal and one at the flop are two, and the second decides that trips is settled.
#[test]
fn face_up_cards_of_both_stages_void_the_contest() {
    let in_the_deal = r#"{"type": "irregularity", "kind": "face_up_card", "ruling": "discarded"}"#;
    let at_the_flop = r#"{"type": "irregularity", "kind": "face_up_card",
        "detail": {"when": "community"}, "ruling": "void"}"#;
    let at_the_flop = &at_the_flop.replace('\n', " ");
    let honest = format!(
        "
        open s1
        bet a1 1 ante 1000
        bet b1 1 blind 1000
        bet t1 1 trips 500
        card dealer ??
        card seat 1 QC
        card dealer ??
        card seat 1 QD
        {in_the_deal}
        {at_the_flop}
        card community QH up
        card community 9C up
        card community 5D up
        card community 3S up
        card community 2H up
        push a1
        push b1
        pay t1 1500
        close"
    );
    let cases: [(&str, &str, &[&str]); 3] = [
        ("pay t1 1500\n", "push t1\n", &["pay.unpaid"]),
        ("push a1\n", "take a1\n", &["pay.under"]),
        // Both in the deal: everything goes back.
        (at_the_flop, in_the_deal, &["pay.over"]),
    ];
    assert_cases("ultimate_texas_holdem", &json!({}), &honest, &cases);
}

/// § 10.D: what the supervisor lets stand is paid by § 12, and the progressive goes back.
#[test]
fn the_supervisor_lets_trips_stand() {
    let honest = r#"
        {"type": "round_opened", "shoe": "s1", "meters": {"progressive": 2543000}}
        bet a1 1 ante 1000
        bet b1 1 blind 1000
        bet t1 1 trips 500
        bet g1 1 progressive 100
        card community TS
        card community TD
        card community 8C
        card community 4H
        card community 2D
        card dealer ??
        card dealer ??
        card seat 1 TH
        card seat 1 QC
        {"type": "irregularity", "kind": "misdeal", "detail": {"independent_wagers_stand": true}, "ruling": "stands"}
        push a1
        push b1
        pay t1 1500
        push g1
        close"#;
    let options = json!({"dealing": "automated_shoe", "progressive": true});
    let cases: [(&str, &str, &[&str]); 1] = [("pay t1 1500\n", "push t1\n", &["pay.unpaid"])];
    assert_cases("ultimate_texas_holdem", &options, honest, &cases);
}

/// § 13.B: a card that came face up and was put away is none of the hand.
#[test]
fn a_card_that_is_put_away_is_none_of_the_hand() {
    let found = r#"{"type": "irregularity", "kind": "face_up_card", "ruling": "discarded"}"#;
    let cases: [(&str, &str, &[&str]); 2] = [
        (
            "card seat 1 QC\n",
            &format!("card seat 1 5C up\n    {found}\n    card seat 1 QC\n"),
            &[],
        ),
        (
            "card seat 1 QC\n",
            &format!(
                "{{\"type\": \"card_burned\", \"card\": \"5C\"}}\n    {found}\n    card seat 1 QC\n"
            ),
            &[],
        ),
    ];
    assert_cases("ultimate_texas_holdem", &json!({}), ULTIMATE, &cases);
}
