//! What the record of a round says beside its settlement: what it was played with, whose wagers they are, and when.

use catwalk_events::{Event, audit, json};
use catwalk_settler::Output;
use serde_json::{Value, json};

/// Events of a table, each a second after the one before it; `round` says which round each belongs to.
fn records(told: &[(Option<&str>, Value)]) -> Vec<audit::Settlement> {
    let event = |(index, (round, body)): (usize, &(Option<&str>, Value))| -> Event {
        let mut event = json!({
            "id": format!("e{index}"), "property": "ebh", "table": "RO-01", "seq": index + 1,
            "at": format!("2026-11-15T20:01:{index:02}.000000Z"), "body": body, "shift": "swing",
            "source": {"kind": "device", "id": "d"},
        });
        if let Some(round) = round {
            event["round"] = json!(round);
        }
        json::read(&event.to_string()).unwrap()
    };
    let mut settler = catwalk_stories::settler();
    let mut records = Vec::new();
    for event in told.iter().enumerate().map(event) {
        for output in settler.receive(event) {
            match output {
                Output::Settlement(round) => records.push(audit::Settlement::from(&*round)),
                Output::Unread(unread) => panic!("{}", unread.reason),
                Output::Finding(_) => {}
            }
        }
    }
    records
}

fn opened() -> Value {
    json!({"type": "table_opened", "game": "roulette", "edition": "mgc-2017", "options": {}, "limits": [],
           "opening_inventory": 5000000, "dealer": "d-114", "pit": "pit-3", "wheel": "w-1", "trial": true})
}

fn bet(id: &str, seat: u32) -> Value {
    json!({"type": "wager_placed", "wager": id, "seat": seat, "kind": "straight", "amount": 500,
           "form": "value_chips", "detail": {"numbers": ["17"]}})
}

#[test]
fn a_round_says_what_it_was_played_with_and_whose_wagers_were_late() {
    let r1 = Some("r1");
    let mut named = bet("w3", 3);
    named["player"] = json!("p-named");
    let rounds = records(&[
        (None, opened()),
        (
            None,
            json!({"type": "dice_introduced", "set": "D", "count": 5}),
        ),
        (
            None,
            json!({"type": "shoe_started", "shoe": "s1", "set": "A", "decks": 8, "method": "shoe"}),
        ),
        (
            None,
            json!({"type": "patron_seated", "seat": 3, "player": "p-9"}),
        ),
        (r1, json!({"type": "round_opened"})),
        (r1, bet("w1", 3)),
        (r1, json!({"type": "betting_closed"})),
        // Papers are no part of the round, whatever round they name.
        (
            r1,
            json!({"type": "coupon_redeemed", "coupon": "c", "amount": 500}),
        ),
        (
            Some("never"),
            json!({"type": "marker_issued", "marker": "m", "amount": 500}),
        ),
        (r1, bet("w2", 4)),
        (r1, named),
        (
            r1,
            json!({"type": "wheel_spun", "wheel": "w-2", "result": "9", "valid": true, "revolutions": 8}),
        ),
        (r1, json!({"type": "wager_collected", "wager": "w1"})),
        (r1, json!({"type": "round_closed"})),
    ]);
    let [round] = rounds.as_slice() else {
        panic!("{rounds:?}")
    };
    assert_eq!(
        round.wheel.as_deref(),
        Some("w-2"),
        "a spin says which wheel was spun"
    );
    assert_eq!(round.pit.as_deref(), Some("pit-3"));
    assert_eq!(round.shift.as_deref(), Some("swing"));
    assert_eq!(
        (round.shoe.as_deref(), round.set.as_deref()),
        (Some("s1"), Some("A"))
    );
    assert_eq!(round.dice_set.as_deref(), Some("D"));
    assert_eq!((round.tournament, round.trial), (Some(false), Some(true)));
    let wager = |id: &str| round.wagers.iter().find(|wager| wager.id == id).unwrap();
    let second = |at: i64| 1_794_772_860_000_000 + at * 1_000_000;
    let told = |id: &str| {
        let wager = wager(id);
        (
            wager.player.as_deref(),
            wager.placed_at.map(|at| at.micros()),
            wager.late_by_ms,
        )
    };
    assert_eq!(told("w1"), (Some("p-9"), Some(second(5)), None));
    assert_eq!(told("w2"), (None, Some(second(9)), Some(3_000)));
    assert_eq!(told("w3"), (Some("p-named"), Some(second(10)), Some(4_000)));
    assert!(wager("w1").form.is_some());
}

#[test]
fn of_two_things_that_lie_there_none_is_guessed() {
    let r1 = Some("r1");
    let rounds = records(&[
        (None, opened()),
        (
            None,
            json!({"type": "dice_introduced", "set": "D", "count": 5}),
        ),
        (
            None,
            json!({"type": "dice_introduced", "set": "E", "count": 5}),
        ),
        (
            None,
            json!({"type": "shoe_started", "shoe": "s1", "set": "A", "decks": 8, "method": "shoe"}),
        ),
        (
            None,
            json!({"type": "shoe_started", "shoe": "s2", "set": "B", "decks": 8, "method": "shoe"}),
        ),
        (
            None,
            json!({"type": "patron_seated", "seat": 3, "player": "p-9"}),
        ),
        (None, json!({"type": "patron_left", "seat": 3})),
        (r1, json!({"type": "round_opened"})),
        (r1, bet("w1", 3)),
        (r1, json!({"type": "round_closed"})),
        (Some("r2"), json!({"type": "round_opened", "shoe": "s2"})),
        (Some("r2"), json!({"type": "round_closed"})),
    ]);
    assert_eq!(
        (rounds[0].shoe.as_ref(), rounds[0].set.as_ref()),
        (None, None)
    );
    assert_eq!(
        (
            rounds[0].dice_set.as_ref(),
            rounds[0].wagers[0].player.as_ref()
        ),
        (None, None)
    );
    assert_eq!(
        rounds[1].set.as_deref(),
        Some("B"),
        "the shoe that the round names"
    );
    assert_eq!(rounds[1].shoe.as_deref(), Some("s2"));
}
