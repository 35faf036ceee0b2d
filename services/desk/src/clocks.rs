//! Alarms of clocks: a table whose clock is not that of the log, by which recordings are looked for.

use std::collections::{BTreeMap, BTreeSet};

use catwalk_events::Timestamp;
use catwalk_events::audit::Finding;
use catwalk_hands::floor::{Cents, Severity};
use serde::{Deserialize, Serialize};

use crate::file::{self, Piece, StateError};
use crate::floor::TableNow;

/// Beyond this a clock is wrong, and within that it is right again.
const WRONG_MS: i64 = 1_000;
const RIGHT_MS: i64 = 500;
/// Events that are of another day are no clock that is wrong: somebody brings an older feed.
const OLDER_FEED_MS: i64 = 12 * 3_600_000;
pub(crate) const CODE: &str = "feed.clock_offset";
const RESOLVED: &str = "finding.resolved";
const CLOCK: &str = "clock ";

type Key = (String, String);

/// The alarms that are on.
#[derive(Debug, Default)]
pub(crate) struct Clocks {
    on: BTreeMap<Key, Alarm>,
    changed: BTreeSet<Key>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct Alarm {
    property: String,
    table: String,
    finding: String,
    offset_ms: i64,
}

impl Clocks {
    pub(crate) fn is_changed(&self) -> bool {
        !self.changed.is_empty()
    }

    /// Holds the clock of a table against that of the log. What is found is appended by whoever asks, in one commit
    /// with [`Clocks::write_changed`].
    pub(crate) fn look(&mut self, table: &TableNow, now: Timestamp) -> Option<Finding> {
        let key = (table.property.clone(), table.table.clone());
        let offset_ms = table.clock_offset_ms().filter(|_| table.open)?;
        let off = offset_ms.saturating_abs();
        match self.on.get(&key) {
            None if off > WRONG_MS && off < OLDER_FEED_MS && table.has_many_lags() => {
                let found = wrong(table, offset_ms, now);
                let alarm = Alarm {
                    property: key.0.clone(),
                    table: key.1.clone(),
                    finding: found.id.clone(),
                    offset_ms,
                };
                self.on.insert(key.clone(), alarm);
                self.changed.insert(key);
                Some(found)
            }
            Some(alarm) if off <= RIGHT_MS => {
                let found = right(table, alarm, now);
                self.on.remove(&key);
                self.changed.insert(key);
                Some(found)
            }
            _ => None,
        }
    }

    pub(crate) fn write_changed(&mut self) -> Result<Vec<Piece>, StateError> {
        let mut pieces = Vec::new();
        for key in std::mem::take(&mut self.changed) {
            let value = self.on.get(&key).map(file::write).transpose()?;
            pieces.push((format!("{CLOCK}{key:?}"), value));
        }
        Ok(pieces)
    }

    /// Takes back a piece that was written down.
    pub(crate) fn restore(&mut self, key: &str, value: &[u8]) -> Result<(), StateError> {
        if key.starts_with(CLOCK) {
            let alarm: Alarm = file::read(value)?;
            self.on
                .insert((alarm.property.clone(), alarm.table.clone()), alarm);
        }
        Ok(())
    }
}

fn seconds(ms: i64) -> String {
    let ms = ms.unsigned_abs();
    format!("{}.{} s", ms / 1_000, ms % 1_000 / 100)
}

fn wrong(table: &TableNow, offset_ms: i64, now: Timestamp) -> Finding {
    let (name, by) = (&table.table, seconds(offset_ms));
    let message = match offset_ms > 0 {
        true => format!(
            "The clock of {name} is {by} behind that of the log, or its events take so long: what it tells of was \
             recorded {by} later than it says"
        ),
        false => format!(
            "The clock of {name} is {by} ahead of that of the log: what it tells of was recorded {by} before it says"
        ),
    };
    found(table, CODE, Severity::Warn, message, None, now)
}

fn right(table: &TableNow, alarm: &Alarm, now: Timestamp) -> Finding {
    let was = seconds(alarm.offset_ms);
    let message = format!(
        "The clock of {} was {was} off and is right again",
        table.table
    );
    let finding = Some(alarm.finding.clone());
    found(table, RESOLVED, Severity::Info, message, finding, now)
}

fn found(
    table: &TableNow,
    code: &str,
    severity: Severity,
    message: String,
    resolves: Option<String>,
    now: Timestamp,
) -> Finding {
    let finding = Finding {
        id: String::new(),
        code: code.to_owned(),
        severity,
        property: table.property.clone(),
        table: table.table.clone(),
        game: table.game.clone(),
        round: None,
        wager: None,
        seat: None,
        dealer: None,
        at: now,
        due: None,
        paid: None,
        exposure: Cents::ZERO,
        message,
        cites: Vec::new(),
        evidence: table.watched.last_seq().into_iter().collect(),
        rules: None,
        resolves,
        player: None,
        trial: None,
    };
    // It may come again at the same event.
    finding.seal_about(&now.to_string())
}
