//! One destination, and how far it is.

use std::collections::VecDeque;
use std::thread;
use std::time::{Duration, Instant};

use catwalk_events::Timestamp;
use catwalk_events::audit::Incident;
use catwalk_log::{Consumed, Log, Message, Polled, Reader, Record, Worker, WorkerSpec};
use catwalk_wire::Formats;

use super::NotTold;
use super::destination::Destination;
use super::letter::{Letter, News, What};
use super::told::{Dead, Place, Standing};
use crate::api::shown;
use crate::file;
use crate::post::read_record;
use crate::room::{Room, lock, now};
use crate::service::{DeskError, POST, STATE};

/// What the key of a destination's place begins with, on the log.
const KEYS: &str = "outbox ";
const PATIENCE: Duration = Duration::from_millis(100);
/// What was told is written down after so many letters or so long: so much is told again after a crash.
const LETTERS: u32 = 20;
const WITHIN: Duration = Duration::from_millis(500);
/// A destination out of reach is tried again, ever more seldom.
const FIRST_WAIT: Duration = Duration::from_secs(1);
const LONGEST_WAIT: Duration = Duration::from_secs(300);
/// No letter is given up before its destination was out of reach for so long, however old it is: a clock that was set,
/// or a desk that was down for a day, is no reason to tell nobody.
const OUT_OF_REACH_FOR: Duration = Duration::from_secs(600);
/// A letter that is refused is tried so often: the next one may be taken.
const REFUSED_AT_MOST: u32 = 3;

pub(super) struct Courier<'a> {
    log: &'a dyn Log,
    room: &'a Room,
    destination: &'a Destination,
    worker: Box<dyn Worker>,
    /// There while the letters are carried from here.
    route: Option<Route>,
    next_beat: Instant,
}

struct Route {
    place: Place,
    reader: Box<dyn Reader>,
    records: VecDeque<Record>,
    /// What has failed and is tried again.
    failed: Option<Failed>,
    /// Since when every try has failed to reach anybody.
    out_of_reach: Option<Instant>,
    /// Letters told that are not written down yet, and since when there is anything to write down.
    told: u32,
    since: Option<Instant>,
}

struct Failed {
    id: String,
    attempts: u32,
    since: Timestamp,
    again: Instant,
}

/// What is told next, and when it came to the log.
struct Next {
    incident: Incident,
    came_ms: i64,
    has_waited: bool,
}

impl<'a> Courier<'a> {
    pub(super) fn join(
        log: &'a dyn Log,
        name: &str,
        destination: &'a Destination,
        room: &'a Room,
    ) -> Result<Courier<'a>, DeskError> {
        let group = format!("outbox-{}", destination.name);
        let spec = WorkerSpec::new(group, name, [POST.topic]);
        let courier = Courier {
            worker: log.worker(&spec)?,
            log,
            room,
            destination,
            route: None,
            next_beat: Instant::now(),
        };
        courier.show(|_| {});
        Ok(courier)
    }

    pub(super) fn run(
        &mut self,
        formats: &Formats,
        is_over: &dyn Fn() -> bool,
    ) -> Result<(), DeskError> {
        while !is_over() {
            if !self.step(formats)? {
                thread::sleep(PATIENCE);
            }
        }
        self.write_down()?;
        self.show(|standing| standing.is_carried = false);
        Ok(())
    }

    /// Takes one step; `false` where there is nothing to do for a moment.
    fn step(&mut self, formats: &Formats) -> Result<bool, DeskError> {
        match self.worker.poll(Duration::ZERO)? {
            Polled::Assigned(partitions) if partitions.contains(&POST) => self.take_over()?,
            Polled::Revoked(partitions) if partitions.contains(&POST) => {
                self.write_down()?;
                self.leave();
            }
            Polled::Lost(partitions) if partitions.contains(&POST) => self.leave(),
            _ => {}
        }
        let is_told = self.tell_next(formats)?;
        self.beat();
        let Some(route) = &self.route else {
            return Ok(false);
        };
        let is_due = route.since.is_some_and(|since| since.elapsed() >= WITHIN);
        if is_due || route.told >= LETTERS {
            self.write_down()?;
        }
        Ok(is_told)
    }

    /// Goes on from where the last courier was; a new destination begins with what comes from now on.
    fn take_over(&mut self) -> Result<(), DeskError> {
        let key = self.key();
        let mut kept = None;
        for record in self.log.latest(STATE)? {
            if record.key.as_deref() == Some(key.as_bytes()) {
                kept = Some(file::read(record.value.as_deref().unwrap_or_default())?);
            }
        }
        let is_new = kept.is_none();
        let place = match kept {
            Some(place) => place,
            None => Place::beginning(self.log.decided_end(POST)?),
        };
        self.route = Some(Route {
            reader: self.log.reader(POST, place.next)?,
            place,
            records: VecDeque::new(),
            failed: None,
            out_of_reach: None,
            told: 0,
            since: is_new.then(Instant::now),
        });
        if is_new {
            self.write_down()?;
        }
        self.show(|standing| standing.is_carried = true);
        Ok(())
    }

    fn leave(&mut self) {
        self.route = None;
        self.show(|standing| standing.is_carried = false);
    }

    fn key(&self) -> String {
        format!("{KEYS}{}", self.destination.name)
    }

    /// Tells what is next, if anything is and it may be tried now.
    fn tell_next(&mut self, formats: &Formats) -> Result<bool, DeskError> {
        let Some(route) = &mut self.route else {
            return Ok(false);
        };
        let failed = route.failed.as_ref();
        if failed.is_some_and(|failed| failed.again > Instant::now()) {
            return Ok(false);
        }
        let Some(next) = route.next(formats)? else {
            return Ok(false);
        };
        let is_known = route.place.priority_of(&next.incident.id).is_some();
        let is_wanted = is_known || self.destination.wants(&next.incident);
        let why = route.place.why(&next.incident).filter(|_| is_wanted);
        let must_wait =
            is_wanted && !next.has_waited && route.place.wait(&next.incident, next.came_ms, now());
        let Some(why) = why.filter(|_| !must_wait) else {
            route.passed();
            return Ok(true);
        };
        let letter = Letter::new(
            now(),
            What::Incident(Box::new(News {
                why,
                shown: shown::incident(&next.incident, self.room),
                before: route.place.priority_of(&next.incident.id),
                incident: next.incident.clone(),
            })),
        );
        let told = self.destination.tell(&letter);
        self.told(&letter, &next, told);
        Ok(true)
    }

    /// Takes note of what became of a letter.
    fn told(&mut self, letter: &Letter, next: &Next, told: Result<(), NotTold>) {
        let Some(route) = &mut self.route else { return };
        let at = now();
        let Err(why) = told else {
            route.place.remember(&next.incident);
            route.place.delivered += 1;
            route.out_of_reach = None;
            route.told += 1;
            route.done(next);
            self.show(|standing| standing.last_told = Some(at));
            return;
        };
        let before = route.failed.as_ref();
        let same = before.filter(|failed| failed.id == letter.id);
        let attempts = same.map_or(0, |failed| failed.attempts) + 1;
        let since = before.map_or(at, |failed| failed.since);
        let is_over = match &why {
            NotTold::Refused(_) => {
                route.out_of_reach = None;
                attempts >= REFUSED_AT_MOST
            }
            NotTold::OutOfReach { .. } => {
                let since = *route.out_of_reach.get_or_insert_with(Instant::now);
                let age_ms = (at.micros() / 1_000).saturating_sub(next.came_ms);
                is_given_up(age_ms, since.elapsed(), self.destination.give_up_seconds)
            }
        };
        if is_over {
            route.place.remember(&next.incident);
            route.place.bury(Dead {
                id: letter.id.clone(),
                kind: letter.kind(),
                at,
                why: why.to_string(),
            });
            route.done(next);
            self.show(|_| {});
            return;
        }
        let mut wait = FIRST_WAIT.saturating_mul(1_u32 << (attempts - 1).min(16));
        if let NotTold::OutOfReach {
            after_seconds: Some(seconds),
            ..
        } = &why
        {
            wait = wait.max(Duration::from_secs(*seconds));
        }
        route.failed = Some(Failed {
            id: letter.id.clone(),
            attempts,
            since,
            again: Instant::now() + wait.min(LONGEST_WAIT),
        });
        self.show(|standing| standing.failing = Some((since, attempts, why.to_string())));
    }

    /// Says that we are there, while the desk is at work: who hears nothing knows that something is wrong.
    fn beat(&mut self) {
        let every_seconds = self.destination.heartbeat_seconds;
        let is_due = every_seconds > 0 && self.next_beat <= Instant::now();
        let Some(route) = &mut self.route else { return };
        if !is_due || route.failed.is_some() || !self.room.standing().is_ok() {
            return;
        }
        self.next_beat = Instant::now() + Duration::from_secs(every_seconds);
        let letter = Letter::new(now(), What::Heartbeat { every_seconds });
        let told = self.destination.tell(&letter);
        self.show(|standing| match told {
            Ok(()) => standing.last_told = Some(letter.at),
            Err(why) => standing.failing = Some((letter.at, 1, why.to_string())),
        });
    }

    /// Writes down how far the destination is.
    fn write_down(&mut self) -> Result<(), DeskError> {
        let key = self.key();
        let Some(route) = &mut self.route else {
            return Ok(());
        };
        if route.since.is_none() {
            return Ok(());
        }
        let value = file::write(&route.place)?;
        let message = Message::new(STATE.topic, key, value).to_partition(STATE.index);
        let mut consumed = Consumed::default();
        consumed.reach(POST, route.place.next);
        match self.worker.commit(&[message], &consumed) {
            Ok(()) => {
                (route.told, route.since) = (0, None);
                self.show(|_| {});
                Ok(())
            }
            // Who has it now tells again what was not written down.
            Err(catwalk_log::Error::Aborted { .. } | catwalk_log::Error::NotHeld { .. }) => {
                self.leave();
                Ok(())
            }
            Err(error) => Err(error.into()),
        }
    }

    fn show(&self, change: impl FnOnce(&mut Standing)) {
        let mut shown = lock(&self.room.outbox);
        let standing = shown.entry(self.destination.name.clone()).or_default();
        standing.kind = self.destination.kind.word();
        standing.to.clone_from(&self.destination.to);
        standing.priority = self.destination.priority;
        standing.properties.clone_from(&self.destination.properties);
        if let Some(route) = &self.route {
            if route.failed.is_none() {
                standing.failing = None;
            }
            standing.next = route.place.next;
            standing.waiting = route.place.waiting();
            standing.delivered = route.place.delivered;
            standing.dead_count = route.place.dead_count;
            standing.dead.clone_from(&route.place.dead);
        }
        change(standing);
    }
}

impl Route {
    /// What is next: one that has waited until it rings, or the next of the log.
    fn next(&mut self, formats: &Formats) -> Result<Option<Next>, DeskError> {
        if let Some(waiting) = self.place.ringing(now()) {
            return Ok(Some(Next {
                incident: waiting.incident,
                came_ms: waiting.came_ms,
                has_waited: true,
            }));
        }
        loop {
            if self.records.is_empty() {
                self.records.extend(self.reader.read(Duration::ZERO)?);
            }
            let Some(record) = self.records.front() else {
                return Ok(None);
            };
            // What cannot be read is none of ours; the desk has said so.
            match read_record(&formats.incidents, record)? {
                Some(incident) => {
                    let came_ms = record.timestamp_ms;
                    return Ok(Some(Next {
                        incident,
                        came_ms,
                        has_waited: false,
                    }));
                }
                None => self.passed(),
            }
        }
    }

    /// The record that came next was dealt with.
    fn passed(&mut self) {
        if let Some(record) = self.records.pop_front() {
            self.place.next = record.offset + 1;
        }
        self.failed = None;
        self.since.get_or_insert_with(Instant::now);
    }

    /// A letter was told, or is given up.
    fn done(&mut self, next: &Next) {
        if !next.has_waited {
            self.passed();
        }
        self.failed = None;
        self.since.get_or_insert_with(Instant::now);
    }
}

/// Whether a letter of this age is tried no more, at a destination that was out of reach for so long.
fn is_given_up(age_ms: i64, out_of_reach: Duration, give_up_seconds: u64) -> bool {
    let give_up = Duration::from_secs(give_up_seconds);
    let is_old = u64::try_from(age_ms).is_ok_and(|ms| Duration::from_millis(ms) >= give_up);
    is_old && out_of_reach >= OUT_OF_REACH_FOR.min(give_up)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_letter_is_given_up_by_its_age_and_by_no_clock_alone() {
        let (day, hour) = (24 * 3_600, Duration::from_secs(3_600));
        let is_given_up = |age_hours: i64, tried| is_given_up(age_hours * 3_600_000, tried, day);
        assert!(is_given_up(24, hour));
        assert!(!is_given_up(23, 30 * hour), "there is time left for it");
        assert!(!is_given_up(-48, 30 * hour), "a clock was set back");
        assert!(
            !is_given_up(48, Duration::ZERO),
            "a clock was set, or the desk was down"
        );
        assert!(is_given_up(48, OUT_OF_REACH_FOR));
    }
}
