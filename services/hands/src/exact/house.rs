//! The hands that the house can hold beside the cards of a player.
//!
//! A player's hand and a dealer's make trillions of pairs. But the hands without any of a player's cards
//! are all hands, less those that hold one of these cards, plus those that hold two of them, and so on
//! (inclusion and exclusion). It is enough to rank, once for each set of cards up to a change of suits,
//! the hands that hold it.

use std::collections::HashMap;

use super::for_each_up_to_suits;
use crate::floor::{Card, CardSet};

/// All hands of so many cards, by strength.
#[derive(Debug)]
pub struct House {
    cards: u32,
    deck: CardSet,
    strength: fn(CardSet) -> u32,
    /// By the cards that the hands hold, up to suits: strengths, ascending, each with the number of hands
    /// that have it or less.
    holding: HashMap<u64, Vec<(u32, i64)>>,
}

/// What the house can hold against one hand.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Met {
    pub unqualified: i64,
    /// Qualified, and worth less than the player's hand.
    pub weaker: i64,
    pub equal: i64,
    pub stronger: i64,
}

impl Met {
    /// Counts one hand of the house more, that is worth `strength`.
    pub fn add(&mut self, strength: u32, own: u32, lowest: u32) {
        let count = match strength {
            _ if strength < lowest => &mut self.unqualified,
            _ if strength < own => &mut self.weaker,
            _ if strength == own => &mut self.equal,
            _ => &mut self.stronger,
        };
        *count += 1;
    }

    pub fn all(self) -> i64 {
        self.unqualified + self.weaker + self.equal + self.stronger
    }
}

impl House {
    /// All hands of so many cards of the deck, to be asked about so many that are known.
    pub fn new(deck: CardSet, cards: u32, known: u32, strength: fn(CardSet) -> u32) -> House {
        let mut house = House {
            cards,
            deck,
            strength,
            holding: HashMap::new(),
        };
        // A hand all of whose cards are known is ranked when it is asked for.
        for held in 0..=known.min(cards - 1) {
            for_each_up_to_suits(held, &mut |cards, _| {
                house.add(cards.iter().copied().collect())
            });
        }
        if deck.contains(Card::JOKER) {
            for held in 1..=known.min(cards - 1) {
                for_each_up_to_suits(held - 1, &mut |cards, _| {
                    house.add(cards.iter().copied().chain([Card::JOKER]).collect());
                });
            }
        }
        house
    }

    /// The hands with all cards of `open` that can lie against a player's cards, which are worth `own`.
    /// Those that are worth less than `lowest` do not qualify.
    pub fn meets(&self, open: CardSet, player: CardSet, own: u32, lowest: u32) -> Met {
        let mut below = [0; 4];
        let mut part = player.bits();
        loop {
            let held = CardSet::from_bits(part | open.bits()).unwrap_or(open);
            let sign = if part.count_ones().is_multiple_of(2) {
                1
            } else {
                -1
            };
            let counts = self.below(held, own, lowest);
            for (sum, count) in below.iter_mut().zip(counts) {
                *sum += sign * count;
            }
            if part == 0 {
                break;
            }
            // The next smaller choice of the player's cards.
            part = (part - 1) & player.bits();
        }
        let [unqualified, weaker, equal, all] = below;
        Met {
            unqualified,
            weaker: weaker - unqualified,
            equal: equal - weaker,
            stronger: all - equal,
        }
    }

    /// How many of the hands with these cards do not qualify, how many do not or are worth less, how many
    /// do not or are worth no more, and how many there are.
    fn below(&self, held: CardSet, own: u32, lowest: u32) -> [i64; 4] {
        if held.len() > self.cards {
            return [0; 4];
        }
        let alone;
        let strengths = if held.len() == self.cards {
            alone = [((self.strength)(held), 1)];
            &alone[..]
        } else {
            let holding = self.holding.get(&up_to_suits(held));
            holding.map_or(&[][..], Vec::as_slice)
        };
        let qualified = match lowest {
            0 => 0,
            _ => strengths.partition_point(|&(strength, _)| strength < lowest),
        };
        let (_, rest) = strengths.split_at(qualified);
        let weaker = qualified + rest.partition_point(|&(strength, _)| strength < own);
        let is_equal = strengths
            .get(weaker)
            .is_some_and(|&(strength, _)| strength == own);
        let equal = weaker + usize::from(is_equal);
        [qualified, weaker, equal, strengths.len()]
            .map(|end| end.checked_sub(1).map_or(0, |last| strengths[last].1))
    }

    fn add(&mut self, held: CardSet) {
        let mut strengths = Vec::new();
        self.complete(held, 0, &mut strengths);
        strengths.sort_unstable();
        let mut upto: Vec<(u32, i64)> = Vec::new();
        for (index, strength) in (1..).zip(strengths) {
            match upto.last_mut() {
                Some(last) if last.0 == strength => last.1 = index,
                _ => upto.push((strength, index)),
            }
        }
        self.holding.insert(up_to_suits(held), upto);
    }

    /// The strengths of all hands with these cards and others from this index on.
    fn complete(&self, held: CardSet, from: u8, strengths: &mut Vec<u32>) {
        if held.len() == self.cards {
            strengths.push((self.strength)(held));
            return;
        }
        for index in from..Card::COUNT as u8 {
            let mut more = held;
            if let Some(card) = Card::from_index(index)
                && self.deck.contains(card)
                && more.insert(card)
            {
                self.complete(more, index + 1, strengths);
            }
        }
    }
}

/// The same for all sets that differ by a change of suits alone.
fn up_to_suits(set: CardSet) -> u64 {
    let mut suits = [0_u64; 4];
    let mut bits = set.bits() & CardSet::DECK.bits();
    while bits != 0 {
        let index = bits.trailing_zeros();
        suits[index as usize % 4] |= 1 << (index / 4);
        bits &= bits - 1;
    }
    suits.sort_unstable();
    let joker = set.bits() >> 52;
    suits.iter().fold(joker, |key, ranks| key << 13 | ranks)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exact::for_each_set;
    use crate::hands::three;

    fn strength(set: CardSet) -> u32 {
        three::rank_set(set).map_or(0, three::Hand::strength)
    }

    fn set(cards: &str) -> CardSet {
        let cards = cards.split_whitespace();
        cards.map(|card| card.parse::<Card>().unwrap()).collect()
    }

    /// The same by looking at every hand.
    fn counted(open: CardSet, player: CardSet, own: u32, lowest: u32) -> Met {
        let mut met = Met::default();
        for_each_set(3, &mut |set| {
            if set.without(player) == set && set.union(open) == set {
                met.add(strength(set), own, lowest);
            }
        });
        met
    }

    #[test]
    fn hands_without_the_players_cards_are_counted_as_one_by_one() {
        let house = House::new(CardSet::DECK, 3, 4, strength);
        let queen_high = strength(set("QC 3D 2H"));
        for (open, player) in [
            ("", "AS KS QS"),
            ("", "7C 7D 2H"),
            ("", "5C 3D 2H"),
            ("9D", "7C 7D 2H"),
            ("9D", "9C TD JD"),
            ("KC KD", "KH 2C 3D"),
        ] {
            let (open, player) = (set(open), set(player));
            for lowest in [0, queen_high] {
                let own = strength(player);
                let met = house.meets(open, player, own, lowest);
                let one_by_one = counted(open, player, own, lowest);
                assert_eq!(met, one_by_one, "{open:?} {player:?}");
            }
        }
        // 49 cards are left beside a hand of three.
        let player = set("AS KS QS");
        assert_eq!(house.meets(CardSet::EMPTY, player, 0, 0).all(), 18_424);
    }
}
