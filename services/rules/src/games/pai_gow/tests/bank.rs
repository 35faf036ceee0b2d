//! A round that a player banks, alone or with the house.

use serde_json::{Value, json};

use super::{Table, dealer, hand, main_wager, round, wager};
use crate::settlement::Verdict;

/// A round that area 2 banks with eight and one.
fn banked(options: Value, mode: &str, check: Value, wagers: Value) -> Value {
    let mut all = vec![wager("b", 2, "bank", 0)];
    all.extend(wagers.as_array().unwrap().clone());
    let mut hands = vec![hand(2, "5-5 6-2 / 6-4 6-5")];
    if all.iter().any(|wager| wager["seat"] == 1) {
        hands.push(hand(1, "1-1 6-1 / 4-4 3-1"));
    }
    let play = json!({"mode": mode, "bank_seat": 2, "bank_check": check, "hands": hands,
        "dealer": dealer("6-6 5-2 / 3-3 5-5")});
    round(options, json!(all), play)
}

#[test]
fn the_bank_is_checked() {
    let table = Table::open();
    let main = || json!([wager("w", 1, "pai_gow", 1000)]);
    let codes = |options: Value, mode: &str, check: Value, wagers: Value| {
        table.violations(&banked(options, mode, check, wagers))
    };
    let sound =
        json!({"first_round": false, "banked_last_round": false, "last_wager": 1, "chips": 1000});
    for mode in ["bank", "co_bank"] {
        assert_eq!(codes(json!({}), mode, sound.clone(), main()), [""; 0]);
        for (check, code) in [
            (json!({"first_round": true}), "pai_gow.bank_first_round"),
            (
                json!({"banked_last_round": true}),
                "pai_gow.bank_consecutive",
            ),
            (json!({"last_wager": 0}), "pai_gow.bank_not_eligible"),
            (json!({"chips": 999}), "pai_gow.bank_underfunded"),
        ] {
            assert_eq!(codes(json!({}), mode, check, main()), [code]);
        }
    }
    let not_offered = ["pai_gow.bank_not_offered"];
    assert_eq!(
        codes(json!({"banking": false}), "bank", json!({}), main()),
        not_offered
    );
    let no_co_banking = json!({"co_banking": false});
    assert_eq!(
        codes(no_co_banking.clone(), "co_bank", json!({}), main()),
        not_offered
    );
    assert_eq!(codes(no_co_banking, "bank", json!({}), main()), [""; 0]);

    let against = |amounts: &[i64]| {
        let wagers = amounts.iter().enumerate();
        json!(
            wagers
                .map(|(at, &amount)| wager(&format!("d{at}"), 0, "dealer_vs_bank", amount))
                .collect::<Vec<_>>()
        )
    };
    let last = json!({"last_wager": 500});
    let code = ["pai_gow.dealer_bank_wager"];
    assert_eq!(
        codes(json!({}), "bank", last.clone(), against(&[500])),
        [""; 0]
    );
    assert_eq!(
        codes(json!({}), "bank", last.clone(), against(&[501])),
        code
    );
    assert_eq!(
        codes(json!({}), "bank", last.clone(), against(&[500, 1])),
        code
    );
    assert_eq!(
        codes(json!({}), "co_bank", last.clone(), against(&[500])),
        code
    );
    let approved = json!({"dealer_bank_wager_rule": "approved"});
    assert_eq!(codes(approved, "bank", last, against(&[501])), [""; 0]);

    let extra = json!([wager("w", 2, "pai_gow", 1000)]);
    assert_eq!(
        codes(json!({}), "bank", json!({}), extra),
        ["wager.bank_extra_area"]
    );
    let mut same_player = banked(json!({}), "bank", json!({}), main());
    for hand in same_player["play"]["hands"].as_array_mut().unwrap() {
        hand["player"] = json!("ann");
    }
    assert_eq!(table.violations(&same_player), ["wager.bank_extra_area"]);
}

#[test]
fn the_bank_gets_what_is_left_in_the_centre_less_vigorish() {
    let table = Table::open();
    let entry = |mode: &str, rounding: &str, surrender: bool, amount: i64| {
        let wagers = json!([wager("w", 1, "pai_gow", amount)]);
        let mut document = banked(json!({"vig_rounding": rounding}), mode, json!({}), wagers);
        document["play"]["hands"][1]["surrender"] = json!(surrender);
        let bank = table.wager(&document, "b");
        (
            bank.result,
            bank.win.get(),
            bank.commission.get(),
            bank.returned.get(),
        )
    };
    use Verdict::{Lose, Win};
    assert_eq!(entry("bank", "none", true, 1010), (Win, 1010, 50, 960));
    assert_eq!(entry("bank", "up_25c", true, 1010), (Win, 1010, 75, 935));
    assert_eq!(entry("bank", "none", false, 1010), (Lose, -1010, 0, -1010));
    assert_eq!(entry("co_bank", "none", true, 1011), (Win, 505, 25, 480));
    assert_eq!(entry("co_bank", "none", false, 1011), (Lose, -505, 0, -505));
    // Half a cent is nobody's, and still somebody's win.
    assert_eq!(entry("co_bank", "up_25c", true, 1), (Win, 0, 0, 0));
    assert_eq!(entry("co_bank", "none", false, 1), (Lose, 0, 0, 0));
}

#[test]
fn the_houses_own_wager_is_settled_by_its_hand_without_vigorish() {
    let table = Table::open();
    let settle = |hand: &str| {
        let wagers = json!([wager("d", 0, "dealer_vs_bank", 1000)]);
        let mut document = banked(json!({}), "bank", json!({}), wagers);
        document["play"]["dealer"] = dealer(hand);
        let own = table.wager(&document, "d");
        (
            own.result,
            own.commission.get(),
            table.wager(&document, "b").win.get(),
            table.violations(&document),
        )
    };
    // The gong must be played: reset to it and a seven.
    assert_eq!(
        settle("6-6 5-2 / 6-4 4-4"),
        (Verdict::Win, 0, -1000, vec!["pai_gow.house_way_error"])
    );
    // Nine and zero: the zero loses its side.
    assert_eq!(settle("6-6 5-2 / 3-3 3-1").0, Verdict::Push);
    assert_eq!(
        settle("6-6 5-2 / 3-3 4-1"),
        (Verdict::Win, 0, -1000, vec![])
    );
    // Left out, it is not missed unless the house wagered.
    let mut document = banked(json!({}), "bank", json!({}), json!([]));
    document["play"]["dealer"] = json!(null);
    assert_eq!(table.violations(&document), [""; 0]);
}

#[test]
fn a_filed_house_way_is_taken_as_set() {
    let table = Table::open();
    let broken = dealer("6-4 2-2 / 5-3 6-1");
    let document =
        |options: Value| round(options, json!([main_wager()]), json!({"dealer": broken}));
    assert_eq!(
        table.violations(&document(json!({"house_way": "submission"}))),
        [""; 0]
    );
    assert_eq!(
        table.violations(&document(json!({}))),
        ["pai_gow.house_way_error"]
    );
    // A co-bank under a filed house way needs its setting; under 7(d) the house sets it.
    for (way, refused) in [("base", false), ("submission", true)] {
        let mut document = banked(json!({"house_way": way}), "co_bank", json!({}), json!([]));
        document["play"]["hands"][0] = json!({"seat": 2, "tiles": ["5-5", "6-2", "6-4", "6-5"]});
        assert_eq!(table.try_settle(&document).is_err(), refused, "{way}");
    }
}
