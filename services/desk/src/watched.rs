//! What a shift is told of a table: when its feed was silent or had gaps, money that moved, sets that stay longer.

use std::collections::{BTreeMap, VecDeque};

use catwalk_events::{Body, Event, Timestamp};
use serde::{Deserialize, Serialize};

/// So much of each kind is remembered of a table.
const MAX_KEPT: usize = 200;

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Watched {
    last_seq: Option<u64>,
    /// Events that never came.
    pub(crate) gaps: VecDeque<Gap>,
    /// An open table that said nothing for too long.
    pub(crate) silences: VecDeque<Gap>,
    pub(crate) money: VecDeque<Moved>,
    /// Sets of cards that may be used longer, and since when.
    pub(crate) extended: BTreeMap<String, Timestamp>,
    /// Before this, something of the above is not remembered.
    pub(crate) forgotten_ms: Option<i64>,
}

/// Some time in which a table was not heard, by the clock of the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Gap {
    pub(crate) from_ms: i64,
    pub(crate) until_ms: i64,
    pub(crate) lost: u64,
}

/// A fill, a credit, a drop or a count.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Moved {
    pub(crate) heard_ms: i64,
    pub(crate) at: Timestamp,
    pub(crate) what: What,
    /// The slip, or the box.
    pub(crate) name: Option<String>,
    pub(crate) cents: Option<i64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum What {
    Fill,
    Credit,
    BoxRemoved,
    DropCounted,
    Inventory,
}

impl What {
    pub(crate) fn name(self) -> &'static str {
        match self {
            What::Fill => "fill",
            What::Credit => "credit",
            What::BoxRemoved => "drop box removed",
            What::DropCounted => "drop counted",
            What::Inventory => "inventory counted",
        }
    }
}

impl Watched {
    pub(crate) fn last_seq(&self) -> Option<u64> {
        self.last_seq
    }

    /// An event that came at `heard_ms`, the one before it at `before_ms`.
    pub(crate) fn take(&mut self, event: &Event, before_ms: i64, heard_ms: i64) {
        let expected = self.last_seq.map(|last| last.saturating_add(1));
        if let Some(expected) = expected
            && event.seq > expected
        {
            let gap = Gap {
                from_ms: before_ms,
                until_ms: heard_ms,
                lost: event.seq - expected,
            };
            let dropped = keep(&mut self.gaps, gap);
            self.forget(dropped.map(|gap| gap.until_ms));
        }
        self.last_seq = self.last_seq.max(Some(event.seq));
        match &event.body {
            Body::CardsOpened(opened) if opened.extended_use == Some(true) => {
                self.extended.insert(opened.set.clone(), event.at);
            }
            Body::CardsRemoved(removed) => drop(self.extended.remove(&removed.set)),
            Body::CardsCollected(collected) => drop(self.extended.remove(&collected.set)),
            body => {
                if let Some((what, name, cents)) = moved(body) {
                    let moved = Moved {
                        heard_ms,
                        at: event.at,
                        what,
                        name,
                        cents,
                    };
                    let dropped = keep(&mut self.money, moved);
                    self.forget(dropped.map(|moved| moved.heard_ms));
                }
            }
        }
    }

    /// The table was open and said nothing.
    pub(crate) fn was_silent(&mut self, from_ms: i64, until_ms: i64) {
        let silence = Gap {
            from_ms,
            until_ms,
            lost: 0,
        };
        let dropped = keep(&mut self.silences, silence);
        self.forget(dropped.map(|gap| gap.until_ms));
    }

    fn forget(&mut self, until_ms: Option<i64>) {
        self.forgotten_ms = self.forgotten_ms.max(until_ms);
    }
}

/// Keeps one more, and gives the one that is not kept any more.
fn keep<T>(latest: &mut VecDeque<T>, one: T) -> Option<T> {
    latest.push_back(one);
    (latest.len() > MAX_KEPT)
        .then(|| latest.pop_front())
        .flatten()
}

fn moved(body: &Body) -> Option<(What, Option<String>, Option<i64>)> {
    Some(match body {
        Body::Fill(fill) => (What::Fill, Some(fill.slip.clone()), Some(fill.amount.get())),
        Body::Credit(credit) => (
            What::Credit,
            Some(credit.slip.clone()),
            Some(credit.amount.get()),
        ),
        Body::DropBoxRemoved(removed) => (What::BoxRemoved, Some(removed.r#box.clone()), None),
        Body::DropCounted(counted) => (
            What::DropCounted,
            Some(counted.r#box.clone()),
            Some(counted.cash.get()),
        ),
        Body::InventoryCounted(counted) => (
            What::Inventory,
            counted.slip.clone(),
            Some(counted.amount.get()),
        ),
        _ => return None,
    })
}
