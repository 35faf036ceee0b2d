//! Let it ride: every cell, and rounds that show one rule each.

mod exact;
mod faults;

use serde_json::{Value, json};

use super::LetItRide;
use crate::Edition::{self, Mgc2017, OhJack2017};
use crate::games::shared::stud::checks::assert_lists;
use crate::games::shared::stud::exact::{cards_of_row, three_cards_of_row};
use crate::settlement::Verdict;
use crate::testkit::{Cell, TestTable};

fn round(edition: Edition, options: Value, wagers: Value, play: Value) -> Value {
    TestTable::<LetItRide>::open().document(edition, options, wagers, play)
}

/// The three bets of a seat.
fn bets(seat: u16, amount: i64) -> Vec<Value> {
    (1..=3)
        .map(|bet| {
            json!({"id": format!("s{seat}b{bet}"), "seat": seat, "kind": format!("bet_{bet}"), "amount": amount})
        })
        .collect()
}

/// The three bets of seat 1 and one more wager there.
fn bets_and(more: Value) -> Value {
    let mut wagers = bets(1, 1000);
    wagers.push(more);
    json!(wagers)
}

/// A pair of kings at seat 1.
fn kings() -> Value {
    json!({"hands": {"1": ["KS", "KD", "4C"]}, "community": ["7H", "2S"]})
}

/// `kings` with one more key.
fn kings_and(key: &str, value: Value) -> Value {
    let mut play = kings();
    play[key] = value;
    play
}

#[test]
fn every_cell_of_every_pay_table_pays_what_is_filed() {
    let table = TestTable::<LetItRide>::open();
    let document = |cell: &Cell| {
        let three_card = cell.table.strip_prefix("three_card_");
        let mut options = json!({"progressive": cell.edition == OhJack2017});
        let (kind, amount) = match cell.table {
            "main" => ("bet_3", 1000),
            "let_it_ride_bonus" => ("let_it_ride_bonus", 100),
            "multi_link_progressive" | "multi_link_envy" => ("progressive", 100),
            _ => ("three_card_bonus", 1000),
        };
        let (hands, community) = match (three_card, cell.table) {
            (Some(name), _) => {
                options["three_card_bonus_paytable"] = match name {
                    "standard" => json!(name),
                    name => json!(name.to_uppercase()),
                };
                (json!({"1": three_cards_of_row(cell.row)}), vec!["7H", "TD"])
            }
            (None, "multi_link_envy") => {
                let five = cards_of_row(cell.row);
                let hands = json!({"1": ["2S", "3H", "QH"], "2": five[..3]});
                (hands, five[3..].to_vec())
            }
            _ => {
                let five = cards_of_row(cell.row);
                (json!({"1": five[..3]}), five[3..].to_vec())
            }
        };
        let mut wagers = vec![json!({"id": "w", "seat": 1, "kind": kind, "amount": amount})];
        let others = bets(1, 1000).into_iter().chain(bets(2, 500));
        wagers.extend(others.filter(|bet| {
            let seat = bet["seat"].to_string();
            hands.get(&seat).is_some() && (seat != "1" || bet["kind"] != kind)
        }));
        let mut play = json!({"hands": hands, "community": community});
        if cell.edition == OhJack2017 {
            play["meters"] = json!({"progressive": 2_000_000});
        }
        table.document(cell.edition, options, json!(wagers), play)
    };
    table.assert_cells(include_str!("../cells.txt"), document);
}

#[test]
fn a_seat_without_its_three_bets_gets_everything_back() {
    let table = TestTable::<LetItRide>::open();
    let wagers = json!([
        {"id": "w1", "seat": 1, "kind": "bet_1", "amount": 1000},
        {"id": "w2", "seat": 1, "kind": "bet_3", "amount": 1000},
        {"id": "w3", "seat": 1, "kind": "let_it_ride_bonus", "amount": 500, "on": "w1"},
        {"id": "w4", "seat": 1, "kind": "three_card_bonus", "amount": 500},
    ]);
    let document = round(Mgc2017, json!({}), wagers, kings());
    let settlement = table.settle(&document);
    assert!(
        settlement
            .wagers()
            .iter()
            .all(|w| w.result == Verdict::Void)
    );
    assert_eq!(
        table.violations(&document),
        [
            "deal.hand_without_wager",
            "wager.bad_bonus_amount",
            "wager.side_without_main",
            "wager.unequal"
        ]
    );
}

#[test]
fn management_may_rescue_a_hand_in_ohio_after_a_misdeal_or_with_a_wrong_deck_only() {
    let table = TestTable::<LetItRide>::open();
    let ruled = |edition, irregularities: Value| {
        let mut play = kings_and("irregularities", irregularities);
        play["ruled_valid"] = json!([1]);
        let options = json!({"dealing": "automated_shoe"});
        round(edition, options, json!(bets(1, 1000)), play)
    };
    let deck = json!([{"code": "deck_count"}]);
    let community = json!([{"code": "card_count", "area": "community"}]);
    let shoe = json!([{"code": "shoe_failure"}, {"code": "deck_count"}]);
    let face_up = json!([{"code": "face_up_card"}, {"code": "face_up_card"}]);
    for (edition, irregularities, rescued) in [
        (OhJack2017, deck.clone(), true),
        (OhJack2017, community, true),
        (OhJack2017, shoe, false),
        (OhJack2017, face_up, false),
        (Mgc2017, deck, false),
    ] {
        let document = ruled(edition, irregularities);
        let settlement = table.settle(&document);
        let verdict = if rescued { Verdict::Win } else { Verdict::Void };
        assert!(
            settlement.wagers().iter().all(|w| w.result == verdict),
            "{document}"
        );
        assert_eq!(
            settlement.violations().contains("ruling.not_allowed"),
            !rescued
        );
    }
}

#[test]
fn an_abandoned_hand_is_lost_in_ohio_whatever_it_was() {
    let table = TestTable::<LetItRide>::open();
    let side = json!({"id": "w", "seat": 1, "kind": "three_card_bonus", "amount": 100});
    for hands in [json!({"1": ["KS", "KD", "4C"]}), json!({})] {
        let mut play = kings_and("abandoned", json!([1]));
        play["hands"] = hands;
        let document = round(OhJack2017, json!({}), bets_and(side.clone()), play);
        let settlement = table.settle(&document);
        let mut wagers = settlement.wagers().iter();
        assert!(wagers.all(|wager| wager.result == Verdict::Lose));
    }
}

#[test]
fn missing_cards_are_refused_and_surplus_ones_void() {
    for edition in [Mgc2017, OhJack2017] {
        let lawful = round(edition, json!({}), json!(bets(1, 1000)), kings());
        assert_lists::<LetItRide>(&lawful, "community", 52);
    }
}

#[test]
fn the_payout_limit_covers_the_three_bets_of_a_hand_and_nothing_else() {
    let table = TestTable::<LetItRide>::open();
    let mut wagers = bets(1, 30_000);
    wagers.push(json!({"id": "lir", "seat": 1, "kind": "let_it_ride_bonus", "amount": 100}));
    wagers.push(json!({"id": "three", "seat": 1, "kind": "three_card_bonus", "amount": 200_000}));
    let play = json!({"hands": {"1": ["TC", "JC", "QC"]}, "community": ["KC", "AC"]});
    let options = json!({"payout_limit": 50_000_000});
    let document = round(Mgc2017, options, json!(wagers), play);
    let wins: Vec<i64> = table
        .settle(&document)
        .wagers()
        .iter()
        .map(|w| w.win.get())
        .collect();
    assert_eq!(wins, [30_000_000, 20_000_000, 0, 2_499_900, 8_000_000]);
}

#[test]
fn a_raised_straight_flush_carries_the_mini_royal_that_has_no_row() {
    let table = TestTable::<LetItRide>::open();
    let play = json!({"hands": {"1": ["QC", "KC", "AC"]}, "community": ["4D", "6S"]});
    let side = json!({"id": "w", "seat": 1, "kind": "three_card_bonus", "amount": 100});
    let raised = json!({"straight_flush": "45:1"});
    for (name, odds, win) in [
        ("A", raised.clone(), 4500),
        ("D", raised, 5000),
        ("A", json!({"mini_royal": "60:1"}), 6000),
        ("F", json!({"mini_royal": "60:1"}), 6000),
    ] {
        let options =
            json!({"three_card_bonus_paytable": name, "odds_override": {"three_card_bonus": odds}});
        let document = round(Mgc2017, options, bets_and(side.clone()), play.clone());
        assert_eq!(table.wager(&document, "w").win.get(), win, "{name}");
    }
}

#[test]
fn the_bonus_chip_comes_back_where_the_house_says_so() {
    let table = TestTable::<LetItRide>::open();
    let side = json!({"id": "w", "seat": 1, "kind": "let_it_ride_bonus", "amount": 100});
    let play = json!({"hands": {"1": ["8S", "8D", "4C"]}, "community": ["8H", "6S"]});
    for (returned, win, back) in [(false, 400, 500), (true, 500, 600)] {
        let options = json!({"let_it_ride_bonus_stake_returned": returned});
        let document = round(Mgc2017, options, bets_and(side.clone()), play.clone());
        let bonus = table.wager(&document, "w");
        assert_eq!((bonus.win.get(), bonus.returned.get()), (win, back));
    }
}

#[test]
fn a_hit_without_the_wager_leaves_the_meter_alone_and_gives_envy() {
    let table = TestTable::<LetItRide>::open();
    let mut wagers: Vec<Value> = [1, 2, 3]
        .into_iter()
        .flat_map(|seat| bets(seat, 500))
        .collect();
    for seat in [2, 3] {
        wagers.push(
            json!({"id": format!("p{seat}"), "seat": seat, "kind": "progressive", "amount": 100}),
        );
    }
    let play = json!({
        "hands": {"1": ["AH", "KH", "QH"], "2": ["9H", "8H", "7H"], "3": ["2C", "3D", "4S"]},
        "community": ["JH", "TH"], "meters": {"progressive": 999}
    });
    let options = json!({"progressive": true});
    let document = round(OhJack2017, options.clone(), json!(wagers), play.clone());
    // The royal has no wager: ten percent of 999 is 99, and envies of $1,000 and $300.
    assert_eq!(table.wager(&document, "p2").returned.get(), 99 + 100_000);
    assert_eq!(table.wager(&document, "p3").returned.get(), 130_000);

    let mut left = play;
    left["abandoned"] = json!([1, 3]);
    let document = round(OhJack2017, options, json!(wagers), left);
    // An abandoned hand gives no envy, and its owner gets none.
    assert_eq!(table.wager(&document, "p2").returned.get(), 99);
    assert_eq!(table.wager(&document, "p3").result, Verdict::Lose);
}

#[test]
fn a_share_of_a_meter_that_nobody_read_is_refused_and_fixed_prizes_are_not() {
    let table = TestTable::<LetItRide>::open();
    let chip = |amount: i64| json!({"id": "g", "seat": 1, "kind": "progressive", "amount": amount});
    let hand = |cards: [&str; 3], community: [&str; 2], amount: i64| {
        let play = json!({"hands": {"1": cards}, "community": community});
        let options = json!({"progressive": true});
        round(OhJack2017, options, bets_and(chip(amount)), play)
    };
    for (cards, community) in [
        (["TC", "JC", "QC"], ["KC", "AC"]),
        (["5C", "6C", "7C"], ["8C", "9C"]),
    ] {
        let shared = hand(cards, community, 100);
        let refusal = table.refusal(&shared);
        assert!(
            refusal.starts_with("play.meters.progressive: "),
            "{refusal}"
        );
        // No wager, no share; nor has a hand that was left one, or a round that is void.
        let odd = table.wager(&hand(cards, community, 300), "g");
        assert_eq!((odd.result, odd.returned.get()), (Verdict::Void, 300));
        let mut left = shared.clone();
        left["play"]["abandoned"] = json!([1]);
        assert_eq!(table.wager(&left, "g").result, Verdict::Lose);
        let mut void = shared;
        void["play"]["irregularities"] = json!([{"code": "deck_count", "found": 51}]);
        assert_eq!(table.wager(&void, "g").result, Verdict::Void);
    }
    let flush = hand(["2C", "4C", "6C"], ["8C", "JC"], 100);
    assert_eq!(table.wager(&flush, "g").returned.get(), 4000);
    // PC 1.A.i: the standard wager are the three bets.
    let mut alone = flush;
    alone["wagers"].as_array_mut().unwrap().remove(1);
    alone["play"]["decisions"] = json!({});
    assert_eq!(table.wager(&alone, "g").result, Verdict::Void);
}
