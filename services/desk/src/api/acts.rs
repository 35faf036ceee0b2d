//! Acts that are handed in.

use std::sync::Arc;

use catwalk_events::Timestamp;
use catwalk_hands::floor::Cents;
use catwalk_web::axum::Json;
use catwalk_web::axum::extract::rejection::JsonRejection;
use catwalk_web::axum::extract::{Path, State};
use catwalk_web::axum::http::StatusCode;
use catwalk_web::axum::response::Response;
use catwalk_web::{Caller, Fault, Role as Of};
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::sync::oneshot;

use super::named::People;
use super::{Desk, answer, bad, shown, unavailable};
use crate::act::{Act, Deed, Disposal, Notified, Person, Refused, Role, Verdict};
use crate::room::{Answer, Dossier, IN_DOUBT, NotDone, now};

/// So many acts are taken at a time.
const MAX_ACTS: usize = 200;
pub(super) const MAX_ID_BYTES: usize = 64;
pub(super) const MAX_NOTE_CHARS: usize = 2_000;
pub(super) const MAX_WORD_CHARS: usize = 200;
const MAX_NOTIFIED: usize = 20;
/// Nobody gets back more than this.
const MAX_CENTS: i64 = 100_000_000_000;
/// Only these act.
pub(super) const ACTORS: &[Of] = &[
    Of::Surveillance,
    Of::SurveillanceSupervisor,
    Of::SurveillanceDirector,
];

/// An act as somebody asks for it.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Asked {
    id: String,
    deed: String,
    seen_acts: u64,
    seen_findings: u64,
    #[serde(default)]
    note: Option<String>,
    #[serde(default)]
    to: Option<String>,
    #[serde(default)]
    undoes: Option<String>,
    #[serde(default)]
    disposal: Option<AskedDisposal>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct AskedDisposal {
    verdict: String,
    #[serde(default)]
    recovered_cents: Option<i64>,
    #[serde(default)]
    case: Option<String>,
    #[serde(default)]
    reviewer: Option<String>,
    #[serde(default)]
    video: Option<String>,
    #[serde(default)]
    notified: Option<Vec<AskedNotified>>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct AskedNotified {
    whom: String,
    at: String,
    how: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Several {
    acts: Vec<Value>,
}

pub(super) async fn act(
    State(desk): State<Desk>,
    caller: Caller,
    Path(id): Path<String>,
    people: People,
    asked: Result<Json<Asked>, JsonRejection>,
) -> Result<Response, Fault> {
    let person = person(&caller)?;
    let Json(asked) = asked?;
    let dossier = desk.seen(&caller, &id)?;
    let act = asked.act(&dossier, person)?;
    people.check(&act.deed, &dossier.record.property)?;
    let (act, dossier) = done(desk.room.hand_in(act), &desk, &id).await?;
    let incident = shown::incident(&dossier.record, &desk.room);
    let body = json!({"act": shown::act(&act), "incident": incident});
    Ok(answer(StatusCode::CREATED, &body))
}

/// Several at once, each by itself: some may be done and others not.
pub(super) async fn acts(
    State(desk): State<Desk>,
    caller: Caller,
    people: People,
    several: Result<Json<Several>, JsonRejection>,
) -> Result<Response, Fault> {
    let person = person(&caller)?;
    let Json(Several { acts }) = several?;
    if acts.len() > MAX_ACTS {
        let error = format!("{} acts at once: {MAX_ACTS} are taken", acts.len());
        return Err(Fault::new(
            StatusCode::UNPROCESSABLE_ENTITY,
            "too_many",
            error,
        ));
    }
    let mut waiting = Vec::with_capacity(acts.len());
    for asked in acts {
        let incident = asked.get("incident").and_then(Value::as_str);
        let incident = incident.unwrap_or_default().to_owned();
        let act = one_of_several(asked, &incident, &desk, &caller, &person);
        let handed_in = act.and_then(|(act, dossier)| {
            people.check(&act.deed, &dossier.record.property)?;
            Ok(desk.room.hand_in(act))
        });
        waiting.push((incident, handed_in));
    }
    let mut results = Vec::with_capacity(waiting.len());
    for (incident, handed_in) in waiting {
        let became = match handed_in {
            Ok(answered) => done(answered, &desk, &incident).await,
            Err(fault) => Err(fault),
        };
        results.push(match became {
            Ok((act, dossier)) => json!({
                "incident": incident,
                "ok": true,
                "act": shown::act(&act),
                "revision": dossier.record.revision,
            }),
            Err(fault) => {
                json!({"incident": incident, "ok": false, "error": fault.to_string(), "code": fault.code()})
            }
        });
    }
    Ok(answer(StatusCode::OK, &json!({ "results": results })))
}

fn one_of_several(
    mut asked: Value,
    incident: &str,
    desk: &Desk,
    caller: &Caller,
    person: &Person,
) -> Result<(Act, Arc<Dossier>), Fault> {
    if let Some(fields) = asked.as_object_mut() {
        fields.remove("incident");
    }
    let asked: Asked = serde_json::from_value(asked).map_err(|error| bad(error.to_string()))?;
    let dossier = desk.seen(caller, incident)?;
    Ok((asked.act(&dossier, person.clone())?, dossier))
}

/// Who acts, in the highest role that may.
pub(super) fn person(caller: &Caller) -> Result<Person, Fault> {
    caller.require(ACTORS)?;
    let role = match () {
        () if caller.may(&[Of::SurveillanceDirector]) => Role::SurveillanceDirector,
        () if caller.may(&[Of::SurveillanceSupervisor]) => Role::SurveillanceSupervisor,
        () => Role::Surveillance,
    };
    Ok(Person {
        id: caller.id.clone(),
        role,
        station: Some(caller.station.clone()),
    })
}

impl Asked {
    /// The act on this incident, if it is one.
    fn act(self, on: &Dossier, by: Person) -> Result<Act, Fault> {
        if !is_id(&self.id) {
            let allowed = "letters, digits and -_.: are allowed, up to 64 of them";
            return Err(bad(format!("id: {:?} is none; {allowed}", self.id)));
        }
        let note = word("note", self.note.clone(), MAX_NOTE_CHARS)?;
        Ok(Act {
            deed: self.deed(on)?,
            id: self.id,
            incident: on.record.id.clone(),
            seen_acts: self.seen_acts,
            seen_findings: self.seen_findings,
            by,
            at: now(),
            note,
        })
    }

    fn deed(&self, on: &Dossier) -> Result<Deed, Fault> {
        let has_said = |what: &str, said: bool, wanted: bool| match (said, wanted) {
            (true, false) => Err(bad(format!("{what}: {} has none", self.deed))),
            (false, true) => Err(bad(format!("{what}: {} needs it", self.deed))),
            _ => Ok(()),
        };
        let names = matches!(&*self.deed, "assign" | "hand_over");
        let may_name = names || self.deed == "escalate";
        has_said(
            "to",
            self.to.is_some(),
            names || (may_name && self.to.is_some()),
        )?;
        has_said("disposal", self.disposal.is_some(), self.deed == "dispose")?;
        let undoes = self.deed == "undo" && self.undoes.is_some();
        has_said("undoes", self.undoes.is_some(), undoes)?;
        let to = word("to", self.to.clone(), MAX_WORD_CHARS)?;
        Ok(match (&*self.deed, to) {
            ("claim", _) => Deed::Claim,
            ("release", _) => Deed::Release,
            ("acknowledge", _) => Deed::Acknowledge,
            ("note", _) => {
                has_said("note", self.note.is_some(), true)?;
                Deed::Note
            }
            ("assign", Some(to)) => Deed::Assign { to },
            ("hand_over", Some(to)) => Deed::HandOver { to },
            ("escalate", to) => Deed::Escalate {
                to: above(to.as_deref(), on)?,
            },
            ("undo", _) => Deed::Undo {
                act: self.undone(on)?,
            },
            ("dispose", _) => self
                .disposal
                .as_ref()
                .map(AskedDisposal::deed)
                .transpose()?
                .ok_or_else(|| bad("disposal: dispose needs it"))?,
            (other, _) => {
                let all = "claim, release, acknowledge, assign, escalate, dispose, note, undo and hand_over are";
                return Err(bad(format!("deed: {other:?} is none; {all}")));
            }
        })
    }

    /// The act that is taken back: the one that is named, or the last that the person has seen.
    fn undone(&self, on: &Dossier) -> Result<String, Fault> {
        if let Some(named) = word("undoes", self.undoes.clone(), MAX_ID_BYTES)? {
            return Ok(named);
        }
        let seen = usize::try_from(self.seen_acts).unwrap_or(usize::MAX);
        let mut acts = on.acts.iter().take(seen).rev();
        let last = acts.find(|act| act.deed != Deed::Note);
        let nothing = || {
            Fault::new(
                StatusCode::CONFLICT,
                "nothing",
                "undo: nothing was done about it",
            )
        };
        Ok(last.ok_or_else(nothing)?.id.clone())
    }
}

pub(super) fn is_id(id: &str) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_.:".contains(c);
    !id.is_empty() && id.len() <= MAX_ID_BYTES && id.chars().all(plain)
}

/// To whom it goes up.
fn above(to: Option<&str>, on: &Dossier) -> Result<Role, Fault> {
    let next = match &*on.record.level {
        "surveillance" => Role::SurveillanceSupervisor,
        _ => Role::SurveillanceDirector,
    };
    match to {
        None => Ok(next),
        Some("surveillance_supervisor") => Ok(Role::SurveillanceSupervisor),
        Some("surveillance_director") => Ok(Role::SurveillanceDirector),
        Some(other) => Err(bad(format!(
            "to: {other:?} is no role above; surveillance_supervisor and surveillance_director are"
        ))),
    }
}

impl AskedDisposal {
    fn deed(&self) -> Result<Deed, Fault> {
        let verdict = Verdict::named(&self.verdict).ok_or_else(|| {
            let all = Verdict::ALL.map(Verdict::name).join(", ");
            bad(format!(
                "disposal.verdict: {:?} is none of {all}",
                self.verdict
            ))
        })?;
        let recovered = self.recovered_cents;
        if recovered.is_some_and(|cents| cents.checked_abs().is_none_or(|abs| abs > MAX_CENTS)) {
            return Err(bad(format!(
                "disposal.recovered_cents: at most {MAX_CENTS} are taken"
            )));
        }
        let notified = self.notified.as_deref().unwrap_or_default();
        if notified.len() > MAX_NOTIFIED {
            return Err(bad(format!(
                "disposal.notified: at most {MAX_NOTIFIED} are taken"
            )));
        }
        let text = |name, value: &Option<String>| word(name, value.clone(), MAX_WORD_CHARS);
        Ok(Deed::Dispose(Disposal {
            verdict,
            recovered_cents: recovered.map(Cents::new),
            case: text("disposal.case", &self.case)?,
            reviewer: text("disposal.reviewer", &self.reviewer)?,
            video: text("disposal.video", &self.video)?,
            notified: notified
                .iter()
                .map(AskedNotified::told)
                .collect::<Result<_, _>>()?,
        }))
    }
}

impl AskedNotified {
    fn told(&self) -> Result<Notified, Fault> {
        let text = |name: &str, value: &str| {
            let word = word(name, Some(value.to_owned()), MAX_WORD_CHARS)?;
            word.ok_or_else(|| bad(format!("{name}: it is empty")))
        };
        let at: Result<Timestamp, _> = self.at.parse();
        Ok(Notified {
            whom: text("disposal.notified.whom", &self.whom)?,
            at: at.map_err(|error| bad(format!("disposal.notified.at: {error}")))?,
            how: text("disposal.notified.how", &self.how)?,
        })
    }
}

/// What somebody wrote, without blanks around it; a field that says nothing is bad input.
pub(super) fn word(name: &str, text: Option<String>, most: usize) -> Result<Option<String>, Fault> {
    let Some(text) = text else { return Ok(None) };
    let text = text.trim();
    let count = text.chars().count();
    let is_clean = text
        .chars()
        .all(|c| !c.is_control() || c == '\n' || c == '\t');
    match count {
        0 => Err(bad(format!("{name}: it is empty"))),
        count if count > most => Err(bad(format!("{name}: {count} characters, {most} are taken"))),
        _ if !is_clean => Err(bad(format!("{name}: control characters are not taken"))),
        _ => Ok(Some(text.to_owned())),
    }
}

/// Waits for what becomes of an act.
async fn done(
    answered: oneshot::Receiver<Answer>,
    desk: &Desk,
    incident: &str,
) -> Result<(Act, Arc<Dossier>), Fault> {
    let refused = match answered.await {
        Ok(Ok(done)) => return Ok(done),
        Ok(Err(NotDone::Refused(refused))) => refused,
        Ok(Err(NotDone::NotWritten(why))) => return Err(bad(why.to_string())),
        Ok(Err(NotDone::Unavailable(why))) => return Err(unavailable(why)),
        // The desk ended with the act in its hands.
        Err(_) => return Err(unavailable(IN_DOUBT)),
    };
    let (status, code) = of_refusal(&refused);
    let mut fault = Fault::new(status, code, refused.to_string());
    if let Refused::Held { by, .. } | Refused::Overtaken { by, .. } | Refused::NotYours { by } =
        &refused
    {
        fault = fault.with("by", by.as_str());
    }
    if let Some(dossier) = desk.room.dossier(incident) {
        fault = fault.with("incident", shown::incident(&dossier.record, &desk.room));
    }
    Err(fault)
}

fn of_refusal(refused: &Refused) -> (StatusCode, &'static str) {
    match refused {
        Refused::Unknown(_) => (StatusCode::NOT_FOUND, "unknown"),
        Refused::Held { .. }
        | Refused::Overtaken { .. }
        | Refused::NotLast(_)
        | Refused::NeverSo { .. } => (StatusCode::CONFLICT, "overtaken"),
        Refused::MoreFindings { .. } => (StatusCode::CONFLICT, "more_findings"),
        Refused::Closed { .. } => (StatusCode::CONFLICT, "closed"),
        Refused::NotHeld { .. } => (StatusCode::CONFLICT, "not_held"),
        Refused::TooMany { .. } => (StatusCode::CONFLICT, "too_many"),
        Refused::Before(_) | Refused::OtherAct(_) => (StatusCode::CONFLICT, "other_act"),
        Refused::NotYours { .. } | Refused::SentUp { .. } => (StatusCode::FORBIDDEN, "not_yours"),
        Refused::OwnReviewer(_) | Refused::NoReviewer(_) => {
            (StatusCode::UNPROCESSABLE_ENTITY, "reviewer")
        }
    }
}
