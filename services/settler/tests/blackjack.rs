//! Blackjack, Spanish 21 and Free Bet Blackjack from their events.

#![allow(clippy::unwrap_used)]

mod common;

use common::{codes, open, script, settle};
use serde_json::{Value, json};

const NOTHING: [&str; 0] = [];

fn table(game: &str, edition: &str, options: Value, lines: &str) -> Vec<Value> {
    let mut bodies = vec![open(game, edition, options)];
    bodies.extend(script(lines));
    bodies
}

fn mgc(options: Value, lines: &str) -> Vec<Value> {
    table("blackjack", "mgc-2017", options, lines)
}

fn ohio(options: Value, lines: &str) -> Vec<Value> {
    table("blackjack", "oh-jack-2017", options, lines)
}

/// The play of the only round's document.
fn play(bodies: &[Value]) -> Value {
    let (findings, rounds) = settle(bodies);
    let document = rounds[0].document.as_ref();
    document.unwrap_or_else(|| panic!("{findings:?}"))["play"].clone()
}

/// A double of 11 that wins, told in these words between the first cards and the dealer's.
fn doubled(told: &str, paid: &str) -> Vec<Value> {
    let lines = format!(
        "open\nbet w1 1 main 2000\ncard seat 1 4C up\ncard dealer 6D up\ncard seat 1 7H up
         {told}
         card dealer TC up\ncard dealer 9D up\n{paid}\nclose"
    );
    mgc(json!({}), &lines)
}

#[test]
fn a_double_is_told_by_its_decision_its_stake_or_both_and_counts_once() {
    let ways = [
        "say 1 double\nbet w2 1 double 2000 w1\ncard seat 1 9D up",
        "bet w2 1 double 2000 w1\nsay 1 double\ncard seat 1 9D up",
        "bet w2 1 double 2000 w1\ncard seat 1 9D up",
        "bet w2 1 double 2000\ncard seat 1 9D up\nsay 1 stand",
        "{\"type\":\"decision\",\"seat\":1,\"action\":\"double\",\"amount\":2000}\nbet w2 1 double 2000 w1\ncard seat 1 9D up",
        "say 1 double\nbet w2 1 double 2000 w1\ncard seat 1 ??\nshow seat 1 2 9D",
    ];
    for told in ways {
        let bodies = doubled(told, "pay w1 2000\npay w2 2000");
        let steps = play(&bodies)["boxes"][0]["steps"].clone();
        assert_eq!(
            steps[0],
            json!({"hand": 1, "do": "double", "card": "9D"}),
            "{told}"
        );
        let expected = if told.ends_with("stand") {
            vec!["decision.after_completion"]
        } else {
            vec![]
        };
        assert_eq!(codes(&bodies), expected, "{told}");
    }
}

#[test]
fn a_stake_that_only_a_decision_names_is_paid_with_its_main_wager() {
    let told = "{\"type\":\"decision\",\"seat\":1,\"action\":\"double\",\"amount\":2000}\ncard seat 1 9D up";
    assert_eq!(codes(&doubled(told, "pay w1 4000")), NOTHING);
    assert_eq!(codes(&doubled(told, "pay w1 2000")), ["pay.under"]);
    assert_eq!(
        codes(&doubled("say 1 double\ncard seat 1 9D up", "pay w1 2000")),
        ["decision.double_without_wager"]
    );
}

#[test]
fn a_double_after_its_card_is_late_and_one_changed_after_it_is_capped() {
    let late = "say 1 double\ncard seat 1 9D up\nbet w2 1 double 2000 w1";
    let found = codes(&doubled(late, "pay w1 2000\npay w2 2000"));
    assert_eq!(found, ["wager.late"]);
    let made = "say 1 double\nbet w2 1 double 1000 w1";
    let corrected = format!("{made}\nraise w2 2000\ncard seat 1 9D up");
    assert_eq!(
        codes(&doubled(&corrected, "pay w1 2000\npay w2 2000")),
        NOTHING
    );
    let capped = format!("{made}\ncard seat 1 9D up\nraise w2 2000");
    assert_eq!(
        codes(&doubled(&capped, "pay w1 2000\npay w2 1000")),
        ["wager.capped"]
    );
    let pinched = format!("{made}\ncard seat 1 9D up\nremove w2");
    assert_eq!(
        codes(&doubled(&pinched, "pay w1 2000\npay w2 1000")),
        ["wager.pinched"]
    );
}

const SPLIT_PAIR: &str =
    "open\nbet w1 1 main 2000\ncard seat 1 9C up\ncard dealer 6D up\ncard seat 1 9H up";

/// Nines split: a double on the first hand, a stand on the second.
fn split(told: &str) -> Vec<Value> {
    let lines = format!(
        "{SPLIT_PAIR}\n{told}
         {{\"type\":\"card_dealt\",\"to\":\"seat\",\"seat\":1,\"hand\":1,\"card\":\"2D\",\"face\":\"up\"}}
         {{\"type\":\"decision\",\"seat\":1,\"hand\":1,\"action\":\"double\"}}
         bet w3 1 double 2000 w1
         card seat 1 ??
         {{\"type\":\"card_dealt\",\"to\":\"seat\",\"seat\":1,\"hand\":2,\"card\":\"TD\",\"face\":\"up\"}}
         {{\"type\":\"decision\",\"seat\":1,\"hand\":2,\"action\":\"stand\"}}
         card dealer TC up\nshow seat 1 2 9S\ncard dealer 9D up
         pay w1 2000\npay w2 2000\npay w3 2000\nclose"
    );
    mgc(json!({}), &lines)
}

#[test]
fn a_split_is_told_by_its_decision_its_stake_or_both() {
    let ways = [
        "say 1 split\nbet w2 1 split 2000 w1",
        "bet w2 1 split 2000 w1\nsay 1 split",
        "bet w2 1 split 2000 w1",
        "{\"type\":\"wager_placed\",\"wager\":\"w2\",\"seat\":1,\"kind\":\"split\",\"amount\":2000,\"detail\":{\"hand\":2}}",
    ];
    for told in ways {
        let bodies = split(told);
        let (findings, rounds) = settle(&bodies);
        assert_eq!(findings, [], "{told}");
        let document = rounds[0].document.as_ref().unwrap();
        assert_eq!(
            document["play"]["boxes"][0]["steps"],
            json!([
                {"hand": 1, "do": "split", "new_hand": 2},
                {"hand": 1, "do": "deal", "card": "2D"},
                {"hand": 1, "do": "double", "card": "9S"},
                {"hand": 2, "do": "deal", "card": "TD"},
                {"hand": 2, "do": "stand"},
            ])
        );
        assert_eq!(document["wagers"][1]["hand"], 2);
        assert_eq!(document["wagers"][2]["hand"], 1);
    }
}

#[test]
fn the_stake_of_a_second_split_is_for_the_pair() {
    // The first hand has its card, and nobody stands on a split ace.
    let to_hand = |hand: u32, card: &str| {
        format!(
            "{{\"type\":\"card_dealt\",\"to\":\"seat\",\"seat\":1,\"hand\":{hand},\"card\":\"{card}\",\"face\":\"up\"}}"
        )
    };
    let lines = format!(
        "open\nbet w1 1 main 2000\ncard seat 1 AC up\ncard dealer 6D up\ncard seat 1 AH up
         bet w2 1 split 2000 w1\nsay 1 split\n{}\n{}
         bet w3 1 split 2000 w1
         {{\"type\":\"decision\",\"seat\":1,\"hand\":2,\"action\":\"split\"}}\n{}\n{}
         card dealer TC up\ncard dealer 9D up\npay w1 2000\npay w2 2000\npay w3 2000\nclose",
        to_hand(1, "3C"),
        to_hand(2, "AD"),
        to_hand(2, "7H"),
        to_hand(3, "KH"),
    );
    let options = json!({"resplit_aces": true, "max_split_hands": 3});
    let (findings, rounds) = settle(&mgc(options, &lines));
    assert_eq!(findings, []);
    let steps = &rounds[0].document.as_ref().unwrap()["play"]["boxes"][0]["steps"];
    assert_eq!(steps[3], json!({"hand": 2, "do": "split", "new_hand": 3}));
}

#[test]
fn a_feed_that_never_numbers_hands_plays_them_from_left_to_right() {
    let lines = format!(
        "{SPLIT_PAIR}\nsay 1 split\nbet w2 1 split 2000 w1
         card seat 1 8C up\nsay 1 stand\ncard seat 1 2D up\nsay 1 hit\ncard seat 1 TS up
         card dealer TC up\ncard dealer 2S up\ntake w1\npay w2 2000\nclose"
    );
    let (findings, rounds) = settle(&mgc(json!({}), &lines));
    assert_eq!(findings, []);
    let steps = &rounds[0].document.as_ref().unwrap()["play"]["boxes"][0]["steps"];
    assert_eq!(steps[3], json!({"hand": 2, "do": "deal", "card": "2D"}));
}

/// An ace up at a table with or without a reader, and insurance at the place `{}`.
fn insured(hole: &str, early: &str, late: &str) -> Vec<Value> {
    let second = if hole == "none" { "" } else { "card dealer ??" };
    let shown = if hole == "none" {
        "card dealer 9C up"
    } else {
        "show dealer 1 9C"
    };
    let lines = format!(
        "open\nbet w1 1 main 2000\nbet w2 2 main 2000\nno-more-bets
         card seat 1 TC up\ncard seat 2 9H up\ncard dealer AD up\ncard seat 1 9C up\ncard seat 2 2H up
         {second}\n{early}\nsay 1 stand\n{late}\nsay 2 hit\ncard seat 2 8D up\nsay 2 stand\n{shown}
         take w1\ntake w2\ntake w3\nclose"
    );
    mgc(json!({"hole_card": hole}), &lines)
}

#[test]
fn insurance_ends_with_the_check_or_with_the_players_own_first_decision() {
    let insurance = "bet w3 2 insurance 1000 w2";
    for hole in ["none", "down", "reader"] {
        assert_eq!(codes(&insured(hole, insurance, "")), NOTHING, "{hole}");
    }
    assert_eq!(
        codes(&insured("none", "", insurance)),
        NOTHING,
        "the house may say so"
    );
    assert_eq!(codes(&insured("reader", "", insurance)), ["wager.late"]);
    let own = "say 2 hit\nbet w3 2 insurance 1000 w2";
    assert_eq!(codes(&insured("none", "", own)), ["wager.late"]);
    let checked = format!("say 0 hole_checked\n{insurance}");
    assert_eq!(codes(&insured("reader", &checked, "")), ["wager.late"]);
    let called = format!("{{\"type\":\"betting_closed\",\"window\":\"insurance\"}}\n{insurance}");
    assert_eq!(codes(&insured("down", &called, "")), ["wager.late"]);
}

const QUIET: &str = "open\nbet w1 1 main 1000\ncard seat 1 TC up\ncard dealer KD up\ncard seat 1 9C up\ncard dealer ??";

#[test]
fn a_check_is_missed_only_where_the_feed_tells_of_checks() {
    let reader = || json!({"hole_card": "reader"});
    let end = "say 1 stand\nshow dealer 1 8C\npay w1 1000\nclose";
    let silent = format!("{QUIET}\n{end}");
    let told = format!("{QUIET}\nsay 0 hole_checked\n{end}");
    assert_eq!(codes(&mgc(reader(), &silent)), NOTHING);
    assert_eq!(
        codes(&mgc(reader(), &format!("{silent}\n{silent}"))),
        NOTHING
    );
    assert_eq!(
        codes(&mgc(reader(), &format!("{told}\n{silent}"))),
        ["dealer.hole_not_checked"]
    );
    assert_eq!(
        codes(&mgc(json!({"hole_card": "down"}), &told)),
        ["dealer.hole_checked_wrongly"]
    );
    let fault = "{\"type\":\"irregularity\",\"kind\":\"reader_fails\",\"ruling\":\"play on\"}";
    let broken = format!("{told}\n{QUIET}\n{fault}\n{end}");
    assert_eq!(codes(&mgc(reader(), &broken)), NOTHING);
    let blackjack = "say 1 stand\nshow dealer 1 AC\ntake w1\nclose";
    assert_eq!(
        codes(&mgc(reader(), &format!("{QUIET}\n{blackjack}"))),
        ["dealer.hole_not_checked"]
    );
    let missed = format!("{QUIET}\nsay 0 peek\n{blackjack}");
    assert_eq!(codes(&mgc(reader(), &missed)), ["dealer.missed_blackjack"]);
    let at_once = format!("{QUIET}\nshow dealer 1 AC\ntake w1\nclose");
    assert_eq!(codes(&mgc(reader(), &at_once)), NOTHING);
}

#[test]
fn a_hole_card_that_is_dealt_before_the_up_card_is_still_the_hole_card() {
    let lines = "open\nbet w1 1 main 1000\ncard seat 1 TC up\ncard dealer ??\ncard seat 1 9C up
        card dealer 6D up\nsay 1 stand\nshow dealer 0 TH\ncard dealer 5D up\ntake w1\nclose";
    let bodies = mgc(json!({"hole_card": "down"}), lines);
    assert_eq!(codes(&bodies), NOTHING);
    assert_eq!(play(&bodies)["dealer"]["cards"], json!(["6D", "TH", "5D"]));
}

#[test]
fn a_second_card_face_down_is_a_hole_card_whatever_the_table_posts() {
    let round = |hole: &str, shown: &str| {
        let lines = format!(
            "open\nbet w1 1 main 2000\ncard seat 1 4C up\ncard dealer 6D up\ncard seat 1 7H up
             {hole}\nsay 1 double\nbet w2 1 double 2000 w1\ncard seat 1 9D up
             {shown}\ncard dealer 9D up\npay w1 2000\npay w2 2000\nclose"
        );
        codes(&mgc(json!({}), &lines))
    };
    let late = |codes: Vec<String>| codes.iter().any(|code| code == "wager.late");
    assert!(!late(round("card dealer ??", "show dealer 1 TC")));
    assert!(late(round("card dealer TC up", "")));
}

#[test]
fn a_dealer_who_draws_or_stands_wrongly_is_found() {
    let lines = |dealer: &str, end: &str| {
        format!(
            "open\nbet w1 1 main 1000\ncard seat 1 TC up\ncard dealer TD up\ncard seat 1 8C up
             say 1 stand\n{dealer}\n{end}\nclose"
        )
    };
    let seventeen = lines("card dealer 7D up\ncard dealer 4D up", "pay w1 1000");
    assert_eq!(codes(&mgc(json!({}), &seventeen)), ["dealer.hit_17"]);
    let sixteen = lines("card dealer 6D up", "pay w1 1000");
    assert_eq!(codes(&mgc(json!({}), &sixteen)), ["dealer.stood_short"]);
    let right = lines("card dealer 6D up\ncard dealer 4D up", "take w1");
    assert_eq!(codes(&mgc(json!({}), &right)), NOTHING);
}

#[test]
fn an_optional_bonus_needs_the_dealers_third_card() {
    let options = || json!({"side_bets": ["optional_bonus"], "decks": 6});
    let bust = "open\nbet w1 1 main 1000\nbet w2 1 optional_bonus 500\ncard seat 1 TC up
        card dealer 5D up\ncard seat 1 6C up\nsay 1 hit\ncard seat 1 9C up\ncard dealer TD up";
    let without = format!("{bust}\ntake w1\ntake w2\nclose");
    assert_eq!(
        codes(&mgc(options(), &without)),
        ["dealer.third_card_missing"]
    );
    let with = format!("{bust}\ncard dealer 6D up\ntake w1\ntake w2\nclose");
    assert_eq!(codes(&mgc(options(), &with)), NOTHING);
}

#[test]
fn a_streak_stays_and_counts_its_wins_and_is_lost_by_who_sits_out() {
    let options = || json!({"side_bets": ["streak"]});
    let won = "card seat 1 TC up\ncard dealer 7D up\ncard seat 1 9C up\nsay 1 stand
        card dealer TD up\npay w1 1000";
    let first = format!("open\nbet w1 1 main 1000\nbet s1 1 streak_2 500\n{won}\nclose");
    let second = format!("open\nbet w1 1 main 1000\n{won}\npay s1 1500\nclose");
    let (findings, rounds) = settle(&mgc(options(), &format!("{first}\n{second}")));
    assert_eq!(findings, []);
    let document = rounds[1].document.as_ref().unwrap();
    assert_eq!(
        document["wagers"][0],
        json!({"id": "s1", "seat": 1, "kind": "streak_2",
        "amount": 500, "wins_before": 1})
    );
    let unpaid = format!("{first}\nopen\nbet w1 1 main 1000\n{won}\nclose");
    assert_eq!(codes(&mgc(options(), &unpaid)), ["pay.unpaid"]);
    let retold = format!(
        "{first}\nopen\nbet w1 1 main 1000\nbet w2 1 streak_2 500\n{won}\npay w2 1500\nclose"
    );
    assert_eq!(codes(&mgc(options(), &retold)), NOTHING);
    let other = "open\nbet w1 2 main 1000\ncard seat 2 TC up\ncard dealer 7D up\ncard seat 2 9C up
        say 2 stand\ncard dealer TD up\npay w1 1000";
    let abandoned = format!("{first}\n{other}\ntake s1\nclose");
    assert_eq!(codes(&mgc(options(), &abandoned)), NOTHING);
    let kept = format!("{first}\n{other}\nclose");
    assert_eq!(codes(&mgc(options(), &kept)), ["pay.uncollected"]);
}

#[test]
fn nobody_bets_again_before_the_shuffle_where_the_house_forbids_it() {
    let seat = |number: u32| {
        format!(
            "card seat {number} TC up\ncard dealer 7D up\ncard seat {number} 9C up\nsay {number} stand
             card dealer TD up\npay w1 1000\nclose"
        )
    };
    let round = |shoe: &str, number: u32| {
        format!("open {shoe}\nbet w1 {number} main 1000\n{}", seat(number))
    };
    let closed = || json!({"mid_shoe_entry": false});
    let away = [round("a", 1), round("a", 2), round("a", 1)].join("\n");
    // Seat 2 had not played the first round, seat 1 not the second.
    assert_eq!(
        codes(&mgc(closed(), &away)),
        ["wager.mid_shoe_entry", "wager.mid_shoe_entry"]
    );
    assert_eq!(codes(&mgc(json!({}), &away)), NOTHING);
    let shuffled = [round("a", 1), round("b", 2), round("c", 1)].join("\n");
    assert_eq!(codes(&mgc(closed(), &shuffled)), NOTHING);
    let steady = [round("a", 1), round("a", 1), round("a", 1)].join("\n");
    assert_eq!(codes(&mgc(closed(), &steady)), NOTHING);
}

/// Three sevens of one suit against Blazing 7's, the whole meter of $40,000.
fn blazing(end: &str) -> Vec<Value> {
    let lines = format!(
        "{{\"type\":\"round_opened\",\"meters\":{{\"progressive\":4000000}}}}
         bet w1 3 main 1000\nbet w2 3 blazing_sevens 500\ncard seat 3 7D up\ncard dealer 7D up
         card seat 3 7D up\ncard dealer ??\nsay 3 hit\ncard seat 3 3C up\nsay 3 stand
         show dealer 1 TC\npush w1\n{end}\nclose"
    );
    ohio(json!({"side_bets": ["blazing_sevens"]}), &lines)
}

#[test]
fn a_meter_pays_for_the_chip_and_not_beside_it() {
    assert_eq!(codes(&blazing("jackpot w2 4000000")), NOTHING);
    assert_eq!(codes(&blazing("pay w2 3999500")), NOTHING);
    assert_eq!(codes(&blazing("take w2\njackpot w2 4000000")), NOTHING);
    assert_eq!(
        codes(&blazing("jackpot w2 4000000\npush w2")),
        ["progressive.stake_returned"]
    );
    assert_eq!(codes(&blazing("jackpot w2 400000")), ["pay.under"]);
    assert_eq!(codes(&blazing("")), ["pay.unpaid"]);
}

#[test]
fn an_award_without_id_waits_at_the_cage() {
    let no_id = "{\"type\":\"irregularity\",\"kind\":\"winner_without_id\",\"detail\":{\"seat\":3},\"ruling\":\"to the cage\"}";
    let (findings, _) = settle(&blazing(no_id));
    assert_eq!(findings[0].code, "progressive.deferred_no_id");
    assert_eq!((findings[0].seat, findings.len()), (Some(3), 1));
}

#[test]
fn a_meter_moves_with_its_shares_and_only_with_them() {
    let read = |amount: i64| {
        format!(
            "jackpot w2 4000000\n{{\"type\":\"meter_read\",\"meter\":\"progressive\",\"amount\":{amount}}}"
        )
    };
    assert_eq!(codes(&blazing(&read(1_000_000))), NOTHING);
    assert_eq!(
        codes(&blazing(&read(1_000_350))),
        NOTHING,
        "other tables feed it"
    );
    assert_eq!(
        codes(&blazing(&read(4_000_000))),
        ["progressive.meter_mismatch"]
    );
    assert_eq!(
        codes(&blazing(&read(900_000))),
        ["progressive.meter_mismatch"]
    );
    let fixed = |after: i64| {
        let lines = format!(
            "{{\"type\":\"round_opened\",\"meters\":{{\"progressive\":4000000}}}}
             bet w1 3 main 1000\nbet w2 3 blazing_sevens 500\ncard seat 3 7D up\ncard dealer 8D up
             card seat 3 9D up\ncard dealer ??\nsay 3 stand\nshow dealer 1 TC\ntake w1\njackpot w2 1000
             {{\"type\":\"meter_read\",\"meter\":\"progressive\",\"amount\":{after}}}\nclose"
        );
        codes(&ohio(json!({"side_bets": ["blazing_sevens"]}), &lines))
    };
    assert_eq!(fixed(4_000_350), NOTHING);
    assert_eq!(fixed(3_999_000), ["progressive.meter_mismatch"]);
    assert_eq!(fixed(1_000_000), NOTHING, "another table won the meter");
}

#[test]
fn the_display_of_a_blackjack_bonus_is_what_it_pays() {
    let lines = |told: &str, paid: i64| {
        let lines = format!(
            "open\nbet w1 1 main 1000\nbet w2 1 blackjack_bonus 100\ncard seat 1 AC up
             card dealer 5D up\ncard seat 1 KC up\n{told}\npay w1 1500\npay w2 {paid}\nclose"
        );
        codes(&mgc(json!({"side_bets": ["blackjack_bonus"]}), &lines))
    };
    let display = "{\"type\":\"meter_read\",\"meter\":\"blackjack_bonus\",\"amount\":25000}";
    assert_eq!(lines(display, 25000), NOTHING);
    assert_eq!(lines(display, 35000), ["pay.over"]);
    assert_eq!(lines("", 2100), NOTHING, "21 to 1 without a display");
    assert_eq!(lines("", 30000), NOTHING, "a display that nobody told of");
    assert_eq!(lines("", 300000), ["side.bonus_out_of_range"]);
}

#[test]
fn even_money_is_a_decision() {
    let lines = "open\nbet w1 1 main 1500\ncard seat 1 QC up\ncard dealer AD up\ncard seat 1 AH up
        card dealer ??\nsay 1 even_money\npay w1 1500\nsay 0 hole_checked\nshow dealer 1 4H\nclose";
    let options = json!({"even_money": true, "hole_card": "reader"});
    assert_eq!(codes(&mgc(options, lines)), NOTHING);
    let never = json!({"hole_card": "reader"});
    assert_eq!(
        codes(&mgc(never, lines)),
        ["decision.even_money_not_allowed", "pay.under"]
    );
}

#[test]
fn guests_are_named_once_and_their_stakes_are_theirs() {
    let lines = "open
        {\"type\":\"wager_placed\",\"wager\":\"w1\",\"seat\":1,\"player\":\"P-77\",\"kind\":\"main\",\"amount\":2000}
        {\"type\":\"wager_placed\",\"wager\":\"w2\",\"seat\":1,\"player\":\"P-78\",\"kind\":\"main\",\"amount\":1000}
        card seat 1 4C up\ncard dealer 6D up\ncard seat 1 7H up\nsay 1 double\nbet w3 1 double 2000 w1
        card seat 1 9D up\ncard dealer TC up\ncard dealer 9D up\npay w1 2000\npay w2 1000\npay w3 2000\nclose";
    assert_eq!(codes(&mgc(json!({"players_per_box": 2}), lines)), NOTHING);
}

#[test]
fn multiple_action_deals_a_hand_a_spot_from_one_up_card() {
    let bets = "open
        {\"type\":\"wager_placed\",\"wager\":\"w1\",\"seat\":1,\"kind\":\"main\",\"amount\":500,\"detail\":{\"spot\":1}}
        {\"type\":\"wager_placed\",\"wager\":\"w2\",\"seat\":1,\"kind\":\"main\",\"amount\":1000,\"detail\":2}
        card seat 1 KC up\ncard dealer 7C up\ncard seat 1 9H up\nsay 1 stand";
    let end = "pay w1 500\ntake w2\nclose";
    let numbered =
        "{\"type\":\"card_dealt\",\"to\":\"dealer\",\"hand\":1,\"card\":\"TD\",\"face\":\"up\"}
        {\"type\":\"card_dealt\",\"to\":\"dealer\",\"hand\":2,\"card\":\"8D\",\"face\":\"up\"}
        {\"type\":\"card_dealt\",\"to\":\"dealer\",\"hand\":2,\"card\":\"5S\",\"face\":\"up\"}";
    let plain = "card dealer TD up\ncard dealer 8D up\ncard dealer 5S up";
    for cards in [numbered, plain] {
        let bodies = mgc(
            json!({"variation": "multiple_action"}),
            &format!("{bets}\n{cards}\n{end}"),
        );
        assert_eq!(codes(&bodies), NOTHING);
        assert_eq!(
            play(&bodies)["dealer"]["hands"],
            json!([["7C", "TD"], ["7C", "8D", "5S"]])
        );
    }
}

#[test]
fn a_double_shoe_is_dealt_from_the_side_that_its_card_names() {
    let options = || json!({"double_shoe": {"hearts_diamonds": "left", "spades_clubs": "right"}});
    let round = |shoe: &str, first: &str| {
        let lines = format!(
            "open {shoe}\nbet w1 1 main 1000\n{first}\ncard dealer 7C up\ncard seat 1 9H up\nsay 1 stand
             card dealer TD up\npay w1 1000\nclose"
        );
        codes(&mgc(options(), &lines))
    };
    let burned = "{\"type\":\"card_burned\",\"card\":\"2S\"}\ncard seat 1 KC up";
    assert_eq!(round("BJ-7-left", "card seat 1 KH up"), NOTHING);
    assert_eq!(round("BJ-7-right", burned), NOTHING);
    assert_eq!(round("BJ-7-left", burned), ["procedure.wrong_shoe_side"]);
    assert_eq!(
        round("BJ-7", "card seat 1 KS up"),
        NOTHING,
        "nobody says which side"
    );
}

#[test]
fn a_dead_box_and_a_void_round_give_stakes_back() {
    let lines = "open\nbet w1 1 main 1000\nbet w2 2 main 1000\ncard seat 1 KC up\ncard dealer 7C up
        card seat 1 9H up
        {\"type\":\"irregularity\",\"kind\":\"no_cards\",\"detail\":{\"seat\":2},\"ruling\":\"dead\"}
        say 1 stand\ncard dealer TD up\npay w1 1000\npush w2\nclose";
    assert_eq!(codes(&mgc(json!({}), lines)), NOTHING);
    let silent = lines.replace("no_cards", "pause");
    assert_eq!(
        codes(&mgc(json!({}), &silent)),
        ["table.wager_without_hand"]
    );
    let void = "open\nbet w1 1 main 1000\ncard seat 1 KC up\ncard dealer 7C up\ncard seat 1 9H up\ncard dealer ??
        {\"type\":\"irregularity\",\"kind\":\"reader_misused\",\"detail\":{\"void_round\":\"hands\"},\"ruling\":\"all hands dead\"}
        push w1\nclose";
    assert_eq!(codes(&mgc(json!({"hole_card": "down"}), void)), NOTHING);
}

/// Suited sevens against a seven at Spanish 21: $5,000 to seat 1, $50 to seat 4.
fn super_bonus(paid: &str) -> Vec<Value> {
    let lines = format!(
        "open\nbet w1 1 main 2500\nbet w2 4 main 500\ncard seat 1 7D up\ncard seat 4 KC up
         card dealer 7S up\ncard seat 1 7D up\ncard seat 4 9C up\nsay 1 hit\ncard seat 1 7D up
         say 4 stand\ncard dealer KD up\n{paid}\nclose"
    );
    table("spanish_21", "mgc-2017", json!({}), &lines)
}

#[test]
fn a_super_bonus_and_its_envy_are_paid_beside_the_odds() {
    let honest = [
        "pay w1 5000\npay w1 500000\npay w2 500\npay w2 5000",
        "pay w1 505000\npay w2 5500",
        "pay w1 510000\npay w2 500",
        "pay w1 5000\njackpot w1 500000\npay w2 500\njackpot w2 5000",
    ];
    for paid in honest {
        assert_eq!(codes(&super_bonus(paid)), NOTHING, "{paid}");
    }
    assert_eq!(
        codes(&super_bonus("pay w1 505000\npay w2 500")),
        ["bonus.envy_missing"]
    );
    let (findings, _) = settle(&super_bonus("pay w1 5000\npay w2 5500"));
    assert_eq!(
        (findings[0].code.as_str(), findings[0].exposure.get()),
        ("pay.under", -500000)
    );
}

#[test]
fn a_rescued_double_goes_back_however_it_is_told() {
    let lines = |back: &str| {
        let lines = format!(
            "open\nbet w1 1 main 2000\ncard seat 1 4D up\ncard dealer 9C up\ncard seat 1 3C up
             say 1 hit\ncard seat 1 4H up\nsay 1 double\nbet w2 1 double 2000 w1\ncard seat 1 2C up
             say 1 rescue\n{back}\ncard dealer 8D up\ntake w1\nclose"
        );
        codes(&table("spanish_21", "mgc-2017", json!({}), &lines))
    };
    assert_eq!(lines("push w2"), NOTHING);
    assert_eq!(lines("remove w2"), NOTHING);
    assert_eq!(lines("take w2"), ["pay.under"]);
}

#[test]
fn a_ten_is_no_card_of_spanish_21() {
    let lines = "open\nbet w1 1 main 2000\ncard seat 1 TD up\ncard dealer 9C up\ncard seat 1 KC up
        say 1 stand\ncard dealer 8D up\npay w1 2000\nclose";
    let mut bodies = table("spanish_21", "mgc-2017", json!({}), lines);
    bodies.insert(
        1,
        json!({"type": "shoe_started", "shoe": "a", "set": "s", "decks": 6, "method": "shoe"}),
    );
    let found = codes(&bodies);
    assert!(found.contains(&"deck.foreign_card".to_owned()), "{found:?}");
}

#[test]
fn a_lammer_wins_what_the_original_wager_does() {
    let lines = |said: &str, bet: &str, paid: &str| {
        let lines = format!(
            "open\nbet w1 1 main 2000\ncard seat 1 4C up\ncard dealer 8D up\ncard seat 1 6H up
             card dealer ??\nsay 1 {said}\n{bet}\ncard seat 1 JC up\nshow dealer 1 TC\npay w1 2000
             {paid}\nclose"
        );
        codes(&table(
            "free_bet_blackjack",
            "oh-jack-2017",
            json!({}),
            &lines,
        ))
    };
    let lammer = "{\"type\":\"wager_placed\",\"wager\":\"w2\",\"seat\":1,\"kind\":\"free_double\",\"amount\":0,\"on\":\"w1\",\"detail\":{\"lammer\":2000}}";
    assert_eq!(lines("free_double", lammer, "pay w2 2000"), NOTHING);
    assert_eq!(lines("double", lammer, "pay w2 2000"), NOTHING);
    assert_eq!(
        lines("free_double", "bet w2 1 free_double 0 w1", "pay w2 2000"),
        NOTHING
    );
    assert_eq!(lines("free_double", lammer, ""), ["pay.unpaid"]);
    assert_eq!(lines("free_double", lammer, "pay w2 4000"), ["pay.over"]);
    let wrong = lammer.replace("2000}", "4000}");
    assert_eq!(
        lines("free_double", &wrong, "pay w2 2000"),
        ["wager.lammer_not_equal"]
    );
}

#[test]
fn the_round_in_which_the_cutting_card_comes_out_is_the_last_of_its_shoe() {
    let round =
        "open a\nbet w1 1 main 1000\ncard seat 1 TC up\ncard dealer 7D up\ncard seat 1 9C up
        say 1 stand\ncard dealer TD up\npay w1 1000\nclose";
    let shoe = |cut: i64| {
        json!({"type": "shoe_started", "shoe": "a", "set": "s", "decks": 1,
        "method": "shoe", "cut": cut})
    };
    let found = |cut: i64, rounds: usize| {
        let lines = vec![round; rounds].join("\n").replace("TC", "QH");
        let mut bodies = mgc(json!({"decks": 1}), &lines);
        bodies.insert(1, shoe(cut));
        let found = codes(&bodies).into_iter();
        found.filter(|code| code == "deck.overdue_shuffle").count()
    };
    // Four cards a round: with 49 behind, the cutting card comes out in the first.
    assert_eq!(found(49, 1), 0);
    assert_eq!(found(49, 3), 1, "once a shoe");
    assert_eq!(found(48, 2), 0, "it lies on top of the shoe");
}

#[test]
fn a_share_of_the_meter_is_verified_by_a_supervisor_and_surveillance() {
    let verified = |by: &str, witness: Option<&str>| {
        let person = |role: &str| json!({"id": role, "role": role});
        let mut prize = json!({"type": "jackpot_paid", "meter": "progressive", "wager": "w2",
            "amount": 4_000_000, "by": person(by)});
        if let Some(role) = witness {
            prize["witness"] = person(role);
        }
        codes(&blazing(&prize.to_string()))
    };
    assert_eq!(verified("floorperson", Some("surveillance")), NOTHING);
    assert_eq!(verified("pit_boss", None), ["progressive.unverified"]);
    assert_eq!(
        verified("dealer", Some("surveillance")),
        ["progressive.unverified"]
    );
    assert_eq!(
        codes(&blazing("jackpot w2 4000000")),
        NOTHING,
        "nobody is named"
    );
}

/// A free double that wins, and what becomes of its lammer.
fn free_double(lammer: &str) -> String {
    format!(
        "open\nbet w1 1 main 2000\ncard seat 1 4C up\ncard dealer 8D up\ncard seat 1 6H up
         card dealer ??\nsay 1 free_double\nbet w2 1 free_double 0 w1\ncard seat 1 JC up
         show dealer 1 TC\npay w1 2000\npay w2 2000\n{lammer}\nclose"
    )
}

#[test]
fn a_lammer_leaves_the_layout_where_the_feed_tells_of_it() {
    let rounds = |lammers: &[&str]| {
        let lines: Vec<String> = lammers.iter().map(|lammer| free_double(lammer)).collect();
        let (game, edition) = ("free_bet_blackjack", "oh-jack-2017");
        codes(&table(game, edition, json!({}), &lines.join("\n")))
    };
    assert_eq!(rounds(&["", ""]), NOTHING);
    assert_eq!(rounds(&["take w2", "take w2"]), NOTHING);
    assert_eq!(rounds(&["take w2", ""]), ["lammer.not_removed"]);
}

#[test]
fn a_card_is_burned_after_every_shuffle_and_by_every_new_dealer() {
    let shoe = |number: u32| {
        format!(
            "{{\"type\":\"shoe_started\",\"shoe\":\"s{number}\",\"set\":\"a\",\"decks\":6,\"method\":\"shoe\"}}"
        )
    };
    let dealer = "{\"type\":\"dealer_changed\",\"dealer\":\"d-2\"}";
    let round = "open\nbet w1 1 main 1000\ncard seat 1 TC up\ncard dealer TD up\ncard seat 1 9H up
         say 1 stand\ncard dealer 8C up\npay w1 1000\nclose";
    let red_dog = "open\nbet w1 1 original 1000\ncard community 5C up\ncard community 6D up
         push w1\nclose";
    // What happens before each round, and whether a card is burned in it.
    let told = |game: &str, round: &str, rounds: &[(&str, bool)]| {
        let lines = rounds.iter().map(|&(before, burns)| match burns {
            true => format!("{before}\n{}", round.replacen("open", "open\nburn", 1)),
            false => format!("{before}\n{round}"),
        });
        let lines: Vec<String> = lines.collect();
        let options = json!({"decks": 6});
        let found = codes(&table(game, "mgc-2017", options, &lines.join("\n")));
        found.into_iter().filter(|code| code == "deal.burn").count()
    };
    let (one, two) = (&*shoe(1), &*shoe(2));
    for (game, round) in [
        ("blackjack", round),
        ("spanish_21", &round.replace('T', "K")),
        ("red_dog", red_dog),
    ] {
        let found = |rounds: &[(&str, bool)]| told(game, round, rounds);
        assert_eq!(found(&[(one, true), ("", false), (two, true)]), 0, "{game}");
        assert_eq!(
            found(&[(one, true), ("", false), (two, false)]),
            1,
            "{game}"
        );
        // A feed that never tells of burns is not held to them.
        assert_eq!(found(&[(one, false), (two, false)]), 0, "{game}");
        let changes = [(one, true), (dealer, true), (dealer, false)];
        assert_eq!(found(&changes), 1, "{game}");
        assert_eq!(found(&[(one, true), (dealer, false), (dealer, false)]), 0);
    }
}
