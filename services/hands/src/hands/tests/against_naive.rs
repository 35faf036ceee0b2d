//! The fast evaluators against the naive ones, on cards dealt from one deck and from many.

use proptest::prelude::*;

use super::dealt;
use super::naive::{
    Read, best_of, choices, read_five, read_four, read_joker, read_three, read_wild,
};
use crate::floor::Card;
use crate::hands::hand::{Category, Hand, Made};
use crate::hands::joker::LowStraight;
use crate::hands::{Board, five, four, joker, shoe, three, wild};

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
            let board: Board = cards.iter().copied().collect();
            assert_eq!(five::rank_board(board), five::rank(&cards));
        }
    }
}

fn check_joker(cards: &[Card], low: LowStraight) {
    let hand = joker::rank(cards, low).unwrap();
    let (category, _, ranks) = choices(cards, 5)
        .iter()
        .map(|five| read_joker(five, low))
        .max()
        .unwrap();
    assert_eq!(read(hand), (category, ranks), "{cards:?} {low:?}");
    let made = joker::best(cards, low).unwrap();
    assert_eq!(made.hand, hand);
    assert_eq!(joker::rank(&made.cards, low), Some(hand));
    for (card, rank) in made.cards.iter().zip(hand.ranks()) {
        assert!(card.rank().is_none_or(|own| own == rank), "{made:?}");
    }
}

#[test]
fn the_joker_does_what_the_best_card_in_its_place_would() {
    for size in 4..=6 {
        for mut cards in dealt(1_500, size, 52) {
            cards.insert(size / 2, Card::JOKER);
            for low in [LowStraight::SecondHighest, LowStraight::Lowest] {
                check_joker(&cards, low);
                let set = cards.iter().copied().collect();
                assert_eq!(joker::rank_set(set, low), joker::rank(&cards, low));
            }
        }
    }
}

/// Straights and flushes are frequent in a short deck: the aces, the low cards and a few more.
#[test]
fn low_straights_stand_where_the_option_puts_them() {
    for size in 5..=7 {
        for cards in dealt(1_500, size, 25) {
            let shift = |card: &Card| {
                let index = card.index();
                Card::from_index(if index < 4 { 48 + index } else { index - 4 }).unwrap()
            };
            let mut cards: Vec<Card> = cards.iter().map(shift).collect();
            if cards.len() == 7 && cards[0].index().is_multiple_of(2) {
                cards[3] = Card::JOKER;
            }
            for low in [LowStraight::SecondHighest, LowStraight::Lowest] {
                check_joker(&cards, low);
            }
        }
    }
}

#[test]
fn wild_cards_do_what_the_best_cards_in_their_place_would() {
    let wilds = wild::DEUCES_AND_JOKER;
    for cards in dealt(20_000, 5, 53) {
        let wild_cards = cards.iter().filter(|&&card| wilds.contains(card)).count();
        if wild_cards < 3 {
            let hand = wild::rank(&cards, wilds).unwrap();
            assert_eq!(read(hand), read_wild(&cards, wilds), "{cards:?}");
            assert_eq!(
                wild::rank_set(cards.iter().copied().collect(), wilds),
                Some(hand)
            );
        }
    }
}

#[test]
fn three_or_four_wild_cards_do_what_the_best_cards_in_their_place_would() {
    let wilds = wild::DEUCES_AND_JOKER;
    for other in dealt(60, 2, 48) {
        let natural = |card: Card| Card::from_index(card.index() + 4).unwrap();
        let [a, b] = [natural(other[0]), natural(other[1])];
        let [x, y] = [Card::JOKER, Card::from_index(0).unwrap()];
        for cards in [[a, x, b, y, y], [a, b, x, x, y]] {
            let hand = wild::rank(&cards, wilds).unwrap();
            assert_eq!(read(hand), read_wild(&cards, wilds), "{cards:?}");
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
    fn wild_cards_beside_cards_that_lie_twice_still_take_the_best_place(
        indices in prop::collection::vec(prop_oneof![0_u8..53, Just(52), Just(0), 40_u8..52], 5)
    ) {
        let cards: Vec<Card> = indices.iter().map(|&i| Card::from_index(i).unwrap()).collect();
        let wilds = wild::DEUCES_AND_JOKER;
        if cards.iter().filter(|&&card| wilds.contains(card)).count() < 3 {
            let hand = wild::rank(&cards, wilds).unwrap();
            prop_assert_eq!(read(hand), read_wild(&cards, wilds));
        }
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
        let jokers = cards.iter().filter(|card| card.is_joker()).count();
        for low in [LowStraight::SecondHighest, LowStraight::Lowest] {
            let hand = joker::rank(&cards, low);
            prop_assert_eq!(hand.is_some(), jokers < 2 && (5..=7).contains(&cards.len()));
            prop_assert_eq!(joker::best(&cards, low).map(|made| made.hand), hand);
            let _ = joker::rank_set(set, low);
        }
        let hand = shoe::rank(&cards);
        prop_assert_eq!(hand.is_some(), !joker && (5..=7).contains(&cards.len()));
        prop_assert_eq!(shoe::best(&cards).map(|made| made.hand), hand);
        let board: Board = cards.iter().copied().collect();
        let is_set = board == cards.iter().collect::<std::collections::BTreeSet<_>>().into_iter().copied().collect();
        prop_assert_eq!(five::rank_board(board), five::rank(&cards).filter(|_| is_set));
        let wilds = wild::DEUCES_AND_JOKER;
        prop_assert_eq!(wild::rank(&cards, wilds).is_some(), cards.len() == 5);
        let _ = (wild::rank_set(set, wilds), wild::is_natural(&cards, wilds));
        prop_assert_eq!(three::best(&cards).map(|made| made.hand), three::rank(&cards));
        prop_assert_eq!(four::best(&cards).map(|made| made.hand), four::rank(&cards));
        prop_assert_eq!(five::best(&cards).map(|made| made.hand), five::rank(&cards));
    }
}
