//! DJ Wild stud poker: deuces and the joker are wild.

mod settle;
#[cfg(test)]
mod tests;

use serde::{Deserialize, Serialize};

use crate::Game;
use crate::book::{BookError, EditionBook, LeastLimit};
use crate::floor::{Card, Cents, Odds, Seat};
use crate::games::shared::deal::{Deal, Dealing};
use crate::games::shared::stud::areas;
use crate::games::shared::stud::course::{Course, StudPlay, by_seat};
use crate::games::shared::stud::deal::{BySeat, Irregularities, Irregularity};
use crate::games::shared::stud::pay_table::{PayTable, PostedOdds};
use crate::games::shared::stud::posted::Shuffle;
use crate::hands::wild::Category;
use crate::refusal::Refusal;
use crate::round::{Round, document};
use crate::settlement::Outcome;
use crate::unseen::Reach;

#[derive(Debug)]
pub struct DjWild;

impl Game for DjWild {
    const BOOK: &'static str = include_str!("rules.toml");
    const EXAMPLES: &'static str = include_str!("examples.jsonl");

    type Rules = Rules;
    type Options = Options;
    type Wager = areas::Wager<Kind>;
    type Play = Play;

    fn rules(book: &EditionBook<'_>) -> Result<Rules, BookError> {
        Ok(Rules {
            main: book.table("main")?,
            blind: book.minimum_table("blind")?,
            trips_wild: book.table("trips_wild")?,
            trips_natural: book.table("trips_natural")?,
            bad_beat: book.table("bad_beat")?,
            positions: book.figure("positions")?,
            deal: Deal::read(book)?,
            play_multiple: book.figure("play_multiple")?,
            least_limit: book.least_limit("payout_limit")?,
        })
    }

    /// Who folded or left has lost what is bet against the dealer, whatever he held. Winnings of one hand, or of
    /// the table, use up one limit.
    fn decided_by(round: &Round<DjWild>, wager: &areas::Wager<Kind>) -> Reach {
        let lives = |other: &areas::Wager<Kind>| {
            let plays = areas::has(&round.wagers, other.seat, Kind::Play);
            let left = round.play.abandoned.contains(&other.seat);
            (plays || other.kind == Kind::TwoWayBadBeat) && !left
        };
        if !lives(wager) {
            return Reach::Only(Vec::new());
        }
        // 12.B: ante and play are outside the limit.
        let is_limited = !matches!(wager.kind, Kind::Ante | Kind::Play);
        let of_table = round.options.payout_limit_scope == LimitScope::Table;
        let mut places = match is_limited && of_table {
            true => {
                let live = round.wagers.iter().filter(|other| lives(other));
                areas::hands_of(live.map(|other| other.seat))
            }
            false => areas::hands_of([wager.seat]),
        };
        places.push("dealer".to_owned());
        Reach::Only(places)
    }

    fn settle(rules: &Rules, round: &Round<DjWild>) -> Result<Outcome, Refusal> {
        settle::settle(rules, round)
    }
}

/// The data file, typed.
#[derive(Debug)]
pub struct Rules {
    main: MainTable,
    blind: PayTable<WildRow>,
    trips_wild: PayTable<WildRow>,
    trips_natural: PayTable<WildRow>,
    /// By the beaten hand.
    bad_beat: PayTable<WildRow>,
    positions: u16,
    deal: Deal,
    play_multiple: i64,
    least_limit: LeastLimit,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct MainTable {
    ante: Odds,
    play: Odds,
}

/// Rows for five cards with wild ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum WildRow {
    FiveWilds,
    RoyalFlush,
    FiveOfAKind,
    StraightFlush,
    FourOfAKind,
    FullHouse,
    Flush,
    Straight,
    ThreeOfAKind,
    /// Two pairs, a pair, no pair; with the blind also three of a kind.
    Lower,
}

impl From<Category> for WildRow {
    fn from(category: Category) -> WildRow {
        match category {
            Category::FiveWilds => WildRow::FiveWilds,
            Category::RoyalFlush => WildRow::RoyalFlush,
            Category::FiveOfAKind => WildRow::FiveOfAKind,
            Category::StraightFlush => WildRow::StraightFlush,
            Category::FourOfAKind => WildRow::FourOfAKind,
            Category::FullHouse => WildRow::FullHouse,
            Category::Flush => WildRow::Flush,
            Category::Straight => WildRow::Straight,
            Category::ThreeOfAKind => WildRow::ThreeOfAKind,
            Category::TwoPair | Category::Pair | Category::HighCard => WildRow::Lower,
        }
    }
}

#[derive(Clone, Debug, Deserialize)]
pub struct Options {
    two_way_bad_beat_offered: bool,
    payout_limit: Cents,
    payout_limit_scope: LimitScope,
    odds_override: OddsOverride,
    dealing: Dealing,
    shuffle: Shuffle,
    two_decks: bool,
    table_min: Option<Cents>,
    table_max: Option<Cents>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum LimitScope {
    /// Each seat has a limit of its own.
    Hand,
    /// One limit for all seats of the round.
    Table,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct OddsOverride {
    blind: PostedOdds<WildRow>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    Ante,
    Blind,
    Play,
    Trips,
    TwoWayBadBeat,
}

document! {
    Play {
        ?
        /// Folded seats too, where a bad beat is live.
        pub hands: BySeat<Vec<Card>>,
        pub dealer: Vec<Card>,
        pub abandoned: Vec<Seat>,
        pub irregularities: Irregularities,
    }
}

impl StudPlay for Play {
    type Irregularity = Irregularity;

    fn of(course: Course<Irregularity>) -> Play {
        Play {
            hands: by_seat(course.hands).0,
            dealer: course.house,
            abandoned: course.abandoned,
            irregularities: Irregularities(course.irregularities),
        }
    }
}
