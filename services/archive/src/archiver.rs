//! From the topics of the event log into the tables.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use catwalk_events::Timestamp;
use catwalk_log::{Log, Partition, Reader, Record, Topic};
use catwalk_wire::Formats;
use tokio::runtime::Runtime;

use crate::compact::CompactSettings;
use crate::cut::Cut;
use crate::gaming_day::{GamingDayRule, GamingDays};
use crate::item::{Arrival, Item};
use crate::ledger::Ledger;
use crate::pending::Pending;
use crate::progress::Progress;
use crate::seal::{SealSettings, Sealer, last_signed};
use crate::share::Share;
use crate::turns::{Turn, Turns};
use crate::{Archive, Error, Result, TABLES};

/// The topics that are archived.
const TOPICS: [Topic; 8] = [
    Topic::FloorEvents,
    Topic::Settlements,
    Topic::Findings,
    Topic::Dispositions,
    Topic::Incidents,
    Topic::Quarantine,
    Topic::Cases,
    Topic::Access,
];

/// How an archiver works.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Rows are written when the records that made them have so many bytes on the log. It bounds the
    /// memory: rows take a few times of it.
    pub flush_bytes: usize,
    /// ... or when so much time has passed since they were last written.
    pub flush_interval: Duration,
    /// A table without new rows notes how far it has read after so many records: after a restart it
    /// reads no more than these again.
    pub note_after_records: u64,
    /// Wait after each commit until the disk has it, so that it survives a power failure too. Only for
    /// folders of this machine; an object store answers when it has it.
    pub sync: bool,
    /// How long it rests when the log has nothing new.
    pub idle: Duration,
    pub compact: CompactSettings,
    pub gaming_day: GamingDayRule,
    /// Seals every row; without, rows are not sealed.
    pub seal: Option<SealSettings>,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            flush_bytes: 64 << 20,
            flush_interval: Duration::from_secs(10),
            note_after_records: 1_000_000,
            sync: true,
            idle: Duration::from_millis(20),
            compact: CompactSettings::default(),
            gaming_day: GamingDayRule::default(),
            seal: None,
        }
    }
}

/// Follows the topics of the log and appends what they bring to the tables, each record once.
///
/// It takes all partitions of the log, and a second one that does is refused: several share them in a
/// [`Crew`](crate::Crew). Every call blocks; none may be made from within an async runtime. After an error, open it
/// again: what was not committed is read from the log once more.
pub struct Archiver {
    runtime: Runtime,
    formats: Arc<Formats>,
    days: GamingDays,
    settings: Settings,
    feeds: Vec<Box<dyn Reader>>,
    partitions: Vec<Partition>,
    tables: Vec<Pending>,
    sealer: Option<Sealer>,
    share: Share,
    turns: Option<Turns>,
    /// While it has them, nobody else writes its trees.
    _lanes: Vec<Turn>,
    /// Tells by the clock when a gaming day is over, and which was the last that was not.
    calendar: (GamingDays, i32),
    archive: Archive,
    /// How far its tables had come, and at which versions, when it last saw to the cut.
    cut: Option<Cut>,
    /// Bytes on the log of the records whose rows wait.
    waiting_bytes: usize,
    last_flush: Instant,
    progress: Arc<Progress>,
}

impl Archiver {
    /// Opens the archive, creates its tables where they are missing, and goes on where its last commits
    /// had left off, each table by itself.
    pub fn open(
        log: &dyn Log,
        archive: &Archive,
        formats: impl Into<Arc<Formats>>,
        settings: Settings,
    ) -> Result<Archiver> {
        let share = Share::all(lanes_of(log)?);
        Archiver::open_share(log, archive, formats.into(), settings, share)
    }

    /// The same of some partitions, where others take the others.
    pub(crate) fn open_share(
        log: &dyn Log,
        archive: &Archive,
        formats: Arc<Formats>,
        settings: Settings,
        share: Share,
    ) -> Result<Archiver> {
        let days = GamingDays::new(&settings.gaming_day)?;
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .thread_name("archive")
            .enable_all()
            .build()
            .map_err(Error::Runtime)?;
        let trees = settings
            .seal
            .as_ref()
            .and_then(|seal| seal.folder.as_deref());
        let turns = archive.turns(trees)?;
        let lanes = hold(turns.as_ref(), &share, settings.seal.is_some())?;
        let turn = turns.as_ref().map(Turns::take).transpose()?;
        let (partitions, others) = partitions(log, &share)?;
        let progress = Progress::new();
        let mut tables = Vec::with_capacity(TABLES.len());
        for (index, table) in TABLES.into_iter().enumerate() {
            let opened = Pending::open(archive, table, (&partitions, &others), settings.sync);
            let opened = runtime.block_on(opened)?;
            progress.stands(index, opened.ledger.standing()?);
            tables.push(opened);
        }
        tables
            .iter()
            .try_for_each(|table| table.check_behind(log))?;
        let (calendar, last_day) = calendar(archive, &settings)?;
        let sealer = match &settings.seal {
            None => None,
            Some(seal) => {
                let ledgers: Vec<&Ledger> = tables.iter().map(|table| &table.ledger).collect();
                let opened = Sealer::open(archive, seal, settings.sync, &ledgers, &share);
                Some(runtime.block_on(opened)?)
            }
        };
        let cut = runtime.block_on(archive.cut()).unwrap_or_default();
        let begins =
            |partition: &Partition| begin(log, *partition, &tables, cut.as_ref(), &progress);
        let feeds = partitions.iter().map(begins).collect::<Result<Vec<_>>>()?;
        let mut archiver = Archiver {
            cut,
            archive: archive.clone(),
            runtime,
            formats,
            days,
            settings,
            feeds,
            partitions,
            tables,
            sealer,
            share,
            turns,
            _lanes: lanes,
            calendar,
            waiting_bytes: 0,
            last_flush: Instant::now(),
            progress: Arc::new(progress),
        };
        archiver.write_cut()?;
        archiver.close_missed(last_day)?;
        drop(turn);
        Ok(archiver)
    }

    /// Counters that go on counting.
    pub fn progress(&self) -> Arc<Progress> {
        Arc::clone(&self.progress)
    }

    /// Whether it has read all that was on the log at the last [step](Archiver::step).
    pub fn caught_up(&self) -> bool {
        self.feeds.iter().all(|feed| feed.caught_up())
    }

    /// How far it has read each partition: the offset of the record to come next.
    pub fn positions(&self) -> impl Iterator<Item = (Partition, u64)> + '_ {
        let positions = self.feeds.iter().map(|feed| feed.position());
        self.partitions.iter().copied().zip(positions)
    }

    /// Archives what is on the log now.
    pub fn run_until_caught_up(&mut self) -> Result<()> {
        while self.step()? > 0 || !self.caught_up() {}
        self.finish()
    }

    /// Archives until `stop` is set, and then what it had read by then.
    pub fn run(&mut self, stop: &AtomicBool) -> Result<()> {
        while !stop.load(Ordering::Relaxed) {
            if self.step()? == 0 {
                thread::sleep(self.settings.idle);
            }
        }
        self.finish()
    }

    /// Writes all rows that wait, and signs for them.
    pub(crate) fn finish(&mut self) -> Result<()> {
        self.flush()?;
        self.sealer.as_mut().map_or(Ok(()), Sealer::sign)
    }

    /// Takes what the log has, once around the partitions, and writes rows when it is time to. Returns
    /// how many records it took.
    pub fn step(&mut self) -> Result<usize> {
        let mut taken = 0;
        for index in 0..self.feeds.len() {
            let records = self.feeds[index].read(Duration::ZERO)?;
            taken += records.len();
            for record in &records {
                self.take(record)?;
            }
            if self.waiting_bytes >= self.settings.flush_bytes {
                self.flush()?;
            }
        }
        if self.last_flush.elapsed() >= self.settings.flush_interval {
            self.flush()?;
        }
        self.sealer.as_mut().map_or(Ok(()), Sealer::sign_in_time)?;
        self.close_day()?;
        Ok(taken)
    }

    /// Nobody was at work when the day ended on which the last head was signed.
    fn close_missed(&mut self, last_day: Option<i32>) -> Result<()> {
        let (_, today) = self.calendar;
        match (self.sealer.as_mut(), last_day) {
            (Some(sealer), Some(over)) if over < today && self.share.leads() => {
                sealer.close_day(over)
            }
            _ => Ok(()),
        }
    }

    /// When a gaming day is over, what it brought is written, and its heads are kept.
    fn close_day(&mut self) -> Result<()> {
        let (clock, open) = &mut self.calendar;
        let (over, today) = (*open, clock.of(now()));
        if today == over || self.sealer.is_none() {
            return Ok(());
        }
        *open = today;
        self.flush()?;
        match &mut self.sealer {
            Some(sealer) if self.share.leads() => sealer.close_day(over),
            Some(sealer) => sealer.sign(),
            None => Ok(()),
        }
    }

    fn take(&mut self, record: &Record) -> Result<()> {
        let partition = record.partition;
        let mut item = None;
        if let Some(bytes) = &record.value {
            self.progress.took(bytes.len());
            self.waiting_bytes += bytes.len();
            item = Item::read(&self.formats, partition.topic, bytes)?;
            if item.is_none() {
                self.progress.could_not_read(record);
            }
        }
        let arrival = item.as_ref().map(|item| Arrival {
            partition: partition.index,
            offset: record.offset,
            gaming_day: self.days.of(item.at()),
        });
        for pending in &mut self.tables {
            pending.take(record, item.as_ref().zip(arrival.as_ref()))?;
        }
        Ok(())
    }

    /// Writes all rows that wait, and compacts tables whose files have become many.
    pub fn flush(&mut self) -> Result<()> {
        let mut ready = Vec::new();
        for (index, pending) in self.tables.iter_mut().enumerate() {
            if pending.rows.len() > 0 || pending.behind() >= self.settings.note_after_records {
                let written = pending.write(self.sealer.as_mut());
                ready.push((index, self.runtime.block_on(written)?));
            }
        }
        let turn = self.turns.as_ref().map(Turns::take).transpose()?;
        for (index, written) in ready {
            let (pending, rows) = (&mut self.tables[index], written.rows);
            let committed = pending.commit(written, self.sealer.as_mut());
            self.runtime.block_on(committed)?;
            self.progress
                .committed(index, rows, pending.ledger.standing()?);
        }
        self.write_cut()?;
        drop(turn);
        self.tidy()?;
        self.sealer.as_mut().map_or(Ok(()), Sealer::sign_in_time)?;
        self.waiting_bytes = 0;
        self.last_flush = Instant::now();
        self.progress.flushed();
        Ok(())
    }

    /// Puts files together where they have become many. Of several archivers one does.
    fn tidy(&mut self) -> Result<()> {
        if !self.share.leads() {
            return Ok(());
        }
        for (index, pending) in self.tables.iter_mut().enumerate() {
            if !pending.is_to_be_tidied()? {
                continue;
            }
            let compacted = pending.ledger.compact_tiers(&self.settings.compact);
            if self.runtime.block_on(compacted)? > 0 {
                self.progress.stands(index, pending.ledger.standing()?);
            }
        }
        Ok(())
    }

    /// Says which versions belong together, once all tables of each topic have come equally far. After a crash they
    /// have not, until the next flush. Whoever calls this has the turn.
    fn write_cut(&mut self) -> Result<()> {
        let Some(seen) = self.own_cut()? else {
            return Ok(());
        };
        if self.cut.as_ref() == Some(&seen) {
            return Ok(());
        }
        let (mut versions, mut others) = (seen.versions.clone(), Vec::new());
        for table in &mut self.tables {
            if self.share.is_all() && !table.ledger.is_overtaken() {
                continue;
            }
            self.runtime.block_on(table.ledger.refresh())?;
            others.extend(table.ledger.others());
            versions.insert(table.ledger.table.name.to_owned(), table.ledger.version()?);
        }
        let there = match self.runtime.block_on(self.archive.cut()) {
            // It is written anew.
            Err(Error::Cut { .. }) => Cut::default(),
            there => there?.unwrap_or_default(),
        };
        let cut = there.after(seen.reached.clone(), others, versions);
        if cut != there {
            let written = self.archive.write_cut(&cut, self.settings.sync);
            self.runtime.block_on(written)?;
        }
        self.cut = Some(seen);
        Ok(())
    }

    /// How far its own partitions have come, and the versions of the tables; `None` where the tables of a topic differ.
    fn own_cut(&self) -> Result<Option<Cut>> {
        let mut cut = Cut::default();
        for table in &self.tables {
            for (partition, next) in table.come_to() {
                let of_others = cut.reached.insert(partition.to_string(), *next);
                if of_others.is_some_and(|others| others != *next) {
                    return Ok(None);
                }
            }
            let version = table.ledger.version()?;
            cut.versions
                .insert(table.ledger.table.name.to_owned(), version);
        }
        Ok(Some(cut))
    }
}

/// How many partitions the topics have, and so trees the archive.
pub(crate) fn lanes_of(log: &dyn Log) -> Result<u32> {
    let counts = TOPICS.into_iter().map(|topic| log.partitions(topic));
    let counts = counts.collect::<std::result::Result<Vec<_>, _>>()?;
    Ok(counts.into_iter().max().unwrap_or(0))
}

/// Holds the trees of a share.
fn hold(turns: Option<&Turns>, share: &Share, is_sealed: bool) -> Result<Vec<Turn>> {
    match turns {
        Some(turns) if is_sealed => share.lanes().map(|lane| turns.hold(lane)).collect(),
        None if !share.is_all() => Err(crate::SealError::NoFolder.into()),
        _ => Ok(Vec::new()),
    }
}

/// The partitions that are archived: those of the share, and those of others.
fn partitions(log: &dyn Log, share: &Share) -> Result<(Vec<Partition>, Vec<Partition>)> {
    let mut partitions = Vec::new();
    for topic in TOPICS {
        partitions.extend((0..log.partitions(topic)?).map(|index| topic.partition(index)));
    }
    let is_own = |partition: &Partition| share.has(partition.index);
    Ok(partitions.into_iter().partition(is_own))
}

/// What tells gaming days by the clock, with today's, and the day on which a head was signed last.
fn calendar(archive: &Archive, settings: &Settings) -> Result<((GamingDays, i32), Option<i32>)> {
    let mut clock = GamingDays::new(&settings.gaming_day)?;
    let today = clock.of(now());
    let signed = settings
        .seal
        .as_ref()
        .map(|seal| last_signed(archive, seal));
    let last_day = signed.transpose()?.flatten().map(|at| clock.of(at));
    Ok(((clock, today), last_day))
}

/// Begins to read a partition where its tables had left off. What was removed from the log meanwhile is noted.
fn begin(
    log: &dyn Log,
    partition: Partition,
    tables: &[Pending],
    cut: Option<&Cut>,
    progress: &Progress,
) -> Result<Box<dyn Reader>> {
    let reached = tables
        .iter()
        .filter_map(|table| table.reached.get(&partition));
    let from = reached.min().copied().unwrap_or(0);
    // A table without rows has read further than it has noted.
    let read = cut.map_or(0, |cut| cut.come_to(partition));
    if let Some(gone) = log.removed(partition, read.max(from))? {
        progress.removed(partition, &gone);
    }
    Ok(log.reader(partition, from)?)
}

fn now() -> Timestamp {
    Timestamp::from_micros(jiff::Timestamp::now().as_microsecond())
}

impl fmt::Debug for Archiver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Archiver")
            .field("settings", &self.settings)
            .field("progress", &self.progress)
            .finish_non_exhaustive()
    }
}
