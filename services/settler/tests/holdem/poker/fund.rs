//! The bad beat fund: what it pays, who verified it, its display and its box.

use catwalk_events::Timestamp;
use catwalk_settler::Finding;
use serde_json::{Value, json};

use super::{HOLDEM, assert_cases, holdem, table};
use catwalk_stories::{codes, feed, receive, script};

/// A fund that pays half to the loser of twos full or better, and no rake.
fn sign() -> Value {
    let mut options = holdem();
    options["rake"] = json!([]);
    options["jackpot"] = json!({"pay": {"qualifier": ["2S", "2H", "2D", "3C", "3S"],
        "shares": {"loser": 50, "winner": 25, "table": 25}}});
    options
}

/// Twos full lose to fours full at a fund of 10,000.00; these shares are paid.
fn beaten(shares: &[String]) -> String {
    let shares = shares.join("\n");
    format!(
        r#"
        {{"type": "round_opened", "banker": 3, "meters": {{"bad_beat": 1000000}}}}
        bet a 1 blind 200
        bet b 3 blind 400
        card seat 1 4S
        card seat 3 2S
        card seat 1 4H
        card seat 3 2H
        bet c 1 call 200
        say 3 check
        card community 4D up
        card community 2D up
        card community KC up
        say 1 check
        say 3 check
        card community KS up
        say 1 check
        say 3 check
        card community 9C up
        say 1 check
        say 3 check
        {{"type": "pot_awarded", "pot": 0, "seat": 1, "amount": 800}}
        {shares}
        close"#
    )
}

fn paid(wager: &str, amount: i64, by: Option<&str>) -> String {
    let mut paid = json!({"type": "jackpot_paid", "meter": "bad_beat", "wager": wager,
        "amount": amount});
    if let Some(role) = by {
        paid["by"] = json!({"id": "m-1", "role": role});
    }
    paid.to_string()
}

#[test]
fn a_bad_beat_is_paid_from_the_fund() {
    let loser = paid("b", 500_000, None);
    let honest = beaten(&[loser.clone(), paid("a", 250_000, None)]);
    let more = paid("b", 600_000, None);
    let cases: [(&str, &str, &[&str]); 2] = [
        (&loser, "", &["bad_beat.unpaid"]),
        (&loser, &more, &["bad_beat.over"]),
    ];
    assert_cases(&sign(), &honest, &cases);
}

/// A bad beat, and a hand after it that opens with this display.
fn bad_beat(by: Option<&str>, then_shown: i64) -> Vec<String> {
    let lines = format!(
        r#"{}
        {{"type": "round_opened", "banker": 1, "meters": {{"bad_beat": {then_shown}}}}}
        bet a 3 blind 200
        bet b 1 blind 400
        card seat 3 ??
        card seat 1 ??
        card seat 3 ??
        card seat 1 ??
        say 3 fold
        {{"type": "wager_pushed", "wager": "b", "amount": 200}}
        {{"type": "pot_awarded", "pot": 0, "seat": 1, "amount": 400}}
        close"#,
        beaten(&[paid("b", 500_000, by), paid("a", 250_000, by)])
    );
    codes(&table(sign(), &lines))
}

#[test]
fn a_bad_beat_is_verified_by_the_shift_supervisor_and_comes_off_the_fund() {
    let none: [&str; 0] = [];
    assert_eq!(bad_beat(None, 250_000), none);
    assert_eq!(bad_beat(Some("shift_manager"), 250_000), none);
    // Contributions may have come in meanwhile.
    assert_eq!(bad_beat(Some("shift_manager"), 270_000), none);
    assert_eq!(
        bad_beat(Some("dealer"), 250_000),
        ["bad_beat.unverified", "bad_beat.unverified"]
    );
    assert_eq!(bad_beat(None, 1_000_000), ["jackpot.display_stale"]);
    assert_eq!(bad_beat(None, 1_100_000), ["jackpot.fund_mismatch"]);
    assert_eq!(bad_beat(None, 100_000), ["jackpot.fund_mismatch"]);
}

#[test]
fn the_box_of_the_fund_holds_what_was_taken_for_it() {
    let counted = |cash: i64| json!({"type": "drop_counted", "box": "jackpot-7", "cash": cash});
    let count = |first: i64, second: i64| {
        let mut bodies = table(holdem(), HOLDEM);
        bodies.push(counted(first));
        bodies.extend(script(&HOLDEM.replace("\"banker\": 2", "\"banker\": 4")));
        bodies.push(counted(second));
        let found = codes(&bodies).into_iter();
        found
            .filter(|code| code.starts_with("jackpot."))
            .collect::<Vec<String>>()
    };
    let none: [&str; 0] = [];
    // What lay in the box before the feed began is not known.
    assert_eq!(count(100, 100), none);
    assert_eq!(count(5_000, 100), none);
    assert_eq!(count(0, 100), ["jackpot.fund_mismatch"]);
    assert_eq!(count(100, 300), ["jackpot.fund_mismatch"]);
}

/// 19(d): the box is counted every gaming day.
#[test]
fn contributions_do_not_lie_in_the_box_for_more_than_a_day() {
    let found = |hours: i64, counted: bool| {
        let mut bodies = table(holdem(), HOLDEM);
        let before = bodies.len();
        if counted {
            bodies.push(json!({"type": "drop_counted", "box": "jackpot-7", "cash": 100}));
        }
        bodies.extend(script(&HOLDEM.replace("\"banker\": 2", "\"banker\": 4")));
        let mut events = feed(&bodies);
        for event in &mut events[before..] {
            event.at = Timestamp::from_micros(event.at.micros() + hours * 3_600_000_000);
        }
        let (findings, _) = receive(events);
        let of_box = |finding: &Finding| finding.code == "jackpot.box_not_counted";
        findings.iter().any(of_box)
    };
    assert!(found(25, false));
    assert!(!found(20, false));
    assert!(!found(25, true));
}

/// 19(b)(2) of the later text: what is withheld of the contributions is not in the display.
#[test]
fn the_fund_grows_by_what_is_not_withheld() {
    let found = |withheld: i64, then_shown: i64| {
        let mut options = sign();
        options["jackpot"]["drop"] = json!({"method": "fixed", "amount": 200, "min_pot": 0});
        options["jackpot"]["pay"]["shares"] = json!({"loser": 1, "winner": 0, "table": 0});
        options["jackpot"]["withheld_bp"] = json!(withheld);
        let award = r#"{"type": "pot_awarded", "pot": 0, "seat": 1, "amount": 800}"#;
        let drop = r#"{"type": "jackpot_drop_taken", "amount": 200}"#;
        let taken = format!("{drop}\n{}", award.replace("800", "600"));
        let hand = beaten(&[paid("b", 100, None)]).replace("1000000", "10000");
        let then = json!({"type": "round_opened", "meters": {"bad_beat": then_shown}});
        let lines = format!("{}\n{then}\nclose", hand.replace(award, &taken));
        codes(&table(options, &lines))
    };
    let none: [&str; 0] = [];
    assert_eq!(found(0, 10_100), none);
    assert_eq!(found(5_000, 10_000), none);
    assert_eq!(found(5_000, 10_100), ["jackpot.fund_mismatch"]);
    assert_eq!(found(10_000, 9_900), none);
    assert_eq!(found(10_000, 10_000), ["jackpot.display_stale"]);
}
