//! Spanish 21: blackjack without tens, with rescue, bonus hands and match-the-dealer.

mod settle;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

pub use super::shared::blackjack::DealerCards;
use super::shared::blackjack::{
    Act, BoxWager, Dollars, HoleCard, Looks, MatchTables, Purse, Role, Sight, table_play,
};
use super::shared::posted_odds::PostedOdds;
use crate::book::{BookError, EditionBook};
use crate::floor::{Card, Cents, Odds, WagerId};
use crate::limits::LimitsRatio;
use crate::refusal::Refusal;
use crate::round::{Round, wager};
use crate::settlement::Outcome;
use crate::unseen::Reach;
use crate::{Game, Limits};

#[derive(Debug)]
pub struct Spanish21;

impl Game for Spanish21 {
    const BOOK: &'static str = include_str!("rules.toml");
    const EXAMPLES: &'static str = include_str!("examples.jsonl");
    /// A wager on a seat that is no box is settled and flagged as `table.seat`; 0 is such a seat.
    const LOWEST_SEAT: u16 = 0;

    type Rules = Rules;
    type Options = Options;
    type Wager = Wager;
    type Play = Play;

    fn rules(book: &EditionBook<'_>) -> Result<Rules, BookError> {
        Ok(Rules {
            main: book.table("main")?,
            super_bonus: book.table("super_bonus")?,
            match_the_dealer: MatchTables::read(book)?,
            super_bonus_stakes: book.figure("super_bonus_stakes")?,
            max_split_hands: book.figure("max_split_hands")?,
            most_boxes: book.figure("most_boxes")?,
            most_players_per_box: book.figure("most_players_per_box")?,
            match_minimum: book.figure("match_the_dealer_minimum")?,
            limits_ratio: book.figure("limits_ratio")?,
        })
    }

    const RETOLD: &'static [&'static str] = &["face_up"];

    fn decided_by(round: &Round<Spanish21>, wager: &Wager) -> Reach {
        let sight = Sight {
            boxes: round.play.boxes.iter().map(TableBox::record).collect(),
            void_round: settle::void_round(&round.play),
            several_hands: false,
        };
        match wager.kind {
            Kind::Main | Kind::Split | Kind::Double => sight.of_hand(wager, true),
            Kind::Insurance => sight.of_insurance(wager, &[]),
            Kind::MatchTheDealer => sight.of_box(wager.seat, &[Looks::FirstCards, Looks::UpCard]),
        }
    }

    fn settle(rules: &Rules, round: &Round<Spanish21>) -> Result<Outcome, Refusal> {
        settle::settle(rules, round)
    }
}

/// The data file, typed.
#[derive(Debug)]
pub struct Rules {
    main: MainTable,
    super_bonus: SuperBonus,
    match_the_dealer: MatchTables,
    super_bonus_stakes: SuperBonusStakes,
    max_split_hands: usize,
    most_boxes: i64,
    most_players_per_box: i64,
    match_minimum: Cents,
    limits_ratio: LimitsRatio,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct MainTable {
    blackjack: Odds,
    #[serde(rename = "678_mixed")]
    mixed_678: Odds,
    #[serde(rename = "678_suited")]
    suited_678: Odds,
    #[serde(rename = "678_spades")]
    spades_678: Odds,
    #[serde(rename = "777_mixed")]
    mixed_777: Odds,
    #[serde(rename = "777_suited")]
    suited_777: Odds,
    #[serde(rename = "777_spades")]
    spades_777: Odds,
    five_card_21: Odds,
    six_card_21: Odds,
    seven_card_21: Odds,
    other: Odds,
    insurance: Odds,
}

impl MainTable {
    /// The highest odds that a hand can win.
    fn highest(&self) -> Odds {
        let spades = self.spades_678.max(self.spades_777);
        spades.max(self.seven_card_21)
    }
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct SuperBonus {
    lower: Dollars,
    higher: Dollars,
    envy: Dollars,
}

/// The smallest original wager of each super bonus.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct SuperBonusStakes {
    lower: Cents,
    higher: Cents,
}

#[derive(Clone, Debug, Deserialize)]
pub struct Options {
    decks: i64,
    boxes: i64,
    hole_card: HoleCard,
    chip_unit: Cents,
    pays: PostedOdds,
    limits: BTreeMap<Kind, Limits>,
    players_per_box: i64,
    boxes_per_player: i64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    Main,
    Double,
    Split,
    Insurance,
    MatchTheDealer,
}

wager! {
    Wager: Kind {
        ?
        /// The guest, where it is not the one seated at the box.
        pub player: Option<String>,
        pub on: Option<WagerId>,
        pub hand: Option<u32>,
    }
}

impl BoxWager for Wager {
    fn role(&self) -> Role {
        match self.kind {
            Kind::Main => Role::Main,
            Kind::Split => Role::Split(Purse::Own),
            Kind::Double => Role::Double(Purse::Own),
            Kind::Insurance => Role::Insurance,
            Kind::MatchTheDealer => Role::Side,
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
        /// Cards of them that lay face up in the shoe.
        pub face_up: Vec<Card>,
    }
    TableBox {}
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Verb {
    Hit,
    Stand,
    Double,
    Rescue,
    Split,
    Deal,
    Surrender,
    Refuse,
    Dead,
}

impl From<Verb> for Act {
    fn from(verb: Verb) -> Act {
        match verb {
            Verb::Hit => Act::Hit,
            Verb::Stand => Act::Stand,
            Verb::Double => Act::Double(Purse::Own),
            Verb::Rescue => Act::Rescue,
            Verb::Split => Act::Split(Purse::Own),
            Verb::Deal => Act::Deal,
            Verb::Surrender => Act::Surrender,
            Verb::Refuse => Act::Refuse,
            Verb::Dead => Act::Dead,
        }
    }
}
