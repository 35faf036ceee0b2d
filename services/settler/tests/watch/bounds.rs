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

/// Days until all that is kept has reached its bound, days of a season, and bytes by which one season
/// may weigh more than another: names and numbers are not all of one length.
const SETTLED_DAY: usize = 70;
const SEASON_DAYS: usize = 30;
const DAYS: usize = SETTLED_DAY + 2 * SEASON_DAYS;
const SLACK_BYTES: usize = 256;

/// Is more kept in the last season than in the first one after all bounds were reached?
fn grows(weights: &[usize]) -> bool {
    let heaviest = |days: &[usize]| days.iter().copied().max().unwrap_or_default();
    let first = heaviest(&weights[SETTLED_DAY..SETTLED_DAY + SEASON_DAYS]);
    let last = heaviest(&weights[weights.len() - SEASON_DAYS..]);
    last > first + SLACK_BYTES
}

/// What a table weighs at the end of each of many days: every day brings other cards, dice, tiles,
/// devices, patrons, dealers, notices and tournaments, some of them wrongly handled.
fn months(game: &str, play: impl Fn(usize) -> Vec<serde_json::Value>) -> Vec<usize> {
    let mut story = Story::new();
    // Numbers of one length from the first day on.
    story.seq = 100_000;
    let opened = |day: usize| {
        json!({"type": "table_opened", "game": game, "edition": "mgc-2017", "options": {},
            "limits": [], "opening_inventory": 1, "dealer": format!("d-{:04}", 7 * day)})
    };
    let mut weights = Vec::new();
    for day in 0..DAYS {
        let at = 24 * 3600 * i64::try_from(day).unwrap();
        let name = |what: &str, number: usize| format!("{what}-{:05}", 10 * day + number);
        story.tell("device", at, opened(day));
        for number in 0..8 {
            let (set, device) = (name("set", number), name("device", number));
            let removed = json!({"type": "cards_removed", "set": set, "reason": "scheduled"});
            for body in [
                json!({"type": "cards_delivered", "set": set, "decks": 6, "preshuffled": true,
                    "seal": set, "colour": "red"}),
                json!({"type": "cards_opened", "set": set}),
                json!({"type": "device_inspected", "device": device, "kind": "shuffler"}),
                json!({"type": "shoe_started", "shoe": set, "set": set, "decks": 6,
                    "method": "shoe", "shuffler": device}),
                removed,
                json!({"type": "dice_introduced", "set": set, "count": 4}),
                json!({"type": "dice_removed", "set": set}),
                json!({"type": "tiles_introduced", "set": set}),
                json!({"type": "tiles_removed", "set": set}),
                json!({"type": "chips_counted", "location": set, "denominations": {}}),
                json!({"type": "impressment", "location": set, "denominations": {}}),
                json!({"type": "dealer_changed", "dealer": name("d", number)}),
                json!({"type": "meter_read", "meter": set, "amount": 100_000}),
            ] {
                story.tell("device", at, body);
            }
        }
        for body in [
            json!({"type": "tournament_filed", "tournament": name("t", 0)}),
            json!({"type": "tournament_opened", "tournament": name("t", 1), "chips": 500}),
            json!({"type": "notice_posted", "change": "rules", "announced": true,
                "effective_at": "2026-11-15T12:30:00Z", "bureau_notified": true, "notice": name("n", 0)}),
            json!({"type": "wager_paid", "wager": name("w", 0), "amount": 5}),
        ] {
            story.tell_loose(at, body);
        }
        for body in play(day) {
            story.tell("device", at + 60, body);
        }
        story.tell(
            "device",
            at + 120,
            json!({"type": "table_closed", "closing_inventory": 1}),
        );
        weights.push(weight(&story));
    }
    assert_eq!(codes(&story, "table.overgrown"), 0, "{game}");
    weights
}

/// Two rounds, the first of them paid wrongly, by patrons of that day.
fn rounds(day: usize, kind: &str, outcome: &[serde_json::Value]) -> Vec<serde_json::Value> {
    let mut bodies = Vec::new();
    for paid in [300, 100] {
        let wager = format!("w{day:05}-{paid}");
        bodies.push(json!({"type": "round_opened"}));
        bodies.push(
            json!({"type": "wager_placed", "wager": wager, "seat": 1, "kind": kind,
            "amount": 100, "player": format!("p-{day:05}"), "form": "colour_chips",
            "colour": format!("colour-{day:05}")}),
        );
        bodies.push(json!({"type": "betting_closed"}));
        bodies.extend_from_slice(outcome);
        bodies.push(json!({"type": "wager_paid", "wager": wager, "amount": paid}));
        bodies.push(json!({"type": "round_closed"}));
    }
    bodies
}

#[test]
fn months_of_play_keep_no_more_than_weeks() {
    let card =
        |to: &str, card: &str| json!({"type": "card_dealt", "to": to, "card": card, "face": "up"});
    let spun = [json!({"type": "wheel_spun", "result": "1", "valid": true})];
    let rolled = [json!({"type": "dice_rolled", "dice": [3, 4], "valid": true})];
    let dealt = [
        card("player", "9S"),
        card("banker", "KH"),
        card("player", "KD"),
        card("banker", "2C"),
    ];
    let games: [(&str, &str, &[serde_json::Value]); 3] = [
        ("roulette", "red", &spun),
        ("craps", "pass", &rolled),
        ("minibaccarat", "player", &dealt),
    ];
    for (game, kind, outcome) in games {
        let weights = months(game, |day| rounds(day, kind, outcome));
        let season = &weights[SETTLED_DAY..];
        assert!(!grows(&weights), "{game}: {season:?}");
        assert!(
            season.iter().all(|weight| *weight < MOST_BYTES),
            "{game}: {season:?}"
        );
    }
}

#[test]
fn a_leak_of_a_few_bytes_a_day_would_be_seen() {
    let steady = vec![100_000; DAYS];
    assert!(!grows(&steady));
    let leaky: Vec<usize> = (0..DAYS).map(|day| 100_000 + 9 * day).collect();
    assert!(grows(&leaky));
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

#[test]
fn a_card_of_the_round_before_is_turned_over_when_the_next_is_dealt() {
    let mut story = Story::new();
    let opened = json!({"type": "table_opened", "game": "caribbean_stud", "edition": "mgc-2017",
        "options": {}, "limits": [], "opening_inventory": 1, "dealer": "d-1"});
    let shoe =
        json!({"type": "shoe_started", "shoe": "s", "set": "A", "decks": 1, "method": "hand"});
    let dealt = |card: Option<&str>| json!({"type": "card_dealt", "to": "seat", "seat": 1, "card": card, "face": "down"});
    story.tell("device", 0, opened);
    for card in [None, Some("9D")] {
        story.tell("device", 1, shoe.clone());
        story.tell("device", 1, json!({"type": "round_opened"}));
        story.tell("device", 2, dealt(card));
    }
    story.round = 1;
    let shown = json!({"type": "card_revealed", "to": "seat", "seat": 1, "index": 0, "card": "2C"});
    story.tell("device", 3, shown.clone());
    assert_eq!(codes(&story, "deck.switched_card"), 0);
    story.round = 2;
    story.tell("device", 4, shown);
    assert_eq!(codes(&story, "deck.switched_card"), 1);
}
