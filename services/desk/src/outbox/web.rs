//! Webhooks, signed as Standard Webhooks says, and Alertmanager's API, version 2.

use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use hmac::{Hmac, KeyInit, Mac};
use serde_json::{Value, json};
use sha2::Sha256;
use ureq::unversioned::transport::DefaultConnector;
use ureq::{Agent, http};

use super::NotTold;
use super::address::Checked;
use super::letter::{Letter, News, What, Why};
use crate::desk::{MICROS_PER_MINUTE, MICROS_PER_SECOND, later};
use crate::room::now;

const PATIENCE: Duration = Duration::from_secs(10);
/// An alert that nobody closes ends by itself after so long, in Alertmanager.
const OPEN_FOR_MINUTES: i64 = 7 * 24 * 60;
/// So much of an answer is said again.
const MAX_ANSWER: u64 = 300;

pub(super) fn agent() -> Agent {
    let config = Agent::config_builder()
        .http_status_as_error(false)
        .proxy(None)
        .max_redirects(0)
        .timeout_global(Some(PATIENCE))
        .build();
    Agent::with_parts(config, DefaultConnector::default(), Checked::default())
}

/// Signs a letter and posts it.
pub(super) fn webhook(
    agent: &Agent,
    url: &str,
    key: &[u8],
    letter: &Letter,
) -> Result<(), NotTold> {
    let (body, at) = (
        letter.json().to_string(),
        now().micros() / MICROS_PER_SECOND,
    );
    let signature = signature(key, &letter.id, at, &body);
    let headers = [
        ("webhook-id", letter.id.clone()),
        ("webhook-timestamp", at.to_string()),
        ("webhook-signature", signature),
    ];
    post(agent, url, &headers, body)
}

fn signature(key: &[u8], id: &str, at: i64, body: &str) -> String {
    let Ok(mut signer) = Hmac::<Sha256>::new_from_slice(key) else {
        unreachable!("a key of HMAC may be of any length");
    };
    signer.update(format!("{id}.{at}.{body}").as_bytes());
    format!("v1,{}", STANDARD.encode(signer.finalize().into_bytes()))
}

/// Posts a letter as alerts.
pub(super) fn alertmanager(agent: &Agent, url: &str, letter: &Letter) -> Result<(), NotTold> {
    let url = format!("{}/api/v2/alerts", url.trim_end_matches('/'));
    post(agent, &url, &[], alerts(letter).to_string())
}

fn alerts(letter: &Letter) -> Value {
    let at = letter.at;
    match &letter.what {
        What::Incident(news) => {
            let (one, ends) = (&news.incident, now());
            let ends = match news.why {
                Why::Closed => ends,
                _ => later(ends, OPEN_FOR_MINUTES * MICROS_PER_MINUTE),
            };
            let alert = |priority: u32, ends: String| {
                json!({
                    "labels": labels(news, priority),
                    "annotations": {
                        "summary": letter.headline(),
                        "delivery": letter.id,
                        "exposure": one.exposure_cents.to_string(),
                        "rules": one.cites.join("; "),
                        "recording": news.shown["camera"]["url"].as_str().unwrap_or_default(),
                    },
                    "startsAt": one.began.to_string(),
                    "endsAt": ends,
                })
            };
            let mut alerts = vec![alert(one.priority, ends.to_string())];
            // Its labels say which alert it is: of another priority it is another, and the first one ends.
            if let Some(before) = news.before.filter(|before| *before != one.priority) {
                alerts.push(alert(before, now().to_string()));
            }
            Value::Array(alerts)
        }
        What::Heartbeat { every_seconds } => {
            let seconds = i64::try_from(*every_seconds).unwrap_or(i64::MAX / MICROS_PER_SECOND / 4);
            let ends = later(at, 3 * seconds * MICROS_PER_SECOND);
            json!([{
                "labels": {"alertname": "CatwalkHeartbeat", "severity": "none"},
                "annotations": {"summary": letter.headline()},
                "startsAt": at.to_string(),
                "endsAt": ends.to_string(),
            }])
        }
        What::Test => json!([{
            "labels": {"alertname": "CatwalkTest", "severity": "info"},
            "annotations": {"summary": letter.headline()},
            "startsAt": at.to_string(),
            "endsAt": later(at, MICROS_PER_MINUTE).to_string(),
        }]),
    }
}

fn labels(news: &News, priority: u32) -> Value {
    let one = &news.incident;
    let severity = match priority {
        1 => "critical",
        2 => "warning",
        _ => "info",
    };
    json!({
        "alertname": "CatwalkIncident",
        "incident": one.id,
        "property": one.property,
        "table": one.table,
        "game": one.game.as_deref().unwrap_or_default(),
        "priority": priority.to_string(),
        "severity": severity,
    })
}

fn post(agent: &Agent, url: &str, headers: &[(&str, String)], body: String) -> Result<(), NotTold> {
    let mut request = http::Request::post(url).header("content-type", "application/json");
    for (name, value) in headers {
        request = request.header(*name, value);
    }
    let request = request.body(body);
    let request = request.map_err(|error| NotTold::out_of_reach(error.to_string()))?;
    let answer = agent.run(request);
    let mut answer = answer.map_err(|error| NotTold::out_of_reach(error.to_string()))?;
    let status = answer.status();
    if status.is_success() {
        return Ok(());
    }
    let wait = answer.headers().get("retry-after");
    let after_seconds = wait.and_then(|wait| wait.to_str().ok()?.trim().parse().ok());
    let said = answer.body_mut().with_config().limit(MAX_ANSWER);
    let said = said.read_to_string().unwrap_or_default();
    let said: String = said.chars().filter(|sign| !sign.is_control()).collect();
    let why = format!("it answered {status} {said}").trim_end().to_owned();
    match status.as_u16() {
        // What it holds against this one letter.
        400 | 405 | 406 | 409..=418 | 422 => Err(NotTold::Refused(why)),
        _ => Err(NotTold::OutOfReach { why, after_seconds }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The example of the specification.
    #[test]
    fn a_letter_is_signed_as_standard_webhooks_says() {
        let key = STANDARD.decode("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw").unwrap();
        let body = r#"{"test": 2432232314}"#;
        let signed = signature(&key, "msg_p5jXN8AQM9LWM0D4loKWxJek", 1_614_265_330, body);
        assert_eq!(signed, "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
    }
}
