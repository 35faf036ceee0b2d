//! The page as it is served.
#![allow(clippy::unwrap_used)]

use std::sync::Arc;

use catwalk_rules::Rulebook;
use catwalk_web::Caller;
use catwalk_web::axum::body::{Body, to_bytes};
use catwalk_web::axum::http::{Request, StatusCode};
use catwalk_web::axum::{Extension, Router};
use tower_service::Service as _;

fn routes() -> Router {
    catwalk_console::routes(Arc::new(Rulebook::load().unwrap()))
}

async fn get(routes: &Router, path: &str) -> (StatusCode, String, String) {
    let request = Request::get(path).body(Body::empty()).unwrap();
    let response = routes.clone().call(request).await.unwrap();
    let (status, headers) = (response.status(), response.headers().clone());
    let policy = headers.get("content-security-policy");
    let policy = policy.map_or("", |policy| policy.to_str().unwrap());
    let body = to_bytes(response.into_body(), 1 << 20).await.unwrap();
    let text = String::from_utf8_lossy(&body).into_owned();
    (status, policy.to_owned(), text)
}

#[tokio::test]
async fn every_place_is_the_page_and_nothing_is_written_into_it() {
    let routes = routes();
    for place in [
        "/",
        "/queue",
        "/queue/abc",
        "/rounds/BJ-03-000001",
        "/rules/mgc-2017/craps",
        "/wall",
    ] {
        let (status, policy, page) = get(&routes, place).await;
        assert_eq!(status, StatusCode::OK, "{place}");
        assert!(policy.contains("default-src 'none'"), "{place}: {policy}");
        assert!(!policy.contains("unsafe"), "{place}: {policy}");
        assert!(
            !page.contains("http://") && !page.contains("https://"),
            "{place}"
        );
        for script in page.split("<script").skip(1) {
            let (tag, inside) = script.split_once('>').unwrap();
            assert!(tag.contains(" src=\"/assets/"), "{tag}");
            assert!(
                inside.starts_with("</script>"),
                "a script is written into the page"
            );
        }
        assert!(!page.contains("style=") && !page.contains(" on"), "{place}");
    }
}

#[tokio::test]
async fn what_the_page_names_is_there_and_what_it_does_not_is_not() {
    let routes = routes();
    let (_, _, page) = get(&routes, "/").await;
    let named: Vec<&str> = page
        .split('"')
        .filter(|part| part.starts_with('/'))
        .collect();
    assert!(named.len() >= 4, "{named:?}");
    for path in named {
        let (status, _, _) = get(&routes, path).await;
        assert_eq!(status, StatusCode::OK, "{path}");
    }
    for path in [
        "/assets/nothing.js",
        "/assets/../Cargo.toml",
        "/assets/..%2f..%2fCargo.toml",
        "/elsewhere",
    ] {
        let (status, _, _) = get(&routes, path).await;
        assert_eq!(status, StatusCode::NOT_FOUND, "{path}");
    }
}

#[tokio::test]
async fn the_rulebook_is_for_those_who_are_signed_in() {
    let routes = routes();
    for path in [
        "/api/v1/rules",
        "/api/v1/rules/red_dog",
        "/api/v1/odds/red_dog",
    ] {
        assert_eq!(
            get(&routes, path).await.0,
            StatusCode::UNAUTHORIZED,
            "{path}"
        );
    }
    let device = Caller {
        id: "shoe-7".to_owned(),
        name: "shoe-7".to_owned(),
        roles: [catwalk_web::Role::Device].into(),
        properties: None,
        days: catwalk_web::Days::default(),
        station: "127.0.0.1".to_owned(),
    };
    let devices = routes.clone().layer(Extension(device.clone()));
    for path in [
        "/api/v1/rules",
        "/api/v1/rules/red_dog",
        "/api/v1/odds/red_dog",
    ] {
        assert_eq!(get(&devices, path).await.0, StatusCode::FORBIDDEN, "{path}");
    }
    let caller = Caller {
        id: "anna".to_owned(),
        name: "Anna".to_owned(),
        roles: [catwalk_web::Role::Auditor].into(),
        ..device
    };
    let routes = routes.layer(Extension(caller));
    let (status, _, games) = get(&routes, "/api/v1/rules").await;
    let games: serde_json::Value = serde_json::from_str(&games).unwrap();
    assert_eq!(status, StatusCode::OK);
    assert_eq!(games["games"].as_array().map(Vec::len), Some(30));
    let (_, _, whole) = get(&routes, "/api/v1/rules/blackjack").await;
    let (_, _, one) = get(&routes, "/api/v1/rules/blackjack?edition=mgc-2017").await;
    assert!(one.len() < whole.len());
    assert_eq!(
        get(&routes, "/api/v1/rules/snap").await.0,
        StatusCode::NOT_FOUND
    );
    let (status, _, _) = get(&routes, "/api/v1/rules/blackjack?edition=nowhere").await;
    assert_eq!(status, StatusCode::NOT_FOUND);
    let (status, _, _) = get(&routes, "/api/v1/rules/blackjack?editon=mgc-2017").await;
    assert_eq!(status, StatusCode::BAD_REQUEST);
    let (status, _, sheet) = get(&routes, "/api/v1/odds/roulette").await;
    let sheet: serde_json::Value = serde_json::from_str(&sheet).unwrap();
    assert_eq!(status, StatusCode::OK);
    let red = sheet["lines"].as_array().into_iter().flatten();
    let red = red
        .filter(|line| line["wager"] == "red")
        .map(|line| &line["shown"]["house_edge"]);
    assert_eq!(red.collect::<Vec<_>>(), ["5.2632%"], "{sheet}");
    for (path, wanted) in [
        ("/api/v1/odds/snap", StatusCode::NOT_FOUND),
        (
            "/api/v1/odds/roulette?edition=nowhere",
            StatusCode::NOT_FOUND,
        ),
        ("/api/v1/odds/roulette?options=7", StatusCode::BAD_REQUEST),
    ] {
        assert_eq!(get(&routes, path).await.0, wanted, "{path}");
    }
}
