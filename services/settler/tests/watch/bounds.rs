//! What is kept of a table is bounded, however long it runs and whatever its feed names.

use serde_json::json;

use crate::Story;

/// Everything that the watchers keep, in bytes of a snapshot, in feeds that never take anything away.
const MOST_BYTES: usize = 256 * 1024;

fn weight(story: &Story) -> usize {
    let snapshot = story.settler.snapshot("ebh", "T-1").unwrap();
    snapshot.unwrap().len()
}

fn codes(story: &Story, code: &str) -> usize {
    let findings = story.findings.iter();
    findings.filter(|finding| finding.code == code).count()
}

#[test]
fn names_without_end_are_forgotten_in_turn() {
    let mut story = Story::new();
    let opened = json!({"type": "table_opened", "game": "blackjack", "edition": "mgc-2017",
        "options": {}, "limits": [], "opening_inventory": 1, "dealer": "d-1"});
    story.tell("device", 0, opened);
    let mut weights = Vec::new();
    for number in 0..1_800_i64 {
        let (set, at) = (format!("set-{number}"), number);
        let bodies = [
            json!({"type": "cards_delivered", "set": set, "decks": 6, "preshuffled": true,
                "seal": set, "colour": "red"}),
            json!({"type": "cards_opened", "set": set}),
            json!({"type": "shoe_started", "shoe": "s", "set": set, "decks": 6, "method": "shoe",
                "shuffler": set}),
            json!({"type": "dice_introduced", "set": set, "count": 5}),
            json!({"type": "tiles_introduced", "set": set}),
            json!({"type": "device_inspected", "device": set, "kind": "shuffler"}),
            json!({"type": "chips_counted", "location": set, "denominations": {}}),
            json!({"type": "impressment", "location": set, "denominations": {}}),
            json!({"type": "tournament_filed", "tournament": set}),
            json!({"type": "notice_posted", "change": "rules", "announced": true,
                "effective_at": "2026-11-15T12:30:00Z", "bureau_notified": true, "text": set}),
            json!({"type": "wager_paid", "wager": set, "amount": 5}),
        ];
        for body in bodies {
            story.tell("device", at, body);
        }
        if number % 300 == 299 {
            weights.push(weight(&story));
        }
    }
    assert_eq!(codes(&story, "table.overgrown"), 0);
    assert!(
        weights.iter().all(|weight| *weight < MOST_BYTES),
        "{weights:?}"
    );
    // What is kept at the end is what was kept after the third part, give or take longer names.
    assert!(weights[5] < weights[1] + weights[1] / 10, "{weights:?}");
}

#[test]
fn a_round_without_end_is_bounded() {
    let mut story = Story::new();
    let opened = json!({"type": "table_opened", "game": "roulette", "edition": "mgc-2017",
        "options": {}, "limits": [], "opening_inventory": 1, "dealer": "d-1"});
    story.tell("device", 0, opened);
    story.tell(
        "device",
        0,
        json!({"type": "shoe_started", "shoe": "s", "set": "A", "decks": 8,
        "method": "shoe"}),
    );
    story.tell("device", 0, json!({"type": "round_opened"}));
    for number in 0..3_000_i64 {
        let id = format!("w{number}");
        story.tell_loose(
            1,
            json!({"type": "card_dealt", "to": "seat", "seat": number, "face": "down"}),
        );
        story.tell_loose(
            1,
            json!({"type": "wager_placed", "wager": id, "seat": 1, "kind": "red",
            "amount": 100, "form": "colour_chips", "colour": id}),
        );
    }
    assert!(weight(&story) < MOST_BYTES, "{}", weight(&story));
}

#[test]
fn a_long_honest_life_keeps_no_more_than_a_short_one() {
    let mut story = Story::new();
    let opened = json!({"type": "table_opened", "game": "three_card_poker", "edition": "mgc-2017",
        "options": {}, "limits": [], "opening_inventory": 1, "dealer": "d-1"});
    story.tell("device", 0, opened);
    let mut weights = Vec::new();
    for day in 0..400_i64 {
        let (set, at) = (format!("deck-{day:04}"), day * 24 * 3600);
        let by_two = json!({"type": "cards_inspected", "set": set, "missing": [], "extra": [],
            "unsuitable": [], "dealer": "d-1", "supervisor": "s-1"});
        let bodies = [
            json!({"type": "cards_delivered", "set": set, "decks": 1, "preshuffled": false}),
            by_two,
            json!({"type": "cards_opened", "set": set}),
            json!({"type": "shoe_started", "shoe": "s", "set": set, "decks": 1, "method": "hand"}),
            json!({"type": "round_opened"}),
            json!({"type": "round_closed"}),
            json!({"type": "cards_removed", "set": set, "reason": "scheduled"}),
            json!({"type": "cards_collected", "set": set}),
            json!({"type": "cards_reinspected", "set": set, "missing": [], "extra": []}),
            json!({"type": "cards_destroyed", "set": set}),
        ];
        for body in bodies {
            story.tell("device", at, body);
        }
        weights.push(weight(&story));
    }
    assert_eq!(story.findings.len(), 0, "{:?}", story.findings);
    assert!(
        weights[399] < weights[200] + 2_048,
        "{} {}",
        weights[200],
        weights[399]
    );
    assert!(weights[399] < MOST_BYTES / 2, "{}", weights[399]);
}
