//! The hands of a round of blackjack from their events.

use catwalk_stories::{codes, settle, table};
use serde_json::{Value, json};

const NOTHING: [&str; 0] = [];

fn mgc(options: Value, lines: &str) -> Vec<Value> {
    table("blackjack", "mgc-2017", options, lines)
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
fn blackjack_may_be_doubled_in_a_tournament_that_allows_it() {
    let found = |doubles: bool, told: &str| {
        let options = json!({"tournament": true, "tournament_double_blackjack": doubles});
        let lines = format!(
            "open\nbet w1 1 main 10000\nno-more-bets
             card seat 1 AH up\ncard dealer KS up\ncard seat 1 QH up\ncard dealer ??
             {told}
             card seat 1 6H up\nshow dealer 1 9S\ntake w1\ntake w2\nclose"
        );
        codes(&table("blackjack", "oh-jack-2017", options, &lines))
    };
    for told in [
        "say 1 double\nbet w2 1 double 10000 w1",
        "bet w2 1 double 10000 w1\nsay 1 double",
    ] {
        assert_eq!(found(true, told), NOTHING, "{told}");
        // It is not allowed elsewhere, and that is the fault, not the hour.
        let barred = ["decision.double_not_allowed"];
        assert_eq!(found(false, told), barred, "{told}");
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

#[test]
fn a_hand_that_has_enough_stands_though_the_next_waits_for_its_card() {
    // Twenty-one needs no word, and gets one all the same.
    let told = |pair: &str, cards: [&str; 2]| {
        let [first, second] = cards;
        let lines = format!(
            "open\nbet w1 1 main 2000\ncard seat 1 {pair}C up\ncard dealer 6D up\ncard seat 1 {pair}H up
             say 1 split\nbet w2 1 split 2000 w1\ncard seat 1 {first} up\nsay 1 stand
             card seat 1 {second} up\nsay 1 stand\ncard dealer TC up\ncard dealer 2S up
             pay w1 2000\npay w2 2000\nclose"
        );
        codes(&mgc(json!({}), &lines))
    };
    assert_eq!(told("T", ["AD", "9S"]), NOTHING);
    assert_eq!(told("A", ["KD", "9S"]), NOTHING);
    assert_eq!(told("T", ["9D", "AS"]), NOTHING);
}

#[test]
fn to_split_what_is_no_pair_is_a_fault_of_its_own() {
    let lines = "open\nbet w1 1 main 2000\ncard seat 1 AC up\ncard dealer 6D up\ncard seat 1 KH up
        bet w2 1 split 2000 w1\nsay 1 split\ncard seat 1 9C up\ncard seat 1 9H up
        card dealer TC up\ncard dealer 2S up\npay w1 2000\npay w2 2000\nclose";
    assert_eq!(codes(&mgc(json!({}), lines)), ["decision.split_not_pair"]);
}

#[test]
fn split_aces_get_a_card_each_where_nobody_numbers_hands() {
    let aces = |options: Value, told: &str, end: &str| {
        let lines = format!(
            "open\nbet w1 1 main 2000\ncard seat 1 AC up\ncard dealer 6D up\ncard seat 1 AH up
             {told}\ncard dealer TC up\ncard dealer 9D up\n{end}\nclose"
        );
        codes(&mgc(options, &lines))
    };
    let split = "bet w2 1 split 2000 w1\ncard seat 1 5C up";
    let both = "pay w1 2000\npay w2 2000";
    for more in [
        "card seat 1 9C up",
        "card seat 1 9C up\nsay 1 stand\nsay 1 stand",
        "say 1 stand\ncard seat 1 9C up\nsay 1 stand",
    ] {
        let told = format!("{split}\n{more}");
        assert_eq!(aces(json!({}), &told, both), NOTHING, "{more}");
    }
    let third = format!("{split}\ncard seat 1 9C up\ncard seat 1 2C up");
    assert_eq!(
        aces(json!({}), &third, both),
        ["decision.split_aces_extra_card"]
    );
    let again = format!(
        "say 1 split\n{split}\ncard seat 1 AD up\nsay 1 split\nbet w3 1 split 2000 w1
         card seat 1 7C up\ncard seat 1 8C up"
    );
    assert_eq!(
        aces(
            json!({"max_split_hands": 3}),
            &again,
            &format!("{both}\npay w3 2000")
        ),
        NOTHING
    );
}

#[test]
fn a_card_to_the_next_hand_says_that_the_one_before_stood() {
    let lines = |told: &str| {
        format!(
            "{SPLIT_PAIR}\nbet w2 1 split 2000 w1\n{told}\ncard dealer TC up\ncard dealer 9D up
             pay w1 2000\npay w2 2000\nclose"
        )
    };
    let card = |hand: u32, card: &str| {
        format!(
            "{{\"type\":\"card_dealt\",\"to\":\"seat\",\"seat\":1,\"hand\":{hand},\"card\":\"{card}\",\"face\":\"up\"}}"
        )
    };
    let quiet = lines(&[card(1, "9D"), card(2, "TD")].join("\n"));
    let bodies = mgc(json!({}), &quiet);
    assert_eq!(codes(&bodies), NOTHING);
    let steps = play(&bodies)["boxes"][0]["steps"].clone();
    assert_eq!(steps[2], json!({"hand": 1, "do": "stand"}));
    let back = lines(&[card(1, "2D"), card(2, "TD"), card(1, "9D")].join("\n"));
    assert_eq!(codes(&mgc(json!({}), &back)), ["procedure.split_order"]);
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
    for word in ["peek", "checks_hole_card", "card_reader"] {
        let missed = format!("{QUIET}\nsay 0 {word}\n{blackjack}");
        assert_eq!(codes(&mgc(reader(), &missed)), ["dealer.missed_blackjack"]);
    }
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
    assert_eq!(lines("", 400), ["pay.under"], "no display shows so little");
    let little = display.replace("25000", "300");
    assert_eq!(
        lines(&little, 300),
        ["side.bonus_out_of_range", "pay.under"],
        "$5 are due"
    );
    assert_eq!(lines(&little, 500), ["side.bonus_out_of_range"]);
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
fn even_money_on_a_shared_box_is_of_who_is_paid_at_once() {
    let told = |early: &str, late: &str| {
        let guest = |id: &str, player: &str| {
            format!(
                "{{\"type\":\"wager_placed\",\"wager\":\"{id}\",\"seat\":1,\"player\":\"{player}\",\"kind\":\"main\",\"amount\":1000}}"
            )
        };
        let lines = format!(
            "open\n{}\n{}\ncard seat 1 AC up\ncard dealer AD up\ncard seat 1 KH up\nsay 1 even_money
             {early}\ncard dealer 7D up\n{late}\nclose",
            guest("w1", "ann"),
            guest("w2", "bob")
        );
        codes(&mgc(
            json!({"even_money": true, "players_per_box": 2}),
            &lines,
        ))
    };
    assert_eq!(told("pay w1 1000", "pay w2 1500"), NOTHING);
    assert_eq!(told("pay w2 1000", "pay w1 1500"), NOTHING);
    assert_eq!(told("pay w1 1000\npay w2 1000", ""), NOTHING);
    assert_eq!(told("pay w1 1500", "pay w2 1500"), ["pay.over"]);
}

#[test]
fn guests_are_named_once_and_their_stakes_are_theirs() {
    let lines = "open
        {\"type\":\"wager_placed\",\"wager\":\"w1\",\"seat\":1,\"player\":\"P-77\",\"kind\":\"main\",\"amount\":2000}
        {\"type\":\"wager_placed\",\"wager\":\"w2\",\"seat\":1,\"player\":\"P-78\",\"kind\":\"main\",\"amount\":1000}
        card seat 1 4C up\ncard dealer 6D up\ncard seat 1 7H up\nsay 1 double\nbet w3 1 double 2000 w1
        card seat 1 9D up\ncard dealer TC up\ncard dealer 9D up\npay w1 2000\npay w2 1000\npay w3 2000\nclose";
    let shared = || json!({"players_per_box": 2});
    assert_eq!(codes(&mgc(shared(), lines)), NOTHING);
    // The guest behind the box bets before the one who is seated and calls.
    let behind = lines
        .replace("\"w1\"", "\"x\"")
        .replace("\"w2\"", "\"w1\"")
        .replace("\"x\"", "\"w2\"")
        .replace("double 2000 w1", "double 2000 w2")
        .replace("pay w1 2000\npay w2 1000", "pay w2 2000\npay w1 1000");
    let mut behind: Vec<&str> = behind.lines().collect();
    behind.swap(1, 2);
    let bodies = mgc(shared(), &behind.join("\n"));
    assert_eq!(codes(&bodies), NOTHING);
    assert_eq!(play(&bodies)["boxes"][0]["caller"], "P-77");
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

#[test]
fn cards_that_name_no_seat_go_to_the_only_one_that_plays() {
    let cards = "card player TC up\ncard dealer 6D up\ncard player 6S up\ncard dealer TD up
        card dealer 3C up";
    let alone = format!("open\nbet w1 4 main 1500\n{cards}\ntake w1\nclose");
    let bodies = mgc(json!({}), &alone);
    assert_eq!(codes(&bodies), NOTHING);
    assert_eq!(play(&bodies)["boxes"][0]["seat"], 4);
    let paid = alone.replace("take w1", "pay w1 1500");
    assert_eq!(codes(&mgc(json!({}), &paid)), ["pay.undue"]);
}

#[test]
fn one_to_one_paid_on_a_blackjack_before_the_hole_card_is_known_is_even_money() {
    let round = |early: &str, late: &str| {
        let lines = format!(
            "open\nbet w1 1 main 1500\nbet w2 2 main 500\ncard seat 1 QC up\ncard seat 2 9C up
             card dealer AD up\ncard seat 1 AH up\ncard seat 2 9D up\n{early}\nsay 2 stand
             card dealer TH up\n{late}\ntake w2\nclose"
        );
        lines
    };
    let offered = || json!({"even_money": true});
    let at_once = round("pay w1 1500", "");
    assert_eq!(codes(&mgc(offered(), &at_once)), NOTHING);
    assert_eq!(codes(&mgc(json!({}), &at_once)), ["pay.over"]);
    let known = round("", "pay w1 1500");
    assert_eq!(codes(&mgc(offered(), &known)), ["pay.over"]);
    let insured = round("bet w3 1 insurance 700 w1\npay w1 1500", "pay w3 1400");
    assert_eq!(codes(&mgc(offered(), &insured)), ["pay.over"]);
}

#[test]
fn wagers_that_name_no_spot_lie_in_the_order_made() {
    let lines = "open\nbet w1 1 main 500\nbet w2 1 main 1000\nbet w3 1 main 1500
        card seat 1 KC up\ncard dealer 7C up\ncard seat 1 9H up\nsay 1 stand\ncard dealer TD up
        pay w1 500\ncard dealer 8D up\ncard dealer 5S up\ntake w2\ncard dealer 6D up
        card dealer 9D up\npay w3 1500\nclose";
    let options = json!({"variation": "multiple_action"});
    assert_eq!(codes(&mgc(options.clone(), lines)), NOTHING);
    let one = "open\nbet w1 1 main 500\ncard seat 1 KC up\ncard dealer 7C up\ncard seat 1 9H up
        say 1 stand\ncard dealer TD up\npay w1 500\nclose";
    assert_eq!(codes(&mgc(options, one)), ["wager.spots"]);
}

#[test]
fn cards_that_may_go_away_unseen_are_nobodys_fault() {
    let reader = json!({"hole_card": "reader"});
    let checked = "open\nbet w1 1 main 1000\ncard seat 1 TC up\ncard dealer KC up
        card seat 1 AD up\ncard dealer ??\nsay 0 hole_checked\npay w1 1500\nclose";
    assert_eq!(codes(&mgc(reader.clone(), checked)), NOTHING);
    let stood = checked.replace("card seat 1 AD", "card seat 1 9D");
    assert_eq!(codes(&mgc(reader, &stood)), ["pay.over"]);
    let unchecked = checked.replace("say 0 hole_checked\n", "");
    let down = || json!({"hole_card": "down"});
    assert_eq!(codes(&mgc(down(), &unchecked)), NOTHING);
    let taken = unchecked.replace("pay w1 1500", "take w1");
    assert_eq!(codes(&mgc(down(), &taken)), ["pay.under"]);
    let pitched = "open\nbet w1 1 main 1500\ncard seat 1 ??\ncard dealer TD up\ncard seat 1 ??
        say 1 hit\ncard seat 1 KD up\ntake w1\ncard dealer 6C up\nclose";
    let six_to_five = || json!({"variation": "six_to_five", "decks": 2});
    assert_eq!(codes(&mgc(six_to_five(), pitched)), NOTHING);
    assert_eq!(codes(&mgc(json!({}), pitched)), NOTHING);
    let paid = pitched.replace("take w1", "pay w1 3000");
    assert_eq!(codes(&mgc(json!({}), &paid)), ["pay.over"]);
}

#[test]
fn a_wager_that_comes_too_late_for_any_cards_is_given_back() {
    let round = |end: &str| {
        let lines = format!(
            "open\nbet w1 1 main 1000\ncard seat 1 KC up\nbet w2 2 main 500\ncard dealer 7C up
             card seat 1 9H up\nsay 1 stand\ncard dealer TD up\npay w1 1000\n{end}\nclose"
        );
        codes(&mgc(json!({}), &lines))
    };
    assert_eq!(round("push w2"), ["wager.late"]);
    assert_eq!(round("take w2"), ["wager.late", "pay.under"]);
    assert_eq!(round("pay w2 500"), ["wager.late", "pay.over"]);
}
