//! Readings that the rulebook decides, hand by hand.

use super::cards;
use crate::floor::Card;
use crate::hands::joker::LowStraight::{self, Lowest, SecondHighest};
use crate::hands::{five, four, joker, shoe, three, two, wild};

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

fn joker_of(text: &str, low: LowStraight) -> joker::Hand {
    joker::rank(&cards(text), low).unwrap()
}

fn wild_of(text: &str) -> wild::Hand {
    wild::rank(&cards(text), wild::DEUCES_AND_JOKER).unwrap()
}

/// Pai gow poker, section 7.
#[test]
fn the_low_straight_is_second_or_last_as_the_option_says() {
    let [wheel, six, king, ace] = [
        "AS 2D 3C 4H 5S",
        "2D 3C 4H 5S 6S",
        "9S TS JS QS KD",
        "TS JS QS KD AS",
    ];
    let order = |low| [wheel, six, king, ace].map(|text| joker_of(text, low));
    let [wheel, six, king, ace] = order(SecondHighest);
    assert!(six < king && king < wheel && wheel < ace);
    let [wheel, six, king, ace] = order(Lowest);
    assert!(wheel < six && six < king && king < ace);

    let reading = |low| format!("{:?}", joker_of("5S 4D 3C 2H JK", low));
    assert_eq!(reading(SecondHighest), "Straight 5432A");
    assert_eq!(reading(Lowest), "Straight 65432");
    let reading = |low| format!("{:?}", joker_of("5S 4S 3S 2S JK", low));
    assert_eq!(reading(SecondHighest), "StraightFlush 5432A");
    assert_eq!(reading(Lowest), "StraightFlush 65432");
    let reading = |low| format!("{:?}", joker_of("6D 5S 4D 3C 2H AS KD", low));
    assert_eq!(reading(SecondHighest), "Straight 5432A");
    assert_eq!(reading(Lowest), "Straight 65432");
}

#[test]
fn the_joker_completes_or_is_an_ace_and_nothing_else() {
    let reading = |text| format!("{:?}", joker_of(text, SecondHighest));
    assert_eq!(reading("KS KD 9C 4H JK"), "Pair KKA94");
    assert_eq!(reading("KS KD KC 4H JK"), "ThreeOfAKind KKKA4");
    assert_eq!(reading("AS AD 9C 4H JK"), "ThreeOfAKind AAA94");
    assert_eq!(reading("AS AD AC AH JK"), "FiveAces AAAAA");
    assert_eq!(reading("AS KS QS JS JK"), "RoyalFlush AKQJT");
    assert_eq!(reading("AS KS 9S 4S JK"), "Flush AKQ94");
    assert_eq!(reading("9S 8D 7C 6H JK"), "Straight T9876");
    assert_eq!(reading("AS KS 9S 4S AD AH JK"), "FourOfAKind AAAAK");
    assert_eq!(joker::rank(&cards("AS KS 9S JK JK"), Lowest), None);

    let made = joker::best(&cards("2C JK 9S 8D 2D 7C 6H"), Lowest).unwrap();
    assert_eq!(made.cards[..], cards("JK 9S 8D 7C 6H"));
}

#[test]
fn the_joker_completes_three_cards_too() {
    let reading = |text: &str| {
        let three: [Card; 3] = cards(text).try_into().unwrap();
        joker::rank_three(&three).map(|hand| format!("{hand:?}"))
    };
    assert_eq!(reading("AS KS JK").as_deref(), Some("StraightFlush AKQ"));
    assert_eq!(reading("AS AD JK").as_deref(), Some("ThreeOfAKind AAA"));
    assert_eq!(reading("KS KD JK").as_deref(), Some("Pair KKA"));
    assert_eq!(reading("9S 7D JK").as_deref(), Some("Straight 987"));
    assert_eq!(reading("9S 4S JK").as_deref(), Some("Flush A94"));
    assert_eq!(reading("9S 4D JK").as_deref(), Some("HighCard A94"));
    assert_eq!(reading("9S JK JK"), None);
}

#[test]
fn two_cards_are_a_pair_or_not_and_the_joker_is_an_ace() {
    let rank = |text: &str| two::rank(&cards(text).try_into().unwrap());
    assert!(rank("2S 2D") > rank("AS KD"));
    assert_eq!(rank("JK AS"), rank("AD AC"));
    assert_eq!(format!("{:?}", rank("9S JK")), "HighCard A9");
    assert!(rank("9S 8D") > rank("9C 7C"));
}

/// DJ Wild, section 7.
#[test]
fn wild_cards_read_as_the_rulebook_reads_them() {
    let reading = |text| format!("{:?}", wild_of(text));
    assert_eq!(reading("2S 2D 2C 2H JK"), "FiveWilds AAAAA");
    assert_eq!(reading("2S 2D 2C 2H TS"), "RoyalFlush AKQJT");
    assert_eq!(reading("2S 2D 2C 2H 9S"), "FiveOfAKind 99999");
    assert_eq!(reading("3C 6C TC 5C JK"), "Flush AT653");
    assert_eq!(reading("AC KC 9C 5C JK"), "Flush AKQ95");
    assert_eq!(reading("KS KD 7C 7H JK"), "FullHouse KKK77");
    assert_eq!(reading("AS 3D 4C 5H 2S"), "Straight 5432A");
    assert_eq!(reading("3D 4C 5H 6S JK"), "Straight 76543");
    assert_eq!(reading("KC KC KD KH KS"), "FourOfAKind KKKKK");
    assert!(wild_of("TS JS QS KS JK") > wild_of("9S 9D 9C 9H JK"));
    assert!(wild_of("9S 9D 9C 9H JK") > wild_of("9S TS JS QS KS"));
}

/// DJ Wild, section 7, and 13.F of the rules.
#[test]
fn a_hand_is_natural_if_its_deuces_are_twos() {
    let natural = |text| wild::is_natural(&cards(text), wild::DEUCES_AND_JOKER);
    assert!(natural("2S 3D 4C 5H 6S"));
    assert!(natural("AS 2S 3D 4C 5H"));
    assert!(natural("2C 4C 6C 9C KC"));
    assert!(natural("KC KC KD KH KS"));
    assert!(!natural("2D 4C 6C 9C KC"));
    assert!(!natural("3D 4C 5H 6S JK"));
    assert!(!natural("2S 2D 2C 5H 9S"));
    assert!(!natural("2S 2D 2C 2C 2H"));
}

/// Fast action hold'em, section 7.
#[test]
fn a_suited_pair_of_a_shoe_beats_four_of_a_kind_and_a_plain_flush_does_not() {
    let reading = |text| shoe::rank(&cards(text)).unwrap();
    let descending = [
        "4S 4S 4S 4S 4S",
        "AS KS QS JS TS",
        "4S 4S 4S 4S AS",
        "KS QS JS TS 9S",
        "4S 4S 4S AS AS",
        "4S 4S 4S 4S 4D",
        "4S 4S 4S AS KS",
        "4S 4S 3S 3S 2S",
        "2S 2S 3S 4S 5S",
        "AS AD AC AH KS",
        "AS AD AC KS KS",
        "AS KS QS JS 9S",
        "AS KS QS JS TD",
    ];
    for pair in descending.windows(2) {
        assert!(reading(pair[0]) > reading(pair[1]), "{pair:?}");
    }
    assert_eq!(
        format!("{:?}", reading("AS AS 9S 7S 3S AD AC")),
        "FlushPair AA973"
    );
    let made = shoe::best(&cards("AD 3S AS AC AS 7S 9S")).unwrap();
    assert_eq!(made.cards[..], cards("AS AS 9S 7S 3S"));
}
