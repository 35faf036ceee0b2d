//! Red Dog: a third card between two others, paid by the spread.

mod settle;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::shared::posted_odds::PostedOdds;
use crate::book::{BookError, EditionBook};
use crate::floor::{Card, Odds, Seat, WagerId};
use crate::limits::LimitsRatio;
use crate::refusal::Refusal;
use crate::round::{Round, document, wager};
use crate::settlement::Outcome;
use crate::unseen::Reach;
use crate::{Game, Limits};

#[derive(Debug)]
pub struct RedDog;

impl Game for RedDog {
    const BOOK: &'static str = include_str!("rules.toml");
    const EXAMPLES: &'static str = include_str!("examples.jsonl");
    /// A wager on a seat that is no position is settled and flagged as `table.seat`.
    const LOWEST_SEAT: u16 = 0;

    type Rules = Rules;
    type Options = Options;
    type Wager = Wager;
    type Play = Play;

    fn rules(book: &EditionBook<'_>) -> Result<Rules, BookError> {
        Ok(Rules {
            odds: book.minimum_table("spread")?,
            most_boxes: book.figure("most_boxes")?,
            limits_ratio: book.figure("limits_ratio")?,
        })
    }

    /// A wager that was taken back looks at no card, and none looks at those that went away.
    fn decided_by(round: &Round<RedDog>, wager: &Wager) -> Reach {
        let is_in = !settle::is_taken_back(&round.play, wager);
        Reach::Only(is_in.then(|| "cards".to_owned()).into_iter().collect())
    }

    fn settle(rules: &Rules, round: &Round<RedDog>) -> Result<Outcome, Refusal> {
        settle::settle(rules, round)
    }
}

/// The data file, typed.
#[derive(Debug)]
pub struct Rules {
    odds: SpreadTable,
    most_boxes: i64,
    limits_ratio: LimitsRatio,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct SpreadTable {
    #[serde(rename = "1")]
    one: Odds,
    #[serde(rename = "2")]
    two: Odds,
    #[serde(rename = "3")]
    three: Odds,
    #[serde(rename = "4_to_11")]
    four_to_eleven: Odds,
    three_of_a_kind: Odds,
}

impl SpreadTable {
    fn listed(&self, spread: u8) -> Odds {
        match spread {
            ..=1 => self.one,
            2 => self.two,
            3 => self.three,
            4.. => self.four_to_eleven,
        }
    }
}

#[derive(Clone, Debug, Deserialize)]
pub struct Options {
    decks: i64,
    boxes: i64,
    pays: PostedOdds,
    areas_per_player: i64,
    limits: BTreeMap<Kind, Limits>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    Original,
    Raise,
}

wager! {
    Wager: Kind {
        ?
        /// The guest, where it is not the one at the position.
        pub player: Option<String>,
        /// Raise: the original that it was added to.
        pub on: Option<WagerId>,
    }
}

document! {
    Play {
        /// First, second and, if it was dealt, third card.
        pub cards: Vec<Card>,
        ?
        /// A third card that was shown before raises closed, and discarded.
        pub exposed_third: Option<Card>,
        /// Seats that took their wagers back after that.
        pub voided_seats: Vec<Seat>,
        /// Cards that left the shoe unused.
        pub burned: Vec<Card>,
    }
}
