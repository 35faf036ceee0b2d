//! Big six: a wheel of 54 sections.

mod settle;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use crate::book::{BookError, EditionBook};
use crate::floor::Odds;
use crate::refusal::Refusal;
use crate::round::{Round, document, wager};
use crate::settlement::Outcome;
use crate::{Edition, Game, PostedLimits};

#[derive(Debug)]
pub struct BigSix;

impl Game for BigSix {
    const BOOK: &'static str = include_str!("rules.toml");
    const EXAMPLES: &'static str = include_str!("examples.jsonl");

    type Rules = Rules;
    type Options = Options;
    type Wager = Wager;
    type Play = Play;

    fn rules(book: &EditionBook<'_>) -> Result<Rules, BookError> {
        let odds: BTreeMap<Kind, Odds> = match book.edition() {
            Edition::OhJack2017 => book.table("main")?,
            _ => book.minimum_table("main")?,
        };
        let sections: BTreeMap<Symbol, u32> = book.figure("sections")?;
        let bet_on: BTreeSet<Symbol> = odds.keys().map(|kind| kind.symbol()).collect();
        if !bet_on.iter().eq(sections.keys()) {
            return Err(book.error("odds for each symbol of the wheel, and no others"));
        }
        Ok(Rules {
            odds,
            symbols: bet_on,
            text: match book.edition() {
                Edition::OhJack2017 => Text::Ohio {
                    least_walk_spins: book.figure("least_walk_spins")?,
                },
                _ => Text::Massachusetts {
                    order: read_order(book, &sections)?,
                    least_turns: book.figure("least_turns")?,
                },
            },
        })
    }

    fn settle(rules: &Rules, round: &Round<BigSix>) -> Result<Outcome, Refusal> {
        settle::settle(rules, round)
    }
}

/// The prescribed order of the wheel, which must have the prescribed sections.
fn read_order(
    book: &EditionBook<'_>,
    sections: &BTreeMap<Symbol, u32>,
) -> Result<Vec<Symbol>, BookError> {
    let order: Vec<Symbol> = book.figure("wheel_order")?;
    let mut counted = BTreeMap::new();
    for &symbol in &order {
        *counted.entry(symbol).or_default() += 1;
    }
    if counted != *sections {
        return Err(book.error("wheel_order does not have the sections of the wheel"));
    }
    Ok(order)
}

/// The data file of one edition, typed.
#[derive(Debug)]
pub struct Rules {
    /// Of every wager that the edition has.
    odds: BTreeMap<Kind, Odds>,
    symbols: BTreeSet<Symbol>,
    text: Text,
}

/// What only one of the texts demands.
#[derive(Debug)]
enum Text {
    /// Odds are minimum odds.
    Massachusetts {
        /// Clockwise.
        order: Vec<Symbol>,
        /// Turns that make a valid spin.
        least_turns: u32,
    },
    /// Other odds need a written approval.
    Ohio { least_walk_spins: u32 },
}

/// A section of the wheel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize, Serialize)]
pub enum Symbol {
    #[serde(rename = "1")]
    One,
    #[serde(rename = "2")]
    Two,
    #[serde(rename = "5")]
    Five,
    #[serde(rename = "10")]
    Ten,
    #[serde(rename = "20")]
    Twenty,
    #[serde(rename = "joker")]
    Joker,
    #[serde(rename = "flag")]
    Flag,
    #[serde(rename = "casino_name")]
    CasinoName,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize, Serialize)]
pub enum Kind {
    #[serde(rename = "insignia_1")]
    Insignia1,
    #[serde(rename = "insignia_2")]
    Insignia2,
    #[serde(rename = "insignia_5")]
    Insignia5,
    #[serde(rename = "insignia_10")]
    Insignia10,
    #[serde(rename = "insignia_20")]
    Insignia20,
    #[serde(rename = "joker")]
    Joker,
    #[serde(rename = "flag")]
    Flag,
    #[serde(rename = "casino_name")]
    CasinoName,
}

impl Kind {
    fn symbol(self) -> Symbol {
        match self {
            Kind::Insignia1 => Symbol::One,
            Kind::Insignia2 => Symbol::Two,
            Kind::Insignia5 => Symbol::Five,
            Kind::Insignia10 => Symbol::Ten,
            Kind::Insignia20 => Symbol::Twenty,
            Kind::Joker => Symbol::Joker,
            Kind::Flag => Symbol::Flag,
            Kind::CasinoName => Symbol::CasinoName,
        }
    }
}

#[derive(Clone, Debug, Deserialize)]
pub struct Options {
    between: Between,
    pays: BTreeMap<Kind, Odds>,
    #[serde(default)]
    odds_approved: bool,
    limits: PostedLimits<Kind>,
}

/// What a clapper between two sections means.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Between {
    /// The section passed last wins.
    Previous,
    /// The spin is void.
    Respin,
}

wager! {
    Wager: Kind {
        ?
        /// Made after no more bets.
        pub late: bool,
    }
}

document! {
    Play {
        /// Attempts in order; the first valid one is the last entry.
        pub spins: Vec<Spin>,
    }

    #[derive(Default)]
    Spin {
        ?
        pub stop: Option<Symbol>,
        /// The section passed last by a clapper that stuck between two.
        pub passed: Option<Symbol>,
        pub next: Option<Symbol>,
        pub revolutions: Option<u32>,
        pub walk_spins: Option<u32>,
        /// Why the spin was called off, in the dealer's word.
        pub no_spin: Option<String>,
    }
}
