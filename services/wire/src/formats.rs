//! How records are written on the log: with or without a schema registry.

use std::collections::BTreeSet;
use std::sync::{PoisonError, RwLock};

use catwalk_events::Event;
use catwalk_events::audit::{
    Access, CaseAct, Disposition, Finding, Incident, Quarantined, Settlement,
};

use crate::avro::{Avro, AvroError, Codec, Framing};
use crate::registry::{Registry, RegistryError};

/// So many ids that the registry does not know are remembered, so that it is not asked again.
const MAX_UNKNOWN_IDS: usize = 1_024;

/// The codec of every topic. Threads may share it.
#[derive(Debug)]
pub struct Formats {
    pub events: Codec,
    pub settlements: Avro<Settlement>,
    pub findings: Avro<Finding>,
    pub quarantine: Avro<Quarantined>,
    pub dispositions: Avro<Disposition>,
    pub incidents: Avro<Incident>,
    pub cases: Avro<CaseAct>,
    pub access: Avro<Access>,
    registry: Option<Registry>,
    learned: RwLock<Learned>,
}

/// What the registry has said of the schemas of events.
#[derive(Debug)]
struct Learned {
    events: Codec,
    /// Ids that it does not know.
    unknown_ids: BTreeSet<u32>,
}

/// Why an event cannot be read: by itself, or for now.
#[derive(Debug, thiserror::Error)]
pub enum Unreadable {
    #[error(transparent)]
    Avro(#[from] AvroError),
    #[error(transparent)]
    Registry(#[from] RegistryError),
}

impl Formats {
    /// Single-object encoding: schemas are known by their fingerprints.
    pub fn plain() -> Result<Formats, AvroError> {
        let framing = Framing::SingleObject;
        Ok(Formats {
            events: Codec::new(framing)?,
            settlements: Avro::new(framing)?,
            findings: Avro::new(framing)?,
            quarantine: Avro::new(framing)?,
            dispositions: Avro::new(framing)?,
            incidents: Avro::new(framing)?,
            cases: Avro::new(framing)?,
            access: Avro::new(framing)?,
            registry: None,
            learned: Learned::none()?,
        })
    }

    /// Confluent's wire format: schemas are known by the ids that the registry gives them. Today's are
    /// registered under the names of the topics, which begin with `prefix`.
    pub fn registered(registry: Registry, prefix: &str) -> Result<Formats, Unreadable> {
        let of = |topic: &str| format!("{prefix}{topic}");
        Ok(Formats {
            events: registry.codec(&of("floor.events"))?,
            settlements: registry.codec(&of("audit.settlements"))?,
            findings: registry.codec(&of("audit.findings"))?,
            quarantine: registry.codec(&of("audit.quarantine"))?,
            dispositions: registry.codec(&of("audit.dispositions"))?,
            incidents: registry.codec(&of("audit.incidents"))?,
            cases: registry.codec(&of("audit.cases"))?,
            access: registry.codec(&of("audit.access"))?,
            registry: Some(registry),
            learned: Learned::none()?,
        })
    }

    /// Reads an event, asking the registry for a schema that is met for the first time.
    pub fn read_event(&self, bytes: &[u8]) -> Result<Event, Unreadable> {
        match (self.events.decode(bytes), &self.registry) {
            (Err(AvroError::UnknownId(id)), Some(registry)) => self.learn(id, bytes, registry),
            (read, _) => Ok(read?),
        }
    }

    fn learn(&self, id: u32, bytes: &[u8], registry: &Registry) -> Result<Event, Unreadable> {
        // What was learned stays whole, whoever panics.
        let known = self.learned.read().unwrap_or_else(PoisonError::into_inner);
        match known.events.decode(bytes) {
            Err(AvroError::UnknownId(_)) if !known.unknown_ids.contains(&id) => drop(known),
            read => return Ok(read?),
        }
        let schema = registry.schema(id)?;
        let mut learned = self.learned.write().unwrap_or_else(PoisonError::into_inner);
        let known = schema.is_some_and(|schema| learned.events.register(id, &schema).is_ok());
        if !known {
            learned.give_up(id);
        }
        Ok(learned.events.decode(bytes)?)
    }
}

impl Learned {
    fn none() -> Result<RwLock<Learned>, AvroError> {
        Ok(RwLock::new(Learned {
            events: Codec::new(Framing::SingleObject)?,
            unknown_ids: BTreeSet::new(),
        }))
    }

    fn give_up(&mut self, id: u32) {
        if self.unknown_ids.len() >= MAX_UNKNOWN_IDS {
            self.unknown_ids.clear();
        }
        self.unknown_ids.insert(id);
    }
}
