//! From a figure to the rows that make it, which sum to it to the cent.
//!
//! The rows are picked by the very expressions that the figure is made of: what stands before the last selection of
//! the report's query stands before this one too.

use std::sync::Arc;

use catwalk_query::http::{View, question, shown};
use catwalk_query::{ScalarValue, Session};
use catwalk_web::axum::extract::rejection::QueryRejection;
use catwalk_web::axum::extract::{Path, Query, State};
use catwalk_web::axum::http::StatusCode;
use catwalk_web::axum::response::Response;
use catwalk_web::{Caller, Fault};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::grounds::{self, Grounds};
use super::{Kept, PATIENCE, Room, bad, day, fault, sees_all, told, versions};
use crate::draw::ask;
use crate::paper::{Cell, Part};
use crate::{Asked, Period, Report, find};

/// A page is given so many rows.
const MOST_ROWS: usize = 5_000;

/// Which figure.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Which {
    cell: String,
    first: String,
    last: String,
    property: Option<String>,
    table: Option<String>,
    game: Option<String>,
    pit: Option<String>,
    shift: Option<String>,
}

pub(super) async fn why(
    State(room): State<Arc<Room>>,
    caller: Caller,
    Path(name): Path<String>,
    which: Result<Query<Which>, QueryRejection>,
) -> Result<Response, Fault> {
    let Query(which) = which?;
    sees_all(&caller)?;
    let report = find(&name).map_err(fault)?;
    let period = Period {
        first: day("first", &which.first)?,
        last: day("last", &which.last)?,
    };
    let parameters = serde_json::to_string(&which).ok();
    let question = question(&caller, &format!("report {} why", report.name), parameters);
    let shared = Arc::clone(&room);
    let answer = room
        .office
        .desk
        .answer_within(PATIENCE, question, move |view| async move {
            let asked = Asked {
                period,
                table: which.table.clone(),
                shift: which.shift.clone(),
                pit: which.pit.clone(),
            };
            let kept = shared.drawn(&view, report, &asked).await?;
            figure(&view, report, &kept, &which, &asked).await
        });
    Ok(shown(&answer.await?))
}

impl Room {
    /// The table whose figures are followed: the one that was drawn, if nothing of it has changed since.
    async fn drawn(
        &self,
        view: &View,
        report: &'static Report,
        asked: &Asked,
    ) -> Result<Arc<Kept>, Fault> {
        let of = versions(&view.session, report).map_err(fault)?;
        if let Some(kept) = self.kept(report, asked, &of) {
            return Ok(kept);
        }
        let Some(section) = report.sections.first() else {
            return Err(bad("this report has no table"));
        };
        let part = ask(&view.session, section, asked, asked.period).await;
        Ok(self.keep(report, asked, of, part.map_err(fault)?))
    }
}

impl Kept {
    /// What its figures stand on, in a session of the versions that it was drawn from.
    async fn session(&self, session: &Session) -> crate::Result<Session> {
        let grounds = match self.grounds.get() {
            Some(grounds) => grounds,
            None => {
                let found = Grounds::find(session, &self.asked).await?;
                self.grounds.get_or_init(|| found)
            }
        };
        grounds.session(session).await
    }
}

async fn figure(
    view: &View,
    report: &Report,
    kept: &Kept,
    which: &Which,
    asked: &Asked,
) -> Result<Value, Fault> {
    let part = &kept.part;
    let Some(at) = part.column(&which.cell) else {
        let known: Vec<&str> = part.columns.iter().map(|it| it.name.as_str()).collect();
        let known = known.join(", ");
        let error = format!(
            "{} has no figure {:?}; it has {known}",
            report.name, which.cell
        );
        return Err(Fault::new(StatusCode::NOT_FOUND, "unknown", error));
    };
    let row = summed(part, which, asked.period);
    let formula = part.formulas.iter().find(|(name, _)| *name == which.cell);
    let terms = formula.map(|(_, formula)| {
        let names = formula.split_whitespace();
        let terms = names.filter_map(|name| Some((name, part.column(name)?)));
        let term = |(name, at): (&str, usize)| {
            let title = part.columns[at].title();
            let value = row.as_ref().map(|row| told::cell(&row[at]));
            json!({"name": name, "title": title, "value": value, "kind": kind(part, at)})
        };
        terms.map(term).collect::<Vec<Value>>()
    });
    let rows = match (formula.is_some(), source(&which.cell)) {
        (false, Some(sql)) => Some(rows(view, kept, &sql, which, asked).await?),
        _ => None,
    };
    Ok(json!({
        "report": told::report(report),
        "figure": which.cell,
        "title": part.columns[at].title(),
        "kind": kind(part, at),
        "value": row.as_ref().map(|row| told::cell(&row[at])),
        "formula": formula.map(|(_, formula)| *formula),
        "terms": terms,
        "rows": rows,
        "query": part.query,
        "version": view.version,
    }))
}

fn kind(part: &Part, at: usize) -> &'static str {
    use crate::ColumnKind as Kind;
    match part.columns[at].kind {
        Kind::Money => "money",
        Kind::Count => "count",
        Kind::Number => "number",
        _ => "text",
    }
}

/// The figures of what is asked for, summed up; `None` where nothing is.
fn summed(part: &Part, which: &Which, period: Period) -> Option<Vec<Cell>> {
    let is = |row: &[Cell], name: &str, wanted: &Option<String>| match (wanted, part.column(name)) {
        (Some(wanted), Some(at)) => row[at].shown() == *wanted,
        _ => true,
    };
    let is_of = |row: &[Cell]| match part.column("gaming_day").map(|at| &row[at]) {
        Some(Cell::Day(day)) => period.first <= *day && *day <= period.last,
        _ => true,
    };
    let rows = part.rows.iter();
    let rows = rows.filter(|row| {
        is_of(row)
            && is(row, "property", &which.property)
            && is(row, "game", &which.game)
            && is(row, "table_id", &which.table)
            && is(row, "pit", &which.pit)
            && is(row, "shift", &which.shift)
    });
    let rows: Vec<Vec<Cell>> = rows.cloned().collect();
    if rows.len() == 1 {
        return rows.into_iter().next();
    }
    let picked = Part {
        rows,
        columns: part.columns.clone(),
        sums: part.sums.clone(),
        ..*part
    };
    picked.totals()
}

/// A movement of money, a box or a round that is part of a figure.
#[derive(Debug, Deserialize)]
struct Row {
    property: String,
    table_id: String,
    gaming_day: String,
    seq: Option<i64>,
    at: Option<i64>,
    round: Option<String>,
    what: String,
    amount: i64,
}

/// Many tables or days first, then each of them row by row.
#[derive(Debug, Deserialize)]
struct TableDay {
    property: String,
    table_id: String,
    gaming_day: String,
    shift: Option<String>,
    rows: i64,
    amount: i64,
}

async fn rows(
    view: &View,
    kept: &Kept,
    sql: &str,
    which: &Which,
    asked: &Asked,
) -> Result<Value, Fault> {
    // The days of a table are counted from the first that was read: all is read as for the table that was drawn.
    let as_drawn = Asked {
        period: kept.asked.period,
        ..asked.clone()
    };
    let mut values = as_drawn.bound();
    for (name, value) in [("property", &which.property), ("game", &which.game)] {
        values.push((name.to_owned(), ScalarValue::Utf8(value.clone())));
    }
    for (name, day) in [("from", asked.period.first), ("to", asked.period.last)] {
        values.push((name.to_owned(), ScalarValue::Utf8(Some(day.to_string()))));
    }
    let session = kept.session(&view.session).await.map_err(fault)?;
    let with = with().map_err(fault)?;
    let is_one = which.table.is_some() && asked.period.first == asked.period.last;
    if !is_one {
        let sql = format!(
            "{with},\nmade AS (\n{sql}\n)\nSELECT property, table_id, \
             CAST(gaming_day AS VARCHAR) AS gaming_day, shift, \
             count(*) AS rows, coalesce(sum(amount), 0) AS amount FROM made \
             GROUP BY property, table_id, gaming_day, shift ORDER BY gaming_day, table_id, property, shift"
        );
        let answer = session.ask(&sql, values).await.map_err(super::of_query)?;
        let found: Vec<TableDay> = answer.read().await.map_err(super::of_query)?;
        let sum: i64 = found.iter().map(|day| day.amount).sum();
        let days = found.iter().map(|day| {
            json!({
                "property": day.property, "table": day.table_id, "day": day.gaming_day, "shift": day.shift,
                "rows": day.rows, "amount": day.amount,
            })
        });
        return Ok(
            json!({"by": "table", "sum": sum, "list": days.collect::<Vec<_>>(), "more": false}),
        );
    }
    let sql = format!(
        "{with},\nmade AS (\n{sql}\n)\nSELECT property, table_id, CAST(gaming_day AS VARCHAR) AS gaming_day, \
         CAST(seq AS BIGINT) AS seq, at, round, what, amount FROM made ORDER BY seq, at"
    );
    let answer = session.ask(&sql, values).await.map_err(super::of_query)?;
    let found: Vec<Row> = answer.read().await.map_err(super::of_query)?;
    let sum: i64 = found.iter().map(|row| row.amount).sum();
    let list = found.iter().take(MOST_ROWS).map(|row| {
        json!({
            "property": row.property, "table": row.table_id, "day": row.gaming_day, "seq": row.seq,
            "at": row.at.map(moment), "round": row.round, "what": row.what, "amount": row.amount,
        })
    });
    let list: Vec<Value> = list.collect();
    Ok(json!({"by": "row", "sum": sum, "more": found.len() > list.len(), "list": list}))
}

fn moment(micros: i64) -> String {
    let moment = jiff::Timestamp::from_microsecond(micros);
    moment.map_or_else(|_| micros.to_string(), |moment| moment.to_string())
}

/// What stands before the rows of a figure: the movements of money, and the table-days that are asked for.
fn with() -> crate::Result<String> {
    Ok(format!("{},\n{PICKED}", grounds::movements()?))
}

const PICKED: &str = "\
picked AS (
    SELECT property, table_id, period, gaming_day, shift, from_seq, to_seq
    FROM table_days
    WHERE
        CAST(gaming_day AS VARCHAR) BETWEEN $from AND $to
        AND ($table IS NULL OR table_id = $table)
        AND ($property IS NULL OR property = $property)
        AND ($game IS NULL OR game = $game)
        AND ($pit IS NULL OR pit = $pit)
        AND ($shift IS NULL OR shift = $shift)
)";

/// The rows of a figure; none where it is no sum of rows.
fn source(figure: &str) -> Option<String> {
    let boxes = [
        "cash",
        "checks_issued",
        "checks_redeemed",
        "chips",
        "foreign_chips",
        "other",
        "coupons",
    ];
    if boxes.contains(&figure) {
        return Some(BOXES.replace("{figure}", figure));
    }
    match figure {
        "opener" => Some(OPENER.to_owned()),
        "closer" => Some(moved("moved.is_end")),
        "fills" => Some(moved(
            "moved.kind = 'fill' AND moved.seq > coalesce(moved.opened_seq, -1)",
        )),
        "credits" => Some(moved(
            "moved.kind = 'credit' AND moved.seq > coalesce(moved.opened_seq, -1)",
        )),
        "jackpots_outside" => Some(moved(
            "moved.kind = 'jackpot_paid' AND moved.paid_from IN ('cage', 'safekeeping')",
        )),
        "rounds" => Some(played("1", "TRUE")),
        "handle" => Some(played("rounds.staked_cents", IS_HOUSE)),
        "settled_due" => Some(format!(
            "{}\nUNION ALL\n{}",
            played(
                "rounds.staked_cents - rounds.returned_cents",
                &format!("{IS_HOUSE} AND rounds.returned_cents IS NOT NULL"),
            ),
            moved("moved.kind = 'rake'"),
        )),
        "mispaid" => Some(played(
            "rounds.difference_cents",
            &format!("{IS_HOUSE} AND coalesce(rounds.difference_cents, 0) <> 0"),
        )),
        _ => None,
    }
}

const IS_HOUSE: &str = "rounds.game <> 'poker' AND NOT coalesce(rounds.tournament, FALSE)";

/// What was told of money at the table.
fn moved(condition: &str) -> String {
    format!(
        "SELECT picked.property, picked.table_id, picked.gaming_day, picked.shift, moved.seq, \
         CAST(moved.at AS BIGINT) AS at, moved.round, moved.kind AS what, moved.amount_cents AS amount \
         FROM opened AS moved JOIN picked ON picked.property = moved.property \
         AND picked.table_id = moved.table_id AND picked.period = moved.period WHERE {condition}"
    )
}

/// The count with which a day begins: its own, or the one that ended the day before.
const OPENER: &str = "\
SELECT picked.property, picked.table_id, picked.gaming_day, picked.shift, moved.seq,
    CAST(moved.at AS BIGINT) AS at, moved.round, moved.kind AS what, moved.amount_cents AS amount
FROM picked
LEFT JOIN (
    SELECT property, table_id, period, max(opened_seq) AS opened_seq
    FROM opened GROUP BY property, table_id, period
) AS own
    ON own.property = picked.property AND own.table_id = picked.table_id AND own.period = picked.period
JOIN opened AS moved
    ON moved.property = picked.property AND moved.table_id = picked.table_id
    AND moved.seq = coalesce(own.opened_seq, picked.from_seq)
WHERE moved.kind IN ('opening_inventory', 'closing_inventory', 'inventory')";

const BOXES: &str = "\
SELECT picked.property, picked.table_id, picked.gaming_day, picked.shift, boxes.removed_seq AS seq,
    CAST(coalesce(boxes.counted_at, boxes.removed_at) AS BIGINT) AS at, CAST(NULL AS VARCHAR) AS round,
    boxes.box_is || ' drop box ' || coalesce(boxes.box, 'without a name')
        || CASE WHEN boxes.counts = 0 THEN ', not counted' ELSE ', counted' END AS what,
    coalesce(boxes.{figure}_cents, 0) AS amount
FROM boxes
JOIN placed
    ON placed.kind = 'drop_box_removed' AND placed.property = boxes.property
    AND placed.table_id = boxes.table_id AND placed.seq = boxes.removed_seq
JOIN picked
    ON picked.property = placed.property AND picked.table_id = placed.table_id AND picked.period = placed.period
WHERE boxes.box_is IN ('main', 'emergency')";

/// The rounds of the table's day; those of a table that counts nothing are in their gaming day.
fn played(amount: &str, condition: &str) -> String {
    format!(
        "SELECT picked.property, picked.table_id, picked.gaming_day, picked.shift, rounds.last_seq AS seq, \
         CAST(rounds.closed_at AS BIGINT) AS at, rounds.round, rounds.game AS what, \
         CAST({amount} AS BIGINT) AS amount \
         FROM rounds LEFT JOIN spans ON spans.property = rounds.property AND spans.table_id = rounds.table_id \
         AND spans.gaming_day = rounds.gaming_day AND rounds.last_seq > spans.from_seq \
         AND rounds.last_seq <= spans.to_seq \
         JOIN picked ON picked.property = rounds.property AND picked.table_id = rounds.table_id \
         AND picked.period = coalesce(spans.period, -1) \
         AND (spans.period IS NOT NULL OR picked.gaming_day = rounds.gaming_day) \
         WHERE {condition} AND ($table IS NULL OR rounds.table_id = $table) \
         AND rounds.gaming_day BETWEEN CAST($first AS DATE) - INTERVAL '1 day' \
         AND CAST($last AS DATE) + INTERVAL '1 day'"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_figure_of_the_master_game_report_has_rows_or_a_formula() {
        let report = find("master-game").unwrap();
        for figure in report.sections[0].sums {
            let is_formula = report.sections[0]
                .formulas
                .iter()
                .any(|(name, _)| name == figure);
            assert!(is_formula || source(figure).is_some(), "{figure}");
        }
    }
}
