//! Corners of blackjack and its kin: what is due, what goes back, and who is asked.

use catwalk_stories::{codes, settle, table};
use serde_json::{Value, json};

const NOTHING: [&str; 0] = [];

fn mgc(options: Value, lines: &str) -> Vec<Value> {
    table("blackjack", "mgc-2017", options, lines)
}

fn ohio(game: &str, options: Value, lines: &str) -> Vec<Value> {
    table(game, "oh-jack-2017", options, lines)
}

fn spanish(lines: &str) -> Vec<Value> {
    table("spanish_21", "mgc-2017", json!({}), lines)
}

/// The document of the only round.
fn document(bodies: &[Value]) -> Value {
    let (findings, rounds) = settle(bodies);
    let document = rounds[0].document.clone();
    document.unwrap_or_else(|| panic!("{findings:?}"))
}

fn irregularity(kind: &str, detail: Value, ruling: &str) -> String {
    json!({"type": "irregularity", "kind": kind, "detail": detail, "ruling": ruling}).to_string()
}

#[test]
fn who_refuses_a_card_has_no_more_of_them() {
    let seen = irregularity("card_drawn_in_error", json!({"seat": 4}), "offered");
    let lines = |then: &str, paid: &str| {
        format!(
            "open\nbet w1 4 main 1000\ncard seat 4 KC up\ncard dealer 9C up\ncard seat 4 4H up\ncard dealer ??
             {seen}\nsay 4 refuse\n{{\"type\":\"card_burned\",\"card\":\"9D\"}}\n{then}
             show dealer 1 9S\n{paid}\nclose"
        )
    };
    for game in ["blackjack", "free_bet_blackjack"] {
        let of = |then: &str, paid: &str| codes(&ohio(game, json!({}), &lines(then, paid)));
        assert_eq!(of("", "take w1"), NOTHING);
        assert_eq!(
            of("card seat 4 3C up", "take w1"),
            ["decision.after_refusal"]
        );
    }
    let of = |then: &str, paid: &str| codes(&spanish(&lines(then, paid)));
    assert_eq!(of("", "take w1"), NOTHING);
    assert_eq!(
        of("card seat 4 6C up", "pay w1 1000"),
        ["decision.after_refusal"]
    );
}

#[test]
fn every_winner_of_a_shared_box_has_a_display() {
    let read = |of: &str, amount: i64| {
        json!({"type": "meter_read", "meter": format!("bonus/{of}"), "amount": amount}).to_string()
    };
    let guest = |wager: &str, kind: &str, amount: i64| {
        json!({"type": "wager_placed", "wager": wager, "seat": 1, "kind": kind, "amount": amount,
            "player": "b"})
        .to_string()
    };
    let lines = |displays: &str, paid: &str| {
        let bets = [
            guest("w3", "main", 1000),
            guest("w4", "blackjack_bonus", 100),
        ]
        .join("\n");
        let lines = format!(
            "open\nbet w1 1 main 1000\nbet w2 1 blackjack_bonus 100\n{bets}\ncard seat 1 AC up
             card dealer 5D up\ncard seat 1 KC up\n{displays}\npay w1 1500\npay w3 1500\n{paid}\nclose"
        );
        mgc(
            json!({"side_bets": ["blackjack_bonus"], "players_per_box": 2}),
            &lines,
        )
    };
    let both = [read("w2", 25_000), read("w4", 900)].join("\n");
    let right = lines(&both, "pay w2 25000\npay w4 900");
    assert_eq!(codes(&right), NOTHING);
    let wagers = document(&right)["wagers"].clone();
    assert_eq!(
        (&wagers[1]["bonus_display"], &wagers[3]["bonus_display"]),
        (&json!(25_000), &json!(900))
    );
    assert_eq!(
        codes(&lines(&both, "pay w2 25000\npay w4 25000")),
        ["pay.over"]
    );
    // The first is told of the wager; that of the second nobody told.
    let one = lines(&read("w2", 25_000), "pay w2 25000\npay w4 7700");
    assert_eq!(codes(&one), NOTHING);
}

#[test]
fn a_display_that_nobody_told_is_written_as_unread() {
    let lines = |told: &str| {
        let lines = format!(
            "open\nbet w1 1 main 1000\nbet w2 1 blackjack_bonus 100\ncard seat 1 AC up\ncard dealer 5D up
             card seat 1 KC up\n{told}\npay w1 1500\npay w2 30000\nclose"
        );
        mgc(json!({"side_bets": ["blackjack_bonus"]}), &lines)
    };
    let untold = lines("");
    assert_eq!(document(&untold)["play"]["boxes"][0]["bonus_display"], "??");
    assert_eq!(codes(&untold), NOTHING);
    let failed = irregularity(
        "bonus_system_down",
        json!({"seat": 1, "bonus_display": null}),
        "21 to 1",
    );
    assert_eq!(codes(&lines(&failed)), ["pay.over"]);
}

#[test]
fn no_card_to_a_box_is_said_where_nobody_says_why() {
    let silent =
        "open\nbet w1 1 main 1000\nbet w2 2 main 1000\ncard seat 1 KC up\ncard dealer 7C up
        card seat 1 9H up\nsay 1 stand\ncard dealer TD up\npay w1 1000\npush w2\nclose";
    let bodies = mgc(json!({}), silent);
    let (findings, _) = settle(&bodies);
    assert_eq!(findings.len(), 1);
    let finding = &findings[0];
    assert_eq!(
        (&*finding.code, finding.wager.as_deref()),
        ("table.wager_without_hand", Some("w2"))
    );
    assert_eq!(finding.cites, ["15(h)"]);
    let dead = &document(&bodies)["play"]["boxes"][1];
    assert_eq!(*dead, json!({"seat": 2, "dead": "no_cards"}));
    let taken = mgc(json!({}), &silent.replace("push w2", "take w2"));
    assert_eq!(codes(&taken), ["pay.under", "table.wager_without_hand"]);
}

#[test]
fn a_dead_box_is_dead_for_the_cards_that_it_has() {
    let told = irregularity("no_cards", json!({"seat": 2}), "dead");
    let lines = format!(
        "open\nbet w1 1 main 1000\nbet w2 2 main 1000\ncard seat 1 KC up\ncard seat 2 5C up\ncard dealer 7C up
         card seat 1 9H up\n{told}\nsay 1 stand\ncard dealer TD up\npay w1 1000\npush w2\nclose"
    );
    let bodies = mgc(json!({}), &lines);
    assert_eq!(codes(&bodies), NOTHING);
    assert_eq!(document(&bodies)["play"]["boxes"][1]["dead"], "one_card");
}

#[test]
fn a_second_ten_or_a_second_card_face_up_voids_a_round_of_spanish_21() {
    let lines = |found: &str, paid: &str| {
        let lines = format!(
            "open\nbet w1 1 main 800\ncard seat 1 KC up\ncard dealer 9C up\ncard seat 1 QH up\n{found}
             say 1 stand\ncard dealer 8D up\n{paid}\nclose"
        );
        codes(&spanish(&lines))
    };
    let burned = |card: &str| json!({"type": "card_burned", "card": card}).to_string();
    let ten = burned("TH");
    assert_eq!(lines(&ten, "pay w1 800"), ["deck.foreign_card"]);
    let tens = [ten, burned("TC")].join("\n");
    let both = ["deck.foreign_card", "deck.foreign_card"];
    assert_eq!(lines(&tens, "push w1"), both);
    let paid = lines(&tens, "pay w1 800");
    assert_eq!(paid[..2], both);
    assert_eq!(paid[2..], ["pay.over"], "what is not due");
    let face_up = |card: &str| irregularity("face_up_card", json!({"card": card}), "put aside");
    assert_eq!(lines(&face_up("2H"), "pay w1 800"), NOTHING);
    let two = [face_up("2H"), burned("2H"), face_up("2H")].join("\n");
    assert_eq!(lines(&two, "push w1"), NOTHING);
    assert_eq!(lines(&two, "pay w1 800"), ["pay.over"]);
}

#[test]
fn blazing_sevens_of_another_amount_goes_back() {
    let lines = |amount: i64, end: &str| {
        let lines = format!(
            "open\nbet w1 1 main 1000\nbet w2 1 blazing_sevens {amount}\ncard seat 1 7D up\ncard dealer 8D up
             card seat 1 2S up\ncard dealer ??\nsay 1 stand\nshow dealer 1 TC\ntake w1\n{end}\nclose"
        );
        codes(&ohio(
            "blackjack",
            json!({"side_bets": ["blazing_sevens"]}),
            &lines,
        ))
    };
    assert_eq!(lines(2000, "push w2"), ["wager.fixed_amount"]);
    assert_eq!(lines(2000, "take w2"), ["wager.fixed_amount", "pay.under"]);
    assert_eq!(lines(500, "jackpot w2 1000"), NOTHING);
}

#[test]
fn a_surrender_in_ohio_changes_nothing_but_the_findings() {
    let lines = |end: &str| {
        format!(
            "open\nbet w1 1 main 2000\ncard seat 1 KC up\ncard dealer 8D up\ncard seat 1 4S up\ncard dealer ??
             say 1 surrender\nshow dealer 1 TC\n{end}\nclose"
        )
    };
    for game in ["blackjack", "free_bet_blackjack"] {
        let of = |end: &str| codes(&ohio(game, json!({}), &lines(end)));
        assert_eq!(of("take w1"), ["decision.surrender_not_offered"]);
        let half = of("{\"type\":\"wager_pushed\",\"wager\":\"w1\",\"amount\":1000}");
        assert!(half.contains(&"decision.surrender_not_offered".to_owned()));
        assert_eq!(half.len(), 2, "half goes back to nobody: {half:?}");
    }
}

#[test]
fn the_player_without_a_name_sits_at_the_box_and_calls() {
    let guest = json!({"type": "wager_placed", "wager": "w1", "seat": 1, "kind": "main", "amount": 1000,
        "player": "b"});
    let lines = |doubled: &str, paid: &str| {
        let lines = format!(
            "open\n{guest}\nbet w2 1 main 1000\ncard seat 1 5C up\ncard dealer 9C up\ncard seat 1 6D up
             say 1 double\n{doubled}\ncard seat 1 9H up\ncard dealer 9D up\npay w1 1000\npay w2 1000
             {paid}\nclose"
        );
        codes(&mgc(json!({"players_per_box": 2}), &lines))
    };
    assert_eq!(lines("bet w3 1 double 1000 w2", "pay w3 1000"), NOTHING);
    assert_eq!(
        lines("bet w3 1 double 1000 w1", "pay w3 1000"),
        ["decision.double_without_wager"]
    );
}

#[test]
fn a_spot_and_a_determinant_card_are_written_only_where_something_reads_them() {
    let detail = json!({"type": "wager_placed", "wager": "w1", "seat": 1, "kind": "main", "amount": 1000,
        "detail": {"spot": 1}});
    let determinant = irregularity(
        "determinant",
        json!({"card": "KC", "from": "left"}),
        "noted",
    );
    let lines = format!(
        "open\n{detail}\n{determinant}\ncard seat 1 KC up\ncard dealer 9C up\ncard seat 1 9D up\nsay 1 stand
         card dealer 9S up\npay w1 1000\nclose"
    );
    assert_eq!(codes(&mgc(json!({}), &lines)), NOTHING);
}

#[test]
fn a_continuous_shuffler_is_no_way_to_deal_free_bet_blackjack() {
    let started = json!({"type": "shoe_started", "decks": 6, "method": "continuous", "set": "a", "shoe": "s"});
    let of = |game: &str| settle(&ohio(game, json!({}), &started.to_string())).0;
    let found = of("free_bet_blackjack");
    let found: Vec<_> = found
        .iter()
        .filter(|one| one.code == "shoe.method")
        .collect();
    assert_eq!(found.len(), 1);
    assert!(found[0].cites[0].contains("7.A"), "{:?}", found[0].cites);
    let at_blackjack = of("blackjack");
    assert!(at_blackjack.iter().all(|one| one.code != "shoe.method"));
    let posted = codes(&ohio(
        "free_bet_blackjack",
        json!({"shuffler": "continuous"}),
        "open",
    ));
    assert!(
        posted.contains(&"rules.unauthorized".to_owned()),
        "{posted:?}"
    );
}
