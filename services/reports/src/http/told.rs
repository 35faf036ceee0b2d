//! A report as JSON.

use serde_json::{Map, Value, json};

use crate::paper::{Cell, Column, ColumnKind, Paper, Part};
use crate::{Caveat, Report};

pub(super) fn report(report: &Report) -> Value {
    json!({
        "id": report.id,
        "name": report.name,
        "title": report.title,
        "about": report.about,
    })
}

pub(super) fn paper(paper: &Paper, version: &Value) -> Value {
    let asked = &paper.asked;
    json!({
        "report": report(paper.report),
        "first": asked.period.first.to_string(),
        "last": asked.period.last.to_string(),
        "of": asked.period.to_string(),
        "table": asked.table,
        "shift": asked.shift,
        "pit": asked.pit,
        "caveats": paper.caveats.iter().map(caveat).collect::<Vec<_>>(),
        "parts": paper.parts.iter().map(part).collect::<Vec<_>>(),
        "foot": paper.foot,
        "version": version,
    })
}

fn caveat(caveat: &Caveat) -> Value {
    json!({
        "day": caveat.day.map(|day| day.to_string()),
        "table": caveat.table,
        "what": caveat.what,
        "times": caveat.times,
        "uncertain_cents": caveat.uncertain.map(|cents| cents.get()),
        "amount_is": caveat.amount_is,
    })
}

fn part(part: &Part) -> Value {
    let formulas = part.formulas.iter();
    let formulas: Map<String, Value> = formulas
        .filter(|(name, _)| part.column(name).is_some())
        .map(|(name, formula)| ((*name).to_owned(), (*formula).into()))
        .collect();
    let rows = part.rows.iter().map(|row| row.iter().map(cell).collect());
    let totals = part.totals();
    json!({
        "title": part.title,
        "query": part.query,
        "columns": part.columns.iter().map(column).collect::<Vec<_>>(),
        "rows": rows.collect::<Vec<Vec<Value>>>(),
        "totals": totals.map(|row| row.iter().map(cell).collect::<Vec<_>>()),
        "formulas": formulas,
        "by": part.by,
        "bars": part.bars,
        "none": part.none,
    })
}

fn column(column: &Column) -> Value {
    let kind = match column.kind {
        ColumnKind::Text => "text",
        ColumnKind::Money => "money",
        ColumnKind::Count => "count",
        ColumnKind::Number => "number",
        ColumnKind::Day => "day",
        ColumnKind::Flag => "flag",
    };
    json!({"name": column.name, "title": column.title(), "kind": kind})
}

/// Money in cents; what is not known is null and never 0.
pub(super) fn cell(cell: &Cell) -> Value {
    match cell {
        Cell::Empty => Value::Null,
        Cell::Text(text) => text.as_str().into(),
        Cell::Money(cents) => cents.get().into(),
        Cell::Count(count) => (*count).into(),
        Cell::Number(number) => (*number).into(),
        Cell::Day(day) => day.to_string().into(),
        Cell::Flag(flag) => (*flag).into(),
    }
}
