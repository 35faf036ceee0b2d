//! A worker of a group within one process.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::group::MemberId;
use super::store::{Shared, Store};
use crate::{Consumed, Error, Message, Partition, Polled, Record, Result, Worker, WorkerSpec};

#[derive(Debug)]
pub(super) struct EmbeddedWorker {
    store: Arc<Store>,
    group: String,
    name: String,
    id: MemberId,
    max_records: usize,
    /// The partitions that the worker knows to be its own, and where it goes on with each.
    positions: BTreeMap<Partition, u64>,
    /// A commit has failed: all partitions are to be given again.
    start_over: bool,
    /// With which partition the next poll begins, so that a busy one does not starve the others.
    turn: usize,
}

impl EmbeddedWorker {
    pub(super) fn join(store: Arc<Store>, spec: &WorkerSpec) -> Result<EmbeddedWorker> {
        let id = store.join(spec)?;
        Ok(EmbeddedWorker {
            store,
            group: spec.group.clone(),
            name: spec.name.clone(),
            id,
            max_records: spec.max_records.max(1),
            positions: BTreeMap::new(),
            start_over: false,
            turn: 0,
        })
    }

    /// A change of what the worker holds.
    fn change(&mut self, shared: &mut Shared) -> Result<Option<Polled>> {
        let group = shared.group(&self.group).filter(|group| group.has(self.id));
        let Some(group) = group else {
            let worker = self.name.clone();
            return Err(Error::Fenced { worker });
        };
        if group.give_up(self.id) {
            self.positions
                .retain(|partition, _| group.holds(self.id, *partition));
            self.store.wake_all();
        }
        if std::mem::take(&mut self.start_over) && !self.positions.is_empty() {
            let lost = std::mem::take(&mut self.positions);
            return Ok(Some(Polled::Lost(lost.into_keys().collect())));
        }
        let revoked = group.revoke(self.id);
        if !revoked.is_empty() {
            return Ok(Some(Polled::Revoked(revoked)));
        }
        group.take(self.id);
        let mut assigned = group.held(self.id);
        assigned.retain(|partition| !self.positions.contains_key(partition));
        if assigned.is_empty() {
            return Ok(None);
        }
        for partition in &assigned {
            let position = self.store.committed(&self.group, *partition)?;
            let end = shared.end(*partition)?;
            if position > end {
                return Err(Error::Damaged {
                    place: partition.to_string(),
                    what: format!(
                        "group {} has read up to {position}, and it ends at {end}",
                        self.group
                    ),
                });
            }
            self.positions.insert(*partition, position);
        }
        Ok(Some(Polled::Assigned(assigned)))
    }

    /// The partitions in which there is something to read, with their ends.
    fn waiting(&self, shared: &Shared) -> Result<Vec<(Partition, u64)>> {
        let mut waiting = Vec::new();
        for (partition, position) in &self.positions {
            let end = shared.end(*partition)?;
            if end > *position {
                waiting.push((*partition, end));
            }
        }
        Ok(waiting)
    }

    fn read(&mut self, mut waiting: Vec<(Partition, u64)>) -> Result<Vec<Record>> {
        let turn = self.turn % waiting.len().max(1);
        waiting.rotate_left(turn);
        self.turn = self.turn.wrapping_add(1);
        let mut records = Vec::new();
        for (partition, end) in waiting {
            let limit = self.max_records - records.len();
            if limit == 0 {
                break;
            }
            let from = self.positions[&partition];
            let (more, next) = self.store.read(partition, from, end, limit)?;
            records.extend(more);
            self.positions.insert(partition, next);
        }
        Ok(records)
    }
}

impl Worker for EmbeddedWorker {
    fn poll(&mut self, timeout: Duration) -> Result<Polled> {
        let deadline = Instant::now() + timeout;
        let store = Arc::clone(&self.store);
        let mut shared = store.shared();
        loop {
            if let Some(change) = self.change(&mut shared)? {
                return Ok(change);
            }
            let waiting = self.waiting(&shared)?;
            if !waiting.is_empty() {
                drop(shared);
                let records = self.read(waiting)?;
                if !records.is_empty() {
                    return Ok(Polled::Records(records));
                }
                shared = store.shared();
                continue;
            }
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Ok(Polled::Records(Vec::new()));
            }
            shared = store.wait(shared, left);
        }
    }

    fn commit(&mut self, outputs: &[Message], consumed: &Consumed) -> Result<()> {
        let worker = (self.group.as_str(), self.id, self.name.as_str());
        let committed = self.store.commit(worker, outputs, consumed);
        self.start_over |= committed.is_err();
        committed
    }
}

impl Drop for EmbeddedWorker {
    fn drop(&mut self) {
        self.store.leave(&self.group, self.id);
    }
}
