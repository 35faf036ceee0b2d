//! Signing in and out, and what others do with a session.

use std::os::unix::fs::PermissionsExt;
use std::time::{Duration, Instant};

use catwalk_web::{Role, Server, Users, UsersError};
use serde_json::json;

use crate::house::{House, JSON, OWN, PASSWORD, actor, scope};

#[test]
fn a_user_signs_in_is_known_by_the_cookie_and_signs_out() {
    let house = House::new();
    assert_eq!(
        house.get("/api/v1/session", "").code(),
        (401, "not_signed_in".to_owned())
    );
    let answer = house.sign_in("anna", PASSWORD);
    let set = answer.header("set-cookie").unwrap();
    assert!(set.ends_with("; Path=/; HttpOnly; SameSite=Lax"), "{set}");
    assert!(
        set.contains("; Max-Age=3599;") || set.contains("; Max-Age=3600;"),
        "{set}"
    );
    let session = answer.json();
    let user = json!({"id": "anna", "name": "anna", "roles": ["auditor"], "properties": null});
    assert_eq!(session["user"], user);
    assert_eq!(
        (&session["demo"], &session["house"]["name"]),
        (&json!(false), &json!("Encore"))
    );
    let cookie = answer.cookie();
    assert_eq!(house.get("/api/v1/session", &cookie).json(), session);
    assert_eq!(house.get("/api/v1/who", &cookie).json()["id"], "anna");
    let out = house.ask("DELETE", "/api/v1/session", &format!("{cookie}{OWN}"), "");
    assert_eq!(out.status(), 204);
    assert!(
        out.header("set-cookie")
            .unwrap()
            .starts_with("catwalk_session=; Max-Age=0")
    );
    assert_eq!(house.get("/api/v1/who", &cookie).status(), 401);
    let acts: Vec<_> = house
        .record()
        .iter()
        .map(|line| line["act"].clone())
        .collect();
    assert_eq!(acts, ["user_added", "signed_in", "signed_out"]);
    let key = cookie.trim().split_once('=').unwrap().1;
    for file in std::fs::read_dir(house.folder.path().join("data")).unwrap() {
        let path = file.unwrap().path();
        let text = std::fs::read_to_string(&path).unwrap();
        assert!(
            !text.contains(key) && !text.contains(PASSWORD),
            "{}",
            path.display()
        );
        let mode = std::fs::metadata(&path).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600, "{}", path.display());
    }
}

#[test]
fn after_five_wrong_passwords_the_right_one_has_to_wait() {
    let house = House::with(
        &[("anna", &[Role::Auditor]), ("bert", &[Role::Auditor])],
        None,
    );
    for _ in 0..5 {
        let refused = house.sign_in("anna", "wrong password!");
        assert_eq!(refused.code(), (401, "wrong_password".to_owned()));
    }
    let refused = house.sign_in("anna", PASSWORD);
    assert_eq!(refused.code(), (429, "too_many_tries".to_owned()));
    let wait: u64 = refused.header("retry-after").unwrap().parse().unwrap();
    assert!((890..=901).contains(&wait), "{wait}");
    assert_eq!(house.sign_in("bert", PASSWORD).status(), 200);
    let refusals = house
        .record()
        .iter()
        .filter(|line| line["act"] == "sign_in_refused")
        .count();
    assert_eq!(refusals, 5);
}

#[test]
fn nobody_learns_who_there_is() {
    let house = House::with(
        &[("anna", &[Role::Auditor]), ("gone", &[Role::Auditor])],
        None,
    );
    house.users().revoke(&actor(), "gone").unwrap();
    house
        .users()
        .add(&actor(), "shoe-7", "", &scope(&[Role::Device]), None)
        .unwrap();
    // Once, so that what is made once is there.
    house.sign_in("warm", "some password");
    let (mut answers, mut times) = (Vec::new(), Vec::new());
    for user in ["anna", "gone", "shoe-7", "nobody"] {
        let mut best = Duration::MAX;
        for _ in 0..4 {
            let start = Instant::now();
            let answer = house.sign_in(user, "my secret typed here");
            best = best.min(start.elapsed());
            answers.push((answer.head.lines().next().unwrap().to_owned(), answer.body));
        }
        times.push(best);
    }
    answers.dedup();
    assert_eq!(answers.len(), 1, "{answers:?}");
    let (least, most) = (times.iter().min().unwrap(), times.iter().max().unwrap());
    assert!(*most < *least * 3, "{times:?}");
    // What is no user may be a password in the wrong place.
    let record = std::fs::read_to_string(house.users().record()).unwrap();
    assert!(
        !record.contains("nobody") && record.contains("sign_in_refused"),
        "{record}"
    );
}

#[test]
fn a_cookie_is_no_use_to_another_origin() {
    let house = House::new();
    let cookie = house.cookie("anna");
    let host = "localhost";
    for (headers, status) in [
        (OWN.to_owned(), 200),
        (format!("Origin: http://{host}\r\n"), 200),
        (String::new(), 403),
        ("Origin: http://evil.example\r\n".to_owned(), 403),
        (format!("Origin: https://{host}\r\n"), 403),
        (format!("Origin: http://{host}:1\r\n"), 403),
        ("Origin: null\r\n".to_owned(), 403),
        ("Sec-Fetch-Site: cross-site\r\n".to_owned(), 403),
        ("Sec-Fetch-Site: same-site\r\n".to_owned(), 403),
        ("Sec-Fetch-Site: none\r\n".to_owned(), 403),
        (format!("{OWN}Origin: http://evil.example\r\n"), 403),
    ] {
        let answer = house.ask("POST", "/api/v1/who", &format!("{cookie}{headers}"), "");
        assert_eq!(answer.status(), status, "{headers}");
    }
    let get = |headers: &str| {
        house
            .get("/api/v1/who", &format!("{cookie}{headers}"))
            .status()
    };
    assert_eq!(
        get("Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: no-cors\r\n"),
        403
    );
    assert_eq!(
        get("Sec-Fetch-Site: same-site\r\nSec-Fetch-Mode: cors\r\n"),
        403
    );
    assert_eq!(
        get("Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: navigate\r\n"),
        200
    );
    // To be signed in as somebody else is harm too.
    let body = json!({"user": "anna", "password": PASSWORD}).to_string();
    let headers = format!("{JSON}Sec-Fetch-Site: cross-site\r\n");
    let answer = house.ask("POST", "/api/v1/session", &headers, &body);
    assert_eq!(answer.code(), (403, "cross_origin".to_owned()));
    // Of two cookies nobody knows which is meant.
    let two = format!("{}; catwalk_session=x\r\n", cookie.trim());
    assert_eq!(house.get("/api/v1/who", &two).status(), 401);
}

#[test]
fn a_change_at_the_terminal_ends_what_is_signed_in() {
    type Change = fn(&House) -> Result<(), UsersError>;
    let changes: [(&str, Change); 3] = [
        ("passwd", |house| {
            house
                .users()
                .set_password(&actor(), "anna", "another password")
        }),
        ("change", |house| {
            house
                .users()
                .change(&actor(), "anna", &scope(&[Role::Operator]))
        }),
        ("revoke", |house| house.users().revoke(&actor(), "anna")),
    ];
    for (name, change) in changes {
        let house = House::new();
        let cookie = house.cookie("anna");
        assert_eq!(house.get("/api/v1/who", &cookie).status(), 200);
        change(&house).unwrap();
        assert_eq!(house.get("/api/v1/who", &cookie).status(), 401, "{name}");
    }
}

#[test]
fn a_session_outlives_a_restart_and_a_sign_in_replaces_the_one_before() {
    let mut house = House::new();
    let cookie = house.cookie("anna");
    house.running = None;
    house.open(None);
    assert_eq!(house.get("/api/v1/who", &cookie).status(), 200);
    let body = json!({"user": "anna", "password": PASSWORD}).to_string();
    let again = house.ask(
        "POST",
        "/api/v1/session",
        &format!("{JSON}{cookie}{OWN}"),
        &body,
    );
    assert_ne!(again.cookie(), cookie);
    assert_eq!(house.get("/api/v1/who", &cookie).status(), 401);
    assert_eq!(house.get("/api/v1/who", &again.cookie()).status(), 200);
}

#[test]
fn the_first_user_is_made_once_with_the_token_of_the_terminal() {
    let mut house = House::empty();
    house.running = None;
    let users = Users::open(house.settings()).unwrap();
    let first = users.first_token().unwrap();
    assert_eq!(
        std::fs::read_to_string(first.path()).unwrap().trim(),
        first.token()
    );
    let mode = std::fs::metadata(first.path())
        .unwrap()
        .permissions()
        .mode();
    assert_eq!(mode & 0o777, 0o600);
    house.start(users, None);
    let make = |token: &str, user: &str, password: &str| {
        let body = json!({"token": token, "user": user, "password": password}).to_string();
        house.ask("POST", "/api/v1/session/first", JSON, &body)
    };
    assert_eq!(
        make("guessed", "eve", PASSWORD).code(),
        (403, "one_time_token".to_owned())
    );
    let weak = make(first.token(), "anna", "short");
    assert_eq!(weak.code(), (422, "refused".to_owned()));
    let made: Vec<u16> = std::thread::scope(|scope| {
        let both = ["anna", "bert"].map(|user| scope.spawn(|| make(first.token(), user, PASSWORD)));
        both.map(|one| one.join().unwrap().status()).into()
    });
    assert!(made == [200, 403] || made == [403, 200], "{made:?}");
    let roll = house.users().read().unwrap();
    assert_eq!(roll.users.len(), 1);
    let user = roll.users.values().next().unwrap();
    assert_eq!(
        user.roles,
        scope(&[Role::SurveillanceDirector, Role::Operator]).roles
    );
    assert!(!first.path().exists());
    assert_eq!(make(first.token(), "carl", PASSWORD).status(), 403);
}

#[test]
fn the_demo_has_a_user_without_a_password_and_nobody_else_has() {
    let house = House::new();
    let answer = house.ask("POST", "/api/v1/session/demo", "", "");
    assert_eq!(answer.code(), (404, "not_found".to_owned()));
    let mut house = House::empty();
    house.running = None;
    house.start(Users::demo(json!({})), None);
    let answer = house.ask("POST", "/api/v1/session/demo", "", "");
    assert_eq!(
        (answer.status(), &answer.json()["demo"]),
        (200, &json!(true))
    );
    let roles = answer.json()["user"]["roles"].as_array().unwrap().len();
    assert_eq!(roles, Role::ALL.len() - 1);
    assert_eq!(
        house.get("/api/v1/who", &answer.cookie()).json()["id"],
        "demo"
    );
    assert_eq!(house.sign_in("demo", "").status(), 401);
    let everywhere = "0.0.0.0:0".parse().unwrap();
    let exposed = Server::bind_for(Users::demo(json!({})), everywhere, None, Default::default());
    assert!(exposed.unwrap_err().to_string().contains("demo"));
}

#[test]
fn a_users_file_that_cannot_be_trusted_lets_nobody_in() {
    let house = House::new();
    let cookie = house.cookie("anna");
    let open = |mode| {
        std::fs::set_permissions(house.file(), std::fs::Permissions::from_mode(mode)).unwrap();
        house.get("/api/v1/who", &cookie).status()
    };
    assert_eq!((open(0o644), open(0o600)), (503, 200));
    let text = std::fs::read_to_string(house.file()).unwrap();
    std::fs::write(house.file(), &text[..text.len() / 2]).unwrap();
    assert_eq!(house.get("/api/v1/who", &cookie).status(), 503);
    assert_eq!(house.sign_in("anna", PASSWORD).status(), 503);
    assert!(
        house.users().revoke(&actor(), "anna").is_err(),
        "what is broken is not replaced"
    );
    std::fs::write(house.file(), &text).unwrap();
    assert_eq!(house.get("/api/v1/who", &cookie).status(), 200);
    std::fs::remove_file(house.file()).unwrap();
    assert_eq!(house.get("/api/v1/who", &cookie).status(), 401);
}

#[test]
fn what_is_sent_to_sign_in_with_is_read_with_care() {
    let house = House::new();
    let post =
        |headers: &str, body: &str| house.ask("POST", "/api/v1/session", headers, body).status();
    assert_eq!(post(JSON, ""), 400);
    assert_eq!(post(JSON, "{}"), 400);
    assert_eq!(post(JSON, r#"{"user":1,"password":"x"}"#), 400);
    assert_eq!(post("", r#"{"user":"anna","password":"x"}"#), 400);
    let extra = format!(r#"{{"user":"anna","password":"{PASSWORD}","roles":["operator"]}}"#);
    assert_eq!(post(JSON, &extra), 400);
    let long = json!({"user": "a".repeat(100_000), "password": "x".repeat(100_000)}).to_string();
    assert_eq!(post(JSON, &long), 401);
    assert_eq!(
        post(
            JSON,
            &json!({"user": "anna\u{0}\n", "password": "\r\n"}).to_string()
        ),
        401
    );
}
