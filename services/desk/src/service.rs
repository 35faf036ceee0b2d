//! The desk on the event log, exactly once.
//!
//! A [`Service`] reads `audit.findings` and `audit.dispositions`, folds them, and commits in one step what comes
//! of it: the incidents that changed, whole, on `audit.incidents`; the acts that were handed in, on
//! `audit.dispositions`; the pieces of the desk that changed; and how far everything was read. Whoever starts
//! next takes the pieces back and goes on: nothing is folded twice and nothing is lost.
//!
//! It needs everything in one place, so of the desks of a group one works: the one that holds the [post](POST),
//! as a partition that the group gives to one member at a time. Only its commits go through. So an act that is
//! handed in is checked against all that counted before it, and of two claims one wins.
//!
//! The post is the partition on which incidents lie. The holder reads there what it has committed itself, and
//! tells it on with its offset: what a follower hears is what is on the log.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use catwalk_log::{Consumed, Log, Partition, Polled, Reader, Record, Topic, Worker, WorkerSpec};
use catwalk_wire::{AvroError, Formats};

use crate::api::shown;
use crate::clocks::Clocks;
use crate::desk::Desk;
use crate::duties::Watch;
use crate::file::{self, StateError};
use crate::floor;
use crate::post::{Kept, Marker, Post, read_record};
use crate::room::{Command, IN_DOUBT, NO_POST, NotDone, Room, Standing, lock, now};

/// The group of the desks, of which one works.
const GROUP: &str = "desk";
/// Who holds it works.
pub(crate) const POST: Partition = Topic::Incidents.partition(0);
/// Where the state is. Settlers keep tables there too, under keys that begin with a number.
pub(crate) const STATE: Partition = Topic::State.partition(0);
/// What the keys of the state begin with.
pub(crate) const KEYS: &str = "desk ";
pub(crate) const MARKER: &str = "consumed";
/// A commit is due with so many incidents that changed, or acts that wait for their answer.
const MAX_CHANGED: usize = 500;
const MAX_ACTS: usize = 256;
/// What was read and changed nothing is counted as read after so long.
const UNCHANGED_FOR: Duration = Duration::from_secs(1);
/// How long a quiet desk waits for an act before it looks at the log again.
const PATIENCE: Duration = Duration::from_millis(10);

#[derive(Debug, thiserror::Error)]
pub enum DeskError {
    #[error(transparent)]
    Log(#[from] catwalk_log::Error),
    #[error("a record cannot be written: {0}")]
    Avro(#[from] AvroError),
    #[error(transparent)]
    State(#[from] StateError),
    #[error(
        "a record of {topic} was written by a newer version of catwalk: {error}; run that one here too"
    )]
    Newer { topic: Topic, error: AvroError },
    #[error("{0:?} is no time zone")]
    TimeZone(String),
    #[error("the watch over the floor ended by a panic")]
    Floor,
    #[error("what tells a destination ended by a panic")]
    Courier,
}

/// One of the desks that could work.
pub struct Service {
    log: Arc<dyn Log>,
    worker: Box<dyn Worker>,
    formats: Formats,
    room: Arc<Room>,
    post: Option<Post>,
}

impl Service {
    /// Joins the group under a name that is its own there, and the same again after a restart.
    pub fn join(
        log: Arc<dyn Log>,
        name: &str,
        formats: Formats,
        room: Arc<Room>,
    ) -> Result<Service, DeskError> {
        let spec = WorkerSpec::new(GROUP, name, [POST.topic]);
        Ok(Service {
            worker: log.worker(&spec)?,
            log,
            formats,
            room,
            post: None,
        })
    }

    /// Works, whenever it has the post, until it is told to stop. `for_floor` reads the floor's events.
    pub fn run(&mut self, for_floor: &Formats, stop: &AtomicBool) -> Result<(), DeskError> {
        let (log, room) = (self.log.clone(), self.room.clone());
        let ended = AtomicBool::new(false);
        let worked = thread::scope(|threads| {
            let watch = threads.spawn(|| {
                let watched = floor::watch(&*log, for_floor, &room, &ended);
                ended.store(true, Ordering::Release);
                watched
            });
            let mut worked = Ok(());
            while worked.is_ok() && !stop.load(Ordering::Acquire) && !ended.load(Ordering::Acquire)
            {
                worked = self.step(PATIENCE);
            }
            worked = worked.and_then(|()| self.commit());
            ended.store(true, Ordering::Release);
            let watched = watch.join().unwrap_or(Err(DeskError::Floor));
            worked.and(watched)
        });
        self.room.feed.close();
        self.room.stands(Standing::default());
        worked
    }

    /// Folds all that is on the log now, alone in its group, and stops.
    pub fn run_until_caught_up(&mut self) -> Result<(), DeskError> {
        for topic in [Topic::Findings, Topic::Dispositions] {
            for index in 0..self.log.partitions(topic)? {
                self.log.decided_end(topic.partition(index))?;
            }
        }
        if let Some(post) = &mut self.post {
            // A reader that was at the end says so until it reads again.
            post.findings = readers(&*self.log, Topic::Findings, &post.marker.findings)?;
            post.acts = readers(&*self.log, Topic::Dispositions, &post.marker.acts)?;
        }
        while !self.post.as_ref().is_some_and(Post::has_caught_up) {
            self.step(Duration::ZERO)?;
        }
        self.commit()
    }

    /// Takes one step: a change of hands, what there is to read, and the acts that were handed in.
    pub fn step(&mut self, patience: Duration) -> Result<(), DeskError> {
        match self.worker.poll(Duration::ZERO)? {
            Polled::Assigned(partitions) if partitions.contains(&POST) => self.take_over()?,
            // What is not committed is read again by the next holder.
            Polled::Revoked(partitions) | Polled::Lost(partitions)
                if partitions.contains(&POST) =>
            {
                self.give_up(NO_POST);
            }
            Polled::Records(records) => self.tell_on(&records)?,
            _ => {}
        }
        let read = self.read()?;
        let patience = if read > 0 { Duration::ZERO } else { patience };
        self.take_acts(patience);
        let Some(post) = &mut self.post else {
            return Ok(());
        };
        post.look_at_the_clock(&self.formats, &self.room)?;
        if post.is_to_be_committed()
            || (post.uncommitted > 0 && post.since.elapsed() >= UNCHANGED_FOR)
        {
            self.commit()?;
        }
        self.say_how_it_does();
        Ok(())
    }

    /// Goes on from where the last holder of the post had left off.
    fn take_over(&mut self) -> Result<(), DeskError> {
        let (mut desk, mut marker) = (Desk::default(), Marker::default());
        let (mut duties, mut clocks) = (Watch::default(), Clocks::default());
        // What is known of the floor already is newer than what was written down of it.
        let is_new_to_floor = lock(&self.room.floor).is_unknown();
        for record in self.log.latest(STATE)? {
            let key = String::from_utf8_lossy(record.key.as_deref().unwrap_or_default());
            let Some(key) = key.strip_prefix(KEYS) else {
                continue;
            };
            let value = record.value.as_deref().unwrap_or_default();
            if key == MARKER {
                marker = file::read(value)?;
                continue;
            }
            desk.restore(key, value)?;
            duties.restore(key, value)?;
            clocks.restore(key, value)?;
            if is_new_to_floor {
                lock(&self.room.floor).restore(key, value)?;
            }
        }
        lock(&self.room.floor).restored();
        for (topic, next) in [
            (Topic::Findings, &mut marker.findings),
            (Topic::Dispositions, &mut marker.acts),
        ] {
            next.resize(self.log.partitions(topic)? as usize, 0);
        }
        if marker.generation.is_empty() {
            marker.generation = format!("{:x}-{:x}", now().micros(), std::process::id());
        }
        self.room.show_all(&desk, &duties);
        self.room.feed.begin(&marker.generation, marker.post);
        let findings = readers(&*self.log, Topic::Findings, &marker.findings)?;
        let acts = readers(&*self.log, Topic::Dispositions, &marker.acts)?;
        let kept = Kept {
            desk,
            duties,
            clocks,
            marker,
        };
        self.post = Some(Post::taken(kept, findings, acts));
        Ok(())
    }

    /// Forgets what was not committed, and says so to those who wait.
    fn give_up(&mut self, why: &'static str) {
        let Some(post) = self.post.take() else {
            return;
        };
        // Whoever asked may be gone.
        for (answer, _) in post.answers {
            let _ = answer.send(Err(NotDone::Unavailable(why)));
        }
        for (answer, _) in post.entry_answers {
            let _ = answer.send(Err(NotDone::Unavailable(why)));
        }
        self.room.feed.close();
        self.room.stands(Standing::default());
    }

    /// Incidents as they come back from the log.
    fn tell_on(&mut self, records: &[Record]) -> Result<(), DeskError> {
        let Some(post) = &mut self.post else {
            return Ok(());
        };
        for record in records.iter().filter(|record| record.partition == POST) {
            if record.offset < post.marker.post {
                continue;
            }
            post.marker.post = record.offset + 1;
            post.uncommitted += 1;
            if let Some(incident) = read_record(&self.formats.incidents, record)? {
                let data = shown::incident(&incident, &self.room).to_string();
                let feed = &self.room.feed;
                feed.tell_incident(record.offset + 1, &incident.property, data);
            }
        }
        if !records.is_empty() {
            self.room.feed.wake_all();
        }
        Ok(())
    }

    /// Reads on, each partition in turn, acts first: they are few, and people wait for them. Gives how many
    /// records there were.
    fn read(&mut self) -> Result<usize, DeskError> {
        let mut count = 0;
        for topic in [Topic::Dispositions, Topic::Findings] {
            for index in 0.. {
                // A commit that fails takes the post away, and all that was read with it.
                let Some(post) = &mut self.post else {
                    return Ok(count);
                };
                let readers = match topic {
                    Topic::Findings => &mut post.findings,
                    _ => &mut post.acts,
                };
                let Some(reader) = readers.get_mut(index) else {
                    break;
                };
                let records = reader.read(Duration::ZERO)?;
                count += records.len();
                for record in records {
                    let Some(post) = &mut self.post else { break };
                    post.take(&record, &self.formats, &self.room)?;
                    if post.changed.len() >= MAX_CHANGED {
                        self.commit()?;
                    }
                }
            }
        }
        Ok(count)
    }

    /// Acts that were handed in: checked, done, and answered when they are committed.
    fn take_acts(&mut self, patience: Duration) {
        let room = self.room.clone();
        let handed_in = lock(&room.handed_in);
        let mut next = handed_in.recv_timeout(patience).ok();
        for _ in 0..MAX_ACTS {
            let Some(command) = next else {
                return;
            };
            match (&mut self.post, command) {
                (Some(post), Command::Act(act, answer)) => post.do_act(*act, answer),
                (Some(post), Command::Entry(entry, answer)) => {
                    post.write_entry(*entry, &room, answer)
                }
                (None, command) => command.cannot(NO_POST),
            }
            next = handed_in.try_recv().ok();
        }
    }

    /// Commits what was read and done.
    fn commit(&mut self) -> Result<(), DeskError> {
        let Some(post) = &mut self.post else {
            return Ok(());
        };
        if post.has_nothing_to_write() {
            post.answer(&self.room);
            return Ok(());
        }
        post.write_down(&self.formats, &self.room)?;
        let mut consumed = Consumed::default();
        consumed.reach(POST, post.marker.post);
        match self.worker.commit(&post.ready, &consumed) {
            Ok(()) => {
                post.committed(&self.room);
                Ok(())
            }
            // Nothing of it is there: the next polls take the post away and give it back.
            Err(catwalk_log::Error::Aborted { .. } | catwalk_log::Error::NotHeld { .. }) => {
                self.give_up(NO_POST);
                Ok(())
            }
            Err(error) => {
                self.give_up(IN_DOUBT);
                Err(error.into())
            }
        }
    }

    fn say_how_it_does(&self) {
        self.room.stands(Standing {
            at_work: Some(Instant::now()),
            has_post: self.post.is_some(),
            is_behind: !self.post.as_ref().is_some_and(Post::has_caught_up),
        });
    }
}

fn readers(
    log: &dyn Log,
    topic: Topic,
    next: &[u64],
) -> Result<Vec<Box<dyn Reader>>, catwalk_log::Error> {
    let places = (0..).map(|index| topic.partition(index)).zip(next);
    places
        .map(|(partition, next)| log.reader(partition, *next))
        .collect()
}

impl std::fmt::Debug for Service {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Service")
            .field("worker", &self.worker)
            .field("has_post", &self.post.is_some())
            .finish_non_exhaustive()
    }
}
