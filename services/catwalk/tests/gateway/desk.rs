//! The desk of a service that runs: by TLS, with tokens, and what of it is in the archive.

use std::fs;
use std::net::TcpListener;
use std::thread;
use std::time::{Duration, Instant};

use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, IsCa, KeyPair};
use serde_json::Value;

use crate::doors::certificate;
use crate::house::{House, text};

const PATIENCE: Duration = Duration::from_secs(90);

/// A service that speaks TLS, with a desk, and the port of the desk.
fn with_desk() -> (House, u16) {
    let mut house = House::new();
    let mut params = CertificateParams::new(Vec::new()).unwrap();
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    let authority = CertifiedIssuer::self_signed(params, KeyPair::generate().unwrap()).unwrap();
    fs::write(house.path("ca.pem"), authority.pem()).unwrap();
    certificate(&house, &authority, "localhost");
    let free = TcpListener::bind("127.0.0.1:0").unwrap();
    let console = free.local_addr().unwrap().port();
    let folder = house.folder.path().display().to_string();
    house.services = "\"settler\", \"archiver\", \"desk\", \"console\", \"gateway\"";
    house.more = format!(
        "[console]\nlisten = \"127.0.0.1:{console}\"\n\
         [tls]\ncert = \"{folder}/localhost.pem\"\nkey = \"{folder}/localhost.key\"\n"
    );
    (house, console)
}

/// Feeds a floor with faults by TLS.
fn feed(house: &House, token: &str) {
    let floor = [
        "simulate", "--rounds", "150", "--tables", "3", "--seed", "3",
    ];
    let floor = house.run(&[&floor[..], &["--fault-rate", "0.2"]].concat());
    fs::write(house.path("floor.jsonl"), &floor.stdout).unwrap();
    let url = format!("https://localhost:{}", house.port);
    let feed = ["feed", "floor.jsonl", "--url", &url, "--ca", "ca.pem"];
    let fed = house.run(&[&feed[..], &["--token-file", token]].concat());
    let told = text(&fed.stderr);
    // Some of its faults are told of already here.
    assert!(told.contains("events sent to https://"), "{told}");
}

#[test]
fn incidents_are_worked_on_by_tls_with_tokens_and_the_acts_are_rows_of_the_archive() {
    let (house, console) = with_desk();
    let ann = house.token("ann", &["--role", "surveillance"]);
    let shoe = house.token("shoe", &["--role", "device"]);
    let up = house.up();
    feed(&house, &shoe);
    let url = format!("https://localhost:{console}");
    let desk = ["desk", "--url", &url, "--ca", "ca.pem"];
    let asked = |token: &str, words: &[&str]| {
        let output = house.run(&[&desk[..], &["--token-file", token], words].concat());
        let status = output.status.code().unwrap();
        (status, text(&output.stdout), text(&output.stderr))
    };
    let begun = Instant::now();
    let id = loop {
        let (_, listed, errors) = asked(&ann, &["list", "--format", "json"]);
        let listed: Value = serde_json::from_str(&listed).unwrap_or_default();
        if let Some(id) = listed["incidents"][0]["id"].as_str() {
            break id.to_owned();
        }
        assert!(begun.elapsed() < PATIENCE, "{errors}");
        thread::sleep(Duration::from_millis(200));
    };
    let (status, _, errors) = asked(&ann, &["claim", &id, "--note", "I look at it"]);
    assert_eq!(status, 0, "{errors}");
    assert_eq!(asked(&ann, &["note", &id, "seen on the recording"]).0, 0);
    let entry = ["write", "--property", "ebh", "camera 12 was dark"];
    let (status, out, errors) = asked(&ann, &entry);
    assert!(status == 0 && out.contains("no. 1 of ebh"), "{out}{errors}");
    // Who has no role at the desk, no token, or does not know who signed, learns nothing.
    let (status, out, errors) = asked(&shoe, &["list"]);
    assert!(status == 1 && errors.contains("role"), "{out}{errors}");
    let nobody = house.run(&[&desk[..], &["list"]].concat());
    assert_eq!(nobody.status.code(), Some(1), "{}", text(&nobody.stdout));
    let strange = house.run(&["desk", "--url", &url, "--token-file", &ann, "list"]);
    assert_eq!(strange.status.code(), Some(1), "{}", text(&strange.stdout));
    // A token that is revoked while the service runs is none.
    let revoked = house.run(&["users", "revoke", "ann", "-c", "catwalk.toml"]);
    assert!(revoked.status.success());
    assert_eq!(asked(&ann, &["list"]).0, 1);
    drop(up);
    assert_eq!(
        archived(
            &house,
            &format!(
                "select action, operator, role, note from dispositions \
                 where incident = '{id}' and operator = 'ann' order by seen_acts, action"
            )
        ),
        "action,operator,role,note\n\
         claim,ann,surveillance,I look at it\n\
         note,ann,surveillance,seen on the recording\n"
    );
    let question = "select number, kind, author, summary from log_entries";
    assert_eq!(
        archived(&house, question),
        "number,kind,author,summary\n1,observation,ann,camera 12 was dark\n"
    );
}

#[test]
fn without_the_page_the_desk_answers_alone_at_its_address() {
    let (mut house, console) = with_desk();
    house.services = "\"settler\", \"desk\", \"gateway\"";
    let ann = house.token("ann", &["--role", "surveillance"]);
    let shoe = house.token("shoe", &["--role", "device"]);
    let olga = house.token("olga", &["--role", "operator"]);
    let _up = house.up();
    feed(&house, &shoe);
    let url = format!("https://localhost:{console}");
    let asked = |token: &str, words: &[&str]| {
        let desk = [
            "desk",
            "--url",
            &url,
            "--ca",
            "ca.pem",
            "--token-file",
            token,
        ];
        let output = house.run(&[&desk[..], words].concat());
        let status = output.status.code().unwrap();
        (status, text(&output.stdout), text(&output.stderr))
    };
    let begun = Instant::now();
    let id = loop {
        let (_, listed, errors) = asked(&ann, &["list", "--format", "json"]);
        let listed: Value = serde_json::from_str(&listed).unwrap_or_default();
        if let Some(id) = listed["incidents"][0]["id"].as_str() {
            break id.to_owned();
        }
        assert!(begun.elapsed() < PATIENCE, "{errors}");
        thread::sleep(Duration::from_millis(200));
    };
    assert_eq!(asked(&ann, &["claim", &id]).0, 0);
    // Nothing is given to somebody who is not there.
    let (status, _, errors) = asked(&ann, &["assign", &id, "--to", "anna"]);
    let nobody = "\"anna\" is no user of the room of ebh";
    assert!(status == 1 && errors.contains(nobody), "{errors}");
    for token in [&shoe, &olga] {
        let (status, out, errors) = asked(token, &["list"]);
        assert!(status == 1 && errors.contains("role"), "{out}{errors}");
    }
}

/// What the archive has of what ann did.
fn archived(house: &House, question: &str) -> String {
    let once = house.run(&["up", "--once", "-c", "catwalk.toml"]);
    assert!(once.status.success(), "{}", text(&once.stderr));
    let archive = house.path("archive").display().to_string();
    let rows = house.run(&["query", question, "--archive", &archive, "--format", "csv"]);
    assert!(rows.status.success(), "{}", text(&rows.stderr));
    text(&rows.stdout)
}
