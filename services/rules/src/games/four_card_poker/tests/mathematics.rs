//! The exact mathematics of five cards against six.

use crate::Edition::OhJack2017;
use crate::Game;
use crate::book::Book;
use crate::exact::{FIVES, House, Met, for_each_set, for_each_up_to_suits};
use crate::floor::{Card, CardSet};
use crate::games::four_card_poker::{FourCardPoker, Rules};
use crate::hands::four;

fn rules() -> Rules {
    let book = Book::read(FourCardPoker::BOOK).unwrap();
    FourCardPoker::rules(&book.edition(OhJack2017)).unwrap()
}

#[test]
fn aces_up_has_its_published_house_edge() {
    let aces_up = rules().aces_up;
    let (mut hands, mut won, mut wins) = (0i64, 0i64, 0i64);
    for_each_set(5, &mut |set| {
        hands += 1;
        match aces_up.pays(four::rank_set(set).unwrap()) {
            Some(odds) => (won, wins) = (won + i64::from(odds.win()), wins + 1),
            None => won -= 1,
        }
    });
    assert_eq!(hands, 2_598_960);
    // 624 + 2,072 + 58,656 + 114,616 + 101,808 + 123,552 hands and 81,096 pairs of aces.
    assert_eq!(wins, 482_424);
    // 3.89% of the stake.
    assert_eq!(won, -101_144);
    assert_eq!(-won * 10_000 / hands, 389);
}

fn strength(hand: CardSet) -> u32 {
    four::rank_set(hand).map_or(0, four::Hand::strength)
}

fn set(cards: &str) -> CardSet {
    let cards = cards.split_whitespace();
    cards.map(|card| card.parse::<Card>().unwrap()).collect()
}

/// What the ante, its bonus and a play wager of so many antes bring in all. Equal hands win.
fn played(rules: &Rules, hand: four::Hand, antes: i64, met: Met) -> i64 {
    let bonus = rules
        .ante_bonus
        .pays(hand)
        .map_or(0, |odds| i64::from(odds.win()));
    (1 + antes) * (met.weaker + met.equal - met.stronger) + bonus * met.all()
}

#[test]
#[ignore = "a hundred and fifty million hands of the dealer"]
fn the_leaflet_costs_more_than_the_published_best_play() {
    let rules = rules();
    let house = House::new(CardSet::DECK, 6, 5, strength);
    // Three antes with a pair of tens or better, one with a pair of threes or better.
    let [threes, tens] = ["3C 3D 4H 2S", "TC TD 3H 2S"].map(|hand| strength(set(hand)));
    let (mut by_leaflet, mut best, mut all) = (0, 0, 0);
    for_each_up_to_suits(5, &mut |cards, ways| {
        let hand = four::rank(cards).unwrap();
        let player: CardSet = cards.iter().copied().collect();
        let (own, ways) = (hand.strength(), ways as i64);
        let met = house.meets(CardSet::EMPTY, player, own, 0);
        by_leaflet += ways
            * match own {
                own if own >= tens => played(&rules, hand, 3, met),
                own if own >= threes => played(&rules, hand, 1, met),
                _ => -met.all(),
            };
        all += ways * met.all();
        for up in CardSet::DECK.without(player).iter() {
            let met = house.meets(CardSet::from_iter([up]), player, own, 0);
            let [one, three] = [1, 3].map(|antes| played(&rules, hand, antes, met));
            best += ways * one.max(three).max(-met.all());
        }
    });
    // Each of the dealer's six cards can be the one that lies open.
    assert_eq!(all, FIVES * 10_737_573);
    assert_eq!(
        [by_leaflet * 6, best].map(|won| -won / (6 * all / 1_000_000)),
        [0, 0]
    );
}
