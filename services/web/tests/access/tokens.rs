//! Bearer tokens: what they may, and when they end.

use std::time::Duration;

use catwalk_web::{Days, Role, Scope};
use serde_json::json;

use crate::house::{House, actor, scope};

const HOUR: Duration = Duration::from_secs(3600);

fn bearer(key: &str) -> String {
    format!("Authorization: Bearer {key}\r\n")
}

#[test]
fn a_token_speaks_for_its_user_within_its_scope() {
    let house = House::with(&[("anna", &[Role::Auditor, Role::Operator])], None);
    let narrow = Scope {
        roles: [Role::Auditor].into(),
        properties: Some(["ebh".to_owned()].into()),
        days: Days::default(),
    };
    let made = house
        .users()
        .make_token(&actor(), "anna", &narrow, HOUR)
        .unwrap();
    let who = house.get("/api/v1/who", &bearer(&made.key));
    let told = json!({"id": "anna", "roles": ["auditor"], "properties": ["ebh"]});
    assert_eq!(who.json(), told);
    // A program needs no origin.
    assert_eq!(
        house
            .ask("POST", "/api/v1/who", &bearer(&made.key), "")
            .status(),
        200
    );
    let more = house
        .users()
        .make_token(&actor(), "anna", &scope(&[Role::Device]), HOUR);
    assert!(
        more.unwrap_err()
            .to_string()
            .contains("cannot have more than its user")
    );
    // What its user loses, it loses.
    house
        .users()
        .change(&actor(), "anna", &scope(&[Role::Operator]))
        .unwrap();
    assert_eq!(house.get("/api/v1/who", &bearer(&made.key)).status(), 401);
    let text = std::fs::read_to_string(house.file()).unwrap();
    assert!(!text.contains(&made.key) && text.contains(&made.name));
}

#[test]
fn a_token_that_is_expired_revoked_or_made_up_is_none() {
    let house = House::new();
    let make = |lifetime| {
        house
            .users()
            .make_token(&actor(), "anna", &scope(&[Role::Auditor]), lifetime)
    };
    let short = make(Duration::from_millis(300)).unwrap();
    assert_eq!(house.get("/api/v1/who", &bearer(&short.key)).status(), 200);
    std::thread::sleep(Duration::from_millis(350));
    assert_eq!(house.get("/api/v1/who", &bearer(&short.key)).status(), 401);
    let revoked = make(HOUR).unwrap();
    house.users().revoke_token(&actor(), &revoked.name).unwrap();
    assert_eq!(
        house.get("/api/v1/who", &bearer(&revoked.key)).status(),
        401
    );
    let of_revoked_user = make(HOUR).unwrap();
    let cookie = house.cookie("anna");
    for wrong in [
        bearer("catwalk_made_up"),
        bearer(""),
        bearer(&"x".repeat(5_000)),
        bearer(&of_revoked_user.name),
        format!("Authorization: Basic {}\r\n", of_revoked_user.key),
        format!("Authorization: {}\r\n", of_revoked_user.key),
        format!("{}{}", bearer(&of_revoked_user.key), bearer("other")),
        // Not passed over for the sake of a cookie that is valid.
        format!("{cookie}{}", bearer("catwalk_made_up")),
    ] {
        let answer = house.get("/api/v1/who", &wrong);
        assert_eq!(answer.code(), (401, "not_signed_in".to_owned()), "{wrong}");
        assert_eq!(answer.header("www-authenticate"), Some("Bearer"));
    }
    assert_eq!(
        house
            .get("/api/v1/who", &bearer(&of_revoked_user.key))
            .status(),
        200
    );
    house.users().revoke(&actor(), "anna").unwrap();
    assert_eq!(
        house
            .get("/api/v1/who", &bearer(&of_revoked_user.key))
            .status(),
        401
    );
}

#[test]
fn every_act_on_users_is_on_record_with_who_did_it() {
    let house = House::new();
    let users = house.users();
    let made = users
        .make_token(&actor(), "anna", &scope(&[Role::Auditor]), HOUR)
        .unwrap();
    users.revoke_token(&actor(), &made.name).unwrap();
    users
        .change(&actor(), "anna", &scope(&[Role::Auditor, Role::Operator]))
        .unwrap();
    users
        .set_password(&actor(), "anna", "another password")
        .unwrap();
    users.revoke(&actor(), "anna").unwrap();
    for refused in [
        users.revoke(&actor(), "anna"),
        users.revoke(&actor(), "nobody"),
        users.revoke_token(&actor(), &made.name),
        users.add(&actor(), "anna", "Anna", &scope(&[Role::Auditor]), None),
        users.add(&actor(), "Anna Lee", "Anna", &scope(&[Role::Auditor]), None),
        users.add(&actor(), "bert", "Bert", &scope(&[]), None),
        users.set_password(&actor(), "nobody", "some other password"),
    ] {
        refused.unwrap_err();
    }
    let record = house.record();
    let acts: Vec<&str> = record
        .iter()
        .map(|line| line["act"].as_str().unwrap())
        .collect();
    let all = [
        "user_added",
        "token_made",
        "token_revoked",
        "user_changed",
        "password_set",
        "user_revoked",
    ];
    assert_eq!(acts, all);
    assert!(
        record
            .iter()
            .all(|line| line["by"] == "the terminal" && line["at"].is_string())
    );
    assert!(
        !std::fs::read_to_string(users.record())
            .unwrap()
            .contains(&made.key)
    );
}
