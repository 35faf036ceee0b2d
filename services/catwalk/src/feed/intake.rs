//! What brings events onto a log, each number once: for `catwalk feed`, and for the gateway of a running service.

use std::sync::Arc;

use catwalk_events::{Event, json};
use catwalk_log::{Log, Message, Producer, Reader, Topic};
use catwalk_rules::Rulebook;
use catwalk_settler::MAX_EVENT_BYTES;
use catwalk_wire::{Formats, Unreadable};

use super::PATIENCE;
use super::known::{Known, Print, Standing};
use crate::check::Checker;

/// What became of a line.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Fate {
    /// It goes on the log with the next lot; what stands wrong with it is told.
    Taken(Vec<String>),
    /// The log has it from before.
    There,
    /// It was brought before by whoever brings this one.
    Repeated(String),
    /// It does not go on the log, and why.
    Refused(String),
}

/// What the log has, and what goes onto it next.
pub(crate) struct Intake {
    producer: Box<dyn Producer>,
    readers: Vec<Box<dyn Reader>>,
    formats: Formats,
    known: Known,
    checker: Checker,
    lot: Vec<Message>,
}

impl Intake {
    /// `known` says how much is remembered. Nothing is asked of the log yet.
    pub(crate) fn open(
        log: &dyn Log,
        formats: Formats,
        known: Known,
        rulebook: Arc<Rulebook>,
    ) -> anyhow::Result<Intake> {
        let partitions = log.partitions(Topic::FloorEvents)?;
        let readers =
            (0..partitions).map(|index| log.reader(Topic::FloorEvents.partition(index), 0));
        Ok(Intake {
            producer: log.producer()?,
            readers: readers.collect::<Result<_, _>>()?,
            formats,
            known,
            checker: Checker::new(rulebook)?,
            lot: Vec::new(),
        })
    }

    /// How many records of the log have not been heard yet.
    pub(crate) fn behind(&self, log: &dyn Log) -> anyhow::Result<u64> {
        let mut behind = 0;
        for (index, reader) in (0u32..).zip(&self.readers) {
            let end = log.end(Topic::FloorEvents.partition(index))?;
            behind += end.saturating_sub(reader.position());
        }
        Ok(behind)
    }

    /// Asks the log what it has, from where it was asked last. The checker sees it too, so that the next line is held
    /// against it. `progress` is told of every step, and ends it by saying no.
    pub(crate) fn ask(
        &mut self,
        log: &dyn Log,
        mut progress: impl FnMut(u64) -> bool,
    ) -> anyhow::Result<()> {
        let Intake {
            readers,
            formats,
            known,
            checker,
            ..
        } = self;
        for (index, reader) in (0u32..).zip(readers) {
            let end = log.end(Topic::FloorEvents.partition(index))?;
            while reader.position() < end {
                let before = reader.position();
                for record in reader.read(PATIENCE)? {
                    let record = record.value.as_deref().unwrap_or_default();
                    remember(known, checker, formats, record)?;
                }
                if !progress(reader.position().saturating_sub(before)) || reader.caught_up() {
                    break;
                }
            }
        }
        Ok(())
    }

    /// Takes a line in, if it is an event that the log has not and that `may_bring` has nothing against.
    pub(crate) fn take(
        &mut self,
        line: &[u8],
        may_bring: impl FnOnce(&Event) -> Result<(), String>,
    ) -> anyhow::Result<Fate> {
        let event = match read(line) {
            Ok(event) => event,
            Err(problem) => return Ok(Fate::Refused(problem)),
        };
        let Event { table, seq, .. } = &event;
        if let Err(why) = may_bring(&event) {
            return Ok(Fate::Refused(format!("{table}: event {seq}: {why}")));
        }
        let value = match self.formats.events.encode(&event) {
            Ok(value) => value,
            // Such as a number that Avro has no room for.
            Err(error) => return Ok(Fate::Refused(format!("{table}: event {seq}: {error}"))),
        };
        if value.len() > MAX_EVENT_BYTES {
            return Ok(Fate::Refused(format!(
                "{table}: event {seq} has {} bytes, at most {MAX_EVENT_BYTES} are taken",
                value.len()
            )));
        }
        let refused = |why: &str| Ok(Fate::Refused(format!("{table}: {why}")));
        match self.known.meet(&event, Print::of(&value)) {
            Standing::New => {}
            Standing::There => return Ok(Fate::There),
            Standing::Repeated => {
                return Ok(Fate::Repeated(format!("{table}: seq {seq} is repeated")));
            }
            Standing::Other => {
                return refused(&format!(
                    "the log has another event {seq}: this one is not sent"
                ));
            }
            Standing::Forgotten => {
                return refused(&format!(
                    "event {seq} is so far behind the others that nobody can tell whether the log has it: \
                     it is not sent"
                ));
            }
            Standing::TooMany => return refused("there are more tables than can be kept apart"),
        }
        self.lot
            .push(Message::new(Topic::FloorEvents, table.as_str(), value));
        Ok(Fate::Taken(self.checker.check(event)))
    }

    /// How many have been taken since the last lot was handed over.
    pub(crate) fn waiting(&self) -> usize {
        self.lot.len()
    }

    /// Hands the lot to the log. If that fails, nobody knows what of it is there: the log has to be asked anew, by
    /// another intake.
    pub(crate) fn hand_over(&mut self) -> anyhow::Result<usize> {
        self.producer.send(&self.lot)?;
        let sent = self.lot.len();
        self.lot.clear();
        Ok(sent)
    }

    /// Waits until all that was handed over is safe.
    pub(crate) fn flush(&mut self) -> anyhow::Result<()> {
        Ok(self.producer.flush()?)
    }

    /// What is wrong with what was still waited for when the feed ended.
    pub(crate) fn finish(&mut self) -> Vec<String> {
        self.checker.finish()
    }
}

fn remember(
    known: &mut Known,
    checker: &mut Checker,
    formats: &Formats,
    record: &[u8],
) -> anyhow::Result<()> {
    match formats.read_event(record) {
        Ok(event) => {
            let print = Print::of(&formats.events.encode(&event)?);
            // What was brought from here has been checked.
            if known.remember(&event, print) {
                checker.check(event);
            }
            Ok(())
        }
        // It is no event, and stands for none.
        Err(Unreadable::Avro(_)) => Ok(()),
        Err(error @ Unreadable::Registry(_)) => Err(error.into()),
    }
}

fn read(line: &[u8]) -> Result<Event, String> {
    let text = std::str::from_utf8(line).map_err(|error| format!("not UTF-8: {error}"))?;
    json::read(text).map_err(|refusal| refusal.to_string())
}
