//! Looks at the archive, on the log: those of this process, and those that command lines have left beside the tables.

use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::Duration;

use anyhow::Context as _;
use catwalk_archive::Archive;
use catwalk_events::audit::Access;
use catwalk_log::{Log, Message, Producer, Topic};
use catwalk_query::Ledger;
use catwalk_wire::Formats;

use super::{House, lock};
use crate::config::{ArchiveConfig, Config};

/// How often it is looked for what command lines have left.
const EVERY: Duration = Duration::from_secs(2);

/// Puts records on the log.
pub(crate) struct OnLog {
    formats: Formats,
    producer: Mutex<Box<dyn Producer>>,
}

impl OnLog {
    pub(crate) fn of(log: &dyn Log, formats: Formats) -> anyhow::Result<OnLog> {
        Ok(OnLog {
            formats,
            producer: Mutex::new(log.producer()?),
        })
    }

    fn send(&self, record: &Access) -> anyhow::Result<()> {
        let value = self.formats.access.encode(record)?;
        let message = Message::new(Topic::Access, record.id.as_bytes(), value);
        let mut producer = lock(&self.producer);
        producer.send(&[message])?;
        Ok(producer.flush()?)
    }
}

impl Ledger for OnLog {
    fn put(&self, record: &Access) -> Result<(), String> {
        self.send(record).map_err(|error| format!("{error:#}"))
    }
}

impl std::fmt::Debug for OnLog {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("OnLog").finish_non_exhaustive()
    }
}

impl House {
    /// Where the doors of this house put looks on record.
    pub(super) fn ledger(&self) -> anyhow::Result<Arc<OnLog>> {
        Ok(Arc::new(OnLog::of(&*self.log, self.formats()?)?))
    }

    /// Has what command lines have put on record brought to the log.
    pub(super) fn collect_looks(
        self: &Arc<House>,
        config: &Config,
    ) -> anyhow::Result<JoinHandle<()>> {
        let (house, at) = (self.clone(), config.archive.clone());
        self.spawn("looks", move || house.bring_looks(&at))
    }

    /// Brings it there until the house closes.
    fn bring_looks(&self, config: &ArchiveConfig) -> anyhow::Result<()> {
        self.ready("looks");
        let mut told = String::new();
        while !self.is_stopping() {
            // They stay where they are, and can be asked for there.
            if let Err(error) = self.bring_looks_once(config) {
                let error = format!("{error:#}");
                if error != told {
                    eprintln!("catwalk: looks of command lines do not come to the log: {error}");
                }
                told = error;
            }
            self.rest(EVERY);
        }
        Ok(())
    }

    /// The same, once. What is brought and cannot be taken away there is brought again: its id says so.
    pub(crate) fn bring_looks_once(&self, config: &ArchiveConfig) -> anyhow::Result<()> {
        let archive = Archive::at(&config.url)?;
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build();
        let runtime = runtime.context("cannot begin")?;
        let looks = runtime.block_on(archive.looks())?;
        if looks.is_empty() {
            return Ok(());
        }
        let ledger = self.ledger()?;
        for look in looks {
            ledger.send(&look.access)?;
            runtime.block_on(archive.forget(&look))?;
        }
        Ok(())
    }
}
