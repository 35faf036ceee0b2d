//! The web page: what people look at all night.
//!
//! Its parts are built beforehand (`services/console/web`, where its sources are) and lie in the program, so that
//! nothing else is needed to show it. It asks the API of the other services, and this crate adds the one part of it
//! that nobody else has: the rulebook as data.

mod book;
mod page;

use std::sync::Arc;

use catwalk_rules::Rulebook;
use catwalk_web::axum::Router;

/// The page and the rulebook, as routes. What the page shows of incidents, tables and rounds comes from the routes of
/// others, which are merged with these.
pub fn routes(rulebook: Arc<Rulebook>) -> Router {
    book::routes(rulebook).merge(page::routes())
}
