//! Which events the log has.

use std::collections::{BTreeMap, HashMap};
use std::hash::{DefaultHasher, Hasher};

use catwalk_events::Event;

/// Numbers are kept in blocks of so many: a feed without gaps takes four bytes an event.
const BLOCK: u64 = 64;

/// What can be told of an event by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Standing {
    /// The log has nothing under its number.
    New,
    /// The log had it before this feed began.
    There,
    /// This feed has brought it already.
    Repeated,
    /// The log has another event under its number.
    Other,
}

/// Tells one event from another that has the same number. The lowest bit is free for [`Known`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Print(u32);

impl Print {
    /// Of an event as it goes on the log. Prints are compared within one run only.
    pub(super) fn of(encoded: &[u8]) -> Print {
        let mut hasher = DefaultHasher::new();
        hasher.write(encoded);
        // The highest bit is always set: 0 is where there is no event.
        Print(((hasher.finish() as u32) << 1) | (1 << 31))
    }
}

/// The events that are on the log: their prints by property, table and number.
#[derive(Debug, Default)]
pub(super) struct Known(HashMap<(String, String), Table>);

/// Blocks in the order of their numbers. The lowest bit of a print says that this feed has brought the event.
type Table = BTreeMap<u64, [u32; BLOCK as usize]>;

impl Known {
    /// Takes note of an event that was on the log before. The first one under its number counts.
    pub(super) fn remember(&mut self, event: &Event, print: Print) {
        let place = self.place(event);
        if *place == 0 {
            *place = print.0;
        }
    }

    /// How the next event of the feed stands; a new one is known from now on.
    pub(super) fn meet(&mut self, event: &Event, print: Print) -> Standing {
        let place = self.place(event);
        match *place {
            0 => {
                *place = print.0 | 1;
                Standing::New
            }
            known if known & !1 != print.0 => Standing::Other,
            known if known & 1 == 1 => Standing::Repeated,
            _ => Standing::There,
        }
    }

    fn place(&mut self, event: &Event) -> &mut u32 {
        let table = (event.property.clone(), event.table.clone());
        let blocks = self.0.entry(table).or_default();
        let block = blocks.entry(event.seq / BLOCK);
        &mut block.or_insert([0; BLOCK as usize])[(event.seq % BLOCK) as usize]
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    fn event(table: &str, seq: u64) -> Event {
        let line = format!(
            r#"{{"id":"e","property":"ebh","table":"{table}","seq":{seq},"at":"2026-11-15T20:00:00Z","source":{{"kind":"device","id":"d"}},"body":{{"type":"clock"}}}}"#
        );
        catwalk_events::json::read(&line).unwrap()
    }

    #[test]
    fn an_event_is_known_by_its_table_and_number() {
        let mut known = Known::default();
        let (one, other) = (Print::of(b"one"), Print::of(b"other"));
        known.remember(&event("MB-01", 7), one);
        assert_eq!(known.meet(&event("MB-01", 7), one), Standing::There);
        assert_eq!(known.meet(&event("MB-01", 7), other), Standing::Other);
        for event in [
            event("MB-01", 8),
            event("MB-02", 7),
            event("MB-01", 7 + BLOCK),
            event("MB-01", u64::MAX),
        ] {
            assert_eq!(known.meet(&event, one), Standing::New);
            assert_eq!(known.meet(&event, one), Standing::Repeated);
            assert_eq!(known.meet(&event, other), Standing::Other);
        }
    }
}
