//! What a credential allows whom.

use std::collections::BTreeSet;

use super::moment::Moment;
use super::roll::{Scope, User};
use super::secret::KeyHash;
use crate::oidc::Vouched;
use crate::{Caller, Days, Role};

/// The user of a demo.
pub(super) const DEMO: &str = "demo";

/// What somebody proves to be somebody with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Credential {
    /// The hash of a cookie.
    Session(KeyHash),
    /// The hash of a bearer token.
    Token(KeyHash),
    /// The name in the certificate of a device.
    Device(String),
    /// Whom a provider vouches for.
    Vouched(Box<Vouched>),
}

/// Somebody who is signed in, and until when.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct SignedIn {
    pub(crate) caller: Caller,
    pub(crate) expires: Option<Moment>,
    pub(crate) is_demo: bool,
}

/// What a user may do, within what the credential allows.
pub(super) fn caller(id: &str, user: Option<&User>, scope: Option<Scope>, station: &str) -> Caller {
    let of_user = user.map_or_else(Days::default, |user| user.days);
    let days = scope
        .as_ref()
        .map_or(of_user, |scope| of_user.and(scope.days));
    let own = user.map(|user| (&user.roles, &user.properties));
    let (roles, properties) = match (own, scope) {
        (None, None) => Default::default(),
        (None, Some(scope)) => (scope.roles, scope.properties),
        (Some((roles, properties)), None) => (roles.clone(), properties.clone()),
        (Some((roles, properties)), Some(scope)) => {
            let both = match (properties, scope.properties) {
                (Some(own), Some(asked)) => Some(own.intersection(&asked).cloned().collect()),
                (None, asked) => asked,
                (own, None) => own.clone(),
            };
            (roles.intersection(&scope.roles).copied().collect(), both)
        }
    };
    Caller {
        id: id.to_owned(),
        name: user.map_or(id, |user| &user.name).to_owned(),
        roles,
        properties: properties.map(|properties: BTreeSet<String>| properties.into_iter().collect()),
        days,
        station: station.to_owned(),
    }
}

pub(super) fn device() -> Scope {
    Scope {
        roles: [Role::Device].into(),
        properties: None,
        days: Days::default(),
    }
}

pub(super) fn demo(station: &str, expires: Moment) -> SignedIn {
    let roles = Role::ALL.into_iter().filter(|role| *role != Role::Device);
    SignedIn {
        caller: Caller {
            id: DEMO.to_owned(),
            name: "Demo".to_owned(),
            roles: roles.collect(),
            properties: None,
            days: Days::default(),
            station: station.to_owned(),
        },
        expires: Some(expires),
        is_demo: true,
    }
}
