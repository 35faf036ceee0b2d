//! Late bets, bets in the air, coupons, limits and vigorish.

use serde_json::json;

use super::{MGC, OHIO, assert_found, crapless, found, massachusetts, ohio, table};

#[test]
fn a_bet_after_the_call_is_late_and_one_after_the_roll_is_for_the_next() {
    let called = r#"{"type": "betting_closed", "window": "roll-1"}"#;
    massachusetts(
        &format!(
            "open\n bet p 1 pass 1000\n {called}\n bet f 1 field 500\n roll 6 3\n push f\n close"
        ),
        &[("wager.late", 500), ("finding.resolved", -500)],
    );
    massachusetts(
        &format!(
            "open\n bet p 1 pass 1000\n {called}\n roll 6 3\n bet f 1 field 500\n roll 6 4\n pay f 500\n close"
        ),
        &[],
    );
}

#[test]
fn at_crapless_craps_bets_are_good_until_the_dice_land() {
    let called = r#"{"type": "betting_closed"}"#;
    crapless(
        &format!(
            "open\n bet p 1 pass 1000\n {called}\n bet f 1 field 500\n roll 6 3\n pay f 500\n close"
        ),
        &[],
    );
    crapless(
        "open\n bet p 1 pass 1000\n roll 6 3\n bet f 1 field 500\n pay f 500\n close",
        &[("wager.late", 0), ("pay.over", 500)],
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
    // Given back, it is resolved.
    let late = [("wager.late", 0), ("finding.resolved", 0)];
    ohio(&bet(r#"["dealer", "boxperson"]"#), &late);
    crapless(&confirmed, &[]);
}

#[test]
fn a_bet_is_capped_or_pinched_when_it_is_decided() {
    massachusetts(
        "open\n bet p 1 pass 1000\n bet f 1 field 500\n roll 6 3\n raise f 1500\n pay f 500\n close",
        &[("wager.capped", 1000)],
    );
    massachusetts(
        "open\n bet p 1 pass 1000\n bet f 1 field 500\n roll 6 2\n remove f\n take f\n close",
        &[("wager.pinched", 500)],
    );
    // A winner is paid and takes its stake down.
    massachusetts(
        "open\n bet p 1 pass 1000\n bet f 1 field 500\n roll 6 3\n pay f 500\n remove f\n close",
        &[],
    );
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
fn the_texts_of_ohio_name_no_time_for_vigorish_but_a_house_may_post_one() {
    let buy = r#"open
        bet p 1 pass 1000
        roll 6 3
        bet b 1 buy 6000 {"number": 4}
        roll 2 2
        {"type": "wager_paid", "wager": "b", "amount": 12000, "commission": 300}
        close"#;
    ohio(buy, &[]);
    crapless(buy, &[]);
    let when_made = json!({"buy_vig_on_win": [10]});
    for game in ["craps", "crapless_craps"] {
        let expected = &[("craps.vig_wrong_time", 0)];
        assert_found(game, OHIO, when_made.clone(), buy, expected);
    }
}

#[test]
fn a_horn_high_bet_is_booked_as_its_parts_where_it_has_no_area() {
    let horn = r#"open
        bet p 1 pass 1000
        bet h 1 horn_high 500 {"number": 11}
        roll 4 3
        pay p 1000
        take h
        close"#;
    let parts = horn
        .replace(
            r#"bet h 1 horn_high 500 {"number": 11}"#,
            "bet h 1 horn 400\n bet y 1 eleven 100",
        )
        .replace("take h", "take h\n take y");
    let whole = &[("craps.composite_not_split", 0)];
    for (game, edition) in [("craps", MGC), ("craps", OHIO), ("crapless_craps", OHIO)] {
        let areas = |areas: &[&str]| json!({"composite_areas": areas});
        assert_found(game, edition, json!({}), horn, &[]);
        assert_found(game, edition, areas(&["horn_high"]), horn, &[]);
        assert_found(game, edition, areas(&["world"]), horn, whole);
        assert_found(game, edition, areas(&[]), &parts, &[]);
    }
    // A world bet may be broken down, and need not.
    let world = horn.replace(r#"horn_high 500 {"number": 11}"#, "world 500");
    let world = world.replace("take h", "push h");
    assert_found("craps", OHIO, json!({"composite_areas": []}), &world, &[]);
}

#[test]
fn a_spoken_bet_with_cash_is_confirmed_by_the_dealer() {
    let bet = |confirmed: bool| {
        let bet = json!({"type": "wager_placed", "wager": "f", "seat": 2, "kind": "field",
            "amount": 500, "form": "cash", "detail": {"confirmed": confirmed}});
        format!("open\n bet p 1 pass 1000\n {bet}\n roll 6 5\n pay p 1000\n pay f 500\n close")
    };
    massachusetts(&bet(true), &[]);
    massachusetts(&bet(false), &[("wager.verbal_unconfirmed", 0)]);
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
    let refused = [("wager.match_play_not_allowed", 0)];
    let goes_back = |kind: &str| bet(kind).replace("pay c 500", "push c");
    massachusetts(&goes_back("field"), &refused);
    ohio(&goes_back("pass"), &refused);
    crapless(&goes_back("field").replace("pay p 1000", ""), &refused);
    // What is paid on one was not due.
    let paid = [("wager.match_play_not_allowed", 0), ("pay.over", 500)];
    massachusetts(&bet("field"), &paid);
    // One that is given back before the dice are thrown was refused.
    let in_time = goes_back("field")
        .replace("push c", "")
        .replace("roll 6 5", "push c\n roll 6 5");
    massachusetts(&in_time, &[]);
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
fn what_a_reduction_leaves_is_held_against_the_limits_again() {
    let judge = |lines: &str, expected: &[&str]| {
        let mut bodies = table("craps", MGC, json!({}), lines);
        bodies[0]["limits"] = json!([{"kind": "place", "min": 1200, "max": 100000},
            {"kind": "dont_pass", "min": 1000, "max": 100000}]);
        let found = found(&bodies);
        let found: Vec<&str> = found.iter().map(|(code, _)| &**code).collect();
        assert_eq!(found, expected, "{lines}");
    };
    let place = |change: &str| {
        format!(
            r#"open
            bet p 1 pass 1000
            roll 6 3
            bet b 1 place 1800 {{"number": 8}}
            {change}
            roll 1 1
            roll 1 2
            close"#
        )
    };
    judge(&place(""), &[]);
    judge(&place("roll 2 1\n raise b 1200"), &[]);
    judge(&place("roll 2 1\n raise b 600"), &["wager.under_min"]);
    let unpayable = ["wager.unpayable_amount", "wager.under_min"];
    judge(&place("roll 2 1\n raise b 700"), &unpayable);
    // What is cut before its first roll is judged by what is left alone.
    judge(&place("raise b 1300\n raise b 1200"), &[]);
    let dont = "open\n bet d 1 dont_pass 1500\n raise d 900\n raise d 800\n roll 6 3\n close";
    judge(dont, &["wager.under_min"]);
    // One that was carried is judged when it is lowered, and not before.
    let carried = "open\n bet d 1 dont_pass 1500\n roll 6 3\n close\n open\n roll 1 1\n raise d 500\n roll 1 1\n close";
    judge(carried, &["wager.under_min"]);
}

#[test]
fn odds_are_the_right_of_who_made_the_flat_bet() {
    massachusetts(
        r#"open
        bet p 1 pass 1000
        roll 6 3
        bet c 4 come 500
        roll 5 1
        bet o 5 come_odds 500 c
        roll 3 3
        pay c 500
        push o
        close"#,
        &[("craps.odds_orphan", 0)],
    );
}

#[test]
fn odds_against_a_number_are_measured_by_the_stake_that_it_came_with() {
    let cut = |odds: i64| {
        format!(
            r#"open
            bet d 1 dont_pass 600
            roll 6 4
            close
            open
            roll 1 1
            raise d 200
            close
            open
            bet o 1 dont_pass_odds {odds} d
            roll 3 4
            pay d 200
            pay o {}
            close"#,
            odds / 2
        )
    };
    assert_found("craps", MGC, json!({}), &cut(1200), &[]);
    let over = [("craps.odds_over_max", 0)];
    assert_found("craps", MGC, json!({}), &cut(1400), &over);
    // The text of Ohio has no limit where none is posted.
    assert_found("craps", OHIO, json!({}), &cut(9000), &[]);
}

#[test]
fn come_odds_work_on_an_ohio_come_out_unless_the_house_posts_otherwise() {
    let lines = |odds: &str| {
        format!(
            r#"open
            bet p 1 pass 1000
            roll 6 3
            bet c 1 come 500
            roll 5 6
            bet o 1 come_odds 200 c
            roll 6 3
            pay p 1000
            roll 5 6
            pay c 500
            {odds}
            close"#
        )
    };
    let crapless = "crapless_craps";
    assert_found(crapless, OHIO, json!({}), &lines("pay o 600"), &[]);
    let off = json!({"come_odds_on_comeout": "off"});
    assert_found(crapless, OHIO, off.clone(), &lines("push o"), &[]);
    let settled = [("craps.off_bet_settled", 0), ("pay.over", 600)];
    assert_found(crapless, OHIO, off, &lines("pay o 600"), &settled);
}

#[test]
fn vigorish_of_a_bet_that_stays_counts_in_the_round_that_charged_it() {
    let lines = r#"open
        bet p 1 pass 1000
        roll 6 3
        bet b 1 buy 2000 {"number": 4}
        fee b 100
        roll 1 1
        close
        open
        remove b
        roll 1 1
        close"#;
    let charged = |options: serde_json::Value| {
        let (findings, rounds) = catwalk_stories::settle(&table("craps", MGC, options, lines));
        assert_eq!(findings, []);
        let of_bet = |round: &catwalk_settler::SettledRound| {
            let bet = round.wagers.iter().find(|wager| wager.id == "b").unwrap();
            (bet.commission.unwrap().get(), bet.commission_taken.get())
        };
        rounds.iter().map(of_bet).collect::<Vec<_>>()
    };
    assert_eq!(charged(json!({})), [(100, 100), (0, 0)]);
    let refunds = json!({"refund_vig_on_removal": true});
    assert_eq!(charged(refunds), [(100, 100), (-100, 0)]);
    let twice = lines.replace("remove b", "fee b 100");
    let found = [("craps.vig_wrong_time", 0), ("commission.wrong", -100)];
    assert_found("craps", MGC, json!({}), &twice, &found);
}

#[test]
fn words_that_a_bet_has_no_use_for_are_left_out() {
    massachusetts(
        r#"open
        bet p 1 pass 1000 {"number": 6, "point": 6, "working": true, "confirmed_by": ["dealer"], "made": [4]}
        bet f 1 field 500 {"dice": [6, 3], "in_air": false, "working": [0, 99]}
        bet h 1 place 600 {"number": 6, "dice": [3, 3], "working": [0, 99]}
        roll 6 3
        pay f 500
        close
        open
        roll 6 3
        pay p 1000
        close"#,
        &[],
    );
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
