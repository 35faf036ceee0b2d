//! Destinations that mean no good, or are no good: they keep nobody else waiting, and lead nowhere.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use catwalk_desk::{Room, Settings, outbox};
use catwalk_events::audit::Finding;
use catwalk_log::{Message, Topic};
use serde_json::Value;

use crate::outbox::{Receiver, Telling, destinations, webhook};
use crate::support::{AtWork, PATIENCE, finding, formats, open, send};

/// A server that treats each connection like this; its port.
fn server(treat: impl Fn(TcpStream) + Send + Sync + 'static) -> u16 {
    let door = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = door.local_addr().unwrap().port();
    let treat = Arc::new(treat);
    thread::spawn(move || {
        for stream in door.incoming().map_while(Result::ok) {
            let treat = treat.clone();
            thread::spawn(move || treat(stream));
        }
    });
    port
}

/// Takes a connection and never says a word.
fn silent(mut stream: TcpStream) {
    let _ = stream.read_to_end(&mut Vec::new());
    thread::sleep(PATIENCE);
}

/// Says a sign now and then, and never comes to the end of a line.
fn dripping(mut stream: TcpStream, beginning: &str) {
    let _ = stream.write_all(beginning.as_bytes());
    while stream.write_all(b"x").is_ok() {
        thread::sleep(Duration::from_millis(300));
    }
}

fn alert(folder: &Path, name: &str, kind: &str, to: &str) -> String {
    let secret = folder.join("secret");
    std::fs::write(&secret, "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw").unwrap();
    let more = match kind {
        "webhook" => format!("secret_file = {:?}\n", secret.display().to_string()),
        "email" => "from = \"a@ebh.example\"\nrecipients = [\"b@ebh.example\"]\n".to_owned(),
        _ => String::new(),
    };
    format!("[[alerts]]\nname = \"{name}\"\nkind = \"{kind}\"\nto = \"{to}\"\n{more}")
}

fn of<'a>(told: &'a Value, name: &str) -> &'a Value {
    let all = told["destinations"].as_array().unwrap();
    all.iter().find(|one| one["name"] == name).unwrap()
}

#[test]
fn a_destination_that_hangs_keeps_nobody_else_waiting_and_is_said_to() {
    let folder = tempfile::tempdir().unwrap();
    let log = open(&["folder", folder.path().join("log").to_str().unwrap()]);
    let good = Receiver::begin(u32::MAX, 0, webhook);
    let ports = [
        server(silent),
        server(|stream| dripping(stream, "HTTP/1.1 200 OK\r\nx-slow: ")),
        server(|stream| dripping(stream, "220-")),
    ];
    let at = |port: u16| format!("http://127.0.0.1:{port}/in");
    let alerts = [
        alert(folder.path(), "silent", "webhook", &at(ports[0])),
        alert(folder.path(), "drips", "webhook", &at(ports[1])),
        alert(
            folder.path(),
            "mail",
            "email",
            &format!("smtp://127.0.0.1:{}", ports[2]),
        ),
        alert(folder.path(), "good", "webhook", &at(good.port)),
    ];
    let telling = Telling::begin(&log, &alerts.concat());
    telling.wait_until(|told| {
        let all = told["destinations"].as_array().unwrap();
        all.len() == 4 && all.iter().all(|one| one["carried"] == true)
    });
    send(&*log, &[finding("wager.late", 1, 60, Some(1))]);
    let told = telling.wait_until(|told| of(told, "good")["delivered"] == 1);
    for name in ["silent", "drips", "mail"] {
        assert_eq!(of(&told, name)["delivered"], 0, "{told}");
    }
    // Each is given its time and no more, whatever it says in the meantime.
    let told = telling.wait_until(|told| {
        let failing = ["silent", "drips", "mail"].map(|name| of(told, name)["failing"].is_object());
        failing == [true; 3]
    });
    for name in ["silent", "drips", "mail"] {
        assert_eq!(
            of(&told, name)["dead_letters"],
            0,
            "it is tried again: {told}"
        );
    }
    assert_eq!(good.taken().len(), 1);
    let begun = Instant::now();
    drop(telling);
    assert!(
        begun.elapsed() < PATIENCE,
        "nobody waits for them at the end"
    );
}

#[test]
fn a_destination_that_sends_elsewhere_is_not_followed() {
    let folder = tempfile::tempdir().unwrap();
    let log = open(&["folder", folder.path().join("log").to_str().unwrap()]);
    let (asked, led) = (Arc::new(AtomicU32::new(0)), Arc::new(AtomicU32::new(0)));
    let elsewhere = {
        let led = led.clone();
        server(move |_| {
            led.fetch_add(1, Ordering::AcqRel);
        })
    };
    let statuses = ["301 x", "302 x", "303 x", "307 x", "308 x"];
    let port = {
        let asked = asked.clone();
        server(move |mut stream| {
            let count = asked.fetch_add(1, Ordering::AcqRel) as usize;
            let status = statuses[count % statuses.len()];
            let to = match count % 2 {
                0 => "http://169.254.169.254/latest/meta-data/".to_owned(),
                _ => format!("http://127.0.0.1:{elsewhere}/in"),
            };
            let mut lines = BufReader::new(&stream).lines();
            lines.find(|line| line.as_ref().is_ok_and(String::is_empty));
            let answer =
                format!("HTTP/1.1 {status}\r\nlocation: {to}\r\ncontent-length: 0\r\n\r\n");
            let _ = stream.write_all(answer.as_bytes());
        })
    };
    let to = format!("http://127.0.0.1:{port}/in");
    let alerts = alert(folder.path(), "soc", "webhook", &to)
        + &alert(folder.path(), "pager", "alertmanager", &to);
    let telling = Telling::begin(&log, &alerts);
    telling.wait_until(|told| {
        let all = told["destinations"].as_array().unwrap();
        all.len() == 2 && all.iter().all(|one| one["carried"] == true)
    });
    send(&*log, &[finding("wager.late", 1, 60, Some(1))]);
    let told = telling.wait_until(|told| {
        let attempts = |name: &str| of(told, name)["failing"]["attempts"].as_u64();
        attempts("soc") >= Some(3) && attempts("pager") >= Some(3)
    });
    for name in ["soc", "pager"] {
        let one = of(&told, name);
        let why = one["failing"]["error"].as_str().unwrap();
        assert!(
            one["delivered"] == 0 && why.contains("it answered 30"),
            "{one}"
        );
    }
    assert!(asked.load(Ordering::Acquire) >= 6);
    assert_eq!(led.load(Ordering::Acquire), 0, "nobody was led elsewhere");
}

#[test]
fn a_destination_is_told_of_its_own_properties_and_hears_that_the_desk_is_there() {
    let folder = tempfile::tempdir().unwrap();
    let log = open(&["folder", folder.path().join("log").to_str().unwrap()]);
    let (soc, all) = (
        Receiver::begin(u32::MAX, 0, webhook),
        Receiver::begin(u32::MAX, 0, webhook),
    );
    let to = |port: u16| format!("http://127.0.0.1:{port}/in");
    let alerts = alert(folder.path(), "soc", "webhook", &to(soc.port))
        + "properties = [\"other\"]\nheartbeat_minutes = 1\n"
        + &alert(folder.path(), "all", "webhook", &to(all.port));
    // Couriers without a desk say nothing: who hears no heartbeat knows that something is wrong.
    let room = Room::open(Settings::default());
    let stop = AtomicBool::new(false);
    thread::scope(|threads| {
        threads.spawn(|| {
            let destinations = destinations(&alerts);
            outbox::run(&log, "one", &formats(), &room, &destinations, &stop).unwrap();
        });
        thread::sleep(Duration::from_secs(2));
        assert!(soc.taken().is_empty(), "{:?}", soc.taken());
        let desk = AtWork::begin_in(log.clone(), "one", room.clone());
        let is_beat = |id: &String| id.starts_with("heartbeat-");
        let begun = Instant::now();
        while !soc.taken().keys().any(is_beat) {
            assert!(begun.elapsed() < PATIENCE, "no heartbeat");
            thread::sleep(Duration::from_millis(50));
        }
        let other = Finding {
            property: "other".to_owned(),
            ..finding("wager.late", 2, 0, Some(1))
        };
        send(&*log, &[finding("wager.late", 1, 0, Some(1)), other.seal()]);
        while all.taken().len() < 2 || soc.taken().len() < 2 {
            assert!(
                begun.elapsed() < PATIENCE,
                "{:?} {:?}",
                all.taken(),
                soc.taken()
            );
            thread::sleep(Duration::from_millis(50));
        }
        let ann = desk.person("ann");
        let open = ann.wait_for(2);
        let own = open.iter().find(|one| one["property"] == "other").unwrap();
        let own = format!("{}-1", own["id"].as_str().unwrap());
        let mut told = soc.taken();
        told.retain(|id, _| !is_beat(id));
        assert_eq!(told.into_keys().collect::<Vec<_>>(), [own]);
        assert!(!all.taken().keys().any(is_beat), "it has asked for none");
        stop.store(true, Ordering::Release);
    });
}

#[test]
fn a_clock_that_is_ahead_keeps_no_alert_back() {
    let folder = tempfile::tempdir().unwrap();
    let log = open(&["folder", folder.path().join("log").to_str().unwrap()]);
    let soc = Receiver::begin(u32::MAX, 0, webhook);
    let to = format!("http://127.0.0.1:{}/in", soc.port);
    let telling = Telling::begin(&log, &alert(folder.path(), "soc", "webhook", &to));
    telling.wait_until(|told| told["destinations"][0]["carried"] == true);
    let ann = telling.desk.person("ann");
    ann.wait_for(0);
    let now = ann.get("/floor").1["at"].as_str().unwrap().to_owned();
    let now: catwalk_events::Timestamp = now.parse().unwrap();
    // Whoever sent it lives an hour ahead.
    let late = finding("wager.late", 1, 60, Some(1));
    let value = formats().findings.encode(&late).unwrap();
    let message = Message::new(Topic::Findings, "T-1", value);
    let mut producer = log.producer().unwrap();
    let ahead_ms = now.micros() / 1_000 + 3_600_000;
    producer.send(&[message.at(ahead_ms)]).unwrap();
    producer.flush().unwrap();
    let one = ann.wait_for(1).remove(0);
    let heard: catwalk_events::Timestamp = one["heard"].as_str().unwrap().parse().unwrap();
    assert!(heard.micros() < now.micros() + 1_800_000_000, "{one}");
    telling.wait_until(|told| told["destinations"][0]["delivered"] == 1);
}
