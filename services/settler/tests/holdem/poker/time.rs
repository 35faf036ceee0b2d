//! Charges for time: what they are, and when they are due.

use catwalk_events::Timestamp;
use serde_json::{Value, json};

use super::{HOLDEM, assert_cases, holdem, table};
use catwalk_stories::{codes, feed, open, receive, script, settle};

#[test]
fn a_room_that_takes_time_and_no_rake_is_held_to_its_charge() {
    let mut options = holdem();
    options["rake"] =
        json!([{"method": "time", "basis": "per_player", "hourly": 600, "interval": 30}]);
    options["jackpot"] = Value::Null;
    let honest = HOLDEM
        .replace(
            "{\"type\": \"rake_taken\", \"amount\": 400}",
            "{\"type\": \"rake_taken\", \"amount\": 900}",
        )
        .replace("{\"type\": \"jackpot_drop_taken\", \"amount\": 100}", "")
        .replace("7100", "7600");
    let cases: [(&str, &str, &[&str]); 2] = [
        ("\"amount\": 900", "\"amount\": 600", &["time.missed"]),
        ("\"amount\": 900", "\"amount\": 1200", &["time.over"]),
    ];
    assert_cases(&options, &honest, &cases);
}

/// A hand at each of these minutes, with a charge for three players where it is said.
fn hands_at(minutes: &[(i64, bool)]) -> Vec<String> {
    let mut options = holdem();
    options["rake"] =
        json!([{"method": "time", "basis": "per_player", "hourly": 600, "interval": 30}]);
    options["jackpot"] = Value::Null;
    let mut bodies = vec![open("poker", "mgc-2017", options)];
    let mut begins = Vec::new();
    for (hand, &(_, charged)) in minutes.iter().enumerate() {
        let mut seats = [2, 4, 7];
        seats.rotate_left(hand % 3);
        let [button, small, big] = seats;
        begins.push(bodies.len());
        let charge = if charged {
            r#"{"type": "rake_taken", "amount": 900}"#
        } else {
            ""
        };
        bodies.extend(script(&format!(
            r#"{{"type": "round_opened", "banker": {button}}}
            bet a{hand} {small} blind 200
            bet b{hand} {big} blind 400
            card seat {small} ??
            card seat {big} ??
            card seat {button} ??
            {charge}
            say {button} fold
            say {small} fold
            {{"type": "pot_awarded", "pot": 0, "seat": {big}, "amount": 600}}
            close"#
        )));
    }
    let mut events = feed(&bodies);
    let start = events[0].at.micros();
    for (index, event) in events.iter_mut().enumerate() {
        let hand = begins.iter().rposition(|&begin| begin <= index);
        let minute = hand.map_or(0, |hand| minutes[hand].0);
        event.at = Timestamp::from_micros(start + minute * 60_000_000 + index as i64);
    }
    let (findings, _) = receive(events);
    findings.into_iter().map(|finding| finding.code).collect()
}

#[test]
fn time_is_charged_when_its_interval_is_over() {
    let none: [&str; 0] = [];
    let on_time = [
        (0, true),
        (10, false),
        (20, false),
        (31, true),
        (40, false),
        (50, false),
        (62, true),
    ];
    assert_eq!(hands_at(&on_time), none);
    // With the hand after the one that was dealt when it became due.
    let mut later = on_time;
    (later[3].1, later[4].1) = (false, true);
    assert_eq!(hands_at(&later), none);
    let mut missed = on_time;
    missed[3].1 = false;
    assert_eq!(hands_at(&missed), ["time.missed"]);
    // A room that never charged is held to it from its first hand on: two hands after half an hour.
    let never: Vec<(i64, bool)> = (0..5).map(|hand| (10 * hand, false)).collect();
    assert_eq!(hands_at(&never[..4]), none);
    assert_eq!(hands_at(&never), ["time.missed"]);
    assert_eq!(
        hands_at(&[(0, false), (20, false), (40, false), (60, false)]),
        ["time.missed"]
    );
    // A table that stood still.
    assert_eq!(
        hands_at(&[
            (0, true),
            (10, false),
            (60, false),
            (70, false),
            (80, false)
        ]),
        none
    );
}

/// The clock of the table was behind while the charge was collected: it is as late as the hand before.
#[test]
fn a_charge_by_a_wrong_clock_is_not_older_than_the_hand_before_it() {
    let hands = [
        (0, true),
        (10, false),
        (30, false),
        (11, true),
        (45, false),
        (50, false),
        (60, true),
    ];
    assert_eq!(hands_at(&hands), ["feed.clock"]);
    // Nor is a charge due because one hand was told by a clock that was ahead.
    let hands = [
        (0, true),
        (10, false),
        (32, false),
        (20, false),
        (29, false),
        (31, false),
        (33, true),
    ];
    assert_eq!(hands_at(&hands), ["feed.clock"]);
}

/// What is taken may be the rake alone, or the charge for time with it.
#[test]
fn a_room_that_takes_rake_and_time_is_held_to_both() {
    let mut options = holdem();
    let time = json!({"method": "time", "basis": "per_player", "hourly": 600, "interval": 30});
    options["rake"].as_array_mut().unwrap().push(time);
    let cases: [(&str, &str, &[&str]); 3] = [
        (
            "\"rake_taken\", \"amount\": 400",
            "\"rake_taken\", \"amount\": 1300",
            &[],
        ),
        (
            "\"rake_taken\", \"amount\": 400",
            "\"rake_taken\", \"amount\": 500",
            &["rake.over"],
        ),
        (
            "\"rake_taken\", \"amount\": 400",
            "\"rake_taken\", \"amount\": 300",
            &["rake.under"],
        ),
    ];
    assert_cases(&options, HOLDEM, &cases);
}

/// Taken by itself, a charge that no rake could come to is known, and what is left is the rake.
#[test]
fn a_charge_for_time_beside_a_rake_is_told_apart_by_its_size() {
    let mut options = holdem();
    let time = json!({"method": "time", "basis": "per_player", "hourly": 600, "interval": 30});
    options["rake"].as_array_mut().unwrap().push(time);
    let rake = r#"{"type": "rake_taken", "amount": 400}"#;
    let both = format!("{rake}\n    {}", rake.replace("400", "900"));
    let honest = HOLDEM.replace(rake, &both);
    let cases: [(&str, &str, &[&str]); 2] = [
        (rake, &rake.replace("400", "500"), &["rake.over"]),
        (rake, "", &["rake.under"]),
    ];
    assert_cases(&options, &honest, &cases);
    let (_, rounds) = settle(&table(options, &honest));
    let pots = rounds[0].settlement.as_ref().unwrap().pots().unwrap();
    let charged: i64 = pots
        .time_charges
        .iter()
        .map(|charge| charge.amount.get())
        .sum();
    assert_eq!((pots.rake.get(), charged), (400, 900));
}

/// 14(b)3: who rests in his seat is charged too. That he sits there, what he bought tells.
#[test]
fn a_player_who_rests_pays_for_his_time() {
    let mut options = holdem();
    options["jackpot"] = Value::Null;
    options["rake"] =
        json!([{"method": "time", "basis": "per_player", "hourly": 600, "interval": 30}]);
    let hand = |charge: i64| {
        HOLDEM
            .replace(
                "{\"type\": \"rake_taken\", \"amount\": 400}",
                &format!("{{\"type\": \"rake_taken\", \"amount\": {charge}}}"),
            )
            .replace("{\"type\": \"jackpot_drop_taken\", \"amount\": 100}", "")
            .replace("7100", "7600")
    };
    let seats = [2, 4, 7, 9].map(|seat| {
        format!(
            "{{\"type\": \"buy_in\", \"seat\": {seat}, \"amount\": 20000, \"form\": \"cash\"}}\n"
        )
    });
    let found = |seated: &[String], charge: i64| {
        codes(&table(
            options.clone(),
            &format!("{}{}", seated.concat(), hand(charge)),
        ))
    };
    let none: [&str; 0] = [];
    assert_eq!(found(&seats, 900), none);
    assert_eq!(found(&seats, 1200), none);
    assert_eq!(found(&seats, 1500), ["time.over"]);
    assert_eq!(found(&seats, 1000), ["time.over"]);
    assert_eq!(found(&seats[..3], 1200), ["time.over"]);
}
