//! Named questions.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::sync::Arc;

use catwalk_web::axum::Json;
use catwalk_web::axum::extract::rejection::JsonRejection;
use catwalk_web::axum::extract::{Path, State};
use catwalk_web::axum::http::{HeaderMap, StatusCode};
use catwalk_web::axum::response::Response;
use catwalk_web::{Caller, Fault};
use serde::Deserialize;
use serde_json::{Value, json};

use super::{Desk, View, case_of, fault, question, shown};
use crate::{DefaultValue, Format, NamedQuery, Question, named};

/// A page is given so many rows.
const MOST_ROWS: usize = 10_000;
/// And so much text.
const MOST_BYTES: usize = 32 << 20;

pub(super) async fn queries() -> Result<Response, Fault> {
    let all = named::all().map_err(fault)?;
    let all: Vec<Value> = all.iter().map(told).collect();
    Ok(shown(&Value::Array(all)))
}

fn told(query: &NamedQuery) -> Value {
    let parameters = query.parameters.iter().map(|parameter| {
        let mut told = json!({
            "name": parameter.name,
            "type": parameter.kind.to_string(),
            "about": parameter.meaning,
        });
        match &parameter.default {
            Some(DefaultValue::Value(value)) => told["default"] = value.as_str().into(),
            Some(DefaultValue::None) => told["default"] = Value::Null,
            None => {}
        }
        told
    });
    let audience: Vec<&str> = query.audience.split(',').map(str::trim).collect();
    let mut title = query.name.replace('-', " ");
    if let Some(first) = title.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    json!({
        "name": query.name,
        "title": title,
        "audience": audience,
        "about": query.about,
        "parameters": parameters.collect::<Vec<_>>(),
    })
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Asked {
    #[serde(default)]
    params: BTreeMap<String, Value>,
}

pub(super) async fn ask(
    State(desk): State<Arc<Desk>>,
    caller: Caller,
    headers: HeaderMap,
    Path(name): Path<String>,
    asked: Result<Json<Asked>, JsonRejection>,
) -> Result<Response, Fault> {
    let Json(Asked { params }) = asked?;
    let query = named::find(&name).map_err(fault)?;
    let values = params.into_iter().filter_map(|(name, value)| {
        let text = match value {
            Value::Null => return None,
            Value::String(text) => text,
            other => other.to_string(),
        };
        Some((name, text))
    });
    let values: BTreeMap<String, String> = values.collect();
    let parameters = json!(values).to_string();
    let asked = Question {
        case: case_of(&headers)?,
        ..question(&caller, &query.name, Some(parameters))
    };
    let answer = move |view: View| async move { answer(&view, query, &values).await };
    desk.answer(&caller, asked, answer).await
}

async fn answer(
    view: &View,
    query: &NamedQuery,
    values: &BTreeMap<String, String>,
) -> Result<Value, Fault> {
    let answer = view.session.named(query, values).await.map_err(fault)?;
    let schema = answer.schema();
    let columns: Vec<Value> = schema
        .fields()
        .iter()
        .map(|field| json!({"name": field.name(), "type": field.data_type().to_string()}))
        .collect();
    let mut lines = Lines::default();
    let written = answer.write(Format::Json, &mut lines).await;
    if let Err(error) = written
        && !lines.is_full
    {
        return Err(fault(error));
    }
    let mut rows = Vec::new();
    for line in lines.whole() {
        let row: Value = serde_json::from_slice(line).map_err(|error| {
            let status = StatusCode::INTERNAL_SERVER_ERROR;
            Fault::new(
                status,
                "failed",
                format!("a row could not be told: {error}"),
            )
        })?;
        // What has no value is left out of a line.
        let cell = |name: &String| row.get(name).cloned().unwrap_or(Value::Null);
        let names = schema.fields().iter().map(|field| field.name());
        rows.push(Value::Array(names.map(cell).collect()));
    }
    Ok(json!({
        "version": view.version,
        "columns": columns,
        "rows": rows,
        "more": lines.is_full,
    }))
}

/// Takes lines until there are enough of them.
#[derive(Default)]
struct Lines {
    text: Vec<u8>,
    count: usize,
    is_full: bool,
}

impl Lines {
    fn whole(&self) -> impl Iterator<Item = &[u8]> {
        let lines = self.text.split(|byte| *byte == b'\n');
        lines
            .filter(|line| !line.is_empty())
            .take(MOST_ROWS.min(self.count))
    }
}

impl Write for Lines {
    fn write(&mut self, text: &[u8]) -> io::Result<usize> {
        if self.count >= MOST_ROWS || self.text.len() + text.len() > MOST_BYTES {
            // The end of the last line may come apart from it.
            self.is_full |= !text.iter().all(|byte| *byte == b'\n');
        }
        if self.is_full {
            return Err(io::Error::other("these are enough"));
        }
        self.count += text.iter().filter(|byte| **byte == b'\n').count();
        self.text.extend_from_slice(text);
        Ok(text.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_more_lines_are_taken_than_a_page_is_given() {
        let mut lines = Lines::default();
        for _ in 0..MOST_ROWS {
            lines.write_all(b"{}\n").unwrap();
        }
        assert!(!lines.is_full);
        assert!(lines.write_all(b"{}\n").is_err());
        assert!(lines.is_full);
        assert_eq!(lines.whole().count(), MOST_ROWS);
        // Many in one piece are cut, and it is said.
        let mut lines = Lines::default();
        lines.write_all(&b"{}\n".repeat(MOST_ROWS + 7)).unwrap();
        assert_eq!(lines.whole().count(), MOST_ROWS);
        assert!(lines.count > MOST_ROWS);
    }
}
