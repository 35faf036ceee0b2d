//! The provider as it is asked: what it says of itself, its keys, and what it gives for a code.

use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use ureq::Agent;
use ureq::http::Response;
use ureq::tls::{PemItem, RootCerts, TlsConfig, parse_pem};
use url::{Host, Url, form_urlencoded};

use super::jwt::{Key, Token};
use super::{OidcError, OidcSettings, Refused, Trouble};

/// The provider answers in this time, or is taken to be down.
const ANSWER: Duration = Duration::from_secs(10);
/// More than any answer has.
const MOST_BYTES: u64 = 1 << 20;
/// What it says of itself, and its keys, are asked for again after so long.
const KEPT: Duration = Duration::from_secs(3600);
/// While it does not answer, its keys are believed for so long.
const BELIEVED: Duration = Duration::from_secs(24 * 3600);
/// A key that is not known is looked for no more often than this.
const LOOK: Duration = Duration::from_secs(30);

/// What a provider says of itself (OpenID Connect Discovery 1.0).
#[derive(Debug, Deserialize)]
pub(super) struct Metadata {
    issuer: String,
    pub(super) authorization_endpoint: String,
    token_endpoint: String,
    jwks_uri: String,
    userinfo_endpoint: Option<String>,
    token_endpoint_auth_methods_supported: Option<Vec<String>>,
    code_challenge_methods_supported: Option<Vec<String>>,
}

#[derive(Debug, Deserialize)]
struct KeySet {
    /// What is no key of a kind that is known is passed over.
    keys: Vec<Value>,
}

/// What is given for a code.
#[derive(Debug, Deserialize)]
pub(super) struct Given {
    pub(super) id_token: String,
    pub(super) access_token: Option<String>,
}

#[derive(Debug)]
pub(super) struct Provider {
    agent: Agent,
    issuer: String,
    client: String,
    secret: Option<String>,
    redirect: String,
    /// Where it may have us ask.
    origins: Vec<url::Origin>,
    known: Mutex<Known>,
    /// Held by whoever asks for keys: others wait for what comes.
    asking: Mutex<()>,
}

#[derive(Debug, Default)]
struct Known {
    metadata: Option<(Arc<Metadata>, Instant)>,
    keys: Option<(Arc<Vec<Key>>, Instant)>,
    /// When the keys were asked for last, whatever came.
    looked: Option<Instant>,
}

impl Provider {
    pub(super) fn new(settings: &OidcSettings) -> Result<Provider, OidcError> {
        let issuer = address("oidc.issuer", &settings.issuer)?;
        let mut origins = vec![issuer.origin()];
        for also in &settings.also {
            origins.push(address("oidc.also", also)?.origin());
        }
        address("oidc.redirect_url", &settings.redirect)?;
        let mut tls = TlsConfig::builder();
        if let Some(path) = &settings.ca {
            let failed = |source| OidcError::File {
                path: path.clone(),
                source,
            };
            let pem = std::fs::read(path).map_err(failed)?;
            let certificates: Vec<_> = parse_pem(&pem)
                .filter_map(|item| match item {
                    Ok(PemItem::Certificate(certificate)) => Some(certificate),
                    _ => None,
                })
                .collect();
            if certificates.is_empty() {
                return Err(failed(io::Error::other("there is no certificate in it")));
            }
            tls = tls.root_certs(RootCerts::new_with_certs(&certificates));
        }
        let agent = Agent::config_builder()
            .tls_config(tls.build())
            .http_status_as_error(false)
            .proxy(None)
            .max_redirects(0)
            .max_redirects_will_error(false)
            .timeout_global(Some(ANSWER))
            .build();
        Ok(Provider {
            agent: agent.into(),
            issuer: settings.issuer.clone(),
            client: settings.client.clone(),
            secret: settings.secret()?,
            redirect: settings.redirect.clone(),
            origins,
            known: Mutex::default(),
            asking: Mutex::default(),
        })
    }

    /// What it says of itself, asked for if that is not known, or long ago.
    pub(super) fn metadata(&self) -> Result<Arc<Metadata>, Trouble> {
        if let Some((metadata, at)) = &self.lock().metadata
            && at.elapsed() < KEPT
        {
            return Ok(metadata.clone());
        }
        let begin = self.issuer.trim_end_matches('/');
        let at = format!("{begin}/.well-known/openid-configuration");
        let metadata: Metadata = self.get(&at, None)?;
        if metadata.issuer != self.issuer {
            let own = &metadata.issuer;
            return Err(down(format!(
                "it calls itself {own:?}, and oidc.issuer is {:?}",
                self.issuer
            )));
        }
        let methods = metadata.code_challenge_methods_supported.as_ref();
        if methods.is_some_and(|methods| !methods.iter().any(|method| method == "S256")) {
            return Err(down("it does not know PKCE with S256".to_owned()));
        }
        let endpoints = [
            Some(&metadata.authorization_endpoint),
            Some(&metadata.token_endpoint),
            Some(&metadata.jwks_uri),
            metadata.userinfo_endpoint.as_ref(),
        ];
        for endpoint in endpoints.into_iter().flatten() {
            self.check(endpoint)?;
        }
        let metadata = Arc::new(metadata);
        self.lock().metadata = Some((metadata.clone(), Instant::now()));
        Ok(metadata)
    }

    /// What it gives for a code.
    pub(super) fn redeem(&self, code: &str, verifier: &str) -> Result<Given, Trouble> {
        let metadata = self.metadata()?;
        let mut form = form_urlencoded::Serializer::new(String::new());
        form.append_pair("grant_type", "authorization_code")
            .append_pair("code", code)
            .append_pair("redirect_uri", &self.redirect)
            .append_pair("code_verifier", verifier);
        let mut ask = self.agent.post(&metadata.token_endpoint);
        let methods = metadata.token_endpoint_auth_methods_supported.as_ref();
        let basic =
            methods.is_none_or(|all| all.iter().any(|method| method == "client_secret_basic"));
        match &self.secret {
            Some(secret) if basic => {
                let quoted = |text: &str| -> String {
                    form_urlencoded::byte_serialize(text.as_bytes()).collect()
                };
                ask = ask.header(
                    "Authorization",
                    super::basic(&quoted(&self.client), &quoted(secret)),
                );
            }
            Some(secret) => {
                form.append_pair("client_id", &self.client)
                    .append_pair("client_secret", secret);
            }
            None => {
                form.append_pair("client_id", &self.client);
            }
        }
        let answer = ask
            .header("Accept", "application/json")
            .content_type("application/x-www-form-urlencoded")
            .send(form.finish());
        let (status, body) = self.heard(&metadata.token_endpoint, answer)?;
        if status == 200 {
            return self.read(&metadata.token_endpoint, &body);
        }
        #[derive(Deserialize)]
        struct Wrong {
            error: String,
        }
        match serde_json::from_str::<Wrong>(&body) {
            // A fault of ours, which only whoever runs the service can put right.
            Ok(wrong) if wrong.error.contains("client") => {
                Err(down(format!("it refuses this client: {:?}", wrong.error)))
            }
            Ok(wrong) => {
                Err(Refused(format!("it takes the code for none: {:?}", wrong.error)).into())
            }
            Err(_) => Err(down(format!(
                "{} answers {status}",
                metadata.token_endpoint
            ))),
        }
    }

    /// What it says of the holder of an access token.
    pub(super) fn user_info(&self, access_token: &str) -> Result<Map<String, Value>, Trouble> {
        match &self.metadata()?.userinfo_endpoint {
            Some(at) => self.get(at, Some(access_token)),
            None => Ok(Map::new()),
        }
    }

    /// The keys with which it signs. Where none of those that are known may be the token's, they are asked for again.
    pub(super) fn keys_for(&self, token: &Token<'_>) -> Result<Arc<Vec<Key>>, Trouble> {
        if let Some(keys) = self.kept_keys(token) {
            return Ok(keys);
        }
        let _asking = self.asking.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(keys) = self.kept_keys(token) {
            return Ok(keys);
        }
        let kept = self.lock().keys.clone();
        self.lock().looked = Some(Instant::now());
        let asked = self
            .metadata()
            .and_then(|metadata| self.get(&metadata.jwks_uri, None));
        let asked: KeySet = match (asked, kept) {
            (Ok(asked), _) => asked,
            (Err(_), Some((keys, at))) if at.elapsed() < BELIEVED => return Ok(keys),
            (Err(trouble), _) => return Err(trouble),
        };
        let keys = asked.keys.into_iter();
        let keys: Vec<Key> = keys
            .filter_map(|key| serde_json::from_value(key).ok())
            .collect();
        let keys = Arc::new(keys);
        self.lock().keys = Some((keys.clone(), Instant::now()));
        Ok(keys)
    }

    /// Keys that need not be asked for again.
    fn kept_keys(&self, token: &Token<'_>) -> Option<Arc<Vec<Key>>> {
        let known = self.lock();
        let (keys, at) = known.keys.as_ref()?;
        let just_looked = known.looked.is_some_and(|at| at.elapsed() < LOOK);
        let has_it = at.elapsed() < KEPT && token.has_key_among(keys);
        (has_it || just_looked).then(|| keys.clone())
    }

    fn get<T: DeserializeOwned>(&self, at: &str, bearer: Option<&str>) -> Result<T, Trouble> {
        let mut ask = self.agent.get(at).header("Accept", "application/json");
        if let Some(bearer) = bearer {
            ask = ask.header("Authorization", format!("Bearer {bearer}"));
        }
        match self.heard(at, ask.call())? {
            (200, body) => self.read(at, &body),
            (status, _) => Err(down(format!("{at} answers {status}"))),
        }
    }

    fn heard(
        &self,
        at: &str,
        answer: Result<Response<ureq::Body>, ureq::Error>,
    ) -> Result<(u16, String), Trouble> {
        let failed = |error| down(format!("{at}: {error}"));
        let mut answer = answer.map_err(failed)?;
        let status = answer.status().as_u16();
        let body = answer.body_mut().with_config().limit(MOST_BYTES);
        Ok((status, body.read_to_string().map_err(failed)?))
    }

    fn read<T: DeserializeOwned>(&self, at: &str, body: &str) -> Result<T, Trouble> {
        serde_json::from_str(body).map_err(|error| down(format!("{at}: {error}")))
    }

    /// Whether it may have us ask there.
    fn check(&self, endpoint: &str) -> Result<(), Trouble> {
        let at = Url::parse(endpoint).ok().filter(is_safe);
        let is_known = at.is_some_and(|at| self.origins.contains(&at.origin()));
        match is_known {
            true => Ok(()),
            false => Err(down(format!(
                "it names {endpoint:?}, which is neither at oidc.issuer nor among oidc.also"
            ))),
        }
    }

    fn lock(&self) -> MutexGuard<'_, Known> {
        // Nothing in it is ever half changed.
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn down(why: String) -> Trouble {
    Trouble::Provider(why)
}

/// An address that the configuration names.
fn address(setting: &'static str, text: &str) -> Result<Url, OidcError> {
    let url = Url::parse(text).ok().filter(is_safe);
    url.ok_or_else(|| OidcError::Address {
        setting,
        address: text.to_owned(),
    })
}

/// By TLS, or on this machine.
fn is_safe(url: &Url) -> bool {
    let is_here = match url.host() {
        Some(Host::Domain(name)) => name == "localhost",
        Some(Host::Ipv4(ip)) => ip.is_loopback(),
        Some(Host::Ipv6(ip)) => ip.is_loopback(),
        None => return false,
    };
    let is_bare = url.username().is_empty() && url.password().is_none() && url.fragment().is_none();
    is_bare && (url.scheme() == "https" || (url.scheme() == "http" && is_here))
}
