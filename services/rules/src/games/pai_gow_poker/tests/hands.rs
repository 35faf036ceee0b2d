//! The main wager: settings, the house way, banks, vigorish.

use serde_json::{Value, json};

use super::{WINNER, assert_violation, dealer, hand, hand_with, main_wager, merge, mgc, ohio};
use crate::games::PaiGowPoker;
use crate::settlement::Verdict;
use crate::testkit::TestTable;

#[test]
fn an_exposed_card_of_the_bank_voids_the_round_whatever_the_choice() {
    let table = TestTable::<PaiGowPoker>::open();
    let wagers =
        json!([main_wager("w", 1, 1000), {"id": "b", "seat": 2, "kind": "bank", "amount": 0}]);
    let play = json!({"mode": "bank", "bank_seat": 2,
        "irregularities": [{"type": "player_card_exposed", "seat": 2, "choice": "play"}]});
    let settlement = table.settle(&mgc(json!({}), wagers, WINNER, play));
    assert!(
        settlement
            .wagers()
            .iter()
            .all(|w| w.result == Verdict::Void)
    );
}

#[test]
fn of_three_equal_areas_the_last_one_is_set_by_the_house() {
    let table = TestTable::<PaiGowPoker>::open();
    let settle = |amounts: [i64; 3], third: Value| {
        let wagers = json!([
            main_wager("a", 1, amounts[0]),
            main_wager("b", 2, amounts[1]),
            main_wager("c", 3, amounts[2])
        ]);
        let mut third = third;
        merge(
            &mut third,
            json!({"seat": 3, "player": "eve", "cards": ["JS", "JH", "TC", "9S", "3D", "QC", "8H"]}),
        );
        let hands = json!([
            hand_with(1, "AS AH TD 8C 3S / QS 9H", json!({"player": "eve"})),
            hand_with(2, "KS KH TS 8D 3H / QH 9C", json!({"player": "eve"})),
            third
        ]);
        table.try_settle(&ohio(json!({}), wagers, WINNER, json!({"hands": hands})))
    };
    // The straight Q-J-T-9-8 stays in front: jack and three behind lose to jack-eight.
    let by_house = settle([1000; 3], json!({})).unwrap();
    assert_eq!(by_house.wagers()[2].result, Verdict::Push);
    assert_eq!(by_house.violations().iter().count(), 0);
    let own_way = json!({"high": ["JS", "JH", "TC", "9S", "3D"], "low": ["QC", "8H"]});
    let reset = settle([1000; 3], own_way.clone()).unwrap();
    assert_eq!(reset.wagers()[2].result, Verdict::Push);
    assert!(reset.violations().contains("pai_gow_poker.house_way_error"));
    // It is the smallest wager, so that here area 1 is the third area.
    let free = settle([999, 1000, 1000], own_way).unwrap();
    assert_eq!(free.wagers()[2].result, Verdict::Win);
    assert!(
        settle([999, 1000, 1000], json!({})).is_err(),
        "a setting is needed"
    );
}

#[test]
fn a_dealer_who_sets_against_the_house_way_is_corrected() {
    let wagers = json!([main_wager("w", 1, 1000)]);
    let laid = |high: &str, low: &str| {
        let high: Vec<&str> = high.split(' ').collect();
        let low: Vec<&str> = low.split(' ').collect();
        let dealer = json!({"cards": ([&high[..], &low].concat()), "high": high, "low": low});
        ohio(
            json!({}),
            wagers.clone(),
            "AS AH TD 8C 3S / QS 9H",
            json!({"dealer": dealer}),
        )
    };
    assert_eq!(
        TestTable::<PaiGowPoker>::open().violations(&laid("KD 7S 5C 4C 2D", "JC 8S")),
        [""; 0]
    );
    let code = "pai_gow_poker.house_way_error";
    assert_violation(&laid("KD 8S 5C 4C 2D", "JC 7S"), code, Verdict::Win);
    // Four and three are no setting at all.
    assert_violation(&laid("KD 8S 5C 4C", "JC 7S 2D"), code, Verdict::Win);
}

#[test]
fn a_bank_is_checked_and_its_fouled_hand_is_reset() {
    let table = TestTable::<PaiGowPoker>::open();
    let settle =
        |options: Value, mode: &str, check: Value, bank_hand: &str, dealer_wager: Option<i64>| {
            let mut wagers = vec![
                main_wager("w", 1, 1001),
                json!({"id": "b", "seat": 3, "kind": "bank", "amount": 0}),
            ];
            if let Some(amount) = dealer_wager {
                wagers.push(
                    json!({"id": "d", "seat": 0, "kind": "dealer_vs_bank", "amount": amount}),
                );
            }
            let play = json!({"mode": mode, "bank_seat": 3, "bank_check": check,
            "hands": [hand(1, WINNER), hand(3, bank_hand)]});
            table.settle(&mgc(options, json!(wagers), WINNER, play))
        };
    let codes = |settlement: &crate::Settlement| settlement.violations().iter().collect::<Vec<_>>();
    let weak = "7S 7H 5S 4S 2D / QS TD";
    let sound = json!({"first_round": false, "banked_last_round": false, "last_wager": 1000, "chips": 1001});
    let lawful = settle(json!({}), "bank", sound.clone(), weak, Some(1000));
    assert_eq!(codes(&lawful), [""; 0]);
    // Area 1 wins with vigorish; the dealer's eights and king-ten win without.
    let amounts: Vec<(i64, i64, i64)> = lawful
        .wagers()
        .iter()
        .map(|w| (w.win.get(), w.commission.get(), w.returned.get()))
        .collect();
    assert_eq!(
        amounts,
        [(1001, 50, 1952), (-2001, 0, -2001), (1000, 0, 2000)]
    );
    // Half of an odd amount, towards nothing.
    let half = settle(json!({}), "co_bank", sound, weak, None);
    assert_eq!(
        (half.wagers()[1].win.get(), half.wagers()[1].result),
        (-500, Verdict::Lose)
    );

    for (check, code) in [
        (
            json!({"first_round": true}),
            "pai_gow_poker.bank_first_round",
        ),
        (
            json!({"banked_last_round": true}),
            "pai_gow_poker.bank_consecutive",
        ),
        (json!({"last_wager": 0}), "pai_gow_poker.bank_not_eligible"),
        (json!({"chips": 1000}), "pai_gow_poker.bank_underfunded"),
    ] {
        assert_eq!(codes(&settle(json!({}), "bank", check, weak, None)), [code]);
    }
    let not_offered = ["pai_gow_poker.bank_not_offered"];
    assert_eq!(
        codes(&settle(
            json!({"banking": false}),
            "bank",
            json!({}),
            weak,
            None
        )),
        not_offered
    );
    let no_co = json!({"co_banking": false});
    assert_eq!(
        codes(&settle(no_co.clone(), "co_bank", json!({}), weak, None)),
        not_offered
    );
    assert_eq!(
        codes(&settle(no_co, "bank", json!({}), weak, None)),
        [""; 0]
    );

    let too_high = settle(
        json!({}),
        "bank",
        json!({"last_wager": 1000}),
        weak,
        Some(1001),
    );
    assert_eq!(codes(&too_high), ["pai_gow_poker.dealer_bank_wager"]);
    assert_eq!(too_high.wagers()[2].result, Verdict::Win);
    let approved = json!({"dealer_bank_wager_rule": "approved"});
    assert_eq!(
        codes(&settle(
            approved,
            "bank",
            json!({"last_wager": 1000}),
            weak,
            Some(1001)
        )),
        [""; 0]
    );

    // Kings behind an ace: reset to kings in front, ace-queen behind, and not lost for it.
    let fouled = settle(json!({}), "bank", json!({}), "AS QS 8C 6D 4D / KS KH", None);
    assert_eq!(codes(&fouled), ["pai_gow_poker.bank_fouled"]);
    assert_eq!(fouled.wagers()[0].result, Verdict::Lose);
    assert_eq!(
        (
            fouled.wagers()[1].win.get(),
            fouled.wagers()[1].commission.get()
        ),
        (1001, 50)
    );
    // A co-bank's hand is the dealer's to set.
    let co_fouled = settle(
        json!({}),
        "co_bank",
        json!({}),
        "AS QS 8C 6D 4D / KS KH",
        None,
    );
    assert_eq!(codes(&co_fouled), ["pai_gow_poker.house_way_error"]);
    // A surplus of 1001: half of it is 500, less 25 cents or rounded up to 25.
    assert_eq!(
        (
            co_fouled.wagers()[1].win.get(),
            co_fouled.wagers()[1].commission.get()
        ),
        (500, 25)
    );
}

#[test]
fn a_bank_with_a_wager_of_its_own_gets_it_back() {
    let bank = json!({"id": "b", "seat": 3, "kind": "bank", "amount": 0});
    let wagers = json!([main_wager("w", 3, 1000), bank, main_wager("m", 1, 1000)]);
    let hands = |player: &str| {
        json!({"mode": "bank", "bank_seat": 3, "hands": [
            hand_with(1, WINNER, json!({"player": player})),
            hand_with(3, "7S 7H 5S 4S 2D / QS TD", json!({"player": "bob"}))]})
    };
    let code = "wager.bank_extra_area";
    assert_violation(
        &mgc(json!({}), wagers, WINNER, hands("eve")),
        code,
        Verdict::Void,
    );
    let elsewhere =
        json!([main_wager("w", 1, 1000), {"id": "b", "seat": 3, "kind": "bank", "amount": 0}]);
    assert_violation(
        &mgc(json!({}), elsewhere, WINNER, hands("bob")),
        code,
        Verdict::Win,
    );
}

#[test]
fn vigorish_is_exact_or_rounded_up_to_a_quarter() {
    let table = TestTable::<PaiGowPoker>::open();
    for (rounding, stake, due) in [
        ("none", 19, 0),
        ("none", 20, 1),
        ("none", 1099, 54),
        ("up_25c", 1, 25),
        ("up_25c", 500, 25),
        ("up_25c", 501, 50),
        ("up_25c", 1000, 50),
    ] {
        let wagers = json!([main_wager("w", 1, stake)]);
        let document = mgc(json!({"vig_rounding": rounding}), wagers, WINNER, json!({}));
        assert_eq!(
            table.wager(&document, "w").commission.get(),
            due,
            "{rounding} {stake}"
        );
    }
}

#[test]
fn the_low_straight_stands_where_the_house_put_it() {
    let table = TestTable::<PaiGowPoker>::open();
    let settle = |place: &str| {
        let play = json!({"dealer": dealer("KS QH JD TC 9S / 3D 2C")});
        let wagers = json!([main_wager("w", 1, 1000)]);
        let document = mgc(
            json!({"low_straight": place}),
            wagers,
            "AH 2S 3H 4D 5C / KD TD",
            play,
        );
        table.wager(&document, "w").result
    };
    assert_eq!(settle("second_highest"), Verdict::Win);
    assert_eq!(settle("lowest"), Verdict::Push);
}
