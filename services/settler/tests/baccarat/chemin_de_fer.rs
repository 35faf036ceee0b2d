//! Chemin de fer: the bank over several hands, and what only the order of events shows.

use catwalk_stories::{
    Story, bet, cards, closed, collected, irregularity, paid, paid_less, pushed,
};
use serde_json::{Value, json};

const NOTHING: [&str; 0] = [];

fn says(seat: u32, action: &str) -> Value {
    json!({"type": "decision", "seat": seat, "action": action})
}

fn bids(seat: u32, amount: i64) -> Value {
    json!({"type": "decision", "seat": seat, "action": "bid", "amount": amount})
}

fn lowered(id: &str, amount: i64) -> Value {
    json!({"type": "wager_changed", "wager": id, "amount": amount, "by": {"id": "d-1", "role": "dealer"}})
}

/// The Banker wins 8 to 6.
fn banker_wins(dominant: u32) -> Vec<Value> {
    let mut play = cards(&["player TS", "banker 4H", "player 6D", "banker 4C"]);
    play.push(says(dominant, "stay"));
    play
}

/// The Banker loses 6 to 7.
fn banker_loses(dominant: u32) -> Vec<Value> {
    let mut play = cards(&["player TS", "banker KH", "player 7D", "banker 6C"]);
    play.push(says(dominant, "stay"));
    play
}

/// Seat 1 banks for this much and seat 4 says banco.
fn banco(bank: i64, kind: &str, said: &[Value], wins: bool) -> Vec<Value> {
    let bets = [bet("k", 1, "bank", bank), bet("p", 4, kind, bank), closed()];
    let (play, payments) = match wins {
        true => (
            banker_wins(4),
            [collected("p"), paid_less("k", bank, bank / 20)],
        ),
        false => (banker_loses(4), [collected("k"), paid("p", bank)]),
    };
    [said, &bets, &play, &payments].concat()
}

fn table() -> Story {
    Story::at("chemin_de_fer", "mgc-2017", json!({}))
}

#[test]
fn the_stakes_of_a_partly_covered_bank_go_where_they_belong() {
    let bets = [
        bet("k", 1, "bank", 50000),
        bet("a", 4, "punt", 10000),
        bet("b", 6, "punt", 7500),
        closed(),
        lowered("k", 17500),
    ];
    let lost = [collected("k"), paid("a", 10000), paid("b", 7500)];
    let won = [collected("a"), collected("b"), paid_less("k", 17500, 875)];
    let mut story = table();
    story
        .round([&bets[..], &banker_loses(4), &lost].concat())
        .round([&bets[..], &banker_wins(4), &won].concat());
    // The second hand was banked by who lost the first.
    assert_eq!(story.codes(), ["chemin.bank_kept_after_loss"]);
    let returned = |round: usize| {
        let wagers = story.settled[round].wagers.iter();
        wagers.map(|w| w.returned.unwrap().get()).sum::<i64>()
    };
    assert_eq!([returned(0), returned(1)], [67500, 67500 - 875]);
}

#[test]
fn what_nobody_covers_goes_back_to_the_banker_before_the_cards() {
    let settled = |change: Option<i64>, after_cards: bool| {
        let bets = [
            bet("k", 1, "bank", 50000),
            bet("a", 4, "punt", 10000),
            closed(),
        ];
        let change: Vec<Value> = change.map(|to| lowered("k", to)).into_iter().collect();
        let (before, after) = match after_cards {
            true => (vec![], change),
            false => (change, vec![]),
        };
        let payments = [collected("a"), paid_less("k", 10000, 500)];
        let mut story = table();
        story.round([&bets[..], &before, &banker_wins(4), &after, &payments].concat());
        story
            .codes()
            .into_iter()
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    assert_eq!(settled(Some(10000), false), NOTHING);
    assert_eq!(settled(None, false), ["chemin.uncovered_not_withdrawn"]);
    assert_eq!(
        settled(Some(5000), false),
        ["wager.pinched", "chemin.uncovered_not_withdrawn"]
    );
    assert_eq!(
        settled(Some(10000), true),
        ["chemin.uncovered_not_withdrawn"]
    );
}

#[test]
fn a_feed_without_calls_tells_what_the_banker_placed_and_took_back() {
    let mut story = table();
    let hand = |wagers: &[Value], payments: &[Value]| [wagers, &banker_wins(4), payments].concat();
    story
        .round(hand(
            &[
                json!({"type": "decision", "seat": 1, "action": "bid", "amount": 50000}),
                bet("k", 1, "bank", 50000),
                bet("a", 4, "punt", 10000),
                lowered("k", 10000),
            ],
            &[collected("a"), paid_less("k", 10000, 500)],
        ))
        // Not twice the last bank, though six times what was covered of it.
        .round(hand(
            &[bet("k", 1, "bank", 60000), bet("a", 4, "banco", 60000)],
            &[collected("a"), paid_less("k", 60000, 3000)],
        ));
    assert_eq!(story.codes(), NOTHING);
}

#[test]
fn cards_are_told_with_the_seat_of_who_holds_them() {
    let dealt = |to: &str, seat: u32, card: &str| json!({"type": "card_dealt", "to": to, "seat": seat, "card": card, "face": "down"});
    let cards = [
        dealt("player", 4, "TS"),
        dealt("banker", 1, "4H"),
        dealt("player", 4, "6D"),
        dealt("banker", 1, "4C"),
    ];
    let bets = [
        bet("k", 1, "bank", 5000),
        bet("a", 4, "banco", 5000),
        closed(),
    ];
    let payments = [collected("a"), paid_less("k", 5000, 250)];
    let mut story = table();
    story.round([&bets[..], &cards, &payments].concat());
    assert_eq!(story.codes(), NOTHING);
}

#[test]
fn vigorish_is_taken_at_once_from_the_banker_alone() {
    let bets = [
        bet("k", 1, "bank", 5000),
        bet("a", 4, "banco", 5000),
        closed(),
    ];
    let settled = |cards: Vec<Value>, payments: &[Value]| {
        let mut story = table();
        story.round([&bets[..], &cards, payments].concat());
        let codes = story.codes().into_iter().map(str::to_owned);
        codes.collect::<Vec<_>>()
    };
    let wrong = ["vigorish.wrong", "commission.wrong"];
    let won = |vigorish: Value| {
        let paid =
            json!({"type": "wager_paid", "wager": "k", "amount": 5000, "commission": vigorish});
        settled(banker_wins(4), &[collected("a"), paid])
    };
    assert_eq!(won(json!(250)), NOTHING);
    assert_eq!(won(json!(200)), wrong);
    assert_eq!(won(Value::Null), wrong);
    let lost = cards(&["player TS", "banker KH", "player 7D", "banker 6C"]);
    let from_punter = [collected("k"), paid_less("a", 5000, 250)];
    assert_eq!(settled(lost, &from_punter), wrong);
}

#[test]
fn a_late_wager_covers_nothing() {
    let mut bodies = banco(20000, "banco", &[], false);
    bodies.push(bet("x", 5, "punt", 5000));
    bodies.push(pushed("x"));
    let mut story = table();
    story.round(bodies);
    assert_eq!(story.codes(), ["wager.late"]);
}

#[test]
fn a_banker_raises_his_wager_to_twice_the_last_at_most() {
    for (next, expected) in [
        (20000, &[] as &[&str]),
        (40000, &[]),
        (40500, &["chemin.bank_over_double"]),
        (19500, &["chemin.bank_below_previous"]),
    ] {
        let mut story = table();
        story
            .round(banco(20000, "banco", &[bids(1, 15000)], true))
            .round(banco(next, "banco_suivi", &[], true));
        assert_eq!(story.codes(), expected, "{next}");
    }
}

#[test]
fn an_opening_bid_is_kept() {
    let mut story = table();
    story.round(banco(20000, "banco", &[bids(1, 25000)], true));
    assert_eq!(story.codes(), ["chemin.bank_below_bid"]);
}

#[test]
fn suivi_is_for_who_lost_the_last_bank() {
    let mut story = table();
    story
        .round(banco(20000, "banco", &[], true))
        .round(banco(20000, "banco_suivi", &[], true));
    assert_eq!(story.codes(), NOTHING);
    let mut stranger = table();
    stranger.round(banco(20000, "banco_suivi", &[], true));
    assert_eq!(stranger.codes(), ["chemin.suivi_not_entitled"]);
}

#[test]
fn who_loses_with_the_bank_passes_it_until_a_new_shoe_is_auctioned() {
    let again = banco(20000, "banco", &[], true);
    let mut same = table();
    same.round(banco(20000, "banco", &[], false))
        .round(again.clone());
    assert_eq!(same.codes(), ["chemin.bank_kept_after_loss"]);
    let mut other_shoe = table();
    other_shoe
        .round_opened_with(json!({"shoe": "s1"}), banco(20000, "banco", &[], false))
        .round_opened_with(json!({"shoe": "s2"}), again);
    assert_eq!(other_shoe.codes(), NOTHING);
}

#[test]
fn who_passes_the_bank_does_not_bid_first() {
    let mut story = table();
    story
        .round(banco(20000, "banco", &[], true))
        .round(banco(
            5000,
            "banco",
            &[says(1, "pass"), bids(4, 4000), bids(1, 5000)],
            true,
        ))
        .round(banco(
            6000,
            "banco",
            &[says(1, "pass"), bids(1, 6000)],
            true,
        ));
    assert_eq!(story.codes(), ["chemin.passer_in_first_bidding"]);
    assert_eq!(story.findings[0].round.as_deref(), Some("r3"));
}

#[test]
fn a_banco_goes_before_partial_wagers() {
    let settled = |said: Vec<Value>| {
        let bets = [
            bet("k", 1, "bank", 10000),
            bet("a", 4, "punt", 10000),
            closed(),
        ];
        let payments = [collected("a"), paid_less("k", 10000, 500)];
        let mut story = table();
        story.round([&said[..], &bets, &banker_wins(4), &payments].concat());
        story
            .codes()
            .into_iter()
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    assert_eq!(settled(vec![]), NOTHING);
    assert_eq!(settled(vec![says(6, "banco")]), ["chemin.priority_ignored"]);
}

#[test]
fn a_wrong_order_of_the_deal_is_seen_or_was_ruled_upon() {
    let bets = [
        bet("k", 1, "bank", 10000),
        bet("a", 4, "banco", 10000),
        closed(),
    ];
    let wrong = cards(&["player TS", "player 6D", "banker 4H", "banker 4C"]);
    let mut seen = table();
    let payments = [collected("a"), paid_less("k", 10000, 500)];
    seen.round([&bets[..], &wrong, &[says(4, "stay")], &payments].concat());
    assert_eq!(seen.codes(), ["chemin.wrong_order"]);
    let mut ruled = table();
    let annulled = [
        irregularity("wrong_order", Value::Null),
        pushed("a"),
        pushed("k"),
    ];
    ruled.round([&bets[..], &wrong, &annulled].concat());
    assert_eq!(ruled.codes(), ["chemin.wrong_order"]);
    assert_eq!(ruled.settled[0].wagers[0].returned.unwrap().get(), 10000);
}

#[test]
fn a_hand_that_was_annulled_for_its_order_is_told_of_though_it_is_void() {
    let voided = |kind: &str| {
        let mut story = table();
        let bodies = [
            json!({"type": "round_opened"}),
            bet("k", 1, "bank", 10000),
            bet("a", 4, "banco", 10000),
            closed(),
            catwalk_stories::card("player", "TS"),
            catwalk_stories::card("player", "6D"),
            irregularity(kind, Value::Null),
            pushed("a"),
            pushed("k"),
            json!({"type": "round_voided"}),
        ];
        for body in bodies {
            story.of_round(1, body);
        }
        let codes = story.codes().into_iter();
        codes.map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(voided("wrong_order"), ["chemin.wrong_order"]);
    assert_eq!(voided("insufficient_cards"), NOTHING);
}

#[test]
fn the_dealer_repeats_what_others_say() {
    let settled = |said: &[Value]| {
        let bets = [
            bet("k", 1, "bank", 10000),
            bet("a", 4, "banco", 10000),
            closed(),
        ];
        // The Banker has a natural and the Player 3.
        let play = cards(&["player 2S", "banker 4H", "player AD", "banker 4C"]);
        let payments = [collected("a"), paid_less("k", 10000, 500)];
        let mut story = table();
        story.round([&bets[..], &play, said, &payments].concat());
        let codes = story.codes().into_iter();
        codes.map(str::to_owned).collect::<Vec<_>>()
    };
    let all = [
        says(4, "card"),
        says(0, "card"),
        says(1, "natural"),
        says(0, "natural"),
    ];
    assert_eq!(settled(&all), NOTHING);
    assert_eq!(settled(&[says(0, "card"), says(0, "natural")]), NOTHING);
    assert_eq!(settled(&all[2..]), NOTHING);
    assert_eq!(settled(&[says(4, "natural")]), ["chemin.illegal_decision"]);
}

#[test]
fn a_simulated_round_leaves_the_bank_as_it_was() {
    let simulated = || {
        let play = cards(&["player TS", "banker 4H", "player 6D", "banker 4C"]);
        [&[irregularity("simulated_round", Value::Null)], &play[..]].concat()
    };
    let mut kept = table();
    kept.round(banco(10000, "banco", &[], true))
        .round(simulated())
        .round(banco(20000, "banco_suivi", &[], true));
    assert_eq!(kept.codes(), NOTHING);
    let mut doubled = table();
    doubled
        .round(banco(10000, "banco", &[], true))
        .round(simulated())
        .round(banco(20001, "banco", &[], true));
    assert_eq!(doubled.codes()[0], "chemin.bank_over_double");
}

#[test]
fn cards_may_lie_face_down_until_they_are_turned() {
    let down = |to: &str| json!({"type": "card_dealt", "to": to, "face": "down"});
    let turned = |to: &str, index: u32, card: &str| json!({"type": "card_revealed", "to": to, "index": index, "card": card});
    let mut story = table();
    let bodies = vec![
        bet("k", 1, "bank", 10000),
        bet("a", 4, "banco", 10000),
        closed(),
        down("player"),
        down("banker"),
        down("player"),
        down("banker"),
        says(4, "card"),
        catwalk_stories::card("player", "5S"),
        turned("player", 0, "AS"),
        turned("player", 1, "KD"),
        turned("banker", 0, "7H"),
        turned("banker", 1, "KC"),
        collected("a"),
        paid_less("k", 10000, 500),
    ];
    story.round(bodies);
    assert_eq!(story.codes(), NOTHING);
}

#[test]
fn a_lost_bank_is_offered_counterclockwise() {
    let second = |refused: &[u32], bidder: Option<u32>| {
        let mut said: Vec<Value> = refused.iter().map(|&seat| says(seat, "decline")).collect();
        said.extend(bidder.map(|seat| bids(seat, 20000)));
        let bets = [
            bet("k", 5, "bank", 20000),
            bet("p", 4, "banco", 20000),
            closed(),
        ];
        let payments = [collected("p"), paid_less("k", 20000, 1000)];
        let mut story = table();
        story
            .round(banco(20000, "banco", &[], false))
            .round([&said[..], &bets, &banker_wins(4), &payments].concat());
        story
            .codes()
            .into_iter()
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    assert_eq!(second(&[], None), NOTHING);
    assert_eq!(second(&[2, 4], None), NOTHING);
    assert_eq!(second(&[6], None), ["chemin.bank_offered_wrong_way"]);
    assert_eq!(second(&[4, 2], None), ["chemin.bank_offered_wrong_way"]);
    // An auction goes to the highest bid, wherever it comes from.
    assert_eq!(second(&[6], Some(5)), NOTHING);
}

/// Hands that the first seat banks or another: the bank, its player, whether it wins, and where the
/// guest `eve` wagers beside.
fn with_eve(hands: &[(u32, &str, bool, Option<u32>)]) -> Vec<String> {
    let named = |mut bet: Value, player: &str| {
        bet["player"] = json!(player);
        bet
    };
    let mut story = table();
    for &(seat, banker, wins, eve) in hands {
        let mut bets = vec![named(bet("k", seat, "bank", 20000), banker)];
        bets.push(named(bet("p", 8, "punt", 10000), "punter"));
        bets.extend(eve.map(|seat| named(bet("e", seat, "punt", 10000), "eve")));
        if eve.is_none() {
            bets[1]["amount"] = json!(20000);
        }
        bets.push(closed());
        let others = || [Some("p"), eve.map(|_| "e")].into_iter().flatten();
        let stake = if eve.is_some() { 10000 } else { 20000 };
        let play = if wins {
            banker_wins(8)
        } else {
            banker_loses(8)
        };
        let mut play = play;
        play.last_mut().unwrap()["seat"] = json!(match eve {
            Some(at) if at > seat && at < 8 => at,
            _ => 8,
        });
        let payments: Vec<Value> = match wins {
            true => others()
                .map(collected)
                .chain([paid_less("k", 20000, 1000)])
                .collect(),
            false => [collected("k")]
                .into_iter()
                .chain(others().map(|id| paid(id, stake)))
                .collect(),
        };
        story.round([&bets[..], &play, &payments].concat());
    }
    story.codes().into_iter().map(str::to_owned).collect()
}

#[test]
fn who_changes_seats_to_bank_sooner_misses_that_turn() {
    // Seat 1 loses the bank. Eve sat at 6 and takes it there.
    assert_eq!(
        with_eve(&[(1, "ann", false, Some(6)), (6, "eve", true, None)]),
        NOTHING
    );
    assert_eq!(
        with_eve(&[(1, "ann", false, Some(6)), (2, "eve", true, None)]),
        ["chemin.seat_move_turn"]
    );
    // She moved a hand before the bank was lost.
    assert_eq!(
        with_eve(&[
            (1, "ann", true, Some(6)),
            (1, "ann", false, Some(2)),
            (2, "eve", true, None)
        ]),
        ["chemin.seat_move_turn"]
    );
    // The turn went over her; the next is hers.
    assert_eq!(
        with_eve(&[
            (1, "ann", true, Some(6)),
            (1, "ann", false, Some(2)),
            (3, "bob", false, Some(2)),
            (2, "eve", true, None)
        ]),
        NOTHING
    );
    // Moving away from the bank costs nothing.
    assert_eq!(
        with_eve(&[(1, "ann", false, Some(2)), (6, "eve", true, None)]),
        NOTHING
    );
}

#[test]
fn a_disclosed_card_goes_to_the_discards_with_as_many_as_the_rules_say() {
    let burned = |card: Option<&str>| json!({"type": "card_burned", "card": card});
    let found = |options: Value, kind: &str, card: &str, burns: &[Option<&str>]| {
        let mut first = banco(20000, "banco", &[], true);
        first.push(irregularity(kind, json!({"card": card})));
        let mut story = Story::at("chemin_de_fer", "mgc-2017", options);
        story.round(first);
        for card in burns {
            story.aside(burned(*card));
        }
        story.round(banco(20000, "banco", &[], true));
        story.codes().len()
    };
    let by_value = || json!({});
    let shown = |cards: usize| vec![Some("2C"); cards];
    assert_eq!(found(by_value(), "disclosed_card", "3H", &shown(3)), 0);
    assert_eq!(found(by_value(), "disclosed_card", "3H", &shown(2)), 1);
    assert_eq!(found(by_value(), "disclosed_card", "KH", &shown(10)), 0);
    assert_eq!(found(by_value(), "disclosed_card", "KH", &shown(1)), 1);
    let one = json!({"ten_value_burn": 1});
    assert_eq!(found(one, "disclosed_card", "KH", &shown(1)), 0);
    // The card itself may be told as burned; a burn that nobody tells of is not judged.
    let itself = [Some("2H"), Some("9C"), Some("4C")];
    assert_eq!(found(by_value(), "disclosed_card", "2H", &itself), 0);
    assert_eq!(found(by_value(), "disclosed_card", "2H", &itself[..1]), 1);
    assert_eq!(found(by_value(), "disclosed_card", "2H", &[]), 0);
    let face_down = || json!({"disclosed_card_procedure": "one_face_down"});
    assert_eq!(found(face_down(), "disclosed_card", "7H", &[None]), 0);
    assert_eq!(found(face_down(), "disclosed_card", "7H", &[Some("2C")]), 1);
    let simulated = || json!({"disclosed_card_procedure": "simulated_round"});
    assert_eq!(found(simulated(), "disclosed_card", "7H", &[None]), 1);
    // 11(j): as many as it counts, whatever the procedure; a ten goes alone.
    assert_eq!(found(face_down(), "face_up_card", "7H", &shown(7)), 0);
    assert_eq!(found(face_down(), "face_up_card", "7H", &[None]), 1);
    assert_eq!(found(by_value(), "face_up_card", "KH", &[Some("KH")]), 0);
    assert_eq!(
        found(by_value(), "face_up_card_in_shoe", "3H", &shown(2)),
        1
    );
}

#[test]
fn a_disposal_within_the_hand_is_judged_by_its_next_card() {
    let found = |burns: usize| {
        let mut bodies = vec![
            bet("k", 1, "bank", 10000),
            bet("a", 4, "banco", 10000),
            closed(),
            irregularity("face_up_card", json!("2H")),
        ];
        bodies.extend(vec![json!({"type": "card_burned"}); burns]);
        bodies.extend(banker_wins(4));
        bodies.extend([collected("a"), paid_less("k", 10000, 500)]);
        let mut story = table();
        story.round(bodies);
        story
            .codes()
            .into_iter()
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    assert_eq!(found(2), NOTHING);
    assert_eq!(found(3), ["chemin.disposal_wrong"]);
}

#[test]
fn an_irregularity_that_the_cards_contradict_is_told_and_decides_nothing() {
    let settled = |banker: &[&str], told: &str, payments: &[Value]| {
        let bets = [
            bet("k", 1, "bank", 10000),
            bet("a", 4, "banco", 10000),
            closed(),
        ];
        let first = cards(&["player KS", "banker 3H", "player 6D", "banker 4C"]);
        let more = cards(banker);
        let word = [says(4, "stay"), irregularity(told, Value::Null)];
        let mut story = table();
        story.round([&bets[..], &first, &more, &word, payments].concat());
        let codes = story.codes().into_iter();
        codes.map(str::to_owned).collect::<Vec<_>>()
    };
    let bank_wins = [collected("a"), paid_less("k", 10000, 500)];
    let two = ["banker 8S", "banker 5D"];
    let [drew, took] = ["chemin.banker_drew_in_error", "chemin.banker_two_third"];
    // Banker seven had to stand: of two cards neither is his.
    assert_eq!(settled(&two, "banker_two_third", &bank_wins), [drew, took]);
    assert_eq!(
        settled(&two[..1], "banker_two_third", &bank_wins),
        [drew, took]
    );
    assert_eq!(settled(&[], "insufficient_cards", &bank_wins), NOTHING);
    let back = [pushed("a"), pushed("k")];
    assert_eq!(
        settled(&[], "insufficient_cards", &back),
        ["pay.unpaid", "pay.uncollected"]
    );
}
