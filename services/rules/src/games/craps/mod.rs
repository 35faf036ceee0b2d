//! Craps and mini-craps.

#[cfg(test)]
mod tests;

use super::shared::craps::{self, Options, Rules};
pub use super::shared::craps::{Change, NoRoll, Play, Roll, Start, Wager, Working};
use crate::Game;
use crate::book::{BookError, EditionBook};
use crate::refusal::Refusal;
use crate::round::Round;
use crate::settlement::Outcome;

#[derive(Debug)]
pub struct Craps;

impl Game for Craps {
    const BOOK: &'static str = include_str!("rules.toml");
    const EXAMPLES: &'static str = include_str!("examples.jsonl");

    type Rules = Rules;
    type Options = Options;
    type Wager = Wager;
    type Play = Play;

    fn rules(book: &EditionBook<'_>) -> Result<Rules, BookError> {
        // Place bets to lose are all of the don't side that a text of craps may lack.
        Rules::read(book, "wager.not_permissible")
    }

    fn settle(rules: &Rules, round: &Round<Craps>) -> Result<Outcome, Refusal> {
        craps::settle(rules, &round.options, &round.wagers, &round.play)
    }
}
