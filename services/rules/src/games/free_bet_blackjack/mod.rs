//! Free Bet Blackjack: some doubles and splits are on the house, and a dealer's 22 pushes.

mod settle;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

pub use super::shared::blackjack::DealerCards;
use super::shared::blackjack::{
    Act, BoxWager, HoleCard, Looks, Purse, Role, Shuffler, Sight, table_play,
};
use super::shared::posted_odds::PostedOdds;
use crate::book::{BookError, EditionBook};
use crate::floor::{Cents, Odds, WagerId};
use crate::refusal::Refusal;
use crate::round::{Round, wager};
use crate::settlement::Outcome;
use crate::unseen::Reach;
use crate::{Game, Limits};

#[derive(Debug)]
pub struct FreeBetBlackjack;

impl Game for FreeBetBlackjack {
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
            push_22: book.table("push_22")?,
            offerings: book.figure("offerings")?,
            max_split_hands: book.figure("max_split_hands")?,
            most_boxes: book.figure("most_boxes")?,
            most_boxes_per_player: book.figure("most_boxes_per_player")?,
        })
    }

    fn decided_by(round: &Round<FreeBetBlackjack>, wager: &Wager) -> Reach {
        let boxes = &round.play.boxes;
        let sight = Sight {
            boxes: boxes.iter().map(TableBox::record).collect(),
            void_round: round.play.void_round,
            several_hands: false,
        };
        match wager.kind {
            // 9.B: who has blackjack may not take it.
            Kind::Insurance => sight.of_insurance(wager, &[Looks::FirstCards]),
            Kind::Push22 => sight.of_box(wager.seat, &[Looks::Dealer]),
            _ => sight.of_hand(wager, false),
        }
    }

    fn settle(rules: &Rules, round: &Round<FreeBetBlackjack>) -> Result<Outcome, Refusal> {
        settle::settle(rules, round)
    }
}

/// The data file, typed.
#[derive(Debug)]
pub struct Rules {
    main: MainTable,
    push_22: Push22,
    /// The names that `side_bets` may hold.
    offerings: Vec<String>,
    max_split_hands: usize,
    most_boxes: i64,
    most_boxes_per_player: i64,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct MainTable {
    blackjack_3_to_2: Odds,
    blackjack_6_to_5: Odds,
    even_money: Odds,
    other: Odds,
    insurance: Odds,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Push22 {
    suited: Odds,
    same_color: Odds,
    any: Odds,
}

#[derive(Clone, Debug, Deserialize)]
pub struct Options {
    decks: i64,
    boxes: i64,
    blackjack_pays: Odds,
    dealer_hits_soft_17: bool,
    hole_card: HoleCard,
    chip_unit: Cents,
    side_bets: Vec<String>,
    boxes_per_player: i64,
    shuffler: Shuffler,
    limits: BTreeMap<Kind, Limits>,
    pays: PostedOdds,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    Main,
    Double,
    FreeDouble,
    Split,
    FreeSplit,
    Insurance,
    #[serde(rename = "push_22")]
    Push22,
}

wager! {
    /// `amount` is 0 for free bets: the house's lammer stands for the original wager.
    Wager: Kind, free: Wager::is_without_stake {
        ?
        /// The guest, where it is not the one seated at the box.
        pub player: Option<String>,
        pub on: Option<WagerId>,
        pub hand: Option<u32>,
        /// Free bets: what the lammer stands for.
        pub lammer: Option<Cents>,
    }
}

impl Wager {
    fn is_free_bet(&self) -> bool {
        matches!(self.kind, Kind::FreeDouble | Kind::FreeSplit)
    }

    /// Money beside a lammer is a finding, not a reason to refuse the round.
    fn is_without_stake(&self) -> bool {
        self.is_free_bet() && !self.amount.is_positive()
    }
}

impl BoxWager for Wager {
    fn role(&self) -> Role {
        match self.kind {
            Kind::Main => Role::Main,
            Kind::Split => Role::Split(Purse::Own),
            Kind::FreeSplit => Role::Split(Purse::Free),
            Kind::Double => Role::Double(Purse::Own),
            Kind::FreeDouble => Role::Double(Purse::Free),
            Kind::Insurance => Role::Insurance,
            Kind::Push22 => Role::Side,
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
    Play {}
    TableBox {
        pub even_money: Vec<WagerId>,
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Verb {
    Hit,
    Stand,
    Double,
    FreeDouble,
    Split,
    FreeSplit,
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
            Verb::FreeDouble => Act::Double(Purse::Free),
            Verb::Split => Act::Split(Purse::Own),
            Verb::FreeSplit => Act::Split(Purse::Free),
            Verb::Deal => Act::Deal,
            Verb::Surrender => Act::Surrender,
            Verb::Refuse => Act::Refuse,
            Verb::Dead => Act::Dead,
        }
    }
}
