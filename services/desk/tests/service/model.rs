//! A hundred people at once on the same incidents: what each was told is true, and nothing is lost.

use std::collections::BTreeMap;
use std::thread;

use catwalk_desk::Settings;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde_json::{Value, json};

use crate::support::{AtWork, Person, dispositions, finding, incidents, open, send};

const PEOPLE: usize = 100;
const ACTS: usize = 12;
const INCIDENTS: u64 = 5;

/// What somebody asked for, and was told.
struct Asked {
    who: String,
    incident: String,
    body: Value,
    status: u16,
    told: Value,
}

fn seed() -> u64 {
    let seed = std::env::var("CATWALK_SEED")
        .ok()
        .and_then(|seed| seed.parse().ok());
    let seed = seed.unwrap_or_else(|| rand::rng().random_range(0..1_000_000));
    println!("CATWALK_SEED={seed}");
    seed
}

/// Acts on what is seen, which others change in the meantime.
fn act_at_random(person: &Person, who: &str, ids: &[String], seed: u64) -> Vec<Asked> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut history = Vec::new();
    for number in 0..ACTS {
        let incident = &ids[rng.random_range(0..ids.len())];
        let (status, seen) = person.get(&format!("/incidents/{incident}"));
        assert_eq!(status, 200, "{seen}");
        let deeds = [
            "claim",
            "claim",
            "claim",
            "release",
            "acknowledge",
            "escalate",
            "note",
            "undo",
            "dispose",
            "assign",
        ];
        let deed = deeds[rng.random_range(0..deeds.len())];
        let mut body = json!({
            "id": format!("{who}-{number}"),
            "deed": deed,
            "seen_acts": seen["incident"]["acts"],
            "seen_findings": seen["incident"]["count"],
        });
        match deed {
            "note" => body["note"] = "a word".into(),
            "assign" => body["to"] = format!("p{}", rng.random_range(0..PEOPLE)).into(),
            "dispose" => body["disposal"] = json!({"verdict": "false_alarm", "reviewer": "eve"}),
            _ => {}
        }
        // Now and then it is sent twice, as after a broken connection.
        for _ in 0..rng.random_range(1..3) {
            let (status, told) = person.post(&format!("/incidents/{incident}/acts"), &body);
            history.push(Asked {
                who: who.to_owned(),
                incident: incident.clone(),
                body: body.clone(),
                status,
                told,
            });
        }
    }
    history
}

/// An incident as the acts in their order make it, told anew and without the desk.
#[derive(Clone)]
struct Done {
    id: String,
    who: String,
    deed: String,
    before: Model,
}

#[derive(Clone, Default)]
struct Model {
    held: Option<String>,
    acknowledged: bool,
    closed: bool,
    /// Here nobody but people sends anything up, and all are of the lowest level.
    level: usize,
    done: Vec<Done>,
}

const LEVELS: [&str; 3] = [
    "surveillance",
    "surveillance_supervisor",
    "surveillance_director",
];

impl Model {
    /// May this be done, and what comes of it?
    fn act(&mut self, act: &Value) {
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let (who, deed) = (text(&act["by"]["id"]), text(&act["deed"]));
        let is_mine = self.held.as_ref().is_none_or(|held| *held == who);
        let before = Model {
            done: Vec::new(),
            ..self.clone()
        };
        if !["note", "undo"].contains(&&*deed) {
            assert!(!self.closed, "{act}: it was closed");
            assert_eq!(
                act["seen_acts"],
                self.done.len(),
                "{act}: it rests on less than there was"
            );
        }
        match &*deed {
            "claim" => {
                assert!(is_mine, "{act}: {:?} had it", self.held);
                (self.held, self.acknowledged) = (Some(who.clone()), true);
            }
            "release" => {
                assert_eq!(self.held, Some(who.clone()), "{act}");
                self.held = None;
            }
            "acknowledge" => self.acknowledged = true,
            "assign" => {
                assert!(is_mine, "{act}: {:?} had it", self.held);
                self.held = Some(text(&act["to"]));
            }
            "escalate" => {
                let to = LEVELS.iter().position(|level| act["to"] == *level).unwrap();
                self.level = self.level.max(to);
            }
            "dispose" => {
                assert!(is_mine, "{act}: {:?} had it", self.held);
                assert_eq!(self.level, 0, "{act}: it was sent up");
                (self.closed, self.acknowledged) = (true, true);
            }
            "undo" => {
                let last = self.done.iter().rev().find(|done| done.deed != "note");
                let last = last.unwrap().clone();
                assert_eq!(
                    act["undoes"],
                    last.id.as_str(),
                    "{act}: it was not the last"
                );
                assert_eq!(who, last.who, "{act}: it was another's");
                let done = std::mem::take(&mut self.done);
                *self = Model {
                    done,
                    ..last.before
                };
            }
            "note" => {}
            other => panic!("{other}"),
        }
        let id = text(&act["id"]);
        self.done.push(Done {
            id,
            who,
            deed,
            before,
        });
    }
}

#[test]
fn of_a_hundred_who_act_at_once_each_is_told_what_is_so() {
    let folder = tempfile::tempdir().unwrap();
    let log = open(&["folder", folder.path().to_str().unwrap()]);
    let findings: Vec<_> = (0..INCIDENTS)
        .map(|table| finding("wager.late", table, 5, Some(1)))
        .collect();
    send(&*log, &findings);
    // No deadline passes while they act.
    let mut settings = Settings::default();
    settings.priorities.settings.acknowledged_minutes = [480; 4];
    let desk = AtWork::begin_as(log.clone(), "one", settings);
    let open = desk.person("ann").wait_for(findings.len());
    let ids: Vec<String> = open
        .iter()
        .map(|one| one["id"].as_str().unwrap().to_owned())
        .collect();
    let seed = seed();
    let history: Vec<Asked> = thread::scope(|threads| {
        let people: Vec<_> = (0..PEOPLE)
            .map(|number| {
                let (desk, ids) = (&desk, &ids);
                threads.spawn(move || {
                    let who = format!("p{number}");
                    act_at_random(&desk.person(&who), &who, ids, seed + number as u64)
                })
            })
            .collect();
        let history = people.into_iter().flat_map(|person| person.join().unwrap());
        history.collect()
    });
    let person = desk.person("ann");
    let mut counted: BTreeMap<String, Value> = BTreeMap::new();
    let mut shown = BTreeMap::new();
    for id in &ids {
        let (_, detail) = person.get(&format!("/incidents/{id}"));
        let mut model = Model::default();
        for act in detail["acts"].as_array().unwrap() {
            model.act(act);
            let twice = counted.insert(act["id"].as_str().unwrap().to_owned(), act.clone());
            assert!(twice.is_none(), "{act} counts twice");
        }
        let one = &detail["incident"];
        assert_eq!(one["held"]["by"].as_str(), model.held.as_deref(), "{one}");
        assert_eq!(one["status"] == "open", !model.closed, "{one}");
        assert_eq!(one["acknowledged"].is_string(), model.acknowledged, "{one}");
        assert_eq!(one["level"], LEVELS[model.level], "{one}");
        shown.insert(id.clone(), (one["revision"].as_u64(), model.done.len()));
    }
    check_what_was_told(&history, &counted);
    drop(desk);
    // What is on the log is what was shown.
    let kept = incidents(&*log);
    for (id, (revision, acts)) in &shown {
        assert_eq!(
            (Some(kept[id].revision), kept[id].acts),
            (*revision, *acts as u64)
        );
    }
    let mut appended: Vec<String> = dispositions(&*log)
        .into_iter()
        .filter_map(|act| act.id)
        .collect();
    appended.sort();
    assert_eq!(appended, counted.keys().cloned().collect::<Vec<_>>());
}

/// Whoever was told yes is on the record, once; whoever was told no is not, and knows why.
fn check_what_was_told(history: &[Asked], counted: &BTreeMap<String, Value>) {
    let (mut done, mut overtaken) = (0, 0);
    for asked in history {
        let id = asked.body["id"].as_str().unwrap();
        match asked.status {
            201 => {
                done += 1;
                let act = counted.get(id).unwrap_or_else(|| panic!("{id} is lost"));
                assert_eq!(&asked.told["act"], act, "what was told is what is kept");
                assert_eq!(act["by"]["id"], asked.who.as_str());
                assert_eq!(asked.told["incident"]["id"], asked.incident.as_str());
            }
            409 | 403 | 422 => {
                let code = asked.told["code"].as_str().unwrap();
                let error = asked.told["error"].as_str().unwrap();
                if code == "overtaken" && asked.body["deed"] == "claim" {
                    overtaken += 1;
                    let by = asked.told["by"].as_str().unwrap();
                    assert!(error.contains(by), "{error}");
                }
                assert!(
                    !counted.contains_key(id),
                    "{id} was refused ({error}) and counts"
                );
            }
            other => panic!("{other}: {} of {}", asked.told, asked.body),
        }
    }
    println!(
        "{} asked, {done} done, {overtaken} claims overtaken",
        history.len()
    );
    assert!(done > 100 && overtaken > 10, "they were not at once");
}
