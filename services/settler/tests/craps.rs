//! Craps and crapless craps from their events: bets over many rolls and rounds, and what only the
//! order of events shows.

#![allow(clippy::unwrap_used)]

mod common;

use common::{open, script, settle};
use serde_json::{Value, json};

const MGC: &str = "mgc-2017";
const OHIO: &str = "oh-jack-2017";

fn table(game: &str, edition: &str, options: Value, lines: &str) -> Vec<Value> {
    let mut bodies = vec![open(game, edition, options)];
    bodies.extend(script(lines));
    bodies
}

/// Codes and exposures of what is found at a table, in order.
fn found(bodies: &[Value]) -> Vec<(String, i64)> {
    let (findings, _) = settle(bodies);
    let tell = |finding: catwalk_settler::Finding| (finding.code, finding.exposure.get());
    findings.into_iter().map(tell).collect()
}

fn assert_found(game: &str, edition: &str, options: Value, lines: &str, expected: &[(&str, i64)]) {
    let found = found(&table(game, edition, options, lines));
    let found: Vec<(&str, i64)> = found
        .iter()
        .map(|(code, cents)| (&**code, *cents))
        .collect();
    assert_eq!(found, expected, "{lines}");
}

fn massachusetts(lines: &str, expected: &[(&str, i64)]) {
    assert_found("craps", MGC, json!({"odds_multiple": 10}), lines, expected);
}

fn ohio(lines: &str, expected: &[(&str, i64)]) {
    assert_found("craps", OHIO, json!({"odds_multiple": 10}), lines, expected);
}

fn crapless(lines: &str, expected: &[(&str, i64)]) {
    assert_found(
        "crapless_craps",
        OHIO,
        json!({"odds_multiple": 10}),
        lines,
        expected,
    );
}

#[test]
fn a_hand_of_the_dice_in_one_round_is_the_round_of_its_document() {
    // The first example of the rules.
    let bodies = table(
        "craps",
        MGC,
        json!({"odds_multiple": 10}),
        r#"
        open
        bet w1 1 pass 2500
        bet w5 2 buy 2000 {"number": 10}
        fee w5 100
        bet w6 3 fire 500
        roll 6 2
        bet w2 1 pass_odds 5000 w1
        bet w3 1 come 1000
        bet w7 4 hard 500 {"number": 8}
        roll 4 5
        bet w4 1 come_odds 1000 w3
        remove w7
        roll 5 3
        pay w1 2500
        pay w2 6000
        roll 3 6
        pay w3 1000
        push w4
        roll 3 4
        take w5
        take w6
        close
        "#,
    );
    let (findings, rounds) = settle(&bodies);
    assert_eq!(findings, []);
    let document = rounds[0].document.as_ref().unwrap();
    assert_eq!(document["wagers"][4]["placed"], 1);
    assert_eq!(
        document["wagers"][5]["changes"],
        json!([{"before": 2, "to": 0}])
    );
    let due: Vec<(String, i64)> = rounds[0]
        .wagers
        .iter()
        .map(|wager| (wager.id.clone(), wager.due.as_ref().unwrap().returned.get()))
        .collect();
    let expected = [
        ("w1", 5000),
        ("w5", 0),
        ("w6", 0),
        ("w2", 11000),
        ("w3", 2000),
        ("w7", 500),
        ("w4", 1000),
    ];
    assert_eq!(due, expected.map(|(id, cents)| (id.to_owned(), cents)));
}

#[test]
fn bets_and_the_point_stay_for_the_next_round() {
    let bodies = table(
        "craps",
        MGC,
        json!({"odds_multiple": 10}),
        r#"
        open
        bet p 1 pass 1000
        bet f 2 fire 500
        roll 4 4
        close
        open
        bet c 1 come 500
        bet po 1 pass_odds 1000 p
        roll 2 3
        close
        open
        bet co 1 come_odds 500 c
        raise co 300
        roll 6 2
        pay p 1000
        pay po 1200
        close
        open
        bet q 1 pass 1000
        roll 5 6
        pay q 1000
        close
        open
        bet r 1 pass 1000
        roll 4 3
        pay r 1000
        take c
        push co
        close
        "#,
    );
    let (findings, rounds) = settle(&bodies);
    assert_eq!(findings, []);
    let document = |round: usize| rounds[round].document.clone().unwrap();
    assert_eq!(
        document(1)["play"]["start"],
        json!({"point": 8, "fresh_shooter": false})
    );
    assert_eq!(document(2)["wagers"][2]["point"], 5);
    assert_eq!(document(4)["wagers"][0]["made"], json!([8]));
    assert_eq!(document(4)["wagers"][2]["amount"], 300);
    assert_eq!(document(4)["play"]["start"]["point"], Value::Null);
}

#[test]
fn a_wrong_payment_is_known_at_the_next_roll() {
    let bodies = table(
        "craps",
        MGC,
        json!({}),
        "open\n bet p 1 pass 1000\n bet f 1 field 500\n roll 6 3\n pay f 1500\n roll 3 2",
    );
    assert_eq!(found(&bodies), [("pay.over".to_owned(), 1000)]);
}

#[test]
fn what_nobody_touched_may_still_be_paid_until_the_round_ends() {
    massachusetts(
        "open\n bet p 1 pass 1000\n bet f 1 field 500\n roll 6 3\n roll 3 2\n pay f 500\n close",
        &[],
    );
    massachusetts(
        "open\n bet p 1 pass 1000\n bet f 1 field 500\n roll 6 3\n roll 3 2\n close",
        &[("pay.unpaid", -500)],
    );
}

#[test]
fn a_bet_after_the_call_is_late_and_one_after_the_roll_is_for_the_next() {
    let called = r#"{"type": "betting_closed", "window": "roll-1"}"#;
    massachusetts(
        &format!(
            "open\n bet p 1 pass 1000\n {called}\n bet f 1 field 500\n roll 6 3\n push f\n close"
        ),
        &[("wager.late", 0)],
    );
    massachusetts(
        &format!(
            "open\n bet p 1 pass 1000\n {called}\n roll 6 3\n bet f 1 field 500\n roll 6 4\n pay f 500\n close"
        ),
        &[],
    );
}

#[test]
fn a_bet_that_is_paid_by_the_dice_it_was_made_after_is_late() {
    massachusetts(
        "open\n bet p 1 pass 1000\n roll 6 3\n bet f 1 field 500\n pay f 500\n roll 2 3\n close",
        &[("wager.late", 0), ("pay.over", 500)],
    );
    massachusetts(
        "open\n bet p 1 pass 1000\n roll 6 3\n bet f 1 field 500\n push f\n roll 2 3\n close",
        &[],
    );
}

#[test]
fn a_bet_in_the_air_needs_both_confirmations() {
    let bet = |by: &str| {
        format!(
            r#"open
            bet p 1 pass 1000
            {{"type": "betting_closed"}}
            bet f 1 field 500 {{"in_air": true, "confirmed_by": {by}}}
            roll 6 3
            push f
            close"#
        )
    };
    massachusetts(&bet(r#"["dealer"]"#), &[("wager.in_air_unconfirmed", 0)]);
    let confirmed = bet(r#"["dealer", "boxperson"]"#).replace("push f", "pay f 500");
    massachusetts(&confirmed, &[]);
    ohio(&bet(r#"["dealer", "boxperson"]"#), &[("wager.late", 0)]);
    crapless(&confirmed, &[]);
}

#[test]
fn a_bet_is_capped_or_pinched_when_it_is_decided() {
    massachusetts(
        "open\n bet p 1 pass 1000\n bet f 1 field 500\n roll 6 3\n raise f 1500\n pay f 500\n close",
        &[("wager.capped", 0)],
    );
    massachusetts(
        "open\n bet p 1 pass 1000\n bet f 1 field 500\n roll 6 2\n remove f\n take f\n close",
        &[("wager.pinched", 0)],
    );
    // A winner is paid and takes its stake down.
    massachusetts(
        "open\n bet p 1 pass 1000\n bet f 1 field 500\n roll 6 3\n pay f 500\n remove f\n close",
        &[],
    );
}

#[test]
fn contract_bets_stay_as_they_are() {
    massachusetts(
        "open\n bet p 1 pass 1000\n roll 6 2\n remove p\n roll 3 4\n take p\n close",
        &[("craps.contract_bet_removed", 0)],
    );
    massachusetts(
        "open\n bet p 1 pass 1000\n roll 6 2\n remove p\n roll 3 4\n close",
        &[("craps.contract_bet_removed", 0), ("pay.uncollected", 1000)],
    );
    massachusetts(
        "open\n bet p 1 pass 1000\n remove p\n roll 6 2\n close",
        &[],
    );
    massachusetts(
        "open\n bet d 1 dont_pass 1000\n roll 6 2\n remove d\n roll 3 4\n close",
        &[],
    );
}

#[test]
fn a_raise_is_a_bet_of_its_own() {
    // A pass bet may be raised on the point by the text of Ohio, not by that of Massachusetts.
    let raised =
        "open\n bet p 1 pass 1000\n roll 6 2\n raise p 1500\n roll 4 4\n pay p 1500\n close";
    ohio(raised, &[]);
    massachusetts(raised, &[("craps.pass_after_point", 0), ("pay.over", 500)]);
    massachusetts(
        &raised.replace("pay p 1500", "pay p 1000"),
        &[("craps.pass_after_point", 0)],
    );
    // Place bets are pressed as one likes.
    massachusetts(
        r#"open
        bet p 1 pass 1000
        bet s 1 place 600 {"number": 6}
        roll 6 2
        raise s 1200
        roll 3 3
        pay s 1400
        close"#,
        &[],
    );
    massachusetts(
        "open\n bet d 1 dont_pass 1000\n roll 6 2\n raise d 2000\n roll 3 4\n pay d 1000\n close",
        &[("craps.dont_increased", 0)],
    );
    massachusetts(
        "open\n bet d 1 dont_pass 1000\n raise d 500\n raise d 800\n roll 3 4\n take d\n close",
        &[("craps.dont_increased", 0)],
    );
    massachusetts(
        "open\n bet d 1 dont_pass 1000\n raise d 2000\n roll 3 4\n take d\n close",
        &[],
    );
    massachusetts(
        "open\n bet p 1 pass 500\n bet f 2 fire 100\n raise f 500\n roll 6 2\n close",
        &[("craps.fire_changed", 0)],
    );
}

#[test]
fn a_stake_that_is_left_up_is_a_new_bet() {
    let left_up = r#"open
        bet p 1 pass 1000
        bet s 1 place 600 {"number": 6}
        roll 6 2
        roll 3 3
        pay s 700
        roll 5 1
        pay s 700
        roll 3 4
        take s
        take p
        close"#;
    massachusetts(left_up, &[]);
    massachusetts(
        &left_up.replace("roll 5 1", "roll 5 4"),
        &[("pay.undue", 700)],
    );
}

#[test]
fn a_name_that_is_free_may_be_used_again() {
    massachusetts(
        r#"open
        bet p 1 pass 1000
        roll 6 5
        pay p 1000
        bet p 1 pass 1500
        roll 6 4
        bet o 1 pass_odds 1500 p
        roll 4 6
        pay p 1500
        pay o 3000
        close"#,
        &[],
    );
}

#[test]
fn bets_that_are_off_are_left_alone_on_the_come_out() {
    let off = |paid: &str| {
        format!(
            r#"open
            bet p 1 pass 1000
            bet s 2 place 600 {{"number": 6}}
            roll 3 3
            {paid}
            roll 3 4
            take p
            take s
            close"#
        )
    };
    massachusetts(&off(""), &[]);
    massachusetts(
        &off("pay s 700"),
        &[("craps.off_bet_settled", 0), ("pay.undue", 700)],
    );
    let on = |said: &str, detail: &str, paid: &str| {
        format!(
            "open\n bet p 1 pass 1000\n bet s 2 place 600 {detail}\n {said}\n roll 3 3\n {paid}\n close"
        )
    };
    let six = r#"{"number": 6}"#;
    massachusetts(&on("say 2 working", six, "pay s 700"), &[]);
    massachusetts(
        &on("", r#"{"number": 6, "working": true}"#, "pay s 700"),
        &[],
    );
    massachusetts(
        &on("say 2 working", six, ""),
        &[("craps.on_bet_not_settled", 0), ("pay.unpaid", -700)],
    );
    // Come odds are off too, and go back.
    let odds = |paid: &str| {
        format!(
            r#"open
            bet p 1 pass 1000
            roll 3 3
            bet c 1 come 500
            roll 5 3
            bet o 1 come_odds 500 c
            roll 4 2
            pay p 1000
            bet q 1 pass 1000
            roll 4 4
            pay c 500
            {paid}
            close"#
        )
    };
    massachusetts(&odds("push o"), &[]);
    massachusetts(
        &odds("pay o 600"),
        &[("craps.off_bet_settled", 0), ("pay.over", 600)],
    );
}

#[test]
fn twelve_is_barred_for_the_dont_side() {
    massachusetts(
        "open\n bet d 1 dont_pass 1000\n roll 6 6\n push d\n close",
        &[],
    );
    massachusetts("open\n bet d 1 dont_pass 1000\n roll 6 6\n close", &[]);
    massachusetts(
        "open\n bet d 1 dont_pass 1000\n roll 6 6\n pay d 1000\n close",
        &[("craps.barred_12_settled", 0), ("pay.over", 1000)],
    );
    massachusetts(
        "open\n bet d 1 dont_pass 1000\n roll 6 6\n take d\n close",
        &[("craps.barred_12_settled", 0), ("pay.under", -1000)],
    );
}

#[test]
fn a_fire_bet_waits_for_the_loser_seven() {
    massachusetts(
        "open\n bet p 1 pass 500\n bet f 2 fire 500\n roll 6 2\n roll 4 4\n pay p 500\n take f\n close",
        &[("craps.fire_settled_early", 0), ("pay.under", -500)],
    );
    massachusetts(
        "open\n bet p 1 pass 500\n bet f 2 fire 500\n roll 6 2\n roll 4 3\n take p\n take f\n close",
        &[],
    );
}

#[test]
fn a_no_roll_settles_nothing() {
    let roll = |paid: &str| {
        format!(
            "open\n bet p 1 pass 1000\n bet f 1 field 500\n no-roll 6 3\n called off_table\n {paid}\n roll 5 1\n take f\n close"
        )
    };
    massachusetts(&roll(""), &[]);
    massachusetts(
        &roll("pay f 500"),
        &[("craps.invalid_roll_settled", 0), ("pay.undue", 500)],
    );
    // The device read the dice, and the boxperson called them off.
    massachusetts(
        "open\n bet p 1 pass 1000\n bet f 1 field 500\n roll 6 3\n called off_table\n roll 5 1\n take f\n close",
        &[],
    );
    massachusetts(
        "open\n bet p 1 pass 1000\n bet f 1 field 500\n no-roll 6 3\n called hit_chips\n pay f 500\n close",
        &[("craps.no_roll_unfounded", 0)],
    );
}

#[test]
fn who_may_call_a_no_roll() {
    let call = |kind: &str, who: &str| {
        format!(
            "open\n bet p 1 pass 1000\n no-roll 6 3\n called {kind} {{\"caller\": \"{who}\"}}\n roll 5 1\n close"
        )
    };
    massachusetts(&call("short", "dealer"), &[("craps.no_roll_caller", 0)]);
    massachusetts(&call("short", "boxperson"), &[]);
    massachusetts(&call("off_table", "dealer"), &[]);
    ohio(&call("short", "floorperson"), &[]);
    let mini = json!({"variant": "mini_craps"});
    assert_found("craps", MGC, mini, &call("short", "dealer"), &[]);
}

#[test]
fn vigorish_is_taken_from_buy_and_lay_bets_alone_and_when_it_is_posted() {
    let buy = |fee: &str, paid: &str| {
        format!(
            r#"open
            bet p 1 pass 1000
            roll 6 3
            bet b 1 buy 6000 {{"number": 4}}
            {fee}
            roll 2 2
            {paid}
            close"#
        )
    };
    massachusetts(&buy("fee b 300", "pay b 12000"), &[]);
    massachusetts(&buy("", "pay b 12000"), &[("commission.wrong", 300)]);
    massachusetts(
        &buy("fee b 400", "pay b 12000"),
        &[("craps.vig_over_cap", 0), ("commission.wrong", -100)],
    );
    let late = r#"{"type": "wager_paid", "wager": "b", "amount": 12000, "commission": 300}"#;
    massachusetts(&buy("", late), &[("craps.vig_wrong_time", 0)]);
    let on_win = json!({"buy_vig_on_win": [4]});
    assert_found("craps", MGC, on_win.clone(), &buy("", late), &[]);
    assert_found(
        "craps",
        MGC,
        on_win,
        &buy("fee b 300", "pay b 12000"),
        &[("craps.vig_wrong_time", 0)],
    );
    massachusetts(
        "open\n bet p 1 pass 1000\n fee p 50\n roll 6 5\n pay p 1000\n close",
        &[("craps.vig_on_other_bet", 0), ("commission.wrong", -50)],
    );
}

#[test]
fn the_vigorish_of_a_bet_that_stays_is_paid_once() {
    massachusetts(
        r#"open
        bet p 1 pass 1000
        bet b 1 buy 6000 {"number": 4}
        fee b 300
        roll 6 3
        close
        open
        raise b 3000
        roll 6 2
        close
        open
        roll 2 2
        pay b 6000
        close"#,
        &[],
    );
}

#[test]
fn odds_go_with_their_flat_bet() {
    massachusetts(
        "open\n bet p 1 pass 1000\n roll 6 2\n bet o 1 pass_odds 1000 p\n roll 4 3\n take p\n close",
        &[("craps.odds_orphan", 0), ("pay.uncollected", 1000)],
    );
}

#[test]
fn coupons_go_on_the_lines() {
    let bet = |kind: &str| {
        format!(
            r#"open
            bet p 1 pass 1000
            {{"type": "wager_placed", "wager": "c", "seat": 2, "kind": "{kind}", "amount": 500, "form": "coupon"}}
            roll 6 5
            pay p 1000
            pay c 500
            close"#
        )
    };
    massachusetts(&bet("pass"), &[]);
    massachusetts(&bet("field"), &[("wager.match_play_not_allowed", 0)]);
    ohio(&bet("field"), &[]);
}

#[test]
fn the_dice_go_on_after_a_loser_seven() {
    let next = |said: &str, line: &str| {
        format!(
            r#"open
            bet p 1 pass 1000
            bet q 4 pass 1000
            say 1 shoot
            roll 6 2
            roll 4 3
            take p
            take q
            {said}
            {line}
            roll 6 5
            close"#
        )
    };
    let again = "bet r 1 pass 1000\n bet s 4 pass 1000";
    let paid = |text: String| text.replace("roll 6 5", "roll 6 5\n pay r 1000\n pay s 1000");
    massachusetts(
        &paid(next("say 1 shoot", again)),
        &[("craps.shooter_not_changed", 0)],
    );
    massachusetts(&paid(next("say 4 shoot", again)), &[]);
    // The other player does not want them.
    massachusetts(
        &paid(next("say 4 decline_dice\n say 1 accept_dice", again)),
        &[],
    );
    massachusetts(
        &paid(next("say 6 decline_dice\n say 4 accept_dice", again)),
        &[("craps.dice_offer_order", 0)],
    );
}

#[test]
fn a_shooter_makes_a_line_bet() {
    massachusetts(
        "open\n say 3 accept_dice\n bet p 1 pass 1000\n roll 6 5\n pay p 1000\n close",
        &[("craps.shooter_without_line_bet", 0)],
    );
    massachusetts(
        "open\n say 1 accept_dice\n bet p 1 pass 1000\n roll 6 5\n pay p 1000\n close",
        &[],
    );
}

#[test]
fn come_only_rolls_set_no_point() {
    massachusetts(
        r#"open
        bet p 1 pass 1000
        roll 6 2
        bet c 1 come 500
        roll 3 1
        roll 5 3
        pay p 1000
        say 1 decision_only
        roll 3 3
        say 1 decision_only
        roll 2 2
        pay c 500
        bet q 1 pass 1000
        roll 5 6
        pay q 1000
        close"#,
        &[],
    );
}

#[test]
fn a_table_with_missing_events_is_not_judged_until_a_seven_clears_it() {
    let lines = r#"open
        bet p 1 pass 1000
        roll 6 2
        close
        open
        roll 4 4
        roll 5 1
        close
        open
        bet f 1 field 500
        roll 3 4
        bet q 1 pass 1000
        roll 6 4
        close
        open
        bet o 1 pass_odds 1000 q
        bet f 1 field 500
        roll 6 4
        pay q 1000
        pay o 2000
        close"#;
    // The roll that made the point is lost.
    let mut events = common::feed(&table("craps", MGC, json!({"odds_multiple": 10}), lines));
    events.remove(6);
    let (findings, rounds) = common::receive(events);
    let found: Vec<&str> = findings.iter().map(|finding| &*finding.code).collect();
    assert_eq!(found, ["feed.gap", "pay.unpaid"]);
    let complete: Vec<bool> = rounds.iter().map(|round| round.complete).collect();
    assert_eq!(complete, [true, false, false, true]);
}

#[test]
fn crapless_craps_has_no_craps_and_one_natural() {
    let first = |dice: &str, what: &str| {
        format!("open\n bet p 1 pass 1000\n roll {dice}\n {what}\n roll 3 4\n take p\n close")
    };
    crapless(&first("6 5", ""), &[]);
    crapless(
        &first("6 5", "pay p 1000"),
        &[("crapless.eleven_paid_as_natural", 0), ("pay.undue", 1000)],
    );
    let taken = first("6 6", "take p").replace("take p\n close", "close");
    crapless(&taken, &[("crapless.craps_taken", 0), ("pay.under", -1000)]);
    let odds = |paid: i64| {
        format!(
            "open\n bet p 1 pass 1000\n roll 6 6\n bet o 1 pass_odds 1000 p\n roll 6 6\n pay p 1000\n pay o {paid}\n close"
        )
    };
    crapless(&odds(6000), &[]);
    crapless(
        &odds(5000),
        &[("crapless.wrong_true_odds", 0), ("pay.under", -1000)],
    );
    crapless(
        "open\n bet p 1 pass 1000\n bet d 2 dont_pass 500\n roll 3 4\n pay p 1000\n push d\n close",
        &[("crapless.dont_bet", 0)],
    );
}

#[test]
fn posted_limits_are_held_once_against_a_bet_and_not_against_odds() {
    let mut bodies = table(
        "craps",
        MGC,
        json!({"odds_multiple": 10}),
        "open\n bet p 1 pass 500\n roll 6 2\n bet o 1 pass_odds 5000 p\n roll 5 4\n roll 5 4\n close",
    );
    bodies[0]["limits"] = json!([{"kind": "pass", "min": 1000, "max": 100000},
        {"kind": "pass_odds", "min": 100, "max": 1000}]);
    assert_eq!(found(&bodies), [("wager.under_min".to_owned(), 0)]);
}

#[test]
fn what_the_house_reports_of_itself_is_told() {
    let said = |word: &str| {
        format!("open\n bet p 1 pass 1000\n called {word}\n roll 6 5\n pay p 1000\n close")
    };
    let of_both = [
        ("call_bet", "wager.call_bet"),
        ("verbal_unconfirmed", "wager.verbal_unconfirmed"),
        ("on_button_missing", "craps.on_button_missing"),
        ("composite_not_split", "craps.composite_not_split"),
        ("dice_unattended", "dice.unattended"),
    ];
    for (word, code) in of_both {
        massachusetts(&said(word), &[(code, 0)]);
        let point = said(word).replace("roll 6 5\n pay p 1000", "roll 6 5");
        crapless(&point, &[(code, 0)]);
    }
    for (word, code) in [
        ("fire_marker_wrong", "craps.fire_marker_wrong"),
        ("player_not_seated", "craps.player_not_seated"),
        ("no_tournament_bet", "craps.tournament_no_bet"),
    ] {
        massachusetts(&said(word), &[(code, 0)]);
    }
    massachusetts(&said("nobody_knows"), &[]);
    let left = "open\n bet p 1 pass 1000\n roll 6 5\n called come_not_moved\n close";
    crapless(left, &[("crapless.come_not_moved", 0)]);
}

#[test]
fn the_fourth_point_of_a_fire_bet_is_told_to_surveillance() {
    let hand = |said: &str| {
        format!(
            r#"open
            bet f 2 fire 500
            bet p 1 pass 500
            roll 4 4
            roll 5 3
            pay p 500
            bet p 1 pass 500
            roll 5 5
            roll 6 4
            pay p 500
            bet p 1 pass 500
            roll 2 3
            roll 3 2
            pay p 500
            close
            open
            bet p 1 pass 500
            roll 6 3
            roll 5 4
            pay p 500
            {said}
            bet p 1 pass 500
            roll 3 3
            roll 3 4
            take p
            pay f 12000
            close"#
        )
    };
    massachusetts(&hand("say 0 call_surveillance"), &[]);
    massachusetts(&hand(""), &[("craps.fire_surveillance_call", 0)]);
    ohio(&hand(""), &[]);
}

#[test]
fn a_raise_twice_counts_once_each() {
    ohio(
        "open\n bet p 1 pass 500\n roll 6 2\n raise p 1000\n raise p 1500\n roll 4 4\n pay p 1500\n close",
        &[],
    );
    ohio(
        "open\n bet p 1 pass 500\n roll 6 2\n raise p 1000\n raise p 500\n roll 4 4\n pay p 1000\n close",
        &[("craps.contract_bet_removed", 0)],
    );
}

#[test]
fn a_winner_may_be_pressed_before_the_next_roll() {
    massachusetts(
        r#"open
        bet p 1 pass 1000
        roll 6 2
        bet s 1 place 600 {"number": 6}
        roll 3 3
        pay s 700
        raise s 1200
        roll 5 1
        pay s 1400
        remove s
        roll 3 4
        take p
        close"#,
        &[],
    );
}

#[test]
fn a_round_without_bets_and_rolls_changes_nothing() {
    massachusetts(
        "open\n bet p 1 pass 1000\n roll 6 2\n close\n open\n close\n open\n roll 4 4\n pay p 1000\n close",
        &[],
    );
}

#[test]
fn what_stood_goes_down_with_the_table() {
    let closed = r#"{"type": "table_closed", "closing_inventory": 5000000}"#;
    let opened = open("craps", MGC, json!({}));
    let lines = format!(
        "open\n bet p 1 pass 1000\n roll 6 2\n close\n {closed}\n {opened}\n open\n bet q 1 pass 1000\n roll 6 5\n pay q 1000\n close"
    );
    massachusetts(&lines, &[]);
}

#[test]
fn a_number_may_be_told_in_several_ways() {
    for detail in [
        r#"{"number": 6}"#,
        r#"{"number": "6"}"#,
        r#"{"point": 6}"#,
        "6",
    ] {
        let mut bodies = table(
            "craps",
            MGC,
            json!({}),
            "open\n bet p 1 pass 1000\n roll 6 2\n bet s 1 place 600\n roll 3 3\n pay s 700\n close",
        );
        bodies[4]["detail"] = serde_json::from_str(detail).unwrap();
        assert_eq!(found(&bodies), [], "{detail}");
    }
}

#[test]
fn vigorish_may_be_held_back_from_a_payment_that_does_not_name_it() {
    let buy = |paid: i64| {
        format!(
            r#"open
            bet p 1 pass 1000
            roll 6 3
            bet b 1 buy 6000 {{"number": 4}}
            roll 2 2
            pay b {paid}
            close"#
        )
    };
    ohio(&buy(11_700), &[]);
    ohio(&buy(11_600), &[("pay.under", -400)]);
    ohio(&buy(12_000), &[("commission.wrong", 300)]);
}

#[test]
fn a_feed_that_tells_no_more_than_it_must_is_not_accused() {
    // A round a roll, no calls, no shooter, losers of many kinds taken by one word each.
    massachusetts(
        r#"open
        bet p 1 pass 1000
        bet d 2 dont_pass 1000
        bet h 3 hop 100 {"dice": [2, 3]}
        roll 4 4
        take h
        close
        open
        bet o 1 pass_odds 2000 p
        bet c 3 come 500
        bet s 4 place 1200 {"number": 6}
        roll 5 1
        pay s 1400
        close
        open
        bet s 4 place 1200 {"number": 6}
        bet w 5 whirl 500
        roll 6 5
        pay w 1100
        close
        open
        roll 3 4
        take p
        take o
        take c
        take s
        pay d 1000
        close"#,
        &[],
    );
}
