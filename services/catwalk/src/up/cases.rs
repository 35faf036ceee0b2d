//! Cases over HTTP: acts onto the log that this program has open, and what they have made.

use std::sync::Arc;

use catwalk_events::Timestamp;
use catwalk_events::audit::{CaseAct, CaseAction, NoAct};
use catwalk_web::axum::extract::State;
use catwalk_web::axum::extract::rejection::JsonRejection;
use catwalk_web::axum::http::StatusCode;
use catwalk_web::axum::routing::{get, post};
use catwalk_web::axum::{Json, Router};
use catwalk_web::{Caller, Fault, Role, require};
use serde_json::{Value, json};

use super::{House, lock};
use crate::case;

/// Whose cases they are.
const MAY_ACT: &[Role] = &[
    Role::SurveillanceDirector,
    Role::Investigator,
    Role::Regulator,
];
const MAY_READ: &[Role] = &[
    Role::SurveillanceDirector,
    Role::Investigator,
    Role::Auditor,
    Role::Regulator,
];

/// The routes of the cases of a house.
pub(super) fn routes(house: &Arc<House>) -> Router {
    let acts = Router::new().route("/api/v1/cases", post(act));
    let read = Router::new().route("/api/v1/cases", get(all));
    require(MAY_ACT, acts.with_state(house.clone()))
        .merge(require(MAY_READ, read.with_state(house.clone())))
}

/// Appends an act, in the name of whoever asks.
async fn act(
    State(house): State<Arc<House>>,
    caller: Caller,
    told: Result<Json<CaseAct>, JsonRejection>,
) -> Result<Json<Value>, Fault> {
    sees_all(&caller)?;
    let Json(told) = told?;
    if matches!(told.action, CaseAction::Erase) {
        let why = "rows are erased by `catwalk erase`, on the machine of the archive";
        return Err(Fault::new(StatusCode::FORBIDDEN, "forbidden", why));
    }
    let role = MAY_ACT.iter().find(|role| caller.may(&[**role]));
    let act = CaseAct {
        operator: caller.id.clone(),
        role: role.map(ToString::to_string),
        station: Some(caller.station.clone()),
        at: Timestamp::from_micros(jiff::Timestamp::now().as_microsecond()),
        leaves: None,
        ..told
    };
    let id = act.id.clone();
    let work = tokio::task::spawn_blocking(move || {
        let _turn = lock(&house.case_turn);
        case::append(&*house.log, &house.formats()?, &act)
    });
    match work.await {
        Ok(Ok(())) => Ok(Json(json!({ "id": id }))),
        Ok(Err(error)) => match error.downcast_ref::<NoAct>() {
            Some(refused) => Err(Fault::new(
                StatusCode::CONFLICT,
                "refused",
                refused.to_string(),
            )),
            None => Err(failed(format!("{error:#}"))),
        },
        Err(_) => Err(failed("the act has failed: ask whether it is on record")),
    }
}

async fn all(State(house): State<Arc<House>>, caller: Caller) -> Result<Json<Value>, Fault> {
    sees_all(&caller)?;
    let work = tokio::task::spawn_blocking(move || case::told(&house.log, &house.formats()?));
    match work.await {
        Ok(Ok(told)) => Ok(Json(told)),
        Ok(Err(error)) => Err(failed(format!("{error:#}"))),
        Err(_) => Err(failed("the log could not be read")),
    }
}

/// A case is of all properties.
fn sees_all(caller: &Caller) -> Result<(), Fault> {
    if caller.properties.is_none() {
        return Ok(());
    }
    let why = "a case is of all properties, and you see only some";
    Err(Fault::new(StatusCode::FORBIDDEN, "properties", why))
}

fn failed(why: impl Into<String>) -> Fault {
    Fault::new(StatusCode::SERVICE_UNAVAILABLE, "busy", why)
}
