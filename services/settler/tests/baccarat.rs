//! The baccarat games: what only the order of events shows, each with an honest twin.

#![allow(clippy::unwrap_used)]

mod story;

use serde_json::{Value, json};
use story::{Story, bet, cards, closed, collected, paid, paid_less, pushed};

const NOTHING: [&str; 0] = [];

/// The Banker wins 7 to 6 without a third card.
fn banker_wins() -> Vec<Value> {
    cards(&["player 5S", "banker 3C", "player AH", "banker 4D"])
}

/// A hand with these wagers before the cards and these payments after them.
fn hand(wagers: &[Value], cards: Vec<Value>, payments: &[Value]) -> Vec<Value> {
    [wagers, &[closed()], &cards, payments].concat()
}

fn table(options: Value) -> Story {
    Story::at("baccarat", "mgc-2017", options)
}

fn codes_of(options: Value, bodies: Vec<Value>) -> Vec<String> {
    let mut story = table(options);
    story.round(bodies);
    story.codes().into_iter().map(str::to_owned).collect()
}

#[test]
fn cards_go_player_banker_player_banker_and_the_banker_draws_last() {
    let settled = |cards: &[&str]| {
        let bets = [bet("p", 1, "player", 1000)];
        codes_of(
            json!({}),
            hand(&bets, story::cards(cards), &[paid("p", 1000)]),
        )
    };
    let honest = [
        "player 2S",
        "banker 2C",
        "player 2H",
        "banker 3D",
        "player 5C",
        "banker 2D",
    ];
    assert_eq!(settled(&honest), NOTHING);
    let sides_first = [
        "player 2S",
        "player 2H",
        "banker 2C",
        "banker 3D",
        "player 5C",
        "banker 2D",
    ];
    assert_eq!(settled(&sides_first), ["baccarat.wrong_deal_order"]);
    let banker_first = [
        "player 2S",
        "banker 2C",
        "player 2H",
        "banker 3D",
        "banker 2D",
        "player 5C",
    ];
    assert_eq!(settled(&banker_first), ["baccarat.wrong_deal_order"]);
}

#[test]
fn house_money_is_settled_before_the_third_card() {
    let bets = [bet("p", 1, "player", 1000), bet("h", 1, "house_money", 500)];
    let mut bodies = hand(
        &bets,
        cards(&["player 2S", "banker KC", "player 2H", "banker 7D"]),
        &[paid("h", 1500)],
    );
    bodies.extend(cards(&["player 5C"]));
    bodies.push(paid("p", 1000));
    assert_eq!(codes_of(json!({}), bodies.clone()), NOTHING);
    let payment = bodies.remove(7);
    bodies.insert(8, payment);
    assert_eq!(codes_of(json!({}), bodies), ["house_money.settled_late"]);
}

#[test]
fn vigorish_is_taken_on_the_banker_alone() {
    let bets = [
        bet("b", 1, "banker", 1000),
        bet("x", 1, "dragon_bonus_banker", 500),
    ];
    let naturals = || cards(&["player 5S", "banker 4C", "player AH", "banker 4D"]);
    let payments = |vigorish: i64| {
        let bonus = match vigorish {
            0 => paid("x", 500),
            part => paid_less("x", 500, part),
        };
        hand(&bets, naturals(), &[paid_less("b", 1000, 50), bonus])
    };
    assert_eq!(codes_of(json!({}), payments(0)), NOTHING);
    assert_eq!(
        codes_of(json!({}), payments(25)),
        ["vigorish.on_side_bet", "commission.wrong"]
    );
    let at_ez = json!({"ez_baccarat": true});
    assert_eq!(
        codes_of(at_ez, payments(0)),
        ["vigorish.on_side_bet", "commission.wrong"]
    );
    let mut free = Story::at(
        "dragon_bonus_baccarat_commission_free",
        "oh-jack-2017",
        json!({}),
    );
    free.round(hand(&bets[..1], naturals(), &[paid_less("b", 1000, 50)]));
    assert_eq!(free.codes(), ["commission.charged", "commission.wrong"]);
}

#[test]
fn losers_are_collected_first_and_winners_paid_from_the_highest_seat_down() {
    let bets = [
        bet("a", 1, "banker", 1000),
        bet("b", 4, "banker", 2000),
        bet("c", 5, "player", 1000),
    ];
    let (low, high) = (paid_less("a", 1000, 50), paid_less("b", 2000, 100));
    let settled = |payments: &[&Value]| {
        let payments: Vec<Value> = payments.iter().copied().cloned().collect();
        codes_of(json!({}), hand(&bets, banker_wins(), &payments))
    };
    let loser = collected("c");
    assert_eq!(settled(&[&loser, &high, &low]), NOTHING);
    assert_eq!(settled(&[&loser, &low, &high]), ["settle.order"]);
    assert_eq!(settled(&[&high, &loser, &low]), ["settle.order"]);
}

#[test]
fn ohio_pays_a_bonus_before_the_main_wager() {
    let bets = [
        bet("a", 1, "banker", 1000),
        bet("x", 1, "dragon_bonus_banker", 500),
        bet("b", 3, "banker", 1000),
        bet("y", 3, "dragon_bonus_banker", 500),
    ];
    let settled = |order: &str, payments: &str| {
        let options = json!({"bonus_settlement_order": order});
        let mut story = Story::at("minibaccarat", "oh-jack-2017", options);
        let payment = |id: char| match id {
            'a' | 'b' => paid_less(&id.to_string(), 1000, 50),
            _ => paid(&id.to_string(), 500),
        };
        let payments: Vec<Value> = payments.chars().map(payment).collect();
        let cards = cards(&["player 5S", "banker 4C", "player AH", "banker 4D"]);
        story.round(hand(&bets, cards, &payments));
        story.codes().len()
    };
    assert_eq!(settled("all_bonus_first", "xyba"), 0);
    assert_eq!(settled("all_bonus_first", "ybxa"), 1);
    assert_eq!(settled("all_bonus_first", "yxba"), 1);
    assert_eq!(settled("per_player", "ybxa"), 0);
    assert_eq!(settled("per_player", "byxa"), 1);
}

fn shoe(number: u32, cut: u32) -> Value {
    json!({"type": "shoe_started", "shoe": format!("s{number}"), "set": format!("m{number}"), "decks": 6,
        "method": "shoe", "cut": cut})
}

fn with_cards(options: Value, number: u32, story: Option<Story>) -> Story {
    let mut story = story.unwrap_or_else(|| table(options));
    let set = format!("m{number}");
    story
        .aside(json!({"type": "cards_delivered", "set": set, "decks": 6, "preshuffled": false}))
        .aside(json!({"type": "cards_inspected", "set": set, "missing": [], "extra": [], "unsuitable": [],
            "dealer": "d-1", "supervisor": "s-1"}))
        .aside(json!({"type": "cards_opened", "set": set}));
    story
}

fn owing() -> Story {
    let options = json!({"vigorish_collection": "deferred", "decks": 6});
    let mut story = with_cards(options, 1, None);
    story.aside(shoe(1, 20));
    story
        .round(hand(
            &[bet("w", 3, "banker", 10000)],
            banker_wins(),
            &[paid("w", 10000)],
        ))
        .round(hand(
            &[bet("w", 3, "banker", 4000)],
            banker_wins(),
            &[paid("w", 4000)],
        ));
    story
}

fn marker_paid(amount: i64) -> Value {
    json!({"type": "commission_collected", "wager": "w", "amount": amount})
}

#[test]
fn deferred_vigorish_is_collected_before_the_next_shoe() {
    // Each for the round it belongs to, or all of it at once without a round.
    let mut one_by_one = owing();
    one_by_one
        .of_round(1, marker_paid(500))
        .of_round(2, marker_paid(200));
    let mut at_once = owing();
    at_once.aside(marker_paid(700));
    for story in [one_by_one, at_once] {
        let mut story = with_cards(Value::Null, 2, Some(story));
        story.aside(shoe(2, 20));
        assert_eq!(story.codes(), NOTHING);
    }
}

#[test]
fn vigorish_that_is_owed_when_the_next_shoe_starts_is_outstanding() {
    let mut story = owing();
    story.of_round(1, marker_paid(500));
    let mut story = with_cards(Value::Null, 2, Some(story));
    story.aside(shoe(2, 20));
    let finding = story.finding("vigorish.outstanding");
    assert_eq!((finding.seat, finding.exposure.get()), (Some(3), 200));
    assert_eq!(story.codes().len(), 1);
    let mut left = owing();
    left.aside(json!({"type": "table_closed", "closing_inventory": 5000000}));
    assert_eq!(left.finding("vigorish.outstanding").exposure.get(), 700);
}

#[test]
fn more_vigorish_than_is_owed_is_wrong() {
    let mut story = owing();
    story.of_round(1, marker_paid(800));
    let finding = story.finding("commission.wrong");
    assert_eq!(finding.exposure.get(), -100);
}

#[test]
fn a_shoe_is_burned_from_as_its_first_card_counts() {
    for (first, more, expected) in [
        ("4H", 4, 0),
        ("4H", 3, 1),
        ("KH", 10, 0),
        ("KH", 1, 1),
        ("AH", 1, 0),
    ] {
        let mut story = with_cards(json!({"decks": 6}), 1, None);
        story.aside(shoe(1, 20));
        story.aside(json!({"type": "card_burned", "card": first}));
        for _ in 0..more {
            story.aside(json!({"type": "card_burned"}));
        }
        let payments = [paid_less("b", 1000, 50)];
        story.round(hand(
            &[bet("b", 1, "banker", 1000)],
            banker_wins(),
            &payments,
        ));
        let found = story.codes();
        assert_eq!(
            found,
            vec!["shoe.burn_count"; expected],
            "{first} and {more}"
        );
    }
}

#[test]
fn the_cutting_card_lies_fourteen_cards_from_the_back() {
    for (cut, expected) in [(14, 0), (13, 1)] {
        let mut story = with_cards(json!({"decks": 6}), 1, None);
        story.aside(shoe(1, cut));
        assert_eq!(story.codes(), vec!["shoe.cut_depth"; expected], "{cut}");
    }
}

#[test]
fn one_hand_is_dealt_after_the_one_in_which_the_cutting_card_comes() {
    let mut story = with_cards(json!({"decks": 6}), 1, None);
    // The cutting card comes out in the second hand.
    story.aside(shoe(1, 312 - 6));
    let mut deal = |simulated: bool| {
        let (bets, payments) = match simulated {
            false => (
                vec![bet("b", 1, "banker", 1000)],
                vec![paid_less("b", 1000, 50)],
            ),
            true => (
                vec![story::irregularity("simulated_round", Value::Null)],
                vec![],
            ),
        };
        story.round(hand(&bets, banker_wins(), &payments));
        story.codes().len()
    };
    // A round for no money is not counted.
    assert_eq!([deal(false), deal(false), deal(false), deal(true)], [0; 4]);
    assert_eq!(deal(false), 1);
    assert_eq!(story.codes(), ["shoe.past_last_hand"]);
    assert_eq!(story.findings[0].cites, ["10(d)"]);
}

#[test]
fn one_shoe_holds_cards_of_one_back() {
    let back = |card: &str, to: &str, back: &str| json!({"type": "card_dealt", "to": to, "card": card, "face": "up", "back": back});
    for (last, expected) in [("red", 0), ("blue", 1)] {
        let mut story = with_cards(json!({"decks": 6}), 1, None);
        story.aside(shoe(1, 20));
        let cards = vec![
            back("5S", "player", "red"),
            back("3C", "banker", "red"),
            back("AH", "player", "red"),
            back("4D", "banker", last),
        ];
        story.round(hand(
            &[bet("b", 1, "banker", 1000)],
            cards,
            &[paid_less("b", 1000, 50)],
        ));
        assert_eq!(story.codes(), vec!["deck.mixed_batches"; expected]);
    }
}

#[test]
fn a_tie_charged_a_quarter_may_be_told_as_a_push_and_a_charge() {
    let options = json!({"vigorish_type": "tie_25pct"});
    let bets = [bet("b", 1, "banker", 8000)];
    let tie = || cards(&["player 7S", "banker 9C", "player JH", "banker 8D"]);
    let charge = json!({"type": "commission_collected", "wager": "b", "amount": 2000});
    for payments in [
        vec![pushed("b"), charge],
        vec![json!({"type": "wager_pushed", "wager": "b", "amount": 6000})],
    ] {
        let mut story = Story::at("minibaccarat", "oh-jack-2017", options.clone());
        story.round(hand(&bets, tie(), &payments));
        assert_eq!(story.codes(), NOTHING);
    }
}

fn says(seat: u32, action: &str) -> Value {
    json!({"type": "decision", "seat": seat, "action": action})
}

#[test]
fn what_the_dealer_calls_is_what_lies() {
    let settled = |calls: &[(usize, &str)]| {
        // The Player draws to 9, the Banker stands on 7.
        let mut told = cards(&[
            "player 2S",
            "banker KC",
            "player 2H",
            "banker 7D",
            "player 5C",
        ]);
        for &(after, call) in calls.iter().rev() {
            told.insert(after, says(0, call));
        }
        codes_of(
            json!({}),
            hand(&[bet("p", 1, "player", 1000)], told, &[paid("p", 1000)]),
        )
    };
    let honest = [
        (4, "player 4"),
        (4, "banker 7"),
        (5, "player 9"),
        (5, "Player wins"),
        (5, "no more bets"),
    ];
    assert_eq!(settled(&honest), NOTHING);
    for wrong in [
        (4, "player 9"),
        (5, "player 4"),
        (4, "banker 8"),
        (5, "banker_wins"),
        (5, "tie"),
        (5, "dragon 7"),
        (5, "panda 8"),
    ] {
        assert_eq!(settled(&[wrong]), ["baccarat.wrong_call"], "{wrong:?}");
    }
}

#[test]
fn a_call_on_a_hand_that_was_dealt_wrongly_is_not_judged() {
    // The Player drew on 6; the card is the Banker's.
    let mut told = cards(&[
        "player 5S",
        "banker QD",
        "player AH",
        "banker 4C",
        "player 5C",
    ]);
    told.push(says(0, "player 6"));
    told.push(says(0, "banker wins"));
    let bodies = hand(
        &[bet("b", 1, "banker", 1000)],
        told,
        &[paid_less("b", 1000, 50)],
    );
    assert_eq!(
        codes_of(json!({}), bodies),
        ["baccarat.player_drew_in_error"]
    );
}

/// Hands of a table of curators: who says what before each, and whether the Banker wins it.
fn curated(hands: &[(&[(u32, &str)], bool)]) -> Vec<String> {
    let mut story = table(json!({}));
    for (said, banker) in hands {
        let (cards, payment) = match banker {
            true => (banker_wins(), paid_less("b", 1000, 50)),
            false => (
                cards(&["player 4S", "banker 3C", "player 4H", "banker 4D"]),
                collected("b"),
            ),
        };
        let mut bodies: Vec<Value> = said.iter().map(|(seat, word)| says(*seat, word)).collect();
        bodies.extend(hand(&[bet("b", 1, "banker", 1000)], cards, &[payment]));
        story.round_opened_with(json!({"shoe": "s1"}), bodies);
    }
    story.codes().into_iter().map(str::to_owned).collect()
}

#[test]
fn a_curator_passes_the_shoe_when_the_banker_loses() {
    let third: &[(u32, &str)] = &[(3, "deal")];
    let house: &[(u32, &str)] = &[(0, "deal")];
    assert_eq!(
        curated(&[(third, true), (third, false), (house, true)]),
        NOTHING
    );
    assert_eq!(curated(&[(house, false), (house, true)]), NOTHING);
    assert_eq!(
        curated(&[(third, true), (third, false), (third, true)]),
        ["baccarat.curator_kept_shoe"]
    );
}

#[test]
fn a_shoe_is_offered_counterclockwise_from_the_curator() {
    let third: &[(u32, &str)] = &[(3, "deal")];
    let passed = |around: [u32; 2]| {
        let [refuses, takes] = around;
        let said = [(refuses, "decline_shoe"), (takes, "deal")];
        curated(&[(third, false), (&said, true)])
    };
    assert_eq!(passed([5, 6]), NOTHING);
    assert_eq!(passed([12, 1]), NOTHING);
    assert_eq!(passed([5, 4]), ["baccarat.shoe_passed_wrong_way"]);
    assert_eq!(passed([2, 9]), ["baccarat.shoe_passed_wrong_way"]);
}

#[test]
fn a_new_shoe_is_offered_from_seat_one() {
    for (around, expected) in [([1, 4], 0), ([5, 2], 1)] {
        let mut story = table(json!({}));
        let bodies = |said: &[Value]| {
            let bets = [said, &[bet("b", 1, "banker", 1000)]].concat();
            hand(&bets, banker_wins(), &[paid_less("b", 1000, 50)])
        };
        story
            .round_opened_with(json!({"shoe": "s1"}), bodies(&[says(3, "deal")]))
            .round_opened_with(
                json!({"shoe": "s2"}),
                bodies(&[says(around[0], "decline_shoe"), says(around[1], "deal")]),
            );
        assert_eq!(
            story.codes(),
            vec!["baccarat.shoe_passed_wrong_way"; expected]
        );
    }
}

#[test]
fn a_house_money_payout_is_moved_by_the_dealer() {
    let settled = |touch: Option<usize>, pressed: bool| {
        let press = json!({"type": "wager_placed", "wager": "x", "seat": 1,
            "kind": "house_money_press", "amount": 1500, "on": "p", "detail": {"from": "h"}});
        let bets = [bet("p", 1, "player", 1000), bet("h", 1, "house_money", 500)];
        let mut settles = vec![paid("h", 1500)];
        settles.extend(pressed.then_some(press));
        if let Some(at) = touch {
            settles.insert(at, says(1, "touch_payout"));
        }
        let pair = cards(&["player 2S", "banker KC", "player 2H", "banker 7D"]);
        let mut bodies = hand(&bets, pair, &settles);
        bodies.extend(cards(&["player 5C"]));
        bodies.push(paid("p", 1000));
        bodies.extend(pressed.then(|| paid("x", 1500)));
        codes_of(json!({}), bodies)
    };
    assert_eq!(settled(None, true), NOTHING);
    // It was handed to him, and he keeps it.
    assert_eq!(settled(Some(1), false), NOTHING);
    assert_eq!(settled(Some(1), true), ["house_money.payout_touched"]);
    assert_eq!(settled(Some(0), true), ["house_money.payout_touched"]);
    assert_eq!(settled(Some(0), false), ["house_money.payout_touched"]);
}

#[test]
fn cards_are_touched_by_players_at_a_midi_table_alone() {
    for (midi, expected) in [(true, 0), (false, 1)] {
        let mut story = Story::at("minibaccarat", "oh-jack-2017", json!({"midi": midi}));
        let mut told = banker_wins();
        told.push(says(1, "touch_cards"));
        story.round(hand(
            &[bet("b", 1, "banker", 1000)],
            told,
            &[paid_less("b", 1000, 50)],
        ));
        assert_eq!(story.codes(), vec!["baccarat.cards_touched"; expected]);
    }
}

#[test]
fn a_marker_stays_until_its_vigorish_is_collected() {
    let removed = || says(3, "marker_removed");
    let mut paid_first = owing();
    paid_first.aside(marker_paid(700)).aside(removed());
    assert_eq!(paid_first.codes(), NOTHING);
    let mut gone = owing();
    gone.of_round(1, marker_paid(500)).aside(removed());
    assert_eq!(gone.finding("vigorish.marker_removed").seat, Some(3));
    assert_eq!(gone.codes().len(), 1);
    // In the course of a later hand.
    let mut later = owing();
    let lost = [says(3, "marker_removed"), collected("w")];
    let cards = cards(&["player 4S", "banker 3C", "player 4H", "banker 4D"]);
    later.round(hand(&[bet("w", 3, "banker", 1000)], cards, &lost));
    assert_eq!(later.codes(), ["vigorish.marker_removed"]);
}
