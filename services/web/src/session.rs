//! The routes with which somebody signs in and out.

use axum::extract::rejection::{JsonRejection, QueryRejection};
use axum::extract::{Extension, Query, State};
use axum::http::header::{ACCEPT, CONTENT_LENGTH, CONTENT_TYPE, COOKIE, LOCATION, SET_COOKIE};
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::access::{COOKIE_NAME, Door, Peer, cookie, session_cookie};
use crate::oidc::{CALLBACK, PATIENCE};
use crate::users::{BroughtBack, Credential, KeyHash, SignedIn};
use crate::{Caller, Fault};

/// Where somebody is sent to the provider from.
const TO_PROVIDER: &str = "/api/v1/session/oidc";
/// The cookie of a browser that is at the provider now.
const AT_PROVIDER: &str = "catwalk_sign_in";

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SignIn {
    user: String,
    password: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SignInFirst {
    token: String,
    user: String,
    password: String,
}

/// What a provider sends a browser back with. It may send more.
#[derive(Deserialize)]
struct FromProvider {
    state: Option<String>,
    code: Option<String>,
    error: Option<String>,
    iss: Option<String>,
}

pub(crate) fn routes(door: Door) -> Router {
    let session = get(told).post(sign_in).delete(sign_out);
    Router::new()
        .route("/api/v1/session", session)
        .route("/api/v1/session/first", post(sign_in_first))
        .route("/api/v1/session/demo", post(sign_in_to_demo))
        .route("/api/v1/session/ways", get(ways))
        .route(TO_PROVIDER, get(to_provider))
        .route(CALLBACK, get(from_provider))
        .with_state(door)
}

/// Who is signed in.
async fn told(
    State(door): State<Door>,
    signed_in: Option<Extension<SignedIn>>,
) -> Result<Json<Value>, Fault> {
    let Extension(signed_in) = signed_in.ok_or_else(Fault::not_signed_in)?;
    Ok(Json(door.session(&signed_in)))
}

async fn sign_in(
    State(door): State<Door>,
    Extension(peer): Extension<Peer>,
    headers: HeaderMap,
    body: Result<Json<SignIn>, JsonRejection>,
) -> Result<Response, Fault> {
    let Json(SignIn { user, password }) = body?;
    let before = session_of(&headers);
    let (key, signed_in) = door
        .users
        .sign_in(user, password, peer.address, before)
        .await?;
    Ok(door.begun(&key, &signed_in))
}

async fn sign_in_first(
    State(door): State<Door>,
    Extension(peer): Extension<Peer>,
    body: Result<Json<SignInFirst>, JsonRejection>,
) -> Result<Response, Fault> {
    let Json(SignInFirst {
        token,
        user,
        password,
    }) = body?;
    let (key, signed_in) = door
        .users
        .sign_in_first(token, user, password, peer.address)
        .await?;
    Ok(door.begun(&key, &signed_in))
}

async fn sign_in_to_demo(
    State(door): State<Door>,
    Extension(peer): Extension<Peer>,
    headers: HeaderMap,
) -> Result<Response, Fault> {
    let (key, signed_in) = door
        .users
        .sign_in_to_demo(peer.address, session_of(&headers))?;
    Ok(door.begun(&key, &signed_in))
}

/// How somebody may sign in here.
async fn ways(State(door): State<Door>) -> Result<Json<Value>, Fault> {
    let users = &door.users;
    let provider = users.provider();
    let provider = provider.map(|oidc| json!({"name": oidc.name(), "at": TO_PROVIDER}));
    Ok(Json(json!({
        "password": !users.is_demo(),
        "provider": provider,
        "demo": users.is_demo(),
        "first": users.is_nobody_there()?,
    })))
}

/// Sends a browser to the provider.
async fn to_provider(
    State(door): State<Door>,
    Extension(peer): Extension<Peer>,
    headers: HeaderMap,
) -> Response {
    match door.users.begin_at_provider(peer.address).await {
        Ok(sent) => {
            let seconds = PATIENCE.as_secs();
            let cookie = door.at_provider(&format!("{}; Max-Age={seconds}", sent.browser));
            (
                StatusCode::SEE_OTHER,
                [(LOCATION, sent.to), (SET_COOKIE, cookie)],
            )
                .into_response()
        }
        Err(fault) => seen(fault, &headers),
    }
}

/// A browser comes back from the provider, and is signed in.
async fn from_provider(
    State(door): State<Door>,
    Extension(peer): Extension<Peer>,
    headers: HeaderMap,
    brought: Result<Query<FromProvider>, QueryRejection>,
) -> Response {
    let signed_in = match brought {
        Ok(Query(brought)) => {
            let back = BroughtBack {
                state: brought.state.unwrap_or_default(),
                browser: cookie(&headers, AT_PROVIDER).unwrap_or_default().to_owned(),
                answered: match (brought.code, brought.error) {
                    (Some(code), None) => Ok(code),
                    (_, error) => Err(error.unwrap_or_default()),
                },
                issuer: brought.iss,
            };
            let before = session_of(&headers);
            door.users
                .sign_in_by_provider(back, peer.address, before)
                .await
        }
        Err(rejection) => Err(rejection.into()),
    };
    let mut response = match signed_in {
        Ok((key, signed_in)) => {
            let cookie = door
                .begun(&key, &signed_in)
                .headers()
                .get(SET_COOKIE)
                .cloned();
            let mut response = (StatusCode::SEE_OTHER, [(LOCATION, "/")]).into_response();
            response
                .headers_mut()
                .extend(cookie.map(|cookie| (SET_COOKIE, cookie)));
            response
        }
        Err(fault) => seen(fault, &headers),
    };
    // What was underway is over, however it has ended.
    if let Ok(over) = HeaderValue::try_from(door.at_provider("; Max-Age=0")) {
        response.headers_mut().append(SET_COOKIE, over);
    }
    response
}

/// What went wrong, as a page for whoever reads pages.
fn seen(fault: Fault, headers: &HeaderMap) -> Response {
    let accepted = headers.get(ACCEPT).and_then(|kind| kind.to_str().ok());
    if !accepted.is_some_and(|accepted| accepted.contains("text/html")) {
        return fault.into_response();
    }
    let why = fault.to_string();
    let why = why.replace('&', "&amp;").replace('<', "&lt;");
    let page = format!(
        "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>Not signed in</title>\
         <h1>Not signed in</h1><p>{why}</p>\
         <p><a href=\"{TO_PROVIDER}\">Try again</a> or <a href=\"/\">sign in with a password</a></p></html>"
    );
    let mut response = fault.into_response();
    let kind = HeaderValue::from_static("text/html; charset=utf-8");
    response.headers_mut().insert(CONTENT_TYPE, kind);
    response.headers_mut().remove(CONTENT_LENGTH);
    response.map(|_| page.into())
}

async fn sign_out(
    State(door): State<Door>,
    caller: Caller,
    Extension(credential): Extension<Credential>,
) -> Result<Response, Fault> {
    let Credential::Session(key) = credential else {
        let why = "a token or a certificate is no session: it ends when it is revoked";
        return Err(Fault::new(StatusCode::BAD_REQUEST, "no_session", why));
    };
    door.users.sign_out(key, &caller)?;
    let cookie = format!("{COOKIE_NAME}=; Max-Age=0{}", door.attributes());
    Ok((StatusCode::NO_CONTENT, [(SET_COOKIE, cookie)]).into_response())
}

fn session_of(headers: &HeaderMap) -> Option<KeyHash> {
    headers
        .contains_key(COOKIE)
        .then(|| session_cookie(headers))
        .flatten()
        .and_then(|credential| match credential {
            Credential::Session(key) => Some(key),
            _ => None,
        })
}

impl Door {
    fn begun(&self, key: &str, signed_in: &SignedIn) -> Response {
        let seconds = signed_in
            .expires
            .map_or(0, |expires| expires.left().as_secs());
        let cookie = format!(
            "{COOKIE_NAME}={key}; Max-Age={seconds}{}",
            self.attributes()
        );
        let mut response = Json(self.session(signed_in)).into_response();
        if let Ok(cookie) = HeaderValue::try_from(cookie) {
            response.headers_mut().insert(SET_COOKIE, cookie);
        }
        response
    }

    /// The cookie of a browser at the provider.
    fn at_provider(&self, value: &str) -> String {
        let secure = if self.is_tls { "; Secure" } else { "" };
        format!("{AT_PROVIDER}={value}; Path={TO_PROVIDER}; HttpOnly; SameSite=Lax{secure}")
    }

    fn attributes(&self) -> &'static str {
        match self.is_tls {
            true => "; Path=/; HttpOnly; SameSite=Lax; Secure",
            false => "; Path=/; HttpOnly; SameSite=Lax",
        }
    }

    fn session(&self, signed_in: &SignedIn) -> Value {
        let SignedIn {
            caller,
            expires,
            is_demo,
        } = signed_in;
        let user = json!({"id": caller.id, "name": caller.name, "roles": caller.roles,
            "properties": caller.properties});
        json!({"user": user, "demo": is_demo, "expires": expires, "house": self.users.house()})
    }
}
