//! The room's log: numbered, unchangeable, handed over by two people; and the report of a shift.

use std::time::Instant;

use serde_json::{Value, json};

use crate::support::{AtWork, PATIENCE, Person, dispositions, finding, open, send};

fn written(person: &Person, id: &str, entry: Value) -> Value {
    let (status, told) = wrote(person, id, entry);
    assert_eq!(status, 201, "{told}");
    told["entry"].clone()
}

fn wrote(person: &Person, id: &str, entry: Value) -> (u16, Value) {
    let mut body = json!({"id": id, "property": "ebh", "summary": "seen"});
    let fields = entry.as_object().unwrap().clone();
    body.as_object_mut().unwrap().extend(fields);
    person.post("/log", &body)
}

fn refused(person: &Person, id: &str, entry: Value, status: u16, why: &str) {
    let (was, told) = wrote(person, id, entry);
    let error = told["error"].as_str().unwrap();
    assert!(was == status && error.contains(why), "{was} {error}");
}

#[test]
fn entries_are_numbered_and_nobody_changes_one() {
    let folder = tempfile::tempdir().unwrap();
    let log = open(&["folder", folder.path().to_str().unwrap()]);
    let desk = AtWork::begin(log.clone(), "one");
    let (ann, bob) = (desk.person("ann"), desk.person("bob"));
    ann.wait_for(0);
    let watched = json!({"kind": "watched", "table": "T-1", "persons": ["d-1"], "summary": "fill 17 was right"});
    let first = written(&ann, "e1", watched.clone());
    assert_eq!(
        (&first["number"], &first["by"]["id"]),
        (&json!(1), &json!("ann"))
    );
    // Sent twice it stands there once; under its id nothing else can be said.
    assert_eq!(written(&ann, "e1", watched), first);
    refused(&ann, "e1", json!({"kind": "watched"}), 409, "another entry");
    let other = json!({"kind": "observation", "property": "other"});
    assert_eq!(
        written(&bob, "e2", other)["number"],
        1,
        "each property counts for itself"
    );
    let wrong = json!({"kind": "correction", "refers_to": 1, "summary": "it was fill 18"});
    assert_eq!(written(&bob, "e3", wrong)["number"], 2);
    for (entry, why) in [
        (json!({"kind": "correction", "refers_to": 9}), "no entry 9"),
        (json!({"kind": "take_over", "refers_to": 1}), "no hand-over"),
    ] {
        refused(&ann, "x", entry, 422, why);
    }
    for (entry, why) in [
        (json!({"kind": "gossip"}), "kind"),
        (json!({"kind": "correction"}), "refers_to"),
        (json!({"kind": "observation", "summary": " "}), "summary"),
        (
            json!({"kind": "observation", "recording_from": "noon"}),
            "recording_from",
        ),
        (json!({"kind": "hand_over"}), "to"),
        (json!({"kind": "hand_over", "to": "ann"}), "somebody else"),
        (json!({"kind": "observation", "number": 7}), "number"),
    ] {
        refused(&ann, "x", entry, 400, why);
    }
    refused(
        &desk.person("ida:auditor"),
        "x",
        json!({"kind": "observation"}),
        403,
        "role",
    );
    refused(
        &desk.person("eve:surveillance@other"),
        "x",
        json!({"kind": "observation"}),
        400,
        "property",
    );

    // Whoever comes next goes on counting.
    drop((ann, bob, desk));
    let desk = AtWork::begin(log.clone(), "two");
    let ann = desk.person("ann");
    ann.wait_for(0);
    assert_eq!(
        written(&ann, "e4", json!({"kind": "observation"}))["number"],
        3
    );
    let numbers = |path: &str| {
        let (_, told) = ann.get(path);
        let entries = told["entries"].as_array().unwrap().clone();
        let numbers = entries.iter().map(|one| one["number"].as_u64().unwrap());
        numbers.collect::<Vec<_>>()
    };
    assert_eq!(numbers("/log?property=ebh"), [3, 2, 1]);
    assert_eq!(numbers("/log?property=ebh&q=FILL+d-1"), [1]);
    assert_eq!(numbers("/log?property=ebh&kind=correction"), [2]);
    assert_eq!(numbers("/log?property=ebh&before=3&limit=1"), [2]);
    let (_, seen) = desk.person("eve:surveillance@other").get("/log");
    assert_eq!(seen["entries"].as_array().unwrap().len(), 1, "{seen}");
    assert_eq!(desk.person("d:device").get("/log").0, 403);
    drop(desk);
    let on_log: Vec<_> = dispositions(&*log)
        .into_iter()
        .filter_map(|one| one.entry)
        .collect();
    assert_eq!(on_log.len(), 4, "{on_log:?}");
}

#[test]
fn a_shift_is_handed_over_by_two_and_its_report_says_what_was() {
    let folder = tempfile::tempdir().unwrap();
    let log = open(&["folder", folder.path().to_str().unwrap()]);
    send(
        &*log,
        &[
            finding("wager.late", 1, 0, Some(1)),
            finding("wager.late", 2, 0, Some(1)),
        ],
    );
    let desk = AtWork::begin(log, "one");
    let (ann, bob) = (desk.person("ann"), desk.person("bob"));
    let open = ann.wait_for(2);
    let id = open[0]["id"].as_str().unwrap();
    let disposal =
        json!({"deed": "dispose", "disposal": {"verdict": "procedure", "reviewer": "eve"}});
    assert_eq!(ann.act(id, "a1", disposal).0, 201);
    let dark = json!({"kind": "camera_outage", "place": "pit 3", "summary": "<script>alert(1)</script> & dark"});
    written(&ann, "e1", dark);
    let offer = written(&ann, "e2", json!({"kind": "hand_over", "to": "bob"}));
    let number = offer["number"].as_u64().unwrap();
    let take = |id| json!({"kind": "take_over", "refers_to": number, "summary": id});
    refused(&ann, "e3", take("mine"), 403, "by two people");
    refused(&desk.person("cid"), "e3", take("mine"), 403, "to bob");
    let (_, report) = ann.get("/shift?property=ebh");
    assert_eq!(report["handed_over"]["taken"], Value::Null, "{report}");
    written(&bob, "e4", take("taken over"));
    refused(&bob, "e5", take("again"), 409, "taken over by bob");

    let (status, report) = ann.get("/shift?property=ebh");
    assert_eq!((status, &report["whole"]), (200, &json!(true)), "{report}");
    assert_eq!(report["handed_over"]["taken"]["by"]["id"], "bob");
    assert_eq!(report["by_priority"].as_array().unwrap()[0], 2);
    assert_eq!(report["open"].as_array().unwrap().len(), 1);
    let people: Vec<_> = report["people"].as_array().unwrap().iter().collect();
    assert_eq!(
        (&people[0]["id"], &people[0]["acts"], &people[0]["entries"]),
        (&json!("ann"), &json!(1), &json!(2))
    );
    let text = paper(&desk, "/shift?format=text");
    for said in [
        "hand over to bob",
        "procedure",
        "pit 3: <script>",
        "take over of no. 2: taken over",
    ] {
        assert!(text.contains(said), "{said} in {text}");
    }
    let page = paper(&desk, "/shift?format=html");
    assert!(
        page.contains("&lt;script&gt;alert(1)") && !page.contains("<script"),
        "{page}"
    );
    assert!(paper(&desk, "/log?format=html").contains("&lt;script&gt;"));

    // Another time, and a time that is none.
    let (_, before) = ann.get("/shift?from=2020-01-01T00:00:00Z&until=2020-01-01T08:00:00Z");
    assert_eq!(before["incidents"].as_array().unwrap().len(), 0);
    for wrong in [
        "from=2020-01-01T00:00:00Z",
        "until=2020-01-01T00:00:00Z&from=2021-01-01T00:00:00Z",
        "from=x",
    ] {
        assert_eq!(ann.get(&format!("/shift?{wrong}")).0, 400, "{wrong}");
    }
}

fn paper(desk: &AtWork, path: &str) -> String {
    let url = format!("http://{}/api/v1{path}", desk.web.address());
    let mut answer = ureq::get(url).header("x-person", "ann").call().unwrap();
    answer.body_mut().read_to_string().unwrap()
}

#[test]
fn a_report_says_how_long_a_table_was_not_heard() {
    use catwalk_events::json::read;
    use catwalk_log::{Message, Topic};

    use crate::support::formats;

    let folder = tempfile::tempdir().unwrap();
    let log = open(&["folder", folder.path().to_str().unwrap()]);
    let desk = AtWork::begin(log.clone(), "one");
    let ann = desk.person("ann");
    ann.wait_for(0);
    let event = |seq: u64, body: &str| {
        let line = format!(
            r#"{{"id":"0199{seq:04}","property":"ebh","table":"T-1","seq":{seq},"at":"2026-11-15T20:01:02.123456Z",
            "source":{{"kind":"cage","id":"c"}},"body":{body}}}"#
        );
        let value = formats().events.encode(&read(&line).unwrap()).unwrap();
        Message::new(Topic::FloorEvents, "T-1", value)
    };
    let mut producer = log.producer().unwrap();
    let told = [
        event(1, r#"{"type":"fill","slip":"F-7","amount":250000}"#),
        event(
            2,
            r#"{"type":"cards_opened","set":"set-1","extended_use":true}"#,
        ),
        event(6, r#"{"type":"clock"}"#),
    ];
    producer.send(&told).unwrap();
    producer.flush().unwrap();
    let begun = Instant::now();
    let table = loop {
        let (_, report) = ann.get("/shift");
        let table = report["tables"][0].clone();
        if table["lost_events"] == 3 {
            break table;
        }
        assert!(begun.elapsed() < PATIENCE, "{report}");
    };
    assert_eq!(table["money"][0]["amount_cents"], 250_000);
    assert_eq!(table["extended_use"][0]["set"], "set-1");
    let text = paper(&desk, "/shift?format=text");
    assert!(
        text.contains("F-7  $2,500.00") && text.contains("3 events lost"),
        "{text}"
    );
}
