//! What can be done wrong on purpose, and the label that tells of it.

use catwalk_events::Timestamp;
use catwalk_rules::floor::Cents;
use serde::{Deserialize, Serialize};

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
    /// A winner is paid by another row of his pay table.
    WrongBonus,
    /// A player's share in the luck of another is not paid.
    EnvyUnpaid,
    /// The dealer pays his friend a little too much.
    Collusion,
    /// A card comes once more than the shoe holds it.
    DoubledCard,
    /// The shoe ends with cards that nobody put into it.
    StackedShoe,
    /// The shoe ends with a handful of cards short.
    ShortShoe,
    /// The dealer cuts too few cards of what he shuffled, or none.
    ShallowCut,
    /// A round is dealt from what is left of the last one.
    Unshuffled,
    /// A die of another set is thrown.
    SwitchedDice,
    /// Nobody inspected what is played with, or one person signed for two, or it failed and is used.
    ForgedInspection,
    /// Cards, dice or tiles stay on the table beyond their hours.
    OverdueSet,
    /// The rules change without a notice.
    UnannouncedRules,
    /// The limits change without a notice.
    UnannouncedLimits,
    /// A prize that does not come from the meter is taken off it, or one that does is not.
    TamperedMeter,
    /// Chips come to the tray without a slip, or a slip without chips.
    MissingFill,
    /// The count room tells of less than was dropped.
    SkimmedDrop,
    /// An event comes after its successors, in time to be put in its place.
    LateEvent,
    /// An event comes when nobody waits for it any more.
    StaleEvent,
    /// An event arrives damaged.
    CorruptedEvent,
    /// The clock of the table is behind for a round.
    ClockDrift,
    /// A player whose conduct was told is dealt in again.
    BarredPlayer,
    /// The conduct of a player is told and not reported.
    SilentConduct,
    /// A stake is paid in a round that is then called off.
    VoidedPayment,
    /// A round is declared void when it is over.
    LateVoid,
    /// A number is used twice, for something else.
    ContradictingEvent,
    /// Chips are paid on a bet that nobody made.
    StrayPayment,
    /// Chips are given back on a bet that nobody made.
    StrayPush,
    /// A pot is given away where no game has pots.
    StrayPot,
    /// A bet of a kind that the game does not have is taken.
    UnknownWager,
    /// A round is opened again with another banker before it is paid.
    OtherBanker,
    /// A round is called off when its result is known, and nobody says why.
    DecidedVoid,
    /// A loser keeps the stake, and an irregularity is told that lets nobody do so.
    ExcusedLoser,
    /// A winner is paid too much in a round of which an event is lost.
    HiddenByGap,
    /// A round is paid under the name of a table that never opened.
    OtherName,
    /// A table is opened again in the middle of a round.
    Reopened,
    /// A winner is paid too much in a round that nobody closes.
    LeftOpen,
    /// A card that all can see is seen by nobody.
    UnseenCard,
    /// A round is paid under the name of another property.
    OtherProperty,
    /// Commission is taken where the game has none.
    StrayCommission,
    /// Chips are given back in a round that is over.
    LateAct,
    /// A round is paid, and nothing tells how it ended.
    UntoldResult,
    /// A table that is open opens again, with fewer chips than must be in its tray.
    ReopenedShort,
    /// A table that is open opens again under other rules, and nobody was told.
    ReopenedOtherwise,
    /// A table opens for a few rounds at a time, and a little is missing at each count.
    ShortOpenings,
    /// A table has other rules where all tables of the house must have the same.
    UnevenTables,
    /// Fewer chips come than were asked for and than the parts of the slip say.
    SlipShort,
    /// Two slips have one number.
    SlipTwice,
    /// Chips are asked for and their slip is filed, and they never come.
    ChipsUndelivered,
    /// A drop box is taken to the count room and never counted.
    BoxUncounted,
    /// A coupon is taken twice.
    CouponTwice,
    /// A patron takes money away and leaves a counter check open.
    MarkerOpen,
    /// The rake is put where the house does not say that it goes.
    RakeMisplaced,
    /// The closer tells of fewer chips than are in the tray.
    WrongCloser,
    /// A meter takes in nothing of what a round staked on it.
    MeterSkips,
    /// From now on a section of the wheel comes too often.
    BiasedWheel,
    /// From now on a face of the dice comes too often.
    LoadedDice,
    /// From now on a dealer has a friend.
    CollusiveDealer,
    /// From now on a dealer calls off what the players would lose.
    SparingDealer,
    /// From now on the reader is blind to a card of the dealer.
    BlindReader,
}

impl FaultKind {
    /// Those of which a single one is found for certain.
    pub const CERTAIN: [FaultKind; 42] = [
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
        FaultKind::WrongBonus,
        FaultKind::EnvyUnpaid,
        FaultKind::Collusion,
        FaultKind::DoubledCard,
        FaultKind::StackedShoe,
        FaultKind::ShortShoe,
        FaultKind::ShallowCut,
        FaultKind::Unshuffled,
        FaultKind::SwitchedDice,
        FaultKind::ForgedInspection,
        FaultKind::OverdueSet,
        FaultKind::UnannouncedRules,
        FaultKind::UnannouncedLimits,
        FaultKind::TamperedMeter,
        FaultKind::MissingFill,
        FaultKind::SkimmedDrop,
        FaultKind::LateEvent,
        FaultKind::StaleEvent,
        FaultKind::CorruptedEvent,
        FaultKind::ClockDrift,
        FaultKind::BarredPlayer,
        FaultKind::SilentConduct,
        FaultKind::VoidedPayment,
        FaultKind::LateVoid,
        FaultKind::ContradictingEvent,
        FaultKind::UnevenTables,
    ];

    /// Those of papers, boxes and counts, found for certain too. A floor does them where it is told to.
    pub const OF_PAPERS: [FaultKind; 8] = [
        FaultKind::SlipShort,
        FaultKind::SlipTwice,
        FaultKind::ChipsUndelivered,
        FaultKind::BoxUncounted,
        FaultKind::CouponTwice,
        FaultKind::MarkerOpen,
        FaultKind::RakeMisplaced,
        FaultKind::WrongCloser,
    ];

    /// Those that no event of a table shows: tables of a link feed one meter, and a report rolls it forward over all
    /// of them. No finding tells of them, so that their labels name none.
    pub const OF_REPORTS: [FaultKind; 1] = [FaultKind::MeterSkips];

    /// Those that hide a payment, found for certain too. A floor does them where it is told to.
    pub const OF_HIDING: [FaultKind; 19] = [
        FaultKind::StrayPayment,
        FaultKind::StrayPush,
        FaultKind::StrayPot,
        FaultKind::UnknownWager,
        FaultKind::OtherBanker,
        FaultKind::DecidedVoid,
        FaultKind::ExcusedLoser,
        FaultKind::HiddenByGap,
        FaultKind::OtherName,
        FaultKind::Reopened,
        FaultKind::LeftOpen,
        FaultKind::UnseenCard,
        FaultKind::OtherProperty,
        FaultKind::StrayCommission,
        FaultKind::LateAct,
        FaultKind::UntoldResult,
        FaultKind::ReopenedShort,
        FaultKind::ReopenedOtherwise,
        FaultKind::ShortOpenings,
    ];

    /// Those that last, and that only many outcomes tell from chance.
    pub const STATISTICAL: [FaultKind; 5] = [
        FaultKind::BiasedWheel,
        FaultKind::LoadedDice,
        FaultKind::CollusiveDealer,
        FaultKind::SparingDealer,
        FaultKind::BlindReader,
    ];

    /// As labels and scenarios write it.
    pub fn name(self) -> String {
        let written = serde_json::to_value(self).unwrap_or_default();
        written.as_str().unwrap_or_default().to_owned()
    }

    pub fn is_statistical(self) -> bool {
        Self::STATISTICAL.contains(&self)
    }
}

/// What was done wrong, where, and the findings of which one at least must tell of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Label {
    pub kind: FaultKind,
    pub property: String,
    pub table: String,
    pub game: String,
    pub round: String,
    pub wager: Option<String>,
    /// When the first of its events happened.
    #[serde(with = "moment")]
    pub at: Timestamp,
    /// Positive: the house loses it.
    #[serde(with = "catwalk_events::audit::signed")]
    pub amount: Cents,
    /// Sequence numbers of the events that were changed, added or lost; of a fault that lasts, the first.
    pub seqs: Vec<u64>,
    /// Finding codes, one of which an audit must raise; of what only a report shows there is none.
    pub codes: Vec<String>,
    /// Of a fault that lasts: how often of a thousand times it shows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub strength_per_mille: Option<u32>,
}

/// Moments as labels and findings write them.
pub(crate) mod moment {
    use catwalk_events::Timestamp;
    use serde::{Deserialize, Deserializer, Serializer, de};

    pub(crate) fn serialize<S: Serializer>(
        at: &Timestamp,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.collect_str(at)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Timestamp, D::Error> {
        let text = String::deserialize(from)?;
        text.parse().map_err(de::Error::custom)
    }
}
