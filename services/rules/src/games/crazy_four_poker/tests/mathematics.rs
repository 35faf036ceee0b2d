//! The exact mathematics of five cards against five.

use crate::Edition::OhJack2017;
use crate::Game;
use crate::book::Book;
use crate::exact::{FIVES, House, Met, for_each_set, for_each_up_to_suits};
use crate::floor::{Card, CardSet};
use crate::games::crazy_four_poker::settle::{is_aces_or_better, qualifies};
use crate::games::crazy_four_poker::{CrazyFourPoker, Rules};
use crate::hands::four;

fn rules() -> Rules {
    let book = Book::read(CrazyFourPoker::BOOK).unwrap();
    CrazyFourPoker::rules(&book.edition(OhJack2017)).unwrap()
}

#[test]
fn queens_up_and_the_dealers_king_high_have_their_exact_frequencies() {
    let queens_up = rules().queens_up;
    let (mut won, mut wins, mut qualified) = (0i64, 0i64, 0);
    for_each_set(5, &mut |set| {
        let hand = four::rank_set(set).unwrap();
        qualified += i32::from(qualifies(hand));
        match queens_up.pays(hand) {
            Some(odds) => (won, wins) = (won + i64::from(odds.win()), wins + 1),
            None => won -= 1,
        }
    });
    // 401,328 hands above a pair and 242,916 pairs of queens, kings or aces.
    assert_eq!(wins, 401_328 + 242_916);
    assert_eq!(qualified, 2_202_480);
    // 50 x 624 + 30 x 2,072 + 8 x 58,656 + 4 x 114,616 + 3 x 101,808 + 2 x 123,552 + 242,916, less
    // the 1,954,716 hands that lose: 5.32% of the stake.
    assert_eq!(won, -138_200);
}

fn strength(hand: CardSet) -> u32 {
    four::rank_set(hand).map_or(0, four::Hand::strength)
}

fn set(cards: &str) -> CardSet {
    let cards = cards.split_whitespace();
    cards.map(|card| card.parse::<Card>().unwrap()).collect()
}

/// What ante, super bonus and a play wager of so many antes bring in all, in halves of the ante.
fn played(rules: &Rules, hand: four::Hand, antes: i64, met: Met) -> i64 {
    let super_bonus = match rules.super_bonus.pays(hand) {
        Some(odds) => met.all() * 2 * i64::from(odds.win()) / i64::from(odds.stake()),
        None => -2 * met.stronger,
    };
    2 * antes * met.unqualified + 2 * (1 + antes) * (met.weaker - met.stronger) + super_bonus
}

/// Both are lost.
fn folded(met: Met) -> i64 {
    -4 * met.all()
}

/// A dealer with less than this does not qualify.
fn king_high() -> u32 {
    strength(set("KS 4H 3D 2C"))
}

/// Published: play with K-Q-8-4 or better, three antes with a pair of aces or better.
#[test]
fn king_queen_eight_four_is_the_weakest_hand_that_is_played() {
    let rules = rules();
    for (cards, is_played) in [("KS QH 8D 4C 2S", true), ("KS QH 8D 3C 2S", false)] {
        let player = set(cards);
        let hand = four::rank_set(player).unwrap();
        let mut met = Met::default();
        for_each_set(5, &mut |dealer| {
            if dealer.without(player) == dealer {
                let dealer = four::rank_set(dealer).unwrap();
                met.add(dealer.strength(), hand.strength(), king_high());
            }
        });
        assert_eq!(met.all(), 1_533_939);
        assert_eq!(
            played(&rules, hand, 1, met) > folded(met),
            is_played,
            "{cards}"
        );
    }
}

#[test]
#[ignore = "twelve million hands of the dealer, and each hand of the player against them"]
fn the_published_strategy_costs_the_published_342_hundredths_of_a_percent() {
    let rules = rules();
    let house = House::new(CardSet::DECK, 5, 5, strength);
    let weakest_to_play = strength(set("KS QH 8D 4C"));
    let (mut by_rule, mut best, mut all) = (0, 0, 0);
    for_each_up_to_suits(5, &mut |cards, ways| {
        let hand = four::rank(cards).unwrap();
        let player = cards.iter().copied().collect();
        let met = house.meets(CardSet::EMPTY, player, hand.strength(), king_high());
        let most = if is_aces_or_better(hand) { 3 } else { 1 };
        let (play, fold) = (played(&rules, hand, most, met), folded(met));
        // Who may play more does better with more.
        assert!(
            most == 1 || play > played(&rules, hand, 1, met),
            "{cards:?}"
        );
        let by_strength = if hand.strength() >= weakest_to_play {
            play
        } else {
            fold
        };
        let ways = ways as i64;
        by_rule += ways * by_strength;
        best += ways * play.max(fold);
        all += ways * met.all();
    });
    assert_eq!(all, FIVES * 1_533_939);
    // In millionths of the ante, cut; the best play looks at idle cards and suits too.
    let lost = [by_rule, best].map(|won| -won * 500_000 / all);
    assert_eq!(lost, [34_189, 34_188]);
}
