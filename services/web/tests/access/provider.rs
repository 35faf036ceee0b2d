//! Signing in by a provider of OpenID Connect: a real one, which does one thing wrong at a time when it is told to.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::time::Duration;

use catwalk_web::{Group, OidcSettings, Role, UserSettings, Users};
use serde_json::{Value, json};

use crate::at_provider::{BACK, Browser, Provider};
use crate::house::{Answer, House, PASSWORD, actor, scope};

const BEGIN: &str = "/api/v1/session/oidc";
const API: &str = "https://catwalk.example";
const SECRET: &str = "a secret: with / signs & more";
const DAY: Duration = Duration::from_secs(24 * 3600);
const ANNA: &str = "anna@ieb.example";

fn settings(house: &House, provider: &Provider) -> UserSettings {
    let secret = house.folder.path().join("secret");
    std::fs::write(&secret, SECRET).unwrap();
    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o600);
    std::fs::set_permissions(&secret, mode).unwrap();
    UserSettings {
        oidc: Some(OidcSettings {
            name: "the house".to_owned(),
            issuer: provider.issuer(),
            client: "catwalk".to_owned(),
            secret_file: Some(secret),
            redirect: BACK.to_owned(),
            scopes: vec!["openid".to_owned(), "profile".to_owned()],
            also: Vec::new(),
            ca: None,
            user_claim: "preferred_username".to_owned(),
            name_claim: "name".to_owned(),
            groups_claim: "groups".to_owned(),
            audience: Some(API.to_owned()),
            confirmed_within: DAY,
            groups: vec![
                Group {
                    group: "ieb".to_owned(),
                    roles: [Role::Investigator].into(),
                    properties: Some(["ebh".to_owned()].into()),
                },
                Group {
                    group: "bosses".to_owned(),
                    roles: [Role::Operator, Role::Regulator].into(),
                    properties: None,
                },
            ],
        }),
        ..house.settings()
    }
}

/// A house with one user of its own, and a provider for the others.
fn open() -> (House, Provider) {
    let (mut house, provider) = (
        House::with(&[("local", &[Role::Auditor])], None),
        Provider::begin(),
    );
    let users = Users::open(settings(&house, &provider)).unwrap();
    house.start(users, None);
    (house, provider)
}

/// A sign-in that has come back from the provider: the path that the browser is to ask for, and its cookie.
fn brought_back(house: &House, provider: &Provider, person: &str) -> (String, String) {
    let sent = house.get(BEGIN, "");
    assert_eq!(sent.status(), 303, "{sent:?}");
    let cookies = BTreeMap::new();
    let mut browser = Browser { provider, cookies };
    let path = browser.sign_in(sent.header("location").unwrap(), person);
    (path, sent.cookie())
}

fn sign_in(house: &House, provider: &Provider, person: &str) -> Answer {
    let (path, cookie) = brought_back(house, provider, person);
    house.get(&path, &cookie)
}

/// Why somebody was not let in.
fn refused(answer: &Answer) -> String {
    let told = answer.json();
    assert_eq!(
        (answer.status(), told["code"].as_str()),
        (403, Some("not_let_in")),
        "{told}"
    );
    assert!(!answer.head.contains("catwalk_session="), "{answer:?}");
    told["error"].as_str().unwrap().to_owned()
}

fn who(house: &House, headers: &str) -> (u16, Value) {
    let answer = house.get("/api/v1/who", headers);
    (answer.status(), answer.json())
}

#[test]
fn somebody_signs_in_by_the_provider_with_the_roles_of_its_groups() {
    let (house, provider) = open();
    let ways = house.get("/api/v1/session/ways", "").json();
    let by = json!({"name": "the house", "at": BEGIN});
    let wanted = json!({"password": true, "provider": by, "demo": false, "first": false});
    assert_eq!(ways, wanted);
    let (path, cookie) = brought_back(&house, &provider, "anna");
    let page = house.get(
        &path,
        &format!("{cookie}Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: navigate\r\n"),
    );
    assert_eq!(
        (page.status(), page.header("location")),
        (303, Some("/")),
        "{page:?}"
    );
    let set = page.header("set-cookie").unwrap();
    assert!(set.contains("; HttpOnly; SameSite=Lax"), "{set}");
    let anna = json!({"id": ANNA, "roles": ["investigator"], "properties": ["ebh"]});
    assert_eq!(who(&house, &page.cookie()), (200, anna));
    let told = house.get("/api/v1/session", &page.cookie()).json();
    assert_eq!(told["user"]["name"], "Anna Lee");
    // What was brought back once is worth nothing a second time.
    assert_eq!(
        house.get(&path, &cookie).code(),
        (403, "no_sign_in".to_owned())
    );
    let acts: Vec<Value> = house
        .record()
        .iter()
        .map(|line| line["act"].clone())
        .collect();
    let acted = [
        "user_added",
        "user_vouched_for",
        "signed_in",
        "sign_in_refused",
    ];
    assert_eq!(acts, acted.map(Value::from));
    // There is no password that would open.
    assert_eq!(house.sign_in(ANNA, PASSWORD).status(), 401);
    let set = house.users().set_password(&actor(), ANNA, PASSWORD);
    assert!(set.unwrap_err().to_string().contains("signs in by"));
    let changed = house
        .users()
        .change(&actor(), ANNA, &scope(&[Role::Operator]));
    assert!(changed.unwrap_err().to_string().contains("groups there"));
}

#[test]
fn a_sign_in_counts_in_the_browser_that_began_it_alone() {
    let (house, provider) = open();
    let (path, cookie) = brought_back(&house, &provider, "anna");
    let other = house.get(BEGIN, "").cookie();
    // Of another browser, and with that it is used up.
    assert_eq!(
        house.get(&path, &other).code(),
        (403, "no_sign_in".to_owned())
    );
    assert_eq!(
        house.get(&path, &cookie).code(),
        (403, "no_sign_in".to_owned())
    );
    let (path, _) = brought_back(&house, &provider, "anna");
    assert_eq!(house.get(&path, "").code(), (403, "no_sign_in".to_owned()));
    let stateless = BEGIN.to_owned() + "/callback?code=x&state=made-up";
    assert_eq!(
        house.get(&stateless, &other).code(),
        (403, "no_sign_in".to_owned())
    );
    // Whoever tries often waits.
    let tried = [(); 4].map(|()| house.get(&stateless, &other).status());
    assert_eq!(tried.last(), Some(&429));
    let page = house.get(&stateless, "Accept: text/html\r\n");
    assert_eq!(
        page.header("content-type"),
        Some("text/html; charset=utf-8")
    );
    assert!(String::from_utf8_lossy(&page.body).contains("<h1>Not signed in</h1>"));
}

#[test]
fn what_another_provider_or_a_refusal_brings_back_signs_nobody_in() {
    let (house, provider) = open();
    let (path, cookie) = brought_back(&house, &provider, "anna");
    let other = path.replace(&format!("{}", provider.port), "1");
    assert!(other != path && refused(&house.get(&other, &cookie)).contains("another provider"));
    let (path, cookie) = brought_back(&house, &provider, "anna");
    let state = path
        .split(['?', '&'])
        .find(|pair| pair.starts_with("state="))
        .unwrap();
    let denied = format!("{BEGIN}/callback?error=access_denied&{state}");
    assert!(refused(&house.get(&denied, &cookie)).contains("access_denied"));
    let (path, cookie) = brought_back(&house, &provider, "anna");
    let made_up = path.replace("code=", "code=made-up");
    assert!(refused(&house.get(&made_up, &cookie)).contains("invalid_grant"));
    // The code of one sign-in under the state of another: its PKCE and its nonce are not the same.
    let (first, _) = brought_back(&house, &provider, "anna");
    let (second, cookie) = brought_back(&house, &provider, "bert");
    let part = |path: &str, name: &str| {
        let mut pairs = path.split(['?', '&']);
        pairs
            .find(|pair| pair.starts_with(name))
            .unwrap()
            .to_owned()
    };
    let mixed = format!(
        "{BEGIN}/callback?{}&{}",
        part(&first, "code="),
        part(&second, "state=")
    );
    assert!(refused(&house.get(&mixed, &cookie)).contains("invalid_grant"));
}

#[test]
fn a_token_with_one_thing_wrong_signs_nobody_in() {
    let (house, provider) = open();
    let wrong = [
        ("audience", "is for [\"another\"]"),
        ("audiences", "does not say for whom"),
        ("party", "given to another client"),
        ("issuer", "is the issuer here"),
        ("expired", "has expired"),
        ("endless", "has no end"),
        ("future", "of the future"),
        ("nonce", "nonce of another"),
        ("nonceless", "has no nonce"),
        ("subjectless", "somebody else"),
        ("somebody", "somebody else"),
        ("groups", "does not tell \"groups\""),
        ("signature", "no key of the provider"),
        ("altered", "no key of the provider"),
        ("key", "no key of the provider"),
        ("none", "signed with \"none\""),
        ("hmac", "signed with \"HS256\""),
        ("critical", "not understood"),
    ];
    for (twist, why) in wrong {
        provider.twist(twist);
        let told = refused(&sign_in(&house, &provider, "anna"));
        assert!(told.contains(why), "{twist}: {told}");
    }
    let refusals = house.record();
    let refusals = refusals
        .iter()
        .filter(|line| line["act"] == "sign_in_refused");
    assert_eq!(refusals.count(), wrong.len());
    assert_eq!(sign_in(&house, &provider, "anna").status(), 303);
}

#[test]
fn who_has_no_role_is_not_let_in_and_who_loses_it_is_signed_out() {
    let (house, provider) = open();
    let none = "none of your groups has a role here";
    assert_eq!(refused(&sign_in(&house, &provider, "bert")), none);
    let untold = refused(&sign_in(&house, &provider, "carl"));
    assert_eq!(untold, "the provider does not tell \"groups\"");
    // A user of the house is not taken over by whoever is called so at the provider.
    assert!(refused(&sign_in(&house, &provider, "dora")).contains("of this house"));
    assert_eq!(house.sign_in("local", PASSWORD).status(), 200);
    let before = sign_in(&house, &provider, "anna").cookie();
    provider.groups("anna", "&group=ieb&group=bosses");
    let after = sign_in(&house, &provider, "anna").cookie();
    let (status, told) = who(&house, &after);
    assert_eq!((status, &told["properties"]), (200, &json!(["ebh"])));
    assert_eq!(
        told["roles"],
        json!(["investigator", "operator", "regulator"])
    );
    assert_eq!(
        who(&house, &before).0,
        401,
        "other roles end what was signed in"
    );
    provider.groups("anna", "&group=cooks");
    assert_eq!(refused(&sign_in(&house, &provider, "anna")), none);
    assert_eq!(who(&house, &after).0, 401, "no role ends it too");
    provider.groups("anna", "&group=ieb");
    let again = sign_in(&house, &provider, "anna").cookie();
    assert_eq!(who(&house, &again).0, 200);
    house.users().revoke(&actor(), ANNA).unwrap();
    assert_eq!(who(&house, &again).0, 401);
    assert!(refused(&sign_in(&house, &provider, "anna")).contains("was revoked here"));
    let bearer = format!("Authorization: Bearer {}\r\n", provider.access_token(API));
    assert_eq!(who(&house, &bearer).0, 200, "another user of the provider");
}

#[test]
fn a_provider_that_is_down_keeps_nobody_else_out() {
    let (house, provider) = open();
    let anna = sign_in(&house, &provider, "anna").cookie();
    let (path, cookie) = brought_back(&house, &provider, "anna");
    drop(provider);
    assert_eq!(
        house.get(&path, &cookie).code(),
        (503, "provider".to_owned())
    );
    assert_eq!(who(&house, &anna).0, 200);
    assert_eq!(house.sign_in("local", PASSWORD).status(), 200);
    // Before it was ever asked.
    let mut other = House::with(&[("local", &[Role::Auditor])], None);
    let gone = Provider::begin();
    let settings = settings(&other, &gone);
    drop(gone);
    other.start(Users::open(settings).unwrap(), None);
    let begun = other.get(BEGIN, "");
    assert_eq!(begun.code(), (503, "provider".to_owned()));
    assert!(!begun.json().to_string().contains("127.0.0.1"), "{begun:?}");
    assert_eq!(other.sign_in("local", PASSWORD).status(), 200);
}

#[test]
fn a_program_asks_with_a_token_that_the_provider_has_made_for_the_api() {
    let (house, provider) = open();
    let ask = |token: &str| who(&house, &format!("Authorization: Bearer {token}\r\n"));
    let robot =
        json!({"id": "robot@ieb.example", "roles": ["investigator"], "properties": ["ebh"]});
    assert_eq!(ask(&provider.access_token(API)), (200, robot));
    assert_eq!(ask(&provider.access_token("https://mail.example")).0, 401);
    for twist in [
        "audience",
        "issuer",
        "expired",
        "endless",
        "future",
        "signature",
        "altered",
    ] {
        provider.twist(twist);
        assert_eq!(ask(&provider.access_token(API)).0, 401, "{twist}");
    }
    for twist in ["key", "none", "hmac", "critical", "groups", "subjectless"] {
        provider.twist(twist);
        assert_eq!(ask(&provider.access_token(API)).0, 401, "{twist}");
    }
    assert_eq!(ask(&format!("a.b.{}", "c".repeat(13_000))).0, 401);
    // Where nothing is said of the API, no token of the provider is taken.
    let mut shut = House::with(&[("local", &[Role::Auditor])], None);
    let mut settings = settings(&shut, &provider);
    settings.oidc.as_mut().unwrap().audience = None;
    shut.start(Users::open(settings).unwrap(), None);
    let bearer = format!("Authorization: Bearer {}\r\n", provider.access_token(API));
    assert_eq!(who(&shut, &bearer).0, 401);
}

#[test]
fn tokens_of_ours_hold_while_the_provider_has_vouched_lately() {
    let (mut house, provider) = open();
    assert_eq!(sign_in(&house, &provider, "anna").status(), 303);
    let own = catwalk_web::Scope {
        properties: Some(["ebh".to_owned()].into()),
        ..scope(&[Role::Investigator])
    };
    let made = house.users().make_token(&actor(), ANNA, &own, DAY).unwrap();
    let bearer = format!("Authorization: Bearer {}\r\n", made.key);
    assert_eq!(who(&house, &bearer).0, 200);
    let mut late = settings(&house, &provider);
    late.oidc.as_mut().unwrap().confirmed_within = Duration::from_millis(1);
    house.start(Users::open(late).unwrap(), None);
    assert_eq!(who(&house, &bearer).0, 401);
    // Another provider, or none, vouches for nobody of this one.
    let none = house.settings();
    house.start(Users::open(none).unwrap(), None);
    assert_eq!(who(&house, &bearer).0, 401);
}

#[test]
fn settings_that_would_open_too_wide_open_nothing() {
    let (house, provider) = open();
    let good = settings(&house, &provider);
    let why = |change: &dyn Fn(&mut OidcSettings)| {
        let mut changed = good.clone();
        change(changed.oidc.as_mut().unwrap());
        Users::open(changed).unwrap_err().to_string()
    };
    let plain = why(&|oidc| oidc.issuer = "http://login.example".to_owned());
    assert!(plain.contains("https://"), "{plain}");
    let same = why(&|oidc| oidc.audience = Some("catwalk".to_owned()));
    assert!(same.contains("ID tokens"), "{same}");
    let nobody = why(&|oidc| oidc.groups.clear());
    assert!(nobody.contains("no group has a role"), "{nobody}");
    let elsewhere = why(&|oidc| oidc.redirect = "http://127.0.0.1:1/".to_owned());
    assert!(elsewhere.contains("callback"), "{elsewhere}");
    let secret = good.oidc.as_ref().unwrap().secret_file.clone().unwrap();
    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o644);
    std::fs::set_permissions(&secret, mode).unwrap();
    let read = why(&|_| ());
    assert!(read.contains("others may read"), "{read}");
    // It calls itself otherwise than the settings do.
    let mut other = House::with(&[("local", &[Role::Auditor])], None);
    let mut settings = settings(&other, &provider);
    let issuer = format!("http://localhost:{}", provider.port);
    static TOLD: Mutex<Vec<String>> = Mutex::new(Vec::new());
    settings.oidc.as_mut().unwrap().issuer = issuer;
    settings.tell = |what| TOLD.lock().unwrap().push(what.to_owned());
    other.start(Users::open(settings).unwrap(), None);
    assert_eq!(other.get(BEGIN, "").code(), (503, "provider".to_owned()));
    let told = TOLD.lock().unwrap().join("\n");
    assert!(told.contains("it calls itself"), "{told}");
}
