//! Table stakes: all-ins, side pots, and what lies in front of each player from hand to hand.

use catwalk_events::Event;
use catwalk_events::body::Body;
use serde_json::{Value, json};

use crate::common::{codes, feed, receive};
use crate::{assert_cases, table};

/// Three all-ins of different stacks; seat 3 gets back what nobody called.
const ALL_IN: &str = r#"
    {"type": "buy_in", "seat": 1, "amount": 9000, "form": "cash"}
    {"type": "buy_in", "seat": 3, "amount": 30000, "form": "cash"}
    {"type": "buy_in", "seat": 5, "amount": 4000, "form": "cash"}
    {"type": "round_opened", "banker": 5}
    bet a 1 blind 200
    bet b 3 blind 500
    card seat 1 QS
    card seat 3 KS
    card seat 5 8C
    card seat 1 QD
    card seat 3 KD
    card seat 5 8D
    bet c 5 raise 4000
    bet d 1 raise 8800
    bet e 3 raise 9500
    card community 8H up
    card community 2C up
    card community 3D up
    card community 4S up
    card community JH up
    push e
    {"type": "pot_awarded", "pot": 1, "seat": 3, "amount": 10000}
    {"type": "pot_awarded", "pot": 0, "seat": 5, "amount": 12000}
    close"#;

fn no_limit() -> Value {
    let limits: Vec<Value> = (0..4).map(|_| json!([500, null])).collect();
    json!({"form": "holdem_high", "betting": "no_limit", "bet_limits": limits, "blinds": [200, 500]})
}

#[test]
fn side_pots_and_chips_that_nobody_called_go_where_they_belong() {
    let honest = ALL_IN.replace(
        "push e",
        r#"{"type": "wager_pushed", "wager": "e", "amount": 1000}"#,
    );
    let back = r#"{"type": "wager_pushed", "wager": "e", "amount": 1000}"#;
    let side = r#"{"type": "pot_awarded", "pot": 1, "seat": 3, "amount": 10000}"#;
    let main = r#"{"type": "pot_awarded", "pot": 0, "seat": 5, "amount": 12000}"#;
    let bought = r#"{"type": "buy_in", "seat": 5, "amount": 4000, "form": "cash"}"#;
    let cases: [(&str, &str, &[&str]); 6] = [
        // Not told at all, or pushed with the pot.
        (back, "", &[]),
        (
            &format!("{back}\n    {side}"),
            &side.replace("10000", "11000"),
            &[],
        ),
        (
            &format!("{side}\n    {main}"),
            &format!("{main}\n    {side}"),
            &["pot.award_order"],
        ),
        // Nobody told what lies before seat 5: the all-in tells it.
        (bought, "", &[]),
        (
            bought,
            &bought.replace("4000", "3500"),
            &[
                "wager.over_table_stakes",
                "pot.under_award",
                "pot.over_award",
            ],
        ),
        (
            bought,
            &bought.replace("4000", "5000"),
            &["wager.short_call"],
        ),
    ];
    let cases: Vec<(&str, &str, &[&str])> = cases[..5].to_vec();
    assert_cases(&no_limit(), &honest, &cases);
}

#[test]
fn stakes_are_followed_from_hand_to_hand() {
    let first = ALL_IN.replace("push e", "");
    let second = |stake: i64| {
        format!(
            "{first}\n    {{\"type\": \"round_opened\", \"banker\": 3}}\n    bet f 5 blind 200\n    \
             bet g 3 blind 500\n    card seat 5 2S\n    card seat 3 2H\n    card seat 5 5S\n    card seat 3 5H\n    \
             bet h 5 raise {stake}\n    say 3 fold\n    \
             {{\"type\": \"pot_awarded\", \"pot\": 0, \"seat\": 5, \"amount\": {}}}\n    close",
            1000
        )
    };
    // Seat 5 won 120.00: after the blind 118.00 are left.
    assert_eq!(codes(&table(no_limit(), &second(11800))), [] as [&str; 0]);
    assert_eq!(
        codes(&table(no_limit(), &second(11900))),
        ["wager.over_table_stakes"]
    );
}

/// 7(c)1: chips come to the table between hands. One is over when its pot is awarded.
#[test]
fn chips_that_are_bought_during_a_hand_are_found() {
    let hand = ALL_IN.replace("push e", "");
    let bought = |seat: u32| {
        format!(
            "{{\"type\": \"buy_in\", \"seat\": {seat}, \"amount\": 7000, \"form\": \"cash\"}}\n"
        )
    };
    let found = |before: &str, seat: u32, named: bool| {
        let lines = hand.replacen(before, &format!("{}    {before}", bought(seat)), 1);
        let mut events = feed(&table(no_limit(), &lines));
        let buys = |event: &&mut Event| matches!(&event.body, Body::BuyIn(buy) if buy.amount.get() == 7000);
        for event in events.iter_mut().filter(buys) {
            event.round = named.then(|| "r1".to_owned());
        }
        let (findings, _) = receive(events);
        let codes = findings.into_iter().map(|finding| finding.code);
        codes.collect::<Vec<String>>()
    };
    let none: [&str; 0] = [];
    for named in [false, true] {
        let flop = "card community 8H up";
        assert_eq!(found(flop, 3, named), ["stakes.changed_mid_round"]);
        // Who waits for a seat, who lost his chips, who sits down before the blinds.
        assert_eq!(found(flop, 9, named), none);
        assert_eq!(found("close", 1, named), none);
        assert_eq!(found("bet a 1 blind", 3, named), none);
    }
}

/// What was bought while a hand went on is there in the next one, though that hand was void.
#[test]
fn chips_that_were_bought_during_a_hand_play_in_the_next() {
    let next = |stake: i64| {
        let lines = format!(
            r#"{{"type": "buy_in", "seat": 3, "amount": 9000, "form": "cash"}}
            {{"type": "round_opened", "banker": 3}}
            bet a 5 blind 200
            bet b 3 blind 500
            card seat 5 ??
            {{"type": "buy_in", "seat": 1, "amount": 7000, "form": "cash"}}
            push a
            push b
            {{"type": "round_voided"}}
            {{"type": "round_opened", "banker": 1}}
            bet a 3 blind 200
            bet b 5 blind 500
            card seat 3 ??
            card seat 5 ??
            card seat 1 ??
            bet c 1 raise {stake}
            say 3 fold
            say 5 fold
            {{"type": "pot_awarded", "pot": 0, "seat": 1, "amount": 1200}}
            close"#
        );
        codes(&table(no_limit(), &lines))
    };
    assert_eq!(next(7000), [] as [&str; 0]);
    assert_eq!(next(7100), ["wager.over_table_stakes"]);
}
