//! What the topics bring.

use catwalk_events::audit::{
    Access, CaseAct, Disposition, Finding, Incident, Quarantined, Settlement,
};
use catwalk_events::{Event, Timestamp};
use catwalk_log::Topic;
use catwalk_wire::{Avro, AvroError, Formats, Logged, Unreadable};

use crate::{Error, Result};

/// A record of a topic.
pub(crate) enum Item {
    Event(Box<Event>),
    Settlement(Box<Settlement>),
    Finding(Box<Finding>),
    Disposition(Box<Disposition>),
    Incident(Box<Incident>),
    Quarantined(Box<Quarantined>),
    Case(Box<CaseAct>),
    Access(Box<Access>),
}

impl Item {
    /// Reads a record; `None` for one that is no good. Of the floor's events those are in quarantine,
    /// where the settler has put them.
    ///
    /// # Errors
    /// If it may be good, and only cannot be read here or now: to pass over it would lose it.
    pub(crate) fn read(formats: &Formats, topic: Topic, bytes: &[u8]) -> Result<Option<Item>> {
        Ok(match topic {
            Topic::FloorEvents => match formats.read_event(bytes) {
                Ok(event) => Some(Item::Event(Box::new(event))),
                Err(Unreadable::Avro(_)) => None,
                Err(error @ Unreadable::Registry(_)) => return Err(error.into()),
            },
            Topic::Settlements => read(&formats.settlements, topic, bytes)?
                .map(|settlement| Item::Settlement(Box::new(settlement))),
            Topic::Findings => read(&formats.findings, topic, bytes)?
                .map(|finding| Item::Finding(Box::new(finding))),
            Topic::Dispositions => read(&formats.dispositions, topic, bytes)?
                .map(|disposition| Item::Disposition(Box::new(disposition))),
            Topic::Incidents => read(&formats.incidents, topic, bytes)?
                .map(|incident| Item::Incident(Box::new(incident))),
            Topic::Quarantine => read(&formats.quarantine, topic, bytes)?
                .map(|record| Item::Quarantined(Box::new(record))),
            Topic::Cases => {
                read(&formats.cases, topic, bytes)?.map(|act| Item::Case(Box::new(act)))
            }
            Topic::Access => {
                read(&formats.access, topic, bytes)?.map(|access| Item::Access(Box::new(access)))
            }
            Topic::State => None,
        })
    }

    /// The moment that decides its gaming day.
    pub(crate) fn at(&self) -> Timestamp {
        match self {
            Item::Event(event) => event.at,
            Item::Settlement(round) => round.closed_at,
            Item::Finding(finding) => finding.at,
            Item::Disposition(disposition) => disposition.at,
            Item::Quarantined(record) => record.at,
            Item::Case(act) => act.at,
            Item::Access(access) => access.at,
            // All revisions of one lie together.
            Item::Incident(incident) => incident.began,
        }
    }
}

/// Reads a record that one of our own services has written.
fn read<R: Logged>(format: &Avro<R>, topic: Topic, bytes: &[u8]) -> Result<Option<R>> {
    match format.decode(bytes) {
        Ok(record) => Ok(Some(record)),
        Err(error @ (AvroError::UnknownFingerprint(_) | AvroError::UnknownId(_))) => {
            Err(Error::NewerRecord { topic, error })
        }
        Err(_) => Ok(None),
    }
}

/// Where a record stands on the log, and in the calendar.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Arrival {
    pub(crate) partition: u32,
    pub(crate) offset: u64,
    /// Days since 1970.
    pub(crate) gaming_day: i32,
}
