//! Three card poker: ante and play against the dealer, pair plus, six card bonus, cover all and the
//! progressive with envy.

mod flags;
mod hands;
mod settle;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::num::NonZeroU64;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use self::hands::{HandTable, Row};
use super::shared::ante_play::{self, DealtHand, Decision, Places, Shuffler};
use super::shared::deal::{Deal, Dealing, Irregular};
use super::shared::five_card_table::FiveCardTable;
use super::shared::progressive::{Envy, Meters};
use super::shared::stud::areas;
use super::shared::stud::course::{Course, StudPlay, any};
use crate::book::{BookError, EditionBook, LeastLimit, Pay};
use crate::floor::{Card, Cents, Odds};
use crate::refusal::Refusal;
use crate::round::{Round, document};
use crate::settlement::Outcome;
use crate::unseen::Reach;
use crate::{Edition, Game};

#[derive(Debug)]
pub struct ThreeCardPoker;

impl Game for ThreeCardPoker {
    const BOOK: &'static str = include_str!("rules.toml");
    const EXAMPLES: &'static str = include_str!("examples.jsonl");

    type Rules = Rules;
    type Options = Options;
    type Wager = Wager;
    type Play = Play;

    fn rules(book: &EditionBook<'_>) -> Result<Rules, BookError> {
        let ohio = book.edition() == Edition::OhJack2017;
        let columns = 1..=COVER_ALL_COLUMNS;
        let cover_all = columns.map(|hands| format!("cover_all_{hands}"));
        Ok(Rules {
            deal: Deal::read(book)?,
            buying: ante_play::buying(book)?,
            kinds: book.kinds()?,
            main: book.table("main")?,
            ante_bonus: tables(book, "ante_bonus", &AnteBonus::ALL)?,
            pair_plus_floor: book.minimum_table("pair_plus")?,
            six_card: tables(book, "six_card", &SixCardTable::ALL)?,
            cover_all: cover_all
                .filter(|id| book.has_table(id))
                .map(|id| book.table(&id))
                .collect::<Result<_, _>>()?,
            progressive: tables(book, "progressive", &ProgressiveTable::ALL)?,
            envy: book
                .has_table("envy")
                .then(|| book.table("envy"))
                .transpose()?,
            positions: book.figure("positions")?,
            positions_a_player: book.figure("positions_a_player")?,
            compulsory_ratio: book.figure("compulsory_ratio")?,
            least_limit: ohio.then(|| book.least_limit("max_payout")).transpose()?,
            filed_progressive_bet: ohio
                .then(|| book.figure("filed_progressive_bet"))
                .transpose()?,
        })
    }

    /// What was done with a hand decides which wagers still look at it. Cover all looks at every hand that was shown.
    fn decided_by(round: &Round<ThreeCardPoker>, wager: &Wager) -> Reach {
        let Round { wagers, play, .. } = round;
        let hands = &play.hands;
        let places = Places { wagers, hands };
        let with_dealer = |hands: Vec<String>| [hands, vec!["dealer".to_owned()]].concat();
        let unshown = [Decision::Forfeit, Decision::Abandoned];
        Reach::Only(match wager.kind {
            Kind::Ante | Kind::Play => places.against_dealer(wager),
            Kind::PairPlus if round.edition == Edition::OhJack2017 => {
                places.own(wager, &Decision::GIVEN_UP)
            }
            Kind::PairPlus => places.own(wager, &unshown),
            Kind::SixCardBonus => with_dealer(places.own(wager, &unshown)),
            Kind::CoverAll => {
                let is_shown = |hand: &DealtHand| hand.decision != Some(Decision::Forfeit);
                with_dealer(places.hands(is_shown))
            }
            Kind::Progressive => {
                places.progressive(wager, round.options.progressive_folded_qualify)
            }
        })
    }

    fn settle(rules: &Rules, round: &Round<ThreeCardPoker>) -> Result<Outcome, Refusal> {
        settle::settle(rules, round)
    }
}

/// Cover all has odds for one to seven hands.
const COVER_ALL_COLUMNS: usize = 7;

/// The tables of one name that the edition has, by the word that chooses among them.
fn tables<K: Copy + Ord, T: DeserializeOwned>(
    book: &EditionBook<'_>,
    name: &str,
    words: &[(&str, K)],
) -> Result<BTreeMap<K, T>, BookError> {
    words
        .iter()
        .map(|&(word, key)| (format!("{name}_{word}"), key))
        .filter(|(id, _)| book.has_table(id))
        .map(|(id, key)| Ok((key, book.table(&id)?)))
        .collect()
}

/// The data file of one edition, typed.
#[derive(Debug)]
pub struct Rules {
    deal: Deal,
    /// Wagers that each buy a hand.
    buying: Vec<Kind>,
    kinds: Vec<Kind>,
    main: MainTable,
    ante_bonus: BTreeMap<AnteBonus, HandTable<Odds>>,
    pair_plus_floor: HandTable<Odds>,
    six_card: BTreeMap<SixCardTable, FiveCardTable<Odds>>,
    /// By the number of hands, from one; empty where it is not offered.
    cover_all: Vec<HandTable<Odds>>,
    progressive: BTreeMap<ProgressiveTable, HandTable<Pay>>,
    envy: Option<HandTable<Envy>>,
    positions: u16,
    positions_a_player: u64,
    compulsory_ratio: i64,
    least_limit: Option<LeastLimit>,
    filed_progressive_bet: Option<Cents>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct MainTable {
    ante: Odds,
    play: Odds,
}

/// The options of all editions; the data file says which are of which.
#[derive(Clone, Debug, Deserialize)]
pub struct Options {
    version: Version,
    /// Left out, it follows from the version.
    ante_bonus: Option<AnteBonus>,
    pair_plus_pays: BTreeMap<Row, Odds>,
    six_card_table: Option<SixCardTable>,
    offered: Vec<Kind>,
    progressive_table: Option<ProgressiveTable>,
    #[serde(default)]
    progressive_folded_qualify: bool,
    #[serde(default)]
    progressive_bet: Cents,
    #[serde(default)]
    progressive_reset: Cents,
    max_payout: Option<Cents>,
    dealing: Dealing,
    max_positions: u64,
    shuffler: Shuffler,
    alternating_decks: bool,
}

/// How ante and pair plus depend on each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Version {
    Open,
    AnteCoversPairPlus,
    AnteHalfPairPlus,
    CompulsoryBoth,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
enum AnteBonus {
    #[serde(rename = "standard")]
    Standard,
    A,
    B,
    C,
}

impl AnteBonus {
    const ALL: [(&str, AnteBonus); 4] = [
        ("standard", AnteBonus::Standard),
        ("a", AnteBonus::A),
        ("b", AnteBonus::B),
        ("c", AnteBonus::C),
    ];
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
enum SixCardTable {
    #[serde(rename = "standard")]
    Standard,
    #[serde(rename = "tcp_6b1")]
    Tcp6B1,
    #[serde(rename = "tcp_6b2")]
    Tcp6B2,
    #[serde(rename = "tcp_6b3")]
    Tcp6B3,
    #[serde(rename = "tcp_6b4")]
    Tcp6B4,
}

impl SixCardTable {
    const ALL: [(&str, SixCardTable); 5] = [
        ("standard", SixCardTable::Standard),
        ("tcp_6b1", SixCardTable::Tcp6B1),
        ("tcp_6b2", SixCardTable::Tcp6B2),
        ("tcp_6b3", SixCardTable::Tcp6B3),
        ("tcp_6b4", SixCardTable::Tcp6B4),
    ];
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
enum ProgressiveTable {
    #[serde(rename = "standard")]
    Standard,
    #[serde(rename = "1")]
    One,
    #[serde(rename = "2")]
    Two,
    #[serde(rename = "3")]
    Three,
}

impl ProgressiveTable {
    const ALL: [(&str, ProgressiveTable); 4] = [
        ("standard", ProgressiveTable::Standard),
        ("1", ProgressiveTable::One),
        ("2", ProgressiveTable::Two),
        ("3", ProgressiveTable::Three),
    ];
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    Ante,
    Play,
    PairPlus,
    SixCardBonus,
    CoverAll,
    Progressive,
}

impl ante_play::Kind for Kind {
    const ANTE: Kind = Kind::Ante;
    const PLAY: Kind = Kind::Play;
}

type Wager = areas::Wager<Kind>;

document! {
    Play {
        pub hands: Vec<DealtHand>,
        ?
        pub dealer: Option<Vec<Card>>,
        /// Not in the text without a progressive.
        pub meters: Option<Meters>,
        pub irregularities: Vec<Irregularity>,
    }

    Irregularity {
        pub code: Irregular,
        ?
        pub count: Option<NonZeroU64>,
        /// Ohio: a supervisor honours the wagers that the dealer's hand does not touch.
        pub independent_wagers_stand: bool,
    }
}

impl StudPlay for Play {
    type Irregularity = Irregularity;

    fn of(course: Course<Irregularity>) -> Play {
        let is_read = !course.meters.is_empty();
        Play {
            meters: is_read.then(|| course.meters()),
            dealer: any(course.house),
            hands: course.hands,
            irregularities: course.irregularities,
        }
    }
}
