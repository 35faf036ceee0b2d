//! The console: the page, and all that it asks.

use std::sync::Arc;

use catwalk_archive::Archive;
use catwalk_desk::Room;
use catwalk_web::axum::Router;

use super::House;
use crate::config::Config;

impl House {
    /// The page and what it asks: the desk, the archive, the rules.
    pub(super) fn console_routes(
        &self,
        config: &Config,
        room: &Arc<Room>,
    ) -> anyhow::Result<Router> {
        let archive = Archive::at(&config.archive.url)?;
        Ok(catwalk_desk::api::routes(room.clone())
            .merge(catwalk_query::http::routes(archive)?)
            .merge(catwalk_console::routes(self.rulebook.clone())))
    }
}
