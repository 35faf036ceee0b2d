//! The house way over all kinds of holdings, and what seven cards make.

use super::house_way::{house_way, lay_the_house_way};
use super::setting::Setting;
use super::seven::{FortuneProgressiveRow, FortuneRow, Rows, RoyalMatch, Seven};
use crate::exact::for_each_up_to_suits;
use crate::floor::{Card, CardSet};
use crate::hands::joker::{Category, LowStraight};
use crate::hands::two;

fn cards(text: &str) -> Vec<Card> {
    text.split_whitespace()
        .map(|card| card.parse().unwrap())
        .collect()
}

fn seven(text: &str) -> [Card; 7] {
    cards(text).try_into().unwrap()
}

/// The setting that is written as `"front / behind"`.
fn setting(text: &str) -> Setting {
    let (front, behind) = text.split_once('/').unwrap();
    Setting::of(&cards(front), &cards(behind), LowStraight::SecondHighest).unwrap()
}

#[test]
fn the_house_way_sets_every_kind_of_holding() {
    for due in [
        // L: five aces.
        "AS AH AD AC JK / KS KD",
        "AS AH JK QS QD / AD AC",
        "AS AH JK 9S 2D / AD AC",
        // K: four and three of a kind.
        "9S 9H 4S 4H 4D / 9D 9C",
        "4S 4H 4D 4C 9S / 9H 9D",
        // J: four of a kind with a pair.
        "9S 9H 9D 9C 5S / 2S 2D",
        "AS AH 5S 5D 9C / AD AC",
        "AS AH AD AC 9C / KS KD",
        "AS JK QS QD 9C / AH AD",
        // I: four of a kind.
        "6S 6H 6D 6C 2S / KS QD",
        "7S 7H KS QD 2S / 7D 7C",
        "7S 7H 7D 7C 2S / AS QD",
        "KS KH KD KC 2S / JK 3D",
        "AS AH QS JD 2S / AD AC",
        // I.iii, G: the joker makes the straight, two aces go behind.
        "AS JK QS JD TS / AH AD",
        // F: two sets of three.
        "4S 4H 4D QS 2C / QH QD",
        "4S 4H 4D AS 2C / AH JK",
        // H: full houses.
        "8S 8H 8D 3C 3S / 9S 9D",
        "8S 8H 8D KC QS / 9S 9D",
        "AS AH AD KC QS / 2S 2D",
        "8S 8H 8D 2C 2S / AS KD",
        "8S 8H 8D 2C 2S / JK KD",
        "8S 8H 8D 3C 4S / 2S 2D",
        // E, G.v: three aces.
        "AS AH QS 9D 4C / AD KS",
        "AS JK QS 9D 4C / AH KS",
        "AS AH 9S 8D 4C / AD QS",
        // E: another set.
        "8S 8H 8D 3C 2S / KS QD",
        // G: a set with a flush keeps the flush.
        "KH 8H 6H 4H 2H / 8S 8D",
        // D: three pair.
        "9S 9H 4S 4H 2C / QS QD",
        // C: two pair, by height.
        "6S 6H QD JC 9S / 4S 4H",
        "6S 6H 4S 4H 9D / KS JC",
        "8S 8H 4S 4H 9D / KS JC",
        "8S 8H QD JC 9D / 4S 4H",
        "QS QH 4S 4H 9D / AS JC",
        "QS QH KD JC 9D / 4S 4H",
        "9S 9H 7S 7H 2D / AS JC",
        "9S 9H KD JC 2D / 7S 7H",
        "QS QH AS JC 3D / 7S 7H",
        "QS QH AS 9C 3D / JS JH",
        "AS AH KS JC 9D / 2S 2H",
        "AS JK KS JC 9D / 2S 2H",
        // G.iii: two pair with a straight: only with a pair behind.
        "JK 9S 8S 7D 6C / 6S 6H",
        // B, G.ii: one pair.
        "QS QH 9D 4C 2S / AS JD",
        "9S 8H 7D 6C 5S / 5H KD",
        "AS JK 9D 5C 2S / QS JD",
        // A, G.i: no pair.
        "AS 9D 7C 5D 3H / KS JD",
        "JK 9D 7C 5D 3H / KS JD",
        // The straight that leaves the better low hand; of equal low hands the higher front.
        "7S 6H 5D 4C 3S / 9H 8D",
    ] {
        let (front, behind) = due.split_once('/').unwrap();
        let dealt = seven(&format!("{front} {behind}"));
        assert_eq!(
            house_way(&dealt, LowStraight::SecondHighest),
            setting(due),
            "{due}"
        );
    }
}

#[test]
fn three_aces_with_a_straight_take_the_better_low_hand() {
    // Broadway leaves a pair of aces behind; aces in front would leave ace-king.
    let broadway = seven("AS AH AD KC QS JD TH");
    assert_eq!(
        house_way(&broadway, LowStraight::SecondHighest),
        setting("AS KC QS JD TH / AH AD")
    );
    // A nine-high straight leaves ace and ace as well.
    let with_joker = seven("AS AH JK 9C 8S 7D 6H");
    assert_eq!(
        house_way(&with_joker, LowStraight::SecondHighest),
        setting("JK 9C 8S 7D 6H / AS AH")
    );
    // A flush that needs one of the aces leaves two; a pair of aces behind is best.
    let flush = seven("AS KS 9S 7S 2S AH AD");
    assert_eq!(
        house_way(&flush, LowStraight::SecondHighest),
        setting("AS KS 9S 7S 2S / AH AD")
    );
}

/// Every so many hands of seven from 53 cards, in the order of the deck.
fn sample(step: u64) -> impl Iterator<Item = [Card; 7]> {
    const HANDS: u64 = 154_143_080;
    let choose = |of: u64, take: u64| (0..take).fold(1, |ways, i| ways * (of - i) / (i + 1));
    (0..HANDS).step_by(step as usize).map(move |mut place| {
        // The place of a hand is a sum: the ways to take so many cards below each of its cards.
        let mut hand = [Card::JOKER; 7];
        for take in (1..=7).rev() {
            let below = |card: &u64| *card >= take && choose(*card, take) > place;
            let card = (0..=53).find(below).map_or(take - 1, |above| above - 1);
            place -= if card >= take { choose(card, take) } else { 0 };
            hand[take as usize - 1] = Card::from_index(card as u8).unwrap();
        }
        hand
    })
}

#[test]
fn the_sample_runs_through_all_hands_in_order() {
    let first: Vec<[Card; 7]> = sample(77_071_539).collect();
    let indices = |hand: &[Card; 7]| hand.map(|card| card.index());
    assert_eq!(first.len(), 3);
    assert_eq!(indices(&first[0]), [0, 1, 2, 3, 4, 5, 6]);
    assert_eq!(indices(&first[2]), [45, 47, 48, 49, 50, 51, 52]);
    assert!(first[1].is_sorted());
}

fn assert_house_way_is_sound(hand: &[Card; 7]) {
    for low_straight in [LowStraight::SecondHighest, LowStraight::Lowest] {
        let set = house_way(hand, low_straight);
        assert!(set.is_lawful(), "{hand:?} {set:?}");
        let set_of_hand: CardSet = hand.iter().copied().collect();
        let best = crate::hands::joker::rank_set(set_of_hand, low_straight).unwrap();
        assert!(set.high <= best, "{hand:?} {set:?}");
    }
}

#[test]
fn the_house_way_is_lawful_for_a_sample_of_all_hands() {
    for hand in sample(99_991) {
        assert_house_way_is_sound(&hand);
    }
}

#[test]
#[ignore = "one in forty of all 154,143,080 hands: minutes"]
fn the_house_way_is_lawful_for_a_large_sample_of_all_hands() {
    for hand in sample(41) {
        assert_house_way_is_sound(&hand);
    }
}

/// All hands of seven from 53 cards up to a change of suits, with the number of hands that each
/// stands for.
fn each_up_to_suits(mut visit: impl FnMut(&[Card; 7], u64)) {
    for naturals in [7, 6] {
        for_each_up_to_suits(naturals, &mut |cards, ways| {
            let mut hand = [Card::JOKER; 7];
            hand[..cards.len()].copy_from_slice(cards);
            visit(&hand, ways);
        });
    }
}

#[test]
#[ignore = "seven million hands in 21 ways each: a minute"]
fn the_154_143_080_hands_of_seven_fall_into_the_published_rows() {
    let mut counts = [0u64; 12];
    let mut progressive = [0u64; 7];
    each_up_to_suits(|hand, ways| {
        let seven = Seven::of(hand).unwrap();
        let row = FortuneRow::ALL
            .iter()
            .position(|row| row.is_made_by(&seven, RoyalMatch::KingQueen));
        counts[row.unwrap_or(11)] += ways;
        let row = FortuneProgressiveRow::best(&seven).map_or(6, |row| row as usize);
        progressive[row] += ways;
    });
    assert_eq!(counts.iter().sum::<u64>(), 154_143_080);
    assert_eq!(
        counts,
        [
            32,
            72,
            196,
            1_128,
            26_020,
            184_644,
            307_472,
            4_188_528,
            6_172_088,
            7_672_500,
            11_034_204,
            124_556_196
        ]
    );
    // The progressive has one row for both straight flushes of seven, and none for the match.
    assert_eq!(
        progressive,
        [228, 1_128, 26_092, 184_644, 307_472, 4_188_528, 149_434_988]
    );
}

#[test]
fn the_rare_rows_are_as_many_as_combinatorics_says() {
    // Eight sequences of seven in four suits; six of them with the joker, of which those that
    // miss an end are shared by two sequences.
    let straight_flushes = |joker: bool| {
        let mut hands: std::collections::BTreeSet<Vec<u8>> = Default::default();
        for suit in 0..4u8 {
            for lowest in 0..8u8 {
                let ranks = (lowest..lowest + 7).map(|place| (place + 12) % 13);
                let run: Vec<u8> = ranks.map(|rank| rank * 4 + suit).collect();
                let without = |missing: usize| {
                    let mut hand = run.clone();
                    hand[missing] = Card::JOKER.index();
                    hand.sort_unstable();
                    hand
                };
                match joker {
                    true => hands.extend((0..7).map(without)),
                    false => {
                        let mut hand = run.clone();
                        hand.sort_unstable();
                        hands.insert(hand);
                    }
                }
            }
        }
        hands
    };
    for (joker, count, row) in [
        (false, 32, FortuneRow::SevenCardStraightFlush),
        (true, 196, FortuneRow::SevenCardStraightFlushJoker),
    ] {
        let hands = straight_flushes(joker);
        assert_eq!(hands.len(), count);
        for hand in hands {
            let hand: Vec<Card> = hand.iter().map(|&i| Card::from_index(i).unwrap()).collect();
            let seven = Seven::of(&hand).unwrap();
            assert!(row.is_made_by(&seven, RoyalMatch::KingQueen), "{hand:?}");
            let best = FortuneProgressiveRow::best(&seven);
            assert_eq!(best, Some(FortuneProgressiveRow::SevenCardStraightFlush));
        }
    }
    // Five aces: any two of the other 48 cards.
    let mut aces = 0;
    let others: Vec<Card> = Card::deck().take(48).collect();
    for (at, &one) in others.iter().enumerate() {
        for &other in &others[at + 1..] {
            let mut hand = cards("AS AH AD AC JK");
            hand.extend([one, other]);
            let seven = Seven::of(&hand).unwrap();
            aces += u32::from(FortuneRow::FiveAces.is_made_by(&seven, RoyalMatch::KingQueen));
        }
    }
    assert_eq!(aces, 1_128);
}

#[test]
fn a_setting_is_lawful_if_the_front_ranks_at_least_as_high() {
    for (laid, lawful) in [
        ("AS KH 9D 5C 2S / AD KC", true),
        ("AS QH 9D 5C 2S / AD KC", false),
        ("KS QH 9D 5C 2S / AD 3C", false),
        ("JK QH 9D 5C 2S / AD QC", true),
        ("7S 7H 9D 5C 2S / 7D 7C", true),
        ("7S 7H 9D 5C 2S / 8D 8C", false),
        ("3S 3H 2D 2C 9S / KD KC", true),
        ("AS KH 9D 5C 2S / 2D 2C", false),
        ("9S 8H 7D 6C 5S / AD JK", true),
    ] {
        assert_eq!(setting(laid).is_lawful(), lawful, "{laid}");
    }
    assert!(
        Setting::of(
            &cards("9S 8H 7D 6C"),
            &cards("AD JK 5S"),
            LowStraight::SecondHighest
        )
        .is_none()
    );
}

#[test]
fn nine_high_is_a_nine_without_a_pair() {
    for (laid, tiger) in [
        ("KS QH JD 5C 3S / 9D 2C", true),
        ("KS QH JD 5C 3S / 9D 8C", true),
        ("KS QH JD 5C 3S / TD 9C", false),
        ("KS KH JD 5C 3S / 9D 9C", false),
        ("KS KH QD 5C 3S / JK 9C", false),
        ("KS KH QD 5C 3S / 8D 7C", false),
    ] {
        assert_eq!(setting(laid).is_nine_high_behind(), tiger, "{laid}");
    }
    let set = setting("KS KH QD 5C 3S / JK 9C");
    assert_eq!(set.low.category(), two::Category::HighCard);
    assert_eq!(set.high.category(), Category::Pair);
}

#[test]
fn cards_that_no_deck_deals_are_not_laid() {
    for dealt in ["JK JK AS AH AD AC 2S", "AS AS AH AD AC 2S 3D"] {
        assert_eq!(
            lay_the_house_way(&seven(dealt), LowStraight::SecondHighest),
            None
        );
    }
    assert!(lay_the_house_way(&seven("JK KS AS AH AD AC 2S"), LowStraight::Lowest).is_some());
}
