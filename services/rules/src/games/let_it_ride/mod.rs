//! Let It Ride poker, with its two bonus wagers and the Multi-Link progressive.

mod settle;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::Game;
use crate::book::{BookError, EditionBook, LeastLimit};
use crate::floor::{Card, Cents, Seat};
use crate::games::shared::deal::{Deal, Dealing};
use crate::games::shared::ohio_progressives::MultiLink;
use crate::games::shared::progressive::Meters;
use crate::games::shared::stud::areas::{self, Players};
use crate::games::shared::stud::course::{Course, StudPlay, any, by_seat};
use crate::games::shared::stud::deal::{BySeat, Irregularities, Irregularity};
use crate::games::shared::stud::pay_table::{FiveCardRow, PayTable, PostedOdds, ThreeCardRow};
use crate::games::shared::stud::posted::Shuffle;
use crate::refusal::Refusal;
use crate::round::{Round, document};
use crate::settlement::Outcome;
use crate::unseen::Reach;

#[derive(Debug)]
pub struct LetItRide;

impl Game for LetItRide {
    const BOOK: &'static str = include_str!("rules.toml");
    const EXAMPLES: &'static str = include_str!("examples.jsonl");

    type Rules = Rules;
    type Options = Options;
    type Wager = areas::Wager<Kind>;
    type Play = Play;

    fn rules(book: &EditionBook<'_>) -> Result<Rules, BookError> {
        let mut three_card = BTreeMap::new();
        for name in ThreeCardPayTable::ALL {
            if book.has_table(name.id()) {
                three_card.insert(name, book.minimum_table(name.id())?);
            }
        }
        let has_progressive = book.has_table("multi_link_progressive");
        Ok(Rules {
            offered: book.kinds()?,
            main: book.minimum_table("main")?,
            let_it_ride_bonus: book.minimum_table("let_it_ride_bonus")?,
            three_card,
            multi_link: has_progressive.then(|| MultiLink::read(book)).transpose()?,
            positions: book.figure("positions")?,
            deal: Deal::read(book)?,
            bonus_stake: book.figure("bonus_stake")?,
            least_limit: book.least_limit("payout_limit")?,
        })
    }

    /// A bet that was taken back, or that its player left, looks at no card.
    fn decided_by(round: &Round<LetItRide>, wager: &areas::Wager<Kind>) -> Reach {
        let play = &round.play;
        let decisions = play.decisions.get(wager.seat);
        let decided = decisions.and_then(|seat| match wager.kind {
            Kind::Bet1 => seat.bet_1,
            Kind::Bet2 => seat.bet_2,
            _ => None,
        });
        let left = |seat| settle::is_abandoned(round, seat);
        if left(wager.seat) || decided == Some(Decision::Withdraw) {
            return Reach::Only(Vec::new());
        }
        let own = || areas::hands_of([wager.seat]);
        let board = || vec!["community".to_owned()];
        Reach::Only(match wager.kind {
            Kind::ThreeCardBonus => own(),
            Kind::Progressive => {
                let seats = round.wagers.iter().map(|other| other.seat);
                let hands = areas::hands_of(seats.filter(|seat| !left(*seat)));
                [hands, board(), vec!["meters.progressive".to_owned()]].concat()
            }
            _ => [own(), board()].concat(),
        })
    }

    fn settle(rules: &Rules, round: &Round<LetItRide>) -> Result<Outcome, Refusal> {
        settle::settle(rules, round)
    }
}

/// The data file of one edition, typed.
#[derive(Debug)]
pub struct Rules {
    offered: Vec<Kind>,
    main: PayTable<FiveCardRow>,
    let_it_ride_bonus: PayTable<FiveCardRow>,
    three_card: BTreeMap<ThreeCardPayTable, PayTable<ThreeCardRow>>,
    multi_link: Option<MultiLink>,
    positions: u16,
    deal: Deal,
    bonus_stake: Cents,
    least_limit: LeastLimit,
}

/// Both editions' options; the data file says which values are of which.
#[derive(Clone, Debug, Deserialize)]
pub struct Options {
    three_card_bonus_paytable: Option<ThreeCardPayTable>,
    let_it_ride_bonus_offered: bool,
    let_it_ride_bonus_stake_returned: bool,
    payout_limit: Option<Cents>,
    odds_override: OddsOverride,
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

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
enum ThreeCardPayTable {
    A,
    B,
    C,
    D,
    E,
    F,
    #[serde(rename = "standard")]
    Standard,
}

impl ThreeCardPayTable {
    const ALL: [ThreeCardPayTable; 7] = [
        ThreeCardPayTable::A,
        ThreeCardPayTable::B,
        ThreeCardPayTable::C,
        ThreeCardPayTable::D,
        ThreeCardPayTable::E,
        ThreeCardPayTable::F,
        ThreeCardPayTable::Standard,
    ];

    fn id(self) -> &'static str {
        match self {
            ThreeCardPayTable::A => "three_card_a",
            ThreeCardPayTable::B => "three_card_b",
            ThreeCardPayTable::C => "three_card_c",
            ThreeCardPayTable::D => "three_card_d",
            ThreeCardPayTable::E => "three_card_e",
            ThreeCardPayTable::F => "three_card_f",
            ThreeCardPayTable::Standard => "three_card_standard",
        }
    }
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct OddsOverride {
    main: PostedOdds<FiveCardRow>,
    three_card_bonus: PostedOdds<ThreeCardRow>,
    let_it_ride_bonus: BTreeMap<FiveCardRow, Cents>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    #[serde(rename = "bet_1")]
    Bet1,
    #[serde(rename = "bet_2")]
    Bet2,
    #[serde(rename = "bet_3")]
    Bet3,
    LetItRideBonus,
    ThreeCardBonus,
    Progressive,
}

impl Kind {
    const BETS: [Kind; 3] = [Kind::Bet1, Kind::Bet2, Kind::Bet3];
}

document! {
    Play {
        ?
        pub hands: BySeat<Vec<Card>>,
        /// The two that count, in the order in which they were exposed.
        pub community: Vec<Card>,
        pub burned: Option<Vec<Card>>,
        pub decisions: BySeat<Decisions>,
        /// Ohio only.
        pub abandoned: Option<Vec<Seat>>,
        /// Seats that management ruled valid in a void round.
        pub ruled_valid: Vec<Seat>,
        pub irregularities: Irregularities,
        /// Ohio only.
        pub meters: Option<Meters>,
        pub players: Players,
    }

    /// What a player does with each bet; left out, it rides.
    Decisions {
        ?
        pub bet_1: Option<Decision>,
        pub bet_2: Option<Decision>,
        pub bet_3: Option<Decision>,
    }
}

impl StudPlay for Play {
    type Irregularity = Irregularity;

    fn of(course: Course<Irregularity>) -> Play {
        let is_read = !course.meters.is_empty();
        let meters = is_read.then(|| course.meters());
        let (hands, players) = by_seat(course.hands);
        let decisions = course.rides.iter();
        Play {
            hands,
            community: course.house,
            burned: course.burned,
            decisions: decisions
                .map(|(seat, rides)| (*seat, Decisions::of(rides)))
                .collect(),
            abandoned: any(course.abandoned),
            ruled_valid: course.ruled_valid,
            irregularities: Irregularities(course.irregularities),
            meters,
            players,
        }
    }
}

impl Decisions {
    fn of(said: &BTreeMap<&str, &str>) -> Decisions {
        let of = |bet| {
            said.get(bet).map(|word| match *word {
                "withdraw" => Decision::Withdraw,
                _ => Decision::Ride,
            })
        };
        Decisions {
            bet_1: of("bet_1"),
            bet_2: of("bet_2"),
            bet_3: of("bet_3"),
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Decision {
    Ride,
    Withdraw,
}
