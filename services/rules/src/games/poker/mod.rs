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
//! | `posts`, `betting`, `opener` | compulsory bets and the replay of the betting rounds |
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
mod rake;
mod room;
mod settle;
mod showdown;
#[cfg(test)]
mod tests;

use serde::Deserialize;

use crate::Game;
use crate::book::{BookError, EditionBook};
use crate::floor::Cents;
use crate::refusal::Refusal;
use crate::round::Round;
use crate::settlement::Outcome;

use forms::{Form, FormFacts};
use options::Options;
use play::{Play, Wager};

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
        let rules = Rules {
            forms: book.figure("forms")?,
            authorised: book.figure("authorised_forms")?,
            straddle_forms: book.optional_figure("straddle_forms")?.unwrap_or_default(),
            kill_forms: book.figure("kill_forms")?,
            card_by_suit_forms: book.figure("card_by_suit_forms")?,
            card_by_suit_unless_posted: book.figure("card_by_suit_unless_posted")?,
            rake: book.figure("rake")?,
            coin: book.figure("ante_coin")?,
            chips: book.figure("chips")?,
        };
        let known = |form: &Form| rules.forms.iter().any(|facts| facts.form == *form);
        match Form::ALL.iter().find(|form| !known(form)) {
            Some(form) => Err(book.error(format!("figure forms: {form:?} is missing"))),
            None => Ok(rules),
        }
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
    /// Where the text itself gives the odd chip by card and suit.
    card_by_suit_forms: Vec<Form>,
    /// Where it does so unless the licensee's submission says otherwise.
    card_by_suit_unless_posted: Vec<Form>,
    rake: RakeBounds,
    coin: AnteCoin,
    chips: Chips,
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
