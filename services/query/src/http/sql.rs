//! Questions in SQL, in the same words and with the same tables as for clients of PostgreSQL.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use catwalk_events::audit::Outcome;
use catwalk_web::axum::Json;
use catwalk_web::axum::body::Body;
use catwalk_web::axum::extract::State;
use catwalk_web::axum::extract::rejection::JsonRejection;
use catwalk_web::axum::http::header::{ACCEPT, CACHE_CONTROL, CONTENT_TYPE};
use catwalk_web::axum::http::{HeaderMap, HeaderValue, StatusCode};
use catwalk_web::axum::response::{IntoResponse, Response};
use catwalk_web::{Caller, Fault, GoesOn};
use serde::Deserialize;
use serde_json::Value;
use tokio::time::{Instant, timeout, timeout_at};

use super::pipe::{Pieces, Pipe, Work, pipe};
use super::{Desk, case_of, fault, question};
use crate::answer::Money;
use crate::postgres::{Command, Fault as Told, View, commands};
use crate::record::Asked;
use crate::{Error, Format, Question, ScalarValue};

/// An answer is whole after this, or is broken off.
pub(super) const PATIENCE: Duration = Duration::from_secs(300);
/// So long it is waited for the first piece, so that what is wrong can be said; what comes later breaks the answer off.
const FIRST: Duration = Duration::from_secs(20);
/// Questions at a time.
pub(super) const AT_ONCE: usize = 4;
/// Values of a question.
const VALUES: usize = 1_000;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Wanted {
    sql: String,
    /// For `$1`, `$2` and so on.
    #[serde(default)]
    values: Vec<Value>,
    /// The case that it is asked for.
    case: Option<String>,
    format: Option<String>,
}

/// The forms of an answer: what a client calls one, what it is called in headers.
const FORMS: [(&str, &str, Format); 4] = [
    ("json", "application/x-ndjson", Format::Json),
    (
        "arrow",
        "application/vnd.apache.arrow.stream",
        Format::ArrowStream,
    ),
    ("parquet", "application/vnd.apache.parquet", Format::Parquet),
    ("csv", "text/csv", Format::Csv(Money::Cents)),
];

pub(super) async fn ask(
    State(desk): State<Arc<Desk>>,
    caller: Caller,
    headers: HeaderMap,
    wanted: Result<Json<Wanted>, JsonRejection>,
) -> Result<Response, Fault> {
    let Json(wanted) = wanted?;
    let (kind, form) = form(wanted.format.as_deref(), &headers)?;
    let values = values(&wanted.values)?;
    let case = wanted.case.filter(|case| !case.trim().is_empty());
    let parameters = match wanted.values.is_empty() {
        true => None,
        false => Some(serde_json::json!({ "values": wanted.values }).to_string()),
    };
    let command = command(&wanted.sql).map_err(told)?;
    let asked = Question {
        case: match case {
            Some(case) => Some(case.trim().to_owned()),
            None => case_of(&headers)?,
        },
        ..question(&caller, &wanted.sql, parameters)
    };
    let case = asked.case.clone();
    let place = Arc::clone(&desk.in_sql).try_acquire_owned();
    let place = place.map_err(|_| {
        let error = "other questions are being answered: ask again in a moment";
        Fault::new(StatusCode::TOO_MANY_REQUESTS, "busy", error).retry_after(1)
    })?;
    let asked = Arc::new(asked.put_apart(&desk.ledger).await.map_err(fault)?);
    let (pipe, mut reader) = pipe();
    let is_over = Arc::<AtomicBool>::default();
    let work = Answering {
        desk: Arc::clone(&desk),
        caller,
        case,
        command,
        values,
        form,
        is_over: Arc::clone(&is_over),
    };
    let work = desk.threads.spawn(async move {
        let _place = place;
        work.answer_into(pipe, asked).await;
    });
    let work = Work(work, is_over);
    let first = match timeout(FIRST, reader.next()).await {
        Ok(Some(Err(fault))) => return Err(fault),
        Ok(first) => first,
        Err(_) => None,
    };
    let pieces = Pieces {
        first,
        reader,
        _work: work,
    };
    let headers = [
        (CONTENT_TYPE, HeaderValue::from_static(kind)),
        (CACHE_CONTROL, HeaderValue::from_static("no-store")),
    ];
    let mut response = (headers, Body::from_stream(pieces)).into_response();
    response.extensions_mut().insert(GoesOn);
    Ok(response)
}

/// One statement that has rows.
fn command(sql: &str) -> Result<Command, Told> {
    let mut all = commands(sql)?;
    match (all.pop(), all.pop()) {
        (Some(command @ (Command::Ask(_) | Command::Call(..))), None) => Ok(command),
        (_, Some(_)) => Err(Told::new("42601", "one statement is expected")),
        _ => Err(Told::read_only("what has no rows")),
    }
}

/// By the word of the question, or by what the client says that it takes.
fn form(word: Option<&str>, headers: &HeaderMap) -> Result<(&'static str, Format), Fault> {
    let accepted = headers.get(ACCEPT).and_then(|kind| kind.to_str().ok());
    let found = FORMS.iter().find(|(own, kind, _)| match word {
        Some(word) => *own == word,
        None => accepted.is_some_and(|accepted| accepted.contains(kind)),
    });
    let Some((_, kind, form)) = found.or(word.is_none().then_some(&FORMS[0])) else {
        let words: Vec<&str> = FORMS.iter().map(|(word, ..)| *word).collect();
        let error = format!("format is one of {}", words.join(", "));
        return Err(Fault::new(StatusCode::BAD_REQUEST, "bad_input", error));
    };
    Ok((kind, *form))
}

fn values(values: &[Value]) -> Result<Vec<ScalarValue>, Fault> {
    let wrong = |what: String| Fault::new(StatusCode::BAD_REQUEST, "bad_input", what);
    if values.len() > VALUES {
        return Err(wrong(format!("more than {VALUES} values")));
    }
    let read = (1..).zip(values).map(|(place, value)| match value {
        Value::Null => Ok(ScalarValue::Utf8(None)),
        Value::Bool(is) => Ok(ScalarValue::Boolean(Some(*is))),
        Value::String(text) => Ok(ScalarValue::Utf8(Some(text.clone()))),
        Value::Number(number) => match (number.as_i64(), number.as_f64()) {
            (Some(whole), _) => Ok(ScalarValue::Int64(Some(whole))),
            (None, Some(real)) => Ok(ScalarValue::Float64(Some(real))),
            (None, None) => Err(wrong(format!("${place}: {number} is too large"))),
        },
        other => Err(wrong(format!("${place}: {other} is no single value"))),
    });
    read.collect()
}

/// What a client is told, by the code that PostgreSQL has for it.
fn told(fault: Told) -> Fault {
    let (status, code) = match &fault.code[..2] {
        "25" => (StatusCode::FORBIDDEN, "read_only"),
        "53" | "54" => (StatusCode::UNPROCESSABLE_ENTITY, "too_much"),
        "57" => (StatusCode::SERVICE_UNAVAILABLE, "slow"),
        "58" => (StatusCode::SERVICE_UNAVAILABLE, "archive"),
        "XX" => (StatusCode::INTERNAL_SERVER_ERROR, "failed"),
        _ if fault.code == "42501" => (StatusCode::FORBIDDEN, "refused"),
        _ => (StatusCode::BAD_REQUEST, "bad_sql"),
    };
    Fault::new(status, code, fault.told).with("sqlstate", fault.code)
}

/// A question while it is answered.
struct Answering {
    desk: Arc<Desk>,
    caller: Caller,
    case: Option<String>,
    command: Command,
    values: Vec<ScalarValue>,
    form: Format,
    is_over: Arc<AtomicBool>,
}

impl Answering {
    /// Answers into a pipe, and puts on record how that ended before its end is told.
    async fn answer_into(self, mut pipe: Pipe, asked: Arc<Asked>) {
        let sent = pipe.sent();
        let answered = self.answer(&mut pipe).await;
        let (rows, answered) = match answered {
            Ok(rows) => (rows, Ok(())),
            Err((rows, error)) => (rows, Err(error)),
        };
        asked.give(rows, sent.load(Ordering::Relaxed));
        let (outcome, error) = match &answered {
            Ok(()) => (Outcome::Complete, None),
            Err(error) => (Outcome::Failed, Some(error.to_string())),
        };
        let recorded = asked.answered_apart(outcome, error).await;
        match answered.and(recorded) {
            Ok(()) => pipe.close(),
            Err(error) => pipe.fail(told(error.into())).await,
        }
    }

    /// How many rows were given; with what went wrong, so far.
    async fn answer(self, pipe: &mut Pipe) -> Result<u64, (u64, Error)> {
        let begin = async {
            let catalogue = self
                .desk
                .catalogue(&self.caller, self.case.as_deref())
                .await?;
            View::open(&self.desk.room, catalogue, &self.caller.id).await
        };
        let view = begin.await.map_err(|error| (0, error))?;
        let session = view.session.until(PATIENCE, &self.is_over);
        let session = session.at_most(&self.desk.most, &self.caller);
        let about = view.about(&self.caller.id, 0, Default::default());
        let until = Instant::now() + PATIENCE;
        let plan = self.command.answer(&session, &about, self.values);
        let plan = timeout_at(until, plan).await;
        let late = || crate::answer::too_late(PATIENCE);
        let answer = plan
            .unwrap_or_else(|_| Err(late()))
            .map_err(|error| (0, error))?;
        let written = answer.write(self.form, pipe).await;
        let written = written.and_then(|rows| {
            pipe.end().map_err(arrow::error::ArrowError::from)?;
            Ok(rows)
        });
        written.map_err(|error| (session.given(), error))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_form_is_named_or_accepted() {
        let mut headers = HeaderMap::new();
        assert_eq!(form(None, &headers).unwrap().1, Format::Json);
        let accepted = "text/html, application/vnd.apache.arrow.stream;q=0.9";
        headers.insert(ACCEPT, HeaderValue::from_static(accepted));
        assert_eq!(form(None, &headers).unwrap().1, Format::ArrowStream);
        assert_eq!(form(Some("parquet"), &headers).unwrap().1, Format::Parquet);
        assert!(form(Some("exe"), &headers).is_err());
    }

    #[test]
    fn only_one_question_is_taken() {
        assert!(command("SELECT 1").is_ok());
        assert!(command("CALL mispaid()").is_ok());
        for refused in [
            "",
            "SELECT 1; SELECT 2",
            "SET x = 1",
            "DROP TABLE rounds",
            "BEGIN",
        ] {
            assert!(command(refused).is_err(), "{refused}");
        }
    }

    #[test]
    fn values_are_of_the_types_that_json_has() {
        let read = values(&[serde_json::json!("a"), serde_json::json!(5), Value::Null]);
        let wanted = vec![
            ScalarValue::Utf8(Some("a".to_owned())),
            ScalarValue::Int64(Some(5)),
            ScalarValue::Utf8(None),
        ];
        assert_eq!(read.unwrap(), wanted);
        assert!(values(&[serde_json::json!([1])]).is_err());
    }
}
