//! What each wager is worth, by the engine that settles.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use catwalk_odds::{OddsError, Sheet, odds};
use catwalk_rules::{Edition, Rulebook};
use catwalk_web::Fault;
use catwalk_web::axum::Router;
use catwalk_web::axum::extract::rejection::QueryRejection;
use catwalk_web::axum::extract::{Path, Query, State};
use catwalk_web::axum::http::StatusCode;
use catwalk_web::axum::response::Response;
use catwalk_web::axum::routing::get;
use serde_json::{Map, Value, json};
use tokio::sync::Semaphore;

use crate::book::shown;

/// Options that a table posts are short.
const OPTIONS_BYTES: usize = 4_096;
/// So many sheets are kept.
const KEPT: usize = 200;

struct Counting {
    rulebook: Arc<Rulebook>,
    /// Sheets that were counted, by what was asked.
    kept: Mutex<BTreeMap<String, Arc<Value>>>,
    /// One is counted at a time: it takes a core for seconds.
    turn: Semaphore,
}

pub(crate) fn routes(rulebook: Arc<Rulebook>) -> Router {
    let counting = Counting {
        rulebook,
        kept: Mutex::default(),
        turn: Semaphore::new(1),
    };
    Router::new()
        .route("/api/v1/odds/{game}", get(sheet))
        .with_state(Arc::new(counting))
}

#[derive(Debug, serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct Asked {
    edition: Option<String>,
    /// What the table posts, as a document has it; the rest is the default.
    options: Option<String>,
}

async fn sheet(
    State(counting): State<Arc<Counting>>,
    Path(game): Path<String>,
    asked: Result<Query<Asked>, QueryRejection>,
) -> Result<Response, Fault> {
    let Query(asked) = asked?;
    let options = options(asked.options.as_deref().unwrap_or("{}"))?;
    let unknown = |what: String| Fault::new(StatusCode::NOT_FOUND, "unknown", what);
    let book = counting.rulebook.game(&game);
    let book = book.map_err(|refusal| unknown(refusal.to_string()))?.book();
    let first = book.editions().next().map(Edition::name);
    let edition = asked.edition.as_deref().or(first).unwrap_or_default();
    let key = json!([game, edition, options]).to_string();
    if let Some(known) = counting.known(&key) {
        return Ok(shown(&known));
    }
    let _turn = counting
        .turn
        .acquire()
        .await
        .map_err(|_| failed("nobody counts any more"))?;
    // Somebody may have asked the same meanwhile.
    if let Some(known) = counting.known(&key) {
        return Ok(shown(&known));
    }
    let (rulebook, edition) = (counting.rulebook.clone(), edition.to_owned());
    let counted =
        tokio::task::spawn_blocking(move || odds(&rulebook, &game, &edition, &options, false));
    let sheet = match counted.await {
        Ok(Ok(sheet)) => told(&sheet),
        Ok(Err(OddsError::Unknown(refusal))) => return Err(unknown(refusal.to_string())),
        Ok(Err(error)) => return Err(failed(&error.to_string())),
        Err(_) => return Err(failed("the odds could not be counted")),
    };
    let sheet = Arc::new(sheet);
    counting.keep(key, &sheet);
    Ok(shown(&sheet))
}

fn failed(what: &str) -> Fault {
    Fault::new(StatusCode::INTERNAL_SERVER_ERROR, "failed", what)
}

fn options(text: &str) -> Result<Value, Fault> {
    let bad = |what: String| Fault::new(StatusCode::BAD_REQUEST, "bad_input", what);
    if text.len() > OPTIONS_BYTES {
        return Err(bad(format!(
            "options: {} bytes; {OPTIONS_BYTES} are the most",
            text.len()
        )));
    }
    let options: Map<String, Value> = serde_json::from_str(text).map_err(|error| {
        bad(format!(
            "options: {error}; they are an object such as {{\"decks\":6}}"
        ))
    })?;
    Ok(Value::Object(options))
}

impl Counting {
    fn known(&self, key: &str) -> Option<Arc<Value>> {
        let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.get(key).cloned()
    }

    fn keep(&self, key: String, sheet: &Arc<Value>) {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.len() >= KEPT {
            kept.clear();
        }
        kept.insert(key, Arc::clone(sheet));
    }
}

/// The sheet, with what a page shows of each fraction and cannot work out itself.
fn told(sheet: &Sheet) -> Value {
    let mut told = json!(sheet);
    let lines = told["lines"].as_array_mut().into_iter().flatten();
    for (line, shown) in sheet.lines.iter().zip(lines) {
        shown["basis_words"] = line.basis.words().into();
        let Some(figures) = &line.figures else {
            continue;
        };
        let risk = figures.element_of_risk.as_ref();
        shown["shown"] = json!({
            "win": figures.probability("win").percent(),
            "push": figures.probability("push").percent(),
            "house_edge": figures.house_edge.percent(),
            "element_of_risk": risk.map(|risk| risk.percent()),
            "standard_deviation": format!("{:.4}", figures.standard_deviation()),
            "rows": figures.rows.iter().map(|row| json!({
                "result": row.result,
                "rows": row.rows,
                "gains": row.gains.to_string(),
                "probability": row.probability.percent(),
                "exact": row.probability.to_string(),
            })).collect::<Vec<_>>(),
        });
    }
    told
}
