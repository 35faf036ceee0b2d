//! Who may wager what against the bank, and how far each is covered.

use serde_json::{Value, json};

use super::{TABLE, player_wins, round, with};
use crate::settlement::{Settlement, Verdict};

/// Every code about the wagers with a round that raises it alone, and a lawful twin.
#[test]
fn wagers_against_the_rules_are_flagged() {
    let table = &*TABLE;
    let wagers = |against: &[(u16, &str, i64)]| {
        let mut wagers = vec![json!({"id": "bank", "seat": 5, "kind": "bank", "amount": 30000})];
        wagers.extend(against.iter().enumerate().map(|(index, (seat, kind, amount))| {
            json!({"id": format!("w{index}"), "seat": seat, "kind": kind, "amount": amount})
        }));
        json!(wagers)
    };
    let prior = |prior: Value| with(player_wins(), "prior", prior);
    let continuing = |last: i64| prior(json!({"kind": "continuing", "last_bank": last}));
    let passed = |last: i64| prior(json!({"kind": "passed", "last_bank": last}));
    let bid = |kind: &str, bid: i64| prior(json!({"kind": kind, "bid": bid}));
    let suivi = |seat: u16| prior(json!({"kind": "forced_pass", "suivi_seat": seat}));
    let dominant = |seat: u16| with(player_wins(), "dominant_seat", json!(seat));
    let full = [(7, "banco", 30000)];
    let follow = [(7, "banco_suivi", 30000)];
    let punts = [(2, "punt", 100), (7, "punt", 200), (3, "punt", 200)];
    let cases = [
        (
            "chemin.over_cover",
            (wagers(&[(7, "punt", 30000), (8, "punt", 1)]), player_wins()),
            (wagers(&[(7, "punt", 29999), (8, "punt", 1)]), player_wins()),
        ),
        (
            "chemin.banco_not_equal_to_bank",
            (wagers(&[(7, "banco", 29999)]), player_wins()),
            (wagers(&full), player_wins()),
        ),
        (
            "chemin.suivi_not_entitled",
            (wagers(&follow), suivi(8)),
            (wagers(&follow), suivi(7)),
        ),
        (
            "chemin.suivi_not_entitled",
            (wagers(&follow), player_wins()),
            (wagers(&follow), suivi(7)),
        ),
        (
            "chemin.banker_bets_against_self",
            (wagers(&[(5, "punt", 100)]), player_wins()),
            (wagers(&[(6, "punt", 100)]), player_wins()),
        ),
        (
            "chemin.bank_below_bid",
            (wagers(&full), bid("opening", 30001)),
            (wagers(&full), bid("opening", 30000)),
        ),
        (
            "chemin.bank_below_bid",
            (wagers(&full), bid("auction", 30001)),
            (wagers(&full), bid("auction", 9)),
        ),
        (
            "chemin.bank_below_previous",
            (wagers(&full), continuing(30001)),
            (wagers(&full), continuing(30000)),
        ),
        (
            "chemin.bank_below_previous",
            (wagers(&full), passed(30001)),
            (wagers(&full), passed(30000)),
        ),
        (
            "chemin.bank_over_double",
            (wagers(&full), continuing(14999)),
            (wagers(&full), continuing(15000)),
        ),
        (
            "chemin.bank_over_double",
            (wagers(&full), passed(14999)),
            (wagers(&full), passed(15000)),
        ),
        (
            "chemin.wrong_dominant_player",
            (wagers(&full), dominant(5)),
            (wagers(&full), dominant(7)),
        ),
        // Of equally high wagers the nearest counterclockwise: 7 before 3.
        (
            "chemin.wrong_dominant_player",
            (wagers(&punts), dominant(3)),
            (wagers(&punts), dominant(7)),
        ),
    ];
    for (code, (wagers, play), (lawful_wagers, lawful_play)) in cases {
        let codes = |wagers, play| table.violations(&round(json!({}), wagers, play));
        assert_eq!(codes(wagers, play), [code]);
        assert_eq!(
            codes(lawful_wagers, lawful_play),
            Vec::<&str>::new(),
            "twin of {code}"
        );
    }
    // After a forced pass, or where nobody says how the bank came here, there are no bounds; and
    // where nothing was accepted nobody controls the Player hand.
    let forced = prior(json!({"kind": "forced_pass"}));
    assert_eq!(
        table.violations(&round(json!({}), wagers(&full), forced)),
        Vec::<&str>::new()
    );
    let nobody = table.violations(&round(json!({}), wagers(&[]), dominant(1)));
    assert_eq!(nobody, Vec::<&str>::new());
}

#[test]
fn a_void_hand_is_still_checked_for_its_wagers() {
    let table = &*TABLE;
    let wagers = json!([{"id": "bank", "seat": 5, "kind": "bank", "amount": 30000},
                        {"id": "self", "seat": 5, "kind": "punt", "amount": 10},
                        {"id": "less", "seat": 7, "kind": "banco", "amount": 29000},
                        {"id": "more", "seat": 8, "kind": "punt", "amount": 2000}]);
    let play = json!({"irregularity": "wrong_order", "dominant_seat": 8,
                      "prior": {"kind": "opening", "bid": 30001}});
    let settlement = table.settle(&round(json!({}), wagers, play));
    let codes: Vec<_> = settlement.violations().iter().collect();
    assert_eq!(
        codes,
        [
            "chemin.banco_not_equal_to_bank",
            "chemin.bank_below_bid",
            "chemin.banker_bets_against_self",
            "chemin.over_cover",
            "chemin.wrong_dominant_player",
            "chemin.wrong_order",
        ]
    );
    let all_back = |row: &crate::Settled| row.result == Verdict::Void && row.win.get() == 0;
    assert!(settlement.wagers().iter().all(all_back));
}

#[test]
fn a_bank_that_nobody_covers_is_void() {
    let table = &*TABLE;
    let wagers = json!([{"id": "bank", "seat": 5, "kind": "bank", "amount": 30000},
                        {"id": "self", "seat": 5, "kind": "banco", "amount": 30000}]);
    let play = json!({"player": ["TS", "6D"], "banker": ["KH", "7C"]});
    let settlement = table.settle(&round(json!({}), wagers, play));
    assert!(
        settlement
            .wagers()
            .iter()
            .all(|row| row.result == Verdict::Void)
    );
    let codes: Vec<_> = settlement.violations().iter().collect();
    assert_eq!(codes, ["chemin.banker_bets_against_self"]);
}

#[test]
fn a_banker_who_bets_against_himself_may_break_other_rules_with_it() {
    let table = &*TABLE;
    let wagers = json!([{"id": "bank", "seat": 5, "kind": "bank", "amount": 30000},
                        {"id": "self", "seat": 5, "kind": "banco_suivi", "amount": 29000}]);
    let play = json!({"player": ["TS", "6D"], "banker": ["KH", "7C"]});
    assert_eq!(
        table.violations(&round(json!({}), wagers, play)),
        [
            "chemin.banco_not_equal_to_bank",
            "chemin.banker_bets_against_self",
            "chemin.suivi_not_entitled",
        ]
    );
}

#[test]
fn the_bank_is_covered_by_rank_then_counterclockwise_from_the_banker() {
    let table = &*TABLE;
    // In document order the worst first. Seat 3 follows, 6 and 2 call banco, 7 and 1 punt.
    let wagers = json!([{"id": "punt1", "seat": 1, "kind": "punt", "amount": 100},
                        {"id": "punt7", "seat": 7, "kind": "punt", "amount": 100},
                        {"id": "banco2", "seat": 2, "kind": "banco", "amount": 100},
                        {"id": "banco6", "seat": 6, "kind": "banco", "amount": 100},
                        {"id": "suivi3", "seat": 3, "kind": "banco_suivi", "amount": 100},
                        {"id": "bank", "seat": 5, "kind": "bank", "amount": 450}]);
    let settle = |suivi_seat: u16| {
        let prior = json!({"kind": "forced_pass", "suivi_seat": suivi_seat});
        table.settle(&round(
            json!({}),
            wagers.clone(),
            with(player_wins(), "prior", prior),
        ))
    };
    let wins = |settlement: &Settlement| -> Vec<i64> {
        settlement
            .wagers()
            .iter()
            .map(|row| row.win.get())
            .collect()
    };
    // 450 cover suivi3, banco6, banco2, punt7, and half of punt1.
    assert_eq!(wins(&settle(3)), [50, 100, 100, 100, 100, 0]);
    // Without entitlement a suivi is a banco: 6, then 2, then 3, all covered as before.
    assert_eq!(wins(&settle(9)), [50, 100, 100, 100, 100, 0]);
    let small = |suivi_seat: u16| {
        let mut wagers = wagers.clone();
        wagers[5]["amount"] = json!(150);
        let prior = json!({"kind": "forced_pass", "suivi_seat": suivi_seat});
        table.settle(&round(
            json!({}),
            wagers,
            with(player_wins(), "prior", prior),
        ))
    };
    // A bank of 150: the entitled suivi and half of banco6; else banco6 and half of banco2.
    assert_eq!(wins(&small(3)), [0, 0, 0, 50, 100, 0]);
    assert_eq!(wins(&small(9)), [0, 0, 50, 100, 0, 0]);
}

#[test]
fn vigorish_is_taken_on_the_covered_part_in_the_steps_of_its_percentage() {
    let table = &*TABLE;
    let wagers = |covered: i64| {
        json!([{"id": "bank", "seat": 5, "kind": "bank", "amount": 1_000_000},
               {"id": "w", "seat": 6, "kind": "punt", "amount": covered}])
    };
    let play = json!({"player": ["TS", "6D"], "banker": ["KH", "7C"]});
    for (percent, rounding, covered, commission) in [
        (5, "exact", 3310, 165),
        (5, "up", 3310, 175),
        (5, "up", 3500, 175),
        (5, "up", 1, 25),
        (4, "exact", 3310, 132),
        (4, "up", 3310, 140),
        (4, "up", 3500, 140),
        (4, "up", 1, 20),
    ] {
        let options = json!({"vigorish_percent": percent, "vigorish_rounding": rounding});
        let document = round(options, wagers(covered), play.clone());
        let bank = table.wager(&document, "bank");
        assert_eq!(bank.commission.get(), commission, "{document}");
        assert_eq!(bank.returned.get(), 1_000_000 + covered - commission);
    }
}
