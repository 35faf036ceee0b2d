//! Those whom an act names: an incident that is given to nobody is looked at by nobody, and a reviewer who is not there
//! has reviewed nothing.

use catwalk_web::axum::extract::FromRequestParts;
use catwalk_web::axum::http::StatusCode;
use catwalk_web::axum::http::request::Parts;
use catwalk_web::{Fault, Role, Users};

use super::acts::ACTORS;
use crate::act::Deed;

/// Who may look at what another has done.
const REVIEWERS: &[Role] = &[
    Role::Surveillance,
    Role::SurveillanceSupervisor,
    Role::SurveillanceDirector,
    Role::Investigator,
];

/// The users of whoever serves the routes.
pub(super) struct People(Option<Users>);

impl<S: Sync> FromRequestParts<S> for People {
    type Rejection = std::convert::Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<People, Self::Rejection> {
        Ok(People(parts.extensions.get::<Users>().cloned()))
    }
}

impl People {
    /// Whether whoever a deed names is there, and may do what it asks for.
    pub(super) fn check(&self, deed: &Deed, property: &str) -> Result<(), Fault> {
        match deed {
            Deed::Assign { to } | Deed::HandOver { to } => self.works(to, property),
            Deed::Dispose(how) => match &how.reviewer {
                Some(reviewer) => self.is_there("disposal.reviewer", reviewer, REVIEWERS, property),
                None => Ok(()),
            },
            _ => Ok(()),
        }
    }

    /// Whether this is somebody who works in the room of this property.
    pub(super) fn works(&self, to: &str, property: &str) -> Result<(), Fault> {
        self.is_there("to", to, ACTORS, property)
    }

    fn is_there(
        &self,
        field: &str,
        id: &str,
        any_of: &[Role],
        property: &str,
    ) -> Result<(), Fault> {
        let Some(users) = &self.0 else {
            return Ok(());
        };
        let user = users.user(id)?;
        if user.is_some_and(|user| user.may(any_of) && user.sees(property)) {
            return Ok(());
        }
        let why = format!("{field}: {id:?} is no user of the room of {property}");
        let status = StatusCode::UNPROCESSABLE_ENTITY;
        Err(Fault::new(status, "no_such_person", why))
    }
}
