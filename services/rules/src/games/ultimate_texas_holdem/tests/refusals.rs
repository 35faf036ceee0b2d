//! What is incomplete, and what contradicts the table, the cards or itself.

use serde_json::{Value, json};

use super::{changed, open, removed, verdicts};
use crate::games::shared::flawed::cards;
use crate::settlement::Verdict;

#[test]
fn what_is_incomplete_is_refused_and_not_void() {
    let cases = [
        (changed(&[("/play/hands", json!([]))]), "play.hands: seat 3"),
        (
            changed(&[("/play/hands/0/cards", cards("9S"))]),
            "play.hands[0].cards: 2 cards are dealt there, and the document has 1",
        ),
        (changed(&[("/play/dealer", cards("3C"))]), "play.dealer: "),
        (removed("/play/dealer"), "play.dealer: "),
        (removed("/play/board"), "play.board: "),
        (
            changed(&[("/play/board", cards("9D 5C 5S 2H"))]),
            "play.board: ",
        ),
    ];
    open().assert_refused(&cases);
}

#[test]
fn an_irregularity_that_contradicts_the_table_is_refused() {
    let cases = [
        (json!({"code": "no_cards"}), ".code"),
        (json!({"code": "shoe_failure"}), ""),
        (json!({"code": "deck_count", "found": 52}), ".found"),
        (json!({"code": "face_up_card", "found": 51}), ".found"),
        (json!({"code": "face_up_card", "count": 0}), ".count"),
        (json!({"code": "misdeal", "count": 1}), ".count"),
        (
            json!({"code": "hole_card_exposed", "when": "community"}),
            ".when",
        ),
        (json!({"code": "deck_count", "dealt": 3}), ".dealt"),
        (
            json!({"code": "card_count", "seat": 3, "dealt": 2}),
            ".dealt",
        ),
        (
            json!({"code": "card_count", "seat": 3, "dealt": 3}),
            ".dealt",
        ),
        (
            json!({"code": "card_count", "area": "dealer", "dealt": 1}),
            ".dealt",
        ),
        (
            json!({"code": "misdeal", "independent_wagers_stand": true}),
            ".independent_wagers_stand",
        ),
    ];
    for (entry, place) in cases {
        let document = changed(&[("/play/irregularities", json!([entry]))]);
        let refusal = open().refusal(&document);
        let expected = format!("play.irregularities[0]{place}: ");
        assert!(refusal.starts_with(&expected), "{expected} {refusal}");
    }
    // At an automated shoe it may fail, and the supervisor may choose, but not at another irregularity.
    let by_shoe = |entry: Value| {
        changed(&[
            ("/options/dealing", json!("automated_shoe")),
            ("/play/irregularities", json!([entry])),
        ])
    };
    let chosen = |code: &str| by_shoe(json!({"code": code, "independent_wagers_stand": true}));
    assert_eq!(
        verdicts(&by_shoe(json!({"code": "shoe_failure"}))),
        [Verdict::Void; 5]
    );
    assert_eq!(verdicts(&chosen("misdeal"))[3], Verdict::Win);
    for code in ["card_count", "hole_card_exposed", "shoe_failure"] {
        let refusal = open().refusal(&chosen(code));
        let place = "play.irregularities[0].independent_wagers_stand: ";
        assert!(refusal.starts_with(place), "{refusal}");
    }
    // Three cards lie there, as it says.
    let three = changed(&[
        ("/play/hands/0/cards", cards("9S 9H 2D")),
        (
            "/play/irregularities",
            json!([{"code": "card_count", "seat": 3, "dealt": 3}]),
        ),
    ]);
    assert_eq!(verdicts(&three), [Verdict::Void; 5]);
    assert_eq!(open().violations(&three), [""; 0]);
}
