//! The desk over HTTP: incidents, acts, the floor, and all of it live. `openapi.json` describes it.

mod acts;
mod alerts;
mod duties;
mod log;
mod named;
pub(crate) mod shown;
mod stream;

use std::sync::Arc;

use catwalk_web::axum::extract::{Path, Query, State};
use catwalk_web::axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use catwalk_web::axum::http::{HeaderValue, StatusCode};
use catwalk_web::axum::response::{IntoResponse, Response};
use catwalk_web::axum::routing::{get, post};
use catwalk_web::axum::{Router, extract::rejection::QueryRejection};
use catwalk_web::{Caller, Fault, Role};
use serde::Deserialize;
use serde_json::{Value, json};

use self::stream::Followers;
use crate::room::{Dossier, NO_POST, Room, View, lock, now};

/// Who may look.
pub(crate) const READERS: &[Role] = &[
    Role::Surveillance,
    Role::SurveillanceSupervisor,
    Role::SurveillanceDirector,
    Role::Investigator,
    Role::Auditor,
    Role::Regulator,
];

/// The routes, as a part of the description of the API.
pub const DESCRIBED: &str = include_str!("openapi.json");
/// So many incidents are given where nobody says how many, and at most: a page shows all that are open, on the worst
/// of nights too.
const SOME: usize = 200;
const MOST: usize = 20_000;

#[derive(Clone)]
pub(crate) struct Desk {
    pub(crate) room: Arc<Room>,
    pub(crate) followers: Followers,
}

/// The routes of a desk. Whoever serves them says who calls, as a [`Caller`] among the extensions of a request.
pub fn routes(room: Arc<Room>) -> Router {
    let desk = Desk {
        room,
        followers: Followers::default(),
    };
    Router::new()
        .route("/api/v1/incidents", get(incidents))
        .route("/api/v1/incidents/{id}", get(incident))
        .route("/api/v1/incidents/{id}/acts", post(acts::act))
        .route("/api/v1/acts", post(acts::acts))
        .route("/api/v1/alerts", get(alerts::alerts))
        .route("/api/v1/duties", get(duties::duties))
        .route("/api/v1/floor", get(floor))
        .route("/api/v1/log", get(log::read).post(log::write))
        .route("/api/v1/shift", get(log::shift))
        .route("/api/v1/stream", get(stream::stream))
        .with_state(desk)
}

pub(crate) fn answer(status: StatusCode, body: &Value) -> Response {
    let headers = [
        (CONTENT_TYPE, HeaderValue::from_static("application/json")),
        (CACHE_CONTROL, HeaderValue::from_static("no-store")),
    ];
    (status, headers, body.to_string()).into_response()
}

pub(crate) fn unavailable(why: &str) -> Fault {
    Fault::new(StatusCode::SERVICE_UNAVAILABLE, "unavailable", why).retry_after(1)
}

pub(crate) fn bad(what: impl Into<String>) -> Fault {
    Fault::new(StatusCode::BAD_REQUEST, "bad_input", what)
}

impl Desk {
    /// What nobody knows must not look like a quiet floor.
    fn at_work(&self) -> Result<(), Fault> {
        match self.room.standing().has_post {
            true => Ok(()),
            false => Err(unavailable(NO_POST)),
        }
    }

    pub(crate) fn seen(&self, caller: &Caller, id: &str) -> Result<Arc<Dossier>, Fault> {
        self.at_work()?;
        let dossier = self.room.dossier(id);
        let dossier = dossier.filter(|dossier| caller.sees(&dossier.record.property));
        dossier.ok_or_else(|| {
            let error = format!(
                "there is no incident {id:?} here; one that was closed long ago is in the archive"
            );
            Fault::new(StatusCode::NOT_FOUND, "unknown", error)
        })
    }
}

/// Which incidents are asked for.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Wanted {
    status: Option<Statuses>,
    /// One or several, with commas.
    priority: Option<String>,
    table: Option<String>,
    game: Option<String>,
    code: Option<String>,
    dealer: Option<String>,
    q: Option<String>,
    limit: Option<usize>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Statuses {
    #[default]
    Open,
    Closed,
    All,
}

impl Wanted {
    fn priorities(&self) -> Result<Vec<u32>, Fault> {
        let Some(text) = &self.priority else {
            return Ok(vec![1, 2, 3, 4]);
        };
        let one = |part: &str| {
            let number = part.trim().parse::<u32>().ok();
            let known = number.filter(|number| (1..=4).contains(number));
            known.ok_or_else(|| bad(format!("priority: {part:?} is none; 1 to 4 are")))
        };
        text.split(',').map(one).collect()
    }

    fn wants(&self, dossier: &Dossier, priorities: &[u32]) -> bool {
        let one = &dossier.record;
        let is_open = one.status == "open";
        let by_status = match self.status.unwrap_or_default() {
            Statuses::Open => is_open,
            Statuses::Closed => !is_open,
            Statuses::All => true,
        };
        let is = |wanted: &Option<String>, has: Option<&String>| {
            wanted.as_ref().is_none_or(|wanted| Some(wanted) == has)
        };
        by_status
            && priorities.contains(&one.priority)
            && is(&self.table, Some(&one.table))
            && is(&self.game, one.game.as_ref())
            && is(&self.dealer, one.dealer.as_ref())
            && self.code.as_ref().is_none_or(|code| {
                let begins = |own: &String| own.starts_with(code.trim_end_matches('*'));
                one.codes.iter().any(begins)
            })
            && self.q.as_ref().is_none_or(|q| has_words(dossier, q))
    }
}

/// Whether every word is somewhere in what is said of the incident.
fn has_words(dossier: &Dossier, words: &str) -> bool {
    let one = &dossier.record;
    let told = [
        &one.round,
        &one.dealer,
        &one.player,
        &one.held_by,
        &one.case,
    ];
    let notes = dossier.acts.iter().filter_map(|act| act.note.as_ref());
    let told = told.into_iter().flatten().chain(notes);
    let all = [&one.id, &one.property, &one.table, &one.headline];
    let all = told.chain(all).chain(&one.codes).chain(&one.game);
    let text: Vec<String> = all.map(|text| text.to_lowercase()).collect();
    let has = |word: &str| text.iter().any(|text| text.contains(word));
    words.to_lowercase().split_whitespace().all(has)
}

async fn incidents(
    State(desk): State<Desk>,
    caller: Caller,
    wanted: Result<Query<Wanted>, QueryRejection>,
) -> Result<Response, Fault> {
    caller.require(READERS)?;
    desk.at_work()?;
    let Query(wanted) = wanted?;
    let priorities = wanted.priorities()?;
    let limit = wanted.limit.unwrap_or(SOME).min(MOST);
    // The offset first: what changes in between is told again, and nothing is missed.
    let (generation, head) = desk.room.feed.head();
    let (counts, mut found) = desk.room.look(|view| {
        let sees = |dossier: &&Arc<Dossier>| caller.sees(&dossier.record.property);
        let seen = view.incidents.values().filter(sees);
        let found = seen.filter(|dossier| wanted.wants(dossier, &priorities));
        (counts(view, &caller), found.cloned().collect::<Vec<_>>())
    });
    found.sort_by(|one, other| {
        let (one, other) = (&one.record, &other.record);
        let is_closed = |incident: &str| incident != "open";
        is_closed(&one.status)
            .cmp(&is_closed(&other.status))
            .then_with(|| match is_closed(&one.status) {
                true => other.last.cmp(&one.last),
                false => (one.priority, one.began).cmp(&(other.priority, other.began)),
            })
            .then_with(|| one.id.cmp(&other.id))
    });
    let more = found.len() > limit;
    let shown = found.iter().take(limit);
    let incidents: Vec<Value> = shown
        .map(|dossier| shown::incident(&dossier.record, &desk.room))
        .collect();
    let body = json!({
        "offset": head,
        "generation": generation,
        "head": head,
        "incidents": incidents,
        "more": more,
        "counts": counts,
    });
    Ok(answer(StatusCode::OK, &body))
}

fn counts(view: &View, caller: &Caller) -> Value {
    let open = view.incidents.values().map(|dossier| &dossier.record);
    let open = open.filter(|one| one.status == "open" && caller.sees(&one.property));
    let (mut by_priority, mut unacknowledged) = ([0_u64; 4], 0_u64);
    for one in open {
        if let Some(count) = by_priority.get_mut(one.priority.saturating_sub(1) as usize) {
            *count += 1;
        }
        unacknowledged += u64::from(one.acknowledged.is_none());
    }
    json!({
        "by_priority": by_priority,
        "open": by_priority.iter().sum::<u64>(),
        "unacknowledged": unacknowledged,
        "quiet": view.counts.quiet,
    })
}

async fn incident(
    State(desk): State<Desk>,
    caller: Caller,
    Path(id): Path<String>,
) -> Result<Response, Fault> {
    caller.require(READERS)?;
    let (_, head) = desk.room.feed.head();
    let dossier = desk.seen(&caller, &id)?;
    let findings = dossier.findings.iter();
    let body = json!({
        "offset": head,
        "incident": shown::incident(&dossier.record, &desk.room),
        "findings": findings.map(|(finding, resolved)| shown::finding(finding, *resolved)).collect::<Vec<_>>(),
        "acts": dossier.acts.iter().map(shown::act).collect::<Vec<_>>(),
    });
    Ok(answer(StatusCode::OK, &body))
}

async fn floor(State(desk): State<Desk>, caller: Caller) -> Result<Response, Fault> {
    caller.require(READERS)?;
    desk.at_work()?;
    let (_, head) = desk.room.feed.head();
    let open = shown::open_by_table(&desk.room);
    let floor = lock(&desk.room.floor);
    let tables = floor.tables().filter(|table| caller.sees(&table.property));
    let body = json!({
        "offset": head,
        "head": head,
        "at": now().to_string(),
        "behind": floor.is_behind,
        "tables": tables.map(|table| shown::table(table, &open, &desk.room)).collect::<Vec<_>>(),
    });
    drop(floor);
    Ok(answer(StatusCode::OK, &body))
}
