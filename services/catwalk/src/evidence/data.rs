//! The rows of a bundle once more, for a spreadsheet: whoever verifies makes the same from the proven rows.

use std::collections::BTreeSet;

use serde_json::Value;

/// Rows as CSV: a column for each name that a row has, in alphabetical order; nothing where a row has no value; lists
/// and truth as JSON has them.
pub(super) fn csv(rows: &[Value]) -> String {
    let names = rows.iter().filter_map(Value::as_object);
    let names: BTreeSet<&String> = names.flat_map(|row| row.keys()).collect();
    let mut text = String::new();
    let mut line = |cells: Vec<String>| {
        text.push_str(&cells.join(","));
        text.push_str("\r\n");
    };
    line(names.iter().map(|name| quoted(name)).collect());
    for row in rows {
        let cell = |name: &&String| match &row[name.as_str()] {
            Value::Null => String::new(),
            Value::String(text) => quoted(text),
            other => quoted(&other.to_string()),
        };
        line(names.iter().map(cell).collect());
    }
    text
}

fn quoted(text: &str) -> String {
    match text.contains([',', '"', '\r', '\n']) {
        true => format!("\"{}\"", text.replace('"', "\"\"")),
        false => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn rows_are_lines_whose_cells_are_quoted_where_they_must_be() {
        let rows = [
            json!({"round": "r-1", "amount_cents": 500, "note": "he said \"no\", twice"}),
            json!({"round": "r-2", "cites": ["9(b)"], "complete": true}),
        ];
        assert_eq!(
            csv(&rows),
            "amount_cents,cites,complete,note,round\r\n\
             500,,,\"he said \"\"no\"\", twice\",r-1\r\n\
             ,\"[\"\"9(b)\"\"]\",true,,r-2\r\n"
        );
    }
}
