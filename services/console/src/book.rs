//! The rulebook as data.

use std::sync::Arc;

use catwalk_rules::{Edition, Rulebook};
use catwalk_web::Fault;
use catwalk_web::axum::Router;
use catwalk_web::axum::extract::rejection::QueryRejection;
use catwalk_web::axum::extract::{Path, Query, State};
use catwalk_web::axum::http::StatusCode;
use catwalk_web::axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use catwalk_web::axum::response::{IntoResponse, Response};
use catwalk_web::axum::routing::get;
use serde_json::{Value, json};

pub(crate) fn routes(rulebook: Arc<Rulebook>) -> Router {
    Router::new()
        .route("/api/v1/rules", get(games))
        .route("/api/v1/rules/{game}", get(game))
        .with_state(rulebook)
}

async fn games(State(rulebook): State<Arc<Rulebook>>) -> Response {
    let games = rulebook.games().map(|game| {
        let book = game.book();
        let editions: Vec<Edition> = book.editions().collect();
        json!({"game": book.game(), "title": book.title(), "editions": editions, "hash": book.hash()})
    });
    let games: Vec<Value> = games.collect();
    shown(&json!({"games": games, "hash": rulebook.hash()}))
}

#[derive(Debug, serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct Which {
    edition: Option<String>,
}

/// One book: with an edition, what holds in it.
async fn game(
    State(rulebook): State<Arc<Rulebook>>,
    Path(name): Path<String>,
    which: Result<Query<Which>, QueryRejection>,
) -> Result<Response, Fault> {
    let Query(Which { edition }) = which?;
    let unknown = |what: String| Fault::new(StatusCode::NOT_FOUND, "unknown", what);
    let game = match &edition {
        Some(edition) => rulebook.game_in(&name, edition),
        None => rulebook.game(&name),
    };
    let book = game.map_err(|refusal| unknown(refusal.to_string()))?.book();
    let Some(asked) = edition else {
        return Ok(shown(&json!(book)));
    };
    // What another edition says is no answer.
    let edition = rulebook.edition(&asked);
    let edition = edition.filter(|edition| book.editions().any(|has| has == *edition));
    let Some(edition) = edition else {
        let has: Vec<&str> = book.editions().map(Edition::name).collect();
        let has = has.join(", ");
        return Err(unknown(format!(
            "{name} has no edition {asked:?}; it has {has}"
        )));
    };
    Ok(shown(&json!(book.in_edition(Some(edition)))))
}

pub(crate) fn shown(body: &Value) -> Response {
    let headers = [
        (CONTENT_TYPE, "application/json"),
        (CACHE_CONTROL, "no-store"),
    ];
    (headers, body.to_string()).into_response()
}
