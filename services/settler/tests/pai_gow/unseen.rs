//! Cards and tiles of the pai gow games that nobody saw: the document says so, what does not hang on them is
//! judged, and what does is held against its bounds.

use catwalk_stories::pai_gow::{DEALER_SET, NOTHING, says, set, seven, tiles};
use catwalk_stories::{Story, bet, card, closed, collected, paid, paid_less, pushed};
use serde_json::{Value, json};

const DEALER: &str = "8S 8H QD 6C 3S | KD TC";
const WINNER: &str = "9S 9H 7D 5C 2S | AD JC";

fn mgc(bodies: Vec<Value>) -> Story {
    let mut story = Story::at("pai_gow_poker", "mgc-2017", json!({}));
    story.round(bodies);
    assert_eq!(story.invented(), NOTHING);
    story
}

fn play(story: &Story) -> Value {
    story.settled[0].document.as_ref().unwrap()["play"].clone()
}

fn unseen(number: usize) -> Value {
    json!(vec!["??"; number])
}

/// Area 1 wins; of area 2 nothing is known but that it was dealt cards.
fn one_hidden(dealt: bool, payments: &[Value]) -> Story {
    let mut bodies = vec![
        bet("w", 1, "pai_gow_poker", 1000),
        bet("v", 2, "pai_gow_poker", 1000),
        closed(),
    ];
    if dealt {
        bodies.extend(seven("seat", Some(2), None));
    }
    bodies.extend([set("seat", Some(1), WINNER), set("dealer", None, DEALER)]);
    bodies.extend_from_slice(payments);
    mgc(bodies)
}

#[test]
fn a_hand_that_nobody_saw_hides_none_of_the_others() {
    let lost = collected("v");
    let won = paid_less("w", 1000, 50);
    for dealt in [true, false] {
        for payment in [&lost, &pushed("v"), &paid_less("v", 1000, 50)] {
            let story = one_hidden(dealt, &[won.clone(), payment.clone()]);
            assert_eq!(story.codes(), NOTHING);
            let hand = &play(&story)["hands"][1];
            assert_eq!(hand["cards"], unseen(7));
            assert_eq!((&hand["high"], &hand["low"]), (&unseen(5), &unseen(2)));
        }
        let short = one_hidden(dealt, &[paid_less("w", 800, 50), lost.clone()]);
        assert_eq!(short.codes(), ["pay.under"]);
    }
}

#[test]
fn against_a_hand_that_nobody_saw_only_what_was_given_up_is_judged() {
    let story = |given_up: Value| {
        let bets = [
            bet("w", 1, "pai_gow_poker", 1000),
            bet("v", 2, "pai_gow_poker", 1000),
        ];
        let dealt = [seven("dealer", None, None), seven("seat", Some(2), None)].concat();
        let said = [
            set("seat", Some(1), WINNER),
            says(2, "surrender"),
            pushed("w"),
            given_up,
        ];
        mgc([&bets[..], &[closed()], &dealt, &said].concat())
    };
    let honest = story(collected("v"));
    assert_eq!(honest.codes(), NOTHING);
    let dealer = &play(&honest)["dealer"];
    assert_eq!((&dealer["cards"], &dealer["low"]), (&unseen(7), &unseen(2)));
    assert!(play(&honest)["hands"][1]["high"].is_null());
    assert_eq!(story(pushed("v")).codes(), ["pay.uncollected"]);
}

/// A bonus on a hand of which one card was never turned over, nor told as it was set.
fn one_card_hidden(payment: Value) -> Story {
    let bets = [
        bet("w", 1, "pai_gow_poker", 1000),
        bet("b", 1, "bonus", 100),
        closed(),
    ];
    let known = ["9S", "9H", "7D", "5C", "2S", "AD"];
    let own = known.map(|name| card("seat", name)).map(|mut dealt| {
        dealt["seat"] = json!(1);
        dealt
    });
    let hidden = json!({"type": "card_dealt", "to": "seat", "seat": 1, "face": "down"});
    let rest = [hidden, set("dealer", None, DEALER), payment];
    mgc([&bets[..], &own, &rest].concat())
}

#[test]
fn no_more_is_paid_than_an_unseen_card_could_have_made() {
    assert_eq!(one_card_hidden(collected("b")).codes(), NOTHING);
    // Three nines.
    let story = one_card_hidden(paid("b", 300));
    assert_eq!(story.codes(), NOTHING);
    let cards = &play(&story)["hands"][0]["cards"];
    assert_eq!(cards, &json!(["9S", "9H", "7D", "5C", "2S", "AD", "??"]));
    // Four of a kind.
    let beyond = one_card_hidden(paid("b", 2500));
    let finding = beyond.finding("pay.over");
    assert_eq!(finding.exposure.get(), 2200);
    assert_eq!(beyond.codes(), ["pay.over"]);
}

#[test]
fn which_cards_came_first_is_not_known_from_how_they_were_laid() {
    let story = |payments: &[Value]| {
        let mut story = Story::at(
            "pai_gow_poker",
            "mgc-2017",
            json!({"start_method": "left_first"}),
        );
        let bets = [
            bet("w", 1, "pai_gow_poker", 1000),
            bet("t", 1, "three_card_bonus", 100),
        ];
        let dealt = [seven("seat", Some(1), None), seven("dealer", None, None)].concat();
        let set = [set("seat", Some(1), WINNER), set("dealer", None, DEALER)];
        story.round([&bets[..], &[closed()], &dealt, &set, payments].concat());
        assert_eq!(story.invented(), NOTHING);
        story
    };
    let won = paid_less("w", 1000, 50);
    for three in [collected("t"), paid("t", 100)] {
        let story = story(&[three, won.clone()]);
        assert_eq!(story.codes(), NOTHING);
        let hand = &play(&story)["hands"][0];
        assert_eq!(
            (&hand["cards"], &hand["low"]),
            (&unseen(7), &json!(["AD", "JC"]))
        );
    }
    assert_eq!(
        story(&[collected("t"), collected("w")]).codes(),
        ["pay.unpaid"]
    );
}

#[test]
fn a_feed_without_settings_is_judged_by_what_needs_none() {
    let story = |bonus: Value| {
        let bets = [
            bet("w", 2, "pai_gow_poker", 1000),
            bet("b", 2, "bonus", 100),
            closed(),
        ];
        let dealt = [
            seven("seat", Some(2), Some("AS AD AC QD 9H 7C 5S")),
            seven("dealer", None, Some("9S 9D 8C 6D 4H 3C 2S")),
        ];
        mgc([
            &bets[..],
            &dealt.concat(),
            &[paid_less("w", 1000, 50), bonus],
        ]
        .concat())
    };
    let honest = story(paid("b", 300));
    assert_eq!(honest.codes(), NOTHING);
    assert_eq!(play(&honest)["hands"][0]["high"], unseen(5));
    assert_eq!(story(collected("b")).codes(), ["pay.unpaid"]);
}

#[test]
fn a_meter_that_nobody_told_of_is_not_made_up() {
    let story = |award: i64| {
        let bets = [
            bet("w", 1, "pai_gow_poker", 1000),
            bet("p", 1, "progressive", 100),
            closed(),
        ];
        let set = [
            set("seat", Some(1), "AS AH AD AC JK | 3D 2H"),
            set("dealer", None, "KD 7C 6D 4S 2C | QC TS"),
            pushed("w"),
        ];
        let award = json!({"type": "jackpot_paid", "meter": "progressive", "wager": "p", "amount": award,
            "by": {"id": "s-1", "role": "supervisor"}});
        mgc([&bets[..], &set, &[award]].concat())
    };
    let honest = story(183_000);
    assert_eq!(honest.codes(), NOTHING);
    assert_eq!(play(&honest)["meters"], json!({"progressive": null}));
}

#[test]
fn tiles_that_nobody_saw_hide_none_of_the_others() {
    let story = |payments: &[Value]| {
        let mut story = Story::at("pai_gow", "mgc-2017", json!({}));
        let bets = [
            bet("w", 1, "pai_gow", 5000),
            bet("v", 2, "pai_gow", 5000),
            closed(),
        ];
        let dealt = [
            tiles("seat", Some(2), None),
            set("seat", Some(1), "6-6 6-3 | 4-4 5-2"),
            set("dealer", None, DEALER_SET),
        ];
        story.round([&bets[..], &dealt, payments].concat());
        assert_eq!(story.invented(), NOTHING);
        story
    };
    let won = || paid_less("w", 5000, 250);
    for hidden in [collected("v"), pushed("v")] {
        let story = story(&[won(), hidden]);
        assert_eq!(story.codes(), NOTHING);
        let hand = &play(&story)["hands"][1];
        assert_eq!((&hand["tiles"], &hand["low"]), (&unseen(4), &unseen(2)));
    }
    assert_eq!(
        story(&[collected("w"), collected("v")]).codes(),
        ["pay.unpaid"]
    );
}
