//! The floor as it is now: which tables are open, who deals, how fast, and which have fallen silent.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use catwalk_events::{Body, Event, Timestamp};
use catwalk_log::{Log, Reader, Topic};
use catwalk_wire::Formats;
use jiff::ToSpan;
use jiff::tz::TimeZone;
use serde::{Deserialize, Serialize};

use crate::duties::Told;
use crate::file::{self, Piece, StateError};
use crate::room::{Room, Settings, lock, now};
use crate::service::DeskError;
use crate::watched::Watched;

/// So many tables are shown.
const MAX_TABLES: usize = 4_096;
/// A desk that has never seen this log reads no more of each partition than this.
const MAX_BACKLOG: u64 = 500_000;
/// Rounds of the last hour that are counted one by one.
const MAX_ROUNDS: usize = 1_000;
const HOUR_MICROS: i64 = 3_600_000_000;
/// A pace is told when the table was open for so long.
const PACE_AFTER_MICROS: i64 = 5 * 60_000_000;
/// So many events that have to do with duties wait for a desk that has the post.
const MAX_TOLD: usize = 20_000;
/// A clock is judged by so many events at least.
const MANY_LAGS: usize = 8;
/// The clock of a table is held against so many of its latest events: what the way took is least of all in one.
const MAX_LAGS: usize = 64;
const PATIENCE: Duration = Duration::from_millis(50);

const TABLE: &str = "table ";
const NEXT: &str = "floor";

#[derive(Debug, Default)]
pub(crate) struct Floor {
    tables: BTreeMap<(String, String), TableNow>,
    /// By partition, the offset of the event to come next. `None`: nobody has said yet where to begin.
    next: Option<Vec<u64>>,
    changed: BTreeSet<(String, String)>,
    version: u64,
    pub(crate) is_behind: bool,
    /// It was read to its end: nothing that it told is missing here.
    pub(crate) is_current: bool,
    /// Events that have to do with duties, with their numbers, until what they bring about is committed.
    told: VecDeque<(u64, Told)>,
    told_count: u64,
}

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct TableNow {
    pub(crate) property: String,
    pub(crate) table: String,
    pub(crate) game: Option<String>,
    pub(crate) edition: Option<String>,
    pub(crate) open: bool,
    pub(crate) dealer: Option<String>,
    pub(crate) opened_at: Option<Timestamp>,
    pub(crate) last_event_at: Option<Timestamp>,
    /// When the last event came to the log.
    pub(crate) heard_ms: i64,
    pub(crate) round: Option<String>,
    pub(crate) rounds_today: u64,
    /// The gaming day of the last round, as 20261115.
    day: Option<i32>,
    /// When the rounds of the last hour ended.
    ended: VecDeque<i64>,
    lags_ms: VecDeque<i64>,
    #[serde(default)]
    pub(crate) watched: Watched,
    /// Rises over all tables with every change.
    #[serde(skip)]
    pub(crate) version: u64,
}

impl TableNow {
    /// How far the clock of the table is behind that of the log, the way included.
    pub(crate) fn clock_offset_ms(&self) -> Option<i64> {
        self.lags_ms.iter().min().copied()
    }

    pub(crate) fn has_many_lags(&self) -> bool {
        self.lags_ms.len() >= MANY_LAGS
    }

    /// Rounds an hour, by the table's own clock.
    pub(crate) fn rounds_per_hour(&self) -> Option<u64> {
        let last = self.last_event_at?.micros();
        let open_for = last
            .saturating_sub(self.opened_at?.micros())
            .min(HOUR_MICROS);
        let count = self.ended.len() as u64;
        let hour = HOUR_MICROS.unsigned_abs();
        (self.open && open_for >= PACE_AFTER_MICROS)
            .then(|| count.saturating_mul(hour) / open_for.unsigned_abs().max(1))
    }

    /// Since when an open table has said nothing, if that is too long.
    pub(crate) fn silent_since_ms(&self, room: &Room) -> Option<i64> {
        let now_ms = now().micros() / 1_000;
        let limit = silence_ms(&room.settings);
        (self.open && now_ms.saturating_sub(self.heard_ms) > limit).then_some(self.heard_ms)
    }

    fn take(&mut self, event: &Event, heard_ms: i64, house: &House) {
        let days = &house.days;
        let is_late = heard_ms.saturating_sub(self.heard_ms) > house.silence_ms;
        if self.open && is_late {
            self.watched.was_silent(self.heard_ms, heard_ms);
        }
        self.watched.take(event, self.heard_ms, heard_ms);
        self.heard_ms = self.heard_ms.max(heard_ms);
        self.last_event_at = self.last_event_at.max(Some(event.at));
        self.lags_ms.push_back(heard_ms - event.at.micros() / 1_000);
        if self.lags_ms.len() > MAX_LAGS {
            self.lags_ms.pop_front();
        }
        match &event.body {
            Body::TableOpened(opened) => {
                self.open = true;
                self.game = Some(opened.game.clone());
                self.edition = Some(opened.edition.clone());
                self.dealer = Some(opened.dealer.clone());
                self.opened_at = Some(event.at);
                self.round = None;
            }
            Body::TableClosed(_) => {
                self.open = false;
                self.dealer = None;
                self.round = None;
            }
            Body::DealerChanged(changed) => self.dealer = Some(changed.dealer.clone()),
            Body::RulesChanged(changed) => self.edition = Some(changed.edition.clone()),
            Body::RoundOpened(_) => self.round.clone_from(&event.round),
            Body::RoundClosed(_) | Body::RoundVoided(_) => {
                if self.round == event.round {
                    self.round = None;
                }
                self.count(event.at, days);
            }
            _ => {}
        }
        let hour_ago = self.last_event_at.map_or(0, |at| at.micros()) - HOUR_MICROS;
        while self.ended.front().is_some_and(|&ended| ended < hour_ago) {
            self.ended.pop_front();
        }
    }

    fn count(&mut self, at: Timestamp, days: &Days) {
        let day = days.of(at);
        if day > self.day {
            (self.day, self.rounds_today) = (day, 0);
        }
        if day == self.day {
            self.rounds_today += 1;
        }
        self.ended.push_back(at.micros());
        if self.ended.len() > MAX_ROUNDS {
            self.ended.pop_front();
        }
    }
}

impl Floor {
    pub(crate) fn tables(&self) -> impl Iterator<Item = &TableNow> {
        self.tables.values()
    }

    /// Nobody has said yet where to begin.
    pub(crate) fn is_unknown(&self) -> bool {
        self.next.is_none()
    }

    /// What was told since this number, and the number to ask from next.
    pub(crate) fn told_since(&self, number: u64) -> (Vec<Told>, u64) {
        let new = self.told.iter().filter(|(own, _)| *own >= number);
        (new.map(|(_, told)| told.clone()).collect(), self.told_count)
    }

    /// What was told before this number is written down elsewhere.
    pub(crate) fn forget_told(&mut self, number: u64) {
        self.told.retain(|(own, _)| *own >= number);
    }

    fn tell(&mut self, told: Told) {
        self.told.push_back((self.told_count, told));
        self.told_count += 1;
        if self.told.len() > MAX_TOLD {
            self.told.pop_front();
        }
    }

    /// Takes back a piece of the state.
    pub(crate) fn restore(&mut self, key: &str, value: &[u8]) -> Result<(), StateError> {
        if key.starts_with(TABLE) {
            let table: TableNow = file::read(value)?;
            self.change(&table.property.clone(), &table.table.clone(), |now| {
                *now = table
            });
        } else if key == NEXT {
            self.next = Some(file::read(value)?);
        }
        Ok(())
    }

    /// Everything that was kept is there: the floor may be watched on from it.
    pub(crate) fn restored(&mut self) {
        self.next.get_or_insert_default();
        self.changed.clear();
    }

    /// What has changed since it was last asked for.
    pub(crate) fn write_changed(&mut self) -> Result<Vec<Piece>, StateError> {
        let mut pieces = Vec::new();
        for key in std::mem::take(&mut self.changed) {
            if let Some(table) = self.tables.get(&key) {
                pieces.push((format!("{TABLE}{key:?}"), Some(file::write(table)?)));
            }
        }
        if !pieces.is_empty() {
            pieces.push((NEXT.to_owned(), Some(file::write(&self.next)?)));
        }
        Ok(pieces)
    }

    fn change(&mut self, property: &str, table: &str, change: impl FnOnce(&mut TableNow)) {
        let key = (property.to_owned(), table.to_owned());
        if self.tables.len() >= MAX_TABLES && !self.tables.contains_key(&key) {
            return;
        }
        self.version += 1;
        let now = self.tables.entry(key.clone()).or_default();
        (now.property, now.table) = key.clone();
        change(now);
        now.version = self.version;
        self.changed.insert(key);
    }
}

/// Reads the floor's events until it is told to stop.
pub(crate) fn watch(
    log: &dyn Log,
    formats: &Formats,
    room: &Room,
    stop: &AtomicBool,
) -> Result<(), DeskError> {
    let house = House {
        days: Days::new(&room.settings)?,
        silence_ms: silence_ms(&room.settings),
    };
    let mut readers: Option<Vec<Box<dyn Reader>>> = None;
    while !stop.load(Ordering::Acquire) {
        let Some(readers) = &mut readers else {
            readers = begin(log, room)?;
            thread::sleep(PATIENCE);
            continue;
        };
        let mut count = 0;
        for (index, reader) in readers.iter_mut().enumerate() {
            let records = reader.read(Duration::ZERO)?;
            count += records.len();
            // What cannot be read is in quarantine, where the settler puts it.
            let events = records.iter().filter_map(|record| {
                let value = record.value.as_deref()?;
                Some((formats.read_event(value).ok()?, record.timestamp_ms))
            });
            let events: Vec<(Event, i64)> = events.collect();
            let mut floor = lock(&room.floor);
            for (event, heard_ms) in events {
                if let Some(told) = Told::of(&event, heard_ms) {
                    floor.tell(told);
                }
                floor.change(&event.property, &event.table, |table| {
                    table.take(&event, heard_ms, &house);
                });
            }
            if let Some(next) = floor.next.as_mut().and_then(|next| next.get_mut(index)) {
                *next = reader.position();
            }
        }
        let is_current = readers.iter().all(|reader| reader.caught_up());
        let mut floor = lock(&room.floor);
        (floor.is_behind, floor.is_current) = (!is_current, is_current);
        drop(floor);
        if count == 0 {
            thread::sleep(PATIENCE);
        }
    }
    Ok(())
}

/// Readers that go on where the floor was left, once somebody has said where that is.
fn begin(log: &dyn Log, room: &Room) -> Result<Option<Vec<Box<dyn Reader>>>, DeskError> {
    let Some(mut next) = lock(&room.floor).next.clone() else {
        return Ok(None);
    };
    let mut readers = Vec::new();
    for index in 0..log.partitions(Topic::FloorEvents)? {
        let partition = Topic::FloorEvents.partition(index);
        if next.len() <= index as usize {
            next.push(log.end(partition)?.saturating_sub(MAX_BACKLOG));
        }
        readers.push(log.reader(partition, next[index as usize])?);
    }
    lock(&room.floor).next = Some(next);
    Ok(Some(readers))
}

/// By what events are measured.
struct House {
    days: Days,
    silence_ms: i64,
}

fn silence_ms(settings: &Settings) -> i64 {
    let millis = settings.silence_seconds.saturating_mul(1_000);
    i64::try_from(millis).unwrap_or(i64::MAX)
}

/// Gaming days, by the house's own clock.
struct Days {
    zone: TimeZone,
    hour: i8,
}

impl Days {
    fn new(settings: &Settings) -> Result<Days, DeskError> {
        let zone = TimeZone::get(&settings.time_zone);
        Ok(Days {
            zone: zone.map_err(|_| DeskError::TimeZone(settings.time_zone.clone()))?,
            hour: settings.gaming_day_hour,
        })
    }

    fn of(&self, at: Timestamp) -> Option<i32> {
        let moment = jiff::Timestamp::from_microsecond(at.micros()).ok()?;
        let local = moment.to_zoned(self.zone.clone()).datetime();
        let began = local.checked_sub(i64::from(self.hour).hours()).ok()?;
        let (year, month, day) = (began.year(), began.month(), began.day());
        Some(i32::from(year) * 10_000 + i32::from(month) * 100 + i32::from(day))
    }
}
