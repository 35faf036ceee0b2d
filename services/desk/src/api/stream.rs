//! What happens, as it happens: server-sent events.

use std::collections::HashSet;
use std::convert::Infallible;
use std::fmt::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use catwalk_web::axum::body::{Body, Bytes};
use catwalk_web::axum::extract::rejection::QueryRejection;
use catwalk_web::axum::extract::{Query, State};
use catwalk_web::axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use catwalk_web::axum::http::{HeaderMap, HeaderName};
use catwalk_web::axum::response::{IntoResponse, Response};
use catwalk_web::{Caller, Fault};
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::sync::watch;
use tokio::time::Instant;

use super::{Desk, READERS, bad, shown, unavailable};
use crate::feed::{Entry, Place};
use crate::floor::TableNow;
use crate::room::{Room, lock, now};

/// So many follow at a time; a connection each.
const MAX_FOLLOWERS: usize = 128;
/// So much is told in one piece.
const PIECE: usize = 64;
const HEARTBEAT: Duration = Duration::from_secs(1);

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct From {
    after: Option<u64>,
    generation: Option<String>,
}

/// How many follow.
#[derive(Clone, Debug, Default)]
pub(crate) struct Followers(Arc<AtomicUsize>);

/// One of them.
struct Seat(Arc<AtomicUsize>);

impl Followers {
    fn sit_down(&self) -> Option<Seat> {
        let more = |count| (count < MAX_FOLLOWERS).then_some(count + 1);
        let took = self
            .0
            .fetch_update(Ordering::AcqRel, Ordering::Acquire, more);
        took.ok().map(|_| Seat(self.0.clone()))
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::AcqRel);
    }
}

struct Follower {
    room: Arc<Room>,
    caller: Caller,
    place: Result<Place, &'static str>,
    woken: watch::Receiver<u64>,
    next_beat: Instant,
    /// Changes of incidents that were told on this stream, so that whoever has fewer knows that one is lost.
    told: u64,
    /// What was told of the floor.
    floor: u64,
    /// Tables that were told to be silent: that one falls silent is no event of it.
    silent: HashSet<(String, String)>,
    has_begun: bool,
    has_ended: bool,
    _seat: Seat,
}

pub(super) async fn stream(
    State(desk): State<Desk>,
    caller: Caller,
    from: Result<Query<From>, QueryRejection>,
    headers: HeaderMap,
) -> Result<Response, Fault> {
    caller.require(READERS)?;
    let Query(from) = from?;
    let Some(seat) = desk.followers.sit_down() else {
        return Err(unavailable(&format!("{MAX_FOLLOWERS} follow already")));
    };
    // A browser that comes back says what it had last, beside the address that it was given first.
    let last = HeaderName::from_static("last-event-id");
    let last = match headers.get(last).map(|last| last.to_str().ok()) {
        None => None,
        Some(text) => {
            let number = text.and_then(|text| text.trim().parse::<u64>().ok());
            Some(number.ok_or_else(|| bad("Last-Event-ID: it is no offset"))?)
        }
    };
    let after = from.after.max(last);
    let feed = &desk.room.feed;
    let woken = feed.woken();
    let follower = Follower {
        place: feed.follow(after, from.generation.as_deref()),
        room: desk.room,
        caller,
        woken,
        next_beat: Instant::now(),
        told: 0,
        floor: 0,
        silent: HashSet::new(),
        has_begun: false,
        has_ended: false,
        _seat: seat,
    };
    let pieces = futures::stream::unfold(follower, async |mut follower| {
        let piece = follower.next().await?;
        Some((Ok::<Bytes, Infallible>(Bytes::from(piece)), follower))
    });
    let headers = [
        (CONTENT_TYPE, "text/event-stream"),
        (CACHE_CONTROL, "no-store"),
        (HeaderName::from_static("x-accel-buffering"), "no"),
    ];
    Ok((headers, Body::from_stream(pieces)).into_response())
}

impl Follower {
    /// What is told next; `None` after the end.
    async fn next(&mut self) -> Option<String> {
        if self.has_ended {
            return None;
        }
        loop {
            if self.next_beat <= Instant::now() {
                self.next_beat = Instant::now() + HEARTBEAT;
                return Some(self.beat());
            }
            let entries = match &mut self.place {
                Ok(place) => self.room.feed.read(place, PIECE),
                Err(why) => Err(*why),
            };
            let entries = match entries {
                Ok(entries) => entries,
                Err(why) => {
                    self.has_ended = true;
                    let (generation, head) = self.room.feed.head();
                    let why = json!({"why": why, "head": head, "generation": generation});
                    return Some(event("reset", None, &why.to_string()));
                }
            };
            let is_all = entries.is_empty();
            let incidents = entries.iter().filter(|entry| entry.event == "incident");
            self.told += incidents.count() as u64;
            let told: String = entries.iter().map(|entry| self.told(entry)).collect();
            if !told.is_empty() {
                return Some(told);
            }
            if is_all {
                tokio::select! {
                    // The room outlives its followers.
                    _ = self.woken.changed() => {}
                    () = tokio::time::sleep_until(self.next_beat) => {}
                }
            }
        }
    }

    /// An entry, for those who may see it. The others are told that there was something, so that nobody takes it for
    /// a message that was lost.
    fn told(&self, entry: &Entry) -> String {
        match self.caller.sees(&entry.property) {
            true => event(entry.event, Some(entry.id), &entry.data),
            false if entry.event == "incident" => event("pass", Some(entry.id), "{}"),
            false => String::new(),
        }
    }

    /// That we are there, how far everything has come, and what has changed on the floor.
    fn beat(&mut self) -> String {
        let mut told = String::new();
        if !self.has_begun {
            self.has_begun = true;
            told.push_str("retry: 1000\n\n");
        }
        let (_, head) = self.room.feed.head();
        let tables = self.tables();
        if !tables.is_empty() {
            let data = json!({"at": now().to_string(), "tables": tables});
            told.push_str(&event("floor", Some(head), &data.to_string()));
        }
        let standing = self.room.standing();
        let log = json!({"ok": standing.is_ok(), "behind": standing.is_behind});
        let data = json!({"head": head, "told": self.told, "at": now().to_string(), "log": log});
        told.push_str(&event("heartbeat", None, &data.to_string()));
        told
    }

    fn tables(&mut self) -> Vec<Value> {
        let floor = lock(&self.room.floor);
        let key = |table: &TableNow| (table.property.clone(), table.table.clone());
        let silent = floor
            .tables()
            .filter(|table| shown::is_silent(table, &self.room));
        let silent: HashSet<_> = silent.map(key).collect();
        let changed = floor.tables().filter(|table| {
            let key = key(table);
            table.version > self.floor || silent.contains(&key) != self.silent.contains(&key)
        });
        let changed: Vec<_> = changed.cloned().collect();
        drop(floor);
        self.silent = silent;
        let latest = changed.iter().map(|table| table.version).max();
        self.floor = latest.unwrap_or(self.floor).max(self.floor);
        if changed.is_empty() {
            return Vec::new();
        }
        let open = shown::open_by_table(&self.room);
        let seen = changed
            .iter()
            .filter(|table| self.caller.sees(&table.property));
        seen.map(|table| shown::table(table, &open, &self.room))
            .collect()
    }
}

/// One event of a stream. JSON has no line ends of its own.
fn event(name: &str, id: Option<u64>, data: &str) -> String {
    let mut text = String::with_capacity(data.len() + 48);
    // To write to a text does not fail.
    let _ = match id {
        Some(id) => write!(text, "event: {name}\nid: {id}\ndata: {data}\n\n"),
        None => write!(text, "event: {name}\ndata: {data}\n\n"),
    };
    text
}
