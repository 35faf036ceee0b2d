//! Signing in by a provider of OpenID Connect: the authorization code flow with PKCE for people, signed access tokens
//! for programs. What a provider says of somebody's groups becomes roles and properties by the configuration alone.

mod groups;
mod jwt;
mod pending;
mod provider;

use std::io;
use std::net::IpAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Map, Value};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

pub use self::groups::Group;
use self::jwt::{Expected, Token};
pub(crate) use self::pending::PATIENCE;
use self::pending::Pending;
use self::provider::Provider;
use crate::users::{Moment, NoRandomness};
use crate::{Scope, files};

/// A provider, and what its groups are allowed.
#[derive(Debug, Clone)]
pub struct OidcSettings {
    /// What people call it.
    pub name: String,
    /// Its address, as it calls itself.
    pub issuer: String,
    /// What it calls this installation.
    pub client: String,
    /// The file with the secret that it has given this installation; without one, PKCE alone proves who asks.
    pub secret_file: Option<PathBuf>,
    /// Where it sends people back to.
    pub redirect: String,
    pub scopes: Vec<String>,
    /// Other addresses at which it may have us ask.
    pub also: Vec<String>,
    /// Who has signed its certificate; without it, whom browsers believe.
    pub ca: Option<PathBuf>,
    /// Claims: the id of a user, the name, the groups.
    pub user_claim: String,
    pub name_claim: String,
    pub groups_claim: String,
    /// For whom access tokens are that are taken at the API; without it, none is.
    pub audience: Option<String>,
    /// Tokens of ours hold for a user of the provider as long as it has vouched for that user so recently.
    pub confirmed_within: Duration,
    pub groups: Vec<Group>,
}

/// Why nobody can sign in by a provider.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OidcError {
    #[error(
        "{setting} = {address:?}: an address with https:// is expected, or http:// on this machine"
    )]
    Address {
        setting: &'static str,
        address: String,
    },

    #[error("{path}: {source}", path = .path.display())]
    File { path: PathBuf, source: io::Error },

    #[error("oidc: {0}")]
    Settings(&'static str),
}

/// Something that the provider, a browser or a program has brought, and that does not hold.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub(crate) struct Refused(pub(crate) String);

/// Why a sign-in does not come about.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Trouble {
    /// The provider does not answer, or not as it should: for whoever runs the service.
    #[error("the provider: {0}")]
    Provider(String),

    #[error(transparent)]
    Refused(#[from] Refused),
}

/// Somebody whom the provider vouches for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Vouched {
    /// As users are called here.
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) issuer: String,
    /// As the provider alone calls somebody, and nobody else ever.
    pub(crate) subject: String,
    pub(crate) groups: Vec<String>,
    pub(crate) expires: Moment,
}

/// Where a browser comes back to.
pub(crate) const CALLBACK: &str = "/api/v1/session/oidc/callback";

/// What a browser is told when a sign-in begins.
#[derive(Debug)]
pub(crate) struct Sent {
    pub(crate) to: String,
    /// For a cookie.
    pub(crate) browser: String,
}

/// A provider that people sign in by.
#[derive(Debug)]
pub(crate) struct Oidc {
    settings: OidcSettings,
    provider: Provider,
    pending: Pending,
    seats: Arc<Semaphore>,
}

/// So many may wait for the provider at a time.
const SEATS: usize = 16;

impl OidcSettings {
    fn secret(&self) -> Result<Option<String>, OidcError> {
        let Some(path) = &self.secret_file else {
            return Ok(None);
        };
        let failed = |source| OidcError::File {
            path: path.clone(),
            source,
        };
        let text = files::read(path).map_err(failed)?;
        let text = text.ok_or_else(|| failed(io::ErrorKind::NotFound.into()))?;
        match text.trim() {
            "" => Err(failed(io::Error::other("it is empty"))),
            secret => Ok(Some(secret.to_owned())),
        }
    }
}

impl Oidc {
    /// Nothing is asked of the provider yet: it may come later than this service.
    pub(crate) fn new(settings: OidcSettings) -> Result<Oidc, OidcError> {
        if settings.client.is_empty() {
            return Err(OidcError::Settings("client_id is missing"));
        }
        if settings.audience.as_deref() == Some(&settings.client) {
            let why = "audience is client_id: ID tokens, which anybody's browser has seen, would be taken at the API";
            return Err(OidcError::Settings(why));
        }
        if !settings.redirect.ends_with(CALLBACK) {
            let why = "redirect_url ends with /api/v1/session/oidc/callback";
            return Err(OidcError::Settings(why));
        }
        if settings.groups.is_empty() {
            return Err(OidcError::Settings("no group has a role: [[oidc.groups]]"));
        }
        if settings.groups.iter().any(|group| group.roles.is_empty()) {
            return Err(OidcError::Settings(
                "a group without roles: [[oidc.groups]]",
            ));
        }
        Ok(Oidc {
            provider: Provider::new(&settings)?,
            pending: Pending::default(),
            seats: Arc::new(Semaphore::new(SEATS)),
            settings,
        })
    }

    pub(crate) fn name(&self) -> &str {
        &self.settings.name
    }

    pub(crate) fn issuer(&self) -> &str {
        &self.settings.issuer
    }

    pub(crate) fn confirmed_within(&self) -> Duration {
        self.settings.confirmed_within
    }

    /// A place for somebody who waits for the provider; `None` if all are taken.
    pub(crate) fn seat(&self) -> Option<OwnedSemaphorePermit> {
        self.seats.clone().try_acquire_owned().ok()
    }

    /// Whether programs may come with tokens of the provider.
    pub(crate) fn takes_tokens(&self) -> bool {
        self.settings.audience.is_some()
    }

    /// Sends a browser to the provider. It may have to be asked first where that is.
    pub(crate) fn begin(&self, address: IpAddr) -> Result<Sent, Trouble> {
        let metadata = self.provider.metadata()?;
        let begun = self.pending.begin(address);
        let begun = begun.map_err(|error: NoRandomness| Trouble::Provider(error.to_string()))?;
        let parsed = url::Url::parse(&metadata.authorization_endpoint);
        let mut to = parsed.map_err(|error| Trouble::Provider(error.to_string()))?;
        to.query_pairs_mut()
            .append_pair("response_type", "code")
            .append_pair("client_id", &self.settings.client)
            .append_pair("redirect_uri", &self.settings.redirect)
            .append_pair("scope", &self.settings.scopes.join(" "))
            .append_pair("state", &begun.state)
            .append_pair("nonce", &begun.nonce)
            .append_pair("code_challenge", &begun.challenge)
            .append_pair("code_challenge_method", "S256");
        Ok(Sent {
            to: to.into(),
            browser: begun.browser,
        })
    }

    /// Whom the provider vouches for, when a browser comes back with a code. `None` if no sign-in of that browser is
    /// underway under that state.
    pub(crate) fn finish(
        &self,
        state: &str,
        browser: &str,
        answered: Result<&str, &str>,
        issuer: Option<&str>,
    ) -> Option<Result<Vouched, Trouble>> {
        let underway = self.pending.take(state, browser)?;
        Some(self.vouched(&underway, answered, issuer))
    }

    fn vouched(
        &self,
        underway: &pending::Underway,
        answered: Result<&str, &str>,
        issuer: Option<&str>,
    ) -> Result<Vouched, Trouble> {
        // Another provider may have been made to answer (RFC 9207).
        if issuer.is_some_and(|issuer| issuer != self.settings.issuer) {
            return Err(refused("another provider has answered"));
        }
        let code = answered.map_err(|error| refused(format!("the provider says {error:?}")))?;
        let given = self.provider.redeem(code, &underway.verifier)?;
        let token = Token::read(&given.id_token)?;
        let keys = self.provider.keys_for(&token)?;
        let mut claims = token.claims(&keys, self.expected(&self.settings.client))?;
        self.check_id_token(&claims, &underway.nonce)?;
        let wanted = [&self.settings.groups_claim, &self.settings.user_claim];
        let has_all = wanted
            .iter()
            .all(|claim| groups::found(&claims, claim).is_some());
        if let Some(access_token) = given.access_token.as_ref().filter(|_| !has_all) {
            // Many providers tell of people where they are asked for it, and nowhere else.
            let told = self.provider.user_info(access_token)?;
            if !told.is_empty() && told.get("sub") != claims.get("sub") {
                return Err(refused(
                    "the provider tells of somebody else than it vouches for",
                ));
            }
            for (name, value) in told {
                claims.entry(name).or_insert(value);
            }
        }
        Ok(self.somebody(&claims)?)
    }

    /// What an ID token has beside what every token has: OpenID Connect Core 1.0, section 3.1.3.7.
    fn check_id_token(&self, claims: &Map<String, Value>, nonce: &str) -> Result<(), Trouble> {
        let own = &self.settings.client;
        match claims.get("azp").map(|party| party.as_str()) {
            Some(party) if party != Some(own) => {
                return Err(refused("the token was given to another client"));
            }
            None if jwt::audiences(claims).len() > 1 => {
                return Err(refused(
                    "the token is for several, and does not say for whom of them",
                ));
            }
            _ => {}
        }
        match claims.get("nonce").and_then(Value::as_str) {
            None => Err(refused("the token has no nonce")),
            Some(told) if told != nonce => {
                Err(refused("the token has the nonce of another sign-in"))
            }
            Some(_) => match jwt::seconds(claims, "iat") {
                None => Err(refused("the token does not say when it was made (iat)")),
                Some(_) => Ok(()),
            },
        }
    }

    /// Whom a token vouches for that a program has brought. The keys may have to be asked for.
    pub(crate) fn bearer(&self, text: &str) -> Result<Vouched, Trouble> {
        let Some(audience) = &self.settings.audience else {
            return Err(refused("tokens of the provider are not taken here"));
        };
        let token = Token::read(text)?;
        let keys = self.provider.keys_for(&token)?;
        let claims = token.claims(&keys, self.expected(audience))?;
        Ok(self.somebody(&claims)?)
    }

    /// What somebody in these groups is allowed.
    pub(crate) fn scope(&self, groups: &[String]) -> Result<Scope, Refused> {
        groups::scope(&self.settings.groups, groups)
    }

    fn expected<'a>(&'a self, audience: &'a str) -> Expected<'a> {
        Expected {
            issuer: &self.settings.issuer,
            audience,
            now: Moment::now().seconds(),
        }
    }

    fn somebody(&self, claims: &Map<String, Value>) -> Result<Vouched, Refused> {
        let missing = |claim: &str| Refused(format!("the provider does not tell {claim:?}"));
        let text = |claim: &str| {
            let value = groups::found(claims, claim).and_then(Value::as_str);
            value.filter(|text| !text.is_empty() && text.len() <= 255)
        };
        let settings = &self.settings;
        let subject = text("sub").ok_or_else(|| missing("sub"))?;
        let id = text(&settings.user_claim).ok_or_else(|| missing(&settings.user_claim))?;
        let id = id.to_ascii_lowercase();
        let groups = groups::named(claims, &settings.groups_claim);
        let expires = jwt::seconds(claims, "exp").unwrap_or_default();
        Ok(Vouched {
            name: text(&settings.name_claim).unwrap_or(&id).to_owned(),
            id,
            issuer: settings.issuer.clone(),
            subject: subject.to_owned(),
            groups: groups.ok_or_else(|| missing(&settings.groups_claim))?,
            expires: Moment::at_seconds(expires),
        })
    }
}

fn refused(why: impl Into<String>) -> Trouble {
    Trouble::Refused(Refused(why.into()))
}

fn basic(user: &str, password: &str) -> String {
    format!("Basic {}", STANDARD.encode(format!("{user}:{password}")))
}
