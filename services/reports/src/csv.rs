//! A part of a report for other programs: a header and rows, and nothing else.

use std::io::Write;

use crate::Result;
use crate::paper::{Cell, Paper, Part};

impl Paper {
    /// Writes the first part, or another one, as CSV. Money is in dollars, with two digits and without a sign for them.
    /// What is not final stands in the rows: whoever shows the rows says the caveats too.
    pub fn write_csv(&self, part: usize, out: &mut dyn Write) -> Result<()> {
        let Some(part) = self.parts.get(part) else {
            return Ok(());
        };
        part.write_csv(out)
    }
}

impl Part {
    fn write_csv(&self, out: &mut dyn Write) -> Result<()> {
        let header: Vec<String> = self
            .columns
            .iter()
            .map(|column| quoted(&column.name))
            .collect();
        writeln!(out, "{}", header.join(","))?;
        for row in &self.rows {
            let cells: Vec<String> = row.iter().map(|cell| quoted(&plain(cell))).collect();
            writeln!(out, "{}", cells.join(","))?;
        }
        Ok(())
    }
}

/// As other programs read it.
fn plain(cell: &Cell) -> String {
    match cell {
        Cell::Money(cents) => {
            let cents = cents.get();
            let sign = if cents < 0 { "-" } else { "" };
            let cents = cents.unsigned_abs();
            format!("{sign}{}.{:02}", cents / 100, cents % 100)
        }
        Cell::Number(number) => number.to_string(),
        Cell::Flag(flag) => flag.to_string(),
        cell => cell.shown(),
    }
}

fn quoted(text: &str) -> String {
    if text.contains(['"', ',', '\n', '\r']) {
        return format!("\"{}\"", text.replace('"', "\"\""));
    }
    text.to_owned()
}
