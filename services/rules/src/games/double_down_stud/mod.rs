//! Double down stud.

mod settle;
#[cfg(test)]
mod tests;

use serde::{Deserialize, Serialize};

use crate::Game;
use crate::book::{BookError, EditionBook, LeastLimit};
use crate::floor::{Card, Cents};
use crate::games::shared::deal::{Deal, Dealing};
use crate::games::shared::stud::areas::{self, Players};
use crate::games::shared::stud::course::{Course, StudPlay, by_seat};
use crate::games::shared::stud::deal::{BySeat, Irregularities, Irregularity};
use crate::games::shared::stud::pay_table::{FiveCardRow, PayTable, PostedOdds};
use crate::games::shared::stud::posted::Shuffle;
use crate::refusal::Refusal;
use crate::round::{Round, document};
use crate::settlement::Outcome;
use crate::unseen::Reach;

#[derive(Debug)]
pub struct DoubleDownStud;

impl Game for DoubleDownStud {
    const BOOK: &'static str = include_str!("rules.toml");
    const EXAMPLES: &'static str = include_str!("examples.jsonl");

    type Rules = Rules;
    type Options = Options;
    type Wager = areas::Wager<Kind>;
    type Play = Play;

    fn rules(book: &EditionBook<'_>) -> Result<Rules, BookError> {
        Ok(Rules {
            main: book.minimum_table("main")?,
            positions: book.figure("positions")?,
            deal: Deal::read(book)?,
            least_limit: book.least_limit("payout_limit")?,
        })
    }

    /// The own card and the common ones.
    fn decided_by(_: &Round<DoubleDownStud>, wager: &areas::Wager<Kind>) -> Reach {
        let mut places = areas::hands_of([wager.seat]);
        places.push("dealer".to_owned());
        Reach::Only(places)
    }

    fn settle(rules: &Rules, round: &Round<DoubleDownStud>) -> Result<Outcome, Refusal> {
        settle::settle(rules, round)
    }
}

/// The data file, typed.
#[derive(Debug)]
pub struct Rules {
    main: PayTable<FiveCardRow>,
    positions: u16,
    deal: Deal,
    least_limit: LeastLimit,
}

#[derive(Clone, Debug, Deserialize)]
pub struct Options {
    payout_limit: Option<Cents>,
    odds_override: OddsOverride,
    two_areas_allowed: bool,
    dealing: Dealing,
    shuffle: Shuffle,
    two_decks: bool,
    table_min: Option<Cents>,
    table_max: Option<Cents>,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct OddsOverride {
    main: PostedOdds<FiveCardRow>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    Bet,
    DoubleDown,
}

document! {
    Play {
        ?
        /// One card each.
        pub hands: BySeat<Vec<Card>>,
        /// The four common cards; the first is the hole card.
        pub dealer: Vec<Card>,
        pub irregularities: Irregularities,
        pub players: Players,
    }
}

impl StudPlay for Play {
    type Irregularity = Irregularity;

    fn of(course: Course<Irregularity>) -> Play {
        let (hands, players) = by_seat(course.hands);
        Play {
            hands,
            dealer: course.house,
            irregularities: Irregularities(course.irregularities),
            players,
        }
    }
}
