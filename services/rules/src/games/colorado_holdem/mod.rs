//! Colorado Hold'em Poker in its two versions: bet wager required, or permissible.

mod checks;
mod reach;
mod rows;
mod settle;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use self::rows::{BonusPay, Row};
use crate::Game;
use crate::book::{BookError, EditionBook, Layout, LeastLimit};
use crate::floor::{Cents, Odds, Seat, WagerId};
use crate::games::shared::equipment::{Dealing, Shuffler};
use crate::games::shared::holdem::dealt::{Deal, Dealt};
use crate::games::shared::holdem::irregular::Irregularities;
use crate::games::shared::layout::placed_wager;
use crate::games::shared::table_cards::{TableCard, no_position};
use crate::refusal::Refusal;
use crate::round::{Round, wager};
use crate::settlement::Outcome;
use crate::unseen::Reach;

#[derive(Debug)]
pub struct ColoradoHoldem;

impl Game for ColoradoHoldem {
    const BOOK: &'static str = include_str!("rules.toml");
    const EXAMPLES: &'static str = include_str!("examples.jsonl");
    const RETOLD: &'static [&'static str] = &["discard"];
    /// A wager outside the positions is flagged and settled, not refused.
    const LOWEST_SEAT: u16 = 0;

    type Rules = Rules;
    type Options = Options;
    type Wager = Wager;
    type Play = Play;

    fn rules(book: &EditionBook<'_>) -> Result<Rules, BookError> {
        Ok(Rules {
            required: VersionRules {
                pays: book.minimum_table("colorado_required")?,
                pairs: book.figure("required_pairs")?,
            },
            permissible: VersionRules {
                pays: book.minimum_table("colorado_permissible")?,
                pairs: book.figure("permissible_pairs")?,
            },
            bonus: book.minimum_table("colorado_bonus")?,
            bonus_pair: book.figure("bonus_pair")?,
            bonus_stake: book.figure("bonus_stake")?,
            positions: book.figure("positions")?,
            least_limit: book.least_limit("payout_limit")?,
            layout: book.layout()?.clone(),
        })
    }

    fn decided_by(round: &Round<ColoradoHoldem>, wager: &Wager) -> Reach {
        reach::decided_by(round, wager)
    }

    fn settle(rules: &Rules, round: &Round<ColoradoHoldem>) -> Result<Outcome, Refusal> {
        settle::settle(rules, round)
    }
}

/// The data file, typed.
#[derive(Debug)]
pub struct Rules {
    required: VersionRules,
    permissible: VersionRules,
    /// Minimums.
    bonus: BTreeMap<Row, BonusPay>,
    /// The lowest pair of the bonus row `high_pair`, as a number: 11 is the jack.
    bonus_pair: u8,
    bonus_stake: Cents,
    positions: u16,
    least_limit: LeastLimit,
    layout: Layout,
}

impl Rules {
    fn of(&self, version: Version) -> &VersionRules {
        match version {
            Version::Required => &self.required,
            Version::Permissible => &self.permissible,
        }
    }
}

/// What differs between the versions.
#[derive(Debug)]
struct VersionRules {
    /// Minimum odds.
    pays: BTreeMap<Row, Odds>,
    pairs: Pairs,
}

/// The lowest pair that wins and the lowest that pushes, as numbers: 10 is the ten, 11 the jack.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Pairs {
    wins_from: u8,
    pushes_from: u8,
}

#[derive(Clone, Debug, Deserialize)]
pub struct Options {
    version: Version,
    paytable: BTreeMap<Row, Odds>,
    payout_limit: Option<Cents>,
    bonus: bool,
    bonus_paytable: BTreeMap<Row, BonusPay>,
    two_positions: bool,
    dealing: Dealing,
    shuffler: Shuffler,
    decks_in_rotation: u8,
    min_ante: Option<Cents>,
    max_ante: Option<Cents>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Version {
    /// Bet or fold.
    Required,
    /// The bet is optional, and there is no fold.
    Permissible,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    Ante,
    Bet,
    Bonus,
    /// A kind that this game does not have; it is never offered.
    #[serde(other)]
    Unknown,
}

wager! {
    Wager: Kind {
        ?
        /// Bet: the ante it belongs to.
        pub on: Option<WagerId>,
        /// The guest, for the rule of two positions.
        pub patron: Option<String>,
    }
}
placed_wager!(Wager, Kind);

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Play {
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
            dealer: &[],
            board: &self.board,
        }
    }
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct PlayerHand {
    #[serde(default = "no_position")]
    seat: Seat,
    #[serde(default)]
    cards: Vec<TableCard>,
    #[serde(default)]
    action: Action,
    /// Play: the card put down.
    discard: Option<TableCard>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Action {
    Play,
    Fold,
    /// Declared an instant winner.
    Instant,
    /// None yet, or none that the rules know.
    #[default]
    #[serde(other)]
    Pending,
}
