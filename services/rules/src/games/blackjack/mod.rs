//! Blackjack: the Massachusetts game with its variations and side wagers, and the Ohio game.

mod config;
mod flags;
mod progressive;
mod reach;
mod settle;
mod sides;
mod tables;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::shared::blackjack::{Act, BoxWager, HoleCard, Purse, Role, Shuffler, table_play};
pub use super::shared::blackjack::{Step, ToldBox, VoidRound};
use super::shared::posted_odds::PostedOdds;
pub use super::shared::progressive::Meters;
use crate::book::{BookError, EditionBook};
use crate::floor::{Card, Cents, Odds, WagerId};
use crate::refusal::Refusal;
use crate::round::{Round, Shown, document, given, wager};
use crate::settlement::Outcome;
use crate::unseen::Reach;
use crate::{Game, Limits};

#[derive(Debug)]
pub struct Blackjack;

impl Game for Blackjack {
    const BOOK: &'static str = include_str!("rules.toml");
    const EXAMPLES: &'static str = include_str!("examples.jsonl");
    /// A wager on a seat that is no box is settled and flagged as `table.seat`; 0 is such a seat.
    const LOWEST_SEAT: u16 = 0;

    type Rules = tables::Rules;
    type Options = Options;
    type Wager = Wager;
    type Play = Play;

    fn rules(book: &EditionBook<'_>) -> Result<tables::Rules, BookError> {
        tables::Rules::read(book)
    }

    const RETOLD: &'static [&'static str] = &["determinant"];

    fn decided_by(round: &Round<Blackjack>, wager: &Wager) -> Reach {
        reach::decided_by(round, wager)
    }

    fn settle(rules: &tables::Rules, round: &Round<Blackjack>) -> Result<Outcome, Refusal> {
        settle::settle(rules, round)
    }
}

/// Both editions' options; the data file says which are of which.
#[derive(Clone, Debug, Deserialize)]
pub struct Options {
    decks: i64,
    boxes: i64,
    hole_card: HoleCard,
    dealer_hits_soft_17: bool,
    chip_unit: Cents,
    side_bets: Vec<String>,
    progressive_reset: Cents,
    #[serde(default)]
    progressive_rate: i64,
    boxes_per_player: i64,
    shuffler: Shuffler,
    limits: BTreeMap<Kind, Limits>,
    pays: PostedOdds,

    // Massachusetts
    #[serde(default)]
    variation: Variation,
    #[serde(default)]
    bonus_payouts: Vec<BonusPayout>,
    designated_blackjack: Option<[Card; 2]>,
    #[serde(default)]
    even_money: bool,
    #[serde(default)]
    surrender: bool,
    max_split_hands: Option<usize>,
    #[serde(default)]
    resplit_aces: bool,
    #[serde(default = "yes")]
    double_after_split: bool,
    #[serde(default)]
    royal_match_option: u8,
    #[serde(default)]
    twenty_point_table: TwentyPointChoice,
    twenty_point_aggregate_max: Option<Cents>,
    #[serde(default)]
    min_spots: usize,
    players_per_box: Option<i64>,
    double_shoe: Option<DoubleShoe>,

    // Ohio
    blackjack_pays: Option<Odds>,
    kings_bounty_max_payout: Option<Cents>,
    #[serde(default)]
    dealt_from: DealtFrom,
    #[serde(default)]
    tournament: bool,
    #[serde(default)]
    tournament_double_blackjack: bool,
    #[serde(default)]
    tournament_resplit_aces: bool,
}

const fn yes() -> bool {
    true
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Variation {
    #[default]
    Standard,
    /// One or two decks from the hand, blackjack at 6 to 5.
    SixToFive,
    /// Two or three dealer hands on one up card.
    MultipleAction,
}

/// Higher odds for some winning hands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum BonusPayout {
    #[serde(rename = "suited_678")]
    Suited678,
    ThreeSevens,
    DesignatedBlackjack,
    #[serde(rename = "five_card_21")]
    FiveCard21,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
enum TwentyPointChoice {
    #[default]
    A,
    B,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum DealtFrom {
    #[default]
    Shoe,
    Hand,
}

/// The sides of a double shoe, by the suits that name them.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct DoubleShoe {
    hearts_diamonds: String,
    spades_clubs: String,
}

impl DoubleShoe {
    /// The side that the suit of the determinant card names.
    fn side_named_by(&self, card: Card) -> &str {
        match card.suit() {
            Some(suit) if suit.is_red() => &self.hearts_diamonds,
            _ => &self.spades_clubs,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    Main,
    Double,
    Split,
    Insurance,
    #[serde(rename = "over_13")]
    Over13,
    #[serde(rename = "under_13")]
    Under13,
    RoyalMatch,
    SuperSevens,
    Progressive,
    BlackjackBonus,
    #[serde(rename = "streak_2")]
    Streak2,
    #[serde(rename = "streak_3")]
    Streak3,
    #[serde(rename = "streak_4")]
    Streak4,
    #[serde(rename = "streak_5")]
    Streak5,
    MatchTheDealer,
    TwentyPointBonus,
    OptionalBonus,
    BetTheSet,
    Trilux,
    KingsBounty,
    BlazingSevens,
}

impl Kind {
    /// The name in `side_bets` that offers the wager; none for those of every table.
    fn offering(self) -> Option<&'static str> {
        match self {
            Kind::Main | Kind::Double | Kind::Split | Kind::Insurance => None,
            Kind::Over13 | Kind::Under13 => Some("over_under_13"),
            Kind::RoyalMatch => Some("royal_match"),
            Kind::SuperSevens => Some("super_sevens"),
            Kind::Progressive => Some("progressive"),
            Kind::BlackjackBonus => Some("blackjack_bonus"),
            Kind::Streak2 | Kind::Streak3 | Kind::Streak4 | Kind::Streak5 => Some("streak"),
            Kind::MatchTheDealer => Some("match_the_dealer"),
            Kind::TwentyPointBonus => Some("twenty_point_bonus"),
            Kind::OptionalBonus => Some("optional_bonus"),
            Kind::BetTheSet => Some("bet_the_set"),
            Kind::Trilux => Some("trilux"),
            Kind::KingsBounty => Some("kings_bounty"),
            Kind::BlazingSevens => Some("blazing_sevens"),
        }
    }

    /// The wins in a row that a streak wager needs, as its betting area is labelled.
    fn streak(self) -> Option<(i64, &'static str)> {
        match self {
            Kind::Streak2 => Some((2, "2")),
            Kind::Streak3 => Some((3, "3")),
            Kind::Streak4 => Some((4, "4")),
            Kind::Streak5 => Some((5, "5")),
            _ => None,
        }
    }
}

wager! {
    Wager: Kind {
        ?
        /// The guest, where it is not the one seated at the box.
        pub player: Option<String>,
        pub on: Option<WagerId>,
        pub hand: Option<u32>,
        /// Multiple action: which dealer hand a `main` plays against.
        pub spot: Option<i64>,
        /// Streaks: wins already made.
        pub wins_before: Option<i64>,
        /// Blackjack bonus: what the display showed when its player pressed the button, nothing where the system
        /// failed.
        #[serde(deserialize_with = "given")]
        pub bonus_display: Option<Option<Cents>>,
    }
}

impl Wager {
    /// The first spot where none is named.
    fn spot(&self) -> i64 {
        self.spot.unwrap_or(1)
    }

    fn wins_before(&self) -> i64 {
        self.wins_before.unwrap_or_default()
    }
}

impl BoxWager for Wager {
    fn role(&self) -> Role {
        match self.kind {
            Kind::Main => Role::Main,
            Kind::Split => Role::Split(Purse::Own),
            Kind::Double => Role::Double(Purse::Own),
            Kind::Insurance => Role::Insurance,
            _ => Role::Side,
        }
    }

    fn player(&self) -> Option<&str> {
        self.player.as_deref()
    }

    fn on(&self) -> Option<&WagerId> {
        self.on.as_ref()
    }

    fn named_hand(&self) -> Option<u32> {
        self.hand
    }

    fn is_same_kind(&self, other: &Wager) -> bool {
        self.kind == other.kind
    }
}

table_play! {
    Play {
        pub meters: Meters,
        pub determinant: Option<Determinant>,
    }
    TableBox {
        pub even_money: Vec<WagerId>,
        /// Blackjack bonus display; none if the system showed nothing.
        pub bonus_display: Option<Shown>,
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Verb {
    Hit,
    Stand,
    Double,
    Split,
    Deal,
    Surrender,
    Refuse,
    BonusCard,
    Dead,
}

impl From<Verb> for Act {
    fn from(verb: Verb) -> Act {
        match verb {
            Verb::Hit => Act::Hit,
            Verb::Stand => Act::Stand,
            Verb::Double => Act::Double(Purse::Own),
            Verb::Split => Act::Split(Purse::Own),
            Verb::Deal => Act::Deal,
            Verb::Surrender => Act::Surrender,
            Verb::Refuse => Act::Refuse,
            Verb::BonusCard => Act::BonusCard,
            Verb::Dead => Act::Dead,
        }
    }
}

document! {
    #[derive(Default)]
    DealerCards {
        ?
        pub cards: Vec<Card>,
        /// Multiple action: one list a hand, each starting with the up card.
        pub hands: Vec<Vec<Card>>,
        pub checked: bool,
    }

    /// The card that decides from which side of a double shoe the round is dealt.
    Determinant {
        pub card: Card,
        pub from: String,
        pub dealt_side: String,
    }
}
