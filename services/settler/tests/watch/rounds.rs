//! Rounds from their events: what was paid against what was due, and what was known before the end.

use catwalk_events::{Event, json};
use catwalk_settler::{Finding, Output, SettledRound};
use serde_json::{Value, json};

/// Events of one table from bodies alone; all but the table's own belong to round `r1`.
fn feed(bodies: &[Value]) -> Vec<Event> {
    let event = |(index, body): (usize, &Value)| {
        let of_table = matches!(
            body["type"].as_str(),
            Some("table_opened" | "dealer_changed" | "wheel_inspected" | "clock")
        );
        let mut event = json!({
            "id": format!("e{index}"), "property": "ebh", "table": "T-1", "seq": index + 1,
            "at": format!("2026-11-15T20:01:{:02}.000000Z", index), "body": body,
            "source": {"kind": "device", "id": "d"},
        });
        if !of_table {
            event["round"] = json!("r1");
        }
        json::read(&event.to_string()).unwrap()
    };
    bodies.iter().enumerate().map(event).collect()
}

fn settle(events: Vec<Event>) -> (Vec<Finding>, Vec<SettledRound>) {
    let mut settler = catwalk_stories::settler();
    let mut outputs: Vec<Output> = events
        .into_iter()
        .flat_map(|event| settler.receive(event))
        .collect();
    outputs.extend(settler.finish());
    let (mut findings, mut rounds) = (Vec::new(), Vec::new());
    for output in outputs {
        match output {
            Output::Finding(finding) => findings.push(*finding),
            Output::Settlement(round) => rounds.push(*round),
            Output::Unread(unread) => panic!("{}", unread.reason),
        }
    }
    (findings, rounds)
}

fn codes(findings: &[Finding]) -> Vec<&str> {
    findings
        .iter()
        .map(|finding| finding.code.as_str())
        .collect()
}

fn open(game: &str, options: Value, limits: Value) -> Value {
    json!({"type": "table_opened", "game": game, "edition": "mgc-2017", "options": options,
           "limits": limits, "opening_inventory": 5000000, "dealer": "d-114"})
}

fn bet(id: &str, kind: &str, amount: i64) -> Value {
    json!({"type": "wager_placed", "wager": id, "seat": 3, "kind": kind, "amount": amount})
}

fn card(to: &str, card: &str) -> Value {
    json!({"type": "card_dealt", "to": to, "card": card, "face": "up"})
}

/// A round of minibaccarat that the Banker wins 7 to 6, with these wagers before and payments after.
fn banker_wins(options: Value, wagers: Vec<Value>, payments: Vec<Value>) -> Vec<Event> {
    let mut bodies = vec![
        open("minibaccarat", options, json!([])),
        json!({"type": "round_opened"}),
    ];
    bodies.extend(wagers);
    bodies.push(json!({"type": "betting_closed"}));
    bodies.extend([
        card("player", "5S"),
        card("banker", "3C"),
        card("player", "AH"),
        card("banker", "4D"),
    ]);
    bodies.extend(payments);
    bodies.push(json!({"type": "round_closed"}));
    feed(&bodies)
}

#[test]
fn an_honest_round_gives_a_settlement_and_no_finding() {
    let (findings, rounds) = settle(banker_wins(
        json!({}),
        vec![
            bet("b", "banker", 10000),
            bet("p", "player", 5000),
            bet("t", "tie", 500),
        ],
        vec![
            json!({"type": "wager_collected", "wager": "p"}),
            json!({"type": "wager_collected", "wager": "t"}),
            json!({"type": "wager_paid", "wager": "b", "amount": 10000, "commission": 500}),
        ],
    ));
    assert_eq!(codes(&findings), [] as [&str; 0]);
    let round = &rounds[0];
    assert!(round.complete && round.dealer.as_deref() == Some("d-114"));
    let due: Vec<i64> = round
        .wagers
        .iter()
        .map(|w| w.returned.unwrap().get())
        .collect();
    assert_eq!(due, [19500, 0, 0]);
}

#[test]
fn a_wager_that_a_device_tells_of_twice_is_one_wager() {
    let paid = json!({"type": "wager_paid", "wager": "w1", "amount": 2500, "commission": 125});
    let told = vec![bet("w1", "banker", 2500), bet("w1", "banker", 2500)];
    let (findings, rounds) = settle(banker_wins(json!({}), told, vec![paid.clone()]));
    assert_eq!(codes(&findings), [""; 0]);
    assert_eq!(rounds[0].wagers.len(), 1);
    let other = vec![bet("w1", "banker", 2500), bet("w1", "banker", 5000)];
    let (findings, _) = settle(banker_wins(json!({}), other, vec![paid]));
    assert!(!findings.is_empty());
}

#[test]
fn stakes_may_be_given_back_after_a_round_was_declared_void() {
    let given_back = [
        open("minibaccarat", json!({}), json!([])),
        json!({"type": "round_opened"}),
        bet("w1", "banker", 2500),
        json!({"type": "betting_closed"}),
        card("player", "5S"),
        json!({"type": "round_voided", "reason": "misdeal"}),
        json!({"type": "wager_pushed", "wager": "w1"}),
    ];
    let (findings, rounds) = settle(feed(&given_back));
    assert_eq!(codes(&findings), [""; 0]);
    assert!(rounds[0].voided);
}

fn paid(amount: i64, commission: i64) -> Value {
    json!({"type": "wager_paid", "wager": "w", "amount": amount, "commission": commission})
}

#[test]
fn every_shape_of_a_wrong_payment_has_its_code_and_its_amount() {
    let collected = || json!({"type": "wager_collected", "wager": "w"});
    let pushed = || json!({"type": "wager_pushed", "wager": "w"});
    // Kind, what happened, code, exposure: positive where the house lost it.
    type Case = (&'static str, Vec<Value>, Option<(&'static str, i64)>);
    let cases: Vec<Case> = vec![
        ("banker", vec![paid(10000, 500)], None),
        (
            "banker",
            vec![json!({"type": "wager_paid", "wager": "w", "amount": 9500})],
            None,
        ),
        (
            "banker",
            vec![
                paid(10000, 0),
                json!({"type": "commission_collected", "wager": "w", "amount": 500}),
            ],
            None,
        ),
        ("banker", vec![paid(20000, 500)], Some(("pay.over", 10000))),
        ("banker", vec![paid(9000, 500)], Some(("pay.under", -1000))),
        (
            "banker",
            vec![paid(10000, 400)],
            Some(("commission.wrong", 100)),
        ),
        (
            "banker",
            vec![paid(10000, 0)],
            Some(("commission.wrong", 500)),
        ),
        ("banker", vec![], Some(("pay.unpaid", -9500))),
        ("banker", vec![pushed()], Some(("pay.unpaid", -9500))),
        ("banker", vec![collected()], Some(("pay.unpaid", -19500))),
        ("player", vec![collected()], None),
        ("player", vec![], Some(("pay.uncollected", 10000))),
        ("player", vec![pushed()], Some(("pay.uncollected", 10000))),
        ("player", vec![paid(10000, 0)], Some(("pay.undue", 20000))),
    ];
    for (kind, payments, expected) in cases {
        let name = format!("{kind} {payments:?}");
        let (findings, _) = settle(banker_wins(
            json!({}),
            vec![bet("w", kind, 10000)],
            payments,
        ));
        let found = findings
            .first()
            .map(|finding| (finding.code.as_str(), finding.exposure.get()));
        assert_eq!(
            (found, findings.len()),
            (expected, usize::from(expected.is_some())),
            "{name}"
        );
        if let Some(finding) = findings.first() {
            assert_eq!(
                (finding.seat, finding.wager.as_deref()),
                (Some(3), Some("w"))
            );
            assert!(
                finding.evidence.contains(&3) && !finding.cites.is_empty(),
                "{finding:?}"
            );
        }
    }
}

#[test]
fn a_payment_that_the_dealer_takes_back_before_the_round_ends_is_none() {
    let taken = |amount: i64| json!({"type": "wager_collected", "wager": "w", "amount": amount});
    let paid = |amount: i64| json!({"type": "wager_paid", "wager": "w", "amount": amount});
    for payments in [
        vec![paid(2_500), taken(2_500), taken(2_500)],
        vec![paid(2_500), taken(5_000)],
        // Two devices tell of the same chips.
        vec![taken(2_500), taken(2_500)],
        vec![taken(1_000), taken(1_500)],
    ] {
        let wager = vec![bet("w", "player", 2_500)];
        let (findings, _) = settle(banker_wins(json!({}), wager, payments.clone()));
        assert_eq!(findings, [], "{payments:?}");
    }
    let wager = vec![bet("w", "player", 2_500)];
    let payments = vec![paid(2_500), taken(2_500)];
    let (findings, _) = settle(banker_wins(json!({}), wager, payments));
    assert_eq!(codes(&findings), ["pay.undue"]);
}

#[test]
fn deferred_vigorish_may_be_owed_at_the_end_of_a_round() {
    let payments = vec![json!({"type": "wager_paid", "wager": "w", "amount": 10000})];
    let options = json!({"vigorish_collection": "deferred"});
    let (findings, _) = settle(banker_wins(
        options,
        vec![bet("w", "banker", 10000)],
        payments,
    ));
    assert_eq!(codes(&findings), [] as [&str; 0]);
}

#[test]
fn a_late_a_capped_and_a_pinched_wager_are_known_at_once() {
    let by = json!({"id": "p-1", "role": "dealer"});
    let mut settler = catwalk_stories::settler();
    let bodies = [
        open(
            "roulette",
            json!({}),
            json!([{"kind": "red", "min": 1000, "max": 200000}]),
        ),
        json!({"type": "wheel_inspected", "wheel": "w", "result": "pass"}),
        json!({"type": "round_opened"}),
        bet("a", "red", 500),
        json!({"type": "wager_changed", "wager": "a", "amount": 1500, "by": by}),
        bet("b", "red", 2500),
        bet("c", "black", 2500),
        bet("d", "red", 250000),
        json!({"type": "betting_closed"}),
        json!({"type": "wager_changed", "wager": "b", "amount": 12500, "by": by}),
        json!({"type": "wager_removed", "wager": "c", "by": by}),
        bet("e", "red", 5000),
        json!({"type": "wheel_spun", "result": "9", "valid": true, "revolutions": 6}),
    ];
    let found: Vec<(u64, String, Option<String>)> = feed(&bodies)
        .into_iter()
        .flat_map(|event| {
            let seq = event.seq;
            settler
                .receive(event)
                .into_iter()
                .map(move |output| (seq, output))
        })
        .map(|(seq, output)| match output {
            Output::Finding(finding) => (seq, finding.code, finding.wager),
            other => panic!("{other:?}"),
        })
        .collect();
    let expected = [
        (9, "wager.over_max", "d"),
        (10, "wager.capped", "b"),
        (11, "wager.pinched", "c"),
        (12, "wager.late", "e"),
    ];
    assert_eq!(
        found,
        expected.map(|(seq, code, id)| (seq, code.to_owned(), Some(id.to_owned())))
    );
}

#[test]
fn a_wager_of_a_later_window_is_held_against_its_limits_too() {
    let limits = json!([{"kind": "play", "min": 500, "max": 1_000}]);
    let round = |stake: i64| {
        let bodies = [
            open("three_card_poker", json!({}), limits.clone()),
            json!({"type": "round_opened"}),
            bet("a", "ante", stake),
            json!({"type": "betting_closed"}),
            bet("p", "play", stake),
            json!({"type": "round_closed"}),
        ];
        let (findings, _) = settle(feed(&bodies));
        let mut findings = findings.into_iter();
        findings.find(|finding| finding.code == "wager.over_max")
    };
    assert_eq!(round(1_000), None);
    assert_eq!(round(1_500).unwrap().wager.as_deref(), Some("p"));
}

#[test]
fn a_late_wager_is_void_and_raised_once() {
    let (findings, rounds) = settle(feed(&[
        open("roulette", json!({}), json!([])),
        json!({"type": "wheel_inspected", "wheel": "w", "result": "pass"}),
        json!({"type": "round_opened"}),
        json!({"type": "betting_closed"}),
        json!({"type": "wager_placed", "wager": "w", "seat": 1, "kind": "straight", "amount": 500, "detail": {"numbers": ["9"]}}),
        json!({"type": "wheel_spun", "result": "9", "valid": true}),
        json!({"type": "wager_paid", "wager": "w", "amount": 17500}),
        json!({"type": "round_closed"}),
    ]));
    assert_eq!(codes(&findings), ["wager.late", "pay.over"]);
    assert_eq!(findings[1].exposure.get(), 17500);
    assert_eq!(rounds[0].wagers[0].returned.unwrap().get(), 500);
}

#[test]
fn violations_of_the_rules_are_findings_with_their_cites() {
    // Player draws on a natural of the Banker.
    let (findings, _) = settle(feed(&[
        open("minibaccarat", json!({}), json!([])),
        json!({"type": "round_opened"}),
        bet("w", "banker", 1000),
        json!({"type": "betting_closed"}),
        card("player", "QS"),
        card("banker", "8C"),
        card("player", "5H"),
        json!({"type": "card_dealt", "to": "banker", "face": "down"}),
        json!({"type": "card_revealed", "to": "banker", "index": 1, "card": "TD"}),
        card("player", "3C"),
        json!({"type": "wager_paid", "wager": "w", "amount": 1000, "commission": 50}),
        json!({"type": "round_closed"}),
    ]));
    assert_eq!(codes(&findings), ["baccarat.player_drew_in_error"]);
    assert_eq!(findings[0].cites, ["10"]);
    assert_eq!(findings[0].evidence, [2, 5, 6, 7, 8, 9, 10, 12]);
}

#[test]
fn a_round_with_missing_events_is_marked_and_not_judged() {
    let mut events = banker_wins(json!({}), vec![bet("w", "banker", 10000)], vec![]);
    events.remove(5);
    let (findings, rounds) = settle(events);
    assert_eq!(codes(&findings), ["feed.gap"]);
    assert!(!rounds[0].complete);
}

#[test]
fn repeats_and_late_arrivals_change_nothing_but_are_reported() {
    let payments =
        vec![json!({"type": "wager_paid", "wager": "w", "amount": 10000, "commission": 500})];
    let honest = banker_wins(json!({}), vec![bet("w", "banker", 10000)], payments);
    let mut disturbed = honest.clone();
    disturbed.swap(4, 5);
    disturbed.insert(3, honest[2].clone());
    let (findings, rounds) = settle(disturbed);
    assert_eq!(codes(&findings), ["feed.duplicate", "feed.reordered"]);
    assert!(rounds[0].complete);
}

#[test]
fn the_same_events_give_the_same_findings_to_the_byte() {
    let events = || banker_wins(json!({}), vec![bet("w", "banker", 10000)], vec![]);
    let text = || serde_json::to_string(&settle(events()).0).unwrap();
    assert_eq!(text(), text());
    assert_eq!(settle(events()).0[0].id.len(), 32);
}

#[test]
fn a_game_without_rules_is_reported_once_and_its_rounds_are_not_judged() {
    let (findings, rounds) = settle(feed(&[
        open("casino_war", json!({}), json!([])),
        json!({"type": "round_opened"}),
        json!({"type": "round_closed"}),
    ]));
    assert_eq!(codes(&findings), ["rules.unauthorized"]);
    assert!(rounds[0].settlement.is_none());
}

#[test]
fn a_card_that_was_never_shown_counts_as_one() {
    let (findings, rounds) = settle(feed(&[
        open("minibaccarat", json!({}), json!([])),
        json!({"type": "round_opened"}),
        json!({"type": "card_dealt", "to": "player", "face": "down"}),
        json!({"type": "card_dealt", "to": "banker", "card": "KC", "face": "up"}),
        json!({"type": "card_dealt", "to": "player", "card": "2C", "face": "up"}),
        json!({"type": "card_dealt", "to": "banker", "card": "8C", "face": "up"}),
        json!({"type": "round_closed"}),
    ]));
    assert_eq!(codes(&findings), [""; 0]);
    let document = rounds[0].document.as_ref().unwrap();
    assert_eq!(document["play"]["player"], json!(["??", "2C"]));
}
