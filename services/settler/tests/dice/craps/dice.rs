//! The dice: what they decide and what not, who throws them, and what the house says of them.

use serde_json::json;

use super::{MGC, OHIO, assert_found, crapless, massachusetts, ohio};

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
    // What is called when a roll is paid for is about the next one.
    massachusetts(
        "open\n bet p 1 pass 1000\n bet f 1 field 500\n roll 6 3\n pay f 500\n called off_table\n no-roll 1 1\n roll 6 3\n pay p 1000\n close",
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
    let mini = || json!({"variant": "mini_craps"});
    assert_found("craps", MGC, mini(), &call("short", "dealer"), &[]);
    // Dice on a rail are no roll by themselves in Massachusetts, in Ohio by call.
    massachusetts(&call("on_rail", "dealer"), &[]);
    ohio(&call("on_rail", "dealer"), &[("craps.no_roll_caller", 0)]);
    ohio(&call("on_rail", "stickperson"), &[]);
    // Which face is up is for the boxperson to say.
    massachusetts(&call("dispute", "boxperson"), &[]);
    massachusetts(
        &call("dispute", "stickperson"),
        &[("craps.no_roll_caller", 0)],
    );
    assert_found("craps", MGC, mini(), &call("dispute", "floorperson"), &[]);
    let dealer = call("dispute", "dealer");
    assert_found(
        "craps",
        MGC,
        mini(),
        &dealer,
        &[("craps.no_roll_caller", 0)],
    );
}

#[test]
fn the_reason_of_a_no_roll_may_be_in_its_detail() {
    let call = |who: &str| {
        let detail = json!({"reason": "short", "by": {"id": "s-1", "role": who}});
        format!(
            "open\n bet p 1 pass 1000\n no-roll 6 3\n called no_roll {detail}\n roll 6 5\n pay p 1000\n close"
        )
    };
    massachusetts(&call("boxperson"), &[]);
    massachusetts(&call("dealer"), &[("craps.no_roll_caller", 0)]);
}

#[test]
fn a_shooter_who_sevened_out_in_an_earlier_round_passes_the_dice() {
    let rounds = |other: &str, again: &str, paid: &str| {
        format!(
            r#"open
            say 1 shooter
            bet p 1 pass 1000
            {other}
            roll 6 2
            roll 4 3
            take p
            close
            open
            say 1 shooter
            bet r 1 pass 1000
            {again}
            roll 6 5
            pay r 1000
            {paid}
            close"#
        )
    };
    massachusetts(
        &rounds("bet q 2 dont_pass 1000", "bet s 2 pass 1000", "pay s 1000")
            .replace("take p", "take p\n pay q 1000"),
        &[("craps.shooter_not_changed", 0)],
    );
    // Nobody else is there, or not any more.
    massachusetts(&rounds("", "", ""), &[]);
    let gone = rounds("bet q 2 dont_pass 1000", "", "");
    massachusetts(&gone.replace("take p", "take p\n pay q 1000"), &[]);
}

#[test]
fn a_die_of_another_set_or_the_same_die_twice_is_foreign() {
    let throw = |valid: bool, serials: &[&str], dice: &[u8]| {
        let set = json!({"type": "dice_introduced", "set": "cd-1", "count": 5,
            "serials": ["a", "b", "c", "d", "e"]});
        let inspected = json!({"type": "dice_inspected", "set": "cd-1", "result": "pass"});
        let thrown =
            json!({"type": "dice_rolled", "dice": dice, "valid": valid, "serials": serials});
        format!("{set}\n {inspected}\n open\n bet p 1 pass 1000\n {thrown}\n push p\n close")
    };
    massachusetts(&throw(false, &["a", "b"], &[6, 5]), &[]);
    let foreign = &[("dice.foreign", 0)];
    massachusetts(&throw(false, &["a", "z"], &[6, 5]), foreign);
    massachusetts(&throw(false, &["a", "a"], &[6, 5]), foreign);
    // A die that left the table cannot be read; a third one has no business there.
    massachusetts(&throw(false, &["a", "b"], &[6]), &[]);
    massachusetts(
        &throw(false, &["a", "b", "c"], &[6, 5, 1]),
        &[("dice.wrong_number", 0)],
    );
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
fn that_the_shooter_throws_for_the_come_bets_is_said_once() {
    let lines = |after: &str| {
        format!(
            r#"open
            say 1 shooter
            bet p 1 pass 1000
            roll 6 2
            bet c 1 come 500
            roll 3 1
            roll 5 3
            pay p 1000
            close
            open
            say 1 decision_only
            roll 3 3
            close
            open
            roll 5 5
            {after}
            close"#
        )
    };
    let decided = "roll 2 2\n pay c 500\n bet q 1 pass 1000\n roll 5 6\n pay q 1000";
    massachusetts(&lines(decided), &[]);
    // With a line bet, and when the come bets are decided, the game goes on as usual.
    let normal = "bet q 1 pass 1000\n roll 4 1\n roll 4 1\n pay q 1000";
    massachusetts(&lines(normal), &[]);
    massachusetts(
        &lines("roll 2 2\n pay c 500\n roll 6 5"),
        &[("craps.shooter_without_line_bet", 0)],
    );
    // A come bet that was made with no point on is none to throw for: the 4 sets a point.
    massachusetts(
        "open\n bet c 1 come 500\n say 1 decision_only\n roll 3 3\n push c\n roll 1 3\n bet d 1 come 500\n roll 6 5\n pay d 500\n close",
        &[("craps.come_on_comeout", 0)],
    );
}

#[test]
fn in_a_tournament_whoever_has_chips_bets_on_every_roll() {
    let found = |lines: &str, expected: &[(&str, i64)]| {
        assert_found("craps", OHIO, json!({"tournament": true}), lines, expected);
    };
    let bought = r#"{"type": "buy_in", "seat": 2, "amount": 3000, "form": "cash"}"#;
    let rounds = |stake: u32, next: &str| {
        format!(
            "{bought}\n open\n bet p 1 pass 1000\n bet q 2 pass {stake}\n roll 1 1\n take p\n take q\n close\n open\n bet r 1 pass 1000\n {next}\n roll 1 2\n take r\n close"
        )
    };
    let idle = &[("craps.tournament_no_bet", 0)];
    found(&rounds(1000, ""), idle);
    found(
        &rounds(1000, "bet s 2 pass 2000").replace("take r", "take r\n take s"),
        &[],
    );
    // All is lost: there is nothing left to bet.
    found(&rounds(3000, ""), &[]);
    // What was won is there as well.
    let won = "open\n bet p 1 pass 1000\n bet q 2 pass 500\n roll 6 5\n pay p 1000\n pay q 500\n bet r 1 pass 1000\n roll 6 5\n pay r 1000\n close";
    found(won, idle);
    ohio(won, &[]);
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
    // A come bet that has its number loses to the 7 that pays those on the line.
    let come = |paid: &str| {
        format!(
            "open\n bet p 1 pass 1000\n roll 6 5\n bet c 1 come 500\n roll 4 5\n roll 3 4\n take p\n {paid}\n close"
        )
    };
    crapless(&come("take c"), &[]);
    crapless(
        &come("pay c 500"),
        &[("crapless.come_not_moved", 0), ("pay.undue", 1000)],
    );
    crapless(
        "open\n bet p 1 pass 1000\n bet d 2 dont_pass 500\n roll 3 4\n pay p 1000\n push d\n close",
        &[("crapless.dont_bet", 0)],
    );
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
    ] {
        massachusetts(&said(word), &[(code, 0)]);
    }
    // A rule of the Ohio text alone.
    massachusetts(&said("no_tournament_bet"), &[]);
    ohio(
        &said("no_tournament_bet"),
        &[("craps.tournament_no_bet", 0)],
    );
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
