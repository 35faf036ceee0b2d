//! The console: the page, and all that it asks.

use std::sync::Arc;

use catwalk_archive::Archive;
use catwalk_desk::Room;
use catwalk_reports::http::Office;
use catwalk_web::Users;
use catwalk_web::axum::Router;

use super::{House, cases, described, sql};
use crate::config::Config;

impl House {
    /// The page and what it asks: the desk, the archive, the reports, the cases, the rules.
    pub(super) fn console_routes(
        self: &Arc<House>,
        config: &Config,
        users: &Users,
        room: &Arc<Room>,
    ) -> anyhow::Result<Router> {
        let archive = Archive::at(&config.archive.url)?;
        let names = users.pseudonyms()?;
        let worth = self.appraiser.clone();
        let most = sql::most(config)?;
        let desk = catwalk_query::http::Desk::open(archive, self.ledger()?, names, worth, most)?;
        let office = Office {
            desk: desk.clone(),
            rulebook: self.rulebook.clone(),
            time_zone: config.archive.time_zone.clone(),
            gaming_day_hour: config.archive.gaming_day_hour,
            archive: config.archive.url.clone(),
        };
        Ok(catwalk_desk::api::routes(room.clone())
            .merge(catwalk_query::http::routes(desk))
            .merge(catwalk_reports::http::routes(office))
            .merge(cases::routes(self, Some(users))?)
            .merge(catwalk_console::routes(self.rulebook.clone()))
            .merge(described::routes()))
    }
}
