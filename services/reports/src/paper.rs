//! A report that was drawn: its figures, not yet in any form.

use arrow::array::{Array as _, ArrayRef, AsArray as _, RecordBatch};
use arrow::datatypes::{
    DataType, Date32Type, Field, Float64Type, Int64Type, TimeUnit, TimestampMicrosecondType,
    UInt64Type,
};
use arrow::util::display::{ArrayFormatter, FormatOptions};
use catwalk_hands::floor::Cents;
use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;

use crate::catalog::{Group, Report, Section};
use crate::{Asked, Period, Result};

/// A report of some days.
#[derive(Debug)]
pub struct Paper {
    pub report: &'static Report,
    pub asked: Asked,
    /// What is not final.
    pub caveats: Vec<Caveat>,
    pub parts: Vec<Part>,
    /// What it was made from: a name and what there is to say of it.
    pub foot: Vec<(String, String)>,
}

/// Something that is not final, and how much is uncertain by it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Caveat {
    pub day: Option<Date>,
    pub table: Option<String>,
    pub what: String,
    pub times: i64,
    pub uncertain: Option<Cents>,
    /// What the uncertain amount is.
    pub amount_is: Option<String>,
}

/// A table of a report.
#[derive(Clone, Debug)]
pub struct Part {
    pub title: &'static str,
    /// The named query that says it, where one does.
    pub query: Option<&'static str>,
    pub columns: Vec<Column>,
    pub rows: Vec<Vec<Cell>>,
    /// A column is a formula of others: its name, and the formula with their names.
    pub formulas: &'static [(&'static str, &'static str)],
    /// The columns whose sum means something.
    pub sums: Vec<usize>,
    /// Its sums are by a column of another part, which is the one before.
    pub by: Option<&'static str>,
    /// The column that a chart shows, by the first.
    pub bars: Option<&'static str>,
    pub none: &'static str,
}

/// A column of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    /// As the query has it, without the `_cents` of money.
    pub name: String,
    pub kind: ColumnKind,
}

/// What a column holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ColumnKind {
    Text,
    Money,
    Count,
    Number,
    Day,
    Flag,
}

/// A value of a table.
#[derive(Clone, Debug, PartialEq)]
pub enum Cell {
    /// Not known, or there is none.
    Empty,
    Text(String),
    Money(Cents),
    Count(i64),
    Number(f64),
    Day(Date),
    Flag(bool),
}

impl Part {
    /// The answer of a query, laid out as a section of a report.
    pub(crate) fn of(
        section: &Section,
        schema: &[Column],
        batches: &[RecordBatch],
        zone: &TimeZone,
    ) -> Result<Part> {
        let mut rows = Vec::new();
        for batch in batches {
            let columns = batch.columns().iter().zip(schema);
            let columns: Vec<Vec<Cell>> = columns
                .map(|(array, column)| cells(array, column.kind, zone))
                .collect::<Result<_>>()?;
            rows.extend((0..batch.num_rows()).map(|row| {
                columns
                    .iter()
                    .map(|column| column[row].clone())
                    .collect::<Vec<_>>()
            }));
        }
        let sums = schema.iter().enumerate();
        let sums = sums.filter(|(_, column)| section.sums.contains(&&*column.name));
        Ok(Part {
            title: section.title,
            query: Some(section.query),
            sums: sums.map(|(at, _)| at).collect(),
            columns: schema.to_vec(),
            rows,
            formulas: section.formulas,
            by: None,
            bars: None,
            none: section.none,
        })
    }

    pub(crate) fn column(&self, name: &str) -> Option<usize> {
        self.columns.iter().position(|column| column.name == name)
    }

    /// The same with the rows of these gaming days alone; all of them where they name none.
    pub(crate) fn within(&self, period: Period) -> Part {
        let Some(at) = self.column("gaming_day") else {
            return self.clone();
        };
        let is_in = |row: &&Vec<Cell>| match &row[at] {
            Cell::Day(day) => period.first <= *day && *day <= period.last,
            _ => true,
        };
        Part {
            rows: self.rows.iter().filter(is_in).cloned().collect(),
            ..self.clone()
        }
    }

    /// The sum of a column, where it has one value at least.
    pub(crate) fn sum(&self, column: usize) -> Cell {
        sum(self.rows.iter().map(|row| &row[column]))
    }

    /// The sums by the values of a column, as a part of its own.
    pub(crate) fn grouped(&self, group: &Group) -> Option<Part> {
        let by = group.by;
        let key = self.column(by)?;
        let mut keys: Vec<&Cell> = self.rows.iter().map(|row| &row[key]).collect();
        keys.sort_by_key(|cell| cell.shown());
        keys.dedup();
        let is_formula =
            |column: &Column| self.formulas.iter().any(|(name, _)| *name == column.name);
        let kept: Vec<usize> = (0..self.columns.len())
            .filter(|at| self.sums.contains(at) || (is_formula(&self.columns[*at])))
            .collect();
        let mut columns = vec![self.columns[key].clone()];
        columns.extend(kept.iter().map(|at| self.columns[*at].clone()));
        let mut part = Part {
            title: group.title,
            query: None,
            sums: (1..columns.len())
                .filter(|at| self.sums.contains(&kept[at - 1]))
                .collect(),
            columns,
            rows: Vec::new(),
            formulas: self.formulas,
            by: Some(by),
            bars: group.bars,
            none: self.none,
        };
        for value in keys {
            let rows: Vec<&Vec<Cell>> = self.rows.iter().filter(|row| row[key] == *value).collect();
            let sums = kept.iter().map(|at| match self.sums.contains(at) {
                true => sum(rows.iter().map(|row| &row[*at])),
                false => Cell::Empty,
            });
            let mut row = vec![value.clone()];
            row.extend(sums);
            part.work_out(&mut row);
            part.rows.push(row);
        }
        Some(part)
    }

    /// Fills in the formulas of a row of sums.
    pub(crate) fn work_out(&self, row: &mut [Cell]) {
        for (name, formula) in self.formulas {
            let Some(at) = self.column(name).filter(|at| !self.sums.contains(at)) else {
                continue;
            };
            let value = crate::formula::value(formula, |name| {
                let at = self.column(name)?;
                row[at].number()
            });
            row[at] = match (value, self.columns[at].kind) {
                (Some(value), ColumnKind::Money) => Cell::Money(Cents::new(value.round() as i64)),
                (Some(value), _) if value.is_finite() => Cell::Number(value),
                _ => Cell::Empty,
            };
        }
    }

    /// The last row: the sums, and the formulas of them.
    pub(crate) fn totals(&self) -> Option<Vec<Cell>> {
        if self.sums.is_empty() || self.rows.len() < 2 {
            return None;
        }
        let mut row = vec![Cell::Empty; self.columns.len()];
        for at in &self.sums {
            row[*at] = self.sum(*at);
        }
        self.work_out(&mut row);
        if row[0] == Cell::Empty {
            row[0] = Cell::Text("total".to_owned());
        }
        Some(row)
    }
}

fn sum<'a>(cells: impl Iterator<Item = &'a Cell>) -> Cell {
    cells.fold(Cell::Empty, |sum, cell| match (sum, cell) {
        (Cell::Empty, cell) => cell.clone(),
        (Cell::Money(sum), Cell::Money(more)) => Cell::Money(sum + *more),
        (Cell::Count(sum), Cell::Count(more)) => Cell::Count(sum + more),
        (Cell::Number(sum), Cell::Number(more)) => Cell::Number(sum + more),
        (sum, _) => sum,
    })
}

impl Column {
    pub(crate) fn of(field: &Field) -> Column {
        let name = field.name();
        let (name, kind) = match field.data_type() {
            DataType::Int64 => match name.strip_suffix("_cents") {
                Some(name) => (name, ColumnKind::Money),
                None => (name.as_str(), ColumnKind::Count),
            },
            DataType::UInt64 => (name.as_str(), ColumnKind::Count),
            DataType::Float64 => (name.as_str(), ColumnKind::Number),
            DataType::Date32 => (name.as_str(), ColumnKind::Day),
            DataType::Boolean => (name.as_str(), ColumnKind::Flag),
            _ => (name.as_str(), ColumnKind::Text),
        };
        Column {
            name: name.to_owned(),
            kind,
        }
    }

    pub(crate) fn is_right(&self) -> bool {
        matches!(
            self.kind,
            ColumnKind::Money | ColumnKind::Count | ColumnKind::Number
        )
    }

    /// As a head of a table has it.
    pub(crate) fn title(&self) -> String {
        let words = self.name.replace('_', " ");
        match words.strip_suffix(" pct") {
            Some(words) => format!("{words} %"),
            None => words,
        }
    }
}

impl Cell {
    /// As a person reads it.
    pub fn shown(&self) -> String {
        match self {
            Cell::Empty => String::new(),
            Cell::Text(text) => text.clone(),
            Cell::Money(cents) => cents.to_string(),
            Cell::Count(count) => count.to_string(),
            Cell::Number(number) => format!("{number:.2}"),
            Cell::Day(day) => day.to_string(),
            Cell::Flag(flag) => if *flag { "yes" } else { "no" }.to_owned(),
        }
    }

    /// Its number, of money in cents.
    pub(crate) fn number(&self) -> Option<f64> {
        match self {
            Cell::Money(cents) => Some(cents.get() as f64),
            Cell::Count(count) => Some(*count as f64),
            Cell::Number(number) => Some(*number),
            _ => None,
        }
    }
}

fn cells(array: &ArrayRef, kind: ColumnKind, zone: &TimeZone) -> Result<Vec<Cell>> {
    let options = FormatOptions::new().with_timestamp_tz_format(Some("%Y-%m-%d %H:%M:%SZ"));
    let formatter = ArrayFormatter::try_new(array, &options)?;
    let cell = |row: usize| {
        if array.is_null(row) {
            return Cell::Empty;
        }
        match (kind, array.data_type()) {
            (ColumnKind::Money, _) => {
                Cell::Money(Cents::new(array.as_primitive::<Int64Type>().value(row)))
            }
            (ColumnKind::Count, DataType::UInt64) => {
                let count = array.as_primitive::<UInt64Type>().value(row);
                Cell::Count(i64::try_from(count).unwrap_or(i64::MAX))
            }
            (ColumnKind::Count, _) => Cell::Count(array.as_primitive::<Int64Type>().value(row)),
            (ColumnKind::Number, _) => Cell::Number(array.as_primitive::<Float64Type>().value(row)),
            (ColumnKind::Flag, _) => Cell::Flag(array.as_boolean().value(row)),
            (ColumnKind::Day, _) => match day(array.as_primitive::<Date32Type>().value(row)) {
                Some(day) => Cell::Day(day),
                None => Cell::Text(formatter.value(row).to_string()),
            },
            (ColumnKind::Text, DataType::Timestamp(TimeUnit::Microsecond, _)) => {
                let micros = array.as_primitive::<TimestampMicrosecondType>().value(row);
                Cell::Text(match Timestamp::from_microsecond(micros) {
                    Ok(at) => moment(at, zone),
                    Err(_) => formatter.value(row).to_string(),
                })
            }
            (ColumnKind::Text, _) => Cell::Text(formatter.value(row).to_string()),
        }
    };
    Ok((0..array.len()).map(cell).collect())
}

/// A day by its number since 1970.
pub(crate) fn day(number: i32) -> Option<Date> {
    let days = jiff::Span::new().try_days(number).ok()?;
    Date::constant(1970, 1, 1).checked_add(days).ok()
}

/// A moment to the second, with how far its clock is from universal time.
fn moment(at: Timestamp, zone: &TimeZone) -> String {
    let zoned = at.to_zoned(zone.clone());
    match zoned.offset().is_zero() {
        true => zoned.strftime("%Y-%m-%d %H:%M:%SZ").to_string(),
        false => zoned.strftime("%Y-%m-%d %H:%M:%S%:z").to_string(),
    }
}
