//! Cards that nobody saw at blackjack, its kin and red dog, and meters that nobody read.

use catwalk_events::audit::Settlement;
use catwalk_rules::Verdict;
use catwalk_rules::floor::Cents;
use catwalk_stories::{codes, invented, settle, table};
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

/// A hand against a king, whose hole card is never turned.
fn against_unseen_hole(cards: &str, paid: &str) -> Vec<Value> {
    let lines = format!(
        "open\nbet w1 1 main 1000\ncard seat 1 TC up\ncard dealer KC up\n{cards}\ncard dealer ??
         say 0 hole_checked\n{paid}\nclose"
    );
    mgc(json!({"hole_card": "reader"}), &lines)
}

#[test]
fn a_hole_card_that_nobody_saw_is_written_as_such() {
    let bust =
        "card seat 1 9D up\ncard dealer ??\nsay 0 hole_checked\nsay 1 hit\ncard seat 1 5D up";
    let lines = format!(
        "open\nbet w1 1 main 1000\ncard seat 1 TC up\ncard dealer KC up\n{bust}\ntake w1\nclose"
    );
    let bodies = mgc(json!({"hole_card": "reader"}), &lines);
    assert_eq!(play(&bodies)["dealer"]["cards"], json!(["KC", "??"]));
    assert_eq!(invented(&bodies), NOTHING);
    assert_eq!(codes(&bodies), NOTHING);
    // Who has too many has lost, whatever lay there.
    let paid = mgc(
        json!({"hole_card": "reader"}),
        &lines.replace("take w1", "pay w1 1000"),
    );
    assert_eq!(codes(&paid), ["pay.undue"]);
}

#[test]
fn what_hangs_on_the_hole_card_is_held_against_the_least_and_the_most() {
    for paid in ["pay w1 1000", "take w1", "push w1"] {
        let stood = against_unseen_hole("card seat 1 9D up", paid);
        assert_eq!(codes(&stood), NOTHING, "{paid}");
    }
    let over = against_unseen_hole("card seat 1 9D up", "pay w1 1500");
    assert_eq!(codes(&over), ["pay.over"]);
    let (findings, rounds) = settle(&over);
    assert_eq!(findings[0].exposure.get(), 500);
    let settlement = rounds[0].settlement.as_ref().unwrap();
    assert_eq!(settlement.wagers()[0].hangs_on, ["play.dealer.cards[1]"]);
    // A blackjack pushes at the least.
    let blackjack = |paid: &str| codes(&against_unseen_hole("card seat 1 AD up", paid));
    assert_eq!(blackjack("pay w1 1500"), NOTHING);
    assert_eq!(blackjack("push w1"), NOTHING);
    assert_eq!(blackjack("take w1"), ["pay.under"]);
}

#[test]
fn side_wagers_that_do_not_look_at_an_unseen_card_are_judged() {
    let told = |paid: &str| {
        let options = json!({"side_bets": ["over_under_13"], "hole_card": "down"});
        let lines = format!(
            "open\nbet w1 1 main 1000\nbet o 1 over_13 500\ncard seat 1 TC up\ncard dealer 6C up
             card seat 1 9D up\ncard dealer ??\n{paid}\npay w1 1000\nclose"
        );
        codes(&mgc(options, &lines))
    };
    assert_eq!(told("pay o 500"), NOTHING);
    assert_eq!(told("take o"), ["pay.unpaid"]);
}

#[test]
fn a_hand_that_its_player_held_and_lost_is_written_as_it_was_seen() {
    let told = |paid: &str| {
        let lines = format!(
            "open\nbet w1 1 main 1500\ncard seat 1 ??\ncard dealer TD up\ncard seat 1 ??
             say 1 hit\ncard seat 1 KD up\n{paid}\ncard dealer 6C up\nclose"
        );
        mgc(json!({"variation": "six_to_five", "decks": 2}), &lines)
    };
    let bodies = told("take w1");
    let own = &play(&bodies)["boxes"][0];
    assert_eq!(own["cards"], json!(["??", "??"]));
    assert_eq!(own["steps"][0]["card"], "KD");
    assert_eq!(invented(&bodies), NOTHING);
    assert_eq!(codes(&bodies), NOTHING);
    assert_eq!(codes(&told("pay w1 3000")), ["pay.over"]);
}

#[test]
fn the_kin_of_blackjack_write_unseen_cards_too() {
    for (game, edition) in [
        ("free_bet_blackjack", "oh-jack-2017"),
        ("spanish_21", "mgc-2017"),
    ] {
        let told = |paid: &str| {
            let lines = format!(
                "open\nbet w1 1 main 1000\ncard seat 1 JC up\ncard dealer 9C up
                 card seat 1 9D up\ncard dealer ??\n{paid}\nclose"
            );
            table(game, edition, json!({"hole_card": "down"}), &lines)
        };
        assert_eq!(codes(&told("pay w1 1000")), NOTHING, "{game}");
        assert_eq!(codes(&told("pay w1 2000")), ["pay.over"], "{game}");
        assert_eq!(
            play(&told("take w1"))["dealer"]["cards"],
            json!(["9C", "??"]),
            "{game}"
        );
        assert_eq!(invented(&told("take w1")), NOTHING, "{game}");
    }
}

#[test]
fn a_share_of_a_meter_that_nobody_read_is_open_and_a_fixed_award_is_not() {
    let options = json!({"side_bets": ["progressive"], "decks": 4});
    let told = |cards: [&str; 2], paid: &str| {
        let [third, fourth] = cards;
        let lines = format!(
            "open\nbet w1 1 main 1000\nbet p 1 progressive 100\ncard seat 1 AD up\ncard dealer 9C up
             card seat 1 AD up\nsay 1 hit\ncard seat 1 {third} up\nsay 1 hit\ncard seat 1 {fourth} up
             say 1 hit\ncard seat 1 KC up\nsay 1 hit\ncard seat 1 KD up\ntake w1\n{paid}\nclose"
        );
        mgc(options.clone(), &lines)
    };
    let share = told(["AH", "AD"], "jackpot p 2345678");
    assert_eq!(play(&share)["meters"], json!({"progressive": null}));
    assert_eq!(codes(&share), NOTHING);
    let (_, rounds) = settle(&share);
    let settlement = rounds[0].settlement.as_ref().unwrap();
    assert_eq!(settlement.wagers()[1].hangs_on, ["play.meters.progressive"]);
    let fixed = told(["2H", "3D"], "jackpot p 2345678");
    assert_eq!(codes(&fixed)[0], "pay.over");
}

#[test]
fn a_streak_whose_hand_nobody_saw_is_not_counted_on() {
    let options = json!({"side_bets": ["streak"], "hole_card": "down"});
    let hand = |hole: &str, paid: &str| {
        format!(
            "open\nbet w1 1 main 1000\ncard seat 1 TC up\ncard dealer TD up\ncard seat 1 9D up
             {hole}\n{paid}\nclose\n"
        )
    };
    let start = hand("card dealer ??\nshow dealer 1 8C", "pay w1 1000").replace(
        "bet w1 1 main 1000",
        "bet w1 1 main 1000\nbet s 1 streak_2 500",
    );
    let second = hand(
        "card dealer ??\nshow dealer 1 8C",
        "pay w1 1000\npay s 1000",
    );
    let seen = format!("{start}{second}");
    assert_eq!(codes(&mgc(options.clone(), &seen)), ["pay.under"]);
    let unseen = start.replace("\nshow dealer 1 8C", "");
    let lines = format!("{unseen}{second}");
    let found = codes(&mgc(options, &lines));
    assert!(!found.contains(&"pay.under".to_owned()), "{found:?}");
}

#[test]
fn red_dog_judges_what_a_card_that_nobody_saw_leaves_certain() {
    let told = |cards: [&str; 3], paid: &str| {
        let lay = |card: &str| match card {
            "??" => "{\"type\":\"card_dealt\",\"to\":\"community\",\"face\":\"down\"}".to_owned(),
            card => format!("card community {card} up"),
        };
        let [first, second, third] = cards.map(lay);
        let lines = format!(
            "open\nbet w1 1 original 1000\nno-more-bets\n{first}\n{second}\n{third}\n{paid}\nclose"
        );
        table("red_dog", "mgc-2017", json!({}), &lines)
    };
    // A spread of three pays two to one at the most.
    let open = told(["4C", "8D", "??"], "pay w1 2000");
    assert_eq!(play(&open)["cards"], json!(["4C", "8D", "??"]));
    assert_eq!(invented(&open), NOTHING);
    assert_eq!(codes(&open), NOTHING);
    assert_eq!(codes(&told(["4C", "8D", "??"], "take w1")), NOTHING);
    assert_eq!(
        codes(&told(["4C", "8D", "??"], "pay w1 4000")),
        ["pay.over"]
    );
    // A pair never loses.
    assert_eq!(codes(&told(["4C", "4D", "??"], "take w1")), ["pay.under"]);
}

#[test]
fn a_wager_that_hangs_on_an_unseen_card_is_archived_without_an_amount() {
    let stood = against_unseen_hole("card seat 1 9D up", "pay w1 1000");
    let (_, rounds) = settle(&stood);
    let record = Settlement::from(&rounds[0]);
    assert_eq!(record.assumed, ["play.dealer.cards[1]"]);
    let wager = &record.wagers[0];
    assert_eq!(wager.result, Some(Verdict::Open));
    assert_eq!((wager.returned, wager.difference), (None, None));
    assert_eq!((wager.put_up().get(), wager.due_back()), (1000, None));
    // What is beyond all that could be due differs by so much.
    let over = against_unseen_hole("card seat 1 9D up", "pay w1 1500");
    let (_, rounds) = settle(&over);
    let difference = rounds[0].wagers[0].difference;
    assert_eq!(difference.map(Cents::get), Some(500));
    // A round of which everything was seen rests on nothing else.
    let seen = against_unseen_hole("card seat 1 9D up", "pay w1 1000");
    let seen: Vec<Value> = seen
        .into_iter()
        .map(|mut body| {
            if body["to"] == "dealer" && body["card"].is_null() {
                body["card"] = json!("8H");
            }
            body
        })
        .collect();
    let (_, rounds) = settle(&seen);
    assert!(Settlement::from(&rounds[0]).assumed.is_empty());
}
