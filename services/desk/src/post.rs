//! What the holder of the post works with: the desk, what is ready to be committed, and who waits for it.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::{Duration, Instant};

use catwalk_events::Timestamp;
use catwalk_events::audit::{Finding, Quarantined};
use catwalk_log::{Message, Reader, Record, Topic};
use catwalk_wire::{Avro, AvroError, Formats, Logged};
use serde::{Deserialize, Serialize};
use tokio::sync::oneshot;

use crate::act::{Act, Deed};
use crate::api::shown;
use crate::clocks::Clocks;
use crate::desk::{Change, Desk};
use crate::duties::Watch;
use crate::file;
use crate::floor::Floor;
use crate::journal::{Entry, Place};
use crate::room::{Answer, NotDone, Room, Written, lock, now};
use crate::service::{DeskError, KEYS, MARKER, POST, STATE};

/// How often the clock is looked at, and how often the floor is written down.
const CLOCK_EVERY: Duration = Duration::from_millis(250);
const FLOOR_EVERY: Duration = Duration::from_secs(10);
/// So many deadlines at most are told in one step.
const MAX_DUE: usize = 200;

/// What the holder of the post works with.
pub(crate) struct Post {
    pub(crate) desk: Desk,
    duties: Watch,
    clocks: Clocks,
    /// How much of what the floor told was taken, and how much of it is committed.
    told_of_floor: u64,
    pub(crate) findings: Vec<Box<dyn Reader>>,
    pub(crate) acts: Vec<Box<dyn Reader>>,
    pub(crate) marker: Marker,
    pub(crate) ready: Vec<Message>,
    pub(crate) changed: BTreeSet<String>,
    told: Vec<News>,
    /// Acts that are done and not on the log yet.
    appended: Vec<Act>,
    pub(crate) answers: Vec<(oneshot::Sender<Answer>, Act)>,
    /// Entries that are taken and not on the log yet, and where in it something changed.
    written: Vec<Entry>,
    places: BTreeSet<Place>,
    duties_changed: BTreeSet<String>,
    pub(crate) entry_answers: Vec<(oneshot::Sender<Written>, Entry)>,
    pub(crate) uncommitted: u64,
    pub(crate) since: Instant,
    clock: Instant,
    floor: Instant,
}

/// What is told when it is committed.
struct News {
    event: &'static str,
    property: String,
    data: String,
}

/// How far everything is on the log.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct Marker {
    /// By partition, the offset of the record to come next.
    pub(crate) findings: Vec<u64>,
    pub(crate) acts: Vec<u64>,
    pub(crate) post: u64,
    /// A name that no other log has.
    pub(crate) generation: String,
}

/// What the last holder of the post had written down.
pub(crate) struct Kept {
    pub(crate) desk: Desk,
    pub(crate) duties: Watch,
    pub(crate) clocks: Clocks,
    pub(crate) marker: Marker,
}

impl Post {
    pub(crate) fn taken(
        kept: Kept,
        findings: Vec<Box<dyn Reader>>,
        acts: Vec<Box<dyn Reader>>,
    ) -> Post {
        let Kept {
            desk,
            duties,
            clocks,
            marker,
        } = kept;
        Post {
            desk,
            duties,
            clocks,
            told_of_floor: 0,
            findings,
            acts,
            marker,
            ready: Vec::new(),
            changed: BTreeSet::new(),
            told: Vec::new(),
            appended: Vec::new(),
            answers: Vec::new(),
            written: Vec::new(),
            places: BTreeSet::new(),
            duties_changed: BTreeSet::new(),
            entry_answers: Vec::new(),
            uncommitted: 0,
            since: Instant::now(),
            clock: Instant::now(),
            floor: Instant::now(),
        }
    }

    pub(crate) fn has_caught_up(&self) -> bool {
        let mut readers = self.findings.iter().chain(&self.acts);
        readers.all(|reader| reader.caught_up())
    }

    /// Takes the next record of its partition.
    pub(crate) fn take(
        &mut self,
        record: &Record,
        formats: &Formats,
        room: &Room,
    ) -> Result<(), DeskError> {
        let heard = Timestamp::from_micros(record.timestamp_ms.saturating_mul(1_000));
        // Nothing was heard in times to come: where another machine's clock is ahead, no alert waits until then.
        let heard = heard.min(now());
        let index = record.partition.index as usize;
        let known = match record.partition.topic {
            Topic::Findings => {
                self.marker.findings[index] = record.offset + 1;
                match read_record(&formats.findings, record)? {
                    Some(finding) => {
                        self.hear(&finding, heard, room);
                        true
                    }
                    None => false,
                }
            }
            _ => {
                self.marker.acts[index] = record.offset + 1;
                match read_record(&formats.dispositions, record)? {
                    Some(said) => {
                        // One of a single finding, from before there were incidents, is none of an incident.
                        if let Some(act) = Act::of_disposition(&said) {
                            self.follow(&act);
                        } else if let Some(entry) = Entry::of_disposition(&said) {
                            self.take_entry(entry, room);
                        }
                        true
                    }
                    None => false,
                }
            }
        };
        self.uncommitted += 1;
        if !known {
            let value = formats.quarantine.encode(&put_aside(record))?;
            let key = record.key.clone().unwrap_or_default();
            self.ready.push(Message::new(Topic::Quarantine, key, value));
        }
        Ok(())
    }

    fn hear(&mut self, finding: &Finding, heard: Timestamp, room: &Room) {
        let change = self.desk.hear(finding, heard, &room.settings.priorities);
        self.note(&change);
        let (duties, journal) = (&room.settings.duties, &self.desk.journal);
        let is_duty = self
            .duties
            .hear(finding, heard, change.incident(), duties, journal);
        if let Some(id) = change.incident().filter(|_| is_duty) {
            self.desk.goes_up(id);
        }
        if let Some(id) = change.incident() {
            self.told.push(News {
                event: "finding",
                property: finding.property.clone(),
                data: shown::finding_of(id, finding).to_string(),
            });
        }
    }

    /// An act that is on the log already: of this desk, or of whoever else appends there.
    fn follow(&mut self, act: &Act) {
        if let Ok(change) = self.desk.act(act) {
            self.note(&change);
            self.tell_act(&change, act);
            self.take_act(&change, act);
        }
    }

    pub(crate) fn do_act(&mut self, act: Act, answer: oneshot::Sender<Answer>) {
        match self.desk.may(&act) {
            Ok(true) => {
                self.append(&act);
                self.answers.push((answer, act));
            }
            Ok(false) => self.answers.push((answer, act)),
            Err(why) => {
                // Whoever asked may be gone.
                let _ = answer.send(Err(NotDone::Refused(why)));
            }
        }
    }

    pub(crate) fn write_entry(
        &mut self,
        entry: Entry,
        room: &Room,
        answer: oneshot::Sender<Written>,
    ) {
        match self.desk.journal.may(entry) {
            Ok(entry) => {
                if self.take_entry(entry.clone(), room) {
                    self.written.push(entry.clone());
                }
                self.entry_answers.push((answer, entry));
            }
            Err(why) => {
                // Whoever asked may be gone.
                let _ = answer.send(Err(NotDone::NotWritten(why)));
            }
        }
    }

    /// An entry that stands in the log from now on, unless it did before.
    fn take_entry(&mut self, entry: Entry, room: &Room) -> bool {
        self.duties.take_entry(&entry, &room.settings.duties);
        let (property, data) = (entry.property.clone(), shown::entry(&entry).to_string());
        let is_new = self.desk.journal.take(entry);
        if is_new {
            self.told.push(News {
                event: "entry",
                property,
                data,
            });
        }
        is_new
    }

    /// Whether there is something that only a commit makes so.
    pub(crate) fn is_to_be_committed(&self) -> bool {
        let waits = !self.answers.is_empty() || !self.entry_answers.is_empty();
        waits || !self.ready.is_empty() || !self.changed.is_empty() || self.watches()
    }

    /// Whether a duty or a clock has changed.
    fn watches(&self) -> bool {
        self.duties.is_changed() || self.clocks.is_changed()
    }

    pub(crate) fn has_nothing_to_write(&self) -> bool {
        let is_read = self.uncommitted > 0 || !self.changed.is_empty() || self.watches();
        !is_read && self.ready.is_empty() && self.written.is_empty()
    }

    /// Does an act that may be done, and makes it ready to be appended.
    fn append(&mut self, act: &Act) {
        let Ok(change) = self.desk.act(act) else {
            return;
        };
        self.note(&change);
        self.tell_act(&change, act);
        self.take_act(&change, act);
        self.appended.push(act.clone());
    }

    fn note(&mut self, change: &Change) {
        if let Some(id) = change.incident() {
            self.changed.insert(id.to_owned());
        }
    }

    fn take_act(&mut self, change: &Change, act: &Act) {
        if *change == Change::Nothing {
            return;
        }
        self.duties.take_act(act);
        // What is undone may be an undo: then there is a disposal again, and what it says of whom was told.
        if matches!(act.deed, Deed::Undo { .. })
            && let Some(disposed) = self.desk.disposed_by(&act.incident)
        {
            self.duties.take_act(disposed);
        }
    }

    fn tell_act(&mut self, change: &Change, act: &Act) {
        let incident = change.incident().and_then(|id| self.desk.incident(id));
        if let Some(incident) = incident {
            self.told.push(News {
                event: "act",
                property: incident.property.clone(),
                data: shown::act(act).to_string(),
            });
        }
    }

    /// Appends what the time calls for, once everything that is on the log was heard.
    pub(crate) fn look_at_the_clock(
        &mut self,
        formats: &Formats,
        room: &Room,
    ) -> Result<(), DeskError> {
        if self.clock.elapsed() >= CLOCK_EVERY && self.has_caught_up() {
            self.clock = Instant::now();
            let due = self.desk.due(now(), &room.settings.priorities);
            for act in due.iter().take(MAX_DUE) {
                self.append(act);
            }
            for finding in self.look_at_the_floor(room) {
                let value = formats.findings.encode(&finding)?;
                let key = finding.table.as_str();
                self.ready.push(Message::new(Topic::Findings, key, value));
            }
        }
        if self.floor.elapsed() >= FLOOR_EVERY {
            self.floor = Instant::now();
            let mut floor = lock(&room.floor);
            // How far the floor was read is not written down before what it told of duties.
            self.take_told(&floor, room);
            let pieces = floor.write_changed()?;
            drop(floor);
            self.keep(pieces);
        }
        Ok(())
    }

    /// What the floor and the time call for: duties that were missed, and clocks that are wrong.
    fn look_at_the_floor(&mut self, room: &Room) -> Vec<Finding> {
        let floor = lock(&room.floor);
        self.take_told(&floor, room);
        let mut found = Vec::new();
        if !room.settings.is_simulated {
            let tables = floor.tables();
            found.extend(tables.filter_map(|table| self.clocks.look(table, now())));
        }
        // A receipt may lie among what was not read yet.
        if floor.is_current {
            let duties = &room.settings.duties;
            found.extend(self.duties.missed(now(), duties, MAX_DUE));
        }
        found
    }

    fn take_told(&mut self, floor: &Floor, room: &Room) {
        let (told, next) = floor.told_since(self.told_of_floor);
        for one in told {
            let (duties, journal) = (&room.settings.duties, &self.desk.journal);
            self.duties.take(&one, duties, journal);
        }
        self.told_of_floor = next;
    }

    fn keep(&mut self, pieces: Vec<file::Piece>) {
        for (key, value) in pieces {
            let key = format!("{KEYS}{key}");
            let message = match value {
                Some(value) => Message::new(STATE.topic, key, value),
                None => Message::removal(STATE.topic, key),
            };
            self.ready.push(message.to_partition(STATE.index));
        }
    }

    /// Makes everything ready that has changed.
    pub(crate) fn write_down(&mut self, formats: &Formats, room: &Room) -> Result<(), DeskError> {
        for act in std::mem::take(&mut self.appended) {
            if let Some(incident) = self.desk.incident(&act.incident) {
                let value = formats.dispositions.encode(&act.to_disposition(incident))?;
                let key = act.incident.as_str();
                self.ready
                    .push(Message::new(Topic::Dispositions, key, value));
            }
        }
        for entry in std::mem::take(&mut self.written) {
            let value = formats.dispositions.encode(&entry.to_disposition())?;
            let key = entry.property.as_str();
            self.ready
                .push(Message::new(Topic::Dispositions, key, value));
        }
        let journal = &self.desk.journal;
        self.places
            .extend(journal.changed.iter().chain(&journal.gone).cloned());
        for id in &self.changed {
            if let Some(record) = self.desk.record(id, &room.settings.priorities) {
                let value = formats.incidents.encode(&record)?;
                let message = Message::new(POST.topic, id.as_str(), value);
                self.ready.push(message.to_partition(POST.index));
            }
        }
        let gone: Vec<String> = self.desk.gone.iter().cloned().collect();
        let pieces = self.desk.write_changed()?;
        self.keep(pieces);
        self.duties_changed.extend(self.duties.changed().cloned());
        let pieces = self.duties.write_changed()?;
        self.keep(pieces);
        let pieces = self.clocks.write_changed()?;
        self.keep(pieces);
        self.changed.extend(gone);
        let marker = (MARKER.to_owned(), Some(file::write(&self.marker)?));
        self.keep(vec![marker]);
        Ok(())
    }

    /// What was ready is on the log: shows it, and answers.
    pub(crate) fn committed(&mut self, room: &Room) {
        self.ready.clear();
        self.uncommitted = 0;
        self.since = Instant::now();
        let changed = std::mem::take(&mut self.changed);
        room.show(&self.desk, changed.iter());
        room.show_entries(&self.desk, std::mem::take(&mut self.places));
        let duties = std::mem::take(&mut self.duties_changed);
        room.show_duties(&self.duties, duties.iter());
        lock(&room.floor).forget_told(self.told_of_floor);
        for news in self.told.drain(..) {
            room.feed.tell(news.event, &news.property, news.data);
        }
        self.answer(room);
        room.feed.wake_all();
    }

    pub(crate) fn answer(&mut self, room: &Room) {
        for (answer, entry) in self.entry_answers.drain(..) {
            // Whoever asked may be gone.
            let _ = answer.send(Ok(Arc::new(entry)));
        }
        for (answer, act) in self.answers.drain(..) {
            let done = match room.dossier(&act.incident) {
                // As it was done the first time, where it was sent twice.
                Some(dossier) => {
                    let first = dossier.acts.iter().find(|done| done.id == act.id);
                    let first = first.cloned().unwrap_or(act);
                    Ok((first, dossier))
                }
                None => Err(NotDone::Refused(crate::Refused::Unknown(act.incident))),
            };
            // Whoever asked may be gone.
            let _ = answer.send(done);
        }
    }
}

/// Reads a record that one of our own services has written; `None` for one that is no good.
pub(crate) fn read_record<R: Logged>(
    format: &Avro<R>,
    record: &Record,
) -> Result<Option<R>, DeskError> {
    match format.decode(record.value.as_deref().unwrap_or_default()) {
        Ok(read) => Ok(Some(read)),
        Err(error @ (AvroError::UnknownFingerprint(_) | AvroError::UnknownId(_))) => {
            let topic = record.partition.topic;
            Err(DeskError::Newer { topic, error })
        }
        Err(_) => Ok(None),
    }
}

fn put_aside(record: &Record) -> Quarantined {
    Quarantined {
        topic: record.partition.topic.name().to_owned(),
        partition: record.partition.index,
        offset: record.offset,
        at: Timestamp::from_micros(record.timestamp_ms.saturating_mul(1_000)),
        reason: "the desk cannot read it".to_owned(),
        key: None,
        value: record.value.clone(),
        property: None,
        table: None,
        seq: None,
    }
}
