//! Several archivers of one archive, in one process or on many machines.
//!
//! The log's group gives each partition to one of them at a time, and to another when that one is gone. With a
//! partition goes its tree, and with the first one the work that only one does: to put files together, and to keep the
//! heads of gaming days. Nothing else is agreed on. An archiver that has not noticed that a partition is another's now
//! cannot commit to it, since the other has moved its offsets on; nor sign its tree, which the other waits to hold.
//!
//! The group is of the archive, not of the log alone: who writes another archive of the same log has all of it.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use catwalk_log::{Log, Partition, Polled, Topic, Worker, WorkerSpec};
use catwalk_wire::Formats;

use crate::archiver::lanes_of;
use crate::progress::Progress;
use crate::share::Share;
use crate::turns::Turns;
use crate::{Archive, Archiver, Error, Result, Settings};

/// What the group of the archivers is called, with the name of the archive.
const GROUP: &str = "archivers";
/// How often it is looked whether every partition is brought in by somebody.
const LOOK_AROUND: Duration = Duration::from_secs(5);
/// A partition may be nobody's for so long: while it changes hands after a crash.
const UNHELD_FOR: Duration = Duration::from_secs(90);
/// Whoever is given a partition of it takes the same one of all topics. Few records lie there, and they mean nothing
/// here: what an archive has is read from where its own commits had left off.
const POSTS: Topic = Topic::Cases;

/// One of the archivers that share the partitions of a log.
pub struct Crew {
    log: Arc<dyn Log>,
    archive: Archive,
    formats: Arc<Formats>,
    settings: Settings,
    worker: Box<dyn Worker>,
    /// Partitions of the [posts](POSTS) that it has been given.
    posts: BTreeSet<u32>,
    /// At work on them.
    archiver: Option<Archiver>,
    turns: Option<Turns>,
    looked: Instant,
    /// Since when a partition is nobody's.
    unheld: BTreeMap<u32, Instant>,
    opened: Box<dyn Fn(Arc<Progress>) + Send>,
}

impl Crew {
    /// Joins under a name that no other of them has, and the same again after a restart. Each time it takes up other
    /// partitions, `opened` is given the counters, which begin anew.
    pub fn join(
        log: Arc<dyn Log>,
        name: &str,
        archive: &Archive,
        formats: Formats,
        settings: Settings,
        opened: impl Fn(Arc<Progress>) + Send + 'static,
    ) -> Result<Crew> {
        let trees = settings
            .seal
            .as_ref()
            .and_then(|seal| seal.folder.as_deref());
        let turns = archive.turns(trees)?;
        let group = match &turns {
            Some(turns) => format!("{GROUP}-{}", turns.name()?),
            None => format!("{GROUP}-{name}"),
        };
        let worker = log.worker(&WorkerSpec::new(group, name, [POSTS]))?;
        Ok(Crew {
            turns: turns.filter(|_| settings.seal.is_some()),
            looked: Instant::now(),
            unheld: BTreeMap::new(),
            log,
            archive: archive.clone(),
            formats: Arc::new(formats),
            settings,
            worker,
            posts: BTreeSet::new(),
            archiver: None,
            opened: Box::new(opened),
        })
    }

    /// Archives what its partitions bring until `stop` is set, and then what it had read by then.
    pub fn run(&mut self, stop: &AtomicBool) -> Result<()> {
        while !stop.load(Ordering::Relaxed) {
            if self.step()? == 0 {
                thread::sleep(self.settings.idle);
            }
        }
        self.close()
    }

    /// Takes what the log has, once around its partitions. Returns how many records it took.
    pub fn step(&mut self) -> Result<usize> {
        match self.worker.poll(Duration::ZERO)? {
            Polled::Assigned(posts) => {
                self.close()?;
                self.posts.extend(numbers(&posts));
            }
            Polled::Revoked(posts) => {
                // They go with the next poll: what was read of them is safe before.
                self.close()?;
                self.give_up(&posts);
                return Ok(0);
            }
            Polled::Lost(posts) => {
                // Another has them already and reads from the last commit.
                self.archiver = None;
                self.give_up(&posts);
            }
            Polled::Records(_) => {}
        }
        if self.archiver.is_none() && !self.posts.is_empty() {
            self.open()?;
        }
        if self.looked.elapsed() >= LOOK_AROUND {
            self.look_around()?;
        }
        self.archiver.as_mut().map_or(Ok(0), Archiver::step)
    }

    /// Whether it has read all that was on its partitions at the last [step](Crew::step).
    pub fn caught_up(&self) -> bool {
        self.archiver.as_ref().is_some_and(Archiver::caught_up)
    }

    /// Writes what waits and signs for it.
    pub fn flush(&mut self) -> Result<()> {
        self.archiver.as_mut().map_or(Ok(()), Archiver::finish)
    }

    /// How many partitions it has.
    pub fn held(&self) -> usize {
        self.posts.len()
    }

    /// A partition that nobody brings in would be missing without a word.
    fn look_around(&mut self) -> Result<()> {
        self.looked = Instant::now();
        let Some(turns) = &self.turns else {
            return Ok(());
        };
        for lane in 0..lanes_of(&*self.log)? {
            if turns.is_held(lane)? {
                self.unheld.remove(&lane);
                continue;
            }
            let since = *self.unheld.entry(lane).or_insert(self.looked);
            if since.elapsed() >= UNHELD_FOR {
                return Err(Error::Unshared(lane));
            }
        }
        Ok(())
    }

    fn open(&mut self) -> Result<()> {
        let (count, posts) = (lanes_of(&*self.log)?, self.log.partitions(POSTS)?.max(1));
        let lanes = (0..count).filter(|lane| self.posts.contains(&(lane % posts)));
        let share = Share::of(lanes.collect(), count);
        let (formats, settings) = (self.formats.clone(), self.settings.clone());
        let opened = Archiver::open_share(&*self.log, &self.archive, formats, settings, share)?;
        (self.opened)(opened.progress());
        self.archiver = Some(opened);
        Ok(())
    }

    /// Writes what waits, signs for it, and lets the trees go.
    fn close(&mut self) -> Result<()> {
        self.archiver
            .take()
            .map_or(Ok(()), |mut archiver| archiver.finish())
    }

    fn give_up(&mut self, posts: &[Partition]) {
        let gone: BTreeSet<u32> = numbers(posts).collect();
        self.posts.retain(|post| !gone.contains(post));
    }
}

fn numbers(partitions: &[Partition]) -> impl Iterator<Item = u32> + '_ {
    partitions.iter().map(|partition| partition.index)
}

impl fmt::Debug for Crew {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Crew")
            .field("posts", &self.posts)
            .field("archiver", &self.archiver)
            .finish_non_exhaustive()
    }
}
