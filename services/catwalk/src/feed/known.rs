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
    /// Its number is of those that are not remembered any more.
    Forgotten,
    /// It is of a table beyond those that are remembered.
    TooMany,
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
#[derive(Debug)]
pub(crate) struct Known {
    tables: HashMap<(String, String), Table>,
    most_tables: usize,
    most_blocks: usize,
}

#[derive(Debug, Default)]
struct Table {
    /// In the order of their numbers. The lowest bit of a print says that this feed has brought the event.
    blocks: BTreeMap<u64, [u32; BLOCK as usize]>,
    /// Blocks below this one are not remembered any more.
    first: u64,
}

impl Known {
    /// All that there is, however much that is.
    pub(super) fn everything() -> Known {
        Known::at_most(usize::MAX, usize::MAX)
    }

    /// So many tables, and of each the highest numbers: so many blocks of 64.
    pub(crate) fn at_most(most_tables: usize, most_blocks: usize) -> Known {
        Known {
            tables: HashMap::new(),
            most_tables,
            most_blocks,
        }
    }

    /// Takes note of an event that is on the log; whether it was not known. The first one under its number counts.
    pub(super) fn remember(&mut self, event: &Event, print: Print) -> bool {
        match self.place(event) {
            Ok(place) if *place == 0 => {
                *place = print.0;
                true
            }
            _ => false,
        }
    }

    /// How the next event of the feed stands; a new one is known from now on.
    pub(super) fn meet(&mut self, event: &Event, print: Print) -> Standing {
        let place = match self.place(event) {
            Ok(place) => place,
            Err(standing) => return standing,
        };
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

    fn place(&mut self, event: &Event) -> Result<&mut u32, Standing> {
        let table = (event.property.clone(), event.table.clone());
        if self.tables.len() >= self.most_tables && !self.tables.contains_key(&table) {
            return Err(Standing::TooMany);
        }
        let table = self.tables.entry(table).or_default();
        let block = event.seq / BLOCK;
        if block < table.first {
            return Err(Standing::Forgotten);
        }
        if !table.blocks.contains_key(&block) && table.blocks.len() >= self.most_blocks {
            // The lowest makes room, unless that would be the one that is asked for.
            let lowest = table
                .blocks
                .first_key_value()
                .map_or(0, |(lowest, _)| *lowest);
            if block < lowest {
                return Err(Standing::Forgotten);
            }
            table.blocks.pop_first();
            table.first = lowest + 1;
        }
        let prints = table.blocks.entry(block).or_insert([0; BLOCK as usize]);
        Ok(&mut prints[(event.seq % BLOCK) as usize])
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
        let mut known = Known::everything();
        let (one, other) = (Print::of(b"one"), Print::of(b"other"));
        assert!(known.remember(&event("MB-01", 7), one));
        assert!(!known.remember(&event("MB-01", 7), other));
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

    #[test]
    fn what_is_not_remembered_any_more_is_never_taken_for_new() {
        let mut known = Known::at_most(2, 3);
        let print = Print::of(b"one");
        for block in [5, 6, 7, 8] {
            assert_eq!(
                known.meet(&event("MB-01", block * BLOCK), print),
                Standing::New
            );
        }
        for (seq, standing) in [
            (5 * BLOCK, Standing::Forgotten),
            (0, Standing::Forgotten),
            (6 * BLOCK, Standing::Repeated),
            (6 * BLOCK + 1, Standing::New),
            (9 * BLOCK, Standing::New),
            (6 * BLOCK, Standing::Forgotten),
        ] {
            assert_eq!(known.meet(&event("MB-01", seq), print), standing, "{seq}");
        }
        assert_eq!(known.meet(&event("MB-02", 1), print), Standing::New);
        assert_eq!(known.meet(&event("MB-03", 1), print), Standing::TooMany);
        assert_eq!(known.meet(&event("MB-02", 1), print), Standing::Repeated);
    }
}
