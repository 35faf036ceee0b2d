//! The two cards that the dealer keeps. s.8(i)

use super::ranking::number;
use crate::floor::Card;

/// Two of the dealer's four cards, as the house ways see them.
#[derive(Clone, Copy, Debug)]
struct Pair {
    cards: [Card; 2],
    high: u8,
    low: u8,
    suited: bool,
}

impl Pair {
    fn of(cards: [Card; 2]) -> Pair {
        let [a, b] = cards.map(|card| card.rank().map_or(0, number));
        Pair {
            cards,
            high: a.max(b),
            low: a.min(b),
            suited: cards[0].suit() == cards[1].suit(),
        }
    }

    fn is_pair(&self) -> bool {
        self.high == self.low
    }

    fn is_running(&self) -> bool {
        self.high - self.low == 1
    }

    fn has_ace(&self) -> bool {
        self.high == ACE
    }

    fn is(&self, kept: [Card; 2]) -> bool {
        let [a, b] = self.cards;
        kept == [a, b] || kept == [b, a]
    }
}

const TEN: u8 = 10;
const JACK: u8 = 11;
const ACE: u8 = 14;

/// A line of the list: which pairs it names, and which of them it wants.
struct Line {
    names: fn(&Pair) -> bool,
    wants: Wants,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Wants {
    Highest,
    Any,
}

/// From the highest preference to the lowest; the first line that names a pair decides.
const LINES: [Line; 14] = [
    line(|pair| pair.is_pair() && pair.suited, Wants::Highest),
    line(Pair::is_pair, Wants::Highest),
    line(
        |pair| pair.has_ace() && pair.suited && pair.low >= TEN,
        Wants::Highest,
    ),
    line(
        |pair| pair.suited && pair.is_running() && pair.low >= TEN,
        Wants::Highest,
    ),
    line(|pair| pair.has_ace() && pair.low >= TEN, Wants::Highest),
    line(
        |pair| !pair.suited && pair.is_running() && pair.low >= JACK,
        Wants::Highest,
    ),
    line(|pair| pair.has_ace() && pair.suited, Wants::Highest),
    line(|pair| pair.suited && pair.low >= TEN, Wants::Highest),
    line(|pair| pair.low >= JACK, Wants::Highest),
    line(Pair::has_ace, Wants::Highest),
    line(|pair| pair.suited && pair.is_running(), Wants::Any),
    line(|pair| pair.suited, Wants::Highest),
    line(Pair::is_running, Wants::Any),
    line(|_| true, Wants::Highest),
];

const fn line(names: fn(&Pair) -> bool, wants: Wants) -> Line {
    Line { names, wants }
}

/// The two cards that play: those that the dealer kept if the deciding line allows them, else the
/// highest that it allows, the ones dealt first. `kept` is `None` where nothing is recorded.
pub(super) fn set(cards: [Card; 4], kept: Option<[Card; 2]>) -> Set {
    let [a, b, c, d] = cards;
    let pairs = [[a, b], [a, c], [a, d], [b, c], [b, d], [c, d]].map(Pair::of);
    let rank = |pair: &Pair| (pair.high, pair.low);
    for Line { names, wants } in &LINES {
        let named = || pairs.iter().filter(|pair| names(pair));
        let Some(best) = named().map(rank).max() else {
            continue;
        };
        let right = |pair: &&Pair| *wants == Wants::Any || rank(pair) == best;
        if let Some(kept) = kept
            && named().filter(right).any(|pair| pair.is(kept))
        {
            return Set::AsKept(kept);
        }
        if let Some(pair) = named().find(|pair| rank(pair) == best) {
            return Set::HouseWay(pair.cards);
        }
    }
    Set::HouseWay([a, b])
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Set {
    /// The dealer's own choice, which is right.
    AsKept([Card; 2]),
    HouseWay([Card; 2]),
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cards<const N: usize>(text: &str) -> [Card; N] {
        let cards: Vec<Card> = text.split(' ').map(|card| card.parse().unwrap()).collect();
        cards.try_into().unwrap()
    }

    /// One or two hands for each line, and what is kept of them.
    #[test]
    fn the_first_line_that_names_a_pair_decides() {
        let cases = [
            ("4S 4S KH KC", "4S 4S"),
            ("4S 4S KH KH", "KH KH"),
            ("4S 4D KH KC", "KH KC"),
            ("AD QC JD 5S", "AD JD"),
            ("AD TD KC QC", "AD TD"),
            ("AC KS QD JD", "QD JD"),
            ("QD JD TD 2S", "QD JD"),
            ("AC KS QD 2H", "AC KS"),
            ("AC TS 9D 8D", "AC TS"),
            ("QS JH TS 6D", "QS JH"),
            ("KS QH JS TD", "KS QH"),
            ("AC 9C 8D 7D", "AC 9C"),
            ("KD JS TD 2C", "KD TD"),
            ("KD JS 9D 2C", "KD JS"),
            ("AC 9D 8D 2S", "AC 9D"),
            ("KD 9S 8S 2H", "9S 8S"),
            ("KD TD 5S 4S", "KD TD"),
            ("JC TD 5C 3S", "JC 5C"),
            ("QC TS 7D 6H", "7D 6H"),
            ("KC TS 7D 5H", "KC TS"),
            ("9D KS 9C 9S", "9D 9C"),
            ("KS 9D 9C 9S", "9D 9C"),
            ("9S 9D 9S KC", "9S 9S"),
            ("2C AC 9D KH", "AC KH"),
            ("9S 8S 3D 2D", "9S 8S"),
        ];
        for (dealt, kept) in cases {
            assert_eq!(
                set(cards(dealt), None),
                Set::HouseWay(cards(kept)),
                "{dealt}"
            );
        }
    }

    #[test]
    fn where_the_list_says_any_every_such_pair_is_right() {
        let suited_runs = cards("9S 8S 3D 2D");
        assert_eq!(
            set(suited_runs, Some(cards("2D 3D"))),
            Set::AsKept(cards("2D 3D"))
        );
        assert_eq!(
            set(suited_runs, Some(cards("9S 3D"))),
            Set::HouseWay(cards("9S 8S"))
        );
        let runs = cards("QC 9S 8D 7H");
        for kept in ["9S 8D", "8D 7H"] {
            assert_eq!(set(runs, Some(cards(kept))), Set::AsKept(cards(kept)));
        }
        // Two of three equal cards are all right; but not the lower of two pairs.
        let tens = cards("TD 4S TC TS");
        assert_eq!(set(tens, Some(cards("TS TC"))), Set::AsKept(cards("TS TC")));
        assert_eq!(
            set(tens, Some(cards("TS 4S"))),
            Set::HouseWay(cards("TD TC"))
        );
        assert_eq!(
            set(tens, Some(cards("TH TC"))),
            Set::HouseWay(cards("TD TC"))
        );
    }
}
