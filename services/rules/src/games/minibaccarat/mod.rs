//! Minibaccarat, with EZ Baccarat, Dragon Bonus, House Money and the Ohio tournament rules.

#[cfg(test)]
mod tests;

use crate::book::{BookError, EditionBook};
use crate::floor::WagerId;
use crate::games::shared::baccarat::house::{self, Kind, bet};
use crate::refusal::Refusal;
use crate::round::{Round, wager};
use crate::settlement::Outcome;
use crate::unseen::Reach;
use crate::{Edition, Game};

#[derive(Debug)]
pub struct Minibaccarat;

impl Game for Minibaccarat {
    const BOOK: &'static str = include_str!("rules.toml");
    const EXAMPLES: &'static str = include_str!("examples.jsonl");

    type Rules = house::Rules;
    type Options = house::Options;
    type Wager = Wager;
    type Play = house::Play;

    fn rules(book: &EditionBook<'_>) -> Result<house::Rules, BookError> {
        house::Rules::read(book)
    }

    fn decided_by(round: &Round<Minibaccarat>, wager: &Wager) -> Reach {
        house::decided_by(round, wager)
    }

    fn settle(rules: &house::Rules, round: &Round<Minibaccarat>) -> Result<Outcome, Refusal> {
        let mut outcome = house::settle(rules, round)?;
        let one_position = round.edition == Edition::OhJack2017;
        outcome.violations.add_if(
            one_position && a_patron_has_two_positions(&round.wagers),
            "wager.multi_position",
        );
        Ok(outcome)
    }
}

wager! {
    /// The family's wager, and who made it.
    Wager: Kind {
        ?
        pub on: Option<WagerId>,
        pub from: Option<WagerId>,
        /// The guest, for the rule of one position a guest. 8.D of the Ohio text
        pub patron: Option<String>,
    }
}
bet!(Wager);

fn a_patron_has_two_positions(wagers: &[Wager]) -> bool {
    let elsewhere = |wager: &Wager| {
        wagers
            .iter()
            .any(|other| other.patron == wager.patron && other.seat != wager.seat)
    };
    wagers
        .iter()
        .any(|wager| wager.patron.is_some() && elsewhere(wager))
}
