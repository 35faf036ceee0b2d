//! The desk in the terminal, against a demo that runs.

#![allow(
    clippy::unwrap_used,
    reason = "clippy knows tests by their attribute alone"
)]

use std::collections::BTreeSet;
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;

const PATIENCE: Duration = Duration::from_secs(120);

/// A demo, gone with the test.
struct Demo {
    process: Child,
    url: String,
}

impl Demo {
    fn start(folder: &Path) -> Demo {
        let mut process = Command::new(env!("CARGO_BIN_EXE_catwalk"))
            .args([
                "demo",
                "--console-port",
                "0",
                "--pace",
                "200",
                "--fault-rate",
                "0.2",
            ])
            .args(["--games", "blackjack,roulette", "--data"])
            .arg(folder.join("demo"))
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(process.stderr.take().unwrap()).lines();
        let url = lines.by_ref().map_while(Result::ok).find_map(|line| {
            let (_, url) = line.split_once("console at ")?;
            Some(url.strip_suffix('/')?.to_owned())
        });
        thread::spawn(move || lines.for_each(drop));
        Demo {
            process,
            url: url.expect("the demo says where it is"),
        }
    }

    fn desk(&self, words: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_catwalk"));
        command.args(["desk", "--url", &self.url]).args(words);
        command.env_remove("CATWALK_TOKEN").output().unwrap()
    }

    fn done(&self, words: &[&str]) -> String {
        let output = self.desk(words);
        let (out, errors) = (text(&output.stdout), text(&output.stderr));
        assert!(output.status.success(), "{words:?}: {errors}{out}");
        out
    }

    fn refused(&self, words: &[&str], status: i32) -> String {
        let output = self.desk(words);
        assert_eq!(
            output.status.code(),
            Some(status),
            "{words:?}: {}",
            text(&output.stdout)
        );
        text(&output.stderr)
    }
}

impl Drop for Demo {
    fn drop(&mut self) {
        self.process.kill().unwrap();
        self.process.wait().unwrap();
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn listed(demo: &Demo) -> Vec<Value> {
    let listed: Value = serde_json::from_str(&demo.done(&["list", "--format", "json"])).unwrap();
    listed["incidents"].as_array().unwrap().clone()
}

#[test]
fn an_incident_is_worked_on_in_the_terminal() {
    let folder = tempfile::tempdir().unwrap();
    let demo = Demo::start(folder.path());
    let begun = Instant::now();
    let one = loop {
        let pressing = listed(&demo).into_iter().find(|one| one["priority"] == 1);
        if let Some(one) = pressing {
            break one;
        }
        assert!(begun.elapsed() < PATIENCE, "nothing happens");
        thread::sleep(Duration::from_millis(200));
    };
    let id = one["id"].as_str().unwrap();
    let short = &id[..8];

    let list = demo.done(&["list"]);
    let line = list.lines().find(|line| line.contains(short)).unwrap();
    assert!(line.contains(one["table"].as_str().unwrap()), "{line}");
    assert!(
        list.lines().all(|line| line.chars().count() <= 80),
        "{list}"
    );
    assert!(demo.done(&["claim", short]).contains("demo claim"));
    let shown = demo.done(&["show", short]);
    assert!(
        shown.contains("held by demo") && shown.contains("1 acts:"),
        "{shown}"
    );
    let stale = demo.refused(&["escalate", id, "--seen", "0/1"], 1);
    assert!(
        stale.contains("demo did something in between (claim)"),
        "{stale}"
    );
    let alone = demo.refused(&["dispose", id, "--verdict", "false_alarm"], 1);
    assert!(alone.contains("needs a reviewer"), "{alone}");
    let reviewed = [
        "dispose",
        id,
        "--verdict",
        "false_alarm",
        "--reviewer",
        "eve",
        "--recovered",
        "12.50",
    ];
    assert!(
        demo.done(&reviewed)
            .contains("recovered $12.50, reviewed by eve")
    );
    assert!(demo.refused(&["claim", id], 1).contains("it is closed"));
    assert!(demo.done(&["list", "--status", "closed"]).contains(short));
    demo.done(&["undo", id]);
    demo.done(&["note", id, "as it was"]);
    let given = demo.done(&["assign", id, "--to", "bob", "--note", "he was there"]);
    assert!(
        given.contains("demo assign to bob: he was there"),
        "{given}"
    );
    let not_mine = demo.refused(&["release", id], 1);
    assert!(not_mine.contains("it is not held by demo"), "{not_mine}");
    demo.done(&["undo", id]);
    assert!(demo.done(&["release", id]).contains("demo release"));
    let up = demo.done(&["escalate", id, "--to", "director"]);
    assert!(up.contains("escalate to surveillance director"), "{up}");
    demo.done(&["claim", id]);
    assert!(
        demo.done(&["handover", id, "--to", "bob"])
            .contains("hand over to bob")
    );
    let fill = [
        "write",
        "--kind",
        "watched",
        "--table",
        "BJ-01",
        "fill F-17 was right",
    ];
    assert!(
        demo.done(&fill).contains("no. 1 of"),
        "entries are numbered"
    );
    assert!(demo.done(&["log"]).contains("fill F-17 was right"));
    let over = demo.done(&["handover", "--to", "bob", "--note", "all quiet"]);
    assert!(
        over.contains("no. 2 of") && over.contains("hand over to bob"),
        "{over}"
    );
    assert!(
        demo.refused(&["takeover", "2"], 1)
            .contains("by two people")
    );
    let shift = demo.done(&["shift"]);
    assert!(
        shift.contains("Shift report") && shift.contains("Nobody has taken it over yet"),
        "{shift}"
    );
    let both = demo.desk(&["acknowledge", id, "nothing"]);
    assert_eq!(both.status.code(), Some(1));
    assert!(
        text(&both.stdout).contains("acknowledge"),
        "the one that can be done is done"
    );
    assert!(
        text(&both.stderr).contains("nothing: there is no incident"),
        "{}",
        text(&both.stderr)
    );

    let rules = demo.done(&["duties", "--rules"]);
    assert!(rules.contains("205 CMR 147.05(2): a tournament"), "{rules}");
    assert!(rules.contains("by hand: "), "{rules}");
    let told: Value = serde_json::from_str(&demo.done(&["duties", "--json"])).unwrap();
    assert_eq!(
        told["rules"].as_array().unwrap().len(),
        rules.lines().count()
    );
}

#[test]
fn what_makes_no_sense_is_refused_before_a_desk_is_asked() {
    for words in [
        &["dispose", "1", "--verdict", "nonsense"][..],
        &["assign", "1"],
        &["claim"],
    ] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_catwalk"));
        let output = command.arg("desk").args(words).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{words:?}");
    }
}

#[test]
fn a_desk_that_is_not_there_is_no_quiet_desk() {
    let mut command = Command::new(env!("CARGO_BIN_EXE_catwalk"));
    let output = command
        .args(["desk", "--url", "http://127.0.0.1:1", "list"])
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(output.stdout, b"");
    let errors = text(&output.stderr);
    assert!(
        errors.contains("http://127.0.0.1:1") && errors.contains("is a desk running there?"),
        "{errors}"
    );
}

/// A Python with schemathesis, made once.
fn schemathesis() -> std::path::PathBuf {
    let home = Path::new(env!("CARGO_TARGET_TMPDIR")).join("schemathesis");
    let program = home.join("bin/schemathesis");
    if !program.exists() {
        let run = |command: &mut Command| assert!(command.status().unwrap().success());
        run(Command::new("python3").args(["-m", "venv"]).arg(&home));
        let install = ["-m", "pip", "install", "--quiet", "schemathesis==4.32.5"];
        run(Command::new(home.join("bin/python")).args(install));
    }
    program
}

/// The session of a demo's user, as a browser has it.
fn session(url: &str) -> String {
    let answer = ureq::post(format!("{url}/api/v1/session/demo"))
        .header("content-type", "application/json")
        .header("sec-fetch-site", "same-origin")
        .send("{}")
        .unwrap();
    let cookie = answer.headers().get("set-cookie").unwrap();
    cookie
        .to_str()
        .unwrap()
        .split(';')
        .next()
        .unwrap()
        .to_owned()
}

#[test]
fn the_api_is_as_its_description_says() {
    let folder = tempfile::tempdir().unwrap();
    let demo = Demo::start(folder.path());
    let begun = Instant::now();
    while listed(&demo).is_empty() {
        assert!(begun.elapsed() < PATIENCE);
        thread::sleep(Duration::from_millis(200));
    }
    let long = std::env::var_os("LONG_TESTS").is_some();
    let (count, phases) = match long {
        true => ("100", "examples,coverage,fuzzing,stateful"),
        false => ("8", "fuzzing"),
    };
    // A stream has no end to wait for, and the gateway is elsewhere. Who signs in or out is somebody else then, or
    // waits after the fifth try. Where time is short, only the desk's own routes are called.
    let left_out = match long {
        true => "^/(stream|session.*|events|findings)$",
        false => {
            "^/(stream|session.*|events|findings|rounds.*|queries.*|sql|reports.*|rules.*|odds.*|cases)$"
        }
    };
    // What two fields say of each other, and that the server has no method of a name, is said by no schema. Of many
    // acts each is answered by itself: one that cannot be read does not refuse the others.
    let output = Command::new(schemathesis())
        .current_dir(folder.path())
        .args(["run", &format!("{}/api/v1/openapi.json", demo.url)])
        .args(["--url", &format!("{}/api/v1", demo.url)])
        .args(["--exclude-path-regex", left_out])
        .args(["--header", &format!("Cookie: {}", session(&demo.url))])
        .args(["--header", "Sec-Fetch-Site: same-origin", "--checks", "all"])
        .args([
            "--exclude-checks",
            "positive_data_acceptance,unsupported_method,negative_data_rejection",
        ])
        .args(["--phases", phases, "--max-examples", count])
        .args(["--workers", "2", "--seed", "1", "--no-color"])
        .args(["--request-timeout", "60", "--max-response-time", "60"])
        .output()
        .unwrap();
    let told = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{told}");
    let tested = if long { "Tested: 23" } else { "Tested: 10" };
    assert!(told.contains(tested), "{told}");
}

/// The routes that the sources name.
fn named_routes() -> BTreeSet<String> {
    let services = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let mut folders: Vec<PathBuf> = fs::read_dir(services)
        .unwrap()
        .map(|service| service.unwrap().path().join("src"))
        .filter(|sources| sources.is_dir())
        .collect();
    let mut found = BTreeSet::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|ending| ending == "rs") {
                let text = fs::read_to_string(&path).unwrap();
                let named = text.split("\"/api/v1").skip(1);
                let named = named.filter_map(|rest| rest.split(['"', '?']).next());
                found.extend(named.map(str::to_owned));
            }
        }
    }
    found
}

#[test]
fn every_route_is_described_with_its_methods() {
    let folder = tempfile::tempdir().unwrap();
    let demo = Demo::start(folder.path());
    let url = format!("{}/api/v1", demo.url);
    let mut answer = ureq::get(format!("{url}/openapi.json")).call().unwrap();
    let text = answer.body_mut().read_to_string().unwrap();
    let document: Value = serde_json::from_str(&text).unwrap();
    let paths = document["paths"].as_object().unwrap();
    let described: BTreeSet<String> = paths.keys().cloned().collect();
    assert_eq!(described, named_routes());
    let cookie = session(&demo.url);
    let config = ureq::config::Config::builder().http_status_as_error(false);
    let agent: ureq::Agent = config.build().into();
    // What is served elsewhere is not asked for here.
    for (path, item) in paths
        .iter()
        .filter(|(_, item)| item.get("servers").is_none())
    {
        let methods = ["get", "post", "put", "delete"].into_iter();
        let has: BTreeSet<String> = methods
            .filter(|method| item.get(method).is_some())
            .map(str::to_ascii_uppercase)
            .collect();
        let asked = path.replace(['{', '}'], "");
        // No route takes this, and each answers with those that it does take.
        let refused = agent
            .put(format!("{url}{asked}"))
            .header("cookie", &cookie)
            .header("sec-fetch-site", "same-origin")
            .send("{}")
            .unwrap();
        assert_eq!(refused.status(), 405, "{path}");
        let allowed = refused.headers()["allow"].to_str().unwrap();
        let takes = allowed.split(',').map(str::trim);
        let takes: BTreeSet<String> = takes
            .filter(|method| *method != "HEAD")
            .map(str::to_owned)
            .collect();
        assert_eq!(takes, has, "{path}");
    }
}

#[test]
fn watch_shows_incidents_as_they_change_and_says_when_the_desk_ends() {
    let folder = tempfile::tempdir().unwrap();
    let demo = Demo::start(folder.path());
    let begun = Instant::now();
    let one = loop {
        if let Some(one) = listed(&demo).into_iter().next() {
            break one;
        }
        assert!(begun.elapsed() < PATIENCE, "nothing happens");
        thread::sleep(Duration::from_millis(200));
    };
    let mut watch = Command::new(env!("CARGO_BIN_EXE_catwalk"))
        .args([
            "watch",
            "--incidents",
            "--format",
            "json",
            "--priority",
            "4",
            "--url",
            &demo.url,
        ])
        .env_remove("CATWALK_TOKEN")
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let lines = BufReader::new(watch.stdout.take().unwrap()).lines();
    let mut lines = lines.map_while(Result::ok);
    // It follows when it has shown something.
    lines.next().expect("something happens");
    let id = one["id"].as_str().unwrap();
    demo.done(&["note", id, "a word for the watch"]);
    let shown = lines.any(|line| {
        let told: Value = serde_json::from_str(&line).unwrap();
        told["id"] == one["id"] && told["acts"].as_u64() > one["acts"].as_u64()
    });
    assert!(shown, "the note changed the incident");
    drop(demo);
    lines.for_each(drop);
    let ended = watch.wait_with_output().unwrap();
    assert_eq!(ended.status.code(), Some(1), "silence is no quiet floor");
    assert!(
        text(&ended.stderr).contains("nothing more will be shown"),
        "{}",
        text(&ended.stderr)
    );
}
