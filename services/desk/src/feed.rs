//! What has happened lately, for those who follow it live.
//!
//! One ring for all: a follower has a place in it and no buffer of its own. Whoever is so slow that the ring has
//! gone past him is told to begin anew.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

use tokio::sync::watch;

use crate::room::lock;

/// So much is kept.
const MAX_ENTRIES: usize = 4_096;

#[derive(Debug)]
pub(crate) struct Feed {
    ring: Mutex<Ring>,
    /// Rises whenever there is something new.
    wake: watch::Sender<u64>,
}

#[derive(Debug, Default)]
struct Ring {
    /// Rises when the ring begins anew: another desk has worked in between.
    epoch: u64,
    /// Which log the offsets are of.
    generation: String,
    /// Whoever has not come to this offset has missed something.
    base: u64,
    /// Everything before this offset was told.
    head: u64,
    /// The number of the first entry.
    first: u64,
    entries: VecDeque<Entry>,
    is_closed: bool,
}

/// Something that is told.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    pub(crate) event: &'static str,
    /// Whoever has this has all incidents before this offset. What changed an incident is told right before it, so
    /// that nobody who breaks off between the two misses it.
    pub(crate) id: u64,
    is_incident: bool,
    pub(crate) property: Arc<str>,
    pub(crate) data: Arc<str>,
}

/// A follower's place.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    epoch: u64,
    next: u64,
}

const OTHER_LOG: &str = "the offset is not of this log: fetch the snapshot again";
const NOT_KEPT: &str = "what came after the offset is not kept any more: fetch the snapshot again";
const ANEW: &str = "the desk has changed hands: fetch the snapshot again";
const ENDED: &str = "the desk has ended: ask again when it is back";

impl Default for Feed {
    fn default() -> Feed {
        Feed {
            ring: Mutex::default(),
            wake: watch::Sender::new(0),
        }
    }
}

impl Feed {
    /// Begins anew: everything before the offset is in the snapshot.
    pub(crate) fn begin(&self, generation: &str, offset: u64) {
        let mut ring = lock(&self.ring);
        *ring = Ring {
            epoch: ring.epoch + 1,
            generation: generation.to_owned(),
            base: offset,
            head: offset,
            ..Ring::default()
        };
        self.wake_all();
    }

    /// Nothing more comes; whoever follows is told so.
    pub(crate) fn close(&self) {
        lock(&self.ring).is_closed = true;
        self.wake_all();
    }

    /// Tells what changes an incident, whose revision comes next.
    pub(crate) fn tell(&self, event: &'static str, property: &str, data: String) {
        let mut ring = lock(&self.ring);
        let id = ring.head;
        ring.push(Entry {
            event,
            id,
            is_incident: false,
            property: property.into(),
            data: data.into(),
        });
    }

    /// Tells a revision of an incident, after which comes this offset.
    pub(crate) fn tell_incident(&self, next: u64, property: &str, data: String) {
        let mut ring = lock(&self.ring);
        ring.head = next;
        ring.push(Entry {
            event: "incident",
            id: next,
            is_incident: true,
            property: property.into(),
            data: data.into(),
        });
    }

    pub(crate) fn wake_all(&self) {
        self.wake.send_modify(|count| *count += 1);
    }

    pub(crate) fn woken(&self) -> watch::Receiver<u64> {
        self.wake.subscribe()
    }

    /// The generation, and the offset before which everything was told.
    pub(crate) fn head(&self) -> (String, u64) {
        let ring = lock(&self.ring);
        (ring.generation.clone(), ring.head)
    }

    /// Begins to follow after an offset, or with what comes next.
    pub(crate) fn follow(
        &self,
        after: Option<u64>,
        generation: Option<&str>,
    ) -> Result<Place, &'static str> {
        let ring = lock(&self.ring);
        let is_other = generation.is_some_and(|asked| asked != ring.generation);
        let after = after.unwrap_or(ring.head);
        match after {
            _ if ring.is_closed => Err(ENDED),
            after if is_other || after > ring.head => Err(OTHER_LOG),
            after if after < ring.base => Err(NOT_KEPT),
            after => {
                let had = |entry: &Entry| entry.is_incident && entry.id <= after;
                let last = ring.entries.iter().rposition(had);
                let next = last.map_or(ring.first, |last| ring.first + last as u64 + 1);
                let epoch = ring.epoch;
                Ok(Place { epoch, next })
            }
        }
    }

    /// What comes next at a place, at most so much of it.
    pub(crate) fn read(&self, place: &mut Place, most: usize) -> Result<Vec<Entry>, &'static str> {
        let ring = lock(&self.ring);
        if place.epoch != ring.epoch {
            return Err(ANEW);
        }
        let Some(at) = place.next.checked_sub(ring.first) else {
            return Err(NOT_KEPT);
        };
        let at = usize::try_from(at).unwrap_or(usize::MAX);
        let entries: Vec<Entry> = ring.entries.iter().skip(at).take(most).cloned().collect();
        if entries.is_empty() && ring.is_closed {
            return Err(ENDED);
        }
        place.next += entries.len() as u64;
        Ok(entries)
    }
}

impl Ring {
    fn push(&mut self, entry: Entry) {
        self.entries.push_back(entry);
        if self.entries.len() > MAX_ENTRIES
            && let Some(gone) = self.entries.pop_front()
        {
            self.first += 1;
            // What changed an incident is gone together with it, or before it.
            self.base = match gone.is_incident {
                true => gone.id,
                false => self.base.max(gone.id.saturating_add(1)),
            };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(offsets: std::ops::RangeInclusive<u64>) -> Feed {
        let feed = Feed::default();
        feed.begin("g", 5);
        for offset in offsets {
            feed.tell("act", "ebh", format!("act {offset}"));
            feed.tell_incident(offset, "ebh", format!("incident {offset}"));
        }
        feed
    }

    fn read(feed: &Feed, after: u64) -> Result<Vec<String>, &'static str> {
        let mut place = feed.follow(Some(after), Some("g"))?;
        let mut all = Vec::new();
        loop {
            let entries = feed.read(&mut place, 7)?;
            if entries.is_empty() {
                return Ok(all);
            }
            all.extend(entries.iter().map(|entry| entry.data.to_string()));
        }
    }

    #[test]
    fn a_follower_gets_what_came_after_and_what_changed_it() {
        let feed = told(6..=9);
        assert_eq!(read(&feed, 9).unwrap(), Vec::<String>::new());
        assert_eq!(read(&feed, 8).unwrap(), ["act 9", "incident 9"]);
        assert_eq!(read(&feed, 5).unwrap().len(), 8);
        // Broken off between the act and its incident: both come again.
        let mut place = feed.follow(Some(7), None).unwrap();
        let act = feed.read(&mut place, 1).unwrap().remove(0);
        assert_eq!(read(&feed, act.id).unwrap()[0], "act 8");
    }

    #[test]
    fn whoever_is_too_late_or_of_another_log_is_told() {
        let feed = told(6..=9);
        assert_eq!(read(&feed, 4), Err(NOT_KEPT));
        assert_eq!(read(&feed, 10), Err(OTHER_LOG));
        assert_eq!(feed.follow(Some(9), Some("h")).unwrap_err(), OTHER_LOG);
        let mut slow = feed.follow(Some(6), None).unwrap();
        for offset in 10..10_000 {
            feed.tell_incident(offset, "ebh", String::new());
        }
        assert_eq!(feed.read(&mut slow, 1).unwrap_err(), NOT_KEPT);
        assert_eq!(read(&feed, 9_000).unwrap().len(), 999);
        assert_eq!(read(&feed, 9_999 - 4_096).unwrap().len(), 4_096);
        assert_eq!(read(&feed, 9_999 - 4_097), Err(NOT_KEPT));
        let mut other = feed.follow(None, None).unwrap();
        feed.begin("g", 20_000);
        assert_eq!(feed.read(&mut other, 1).unwrap_err(), ANEW);
        feed.close();
        assert_eq!(read(&feed, 20_000), Err(ENDED));
    }
}
