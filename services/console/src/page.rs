//! The page itself.

use catwalk_web::axum::Router;
use catwalk_web::axum::body::Body;
use catwalk_web::axum::extract::Path;
use catwalk_web::axum::http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS,
};
use catwalk_web::axum::http::{HeaderValue, StatusCode};
use catwalk_web::axum::response::{IntoResponse, Response};
use catwalk_web::axum::routing::get;
use rust_embed::RustEmbed;

/// What `services/console/web/build.mjs` made.
#[derive(RustEmbed)]
#[folder = "web/dist"]
struct Built;

/// Nothing from elsewhere, nothing written into the page, nobody around it.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; \
                      worker-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

/// The places of the page, which all are one file; the page reads the address itself.
const PLACES: [&str; 19] = [
    "access", "ask", "cases", "duties", "find", "floor", "health", "log", "odds", "people",
    "print", "queue", "reports", "rounds", "rules", "sets", "settings", "shift", "wall",
];

pub(crate) fn routes() -> Router {
    let mut routes = Router::new()
        .route("/", get(index))
        .route("/assets/{name}", get(asset));
    for name in Built::iter().filter(|name| !name.contains('/') && name.ends_with(".svg")) {
        let path = format!("/{name}");
        routes = routes.route(&path, get(async move || file(&name, "no-cache")));
    }
    for place in PLACES {
        routes = routes
            .route(&format!("/{place}"), get(index))
            .route(&format!("/{place}/{{*rest}}"), get(index));
    }
    routes
}

async fn index() -> Response {
    file("index.html", "no-cache")
}

/// A part whose name has the hash of its content: it never changes.
async fn asset(Path(name): Path<String>) -> Response {
    file(
        &format!("assets/{name}"),
        "public, max-age=31536000, immutable",
    )
}

fn file(name: &str, keep: &'static str) -> Response {
    let Some(built) = Built::get(name) else {
        return (StatusCode::NOT_FOUND, "there is no such file\n").into_response();
    };
    let kind = match name.rsplit_once('.').map(|(_, ending)| ending) {
        Some("html") => "text/html; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("svg") => "image/svg+xml",
        _ => "application/octet-stream",
    };
    let headers = [
        (CONTENT_TYPE, HeaderValue::from_static(kind)),
        (CACHE_CONTROL, HeaderValue::from_static(keep)),
        (CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY)),
        (X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
        (REFERRER_POLICY, HeaderValue::from_static("no-referrer")),
    ];
    (headers, Body::from(built.data)).into_response()
}
