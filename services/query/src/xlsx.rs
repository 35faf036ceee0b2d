//! An answer as a workbook that people open in a spreadsheet.

use std::io::Write;

use arrow::array::{Array as _, ArrayRef, AsArray as _, RecordBatch};
use arrow::datatypes::{DataType, Date32Type, Field, Int64Type};
use arrow::util::display::ArrayFormatter;
use jiff::civil::Date;
use rust_xlsxwriter::{ExcelDateTime, Format, Workbook, Worksheet, XlsxError};

use crate::answer::{dollars, shown};
use crate::bounds::beyond;
use crate::{Error, Result};

/// A sheet has so many rows, of which one is the header.
const SHEET_ROWS: usize = 1_048_575;
/// A cell holds so much text. What is longer is refused: a part of it is not what was asked for.
const CELL_TEXT: usize = 32_767;
/// A number of a sheet is exact up to here; what is larger is written as text.
const EXACT: u64 = 1 << 53;

/// A workbook that is filled as rows come.
pub(crate) struct Book {
    workbook: Workbook,
    sheet: Worksheet,
    rows: usize,
    money: Format,
    day: Format,
}

impl Book {
    pub(crate) fn new(fields: &arrow::datatypes::Fields) -> Result<Book> {
        let mut sheet = Worksheet::new();
        let bold = Format::new().set_bold();
        for (column, field) in (0u16..).zip(fields) {
            let name = dollars(field).unwrap_or(field.name());
            sheet
                .write_string_with_format(0, column, name, &bold)
                .map_err(told)?;
        }
        sheet.set_freeze_panes(1, 0).map_err(told)?;
        Ok(Book {
            workbook: Workbook::new(),
            sheet,
            rows: 0,
            money: Format::new().set_num_format("#,##0.00"),
            day: Format::new().set_num_format("yyyy-mm-dd"),
        })
    }

    pub(crate) fn write(&mut self, batch: &RecordBatch) -> Result<()> {
        if self.rows + batch.num_rows() > SHEET_ROWS {
            let what = "the answer has more rows; write it as CSV or Parquet, or ask for fewer,";
            return Err(beyond("xlsx_rows", SHEET_ROWS, what));
        }
        for (place, (column, field)) in
            (0u16..).zip(batch.columns().iter().zip(batch.schema().fields()))
        {
            self.write_column(place, column, field)?;
        }
        self.rows += batch.num_rows();
        Ok(())
    }

    fn write_column(&mut self, place: u16, column: &ArrayRef, field: &Field) -> Result<()> {
        let formatter = ArrayFormatter::try_new(column, &shown())?;
        for row in (0..column.len()).filter(|row| column.is_valid(*row)) {
            // Bounded by SHEET_ROWS.
            let line = u32::try_from(self.rows + row + 1).unwrap_or(u32::MAX);
            let sheet = &mut self.sheet;
            let written = match column.data_type() {
                DataType::Int64 if exact(column.as_primitive::<Int64Type>().value(row)) => {
                    let number = column.as_primitive::<Int64Type>().value(row) as f64;
                    match dollars(field) {
                        Some(_) => {
                            sheet.write_number_with_format(line, place, number / 100.0, &self.money)
                        }
                        None => sheet.write_number(line, place, number),
                    }
                }
                DataType::Date32 => match date(column.as_primitive::<Date32Type>().value(row)) {
                    Some(day) => sheet.write_datetime_with_format(line, place, &day, &self.day),
                    None => sheet.write_string(line, place, formatter.value(row).to_string()),
                },
                DataType::Boolean => {
                    sheet.write_boolean(line, place, column.as_boolean().value(row))
                }
                DataType::Float64 => {
                    let number = column
                        .as_primitive::<arrow::datatypes::Float64Type>()
                        .value(row);
                    sheet.write_number(line, place, number)
                }
                _ => {
                    let text = formatter.value(row).to_string();
                    if text.encode_utf16().count() > CELL_TEXT {
                        let what = format!(
                            "a text of column {} is longer; write it as CSV or Parquet,",
                            field.name()
                        );
                        return Err(beyond("xlsx_cell", CELL_TEXT, &what));
                    }
                    sheet.write_string(line, place, text)
                }
            };
            written.map_err(told)?;
        }
        Ok(())
    }

    pub(crate) fn close(mut self, out: &mut (dyn Write + Send)) -> Result<()> {
        self.workbook.push_worksheet(self.sheet);
        let bytes = self.workbook.save_to_buffer().map_err(told)?;
        out.write_all(&bytes)
            .map_err(arrow::error::ArrowError::from)?;
        Ok(())
    }
}

fn exact(number: i64) -> bool {
    number.unsigned_abs() <= EXACT
}

/// A day that a spreadsheet knows: its calendar begins with 1900.
fn date(days: i32) -> Option<ExcelDateTime> {
    let day = Date::constant(1970, 1, 1)
        .checked_add(jiff::Span::new().try_days(days).ok()?)
        .ok()?;
    let part = |part: i8| u8::try_from(part).ok();
    let year = u16::try_from(day.year())
        .ok()
        .filter(|year| *year >= 1900)?;
    ExcelDateTime::from_ymd(year, part(day.month())?, part(day.day())?).ok()
}

fn told(error: XlsxError) -> Error {
    Error::Workbook(error.to_string())
}

impl std::fmt::Debug for Book {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Book")
            .field("rows", &self.rows)
            .finish_non_exhaustive()
    }
}
