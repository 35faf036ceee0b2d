//! What can be done wrong on purpose, and the label that tells of it.

use catwalk_events::Timestamp;
use catwalk_rules::floor::Cents;
use serde::{Deserialize, Serialize, Serializer};

/// A way to cheat, or to err.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FaultKind {
    /// A winner is paid too much.
    Overpaid,
    /// A winner is paid too little.
    Underpaid,
    /// A winner is not paid.
    Unpaid,
    /// A loser is paid.
    UnduePaid,
    /// A loser is not collected.
    Uncollected,
    /// The wrong vigorish is taken.
    WrongCommission,
    /// A wager is made when the outcome is known.
    PastPosted,
    /// A wager is raised when the outcome is known.
    Capped,
    /// A wager is lowered when the outcome is known.
    Pinched,
    /// Cards, dice, spins or decisions against the rules of the game.
    WrongPlay,
    /// A card is exchanged between the deal and its turning over.
    SwitchedCard,
    /// A card of another deck goes through the table.
    ForeignCard,
    /// The shoe ends with a card short.
    MissingCard,
    /// An event of the feed is lost.
    LostEvent,
    /// An event of the feed is sent twice.
    RepeatedEvent,
    /// Two events of the feed change places.
    SwappedEvents,
}

impl FaultKind {
    pub const ALL: [FaultKind; 16] = [
        FaultKind::Overpaid,
        FaultKind::Underpaid,
        FaultKind::Unpaid,
        FaultKind::UnduePaid,
        FaultKind::Uncollected,
        FaultKind::WrongCommission,
        FaultKind::PastPosted,
        FaultKind::Capped,
        FaultKind::Pinched,
        FaultKind::WrongPlay,
        FaultKind::SwitchedCard,
        FaultKind::ForeignCard,
        FaultKind::MissingCard,
        FaultKind::LostEvent,
        FaultKind::RepeatedEvent,
        FaultKind::SwappedEvents,
    ];
}

/// What was done wrong, where, and the findings of which one at least must tell of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Label {
    pub kind: FaultKind,
    pub property: String,
    pub table: String,
    pub game: String,
    pub round: String,
    pub wager: Option<String>,
    /// When the first of its events happened.
    #[serde(serialize_with = "as_moment")]
    pub at: Timestamp,
    /// Positive: the house loses it.
    pub amount: Cents,
    /// Sequence numbers of the events that were changed, added or lost.
    pub seqs: Vec<u64>,
    /// Finding codes, one of which an audit must raise.
    pub codes: Vec<&'static str>,
}

fn as_moment<S: Serializer>(at: &Timestamp, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(at)
}
