//! What a batch of events gives to the log.

use catwalk_events::Event;
use catwalk_events::audit::{Finding, Settlement};
use catwalk_log::{Message, Record, Topic};
use catwalk_rules::book::Severity;
use catwalk_rules::floor::Cents;
use catwalk_wire::Formats;

use super::RunnerError;
use super::meter::Committed;
use crate::quarantine;
use crate::settler::{Output, SettledRound};

/// No record that is written is larger. The log takes a little more.
pub const MAX_RECORD_BYTES: usize = 900_000;

/// The messages of one commit, and what they are counted as.
#[derive(Debug, Default)]
pub(super) struct Outputs {
    messages: Vec<Message>,
    committed: Committed,
}

impl Outputs {
    pub(super) fn into_parts(self) -> (Vec<Message>, Committed) {
        (self.messages, self.committed)
    }

    /// Adds what another thread has made.
    pub(super) fn append(&mut self, mut other: Outputs) {
        self.messages.append(&mut other.messages);
        self.committed.append(other.committed);
    }

    pub(super) fn count_event(&mut self) {
        self.committed.events += 1;
    }

    /// Takes what came of a record.
    pub(super) fn take(
        &mut self,
        output: Output,
        record: &Record,
        formats: &Formats,
    ) -> Result<(), RunnerError> {
        match output {
            Output::Finding(finding) => self.find(&finding, record, formats),
            Output::Settlement(round) => self.settle(&round, record, formats),
            Output::Unread(unread) => {
                // An event that had waited is not the record that came now: it is written again.
                let event = *unread.event;
                let value = match unread.offset == record.offset {
                    true => record.value.clone(),
                    false => Some(formats.events.encode(&event)?),
                };
                let key = record.key.clone();
                let record = Record {
                    offset: unread.offset,
                    key,
                    value,
                    ..record.clone()
                };
                self.quarantine(&record, Some(&event), unread.reason, formats)
            }
        }
    }

    pub(super) fn find(
        &mut self,
        finding: &Finding,
        record: &Record,
        formats: &Formats,
    ) -> Result<(), RunnerError> {
        let value = formats.findings.encode(finding)?;
        self.send(Topic::Findings, &finding.table, value);
        let count = self.committed.findings.entry(finding.code.clone());
        *count.or_default() += 1;
        self.committed.decided_ms.push(record.timestamp_ms);
        Ok(())
    }

    fn settle(
        &mut self,
        round: &SettledRound,
        record: &Record,
        formats: &Formats,
    ) -> Result<(), RunnerError> {
        let mut settlement = Settlement::from(round);
        let mut value = formats.settlements.encode(&settlement)?;
        if value.len() > MAX_RECORD_BYTES {
            let bytes = value.len();
            settlement.document = None;
            settlement.cards.clear();
            value = formats.settlements.encode(&settlement)?;
            if value.len() > MAX_RECORD_BYTES {
                settlement.wagers.clear();
                value = formats.settlements.encode(&settlement)?;
            }
            self.find(&oversized(round, bytes), record, formats)?;
        }
        self.send(Topic::Settlements, &round.table, value);
        self.committed.rounds += 1;
        Ok(())
    }

    /// Puts a record aside, whole, with the reason.
    pub(super) fn quarantine(
        &mut self,
        record: &Record,
        event: Option<&Event>,
        reason: String,
        formats: &Formats,
    ) -> Result<(), RunnerError> {
        let quarantined = quarantine::put_aside(record, event, reason);
        let value = formats.quarantine.encode(&quarantined)?;
        let key = quarantined.table.unwrap_or_default();
        self.send(Topic::Quarantine, &key, value);
        self.committed.quarantined += 1;
        Ok(())
    }

    /// Writes a part of the state beside the partition that it was made of.
    pub(super) fn keep(&mut self, partition: u32, key: &str, value: Vec<u8>) {
        let message = Message::new(Topic::State, key, value);
        self.messages.push(message.to_partition(partition));
    }

    pub(super) fn count_snapshot(&mut self) {
        self.committed.snapshots += 1;
    }

    fn send(&mut self, topic: Topic, table: &str, value: Vec<u8>) {
        self.messages.push(Message::new(topic, table, value));
    }
}

fn oversized(round: &SettledRound, bytes: usize) -> Finding {
    let message = format!(
        "Round {} makes a record of {bytes} bytes, at most {MAX_RECORD_BYTES} are kept: its document and \
         cards are left out",
        round.round
    );
    Finding {
        id: String::new(),
        code: "round.oversized".to_owned(),
        severity: Severity::Warn,
        property: round.property.clone(),
        table: round.table.clone(),
        game: Some(round.rules.game.clone()),
        round: Some(round.round.clone()),
        wager: None,
        seat: None,
        dealer: round.dealer.clone(),
        at: round.at,
        due: None,
        paid: None,
        exposure: Cents::ZERO,
        message,
        cites: Vec::new(),
        evidence: vec![round.first_seq, round.last_seq],
        rules: None,
        resolves: None,
        player: None,
        trial: None,
    }
    .seal()
}
