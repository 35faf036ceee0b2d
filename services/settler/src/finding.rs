//! A finding: what is wrong, where, how much is at stake, and what proves it.

use catwalk_events::Timestamp;
use catwalk_rules::book::Severity;
use catwalk_rules::floor::Cents;
use serde::{Serialize, Serializer};
use sha2::{Digest, Sha256};

/// No finding names more events than this as its evidence.
const MAX_EVIDENCE: usize = 64;

/// One fault. The same events give the same id.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
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
    #[serde(serialize_with = "as_moment")]
    pub at: Timestamp,
    /// What should have gone to the player beyond the stake.
    pub due: Option<Cents>,
    /// What did.
    pub paid: Option<Cents>,
    /// Positive: the house lost it.
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
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resolves: Option<String>,
}

fn as_moment<S: Serializer>(at: &Timestamp, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(at)
}

impl Finding {
    /// Trims the evidence and gives the finding its id, from what was found and what shows it.
    pub(crate) fn seal(mut self) -> Finding {
        self.evidence.sort_unstable();
        self.evidence.dedup();
        self.evidence.truncate(MAX_EVIDENCE);
        let mut hash = Sha256::new();
        let name = |part: &Option<String>| part.clone().unwrap_or_default();
        let parts = [
            &self.property,
            &self.table,
            &self.code,
            &name(&self.round),
            &name(&self.wager),
        ];
        for part in parts {
            hash.update(part.as_bytes());
            hash.update([0]);
        }
        if let Some(closed) = &self.resolves {
            hash.update(closed.as_bytes());
        }
        for seq in &self.evidence {
            hash.update(seq.to_be_bytes());
        }
        let hash = hash.finalize();
        self.id = hash[..16]
            .iter()
            .map(|byte| format!("{byte:02x}"))
            .collect();
        self
    }
}
