//! Desks that are killed over and over: no finding and no act is lost or counted twice, and the incidents are
//! those of one that was never disturbed.

use std::collections::{BTreeMap, BTreeSet};
use std::env;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use catwalk_desk::{Desk, Duties, Priorities, Room, Service, Settings};
use catwalk_events::audit::Finding;
use catwalk_log::Log;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde_json::{Value, json};

use crate::broker;
use crate::duties::{found, missing, wait_for};
use crate::support::{
    AtWork, PATIENCE, Person, dispositions, finding, formats, incidents, open, send,
};

/// So many acts at least are confirmed by a desk before it is killed.
const ACTS: usize = 4;
/// Tells the process that is killed where its log is.
const HOME: &str = "CATWALK_CRASH_HOME";

#[test]
fn killed_over_and_over_on_the_embedded_log_nothing_is_lost_and_nothing_is_twice() {
    let folder = tempfile::tempdir().unwrap();
    let home = ["folder", folder.path().to_str().unwrap()];
    kill_over_and_over(&home, 12, Duration::from_millis(250));
}

#[test]
fn killed_over_and_over_on_kafka_nothing_is_lost_and_nothing_is_twice() {
    let config = broker::floor();
    let home = ["kafka", &config.bootstrap, &config.prefix];
    kill_over_and_over(&home, 5, Duration::from_millis(400));
}

pub(crate) fn seed() -> u64 {
    let seed = env::var("CATWALK_SEED")
        .ok()
        .and_then(|seed| seed.parse().ok());
    let seed = seed.unwrap_or_else(|| rand::rng().random_range(0..1_000_000));
    println!("CATWALK_SEED={seed}");
    seed
}

/// Findings of six tables: faults of single rounds, and gaps of the feed, most of which heal.
fn findings(rng: &mut ChaCha8Rng, count: i64) -> Vec<Finding> {
    let mut all = Vec::new();
    for second in 0..count {
        let table = rng.random_range(0..6);
        // Rounds are not over when the next finding comes.
        let round = Some(second.unsigned_abs() / 5);
        match rng.random_range(0..5) {
            0 => {
                let gap = finding("feed.gap", table, second * 60, None);
                let healed = Finding {
                    resolves: Some(gap.id.clone()),
                    ..finding("finding.resolved", table, second * 60 + 5, None)
                };
                all.push(gap);
                if rng.random_range(0..4) > 0 {
                    all.push(healed.seal());
                }
            }
            1 => all.push(finding("pay.over", table, second * 60, round)),
            _ => all.push(finding("wager.late", table, second * 60, round)),
        }
    }
    all
}

/// What somebody must be told is late at once.
fn settings() -> Settings {
    Settings {
        duties: Duties::within(0),
        ..Settings::default()
    }
}

/// What an undisturbed desk makes of the findings: of each incident all that acts do not change.
fn expected(findings: &[Finding]) -> BTreeMap<String, (Vec<String>, u64, u32, bool)> {
    let (mut desk, room) = (Desk::default(), Priorities::default());
    for finding in findings {
        desk.hear(finding, finding.at, &room);
    }
    let incidents = desk.incidents().map(|one| {
        let ids = one.findings.iter().map(|part| part.finding.id.clone());
        let made = (
            ids.collect(),
            one.count,
            u32::from(u8::from(one.priority)),
            !one.is_open(),
        );
        (one.id.clone(), made)
    });
    incidents.collect()
}

/// Kills so many desks, each up to `latest` after it has begun to open its log or to work, while findings and
/// acts come.
fn kill_over_and_over(home: &[&str], kills: usize, latest: Duration) {
    let mut rng = ChaCha8Rng::seed_from_u64(seed());
    let findings = findings(&mut rng, 600);
    let mut actor = Actor::default();
    let chunks = findings.chunks(findings.len() / kills + 1);
    let count = chunks.len();
    for (number, findings) in chunks.enumerate() {
        send(&*open(home), findings);
        // Nobody tells the Bureau of it: that is found, and once, whenever the desk dies.
        send(&*open(home), &[missing(100 + number as u64)]);
        let mut process = Process::start(home);
        let delay = latest.mul_f64(rng.random_range(0.0..1.0));
        if rng.random_range(0..4) == 0 {
            process.wait_for("opening.");
            thread::sleep(delay);
        } else {
            let address = process.wait_for("at work ");
            actor.act_until(&address, Instant::now() + delay, number, &mut rng);
        }
        process.kill();
    }
    let mut process = Process::start(home);
    let address = process.wait_for("at work ");
    actor.send_again(&address);
    wait_for(&Person::at(&address, "ann"), "missed", count);
    process.kill();

    let log = open(home);
    let mut last = Service::join(log.clone(), "one", formats(), Room::open(settings())).unwrap();
    last.run_until_caught_up().unwrap();
    let missed = found(&*log, "duty.missed");
    let ids: BTreeSet<&String> = missed.iter().map(|finding| &finding.id).collect();
    assert_eq!((missed.len(), ids.len()), (count, count));
    let missing = (0..count as u64).map(|number| missing(100 + number));
    let all: Vec<Finding> = findings.into_iter().chain(missing).chain(missed).collect();
    actor.check(&*log, &expected(&all));
}

/// Somebody who acts on what presses most, and remembers what was said.
#[derive(Default)]
struct Actor {
    /// Acts that the desk has confirmed.
    done: BTreeSet<String>,
    refused: BTreeSet<String>,
    /// Entries of the log that the desk has confirmed, by their numbers.
    entries: BTreeMap<u64, String>,
    /// Acts of which nobody knows: the desk died with them in its hands.
    in_doubt: Vec<(String, Value)>,
}

impl Actor {
    fn act_until(&mut self, address: &str, until: Instant, desk: usize, rng: &mut ChaCha8Rng) {
        let person = Person::at(address, "ann");
        let (mut number, wanted) = (0, self.done.len() + ACTS);
        let latest = until + PATIENCE;
        while Instant::now() < until || self.done.len() < wanted {
            assert!(Instant::now() < latest, "nobody comes to act");
            // A desk that begins has nothing to show for a moment.
            let Ok((200, listed)) = person.try_get("/incidents?code=wager.late&priority=1") else {
                thread::sleep(Duration::from_millis(2));
                continue;
            };
            let open = listed["incidents"].as_array().unwrap();
            let Some(one) = open.get(rng.random_range(0..open.len().max(1))) else {
                thread::sleep(Duration::from_millis(2));
                continue;
            };
            let deed = match one["held"].is_object() {
                true => ["release", "note"][rng.random_range(0..2)],
                false => ["claim", "note"][rng.random_range(0..2)],
            };
            number += 1;
            let mut body = json!({"id": format!("a-{desk}-{number}"), "deed": deed,
                "seen_acts": one["acts"], "seen_findings": one["count"]});
            if deed == "note" {
                body["note"] = "a word".into();
            }
            let incident = one["id"].as_str().unwrap().to_owned();
            self.send(&person, incident, body);
            self.write(&person, &format!("e-{desk}-{number}"));
        }
        // The last one is under way when the desk dies.
        if let Some((incident, body)) = self.last_words(&person, desk) {
            self.in_doubt.push((incident, body));
        }
    }

    fn write(&mut self, person: &Person, id: &str) {
        let entry = json!({"id": id, "kind": "observation", "property": "ebh", "summary": id});
        if let Ok((201, told)) = person.try_post("/log", &entry) {
            let number = told["entry"]["number"].as_u64().unwrap();
            let before = self.entries.insert(number, id.to_owned());
            assert_eq!(before, None, "number {number} was given twice");
        }
    }

    fn last_words(&self, person: &Person, desk: usize) -> Option<(String, Value)> {
        let (_, listed) = person
            .try_get("/incidents?code=wager.late&priority=1")
            .ok()?;
        let one = listed["incidents"].as_array()?.first()?.clone();
        let body = json!({"id": format!("last-{desk}"), "deed": "note", "note": "a last word",
            "seen_acts": one["acts"], "seen_findings": one["count"]});
        let incident = one["id"].as_str()?.to_owned();
        let path = format!("/incidents/{incident}/acts");
        let (person, sent) = (person.another(), body.clone());
        thread::spawn(move || drop(person.try_post(&path, &sent)));
        Some((incident, body))
    }

    fn send(&mut self, person: &Person, incident: String, body: Value) {
        let id = body["id"].as_str().unwrap().to_owned();
        match person.try_post(&format!("/incidents/{incident}/acts"), &body) {
            Ok((201, _)) => drop(self.done.insert(id)),
            Ok((409, _)) => drop(self.refused.insert(id)),
            _ => self.in_doubt.push((incident, body)),
        }
    }

    /// Sends what is in doubt again, under the same ids, until each is decided.
    fn send_again(&mut self, address: &str) {
        let (person, begun) = (Person::at(address, "ann"), Instant::now());
        println!("{} done, {} in doubt", self.done.len(), self.in_doubt.len());
        while let Some((incident, body)) = self.in_doubt.pop() {
            assert!(begun.elapsed() < PATIENCE, "{body} is never decided");
            let waiting = self.in_doubt.len();
            self.send(&person, incident, body);
            if self.in_doubt.len() > waiting {
                thread::sleep(Duration::from_millis(50));
            }
        }
    }

    fn check(&self, log: &dyn Log, expected: &BTreeMap<String, (Vec<String>, u64, u32, bool)>) {
        let mut acts: BTreeMap<String, u64> = BTreeMap::new();
        let (mut on_log, mut numbers) = (BTreeSet::new(), BTreeMap::new());
        for act in dispositions(log) {
            let id = act.id.unwrap();
            if act.operator != "clock" {
                assert!(!self.refused.contains(&id), "{id} was refused and is there");
            }
            assert!(on_log.insert(id.clone()), "{id} is there twice");
            if let Some(entry) = act.entry {
                numbers.insert(entry.number, id);
                continue;
            }
            *acts.entry(act.incident.unwrap()).or_default() += 1;
        }
        for id in &self.done {
            assert!(on_log.contains(id), "{id} was confirmed and is lost");
        }
        let count = numbers.len() as u64;
        assert!(numbers.keys().copied().eq(1..=count), "{numbers:?}");
        for (number, id) in &self.entries {
            assert_eq!(
                numbers.get(number),
                Some(id),
                "entry {number} was confirmed"
            );
        }
        let found = incidents(log);
        assert_eq!(
            found.keys().collect::<Vec<_>>(),
            expected.keys().collect::<Vec<_>>()
        );
        for (id, incident) in found {
            let (findings, count, priority, is_closed) = &expected[&id];
            assert_eq!(&incident.findings, findings, "{id}");
            assert_eq!(
                (incident.count, incident.priority),
                (*count, *priority),
                "{id}"
            );
            assert_eq!(incident.status == "resolved", *is_closed, "{id}");
            assert_eq!(incident.acts, acts.get(&id).copied().unwrap_or(0), "{id}");
            let changes = incident.count + incident.resolved + incident.acts;
            assert_eq!(incident.revision, changes, "{id}");
        }
    }
}

/// A desk in a process of its own.
struct Process {
    process: Child,
    lines: std::io::Lines<BufReader<ChildStdout>>,
}

impl Process {
    fn start(home: &[&str]) -> Process {
        let mut process = Command::new(env::current_exe().unwrap())
            .args(["--exact", "crash::works_until_it_is_killed", "--ignored"])
            .args(["--nocapture", "--test-threads=1"])
            .env(HOME, home.join("\n"))
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let lines = BufReader::new(process.stdout.take().unwrap()).lines();
        Process { process, lines }
    }

    /// Waits for a line that begins so, and gives the rest of it.
    fn wait_for(&mut self, beginning: &str) -> String {
        let mut said = self.lines.by_ref().map_while(Result::ok);
        let rest = said.find_map(|line| Some(line.strip_prefix(beginning)?.to_owned()));
        rest.expect("the desk ended by itself")
    }

    fn kill(mut self) {
        self.process.kill().unwrap();
        self.process.wait().unwrap();
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // A test that fails leaves no process behind; one that was killed is gone already.
        let _ = self.process.kill();
    }
}

#[test]
#[ignore = "the process that the crash tests kill"]
fn works_until_it_is_killed() {
    let Ok(home) = env::var(HOME) else { return };
    say("\nopening.");
    let log: Arc<dyn Log> = open(&home.lines().collect::<Vec<_>>());
    let desk = AtWork::begin_as(log, "one", settings());
    desk.person("ann").wait_for(0);
    say(&format!("at work {}", desk.web.address()));
    loop {
        thread::sleep(Duration::from_secs(1));
    }
}

fn say(word: &str) {
    // Whoever listened may be gone.
    let _ = writeln!(std::io::stdout(), "{word}");
}
