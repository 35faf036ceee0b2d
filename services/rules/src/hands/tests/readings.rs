//! Readings that the rulebook decides, hand by hand.

use super::cards;
use crate::floor::Card;
use crate::hands::{five, four, three};

fn five_of(text: &str) -> five::Hand {
    five::rank(&cards(text)).unwrap()
}

fn four_of(text: &str) -> four::Hand {
    four::rank(&cards(text)).unwrap()
}

fn three_of(text: &str) -> three::Hand {
    three::rank(&cards(text)).unwrap()
}

#[test]
fn the_ace_is_low_only_at_the_bottom_of_a_straight() {
    assert_eq!(format!("{:?}", five_of("AS 2D 3C 4H 5S")), "Straight 5432A");
    assert_eq!(format!("{:?}", four_of("AS 2D 3C 4H")), "Straight 432A");
    assert_eq!(format!("{:?}", three_of("AS 2D 3C")), "Straight 32A");
    assert_eq!(
        five_of("QS KD AC 2H 3S").category(),
        five::Category::HighCard
    );
    assert_eq!(four_of("KD AC 2H 3S").category(), four::Category::HighCard);
    assert_eq!(three_of("KD AC 2H").category(), three::Category::HighCard);
    assert!(five_of("AS 2D 3C 4H 5S") < five_of("2D 3C 4H 5S 6S"));
    assert!(four_of("AS KD QC JH") > four_of("KD QC JH TS"));
}

#[test]
fn suits_do_not_break_ties() {
    assert_eq!(five_of("AS AD KC 7H 2S"), five_of("AC AH KD 7S 2D"));
    assert!(five_of("AS AD KC 7H 3S") > five_of("AC AH KD 7S 2D"));
    assert_eq!(three_of("AS KS QS"), three_of("AH KH QH"));
}

#[test]
fn the_idle_cards_of_a_four_card_hand_never_count() {
    assert_eq!(four_of("9S 9D 4C 4H AS"), four_of("9C 9H 4S 4D 2S"));
    assert_eq!(
        format!("{:?}", four_of("9S 9D 9C 4H 4S")),
        "ThreeOfAKind 9994"
    );
    assert_eq!(format!("{:?}", four_of("9S 8D 7C 6H 5S")), "Straight 9876");
}

/// Section 7 of the rulebook's pages; the hands of their worked examples.
#[test]
fn a_card_that_lies_twice_makes_the_higher_of_two_things() {
    assert_eq!(format!("{:?}", four_of("AS AS 8S 5S 3D")), "Flush AA85");
    assert_eq!(format!("{:?}", four_of("9D 9D KD 2D 4C")), "Flush K992");
    assert_eq!(format!("{:?}", three_of("7H 7H 7H")), "ThreeOfAKind 777");
    assert_eq!(format!("{:?}", three_of("7H 7H 9H")), "Flush 977");
    assert_eq!(
        format!("{:?}", five_of("5S 5H 5S 5D 5C")),
        "FourOfAKind 55555"
    );
    assert_eq!(
        format!("{:?}", five_of("5S 5S 5S 7S 7S")),
        "FullHouse 55577"
    );
    assert_eq!(format!("{:?}", five_of("5S 5S 5S 7S 8S")), "Flush 87555");
    assert_eq!(
        format!("{:?}", five_of("AD AD QC QD QD 5D 3S")),
        "FullHouse QQQAA"
    );
}

#[test]
fn the_making_cards_are_the_first_that_do_and_lie_in_reading_order() {
    let made = five::best(&cards("5C KS AD 4H 3D 2S KH")).unwrap();
    assert_eq!(made.cards[..], cards("5C 4H 3D 2S AD"));
    let made = five::best(&cards("2C 2D 3C 3D AS AH KS")).unwrap();
    assert_eq!(made.cards[..], cards("AS AH 3C 3D KS"));
    let made = four::best(&cards("2C 9D 9C 2D 9S 9H")).unwrap();
    assert_eq!(made.cards[..], cards("9D 9C 9S 9H"));
}

#[test]
fn a_joker_or_a_wrong_number_of_cards_is_no_hand() {
    assert_eq!(five::rank(&cards("AS KS QS JS JK")), None);
    assert_eq!(four::rank(&cards("AS KS QS JK")), None);
    assert_eq!(three::best(&cards("AS KS JK")), None);
    assert_eq!(five::rank(&[]), None);
    assert_eq!(five::rank(&[Card::JOKER; 5]), None);
    assert_eq!(five::rank_set(crate::floor::CardSet::DECK), None);
}
