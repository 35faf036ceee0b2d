//! Questions over HTTP.

use std::time::Duration;

use crate::House;

fn agent() -> ureq::Agent {
    let config = ureq::Agent::config_builder().timeout_global(Some(Duration::from_secs(120)));
    ureq::Agent::from(config.http_status_as_error(false).build())
}

/// Status and text of the answer to a question; the form is that of the house if none is given.
pub(crate) fn sql(house: &House, token: &str, sql: &str, format: &str) -> (u16, String) {
    let (status, bytes) = bytes(house, token, sql, format);
    (status, String::from_utf8_lossy(&bytes).into_owned())
}

pub(crate) fn bytes(house: &House, token: &str, sql: &str, format: &str) -> (u16, Vec<u8>) {
    let mut body = serde_json::json!({ "sql": sql });
    if !format.is_empty() {
        body["format"] = format.into();
    }
    send(house, token, &body.to_string())
}

pub(crate) fn post(house: &House, token: &str, body: &str) -> (u16, String) {
    let (status, bytes) = send(house, token, body);
    (status, String::from_utf8_lossy(&bytes).into_owned())
}

fn send(house: &House, token: &str, body: &str) -> (u16, Vec<u8>) {
    let sent = agent()
        .post(format!("{}/api/v1/sql", house.url))
        .header("Authorization", format!("Bearer {token}"))
        .header("Content-Type", "application/json")
        .send(body);
    let mut answer = sent.unwrap();
    let status = answer.status().as_u16();
    // What is broken off is no answer.
    (status, answer.body_mut().read_to_vec().unwrap_or_default())
}

pub(crate) fn get(house: &House, token: &str, path: &str) -> (u16, String) {
    let sent = agent()
        .get(format!("{}{path}", house.url))
        .header("Authorization", format!("Bearer {token}"))
        .call();
    let mut answer = sent.unwrap();
    let status = answer.status().as_u16();
    (status, answer.body_mut().read_to_string().unwrap())
}
