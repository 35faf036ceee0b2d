//! From the topics of the event log into the tables.

use std::collections::BTreeMap;
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
use crate::ledger::{Ledger, Written};
use crate::progress::Progress;
use crate::rows::Rows;
use crate::seal::{SealSettings, Sealer, last_signed, unsealed};
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
/// There is one archiver for an archive; a second one is refused at its first commit. Every call blocks;
/// none may be made from within an async runtime. After an error, open it again: what was not committed
/// is read from the log once more.
pub struct Archiver {
    runtime: Runtime,
    formats: Formats,
    days: GamingDays,
    settings: Settings,
    feeds: Vec<Box<dyn Reader>>,
    partitions: Vec<Partition>,
    tables: Vec<Pending>,
    sealer: Option<Sealer>,
    /// Tells by the clock when a gaming day is over, and which was the last that was not.
    calendar: (GamingDays, i32),
    archive: Archive,
    /// The versions that whoever reads the archive finds.
    cut: Option<Cut>,
    /// Bytes on the log of the records whose rows wait.
    waiting_bytes: usize,
    last_flush: Instant,
    progress: Arc<Progress>,
}

/// A table and the rows that wait to be written to it.
struct Pending {
    ledger: Ledger,
    rows: Rows,
    /// The offset of the record to come next, by partition.
    reached: BTreeMap<Partition, u64>,
}

impl Archiver {
    /// Opens the archive, creates its tables where they are missing, and goes on where its last commits
    /// had left off, each table by itself.
    pub fn open(
        log: &dyn Log,
        archive: &Archive,
        formats: Formats,
        settings: Settings,
    ) -> Result<Archiver> {
        let days = GamingDays::new(&settings.gaming_day)?;
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .thread_name("archive")
            .enable_all()
            .build()
            .map_err(Error::Runtime)?;
        let partitions = partitions(log)?;
        let progress = Progress::new();
        let mut tables = Vec::with_capacity(TABLES.len());
        for (index, table) in TABLES.into_iter().enumerate() {
            let of_topic = partitions
                .iter()
                .filter(|partition| partition.topic == table.topic);
            let of_topic: Vec<Partition> = of_topic.copied().collect();
            let ledger =
                runtime.block_on(Ledger::open(archive, table, &of_topic, settings.sync))?;
            progress.stands(index, ledger.standing()?);
            let reached = |partition| (partition, ledger.committed(partition));
            tables.push(Pending {
                reached: of_topic.into_iter().map(reached).collect(),
                rows: Rows::new(table)?,
                ledger,
            });
        }
        tables
            .iter()
            .try_for_each(|table| table.check_behind(log))?;
        let (calendar, last_day) = calendar(archive, &settings)?;
        let sealer = match &settings.seal {
            None => None,
            Some(seal) => {
                let ledgers: Vec<&Ledger> = tables.iter().map(|table| &table.ledger).collect();
                let opened = Sealer::open(archive, seal, settings.sync, &ledgers);
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
            calendar,
            waiting_bytes: 0,
            last_flush: Instant::now(),
            progress: Arc::new(progress),
        };
        archiver.write_cut()?;
        archiver.close_missed(last_day)?;
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
    fn finish(&mut self) -> Result<()> {
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
            (Some(sealer), Some(over)) if over < today => sealer.close_day(over),
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
        self.sealer
            .as_mut()
            .map_or(Ok(()), |sealer| sealer.close_day(over))
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
        for (index, pending) in self.tables.iter_mut().enumerate() {
            let rows = pending.rows.len();
            if rows == 0 && pending.behind() < self.settings.note_after_records {
                continue;
            }
            let flushed = pending.flush(self.sealer.as_mut());
            self.runtime.block_on(flushed)?;
            self.progress
                .committed(index, rows, pending.ledger.standing()?);
            let compacted = pending.ledger.compact_tiers(&self.settings.compact);
            if self.runtime.block_on(compacted)? > 0 {
                self.progress.stands(index, pending.ledger.standing()?);
            }
        }
        self.write_cut()?;
        self.sealer.as_mut().map_or(Ok(()), Sealer::sign_in_time)?;
        self.waiting_bytes = 0;
        self.last_flush = Instant::now();
        self.progress.flushed();
        Ok(())
    }

    /// Says which versions belong together, once all tables of each topic have come equally far. After a crash they
    /// have not, until the next flush.
    fn write_cut(&mut self) -> Result<()> {
        let mut cut = Cut::default();
        for table in &self.tables {
            // What waits to be written is no part of the table; what brought it no rows is.
            let reached = match table.rows.len() {
                0 => table.reached.clone(),
                _ => table.ledger.committed_all().clone(),
            };
            for (partition, next) in reached {
                let of_others = cut.reached.insert(partition.to_string(), next);
                if of_others.is_some_and(|others| others != next) {
                    return Ok(());
                }
            }
            let version = table.ledger.version()?;
            cut.versions
                .insert(table.ledger.table.name.to_owned(), version);
        }
        if self.cut.as_ref() != Some(&cut) {
            // Whoever has erased rows meanwhile has put a later version there than is known here.
            let there = self
                .runtime
                .block_on(self.archive.cut())?
                .unwrap_or_default();
            for (table, version) in &mut cut.versions {
                *version = (*version).max(there.versions.get(table).copied().unwrap_or(0));
            }
            let written = self.archive.write_cut(&cut, self.settings.sync);
            self.runtime.block_on(written)?;
            self.cut = Some(cut);
        }
        Ok(())
    }
}

/// The partitions that are archived.
fn partitions(log: &dyn Log) -> Result<Vec<Partition>> {
    let mut partitions = Vec::new();
    for topic in TOPICS {
        partitions.extend((0..log.partitions(topic)?).map(|index| topic.partition(index)));
    }
    Ok(partitions)
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
    let read = cut.and_then(|cut| cut.reached.get(&partition.to_string()));
    if let Some(gone) = log.removed(partition, read.copied().unwrap_or(0).max(from))? {
        progress.removed(partition, &gone);
    }
    Ok(log.reader(partition, from)?)
}

fn now() -> Timestamp {
    Timestamp::from_micros(jiff::Timestamp::now().as_microsecond())
}

impl Pending {
    fn take(&mut self, record: &Record, item: Option<(&Item, &Arrival)>) -> Result<()> {
        let Some(next) = self.reached.get_mut(&record.partition) else {
            return Ok(());
        };
        // Another table of the topic may have been behind this one.
        if record.offset < *next {
            return Ok(());
        }
        *next = record.offset + 1;
        match item {
            Some((item, arrival)) => {
                (self.ledger.table.append)(item, arrival, &mut self.rows)?;
                self.rows.came_by(arrival.partition);
                Ok(())
            }
            None => Ok(()),
        }
    }

    /// A table that has more than its log would pass over what comes next, as if it had it already.
    fn check_behind(&self, log: &dyn Log) -> Result<()> {
        for (partition, next) in &self.reached {
            if *next > log.end(*partition)? {
                let end = log.decided_end(*partition)?;
                if *next > end {
                    return Err(Error::AheadOfLog {
                        table: self.ledger.table.name,
                        partition: *partition,
                        archived: *next,
                        end,
                    });
                }
            }
        }
        Ok(())
    }

    /// Records read since the last commit.
    fn behind(&self) -> u64 {
        let behind =
            |(partition, next): (&Partition, &u64)| next - self.ledger.committed(*partition);
        self.reached.iter().map(behind).sum()
    }

    async fn flush(&mut self, sealer: Option<&mut Sealer>) -> Result<Written> {
        let rows = match self.rows.len() {
            0 => None,
            _ => Some(self.rows.take()?),
        };
        let (Some((rows, lanes)), Some(sealer)) = (&rows, sealer) else {
            let rows = rows.map(|(rows, _)| unsealed(self.ledger.table, &rows));
            let rows = rows.transpose()?;
            let none = BTreeMap::new();
            return self.ledger.append(rows, &self.reached, &none).await;
        };
        let mut sealed = sealer.seal(self.ledger.table, rows, lanes)?;
        let next = sealer.next_after(&sealed);
        let rows = sealed.take_rows();
        let written = self.ledger.append(rows, &self.reached, &next).await?;
        sealer.take(sealed)?;
        Ok(written)
    }
}

impl fmt::Debug for Archiver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Archiver")
            .field("settings", &self.settings)
            .field("progress", &self.progress)
            .finish_non_exhaustive()
    }
}
