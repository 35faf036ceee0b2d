//! Baccarat at the large table, where a player may hold the shoe; with EZ Baccarat, Dragon Bonus and
//! House Money.

#[cfg(test)]
mod tests;

use crate::Game;
use crate::book::{BookError, EditionBook};
use crate::games::shared::baccarat::house;
use crate::refusal::Refusal;
use crate::round::Round;
use crate::settlement::Outcome;
use crate::unseen::Reach;

pub use house::{Play, VoidReason};

#[derive(Debug)]
pub struct Baccarat;

impl Game for Baccarat {
    const BOOK: &'static str = include_str!("rules.toml");
    const EXAMPLES: &'static str = include_str!("examples.jsonl");

    type Rules = house::Rules;
    type Options = house::Options;
    type Wager = house::Wager;
    type Play = house::Play;

    fn rules(book: &EditionBook<'_>) -> Result<house::Rules, BookError> {
        house::Rules::read(book)
    }

    fn decided_by(round: &Round<Baccarat>, wager: &house::Wager) -> Reach {
        house::decided_by(round, wager)
    }

    fn settle(rules: &house::Rules, round: &Round<Self>) -> Result<Outcome, Refusal> {
        house::settle(rules, round)
    }
}
