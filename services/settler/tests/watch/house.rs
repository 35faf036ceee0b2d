//! Options in which the tables of a house must not differ.

use catwalk_events::{Event, json};
use catwalk_settler::{Finding, Output, Registry, Uniformity};
use serde_json::{Value, json};

/// Tables of one game that open rounds in turns, a minute apart.
struct Floor {
    game: &'static str,
    edition: &'static str,
    events: Vec<(&'static str, Value)>,
}

impl Floor {
    fn of(game: &'static str, edition: &'static str) -> Floor {
        Floor {
            game,
            edition,
            events: Vec::new(),
        }
    }

    fn open(mut self, table: &'static str, options: Value) -> Floor {
        let body = json!({"type": "table_opened", "game": self.game, "edition": self.edition,
            "options": options, "limits": [], "opening_inventory": 5000000, "dealer": "d-114"});
        self.events.push((table, body));
        self
    }

    fn change(mut self, table: &'static str, options: Value) -> Floor {
        let body = json!({"type": "rules_changed", "edition": self.edition, "options": options});
        self.events.push((table, body));
        self
    }

    fn close(mut self, table: &'static str) -> Floor {
        let body = json!({"type": "table_closed", "closing_inventory": 5000000});
        self.events.push((table, body));
        self
    }

    fn round(mut self, table: &'static str) -> Floor {
        self.events.push((table, json!({"type": "round_opened"})));
        let void = json!({"type": "round_voided", "reason": "fire alarm"});
        self.events.push((table, void));
        self
    }

    fn differences(self) -> Vec<Finding> {
        let mut settler = catwalk_stories::settler();
        let mut uniformity = Uniformity::new(&catwalk_stories::rulebook());
        let mut findings = Vec::new();
        for (index, (table, body)) in self.events.iter().enumerate() {
            let earlier = self.events[..index].iter();
            let seq = 1 + earlier.filter(|(of, _)| of == table).count();
            let event = event(index, table, seq, body);
            for output in settler.receive(event) {
                match output {
                    Output::Settlement(round) => findings.extend(uniformity.receive(&*round)),
                    Output::Finding(_) => {}
                    Output::Unread(unread) => panic!("{}", unread.reason),
                }
            }
        }
        findings
    }
}

fn event(index: usize, table: &str, seq: usize, body: &Value) -> Event {
    let mut event = json!({
        "id": format!("e{index}"), "property": "ebh", "table": table, "seq": seq,
        "at": format!("2026-11-15T20:{index:02}:00.000000Z"), "body": body,
        "source": {"kind": "device", "id": "d"},
    });
    match body["type"].as_str() {
        Some("round_opened") => event["round"] = json!(format!("{table}-{seq}")),
        Some("round_voided") => event["round"] = json!(format!("{table}-{}", seq - 1)),
        _ => {}
    }
    json::read(&event.to_string()).unwrap()
}

/// Games with an option that must be uniform, two of its values, and what differing tables are.
fn uniform() -> [(&'static str, &'static str, Value, Value, &'static str); 4] {
    let win = json!({"vigorish_type": "win_5pct"});
    let tie = json!({"vigorish_type": "tie_25pct"});
    let raised = json!({"pays": {"field_12": "3:1"}});
    let permissible = json!({"version": "permissible"});
    let royal = |option: u8| json!({"side_bets": ["royal_match"], "royal_match_option": option});
    [
        (
            "blackjack",
            "mgc-2017",
            royal(1),
            royal(2),
            "payout.nonuniform_option",
        ),
        (
            "minibaccarat",
            "oh-jack-2017",
            win,
            tie,
            "vigorish.mixed_types",
        ),
        (
            "craps",
            "mgc-2017",
            json!({}),
            raised,
            "payout.nonuniform_odds",
        ),
        (
            "colorado_holdem",
            "mgc-2017",
            json!({}),
            permissible,
            "colorado.version_mismatch",
        ),
    ]
}

/// Two tables that take turns, each with its own value.
fn differing(game: &'static str, edition: &'static str, one: Value, other: Value) -> Vec<Finding> {
    let floor = Floor::of(game, edition).open("T-1", one).open("T-2", other);
    let floor = floor.round("T-1").round("T-2").round("T-1").round("T-2");
    floor.differences()
}

/// What tables that differ raise, game by game.
pub(crate) fn differences() -> Vec<(&'static str, String)> {
    let found = |(game, edition, one, other, _)| {
        let found = differing(game, edition, one, other).into_iter();
        found.map(move |finding| (game, finding.code))
    };
    uniform().into_iter().flat_map(found).collect()
}

#[test]
fn tables_that_differ_are_named_once() {
    for (game, edition, one, other, code) in uniform() {
        let found = differing(game, edition, one, other);
        let [finding] = &found[..] else {
            panic!("{game}: {found:?}");
        };
        assert_eq!(
            (finding.code.as_str(), finding.table.as_str()),
            (code, "T-2")
        );
        assert_eq!(finding.round.as_deref(), Some("T-2-2"));
        assert!(finding.message.contains("T-1"), "{}", finding.message);
        assert!(!finding.cites.is_empty());
    }
}

#[test]
fn tables_that_agree_are_not() {
    for (game, edition, one, other, _) in uniform() {
        let floor = Floor::of(game, edition)
            .open("T-1", one.clone())
            .open("T-2", one);
        let floor = floor.round("T-1").round("T-2").round("T-1");
        // The house changes its mind, at one table after the other.
        let floor = floor.change("T-1", other.clone()).change("T-2", other);
        let floor = floor.round("T-2").round("T-1").round("T-2");
        assert_eq!(floor.differences(), [], "{game}");
    }
}

#[test]
fn a_table_that_stands_at_another_value_is_named_with_its_next_round() {
    for (game, edition, one, other, code) in uniform() {
        let open = || {
            let floor = Floor::of(game, edition).open("T-1", one.clone());
            floor.round("T-1")
        };
        let second = |floor: Floor| floor.open("T-2", other.clone()).round("T-2");
        let found = second(open()).round("T-1").differences();
        assert_eq!(found.len(), 1, "{game}");
        assert_eq!(found[0].code, code);
        // Not before, nor where the first closes before, or follows after.
        assert_eq!(second(open()).differences(), [], "{game}");
        assert_eq!(second(open().close("T-1")).differences(), [], "{game}");
        let follows = second(open()).change("T-1", other.clone()).round("T-1");
        assert_eq!(follows.differences(), [], "{game}");
    }
}

#[test]
fn editions_that_allow_it_are_not() {
    let raised = json!({"pays": {"field_12": "3:1"}});
    let floor = Floor::of("craps", "oh-jack-2017")
        .open("T-1", json!({}))
        .open("T-2", raised);
    let floor = floor.round("T-1").round("T-2").round("T-1").round("T-2");
    assert_eq!(floor.differences(), []);
}

#[test]
fn a_table_that_no_floor_registered_is_told_of_where_a_floor_did() {
    let clock = json!({"type": "clock"});
    let heard = |first: &Value| {
        let mut told = first.clone();
        if told["type"] == "floor_registered" {
            told["property"] = json!(event(0, "A", 1, &clock).property);
        }
        let mut registry = Registry::default();
        let events = [event(0, "A", 1, &told), event(1, "B", 1, &clock)];
        let found = events.iter().flat_map(|event| registry.hear(event));
        let codes: Vec<String> = found.map(|finding| finding.code).collect();
        codes.iter().any(|code| code == "floor.unregistered")
    };
    assert!(heard(&json!({"type": "floor_registered", "tables": ["A"]})));
    assert!(!heard(
        &json!({"type": "floor_registered", "tables": ["A", "B"]})
    ));
    assert!(!heard(&clock));
}
