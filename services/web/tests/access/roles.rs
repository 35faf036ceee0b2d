//! Which role reaches which route, and which way round leads nowhere.

use std::collections::BTreeMap;

use catwalk_web::Role;

use crate::house::{House, OWN};

/// Route by route: what nobody gets, and what who is signed in gets, with a word for each role that gets another.
#[test]
fn each_role_reaches_what_it_may_and_nothing_else() {
    let users = Role::ALL.map(|role| (role.word().replace('_', "-"), [role]));
    let users: Vec<(&str, &[Role])> = users
        .iter()
        .map(|(id, roles)| (id.as_str(), roles.as_slice()))
        .collect();
    let house = House::with(&users, None);
    let cookies: BTreeMap<&str, String> = users
        .iter()
        .map(|(id, _)| (*id, house.cookie(id)))
        .collect();
    type Table = [(
        &'static str,
        &'static str,
        u16,
        u16,
        &'static [(&'static str, u16)],
    ); 8];
    let table: Table = [
        ("GET", "/page", 200, 200, &[]),
        ("GET", "/api/v1/session", 401, 200, &[]),
        ("GET", "/api/v1/who", 401, 200, &[]),
        ("POST", "/api/v1/who", 401, 200, &[]),
        (
            "GET",
            "/api/v1/audit",
            401,
            403,
            &[("auditor", 200), ("regulator", 200)],
        ),
        ("GET", "/api/v1/nothing", 404, 404, &[]),
        (
            "PUT",
            "/api/v1/audit",
            401,
            403,
            &[("auditor", 405), ("regulator", 405)],
        ),
        ("POST", "/api/v1/session/demo", 404, 404, &[]),
    ];
    for (method, path, nobody, others, named) in table {
        let told = |status: u16| format!("{method} {path}: {status}");
        assert_eq!(
            told(house.ask(method, path, "", "").status()),
            told(nobody),
            "nobody"
        );
        for (id, cookie) in &cookies {
            let due = named
                .iter()
                .find(|(role, _)| role == id)
                .map_or(others, |(_, status)| *status);
            let answer = house.ask(method, path, &format!("{cookie}{OWN}"), "");
            assert_eq!(told(answer.status()), told(due), "{id}");
        }
    }
}

#[test]
fn no_other_way_to_write_a_path_leads_past_the_door() {
    let house = House::with(&[("anna", &[Role::Operator])], None);
    let cookie = house.cookie("anna");
    for path in [
        "//api/v1/audit",
        "/api/v1//audit",
        "/api/v1/audit/",
        "/api/v1/./audit",
        "/page/../api/v1/audit",
        "/page/%2e%2e/api/v1/audit",
        "/api/v1/%61udit",
        "/API/v1/audit",
        "/api/v1/audit%00",
        "/api/v1/audit;x=y",
        "/api/v1/audit?x=/page",
        "http://localhost/api/v1/audit",
        "http://evil.example/api/v1/audit",
        "/api/v1/audit#page",
        "*",
        "/../../../../etc/passwd",
    ] {
        for headers in ["", &cookie] {
            let answer = house.get(path, headers);
            let refused = [400, 401, 403, 404, 421];
            assert!(
                refused.contains(&answer.status()),
                "{path}: {}",
                answer.head
            );
        }
    }
    // Neither does a header that a server before this one might set.
    for header in [
        "X-Original-URL: /page",
        "X-Rewrite-URL: /page",
        "X-Forwarded-For: 127.0.0.1",
    ] {
        assert_eq!(
            house
                .get("/api/v1/audit", &format!("{header}\r\n"))
                .status(),
            401
        );
    }
    // And nobody says for another who it is.
    for header in [
        "X-Remote-User: anna",
        "Cookie: catwalk_session=",
        "Cookie: user=anna",
    ] {
        assert_eq!(
            house.get("/api/v1/who", &format!("{header}\r\n")).status(),
            401,
            "{header}"
        );
    }
}

#[test]
fn every_answer_tells_the_browser_what_it_may_do() {
    let house = House::new();
    for (method, path, status) in [
        ("GET", "/page", 200),
        ("GET", "/api/v1/session", 401),
        ("GET", "/nothing", 404),
        ("GET", "/api/v1/nothing", 404),
        ("TRACE", "/page", 405),
        ("POST", "/page", 405),
    ] {
        let answer = house.ask(method, path, "", "");
        assert_eq!(answer.status(), status, "{method} {path}");
        let policy = answer.header("content-security-policy").unwrap();
        assert!(policy.contains("default-src 'none'") && policy.contains("frame-ancestors 'none'"));
        assert!(
            !policy.contains("unsafe") && !policy.contains('*'),
            "{policy}"
        );
        assert_eq!(answer.header("x-content-type-options"), Some("nosniff"));
        assert_eq!(answer.header("referrer-policy"), Some("no-referrer"));
        assert_eq!(answer.header("strict-transport-security"), None);
        if path.starts_with("/api/") {
            assert_eq!(answer.header("cache-control"), Some("no-store"));
            assert!(answer.json()["error"].is_string());
        }
    }
}
