//! What holds for every request, whoever's route it is.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::HttpBody;
use axum::extract::{DefaultBodyLimit, Request};
use axum::http::header::{
    ALLOW, CACHE_CONTROL, CONTENT_LENGTH, CONTENT_SECURITY_POLICY, CONTENT_TYPE, HOST,
    REFERRER_POLICY, STRICT_TRANSPORT_SECURITY, X_CONTENT_TYPE_OPTIONS, X_FRAME_OPTIONS,
};
use axum::http::{Extensions, HeaderMap, HeaderName, HeaderValue, Method, StatusCode, Version};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use tower_http::compression::CompressionLayer;

use crate::access::{Door, Peer, identify};
use crate::streams::Streams;
use crate::tls::Tls;
use crate::{Fault, Limits, session};

/// A page may load what this server has, and nothing else; nobody may put it into a frame.
const CONTENT_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; \
    font-src 'self'; connect-src 'self'; worker-src 'self'; manifest-src 'self'; base-uri 'none'; \
    form-action 'self'; frame-ancestors 'none'";
/// What is small is not made smaller.
const COMPRESSED_FROM_BYTES: u64 = 1024;

struct Rules {
    timeout: Duration,
    body_bytes: usize,
    address: SocketAddr,
    tls: Option<Arc<Tls>>,
}

/// Wraps routes with what holds for all of them; with users, they know who asks.
pub(crate) fn guard(
    routes: Router,
    limits: &Limits,
    address: SocketAddr,
    tls: Option<Arc<Tls>>,
    streams: Streams,
    users: Option<crate::Users>,
) -> Router {
    let rules = Arc::new(Rules {
        timeout: limits.answer_timeout,
        body_bytes: limits.body_bytes,
        address,
        tls,
    });
    let is_tls = rules.tls.is_some();
    let routes = match users {
        Some(users) => {
            let door = Door {
                users,
                is_tls,
                streams,
            };
            let routes = routes.merge(session::routes(door.clone()));
            routes.layer(middleware::from_fn_with_state(door, identify))
        }
        None => routes.layer(middleware::from_fn(move |request: Request, next: Next| {
            watch(request, next, streams.clone())
        })),
    };
    let compressed = CompressionLayer::new().compress_when(is_compressed);
    routes
        .layer(compressed)
        .layer(DefaultBodyLimit::max(limits.body_bytes))
        .layer(middleware::from_fn(move |request: Request, next: Next| {
            check(request, next, rules.clone())
        }))
        .layer(middleware::from_fn(move |request: Request, next: Next| {
            finish(request, next, is_tls)
        }))
}

/// Without users, streams are counted by the address they go to.
async fn watch(request: Request, next: Next, streams: Streams) -> Response {
    let peer = request.extensions().get::<Peer>();
    let reader = peer
        .map(|peer| peer.address.to_string())
        .unwrap_or_default();
    streams.watch(next.run(request).await, &reader, None)
}

async fn check(request: Request, next: Next, rules: Arc<Rules>) -> Response {
    if !matches!(
        *request.method(),
        Method::GET
            | Method::HEAD
            | Method::POST
            | Method::PUT
            | Method::DELETE
            // Which methods it has, each route says itself.
            | Method::OPTIONS
    ) {
        let mut refused = told(
            StatusCode::METHOD_NOT_ALLOWED,
            "method",
            "no route has this method",
        );
        let allowed = HeaderValue::from_static("GET, HEAD, POST, PUT, DELETE");
        refused.headers_mut().insert(ALLOW, allowed);
        return refused;
    }
    if !is_called_by_its_name(request.headers(), &rules) {
        return told(
            StatusCode::MISDIRECTED_REQUEST,
            "wrong_name",
            "this server answers to the names of its own machine, and to those in its certificate, only",
        );
    }
    let length = request.headers().get(CONTENT_LENGTH);
    let length = length.and_then(|length| length.to_str().ok()?.parse::<u64>().ok());
    if length.is_some_and(|length| length > rules.body_bytes as u64) {
        return told(
            StatusCode::PAYLOAD_TOO_LARGE,
            "too_large",
            "the body is too large",
        );
    }
    match tokio::time::timeout(rules.timeout, next.run(request)).await {
        Ok(response) => response,
        Err(_) => told(StatusCode::REQUEST_TIMEOUT, "timeout", "it took too long"),
    }
}

fn told(status: StatusCode, code: &'static str, why: &str) -> Response {
    Fault::new(status, code, why).into_response()
}

/// What browsers are told of every answer.
async fn finish(request: Request, next: Next, is_tls: bool) -> Response {
    let is_api = request.uri().path().starts_with("/api/");
    let mut response = next.run(request).await;
    let status = response.status();
    let is_bare = status.is_client_error() && response.body().is_end_stream();
    if is_api && is_bare {
        // The router's own answers have no body.
        let (code, why) = match status {
            StatusCode::NOT_FOUND => ("not_found", "there is nothing here"),
            StatusCode::METHOD_NOT_ALLOWED => ("method", "this route has not this method"),
            _ => ("refused", "the request was refused"),
        };
        let allowed = response.headers_mut().remove(ALLOW);
        response = told(status, code, why);
        if let Some(allowed) = allowed {
            response.headers_mut().insert(ALLOW, allowed);
        }
    }
    let headers = response.headers_mut();
    if is_api {
        headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    }
    let mut always = |name: HeaderName, value: &'static str| {
        headers.insert(name, HeaderValue::from_static(value));
    };
    always(CONTENT_SECURITY_POLICY, CONTENT_POLICY);
    always(X_CONTENT_TYPE_OPTIONS, "nosniff");
    always(X_FRAME_OPTIONS, "DENY");
    always(REFERRER_POLICY, "no-referrer");
    always(
        HeaderName::from_static("cross-origin-opener-policy"),
        "same-origin",
    );
    always(
        HeaderName::from_static("cross-origin-resource-policy"),
        "same-origin",
    );
    if is_tls {
        always(STRICT_TRANSPORT_SECURITY, "max-age=31536000");
    }
    response
}

/// Texts that are long; never what goes on, which must not wait until it is worth to be compressed.
fn is_compressed(_: StatusCode, _: Version, headers: &HeaderMap, _: &Extensions) -> bool {
    let length = headers
        .get(CONTENT_LENGTH)
        .and_then(|length| length.to_str().ok()?.parse().ok());
    let kind = headers
        .get(CONTENT_TYPE)
        .and_then(|kind| kind.to_str().ok())
        .unwrap_or_default();
    let kind = kind.split(';').next().unwrap_or_default().trim();
    let is_text = matches!(
        kind,
        "application/json"
            | "application/javascript"
            | "image/svg+xml"
            | "text/html"
            | "text/css"
            | "text/javascript"
            | "text/plain"
            | "text/csv"
    );
    is_text && length.is_none_or(|length: u64| length >= COMPRESSED_FROM_BYTES)
}

/// Whether the request names this machine, or what the certificate is for. A page of another name may have been made
/// to lead here.
fn is_called_by_its_name(headers: &HeaderMap, rules: &Rules) -> bool {
    let Some(host) = headers.get(HOST).and_then(|host| host.to_str().ok()) else {
        // HTTP/1.0 has none, and no browser speaks it.
        return headers.get(HOST).is_none();
    };
    let name = match host.strip_prefix('[') {
        Some(rest) => rest.split(']').next().unwrap_or_default(),
        None => host.split(':').next().unwrap_or_default(),
    };
    let is_own = match name.parse::<std::net::IpAddr>() {
        Ok(ip) => ip.is_loopback() || ip == rules.address.ip(),
        Err(_) => name.eq_ignore_ascii_case("localhost"),
    };
    is_own || rules.tls.as_ref().is_some_and(|tls| tls.is_for(name))
}
