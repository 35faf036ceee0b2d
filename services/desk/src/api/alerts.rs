//! Who is told of incidents, and how far they are.

use catwalk_web::axum::extract::State;
use catwalk_web::axum::http::StatusCode;
use catwalk_web::axum::response::Response;
use catwalk_web::{Caller, Fault, Role};
use serde_json::{Value, json};

use super::{Desk, answer, shown};
use crate::outbox::Standing;
use crate::room::lock;

/// Who may look: those who answer for it that alerts arrive.
const READERS: &[Role] = &[
    Role::SurveillanceSupervisor,
    Role::SurveillanceDirector,
    Role::Auditor,
    Role::Operator,
    Role::Regulator,
];

pub(super) async fn alerts(State(desk): State<Desk>, caller: Caller) -> Result<Response, Fault> {
    caller.require(READERS)?;
    let (_, head) = desk.room.feed.head();
    let at_work = desk.room.standing();
    let outbox = lock(&desk.room.outbox).clone();
    let sees = |standing: &Standing| {
        let mut properties = standing.properties.iter();
        match standing.properties.is_empty() {
            true => caller.properties.is_none(),
            false => properties.all(|property| caller.sees(property)),
        }
    };
    let seen = outbox.iter().filter(|(_, standing)| sees(standing));
    let destinations: Vec<Value> = seen.map(|(name, standing)| shown(name, standing)).collect();
    let body = json!({
        "head": head,
        "desk_ok": at_work.is_ok(),
        "desk_behind": at_work.is_behind,
        "destinations": destinations,
    });
    Ok(answer(StatusCode::OK, &body))
}

fn shown(name: &str, standing: &Standing) -> Value {
    let failing = standing.failing.as_ref().map(|(since, attempts, error)| {
        json!({"since": since.to_string(), "attempts": attempts, "error": error})
    });
    let dead = standing.dead.iter().map(|dead| {
        json!({"id": dead.id, "type": dead.kind, "at": dead.at.to_string(), "error": dead.why})
    });
    shown::known(json!({
        "name": name,
        "kind": standing.kind,
        "to": standing.to,
        "priority": standing.priority,
        "properties": standing.properties,
        "carried": standing.is_carried,
        "offset": standing.next,
        "waiting": standing.waiting,
        "delivered": standing.delivered,
        "last_told": standing.last_told.map(|at| at.to_string()),
        "failing": failing,
        "dead_letters": standing.dead_count,
        "dead": dead.collect::<Vec<_>>(),
    }))
}
