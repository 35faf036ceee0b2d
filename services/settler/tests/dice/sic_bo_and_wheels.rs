//! Sic bo, roulette and big six from their events: every key of their documents, and what only the
//! order of events shows.

use catwalk_stories::{open, script, settle};
use serde_json::{Value, json};

/// A table under the text of Massachusetts, its wheel inspected in its first round.
fn table(game: &str, options: Value, lines: &str) -> Vec<Value> {
    let mut bodies = vec![open(game, "mgc-2017", options)];
    bodies.extend(script(lines));
    if game != "sic_bo" {
        let inspected = json!({"type": "wheel_inspected", "wheel": "w", "result": "pass"});
        bodies.insert(2, inspected);
    }
    bodies
}

fn assert_found(bodies: &[Value], expected: &[(&str, i64)]) {
    let (findings, _) = settle(bodies);
    let found: Vec<(&str, i64)> = findings
        .iter()
        .map(|finding| (&*finding.code, finding.exposure.get()))
        .collect();
    assert_eq!(found, expected, "{bodies:#?}");
}

fn play(bodies: &[Value]) -> Value {
    let (findings, rounds) = settle(bodies);
    assert_eq!(findings, []);
    rounds[0].document.as_ref().unwrap()["play"].clone()
}

fn sic_bo(lines: &str, expected: &[(&str, i64)]) {
    assert_found(&table("sic_bo", json!({}), lines), expected);
}

fn roulette(options: Value, lines: &str, expected: &[(&str, i64)]) {
    assert_found(&table("roulette", options, lines), expected);
}

fn big_six(options: Value, lines: &str, expected: &[(&str, i64)]) {
    assert_found(&table("big_six", options, lines), expected);
}

#[test]
fn every_key_of_a_sic_bo_document_can_come_from_events() {
    let lines = r#"open
        bet w 1 big 500
        no-more-bets
        say 0 shake
        say 0 shake
        say 0 shake
        no-roll 6 6 6
        called not_flat
        say 0 shake
        say 0 shake
        say 0 shake
        say 0 shake
        roll 6 5 1
        called device_malfunction {"entered": [6, 5, 1], "shaker": "manual"}
        pay w 500
        close"#;
    let expected = json!({"shaker": "manual", "device_malfunction": true, "tosses": [
        {"no_roll": "not_flat", "dice": [6, 6, 6], "shakes": 3},
        {"dice": [6, 5, 1], "entered": [6, 5, 1], "shakes": 4}]});
    assert_eq!(play(&table("sic_bo", json!({}), lines)), expected);
    let failed = "open\n bet w 1 big 500\n no-more-bets\n say 0 activate\n called shaker_failure\n push w\n close";
    let expected = json!({"shaker": "automated", "tosses": [{"shaker_failure": true}]});
    assert_eq!(play(&table("sic_bo", json!({}), failed)), expected);
    // What it shows when it fails is no toss; a no roll before it was one.
    let shown = failed.replace("called", "no-roll 6 6 1\n called");
    assert_eq!(play(&table("sic_bo", json!({}), &shown)), expected);
    let after = failed.replace("called", "no-roll 6 6 1\n called not_flat\n called");
    let expected = json!({"shaker": "automated", "tosses": [
        {"no_roll": "not_flat", "dice": [6, 6, 1]}, {"shaker_failure": true}]});
    assert_eq!(play(&table("sic_bo", json!({}), &after)), expected);
}

#[test]
fn a_no_roll_without_a_word_is_not_held_against_the_dealer() {
    let toss = |word: &str| {
        format!(
            "open\n bet w 1 big 500\n no-more-bets\n no-roll 6 6 6\n {word}\n roll 6 5 1\n pay w 500\n close"
        )
    };
    sic_bo(&toss(""), &[]);
    sic_bo(&toss("called not_flat"), &[]);
    sic_bo(&toss("called too_slow"), &[("sicbo.no_roll_unfounded", 0)]);
}

#[test]
fn sic_bo_settles_neither_a_no_roll_nor_a_failed_shaker() {
    sic_bo(
        "open\n bet w 1 big 500\n no-more-bets\n no-roll 6 5 1\n called not_flat\n pay w 500\n close",
        &[("sicbo.not_flat_settled", 0), ("pay.undue", 500)],
    );
    sic_bo(
        "open\n bet w 1 big 500\n no-more-bets\n called shaker_failure\n take w\n close",
        &[("sicbo.failed_shaker_settled", 0), ("pay.under", -500)],
    );
}

#[test]
fn small_and_big_lose_on_a_triple() {
    sic_bo(
        "open\n bet w 1 big 500\n no-more-bets\n roll 5 5 5\n take w\n close",
        &[],
    );
    sic_bo(
        "open\n bet w 1 big 500\n no-more-bets\n roll 5 5 5\n pay w 500\n close",
        &[("sicbo.small_big_on_triple", 0), ("pay.undue", 1000)],
    );
}

#[test]
fn a_broken_device_is_repaired_before_the_next_round() {
    let next = |repair: &str| {
        let round = "open\n bet w 1 big 500\n no-more-bets\n roll 6 5 1\n";
        format!(
            "{round} called device_malfunction\n pay w 500\n close\n {repair}\n {round} pay w 500\n close"
        )
    };
    sic_bo(&next(""), &[("sicbo.play_after_device_failure", 0)]);
    let mut repaired = table("sic_bo", json!({}), &next(""));
    let adjusted = json!({"type": "device_adjusted", "device": "lights", "kind": "display"});
    let at = repaired
        .iter()
        .rposition(|body| body["type"] == "round_opened")
        .unwrap();
    repaired.insert(at, adjusted);
    assert_found(&repaired, &[]);
}

#[test]
fn no_more_bets_is_called_where_the_feed_tells_of_calls() {
    let rounds = |bet: &str, outcome: &str, win: i64| {
        let round = |call: &str| {
            format!("open\n bet w 1 {bet} 500\n {call}\n {outcome}\n pay w {win}\n close\n")
        };
        let called = round("no-more-bets");
        // Never, each time, all but once, and when the outcome is there.
        [
            round("") + &round(""),
            called.clone() + &called,
            called + &round(""),
            round("").replace(outcome, &format!("{outcome}\n no-more-bets")),
        ]
    };
    let dice = rounds("big", "roll 6 5 1", 500);
    let missing: &[(&str, i64)] = &[("sicbo.no_more_bets_missing", 0)];
    for (lines, expected) in dice.iter().zip([&[], &[], missing, missing]) {
        sic_bo(lines, expected);
    }
    let wheel = rounds("red", "spin 9 6", 500);
    let missing: &[(&str, i64)] = &[("roulette.no_more_bets_missing", 0)];
    for (lines, expected) in wheel.iter().zip([&[], &[], missing, missing]) {
        roulette(json!({}), lines, expected);
    }
    let wheel = rounds("insignia_5", "spin 5 6", 2500);
    let missing: &[(&str, i64)] = &[("bigsix.no_more_bets_missing", 0)];
    for (lines, expected) in wheel.iter().zip([&[], &[], missing, missing]) {
        big_six(json!({}), lines, expected);
    }
}

#[test]
fn what_the_house_reports_of_itself_is_told() {
    let said = |word: &str, rest: &str| format!("open\n {rest}\n called {word}\n close");
    let dice = "bet w 1 big 500\n no-more-bets\n roll 6 5 1\n pay w 500";
    for (word, code) in [
        ("lights_not_cleared", "sicbo.lights_not_cleared"),
        ("two_shakers", "sicbo.two_shakers"),
        ("opening_check_missing", "sicbo.opening_check_missing"),
    ] {
        sic_bo(&said(word, dice), &[(code, 0)]);
    }
    sic_bo(&said("nobody_knows", dice), &[]);
    let ball = "bet w 1 red 500\n no-more-bets\n spin 9 6\n pay w 500";
    for (word, code) in [
        ("verbal_unconfirmed", "wager.verbal_unconfirmed"),
        ("foreign_chips", "roulette.foreign_non_value_chip"),
    ] {
        roulette(json!({}), &said(word, ball), &[(code, 0)]);
    }
    roulette(json!({}), &said("nobody_knows", ball), &[]);
    // A rule of the Ohio text alone.
    let touched = said("chips_touched", ball);
    roulette(json!({}), &touched, &[]);
    let mut ohio = table("roulette", json!({}), &touched);
    ohio[0]["edition"] = json!("oh-jack-2017");
    assert_found(&ohio, &[("roulette.chips_touched", 0)]);
    let wheel = "bet w 1 insignia_5 500\n no-more-bets\n spin 5 6\n pay w 2500";
    for (word, code) in [
        ("wheel_layout", "bigsix.wheel_layout"),
        ("option_sign_missing", "bigsix.option_sign_missing"),
    ] {
        big_six(json!({}), &said(word, wheel), &[(code, 0)]);
    }
    big_six(json!({}), &said("nobody_knows", wheel), &[]);
}

#[test]
fn the_shaker_stays_uncovered_until_all_are_paid() {
    let round = |end: &str| {
        format!("open\n bet w 1 big 500\n no-more-bets\n say 0 cover\n roll 6 5 1\n {end}\n close")
    };
    sic_bo(&round("pay w 500\n say 0 cover"), &[]);
    sic_bo(
        &round("say 0 cover\n pay w 500"),
        &[("sicbo.covered_before_paid", 0)],
    );
}

#[test]
fn losers_are_collected_before_winners_are_paid() {
    let order = |first: &str, second: &str| {
        let sic_bo = format!(
            "open\n bet w 1 big 500\n bet l 2 small 500\n no-more-bets\n roll 6 5 1\n {first}\n {second}\n close"
        );
        let wheel = sic_bo.replace("roll 6 5 1", "spin 19 6");
        let roulette = wheel.replace("big", "high").replace("small", "low");
        (sic_bo, roulette)
    };
    let (dice, wheel) = order("take l", "pay w 500");
    sic_bo(&dice, &[]);
    roulette(json!({}), &wheel, &[]);
    let (dice, wheel) = order("pay w 500", "take l");
    sic_bo(&dice, &[("sicbo.paid_before_collect", 0)]);
    roulette(json!({}), &wheel, &[("roulette.marker_before_collect", 0)]);
    big_six(
        json!({}),
        "open\n bet w 1 insignia_5 500\n bet l 2 insignia_2 500\n no-more-bets\n spin 5 6\n pay w 2500\n take l\n close",
        &[("bigsix.paid_before_collect", 0)],
    );
}

#[test]
fn every_key_of_a_roulette_document_can_come_from_events() {
    let lines = r#"open
        bet w 1 straight 500 {"numbers": ["9"]}
        no-more-bets
        called same_direction
        no-spin 4 6
        no-spin 5 6
        called floater
        spin 9 6
        pay w 17500
        close"#;
    let expected = json!({"spins": [
        {"pocket": "4", "revolutions": 6, "no_spin": "same_direction"},
        {"pocket": "5", "revolutions": 6, "no_spin": "floater"},
        {"pocket": "9", "revolutions": 6}]});
    assert_eq!(play(&table("roulette", json!({}), lines)), expected);
    roulette(
        json!({}),
        "open\n bet w 1 red 500\n no-more-bets\n spin 9 6\n called same_direction\n push w\n close",
        &[("roulette.invalid_spin_accepted", 0)],
    );
}

#[test]
fn an_invalid_spin_settles_nothing() {
    roulette(
        json!({}),
        "open\n bet w 1 red 500\n no-more-bets\n no-spin 9 2\n pay w 500\n close",
        &[("roulette.invalid_spin_settled", 0), ("pay.undue", 500)],
    );
    roulette(
        json!({}),
        "open\n bet w 1 red 500\n no-more-bets\n no-spin 9 2\n spin 9 6\n pay w 500\n close",
        &[],
    );
}

#[test]
fn zero_takes_outside_bets_or_half_of_them() {
    let half = || json!({"zero_rule": "half"});
    let zero = |kind: &str, what: &str| {
        format!("open\n bet w 1 {kind} 1000\n no-more-bets\n spin 0 6\n {what}\n close")
    };
    let part = r#"{"type": "wager_collected", "wager": "w", "amount": 500}"#;
    roulette(half(), &zero("red", part), &[]);
    roulette(
        half(),
        &zero("red", "take w"),
        &[("roulette.half_not_returned", 0), ("pay.under", -500)],
    );
    roulette(
        json!({}),
        &zero("red", part),
        &[("roulette.half_not_returned", 0), ("pay.uncollected", 500)],
    );
    roulette(
        json!({}),
        &zero("even", "pay w 1000"),
        &[("roulette.zero_paid_even", 0), ("pay.undue", 2000)],
    );
}

#[test]
fn a_player_takes_what_was_paid_and_nothing_before() {
    let taken =
        |end: &str| format!("open\n bet w 1 red 500\n no-more-bets\n spin 9 6\n {end}\n close");
    roulette(json!({}), &taken("pay w 500\n remove w"), &[]);
    roulette(json!({}), &taken("remove w"), &[("wager.pinched", 500)]);
    let mut ohio = table("roulette", json!({}), &taken("pay w 500\n remove w"));
    ohio[0]["edition"] = json!("oh-jack-2017");
    assert_found(&ohio, &[]);
    sic_bo(
        "open\n bet w 1 small 500\n no-more-bets\n roll 1 2 5\n pay w 500\n remove w\n close",
        &[],
    );
    big_six(
        json!({}),
        "open\n bet w 1 insignia_1 500\n no-more-bets\n spin 1 4\n pay w 500\n remove w\n close",
        &[],
    );
}

#[test]
fn each_player_has_chips_of_a_colour() {
    let bets = |second: &str| {
        let bet = |id: &str, seat: u32, colour: &str| {
            json!({"type": "wager_placed", "wager": id, "seat": seat, "kind": "red", "amount": 500,
                "form": "colour_chips", "colour": colour})
        };
        let (one, two) = (bet("a", 1, "blue"), bet("b", 2, second));
        format!("open\n {one}\n {two}\n no-more-bets\n spin 9 6\n pay a 500\n pay b 500\n close")
    };
    roulette(json!({}), &bets("pink"), &[]);
    roulette(json!({}), &bets("blue"), &[("chips.colour_shared", 0)]);
}

#[test]
fn a_coupon_does_not_go_with_a_value_chip() {
    let bets = |form: &str| {
        let bet = |id: &str, form: &str| {
            json!({"type": "wager_placed", "wager": id, "seat": 1, "kind": "red", "amount": 500,
                "form": form})
        };
        let (one, two) = (bet("a", "coupon"), bet("b", form));
        format!("open\n {one}\n {two}\n no-more-bets\n spin 9 6\n pay a 500\n pay b 500\n close")
    };
    roulette(json!({"match_play": true}), &bets("colour_chips"), &[]);
    roulette(
        json!({"match_play": true}),
        &bets("value_chips"),
        &[("chips.match_play_with_value_chip", 0)],
    );
    // Where coupons are not accepted, one goes back.
    let refused = bets("colour_chips").replace("pay a 500", "push a");
    roulette(json!({}), &refused, &[("wager.match_play_not_allowed", 0)]);
}

#[test]
fn words_that_a_wager_has_no_use_for_are_left_out() {
    let bet = |kind: &str, detail: Value| {
        json!({"type": "wager_placed", "wager": kind, "seat": 1, "kind": kind, "amount": 500,
            "form": "value_chips", "detail": detail})
    };
    let red = bet("red", json!({"numbers": ["9"], "color": "red", "lamp": 3}));
    let column = bet("column", json!({"column": 3, "dozen": 1, "numbers": [3]}));
    let odd = bet("odd", json!("odd"));
    let round = format!(
        "open\n {red}\n {column}\n {odd}\n no-more-bets\n spin 9 6\n pay red 500\n pay column 1000\n pay odd 500\n close"
    );
    roulette(json!({}), &round, &[]);
    let small = bet("small", json!({"number": 4, "lamp": 3}));
    let total = bet("total", json!({"number": 6, "numbers": [1, 2]}));
    let round = format!(
        "open\n {small}\n {total}\n no-more-bets\n roll 1 2 3\n pay small 500\n pay total 7000\n close"
    );
    sic_bo(&round, &[]);
}

#[test]
fn only_an_automated_shaker_fails_so_one_that_failed_was_one() {
    let failed = r#"open
        bet w 1 small 500
        no-more-bets
        {"type": "irregularity", "kind": "shaker_failure", "ruling": "round void", "detail": {"entered": [1, 2, 3]}}
        push w
        close"#;
    sic_bo(failed, &[]);
}

#[test]
fn every_key_of_a_big_six_document_can_come_from_events() {
    let lines = r#"open
        bet w 1 insignia_10 500
        no-more-bets
        no-spin 5 2
        spin 10 6
        called clapper_between {"passed": "10", "next": "1"}
        pay w 5000
        close"#;
    let expected = json!({"spins": [
        {"stop": "5", "revolutions": 2, "no_spin": "short_spin"},
        {"passed": "10", "next": "1", "revolutions": 6}]});
    assert_eq!(play(&table("big_six", json!({}), lines)), expected);
    let mut ohio = table(
        "big_six",
        json!({}),
        "open\n bet w 1 insignia_5 500\n no-more-bets\n say 0 walk_spin\n say 0 walk_spin\n spin 5 1\n pay w 2500\n close",
    );
    ohio[0]["edition"] = json!("oh-jack-2017");
    let expected = json!({"spins": [{"stop": "5", "revolutions": 1, "walk_spins": 2}]});
    assert_eq!(play(&ohio), expected);
}

#[test]
fn a_stuck_clapper_is_settled_by_the_posted_rule() {
    let stuck = |rest: &str| {
        format!(
            r#"open
            bet w 1 insignia_10 500
            no-more-bets
            spin 10 6
            called clapper_between {{"passed": "10", "next": "1"}}
            {rest}
            close"#
        )
    };
    big_six(json!({}), &stuck("pay w 5000"), &[]);
    big_six(
        json!({"between": "respin"}),
        &stuck("spin 2 6\n take w"),
        &[],
    );
    big_six(
        json!({"between": "respin"}),
        &stuck("pay w 5000"),
        &[("bigsix.between_wrong", 0), ("pay.undue", 5000)],
    );
}

#[test]
fn a_short_spin_settles_nothing() {
    big_six(
        json!({}),
        "open\n bet w 1 insignia_5 500\n no-more-bets\n spin 5 2\n pay w 2500\n close",
        &[
            ("bigsix.short_spin_settled", 0),
            ("bigsix.short_spin_accepted", 0),
            ("pay.undue", 2500),
        ],
    );
}

#[test]
fn a_call_is_about_the_spin_or_toss_that_nobody_has_explained() {
    // Before or after, one after the other.
    let wheel = |lines: &str| {
        let lines = format!(
            "open\n bet w 1 red 500\n no-more-bets\n {lines}\n spin 9 6\n pay w 500\n close"
        );
        let play = play(&table("roulette", json!({}), &lines));
        let spins = play["spins"].as_array().unwrap().clone();
        spins
            .into_iter()
            .map(|spin| spin["no_spin"].clone())
            .collect::<Vec<_>>()
    };
    let expected = [json!("short_spin"), json!("floater"), Value::Null];
    let after = "no-spin 4 2\n called short_spin\n no-spin 5 6\n called floater";
    let before = "called short_spin\n no-spin 4 2\n called floater\n no-spin 5 6";
    assert_eq!(wheel(after), expected);
    assert_eq!(wheel(before), expected);
    let wheel = |lines: &str| {
        let lines = format!(
            "open\n bet w 1 insignia_5 500\n no-more-bets\n {lines}\n spin 5 6\n pay w 2500\n close"
        );
        let play = play(&table("big_six", json!({}), &lines));
        let spins = play["spins"].as_array().unwrap().clone();
        spins
            .into_iter()
            .map(|spin| spin["no_spin"].clone())
            .collect::<Vec<_>>()
    };
    let expected = [json!("short_spin"), json!("foreign_object"), Value::Null];
    let after = "no-spin 5 2\n called short_spin\n no-spin 5 6\n called foreign_object";
    let before = "called short_spin\n no-spin 5 2\n called foreign_object\n no-spin 5 6";
    assert_eq!(wheel(after), expected);
    assert_eq!(wheel(before), expected);
    sic_bo(
        "open\n bet w 1 big 500\n no-more-bets\n called not_flat\n no-roll 6 6 1\n called too_slow\n no-roll 6 5 5\n roll 6 5 1\n pay w 500\n close",
        &[("sicbo.no_roll_unfounded", 0)],
    );
}

#[test]
fn a_selection_may_be_told_in_several_ways() {
    let bet = |kind: &str, detail: &str| {
        let detail: Value = serde_json::from_str(detail).unwrap();
        json!({"type": "wager_placed", "wager": "w", "seat": 1, "kind": kind, "amount": 500,
            "detail": detail})
    };
    for (kind, detail, win) in [
        ("total", "9", 3000),
        ("total", r#""9""#, 3000),
        ("total", r#"{"number": "9", "area": "centre"}"#, 3000),
        ("combination", "[2, 6]", 2500),
        ("combination", r#""6-2""#, 2500),
        ("combination", r#"{"numbers": ["2", "6"]}"#, 2500),
    ] {
        let bet = bet(kind, detail);
        sic_bo(
            &format!("open\n {bet}\n roll 1 2 6\n pay w {win}\n close"),
            &[],
        );
    }
    for (kind, detail, win) in [
        ("straight", "17", 17500),
        ("straight", r#"{"numbers": [17]}"#, 17500),
        ("straight", r#"{"number": 17, "chips": 5}"#, 17500),
        ("split", r#""17-20""#, 8500),
        ("split", r#"{"numbers": "20-17"}"#, 8500),
        ("column", r#"{"column": "2"}"#, 1000),
        ("dozen", "2", 1000),
        ("red", r#"{"chips": 5}"#, 0),
    ] {
        let bet = bet(kind, detail);
        let paid = if win > 0 {
            format!("pay w {win}")
        } else {
            "take w".into()
        };
        roulette(
            json!({}),
            &format!("open\n {bet}\n spin 17 6\n {paid}\n close"),
            &[],
        );
    }
    for detail in [r#"{"color": "blue"}"#, r#"{"colour": "blue"}"#, r#""blue""#] {
        let bet = bet("six_numbers_color", detail);
        let lines = format!("open\n {bet}\n spin 7 6\n pay w 2500\n close");
        roulette(
            json!({"optional_wagers": ["six_numbers_color"]}),
            &lines,
            &[],
        );
    }
    let bet = bet("insignia_10", r#"{"chips": 5}"#);
    for (passed, next) in [("10", "1"), (r#""$10""#, r#""$1""#)] {
        let stuck = format!(r#"called clapper_between {{"passed": {passed}, "next": {next}}}"#);
        let lines = format!("open\n {bet}\n spin 10 6\n {stuck}\n pay w 5000\n close");
        big_six(json!({}), &lines, &[]);
    }
    for section in ["10", "$10", "insignia_10"] {
        let lines = format!("open\n {bet}\n spin {section} 6\n pay w 5000\n close");
        big_six(json!({}), &lines, &[]);
    }
}

#[test]
fn a_remark_is_not_the_reason_of_a_no_roll() {
    let remark = r#"{"type": "irregularity", "kind": "chips_fell", "ruling": "put back"}"#;
    sic_bo(
        &format!(
            "open\n bet w 1 big 500\n {remark}\n no-more-bets\n no-roll 6 6 6\n called not_flat\n roll 6 5 1\n pay w 500\n close"
        ),
        &[],
    );
    let call = |reason: &str| {
        format!(
            "open\n bet w 1 big 500\n no-more-bets\n no-roll 6 6 6\n called no_roll {reason}\n roll 6 5 1\n pay w 500\n close"
        )
    };
    sic_bo(&call(""), &[]);
    sic_bo(&call(r#"{"reason": "not_flat"}"#), &[]);
    sic_bo(
        &call(r#"{"reason": "dealer_error"}"#),
        &[("sicbo.no_roll_unfounded", 0)],
    );
    let spin = |turns: u32| {
        format!(
            r#"open
            bet w 1 red 500
            no-more-bets
            no-spin 2 {turns}
            called no_spin {{"reason": "short_spin"}}
            spin 9 6
            pay w 500
            close"#
        )
    };
    roulette(json!({}), &spin(3), &[]);
    roulette(json!({}), &spin(4), &[("roulette.no_spin_unfounded", 0)]);
    let wheel = |turns: u32| {
        spin(turns)
            .replace("red", "insignia_1")
            .replace("spin 9", "spin 1")
    };
    big_six(json!({}), &wheel(2), &[]);
    big_six(json!({}), &wheel(3), &[("bigsix.no_spin_unfounded", 0)]);
}

#[test]
fn betting_is_open_again_after_what_was_called_off_until_the_next_call() {
    let round = |bet: &str, off: &str, on: &str, called: &str| {
        format!(
            "open\n bet w 1 {bet} 500\n no-more-bets\n {off}\n bet v 2 {bet} 500\n {called}\n {on}\n pay w 500\n pay v 500\n close"
        )
    };
    // The feed may tell of one call a round, or of one an attempt.
    for called in ["", "no-more-bets"] {
        sic_bo(&round("big", "no-roll 6 6 6", "roll 6 5 1", called), &[]);
        roulette(
            json!({}),
            &round("red", "no-spin 2 3", "spin 9 6", called),
            &[],
        );
        big_six(
            json!({}),
            &round("insignia_1", "no-spin 2 1", "spin 1 6", called),
            &[],
        );
    }
    let late = round("red", "no-spin 2 3\n no-more-bets", "spin 9 6", "");
    roulette(json!({}), &late, &[("wager.late", 500), ("pay.over", 500)]);
}

#[test]
fn no_spoken_bets_with_cash_are_taken_at_sic_bo() {
    let bet = |form: &str| {
        let bet = json!({"type": "wager_placed", "wager": "w", "seat": 1, "kind": "big",
            "amount": 500, "form": form});
        format!("open\n {bet}\n no-more-bets\n roll 6 5 1")
    };
    sic_bo(&(bet("value_chips") + "\n pay w 500\n close"), &[]);
    sic_bo(
        &(bet("cash") + "\n push w\n close"),
        &[("wager.verbal_cash", 0)],
    );
}

#[test]
fn the_text_of_ohio_has_no_order_of_collecting_at_big_six_but_an_inspection() {
    let round = "open\n bet w 1 insignia_5 500\n bet l 2 insignia_2 500\n no-more-bets\n spin 5 6\n pay w 2500\n take l\n close";
    let mut bodies = table("big_six", json!({}), round);
    bodies[0]["edition"] = json!("oh-jack-2017");
    assert_found(&bodies, &[]);
    bodies.remove(2);
    assert_found(&bodies, &[("bigsix.inspection_missing", 0)]);
}
