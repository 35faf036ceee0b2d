//! Destinations outside: each is told everything at least once, whenever whoever tells it is killed.

use std::collections::{BTreeMap, BTreeSet};
use std::env;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use catwalk_desk::{Destination, Room, Settings, outbox};
use catwalk_events::audit::{Finding, Incident};
use catwalk_log::{Log, Topic};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::broker;
use crate::crash::seed;
use crate::support::{AtWork, PATIENCE, finding, formats, open, read_all, send};

const HOME: &str = "CATWALK_OUTBOX_HOME";
const ALERTS: &str = "CATWALK_OUTBOX_ALERTS";
const KILLS: i64 = 8;

/// A receiver that notes which letters it has taken, and takes some only at the second try.
pub(crate) struct Receiver {
    pub(crate) port: u16,
    taken: Arc<Mutex<BTreeMap<String, u32>>>,
}

impl Receiver {
    /// `every`: of so many requests one is answered with this status.
    pub(crate) fn begin(
        every: u32,
        status: u16,
        take: fn(&mut TcpStream) -> Option<String>,
    ) -> Receiver {
        let door = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = door.local_addr().unwrap().port();
        let taken: Arc<Mutex<BTreeMap<String, u32>>> = Arc::default();
        let notes = taken.clone();
        thread::spawn(move || {
            let mut count = 0;
            for stream in door.incoming() {
                let mut stream = stream.unwrap();
                // Who is killed leaves half a letter.
                let Some(id) = take(&mut stream) else {
                    continue;
                };
                count += 1;
                let status = if count % every == 0 { status } else { 204 };
                if status == 204 {
                    *notes.lock().unwrap().entry(id).or_default() += 1;
                }
                let answer = format!(
                    "HTTP/1.1 {status} x\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"
                );
                let _ = stream.write_all(answer.as_bytes());
            }
        });
        Receiver { port, taken }
    }

    pub(crate) fn taken(&self) -> BTreeMap<String, u32> {
        self.taken.lock().unwrap().clone()
    }
}

pub(crate) fn webhook(stream: &mut TcpStream) -> Option<String> {
    let mut reader = BufReader::new(stream);
    let (mut id, mut length) = (None, 0);
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line).ok()? == 0 {
            return None;
        }
        match line.trim().split_once(": ") {
            Some(("webhook-id", value)) => id = Some(value.to_owned()),
            Some(("content-length", value)) => length = value.parse().ok()?,
            _ if line.trim().is_empty() => break,
            _ => {}
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    let body: Value = serde_json::from_slice(&body).ok()?;
    assert_eq!(body["id"], id.clone()?.as_str());
    id
}

fn syslog(stream: &mut TcpStream) -> Option<String> {
    let mut text = String::new();
    stream.read_to_string(&mut text).ok()?;
    let (length, line) = text.split_once(' ')?;
    if length.parse::<usize>().ok()? != line.len() {
        return None;
    }
    assert!(line.starts_with('<') && line.contains(">1 20"), "{line}");
    let (_, rest) = line.split_once("delivery=\"")?;
    Some(rest.split_once('"')?.0.to_owned())
}

#[derive(Deserialize)]
struct Alerts {
    alerts: Vec<Destination>,
}

pub(crate) fn destinations(text: &str) -> Vec<Destination> {
    toml::from_str::<Alerts>(text).unwrap().alerts
}

fn alerts(folder: &Path, webhook: u16, syslog: u16) -> String {
    let secret = folder.join("secret");
    std::fs::write(&secret, "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw").unwrap();
    format!(
        "[[alerts]]\nname = \"soc\"\nkind = \"webhook\"\nto = \"http://127.0.0.1:{webhook}/in\"\n\
         secret_file = {:?}\n[[alerts]]\nname = \"logs\"\nkind = \"syslog\"\npriority = 1\n\
         to = \"tcp://127.0.0.1:{syslog}\"\n",
        secret.display().to_string()
    )
}

/// A desk whose destinations are told, in this process.
pub(crate) struct Telling {
    pub(crate) desk: AtWork,
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Telling {
    pub(crate) fn begin(log: &Arc<dyn Log>, alerts: &str) -> Telling {
        Telling::begin_as(log, alerts, Settings::default())
    }

    fn begin_as(log: &Arc<dyn Log>, alerts: &str, settings: Settings) -> Telling {
        let room = Room::open(settings);
        let desk = AtWork::begin_in(log.clone(), "one", room.clone());
        let stop = Arc::new(AtomicBool::new(false));
        let (log, stops, destinations) = (log.clone(), stop.clone(), destinations(alerts));
        let thread = thread::spawn(move || {
            outbox::run(&log, "one", &formats(), &room, &destinations, &stops).unwrap();
        });
        Telling {
            desk,
            stop,
            thread: Some(thread),
        }
    }

    /// Waits until this holds of what is told of all destinations.
    pub(crate) fn wait_until(&self, holds: impl Fn(&Value) -> bool) -> Value {
        let person = self.desk.person("olga:operator");
        let (begun, mut stays) = (Instant::now(), 0);
        loop {
            let (_, told) = person.get("/alerts");
            // What is committed is known of a moment later.
            stays = if holds(&told) { stays + 1 } else { 0 };
            if stays > 5 {
                return told;
            }
            assert!(begun.elapsed() < PATIENCE, "{told}");
            thread::sleep(Duration::from_millis(50));
        }
    }
}

impl Drop for Telling {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Release);
        let ended = self.thread.take().unwrap().join();
        assert!(ended.is_ok() || thread::panicking());
    }
}

fn has_told_all(told: &Value) -> bool {
    let all = told["destinations"].as_array().unwrap();
    let is_done = |one: &Value| {
        one["offset"] == told["head"] && one["carried"] == true && one["waiting"] == 0
    };
    told["desk_behind"] == false && all.len() == 2 && all.iter().all(is_done)
}

/// Every letter that somebody who is told of this priority must have got, as the log has it.
pub(crate) fn due(log: &dyn Log, priority: u32) -> BTreeSet<String> {
    let formats = formats();
    let mut known: BTreeMap<String, (u32, String, bool)> = BTreeMap::new();
    let mut due = BTreeSet::new();
    for value in read_all(log, Topic::Incidents.partition(0)) {
        let one: Incident = formats.incidents.decode(&value).unwrap();
        let now = (one.priority, one.level.clone(), one.acknowledged.is_some());
        let letter = format!("{}-{}", one.id, one.revision);
        let is_open = one.status == "open";
        match known.get(&one.id) {
            None if is_open && one.priority <= priority => {}
            Some(before) if !is_open || *before != now => {}
            _ => continue,
        }
        due.insert(letter);
        match is_open {
            true => known.insert(one.id.clone(), now),
            false => known.remove(&one.id),
        };
    }
    due
}

#[test]
fn killed_over_and_over_every_destination_gets_every_letter_and_knows_repeats_by_their_id() {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("log");
    kill_over_and_over(&["folder", log.to_str().unwrap()], KILLS);
}

#[test]
fn on_kafka_too_every_destination_gets_every_letter_however_often_its_courier_is_killed() {
    let config = broker::floor();
    kill_over_and_over(&["kafka", &config.bootstrap, &config.prefix], KILLS / 2);
}

fn kill_over_and_over(home: &[&str], kills: i64) {
    let mut rng = ChaCha8Rng::seed_from_u64(seed());
    let folder = tempfile::tempdir().unwrap();
    let (soc, logs) = (
        Receiver::begin(17, 503, webhook),
        Receiver::begin(u32::MAX, 0, syslog),
    );
    let alerts = alerts(folder.path(), soc.port, logs.port);
    // A destination is told what comes after it was made.
    {
        let log = open(home);
        Telling::begin(&log, &alerts).wait_until(has_told_all);
    }
    for kill in 0..kills {
        let findings: Vec<_> = (0..40)
            .map(|count| {
                let second = kill * 4_000 + count * 60;
                let table = rng.random_range(0..6);
                let code =
                    ["wager.late", "deck.missing_card", "deal.order"][rng.random_range(0..3)];
                finding(code, table, second, Some(second.unsigned_abs()))
            })
            .collect();
        send(&*open(home), &findings);
        let mut process = Process::start(home, &alerts);
        process.wait_until_at_work();
        thread::sleep(Duration::from_millis(rng.random_range(0..700)));
        process.kill();
    }
    let log = open(home);
    let telling = Telling::begin(&log, &alerts);
    let told = telling.wait_until(has_told_all);
    drop(telling);
    for one in told["destinations"].as_array().unwrap() {
        assert_eq!(one["dead_letters"], 0, "{one}");
    }
    for (name, receiver, priority) in [("soc", &soc, 2), ("logs", &logs, 1)] {
        let (due, taken) = (due(&*log, priority), receiver.taken());
        let repeated = taken.values().filter(|&&times| times > 1).count();
        println!(
            "{name}: {} letters, {repeated} of them more than once",
            due.len()
        );
        assert!(due.len() > 20, "{name}: {}", due.len());
        let taken: BTreeSet<String> = taken.into_keys().collect();
        assert_eq!(
            due.difference(&taken).collect::<Vec<_>>(),
            [""; 0],
            "{name} was never told"
        );
        assert_eq!(
            taken.difference(&due).collect::<Vec<_>>(),
            [""; 0],
            "{name} was told too much"
        );
    }
}

#[test]
fn what_a_destination_refuses_is_a_dead_letter_and_what_comes_after_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("log");
    let log = open(&["folder", log.to_str().unwrap()]);
    let (soc, logs) = (
        Receiver::begin(1, 422, webhook),
        Receiver::begin(u32::MAX, 0, syslog),
    );
    let telling = Telling::begin(&log, &alerts(folder.path(), soc.port, logs.port));
    telling.wait_until(has_told_all);
    send(&*log, &[finding("wager.late", 1, 60, Some(1))]);
    let told = telling.wait_until(|told| told["destinations"][1]["dead_letters"] == 1);
    let dead = &told["destinations"][1]["dead"][0];
    assert_eq!(dead["type"], "incident.opened");
    assert!(dead["error"].as_str().unwrap().contains("422"), "{dead}");
    let taken = logs.taken();
    assert_eq!(
        taken.keys().collect::<Vec<_>>(),
        [dead["id"].as_str().unwrap()]
    );
    // Who works at the desk does not look after destinations, and nobody sees those of another casino.
    let (status, _) = telling.desk.person("ann").get("/alerts");
    assert_eq!(status, 403);
    let (_, other) = telling.desk.person("eve:auditor@other").get("/alerts");
    assert_eq!(other["destinations"], json!([]));
    let (status, _) = telling.desk.person("").get("/alerts");
    assert_ne!(status, 200);
}

#[test]
fn what_is_put_right_before_it_rings_is_told_to_nobody_and_what_lasts_is_told_then() {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("log");
    let log = open(&["folder", log.to_str().unwrap()]);
    let (soc, logs) = (
        Receiver::begin(u32::MAX, 0, webhook),
        Receiver::begin(u32::MAX, 0, syslog),
    );
    let mut settings = Settings::default();
    // Long enough for a busy machine to begin anew within it.
    settings.priorities.settings.grace_seconds = 10;
    let alerts = alerts(folder.path(), soc.port, logs.port);
    let telling = Telling::begin_as(&log, &alerts, settings.clone());
    telling.wait_until(has_told_all);
    let healed = finding("tray.short", 1, 1, None);
    let resolution = Finding {
        resolves: Some(healed.id.clone()),
        ..finding("finding.resolved", 1, 2, None)
    };
    send(&*log, &[healed.clone(), finding("tray.short", 2, 1, None)]);
    telling.wait_until(|told| told["destinations"][1]["waiting"] == 2);
    // Who is killed meanwhile has not forgotten what waits.
    drop(telling);
    let telling = Telling::begin_as(&log, &alerts, settings);
    send(&*log, &[resolution.seal()]);
    let told = telling.wait_until(has_told_all);
    assert_eq!(told["destinations"][1]["delivered"], 1, "{told}");
    let open = telling.desk.person("ann").wait_for(1);
    let wanted = format!("{}-1", open[0]["id"].as_str().unwrap());
    assert_eq!(open[0]["table"], "T-2");
    assert_eq!(soc.taken().into_keys().collect::<Vec<_>>(), [wanted]);
    assert!(logs.taken().is_empty(), "priority 2 is none of theirs");
}

/// A desk and its destinations in a process of their own.
struct Process(Child);

impl Process {
    fn start(home: &[&str], alerts: &str) -> Process {
        let process = Command::new(env::current_exe().unwrap())
            .args(["--exact", "outbox::tells_until_it_is_killed", "--ignored"])
            .args(["--nocapture", "--test-threads=1"])
            .env(HOME, home.join("\n"))
            .env(ALERTS, alerts)
            .stdout(Stdio::piped())
            .spawn();
        Process(process.unwrap())
    }

    fn wait_until_at_work(&mut self) {
        let lines = BufReader::new(self.0.stdout.take().unwrap()).lines();
        let said = lines.map_while(Result::ok).any(|line| line == "at work");
        assert!(said, "the desk ended by itself");
    }

    fn kill(mut self) {
        self.0.kill().unwrap();
        self.0.wait().unwrap();
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // A test that fails leaves no process behind; one that was killed is gone already.
        let _ = self.0.kill();
    }
}

#[test]
#[ignore = "the process that the crash test kills"]
fn tells_until_it_is_killed() {
    let (Ok(home), Ok(alerts)) = (env::var(HOME), env::var(ALERTS)) else {
        return;
    };
    let log = open(&home.lines().collect::<Vec<_>>());
    let telling = Telling::begin(&log, &alerts);
    telling.desk.person("ann").wait_for(0);
    println!("\nat work");
    loop {
        thread::sleep(Duration::from_secs(1));
    }
}
