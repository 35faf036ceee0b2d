//! Side wagers: envy, limits, meters, and exact counts.

use serde_json::{Value, json};

use super::{WINNER, hand, hand_with, main_wager, mgc, ohio, round, side, spare_cards};
use crate::Edition::{Mgc2017, OhJack2017};
use crate::floor::Card;
use crate::games::PaiGowPoker;
use crate::games::pai_gow_poker::rows::{InsuranceRow, ThreeCardRow};
use crate::games::shared::pai_gow_poker::Rows;
use crate::settlement::Verdict;
use crate::testkit::TestTable;

#[test]
fn an_abandoned_hand_loses_everything_and_brings_no_envy() {
    let table = TestTable::<PaiGowPoker>::open();
    let wagers = json!([
        main_wager("w", 1, 1000), side("f", "fortune_bonus", 100), side("p", "fortune_progressive", 100),
        main_wager("m", 2, 1000),
        {"id": "b", "seat": 2, "kind": "fortune_bonus", "amount": 500},
        {"id": "e", "seat": 2, "kind": "envy", "amount": 0, "on": "b"}]);
    let four_nines = "9S 9H 9D 9C 3S / AC TH";
    let hands = |abandoned: bool| {
        json!({"hands": [hand_with(1, four_nines, json!({"abandoned": abandoned})),
                         hand(2, "AS AH TD 8C 3H / QS JH")]})
    };
    let settle = |abandoned| {
        let document = ohio(json!({}), wagers.clone(), WINNER, hands(abandoned));
        let settlement = table.settle(&document);
        assert_eq!(settlement.violations().iter().count(), 0);
        settlement
            .wagers()
            .iter()
            .map(|w| w.returned.get())
            .collect::<Vec<_>>()
    };
    assert_eq!(settle(false), [1950, 2600, 7500, 1950, 0, 500]);
    assert_eq!(settle(true), [0, 0, 0, 1950, 0, 0]);
}

#[test]
fn the_royal_match_is_the_one_that_was_selected() {
    let table = TestTable::<PaiGowPoker>::open();
    let win = |royal_match: &str, cards: &str| {
        let wagers = json!([main_wager("m", 1, 1000), side("w", "bonus", 100)]);
        let document = mgc(
            json!({"royal_match": royal_match}),
            wagers,
            cards,
            json!({}),
        );
        table.wager(&document, "w").win.get()
    };
    let (king_queen, ace_king) = ("AH KH QH JH TH / KS QS", "AH KH JK JH TH / AS KS");
    assert_eq!(win("king_queen", king_queen), 200_000);
    assert_eq!(win("king_queen", ace_king), 15_000);
    assert_eq!(win("ace_king_natural", king_queen), 15_000);
    assert_eq!(win("ace_king_natural", ace_king), 200_000);
    // The joker is no card of the match, and king and queen must be of one suit.
    assert_eq!(win("ace_king_natural", "AH KH QH JH TH / JK KS"), 15_000);
    assert_eq!(win("king_queen", "AH KH QH JH TH / KS QC"), 15_000);
}

#[test]
fn the_maximum_for_bonus_wagers_is_used_up_in_the_order_of_payment() {
    let table = TestTable::<PaiGowPoker>::open();
    // Eve has areas 1 and 2: a royal flush of 5000 at 150 to 1 is far above 40,000 dollars; the
    // pai gow of area 2 is paid before it. Area 3 is Bob's, and she envies him nothing but four nines.
    let wagers = json!([
        main_wager("m1", 1, 1000), side("b", "bonus", 50_000),
        {"id": "e", "seat": 1, "kind": "envy", "amount": 0, "on": "b"},
        main_wager("m2", 2, 1000), {"id": "i", "seat": 2, "kind": "insurance", "amount": 1000},
        main_wager("m3", 3, 1000)]);
    let hands = json!({"hands": [
        hand_with(1, "AH KH QH JH TH / 7S 2D", json!({"player": "eve"})),
        hand_with(2, "JS 7C 5D 4D 2H / 9H 3C", json!({"player": "eve"})),
        hand_with(3, "9S 9C 9D 4C JK / AC JC", json!({"player": "bob"}))]});
    let wins = |options: Value| {
        let settlement = table.settle(&mgc(options, wagers.clone(), WINNER, hands.clone()));
        assert_eq!(settlement.violations().iter().count(), 0);
        settlement
            .wagers()
            .iter()
            .map(|w| w.win.get())
            .collect::<Vec<_>>()
    };
    let free = wins(json!({}));
    assert_eq!((free[1], free[2], free[4]), (7_500_000, 0, 20_000));
    let limited = wins(json!({"max_payout_bonus": 4_000_000}));
    assert_eq!((limited[1], limited[2], limited[4]), (3_980_000, 0, 20_000));
}

#[test]
fn a_wager_cut_to_nothing_is_still_won() {
    let table = TestTable::<PaiGowPoker>::open();
    let bonus = |id: &str, seat: u16| json!({"id": id, "seat": seat, "kind": "seven_card_bonus", "amount": 200_000});
    let wagers = json!([
        main_wager("m1", 1, 1000),
        bonus("a", 1),
        main_wager("m2", 2, 1000),
        bonus("b", 2)
    ]);
    let hands = json!({"hands": [
        hand_with(1, "9S 9H 9D 9C 4H / 7S 2D", json!({"player": "eve"})),
        hand_with(2, "AS AH AD AC 4S / 7C 2H", json!({"player": "eve"}))]});
    let options = json!({"max_payout_seven_card": 5_000_000});
    let settlement = table.settle(&mgc(options, wagers, WINNER, hands));
    let of = |at: usize| {
        (
            settlement.wagers()[at].result,
            settlement.wagers()[at].win.get(),
            settlement.wagers()[at].returned.get(),
        )
    };
    assert_eq!(of(1), (Verdict::Win, 5_000_000, 5_200_000));
    assert_eq!(of(3), (Verdict::Win, 0, 200_000));
}

#[test]
fn the_meter_moves_as_each_progressive_is_paid() {
    let table = TestTable::<PaiGowPoker>::open();
    let pay = |options: Value, hands: [&str; 3], meter: i64| {
        let seats = [1, 2, 3];
        let wagers: Vec<Value> = seats
            .iter()
            .flat_map(|&seat| {
                let mut progressive = side(&format!("p{seat}"), "progressive", 100);
                progressive["seat"] = json!(seat);
                [main_wager(&format!("m{seat}"), seat, 1000), progressive]
            })
            .collect();
        let hands = seats.iter().zip(hands);
        let hands: Vec<Value> = hands.map(|(&seat, cards)| hand(seat, cards)).collect();
        let play = json!({"dealer": {"cards": spare_cards(&hands)}, "hands": hands,
            "meters": {"progressive": meter}});
        let mut options = options;
        options["house_way"] = json!("standard");
        let settlement = table.settle(&round(Mgc2017, options, json!(wagers), play));
        assert_eq!(settlement.violations().iter().count(), 0, "{settlement:?}");
        [1, 3, 5].map(|at| settlement.wagers()[at].returned.get())
    };
    // A tenth, then the straight flush comes off the meter, then a tenth of what is left.
    let royals = [
        "AS KS QS JS TS / 4S 2S",
        "4H 5H 6H 7H 8H / 3C 2D",
        "AD KD QD JD TD / 7C 2C",
    ];
    assert_eq!(
        pay(json!({}), royals, 1_000_000),
        [100_000, 2_500, (1_000_000 - 100_000 - 2_500) / 10]
    );
    // Four of a kind does not, unless it is posted at fifty dollars.
    let nines = "9S 9H 9D 9C 4S / 7S 2C";
    let fives = "5S 5H 5D 5C 4H / 7C 2H";
    let royal = "AH KH QH JH TH / 7D 2D";
    let quads_first = [nines, fives, royal];
    assert_eq!(
        pay(json!({}), quads_first, 1_000_000),
        [2_000, 2_000, 100_000]
    );
    let posted = json!({"progressive_overrides": {"four_of_a_kind": 5_000}});
    assert_eq!(pay(posted, quads_first, 1_000_000), [5_000, 5_000, 99_000]);
    // The whole meter starts anew; what is due is the meter of that moment.
    let whole = ["AH KH QH JH TH / 7S 7D", "AS KS QS JS TS / 4S 4D", fives];
    assert_eq!(
        pay(json!({}), whole, 3_000_000),
        [3_000_000, 1_000_000, 2_000]
    );
    // A small meter makes a fixed row the better one.
    assert_eq!(
        pay(json!({}), [royal, nines, fives], 50_000),
        [10_000, 2_000, 2_000]
    );
}

#[test]
fn two_percentage_winners_of_ohio_are_paid_in_the_order_of_dealing() {
    let table = TestTable::<PaiGowPoker>::open();
    let progressive = |id: &str, seat: u16| json!({"id": id, "seat": seat, "kind": "fortune_progressive", "amount": 100});
    let wagers = json!([
        main_wager("m1", 1, 1000),
        progressive("a", 1),
        main_wager("m4", 4, 1000),
        progressive("b", 4)
    ]);
    let hands = json!([
        hand(1, "5H 6H 7H 8H 9H / TH JH"),
        hand(4, "AS AH AD AC JK / 9S 2S")
    ]);
    let paid = |first: Option<u16>| {
        let mut play = json!({"hands": hands, "meters": {"progressive": 2_000_000}});
        if let Some(first) = first {
            play["deal"] = json!({"first": first});
        }
        let document = ohio(
            json!({"progressive_reset": 1_500_000}),
            wagers.clone(),
            WINNER,
            play,
        );
        [
            table.wager(&document, "a").returned.get(),
            table.wager(&document, "b").returned.get(),
        ]
    };
    assert_eq!(paid(None), [2_000_000, 150_000]);
    assert_eq!(paid(Some(0)), [2_000_000, 150_000]);
    assert_eq!(paid(Some(2)), [1_800_000, 200_000]);
}

#[test]
fn posted_odds_decide_which_row_is_best() {
    let table = TestTable::<PaiGowPoker>::open();
    let wagers = json!([main_wager("m", 1, 1000), side("w", "seven_card_bonus", 100)]);
    let win = |options: Value| {
        let document = mgc(options, wagers.clone(), "5H 6S 7H 8C 9S / 5S 5D", json!({}));
        table.wager(&document, "w").win.get()
    };
    assert_eq!(win(json!({})), 300);
    assert_eq!(
        win(json!({"seven_card_overrides": {"straight": "7:2"}})),
        350
    );
}

fn cards(text: &str) -> Vec<Card> {
    text.split_whitespace()
        .map(|card| card.parse().unwrap())
        .collect()
}

#[test]
fn a_pai_gow_has_no_pair_straight_or_flush_and_the_joker_is_an_ace() {
    let row = |text: &str| InsuranceRow::of(&cards(text).try_into().unwrap());
    assert_eq!(row("2S 3S 4S 5S 7D 8D 9D"), Some(InsuranceRow::Nine));
    assert_eq!(row("2S 3S 4S 6D 7D 8D TH"), Some(InsuranceRow::Ten));
    // Five natural cards of a suit are a flush; with the joker they are not.
    assert_eq!(row("2S 3S 4S 6S 7S 8D TH"), None);
    assert_eq!(row("2S 3S 4S 6S JK 8D TH"), Some(InsuranceRow::Ace));
    // The joker is an ace in a straight and beside an ace, and completes no other straight.
    assert_eq!(row("2S 3S 4D 5S JK 8D TH"), None);
    assert_eq!(row("KS QS JD TS JK 8D 2H"), None);
    assert_eq!(row("6S 7S 8D 9S JK QD 2H"), Some(InsuranceRow::Ace));
    assert_eq!(row("AS 7S 8D 9S JK QD 2H"), None);
    assert_eq!(row("2S 3S 4D 5S 6D 9D TH"), None);
}

#[test]
fn the_23_426_hands_of_three_cards_fall_into_the_rows_as_counted() {
    let deck: Vec<Card> = Card::deck().chain([Card::JOKER]).collect();
    let mut counts = [0; 7];
    for a in 0..53 {
        for b in a + 1..53 {
            for c in b + 1..53 {
                let three = [deck[a], deck[b], deck[c]];
                let best = ThreeCardRow::ALL
                    .iter()
                    .position(|row| row.is_made_by(three));
                counts[best.unwrap_or(6)] += 1;
            }
        }
    }
    let natural_straight_flushes = 12 * 4;
    let sets = 13 * 4 + 6;
    // Two suited cards of one of the twelve straights: 13 neighbours and 12 with a gap.
    let joker_straight_flushes = 25 * 4;
    let straights = 12 * (64 - 4) + 25 * 12;
    let flushes = (286 - 12) * 4 + (78 - 25) * 4;
    // Natural pairs, pairs with the joker, and the joker with an ace that makes nothing better.
    let pairs = 13 * 6 * 48 + 12 * 6 + 8 * 12;
    let paid =
        natural_straight_flushes + sets + joker_straight_flushes + straights + flushes + pairs;
    assert_eq!(
        counts,
        [
            natural_straight_flushes,
            sets,
            joker_straight_flushes,
            straights,
            flushes,
            pairs,
            23_426 - paid,
        ]
    );
}

#[test]
fn a_share_of_a_meter_that_nobody_read_is_refused() {
    let table = TestTable::<PaiGowPoker>::open();
    let main = main_wager("m", 1, 1000);
    let of = |edition, kind: &str, cards: &str, more: Value| {
        let wagers = json!([side("w", kind, 100), main]);
        match edition {
            Mgc2017 => mgc(json!({}), wagers, cards, more),
            _ => ohio(json!({}), wagers, cards, more),
        }
    };
    let (aces, nines) = ("AS AH AD AC JK / 7D 2S", "9S 9H 9D 9C 4S / 7D 2S");
    for (edition, kind, fixed) in [
        (Mgc2017, "progressive", 2000),
        (OhJack2017, "fortune_progressive", 7500),
    ] {
        let unread = of(edition, kind, aces, json!({}));
        let refusal = table.refusal(&unread);
        assert!(
            refusal.starts_with("play.meters.progressive: "),
            "{refusal}"
        );
        let read = of(
            edition,
            kind,
            aces,
            json!({"meters": {"progressive": 1_500_000}}),
        );
        assert_eq!(table.wager(&read, "w").returned.get(), 150_000);
        // A fixed prize, a loss and a void round need no reading.
        let four = of(edition, kind, nines, json!({}));
        assert_eq!(table.wager(&four, "w").returned.get(), fixed);
        let lost = of(edition, kind, "AS KH TD 9C 4S / QS 2H", json!({}));
        assert_eq!(table.wager(&lost, "w").result, Verdict::Lose);
        let void = json!({"irregularities": [{"type": "wrong_start"}]});
        assert_eq!(
            table.wager(&of(edition, kind, aces, void), "w").result,
            Verdict::Void
        );
    }
    // Given up, it wins nothing; of another size, it never was a wager.
    let mut given_up = of(OhJack2017, "fortune_progressive", aces, json!({}));
    for key in ["surrender", "abandoned"] {
        given_up["play"]["hands"][0][key] = json!(true);
        assert_eq!(table.wager(&given_up, "w").result, Verdict::Lose);
    }
    let mut five_dollars = of(Mgc2017, "progressive", aces, json!({}));
    five_dollars["wagers"][0]["amount"] = json!(500);
    assert_eq!(table.wager(&five_dollars, "w").result, Verdict::Void);
}
