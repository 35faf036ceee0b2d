//! Crapless craps: every total but 7 can be the point, and there is no don't side.

#[cfg(test)]
mod tests;

use super::shared::craps::{self, Options, Play, Rules, Wager};
use crate::Game;
use crate::book::{BookError, EditionBook};
use crate::refusal::Refusal;
use crate::round::Round;
use crate::settlement::Outcome;

#[derive(Debug)]
pub struct CraplessCraps;

impl Game for CraplessCraps {
    const BOOK: &'static str = include_str!("rules.toml");
    const EXAMPLES: &'static str = include_str!("examples.jsonl");

    type Rules = Rules;
    type Options = Options;
    type Wager = Wager;
    type Play = Play;

    fn rules(book: &EditionBook<'_>) -> Result<Rules, BookError> {
        Rules::read(book, "crapless.dont_bet")
    }

    fn settle(rules: &Rules, round: &Round<CraplessCraps>) -> Result<Outcome, Refusal> {
        craps::settle(rules, &round.options, &round.wagers, &round.play)
    }
}
