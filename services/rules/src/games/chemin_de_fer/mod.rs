//! Chemin de fer: one participant banks, the others wager against him, and the house takes only the
//! vigorish on his wins.

mod cover;
mod hands;
mod settle;
#[cfg(test)]
mod tests;

use serde::{Deserialize, Serialize};

use crate::Game;
use crate::book::{BookError, EditionBook};
use crate::floor::{Card, Cents, Odds, Seat};
use crate::games::shared::baccarat::shoe::LawfulDecks;
use crate::games::shared::baccarat::vigorish::VigorishRounding;
use crate::refusal::Refusal;
use crate::round::{Round, document, wager};
use crate::settlement::Outcome;
use crate::unseen::Reach;

#[derive(Debug)]
pub struct CheminDeFer;

impl Game for CheminDeFer {
    const BOOK: &'static str = include_str!("rules.toml");
    const EXAMPLES: &'static str = include_str!("examples.jsonl");

    type Rules = Rules;
    type Options = Options;
    type Wager = Wager;
    type Play = Play;

    fn rules(book: &EditionBook<'_>) -> Result<Rules, BookError> {
        Ok(Rules {
            main: book.table("main")?,
            positions: book.figure("positions")?,
            decks: book.figure("decks")?,
            vigorish: book.figure("vigorish")?,
        })
    }

    fn decided_by(round: &Round<CheminDeFer>, _: &Wager) -> Reach {
        match round.play.irregularity {
            Some(irregularity) if irregularity.annuls() => Reach::Only(Vec::new()),
            _ => Reach::Everything,
        }
    }

    fn settle(rules: &Rules, round: &Round<CheminDeFer>) -> Result<Outcome, Refusal> {
        settle::settle(rules, round)
    }
}

/// The data file, typed.
#[derive(Debug)]
pub struct Rules {
    main: MainTable,
    /// Seats of the layout, from 1 on.
    positions: u16,
    decks: LawfulDecks,
    /// The percentages that a house may choose from.
    vigorish: Vec<Vigorish>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct MainTable {
    bank: Odds,
    against: Odds,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Vigorish {
    percent: i64,
    /// What it is rounded up to where the house rounds.
    unit: Cents,
}

#[derive(Clone, Debug, Deserialize)]
pub struct Options {
    decks: i64,
    vigorish_percent: i64,
    vigorish_rounding: VigorishRounding,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// What the Banker placed, before he took back what nobody covered.
    Bank,
    BancoSuivi,
    Banco,
    Punt,
}

wager! {
    Wager: Kind {}
}

document! {
    Play {
        ?
        pub player: Vec<Card>,
        pub banker: Vec<Card>,
        pub decision: Option<Decision>,
        /// Who controlled the Player hand.
        pub dominant_seat: Option<Seat>,
        pub irregularity: Option<Irregularity>,
        pub prior: Option<Prior>,
    }

    /// How the Banker came to this hand.
    Prior {
        pub kind: PriorKind,
        ?
        /// Opening, auction: what he offered.
        pub bid: Option<Cents>,
        /// Continuing, passed: the last bank wager, his own or his predecessor's.
        pub last_bank: Option<Cents>,
        /// The seat that equalled and lost the last decided bank wager.
        pub suivi_seat: Option<Seat>,
    }
}

/// What the Dominant Player announced.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Decision {
    Card,
    Stay,
    Natural,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Irregularity {
    WrongOrder,
    BankerExtraInitial,
    PlayerThreeInitial,
    BankerTwoThird,
    InsufficientCards,
    FaceUpCardInLastHand,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum PriorKind {
    Opening,
    Auction,
    Continuing,
    Passed,
    ForcedPass,
}
