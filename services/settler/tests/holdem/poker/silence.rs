//! Feeds that leave out who checked and folded, or tell bets in another way, and hands that were called off.

use catwalk_events::body::Body;
use serde_json::{Value, json};

use super::{HOLDEM, holdem, table};
use catwalk_stories::{codes, feed, receive};

/// The hand without lines that begin with one of these words.
fn without(words: &[&str]) -> String {
    let is_told = |line: &&str| !words.iter().any(|word| line.trim().starts_with(word));
    let told: Vec<&str> = HOLDEM.lines().filter(is_told).collect();
    told.join("\n")
}

fn found(lines: &str) -> Vec<String> {
    codes(&table(holdem(), lines))
}

const NONE: [&str; 0] = [];

#[test]
fn where_nobody_told_who_folded_chips_and_turned_cards_show_it() {
    let silent = without(&["say"]);
    assert_eq!(found(&silent), NONE);
    let wrong_seat = silent.replace(
        r#""seat": 4, "amount": 7100"#,
        r#""seat": 2, "amount": 7100"#,
    );
    assert_eq!(
        found(&wrong_seat),
        ["pot.wrong_seat", "pot.under_award"],
        "seat 4 turned over the flush"
    );
    let over = silent.replace(r#"taken", "amount": 400"#, r#"taken", "amount": 600"#);
    assert_eq!(found(&over), ["rake.over"]);
    // What a feed tells of showing alone says no more of the betting.
    let showing = without(&["say 7", "say 4 check"]);
    assert_eq!(found(&showing), NONE);
}

/// Nobody turned a card: only what no hand could have is found.
#[test]
fn no_more_comes_out_of_the_pots_than_went_in() {
    let unseen = without(&["say", "show"]);
    assert_eq!(found(&unseen), NONE);
    let other_seat = unseen.replace(
        r#""seat": 4, "amount": 7100"#,
        r#""seat": 2, "amount": 7100"#,
    );
    assert_eq!(found(&other_seat), NONE);
    assert_eq!(found(&unseen.replace("7100", "7300")), ["pot.over_award"]);
    let over = unseen.replace(r#"taken", "amount": 400"#, r#"taken", "amount": 500"#);
    assert_eq!(found(&over), ["rake.over"]);
}

/// Bets that are told by decisions with their amounts, and by no wager.
#[test]
fn decisions_may_tell_what_goes_into_the_pot() {
    let told = |line: &str| {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words.as_slice() {
            ["bet", _, seat, kind, amount] if *kind != "blind" => {
                let (seat, amount) = (seat.parse::<u32>().unwrap(), amount.parse::<i64>().unwrap());
                let said = json!({"type": "decision", "seat": seat, "action": kind,
                    "amount": amount});
                said.to_string()
            }
            _ => line.to_owned(),
        }
    };
    let spoken: Vec<String> = HOLDEM.lines().map(told).collect();
    let spoken = spoken.join("\n");
    assert_eq!(found(&spoken), NONE);
    assert_eq!(found(&spoken.replace("7100", "7000")), ["pot.under_award"]);
}

/// Seat 3 raises by less than the last raise, and everybody folds: with all its chips it may.
#[test]
fn who_says_that_he_is_all_in_has_no_more() {
    let options = json!({"form": "holdem_high", "betting": "no_limit", "blinds": [200, 400],
        "bet_limits": [[400, null], [400, null], [400, null], [400, null]]});
    let hand = |stack: &str, word: &str| {
        format!(
            r#"{{"type": "round_opened", "banker": 1}}
            {stack}
            bet a 2 blind 200
            bet b 3 blind 400
            card seat 2 ??
            card seat 3 ??
            card seat 1 ??
            card seat 2 ??
            card seat 3 ??
            card seat 1 ??
            bet c 1 call 400
            say 2 fold
            bet d 3 raise 400
            bet e 1 call 400
            card community 4D up
            card community 2D up
            card community KC up
            {word}
            bet f 3 bet 300
            bet g 1 call 300
            card community KD up
            say 3 check
            say 1 check
            card community KS up
            say 3 check
            say 1 check
            show seat 3 0 AH
            show seat 3 1 AD
            show seat 1 0 QH
            show seat 1 1 QD
            {{"type": "pot_awarded", "pot": 0, "seat": 3, "amount": 2400}}
            close"#
        )
    };
    let all_in = |lines: String| {
        let checked = lines.replace("say 3 check", "").replace("say 1 check", "");
        codes(&table(options.clone(), &checked))
    };
    assert_eq!(all_in(hand("", "say 3 all_in")), NONE);
    let checks = codes(&table(options.clone(), &hand("", "")));
    assert_eq!(checks, ["wager.under_min"], "who checks has chips");
}

/// Where a raise must be as large as the last one, a shorter one that ends the hand may be all there was.
#[test]
fn a_raise_below_the_last_one_may_be_all_that_was_left() {
    let mut options = holdem();
    options["min_raise"] = json!("previous_increment");
    options["bet_limits"] = json!([[400, 2000], [400, 2000], [800, 4000], [800, 4000]]);
    let hand = |stack: &str, award: i64| {
        format!(
            r#"{stack}
            {{"type": "round_opened", "banker": 3}}
            bet a 1 blind 200
            bet b 3 blind 400
            card seat 1 ??
            card seat 3 ??
            card seat 1 ??
            card seat 3 ??
            bet c 1 raise 1200
            bet d 3 raise 1500
            say 1 fold
            {{"type": "rake_taken", "amount": 200}}
            {{"type": "pot_awarded", "pot": 0, "seat": 3, "amount": {award}}}
            close"#
        )
    };
    assert_eq!(codes(&table(options.clone(), &hand("", 2600))), NONE);
    let rich = r#"{"type": "buy_in", "seat": 3, "amount": 50000, "form": "cash"}"#;
    let found = codes(&table(options, &hand(rich, 2600)));
    assert_eq!(found, ["wager.under_min"]);
}

/// 15(e), 15(g): the chips of a round that is called off go back to who put them in.
#[test]
fn nobody_wins_a_round_that_was_called_off() {
    let called_off = |taken: &[Value]| {
        let taken: Vec<String> = taken.iter().map(Value::to_string).collect();
        let lines = format!(
            r#"{{"type": "round_opened", "banker": 2}}
            bet w1 4 blind 200
            bet w2 7 blind 400
            card seat 4 ??
            card seat 7 ??
            card seat 2 ??
            card seat 4 ??
            card seat 7 ??
            card seat 2 ??
            bet w3 2 call 400
            {}
            {{"type": "round_voided", "reason": "51 cards"}}"#,
            taken.join("\n")
        );
        found(&lines)
    };
    let push = |seat: u32, amount: i64| json!({"type": "pot_awarded", "pot": 0, "seat": seat, "amount": amount});
    assert_eq!(called_off(&[]), NONE);
    assert_eq!(
        called_off(&[push(2, 400), push(4, 200), push(7, 400)]),
        NONE
    );
    assert_eq!(called_off(&[push(2, 1000)]), ["pot.wrong_seat"]);
    let rake = json!({"type": "rake_taken", "amount": 100});
    assert_eq!(called_off(&[rake]), ["rake.over"]);
    let drop = json!({"type": "jackpot_drop_taken", "amount": 100});
    assert_eq!(called_off(&[drop]), ["jackpot.drop_over"]);
    // What it was called off for is found, and what is no fault is not.
    let told = |kind: &str, detail: Value| json!({"type": "irregularity", "kind": kind, "detail": detail, "ruling": "misdeal"});
    let short = told("deck_count", json!({"count": 51}));
    assert_eq!(called_off(&[short]), ["deck.missing_card"]);
    assert_eq!(
        called_off(&[told("deck_count", json!({"count": 52}))]),
        NONE
    );
    assert_eq!(
        called_off(&[told("not_shuffled", Value::Null)]),
        ["deck.not_shuffled"]
    );
    assert_eq!(
        called_off(&[told("off_table", json!({"cards": ["2C"]}))]),
        NONE
    );
}

/// 14(e): no more rake is taken when the pot was collected. What names no round is of the hand that goes on.
#[test]
fn rake_that_comes_when_the_hand_is_over_is_too_late() {
    let rake = r#"{"type": "rake_taken", "amount": 400}"#;
    let bodies = table(holdem(), HOLDEM);
    let untagged = |last: bool| {
        let mut events = feed(&bodies);
        let taken = events
            .iter()
            .position(|event| matches!(event.body, Body::RakeTaken(_)));
        let taken = taken.unwrap();
        match last {
            false => events[taken].round = None,
            true => {
                let late = events.remove(taken);
                events.push(late);
            }
        }
        for (event, seq) in events.iter_mut().zip(1..) {
            event.seq = seq;
        }
        let (findings, _) = receive(events);
        let codes = findings.into_iter().map(|finding| finding.code);
        codes.collect::<Vec<String>>()
    };
    assert!(HOLDEM.contains(rake));
    assert_eq!(untagged(false), NONE);
    assert_eq!(untagged(true), ["rake.under", "rake.after_award"]);
}
