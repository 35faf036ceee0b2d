//! Cards that nobody saw at the hold'em tables: what is decided without them, what hangs on them, and its bounds.

#![allow(clippy::unwrap_used)]

use catwalk_rules::floor::Cents;
use catwalk_rules::{Rulebook, Settlement, Verdict};
use serde_json::{Value, json};

fn settle(game: &str, wagers: &[(&str, u32, &str, i64)], play: Value) -> Settlement {
    let edition = match game {
        "ultimate_texas_holdem" | "texas_holdem_bonus" => "oh-jack-2017",
        _ => "mgc-2017",
    };
    let on = |seat: u32, kind: &str| {
        let stands = ["play", "flop", "turn", "river", "bet", "split"];
        let mut mains = wagers.iter();
        let main = mains.find(|other| other.1 == seat && ["ante", "main"].contains(&other.2));
        main.filter(|_| stands.contains(&kind)).map(|main| main.0)
    };
    let wagers = wagers.iter().map(|&(id, seat, kind, amount)| {
        let mut wager = json!({"id": id, "seat": seat, "kind": kind, "amount": amount});
        if let Some(on) = on(seat, kind) {
            wager["on"] = json!(on);
        }
        if kind == "play" {
            wager["stage"] = json!("river");
        }
        wager
    });
    let wagers: Vec<Value> = wagers.collect();
    let mut document = json!({"game": game, "edition": edition, "wagers": wagers, "play": play});
    if document["play"]["meters"].is_object() {
        document["options"] = json!({"progressive": true});
    }
    Rulebook::load().unwrap().settle_value(&document).unwrap()
}

fn cards(text: &str) -> Vec<&str> {
    text.split_whitespace().collect()
}

fn verdict(settlement: &Settlement, id: &str) -> Verdict {
    let mut wagers = settlement.wagers().iter();
    wagers.find(|wager| wager.id.as_str() == id).unwrap().result
}

/// What an open wager hangs on, the least and the most that goes back.
fn open(settlement: &Settlement, id: &str) -> (Vec<String>, i64, Option<i64>) {
    let mut wagers = settlement.wagers().iter();
    let wager = wagers.find(|wager| wager.id.as_str() == id).unwrap();
    assert_eq!(wager.result, Verdict::Open, "{id}");
    let range = wager.range.unwrap();
    let most = range.most.map(Cents::get);
    (wager.hangs_on.clone(), range.least.get(), most)
}

const ULTIMATE: [(&str, u32, &str, i64); 6] = [
    ("a1", 1, "ante", 1000),
    ("b1", 1, "blind", 1000),
    ("p1", 1, "play", 1000),
    ("t1", 1, "trips", 500),
    ("a2", 2, "ante", 1000),
    ("b2", 2, "blind", 1000),
];

#[test]
fn a_folded_hand_decides_nothing_and_a_card_of_the_dealer_what_is_against_him() {
    let settlement = settle(
        "ultimate_texas_holdem",
        &ULTIMATE,
        json!({"dealer": cards("6D ??"), "board": cards("QH 9C 5D 3S 2H"), "hands": [
            {"seat": 1, "cards": cards("QC 7D"), "decision": "play"},
            {"seat": 2, "cards": cards("?? ??"), "decision": "fold"}]}),
    );
    assert_eq!(settlement.unseen().len(), 3);
    for lost in ["t1", "a2", "b2"] {
        assert_eq!(verdict(&settlement, lost), Verdict::Lose);
    }
    let dealer = vec!["play.dealer[1]".to_owned()];
    // A four makes a straight; without a pair the ante comes back; a pair of queens pays no blind.
    assert_eq!(open(&settlement, "a1"), (dealer.clone(), 0, Some(2000)));
    assert_eq!(open(&settlement, "b1"), (dealer.clone(), 0, Some(1000)));
    assert_eq!(open(&settlement, "p1"), (dealer, 0, Some(2000)));
    assert_eq!(settlement.violations().iter().count(), 0);
}

#[test]
fn a_progressive_hangs_on_the_hands_in_play_the_flop_and_the_meter() {
    let wagers = [
        ("a1", 1, "ante", 1000),
        ("b1", 1, "blind", 1000),
        ("p1", 1, "play", 1000),
        ("g1", 1, "progressive", 100),
        ("a2", 2, "ante", 1000),
        ("b2", 2, "blind", 1000),
        ("g2", 2, "progressive", 100),
    ];
    let round = |own: &str, board: &str, meter: Value| {
        settle(
            "ultimate_texas_holdem",
            &wagers,
            json!({"dealer": cards("2C 7S"), "board": cards(board),
                "meters": {"progressive": meter}, "hands": [
                {"seat": 1, "cards": cards(own), "decision": "play"},
                {"seat": 2, "cards": cards("?? ??"), "decision": "fold"}]}),
        )
    };
    // No share of the meter, and no other hand in play.
    let pair = round("9S 9D", "TS 4C 2H 3D KC", Value::Null);
    assert_eq!(verdict(&pair, "g1"), Verdict::Lose);
    assert_eq!(verdict(&pair, "g2"), Verdict::Lose);
    // The turn decides nothing of it.
    let turn = round("9S 9D", "9C 4C 2H ?? KC", Value::Null);
    assert_eq!(verdict(&turn, "g1"), Verdict::Win);
    // A straight flush has its share and pays envy, seen or not.
    let straight_flush = round("9S 8S", "7S 6S 5S 2H KD", Value::Null);
    let (hangs_on, _, most) = open(&straight_flush, "g1");
    assert_eq!(hangs_on, ["play.meters.progressive"]);
    assert_eq!(most, None);
    assert_eq!(verdict(&straight_flush, "g2"), Verdict::Win);
    // With the ten it is one too, with the four another.
    let (hangs_on, least, most) = open(&round("9S ??", "7S 6S 5S 2H KD", json!(1_000_000)), "g1");
    assert_eq!(hangs_on, ["play.hands[0].cards[1]"]);
    assert_eq!((least, most), (0, Some(100_000)));
}

#[test]
fn nothing_hangs_on_a_card_where_the_round_is_void() {
    let settlement = settle(
        "ultimate_texas_holdem",
        &ULTIMATE,
        json!({"dealer": cards("6D ??"), "board": cards("QH 9C 5D ?? ??"),
            "irregularities": [{"code": "hole_card_exposed"}], "hands": [
            {"seat": 1, "cards": cards("QC QD"), "decision": "pending"},
            {"seat": 2, "cards": cards("?? ??"), "decision": "pending"}]}),
    );
    for void in ["a1", "b1", "p1", "a2", "b2"] {
        assert_eq!(verdict(&settlement, void), Verdict::Void);
    }
    // Three queens at least, four or a full house at best.
    let places = ["play.board[3]", "play.board[4]"].map(str::to_owned);
    assert_eq!(
        open(&settlement, "t1"),
        (places.to_vec(), 2000, Some(15_500))
    );
}

#[test]
fn a_bonus_hangs_on_the_own_cards_alone_unless_both_may_have_aces() {
    let wagers = [
        ("a1", 1, "ante", 500),
        ("x1", 1, "bonus", 100),
        ("a2", 2, "ante", 500),
        ("f2", 2, "flop", 1000),
    ];
    let settlement = settle(
        "texas_holdem_bonus",
        &wagers,
        json!({"dealer": cards("?? 6S"), "board": cards("QH QS QD 3S 2H"), "hands": [
            {"seat": 1, "cards": cards("AC ??"), "decision": "fold"},
            {"seat": 2, "cards": cards("QC 7D"), "decision": "play"}]}),
    );
    assert_eq!(verdict(&settlement, "a1"), Verdict::Lose);
    // Nothing beats four queens.
    assert_eq!(verdict(&settlement, "f2"), Verdict::Win);
    assert_eq!(verdict(&settlement, "a2"), Verdict::Win);
    let own = vec!["play.hands[0].cards[1]".to_owned()];
    assert_eq!(open(&settlement, "x1"), (own, 0, Some(3100)));
}

#[test]
fn a_discard_hangs_on_nothing_and_a_kept_card_bounds_the_hand() {
    let wagers = [
        ("a1", 1, "ante", 1000),
        ("b1", 1, "bet", 1000),
        ("a2", 2, "ante", 1000),
    ];
    let round = |own: &str, discard: &str| {
        settle(
            "colorado_holdem",
            &wagers,
            json!({"board": cards("KS 9D 2H"), "hands": [
                {"seat": 1, "cards": cards(own), "action": "play", "discard": discard},
                {"seat": 2, "cards": cards("?? ?? ??"), "action": "fold"}]}),
        )
    };
    let put_down = round("QS QD ??", "??");
    assert_eq!(verdict(&put_down, "a1"), Verdict::Win);
    assert_eq!(verdict(&put_down, "a2"), Verdict::Lose);
    assert_eq!(put_down.unseen().len(), 5);
    let kept = round("QS ?? 5C", "5C");
    let own = vec!["play.hands[0].cards[1]".to_owned()];
    assert_eq!(open(&kept, "b1"), (own, 0, Some(2000)));
    // Nobody saw which of the three was put down: the queens win, one queen loses.
    let untold = round("QS QD 5C", "??");
    let discard = vec!["play.hands[0].discard".to_owned()];
    assert_eq!(open(&untold, "a1"), (discard, 0, Some(2000)));
}

const FAST: [(&str, u32, &str, i64); 3] = [
    ("m1", 1, "main", 1000),
    ("m2", 2, "main", 1000),
    ("m3", 3, "main", 1000),
];

#[test]
fn a_natural_and_a_surrender_never_meet_the_dealer() {
    let round = |dealer: &str, board: &str, sets: Value| {
        settle(
            "fast_action_holdem",
            &FAST,
            json!({"dealer": {"cards": cards(dealer)}, "board": cards(board), "hands": [
                {"seat": 1, "cards": cards("9S 9D 9H 9C"), "action": "natural"},
                {"seat": 2, "cards": cards("?? ?? ?? ??"), "action": "surrender"},
                {"seat": 3, "cards": cards("?? ?? ?? ??"), "action": "set", "sets": sets}]}),
        )
    };
    let unseen = round("?? ?? ?? ??", "KC 9D 6S 4H 2C", json!([["??", "??"]]));
    assert_eq!(verdict(&unseen, "m1"), Verdict::Win);
    assert_eq!(verdict(&unseen, "m2"), Verdict::Lose);
    assert_eq!(open(&unseen, "m3").0.len(), 8);
    // A natural of the dealer takes every hand that was set, whatever was kept.
    let natural = round("7S 7D 7H 7C", "", json!([["??", "??"]]));
    assert_eq!(verdict(&natural, "m3"), Verdict::Lose);
    assert_eq!(natural.violations().iter().count(), 0);
}

#[test]
fn a_card_of_the_board_decides_the_hands_that_it_can_beat() {
    let settlement = settle(
        "fast_action_holdem",
        &FAST[..2],
        json!({"dealer": {"cards": cards("JS JD 8H 3C"), "set": cards("JS JD")},
            "board": cards("KC 9D 6S 4H ??"), "hands": [
            {"seat": 1, "cards": cards("JC JH 7H 5C"), "action": "set", "sets": [cards("JC JH")]},
            {"seat": 2, "cards": cards("KS 7D 3S 2H"), "action": "set", "sets": [cards("KS 7D")]}]}),
    );
    // A copy loses with every board.
    assert_eq!(verdict(&settlement, "m1"), Verdict::Lose);
    let board = vec!["play.board[4]".to_owned()];
    assert_eq!(open(&settlement, "m2"), (board, 0, Some(2000)));
}
