//! Table stakes: all-ins, side pots, and what lies in front of each player from hand to hand.

use catwalk_events::Event;
use catwalk_events::body::Body;
use serde_json::{Value, json};

use super::{assert_cases, table};
use catwalk_stories::{codes, feed, receive};

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
    let cases: [(&str, &str, &[&str]); 5] = [
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
    ];
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

/// 1, 7(c)3: a call for less is a short call of who has more, and all-in of who has not. Without stakes nobody
/// knows which, unless he bets again.
#[test]
fn a_call_for_less_is_judged_where_the_stakes_are_known() {
    let found = |stakes: &str, call: i64, next: &str| {
        let lines = format!(
            r#"{stakes}
            {{"type": "round_opened", "banker": 5}}
            bet a 1 blind 200
            bet b 3 blind 500
            card seat 1 QS
            card seat 3 KS
            card seat 5 8C
            card seat 1 QD
            card seat 3 KD
            card seat 5 8D
            bet c 5 raise 4000
            say 1 fold
            bet d 3 call {call}
            card community 8H up
            card community 2C up
            card community 3D up
            {next}
            card community 4S up
            card community JH up
            close"#
        );
        let found = codes(&table(no_limit(), &lines)).into_iter();
        let found = found.filter(|code| !code.starts_with("pot."));
        found.collect::<Vec<String>>()
    };
    let bought = |seat: u32, amount: i64| {
        format!(
            "{{\"type\": \"buy_in\", \"seat\": {seat}, \"amount\": {amount}, \"form\": \"cash\"}}\n"
        )
    };
    let none: [&str; 0] = [];
    // All-in for 15.00 in all, by what he bought; and short with 45.00 before him.
    assert_eq!(found(&bought(3, 1500), 1000, ""), none);
    let short = found(&bought(3, 4500), 1000, "");
    assert!(short.contains(&"wager.short_call".to_owned()), "{short:?}");
    assert_eq!(found("", 1000, ""), none);
    // He bets on: he had more.
    let bet = "bet e 3 bet 500\n bet f 5 call 500";
    let short = found("", 1000, bet);
    assert!(short.contains(&"wager.short_call".to_owned()), "{short:?}");
    // 7.00 in all: too little to be dealt in with the blind, if it was all.
    assert_eq!(found(&bought(3, 700), 200, ""), ["stakes.insufficient"]);
    let short = found("", 200, "");
    assert!(short.contains(&"wager.short_call".to_owned()), "{short:?}");
    assert!(
        !short.contains(&"stakes.insufficient".to_owned()),
        "{short:?}"
    );
}

/// A hand that seat 5 loses, and one in which it folds without a chip; stakes are spoken or bought.
#[test]
fn stakes_that_are_only_spoken_are_not_carried_to_the_next_hand() {
    let hands = |before: &str, detail: &str| {
        let lines = format!(
            r#"{before}
            {{"type": "round_opened", "banker": 5}}
            bet a 1 blind 200
            bet b 3 blind 500
            card seat 1 ??
            card seat 3 ??
            card seat 5 8C
            card seat 1 ??
            card seat 3 ??
            card seat 5 8D
            bet c 5 raise 4000 {detail}
            say 1 fold
            say 3 fold
            {{"type": "pot_awarded", "pot": 0, "seat": 5, "amount": 1200}}
            close
            {{"type": "round_opened", "banker": 1}}
            bet f 3 blind 200
            bet g 5 blind 500
            card seat 3 ??
            card seat 5 ??
            card seat 1 ??
            card seat 3 ??
            card seat 5 ??
            card seat 1 ??
            say 1 fold
            say 3 fold
            {{"type": "pot_awarded", "pot": 0, "seat": 5, "amount": 400}}
            close
            {{"type": "round_opened", "banker": 3}}
            bet h 5 blind 200
            bet i 1 blind 500
            card seat 5 ??
            card seat 1 ??
            card seat 3 ??
            card seat 5 ??
            card seat 1 ??
            card seat 3 ??
            say 3 fold
            bet j 5 raise 9000
            say 1 fold
            {{"type": "pot_awarded", "pot": 0, "seat": 5, "amount": 1000}}
            close"#
        );
        codes(&table(no_limit(), &lines))
    };
    let none: [&str; 0] = [];
    let bought = r#"{"type": "buy_in", "seat": 5, "amount": 4000, "form": "cash"}"#;
    let of_nobody = r#"{"type": "buy_in", "amount": 9000, "form": "cash"}"#;
    assert_eq!(hands("", r#"{"stack": 4000}"#), none);
    assert_eq!(hands(bought, ""), ["wager.over_table_stakes"]);
    // What was bought for a seat that is not named may be in front of any.
    assert_eq!(hands(&format!("{bought}\n{of_nobody}"), ""), none);
    assert_eq!(hands(&format!("{of_nobody}\n{bought}"), ""), none);
}

/// Bought within the round and before its cards: these chips play.
#[test]
fn chips_bought_before_the_cards_are_the_stakes_of_the_hand() {
    let found = |stake: i64| {
        let lines = format!(
            r#"{{"type": "round_opened", "banker": 5}}
            {{"type": "buy_in", "seat": 5, "amount": 4000, "form": "cash"}}
            bet a 1 blind 200
            bet b 3 blind 500
            card seat 1 ??
            card seat 3 ??
            card seat 5 ??
            card seat 1 ??
            card seat 3 ??
            card seat 5 ??
            bet c 5 raise {stake}
            say 1 fold
            say 3 fold
            {{"type": "pot_awarded", "pot": 0, "seat": 5, "amount": 1200}}
            close"#
        );
        let mut events = feed(&table(no_limit(), &lines));
        for event in &mut events[2..] {
            event.round = Some("r1".to_owned());
        }
        let (findings, _) = receive(events);
        let codes = findings.into_iter().map(|finding| finding.code);
        codes.collect::<Vec<String>>()
    };
    assert_eq!(found(4000), [] as [&str; 0]);
    assert_eq!(found(4100), ["wager.over_table_stakes"]);
}

/// Nobody decided anything and no stack was told: who turned his hand over was all-in.
#[test]
fn a_hand_in_which_all_are_all_in_needs_no_decision() {
    let known = ["1 QS", "3 KS", "5 8C", "1 QD", "3 KD", "5 8D"];
    let mut lines: Vec<String> = Vec::new();
    let mut dealt = [0, 0, 0, 0, 0, 0];
    let mut shows = Vec::new();
    for line in ALL_IN.replace("push e", "").lines().map(str::trim) {
        let card = known
            .iter()
            .find(|card| line == format!("card seat {card}"));
        let Some(card) = card else {
            if !line.contains("buy_in") {
                lines.push(line.to_owned());
            }
            continue;
        };
        let seat: usize = card[..1].parse().unwrap();
        lines.push(format!("card seat {seat} ??"));
        shows.push(format!("show seat {seat} {} {}", dealt[seat], &card[2..]));
        dealt[seat] += 1;
    }
    let at = lines
        .iter()
        .position(|line| line.contains("pot_awarded"))
        .unwrap();
    let untold = lines.join("\n");
    lines.splice(at..at, shows);
    let shown = lines.join("\n");
    let found = |lines: &str| codes(&table(no_limit(), lines));
    let none: [&str; 0] = [];
    assert_eq!(found(&shown), none);
    assert_eq!(
        found(&shown.replace(
            "\"seat\": 5, \"amount\": 12000",
            "\"seat\": 1, \"amount\": 12000"
        )),
        ["pot.wrong_seat", "pot.under_award"]
    );
    // Where nobody turned his hand, one may have folded.
    assert_eq!(found(&untold.replace("12000", "11000")), none);
}

/// The player of the first blind has left: his neighbour posts the large one, and nobody the small one.
#[test]
fn a_vacant_blind_is_told_with_a_post() {
    let options = json!({"form": "holdem_high", "bet_limits": vec![[400, 400]; 4], "blinds": [200, 400],
        "extra_posts": true});
    let found = |detail: &str| {
        let lines = format!(
            r#"
            {{"type": "round_opened", "banker": 3}}
            bet a 1 blind 400 {detail}
            card seat 1 ??
            card seat 3 ??
            card seat 1 ??
            card seat 3 ??
            bet b 3 call 400
            say 1 check
            card community 2C up
            card community 7D up
            card community 9H up
            say 1 check
            bet c 3 bet 400
            say 1 fold
            {{"type": "pot_awarded", "pot": 0, "seat": 3, "amount": 800}}
            close"#
        );
        codes(&table(options.clone(), &lines))
    };
    let none: [&str; 0] = [];
    assert_eq!(found(r#"{"vacant_blinds": [0]}"#), none);
    let owed = found("");
    let has = |code: &str| owed.iter().any(|found| found == code);
    assert!(has("blind.missing") && has("blind.amount"), "{owed:?}");
}
