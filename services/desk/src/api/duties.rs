//! What somebody outside of the room must be told, and whether he was.

use std::sync::Arc;

use catwalk_web::axum::extract::rejection::QueryRejection;
use catwalk_web::axum::extract::{Query, State};
use catwalk_web::axum::http::StatusCode;
use catwalk_web::axum::response::Response;
use catwalk_web::{Caller, Fault};
use serde::Deserialize;
use serde_json::{Value, json};

use super::{Desk, READERS, answer, shown};
use crate::duties::{Duty, Rule};

/// So many are given at most.
const MOST: usize = 5_000;

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Wanted {
    #[serde(default)]
    status: Statuses,
    property: Option<String>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Statuses {
    /// What is still to be told, missed or not.
    #[default]
    Open,
    Missed,
    All,
}

pub(super) async fn duties(
    State(desk): State<Desk>,
    caller: Caller,
    wanted: Result<Query<Wanted>, QueryRejection>,
) -> Result<Response, Fault> {
    caller.require(READERS)?;
    desk.at_work()?;
    let Query(wanted) = wanted?;
    let is_wanted = |duty: &&Arc<Duty>| {
        let property = wanted.property.as_ref();
        let is_here = property.is_none_or(|own| *own == duty.property);
        let is_so = match wanted.status {
            Statuses::Open => duty.is_open(),
            Statuses::Missed => duty.missed,
            Statuses::All => true,
        };
        is_here && is_so && caller.sees(&duty.property)
    };
    let mut found: Vec<Arc<Duty>> = desk.room.look(|view| {
        let duties = view.duties.values();
        duties.filter(is_wanted).cloned().collect()
    });
    found.sort_by(|one, other| (one.due_by, &one.id).cmp(&(other.due_by, &other.id)));
    let more = found.len() > MOST;
    let duties = found.iter().take(MOST).map(|duty| shown::duty(duty));
    let body = json!({
        "duties": duties.collect::<Vec<_>>(),
        "more": more,
        "rules": desk.room.settings.duties.all.iter().map(rule).collect::<Vec<_>>(),
    });
    Ok(answer(StatusCode::OK, &body))
}

/// One of those that the texts ask for, and how it is watched.
fn rule(rule: &Rule) -> Value {
    shown::known(json!({
        "name": rule.name,
        "section": rule.section,
        "what": rule.what,
        "to": rule.to,
        "when": rule.when,
        "found_as": Some(&rule.found_as).filter(|codes| !codes.is_empty()),
        "by_hand": rule.by_hand,
    }))
}
