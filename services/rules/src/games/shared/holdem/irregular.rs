//! What went wrong at a hold'em table, as its document says, and how much of the round it voids.
//!
//! An entry that contradicts the table, the cards or itself is refused: nobody can say what happened.

use serde::Deserialize;

use super::dealt::Dealt;
use crate::book::{Layout, Mishap, Void};
use crate::floor::Seat;
use crate::refusal::Refusal;

#[derive(Debug, Default, Deserialize)]
#[serde(transparent)]
pub(crate) struct Irregularities(Vec<Irregularity>);

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Irregularity {
    pub(crate) code: Irregular,
    pub(crate) seat: Option<Seat>,
    pub(crate) area: Option<Area>,
    /// Cards found face up; one if it is not said.
    count: Option<u32>,
    when: Option<When>,
    /// Cards that a hand or the board got.
    pub(crate) dealt: Option<u32>,
    /// Cards that a count of the deck found.
    found: Option<u32>,
    /// The supervisor lets the wagers stand that the dealer's hand does not decide.
    independent_wagers_stand: Option<bool>,
    pub(crate) resolution: Option<Resolution>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Irregular {
    HoleCardExposed,
    PlayerCardExposed,
    FaceUpCard,
    CardDrawnInError,
    CardCount,
    NoCards,
    InsufficientCards,
    Misdeal,
    DeckCount,
    MarkerNotMoved,
    ShufflerFailure,
    ShoeFailure,
}

impl Irregular {
    /// As data files and documents write it.
    fn word(self) -> &'static str {
        match self {
            Irregular::HoleCardExposed => "hole_card_exposed",
            Irregular::PlayerCardExposed => "player_card_exposed",
            Irregular::FaceUpCard => "face_up_card",
            Irregular::CardDrawnInError => "card_drawn_in_error",
            Irregular::CardCount => "card_count",
            Irregular::NoCards => "no_cards",
            Irregular::InsufficientCards => "insufficient_cards",
            Irregular::Misdeal => "misdeal",
            Irregular::DeckCount => "deck_count",
            Irregular::MarkerNotMoved => "marker_not_moved",
            Irregular::ShufflerFailure => "shuffler_failure",
            Irregular::ShoeFailure => "shoe_failure",
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Area {
    Dealer,
    Community,
    #[serde(other)]
    Elsewhere,
}

/// When cards were found face up: before or after all had their cards.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum When {
    InitialDeal,
    Community,
}

/// What became of a hand with too few cards.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Resolution {
    Void,
    Completed,
}

/// The keys that belong to some codes alone.
const KEYS: [&str; 6] = [
    "count",
    "when",
    "dealt",
    "found",
    "independent_wagers_stand",
    "resolution",
];

/// Cards of a deck.
const DECK: u32 = 52;

impl Irregularities {
    pub(crate) fn iter(&self) -> impl Iterator<Item = &Irregularity> {
        self.0.iter()
    }

    /// Refuses what the game has no rule for, and what contradicts the table, the cards or itself.
    pub(crate) fn refuse_contradictions(
        &self,
        layout: &Layout,
        has_automated_shoe: bool,
        cards: &Dealt<'_>,
    ) -> Result<(), Refusal> {
        for (at, entry) in self.0.iter().enumerate() {
            let found = entry
                .foreign_key(layout, has_automated_shoe)
                .or_else(|| entry.contradiction(layout, cards));
            if let Some((key, what)) = found {
                return Err(refused(at, key, what));
            }
        }
        Ok(())
    }

    /// How much of the round they void together.
    pub(crate) fn voided(&self, layout: &Layout) -> Void {
        let mishaps: Vec<Mishap<'_>> = self.0.iter().map(Irregularity::mishap).collect();
        layout.voided(&mishaps)
    }
}

/// An entry that says nothing that can have happened.
pub(crate) fn refused(at: usize, key: &str, what: impl Into<String>) -> Refusal {
    let key = match key {
        "" => String::new(),
        key => format!(".{key}"),
    };
    Refusal::at(format!("play.irregularities[{at}]{key}"), what)
}

impl Irregularity {
    fn mishap(&self) -> Mishap<'_> {
        let is_face_up = self.code == Irregular::FaceUpCard;
        Mishap {
            code: self.code.word(),
            face_up: u64::from(is_face_up) * u64::from(self.count.unwrap_or(1)),
            is_late: self.when == Some(When::Community),
            stands: self.independent_wagers_stand == Some(true),
        }
    }

    fn has(&self, key: &str) -> bool {
        match key {
            "count" => self.count.is_some(),
            "when" => self.when.is_some(),
            "dealt" => self.dealt.is_some(),
            "found" => self.found.is_some(),
            "independent_wagers_stand" => self.independent_wagers_stand.is_some(),
            "resolution" => self.resolution.is_some(),
            _ => false,
        }
    }

    /// A word or a key that this game or this code does not have.
    fn foreign_key(
        &self,
        layout: &Layout,
        has_automated_shoe: bool,
    ) -> Option<(&'static str, String)> {
        let word = self.code.word();
        if !layout.knows(word) {
            return Some(("code", "this game has no rule for it".to_owned()));
        }
        let is_foreign = |key: &&str| self.has(key) && !layout.has_key(word, key);
        if let Some(key) = KEYS.into_iter().find(is_foreign) {
            return Some((key, format!("this game does not know it of {word:?}")));
        }
        let by_shoe = |said: &str| format!("{said} with another dealing than automated_shoe");
        match self.code {
            Irregular::ShoeFailure if !has_automated_shoe => {
                Some(("", by_shoe("an automated shoe cannot fail")))
            }
            _ if self.independent_wagers_stand.is_some() && !has_automated_shoe => Some((
                "independent_wagers_stand",
                by_shoe("the supervisor has no such choice"),
            )),
            _ => None,
        }
    }

    /// A number that contradicts itself or the cards.
    fn contradiction(&self, layout: &Layout, cards: &Dealt<'_>) -> Option<(&'static str, String)> {
        if self.count == Some(0) {
            return Some(("count", "no card was found face up".to_owned()));
        }
        if self.found == Some(DECK) {
            return Some(("found", format!("{DECK} cards are a whole deck")));
        }
        let dealt = usize::try_from(self.dealt?).ok()?;
        let due = match self.area {
            Some(Area::Community) => cards.deal.board,
            _ => cards.deal.hand,
        };
        if dealt == due {
            return Some(("dealt", format!("{due} is the right number of cards")));
        }
        // Where a game has short hands completed, they lie there whole.
        let completes = layout.has_key(self.code.word(), "resolution");
        let is_completed = completes && dealt < due && self.resolution != Some(Resolution::Void);
        let lie = self.lie(cards).filter(|_| !is_completed)?;
        (lie != dealt).then(|| ("dealt", format!("{lie} cards lie there")))
    }

    /// Cards that lie where it says.
    fn lie(&self, cards: &Dealt<'_>) -> Option<usize> {
        match (self.seat, self.area) {
            (Some(seat), _) => Some(cards.at(seat)),
            (None, Some(Area::Dealer)) => Some(cards.dealer.len()),
            (None, Some(Area::Community)) => Some(cards.board.len()),
            (None, Some(Area::Elsewhere) | None) => None,
        }
    }
}
