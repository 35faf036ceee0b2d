//! Four card poker: the best four of five cards against the best four of the dealer's six.

mod settle;
#[cfg(test)]
mod tests;

use serde::{Deserialize, Serialize};

use super::shared::ante_play;
use super::shared::four_card::{self, FourCardTable, House};
use super::shared::stud::areas;
use crate::Game;
use crate::book::{BookError, EditionBook};
use crate::refusal::Refusal;
use crate::round::Round;
use crate::settlement::Outcome;
use crate::unseen::Reach;

#[derive(Debug)]
pub struct FourCardPoker;

impl Game for FourCardPoker {
    const BOOK: &'static str = include_str!("rules.toml");
    const EXAMPLES: &'static str = include_str!("examples.jsonl");

    type Rules = Rules;
    type Options = four_card::Options<Kind>;
    type Wager = Wager;
    type Play = four_card::Play;

    fn rules(book: &EditionBook<'_>) -> Result<Rules, BookError> {
        Ok(Rules {
            house: House::read(book)?,
            ante_bonus: book.table("ante_bonus")?,
            aces_up: book.table("aces_up")?,
            play_multiples: book.figure("play_multiples")?,
        })
    }

    fn decided_by(round: &Round<FourCardPoker>, wager: &Wager) -> Reach {
        four_card::decided_by(&round.wagers, &round.play, wager)
    }

    fn settle(rules: &Rules, round: &Round<FourCardPoker>) -> Result<Outcome, Refusal> {
        four_card::settle(rules, &round.options, &round.wagers, &round.play)
    }
}

/// The data file, typed.
#[derive(Debug)]
pub struct Rules {
    house: House<Kind>,
    ante_bonus: FourCardTable,
    aces_up: FourCardTable,
    /// Least and most that a play wager is, in antes.
    play_multiples: [i64; 2],
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    Ante,
    Play,
    AcesUp,
    Progressive,
}

impl ante_play::Kind for Kind {
    const ANTE: Kind = Kind::Ante;
    const PLAY: Kind = Kind::Play;
}

impl four_card::Kind for Kind {
    const PROGRESSIVE: Kind = Kind::Progressive;
    const STANDARD: &'static [Kind] = &[Kind::Ante];

    fn is_optional(self) -> bool {
        matches!(self, Kind::AcesUp | Kind::Progressive)
    }
}

type Wager = areas::Wager<Kind>;
