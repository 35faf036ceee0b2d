//! The description of the API: of all its routes, whichever of them an installation serves where.

use catwalk_web::axum::Router;

/// Of cases and of the gateway.
const OWN: &str = include_str!("openapi.json");

pub(super) fn routes() -> Router {
    catwalk_web::described(&[
        catwalk_desk::api::DESCRIBED,
        catwalk_query::http::DESCRIBED,
        catwalk_reports::http::DESCRIBED,
        catwalk_console::DESCRIBED,
        OWN,
    ])
}
