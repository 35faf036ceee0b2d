//! Caribbean stud: every cell, every refusal, every violation with its lawful twin, meters and envy.

mod mathematics;

use serde_json::{Value, json};

use super::CaribbeanStud;
use crate::Edition::{Mgc2017, OhJack2017};
use crate::games::shared::stud::checks::{
    and_wager, assert_lists, assert_refused, assert_twins, with,
};
use crate::games::shared::stud::exact::cards_of_row;
use crate::settlement::Verdict;
use crate::testkit::{Cell, TestTable};

fn wager(seat: u16, kind: &str, amount: i64) -> Value {
    json!({"id": format!("s{seat}-{kind}"), "seat": seat, "kind": kind, "amount": amount})
}

/// Seat 1 stays in with a pair of jacks against ace and king.
fn jacks(options: Value) -> Value {
    TestTable::<CaribbeanStud>::open().document(
        Mgc2017,
        options,
        json!([wager(1, "ante", 1000), wager(1, "bet", 2000)]),
        json!({"hands": {"1": ["JS", "JD", "7C", "4H", "2S"]}, "dealer": ["AH", "KD", "TC", "8S", "5D"]}),
    )
}

/// `jacks` with one more key in `play`.
fn jacks_and(key: &str, value: Value) -> Value {
    with(jacks(json!({})), "play", key, value)
}

#[test]
fn every_cell_of_every_pay_table_pays_what_is_filed() {
    let table = TestTable::<CaribbeanStud>::open();
    table.assert_cells(include_str!("../cells.txt"), |cell: &Cell| {
        let (kind, amount) = match cell.table {
            "ante" => ("ante", 1000),
            "bet" => ("bet", 2000),
            "five_card" => ("five_card_bonus_player", 100),
            name if name.starts_with("bonus") => ("caribbean_bonus", 500),
            _ => ("progressive", 100),
        };
        let letter = |prefix| {
            cell.table
                .strip_prefix(prefix)
                .unwrap_or("d")
                .to_uppercase()
        };
        let options = match kind {
            "caribbean_bonus" => json!({"caribbean_bonus_paytable": letter("bonus_")}),
            "progressive" => json!({"progressive_paytable": letter("progressive_")}),
            _ => json!({}),
        };
        // The dealer qualifies with ace and king, or with sevens against a pair of twos.
        let mut hands = json!({"1": ["QH", "QD", "3S", "7S", "4S"]});
        let mut wagers = vec![wager(1, kind, amount)];
        let others = [("ante", 1000), ("bet", 2000)].into_iter();
        wagers.extend(
            others
                .filter(|other| other.0 != kind)
                .map(|(kind, amount)| wager(1, kind, amount)),
        );
        match cell.table {
            "ante" => {}
            "envy" => {
                hands["2"] = json!(cards_of_row(cell.row));
                wagers.extend([wager(2, "ante", 1000), wager(2, "bet", 2000)]);
            }
            _ => hands["1"] = json!(cards_of_row(cell.row)),
        }
        let dealer = json!(["AS", "KD", "JS", "7H", "9H"]);
        let meters = json!({"progressive": 2_000_000, "five_card_bonus": 2_000_000});
        let play = json!({"hands": hands, "dealer": dealer, "meters": meters});
        table.document(cell.edition, options, json!(wagers), play)
    });
}

#[test]
fn what_describes_nothing_is_refused_by_its_place() {
    let wagered = |more: Value| and_wager(jacks(json!({})), more);
    let other_edition =
        TestTable::<CaribbeanStud>::open().document(OhJack2017, json!({}), json!([]), json!({}));
    assert_refused::<CaribbeanStud>([
        (
            other_edition,
            r#"edition: "oh-jack-2017" is not an edition of caribbean_stud"#,
        ),
        (
            jacks(json!({"caribbean_bonus_paytable": "D"})),
            "options.caribbean_bonus_paytable:",
        ),
        (
            jacks(json!({"progressive_paytable": "F"})),
            "options.progressive_paytable:",
        ),
        (
            jacks(json!({"progressive_rate_pct": 101})),
            "options.progressive_rate_pct:",
        ),
        (
            jacks(json!({"five_card_bonus_rate_pct": -1})),
            "options.five_card_bonus_rate_pct:",
        ),
        (
            jacks(json!({"progressive_linked": null})),
            "options.progressive_linked:",
        ),
        (
            jacks(json!({"five_card_bonus_reset": null})),
            "options.five_card_bonus_reset:",
        ),
        (
            jacks(json!({"progressive_amounts": []})),
            "options.progressive_amounts:",
        ),
        (
            jacks(json!({"progressive_amounts": null})),
            "options.progressive_amounts:",
        ),
        (
            jacks(json!({"progressive_amounts": [100, 100]})),
            "options.progressive_amounts:",
        ),
        (
            jacks(json!({"progressive_amounts": [0]})),
            "options.progressive_amounts:",
        ),
        (
            jacks(json!({"progressive_amounts": [1.5]})),
            "options.progressive_amounts[0]:",
        ),
        (jacks(json!({"table_min": 0})), "options.table_min:"),
        (
            jacks(json!({"odds_override": {}})),
            "options.odds_override:",
        ),
        (
            wagered(wager(1, "raise", 5)),
            r#"wagers[2].kind: "raise" is not a wager of caribbean_stud"#,
        ),
        (wagered(wager(0, "ante", 5)), "wagers[2].seat:"),
        (wagered(wager(2, "ante", 0)), "wagers[2].amount:"),
        (wagered(wager(1, "ante", 5)), "wagers[2].id:"),
        (
            wagered(json!({"id": "w", "seat": 1, "kind": "ante", "amount": 5, "on": "x"})),
            "wagers[2].on:",
        ),
        (jacks_and("community", json!([])), "play.community:"),
        (jacks_and("abandoned", json!([])), "play.abandoned:"),
        (jacks_and("dealer", json!(["AX"])), "play.dealer[0]:"),
        (
            jacks_and("meters", json!({"five_card": 1})),
            "play.meters.five_card:",
        ),
        (jacks_and("players", json!({"1": 7})), "play.players.1:"),
        (
            jacks_and("irregularities", json!([{"code": "flood"}])),
            "play.irregularities[0].code:",
        ),
        (
            jacks_and("irregularities", json!([{"code": "card_count"}])),
            "play.irregularities[0]:",
        ),
        (
            jacks_and(
                "irregularities",
                json!([{"code": "card_count", "area": "community"}]),
            ),
            "play.irregularities[0].area:",
        ),
    ]);
}

#[test]
fn missing_cards_are_refused_and_surplus_ones_void() {
    assert_lists::<CaribbeanStud>(&jacks(json!({})), "dealer", 52);
}

#[test]
fn a_short_hand_is_refused_unless_its_count_is_told_and_a_fold_needs_none() {
    let table = TestTable::<CaribbeanStud>::open();
    let mut short = jacks_and("hands", json!({"1": ["JS", "JD"]}));
    assert!(table.refusal(&short).starts_with("play.hands.1: "));
    short["play"]["irregularities"] = json!([{"code": "card_count", "seat": 1}]);
    assert_eq!(table.wager(&short, "s1-ante").result, Verdict::Void);
    let mut folded = jacks_and("hands", json!({}));
    folded["wagers"] = json!([wager(1, "ante", 1000)]);
    folded["play"]["dealer"] = json!([]);
    assert_eq!(table.wager(&folded, "s1-ante").result, Verdict::Lose);
    folded["play"]["dealer"] = json!(["AH", "KD", "TC", "8S"]);
    assert!(table.refusal(&folded).starts_with("play.dealer: "));
}

#[test]
fn every_violation_has_a_lawful_twin() {
    let side =
        |options: Value, kind: &str, amount: i64| and_wager(jacks(options), wager(1, kind, amount));
    let again = |kind: &str| {
        let mut more = wager(1, kind, 2000);
        more["id"] = json!("again");
        and_wager(jacks(json!({})), more)
    };
    let on = |index: usize, on: &str| {
        let mut document = jacks(json!({}));
        document["wagers"][index]["on"] = json!(on);
        document
    };
    let bet = |amount: i64| {
        let mut document = jacks(json!({}));
        document["wagers"][1]["amount"] = json!(amount);
        document
    };
    let two_seats = |players: Value| {
        let mut document = and_wager(jacks(json!({})), wager(2, "ante", 1000));
        document["play"]["players"] = players;
        document
    };
    let at_seat = |seat: u16| {
        let mut document = jacks(json!({}));
        document["wagers"] = json!([wager(seat, "ante", 1000)]);
        document["play"]["hands"] = json!({});
        document
    };
    let count = |irregularity: Value| jacks_and("irregularities", json!([irregularity]));
    let folded = |hands: Value| {
        let mut document = jacks(json!({}));
        document["wagers"] = json!([wager(1, "ante", 1000)]);
        document["play"] = json!({"hands": hands});
        document
    };
    assert_twins::<CaribbeanStud>([
        (
            "wager.not_offered",
            side(
                json!({"caribbean_bonus_paytable": null}),
                "caribbean_bonus",
                500,
            ),
            side(json!({}), "caribbean_bonus", 500),
        ),
        (
            "wager.not_offered",
            side(json!({"progressive_paytable": null}), "progressive", 100),
            side(json!({}), "progressive", 100),
        ),
        (
            "wager.not_offered",
            side(
                json!({"five_card_bonus_offered": false}),
                "five_card_bonus_dealer",
                100,
            ),
            side(json!({}), "five_card_bonus_dealer", 100),
        ),
        (
            "wager.not_offered",
            side(json!({}), "magic_card", 100),
            jacks(json!({})),
        ),
        (
            "wager.not_offered",
            side(json!({}), "lucky_bonus", 100),
            jacks(json!({})),
        ),
        ("wager.duplicate_kind", again("bet"), jacks(json!({}))),
        (
            "wager.bet_without_ante",
            and_wager(jacks(json!({})), wager(2, "bet", 2000)),
            jacks(json!({})),
        ),
        (
            "wager.side_without_main",
            and_wager(jacks(json!({})), wager(2, "five_card_bonus_player", 2000)),
            jacks(json!({})),
        ),
        (
            "wager.progressive_amount",
            side(json!({}), "progressive", 500),
            side(json!({"progressive_paytable": "D"}), "progressive", 500),
        ),
        ("wager.bad_multiple", bet(1999), bet(2000)),
        (
            "wager.over_max",
            jacks(json!({"table_max": 999})),
            jacks(json!({"table_max": 1000})),
        ),
        (
            "wager.under_min",
            jacks(json!({"table_min": 1001})),
            jacks(json!({"table_min": 1000})),
        ),
        (
            "wager.more_than_one_hand",
            two_seats(json!({"1": "p", "2": "p"})),
            two_seats(json!({"1": "p", "2": "q", "3": "p"})),
        ),
        ("wager.bad_position", at_seat(8), at_seat(7)),
        ("wager.bad_reference", on(1, "s1-bet"), on(1, "s1-ante")),
        ("wager.bad_reference", on(0, "s1-ante"), jacks(json!({}))),
        (
            "config.table_not_linked",
            jacks(json!({"progressive_linked": true, "progressive_paytable": "E"})),
            jacks(json!({"progressive_linked": true, "progressive_paytable": "D"})),
        ),
        (
            "config.table_not_linked",
            jacks(json!({"progressive_linked": true})),
            jacks(json!({"progressive_linked": true, "progressive_paytable": null})),
        ),
        (
            "config.rate_too_low",
            jacks(json!({"progressive_rate_pct": 69})),
            jacks(json!({"progressive_rate_pct": 70})),
        ),
        (
            "config.reset_too_low",
            jacks(json!({"five_card_bonus_reset": 999_999})),
            jacks(json!({"five_card_bonus_reset": 1_000_000, "progressive_reset": 0})),
        ),
        (
            "options.progressive_amounts",
            jacks(json!({"progressive_amounts": [100, 500]})),
            jacks(json!({"progressive_amounts": [500], "progressive_paytable": "D"})),
        ),
        (
            "config.payout_limit_too_low",
            jacks(json!({"bet_payout_limit": 499_999})),
            jacks(json!({"bet_payout_limit": 500_000})),
        ),
        (
            "limits.ratio",
            jacks(json!({"table_min": 1000, "table_max": 9999})),
            jacks(json!({"table_min": 1000, "table_max": 10_000})),
        ),
        (
            "limits.ratio",
            nobody(json!({"table_min": 10_000, "table_max": 99_999})),
            nobody(json!({"table_min": 10_001, "table_max": 99_999})),
        ),
        (
            "config.conflict",
            nobody(json!({"table_min": 20_001, "table_max": 20_000})),
            nobody(json!({"table_min": 20_001, "table_max": 20_001})),
        ),
        (
            "config.second_deck_without_shuffler",
            jacks(json!({"two_decks": true})),
            jacks(json!({"two_decks": true, "shuffle": "machine"})),
        ),
        (
            "deal.hand_without_shuffler",
            jacks(json!({"dealing": "hand"})),
            jacks(json!({"dealing": "hand", "shuffle": "machine"})),
        ),
        (
            "deal.card_count",
            count(json!({"code": "card_count", "area": "dealer", "dealt": 4})),
            count(json!({"code": "card_drawn_in_error", "area": "dealer", "dealt": 4})),
        ),
        (
            "deal.card_count",
            count(json!({"code": "stub_misdeal"})),
            count(json!({"code": "shuffler_failure"})),
        ),
        (
            "deal.card_count",
            folded(json!({"1": ["JS", "JD", "7C", "4H", "2S", "3S"]})),
            folded(json!({})),
        ),
        (
            "deal.hole_card_exposed",
            count(json!({"code": "hole_card_exposed"})),
            count(json!({"code": "face_up_card"})),
        ),
        (
            "deal.hand_without_wager",
            jacks_and(
                "hands",
                json!({"1": ["JS", "JD", "7C", "4H", "2S"], "2": ["JH", "JC", "7S", "4C", "2H"]}),
            ),
            jacks(json!({})),
        ),
        (
            "deck.count_wrong",
            count(json!({"code": "deck_count"})),
            with(
                count(json!({"code": "shoe_failure"})),
                "options",
                "dealing",
                json!("automated_shoe"),
            ),
        ),
        (
            "deck.duplicate_card",
            jacks_and("dealer", json!(["AH", "KD", "TC", "8S", "2S"])),
            jacks_and("dealer", json!(["AH", "KD", "TC", "8S", "2D"])),
        ),
        (
            "deck.foreign_card",
            jacks_and("dealer", json!(["AH", "KD", "TC", "8S", "JK"])),
            jacks_and("dealer", json!(["AH", "KD", "TC", "8S", "JC"])),
        ),
    ]);
}

fn nobody(options: Value) -> Value {
    TestTable::<CaribbeanStud>::open().document(Mgc2017, options, json!([]), json!({}))
}

#[test]
fn a_dealer_with_four_cards_takes_a_fifth_and_any_other_number_voids_the_round() {
    let table = TestTable::<CaribbeanStud>::open();
    for (dealt, verdict) in [
        (json!(4), Verdict::Win),
        (json!(6), Verdict::Void),
        (Value::Null, Verdict::Void),
    ] {
        let irregularity = json!({"code": "card_count", "area": "dealer", "dealt": dealt});
        let document = jacks_and("irregularities", json!([irregularity]));
        assert_eq!(table.wager(&document, "s1-ante").result, verdict, "{dealt}");
    }
}

#[test]
fn a_misdealt_seat_is_void_but_its_wager_on_the_dealer_stands() {
    let table = TestTable::<CaribbeanStud>::open();
    let mut document = jacks(json!({"progressive_paytable": "D"}));
    for (kind, amount) in [
        ("caribbean_bonus", 500),
        ("progressive", 100),
        ("five_card_bonus_player", 100),
        ("five_card_bonus_dealer", 100),
    ] {
        document = and_wager(document, wager(1, kind, amount));
    }
    for (kind, amount) in [("ante", 1000), ("bet", 2000), ("progressive", 100)] {
        document = and_wager(document, wager(3, kind, amount));
    }
    document["play"]["hands"]["3"] = json!(["5C", "6C", "7D", "8C", "9C"]);
    document["play"]["hands"]["1"] = json!(["TC", "JC", "QC", "KC", "AC", "2D"]);
    document["play"]["dealer"] = json!(["2H", "6H", "8H", "JH", "KH"]);
    let results: Vec<Verdict> = table
        .settle(&document)
        .wagers()
        .iter()
        .map(|w| w.result)
        .collect();
    use Verdict::{Lose, Void, Win};
    // The dealer's flush pays 50 for 1; seat 3's straight 30 for 1, without envy for a void royal.
    assert_eq!(
        results,
        [Void, Void, Void, Void, Void, Win, Lose, Lose, Win]
    );
    assert_eq!(
        table
            .wager(&document, "s1-five_card_bonus_dealer")
            .returned
            .get(),
        5000
    );
    assert_eq!(
        table.wager(&document, "s3-progressive").returned.get(),
        3000
    );
}

#[test]
fn meter_prizes_are_read_from_the_dealers_right() {
    let table = TestTable::<CaribbeanStud>::open();
    let mut document = jacks(json!({"progressive_paytable": "B", "progressive_reset": 70}));
    document["wagers"] = json!([]);
    for seat in [2, 4, 6] {
        for (kind, amount) in [
            ("ante", 1000),
            ("bet", 2000),
            ("progressive", 100),
            ("five_card_bonus_player", 100),
        ] {
            document = and_wager(document, wager(seat, kind, amount));
        }
    }
    document["play"]["hands"] = json!({
        "2": ["5D", "6D", "7D", "8D", "9D"],
        "4": ["TC", "JC", "QC", "KC", "AC"],
        "6": ["5H", "6H", "7H", "8H", "9H"],
    });
    document["play"]["meters"] = json!({"progressive": 1_000_009, "five_card_bonus": 3_000_019});
    document["play"]["dealer"] = json!(["AH", "KD", "TH", "8S", "5S"]);
    let returned = |id: &str| table.wager(&document, id).returned.get();
    assert_eq!(returned("s6-progressive"), 100_000);
    assert_eq!(returned("s4-progressive"), 900_009);
    // A tenth of the reset amount of 70 cents; the stake of 100 is kept.
    assert_eq!(returned("s2-progressive"), 7);
    assert_eq!(table.wager(&document, "s2-progressive").win.get(), -93);
    assert_eq!(returned("s6-five_card_bonus_player"), 300_001);
    assert_eq!(returned("s4-five_card_bonus_player"), 2_700_018);
    assert_eq!(returned("s2-five_card_bonus_player"), 100_000);
}

#[test]
fn a_jackpot_on_the_dealers_hand_is_shared_before_the_players_own() {
    let table = TestTable::<CaribbeanStud>::open();
    let mut document = jacks(json!({}));
    document["wagers"] = json!([]);
    for seat in [1, 2, 3] {
        document = and_wager(document, wager(seat, "ante", 1000));
        document = and_wager(document, wager(seat, "five_card_bonus_dealer", 100));
    }
    document = and_wager(document, wager(1, "five_card_bonus_player", 100));
    document["play"] = json!({
        "hands": {"1": ["5D", "6D", "7D", "8D", "9D"]},
        "dealer": ["TC", "JC", "QC", "KC", "AC"],
        "meters": {"five_card_bonus": 2_000_000},
    });
    for seat in [1, 2, 3] {
        let id = format!("s{seat}-five_card_bonus_dealer");
        assert_eq!(table.wager(&document, &id).returned.get(), 666_666);
    }
    // The meter is back at $10,000 when it is the folded player's turn.
    assert_eq!(
        table
            .wager(&document, "s1-five_card_bonus_player")
            .returned
            .get(),
        100_000
    );
}

#[test]
fn a_folded_hand_gives_no_envy_and_the_dealers_none_either() {
    let table = TestTable::<CaribbeanStud>::open();
    let mut document = jacks(json!({"progressive_paytable": "D"}));
    document = and_wager(document, wager(1, "progressive", 100));
    document = and_wager(document, wager(2, "ante", 1000));
    document["play"]["hands"]["2"] = json!(["5C", "6C", "7C", "8C", "9C"]);
    document["play"]["hands"]["1"] = json!(["JS", "JD", "7D", "4H", "2S"]);
    document["play"]["dealer"] = json!(["TH", "JH", "QH", "KH", "AH"]);
    assert_eq!(
        table.wager(&document, "s1-progressive").result,
        Verdict::Lose
    );
    document = and_wager(document, wager(2, "bet", 2000));
    assert_eq!(
        table.wager(&document, "s1-progressive").returned.get(),
        30_000
    );
    // Envy is for table D only.
    let under_c = with(document, "options", "progressive_paytable", json!("C"));
    assert_eq!(
        table.wager(&under_c, "s1-progressive").result,
        Verdict::Lose
    );
}

#[test]
fn a_share_of_a_meter_that_nobody_read_is_refused_by_its_name() {
    let table = TestTable::<CaribbeanStud>::open();
    let with_hand = |kind: &str, cards: [&str; 5]| {
        let mut document = and_wager(jacks(json!({})), wager(1, kind, 100));
        document["play"]["hands"]["1"] = json!(cards);
        document
    };
    let royal = ["TC", "JC", "QC", "KC", "AC"];
    let document = with_hand("progressive", royal);
    let refusal = table.refusal(&document);
    assert!(
        refusal.starts_with("play.meters.progressive: "),
        "{refusal}"
    );
    let document = with_hand("five_card_bonus_player", royal);
    let refusal = table.refusal(&document);
    assert!(
        refusal.starts_with("play.meters.five_card_bonus: "),
        "{refusal}"
    );
    let mut backed = with_hand("five_card_bonus_dealer", ["2S", "3D", "4C", "7H", "9S"]);
    backed["play"]["dealer"] = json!(royal);
    let refusal = table.refusal(&backed);
    assert!(
        refusal.starts_with("play.meters.five_card_bonus: "),
        "{refusal}"
    );
    // Fixed prizes need no meter, nor does a fold.
    let flush = ["2C", "4C", "6C", "8C", "JC"];
    for kind in ["progressive", "five_card_bonus_player"] {
        let document = with_hand(kind, flush);
        assert_eq!(
            table.wager(&document, &format!("s1-{kind}")).returned.get(),
            5000
        );
    }
    let mut folded = with_hand("progressive", royal);
    folded["wagers"].as_array_mut().unwrap().remove(1);
    assert_eq!(table.wager(&folded, "s1-progressive").result, Verdict::Lose);
}
