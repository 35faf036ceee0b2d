//! Every hand of the deck, against the published numbers of hands.

use super::{frequencies, sets, strengths};
use crate::hands::{five, four, three};

#[test]
fn the_22_100_three_card_hands_fall_into_their_published_classes() {
    use three::Category::*;
    assert_eq!(
        frequencies(sets(3, 52).map(three::rank_set)),
        [
            (StraightFlush, 48),
            (ThreeOfAKind, 52),
            (Straight, 720),
            (Flush, 1_096),
            (Pair, 3_744),
            (HighCard, 16_440),
        ]
    );
    let mini_royals = sets(3, 52).filter(|&set| three::rank_set(set).unwrap().is_mini_royal());
    assert_eq!(mini_royals.count(), 4);
    // 12 straights twice, 13 threes, 13 x 12 pairs, 286 - 12 high cards twice.
    assert_eq!(strengths(sets(3, 52).map(three::rank_set)), 741);
}

#[test]
fn the_270_725_four_card_hands_fall_into_their_published_classes() {
    use four::Category::*;
    assert_eq!(
        frequencies(sets(4, 52).map(four::rank_set)),
        [
            (FourOfAKind, 13),
            (StraightFlush, 44),
            (ThreeOfAKind, 2_496),
            (Flush, 2_816),
            (Straight, 2_772),
            (TwoPair, 2_808),
            (Pair, 82_368),
            (HighCard, 177_408),
        ]
    );
}

/// Four card poker and crazy four poker, section 7.
#[test]
fn the_best_four_of_five_fall_into_their_published_classes() {
    use four::Category::*;
    let hands = || sets(5, 52).map(four::rank_set);
    assert_eq!(
        frequencies(hands()),
        [
            (FourOfAKind, 624),
            (StraightFlush, 2_072),
            (ThreeOfAKind, 58_656),
            (Flush, 114_616),
            (Straight, 101_808),
            (TwoPair, 123_552),
            (Pair, 1_047_552),
            (HighCard, 1_150_080),
        ]
    );
    let pairs_from = |lowest| {
        hands()
            .map(Option::unwrap)
            .filter(|hand| hand.category() == Pair && hand.ranks()[0] >= lowest)
            .count()
    };
    assert_eq!(pairs_from(crate::floor::Rank::Ace), 81_096);
    assert_eq!(pairs_from(crate::floor::Rank::Queen), 242_916);
}

#[test]
fn the_2_598_960_five_card_hands_fall_into_their_published_classes() {
    use five::Category::*;
    assert_eq!(
        frequencies(sets(5, 52).map(five::rank_set)),
        [
            (RoyalFlush, 4),
            (StraightFlush, 36),
            (FourOfAKind, 624),
            (FullHouse, 3_744),
            (Flush, 5_108),
            (Straight, 10_200),
            (ThreeOfAKind, 54_912),
            (TwoPair, 123_552),
            (Pair, 1_098_240),
            (HighCard, 1_302_540),
        ]
    );
    assert_eq!(strengths(sets(5, 52).map(five::rank_set)), 7_462);
}

#[test]
fn the_20_358_520_six_card_hands_fall_into_their_published_classes() {
    use five::Category::*;
    assert_eq!(
        frequencies(sets(6, 52).map(five::rank_set)),
        [
            (RoyalFlush, 188),
            (StraightFlush, 1_656),
            (FourOfAKind, 14_664),
            (FullHouse, 165_984),
            (Flush, 205_792),
            (Straight, 361_620),
            (ThreeOfAKind, 732_160),
            (TwoPair, 2_532_816),
            (Pair, 9_730_740),
            (HighCard, 6_612_900),
        ]
    );
}

#[test]
#[ignore = "133,784,560 hands take seconds: cargo test -- --ignored"]
fn the_133_784_560_seven_card_hands_fall_into_their_published_classes() {
    use five::Category::*;
    assert_eq!(
        frequencies(sets(7, 52).map(five::rank_set)),
        [
            (RoyalFlush, 4_324),
            (StraightFlush, 37_260),
            (FourOfAKind, 224_848),
            (FullHouse, 3_473_184),
            (Flush, 4_047_644),
            (Straight, 6_180_020),
            (ThreeOfAKind, 6_461_620),
            (TwoPair, 31_433_400),
            (Pair, 58_627_800),
            (HighCard, 23_294_460),
        ]
    );
    assert_eq!(strengths(sets(7, 52).map(five::rank_set)), 4_824);
}
