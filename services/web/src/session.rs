//! The routes with which somebody signs in and out.

use axum::extract::rejection::JsonRejection;
use axum::extract::{Extension, State};
use axum::http::header::{COOKIE, SET_COOKIE};
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::access::{COOKIE_NAME, Door, Peer, session_cookie};
use crate::users::{Credential, KeyHash, SignedIn};
use crate::{Caller, Fault};

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

pub(crate) fn routes(door: Door) -> Router {
    let session = get(told).post(sign_in).delete(sign_out);
    Router::new()
        .route("/api/v1/session", session)
        .route("/api/v1/session/first", post(sign_in_first))
        .route("/api/v1/session/demo", post(sign_in_to_demo))
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
