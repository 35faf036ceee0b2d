//! Every hand of the deck, against the published numbers of hands.

use super::{frequencies, sets, strengths};
use crate::floor::Card;
use crate::hands::joker::LowStraight;
use crate::hands::{five, four, joker, shoe, three, wild};

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

/// Without joker, the numbers of five cards. With it, from the 41 sets of four ranks that lie inside a
/// straight (ten straights of five such sets, neighbours sharing one; five of the 41 make a royal
/// flush, eight hold an ace): royal flush 5 x 4, straight flush 36 x 4, straight 41 x 252, flush
/// (715 - 41) x 4, high card 495 x 256 - 33 x 256 - 462 x 4, pair of aces 220 x 256 - 8 x 256 - 212 x 4,
/// other pairs 12 x 6 x 55 x 16, full house 6 x 12 x 6 + 12 x 4 x 4, four aces 4 x 48, other fours 12.
#[test]
fn the_2_869_685_hands_with_a_joker_fall_into_their_published_classes() {
    use joker::Category::*;
    for low in [LowStraight::SecondHighest, LowStraight::Lowest] {
        assert_eq!(
            frequencies(sets(5, 53).map(|set| joker::rank_set(set, low))),
            [
                (FiveAces, 1),
                (RoyalFlush, 24),
                (StraightFlush, 180),
                (FourOfAKind, 828),
                (FullHouse, 4_368),
                (Flush, 7_804),
                (Straight, 20_532),
                (ThreeOfAKind, 63_360),
                (TwoPair, 138_600),
                (Pair, 1_215_024),
                (HighCard, 1_418_964),
            ]
        );
        // The 7,462 without joker and five aces: the joker always stands for a card of the deck.
        assert_eq!(
            strengths(sets(5, 53).map(|set| joker::rank_set(set, low))),
            7_463
        );
    }
}

/// The shares are the published ones: high card 16.1%, pair 41.7%, two pair 23.1%, three of a kind
/// 4.8%, straight 7.3%, flush 4.0%, full house 2.7%, four of a kind 0.2%. Five aces are C(48, 2).
#[test]
#[ignore = "154,143,080 hands take seconds: cargo test -- --ignored"]
fn the_154_143_080_seven_card_hands_with_a_joker_keep_their_numbers() {
    use joker::Category::*;
    assert_eq!(
        frequencies(sets(7, 53).map(|set| joker::rank_set(set, LowStraight::SecondHighest))),
        [
            (FiveAces, 1_128),
            (RoyalFlush, 26_132),
            (StraightFlush, 184_832),
            (FourOfAKind, 307_472),
            (FullHouse, 4_188_528),
            (Flush, 6_172_088),
            (Straight, 11_236_028),
            (ThreeOfAKind, 7_470_676),
            (TwoPair, 35_553_816),
            (Pair, 64_221_960),
            (HighCard, 24_780_420),
        ]
    );
}

/// DJ Wild, section 7.
#[test]
fn the_2_869_685_hands_with_deuces_and_joker_wild_fall_into_their_published_classes() {
    use wild::Category::*;
    assert_eq!(
        frequencies(sets(5, 53).map(|set| wild::rank_set(set, wild::DEUCES_AND_JOKER))),
        [
            (FiveWilds, 1),
            (RoyalFlush, 1_004),
            (FiveOfAKind, 1_400),
            (StraightFlush, 3_648),
            (FourOfAKind, 51_688),
            (FullHouse, 15_048),
            (Flush, 18_956),
            (Straight, 84_000),
            (ThreeOfAKind, 458_040),
            (TwoPair, 95_040),
            (Pair, 1_341_180),
            (HighCard, 799_680),
        ]
    );
}

#[test]
fn without_wild_cards_the_wild_ranking_is_the_standard_one() {
    for set in sets(5, 52).step_by(7) {
        let wild = wild::rank_set(set, crate::floor::CardSet::EMPTY).unwrap();
        let five = five::rank_set(set).unwrap();
        assert_eq!(format!("{wild:?}"), format!("{five:?}"));
    }
}

/// Every five cards that an endless shoe can deal: a rank held k times has C(k + 3, k) choices of suits.
#[test]
fn five_cards_of_a_shoe_fall_into_their_seventeen_classes() {
    use shoe::Category::*;
    let mut hands = Vec::new();
    let card = |index| Card::from_index(index).unwrap();
    for a in 0..52 {
        for b in 0..=a {
            for c in 0..=b {
                for d in 0..=c {
                    hands.extend((0..=d).map(|e| [a, b, c, d, e].map(card)));
                }
            }
        }
    }
    assert_eq!(hands.len(), 3_819_816);
    assert_eq!(
        frequencies(hands.iter().map(|cards| shoe::rank(cards))),
        [
            (FlushFiveOfAKind, 52),
            (RoyalFlush, 4),
            (FlushFourOfAKind, 4 * 13 * 12),
            (StraightFlush, 36),
            (FlushFullHouse, 4 * 13 * 12),
            (FiveOfAKind, 13 * 56 - 52),
            (FlushThreeOfAKind, 4 * 13 * 66),
            (FlushTwoPair, 4 * 78 * 11),
            (FlushPair, 4 * 13 * 220),
            (FourOfAKind, 13 * 35 * 12 * 4 - 624),
            (FullHouse, 13 * 20 * 12 * 10 - 624),
            (Flush, 5_108),
            (Straight, 10_200),
            (ThreeOfAKind, 13 * 20 * 66 * 16 - 3_432),
            (TwoPair, 78 * 100 * 11 * 4 - 3_432),
            (Pair, 13 * 10 * 220 * 64 - 11_440),
            (HighCard, 1_302_540),
        ]
    );
}
