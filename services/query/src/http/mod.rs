//! The archive over HTTP, to be asked and never changed: rounds, one round whole, named questions.
//!
//! Questions run on threads of their own: what one of them takes is not taken from whoever serves the page.

mod asked;
mod pipe;
mod round;
mod sql;

use std::sync::Arc;
use std::time::Duration;

use catwalk_archive::Archive;
use catwalk_events::audit::{Door, Outcome};
use catwalk_web::axum::Router;
use catwalk_web::axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use catwalk_web::axum::http::{HeaderMap, HeaderValue, StatusCode};
use catwalk_web::axum::response::{IntoResponse, Response};
use catwalk_web::axum::routing::{get, post};
use catwalk_web::{Caller, Fault, Pseudonyms, Role, require_on_some_days};
use serde_json::{Map, Value};
use tokio::runtime::Handle;
use tokio::sync::{Semaphore, oneshot};

use crate::{Bounds, Catalogue, Error, Ledger, Most, Question, ReadingRoom, Session, Worth};

/// Who may ask.
const ASKERS: &[Role] = &[
    Role::Surveillance,
    Role::SurveillanceSupervisor,
    Role::SurveillanceDirector,
    Role::Investigator,
    Role::Auditor,
    Role::Regulator,
];
/// A page waits no longer than this for an answer.
const PATIENCE: Duration = Duration::from_secs(20);
/// Questions at a time; whoever comes then is told to come again.
const AT_ONCE: usize = 4;
const THREADS: usize = 2;
/// A plan is walked by functions that call themselves.
const STACK_BYTES: usize = 16 << 20;
/// The header with the case that somebody asks for.
const CASE: &str = "catwalk-case";
/// Patrons are called what the house calls them.
const BY_ID: &str = "by_id";

/// The routes, as a part of the description of the API.
pub const DESCRIBED: &str = include_str!("openapi.json");

/// The routes of a desk. Whoever serves them says who calls, as a [`Caller`](catwalk_web::Caller) among the extensions
/// of a request.
pub fn routes(desk: Arc<Desk>) -> Router {
    let routes = Router::new()
        .route("/api/v1/rounds", get(round::rounds))
        .route("/api/v1/rounds/{id}", get(round::round))
        .route("/api/v1/queries", get(asked::queries))
        .route("/api/v1/queries/{name}", post(asked::ask))
        .route("/api/v1/sql", post(sql::ask))
        .with_state(desk);
    require_on_some_days(ASKERS, routes)
}

/// What answers: threads, and the archive as it was a moment ago.
#[derive(Debug)]
pub struct Desk {
    room: ReadingRoom,
    /// What an answer to a question in SQL may have.
    most: Most,
    pseudonyms: Pseudonyms,
    ledger: Arc<dyn Ledger>,
    threads: Handle,
    questions: Arc<Semaphore>,
    /// Places of those who ask in SQL; whoever asks by a page does not wait for them.
    in_sql: Arc<Semaphore>,
    /// The threads end when this is dropped.
    _running: oneshot::Sender<()>,
}

/// The archive at one version of each of its tables.
#[derive(Debug)]
pub struct View {
    pub session: Session,
    /// The version of each table, by its name.
    pub version: Value,
    /// How patrons are called in it: `by_id` or `by_other_names`.
    patrons: &'static str,
}

impl Desk {
    /// Every question goes on record there before it is answered.
    ///
    /// # Errors
    /// If the threads that answer cannot be started.
    pub fn open(
        archive: Archive,
        ledger: Arc<dyn Ledger>,
        pseudonyms: Pseudonyms,
        worth: Arc<dyn Worth>,
        most: Most,
    ) -> std::io::Result<Arc<Desk>> {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(THREADS)
            .thread_name("ask")
            .thread_stack_size(STACK_BYTES)
            .enable_all()
            .build()?;
        let threads = runtime.handle().clone();
        let (running, ended) = oneshot::channel();
        let thread = std::thread::Builder::new().name("ask".to_owned());
        // A runtime must not end on a thread of another.
        thread.spawn(move || {
            let _ = runtime.block_on(ended);
            runtime.shutdown_background();
        })?;
        let bounds = Bounds {
            time: sql::PATIENCE,
            is_shared: true,
            ..Bounds::default()
        };
        let room = ReadingRoom::open(&archive, bounds).map_err(std::io::Error::other)?;
        Ok(Arc::new(Desk {
            room: room.knowing(worth),
            most,
            pseudonyms,
            ledger,
            threads,
            questions: Arc::new(Semaphore::new(AT_ONCE)),
            in_sql: Arc::new(Semaphore::new(sql::AT_ONCE)),
            _running: running,
        }))
    }

    /// Puts a question on record, answers it from what its asker may see, and puts that on record too.
    pub(crate) async fn answer<F>(
        self: &Arc<Self>,
        caller: &Caller,
        question: Question,
        work: impl FnOnce(View) -> F + Send + 'static,
    ) -> Result<Response, Fault>
    where
        F: Future<Output = Result<Value, Fault>> + Send,
    {
        let told = |body: &Value| {
            let is_cut = body.get("more") == Some(&Value::Bool(true));
            let outcome = if is_cut {
                Outcome::Cut
            } else {
                Outcome::Complete
            };
            (outcome, rows_of(body))
        };
        let sight = Some(caller.clone());
        // Whoever names a case is told whether it counted.
        let work = move |view: View| {
            let patrons = view.patrons;
            let body = work(view);
            async move {
                let mut body = body.await?;
                body["patrons"] = patrons.into();
                Ok::<Value, Fault>(body)
            }
        };
        let body = self.recorded(PATIENCE, sight, question, work, told).await?;
        Ok(shown(&body))
    }

    /// The same for what is no list of rows, for whoever has more patience, or less, and from all that there is:
    /// whoever shows it says who may see it.
    pub async fn answer_within<F, T>(
        self: &Arc<Self>,
        patience: Duration,
        question: Question,
        work: impl FnOnce(View) -> F + Send + 'static,
    ) -> Result<T, Fault>
    where
        F: Future<Output = Result<T, Fault>> + Send,
        T: Send + 'static,
    {
        let told = |_: &T| (Outcome::Complete, 1);
        self.recorded(patience, None, question, work, told).await
    }

    async fn recorded<F, T>(
        self: &Arc<Self>,
        patience: Duration,
        sight: Option<Caller>,
        question: Question,
        work: impl FnOnce(View) -> F + Send + 'static,
        told: impl Fn(&T) -> (Outcome, u64),
    ) -> Result<T, Fault>
    where
        F: Future<Output = Result<T, Fault>> + Send,
        T: Send + 'static,
    {
        let sight = sight.map(|caller| (caller, question.case.clone()));
        let asked = question.put_apart(&self.ledger).await.map_err(fault)?;
        let asked = Arc::new(asked);
        let answer = self.work_out(patience, sight, work).await;
        let (outcome, error) = match &answer {
            Ok(answer) => {
                let (outcome, rows) = told(answer);
                asked.give(rows, 0);
                (outcome, None)
            }
            Err(fault) => (Outcome::Failed, Some(fault.to_string())),
        };
        asked.answered_apart(outcome, error).await.map_err(fault)?;
        answer
    }

    /// Works out an answer on the threads for it; it is broken off when nobody waits for it any more.
    async fn work_out<F, T>(
        self: &Arc<Self>,
        patience: Duration,
        sight: Option<(Caller, Option<String>)>,
        work: impl FnOnce(View) -> F + Send + 'static,
    ) -> Result<T, Fault>
    where
        F: Future<Output = Result<T, Fault>> + Send,
        T: Send + 'static,
    {
        let questions = Arc::clone(&self.questions).try_acquire_owned();
        let question = questions.map_err(|_| {
            let error = "other questions are being answered: ask again in a moment";
            Fault::new(StatusCode::TOO_MANY_REQUESTS, "busy", error).retry_after(1)
        })?;
        let desk = Arc::clone(self);
        let task = self.threads.spawn(async move {
            let _question = question;
            let view = desk.view(patience, sight).await.map_err(fault)?;
            work(view).await
        });
        let mut task = Abandoned(task);
        match tokio::time::timeout(patience, &mut task.0).await {
            Ok(Ok(answer)) => answer,
            Err(_) => {
                let error = "the archive did not answer in time: ask for less, or again";
                let status = StatusCode::SERVICE_UNAVAILABLE;
                Err(Fault::new(status, "slow", error).retry_after(2))
            }
            Ok(Err(_)) => {
                let error = "the answer could not be worked out";
                let status = StatusCode::INTERNAL_SERVER_ERROR;
                Err(Fault::new(status, "failed", error))
            }
        }
    }

    /// The archive as somebody sees it, or all of it.
    async fn view(
        &self,
        patience: Duration,
        sight: Option<(Caller, Option<String>)>,
    ) -> Result<View, Error> {
        let (session, patrons) = match sight {
            None => (self.room.session().await?, BY_ID),
            Some((caller, case)) => {
                let catalogue = self.catalogue(&caller, case.as_deref()).await?;
                let patrons = match catalogue.names_patrons() {
                    true => BY_ID,
                    false => "by_other_names",
                };
                (self.room.seen(catalogue).await?, patrons)
            }
        };
        let (session, _) = session.within(patience);
        let versions = session.versions().iter();
        let version = versions.map(|at| (at.table.clone(), Value::from(at.version)));
        let version = Value::Object(version.collect::<Map<String, Value>>());
        Ok(View {
            session,
            version,
            patrons,
        })
    }
}

impl Desk {
    /// What a caller sees, with a case or without one.
    async fn catalogue(&self, caller: &Caller, case: Option<&str>) -> Result<Catalogue, Error> {
        let case = case.filter(|_| Catalogue::wants_case(caller));
        let has_case = match case {
            Some(case) => self.room.has_open_case(case).await?,
            None => false,
        };
        Ok(Catalogue::of(caller, has_case, &self.pseudonyms))
    }
}

/// The case that a request names, in UTF-8.
fn case_of(headers: &HeaderMap) -> Result<Option<String>, Fault> {
    let Some(case) = headers.get(CASE) else {
        return Ok(None);
    };
    let case = std::str::from_utf8(case.as_bytes()).map_err(|_| {
        let error = "the header Catwalk-Case is no UTF-8";
        Fault::new(StatusCode::BAD_REQUEST, "bad_input", error)
    })?;
    Ok(Some(case.trim().to_owned()).filter(|case| !case.is_empty()))
}

/// A question as it goes on record.
pub fn question(caller: &Caller, text: &str, parameters: Option<String>) -> Question {
    let roles = caller.roles.iter().map(|role| role.word().to_owned());
    Question {
        door: Door::Http,
        who: caller.id.clone(),
        roles: roles.collect(),
        station: Some(caller.station.clone()),
        program: None,
        case: None,
        text: text.to_owned(),
        parameters,
    }
}

/// How many rows an answer has; one that is no list is one.
fn rows_of(body: &Value) -> u64 {
    let list = ["rows", "rounds"].iter().find_map(|name| body.get(name));
    list.and_then(Value::as_array)
        .map_or(1, |rows| rows.len() as u64)
}

/// Work that ends when nobody waits for it.
struct Abandoned<T>(tokio::task::JoinHandle<T>);

impl<T> Drop for Abandoned<T> {
    fn drop(&mut self) {
        self.0.abort();
    }
}

/// What the client is told of an error.
pub fn fault(error: Error) -> Fault {
    let (status, code) = match &error {
        Error::UnknownQuery(_) => (StatusCode::NOT_FOUND, "unknown"),
        Error::UnknownParameter(_)
        | Error::MissingParameters { .. }
        | Error::ParameterValue { .. } => (StatusCode::BAD_REQUEST, "bad_input"),
        Error::Beyond { .. } | Error::Exhausted { .. } => {
            (StatusCode::UNPROCESSABLE_ENTITY, "too_much")
        }
        Error::WithoutEdges(_) => (StatusCode::UNPROCESSABLE_ENTITY, "not_here"),
        Error::NoArchive { .. } => {
            let error =
                "the archive has no tables yet: it is written a moment after the first round";
            let fault = Fault::new(StatusCode::SERVICE_UNAVAILABLE, "no_archive", error);
            return fault.retry_after(2);
        }
        Error::NotOnRecord(why) => {
            // Whoever runs the service is told what is wrong with it, and nobody else.
            eprintln!("catwalk: {why}: no question is answered");
            let error = "the question cannot be put on record, so it was not answered";
            return Fault::new(StatusCode::SERVICE_UNAVAILABLE, "not_on_record", error);
        }
        Error::MissingTables { .. } | Error::Archive(_) => {
            (StatusCode::SERVICE_UNAVAILABLE, "archive")
        }
        _ => (StatusCode::INTERNAL_SERVER_ERROR, "failed"),
    };
    Fault::new(status, code, error.to_string())
}

/// An answer as JSON, which nobody keeps.
pub fn shown(body: &Value) -> Response {
    let headers = [
        (CONTENT_TYPE, HeaderValue::from_static("application/json")),
        (CACHE_CONTROL, HeaderValue::from_static("no-store")),
    ];
    (headers, body.to_string()).into_response()
}
