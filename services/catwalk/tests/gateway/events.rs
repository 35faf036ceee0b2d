//! Events that are brought: what is answered, and what a crash leaves.

use std::io::Write;
use std::process::Stdio;
use std::thread;
use std::time::{Duration, Instant};

use crate::house::{House, simulated, text, told};

#[test]
fn a_feed_goes_to_a_running_service_and_once_more_changes_nothing() {
    let house = House::new();
    let token = house.token("shoe-7", &["--role", "device"]);
    let up = house.up();
    let lines = simulated("40");
    let count = lines.lines().count();
    let url = house.url();
    for sum in [
        format!("{count} events sent to {url}, 0 were there already, 0 lines with problems\n"),
        format!("0 events sent to {url}, {count} were there already, 0 lines with problems\n"),
    ] {
        let (status, errors) = house.feed(&lines, &token);
        assert!(status == 0 && errors.ends_with(&sum), "{errors}");
    }
    drop(up);
    assert!(house.on_log() == told(lines.lines()));
    // Another start asks the log, and knows it too.
    let _up = house.up();
    let (_, errors) = house.feed(&lines, &token);
    assert!(
        errors.contains(&format!("{count} were there already")),
        "{errors}"
    );
}

#[test]
fn a_service_that_is_killed_loses_nothing_that_it_has_answered_for_and_has_nothing_twice() {
    let house = House::new();
    let token = house.token("shoe-7", &["--role", "device"]);
    let lines = simulated("300");
    let (all, url) = (lines.lines().count(), house.url());
    let mut up = house.up();
    let feed = ["feed", "--url", &url, "--token-file", &token];
    let mut feed = house
        .catwalk(&feed)
        .stdin(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = feed.stdin.take().unwrap();
    let sent = lines.clone();
    // A feed that comes as it happens, so that the service is killed in the midst of it.
    let feeding = thread::spawn(move || {
        for lot in sent
            .lines()
            .collect::<Vec<_>>()
            .chunks(sent.lines().count() / 60 + 1)
        {
            input
                .write_all(format!("{}\n", lot.join("\n")).as_bytes())
                .unwrap();
            thread::sleep(Duration::from_millis(60));
        }
    });
    for pause in [700, 1_100, 900] {
        thread::sleep(Duration::from_millis(pause));
        up.0.kill().unwrap();
        up.0.wait().unwrap();
        up = house.up();
    }
    feeding.join().unwrap();
    let fed = feed.wait_with_output().unwrap();
    let errors = text(&fed.stderr);
    assert!(fed.status.success(), "{errors}");
    assert!(
        errors.contains("tried again"),
        "it was killed while nobody asked: {errors}"
    );
    drop(up);
    let on_log = house.on_log();
    assert_eq!(on_log.values().map(Vec::len).sum::<usize>(), all);
    assert!(on_log == told(lines.lines()));
}

#[test]
fn each_line_is_answered_for_by_its_number() {
    let house = House::new();
    let token = house.token("shoe-7", &["--role", "device", "--property", "ebh"]);
    let other = house.token("other", &["--role", "device", "--property", "elsewhere"]);
    let _up = house.up();
    let lines = simulated("10");
    let good: Vec<&str> = lines.lines().take(4).collect();
    let changed = good[1].replacen("\"id\":\"", "\"id\":\"x", 1);
    let body = [good[0], "{\"id\":", "", good[1], good[0], &changed, good[3]].join("\n");
    let answer = house.bring(&token, &body);
    assert_eq!(
        (&answer["taken"], &answer["there"]),
        (&3.into(), &1.into()),
        "{answer}"
    );
    let lines_of = |key: &str| {
        let told = answer[key].as_array().unwrap().iter();
        told.map(|told| (told["line"].as_u64().unwrap(), told["error"].to_string()))
            .collect::<Vec<_>>()
    };
    let [(2, broken), (6, another)] = &lines_of("refused")[..] else {
        panic!("{answer}")
    };
    assert!(
        broken.contains("not JSON") && another.contains("another event"),
        "{answer}"
    );
    // Of another property nothing is taken, and nothing is said of what is there.
    let answer = house.bring(&other, &lines);
    let count = lines.lines().count();
    assert_eq!((&answer["taken"], &answer["there"]), (&0.into(), &0.into()));
    assert_eq!(answer["refused"].as_array().unwrap().len(), count);
    let (status, errors) = house.feed(&format!("nonsense\n\n{}\n", good[2]), &token);
    assert_eq!(status, 1);
    assert!(errors.contains("catwalk: line 1: not JSON"), "{errors}");
    assert!(errors.contains("1 events sent"), "{errors}");
}

#[test]
fn bodies_that_mean_no_good_are_answered_and_change_nothing() {
    let house = House::new();
    let token = house.token("shoe-7", &["--role", "device"]);
    let up = house.up();
    house.bring(&token, "");
    let post = |body: &[u8]| house.ask("POST", "/api/v1/events", &token, body).0;
    assert_eq!(post(&vec![b'\n'; 20_000]), 413);
    assert_eq!(post(&vec![b'x'; 2 << 20]), 413);
    assert_eq!(post(&[0xff; 5_000]), 200);
    assert_eq!(post("[".repeat(200_000).as_bytes()), 200);
    assert_eq!(post(b"{}\n[]\nnull\n\"x\"\n1e999\n"), 200);
    drop(up);
    assert!(house.on_log().is_empty());
}

#[test]
fn findings_are_followed_and_the_floor_plays_at_its_pace() {
    let house = House::new();
    let device = house.token("floor", &["--role", "operator"]);
    let anna = house.token("anna", &["--role", "surveillance"]);
    let elsewhere = house.token(
        "bert",
        &["--role", "surveillance", "--property", "elsewhere"],
    );
    let up = house.up();
    let url = house.url();
    let watch = |token: &str| {
        let args = [
            "watch",
            "--url",
            &url,
            "--token-file",
            token,
            "--format",
            "json",
        ];
        house
            .catwalk(&args)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap()
    };
    house.bring(&device, "");
    let (watching, blind) = (watch(&anna), watch(&elsewhere));
    let begun = Instant::now();
    let simulate = [
        "simulate",
        "--url",
        &url,
        "--token-file",
        &device,
        "--rounds",
        "60",
        "--pace",
        "30",
        "--fault-rate",
        "0.5",
        "--games",
        "blackjack",
    ];
    let played = house.run(&simulate);
    assert!(played.status.success(), "{}", text(&played.stderr));
    assert!(
        begun.elapsed() >= Duration::from_millis(1_900),
        "{:?}",
        begun.elapsed()
    );
    assert!(
        text(&played.stderr).contains("of 60 rounds sent to http://"),
        "{}",
        text(&played.stderr)
    );
    thread::sleep(Duration::from_secs(3));
    drop(up);
    let (watched, blind) = (
        watching.wait_with_output().unwrap(),
        blind.wait_with_output().unwrap(),
    );
    let findings = text(&watched.stdout).lines().count();
    assert!(findings > 5, "{findings} {}", text(&watched.stderr));
    assert_eq!(
        (watched.status.code(), text(&blind.stdout)),
        (Some(1), String::new())
    );
}
