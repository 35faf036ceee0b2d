//! House Money payouts that are added to a wager.

use serde_json::{Value, json};

use crate::settlement::Verdict;
use crate::testkit::TestTable;
use crate::{Edition, Game};

/// Banker wins 9 to 7; House Money of seat 3 pays 1800, of which half may be pressed.
pub(crate) fn assert_presses<G: Game>(edition: Edition) {
    let table = TestTable::<G>::open();
    let play = json!({"player": ["5S", "TH", "2C"], "banker": ["KC", "KD", "9H"]});
    let press = |id: &str, amount: i64, on: &str, from: &str| {
        json!({"id": id, "seat": 3, "kind": "house_money_press", "amount": amount,
               "on": on, "from": from})
    };
    let settle = |presses: Vec<Value>| {
        let mut wagers = vec![
            json!({"id": "hm", "seat": 3, "kind": "house_money", "amount": 600}),
            json!({"id": "hm2", "seat": 4, "kind": "house_money", "amount": 600}),
            json!({"id": "b", "seat": 3, "kind": "banker", "amount": 1010}),
            json!({"id": "t", "seat": 3, "kind": "tie", "amount": 1000}),
            json!({"id": "hm3", "seat": 3, "kind": "house_money", "amount": 101}),
        ];
        wagers.extend(presses);
        let options = json!({"house_money_press_percent": 50, "vigorish_rounding": "up"});
        table.settle(&table.document(edition, options, json!(wagers), play.clone()))
    };

    let lawful = settle(vec![press("p", 900, "b", "hm")]);
    assert_eq!(lawful.violations().iter().count(), 0);
    // 5% of 1010 rounds up to 75, of 1910 to 100: the press owes the difference.
    assert_eq!(lawful.wagers()[2].commission.get(), 75);
    let press_row = &lawful.wagers()[5];
    let amounts = (press_row.commission.get(), press_row.returned.get());
    assert_eq!(amounts, (25, 1775));

    // A second payout on the same wager: 303 in cash, half of it is 151.5, so 151. 5% of 2061 is
    // 103.05 and rounds up to 125: 25 more than the 100 that 1910 owed.
    let second = settle(vec![
        press("p", 900, "b", "hm"),
        press("q", 151, "b", "hm3"),
    ]);
    assert_eq!(second.violations().iter().count(), 0);
    assert_eq!(second.wagers()[6].commission.get(), 25);

    let wrong_amount = settle(vec![press("p", 901, "b", "hm")]);
    let codes: Vec<_> = wrong_amount.violations().iter().collect();
    assert_eq!(codes, ["house_money.press_wrong_amount"]);
    // The cent above the portion is not at risk: 5% of 1910, and it goes back.
    let press_row = &wrong_amount.wagers()[5];
    let amounts = (press_row.win.get(), press_row.commission.get());
    assert_eq!((press_row.result, amounts), (Verdict::Win, (900, 25)));
    assert_eq!(press_row.returned.get(), 1776);
    // Less is at risk as it lies, and what a later press joins is what was at risk before it.
    let less = settle(vec![
        press("p", 5000, "b", "hm"),
        press("q", 100, "b", "hm3"),
    ]);
    let codes: Vec<_> = less.violations().iter().collect();
    assert_eq!(codes, ["house_money.press_wrong_amount"]);
    assert_eq!(less.wagers()[5].returned.get(), 5000 + 900 - 25);
    // 5% of 2010 is 100.5 and rounds up to 125.
    assert_eq!(less.wagers()[6].commission.get(), 25);

    for (on, from) in [
        ("t", "hm"),
        ("b", "hm2"),
        ("b", "b"),
        ("nobody", "hm"),
        ("b", "p"),
    ] {
        let invalid = settle(vec![press("p", 900, on, from)]);
        let codes: Vec<_> = invalid.violations().iter().collect();
        assert_eq!(codes, ["house_money.press_invalid"], "{on} {from}");
        assert_eq!(invalid.wagers()[5].result, Verdict::Void);
    }
    let nothing_named = json!({"id": "p", "seat": 3, "kind": "house_money_press", "amount": 900});
    assert!(
        settle(vec![nothing_named])
            .violations()
            .contains("house_money.press_invalid")
    );
    let twice = settle(vec![press("p", 900, "b", "hm"), press("q", 900, "b", "hm")]);
    assert!(twice.violations().contains("house_money.press_invalid"));
    assert_eq!(twice.wagers()[6].result, Verdict::Void);
    // An invalid press uses nothing up.
    let after_invalid = settle(vec![press("p", 900, "t", "hm"), press("q", 900, "b", "hm")]);
    assert_eq!(after_invalid.wagers()[6].result, Verdict::Win);
}

/// Nothing but the payout of 600 may be added after "no more bets": of 2000 that were, 1400 go back.
pub(crate) fn assert_presses_beyond_the_portion<G: Game>(edition: Edition) {
    let table = TestTable::<G>::open();
    let wagers = json!([{"id": "h", "seat": 4, "kind": "house_money", "amount": 200},
                        {"id": "b", "seat": 4, "kind": "banker", "amount": 1000},
                        {"id": "p", "seat": 4, "kind": "house_money_press", "amount": 2000,
                         "on": "b", "from": "h"}]);
    let lost = json!({"player": ["2S", "2H", "5C"], "banker": ["7D", "KH"]});
    let won = json!({"player": ["2S", "2H", "AC"], "banker": ["7D", "KH"]});
    let tied = json!({"player": ["2S", "2H", "3C"], "banker": ["7D", "KH"]});
    for (play, ended) in [
        (lost, (Verdict::Lose, 0, 0, 1400)),
        (won, (Verdict::Win, 600, 30, 2570)),
        (tied, (Verdict::Push, 0, 0, 2000)),
    ] {
        let document = table.document(edition, json!({}), wagers.clone(), play);
        let press = table.wager(&document, "p");
        let amounts = (
            press.win.get(),
            press.commission.get(),
            press.returned.get(),
        );
        let (win, commission, returned) = amounts;
        assert_eq!(
            (press.result, win, commission, returned),
            ended,
            "{document}"
        );
        assert_eq!(
            table.violations(&document),
            ["house_money.press_wrong_amount"]
        );
    }
}

/// A press has the fate of the wager it was added to: at an EZ table it owes no vigorish and pushes
/// on a Dragon 7, and it loses and ties with it.
pub(crate) fn assert_presses_share_the_fate<G: Game>(edition: Edition) {
    let table = TestTable::<G>::open();
    // House Money 3:1 on 100 gives the 300 that are pressed.
    for (player, banker, on, ez, verdict, commission, returned) in [
        (
            ["8S", "KH", ""],
            ["8C", "8D", ""],
            "player",
            false,
            Verdict::Win,
            0,
            600,
        ),
        (
            ["8S", "8H", ""],
            ["4C", "3D", ""],
            "player",
            false,
            Verdict::Lose,
            0,
            0,
        ),
        (
            ["8S", "8H", ""],
            ["4C", "2D", ""],
            "banker",
            false,
            Verdict::Push,
            0,
            300,
        ),
        (
            ["8S", "8H", ""],
            ["4C", "3D", ""],
            "banker",
            false,
            Verdict::Win,
            15,
            585,
        ),
        (
            ["8S", "8H", ""],
            ["4C", "3D", ""],
            "banker",
            true,
            Verdict::Win,
            0,
            600,
        ),
        (
            ["8S", "8H", ""],
            ["4C", "KD", "3S"],
            "banker",
            true,
            Verdict::Push,
            0,
            300,
        ),
        (
            ["8S", "8H", ""],
            ["4C", "KD", "3S"],
            "banker",
            false,
            Verdict::Win,
            15,
            585,
        ),
    ] {
        let wagers = json!([{"id": "p", "seat": 1, "kind": "house_money_press", "amount": 300,
                             "on": "m", "from": "hm"},
                            {"id": "hm", "seat": 1, "kind": "house_money", "amount": 100},
                            {"id": "m", "seat": 1, "kind": on, "amount": 1000}]);
        let hand = |cards: [&'static str; 3]| -> Vec<&str> {
            cards.into_iter().filter(|card| !card.is_empty()).collect()
        };
        let play = json!({"player": hand(player), "banker": hand(banker)});
        let document = table.document(edition, json!({"ez_baccarat": ez}), wagers, play);
        let press = table.wager(&document, "p");
        assert_eq!(
            (press.result, press.commission.get(), press.returned.get()),
            (verdict, commission, returned),
            "{document}"
        );
    }
}
