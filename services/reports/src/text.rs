//! A report as a terminal shows it.

use std::io::{self, Write};

use catwalk_hands::floor::Cents;
use comfy_table::{CellAlignment, ContentArrangement, LineStyle, Table, TableStyle};

use crate::paper::{Caveat, Paper, Part};

const STYLE: TableStyle =
    TableStyle::new().header_separator(LineStyle::none().fill('─').junction('─'));

impl Paper {
    /// Writes it for a person; tables that are wider are shown row by row.
    pub fn write_text(&self, width: Option<u16>, out: &mut dyn Write) -> io::Result<()> {
        let report = self.report;
        writeln!(
            out,
            "{} {}: {}",
            report.id,
            report.title,
            self.asked.words()
        )?;
        writeln!(out, "{}\n", report.about)?;
        for line in self.caveat_lines() {
            writeln!(out, "{line}")?;
        }
        writeln!(out)?;
        for part in &self.parts {
            part.write_text(width, out)?;
        }
        for (name, said) in &self.foot {
            writeln!(out, "{name}: {said}")?;
        }
        Ok(())
    }

    /// What stands on top of every form.
    pub fn caveat_lines(&self) -> Vec<String> {
        if self.caveats.is_empty() {
            return vec![
                "Final: every table has closed, every box is counted, every round is judged."
                    .to_owned(),
            ];
        }
        let mut lines = vec![format!("NOT FINAL: {}.", uncertain(&self.caveats))];
        lines.extend(
            self.caveats
                .iter()
                .map(|caveat| format!("  {}", caveat.words())),
        );
        lines
    }
}

/// How much is uncertain. What has no amount is not nothing.
fn uncertain(caveats: &[Caveat]) -> String {
    let known: Vec<Cents> = caveats.iter().filter_map(|it| it.uncertain).collect();
    let sum: Cents = known.iter().copied().sum();
    match known.len() {
        0 => "how much is uncertain is not known".to_owned(),
        known if known < caveats.len() => format!("{sum} are uncertain, and what has no amount"),
        _ => format!("{sum} are uncertain"),
    }
}

impl Caveat {
    pub fn words(&self) -> String {
        let mut words = String::new();
        if let Some(day) = self.day {
            words.push_str(&format!("{day} "));
        }
        if let Some(table) = &self.table {
            words.push_str(&format!("{table}: "));
        }
        words.push_str(&self.what);
        if self.times > 1 {
            words.push_str(&format!(" ({})", self.times));
        }
        if let Some(amount) = self.uncertain {
            words.push_str(&format!("; uncertain {amount}"));
            if let Some(what) = &self.amount_is {
                words.push_str(&format!(", {what}"));
            }
        }
        words
    }
}

impl Part {
    fn write_text(&self, width: Option<u16>, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "{}", self.title.to_uppercase())?;
        if self.rows.is_empty() {
            return writeln!(out, "{}\n", self.none);
        }
        let shown: Vec<usize> = (0..self.columns.len())
            .filter(|at| self.has_values(*at))
            .collect();
        let mut table = Table::new();
        table.load_style(STYLE);
        table.set_content_arrangement(ContentArrangement::Disabled);
        table.set_header(shown.iter().map(|at| self.columns[*at].title()));
        let totals = self.totals();
        for row in self.rows.iter().chain(&totals) {
            table.add_row(shown.iter().map(|at| row[*at].shown()));
        }
        for (at, column) in shown.iter().zip(table.column_iter_mut()) {
            if self.columns[*at].is_right() {
                column.set_cell_alignment(CellAlignment::Right);
            }
        }
        let wide = table
            .lines()
            .map(|line| line.chars().count())
            .max()
            .unwrap_or(0);
        match width {
            Some(width) if wide > usize::from(width) => self.write_row_by_row(&shown, out),
            _ => {
                table
                    .lines()
                    .try_for_each(|line| writeln!(out, "{}", line.trim_end()))?;
                writeln!(out)
            }
        }
    }

    /// A column in which no row has a value says nothing.
    fn has_values(&self, at: usize) -> bool {
        self.rows.iter().any(|row| row[at] != crate::Cell::Empty)
    }

    fn write_row_by_row(&self, shown: &[usize], out: &mut dyn Write) -> io::Result<()> {
        let names: Vec<String> = shown.iter().map(|at| self.columns[*at].title()).collect();
        let wide = names
            .iter()
            .map(|name| name.chars().count())
            .max()
            .unwrap_or(0);
        let totals = self.totals();
        for row in self.rows.iter().chain(&totals) {
            for (at, name) in shown.iter().zip(&names) {
                let cell = row[*at].shown();
                if !cell.is_empty() {
                    writeln!(out, "  {name:wide$}  {cell}")?;
                }
            }
            writeln!(out)?;
        }
        Ok(())
    }
}
