//! Voids, ties, caps, envy and the moving meter.

use serde_json::{Value, json};

use super::{DEALER, round, table, verdict};
use crate::Edition::{self, Mgc2017, MgcAmended, OhJack2017};
use crate::games::shared::ante_play_rounds::with_irregularities;

fn with_play(mut document: Value, key: &str, value: Value) -> Value {
    document["play"][key] = value;
    document
}

fn assert_verdicts(document: &Value, expected: &[(&str, &str)]) {
    for (id, expected) in expected {
        assert_eq!(verdict(document, id), *expected, "{id} {document}");
    }
}

#[test]
fn the_dealer_plays_with_queen_high_and_with_any_pair() {
    for (dealer, play) in [
        ("QD 3C 2H", "win 500 1000"),
        ("JD TC 8H", "push 0 500"),
        ("2D 2C 3H", "win 500 1000"),
        ("JD 9D 2D", "win 500 1000"),
        ("3D 2C AH", "win 500 1000"),
    ] {
        let document = round(
            Mgc2017,
            json!({}),
            dealer,
            &["1 play 4S 4H 4D: ante 500, play 500"],
        );
        assert_verdicts(&document, &[("1.ante", "win 2500 3000"), ("1.play", play)]);
    }
}

#[test]
fn a_straight_beats_a_flush_and_is_ranked_by_its_top_card() {
    for (player, dealer, ante) in [
        ("4S 3H 2D", "AD JD 9D", "win 1000 1500"),
        ("4S 3H 2D", "AC 2C 3H", "win 1000 1500"),
        ("3S 2H AD", "4C 3H 2D", "lose 500 500"),
        ("AS KH QD", "KC QH JD", "win 1000 1500"),
        ("KS AH 2D", "KC QH 9D", "win 500 1000"),
        ("2S 2H AD", "KC KH 3D", "lose 0 0"),
        ("AS KS 2S", "AD QD JD", "win 500 1000"),
    ] {
        let seat = format!("1 play {player}: ante 500, play 500");
        let document = round(Mgc2017, json!({}), dealer, &[&seat]);
        assert_eq!(verdict(&document, "1.ante"), ante, "{player} v {dealer}");
    }
}

#[test]
fn the_ante_bonus_is_paid_on_a_win_a_push_and_a_loss() {
    let bonus = |dealer| {
        round(
            Mgc2017,
            json!({}),
            dealer,
            &["1 play 6S 5H 4D: ante 500, play 500"],
        )
    };
    assert_verdicts(
        &bonus(DEALER),
        &[("1.ante", "win 1000 1500"), ("1.play", "win 500 1000")],
    );
    assert_verdicts(
        &bonus("6C 5D 4H"),
        &[("1.ante", "push 500 1000"), ("1.play", "push 0 500")],
    );
    assert_verdicts(
        &bonus("7C 6D 5S"),
        &[("1.ante", "lose 500 500"), ("1.play", "lose 0 0")],
    );
    let folded = round(Mgc2017, json!({}), DEALER, &["1 fold 6S 5H 4D: ante 500"]);
    assert_verdicts(&folded, &[("1.ante", "lose 0 0")]);
}

#[test]
fn the_bonus_table_follows_from_the_version_unless_the_house_names_one() {
    for (edition, options, bonus) in [
        (Mgc2017, json!({}), 2500),
        (Mgc2017, json!({"version": "compulsory_both"}), 25_000),
        (
            Mgc2017,
            json!({"version": "compulsory_both", "ante_bonus": "B"}),
            25_000,
        ),
        (
            MgcAmended,
            json!({"version": "ante_half_pair_plus", "ante_bonus": "standard"}),
            2500,
        ),
        (OhJack2017, json!({"version": "compulsory_both"}), 2500),
    ] {
        let seat = "1 play AS KS QS: ante 500, pair_plus 500, play 500";
        let document = round(edition, options, DEALER, &[seat]);
        let expected = format!("win {} {}", 500 + bonus, 1000 + bonus);
        assert_eq!(verdict(&document, "1.ante"), expected, "{document}");
    }
}

#[test]
fn a_mini_royal_follows_a_posted_straight_flush() {
    for (edition, posted, win) in [
        (Mgc2017, json!({}), 17_500),
        (Mgc2017, json!({"straight_flush": "50:1"}), 25_000),
        (
            Mgc2017,
            json!({"straight_flush": "50:1", "mini_royal": "100:1"}),
            50_000,
        ),
        (Mgc2017, json!({"mini_royal": "100:1"}), 50_000),
        (OhJack2017, json!({}), 20_000),
        (OhJack2017, json!({"straight_flush": "50:1"}), 25_000),
        (OhJack2017, json!({"mini_royal": "200:1"}), 100_000),
    ] {
        let options = json!({"pair_plus_pays": posted});
        let document = round(edition, options, DEALER, &["1 - AC KC QC: pair_plus 500"]);
        assert_eq!(
            verdict(&document, "1.pair_plus"),
            format!("win {win} {}", win + 500)
        );
    }
}

#[test]
fn posted_odds_that_leave_a_fraction_are_rounded_down() {
    let options = json!({"pair_plus_pays": {"flush": "10:3"}});
    let document = round(Mgc2017, options, DEALER, &["1 - AC 9C 2C: pair_plus 500"]);
    assert_eq!(verdict(&document, "1.pair_plus"), "win 1666 2166");
    let four = [
        "1 fold 6S 5H 4D: ante 500, cover_all 501",
        "2 fold 2C 8S TC: ante 500",
        "3 fold 2H 8H TD: ante 500",
        "4 fold 2S 8C TH: ante 500",
    ];
    let document = round(MgcAmended, json!({}), DEALER, &four);
    assert_eq!(verdict(&document, "1.cover_all"), "win 751 1252");
}

#[test]
fn what_a_seat_gives_up_depends_on_the_text() {
    let seat = |decision: &str| {
        format!("1 {decision} 8S 8H 8D: ante 500, pair_plus 500, six_card_bonus 500")
    };
    for (edition, decision, pair_plus, six_card) in [
        (MgcAmended, "fold", "win 12500 13000", "win 2500 3000"),
        (MgcAmended, "forfeit", "lose 0 0", "lose 0 0"),
        (OhJack2017, "fold", "lose 0 0", "win 2500 3000"),
        (OhJack2017, "abandoned", "lose 0 0", "lose 0 0"),
    ] {
        let document = round(edition, json!({}), DEALER, &[&seat(decision)]);
        assert_verdicts(
            &document,
            &[
                ("1.ante", "lose 0 0"),
                ("1.pair_plus", pair_plus),
                ("1.six_card_bonus", six_card),
            ],
        );
    }
}

#[test]
fn the_payout_limit_cuts_the_six_card_bonus_to_nothing_and_it_still_wins() {
    let seat = "1 play 8S 8H 8D: ante 200000, pair_plus 200000, six_card_bonus 10000, play 200000";
    for (limit, six_card) in [
        (json!(null), "win 50000 60000"),
        (json!(7_250_000), "win 50000 60000"),
        (json!(7_249_999), "win 49999 59999"),
        (json!(7_200_000), "win 0 10000"),
        (json!(1), "win 0 10000"),
    ] {
        // Ante 200,000 with a bonus of 800,000, play 200,000, pair plus 6,000,000: 7,200,000 before it.
        let document = round(OhJack2017, json!({"max_payout": limit}), DEALER, &[seat]);
        assert_verdicts(
            &document,
            &[
                ("1.pair_plus", "win 6000000 6200000"),
                ("1.six_card_bonus", six_card),
            ],
        );
    }
}

#[test]
fn the_payout_limit_counts_the_bonus_of_a_lost_ante_but_no_lost_stake() {
    let seat =
        "1 play 6S 5H 4D: ante 1000000, pair_plus 1000000, six_card_bonus 100000, play 1000000";
    let document = round(
        OhJack2017,
        json!({"max_payout": 7_500_000}),
        "TD TC TH",
        &[seat],
    );
    // Bonus 1,000,000 and pair plus 6,000,000 leave 500,000 of the 500,000 for three tens.
    assert_verdicts(
        &document,
        &[
            ("1.ante", "lose 1000000 1000000"),
            ("1.six_card_bonus", "win 500000 600000"),
        ],
    );
}

#[test]
fn a_void_round_returns_every_wager_whatever_was_decided() {
    let seats = [
        "1 play QS QH 4D: ante 500, pair_plus 500, progressive 100, play 500",
        "2 fold 8C 6D 2S: ante 500, cover_all 100",
        "3 - JS JH 5D: ante 500, six_card_bonus 100",
    ];
    for entry in [
        json!({"code": "card_count"}),
        json!({"code": "misdeal"}),
        json!({"code": "deck_count"}),
        json!({"code": "hole_card_exposed"}),
        json!({"code": "shoe_failure"}),
        json!({"code": "face_up_card", "count": 2}),
    ] {
        let document = round(MgcAmended, json!({}), DEALER, &seats);
        let document = with_play(
            document,
            "irregularities",
            json!([{"code": "shuffler_failure"}, entry]),
        );
        let settlement = table().settle(&document);
        assert!(
            settlement
                .wagers()
                .iter()
                .all(|wager| wager.result == crate::Verdict::Void)
        );
        assert_eq!(settlement.violations().iter().count(), 0);
    }
    for entry in [
        json!({"code": "face_up_card"}),
        json!({"code": "face_up_card", "count": 1}),
        json!({"code": "card_drawn_in_error"}),
        json!({"code": "shuffler_failure"}),
    ] {
        let document = round(MgcAmended, json!({}), DEALER, &seats[..2]);
        let document = with_play(document, "irregularities", json!([entry]));
        assert_verdicts(
            &document,
            &[("1.ante", "win 500 1000"), ("2.ante", "lose 0 0")],
        );
    }
}

#[test]
fn a_supervisor_lets_pair_plus_stand_on_whole_hands_only() {
    let seats = [
        "1 play QS QH 4D: ante 500, pair_plus 500, play 500, progressive 100",
        "2 fold 8C 8D 2S: ante 500, pair_plus 500",
        "3 - JS JH: pair_plus 500",
        "4 - TS TH 5C: ante 500, pair_plus 500",
        "5 abandoned AS AH 5H: ante 500, pair_plus 500",
        "6 play 9S 9H 6H: ante 500, pair_plus 500",
    ];
    let settle = |entries: Value| {
        let document = round(OhJack2017, json!({}), "KD 7C", &seats);
        with_play(document, "irregularities", entries)
    };
    let misdeal = json!({"code": "misdeal", "independent_wagers_stand": true});
    let deck_count = json!({"code": "deck_count", "independent_wagers_stand": true});
    let document = settle(json!([misdeal, deck_count, {"code": "shuffler_failure"}]));
    assert_verdicts(
        &document,
        &[
            ("1.ante", "void 0 500"),
            ("1.progressive", "void 0 100"),
            ("1.pair_plus", "win 500 1000"),
            ("2.ante", "void 0 500"),
            ("2.pair_plus", "lose 0 0"),
            ("3.pair_plus", "void 0 500"),
            ("4.ante", "void 0 500"),
            ("4.pair_plus", "win 500 1000"),
            ("5.ante", "void 0 500"),
            ("5.pair_plus", "lose 0 0"),
            ("6.pair_plus", "lose 0 0"),
        ],
    );
    assert_eq!(table().violations(&document), ["wager.play_missing"]);

    // Two cards in a hand are no matter of the deck count: §13.C, without discretion.
    for entries in [
        json!([deck_count]),
        json!([misdeal, {"code": "deck_count"}]),
        json!([misdeal, {"code": "face_up_card", "count": 3}]),
    ] {
        let document = settle(entries);
        assert_verdicts(
            &document,
            &[("1.pair_plus", "void 0 500"), ("4.pair_plus", "void 0 500")],
        );
        assert_eq!(
            table().violations(&document),
            ["ruling.not_allowed", "wager.play_missing"]
        );
    }
}

#[test]
fn cover_all_counts_every_dealt_hand_but_looks_only_at_shown_ones() {
    let seats = |third: &str| {
        round(
            MgcAmended,
            json!({}),
            DEALER,
            &[
                "1 fold QS 9H 4D: ante 500, cover_all 500",
                "2 fold 6S 5H 4C: ante 500",
                &format!("3 {third} AC KC QC: pair_plus 500"),
            ],
        )
    };
    assert_eq!(verdict(&seats("-"), "1.cover_all"), "win 40000 40500");
    assert_eq!(verdict(&seats("forfeit"), "1.cover_all"), "win 1000 1500");
    let flush = round(
        MgcAmended,
        json!({}),
        "KD 9D 3D",
        &["1 fold QS 9H 4D: ante 500, cover_all 500"],
    );
    assert_eq!(verdict(&flush, "1.cover_all"), "lose 0 0");
}

#[test]
fn cover_all_needs_no_hand_of_its_own_and_goes_back_if_there_is_none() {
    let mut document = round(
        MgcAmended,
        json!({}),
        DEALER,
        &["1 fold 6S 5H 4C: ante 500"],
    );
    document["wagers"]
        .as_array_mut()
        .unwrap()
        .push(json!({"id": "c", "seat": 2, "kind": "cover_all", "amount": 500}));
    assert_eq!(verdict(&document, "c"), "win 2500 3000");
    assert_eq!(table().violations(&document), ["wager.side_without_main"]);

    document["wagers"].as_array_mut().unwrap().remove(0);
    document["play"] = json!({"dealer": null, "hands": []});
    assert_eq!(verdict(&document, "c"), "void 0 500");
    assert_eq!(
        table().violations(&document),
        ["wager.not_offered", "wager.side_without_main"]
    );
}

#[test]
fn the_meter_is_paid_once_and_starts_again_for_the_next_in_dealing_order() {
    // Two aces of spades: the deck is faulty, the meter is still paid in order of seats.
    let seats = [
        "4 play AS KS QS: ante 500, play 500, progressive 100",
        "2 play AS KS QS: ante 500, play 500, progressive 100",
    ];
    let document = round(
        MgcAmended,
        json!({"progressive_reset": 777}),
        DEALER,
        &seats,
    );
    let document = with_play(document, "meters", json!({"progressive": 2_000_001}));
    assert_verdicts(
        &document,
        &[
            ("2.progressive", "win 2009901 2010001"),
            ("4.progressive", "win 10677 10777"),
        ],
    );
    let unread = round(
        MgcAmended,
        json!({"progressive_reset": 777}),
        DEALER,
        &seats[..1],
    );
    let refusal = table().refusal(&unread);
    assert!(
        refusal.starts_with("play.meters.progressive: "),
        "{refusal}"
    );
}

#[test]
fn envy_is_for_other_persons_and_survives_the_own_fold() {
    let seats = |edition: Edition, holder: &str, options: Value| {
        let mut document = round(
            edition,
            options,
            "AC KC QC",
            &[
                &format!(
                    "1 {holder} AS KS QS: ante 500{}",
                    if holder == "play" { ", play 500" } else { "" }
                ),
                "2 fold 8C 6D 2S: ante 500, progressive 100",
                "3 - AH KH QH: pair_plus 500",
                "4 fold 9C 6H 2D: ante 500, progressive 100",
            ],
        );
        document["play"]["hands"][0]["player"] = json!("ann");
        document["play"]["hands"][3]["player"] = json!("ann");
        document
    };
    // 100.00 for the spades of seat 1, 25.00 for the hearts of seat 3, nothing for the dealer's.
    let played = seats(OhJack2017, "play", json!({"max_positions": 3}));
    assert_verdicts(
        &played,
        &[
            ("2.progressive", "win 12400 12500"),
            ("4.progressive", "win 2400 2500"),
        ],
    );
    for (edition, holder, options, envy) in [
        (MgcAmended, "fold", json!({}), "win 2400 2500"),
        (
            MgcAmended,
            "fold",
            json!({"progressive_folded_qualify": true}),
            "win 12400 12500",
        ),
        (
            MgcAmended,
            "forfeit",
            json!({"progressive_folded_qualify": true}),
            "win 2400 2500",
        ),
        (OhJack2017, "abandoned", json!({}), "win 2400 2500"),
    ] {
        assert_eq!(
            verdict(&seats(edition, holder, options), "2.progressive"),
            envy,
            "{holder}"
        );
    }
    let mut left = played;
    left["play"]["hands"][1]["decision"] = json!("abandoned");
    assert_eq!(verdict(&left, "2.progressive"), "lose 0 0");
}

#[test]
fn a_folded_hand_wins_the_progressive_only_where_the_house_says_so() {
    for (qualify, expected) in [(false, "lose 0 0"), (true, "win 5900 6000")] {
        let options = json!({"progressive_folded_qualify": qualify});
        let document = round(
            MgcAmended,
            options,
            DEALER,
            &["1 fold 5S 5H 5D: ante 500, progressive 100"],
        );
        assert_eq!(verdict(&document, "1.progressive"), expected);
    }
}

#[test]
fn an_abandoned_seat_loses_all_but_what_was_never_offered() {
    let options = json!({"offered": ["pair_plus", "progressive"]});
    let seat = "1 abandoned AS KS QS: ante 500, pair_plus 500, play 500, progressive 100, six_card_bonus 500";
    let document = round(OhJack2017, options, DEALER, &[seat]);
    assert_verdicts(
        &document,
        &[
            ("1.ante", "lose 0 0"),
            ("1.pair_plus", "lose 0 0"),
            ("1.play", "lose 0 0"),
            ("1.progressive", "lose 0 0"),
            ("1.six_card_bonus", "void 0 500"),
        ],
    );
}

#[test]
fn the_dead_hand_of_an_empty_seat_neither_covers_all_nor_earns_envy() {
    let document = round(
        MgcAmended,
        json!({}),
        DEALER,
        &[
            "1 fold QC 9H 4D: ante 500, cover_all 500, progressive 100",
            "2 play AS KS QS: ",
        ],
    );
    assert_verdicts(
        &document,
        &[("1.cover_all", "lose 0 0"), ("1.progressive", "lose 0 0")],
    );
    assert_eq!(
        table().violations(&document),
        ["deal.hand_without_wager", "procedure.decision_without_ante"]
    );
    let short = round(
        MgcAmended,
        json!({}),
        DEALER,
        &["1 fold QS 9H 4D: ante 500", "2 - AS: "],
    );
    assert_eq!(verdict(&short, "1.ante"), "lose 0 0");
    let joker = round(
        MgcAmended,
        json!({}),
        DEALER,
        &["1 fold QS 9H 4D: ante 500", "2 - JK: "],
    );
    assert_eq!(verdict(&joker, "1.ante"), "void 0 500");
}

#[test]
fn a_play_wager_alone_holds_no_hand_for_cover_all() {
    let seats = [
        "2 fold QS JH 4D: ante 500, cover_all 500",
        "5 - 8S 8H 8D: play 500",
    ];
    let document = round(MgcAmended, json!({}), "TD 7C 3H", &seats);
    assert_verdicts(
        &document,
        &[("2.cover_all", "lose 0 0"), ("5.play", "void 0 500")],
    );
    let codes = ["deal.hand_without_wager", "wager.play_without_ante"];
    assert_eq!(table().violations(&document), codes);
    // Nor does a hand that is too long misdeal the table where nobody holds it.
    let long = [seats[0], "5 - 8S 8H 8D 9D: play 500"];
    let document = round(MgcAmended, json!({}), "TD 7C 3H", &long);
    assert_eq!(verdict(&document, "2.ante"), "lose 0 0");
    // A side wager there goes back; with a pair plus it is settled.
    let six = |bought: &str| {
        let seat = format!("5 - 8S 8H 8D: {bought}six_card_bonus 500, progressive 100");
        round(MgcAmended, json!({}), "TD 7C 3H", &[seats[0], &seat])
    };
    assert_verdicts(
        &six(""),
        &[
            ("5.six_card_bonus", "void 0 500"),
            ("5.progressive", "void 0 100"),
        ],
    );
    assert_verdicts(
        &six("pair_plus 500, "),
        &[
            ("5.six_card_bonus", "win 2500 3000"),
            ("5.progressive", "win 5900 6000"),
        ],
    );
}

#[test]
fn a_posted_mini_royal_is_due_at_no_less_than_the_straight_flush() {
    let seat = "1 - AC KC QC: pair_plus 500";
    for (pays, due) in [
        (json!({"mini_royal": "30:1"}), "win 20000 20500"),
        (json!({"mini_royal": "50:1"}), "win 25000 25500"),
        (json!({"straight_flush": "45:1"}), "win 22500 23000"),
    ] {
        let below = pays["mini_royal"] == "30:1";
        let document = round(OhJack2017, json!({"pair_plus_pays": pays}), DEALER, &[seat]);
        assert_eq!(verdict(&document, "1.pair_plus"), due);
        let flagged = table().violations(&document) == ["config.odds_below_minimum"];
        assert_eq!(flagged, below);
    }
}

#[test]
fn a_share_of_a_meter_that_nobody_read_is_refused_and_fixed_prizes_are_not() {
    for edition in [MgcAmended, OhJack2017] {
        let hand = |seat: &str| round(edition, json!({}), DEALER, &[seat]);
        let shared = hand("1 play AS KS QS: ante 500, play 500, progressive 100");
        let refusal = table().refusal(&shared);
        assert!(
            refusal.starts_with("play.meters.progressive: "),
            "{edition} {refusal}"
        );
        let fixed = hand("1 play AH KH QH: ante 500, play 500, progressive 100");
        assert_eq!(
            verdict(&fixed, "1.progressive"),
            "win 49900 50000",
            "{edition}"
        );
        // Nothing is won by a hand that was given up, or in a round that is void.
        let folded = hand("1 fold AS KS QS: ante 500, progressive 100");
        assert_eq!(verdict(&folded, "1.progressive"), "lose 0 0", "{edition}");
        let void = with_irregularities(shared, json!([{"code": "misdeal"}]));
        assert_eq!(verdict(&void, "1.progressive"), "void 0 100", "{edition}");
    }
    // Where the house lets folded hands win, they have a share too.
    let options = json!({"progressive_folded_qualify": true});
    let seat = "1 fold AS KS QS: ante 500, progressive 100";
    let refusal = table().refusal(&round(MgcAmended, options, DEALER, &[seat]));
    assert!(
        refusal.starts_with("play.meters.progressive: "),
        "{refusal}"
    );
    // A chip that is no wager in Ohio wins no share. The other text knows no size of it.
    for (seat, back) in [
        ("1 play AS KS QS: ante 500, play 500, progressive 300", 300),
        ("1 - AS KS QS: pair_plus 500, progressive 100", 100),
    ] {
        let document = round(OhJack2017, json!({}), DEALER, &[seat]);
        assert_eq!(
            verdict(&document, "1.progressive"),
            format!("void 0 {back}")
        );
    }
}
