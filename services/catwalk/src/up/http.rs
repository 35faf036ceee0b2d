//! The local web server: metrics, health, and findings as they come.

use std::net::SocketAddr;
use std::sync::Arc;

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use catwalk_events::json;
use tokio::net::TcpListener;
use tokio::sync::mpsc;

use super::House;
use crate::follow::{self, From};

/// Findings that wait for a slow reader; when there are more, it is left behind.
const WAITING_FINDINGS: usize = 1_000;

/// Serves until the house closes.
pub(crate) async fn serve(listener: TcpListener, house: Arc<House>) -> std::io::Result<()> {
    let stopped = {
        let house = house.clone();
        async move { house.stopped().await }
    };
    let pages = Router::new()
        .route("/metrics", get(metrics))
        .route("/healthz", get(healthz))
        .route("/readyz", get(readyz))
        .route("/findings", get(findings))
        .with_state(house);
    axum::serve(listener, pages)
        .with_graceful_shutdown(stopped)
        .await
}

pub(crate) async fn listen(address: SocketAddr) -> anyhow::Result<TcpListener> {
    let listener = TcpListener::bind(address).await;
    listener.map_err(|error| {
        anyhow::anyhow!("{address}: {error}; choose another address with http.listen")
    })
}

async fn metrics(State(house): State<Arc<House>>) -> Response {
    match house.metrics.page(&*house.log) {
        Ok(page) => ([(CONTENT_TYPE, prometheus::TEXT_FORMAT)], page).into_response(),
        Err(error) => (StatusCode::INTERNAL_SERVER_ERROR, format!("{error:#}\n")).into_response(),
    }
}

/// Is every service that was started still at work?
async fn healthz(State(house): State<Arc<House>>) -> (StatusCode, String) {
    match house.failure() {
        None => (StatusCode::OK, "at work\n".to_owned()),
        Some(failure) => (StatusCode::SERVICE_UNAVAILABLE, format!("{failure}\n")),
    }
}

/// Is every service ready to work?
async fn readyz(State(house): State<Arc<House>>) -> (StatusCode, String) {
    let waiting = house.not_ready();
    match waiting.as_slice() {
        [] => (StatusCode::OK, "ready\n".to_owned()),
        waiting => {
            let text = format!("not ready: {}\n", waiting.join(", "));
            (StatusCode::SERVICE_UNAVAILABLE, text)
        }
    }
}

/// Findings as they come, a JSON object a line, until the reader goes away.
async fn findings(State(house): State<Arc<House>>) -> Response {
    let (send, receive) = mpsc::channel::<Result<Bytes, std::io::Error>>(WAITING_FINDINGS);
    let follower = house
        .formats()
        .and_then(|formats| follow::findings(&*house.log, formats, From::Now));
    let mut follower = match follower {
        Ok(follower) => follower,
        Err(error) => {
            return (StatusCode::INTERNAL_SERVER_ERROR, format!("{error:#}\n")).into_response();
        }
    };
    std::thread::spawn(move || {
        while !house.is_stopping() && !send.is_closed() {
            let Ok(findings) = follower.next(follow::PATIENCE) else {
                return;
            };
            for finding in findings {
                let Ok(line) = json::write_finding(&finding) else {
                    continue;
                };
                if send.blocking_send(Ok(Bytes::from(line + "\n"))).is_err() {
                    return;
                }
            }
        }
    });
    let lines = futures_util::stream::unfold(receive, |mut receive| async {
        receive.recv().await.map(|line| (line, receive))
    });
    (
        [(CONTENT_TYPE, "application/x-ndjson")],
        Body::from_stream(lines),
    )
        .into_response()
}
