//! Double down stud: every cell, every refusal, every violation with its lawful twin, and the exact
//! worth of bet and double.

use serde_json::{Value, json};

use super::DoubleDownStud;
use crate::Edition::{Mgc2017, OhJack2017};
use crate::book::Pay;
use crate::exact::{FIVES, Outlook};
use crate::games::shared::stud::checks::{
    and_wager, assert_lists, assert_refused, assert_twins, with,
};
use crate::games::shared::stud::exact::{cards_of_row, rules};
use crate::games::shared::stud::pay_table::PostedOdds;
use crate::settlement::Verdict;
use crate::testkit::TestTable;

fn wager(seat: u16, kind: &str, amount: i64) -> Value {
    json!({"id": format!("s{seat}-{kind}"), "seat": seat, "kind": kind, "amount": amount})
}

/// Seat 1 bets and doubles on a pair of aces.
fn aces(options: Value) -> Value {
    TestTable::<DoubleDownStud>::open().document(
        Mgc2017,
        options,
        json!([wager(1, "bet", 1000), wager(1, "double_down", 1000)]),
        json!({"hands": {"1": ["AS"]}, "dealer": ["AD", "8H", "7C", "2S"]}),
    )
}

/// `aces` with one more key in `play`.
fn aces_and(key: &str, value: Value) -> Value {
    with(aces(json!({})), "play", key, value)
}

#[test]
fn every_cell_of_every_pay_table_pays_what_is_filed() {
    let table = TestTable::<DoubleDownStud>::open();
    table.assert_cells(include_str!("cells.txt"), |cell| {
        let five = cards_of_row(cell.row);
        let play = json!({"hands": {"1": five[..1]}, "dealer": five[1..]});
        with(
            with(aces(json!({})), "play", "hands", play["hands"].clone()),
            "play",
            "dealer",
            play["dealer"].clone(),
        )
    });
}

#[test]
fn what_describes_nothing_is_refused_by_its_place() {
    let wagered = |more: Value| and_wager(aces(json!({})), more);
    let other_edition =
        TestTable::<DoubleDownStud>::open().document(OhJack2017, json!({}), json!([]), json!({}));
    assert_refused::<DoubleDownStud>([
        (
            other_edition,
            r#"edition: "oh-jack-2017" is not an edition of double_down_stud"#,
        ),
        (
            aces(json!({"dealing": "automated_shoe"})),
            "options.dealing:",
        ),
        (
            aces(json!({"shuffle": "machine_counting"})),
            "options.shuffle:",
        ),
        (
            aces(json!({"two_positions_allowed": true})),
            "options.two_positions_allowed:",
        ),
        (aces(json!({"table_min": 0})), "options.table_min:"),
        (aces(json!({"payout_limit": 0.5})), "options.payout_limit:"),
        (
            aces(json!({"odds_override": {"main": {"flush": "0:1"}}})),
            "options.odds_override.main.flush:",
        ),
        (
            aces(json!({"odds_override": {"main": {"pair_tens_or_better": "1:1"}}})),
            "options.odds_override.main: \"pair_tens_or_better\" is not a row",
        ),
        (
            aces(json!({"odds_override": {"side": {}}})),
            "options.odds_override.side:",
        ),
        (
            wagered(wager(1, "ante", 5)),
            r#"wagers[2].kind: "ante" is not a wager of double_down_stud"#,
        ),
        (wagered(wager(0, "bet", 5)), "wagers[2].seat:"),
        (wagered(wager(2, "bet", -5)), "wagers[2].amount:"),
        (wagered(wager(1, "bet", 5)), "wagers[2].id:"),
        (
            wagered(json!({"id": "w", "seat": 1, "kind": "bet", "amount": 5, "on": "x"})),
            "wagers[2].on:",
        ),
        (aces_and("community", json!([])), "play.community:"),
        (aces_and("meters", json!({})), "play.meters:"),
        (
            aces_and("dealer", json!(["AD", "8H", "7C", 2])),
            "play.dealer[3]:",
        ),
        (
            aces_and("irregularities", json!([{"code": "shoe_failure"}])),
            "play.irregularities[0].code:",
        ),
        (
            aces_and(
                "irregularities",
                json!([{"code": "card_count", "area": "community"}]),
            ),
            "play.irregularities[0].area:",
        ),
        (
            aces_and("irregularities", json!([{"code": "card_count"}])),
            "play.irregularities[0]:",
        ),
    ]);
}

#[test]
fn missing_cards_are_refused_and_surplus_ones_void() {
    assert_lists::<DoubleDownStud>(&aces(json!({})), "dealer", 52);
}

#[test]
fn every_violation_has_a_lawful_twin() {
    let double = |amount: i64| with_amount(aces(json!({})), 1, amount);
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
        let mut document = aces(json!({"two_areas_allowed": allowed}));
        document["wagers"] = json!([]);
        document["play"]["hands"] = json!({});
        document["play"]["players"] = json!({});
        for (index, seat) in seats.iter().enumerate() {
            document = and_wager(document, wager(*seat, "bet", 500));
            let card = ["3C", "4C", "5C"][index];
            document["play"]["hands"][seat.to_string()] = json!([card]);
            let person = if one_person { 1 } else { index };
            document["play"]["players"][seat.to_string()] = json!(format!("p{person}"));
        }
        document
    };
    let nobody = |options: Value| {
        TestTable::<DoubleDownStud>::open().document(Mgc2017, options, json!([]), json!({}))
    };
    assert_twins::<DoubleDownStud>([
        (
            "wager.double_without_bet",
            and_wager(aces(json!({})), wager(2, "double_down", 100)),
            aces(json!({})),
        ),
        ("wager.second_double", again("double_down"), aces(json!({}))),
        ("wager.duplicate_kind", again("bet"), aces(json!({}))),
        ("wager.double_over_original", double(1001), double(1)),
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
            "wager.too_many_areas",
            seated(&[2, 4], true, true),
            seated(&[2, 3], true, true),
        ),
        (
            "wager.too_many_areas",
            seated(&[2, 3], false, true),
            seated(&[2, 3], false, false),
        ),
        (
            "wager.too_many_areas",
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
            on(1, "s1-double_down"),
            on(1, "s1-bet"),
        ),
        ("wager.bad_reference", on(0, "s1-bet"), aces(json!({}))),
        (
            "config.payout_limit_too_low",
            aces(json!({"payout_limit": 9_999_999})),
            aces(json!({"payout_limit": null})),
        ),
        (
            "config.payout_limit_too_low",
            nobody(json!({"table_min": 5001})),
            nobody(json!({"table_min": 5000})),
        ),
        (
            "config.odds_below_minimum",
            aces(json!({"odds_override": {"main": {"four_of_a_kind": "49:2"}}})),
            aces(json!({"odds_override": {"main": {"four_of_a_kind": "50:2"}}})),
        ),
        (
            "config.conflict",
            nobody(json!({"table_min": 1000, "table_max": 999})),
            nobody(json!({"table_min": 1000, "table_max": 1000})),
        ),
        (
            "config.second_deck_without_shuffler",
            aces(json!({"two_decks": true})),
            aces(json!({"two_decks": true, "shuffle": "machine"})),
        ),
        (
            "deal.hand_without_shuffler",
            aces(json!({"dealing": "hand"})),
            aces(json!({"dealing": "hand", "shuffle": "machine"})),
        ),
        (
            "deal.card_count",
            aces_and("hands", json!({"1": ["AS", "AC"]})),
            aces_and("hands", json!({"1": ["AS"]})),
        ),
        (
            "deal.card_count",
            aces_and(
                "irregularities",
                json!([{"code": "card_count", "area": "dealer"}]),
            ),
            aces_and(
                "irregularities",
                json!([{"code": "card_drawn_in_error", "area": "dealer"}]),
            ),
        ),
        (
            "deal.hole_card_exposed",
            aces_and("irregularities", json!([{"code": "hole_card_exposed"}])),
            aces_and(
                "irregularities",
                json!([{"code": "face_up_card", "count": 1}]),
            ),
        ),
        (
            "deal.hand_without_wager",
            aces_and("hands", json!({"1": ["AS"], "5": ["AC"]})),
            aces(json!({})),
        ),
        (
            "deck.count_wrong",
            aces_and("irregularities", json!([{"code": "deck_count"}])),
            aces_and("irregularities", json!([{"code": "shuffler_failure"}])),
        ),
        (
            "deck.duplicate_card",
            aces_and("hands", json!({"1": ["AD"]})),
            aces_and("hands", json!({"1": ["AC"]})),
        ),
        (
            "deck.foreign_card",
            aces_and("hands", json!({"1": ["JK"]})),
            aces_and("hands", json!({"1": ["JD"]})),
        ),
    ]);
}

fn with_amount(mut document: Value, index: usize, amount: i64) -> Value {
    document["wagers"][index]["amount"] = json!(amount);
    document
}

#[test]
fn two_cards_found_face_up_void_the_round_however_they_are_counted() {
    let table = TestTable::<DoubleDownStud>::open();
    for (irregularities, verdict) in [
        (json!([{"code": "face_up_card"}]), Verdict::Win),
        (json!([{"code": "face_up_card", "count": 2}]), Verdict::Void),
        (
            json!([{"code": "face_up_card"}, {"code": "face_up_card"}]),
            Verdict::Void,
        ),
    ] {
        let document = aces_and("irregularities", irregularities);
        assert_eq!(
            table.wager(&document, "s1-bet").result,
            verdict,
            "{document}"
        );
    }
}

#[test]
fn a_wrong_deck_is_flagged_and_settled() {
    let table = TestTable::<DoubleDownStud>::open();
    let document = aces_and(
        "irregularities",
        json!([{"code": "deck_count", "found": 51}]),
    );
    assert_eq!(
        table.wager(&document, "s1-double_down").result,
        Verdict::Win
    );
}

/// A double is made on four known cards whenever that is worth it.
#[test]
fn bet_and_double_are_worth_what_all_hands_say() {
    let rules = rules::<DoubleDownStud>(Mgc2017);
    let outlook = Outlook::of(&|hand| match rules.main.pay(hand, &PostedOdds::new()) {
        Pay::Odds(odds) => i64::from(odds.win()),
        Pay::Push => 0,
        _ => -1,
    });
    // From the counts of hands: 4 royal flushes to 123,552 two pairs, 337,920 high pairs, and 422,400
    // pairs of sixes to tens that push.
    let wins = 4 * 1000 + 36 * 100 + 624 * 25 + 3_744 * 10 + 5_108 * 8 + 10_200 * 5;
    let wins = wins + 54_912 * 3 + 123_552 * 2 + 337_920;
    let losses =
        FIVES - 4 - 36 - 624 - 3_744 - 5_108 - 10_200 - 54_912 - 123_552 - 337_920 - 422_400;
    assert_eq!(outlook.with_none, wins - losses);
    // The house keeps 4.74% of the bet; both sums agree with an enumeration apart from this engine.
    let doubled: i64 = outlook.with_four.iter().filter(|&&sum| sum > 0).sum();
    assert_eq!((outlook.with_none, doubled), (-738_196, 3_074_860));
    // Each hand has five choices of four known cards.
    let edge = -(outlook.with_none * 5 + doubled) * 10_000 / (FIVES * 5);
    assert_eq!(edge, 474);
}

#[test]
fn odds_and_limits_below_the_minimum_are_due_at_it() {
    let table = TestTable::<DoubleDownStud>::open();
    let mut document = aces(json!({"odds_override": {"main": {"full_house": "9:1"}}}));
    document["wagers"] = json!([wager(1, "bet", 800)]);
    document["play"] = json!({"hands": {"1": ["TC"]}, "dealer": ["TD", "TH", "3C", "3S"]});
    assert_eq!(table.wager(&document, "s1-bet").win.get(), 8000);
    assert_eq!(table.violations(&document), ["config.odds_below_minimum"]);
    document["options"] = json!({"odds_override": {"main": {"full_house": "11:1"}}});
    assert_eq!(table.wager(&document, "s1-bet").win.get(), 8800);
    let none: [&str; 0] = [];
    assert_eq!(table.violations(&document), none);
    // 2,000 times the minimum is more than the least amount.
    let mut royal = aces(json!({"payout_limit": 10_000_000, "table_min": 6000}));
    royal["wagers"] = json!([wager(1, "bet", 6000), wager(1, "double_down", 6000)]);
    royal["play"] = json!({"hands": {"1": ["TC"]}, "dealer": ["JC", "QC", "KC", "AC"]});
    assert_eq!(table.wager(&royal, "s1-double_down").win.get(), 6_000_000);
}
