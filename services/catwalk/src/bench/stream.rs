//! A desk at work, and somebody who follows it over HTTP: the time from an event to the message that tells of it.

use std::collections::HashMap;
use std::io::{BufRead, BufReader};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use anyhow::Context;
use catwalk_desk::{DeskError, Room, Service, Settings, api};
use catwalk_log::Log;
use catwalk_web::axum::extract::Request;
use catwalk_web::axum::middleware::{self, Next};
use catwalk_web::axum::response::Response;
use catwalk_web::{Caller, Days, Limits, Role, Running, Server};
use catwalk_wire::Formats;
use serde_json::Value;

const PATIENCE: Duration = Duration::from_secs(60);
/// The last messages come within this.
const TAIL: Duration = Duration::from_secs(2);

/// An event by its table and number.
type Which = (String, u64);

pub(super) struct Followed {
    web: Running,
    stop: Arc<AtomicBool>,
    desk: JoinHandle<Result<(), DeskError>>,
    heard: JoinHandle<Vec<(Which, i64)>>,
    sent: Mutex<HashMap<Which, i64>>,
}

impl Followed {
    pub(super) fn begin(log: Arc<dyn Log>) -> anyhow::Result<Followed> {
        let room = Room::open(Settings {
            is_simulated: true,
            ..Settings::default()
        });
        let server = Server::bind("127.0.0.1:0".parse()?, Limits::default())?;
        let routes = api::routes(room.clone()).layer(middleware::from_fn(as_somebody));
        let web = server.start(routes)?;
        let stop = Arc::new(AtomicBool::new(false));
        let (formats, stops) = (Formats::plain()?, stop.clone());
        let mut service = Service::join(log, "bench", formats, room)?;
        let for_floor = Formats::plain()?;
        let desk = thread::spawn(move || service.run(&for_floor, &stops));
        let base = format!("http://{}/api/v1", web.address());
        wait_for_desk(&base)?;
        let stream = ureq::get(format!("{base}/stream")).call()?;
        let heard = thread::spawn(move || follow(BufReader::new(stream.into_body().into_reader())));
        Ok(Followed {
            web,
            stop,
            desk,
            heard,
            sent: Mutex::default(),
        })
    }

    /// Takes note of when events were sent.
    pub(super) fn sent(&self, events: &[Which], at: i64) {
        let mut sent = self.sent.lock().unwrap_or_else(PoisonError::into_inner);
        sent.extend(events.iter().map(|event| (event.clone(), at)));
    }

    /// Ends the desk, and gives how long each message took, in milliseconds.
    pub(super) fn end(self) -> anyhow::Result<Vec<u64>> {
        thread::sleep(TAIL);
        self.stop.store(true, Ordering::Release);
        let ended = self.desk.join();
        ended.map_err(|_| anyhow::anyhow!("the desk panicked"))??;
        drop(self.web);
        let heard = self.heard.join();
        let heard = heard.map_err(|_| anyhow::anyhow!("who followed the desk panicked"))?;
        let sent = self.sent.lock().unwrap_or_else(PoisonError::into_inner);
        let mut delays: Vec<u64> = heard
            .into_iter()
            .filter_map(|(event, at)| u64::try_from(at - sent.get(&event)?).ok())
            .collect();
        delays.sort_unstable();
        Ok(delays)
    }
}

/// Whoever asks here is of the room.
async fn as_somebody(mut request: Request, next: Next) -> Response {
    request.extensions_mut().insert(Caller {
        id: "bench".to_owned(),
        name: "bench".to_owned(),
        roles: [Role::Surveillance].into(),
        properties: None,
        days: Days::default(),
        station: "bench".to_owned(),
    });
    next.run(request).await
}

fn wait_for_desk(base: &str) -> anyhow::Result<()> {
    let begun = Instant::now();
    loop {
        match ureq::get(format!("{base}/incidents")).call() {
            Ok(_) => return Ok(()),
            Err(error) if begun.elapsed() > PATIENCE => {
                return Err(error).context("the desk does not begin");
            }
            Err(_) => thread::sleep(Duration::from_millis(50)),
        }
    }
}

/// Which findings were told of, each by the last event that shows it, and when.
fn follow(stream: impl BufRead) -> Vec<(Which, i64)> {
    let (mut heard, mut is_finding) = (Vec::new(), false);
    for line in stream.lines().map_while(Result::ok) {
        if let Some(name) = line.strip_prefix("event: ") {
            is_finding = name == "finding";
            continue;
        }
        let Some(data) = line.strip_prefix("data: ").filter(|_| is_finding) else {
            continue;
        };
        let at = jiff::Timestamp::now().as_millisecond();
        let told: Value = serde_json::from_str(data).unwrap_or_default();
        let evidence = told["evidence"].as_array().into_iter().flatten();
        let last = evidence.filter_map(Value::as_u64).max();
        if let (Some(table), Some(last)) = (told["table"].as_str(), last) {
            heard.push(((table.to_owned(), last), at));
        }
    }
    heard
}
