//! A small schema registry over real HTTP.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::thread;

use serde_json::{Value, json};
use tiny_http::{Method, Response, Server};

/// Schemas by id.
pub(crate) type Shelf = Arc<Mutex<BTreeMap<u32, String>>>;

/// The subjects under which schemas were registered, in order.
pub(crate) type Subjects = Arc<Mutex<Vec<String>>>;

/// A registry that gives ids from 101 on. It ends with the process.
pub(crate) fn registry() -> (String, Shelf) {
    let (url, shelf, _) = with_subjects();
    (url, shelf)
}

/// The same, which tells the subjects as well.
pub(crate) fn with_subjects() -> (String, Shelf, Subjects) {
    let server = Server::http("127.0.0.1:0").unwrap();
    let url = format!("http://{}", server.server_addr().to_ip().unwrap());
    let shelf = Shelf::default();
    let schemas = Arc::clone(&shelf);
    let subjects = Subjects::default();
    let named = Arc::clone(&subjects);
    thread::spawn(move || {
        for mut request in server.incoming_requests() {
            let mut body = String::new();
            request.as_reader().read_to_string(&mut body).unwrap();
            let mut schemas = schemas.lock().unwrap();
            let (status, answer) = match (request.method(), request.url()) {
                (Method::Post, url)
                    if url.starts_with("/subjects/") && url.ends_with("/versions") =>
                {
                    let subject = url.trim_start_matches("/subjects/");
                    let subject = subject.trim_end_matches("/versions");
                    named.lock().unwrap().push(subject.to_owned());
                    let body: Value = serde_json::from_str(&body).unwrap();
                    let schema = body["schema"].as_str().unwrap().to_owned();
                    let known = schemas.iter().find(|(_, known)| **known == schema);
                    let id = known.map_or(101 + schemas.len() as u32, |(id, _)| *id);
                    schemas.insert(id, schema);
                    (200, json!({"id": id}))
                }
                (Method::Get, url) if url.starts_with("/schemas/ids/") => {
                    let id = url.rsplit('/').next().unwrap().parse().unwrap();
                    match schemas.get(&id) {
                        Some(schema) => (200, json!({"schema": schema})),
                        None => (404, json!({"error_code": 40403})),
                    }
                }
                _ => (400, json!({"error_code": 1})),
            };
            drop(schemas);
            let response = Response::from_string(answer.to_string()).with_status_code(status);
            request.respond(response).unwrap();
        }
    });
    (url, shelf, subjects)
}
