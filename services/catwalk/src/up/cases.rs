//! Cases over HTTP: acts onto the log that this program has open, and what they have made.

use std::sync::Arc;

use anyhow::Context as _;
use catwalk_events::Timestamp;
use catwalk_events::audit::{CaseAct, CaseAction, NoAct, Outcome};
use catwalk_query::http::{fault, question};
use catwalk_query::{Ledger, Question};
use catwalk_web::axum::extract::State;
use catwalk_web::axum::extract::rejection::JsonRejection;
use catwalk_web::axum::http::StatusCode;
use catwalk_web::axum::routing::{get, post};
use catwalk_web::axum::{Json, Router};
use catwalk_web::{Caller, Fault, Pseudonyms, Role, Users, require};
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

/// What stands in the place of a note that may name a patron.
const UNTOLD: &str = "This may name a patron.";

/// Who reads cases, and where that goes on record.
#[derive(Clone)]
struct Reading {
    house: Arc<House>,
    ledger: Arc<dyn Ledger>,
    names: Pseudonyms,
}

/// The routes of the cases of a house.
pub(super) fn routes(house: &Arc<House>, users: Option<&Users>) -> anyhow::Result<Router> {
    let users = users.context("nobody may come in")?;
    let reading = Reading {
        house: house.clone(),
        ledger: house.ledger()?,
        names: users.pseudonyms()?,
    };
    let acts = Router::new().route("/api/v1/cases", post(act));
    let read = Router::new().route("/api/v1/cases", get(all));
    let acts = require(MAY_ACT, acts.with_state(house.clone()));
    Ok(acts.merge(require(MAY_READ, read.with_state(reading))))
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

/// All cases, and who looked at them is on record.
async fn all(State(reading): State<Reading>, caller: Caller) -> Result<Json<Value>, Fault> {
    sees_all(&caller)?;
    let sees_patrons = caller.may(MAY_ACT);
    let asked = question(&caller, "cases", None);
    let work = tokio::task::spawn_blocking(move || reading.told(asked, sees_patrons));
    match work.await {
        Ok(told) => told.map(Json),
        Err(_) => Err(failed("the log could not be read")),
    }
}

impl Reading {
    fn told(&self, asked: Question, sees_patrons: bool) -> Result<Value, Fault> {
        let asked = asked.put(&self.ledger).map_err(fault)?;
        let formats = self.house.formats();
        let acts = formats.and_then(|formats| Ok(case::on_log(&*self.house.log, &formats)?.1));
        let mut acts = match acts {
            Ok(acts) => acts,
            Err(error) => {
                let told = format!("{error:#}");
                asked
                    .answered(Outcome::Failed, Some(&told))
                    .map_err(fault)?;
                return Err(failed(told));
            }
        };
        if !sees_patrons {
            acts.iter_mut().for_each(|act| self.hide_patrons(act));
        }
        asked.give(acts.len() as u64, 0);
        asked.answered(Outcome::Complete, None).map_err(fault)?;
        Ok(json!({ "acts": acts }))
    }

    /// An auditor sees by other names whom a case is about.
    fn hide_patrons(&self, act: &mut CaseAct) {
        for patron in &mut act.patrons {
            *patron = self.names.name(patron);
        }
        act.note = act.note.take().map(|_| UNTOLD.to_owned());
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
