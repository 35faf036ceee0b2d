//! The exact mathematics of a full deck: 22,100 hands of three cards, 20,358,520 of six.

use std::collections::HashMap;

use crate::book::Book;
use crate::floor::{Card, CardSet, Odds, Suit};
use crate::games::three_card_poker::hands::{qualifies, row_of};
use crate::games::three_card_poker::{AnteBonus, Rules, SixCardTable, ThreeCardPoker};
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

/// The same hand whatever the names of its suits.
fn without_suit_names(hand: &[Card; 3]) -> u64 {
    let mut least = u64::MAX;
    for a in 0..4 {
        for b in (0..4).filter(|&b| b != a) {
            for c in (0..4).filter(|&c| c != a && c != b) {
                let order = [a, b, c, 6 - a - b - c];
                let renamed: CardSet = hand
                    .iter()
                    .map(|card| {
                        let suit = order[usize::from(card.suit().unwrap().index())];
                        Card::new(card.rank().unwrap(), Suit::ALL[suit])
                    })
                    .collect();
                least = least.min(renamed.bits());
            }
        }
    }
    least
}

#[test]
fn playing_on_queen_six_four_is_best_and_costs_the_published_337_hundredths_of_a_percent() {
    let bonus = &rules(Edition::Mgc2017).ante_bonus[&AnteBonus::Standard];
    let hands = three_card_hands();
    let dealers: Vec<(u64, three::Hand, bool)> = hands
        .iter()
        .map(|hand| {
            let rank = three::rank(hand).unwrap();
            (
                hand.iter().copied().collect::<CardSet>().bits(),
                rank,
                qualifies(rank),
            )
        })
        .collect();
    let weakest_to_play = {
        let hand = ["QS", "6H", "4D"].map(|card| card.parse::<Card>().unwrap());
        three::rank(&hand).unwrap()
    };
    const DEALER_HANDS: i64 = 18_424;

    let mut known: HashMap<u64, i64> = HashMap::new();
    let mut won = 0;
    for hand in &hands {
        let set: CardSet = hand.iter().copied().collect();
        let rank = three::rank(hand).unwrap();
        let played = *known.entry(without_suit_names(hand)).or_insert_with(|| {
            let mut won = 0;
            let mut met = 0;
            for &(cards, dealer, qualified) in &dealers {
                if cards & set.bits() == 0 {
                    met += 1;
                    won += match (qualified, rank.cmp(&dealer)) {
                        (false, _) => 1,
                        (true, order) => 2 * order as i64,
                    };
                }
            }
            assert_eq!(met, DEALER_HANDS);
            won + met * bonus.pays(hand).map_or(0, units)
        });
        assert_eq!(played > -DEALER_HANDS, rank >= weakest_to_play, "{hand:?}");
        won += played.max(-DEALER_HANDS);
    }
    assert_eq!(known.len(), 1_755);
    // 3.3730% of the ante, in millionths and cut.
    let all = hands.len() as i64 * DEALER_HANDS;
    assert_eq!(-won * 1_000_000 / all, 33_729);
}
