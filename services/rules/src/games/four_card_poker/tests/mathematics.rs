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

/// Each of the dealer's six cards can be the one that lies open.
const DEALS: i64 = FIVES * 10_737_573 * 6;

/// In millionths of the ante, cut.
fn lost(won: i64) -> i64 {
    -won / (DEALS / 1_000_000)
}

/// Three antes with a pair of tens or better, one with a pair of threes or better, as leaflets at the
/// table have it.
#[test]
#[ignore = "a hundred and fifty million hands of the dealer"]
fn the_leaflet_costs_340_hundredths_of_a_percent() {
    let rules = rules();
    let house = House::new(CardSet::DECK, 6, 5, strength);
    let [threes, tens] = ["3C 3D 4H 2S", "TC TD 3H 2S"].map(|hand| strength(set(hand)));
    let (mut won, mut deals) = (0, 0);
    for_each_up_to_suits(5, &mut |cards, ways| {
        let hand = four::rank(cards).unwrap();
        let own = hand.strength();
        let met = house.meets(CardSet::EMPTY, cards.iter().copied().collect(), own, 0);
        let by_leaflet = match own {
            _ if own >= tens => played(&rules, hand, 3, met),
            _ if own >= threes => played(&rules, hand, 1, met),
            _ => -met.all(),
        };
        won += 6 * ways as i64 * by_leaflet;
        deals += 6 * ways as i64 * met.all();
    });
    assert_eq!(deals, DEALS);
    assert_eq!(lost(won), 33_971);
}

#[test]
#[ignore = "each hand against each open card: minutes"]
fn the_best_play_by_the_open_card_costs_the_published_279_hundredths_of_a_percent() {
    let rules = rules();
    let house = House::new(CardSet::DECK, 6, 5, strength);
    let mut won = 0;
    for_each_up_to_suits(5, &mut |cards, ways| {
        let hand = four::rank(cards).unwrap();
        let player: CardSet = cards.iter().copied().collect();
        for open in CardSet::DECK.without(player).iter() {
            let met = house.meets([open].into_iter().collect(), player, hand.strength(), 0);
            let [one, three] = [1, 3].map(|antes| played(&rules, hand, antes, met));
            won += ways as i64 * one.max(three).max(-met.all());
        }
    });
    assert_eq!(lost(won), 27_878);
}
