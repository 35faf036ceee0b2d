//! What is incomplete, and what contradicts the table, the cards or itself.

use serde_json::{Value, json};

use super::{changed, folded, open, removed};
use crate::games::shared::flawed::{self, cards};

#[test]
fn what_is_incomplete_or_contradicts_itself_is_refused_and_not_void() {
    let told = |entry: Value| changed(&[("/play/irregularities", json!([entry]))]);
    let cases = [
        (removed("/play/hands"), "play.hands: seat 3"),
        (
            changed(&[("/play/hands/0/cards", cards("9S"))]),
            "play.hands[0].cards: ",
        ),
        (changed(&[("/play/dealer", cards("3C"))]), "play.dealer: "),
        (
            changed(&[("/play/board", cards("9D 5C 5S 2H"))]),
            "play.board: ",
        ),
        (
            flawed::changed(folded(""), &[("/play/board", cards("9D 5C"))]),
            "play.board: ",
        ),
        (
            told(json!({"code": "shoe_failure"})),
            "play.irregularities[0]: ",
        ),
        (
            told(json!({"code": "deck_count", "found": 52})),
            "play.irregularities[0].found: ",
        ),
        (
            told(json!({"code": "card_count", "area": "dealer", "dealt": 3})),
            "play.irregularities[0].dealt: 2 cards lie there",
        ),
        (
            told(json!({"code": "misdeal", "when": "community"})),
            "play.irregularities[0].when: ",
        ),
    ];
    open().assert_refused(&cases);
    // Without a seat in play the board may stop at any street.
    for board in ["", "9D 5C 5S", "9D 5C 5S 2H", "9D 5C 5S 2H KD"] {
        let document = flawed::changed(folded(""), &[("/play/board", cards(board))]);
        assert_eq!(open().violations(&document), [""; 0], "{board}");
    }
}
