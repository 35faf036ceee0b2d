//! Duties to those outside of the room, and clocks of tables: what is missed is found, once, and what was done is not.

use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use catwalk_desk::{Duties, Settings};
use catwalk_events::audit::Finding;
use catwalk_events::{Event, json as feed};
use catwalk_log::{Log, Message, Topic};
use serde_json::{Value, json};

use crate::support::{
    AtWork, PARTITIONS, PATIENCE, Person, finding, formats, open, read_all, send,
};

fn folder() -> (tempfile::TempDir, Arc<dyn Log>) {
    let folder = tempfile::tempdir().unwrap();
    let log = open(&["folder", folder.path().join("log").to_str().unwrap()]);
    (folder, log)
}

/// A card is missing at a table, and the text of Massachusetts says so.
pub(crate) fn missing(table: u64) -> Finding {
    Finding {
        cites: vec!["205 CMR 146.49(14)(j)".to_owned()],
        ..finding("deck.missing_card", table, 60, Some(1))
    }
    .seal()
}

/// Puts events of a table on the log.
fn tell(log: &dyn Log, table: &str, bodies: &[(u64, &str, Value)]) {
    tell_by(log, table, bodies, |_, message| message);
}

/// The same with what the log's clock is to say.
fn tell_by(
    log: &dyn Log,
    table: &str,
    bodies: &[(u64, &str, Value)],
    came: impl Fn(&Event, Message) -> Message,
) {
    let mut producer = log.producer().unwrap();
    for (seq, at, body) in bodies {
        let event = json!({
            "id": format!("{table}-{seq}"), "property": "ebh", "table": table, "seq": seq, "at": at,
            "source": {"kind": "system", "id": "s-1"}, "body": body,
        });
        let event: Event = feed::read(&event.to_string()).unwrap();
        let value = formats().events.encode(&event).unwrap();
        let message = Message::new(Topic::FloorEvents, table, value);
        producer.send(&[came(&event, message)]).unwrap();
    }
    producer.flush().unwrap();
}

fn duties(person: &Person, status: &str) -> Vec<Value> {
    let (code, told) = person.get(&format!("/duties?status={status}"));
    assert_eq!(code, 200, "{told}");
    told["duties"].as_array().unwrap().clone()
}

/// Waits until so many duties are so.
pub(crate) fn wait_for(person: &Person, status: &str, count: usize) -> Vec<Value> {
    let begun = Instant::now();
    loop {
        if let Ok((200, told)) = person.try_get(&format!("/duties?status={status}")) {
            let duties = told["duties"].as_array().unwrap();
            if duties.len() == count {
                return duties.clone();
            }
            assert!(
                begun.elapsed() < PATIENCE,
                "{count} {status} are awaited: {told}"
            );
        }
        thread::sleep(Duration::from_millis(50));
    }
}

/// The findings of a code that are on the log.
pub(crate) fn found(log: &dyn Log, code: &str) -> Vec<Finding> {
    let partitions = (0..PARTITIONS).map(|index| Topic::Findings.partition(index));
    let values = partitions.flat_map(|partition| read_all(log, partition));
    let findings = values.map(|value| formats().findings.decode(&value).unwrap());
    findings
        .filter(|finding: &Finding| finding.code == code)
        .collect()
}

#[test]
fn what_nobody_tells_the_bureau_is_found_once_however_often_the_desk_begins_anew() {
    let (_folder, log) = folder();
    let settings = || Settings {
        duties: Duties::within(0),
        ..Settings::default()
    };
    {
        let desk = AtWork::begin_as(log.clone(), "one", settings());
        let ann = desk.person("ann");
        ann.wait_for(0);
        send(&*log, &[missing(1), missing(2)]);
        let missed = wait_for(&ann, "missed", 2);
        assert_eq!(missed[0]["status"], "missed");
        assert_eq!(missed[0]["section"], "205 CMR 146.49(14)(j),(k)");
    }
    for _ in 0..2 {
        let desk = AtWork::begin_as(log.clone(), "one", settings());
        let ann = desk.person("ann");
        wait_for(&ann, "missed", 2);
        // It belongs to the incident of the card, which somebody above knows of at once.
        let open = ann.wait_for(2);
        assert_eq!(open.len(), 2, "{open:?}");
        for one in &open {
            assert_eq!(one["codes"], json!(["deck.missing_card", "duty.missed"]));
            assert_eq!(one["level"], "surveillance_supervisor");
        }
        assert_eq!(found(&*log, "duty.missed").len(), 2);
    }
    let desk = AtWork::begin_as(log.clone(), "one", settings());
    let ann = desk.person("ann");
    let open = ann.wait_for(2);
    let id = open[0]["id"].as_str().unwrap();
    // To tell it later does not make it in time.
    let notified =
        json!([{"whom": "Bureau, agent Lee", "at": "2040-01-01T00:00:00Z", "how": "by telephone"}]);
    let disposal = json!({"verdict": "procedure", "reviewer": "eve", "notified": notified});
    let asked = json!({"deed": "dispose", "disposal": disposal});
    assert_eq!(ann.act(id, "late", asked).0, 201);
    assert_eq!(duties(&ann, "open").len(), 1);
    let missed = duties(&ann, "missed");
    let told = missed.iter().find(|duty| duty["incident"] == id).unwrap();
    assert_eq!(told["receipt"]["by"], "ann");
    assert!(
        told["receipt"]["at"].as_str().unwrap() < "2040",
        "nobody was told later than it is written"
    );
}

/// A desk that has heard of a missing card at so many tables, and nobody was told.
fn desk_with_missing_cards(log: &Arc<dyn Log>, tables: u64) -> (AtWork, Person) {
    let desk = AtWork::begin(log.clone(), "one");
    let ann = desk.person("ann");
    let all: Vec<Finding> = (1..=tables).map(missing).collect();
    send(&**log, &all);
    ann.wait_for(all.len());
    wait_for(&ann, "open", all.len());
    (desk, ann)
}

fn tables(duties: &[Value]) -> Vec<&str> {
    let mut tables: Vec<&str> = duties
        .iter()
        .map(|duty| duty["table"].as_str().unwrap())
        .collect();
    tables.sort_unstable();
    tables
}

#[test]
fn a_report_of_the_floor_is_a_receipt_if_it_is_of_what_was_found() {
    let (_folder, log) = folder();
    let report = |seq, at| {
        let body = json!({"type": "discrepancy_reported", "about": "cards", "set": "s-1",
            "kind": "missing", "receipt": "R-77"});
        (seq, at, body)
    };
    let desk = AtWork::begin(log.clone(), "one");
    let ann = desk.person("ann");
    ann.wait_for(0);
    // The floor may report before the desk has heard of it; an earlier report is of something else.
    tell(&*log, "T-1", &[report(1, "2026-11-15T12:02:00Z")]);
    tell(&*log, "T-2", &[report(1, "2026-11-15T10:00:00Z")]);
    // By another text nobody has to be told.
    let ohio = Finding {
        cites: vec!["rules of the game 3.A".to_owned()],
        ..finding("deck.missing_card", 7, 60, Some(1))
    };
    send(&*log, &[missing(1), missing(2), missing(3), ohio.seal()]);
    ann.wait_for(4);
    assert_eq!(tables(&wait_for(&ann, "open", 2)), ["T-2", "T-3"]);
    let all = duties(&ann, "all");
    let done = all.iter().find(|duty| duty["table"] == "T-1").unwrap();
    assert_eq!(done["status"], "done");
    let how = done["receipt"]["how"].as_str().unwrap();
    assert!(how.starts_with("receipt R-77"), "{how}");
    tell(&*log, "T-2", &[report(2, "2026-11-15T12:05:00Z")]);
    assert_eq!(tables(&wait_for(&ann, "open", 1)), ["T-3"]);
    // Nobody sees those of another casino.
    assert!(duties(&desk.person("eve:auditor@other"), "all").is_empty());
    assert_eq!(desk.person("olga:operator").get("/duties").0, 403);
}

#[test]
fn a_notification_in_the_log_is_a_receipt_if_it_names_the_table_and_the_section() {
    let (_folder, log) = folder();
    let (_desk, ann) = desk_with_missing_cards(&log, 2);
    let write = |id: &str, table: &str, kind: &str, violation: &str| {
        let entry = json!({"id": id, "kind": kind, "property": "ebh", "table": table,
            "violation": violation, "summary": "agent Lee was called"});
        let (status, told) = ann.post("/log", &entry);
        assert_eq!(status, 201, "{told}");
    };
    // Of another table, of another section, or no notification at all.
    write("e-1", "T-9", "notification", "205 CMR 146.49(14)(j)");
    write("e-2", "T-1", "notification", "205 CMR 146.4");
    write("e-3", "T-1", "observation", "205 CMR 146.49(14)(j)");
    assert_eq!(tables(&duties(&ann, "open")), ["T-1", "T-2"]);
    write("e-4", "T-1", "notification", "146.49(14)");
    assert_eq!(tables(&wait_for(&ann, "open", 1)), ["T-2"]);
    let id = duties(&ann, "open")[0]["id"].as_str().unwrap().to_owned();
    write("e-5", "T-9", "notification", &id);
    wait_for(&ann, "open", 0);
    let (_, shift) = ann.get("/shift");
    assert_eq!(tables(shift["duties"].as_array().unwrap()), ["T-1", "T-2"]);
    assert!(found(&*log, "duty.missed").is_empty());
}

#[test]
fn who_disposes_of_it_says_whom_he_told_and_takes_it_back_with_the_disposal() {
    let (_folder, log) = folder();
    let (_desk, ann) = desk_with_missing_cards(&log, 3);
    let (_, told) = ann.get("/incidents?table=T-1");
    let one = told["incidents"][0]["id"].as_str().unwrap().to_owned();
    let notified =
        json!([{"whom": "the Bureau", "at": "2026-11-15T12:03:00Z", "how": "in person"}]);
    let disposal = json!({"verdict": "procedure", "reviewer": "eve", "notified": notified});
    let disposed = ann.act(
        &one,
        "d-1",
        json!({"deed": "dispose", "disposal": disposal}),
    );
    assert_eq!(disposed.0, 201, "{disposed:?}");
    assert_eq!(tables(&wait_for(&ann, "open", 2)), ["T-2", "T-3"]);
    assert_eq!(ann.act(&one, "u-1", json!({"deed": "undo"})).0, 201);
    assert_eq!(tables(&wait_for(&ann, "open", 3)), ["T-1", "T-2", "T-3"]);
    // To undo that puts the disposal back, and the receipt with it.
    assert_eq!(ann.act(&one, "u-2", json!({"deed": "undo"})).0, 201);
    assert_eq!(tables(&wait_for(&ann, "open", 2)), ["T-2", "T-3"]);
    assert_eq!(ann.act(&one, "u-3", json!({"deed": "undo"})).0, 201);
    assert_eq!(tables(&wait_for(&ann, "open", 3)), ["T-1", "T-2", "T-3"]);
    // Nobody was told of it before it happened.
    let early = json!([{"whom": "the Bureau", "at": "2026-11-15T10:59:00Z", "how": "in person"}]);
    let disposal = json!({"verdict": "procedure", "reviewer": "eve", "notified": early});
    let asked = json!({"deed": "dispose", "disposal": disposal});
    assert_eq!(ann.act(&one, "d-2", asked).0, 201);
    assert_eq!(tables(&duties(&ann, "open")), ["T-1", "T-2", "T-3"]);
    assert_eq!(ann.act(&one, "u-4", json!({"deed": "undo"})).0, 201);
    // What later events explain need not be told, until there is more that they do not.
    let (_, told) = ann.get("/incidents?table=T-2");
    let two = told["incidents"][0]["id"].as_str().unwrap().to_owned();
    assert_eq!(ann.act(&two, "c-2", json!({"deed": "claim"})).0, 201);
    let explained = Finding {
        resolves: Some(missing(2).id),
        ..finding("finding.resolved", 2, 63, Some(1))
    };
    send(&*log, &[explained.seal()]);
    assert_eq!(tables(&wait_for(&ann, "open", 2)), ["T-1", "T-3"]);
    let extra = Finding {
        code: "deck.extra_card".to_owned(),
        ..missing(2)
    };
    send(&*log, &[extra.seal()]);
    assert_eq!(tables(&wait_for(&ann, "open", 3)), ["T-1", "T-2", "T-3"]);
}

#[test]
fn chips_are_destroyed_when_the_bureau_knows_and_a_fund_is_counted_each_day() {
    let (_folder, log) = folder();
    let desk = AtWork::begin(log.clone(), "one");
    let ann = desk.person("ann");
    ann.wait_for(0);
    let entry = json!({"id": "e-1", "kind": "notification", "property": "ebh", "table": "CAGE-1",
        "violation": "205 CMR 146.02(7)", "summary": "written notice of the destruction"});
    assert_eq!(ann.post("/log", &entry).0, 201);
    let destroyed = || json!({"type": "chips_destroyed", "denominations": {"500": 20}});
    tell(&*log, "CAGE-1", &[(1, "2026-11-15T12:00:00Z", destroyed())]);
    tell(&*log, "CAGE-2", &[(1, "2026-11-15T12:00:00Z", destroyed())]);
    let missed = wait_for(&ann, "missed", 1);
    assert_eq!(missed[0]["table"], "CAGE-2");
    let open = ann.wait_for(1);
    let headline = open[0]["headline"].as_str().unwrap();
    assert!(
        headline.contains("the Bureau was told beforehand"),
        "{headline}"
    );

    let taken = |seq| {
        let body = json!({"type": "jackpot_drop_taken", "amount": 100});
        (seq, "2026-11-15T12:00:00Z", body)
    };
    tell(&*log, "PO-01", &[taken(1), taken(2), taken(3)]);
    let due = wait_for(&ann, "open", 2);
    let fund = due.iter().filter(|duty| duty["rule"] == "bad-beat-fund");
    assert_eq!(fund.count(), 1, "one a day: {due:?}");
    let counted = json!({"type": "fund_counted", "fund": "bad-beat", "amount": 300});
    tell(&*log, "PO-01", &[(4, "2026-11-15T13:00:00Z", counted)]);
    wait_for(&ann, "open", 1);
}

#[test]
fn a_clock_that_is_off_by_more_than_a_second_is_an_alarm_until_it_is_right() {
    let (_folder, log) = folder();
    let desk = AtWork::begin(log.clone(), "one");
    let ann = desk.person("ann");
    ann.wait_for(0);
    let opened = || {
        json!({"type": "table_opened", "game": "minibaccarat", "edition": "mgc-2017", "options": {}, "limits": [],
            "opening_inventory": 0, "dealer": "d-1"})
    };
    // So many seconds behind the log.
    let clocks = |table: &str, from: u64, count: u64, seconds: i64| {
        let at = ago(seconds.max(0));
        let mut bodies = Vec::new();
        for seq in from..from + count {
            let body = match seq {
                1 => opened(),
                _ => json!({"type": "clock"}),
            };
            bodies.push((seq, at.as_str(), body));
        }
        // However long this machine takes for it.
        let lag_ms = 1_000 * seconds;
        tell_by(&*log, table, &bodies, |event, message| {
            message.at(event.at.micros() / 1_000 + lag_ms)
        });
    };
    clocks("T-1", 1, 12, 0);
    clocks("T-2", 1, 12, 4);
    clocks("T-3", 1, 12, -4);
    // A feed of yesterday is no clock that is wrong.
    clocks("T-4", 1, 12, 86_400);
    let open = ann.wait_for(2);
    let mut told: Vec<(&str, &Value, u64)> = Vec::new();
    for one in &open {
        let priority = one["priority"].as_u64().unwrap();
        told.push((one["table"].as_str().unwrap(), &one["codes"], priority));
    }
    told.sort_by_key(|one| one.0);
    let code = json!(["feed.clock_offset"]);
    assert_eq!(told, [("T-2", &code, 3), ("T-3", &code, 3)]);
    let headline = |table: &str| {
        let one = open.iter().find(|one| one["table"] == table).unwrap();
        one["headline"].as_str().unwrap().to_owned()
    };
    assert!(
        headline("T-2").contains(" behind that of the log"),
        "{}",
        headline("T-2")
    );
    assert!(
        headline("T-3").contains(" ahead of that of the log"),
        "{}",
        headline("T-3")
    );
    // One alarm, however many events come.
    clocks("T-2", 13, 30, 4);
    clocks("T-2", 43, 12, 0);
    let begun = Instant::now();
    while found(&*log, "finding.resolved").is_empty() {
        assert!(begun.elapsed() < PATIENCE);
        thread::sleep(Duration::from_millis(50));
    }
    let begun = Instant::now();
    while ann.wait_for(1).len() > 1 {
        assert!(begun.elapsed() < PATIENCE);
        thread::sleep(Duration::from_millis(50));
    }
    assert_eq!(found(&*log, "feed.clock_offset").len(), 2);
}

/// So many seconds ago, as an event says it.
fn ago(seconds: i64) -> String {
    let since_1970 = std::time::SystemTime::now()
        .duration_since(std::time::UNIX_EPOCH)
        .unwrap();
    let micros = i64::try_from(since_1970.as_micros()).unwrap() - seconds * 1_000_000;
    catwalk_events::Timestamp::from_micros(micros).to_string()
}

#[test]
fn what_the_page_of_records_names_is_there() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let page = std::fs::read_to_string(root.join("docs/records.md")).unwrap();
    let found = std::fs::read_to_string(root.join("schemas/findings.md")).unwrap();
    let names: Vec<&str> = page.split('`').skip(1).step_by(2).collect();
    assert!(names.len() > 50, "{names:?}");
    for name in names {
        let is_there = found.contains(&format!("| `{name}`"))
            || root.join(format!("schemas/{name}.avsc")).exists()
            || root.join(format!("queries/{name}.sql")).exists();
        assert!(is_there, "{name} is no finding, no event and no query");
    }
}
