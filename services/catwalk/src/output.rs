//! Tables as the terminal shows them.

use catwalk_rules::book::Severity;
use comfy_table::{ContentArrangement, LineStyle, Table, TableStyle};

/// Width where standard output is no terminal.
const PLAIN_WIDTH: u16 = 100;

const STYLE: TableStyle =
    TableStyle::new().header_separator(LineStyle::none().fill('─').junction('─'));

/// A table with a line under its header, as wide as the terminal.
pub(crate) fn table(header: &[&str]) -> Table {
    let mut table = plain_table();
    table.load_style(STYLE).set_header(header);
    table
}

/// A table without header or lines.
pub(crate) fn plain_table() -> Table {
    let mut table = Table::new();
    table
        .load_style(TableStyle::new())
        .set_content_arrangement(ContentArrangement::Dynamic);
    if table.width().is_none() {
        table.set_width(PLAIN_WIDTH);
    }
    table
}

pub(crate) fn severity(severity: Severity) -> &'static str {
    match severity {
        Severity::Info => "info",
        Severity::Warn => "warn",
        Severity::Critical => "critical",
    }
}
