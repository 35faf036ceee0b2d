//! Who asks, and what they may do.

use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;

use axum::Router;
use axum::extract::{FromRequestParts, Request};
use axum::http::StatusCode;
use axum::http::request::Parts;
use axum::middleware::{self, Next};
use axum::response::IntoResponse;
use serde::{Deserialize, Serialize};

use crate::{Days, Fault};

/// What somebody may do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    Surveillance,
    SurveillanceSupervisor,
    SurveillanceDirector,
    Investigator,
    Auditor,
    /// Runs the installation.
    Operator,
    /// Sends events, and nothing else.
    Device,
    Regulator,
}

impl Role {
    pub const ALL: [Role; 8] = [
        Role::Surveillance,
        Role::SurveillanceSupervisor,
        Role::SurveillanceDirector,
        Role::Investigator,
        Role::Auditor,
        Role::Operator,
        Role::Device,
        Role::Regulator,
    ];

    /// The word for it in files and answers.
    pub fn word(self) -> &'static str {
        match self {
            Role::Surveillance => "surveillance",
            Role::SurveillanceSupervisor => "surveillance_supervisor",
            Role::SurveillanceDirector => "surveillance_director",
            Role::Investigator => "investigator",
            Role::Auditor => "auditor",
            Role::Operator => "operator",
            Role::Device => "device",
            Role::Regulator => "regulator",
        }
    }
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

impl FromStr for Role {
    type Err = String;

    fn from_str(text: &str) -> Result<Role, String> {
        let role = Role::ALL.into_iter().find(|role| role.word() == text);
        role.ok_or_else(|| {
            let words = Role::ALL.map(Role::word).join(", ");
            format!("{text:?} is no role; there are {words}")
        })
    }
}

/// Who asks. A route that takes it answers 401 to whoever is not signed in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Caller {
    pub id: String,
    pub name: String,
    pub roles: BTreeSet<Role>,
    /// What may be seen of; `None`: all.
    pub properties: Option<Vec<String>>,
    /// Gaming days whose rows may be seen.
    pub days: Days,
    /// The address that the request came from.
    pub station: String,
}

impl Caller {
    /// Whether the caller has one of these roles.
    pub fn may(&self, any_of: &[Role]) -> bool {
        any_of.iter().any(|role| self.roles.contains(role))
    }

    /// Whether the caller may see anything of this property.
    pub fn sees(&self, property: &str) -> bool {
        match &self.properties {
            None => true,
            Some(properties) => properties.iter().any(|own| own == property),
        }
    }

    /// 403 unless the caller has one of these roles, and sees every day.
    pub fn require(&self, any_of: &[Role]) -> Result<(), Fault> {
        self.require_on_some_days(any_of)?;
        if !self.days.is_all() {
            let error =
                "this is of all gaming days, and you see only some: ask the archive instead";
            return Err(Fault::new(StatusCode::FORBIDDEN, "days", error));
        }
        Ok(())
    }

    /// 403 unless the caller has one of these roles.
    fn require_on_some_days(&self, any_of: &[Role]) -> Result<(), Fault> {
        if self.may(any_of) {
            return Ok(());
        }
        let words: Vec<&str> = any_of.iter().map(|role| role.word()).collect();
        let error = format!("this asks for the role {}", words.join(" or "));
        Err(Fault::new(StatusCode::FORBIDDEN, "role", error))
    }
}

impl<S: Sync> FromRequestParts<S> for Caller {
    type Rejection = Fault;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Caller, Fault> {
        let caller = parts.extensions.get::<Caller>().cloned();
        caller.ok_or_else(Fault::not_signed_in)
    }
}

/// Routes for those who have one of these roles: 401 to whoever is not signed in, 403 to the others.
pub fn require<S>(any_of: &'static [Role], routes: Router<S>) -> Router<S>
where
    S: Clone + Send + Sync + 'static,
{
    gated(routes, move |caller| caller.require(any_of))
}

/// The same for routes that show each caller only the gaming days that the caller may see.
pub fn require_on_some_days<S>(any_of: &'static [Role], routes: Router<S>) -> Router<S>
where
    S: Clone + Send + Sync + 'static,
{
    gated(routes, move |caller| caller.require_on_some_days(any_of))
}

fn gated<S>(
    routes: Router<S>,
    check: impl Fn(&Caller) -> Result<(), Fault> + Clone + Send + Sync + 'static,
) -> Router<S>
where
    S: Clone + Send + Sync + 'static,
{
    let check = move |caller: Caller, request: Request, next: Next| {
        let checked = check(&caller);
        async move {
            match checked {
                Ok(()) => next.run(request).await,
                Err(fault) => fault.into_response(),
            }
        }
    };
    routes.route_layer(middleware::from_fn(check))
}
