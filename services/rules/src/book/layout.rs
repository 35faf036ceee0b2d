//! How a game is laid out and dealt: what the rules, the stream of events and the simulated floor all read.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::entries::Editions;
use crate::unseen::Pieces;

/// The layout of a game in some of its editions.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Layout {
    #[serde(default)]
    pub editions: Editions,
    /// What a round is played with.
    pub pieces: PieceSet,
    /// How many decks; one where it is left out.
    #[serde(default)]
    pub decks: Decks,
    pub cite: String,
}

/// What a round is played with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PieceSet {
    /// Decks of 52 cards.
    Cards,
    /// Decks of 52 cards with one joker each.
    CardsAndJoker,
    /// Decks of 48 cards, without the tens.
    SpanishCards,
    Tiles,
    Dice,
    Wheel,
}

/// How many decks are dealt from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Decks {
    Number(u32),
    /// As many as the table posts under this option.
    Posted {
        option: String,
    },
}

impl Default for Decks {
    fn default() -> Decks {
        Decks::Number(1)
    }
}

impl Layout {
    /// What a round under these options is dealt from. More decks than can be are as good as endless.
    pub(crate) fn pieces(&self, option: impl Fn(&str) -> Option<Value>) -> Pieces {
        const ENDLESS: i64 = 1_000;
        let decks = match &self.decks {
            Decks::Number(decks) => *decks,
            Decks::Posted { option: key } => {
                let posted = option(key).and_then(|posted| posted.as_i64());
                posted.map_or(1, |posted| posted.clamp(0, ENDLESS) as u32)
            }
        };
        match self.pieces {
            PieceSet::Cards => Pieces::decks(decks),
            PieceSet::CardsAndJoker => Pieces::decks(decks).with_jokers(decks),
            PieceSet::SpanishCards => Pieces::spanish_decks(decks),
            PieceSet::Tiles => Pieces::tiles(),
            PieceSet::Dice | PieceSet::Wheel => Pieces::decks(0),
        }
    }
}
