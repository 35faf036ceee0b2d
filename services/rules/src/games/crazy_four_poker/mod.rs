//! Crazy four poker: the best four of five cards against a dealer who needs king high, with a super
//! bonus beside every ante.

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
pub struct CrazyFourPoker;

impl Game for CrazyFourPoker {
    const BOOK: &'static str = include_str!("rules.toml");
    const EXAMPLES: &'static str = include_str!("examples.jsonl");

    type Rules = Rules;
    type Options = four_card::Options<Kind>;
    type Wager = Wager;
    type Play = four_card::Play;

    fn rules(book: &EditionBook<'_>) -> Result<Rules, BookError> {
        Ok(Rules {
            house: House::read(book)?,
            super_bonus: book.table("super_bonus")?,
            queens_up: book.table("queens_up")?,
            play_multiples: book.figure("play_multiples")?,
        })
    }

    fn decided_by(round: &Round<CrazyFourPoker>, wager: &Wager) -> Reach {
        four_card::decided_by(&round.wagers, &round.play, wager)
    }

    fn settle(rules: &Rules, round: &Round<CrazyFourPoker>) -> Result<Outcome, Refusal> {
        four_card::settle(rules, &round.options, &round.wagers, &round.play)
    }
}

/// The data file, typed.
#[derive(Debug)]
pub struct Rules {
    house: House<Kind>,
    super_bonus: FourCardTable,
    queens_up: FourCardTable,
    /// What a play wager may be, in antes.
    play_multiples: Vec<i64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    Ante,
    Play,
    SuperBonus,
    QueensUp,
    Progressive,
}

impl ante_play::Kind for Kind {
    const ANTE: Kind = Kind::Ante;
    const PLAY: Kind = Kind::Play;
}

impl four_card::Kind for Kind {
    const PROGRESSIVE: Kind = Kind::Progressive;
    const STANDARD: &'static [Kind] = &[Kind::Ante, Kind::SuperBonus];

    fn is_optional(self) -> bool {
        matches!(self, Kind::QueensUp | Kind::Progressive)
    }

    /// A super bonus hangs on the contest that the ante buys.
    fn needs_ante(self) -> bool {
        self == Kind::SuperBonus
    }
}

type Wager = areas::Wager<Kind>;
