//! Mississippi stud: every cell, every refusal, every violation with its lawful twin, and the exact
//! house edge of the best play.

use serde_json::{Value, json};

use super::MississippiStud;
use crate::Edition::{Mgc2017, OhJack2017};
use crate::book::Pay;
use crate::exact::{Outlook, THREES, place};
use crate::games::shared::stud::checks::{
    and_wager, assert_lists, assert_refused, assert_twins, with,
};
use crate::games::shared::stud::exact::{cards_of_row, rules, three_cards_of_row, threes};
use crate::games::shared::stud::pay_table::PostedOdds;
use crate::settlement::Verdict;
use crate::testkit::{Cell, TestTable};

fn wager(seat: u16, kind: &str, amount: i64) -> Value {
    json!({"id": format!("s{seat}-{kind}"), "seat": seat, "kind": kind, "amount": amount})
}

/// Ante and three streets of one time the ante.
fn to_the_end(seat: u16, ante: i64) -> Vec<Value> {
    ["ante", "third_street", "fourth_street", "fifth_street"]
        .map(|kind| wager(seat, kind, ante))
        .to_vec()
}

/// Seat 1 plays a pair of aces to the end.
fn aces(options: Value) -> Value {
    TestTable::<MississippiStud>::open().document(
        OhJack2017,
        options,
        json!(to_the_end(1, 1000)),
        json!({"hands": {"1": ["AS", "AD"]}, "community": ["6H", "9C", "2D"]}),
    )
}

/// `aces` with one more key in `play`.
fn aces_and(key: &str, value: Value) -> Value {
    with(aces(json!({})), "play", key, value)
}

#[test]
fn every_cell_of_every_pay_table_pays_what_is_filed() {
    let table = TestTable::<MississippiStud>::open();
    table.assert_cells(include_str!("cells.txt"), |cell: &Cell| {
        let (first, hands, community) = match cell.table {
            "three_card" => (
                wager(1, "three_card_bonus", 1000),
                json!({"1": ["7H", "TD"]}),
                json!(three_cards_of_row(cell.row)),
            ),
            "multi_link_envy" => {
                let five = cards_of_row(cell.row);
                let hands = json!({"1": ["2S", "3H"], "2": five[..2]});
                (wager(1, "progressive", 100), hands, json!(five[2..]))
            }
            name => {
                let five = cards_of_row(cell.row);
                let first = match name {
                    "main" => wager(1, "ante", 1000),
                    _ => wager(1, "progressive", 100),
                };
                (first, json!({"1": five[..2]}), json!(five[2..]))
            }
        };
        let mut wagers = vec![first.clone()];
        let others = to_the_end(1, 1000).into_iter().chain(to_the_end(2, 500));
        wagers.extend(others.filter(|other| {
            let listed = hands.get(other["seat"].to_string()).is_some();
            listed && other["id"] != first["id"]
        }));
        let play =
            json!({"hands": hands, "community": community, "meters": {"progressive": 2_000_000}});
        table.document(
            cell.edition,
            json!({"progressive": true}),
            json!(wagers),
            play,
        )
    });
}

#[test]
fn what_describes_nothing_is_refused_by_its_place() {
    let wagered = |more: Value| and_wager(aces(json!({})), more);
    let other_edition =
        TestTable::<MississippiStud>::open().document(Mgc2017, json!({}), json!([]), json!({}));
    assert_refused::<MississippiStud>([
        (
            other_edition,
            r#"edition: "mgc-2017" is not an edition of mississippi_stud"#,
        ),
        (
            aces(json!({"three_card_bonus_offered": "yes"})),
            "options.three_card_bonus_offered:",
        ),
        (
            aces(json!({"three_card_bonus_paytable": "A"})),
            "options.three_card_bonus_paytable:",
        ),
        (aces(json!({"table_max": 0})), "options.table_max:"),
        (
            aces(json!({"progressive_bet": 0})),
            "options.progressive_bet:",
        ),
        (
            aces(json!({"payout_limit": "none"})),
            "options.payout_limit:",
        ),
        (aces(json!({"shuffle": "hand"})), "options.shuffle:"),
        (
            aces(json!({"odds_override": {"main": {"flush": "6 to 1"}}})),
            "options.odds_override.main.flush:",
        ),
        (
            aces(json!({"odds_override": {"main": {"pair_sixes_to_tens": "1:1"}}})),
            "options.odds_override.main: \"pair_sixes_to_tens\" is not a row",
        ),
        (
            aces(json!({"odds_override": {"three_card_bonus": {"flush": "6:1"}}})),
            "options.odds_override.three_card_bonus:",
        ),
        (
            wagered(wager(1, "sixth_street", 1000)),
            r#"wagers[4].kind: "sixth_street" is not a wager of mississippi_stud"#,
        ),
        (wagered(wager(0, "ante", 1000)), "wagers[4].seat:"),
        (wagered(wager(2, "ante", 0)), "wagers[4].amount:"),
        (wagered(wager(1, "ante", 5)), "wagers[4].id:"),
        (
            wagered(json!({"id": "w", "seat": 1, "kind": "ante", "amount": 5, "on": "x"})),
            "wagers[4].on:",
        ),
        (aces_and("dealer", json!([])), "play.dealer:"),
        (
            aces_and("hands", json!({"1": ["AS", "XX"]})),
            "play.hands.1[1]:",
        ),
        (
            aces_and("hands", json!({"01": ["AS", "AD"]})),
            "play.hands:",
        ),
        (aces_and("abandoned", json!([0])), "play.abandoned[0]:"),
        (aces_and("decisions", json!({})), "play.decisions:"),
        (
            aces_and("irregularities", json!([{"code": "stub_misdeal"}])),
            "play.irregularities[0].code:",
        ),
        (
            aces_and("irregularities", json!([{"code": "card_count"}])),
            "play.irregularities[0]:",
        ),
        (
            aces_and(
                "irregularities",
                json!([{"code": "card_count", "area": "dealer"}]),
            ),
            "play.irregularities[0].area:",
        ),
    ]);
}

#[test]
fn missing_cards_are_refused_and_surplus_ones_void() {
    assert_lists::<MississippiStud>(&aces(json!({})), "community", 52);
}

#[test]
fn only_who_has_a_wager_can_leave_it() {
    let table = TestTable::<MississippiStud>::open();
    let refusal = table.refusal(&aces_and("abandoned", json!([1, 2])));
    assert!(refusal.starts_with("play.abandoned[1]: "), "{refusal}");
    let mut left = aces_and("abandoned", json!([1]));
    left["play"]["hands"] = json!({});
    left["play"]["community"] = json!([]);
    let settlement = table.settle(&left);
    assert!(
        settlement
            .wagers()
            .iter()
            .all(|w| w.result == Verdict::Lose)
    );
}

#[test]
fn every_violation_has_a_lawful_twin() {
    let side =
        |options: Value, kind: &str, amount: i64| and_wager(aces(options), wager(1, kind, amount));
    let streets = |amounts: &[(&str, i64)]| {
        let wagers: Vec<Value> = amounts
            .iter()
            .map(|&(kind, amount)| wager(1, kind, amount))
            .collect();
        let mut document = aces(json!({}));
        document["wagers"] = json!(wagers);
        document
    };
    let again = |kind: &str| {
        let mut more = wager(1, kind, 1000);
        more["id"] = json!("again");
        and_wager(aces(json!({})), more)
    };
    let on = |index: usize, on: &str| {
        let mut document = aces(json!({}));
        document["wagers"][index]["on"] = json!(on);
        document
    };
    let seated = |seats: &[u16], allowed: bool, one_person: bool| {
        let mut document = aces(json!({"two_positions_allowed": allowed}));
        let deck = ["3C", "4C", "3D", "4D", "3H", "4H"];
        document["wagers"] = json!([]);
        document["play"]["hands"] = json!({});
        document["play"]["players"] = json!({});
        for (index, seat) in seats.iter().enumerate() {
            document = and_wager(document, wager(*seat, "ante", 500));
            document["play"]["hands"][seat.to_string()] = json!(deck[2 * index..2 * index + 2]);
            let person = if one_person { 1 } else { index };
            document["play"]["players"][seat.to_string()] = json!(format!("p{person}"));
        }
        document
    };
    let nobody = |options: Value| {
        TestTable::<MississippiStud>::open().document(OhJack2017, options, json!([]), json!({}))
    };
    let folded_at_once = |play: Value| {
        let mut document = streets(&[("ante", 1000)]);
        document["play"] = play;
        document
    };
    assert_twins::<MississippiStud>([
        (
            "wager.not_offered",
            side(
                json!({"three_card_bonus_offered": false}),
                "three_card_bonus",
                100,
            ),
            side(json!({}), "three_card_bonus", 100),
        ),
        (
            "wager.not_offered",
            side(json!({}), "progressive", 100),
            side(json!({"progressive": true}), "progressive", 100),
        ),
        ("wager.duplicate_kind", again("ante"), aces(json!({}))),
        (
            "wager.street_out_of_order",
            again("fourth_street"),
            aces(json!({})),
        ),
        (
            "wager.street_out_of_order",
            streets(&[("ante", 1000), ("fourth_street", 1000)]),
            streets(&[("ante", 1000), ("third_street", 1000)]),
        ),
        (
            "wager.street_out_of_order",
            streets(&[("ante", 1000), ("third_street", 1000), ("fifth_street", 9)]),
            streets(&[
                ("ante", 1000),
                ("fourth_street", 3000),
                ("third_street", 2000),
            ]),
        ),
        (
            "wager.bad_multiple",
            streets(&[("ante", 1000), ("third_street", 4000)]),
            streets(&[("ante", 1000), ("third_street", 3000)]),
        ),
        (
            "wager.bad_multiple",
            streets(&[("ante", 1000), ("third_street", 999)]),
            streets(&[("ante", 1000), ("third_street", 1001)]),
        ),
        (
            "wager.progressive_amount",
            side(json!({"progressive": true}), "progressive", 200),
            side(
                json!({"progressive": true, "progressive_bet": 200}),
                "progressive",
                200,
            ),
        ),
        (
            "wager.over_max",
            aces(json!({"table_max": 999})),
            aces(json!({"table_max": 1000})),
        ),
        (
            "wager.under_min",
            aces(json!({"table_min": 1001})),
            aces(json!({"table_min": 1000})),
        ),
        (
            "wager.multi_position",
            seated(&[1, 3], true, true),
            seated(&[1, 2], true, true),
        ),
        (
            "wager.multi_position",
            seated(&[1, 2], false, true),
            seated(&[1, 2], false, false),
        ),
        (
            "wager.multi_position",
            seated(&[1, 2, 3], true, true),
            seated(&[1, 2, 3], true, false),
        ),
        (
            "wager.bad_position",
            seated(&[8], true, true),
            seated(&[7], true, true),
        ),
        (
            "wager.bad_reference",
            on(1, "s1-third_street"),
            on(1, "s1-ante"),
        ),
        ("wager.bad_reference", on(0, "s1-ante"), on(3, "s1-ante")),
        (
            "config.payout_limit_too_low",
            aces(json!({"payout_limit": 4_999_999})),
            aces(json!({"payout_limit": 5_000_000, "table_min": 500})),
        ),
        (
            "config.payout_limit_too_low",
            nobody(json!({"payout_limit": 5_045_039, "table_min": 1001})),
            nobody(json!({"payout_limit": 5_045_040, "table_min": 1001})),
        ),
        (
            "config.payout_limit_too_low",
            nobody(json!({"payout_limit": 5_005_000, "table_min": 1001})),
            nobody(json!({"payout_limit": 5_005_000, "table_min": 1001,
                "three_card_bonus_offered": false})),
        ),
        (
            "config.odds_below_minimum",
            aces(json!({"odds_override": {"main": {"royal_flush": "499:1"}}})),
            aces(json!({"odds_override": {"main": {"royal_flush": "1000:2"}}})),
        ),
        (
            "config.conflict",
            nobody(json!({"table_min": 1000, "table_max": 999})),
            nobody(json!({"table_min": 1000, "table_max": 1000})),
        ),
        (
            "config.second_deck_without_shuffler",
            aces(json!({"two_decks": true})),
            aces(json!({"two_decks": true, "shuffle": "machine_counting"})),
        ),
        (
            "deal.card_count",
            folded_at_once(json!({"community": ["6H", "9C", "2D", "3D"]})),
            folded_at_once(json!({"community": ["6H", "9C"], "hands": {}})),
        ),
        (
            "deal.card_count",
            aces_and(
                "irregularities",
                json!([{"code": "card_count", "area": "community"}]),
            ),
            aces_and("irregularities", json!([{"code": "face_up_card"}])),
        ),
        (
            "deal.burn",
            aces_and("burned", json!(["3C", "4C"])),
            aces_and("burned", json!(["3C", "4C", "5C"])),
        ),
        (
            "deal.burn",
            with(
                aces(json!({"dealing": "automated_shoe"})),
                "play",
                "burned",
                json!([]),
            ),
            with(
                aces(json!({"dealing": "automated_shoe"})),
                "play",
                "burned",
                json!(["3C"]),
            ),
        ),
        (
            "deal.hand_without_wager",
            aces_and("hands", json!({"1": ["AS", "AD"], "4": ["AC", "AH"]})),
            aces_and("hands", json!({"1": ["AS", "AD"]})),
        ),
        (
            "deck.count_wrong",
            aces_and(
                "irregularities",
                json!([{"code": "deck_count", "found": 53}]),
            ),
            aces_and("irregularities", json!([{"code": "shuffler_failure"}])),
        ),
        (
            "deck.duplicate_card",
            aces_and("burned", json!(["AS", "3C", "4C"])),
            aces_and("burned", json!(["AC", "3C", "4C"])),
        ),
        (
            "deck.foreign_card",
            aces_and("burned", json!(["JK"])),
            aces_and("burned", json!(["JS", "3C", "4C"])),
        ),
    ]);
}

#[test]
fn streets_and_side_wagers_without_an_ante_go_back() {
    let table = TestTable::<MississippiStud>::open();
    let mut document = aces(json!({"progressive": true}));
    document["wagers"] = json!([
        wager(1, "third_street", 1000),
        wager(1, "fifth_street", 1000),
        wager(1, "three_card_bonus", 100),
        wager(1, "progressive", 300),
    ]);
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
            "wager.progressive_amount",
            "wager.side_without_main",
            "wager.street_without_ante"
        ]
    );
}

#[test]
fn one_limit_covers_the_hand_and_then_the_three_card_bonus() {
    let table = TestTable::<MississippiStud>::open();
    let mut document = aces(json!({"payout_limit": 5_000_000}));
    document["wagers"] = json!([
        wager(1, "three_card_bonus", 50_000),
        wager(1, "ante", 10_000),
        wager(1, "third_street", 10_000),
        wager(1, "fourth_street", 10_000),
        wager(1, "fifth_street", 10_000),
    ]);
    // A straight flush whose board is one too: 4 x 1000000, then 1000000 of 2000000.
    document["play"] = json!({"hands": {"1": ["5D", "6D"]}, "community": ["7D", "8D", "9D"]});
    let wins: Vec<i64> = table
        .settle(&document)
        .wagers()
        .iter()
        .map(|w| w.win.get())
        .collect();
    assert_eq!(
        wins,
        [1_000_000, 1_000_000, 1_000_000, 1_000_000, 1_000_000]
    );
}

#[test]
fn the_worst_pair_that_pushes_is_sixes_and_the_best_tens() {
    let table = TestTable::<MississippiStud>::open();
    for (pair, verdict) in [
        (["5S", "5D"], Verdict::Lose),
        (["6S", "6D"], Verdict::Push),
        (["TS", "TD"], Verdict::Push),
        (["JS", "JD"], Verdict::Win),
    ] {
        let mut document = aces(json!({}));
        document["play"] = json!({"hands": {"1": pair}, "community": ["2H", "7C", "9H"]});
        assert_eq!(
            table.wager(&document, "s1-ante").result,
            verdict,
            "{pair:?}"
        );
    }
}

/// Each street is a choice of fold, one, two or three times the ante, known cards being a set that
/// grows from two to four. Published: the house keeps 4.91% of the ante.
#[test]
fn the_best_play_costs_the_published_house_edge() {
    let rules = rules::<MississippiStud>(OhJack2017);
    let outlook = Outlook::of(&|hand| match rules.main.pay(hand, &PostedOdds::new()) {
        Pay::Odds(odds) => i64::from(odds.win()),
        Pay::Push => 0,
        _ => -1,
    });
    // What is won with `staked` antes on the table, times all that can still be dealt.
    let best = |staked: i64, deals: i64, bet: &dyn Fn(i64) -> i64| {
        let betting = rules
            .street_multiples
            .iter()
            .map(|&multiple| bet(staked + multiple));
        betting.max().unwrap_or(i64::MIN).max(-staked * deals)
    };
    // By the place of four cards, for three to seven antes staked.
    let fifth: Vec<[i64; 5]> = outlook
        .with_four
        .iter()
        .map(|four| [3, 4, 5, 6, 7].map(|staked| best(staked, 48, &|staked| staked * four)))
        .collect();
    let with = |known: &[usize], card: usize| {
        let mut cards = known.to_vec();
        cards.push(card);
        cards.sort_unstable();
        place(&cards)
    };
    let others = |known: &[usize]| {
        (0..52)
            .filter(|card| !known.contains(card))
            .collect::<Vec<_>>()
    };
    // By the place of three cards, for two, three and four antes staked.
    let mut fourth = vec![[0; 3]; THREES as usize];
    for c in 2..52 {
        for b in 1..c {
            for a in 0..b {
                let known = [a, b, c];
                let next: Vec<usize> = others(&known)
                    .iter()
                    .map(|&card| with(&known, card))
                    .collect();
                let mut sums = [0; 5];
                for &four in &next {
                    (0..5).for_each(|at| sums[at] += fifth[four][at]);
                }
                fourth[place(&known)] = [2, 3, 4].map(|staked| {
                    let bet = |staked: i64| sums[staked as usize - 3];
                    best(staked, 48 * 49, &bet)
                });
            }
        }
    }
    let mut gain = 0;
    for b in 1..52 {
        for a in 0..b {
            let next: Vec<usize> = others(&[a, b])
                .iter()
                .map(|&card| with(&[a, b], card))
                .collect();
            let bet = |staked: i64| {
                next.iter()
                    .map(|&three| fourth[three][staked as usize - 2])
                    .sum()
            };
            gain += best(1, 48 * 49 * 50, &bet);
        }
    }
    let edge = -gain * 10_000 / (1_326 * 50 * 49 * 48);
    assert_eq!(edge, 491);
}

/// Published for the same table as Pair Plus: 7.28%.
#[test]
fn the_three_card_bonus_costs_the_published_house_edge() {
    let rules = rules::<MississippiStud>(OhJack2017);
    let gain: i64 = threes()
        .map(|cards| {
            let odds = rules.three_card.three_card_odds(&cards, &PostedOdds::new());
            odds.map_or(-1, |odds| i64::from(odds.win()))
        })
        .sum();
    assert_eq!(-gain * 10_000 / THREES, 727);
}

#[test]
fn a_share_of_a_meter_that_nobody_read_is_refused_and_fixed_prizes_are_not() {
    let table = TestTable::<MississippiStud>::open();
    let hand = |hand: [&str; 2], community: [&str; 3], streets: usize, chip: i64| {
        let mut document = aces(json!({"progressive": true}));
        let mut wagers = to_the_end(1, 1000);
        wagers.truncate(1 + streets);
        wagers.push(wager(1, "progressive", chip));
        document["wagers"] = json!(wagers);
        document["play"] = json!({"hands": {"1": hand}, "community": community});
        document
    };
    let chip = |document: &Value| {
        let settled = table.wager(document, "s1-progressive");
        (settled.result, settled.returned.get())
    };
    for (cards, community) in [
        (["TC", "JC"], ["QC", "KC", "AC"]),
        (["5C", "6C"], ["7C", "8C", "9C"]),
    ] {
        let refusal = table.refusal(&hand(cards, community, 3, 100));
        assert!(
            refusal.starts_with("play.meters.progressive: "),
            "{refusal}"
        );
        // A folded hand wins nothing, and a chip of another size is no wager.
        assert_eq!(chip(&hand(cards, community, 1, 100)), (Verdict::Lose, 0));
        assert_eq!(chip(&hand(cards, community, 3, 300)), (Verdict::Void, 300));
    }
    let flush = hand(["2C", "4C"], ["6C", "8C", "JC"], 3, 100);
    assert_eq!(chip(&flush), (Verdict::Win, 4000));
}
