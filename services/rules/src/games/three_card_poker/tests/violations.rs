//! Each violation, beside a lawful round that differs in little.

use serde_json::{Value, json};

use super::{DEALER, PLAYED, lawful, round, table};
use crate::Edition::{Mgc2017, MgcAmended, OhJack2017};
use crate::games::shared::ante_play_rounds::{assert_raised, with_irregularities, with_key};

/// Rounds that raise exactly one code, each with a lawful twin.
#[test]
fn every_violation_is_raised_by_its_round_and_not_by_a_lawful_twin() {
    let seats = |edition, seats: &[&str]| round(edition, json!({}), DEALER, seats);
    let mut covering_alone = seats(MgcAmended, &["1 - QS QH 4D: pair_plus 500"]);
    let covers = json!({"id": "c", "seat": 2, "kind": "cover_all", "amount": 500});
    covering_alone["wagers"]
        .as_array_mut()
        .unwrap()
        .push(covers);
    let with = |edition, options, seats: &[&str]| round(edition, options, DEALER, seats);
    let pair_plus = "1 - QS QH 4D: pair_plus 500";
    let held_by = |most: u64, seat: u16| {
        let other = format!("{seat} fold 8C 6D 2S: ante 500");
        let document = with(
            MgcAmended,
            json!({"max_positions": most}),
            &[PLAYED, &other],
        );
        let document = with_key(document, "/play/hands/0", "player", json!("ann"));
        with_key(document, "/play/hands/1", "player", json!("ann"))
    };
    let misdealt = |dealing: &str, entry: Value| {
        let document = with(OhJack2017, json!({"dealing": dealing}), &[PLAYED]);
        with_irregularities(document, json!([entry]))
    };
    let honoured = json!({"code": "misdeal", "independent_wagers_stand": true});
    let ratio = |version: &str, ante: i64, pair_plus: i64| {
        let line = format!("1 fold QS QH 4D: ante {ante}, pair_plus {pair_plus}");
        with(MgcAmended, json!({"version": version}), &[&line])
    };
    let posted =
        |edition, rows: Value| with(edition, json!({"pair_plus_pays": rows}), &[pair_plus]);
    let bonus = |version: &str, bonus: &str| {
        let options = json!({"version": version, "ante_bonus": bonus});
        with(
            Mgc2017,
            options,
            &["1 fold QS QH 4D: ante 500, pair_plus 500"],
        )
    };
    let seven = "2 - 8C 6D 2S: pair_plus 500";
    let eight: Vec<String> = (1..=8)
        .map(|seat| {
            let ranks = [
                "2C 5C 9D", "2D 5D 9H", "2H 5H 9S", "2S 5S 9C", "4C 8C JD", "4D 8D JH", "4H 8H JS",
                "4S 8S JC",
            ];
            let side = if seat == 1 { ", cover_all 100" } else { "" };
            format!("{seat} - {}: pair_plus 500{side}", ranks[seat - 1])
        })
        .collect();
    let covered = |hands: usize| {
        let lines: Vec<&str> = eight[..hands].iter().map(String::as_str).collect();
        seats(MgcAmended, &lines)
    };
    let manual = |key: &str, value: Value, seat: &str| {
        let mut options = json!({"shuffler": "manual"});
        options[key] = value;
        with(MgcAmended, options, &[seat])
    };
    let cases = [
        (
            "wager.not_offered",
            seats(Mgc2017, &["1 - QS QH 4D: pair_plus 500, cover_all 500"]),
            seats(MgcAmended, &["1 - QS QH 4D: pair_plus 500, cover_all 500"]),
        ),
        (
            "wager.not_offered",
            with(
                OhJack2017,
                json!({"offered": ["six_card_bonus"]}),
                &["1 fold QS QH 4D: ante 500, pair_plus 500"],
            ),
            with(
                OhJack2017,
                json!({"offered": ["pair_plus"]}),
                &["1 fold QS QH 4D: ante 500, pair_plus 500"],
            ),
        ),
        ("wager.not_offered", covered(8), covered(7)),
        (
            "wager.play_amount",
            seats(Mgc2017, &["1 play QS 9H 4D: ante 500, play 501"]),
            lawful(Mgc2017),
        ),
        (
            "wager.play_without_ante",
            seats(Mgc2017, &["1 - QS QH 4D: pair_plus 500, play 500"]),
            seats(Mgc2017, &[pair_plus]),
        ),
        (
            "wager.play_without_ante",
            seats(Mgc2017, &["1 forfeit QS 9H 4D: ante 500, play 500"]),
            seats(Mgc2017, &["1 forfeit QS 9H 4D: ante 500"]),
        ),
        (
            "wager.play_without_ante",
            seats(OhJack2017, &["1 fold QS 9H 4D: ante 500, play 900"]),
            seats(OhJack2017, &["1 fold QS 9H 4D: ante 500"]),
        ),
        (
            "wager.play_missing",
            seats(OhJack2017, &["1 play QS 9H 4D: ante 500"]),
            lawful(OhJack2017),
        ),
        (
            "procedure.decision_without_ante",
            seats(Mgc2017, &["1 fold QS QH 4D: pair_plus 500"]),
            seats(Mgc2017, &["1 forfeit QS QH 4D: pair_plus 500"]),
        ),
        (
            "wager.ratio",
            ratio("ante_covers_pair_plus", 500, 501),
            ratio("ante_covers_pair_plus", 500, 500),
        ),
        (
            "wager.ratio",
            ratio("ante_half_pair_plus", 500, 1001),
            ratio("ante_half_pair_plus", 500, 1000),
        ),
        (
            "wager.ratio",
            with(
                Mgc2017,
                json!({"version": "ante_half_pair_plus"}),
                &[pair_plus],
            ),
            with(Mgc2017, json!({}), &[pair_plus]),
        ),
        (
            "wager.ratio",
            ratio("compulsory_both", 500, 2501),
            ratio("compulsory_both", 500, 2500),
        ),
        (
            "wager.ratio",
            ratio("compulsory_both", 2501, 500),
            ratio("compulsory_both", 2500, 500),
        ),
        (
            "wager.ratio",
            with(OhJack2017, json!({"version": "compulsory_both"}), &[PLAYED]),
            with(
                OhJack2017,
                json!({"version": "ante_covers_pair_plus"}),
                &[PLAYED],
            ),
        ),
        (
            "wager.side_without_main",
            seats(
                MgcAmended,
                &["1 - QS QH 4D: pair_plus 500, six_card_bonus 500"],
            ),
            seats(
                MgcAmended,
                &["1 fold QS QH 4D: ante 500, six_card_bonus 500"],
            ),
        ),
        (
            "wager.side_without_main",
            seats(
                OhJack2017,
                &["1 fold QS QH 4D: ante 500, six_card_bonus 500"],
            ),
            seats(
                OhJack2017,
                &["1 fold QS QH 4D: ante 500, pair_plus 500, six_card_bonus 500"],
            ),
        ),
        (
            "wager.side_without_main",
            seats(
                OhJack2017,
                &["1 - QS QH 4D: pair_plus 500, progressive 100"],
            ),
            seats(OhJack2017, &["1 fold QS QH 4D: ante 500, progressive 100"]),
        ),
        (
            "wager.side_without_main",
            covering_alone,
            seats(MgcAmended, &["1 - QS QH 4D: pair_plus 500, cover_all 500"]),
        ),
        (
            "wager.progressive_amount",
            seats(MgcAmended, &["1 fold QS QH 4D: ante 500, progressive 500"]),
            with(
                MgcAmended,
                json!({"progressive_bet": 500}),
                &["1 fold QS QH 4D: ante 500, progressive 500"],
            ),
        ),
        ("wager.multi_position", held_by(1, 2), held_by(2, 2)),
        ("wager.multi_position", held_by(3, 3), held_by(3, 2)),
        (
            "table.seat",
            seats(Mgc2017, &["10 - QS QH 4D: pair_plus 500"]),
            seats(Mgc2017, &["9 - QS QH 4D: pair_plus 500"]),
        ),
        (
            "table.seat",
            seats(OhJack2017, &["8 - QS QH 4D: pair_plus 500"]),
            seats(OhJack2017, &["7 - QS QH 4D: pair_plus 500"]),
        ),
        (
            "deal.card_count",
            seats(Mgc2017, &["1 play QS 9H 4D 2D: ante 500, play 500"]),
            with_irregularities(
                seats(Mgc2017, &["1 play QS 9H 4D 2D: ante 500, play 500"]),
                json!([{"code": "card_count"}]),
            ),
        ),
        (
            "deal.card_count",
            round(Mgc2017, json!({}), "KD 7C 3H 2C", &[PLAYED]),
            lawful(Mgc2017),
        ),
        (
            "deal.hand_without_wager",
            seats(Mgc2017, &[PLAYED, "2 - 8C 6D: "]),
            seats(Mgc2017, &[PLAYED, seven]),
        ),
        (
            "deck.duplicate_card",
            seats(Mgc2017, &["1 play QS QS 4D: ante 500, play 500"]),
            lawful(Mgc2017),
        ),
        (
            "deck.duplicate_card",
            seats(Mgc2017, &["1 play KD 9H 4D: ante 500, play 500"]),
            lawful(Mgc2017),
        ),
        (
            "deck.foreign_card",
            round(Mgc2017, json!({}), "KD 7C JK", &[PLAYED]),
            lawful(Mgc2017),
        ),
        (
            "ruling.not_allowed",
            misdealt("hand", honoured.clone()),
            misdealt("automated_shoe", honoured.clone()),
        ),
        (
            "ruling.not_allowed",
            misdealt(
                "automated_shoe",
                json!({"code": "shoe_failure", "independent_wagers_stand": true}),
            ),
            misdealt(
                "automated_shoe",
                json!({"code": "shoe_failure", "independent_wagers_stand": false}),
            ),
        ),
        (
            "ruling.not_allowed",
            with_irregularities(lawful(Mgc2017), json!([honoured])),
            with_irregularities(lawful(Mgc2017), json!([{"code": "misdeal"}])),
        ),
        (
            "deal.hand_without_shuffler",
            manual("dealing", json!("hand"), PLAYED),
            manual("dealing", json!("manual_shoe"), PLAYED),
        ),
        (
            "config.second_deck_without_shuffler",
            manual("alternating_decks", json!(true), PLAYED),
            manual("alternating_decks", json!(false), PLAYED),
        ),
        (
            "config.cover_all_without_shuffler",
            manual(
                "version",
                json!("open"),
                "1 - QS QH 4D: pair_plus 500, cover_all 500",
            ),
            manual(
                "shuffler",
                json!("automated"),
                "1 - QS QH 4D: pair_plus 500, cover_all 500",
            ),
        ),
        (
            "config.ante_bonus_table",
            bonus("open", "A"),
            bonus("open", "standard"),
        ),
        (
            "config.ante_bonus_table",
            bonus("compulsory_both", "standard"),
            bonus("compulsory_both", "C"),
        ),
        (
            "config.odds_below_minimum",
            posted(Mgc2017, json!({"straight": "9:2"})),
            posted(Mgc2017, json!({"straight": "10:2"})),
        ),
        (
            "config.odds_below_minimum",
            posted(OhJack2017, json!({"mini_royal": "39:1"})),
            posted(OhJack2017, json!({"mini_royal": "40:1"})),
        ),
        (
            "config.odds_below_minimum",
            posted(
                Mgc2017,
                json!({"straight_flush": "34:1", "mini_royal": "50:1"}),
            ),
            posted(Mgc2017, json!({"straight_flush": "50:1"})),
        ),
        (
            "config.version_without_pair_plus",
            with(
                Mgc2017,
                json!({"version": "ante_covers_pair_plus", "offered": []}),
                &[PLAYED],
            ),
            with(
                Mgc2017,
                json!({"version": "open", "offered": []}),
                &[PLAYED],
            ),
        ),
        (
            "config.max_positions",
            with(Mgc2017, json!({"max_positions": 4}), &[PLAYED]),
            with(Mgc2017, json!({"max_positions": 3}), &[PLAYED]),
        ),
        (
            "config.progressive_bet",
            with(OhJack2017, json!({"progressive_bet": 500}), &[PLAYED]),
            with(MgcAmended, json!({"progressive_bet": 500}), &[PLAYED]),
        ),
        (
            "config.payout_limit_too_low",
            with(OhJack2017, json!({"max_payout": 4_999_999}), &[PLAYED]),
            with(OhJack2017, json!({"max_payout": 5_000_000}), &[PLAYED]),
        ),
    ];
    assert_raised(table(), &cases, &[]);
}

#[test]
fn four_hands_are_too_many_even_where_the_house_allows_five() {
    let lines = [
        "1 - 2C 5C 9D: pair_plus 500",
        "2 - 2D 5D 9H: pair_plus 500",
        "3 - 2H 5H 9S: pair_plus 500",
        "4 - 2S 5S 9C: pair_plus 500",
    ];
    let mut document = round(Mgc2017, json!({"max_positions": 5}), DEALER, &lines);
    for seat in 0..4 {
        document = with_key(
            document,
            &format!("/play/hands/{seat}"),
            "player",
            json!("ann"),
        );
    }
    assert_eq!(
        table().violations(&document),
        ["config.max_positions", "wager.multi_position"]
    );
}
