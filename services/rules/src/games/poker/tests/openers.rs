//! Who opens each betting round of the stud forms.

use super::*;
use crate::games::poker::opener::stud_opener;
use crate::games::poker::room::Room;
use crate::round::Envelope;
use crate::{AnyGame, Game};

/// The seat that opens with these up-cards of seats 1, 2 and 3.
fn opener(form: &str, betting_round: usize, up: [&str; 3], board: &str) -> u16 {
    let rounds = match form {
        "five_card_stud_high" => 4,
        "mambo_stud_high_low_6" => 3,
        _ => 5,
    };
    let mut hands = json!({});
    for (seat, cards) in (1..).zip(up) {
        let up: Vec<&str> = cards.split_whitespace().collect();
        hands[format!("{seat}")] = json!({"down": null, "up": up});
    }
    let board: Vec<&str> = board.split_whitespace().collect();
    let options = json!({"bet_limits": limits(rounds), "forced_bet": 200});
    let rest = json!({"hands": hands, "board": board});
    let document = round(form, options, THREE, "", &[], rest).to_string();
    let read = TABLE
        .game
        .read(&Envelope::read(&document).unwrap())
        .unwrap();
    let rules = Poker::rules(&TABLE.game.book().edition(MgcAmended)).unwrap();
    let room = Room::read(&rules, &read).unwrap();
    let place = stud_opener(&room, betting_round, &[true; 3])
        .unwrap()
        .unwrap();
    room.players[place].seat.number()
}

const HIGH: &str = "seven_card_stud_high";
const HIGH_LOW: &str = "seven_card_stud_high_low";
const EIGHT: &str = "seven_card_stud_high_low_8";
const FIVE: &str = "five_card_stud_high";
const MAMBO: &str = "mambo_stud_high_low_6";

#[test]
fn the_first_round_is_opened_by_the_up_card() {
    for form in [HIGH, EIGHT, FIVE, MAMBO] {
        assert_eq!(
            opener(form, 0, ["AC", "3S", "3H"], ""),
            3,
            "{form}: the lower suit"
        );
        assert_eq!(
            opener(form, 0, ["AC", "KS", "QH"], ""),
            3,
            "{form}: the ace is high"
        );
    }
    assert_eq!(
        opener(HIGH_LOW, 0, ["AS", "2C", "2H"], ""),
        3,
        "the ace is below the two"
    );
    assert_eq!(
        opener(HIGH_LOW, 0, ["KC", "KD", "AS"], ""),
        2,
        "the higher suit"
    );
}

#[test]
fn later_rounds_are_opened_by_the_highest_hand_showing() {
    for form in [HIGH, HIGH_LOW, EIGHT, FIVE] {
        assert_eq!(
            opener(form, 1, ["AC KD", "2S 2H", "QC JC"], ""),
            2,
            "{form}: a pair"
        );
        assert_eq!(
            opener(form, 1, ["KC 9D", "KS 9H", "AC 2C"], ""),
            3,
            "{form}: the ace is high"
        );
        assert_eq!(
            opener(form, 1, ["3C 2D", "KC 9D", "KS 9H"], ""),
            2,
            "{form}: dealer's left"
        );
        assert_eq!(
            opener(form, 2, ["AC KD QH", "4S 5S 6S", "2C 2D 3H"], ""),
            3,
            "{form}: no straight"
        );
        let three = ["AC AD KH KD", "2S 2H 2C 3D", "QC QD JC JD"];
        assert_eq!(opener(form, 3, three, ""), 2, "{form}: three of a kind");
    }
    // Cards that come later do not show yet, nor does an exposed seventh card.
    assert_eq!(opener(HIGH, 1, ["3C 2D 2H", "KC 9D 8H", "KS 7H AS"], ""), 2);
    let fifth_up = ["3C 4D 5H 6S AS", "KC 9D 8H 7S", "QC 9C 8C 7C"];
    assert_eq!(opener(HIGH, 4, fifth_up, ""), 2);
}

#[test]
fn mambo_is_opened_by_the_highest_up_card_or_the_one_that_pairs_the_board() {
    assert_eq!(
        opener(MAMBO, 1, ["KC", "KD", "2S"], ""),
        2,
        "the higher suit"
    );
    assert_eq!(opener(MAMBO, 2, ["KC", "KD", "2S"], "QH"), 1, "not by suit");
    assert_eq!(
        opener(MAMBO, 2, ["KC", "AD", "2S"], "2H"),
        3,
        "pairs the board"
    );
}
