//! Cards of the poker room that nobody saw.

use catwalk_stories::settle;
use serde_json::{Value, json};

use super::{HOLDEM, assert_cases, holdem, table};

fn play(lines: &str) -> Value {
    let (_, rounds) = settle(&table(holdem(), lines));
    rounds[0].document.as_ref().unwrap()["play"].clone()
}

/// Seat 2 turns one of his kings and throws both away; a card of a folded hand was exposed.
#[test]
fn a_mucked_card_is_written_as_one_that_nobody_saw() {
    let lines = HOLDEM
        .replace(
            "    say 2 show\n    show seat 2 0 KS\n    show seat 2 1 KD\n",
            "    show seat 2 1 KD\n    say 2 muck\n",
        )
        .replacen("card seat 7 ??", "card seat 7 5C", 1);
    let award = r#"{"type": "pot_awarded", "pot": 0, "seat": 4, "amount": 7100}"#;
    let cases: [(&str, &str, &[&str]); 2] = [
        (award, &award.replace("7100", "7300"), &["pot.over_award"]),
        // A card that lies elsewhere is no card of this hand.
        (
            "show seat 2 1 KD\n",
            "show seat 2 1 KH\n",
            &["deck.duplicate_card"],
        ),
    ];
    let found = |lines: &str| settle(&table(holdem(), lines)).0;
    assert_eq!(found(&lines), []);
    assert_cases(&holdem(), &lines, &cases[..1]);
    let (old, new, code) = cases[1];
    let twice = found(&lines.replace(old, new));
    assert!(twice.iter().any(|finding| finding.code == code[0]));
    let hands = play(&lines)["hands"].clone();
    assert_eq!(
        hands,
        json!({"2": ["??", "KD"], "4": ["9H", "8H"], "7": ["5C", "??"]})
    );
}

/// All others have conceded: what the last one holds makes no difference, and no board either.
#[test]
fn the_last_one_in_needs_no_cards() {
    let lines = HOLDEM
        .replace("    show seat 4 0 9H\n    show seat 4 1 8H\n", "")
        .replace(
            "    say 2 show\n    show seat 2 0 KS\n    show seat 2 1 KD\n",
            "    say 2 muck\n",
        )
        .replace("card community QS up", "card community ??");
    assert_cases(&holdem(), &lines, &[]);
    assert_eq!(play(&lines)["board"], json!(["KH", "7H", "3C", "2H", "??"]));
}
