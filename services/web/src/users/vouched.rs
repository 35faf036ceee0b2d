//! Users whom a provider vouches for: they sign in there, and their roles are those of their groups there.

use std::net::IpAddr;

use axum::http::StatusCode;
use serde_json::json;

use super::moment::Moment;
use super::roll::{Actor, Provided, Scope, User, UsersError, UsersFile, check_id, told};
use super::{Credential, KeyHash, SignedIn, Users, caller, failed};
use crate::Fault;
use crate::oidc::{Oidc, Refused, Sent, Trouble, Vouched};

/// Who tries with a state that nobody has; no id of a user begins so.
const STRANGER: &str = "?oidc";

/// What a browser brings back from a provider.
#[derive(Debug)]
pub(crate) struct BroughtBack {
    pub(crate) state: String,
    /// What its cookie says.
    pub(crate) browser: String,
    /// The code, or what the provider says is wrong.
    pub(crate) answered: Result<String, String>,
    pub(crate) issuer: Option<String>,
}

impl Users {
    /// The provider that people may sign in by.
    pub(crate) fn provider(&self) -> Option<&Oidc> {
        self.0.oidc.as_deref()
    }

    /// Sends a browser to the provider.
    pub(crate) async fn begin_at_provider(&self, address: IpAddr) -> Result<Sent, Fault> {
        self.ask_provider(move |users, oidc| {
            oidc.begin(address).map_err(|trouble| users.told(trouble))
        })
        .await
    }

    /// Signs in whom the provider vouches for, in the place of the session that was there before; gives the cookie.
    pub(crate) async fn sign_in_by_provider(
        &self,
        back: BroughtBack,
        address: IpAddr,
        before: Option<KeyHash>,
    ) -> Result<(String, SignedIn), Fault> {
        self.ask_provider(move |users, oidc| {
            let answered = back.answered.as_deref().map_err(String::as_str);
            let issuer = back.issuer.as_deref();
            let Some(vouched) = oidc.finish(&back.state, &back.browser, answered, issuer) else {
                // Whoever tries without having begun is counted, so that the record is not filled.
                users.admit(STRANGER, address)?;
                let why =
                    "no sign-in of this browser is underway, or it took too long: begin again";
                users.note_refusal("?", address, why)?;
                return Err(Fault::new(StatusCode::FORBIDDEN, "no_sign_in", why));
            };
            let vouched = match vouched {
                Ok(vouched) => vouched,
                Err(trouble) => {
                    users.note_refusal("?", address, &trouble.to_string())?;
                    return Err(users.told(trouble));
                }
            };
            users.let_in(oidc, &vouched, address, before)
        })
        .await
    }

    fn let_in(
        &self,
        oidc: &Oidc,
        vouched: &Vouched,
        address: IpAddr,
        before: Option<KeyHash>,
    ) -> Result<(String, SignedIn), Fault> {
        let Some(file) = &self.0.file else {
            return Err(Fault::not_signed_in());
        };
        let actor = Actor {
            by: vouched.issuer.clone(),
            station: address.to_string(),
        };
        let confirmed = match oidc.scope(&vouched.groups) {
            Ok(scope) => file.confirm(&actor, vouched, &scope),
            Err(Refused(why)) => {
                // Whoever had a role has none any more, wherever it is signed in.
                let ended = match self.roll()?.users.get(&vouched.id) {
                    Some(user) if user.is_of(vouched) && !user.roles.is_empty() => {
                        file.confirm(&actor, vouched, &Scope::default())
                    }
                    _ => Ok(0),
                };
                ended.and(Err(UsersError::Refused(why)))
            }
        };
        let epoch = match confirmed {
            Ok(epoch) => epoch,
            Err(UsersError::Refused(why)) => {
                self.note_refusal(&vouched.id, address, &why)?;
                return Err(Fault::new(StatusCode::FORBIDDEN, "not_let_in", why));
            }
            Err(error) => {
                (self.0.tell)(&format!("nobody is signed in by the provider: {error}"));
                return Err(failed("to sign in"));
            }
        };
        let about = json!({"user": vouched.id, "by": vouched.issuer});
        self.note(&vouched.id, address, "signed_in", about)?;
        self.begin(&vouched.id, epoch, address, before)
    }

    /// What a program has brought, if the provider vouches for whoever it speaks for.
    pub(crate) async fn vouched_for(&self, token: String) -> Result<Option<Credential>, Fault> {
        let vouched = self.ask_provider(move |users, oidc| match oidc.bearer(&token) {
            Ok(vouched) => Ok(Some(Credential::Vouched(Box::new(vouched)))),
            Err(Trouble::Refused(_)) => Ok(None),
            Err(trouble) => Err(users.told(trouble)),
        });
        vouched.await
    }

    /// Whoever has an entry is bound by it, as far as that it may be another's, or revoked; the roles are those that
    /// the provider tells now.
    pub(super) fn who_is_vouched_for(
        &self,
        vouched: &Vouched,
        station: &str,
    ) -> Result<Option<SignedIn>, Fault> {
        let Some(oidc) = self.provider().filter(|_| !vouched.expires.has_passed()) else {
            return Ok(None);
        };
        let is_another = |user: &User| user.revoked.is_some() || !user.is_of(vouched);
        let is_out = self.roll()?.users.get(&vouched.id).is_some_and(is_another);
        let Ok(scope) = oidc.scope(&vouched.groups) else {
            return Ok(None);
        };
        if is_out || check_id(&vouched.id).is_err() {
            return Ok(None);
        }
        let mut caller = caller(&vouched.id, None, Some(scope), station);
        caller.name.clone_from(&vouched.name);
        Ok(Some(SignedIn {
            caller,
            expires: Some(vouched.expires),
            is_demo: false,
        }))
    }

    /// Whether the provider of a user is still the one of this house, and has said lately that there is that user.
    pub(super) fn is_still_provided(&self, user: &User, credential: &Credential) -> bool {
        let Some(provided) = &user.provided else {
            return true;
        };
        let Some(oidc) = self
            .provider()
            .filter(|oidc| oidc.issuer() == provided.issuer)
        else {
            return false;
        };
        let until = provided.confirmed.after(oidc.confirmed_within());
        // A session ends by itself.
        matches!(credential, Credential::Session(_)) || !until.has_passed()
    }

    /// Asks the provider, on a thread that may wait.
    async fn ask_provider<T: Send + 'static>(
        &self,
        ask: impl FnOnce(&Users, &Oidc) -> Result<T, Fault> + Send + 'static,
    ) -> Result<T, Fault> {
        let Some(oidc) = self.0.oidc.clone() else {
            let why = "nobody signs in by a provider here";
            return Err(Fault::new(StatusCode::NOT_FOUND, "not_found", why));
        };
        let Some(seat) = oidc.seat() else {
            let why = "too many wait for the provider: try again";
            let fault = Fault::new(StatusCode::SERVICE_UNAVAILABLE, "busy", why);
            return Err(fault.retry_after(1));
        };
        let users = self.clone();
        let done = tokio::task::spawn_blocking(move || {
            let _seat = seat;
            ask(&users, &oidc)
        });
        done.await.unwrap_or_else(|_| Err(failed("to sign in")))
    }

    /// What is wrong with the provider is told to whoever runs the service, and what is wrong with what somebody has
    /// brought to whoever has.
    fn told(&self, trouble: Trouble) -> Fault {
        match trouble {
            Trouble::Refused(Refused(why)) => Fault::new(StatusCode::FORBIDDEN, "not_let_in", why),
            Trouble::Provider(_) => {
                (self.0.tell)(&format!("nobody signs in by the provider: {trouble}"));
                let why = "the provider cannot be asked now: try again, or sign in with a password";
                let fault = Fault::new(StatusCode::SERVICE_UNAVAILABLE, "provider", why);
                fault.retry_after(5)
            }
        }
    }

    fn note_refusal(&self, by: &str, address: IpAddr, why: &str) -> Result<(), Fault> {
        let about = json!({"user": (by != "?").then_some(by), "why": why});
        self.note(by, address, "sign_in_refused", about)
    }
}

impl User {
    /// Whether this is whom the provider vouches for, and not somebody who is called so too.
    fn is_of(&self, vouched: &Vouched) -> bool {
        let own = self.provided.as_ref();
        own.is_some_and(|own| own.issuer == vouched.issuer && own.subject == vouched.subject)
    }
}

impl UsersFile {
    /// Writes down that the provider vouches for somebody, and what that allows; gives the epoch. What is signed in
    /// with other roles has ended.
    fn confirm(&self, actor: &Actor, vouched: &Vouched, scope: &Scope) -> Result<u64, UsersError> {
        check_id(&vouched.id)?;
        let id = &vouched.id;
        let refused = |why: String| Err(UsersError::Refused(why));
        let mut epoch = 1;
        self.edit(actor, "user_vouched_for", told(id, scope), |roll| {
            let now = Provided {
                issuer: vouched.issuer.clone(),
                subject: vouched.subject.clone(),
                confirmed: Moment::now(),
            };
            let user = match roll.users.get_mut(id) {
                Some(user) if user.revoked.is_some() => {
                    return refused(format!("{id:?} was revoked here"));
                }
                Some(user) => user,
                None => roll.users.entry(id.clone()).or_insert_with(|| User {
                    name: vouched.name.clone(),
                    roles: scope.roles.clone(),
                    properties: scope.properties.clone(),
                    days: scope.days,
                    password: None,
                    epoch,
                    made: Moment::now(),
                    revoked: None,
                    provided: Some(now.clone()),
                }),
            };
            if !user.is_of(vouched) {
                return refused(match user.provided {
                    None => {
                        format!("there is a user {id:?} of this house, who is not the provider's")
                    }
                    Some(_) => format!("{id:?} is somebody else, who has signed in before"),
                });
            }
            let had = (&user.roles, &user.properties, user.days);
            if had != (&scope.roles, &scope.properties, scope.days) {
                user.epoch += 1;
            }
            user.name.clone_from(&vouched.name);
            user.roles.clone_from(&scope.roles);
            user.properties.clone_from(&scope.properties);
            user.days = scope.days;
            user.provided = Some(now);
            epoch = user.epoch;
            Ok(())
        })?;
        Ok(epoch)
    }
}
