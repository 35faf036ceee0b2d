//! Named queries: the files of `queries/`, compiled in.
//!
//! A file is SQL with a header of comments:
//!
//! ```sql
//! -- rounds
//! -- for: surveillance, investigators
//! -- about: Rounds of a table between two moments, in order.
//! -- param table text: The table, such as MB-05.
//! -- param until moment = 9999-12-31T00:00:00Z: Up to this moment.
//! SELECT ...
//! ```
//!
//! A parameter is `$table` in the SQL. Its value is bound by its type, never pasted into the text. One
//! with a default may be left out; `none` as default is no value at all.
//!
//! What several queries need stands once, in `queries/parts/`: common table expressions that a query names in its
//! header as `-- uses: boxes, table-days`, and that stand before its own.

mod files;

use std::collections::BTreeMap;
use std::fmt;
use std::sync::LazyLock;

use catwalk_events::Timestamp;
use catwalk_hands::refusal::Refusal;
use datafusion::common::ScalarValue;
use jiff::civil::Date;

use crate::{Error, Result};
use files::{FILES, PARTS};

/// How a line of a header begins.
const HEADER: &str = "-- ";

static QUERIES: LazyLock<std::result::Result<Vec<NamedQuery>, HeaderError>> =
    LazyLock::new(|| read(FILES));

fn read(files: &[(&str, &str)]) -> std::result::Result<Vec<NamedQuery>, HeaderError> {
    let read = |(name, text): &(&str, &str)| NamedQuery::read(name, text);
    files.iter().map(read).collect()
}

/// All named queries, by name.
///
/// # Errors
/// If a file does not read; the error names it.
pub fn all() -> Result<&'static [NamedQuery]> {
    match &*QUERIES {
        Ok(queries) => Ok(queries),
        Err(error) => Err(error.clone().into()),
    }
}

/// The query of that name; if there is none, the error says which may have been meant.
pub fn find(name: &str) -> Result<&'static NamedQuery> {
    let queries = all()?;
    let found = queries.iter().find(|query| query.name == name);
    found.ok_or_else(|| {
        let known: Vec<&str> = queries.iter().map(|query| query.name.as_str()).collect();
        let refusal = Refusal::unknown("", name, "a named query", &known);
        Error::UnknownQuery(refusal.to_string())
    })
}

/// A query with a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedQuery {
    pub name: String,
    /// For whom it is.
    pub audience: String,
    /// What it tells.
    pub about: String,
    pub parameters: Vec<Parameter>,
    pub sql: String,
}

/// A value that a query asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter {
    pub name: String,
    pub kind: ParameterKind,
    pub default: Option<DefaultValue>,
    pub meaning: String,
}

/// What a parameter is when it is left out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DefaultValue {
    /// No value: the query does without it.
    None,
    Value(String),
}

/// What a parameter can be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParameterKind {
    Text,
    Int,
    Moment,
    Day,
}

/// A header that does not parse: the line, and what is wrong with it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("queries/{name}.sql: {line:?}: {wrong}")]
pub struct HeaderError {
    name: String,
    line: String,
    wrong: &'static str,
}

impl NamedQuery {
    fn read(name: &str, text: &str) -> std::result::Result<NamedQuery, HeaderError> {
        let mut query = NamedQuery {
            name: name.to_owned(),
            audience: String::new(),
            about: String::new(),
            parameters: Vec::new(),
            sql: text.to_owned(),
        };
        let header = text.lines().map_while(|line| line.strip_prefix(HEADER));
        for (index, line) in header.enumerate() {
            let wrong = |wrong| HeaderError {
                name: name.to_owned(),
                line: line.to_owned(),
                wrong,
            };
            if index == 0 {
                if line != name {
                    return Err(wrong("the first line is the name of the file"));
                }
            } else if let Some(audience) = line.strip_prefix("for: ") {
                query.audience = audience.to_owned();
            } else if let Some(about) = line.strip_prefix("about: ") {
                query.about = about.to_owned();
            } else if let Some(parts) = line.strip_prefix("uses: ") {
                let body: String = text
                    .lines()
                    .skip_while(is_header)
                    .map(|line| format!("{line}\n"))
                    .collect();
                query.sql =
                    with_parts(parts, &body).ok_or_else(|| wrong("there is no such part"))?;
            } else if let Some(parameter) = line.strip_prefix("param ") {
                query
                    .parameters
                    .push(Parameter::read(parameter).map_err(wrong)?);
            } else if let Some(more) = line.strip_prefix("  ") {
                query.about.push(' ');
                query.about.push_str(more.trim());
            } else {
                return Err(wrong("neither for:, about:, uses: nor param"));
            }
        }
        Ok(query)
    }

    /// The values to bind, from texts and defaults.
    pub(crate) fn bind(
        &self,
        values: &BTreeMap<String, String>,
    ) -> Result<Vec<(String, ScalarValue)>> {
        let known: Vec<&str> = self
            .parameters
            .iter()
            .map(|known| known.name.as_str())
            .collect();
        if let Some(unknown) = values.keys().find(|name| !known.contains(&name.as_str())) {
            let is_not = format!("a parameter of {}", self.name);
            let refusal = Refusal::unknown("", unknown, &is_not, &known);
            return Err(Error::UnknownParameter(refusal.to_string()));
        }
        let missing: Vec<String> = self.missing(values).map(Parameter::asked).collect();
        if !missing.is_empty() {
            return Err(Error::MissingParameters {
                query: self.name.clone(),
                missing: missing.join("; and "),
            });
        }
        let bind = |parameter: &Parameter| {
            let given = values.get(&parameter.name);
            let value = match (given, &parameter.default) {
                (Some(given), _) => parameter.value(given)?,
                (None, Some(DefaultValue::Value(default))) => parameter.value(default)?,
                (None, _) => parameter.kind.nothing(),
            };
            Ok((parameter.name.clone(), value))
        };
        self.parameters.iter().map(bind).collect()
    }

    /// The parameters that it cannot do without and that have no value yet.
    pub fn missing(&self, values: &BTreeMap<String, String>) -> impl Iterator<Item = &Parameter> {
        let is_missing = |parameter: &&Parameter| {
            parameter.default.is_none() && !values.contains_key(&parameter.name)
        };
        self.parameters.iter().filter(is_missing)
    }
}

/// A query after the parts that it names; `None` where one of them is not there.
fn with_parts(names: &str, body: &str) -> Option<String> {
    let part = |name: &str| PARTS.iter().find(|(known, _)| *known == name.trim());
    let parts: Option<Vec<&str>> = names
        .split(',')
        .map(|name| part(name).map(|(_, sql)| sql.trim_end()))
        .collect();
    let parts = parts?.join(",\n");
    Some(match body.strip_prefix("WITH ") {
        Some(own) => format!("WITH\n{parts},\n{own}"),
        None => format!("WITH\n{parts}\n{body}"),
    })
}

fn is_header(line: &&str) -> bool {
    line.starts_with(HEADER)
}

impl Parameter {
    /// Reads `name kind: meaning` or `name kind = default: meaning`.
    fn read(text: &str) -> std::result::Result<Parameter, &'static str> {
        let (declared, meaning) = text.split_once(": ").ok_or("its meaning is missing")?;
        let (declared, default) = match declared.split_once(" = ") {
            Some((declared, "none")) => (declared, Some(DefaultValue::None)),
            Some((declared, value)) => (declared, Some(DefaultValue::Value(value.to_owned()))),
            None => (declared, None),
        };
        let (name, kind) = declared.split_once(' ').ok_or("its type is missing")?;
        let kind = match kind {
            "text" => ParameterKind::Text,
            "int" => ParameterKind::Int,
            "moment" => ParameterKind::Moment,
            "day" => ParameterKind::Day,
            _ => return Err("a type is text, int, moment or day"),
        };
        Ok(Parameter {
            name: name.to_owned(),
            kind,
            default,
            meaning: meaning.to_owned(),
        })
    }

    /// Its name, its type and its meaning, as whoever must give it is asked.
    pub fn asked(&self) -> String {
        format!("{}, {}: {}", self.name, self.kind.words(), self.meaning)
    }

    /// Whether a text can be its value.
    pub fn check(&self, text: &str) -> Result<()> {
        self.value(text).map(drop)
    }

    fn value(&self, text: &str) -> Result<ScalarValue> {
        self.kind.value(text).ok_or_else(|| Error::ParameterValue {
            name: self.name.clone(),
            value: text.to_owned(),
            kind: self.kind.words(),
        })
    }
}

impl ParameterKind {
    fn value(self, text: &str) -> Option<ScalarValue> {
        match self {
            ParameterKind::Text => Some(ScalarValue::from(text)),
            ParameterKind::Int => Some(ScalarValue::Int64(Some(text.parse().ok()?))),
            ParameterKind::Moment => {
                let moment: Timestamp = text.parse().ok()?;
                Some(moment_value(Some(moment.micros())))
            }
            ParameterKind::Day => {
                let since = text.parse::<Date>().ok()? - Date::constant(1970, 1, 1);
                Some(ScalarValue::Date32(Some(since.get_days())))
            }
        }
    }

    fn nothing(self) -> ScalarValue {
        match self {
            ParameterKind::Text => ScalarValue::Utf8(None),
            ParameterKind::Int => ScalarValue::Int64(None),
            ParameterKind::Moment => moment_value(None),
            ParameterKind::Day => ScalarValue::Date32(None),
        }
    }

    /// What it is, as an error or a help text says it.
    pub const fn words(self) -> &'static str {
        match self {
            ParameterKind::Text => "a text",
            ParameterKind::Int => "a whole number such as 12",
            ParameterKind::Moment => "a moment such as 2026-11-15T20:00:00Z",
            ParameterKind::Day => "a day such as 2026-11-15",
        }
    }
}

impl fmt::Display for ParameterKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            ParameterKind::Text => "text",
            ParameterKind::Int => "int",
            ParameterKind::Moment => "moment",
            ParameterKind::Day => "day",
        })
    }
}

fn moment_value(micros: Option<i64>) -> ScalarValue {
    ScalarValue::TimestampMicrosecond(micros, Some("UTC".into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_of_the_folder_is_compiled_in_and_reads() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../queries");
        let mut names: Vec<String> = std::fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .filter_map(|name| Some(name.strip_suffix(".sql")?.to_owned()))
            .collect();
        names.sort();
        let known: Vec<&str> = FILES.iter().map(|(name, _)| *name).collect();
        assert_eq!(names, known);
        for (name, text) in FILES {
            let query = NamedQuery::read(name, text).unwrap();
            assert!(!query.audience.is_empty(), "{name}: for whom?");
            assert!(query.about.ends_with('.'), "{name}: about what?");
            for parameter in &query.parameters {
                let used = format!("${}", parameter.name);
                assert!(query.sql.contains(&used), "{name}: {used} is not used");
            }
        }
    }

    #[test]
    fn a_file_that_does_not_read_is_named() {
        let broken = "-- rounds\n-- param table: The table.\nSELECT 1\n";
        let error = read(&[FILES[0], ("rounds", broken)]).unwrap_err();
        assert_eq!(
            Error::from(error).to_string(),
            "queries/rounds.sql: \"param table: The table.\": its type is missing"
        );
        assert_eq!(read(FILES).unwrap().len(), FILES.len());
    }

    #[test]
    fn every_default_is_a_value_of_its_type() {
        for query in all().unwrap() {
            for parameter in &query.parameters {
                if let Some(DefaultValue::Value(value)) = &parameter.default {
                    parameter.value(value).unwrap();
                }
            }
        }
    }

    #[test]
    fn a_query_that_is_not_there_is_answered_with_the_one_that_was_meant() {
        let error = find("reconcilation").unwrap_err().to_string();
        assert!(
            error.contains("did you mean \"reconciliation\"?"),
            "{error}"
        );
    }

    #[test]
    fn a_missing_parameter_is_named_with_its_type() {
        let error = find("rounds").unwrap().bind(&BTreeMap::new()).unwrap_err();
        let error = error.to_string();
        assert!(
            error.starts_with("query rounds needs table, a text: "),
            "{error}"
        );
    }

    #[test]
    fn a_value_of_another_type_is_refused() {
        let values = [("table", "MB-01"), ("since", "yesterday")];
        let values = values.map(|(name, value)| (name.to_owned(), value.to_owned()));
        let error = find("rounds")
            .unwrap()
            .bind(&BTreeMap::from(values))
            .unwrap_err();
        let error = error.to_string();
        assert!(
            error.starts_with("since: \"yesterday\" is not a moment"),
            "{error}"
        );
    }

    #[test]
    fn a_parameter_that_the_query_has_not_is_refused() {
        let values = BTreeMap::from([("tabel".to_owned(), "MB-01".to_owned())]);
        let error = find("rounds")
            .unwrap()
            .bind(&values)
            .unwrap_err()
            .to_string();
        assert!(error.contains("did you mean \"table\"?"), "{error}");
    }
}
