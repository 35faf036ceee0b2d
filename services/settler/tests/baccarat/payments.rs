//! What is paid and charged at the baccarat games: its order, and vigorish that is owed.

use catwalk_stories::baccarat::{NOTHING, banker_wins, codes_of, hand, says, shoe, with_cards};
use catwalk_stories::{Story, bet, cards, collected, paid, paid_less, pushed};
use serde_json::{Value, json};

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

#[test]
fn ohio_collects_all_losers_before_it_pays_where_a_bonus_lost() {
    let settled = |order: &str, loses: bool, payments: &str| {
        let options = json!({"bonus_settlement_order": order});
        let mut story = Story::at("minibaccarat", "oh-jack-2017", options);
        let mut bets = vec![
            bet("a", 1, "banker", 1000),
            bet("x", 1, "dragon_bonus_banker", 500),
            bet("b", 3, "player", 1000),
        ];
        bets.extend(loses.then(|| bet("y", 3, "dragon_bonus_player", 500)));
        let payment = |id: char| match id {
            'a' => paid_less("a", 1000, 50),
            'x' => paid("x", 500),
            loser => collected(&loser.to_string()),
        };
        let payments: Vec<Value> = payments.chars().map(payment).collect();
        let cards = cards(&["player 5S", "banker 4C", "player AH", "banker 4D"]);
        story.round(hand(&bets, cards, &payments));
        story.codes().len()
    };
    // The bonuses are settled first, and then the main wagers; or one player after the other.
    assert_eq!(settled("all_bonus_first", false, "xba"), 0);
    assert_eq!(settled("all_bonus_first", false, "xab"), 1);
    assert_eq!(settled("per_player", false, "xab"), 0);
    assert_eq!(settled("all_bonus_first", true, "ybxa"), 0);
    assert_eq!(settled("all_bonus_first", true, "yxba"), 1);
    assert_eq!(settled("per_player", true, "yxab"), 1);
}

#[test]
fn a_winner_that_was_taken_by_mistake_is_given_back_and_paid() {
    let settled = |payments: &[Value]| {
        let bets = [bet("b", 1, "banker", 1000)];
        codes_of(json!({}), hand(&bets, banker_wins(), payments))
    };
    let won = paid_less("b", 1000, 50);
    let made_good = [collected("b"), pushed("b"), won.clone()];
    assert_eq!(settled(&made_good), NOTHING);
    assert_eq!(settled(&[collected("b"), won]), ["pay.under"]);
}

#[test]
fn a_payment_that_is_made_good_is_not_out_of_order() {
    let bets = [bet("a", 1, "banker", 1000), bet("b", 4, "banker", 2000)];
    let payments = [
        paid("b", 1000),
        paid_less("a", 1000, 50),
        paid_less("b", 1000, 100),
    ];
    assert_eq!(
        codes_of(json!({}), hand(&bets, banker_wins(), &payments)),
        NOTHING
    );
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
fn a_tie_charged_a_quarter_may_be_told_as_a_push_and_a_charge() {
    let options = json!({"vigorish_type": "tie_25pct"});
    let bets = [bet("b", 1, "banker", 8000)];
    let tie = || cards(&["player 7S", "banker 9C", "player JH", "banker 8D"]);
    let charge = json!({"type": "commission_collected", "wager": "b", "amount": 2000});
    for payments in [
        vec![pushed("b"), charge],
        vec![json!({"type": "commission_collected", "wager": "b", "amount": 2000})],
        vec![json!({"type": "wager_pushed", "wager": "b", "amount": 6000})],
    ] {
        let mut story = Story::at("minibaccarat", "oh-jack-2017", options.clone());
        story.round(hand(&bets, tie(), &payments));
        assert_eq!(story.codes(), NOTHING);
    }
}

#[test]
fn a_tie_that_is_not_charged_its_quarter_is_vigorish_not_taken() {
    let told = |payments: &[Value]| {
        let options = json!({"vigorish_type": "tie_25pct"});
        let mut story = Story::at("minibaccarat", "oh-jack-2017", options);
        let tie = cards(&["player 7S", "banker 9C", "player JH", "banker 8D"]);
        story.round(hand(&[bet("b", 1, "banker", 8000)], tie, payments));
        let found = story.finding("commission.wrong");
        assert_eq!(story.codes().len(), 1);
        (
            found.due.unwrap().get(),
            found.paid.unwrap().get(),
            found.exposure.get(),
        )
    };
    let charge =
        |amount: i64| json!({"type": "commission_collected", "wager": "b", "amount": amount});
    assert_eq!(told(&[pushed("b")]), (2000, 0, 2000));
    assert_eq!(told(&[]), (2000, 0, 2000));
    assert_eq!(told(&[pushed("b"), charge(400)]), (2000, 400, 1600));
    assert_eq!(told(&[charge(2500)]), (2000, 2500, -500));
}

#[test]
fn a_tie_that_is_charged_later_is_owed_until_then() {
    let owing = || {
        let options = json!({"vigorish_type": "tie_25pct", "vigorish_collection": "deferred"});
        let mut story = Story::at("minibaccarat", "oh-jack-2017", options);
        let tie = cards(&["player 7S", "banker 9C", "player JH", "banker 8D"]);
        story.round(hand(&[bet("b", 1, "banker", 8000)], tie, &[pushed("b")]));
        story
    };
    let closed = json!({"type": "table_closed", "closing_inventory": 5000000});
    let charge = json!({"type": "commission_collected", "wager": "b", "amount": 2000});
    let mut collected = owing();
    collected.aside(charge).aside(closed.clone());
    assert_eq!(collected.codes(), NOTHING);
    let mut left = owing();
    left.aside(closed);
    assert_eq!(left.finding("vigorish.outstanding").exposure.get(), 2000);
    assert_eq!(left.codes().len(), 1);
}

/// Fifty hands with a wager on the Banker, told by their number, what is collected then, and the codes
/// that a count of the tray gives.
fn counted(
    story: Story,
    told: impl Fn(u32) -> Vec<Value>,
    collected: &[Value],
    tray: i64,
) -> Vec<String> {
    let mut story = story;
    story.aside(json!({"type": "buy_in", "seat": 1, "amount": 100000, "form": "cash"}));
    for number in 0..50 {
        story.round(told(number));
    }
    for body in collected {
        story.aside(body.clone());
    }
    story.aside(json!({"type": "inventory_counted", "amount": tray}));
    story.codes().into_iter().map(str::to_owned).collect()
}

#[test]
fn vigorish_that_is_marked_is_in_the_tray_when_it_is_collected() {
    let options = || json!({"vigorish_collection": "deferred"});
    let at = || Story::at("minibaccarat", "mgc-2017", options());
    let wins = |_| {
        hand(
            &[bet("w", 3, "banker", 1000)],
            banker_wins(),
            &[paid("w", 1000)],
        )
    };
    let open = 5_000_000 - 100_000 - 50 * 1000;
    assert_eq!(counted(at(), wins, &[], open), NOTHING);
    let all = [marker_paid(2500)];
    assert_eq!(counted(at(), wins, &all, open + 2500), NOTHING);
    assert_eq!(counted(at(), wins, &all, open), ["tray.short"]);
    // Some take it out of the payment, or have it told with it.
    let at_once = |number: u32| match number % 3 {
        0 => hand(
            &[bet("w", 3, "banker", 1000)],
            banker_wins(),
            &[paid_less("w", 1000, 50)],
        ),
        1 => hand(
            &[bet("w", 3, "banker", 1000)],
            banker_wins(),
            &[paid("w", 950)],
        ),
        _ => wins(number),
    };
    let most = open + 34 * 50;
    assert_eq!(counted(at(), at_once, &[], most), NOTHING);
    assert_eq!(
        counted(at(), at_once, &[marker_paid(800)], most + 800),
        NOTHING
    );
    assert_eq!(counted(at(), at_once, &[], most + 800), ["tray.over"]);
}

#[test]
fn chips_that_are_paid_before_others_are_taken_are_in_the_tray_all_the_same() {
    let at = || Story::at("minibaccarat", "mgc-2017", json!({}));
    let told = |number: u32| {
        let mut settled = [collected("p"), paid_less("w", 1000, 50)];
        if number == 7 {
            settled.reverse();
        }
        let bets = [bet("w", 3, "banker", 1000), bet("p", 4, "player", 1000)];
        hand(&bets, banker_wins(), &settled)
    };
    let tray = 5_000_000 - 100_000 + 50 * 50;
    assert_eq!(counted(at(), told, &[], tray), ["settle.order"]);
    let with_more = counted(at(), told, &[], tray + 800);
    assert_eq!(with_more, ["settle.order", "tray.over"]);
}

#[test]
fn a_tie_that_is_charged_at_once_is_not_marked_beside() {
    let options = json!({"vigorish_type": "tie_25pct", "vigorish_collection": "deferred"});
    let at = || Story::at("minibaccarat", "oh-jack-2017", options.clone());
    let tie = || cards(&["player 7S", "banker 9C", "player JH", "banker 8D"]);
    let ties = |number: u32| {
        let left = match number % 2 {
            0 => json!({"type": "wager_pushed", "wager": "w", "amount": 6000}),
            _ => pushed("w"),
        };
        hand(&[bet("w", 3, "banker", 8000)], tie(), &[left])
    };
    let open = 5_000_000 - 100_000 + 25 * 2000;
    assert_eq!(counted(at(), ties, &[], open), NOTHING);
    let rest = [marker_paid(50_000)];
    assert_eq!(counted(at(), ties, &rest, open + 50_000), NOTHING);
    assert_eq!(counted(at(), ties, &rest, open), ["tray.short"]);
}

#[test]
fn vigorish_of_an_earlier_hand_may_be_collected_in_the_next() {
    let options = json!({"vigorish_collection": "deferred"});
    let at = || Story::at("minibaccarat", "mgc-2017", options.clone());
    // Only the last hand's is still owed when the tray is counted.
    let told = |number: u32| {
        let (last, now) = (format!("w{number}"), format!("w{}", number + 1));
        let mut told = hand(
            &[bet(&now, 3, "banker", 1000)],
            banker_wins(),
            &[paid(&now, 1000)],
        );
        if number > 0 {
            told.insert(
                0,
                json!({"type": "commission_collected", "wager": last, "amount": 50}),
            );
        }
        told
    };
    let tray = 5_000_000 - 100_000 - 50 * 1000 + 49 * 50;
    assert_eq!(counted(at(), told, &[], tray), NOTHING);
    assert_eq!(counted(at(), told, &[], tray + 50), ["tray.over"]);
}

#[test]
fn who_leaves_in_the_course_of_a_hand_pays_what_he_owes() {
    let leaves = |seat: u32, before: &[Value]| {
        let mut story = owing();
        for body in before {
            story.aside(body.clone());
        }
        let bodies = [says(seat, "leave"), collected("p")];
        story.round(hand(&[bet("p", 1, "player", 1000)], banker_wins(), &bodies));
        story
            .codes()
            .into_iter()
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    assert_eq!(leaves(2, &[]), NOTHING);
    assert_eq!(leaves(3, &[marker_paid(700)]), NOTHING);
    assert_eq!(leaves(3, &[marker_paid(500)]), ["vigorish.outstanding"]);
}

#[test]
fn who_leaves_pays_what_he_owes() {
    let leaves = |seat: u32| {
        let mut story = owing();
        story.aside(says(seat, "leave"));
        story
    };
    assert_eq!(leaves(2).codes(), NOTHING);
    let mut left = leaves(3);
    left.aside(json!({"type": "table_closed", "closing_inventory": 5000000}));
    let finding = left.finding("vigorish.outstanding");
    assert_eq!((finding.seat, finding.exposure.get()), (Some(3), 700));
}

#[test]
fn nothing_is_paid_on_a_wager_that_is_not_made() {
    let told = |bodies: &[Value]| {
        let bets = [
            &[bet("b", 1, "banker", 1000), bet("x", 2, "banker", 500)],
            bodies,
        ]
        .concat();
        let payments = [paid_less("x", 500, 25), paid_less("b", 1000, 50)];
        codes_of(json!({}), hand(&bets, banker_wins(), &payments))
    };
    assert_eq!(told(&[]), NOTHING);
    let back =
        json!({"type": "wager_removed", "wager": "x", "by": {"id": "d-1", "role": "dealer"}});
    assert_eq!(told(&[back]), ["pay.undue"]);
    // A feed that tells of no wagers has none to hold against.
    let payments = [paid_less("b", 1000, 50)];
    assert_eq!(
        codes_of(json!({}), hand(&[], banker_wins(), &payments)),
        NOTHING
    );
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

#[test]
fn vigorish_that_is_collected_too_late_was_owed_all_the_same() {
    let mut story = with_cards(Value::Null, 2, Some(owing()));
    story.aside(shoe(2, 20)).aside(marker_paid(700));
    assert_eq!(story.codes(), ["vigorish.outstanding"]);
    // What is more than that was not.
    story.aside(marker_paid(50));
    assert_eq!(story.codes(), ["vigorish.outstanding", "commission.wrong"]);
}

#[test]
fn who_goes_may_be_told_in_other_words() {
    for word in ["leave", "leaves_table", "Left table", "departs"] {
        let mut story = owing();
        story.aside(says(3, word));
        assert_eq!(story.codes(), ["vigorish.outstanding"], "{word}");
    }
    let mut stays = owing();
    stays.aside(says(3, "sits down")).aside(marker_paid(700));
    assert_eq!(stays.codes(), NOTHING);
}

#[test]
fn vigorish_may_have_been_collected_in_events_that_are_missing() {
    let mut story = owing();
    story.lose().aside(json!({"type": "clock"}));
    let mut story = with_cards(Value::Null, 2, Some(story));
    story.aside(shoe(2, 20));
    // Until the missing event is given up.
    for _ in 0..300 {
        story.aside(json!({"type": "clock"}));
    }
    assert_eq!(story.codes(), ["feed.gap"]);
}

#[test]
fn a_collection_that_names_no_round_is_of_the_seat_that_owes_as_much() {
    // The name is that of seat 3 in the first hand, and of seat 5 in the second.
    let owing = || {
        let options = json!({"vigorish_collection": "deferred", "decks": 6});
        let mut story = with_cards(options, 1, None);
        story.aside(shoe(1, 20));
        for (seat, stake) in [(3, 10000), (5, 4000), (3, 2000)] {
            let bets = [bet("w", seat, "banker", stake)];
            story.round(hand(&bets, banker_wins(), &[paid("w", stake)]));
        }
        story
    };
    let owed = |amounts: &[i64]| {
        let mut story = owing();
        for amount in amounts {
            story.aside(marker_paid(*amount));
        }
        let mut story = with_cards(Value::Null, 2, Some(story));
        story.aside(shoe(2, 20));
        let found = story.findings.iter();
        let found = found.map(|found| (found.code.clone(), found.seat, found.exposure.get()));
        found.collect::<Vec<_>>()
    };
    assert_eq!(owed(&[200, 500, 100]), []);
    assert_eq!(owed(&[200, 600]), []);
    assert_eq!(owed(&[800]), []);
    let outstanding = |seat, amount| vec![("vigorish.outstanding".to_owned(), Some(seat), amount)];
    assert_eq!(owed(&[600]), outstanding(5, 200));
    assert_eq!(owed(&[200]), outstanding(3, 600));
}

#[test]
fn a_tie_is_due_eight_to_one_whatever_is_posted() {
    let eights = || cards(&["player 2S", "banker 8D", "player 6H", "banker TC"]);
    let tie = |win: i64| {
        let bets = [bet("t", 2, "tie", 1200)];
        codes_of(
            json!({"tie_pays": "6:1"}),
            hand(&bets, eights(), &[paid("t", win)]),
        )
    };
    assert_eq!(tie(9600), ["config.odds_below_minimum"]);
    assert_eq!(tie(7200), ["config.odds_below_minimum", "pay.under"]);
}

#[test]
fn half_a_deal_that_is_closed_is_told_once() {
    let bets = [bet("b", 1, "banker", 1000)];
    let closed = |more: &[Value]| {
        let half = cards(&["player 5S", "banker 3C", "player AH"]);
        codes_of(json!({}), hand(&bets, half, more))
    };
    assert_eq!(
        closed(&[paid_less("b", 1000, 50)]),
        ["baccarat.incomplete_deal"]
    );
    assert_eq!(closed(&[]), ["baccarat.incomplete_deal"]);
    let short = catwalk_stories::irregularity("insufficient_cards", Value::Null);
    assert_eq!(closed(&[short, pushed("b")]), NOTHING);
}

#[test]
fn a_seat_that_the_layout_does_not_have_is_told_once() {
    let told = |seat: u32| {
        let bets = [bet("b", seat, "banker", 1000)];
        codes_of(
            json!({}),
            hand(&bets, banker_wins(), &[paid_less("b", 1000, 50)]),
        )
    };
    assert_eq!(told(14), NOTHING);
    assert_eq!(told(15), ["table.seat"]);
}
