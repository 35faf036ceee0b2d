//! The low rankings against exact counts over all hands, and what one hand does to another.

use crate::exact::{Enumerate, for_each_hand, for_each_up_to_suits};
use crate::floor::Card;
use crate::games::poker::contest::{best, strength};
use crate::games::poker::forms::{Family, Half};
use crate::games::poker::lows;

fn cards(text: &str) -> Vec<Card> {
    text.split_whitespace()
        .map(|card| card.parse().unwrap())
        .collect()
}

/// Counts over 2,598,960 hands: C(8,5) x 4^5 lows of eight or better; the best low in 4^5 hands, the
/// best deuce-to-seven hand in the same less its four flushes.
fn assert_lows(enumerate: Enumerate) {
    let wheel = lows::ace_to_five(&cards("5S 4D 3C 2H AS"));
    let number_one = lows::deuce_to_seven(&cards("7S 5D 4C 3H 2S"));
    let (mut qualified, mut wheels, mut number_ones, mut unpaired) = (0, 0, 0, 0);
    let pair_of_aces = lows::ace_to_five(&cards("AS AD 4C 3H 2S"));
    enumerate(5, &mut |hand, ways| {
        qualified += ways * u64::from(lows::eight_or_better(hand).is_some());
        let low = lows::ace_to_five(hand);
        wheels += ways * u64::from(low == wheel);
        unpaired += ways * u64::from(low > pair_of_aces);
        assert!(low <= wheel);
        let deuce = lows::deuce_to_seven(hand);
        number_ones += ways * u64::from(deuce == number_one);
        assert!(deuce <= number_one);
    });
    assert_eq!((qualified, wheels, number_ones), (57_344, 1_024, 1_020));
    // C(13,5) x 4^5 hands without a pair, all better than the best pair.
    assert_eq!(unpaired, 1_317_888);
}

#[test]
fn low_hands_are_as_many_as_combinatorics_says() {
    assert_lows(for_each_up_to_suits);
}

#[test]
#[ignore = "2,598,960 hands without regard to suits alike"]
fn low_hands_are_as_many_in_all_suits() {
    assert_lows(for_each_hand);
}

/// Over 270,725 hands of four cards: 13 x 12 x 11 x 10 four-card badugis; one-card hands are four of
/// a suit or four of a rank.
fn assert_badugis(enumerate: Enumerate) {
    let mut by_size = [0; 5];
    enumerate(4, &mut |hand, ways| {
        let best = best(Family::Draw, Half::Badugi, hand, &[]).unwrap();
        by_size[(best.strength >> 16) as usize] += ways;
    });
    assert_eq!(by_size[4], 13 * 12 * 11 * 10);
    assert_eq!(by_size[1], 4 * 715 + 13);
    assert_eq!(by_size.iter().sum::<u64>(), 270_725);
}

#[test]
fn badugis_are_as_many_as_combinatorics_says() {
    assert_badugis(for_each_up_to_suits);
}

#[test]
#[ignore = "270,725 hands without regard to suits alike"]
fn badugis_are_as_many_in_all_suits() {
    assert_badugis(for_each_hand);
}

/// C(6,3) x 4^3 of 22,100 three-card hands.
#[test]
fn six_or_better_lows_are_as_many_as_combinatorics_says() {
    let mut qualified = 0;
    for_each_hand(3, &mut |hand, _| {
        qualified += u32::from(lows::six_or_better(hand).is_some());
    });
    assert_eq!(qualified, 20 * 64);
}

#[test]
fn each_hand_beats_the_next() {
    let ladders: [(Half, &[&str]); 6] = [
        (
            Half::AceToFive,
            &[
                "5S 4S 3S 2S AS",
                "6S 4D 3C 2H AS",
                "7S 5D 4C 3H AS",
                "7S 5D 4C 3H 2S",
                "7S 6D 5C 4H 2S",
                "8S 4D 3C 2H AS",
                "KS QD JC TH 9S",
                "AS AD 4C 3H 2S",
                "AS AD KC QH JS",
                "2S 2D 4C 3H AS",
                "2S 2D AC AH 3S",
                "3S 3D 2C 2H AS",
                "AS AD AC 3H 2S",
                "AS AD AC 2H 2S",
                "AS AD AC AH 2S",
            ],
        ),
        (
            Half::DeuceToSeven,
            &[
                "7S 5D 4C 3H 2S",
                "7S 6D 4C 3H 2S",
                "8S 6D 5C 4H 2S",
                "KS QD JC TH 8S",
                "AS 5D 4C 3H 2S",
                "AS KD QC JH 9S",
                "2S 2D 5C 4H 3S",
                "AS AD 4C 3H 2S",
                "3S 3D 2C 2H 4S",
                "2S 2D 2C 4H 3S",
                "6C 5S 4D 3D 2C",
                "8H 5H 4H 3H 2H",
                "AH 5H 4H 3H 2H",
                "2S 2D 2C 3H 3S",
                "2S 2D 2C 2H 3S",
                "6H 5H 4H 3H 2H",
            ],
        ),
        (
            Half::Badugi,
            &[
                "4S 3D 2C AH",
                "5S 3D 2C AH",
                "KS QD JC TH",
                "3S 2D AC",
                "KS QD JC",
                "2S AD",
                "KS QD",
                "AS",
                "KS",
            ],
        ),
        (
            Half::BadugiAceHigh,
            &[
                "5S 4D 3C 2H",
                "KS 4D 3C 2H",
                "AS 4D 3C 2H",
                "4S 3D 2C",
                "2S",
                "AS",
            ],
        ),
        (
            Half::ThreeCardHigh,
            &[
                "AS KS QS", "3S 2S AS", "2S 2D 2C", "AS KD QC", "3S 2D AC", "AS KS JS",
            ],
        ),
        (
            Half::EightOrBetter,
            &["5S 4D 3C 2H AS", "8S 4D 3C 2H AS", "8S 7D 6C 5H 4S"],
        ),
    ];
    for (half, ladder) in ladders {
        let ranked: Vec<u32> = ladder
            .iter()
            .map(|hand| strength(half, &cards(hand)).unwrap_or_else(|| panic!("{half:?} {hand}")))
            .collect();
        assert!(
            ranked.is_sorted_by(|better, worse| better > worse),
            "{half:?}"
        );
    }
    for (half, hand) in [
        (Half::EightOrBetter, "9S 4D 3C 2H AS"),
        (Half::EightOrBetter, "8S 8D 3C 2H AS"),
        (Half::SixOrBetter, "7S 2D AC"),
        (Half::SixOrBetter, "2S 2D AC"),
        (Half::Badugi, "4S 4D 2C AH"),
        (Half::Badugi, "4S 3S 2C AH"),
    ] {
        assert_eq!(strength(half, &cards(hand)), None, "{half:?} {hand}");
    }
}

#[test]
fn a_badugi_of_five_cards_is_the_best_of_them() {
    let made = |half, hand| {
        best(Family::Draw, half, &cards(hand), &[])
            .unwrap()
            .strength
    };
    let exactly = |half, hand| strength(half, &cards(hand)).unwrap();
    assert_eq!(
        made(Half::Badugi, "9C 7D 3H AS KC"),
        exactly(Half::Badugi, "9C 7D 3H AS")
    );
    assert_eq!(
        made(Half::Badugi, "AS 2S 3D 4D KH"),
        exactly(Half::Badugi, "AS 3D KH")
    );
    assert_eq!(
        made(Half::BadugiAceHigh, "AS 2S 3D 4D KH"),
        exactly(Half::BadugiAceHigh, "2S 3D KH")
    );
}

#[test]
fn omaha_plays_exactly_two_own_cards() {
    let made = |half, own| {
        best(Family::Omaha, half, &cards(own), &cards("AH 8H 7H 2H KC")).map(|best| best.strength)
    };
    // One heart in the hand is no flush, and no low comes from one own card.
    assert_eq!(
        made(Half::High, "QH QC JD 9S"),
        Some(strength(Half::High, &cards("QH QC AH KC 8H")).unwrap())
    );
    assert_eq!(made(Half::EightOrBetter, "3C QC JD 9S"), None);
    assert!(made(Half::EightOrBetter, "3C 4C JD 9S").is_some());
}
