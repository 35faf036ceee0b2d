//! Let it ride: every cell, every refusal, every violation with its lawful twin, and the exact
//! mathematics of the pay tables and of the best play.

use serde_json::{Value, json};

use super::{LetItRide, ThreeCardPayTable};
use crate::Edition::{self, Mgc2017, OhJack2017};
use crate::book::Pay;
use crate::games::shared::stud::checks::{assert_refused, assert_twins};
use crate::games::shared::stud::exact::{
    FIVES, Outlook, THREES, cards_of_row, classes, rules, three_cards_of_row, threes,
};
use crate::games::shared::stud::pay_table::PostedOdds;
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
            "multi_link" | "multi_link_envy" => ("progressive", 100),
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
        let play =
            json!({"hands": hands, "community": community, "meters": {"progressive": 2_000_000}});
        table.document(cell.edition, options, json!(wagers), play)
    };
    table.assert_cells(include_str!("cells.txt"), document);
}

#[test]
fn what_describes_nothing_is_refused_by_its_place() {
    let options = |options: Value| round(Mgc2017, options, json!(bets(1, 1000)), kings());
    let wager = |more: Value| round(Mgc2017, json!({}), bets_and(more), kings());
    let play = |key: &str, value: Value| {
        round(
            Mgc2017,
            json!({}),
            json!(bets(1, 1000)),
            kings_and(key, value),
        )
    };
    let cases = [
        (
            round(Edition::MgcAmended, json!({}), json!([]), json!({})),
            r#"edition: "mgc-amended" is not an edition of let_it_ride"#,
        ),
        (
            options(json!({"three_card_bonus_paytable": "standard"})),
            "options.three_card_bonus_paytable:",
        ),
        (
            options(json!({"progressive": true})),
            "options.progressive: true cannot be read",
        ),
        (options(json!({"two_decks": 1})), "options.two_decks:"),
        (options(json!({"table_min": 0})), "options.table_min:"),
        (
            options(json!({"progressive_bet": 0})),
            "options.progressive_bet:",
        ),
        (
            options(json!({"payout_limit": 1.5})),
            "options.payout_limit:",
        ),
        (
            options(json!({"payout_limit": -1})),
            "options.payout_limit:",
        ),
        (options(json!({"dealing": "machine"})), "options.dealing:"),
        (options(json!({"limit": 1})), "options.limit:"),
        (
            options(json!({"odds_override": {"main": {"two_pair": "2"}}})),
            "options.odds_override.main.two_pair:",
        ),
        (
            options(json!({"odds_override": {"main": {"pair_jacks_or_better": "2:1"}}})),
            "options.odds_override.main: \"pair_jacks_or_better\" is not a row",
        ),
        (
            options(json!({"odds_override": {"main": {"pair": "2:1"}}})),
            "options.odds_override.main",
        ),
        (
            options(json!({"odds_override": {"let_it_ride_bonus": {"two_pair": 200}}})),
            "options.odds_override.let_it_ride_bonus:",
        ),
        (
            options(json!({"odds_override": {"progressive": {}}})),
            "options.odds_override.progressive:",
        ),
        (
            wager(json!({"id": "w", "seat": 1, "kind": "bet_4", "amount": 100})),
            r#"wagers[3].kind: "bet_4" is not a wager of let_it_ride"#,
        ),
        (
            wager(json!({"id": "w", "seat": 0, "kind": "bet_1", "amount": 100})),
            "wagers[3].seat:",
        ),
        (
            wager(json!({"id": "w", "seat": 1, "kind": "bet_1", "amount": 0})),
            "wagers[3].amount:",
        ),
        (
            wager(json!({"id": "s1b1", "seat": 1, "kind": "bet_1", "amount": 5})),
            "wagers[3].id:",
        ),
        (
            wager(json!({"id": "w", "seat": 1, "kind": "bet_1", "amount": 5, "on": "x"})),
            r#"wagers[3].on: there is no wager "x""#,
        ),
        (
            wager(json!({"id": "w", "seat": 1, "kind": "bet_1", "amount": 5, "for": "x"})),
            "wagers[3].for:",
        ),
        (play("board", json!([])), "play.board:"),
        (play("community", json!(["1S", "2S"])), "play.community[0]:"),
        (play("hands", json!({"0": ["2S"]})), "play.hands:"),
        (play("hands", json!({"one": ["2S"]})), "play.hands:"),
        (play("abandoned", json!([0])), "play.abandoned[0]:"),
        (play("ruled_valid", json!([1, 0])), "play.ruled_valid[1]:"),
        (
            play("decisions", json!({"1": {"bet_1": "raise"}})),
            "play.decisions.1.bet_1:",
        ),
        (play("meters", json!({"linked": 1})), "play.meters.linked:"),
        (
            play("irregularities", json!([{"code": "fire"}])),
            "play.irregularities[0].code:",
        ),
        (
            play("irregularities", json!([{"code": "hole_card_exposed"}])),
            "play.irregularities[0].code:",
        ),
        (
            play("irregularities", json!([{"code": "card_count"}])),
            "play.irregularities[0]:",
        ),
        (
            play(
                "irregularities",
                json!([{"code": "card_count", "seat": 1, "area": "community"}]),
            ),
            "play.irregularities[0]:",
        ),
        (
            play(
                "irregularities",
                json!([{"code": "card_count", "area": "dealer"}]),
            ),
            "play.irregularities[0].area:",
        ),
        (
            play("irregularities", json!([{"code": "card_count", "seat": 0}])),
            "play.irregularities[0].seat:",
        ),
        (
            play("irregularities", json!([{"code": "card_count", "who": 1}])),
            "play.irregularities[0].who:",
        ),
    ];
    assert_refused::<LetItRide>(cases);
}

/// Rounds that differ in one point: the first breaks a rule, the second does not.
#[test]
fn every_violation_has_a_lawful_twin() {
    let mgc = |options: Value| round(Mgc2017, options, json!(bets(1, 1000)), kings());
    let ohio = |options: Value| round(OhJack2017, options, json!(bets(1, 1000)), kings());
    let nobody = |options: Value| round(Mgc2017, options, json!([]), json!({}));
    let side = |options: Value, kind: &str, amount: i64| {
        let wager = json!({"id": "w", "seat": 1, "kind": kind, "amount": amount});
        round(OhJack2017, options, bets_and(wager), kings())
    };
    let play = |edition, key: &str, value: Value| {
        round(
            edition,
            json!({}),
            json!(bets(1, 1000)),
            kings_and(key, value),
        )
    };
    let on = |on: &str, kind: &str| {
        let mut wagers = bets(1, 1000);
        wagers.push(json!({"id": "w", "seat": 1, "kind": "three_card_bonus", "amount": 100}));
        let wager = wagers.iter_mut().find(|wager| wager["kind"] == kind);
        wager.unwrap()["on"] = json!(on);
        round(Mgc2017, json!({}), json!(wagers), kings())
    };
    let seated = |seats: &[u16], allowed: bool, one_person: bool| {
        let wagers: Vec<Value> = seats.iter().flat_map(|&seat| bets(seat, 500)).collect();
        let deck = ["2C", "3C", "5C", "2D", "3D", "5D", "2H", "3H", "5H"];
        let mut play = json!({"community": ["9S", "JS"], "hands": {}, "players": {}});
        for (index, seat) in seats.iter().enumerate() {
            play["hands"][seat.to_string()] = json!(deck[3 * index..3 * index + 3]);
            let person = if one_person { 1 } else { index };
            play["players"][seat.to_string()] = json!(format!("p{person}"));
        }
        let options = json!({"two_positions_allowed": allowed});
        round(OhJack2017, options, json!(wagers), play)
    };
    let only_two = |amount: i64| {
        let mut wagers = bets(1, 1000);
        wagers[1]["amount"] = json!(amount);
        round(Mgc2017, json!({}), json!(wagers), kings())
    };
    let cases = [
        (
            "wager.not_offered",
            side(
                json!({"let_it_ride_bonus_offered": false}),
                "let_it_ride_bonus",
                100,
            ),
            side(json!({}), "let_it_ride_bonus", 100),
        ),
        (
            "wager.not_offered",
            side(
                json!({"three_card_bonus_paytable": null}),
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
        (
            "wager.duplicate_kind",
            side(json!({}), "bet_2", 1000),
            ohio(json!({})),
        ),
        ("wager.unequal", only_two(999), only_two(1000)),
        (
            "wager.bad_bonus_amount",
            side(json!({}), "let_it_ride_bonus", 500),
            side(json!({}), "let_it_ride_bonus", 100),
        ),
        (
            "wager.progressive_amount",
            side(
                json!({"progressive": true, "progressive_bet": 500}),
                "progressive",
                100,
            ),
            side(
                json!({"progressive": true, "progressive_bet": 500}),
                "progressive",
                500,
            ),
        ),
        (
            "wager.illegal_withdrawal",
            play(Mgc2017, "decisions", json!({"1": {"bet_3": "withdraw"}})),
            play(
                Mgc2017,
                "decisions",
                json!({"1": {"bet_3": "ride"}, "2": {"bet_3": "withdraw"}}),
            ),
        ),
        (
            "wager.over_max",
            mgc(json!({"table_max": 999})),
            mgc(json!({"table_max": 1000})),
        ),
        (
            "wager.under_min",
            mgc(json!({"table_min": 1001})),
            mgc(json!({"table_min": 1000})),
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
            on("s1b2", "three_card_bonus"),
            on("s1b1", "three_card_bonus"),
        ),
        (
            "wager.bad_reference",
            on("s1b1", "bet_1"),
            on("s1b1", "bet_2"),
        ),
        (
            "config.payout_limit_too_low",
            mgc(json!({"payout_limit": 4_999_999})),
            mgc(json!({"payout_limit": 5_000_000})),
        ),
        (
            "config.payout_limit_too_low",
            round(
                Mgc2017,
                json!({"payout_limit": 5_999_999, "table_min": 2000}),
                json!(bets(1, 2000)),
                kings(),
            ),
            round(
                Mgc2017,
                json!({"payout_limit": 6_000_000, "table_min": 2000}),
                json!(bets(1, 2000)),
                kings(),
            ),
        ),
        (
            "config.odds_below_minimum",
            mgc(json!({"odds_override": {"main": {"flush": "15:2"}}})),
            mgc(json!({"odds_override": {"main": {"flush": "16:2"}}})),
        ),
        (
            "config.odds_below_minimum",
            mgc(json!({"odds_override": {"let_it_ride_bonus": {"flush": 4999}}})),
            mgc(json!({"odds_override": {"let_it_ride_bonus": {"flush": 5000}}})),
        ),
        (
            "config.odds_below_minimum",
            mgc(json!({"odds_override": {"three_card_bonus": {"mini_royal": "39:1"}}})),
            mgc(json!({"odds_override": {"three_card_bonus": {"mini_royal": "40:1"}}})),
        ),
        (
            "config.odds_below_minimum",
            mgc(
                json!({"three_card_bonus_paytable": "E", "odds_override": {"three_card_bonus": {"mini_royal": "49:1"}}}),
            ),
            mgc(
                json!({"three_card_bonus_paytable": null, "odds_override": {"three_card_bonus": {"mini_royal": "1:1"}}}),
            ),
        ),
        (
            "config.odds_below_minimum",
            mgc(
                json!({"three_card_bonus_paytable": "A", "odds_override": {"three_card_bonus": {"flush": "3:1"}}}),
            ),
            mgc(
                json!({"three_card_bonus_paytable": "C", "odds_override": {"three_card_bonus": {"flush": "3:1"}}}),
            ),
        ),
        (
            "config.conflict",
            nobody(json!({"table_min": 1000, "table_max": 999})),
            nobody(json!({"table_min": 1000, "table_max": 1000})),
        ),
        (
            "config.second_deck_without_shuffler",
            mgc(json!({"two_decks": true})),
            mgc(json!({"two_decks": true, "shuffle": "machine"})),
        ),
        (
            "deal.hand_without_shuffler",
            mgc(json!({"dealing": "hand"})),
            ohio(json!({"dealing": "hand"})),
        ),
        (
            "deal.card_count",
            play(Mgc2017, "community", json!(["7H"])),
            play(Mgc2017, "community", json!(["7H", "2S"])),
        ),
        (
            "deal.card_count",
            play(
                Mgc2017,
                "irregularities",
                json!([{"code": "card_count", "seat": 1}]),
            ),
            play(
                Mgc2017,
                "irregularities",
                json!([{"code": "card_drawn_in_error"}]),
            ),
        ),
        (
            "deal.card_count",
            play(Mgc2017, "hands", json!({})),
            round(Mgc2017, json!({}), json!([]), json!({})),
        ),
        (
            "deal.burn",
            play(Mgc2017, "burned", json!([])),
            play(Mgc2017, "burned", json!(["3C"])),
        ),
        (
            "deal.burn",
            play(OhJack2017, "burned", json!(["3C"])),
            play(OhJack2017, "burned", json!([])),
        ),
        (
            "deal.burn",
            round(
                OhJack2017,
                json!({"dealing": "automated_shoe"}),
                json!(bets(1, 1000)),
                kings_and("burned", json!([])),
            ),
            round(
                OhJack2017,
                json!({"dealing": "automated_shoe"}),
                json!(bets(1, 1000)),
                kings_and("burned", json!(["3C"])),
            ),
        ),
        (
            "deal.hand_without_wager",
            play(
                Mgc2017,
                "hands",
                json!({"1": ["KS", "KD", "4C"], "2": ["KC", "QD", "4D"]}),
            ),
            mgc(json!({})),
        ),
        (
            "deck.count_wrong",
            play(
                Mgc2017,
                "irregularities",
                json!([{"code": "deck_count", "found": 51}]),
            ),
            play(
                Mgc2017,
                "irregularities",
                json!([{"code": "shuffler_failure"}]),
            ),
        ),
        (
            "deck.duplicate_card",
            play(Mgc2017, "burned", json!(["KS"])),
            play(Mgc2017, "burned", json!(["KH"])),
        ),
        (
            "deck.foreign_card",
            play(Mgc2017, "burned", json!(["JK"])),
            play(Mgc2017, "burned", json!(["JD"])),
        ),
        (
            "ruling.not_allowed",
            play(OhJack2017, "ruled_valid", json!([1])),
            play(OhJack2017, "ruled_valid", json!([])),
        ),
    ];
    assert_twins::<LetItRide>(cases);
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
        round(edition, json!({}), json!(bets(1, 1000)), play)
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
fn an_abandoned_hand_is_lost_in_ohio_and_plays_on_in_massachusetts() {
    let table = TestTable::<LetItRide>::open();
    let side = json!({"id": "w", "seat": 1, "kind": "three_card_bonus", "amount": 100});
    let document = |edition| {
        round(
            edition,
            json!({}),
            bets_and(side.clone()),
            kings_and("abandoned", json!([1])),
        )
    };
    let results = |edition| table.settle(&document(edition)).wagers().to_vec();
    assert!(
        results(OhJack2017)
            .iter()
            .all(|w| w.result == Verdict::Lose)
    );
    assert!(results(Mgc2017).iter().all(|w| w.result == Verdict::Win));
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

/// What a bet wins, or -1, at the filed odds.
fn worth() -> impl Fn(crate::hands::five::Hand) -> i64 {
    let rules = rules::<LetItRide>(Mgc2017);
    move |hand| match rules.main.pay(hand, &PostedOdds::new()) {
        Pay::Odds(odds) => i64::from(odds.win()),
        _ => -1,
    }
}

/// Bet 1 rides on three known cards, bet 2 on four, whenever that is worth it. Published: the house
/// keeps 3.51% of one bet.
#[test]
fn the_best_play_costs_the_published_house_edge() {
    let outlook = Outlook::of(worth());
    let rides = |sums: &[i64]| sums.iter().filter(|&&sum| sum > 0).sum::<i64>();
    let (bet_1, bet_2) = (rides(&outlook.with_three), rides(&outlook.with_four));
    // Over all orders of dealing: a hand has ten choices of three cards and five of four.
    let gain = outlook.with_none * 10 + bet_1 + bet_2 * 2;
    let edge = -gain * 1_000_000 / (FIVES * 10);
    assert!((35_050..35_100).contains(&edge), "{edge} millionths");
}

#[test]
fn the_bonus_returns_what_the_hand_counts_say() {
    // Royal flushes to three of a kind among 2,598,960 hands, and the sums in dollars.
    let counts = [4, 36, 624, 3_744, 5_108, 10_200, 54_912];
    let cases = [
        (Mgc2017, [25_000, 2_500, 400, 200, 50, 25, 5], 7_592),
        (OhJack2017, [20_000, 2_000, 300, 150, 50, 25, 5], 6_486),
    ];
    let hands = classes();
    for (edition, sums, basis_points) in cases {
        let rules = rules::<LetItRide>(edition);
        let expected: i64 = counts
            .iter()
            .zip(sums)
            .map(|(count, sum)| count * sum * 100)
            .sum();
        let returned: i64 = hands
            .iter()
            .map(
                |&(hand, count)| match rules.let_it_ride_bonus.filed_pay(hand) {
                    Pay::Fixed(sum) => count * sum.get(),
                    _ => 0,
                },
            )
            .sum();
        assert_eq!(returned, expected);
        assert_eq!(returned * 100 / FIVES, basis_points, "{edition}");
    }
}

/// Published for the same tables as Pair Plus: 2.32%, 5.57% and 7.28% for tables A to C.
#[test]
fn the_three_card_bonus_costs_the_published_house_edges() {
    let mgc = rules::<LetItRide>(Mgc2017);
    let ohio = rules::<LetItRide>(OhJack2017);
    let edge = |name| {
        let rules = if name == ThreeCardPayTable::Standard {
            &ohio
        } else {
            &mgc
        };
        let gain: i64 = threes()
            .map(|cards| {
                let odds = rules.three_card[&name].three_card_odds(&cards, &PostedOdds::new());
                odds.map_or(-1, |odds| i64::from(odds.win()))
            })
            .sum();
        -gain * 10_000 / THREES
    };
    let edges = ThreeCardPayTable::ALL.map(edge);
    assert_eq!(edges, [231, 557, 727, 213, 539, 709, 727]);
}
