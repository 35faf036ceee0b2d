//! The fast evaluators against the naive ones, on cards dealt from one deck and from many.

use proptest::prelude::*;

use super::dealt;
use super::naive::{Read, best_of, read_five, read_four, read_three};
use crate::floor::Card;
use crate::hands::hand::{Category, Hand, Made};
use crate::hands::{five, four, three};

fn read<C: Category, const N: usize>(hand: Hand<C, N>) -> Read<C> {
    (hand.category(), hand.ranks().to_vec())
}

/// The hand is what the naive evaluator finds, the cards are among those given and make it.
fn check<C: Category, const N: usize>(
    cards: &[Card],
    hand: Option<Hand<C, N>>,
    made: Option<Made<C, N>>,
    naive: impl Fn(&[Card]) -> Read<C>,
) {
    let expected = best_of(cards, N, &naive);
    assert_eq!(read(hand.unwrap()), expected, "{cards:?}");
    let made = made.unwrap();
    assert_eq!(Some(made.hand), hand);
    assert_eq!(naive(&made.cards), expected, "{cards:?} {made:?}");
    assert_eq!(
        made.cards.map(|card| card.rank().unwrap()),
        made.hand.ranks()
    );
    let mut left = cards.to_vec();
    for card in made.cards {
        left.remove(left.iter().position(|&c| c == card).unwrap());
    }
}

fn check_all(cards: &[Card]) {
    match cards.len() {
        3 => check(cards, three::rank(cards), three::best(cards), read_three),
        4 => {
            check(cards, three::rank(cards), three::best(cards), read_three);
            check(cards, four::rank(cards), four::best(cards), read_four);
        }
        5 | 6 => {
            check(cards, four::rank(cards), four::best(cards), read_four);
            check(cards, five::rank(cards), five::best(cards), read_five);
        }
        _ => check(cards, five::rank(cards), five::best(cards), read_five),
    }
}

#[test]
fn hands_of_one_deck_are_what_plain_sorting_finds() {
    for size in 3..=7 {
        for cards in dealt(2_000, size, 52) {
            check_all(&cards);
            let set = cards.iter().copied().collect();
            assert_eq!(three::rank_set(set), three::rank(&cards));
            assert_eq!(four::rank_set(set), four::rank(&cards));
            assert_eq!(five::rank_set(set), five::rank(&cards));
        }
    }
}

/// Few identities, so that cards repeat and flushes and straights are frequent.
fn repeated_cards() -> impl Strategy<Value = Vec<Card>> {
    let card = prop_oneof![0_u8..52, 32_u8..52, Just(48), Just(44), Just(40), Just(0)];
    prop::collection::vec(
        card.prop_map(|index| Card::from_index(index).unwrap()),
        3..=7,
    )
}

proptest! {
    #[test]
    fn cards_that_lie_twice_rank_as_they_lie(cards in repeated_cards()) {
        check_all(&cards);
    }

    #[test]
    fn no_cards_whatever_make_an_evaluator_panic(
        indices in prop::collection::vec(0_u8..53, 0..40)
    ) {
        let cards: Vec<Card> = indices.iter().map(|&i| Card::from_index(i).unwrap()).collect();
        let set = cards.iter().copied().collect();
        let joker = cards.contains(&Card::JOKER);
        prop_assert_eq!(three::rank(&cards).is_some(), !joker && (3..=4).contains(&cards.len()));
        prop_assert_eq!(four::rank(&cards).is_some(), !joker && (4..=6).contains(&cards.len()));
        prop_assert_eq!(five::rank(&cards).is_some(), !joker && (5..=7).contains(&cards.len()));
        let _ = (three::rank_set(set), four::rank_set(set), five::rank_set(set));
        prop_assert_eq!(three::best(&cards).map(|made| made.hand), three::rank(&cards));
        prop_assert_eq!(four::best(&cards).map(|made| made.hand), four::rank(&cards));
        prop_assert_eq!(five::best(&cards).map(|made| made.hand), five::rank(&cards));
    }
}
