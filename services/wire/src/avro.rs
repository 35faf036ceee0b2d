//! Records as Avro, and how a datum says which schema wrote it.
//!
//! Single-object encoding: two marker bytes, the fingerprint of the writer's schema, the datum. Or,
//! where a schema registry is in use, Confluent's wire format: a zero byte, the registry's id of the
//! schema, the datum. A reader knows every schema that was ever written ([`Logged::PAST`]).

use std::fmt;
use std::marker::PhantomData;

use catwalk_events::Event;
use serde_avro_fast::ser::SerializerConfig;
use serde_avro_fast::{Schema, schema::SchemaError, to_datum};

use crate::records::Logged;

const SINGLE_OBJECT: [u8; 2] = [0xC3, 0x01];
const CONFLUENT: u8 = 0;

#[derive(Debug, thiserror::Error)]
pub enum AvroError {
    #[error("the schemas do not parse: {0}")]
    Schema(#[from] SchemaError),
    #[error("the record cannot be written: {0}")]
    Write(#[from] serde_avro_fast::ser::SerError),
    #[error("no Avro: a record begins with C3 01 or 00, this with {0:02X?}")]
    NoFrame(Vec<u8>),
    #[error("no schema with fingerprint {0:016x} is known here")]
    UnknownFingerprint(u64),
    #[error("the registry's schema {0} is not known here")]
    UnknownId(u32),
    #[error("the datum cannot be read: {0}")]
    Datum(#[from] serde_avro_fast::de::DeError),
    #[error("{0} bytes follow the record")]
    TrailingBytes(usize),
}

/// How a datum says which schema wrote it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Framing {
    #[default]
    SingleObject,
    /// With the id that the registry gave to today's schema.
    Confluent(u32),
}

/// Writes and reads the floor's events.
pub type Codec = Avro<Event>;

/// Writes records of one kind with today's schema and reads those of any version.
pub struct Avro<R> {
    schema: Schema,
    past: Vec<Schema>,
    /// Schemas by registry id.
    registered: Vec<(u32, Schema)>,
    framing: Framing,
    record: PhantomData<fn() -> R>,
}

impl<R: Logged> Avro<R> {
    pub fn new(framing: Framing) -> Result<Avro<R>, AvroError> {
        let schema = || Schema::from_schemata(R::SCHEMA, R::PARTS);
        let past = R::PAST.iter().map(|text| text.parse());
        let registered = match framing {
            Framing::SingleObject => Vec::new(),
            Framing::Confluent(id) => vec![(id, schema()?)],
        };
        Ok(Avro {
            schema: schema()?,
            past: past.collect::<Result<_, _>>()?,
            registered,
            framing,
            record: PhantomData,
        })
    }

    /// Today's schema as one JSON text, for a registry.
    pub fn schema_json(&self) -> &str {
        self.schema.json()
    }

    /// Fingerprint (CRC-64-AVRO) of today's schema.
    pub fn fingerprint(&self) -> u64 {
        u64::from_le_bytes(*self.schema.rabin_fingerprint())
    }

    /// Makes a schema of the registry known, so that what it wrote can be read.
    pub fn register(&mut self, id: u32, schema: &str) -> Result<(), AvroError> {
        self.registered.push((id, schema.parse()?));
        Ok(())
    }

    pub fn encode(&self, record: &R) -> Result<Vec<u8>, AvroError> {
        let mut bytes = Vec::with_capacity(256);
        match self.framing {
            Framing::SingleObject => {
                bytes.extend(SINGLE_OBJECT);
                bytes.extend(self.schema.rabin_fingerprint());
            }
            Framing::Confluent(id) => {
                bytes.push(CONFLUENT);
                bytes.extend(id.to_be_bytes());
            }
        }
        Ok(to_datum(
            record,
            bytes,
            &mut SerializerConfig::new(&self.schema),
        )?)
    }

    pub fn decode(&self, bytes: &[u8]) -> Result<R, AvroError> {
        let (schema, datum) = self.unframe(bytes)?;
        let mut rest = datum;
        let record = serde_avro_fast::from_datum_reader(&mut rest, schema)?;
        match rest.len() {
            0 => Ok(record),
            left => Err(AvroError::TrailingBytes(left)),
        }
    }

    /// The writer's schema and the datum.
    fn unframe<'a>(&self, bytes: &'a [u8]) -> Result<(&Schema, &'a [u8]), AvroError> {
        match bytes {
            [0xC3, 0x01, rest @ ..] if rest.len() >= 8 => {
                let (fingerprint, datum) = rest.split_at(8);
                std::iter::once(&self.schema)
                    .chain(&self.past)
                    .find(|schema| schema.rabin_fingerprint() == fingerprint)
                    .map(|schema| (schema, datum))
                    .ok_or_else(|| {
                        let bytes = fingerprint.try_into().unwrap_or_default();
                        AvroError::UnknownFingerprint(u64::from_le_bytes(bytes))
                    })
            }
            [CONFLUENT, a, b, c, d, datum @ ..] => {
                let id = u32::from_be_bytes([*a, *b, *c, *d]);
                let known = self.registered.iter().find(|(known, _)| *known == id);
                known
                    .map(|(_, schema)| (schema, datum))
                    .ok_or(AvroError::UnknownId(id))
            }
            _ => Err(AvroError::NoFrame(bytes.iter().take(4).copied().collect())),
        }
    }
}

impl<R: Logged> fmt::Debug for Avro<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = format!("Avro<{}>", R::NAME);
        f.debug_struct(&name)
            .field("fingerprint", &format_args!("{:016x}", self.fingerprint()))
            .field("framing", &self.framing)
            .finish_non_exhaustive()
    }
}
