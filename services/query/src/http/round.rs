//! Rounds: many in a list, one with all that is known of it.

use std::sync::Arc;

use catwalk_events::{Event, Source, SourceKind, Timestamp, json as written};
use catwalk_web::axum::extract::rejection::QueryRejection;
use catwalk_web::axum::extract::{Path, Query, State};
use catwalk_web::axum::http::{HeaderMap, StatusCode};
use catwalk_web::axum::response::Response;
use catwalk_web::{Caller, Fault};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::{Desk, View, case_of, fault, question};
use crate::{Error, Question, ScalarValue};

const SOME: usize = 100;
const MOST: usize = 1_000;
/// No round has more events than this that are shown.
const MOST_EVENTS: usize = 5_000;

/// Which rounds are asked for.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Wanted {
    table: Option<String>,
    since: Option<String>,
    until: Option<String>,
    player: Option<String>,
    dealer: Option<String>,
    set: Option<String>,
    limit: Option<usize>,
}

#[derive(Debug, Deserialize)]
struct Row {
    property: String,
    table_id: String,
    round: String,
    game: String,
    edition: String,
    opened_at: i64,
    closed_at: i64,
    dealer: Option<String>,
    complete: bool,
    voided: bool,
    wagers: i64,
    staked_cents: i64,
    returned_cents: Option<i64>,
    given_cents: Option<i64>,
    difference_cents: Option<i64>,
    rules: Option<String>,
}

impl Row {
    fn told(&self) -> Value {
        json!({
            "property": self.property,
            "table_id": self.table_id,
            "round": self.round,
            "game": self.game,
            "edition": self.edition,
            "opened_at": moment(self.opened_at),
            "closed_at": moment(self.closed_at),
            "dealer": self.dealer,
            "complete": self.complete,
            "voided": self.voided,
            "wagers": self.wagers,
            "staked_cents": self.staked_cents,
            "returned_cents": self.returned_cents,
            "given_cents": self.given_cents,
            "difference_cents": self.difference_cents,
            "rules": self.rules,
        })
    }
}

const ROW: &str = "property, table_id, round, game, edition, opened_at, closed_at, dealer, complete, voided, wagers, \
                   staked_cents, returned_cents, given_cents, difference_cents, rules";

fn moment(micros: i64) -> String {
    Timestamp::from_micros(micros).to_string()
}

fn at(name: &str, text: Option<&String>, otherwise: i64) -> Result<ScalarValue, Fault> {
    let micros = match text {
        None => otherwise,
        Some(text) => {
            let moment: Result<Timestamp, _> = text.parse();
            let moment = moment.map_err(|_| {
                let error = format!("{name}: {text:?} is no moment such as 2026-11-15T20:00:00Z");
                Fault::new(StatusCode::BAD_REQUEST, "bad_input", error)
            })?;
            moment.micros()
        }
    };
    Ok(ScalarValue::TimestampMicrosecond(
        Some(micros),
        Some("UTC".into()),
    ))
}

pub(super) async fn rounds(
    State(desk): State<Arc<Desk>>,
    caller: Caller,
    headers: HeaderMap,
    wanted: Result<Query<Wanted>, QueryRejection>,
) -> Result<Response, Fault> {
    let Query(wanted) = wanted?;
    let values = vec![
        (
            "since".to_owned(),
            at("since", wanted.since.as_ref(), i64::MIN / 4)?,
        ),
        (
            "until".to_owned(),
            at("until", wanted.until.as_ref(), i64::MAX / 4)?,
        ),
    ];
    let asked = Question {
        case: case_of(&headers)?,
        ..question(&caller, "rounds", serde_json::to_string(&wanted).ok())
    };
    let seen_by = caller.clone();
    let answer = move |view: View| async move { list(&view, &wanted, &seen_by, values).await };
    desk.answer(&caller, asked, answer).await
}

async fn list(
    view: &View,
    wanted: &Wanted,
    caller: &Caller,
    mut values: Vec<(String, ScalarValue)>,
) -> Result<Value, Fault> {
    let limit = wanted.limit.unwrap_or(SOME).clamp(1, MOST);
    let mut filter = "closed_at >= $since AND closed_at < $until".to_owned();
    let mut only = |part: &str, name: &str, value: &Option<String>| {
        let Some(value) = value else { return };
        filter.push_str(" AND ");
        filter.push_str(part);
        values.push((name.to_owned(), value.as_str().into()));
    };
    only("table_id = $table", "table", &wanted.table);
    only("dealer = $dealer", "dealer", &wanted.dealer);
    only(
        "EXISTS (SELECT 1 FROM wagers WHERE wagers.property = rounds.property \
         AND wagers.round = rounds.round AND wagers.player = $player)",
        "player",
        &wanted.player,
    );
    only(
        "EXISTS (SELECT 1 FROM events AS dealt JOIN events AS begun ON begun.property = dealt.property \
         AND begun.table_id = dealt.table_id AND begun.type = 'shoe_started' \
         AND json_get_str(begun.body, 'shoe') = json_get_str(dealt.body, 'shoe') \
         WHERE dealt.type = 'round_opened' AND dealt.property = rounds.property \
         AND dealt.round = rounds.round AND json_get_str(begun.body, 'set') = $set)",
        "set",
        &wanted.set,
    );
    let seen = properties(caller, &mut values);
    let sql = format!(
        "SELECT {ROW} FROM rounds WHERE {filter}{seen} ORDER BY closed_at DESC, log_offset DESC LIMIT {}",
        limit + 1
    );
    let answer = view.session.ask(&sql, values).await.map_err(fault)?;
    let rows: Vec<Row> = answer.read().await.map_err(fault)?;
    let more = rows.len() > limit;
    let rounds: Vec<Value> = rows.iter().take(limit).map(Row::told).collect();
    Ok(json!({"version": view.version, "rounds": rounds, "more": more}))
}

/// Only what the caller may see.
fn properties(caller: &Caller, values: &mut Vec<(String, ScalarValue)>) -> String {
    let Some(properties) = &caller.properties else {
        return String::new();
    };
    let mut names = vec!["''".to_owned()];
    for (index, property) in properties.iter().enumerate() {
        names.push(format!("$property{index}"));
        values.push((format!("property{index}"), property.as_str().into()));
    }
    format!(" AND property IN ({})", names.join(", "))
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Which {
    property: Option<String>,
}

pub(super) async fn round(
    State(desk): State<Arc<Desk>>,
    caller: Caller,
    headers: HeaderMap,
    Path(id): Path<String>,
    which: Result<Query<Which>, QueryRejection>,
) -> Result<Response, Fault> {
    let Query(which) = which?;
    let parameters = json!({"round": id, "property": which.property}).to_string();
    let asked = Question {
        case: case_of(&headers)?,
        ..question(&caller, "round", Some(parameters))
    };
    let seen_by = caller.clone();
    let answer = move |view: View| async move {
        let story = Story::read(&view, &id, &seen_by, which.property.as_deref()).await?;
        story.told(&view, &id)
    };
    desk.answer(&caller, asked, answer).await
}

/// All that the archive has of a round.
struct Story {
    rounds: Vec<Row>,
    rest: Vec<Rest>,
    wagers: Vec<WagerRow>,
    findings: Vec<FindingRow>,
    events: Vec<EventRow>,
}

/// What of a round is text.
#[derive(Debug, Deserialize)]
struct Rest {
    document: Option<String>,
    bonuses: Option<String>,
    pots: Option<String>,
    violations: Vec<String>,
    assumed: Option<Vec<String>>,
}

#[derive(Debug, Deserialize)]
struct WagerRow {
    wager: String,
    seat: i64,
    player: Option<String>,
    kind: String,
    amount_cents: i64,
    result: Option<String>,
    win_cents: Option<i64>,
    commission_cents: Option<i64>,
    returned_cents: Option<i64>,
    paid_cents: i64,
    commission_taken_cents: i64,
    given_cents: Option<i64>,
    difference_cents: Option<i64>,
}

#[derive(Debug, Deserialize)]
struct FindingRow {
    id: String,
    code: String,
    severity: String,
    property: String,
    table_id: String,
    game: Option<String>,
    round: Option<String>,
    wager: Option<String>,
    seat: Option<u32>,
    dealer: Option<String>,
    at: i64,
    due_cents: Option<i64>,
    paid_cents: Option<i64>,
    exposure_cents: i64,
    message: String,
    cites: Vec<String>,
    evidence: Vec<u64>,
    rules: Option<String>,
    resolves: Option<String>,
}

#[derive(Debug, Deserialize)]
struct EventRow {
    id: String,
    property: String,
    table_id: String,
    seq: u64,
    at: i64,
    source_kind: SourceKind,
    source_id: String,
    round: Option<String>,
    shift: Option<String>,
    received_at: Option<i64>,
    r#type: String,
    body: String,
}

impl Story {
    async fn read(
        view: &View,
        id: &str,
        caller: &Caller,
        of: Option<&str>,
    ) -> Result<Story, Fault> {
        let mut values: Vec<(String, ScalarValue)> = vec![("round".to_owned(), id.into())];
        let mut filter = format!("round = $round{}", properties(caller, &mut values));
        if let Some(property) = of {
            filter.push_str(" AND property = $property");
            values.push(("property".to_owned(), property.into()));
        }
        let ask = async |columns: &str, table: &str, order: &str| {
            let sql = format!(
                "SELECT {columns} FROM {table} WHERE {filter} ORDER BY {order} LIMIT {MOST_EVENTS}"
            );
            view.session.ask(&sql, values.clone()).await
        };
        let read = async {
            let order = "property, closed_at, log_offset";
            Ok::<Story, Error>(Story {
                rounds: ask(ROW, "rounds", order).await?.read().await?,
                rest: ask(
                    "document, bonuses, pots, violations, assumed",
                    "rounds",
                    order,
                )
                .await?
                .read()
                .await?,
                wagers: ask(WAGER, "wagers", "property, nth").await?.read().await?,
                findings: ask(FINDING, "findings", "at, id").await?.read().await?,
                events: ask(EVENT, "events", "property, table_id, seq, log_offset")
                    .await?
                    .read()
                    .await?,
            })
        };
        read.await.map_err(fault)
    }

    fn told(&self, view: &View, id: &str) -> Result<Value, Fault> {
        if self.rounds.is_empty() && self.events.is_empty() {
            let error = format!("no round {id:?} is in the archive");
            return Err(Fault::new(StatusCode::NOT_FOUND, "unknown", error));
        }
        let mut properties: Vec<&str> = self.events.iter().map(|event| &*event.property).collect();
        properties.extend(self.rounds.iter().map(|round| &*round.property));
        properties.sort_unstable();
        properties.dedup();
        if properties.len() > 1 {
            let error = format!(
                "{} have a round {id:?}: say which by ?property=",
                properties.join(" and ")
            );
            return Err(Fault::new(StatusCode::CONFLICT, "ambiguous", error));
        }
        let text = |text: &Option<String>| -> Value {
            let text = text.as_deref().unwrap_or("null");
            serde_json::from_str(text).unwrap_or_else(|_| text.into())
        };
        let rest = self.rest.first();
        let settlement = rest.map(|rest| {
            json!({
                "violations": rest.violations,
                "bonuses": text(&rest.bonuses),
                "pots": text(&rest.pots),
                "assumed": rest.assumed,
            })
        });
        let events: Result<Vec<Value>, Fault> = self.events.iter().map(EventRow::told).collect();
        Ok(json!({
            "version": view.version,
            "round": self.rounds.first().map(Row::told),
            "document": rest.map_or(Value::Null, |rest| text(&rest.document)),
            "settlement": settlement,
            "wagers": self.wagers.iter().map(WagerRow::told).collect::<Vec<_>>(),
            "findings": self.findings.iter().map(FindingRow::told).collect::<Vec<_>>(),
            "events": events?,
        }))
    }
}

const WAGER: &str = "wager, seat, player, kind, amount_cents, result, win_cents, commission_cents, returned_cents, \
                     paid_cents, commission_taken_cents, given_cents, difference_cents";

impl WagerRow {
    fn told(&self) -> Value {
        json!({
            "wager": self.wager,
            "seat": self.seat,
            "player": self.player,
            "kind": self.kind,
            "amount_cents": self.amount_cents,
            "result": self.result,
            "win_cents": self.win_cents,
            "commission_cents": self.commission_cents,
            "returned_cents": self.returned_cents,
            "paid_cents": self.paid_cents,
            "commission_taken_cents": self.commission_taken_cents,
            "given_cents": self.given_cents,
            "difference_cents": self.difference_cents,
        })
    }
}

const FINDING: &str = "id, code, severity, property, table_id, game, round, wager, seat, dealer, at, due_cents, \
                       paid_cents, exposure_cents, message, cites, evidence, rules, resolves";

impl FindingRow {
    /// As the topic has it.
    fn told(&self) -> Value {
        let mut told = json!({
            "id": self.id,
            "code": self.code,
            "severity": self.severity,
            "property": self.property,
            "table": self.table_id,
            "game": self.game,
            "round": self.round,
            "wager": self.wager,
            "seat": self.seat,
            "dealer": self.dealer,
            "at": moment(self.at),
            "due": self.due_cents,
            "paid": self.paid_cents,
            "exposure": self.exposure_cents,
            "message": self.message,
            "cites": self.cites,
            "evidence": self.evidence,
            "rules": self.rules,
        });
        if let Some(closed) = &self.resolves {
            told["resolves"] = closed.as_str().into();
        }
        told
    }
}

const EVENT: &str = "id, property, table_id, seq, at, source_kind, source_id, round, shift, received_at, type, body";

impl EventRow {
    /// As a vendor sends it.
    fn told(&self) -> Result<Value, Fault> {
        let Ok(body) = written::read_body(&self.r#type, &self.body) else {
            // What this program does not know is shown as it was kept.
            let mut body: Value = serde_json::from_str(&self.body).map_err(unreadable)?;
            body["type"] = self.r#type.as_str().into();
            return Ok(json!({
                "id": self.id, "property": self.property, "table": self.table_id, "seq": self.seq,
                "at": moment(self.at), "source": {"kind": self.source_kind, "id": self.source_id},
                "round": self.round, "shift": self.shift, "body": body,
            }));
        };
        let event = Event {
            id: self.id.clone(),
            property: self.property.clone(),
            table: self.table_id.clone(),
            seq: self.seq,
            at: Timestamp::from_micros(self.at),
            source: Source {
                kind: self.source_kind,
                id: self.source_id.clone(),
            },
            round: self.round.clone(),
            shift: self.shift.clone(),
            received_at: self.received_at.map(Timestamp::from_micros),
            body,
        };
        let text = written::write(&event).map_err(unreadable)?;
        serde_json::from_str(&text).map_err(unreadable)
    }
}

fn unreadable(error: serde_json::Error) -> Fault {
    let error = format!("what the archive has cannot be told: {error}");
    Fault::new(StatusCode::INTERNAL_SERVER_ERROR, "failed", error)
}
