//! A report as a workbook: typed cells, totals and derived figures as formulas, print set-up one page wide.

use std::io::Write;

use rust_xlsxwriter::{
    Chart, ChartType, Color, ExcelDateTime, Format, FormatAlign, FormatBorder, Formula, Workbook,
    Worksheet, XlsxError, utility,
};

use crate::Result;
use crate::formula::in_cells;
use crate::paper::{Cell, ColumnKind, Paper, Part};

/// The head of the first sheet has no more lines than this of what is not final; another sheet has them all.
const CAVEATS_ON_TOP: usize = 3;

/// A head that is wider than its column takes two lines.
const TWO_LINES: f64 = 30.0;
/// Tables with more characters in a row are printed on 11 x 17 inches, others on a letter.
const WIDE: f64 = 180.0;
const LETTER: u8 = 1;
const TABLOID: u8 = 3;

type Written = std::result::Result<(), XlsxError>;

/// How cells look.
struct Formats {
    title: Format,
    plain: Format,
    warning: Format,
    head: Format,
    small: Format,
    total: bool,
}

/// Where a part lies on its sheet: the row of its header, and its name.
struct Place {
    header: u32,
    sheet: String,
}

impl Paper {
    /// Writes it as a workbook.
    pub fn write_xlsx(&self, out: &mut dyn Write) -> Result<()> {
        let mut workbook = Workbook::new();
        let mut first: Option<Place> = None;
        for (at, part) in self.parts.iter().enumerate() {
            let mut sheet = Worksheet::new();
            sheet.set_name(part.title)?;
            let header = self.write_head(&mut sheet, part, at == 0)?;
            let place = Place {
                header,
                sheet: part.title.to_owned(),
            };
            let grouped = self
                .parts
                .first()
                .filter(|_| part.by.is_some())
                .zip(first.as_ref());
            part.write_sheet(&mut sheet, &place, grouped)?;
            if at == 0 {
                self.write_foot(&mut sheet, header + rows(part) + 3)?;
            }
            self.set_up_print(&mut sheet, part, header)?;
            workbook.push_worksheet(sheet);
            first.get_or_insert(place);
        }
        if !self.caveats.is_empty() {
            workbook.push_worksheet(self.open_points()?);
        }
        out.write_all(&workbook.save_to_buffer()?)?;
        Ok(())
    }

    /// The title, the days, and what is not final. Returns the row for the header of the table.
    fn write_head(
        &self,
        sheet: &mut Worksheet,
        part: &Part,
        is_first: bool,
    ) -> std::result::Result<u32, XlsxError> {
        let formats = Formats::new();
        let report = self.report;
        let title = format!("{} {} - {}", report.id, report.title, part.title);
        sheet.write_string_with_format(0, 0, title, &formats.title)?;
        sheet.write_string(1, 0, self.asked.words())?;
        let mut row = 2;
        if is_first {
            sheet.write_string_with_format(row, 0, report.about, &formats.small)?;
            row += 1;
        }
        if let Some(query) = part.query {
            let said = format!("From the named query {query}: catwalk query --named {query}");
            sheet.write_string_with_format(row, 0, said, &formats.small)?;
            row += 1;
        }
        let lines = self.caveat_lines();
        let shown = if is_first { CAVEATS_ON_TOP + 1 } else { 1 };
        let look = if self.caveats.is_empty() {
            &formats.small
        } else {
            &formats.warning
        };
        for line in lines.iter().take(shown) {
            sheet.write_string_with_format(row, 0, line, look)?;
            row += 1;
        }
        if lines.len() > shown {
            let more = format!(
                "  and {} more: see the sheet Open points",
                lines.len() - shown
            );
            sheet.write_string_with_format(row, 0, more, look)?;
            row += 1;
        }
        Ok(row + 1)
    }

    fn write_foot(&self, sheet: &mut Worksheet, row: u32) -> Written {
        let small = Formats::new().small;
        for (row, (name, said)) in (row..).zip(&self.foot) {
            sheet.write_string_with_format(row, 0, format!("{name}: {said}"), &small)?;
        }
        Ok(())
    }

    fn set_up_print(&self, sheet: &mut Worksheet, part: &Part, header: u32) -> Written {
        sheet.set_landscape();
        sheet.set_print_fit_to_pages(1, 0);
        sheet.set_repeat_rows(header, header)?;
        let wide: f64 = (0..part.columns.len()).map(|at| part.width(at)).sum();
        sheet.set_paper_size(if wide > WIDE { TABLOID } else { LETTER });
        sheet.set_margins(0.4, 0.4, 0.6, 0.6, 0.3, 0.3);
        let (id, title) = (self.report.id, self.report.title);
        sheet.set_header(format!(
            "&L{id} {title}: {}&R{}",
            part.title,
            self.asked.words()
        ));
        sheet.set_footer("&LCatwalk&CPage &P of &N&R&A");
        Ok(())
    }

    /// All that is not final, with the amounts.
    fn open_points(&self) -> std::result::Result<Worksheet, XlsxError> {
        let formats = Formats::new();
        let mut sheet = Worksheet::new();
        sheet.set_name("Open points")?;
        for (column, name) in (0..).zip([
            "day",
            "table",
            "what is not final",
            "times",
            "uncertain",
            "the amount is",
        ]) {
            sheet.write_string_with_format(0, column, name, &formats.head)?;
        }
        for (row, caveat) in (1..).zip(&self.caveats) {
            if let Some(day) = caveat.day.and_then(excel_day) {
                sheet.write_datetime_with_format(row, 0, &day, &formats.of(ColumnKind::Day))?;
            }
            sheet.write_string(row, 1, caveat.table.as_deref().unwrap_or_default())?;
            sheet.write_string(row, 2, &caveat.what)?;
            sheet.write_number(row, 3, caveat.times as f64)?;
            if let Some(amount) = caveat.uncertain {
                sheet.write_number_with_format(
                    row,
                    4,
                    dollars(amount.get()),
                    &formats.of(ColumnKind::Money),
                )?;
            }
            sheet.write_string(row, 5, caveat.amount_is.as_deref().unwrap_or_default())?;
        }
        for (column, width) in [
            (0, 11.0),
            (1, 10.0),
            (2, 48.0),
            (3, 7.0),
            (4, 14.0),
            (5, 60.0),
        ] {
            sheet.set_column_width(column, width)?;
        }
        sheet.set_freeze_panes(1, 0)?;
        sheet.set_landscape();
        sheet.set_print_fit_to_pages(1, 0);
        Ok(sheet)
    }
}

fn rows(part: &Part) -> u32 {
    u32::try_from(part.rows.len()).unwrap_or(u32::MAX)
}

impl Part {
    /// The table of a sheet. Of a part that sums up another one, each sum is a formula over its rows.
    fn write_sheet(
        &self,
        sheet: &mut Worksheet,
        place: &Place,
        of: Option<(&Part, &Place)>,
    ) -> Written {
        let mut formats = Formats::new();
        for (at, column) in (0u16..).zip(&self.columns) {
            sheet.write_string_with_format(place.header, at, column.title(), &formats.head)?;
            sheet.set_column_width(at, self.width(usize::from(at)))?;
        }
        sheet.set_row_height(place.header, TWO_LINES)?;
        sheet.set_freeze_panes(place.header + 1, u16::from(self.by.is_some()))?;
        if self.rows.is_empty() {
            sheet.write_string(place.header + 1, 0, self.none)?;
            return Ok(());
        }
        let first = place.header + 1;
        for (row, cells) in (first..).zip(&self.rows) {
            for (at, cell) in (0u16..).zip(cells) {
                let formula = match of {
                    Some((of, there)) if self.sums.contains(&usize::from(at)) => {
                        self.sum_if(of, there, (row, at))
                    }
                    _ => self.formula(at, row, cells),
                };
                write_cell(
                    sheet,
                    (row, at),
                    cell,
                    formula,
                    &formats.of(self.columns[usize::from(at)].kind),
                )?;
            }
        }
        let last = place.header + rows(self);
        let columns = u16::try_from(self.columns.len()).unwrap_or(1);
        sheet.autofilter(place.header, 0, last, columns.saturating_sub(1))?;
        if let Some(totals) = self.totals() {
            formats.total = true;
            let row = last + 1;
            for (at, cell) in (0u16..).zip(&totals) {
                let formula = match self.sums.contains(&usize::from(at)) {
                    true => Some(format!(
                        "=SUM({0}{1}:{0}{2})",
                        utility::column_number_to_name(at),
                        first + 1,
                        last + 1
                    )),
                    false => self.formula(at, row, &totals),
                };
                write_cell(
                    sheet,
                    (row, at),
                    cell,
                    formula,
                    &formats.of(self.columns[usize::from(at)].kind),
                )?;
            }
        }
        self.draw_bars(sheet, place)
    }

    /// A figure of a row by others of it, where all of them are there.
    fn formula(&self, at: u16, row: u32, cells: &[Cell]) -> Option<String> {
        let column = &self.columns[usize::from(at)];
        let (_, formula) = self
            .formulas
            .iter()
            .find(|(name, _)| *name == column.name)?;
        let text = in_cells(formula, |name| {
            let at = self.column(name)?;
            cells[at].number()?;
            Some(format!(
                "{}{}",
                utility::column_number_to_name(u16::try_from(at).ok()?),
                row + 1
            ))
        })?;
        Some(match column.kind {
            // To the cent: dollars of a spreadsheet are no exact numbers.
            ColumnKind::Money => format!("=ROUND({text},2)"),
            _ => format!("={text}"),
        })
    }

    /// The sum of a column of another part over the rows that have the value of this row.
    fn sum_if(&self, of: &Part, there: &Place, (row, at): (u32, u16)) -> Option<String> {
        let by = utility::column_number_to_name(u16::try_from(of.column(self.by?)?).ok()?);
        let summed = utility::column_number_to_name(
            u16::try_from(of.column(&self.columns[usize::from(at)].name)?).ok()?,
        );
        let (first, last) = (there.header + 2, there.header + 1 + rows(of));
        let sheet = &there.sheet;
        Some(format!(
            "=SUMIFS('{sheet}'!${summed}${first}:${summed}${last},\
             '{sheet}'!${by}${first}:${by}${last},IF($A{0}=\"\",\"=\",$A{0}))",
            row + 1
        ))
    }

    /// So many characters as its longest cell has.
    fn width(&self, at: usize) -> f64 {
        let column = &self.columns[at];
        let longest = self
            .rows
            .iter()
            .map(|row| row[at].shown().chars().count())
            .max()
            .unwrap_or(0);
        // A head may take two lines.
        let head = column
            .title()
            .split(' ')
            .map(|word| word.chars().count())
            .max()
            .unwrap_or(0);
        let room = if column.kind == ColumnKind::Money {
            4
        } else {
            2
        };
        (longest.max(head) + room).clamp(6, 60) as f64
    }

    fn draw_bars(&self, sheet: &mut Worksheet, place: &Place) -> Written {
        let Some(bars) = self.bars.and_then(|bars| self.column(bars)) else {
            return Ok(());
        };
        let bars = u16::try_from(bars).unwrap_or(0);
        let (first, last) = (place.header + 1, place.header + rows(self));
        let title = format!(
            "{} {}",
            self.columns[usize::from(bars)].title(),
            self.title.to_lowercase()
        );
        let mut chart = Chart::new(ChartType::Column);
        chart
            .add_series()
            .set_categories((place.sheet.as_str(), first, 0, last, 0))
            .set_values((place.sheet.as_str(), first, bars, last, bars))
            .set_name(title.as_str());
        chart.title().set_name(&title);
        chart.legend().set_hidden();
        chart.y_axis().set_num_format("#,##0");
        chart.set_width(900).set_height(360);
        sheet.insert_chart(last + 3, 0, &chart)?;
        Ok(())
    }
}

fn write_cell(
    sheet: &mut Worksheet,
    (row, at): (u32, u16),
    cell: &Cell,
    formula: Option<String>,
    format: &Format,
) -> Written {
    if let (Some(formula), Some(value)) = (formula, cell_value(cell)) {
        let formula = Formula::new(formula).set_result(value);
        sheet.write_formula_with_format(row, at, formula, format)?;
        return Ok(());
    }
    match cell {
        Cell::Empty => sheet.write_blank(row, at, format)?,
        Cell::Text(text) => sheet.write_string_with_format(row, at, text, format)?,
        Cell::Money(cents) => {
            sheet.write_number_with_format(row, at, dollars(cents.get()), format)?
        }
        Cell::Count(count) => sheet.write_number_with_format(row, at, *count as f64, format)?,
        Cell::Number(number) => sheet.write_number_with_format(row, at, *number, format)?,
        Cell::Flag(flag) => sheet.write_boolean_with_format(row, at, *flag, format)?,
        Cell::Day(day) => match excel_day(*day) {
            Some(day) => sheet.write_datetime_with_format(row, at, &day, format)?,
            None => sheet.write_string_with_format(row, at, day.to_string(), format)?,
        },
    };
    Ok(())
}

/// The value that a spreadsheet shows until it reckons anew.
fn cell_value(cell: &Cell) -> Option<String> {
    match cell {
        Cell::Money(cents) => Some(dollars(cents.get()).to_string()),
        cell => cell.number().map(|number| number.to_string()),
    }
}

/// A spreadsheet has no cents.
fn dollars(cents: i64) -> f64 {
    cents as f64 / 100.0
}

/// A day that a spreadsheet knows: its calendar begins with 1900.
fn excel_day(day: jiff::civil::Date) -> Option<ExcelDateTime> {
    let part = |part: i8| u8::try_from(part).ok();
    let year = u16::try_from(day.year())
        .ok()
        .filter(|year| *year >= 1900)?;
    ExcelDateTime::from_ymd(year, part(day.month())?, part(day.day())?).ok()
}

impl Formats {
    fn new() -> Formats {
        let head = Format::new()
            .set_bold()
            .set_text_wrap()
            .set_align(FormatAlign::VerticalCenter);
        let head = head
            .set_background_color(Color::RGB(0xE4_E8_EC))
            .set_border_bottom(FormatBorder::Thin);
        Formats {
            title: Format::new().set_bold().set_font_size(14),
            plain: Format::new(),
            warning: Format::new()
                .set_bold()
                .set_font_color(Color::RGB(0x9C_00_06)),
            head: head.set_align(FormatAlign::Center),
            small: Format::new()
                .set_font_size(9)
                .set_font_color(Color::RGB(0x59_59_59)),
            total: false,
        }
    }

    fn of(&self, kind: ColumnKind) -> Format {
        let format = match kind {
            ColumnKind::Money => self.plain.clone().set_num_format("#,##0.00;[Red]-#,##0.00"),
            ColumnKind::Count => self.plain.clone().set_num_format("#,##0"),
            ColumnKind::Number => self.plain.clone().set_num_format("0.00"),
            ColumnKind::Day => {
                let day = self.plain.clone().set_num_format("yyyy-mm-dd");
                day.set_align(FormatAlign::Left)
            }
            ColumnKind::Text | ColumnKind::Flag => self.plain.clone(),
        };
        match self.total {
            true => format.set_bold().set_border_top(FormatBorder::Thin),
            false => format,
        }
    }
}
