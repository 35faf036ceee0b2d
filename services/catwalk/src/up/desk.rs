//! The surveillance desk as a service of the house.

use std::sync::Arc;
use std::thread::JoinHandle;

use anyhow::Context;
use catwalk_desk::{Camera, Duties, Priorities, Room, Service, Settings, api, outbox};
use catwalk_web::{Running, Users};

use super::{House, access, described};
use crate::config::{self, Config};

/// The desk of a configuration, as its service and its routes share it.
pub(crate) fn room(config: &Config, is_simulated: bool) -> anyhow::Result<Arc<Room>> {
    let desk = &config.desk;
    let priorities = match desk.priorities.as_os_str().is_empty() {
        true => Priorities::default(),
        false => {
            let shown = || format!("desk.priorities = {}", desk.priorities.display());
            let text = std::fs::read_to_string(&desk.priorities).with_context(shown)?;
            Priorities::read(&text).with_context(shown)?
        }
    };
    let camera = (!desk.camera_url.is_empty()).then(|| Camera {
        url: desk.camera_url.clone(),
        names: desk.cameras.clone(),
        kept_days: desk.camera_days,
    });
    Ok(Room::open(Settings {
        priorities,
        duties: Duties::within(desk.immediately_minutes.into()),
        camera,
        silence_seconds: desk.silence_seconds,
        is_simulated,
        time_zone: config.archive.time_zone.clone(),
        gaming_day_hour: i8::try_from(config.archive.gaming_day_hour)?,
    }))
}

impl House {
    /// The desk without its page: the API alone, where the page would be.
    pub(super) fn serve_desk_alone(
        &self,
        config: &Config,
        users: Option<&Users>,
        room: &Arc<Room>,
    ) -> anyhow::Result<Option<Running>> {
        // A demo that shows nothing has no door.
        let users = users.filter(|users| !users.is_demo());
        let has_page = config.services.contains(&config::Service::Console);
        let Some(users) = users.filter(|_| !has_page) else {
            return Ok(None);
        };
        let server = access::server(config, users, config.console.listen, "console.listen")?;
        eprintln!("catwalk: desk at {}/api/v1", server.url());
        let routes = api::routes(room.clone()).merge(described::routes());
        Ok(Some(server.start(routes)?))
    }

    /// Tells the destinations of the configuration, if there are any.
    pub(super) fn tell(
        self: &Arc<House>,
        config: &Config,
        room: &Arc<Room>,
    ) -> anyhow::Result<Option<JoinHandle<()>>> {
        if config.alerts.is_empty() {
            return Ok(None);
        }
        let (house, room) = (self.clone(), room.clone());
        let (name, destinations) = (config.desk.name.clone(), config.alerts.clone());
        let telling = move || {
            house.patiently("alerts", || {
                house.ready("alerts");
                let (formats, stop) = (house.formats()?, &house.stop);
                Ok(outbox::run(
                    &house.log,
                    &name,
                    &formats,
                    &room,
                    &destinations,
                    stop,
                )?)
            })
        };
        self.spawn("alerts", telling).map(Some)
    }

    pub(super) fn work_at_desk(&self, name: &str, room: &Arc<Room>) -> anyhow::Result<()> {
        self.patiently("desk", || {
            let mut desk = self.desk(name, room)?;
            self.ready("desk");
            Ok(desk.run(&self.formats()?, &self.stop)?)
        })
    }

    pub(super) fn desk(&self, name: &str, room: &Arc<Room>) -> anyhow::Result<Service> {
        let (log, formats) = (self.log.clone(), self.formats()?);
        Ok(Service::join(log, name, formats, room.clone())?)
    }
}
