//! Hold'em against the house, of which no exact value is known: rounds are drawn and played by a strategy that is
//! declared.
//!
//! Drawn rounds are counted by what decides them, which no pay table can change, and one round of each kind is settled
//! with the options of the table. So what was drawn once is kept, and is never stale by a rule.

use std::collections::BTreeMap;

use catwalk_rules::floor::Card;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::stud::STAKE;
use super::{texas_bonus, ultimate};
use crate::OddsError;
use crate::felt::Felt;
use crate::sheet::{Basis, Line};
use crate::spread::{Spread, whole};

const ULTIMATE: &str = include_str!("../../data/ultimate.json");
const TEXAS_BONUS: &str = include_str!("../../data/texas_bonus.json");

/// What the player makes, as its place among the categories; whether the house qualifies; who is ahead: -1 is the
/// house; what the player put down, as the game tells it.
pub(super) type Key = (u8, bool, i8, u8);

/// What was drawn, and how often.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Drawn {
    pub rounds: u64,
    pub states: Vec<State>,
}

/// Rounds that settle alike.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct State {
    /// What the player makes, as its place among the categories; whether the house qualifies; who is ahead: -1 is
    /// the house; what the player put down.
    pub of: (u8, bool, i8, u8),
    pub rounds: u64,
    /// Of the first such round: own cards, board, house.
    pub cards: String,
}

/// What the program carries of a game: the first of the draws alone, and all of them.
pub fn kept_draws(game: &str) -> (Drawn, Drawn) {
    let kept = match game {
        "texas_holdem_bonus" => TEXAS_BONUS,
        _ => ULTIMATE,
    };
    serde_json::from_str(kept).unwrap_or_else(|_| (draw(game, 0..1), draw(game, 0..1)))
}

/// So many rounds has a draw.
const ROUNDS_OF_A_DRAW: u64 = 100_000;

/// Draws rounds of a game: each draw has random numbers of its own, which are the same on every machine.
pub fn draw(game: &str, draws: std::ops::Range<u64>) -> Drawn {
    let key: fn(&[Card; 9]) -> Key = match game {
        "texas_holdem_bonus" => texas_bonus::state,
        _ => ultimate::state,
    };
    let mut states: BTreeMap<_, (u64, [Card; 9])> = BTreeMap::new();
    let rounds = (draws.end - draws.start) * ROUNDS_OF_A_DRAW;
    for draw in draws {
        let mut deck: Vec<Card> = Card::deck().collect();
        let mut chance = Chance(draw.wrapping_mul(0x5851_f42d_4c95_7f2d) + 34);
        for _ in 0..ROUNDS_OF_A_DRAW {
            let cards = chance.nine(&mut deck);
            states.entry(key(&cards)).or_insert((0, cards)).0 += 1;
        }
    }
    let state = |(of, (rounds, cards)): (_, (u64, [Card; 9]))| State {
        of,
        rounds,
        cards: cards.map(|card| card.to_string()).join(" "),
    };
    Drawn {
        rounds,
        states: states.into_iter().map(state).collect(),
    }
}

/// What a round of each kind comes to; `round` has its wagers and its play by what was put down and by the cards: own,
/// of the board, of the house.
pub(super) fn spread(
    felt: &Felt<'_>,
    drawn: &Drawn,
    round: impl Fn(u8, &[&str], &[&str], &[&str]) -> (Vec<Value>, Value),
) -> Result<Spread, OddsError> {
    let mut spread = Spread::default();
    for state in &drawn.states {
        let cards: Vec<&str> = state.cards.split(' ').collect();
        let (own, rest) = cards.split_at(2.min(cards.len()));
        let (board, house) = rest.split_at(5.min(rest.len()));
        let (wagers, play) = round(state.of.3, own, board, house);
        let came = felt.settle(&wagers, &play)?;
        let (gain, staked) = came.iter().fold((0, 0), |(gain, staked), came| {
            (gain + came.gain, staked + came.stake)
        });
        let result = match gain {
            0 => "push",
            gain if gain > 0 => "win",
            _ => "lose",
        };
        spread.add_played(result, gain, staked, &whole(u128::from(state.rounds)));
    }
    Ok(spread)
}

/// The line of the wager that buys the hand, with its standard error.
pub(super) fn line(
    felt: &Felt<'_>,
    kind: &str,
    strategy: &str,
    drawn: &Drawn,
    spread: &Spread,
) -> Line {
    let basis = Basis::Sampled {
        strategy: strategy.to_owned(),
        rounds: drawn.rounds,
    };
    let line = felt.line(kind, basis, spread, STAKE);
    let error = line.standard_error.unwrap_or_default();
    let note = format!(
        "all wagers of the hand together, by the first stake; standard error of the edge {:.4} %",
        100.0 * error
    );
    line.noting(note)
}

/// A generator that is the same everywhere.
pub(super) struct Chance(pub(super) u64);

impl Chance {
    pub(super) fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        // The upper half times the bound: by a hair more of one card than of another in four thousand million.
        let upper = (mixed ^ (mixed >> 31)) >> 32;
        ((upper * bound as u64) >> 32) as usize
    }

    /// Nine cards of a deck, in the order in which they come.
    fn nine(&mut self, deck: &mut [Card]) -> [Card; 9] {
        for at in 0..9 {
            let other = at + self.below(deck.len() - at);
            deck.swap(at, other);
        }
        [0, 1, 2, 3, 4, 5, 6, 7, 8].map(|at| deck[at])
    }
}
