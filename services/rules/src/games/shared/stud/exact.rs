//! Exact mathematics for the tests of the stud games: all hands, and what is known before the last
//! cards fall.

use std::collections::BTreeMap;

use crate::Edition;
use crate::floor::{Card, CardSet};
use crate::game::{AnyGame, Game};
use crate::hands::five;
use crate::testkit::TestTable;

/// Hands of five cards.
pub(crate) const FIVES: i64 = 2_598_960;
/// Hands of three cards.
pub(crate) const THREES: i64 = 22_100;

/// The typed rules of an edition.
pub(crate) fn rules<G: Game>(edition: Edition) -> G::Rules {
    let table = TestTable::<G>::open();
    G::rules(&table.game.book().edition(edition)).expect("the data file is in order")
}

/// Calls `visit` with each hand of five cards, by the ascending indices of its cards.
pub(crate) fn for_each_five(mut visit: impl FnMut([usize; 5], five::Hand)) {
    for e in 4..52 {
        for d in 3..e {
            for c in 2..d {
                for b in 1..c {
                    for a in 0..b {
                        let at = [a, b, c, d, e];
                        let bits = at.iter().fold(0, |bits, index| bits | 1 << index);
                        let set = CardSet::from_bits(bits).expect("52 cards");
                        visit(at, five::rank_set(set).expect("five cards"));
                    }
                }
            }
        }
    }
}

/// One hand of each class and leading rank, which is all that a pay table looks at, and how many there
/// are.
pub(crate) fn classes() -> Vec<(five::Hand, i64)> {
    let mut classes = BTreeMap::new();
    for_each_five(|_, hand| {
        let class = classes.entry(class_of(hand)).or_insert((hand, 0));
        class.1 += 1;
    });
    classes.into_values().collect()
}

fn class_of(hand: five::Hand) -> usize {
    13 * hand.category() as usize + usize::from(hand.ranks()[0].index())
}

/// All hands of three cards.
pub(crate) fn threes() -> impl Iterator<Item = [Card; 3]> {
    let deck: Vec<Card> = Card::deck().collect();
    (2..52).flat_map(move |c| {
        let deck = deck.clone();
        (1..c).flat_map(move |b| {
            let deck = deck.clone();
            (0..b).map(move |a| [deck[a], deck[b], deck[c]])
        })
    })
}

/// The place of ascending indices among all sets of so many cards.
pub(crate) fn place(ascending: &[usize]) -> usize {
    let sizes = ascending.iter().enumerate();
    sizes.map(|(taken, &index)| CHOOSE[index][taken + 1]).sum()
}

/// Ways to take up to four of so many cards.
const CHOOSE: [[usize; 5]; 53] = {
    let mut ways = [[0; 5]; 53];
    let mut of = 0;
    while of < 53 {
        ways[of][0] = 1;
        let mut taken = 1;
        while of > 0 && taken < 5 {
            ways[of][taken] = ways[of - 1][taken - 1] + ways[of - 1][taken];
            taken += 1;
        }
        of += 1;
    }
    ways
};

/// What a hand of five is worth, added up over all that can still be dealt to three and to four
/// known cards.
pub(crate) struct Outlook {
    /// By [`place`]; over 1,176 pairs of further cards.
    pub(crate) with_three: Vec<i64>,
    /// By [`place`]; over 48 further cards.
    pub(crate) with_four: Vec<i64>,
    /// Over all hands.
    pub(crate) with_none: i64,
}

impl Outlook {
    pub(crate) fn of(worth: impl Fn(five::Hand) -> i64) -> Outlook {
        let mut outlook = Outlook {
            with_three: vec![0; CHOOSE[52][3]],
            with_four: vec![0; CHOOSE[52][4]],
            with_none: 0,
        };
        let mut by_class = [None; 130];
        for_each_five(|at, hand| {
            let worth = *by_class[class_of(hand)].get_or_insert_with(|| worth(hand));
            outlook.with_none += worth;
            for out in 0..5 {
                let four: [usize; 4] = std::array::from_fn(|i| at[i + usize::from(i >= out)]);
                outlook.with_four[place(&four)] += worth;
                for also in out..4 {
                    let three: [usize; 3] =
                        std::array::from_fn(|i| four[i + usize::from(i >= also)]);
                    outlook.with_three[place(&three)] += worth;
                }
            }
        });
        outlook
    }
}

/// Five cards for each row of a pay table.
pub(crate) fn cards_of_row(row: &str) -> [&'static str; 5] {
    match row {
        "royal_flush" => ["TC", "JC", "QC", "KC", "AC"],
        "straight_flush" => ["5D", "6D", "7D", "8D", "9D"],
        "four_of_a_kind" => ["4C", "4D", "4H", "4S", "9C"],
        "full_house" => ["3C", "3D", "3H", "9S", "9C"],
        "flush" => ["2H", "5H", "8H", "JH", "KH"],
        "straight" => ["AC", "2D", "3H", "4S", "5C"],
        "three_of_a_kind" => ["6C", "6D", "6H", "TS", "QC"],
        "two_pair" => ["2C", "2D", "3H", "3S", "8C"],
        "pair_tens_or_better" => ["TC", "TD", "3H", "5S", "8C"],
        "pair_jacks_or_better" => ["JC", "JD", "3H", "5S", "8C"],
        "pair_sixes_to_tens" => ["6C", "6D", "3H", "5S", "8C"],
        "one_pair_or_less" => ["2C", "2D", "3H", "5S", "8C"],
        _ => panic!("no cards for {row}"),
    }
}

/// Three cards for each row of a three card bonus.
pub(crate) fn three_cards_of_row(row: &str) -> [&'static str; 3] {
    match row {
        "mini_royal" => ["QS", "KS", "AS"],
        "straight_flush" => ["AS", "2S", "3S"],
        "three_of_a_kind" => ["6C", "6D", "6H"],
        "straight" => ["AS", "2D", "3S"],
        "flush" => ["KS", "AS", "2S"],
        "pair" => ["2C", "2D", "9H"],
        _ => panic!("no cards for {row}"),
    }
}
