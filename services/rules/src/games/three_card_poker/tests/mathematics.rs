//! The exact mathematics of a full deck: 22,100 hands of three cards, 20,358,520 of six.

use std::collections::BTreeMap;

use crate::book::{Book, Pay};
use crate::exact::{House, THREES, for_each_up_to_suits};
use crate::floor::{Card, CardSet, Odds};
use crate::games::three_card_poker::hands::{Row, qualifies, row_of};
use crate::games::three_card_poker::{
    AnteBonus, ProgressiveTable, Rules, SixCardTable, ThreeCardPoker,
};
use crate::hands::{five, three};
use crate::{Edition, Game};

fn rules(edition: Edition) -> Rules {
    let book = Book::read(ThreeCardPoker::BOOK).unwrap();
    ThreeCardPoker::rules(&book.edition(edition)).unwrap()
}

fn three_card_hands() -> Vec<[Card; 3]> {
    let deck: Vec<Card> = Card::deck().collect();
    let mut hands = Vec::new();
    for (a, &first) in deck.iter().enumerate() {
        for (b, &second) in deck.iter().enumerate().skip(a + 1) {
            hands.extend(deck[b + 1..].iter().map(|&third| [first, second, third]));
        }
    }
    hands
}

/// Units won on a unit staked, at whole odds.
fn units(odds: Odds) -> i64 {
    assert_eq!(odds.stake(), 1);
    i64::from(odds.win())
}

#[test]
fn the_minimum_pair_plus_tables_have_their_house_edges() {
    let hands = three_card_hands();
    assert_eq!(hands.len(), 22_100);
    // 35-35-25-5-3-1 costs 12.80% of the stake, 40-30-6-3-1 the published 7.28%.
    for (edition, lost) in [
        (Edition::Mgc2017, 2_828),
        (Edition::MgcAmended, 2_828),
        (Edition::OhJack2017, 1_608),
    ] {
        let floor = rules(edition).pair_plus_floor;
        let row = |hand: &[Card; 3]| row_of(three::rank(hand)?).and_then(|row| floor.row(row));
        let won: i64 = hands.iter().map(|hand| row(hand).map_or(-1, units)).sum();
        assert_eq!(won, -lost, "{edition}");
    }
}

#[test]
fn the_ante_bonus_tables_are_worth_what_their_rows_add_up_to() {
    let rules = rules(Edition::Mgc2017);
    // One mini royal in spades, three others, 44 straight flushes, 52 threes of a kind, 720
    // straights: 5.3%, 5.1%, 3.9% and 1.9% of the antes that stay in with every hand.
    for (table, worth) in [
        (AnteBonus::Standard, 48 * 5 + 52 * 4 + 720),
        (AnteBonus::A, 50 + 3 * 5 + 44 * 4 + 52 * 3 + 720),
        (AnteBonus::B, 4 * 50 + 44 * 8 + 52 * 6),
        (AnteBonus::C, 50 + 3 * 10 + 44 * 4 + 52 * 3),
    ] {
        let table = &rules.ante_bonus[&table];
        let hands = three_card_hands();
        let paid: i64 = hands
            .iter()
            .filter_map(|hand| table.pays(hand))
            .map(units)
            .sum();
        assert_eq!(paid, worth);
    }
}

#[test]
fn the_six_card_tables_have_their_published_house_edges() {
    // How often each class is the best five of six; the evaluator's own tests enumerate them.
    let ways = [
        (five::Category::RoyalFlush, 188),
        (five::Category::StraightFlush, 1_656),
        (five::Category::FourOfAKind, 14_664),
        (five::Category::FullHouse, 165_984),
        (five::Category::Flush, 205_792),
        (five::Category::Straight, 361_620),
        (five::Category::ThreeOfAKind, 732_160),
    ];
    const ALL: i64 = 20_358_520;
    let amended = rules(Edition::MgcAmended);
    let ohio = rules(Edition::OhJack2017);
    // 10.22%, 15.28%, 6.74%, 8.56% and 15.28%, in hundredths of a percent.
    for (table, edge) in [
        (&amended.six_card[&SixCardTable::Tcp6B1], 1_022),
        (&amended.six_card[&SixCardTable::Tcp6B2], 1_527),
        (&amended.six_card[&SixCardTable::Tcp6B3], 674),
        (&amended.six_card[&SixCardTable::Tcp6B4], 856),
        (&ohio.six_card[&SixCardTable::Standard], 1_527),
    ] {
        let returned: i64 = ways
            .iter()
            .map(|&(category, ways)| ways * (1 + units(table.row(category).unwrap())))
            .sum();
        assert_eq!((ALL - returned) * 10_000 / ALL, edge);
    }
}

#[test]
fn three_hands_in_ten_do_not_qualify() {
    let hands = three_card_hands();
    let below = hands
        .iter()
        .filter(|hand| !qualifies(three::rank(*hand).unwrap()))
        .count();
    // 112 sets of three ranks up to the jack without a straight, in 60 mixtures of suits.
    assert_eq!(below, 6_720);
}

fn strength(hand: CardSet) -> u32 {
    three::rank_set(hand).map_or(0, three::Hand::strength)
}

fn strength_of(hand: [&str; 3]) -> u32 {
    strength(
        hand.map(|card| card.parse::<Card>().unwrap())
            .into_iter()
            .collect(),
    )
}

/// A dealer with less than this does not qualify.
fn queen_high() -> u32 {
    strength_of(["QS", "3H", "2D"])
}

#[test]
fn playing_on_queen_six_four_is_best_and_costs_the_published_337_hundredths_of_a_percent() {
    let bonus = &rules(Edition::Mgc2017).ante_bonus[&AnteBonus::Standard];
    let house = House::new(CardSet::DECK, 3, 3, strength);
    let weakest_to_play = strength_of(["QS", "6H", "4D"]);
    let (mut won, mut all) = (0, 0);
    for_each_up_to_suits(3, &mut |cards, ways| {
        let hand = cards.iter().copied().collect();
        let own = strength(hand);
        let met = house.meets(CardSet::EMPTY, hand, own, queen_high());
        let bonus = met.all() * bonus.pays(cards).map_or(0, units);
        let played = met.unqualified + 2 * (met.weaker - met.stronger) + bonus;
        assert_eq!(played > -met.all(), own >= weakest_to_play, "{cards:?}");
        won += ways as i64 * played.max(-met.all());
        all += ways as i64 * met.all();
    });
    assert_eq!(all, THREES * 18_424);
    // 3.3730% of the ante, in millionths and cut.
    assert_eq!(-won * 1_000_000 / all, 33_729);
}

/// One hand and the dealer's; the counts are those of an enumeration apart from this engine.
#[test]
fn cover_all_on_a_single_hand_keeps_a_tenth() {
    let column = &rules(Edition::MgcAmended).cover_all[0];
    let house = House::new(CardSet::DECK, 3, 3, strength);
    let mut highest: BTreeMap<Option<Row>, i64> = BTreeMap::new();
    for_each_up_to_suits(3, &mut |cards, ways| {
        let hand = cards.iter().copied().collect();
        let met = house.meets(CardSet::EMPTY, hand, strength(hand), 0);
        // The dealer's hand is the higher one as often.
        let as_highest = ways as i64 * (2 * met.weaker + met.equal);
        *highest
            .entry(row_of(three::rank(cards).unwrap()))
            .or_default() += as_highest;
    });
    let counted = [
        (None, 225_461_472),
        (Some(Row::MiniRoyal), 147_380),
        (Some(Row::StraightFlush), 1_619_244),
        (Some(Row::ThreeOfAKind), 1_909_472),
        (Some(Row::Straight), 25_971_264),
        (Some(Row::Flush), 37_860_928),
        (Some(Row::Pair), 114_200_640),
    ];
    assert_eq!(highest, BTreeMap::from(counted));
    let all = THREES * 18_424;
    assert_eq!(highest.values().sum::<i64>(), all);
    let odds = |row: &Option<Row>| row.and_then(|row| column.row(row)).map_or(-1, units);
    let won: i64 = highest.iter().map(|(row, count)| count * odds(row)).sum();
    // 9.90% of the stake.
    assert_eq!(-won * 10_000 / all, 989);
}

#[test]
fn the_progressive_tables_return_what_their_fixed_rows_add_up_to() {
    let rules = rules(Edition::MgcAmended);
    // Three mini royals, 44 straight flushes, 52 threes of a kind, 720 straights, for a stake of 1; the
    // meter's share comes on top. 55.2%, 47.9% and 113.3%: table 3 is as printed.
    for (table, paid) in [
        (ProgressiveTable::One, 3 * 500 + 44 * 70 + 52 * 60 + 720 * 6),
        (ProgressiveTable::Two, 3 * 500 + 44 * 100 + 52 * 90),
        (
            ProgressiveTable::Three,
            3 * 500 + 44 * 400 + 52 * 30 + 720 * 6,
        ),
    ] {
        let table = &rules.progressive[&table];
        let hands = three_card_hands();
        let prizes = hands.iter().filter_map(|hand| table.pays(hand));
        let fixed = prizes.filter_map(|prize| match prize {
            Pay::Odds(odds) => Some(1 + units(odds)),
            _ => None,
        });
        assert_eq!(fixed.sum::<i64>(), paid);
    }
}
