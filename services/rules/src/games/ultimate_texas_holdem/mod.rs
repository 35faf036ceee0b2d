//! Ultimate Texas Hold'em, with the Trips wager and the Multi-Link progressive.

mod checks;
mod reach;
mod settle;
#[cfg(test)]
mod tests;

use serde::{Deserialize, Serialize};

use crate::Game;
use crate::book::{BookError, EditionBook, Layout};
use crate::floor::{Cents, Odds, WagerId};
use crate::games::shared::equipment::{Dealing, Shuffler};
use crate::games::shared::holdem;
use crate::games::shared::layout::placed_wager;
use crate::games::shared::ohio_progressives::MultiLink;
use crate::hands::five::Category;
use crate::refusal::Refusal;
use crate::round::{Round, wager};
use crate::settlement::Outcome;
use crate::unseen::Reach;

#[derive(Debug)]
pub struct UltimateTexasHoldem;

impl Game for UltimateTexasHoldem {
    const BOOK: &'static str = include_str!("rules.toml");
    const EXAMPLES: &'static str = include_str!("examples.jsonl");
    /// A wager outside the positions is flagged and settled, not refused.
    const LOWEST_SEAT: u16 = 0;

    type Rules = Rules;
    type Options = Options;
    type Wager = Wager;
    type Play = holdem::Play<Decision>;

    fn rules(book: &EditionBook<'_>) -> Result<Rules, BookError> {
        Ok(Rules {
            main: book.table("main")?,
            blind: book.table("uth_blind")?,
            trips: book.table("uth_trips_a")?,
            multi_link: MultiLink::read(book)?,
            positions: book.figure("positions")?,
            play_multiples: book.figure("play_multiples")?,
            payout_limit: book.figure("payout_limit")?,
            minimum_bettor: book.figure("minimum_bettor")?,
            layout: book.layout()?.clone(),
        })
    }

    fn decided_by(round: &Round<UltimateTexasHoldem>, wager: &Wager) -> Reach {
        reach::decided_by(round, wager)
    }

    fn settle(rules: &Rules, round: &Round<UltimateTexasHoldem>) -> Result<Outcome, Refusal> {
        settle::settle(rules, round)
    }
}

/// The data file, typed.
#[derive(Debug)]
pub struct Rules {
    main: MainTable,
    blind: BlindTable,
    trips: TripsTable,
    multi_link: MultiLink,
    positions: u16,
    play_multiples: PlayMultiples,
    payout_limit: Cents,
    minimum_bettor: MinimumBettor,
    layout: Layout,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct MainTable {
    ante: Odds,
    play: Odds,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct BlindTable {
    royal_flush: Odds,
    straight_flush: Odds,
    four_of_a_kind: Odds,
    full_house: Odds,
    flush: Odds,
    straight: Odds,
    lower: Push,
}

impl BlindTable {
    /// `None` where a winning hand only gets the stake back.
    fn odds(&self, hand: Category) -> Option<Odds> {
        match hand {
            Category::RoyalFlush => Some(self.royal_flush),
            Category::StraightFlush => Some(self.straight_flush),
            Category::FourOfAKind => Some(self.four_of_a_kind),
            Category::FullHouse => Some(self.full_house),
            Category::Flush => Some(self.flush),
            Category::Straight => Some(self.straight),
            Category::ThreeOfAKind | Category::TwoPair | Category::Pair | Category::HighCard => {
                match self.lower {
                    Push::Push => None,
                }
            }
        }
    }
}

/// A row that gives the stake back.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Push {
    Push,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct TripsTable {
    royal_flush: Odds,
    straight_flush: Odds,
    four_of_a_kind: Odds,
    full_house: Odds,
    flush: Odds,
    straight: Odds,
    three_of_a_kind: Odds,
}

impl TripsTable {
    /// `None` where the wager loses.
    fn odds(&self, hand: Category) -> Option<Odds> {
        match hand {
            Category::RoyalFlush => Some(self.royal_flush),
            Category::StraightFlush => Some(self.straight_flush),
            Category::FourOfAKind => Some(self.four_of_a_kind),
            Category::FullHouse => Some(self.full_house),
            Category::Flush => Some(self.flush),
            Category::Straight => Some(self.straight),
            Category::ThreeOfAKind => Some(self.three_of_a_kind),
            Category::TwoPair | Category::Pair | Category::HighCard => None,
        }
    }
}

/// What a play wager may be, in antes, by the moment it is made.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct PlayMultiples {
    preflop: Vec<i64>,
    flop: Vec<i64>,
    river: Vec<i64>,
}

/// The most that a guest can win who bets the minimum: so many antes and trips wagers.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct MinimumBettor {
    antes: i64,
    trips: i64,
}

#[derive(Clone, Debug, Deserialize)]
pub struct Options {
    dealing: Dealing,
    shuffler: Shuffler,
    decks_in_rotation: u8,
    trips_offered: bool,
    min_ante: Cents,
    min_trips: Cents,
    max_ante: Option<Cents>,
    max_trips: Option<Cents>,
    progressive: bool,
    progressive_bet: Cents,
    progressive_reset: Cents,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    Ante,
    Blind,
    Play,
    Trips,
    Progressive,
    /// A kind that this game does not have; it is never offered.
    #[serde(other)]
    Unknown,
}

wager! {
    Wager: Kind {
        ?
        /// Play: the ante it belongs to.
        pub on: Option<WagerId>,
        /// Play: when it was made.
        pub stage: Option<Stage>,
        /// The guest, for the rule of one position a guest.
        pub patron: Option<String>,
    }
}
placed_wager!(Wager, Kind);

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Stage {
    Preflop,
    Flop,
    River,
    #[serde(other)]
    Unknown,
}

type PlayerHand = holdem::PlayerHand<Decision>;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Decision {
    Play,
    Fold,
    /// Folded, with the cards left under the trips wager.
    FoldKeepTrips,
    /// None yet, or none that the rules know.
    #[default]
    #[serde(other)]
    Pending,
}

impl Decision {
    fn is_fold(self) -> bool {
        matches!(self, Decision::Fold | Decision::FoldKeepTrips)
    }
}
