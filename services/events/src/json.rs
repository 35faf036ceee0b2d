//! Events and findings as JSON objects, one a line.

use std::borrow::Cow;

use catwalk_hands::floor::{Cents, Severity};
use catwalk_hands::json::{Fault, Json};
use catwalk_hands::refusal::{self, Refusal};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use crate::audit::Finding;
use crate::body::Body;
use crate::event::{Event, Source};
use crate::time::Timestamp;

/// Fields that the log keeps as JSON text and a document shows as they are.
const JSON_FIELDS: [(&str, &str); 4] = [
    ("table_opened", "options"),
    ("rules_changed", "options"),
    ("wager_placed", "detail"),
    ("irregularity", "detail"),
];
/// Fields of people whose role the field itself says: their id may come alone or beside the role.
const PEOPLE: [(&str, &str); 9] = [
    ("table_opened", "dealer"),
    ("dealer_changed", "dealer"),
    ("cards_inspected", "dealer"),
    ("cards_inspected", "supervisor"),
    ("fill", "dealer"),
    ("fill", "supervisor"),
    ("credit", "dealer"),
    ("credit", "supervisor"),
    ("supervisor_assigned", "supervisor"),
];
/// Fields that an event may lack, and what that means. Of an inspection: nobody was there, nothing was
/// found, and it was passed. Of a wager that is changed: its player did it.
const UNSAID: [(&str, &str, &str); 10] = [
    ("cards_inspected", "dealer", "\"\""),
    ("cards_inspected", "supervisor", "\"\""),
    ("cards_inspected", "missing", "[]"),
    ("cards_inspected", "extra", "[]"),
    ("cards_inspected", "unsuitable", "[]"),
    ("cards_reinspected", "missing", "[]"),
    ("cards_reinspected", "extra", "[]"),
    ("dice_inspected", "result", "\"pass\""),
    ("wager_changed", "by", "\"patron\""),
    ("wager_removed", "by", "\"patron\""),
];
/// Fields that the log keeps as microseconds and a document shows as a moment.
const TIME_FIELDS: [(&str, &str); 4] = [
    ("notice_posted", "effective_at"),
    ("notice_posted", "notified_at"),
    ("tournament_filed", "starts_at"),
    ("discrepancy_reported", "found_at"),
];

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Document {
    id: String,
    property: String,
    table: String,
    seq: u64,
    at: String,
    source: Source,
    #[serde(default)]
    round: Option<String>,
    #[serde(default)]
    shift: Option<String>,
    #[serde(default)]
    received_at: Option<String>,
    /// Taken out beforehand, to be read by its type.
    #[serde(rename = "body")]
    _body: (),
}

/// The fields of a body as they were written.
type Fields<'a> = Vec<(Cow<'a, str>, Json<'a>)>;

/// Reads one event. The refusal names the place: `body.amount: ...`.
pub fn read(text: &str) -> Result<Event, Refusal> {
    let mut json = Json::parse(text)?;
    let body = match &mut json {
        Json::Object(entries) => {
            value_of(entries, "body").map(|body| std::mem::replace(body, Json::Null))
        }
        _ => None,
    };
    let document: Document = json.read().map_err(|fault| fault.refusal("", "an event"))?;
    let at = moment("at", &document.at)?;
    let mut fields = match body.unwrap_or(Json::Null) {
        Json::Object(fields) => fields,
        other => return Err(Refusal::at("body", other.is_no("an object"))),
    };
    let type_at = fields.iter().position(|(key, _)| key == "type");
    let Some(Json::Text(type_name)) = type_at.map(|at| fields.remove(at).1) else {
        return Err(Refusal::at("body.type", "the type of the event is missing"));
    };
    if value_of(&mut fields, "type").is_some() {
        return Err(Refusal::at("body.type", "this key is there twice"));
    }
    Ok(Event {
        id: document.id,
        property: document.property,
        table: document.table,
        seq: document.seq,
        at,
        source: document.source,
        round: document.round,
        shift: document.shift,
        received_at: match document.received_at {
            Some(at) => Some(moment("received_at", &at)?),
            None => None,
        },
        body: body_of(&type_name, fields)?,
    })
}

/// Writes one event as a line without its end.
pub fn write(event: &Event) -> serde_json::Result<String> {
    #[derive(Serialize)]
    struct Line<'a> {
        id: &'a str,
        property: &'a str,
        table: &'a str,
        seq: u64,
        at: String,
        source: &'a Source,
        #[serde(skip_serializing_if = "Option::is_none")]
        round: &'a Option<String>,
        #[serde(skip_serializing_if = "Option::is_none")]
        shift: &'a Option<String>,
        #[serde(skip_serializing_if = "Option::is_none")]
        received_at: Option<String>,
        body: Map<String, Value>,
    }
    let mut body = fields_of(&event.body)?;
    body.insert("type".to_owned(), json!(event.body.type_name()));
    serde_json::to_string(&Line {
        id: &event.id,
        property: &event.property,
        table: &event.table,
        seq: event.seq,
        at: event.at.to_string(),
        source: &event.source,
        round: &event.round,
        shift: &event.shift,
        received_at: event.received_at.map(|at| at.to_string()),
        body,
    })
}

/// Reads one finding.
pub fn read_finding(text: &str) -> Result<Finding, Refusal> {
    let mut finding: Map<String, Value> = refusal::read(text, "", "a finding")?;
    if let Some(at) = finding.get_mut("at") {
        *at = json!(moment("at", at.as_str().unwrap_or_default())?.micros());
    }
    refusal::read_value(Value::Object(finding), "", "a finding")
}

/// Writes one finding as a line without its end: the moment as text, and what it resolves only where
/// it does.
pub fn write_finding(finding: &Finding) -> serde_json::Result<String> {
    #[derive(Serialize)]
    struct Line<'a> {
        id: &'a str,
        code: &'a str,
        severity: Severity,
        property: &'a str,
        table: &'a str,
        game: &'a Option<String>,
        round: &'a Option<String>,
        wager: &'a Option<String>,
        seat: Option<u32>,
        dealer: &'a Option<String>,
        at: String,
        due: Option<Cents>,
        paid: Option<Cents>,
        exposure: Cents,
        message: &'a str,
        cites: &'a [String],
        evidence: &'a [u64],
        rules: &'a Option<String>,
        #[serde(skip_serializing_if = "Option::is_none")]
        resolves: &'a Option<String>,
        #[serde(skip_serializing_if = "Option::is_none")]
        player: &'a Option<String>,
        #[serde(skip_serializing_if = "Option::is_none")]
        trial: Option<bool>,
    }
    serde_json::to_string(&Line {
        id: &finding.id,
        code: &finding.code,
        severity: finding.severity,
        property: &finding.property,
        table: &finding.table,
        game: &finding.game,
        round: &finding.round,
        wager: &finding.wager,
        seat: finding.seat,
        dealer: &finding.dealer,
        at: finding.at.to_string(),
        due: finding.due,
        paid: finding.paid,
        exposure: finding.exposure,
        message: &finding.message,
        cites: &finding.cites,
        evidence: &finding.evidence,
        rules: &finding.rules,
        resolves: &finding.resolves,
        player: &finding.player,
        trial: finding.trial,
    })
}

/// Reads a body of a type from its fields, a JSON object.
pub fn read_body(type_name: &str, fields: &str) -> Result<Body, Refusal> {
    match Json::parse(fields)? {
        Json::Object(fields) => body_of(type_name, fields),
        other => Err(Refusal::at("body", other.is_no("an object"))),
    }
}

/// Writes the fields of a body as a JSON object. The type is not among them.
pub fn write_body(body: &Body) -> serde_json::Result<String> {
    serde_json::to_string(&fields_of(body)?)
}

fn body_of(type_name: &str, mut fields: Fields<'_>) -> Result<Body, Refusal> {
    let refuse = |field: &str, fault: Fault| fault.refusal(&format!("body.{field}"), type_name);
    for field in special(&PEOPLE, type_name) {
        let Some(person) = value_of(&mut fields, field) else {
            continue;
        };
        if let Json::Object(told) = &*person {
            let id = told
                .iter()
                .find(|(key, _)| key == "id")
                .map(|(_, id)| id.clone());
            // What else it says has to be in order, too.
            person
                .read::<Value>()
                .map_err(|fault| refuse(field, fault))?;
            if let Some(id) = id {
                *person = id;
            }
        }
    }
    for (_, field, unsaid) in UNSAID.iter().filter(|(of, ..)| *of == type_name) {
        match value_of(&mut fields, field) {
            Some(said @ Json::Null) => *said = Json::parse(unsaid)?,
            Some(_) => {}
            None => fields.push((Cow::Borrowed(field), Json::parse(unsaid)?)),
        }
    }
    for field in special(&JSON_FIELDS, type_name) {
        if let Some(value) = value_of(&mut fields, field) {
            let read = value
                .read::<Value>()
                .map_err(|fault| refuse(field, fault))?;
            *value = Json::Text(read.to_string().into());
        }
    }
    for field in special(&TIME_FIELDS, type_name) {
        if let Some(value) = value_of(&mut fields, field) {
            let text = match value {
                Json::Text(text) => &**text,
                _ => "",
            };
            let micros = moment(&format!("body.{field}"), text)?.micros();
            *value = u64::try_from(micros).map_or(Json::Negative(micros), Json::Unsigned);
        }
    }
    Body::read(type_name, &Json::Object(fields))
}

fn value_of<'f, 'a>(fields: &'f mut Fields<'a>, field: &str) -> Option<&'f mut Json<'a>> {
    let mut fields = fields.iter_mut();
    fields.find(|(key, _)| key == field).map(|(_, value)| value)
}

fn fields_of(body: &Body) -> serde_json::Result<Map<String, Value>> {
    let type_name = body.type_name();
    let mut fields = match body.write()? {
        Value::Object(fields) => fields,
        _ => Map::new(),
    };
    for field in special(&JSON_FIELDS, type_name) {
        if let Some(Value::String(text)) = fields.get(field) {
            let value = serde_json::from_str(text).unwrap_or_else(|_| json!(text));
            fields.insert(field.to_owned(), value);
        }
    }
    for field in special(&TIME_FIELDS, type_name) {
        if let Some(micros) = fields.get(field).and_then(Value::as_i64) {
            let moment = Timestamp::from_micros(micros).to_string();
            fields.insert(field.to_owned(), json!(moment));
        }
    }
    Ok(fields)
}

fn special<'a>(fields: &'a [(&'a str, &'a str)], type_name: &str) -> impl Iterator<Item = &'a str> {
    fields
        .iter()
        .filter(move |(of, _)| *of == type_name)
        .map(|(_, field)| *field)
}

fn moment(place: &str, text: &str) -> Result<Timestamp, Refusal> {
    text.parse()
        .map_err(|error: crate::ParseTimestampError| Refusal::at(place, error.to_string()))
}
