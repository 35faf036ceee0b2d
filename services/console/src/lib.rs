//! The web page: what people look at all night.
//!
//! Its parts are built beforehand (`services/console/web`, where its sources are) and lie in the program, so that
//! nothing else is needed to show it. It asks the API of the other services, and this crate adds what nobody else has:
//! the rulebook as data, and the odds.

mod book;
mod odds;
mod page;

use std::sync::Arc;

use catwalk_rules::Rulebook;
use catwalk_web::axum::Router;
use catwalk_web::{Role, require};

/// The routes, as a part of the description of the API.
pub const DESCRIBED: &str = include_str!("openapi.json");

/// Everybody but devices, which send events and see nothing.
const PEOPLE: &[Role] = &[
    Role::Surveillance,
    Role::SurveillanceSupervisor,
    Role::SurveillanceDirector,
    Role::Investigator,
    Role::Auditor,
    Role::Operator,
    Role::Regulator,
];

/// The page, the rulebook and the odds, as routes. What the page shows of incidents, tables and rounds comes from the
/// routes of others, which are merged with these.
pub fn routes(rulebook: Arc<Rulebook>) -> Router {
    let told = book::routes(rulebook.clone()).merge(odds::routes(rulebook));
    require(PEOPLE, told).merge(page::routes())
}
