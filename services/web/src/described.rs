//! What the API has, as an OpenAPI document. Each crate describes its own routes beside them; what all of them share,
//! and the routes of the session, are described here.

use axum::Router;
use axum::http::header::CONTENT_TYPE;
use axum::routing::get;
use serde_json::{Map, Value};

const OWN: &str = include_str!("openapi.json");

/// The route of the document that these parts make. Who is not signed in may read it too.
///
/// # Panics
/// If a part is no JSON, or describes what another has described: the parts are of the program itself.
pub fn described(parts: &[&str]) -> Router {
    let mut document = read(OWN);
    for part in parts {
        let mut part = read(part);
        add(&mut document, &mut part, &["paths"]);
        add(&mut document, &mut part, &["components", "schemas"]);
        if let (Some(Value::Array(tags)), Some(Value::Array(more))) =
            (document.get_mut("tags"), part.remove("tags"))
        {
            tags.extend(more);
        }
    }
    let text = Value::Object(document).to_string();
    let told = async move || ([(CONTENT_TYPE, "application/json")], text.clone());
    Router::new().route("/api/v1/openapi.json", get(told))
}

fn read(text: &str) -> Map<String, Value> {
    match serde_json::from_str(text) {
        Ok(part) => part,
        Err(error) => panic!("a description of routes: {error}"),
    }
}

/// Adds the entries of an object that a part has at this place.
fn add(document: &mut Map<String, Value>, part: &mut Map<String, Value>, place: &[&str]) {
    let Some(Value::Object(more)) = at(part, place).map(std::mem::take) else {
        return;
    };
    let Some(Value::Object(all)) = at(document, place) else {
        unreachable!("the document has paths and schemas");
    };
    for (name, one) in more {
        assert!(!all.contains_key(&name), "{name} is described twice");
        all.insert(name, one);
    }
}

fn at<'a>(document: &'a mut Map<String, Value>, place: &[&str]) -> Option<&'a mut Value> {
    let (first, rest) = place.split_first()?;
    let found = document.get_mut(*first)?;
    rest.iter()
        .try_fold(found, |found, name| found.get_mut(name))
}
