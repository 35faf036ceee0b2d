//! The pai gow games in feeds that tell little, or one thing by another.

use catwalk_stories::pai_gow::{DEALER_SET, DEALER_TILES, NOTHING, dice, says, set, seven, tiles};
use catwalk_stories::{Story, bet, closed, collected, paid, paid_less, pushed};
use serde_json::{Value, json};

const ACES_SET: &str = "AS AD 9H 7C 5S | KC QD";
const NINES_SET: &str = "9S 9D 4H 3C 2S | 8C 6D";

fn found(story: &Story) -> Vec<String> {
    assert_eq!(story.invented(), NOTHING);
    story.codes().into_iter().map(str::to_owned).collect()
}

fn on_number(id: &str, number: u32) -> Value {
    json!({"type": "wager_placed", "wager": id, "seat": 1, "kind": "number", "amount": 300,
        "detail": {"number": number}})
}

/// Seat 1 wins its main wager, and has number wagers that were settled before the deal.
fn numbers(options: Value, told: Vec<Value>, wagers: &[Value], payments: &[Value]) -> Vec<String> {
    let mut story = Story::at("pai_gow_poker", "mgc-2017", options);
    let main = [bet("w", 1, "pai_gow_poker", 1000)];
    let hands = [
        set("seat", Some(1), ACES_SET),
        set("dealer", None, NINES_SET),
        paid_less("w", 1000, 50),
    ];
    let before = [&main[..], wagers, &[closed()]].concat();
    story.round([before, payments.to_vec(), told, hands.to_vec()].concat());
    found(&story)
}

#[test]
fn of_a_number_that_nobody_told_of_one_wager_may_be_paid() {
    let wagers = [on_number("n", 5), on_number("o", 2)];
    let silent = |payments: &[Value]| numbers(json!({}), vec![], &wagers, payments);
    assert_eq!(silent(&[paid("n", 1600), collected("o")]), NOTHING);
    assert_eq!(silent(&[collected("n"), collected("o")]), NOTHING);
    // 5 1/2 to 1 in whole dollars; and only one number is drawn.
    assert_eq!(silent(&[paid("n", 1650), collected("o")]), ["pay.over"]);
    assert_eq!(silent(&[paid("n", 1600), paid("o", 1600)]), ["pay.undue"]);
    // Nobody makes the number up.
    let mut story = Story::at("pai_gow_poker", "mgc-2017", json!({}));
    let hands = [
        set("seat", Some(1), ACES_SET),
        set("dealer", None, NINES_SET),
    ];
    let bets = [
        bet("w", 1, "pai_gow_poker", 1000),
        on_number("n", 5),
        closed(),
    ];
    story.round(
        [
            &bets[..],
            &hands,
            &[paid("n", 1600), paid_less("w", 1000, 50)],
        ]
        .concat(),
    );
    let document = story.settled[0].document.as_ref().unwrap();
    assert_eq!(document["play"]["deal"], json!({"number": null}));
}

#[test]
fn a_number_is_known_from_the_deal_and_none_is_drawn_where_dice_are_shaken() {
    let wagers = [on_number("n", 5)];
    let told = |options: Value, told: Vec<Value>, payment: Value| {
        numbers(options, told, &wagers, &[payment])
    };
    // Five is the fourth area.
    let deal = || {
        let order = [4, 3, 2, 1, 0, 6, 5];
        let places = order.map(|seat| match seat {
            0 => seven("dealer", None, None),
            seat => seven("seat", Some(seat), None),
        });
        places.concat()
    };
    assert_eq!(told(json!({}), deal(), paid("n", 1600)), NOTHING);
    assert_eq!(told(json!({}), deal(), collected("n")), ["pay.unpaid"]);
    let invalid = ["wager.number_invalid"];
    let shaken = vec![dice([1, 2, 3])];
    assert_eq!(told(json!({}), shaken, pushed("n")), invalid);
    let posted = json!({"start_method": "dice"});
    assert_eq!(told(posted, vec![], pushed("n")), invalid);
}

/// Seat 1 loses with a low hand of nothing against the dealer's eight and four.
fn losing_tiles(touched: &[Value], payments: &[Value]) -> Vec<String> {
    let mut story = Story::at("pai_gow", "mgc-2017", json!({}));
    let start = [bet("w", 1, "pai_gow", 5000), closed()];
    let hands = [
        set("seat", Some(1), "4-4 6-3 | 3-3 3-1"),
        set("dealer", None, DEALER_SET),
    ];
    story.round([&start[..], touched, &hands, payments].concat());
    found(&story)
}

#[test]
fn a_stake_that_was_pinched_and_taken_was_not_counted_as_won() {
    let lowered = json!({"type": "wager_changed", "wager": "w", "amount": 1000, "by": "patron"});
    let taken = json!({"type": "wager_collected", "wager": "w", "amount": 1000});
    let pinched = losing_tiles(&[lowered], &[taken]);
    assert!(pinched.contains(&"wager.pinched".to_owned()), "{pinched:?}");
    let zero = "payout.zero_low_paid".to_owned();
    assert!(!pinched.contains(&zero), "{pinched:?}");
    let left = losing_tiles(&[], &[pushed("w")]);
    assert!(left.contains(&zero), "{left:?}");
    assert_eq!(losing_tiles(&[], &[]), ["pay.uncollected"]);
}

#[test]
fn what_is_left_of_a_surrender_is_no_push_for_want_of_a_tiger() {
    let told = |said: &[Value], payments: &[Value]| {
        let mut story = Story::at("commission_free_pai_gow_poker", "oh-jack-2017", json!({}));
        let start = [bet("w", 1, "pai_gow_poker", 2000), closed()];
        let hands = [
            set("seat", Some(1), "AS AH 8D 6S 3D | KS QC"),
            set("dealer", None, "KD 7S 5C 4C 2D | JC 8S"),
        ];
        story.round([&start[..], &hands, said, payments].concat());
        let tiger = |code: &String| code == "payout.tiger_ignored";
        let codes = found(&story);
        (codes.iter().filter(|code| tiger(code)).count(), codes)
    };
    let half = json!({"type": "wager_collected", "wager": "w", "amount": 1000});
    let (tigers, codes) = told(&[says(1, "surrender")], &[half, pushed("w")]);
    assert_eq!(tigers, 0);
    assert!(codes.contains(&"commission_free_pai_gow_poker.surrender_late".to_owned()));
    assert_eq!(told(&[], &[pushed("w")]).0, 1);
}

#[test]
fn the_only_players_hand_is_known_without_its_seat() {
    let told = |vigorish: i64| {
        let cards = [
            seven("player", None, Some("AS AD KC QD 9H 7C 5S")),
            seven("dealer", None, Some("9S 9D 8C 6D 4H 3C 2S")),
        ];
        let settings = vec![
            set("player", None, ACES_SET),
            set("dealer", None, NINES_SET),
            paid_less("w", 10000, vigorish),
        ];
        let start = vec![bet("w", 2, "pai_gow_poker", 10000), closed()];
        let mut story = Story::at("pai_gow_poker", "mgc-2017", json!({}));
        story.round([start, cards.concat(), settings].concat());
        found(&story)
    };
    assert_eq!(told(500), NOTHING);
    assert_eq!(told(400), ["vigorish.wrong", "commission.wrong"]);
}

#[test]
fn the_only_players_tiles_are_known_without_their_seat() {
    let told = |vigorish: i64| {
        let mut story = Story::at("pai_gow", "mgc-2017", json!({}));
        story.round([
            bet("w", 1, "pai_gow", 5000),
            closed(),
            tiles("seat", None, Some("6-6 6-3 4-4 5-2")),
            tiles("dealer", None, Some(DEALER_TILES)),
            set("player", None, "6-6 6-3 | 4-4 5-2"),
            set("dealer", None, DEALER_SET),
            paid_less("w", 5000, vigorish),
        ]);
        found(&story)
    };
    assert_eq!(told(250), NOTHING);
    assert_eq!(told(200), ["vigorish.wrong", "commission.wrong"]);
}

#[test]
fn a_feed_that_tells_of_no_setting_is_not_held_to_it() {
    let told = |settings: &[Value]| {
        let start = vec![bet("w", 2, "pai_gow_poker", 10000), closed()];
        let cards = [
            seven("seat", Some(2), Some("AS AD KC QD 9H 7C 5S")),
            seven("dealer", None, Some("9S 9D 8C 6D 4H 3C 2S")),
        ];
        let paid = vec![paid_less("w", 10000, 500)];
        let mut story = Story::at("pai_gow_poker", "mgc-2017", json!({}));
        story.round([start, cards.concat(), settings.to_vec(), paid].concat());
        found(&story)
    };
    assert_eq!(told(&[]), NOTHING);
    let dealers = [set("dealer", None, NINES_SET)];
    assert_eq!(told(&dealers), ["round.unsettled"]);
}

const OHIO_DEALER: &str = "KD 7S 6H 4H 2C | QD TS";

/// Seat 1 surrenders cards that nobody saw; seat 2 wins, with a fortune wager and its lammer.
fn given_up(beside: &[Value], payments: &[Value]) -> Vec<String> {
    let mut story = Story::at("pai_gow_poker", "oh-jack-2017", json!({}));
    let bets = [
        bet("w", 1, "pai_gow_poker", 1000),
        bet("v", 2, "pai_gow_poker", 1000),
        bet("g", 2, "fortune_bonus", 500),
        json!({"type": "wager_placed", "wager": "e", "seat": 2, "kind": "envy", "amount": 0, "on": "g"}),
    ];
    let play = [
        closed(),
        set("seat", Some(2), "AS AH 9D 6S 3C | KS JC"),
        set("dealer", None, OHIO_DEALER),
        says(1, "surrender"),
        paid_less("v", 1000, 50),
        collected("g"),
    ];
    story.round([&bets[..], beside, &play, payments].concat());
    found(&story)
}

#[test]
fn what_else_is_staked_on_cards_that_nobody_saw_is_not_judged() {
    let fortune = [bet("f", 1, "fortune_bonus", 100)];
    for payment in [collected("f"), paid("f", 2500)] {
        assert_eq!(given_up(&fortune, &[collected("w"), payment]), NOTHING);
    }
    assert_eq!(given_up(&[], &[collected("w"), paid("e", 500)]), NOTHING);
    let kept = given_up(&fortune, &[pushed("w"), collected("f")]);
    assert_eq!(kept, ["pay.uncollected"]);
    // A folded hand does not qualify: P1.A.iv.
    let progressive = [bet("p", 1, "fortune_progressive", 100)];
    let award =
        json!({"type": "jackpot_paid", "meter": "progressive", "wager": "p", "amount": 7500});
    assert_eq!(given_up(&progressive, &[collected("w")]), NOTHING);
    let undue = given_up(&progressive, &[collected("w"), award]);
    assert_eq!(undue, ["pay.undue", "progressive.folded_paid"]);
}

#[test]
fn a_surrender_that_was_not_allowed_is_found_although_nobody_saw_the_cards() {
    let settled = |kind: &str| {
        let mut story = Story::at("pai_gow_poker", "mgc-2017", json!({}));
        let bets = [bet("w", 1, "pai_gow_poker", 1000), bet("p", 1, kind, 100)];
        let dealt = [seven("seat", Some(1), None), seven("dealer", None, None)].concat();
        let said = [
            set("dealer", None, "8S 8H QD 6C 3S | KD TC"),
            says(1, "surrender"),
            collected("w"),
            collected("p"),
        ];
        story.round([&bets[..], &[closed()], &dealt, &said].concat());
        found(&story)
    };
    assert_eq!(settled("bonus"), NOTHING);
    let barred = ["pai_gow_poker.surrender_not_allowed"];
    assert_eq!(settled("progressive"), barred);
}

/// Seat 1 has five aces: a tenth of the meter.
fn five_aces(meters: Value, read: &[Value], award: i64) -> Vec<String> {
    let mut story = Story::at("pai_gow_poker", "mgc-2017", json!({}));
    let bets = [
        bet("w", 1, "pai_gow_poker", 1000),
        bet("p", 1, "progressive", 100),
        closed(),
        set("seat", Some(1), "AS AH AD AC JK | 3D 2H"),
        set("dealer", None, "KD 7C 6D 4S 2C | QC TS"),
        pushed("w"),
    ];
    let award = json!({"type": "jackpot_paid", "meter": "progressive", "wager": "p", "amount": award,
        "by": {"id": "s-1", "role": "supervisor"}});
    story.round_opened_with(meters, [&bets[..], read, &[award]].concat());
    found(&story)
}

#[test]
fn a_share_is_of_the_meter_when_it_is_paid() {
    let opened = || json!({"meters": {"progressive": 1_830_000}});
    let reads =
        |amount: i64| json!({"type": "meter_read", "meter": "progressive", "amount": amount});
    assert_eq!(five_aces(opened(), &[], 183_000), NOTHING);
    // The round's own stake has gone onto it: no more than the dollar that was staked.
    assert_eq!(five_aces(opened(), &[], 183_010), NOTHING);
    assert_eq!(five_aces(opened(), &[], 183_011), ["pay.over"]);
    assert_eq!(five_aces(opened(), &[], 182_999), ["pay.under"]);
    assert_eq!(five_aces(opened(), &[reads(1_834_000)], 183_400), NOTHING);
    assert_eq!(
        five_aces(opened(), &[reads(1_834_000)], 183_000),
        ["pay.under"]
    );
}

#[test]
fn a_share_of_a_meter_that_nobody_told_of_is_not_judged_but_must_be_paid() {
    assert_eq!(five_aces(json!({}), &[], 183_000), NOTHING);
    let unpaid = five_aces(json!({}), &[], 0);
    assert!(unpaid.contains(&"pay.unpaid".to_owned()), "{unpaid:?}");
}

#[test]
fn the_larger_wager_of_a_player_may_be_given_up_and_never_be_told_as_set() {
    let told_with = |more: &[Value], larger: Value, first: bool| {
        let owned = |id: &str, seat: u32, amount: i64| {
            let mut bet = bet(id, seat, "pai_gow", amount);
            bet["player"] = json!("p-9");
            bet
        };
        let mut bodies = vec![owned("w", 2, 5000), owned("v", 3, 9000), closed()];
        bodies.push(set("seat", Some(2), "6-6 6-3 | 4-4 5-2"));
        bodies.insert(if first { 3 } else { 4 }, larger);
        bodies.extend([
            set("dealer", None, DEALER_SET),
            says(3, "surrender"),
            paid_less("w", 5000, 250),
            collected("v"),
        ]);
        bodies.splice(2..2, more.iter().cloned());
        let mut story = Story::at("pai_gow", "mgc-2017", json!({}));
        story.round(bodies);
        found(&story)
    };
    let told = |larger: Value, first: bool| told_with(&[], larger, first);
    let unseen = tiles("seat", Some(3), None);
    let set_later = set("seat", Some(3), "3-3 3-3 | 1-1 5-4");
    assert_eq!(told(unseen, true), NOTHING);
    assert_eq!(told(set_later.clone(), true), NOTHING);
    assert_eq!(told(set_later.clone(), false), ["pai_gow.set_order"]);
    // A second wager on the area goes back, and its size is no reason.
    let mut second = bet("x", 3, "pai_gow", 1000);
    second["player"] = json!("p-9");
    let codes = told_with(&[second], set_later, true);
    assert_eq!(codes, ["wager.duplicate_kind"]);
}

/// Seat 1 wins against the dealer's eight and four.
fn winning_tiles(opened: Value, more: &[Value], payments: &[Value]) -> Vec<String> {
    let mut story = Story::at("pai_gow", "mgc-2017", json!({}));
    let hands = [
        closed(),
        set("seat", Some(1), "6-6 6-3 | 4-4 5-2"),
        set("dealer", None, DEALER_SET),
    ];
    let main = [bet("w", 1, "pai_gow", 5000)];
    story.round_opened_with(opened, [&main[..], more, &hands, payments].concat());
    found(&story)
}

#[test]
fn a_round_that_names_the_dealer_as_its_bank_has_none() {
    let settled = |amount: i64| {
        let payment = paid_less("w", amount, 250);
        winning_tiles(json!({"banker": 0}), &[], &[payment])
    };
    assert_eq!(settled(5000), NOTHING);
    assert_eq!(settled(5100), ["pay.over"]);
}

#[test]
fn a_wager_beyond_the_layout_hides_none_of_the_others() {
    let settled = |amount: i64| {
        let stray = [bet("x", 7, "pai_gow", 500)];
        let payments = [pushed("x"), paid_less("w", amount, 250)];
        winning_tiles(json!({}), &stray, &payments)
    };
    assert_eq!(settled(5000), ["table.seat"]);
    assert_eq!(settled(5100), ["table.seat", "pay.over"]);
}

#[test]
fn tiles_of_a_wager_that_came_too_late_were_not_dealt_to_nobody() {
    let settled = |late: Value| {
        let mut story = Story::at("pai_gow", "mgc-2017", json!({}));
        story.round([
            bet("w", 2, "pai_gow", 5000),
            closed(),
            late,
            tiles("seat", Some(1), Some("6-6 6-3 4-4 5-2")),
            set("seat", Some(2), "1-1 5-4 | 3-3 4-2"),
            set("dealer", None, DEALER_SET),
            paid_less("w", 5000, 250),
        ]);
        found(&story)
    };
    assert_eq!(settled(bet("x", 1, "pai_gow", 500)), ["wager.late"]);
    assert_eq!(settled(says(2, "pass")), ["deal.hand_without_wager"]);
}

#[test]
fn what_is_said_is_known_in_any_spelling() {
    let surrendered = |word: &str| winning_tiles(json!({}), &[], &[says(1, word), collected("w")]);
    for word in ["surrender", "Surrender", "surrendered"] {
        assert_eq!(surrendered(word), NOTHING, "{word}");
    }
    assert_eq!(surrendered("wave"), ["pay.unpaid"]);
    let banked = |word: &str, share: i64, vigorish: i64| {
        let mut story = Story::at("pai_gow", "mgc-2017", json!({}));
        let against = [set("seat", Some(1), "6-6 6-3 | 4-4 5-2")];
        let first = [bet("w", 1, "pai_gow", 5000), closed()];
        let dealer = [set("dealer", None, DEALER_SET), paid_less("w", 5000, 250)];
        story.round([&first[..], &against, &dealer].concat());
        story.round([
            bet("k", 1, "bank", 0),
            says(1, word),
            bet("w", 2, "pai_gow", 5000),
            closed(),
            set("seat", Some(2), "5-1 6-1 | 2-1 3-2"),
            set("seat", Some(1), "6-6 6-3 | 4-4 5-2"),
            collected("w"),
            paid_less("k", share, vigorish),
        ]);
        found(&story)
    };
    for word in ["co_bank", "co-bank", "Co Banking"] {
        assert_eq!(banked(word, 2500, 125), NOTHING, "{word}");
    }
    assert_eq!(banked("style", 5000, 250), NOTHING);
    assert_eq!(banked("style", 2500, 250), ["pay.under"]);
}

#[test]
fn a_number_may_be_called_by_the_dealer() {
    let called = |number: u32, payment: Value| {
        let mut call = says(0, "number");
        call["amount"] = json!(number);
        numbers(json!({}), vec![call], &[on_number("n", 5)], &[payment])
    };
    assert_eq!(called(5, paid("n", 1600)), NOTHING);
    assert_eq!(called(3, collected("n")), NOTHING);
    assert_eq!(called(3, paid("n", 1600)), ["pay.undue"]);
}

#[test]
fn how_the_dealer_lay_need_not_be_told_where_nobody_knows_the_way_of_the_house() {
    let told = |edition: &str, vigorish: i64| {
        let start = vec![bet("w", 2, "pai_gow_poker", 10000), closed()];
        let cards = [
            seven("seat", Some(2), Some("AS AD KC QD 9H 7C 5S")),
            seven("dealer", None, Some("9S 9D 8C 6D 4H 3C 2S")),
        ];
        let settled = vec![
            set("seat", Some(2), ACES_SET),
            paid_less("w", 10000, vigorish),
        ];
        let mut story = Story::at("pai_gow_poker", edition, json!({}));
        story.round([start, cards.concat(), settled].concat());
        found(&story)
    };
    assert_eq!(told("mgc-2017", 500), NOTHING);
    assert_eq!(told("oh-jack-2017", 500), NOTHING);
    assert_eq!(
        told("oh-jack-2017", 0),
        ["vigorish.wrong", "commission.wrong"]
    );
}

#[test]
fn an_envy_marker_lies_before_the_bonus_of_its_area() {
    let settled = |bonus: i64| {
        let mut story = Story::at("pai_gow_poker", "mgc-2017", json!({}));
        story.round([
            bet("w", 2, "pai_gow_poker", 10000),
            bet("b", 2, "bonus", bonus),
            bet("e", 2, "envy", 0),
            closed(),
            set("seat", Some(2), ACES_SET),
            set("dealer", None, NINES_SET),
            paid_less("w", 10000, 500),
            collected("b"),
        ]);
        found(&story)
    };
    assert_eq!(settled(500), NOTHING);
    assert_eq!(settled(400), ["envy.marker_undue"]);
}

/// Seat 2 wins; the hands are dealt in this order.
fn dealt_in(edition: &str, options: Value, aside: &[Value], order: &[u32]) -> Vec<String> {
    let mut story = Story::at("pai_gow_poker", edition, options);
    for body in aside {
        story.aside(body.clone());
    }
    let dealt = order.iter().flat_map(|&position| match position {
        0 => seven("dealer", None, None),
        seat => seven("seat", Some(seat), None),
    });
    let start = vec![bet("w", 2, "pai_gow_poker", 10000), closed()];
    let settled = vec![
        set("seat", Some(2), ACES_SET),
        set("dealer", None, NINES_SET),
        paid_less("w", 10000, 500),
    ];
    // Eight from the dealer is the dealer's own place.
    let shaken = match order.len() {
        7 => vec![dice([2, 3, 3])],
        _ => vec![],
    };
    story.round([start, shaken, dealt.collect(), settled].concat());
    found(&story)
}

#[test]
fn an_automated_shoe_goes_counterclockwise_in_ohio_whoever_tells_of_it() {
    const WRONG: [&str; 1] = ["pai_gow_poker.deal_direction"];
    let (right, left) = ([0, 1, 2, 3, 4, 5, 6], [0, 6, 5, 4, 3, 2, 1]);
    let shoe = |method: &str| {
        [json!({"type": "shoe_started", "shoe": "s", "set": "A", "decks": 1, "method": method})]
    };
    let told = |method: &str, order: &[u32]| {
        let codes = dealt_in("oh-jack-2017", json!({}), &shoe(method), order);
        let of_deal = |code: &String| code.starts_with("pai_gow_poker");
        codes.into_iter().filter(of_deal).collect::<Vec<_>>()
    };
    assert_eq!(told("auto_shoe", &right), NOTHING);
    assert_eq!(told("auto_shoe", &left), WRONG);
    assert_eq!(told("hand", &left), NOTHING);
    let posted = json!({"deal_method": "auto_shoe"});
    assert_eq!(dealt_in("oh-jack-2017", posted, &[], &left), WRONG);
}

#[test]
fn at_a_table_of_the_three_card_bonus_the_deal_goes_from_the_left_to_the_dealer() {
    let posted = || json!({"start_method": "left_first"});
    let dealt = |order: &[u32]| dealt_in("mgc-2017", posted(), &[], order);
    assert_eq!(dealt(&[2, 0]), NOTHING);
    let mut story = Story::at("pai_gow_poker", "mgc-2017", posted());
    let places = [6, 2, 4].map(|seat| seven("seat", Some(seat), None));
    let bets = [6, 2, 4].map(|seat| bet(&format!("w{seat}"), seat, "pai_gow_poker", 1000));
    let hands = [
        set("seat", Some(6), ACES_SET),
        set("seat", Some(2), "TS TD 7H 6C 3S | KS JD"),
        set("seat", Some(4), "8S 8D 7D 5C 4S | 3D 2C"),
        set("dealer", None, "9S 9D 4H 3C 2S | 8C 6D"),
    ];
    let payments = [
        paid_less("w6", 1000, 50),
        paid_less("w2", 1000, 50),
        collected("w4"),
    ];
    let dealer = seven("dealer", None, None);
    story.round(
        [
            &bets[..],
            &[closed()],
            &places.concat(),
            &dealer,
            &hands,
            &payments,
        ]
        .concat(),
    );
    assert_eq!(found(&story), ["pai_gow_poker.deal_direction"]);
}

/// A deal that was void by this, and what comes after it in the same round.
fn dealt_twice(kind: &str, ruling: &str, between: &[Value], again: bool, paid: i64) -> Vec<String> {
    let mut story = Story::at("pai_gow", "mgc-2017", json!({}));
    let void = json!({"type": "irregularity", "kind": kind, "ruling": ruling});
    let deal = || vec![tiles("dealer", None, None), tiles("seat", Some(1), None)];
    let start = vec![bet("w", 1, "pai_gow", 5000), closed(), dice([6, 6, 5])];
    let hands = vec![
        set("seat", Some(1), "6-6 6-3 | 4-4 5-2"),
        set("dealer", None, DEALER_SET),
        paid_less("w", paid, 250),
    ];
    let second = if again { deal() } else { vec![] };
    story.round([start, deal(), vec![void], between.to_vec(), second, hands].concat());
    found(&story)
}

#[test]
fn a_deal_that_was_void_may_be_dealt_again_in_the_same_round() {
    let shaken = [dice([6, 6, 5])];
    let again = |paid: i64| dealt_twice("dealer_tile_exposed", "all void", &shaken, true, paid);
    assert_eq!(again(5000), NOTHING);
    assert_eq!(again(5100), ["pay.over"]);
    let said = dealt_twice("wrong_start", "tiles reshuffled", &[], true, 5000);
    assert_eq!(said, NOTHING);
    // A round that goes on with the tiles that were void, or a deal that merely goes on.
    let kept = ["pay.over", "pai_gow.void_not_declared"];
    let played_on = |again: bool| dealt_twice("dealer_tile_exposed", "play on", &[], again, 5000);
    assert_eq!(played_on(false), kept);
    assert_eq!(played_on(true), kept);
}

#[test]
fn stacks_with_an_exposed_card_are_shuffled_and_not_delivered() {
    let told = |between: &[Value]| {
        let mut story = Story::at("pai_gow_poker", "mgc-2017", json!({}));
        let void = json!({"type": "irregularity", "kind": "stack_card_exposed", "ruling": "seen"});
        let start = vec![bet("w", 2, "pai_gow_poker", 10000), closed(), void];
        let dealt = [seven("seat", Some(2), None), seven("dealer", None, None)].concat();
        let settled = vec![
            set("seat", Some(2), ACES_SET),
            set("dealer", None, NINES_SET),
            paid_less("w", 10000, 500),
        ];
        story.round([start, between.to_vec(), dealt, settled].concat());
        let codes = found(&story);
        codes.contains(&"pai_gow_poker.void_not_declared".to_owned())
    };
    let shuffled =
        json!({"type": "shoe_started", "shoe": "s", "set": "A", "decks": 1, "method": "hand"});
    assert!(!told(&[shuffled]));
    assert!(told(&[dice([2, 3, 3])]));
}

#[test]
fn tiles_may_be_told_by_twos_and_named_when_they_are_turned() {
    let told = |deliveries: &[Value], turned: &[Value]| {
        let mut story = Story::at("pai_gow", "mgc-2017", json!({}));
        let start = [bet("w", 1, "pai_gow", 5000), closed()];
        let hands = [
            set("seat", Some(1), "6-6 6-3 | 4-4 5-2"),
            set("dealer", None, DEALER_SET),
        ];
        let settled = [paid_less("w", 5000, 250)];
        story.round([&start[..], deliveries, &hands, turned, &settled].concat());
        found(&story)
    };
    let unnamed = [tiles("dealer", None, None), tiles("seat", Some(1), None)];
    let twice = [&unnamed[..], &unnamed].concat();
    assert_eq!(told(&twice, &[]), NOTHING);
    let named = [
        tiles("dealer", None, Some(DEALER_TILES)),
        tiles("seat", Some(1), Some("6-6 6-3 4-4 5-2")),
    ];
    assert_eq!(told(&unnamed, &named), NOTHING);
}
