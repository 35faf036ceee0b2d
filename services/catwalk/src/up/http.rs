//! What the web server shows of a house: metrics, health, and findings as they come.

use std::convert::Infallible;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use catwalk_events::json;
use catwalk_web::axum::Router;
use catwalk_web::axum::body::{Body, Bytes};
use catwalk_web::axum::extract::rejection::QueryRejection;
use catwalk_web::axum::extract::{Extension, Query, State};
use catwalk_web::axum::http::{StatusCode, header::CONTENT_TYPE};
use catwalk_web::axum::response::{IntoResponse, Response};
use catwalk_web::axum::routing::get;
use catwalk_web::{Caller, Fault};
use serde::Deserialize;
use tokio::sync::mpsc;

use super::House;
use crate::follow::{self, Findings, From};

/// So many follow the findings at a time; each has a thread.
const MAX_FOLLOWERS: usize = 16;
/// Findings that wait for a slow reader.
const WAITING: usize = 64;

#[derive(Clone)]
struct Shown {
    house: Arc<House>,
    followers: Arc<AtomicUsize>,
}

/// The routes of a house.
pub(crate) fn routes(house: Arc<House>) -> Router {
    let shown = Shown {
        house,
        followers: Arc::default(),
    };
    Router::new()
        .route("/metrics", get(metrics))
        .route("/healthz", get(health))
        .route("/readyz", get(ready))
        .route("/findings", get(findings))
        .fallback(async || {
            let routes = "/metrics /healthz /readyz /findings\n";
            (StatusCode::NOT_FOUND, routes)
        })
        .with_state(shown)
}

/// The findings alone, at this path, for those who may see them.
pub(super) fn followed(path: &str, house: Arc<House>) -> Router {
    let shown = Shown {
        house,
        followers: Arc::default(),
    };
    Router::new().route(path, get(findings)).with_state(shown)
}

async fn metrics(State(shown): State<Shown>) -> Response {
    // The log is asked for its ends, and may take its time.
    let page = tokio::task::spawn_blocking(move || shown.house.metrics.page(&*shown.house.log));
    match page.await {
        Ok(Ok(page)) => ([(CONTENT_TYPE, prometheus::TEXT_FORMAT)], page).into_response(),
        Ok(Err(error)) => failed(&format!("{error:#}")),
        Err(error) => failed(&error.to_string()),
    }
}

async fn health(State(shown): State<Shown>) -> Response {
    match shown.house.failure() {
        None => "at work\n".into_response(),
        Some(failure) => (StatusCode::SERVICE_UNAVAILABLE, format!("{failure}\n")).into_response(),
    }
}

async fn ready(State(shown): State<Shown>) -> Response {
    match shown.house.not_ready().as_slice() {
        [] => "ready\n".into_response(),
        waiting => {
            let waiting = format!("not ready: {}\n", waiting.join(", "));
            (StatusCode::SERVICE_UNAVAILABLE, waiting).into_response()
        }
    }
}

fn failed(why: &str) -> Response {
    (StatusCode::INTERNAL_SERVER_ERROR, format!("{why}\n")).into_response()
}

/// With which findings a follower begins.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Beginning {
    /// So many of those that are there, and then those that come.
    #[serde(default)]
    last: u64,
    /// All that are there.
    #[serde(default)]
    all: bool,
}

/// Findings as they come, a JSON object a line, until the reader goes away or the house closes. Where there are users,
/// each sees those of its properties.
async fn findings(
    State(shown): State<Shown>,
    caller: Option<Extension<Caller>>,
    beginning: Result<Query<Beginning>, QueryRejection>,
) -> Response {
    let Query(beginning) = match beginning {
        Ok(beginning) => beginning,
        Err(rejection) => return Fault::from(rejection).into_response(),
    };
    let Some(seat) = Follower::sit_down(&shown.followers) else {
        let many = format!("{MAX_FOLLOWERS} follow the findings already\n");
        return (StatusCode::SERVICE_UNAVAILABLE, many).into_response();
    };
    let from = match beginning {
        Beginning { all: true, .. } => From::Start,
        Beginning { last, .. } => From::Last(last),
    };
    let house = shown.house.clone();
    let opened = tokio::task::spawn_blocking(move || {
        let findings = follow::findings(&*house.log, house.formats()?, from)?;
        anyhow::Ok((house, findings))
    });
    let (house, findings) = match opened.await {
        Ok(Ok(opened)) => opened,
        Ok(Err(error)) => return failed(&format!("{error:#}")),
        Err(error) => return failed(&error.to_string()),
    };
    let (sender, receiver) = mpsc::channel(WAITING);
    let thread = thread::Builder::new().name("findings".to_owned());
    let started = thread.spawn(move || {
        // A reader that goes away is no fault, and what else ends it ends the stream.
        drop(send(findings, &house, caller.as_deref(), &sender));
        drop(seat);
    });
    if let Err(error) = started {
        return failed(&error.to_string());
    }
    let lines = futures::stream::unfold(receiver, async |mut receiver| {
        let line = receiver.recv().await?;
        Some((Ok::<Bytes, Infallible>(line), receiver))
    });
    let kind = [(CONTENT_TYPE, "application/x-ndjson")];
    (kind, Body::from_stream(lines)).into_response()
}

fn send(
    mut findings: Findings,
    house: &House,
    caller: Option<&Caller>,
    sender: &mpsc::Sender<Bytes>,
) -> anyhow::Result<()> {
    while !house.is_stopping() && !sender.is_closed() {
        for finding in findings.next(follow::PATIENCE)? {
            if caller.is_some_and(|caller| !caller.sees(&finding.property)) {
                continue;
            }
            let line = format!("{}\n", json::write_finding(&finding)?);
            sender.blocking_send(Bytes::from(line))?;
        }
        for what in findings.unread() {
            eprintln!("catwalk: {what}");
            let line = format!("{}\n", serde_json::json!({ "unread": what }));
            sender.blocking_send(Bytes::from(line))?;
        }
    }
    Ok(())
}

/// One of those who follow the findings.
struct Follower(Arc<AtomicUsize>);

impl Follower {
    fn sit_down(followers: &Arc<AtomicUsize>) -> Option<Follower> {
        let more = |count| (count < MAX_FOLLOWERS).then_some(count + 1);
        let ordering = Ordering::AcqRel;
        followers
            .fetch_update(ordering, Ordering::Acquire, more)
            .ok()?;
        Some(Follower(followers.clone()))
    }
}

impl Drop for Follower {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::AcqRel);
    }
}
