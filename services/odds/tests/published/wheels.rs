//! Roulette, the big six, sic bo.

use serde_json::json;

use super::super::{Lines, assert_exact, assert_sound, sheet};
use catwalk_odds::Exact;

#[test]
fn roulette_keeps_two_of_38_one_of_37_three_by_the_first_five_and_half_by_half_back() {
    for edition in ["mgc-2017", "oh-jack-2017"] {
        for (wheel, of) in [("double", 38), ("single", 37)] {
            let sheet = sheet("roulette", edition, json!({"wheel": wheel}));
            for wager in [
                "column", "dozen", "red", "black", "odd", "even", "low", "high",
            ] {
                assert_exact(sheet.line(wager), of - 36, of);
            }
            for wager in [
                "straight",
                "split",
                "three_numbers",
                "four_numbers",
                "six_numbers",
            ] {
                assert_exact(sheet.line(wager), of - 36, of);
            }
        }
        let double = sheet("roulette", edition, json!({}));
        assert_exact(double.line("first_five"), 3, 38);
        assert_sound(&double);
    }
    let half = sheet("roulette", "mgc-2017", json!({"zero_rule": "half"}));
    for wager in ["red", "black", "odd", "even", "low", "high"] {
        assert_exact(half.line(wager), 1, 38);
    }
    let straight = sheet("roulette", "mgc-2017", json!({}));
    let figures = straight.line("straight").figures.clone().unwrap();
    assert_eq!(figures.probability("win"), Exact::new(1, 38));
    assert_eq!(figures.rows[0].rows, ["straight"]);
    // 5.7626 stakes.
    assert_eq!(figures.variance, Exact::new(36 * 36 * 37, 38 * 38));
}

#[test]
fn the_wheel_of_optional_roulette_wagers_has_its_published_edges() {
    for (wager, wheel, lost) in [
        ("seven_numbers", "double", 3),
        ("seven_numbers", "single", 2),
        ("six_numbers_color", "double", 2),
        ("seven_numbers_color", "single", 2),
        ("eight_numbers_color", "double", 6),
        ("five_adjacent", "double", 2),
    ] {
        let of = if wheel == "double" { 38 } else { 37 };
        let options = json!({"wheel": wheel, "optional_wagers": [wager]});
        assert_exact(sheet("roulette", "mgc-2017", options).line(wager), lost, of);
    }
}

#[test]
fn the_big_six_keeps_its_published_shares() {
    let massachusetts = [
        ("insignia_1", 8),
        ("insignia_2", 9),
        ("insignia_5", 6),
        ("insignia_10", 10),
        ("insignia_20", 12),
        ("joker", 8),
        ("flag", 8),
    ];
    let ohio = [
        ("insignia_1", 6),
        ("insignia_2", 9),
        ("insignia_5", 12),
        ("insignia_10", 10),
        ("insignia_20", 12),
        ("joker", 8),
        ("casino_name", 8),
    ];
    for (edition, wagers) in [("mgc-2017", massachusetts), ("oh-jack-2017", ohio)] {
        let sheet = sheet("big_six", edition, json!({}));
        for (wager, kept) in wagers {
            assert_exact(sheet.line(wager), kept, 54);
        }
    }
    // Other odds are another edge: 50:1 on one section of 54.
    let posted = sheet("big_six", "mgc-2017", json!({"pays": {"joker": "50:1"}}));
    assert_exact(posted.line("joker"), 3, 54);
}

#[test]
fn sic_bo_keeps_its_published_shares() {
    let sheet = sheet("sic_bo", "mgc-2017", json!({}));
    for (wager, kept) in [
        ("small", 6),
        ("big", 6),
        ("any_three_of_a_kind", 66),
        ("three_of_a_kind", 65),
        ("two_of_a_kind", 72),
        ("one_of_a_kind", 17),
        ("combination", 36),
    ] {
        assert_exact(sheet.line(wager), kept, 216);
    }
    for (low, kept) in (4..=10).zip([63, 102, 66, 21, 27, 41, 27]) {
        for total in [low, 21 - low] {
            assert_exact(sheet.on("total", &total.to_string()), kept, 216);
        }
    }
}
