//! What is refused, and every violation with its lawful twin.

use serde_json::{Value, json};

use super::{bets, bets_and, kings, kings_and, round};
use crate::Edition::{self, Mgc2017, OhJack2017};
use crate::games::let_it_ride::LetItRide;
use crate::games::shared::stud::checks::{assert_refused, assert_twins};

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
        (play("abandoned", json!([])), "play.abandoned:"),
        (
            round(
                OhJack2017,
                json!({}),
                json!(bets(1, 1000)),
                kings_and("abandoned", json!([1, 0])),
            ),
            "play.abandoned[1]:",
        ),
        (
            round(
                OhJack2017,
                json!({}),
                json!(bets(1, 1000)),
                kings_and("abandoned", json!([1, 2])),
            ),
            "play.abandoned[1]:",
        ),
        (
            play("meters", json!({"progressive": 1_000_000})),
            "play.meters:",
        ),
        (
            play(
                "decisions",
                json!({"1": {"bet_1": "ride"}, "5": {"bet_1": "ride"}}),
            ),
            "play.decisions.5:",
        ),
        (
            round(
                Mgc2017,
                json!({}),
                json!(bets(1, 1000)[..2]),
                kings_and("decisions", json!({"1": {"bet_3": "ride"}})),
            ),
            "play.decisions.1.bet_3:",
        ),
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
            play(Mgc2017, "decisions", json!({"1": {"bet_3": "ride"}})),
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
            play(Mgc2017, "community", json!(["7H", "2S", "3S"])),
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
