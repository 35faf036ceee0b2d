//! What the exact mathematics of the stud games' tests share.

use crate::Edition;
use crate::floor::Card;
use crate::game::{AnyGame, Game};
use crate::testkit::TestTable;

/// The typed rules of an edition.
pub(crate) fn rules<G: Game>(edition: Edition) -> G::Rules {
    let table = TestTable::<G>::open();
    G::rules(&table.game.book().edition(edition)).expect("the data file is in order")
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
