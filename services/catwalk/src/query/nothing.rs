//! A named query without a row: whether there was anything to look at.

use std::collections::BTreeMap;

use catwalk_query::{Bounds, Session};

use super::ArchiveArgs;
use super::look::LookArgs;

/// What a question was narrowed to, of what every event says: the parameter, the condition, and how people say it.
const NARROWED: [(&str, &str, &str); 7] = [
    ("table", "table_id = ", "of table"),
    ("round", "round = ", "of round"),
    ("day", "gaming_day = ", "of gaming day"),
    ("first", "gaming_day >= ", "from gaming day"),
    ("last", "gaming_day <= ", "to gaming day"),
    ("since", "at >= ", "since"),
    ("until", "at < ", "until"),
];

/// What is not in the archive at all, if a named query without an answer has looked at nothing: a table whose name was
/// mistyped has no fault either.
pub(super) fn looked_at(
    archive: &ArchiveArgs,
    bounds: Bounds,
    look: &LookArgs,
    values: &BTreeMap<String, String>,
) -> anyhow::Result<Option<String>> {
    let (mut sql, mut said) = (String::from("SELECT seq FROM events"), String::new());
    for (name, condition, words) in NARROWED {
        let Some(value) = values.get(name) else {
            continue;
        };
        let joint = if said.is_empty() { "WHERE" } else { "AND" };
        sql.push_str(&format!(
            " {joint} {condition}'{}'",
            value.replace('\'', "''")
        ));
        said.push_str(&format!(" {words} {value}"));
    }
    sql.push_str(" LIMIT 1");
    let asked = sql.clone();
    let is_there =
        archive.with_question(bounds, look, &sql, None, async move |session: Session| {
            let rows = session.sql(&asked).await?.collect().await?;
            Ok(rows.iter().any(|batch| batch.num_rows() > 0))
        })?;
    Ok((!is_there).then(|| format!("no event{said} is in the archive: nothing was looked at")))
}
