//! The line that is typed: completed, gone on with until its semicolon, kept for the next time.

use std::collections::BTreeMap;
use std::path::PathBuf;

use catwalk_archive::TABLES;
use catwalk_query::{NamedQuery, named};
use rustyline::completion::Completer;
use rustyline::error::ReadlineError;
use rustyline::history::FileHistory;
use rustyline::validate::{ValidationContext, ValidationResult, Validator};
use rustyline::{Config, Context, Editor, Helper, Highlighter, Hinter};

use super::script::is_whole;

const WORDS: [&str; 28] = [
    "AND", "AS", "ASC", "BETWEEN", "BY", "CASE", "COUNT", "DESC", "DISTINCT", "ELSE", "END",
    "FROM", "GROUP", "HAVING", "IN", "IS", "JOIN", "LEFT", "LIKE", "LIMIT", "NOT", "NULL", "ON",
    "OR", "ORDER", "SELECT", "WHERE", "WITH",
];

pub(super) type Typed = Editor<Words, FileHistory>;

/// What can be completed.
#[derive(Helper, Highlighter, Hinter)]
pub(super) struct Words;

/// An editor of lines with what was typed before.
pub(super) fn editor() -> rustyline::Result<Typed> {
    let config = Config::builder().max_history_size(2_000)?.build();
    let mut editor = Editor::with_config(config)?;
    editor.set_helper(Some(Words));
    if let Some(history) = history() {
        // The first time there is none.
        let _ = editor.load_history(&history);
    }
    Ok(editor)
}

/// Keeps what was typed. Questions may name patrons: the file is for its owner alone.
pub(super) fn keep(editor: &mut Typed) {
    let Some(history) = history() else {
        return;
    };
    let folder = history.parent().map(std::fs::create_dir_all);
    if folder.is_none_or(|made| made.is_ok()) && editor.save_history(&history).is_err() {
        eprintln!("catwalk: {} cannot be written", history.display());
    }
}

fn history() -> Option<PathBuf> {
    let folder = |name: &str| std::env::var_os(name).map(PathBuf::from);
    let state = folder("XDG_STATE_HOME").or_else(|| Some(folder("HOME")?.join(".local/state")));
    Some(state?.join("catwalk").join("history"))
}

impl Validator for Words {
    fn validate(&self, context: &mut ValidationContext<'_>) -> rustyline::Result<ValidationResult> {
        Ok(match is_whole(context.input()) {
            true => ValidationResult::Valid(None),
            false => ValidationResult::Incomplete,
        })
    }
}

impl Completer for Words {
    type Candidate = String;

    fn complete(
        &self,
        line: &str,
        place: usize,
        _: &Context<'_>,
    ) -> rustyline::Result<(usize, Vec<String>)> {
        Ok(complete(&line[..place]))
    }
}

/// Where the word before the cursor begins, and what it may become.
fn complete(before: &str) -> (usize, Vec<String>) {
    let is_of_word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '\\');
    let begin = before.rfind(|c| !is_of_word(c)).map_or(0, |end| {
        end + before[end..].chars().next().map_or(0, char::len_utf8)
    });
    let word = &before[begin..];
    let known: Vec<String> = match before.split_whitespace().next() {
        Some("\\d") if begin > 0 => tables(),
        Some("\\ask") if begin > 0 => {
            let queries = named::all().unwrap_or_default().iter();
            queries.map(|query| query.name.clone()).collect()
        }
        _ if names_a_table(&before[..begin]) => tables(),
        _ if word.starts_with('\\') => ["\\?", "\\ask", "\\d", "\\q", "\\timing"]
            .map(str::to_owned)
            .into(),
        _ => everything(),
    };
    let fits = |known: &String| known.to_lowercase().starts_with(&word.to_lowercase());
    let mut known: Vec<String> = match word.is_empty() {
        true => Vec::new(),
        false => known.into_iter().filter(fits).collect(),
    };
    known.sort();
    known.dedup();
    (begin, known)
}

/// After these words comes a table, and no column.
fn names_a_table(before: &str) -> bool {
    let last = before.split_whitespace().next_back().unwrap_or_default();
    ["FROM", "JOIN"]
        .iter()
        .any(|word| last.eq_ignore_ascii_case(word))
}

fn tables() -> Vec<String> {
    TABLES.iter().map(|table| table.name.to_owned()).collect()
}

fn everything() -> Vec<String> {
    let names = TABLES.iter().flat_map(|table| {
        let columns = table.columns.iter().map(|column| column.name);
        std::iter::once(table.name).chain(columns)
    });
    names.chain(WORDS).map(str::to_owned).collect()
}

/// Asks for the values that a named query cannot do without, until each is one.
pub(super) fn ask_for_values(query: &NamedQuery, values: &mut BTreeMap<String, String>) {
    let missing: Vec<_> = query.missing(values).cloned().collect();
    if missing.is_empty() {
        return;
    }
    let Ok(mut editor) = rustyline::DefaultEditor::new() else {
        return;
    };
    for parameter in missing {
        eprintln!("{}", parameter.asked());
        loop {
            match editor.readline(&format!("{}> ", parameter.name)) {
                Ok(value) => match parameter.check(value.trim()) {
                    Ok(()) if !value.trim().is_empty() => {
                        values.insert(parameter.name.clone(), value.trim().to_owned());
                        break;
                    }
                    Ok(()) => {}
                    Err(error) => eprintln!("{error}"),
                },
                Err(ReadlineError::Interrupted | ReadlineError::Eof) => return,
                Err(error) => {
                    eprintln!("catwalk: {error}");
                    return;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_columns_words_and_commands_are_completed() {
        let first = |before: &str| complete(before).1.first().cloned().unwrap_or_default();
        assert_eq!(
            complete("SELECT * FROM roun"),
            (14, vec!["rounds".to_owned()])
        );
        assert_eq!(first("SELECT roun"), "round");
        assert!(
            complete("SELECT staked_")
                .1
                .contains(&"staked_cents".to_owned())
        );
        assert_eq!(first("sel"), "SELECT");
        assert_eq!(complete("\\d wag"), (3, vec!["wagers".to_owned()]));
        assert_eq!(first("\\ask recon"), "reconciliation");
        assert_eq!(first("\\tim"), "\\timing");
        assert_eq!(complete("SELECT 'é"), (8, vec![]));
    }
}
