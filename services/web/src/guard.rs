//! What holds for every request, whoever's route it is.

use std::net::SocketAddr;
use std::time::Duration;

use axum::Router;
use axum::extract::{DefaultBodyLimit, Request};
use axum::http::header::{ALLOW, CONTENT_LENGTH, HOST};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};

use crate::Limits;

/// Wraps routes with what holds for all of them.
pub(crate) fn guard(routes: Router, limits: &Limits, address: SocketAddr) -> Router {
    let (timeout, body_bytes) = (limits.answer_timeout, limits.body_bytes);
    routes
        .layer(DefaultBodyLimit::max(body_bytes))
        .layer(middleware::from_fn(move |request: Request, next: Next| {
            check(request, next, body_bytes, timeout, address)
        }))
}

async fn check(
    request: Request,
    next: Next,
    body_bytes: usize,
    timeout: Duration,
    address: SocketAddr,
) -> Response {
    if !matches!(
        *request.method(),
        Method::GET | Method::HEAD | Method::POST | Method::PUT
    ) {
        let mut refused = told(StatusCode::METHOD_NOT_ALLOWED, "no route has this method");
        let allowed = HeaderValue::from_static("GET, HEAD, POST, PUT");
        refused.headers_mut().insert(ALLOW, allowed);
        return refused;
    }
    if !is_called_by_its_name(request.headers(), address) {
        return told(
            StatusCode::MISDIRECTED_REQUEST,
            "this server answers to the names of its own machine only",
        );
    }
    let length = request.headers().get(CONTENT_LENGTH);
    let length = length.and_then(|length| length.to_str().ok()?.parse::<u64>().ok());
    if length.is_some_and(|length| length > body_bytes as u64) {
        return told(StatusCode::PAYLOAD_TOO_LARGE, "the body is too large");
    }
    match tokio::time::timeout(timeout, next.run(request)).await {
        Ok(response) => response,
        Err(_) => told(StatusCode::REQUEST_TIMEOUT, "it took too long"),
    }
}

fn told(status: StatusCode, why: &str) -> Response {
    (status, format!("{why}\n")).into_response()
}

/// Whether the request names this machine. A page of another name may have been made to lead here.
fn is_called_by_its_name(headers: &HeaderMap, address: SocketAddr) -> bool {
    let Some(host) = headers.get(HOST).and_then(|host| host.to_str().ok()) else {
        // HTTP/1.0 has none, and no browser speaks it.
        return headers.get(HOST).is_none();
    };
    let name = match host.strip_prefix('[') {
        Some(rest) => rest.split(']').next().unwrap_or_default(),
        None => host.split(':').next().unwrap_or_default(),
    };
    match name.parse::<std::net::IpAddr>() {
        Ok(ip) => ip.is_loopback() || ip == address.ip(),
        Err(_) => name.eq_ignore_ascii_case("localhost"),
    }
}
