//! The users file: who there is, and what they may do. The terminal edits it while a service reads it.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::moment::Moment;
use super::scram::Verifier;
use super::secret::{self, KeyHash, NoRandomness};
use crate::files;
use crate::oidc::OidcError;
use crate::{Days, Role};

/// What keeps the users file from being read or changed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum UsersError {
    #[error("{path}: {source}", path = .path.display())]
    File { path: PathBuf, source: io::Error },

    #[error("{path}: {what}", path = .path.display())]
    Unreadable { path: PathBuf, what: String },

    #[error("{0}")]
    Refused(String),

    #[error(transparent)]
    NoRandomness(#[from] NoRandomness),

    #[error("the password cannot be hashed: {0}")]
    Hash(argon2::password_hash::Error),

    #[error(transparent)]
    Oidc(#[from] OidcError),
}

/// What the users file holds.
#[derive(Debug, Default, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Roll {
    pub users: BTreeMap<String, User>,
    /// By the short names that the terminal shows.
    pub tokens: BTreeMap<String, Token>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct User {
    pub name: String,
    pub roles: BTreeSet<Role>,
    /// What may be seen of; `None`: all.
    pub properties: Option<BTreeSet<String>>,
    /// Which gaming days may be asked about.
    #[serde(default, skip_serializing_if = "Days::is_all")]
    pub days: Days,
    /// The hash of the password; nobody signs in without one.
    pub(crate) password: Option<String>,
    /// Rises with every change: sessions of before have ended.
    pub(crate) epoch: u64,
    pub made: Moment,
    pub revoked: Option<Moment>,
    /// Who vouches for a user that is not of this house.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) provided: Option<Provided>,
}

/// By whom somebody is vouched for, and when that was last.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Provided {
    pub(crate) issuer: String,
    /// As the provider alone calls this user, and nobody else ever.
    pub(crate) subject: String,
    pub(crate) confirmed: Moment,
}

impl User {
    /// Whether there is a password to sign in with.
    pub fn signs_in(&self) -> bool {
        self.password.is_some()
    }

    /// The provider that vouches for this user, and when it did so last.
    pub fn provider(&self) -> Option<(&str, Moment)> {
        let provided = self.provided.as_ref()?;
        Some((&provided.issuer, provided.confirmed))
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Token {
    /// Whose it is: what its user may not do, it may not either.
    pub user: String,
    pub(crate) key: KeyHash,
    /// For clients of PostgreSQL; tokens of earlier releases have none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) scram: Option<Verifier>,
    pub roles: BTreeSet<Role>,
    pub properties: Option<BTreeSet<String>>,
    #[serde(default, skip_serializing_if = "Days::is_all")]
    pub days: Days,
    pub made: Moment,
    pub expires: Moment,
    pub revoked: Option<Moment>,
}

/// What somebody, or a token, is to be allowed.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Scope {
    pub roles: BTreeSet<Role>,
    /// `None`: all.
    pub properties: Option<BTreeSet<String>>,
    /// Gaming days that may be asked about.
    pub days: Days,
}

/// Who changes something, and from where: for the record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Actor {
    pub by: String,
    pub station: String,
}

/// A token that was made. Its key is told once and kept nowhere.
#[derive(Debug)]
pub struct MadeToken {
    pub name: String,
    pub key: String,
    pub expires: Moment,
}

/// The users file of an installation, and the record of what was done to it.
#[derive(Debug, Clone)]
pub struct UsersFile {
    path: PathBuf,
}

impl UsersFile {
    pub fn at(path: impl Into<PathBuf>) -> UsersFile {
        UsersFile { path: path.into() }
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Every act on users, every sign-in and every one that was refused: a JSON object a line, added to and never
    /// changed.
    pub fn record(&self) -> PathBuf {
        files::beside(&self.path, "record")
    }

    /// Who there is. Where there is no file, nobody.
    pub fn read(&self) -> Result<Roll, UsersError> {
        let text = files::read(&self.path).map_err(|source| self.failed(source))?;
        let Some(text) = text else {
            return Ok(Roll::default());
        };
        serde_json::from_str(&text).map_err(|error| UsersError::Unreadable {
            path: self.path.clone(),
            what: error.to_string(),
        })
    }

    /// Adds a user who was never there before. Without a password only tokens and certificates speak for it.
    pub fn add(
        &self,
        actor: &Actor,
        id: &str,
        name: &str,
        scope: &Scope,
        password: Option<&str>,
    ) -> Result<(), UsersError> {
        self.put(actor, "user_added", id, name, scope, password, |_| Ok(()))
    }

    /// Adds the first user of all, if there is none.
    pub(crate) fn add_first(
        &self,
        actor: &Actor,
        id: &str,
        scope: &Scope,
        password: &str,
    ) -> Result<(), UsersError> {
        let nobody = |roll: &Roll| match roll.users.is_empty() {
            true => Ok(()),
            false => Err(refused("there is a first user already".to_owned())),
        };
        self.put(
            actor,
            "first_user_added",
            id,
            id,
            scope,
            Some(password),
            nobody,
        )
    }

    #[expect(clippy::too_many_arguments, reason = "what a user is, and who says so")]
    fn put(
        &self,
        actor: &Actor,
        act: &'static str,
        id: &str,
        name: &str,
        scope: &Scope,
        password: Option<&str>,
        check: impl FnOnce(&Roll) -> Result<(), UsersError>,
    ) -> Result<(), UsersError> {
        check_id(id)?;
        check_scope(scope)?;
        let hash = password.map(|password| hash(id, password)).transpose()?;
        let about = told(id, scope);
        self.edit(actor, act, about, |roll| {
            check(roll)?;
            match roll.users.get(id) {
                Some(User { revoked: None, .. }) => {
                    return Err(refused(format!("there is a user {id:?} already")));
                }
                Some(_) => {
                    let why = "was revoked: an id is not given twice, take another";
                    return Err(refused(format!("{id:?} {why}")));
                }
                None => {}
            }
            let user = User {
                name: name.to_owned(),
                roles: scope.roles.clone(),
                properties: scope.properties.clone(),
                days: scope.days,
                password: hash,
                epoch: 1,
                made: Moment::now(),
                revoked: None,
                provided: None,
            };
            roll.users.insert(id.to_owned(), user);
            Ok(())
        })
    }

    /// Gives a user other roles and properties. What is signed in with the old ones has ended.
    pub fn change(&self, actor: &Actor, id: &str, scope: &Scope) -> Result<(), UsersError> {
        check_scope(scope)?;
        let about = told(id, scope);
        self.edit(actor, "user_changed", about, |roll| {
            let user = of_house(roll, id)?;
            user.roles.clone_from(&scope.roles);
            user.properties.clone_from(&scope.properties);
            user.days = scope.days;
            user.epoch += 1;
            Ok(())
        })
    }

    /// Gives a user another password. What is signed in with the old one has ended.
    pub fn set_password(&self, actor: &Actor, id: &str, new: &str) -> Result<(), UsersError> {
        // Whoever is unknown is told so before anything is hashed.
        of_house(&mut self.read()?, id)?;
        let hash = hash(id, new)?;
        self.edit(actor, "password_set", json!({"user": id}), |roll| {
            let user = of_house(roll, id)?;
            user.password = Some(hash);
            user.epoch += 1;
            Ok(())
        })
    }

    /// Ends all that a user is: sessions, streams, tokens, certificates.
    pub fn revoke(&self, actor: &Actor, id: &str) -> Result<(), UsersError> {
        self.edit(actor, "user_revoked", json!({"user": id}), |roll| {
            let user = user(roll, id)?;
            user.revoked = Some(Moment::now());
            user.epoch += 1;
            Ok(())
        })
    }

    /// Makes a token that speaks for a user, with no more than this scope, for so long.
    pub fn make_token(
        &self,
        actor: &Actor,
        id: &str,
        scope: &Scope,
        lifetime: Duration,
    ) -> Result<MadeToken, UsersError> {
        check_scope(scope)?;
        let made = MadeToken {
            name: format!("t-{}", secret::name()?),
            key: format!("catwalk_{}", secret::key()?),
            expires: Moment::now().after(lifetime),
        };
        let verifier = Verifier::of(id, &made.key);
        let mut about = told(id, scope);
        about["token"] = json!(made.name);
        about["expires"] = json!(made.expires);
        self.edit(actor, "token_made", about, |roll| {
            let user = user(roll, id)?;
            if let Some(role) = scope.roles.difference(&user.roles).next() {
                return Err(refused(format!(
                    "{id:?} has not the role {role}: a token cannot have more than its user"
                )));
            }
            if let Some(own) = &user.properties
                && !scope.properties.as_ref().is_some_and(|asked| asked.is_subset(own))
            {
                return Err(refused(format!(
                    "{id:?} may not see all of these properties: a token cannot have more than its user"
                )));
            }
            if !scope.days.is_within(user.days) {
                return Err(refused(format!(
                    "{id:?} may not see all of these days: a token cannot have more than its user"
                )));
            }
            let token = Token {
                user: id.to_owned(),
                key: KeyHash::of(&made.key),
                scram: Some(verifier),
                roles: scope.roles.clone(),
                properties: scope.properties.clone(),
                days: scope.days,
                made: Moment::now(),
                expires: made.expires,
                revoked: None,
            };
            roll.tokens.insert(made.name.clone(), token);
            Ok(())
        })?;
        Ok(made)
    }

    pub fn revoke_token(&self, actor: &Actor, name: &str) -> Result<(), UsersError> {
        self.edit(
            actor,
            "token_revoked",
            json!({"token": name}),
            |roll| match roll.tokens.get_mut(name) {
                None => Err(refused(format!("there is no token {name:?}"))),
                Some(Token {
                    revoked: Some(when),
                    ..
                }) => Err(refused(format!("{name:?} was revoked at {when}"))),
                Some(token) => {
                    token.revoked = Some(Moment::now());
                    Ok(())
                }
            },
        )
    }

    /// Puts an act on record that changes nothing in the file.
    pub(crate) fn note(
        &self,
        actor: &Actor,
        act: &'static str,
        about: Value,
    ) -> Result<(), UsersError> {
        let line = json!({"at": Moment::now(), "act": act, "by": actor.by,
            "station": actor.station, "about": about});
        let record = self.record();
        let _held = files::lock(&record).map_err(|source| self.failed(source))?;
        let added = files::append(&record, &line.to_string());
        added.map_err(|source| UsersError::File {
            path: record,
            source,
        })
    }

    /// One change at a time, on record before it is done.
    pub(super) fn edit(
        &self,
        actor: &Actor,
        act: &'static str,
        about: Value,
        change: impl FnOnce(&mut Roll) -> Result<(), UsersError>,
    ) -> Result<(), UsersError> {
        self.make_folder()?;
        let _held = files::lock(&self.path).map_err(|source| self.failed(source))?;
        let mut roll = self.read()?;
        change(&mut roll)?;
        let text = serde_json::to_string_pretty(&roll).map_err(io::Error::from);
        let text = text.map_err(|source| self.failed(source))?;
        self.note(actor, act, about.clone())?;
        if let Err(source) = files::replace(&self.path, text.as_bytes()) {
            // It stands on record as done, and it was not.
            self.note(actor, "not_done", json!({"act": act, "about": about}))?;
            return Err(self.failed(source));
        }
        Ok(())
    }

    pub(crate) fn make_folder(&self) -> Result<(), UsersError> {
        match self.path.parent() {
            Some(folder) => fs::create_dir_all(folder).map_err(|source| self.failed(source)),
            None => Ok(()),
        }
    }

    fn failed(&self, source: io::Error) -> UsersError {
        UsersError::File {
            path: self.path.clone(),
            source,
        }
    }
}

fn refused(why: String) -> UsersError {
    UsersError::Refused(why)
}

fn user<'a>(roll: &'a mut Roll, id: &str) -> Result<&'a mut User, UsersError> {
    match roll.users.get_mut(id) {
        None => Err(refused(format!("there is no user {id:?}"))),
        Some(User {
            revoked: Some(when),
            ..
        }) => Err(refused(format!("{id:?} was revoked at {when}"))),
        Some(user) => Ok(user),
    }
}

/// A user whose roles and password are kept here.
fn of_house<'a>(roll: &'a mut Roll, id: &str) -> Result<&'a mut User, UsersError> {
    let user = user(roll, id)?;
    match &user.provided {
        None => Ok(user),
        Some(provided) => Err(refused(format!(
            "{id:?} signs in by {}: its roles are those of its groups there ([oidc] of the configuration)",
            provided.issuer
        ))),
    }
}

pub(super) fn check_id(id: &str) -> Result<(), UsersError> {
    let sign = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "._-@:/".contains(c);
    let begins = id.starts_with(|c: char| c.is_ascii_lowercase() || c.is_ascii_digit());
    match begins && id.len() <= 64 && id.chars().all(sign) {
        true => Ok(()),
        false => Err(refused(format!(
            "{id:?} is no id of a user: small letters, digits and . _ - @ : / are allowed, at most 64"
        ))),
    }
}

/// What somebody may, for the record.
pub(super) fn told(id: &str, scope: &Scope) -> Value {
    let mut about = json!({"user": id, "roles": scope.roles, "properties": scope.properties});
    if !scope.days.is_all() {
        about["days"] = json!(scope.days);
    }
    about
}

fn check_scope(scope: &Scope) -> Result<(), UsersError> {
    if !scope.days.has_a_day() {
        return Err(refused("no day would be left to see".to_owned()));
    }
    if scope.roles.is_empty() {
        return Err(refused("a role is needed".to_owned()));
    }
    match &scope.properties {
        Some(properties) if properties.is_empty() => {
            Err(refused("no property would be left to see".to_owned()))
        }
        _ => Ok(()),
    }
}

fn hash(id: &str, password: &str) -> Result<String, UsersError> {
    match secret::weakness(id, password) {
        Some(weakness) => Err(refused(weakness)),
        None => secret::hash(password).map_err(UsersError::Hash),
    }
}
