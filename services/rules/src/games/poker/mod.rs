//! The poker room: players against each other for pots; the house takes a rake, a contribution to the
//! bad beat fund or a time charge.
//!
//! | file | subject |
//! | --- | --- |
//! | `options` | what the posted sign says: limits, rake, jackpot, kill |
//! | `forms` | the forms of poker and how they differ |
//! | `play` | the types of the round document |
//! | `room` | a round as read: seats clockwise, actions with their wagers, limits in force |
//! | `incidents` | irregularities and what they do to hands and cards |
//! | `deck` | the audit of the cards, and the hands followed through the draws |
//! | `posts`, `betting`, `street`, `raises`, `words`, `opener` | compulsory bets and the replay of the betting rounds |
//! | `pots`, `rake`, `jackpot` | main pot and side pots, and what the house takes from them |
//! | `lows`, `contest`, `showdown` | rankings, the best cards for each half, who takes what |
//! | `settle` | all of it in order |

mod betting;
mod contest;
mod deck;
mod forms;
mod incidents;
mod jackpot;
mod lows;
mod opener;
mod options;
mod play;
mod posts;
mod pots;
mod raises;
mod rake;
mod room;
mod settle;
mod showdown;
mod street;
#[cfg(test)]
mod tests;
mod words;

use serde::Deserialize;

use crate::Game;
use crate::book::{BookError, EditionBook};
use crate::floor::Cents;
use crate::refusal::Refusal;
use crate::round::Round;
use crate::settlement::Outcome;

use forms::{Family, Form, FormFacts};
use options::Options;
use play::{IncidentKind, Play, Wager};

#[derive(Debug)]
pub struct Poker;

impl Game for Poker {
    const BOOK: &'static str = include_str!("rules.toml");
    const EXAMPLES: &'static str = include_str!("examples.jsonl");
    /// The chips of a pot have gone to somebody: a showdown cannot be open.
    const READS_UNSEEN: bool = true;

    type Rules = Rules;
    type Options = Options;
    type Wager = Wager;
    type Play = Play;

    fn rules(book: &EditionBook<'_>) -> Result<Rules, BookError> {
        Ok(Rules {
            forms: book.figure("forms")?,
            authorised: book.figure("authorised_forms")?,
            straddle_forms: book.optional_figure("straddle_forms")?.unwrap_or_default(),
            kill_forms: book.figure("kill_forms")?,
            incidents: book.figure("incidents")?,
            exposing: book
                .optional_figure("exposing_incidents")?
                .unwrap_or_default(),
            withholds: book.optional_figure("withheld_share")?.unwrap_or_default(),
            rake: book.figure("rake")?,
            coin: book.figure("ante_coin")?,
            chips: book.figure("chips")?,
        })
    }

    fn settle(rules: &Rules, round: &Round<Poker>) -> Result<Outcome, Refusal> {
        settle::settle(rules, round)
    }
}

/// The data file, typed.
#[derive(Debug)]
pub struct Rules {
    forms: Vec<FormFacts>,
    /// 8(a): what this edition lets a room offer.
    authorised: Vec<Form>,
    straddle_forms: Vec<Form>,
    kill_forms: Vec<Form>,
    incidents: Vec<IncidentFacts>,
    /// Incidents that show a card which has to be dealt unseen.
    exposing: Vec<IncidentKind>,
    /// A share of the contributions may be withheld. 19(b)(2)
    withholds: bool,
    rake: RakeBounds,
    coin: AnteCoin,
    chips: Chips,
}

/// What an incident tells, and where it can happen. 15
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct IncidentFacts {
    incident: IncidentKind,
    keys: Vec<String>,
    #[serde(default)]
    optional: Vec<String>,
    /// The families of forms that know it; all if left out.
    families: Option<Vec<Family>>,
}

/// 14(b)
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct RakeBounds {
    most_bp: i64,
    intervals: Vec<i64>,
}

/// 7(c): antes below a dollar are coin, in quarters and halves.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct AnteCoin {
    below: Cents,
    unit: Cents,
}

/// 9(i)2: how a pot is divided.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Chips {
    /// Units, the largest first.
    units: Vec<Cents>,
    /// The most that may remain as an odd chip.
    most_excess: Cents,
}
