//! Tables in Ohio rest on the Ohio text: no rule of Massachusetts judges them, and none is quoted.

use catwalk_settler::Finding;
use catwalk_stories::{open, script, settle};
use serde_json::{Value, json};

/// A table that posts these limits of its main wager, and everything that is found at it.
fn found(game: &str, edition: &str, kind: &str, lines: &str) -> Vec<Finding> {
    let mut opened = open(game, edition, json!({}));
    opened["limits"] = json!([{"kind": kind, "min": 1000, "max": 4000}]);
    let mut bodies: Vec<Value> = vec![opened];
    bodies.extend(script(lines));
    settle(&bodies).0
}

fn codes(findings: &[Finding]) -> Vec<&str> {
    findings.iter().map(|finding| &*finding.code).collect()
}

const THREE_CARD: &str = "open\nbet a 1 ante 1000\nno-more-bets
     card dealer KD\ncard dealer 7C\ncard dealer 3H
     card seat 1 9S\ncard seat 1 8H\ncard seat 1 2D
     say 1 fold\ntake a\nclose";
const LET_IT_RIDE: &str = "open\nbet a 1 bet_1 1000\nbet b 1 bet_2 1000\nbet c 1 bet_3 1000
     card seat 1 9S\ncard seat 1 8H\ncard seat 1 2D\ncard community ??\ncard community ??
     say 1 ride\nshow community 0 4D\nsay 1 ride\nshow community 1 KD
     take a\ntake b\ntake c\nclose";
const DJ_WILD: &str = "open\nbet a 1 ante 1000\nbet b 1 blind 1000\nno-more-bets
     card seat 1 3S\ncard seat 1 5D\ncard seat 1 7C\ncard seat 1 TH\ncard seat 1 6S
     card dealer ??\ncard dealer ??\ncard dealer ??\ncard dealer ??\ncard dealer ??
     say 1 fold\ntake a\ntake b\nclose";

/// 147.07(1) asks Massachusetts for ten times the minimum; the sections are those of the games in Ohio.
#[test]
fn a_table_of_ohio_may_post_four_times_its_minimum() {
    let games = [
        ("three_card_poker", "ante", THREE_CARD),
        ("let_it_ride", "bet_1", LET_IT_RIDE),
        ("dj_wild", "ante", DJ_WILD),
    ];
    for (game, kind, lines) in games {
        let ohio = found(game, "oh-jack-2017", kind, lines);
        assert_eq!(codes(&ohio), [""; 0], "{game}");
    }
    let massachusetts = found("three_card_poker", "mgc-2017", "ante", THREE_CARD);
    assert!(codes(&massachusetts).contains(&"limits.ratio"));
}

/// The same faults in both jurisdictions, and what is quoted for them.
#[test]
fn a_finding_at_an_ohio_table_quotes_the_sections_of_the_game() {
    let of_seat_9 = |lines: &str| lines.replace(" 1 ", " 9 ").replace("say 1", "say 9");
    let stray = |lines: &str| {
        lines.replace(
            "say 1",
            "{\"type\": \"card_burned\", \"card\": \"XX\"}\nsay 1",
        )
    };
    let large = |lines: &str| lines.replace(" 1000", " 4500");
    let small = |lines: &str| lines.replace(" 1000", " 500");
    let games = [
        (
            "three_card_poker",
            "ante",
            THREE_CARD,
            ["7.A", "3.A", "2.A"],
        ),
        ("let_it_ride", "bet_1", LET_IT_RIDE, ["14.C", "3.A", "2.A"]),
    ];
    for (game, kind, lines, [limits, deck, seats]) in games {
        let faults = [
            ("wager.over_max", large(lines), limits),
            ("wager.under_min", small(lines), limits),
            ("deck.foreign_card", stray(lines), deck),
            ("table.seat", of_seat_9(lines), seats),
        ];
        for (code, lines, section) in faults {
            let code_of = |finding: &&Finding| finding.code == code;
            let ohio = found(game, "oh-jack-2017", kind, &lines);
            let finding = ohio.iter().find(code_of);
            let finding = finding.unwrap_or_else(|| panic!("{game} {code}: {:?}", codes(&ohio)));
            let cites = finding.cites.join(" ");
            assert!(cites.contains(section), "{game} {code}: {cites}");
            assert!(
                !cites.contains("146") && !cites.contains("147"),
                "{game} {code}: {cites}"
            );
            let massachusetts = found(game, "mgc-2017", kind, &lines);
            let finding = massachusetts.iter().find(code_of);
            if let Some(finding) = finding {
                let cites = finding.cites.join(" ");
                assert!(!cites.contains(section), "{game} {code}: {cites}");
            }
        }
    }
    let nine = found("dj_wild", "oh-jack-2017", "ante", &of_seat_9(DJ_WILD));
    let seat = nine.iter().find(|finding| finding.code == "table.seat");
    let seat = seat.unwrap_or_else(|| panic!("{:?}", codes(&nine)));
    assert!(seat.cites.join(" ").contains("2.A"), "{:?}", seat.cites);
}
