//! Who there is, who is signed in, and who a request comes from.

mod first;
mod moment;
mod pseudonym;
mod rights;
mod roll;
mod scram;
mod secret;
mod sessions;
mod sql;
mod throttle;
mod vouched;

use std::fmt;
use std::net::IpAddr;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use axum::http::StatusCode;
use serde_json::{Value, json};
use tokio::sync::Semaphore;

pub use self::first::FirstToken;
pub use self::moment::Moment;
pub use self::pseudonym::Pseudonyms;
pub(crate) use self::rights::{Credential, SignedIn};
use self::rights::{DEMO, caller, demo, device};
pub use self::roll::{Actor, MadeToken, Roll, Scope, Token, User, UsersError, UsersFile};
pub(crate) use self::secret::{KeyHash, key};
pub use self::secret::{NoRandomness, generated_password};
use self::sessions::Sessions;
pub use self::sql::SqlSignedIn;
use self::throttle::Throttle;
pub(crate) use self::vouched::BroughtBack;
use crate::oidc::{Oidc, OidcSettings};
use crate::{Caller, Days, Fault, Role, files};

/// Passwords that are hashed at a time. Each takes 19 MiB while it is.
const HASHED_AT_A_TIME: usize = 2;

/// How users are kept, and for how long they stay signed in.
#[derive(Debug, Clone)]
pub struct UserSettings {
    pub file: PathBuf,
    /// A session ends when it has not been used for so long. An open stream uses it.
    pub idle: Duration,
    /// A session ends after so long in any case.
    pub longest: Duration,
    /// What everybody who signs in is told of the house.
    pub house: Value,
    /// Whom to tell what somebody should look after.
    pub tell: fn(&str),
    /// A provider that people may sign in by.
    pub oidc: Option<OidcSettings>,
}

/// The users of a running service: all its servers share them.
#[derive(Clone)]
pub struct Users(Arc<Inner>);

struct Inner {
    /// `None` in a demo.
    file: Option<UsersFile>,
    known: Mutex<Known>,
    sessions: Sessions,
    throttle: Mutex<Throttle>,
    hashing: Semaphore,
    first: Mutex<Option<FirstToken>>,
    house: Value,
    tell: fn(&str),
    oidc: Option<Arc<Oidc>>,
}

/// The users file as it was read last.
#[derive(Default)]
struct Known {
    stamp: Option<files::Stamp>,
    roll: Arc<Roll>,
    /// It could not be read, and that was told.
    is_broken: bool,
}

impl Users {
    /// The users of an installation. Where there are none yet, a token for the first is made.
    pub fn open(settings: UserSettings) -> Result<Users, UsersError> {
        let UserSettings {
            file,
            idle,
            longest,
            house,
            tell,
            oidc,
        } = settings;
        let oidc = oidc.map(Oidc::new).transpose()?.map(Arc::new);
        let kept = files::beside(&file, "sessions");
        let file = UsersFile::at(file);
        file.make_folder()?;
        let roll = file.read()?;
        let first = FirstToken::prepare(&file, roll.users.is_empty())?;
        let (sessions, trouble) = Sessions::kept(kept, idle, longest);
        if let Some(trouble) = trouble {
            tell(&trouble);
        }
        Ok(Users::new(Some(file), sessions, first, house, tell, oidc))
    }

    /// The one user of a demo, who has no password and all roles but that of a device.
    pub fn demo(house: Value) -> Users {
        let day = Duration::from_secs(24 * 3600);
        Users::new(
            None,
            Sessions::in_memory(day, day),
            None,
            house,
            |_| (),
            None,
        )
    }

    fn new(
        file: Option<UsersFile>,
        sessions: Sessions,
        first: Option<FirstToken>,
        house: Value,
        tell: fn(&str),
        oidc: Option<Arc<Oidc>>,
    ) -> Users {
        Users(Arc::new(Inner {
            file,
            known: Mutex::default(),
            sessions,
            throttle: Mutex::default(),
            hashing: Semaphore::new(HASHED_AT_A_TIME),
            first: Mutex::new(first),
            house,
            tell,
            oidc,
        }))
    }

    /// The token that makes the first user, as long as it may be used.
    pub fn first_token(&self) -> Option<FirstToken> {
        let first = lock(&self.0.first).clone();
        first.filter(|token| !token.expires().has_passed())
    }

    pub(crate) fn tell(&self) -> fn(&str) {
        self.0.tell
    }

    /// Whether there is one user without a password, who plays all the others.
    pub fn is_demo(&self) -> bool {
        self.0.file.is_none()
    }

    /// Whether nobody has ever been a user: then only this machine is answered.
    pub(crate) fn is_nobody_there(&self) -> Result<bool, Fault> {
        Ok(!self.is_demo() && self.roll()?.users.is_empty())
    }

    pub(crate) fn house(&self) -> &Value {
        &self.0.house
    }

    /// Writes down what is only in memory.
    pub(crate) fn keep(&self) {
        self.0.sessions.keep();
    }

    /// Who there is now. If the file cannot be read, nobody is let in.
    fn roll(&self) -> Result<Arc<Roll>, Fault> {
        let Some(file) = &self.0.file else {
            return Ok(Arc::default());
        };
        let mut known = lock(&self.0.known);
        let stamp = files::stamp(file.path());
        if let Ok(stamp) = stamp
            && stamp == known.stamp
            && !known.is_broken
        {
            return Ok(known.roll.clone());
        }
        // The stamp is older than what is read: a change between the two is read once more.
        match file.read() {
            Ok(roll) => {
                *known = Known {
                    stamp: stamp.unwrap_or_default(),
                    roll: Arc::new(roll),
                    is_broken: false,
                };
                Ok(known.roll.clone())
            }
            Err(error) => {
                if !known.is_broken {
                    (self.0.tell)(&format!("nobody is let in: {error}"));
                }
                known.is_broken = true;
                let why = "the users file cannot be read: whoever runs the service is told why";
                Err(Fault::new(StatusCode::SERVICE_UNAVAILABLE, "users", why))
            }
        }
    }

    /// What a user may do; `None` where there is no such user, or not any more. The one user of a demo plays whoever is
    /// named.
    pub fn user(&self, id: &str) -> Result<Option<Caller>, Fault> {
        if self.is_demo() {
            let mut caller = demo("", Moment::now()).caller;
            id.clone_into(&mut caller.id);
            return Ok(Some(caller));
        }
        let roll = self.roll()?;
        let user = roll.users.get(id).filter(|user| user.revoked.is_none());
        Ok(user.map(|user| caller(id, Some(user), None, "")))
    }

    /// Who this proves to be; nobody if it is not valid, or not any more.
    pub(crate) fn who(
        &self,
        credential: &Credential,
        station: &str,
    ) -> Result<Option<SignedIn>, Fault> {
        let (id, scope, expires, epoch) = match credential {
            Credential::Session(key) => {
                let Some(session) = self.0.sessions.of(*key) else {
                    return Ok(None);
                };
                if self.is_demo() {
                    return Ok(Some(demo(station, session.expires)));
                }
                (
                    session.user,
                    None,
                    Some(session.expires),
                    Some(session.epoch),
                )
            }
            Credential::Token(key) => {
                let roll = self.roll()?;
                let mut tokens = roll.tokens.values();
                let token = tokens.find(|token| {
                    token.key == *key && token.revoked.is_none() && !token.expires.has_passed()
                });
                let Some(token) = token else { return Ok(None) };
                let scope = Scope {
                    roles: token.roles.clone(),
                    properties: token.properties.clone(),
                    days: token.days,
                };
                (token.user.clone(), Some(scope), Some(token.expires), None)
            }
            Credential::Device(name) => (name.clone(), Some(device()), None, None),
            Credential::Vouched(vouched) => return self.who_is_vouched_for(vouched, station),
        };
        let roll = self.roll()?;
        let user = match roll.users.get(&id) {
            Some(user) if user.revoked.is_some() => return Ok(None),
            Some(user) if !self.is_still_provided(user, credential) => return Ok(None),
            Some(user) if epoch.is_some_and(|epoch| epoch != user.epoch) => return Ok(None),
            Some(user) => Some(user),
            // A certificate that our authority has signed needs no entry; one that has an entry is bound by it.
            None if matches!(credential, Credential::Device(_)) && !self.is_demo() => None,
            None => return Ok(None),
        };
        let caller = caller(&id, user, scope, station);
        Ok((!caller.roles.is_empty()).then_some(SignedIn {
            caller,
            expires,
            is_demo: false,
        }))
    }

    /// Signs a user in, in the place of the session that was there before; gives the cookie.
    pub(crate) async fn sign_in(
        &self,
        user: String,
        password: String,
        address: IpAddr,
        before: Option<KeyHash>,
    ) -> Result<(String, SignedIn), Fault> {
        self.admit(&user, address)?;
        let Ok(_hashing) = self.0.hashing.acquire().await else {
            unreachable!("nobody closes it");
        };
        let users = self.clone();
        let work = move || users.check_password(&user, &password, address, before);
        let done = tokio::task::spawn_blocking(work).await;
        done.unwrap_or_else(|_| Err(failed("to sign in")))
    }

    fn check_password(
        &self,
        id: &str,
        password: &str,
        address: IpAddr,
        before: Option<KeyHash>,
    ) -> Result<(String, SignedIn), Fault> {
        let roll = self.roll()?;
        let user = roll.users.get(id).filter(|user| user.revoked.is_none());
        let hash = user.and_then(|user| user.password.as_deref());
        let is_right = secret::is_password(password, hash);
        // What is no user may be a password that was typed in the wrong place: it is not put on record.
        let known = roll.users.contains_key(id).then_some(id);
        let Some(user) = user.filter(|_| is_right) else {
            self.note(
                known.unwrap_or("?"),
                address,
                "sign_in_refused",
                json!({"user": known}),
            )?;
            let why = "the user or the password is wrong";
            return Err(Fault::new(StatusCode::UNAUTHORIZED, "wrong_password", why));
        };
        lock(&self.0.throttle).succeeded(id, address);
        self.note(id, address, "signed_in", json!({"user": id}))?;
        self.begin(id, user.epoch, address, before)
    }

    /// Signs the user of a demo in.
    pub(crate) fn sign_in_to_demo(
        &self,
        address: IpAddr,
        before: Option<KeyHash>,
    ) -> Result<(String, SignedIn), Fault> {
        if !self.is_demo() || !address.is_loopback() {
            let why = "there is no user without a password here: this is no demo";
            return Err(Fault::new(StatusCode::NOT_FOUND, "not_found", why));
        }
        self.begin(DEMO, 0, address, before)
    }

    /// Makes the first user of all with the token that the terminal has shown, and signs it in.
    pub(crate) async fn sign_in_first(
        &self,
        token: String,
        user: String,
        password: String,
        address: IpAddr,
    ) -> Result<(String, SignedIn), Fault> {
        self.admit("", address)?;
        let Ok(_hashing) = self.0.hashing.acquire().await else {
            unreachable!("nobody closes it");
        };
        let users = self.clone();
        let work = move || users.make_first(&token, &user, &password, address);
        let done = tokio::task::spawn_blocking(work).await;
        done.unwrap_or_else(|_| Err(failed("to make the first user")))
    }

    fn make_first(
        &self,
        token: &str,
        id: &str,
        password: &str,
        address: IpAddr,
    ) -> Result<(String, SignedIn), Fault> {
        let wrong = || {
            let why = "the one-time token is wrong, was used, or has expired: start the service again for \
                another, or run `catwalk users add`";
            Fault::new(StatusCode::FORBIDDEN, "one_time_token", why)
        };
        // Held until the end: of two who come at once one is the first.
        let mut first = lock(&self.0.first);
        let is_it = first.as_ref().is_some_and(|first| first.is(token));
        let Some(file) = self
            .0
            .file
            .as_ref()
            .filter(|_| is_it && address.is_loopback())
        else {
            return Err(wrong());
        };
        if !self.roll()?.users.is_empty() {
            return Err(wrong());
        }
        let actor = Actor {
            by: "the one-time token".to_owned(),
            station: address.to_string(),
        };
        let scope = Scope {
            roles: [Role::SurveillanceDirector, Role::Operator].into(),
            properties: None,
            days: Days::default(),
        };
        file.add_first(&actor, id, &scope, password)
            .map_err(refused)?;
        if let Some(token) = first.take() {
            token.remove();
        }
        drop(first);
        lock(&self.0.throttle).succeeded("", address);
        self.note(id, address, "signed_in", json!({"user": id}))?;
        self.begin(id, 1, address, None)
    }

    pub(crate) fn sign_out(&self, key: KeyHash, caller: &Caller) -> Result<(), Fault> {
        self.0.sessions.end(key);
        let about = json!({"user": caller.id});
        self.put_on_record(&caller.id, &caller.station, "signed_out", about)
    }

    fn begin(
        &self,
        id: &str,
        epoch: u64,
        address: IpAddr,
        before: Option<KeyHash>,
    ) -> Result<(String, SignedIn), Fault> {
        let station = address.to_string();
        let begun = self.0.sessions.begin(id, epoch, &station, before);
        let (key, hash, _) = begun.map_err(|error| failed(&format!("to sign in: {error}")))?;
        let signed_in = self.who(&Credential::Session(hash), &station)?;
        // It may have been revoked just now.
        let signed_in = signed_in.ok_or_else(Fault::not_signed_in)?;
        Ok((key, signed_in))
    }

    fn admit(&self, user: &str, address: IpAddr) -> Result<(), Fault> {
        let admitted = lock(&self.0.throttle).admit(user, address, Instant::now());
        admitted.map_err(|wait| {
            let seconds = wait.as_secs() + 1;
            let why =
                format!("too many tries have failed: the next is possible in {seconds} seconds");
            Fault::new(StatusCode::TOO_MANY_REQUESTS, "too_many_tries", why).retry_after(seconds)
        })
    }

    fn note(
        &self,
        by: &str,
        address: IpAddr,
        act: &'static str,
        about: Value,
    ) -> Result<(), Fault> {
        self.put_on_record(by, &address.to_string(), act, about)
    }

    /// What cannot be put on record does not happen.
    fn put_on_record(
        &self,
        by: &str,
        station: &str,
        act: &'static str,
        about: Value,
    ) -> Result<(), Fault> {
        let Some(file) = &self.0.file else {
            return Ok(());
        };
        let actor = Actor {
            by: by.to_owned(),
            station: station.to_owned(),
        };
        file.note(&actor, act, about).map_err(|error| {
            (self.0.tell)(&format!("an act cannot be put on record: {error}"));
            failed("to put it on record")
        })
    }
}

impl fmt::Debug for Users {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Users")
            .field("file", &self.0.file)
            .finish_non_exhaustive()
    }
}

fn refused(error: UsersError) -> Fault {
    match error {
        UsersError::Refused(why) => Fault::new(StatusCode::UNPROCESSABLE_ENTITY, "refused", why),
        _ => failed("to write the users file"),
    }
}

fn failed(what: &str) -> Fault {
    let why = format!("the service has failed {what}");
    Fault::new(StatusCode::INTERNAL_SERVER_ERROR, "failed", why)
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // Nothing that is locked here is ever half changed.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
