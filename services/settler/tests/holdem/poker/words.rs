//! What players say, from events: in the detail of chips, or as a decision before they act. 7(d), 7(e), 15(j)

use serde_json::json;

use super::{codes, settle, table};

/// Limits 4-20 without rake; seat 3 opens the flop against seat 1 with 10.00 in the pot, and seat 1 has the
/// better hand.
fn flop(lines: &str, award: i64) -> Vec<serde_json::Value> {
    let options =
        json!({"form": "holdem_high", "bet_limits": vec![[400, 2000]; 4], "blinds": [200, 400]});
    let lines = format!(
        r#"
    {{"type": "round_opened", "banker": 1, "shoe": "s1"}}
    bet a 2 blind 200
    bet b 3 blind 400
    card seat 2 ??
    card seat 3 QS
    card seat 1 KS
    card seat 2 ??
    card seat 3 QD
    card seat 1 KD
    bet c 1 call 400
    say 2 fold
    say 3 check
    card community 2C up
    card community 7D up
    card community 9H up
    {lines}
    card community 4S up
    say 3 check
    say 1 check
    card community JC up
    say 3 check
    say 1 check
    say 3 show
    say 1 show
    {{"type": "pot_awarded", "pot": 0, "seat": 1, "amount": {award}}}
    close"#
    );
    table(options, &lines)
}

/// Seat 3 says twelve and puts in eight.
const ANNOUNCED: &str = concat!(
    r#"{"type": "wager_placed", "wager": "d", "seat": 3, "kind": "bet", "#,
    r#""amount": 800, "detail": {"announced": 1200}}"#
);

fn assert_said(lines: &str, award: i64, expected: &[&str]) {
    assert_eq!(codes(&flop(lines, award)), expected, "{lines}");
}

#[test]
fn a_decision_before_chips_is_said_of_them() {
    let none: &[&str] = &[];
    assert_said(
        "say 3 bet\nbet d 3 bet 400\nsay 1 call\nbet e 1 call 400",
        1800,
        none,
    );
    let against = &["action.against_word"];
    let back = r#"{"type": "wager_pushed", "wager": "e", "amount": 400}"#;
    assert_said(
        &format!("bet d 3 bet 400\nsay 1 call\nbet e 1 raise 800\nbet f 3 call 400\n{back}"),
        1800,
        against,
    );
    // A winner who himself owes gets so much less.
    assert_said(
        "bet d 3 bet 400\nsay 1 raise\nbet e 1 call 400\nbet f 3 call 400",
        2200,
        against,
    );
    assert_said("say 3 check\nbet d 3 bet 800\nsay 1 check", 1000, against);
    // Somebody else has acted: the word is not of these chips.
    assert_said("say 1 raise\nbet d 3 bet 400\nbet e 1 call 400", 1800, none);
}

/// A feed may tell what was said and what was done of it, for every fold and check.
#[test]
fn a_fold_or_a_check_may_be_told_twice() {
    let is_pass = |body: &serde_json::Value| body["action"] == "fold" || body["action"] == "check";
    let bodies = flop("say 3 check\nsay 1 check", 1000);
    let told = bodies.into_iter().flat_map(|body| {
        let again = is_pass(&body).then(|| body.clone());
        [Some(body), again].into_iter().flatten()
    });
    let none: [&str; 0] = [];
    let told: Vec<_> = told.collect();
    assert_eq!(codes(&told), none);
    // Where somebody acted between, it is another one.
    let again = "say 3 check\nsay 1 check\nsay 3 check";
    assert_said(again, 1000, &["action.not_due"]);
}

#[test]
fn an_announced_amount_comes_with_the_decision_or_the_chips() {
    let mismatch = &["wager.announced_mismatch"];
    let said = r#"{"type": "decision", "seat": 3, "action": "bet", "amount": 1200}"#;
    assert_said(
        &format!("{said}\nbet d 3 bet 800\nbet e 1 call 1200"),
        3400,
        mismatch,
    );
    let placed = ANNOUNCED;
    assert_said(&format!("{placed}\nbet e 1 call 1200"), 3400, mismatch);
    // The dealer makes it good.
    let changed = r#"{"type": "wager_changed", "wager": "d", "amount": 1200, "by": {"id": "d-1", "role": "dealer"}}"#;
    assert_said(
        &format!("{placed}\n{changed}\nbet e 1 call 1200"),
        3400,
        &[],
    );
    // The pot holds what is owed.
    assert_said(
        &format!("{placed}\nbet e 1 call 1200"),
        3000,
        &["wager.announced_mismatch", "pot.under_award"],
    );
}

#[test]
fn a_card_that_was_exchanged_is_no_card_of_the_hand() {
    let exposed = r#"{"type": "irregularity", "kind": "exposed_down_card", "detail": {"seat": 3, "card": "4H"}, "ruling": "dealer"}"#;
    let mut bodies = flop("say 3 check\nsay 1 check", 1000);
    let at = bodies.iter().position(|body| body["card"] == "QS").unwrap();
    let up = json!({"type": "card_dealt", "to": "seat", "seat": 3, "card": "4H", "face": "up"});
    bodies.insert(at, serde_json::from_str(exposed).unwrap());
    bodies.insert(at, up.clone());
    // The text asks for concealment; told and seen it is one finding.
    let (findings, rounds) = settle(&bodies);
    let found: Vec<&str> = findings.iter().map(|found| &*found.code).collect();
    assert_eq!(found, ["deal.card_exposed"]);
    let hands = &rounds[0].document.as_ref().unwrap()["play"]["hands"];
    assert_eq!(hands["3"], json!(["QS", "QD"]));
    // Untold it is found by the card.
    let mut untold = flop("say 3 check\nsay 1 check", 1000);
    untold[at]["face"] = json!("up");
    assert_eq!(codes(&untold), ["deal.card_exposed"]);
}

/// 7(i): of one large chip the change goes back at once. Whose stack nobody told is not taken for all-in by it.
#[test]
fn a_call_with_one_large_chip_gets_its_change() {
    let chip = json!({"type": "wager_placed", "wager": "e", "seat": 1, "kind": "call", "amount": 2500,
        "detail": {"single_chip": true}});
    let chip = chip.to_string();
    let back = r#"{"type": "wager_pushed", "wager": "e", "amount": 2100}"#;
    assert_said(&format!("bet d 3 bet 400\n{chip}\n{back}"), 1800, &[]);
    let more = format!("bet d 3 bet 400\n{chip}\n{back}");
    assert_said(&more, 4000, &["pot.over_award"]);
    // It was a raise, and he did not say so.
    let raised = chip.replace("call", "raise");
    let raised = format!("bet d 3 bet 400\n{raised}\n{back}");
    assert_said(&raised, 1800, &["wager.single_chip_call"]);
}

/// Nobody saw who won: the pots hold what is owed, and no more. 15(j)2
#[test]
fn what_is_owed_lies_in_the_pots_of_a_hand_that_nobody_can_settle() {
    let unseen = |lines: &str, award: i64| {
        let bodies = flop(lines, award).into_iter();
        let told = bodies.map(|mut body| {
            if body["type"] == "card_dealt" && body["to"] == "seat" {
                body.as_object_mut().unwrap().remove("card");
            }
            body
        });
        codes(&told.collect::<Vec<_>>())
    };
    let none: [&str; 0] = [];
    let plain = "bet d 3 bet 400\nbet e 1 call 400";
    assert_eq!(unseen(plain, 1800), none);
    assert_eq!(unseen(plain, 1900), ["pot.over_award"]);
    // Seat 3 says twelve and puts in eight: four are owed.
    let placed = ANNOUNCED;
    let said = format!("{placed}\nbet e 1 call 1200");
    assert_eq!(unseen(&said, 3400), none);
    assert_eq!(unseen(&said, 3500), ["pot.over_award"]);
}
