//! How records are written on the log: with or without a schema registry.

use std::collections::BTreeSet;

use catwalk_events::Event;
use catwalk_events::audit::{Disposition, Finding, Quarantined, Settlement};
use catwalk_events::avro::{Avro, AvroError, Codec, Framing};

use crate::registry::{Registry, RegistryError};

/// So many ids that the registry does not know are remembered, so that it is not asked again.
const MAX_UNKNOWN_IDS: usize = 1_024;

/// The codec of every topic.
#[derive(Debug)]
pub struct Formats {
    pub events: Codec,
    pub settlements: Avro<Settlement>,
    pub findings: Avro<Finding>,
    pub quarantine: Avro<Quarantined>,
    pub dispositions: Avro<Disposition>,
    registry: Option<Registry>,
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
            registry: None,
            unknown_ids: BTreeSet::new(),
        })
    }

    /// Confluent's wire format: schemas are known by the ids that the registry gives them. Today's are
    /// registered.
    pub fn registered(registry: Registry) -> Result<Formats, Unreadable> {
        Ok(Formats {
            events: registry.codec("floor.events")?,
            settlements: registry.codec("audit.settlements")?,
            findings: registry.codec("audit.findings")?,
            quarantine: registry.codec("audit.quarantine")?,
            dispositions: registry.codec("audit.dispositions")?,
            registry: Some(registry),
            unknown_ids: BTreeSet::new(),
        })
    }

    /// Reads an event, asking the registry for a schema that is met for the first time.
    pub fn read_event(&mut self, bytes: &[u8]) -> Result<Event, Unreadable> {
        let unknown = match self.events.decode(bytes) {
            Err(AvroError::UnknownId(id)) => id,
            read => return Ok(read?),
        };
        let registry = self.registry.as_ref();
        let Some(registry) = registry.filter(|_| !self.unknown_ids.contains(&unknown)) else {
            return Err(AvroError::UnknownId(unknown).into());
        };
        match registry.schema(unknown)? {
            Some(schema) if self.events.register(unknown, &schema).is_ok() => {
                Ok(self.events.decode(bytes)?)
            }
            _ => {
                if self.unknown_ids.len() >= MAX_UNKNOWN_IDS {
                    self.unknown_ids.clear();
                }
                self.unknown_ids.insert(unknown);
                Err(AvroError::UnknownId(unknown).into())
            }
        }
    }
}
