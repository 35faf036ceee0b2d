//! What the pipeline makes of the floor's events: the records of the audit topics.
//!
//! The schema of each is in `schemas/`, documented field by field; serde's form is the one that the log
//! has. What people read of a finding is [`json::write_finding`](crate::json::write_finding).

mod access;
mod case;
mod desk;

use catwalk_hands::floor::{Cents, Severity, Verdict};
use catwalk_hands::hex;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

pub use self::access::{Access, AccessStage, Door, Outcome};
pub use self::case::{Case, CaseAct, CaseAction, Cases, Leaves, NoAct};
pub use self::desk::{Action, Disposition, EntryKind, Incident, LogEntry, Notified};
use crate::body::{CardPlace, Face, WagerForm};
use crate::{Json, Timestamp};

/// No finding names more events than this as its evidence.
const MAX_EVIDENCE: usize = 64;

/// A round that has ended, settled against the rules and compared with what was paid.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Settlement {
    pub property: String,
    pub table: String,
    pub round: String,
    pub game: String,
    /// With the options, the rules in force when the round opened.
    pub edition: String,
    pub options: Json,
    pub opened_at: Timestamp,
    pub closed_at: Timestamp,
    pub dealer: Option<String>,
    /// False where events of it are missing: it was not judged.
    pub complete: bool,
    /// The floor declared it void: it was not judged.
    pub voided: bool,
    pub first_seq: u64,
    pub last_seq: u64,
    /// Hash of the rules that decided; `None` where it was not judged.
    pub rules: Option<String>,
    pub violations: Vec<String>,
    /// The round document that settles to this.
    pub document: Option<Json>,
    /// Payments outside the odds of any wager.
    pub bonuses: Option<Json>,
    /// The poker room's awards, rake, jackpot drop and refunds.
    pub pots: Option<Json>,
    /// In the order placed.
    pub wagers: Vec<SettledWager>,
    /// In the order dealt.
    pub cards: Vec<DealtCard>,
    /// The places of the document that nobody saw: the judgement holds whatever lay there.
    #[serde(default)]
    pub assumed: Vec<String>,
    /// The shoe, the set of cards, the wheel, the set of dice and the seat that banks, where the floor told of them.
    #[serde(default)]
    pub shoe: Option<String>,
    #[serde(default)]
    pub set: Option<String>,
    #[serde(default)]
    pub wheel: Option<String>,
    #[serde(default)]
    pub dice_set: Option<String>,
    #[serde(default)]
    pub banker: Option<u32>,
    #[serde(default)]
    pub shift: Option<String>,
    #[serde(default)]
    pub pit: Option<String>,
    /// The table was open for a tournament, or for a field trial.
    #[serde(default)]
    pub tournament: Option<bool>,
    #[serde(default)]
    pub trial: Option<bool>,
    /// Vigorish of it that is only marked, and collected later; `None` where there is none.
    #[serde(default, with = "signed::optional")]
    pub owed: Option<Cents>,
}

/// A wager of a round that has ended: what was due, what happened.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SettledWager {
    pub id: String,
    pub seat: u32,
    pub player: Option<String>,
    pub kind: String,
    /// The stake that counts.
    pub amount: Cents,
    /// This and the next three are what the rules say; `None` where the round was not judged. A wager that hangs
    /// on what nobody saw is open, and has none of the three.
    pub result: Option<Verdict>,
    #[serde(with = "signed::optional")]
    pub win: Option<Cents>,
    #[serde(with = "signed::optional")]
    pub commission: Option<Cents>,
    #[serde(with = "signed::optional")]
    pub returned: Option<Cents>,
    /// Paid beyond the stake.
    #[serde(with = "signed")]
    pub paid: Cents,
    #[serde(with = "signed")]
    pub commission_taken: Cents,
    /// What of the stake was collected; `None` where no collection was reported.
    #[serde(with = "signed::optional")]
    pub collected: Option<Cents>,
    /// What of the stake was left or given back; `None` where no push was reported.
    #[serde(with = "signed::optional")]
    pub pushed: Option<Cents>,
    /// What went back less what was due: positive, the house lost it. `None` where not judged.
    #[serde(with = "signed::optional")]
    pub difference: Option<Cents>,
    #[serde(default)]
    pub form: Option<WagerForm>,
    #[serde(default)]
    pub placed_at: Option<Timestamp>,
    /// It was made, raised or taken down so long after its window had closed.
    #[serde(default)]
    pub late_by_ms: Option<i64>,
    /// What it is on, as it was told: the number, the point and whatever else the game's document has for it.
    #[serde(default)]
    pub detail: Option<Json>,
}

impl SettledWager {
    /// What the player put up: the stake, and vigorish that was paid beside it. The stake of a wager that
    /// stays up counts in the round that decides it, its vigorish in the round in which it was charged. The face of
    /// a coupon is no money.
    pub fn put_up(&self) -> Cents {
        let stake = match self.form {
            Some(WagerForm::Coupon) => Cents::ZERO,
            _ => self.amount,
        };
        let (Some(win), Some(commission), Some(returned)) =
            (self.win, self.commission, self.returned)
        else {
            return stake;
        };
        match self.result {
            Some(Verdict::Open) => commission,
            _ if self.amount + win - returned == commission => stake,
            _ => stake + commission,
        }
    }

    /// What the rules return of what was put up; `None` where the round was not judged, or where this wager
    /// hangs on what nobody saw. Of a coupon that is what it wins.
    pub fn due_back(&self) -> Option<Cents> {
        let is_coupon = self.form == Some(WagerForm::Coupon);
        match self.result {
            Some(Verdict::Open) => self.returned.map(|_| Cents::ZERO),
            _ if is_coupon => {
                let won = |returned: Cents| (returned - self.amount).max(Cents::ZERO);
                self.returned.map(won)
            }
            _ => self.returned,
        }
    }
}

/// A card of a round, as it was shown in the end.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DealtCard {
    /// Which card of the round, from 0.
    pub index: u32,
    pub to: CardPlace,
    pub seat: Option<u32>,
    pub hand: Option<u32>,
    /// `None` where nobody saw it.
    pub card: Option<String>,
    /// How it was dealt.
    pub face: Face,
    /// Of the event that dealt it.
    pub seq: u64,
    pub at: Option<Timestamp>,
}

/// Something that is wrong, where, how much is at stake, and what shows it. The same events give the
/// same id.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finding {
    pub id: String,
    pub code: String,
    pub severity: Severity,
    pub property: String,
    pub table: String,
    pub game: Option<String>,
    pub round: Option<String>,
    pub wager: Option<String>,
    pub seat: Option<u32>,
    pub dealer: Option<String>,
    /// Of the event that decided it.
    pub at: Timestamp,
    /// What should have gone to the player beyond the stake.
    #[serde(with = "signed::optional")]
    pub due: Option<Cents>,
    /// What did.
    #[serde(with = "signed::optional")]
    pub paid: Option<Cents>,
    /// Positive: the house lost it.
    #[serde(with = "signed")]
    pub exposure: Cents,
    /// One sentence.
    pub message: String,
    /// Sections of the rules.
    pub cites: Vec<String>,
    /// Sequence numbers of the events that show it.
    pub evidence: Vec<u64>,
    /// Hash of the rulebook that judged.
    pub rules: Option<String>,
    /// Of a resolution: the id of the finding that it closes.
    #[serde(default)]
    pub resolves: Option<String>,
    /// Whose wager it is, where the floor knows.
    #[serde(default)]
    pub player: Option<String>,
    /// The table was open for a field trial.
    #[serde(default)]
    pub trial: Option<bool>,
}

impl Finding {
    /// Trims the evidence and gives the finding its id, from what was found, at which wager and seat, and what shows
    /// it.
    #[must_use]
    pub fn seal(self) -> Finding {
        self.seal_about("")
    }

    /// The same for one of several that the same events may show: it is about this kind of wager, set, card or other
    /// object. Words for people are no part of an id, so that they can be changed.
    #[must_use]
    pub fn seal_about(mut self, about: &str) -> Finding {
        self.evidence.sort_unstable();
        self.evidence.dedup();
        self.evidence.truncate(MAX_EVIDENCE);
        let mut hash = Sha256::new();
        let parts = [
            &self.property,
            &self.table,
            &self.code,
            self.round.as_deref().unwrap_or_default(),
            self.wager.as_deref().unwrap_or_default(),
            self.resolves.as_deref().unwrap_or_default(),
            about,
        ];
        for part in parts {
            hash.update(part.as_bytes());
            hash.update([0]);
        }
        hash.update(
            self.seat
                .map_or(0, |seat| u64::from(seat) + 1)
                .to_be_bytes(),
        );
        for seq in &self.evidence {
            hash.update(seq.to_be_bytes());
        }
        let hash = hash.finalize();
        self.id = hex(&hash[..16]);
        self
    }
}

/// A record of the log that could not be read or used, whole, and why.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Quarantined {
    pub topic: String,
    pub partition: u32,
    pub offset: u64,
    /// When it was written to the log.
    pub at: Timestamp,
    pub reason: String,
    #[serde(with = "serde_bytes")]
    pub key: Option<Vec<u8>>,
    #[serde(with = "serde_bytes")]
    pub value: Option<Vec<u8>>,
    /// Where the record could be read.
    pub property: Option<String>,
    /// Where the record could be read, or its key tells it.
    pub table: Option<String>,
    /// Where the record could be read.
    pub seq: Option<u64>,
}

/// Sums and differences of money, which the bounds on what enters from outside do not hold for: for
/// `#[serde(with = "...")]`.
pub mod signed {
    use super::{Cents, Deserialize, Serialize};
    use serde::{Deserializer, Serializer};

    pub fn serialize<S: Serializer>(cents: &Cents, serializer: S) -> Result<S::Ok, S::Error> {
        cents.serialize(serializer)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Cents, D::Error> {
        i64::deserialize(deserializer).map(Cents::new)
    }

    /// The same where it may be absent.
    pub mod optional {
        use super::{Cents, Deserialize, Deserializer, Serialize, Serializer};

        pub fn serialize<S: Serializer>(
            cents: &Option<Cents>,
            serializer: S,
        ) -> Result<S::Ok, S::Error> {
            cents.serialize(serializer)
        }

        pub fn deserialize<'de, D: Deserializer<'de>>(
            deserializer: D,
        ) -> Result<Option<Cents>, D::Error> {
            Ok(Option::<i64>::deserialize(deserializer)?.map(Cents::new))
        }
    }
}
