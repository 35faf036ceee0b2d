//! Events as Avro, for the log.
//!
//! Single-object encoding: two marker bytes, the fingerprint of the writer's schema, the datum. Or,
//! where a schema registry is in use, Confluent's wire format: a zero byte, the registry's id of the
//! schema, the datum. A reader knows every schema that was ever written ([`PAST_SCHEMAS`]).

use serde_avro_fast::ser::SerializerConfig;
use serde_avro_fast::{Schema, schema::SchemaError, to_datum};

use crate::event::Event;

/// The schema of an event: its file, and those that it refers to.
const EVENT: &str = include_str!("../../../schemas/event.avsc");
const PARTS: &[&str] = &[
    include_str!("../../../schemas/source_kind.avsc"),
    include_str!("../../../schemas/role.avsc"),
    include_str!("../../../schemas/notice_change.avsc"),
    include_str!("../../../schemas/cards_origin.avsc"),
    include_str!("../../../schemas/dealing_method.avsc"),
    include_str!("../../../schemas/count_scope.avsc"),
    include_str!("../../../schemas/inspection.avsc"),
    include_str!("../../../schemas/device_kind.avsc"),
    include_str!("../../../schemas/wager_form.avsc"),
    include_str!("../../../schemas/card_place.avsc"),
    include_str!("../../../schemas/face.avsc"),
    include_str!("../../../schemas/tile_place.avsc"),
    include_str!("../../../schemas/buy_in_form.avsc"),
    include_str!("../../../schemas/person.avsc"),
    include_str!("../../../schemas/posted_limit.avsc"),
    include_str!("../../../schemas/source.avsc"),
    include_str!("../../../schemas/table_opened.avsc"),
    include_str!("../../../schemas/table_closed.avsc"),
    include_str!("../../../schemas/dealer_changed.avsc"),
    include_str!("../../../schemas/notice_posted.avsc"),
    include_str!("../../../schemas/rules_changed.avsc"),
    include_str!("../../../schemas/limits_changed.avsc"),
    include_str!("../../../schemas/clock.avsc"),
    include_str!("../../../schemas/cards_delivered.avsc"),
    include_str!("../../../schemas/cards_inspected.avsc"),
    include_str!("../../../schemas/cards_opened.avsc"),
    include_str!("../../../schemas/shoe_started.avsc"),
    include_str!("../../../schemas/card_burned.avsc"),
    include_str!("../../../schemas/card_replaced.avsc"),
    include_str!("../../../schemas/cards_counted.avsc"),
    include_str!("../../../schemas/shoe_ended.avsc"),
    include_str!("../../../schemas/cards_removed.avsc"),
    include_str!("../../../schemas/cards_collected.avsc"),
    include_str!("../../../schemas/cards_reinspected.avsc"),
    include_str!("../../../schemas/cards_destroyed.avsc"),
    include_str!("../../../schemas/dice_introduced.avsc"),
    include_str!("../../../schemas/dice_inspected.avsc"),
    include_str!("../../../schemas/dice_removed.avsc"),
    include_str!("../../../schemas/dice_collected.avsc"),
    include_str!("../../../schemas/dice_destroyed.avsc"),
    include_str!("../../../schemas/tiles_introduced.avsc"),
    include_str!("../../../schemas/tiles_inspected.avsc"),
    include_str!("../../../schemas/tiles_removed.avsc"),
    include_str!("../../../schemas/tiles_collected.avsc"),
    include_str!("../../../schemas/tiles_destroyed.avsc"),
    include_str!("../../../schemas/wheel_inspected.avsc"),
    include_str!("../../../schemas/device_inspected.avsc"),
    include_str!("../../../schemas/device_adjusted.avsc"),
    include_str!("../../../schemas/round_opened.avsc"),
    include_str!("../../../schemas/wager_placed.avsc"),
    include_str!("../../../schemas/wager_changed.avsc"),
    include_str!("../../../schemas/wager_removed.avsc"),
    include_str!("../../../schemas/betting_closed.avsc"),
    include_str!("../../../schemas/card_dealt.avsc"),
    include_str!("../../../schemas/card_revealed.avsc"),
    include_str!("../../../schemas/dice_rolled.avsc"),
    include_str!("../../../schemas/wheel_spun.avsc"),
    include_str!("../../../schemas/tiles_dealt.avsc"),
    include_str!("../../../schemas/decision.avsc"),
    include_str!("../../../schemas/hand_set.avsc"),
    include_str!("../../../schemas/irregularity.avsc"),
    include_str!("../../../schemas/wager_paid.avsc"),
    include_str!("../../../schemas/wager_collected.avsc"),
    include_str!("../../../schemas/wager_pushed.avsc"),
    include_str!("../../../schemas/commission_collected.avsc"),
    include_str!("../../../schemas/pot_awarded.avsc"),
    include_str!("../../../schemas/round_closed.avsc"),
    include_str!("../../../schemas/round_voided.avsc"),
    include_str!("../../../schemas/buy_in.avsc"),
    include_str!("../../../schemas/fill.avsc"),
    include_str!("../../../schemas/credit.avsc"),
    include_str!("../../../schemas/drop_box_removed.avsc"),
    include_str!("../../../schemas/drop_counted.avsc"),
    include_str!("../../../schemas/inventory_counted.avsc"),
    include_str!("../../../schemas/rake_taken.avsc"),
    include_str!("../../../schemas/jackpot_drop_taken.avsc"),
    include_str!("../../../schemas/meter_read.avsc"),
    include_str!("../../../schemas/jackpot_paid.avsc"),
    include_str!("../../../schemas/chips_moved.avsc"),
    include_str!("../../../schemas/chips_counted.avsc"),
    include_str!("../../../schemas/chips_destroyed.avsc"),
    include_str!("../../../schemas/impressment.avsc"),
    include_str!("../../../schemas/liability_computed.avsc"),
    include_str!("../../../schemas/tournament_filed.avsc"),
    include_str!("../../../schemas/tournament_opened.avsc"),
    include_str!("../../../schemas/tournament_closed.avsc"),
    include_str!("../../../schemas/discrepancy_reported.avsc"),
];

/// Whole schemas of earlier versions, oldest first. One is added whenever a schema changes.
const PAST_SCHEMAS: &[&str] = &[];

const SINGLE_OBJECT: [u8; 2] = [0xC3, 0x01];
const CONFLUENT: u8 = 0;

#[derive(Debug, thiserror::Error)]
pub enum AvroError {
    #[error("the schemas do not parse: {0}")]
    Schema(#[from] SchemaError),
    #[error("the event cannot be written: {0}")]
    Write(#[from] serde_avro_fast::ser::SerError),
    #[error("no Avro: an event begins with C3 01 or 00, this with {0:02X?}")]
    NoFrame(Vec<u8>),
    #[error("no schema with fingerprint {0:016x} is known here")]
    UnknownFingerprint(u64),
    #[error("the registry's schema {0} is not known here")]
    UnknownId(u32),
    #[error("the datum cannot be read: {0}")]
    Datum(#[from] serde_avro_fast::de::DeError),
    #[error("{0} bytes follow the event")]
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

/// Writes events with today's schema and reads those of any version.
#[derive(Debug)]
pub struct Codec {
    schema: Schema,
    past: Vec<Schema>,
    /// Schemas by registry id.
    registered: Vec<(u32, Schema)>,
    framing: Framing,
}

impl Codec {
    pub fn new(framing: Framing) -> Result<Codec, AvroError> {
        let past = PAST_SCHEMAS
            .iter()
            .map(|text| text.parse())
            .collect::<Result<_, _>>()?;
        let registered = match framing {
            Framing::SingleObject => Vec::new(),
            Framing::Confluent(id) => vec![(id, event_schema()?)],
        };
        Ok(Codec {
            schema: event_schema()?,
            past,
            registered,
            framing,
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

    /// Makes a schema of the registry known, so that events that it wrote can be read.
    pub fn register(&mut self, id: u32, schema: &str) -> Result<(), AvroError> {
        self.registered.push((id, schema.parse()?));
        Ok(())
    }

    pub fn encode(&self, event: &Event) -> Result<Vec<u8>, AvroError> {
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
            event,
            bytes,
            &mut SerializerConfig::new(&self.schema),
        )?)
    }

    pub fn decode(&self, bytes: &[u8]) -> Result<Event, AvroError> {
        let (schema, datum) = self.unframe(bytes)?;
        let mut rest = datum;
        let event = serde_avro_fast::from_datum_reader(&mut rest, schema)?;
        match rest.len() {
            0 => Ok(event),
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

fn event_schema() -> Result<Schema, SchemaError> {
    Schema::from_schemata(EVENT, PARTS)
}
