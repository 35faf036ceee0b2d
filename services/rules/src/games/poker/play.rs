//! The types of the round document.

use std::collections::BTreeMap;
use std::fmt;

use serde::de::{self, MapAccess, SeqAccess, Visitor, value};
use serde::{Deserialize, Deserializer, Serialize};

use super::forms::Form;
use crate::UNSEEN;
use crate::floor::{Card, Cents, Seat, WagerId};
use crate::round::wager;

wager! {
    /// Chips on their way into the pot; `amount` is what is added, not the total of the bet.
    Wager: Kind {
        ?
        /// What the player said he would put in.
        pub announced: Option<Cents>,
        /// What he said before he acted.
        pub verbal: Option<Verbal>,
        /// One chip larger than needed.
        pub single_chip: bool,
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    Ante,
    Blind,
    KillBlind,
    Straddle,
    /// A new or returning player's blind, which counts as his bet.
    Post,
    /// One that he missed, which does not.
    DeadBlind,
    ForcedBet,
    Bet,
    Call,
    Raise,
}

impl Kind {
    /// Put in before the cards, and named by no action.
    pub(super) const fn is_post(self) -> bool {
        !matches!(self, Kind::ForcedBet) && !self.is_voluntary()
    }

    /// What a player puts in of his own will. 15(e)
    pub(super) const fn is_voluntary(self) -> bool {
        matches!(self, Kind::Bet | Kind::Call | Kind::Raise)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Verbal {
    Fold,
    Check,
    Call,
    Bet,
    Raise,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Play {
    pub(super) form: Form,
    pub(super) button: Option<Seat>,
    pub(super) seats: Vec<Place>,
    #[serde(default)]
    pub(super) hands: BTreeMap<Seat, Hand>,
    #[serde(default)]
    pub(super) board: Vec<TableCard>,
    /// Cards for all where a seven-card stud deck runs out.
    #[serde(default)]
    pub(super) common: Vec<TableCard>,
    #[serde(default)]
    pub(super) draws: Vec<Vec<Draw>>,
    /// The last cards of players whose first hand, discards or draws were not seen.
    #[serde(default)]
    pub(super) shown: BTreeMap<Seat, Vec<Card>>,
    /// Blinds, counted from 0, that nobody owes in this round.
    #[serde(default)]
    pub(super) vacant_blinds: Vec<usize>,
    #[serde(default)]
    pub(super) rounds: Vec<Vec<Action>>,
    /// In order; left out where all show.
    pub(super) showdown: Option<Vec<Shown>>,
    #[serde(default)]
    pub(super) incidents: Vec<Incident>,
    /// How many cards were burned before each later deal or draw.
    pub(super) burns: Option<Vec<i64>>,
    /// The seat that holds the kill button in this round; 0 for none.
    #[serde(default)]
    pub(super) kill_button: u16,
    /// The bad beat fund before this round.
    pub(super) jackpot_fund: Option<Cents>,
    #[serde(default)]
    pub(super) time_due: bool,
    #[serde(default)]
    pub(super) stake_changes: Vec<StakeChange>,
}

/// A seated player and his table stakes.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Place {
    pub(super) seat: Seat,
    pub(super) stack: Cents,
    #[serde(default = "yes", rename = "in")]
    pub(super) dealt: bool,
}

fn yes() -> bool {
    true
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Draw {
    pub(super) seat: Seat,
    discard: Option<Vec<TableCard>>,
    draw: Option<Vec<TableCard>>,
    /// Instead of cards that were not seen.
    count: Option<usize>,
    #[serde(default)]
    pub(super) reshuffle: bool,
}

impl Draw {
    /// Cards put down that were seen.
    pub(super) fn discarded(&self) -> impl Iterator<Item = Card> {
        seen(self.discard.as_deref().unwrap_or_default())
    }

    /// Cards received that were seen.
    pub(super) fn drawn(&self) -> impl Iterator<Item = Card> {
        seen(self.draw.as_deref().unwrap_or_default())
    }

    pub(super) fn discard_count(&self) -> usize {
        let unseen = self.count.unwrap_or(0);
        self.discard.as_ref().map_or(unseen, Vec::len)
    }

    pub(super) fn draw_count(&self) -> usize {
        let unseen = self.count.unwrap_or(0);
        self.draw.as_ref().map_or(unseen, Vec::len)
    }

    /// Cards put down that nobody saw.
    pub(super) fn unseen_discards(&self) -> usize {
        self.discard_count() - self.discarded().count()
    }

    /// Cards received that nobody saw.
    pub(super) fn unseen_draws(&self) -> usize {
        self.draw_count() - self.drawn().count()
    }
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Action {
    pub(super) seat: Seat,
    pub(super) act: Act,
    /// The wager that was made.
    pub(super) id: Option<WagerId>,
    /// What a player said before he folded or checked.
    verbal: Option<Verbal>,
    announced: Option<Cents>,
}

/// What a player said before he acted.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Words {
    pub(super) verbal: Option<Verbal>,
    /// The amount that he would put in.
    pub(super) announced: Option<Cents>,
}

impl Words {
    pub(super) const fn is_some(self) -> bool {
        self.verbal.is_some() || self.announced.is_some()
    }

    /// The key that is there, for a place where nothing can be said.
    pub(super) fn key(self) -> Option<&'static str> {
        let announced = self.announced.map(|_| "announced");
        self.verbal.map(|_| "verbal").or(announced)
    }

    /// Whoever folds, checks or calls announces no amount.
    pub(super) fn is_amount_stray(self) -> bool {
        let wants_none = matches!(
            self.verbal,
            Some(Verbal::Fold | Verbal::Check | Verbal::Call)
        );
        wants_none && self.announced.is_some()
    }
}

impl Wager {
    pub(super) const fn words(&self) -> Words {
        Words {
            verbal: self.verbal,
            announced: self.announced,
        }
    }
}

impl Action {
    pub(super) const fn words(&self) -> Words {
        Words {
            verbal: self.verbal,
            announced: self.announced,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Act {
    Fold,
    Check,
    Wager,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Shown {
    pub(super) seat: Seat,
    pub(super) act: ShowdownAct,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum ShowdownAct {
    Show,
    Muck,
}

/// Chips added to or taken from the table stakes during the round; they do not play.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct StakeChange {
    #[serde(rename = "seat")]
    _seat: Seat,
    #[serde(rename = "amount")]
    _amount: i64,
}

/// An irregularity, with the keys that its kind needs.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Incident {
    #[serde(alias = "type", alias = "incident")]
    pub(super) kind: IncidentKind,
    pub(super) seat: Option<Seat>,
    /// The betting round in which it happened or was noticed.
    round: Option<usize>,
    /// How many actions of that round had been recorded.
    after: Option<usize>,
    pub(super) count: Option<i64>,
    cards: Option<Vec<TableCard>>,
    pub(super) card: Option<TableCard>,
    pub(super) elects: Option<Election>,
    protected: Option<bool>,
    /// The player was to blame himself.
    contributed: Option<bool>,
    reconstructed: Option<bool>,
}

impl Incident {
    pub(super) fn cards(&self) -> &[TableCard] {
        self.cards.as_deref().unwrap_or_default()
    }

    /// The betting round, and how many of its actions had been recorded.
    pub(super) fn when(&self) -> (usize, usize) {
        (
            self.round.unwrap_or_default(),
            self.after.unwrap_or_default(),
        )
    }

    pub(super) fn is_protected(&self) -> bool {
        self.protected.unwrap_or_default()
    }

    pub(super) fn is_own_fault(&self) -> bool {
        self.contributed.unwrap_or_default()
    }

    pub(super) fn is_reconstructed(&self) -> bool {
        self.reconstructed.unwrap_or_default()
    }

    /// The keys that are there beside its kind.
    pub(super) fn keys(&self) -> impl Iterator<Item = &'static str> {
        let keys = [
            ("seat", self.seat.is_some()),
            ("round", self.round.is_some()),
            ("after", self.after.is_some()),
            ("count", self.count.is_some()),
            ("cards", self.cards.is_some()),
            ("card", self.card.is_some()),
            ("elects", self.elects.is_some()),
            ("protected", self.protected.is_some()),
            ("contributed", self.contributed.is_some()),
            ("reconstructed", self.reconstructed.is_some()),
        ];
        keys.into_iter().filter_map(|(key, is)| is.then_some(key))
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum IncidentKind {
    DeckCount,
    NotShuffled,
    FaceUpInDeck,
    WrongStart,
    PlayerNotDealt,
    DealtToIneligible,
    OffTable,
    ExposedDownCard,
    HoleExposed,
    LastHoleExposed,
    HandFouled,
    HandCollected,
    LeftTable,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Election {
    Stop,
    Continue,
}

/// A player's own cards as far as they were seen.
#[derive(Debug)]
pub(super) enum Hand {
    Unseen,
    Cards(Vec<TableCard>),
    Stud {
        down: Option<Vec<TableCard>>,
        up: Vec<TableCard>,
    },
}

/// A card on the table; `None` for one that nobody saw.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TableCard(pub(super) Option<Card>);

impl<'de> Deserialize<'de> for TableCard {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<TableCard, D::Error> {
        struct CardCode;
        impl Visitor<'_> for CardCode {
            type Value = TableCard;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a card such as \"TD\"")
            }
            fn visit_str<E: de::Error>(self, text: &str) -> Result<TableCard, E> {
                match text {
                    UNSEEN => Ok(TableCard(None)),
                    text => text.parse().map(Some).map(TableCard).map_err(E::custom),
                }
            }
        }
        deserializer.deserialize_str(CardCode)
    }
}

/// The cards among these that were seen.
pub(super) fn seen(cards: &[TableCard]) -> impl Iterator<Item = Card> {
    cards.iter().filter_map(|card| card.0)
}

impl Hand {
    /// All cards of it.
    pub(super) fn cards(&self) -> impl Iterator<Item = TableCard> {
        let (first, second): (&[TableCard], &[TableCard]) = match self {
            Hand::Unseen => (&[], &[]),
            Hand::Cards(cards) => (cards, &[]),
            Hand::Stud { down, up } => (down.as_deref().unwrap_or_default(), up),
        };
        first.iter().chain(second).copied()
    }

    /// Those that were seen.
    pub(super) fn seen(&self) -> impl Iterator<Item = Card> {
        self.cards().filter_map(|card| card.0)
    }

    pub(super) fn up(&self) -> &[TableCard] {
        match self {
            Hand::Stud { up, .. } => up,
            Hand::Unseen | Hand::Cards(_) => &[],
        }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct StudHand {
    down: Option<Vec<TableCard>>,
    #[serde(default)]
    up: Vec<TableCard>,
}

impl<'de> Deserialize<'de> for Hand {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Hand, D::Error> {
        struct HandVisitor;
        impl<'de> Visitor<'de> for HandVisitor {
            type Value = Hand;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a list of cards, {\"down\", \"up\"} or null")
            }
            fn visit_unit<E: de::Error>(self) -> Result<Hand, E> {
                Ok(Hand::Unseen)
            }
            fn visit_seq<A: SeqAccess<'de>>(self, cards: A) -> Result<Hand, A::Error> {
                Vec::deserialize(value::SeqAccessDeserializer::new(cards)).map(Hand::Cards)
            }
            fn visit_map<A: MapAccess<'de>>(self, keys: A) -> Result<Hand, A::Error> {
                let hand = StudHand::deserialize(value::MapAccessDeserializer::new(keys))?;
                Ok(Hand::Stud {
                    down: hand.down,
                    up: hand.up,
                })
            }
        }
        deserializer.deserialize_any(HandVisitor)
    }
}
