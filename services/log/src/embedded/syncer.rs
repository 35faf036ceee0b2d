//! Syncs the disk behind the writers' backs.

use std::sync::Arc;
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use fjall::{Database, PersistMode};

use super::marks::Marks;

/// Syncs now and then, and ends when it is dropped.
pub(super) struct Syncer {
    stop: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Syncer {
    pub(super) fn start(db: Database, marks: Arc<Marks>, every: Duration) -> Syncer {
        let (stop, stopped) = mpsc::channel();
        let thread = thread::spawn(move || {
            while stopped.recv_timeout(every) == Err(RecvTimeoutError::Timeout) {
                let written = marks.written();
                // A failure poisons the database: the next write reports it.
                if db.persist(PersistMode::SyncData).is_err() {
                    return;
                }
                marks.safe(written);
            }
        });
        Syncer {
            stop: Some(stop),
            thread: Some(thread),
        }
    }
}

impl Drop for Syncer {
    fn drop(&mut self) {
        drop(self.stop.take());
        if let Some(thread) = self.thread.take() {
            // It can only have panicked within the storage, which then reports it itself.
            let _ = thread.join();
        }
    }
}
