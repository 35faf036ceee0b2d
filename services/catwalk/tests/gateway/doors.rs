//! Who may bring events, and by which way.

use std::fs;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::Stdio;

use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, IsCa, KeyPair};

use crate::house::{House, simulated, text};

const PASSWORD: &str = "correct horse battery";

#[test]
fn each_role_reaches_what_it_may_and_nothing_else() {
    let roles = [
        "surveillance",
        "surveillance_supervisor",
        "surveillance_director",
        "investigator",
        "auditor",
        "operator",
        "device",
        "regulator",
    ];
    let house = House::new();
    let tokens = roles.map(|role| house.token(&role.replace('_', "-"), &["--role", role]));
    let _up = house.up();
    house.bring(&tokens[6], "");
    let bad = "/api/v1/findings?last=x";
    for (method, path, may, ok) in [
        ("POST", "/api/v1/events", &["operator", "device"][..], 200),
        ("GET", bad, &[&roles[..6], &roles[7..]].concat()[..], 400),
        ("GET", "/api/v1/session", &roles[..], 200),
        ("GET", "/metrics", &[][..], 404),
    ] {
        let refused = if path == "/metrics" {
            (404, 404)
        } else {
            (401, 403)
        };
        assert_eq!(
            house.ask(method, path, "nobody", b"").0,
            refused.0,
            "nobody {path}"
        );
        for (role, token) in roles.iter().zip(&tokens) {
            let due = if may.contains(role) { ok } else { refused.1 };
            assert_eq!(house.ask(method, path, token, b"").0, due, "{role} {path}");
        }
    }
    // A token that is revoked while the service runs is none.
    let list = text(&house.run(&["users", "list", "-c", "catwalk.toml"]).stdout);
    assert!(roles.iter().all(|role| list.contains(role)), "{list}");
    assert!(
        house
            .run(&["users", "revoke", "device", "-c", "catwalk.toml"])
            .status
            .success()
    );
    assert_eq!(house.ask("POST", "/api/v1/events", &tokens[6], b"").0, 401);
    let (status, errors) = house.feed(&simulated("1"), &tokens[4]);
    assert!(
        status == 1 && errors.contains("asks for the role device or operator"),
        "{errors}"
    );
}

/// Certificate and key for a name, signed by an authority, in files.
pub(crate) fn certificate(house: &House, authority: &CertifiedIssuer<'_, KeyPair>, name: &str) {
    let key = KeyPair::generate().unwrap();
    let params = CertificateParams::new([name.to_owned()]).unwrap();
    let cert = params.signed_by(&key, authority).unwrap();
    fs::write(house.path(&format!("{name}.pem")), cert.pem()).unwrap();
    fs::write(house.path(&format!("{name}.key")), key.serialize_pem()).unwrap();
}

#[test]
fn a_device_brings_events_by_its_certificate_and_nobody_by_plain_http() {
    let mut house = House::new();
    let mut params = CertificateParams::new(Vec::new()).unwrap();
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    let authority = CertifiedIssuer::self_signed(params, KeyPair::generate().unwrap()).unwrap();
    fs::write(house.path("ca.pem"), authority.pem()).unwrap();
    certificate(&house, &authority, "localhost");
    certificate(&house, &authority, "shoe-7.example");
    let folder = house.folder.path().display();
    house.more = format!(
        "[tls]\ncert = \"{folder}/localhost.pem\"\nkey = \"{folder}/localhost.key\"\nclient_ca = \"{folder}/ca.pem\"\n"
    );
    house.token("anna", &["--role", "auditor"]);
    let _up = house.up();
    let lines = simulated("10");
    fs::write(house.path("floor.jsonl"), &lines).unwrap();
    let url = format!("https://localhost:{}", house.port);
    let fed = house.run(&[
        "feed",
        "floor.jsonl",
        "--url",
        &url,
        "--ca",
        "ca.pem",
        "--cert",
        "shoe-7.example.pem",
        "--key",
        "shoe-7.example.key",
    ]);
    let sum = format!("{} events sent", lines.lines().count());
    assert!(
        fed.status.success() && text(&fed.stderr).contains(&sum),
        "{}",
        text(&fed.stderr)
    );
    let (status, errors) = house.feed(&lines, "anna.token");
    assert!(status == 1 && errors.contains("400"), "{errors}");
    // Whose certificate nobody known has signed is not spoken to.
    let strange = house.run(&[
        "feed",
        "floor.jsonl",
        "--url",
        &url,
        "--token-file",
        "anna.token",
    ]);
    assert_eq!(strange.status.code(), Some(1), "{}", text(&strange.stderr));
}

#[test]
fn off_this_machine_there_is_tls_or_no_start() {
    let mut house = House::new();
    house.config();
    let config = fs::read_to_string(house.path("catwalk.toml"))
        .unwrap()
        .replace("127.0.0.1:", "0.0.0.0:");
    fs::write(house.path("open.toml"), &config).unwrap();
    let refused = house.run(&["up", "-c", "open.toml"]);
    let errors = text(&refused.stderr);
    assert_eq!(refused.status.code(), Some(1));
    assert!(
        errors.contains("gateway.listen") && errors.contains("[tls]"),
        "{errors}"
    );
    house.more = "[tls]\ncert = \"none.pem\"\nkey = \"none.key\"\n".to_owned();
    house.config();
    let refused = house.run(&["up", "-c", "catwalk.toml"]);
    assert_eq!(refused.status.code(), Some(1));
    assert!(
        text(&refused.stderr).contains("none.pem: there is no such file"),
        "{}",
        text(&refused.stderr)
    );
}

/// The status that anna is answered with.
fn sign_in(house: &House, password: &str) -> String {
    let mut stream = TcpStream::connect(("127.0.0.1", house.port)).unwrap();
    let body = format!(r#"{{"user":"anna","password":"{password}"}}"#);
    let text = format!(
        "POST /api/v1/session HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\
         Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    );
    stream.write_all(text.as_bytes()).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer.split(' ').nth(1).unwrap().to_owned()
}

#[test]
fn users_are_made_in_the_terminal_and_their_passwords_are_nowhere_to_be_read() {
    let house = House::new();
    house.config();
    let add = |password: &str| {
        let args = [
            "users",
            "add",
            "anna",
            "--role",
            "auditor",
            "-c",
            "catwalk.toml",
        ];
        let mut child = house
            .catwalk(&args)
            .stdin(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        child
            .stdin
            .take()
            .unwrap()
            .write_all(format!("{password}\n").as_bytes())
            .unwrap();
        child.wait_with_output().unwrap()
    };
    let weak = add("short");
    assert!(weak.status.code() == Some(1) && text(&weak.stderr).contains("too short"));
    assert!(add(PASSWORD).status.success());
    let again = add(PASSWORD);
    assert!(
        text(&again.stderr).contains("not given twice"),
        "{}",
        text(&again.stderr)
    );
    let generated = house.run(&[
        "users",
        "passwd",
        "anna",
        "--generate",
        "-c",
        "catwalk.toml",
    ]);
    let generated = text(&generated.stdout).trim().to_owned();
    let _up = house.up();
    let sign_in = |password: &str| sign_in(&house, password);
    assert_eq!(
        (sign_in(PASSWORD), sign_in(&generated)),
        ("401".to_owned(), "200".to_owned())
    );
    for name in ["users.json", "users.json.record", "users.json.sessions"] {
        let text = fs::read_to_string(house.path(name)).unwrap();
        assert!(
            !text.contains(PASSWORD) && !text.contains(&generated),
            "{name}"
        );
    }
    let record = fs::read_to_string(house.path("users.json.record")).unwrap();
    assert!(record.contains("\"by\":\"terminal, uid "), "{record}");
    let bad = house.run(&["users", "add", "bert", "-c", "catwalk.toml"]);
    assert_eq!(bad.status.code(), Some(2));
    let bad = house.run(&["users", "revoke", "nobody", "-c", "catwalk.toml"]);
    assert_eq!(bad.status.code(), Some(1));
    assert!(!Path::new("catwalk-data").exists());
}
