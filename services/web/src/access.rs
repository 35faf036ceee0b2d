//! From whom a request comes, and whether it was they who meant it.

use std::net::IpAddr;

use axum::extract::{Request, State};
use axum::http::header::{AUTHORIZATION, COOKIE, HOST, ORIGIN};
use axum::http::{HeaderMap, HeaderName, Method, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::Fault;
use crate::oidc::Oidc;
use crate::streams::Streams;
use crate::users::{Credential, KeyHash, SignedIn, Users};

/// The cookie of a session.
pub(crate) const COOKIE_NAME: &str = "catwalk_session";
const SEC_FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");
const SEC_FETCH_MODE: HeaderName = HeaderName::from_static("sec-fetch-mode");
/// More signs than any token of ours has.
const TOKEN_BYTES: usize = 256;

/// The other end of a connection.
#[derive(Debug, Clone)]
pub(crate) struct Peer {
    pub(crate) address: IpAddr,
    /// The name in its certificate.
    pub(crate) device: Option<String>,
}

/// What the routes of a server with users share.
#[derive(Debug, Clone)]
pub(crate) struct Door {
    pub(crate) users: Users,
    pub(crate) is_tls: bool,
    pub(crate) streams: Streams,
}

/// Finds out who asks, and lets the request through with it.
pub(crate) async fn identify(
    State(door): State<Door>,
    mut request: Request,
    next: Next,
) -> Response {
    let found = match door.who(&request) {
        Ok(Known::Now(found)) => Ok(found),
        Ok(Known::ByProvider(token, station)) => door.vouched_for(token, &station).await,
        Err(fault) => Err(fault),
    };
    let found = match found {
        Ok(found) => found,
        Err(fault) => return fault.into_response(),
    };
    // What somebody does may name another.
    request.extensions_mut().insert(door.users.clone());
    let mut reader = "nobody".to_owned();
    let mut right = None;
    if let Some((credential, signed_in)) = found {
        reader.clone_from(&signed_in.caller.id);
        right = Some((door.users.clone(), credential.clone()));
        let extensions = request.extensions_mut();
        extensions.insert(signed_in.caller.clone());
        extensions.insert(signed_in);
        extensions.insert(credential);
    }
    let response = next.run(request).await;
    door.streams.watch(response, &reader, right)
}

/// Somebody and what it proves that, if anybody.
type Found = Option<(Credential, SignedIn)>;

/// Whether it is known who asks, or the provider's keys have to be seen for it.
enum Known {
    Now(Found),
    /// The token, and where it comes from.
    ByProvider(String, String),
}

impl Door {
    fn who(&self, request: &Request) -> Result<Known, Fault> {
        let Some(peer) = request.extensions().get::<Peer>() else {
            unreachable!("the server puts it there");
        };
        if !peer.address.is_loopback() && self.users.is_nobody_there()? {
            let why =
                "there is no user yet: until the first is made, only this machine is answered";
            return Err(Fault::new(StatusCode::FORBIDDEN, "no_users", why));
        }
        let headers = request.headers();
        let station = peer.address.to_string();
        if headers.contains_key(AUTHORIZATION) {
            // Whoever sends a token means it: one that is not valid is not passed over.
            let token = bearer(headers).ok_or_else(Fault::not_signed_in)?;
            if token.contains('.') && self.users.provider().is_some_and(Oidc::takes_tokens) {
                return Ok(Known::ByProvider(token.to_owned(), station));
            }
            let of_ours = Some(token).filter(|token| token.len() <= TOKEN_BYTES);
            let key = of_ours.map(KeyHash::of).ok_or_else(Fault::not_signed_in)?;
            return self
                .proved(Credential::Token(key), &station)
                .map(Known::Now);
        }
        let cookie = session_cookie(headers);
        self.check_origin(request.method(), headers, headers.contains_key(COOKIE))?;
        let device = peer.device.clone().map(Credential::Device);
        for credential in [device, cookie].into_iter().flatten() {
            if let Some(signed_in) = self.users.who(&credential, &station)? {
                return Ok(Known::Now(Some((credential, signed_in))));
            }
        }
        Ok(Known::Now(None))
    }

    async fn vouched_for(&self, token: String, station: &str) -> Result<Found, Fault> {
        let vouched = self.users.vouched_for(token).await?;
        self.proved(vouched.ok_or_else(Fault::not_signed_in)?, station)
    }

    /// Who is proved to ask; a credential that is not valid is not passed over.
    fn proved(&self, credential: Credential, station: &str) -> Result<Found, Fault> {
        let signed_in = self.users.who(&credential, station)?;
        let signed_in = signed_in.ok_or_else(Fault::not_signed_in)?;
        Ok(Some((credential, signed_in)))
    }

    /// A browser sends cookies and certificates whoever's page makes it ask: what another origin asks for is refused.
    fn check_origin(
        &self,
        method: &Method,
        headers: &HeaderMap,
        has_cookie: bool,
    ) -> Result<(), Fault> {
        let site = headers.get(SEC_FETCH_SITE).map(|site| site.as_bytes());
        let is_navigation = headers
            .get(SEC_FETCH_MODE)
            .is_some_and(|mode| mode == "navigate");
        let is_own = if matches!(*method, Method::GET | Method::HEAD) {
            // A link from elsewhere may lead here; a page from elsewhere may not read.
            is_navigation || !matches!(site, Some(b"cross-site" | b"same-site"))
        } else {
            let site = site.map(|site| site == b"same-origin");
            match (site, self.is_own_origin(headers)) {
                (Some(false), _) | (_, Some(false)) => false,
                (Some(true), _) | (_, Some(true)) => true,
                (None, None) => !has_cookie,
            }
        };
        match is_own {
            true => Ok(()),
            false => {
                let why = "this was asked for by another page, or by a program that sends a cookie and no Origin";
                Err(Fault::new(StatusCode::FORBIDDEN, "cross_origin", why))
            }
        }
    }

    fn is_own_origin(&self, headers: &HeaderMap) -> Option<bool> {
        let origin = headers.get(ORIGIN)?.to_str().unwrap_or_default();
        let host = headers.get(HOST).and_then(|host| host.to_str().ok());
        let scheme = if self.is_tls { "https" } else { "http" };
        let own = host.map(|host| format!("{scheme}://{host}"));
        Some(own.is_some_and(|own| own.eq_ignore_ascii_case(origin)))
    }
}

/// The one token that a program sends.
fn bearer(headers: &HeaderMap) -> Option<&str> {
    let mut sent = headers.get_all(AUTHORIZATION).iter();
    let (only, None) = (sent.next()?, sent.next()) else {
        return None;
    };
    let (scheme, token) = only.to_str().ok()?.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
}

/// The session of the one session cookie.
pub(crate) fn session_cookie(headers: &HeaderMap) -> Option<Credential> {
    let key = cookie(headers, COOKIE_NAME)?;
    Some(Credential::Session(KeyHash::of(key)))
}

/// The one cookie of that name; of two nobody knows which is meant.
pub(crate) fn cookie<'a>(headers: &'a HeaderMap, wanted: &str) -> Option<&'a str> {
    let sent = headers.get_all(COOKIE).iter();
    let pairs = sent.filter_map(|cookies| cookies.to_str().ok());
    let pairs = pairs.flat_map(|cookies| cookies.split(';'));
    let mut keys = pairs.filter_map(|pair| {
        let (name, key) = pair.trim().split_once('=')?;
        (name == wanted && key.len() <= TOKEN_BYTES).then_some(key)
    });
    let (only, None) = (keys.next()?, keys.next()) else {
        return None;
    };
    Some(only)
}
