//! What is let in from the log: events that can be read, of a size and with names that can be kept.

use catwalk_events::Event;
use catwalk_log::Record;
use catwalk_wire::{Formats, Unreadable};

use super::RunnerError;

/// A larger event is no event of a table.
pub const MAX_EVENT_BYTES: usize = 64 * 1024;
/// No property, table, round or event has a longer name.
pub const MAX_NAME_BYTES: usize = 200;

/// Reads the event of a record, or says why it is none.
pub(super) fn admit(
    record: &Record,
    formats: &Formats,
) -> Result<Result<Event, Refused>, RunnerError> {
    let Some(value) = &record.value else {
        return Ok(Err("the record is empty".to_owned().into()));
    };
    if value.len() > MAX_EVENT_BYTES {
        let reason = format!(
            "the record has {} bytes, an event has at most {MAX_EVENT_BYTES}",
            value.len()
        );
        return Ok(Err(reason.into()));
    }
    let event = match formats.read_event(value) {
        Ok(event) => event,
        Err(Unreadable::Avro(error)) => return Ok(Err(error.to_string().into())),
        Err(Unreadable::Registry(error)) => return Err(error.into()),
    };
    Ok(match misnamed(&event) {
        Some(reason) => Err(Refused {
            event: Some(Box::new(event)),
            reason,
        }),
        None => Ok(event),
    })
}

/// Why a record is not let in, and the event if it could be read.
#[derive(Debug)]
pub(super) struct Refused {
    pub(super) event: Option<Box<Event>>,
    pub(super) reason: String,
}

impl From<String> for Refused {
    fn from(reason: String) -> Refused {
        Refused {
            event: None,
            reason,
        }
    }
}

fn misnamed(event: &Event) -> Option<String> {
    let required = [
        ("id", &event.id),
        ("property", &event.property),
        ("table", &event.table),
    ];
    let named = required.into_iter();
    let mut names = named.chain(event.round.as_ref().map(|round| ("round", round)));
    names.find_map(|(what, name)| match name.len() {
        0 => Some(format!("its {what} is empty")),
        1..=MAX_NAME_BYTES => None,
        bytes => Some(format!(
            "its {what} has {bytes} bytes, a name has at most {MAX_NAME_BYTES}"
        )),
    })
}
