//! The best hand that a player can make for a half of the pot, and the cards that make it. 9(i), 10(j),
//! 11(f), 13a(j)

use super::forms::{Family, Half};
use super::lows;
use crate::floor::Card;
use crate::hands::{five, three};

/// A player's best hand for one half.
#[derive(Clone, Debug)]
pub(super) struct Best {
    /// The larger wins; equal is a tie.
    pub(super) strength: u32,
    /// Every choice of cards that makes it.
    choices: Vec<Choice>,
}

#[derive(Clone, Debug)]
struct Choice {
    cards: Vec<Card>,
    /// How many of them are the player's own.
    own: usize,
}

impl Best {
    /// Can the hand be made with at least so many own cards?
    pub(super) fn uses_own(&self, least: usize) -> bool {
        self.choices.iter().any(|choice| choice.own >= least)
    }

    /// Orders tied hands for the odd chip: the larger takes it. High hands compare their cards from
    /// the highest, by rank and then suit; low hands from the lowest, and there the lower takes it.
    pub(super) fn by_suit(&self, half: Half) -> Vec<u8> {
        let keys = self.choices.iter().map(|choice| {
            let mut key: Vec<u8> = choice
                .cards
                .iter()
                .map(|&card| suit_key(half, card))
                .collect();
            key.sort_unstable_by(|a, b| b.cmp(a));
            key
        });
        keys.max().unwrap_or_default()
    }
}

fn suit_key(half: Half, card: Card) -> u8 {
    match half {
        Half::High | Half::ThreeCardHigh => card.index(),
        Half::DeuceToSeven | Half::BadugiAceHigh => u8::MAX - card.index(),
        Half::AceToFive | Half::EightOrBetter | Half::SixOrBetter | Half::Badugi => {
            let value = lows::ace_low(card).unwrap_or_default();
            u8::MAX - (value * 4 + card.index() % 4)
        }
    }
}

/// The strength of exactly these cards; `None` if they do not qualify.
pub(super) fn strength(half: Half, cards: &[Card]) -> Option<u32> {
    match half {
        Half::High => five::rank(cards).map(|hand| hand.strength()),
        Half::ThreeCardHigh => three::rank(cards).map(|hand| hand.strength()),
        Half::AceToFive => lows::ace_to_five(cards),
        Half::EightOrBetter => lows::eight_or_better(cards),
        Half::SixOrBetter => lows::six_or_better(cards),
        Half::DeuceToSeven => lows::deuce_to_seven(cards),
        Half::Badugi => lows::badugi(cards, false),
        Half::BadugiAceHigh => lows::badugi(cards, true),
    }
}

/// The best hand of a player with the right number of own cards; `None` if he has none that
/// qualifies.
pub(super) fn best(family: Family, half: Half, own: &[Card], shared: &[Card]) -> Option<Best> {
    let mut best: Option<Best> = None;
    for_each_choice(family, half, own, shared, &mut |cards, own| {
        let Some(strength) = strength(half, cards) else {
            return;
        };
        let choice = || Choice {
            cards: cards.to_vec(),
            own,
        };
        match &mut best {
            Some(best) if best.strength > strength => {}
            Some(best) if best.strength == strength => best.choices.push(choice()),
            _ => {
                best = Some(Best {
                    strength,
                    choices: vec![choice()],
                });
            }
        }
    });
    best
}

/// Every choice of cards that the form lets a player make, with the number of own cards in it.
fn for_each_choice(
    family: Family,
    half: Half,
    own: &[Card],
    shared: &[Card],
    visit: &mut impl FnMut(&[Card], usize),
) {
    if family == Family::Omaha {
        subsets(own, 2, &mut |two| {
            subsets(shared, 3, &mut |three| visit(&[two, three].concat(), 2));
        });
        return;
    }
    let pool = [own, shared].concat();
    let sizes = match half {
        Half::Badugi | Half::BadugiAceHigh => 1..=4,
        Half::ThreeCardHigh | Half::SixOrBetter => 3..=3,
        Half::High | Half::AceToFive | Half::EightOrBetter | Half::DeuceToSeven => 5..=5,
    };
    for size in sizes {
        subsets(&pool, size, &mut |cards| {
            let shared_used = cards.iter().filter(|card| shared.contains(card)).count();
            visit(cards, size - shared_used);
        });
    }
}

/// All choices of so many of a few cards.
fn subsets(cards: &[Card], size: usize, visit: &mut impl FnMut(&[Card])) {
    let mut chosen = Vec::with_capacity(size);
    for mask in 0u32..1 << cards.len().min(MOST_CARDS) {
        if mask.count_ones() as usize == size {
            chosen.clear();
            let bit = |at: &usize| mask >> at & 1 == 1;
            chosen.extend(
                (0..cards.len().min(MOST_CARDS))
                    .filter(bit)
                    .map(|at| cards[at]),
            );
            visit(&chosen);
        }
    }
}

/// No player chooses from more cards than the seven of stud and hold'em.
const MOST_CARDS: usize = 7;
