//! Craps and crapless craps.

use serde_json::json;

use super::super::{Lines, assert_exact, assert_sound, millionths, sheet};
use catwalk_odds::Exact;

const POINTS: [u8; 6] = [4, 5, 6, 8, 9, 10];

#[test]
fn line_come_and_odds_bets_have_their_published_edges() {
    for edition in ["mgc-2017", "oh-jack-2017"] {
        let sheet = sheet("craps", edition, json!({}));
        assert_sound(&sheet);
        // 1.414% and, counting the barred 12, 1.364%.
        for wager in ["pass", "come"] {
            assert_exact(sheet.line(wager), 7, 495);
        }
        for wager in ["dont_pass", "dont_come"] {
            assert_exact(sheet.line(wager), 3, 220);
        }
        for wager in ["pass_odds", "come_odds", "dont_pass_odds", "dont_come_odds"] {
            for point in POINTS {
                assert_exact(sheet.on(wager, &point.to_string()), 0, 1);
            }
        }
        let pass = sheet.line("pass").figures.as_ref().unwrap();
        assert_eq!(pass.probability("win"), Exact::new(244, 495));
    }
}

#[test]
fn bets_on_numbers_have_their_published_edges() {
    let sheet = sheet("craps", "mgc-2017", json!({}));
    let place = [15, 25, 66, 66, 25, 15];
    let place_lose = [33, 40, 55, 55, 40, 33];
    for (number, (place, lose)) in POINTS.into_iter().zip(place.into_iter().zip(place_lose)) {
        assert_exact(sheet.on("place", &number.to_string()), 1, place);
        assert_exact(sheet.on("place_lose", &number.to_string()), 1, lose);
    }
    for (number, of) in [("4", 9), ("6", 11), ("8", 11), ("10", 9)] {
        assert_exact(sheet.on("hard", number), 1, of);
    }
}

#[test]
fn buy_and_lay_bets_keep_the_vigorish() {
    let massachusetts = sheet("craps", "mgc-2017", json!({}));
    let ohio = sheet("craps", "oh-jack-2017", json!({}));
    // 5% beside the stake; in Ohio of what a lay bet wins.
    let lay = [(1, 40), (1, 30), (1, 24), (1, 24), (1, 30), (1, 40)];
    for (number, (kept, of)) in POINTS.into_iter().zip(lay) {
        let number = number.to_string();
        assert_exact(massachusetts.on("buy", &number), 1, 20);
        assert_exact(massachusetts.on("lay", &number), 1, 20);
        assert_exact(ohio.on("buy", &number), 1, 20);
        let edge = ohio.on("lay", &number).figures.as_ref().unwrap();
        assert_eq!(edge.house_edge, Exact::new(kept, of), "{number}");
    }
    let on_win = json!({"buy_vig_on_win": POINTS, "lay_vig_on_win": POINTS});
    let sheet = sheet("craps", "mgc-2017", on_win);
    for (number, of) in POINTS.into_iter().zip([60, 50, 44, 44, 50, 60]) {
        assert_exact(sheet.on("buy", &number.to_string()), 1, of);
    }
}

#[test]
fn one_roll_bets_have_their_published_edges() {
    for (edition, with_seven) in [("mgc-2017", "whirl"), ("oh-jack-2017", "world")] {
        let sheet = sheet("craps", edition, json!({}));
        for (wager, kept, of) in [
            ("field", 2, 36),
            ("any_seven", 6, 36),
            ("any_craps", 4, 36),
            ("craps_two", 5, 36),
            ("craps_three", 4, 36),
            ("craps_twelve", 5, 36),
            ("eleven", 4, 36),
            ("c_and_e", 4, 36),
            ("horn", 18, 144),
            (with_seven, 24, 180),
        ] {
            assert_exact(sheet.line(wager), kept, of);
        }
        assert_exact(sheet.on("horn_high", "12"), 23, 180);
        assert_exact(sheet.on("horn_high", "3"), 22, 180);
        assert_exact(sheet.on("hop", "5-5"), 5, 36);
        assert_exact(sheet.on("hop", "2-5"), 4, 36);
    }
    let sheet = sheet("craps", "mgc-2017", json!({}));
    assert_exact(sheet.line("six_seven_eight"), 2, 36);
}

#[test]
fn the_fire_bet_keeps_more_than_a_fifth() {
    for (letter, published) in [("A", 2076), ("B", 2388)] {
        let sheet = sheet("craps", "mgc-2017", json!({"fire_table": letter}));
        let fire = sheet.line("fire");
        assert_eq!(millionths(fire) / 100, published, "table {letter}");
        // All six points: one shooter in 6156.
        let all = &fire.figures.as_ref().unwrap().rows[0].probability;
        assert_eq!((1.0 / all.approximate()) as i64, 6156);
    }
}

#[test]
fn crapless_craps_has_its_published_edges() {
    let sheet = sheet("crapless_craps", "oh-jack-2017", json!({}));
    assert_sound(&sheet);
    assert_exact(sheet.line("pass"), 373, 6930);
    assert_exact(sheet.line("come"), 373, 6930);
    let points = [2, 3, 4, 5, 6, 8, 9, 10, 11, 12];
    for (number, of) in points
        .into_iter()
        .zip([14, 16, 15, 25, 66, 66, 25, 15, 16, 14])
    {
        let number = number.to_string();
        assert_exact(sheet.on("place", &number), 1, of);
        assert_exact(sheet.on("buy", &number), 1, 20);
        assert_exact(sheet.on("pass_odds", &number), 0, 1);
    }
    for (wager, kept, of) in [("field", 2, 36), ("any_seven", 6, 36), ("world", 24, 180)] {
        assert_exact(sheet.line(wager), kept, of);
    }
}
