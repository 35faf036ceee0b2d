//! The reports over HTTP: drawn as JSON, as files, and each figure followed to the rows that make it.

mod grounds;
mod told;
mod why;

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;

use catwalk_query::http::{Desk, fault as query_fault, question, shown};
use catwalk_query::{Error as QueryError, Session, named};
use catwalk_rules::Rulebook;
use catwalk_web::axum::Router;
use catwalk_web::axum::extract::rejection::QueryRejection;
use catwalk_web::axum::extract::{Path, Query, State};
use catwalk_web::axum::http::header::{CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_TYPE};
use catwalk_web::axum::http::{HeaderValue, StatusCode};
use catwalk_web::axum::response::{IntoResponse, Response};
use catwalk_web::axum::routing::get;
use catwalk_web::{Caller, Fault, Role, require};
use jiff::civil::Date;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use self::grounds::Grounds;
use crate::{Asked, Error, House, Paper, Part, Period, Report, all, draw, find};

/// Who may read reports.
const READERS: &[Role] = &[
    Role::Auditor,
    Role::Regulator,
    Role::Investigator,
    Role::SurveillanceDirector,
];
/// A report asks many questions: whoever waits for one waits longer than for one question.
const PATIENCE: Duration = Duration::from_secs(28);

/// So many drawn tables are kept for whoever follows their figures.
const KEPT: usize = 30;

/// The house whose reports are read.
#[derive(Clone, Debug)]
pub struct Office {
    pub desk: Arc<Desk>,
    pub rulebook: Arc<Rulebook>,
    /// As the IANA names it.
    pub time_zone: String,
    /// The hour at which a gaming day begins.
    pub gaming_day_hour: u8,
    /// Where the archive is.
    pub archive: String,
}

/// The routes, as a part of the description of the API.
pub const DESCRIBED: &str = include_str!("openapi.json");

/// The routes of the reports. Whoever serves them says who calls, as a [`Caller`] among the extensions of a request.
pub fn routes(office: Office) -> Router {
    let routes = Router::new()
        .route("/api/v1/reports", get(list))
        .route("/api/v1/reports/{name}", get(report))
        .route("/api/v1/reports/{name}/why", get(why::why))
        .with_state(Arc::new(Room {
            office,
            kept: Mutex::default(),
        }));
    require(READERS, routes)
}

/// What a report is asked for.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct Wanted {
    day: Option<String>,
    month: Option<String>,
    table: Option<String>,
    shift: Option<String>,
    pit: Option<String>,
    format: Option<Form>,
    /// Of CSV: which table of the report, from 1.
    part: Option<usize>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
enum Form {
    #[default]
    Json,
    Text,
    Csv,
    Xlsx,
}

/// An office at work.
#[derive(Debug)]
struct Room {
    office: Office,
    kept: Mutex<VecDeque<Arc<Kept>>>,
}

/// The first table of a report, as the archive was at the versions that it was drawn from.
#[derive(Debug)]
struct Kept {
    report: &'static str,
    asked: Asked,
    of: Versions,
    part: Part,
    /// Once somebody has followed a figure of it.
    grounds: OnceLock<Grounds>,
}

/// The version of each table that a report is drawn from.
type Versions = BTreeMap<String, u64>;

/// What the first table of a report hangs on, and what its figures stand on.
fn versions(session: &Session, report: &Report) -> Result<Versions, Error> {
    let mut versions = session.versions_of(&named::find(grounds::QUERY)?.sql)?;
    if let Some(section) = report.sections.first() {
        versions.extend(session.versions_of(&named::find(section.query)?.sql)?);
    }
    Ok(versions)
}

impl Room {
    fn keep(&self, report: &Report, asked: &Asked, of: Versions, part: Part) -> Arc<Kept> {
        let one = Arc::new(Kept {
            report: report.name,
            asked: asked.clone(),
            of,
            part,
            grounds: OnceLock::new(),
        });
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.push_front(Arc::clone(&one));
        kept.truncate(KEPT);
        one
    }

    /// A table that has the rows that are asked for, and may have others.
    fn kept(&self, report: &Report, asked: &Asked, of: &Versions) -> Option<Arc<Kept>> {
        let has = |own: &Option<String>, wanted: &Option<String>| own.is_none() || own == wanted;
        let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let found = kept.iter().find(|kept| {
            let own = &kept.asked;
            kept.report == report.name
                && kept.of == *of
                && own.period.first <= asked.period.first
                && asked.period.last <= own.period.last
                && has(&own.table, &asked.table)
                && has(&own.pit, &asked.pit)
                && has(&own.shift, &asked.shift)
        });
        found.map(Arc::clone)
    }
}

impl Office {
    fn house(&self) -> House<'_> {
        House {
            rulebook: &self.rulebook,
            time_zone: &self.time_zone,
            gaming_day_hour: self.gaming_day_hour,
            archive: vec![("archive".to_owned(), self.archive.clone())],
        }
    }
}

/// All reports, and the last gaming day that the archive has anything of.
async fn list(State(room): State<Arc<Room>>, caller: Caller) -> Result<Response, Fault> {
    let reports: Vec<Value> = all().iter().map(told::report).collect();
    let asked = question(&caller, "reports", None);
    let last = room
        .office
        .desk
        .answer_within(PATIENCE, asked, |view| async move {
            let last = last_day(&view.session).await.map_err(fault)?;
            Ok((last, view.version))
        });
    // An archive that has nothing yet has reports all the same.
    let (last, version) = match last.await {
        Ok((last, version)) => (last, version),
        Err(fault) if fault.code() == "no_archive" => (None, Value::Null),
        Err(fault) => return Err(fault),
    };
    let last = last.map(|day| day.to_string());
    Ok(shown(
        &json!({"reports": reports, "last_day": last, "version": version}),
    ))
}

async fn report(
    State(room): State<Arc<Room>>,
    caller: Caller,
    Path(name): Path<String>,
    wanted: Result<Query<Wanted>, QueryRejection>,
) -> Result<Response, Fault> {
    let Query(wanted) = wanted?;
    sees_all(&caller)?;
    let report = find(&name).map_err(fault)?;
    let period = wanted.period()?;
    let form = wanted.format.unwrap_or_default();
    let part = wanted.part.unwrap_or(1).max(1) - 1;
    let parameters = serde_json::to_string(&wanted).ok();
    let question = question(&caller, &format!("report {}", report.name), parameters);
    let shared = Arc::clone(&room);
    let answer = room
        .office
        .desk
        .answer_within(PATIENCE, question, move |view| async move {
            let asked = wanted.asked(period, &view.session).await?;
            let paper = draw(&view.session, report, &asked, &shared.office.house()).await;
            let mut paper = paper.map_err(fault)?;
            if form != Form::Json {
                return file(&paper, form, part);
            }
            let told = told::paper(&paper, &view.version);
            if !paper.parts.is_empty() {
                let first = paper.parts.swap_remove(0);
                let of = versions(&view.session, report).map_err(fault)?;
                shared.keep(report, &asked, of, first);
            }
            Ok(shown(&told))
        });
    answer.await
}

/// The sums of a report are of all properties.
fn sees_all(caller: &Caller) -> Result<(), Fault> {
    if caller.properties.is_none() {
        return Ok(());
    }
    let error = "a report is of all properties, and you see only some";
    Err(Fault::new(StatusCode::FORBIDDEN, "properties", error))
}

impl Wanted {
    /// The days that are asked for, if any are.
    fn period(&self) -> Result<Option<Period>, Fault> {
        match (&self.day, &self.month) {
            (Some(_), Some(_)) => Err(bad("a day or a month, not both")),
            (Some(text), None) => Ok(Some(Period::day(day("day", text)?))),
            (None, Some(text)) => Ok(Some(Period::month(text).map_err(fault)?)),
            (None, None) => Ok(None),
        }
    }

    async fn asked(self, period: Option<Period>, session: &Session) -> Result<Asked, Fault> {
        let period = match period {
            Some(period) => period,
            None => Period::day(last_day(session).await.map_err(fault)?.ok_or_else(|| {
                let error = "the archive has no money in it yet, and no report can be drawn";
                Fault::new(StatusCode::NOT_FOUND, "empty", error)
            })?),
        };
        Ok(Asked {
            period,
            table: self.table,
            shift: self.shift,
            pit: self.pit,
        })
    }
}

#[derive(Deserialize)]
struct LastDay {
    last: Option<String>,
}

async fn last_day(session: &Session) -> crate::Result<Option<Date>> {
    let sql = "SELECT CAST(max(gaming_day) AS VARCHAR) AS last FROM money";
    let days: Vec<LastDay> = session.sql(sql).await?.read().await?;
    let last = days.into_iter().find_map(|day| day.last);
    Ok(last.and_then(|last| last.parse().ok()))
}

fn day(name: &str, text: &str) -> Result<Date, Fault> {
    let wrong = |_| bad(format!("{name}: {text:?} is no day such as 2026-11-15"));
    text.parse().map_err(wrong)
}

/// A report to keep.
fn file(paper: &Paper, form: Form, part: usize) -> Result<Response, Fault> {
    let mut bytes = Vec::new();
    let (kind, ending) = match form {
        Form::Xlsx => {
            paper.write_xlsx(&mut bytes).map_err(fault)?;
            let kind = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";
            (kind, "xlsx")
        }
        Form::Csv => {
            if part >= paper.parts.len() {
                let parts = paper.parts.len();
                return Err(bad(format!("part: the report has {parts} tables")));
            }
            paper.write_csv(part, &mut bytes).map_err(fault)?;
            ("text/csv; charset=utf-8", "csv")
        }
        Form::Json | Form::Text => {
            let written = paper.write_text(None, &mut bytes);
            written.map_err(|error| fault(error.into()))?;
            ("text/plain; charset=utf-8", "txt")
        }
    };
    let Report { id, name, .. } = paper.report;
    let days = paper.asked.period.file_words();
    let name = format!("attachment; filename=\"{id}-{name}-{days}.{ending}\"");
    let name = HeaderValue::try_from(name)
        .map_err(|_| bad("the days cannot be part of the name of a file"))?;
    let headers = [
        (CONTENT_TYPE, HeaderValue::from_static(kind)),
        (CACHE_CONTROL, HeaderValue::from_static("no-store")),
        (CONTENT_DISPOSITION, name),
    ];
    Ok((headers, bytes).into_response())
}

fn bad(what: impl Into<String>) -> Fault {
    Fault::new(StatusCode::BAD_REQUEST, "bad_input", what)
}

/// What the client is told of an error.
fn fault(error: Error) -> Fault {
    match error {
        Error::Query(error) => of_query(error),
        Error::Unknown(what) => Fault::new(StatusCode::NOT_FOUND, "unknown", what),
        Error::Period(what) => bad(what),
        other => Fault::new(
            StatusCode::INTERNAL_SERVER_ERROR,
            "failed",
            other.to_string(),
        ),
    }
}

fn of_query(error: QueryError) -> Fault {
    query_fault(error)
}
