//! What changed of what a table posts, in words.

use catwalk_events::PostedLimit;
use catwalk_events::body::RulesChanged;
use serde_json::Value;

use crate::table::RulesInForce;

/// So many changes are told of at most.
const MAX_TOLD: usize = 3;

/// What a bet may be now, and what it could be before.
pub(super) fn of_limits(was: &[PostedLimit], now: &[PostedLimit]) -> String {
    let of_kind = |all: &[PostedLimit], kind: &str| {
        let limit = all.iter().find(|limit| limit.kind == kind);
        limit.map_or("no limits".to_owned(), |limit| {
            format!("{} to {}", limit.min, limit.max)
        })
    };
    let gone = was
        .iter()
        .filter(|was| now.iter().all(|limit| limit.kind != was.kind));
    let changed = now.iter().filter(|limit| !was.contains(limit)).chain(gone);
    let told = changed.map(|limit| {
        let kind = limit.kind.replace('_', " ");
        let (before, after) = (of_kind(was, &limit.kind), of_kind(now, &limit.kind));
        format!("{kind} from {before} to now {after}")
    });
    list(told.collect())
}

/// What the table posts now, and what it posted before.
pub(super) fn of_rules(was: Option<&RulesInForce>, now: &RulesChanged) -> String {
    let mut told = Vec::new();
    if let Some(was) = was.filter(|was| was.posted_edition() != now.edition) {
        told.push(format!(
            "played by {}, now by {}",
            was.posted_edition(),
            now.edition
        ));
    }
    let before = was.map(|was| was.options.value().clone());
    let before = before.unwrap_or_default();
    let after = now.options.value();
    let fields = |value: &Value| value.as_object().cloned().unwrap_or_default();
    let (before, after) = (fields(&before), fields(&after));
    let keys = after.keys().chain(before.keys());
    let mut keys: Vec<&String> = keys
        .filter(|key| before.get(*key) != after.get(*key))
        .collect();
    keys.sort();
    keys.dedup();
    told.extend(keys.into_iter().map(|key| {
        let (was, is) = (posted(before.get(key)), posted(after.get(key)));
        format!("{} from {was} to {is}", key.replace('_', " "))
    }));
    list(told)
}

fn posted(value: Option<&Value>) -> String {
    match value {
        None | Some(Value::Null) => "not posted".to_owned(),
        Some(Value::String(text)) => text.replace('_', " "),
        Some(Value::Bool(is)) => if *is { "yes" } else { "no" }.to_owned(),
        Some(Value::Array(list)) => {
            let list: Vec<String> = list.iter().map(|value| posted(Some(value))).collect();
            list.join(" ")
        }
        Some(Value::Object(_)) => "others".to_owned(),
        Some(value) => value.to_string(),
    }
}

fn list(mut told: Vec<String>) -> String {
    let more = told.len().saturating_sub(MAX_TOLD);
    told.truncate(MAX_TOLD);
    if more > 0 {
        told.push(format!("{more} more"));
    }
    told.join(", ")
}
