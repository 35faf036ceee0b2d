//! The exact mathematics of 53 cards.

use std::collections::BTreeMap;

use crate::Edition::OhJack2017;
use crate::exact::{Enumerate, House, for_each_hand, for_each_up_to_suits};
use crate::floor::{Card, CardSet};
use crate::games::dj_wild::{DjWild, WildRow, settle};
use crate::games::shared::stud::exact::rules;
use crate::games::shared::stud::pay_table::{PayTable, PostedOdds};
use crate::hands::five;
use crate::hands::wild::{self, Category, DEUCES_AND_JOKER};

/// Visits hands of five from 53 cards, each with the number of hands that it stands for.
fn with_joker(enumerate: Enumerate, mut visit: impl FnMut([Card; 5], i64)) {
    for naturals in [5, 4] {
        enumerate(naturals, &mut |cards, ways| {
            let mut hand = [Card::JOKER; 5];
            hand[..cards.len()].copy_from_slice(cards);
            visit(hand, ways as i64);
        });
    }
}

/// The class of a hand without wild cards.
fn with_wilds(plain: five::Category) -> Category {
    match plain {
        five::Category::HighCard => Category::HighCard,
        five::Category::Pair => Category::Pair,
        five::Category::TwoPair => Category::TwoPair,
        five::Category::ThreeOfAKind => Category::ThreeOfAKind,
        five::Category::Straight => Category::Straight,
        five::Category::Flush => Category::Flush,
        five::Category::FullHouse => Category::FullHouse,
        five::Category::FourOfAKind => Category::FourOfAKind,
        five::Category::StraightFlush => Category::StraightFlush,
        five::Category::RoyalFlush => Category::RoyalFlush,
    }
}

/// Published counts of the best class with joker and deuces wild, how many of each are natural, and
/// what trips return by the two columns.
#[test]
fn all_hands_are_as_frequent_as_published_and_trips_pay_by_their_column() {
    assert_frequencies(for_each_up_to_suits);
}

#[test]
#[ignore = "2,869,685 hands without regard to suits alike"]
fn all_hands_are_as_frequent_in_all_suits() {
    assert_frequencies(for_each_hand);
}

fn assert_frequencies(enumerate: Enumerate) {
    let rules = rules::<DjWild>(OhJack2017);
    let (mut best, mut natural, mut gain) = (BTreeMap::new(), BTreeMap::new(), 0_i64);
    with_joker(enumerate, |cards, ways| {
        let category = settle::best_hand(&cards).unwrap().category();
        *best.entry(category).or_insert(0_i64) += ways;
        let plain = five::rank(&cards).map(|hand| with_wilds(hand.category()));
        *natural.entry(category).or_insert(0_i64) += ways * i64::from(plain == Some(category));
        let odds = settle::trips_odds(&rules, &cards);
        gain += ways * odds.map_or(-1, |odds| i64::from(odds.win()));
    });
    let counts: Vec<i64> = best.values().rev().copied().collect();
    let published = [
        1, 1_004, 1_400, 3_648, 51_688, 15_048, 18_956, 84_000, 458_040, 95_040, 1_341_180, 799_680,
    ];
    assert_eq!(counts, published);
    assert_eq!(counts.iter().sum::<i64>(), 2_869_685);

    assert_eq!(
        natural[&Category::FiveWilds] + natural[&Category::FiveOfAKind],
        0
    );
    assert_eq!(natural[&Category::RoyalFlush], 4);
    // Nine tops in each suit, with A-2-3-4-5 and 2-3-4-5-6.
    assert_eq!(natural[&Category::StraightFlush], 36);
    // Of twelve ranks: a deuce beside them would make a better hand.
    assert_eq!(natural[&Category::FourOfAKind], 12 * 44);
    assert_eq!(natural[&Category::FullHouse], 12 * 4 * 11 * 6);
    assert_eq!(natural[&Category::ThreeOfAKind], 12 * 4 * 55 * 16);

    // From five wilds down to three of a kind: what a wild and a natural one win.
    let wild_odds = [2000, 90, 70, 25, 6, 5, 4, 3, 1];
    let natural_odds = [2000, 1000, 70, 200, 60, 30, 25, 20, 6];
    let classes = best
        .iter()
        .rev()
        .zip(wild_odds.into_iter().zip(natural_odds));
    let (mut won, mut winners) = (0, 0);
    for ((category, count), (wild, plain)) in classes {
        won += (count - natural[category]) * wild + natural[category] * plain;
        winners += count;
    }
    assert_eq!(gain, won - (2_869_685 - winners));
}

fn strength(hand: CardSet) -> u32 {
    wild::rank_set(hand, DEUCES_AND_JOKER).map_or(0, wild::Hand::strength)
}

/// Published: with the best play the house keeps about 3.5% of the ante.
#[test]
#[ignore = "each of 2,869,685 hands against 1,712,304"]
fn the_best_play_costs_the_published_house_edge_and_the_bad_beat_a_seventh() {
    let rules = rules::<DjWild>(OhJack2017);
    let deck = CardSet::DECK.union(DEUCES_AND_JOKER);
    let house = House::new(deck, 5, 5, strength);
    let (mut won, mut beaten, mut all) = (0, 0, 0);
    with_joker(for_each_up_to_suits, |cards, ways| {
        let hand = settle::best_hand(&cards).unwrap();
        let player = cards.into_iter().collect();
        let met = house.meets(CardSet::EMPTY, player, hand.strength(), 0);
        let row = WildRow::from(hand.category());
        let odds = |table: &PayTable<WildRow>| {
            let odds = table.odds(row, &PostedOdds::new());
            odds.map(|odds| i64::from(odds.win()))
        };
        // Ante, blind and a play wager of two antes.
        let blind = odds(&rules.blind).unwrap_or(0);
        let played = (3 + blind) * met.weaker - 4 * met.stronger;
        won += ways * played.max(-2 * met.all());
        all += ways * met.all();
        // The dealer's hand is beaten as often.
        let bad_beat = odds(&rules.bad_beat).map_or(0, |win| 1 + win);
        beaten += ways * 2 * met.stronger * bad_beat;
    });
    assert_eq!(all, 2_869_685 * 1_712_304);
    // In millionths of ante and stake, cut.
    let lost = [won, beaten - all].map(|won| -won / (all / 1_000_000));
    assert_eq!(lost, [34_673, 139_749]);
}
