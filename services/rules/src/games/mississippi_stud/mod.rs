//! Mississippi stud, with its three card bonus and the Multi-Link progressive.

mod settle;
#[cfg(test)]
mod tests;

use serde::{Deserialize, Serialize};

use crate::Game;
use crate::book::{BookError, EditionBook, LeastLimit};
use crate::floor::{Card, Cents, Seat};
use crate::games::shared::deal::{Deal, Dealing};
use crate::games::shared::ohio_progressives::MultiLink;
use crate::games::shared::progressive::Meters;
use crate::games::shared::stud::areas::{self, Players};
use crate::games::shared::stud::course::{Course, StudPlay, by_seat};
use crate::games::shared::stud::deal::{BySeat, Irregularities, Irregularity};
use crate::games::shared::stud::pay_table::{FiveCardRow, PayTable, PostedOdds, ThreeCardRow};
use crate::games::shared::stud::posted::Shuffle;
use crate::refusal::Refusal;
use crate::round::{Round, document};
use crate::settlement::Outcome;
use crate::unseen::Reach;

#[derive(Debug)]
pub struct MississippiStud;

impl Game for MississippiStud {
    const BOOK: &'static str = include_str!("rules.toml");
    const EXAMPLES: &'static str = include_str!("examples.jsonl");

    type Rules = Rules;
    type Options = Options;
    type Wager = areas::Wager<Kind>;
    type Play = Play;

    fn rules(book: &EditionBook<'_>) -> Result<Rules, BookError> {
        Ok(Rules {
            main: book.minimum_table("main")?,
            three_card: book.table("three_card")?,
            multi_link: MultiLink::read(book)?,
            positions: book.figure("positions")?,
            deal: Deal::read(book)?,
            street_multiples: book.figure("street_multiples")?,
            least_limit: book.least_limit("payout_limit")?,
            largest_bonus_win: book.figure("largest_bonus_win")?,
        })
    }

    /// Who folded or left has lost what is bet on his hand, whatever it was; the three card bonus lives on with the
    /// board alone, but for the limit that it has in common with the hand.
    fn decided_by(round: &Round<MississippiStud>, wager: &areas::Wager<Kind>) -> Reach {
        let left = |seat| round.play.abandoned.contains(&seat);
        let stays_in = |seat: &Seat| {
            let is_up = |street| areas::has(&round.wagers, *seat, street);
            Kind::STREETS.into_iter().all(is_up) && !left(*seat)
        };
        let own = || areas::hands_of(Some(wager.seat).filter(stays_in));
        let board = || vec!["community".to_owned()];
        Reach::Only(match wager.kind {
            _ if left(wager.seat) => Vec::new(),
            Kind::ThreeCardBonus if round.options.payout_limit.is_none() => board(),
            Kind::ThreeCardBonus => [own(), board()].concat(),
            Kind::Progressive => {
                let seats = round.wagers.iter().map(|other| other.seat);
                let hands = areas::hands_of(seats.filter(stays_in));
                let counts = [board(), vec!["meters.progressive".to_owned()]].concat();
                [counts, hands].concat()
            }
            _ if stays_in(&wager.seat) => [own(), board()].concat(),
            _ => Vec::new(),
        })
    }

    fn settle(rules: &Rules, round: &Round<MississippiStud>) -> Result<Outcome, Refusal> {
        settle::settle(rules, round)
    }
}

/// The data file, typed.
#[derive(Debug)]
pub struct Rules {
    main: PayTable<FiveCardRow>,
    three_card: PayTable<ThreeCardRow>,
    multi_link: MultiLink,
    positions: u16,
    deal: Deal,
    /// Least and most that a street wager is, in antes.
    street_multiples: [i64; 2],
    least_limit: LeastLimit,
    /// What the three card bonus adds to the most that is won at the minimum, in antes.
    largest_bonus_win: i64,
}

#[derive(Clone, Debug, Deserialize)]
pub struct Options {
    payout_limit: Option<Cents>,
    odds_override: OddsOverride,
    three_card_bonus_offered: bool,
    two_positions_allowed: bool,
    dealing: Dealing,
    shuffle: Shuffle,
    two_decks: bool,
    table_min: Option<Cents>,
    table_max: Option<Cents>,
    progressive: bool,
    progressive_bet: Cents,
    progressive_reset: Cents,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct OddsOverride {
    main: PostedOdds<FiveCardRow>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    Ante,
    ThirdStreet,
    FourthStreet,
    FifthStreet,
    ThreeCardBonus,
    Progressive,
}

impl Kind {
    const STREETS: [Kind; 3] = [Kind::ThirdStreet, Kind::FourthStreet, Kind::FifthStreet];
}

document! {
    Play {
        ?
        pub hands: BySeat<Vec<Card>>,
        /// Up to three, in the order in which they were exposed.
        pub community: Vec<Card>,
        pub burned: Option<Vec<Card>>,
        pub abandoned: Vec<Seat>,
        pub irregularities: Irregularities,
        pub meters: Meters,
        pub players: Players,
    }
}

impl StudPlay for Play {
    type Irregularity = Irregularity;

    fn of(course: Course<Irregularity>) -> Play {
        let meters = course.meters();
        let (hands, players) = by_seat(course.hands);
        Play {
            hands,
            community: course.house,
            burned: course.burned,
            abandoned: course.abandoned,
            irregularities: Irregularities(course.irregularities),
            meters,
            players,
        }
    }
}
