//! The API as it is described, and as people and their programs meet it.

use std::io::{BufRead, BufReader};
use std::thread;
use std::time::{Duration, Instant};

use catwalk_desk::{Camera, Settings};
use catwalk_log::{Log, Message, Topic};
use serde_json::{Value, json};

use crate::support::{AtWork, PATIENCE, dispositions, finding, formats, incidents, open, send};

fn folder() -> (tempfile::TempDir, std::sync::Arc<dyn Log>) {
    let folder = tempfile::tempdir().unwrap();
    let log = open(&["folder", folder.path().to_str().unwrap()]);
    (folder, log)
}

/// Reads a stream until an event is as wanted; the events before it come too.
fn read_until(
    body: ureq::Body,
    wanted: impl Fn(&str, &Value) -> bool,
) -> Vec<(String, Option<u64>, Value)> {
    let (mut name, mut id, mut read) = (String::new(), None, Vec::new());
    let begun = Instant::now();
    for line in BufReader::new(body.into_reader()).lines() {
        let line = line.unwrap();
        if let Some(event) = line.strip_prefix("event: ") {
            (name, id) = (event.to_owned(), None);
        } else if let Some(offset) = line.strip_prefix("id: ") {
            id = Some(offset.parse().unwrap());
        } else if let Some(data) = line.strip_prefix("data: ") {
            let data: Value = serde_json::from_str(data).unwrap();
            read.push((name.clone(), id, data.clone()));
            if wanted(&name, &data) {
                return read;
            }
        }
        assert!(begun.elapsed() < PATIENCE, "{read:?}");
    }
    panic!("the stream ended: {read:?}");
}

fn stream(desk: &AtWork, query: &str, who: &str) -> ureq::Body {
    let url = format!("http://{}/api/v1/stream{query}", desk.web.address());
    let answer = ureq::get(url).header("x-person", who).call().unwrap();
    assert_eq!(answer.headers()["content-type"], "text/event-stream");
    answer.into_body()
}

#[test]
fn the_stream_goes_on_where_the_snapshot_ends_and_survives_a_restart() {
    let (_folder, log) = folder();
    send(&*log, &[finding("wager.late", 1, 0, Some(1))]);
    let desk = AtWork::begin(log.clone(), "one");
    let ann = desk.person("ann");
    let first = ann.wait_for(1)[0].clone();
    // The incident comes back from the log after it is shown.
    let begun = Instant::now();
    let snapshot = loop {
        let (_, snapshot) = ann.get("/incidents");
        if snapshot["offset"] != 0 {
            break snapshot;
        }
        assert!(begun.elapsed() < PATIENCE);
    };
    let offset = snapshot["offset"].as_u64().unwrap();
    let generation = snapshot["generation"].as_str().unwrap();
    let followed = stream(
        &desk,
        &format!("?after={offset}&generation={generation}"),
        "bob",
    );
    let id = first["id"].as_str().unwrap();
    assert_eq!(ann.act(id, "a1", json!({"deed": "claim"})).0, 201);
    send(&*log, &[finding("wager.late", 2, 9, Some(4))]);
    // Whoever has fewer incidents than a heartbeat says knows that one is lost.
    let told = read_until(followed, |name, data| {
        name == "heartbeat" && data["told"] == 2
    });
    let changes: Vec<&(String, Option<u64>, Value)> = told
        .iter()
        .filter(|(name, ..)| !["heartbeat", "floor"].contains(&&**name))
        .collect();
    let names: Vec<&str> = changes.iter().map(|(name, ..)| name.as_str()).collect();
    assert_eq!(names, ["act", "incident", "finding", "incident"]);
    assert_eq!(changes[1].2["held"]["by"], "ann");
    assert!(changes.is_sorted_by_key(|(_, id, _)| *id), "{changes:?}");
    assert_eq!(changes[2].2["incident"], changes[3].2["id"]);
    let beat = told.iter().find(|(name, ..)| name == "heartbeat").unwrap();
    assert_eq!((beat.1, &beat.2["log"]["ok"]), (None, &json!(true)));

    // Another desk goes on; whoever had all is told of what comes, and whoever had less begins anew.
    let last = changes[3].1.unwrap();
    drop(desk);
    let desk = AtWork::begin(log.clone(), "two");
    desk.person("ann").wait_for(2);
    let query = format!("?after={last}&generation={generation}");
    let followed = stream(&desk, &query, "bob");
    send(&*log, &[finding("wager.late", 3, 20, Some(9))]);
    read_until(followed, |name, data| {
        name == "incident" && data["table"] == "T-3"
    });
    for stale in [
        format!("?after={offset}"),
        format!("?after={}", last + 500),
        format!("?after={last}&generation=x"),
    ] {
        let told = read_until(stream(&desk, &stale, "bob"), |name, _| name == "reset");
        assert!(told.iter().all(|(name, ..)| name != "incident"), "{stale}");
    }
}

#[test]
fn a_heartbeat_comes_each_second_and_says_when_the_desk_has_ended() {
    let (_folder, log) = folder();
    let desk = AtWork::begin(log, "one");
    desk.person("ann").wait_for(0);
    let body = stream(&desk, "", "ann");
    let begun = Instant::now();
    let count = std::cell::Cell::new(0);
    let reader = thread::spawn(move || {
        read_until(body, |name, _| {
            count.set(count.get() + u32::from(name == "heartbeat"));
            count.get() == 4
        });
        begun.elapsed()
    });
    let took = reader.join().unwrap();
    assert!(
        took > Duration::from_millis(2_500) && took < Duration::from_secs(10),
        "{took:?}"
    );
    let body = stream(&desk, "", "ann");
    let reader = thread::spawn(move || read_until(body, |name, _| name == "reset"));
    thread::sleep(Duration::from_millis(300));
    drop(desk);
    reader.join().unwrap();
}

#[test]
fn who_may_not_is_told_so_and_a_property_is_its_own() {
    let (_folder, log) = folder();
    let other = catwalk_events::audit::Finding {
        property: "other".to_owned(),
        ..finding("wager.late", 2, 0, Some(1))
    };
    send(&*log, &[finding("wager.late", 1, 0, Some(1)), other.seal()]);
    let desk = AtWork::begin(log, "one");
    let open = desk.person("ann").wait_for(2);
    let of = |property: &str| {
        let one = open.iter().find(|one| one["property"] == property).unwrap();
        one["id"].as_str().unwrap().to_owned()
    };
    let nobody = ureq::get(format!("http://{}/api/v1/incidents", desk.web.address())).call();
    assert!(nobody.unwrap_err().to_string().contains("401"));
    for role in ["operator", "device"] {
        let who = desk.person(&format!("x:{role}"));
        for path in [
            "/incidents",
            "/floor",
            "/stream",
            &format!("/incidents/{}", of("ebh")),
        ] {
            assert_eq!(who.get(path).0, 403, "{role} {path}");
        }
    }
    for role in ["auditor", "investigator", "regulator"] {
        let who = desk.person(&format!("x:{role}"));
        assert_eq!(who.get("/incidents").0, 200);
        let (status, told) = who.act(&of("ebh"), "x1", json!({"deed": "claim"}));
        assert_eq!((status, &told["code"]), (403, &json!("role")));
    }
    let local = desk.person("eve:surveillance@ebh");
    let (_, seen) = local.get("/incidents?status=all");
    assert_eq!(seen["counts"]["open"], 1);
    assert_eq!(seen["incidents"].as_array().unwrap().len(), 1);
    assert_eq!(local.get(&format!("/incidents/{}", of("other"))).0, 404);
    let body = json!({"id": "e1", "deed": "claim", "seen_acts": 0, "seen_findings": 1});
    assert_eq!(
        local
            .post(&format!("/incidents/{}/acts", of("other")), &body)
            .0,
        404
    );
    let several = json!({"acts": [
        {"incident": of("other"), "id": "e2", "deed": "claim", "seen_acts": 0, "seen_findings": 1},
        {"incident": of("ebh"), "id": "e3", "deed": "claim", "seen_acts": 0, "seen_findings": 1},
    ]});
    let (status, told) = local.post("/acts", &several);
    let oks: Vec<&Value> = told["results"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| &one["ok"])
        .collect();
    assert_eq!((status, oks), (200, vec![&json!(false), &json!(true)]));
    let body = stream(&desk, "?after=0", "eve:surveillance@ebh");
    let told = read_until(body, |name, data| {
        name == "incident" && data["held"].is_object()
    });
    assert!(
        told.iter().all(|(_, _, data)| data["property"] != "other"),
        "{told:?}"
    );
}

#[test]
fn what_nobody_acknowledges_goes_up_by_itself_and_is_on_the_record() {
    let (_folder, log) = folder();
    send(&*log, &[finding("wager.late", 1, 0, Some(1))]);
    let mut settings = Settings::default();
    settings.priorities.settings.acknowledged_minutes = [0, 0, 0, 0];
    settings.camera = Some(Camera {
        url: "https://vms.example/{camera}/{table}?from={from}".to_owned(),
        names: [("T-1".to_owned(), "pit 3/12".to_owned())].into(),
        kept_days: 14,
    });
    let desk = AtWork::begin_as(log.clone(), "one", settings);
    let ann = desk.person("ann");
    let one = ann.wait_for(1)[0].clone();
    let url = one["camera"]["url"].as_str().unwrap();
    assert!(
        url.starts_with("https://vms.example/pit%203%2F12/T-1?from=2026-11-15T10%3A58%3A00"),
        "{url}"
    );
    let kept = one["camera"]["kept_until"].as_str().unwrap();
    assert!(kept.starts_with("2026-11-29T11:00:00"), "{kept}");
    let begun = Instant::now();
    loop {
        let (_, detail) = ann.get(&format!("/incidents/{}", one["id"].as_str().unwrap()));
        if detail["incident"]["level"] == "surveillance_director" {
            let acts = detail["acts"].as_array().unwrap();
            assert!(
                acts.iter()
                    .all(|act| act["by"]["id"] == "clock" && act["deed"] == "escalate")
            );
            assert_eq!(acts.len(), 2);
            break;
        }
        assert!(begun.elapsed() < PATIENCE, "{detail}");
        thread::sleep(Duration::from_millis(50));
    }
    drop(desk);
    assert_eq!(dispositions(&*log).len(), 2);
    // A desk without a clock makes the same of it.
    let desk = AtWork::begin(log.clone(), "one");
    let again = desk.person("ann").wait_for(1)[0].clone();
    assert_eq!(
        (&again["level"], &again["acts"]),
        (&json!("surveillance_director"), &json!(2))
    );
    drop(desk);
    assert_eq!(dispositions(&*log).len(), 2);
}

#[test]
fn what_is_no_finding_is_put_aside_and_stops_nothing() {
    let (_folder, log) = folder();
    let mut producer = log.producer().unwrap();
    let garbage = |topic| Message::new(topic, "T-1", "garbage");
    producer
        .send(&[garbage(Topic::Findings), garbage(Topic::Dispositions)])
        .unwrap();
    send(&*log, &[finding("wager.late", 1, 0, Some(1))]);
    let desk = AtWork::begin(log.clone(), "one");
    desk.person("ann").wait_for(1);
    drop(desk);
    assert_eq!(incidents(&*log).len(), 1);
    let mut aside = 0;
    for index in 0..crate::support::PARTITIONS {
        aside += log.end(Topic::Quarantine.partition(index)).unwrap();
    }
    assert_eq!(aside, 2);
}

#[test]
fn an_act_that_others_append_counts_as_well() {
    let (_folder, log) = folder();
    let late = finding("wager.late", 1, 0, Some(1));
    send(&*log, std::slice::from_ref(&late));
    let desk = AtWork::begin(log.clone(), "one");
    let one = desk.person("ann").wait_for(1)[0].clone();
    let action = catwalk_events::audit::Action::Claim;
    let act = catwalk_events::audit::Disposition {
        id: Some("foreign-1".to_owned()),
        incident: Some(one["id"].as_str().unwrap().to_owned()),
        role: Some("surveillance".to_owned()),
        seen_acts: Some(0),
        seen_findings: Some(1),
        ..catwalk_events::audit::Disposition::of_finding(&late, "zoe", action)
    };
    let value = formats().dispositions.encode(&act).unwrap();
    let mut producer = log.producer().unwrap();
    let message = Message::new(Topic::Dispositions, "key", value);
    producer.send(&[message.clone(), message]).unwrap();
    producer.flush().unwrap();
    let begun = Instant::now();
    let ann = desk.person("ann");
    while ann.wait_for(1)[0]["held"]["by"] != "zoe" {
        assert!(begun.elapsed() < PATIENCE);
    }
    let (status, told) = ann.act(one["id"].as_str().unwrap(), "a1", json!({"deed": "claim"}));
    assert_eq!((status, &told["by"]), (409, &json!("zoe")));
    assert_eq!(told["incident"]["acts"], 1);
}
