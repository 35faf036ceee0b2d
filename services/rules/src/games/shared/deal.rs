//! The deal of a poker game as its layout has it: how many cards lie where, what can go wrong with them, and what of
//! that voids the round.

use serde::{Deserialize, Serialize};

use crate::book::{BookError, EditionBook};
use crate::refusal::Refusal;

/// What went wrong with the cards or the devices.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Irregular {
    FaceUpCard,
    CardDrawnInError,
    CardCount,
    Misdeal,
    /// A count of the stub shows that cards were dealt wrong.
    StubMisdeal,
    DeckCount,
    HoleCardExposed,
    ShoeFailure,
    ShufflerFailure,
}

/// How a table deals.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Dealing {
    ManualShoe,
    Hand,
    AutomatedShoe,
}

/// What the layout of one edition says.
#[derive(Debug)]
pub(crate) struct Deal {
    /// Cards of a hand.
    pub(crate) hand: usize,
    /// Cards of the dealer, or of the board.
    pub(crate) house: usize,
    /// Cards of the deck.
    pub(crate) deck: usize,
    known: Vec<Irregular>,
    voiding: Vec<Irregular>,
    voids_hand: Vec<Irregular>,
    house_completed: Option<usize>,
    face_up_voids: Option<u64>,
}

impl Deal {
    pub(crate) fn read(book: &EditionBook<'_>) -> Result<Deal, BookError> {
        let layout = book.layout()?;
        Ok(Deal {
            hand: layout.hand(),
            house: layout.house(),
            deck: layout.pieces.deck(),
            known: book.words(&layout.irregularities)?,
            voiding: book.words(&layout.voids)?,
            voids_hand: book.words(&layout.voids_hand)?,
            house_completed: layout.house_completed,
            face_up_voids: layout.face_up_voids,
        })
    }

    /// Does it void the round? Cards found face up do when there are enough of them, whether one entry or several
    /// tell of them.
    pub(crate) fn voids(&self, code: Irregular, face_up: u64) -> bool {
        match code {
            Irregular::FaceUpCard => self.face_up_voids.is_some_and(|most| face_up >= most),
            code => self.voiding.contains(&code),
        }
    }

    /// Does a wrong number of cards at one seat leave the others in the round?
    pub(crate) fn voids_hand_alone(&self, code: Irregular) -> bool {
        self.voids_hand.contains(&code)
    }

    /// Does a house with so many cards take what it lacks?
    pub(crate) fn is_completed(&self, cards: usize) -> bool {
        self.house_completed == Some(cards)
    }

    /// Does the text say what becomes of a round with cards found face up?
    pub(crate) fn rules_on_face_up_cards(&self) -> bool {
        self.face_up_voids.is_some()
    }

    /// Refuses what the game has no rule for, and the failure of a device that the table does not have.
    pub(crate) fn refuse(
        &self,
        index: usize,
        code: Irregular,
        dealing: Dealing,
    ) -> Result<(), Refusal> {
        let refuse = |what| Err(Refusal::at(irregularity(index, "code"), what));
        match code {
            code if !self.known.contains(&code) => {
                refuse("not an irregularity that this game has a rule for")
            }
            Irregular::ShoeFailure if dealing != Dealing::AutomatedShoe => {
                refuse("this table does not deal from an automated shoe")
            }
            _ => Ok(()),
        }
    }
}

/// The place of a key of an irregularity.
pub(crate) fn irregularity(index: usize, key: &str) -> String {
    format!("play.irregularities[{index}].{key}")
}
