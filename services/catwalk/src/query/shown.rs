//! Answers, tables and named queries as people read them.

use std::io::{self, Write};

use catwalk_archive::{Column, Kind, TABLES, Table};
use catwalk_query::{Answer, DefaultValue, NamedQuery, Parameter, Sheet, named};
use comfy_table::{CellAlignment, ContentArrangement};

use crate::output;

pub(super) async fn show(answer: Answer, out: &mut (dyn Write + Send)) -> anyhow::Result<()> {
    let sheet = answer.sheet().await?;
    let names: Vec<&str> = sheet.columns.iter().map(|column| &*column.name).collect();
    let mut table = output::table(&names);
    // A row is a line: whoever reads it with other tools counts on that.
    table.set_content_arrangement(ContentArrangement::Disabled);
    table.add_rows(&sheet.rows);
    for (column, shown) in sheet.columns.iter().zip(table.column_iter_mut()) {
        if column.is_number {
            shown.set_cell_alignment(CellAlignment::Right);
        }
    }
    let wide = table.lines().map(|line| line.chars().count()).max();
    match table.width() {
        Some(width) if table.is_tty() && wide > Some(usize::from(width)) => {
            show_row_by_row(&sheet, out)?;
        }
        _ => writeln!(out, "{table}")?,
    }
    let rows = sheet.rows.len();
    let plural = if rows == 1 { "" } else { "s" };
    writeln!(out, "({rows} row{plural})")?;
    Ok(())
}

/// For a terminal that is too narrow for the columns side by side.
fn show_row_by_row(sheet: &Sheet, out: &mut (dyn Write + Send)) -> io::Result<()> {
    for (index, row) in sheet.rows.iter().enumerate() {
        writeln!(out, "row {}", index + 1)?;
        let mut table = output::plain_table();
        for (column, cell) in sheet.columns.iter().zip(row) {
            table.add_row(["", &column.name, cell]);
        }
        writeln!(out, "{}\n", table.trim_fmt())?;
    }
    Ok(())
}

/// The named queries, by whom they are for: one that is for several stands with the first.
pub(super) fn list(out: &mut dyn Write) -> anyhow::Result<()> {
    let queries = named::all()?;
    let first = |query: &NamedQuery| {
        let audience = query.audience.split(',').next().unwrap_or_default();
        audience.trim().to_owned()
    };
    let mut audiences: Vec<String> = queries.iter().map(first).collect();
    audiences.sort();
    audiences.dedup();
    for audience in audiences {
        writeln!(out, "FOR {}\n", audience.to_uppercase())?;
        for query in queries.iter().filter(|query| first(query) == audience) {
            tell(query, out)?;
        }
    }
    Ok(())
}

fn tell(query: &NamedQuery, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "{} (for {})", query.name, query.audience)?;
    let mut table = output::plain_table();
    table.add_row(["", &query.about]);
    writeln!(out, "{}", table.trim_fmt())?;
    let mut table = output::plain_table();
    for parameter in &query.parameters {
        let name = format!("  -p {}={}", parameter.name, parameter.kind);
        table.add_row([name, meaning(parameter)]);
    }
    writeln!(out, "{}\n", table.trim_fmt())
}

fn meaning(parameter: &Parameter) -> String {
    match &parameter.default {
        None => format!("{} Needed.", parameter.meaning),
        Some(DefaultValue::None) => parameter.meaning.clone(),
        Some(DefaultValue::Value(value)) => format!("{} [{value}]", parameter.meaning),
    }
}

pub(super) fn tables(out: &mut dyn Write) -> io::Result<()> {
    TABLES.into_iter().try_for_each(|table| columns(table, out))
}

/// A table and its columns.
pub(super) fn columns(table: &Table, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "{}: {}", table.name, table.meaning)?;
    let mut columns = output::plain_table();
    for column in table.columns {
        columns.add_row([
            &format!("  {}", column.name),
            sql_type(column),
            column.meaning,
        ]);
    }
    writeln!(out, "{}\n", columns.trim_fmt())
}

/// The tables, a line each.
pub(super) fn table_names(out: &mut dyn Write) -> io::Result<()> {
    let mut names = output::plain_table();
    for table in TABLES {
        names.add_row([table.name, table.meaning]);
    }
    writeln!(out, "{}", names.trim_fmt())
}

fn sql_type(column: &Column) -> &'static str {
    match column.kind {
        Kind::Text => "text",
        Kind::Int | Kind::Cents => "bigint",
        Kind::Bool => "boolean",
        Kind::Moment => "timestamp",
        Kind::Day => "date",
        Kind::Texts => "text[]",
        Kind::Ints => "bigint[]",
    }
}
