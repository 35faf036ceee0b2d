//! Records that could not be read or used: put aside whole, looked at, and sent again.

use catwalk_events::audit::Quarantined;
use catwalk_events::{Event, Timestamp};
use catwalk_log::{Log, Message, Partition, Record, Topic};
use catwalk_wire::{Formats, Unreadable};

use crate::runner::MAX_RECORD_BYTES;

/// What is left for the names and the reason beside a value.
const MAX_VALUE_BYTES: usize = MAX_RECORD_BYTES - 50_000;
const MAX_KEY_BYTES: usize = 32 * 1024;

#[derive(Debug, thiserror::Error)]
pub enum QuarantineError {
    #[error(transparent)]
    Log(#[from] catwalk_log::Error),
    #[error("{id} is not in quarantine")]
    NotThere { id: Id },
    #[error("{0:?} names nothing in quarantine: write PARTITION/OFFSET, such as 3/4711")]
    BadId(String),
    #[error("still unreadable: {0}")]
    StillUnreadable(#[from] Unreadable),
    #[error("its value was not kept: read it from {topic}/{partition} at offset {offset}")]
    NotWhole {
        topic: String,
        partition: u32,
        offset: u64,
    },
}

/// Where in `audit.quarantine` a record is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Id {
    pub partition: u32,
    pub offset: u64,
}

impl std::fmt::Display for Id {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}/{}", self.partition, self.offset)
    }
}

impl std::str::FromStr for Id {
    type Err = QuarantineError;

    fn from_str(text: &str) -> Result<Id, QuarantineError> {
        let bad = || QuarantineError::BadId(text.to_owned());
        let (partition, offset) = text.split_once('/').ok_or_else(bad)?;
        Ok(Id {
            partition: partition.parse().map_err(|_| bad())?,
            offset: offset.parse().map_err(|_| bad())?,
        })
    }
}

/// Calls `each` with everything in quarantine, oldest first within a partition, until it returns
/// false. A record of the topic that is no quarantined record comes as the error that says so.
pub fn list(
    log: &dyn Log,
    formats: &Formats,
    mut each: impl FnMut(Id, Result<Quarantined, Unreadable>) -> bool,
) -> Result<(), QuarantineError> {
    for partition in 0..log.partitions(Topic::Quarantine)? {
        let place = Topic::Quarantine.partition(partition);
        let mut go_on = true;
        read(log, place, 0, |record| {
            let id = Id {
                partition,
                offset: record.offset,
            };
            let value = record.value.as_deref().unwrap_or_default();
            let quarantined = formats.quarantine.decode(value).map_err(Unreadable::from);
            go_on = each(id, quarantined);
            go_on
        })?;
        if !go_on {
            break;
        }
    }
    Ok(())
}

/// One record in quarantine.
pub fn show(log: &dyn Log, formats: &Formats, id: Id) -> Result<Quarantined, QuarantineError> {
    let mut found = None;
    let place = Topic::Quarantine.partition(id.partition);
    read(log, place, id.offset, |record| {
        if record.offset == id.offset {
            found = record.value;
        }
        false
    })?;
    let value = found.ok_or(QuarantineError::NotThere { id })?;
    Ok(formats
        .quarantine
        .decode(&value)
        .map_err(Unreadable::from)?)
}

/// Sends a record that can be read by now to the floor's events again, as it was. Gives its event.
///
/// The log keeps what it was told: the record stays in quarantine too, and if its table has gone on
/// without it, it comes back there with the reason.
pub fn retry(log: &dyn Log, formats: &Formats, id: Id) -> Result<Event, QuarantineError> {
    let quarantined = show(log, formats, id)?;
    let not_whole = || QuarantineError::NotWhole {
        topic: quarantined.topic.clone(),
        partition: quarantined.partition,
        offset: quarantined.offset,
    };
    let value = quarantined.value.as_ref().ok_or_else(not_whole)?;
    if value.len() >= MAX_VALUE_BYTES {
        return Err(not_whole());
    }
    let event = formats.read_event(value)?;
    let message = Message::new(Topic::FloorEvents, event.table.as_str(), value.as_slice());
    let mut producer = log.producer()?;
    producer.send(&[message])?;
    producer.flush()?;
    Ok(event)
}

/// A record as it goes into quarantine. `event` is what could be read of it.
pub(crate) fn put_aside(record: &Record, event: Option<&Event>, reason: String) -> Quarantined {
    let cut = |bytes: &Option<Vec<u8>>, limit: usize| {
        bytes
            .as_ref()
            .map(|bytes| bytes[..bytes.len().min(limit)].to_vec())
    };
    let reason = match &record.value {
        Some(value) if value.len() > MAX_VALUE_BYTES => {
            format!("{reason}; its first {MAX_VALUE_BYTES} bytes are kept here")
        }
        _ => reason,
    };
    let named_by_key = || {
        let key = record.key.as_deref()?;
        let key = std::str::from_utf8(key).ok()?;
        (key.len() <= crate::runner::MAX_NAME_BYTES).then(|| key.to_owned())
    };
    let short = |name: &String| name.len() <= crate::runner::MAX_NAME_BYTES;
    let event_name =
        |name: fn(&Event) -> &String| event.map(name).filter(|name| short(name)).cloned();
    Quarantined {
        topic: record.partition.topic.name().to_owned(),
        partition: record.partition.index,
        offset: record.offset,
        at: Timestamp::from_micros(record.timestamp_ms.saturating_mul(1_000)),
        reason,
        key: cut(&record.key, MAX_KEY_BYTES),
        value: cut(&record.value, MAX_VALUE_BYTES),
        property: event_name(|event| &event.property),
        table: event_name(|event| &event.table).or_else(named_by_key),
        seq: event.map(|event| event.seq),
    }
}

/// Reads a partition from an offset to its end of now, or until `each` returns false.
fn read(
    log: &dyn Log,
    partition: Partition,
    from: u64,
    mut each: impl FnMut(Record) -> bool,
) -> Result<(), QuarantineError> {
    let end = log.end(partition)?;
    let mut reader = log.reader(partition, from)?;
    while reader.position() < end && !reader.caught_up() {
        for record in reader.read(std::time::Duration::from_secs(1))? {
            if !each(record) {
                return Ok(());
            }
        }
    }
    Ok(())
}
