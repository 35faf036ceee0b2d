//! Fast Action Hold'em: four cards each from six or eight decks, two of them kept.

mod checks;
mod house_ways;
mod ranking;
mod reach;
mod settle;
#[cfg(test)]
mod tests;

use serde::{Deserialize, Serialize};

use crate::Game;
use crate::book::{BookError, EditionBook, Layout};
use crate::floor::{Cents, Odds, Seat, WagerId};
use crate::games::shared::holdem::dealt::{Deal, Dealt};
use crate::games::shared::holdem::irregular::Irregularities;
use crate::games::shared::layout::placed_wager;
use crate::games::shared::table_cards::{TableCard, no_position};
use crate::refusal::Refusal;
use crate::round::{Round, wager};
use crate::settlement::Outcome;
use crate::unseen::Reach;

#[derive(Debug)]
pub struct FastActionHoldem;

impl Game for FastActionHoldem {
    const BOOK: &'static str = include_str!("rules.toml");
    const EXAMPLES: &'static str = include_str!("examples.jsonl");
    const RETOLD: &'static [&'static str] = &["set", "sets"];
    /// A wager outside the positions is flagged and settled, not refused.
    const LOWEST_SEAT: u16 = 0;

    type Rules = Rules;
    type Options = Options;
    type Wager = Wager;
    type Play = Play;

    fn rules(book: &EditionBook<'_>) -> Result<Rules, BookError> {
        Ok(Rules {
            pays: book.table("fast_action")?,
            surrender_percent: book.figure("surrender_percent")?,
            positions: book.figure("positions")?,
            decks_per_shoe: book.figure("decks_per_shoe")?,
            least_decks_per_batch: book.figure("least_decks_per_batch")?,
            low_minimum: book.figure("low_minimum")?,
            least_spread: book.figure("least_spread")?,
            layout: book.layout()?.clone(),
        })
    }

    fn decided_by(round: &Round<FastActionHoldem>, wager: &Wager) -> Reach {
        reach::decided_by(round, wager)
    }

    fn settle(rules: &Rules, round: &Round<FastActionHoldem>) -> Result<Outcome, Refusal> {
        settle::settle(rules, round)
    }
}

/// The data file, typed.
#[derive(Debug)]
pub struct Rules {
    pays: PayTable,
    /// What goes back of a surrendered wager.
    surrender_percent: i64,
    positions: u16,
    decks_per_shoe: Vec<u8>,
    least_decks_per_batch: u8,
    /// Up to this posted minimum the maximum is at least so many times it.
    low_minimum: Cents,
    least_spread: i64,
    layout: Layout,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct PayTable {
    natural: Odds,
    win: Odds,
}

#[derive(Clone, Debug, Deserialize)]
pub struct Options {
    decks: u8,
    shuffler: Shuffler,
    min_main: Option<Cents>,
    max_main: Option<Cents>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Shuffler {
    None,
    /// Two batches in turn.
    Automated,
    Continuous,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    Main,
    Split,
    /// A kind that this game does not have; it is never offered.
    #[serde(other)]
    Unknown,
}

wager! {
    Wager: Kind {
        ?
        /// Split: the main wager it belongs to.
        pub on: Option<WagerId>,
        /// The guest, for the rule of one betting area a guest.
        pub patron: Option<String>,
    }
}
placed_wager!(Wager, Kind);

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Play {
    #[serde(default)]
    dealer: DealerHand,
    #[serde(default)]
    board: Vec<TableCard>,
    #[serde(default)]
    hands: Vec<PlayerHand>,
    #[serde(default)]
    irregularities: Irregularities,
}

impl Play {
    fn dealt(&self, layout: &Layout) -> Dealt<'_> {
        let hands = self.hands.iter();
        Dealt {
            deal: Deal::of(layout),
            hands: hands.map(|hand| (hand.seat, &*hand.cards)).collect(),
            dealer: &self.dealer.cards,
            board: &self.board,
        }
    }
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct DealerHand {
    #[serde(default)]
    cards: Vec<TableCard>,
    /// What the dealer kept; the house way if it is not said.
    set: Option<Vec<TableCard>>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct PlayerHand {
    #[serde(default = "no_position")]
    seat: Seat,
    /// In dealing order.
    #[serde(default)]
    cards: Vec<TableCard>,
    #[serde(default)]
    action: Action,
    /// The two cards kept; twice two of a split hand, those for the main wager first.
    #[serde(default)]
    sets: Vec<Vec<TableCard>>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Action {
    Set,
    Split,
    /// Announced a natural.
    Natural,
    Surrender,
    /// None yet, or none that the rules know.
    #[default]
    #[serde(other)]
    Pending,
}
