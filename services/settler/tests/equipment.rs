//! Cards, dice, tiles, wheels, limits and notices over time: what is guilty, and its honest twin.

#![allow(clippy::unwrap_used)]

use std::sync::Arc;

use catwalk_events::{Timestamp, json};
use catwalk_rules::Rulebook;
use catwalk_settler::{Output, Settler};
use serde_json::{Value, json};

/// A table and what happens there, by the clock.
struct Story {
    settler: Settler,
    seq: u64,
    start: i64,
    round: u32,
    codes: Vec<(String, String)>,
}

impl Story {
    /// Opens a table of a game; unmentioned steps are in order.
    fn at(game: &str, edition: &str, options: Value, limits: Value) -> Story {
        let start: Timestamp = "2026-11-15T06:00:00Z".parse().unwrap();
        let settler = Settler::new(Arc::new(Rulebook::load().unwrap())).unwrap();
        let mut story = Story {
            settler,
            seq: 0,
            start: start.micros(),
            round: 0,
            codes: Vec::new(),
        };
        story.open(0, game, edition, options, limits);
        story
    }

    fn open(
        &mut self,
        seconds: i64,
        game: &str,
        edition: &str,
        options: Value,
        limits: Value,
    ) -> &mut Story {
        self.then(
            seconds,
            json!({"type": "table_opened", "game": game, "edition": edition, "options": options,
            "limits": limits, "opening_inventory": 1000000, "dealer": "d-1"}),
        )
    }

    /// So many seconds after the start, this happens.
    fn then(&mut self, seconds: i64, body: Value) -> &mut Story {
        self.by("device", seconds, body)
    }

    fn by(&mut self, source: &str, seconds: i64, body: Value) -> &mut Story {
        self.seq += 1;
        let at = Timestamp::from_micros(self.start + seconds * 1_000_000);
        let mut event = json!({"id": format!("e{}", self.seq), "property": "ebh", "table": "T-1", "seq": self.seq,
            "at": at.to_string(), "source": {"kind": source, "id": "s"}, "body": body});
        if !matches!(
            body["type"].as_str().unwrap(),
            "table_opened" | "table_closed" | "clock"
        ) && self.round > 0
        {
            event["round"] = json!(format!("r{}", self.round));
        }
        for output in self
            .settler
            .receive(json::read(&event.to_string()).unwrap())
        {
            if let Output::Finding(finding) = output {
                let severity = serde_json::to_value(finding.severity).unwrap();
                self.codes
                    .push((finding.code, severity.as_str().unwrap().to_owned()));
            }
        }
        self
    }

    fn round(&mut self, seconds: i64) -> &mut Story {
        self.round += 1;
        self.then(seconds, json!({"type": "round_opened"}))
    }

    /// A set is delivered, inspected by two people and opened.
    fn opened(&mut self, seconds: i64, set: &str, decks: u32, colour: &str) -> &mut Story {
        self.delivered(seconds, set, decks, colour)
            .inspected(seconds, set, &[])
            .then(seconds, json!({"type": "cards_opened", "set": set}))
    }

    fn delivered(&mut self, seconds: i64, set: &str, decks: u32, colour: &str) -> &mut Story {
        self.then(seconds, json!({"type": "cards_delivered", "set": set, "decks": decks, "colour": colour, "preshuffled": false}))
    }

    fn inspected(&mut self, seconds: i64, set: &str, unsuitable: &[&str]) -> &mut Story {
        self.then(
            seconds,
            json!({"type": "cards_inspected", "set": set, "missing": [], "extra": [],
            "unsuitable": unsuitable, "dealer": "d-1", "supervisor": "s-1"}),
        )
    }

    fn shoe(&mut self, seconds: i64, set: &str, decks: u32, method: &str) -> &mut Story {
        let shoe = format!("shoe-{}", self.seq);
        self.then(seconds, json!({"type": "shoe_started", "shoe": shoe, "set": set, "decks": decks, "method": method}))
    }

    /// A round in which a contribution is taken for the jackpot.
    fn hand(&mut self, seconds: i64) -> &mut Story {
        self.round(seconds)
            .then(
                seconds,
                json!({"type": "jackpot_drop_taken", "amount": 100}),
            )
            .then(seconds, json!({"type": "round_closed"}))
    }

    /// Something that belongs to no round.
    fn aside(&mut self, seconds: i64, body: Value) -> &mut Story {
        let round = std::mem::take(&mut self.round);
        self.then(seconds, body);
        self.round = round;
        self
    }

    fn removed(&mut self, seconds: i64, set: &str, reason: &str) -> &mut Story {
        self.then(
            seconds,
            json!({"type": "cards_removed", "set": set, "reason": reason}),
        )
    }

    fn dealt(&mut self, card: Value) -> &mut Story {
        let face = if card.is_null() { "down" } else { "up" };
        let mut body = json!({"type": "card_dealt", "to": "seat", "seat": 1, "face": face});
        if !card.is_null() {
            body["card"] = card;
        }
        self.then(60, body)
    }

    fn found(&mut self) -> Vec<&str> {
        self.codes.iter().map(|(code, _)| code.as_str()).collect()
    }
}

const H: i64 = 3600;
const M: i64 = 60;

fn three_card(edition: &str, options: Value) -> Story {
    Story::at("three_card_poker", edition, options, json!([]))
}

fn blackjack() -> Story {
    Story::at("blackjack", "mgc-2017", json!({}), json!([]))
}

/// The codes of a story without those of a rulebook that does not have the game yet.
fn about<'a>(found: Vec<&'a str>, subject: &str) -> Vec<&'a str> {
    found
        .into_iter()
        .filter(|code| code.starts_with(subject))
        .collect()
}

#[test]
fn a_hand_dealt_deck_is_overdue_after_four_hours_and_not_at_four() {
    let mut story = three_card("mgc-2017", json!({}));
    story
        .opened(0, "A", 1, "red")
        .shoe(2 * M, "A", 1, "hand")
        .shoe(4 * H + 6 * M, "A", 1, "hand");
    story.shoe(5 * H, "A", 1, "hand");
    assert_eq!(about(story.found(), "deck."), ["deck.overdue"]);
    let mut story = three_card("mgc-2017", json!({}));
    story
        .opened(0, "A", 1, "red")
        .shoe(2 * M, "A", 1, "hand")
        .removed(4 * H, "A", "scheduled");
    story.then(9 * H, json!({"type": "clock"}));
    assert_eq!(about(story.found(), "deck."), [] as [&str; 0]);
}

#[test]
fn the_strictest_method_of_a_set_decides_its_hours() {
    let mut story = three_card("mgc-2017", json!({}));
    story
        .opened(0, "A", 1, "red")
        .shoe(10 * M, "A", 1, "auto_shoe")
        .shoe(3 * H, "A", 1, "hand");
    story.shoe(4 * H + 30 * M, "A", 1, "auto_shoe");
    assert_eq!(about(story.found(), "deck."), ["deck.overdue"]);
}

#[test]
fn an_ohio_deck_has_six_hours_by_hand() {
    let mut story = three_card("oh-jack-2017", json!({}));
    story.opened(0, "A", 1, "red").shoe(5 * H, "A", 1, "hand");
    assert_eq!(about(story.found(), "deck."), [] as [&str; 0]);
    story.then(6 * H + 10 * M, json!({"type": "clock"}));
    assert_eq!(about(story.found(), "deck."), ["deck.overdue"]);
}

#[test]
fn closing_the_table_does_not_stop_the_clock() {
    let mut story = blackjack();
    story
        .opened(5 * M, "R1", 6, "red")
        .shoe(6 * M, "R1", 6, "shoe");
    story.then(
        13 * H,
        json!({"type": "table_closed", "closing_inventory": 1}),
    );
    story.open(
        24 * H + 30 * M,
        "blackjack",
        "mgc-2017",
        json!({}),
        json!([]),
    );
    assert_eq!(about(story.found(), "deck."), ["deck.overdue"]);
}

#[test]
fn a_six_deck_table_needs_word_to_surveillance_for_two_days() {
    for (extended, expected) in [(false, vec!["deck.overdue"]), (true, vec![])] {
        let mut story = blackjack();
        story.delivered(0, "R1", 6, "red").inspected(0, "R1", &[]);
        story.then(
            0,
            json!({"type": "cards_opened", "set": "R1", "extended_use": extended}),
        );
        story
            .shoe(1, "R1", 6, "shoe")
            .round(12 * H)
            .round(24 * H + 12 * M)
            .round(30 * H);
        assert_eq!(about(story.found(), "deck."), expected);
    }
}

#[test]
fn six_to_five_decks_have_four_hours_each() {
    let options = json!({"variation": "six_to_five"});
    let mut story = Story::at("blackjack", "mgc-2017", options, json!([]));
    story
        .opened(0, "P1", 2, "red")
        .opened(4 * M, "P2", 2, "blue");
    story
        .shoe(5 * M, "P1", 2, "hand")
        .removed(4 * H + 2 * M, "P1", "scheduled");
    assert_eq!(about(story.found(), "deck."), ["deck.overdue"]);
}

#[test]
fn baccarat_takes_new_cards_for_every_shoe() {
    let mut story = Story::at("baccarat", "mgc-2017", json!({}), json!([]));
    story.opened(0, "M1", 8, "red").shoe(1, "M1", 8, "shoe");
    story
        .then(H, json!({"type": "shoe_ended", "shoe": "s"}))
        .shoe(H + M, "M1", 8, "shoe");
    assert_eq!(about(story.found(), "deck."), ["deck.overdue"]);
}

#[test]
fn cards_are_inspected_by_two_people_before_use() {
    let mut story = blackjack();
    story
        .delivered(0, "R1", 6, "red")
        .then(1, json!({"type": "cards_opened", "set": "R1"}))
        .shoe(2, "R1", 6, "shoe");
    assert_eq!(about(story.found(), "deck."), ["deck.not_inspected"]);
    let mut story = Story::at("minibaccarat", "mgc-2017", json!({}), json!([]));
    story.then(0, json!({"type": "cards_delivered", "set": "M1", "decks": 8, "preshuffled": true, "seal": "0417733"}));
    story
        .then(1, json!({"type": "cards_opened", "set": "M1"}))
        .shoe(2, "M1", 8, "shoe");
    assert_eq!(story.found(), [] as [&str; 0]);
    story.removed(H, "M1", "end_of_shoe");
    story.then(2 * H, json!({"type": "cards_delivered", "set": "M2", "decks": 8, "preshuffled": true, "seal": "0417733"}));
    assert_eq!(story.found(), ["deck.seal_reused"]);
    story.then(
        2 * H,
        json!({"type": "cards_delivered", "set": "M3", "decks": 8, "preshuffled": true}),
    );
    assert_eq!(story.found(), ["deck.seal_reused", "deck.unsealed"]);
}

#[test]
fn an_unsuitable_card_is_replaced_before_use() {
    for (replaced, expected) in [(true, vec![]), (false, vec!["deck.not_replaced"])] {
        let mut story = blackjack();
        story
            .delivered(0, "R1", 6, "red")
            .inspected(0, "R1", &["7H"])
            .then(0, json!({"type": "cards_opened", "set": "R1"}));
        if replaced {
            story.then(
                1,
                json!({"type": "card_replaced", "set": "R1", "card": "7H"}),
            );
        }
        story.shoe(2, "R1", 6, "shoe");
        assert_eq!(about(story.found(), "deck."), expected);
    }
}

#[test]
fn a_card_is_seen_at_most_as_often_as_the_shoe_holds_it() {
    let mut story = blackjack();
    story
        .opened(0, "R1", 6, "red")
        .shoe(1, "R1", 6, "shoe")
        .round(2);
    for _ in 0..6 {
        story.dealt(json!("KH"));
    }
    assert_eq!(about(story.found(), "deck."), [] as [&str; 0]);
    story.dealt(json!("KH"));
    assert_eq!(about(story.found(), "deck."), ["deck.duplicate_card"]);
    for method in ["shoe", "continuous"] {
        let mut story = blackjack();
        story
            .opened(0, "R1", 6, "red")
            .shoe(1, "R1", 6, method)
            .round(2);
        for _ in 0..6 {
            story.dealt(json!("KH"));
        }
        if method == "shoe" {
            story.shoe(70, "R1", 6, method);
        }
        story.round(71).dealt(json!("KH"));
        assert_eq!(about(story.found(), "deck."), [] as [&str; 0], "{method}");
    }
}

#[test]
fn a_reveal_names_the_card_that_lies_there() {
    for (card, expected) in [("QH", vec![]), ("8D", vec!["deck.switched_card"])] {
        let mut story = three_card("mgc-2017", json!({}));
        story
            .opened(0, "A", 1, "red")
            .shoe(1, "A", 1, "hand")
            .round(2)
            .dealt(json!("QH"));
        story.then(
            70,
            json!({"type": "card_revealed", "to": "seat", "seat": 1, "index": 0, "card": card}),
        );
        assert_eq!(about(story.found(), "deck."), expected);
    }
}

#[test]
fn a_spanish_deck_has_no_tens() {
    let mut story = Story::at("spanish_21", "mgc-2017", json!({}), json!([]));
    story
        .opened(0, "S", 6, "red")
        .shoe(1, "S", 6, "shoe")
        .round(2)
        .dealt(json!("TD"))
        .dealt(json!("KD"));
    assert_eq!(about(story.found(), "deck."), ["deck.foreign_card"]);
}

#[test]
fn a_shoe_ends_with_as_many_cards_as_it_began_with() {
    for (remaining, expected) in [
        (298, vec!["deck.missing_card"]),
        (299, vec![]),
        (300, vec!["deck.extra_card"]),
    ] {
        let mut story = blackjack();
        story
            .opened(0, "R1", 6, "red")
            .shoe(1, "R1", 6, "shoe")
            .then(2, json!({"type": "card_burned"}))
            .round(3);
        for _ in 0..12 {
            story.dealt(Value::Null);
        }
        story.then(
            90,
            json!({"type": "shoe_ended", "shoe": "s", "remaining": remaining}),
        );
        assert_eq!(about(story.found(), "deck."), expected, "{remaining}");
    }
}

#[test]
fn two_sets_take_turns() {
    let options = || json!({"alternating_decks": true});
    let mut story = three_card("mgc-2017", options());
    story.opened(0, "A", 1, "red").opened(0, "B", 1, "blue");
    for (second, set) in ["A", "B", "B", "A"].into_iter().enumerate() {
        story.shoe(second as i64, set, 1, "auto_shoe");
    }
    assert_eq!(about(story.found(), "deck."), ["deck.not_alternated"]);
    let mut story = three_card("mgc-2017", options());
    story
        .opened(0, "A", 1, "red")
        .opened(0, "B", 1, "blue")
        .shoe(1, "A", 1, "auto_shoe")
        .shoe(2, "B", 1, "auto_shoe");
    story
        .removed(3, "B", "damaged")
        .shoe(4, "A", 1, "auto_shoe")
        .shoe(5, "A", 1, "auto_shoe");
    assert_eq!(about(story.found(), "deck."), [] as [&str; 0]);
    let mut story = three_card("mgc-2017", options());
    story.opened(0, "A", 1, "red").opened(0, "B", 1, "red");
    for (second, set) in ["A", "B", "A"].into_iter().enumerate() {
        story.shoe(second as i64, set, 1, "auto_shoe");
    }
    assert_eq!(about(story.found(), "deck."), ["deck.colour"]);
}

#[test]
fn used_cards_are_destroyed_in_time_unless_they_are_evidence() {
    let minutes = |h: i64, m: i64| h * H + m * M;
    let mut story = three_card("mgc-2017", json!({}));
    story
        .opened(0, "A", 1, "red")
        .shoe(1, "A", 1, "auto_shoe")
        .removed(minutes(3, 30), "A", "scheduled");
    story.then(
        minutes(13, 30),
        json!({"type": "cards_reinspected", "set": "A", "missing": [], "extra": []}),
    );
    story.then(
        minutes(86, 30),
        json!({"type": "cards_destroyed", "set": "A"}),
    );
    assert_eq!(about(story.found(), "deck."), ["deck.not_destroyed"]);
    let mut story = three_card("mgc-2017", json!({}));
    story
        .opened(0, "A", 1, "red")
        .shoe(1, "A", 1, "auto_shoe")
        .removed(minutes(3, 30), "A", "evidence");
    story.then(6 * 24 * H, json!({"type": "clock"}));
    assert_eq!(about(story.found(), "deck."), [] as [&str; 0]);
}

#[test]
fn an_unopened_reserve_may_come_back_and_an_opened_one_not() {
    for (opened, expected) in [(false, vec![]), (true, vec!["deck.reused"])] {
        let mut story = blackjack();
        story.delivered(0, "R2", 6, "red");
        if opened {
            story
                .inspected(1, "R2", &[])
                .then(1, json!({"type": "cards_opened", "set": "R2"}));
        }
        story.removed(H, "R2", "reserve_returned");
        story
            .opened(20 * H, "R2", 6, "red")
            .shoe(20 * H + 1, "R2", 6, "shoe");
        assert_eq!(about(story.found(), "deck."), expected);
    }
}

#[test]
fn dice_are_five_inspected_and_changed_daily() {
    let introduced = |count: u32| json!({"type": "dice_introduced", "set": "cd-1", "count": count});
    let inspected =
        |result: &str| json!({"type": "dice_inspected", "set": "cd-1", "result": result});
    let roll = || json!({"type": "dice_rolled", "dice": [3, 4], "valid": true});
    let craps = || Story::at("craps", "mgc-2017", json!({}), json!([]));
    let mut story = craps();
    story
        .then(0, introduced(5))
        .then(1, inspected("pass"))
        .round(24 * H + 12 * M)
        .then(24 * H + 12 * M, roll());
    assert_eq!(about(story.found(), "dice."), ["dice.overdue"]);
    let mut story = craps();
    story
        .then(0, inspected("pass"))
        .then(1, introduced(5))
        .round(2)
        .then(3, roll());
    assert_eq!(about(story.found(), "dice."), [] as [&str; 0]);
    let mut story = craps();
    story
        .then(0, introduced(4))
        .then(1, inspected("fail"))
        .round(2)
        .then(3, roll())
        .then(4, roll());
    assert_eq!(
        about(story.found(), "dice."),
        ["dice.set_size", "dice.failed_inspection"]
    );
    let mut story = craps();
    story.then(0, introduced(5)).round(2).then(
        3,
        json!({"type": "dice_rolled", "dice": [3, 4, 5], "valid": true}),
    );
    assert_eq!(
        about(story.found(), "dice."),
        ["dice.wrong_number", "dice.not_inspected"]
    );
}

#[test]
fn tiles_are_inspected_by_the_floor_and_by_surveillance() {
    let deal = |seat: u32, tiles: &[&str]| json!({"type": "tiles_dealt", "to": "seat", "seat": seat, "tiles": tiles});
    let pai_gow = || Story::at("pai_gow", "mgc-2017", json!({}), json!([]));
    let ready = |story: &mut Story, seconds: i64| {
        story.then(seconds, json!({"type": "tiles_introduced", "set": "T"}));
        story.then(seconds, json!({"type": "tiles_inspected", "set": "T"}));
        story.by(
            "surveillance",
            seconds,
            json!({"type": "tiles_inspected", "set": "T"}),
        );
    };
    let mut story = pai_gow();
    story
        .then(0, json!({"type": "tiles_introduced", "set": "T"}))
        .then(1, json!({"type": "tiles_inspected", "set": "T"}));
    story
        .round(2)
        .then(3, deal(2, &["6-6", "5-2", "1-1", "4-1"]));
    assert_eq!(
        about(story.found(), "tiles."),
        ["tiles.no_surveillance_check"]
    );
    let mut story = pai_gow();
    ready(&mut story, 0);
    story
        .round(2)
        .then(3, deal(2, &["6-6", "5-2", "1-1", "4-1"]))
        .then(4, deal(4, &["6-6", "5-2", "1-1", "9-9"]));
    assert_eq!(
        about(story.found(), "tiles."),
        ["tiles.duplicate_tile", "tiles.foreign_tile"]
    );
    let mut story = pai_gow();
    ready(&mut story, 0);
    story.then(8 * H, json!({"type": "tiles_removed", "set": "T"}));
    ready(&mut story, 24 * H);
    story
        .round(24 * H + 1)
        .then(24 * H + 2, deal(2, &["6-6", "5-2", "1-1", "4-1"]));
    assert_eq!(about(story.found(), "tiles."), [] as [&str; 0]);
}

#[test]
fn a_wheel_is_inspected_for_every_opening_and_has_its_own_pockets() {
    let spin = |result: &str| json!({"type": "wheel_spun", "result": result, "valid": true});
    let inspected = || json!({"type": "wheel_inspected", "wheel": "w", "result": "pass"});
    let mut story = Story::at("roulette", "mgc-2017", json!({}), json!([]));
    story
        .then(1, inspected())
        .round(2)
        .then(3, spin("7"))
        .then(4, json!({"type": "round_closed"}));
    story.then(5, json!({"type": "table_closed", "closing_inventory": 1}));
    story
        .open(H, "roulette", "mgc-2017", json!({}), json!([]))
        .round(H + 1)
        .then(H + 2, spin("7"));
    assert_eq!(story.found(), ["wheel.not_inspected"]);
    for (wheel, expected) in [("single", vec!["wheel.illegal_result"]), ("double", vec![])] {
        let mut story = Story::at("roulette", "mgc-2017", json!({"wheel": wheel}), json!([]));
        story
            .then(1, inspected())
            .round(2)
            .then(3, spin("00"))
            .then(4, json!({"type": "round_closed"}));
        assert_eq!(story.found(), expected);
    }
}

#[test]
fn a_maximum_is_ten_times_its_minimum_where_the_rule_holds() {
    let limit = |kind: &str, min: i64, max: i64| json!({"kind": kind, "min": min, "max": max});
    let limits = json!([
        limit("red", 1000, 9000),
        limit("six_numbers", 500, 4000),
        limit("straight", 500, 2500)
    ]);
    let mut story = Story::at("roulette", "mgc-2017", json!({}), limits);
    assert_eq!(story.found(), ["limits.ratio", "limits.ratio"]);
    for (min, max, expected) in [(10000, 99900, 1), (10000, 100000, 0), (10100, 50000, 0)] {
        let mut story = Story::at(
            "roulette",
            "mgc-2017",
            json!({}),
            json!([limit("red", min, max)]),
        );
        assert_eq!(story.found().len(), expected, "{min} {max}");
    }
}

#[test]
fn rules_change_after_half_an_hours_notice() {
    let notice = |change: &str, effective: &str, bureau: bool| json!({"type": "notice_posted", "change": change, "effective_at": effective, "announced": true, "bureau_notified": bureau});
    let changed = || json!({"type": "rules_changed", "edition": "mgc-2017", "options": {"zero_rule": "half"}});
    let roulette = || Story::at("roulette", "mgc-2017", json!({}), json!([]));
    for (seconds, expected) in [
        (6 * H + 30 * M, vec![]),
        (6 * H + 30 * M - 1, vec!["rules.notice"]),
    ] {
        let mut story = roulette();
        story
            .then(6 * H, notice("rules", "2026-11-15T12:30:00Z", true))
            .then(seconds, changed());
        assert_eq!(story.found(), expected);
    }
    let mut story = roulette();
    story
        .then(0, notice("rules", "2026-11-15T07:00:00Z", true))
        .then(40 * M, changed());
    assert_eq!(story.found(), ["rules.notice"]);
    let mut story = roulette();
    story.then(0, notice("limits", "2026-11-15T06:00:00Z", false));
    let upper = json!([{"kind": "red", "min": 1000, "max": 50000}]);
    story.then(2, json!({"type": "limits_changed", "limits": upper}));
    assert_eq!(story.found(), [] as [&str; 0]);
    let lower = json!([{"kind": "red", "min": 500, "max": 50000}]);
    story.then(3, json!({"type": "limits_changed", "limits": lower}));
    assert_eq!(story.found(), ["limits.notice"]);
    let mut story = roulette();
    story.then(0, notice("requirement", "2026-11-15T06:29:59Z", true));
    assert_eq!(story.found(), ["requirement.notice"]);
    let mut story = roulette();
    story.then(5, json!({"type": "table_closed", "closing_inventory": 1}));
    story.open(
        9,
        "roulette",
        "mgc-2017",
        json!({"zero_rule": "half"}),
        json!([]),
    );
    assert_eq!(story.found(), [] as [&str; 0]);
}

#[test]
fn a_table_plays_what_is_authorized_while_it_is_open_at_its_own_positions() {
    assert_eq!(
        Story::at("casino_war", "mgc-2017", json!({}), json!([])).found(),
        ["rules.unauthorized"]
    );
    assert_eq!(
        Story::at("roulette", "mgc-amended", json!({}), json!([])).found(),
        ["rules.unauthorized"]
    );
    let options = json!({"wheel": "triple"});
    assert_eq!(
        Story::at("roulette", "mgc-2017", options, json!([])).found(),
        ["rules.unauthorized"]
    );
    let mut story = Story::at("minibaccarat", "mgc-2017", json!({}), json!([]));
    story.round(1);
    for seat in [9, 10, 10] {
        let id = format!("w{}", story.seq);
        story.then(2, json!({"type": "wager_placed", "wager": id, "seat": seat, "kind": "tie", "amount": 100}));
    }
    assert_eq!(story.found(), ["table.seat"]);
    let mut story = Story::at("roulette", "mgc-2017", json!({}), json!([]));
    story
        .then(5, json!({"type": "table_closed", "closing_inventory": 1}))
        .round(6);
    assert_eq!(story.found(), ["table.not_open"]);
}

#[test]
fn a_flaw_found_before_use_is_a_warning() {
    let mut story = blackjack();
    story.delivered(0, "R1", 6, "red");
    let inspected = json!({"type": "cards_inspected", "set": "R1", "missing": ["7H"], "extra": [], "unsuitable": [], "dealer": "d", "supervisor": "s"});
    story.then(1, inspected);
    assert_eq!(
        story.codes.last().unwrap(),
        &("deck.missing_card".to_owned(), "warn".to_owned())
    );
}

#[test]
fn a_poker_deck_is_put_in_order_every_three_hours() {
    let poker = |sorted: Option<bool>| {
        let options = json!({"form": "holdem_high", "blinds": [200, 400],
            "bet_limits": [[400, 400], [400, 400], [800, 800], [800, 800]]});
        let mut story = Story::at("poker", "mgc-2017", options, json!([]));
        story.opened(0, "A", 1, "red").shoe(M, "A", 1, "hand");
        for quarter in 1..=15 {
            let mut counted = json!({"type": "cards_counted", "set": "A", "count": 52});
            if let Some(sorted) = sorted.filter(|_| quarter == 8) {
                counted["sorted"] = json!(sorted);
            }
            story.then(quarter * 15 * M, counted);
        }
        let found = about(story.found(), "deck.").len();
        (found, about(story.found(), "deck.not_sorted").len())
    };
    assert_eq!(poker(Some(true)), (0, 0));
    assert_eq!(poker(Some(false)), (1, 1));
    assert_eq!(poker(None), (1, 1));
}

#[test]
fn boxes_and_displays_of_the_bad_beat_fund_are_seen_to_daily() {
    let fund = |counts: bool, adjusts: bool| {
        let options = json!({"form": "holdem_high", "blinds": [200, 400],
            "bet_limits": [[400, 400], [400, 400], [800, 800], [800, 800]],
            "jackpot": {"drop": {"method": "fixed", "amount": 100, "min_pot": 1}}});
        let mut story = Story::at("poker", "mgc-2017", options, json!([]));
        let display = json!({"type": "device_adjusted", "device": "sign", "kind": "display"});
        let count = |cash: i64| json!({"type": "drop_counted", "box": "jackpot-1", "cash": cash});
        story.then(M, display.clone()).then(M, count(0));
        story.hand(H);
        if counts {
            story.aside(20 * H, count(100));
        }
        if adjusts {
            story.aside(20 * H, display);
        }
        story.hand(30 * H);
        story
            .found()
            .into_iter()
            .filter(|code| code.starts_with("jackpot.") && !code.starts_with("jackpot.drop"))
            .map(str::to_owned)
            .collect::<Vec<String>>()
    };
    let none: [&str; 0] = [];
    assert_eq!(fund(true, true), none);
    assert_eq!(fund(false, true), ["jackpot.box_not_counted"]);
    assert_eq!(fund(true, false), ["jackpot.display_stale"]);
}
