//! A desk at work on a log, and people who speak with it over HTTP.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use catwalk_desk::{Room, Service, Settings, api};
use catwalk_events::Timestamp;
use catwalk_events::audit::{Disposition, Finding, Incident};
use catwalk_hands::floor::{Cents, Severity};
use catwalk_log::{Durability, EmbeddedLog, KafkaConfig, KafkaLog, Log, Message, Partition, Topic};
use catwalk_web::axum::extract::Request;
use catwalk_web::axum::middleware::{self, Next};
use catwalk_web::{Caller, Limits, Role, Running, Server};
use catwalk_wire::Formats;
use serde_json::{Value, json};
use ureq::Agent;

pub(crate) const PARTITIONS: u32 = 3;
pub(crate) const PATIENCE: Duration = Duration::from_secs(60);

/// Opens the log at an address, such as the processes of the crash tests are given, with its topics.
pub(crate) fn open(home: &[&str]) -> Arc<dyn Log> {
    let log: Arc<dyn Log> = match home {
        ["folder", folder] => Arc::new(EmbeddedLog::open(folder, Durability::Os).unwrap()),
        ["kafka", bootstrap, prefix] => {
            let mut config = KafkaConfig::new(*bootstrap);
            config.prefix = (*prefix).to_owned();
            // A killed worker is missed soon.
            let session = ("session.timeout.ms".to_owned(), "2000".to_owned());
            let heartbeat = ("heartbeat.interval.ms".to_owned(), "500".to_owned());
            config.settings.extend([session, heartbeat]);
            Arc::new(KafkaLog::connect(config).unwrap())
        }
        _ => panic!("{home:?}"),
    };
    log.create(&Topic::ALL.map(|topic| topic.with_partitions(PARTITIONS)))
        .unwrap();
    log
}

pub(crate) fn formats() -> Formats {
    Formats::plain().unwrap()
}

/// A finding at a table, so many seconds into the shift.
pub(crate) fn finding(code: &str, table: u64, second: i64, round: Option<u64>) -> Finding {
    Finding {
        id: String::new(),
        code: code.to_owned(),
        severity: Severity::Critical,
        property: "ebh".to_owned(),
        table: format!("T-{table}"),
        game: Some("blackjack".to_owned()),
        round: round.map(|round| format!("T-{table}-{round}")),
        wager: None,
        seat: None,
        dealer: Some(format!("d-{table}")),
        at: Timestamp::from_micros(1_794_740_400_000_000 + second * 1_000_000),
        due: None,
        paid: None,
        exposure: Cents::ZERO,
        message: format!("{code} at T-{table}"),
        cites: Vec::new(),
        evidence: vec![second.unsigned_abs()],
        rules: None,
        resolves: None,
        player: None,
        trial: None,
    }
    .seal()
}

pub(crate) fn send(log: &dyn Log, findings: &[Finding]) {
    let formats = formats();
    let messages: Vec<Message> = findings
        .iter()
        .map(|finding| {
            let value = formats.findings.encode(finding).unwrap();
            Message::new(Topic::Findings, finding.table.as_str(), value)
        })
        .collect();
    let mut producer = log.producer().unwrap();
    producer.send(&messages).unwrap();
    producer.flush().unwrap();
}

pub(crate) fn read_all(log: &dyn Log, partition: Partition) -> Vec<Vec<u8>> {
    let end = log.decided_end(partition).unwrap();
    let mut reader = log.reader(partition, 0).unwrap();
    let mut all = Vec::new();
    while reader.position() < end && !(reader.caught_up() && end == 0) {
        let records = reader.read(Duration::from_millis(100)).unwrap();
        if records.is_empty() && reader.caught_up() {
            break;
        }
        all.extend(
            records
                .into_iter()
                .map(|record| record.value.unwrap_or_default()),
        );
    }
    all
}

/// Every act on the log.
pub(crate) fn dispositions(log: &dyn Log) -> Vec<Disposition> {
    let formats = formats();
    let partitions = (0..PARTITIONS).map(|index| Topic::Dispositions.partition(index));
    let values = partitions.flat_map(|partition| read_all(log, partition));
    values
        .map(|value| formats.dispositions.decode(&value).unwrap())
        .collect()
}

/// The latest revision of every incident on the log. That no revision is there twice, and that they rise, is
/// seen to here.
pub(crate) fn incidents(log: &dyn Log) -> BTreeMap<String, Incident> {
    let formats = formats();
    let mut latest: BTreeMap<String, Incident> = BTreeMap::new();
    for value in read_all(log, Topic::Incidents.partition(0)) {
        let incident = formats.incidents.decode(&value).unwrap();
        let before = latest.insert(incident.id.clone(), incident.clone());
        if let Some(before) = before {
            let (before, now) = (before.revision, incident.revision);
            assert!(before < now, "{}: {now} after {before}", incident.id);
        }
    }
    latest
}

/// A desk at work, with its API.
pub(crate) struct AtWork {
    pub(crate) web: Running,
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl AtWork {
    pub(crate) fn begin(log: Arc<dyn Log>, name: &str) -> AtWork {
        AtWork::begin_as(log, name, Settings::default())
    }

    pub(crate) fn begin_as(log: Arc<dyn Log>, name: &str, settings: Settings) -> AtWork {
        AtWork::begin_in(log, name, Room::open(settings))
    }

    pub(crate) fn begin_in(log: Arc<dyn Log>, name: &str, room: Arc<Room>) -> AtWork {
        let server = Server::bind("127.0.0.1:0".parse().unwrap(), Limits::default()).unwrap();
        let routes = api::routes(room.clone()).layer(middleware::from_fn(signed_in));
        let web = server.start(routes).unwrap();
        let stop = Arc::new(AtomicBool::new(false));
        let (name, stops) = (name.to_owned(), stop.clone());
        let thread = thread::spawn(move || {
            let mut service = Service::join(log, &name, formats(), room).unwrap();
            service.run(&formats(), &stops).unwrap();
        });
        AtWork {
            web,
            stop,
            thread: Some(thread),
        }
    }

    pub(crate) fn person(&self, who: &str) -> Person {
        Person::at(&self.web.address().to_string(), who)
    }
}

impl Drop for AtWork {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Release);
        if let Some(thread) = self.thread.take() {
            let ended = thread.join();
            assert!(ended.is_ok() || thread::panicking(), "the desk panicked");
        }
    }
}

/// Whoever the header names is who asks: `ann`, `eve:surveillance_supervisor` or `eve:auditor@ebh`.
async fn signed_in(mut request: Request, next: Next) -> catwalk_web::axum::response::Response {
    let who = request.headers().get("x-person");
    if let Some(who) = who.and_then(|who| who.to_str().ok()) {
        let (who, property) = who.split_once('@').unwrap_or((who, ""));
        let (id, role) = who.split_once(':').unwrap_or((who, "surveillance"));
        let caller = Caller {
            id: id.to_owned(),
            name: id.to_owned(),
            roles: [role.parse::<Role>().unwrap()].into(),
            properties: (!property.is_empty()).then(|| vec![property.to_owned()]),
            days: catwalk_web::Days::default(),
            station: "10.0.0.7".to_owned(),
        };
        request.extensions_mut().insert(caller);
    }
    next.run(request).await
}

/// Somebody who speaks with the desk.
pub(crate) struct Person {
    agent: Agent,
    base: String,
    /// The header that says who asks.
    who: (&'static str, String),
}

impl Person {
    /// Somebody with a token of a house that has users.
    pub(crate) fn with_token(address: &str, token: &str) -> Person {
        let person = Person::at(address, "");
        let who = ("authorization", format!("Bearer {token}"));
        Person { who, ..person }
    }

    pub(crate) fn at(address: &str, who: &str) -> Person {
        let agent = Agent::config_builder()
            .http_status_as_error(false)
            .timeout_global(Some(PATIENCE))
            .build();
        Person {
            agent: agent.into(),
            base: format!("http://{address}/api/v1"),
            who: ("x-person", who.to_owned()),
        }
    }

    /// The same person at another window.
    pub(crate) fn another(&self) -> Person {
        Person {
            agent: self.agent.clone(),
            base: self.base.clone(),
            who: self.who.clone(),
        }
    }

    pub(crate) fn try_get(&self, path: &str) -> Result<(u16, Value), ureq::Error> {
        let url = format!("{}{path}", self.base);
        let request = self.agent.get(url).header(self.who.0, &self.who.1);
        let mut answer = request.call()?;
        let text = answer.body_mut().read_to_string()?;
        Ok((
            answer.status().as_u16(),
            serde_json::from_str(&text).unwrap_or_default(),
        ))
    }

    pub(crate) fn try_post(&self, path: &str, body: &Value) -> Result<(u16, Value), ureq::Error> {
        let url = format!("{}{path}", self.base);
        let request = self.agent.post(url).header(self.who.0, &self.who.1);
        let request = request.header("content-type", "application/json");
        let mut answer = request.send(body.to_string())?;
        let text = answer.body_mut().read_to_string()?;
        Ok((
            answer.status().as_u16(),
            serde_json::from_str(&text).unwrap_or_default(),
        ))
    }

    pub(crate) fn get(&self, path: &str) -> (u16, Value) {
        self.try_get(path).unwrap()
    }

    pub(crate) fn post(&self, path: &str, body: &Value) -> (u16, Value) {
        self.try_post(path, body).unwrap()
    }

    /// Does something about an incident as it is seen now.
    pub(crate) fn act(&self, incident: &str, id: &str, asked: Value) -> (u16, Value) {
        let (_, seen) = self.get(&format!("/incidents/{incident}"));
        let mut body = json!({
            "id": id,
            "seen_acts": seen["incident"]["acts"],
            "seen_findings": seen["incident"]["count"],
        });
        let fields = body.as_object_mut().unwrap();
        fields.extend(asked.as_object().unwrap().clone());
        self.post(&format!("/incidents/{incident}/acts"), &body)
    }

    /// Waits until so many incidents are open, and gives them.
    pub(crate) fn wait_for(&self, count: usize) -> Vec<Value> {
        let begun = Instant::now();
        loop {
            let told = self.try_get("/incidents?limit=1000");
            if let Ok((200, listed)) = &told {
                let open = listed["incidents"].as_array().unwrap();
                if open.len() >= count {
                    return open.clone();
                }
            }
            assert!(begun.elapsed() < PATIENCE, "{count} are awaited: {told:?}");
            thread::sleep(Duration::from_millis(20));
        }
    }
}
