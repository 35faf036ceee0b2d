//! The pai gow games: what a wrong payment, offer or set of tiles is called, each with an honest twin.

#![allow(clippy::unwrap_used)]

mod story;

use serde_json::{Value, json};
use story::{Story, bet, closed, collected, irregularity, paid, paid_less, pushed};

const NOTHING: [&str; 0] = [];

fn says(seat: u32, action: &str) -> Value {
    json!({"type": "decision", "seat": seat, "action": action})
}

fn words(text: &str) -> Vec<&str> {
    text.split_whitespace().collect()
}

fn set(to: &str, seat: Option<u32>, text: &str) -> Value {
    let (high, low) = text.split_once('|').unwrap();
    json!({"type": "hand_set", "to": to, "seat": seat, "high": words(high), "low": words(low)})
}

/// A hand that lies face down until it is set.
fn seven(to: &str, seat: Option<u32>) -> Vec<Value> {
    let dealt = json!({"type": "card_dealt", "to": to, "seat": seat, "face": "down"});
    vec![dealt; 7]
}

const ACES: &str = "AS AD 9H 7C 5S | KC QD";
const FOULED_ACES: &str = "KC QD 9H 7C 5S | AS AD";
const NINES: &str = "9S 9D 4H 3C 2S | 8C 6D";
const FOUR_QUEENS: &str = "QS QD QC QH 5S | KC JD";
const FIVE_ACES: &str = "AS AH AD AC JK | 7D 2C";

/// Seat 2 against a dealer with these settings.
fn hands(player: &str, dealer: &str) -> Vec<Value> {
    let dealt = [seven("dealer", None), seven("seat", Some(2))].concat();
    let settings = vec![set("seat", Some(2), player), set("dealer", None, dealer)];
    [dealt, settings].concat()
}

fn round(bets: &[Value], play: Vec<Value>, payments: &[Value]) -> Vec<Value> {
    [bets, &[closed()], &play, payments].concat()
}

/// The codes of one round at a table of the poker game.
fn poker(options: Value, bets: &[Value], play: Vec<Value>, payments: &[Value]) -> Vec<String> {
    let mut story = Story::at("pai_gow_poker", "mgc-2017", options);
    let opened = json!({"meters": {"progressive": 1_500_000}});
    story.round_opened_with(opened, round(bets, play, payments));
    story.codes().into_iter().map(str::to_owned).collect()
}

fn free(bets: &[Value], play: Vec<Value>, payments: &[Value]) -> Vec<String> {
    let mut story = Story::at("commission_free_pai_gow_poker", "oh-jack-2017", json!({}));
    story.round(round(bets, play, payments));
    story.codes().into_iter().map(str::to_owned).collect()
}

fn main_bet() -> Value {
    bet("w", 2, "pai_gow_poker", 10000)
}

#[test]
fn a_fouled_hand_is_not_paid() {
    let play = || hands(FOULED_ACES, NINES);
    let at_poker = |payment: Value| poker(json!({}), &[main_bet()], play(), &[payment]);
    assert_eq!(at_poker(collected("w")), ["pai_gow_poker.fouled_hand"]);
    assert_eq!(
        at_poker(paid_less("w", 10000, 500)),
        [
            "pai_gow_poker.fouled_hand",
            "pay.undue",
            "pai_gow_poker.fouled_paid"
        ]
    );
    assert_eq!(
        free(&[main_bet()], play(), &[paid("w", 10000)]),
        [
            "commission_free_pai_gow_poker.fouled_hand",
            "pay.undue",
            "commission_free_pai_gow_poker.fouled_paid"
        ]
    );
    // A loser who was paid without a fouled hand is no such case.
    let beaten = hands("9S 9D 4H 3C 2S | 8C 6D", ACES);
    let undue = poker(
        json!({}),
        &[main_bet()],
        beaten,
        &[paid_less("w", 10000, 500)],
    );
    assert_eq!(undue, ["pay.undue"]);
}

#[test]
fn a_fouled_bank_is_set_again_and_not_lost() {
    let settled = |payments: &[Value]| {
        let mut story = Story::at("pai_gow_poker", "mgc-2017", json!({}));
        let first = [bet("a", 2, "pai_gow_poker", 10000)];
        story.round(round(
            &first,
            hands(ACES, NINES),
            &[paid_less("a", 10000, 500)],
        ));
        let bets = [
            json!({"type": "wager_placed", "wager": "k", "seat": 2, "kind": "bank", "amount": 0}),
            bet("w", 4, "pai_gow_poker", 10000),
        ];
        let dealt = [seven("seat", Some(2)), seven("seat", Some(4))].concat();
        let settings = vec![
            set("seat", Some(4), NINES),
            set("bank", Some(2), FOULED_ACES),
        ];
        story.round(round(&bets, [dealt, settings].concat(), payments));
        story
            .codes()
            .into_iter()
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    assert_eq!(
        settled(&[collected("w"), paid_less("k", 10000, 500)]),
        ["pai_gow_poker.bank_fouled"]
    );
    let lost = settled(&[paid_less("w", 10000, 500), collected("k")]);
    assert!(
        lost.contains(&"pai_gow_poker.bank_reset_missing".to_owned()),
        "{lost:?}"
    );
}

/// Seat 2 with four queens and a bonus wager of so much, and its envy marker.
fn queens(bonus: i64, options: Value, more: &[Value]) -> Vec<String> {
    let marker = json!({"type": "wager_placed", "wager": "e", "seat": 2, "kind": "envy", "amount": 0, "on": "b"});
    let bets = [main_bet(), bet("b", 2, "bonus", bonus), marker];
    let payments = [&[paid_less("w", 10000, 500)][..], more].concat();
    poker(options, &bets, hands(FOUR_QUEENS, NINES), &payments)
}

fn bonus_table() -> Value {
    json!({"side_bets": ["bonus"]})
}

#[test]
fn a_side_wager_is_paid_by_its_own_row() {
    assert_eq!(queens(500, bonus_table(), &[paid("b", 12500)]), NOTHING);
    assert_eq!(
        queens(500, bonus_table(), &[paid("b", 2500)]),
        ["pay.under", "payout.wrong_row"]
    );
    assert_eq!(
        queens(500, bonus_table(), &[paid("b", 12400)]),
        ["pay.under"]
    );
}

#[test]
fn envy_is_for_the_hands_of_others() {
    assert_eq!(
        queens(500, bonus_table(), &[paid("b", 12500), paid("e", 2000)]),
        ["pay.undue", "envy.own_hand_paid"]
    );
}

#[test]
fn no_more_is_paid_than_the_posted_limit() {
    let limited = || json!({"side_bets": ["bonus"], "max_payout_bonus": 4_000_000});
    assert_eq!(queens(400_000, limited(), &[paid("b", 4_000_000)]), NOTHING);
    assert_eq!(
        queens(400_000, limited(), &[paid("b", 10_000_000)]),
        ["pay.over", "payout.limit_exceeded"]
    );
}

#[test]
fn the_main_wager_is_paid_before_what_is_beside_it() {
    let bets = [main_bet(), bet("b", 2, "bonus", 400)];
    let order =
        |payments: [Value; 2]| poker(bonus_table(), &bets, hands(FOUR_QUEENS, NINES), &payments);
    let (main, bonus) = (paid_less("w", 10000, 500), paid("b", 10000));
    assert_eq!(order([main.clone(), bonus.clone()]), NOTHING);
    assert_eq!(order([bonus, main]), ["settle.order"]);
}

#[test]
fn a_share_of_the_meter_is_verified_and_comes_off_it() {
    let bets = [main_bet(), bet("j", 2, "progressive", 100)];
    let settled = |prize: Value, read: i64| {
        let read = json!({"type": "meter_read", "meter": "progressive", "amount": read});
        let payments = [pushed("w"), prize, read];
        poker(
            json!({}),
            &bets,
            hands(FIVE_ACES, "8S 8H 6C 3S 2H | QD JC"),
            &payments,
        )
    };
    let prize = |by: Option<&str>| {
        let mut prize = json!({"type": "jackpot_paid", "meter": "progressive", "wager": "j", "amount": 150_000});
        if let Some(role) = by {
            prize["by"] = json!({"id": "x", "role": role});
        }
        prize
    };
    assert_eq!(settled(prize(Some("floorperson")), 1_350_000), NOTHING);
    assert_eq!(settled(prize(None), 1_350_500), NOTHING);
    assert_eq!(
        settled(prize(Some("dealer")), 1_350_000),
        ["progressive.no_supervisor"]
    );
    assert_eq!(
        settled(prize(None), 1_500_000),
        ["progressive.meter_mismatch"]
    );
}

/// The dealer's low hand is nine-high.
const TIGER: &str = "KS KD 6H 4C 2S | 9D 8C";

#[test]
fn a_tiger_pushes_the_main_wager_and_nothing_else_does() {
    let bets = [main_bet()];
    let tiger = |payment: Value| free(&bets, hands(ACES, TIGER), &[payment]);
    assert_eq!(tiger(pushed("w")), NOTHING);
    assert_eq!(
        tiger(paid("w", 10000)),
        ["pay.over", "payout.tiger_ignored"]
    );
    let other = |payment: Value| free(&bets, hands(ACES, NINES), &[payment]);
    assert_eq!(other(paid("w", 10000)), NOTHING);
    assert_eq!(other(pushed("w")), ["pay.unpaid", "payout.tiger_ignored"]);
}

#[test]
fn a_tiger_9_wager_is_paid_on_a_tiger() {
    let bets = [main_bet(), bet("t", 2, "tiger_9", 500)];
    let settled =
        |dealer: &str, main: Value, tiger: Value| free(&bets, hands(ACES, dealer), &[main, tiger]);
    assert_eq!(settled(NINES, paid("w", 10000), collected("t")), NOTHING);
    assert_eq!(
        settled(TIGER, pushed("w"), collected("t")),
        ["pay.unpaid", "payout.tiger_9_wrong"]
    );
}

#[test]
fn the_commission_free_game_takes_no_vigorish() {
    let bets = [main_bet()];
    let settled = |payment: Value| free(&bets, hands(ACES, NINES), &[payment]);
    assert_eq!(settled(paid("w", 10000)), NOTHING);
    assert_eq!(
        settled(paid_less("w", 10000, 500)),
        ["payout.commission_taken", "commission.wrong"]
    );
}

#[test]
fn hands_are_dealt_clockwise_in_massachusetts() {
    // Told from the dealer around the table: all seven positions.
    let around = |positions: [u32; 7]| {
        let dealt = positions.into_iter().flat_map(|position| match position {
            0 => seven("dealer", None),
            seat => seven("seat", Some(seat)),
        });
        let settings = [set("seat", Some(2), ACES), set("dealer", None, NINES)];
        // Eight from the dealer is the dealer's own place.
        let dice = json!({"type": "dice_rolled", "dice": [2, 3, 3], "valid": true});
        let play: Vec<Value> = [dice].into_iter().chain(dealt).chain(settings).collect();
        poker(
            json!({}),
            &[main_bet()],
            play,
            &[paid_less("w", 10000, 500)],
        )
    };
    assert_eq!(around([0, 6, 5, 4, 3, 2, 1]), NOTHING);
    assert_eq!(
        around([0, 1, 2, 3, 4, 5, 6]),
        ["pai_gow_poker.deal_direction"]
    );
}

fn tiles(to: &str, seat: Option<u32>, tiles: &str) -> Value {
    json!({"type": "tiles_dealt", "to": to, "seat": seat, "tiles": words(tiles)})
}

const DEALER_TILES: &str = "6-1 6-5 2-2 6-4";
const DEALER_SET: &str = "6-1 6-5 | 2-2 6-4";

/// Seat 1 sets these tiles against the dealer's.
fn at_tiles(own: &str, more: &[Value], payment: Value) -> Vec<String> {
    let mut story = Story::at("pai_gow", "mgc-2017", json!({}));
    let mut bodies = vec![bet("w", 1, "pai_gow", 5000), closed()];
    bodies.push(tiles("dealer", None, DEALER_TILES));
    bodies.push(tiles("seat", Some(1), &own.replace('|', "")));
    bodies.push(set("seat", Some(1), own));
    bodies.push(set("dealer", None, DEALER_SET));
    bodies.extend_from_slice(more);
    bodies.push(payment);
    story.round(bodies);
    story.codes().into_iter().map(str::to_owned).collect()
}

#[test]
fn an_equal_side_is_not_won() {
    let copy = "6-6 6-3 | 2-2 6-4";
    assert_eq!(at_tiles(copy, &[], pushed("w")), NOTHING);
    assert_eq!(
        at_tiles(copy, &[], paid_less("w", 5000, 250)),
        ["pay.over", "payout.copy_paid"]
    );
}

#[test]
fn a_low_side_of_nothing_is_not_won() {
    let nothing = "6-6 6-3 | 5-5 6-4";
    assert_eq!(at_tiles(nothing, &[], pushed("w")), NOTHING);
    assert_eq!(
        at_tiles(nothing, &[], paid_less("w", 5000, 250)),
        ["pay.over", "payout.zero_low_paid"]
    );
}

#[test]
fn a_void_round_of_tiles_or_without_commission_must_not_be_paid() {
    let own = "6-6 6-3 | 4-4 5-2";
    let exposed = [irregularity("dealer_tile_exposed", Value::Null)];
    assert_eq!(at_tiles(own, &exposed, pushed("w")), NOTHING);
    assert_eq!(
        at_tiles(own, &exposed, paid_less("w", 5000, 250)),
        ["pay.over", "pai_gow.void_not_declared"]
    );
    let miscounted = || {
        let mut play = hands(ACES, NINES);
        play.push(irregularity("deck_count_wrong", Value::Null));
        play
    };
    assert_eq!(free(&[main_bet()], miscounted(), &[pushed("w")]), NOTHING);
    assert_eq!(
        free(&[main_bet()], miscounted(), &[paid("w", 10000)]),
        [
            "pay.over",
            "commission_free_pai_gow_poker.void_not_declared"
        ]
    );
}

#[test]
fn a_bank_is_offered_counterclockwise() {
    let offered = |refused: [u32; 2]| {
        let mut story = Story::at("pai_gow", "mgc-2017", json!({}));
        let bank =
            json!({"type": "wager_placed", "wager": "k", "seat": 4, "kind": "bank", "amount": 0});
        let [one, other] = refused.map(|seat| says(seat, "decline_bank"));
        story.round([one, other, bank]);
        let codes = story.codes().into_iter().map(str::to_owned);
        codes.filter(|code| code == "pai_gow.bank_order").count()
    };
    assert_eq!(offered([2, 3]), 0);
    assert_eq!(offered([6, 1]), 0);
    assert_eq!(offered([3, 2]), 1);
    assert_eq!(offered([5, 6]), 0);
}

#[test]
fn the_dice_are_shaken_three_times() {
    let rolled = |shakes: usize| {
        let mut story = Story::at("pai_gow", "mgc-2017", json!({}));
        let mut bodies = vec![bet("w", 1, "pai_gow", 5000), closed()];
        bodies.extend(vec![says(0, "shake"); shakes]);
        bodies.push(json!({"type": "dice_rolled", "dice": [2, 3, 3], "valid": true}));
        bodies.push(tiles("dealer", None, DEALER_TILES));
        bodies.push(tiles("seat", Some(1), "6-6 6-3 4-4 5-2"));
        bodies.push(set("seat", Some(1), "6-6 6-3 | 4-4 5-2"));
        bodies.push(set("dealer", None, DEALER_SET));
        bodies.push(paid_less("w", 5000, 250));
        story.round(bodies);
        let codes = story.codes().into_iter().map(str::to_owned);
        codes.filter(|code| code == "pai_gow.shake_short").count()
    };
    assert_eq!([rolled(0), rolled(3), rolled(4)], [0; 3]);
    assert_eq!([rolled(1), rolled(2)], [1; 2]);
}

#[test]
fn a_set_of_tiles_is_whole_inspected_and_leaves_in_time() {
    let table = |events: &[Value], dealt: bool| {
        let mut story = Story::at("pai_gow", "mgc-2017", json!({}));
        story.aside(json!({"type": "tiles_introduced", "set": "t1"}));
        let (inspections, rest) = events.split_at(1);
        for event in inspections {
            story.aside(event.clone());
        }
        if dealt {
            let bets = [bet("w", 1, "pai_gow", 5000), closed()];
            let play = [
                tiles("dealer", None, DEALER_TILES),
                tiles("seat", Some(1), "6-6 6-3 4-4 5-2"),
                set("seat", Some(1), "6-6 6-3 | 4-4 5-2"),
                set("dealer", None, DEALER_SET),
                paid_less("w", 5000, 250),
            ];
            story.round([&bets[..], &play].concat());
        }
        for event in rest {
            story.aside(event.clone());
        }
        let found = story.findings.iter();
        let found = found.filter(|finding| finding.code.starts_with("tiles."));
        found
            .map(|finding| (finding.code.clone(), format!("{:?}", finding.severity)))
            .collect::<Vec<_>>()
    };
    let inspected =
        |missing: &[&str]| json!({"type": "tiles_inspected", "set": "t1", "missing": missing});
    let gathered =
        |missing: &[&str]| json!({"type": "tiles_collected", "set": "t1", "missing": missing});
    let only = |found: Vec<(String, String)>, code: &str| {
        let mut found = found.into_iter().filter(|(found, _)| found == code);
        found.next().map(|(_, severity)| severity)
    };
    let honest = table(&[inspected(&[]), gathered(&[])], true);
    assert_eq!(only(honest.clone(), "tiles.missing_tile"), None);
    assert_eq!(only(honest, "tiles.not_inspected"), None);
    let short = table(&[inspected(&[]), gathered(&["6-6"])], true);
    assert_eq!(only(short, "tiles.missing_tile").unwrap(), "Critical");
    let in_time = table(&[inspected(&["6-6"])], false);
    assert_eq!(only(in_time, "tiles.missing_tile").unwrap(), "Warn");
    let blind = table(&[json!({"type": "clock"})], true);
    assert_eq!(only(blind, "tiles.not_inspected").unwrap(), "Critical");
}
