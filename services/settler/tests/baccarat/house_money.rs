//! House Money: settled before the third card, and its payout added to a wager.

use catwalk_stories::baccarat::{NOTHING, codes_of, hand, says, shoe, with_cards};
use catwalk_stories::{Story, bet, cards, collected, paid, paid_less, pushed};
use serde_json::{Value, json};

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
fn house_money_that_is_given_back_is_not_settled_late() {
    let bets = [bet("p", 1, "player", 1000), bet("h", 1, "house_money", 500)];
    let told = |options: Value, before: &[Value], after: &[Value]| {
        let pair = cards(&["player 2S", "banker KC", "player 2H", "banker 7D"]);
        let mut bodies = hand(&bets, pair, before);
        bodies.extend(cards(&["player 5C"]));
        bodies.extend_from_slice(after);
        codes_of(options, bodies)
    };
    let off = json!({"house_money": false});
    let back = [paid("p", 1000), pushed("h")];
    assert_eq!(told(off, &[], &back), ["wager.not_offered"]);
    // The shoe ran out before the Player's third card, and all is undone. With it nothing was wanting.
    let short = catwalk_stories::irregularity("insufficient_cards", Value::Null);
    let taken = json!({"type": "wager_collected", "wager": "h", "amount": 1500});
    let undone = [short, taken, pushed("h"), pushed("p")];
    let pair = cards(&["player 2S", "banker KC", "player 2H", "banker 7D"]);
    let ran_out = [&[paid("h", 1500)], &undone[..]].concat();
    assert_eq!(codes_of(json!({}), hand(&bets, pair, &ran_out)), NOTHING);
    let complete = told(json!({}), &[paid("h", 1500)], &undone);
    assert_eq!(complete, ["pay.unpaid", "pay.under"]);
    // What was paid too little in time is made good.
    let rest = [paid("h", 500), paid("p", 1000)];
    assert_eq!(told(json!({}), &[paid("h", 1000)], &rest), NOTHING);
    let late = [paid("h", 1500), paid("p", 1000)];
    assert_eq!(told(json!({}), &[], &late), ["house_money.settled_late"]);
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

/// A hand with a House Money payout of 1500 on a stake of 500, told with this before and after the
/// third card.
fn pressed(percent: i64, before: &[Value], after: &[Value]) -> Vec<String> {
    let bets = [bet("p", 1, "player", 1000), bet("h", 1, "house_money", 500)];
    let pair = cards(&["player 2S", "banker KC", "player 2H", "banker 7D"]);
    let mut bodies = hand(&bets, pair, before);
    bodies.extend(cards(&["player 5C"]));
    bodies.extend_from_slice(after);
    codes_of(json!({"house_money_press_percent": percent}), bodies)
}

#[test]
fn a_press_may_leave_out_what_the_seat_has_once() {
    let press = |on: Value, detail: Value| {
        json!({"type": "wager_placed", "wager": "x", "seat": 1, "kind": "house_money_press",
            "amount": 1500, "on": on, "detail": detail})
    };
    let after = [paid("p", 1000), paid("x", 1500)];
    for (on, detail) in [
        (json!("p"), json!({"from": "h"})),
        (json!("p"), json!("h")),
        (json!("p"), Value::Null),
        (Value::Null, Value::Null),
    ] {
        let press = press(on, detail);
        let told = [paid("h", 1500), press.clone()];
        assert_eq!(pressed(100, &told, &after), NOTHING, "{press}");
        // All of the payout was left with the dealer.
        assert_eq!(
            pressed(100, std::slice::from_ref(&press), &after),
            NOTHING,
            "{press}"
        );
        // What was added beyond the half is no wager.
        let codes = ["house_money.press_wrong_amount", "pay.over"];
        assert_eq!(pressed(50, &told, &after), codes, "{press}");
        let half = [paid("p", 1000), paid("x", 750)];
        assert_eq!(pressed(50, &told, &half), codes[..1], "{press}");
    }
}

#[test]
fn a_press_may_name_the_side_that_it_is_added_to() {
    // The seat has both sides; only the Player wins.
    let told = |on: Value, detail: Value, payments: &[Value]| {
        let press = json!({"type": "wager_placed", "wager": "x", "seat": 1,
            "kind": "house_money_press", "amount": 1500, "on": on, "detail": detail});
        let bets = [
            bet("b", 1, "banker", 700),
            bet("p", 1, "player", 1000),
            bet("h", 1, "house_money", 500),
        ];
        let pair = cards(&["player 2S", "banker KC", "player 2H", "banker 7D"]);
        let mut bodies = hand(&bets, pair, &[paid("h", 1500), press]);
        bodies.extend(cards(&["player 5C"]));
        bodies.extend_from_slice(payments);
        codes_of(json!({}), bodies)
    };
    let won = [collected("b"), paid("p", 1000), paid("x", 1500)];
    let lost = [collected("b"), collected("x"), paid("p", 1000)];
    for (on, detail) in [
        (json!("player"), json!({"from": "house_money"})),
        (json!("player"), Value::Null),
        (Value::Null, json!({"on": "player", "from": "h"})),
        (Value::Null, json!({"on": "p"})),
    ] {
        assert_eq!(told(on.clone(), detail.clone(), &won), NOTHING);
        assert_eq!(told(on, detail, &lost), ["pay.unpaid"]);
    }
    assert_eq!(told(json!("banker"), Value::Null, &lost), NOTHING);
    assert_eq!(told(json!("banker"), Value::Null, &won), ["pay.undue"]);
}

#[test]
fn what_is_left_of_a_payout_may_be_told_as_paid() {
    let press = |amount: i64| {
        vec![json!({"type": "wager_placed", "wager": "x", "seat": 1,
            "kind": "house_money_press", "amount": amount, "on": "p", "detail": {"from": "h"}})]
    };
    let told = |percent: i64, rest: i64, added: i64| {
        let before = [vec![paid("h", rest)], press(added)].concat();
        pressed(percent, &before, &[paid("p", 1000), paid("x", added)])
    };
    assert_eq!(told(50, 750, 750), NOTHING);
    assert_eq!(told(50, 1500, 750), NOTHING);
    assert_eq!(told(30, 1050, 450), NOTHING);
    assert_eq!(told(50, 500, 750), ["pay.under"]);
    assert_eq!(told(50, 1000, 750), ["pay.under"]);
}

#[test]
fn a_press_may_be_told_as_a_raise() {
    let raised = |to: i64| {
        let by = json!({"id": "d-1", "role": "dealer"});
        json!({"type": "wager_changed", "wager": "p", "amount": to, "by": by})
    };
    let capped = ["wager.capped"];
    let won = paid("h", 1500);
    let told = [won.clone(), raised(2500)];
    assert_eq!(pressed(100, &told, &[paid("p", 2500)]), NOTHING);
    assert_eq!(
        pressed(50, &[won.clone(), raised(1750)], &[paid("p", 1750)]),
        NOTHING
    );
    // Not the filed portion, before the payout, twice, or after the third card.
    assert_eq!(pressed(50, &told, &[paid("p", 1000)]), capped);
    let too_soon = [raised(2500), won.clone()];
    assert_eq!(pressed(100, &too_soon, &[paid("p", 1000)]), capped);
    let twice = [won.clone(), raised(2500), raised(4000)];
    assert_eq!(pressed(100, &twice, &[paid("p", 2500)]), capped);
    let after = [raised(2500), paid("p", 1000)];
    assert_eq!(pressed(100, &[won], &after), capped);
}

#[test]
fn a_press_comes_before_the_third_card() {
    let press = json!({"type": "wager_placed", "wager": "x", "seat": 1, "kind": "house_money_press",
        "amount": 1500, "on": "p", "detail": {"from": "h"}});
    let after = [press, paid("p", 1000), paid("x", 1500)];
    assert_eq!(pressed(100, &[paid("h", 1500)], &after), ["wager.late"]);
}

/// A hand with a main wager of 1000, to which a payout of 1500 is added and told as a wager of its own, with
/// these payments at its end. The Player has a pair of twos and wins 9 to 7, the Banker 7 to 5, or both have 7.
fn stacked(options: Value, main: &str, third: &str, payments: &[Value]) -> Story {
    let press = json!({"type": "wager_placed", "wager": "x", "seat": 1, "kind": "house_money_press",
        "amount": 1500, "on": "m", "detail": {"from": "h"}});
    let bets = [bet("m", 1, main, 1000), bet("h", 1, "house_money", 500)];
    let pair = cards(&["player 2S", "banker KC", "player 2H", "banker 7D"]);
    let mut bodies = hand(&bets, pair, &[paid("h", 1500), press]);
    bodies.extend(cards(&[&format!("player {third}")]));
    bodies.extend_from_slice(payments);
    let mut story = with_cards(options, 1, None);
    story.aside(shoe(1, 20)).round(bodies);
    story
}

const BANKER_WINS: &str = "AC";
const PLAYER_WINS: &str = "5C";
const NOBODY_WINS: &str = "3C";

#[test]
fn a_stack_is_paid_in_one_sum() {
    let told = |main: &str, third: &str, payments: &[Value]| {
        let story = stacked(json!({"decks": 6}), main, third, payments);
        let found = story.findings.iter();
        found
            .map(|found| {
                let wager = found.wager.clone().unwrap_or_default();
                (found.code.clone(), wager, found.exposure.get())
            })
            .collect::<Vec<_>>()
    };
    let taken = |part: Value| json!({"type": "wager_collected", "wager": "m", "amount": part});
    let left = |part: Value| json!({"type": "wager_pushed", "wager": "m", "amount": part});
    let charge = |wager: &str, amount: i64| json!({"type": "commission_collected", "wager": wager, "amount": amount});
    // In one sum, in two, or with all vigorish named on one of them.
    for payments in [
        vec![paid("m", 2500)],
        vec![paid("m", 1000), paid("x", 1500)],
        vec![paid("m", 1000), paid("m", 1500)],
    ] {
        assert_eq!(told("player", PLAYER_WINS, &payments), []);
    }
    for payments in [
        vec![paid_less("m", 2500, 125)],
        vec![paid("m", 2500), charge("m", 125)],
        vec![paid("m", 2375)],
        vec![paid_less("m", 1000, 125), paid("x", 1500)],
        vec![paid_less("m", 1000, 50), paid_less("x", 1500, 75)],
    ] {
        assert_eq!(told("banker", BANKER_WINS, &payments), []);
    }
    for payments in [
        vec![collected("m")],
        vec![taken(json!(2500))],
        vec![collected("m"), collected("x")],
    ] {
        assert_eq!(told("banker", PLAYER_WINS, &payments), []);
    }
    for payments in [vec![pushed("m")], vec![left(json!(2500))], vec![]] {
        assert_eq!(told("banker", NOBODY_WINS, &payments), []);
    }
    let one = |code: &str, wager: &str, exposure: i64| {
        vec![(code.to_owned(), wager.to_owned(), exposure)]
    };
    for (payment, expected) in [
        (paid("m", 2600), one("pay.over", "m", 100)),
        (paid("m", 2400), one("pay.under", "m", -100)),
        (paid("m", 1700), one("pay.under", "m", -800)),
        (paid("m", 5000), one("pay.over", "m", 2500)),
        (paid("m", 1000), one("pay.unpaid", "x", -1500)),
    ] {
        let found = told("player", PLAYER_WINS, std::slice::from_ref(&payment));
        assert_eq!(found, expected, "{payment}");
    }
    for (payment, expected) in [
        (paid_less("m", 2500, 100), one("commission.wrong", "x", 25)),
        (paid_less("m", 2500, 50), one("commission.wrong", "x", 75)),
        (paid_less("m", 2600, 125), one("pay.over", "m", 100)),
        (paid("m", 2475), one("pay.over", "m", 100)),
    ] {
        let found = told("banker", BANKER_WINS, std::slice::from_ref(&payment));
        assert_eq!(found, expected, "{payment}");
    }
    let part = told("banker", PLAYER_WINS, &[taken(json!(1000))]);
    assert_eq!(part, one("pay.uncollected", "x", 1500));
    let some = told("banker", PLAYER_WINS, &[taken(json!(2000))]);
    assert_eq!(some, one("pay.uncollected", "x", 500));
    let undue = told("banker", PLAYER_WINS, &[paid("m", 2500)]);
    assert_eq!(undue.iter().map(|(_, _, lost)| lost).sum::<i64>(), 5000);
}

#[test]
fn a_press_that_is_left_shows_where_others_are_taken_by_name() {
    let press = |seat: u32, on: &str, from: &str| {
        json!({"type": "wager_placed", "wager": format!("x{seat}"), "seat": seat,
            "kind": "house_money_press", "amount": 1500, "on": on, "detail": {"from": from}})
    };
    let told = |payments: &[Value]| {
        let bets = [
            bet("a", 1, "banker", 1000),
            bet("b", 2, "banker", 1000),
            bet("h", 1, "house_money", 500),
            bet("i", 2, "house_money", 500),
        ];
        let pair = cards(&["player 2S", "banker KC", "player 2H", "banker 7D"]);
        let added = [press(1, "a", "h"), press(2, "b", "i")];
        let settled = [paid("h", 1500), paid("i", 1500)];
        let mut bodies = hand(&bets, pair, &[settled, added].concat());
        bodies.extend(cards(&["player 5C"]));
        bodies.extend_from_slice(payments);
        codes_of(json!({}), bodies)
    };
    let stacks = [collected("a"), collected("b")];
    assert_eq!(told(&stacks), NOTHING);
    let all = [&stacks[..], &[collected("x1"), collected("x2")]].concat();
    assert_eq!(told(&all), NOTHING);
    assert_eq!(told(&all[..3]), ["pay.uncollected"]);
}

#[test]
fn vigorish_on_a_stack_is_marked_whole() {
    let owing = || {
        let options = json!({"vigorish_collection": "deferred", "decks": 6});
        stacked(options, "banker", BANKER_WINS, &[paid("m", 2500)])
    };
    let marker =
        |amount: i64| json!({"type": "commission_collected", "wager": "m", "amount": amount});
    let closed = || json!({"type": "table_closed", "closing_inventory": 5000000});
    let mut collected = owing();
    collected.aside(marker(125)).aside(closed());
    assert_eq!(collected.codes(), NOTHING);
    let mut left = owing();
    left.aside(marker(50)).aside(closed());
    let finding = left.finding("vigorish.outstanding");
    assert_eq!((finding.seat, finding.exposure.get()), (Some(1), 75));
    assert_eq!(left.codes().len(), 1);
}

#[test]
fn a_press_may_be_no_more_than_a_word() {
    let says = |amount: Option<i64>| json!({"type": "decision", "seat": 1, "action": "press", "amount": amount});
    let won = paid("h", 1500);
    let raised = json!({"type": "wager_changed", "wager": "p", "amount": 2500,
        "by": {"id": "d-1", "role": "dealer"}});
    let placed = json!({"type": "wager_placed", "wager": "x", "seat": 1, "kind": "house_money_press",
        "amount": 1500, "on": "p", "detail": {"from": "h"}});
    for amount in [Some(1500), None] {
        let told = [won.clone(), says(amount)];
        assert_eq!(pressed(100, &told, &[paid("p", 2500)]), NOTHING);
        assert_eq!(pressed(100, &told, &[paid("p", 2400)]), ["pay.under"]);
        assert_eq!(pressed(100, &told, &[paid("p", 2600)]), ["pay.over"]);
        // The word may come beside another telling of the same press.
        let told = [won.clone(), says(amount), raised.clone()];
        assert_eq!(pressed(100, &told, &[paid("p", 2500)]), NOTHING);
        let told = [won.clone(), says(amount), placed.clone()];
        let both = [paid("p", 1000), paid("x", 1500)];
        assert_eq!(pressed(100, &told, &both), NOTHING);
    }
    // A word after the third card adds nothing.
    let after = [says(Some(1500)), paid("p", 2500)];
    assert_eq!(
        pressed(100, std::slice::from_ref(&won), &after),
        ["pay.over"]
    );
    let wrong = ["house_money.press_wrong_amount"];
    let told = [won, says(Some(1500))];
    assert_eq!(pressed(50, &told, &[paid("p", 1750)]), wrong);
    let whole = pressed(50, &told, &[paid("p", 2500)]);
    assert_eq!(whole, [wrong[0], "pay.over"]);
}

#[test]
fn a_press_beyond_the_payout_is_at_risk_for_the_payout_alone() {
    let press = json!({"type": "wager_placed", "wager": "x", "seat": 4, "kind": "house_money_press",
        "amount": 2000, "on": "b", "detail": {"from": "h"}});
    let taken =
        |id: &str, amount: i64| json!({"type": "wager_collected", "wager": id, "amount": amount});
    let told = |third: &str, payments: &[Value]| {
        let bets = [bet("h", 4, "house_money", 200), bet("b", 4, "banker", 1000)];
        let pair = cards(&["player 2S", "banker 7D", "player 2H", "banker KH"]);
        let mut bodies = hand(&bets, pair, &[paid("h", 600), press.clone()]);
        bodies.extend(cards(&[third]));
        bodies.extend_from_slice(payments);
        codes_of(json!({}), bodies)
    };
    let amount = "house_money.press_wrong_amount";
    // 9 to 7: of the 2000 that were added, 600 are lost and 1400 go back.
    let lost =
        |taken_of_press: i64| told("player 5C", &[taken("b", 1000), taken("x", taken_of_press)]);
    assert_eq!(lost(600), [amount]);
    assert_eq!(lost(2000), [amount, "pay.under"]);
    // 5 to 7: 600 win, and vigorish is owed on them.
    let won = |win: i64, vigorish: i64| {
        told(
            "player AC",
            &[paid_less("b", 1000, 50), paid_less("x", win, vigorish)],
        )
    };
    assert_eq!(won(600, 30), [amount]);
    assert_eq!(won(2000, 100), [amount, "pay.over"]);
}
