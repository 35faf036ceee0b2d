//! The gateway: events from outside onto the log that this program has open.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use catwalk_events::Event;
use catwalk_web::axum::body::Bytes;
use catwalk_web::axum::extract::State;
use catwalk_web::axum::extract::rejection::BytesRejection;
use catwalk_web::axum::http::StatusCode;
use catwalk_web::axum::routing::post;
use catwalk_web::axum::{Json, Router};
use catwalk_web::{Caller, Fault, Role, require};
use serde::Serialize;
use tokio::sync::Semaphore;

use super::{House, LOOK_AROUND, http, lock};
use crate::feed::{Fate, Intake, Known};

/// The most lines of a request.
const MAX_LINES: usize = 10_000;
/// Requests that wait for the one that is being taken in.
const WAITING: usize = 16;
/// Of so many tables it is remembered which events the log has; as many as a settler keeps.
const MAX_TABLES: usize = 10_000;
/// Of each table so many blocks of 64 events are remembered: some weeks of a busy table, in half a megabyte.
const MAX_BLOCKS: usize = 2_048;

const MAY_BRING: &[Role] = &[Role::Device, Role::Operator];
const MAY_FOLLOW: &[Role] = &[
    Role::Surveillance,
    Role::SurveillanceSupervisor,
    Role::SurveillanceDirector,
    Role::Investigator,
    Role::Auditor,
    Role::Operator,
    Role::Regulator,
];

/// What the log has, as the gateway knows it.
pub(crate) struct Gateway {
    /// `None` until the log has been asked, and again when it cannot be told what it has.
    intake: Mutex<Option<Intake>>,
    /// Records that are still to be asked for.
    behind: AtomicU64,
    seats: Semaphore,
}

#[derive(Clone)]
struct Shown {
    house: Arc<House>,
    gateway: Arc<Gateway>,
}

/// What became of the lines of a request.
#[derive(Debug, Default, Serialize)]
struct Taken {
    /// On the log now, and safe.
    taken: u64,
    /// On the log from before: sent again to no effect.
    there: u64,
    /// Not on the log.
    refused: Vec<Told>,
    /// On the log, and something is wrong with them.
    problems: Vec<Told>,
}

#[derive(Debug, Serialize)]
struct Told {
    line: usize,
    error: String,
}

/// The routes of the gateway of a house.
pub(super) fn routes(house: &Arc<House>, gateway: &Arc<Gateway>) -> Router {
    let shown = Shown {
        house: house.clone(),
        gateway: gateway.clone(),
    };
    let events = Router::new().route("/api/v1/events", post(events));
    let findings = http::followed("/api/v1/findings", house.clone());
    require(MAY_BRING, events.with_state(shown)).merge(require(MAY_FOLLOW, findings))
}

/// Takes in lines of events.
async fn events(
    State(shown): State<Shown>,
    caller: Caller,
    body: Result<Bytes, BytesRejection>,
) -> Result<Json<Taken>, Fault> {
    let body =
        body.map_err(|rejection| Fault::new(rejection.status(), "body", rejection.body_text()))?;
    if body.split(|byte| *byte == b'\n').count() > MAX_LINES + 1 {
        let why = format!("more than {MAX_LINES} lines: send fewer at a time");
        return Err(Fault::new(StatusCode::PAYLOAD_TOO_LARGE, "too_large", why));
    }
    let Ok(_seat) = shown.gateway.seats.try_acquire() else {
        return Err(busy("others are sending: try again"));
    };
    let Shown { house, gateway } = shown.clone();
    let work = tokio::task::spawn_blocking(move || gateway.take(&house, &caller, &body));
    match work.await {
        Ok(taken) => taken.map(Json),
        Err(_) => Err(busy(
            "the gateway has failed: nothing is answered for, send it again",
        )),
    }
}

fn busy(why: impl Into<String>) -> Fault {
    Fault::new(StatusCode::SERVICE_UNAVAILABLE, "busy", why).retry_after(1)
}

impl Gateway {
    pub(super) fn new() -> Gateway {
        Gateway {
            intake: Mutex::default(),
            behind: AtomicU64::new(u64::MAX),
            seats: Semaphore::new(WAITING),
        }
    }

    /// Asks the log what it has, and again whenever that is not known any more, until the house closes.
    pub(super) fn run(&self, house: &House) -> anyhow::Result<()> {
        while !house.is_stopping() {
            if lock(&self.intake).is_none() {
                let known = Known::at_most(MAX_TABLES, MAX_BLOCKS);
                let rulebook = house.rulebook.clone();
                let mut intake = Intake::open(&*house.log, house.formats()?, known, rulebook)?;
                self.behind
                    .store(intake.behind(&*house.log)?, Ordering::Release);
                intake.ask(&*house.log, |read| {
                    self.behind.fetch_sub(read, Ordering::AcqRel);
                    !house.is_stopping()
                })?;
                *lock(&self.intake) = Some(intake);
                house.ready("gateway");
            }
            house.rest(LOOK_AROUND);
        }
        Ok(())
    }

    /// Takes in what the log has not, and answers when that is safe.
    fn take(&self, house: &House, caller: &Caller, body: &[u8]) -> Result<Taken, Fault> {
        let mut held = lock(&self.intake);
        // Put back when all went well: what failed half-way, or panicked, does not know any more what the log has.
        let Some(mut intake) = held.take() else {
            let behind = self.behind.load(Ordering::Acquire);
            let why = match behind {
                u64::MAX => "the log is asked what it has: try again".to_owned(),
                behind => {
                    format!("the log is asked what it has, {behind} records are left: try again")
                }
            };
            return Err(busy(why));
        };
        if house.is_stopping() {
            return Err(busy(
                "the service is closing: send it again when it is back",
            ));
        }
        match bring(&mut intake, house, caller, body) {
            Ok(taken) => {
                *held = Some(intake);
                Ok(taken)
            }
            Err(error) => {
                // Who sends it again brings what is not there.
                eprintln!("catwalk: gateway: {error:#}");
                Err(busy(
                    "the log is out of reach: nothing is answered for, send it again",
                ))
            }
        }
    }
}

fn bring(
    intake: &mut Intake,
    house: &House,
    caller: &Caller,
    body: &[u8],
) -> anyhow::Result<Taken> {
    // Others may have brought something, such as the floor of a demo.
    intake.ask(&*house.log, |_| true)?;
    let may_bring = |event: &Event| match caller.sees(&event.property) {
        true => Ok(()),
        false => Err(format!(
            "{} may not bring events of {}",
            caller.id, event.property
        )),
    };
    let mut sum = Taken::default();
    for (line, text) in (1..).zip(body.split(|byte| *byte == b'\n')) {
        if text.trim_ascii().is_empty() {
            continue;
        }
        match intake.take(text, may_bring)? {
            Fate::Taken(problems) => {
                let told = problems.into_iter().map(|error| Told { line, error });
                sum.problems.extend(told);
            }
            // Whether it was brought just now or long ago is one thing to who brings it again.
            Fate::There | Fate::Repeated(_) => sum.there += 1,
            Fate::Refused(error) => sum.refused.push(Told { line, error }),
        }
    }
    sum.taken = intake.hand_over()? as u64;
    intake.flush()?;
    Ok(sum)
}
